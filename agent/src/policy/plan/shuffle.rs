//! The skill of things that change places: slide, exchange and turn them until they lie as a drawing beside them shows.

use std::collections::VecDeque;

use env_client::{Action, ActionSet, Grid};
use world_model::{
    InterfaceMask, Outcome, Start, Transition,
    shuffles::{Content, Shuffles},
};

use super::{
    ledger::TIER,
    quest::Quest,
    shortest::{Branch, cheapest},
    skill::{Move, Proposal, Skill},
};

/// A plan is as good as it is short, until one solved a level: then it comes before all that others would try.
const PLAN: f32 = 0.3 * TIER;
const PROVEN: f32 = 0.1 * TIER;
/// A click that is made again to understand it: before what others would try. And such clicks in one level. Guesses.
const RIDDLE: f32 = 0.5 * TIER;
const RIDDLES: usize = 4;
/// States that one search looks at.
const STATES: usize = 30_000;
/// How much the distance to what is wanted counts against actions: large boards are not solved by the shortest row.
const WEIGHT: usize = 2;

/// Understands contents that change places.
#[derive(Debug, Default)]
pub(super) struct Shuffle {
    model: Shuffles,
    quest: Quest<Wanted, Vec<Content>>,
    /// Whether a plan is being carried out, and whether one ever solved a level.
    at_work: bool,
    has_won: bool,
    /// Clicks of this level that changed more than was understood.
    riddles: usize,
    /// [`Shuffles::mistakes`] when the last plan was made.
    mistakes: usize,
}

/// What should lie in each slot, where something is said of it.
type Wanted = Vec<Option<Content>>;

impl Skill for Shuffle {
    fn name(&self) -> &'static str {
        "shuffle"
    }

    fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.model.begin(frame, mask, start);
        if start == Start::Level {
            self.quest = Quest::default();
            self.riddles = 0;
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.has_won |= self.at_work && step.outcome == Outcome::Solved;
        if self.model.observe(step, mask) {
            self.quest.learned();
            self.riddles += usize::from(self.model.riddle().is_some());
        }
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.quest.rest();
        self.at_work = false;
        self.mistakes = self.model.mistakes();
        let Some(now) = self.model.read(frame) else { return self.experiment(actions) };
        let wanted = self.model.wanted(frame, mask);
        let open = wanted.into_iter().filter(|wanted| !is_done(wanted, &now));
        let mut plans = open.filter_map(|wanted| {
            self.quest.plan(now.clone(), wanted, |now, wanted| plan(&self.model, (frame, actions), now, wanted))
        });
        match plans.next() {
            Some(plan) => Some(Proposal { score: if self.has_won { PROVEN } else { plan.score }, ..plan }),
            None => self.experiment(actions),
        }
    }

    fn recognizes(&self, expected: &Grid, seen: &Grid, _mask: &InterfaceMask) -> bool {
        self.model.mistakes() == self.mistakes && self.model.read(expected) == self.model.read(seen)
    }

    fn taken_up(&mut self) {
        self.quest.taken_up();
        self.at_work = true;
    }

    fn in_vain(&mut self) {
        self.quest.in_vain();
    }
}

impl Shuffle {
    /// Makes a click again that nobody understands yet, clicks a strange fitting, or presses an arrow that may move a hole.
    fn experiment(&self, actions: ActionSet) -> Option<Proposal> {
        let riddle = self.model.riddle().filter(|_| self.riddles <= RIDDLES);
        let again = riddle.map(|it| (it, "see once more what turned"));
        let arrow = self.model.untried().map(|it| (Action::Key(it), "see what slides into the hole"));
        let strange = self.model.strange().map(|it| (it, "see in what way another fitting turns"));
        let (action, goal) = again.or(strange).or(arrow).filter(|it| actions.contains(it.0.id()))?;
        Some(Proposal::experiment(action, goal.to_owned(), RIDDLE))
    }
}

fn is_done(wanted: &Wanted, now: &[Content]) -> bool {
    wanted.iter().zip(now).all(|(wanted, it)| wanted.is_none_or(|wanted| wanted == *it))
}

/// Steps that tiles are away from the nearest slot in which they are wanted, where clicks turn some of them over how many
/// those go at once; where any two may be exchanged, half as many as lie wrong.
fn distance(model: &Shuffles, wanted: &Wanted, now: &[Content]) -> usize {
    let wrong = || (0..now.len()).filter(|slot| wanted[*slot].is_some_and(|it| it != now[*slot]));
    let stride = model.stride();
    if stride.is_none() && !model.is_stepwise() {
        return wrong().count().div_ceil(2);
    }
    let away = |slot: usize| {
        let places = (0..now.len()).filter(|it| wanted[slot] == Some(now[*it]));
        places.map(|it| model.distance(slot, it) as usize).min().unwrap_or_default()
    };
    wrong().map(away).sum::<usize>().div_ceil(stride.map_or(1, |it| it.max(1) as usize))
}

