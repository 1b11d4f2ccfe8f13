//! The skill of things that stand anywhere and change places by two clicks: make them mirror each other about the lines that
//! are drawn.

use std::collections::VecDeque;

use env_client::{ActionId, ActionSet, Grid};
use world_model::{
    InterfaceMask, Start, Transition,
    shuffles::Exchange,
    trades::{BARE, Thing, Trades},
};

use super::{
    ledger::TIER,
    mirrored::{crosswise, mirrored},
    skill::{Move, Proposal, Skill},
};

/// A plan; where one solved a level before, it comes before all that others would try. Guesses.
const PLAN: f32 = 0.3 * TIER;
const PROVEN: f32 = 0.1 * TIER;
/// A second click to see whether two exchange what they are on, and such clicks in one level. Guesses.
const RIDDLE: f32 = 0.5 * TIER;
const PAIRS: usize = 2;
/// Plans in one level after which the rest is left to others. A guess.
const PLANS: u32 = 12;

/// What stands on all seats after each click of a plan, where that is known.
type Foreseen = VecDeque<Option<Vec<Thing>>>;

/// What was proposed last.
#[derive(Debug, Default)]
enum Proposed {
    #[default]
    Nothing,
    Pair,
    PutBack,
    Plan(Foreseen),
}

/// Understands things that change places.
#[derive(Debug, Default)]
pub(super) struct Trading {
    model: Trades,
    proposed: Proposed,
    foreseen: Foreseen,
    is_surprised: bool,
    plans: u32,
    pairs: usize,
    has_won: bool,
}

impl Trading {
    /// The exchanges that make all seats like their images.
    fn exchanges(&self, now: &[Thing]) -> Option<Vec<Exchange>> {
        let held = self.model.held();
        let wanted = mirrored(now, &self.model.groups()?, &held)?;
        let wanted: Vec<Option<Thing>> = wanted.into_iter().map(Some).collect();
        let open = |now: &[Thing], _: bool| {
            let seats = || (0..now.len()).filter(|it| !held[*it]);
            let pairs = seats().flat_map(|a| seats().map(move |b| (a, b)));
            // The first click is one on a thing.
            let pairs = pairs.filter(|(a, b)| now[*a] != now[*b] && now[*a] != BARE && (now[*b] == BARE || a < b));
            let made = pairs.filter_map(|(a, b)| {
                let mut after = now.to_vec();
                after.swap(a, b);
                Some(Exchange { actions: vec![self.model.click(a)?, self.model.click(b)?], after })
            });
            made.collect()
        };
        crosswise(now, &wanted, open).filter(|it| !it.is_empty())
    }

    fn plan(&mut self, now: &[Thing]) -> Option<Proposal> {
        let exchanges = self.exchanges(now)?;
        let actions = exchanges.iter().flat_map(|it| it.actions.iter());
        let steps: VecDeque<Move> = actions.map(|action| Move { action: *action, expected: None }).collect();
        self.proposed = Proposed::Plan(exchanges.into_iter().flat_map(|it| [None, Some(it.after)]).collect());
        let score = if self.has_won { PROVEN } else { PLAN } + steps.len() as f32;
        Some(Proposal { steps, goal: "everything like its image about the lines".to_owned(), score })
    }
}

