//! The skill of pieces that are picked up, moved and turned until they fill what is drawn.
//!
//! # Layout
//! - [`Tangram`] (here): takes the game for one where pieces fill outlines, and does what brings that about.
//! - [`voids`]: the outlines of a level, or its mat; [`cover`]: how pieces fill them; [`way`]: how one gets there.
//!
//! That pieces fill all outlines of a level to the last cell is no accident, so that is tried before anybody knows how
//! pieces are moved: the first one that should go elsewhere is clicked, then driven that way.

mod cover;
#[cfg(test)]
mod tests;
mod voids;
mod way;

use std::collections::{HashSet, VecDeque};

use env_client::{Action, ActionId, ActionSet, Grid, Key};
use world_model::{
    InterfaceMask, Outcome, Start, Transition,
    handling::{Area, Handling, Hold, Piece, Place},
    perception::Symmetry,
};

use self::{
    cover::{Cover, Laid, Part, Pose, cover},
    voids::Void,
    way::{Load, Ways, way},
};
use super::{
    ledger::TIER,
    skill::{Move, Proposal, Skill},
};

/// A plan where it is known how pieces are handled, which comes before all that others would try; what it takes to find
/// that out where the pieces fit hardly by accident, and where they may. Guesses, as are all numbers here.
const PLAN: f32 = 0.0;
const TELLING: f32 = 0.3 * TIER;
const RIDDLE: f32 = 1.4 * TIER;
/// Covers of one level that came true in vain, after which the rest is left to others; and proposals.
const VAIN: usize = 8;
const PROPOSALS: u32 = 120;
/// Poses of one piece at most.
const POSES: usize = 8;

/// Which way arrows point for the official player.
const ARROWS: [(Key, Place); 4] =
    [(Key::Key1, (0, -1)), (Key::Key2, (0, 1)), (Key::Key3, (-1, 0)), (Key::Key4, (1, 0))];

/// Actions, and where what is held should be after each of them, as far as that can be told.
type Steps = Vec<(Action, Option<Area>)>;

/// Understands pieces that fill outlines.
#[derive(Debug, Default)]
pub(super) struct Tangram {
    model: Handling,
    first: Option<Grid>,
    cover: Option<Cover>,
    /// Whether something was learned since the cover was found.
    is_stale: bool,
    /// Covers that came true, or cannot, in this level.
    vain: HashSet<u64>,
    proposals: u32,
    /// Where what is held should be after each step of the proposal made last, and of the one under way.
    proposed: VecDeque<Area>,
    foreseen: VecDeque<Area>,
    is_surprised: bool,
    has_won: bool,
}

impl Tangram {
    /// How the pieces of the level fill its outlines; taken apart another way where that alone makes them fit.
    fn find(&mut self, mask: &InterfaceMask, actions: ActionSet) -> Option<Cover> {
        let canvas = self.model.canvas()?;
        if let Some(cover) = self.fit(&canvas, mask, self.model.pieces(), actions) {
            return Some(cover);
        }
        if self.model.is_understood() || !self.model.ways().is_empty() {
            return None;
        }
        let others = self.model.otherwise(&canvas, mask);
        let cover = self.fit(&canvas, mask, &others, actions)?;
        self.model.take(others);
        Some(cover)
    }

    fn fit(&self, canvas: &Grid, mask: &InterfaceMask, pieces: &[Piece], actions: ActionSet) -> Option<Cover> {
        let drawn = voids::drawn(canvas, mask);
        let is_part = |it: &Piece| it.hold == Hold::Loose || it.hold == Hold::Unknown && !it.area.meets(&drawn);
        let all = pieces.iter().enumerate().filter(|(_, it)| is_part(it));
        let parts: Vec<Part> = all.map(|(piece, it)| self.part(piece, it, actions)).collect();
        let is_vain = |signature: u64| self.vain.contains(&signature);
        let wishes = voids::wishes(canvas, mask);
        let whole = wishes.iter().find_map(|wish| cover(wish, &parts, &is_vain));
        whole.or_else(|| {
            let fits = |void: &Void| cover(std::slice::from_ref(void), &parts, &|_| false).is_some();
            let some = wishes.iter().map(|wish| wish.iter().filter(|it| fits(it)).cloned().collect::<Vec<Void>>());
            some.filter_map(|wish| cover(&wish, &parts, &is_vain))
                .max_by_key(|it| it.laid.iter().map(|it| it.to.len()).sum::<u32>())
        })
    }

