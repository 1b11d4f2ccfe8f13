//! The skill of clicking what a key brought to light.
//!
//! A key that moves nothing may show what was hidden ([`super::surveys`]). One of each colour is clicked; where that was
//! answered more often than not, each of them is clicked as soon as it is seen. And since they lie where they lay when a
//! level begins again, those that were clicked then are clicked unseen, unless such a click is not answered: then all of them
//! have to be brought to light anew. Parts that touch each other are one thing, which one click tells of.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, VecDeque},
};

use env_client::{Action, ActionId, ActionSet, Color, Grid, Point};
use world_model::{InterfaceMask, Outcome, Scene, Start, Transition};

use super::{
    ledger::TIER,
    skill::{Proposal, Skill},
    surveys::is_inside,
};

/// Before nearly everything: it costs one action.
const SCORE: f32 = -3.0 * TIER;

/// Clicks what came to light.
#[derive(Debug, Default)]
pub(super) struct Finds {
    /// How much more often clicks on such things were answered than not, by their colour, in this game.
    answers: BTreeMap<Color, i32>,
    /// How much more often keys changed nothing but ground than they did, in this game: what moves things may show them, too.
    shows: BTreeMap<ActionId, i32>,
    /// What came to light in this level and was not clicked: a cell of each thing, and its colour.
    lit: Vec<(Point, Color)>,
    /// All cells that came to light in this level.
    known: BTreeSet<Point>,
    /// Where clicks on such things were answered in this level, and what of that is to be clicked again.
    found: Vec<(Point, Color)>,
    again: VecDeque<(Point, Color)>,
    /// Whether a click on what was not seen was in vain in this game.
    must_see: bool,
}

impl Finds {
    /// A click on something that came to light, or did so before the level began again.
    fn clicked(&mut self, at: Point, is_answered: bool) {
        let unseen = self.again.pop_front_if(|it| it.0 == at);
        let lit = self.lit.iter().position(|it| it.0 == at).map(|index| self.lit.remove(index));
        if unseen.is_some() && lit.is_none() && !is_answered {
            self.must_see = true;
            self.again.clear();
            return;
        }
        let Some(thing) = lit.or(unseen) else { return };
        *self.answers.entry(thing.1).or_default() += if is_answered { 1 } else { -1 };
        self.found.retain(|it| it.0 != at);
        if is_answered {
            self.found.push(thing);
        }
    }

    /// Whether clicks on such things of this colour were answered, as far as anybody knows.
    fn may_answer(&self, color: Color) -> bool {
        self.answers.get(&color).is_none_or(|answers| *answers > 0)
    }
}

impl Skill for Finds {
    fn name(&self) -> &'static str {
        "finds"
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, start: Start) {
        if start == Start::Level {
            self.found.clear();
        }
        self.known.clear();
        self.lit.clear();
        self.again = self.found.iter().copied().filter(|_| !self.must_see).collect();
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let after = step.after();
        match step.action {
            Action::Click(at) => {
                let changed = after.is_some_and(|after| after.get(at) != step.before.get(at));
                self.clicked(at, step.outcome == Outcome::Solved || changed);
            }
            Action::Key(_) => {
                let Some(lit) = after.and_then(|after| lit(step.before, after, mask, &self.known)) else { return };
                let shows = self.shows.entry(step.action.id()).or_default();
                *shows += if lit.is_empty() { -1 } else { 1 };
                if *shows > 0 {
                    self.known.extend(lit.iter().flat_map(|it| &it.cells));
                    self.lit.extend(lit.iter().filter_map(|it| Some((*it.cells.first()?, it.color))));
                }
            }
        }
    }

    fn propose(&mut self, frame: &Grid, _mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        if !actions.contains(ActionId::Action6) {
            return None;
        }
        self.lit.retain(|(at, color)| frame.get(*at) == Some(*color));
        let lit = self.lit.iter().find(|(_, color)| self.may_answer(*color));
        let at = self.again.front().or(lit)?.0;
        Some(Proposal::experiment(Action::Click(at), format!("click what came to light at {at}"), SCORE))
    }
}

/// A thing that came to light.
#[derive(Debug, PartialEq, Eq)]
struct Lit {
    color: Color,
    cells: Vec<Point>,
}

