//! What pressing an action that moves no piece has led to, by what lies where it was pressed.
//!
//! Such an action is tried once at every kind of thing. Where it did something it is pressed again while it goes on doing
//! something, and at all other things of that kind, in later levels too.

use std::collections::{BTreeMap, BTreeSet};

use env_client::ActionId;

use super::{
    ledger::TIER,
    things::{Kind, Surroundings, Thing},
};

/// Where it is known to do something.
const EFFECTIVE: f32 = 0.6;
/// Where gauges just said that it counts: before going for what ever won or helped. A guess.
const COUNTS: f32 = -0.5;
/// Where a piece stands on a thing of a new kind: it costs one action, coming back costs more.
const HERE: f32 = 0.95;
/// Where a piece just went for a thing of a new kind and is next to it.
const AHEAD: f32 = 0.97;
/// Where a piece is in line with a thing of a new kind and nobody knows what the action is for: what is near comes first.
/// A guess.
const AFAR: f32 = 3.0;
/// At a thing where it did something, and at one where it did not, after something happened elsewhere.
const REOPENED: f32 = 2.6;
const IN_VAIN: f32 = 3.2;
/// What each earlier press there adds.
const TIRED: f32 = 0.7;
/// Presses in a row at one thing.
const REPEATS: u32 = 8;
/// Some things answer only when an action is held: what did nothing is pressed so often in a row, when all else was tried.
const HOLD: f32 = 3.4;
const HOLDS: u32 = 7;
/// Where an action is pressed that does what was foreseen of it, wherever it is, and so often in a row for that to be believed.
/// Guesses.
const UNDERSTOOD: f32 = 3.3;
const FORESEEN: u32 = 3;

/// What the official player binds to arrows, and presses of one in vain after which it is taken for no more than that.
pub(super) const ARROWS: [ActionId; 4] = [ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action4];
const BLOCKED: u32 = 8;

/// What a press did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing, or nothing new.
    Nothing,
    /// What was foreseen of it, such as to turn the piece.
    Foreseen,
    /// The pieces look different: what they do next may be different, too. Pressing again undoes it, if anything.
    Mode,
    /// Something changed elsewhere.
    Event,
    /// Gauges alone answered: it may be wanted that it is held.
    Signal,
    /// Gauges answered as they do where there is nothing: it is no good to hold it.
    Refusal,
}

impl Effect {
    /// Whether an action did something that is worth another press.
    const fn does_something(self) -> bool {
        matches!(self, Effect::Mode | Effect::Event | Effect::Signal)
    }
}

/// Where a piece is when an action is pressed at a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// On it, or under it.
    Here,
    /// Next to it, having meant to go there.
    Ahead,
    /// Next to it elsewhere.
    Beside,
    /// Further away in its row or column.
    Aligned,
}

/// Presses at one kind of thing.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    /// In this level.
    tries: u32,
    /// In this game; and those of them that changed something elsewhere.
    effects: u32,
    events: u32,
    /// Since it last did something.
    in_vain: u32,
    /// The most presses in a row it took until something happened; 0 where it never took more than one.
    held: u32,
    /// Whether gauges alone answered and holding it was not in vain yet.
    signals: bool,
}

/// Presses at one thing in this level.
#[derive(Clone, Copy, Debug, Default)]
struct Pressed {
    count: u32,
    /// Whether the last one changed something elsewhere, and whether gauges said of any that it counts.
    effect: bool,
    signalled: bool,
    /// The count of events at that time, and how many counts there were.
    events: u32,
    occasions: u32,
}

impl Pressed {
    /// How many more presses may do something: as nobody knows yet what the action is for at all, or as it had to be held at
    /// such a thing before.
    fn worth_holding(&self, record: Record, is_riddle: bool) -> u32 {
        let most = match record {
            Record { signals: true, .. } => HOLDS + 1,
            Record { held: 1.., .. } => 2 * record.held,
            Record { effects: 0, .. } if is_riddle => HOLDS,
            _ => 0,
        };
        most.saturating_sub(self.count)
    }
}

/// The presses of all actions that move nothing.
#[derive(Debug, Default)]
pub(super) struct Presses {
    /// In this game: how often each was pressed, and how often that did something.
    actions: BTreeMap<ActionId, (u32, u32)>,
    /// How often in a row each did what was foreseen.
    foreseen: BTreeMap<ActionId, u32>,
    kinds: BTreeMap<(ActionId, Kind, Place), Record>,
    things: BTreeMap<(ActionId, Thing, Place), Pressed>,
    /// The action taken last, and how often in a row.
    row: Option<(ActionId, u32)>,
    /// What the last press was at.
    last: BTreeSet<Thing>,
}

impl Presses {
    /// A new level: everything is to be tried again.
    pub(super) fn begin_level(&mut self) {
        self.things.clear();
        self.kinds.values_mut().for_each(|record| (record.tries, record.in_vain) = (0, 0));
    }

