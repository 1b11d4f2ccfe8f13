//! The skill of blocks that go along their axes: drive one out where the bed ends, and others out of its way.

use std::collections::{HashSet, VecDeque};

use env_client::{Action, ActionId, ActionSet, Color, Grid, Key};
use world_model::{
    InterfaceMask, Start, Transition,
    parking::{Ahead, Layout, Parking},
};

use super::{
    ledger::TIER,
    skill::{Move, Proposal, Skill},
};

/// A plan; where such a block left that way before, it comes before all that others would try. Guesses.
const PLAN: f32 = 0.3 * TIER;
const PROVEN: f32 = 0.1 * TIER;
/// Layouts that one search looks at. A guess.
const LAYOUTS: usize = 60_000;
/// Plans in one level after which the rest is left to others. A guess.
const PLANS: u32 = 24;
const KEYS: [Key; 5] = [Key::Key4, Key::Key2, Key::Key3, Key::Key1, Key::Key5];

/// A block that should go out, told by its colour, and which way.
type Aim = (Color, Key);

/// Understands blocks that go along their axes.
#[derive(Debug, Default)]
pub(super) struct Park {
    model: Parking,
    /// What was proposed last, and what is left of what is under way.
    proposed: (VecDeque<Layout>, Option<Aim>),
    foreseen: VecDeque<Layout>,
    aim: Option<Aim>,
    is_surprised: bool,
    /// Ways out that were tried in vain in this level.
    vain: HashSet<Aim>,
    plans: u32,
}

/// A layout that was reached, and the one before it with the block that went on from there and its key.
type Reached = (Layout, Option<(usize, usize, Key)>);

/// A way out: the layout from which a block is driven beyond the end of the bed, the block, and the key.
type Out = (usize, usize, Key);

impl Park {
    /// The best way out that is found: where one was found before, where the rim is odd, else the nearest.
    fn best(&self, now: &Layout) -> Option<(Vec<Reached>, Out)> {
        let mut known = HashSet::from([now.at.clone()]);
        let mut reached: Vec<Reached> = vec![(now.clone(), None)];
        let mut best: Option<((bool, bool), Out)> = None;
        let mut index = 0;
        while index < reached.len() && reached.len() < LAYOUTS {
            let layout = &reached[index].0;
            for (block, key) in self.ways_out(layout) {
                let rank = (!self.model.has_won(block, key), !self.model.is_odd(layout, block, key));
                if best.as_ref().is_none_or(|it| rank < it.0) {
                    best = Some((rank, (index, block, key)));
                }
            }
            if best.as_ref().is_some_and(|it| it.0 == (false, false)) {
                break;
            }
            for (block, key, next) in self.model.steps(layout) {
                if known.insert(next.at.clone()) {
                    reached.push((next, Some((index, block, key))));
                }
            }
            index += 1;
        }
        best.map(|(_, out)| (reached, out))
    }

    /// The keys that would take a block beyond the end of the bed.
    fn ways_out(&self, layout: &Layout) -> Vec<(usize, Key)> {
        let is_end = |(block, key): &(usize, Key)| {
            let color = self.model.blocks()[*block].color;
            self.model.obeys(*block, *key)
                && !self.vain.contains(&(color, *key))
                && self.model.ahead(layout, *block, *key) == Some(Ahead::End)
        };
        let all = (0..layout.at.len()).flat_map(|block| KEYS.map(|key| (block, key)));
        all.filter(is_end).collect()
    }

    /// The actions of a way out, and what each but the last should lead to.
    fn walk(&self, reached: &[Reached], (mut index, block, key): Out) -> Option<(VecDeque<Action>, VecDeque<Layout>)> {
        let mut way = vec![(index, block, key)];
        while let Some(step) = reached[index].1 {
            way.push(step);
            index = step.0;
        }
        let (mut actions, mut layouts) = (VecDeque::new(), VecDeque::new());
        for (place, (from, block, key)) in way.iter().enumerate().rev() {
            let before = &reached[*from].0;
            if before.picked != Some(*block) {
                actions.push_back(self.model.pick(before, *block)?);
                layouts.push_back(Layout { picked: Some(*block), ..before.clone() });
            }
            actions.push_back(Action::Key(*key));
            if place > 0 {
                layouts.push_back(reached[way[place - 1].0].0.clone());
            }
        }
        Some((actions, layouts))
    }
}

impl Skill for Park {
    fn name(&self) -> &'static str {
        "park"
    }

    fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.model.begin(frame, mask, start);
        self.foreseen.clear();
        if start == Start::Level {
            self.vain.clear();
            self.plans = 0;
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.model.observe(step, mask);
        self.is_surprised = self.foreseen.pop_front().is_some_and(|it| self.model.layout() != Some(&it));
    }

    fn propose(&mut self, _frame: &Grid, _mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        let may = self.model.is_understood() && actions.contains(ActionId::Action6) && self.plans < PLANS;
        let now = self.model.layout().filter(|_| may)?.clone();
        let (reached, out) = self.best(&now)?;
        let (steps, foreseen) = self.walk(&reached, out)?;
        let (_, block, key) = out;
        let color = self.model.blocks()[block].color;
        self.proposed = (foreseen, Some((color, key)));
        let base = if self.model.has_won(block, key) { PROVEN } else { PLAN };
        let score = base + steps.len() as f32;
        let steps = steps.into_iter().map(|action| Move { action, expected: None }).collect();
        Some(Proposal { steps, goal: format!("drive the {color} out by {}", Action::Key(key).id()), score })
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
    }
}

