//! What actions have led to, class by class: the part of memory that outlives a level.

use std::{collections::HashMap, hash::Hash};

use env_client::{Color, Key, Point};

/// Names a book holds. Past it all new names share one record, so that memory stays bounded.
const CAPACITY: usize = 1 << 16;
/// Tries without effect after which a class of clicks counts as dead, one of its spots, and a key. A key depends on
/// the state of the world more than a click does.
const DEAD_CLICK: f32 = 3.0;
const DEAD_SPOT: f32 = 2.0;
const DEAD_KEY: f32 = 12.0;
/// The same for a colour, before a class of it that was never tried counts as dead. A guess.
const DEAD_COLOR: f32 = 5.0;
/// The same for clicks of a kind while a thing of some kind is marked: few places will do. A guess, as is the next.
const DEAD_PAIR: f32 = 8.0;
/// Below this expected rate of effects a class that once had one counts as dead again.
const POOR: f32 = 0.2;
const POOR_PAIR: f32 = 0.04;
/// What a class may weigh at the start of a level, in tries: enough to prefer what worked, little enough that what
/// did nothing is tested once more.
const CARRIED_TRIES: f32 = 2.0;

/// What actions have in common that can be expected to do the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Class {
    /// A key.
    Key(Key),
    /// A click on a component of this form and colours.
    Click {
        /// [`world_model::Component::shape`]
        shape: u64,
        /// The clicked colour.
        color: Color,
        /// The colour around it.
        surround: Color,
    },
    /// The same while a thing of some kind is marked.
    With {
        /// What is marked.
        marked: RecordId,
        /// As above.
        shape: u64,
        /// As above.
        color: Color,
        /// As above.
        surround: Color,
    },
    /// A click on a point of the lattice, on this colour.
    Lattice(Color),
    /// Any click on this colour.
    Any(Color),
}

/// Where a book keeps a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct RecordId(u32);

/// How often something was tried and had an effect; fractions come from earlier levels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Record {
    tries: f32,
    hits: f32,
}

impl Record {
    /// The expected rate of effects, (hits + 1) / (tries + 1.5): a prior measured on click games, which favours what
    /// was never tried over what failed once.
    fn rate(self) -> f32 {
        (self.hits + 1.0) / (self.tries + 1.5)
    }

    fn dead(self, patience: f32) -> bool {
        self.is_poor(patience, POOR)
    }

    fn is_poor(self, patience: f32, poor: f32) -> bool {
        if self.hits > 0.0 { self.rate() < poor } else { self.tries >= patience }
    }
}

/// What is known about one way to act.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Promise {
    /// The expected rate of effects.
    pub(super) rate: f32,
    /// Whether it had an effect before, here or elsewhere.
    pub(super) live: bool,
    /// Whether it was tried enough to expect nothing.
    pub(super) dead: bool,
}

/// The records of all classes, and of the spots where their members were clicked in this level.
#[derive(Debug, Default)]
pub(super) struct Experience {
    classes: Book<Class>,
    spots: Book<(u32, Point)>,
}

impl Experience {
    pub(super) fn class(&mut self, class: Class) -> RecordId {
        self.classes.id(class)
    }

    pub(super) fn spot(&mut self, class: RecordId, at: Point) -> RecordId {
        self.spots.id((class.0, at))
    }

    /// What a key of this class promises.
    pub(super) fn of_key(&self, class: RecordId) -> Promise {
        let record = self.classes.get(class);
        Promise { rate: record.rate(), live: record.hits > 0.0, dead: record.dead(DEAD_KEY) }
    }

    /// What a click promises: its class speaks until the spot has failed by itself, and its colour where the class was never
    /// tried.
    pub(super) fn of_click(&self, class: RecordId, (spot, family): (RecordId, RecordId)) -> Promise {
        let (record, spot, family) = (self.classes.get(class), self.spots.get(spot), self.classes.get(family));
        if record.tries == 0.0 {
            return Promise { rate: family.rate(), live: false, dead: family.dead(DEAD_COLOR) };
        }
        let dead = if spot.hits > 0.0 { spot.dead(DEAD_SPOT) } else { record.dead(DEAD_CLICK) || spot.dead(DEAD_SPOT) };
        Promise { rate: record.rate() * spot.rate().min(1.0), live: record.hits > 0.0, dead }
    }

    /// Whether a click on this spot had an effect in this level.
    pub(super) fn has_answered(&self, spot: RecordId) -> bool {
        self.spots.get(spot).hits > 0.0
    }

    /// What a click of this class promises while something is marked.
    pub(super) fn of_pair(&self, class: RecordId) -> Promise {
        let record = self.classes.get(class);
        Promise { rate: record.rate(), live: record.hits > 0.0, dead: record.is_poor(DEAD_PAIR, POOR_PAIR) }
    }

    /// Counts one try; whether a class had its first effect.
    pub(super) fn count(&mut self, (class, click): (RecordId, Option<(RecordId, RecordId)>), effect: bool) -> bool {
        if let Some((spot, family)) = click {
            self.spots.count(spot, effect);
            self.classes.count(family, effect);
        }
        let first = effect && self.classes.get(class).hits == 0.0;
        self.classes.count(class, effect);
        first
    }

    /// Takes back an effect that turned out to be interface.
    pub(super) fn retract(&mut self, (class, click): (RecordId, Option<(RecordId, RecordId)>)) {
        if let Some((spot, family)) = click {
            self.spots.retract(spot);
            self.classes.retract(family);
        }
        self.classes.retract(class);
    }

