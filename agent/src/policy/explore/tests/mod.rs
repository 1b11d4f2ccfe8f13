//! Exploration against tiny worlds, one per trap.

mod traps;
mod worlds;

use env_client::{ActionSet, Command, Grid, Observation, Status, Turn};

use super::*;
use crate::policy::{Outcome, Policy, tests::observation};

/// What an action led to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Goes,
    Lost,
    Solved,
}

/// A world of one level that can be solved again and again.
trait World {
    /// What it listens to.
    fn actions(&self) -> ActionSet;
    /// Puts the level back to its start.
    fn restart(&mut self);
    fn act(&mut self, action: Action) -> Verdict;
    /// The layers of the last answer, the settled view last.
    fn draw(&self) -> Vec<Grid>;
}

/// A play of a world under the rules of the episode loop and of competition mode.
struct Play<W> {
    world: W,
    policy: Explore,
    now: Option<Observation>,
    levels: u16,
    acted: u32,
    log: Vec<(Command, String)>,
    losses: usize,
}

impl<W: World> Play<W> {
    fn new(world: W, seed: u64) -> Play<W> {
        let policy = Explore::new(seed);
        let mut play = Play { world, policy, now: None, levels: 0, acted: 0, log: Vec::new(), losses: 0 };
        play.send(Command::Reset, String::new());
        play
    }

    fn observation(&self, verdict: Verdict) -> Observation {
        let status = if verdict == Verdict::Lost { Status::GameOver } else { Status::NotFinished };
        let (layers, available) = (self.world.draw(), self.world.actions());
        Observation { layers, status, levels_completed: self.levels, available, ..observation("0") }
    }

    fn send(&mut self, command: Command, why: String) {
        let verdict = match command {
            Command::Reset => {
                assert!(self.acted > 0 || self.now.is_none(), "a RESET at the start of a level is wasted");
                Verdict::Goes
            }
            Command::Act(action) => self.world.act(action),
        };
        self.levels += u16::from(verdict == Verdict::Solved);
        if command == Command::Reset || verdict == Verdict::Solved {
            self.world.restart();
            self.acted = 0;
        } else {
            self.acted += 1;
        }
        self.losses += usize::from(verdict == Verdict::Lost);
        let after = self.observation(verdict);
        self.policy.observe(self.now.as_ref(), command, Outcome::Seen(&after));
        self.now = Some(after);
        self.log.push((command, why));
    }

    /// One command; its answer is lost when `answered` is false.
    fn step(&mut self, answered: bool) {
        let now = self.now.clone().unwrap();
        let Turn::Play(actions) = now.turn() else { return self.send(Command::Reset, String::new()) };
        let decision = self.policy.decide(&now, actions);
        if answered {
            return self.send(decision.command, decision.why);
        }
        if let Command::Act(action) = decision.command {
            self.world.act(action);
        }
        self.acted += 1;
        self.policy.observe(Some(&now), decision.command, Outcome::Unknown);
    }

    /// Plays until a level is solved; the commands it took, or `None` after `limit` of them.
    fn solve(&mut self, limit: usize) -> Option<usize> {
        let levels = self.levels;
        (1..=limit).find(|_| {
            self.step(true);
            self.levels > levels
        })
    }
}
