//! The document an evaluation leaves.
//!
//! Everything outside `measured` follows from settings and code alone: the same seeds give the same bytes. Clocks,
//! random ids and error texts are inside it.

use std::{collections::BTreeMap, fs, io, path::Path};

use env_client::{
    CardId, GameId, PlayId,
    scorecard::{EnvironmentScore, RunScore, Scorecard},
};
use serde::{Deserialize, Serialize};

use super::{Budgets, Pair, Seeds};
use crate::{
    episode::Stop,
    exit::Failure,
    settings::Checkpoints,
    tally::{DecisionTimes, Tally},
};

/// Version of the document. A reader refuses any other.
const FORMAT: u32 = 1;

/// How far our score may be from the service's: rounding in the last digits of a sum.
pub const TOLERANCE: f64 = 1e-9;

/// What was evaluated. Results can be merged when these are equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Who was judged.
    pub policy: String,
    /// The nets that it could ask.
    #[serde(default, skip_serializing_if = "Checkpoints::is_empty")]
    pub nets: Checkpoints,
    /// Where: `embedded` or a URL.
    pub service: String,
    /// The chosen games by label, of all parts.
    pub games: Vec<String>,
    /// One play a game and seed.
    pub seeds: Seeds,
    /// Where plays are judged; the largest ends them.
    pub budgets: Budgets,
}

/// A play as the journal keeps it: counts, not scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The game by its label.
    pub game: String,
    /// Its id on the service.
    pub id: GameId,
    /// The seed.
    pub seed: u64,
    /// Why it ended.
    pub stop: Stop,
    /// What it spent.
    pub counts: Tally,
    /// Human actions by level, where they were known before the scorecard closed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub baselines: Vec<u32>,
    /// What only this run could tell.
    pub measured: PlayMeasured,
}

impl Record {
    /// Which play it is.
    pub fn pair(&self) -> Pair {
        Pair { seed: self.seed, game: self.game.clone() }
    }
}

/// A scorecard that was closed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClosedCard {
    /// The seed it was opened for.
    pub seed: u64,
    /// The summary.
    pub scorecard: Scorecard,
}

/// The whole document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// Version of the document.
    pub format: u32,
    /// Version of the code that played.
    pub version: String,
    /// What was evaluated.
    pub settings: Settings,
    /// Which part this is, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// By budget.
    pub totals: Vec<Total>,
    /// The scorecards as the service scored them.
    pub cards: Vec<Card>,
    /// Seed by seed, game by game.
    pub plays: Vec<Judged>,
    /// What only this run could tell.
    pub measured: Measured,
}

/// A play, judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The game by its label.
    pub game: String,
    /// Its id on the service.
    pub id: GameId,
    /// The seed.
    pub seed: u64,
    /// Why it ended.
    pub stop: Stop,
    /// What it spent.
    pub counts: Tally,
    /// By level, the unreached ones included where baselines are known.
    pub levels: Vec<Level>,
    /// RHAE in percent by our own count.
    pub score: f64,
    /// RHAE in percent as the service has it, unless its card was lost.
    pub service_score: Option<f64>,
    /// The play at each budget.
    pub checkpoints: Vec<Checkpoint>,
}

/// A level of a play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// Actions spent on it.
    pub actions: u32,
    /// Human actions, if known.
    pub baseline: Option<u32>,
    /// Whether it was solved.
    pub completed: bool,
    /// `0..=115`
    pub score: f64,
}

/// A play as it stood at a budget.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The budget in actions.
    pub budget: u32,
    /// Actions spent by then.
    pub actions: u32,
    /// Levels solved by then.
    pub levels_completed: u16,
    /// RHAE in percent by then.
    pub score: f64,
}

/// All plays at one budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Total {
    /// The budget in actions.
    pub budget: u32,
    /// Plays counted.
    pub plays: usize,
    /// Games won.
    pub won: usize,
    /// Levels solved.
    pub levels_completed: u32,
    /// Levels there are.
    pub levels: u32,
    /// Actions spent.
    pub actions: u64,
    /// Mean RHAE of the plays, in percent.
    pub rhae: f64,
}

/// A scorecard as the service scored it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// The seed it was opened for.
    pub seed: u64,
    /// RHAE in percent over its games.
    pub score: f64,
    /// Its games; in competition mode every game of the service, unplayed ones at 0.
    pub games: u32,
    /// How many of them were played.
    pub played: u32,
}

/// Clocks, random ids and error texts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// By play, in the order of `plays`.
    pub plays: Vec<PlayMeasured>,
}

/// Clocks, random ids and error texts of a play.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayMeasured {
    /// The scorecard it is on.
    pub card: Option<CardId>,
    /// Its guid.
    pub guid: Option<PlayId>,
    /// From first to last command.
    pub seconds: f64,
    /// Requests repeated after transient faults.
    pub retries: u64,
    /// How long decisions took.
    pub decisions: DecisionTimes,
    /// What exactly went wrong, if something did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// Puts the document together.
pub fn assemble(
    settings: Settings,
    shard: Option<String>,
    mut records: Vec<Record>,
    mut closed: Vec<ClosedCard>,
) -> Results {
    let order: BTreeMap<u64, usize> = settings.seeds.iter().zip(0..).collect();
    records.sort_by_key(|record| (order.get(&record.seed).copied(), record.game.clone()));
    closed.sort_by_key(|card| order.get(&card.seed).copied());
    let known = baselines(&records, &closed);
    let plays: Vec<Judged> =
        records.iter().map(|record| judge(record, known.get(&record.id), &closed, &settings.budgets)).collect();
    Results {
        format: FORMAT,
        version: crate::VERSION.to_owned(),
        totals: totals(&plays, &settings.budgets),
        cards: closed.iter().map(summary).collect(),
        measured: Measured { plays: records.into_iter().map(|record| record.measured).collect() },
        settings,
        shard,
        plays,
    }
}

