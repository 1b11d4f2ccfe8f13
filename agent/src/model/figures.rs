//! What came of a trial as numbers: the JSON document of `arc3 model eval`, and what its tables print.
//!
//! Shares are from 0 to 1; what was never there to be counted is `null`.

use std::{collections::BTreeMap, ops::Range};

use serde::Serialize;
use world_model::{
    Outcome, Source,
    eval::{
        MILESTONES, Marks, Scored, Tally, View,
        bootstrap::{self, interval},
        calibration::{BINS, Claim, HIGH, bins, coverage},
        rollout::{self, Rollout},
    },
};

use super::trial::Trial;
use crate::VERSION;

/// Everything that `arc3 model eval` found out.
#[derive(Clone, Debug, Serialize)]
pub struct Document {
    /// Of arc3.
    pub version: &'static str,
    /// The transitions of each recording that `window` figures are about.
    pub window: [usize; 2],
    /// Transitions judged in all.
    pub transitions: usize,
    /// How each model did on all recordings.
    pub models: Vec<ModelFigures>,
    /// One entry a game, all its recordings together.
    pub games: Vec<GameFigures>,
    /// One entry a recording.
    pub recordings: Vec<Recording>,
}

/// How each model did on all recordings of one game, whatever its version.
#[derive(Clone, Debug, Serialize)]
pub struct GameFigures {
    /// The game's stem.
    pub game: String,
    /// Recordings of it.
    pub recordings: usize,
    /// How each model did in the window.
    pub models: Vec<OnRecording>,
}

/// How a model did on all recordings.
#[derive(Clone, Debug, Serialize)]
pub struct ModelFigures {
    /// What tables call it.
    pub name: String,
    /// In the window.
    pub window: Views,
    /// Between one milestone and the next.
    pub curve: Vec<Milestone>,
    /// Many steps ahead.
    pub ahead: Ahead,
    /// What its confidence is worth, in the whole of the plays.
    pub calibration: Calibration,
    /// Who of its sources spoke, in the window.
    pub sources: Vec<Spoke>,
}

/// The same figures on all cells, and without the interface.
#[derive(Clone, Debug, Serialize)]
pub struct Views {
    /// On all cells.
    pub raw: Figures,
    /// Without the interface as known at each moment.
    pub masked: Figures,
}

impl Views {
    /// The figures under a view.
    pub fn get(&self, view: View) -> &Figures {
        match view {
            View::Raw => &self.raw,
            View::Masked => &self.masked,
        }
    }
}

/// A mean over recordings with its 95 % bootstrap interval.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Mean {
    /// The mean, each recording counting alike.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Mean {
    fn of(values: impl IntoIterator<Item = Option<f64>>) -> Option<Mean> {
        let values: Vec<f64> = values.into_iter().flatten().collect();
        interval(&values).map(|bootstrap::Interval { mean, low, high }| Mean { mean, low, high })
    }
}

/// The metrics of one model on some transitions; [`Tally`] says what they mean.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// Transitions that did not end their level.
    pub frames: u64,
    /// Those of them that changed something.
    pub change_frames: u64,
    /// Exact on change frames, a mean over recordings.
    pub exact_change: Option<Mean>,
    /// Exact on change frames, over all frames.
    pub exact_change_pooled: Option<f64>,
    /// Exact where nothing changed.
    pub exact_no_op: Option<f64>,
    /// Edit F1 of each recording's cells, a mean over recordings.
    pub f1: Option<Mean>,
    /// Edit F1 over all cells.
    pub f1_pooled: Option<f64>,
    /// The mean of every frame's edit F1.
    pub f1_frames: Option<f64>,
    /// Right edits of all foretold ones.
    pub precision: Option<f64>,
    /// Right edits of all changed cells, which is the accuracy on changed cells.
    pub recall: Option<f64>,
    /// Cells foretold to change where nothing did.
    pub false_edits: Option<f64>,
    /// Whether anything changes, balanced.
    pub any_change: Option<f64>,
    /// No prediction.
    pub unknown: Option<f64>,
    /// Transitions whose action was never taken in that state before.
    pub novel: Option<f64>,
    /// Exact on change frames among those.
    pub novel_exact_change: Option<f64>,
    /// Edit F1 among those.
    pub novel_f1: Option<f64>,
    /// Transitions that ended their level.
    pub ends: usize,
    /// Share of them whose end was foretold.
    pub ends_foretold: Option<f64>,
    /// Share of predictions with a confidence of at least 0.99.
    pub high: Option<f64>,
    /// How often those were right in every cell.
    pub high_right: Option<f64>,
    /// The largest share of transitions that confidence can pick of which 99 % are right.
    pub coverage_99: f64,
}

