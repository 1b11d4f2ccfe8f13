//! The skill of finding out what a click does: one click for each class of things, small things first, and once for
//! the ground.
//!
//! Things that look alike (colour, colour around, shape) are taken to answer alike, so one of them speaks for all. What
//! answered in an earlier level is clicked first; what never did is left to exploration. Colours that never answered come
//! later with every click, and with every click that lost the level; where most clicks that are not answered lose it, they
//! are not clicked at all.
//!
//! What a click changes right where it is, and hardly anything else, it marks: the like of it is clicked as well, one after
//! the other, and what was marked is left alone.

use std::collections::{HashMap, HashSet};

use env_client::{Action, ActionId, ActionSet, Color, Grid, Point};
use world_model::{Bounds, Component, InterfaceMask, Outcome, Scene, Start, Transition};

use super::{
    icons::Icons,
    ledger::TIER,
    levers::clicks_alone,
    skill::{Proposal, Skill},
    things::{LARGE, RIM as GAUGES},
};

/// A class that answered in an earlier level is worth a click before most other things.
const LIVE: f32 = 1.1 * TIER;
/// A class never clicked comes after every key.
const NEW: f32 = 1.6 * TIER;
/// Things in the outermost cells of a frame are mostly interface, and so are those of at most so many cells near them.
const RIM: f32 = 0.5 * TIER;
const SPECK: u16 = 2;
/// A colour of which no class ever answered comes later by this for each click on it, up to the most: then after going
/// where nobody was.
const DEAD: f32 = TIER;
const MOST_DEAD: u32 = 3;
/// Clicks in vain on a colour after which the rest of it is left to exploration where other things answer and there are no arrows, as
/// exploration comes late beside those. A guess.
const HOPELESS: u32 = 5;
/// Levels in which a class did nothing before it is left alone.
const PATIENCE: u32 = 2;
/// Clicks that lost the level, more than did nothing, after which only what ever answered is clicked. A guess.
const DEADLY: u32 = 3;
/// Classes clicked before the ground has its turn (measured on paint games, where nothing else answers).
const BEFORE_GROUND: usize = 8;
/// Copies of a thing, and its least area, for it to be a tile: tiles are what most games of clicks are about.
const FAMILY: usize = 3;
const TILE: u16 = 9;
/// An answer of at most so many cells may turn out to be a tick of the interface.
const FEW: usize = 64;
/// Classes clicked in one level without any answer before the rest is left to exploration.
const VAIN: usize = 24;
/// Cells away from the thing that a click may change and still only mark it: gauges. And things marked in one level. Both
/// are guesses.
const GAUGE: usize = 4;
const MARKS: usize = 16;

/// Things that should answer a click in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Class {
    color: Color,
    surround: Color,
    /// [`Component::shape`]; 0 for ground and rooms, whose shape changes with everything that moves there.
    shape: u64,
}

/// A click that would tell.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// Its score, and what decides between equal ones.
    rank: (f32, u16),
    class: Class,
    at: Point,
}

impl Candidate {
    fn proposal(&self) -> Proposal {
        let goal = format!("see what a click on the {} at {} does", self.class.color, self.at);
        Proposal::experiment(Action::Click(self.at), goal, self.rank.0)
    }
}

/// What came of clicks on a class.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    tries: u32,
    hits: u32,
}

/// Clicks one of each class.
#[derive(Debug, Default)]
pub(super) struct Probe {
    records: HashMap<Class, Record>,
    /// Classes clicked in this level; only looked up.
    tried: HashSet<Class>,
    /// Where clicks on a colour did nothing in this level; only looked up.
    dead: HashSet<(Point, Color)>,
    answers: usize,
    /// How much more often clicks only marked a thing of a class than did more or nothing to one; only looked up.
    marking: HashMap<Class, i32>,
    /// Where things were marked in this level: what lies there now is what a click made of it.
    marks: Vec<Point>,
    /// Clicks of this game that lost the level, and that did nothing.
    losses: u32,
    idle: u32,
    /// What parts of one drawing have in common: of those one is clicked.
    icons: Icons,
    /// Small answers, of which nobody knows yet that they are no interface.
    doubtful: Vec<(Class, Vec<Point>)>,
}

