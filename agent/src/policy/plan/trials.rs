//! The skill of setting things and letting it run: clicks that play something out, and clicks that set what that passes.
//!
//! Where a click plays something out and then all is as it was, the run failed; whether the next one does depends on how
//! that is set which it passed. So no run is made that passes the same things, set in the same way, as one that failed:
//! the nearest settings that none speaks against are brought about and tried. What led on is done again after a restart.
//!
//! It makes no first experiment of its own: it is founded once a failed run was seen to pass something that clicks set.

mod panel;
#[cfg(test)]
mod tests;

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap, HashSet, VecDeque},
};

use env_client::{Action, ActionSet, Grid, Point};
use world_model::{Component, InterfaceMask, Outcome, Scene, Start, Transition};

use self::panel::{Panel, Press, Settings, Switch};
use super::{
    ledger::TIER,
    levers::on_rim,
    skill::{Look, Move, Proposal, Skill, look},
};

/// A run and what it takes, on the scale of the other skills of buttons, and where runs won before. Guesses.
const RUN: f32 = 0.34 * TIER;
const WON: f32 = 0.14 * TIER;
/// Frames that something takes at least which is played out, and those in which it comes to new cells: what flashes does so
/// in one. Guesses.
const LAYERS: usize = 3;
const MOMENTS: usize = 2;
/// Things that are set in one level: more are a board. And runs of one level after which the rest is left to others, clicks
/// that are kept in mind of it, and things that may start a run. Guesses.
const SWITCHES: usize = 12;
const RUNS: usize = 60;
const PRESSES: usize = 80;
const STARTERS: usize = 6;
/// What is gone in the first frames of a run is what runs. A guess.
const AT_ONCE: usize = 1;

/// Something that was played out.
#[derive(Clone, Debug)]
struct Run {
    action: Action,
    before: Grid,
    /// The cells that showed it, and in which frame first.
    trail: HashMap<Point, usize>,
    /// Whether the level came further by it, and how often that had begun again before.
    worked: bool,
    life: u32,
}

impl Run {
    /// Whether what runs is at a cell or right beside it at first.
    fn starts_at(&self, at: Point) -> bool {
        let beside = [(0, 0), (0, -1), (1, 0), (0, 1), (-1, 0)].into_iter().filter_map(|(dx, dy)| at.offset(dx, dy));
        beside.into_iter().any(|at| self.trail.get(&at).is_some_and(|when| *when <= AT_ONCE))
    }
}

/// Sets things, and lets it run.
#[derive(Debug, Default)]
pub(super) struct Trials {
    /// What clicks set in this game, what of it answered no click, and what starts runs, whatever its colour.
    settable: HashSet<Look>,
    dull: HashSet<Look>,
    starting: HashSet<u64>,
    /// What was seen in this level, and where clicks did nothing.
    presses: Vec<Press>,
    runs: Vec<Run>,
    dead: HashSet<Point>,
    /// How often this level began again.
    life: u32,
    /// Clicks of this level on what looked like a start and was none.
    barren: usize,
    /// Whether a failed run passed something that clicks set, and whether a run solved a level.
    is_founded: bool,
    has_won: bool,
    /// The run that was proposed last, and whether it is on the way.
    offer: Option<Action>,
    pending: Option<Action>,
    /// Whether the last click did something else than to set something.
    missed: bool,
}

impl Trials {
    /// Things that clicks set: those clicked in this level, those that look like it, and what a run passed of their form.
    /// What lies where another one shows its setting is part of that.
    fn switches(&self, frame: &Grid, scene: &Scene, mask: &InterfaceMask) -> Vec<Switch> {
        let mut switches: Vec<Switch> = Vec::new();
        let mut add = |switch: Switch| {
            if !switches.iter().any(|it| it.cells.contains(&switch.at)) {
                switches.push(switch);
            }
        };
        for press in &self.presses {
            let mut switch = Switch::new(press.at, press.bounds, frame);
            switch.cells.extend(&press.cells);
            add(switch);
        }
        let is_open = |it: &&Component| !mask.hides(it.center) && !self.dead.contains(&it.center);
        let open = || scene.components().iter().filter(is_open);
        let alike = open().filter(|it| self.settable.contains(&look(it)));
        let is_passed = |it: &Component| self.runs.iter().any(|run| run.trail.contains_key(&it.center));
        let of_form = |it: &Component| self.settable.iter().any(|(_, form)| *form == it.form);
        let passed = open().filter(|it| of_form(it) && !self.dull.contains(&look(it)) && is_passed(it));
        alike.chain(passed).for_each(|it| add(Switch::new(it.center, it.bounds, frame)));
        switches
    }