/// Figures of the transitions from the milestone before up to this one.
#[derive(Clone, Debug, Serialize)]
pub struct Milestone {
    /// Transitions learned at its end.
    pub until: usize,
    /// How well it went.
    pub figures: Views,
}

/// Free runs of many steps.
#[derive(Clone, Debug, Serialize)]
pub struct Ahead {
    /// On all cells.
    pub raw: Runs,
    /// Without the interface.
    pub masked: Runs,
}

/// Free runs under one view.
#[derive(Clone, Debug, Serialize)]
pub struct Runs {
    /// Steps before the first error, at most 20, in runs that long.
    pub first_error: Option<f64>,
    /// At each number of steps.
    pub horizons: Vec<Horizon>,
}

/// Exactness so many steps ahead.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Horizon {
    /// Steps.
    pub steps: usize,
    /// Runs that long.
    pub runs: usize,
    /// Share that is exact.
    pub exact: f64,
    /// The one-step share to the power of the steps.
    pub independent: f64,
    /// Of the cells that differ from the start, those that are right.
    pub changed_cells: Option<f64>,
}

/// What confidence is worth.
#[derive(Clone, Debug, Serialize)]
pub struct Calibration {
    /// On all cells.
    pub raw: Vec<Bin>,
    /// Without the interface.
    pub masked: Vec<Bin>,
}

/// Predictions of like confidence.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Bin {
    /// Their lowest confidence.
    pub from: f32,
    /// How many there are.
    pub claims: u64,
    /// Their mean confidence.
    pub said: Option<f64>,
    /// How often they were right in every cell.
    pub right: Option<f64>,
}

/// What one of the sources said.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Spoke {
    /// Which one.
    pub source: &'static str,
    /// Share of transitions on which it spoke.
    pub share: f64,
    /// How often it was exact, without the interface.
    pub exact: Option<f64>,
}

/// One recording.
#[derive(Clone, Debug, Serialize)]
pub struct Recording {
    /// The file.
    pub file: String,
    /// Its game.
    pub game: String,
    /// Transitions in it.
    pub transitions: usize,
    /// Cells of the interface mask after 20 transitions.
    pub masked_at_20: usize,
    /// Cells of the interface mask at the end.
    pub masked: usize,
    /// The bars of the interface.
    pub bars: Vec<Bar>,
    /// How often an action did something else than before in the same state.
    pub contradictions: u64,
    /// States in which an action had several outcomes.
    pub suspects: usize,
    /// How each model did in the window.
    pub models: Vec<OnRecording>,
}

/// A bar of the interface.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Bar {
    /// Transitions seen until it was found.
    pub found_at: usize,
    /// Left, top, right, bottom, all inside.
    pub bounds: [u8; 4],
}

/// How a model did on one recording or game.
#[derive(Clone, Debug, Serialize)]
pub struct OnRecording {
    /// The model.
    pub name: String,
    /// How it did in the window.
    pub window: Views,
    /// For each recording, from which transition on it is firm ([`Marks::firm_from`]).
    pub firm_from: Vec<Option<usize>>,
    /// For each recording, the transitions of the window that changed something, without the interface, and were not
    /// foretold in every cell.
    pub missed: Vec<Vec<usize>>,
}

impl OnRecording {
    fn of(marks: &[&Marks], window: &Range<usize>) -> OnRecording {
        OnRecording {
            name: marks.first().map_or_else(String::new, |marks| marks.name.clone()),
            window: Views::of(marks, window),
            firm_from: marks.iter().map(|marks| marks.firm_from(View::Masked)).collect(),
            missed: marks.iter().map(|marks| missed(marks, window)).collect(),
        }
    }
}

