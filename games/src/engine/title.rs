//! What a title is: its rules, its levels, and how it looks.

use std::{fmt, hash::Hash};

use env_client::{Action, ActionId, ActionSet, Key};

use super::{Bar, Cell, Dice, Dir, Scene, View};

/// Most layers one answer has: the official engine refuses to show more.
pub const MAX_LAYERS: usize = 1000;

/// The rules of one title. A value is the state of the level being played: equal values behave and look the same.
pub trait Title: Clone + Eq + Hash + Send + Sync + 'static {
    /// Name, controls, levels and step-limit bar.
    const ABOUT: About;

    /// The start of a level, `0..ABOUT.optimal.len()`. A generated level draws from the dice; a drawn one ignores them.
    fn level(index: usize, dice: &mut Dice) -> Self;

    /// Applies one input. What happens before everything has settled is shown by [`Film::shoot`].
    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict;

    /// Paints the state. The step-limit bar is the engine's.
    fn draw(&self, scene: &mut Scene);

    /// What part of the world is shown.
    fn view(&self) -> View;

    /// The inputs a solver has to try: any other one has the effect of one of these, or none.
    fn inputs(&self) -> Vec<Input>;

    /// A lower bound on the inputs still needed, for the prover's A*. It must never be too high.
    fn bound(&self) -> u32 {
        0
    }

    /// What is shown, once, before the start of a level appears.
    fn intro(&self) -> Vec<Self> {
        Vec::new()
    }
}

/// What is known of a title before it is played.
#[derive(Clone, Debug)]
pub struct About {
    /// The part of the game id before the `-`: one letter and three digits.
    pub stem: &'static str,
    /// Its name, for people.
    pub title: &'static str,
    /// The mechanisms it teaches.
    pub families: &'static [Family],
    /// The actions it listens to. With `ACTION7` in it, the engine offers undo.
    pub controls: ActionSet,
    /// The fewest actions that solve each level, as proven by [`crate::prover`]: one entry a level, 5 to 8 of them.
    pub optimal: &'static [u32],
    /// The step-limit bar, or `None` where the title counts down something of its own.
    pub bar: Option<Bar>,
}

impl About {
    /// Whether undo is offered.
    pub fn has_undo(&self) -> bool {
        self.controls.contains(ActionId::Action7)
    }

    /// How it is played, in the words of the official game list.
    pub fn tag(&self) -> &'static str {
        let plays_keys = self.controls.keys().any(|key| key != Key::Key7);
        match (plays_keys, self.controls.has_click()) {
            (true, true) => "keyboard_click",
            (false, true) => "click",
            _ => "keyboard",
        }
    }
}

/// The controls of a title that is played with the four arrow keys.
pub const ARROWS: ActionSet =
    ActionSet::of(&[ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action4]);

/// The controls of a title that is played with the four arrow keys and the space bar.
pub const ARROWS_AND_SPACE: ActionSet =
    ActionSet::of(&[ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action4, ActionId::Action5]);

/// The four arrows and clicks.
pub const ARROWS_AND_CLICKS: ActionSet =
    ActionSet::of(&[ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action4, ActionId::Action6]);

/// One thing a player can do, as the rules see it: after keys were mapped back and points became cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// A direction key.
    Move(Dir),
    /// The space bar.
    Act,
    /// A click on a cell of the world.
    Click(Cell),
}

impl Input {
    /// The four direction keys.
    pub const MOVES: [Input; 4] =
        [Input::Move(Dir::Up), Input::Move(Dir::Right), Input::Move(Dir::Down), Input::Move(Dir::Left)];

    /// What an action means under a view: nothing for undo and for clicks beside the world.
    pub(crate) fn of(action: Action, view: &View) -> Option<Input> {
        match action {
            Action::Key(Key::Key1) => Some(Input::Move(Dir::Up)),
            Action::Key(Key::Key2) => Some(Input::Move(Dir::Down)),
            Action::Key(Key::Key3) => Some(Input::Move(Dir::Left)),
            Action::Key(Key::Key4) => Some(Input::Move(Dir::Right)),
            Action::Key(Key::Key5) => Some(Input::Act),
            Action::Key(Key::Key7) => None,
            Action::Click(point) => view.cell_at(point).map(Input::Click),
        }
    }

