//! The one question every source answers: what happens if I do this?

use std::{
    fmt,
    hash::{Hash, Hasher},
    sync::Arc,
};

use env_client::{Action, Color, Grid, Key, Point, SIDE};
use xxhash_rust::xxh3::xxh3_64;

/// One action and what came of it.
#[derive(Clone, Copy, Debug)]
pub struct Transition<'a> {
    /// The settled frame the action was taken on.
    pub before: &'a Grid,
    /// What was done.
    pub action: Action,
    /// The animation it caused, first to last; the last one is the settled frame. After a level-up that one shows the
    /// next level already.
    pub layers: &'a [Grid],
    /// How it ended.
    pub outcome: Outcome,
}

impl<'a> Transition<'a> {
    /// The settled frame after the action, where it belongs to the level it was taken in.
    pub fn after(&self) -> Option<&'a Grid> {
        self.layers.last().filter(|_| self.outcome == Outcome::Continues)
    }

    /// Whether anything can be seen to have changed.
    pub fn is_change(&self) -> bool {
        self.after().is_none_or(|after| after != self.before)
    }
}

/// What an action did to the level it was taken in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It goes on.
    #[default]
    Continues,
    /// It is solved, and with the last one the game.
    Solved,
    /// It is lost.
    Lost,
}

/// How a level comes to its first frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// It was just reached.
    Level,
    /// It was put back to its beginning, by a RESET or after it was lost.
    Again,
}

/// A state of the world as search keeps it: what is seen, and what a model knows beyond it.
#[derive(Clone, PartialEq, Eq)]
pub struct State {
    /// What is seen.
    pub frame: Grid,
    /// What is not seen but matters, such as a phase or a selection, in the model's own code; 0 where nothing is known.
    pub hidden: u64,
    /// What lies under something else, and what was done and is still to be answered, in the model's own code; 0 where
    /// everything is seen. States that look alike and differ in this are different places.
    pub unseen: u64,
    /// What was seen to move last; empty where nothing was, or nobody remembers. States that differ in this alone are
    /// one place at different times.
    pub motions: Arc<[Motion]>,
    /// What lies under pieces where a model knows that it is not what was seen there last, cell by cell. Mostly the rest of it
    /// is seen beside them: states that differ in this alone are taken for one place.
    pub under: Arc<[(Point, Color)]>,
}

impl State {
    /// A state that is what it looks like.
    pub fn seen(frame: Grid) -> State {
        State { frame, hidden: 0, unseen: 0, motions: Arc::default(), under: Arc::default() }
    }
}

/// A piece that moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Motion {
    /// What it looks like, in the model's own code.
    pub(crate) class: u16,
    /// Where it came, in columns and rows.
    pub(crate) at: (i16, i16),
    /// By how much.
    pub(crate) by: (i16, i16),
    /// For how many steps it has stayed there.
    pub(crate) waited: u8,
}

/// One pass of `xxh3` over the cells: search hashes every state it meets, and cell by cell that would cost more than
/// predicting it.
impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let mut bytes = [0; SIDE as usize * SIDE as usize];
        let cells = self.frame.cells();
        for (byte, color) in bytes.iter_mut().zip(cells) {
            *byte = u8::from(*color);
        }
        hasher.write_u64(xxh3_64(&bytes[..cells.len()]));
        hasher.write_u64(self.hidden);
        hasher.write_u64(self.unseen);
        self.motions.hash(hasher);
        self.under.hash(hasher);
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "State(hidden {:#x}, unseen {:#x})\n{}", self.hidden, self.unseen, self.frame)
    }
}

/// What a model expects.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The state after the action; `None` when nothing is known, which never means that nothing changes. Where the level
    /// ends it is the state before.
    pub next: Option<State>,
    /// Whether the level goes on.
    pub outcome: Outcome,
    /// How often predictions like this one were right in every cell so far, from 0 to 1.
    pub confidence: f32,
    /// Who says so.
    pub source: Source,
}

impl Prediction {
    /// Nothing is known.
    pub const UNKNOWN: Prediction =
        Prediction { next: None, outcome: Outcome::Continues, confidence: 0.0, source: Source::Nobody };
}