impl Probe {
    /// Takes back answers that were nothing but interface, as is known by now.
    fn take_back(&mut self, mask: &InterfaceMask) {
        let is_tick = |it: &mut (Class, Vec<Point>)| it.1.iter().all(|at| mask.hides(*at));
        for (class, _) in self.doubtful.extract_if(.., is_tick) {
            self.records.entry(class).or_default().hits -= 1;
            self.answers = self.answers.saturating_sub(1);
        }
    }

    fn class(scene: &Scene, index: usize) -> Class {
        let Component { color, surround, shape, area, .. } = scene.components()[index];
        if scene.is_ground(index) {
            Class { color, surround: color, shape: 0 }
        } else if area > LARGE {
            Class { color, surround, shape: 0 }
        } else {
            Class { color, surround, shape }
        }
    }

    /// A click on each thing whose class has none yet, best first.
    fn candidates(&self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Vec<Candidate> {
        if !actions.contains(ActionId::Action6) || (self.answers == 0 && self.tried.len() >= VAIN) {
            return Vec::new();
        }
        let scene = Scene::of(frame);
        let is_world = |it: &Component| !mask.hides(it.center);
        let candidates = scene.components().iter().enumerate().filter(|(_, it)| is_world(it));
        let marked: HashSet<usize> = self.marks.iter().filter_map(|at| scene.component_at(*at)).collect();
        let candidates = candidates.map(|(index, it)| (index, Probe::class(&scene, index), it));
        let is_free = |index, class: &Class| class.shape == 0 || !marked.contains(&index);
        let is_alone = clicks_alone(actions);
        let told = if is_alone { self.icons.told(&scene) } else { HashSet::new() };
        let candidates = candidates.filter(|(index, class, _)| is_free(*index, class) && !told.contains(index));
        let candidates = candidates.map(|(_, class, it)| (class, it));
        let is_open = |class: &Class, it: &Component| {
            let is_new = !self.tried.contains(class) || self.is_to_mark(*class);
            is_new && !self.dead.contains(&(it.center, it.color))
        };
        let candidates = candidates.filter(|(class, it)| is_open(class, it));
        let candidates: Vec<(Class, &Component)> = candidates.collect();
        let copies = |class: Class| candidates.iter().filter(|(it, _)| *it == class).count();
        let ranked = candidates.iter().filter_map(|(class, it)| {
            Some(Candidate {
                rank: self.rank(*class, it, (frame, is_alone), copies(*class))?,
                class: *class,
                at: it.center,
            })
        });
        let mut ranked: Vec<Candidate> = ranked.collect();
        ranked.sort_by(|a, b| a.rank.0.total_cmp(&b.rank.0).then(a.rank.1.cmp(&b.rank.1)));
        ranked
    }

    /// When a class is to be clicked: by tier, what there are many of first, then by size, the ground after the first few.
    fn rank(
        &self,
        class: Class,
        it: &Component,
        (frame, is_alone): (&Grid, bool),
        copies: usize,
    ) -> Option<(f32, u16)> {
        let Record { tries, hits } = self.records.get(&class).copied().unwrap_or_default();
        let early = class.shape == 0 && self.tried.len() >= BEFORE_GROUND;
        let size = match (class.shape, early) {
            (0, false) => u16::MAX,
            (0, true) => 0,
            _ if copies >= FAMILY && it.area >= TILE => 0,
            _ if is_hollow(it) && !is_alone => 2 * u16::from(it.bounds.width()) * u16::from(it.bounds.height()),
            _ => it.area,
        };
        match (tries, hits) {
            (_, 1..) => Some((LIVE, size)),
            (PATIENCE.., 0) => None,
            _ if self.losses >= DEADLY && self.losses > self.idle => None,
            _ if is_alone && self.answers > 0 && self.vain(class.color) >= HOPELESS => None,
            _ => {
                let dead = DEAD * (self.vain(class.color) + self.losses).min(MOST_DEAD) as f32;
                Some((NEW + dead + TIER / 10.0 * tries as f32 + if on_rim(it, frame) { RIM } else { 0.0 }, size))
            }
        }
    }

    /// Whether clicks mark the things of a class, and some may still be marked.
    fn is_to_mark(&self, class: Class) -> bool {
        let is_thing = class.shape != 0;
        is_thing && self.marking.get(&class).is_some_and(|more| *more > 0) && self.marks.len() < MARKS
    }

    /// Learns whether a click marks its thing.
    fn mark(&mut self, class: Class, it: &Component, at: Point, answer: Option<&Vec<Point>>) {
        let is_inside = |cell: &&Point| near(it.bounds, **cell);
        let marks = answer
            .is_some_and(|cells| cells.contains(&at) && cells.len() - cells.iter().filter(is_inside).count() <= GAUGE);
        if (marks && class.shape != 0) || self.is_to_mark(class) {
            self.marks.push(at);
        }
        *self.marking.entry(class).or_default() += if marks { 1 } else { -1 };
    }

    /// Clicks of this game on classes of a colour if none of them ever answered.
    fn vain(&self, color: Color) -> u32 {
        let of_color = || self.records.iter().filter(|(class, _)| class.color == color).map(|(_, record)| *record);
        if of_color().any(|it| it.hits > 0) { 0 } else { of_color().map(|it| it.tries).sum() }
    }
}

/// What a click changed in the world; `None` where that is no longer seen.
fn answer(step: &Transition<'_>, mask: &InterfaceMask) -> Option<Vec<Point>> {
    let changed = step.after().and_then(|after| step.before.differences(after))?;
    Some(changed.filter(|at| !mask.hides(*at)).collect())
}

/// Whether a cell lies in a box or right beside it.
fn near(it: Bounds, at: Point) -> bool {
    let along = |from: u8, to: u8, at: u8| (from.saturating_sub(1)..=to.saturating_add(1)).contains(&at);
    along(it.left, it.right, at.x()) && along(it.top, it.bottom, at.y())
}

/// Whether less than half of what it encloses is its own: an outline, which something may belong into.
fn is_hollow(it: &Component) -> bool {
    2 * it.area < u16::from(it.bounds.width()) * u16::from(it.bounds.height())
}

/// Whether something reaches the rim of a frame, or is a speck in the lines near it.
fn on_rim(it: &Component, frame: &Grid) -> bool {
    let Bounds { left, top, right, bottom } = it.bounds;
    let (last_column, last_row) = (frame.width() - 1, frame.height() - 1);
    let reaches = left == 0 || top == 0 || right == last_column || bottom == last_row;
    let is_near = || right < GAUGES || bottom < GAUGES || left + GAUGES > last_column || top + GAUGES > last_row;
    reaches || it.area <= SPECK && is_near()
}

impl Skill for Probe {
    fn name(&self) -> &'static str {
        "probe"
    }