    /// What may start runs, by what it looks like; together it tells how far the level has come.
    fn stage(&self, scene: &Scene, mask: &InterfaceMask) -> BTreeSet<Point> {
        let starts = |it: &&Component| self.starting.contains(&it.form) && !mask.hides(it.center);
        scene.components().iter().filter(starts).map(|it| it.center).collect()
    }

    /// Actions that start runs, the newest first, or may do so. Of several parts of what runs, one is enough.
    fn starters(&self, scene: &Scene, stage: &BTreeSet<Point>, panel: &Panel) -> Vec<Action> {
        let part = |scene: &Scene, at: Point| scene.component_at(at).map(|it| scene.components()[it].clone());
        let mut starters: Vec<&Run> = Vec::new();
        for run in self.runs.iter().rev() {
            let is_known = |it: &&Run| run.action == it.action || run.action.point().is_some_and(|at| it.starts_at(at));
            let is_there = |at| part(scene, at) == part(&Scene::of(&run.before), at);
            if run.action.point().is_none_or(is_there) && !starters.iter().any(is_known) {
                starters.push(run);
            }
        }
        let is_new = |at: &&Point| {
            let is_switch =
                panel.switches.iter().any(|it| it.at == **at) || self.presses.iter().any(|it| it.at == **at);
            !is_switch && !self.dead.contains(*at) && !starters.iter().any(|run| run.starts_at(**at))
        };
        let alike = stage.iter().filter(is_new).map(|at| Action::Click(*at)).take(STARTERS.saturating_sub(self.barren));
        starters.iter().map(|run| run.action).chain(alike).collect()
    }

    /// What to click before a run that nothing speaks against.
    fn trial(&self, frame: &Grid, mask: &InterfaceMask) -> Option<(Vec<Point>, Action)> {
        let scene = Scene::of(frame);
        let switches = self.switches(frame, &scene, mask);
        if switches.is_empty() || switches.len() > SWITCHES {
            return None;
        }
        let mut panel = Panel::new(switches, &self.presses);
        let (now, stage) = (panel.read(frame), self.stage(&scene, mask));
        let is_now = |run: &&Run| self.stage(&Scene::of(&run.before), mask) == stage;
        let runs: Vec<(&Run, Settings)> =
            self.runs.iter().filter(is_now).map(|run| (run, panel.read(&run.before))).collect();
        let trials = self.starters(&scene, &stage, &panel).into_iter().filter_map(|action| {
            let own: Vec<Passage> =
                runs.iter().filter(|(run, _)| run.action == action).map(|it| Passage::of(it, &panel)).collect();
            let order = own.last().map_or_else(|| (0..panel.switches.len()).collect(), |it| it.latest_first(&panel));
            let is_wanted = |settings: &Settings| match own.iter().find(|it| it.worked && it.life < self.life) {
                Some(it) => it.is_same(settings),
                None => !own.iter().any(|it| it.is_same(settings)),
            };
            let way = panel.way(now.clone(), &order, is_wanted)?;
            Some((way.into_iter().map(|it| panel.switches[it].at).collect::<Vec<_>>(), action))
        });
        trials.min_by_key(|it| it.0.len())
    }

    /// Whether a failed run of this level passed something that clicks set.
    fn fails_by_settings(&self, frame: &Grid, mask: &InterfaceMask) -> bool {
        if self.runs.iter().all(|run| run.worked) {
            return false;
        }
        let panel = Panel::new(self.switches(frame, &Scene::of(frame), mask), &self.presses);
        self.runs.iter().any(|run| !run.worked && panel.passed(&run.trail).next().is_some())
    }
}

/// What a run passed, and how that was set.
struct Passage {
    /// Switches, their settings, and when they were passed.
    passed: Vec<(usize, u8, usize)>,
    worked: bool,
    life: u32,
}

impl Passage {
    fn of((run, settings): &(&Run, Settings), panel: &Panel) -> Passage {
        let passed = panel.passed(&run.trail).map(|(index, when)| (index, settings[index], when));
        Passage { passed: passed.collect(), worked: run.worked, life: run.life }
    }

    /// Whether a run would pass the same.
    fn is_same(&self, settings: &Settings) -> bool {
        self.passed.iter().all(|(index, setting, _)| settings[*index] == *setting)
    }