/// The things that came to light, where all that changed in the world was ground, but for what is known to be there and for
/// what covers a piece and looks like the others; `None` where nothing changed. What went on beside, at the edge, came from
/// there.
fn lit(before: &Grid, after: &Grid, mask: &InterfaceMask, known: &BTreeSet<Point>) -> Option<Vec<Lit>> {
    let is_world = |at: &Point| !mask.hides(*at) && !known.contains(at);
    let all = before.differences(after)?.filter(is_world);
    let (changed, edge): (Vec<Point>, Vec<Point>) = all.partition(|at| is_inside(before, *at));
    if changed.is_empty() {
        return None;
    }
    let (old, new) = (Scene::of(before), &Scene::of(after));
    let was_ground = |at: &&Point| old.component_at(**at).is_some_and(|index| old.is_ground(index));
    let (bare, covered): (Vec<&Point>, Vec<&Point>) = changed.iter().partition(was_ground);
    let colors: BTreeSet<Option<Color>> = bare.iter().map(|at| after.get(**at)).collect();
    let is_alike = |at: &&Point| colors.contains(&after.get(**at));
    if !covered.iter().all(is_alike) || edge.iter().any(|at| changed.iter().any(|it| is_beside(*at, *it))) {
        return Some(Vec::new());
    }
    let things: BTreeSet<usize> = changed.iter().filter_map(|at| new.component_at(*at)).collect();
    let lit = things.into_iter().map(|index| {
        let cells = changed.iter().filter(|at| new.component_at(**at) == Some(index)).copied().collect();
        (&new.components()[index], Lit { color: new.components()[index].color, cells })
    });
    let whole = lit.filter(|(it, lit)| usize::from(it.area) == lit.cells.len()).map(|(_, lit)| lit);
    Some(whole.fold(Vec::new(), joined))
}

/// Whether two cells share a side.
fn is_beside(a: Point, b: Point) -> bool {
    a.x().abs_diff(b.x()) + a.y().abs_diff(b.y()) == 1
}

/// These things and one more, which is a part of those that it touches: the largest part tells the colour.
fn joined(things: Vec<Lit>, part: Lit) -> Vec<Lit> {
    let touches = |it: &Lit| it.cells.iter().any(|a| part.cells.iter().any(|b| is_beside(*a, *b)));
    let (own, mut others): (Vec<Lit>, Vec<Lit>) = things.into_iter().partition(touches);
    let mut parts: Vec<Lit> = own.into_iter().chain([part]).collect();
    parts.sort_by_key(|it| Reverse(it.cells.len()));
    let color = parts[0].color;
    others.push(Lit { color, cells: parts.into_iter().flat_map(|it| it.cells).collect() });
    others
}

#[cfg(test)]
mod tests {
    use env_client::Key;

    use super::*;

    const PRESS: Action = Action::Key(Key::Key5);

    fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    fn ground() -> Grid {
        Grid::filled(24, 24, Color::of(0))
    }

    /// The ground with things of a colour on it.
    fn with(things: &[(u8, u8)], color: u8) -> Grid {
        let mut frame = ground();
        for (x, y) in things {
            frame.set(at(*x, *y), Color::of(color));
        }
        frame
    }

    fn act(finds: &mut Finds, action: Action, before: &Grid, after: &Grid, outcome: Outcome) {
        let layers = std::slice::from_ref(after);
        finds.observe(&Transition { before, action, layers, outcome }, &InterfaceMask::new());
    }

    fn proposed(finds: &mut Finds, frame: &Grid) -> Option<Action> {
        let proposal = finds.propose(frame, &InterfaceMask::new(), ActionSet::of(&[ActionId::Action6]))?;
        Some(proposal.steps[0].action)
    }

