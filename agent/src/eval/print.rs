//! Results as tables for people, at most 80 columns wide.

use std::fmt::{self, Write as _};

use super::{
    Judged, PlayMeasured, Results,
    ablate::{Ablation, Against},
    compare::{Comparison, Difference},
};
use crate::table::{Align, Table, percent, wrap};

/// A document, readable.
#[derive(Clone, Copy, Debug)]
pub struct Readable<'a>(pub &'a Results);

impl fmt::Display for Readable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let results = self.0;
        let settings = &results.settings;
        let shard = results.shard.as_ref().map(|shard| format!(", part {shard}")).unwrap_or_default();
        writeln!(
            f,
            "{} on {}, competition rules{shard}, arc3 {}\n",
            settings.policy, settings.service, results.version
        )?;
        write!(f, "{}", plays(results))?;
        writeln!(f, "\nlevels, as actions/human actions and score %")?;
        results.plays.iter().try_for_each(|play| writeln!(f, "{}", levels(play)))?;
        write!(f, "\n{}", totals(results))?;
        cards(f, results)
    }
}

fn plays(results: &Results) -> Table {
    use Align::{Left, Right};
    let columns = [("game", Left), ("seed", Right), ("levels", Right), ("actions", Right), ("RHAE %", Right)];
    let rest = [("ended", Left), ("median ms", Right), ("p99 ms", Right)];
    let mut table = Table::new(&[&columns[..], &rest].concat());
    let measured = results.measured.plays.iter().map(Some).chain(std::iter::repeat(None));
    for (play, measured) in results.plays.iter().zip(measured) {
        table.row(play_row(play, measured));
    }
    table
}

fn play_row(play: &Judged, measured: Option<&PlayMeasured>) -> [String; 8] {
    let counts = &play.counts;
    let milliseconds =
        |pick: fn(&PlayMeasured) -> f64| measured.map(|it| format!("{:.3}", pick(it))).unwrap_or_default();
    [
        play.game.clone(),
        play.seed.to_string(),
        counts.standing(),
        counts.actions.to_string(),
        percent(play.score),
        play.stop.to_string(),
        milliseconds(|it| it.decisions.median_ms),
        milliseconds(|it| it.decisions.p99_ms),
    ]
}

/// The levels that were reached, one word each.
fn levels(play: &Judged) -> String {
    let solved = play.levels.iter().filter(|level| level.completed).count();
    let reached = play.levels.iter().enumerate().take(solved + 1).filter(|(_, level)| level.actions > 0);
    let word = |(index, level): (usize, &super::Level)| {
        let human = level.baseline.map(|human| format!("/{human}")).unwrap_or_default();
        let score = if level.completed { format!(" {}", percent(level.score)) } else { String::new() };
        format!("{}: {}{human}{score}", index + 1, level.actions)
    };
    let name = if play.seed == 0 { play.game.clone() } else { format!("{} seed {}", play.game, play.seed) };
    let words: Vec<String> = reached.map(word).collect();
    let indent = " ".repeat(16);
    format!("{name:<16}{}", wrap(&indent, &words).trim_start())
}

fn totals(results: &Results) -> Table {
    use Align::Right;
    let columns = ["budget", "plays", "won", "levels", "actions", "RHAE %"].map(|name| (name, Right));
    let mut table = Table::new(&columns);
    for total in &results.totals {
        table.row([
            total.budget.to_string(),
            total.plays.to_string(),
            total.won.to_string(),
            format!("{}/{}", total.levels_completed, total.levels),
            total.actions.to_string(),
            percent(total.rhae),
        ]);
    }
    table
}

/// What the service made of it. On a competition card, games that were not chosen count 0.
fn cards(f: &mut fmt::Formatter<'_>, results: &Results) -> fmt::Result {
    if !results.cards.is_empty() {
        writeln!(f)?;
    }
    for card in &results.cards {
        let (score, played, games) = (percent(card.score), card.played, card.games);
        writeln!(f, "scorecard of seed {}: {score} % over its {games} games, {played} of them played", card.seed)?;
    }
    let scored = results.plays.iter().filter(|play| play.service_score.is_some()).count();
    let differing = results.disagreements().count();
    match (scored, differing) {
        (0, _) => writeln!(f, "the service scored none of these plays"),
        (_, 0) => writeln!(f, "the service's score equals ours in all {scored} plays it scored"),
        (_, _) => writeln!(f, "WARNING: the service's score differs from ours in {differing} of {scored} plays"),
    }
}

/// The plays whose scores differ, one line each.
pub fn disagreements(results: &Results) -> Option<String> {
    let mut text = String::new();
    for play in results.disagreements() {
        let theirs = play.service_score.unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {} seed {}: ours {}, the service's {theirs}", play.game, play.seed, play.score);
        if play.counts.unknown > 0 {
            let _ = write!(text, " (the outcome of {} commands is unknown)", play.counts.unknown);
        }
    }
    (!text.is_empty()).then(|| format!("warning: scores differ from the service's by more than 1e-9:{text}"))
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Align::{Left, Right};
        writeln!(f, "A and B at {} actions, each game the mean of its shared seeds\n", self.budget)?;
        let columns = ["levels A", "B", "actions A", "B", "RHAE % A", "B", "B - A"].map(|name| (name, Right));
        let mut table = Table::new(&[&[("game", Left)][..], &columns].concat());
        for game in &self.games {
            let (a, b) = (&game.a, &game.b);
            table.row([
                game.game.clone(),
                format!("{:.2}", a.levels),
                format!("{:.2}", b.levels),
                format!("{:.0}", a.actions),
                format!("{:.0}", b.actions),
                percent(a.score),
                percent(b.score),
                signed(b.score - a.score),
            ]);
        }
        writeln!(f, "{table}")?;
        line(f, "RHAE %, mean over games", &self.rhae)?;
        line(f, "levels, mean over games", &self.levels)?;
        writeln!(f, "plays in both {}, only in A {}, only in B {}", self.plays, self.only_a, self.only_b)
    }
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, it: &Difference) -> fmt::Result {
    let Difference { a, b, low, high } = *it;
    let change = signed(b - a);
    writeln!(f, "{name}: A {}, B {}, B - A {change}, 95 % [{}, {}]", percent(a), percent(b), signed(low), signed(high))
}

impl fmt::Display for Ablation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Align::{Left, Right};
        let whole = self.arms.first().map_or("", |arm| &arm.policy);
        writeln!(f, "each arm at {} actions, and how it differs from {whole} on the same plays,", self.budget)?;
        writeln!(f, "with 95 % intervals over games\n")?;
        let columns = [("levels", Right), ("RHAE %", Right), ("by levels a play", Left), ("by RHAE %", Left)];
        let mut table = Table::new(&[&[("arm", Left)][..], &columns].concat());
        for arm in &self.arms {
            let differs =
                |pick: fn(&Against) -> Difference| arm.against.as_ref().map(pick).map_or_else(String::new, interval);
            let levels = format!("{}/{}", arm.total.levels_completed, arm.total.levels);
            let (by_levels, by_rhae) = (differs(|it| it.levels), differs(|it| it.rhae));
            table.row([arm.policy.clone(), levels, percent(arm.total.rhae), by_levels, by_rhae]);
        }
        write!(f, "{table}")
    }
}

/// `-0.77 [-1.20, -0.35]`
fn interval(it: Difference) -> String {
    format!("{} [{}, {}]", signed(it.b - it.a), signed(it.low), signed(it.high))
}

fn signed(value: f64) -> String {
    if value > 0.0 { format!("+{}", percent(value)) } else { percent(value) }
}