    /// The action that brings it about; `None` for a click on a cell that is not on the screen.
    pub(crate) fn action(self, view: &View) -> Option<Action> {
        match self {
            Input::Move(Dir::Up) => Some(Action::Key(Key::Key1)),
            Input::Move(Dir::Down) => Some(Action::Key(Key::Key2)),
            Input::Move(Dir::Left) => Some(Action::Key(Key::Key3)),
            Input::Move(Dir::Right) => Some(Action::Key(Key::Key4)),
            Input::Act => Some(Action::Key(Key::Key5)),
            Input::Click(cell) => view.point_of(cell).map(Action::Click),
        }
    }
}

/// As a person would say it: `up`, `act`, `click 3 4`.
impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Move(dir) => f.write_str(&format!("{dir:?}").to_lowercase()),
            Input::Act => f.write_str("act"),
            Input::Click(cell) => write!(f, "click {} {}", cell.x, cell.y),
        }
    }
}

/// What an input led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The level goes on.
    Playing,
    /// The level is solved.
    Solved,
    /// The game is over.
    Lost,
}

/// The states an input passes through before it settles; each becomes a layer of the answer.
#[derive(Clone, Debug)]
pub struct Film<T> {
    shots: Option<Vec<T>>,
}

impl<T: Clone> Film<T> {
    /// A film that is shown.
    pub(crate) fn loaded() -> Film<T> {
        Film { shots: Some(Vec::new()) }
    }

    /// A film that keeps nothing, for those who only want to know the outcome.
    pub fn blank() -> Film<T> {
        Film { shots: None }
    }

    /// Records a state on the way. Past the engine's limit of layers nothing more is recorded.
    pub fn shoot(&mut self, state: &T) {
        if let Some(shots) = self.shots.as_mut().filter(|shots| shots.len() < MAX_LAYERS) {
            shots.push(state.clone());
        }
    }

    /// What was recorded.
    pub(crate) fn shots(&self) -> &[T] {
        self.shots.as_deref().unwrap_or_default()
    }
}

/// The mechanisms that games of this benchmark are made of; between them the titles have all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Something moves by keys and is stopped by walls.
    Walls,
    /// Things are pushed.
    Push,
    /// Things are pulled.
    Pull,
    /// Things slide until something stops them.
    Slide,
    /// Something kicked flies on by itself.
    Kick,
    /// A key must be fetched to open a door.
    KeyDoor,
    /// A click toggles what it hits.
    Toggle,
    /// A switch changes something far away, like a bridge.
    FarSwitch,
    /// A click changes a neighbourhood.
    LightsOut,
    /// Pieces belong into slots.
    Slots,
    /// A drawn picture shows what is wanted.
    Reference,
    /// A canvas is painted or recoloured.
    Paint,
    /// An area floods with a colour.
    Fill,
    /// Things run through three or more colours in turn.
    ColorCycle,
    /// The effect depends on an even or odd number of actions.
    Parity,
    /// Pieces are shifted around closed tracks.
    Tracks,
    /// One key moves several avatars.
    Twins,
    /// What is done here happens mirrored there.
    Mirror,
    /// Things are picked up and carried; it matters which way one faces.
    Carry,
    /// Things fall.
    Gravity,
    /// The view scrolls over a larger world.
    Scroll,
    /// Doors lead elsewhere at once.
    Teleport,
    /// Something walks its round, one step an action.
    Patrol,
    /// A store of steps that can be refilled.
    Fuel,
    /// Something is collected and counted.
    Counter,
    /// A trigger that cannot be seen, or whose effect comes later.
    HiddenSwitch,
    /// A ghost repeats what was done before.
    Ghost,
    /// One action selects, the next one acts on the selection.
    SelectThenAct,
    /// Things must be done in the order of a strip.
    Sequence,
    /// Signs say what the rules are.
    Glyphs,
    /// The last action can be taken back.
    Undo,
}

impl Family {
    /// Every family.
    pub const ALL: [Family; 31] = [
        Family::Walls,
        Family::Push,
        Family::Pull,
        Family::Slide,
        Family::Kick,
        Family::KeyDoor,
        Family::Toggle,
        Family::FarSwitch,
        Family::LightsOut,
        Family::Slots,
        Family::Reference,
        Family::Paint,
        Family::Fill,
        Family::ColorCycle,
        Family::Parity,
        Family::Tracks,
        Family::Twins,
        Family::Mirror,
        Family::Carry,
        Family::Gravity,
        Family::Scroll,
        Family::Teleport,
        Family::Patrol,
        Family::Fuel,
        Family::Counter,
        Family::HiddenSwitch,
        Family::Ghost,
        Family::SelectThenAct,
        Family::Sequence,
        Family::Glyphs,
        Family::Undo,
    ];
}
