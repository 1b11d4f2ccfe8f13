//! Actions that bring to light what is hidden around the pieces.
//!
//! Where pressing showed something that was not there before, at some distance and at the cost of nothing else, there may
//! be more of it elsewhere: pressing is worth a walk to where no press has reached yet. Where what came to light was what
//! solved a level, that comes first in the next one, as long as nothing of it is left to be dealt with. A gauge that
//! every press changed tells when there is none left to take: only the level begun again gives more.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{ActionId, Color, Grid, Point};
use world_model::{Advance, Bounds};

use super::{
    commits::places,
    ledger::{FRONTIER, TIER},
    things::{RIM, Things},
};

/// What a press where none has reached yet is worth: after things never touched, and after clicks on what came to light. A
/// guess.
const FURTHER: f32 = 1.7 * TIER;
/// The same where what came to light solved a level: before things that helped to solve one. A guess.
const FIRST: f32 = -2.0 * TIER;
/// What each line of cells costs that a press reaches twice, in actions: more than a step, so that it rather goes one
/// further. And all that it reaches, where it comes first: a press may be one of few. Guesses.
const TWICE: f32 = 1.5;
const IN_VAIN: f32 = 0.8 * TIER;
/// The most of what a press reaches, as a share, that others may have reached. And where it comes first and what a press
/// reaches is taken to be as small as it may be: how much later that is, as a share, too. Guesses.
const MOSTLY: f32 = 0.6;
const NEARLY_ALL: f32 = 0.97;
const DOUBTED: f32 = 0.6;
/// What a press of a key that showed nothing yet is worth far from where it was pressed, so many times the size of a piece:
/// just before going where nobody was, and later with each that showed nothing. Guesses.
const ELSEWHERE: f32 = (FRONTIER - 0.1) * TIER;
const FAR: u32 = 4;
const EACH_IN_VAIN: f32 = 0.05 * TIER;
/// Cells from a piece to the farthest of what comes to light, at the least more than these: what turns up right beside it
/// was rather put there.
const APART: u32 = 1;
/// Presses in a row that changed a gauge before one that changes nothing means that there are none left. A guess: a bar
/// that ticks now and then seldom does so twice.
const CHARGED: u32 = 2;

/// What came of a press.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sight {
    /// The cells that came to light, and what is seen there.
    pub(super) lit: Vec<(Point, Color)>,
    /// Whether anything changed in the outer lines, where gauges are, and whether nothing did anywhere.
    pub(super) gauge: bool,
    pub(super) idle: bool,
}

/// How far from a piece something came to light.
#[derive(Clone, Copy, Debug, Default)]
struct Reach {
    /// Columns or rows, whichever are more.
    straight: u32,
    /// Columns and rows together.
    around: u32,
}

impl Reach {
    /// So many columns and rows.
    fn square(straight: u32) -> Reach {
        Reach { straight, around: 2 * straight }
    }

    /// The same in all directions, as large as it may be.
    fn at_most(self) -> Reach {
        Reach::square(self.straight)
    }

    /// The cells around a place that are not farther from it than this.
    fn window(self, place: Bounds) -> impl Iterator<Item = Cell> {
        let by = u8::try_from(self.straight).unwrap_or(u8::MAX);
        let along = move |from: u8, to: u8| from.saturating_sub(by)..=to.saturating_add(by);
        let columns = along(place.left, place.right);
        let all = along(place.top, place.bottom).flat_map(move |y| columns.clone().map(move |x| (x, y)));
        all.filter(move |(x, y)| {
            let (columns, rows) = gaps(place, Bounds { left: *x, top: *y, right: *x, bottom: *y });
            columns + rows <= self.around
        })
    }

    /// How many cells that would be in a frame without an end.
    fn area(self, place: Bounds) -> usize {
        let (width, height) = (u32::from(place.width()), u32::from(place.height()));
        let row = |gap: u32| width + 2 * self.straight.min(self.around.saturating_sub(gap));
        let beyond: u32 = (1..=self.straight.min(self.around)).map(|gap| 2 * row(gap)).sum();
        (height * row(0) + beyond) as usize
    }
}

