//! What gauges count: things that make one tick when pieces come onto them.
//!
//! A gauge that ticks when pieces come onto certain things, and never otherwise, says that they count, though nothing else
//! changes: the others of their colour are worth going for, each tile of them where several touch and look like one. Whether
//! all of them are needed is told by the levels that were solved. Where that is so, and a thing did not count, it may from
//! another side.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{Color, Grid, Point};

use super::{
    ledger::TIER,
    signals::is_outer,
    things::{Facing, RIM, Thing},
};

/// A tick changes at most so many cells: a gauge is no picture. A guess.
const LARGEST: usize = 32;
/// Steps of pieces before a gauge that only ticked at things is believed to count them: one that ticks with every other step
/// was seen to by then.
const STEPS: u32 = 3;
/// What counts, once levels were solved with none left and before any was: before an exit, and right after things of kinds
/// that were never touched. Guesses.
const NEEDED: f32 = 0.0;
const PERHAPS: f32 = 1.05;
/// What did not count is gone for from another side later than what was never touched. A guess.
const OTHER_SIDE: f32 = 1.5;

/// What a gauge does: on which side of the frame, and which colour becomes which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Tick {
    side: u8,
    from: Color,
    to: Color,
}

/// When a gauge ticked.
#[derive(Debug, Default)]
struct Gauge {
    /// The colours of what pieces came onto then.
    onto: BTreeSet<Color>,
    /// How often it ticked when they came onto nothing.
    elsewhere: u32,
}

/// What gauges count, in this game, and what counted in this level.
#[derive(Debug, Default)]
pub(super) struct Counts {
    gauges: BTreeMap<Tick, Gauge>,
    steps: u32,
    /// Colours of which some counted in levels that were solved, and whether none of them were left then.
    needed: BTreeMap<Color, bool>,
    /// Colours of which several counted in one life: one alone may be a switch, of which the others do the same.
    several: BTreeSet<Color>,
    /// How often each colour counted in this life.
    times: BTreeMap<Color, u32>,
    /// Things that counted in this life, and the ways in which pieces came onto others of such a colour.
    counted: BTreeSet<Thing>,
    missed: BTreeMap<Thing, Vec<Facing>>,
}

/// The ticks of gauges between two frames, but for what is the pieces' own doing.
pub(super) fn ticks(old: &Grid, new: &Grid, is_own: impl Fn(Point) -> bool) -> BTreeSet<Tick> {
    let differ = old.differences(new).into_iter().flatten();
    let outer: Vec<Point> = differ.filter(|at| is_outer(*at, old) && !is_own(*at)).collect();
    let tick = |at: &Point| Tick { side: side(*at, old), from: old[*at], to: new[*at] };
    if outer.len() > LARGEST { BTreeSet::new() } else { outer.iter().map(tick).collect() }
}

/// The side of a frame that a cell is next to: above, below, left or right. Most gauges lie above or below, to the corners.
fn side(at: Point, frame: &Grid) -> u8 {
    match () {
        () if at.y() < RIM => 0,
        () if at.y() + RIM >= frame.height() => 1,
        () if at.x() < RIM => 2,
        () => 3,
    }
}

impl Counts {
    /// What counted counts anew.
    pub(super) fn begin(&mut self) {
        self.counted.clear();
        self.missed.clear();
        self.times.clear();
    }

    /// Pieces came onto these things by a step this way, or did something else, and gauges ticked so. Whether these are known
    /// to count since.
    pub(super) fn stepped(&mut self, onto: &BTreeSet<Thing>, way: Facing, ticks: &BTreeSet<Tick>) -> bool {
        let were: Vec<bool> = onto.iter().map(|it| self.tells(it.kind.color)).collect();
        self.steps += 1;
        for tick in ticks {
            let gauge = self.gauges.entry(*tick).or_default();
            gauge.onto.extend(onto.iter().map(|it| it.kind.color));
            gauge.elsewhere += u32::from(onto.is_empty());
        }
        let ticked = ticks.iter().filter_map(|it| self.gauges.get(it)).any(|it| it.elsewhere == 0);
        if ticked {
            self.counted.extend(onto);
            for color in onto.iter().map(|it| it.kind.color).collect::<BTreeSet<Color>>() {
                let times = self.times.entry(color).or_default();
                *times += 1;
                self.several.extend((*times > 1).then_some(color));
            }
        } else {
            for it in onto {
                self.missed.entry(*it).or_default().push(way);
            }
        }
        onto.iter().zip(were).any(|(it, was)| !was && self.tells(it.kind.color))
    }

    /// What pieces came onto by the last step, which counted, are these things, now that they are told apart.
    pub(super) fn name(&mut self, onto: &BTreeSet<Thing>) {
        self.counted.extend(onto);
    }

    /// Whether pieces came onto a thing in this life.
    fn is_met(&self, thing: Thing) -> bool {
        self.counted.contains(&thing) || self.missed.contains_key(&thing)
    }

    /// Whether a gauge counts things of this colour.
    pub(super) fn tells(&self, color: Color) -> bool {
        self.steps >= STEPS && self.gauges.values().any(|it| it.elsewhere == 0 && it.onto.contains(&color))
    }

    /// The level was solved when these things were there, but for those that pieces came onto.
    pub(super) fn solved(&mut self, things: impl Iterator<Item = Thing>) {
        let left: BTreeSet<Color> = things.filter(|it| !self.is_met(*it)).map(|it| it.kind.color).collect();
        let counted: BTreeSet<Color> = self.counted.iter().map(|it| it.kind.color).collect();
        let told: Vec<Color> = counted.into_iter().filter(|it| self.tells(*it)).collect();
        for color in told {
            let needed = self.needed.get(&color).copied().unwrap_or(true);
            self.needed.insert(color, needed && !left.contains(&color));
        }
    }

