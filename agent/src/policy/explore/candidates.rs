//! What can be tried in a state: keys, clicks on components, and at last a lattice of points.

use std::collections::HashSet;

use env_client::{Action, ActionSet, Color, Grid, Point};
use world_model::{Bounds, Component, InterfaceMask, Scene, StateKey};

use super::experience::{Class, Experience, Promise, RecordId};
use crate::policy::sprites::sprites;

/// Clicks on components kept for one state, representatives of classes first.
const CLICKS: usize = 128;
/// The distance between two points of the lattice: fine enough to hit every 4×4 cell.
const LATTICE_STEP: u8 = 4;
/// Components larger than this share of the frame are background: clicked late.
const BACKGROUND: usize = 8;

/// The rate above which more success makes nothing more attractive: else what worked first is tried for ever.
const CREDIT: f32 = 0.66;

/// What an action led to in its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// Never played here.
    Untried,
    /// Never played here either, but expected to lead back to where the play came from.
    Presumed,
    /// It left the state as it was; `animated` when something was to be seen in between.
    Nothing {
        /// Whether the answer had intermediate layers.
        animated: bool,
    },
    /// It led to another state.
    Moved,
    /// It lost the play although the budget of steps was not at its end.
    Deadly,
}

/// How early something is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tier {
    /// Keys, one click per class, every member of a class that was seen to do something.
    Likely,
    /// Classes that did nothing, further members of classes never tried.
    Unlikely,
    /// Points of a lattice, whatever lies there.
    Lattice,
}

/// One way to act in one state.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) action: Action,
    pub(super) class: RecordId,
    /// What is clicked, for clicks on components.
    kind: Option<Class>,
    /// What is marked and may go there.
    pub(super) marked: Option<RecordId>,
    pub(super) spot: Option<RecordId>,
    /// The record of what is clicked in this colour.
    family: Option<RecordId>,
    /// The number of the drawing that is clicked, where the component is a part of a larger one.
    pub(super) sprite: Option<u16>,
    pub(super) tries: u16,
    /// The box around what it changed here, if it did anything.
    pub(super) changed: Option<Bounds>,
    /// Where it should lead, if what it did elsewhere says so.
    pub(super) foretold: Option<StateKey>,
    pub(super) fate: Fate,
    /// Whether it stands for its class in this state.
    representative: bool,
    lattice: bool,
    background: bool,
}

impl Candidate {
    /// Takes over what the same action did in a state that turned out to be this one.
    pub(super) fn merge(&mut self, other: &Candidate) {
        self.tries = self.tries.saturating_add(other.tries);
        if matches!(self.fate, Fate::Untried | Fate::Presumed) || other.fate == Fate::Moved {
            self.fate = other.fate;
        }
    }

    /// The class of a component where nothing is marked.
    pub(super) fn plain(&self, experience: &mut Experience) -> Option<RecordId> {
        self.kind.map(|kind| experience.class(kind))
    }

    /// Something is marked: whatever this click did so far, it may do something else now.
    pub(super) fn pair_with(&mut self, marked: RecordId, experience: &mut Experience) {
        let Some(Class::Click { shape, color, surround }) = self.kind else { return };
        if self.tries == 0 && !self.background {
            self.class = experience.class(Class::With { marked, shape, color, surround });
            (self.marked, self.foretold) = (Some(marked), None);
        }
    }

    fn promise(&self, experience: &Experience) -> Promise {
        if self.marked.is_some() {
            return experience.of_pair(self.class);
        }
        let click = self.spot.zip(self.family);
        click.map_or_else(|| experience.of_key(self.class), |it| experience.of_click(self.class, it))
    }

    pub(super) fn tier(&self, experience: &Experience) -> Tier {
        let promise = self.promise(experience);
        match promise {
            _ if self.lattice => Tier::Lattice,
            _ if self.fate == Fate::Presumed => Tier::Unlikely,
            Promise { dead: true, .. } => Tier::Unlikely,
            Promise { live: true, .. } => Tier::Likely,
            _ if self.representative || self.marked.is_some() => Tier::Likely,
            _ => Tier::Unlikely,
        }
    }

    /// Whether this very click did something in this level.
    pub(super) fn has_answered(&self, experience: &Experience) -> bool {
        self.records().1.is_some_and(|(spot, _)| experience.has_answered(spot))
    }

    /// What counts tries of it: its class, its spot, and all that is clicked in its colour.
    pub(super) fn records(&self) -> (RecordId, Option<(RecordId, RecordId)>) {
        (self.class, self.spot.zip(self.family).filter(|_| self.marked.is_none()))
    }

    /// How much it is worth to try it next.
    pub(super) fn score(&self, experience: &Experience) -> f32 {
        let rate = self.promise(experience).rate.min(CREDIT);
        if self.background { 0.6 * rate } else { rate }
    }
}

/// The keys and component clicks of a state, small components first.
pub(super) fn of_state(
    grid: &Grid,
    actions: ActionSet,
    mask: &InterfaceMask,
    experience: &mut Experience,
) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = actions.keys().map(|key| of_key(key, experience)).collect();
    if actions.has_click() {
        candidates.extend(clicks(grid, mask, experience));
    }
    candidates
}

fn of_key(key: env_client::Key, experience: &mut Experience) -> Candidate {
    let class = experience.class(Class::Key(key));
    Candidate {
        action: Action::Key(key),
        class,
        kind: None,
        marked: None,
        spot: None,
        family: None,
        sprite: None,
        tries: 0,
        changed: None,
        foretold: None,
        fate: Fate::Untried,
        representative: true,
        lattice: false,
        background: false,
    }
}

fn clicks(grid: &Grid, mask: &InterfaceMask, experience: &mut Experience) -> Vec<Candidate> {
    let scene = Scene::of(grid);
    let mut components: Vec<(&Component, Option<u16>)> = scene.components().iter().zip(sprites(&scene)).collect();
    components.sort_by_key(|(component, _)| component.area);
    let mut seen = HashSet::new();
    let mut clicks: Vec<Candidate> = components
        .into_iter()
        .map(|(component, sprite)| {
            let class = Class::Click { shape: component.shape, color: component.color, surround: component.surround };
            let representative = seen.insert(class) && !mask.hides(component.center);
            let background = usize::from(component.area) * BACKGROUND > grid.cells().len();
            Candidate {
                sprite,
                representative,
                background,
                kind: Some(class),
                ..click(component.center, (class, component.color), experience)
            }
        })
        .collect();
    if clicks.len() > CLICKS {
        clicks.sort_by_key(|click| !click.representative);
        clicks.truncate(CLICKS);
    }
    clicks
}

/// Points of a lattice over the whole frame.
pub(super) fn lattice(grid: &Grid, experience: &mut Experience) -> Vec<Candidate> {
    let on_lattice = |value: u8| value % LATTICE_STEP == LATTICE_STEP / 2;
    let points = grid.points().filter(|point| on_lattice(point.x()) && on_lattice(point.y()));
    points
        .map(|point| Candidate {
            lattice: true,
            ..click(point, (Class::Lattice(grid[point]), grid[point]), experience)
        })
        .collect()
}

fn click(point: Point, (class, color): (Class, Color), experience: &mut Experience) -> Candidate {
    let class = experience.class(class);
    Candidate {
        action: Action::Click(point),
        class,
        kind: None,
        marked: None,
        spot: Some(experience.spot(class, point)),
        family: Some(experience.class(Class::Any(color))),
        sprite: None,
        tries: 0,
        changed: None,
        foretold: None,
        fate: Fate::Untried,
        representative: false,
        lattice: false,
        background: false,
    }
}
