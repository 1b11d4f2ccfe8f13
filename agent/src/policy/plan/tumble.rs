//! The skill of a piece that takes another form with every step: find out what keys make of it, then bring it onto what stands
//! out, in the form that fits there.

use std::collections::{HashSet, VecDeque};

use env_client::{Action, ActionSet, Grid, Key};
use world_model::{
    Bounds, InterfaceMask, Scene, Start, Transition,
    tumblers::{Stand, Tumblers, Way},
};

use super::{
    ledger::TIER,
    skill::{Move, Proposal, Skill},
};

/// A plan, a key that should teach something, and a step onto what nobody stood on. Guesses, as is all below.
const PLAN: f32 = 0.3 * TIER;
const EXPERIMENT: f32 = 0.35 * TIER;
const DARE: f32 = 0.4 * TIER;
/// Plans in one level after which the rest is left to others.
const PLANS: u32 = 60;
/// Things that look alike, more of which are ground.
const ALIKE: usize = 4;
/// A thing that is so many times as large as the piece at its largest is ground.
const LARGE: usize = 4;
/// Stands that one search looks at.
const STANDS: usize = 20_000;

/// Where the piece is to be brought: a thing, and the form it should have there.
type Aim = (Bounds, usize);

/// Understands a piece that takes another form with every step.
#[derive(Debug, Default)]
pub(super) struct Tumble {
    model: Tumblers,
    /// What was proposed last, and what is left of what is under way.
    proposed: (VecDeque<Stand>, Option<Aim>),
    foreseen: VecDeque<Stand>,
    aim: Option<Aim>,
    is_surprised: bool,
    /// Aims of this level that were reached in vain.
    vain: HashSet<Aim>,
    plans: u32,
    /// Where nothing was found to do, and how much was known then.
    exhausted: Option<(Stand, u32)>,
}

/// A stand that can be reached, and the one before it with the key that leads on from there.
type Reached = (Stand, Option<(usize, Key)>);

/// A thing that the piece may be wanted on, and how many look like it.
type Thing = (Bounds, usize);

impl Tumble {
    /// All stands that can be reached, nearest first; who dares goes onto what nobody stood on yet.
    fn reach(&self, from: Stand, keys: &[Key], dares: bool) -> Vec<Reached> {
        let mut known = HashSet::from([from]);
        let mut reached: Vec<Reached> = vec![(from, None)];
        let mut index = 0;
        while index < reached.len() && reached.len() < STANDS {
            for key in keys {
                match self.model.way(reached[index].0, *key) {
                    Way::Dared(to) if dares && known.insert(to) => reached.push((to, Some((index, *key)))),
                    Way::Open(to) if known.insert(to) => reached.push((to, Some((index, *key)))),
                    _ => {}
                }
            }
            index += 1;
        }
        reached
    }

    /// What stands out in the level, and may be a place for the piece.
    fn things(&self, mask: &InterfaceMask) -> Vec<Thing> {
        let Some(base) = self.model.base() else { return Vec::new() };
        let scene = Scene::of(base);
        let most = LARGE * self.model.area();
        let seen = scene.components().iter().filter(|it| !mask.hides(it.center) && !self.model.hides(it.center));
        let seen: Vec<_> = seen.filter(|it| usize::from(it.area) <= most).collect();
        let alike = |color| seen.iter().filter(|it| it.color == color).count();
        let things = seen.iter().map(|it| (it.bounds, alike(it.color)));
        things.filter(|(_, alike)| *alike <= ALIKE).collect()
    }

    /// The best way onto a thing, where the piece fills it or is filled by it, or just touches it; with the aim it has.
    fn onto(&self, reached: &[Reached], things: &[Thing], touches: bool) -> Option<(usize, Aim)> {
        let ends = reached.iter().enumerate().skip(1).flat_map(|(index, (stand, _))| {
            let area = self.area(*stand);
            let fits = move |it: &&Thing| area.overlap(it.0) > 0 && (touches || is_within(area, it.0));
            things.iter().filter(fits).map(move |thing| (index, *stand, area, *thing))
        });
        let open = ends.filter(|(_, stand, _, (bounds, _))| !self.vain.contains(&(*bounds, stand.form)));
        let best = open.min_by_key(|(index, stand, area, (bounds, alike))| {
            (!self.model.has_won(*stand), *alike, misfit(*area, *bounds), *index)
        });
        best.map(|(index, stand, _, (bounds, _))| (index, (bounds, stand.form)))
    }