/// A column and a row.
type Cell = (u8, u8);

/// What presses reached: as nobody knows the form of that, as much as it may be and as little.
#[derive(Debug, Default)]
struct Seen {
    at_most: BTreeSet<Cell>,
    at_least: BTreeSet<Cell>,
}

/// A press in this level.
#[derive(Debug)]
struct Press {
    action: ActionId,
    places: Vec<Bounds>,
    /// Whether it showed anything.
    shows: bool,
    /// What turned up, but for what clicks changed since.
    lit: Vec<(Point, Color)>,
}

/// Such actions, and where they were taken.
#[derive(Debug, Default)]
pub(super) struct Surveys {
    /// How far from the pieces something came to light, by action, in this game.
    reach: BTreeMap<ActionId, Reach>,
    /// Those of which what came to light solved a level of this game.
    proven: BTreeSet<ActionId>,
    /// How often in a row each changed a gauge, in this game.
    charged: BTreeMap<ActionId, u32>,
    /// Those of which none are left until the level begins again.
    spent: BTreeSet<ActionId>,
    /// Actions that were looked for places for in circles in this life.
    tired: BTreeSet<ActionId>,
    /// In this level.
    presses: Vec<Press>,
    /// All cells that came to light in this level.
    known: BTreeSet<Point>,
    /// Which cells presses reached in this level.
    seen: BTreeMap<ActionId, Seen>,
}

impl Surveys {
    /// A new level: everything is hidden again.
    pub(super) fn begin_level(&mut self) {
        self.presses.clear();
        self.spent.clear();
        self.tired.clear();
        self.seen.clear();
        self.known.clear();
    }

    /// The level begins again: what was shown is to be shown again, but for what clicks dealt with and can deal with unseen;
    /// where there was nothing there is nothing.
    pub(super) fn restart(&mut self) {
        self.presses.retain(|it| !it.shows || it.lit.is_empty());
        self.spent.clear();
        self.tired.clear();
        self.look_back();
    }

    /// Notes which cells all presses reached.
    fn look_back(&mut self) {
        self.seen.clear();
        (0..self.presses.len()).for_each(|index| self.note(index));
    }

    /// Notes which cells a press reached.
    fn note(&mut self, index: usize) {
        let Press { action, ref places, .. } = self.presses[index];
        let Some(reach) = self.reach.get(&action) else { return };
        let seen = self.seen.entry(action).or_default();
        for place in places {
            seen.at_least.extend(reach.window(*place));
            seen.at_most.extend(reach.at_most().window(*place));
        }
    }

    /// An action that moves nothing was taken with the pieces here, and this came of it.
    pub(super) fn pressed(&mut self, action: ActionId, advances: &[Advance], sight: Sight) {
        let places = places(advances);
        let nearest = |at: Point| places.iter().map(|it| gaps(*it, Bounds::cell(at))).min_by_key(|it| it.0.max(it.1));
        let lit: Vec<(u32, u32)> = sight.lit.iter().filter_map(|(at, _)| nearest(*at)).collect();
        let shows = lit.iter().any(|it| it.0.max(it.1) > APART);
        if shows {
            let reach = self.reach.entry(action).or_default();
            for (columns, rows) in lit {
                reach.straight = reach.straight.max(columns.max(rows));
                reach.around = reach.around.max(columns + rows);
            }
        }
        let charged = self.charged.entry(action).or_default();
        if sight.idle && *charged >= CHARGED && self.proven.contains(&action) {
            self.spent.insert(action);
            return;
        }
        *charged = if sight.gauge { *charged + 1 } else { 0 };
        self.known.extend(sight.lit.iter().map(|(at, _)| *at));
        self.presses.push(Press { action, places, shows, lit: sight.lit });
        if shows { self.look_back() } else { self.note(self.presses.len() - 1) }
    }

