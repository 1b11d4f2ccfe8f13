//! A wall of tiles as what may be joined: the poses that each can take, and the ends that may have to meet.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{Color, Grid};
use world_model::{
    Pipes,
    pipes::{Openings, Tile, Wall},
};

/// Tiles of one colour all over, as many of which are no end. A guess.
const SOLID: usize = 3;

/// One way to turn a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pose {
    /// The clicks it takes from now on.
    pub(super) clicks: u32,
    /// What is connected in it.
    pub(super) parts: Vec<Openings>,
}

impl Pose {
    /// The part that is open on all of these sides, a bit for each.
    pub(super) fn part(&self, sides: u8) -> Option<&Openings> {
        self.parts.iter().find(|part| (0..4).all(|side| sides >> side & 1 == 0 || part[side] != 0))
    }

    /// All that is open on a side.
    pub(super) fn open(&self, side: usize) -> u32 {
        self.parts.iter().fold(0, |bits, part| bits | part[side])
    }
}

/// One tile, and how it can be turned, the cheapest pose first; none where nothing is drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct Knot {
    pub(super) poses: Vec<Pose>,
    /// Whether it may be what something comes from or is to reach.
    is_end: bool,
    /// Colours at its openings, and all that is drawn there, as sets of indices.
    arms: u16,
    colors: u16,
    /// What most of its rim shows, where nothing that is drawn on it reaches that.
    shell: Option<Color>,
}

/// What may be joined.
#[derive(Clone, Debug)]
pub(super) struct Net {
    pub(super) knots: Vec<Knot>,
    /// The tiles beyond the four sides of each.
    pub(super) beyond: Vec<[Option<usize>; 4]>,
}

/// Ends that are to be joined with each other and with none of another group.
pub(super) type Groups = Vec<BTreeSet<usize>>;

/// The colours of a set.
fn colors(set: u16) -> impl Iterator<Item = usize> {
    (0..Color::COUNT).filter(move |index| set >> index & 1 == 1)
}

impl Net {
    /// Reads a frame; with or without ends that may turn.
    pub(super) fn read(pipes: &Pipes, wall: &Wall, frame: &Grid, ends_turn: bool) -> Net {
        let tiles: Vec<Option<Tile>> = (0..wall.len()).map(|index| wall.tile(frame, index)).collect();
        let blank =
            |color: Color| tiles.iter().flatten().filter(|it| it.ground == color && it.stencil.is_blank()).count();
        let drawn =
            |color: Color| tiles.iter().flatten().any(|it| it.ground == color && !it.stencil.parts().is_empty());
        let is_solid = |it: &Tile| it.stencil.is_blank() && !drawn(it.ground) && blank(it.ground) <= SOLID;
        let knot = |(index, tile): (usize, &Option<Tile>)| {
            let Some(tile) = tile else { return Knot::default() };
            let parts = tile.stencil.parts();
            let is_island = !tile.stencil.is_blank() && !tile.stencil.touches_rim();
            let is_blob = is_solid(tile) || is_island;
            if is_blob {
                let whole = Pose { clicks: 0, parts: vec![[u32::MAX; 4]] };
                let shell = Some(tile.ground);
                return Knot { poses: vec![whole], is_end: true, arms: 0, colors: tile.colors(), shell };
            }
            let is_end = parts.iter().flatten().filter(|bits| **bits != 0).count() == 1;
            let turns = if is_end && !ends_turn {
                pipes.turns(index, tile) == Some(true)
            } else {
                pipes.turns_by_sign(index, tile).unwrap_or(true)
            };
            let poses = poses(tile, turns, pipes.is_clockwise());
            Knot { poses, is_end, arms: tile.arms(), colors: tile.colors(), shell: None }
        };
        let knots = tiles.iter().enumerate().map(knot).collect();
        let beyond = (0..wall.len()).map(|index| [0, 1, 2, 3].map(|side| wall.beyond(index, side))).collect();
        Net { knots, beyond }
    }

    /// The groups of ends that may have to be joined, likeliest first.
    pub(super) fn groups(&self) -> Vec<Groups> {
        let lit = self.lit();
        let ends: BTreeSet<usize> = (0..self.knots.len()).filter(|index| self.knots[*index].is_end).collect();
        let plain = self.knots.iter().fold(0, |set, it| set | it.arms);
        let is_marked = |index: &usize| {
            let it = &self.knots[*index];
            it.colors & !plain != 0 || it.arms & lit != 0
        };
        let marked: BTreeSet<usize> = ends.iter().copied().filter(is_marked).collect();
        let has_own_color = |index: &usize| self.knots[*index].colors & !plain != 0;
        let all_marked = (0..self.knots.len()).filter(has_own_color).chain(marked.iter().copied()).collect();
        let mut groups: Vec<Groups> = Vec::new();
        for ends in [marked, ends, all_marked] {
            let by_light = self.by_color(&ends, lit);
            let by_mark = self.by_color(&ends, !plain);
            // Of some what comes from them shines in a way, of others nowhere yet.
            let by_both = self.by_color(&ends, !plain | lit);
            let apart = [by_light, by_mark, by_both, self.by_shell(&ends)].into_iter().filter(|it| it.len() > 1);
            groups.extend(apart.chain([vec![ends]]));
        }
        let mut known = Vec::new();
        for group in groups.into_iter().filter(|it| it.iter().all(|ends| ends.len() > 1)) {
            if !known.contains(&group) {
                known.push(group);
            }
        }
        known
    }

