//! One play from its first RESET to its end.
//!
//! Each turn is: send, record, count, let the policy look, let it choose. What was seen is on disk before the policy
//! sees it. The loop itself sends two kinds of RESET: the one that opens the play, and the one after a `GAME_OVER`,
//! which is billed. Everything else is the policy's decision.
//!
//! # Layout
//! - [`run`] plays a [`Setup`] and leaves a [`Finished`]. Start here.
//! - `reasoning`: what a decision takes along, for the service, the recording and the viewer.
//! - [`Ended`] and [`Stop`]: why it was over. A play always comes to an end that says why, and what went wrong in one
//!   never touches another.

mod ended;
mod reasoning;

use std::{
    any::Any,
    convert::Infallible,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    time::{Duration, Instant},
};

use env_client::{
    Command, GameId, Observation, PlayId, Turn,
    http::{ClientError, Play, Refused, Reply, Traffic},
    recording::{Compression, RecordError, Recorder, RecordingName},
};
use serde_json::json;
use tokio::task::block_in_place;

use ended::DEFECT;
pub use ended::{Ended, Stop};
use reasoning::Next;

use crate::{
    events::{Bus, Event, What},
    interrupt::Interrupt,
    policy::{Outcome, Policy},
    settings::Recording,
    tally::{Pulse, Tally},
};

/// RESETs in a row that do not lead out of a lost game before the play is given up.
const FRUITLESS_RESETS: u32 = 3;

/// What a play may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Actions it may spend, RESETs included; `u32::MAX` is no bound.
    pub max_actions: u32,
    /// Whether competition rules hold: then the service may not restart the whole game, and a play that sees it happen
    /// ends.
    pub competition: bool,
}

/// Everything a play needs.
pub struct Setup {
    /// Which game.
    pub game: GameId,
    /// The connection.
    pub play: Play,
    /// Who decides.
    pub policy: Box<dyn Policy>,
    /// The policy's seed.
    pub seed: u64,
    /// What it may do.
    pub rules: Rules,
    /// Human actions by level, where known beforehand.
    pub baselines: Vec<u32>,
    /// How it is recorded.
    pub recording: Option<Recording>,
    /// Who follows.
    pub bus: Bus,
    /// Who may stop it.
    pub interrupt: Interrupt,
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut setup = f.debug_struct("Setup");
        setup.field("game", &self.game).field("policy", &self.policy.name()).field("seed", &self.seed);
        setup.field("rules", &self.rules).finish_non_exhaustive()
    }
}

/// What a play leaves.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Which game.
    pub game: GameId,
    /// The policy's seed.
    pub seed: u64,
    /// How it ended.
    pub ended: Ended,
    /// What it spent.
    pub tally: Tally,
    /// The guid, if it was ever opened.
    pub play: Option<PlayId>,
    /// How long decisions took.
    pub pulse: Pulse,
    /// From first to last command.
    pub took: Duration,
    /// What it cost in requests.
    pub traffic: Traffic,
    /// Its recording.
    pub recording: Option<PathBuf>,
}

/// Plays until something ends it.
pub async fn run(setup: Setup) -> Finished {
    let started = Instant::now();
    let mut episode = Episode {
        setup,
        recorder: None,
        now: None,
        over: false,
        fruitless: 0,
        tally: Tally::default(),
        pulse: Pulse::default(),
        thinking: Duration::ZERO,
    };
    let Err(ended) = episode.drive().await;
    episode.finish(ended, started.elapsed())
}

/// A play in progress.
struct Episode {
    setup: Setup,
    recorder: Option<Recorder>,
    /// The newest observation.
    now: Option<Observation>,
    /// Whether the service said that only RESET is left although `now` does not: the answer that showed it was lost.
    over: bool,
    /// RESETs in a row that did not lead out of a lost game.
    fruitless: u32,
    tally: Tally,
    pulse: Pulse,
    /// Time the policy spent since its last decision.
    thinking: Duration,
}