    /// What came of a press that changed these cells of the world: what came to light was floor, as all that changed was, but
    /// for gauges at the rim, what pieces stood on, and what is known to be there.
    pub(super) fn sight(&self, things: &Things, (old, new): (&Grid, &Grid), changed: &[Point]) -> Sight {
        let all = || old.differences(new).into_iter().flatten();
        let (gauge, idle) = (all().any(|at| !is_inside(old, at)), all().next().is_none());
        let inside = |at: &Point| is_inside(old, *at) && !self.known.contains(at);
        let inside: Vec<Point> = changed.iter().copied().filter(inside).collect();
        let is_bare = |at: &Point| things.floor_color() == Some(old[*at]) || things.is_piece(*at);
        let has_floor = things.floor_color().is_some();
        let lit = if has_floor && inside.iter().all(is_bare) { inside } else { Vec::new() };
        Sight { lit: lit.into_iter().map(|at| (at, new[at])).collect(), gauge, idle }
    }

    /// A click changed these cells: what of them turned up right beside a piece was not put there, but came to light.
    pub(super) fn clicked(&mut self, changed: &[Point]) {
        let is_changed = |it: &(Point, Color)| changed.contains(&it.0);
        for press in self.presses.iter_mut().filter(|it| it.lit.iter().any(is_changed)) {
            press.shows = true;
            press.lit.retain(|it| !is_changed(it));
            let sides = press.places.iter().map(|it| u32::from(it.width().min(it.height())));
            self.reach.entry(press.action).or_insert_with(|| Reach::square(sides.min().unwrap_or(1)));
        }
        self.look_back();
    }

    /// The level was solved by what was done at these cells.
    pub(super) fn won(&mut self, at: impl IntoIterator<Item = Point>) {
        for at in at {
            let showed = self.presses.iter().filter(|it| it.shows && it.lit.iter().any(|(lit, _)| *lit == at));
            self.proven.extend(showed.map(|it| it.action));
        }
    }

    /// Whether there is more to bring to light, as solved a level before, and none of the presses that do are left.
    pub(super) fn are_spent(&self) -> bool {
        self.spent.iter().any(|it| self.proven.contains(it))
    }

    /// Ways to where an action may show more lead in circles.
    pub(super) fn tire_of(&mut self, action: ActionId) {
        self.tired.insert(action);
    }

    /// Whether something that came to light is still there.
    fn is_left(&self, frame: &Grid) -> bool {
        self.presses
            .iter()
            .filter(|it| it.shows)
            .flat_map(|it| &it.lit)
            .any(|(at, color)| frame.get(*at) == Some(*color))
    }

    /// Whether an action was seen to bring something to light.
    pub(super) fn contains(&self, action: ActionId) -> bool {
        self.reach.contains_key(&action)
    }

    /// How interesting it is to press an action with the pieces here, in actions: lower is better. `None` where earlier
    /// presses reached, and for actions that never showed anything. Of several pieces the one counts around which least was
    /// reached: others may be no more than drawings of it.
    pub(super) fn interest(&self, action: ActionId, advances: &[Advance], frame: &Grid) -> Option<f32> {
        let comes_first = self.comes_first(action, frame);
        let rated = places(advances).into_iter().filter_map(|it| self.rate(action, it, frame, comes_first));
        rated.min_by(f32::total_cmp)
    }

    /// How interesting it is to press a key that did nothing yet, with the pieces here: what it shows may lie elsewhere.
    pub(super) fn elsewhere(&self, action: ActionId, advances: &[Advance]) -> Option<f32> {
        let presses = self.presses.iter().filter(|it| it.action == action).count();
        let is_far = |it: &Bounds| self.nearest(action, *it) >= FAR * u32::from(it.width().max(it.height()));
        let places = places(advances);
        let is_far = presses > 0 && !places.is_empty() && places.iter().all(is_far);
        is_far.then_some(ELSEWHERE + EACH_IN_VAIN * presses as f32)
    }

