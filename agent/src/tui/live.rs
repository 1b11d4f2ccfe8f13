//! Plays that go on while they are looked at.
//!
//! [`Tap`] hears what happens and keeps it until the screen looks; it never waits for it. Of every step it keeps the 32
//! bytes that the line of the play needs, of pictures only the newest few. [`Reel`] is the end at the screen.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use env_client::{
    Command, GameId, Grid, Observation, Status,
    recording::{Entry, UnknownOutcome},
    wire::ActionInput,
};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{shown::Shown, view::Source};
use crate::{
    events::{Event, Listener, What},
    replay::{Index, Mark, Thought, layers, thought},
};

/// Layers kept for looking back: about 8 MB.
const KEPT: usize = 2000;

/// Layers that wait for a screen that does not come to look.
const WAITING: usize = 200;

/// Time between two pictures of a play that is faster than the eye.
const PICTURE: Duration = Duration::from_millis(10);

/// Hears plays on behalf of a screen.
#[derive(Clone, Debug, Default)]
pub struct Tap(Arc<Mutex<Inbox>>);

#[derive(Debug, Default)]
struct Inbox {
    is_closed: bool,
    plays: Vec<Fresh>,
}

/// What a play did since the screen last looked.
#[derive(Debug)]
struct Fresh {
    game: GameId,
    seed: u64,
    last: Option<Mark>,
    found: Index,
    frames: Frames,
    baselines: Vec<u32>,
    ended: Option<String>,
    /// When a picture was last kept.
    kept: Option<Instant>,
}

/// Entries by step, the oldest of which are given up.
#[derive(Debug, Default)]
struct Frames {
    entries: VecDeque<(usize, Arc<Entry>)>,
    layers: usize,
}

impl Frames {
    fn push(&mut self, step: usize, entry: Arc<Entry>, limit: usize) {
        self.layers += layers(&entry).len();
        self.entries.push_back((step, entry));
        while self.entries.len() > 1 && (self.layers > limit || self.entries.len() > limit) {
            let given_up = self.entries.pop_front().map_or(0, |(_, entry)| layers(&entry).len());
            self.layers -= given_up;
        }
    }

    /// The step, or the newest before it: not every one of a fast play is kept.
    fn get(&self, step: usize) -> Option<&(usize, Arc<Entry>)> {
        let after = self.entries.partition_point(|(at, _)| *at <= step);
        self.entries.get(after.checked_sub(1)?)
    }
}

impl Tap {
    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nobody looks any more.
    pub fn close(&self) {
        *self.inbox() = Inbox { is_closed: true, plays: Vec::new() };
    }

    /// Whether nobody looks any more.
    pub fn is_closed(&self) -> bool {
        self.inbox().is_closed
    }

    /// Names of the plays so far, in the order in which they began.
    pub fn plays(&self) -> Vec<String> {
        self.inbox().plays.iter().map(|play| play.game.stem().to_owned()).collect()
    }
}

impl Inbox {
    fn play(&mut self, event: &Event<'_>) -> &mut Fresh {
        let known = self.plays.iter().position(|play| play.game == *event.game && play.seed == event.seed);
        let at = known.unwrap_or_else(|| {
            self.plays.push(Fresh {
                game: event.game.clone(),
                seed: event.seed,
                last: None,
                found: Index::default(),
                frames: Frames::default(),
                baselines: Vec::new(),
                ended: None,
                kept: None,
            });
            self.plays.len() - 1
        });
        &mut self.plays[at]
    }
}

impl Fresh {
    /// Keeps what the line of the play needs of a step.
    fn mark(&mut self, step: usize, command: Command, seen: Option<&Observation>) {
        let stood = self.last.map_or((0, Status::NotPlayed), |last| (last.levels, last.status));
        let (levels, status) = seen.map_or(stood, |seen| (seen.levels_completed, seen.status));
        let mark = Mark {
            offset: 0,
            line: step as u32 + 1,
            length: 0,
            layers: seen.map_or(0, |seen| seen.layers.len() as u16),
            levels,
            command: Some(command),
            status,
            is_unknown: seen.is_none(),
            is_surprise: false,
        };
        self.last = Some(mark);
        self.found.marks.push(mark);
    }

    /// Whether the picture of a step is to be kept: every one of a play at the pace of a person or a network; of a
    /// faster one as many as can be seen, and those that say more than the others.
    fn wants(&mut self, tells: bool) -> bool {
        let due = self.kept.is_none_or(|kept| kept.elapsed() >= PICTURE);
        if due {
            self.kept = Some(Instant::now());
        }
        due || tells
    }