impl Skill for Trading {
    fn name(&self) -> &'static str {
        "trades"
    }

    fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.model.begin(frame, mask, start);
        self.foreseen.clear();
        if start == Start::Level {
            (self.plans, self.pairs) = (0, 0);
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.model.observe(step, mask);
        let expected = self.foreseen.pop_front();
        self.has_won |= step.outcome == world_model::Outcome::Solved && expected.is_some() && self.foreseen.is_empty();
        let is_other = expected.is_some_and(|it| match it {
            Some(things) => self.model.put_back().is_some() || self.model.read() != Some(things),
            None => self.model.put_back().is_none(),
        });
        self.is_surprised = is_other;
    }

    fn propose(&mut self, _frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.proposed = Proposed::Nothing;
        if !actions.contains(ActionId::Action6) || self.plans >= PLANS {
            return None;
        }
        if !self.model.is_understood() {
            let second = self.model.second(mask).filter(|_| self.pairs < PAIRS)?;
            self.proposed = Proposed::Pair;
            return Some(Proposal::experiment(second, "see whether two clicks exchange things".to_owned(), RIDDLE));
        }
        let now = self.model.read()?;
        let plan = self.plan(&now)?;
        let Some(action) = self.model.put_back() else { return Some(plan) };
        self.proposed = Proposed::PutBack;
        Some(Proposal::experiment(action, "put back what is chosen".to_owned(), PLAN))
    }

    fn gives_up(&self) -> bool {
        self.is_surprised
    }

    fn taken_up(&mut self) {
        self.foreseen.clear();
        match std::mem::take(&mut self.proposed) {
            Proposed::Nothing => {}
            Proposed::Pair => self.pairs += 1,
            Proposed::PutBack => self.plans += 1,
            Proposed::Plan(foreseen) => {
                self.foreseen = foreseen;
                self.plans += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use env_client::{Action, Color, Point};
    use world_model::Outcome;

    use super::*;

    /// Boxes four cells wide at the sides of a line from corner to corner: 0 is no box; the last one cannot be moved.
    struct Tray {
        boxes: [u8; 6],
        chosen: Option<usize>,
    }

    const PLACES: [(u8, u8); 6] = [(3, 12), (12, 3), (6, 30), (30, 6), (20, 28), (28, 20)];

    impl Tray {
        fn frame(&self) -> Grid {
            let mut frame = Grid::filled(40, 40, Color::of(0));
            (0..40).for_each(|it| frame.set(Point::new(it, it).unwrap(), Color::of(5)));
            for (index, (left, top)) in PLACES.into_iter().enumerate() {
                for (x, y) in (0..4).flat_map(|y| (0..4).map(move |x| (x, y))) {
                    frame.set(Point::new(left + x, top + y).unwrap(), Color::of(self.boxes[index]));
                }
                if self.chosen == Some(index) {
                    (0..4).for_each(|x| frame.set(Point::new(left + x, top - 1).unwrap(), Color::of(11)));
                }
            }
            frame
        }

        fn click(&mut self, at: Point) {
            let is_on =
                |(left, top): &(u8, u8)| (*left..left + 4).contains(&at.x()) && (*top..top + 4).contains(&at.y());
            match (PLACES.iter().position(is_on), self.chosen) {
                (Some(5) | None, _) => {}
                (Some(place), Some(chosen)) => {
                    self.boxes.swap(place, chosen);
                    self.chosen = None;
                }
                (Some(place), None) if self.boxes[place] != 0 => self.chosen = Some(place),
                _ => {}
            }
        }

        fn act(&mut self, skill: &mut Trading, action: Action) {
            let (before, Action::Click(at)) = (self.frame(), action) else { panic!() };
            self.click(at);
            let layers = [self.frame()];
            let step = Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues };
            skill.observe(&step, &InterfaceMask::new());
        }
    }

    #[test]
    fn boxes_come_to_mirror_each_other_though_one_cannot_be_moved() {
        let (mut skill, mask) = (Trading::default(), InterfaceMask::new());
        let mut tray = Tray { boxes: [7, 8, 0, 7, 0, 8], chosen: None };
        skill.begin(&tray.frame(), &mask, Start::Level);
        tray.act(&mut skill, Action::Click(Point::new(4, 13).unwrap()));
        let pair = skill.propose(&tray.frame(), &mask, ActionSet::ALL).unwrap();
        assert!(pair.goal.contains("exchange"));
        skill.taken_up();
        tray.act(&mut skill, pair.steps[0].action);
        for _ in 0..3 {
            let Some(plan) = skill.propose(&tray.frame(), &mask, ActionSet::ALL) else { break };
            skill.taken_up();
            for step in plan.steps {
                tray.act(&mut skill, step.action);
                if skill.gives_up() {
                    break;
                }
            }
        }
        let is_alike = tray.boxes.chunks(2).all(|it| it[0] == it[1]);
        assert!(is_alike, "{:?}", tray.boxes);
    }
}