    /// The keys that may turn a piece, the likeliest way.
    fn turning(&self, actions: ActionSet) -> Vec<(Key, Symmetry)> {
        let known = self.model.turns().to_vec();
        if !known.is_empty() {
            return known;
        }
        self.untried(actions).map(|key| (key, Symmetry::Clockwise)).into_iter().collect()
    }

    /// A key that may do something to a piece other than move it.
    fn untried(&self, actions: ActionSet) -> Option<Key> {
        let may = |key: &Key| *key != Key::Key7 && !(is_arrow(*key) && self.are_usual());
        self.unknown(actions).find(may)
    }

    /// Keys of which nobody knows what they do.
    fn unknown(&self, actions: ActionSet) -> impl Iterator<Item = Key> {
        let turns = |key: Key| self.model.turns().iter().any(|it| it.0 == key);
        actions.keys().filter(move |key| self.model.way(*key).is_none() && !turns(*key) && !self.model.is_idle(*key))
    }

    /// Whether all keys go where they point for the official player, as far as is known.
    fn are_usual(&self) -> bool {
        let points = |key: Key, by: Place| ARROWS.contains(&(key, (by.0.signum(), by.1.signum())));
        self.model.ways().iter().all(|it| points(it.0, it.1))
    }

    fn part(&self, piece: usize, it: &Piece, actions: ActionSet) -> Part {
        let mut poses = vec![Pose { turns: Vec::new(), area: it.area }];
        let turning = if it.turns == Some(false) { Vec::new() } else { self.turning(actions) };
        let mut next = 0;
        while let Some(from) = poses.get(next).cloned().filter(|_| poses.len() < POSES) {
            for (key, symmetry) in &turning {
                let Some(area) = from.area.turned(*symmetry) else { continue };
                let is_known =
                    |pose: &Pose| pose.area.shifted(away(pose.area.corner())) == area.shifted(away(area.corner()));
                if !poses.iter().any(is_known) {
                    let turns = from.turns.iter().chain([key]).copied().collect();
                    poses.push(Pose { turns, area });
                }
            }
            next += 1;
        }
        Part { piece, color: it.color, poses, stride: self.stride() }
    }

    /// By how much pieces are moved at once along both axes, where both are known.
    fn stride(&self) -> Option<Place> {
        let along = |of: &dyn Fn(Place) -> i16| self.model.ways().iter().map(|it| of(it.1).abs()).find(|it| *it > 0);
        Some((along(&|it| it.0)?, along(&|it| it.1)?))
    }

    /// By how much keys take a piece: what was seen, and what that says of other arrows.
    fn ways(&self, actions: ActionSet) -> Ways {
        let mut ways: Ways = self.model.ways().to_vec();
        let Some(far) = ways.first().map(|(_, by)| by.0.abs() + by.1.abs()) else { return ways };
        let usual = ARROWS.into_iter().map(|(key, way)| (key, (far * way.0, far * way.1)));
        if self.are_usual() {
            let unknown: Vec<Key> = self.unknown(actions).collect();
            ways.extend(usual.filter(|it| unknown.contains(&it.0)));
        }
        ways
    }

    /// What is done next towards a cover, and how it goes on; `None` where nothing can be done. What would shut out others is
    /// laid last.
    fn towards(&self, cover: &Cover, mask: &InterfaceMask, actions: ActionSet) -> Option<Steps> {
        let area = |it: &Laid| self.model.pieces()[it.piece].area;
        let mut left: Vec<&Laid> = cover.laid.iter().filter(|it| area(it) != it.to).collect();
        left.sort_by_key(|it| !self.model.held().contains(&it.piece));
        [true, false].into_iter().find_map(|timid| {
            let may = |it: &Laid| self.lay(it, cover, (mask, timid), actions);
            let leaves_open =
                |it: &Laid| left.iter().all(|other| self.is_open(other, it, (cover, mask, timid), actions));
            let first = left.iter().filter(|it| leaves_open(it)).find_map(|it| may(it));
            first.or_else(|| left.iter().find_map(|it| may(it)))
        })
    }

