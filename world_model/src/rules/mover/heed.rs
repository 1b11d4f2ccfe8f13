//! Pieces that heed one that obeys: they come after it or shy away from it, from anywhere or when it is near.
//!
//! Each class keeps in mind how many of its steps every way to do so would have foretold; the best one is believed once it
//! tells more than what was done does. What it does while the other one walks is learned apart from what it does when
//! another key is pressed or something clicked, as it may be called then.

use std::{fmt, sync::LazyLock};

use crate::rules::sprite::{SIDES, Vector};

/// So many more of its moves must be foretold by where the other one is than by all else, mistakes twice over, and so many for
/// each mistake. Guesses.
const LEAD: u32 = 4;
const EACH: u32 = 6;
/// The same where it went one way only: what goes its own way may happen to go toward another one. A guess, after a
/// guard on its round was taken to come after a piece.
const STRAIGHT: u32 = 10;
/// The farthest that one that heeds what is near is taken to look, in its own steps. A guess.
const FAR: i16 = 8;

/// Where another one is looked for: where it was, or where it came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Before,
    After,
}

/// From where another one is heeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    Everywhere,
    /// In a row or column with it, so many steps away at most.
    Line(i16),
    /// The same with nothing between.
    Sight(i16),
    /// So many steps away at most, in each direction.
    Square(i16),
    /// So many steps away at most, in both directions together.
    Walk(i16),
}

/// What it does about another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Comes,
    Shies,
}

/// Which direction comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    /// The one in which the other one is farther; of equal ones this.
    Longer(Axis),
    Always(Axis),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Across,
    Down,
}

impl Axis {
    const BOTH: [Axis; 2] = [Axis::Across, Axis::Down];

    const fn other(self) -> Axis {
        match self {
            Axis::Across => Axis::Down,
            Axis::Down => Axis::Across,
        }
    }

    /// One step along it, as far as something lies that way.
    fn toward(self, way: Vector) -> Vector {
        match self {
            Axis::Across => Vector::new(way.x.signum(), 0),
            Axis::Down => Vector::new(0, way.y.signum()),
        }
    }
}

/// A way to heed another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Manner {
    when: When,
    reach: Reach,
    turn: Turn,
    first: First,
    /// Whether it goes in the other direction where it cannot go in the first one.
    evades: bool,
    /// Whether the other one is in its way.
    stops: bool,
    /// Whether it rests after each step.
    rests: bool,
}

/// Every manner, those that say most first.
static MANNERS: LazyLock<Vec<Manner>> = LazyLock::new(|| {
    let near =
        (1..=FAR).rev().flat_map(|far| [Reach::Walk(far), Reach::Square(far), Reach::Line(far), Reach::Sight(far)]);
    let reaches: Vec<Reach> = std::iter::once(Reach::Everywhere).chain(near).collect();
    let firsts = Axis::BOTH.map(First::Longer).into_iter().chain(Axis::BOTH.map(First::Always));
    let firsts: Vec<First> = firsts.collect();
    let mut manners = Vec::new();
    for reach in reaches {
        for (index, first) in firsts.iter().enumerate() {
            for choice in 0..32 {
                let [shies, evades, stops, rests, late] = [0, 1, 2, 3, 4].map(|bit| choice >> bit & 1 == 1);
                let is_straight = matches!(reach, Reach::Line(_) | Reach::Sight(_));
                if is_straight && (index > 0 || evades) {
                    continue;
                }
                let when = if late { When::Before } else { When::After };
                let turn = if shies { Turn::Shies } else { Turn::Comes };
                manners.push(Manner { when, reach, turn, first: *first, evades, stops, rests });
            }
        }
    }
    manners
});

/// What a piece sees of another one that obeys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// Where it is.
    pub(super) at: Vector,
    /// From it to the other one before and after its move, in its own steps.
    pub(super) ways: [Vector; 2],
    /// Whether nothing lies between them, before and after.
    pub(super) sees: [bool; 2],
    /// Whether something is in its way in each of [`SIDES`], and the colours there that it never entered.
    pub(super) blocked: [bool; 4],
    pub(super) fresh: [u32; 4],
    /// Whether it stayed in the step before.
    pub(super) rested: bool,
}