    /// How interesting it is to come onto a thing for the first time in this life, in actions, if a gauge counts such things and
    /// they may be needed.
    pub(super) fn interest(&self, thing: Thing) -> Option<f32> {
        let is_needed = self.needed.get(&thing.kind.color);
        let tier = if is_needed == Some(&true) { NEEDED } else { PERHAPS };
        let is_counted = self.tells(thing.kind.color) && self.several.contains(&thing.kind.color);
        let may_count = is_needed != Some(&false) && is_counted && !self.is_met(thing);
        may_count.then_some(tier * TIER)
    }

    /// How interesting it is to come onto a thing this way, in actions, if it is needed and did not count in any way that was
    /// tried.
    pub(super) fn on_another_side(&self, thing: Thing, way: Facing) -> Option<f32> {
        let is_needed = self.tells(thing.kind.color) && self.needed.get(&thing.kind.color) == Some(&true);
        let missed = self.missed.get(&thing).filter(|_| is_needed && !self.counted.contains(&thing))?;
        (!missed.contains(&way)).then_some((OTHER_SIDE + missed.len() as f32 / 10.0) * TIER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::plan::things::Kind;
    use world_model::Advance;

    fn thing(color: u8, x: u8) -> Thing {
        Thing { kind: Kind { color: Color::of(color), shape: 1 }, at: Point::new(x, 20).unwrap() }
    }

    fn way(x: i16) -> Facing {
        Facing::of(&[Advance { by: (x, 0), ..Advance::default() }])
    }

    /// What a gauge at the bottom does: its cell becomes this.
    fn tick(color: u8) -> BTreeSet<Tick> {
        [Tick { side: 1, from: Color::of(1), to: Color::of(color) }].into()
    }

    /// Counts after some steps onto nothing and one onto a pearl, of colour 7, that made a gauge tick.
    fn counts() -> Counts {
        let mut counts = Counts::default();
        (0..STEPS).for_each(|_| _ = counts.stepped(&BTreeSet::new(), way(1), &BTreeSet::new()));
        assert!(!counts.tells(Color::of(7)));
        assert!(counts.stepped(&[thing(7, 4)].into(), way(1), &tick(2)), "new");
        assert!(!counts.stepped(&[thing(7, 8)].into(), way(1), &tick(2)), "known");
        counts
    }

    #[test]
    fn what_a_gauge_counts_is_gone_for_and_first_once_it_was_needed() {
        let mut counts = counts();
        assert_eq!(counts.interest(thing(7, 12)), Some(PERHAPS * TIER));
        assert_eq!(counts.interest(thing(8, 12)), None, "another colour");
        assert_eq!(counts.interest(thing(7, 8)), None, "it counted");
        counts.solved([thing(7, 8), thing(8, 12)].into_iter());
        counts.begin();
        assert_eq!(counts.interest(thing(7, 8)), Some(NEEDED * TIER));
        counts.stepped(&[thing(7, 4)].into(), way(1), &tick(2));
        counts.solved([thing(7, 8)].into_iter());
        assert_eq!(counts.interest(thing(7, 12)), None, "some were left");
    }

    #[test]
    fn one_alone_may_be_a_switch() {
        let mut counts = Counts::default();
        (0..STEPS).for_each(|_| _ = counts.stepped(&BTreeSet::new(), way(1), &BTreeSet::new()));
        counts.stepped(&[thing(7, 4)].into(), way(1), &tick(2));
        assert_eq!(counts.interest(thing(7, 12)), None);
        counts.begin();
        counts.stepped(&[thing(7, 4)].into(), way(1), &tick(2));
        assert_eq!(counts.interest(thing(7, 12)), None, "one in each level");
    }

    #[test]
    fn a_gauge_that_ticks_elsewhere_counts_nothing() {
        let mut counts = counts();
        counts.stepped(&BTreeSet::new(), way(1), &tick(2));
        assert_eq!(counts.interest(thing(7, 12)), None);
    }

    #[test]
    fn what_did_not_count_may_from_another_side_where_that_is_needed() {
        let mut counts = counts();
        counts.stepped(&[thing(7, 12)].into(), way(1), &BTreeSet::new());
        assert_eq!(counts.on_another_side(thing(7, 12), way(-1)), None, "nobody knows whether it is needed");
        counts.solved([thing(7, 8)].into_iter());
        assert!(counts.on_another_side(thing(7, 12), way(-1)).is_some());
        assert_eq!(counts.on_another_side(thing(7, 12), way(1)), None, "as before");
        assert_eq!(counts.on_another_side(thing(7, 8), way(-1)), None, "that one counted");
    }

    #[test]
    fn ticks_are_few_cells_in_the_outer_lines_that_no_piece_changed() {
        let old = Grid::filled(64, 64, Color::of(1));
        let mut new = old.clone();
        new.set(Point::new(9, 62).unwrap(), Color::of(2));
        new.set(Point::new(1, 62).unwrap(), Color::of(2));
        new.set(Point::new(30, 30).unwrap(), Color::of(2));
        assert_eq!(ticks(&old, &new, |_| false), tick(2));
        assert_eq!(ticks(&old, &new, |at| at.x() < 10), BTreeSet::new(), "the piece did that");
        for x in 0..64 {
            new.set(Point::new(x, 1).unwrap(), Color::of(3));
        }
        assert_eq!(ticks(&old, &new, |_| false), BTreeSet::new(), "another picture");
    }
}