/// Human actions by game, from whatever told them: they are the same on every card.
fn baselines(records: &[Record], closed: &[ClosedCard]) -> BTreeMap<GameId, Vec<u32>> {
    let told = records.iter().map(|record| (record.id.clone(), record.baselines.clone()));
    let on_cards = closed.iter().flat_map(|card| &card.scorecard.environments).filter_map(|game| {
        let levels = game.runs.iter().find_map(known_baselines)?;
        Some((game.id.parse().ok()?, levels))
    });
    told.filter(|(_, levels)| !levels.is_empty()).chain(on_cards).collect()
}

/// The baselines of a play; a service without them writes `-1`.
fn known_baselines(run: &RunScore) -> Option<Vec<u32>> {
    let levels = run.level_baseline_actions.as_ref().filter(|levels| !levels.is_empty())?;
    levels.iter().map(|level| u32::try_from(*level).ok()).collect()
}

fn judge(record: &Record, baselines: Option<&Vec<u32>>, closed: &[ClosedCard], budgets: &Budgets) -> Judged {
    let baselines = baselines.map(Vec::as_slice).unwrap_or_default();
    let checkpoint = |budget: u32| {
        let then = record.counts.at(budget);
        let (actions, levels_completed) = (then.actions, then.levels_completed);
        Checkpoint { budget, actions, levels_completed, score: then.score(baselines) }
    };
    Judged {
        game: record.game.clone(),
        id: record.id.clone(),
        seed: record.seed,
        stop: record.stop,
        levels: levels(&record.counts, baselines),
        score: record.counts.score(baselines),
        service_score: record.measured.guid.as_ref().and_then(|guid| service_score(closed, guid)),
        checkpoints: budgets.iter().map(checkpoint).collect(),
        counts: record.counts.clone(),
    }
}

fn levels(counts: &Tally, baselines: &[u32]) -> Vec<Level> {
    let judged = counts.levels(baselines);
    if !judged.is_empty() {
        let level = |it: &env_client::score::LevelResult| Level {
            actions: it.actions,
            baseline: Some(it.baseline),
            completed: it.completed,
            score: it.score(),
        };
        return judged.iter().map(level).collect();
    }
    let solved = counts.completed_at.len();
    let spent = counts.spent().into_iter().enumerate();
    spent.map(|(index, actions)| Level { actions, baseline: None, completed: index < solved, score: 0.0 }).collect()
}

fn service_score(closed: &[ClosedCard], guid: &PlayId) -> Option<f64> {
    let games = closed.iter().flat_map(|card| &card.scorecard.environments);
    games.flat_map(|game| &game.runs).find(|run| run.guid.as_deref() == Some(guid.as_str())).map(|run| run.score)
}

/// The sums at each budget.
pub(super) fn totals(plays: &[Judged], budgets: &Budgets) -> Vec<Total> {
    let total = |(index, budget): (usize, u32)| {
        let at: Vec<&Checkpoint> = plays.iter().filter_map(|play| play.checkpoints.get(index)).collect();
        let won = |play: &&Judged| play.stop == Stop::Won && play.counts.actions <= budget;
        Total {
            budget,
            plays: plays.len(),
            won: plays.iter().filter(won).count(),
            levels_completed: at.iter().map(|it| u32::from(it.levels_completed)).sum(),
            levels: plays.iter().map(|play| u32::from(play.counts.win_levels)).sum(),
            actions: at.iter().map(|it| u64::from(it.actions)).sum(),
            rhae: at.iter().map(|it| it.score).sum::<f64>() / (at.len().max(1) as f64),
        }
    };
    budgets.iter().enumerate().map(total).collect()
}

fn summary(card: &ClosedCard) -> Card {
    let games = &card.scorecard.environments;
    let played = |game: &&EnvironmentScore| game.actions > 0;
    Card {
        seed: card.seed,
        score: card.scorecard.score,
        games: games.len() as u32,
        played: games.iter().filter(played).count() as u32,
    }
}

impl Results {
    /// Plays whose score the service has otherwise.
    pub fn disagreements(&self) -> impl Iterator<Item = &Judged> {
        let differs = |play: &&Judged| play.service_score.is_some_and(|theirs| (theirs - play.score).abs() > TOLERANCE);
        self.plays.iter().filter(differs)
    }

    /// Whether every play came to its own end.
    pub fn is_regular(&self) -> bool {
        self.plays.iter().all(|play| play.stop.is_regular())
    }
}

/// Reads a document.
pub fn read(path: &Path) -> Result<Results, Failure> {
    let shown = path.display();
    let text =
        fs::read_to_string(path).map_err(|error| Failure::from(error).context(format!("cannot read {shown}")))?;
    let results: Results = serde_json::from_str(&text)
        .map_err(|error| Failure::from(error).context(format!("{shown} is no result of `arc3 eval`")))?;
    if results.format != FORMAT {
        let text = format!("{shown} has format {}, expected {FORMAT}", results.format);
        return Err(Failure::new(text).hint("it was written by another version of arc3; evaluate again"));
    }
    Ok(results)
}

/// Writes a document, as a whole or not at all.
pub fn write(document: &impl Serialize, path: &Path) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(document)? + "\n";
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let beside = path.with_extension("json.part");
    let written = folder.map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&beside, text));
    let placed: io::Result<()> = written.and_then(|()| fs::rename(&beside, path));
    placed.map_err(|error| Failure::from(error).context(format!("cannot write {}", path.display())))
}