    /// Places all over a frame where pressing comes first, and how interesting it is to be there.
    pub(super) fn sights(&self, action: ActionId, frame: &Grid) -> Vec<(Point, f32)> {
        let Some(reach) = self.reach.get(&action) else { return Vec::new() };
        if !self.comes_first(action, frame) || self.tired.contains(&action) {
            return Vec::new();
        }
        let stride = (reach.straight / 2).max(1);
        let is_knot = |at: &Point| u32::from(at.x()) % stride == 0 && u32::from(at.y()) % stride == 0;
        frame
            .points()
            .filter(is_knot)
            .filter_map(|at| Some((at, self.rate(action, Bounds::cell(at), frame, true)?)))
            .collect()
    }

    /// Whether what an action brings to light solved a level, and nothing of it is left to be dealt with.
    fn comes_first(&self, action: ActionId, frame: &Grid) -> bool {
        self.proven.contains(&action) && !self.is_left(frame)
    }

    /// How far from a place an action was pressed, in columns or rows, whichever are more.
    fn nearest(&self, action: ActionId, place: Bounds) -> u32 {
        let presses = self.presses.iter().filter(|it| it.action == action).flat_map(|it| &it.places);
        let far = |it: &Bounds| {
            let (columns, rows) = gaps(place, *it);
            columns.max(rows)
        };
        presses.map(far).min().unwrap_or(u32::MAX)
    }

    /// How interesting it is to press an action at a place.
    fn rate(&self, action: ActionId, place: Bounds, frame: &Grid, comes_first: bool) -> Option<f32> {
        let reach = *self.reach.get(&action).filter(|_| !self.spent.contains(&action))?;
        let seen = self.seen.get(&action);
        if !comes_first {
            let nearest = self.nearest(action, place);
            let twice = (2 * reach.straight).saturating_sub(nearest);
            return (nearest > reach.straight).then_some(FURTHER + TWICE * twice as f32);
        }
        let share = share(reach.at_most(), place, seen.map(|it| &it.at_most), frame);
        if share <= MOSTLY {
            return Some(FIRST + IN_VAIN * share);
        }
        let share = self::share(reach, place, seen.map(|it| &it.at_least), frame);
        (share <= NEARLY_ALL).then_some(FIRST + IN_VAIN * (DOUBTED + share))
    }
}

/// How much of what a press reaches was reached before, as a share; there is nothing beyond the frame.
fn share(reach: Reach, place: Bounds, seen: Option<&BTreeSet<Cell>>, frame: &Grid) -> f32 {
    let is_new =
        |at: &Cell| at.0 < frame.width() && at.1 < frame.height() && seen.is_none_or(|seen| !seen.contains(at));
    1.0 - reach.window(place).filter(is_new).count() as f32 / reach.area(place) as f32
}

/// Whether a cell lies within the lines of a frame where gauges are drawn.
pub(super) fn is_inside(frame: &Grid, at: Point) -> bool {
    let (right, bottom) = (frame.width() - at.x(), frame.height() - at.y());
    at.x() >= RIM && at.y() >= RIM && right > RIM && bottom > RIM
}

/// Columns and rows from one box to the other.
fn gaps(a: Bounds, b: Bounds) -> (u32, u32) {
    let along = |a: (u8, u8), b: (u8, u8)| u32::from(a.0.saturating_sub(b.1).max(b.0.saturating_sub(a.1)));
    (along((a.left, a.right), (b.left, b.right)), along((a.top, a.bottom), (b.top, b.bottom)))
}

#[cfg(test)]
mod tests {
    use env_client::Color;
    use world_model::InterfaceMask;

    use super::*;
    use crate::policy::plan::things::Under;

    const SPACE: ActionId = ActionId::Action5;

    fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    fn piece(x: u8) -> [Advance; 1] {
        [Advance { from: vec![at(x, 20)], ..Advance::default() }]
    }

    /// A press that showed these cells.
    fn shows(cells: &[Point]) -> Sight {
        Sight { lit: cells.iter().map(|at| (*at, Color::of(2))).collect(), ..Sight::default() }
    }