    /// An action was taken, whatever it moved.
    pub(super) fn took(&mut self, action: ActionId) {
        let before = self.row.filter(|(last, _)| *last == action).map_or(0, |(_, count)| count);
        self.row = Some((action, before + 1));
    }

    /// An action was pressed in these surroundings, after so many events. Whether it did something is told of what pieces
    /// stand on, or else of what lies beside them, and never of what is further away.
    pub(super) fn pressed(&mut self, action: ActionId, around: &Surroundings, effect: Effect, events: u32) {
        let count = self.actions.entry(action).or_default();
        *count = (count.0 + 1, count.1 + u32::from(effect.does_something()));
        let foreseen = self.foreseen.entry(action).or_default();
        *foreseen = match effect {
            Effect::Nothing => *foreseen,
            Effect::Foreseen => *foreseen + 1,
            _ => 0,
        };
        let places = [(Place::Here, &around.here), (Place::Ahead, &around.ahead), (Place::Beside, &around.beside)];
        let meant = places.iter().find(|(_, things)| !things.is_empty()).map_or(Place::Beside, |(place, _)| *place);
        self.last = places.iter().flat_map(|(_, things)| things.iter()).chain(&around.aligned).copied().collect();
        for (place, things) in places {
            let effect = if place == meant { effect } else { Effect::Nothing };
            for thing in things {
                self.tell(action, *thing, place, effect, events);
            }
        }
        around.aligned.iter().for_each(|thing| self.tell(action, *thing, Place::Aligned, Effect::Nothing, events));
    }

    /// An action was pressed where that should have been at a thing: if it was not there, as where the world had turned meanwhile,
    /// it had its turn all the same, and need not be held.
    pub(super) fn missed(&mut self, action: ActionId, thing: Thing, events: u32) {
        if self.last.contains(&thing) {
            return;
        }
        let pressed = self.things.entry((action, thing, Place::Here)).or_default();
        let (count, occasions) = (pressed.count.max(HOLDS) + 1, pressed.occasions + 1);
        *pressed = Pressed { count, effect: false, events, occasions, ..*pressed };
    }

    fn tell(&mut self, action: ActionId, thing: Thing, place: Place, effect: Effect, events: u32) {
        let record = self.kinds.entry((action, thing.kind, place)).or_default();
        let does = effect.does_something();
        record.tries += 1;
        record.effects += u32::from(does);
        record.events += u32::from(matches!(effect, Effect::Event | Effect::Signal));
        record.in_vain = if does { 0 } else { record.in_vain + 1 };
        let pressed = self.things.entry((action, thing, place)).or_default();
        if effect == Effect::Signal && !pressed.signalled {
            *pressed = Pressed { signalled: true, ..Pressed::default() };
        }
        record.signals |= effect == Effect::Signal;
        record.signals &= pressed.count < HOLDS || effect == Effect::Refusal || !pressed.signalled;
        let row = self.row.map_or(0, |(_, count)| count);
        if does && !pressed.effect && row > 1 && pressed.count + 1 >= row {
            record.held = record.held.max(row);
        }
        let count = if effect == Effect::Refusal { HOLDS.max(pressed.count) } else { pressed.count };
        let effect = matches!(effect, Effect::Event | Effect::Signal);
        let occasions = pressed.occasions + u32::from(pressed.count == 0 || pressed.events != events);
        *pressed = Pressed { count: count + 1, effect, events, occasions, ..*pressed };
    }

    /// How interesting it is to press an action here, in actions: lower is better. `None` when that was tried.
    pub(super) fn interest(&self, action: ActionId, around: &Surroundings, events: u32) -> Option<f32> {
        if self.is_blocked_arrow(action) {
            return None;
        }
        let here = around.here.iter().filter_map(|thing| self.tier(action, *thing, Place::Here, events));
        let ahead = around.ahead.iter().filter_map(|thing| self.tier(action, *thing, Place::Ahead, events));
        let beside = around.beside.iter().filter_map(|thing| self.tier(action, *thing, Place::Beside, events));
        let afar = |_: &&Thing| self.is_riddle(action);
        let aligned = around.aligned.iter().filter(afar);
        let aligned = aligned.filter_map(|thing| self.tier(action, *thing, Place::Aligned, events));
        let somewhere = || (!self.actions.contains_key(&action)).then(|| self.novelty(action));
        here.chain(ahead).chain(beside).chain(aligned).min_by(f32::total_cmp).or_else(somewhere).map(|tier| TIER * tier)
    }

    /// Whether an action is an arrow that never did anything however often it was pressed: where it moves no piece there
    /// is rather something in the way than something to press.
    fn is_blocked_arrow(&self, action: ActionId) -> bool {
        let (tries, effects) = self.actions.get(&action).copied().unwrap_or_default();
        ARROWS.contains(&action) && effects == 0 && tries >= BLOCKED
    }

    /// Whether an action was pressed in vain wherever it was, and is none of the arrows, or they are all known.
    pub(super) fn is_idle(&self, action: ActionId, are_known: bool) -> bool {
        let is_open = self.is_riddle(action) || are_known && !self.does_something(action);
        is_open && self.actions.contains_key(&action)
    }