/// A short row of actions that brings everything where it is wanted, with what each exchange should lead to.
fn plan(model: &Shuffles, (frame, actions): (&Grid, ActionSet), now: &[Content], wanted: &Wanted) -> Option<Proposal> {
    let start = (true, now.to_vec());
    let after = |(first, now): &(bool, Vec<Content>)| {
        let exchanges = model.exchanges(now, *first).into_iter();
        let open = exchanges.filter(|it| it.actions.iter().all(|action| actions.contains(action.id())));
        open.map(|it| Branch { cost: it.actions.len(), leads: (false, it.after.clone()), by: it }).collect()
    };
    let left = |(_, now): &(bool, Vec<Content>)| distance(model, wanted, now);
    let exchanges = cheapest(start, after, left, WEIGHT, STATES)?;
    let mut steps: VecDeque<Move> = VecDeque::new();
    for exchange in exchanges {
        steps.extend(exchange.actions.iter().map(|action| Move { action: *action, expected: None }));
        steps.back_mut()?.expected = model.draw(frame, &exchange.after);
    }
    let score = PLAN + steps.len() as f32;
    Some(Proposal { steps, goal: "everything where the drawing shows it".to_owned(), score })
}

#[cfg(test)]
mod tests {
    use env_client::{ActionId, Color, Key, Point};

    use super::*;

    /// Tiles three cells wide, one apart, 0 for the hole, and a picture of how they should lie.
    fn drawn(rows: [&str; 2], picture: [&str; 2]) -> Grid {
        let mut grid = Grid::filled(32, 16, Color::of(0));
        let mut square = |left: usize, top: usize, side: usize, tile: u8| {
            for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
                grid.set(Point::new((left + x) as u8, (top + y) as u8).unwrap(), Color::of(tile - b'0'));
            }
        };
        for (at, side, rows) in [(1, 3, rows), (24, 2, picture)] {
            for (y, row) in rows.iter().enumerate() {
                row.bytes()
                    .enumerate()
                    .for_each(|(x, tile)| square(at + (side + side / 3) * x, 1 + (side + side / 3) * y, side, tile));
            }
        }
        grid
    }

    #[test]
    fn tiles_slide_to_where_the_picture_shows_them() {
        let (mut skill, mask) = (Shuffle::default(), InterfaceMask::new());
        let arrows = [ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action4];
        let (picture, actions) = (["12", "35"], ActionSet::of(&arrows));
        // The hole goes down, left and up.
        let frames = [["10", "32"], ["12", "30"], ["12", "03"], ["02", "13"]].map(|rows| drawn(rows, picture));
        skill.begin(&frames[0], &mask, Start::Level);
        for (index, key) in [Key::Key2, Key::Key3, Key::Key1].into_iter().enumerate() {
            let layers = [frames[index + 1].clone()];
            let step = Transition {
                before: &frames[index],
                action: Action::Key(key),
                layers: &layers,
                outcome: Outcome::Continues,
            };
            skill.observe(&step, &mask);
        }
        assert_eq!(
            skill.propose(&frames[1], &mask, actions),
            None,
            "as drawn, though there is no such hole in the picture"
        );
        let far = drawn(["20", "13"], picture);
        let proposal = skill.propose(&far, &mask, actions).unwrap();
        let keys: Vec<Action> = proposal.steps.iter().map(|it| it.action).collect();
        assert_eq!(keys, [Key::Key3, Key::Key2, Key::Key4].map(Action::Key), "right was never pressed");
    }

    #[test]
    fn where_one_slot_is_bare_an_arrow_is_pressed_to_see_what_slides() {
        let (mut skill, mask, none) = (Shuffle::default(), InterfaceMask::new(), ["00", "00"]);
        let [before, after] = [["12", "35"], ["21", "35"]].map(|rows| drawn(rows, none));
        let mut marked = before.clone();
        marked.set(Point::new(20, 14).unwrap(), Color::of(9));
        skill.begin(&before, &mask, Start::Level);
        for (before, after, x) in [(&before, &marked, 2), (&marked, &after, 6)] {
            let action = Action::Click(Point::new(x, 2).unwrap());
            let layers = std::slice::from_ref(after);
            skill.observe(&Transition { before, action, layers, outcome: Outcome::Continues }, &mask);
        }
        let next = drawn(["12", "30"], none);
        skill.begin(&next, &mask, Start::Level);
        let proposal = skill.propose(&next, &mask, ActionSet::of(&[ActionId::Action1, ActionId::Action6])).unwrap();
        assert_eq!(proposal.steps[0].action, Action::Key(Key::Key1));
        assert_eq!(skill.propose(&next, &mask, ActionSet::of(&[ActionId::Action6])), None, "no arrows there");
    }
}
