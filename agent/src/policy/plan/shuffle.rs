//! The skill of things that change places: slide, exchange and turn them until they lie as a drawing beside them shows, or
//! else mirror each other.

use std::collections::VecDeque;

use env_client::{Action, ActionSet, Grid};
use world_model::{
    InterfaceMask, Outcome, Start, Transition,
    shuffles::{Content, Exchange, Shuffles, mirrors::Mirror},
};

use super::{
    ledger::TIER,
    levers::clicks_alone,
    mirrored::{crosswise, mirrored},
    quest::Quest,
    shortest::{Branch, cheapest},
    skill::{Move, Proposal, Skill},
};

/// A plan is as good as it is short, until one solved a level: then it comes before all that others would try.
const PLAN: f32 = 0.3 * TIER;
const PROVEN: f32 = 0.1 * TIER;
/// A plan to a symmetry that nothing speaks for: after what others know of.
const UNTOLD: f32 = 0.9 * TIER;
/// A click that is made again to understand it: before what others would try. And such clicks in one level. Guesses.
const RIDDLE: f32 = 0.5 * TIER;
const RIDDLES: usize = 4;
/// Pairs of clicks made in one level to see whether they exchange anything. A guess.
const PAIRS: usize = 2;
/// States that one search looks at.
const STATES: usize = 30_000;
/// How much the distance to what is wanted counts against actions: large boards are not solved by the shortest row.
const WEIGHT: usize = 2;

/// Understands contents that change places.
#[derive(Debug, Default)]
pub(super) struct Shuffle {
    model: Shuffles,
    quest: Quest<Goal, Vec<Content>>,
    /// The goal of the plan that is being carried out, and whether one of its kind ever solved a level: a drawing, and a symmetry.
    at_work: bool,
    is_mirroring: bool,
    has_won: [bool; 2],
    /// Clicks made in this level, each to be the second of a pair, and again where more changed than was understood.
    paired: usize,
    riddles: usize,
    /// Which of those was proposed.
    trial: Option<Trial>,
    /// [`Shuffles::mistakes`] when the last plan was made.
    mistakes: usize,
}

/// An experiment that is made a few times in a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trial {
    Pair,
    Riddle,
}

/// What should lie in each slot, where something is said of it.
type Wanted = Vec<Option<Content>>;

/// What may be wanted.
#[derive(Debug, PartialEq)]
enum Goal {
    /// All as it is drawn beside.
    Drawn(Wanted),
    /// Everything like its image.
    Mirrored(Mirror),
}

impl Skill for Shuffle {
    fn name(&self) -> &'static str {
        "shuffle"
    }

    fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.model.begin(frame, mask, start);
        if start == Start::Level {
            self.quest = Quest::default();
            (self.riddles, self.paired) = (0, 0);
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.has_won[usize::from(self.is_mirroring)] |= self.at_work && step.outcome == Outcome::Solved;
        if self.model.observe(step, mask) {
            self.quest.learned();
        }
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.quest.rest();
        (self.at_work, self.is_mirroring, self.trial) = (false, false, None);
        self.mistakes = self.model.mistakes();
        let Some(now) = self.model.read(frame) else { return self.experiment(actions) };
        let drawn = self.model.wanted(frame, mask);
        let is_told = !drawn.is_empty();
        let plan = self.as_drawn((frame, actions), &now, drawn);
        let plan = plan.or_else(|| self.as_mirrored((frame, actions), &now, (mask, is_told)));
        plan.or_else(|| self.experiment(actions))
    }

    fn recognizes(&self, expected: &Grid, seen: &Grid, _mask: &InterfaceMask) -> bool {
        self.model.mistakes() == self.mistakes && self.model.read(expected) == self.model.read(seen)
    }

    fn taken_up(&mut self) {
        self.quest.taken_up();
        self.at_work = true;
        match self.trial {
            Some(Trial::Pair) => self.paired += 1,
            Some(Trial::Riddle) => self.riddles += 1,
            None => {}
        }
    }

    fn in_vain(&mut self) {
        self.quest.in_vain();
    }
}

impl Shuffle {
    /// A plan to what a drawing shows.
    fn as_drawn(&mut self, now: (&Grid, ActionSet), slots: &[Content], drawn: Vec<Wanted>) -> Option<Proposal> {
        let open = drawn.into_iter().filter(|wanted| !is_done(wanted, slots));
        let mut plans = open.filter_map(|wanted| {
            self.quest.plan(slots.to_vec(), Goal::Drawn(wanted.clone()), |slots, _| {
                let steps = plan(&self.model, now, slots, &wanted)?;
                let score = if self.has_won[0] { PROVEN } else { PLAN + steps.len() as f32 };
                Some(Proposal { steps, goal: "everything where the drawing shows it".to_owned(), score })
            })
        });
        plans.next()
    }

