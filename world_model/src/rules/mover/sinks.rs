//! Sinks: what comes of a piece that is taken onto something with which it becomes something else: a crate in water is a bridge,
//! one on its mark lights up, one in a pit is floor.

use env_client::{Color, Grid};
use rustc_hash::FxHashMap;

use super::{Instance, Movers, Placement, strip};
use crate::rules::{
    cell_set::CellSet,
    law::mix,
    sprite::{Sprite, Vector, color_at},
    step::Step,
    view::View,
};

/// What pieces become that are remembered. A guess.
const MOST: usize = 64;

/// What a piece and what it came onto became.
#[derive(Clone, Debug)]
struct Fate {
    becomes: Sprite,
    seen: u32,
    refuted: u32,
}

/// What became of pieces of each look, by what was drawn where they came to: the picture of it and, for the like of it, its
/// colours.
#[derive(Clone, Debug, Default)]
pub(super) struct Sinks {
    fates: FxHashMap<u64, Fate>,
    /// What became something else in the newest transition.
    sunk: Vec<Instance>,
}

impl Sinks {
    /// The cells of what a piece becomes that is taken this way, each with its colour; nothing where it stays what it is.
    pub(super) fn fate(&self, frame: &Grid, sprite: &Sprite, it: &Placement) -> Option<Vec<(Vector, Color)>> {
        if self.fates.is_empty() {
            return None;
        }
        let end = it.instance.at.plus(it.came);
        let known = |key| self.fates.get(&key).filter(|fate| fate.seen > fate.refuted);
        let fate = keys(frame, sprite, it).into_iter().find_map(known)?;
        Some(fate.becomes.cells().iter().map(|(at, color)| (end.plus(*at), *color)).collect())
    }

    /// Learns what a piece became, or that it is what it was.
    fn learn(&mut self, step: &Step<'_>, sprite: &Sprite, it: &Placement, is_kept: bool) {
        let now = Sprite::cut(step.after, it.instance.at.plus(it.came), sprite.size);
        for key in keys(step.before, sprite, it) {
            let has_room = self.fates.len() < MOST;
            match self.fates.get_mut(&key) {
                Some(fate) if !is_kept && fate.becomes == now => fate.seen += 1,
                Some(fate) => fate.refuted += 1,
                None if !is_kept && has_room => {
                    self.fates.insert(key, Fate { becomes: now.clone(), seen: 1, refuted: 0 });
                }
                None => {}
            }
        }
    }
}

/// The keys of a piece that comes onto something: by the picture of that, and by its colours.
fn keys(frame: &Grid, sprite: &Sprite, it: &Placement) -> [u64; 2] {
    let onto = Sprite::cut(frame, it.instance.at.plus(it.came), sprite.size);
    let look = sprite.key();
    [mix(look ^ onto.key()), mix(look ^ mix(onto.colors().into()))]
}

impl Movers {
    /// Learns what became of pieces that others took along. Those that are not seen any more went where they were taken, and
    /// became what is seen there.
    pub(super) fn learn_sinks(&mut self, step: &Step<'_>, placements: &mut Vec<Placement>, lost: &mut Vec<Instance>) {
        let is_kept = |it: &&Placement| {
            let is_driven = !self.is_controlled(it.instance) && it.came != Vector::ZERO;
            is_driven && it.pose == it.instance.pose
        };
        let kept: Vec<Placement> = placements.iter().filter(is_kept).copied().collect();
        let sunk: Vec<Placement> = lost.iter().filter_map(|it| self.sunk(*it, placements)).collect();
        for (it, is_kept) in kept.iter().map(|it| (it, true)).chain(sunk.iter().map(|it| (it, false))) {
            let sprite = self.sprite(it.instance).clone();
            self.sinks.learn(step, &sprite, it, is_kept);
        }
        lost.retain(|it| !sunk.iter().any(|sunk| sunk.instance == *it));
        self.sinks.sunk = sunk.iter().map(|it| it.instance).collect();
        placements.extend(sunk);
    }

    /// Whether a piece became something else in the newest transition: what is seen where it came to says nothing of how such
    /// pieces look there, or of what they lie under.
    pub(super) fn is_sunk(&self, instance: Instance) -> bool {
        self.sinks.sunk.iter().any(|it| (it.class, it.at) == (instance.class, instance.at))
    }

    /// The ground that pieces come over which is not what was last seen there: it is seen again when they go on.
    pub(in crate::rules) fn covered_anew(&self, view: &View<'_>, placements: &[Placement]) -> Vec<(Vector, Color)> {
        if self.sinks.fates.is_empty() {
            return Vec::new();
        }
        let left: CellSet =
            placements.iter().flat_map(|it| self.sprite(it.instance).footprint(it.instance.at)).collect();
        let goes = placements.iter().filter(|it| it.came != Vector::ZERO);
        let cells = goes.flat_map(|it| self.sprite(it.end()).footprint(it.end().at)).filter(|at| !left.contains(*at));
        let is_new = |(at, color): &(Vector, Color)| view.canvas.get(*at).is_some_and(|known| known != *color);
        cells.filter_map(|at| Some((at, color_at(view.frame, at)?))).filter(is_new).collect()
    }

    /// Where a piece of a kind that is pushed was taken and is not seen any more: where one that leads pushed it, if no piece is
    /// seen there.
    fn sunk(&self, instance: Instance, placements: &[Placement]) -> Option<Placement> {
        let class = &self.classes[instance.class];
        let is_pushed = class.driven > 0 && !class.patrols() && !self.is_controlled(instance);
        let own = (self.sprite(instance), instance.at);
        let obeys = |it: &Placement| self.is_controlled(it.instance) && self.classes[it.instance.class].has_obeyed();
        let leads = |it: &&Placement| it.came != Vector::ZERO && obeys(it);
        let pushes = |it: &&Placement| strip::crosses((self.sprite(it.instance), it.instance.at), it.came, own);
        let by = placements.iter().filter(leads).find(pushes).filter(|_| is_pushed)?.came;
        let end = instance.at.plus(by);
        let is_taken = |it: &Placement| self.sprite(it.end()).footprint(it.end().at).any(|at| own.0.covers(end, at));
        (!placements.iter().any(is_taken)).then_some(Placement { instance, wished: by, came: by, pose: instance.pose })
    }
}
