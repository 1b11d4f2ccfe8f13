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

mod silences;

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
use silences::Silences;

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
    silences: Silences,
    /// Classes of which a click last changed something elsewhere and nothing right where it was; only looked up.
    remote: HashSet<Class>,
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
            let is_silent = self.silences.contains(it.center, it.color);
            is_new && !is_silent || !is_alone && self.may_answer_yet(*class, it.center)
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
            _ => it.area,
        };
        match (tries, hits) {
            (_, 1..) if self.tried.contains(&class) => Some((NEW, size)),
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

    /// Whether another thing of a class that acts from afar may do so although one did nothing in this level, or that one
    /// once others were answered.
    fn may_answer_yet(&self, class: Class, at: Point) -> bool {
        self.remote.contains(&class) && self.silences.may_end(class, at)
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
            self.silences = Silences::default();
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
        }
        self.silences.learn(class, at, answered);
        match answer.as_deref() {
            None | Some([]) => {}
            Some(cells) if cells.iter().any(|cell| near(scene.components()[index].bounds, *cell)) => {
                self.remote.remove(&class);
            }
            Some(_) => {
                self.remote.insert(class);
            }
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
mod tests;
