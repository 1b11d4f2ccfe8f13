//! What an agent can send: actions, sets of them, and the reset.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::Point;

/// The number of an action in the protocol: `ACTION1` to `ACTION7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u8")]
#[repr(u8)]
pub enum ActionId {
    /// `ACTION1`, the up key of the official player.
    Action1 = 1,
    /// `ACTION2`, down.
    Action2,
    /// `ACTION3`, left.
    Action3,
    /// `ACTION4`, right.
    Action4,
    /// `ACTION5`, space.
    Action5,
    /// `ACTION6`, the click.
    Action6,
    /// `ACTION7`, undo where a game has one.
    Action7,
}

/// A number or name that is no action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no action, expected 1 to 7 or ACTION1 to ACTION7")]
pub struct ActionIdError(pub String);

impl ActionId {
    /// Every action, in order.
    pub const ALL: [ActionId; 7] = {
        use ActionId::{Action1, Action2, Action3, Action4, Action5, Action6, Action7};
        [Action1, Action2, Action3, Action4, Action5, Action6, Action7]
    };

    /// `1..=7`.
    pub const fn number(self) -> u8 {
        self as u8
    }
}

impl TryFrom<u64> for ActionId {
    type Error = ActionIdError;

    fn try_from(number: u64) -> Result<Self, ActionIdError> {
        Self::ALL
            .into_iter()
            .find(|id| u64::from(id.number()) == number)
            .ok_or_else(|| ActionIdError(number.to_string()))
    }
}

impl From<ActionId> for u8 {
    fn from(id: ActionId) -> u8 {
        id.number()
    }
}

impl FromStr for ActionId {
    type Err = ActionIdError;

    fn from_str(text: &str) -> Result<Self, ActionIdError> {
        let digits = text.strip_prefix("ACTION").unwrap_or(text);
        let number = digits.parse::<u64>().map_err(|_| ActionIdError(text.to_owned()))?;
        ActionId::try_from(number).map_err(|_| ActionIdError(text.to_owned()))
    }
}

impl fmt::Display for ActionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ACTION{}", self.number())
    }
}

/// The six actions that carry no data.
///
/// Kept apart from [`ActionId`] so that a click cannot be built without its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Key {
    /// `ACTION1`
    Key1 = 1,
    /// `ACTION2`
    Key2 = 2,
    /// `ACTION3`
    Key3 = 3,
    /// `ACTION4`
    Key4 = 4,
    /// `ACTION5`
    Key5 = 5,
    /// `ACTION7`
    Key7 = 7,
}

impl Key {
    /// Every key, in order.
    pub const ALL: [Key; 6] = [Key::Key1, Key::Key2, Key::Key3, Key::Key4, Key::Key5, Key::Key7];

    /// The key with this id; the click is none.
    pub fn from_id(id: ActionId) -> Option<Key> {
        Self::ALL.into_iter().find(|key| *key as u8 == id.number())
    }

    /// The key whose arrow points the other way, as games name the first four: up, down, left, right.
    pub const fn opposite(self) -> Option<Key> {
        match self {
            Key::Key1 => Some(Key::Key2),
            Key::Key2 => Some(Key::Key1),
            Key::Key3 => Some(Key::Key4),
            Key::Key4 => Some(Key::Key3),
            Key::Key5 | Key::Key7 => None,
        }
    }
}

/// One action of a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// `ACTION1` to `ACTION5` or `ACTION7`.
    Key(Key),
    /// `ACTION6` at a point of the frame.
    Click(Point),
}

impl Action {
    /// Its number in the protocol.
    pub fn id(self) -> ActionId {
        match self {
            Action::Key(Key::Key1) => ActionId::Action1,
            Action::Key(Key::Key2) => ActionId::Action2,
            Action::Key(Key::Key3) => ActionId::Action3,
            Action::Key(Key::Key4) => ActionId::Action4,
            Action::Key(Key::Key5) => ActionId::Action5,
            Action::Key(Key::Key7) => ActionId::Action7,
            Action::Click(_) => ActionId::Action6,
        }
    }