    /// Whether a piece that need not be turned still gets where it should lie once another one is laid; also where it does not
    /// now.
    fn is_open(
        &self,
        it: &Laid,
        laid: &Laid,
        (cover, mask, timid): (&Cover, &InterfaceMask, bool),
        actions: ActionSet,
    ) -> bool {
        let ways = self.ways(actions);
        if it.piece == laid.piece || !it.turns.is_empty() || ways.is_empty() {
            return true;
        }
        let gets_there = |walls: Area| {
            let load = Load { walls, ..self.load(it.piece, cover, (mask, timid)) };
            way(&self.model, &ways, &[load], |at| at[0] == it.to).is_some()
        };
        let walls = self.load(it.piece, cover, (mask, timid)).walls;
        let stays = self.model.blocks().unwrap_or(timid);
        !stays || gets_there(walls.without(&self.model.pieces()[laid.piece].area).with(&laid.to)) || !gets_there(walls)
    }

    /// What brings a piece where it should lie, as far as that can be told.
    fn lay(
        &self,
        it: &Laid,
        cover: &Cover,
        (mask, timid): (&InterfaceMask, bool),
        actions: ActionSet,
    ) -> Option<Steps> {
        let piece = &self.model.pieces()[it.piece];
        let is_held = self.model.held().contains(&it.piece);
        let mut steps: Steps = Vec::new();
        if !is_held {
            let others = self.model.pieces().iter().enumerate().filter(|(index, _)| *index != it.piece);
            let others = others.fold(Area::EMPTY, |all, (_, other)| all.with(&other.area));
            steps.push((Action::Click(piece.grab(&others)?), Some(piece.area)));
        }
        let turns = it.turns.iter().map(|key| (Action::Key(*key), None));
        if !it.turns.is_empty() && !self.model.is_stuck(it.piece, &piece.area) {
            steps.extend(turns);
            return Some(steps);
        }
        let ways = self.ways(actions);
        if ways.is_empty() {
            if is_held {
                steps.push((Action::Key(self.arrow(&piece.area, &it.to, actions)?), None));
            }
            return Some(steps);
        }
        let held = if is_held { self.model.held() } else { &[it.piece] };
        let load: Vec<Load> = held.iter().map(|held| self.load(*held, cover, (mask, timid))).collect();
        let first = load.iter().position(|load| load.piece == it.piece)?;
        let keys = if it.turns.is_empty() {
            let wanted = |piece: usize| cover.laid.iter().find(|it| it.piece == piece && it.turns.is_empty());
            let wanted: Vec<Option<Area>> = load.iter().map(|it| wanted(it.piece).map(|it| it.to)).collect();
            way(&self.model, &ways, &load, |at| at.iter().zip(&wanted).all(|(at, it)| it.is_none_or(|to| to == *at)))
        } else {
            let is_free = |at: &Area| !self.model.is_stuck(it.piece, at) && self.model.is_roomy(at, &load[first].walls);
            way(&self.model, &ways, &load, |at| is_free(&at[first]))
        };
        let Some(keys) = keys else {
            // One of those that nobody knows may be the way that is missing.
            let key = self.unknown(actions).min_by_key(|key| !is_arrow(*key)).filter(|_| !self.are_usual())?;
            steps.push((Action::Key(key), None));
            return Some(steps);
        };
        let mut at = piece.area;
        for key in keys {
            let by = ways.iter().find(|it| it.0 == key).map(|it| it.1)?;
            at = self.model.passes(it.piece, &at, (key, by), &load[first].walls);
            steps.push((Action::Key(key), Some(at)));
        }
        steps.extend(turns);
        Some(steps)
    }