impl Manner {
    /// Where it goes, in its own steps.
    fn step(&self, outlook: &Outlook) -> Vector {
        let index = usize::from(self.when == When::After);
        let way = outlook.ways[index];
        if !self.reach.holds(way, outlook.sees[index]) || self.rests && !outlook.rested {
            return Vector::ZERO;
        }
        for axis in self.order(way) {
            let toward = axis.toward(way);
            let step = if self.turn == Turn::Shies { Vector::ZERO.minus(toward) } else { toward };
            if step == Vector::ZERO {
                continue;
            }
            let is_blocked = outlook.is_blocked(step) || self.stops && step == outlook.ways[1];
            if !is_blocked {
                return step;
            }
            if !self.evades {
                break;
            }
        }
        Vector::ZERO
    }

    fn order(&self, way: Vector) -> [Axis; 2] {
        let first = match self.first {
            First::Longer(axis) if way.x.abs() == way.y.abs() => axis,
            First::Longer(_) if way.x.abs() > way.y.abs() => Axis::Across,
            First::Longer(_) => Axis::Down,
            First::Always(axis) => axis,
        };
        [first, first.other()]
    }
}

impl fmt::Display for Manner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turn = if self.turn == Turn::Comes { "comes after" } else { "shies away from" };
        write!(f, "{turn} one that obeys")?;
        match self.reach {
            Reach::Everywhere => Ok(()),
            Reach::Line(far) => write!(f, ", {far} steps away at most in its row or column"),
            Reach::Sight(far) => write!(f, ", {far} steps away at most in its row or column with nothing between"),
            Reach::Square(far) => write!(f, ", {far} steps away at most in each direction"),
            Reach::Walk(far) => write!(f, ", {far} steps away at most in both directions together"),
        }
    }
}

impl Reach {
    fn holds(self, way: Vector, sees: bool) -> bool {
        let (across, down) = (way.x.abs(), way.y.abs());
        let is_straight = |far: i16| across.min(down) == 0 && across.max(down) <= far;
        match self {
            Reach::Everywhere => true,
            Reach::Line(far) => is_straight(far),
            Reach::Sight(far) => sees && is_straight(far),
            Reach::Square(far) => across.max(down) <= far,
            Reach::Walk(far) => across + down <= far,
        }
    }
}

impl Outlook {
    fn is_blocked(&self, step: Vector) -> bool {
        side(step).is_some_and(|side| self.blocked[side])
    }

    /// The colours that it never entered where a step leads.
    fn fresh(&self, step: Vector) -> u32 {
        side(step).map_or(0, |side| self.fresh[side])
    }
}

fn side(step: Vector) -> Option<usize> {
    SIDES.iter().position(|side| *side == step)
}

/// How often a manner foretold a move, and how often it was mistaken.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    right: u32,
    wrong: u32,
}

impl Tally {
    fn count(&mut self, is_right: bool, moved: bool) {
        self.right += u32::from(is_right && moved);
        self.wrong += u32::from(!is_right);
    }

    /// What speaks for it, were what was done not known.
    const fn lead(self) -> i64 {
        self.right as i64 - 2 * self.wrong as i64
    }
}

/// How pieces that look alike heed another one.
#[derive(Clone, Debug, Default)]
pub(super) struct Heed {
    /// Of every manner; none before it was seen to move.
    tallies: Vec<Tally>,
    /// The best manner.
    best: usize,
    /// The length of its step, in cells.
    pub(super) stride: i16,
    /// What all else that is known foretold.
    rival: Tally,
    /// Colours that it did not enter where it meant to.
    refused: u32,
    /// In which of [`SIDES`] it went.
    went: [bool; 4],
    /// Places of this level where it stayed though it was meant to go, as in a fold.
    rests: Vec<Vector>,
}

impl Heed {
    /// Whether where another one is tells more than all else.
    pub(super) fn is_proven(&self) -> bool {
        let tally = self.tallies.get(self.best).copied().unwrap_or_default();
        let is_straight = self.went.iter().filter(|it| **it).count() < 2;
        let enough = if is_straight { STRAIGHT } else { LEAD };
        tally.lead() >= i64::from(enough) + self.rival.lead().max(0) && tally.right >= EACH * tally.wrong
    }

    /// How often the best manner was mistaken.
    fn wrong(&self) -> u32 {
        self.tallies.get(self.best).map_or(0, |it| it.wrong)
    }

    /// Whether it was never seen to go.
    fn is_idle(&self) -> bool {
        self.tallies.is_empty()
    }