    fn begin(&mut self, _frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.take_back(mask);
        if start == Start::Level {
            self.tried.clear();
            self.dead.clear();
            self.icons.begin_level();
            self.answers = 0;
        }
        self.marks.clear();
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let Action::Click(at) = step.action else { return };
        let scene = Scene::of(step.before);
        let Some(index) = scene.component_at(at) else { return };
        let class = Probe::class(&scene, index);
        self.take_back(mask);
        let answer = answer(step, mask);
        let answered = answer.as_ref().map_or(step.outcome == Outcome::Solved, |cells| !cells.is_empty());
        self.losses += u32::from(step.outcome == Outcome::Lost);
        if step.outcome == Outcome::Continues {
            self.mark(class, &scene.components()[index], at, answer.as_ref());
            self.icons.learn(&scene, at, answer.as_deref().unwrap_or_default());
        }
        if !answered {
            self.idle += u32::from(step.outcome == Outcome::Continues);
            self.dead.insert((at, class.color));
        }
        if self.tried.insert(class) {
            self.doubtful.extend(answer.filter(|cells| answered && cells.len() <= FEW).map(|cells| (class, cells)));
            let record = self.records.entry(class).or_default();
            record.tries += 1;
            record.hits += u32::from(answered);
            self.answers += usize::from(answered);
        }
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.candidates(frame, mask, actions).first().map(Candidate::proposal)
    }

    /// One click for each class of the best score.
    fn alternatives(&self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Vec<Proposal> {
        let candidates = self.candidates(frame, mask, actions);
        let Some(best) = candidates.first() else { return Vec::new() };
        let mut classes = HashSet::new();
        let equal = candidates.iter().take_while(|it| it.rank.0.total_cmp(&best.rank.0).is_eq());
        equal.filter(|it| classes.insert(it.class)).map(Candidate::proposal).collect()
    }
}

#[cfg(test)]
mod tests {
    use env_client::Point;
    use world_model::Outcome;