    /// Whether nobody knows what an action is for: one that does something elsewhere need not be held, and what is bound to
    /// arrows steers.
    fn is_riddle(&self, action: ActionId) -> bool {
        !ARROWS.contains(&action) && !self.does_something(action)
    }

    /// Whether pressing an action ever did something.
    fn does_something(&self, action: ActionId) -> bool {
        self.actions.get(&action).is_some_and(|(_, effects)| *effects > 0)
    }

    /// Arrows that never did anything when they were pressed where they move no piece.
    pub(super) fn dead_arrows(&self) -> usize {
        self.actions.iter().filter(|(action, (_, effects))| ARROWS.contains(action) && *effects == 0).count()
    }

    /// Whether gauges say of an action that it counts somewhere.
    pub(super) fn signals(&self, action: ActionId) -> bool {
        self.kinds.iter().any(|((it, ..), record)| *it == action && record.signals)
    }

    /// Holding an action on a thing would lose the level: it was held long enough there.
    pub(super) fn let_go(&mut self, action: ActionId, thing: Thing) {
        let enough = (HOLDS + 1).max(2 * self.record(action, thing.kind, Place::Here).held);
        let pressed = self.things.entry((action, thing, Place::Here)).or_default();
        pressed.count = pressed.count.max(enough);
    }

    /// How often in a row an action is to be pressed on a thing.
    pub(super) fn hold(&self, action: ActionId, thing: Thing) -> u32 {
        let pressed = self.things.get(&(action, thing, Place::Here)).copied();
        let record = self.record(action, thing.kind, Place::Here);
        let pressed = if record.signals { Some(pressed.unwrap_or_default()) } else { pressed.filter(|it| !it.effect) };
        pressed.map_or(1, |it| it.worth_holding(record, self.is_riddle(action)).max(1))
    }

    /// Whether it is known what an action does, wherever it is pressed.
    fn is_understood(&self, action: ActionId) -> bool {
        self.foreseen.get(&action).is_some_and(|times| *times >= FORESEEN)
    }

    fn tier(&self, action: ActionId, thing: Thing, place: Place, events: u32) -> Option<f32> {
        let tier = self.interest_at(action, thing, place, events);
        let is_telling = || self.record(action, thing.kind, place).events > 0 || !self.is_understood(action);
        tier.map(|it| if is_telling() { it } else { it.max(UNDERSTOOD) })
    }

    fn interest_at(&self, action: ActionId, thing: Thing, place: Place, events: u32) -> Option<f32> {
        let (record, is_riddle) = (self.record(action, thing.kind, place), self.is_riddle(action));
        match (self.things.get(&(action, thing, place)), place) {
            (Some(it), Place::Here) if it.signalled && it.worth_holding(record, is_riddle) > 0 => Some(COUNTS),
            (Some(it), _) if it.effect && it.count < REPEATS => Some(EFFECTIVE),
            (Some(it), Place::Here) if it.worth_holding(record, is_riddle) > 0 => {
                Some(if record.held > 0 || record.signals { EFFECTIVE } else { HOLD })
            }
            (Some(it), _) if it.events == events => None,
            (Some(it), _) if record.effects > 0 => Some(REOPENED + TIRED * it.count as f32),
            (Some(it), _) => Some(IN_VAIN + TIRED * it.occasions as f32),
            (None, _) if record.effects > 0 && record.in_vain == 0 => Some(EFFECTIVE),
            (None, _) if record.effects > 0 => Some(REOPENED + TIRED * record.in_vain as f32),
            (None, _) if record.tries > 0 => None,
            (None, Place::Here) => Some(HERE),
            (None, Place::Ahead) => Some(AHEAD),
            (None, Place::Beside) => Some(self.novelty(action)),
            (None, Place::Aligned) => Some(self.novelty(action).max(AFAR)),
        }
    }

    /// What it is worth to try an action at a new kind of thing.
    fn novelty(&self, action: ActionId) -> f32 {
        match self.actions.get(&action).copied().unwrap_or_default() {
            (0, _) => 1.5,
            (_, 1..) => 2.0,
            (1..4, 0) => 2.5,
            (_, 0) => 3.5,
        }
    }

    /// What is known of a kind. One never met before, as when a level is drawn at another scale, is taken for its colour.
    fn record(&self, action: ActionId, kind: Kind, place: Place) -> Record {
        self.kinds.get(&(action, kind, place)).copied().unwrap_or_else(|| {
            let alike =
                self.kinds.iter().filter(|((it, like, at), _)| (*it, like.color, *at) == (action, kind.color, place));
            let add = |sum: Record, it: &Record| Record {
                tries: 0,
                effects: sum.effects + it.effects,
                events: sum.events + it.events,
                in_vain: 0,
                held: sum.held.max(it.held),
                signals: sum.signals || it.signals,
            };
            alike.map(|(_, record)| record).fold(Record::default(), add)
        })
    }
}

#[cfg(test)]
mod tests;
