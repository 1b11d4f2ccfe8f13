//! A play under the rules of the episode loop and of competition mode.

use std::fmt;

use env_client::{Action, Color, Command, Grid, Key, Observation, SIDE, Turn};
use games::{Entry, Environment, Shown, Variant, engine::Title};
use world_model::WorldModel;

use super::super::super::Plan;
use crate::policy::{self, Nets, Outcome, Policy, echo::Unmarked};

/// A title that is being played by the planner.
pub(super) struct Play {
    game: Box<dyn Environment>,
    policy: Unmarked<Plan>,
    pub(super) now: Observation,
    /// Actions in each level so far, RESETs included.
    pub(super) spent: Vec<usize>,
    /// Actions after which nothing had changed but the bar.
    pub(super) idle: usize,
    /// RESETs, those that the loop sends after a lost game included.
    pub(super) resets: usize,
    /// What was sent, for the message of a test that fails.
    pub(super) log: Vec<(Command, String)>,
}

impl Play {
    pub(super) fn of<T: Title>() -> Play {
        let mut game = Entry::of::<T>().open(Variant::default()).unwrap().play();
        let mut policy = Unmarked::new(Plan::new(1, &Nets::default()));
        let now = observation(game.step(Command::Reset));
        policy.observe(None, Command::Reset, Outcome::Seen(&now));
        Play { game, policy, now, spent: vec![0], idle: 0, resets: 0, log: Vec::new() }
    }

    fn step(&mut self) {
        let (command, why) = match self.now.turn() {
            Turn::Play(actions) => {
                let decision = self.policy.decide(&self.now, actions);
                (decision.command, decision.why)
            }
            _ => (Command::Reset, "the game is over".to_owned()),
        };
        let fresh = self.game.actions_since_level_start() == 0;
        assert!(command != Command::Reset || !fresh, "a RESET with no action taken restarts the whole game");
        let after = observation(self.game.step(command));
        self.resets += usize::from(command == Command::Reset);
        self.idle += usize::from(is_same(&self.now, &after));
        *self.spent.last_mut().unwrap() += 1;
        if after.levels_completed > self.now.levels_completed {
            self.spent.push(0);
        }
        self.policy.observe(Some(&self.now), command, Outcome::Seen(&after));
        self.log.push((command, why));
        self.now = after;
    }

    /// Plays until the game is won; whether it was, within so many actions.
    pub(super) fn wins(&mut self, limit: usize) -> bool {
        self.until(limit, |play| play.now.turn() == Turn::Won)
    }

    /// Plays until so many levels are solved.
    pub(super) fn solves(&mut self, levels: u16, limit: usize) -> bool {
        self.until(limit, |play| play.now.levels_completed >= levels)
    }

    fn until(&mut self, limit: usize, done: impl Fn(&Play) -> bool) -> bool {
        (0..limit).any(|_| {
            self.step();
            done(self)
        })
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.policy.player
    }

    /// By how many cells of the frame each piece means to move.
    pub(super) fn arrow(&self, key: Key) -> Vec<(i16, i16)> {
        let state = self.plan().model.state(self.now.settled().unwrap());
        self.plan().model.advances(&state, Action::Key(key)).iter().map(|it| it.by).collect()
    }

    /// The colours of what is taken for pieces.
    pub(super) fn pieces(&self) -> Vec<usize> {
        let frame = self.now.settled().unwrap();
        let advances = self.plan().model.advances(&self.plan().model.state(frame), Action::Key(Key::Key4));
        let mut colors: Vec<usize> = advances.iter().flat_map(|it| &it.from).map(|at| frame[*at].index()).collect();
        colors.sort_unstable();
        colors.dedup();
        colors
    }
}

impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "spent {:?}, idle {}, resets {}", self.spent, self.idle, self.resets)?;
        self.log.iter().try_for_each(|(command, why)| writeln!(f, "{command}: {why}"))
    }
}

fn observation(shown: Shown) -> Observation {
    let settled = shown.layers.last().cloned().unwrap_or(Grid::filled(1, 1, Color::of(0)));
    let seen = policy::tests::with(settled, shown.status, shown.levels_completed, shown.available);
    Observation { layers: shown.layers, win_levels: shown.win_levels, full_reset: shown.full_reset, ..seen }
}

/// Whether two observations show the same above the bar.
fn is_same(before: &Observation, after: &Observation) -> bool {
    let (Some(old), Some(new)) = (before.settled(), after.settled()) else { return false };
    old.differences(new).is_some_and(|mut cells| cells.all(|at| at.y() + 1 == SIDE))
}