    /// A plan to a symmetry: to one that something speaks for, to others only where no drawing tells what is wanted and there
    /// are no arrows, as what those push about changes places, too. Of those that are equally likely the one that comes first
    /// asks for the fewest steps.
    fn as_mirrored(
        &mut self,
        now: (&Grid, ActionSet),
        slots: &[Content],
        (mask, is_told): (&InterfaceMask, bool),
    ) -> Option<Proposal> {
        let held = self.model.held(now.0);
        let may_guess = !is_told && clicks_alone(now.1);
        let place = slots.to_vec();
        let open = self.model.mirrors(now.0, mask).into_iter().filter(|(_, speaks)| *speaks || may_guess);
        for (mirror, speaks) in open {
            if !self.quest.is_open(&place, &Goal::Mirrored(mirror)) {
                continue;
            }
            let Some(wanted) = mirrored(slots, &self.model.groups(mirror), &held).filter(|it| it != slots) else {
                continue;
            };
            let wanted: Wanted = wanted.into_iter().map(Some).collect();
            let plan = self.quest.plan(place.clone(), Goal::Mirrored(mirror), |slots, _| {
                let steps = mirroring(&self.model, now, slots, (&wanted, &held))?;
                let score = if speaks { PLAN } else { UNTOLD } + steps.len() as f32;
                let score = if self.has_won[1] { PROVEN } else { score };
                Some(Proposal { steps, goal: "everything like its image in a mirror".to_owned(), score })
            });
            self.is_mirroring = plan.is_some();
            if plan.is_some() {
                return plan;
            }
        }
        None
    }