    /// Where it clicks, if it does.
    pub fn point(self) -> Option<Point> {
        match self {
            Action::Click(point) => Some(point),
            Action::Key(_) => None,
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.point() {
            Some(point) => write!(f, "{} {point}", self.id()),
            None => write!(f, "{}", self.id()),
        }
    }
}

/// What a play can be told: start (over), or act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Command {
    /// `RESET`: billed like an action, restarts the level (or the whole game when nothing was done in it).
    Reset,
    /// `ACTION1` to `ACTION7`.
    Act(Action),
}

impl Command {
    /// `0` for the reset, else the action's number.
    pub fn number(self) -> u8 {
        match self {
            Command::Reset => 0,
            Command::Act(action) => action.id().number(),
        }
    }

    /// The last part of its route: `RESET` or `ACTION1` to `ACTION7`.
    pub fn name(self) -> String {
        match self {
            Command::Reset => "RESET".to_owned(),
            Command::Act(action) => action.id().to_string(),
        }
    }
}

impl From<Action> for Command {
    fn from(action: Action) -> Command {
        Command::Act(action)
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Reset => f.write_str("RESET"),
            Command::Act(action) => action.fmt(f),
        }
    }
}

/// A set of actions, one bit each.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ActionSet(u8);

impl ActionSet {
    /// No action.
    pub const EMPTY: ActionSet = ActionSet(0);

    /// All seven.
    pub const ALL: ActionSet = ActionSet(0b1111_1110);

    /// The set of these actions, known at compile time.
    pub const fn of(ids: &[ActionId]) -> ActionSet {
        let mut bits = 0;
        let mut index = 0;
        while index < ids.len() {
            bits |= 1 << ids[index].number();
            index += 1;
        }
        ActionSet(bits)
    }

    /// Adds an action.
    pub fn insert(&mut self, id: ActionId) {
        self.0 |= 1 << id.number();
    }

    /// Whether the action is in it.
    pub const fn contains(self, id: ActionId) -> bool {
        self.0 & (1 << id.number()) != 0
    }

    /// Whether it has no action.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many actions it has.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Its actions, in order.
    pub fn iter(self) -> impl Iterator<Item = ActionId> {
        ActionId::ALL.into_iter().filter(move |id| self.contains(*id))
    }

    /// Its actions that carry no data, in order.
    pub fn keys(self) -> impl Iterator<Item = Key> {
        self.iter().filter_map(Key::from_id)
    }

    /// Whether it has the click.
    pub const fn has_click(self) -> bool {
        self.contains(ActionId::Action6)
    }
}

impl FromIterator<ActionId> for ActionSet {
    fn from_iter<I: IntoIterator<Item = ActionId>>(ids: I) -> Self {
        let mut set = ActionSet::EMPTY;
        ids.into_iter().for_each(|id| set.insert(id));
        set
    }
}

impl fmt::Debug for ActionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(ActionId::number)).finish()
    }
}

impl Serialize for ActionSet {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_round_trips() {
        for id in ActionId::ALL {
            assert_eq!(id.to_string().parse(), Ok(id));
            assert_eq!(ActionId::try_from(u64::from(id.number())), Ok(id));
        }
        for text in ["ACTION0", "ACTION8", "RESET", "", "-1", "ACTION"] {
            assert!(text.parse::<ActionId>().is_err(), "{text}");
        }
    }

    #[test]
    fn only_the_click_carries_a_point() {
        for id in ActionId::ALL {
            match Key::from_id(id) {
                Some(key) => assert_eq!(Action::Key(key).id(), id),
                None => assert_eq!(id, ActionId::Action6),
            }
        }
    }

    #[test]
    fn a_set_keeps_what_was_put_in() {
        let set: ActionSet = [ActionId::Action6, ActionId::Action1].into_iter().collect();
        assert_eq!(set, ActionSet::of(&[ActionId::Action1, ActionId::Action6]));
        assert_eq!(set.len(), 2);
        assert!(set.has_click());
        assert_eq!(set.keys().collect::<Vec<_>>(), [Key::Key1]);
        assert_eq!(format!("{set:?}"), "{1, 6}");
        assert_eq!(ActionSet::ALL.len(), 7);
    }
}
