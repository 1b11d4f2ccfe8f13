//! The figures as tables for people, at most 80 columns wide.

use std::fmt;

use world_model::eval::{FIRM, View};

use super::figures::{Bin, Document, Figures, GameFigures, Mean, ModelFigures, OnRecording, Recording, Runs, Views};
use crate::table::{Align, Table};

use Align::{Left, Right};

/// A document, readable.
#[derive(Clone, Copy, Debug)]
pub struct Readable<'a> {
    /// What is printed.
    pub document: &'a Document,
    /// Whether each recording gets a line.
    pub games: bool,
    /// Whether the changes that were not foretold are named.
    pub misses: bool,
}

impl fmt::Display for Readable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Document { models, recordings, transitions, window: [from, to], .. } = self.document;
        writeln!(f, "{} recordings, {transitions} transitions, arc3 {}", recordings.len(), self.document.version)?;
        for (view, what) in [(View::Masked, "without the interface"), (View::Raw, "all cells")] {
            writeln!(f, "\nwhere something changed, transitions {from} to {to}, {what}")?;
            write!(f, "{}", changes(models, view))?;
        }
        writeln!(f, "\neverywhere, transitions {from} to {to}, without the interface")?;
        write!(f, "{}", everywhere(models))?;
        curve(f, models, "exact on change frames", |figures| figures.exact_change.map(|mean| mean.mean))?;
        curve(f, models, "edit F1", |figures| figures.f1.map(|mean| mean.mean))?;
        writeln!(f, "\nexact k steps ahead / one-step share to the k, without the interface")?;
        write!(f, "{}", ahead(models))?;
        if let Some(last) = models.last() {
            writeln!(f, "\nwhat the confidence of '{}' is worth, whole plays", last.name)?;
            write!(f, "{}", calibration(last))?;
            write!(f, "{}", sources(last))?;
        }
        if self.games {
            writeln!(f, "\neach recording, transitions {from} to {to}, without the interface | all cells")?;
            write!(f, "{}", each(recordings))?;
            writeln!(f, "\nexact on change frames by game, transitions {from} to {to}, without the interface")?;
            write!(f, "{}", games(&self.document.games, exact_pooled))?;
            let [length, least] = FIRM;
            writeln!(f, "\nfirst transition from which {least} of {length} changes are exact, each recording")?;
            write!(f, "{}", games(&self.document.games, firm))?;
        }
        if self.misses {
            writeln!(f, "\nchanges not foretold by all together, transitions {from} to {to}, without the interface")?;
            write!(f, "{}", misses(recordings))?;
            writeln!(f, "(`arc3 model dream FILE --from N --steps 1` shows one)")?;
        }
        Ok(())
    }
}

/// Baselines before the first source, which the table of games leaves out.
const SHOWN: usize = 5;

/// A share with two digits, or a dash.
fn two(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{share:.2}"))
}

/// A share as a percentage with one digit, or a dash.
fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.1}", 100.0 * share))
}

fn ranged(mean: Option<Mean>) -> [String; 2] {
    match mean {
        Some(Mean { mean, low, high }) => [format!("{mean:.3}"), format!("{low:.2}-{high:.2}")],
        None => ["-".to_owned(), String::new()],
    }
}

fn changes(models: &[ModelFigures], view: View) -> Table {
    let columns = [
        ("", Left),
        ("exact", Right),
        ("95 %", Left),
        ("all", Right),
        ("edit F1", Right),
        ("95 %", Left),
        ("all", Right),
        ("precision", Right),
        ("recall", Right),
    ];
    let mut table = Table::new(&columns);
    for model in models {
        let figures = model.window.get(view);
        let ([exact, exact_range], [f1, f1_range]) = (ranged(figures.exact_change), ranged(figures.f1));
        let (exact_all, f1_all) = (two(figures.exact_change_pooled), two(figures.f1_pooled));
        let (precision, recall) = (two(figures.precision), two(figures.recall));
        let name = model.name.clone();
        table.row([name, exact, exact_range, exact_all, f1, f1_range, f1_all, precision, recall]);
    }
    table
}

fn everywhere(models: &[ModelFigures]) -> Table {
    let columns = [
        ("", Left),
        ("no-op", Right),
        ("frame F1", Right),
        ("false %", Right),
        ("any", Right),
        ("unknown", Right),
        (">=.99 %", Right),
        ("right %", Right),
        ("cover %", Right),
        ("new F1", Right),
    ];
    let mut table = Table::new(&columns);
    for ModelFigures { name, window: Views { masked, .. }, .. } in models {
        table.row([
            name.clone(),
            two(masked.exact_no_op),
            two(masked.f1_frames),
            masked.false_edits.map_or_else(|| "-".to_owned(), |share| format!("{:.3}", 100.0 * share)),
            two(masked.any_change),
            two(masked.unknown),
            percent(masked.high),
            percent(masked.high_right),
            percent(Some(masked.coverage_99)),
            two(masked.novel_f1),
        ]);
    }
    table
}