    /// All tiles on which anything is drawn.
    pub(super) fn drawn(&self) -> BTreeSet<usize> {
        (0..self.knots.len()).filter(|index| !self.knots[*index].poses.is_empty()).collect()
    }

    /// What shines: colours at openings, as a set of indices, but for the commonest.
    fn lit(&self) -> u16 {
        let mut counts = [0usize; Color::COUNT];
        self.knots.iter().flat_map(|it| colors(it.arms)).for_each(|index| counts[index] += 1);
        let dark = (0..Color::COUNT).max_by_key(|index| (counts[*index], Color::COUNT - index));
        self.knots.iter().fold(0, |set, it| set | it.arms) & !dark.map_or(0, |index| 1 << index)
    }

    /// Ends by which of these colours they show, apart from their openings if possible; empty where one shows none, or only
    /// one does.
    fn by_color(&self, ends: &BTreeSet<usize>, of: u16) -> Groups {
        let mut groups: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for index in ends {
            let Knot { arms, colors: all, .. } = self.knots[*index];
            let own = if all & !arms & of == 0 { all & of } else { all & !arms & of };
            match colors(own).next() {
                Some(color) => _ = groups.entry(color).or_default().insert(*index),
                None => return Vec::new(),
            }
        }
        if groups.values().any(|it| it.len() < 2) { Vec::new() } else { groups.into_values().collect() }
    }

    /// Ends by what is around them; empty where anything reaches the rim of one, or one has no like.
    fn by_shell(&self, ends: &BTreeSet<usize>) -> Groups {
        let mut groups: BTreeMap<Option<Color>, BTreeSet<usize>> = BTreeMap::new();
        for index in ends {
            groups.entry(self.knots[*index].shell).or_default().insert(*index);
        }
        let is_apart = !groups.contains_key(&None) && groups.values().all(|it| it.len() > 1);
        if is_apart { groups.into_values().collect() } else { Vec::new() }
    }

    /// What is reached from a tile.
    pub(super) fn reach(&self, poses: &[usize], from: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<(usize, usize)> = self.parts(poses, from).map(|part| (from, part)).collect();
        let mut seen: BTreeSet<(usize, usize)> = open.iter().copied().collect();
        while let Some((index, part)) = open.pop() {
            reached.insert(index);
            let openings = self.knots[index].poses[poses[index]].parts[part];
            for (side, opening) in openings.into_iter().enumerate() {
                let Some(next) = self.beyond[index][side] else { continue };
                for other in self.parts(poses, next) {
                    let meets = self.knots[next].poses[poses[next]].parts[other][(side + 2) % 4] & opening != 0;
                    if meets && seen.insert((next, other)) {
                        open.push((next, other));
                    }
                }
            }
        }
        reached
    }

    fn parts(&self, poses: &[usize], index: usize) -> std::ops::Range<usize> {
        0..self.knots[index].poses.get(poses[index]).map_or(0, |pose| pose.parts.len())
    }

    /// The clicks that all poses take.
    pub(super) fn clicks(&self, poses: &[usize]) -> u32 {
        let pose = |(knot, pose): (&Knot, &usize)| knot.poses.get(*pose).map_or(0, |it| it.clicks);
        self.knots.iter().zip(poses).map(pose).sum()
    }

    /// Whether each group is joined, and with no other one.
    pub(super) fn joins(&self, poses: &[usize], groups: &Groups) -> bool {
        groups.iter().all(|ends| {
            let reached = ends.first().map(|root| self.reach(poses, *root)).unwrap_or_default();
            let others = groups.iter().filter(|it| *it != ends).flatten();
            ends.is_subset(&reached) && !others.into_iter().any(|it| reached.contains(it))
        })
    }
}

/// The different poses of a tile.
fn poses(tile: &Tile, turns: bool, clockwise: bool) -> Vec<Pose> {
    let [zero, one, two, three] = tile.stencil.poses();
    let in_turn = if clockwise { [zero, one, two, three] } else { [zero, three, two, one] };
    let mut poses: Vec<Pose> = Vec::new();
    for (clicks, stencil) in (0..).zip(in_turn).take(if turns { 4 } else { 1 }) {
        let parts = stencil.parts();
        if !parts.is_empty() && !poses.iter().any(|it| it.parts == parts) {
            poses.push(Pose { clicks, parts });
        }
    }
    poses
}