impl Episode {
    async fn drive(&mut self) -> Result<Infallible, Ended> {
        let mut next = Next::reset(self.setup.policy.name(), "opens the play");
        loop {
            self.step(&next).await?;
            self.check_limits()?;
            next = self.choose()?;
            // A decision takes its time, a person's most of all.
            self.check_interrupt()?;
        }
    }

    fn check_interrupt(&self) -> Result<(), Ended> {
        if self.setup.interrupt.raised() { Err(Ended::plain(Stop::Interrupted)) } else { Ok(()) }
    }

    fn check_limits(&self) -> Result<(), Ended> {
        let limits = [
            (self.turn() == Turn::Won, Stop::Won),
            (self.tally.actions >= self.setup.rules.max_actions, Stop::Budget),
            (self.fruitless >= FRUITLESS_RESETS, Stop::Stalled),
            (self.setup.interrupt.raised(), Stop::Interrupted),
        ];
        limits.iter().find(|(reached, _)| *reached).map_or(Ok(()), |(_, stop)| Err(Ended::plain(*stop)))
    }

    fn turn(&self) -> Turn {
        self.now.as_ref().map_or(Turn::MustReset, |now| turn(now, self.over))
    }

    fn choose(&mut self) -> Result<Next, Ended> {
        let policy = &mut self.setup.policy;
        let Some(now) = &self.now else { return Ok(Next::reset(policy.name(), "opens the play")) };
        let Turn::Play(actions) = turn(now, self.over) else {
            return Ok(Next::reset(policy.name(), "the game is over"));
        };
        let decision = timed(&mut self.thinking, || policy.decide(now, actions))?;
        let took = std::mem::take(&mut self.thinking);
        self.pulse.push(took);
        Ok(Next::decided(policy.name(), decision, now.settled(), took))
    }