fn curve(
    f: &mut fmt::Formatter<'_>,
    models: &[ModelFigures],
    what: &str,
    pick: impl Fn(&Figures) -> Option<f64>,
) -> fmt::Result {
    let untils: Vec<String> =
        models.first().into_iter().flat_map(|model| &model.curve).map(|at| at.until.to_string()).collect();
    let columns: Vec<(&str, Align)> =
        std::iter::once(("up to transition", Left)).chain(untils.iter().map(|until| (until.as_str(), Right))).collect();
    let mut table = Table::new(&columns);
    for model in models {
        let figures = model.curve.iter().map(|at| two(pick(&at.figures.masked)));
        table.row(std::iter::once(model.name.clone()).chain(figures));
    }
    write!(f, "\n{what}, without the interface, since the milestone before\n{table}")
}

fn ahead(models: &[ModelFigures]) -> Table {
    let steps = |runs: &Runs| runs.horizons.iter().map(|at| format!("k={}", at.steps)).collect::<Vec<_>>();
    let heads: Vec<String> = models.first().map(|model| steps(&model.ahead.masked)).unwrap_or_default();
    let mut columns = vec![("", Left)];
    columns.extend(heads.iter().map(|head| (head.as_str(), Right)));
    columns.push(("first error", Right));
    let mut table = Table::new(&columns);
    for model in models {
        let runs = &model.ahead.masked;
        let exact = runs.horizons.iter().map(|at| format!("{:.2}/{:.2}", at.exact, at.independent));
        let error = runs.first_error.map_or_else(|| "-".to_owned(), |steps| format!("{steps:.1}"));
        table.row(std::iter::once(model.name.clone()).chain(exact).chain([error]));
    }
    table
}

fn calibration(model: &ModelFigures) -> Table {
    let columns = [("said", Left), ("mean", Right), ("claims", Right), ("right", Right), ("right, all cells", Right)];
    let mut table = Table::new(&columns);
    let ends = model.calibration.masked.iter().skip(1).map(|bin| bin.from).chain([1.0]);
    for ((masked, raw), to) in model.calibration.masked.iter().zip(&model.calibration.raw).zip(ends) {
        let Bin { from, claims, said, right } = *masked;
        let said = said.map_or_else(|| "-".to_owned(), |said| format!("{said:.3}"));
        table.row([format!("{from:.2}-{to:.2}"), said, claims.to_string(), two(right), two(raw.right)]);
    }
    table
}

fn sources(model: &ModelFigures) -> String {
    let told = model.sources.iter().map(|spoke| {
        let exact = spoke.exact.map_or_else(String::new, |exact| format!(" ({exact:.2} exact)"));
        format!("{} {:.0} %{exact}", spoke.source, 100.0 * spoke.share)
    });
    format!("who spoke: {}\n", told.collect::<Vec<_>>().join(", "))
}

fn each(recordings: &[Recording]) -> Table {
    let columns = [
        ("game", Left),
        ("n", Right),
        ("bar at", Right),
        ("mask@20", Right),
        ("mask", Right),
        ("odd", Right),
        ("exact", Right),
        ("F1", Right),
        ("unkn.", Right),
        ("copy", Right),
        ("exact", Right),
        ("F1", Right),
    ];
    let mut table = Table::new(&columns);
    for recording in recordings {
        let (Some(best), Some(copy)) = (recording.models.last(), recording.models.first()) else { continue };
        let bar = recording.bars.first().map_or_else(|| "-".to_owned(), |bar| bar.found_at.to_string());
        let mean = |mean: Option<Mean>| two(mean.map(|mean| mean.mean));
        let (masked, raw) = (&best.window.masked, &best.window.raw);
        table.row([
            recording.game.clone(),
            recording.transitions.to_string(),
            bar,
            recording.masked_at_20.to_string(),
            recording.masked.to_string(),
            recording.contradictions.to_string(),
            mean(masked.exact_change),
            mean(masked.f1),
            two(masked.unknown),
            two(copy.window.masked.f1_frames),
            mean(raw.exact_change),
            mean(raw.f1),
        ]);
    }
    table
}

/// The changes of each recording that the last model missed.
fn misses(recordings: &[Recording]) -> String {
    let numbers = |missed: &Vec<usize>| missed.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    let line = |recording: &Recording| {
        let missed = recording.models.last().and_then(|model| model.missed.first()).filter(|missed| !missed.is_empty());
        format!("{}: {}\n", recording.file, missed.map_or_else(|| "none".to_owned(), numbers))
    };
    recordings.iter().map(line).collect()
}

/// What there is to say of each source, and of all together, on each game.
fn games(games: &[GameFigures], say: fn(&OnRecording) -> String) -> Table {
    let names = games.first().into_iter().flat_map(|game| &game.models).map(|model| model.name.as_str());
    let mut columns = vec![("game", Left), ("plays", Right), ("frames", Right)];
    columns.extend(names.skip(SHOWN).map(|name| (name, Right)));
    let mut table = Table::new(&columns);
    for GameFigures { game, recordings, models } in games {
        let frames = models.first().map_or(0, |model| model.window.masked.change_frames);
        let said = models.iter().skip(SHOWN).map(say);
        table.row([game.clone(), recordings.to_string(), frames.to_string()].into_iter().chain(said));
    }
    table
}

/// How often a model was exact where something changed.
fn exact_pooled(model: &OnRecording) -> String {
    model.window.masked.exact_change_pooled.map_or_else(|| "-".to_owned(), |share| format!("{share:.3}"))
}

/// From where on a model is right, recording by recording.
fn firm(model: &OnRecording) -> String {
    let said = model.firm_from.iter().map(|from| from.map_or_else(|| "-".to_owned(), |from| from.to_string()));
    said.collect::<Vec<_>>().join(" ")
}