impl Document {
    /// The figures of some trials, of which there is at least one.
    pub fn of(trials: &[Trial], window: &Range<usize>) -> Document {
        let count = trials.first().map_or(0, |trial| trial.report.models.len());
        let of_model = |number: usize| trials.iter().map(|trial| &trial.report.models[number]).collect::<Vec<_>>();
        Document {
            version: VERSION,
            window: [window.start, window.end],
            transitions: trials.iter().map(|trial| trial.report.masked.len()).sum(),
            models: (0..count).map(|number| ModelFigures::of(&of_model(number), window)).collect(),
            games: by_stem(trials).into_iter().map(|(stem, trials)| GameFigures::of(stem, &trials, window)).collect(),
            recordings: trials.iter().map(|trial| Recording::of(trial, window)).collect(),
        }
    }
}

/// Trials by the stems of their games.
fn by_stem(trials: &[Trial]) -> BTreeMap<&str, Vec<&Trial>> {
    let mut games: BTreeMap<&str, Vec<&Trial>> = BTreeMap::new();
    for trial in trials {
        let stem = trial.game.split('-').next().unwrap_or(&trial.game);
        games.entry(stem).or_default().push(trial);
    }
    games
}

impl GameFigures {
    fn of(stem: &str, trials: &[&Trial], window: &Range<usize>) -> GameFigures {
        let count = trials.first().map_or(0, |trial| trial.report.models.len());
        let of_model = |number: usize| {
            let marks: Vec<&Marks> = trials.iter().map(|trial| &trial.report.models[number]).collect();
            OnRecording::of(&marks, window)
        };
        GameFigures { game: stem.to_owned(), recordings: trials.len(), models: (0..count).map(of_model).collect() }
    }
}

impl ModelFigures {
    fn of(marks: &[&Marks], window: &Range<usize>) -> ModelFigures {
        let longest = marks.iter().map(|marks| marks.scored.len()).max().unwrap_or_default();
        let starts = std::iter::once(0).chain(MILESTONES);
        let segments = starts.zip(MILESTONES).filter(|(start, _)| *start < longest);
        ModelFigures {
            name: marks.first().map_or_else(String::new, |marks| marks.name.clone()),
            window: Views::of(marks, window),
            curve: segments
                .map(|(start, until)| Milestone { until, figures: Views::of(marks, &(start..until)) })
                .collect(),
            ahead: Ahead { raw: Runs::of(marks, View::Raw), masked: Runs::of(marks, View::Masked) },
            calibration: Calibration { raw: binned(marks, View::Raw), masked: binned(marks, View::Masked) },
            sources: spoke(marks, window),
        }
    }
}

impl Views {
    fn of(marks: &[&Marks], window: &Range<usize>) -> Views {
        Views { raw: Figures::of(marks, window, View::Raw), masked: Figures::of(marks, window, View::Masked) }
    }
}

/// The transitions of a window that changed something and were not foretold in every cell.
fn missed(marks: &Marks, window: &Range<usize>) -> Vec<usize> {
    let is_missed =
        |scored: &&Scored| scored.score(View::Masked).is_some_and(|score| score.is_change() && !score.exact);
    within(marks, window).iter().filter(is_missed).map(|scored| scored.at).collect()
}

/// The transitions of a play that lie in a window.
fn within<'a>(marks: &'a Marks, window: &Range<usize>) -> &'a [Scored] {
    let end = window.end.min(marks.scored.len());
    &marks.scored[window.start.min(end)..end]
}