    /// The box around a stand.
    fn area(&self, stand: Stand) -> Bounds {
        let (width, height) = self.model.size(stand);
        let cell = |at: i16| u8::try_from(at.max(0)).unwrap_or(u8::MAX);
        let (left, top) = (cell(stand.at.0), cell(stand.at.1));
        Bounds { left, top, right: cell(stand.at.0 + width - 1), bottom: cell(stand.at.1 + height - 1) }
    }

    /// The nearest stand with a key of which something is to be learned.
    fn open(&self, reached: &[Reached], keys: &[Key], dares: bool) -> Option<(usize, Key)> {
        let is_open = |way: Way| way == Way::Unknown || dares && matches!(way, Way::Dared(_));
        reached.iter().enumerate().find_map(|(index, (stand, _))| {
            keys.iter().find(|key| is_open(self.model.way(*stand, **key))).map(|key| (index, *key))
        })
    }

    /// The way to a stand, with a key to press there if one is named.
    fn walk(
        &mut self,
        reached: &[Reached],
        (mut index, last): (usize, Option<Key>),
        (base, goal): (f32, String),
    ) -> Proposal {
        let step = |key: Key| Move { action: Action::Key(key), expected: None };
        let mut steps: VecDeque<Move> = last.into_iter().map(step).collect();
        self.proposed.0.clear();
        while let (stand, Some((from, key))) = reached[index] {
            steps.push_front(step(key));
            self.proposed.0.push_front(stand);
            index = from;
        }
        let score = base + steps.len() as f32;
        Proposal { steps, goal, score }
    }

    /// What is best done from a stand: first what is known to lead onto a thing, then what teaches, then what dares.
    fn best(&mut self, from: Stand, keys: &[Key], mask: &InterfaceMask) -> Option<Proposal> {
        let things = self.things(mask);
        for dares in [false, true] {
            let reached = self.reach(from, keys, dares);
            if let Some((end, aim)) = self.onto(&reached, &things, false) {
                self.proposed.1 = Some(aim);
                return Some(self.walk(
                    &reached,
                    (end, None),
                    (PLAN, format!("bring the piece onto what it fits{}", place(aim.0))),
                ));
            }
            if let Some((end, key)) = self.open(&reached, keys, false) {
                let what = (EXPERIMENT, "see what a key makes of the piece".to_owned());
                return Some(self.walk(&reached, (end, Some(key)), what));
            }
        }
        let reached = self.reach(from, keys, false);
        if let Some((end, key)) = self.open(&reached, keys, true) {
            return Some(self.walk(&reached, (end, Some(key)), (DARE, "see what the piece can stand on".to_owned())));
        }
        let (end, aim) = self.onto(&reached, &things, true)?;
        self.proposed.1 = Some(aim);
        Some(self.walk(&reached, (end, None), (DARE, format!("bring the piece onto a thing{}", place(aim.0)))))
    }
}

/// Whether one box lies within the other, whichever that is.
fn is_within(one: Bounds, other: Bounds) -> bool {
    let union = one.union(other);
    union == one || union == other
}

/// A place for people to read.
fn place(it: Bounds) -> String {
    format!(" at ({}, {})", it.left, it.top)
}

/// How many cells two boxes do not share.
fn misfit(one: Bounds, other: Bounds) -> u32 {
    let cells = |it: Bounds| u32::from(it.width()) * u32::from(it.height());
    cells(one) + cells(other) - 2 * u32::from(one.overlap(other))
}

impl Skill for Tumble {
    fn name(&self) -> &'static str {
        "tumble"
    }

    fn begin(&mut self, frame: &Grid, _mask: &InterfaceMask, start: Start) {
        self.model.begin(frame, start);
        self.foreseen.clear();
        if start == Start::Level {
            self.vain.clear();
            (self.plans, self.exhausted) = (0, None);
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.model.observe(step, mask);
        self.is_surprised = self.foreseen.pop_front().is_some_and(|it| self.model.stand() != Some(it));
    }

    fn propose(&mut self, _frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        let stand = self.model.stand().filter(|_| self.model.is_understood() && self.plans < PLANS)?;
        let known = (stand, self.model.lessons());
        if self.exhausted == Some(known) {
            return None;
        }
        self.proposed = (VecDeque::new(), None);
        let keys: Vec<Key> = actions.keys().filter(|key| key.opposite().is_some()).collect();
        let best = self.best(stand, &keys, mask);
        if best.is_none() {
            self.exhausted = Some(known);
        }
        best
    }

    fn gives_up(&self) -> bool {
        self.is_surprised
    }

    fn taken_up(&mut self) {
        (self.foreseen, self.aim) = std::mem::take(&mut self.proposed);
        self.plans += 1;
    }

    fn in_vain(&mut self) {
        self.vain.extend(self.aim.take());
        self.exhausted = None;
    }
}