    /// What is known, in words; `None` before it was seen to go.
    fn sentence(&self) -> Option<String> {
        let Tally { right, wrong } = self.tallies.get(self.best)?;
        let belief = if self.is_proven() { "" } else { "perhaps " };
        Some(format!("{belief}{} (foretold {right} of its moves, mistaken {wrong} times)", MANNERS[self.best]))
    }

    /// A new level: nothing has come to rest yet.
    fn begin_level(&mut self) {
        self.rests.clear();
    }

    /// Where it goes.
    pub(super) fn next(&self, outlook: &Outlook) -> Vector {
        if self.rests.contains(&outlook.at) { Vector::ZERO } else { self.meant(outlook) }
    }

    /// Where it would go if it had not come to rest.
    fn meant(&self, outlook: &Outlook) -> Vector {
        MANNERS[self.best].step(&self.seen(outlook)).times(self.stride)
    }

    /// With what it did not enter before in its way.
    fn seen(&self, outlook: &Outlook) -> Outlook {
        let blocked = std::array::from_fn(|side| outlook.blocked[side] || outlook.fresh[side] & self.refused != 0);
        Outlook { blocked, ..*outlook }
    }

    /// Learns where it went, and where all else told that it would. What does not go by steps of one length along one axis
    /// heeds nobody. That it stays at a place tells something once.
    pub(super) fn learn(&mut self, outlook: &Outlook, came: Vector, told: Vector) {
        let (step, moved) = (came.signum(), came != Vector::ZERO);
        if self.tallies.is_empty() && !moved || self.goes_on_resting(outlook, moved) {
            return;
        }
        if !self.is_proven() {
            self.rival.count(told == came, moved);
        }
        let meant = self.meant(outlook).signum();
        if moved {
            if let Some(side) = side(step) {
                self.went[side] = true;
            }
            self.refused &= !outlook.fresh(step);
        } else if self.is_proven() {
            self.refused |= outlook.fresh(meant);
        }
        let is_step = !moved || side(step).is_some() && step.times(self.stride) == came;
        let seen = self.seen(outlook);
        self.tallies.resize(MANNERS.len(), Tally::default());
        for (manner, tally) in MANNERS.iter().zip(&mut self.tallies) {
            tally.count(is_step && manner.step(&seen) == step, moved);
        }
        if !moved && meant != Vector::ZERO {
            self.rests.push(outlook.at);
        }
        let best = (0..self.tallies.len()).rev().max_by_key(|index| self.tallies[*index].lead());
        self.best = best.unwrap_or_default();
    }

    /// Whether it stays where it came to rest before; where it goes on it rests no more.
    fn goes_on_resting(&mut self, outlook: &Outlook, moved: bool) -> bool {
        self.rests.retain(|at| !moved || *at != outlook.at);
        self.rests.contains(&outlook.at)
    }
}

/// How pieces that look alike heed another one while an arrow takes it along, and while it does something else (a key that is
/// no arrow, a click), as when it calls them.
#[derive(Clone, Debug, Default)]
pub(super) struct Heeds {
    walk: Heed,
    call: Heed,
}

impl Heeds {
    /// A new level: nothing has come to rest yet.
    pub(super) fn begin_level(&mut self) {
        self.walk.begin_level();
        self.call.begin_level();
    }

    /// Whether where another one is tells more than all else, whatever that does.
    pub(super) fn is_proven(&self) -> bool {
        self.walk.is_proven() || self.call.is_proven()
    }

    /// What is known of how it goes while the other one walks, in words.
    pub(super) fn sentence(&self) -> Option<String> {
        self.walk.sentence()
    }

    /// How often they were mistaken.
    pub(super) fn wrong(&self) -> u32 {
        self.walk.wrong() + self.call.wrong()
    }

    /// What tells where it goes while the other one walks, or does something else: as if that walked, until it once went then.
    pub(super) fn of(&self, walks: bool) -> &Heed {
        if walks || self.call.is_idle() { &self.walk } else { &self.call }
    }