    async fn step(&mut self, next: &Next) -> Result<(), Ended> {
        match self.setup.play.send(next.command, Some(&next.reasoning)).await {
            Ok(Reply::Seen(seen)) => self.seen(next, seen),
            Ok(Reply::Unknown(lost)) => self.unknown(next, &lost.to_string()),
            Err(error) if self.may_be_over(next.command, &error) => {
                self.over = true;
                self.unknown(next, &error.to_string())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Whether a refusal says that the game is lost without our knowing. It could also be won when one level was left;
    /// then a RESET would start it anew, so the play ends instead.
    fn may_be_over(&self, command: Command, error: &ClientError) -> bool {
        let left = self.tally.win_levels.saturating_sub(self.tally.levels_completed);
        command != Command::Reset && left > 1 && error.refusal().is_some_and(Refused::needs_reset)
    }

    fn seen(&mut self, next: &Next, seen: Observation) -> Result<(), Ended> {
        let command = next.command;
        let levels_before = self.tally.levels_completed;
        match &self.now {
            None => self.tally.open(&seen),
            Some(_) => self.tally.seen(command, &seen),
        }
        self.record(next, &seen)?;
        self.check_restart(command, &seen)?;
        self.announce(next, &seen, self.tally.levels_completed > levels_before);
        let lost = seen.turn() == Turn::MustReset;
        self.fruitless = if lost && command == Command::Reset { self.fruitless + 1 } else { 0 };
        self.over = false;
        let before = self.now.replace(seen);
        self.observe(before.as_ref(), command, Outcome::Seen)
    }

    fn unknown(&mut self, next: &Next, cause: &str) -> Result<(), Ended> {
        let command = next.command;
        if let (Some(recorder), Some(play)) = (&mut self.recorder, self.setup.play.id()) {
            recorder.record_unknown(&self.setup.game, play, command, Some(&next.reasoning), cause)?;
        }
        self.tally.lost(command);
        self.send_event(What::Unknown { command, cause });
        let now = self.now.clone();
        self.observe(now.as_ref(), command, |_| Outcome::Unknown)
    }

    fn observe<'a>(
        &'a mut self,
        before: Option<&Observation>,
        command: Command,
        outcome: impl FnOnce(&'a Observation) -> Outcome<'a>,
    ) -> Result<(), Ended> {
        let Some(now) = &self.now else { return Ok(()) };
        let policy = &mut self.setup.policy;
        timed(&mut self.thinking, || policy.observe(before, command, outcome(now)))
    }

    /// The recording begins with the first answer, whose guid is in its name; what people need for each level follows.
    fn record(&mut self, next: &Next, seen: &Observation) -> Result<(), Ended> {
        if self.recorder.is_none()
            && let Some(recording) = &self.setup.recording
        {
            self.recorder = Some(self.create_recorder(recording, &seen.play)?);
        }
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        recorder.record(next.command, Some(&next.reasoning), seen)?;
        if self.now.is_none() && !self.setup.baselines.is_empty() {
            recorder.note(&json!({ "level_baseline_actions": self.setup.baselines }))?;
        }
        Ok(())
    }

    fn create_recorder(&self, recording: &Recording, play: &PlayId) -> Result<Recorder, RecordError> {
        let name = RecordingName::Agents {
            game: self.setup.game.clone(),
            agent: self.setup.policy.name().to_owned(),
            max_actions: Some(self.setup.rules.max_actions).filter(|bound| *bound < u32::MAX),
            play: play.clone(),
        };
        let compression = if recording.compress { Compression::Zstd } else { Compression::Plain };
        Recorder::create(&recording.folder, &name, compression)
    }

    fn check_restart(&self, command: Command, seen: &Observation) -> Result<(), Ended> {
        let Some(now) = &self.now else { return Ok(()) };
        let restarted = seen.full_reset || seen.levels_completed < now.levels_completed || seen.play != now.play;
        if self.setup.rules.competition && command == Command::Reset && restarted {
            let detail = "the service restarted the game on a RESET, which competition rules forbid";
            return Err(Ended::because(Stop::Restarted, detail));
        }
        Ok(())
    }

    fn announce(&self, next: &Next, seen: &Observation, level_up: bool) {
        self.send_event(match &self.now {
            None => What::Opened {
                play: &seen.play,
                budget: self.setup.rules.max_actions,
                baselines: &self.setup.baselines,
                observation: seen,
            },
            Some(_) => What::Seen {
                command: next.command,
                why: &next.why,
                reasoning: &next.reasoning,
                observation: seen,
                level_up,
            },
        });
    }

    fn send_event(&self, what: What<'_>) {
        self.setup.bus.send(&Event { game: &self.setup.game, seed: self.setup.seed, tally: &self.tally, what });
    }

    fn finish(mut self, mut ended: Ended, took: Duration) -> Finished {
        let recording = self.recorder.take().map(|recorder| {
            let path = recorder.path().to_owned();
            if let Err(error) = recorder.finish()
                && ended.stop != Stop::Recording
            {
                ended = error.into();
            }
            path
        });
        if let (defects @ 1.., None) = (self.setup.policy.defects(), &ended.detail) {
            ended = ended.after(defects);
        }
        self.send_event(What::Ended(&ended));
        Finished {
            game: self.setup.game,
            seed: self.setup.seed,
            ended,
            tally: self.tally,
            play: self.setup.play.id().cloned(),
            pulse: self.pulse,
            took,
            traffic: self.setup.play.traffic(),
            recording,
        }
    }
}

/// What a play accepts; `over` when the service said that only RESET is left.
fn turn(now: &Observation, over: bool) -> Turn {
    if over { Turn::MustReset } else { now.turn() }
}

/// Lets the policy work without holding up other plays, adds the time it took, and turns a panic into an end.
fn timed<T>(spent: &mut Duration, work: impl FnOnce() -> T) -> Result<T, Ended> {
    let started = Instant::now();
    let done = block_in_place(|| catch_unwind(AssertUnwindSafe(work)));
    *spent += started.elapsed();
    done.map_err(|panic| {
        Ended::because(Stop::Policy, format!("the policy failed: {}", message(panic.as_ref()))).hint(DEFECT)
    })
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

#[cfg(test)]
mod tests;