/// Where a prediction comes from, most trusted first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// The same was done in the same state before.
    Memory,
    /// The game itself, where it can be tried out: the ceiling for all others.
    Simulator,
    /// Mechanisms that explain what was seen so far.
    Rules,
    /// A net.
    Net,
    /// No source has an answer.
    Nobody,
}

/// A piece that answers to actions, and where one would take it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Advance {
    /// The cells it covers.
    pub from: Vec<Point>,
    /// The cells it would newly cover if nothing stopped it, on the way included: of what slides, up to those that will
    /// stop it. Empty where it means to stay, or nobody knows.
    pub onto: Vec<Point>,
    /// By how many columns and rows it means to move.
    pub by: (i16, i16),
    /// Whether it is not seen, since something lies over it.
    pub hidden: bool,
    /// Which piece it is but for those that look alike, the same whatever it looks like while others answer; the number
    /// means something only within one play.
    pub class: u16,
}

/// What an action leads to, and what pieces go for on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Foresight {
    /// [`WorldModel::predict`].
    pub prediction: Prediction,
    /// [`WorldModel::advances`].
    pub advances: Vec<Advance>,
    /// [`WorldModel::driven`].
    pub driven: Vec<Advance>,
}

/// Something that predicts, and learns from what comes.
pub trait WorldModel {
    /// A level begins, or begins again, with this frame.
    fn begin(&mut self, frame: &Grid, start: Start);

    /// Learns from one action. Predictions are scored before they are learned from.
    fn observe(&mut self, transition: &Transition<'_>);

    /// The state that `frame`, the newest one, shows.
    fn state(&self, frame: &Grid) -> State {
        State::seen(frame.clone())
    }

    /// What `action` would lead to.
    fn predict(&self, state: &State, action: Action) -> Prediction;

    /// The pieces that answer to actions, and what `action` makes each of them go for, whether it gets there or not.
    fn advances(&self, _state: &State, _action: Action) -> Vec<Advance> {
        Vec::new()
    }

    /// The pieces that `action` makes others take along (push, pull, kick), and what each goes for by that. Nobody knows of
    /// one that it is driven before it was seen to be.
    fn driven(&self, _state: &State, _action: Action) -> Vec<Advance> {
        Vec::new()
    }

    /// How the pieces look that are painted over when they are selected, in one number that means something only within
    /// one play; 0 where there are none.
    fn looks(&self, _state: &State) -> u64 {
        0
    }

    /// The cells of pieces that are taken to be moved by others as those are that they look like but for their colours,
    /// though nobody saw them move yet.
    fn kin(&self, _state: &State) -> Vec<Vec<Point>> {
        Vec::new()
    }

    /// The cells of each piece that comes after one that obeys, or shies away from it.
    fn flock(&self, _state: &State) -> Vec<Vec<Point>> {
        Vec::new()
    }

    /// The frame of a state without the pieces that go their own way; `None` where there are none.
    fn still(&self, _state: &State) -> Option<Grid> {
        None
    }

    /// Whether an action is a key that is an arrow: one of the four that the official player binds to them, as long as
    /// nothing else was seen.
    fn is_arrow(&self, action: Action) -> bool {
        matches!(action, Action::Key(Key::Key1 | Key::Key2 | Key::Key3 | Key::Key4))
    }

    /// Whether a piece is lost by `action` to one that goes its own way.
    fn collides(&self, _state: &State, _action: Action) -> bool {
        false
    }

    /// Clicks that are known to select a piece that is asleep, or to press a button.
    fn choices(&self, _state: &State) -> Vec<Action> {
        Vec::new()
    }

    /// Those of them on buttons of which a press here may tell what they do.
    fn untried(&self, _state: &State) -> Vec<Action> {
        Vec::new()
    }

    /// All answers at once: what `action` leads to, and what the pieces go for. Search asks for all of every state, and
    /// finding the pieces is half the work.
    fn foresee(&self, state: &State, action: Action) -> Foresight {
        let (prediction, advances) = (self.predict(state, action), self.advances(state, action));
        Foresight { prediction, advances, driven: self.driven(state, action) }
    }

    /// How much the hypotheses that are still alive differ about what `action` leads to, from 0 (not at all) to 1: the
    /// largest one is the next experiment.
    fn disagreement(&self, state: &State, action: Action) -> f32;
}