    fn floor() -> Grid {
        Grid::filled(64, 64, Color::of(0))
    }

    #[test]
    fn a_press_that_showed_something_is_worth_a_walk_to_where_none_has_reached() {
        let mut surveys = Surveys::default();
        assert_eq!(surveys.interest(SPACE, &piece(10), &floor()), None, "nobody knows what it does");
        surveys.pressed(SPACE, &piece(10), shows(&[at(12, 20), at(13, 21)]));
        let worth = |surveys: &Surveys, x| surveys.interest(SPACE, &piece(x), &floor());
        assert_eq!((worth(&surveys, 10), worth(&surveys, 13)), (None, None), "as far as it reached");
        assert!(worth(&surveys, 16) < worth(&surveys, 14), "what was not seen yet counts");
        surveys.pressed(SPACE, &piece(16), Sight::default());
        assert_eq!(worth(&surveys, 14), None);
        surveys.restart();
        assert!(worth(&surveys, 10).is_some(), "what was shown there is hidden again");
        assert_eq!(worth(&surveys, 17), None, "there is nothing");
        surveys.begin_level();
        assert_eq!(worth(&surveys, 17), Some(FURTHER));
    }

    #[test]
    fn what_showed_nothing_is_pressed_again_far_from_there_and_ever_later() {
        let mut surveys = Surveys::default();
        let worth = |surveys: &Surveys, x| surveys.elsewhere(SPACE, &piece(x));
        assert_eq!(worth(&surveys, 10), None, "it was never pressed");
        surveys.pressed(SPACE, &piece(10), Sight { idle: true, ..Sight::default() });
        assert_eq!((worth(&surveys, 10), worth(&surveys, 13)), (None, None));
        let first = worth(&surveys, 16);
        assert!(first.is_some_and(|it| it < FRONTIER * TIER), "before going where nobody was");
        surveys.pressed(SPACE, &piece(16), Sight { idle: true, ..Sight::default() });
        assert!(worth(&surveys, 22) > first && worth(&surveys, 12).is_none());
    }

    #[test]
    fn what_a_press_reaches_is_taken_to_be_as_small_as_it_may_be() {
        let mut surveys = Surveys::default();
        surveys.pressed(SPACE, &piece(10), shows(&[at(14, 20), at(10, 17)]));
        let reach = surveys.reach[&SPACE];
        let window: Vec<Cell> = reach.window(Bounds::cell(at(30, 30))).collect();
        assert_eq!((window.len(), reach.area(Bounds::cell(at(30, 30)))), (41, 41), "a diamond");
        surveys.pressed(SPACE, &piece(10), shows(&[at(13, 23)]));
        let reach = surveys.reach[&SPACE];
        assert_eq!(reach.window(Bounds::cell(at(30, 30))).count(), 69, "with its corners cut");
        assert_eq!(reach.area(Bounds::cell(at(30, 30))), 69);
    }

    #[test]
    fn a_drawing_of_a_piece_that_stays_does_not_keep_it_from_pressing_elsewhere() {
        let with_drawing = |x| [piece(x), piece(2)].concat();
        let mut surveys = Surveys::default();
        surveys.pressed(SPACE, &with_drawing(10), shows(&[at(12, 20)]));
        assert_eq!(surveys.interest(SPACE, &with_drawing(11), &floor()), None);
        assert!(surveys.interest(SPACE, &with_drawing(20), &floor()).is_some());
    }

    #[test]
    fn what_turns_up_beside_a_piece_was_put_there() {
        let mut surveys = Surveys::default();
        surveys.pressed(SPACE, &piece(10), shows(&[at(11, 20), at(10, 21)]));
        assert_eq!(surveys.interest(SPACE, &piece(30), &floor()), None);
        surveys.won([at(11, 20)]);
        assert!(surveys.proven.is_empty(), "what was put there tells nothing of what is hidden");
    }