    /// The same, to learn from where it came: the first way that it went while the other one did not walk is already one of
    /// those.
    pub(super) fn of_mut(&mut self, walks: bool, came: Vector) -> &mut Heed {
        let is_walk = walks || self.call.is_idle() && came == Vector::ZERO;
        if is_walk { &mut self.walk } else { &mut self.call }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outlook(way: (i16, i16)) -> Outlook {
        let way = Vector::new(way.0, way.1);
        Outlook { at: way, ways: [way, way], sees: [true, true], blocked: [false; 4], fresh: [0; 4], rested: true }
    }

    /// Shies from what stands two steps away at most in its row or column.
    fn shy((x, y): (i16, i16)) -> Vector {
        if x.abs().min(y.abs()) == 0 && x.abs().max(y.abs()) <= 2 { Vector::new(-x, -y).signum() } else { Vector::ZERO }
    }

    #[test]
    fn what_shies_from_what_is_near_is_told_from_what_always_does() {
        let mut heed = Heed { stride: 1, ..Heed::default() };
        for way in [(2, 0), (0, -1), (1, 1), (3, 0), (-2, 0), (2, 1), (0, 2), (0, 4), (1, 0)] {
            heed.learn(&outlook(way), shy(way), Vector::ZERO);
        }
        assert!(heed.is_proven());
        let ways = (-4..=4).flat_map(|x| (-4..=4).map(move |y| (x, y))).filter(|way| *way != (0, 0));
        for way in ways {
            assert_eq!(heed.next(&outlook(way)), shy(way), "{way:?}");
        }
    }

    #[test]
    fn what_comes_when_it_is_called_may_shy_from_who_walks() {
        let mut heeds = Heeds::default();
        let mut learn = |walks: bool, way: (i16, i16), came: Vector| {
            let heed = heeds.of_mut(walks, came);
            heed.stride = 1;
            heed.learn(&outlook(way), came, Vector::ZERO);
        };
        for way in [(2, 0), (0, -1), (1, 1), (3, 0), (-2, 0), (2, 1), (0, 2), (0, 4), (1, 0)] {
            learn(true, way, shy(way));
            learn(false, way, Vector::new(way.0, 0).signum());
        }
        assert!(heeds.is_proven() && heeds.of(true).is_proven());
        assert_eq!(
            [true, false].map(|walks| heeds.of(walks).next(&outlook((2, 0)))),
            [(-1, 0), (1, 0)].map(|it| Vector::new(it.0, it.1))
        );
    }

    #[test]
    fn what_goes_one_way_is_not_taken_to_heed_another_one_too_soon() {
        let mut heed = Heed { stride: 1, ..Heed::default() };
        (2..8).for_each(|x| heed.learn(&outlook((x, 0)), Vector::new(1, 0), Vector::ZERO));
        assert!(!heed.is_proven());
        heed.learn(&outlook((0, 3)), Vector::new(0, 1), Vector::ZERO);
        assert!(heed.is_proven());
    }

    #[test]
    fn what_came_to_rest_is_mistaken_once() {
        let mut heed = Heed { stride: 1, ..Heed::default() };
        let fold = Outlook { at: Vector::new(50, 50), ..outlook((1, 0)) };
        for way in [(2, 0), (0, -1), (1, 1), (3, 0), (-2, 0), (2, 1), (0, 2), (0, 4), (1, 0), (0, 1), (-1, 0), (0, -2)]
        {
            heed.learn(&outlook(way), shy(way), Vector::ZERO);
            (0..3).for_each(|_| heed.learn(&fold, Vector::ZERO, Vector::ZERO));
        }
        assert!(heed.is_proven());
        assert_eq!([fold, outlook((1, 0))].map(|it| heed.next(&it)), [Vector::ZERO, Vector::new(-1, 0)]);
        heed.begin_level();
        assert_eq!(heed.next(&fold), Vector::new(-1, 0), "the fold of another level is elsewhere");
    }

    #[test]
    fn what_obeys_heeds_nobody() {
        let mut heed = Heed { stride: 1, ..Heed::default() };
        for way in [(2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0)] {
            let came = Vector::new(-1, 0);
            heed.learn(&outlook(way), came, came);
        }
        assert!(!heed.is_proven());
    }

    #[test]
    fn what_it_did_not_enter_is_in_its_way() {
        let mut heed = Heed { stride: 1, ..Heed::default() };
        (2..5).for_each(|x| heed.learn(&outlook((x, 0)), Vector::new(1, 0), Vector::ZERO));
        (2..5).for_each(|y| heed.learn(&outlook((0, y)), Vector::new(0, 1), Vector::ZERO));
        let at_a_pond = Outlook { fresh: [1 << 9; 4], ..outlook((5, 0)) };
        assert_eq!(heed.next(&at_a_pond), Vector::new(1, 0), "it may swim");
        heed.learn(&at_a_pond, Vector::ZERO, Vector::ZERO);
        assert_eq!(heed.next(&at_a_pond), Vector::ZERO);
    }
}