#[cfg(test)]
mod tests {
    use env_client::{ActionId, Color, Point};
    use world_model::Outcome;

    use super::*;

    /// Five by four tiles of the floor; a block of one tile by two stands or lies there and rolls over its edges, and off the floor
    /// it is put back. Where it stands in the hole the level is solved.
    struct Floor {
        block: Vec<(i16, i16)>,
    }

    const START: (i16, i16) = (1, 1);
    const HOLE: (i16, i16) = (4, 3);
    const TILE: i16 = 5;

    impl Floor {
        fn frame(&self) -> Grid {
            let mut frame = Grid::filled(40, 40, Color::of(0));
            let mut square = |(x, y): (i16, i16), margin: i16, color: u8| {
                let side = margin..TILE - 1 - margin;
                for (dx, dy) in side.clone().flat_map(|dy| side.clone().map(move |dx| (dx, dy))) {
                    let at = Point::new(10 + TILE * x + dx, 10 + TILE * y + dy).unwrap();
                    frame.set(at, Color::of(color));
                }
            };
            (0..4).flat_map(|y| (0..5).map(move |x| (x, y))).for_each(|tile| square(tile, 0, 2));
            square(HOLE, 0, 14);
            let color = if self.block.len() == 1 { 8 } else { 12 };
            self.block.iter().for_each(|tile| square(*tile, 1, color));
            frame
        }

        fn roll(&mut self, key: Key) {
            let (dx, dy) = match key {
                Key::Key1 => (0, -1),
                Key::Key2 => (0, 1),
                Key::Key3 => (-1, 0),
                _ => (1, 0),
            };
            let along = |it: &(i16, i16)| it.0 * dx + it.1 * dy;
            let first = *self.block.iter().max_by_key(|it| along(it)).unwrap();
            let lies_along = self.block.len() == 2 && along(&self.block[0]) != along(&self.block[1]);
            let next: Vec<(i16, i16)> = match self.block.len() {
                1 => vec![(first.0 + dx, first.1 + dy), (first.0 + 2 * dx, first.1 + 2 * dy)],
                _ if lies_along => vec![(first.0 + dx, first.1 + dy)],
                _ => self.block.iter().map(|it| (it.0 + dx, it.1 + dy)).collect(),
            };
            let holds = next.iter().all(|(x, y)| (0..5).contains(x) && (0..4).contains(y));
            self.block = if holds { next } else { vec![START] };
        }
    }

    #[test]
    fn a_block_that_rolls_is_stood_in_the_hole() {
        let (mut skill, mask) = (Tumble::default(), InterfaceMask::new());
        let actions = ActionSet::of(&[ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action4]);
        let mut floor = Floor { block: vec![START] };
        skill.begin(&floor.frame(), &mask, Start::Level);
        let mut press = |skill: &mut Tumble, action: Action| {
            let Action::Key(key) = action else { panic!("there is nothing to click") };
            let before = floor.frame();
            floor.roll(key);
            let layers = [floor.frame()];
            skill.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues }, &mask);
            (floor.frame(), floor.block == [HOLE])
        };
        let mut frame = None;
        for key in [Key::Key4, Key::Key3, Key::Key4, Key::Key4] {
            assert!(frame.is_none_or(|frame| skill.propose(&frame, &mask, actions).is_none()));
            frame = Some(press(&mut skill, Action::Key(key)).0);
        }
        let (mut frame, mut pressed, mut is_solved) = (frame.unwrap(), 0, false);
        while !is_solved {
            let proposal = skill.propose(&frame, &mask, actions).expect("there is something to learn or to do");
            skill.taken_up();
            for step in proposal.steps {
                (frame, is_solved) = press(&mut skill, step.action);
                pressed += 1;
                if is_solved || skill.gives_up() {
                    break;
                }
            }
            assert!(pressed < 30);
        }
    }
}