    use super::*;

    const BOARD: &str = "000000000\n011022033\n011022033\n000000000\n044005500\n044005500\n000000000";

    fn clicks() -> ActionSet {
        ActionSet::of(&[ActionId::Action6])
    }

    /// Where the probe clicks, one after the other, when only `live` answers.
    fn probes(probe: &mut Probe, picture: &str, live: u8) -> Vec<Color> {
        let (frame, mask): (Grid, _) = (picture.parse().unwrap(), InterfaceMask::new());
        let mut clicked = Vec::new();
        probe.begin(&frame, &mask, Start::Level);
        while let Some(proposal) = probe.propose(&frame, &mask, clicks()) {
            let Action::Click(at) = proposal.steps[0].action else { panic!("a probe is a click") };
            clicked.push(frame[at]);
            let mut after = frame.clone();
            if frame[at] == Color::of(live) {
                after.set(Point::new(0, 0).unwrap(), Color::of(9));
            }
            let layers = [after];
            let step =
                Transition { before: &frame, action: Action::Click(at), layers: &layers, outcome: Outcome::Continues };
            probe.observe(&step, &mask);
        }
        clicked
    }

    #[test]
    fn every_class_is_clicked_once_and_the_ground_last() {
        let clicked = probes(&mut Probe::default(), BOARD, 2);
        assert_eq!(clicked.len(), 6, "five things and the ground: {clicked:?}");
        assert_eq!(clicked.last().map(|it| it.index()), Some(0));
    }

    #[test]
    fn an_outline_comes_after_what_may_belong_into_it_where_there_are_arrows() {
        let (side, row, floor) = ("05555555500000000", "05000000500666660", "00000000000000000");
        let mut rows = vec![floor, side, row, row, row, row, row, row, side];
        rows.resize(40, floor);
        let frame: Grid = rows.join("\n").parse().unwrap();
        let first = |actions: ActionSet| {
            let proposal = Probe::default().propose(&frame, &InterfaceMask::new(), actions).unwrap();
            frame[proposal.steps[0].action.point().unwrap()].index()
        };
        assert_eq!(first(clicks()), 5, "what has fewer cells comes first");
        let arrows = [ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action4];
        assert_eq!(first(arrows.into_iter().chain([ActionId::Action6]).collect()), 6);
    }

    #[test]
    fn tiles_come_before_smaller_things_that_there_are_few_of() {
        let tiles = "00000000000000\n01110111011100\n01110111011104\n01110111011100\n00000000000000";
        let clicked = probes(&mut Probe::default(), tiles, 9);
        assert_eq!(clicked.iter().map(|it| it.index()).collect::<Vec<_>>(), [1, 4, 0]);
    }

    #[test]
    fn specks_near_the_rim_come_after_what_lies_further_inside() {
        let mut rows = vec!["0".repeat(16); 16];
        rows[2].replace_range(2..3, "4");
        (7..9).for_each(|y| rows[y].replace_range(7..10, "333"));
        rows[10].replace_range(7..8, "5");
        let clicked = probes(&mut Probe::default(), &rows.join("\n"), 9);
        assert_eq!(
            clicked.iter().map(|it| it.index()).collect::<Vec<_>>(),
            [5, 3, 4, 0],
            "the small first, but for the rim"
        );
    }

    #[test]
    fn classes_of_one_score_are_alternatives() {
        let (frame, mask): (Grid, _) = (BOARD.parse().unwrap(), InterfaceMask::new());
        let mut probe = Probe::default();
        probe.begin(&frame, &mask, Start::Level);
        let best = probe.propose(&frame, &mask, clicks()).unwrap();
        let alternatives = probe.alternatives(&frame, &mask, clicks());
        let colors = alternatives.iter().filter_map(|it| Some(frame[it.steps[0].action.point()?].index()));
        assert_eq!(colors.collect::<Vec<_>>(), [1, 2, 4, 5], "what lies at the rim and the ground come later");
        assert_eq!(alternatives[0], best);
        assert!(probe.alternatives(&frame, &mask, ActionSet::of(&[ActionId::Action1])).is_empty());
    }

