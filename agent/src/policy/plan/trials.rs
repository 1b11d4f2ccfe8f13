//! The skill of setting things and letting it run: clicks that play something out, and clicks that set what that passes.
//!
//! Where a click plays something out and then all is as it was, the run failed; whether the next one does depends on how
//! that is set which it passed. So no run is made that passes the same things, set in the same way, as one that failed:
//! the nearest settings that none speaks against are brought about and tried. What led on is done again after a restart.
//!
//! It makes no first experiment of its own: it is founded once a failed run was seen to pass something that clicks set.
//!
//! # Layout
//! - [`Trials`] (here): what is known, and what is tried. Start here.
//! - `runs`: what was seen of an action, and of something that was played out.
//! - `panel`: what is set, how, and the fewest clicks to a setting.

mod panel;
mod runs;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeSet, HashSet, VecDeque},
    mem,
};

use env_client::{Action, ActionSet, Grid, Key, Point};
use world_model::{Bounds, Component, InterfaceMask, Outcome, Scene, Start, Transition};

use self::{
    panel::{Panel, Press, Settings, Switch, whole},
    runs::{Passage, Run, Seen},
};
use super::{
    ledger::TIER,
    skill::{Look, Move, Proposal, Skill, look},
};

/// A run and what it takes, on the scale of the other skills of buttons, and where runs won before. Guesses.
const RUN: f32 = 0.34 * TIER;
const WON: f32 = 0.14 * TIER;
/// Things that are set in one level: more are a board. And runs of one level after which the rest is left to others, clicks
/// that are kept in mind of it, and things that may start a run. Guesses.
const SWITCHES: usize = 12;
const RUNS: usize = 60;
const PRESSES: usize = 80;
const STARTERS: usize = 6;
/// Actions of one level that are kept in mind.
const ACTIONS: usize = 300;

/// What is known of a game.
#[derive(Clone, Debug, Default)]
struct Lore {
    /// What clicks set in this game, what of it is a part of something larger that is set at once, and what answered no click.
    settable: HashSet<Look>,
    parts: HashSet<Look>,
    dull: HashSet<Look>,
    /// What starts runs, whatever its colour, and keys that start some.
    starting: HashSet<u64>,
    keys: Vec<Key>,
}

impl Lore {
    /// Whether something of this form is a part of what is set at once.
    fn is_part(&self, form: u64) -> bool {
        self.parts.iter().any(|it| it.1 == form)
    }
}

/// Sets things, and lets it run.
#[derive(Debug, Default)]
pub(super) struct Trials {
    /// What is known of the game, and what of that was known when this level began.
    lore: Lore,
    first: Lore,
    /// What was done in this level, and how much was hidden when it was judged.
    seen: Vec<Seen>,
    hidden: usize,
    /// What was seen by that in this level, and where clicks did nothing.
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
    /// What was played out in this level by clicks, and by keys that start runs.
    fn live(&self) -> impl DoubleEndedIterator<Item = &Run> {
        self.runs.iter().filter(|run| run.key().is_none_or(|key| self.lore.keys.contains(&key)))
    }

    /// Things that clicks set: those clicked in this level, those that look like it, and what a run passed of their form,
    /// first those of several parts. What lies where another one shows its setting is part of that.
    fn switches(&self, frame: &Grid, scene: &Scene, mask: &InterfaceMask) -> Vec<Switch> {
        let mut switches: Vec<Switch> = Vec::new();
        let mut add = |switch: Switch| {
            if !switches.iter().any(|it| it.cells.contains(&switch.at)) {
                switches.push(switch);
            }
        };
        let all = scene.components().iter().enumerate();
        let is_open = |it: &Component| !mask.hides(it.center) && !self.dead.contains(&it.center);
        let open: Vec<(usize, &Component)> = all.filter(|it| is_open(it.1)).collect();
        let is_alike = |it: &Component| self.lore.settable.contains(&look(it));
        let of_form = |it: &Component| self.lore.settable.iter().any(|(_, form)| *form == it.form);
        let may_be = |it: &Component| of_form(it) && !self.lore.dull.contains(&look(it));
        self.presses.iter().filter(|it| it.is_whole).for_each(|press| add(Switch::of(press, frame)));
        for (index, it) in open.iter().filter(|it| self.lore.is_part(it.1.form)) {
            let Some(bounds) = whole(frame, scene, *index) else { continue };
            if is_alike(it) || may_be(it) && self.live().any(|run| run.passes(bounds)) {
                add(Switch::whole(it.center, bounds, frame));
            }
        }
        self.presses.iter().filter(|it| !it.is_whole).for_each(|press| add(Switch::of(press, frame)));
        let alike = open.iter().map(|it| it.1).filter(|it| is_alike(it));
        let is_passed = |it: &Component| self.live().any(|run| run.trail.contains_key(&it.center));
        let passed = open.iter().map(|it| it.1).filter(|it| may_be(it) && is_passed(it));
        alike.chain(passed).for_each(|it| add(Switch::new(it.center, it.bounds, frame)));
        switches
    }