    /// Makes a click again that nobody understands yet, clicks a strange fitting, makes a pair of clicks, or presses an arrow
    /// that may move a hole.
    fn experiment(&mut self, actions: ActionSet) -> Option<Proposal> {
        let riddle = self.model.riddle().filter(|_| self.riddles < RIDDLES);
        let again = riddle.map(|it| (it, "see once more what turned"));
        let arrow = self.model.untried().map(|it| (Action::Key(it), "see what slides into the hole"));
        let strange = self.model.strange().map(|it| (it, "see in what way another fitting turns"));
        let known = again.or(strange).or(arrow);
        let second = || self.model.second(self.paired == 0).filter(|_| self.paired < PAIRS);
        let pair = if known.is_none() { second() } else { None };
        self.trial = riddle.map(|_| Trial::Riddle).or(pair.map(|_| Trial::Pair));
        let pair = pair.map(|it| (it, "see whether two clicks exchange what they are on"));
        let (action, goal) = known.or(pair).filter(|it| actions.contains(it.0.id()))?;
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
fn plan(
    model: &Shuffles,
    (frame, actions): (&Grid, ActionSet),
    now: &[Content],
    wanted: &Wanted,
) -> Option<VecDeque<Move>> {
    let start = (true, now.to_vec());
    let after = |(first, now): &(bool, Vec<Content>)| {
        let exchanges = model.exchanges(now, *first).into_iter();
        let open = exchanges.filter(|it| it.actions.iter().all(|action| actions.contains(action.id())));
        open.map(|it| Branch { cost: it.actions.len(), leads: (false, it.after.clone()), by: it }).collect()
    };
    let left = |(_, now): &(bool, Vec<Content>)| distance(model, wanted, now);
    moves(model, frame, cheapest(start, after, left, WEIGHT, STATES)?)
}

/// The same where what is held stays: where any two contents may change places, crosswise.
fn mirroring(
    model: &Shuffles,
    (frame, actions): (&Grid, ActionSet),
    now: &[Content],
    (wanted, held): (&Wanted, &[bool]),
) -> Option<VecDeque<Move>> {
    if !model.is_free() {
        return plan(model, (frame, actions), now, wanted);
    }
    let stays = |after: &[Content]| (0..now.len()).all(|slot| !held[slot] || after[slot] == now[slot]);
    let open = |now: &[Content], first: bool| -> Vec<Exchange> {
        let mut open = model.hoped(now, first);
        open.retain(|it| it.actions.iter().all(|action| actions.contains(action.id())) && stays(&it.after));
        open
    };
    moves(model, frame, crosswise(now, wanted, open)?)
}

/// The actions of some exchanges, each with what it should lead to where that is known.
fn moves(model: &Shuffles, frame: &Grid, exchanges: Vec<Exchange>) -> Option<VecDeque<Move>> {
    let mut steps: VecDeque<Move> = VecDeque::new();
    for exchange in exchanges {
        steps.extend(exchange.actions.iter().map(|action| Move { action: *action, expected: None }));
        steps.back_mut()?.expected = model.draw(frame, &exchange.after);
    }
    Some(steps)
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

    /// A row of clicks on tiles that changes places with what lies on the second one, the first only a mark around it.
    fn exchanged(skill: &mut Shuffle, frame: &Grid, (first, second): (u8, u8), after: &Grid) {
        let mut marked = frame.clone();
        marked.set(Point::new(1 + 4 * first, 0).unwrap(), Color::of(9));
        for (before, x, after) in [(frame, first, &marked), (&marked, second, after)] {
            let (action, layers) = (Action::Click(Point::new(2 + 4 * x, 2).unwrap()), std::slice::from_ref(after));
            skill.observe(&Transition { before, action, layers, outcome: Outcome::Continues }, &InterfaceMask::new());
        }
    }

    #[test]
    fn what_can_be_exchanged_is_made_to_mirror_itself_where_nothing_else_is_drawn() {
        let (mut skill, mask, actions) =
            (Shuffle::default(), InterfaceMask::new(), ActionSet::of(&[ActionId::Action6]));
        let frames = [["1221", "1212"], ["2121", "1212"]].map(|rows| drawn(rows, ["", ""]));
        skill.begin(&frames[0], &mask, Start::Level);
        exchanged(&mut skill, &frames[0], (0, 1), &frames[1]);
        let proposal = skill.propose(&frames[1], &mask, actions).unwrap();
        assert!(proposal.score > UNTOLD, "nothing speaks for it");
        let arrows = ActionSet::of(&[ActionId::Action1, ActionId::Action6]);
        assert_eq!(skill.propose(&frames[1], &mask, arrows), None, "arrows may have pushed it there");
        let reached = proposal.steps.back().and_then(|it| it.expected.clone()).unwrap();
        assert_eq!(proposal.steps.len(), 4);
        assert!(skill.model.mirrors(&reached, &mask).iter().any(|(mirror, _)| {
            let now = skill.model.read(&reached).unwrap();
            skill.model.groups(*mirror).iter().all(|group| group.iter().all(|slot| now[*slot] == now[group[0]]))
        }));
        let shown = drawn(["2121", "1212"], ["1122", "2211"]);
        skill.begin(&shown, &mask, Start::Level);
        let proposal = skill.propose(&shown, &mask, actions).unwrap();
        assert!(proposal.score < UNTOLD && proposal.goal.contains("drawing"), "{}", proposal.goal);
    }

    #[test]
    fn what_is_understood_by_nobody_is_seen_again_a_few_times_though_later_clicks_tell_nothing() {
        let (mut skill, mask, none) = (Shuffle::default(), InterfaceMask::new(), ["00", "00"]);
        let actions = ActionSet::of(&[ActionId::Action6]);
        let (at, dot) = (Point::new(4, 4).unwrap(), Point::new(20, 14).unwrap());
        let pinned = |rows: [&str; 2], color: usize| {
            let mut grid = drawn(rows, none);
            grid.set(at, Color::of(9));
            grid.set(dot, Color::ALL[color]);
            grid
        };
        // Each of those that turned may have come from either of two.
        let (before, mut now) = (pinned(["121", "213"], 0), pinned(["211", "123"], 0));
        let observe = |skill: &mut Shuffle, before: &Grid, after: &Grid| {
            let (action, layers) = (Action::Click(at), std::slice::from_ref(after));
            skill.observe(&Transition { before, action, layers, outcome: Outcome::Continues }, &mask);
        };
        skill.begin(&before, &mask, Start::Level);
        observe(&mut skill, &before, &now);
        let mut taken_up = 0;
        for color in 1..=2 * RIDDLES {
            let proposal = skill.propose(&now, &mask, actions);
            if proposal.is_some_and(|it| it.goal.contains("once more")) {
                skill.taken_up();
                taken_up += 1;
            }
            let next = pinned(["211", "123"], color);
            observe(&mut skill, &now, &next);
            now = next;
        }
        assert_eq!(taken_up, RIDDLES);
    }
}