impl Figures {
    fn of(marks: &[&Marks], window: &Range<usize>, view: View) -> Figures {
        let scored = || marks.iter().flat_map(|marks| within(marks, window));
        let tally = |of: &dyn Fn(&Scored) -> bool| {
            Tally::of(scored().filter(|scored| of(scored)).filter_map(|scored| scored.score(view)))
        };
        let games: Vec<Tally> = marks
            .iter()
            .map(|marks| Tally::of(within(marks, window).iter().filter_map(|scored| scored.score(view))))
            .collect();
        let (all, novel) = (tally(&|_| true), tally(&|scored| scored.novel));
        let ends: Vec<&Scored> = scored().filter(|scored| scored.outcome != Outcome::Continues).collect();
        let claims: Vec<Claim> = scored().map(|scored| scored.claim(view)).collect();
        let high: Vec<&Claim> = claims.iter().filter(|claim| claim.confidence >= HIGH).collect();
        Figures {
            frames: all.frames(),
            change_frames: all.change_frames(),
            exact_change: Mean::of(games.iter().map(Tally::exact_change)),
            exact_change_pooled: all.exact_change(),
            exact_no_op: all.exact_no_op(),
            f1: Mean::of(games.iter().map(Tally::f1)),
            f1_pooled: all.f1(),
            f1_frames: all.frame_f1(),
            precision: all.precision(),
            recall: all.recall(),
            false_edits: all.false_edits(),
            any_change: all.any_change(),
            unknown: all.unknown(),
            novel: share(scored().filter(|scored| scored.novel).count(), claims.len()),
            novel_exact_change: novel.exact_change(),
            novel_f1: novel.f1(),
            ends: ends.len(),
            ends_foretold: share(ends.iter().filter(|scored| scored.foretold).count(), ends.len()),
            high: share(high.len(), claims.len()),
            high_right: share(high.iter().filter(|claim| claim.right).count(), high.len()),
            coverage_99: coverage(claims, 0.99),
        }
    }
}

fn share(part: usize, all: usize) -> Option<f64> {
    (all > 0).then(|| part as f64 / all as f64)
}

impl Runs {
    fn of(marks: &[&Marks], view: View) -> Runs {
        let runs: Vec<&Rollout> = marks.iter().flat_map(|marks| &marks.rollouts).collect();
        let horizon = |found: rollout::Horizon| Horizon {
            steps: found.steps,
            runs: found.runs,
            exact: found.exact,
            independent: found.independent,
            changed_cells: found.changed_cells,
        };
        Runs {
            first_error: rollout::first_error(&runs, view),
            horizons: rollout::horizons(&runs, view).into_iter().map(horizon).collect(),
        }
    }
}

fn binned(marks: &[&Marks], view: View) -> Vec<Bin> {
    let claims = marks.iter().flat_map(|marks| &marks.scored).map(|scored| scored.claim(view));
    let bins = bins(claims).into_iter().zip(BINS);
    bins.map(|(bin, from)| Bin { from, claims: bin.claims, said: bin.said(), right: bin.rate() }).collect()
}

fn spoke(marks: &[&Marks], window: &Range<usize>) -> Vec<Spoke> {
    let scored: Vec<&Scored> = marks.iter().flat_map(|marks| within(marks, window)).collect();
    let of = |(source, name): (Source, &'static str)| {
        let said: Vec<&&Scored> = scored.iter().filter(|scored| scored.source == source).collect();
        let marks = said.iter().filter_map(|scored| scored.score(View::Masked));
        Some(Spoke { source: name, share: share(said.len(), scored.len())?, exact: Tally::of(marks).exact() })
    };
    let sources =
        [(Source::Memory, "memory"), (Source::Rules, "rules"), (Source::Net, "net"), (Source::Nobody, "nobody")];
    sources.into_iter().filter_map(of).filter(|spoke| spoke.share > 0.0).collect()
}

impl Recording {
    fn of(trial: &Trial, window: &Range<usize>) -> Recording {
        let report = &trial.report;
        let bar = |bar: &world_model::eval::FoundBar| {
            let bounds = bar.bounds;
            Bar { found_at: bar.at, bounds: [bounds.left, bounds.top, bounds.right, bounds.bottom] }
        };
        Recording {
            file: trial.path.display().to_string(),
            game: trial.game.clone(),
            transitions: report.masked.len(),
            masked_at_20: report.masked.get(20).or(report.masked.last()).copied().unwrap_or_default(),
            masked: report.masked.last().copied().unwrap_or_default(),
            bars: report.bars.iter().map(bar).collect(),
            contradictions: report.contradictions,
            suspects: report.suspects,
            models: report.models.iter().map(|marks| OnRecording::of(&[marks], window)).collect(),
        }
    }
}