    /// What is moved when a piece is, and what is in its way: to be on the safe side, all other pieces that are to be laid.
    fn load(&self, piece: usize, cover: &Cover, (mask, timid): (&InterfaceMask, bool)) -> Load {
        let area = |piece: usize| self.model.pieces()[piece].area;
        let from = area(piece);
        let hidden: Area = self.first.iter().flat_map(Grid::points).filter(|at| mask.hides(*at)).collect();
        let others = cover.laid.iter().filter(|it| it.piece != piece && timid && self.model.blocks() != Some(false));
        let others = others.fold(hidden, |all, it| all.with(&area(it.piece)));
        let held = self.model.held().iter().filter(|it| **it != piece);
        let others = held.fold(others, |all, it| all.without(&area(*it)));
        Load { piece, from, walls: self.model.walls(piece, timid).with(&others).without(&from) }
    }

    /// The arrow that points where a piece should go.
    fn arrow(&self, from: &Area, to: &Area, actions: ActionSet) -> Option<Key> {
        let (from, to) = (from.corner(), to.corner());
        let far = (to.0 - from.0, to.1 - from.1);
        let ahead = |way: Place| i32::from(way.0) * i32::from(far.0) + i32::from(way.1) * i32::from(far.1);
        let offered =
            ARROWS.into_iter().filter(|it| actions.contains(Action::Key(it.0).id()) && !self.model.is_idle(it.0));
        offered.max_by_key(|it| ahead(it.1)).map(|it| it.0)
    }

    /// Whether all lie as they should.
    fn is_laid(&self, cover: &Cover) -> bool {
        cover.laid.iter().all(|it| self.model.pieces()[it.piece].area == it.to)
    }

    /// How good it is to do so many actions for a cover: where it is known what comes of them, as good as anything that is near.
    fn score(&self, cover: &Cover, steps: usize) -> f32 {
        let base = match () {
            () if self.model.is_understood() || self.has_won => return PLAN,
            () if cover.is_telling || !self.model.held().is_empty() => TELLING,
            () => RIDDLE,
        };
        base + steps as f32
    }
}

/// Whether a key is an arrow for the official player.
fn is_arrow(key: Key) -> bool {
    ARROWS.iter().any(|it| it.0 == key)
}

/// What takes a corner to that of a frame.
fn away((x, y): Place) -> Place {
    (-x, -y)
}

impl Skill for Tangram {
    fn name(&self) -> &'static str {
        "tangram"
    }

    fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.model.begin(frame, mask, start);
        self.foreseen.clear();
        (self.cover, self.is_stale) = (None, true);
        if start == Start::Level {
            self.first = Some(frame.clone());
            self.vain.clear();
            self.proposals = 0;
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.model.observe(step, mask);
        self.is_stale = true;
        let expected = self.foreseen.pop_front();
        self.has_won |= step.outcome == Outcome::Solved && expected.is_some();
        let held = self.model.held().first().map(|it| self.model.pieces()[*it].area);
        self.is_surprised = expected.is_some_and(|it| held != Some(it));
    }

    fn propose(&mut self, _frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        let has_arrows = ARROWS.iter().any(|it| actions.contains(Action::Key(it.0).id()));
        let may = actions.contains(ActionId::Action6) && has_arrows && !self.model.is_doubtful();
        if !may || self.vain.len() >= VAIN || self.proposals >= PROPOSALS {
            return None;
        }
        while self.vain.len() < VAIN {
            if std::mem::take(&mut self.is_stale) {
                self.cover = self.find(mask, actions);
            }
            let cover = self.cover.as_ref()?;
            let steps = if self.is_laid(cover) { None } else { self.towards(cover, mask, actions) };
            let Some(steps) = steps.filter(|it| !it.is_empty()) else {
                self.vain.insert(cover.signature);
                self.is_stale = true;
                continue;
            };
            let score = self.score(cover, steps.len());
            self.proposed = steps.iter().map_while(|it| it.1).collect();
            let steps = steps.into_iter().map(|(action, _)| Move { action, expected: None }).collect();
            return Some(Proposal { steps, goal: "pieces that fill what is drawn".to_owned(), score });
        }
        None
    }

    fn gives_up(&self) -> bool {
        self.is_surprised
    }

    fn taken_up(&mut self) {
        self.foreseen = std::mem::take(&mut self.proposed);
        self.proposals += 1;
    }
}
