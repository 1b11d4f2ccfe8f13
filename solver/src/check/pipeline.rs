//! The data pipeline: symmetries, tokens, crops, names and hashes.

use std::path::Path;

use env_client::{Color, Grid};
use serde::Deserialize;
use serde_json::Value;

use super::{CheckError, Finding, report::Findings};
use crate::data::{
    Canvas, MAX_SIDE, Offset, PAD, Pair,
    augment::{Augmentation, Dihedral},
    hash,
};

/// `data_pipeline.json`. A grid of no cells is an empty list, and one of a single colour may be written `30x30 of 3`.
#[derive(Debug, Deserialize)]
struct Pipeline {
    dihedral: Symmetries,
    serialise_no_translation: Serialised,
    serialise_translated: Translated,
    serialise_full_30x30: Full,
    crop: Vec<Crop>,
    crop_ragged: Ragged,
    aug: View,
    hash: Hashes,
}

#[derive(Debug, Deserialize)]
struct Symmetries {
    input: Grid,
    out_by_id: Vec<Grid>,
    inverse_id: Vec<u8>,
}

#[derive(Debug, Deserialize)]
struct Serialised {
    input: Grid,
    output: Grid,
    seq_in: Vec<u8>,
    seq_out: Vec<u8>,
}

/// The same pair elsewhere on the canvas.
#[derive(Debug, Deserialize)]
struct Translated {
    pad_r: u8,
    pad_c: u8,
    seq_in: Vec<u8>,
    seq_out: Vec<u8>,
}

/// A canvas full of colour 3, and the input of the pair as the output.
#[derive(Debug, Deserialize)]
struct Full {
    seq_in_all_equal_5: bool,
    seq_out: Vec<u8>,
}

/// The beginning of one of the sequences of this file, or of one of a single token.
#[derive(Debug, Deserialize)]
struct Crop {
    seq_first_row: Vec<u8>,
    result: Value,
}

/// The upper left corner of a canvas.
#[derive(Debug, Deserialize)]
struct Ragged {
    rows: Vec<Vec<u8>>,
    result: Value,
}

#[derive(Debug, Deserialize)]
struct View {
    name: String,
    input: Grid,
    augmented: Grid,
    inverse_of_augmented: Grid,
    orig_name: String,
}

/// Of a grid; of the pair of this file; of that and the pair the other way round.
#[derive(Debug, Deserialize)]
struct Hashes {
    grid: Grid,
    grid_hash: String,
    puzzle_hash_one_pair: String,
    puzzle_hash_two_pairs: String,
}

pub(super) fn check(path: &Path) -> Result<Vec<Finding>, CheckError> {
    let pipeline: Pipeline = serde_json::from_slice(&super::read(path)?)?;
    let mut findings = Findings::default();
    pipeline.dihedral.check(&mut findings);
    pipeline.check_tokens(&mut findings);
    pipeline.check_crops(&mut findings)?;
    pipeline.aug.check(&mut findings);
    pipeline.check_hashes(&mut findings);
    Ok(findings.into_vec())
}

impl Symmetries {
    fn check(&self, findings: &mut Findings) {
        let outputs: Vec<Grid> = Dihedral::ALL.iter().map(|symmetry| symmetry.apply(&self.input)).collect();
        findings.same("symmetries", outputs == self.out_by_id);
        let inverses = Dihedral::ALL.map(|symmetry| symmetry.inverse() as u8);
        findings.same("inverses of symmetries", inverses[..] == self.inverse_id);
    }
}

impl View {
    fn check(&self, findings: &mut Findings) {
        let Ok((task, augmentation)) = Augmentation::parse(&self.name) else {
            return findings.same("names of augmentations", false);
        };
        findings.same("names of augmentations", task == self.orig_name && augmentation.name(task) == self.name);
        findings.same("augmentations", augmentation.apply(&self.input) == self.augmented);
        findings.same("augmentations undone", augmentation.undo(&self.augmented) == self.inverse_of_augmented);
    }
}