    /// All switches, what was passed last first.
    fn latest_first(&self, panel: &Panel) -> Vec<usize> {
        let when = |index: &usize| self.passed.iter().find(|it| it.0 == *index).map(|it| it.2);
        let mut order: Vec<usize> = (0..panel.switches.len()).collect();
        order.sort_by_key(|index| Reverse(when(index)));
        order
    }
}

/// The cells in which two frames differ, interface aside.
fn changed<'a>(from: &'a Grid, to: &'a Grid, mask: &'a InterfaceMask) -> impl Iterator<Item = Point> + 'a {
    from.differences(to).into_iter().flatten().filter(|at| !mask.hides(*at))
}

/// What a step played out: the cells that showed it, and when. Nothing where it was too short, went nowhere, as what only
/// flashes does, or was seen at the rim alone.
fn trail(step: &Transition<'_>, mask: &InterfaceMask) -> HashMap<Point, usize> {
    let mut trail = HashMap::new();
    for (when, layer) in step.layers.iter().enumerate().filter(|_| step.layers.len() >= LAYERS) {
        changed(step.before, layer, mask).for_each(|at| _ = trail.entry(at).or_insert(when));
    }
    let moments: HashSet<usize> = trail.values().copied().collect();
    if moments.len() < MOMENTS || trail.keys().all(|at| on_rim(*at, step.before)) {
        trail.clear();
    }
    trail
}

impl Skill for Trials {
    fn name(&self) -> &'static str {
        "trials"
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, start: Start) {
        self.pending = None;
        self.life += 1;
        if start == Start::Level {
            (self.life, self.barren) = (0, 0);
            self.presses.clear();
            self.runs.clear();
            self.dead.clear();
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        if step.outcome == Outcome::Solved {
            self.has_won |= self.pending.take() == Some(step.action);
            return;
        }
        self.missed = true;
        let Some(after) = step.after().filter(|_| step.outcome == Outcome::Continues) else { return };
        let trail = trail(step, mask);
        let cells: Vec<Point> = changed(step.before, after, mask).filter(|at| !on_rim(*at, after)).collect();
        let thing = step.action.point().and_then(|at| {
            let scene = Scene::of(step.before);
            scene.component_at(at).map(|index| scene.components()[index].clone())
        });
        if !trail.is_empty() {
            let form = thing.as_ref().map(|it| it.form);
            let is_first = form.is_some_and(|it| self.starting.insert(it));
            let (was, is) = (Scene::of(step.before), Scene::of(after));
            let leads_on = self.stage(&was, mask) != self.stage(&is, mask);
            if cells.is_empty() || leads_on {
                let (action, before, life) = (step.action, step.before.clone(), self.life);
                self.runs.push(Run { action, before, trail, worked: leads_on, life });
                self.is_founded = self.is_founded || self.fails_by_settings(after, mask);
                return;
            }
            form.filter(|_| is_first).into_iter().for_each(|it| _ = self.starting.remove(&it));
        }
        let (Some(at), Some(thing)) = (step.action.point(), thing) else { return };
        if cells.is_empty() {
            self.barren += usize::from(self.starting.contains(&thing.form));
            self.dead.insert(at);
            self.dull.insert(look(&thing));
            return;
        }
        self.missed = false;
        self.settable.insert(look(&thing));
        if self.presses.len() >= PRESSES {
            return;
        }
        let (bounds, before, after) = (thing.bounds, step.before.clone(), after.clone());
        self.presses.push(Press { at, bounds, before, after, cells });
        self.is_founded = self.is_founded || self.fails_by_settings(step.before, mask);
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, _actions: ActionSet) -> Option<Proposal> {
        if !self.is_founded || self.runs.len() >= RUNS {
            return None;
        }
        let (clicks, action) = self.trial(frame, mask)?;
        let goal = format!("set {} and let it run", clicks.len());
        let score = if self.has_won { WON } else { RUN } + clicks.len() as f32;
        let actions = clicks.into_iter().map(Action::Click).chain([action]);
        let steps: VecDeque<Move> = actions.map(|action| Move { action, expected: None }).collect();
        self.offer = Some(action);
        Some(Proposal { steps, goal, score })
    }

    fn gives_up(&self) -> bool {
        self.missed
    }

    fn taken_up(&mut self) {
        self.pending = self.offer.take();
    }
}