    #[test]
    fn what_came_to_light_is_clicked_where_that_was_answered_and_again_unseen() {
        let (mut finds, mask) = (Finds::default(), InterfaceMask::new());
        let lit = with(&[(8, 8), (12, 9)], 2);
        let mut clicked = lit.clone();
        clicked.set(at(8, 8), Color::of(5));
        finds.begin(&ground(), &mask, Start::Level);
        act(&mut finds, PRESS, &ground(), &lit, Outcome::Continues);
        assert_eq!(proposed(&mut finds, &lit), Some(Action::Click(at(8, 8))), "nobody knows whether that is answered");
        act(&mut finds, Action::Click(at(8, 8)), &lit, &clicked, Outcome::Continues);
        assert_eq!(proposed(&mut finds, &clicked), Some(Action::Click(at(12, 9))));
        finds.begin(&ground(), &mask, Start::Again);
        assert_eq!(proposed(&mut finds, &ground()), Some(Action::Click(at(8, 8))), "it lies where it lay");
        act(&mut finds, Action::Click(at(8, 8)), &ground(), &ground(), Outcome::Lost);
        assert_eq!(proposed(&mut finds, &ground()), None);
        act(&mut finds, PRESS, &ground(), &lit, Outcome::Continues);
        assert_eq!(proposed(&mut finds, &lit), Some(Action::Click(at(8, 8))), "it is seen again");
        act(&mut finds, Action::Click(at(8, 8)), &lit, &clicked, Outcome::Continues);
        finds.begin(&ground(), &mask, Start::Again);
        assert_eq!(proposed(&mut finds, &ground()), None, "it has to be seen");
        act(&mut finds, PRESS, &ground(), &lit, Outcome::Continues);
        assert_eq!(proposed(&mut finds, &lit), Some(Action::Click(at(8, 8))));
    }

    #[test]
    fn parts_that_touch_are_one_thing_of_the_colour_of_the_largest() {
        let mut lit_up = with(&[(8, 8), (8, 9), (12, 9)], 2);
        lit_up.set(at(8, 10), Color::of(3));
        let lit = lit(&ground(), &lit_up, &InterfaceMask::new(), &BTreeSet::new()).unwrap();
        let seen: BTreeSet<(u8, usize)> = lit.iter().map(|it| (it.color.index() as u8, it.cells.len())).collect();
        assert_eq!((lit.len(), seen), (2, [(2, 3), (2, 1)].into()));
    }

    #[test]
    fn one_of_each_colour_is_clicked_before_that_is_known() {
        let mut finds = Finds::default();
        let mut lit = with(&[(8, 8), (12, 9)], 2);
        lit.set(at(16, 8), Color::of(3));
        finds.begin(&ground(), &InterfaceMask::new(), Start::Level);
        act(&mut finds, PRESS, &ground(), &lit, Outcome::Continues);
        assert_eq!(proposed(&mut finds, &lit), Some(Action::Click(at(8, 8))));
        act(&mut finds, Action::Click(at(8, 8)), &lit, &lit, Outcome::Continues);
        assert_eq!(proposed(&mut finds, &lit), Some(Action::Click(at(16, 8))), "the other one of 2 is no better");
    }

    #[test]
    fn what_comes_to_light_over_a_piece_is_one_of_those_that_look_alike() {
        let lit = |after: &Grid| lit(&with(&[(8, 8)], 5), after, &InterfaceMask::new(), &BTreeSet::new());
        let found: Vec<Point> = lit(&with(&[(8, 8), (12, 9)], 2)).unwrap().iter().map(|it| it.cells[0]).collect();
        assert_eq!(found, [at(8, 8), at(12, 9)]);
        assert_eq!(lit(&with(&[(8, 8)], 2)), Some(Vec::new()), "the piece changed its colour");
    }

    #[test]
    fn what_moved_did_not_come_to_light() {
        let lit = |before: &Grid, after: &Grid| lit(before, after, &InterfaceMask::new(), &BTreeSet::new());
        assert_eq!(lit(&with(&[(8, 8)], 2), &with(&[(9, 8)], 2)), Some(Vec::new()));
        assert_eq!(lit(&ground(), &with(&[(2, 1)], 2)), None, "a gauge at the rim");
        assert_eq!(lit(&with(&[(8, 8)], 2), &with(&[(8, 8), (9, 8)], 2)), Some(Vec::new()), "something grew");
        assert_eq!(lit(&with(&[(9, 20)], 2), &with(&[(9, 19)], 2)), Some(Vec::new()), "it came from the edge");
        let thing = Lit { color: Color::of(2), cells: vec![at(9, 8)] };
        assert_eq!(lit(&ground(), &with(&[(9, 8)], 2)), Some(vec![thing]));
        let mut finds = Finds::default();
        act(&mut finds, PRESS, &with(&[(8, 8)], 2), &with(&[(9, 8)], 2), Outcome::Continues);
        act(&mut finds, PRESS, &ground(), &with(&[(9, 8)], 2), Outcome::Continues);
        assert_eq!(proposed(&mut finds, &with(&[(9, 8)], 2)), None, "it came from behind something");
    }
}