impl Pipeline {
    fn check_tokens(&self, findings: &mut Findings) {
        let (plain, moved, full) =
            (&self.serialise_no_translation, &self.serialise_translated, &self.serialise_full_30x30);
        let at = Offset { row: moved.pad_r, column: moved.pad_c };
        let expected = [
            (&plain.input, Offset::default(), &plain.seq_in),
            (&plain.output, Offset::default(), &plain.seq_out),
            (&plain.input, at, &moved.seq_in),
            (&plain.output, at, &moved.seq_out),
            (&plain.input, Offset::default(), &full.seq_out),
        ];
        for (grid, at, sequence) in expected {
            findings.same("tokens", tokens(grid, at) == *sequence);
        }
        let filled = tokens(&Grid::filled(MAX_SIDE, MAX_SIDE, Color::ALL[3]), Offset::default());
        findings.same("tokens", filled.iter().all(|token| *token == 5) == full.seq_in_all_equal_5);
    }

    fn check_crops(&self, findings: &mut Findings) -> Result<(), CheckError> {
        for crop in &self.crop {
            let sequence = self.sequence(&crop.seq_first_row);
            findings.same("crops", Canvas::PUBLISHED.read(&sequence) == told(&crop.result)?);
        }
        let mut ragged = vec![PAD; Canvas::PUBLISHED.tokens()];
        for (place, row) in ragged.chunks_mut(usize::from(Canvas::PUBLISHED.side())).zip(&self.crop_ragged.rows) {
            place.iter_mut().zip(row).for_each(|(token, given)| *token = *given);
        }
        findings.same("crops", Canvas::PUBLISHED.read(&ragged) == told(&self.crop_ragged.result)?);
        Ok(())
    }

    /// The sequence that begins so.
    fn sequence(&self, beginning: &[u8]) -> Vec<u8> {
        let known = [&self.serialise_no_translation.seq_in, &self.serialise_no_translation.seq_out];
        let known = known.into_iter().find(|sequence| sequence.starts_with(beginning));
        let token = beginning.first().copied().unwrap_or(PAD);
        known.cloned().unwrap_or_else(|| vec![token; Canvas::PUBLISHED.tokens()])
    }

    fn check_hashes(&self, findings: &mut Findings) {
        let Serialised { input, output, .. } = &self.serialise_no_translation;
        let pair = Pair { input: input.clone(), output: output.clone() };
        let back = Pair { input: output.clone(), output: input.clone() };
        let hash = &self.hash;
        findings.same("hashes", hash::grid(&hash.grid).to_string() == hash.grid_hash);
        findings.same("hashes", hash::puzzle([&pair]).to_string() == hash.puzzle_hash_one_pair);
        findings.same("hashes", hash::puzzle([&pair, &back]).to_string() == hash.puzzle_hash_two_pairs);
    }
}

fn tokens(grid: &Grid, at: Offset) -> Vec<u8> {
    let mut tokens = vec![PAD; Canvas::PUBLISHED.tokens()];
    Canvas::PUBLISHED.write(grid, at, &mut tokens);
    tokens
}

/// The grid that a result describes; `None` where it has no cells.
fn told(result: &Value) -> Result<Option<Grid>, CheckError> {
    match result {
        Value::String(text) => Ok(Some(filled(text).ok_or_else(|| CheckError::Unsupported(text.clone()))?)),
        Value::Array(rows) if rows.is_empty() => Ok(None),
        grid => Ok(Some(Grid::deserialize(grid)?)),
    }
}

/// `HEIGHTxWIDTH of COLOUR`
fn filled(text: &str) -> Option<Grid> {
    let (extent, color) = text.split_once(" of ")?;
    let (height, width) = extent.split_once('x')?;
    let side = |side: &str| side.parse().ok().filter(|side| (1..=MAX_SIDE).contains(side));
    let color = Color::try_from(color.parse::<u64>().ok()?).ok()?;
    Some(Grid::filled(side(width)?, side(height)?, color))
}
