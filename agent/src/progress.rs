//! What a person sees while games are played: bars on a terminal, lines elsewhere.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::{self, IsTerminal, Write},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use env_client::GameId;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::{
    episode::{Ended, Stop},
    events::{Event, Listener, What},
    table::percent,
    tally::Tally,
};

/// How often a play that solves nothing says that it goes on, where there are no bars.
const SIGN_OF_LIFE: Duration = Duration::from_secs(10);

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Plays and levels.
    Normal,
    /// Every action and why it was taken.
    Every,
}

/// Shows progress on stderr.
#[derive(Debug)]
pub struct Progress {
    detail: Detail,
    /// Gone where stderr is no terminal.
    bars: Option<MultiProgress>,
    plays: Mutex<BTreeMap<(GameId, u64), Shown>>,
}

/// A play as it is shown.
#[derive(Debug)]
struct Shown {
    bar: Option<ProgressBar>,
    baselines: Vec<u32>,
    started: Instant,
    last_line: Instant,
}

impl Progress {
    /// Progress in the form that fits stderr.
    pub fn new(detail: Detail) -> Progress {
        let bars = io::stderr().is_terminal().then(MultiProgress::new);
        Progress { detail, bars, plays: Mutex::default() }
    }

    fn line(&self, text: &str) {
        match &self.bars {
            // Either way there is nobody left to tell when it fails.
            Some(bars) => drop(bars.println(text)),
            None => drop(writeln!(io::stderr(), "{text}")),
        }
    }

    fn bar(&self, event: &Event<'_>, budget: u32) -> Option<ProgressBar> {
        let bars = self.bars.as_ref()?;
        let style = ProgressStyle::with_template("{prefix:16} {bar:24.cyan/dim} {pos:>5}/{len} actions  {msg}").ok()?;
        let bar = bars.add(ProgressBar::new(budget.into()).with_style(style.progress_chars("━━─")));
        bar.set_prefix(name(event));
        Some(bar)
    }

    fn update(&self, event: &Event<'_>, shown: &mut Shown, level_up: bool) {
        if let Some(bar) = &shown.bar {
            bar.set_position(event.tally.actions.into());
            bar.set_message(shown.standing(event.tally));
        } else if level_up || shown.last_line.elapsed() >= SIGN_OF_LIFE {
            shown.last_line = Instant::now();
            let (actions, standing) = (event.tally.actions, shown.standing(event.tally));
            self.line(&format!("{}  {actions} actions, {standing}", name(event)));
        }
    }
}

impl Shown {
    /// `level 2/6, score 3.57, 812 decisions/s`
    fn standing(&self, tally: &Tally) -> String {
        let level = (tally.levels_completed + 1).min(tally.win_levels.max(1));
        let mut text = format!("level {level}/{}", tally.win_levels);
        if !self.baselines.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(text, ", score {}", percent(tally.score(&self.baselines)));
        }
        let rate = f64::from(tally.actions) / self.started.elapsed().as_secs_f64().max(1e-3);
        let _ = write!(text, ", {rate:.0} decisions/s");
        text
    }
}

impl Listener for Progress {
    fn on(&self, event: &Event<'_>) {
        let mut plays = self.plays.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (event.game.clone(), event.seed);
        match event.what {
            What::Opened { budget, baselines, .. } => {
                let (bar, now) = (self.bar(event, budget), Instant::now());
                plays.insert(key, Shown { bar, baselines: baselines.to_vec(), started: now, last_line: now });
            }
            What::Seen { command, why, level_up, .. } => {
                if self.detail == Detail::Every {
                    self.line(&format!("{}  {:>5}  {command}  {why}", name(event), event.tally.actions));
                }
                plays.get_mut(&key).into_iter().for_each(|shown| self.update(event, shown, level_up));
            }
            What::Unknown { command, cause } => {
                self.line(&format!("{}  outcome of {command} unknown: {cause}", name(event)));
            }
            What::Ended(ended) => {
                plays.remove(&key).and_then(|shown| shown.bar).iter().for_each(ProgressBar::finish_and_clear);
                self.line(&ending(event, ended));
            }
        }
    }
}

fn name(event: &Event<'_>) -> String {
    match event.seed {
        0 => event.game.stem().to_owned(),
        seed => format!("{} seed {seed}", event.game.stem()),
    }
}

/// `ab01  won: 6/6 levels, 312 actions`
fn ending(event: &Event<'_>, ended: &Ended) -> String {
    let Tally { levels_completed, win_levels, actions, .. } = event.tally;
    let mut text = format!("{}  {}: ", name(event), ended.stop);
    if *win_levels > 0 {
        let _ = write!(text, "{levels_completed}/{win_levels} levels, {actions} actions");
    } else {
        text.push_str("not begun");
    }
    let label = if matches!(ended.stop, Stop::Won | Stop::Budget) { "note" } else { "caused by" };
    for (label, line) in [(label, ended.detail.as_deref()), ("hint", ended.hint)] {
        if let Some(line) = line {
            let _ = write!(text, "\n  {label}: {line}");
        }
    }
    text
}
