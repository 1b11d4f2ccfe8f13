//! What was seen of an action, and of something that was played out.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use env_client::{Action, Grid, Key, Point};
use world_model::{Bounds, InterfaceMask, Transition};

use super::panel::{Panel, Settings};
use crate::policy::plan::levers::on_rim;

/// Frames that something takes at least which is played out, and those in which it comes to new cells: what flashes does so
/// in one. Guesses.
const LAYERS: usize = 3;
const MOMENTS: usize = 2;
/// What is gone in the first frames of a run is what runs. A guess.
const AT_ONCE: usize = 1;

/// Something that was done, whatever of it is interface.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) action: Action,
    pub(super) before: Grid,
    pub(super) after: Grid,
    /// The cells that showed it where it took long enough to be played out, and in which frame first.
    shown: HashMap<Point, usize>,
    life: u32,
}

impl Seen {
    /// What is to be kept in mind of a step: a click, or what was played out.
    pub(super) fn of(step: &Transition<'_>, life: u32) -> Option<Seen> {
        let after = step.after()?.clone();
        let mut shown = HashMap::new();
        for (when, layer) in step.layers.iter().enumerate().filter(|_| step.layers.len() >= LAYERS) {
            step.before.differences(layer).into_iter().flatten().for_each(|at| _ = shown.entry(at).or_insert(when));
        }
        let is_kept = step.action.point().is_some() || !shown.is_empty();
        is_kept.then(|| Seen { action: step.action, before: step.before.clone(), after, shown, life })
    }

    /// The cells that it changed in the end, interface and rim aside.
    pub(super) fn cells(&self, mask: &InterfaceMask) -> Vec<Point> {
        changed(&self.before, &self.after, mask).collect()
    }
}

/// The cells in which two frames differ, interface and rim aside.
pub(super) fn changed<'a>(from: &'a Grid, to: &'a Grid, mask: &'a InterfaceMask) -> impl Iterator<Item = Point> + 'a {
    from.differences(to).into_iter().flatten().filter(|at| !mask.hides(*at) && !on_rim(*at, from))
}

/// Something that was played out.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) action: Action,
    pub(super) before: Grid,
    pub(super) after: Grid,
    /// The cells that showed it, and in which frame first.
    pub(super) trail: HashMap<Point, usize>,
    /// Whether what starts runs was elsewhere after it, and how often the level had begun again before.
    pub(super) leads_on: bool,
    pub(super) life: u32,
}

impl Run {
    /// What was played out in a step. Nothing where it was too short, went nowhere, as what only flashes does, or was seen
    /// at the rim alone.
    pub(super) fn of(seen: &Seen, mask: &InterfaceMask) -> Option<Run> {
        let open = seen.shown.iter().filter(|it| !mask.hides(*it.0));
        let trail: HashMap<Point, usize> = open.map(|(at, when)| (*at, *when)).collect();
        let moments: HashSet<usize> = trail.values().copied().collect();
        let is_played = moments.len() >= MOMENTS && !trail.keys().all(|at| on_rim(*at, &seen.before));
        let (before, after) = (&seen.before, &seen.after);
        is_played.then(|| Run {
            action: seen.action,
            before: before.clone(),
            after: after.clone(),
            trail,
            leads_on: false,
            life: seen.life,
        })
    }

    /// The key that started it.
    pub(super) fn key(&self) -> Option<Key> {
        if let Action::Key(key) = self.action { Some(key) } else { None }
    }

    /// Whether a key started it that is no arrow: arrows move things about, and leave most as it was.
    pub(super) fn is_by_key(&self) -> bool {
        self.key().is_some_and(|it| it.opposite().is_none())
    }

    /// Whether the level came further by it: where a key starts it, something changed that clicks do not set.
    pub(super) fn worked(&self, panel: &Panel, mask: &InterfaceMask) -> bool {
        self.leads_on || self.is_by_key() && !panel.shows_all(&self.before, &self.after, mask)
    }

    /// Whether what runs is at a cell or right beside it at first.
    pub(super) fn starts_at(&self, at: Point) -> bool {
        let beside = [(0, 0), (0, -1), (1, 0), (0, 1), (-1, 0)].into_iter().filter_map(|(dx, dy)| at.offset(dx, dy));
        beside.into_iter().any(|at| self.trail.get(&at).is_some_and(|when| *when <= AT_ONCE))
    }

    /// Whether it came somewhere within these bounds.
    pub(super) fn passes(&self, bounds: Bounds) -> bool {
        self.trail.keys().any(|at| bounds.contains(at.x(), at.y()))
    }
}

/// What a run passed, and how that was set.
pub(super) struct Passage {
    /// Switches, their settings, and when they were passed.
    passed: Vec<(usize, u8, usize)>,
    pub(super) worked: bool,
    pub(super) life: u32,
}

impl Passage {
    /// What a run passed of a panel, which learns what the run set itself.
    pub(super) fn of(run: &Run, panel: &mut Panel, mask: &InterfaceMask) -> Passage {
        let worked = run.worked(panel, mask);
        let settings = panel.read(&run.before);
        if !worked {
            panel.learn(&settings, &run.after);
        }
        let passed = panel.passed(&run.trail).map(|(index, when)| (index, settings[index], when)).collect();
        Passage { passed, worked, life: run.life }
    }

    /// Whether a run would pass the same.
    pub(super) fn is_same(&self, settings: &Settings) -> bool {
        self.passed.iter().all(|(index, setting, _)| settings[*index] == *setting)
    }

    /// All switches, what was passed last first.
    pub(super) fn latest_first(&self, panel: &Panel) -> Vec<usize> {
        let when = |index: &usize| self.passed.iter().find(|it| it.0 == *index).map(|it| it.2);
        let mut order: Vec<usize> = (0..panel.switches.len()).collect();
        order.sort_by_key(|index| Reverse(when(index)));
        order
    }
}