    #[test]
    fn a_room_is_one_class_however_its_shape_changes() {
        let room = |width: usize| {
            let row = format!("1{}{}1", "0".repeat(width), "2".repeat(40 - width));
            let mut rows = vec!["1".repeat(42); 31];
            rows[1..=10].fill(row);
            rows.join("\n")
        };
        let mut probe = Probe::default();
        assert_eq!(probes(&mut probe, &room(20), 9).len(), 3, "two rooms and the ground");
        let (frame, mask): (Grid, _) = (room(21).parse().unwrap(), InterfaceMask::new());
        assert!(probe.propose(&frame, &mask, clicks()).is_none());
    }

    #[test]
    fn what_turns_out_to_be_interface_was_no_answer() {
        let (mut probe, mut mask) = (Probe::default(), InterfaceMask::new());
        probes(&mut probe, BOARD, 2);
        mask.hide(Point::new(0, 0).unwrap());
        probe.begin(&BOARD.parse().unwrap(), &mask, Start::Level);
        let ranks = probe.candidates(&BOARD.parse().unwrap(), &mask, clicks()).into_iter().map(|it| it.rank.0);
        assert!(ranks.into_iter().all(|rank| rank > LIVE));
    }

    /// Clicks, and what is seen then.
    fn click(probe: &mut Probe, frame: &Grid, at: Point, layers: &[Grid], outcome: Outcome) {
        let step = Transition { before: frame, action: Action::Click(at), layers, outcome };
        probe.observe(&step, &InterfaceMask::new());
    }

    #[test]
    fn what_a_click_marks_is_marked_wherever_it_lies_and_then_left_alone() {
        let mut frame = Grid::filled(16, 16, Color::of(0));
        for (x, y) in [(5, 5), (8, 8), (5, 10)] {
            frame.set(Point::new(x, y).unwrap(), Color::of(2));
        }
        (8..11).for_each(|x| frame.set(Point::new(x, 5).unwrap(), Color::of(3)));
        let (mut probe, mut clicked) = (Probe::default(), Vec::new());
        probe.begin(&frame, &InterfaceMask::new(), Start::Level);
        while let Some(proposal) = probe.propose(&frame, &InterfaceMask::new(), clicks()) {
            let at = proposal.steps[0].action.point().unwrap();
            clicked.push(frame[at].index());
            let mut after = frame.clone();
            if frame[at] == Color::of(2) {
                after.set(at, Color::of(8));
            }
            click(&mut probe, &frame, at, std::slice::from_ref(&after), Outcome::Continues);
            frame = after;
        }
        assert_eq!(clicked, [2, 2, 2, 3, 0]);
    }

    #[test]
    fn a_click_that_loses_the_level_is_no_answer_and_lets_others_wait() {
        let (frame, mask): (Grid, _) = (BOARD.parse().unwrap(), InterfaceMask::new());
        let mut probe = Probe::default();
        probe.begin(&frame, &mask, Start::Level);
        let before = probe.propose(&frame, &mask, clicks()).unwrap();
        click(&mut probe, &frame, before.steps[0].action.point().unwrap(), &[], Outcome::Lost);
        let after = probe.propose(&frame, &mask, clicks()).unwrap();
        assert!(after.score >= before.score + DEAD, "{before:?} {after:?}");
        probe.begin(&frame, &mask, Start::Level);
        assert!(probe.candidates(&frame, &mask, clicks()).iter().all(|it| it.rank.0 > LIVE));
    }

    #[test]
    fn after_some_clicks_that_lost_the_level_only_what_answered_is_clicked() {
        let mut probe = Probe::default();
        assert_eq!(probes(&mut probe, BOARD, 2).len(), 6);
        probe.idle = 0;
        let frame: Grid = BOARD.parse().unwrap();
        probe.begin(&frame, &InterfaceMask::new(), Start::Level);
        for x in [4, 5, 7] {
            click(&mut probe, &frame, Point::new(x, 4).unwrap(), &[], Outcome::Lost);
        }
        let candidates = probe.candidates(&frame, &InterfaceMask::new(), clicks());
        assert_eq!(candidates.iter().map(|it| it.class.color.index()).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn what_answered_comes_first_and_what_never_did_not_at_all() {
        let mut probe = Probe::default();
        probes(&mut probe, BOARD, 5);
        assert_eq!(probes(&mut probe, BOARD, 5)[0].index(), 5);
        assert_eq!(probes(&mut probe, BOARD, 5).iter().map(|it| it.index()).collect::<Vec<_>>(), [5]);
    }
}