    /// What may start runs, by what it looks like; together it tells how far the level has come.
    fn stage(&self, scene: &Scene, mask: &InterfaceMask) -> BTreeSet<Point> {
        let starts = |it: &&Component| self.lore.starting.contains(&it.form) && !mask.hides(it.center);
        scene.components().iter().filter(starts).map(|it| it.center).collect()
    }

    /// Actions that start runs, the newest first, or did so in other levels, or may do so. Of several parts of what runs, one
    /// is enough.
    fn starters(&self, scene: &Scene, stage: &BTreeSet<Point>, panel: &Panel) -> Vec<Action> {
        let part = |scene: &Scene, at: Point| scene.component_at(at).map(|it| scene.components()[it].clone());
        let mut starters: Vec<&Run> = Vec::new();
        for run in self.live().rev() {
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
        let is_new = |key: &&Key| starters.iter().all(|run| run.key() != Some(**key));
        let keys = self.lore.keys.iter().filter(is_new).map(|key| Action::Key(*key));
        starters.iter().map(|run| run.action).chain(keys).chain(alike).collect()
    }

    /// What to click before a run that nothing speaks against.
    fn trial(&self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<(Vec<Point>, Action)> {
        let scene = Scene::of(frame);
        let switches = self.switches(frame, &scene, mask);
        if switches.is_empty() || switches.len() > SWITCHES {
            return None;
        }
        let mut panel = Panel::new(switches, &self.presses);
        let (now, stage) = (panel.read(frame), self.stage(&scene, mask));
        let is_now = |run: &&Run, panel: &Panel| {
            if run.is_by_key() {
                panel.shows_all(&run.before, frame, mask)
            } else {
                self.stage(&Scene::of(&run.before), mask) == stage
            }
        };
        let runs: Vec<&Run> = self.live().filter(|run| is_now(run, &panel)).collect();
        let runs: Vec<(Action, Passage)> =
            runs.into_iter().map(|run| (run.action, Passage::of(run, &mut panel, mask))).collect();
        let starters = self.starters(&scene, &stage, &panel).into_iter().filter(|it| actions.contains(it.id()));
        let trials = starters.filter_map(|action| {
            let own: Vec<&Passage> = runs.iter().filter(|it| it.0 == action).map(|it| &it.1).collect();
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
        if self.live().next().is_none() {
            return false;
        }
        let panel = Panel::new(self.switches(frame, &Scene::of(frame), mask), &self.presses);
        self.live().any(|run| !run.worked(&panel, mask) && panel.passed(&run.trail).next().is_some())
    }

    /// Takes everything that was done for what it is through this mask.
    fn look_through(&mut self, mask: &InterfaceMask) {
        if mem::replace(&mut self.hidden, mask.len()) == mask.len() || self.seen.is_empty() {
            return;
        }
        let (seen, missed) = (mem::take(&mut self.seen), self.missed);
        self.lore = self.first.clone();
        self.forget();
        for it in &seen {
            self.judge(it, mask);
        }
        let last = seen.last().map(|it| it.after.clone());
        (self.seen, self.missed) = (seen, missed);
        self.is_founded = self.is_founded || last.is_some_and(|frame| self.fails_by_settings(&frame, mask));
    }

    /// Forgets what was made of what was done in this level.
    fn forget(&mut self) {
        self.barren = 0;
        self.presses.clear();
        self.runs.clear();
        self.dead.clear();
    }

    /// Takes something that was done for what it is through this mask.
    fn judge(&mut self, seen: &Seen, mask: &InterfaceMask) {
        self.missed = true;
        let run = Run::of(seen, mask);
        let cells = seen.cells(mask);
        match seen.action {
            Action::Click(at) => self.judge_click(seen, at, (run, cells), mask),
            Action::Key(key) => {
                let Some(run) = run else { return };
                let sets_all = || run.is_by_key() && self.sets_all(seen, &cells, mask);
                if cells.is_empty() || sets_all() {
                    self.lore.keys.extend(Some(key).filter(|it| !self.lore.keys.contains(it)));
                }
                self.runs.extend(Some(run).filter(|it| cells.is_empty() || it.is_by_key()));
            }
        }
    }

    fn judge_click(&mut self, seen: &Seen, at: Point, (run, cells): (Option<Run>, Vec<Point>), mask: &InterfaceMask) {
        let scene = Scene::of(&seen.before);
        let Some(index) = scene.component_at(at) else { return };
        let thing = &scene.components()[index];
        if let Some(run) = run {
            let is_first = self.lore.starting.insert(thing.form);
            let leads_on = self.stage(&scene, mask) != self.stage(&Scene::of(&seen.after), mask);
            let is_run =
                || !is_first && !self.lore.settable.contains(&look(thing)) && self.sets_all(seen, &cells, mask);
            if cells.is_empty() || leads_on || is_run() {
                self.runs.push(Run { leads_on, ..run });
                return;
            }
            if is_first {
                self.lore.starting.remove(&thing.form);
            }
        }
        if cells.is_empty() {
            self.barren += usize::from(self.lore.starting.contains(&thing.form));
            self.dead.insert(at);
            self.lore.dull.insert(look(thing));
            return;
        }
        self.missed = false;
        self.lore.settable.insert(look(thing));
        let within = |bounds: Bounds| cells.iter().all(|at| bounds.contains(at.x(), at.y()));
        let whole = whole(&seen.before, &scene, index).filter(|it| within(*it) && !within(thing.bounds));
        self.lore.parts.extend(whole.map(|_| look(thing)));
        if self.presses.len() < PRESSES {
            let (bounds, before, after) = (whole.unwrap_or(thing.bounds), seen.before.clone(), seen.after.clone());
            self.presses.push(Press { at, bounds, is_whole: whole.is_some(), before, after, cells });
        }
    }

    /// Whether these cells, which an action changed, all belong to things that clicks set, of which it was none.
    fn sets_all(&self, seen: &Seen, cells: &[Point], mask: &InterfaceMask) -> bool {
        if self.lore.settable.is_empty() {
            return false;
        }
        let switches = self.switches(&seen.before, &Scene::of(&seen.before), mask);
        let panel = Panel::new(switches, &self.presses);
        let is_apart = seen.action.point().is_none_or(|at| !panel.has(at));
        is_apart && cells.iter().all(|at| panel.has(*at))
    }
}

impl Skill for Trials {
    fn name(&self) -> &'static str {
        "trials"
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, start: Start) {
        self.pending = None;
        self.life += 1;
        if start == Start::Level {
            self.life = 0;
            self.first = self.lore.clone();
            self.seen.clear();
            self.forget();
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        if step.outcome == Outcome::Solved {
            self.has_won |= self.pending.take() == Some(step.action);
            return;
        }
        self.look_through(mask);
        self.missed = true;
        let seen = Seen::of(step, self.life).filter(|_| step.outcome == Outcome::Continues);
        let Some(seen) = seen.filter(|_| self.seen.len() < ACTIONS) else { return };
        self.judge(&seen, mask);
        self.is_founded = self.is_founded || self.fails_by_settings(&seen.after, mask);
        self.seen.push(seen);
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.look_through(mask);
        if !self.is_founded || self.live().count() >= RUNS {
            return None;
        }
        let (clicks, action) = self.trial(frame, mask, actions)?;
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