#[cfg(test)]
mod tests {
    use env_client::Point;
    use world_model::Outcome;

    use super::*;

    /// Four by four tiles; the lying block has to leave to the right in its row, where the rim is broken, and the standing one is in
    /// its way.
    struct Lot {
        at: [(i16, i16); 2],
        picked: Option<usize>,
        is_out: bool,
    }

    const SIZES: [(i16, i16); 2] = [(2, 1), (1, 2)];
    const TILE: i16 = 5;
    const EDGE: i16 = 8;

    impl Lot {
        fn cells(&self, block: usize) -> Vec<(i16, i16)> {
            let ((x, y), (width, height)) = (self.at[block], SIZES[block]);
            (y..y + height).flat_map(|y| (x..x + width).map(move |x| (x, y))).collect()
        }

        fn frame(&self) -> Grid {
            let mut frame = Grid::filled(40, 40, Color::of(3));
            let mut fill = |(x, y): (i16, i16), (width, height): (i16, i16), color: u8| {
                let cells = (y..y + height).flat_map(|y| (x..x + width).map(move |x| (x, y)));
                cells.for_each(|(x, y)| frame.set(Point::new(x, y).unwrap(), Color::of(color)));
            };
            fill((EDGE, EDGE), (4 * TILE, 4 * TILE), 1);
            fill((EDGE + 4 * TILE, EDGE + TILE), (2, 2), 1);
            for (block, color) in [(0, 8), (1, 14)] {
                let ((x, y), (width, height)) = (self.at[block], SIZES[block]);
                let corner = (EDGE + TILE * x + 1, EDGE + TILE * y + 1);
                fill(corner, (TILE * width - 2, TILE * height - 2), color);
                if self.picked == Some(block) {
                    fill((corner.0 + 1, corner.1 + 1), (1, 1), 0);
                }
            }
            frame
        }

        fn act(&mut self, action: Action) {
            match (action, self.picked) {
                (Action::Click(at), _) => {
                    let tile = ((i16::from(at.x()) - EDGE) / TILE, (i16::from(at.y()) - EDGE) / TILE);
                    self.picked = (0..2).find(|block| self.cells(*block).contains(&tile)).or(self.picked);
                }
                (Action::Key(key), Some(block)) => self.drive(block, key),
                _ => {}
            }
        }

        fn drive(&mut self, block: usize, key: Key) {
            let (dx, dy) = match key {
                Key::Key1 => (0, -1),
                Key::Key2 => (0, 1),
                Key::Key3 => (-1, 0),
                _ => (1, 0),
            };
            let old = self.at[block];
            self.is_out |= block == 0 && old.0 == 2 && dx == 1;
            self.at[block] = (old.0 + dx, old.1 + dy);
            let other = self.cells(1 - block);
            let fits = |it: &(i16, i16)| (0..4).contains(&it.0) && (0..4).contains(&it.1) && !other.contains(it);
            if (SIZES[block].0 > SIZES[block].1) != (dx != 0) || !self.cells(block).iter().all(fits) {
                self.at[block] = old;
            }
        }
    }

    #[test]
    fn the_block_before_the_broken_rim_is_driven_out_and_the_other_one_out_of_its_way() {
        let (mut skill, mask) = (Park::default(), InterfaceMask::new());
        let ids = [ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action4, ActionId::Action6];
        let actions = ActionSet::of(&ids);
        let mut lot = Lot { at: [(0, 1), (3, 0)], picked: None, is_out: false };
        skill.begin(&lot.frame(), &mask, Start::Level);
        let mut act = |skill: &mut Park, action: Action| {
            let before = lot.frame();
            lot.act(action);
            let layers = [lot.frame()];
            skill.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues }, &mask);
            (lot.frame(), lot.is_out)
        };
        let click = |x: u8, y: u8| Action::Click(Point::new(x, y).unwrap());
        let key = Action::Key;
        for action in [click(26, 12), key(Key::Key2), click(12, 16), key(Key::Key4), key(Key::Key1)] {
            act(&mut skill, action);
        }
        let (frame, _) = act(&mut skill, key(Key::Key3));
        let proposal = skill.propose(&frame, &mask, actions).expect("blocks are understood");
        skill.taken_up();
        let solved: Vec<bool> = proposal.steps.iter().map(|step| act(&mut skill, step.action).1).collect();
        assert_eq!(solved, [false, false, false, false, false, true], "{:?}", proposal.steps);
    }
}