    /// A level ends: spots mean nothing any more, classes keep their rates with little weight.
    pub(super) fn begin_level(&mut self) {
        self.spots = Book::default();
        for record in &mut self.classes.records {
            let weight = (CARRIED_TRIES / record.tries.max(CARRIED_TRIES)).min(1.0);
            (record.tries, record.hits) = (record.tries * weight, record.hits * weight);
        }
    }
}

/// Records by name. Names are looked up and never walked over, so that their hash order cannot matter.
#[derive(Debug)]
struct Book<Name> {
    ids: HashMap<Name, RecordId>,
    records: Vec<Record>,
}

impl<Name> Default for Book<Name> {
    fn default() -> Self {
        Book { ids: HashMap::new(), records: vec![Record::default()] }
    }
}

impl<Name: Hash + Eq> Book<Name> {
    /// The record of this name, a new one if there is room, else the first, which all late names share.
    fn id(&mut self, name: Name) -> RecordId {
        if let Some(id) = self.ids.get(&name) {
            return *id;
        }
        if self.records.len() == CAPACITY {
            return RecordId(0);
        }
        let id = RecordId(self.records.len() as u32);
        self.records.push(Record::default());
        self.ids.insert(name, id);
        id
    }

    fn get(&self, id: RecordId) -> Record {
        self.records.get(id.0 as usize).copied().unwrap_or_default()
    }

    fn count(&mut self, id: RecordId, effect: bool) {
        if let Some(record) = self.records.get_mut(id.0 as usize) {
            record.tries += 1.0;
            record.hits += f32::from(u8::from(effect));
        }
    }

    fn retract(&mut self, id: RecordId) {
        if let Some(record) = self.records.get_mut(id.0 as usize) {
            record.hits = (record.hits - 1.0).max(0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn click(color: u8) -> Class {
        Class::Click { shape: 1, color: Color::of(color), surround: Color::of(0) }
    }

    fn at(x: u8) -> Point {
        Point::new(x, 0).unwrap()
    }

    #[test]
    fn a_class_of_clicks_dies_after_three_tries_anywhere() {
        let mut experience = Experience::default();
        let (class, family) = (experience.class(click(1)), experience.class(Class::Any(Color::of(1))));
        for x in 0..3 {
            let spot = experience.spot(class, at(x));
            assert!(!experience.of_click(class, (spot, family)).dead);
            experience.count((class, Some((spot, family))), false);
        }
        let fresh = experience.spot(class, at(9));
        assert!(experience.of_click(class, (fresh, family)).dead);
    }

    #[test]
    fn a_dead_spot_of_a_live_class_is_dead_alone() {
        let mut experience = Experience::default();
        let (class, family) = (experience.class(click(1)), experience.class(Class::Any(Color::of(1))));
        let (dead, live) = (experience.spot(class, at(1)), experience.spot(class, at(2)));
        assert!(experience.count((class, Some((live, family))), true), "the first effect of the class");
        experience.count((class, Some((dead, family))), false);
        experience.count((class, Some((dead, family))), false);
        assert!(experience.of_click(class, (dead, family)).dead);
        assert!(!experience.of_click(class, (live, family)).dead);
    }

    #[test]
    fn the_next_level_tests_dead_classes_once_more_and_keeps_their_order() {
        let mut experience = Experience::default();
        let (dead, live) = (experience.class(click(1)), experience.class(click(2)));
        for _ in 0..20 {
            experience.count((dead, None), false);
            experience.count((live, None), true);
        }
        experience.begin_level();
        let promise = |class| experience.of_key(class);
        let (dead_now, live_now) = (promise(dead), promise(live));
        assert!(live_now.live && live_now.rate > dead_now.rate);
        let (spot, family) = (experience.spot(dead, at(0)), experience.class(Class::Any(Color::of(1))));
        assert!(!experience.of_click(dead, (spot, family)).dead);
        experience.count((dead, Some((spot, family))), false);
        assert!(experience.of_click(dead, (spot, family)).dead);
    }

    #[test]
    fn a_class_that_was_never_tried_is_taken_for_its_colour() {
        let mut experience = Experience::default();
        let family = experience.class(Class::Any(Color::of(1)));
        for shape in 0..5 {
            let class = experience.class(Class::Click { shape, color: Color::of(1), surround: Color::of(0) });
            let spot = experience.spot(class, at(shape as u8));
            assert!(!experience.of_click(class, (spot, family)).dead);
            experience.count((class, Some((spot, family))), false);
        }
        let fresh = experience.class(Class::Click { shape: 9, color: Color::of(1), surround: Color::of(0) });
        let spot = experience.spot(fresh, at(9));
        assert!(experience.of_click(fresh, (spot, family)).dead);
        experience.count((fresh, Some((spot, family))), true);
        let next = experience.class(Class::Click { shape: 10, color: Color::of(1), surround: Color::of(0) });
        let spot = experience.spot(next, at(10));
        assert!(!experience.of_click(next, (spot, family)).live);
    }

    #[test]
    fn names_past_the_capacity_share_a_record() {
        let mut book = Book::default();
        let ids: Vec<RecordId> = (0..CAPACITY + 10).map(|name| book.id(name)).collect();
        assert_eq!(book.records.len(), CAPACITY);
        assert_eq!(ids[CAPACITY], ids[CAPACITY + 9]);
        assert_eq!(book.id(5), ids[5]);
    }
}