    #[test]
    fn what_turns_up_beside_a_piece_came_to_light_where_a_click_answers() {
        let mut surveys = Surveys::default();
        surveys.pressed(SPACE, &piece(10), shows(&[at(11, 20)]));
        surveys.clicked(&[at(40, 40)]);
        assert!(!surveys.contains(SPACE), "the click was somewhere else");
        surveys.clicked(&[at(11, 20), at(40, 40)]);
        assert!(surveys.interest(SPACE, &piece(30), &floor()).is_some());
    }

    #[test]
    fn only_floor_brings_something_to_light() {
        let mut frame = Grid::filled(16, 16, Color::of(0));
        frame.set(at(8, 8), Color::of(3));
        frame.set(at(2, 1), Color::of(7));
        let piece = Advance { from: vec![at(5, 5)], ..Advance::default() };
        let things = Things::of(&frame, &InterfaceMask::new(), &[piece], Under::default());
        let lit = |changed: &[Point]| -> Vec<Point> {
            let sight = Surveys::default().sight(&things, (&frame, &frame), changed);
            sight.lit.into_iter().map(|(at, _)| at).collect()
        };
        assert_eq!(lit(&[at(2, 1), at(9, 9)]), [at(9, 9)], "gauges aside");
        assert_eq!(lit(&[at(5, 5), at(9, 9)]).len(), 2, "what the piece stood on, too");
        assert_eq!(lit(&[at(8, 8), at(9, 8)]), [], "something moved");
    }

    #[test]
    fn where_what_came_to_light_solved_a_level_more_of_it_comes_first_unless_some_is_left() {
        let mut surveys = Surveys::default();
        surveys.pressed(SPACE, &piece(10), shows(&[at(13, 20), at(14, 21)]));
        surveys.clicked(&[at(13, 20)]);
        surveys.won([at(14, 21)]);
        surveys.begin_level();
        assert_eq!(surveys.interest(SPACE, &piece(10), &floor()), Some(FIRST));
        surveys.pressed(SPACE, &piece(10), shows(&[at(9, 24)]));
        let mut left = floor();
        left.set(at(9, 24), Color::of(2));
        assert_eq!(surveys.interest(SPACE, &piece(40), &left), Some(FURTHER), "that is to be dealt with");
        assert_eq!(surveys.sights(SPACE, &left), []);
        surveys.clicked(&[at(9, 24)]);
        assert_eq!(surveys.interest(SPACE, &piece(40), &left), Some(FIRST));
        let sights = surveys.sights(SPACE, &left);
        assert!(sights.contains(&(at(40, 40), FIRST)), "all over the frame");
        assert!(!sights.iter().any(|(it, _)| *it == at(10, 20)), "but where a press reached");
        surveys.tire_of(SPACE);
        assert_eq!(surveys.sights(SPACE, &left), [], "ways there lead in circles");
        surveys.restart();
        assert_eq!(surveys.interest(SPACE, &piece(10), &floor()), None, "a click finds it unseen");
    }

    #[test]
    fn a_press_that_changes_no_gauge_any_more_is_one_of_none() {
        let mut surveys = Surveys::default();
        let charged = |lit: &[Point]| Sight { gauge: true, ..shows(lit) };
        surveys.pressed(SPACE, &piece(10), charged(&[at(13, 20)]));
        surveys.won([at(13, 20)]);
        surveys.begin_level();
        surveys.pressed(SPACE, &piece(20), charged(&[]));
        assert!(surveys.interest(SPACE, &piece(40), &floor()).is_some());
        surveys.pressed(SPACE, &piece(40), Sight { idle: true, ..Sight::default() });
        assert!(surveys.are_spent());
        assert_eq!(surveys.interest(SPACE, &piece(60), &floor()), None);
        surveys.restart();
        assert!(!surveys.are_spent());
        assert!(surveys.interest(SPACE, &piece(40), &floor()).is_some(), "that one showed nothing");
        assert_eq!(surveys.interest(SPACE, &piece(20), &floor()), None, "that one did");
    }
}