    fn keep(&mut self, step: usize, event: env_client::recording::Event) {
        let entry = Entry { line: step as u64 + 1, offset: 0, at: Some(Timestamp::now()), event };
        self.found.about.look(&entry);
        self.frames.push(step, Arc::new(entry), WAITING);
    }

    fn seen(&mut self, step: usize, command: Command, reasoning: &Value, observation: &Observation) {
        let before = self.last.map(|last| last.levels);
        self.mark(step, command, Some(observation));
        let tells = before != Some(observation.levels_completed) || observation.status != Status::NotFinished;
        if self.wants(tells) {
            let input = ActionInput::new(command, Some(reasoning.clone()));
            self.keep(step, env_client::recording::Event::Seen { input, observation: observation.clone() });
        }
    }

    fn unknown(&mut self, step: usize, command: Command, cause: &str) {
        self.mark(step, command, None);
        let (game_id, guid) = (self.game.to_string(), self.found.about.play.clone().unwrap_or_default());
        let lost = UnknownOutcome { game_id, guid, command: ActionInput::new(command, None), cause: cause.to_owned() };
        self.keep(step, env_client::recording::Event::Unknown(lost));
    }
}

impl Listener for Tap {
    fn on(&self, event: &Event<'_>) {
        let mut inbox = self.inbox();
        if inbox.is_closed {
            return;
        }
        let play = inbox.play(event);
        let step = event.tally.actions as usize;
        match event.what {
            What::Opened { baselines, observation, .. } => {
                play.baselines = baselines.to_vec();
                play.seen(step, Command::Reset, &json!({ "why": "opens the play" }), observation);
            }
            What::Seen { command, reasoning, observation, .. } => play.seen(step, command, reasoning, observation),
            What::Unknown { command, cause } => play.unknown(step, command, cause),
            What::Ended(ended) => play.ended = Some(ended.stop.to_string()),
        }
    }
}

/// Lets a listener hear only what happens after the screen is closed.
#[derive(Debug)]
pub struct Behind<L> {
    /// The screen's.
    pub tap: Tap,
    /// Whoever comes after it.
    pub listener: L,
}

impl<L: Listener> Listener for Behind<L> {
    fn on(&self, event: &Event<'_>) {
        if self.tap.is_closed() {
            self.listener.on(event);
        }
    }
}

/// A play as the screen sees it.
#[derive(Debug)]
pub struct Reel {
    tap: Tap,
    /// Which of the tap's plays.
    number: usize,
    index: Index,
    frames: Frames,
    baselines: Vec<u32>,
    /// How it ended, once it did.
    pub ended: Option<String>,
}

impl Reel {
    /// The play with this number, in the order in which they began.
    pub fn new(tap: Tap, number: usize) -> Reel {
        let (index, frames) = (Index::default(), Frames::default());
        Reel { tap, number, index, frames, baselines: Vec::new(), ended: None }
    }

    fn settled_before(&self, step: usize) -> Option<Grid> {
        let before = self.frames.entries.iter().rev().filter(|(at, _)| *at < step);
        before.map(|(_, entry)| layers(entry)).find_map(|layers| layers.last()).cloned()
    }
}

impl Source for Reel {
    fn pull(&mut self) -> bool {
        let (found, frames) = {
            let mut inbox = self.tap.inbox();
            let Some(play) = inbox.plays.get_mut(self.number) else { return false };
            if self.baselines.is_empty() {
                self.baselines.clone_from(&play.baselines);
            }
            self.ended.clone_from(&play.ended);
            let about = play.found.about.clone();
            (std::mem::replace(&mut play.found, Index { about, ..Index::default() }), std::mem::take(&mut play.frames))
        };
        let any = !found.marks.is_empty();
        self.index.take(found);
        if self.ended.is_some() && self.index.ending.is_none() {
            self.index.ending = Some(env_client::recording::Ending::Clean);
        }
        for (step, entry) in frames.entries {
            self.frames.push(step, entry, KEPT);
        }
        any
    }

    fn index(&self) -> &Index {
        &self.index
    }

    fn load(&mut self, step: usize) -> Result<Shown, String> {
        match self.frames.get(step) {
            Some((at, entry)) => Ok(Shown::new(*at, entry.clone(), self.settled_before(*at))),
            None => Err(format!("step {step} is no longer kept here, the recording has it")),
        }
    }

    fn thought(&mut self, step: usize) -> Option<Thought> {
        self.frames.get(step).filter(|(at, _)| *at == step).map(|(_, entry)| thought(entry))
    }

    fn baselines(&self) -> Vec<u32> {
        self.baselines.clone()
    }
}
