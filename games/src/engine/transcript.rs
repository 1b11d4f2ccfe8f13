//! A title written down: every level played by its shortest solution, as text that a person can read.

use std::fmt::{self, Write};

use env_client::{Command, Grid};
use xxhash_rust::xxh3::Xxh3;

use super::{Course, Environment, Film, Play, Scene, Shown, Title, Variant, baseline, step_limit};
use crate::prover::Proof;

/// The transcript of a title whose levels are solved by `proofs`.
///
/// For each level: how many actions it takes and allows, its first view, every action with what it changed, and its
/// last view. Views are drawn at their logical size, one hexadecimal digit a pixel.
pub(crate) fn write<T: Title>(proofs: &[Proof]) -> String {
    let mut text = String::new();
    try_write::<T>(&mut text, proofs).expect("writing to a string does not fail");
    text
}

fn try_write<T: Title>(text: &mut String, proofs: &[Proof]) -> fmt::Result {
    let about = &T::ABOUT;
    writeln!(text, "{} {}: {:?}", about.stem, about.title, about.families)?;
    match about.bar {
        Some(bar) => writeln!(text, "{}; {:?} bar, drained by {:?} action", about.tag(), bar.edge, bar.drain)?,
        None => writeln!(text, "{}; a countdown of its own", about.tag())?,
    }
    let course = Course::<T>::new(Variant::default()).expect("seed 0 leaves nothing to prove");
    let mut play = Play::new(course, Variant::default());
    let mut shown = play.step(Command::Reset);
    for (level, proof) in (1..).zip(proofs) {
        let optimal = proof.optimal();
        writeln!(
            text,
            "\nLevel {level}: optimal {optimal}, baseline {}, limit {}",
            baseline(optimal),
            step_limit(optimal)
        )?;
        write!(text, "{}", picture(play.state()))?;
        shown = try_write_solution(text, &mut play, shown, proof)?;
    }
    writeln!(text, "\n{}, {} of {} levels", shown.status, shown.levels_completed, shown.win_levels)
}

/// One line an action: what was done, how long it moved, and what it changed where it settled.
fn try_write_solution<T: Title>(
    text: &mut String,
    play: &mut Play<T>,
    mut shown: Shown,
    proof: &Proof,
) -> Result<Shown, fmt::Error> {
    for (step, &input) in (1..).zip(&proof.solution) {
        let action = input.action(&play.state().view()).expect("a solution clicks on what is on the screen");
        let mut ending = play.state().clone();
        let _ = ending.act(input, &mut Film::blank());
        let next = play.step(action.into());
        let changed = changes(&shown, &next);
        writeln!(
            text,
            "{step:4} {:12} {:3} layers, {changed:4} cells, {:08x}",
            input.to_string(),
            next.layers.len(),
            digest(&next.layers)
        )?;
        if next.levels_completed > shown.levels_completed {
            write!(text, "{}", picture(&ending))?;
        }
        shown = next;
    }
    Ok(shown)
}

/// The view of a state at its logical size.
fn picture<T: Title>(state: &T) -> Grid {
    let mut scene = Scene::new(state.view());
    state.draw(&mut scene);
    scene.logical()
}

/// Cells of the frame that differ between two settled views.
fn changes(before: &Shown, after: &Shown) -> usize {
    let frames = before.layers.last().zip(after.layers.last());
    frames.and_then(|(before, after)| before.differences(after)).map_or(0, Iterator::count)
}

/// A fingerprint of all layers, so that no change of a frame goes unnoticed.
fn digest(layers: &[Grid]) -> u32 {
    let mut hash = Xxh3::new();
    for layer in layers {
        layer.cells().iter().for_each(|color| hash.update(&[u8::from(*color)]));
    }
    hash.digest() as u32
}
