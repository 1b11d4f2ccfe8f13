//! How pieces fill what is to be filled, each cell of it once.

use std::hash::{DefaultHasher, Hash, Hasher};

use env_client::{Color, Key};
use world_model::handling::{Area, Place};

use super::voids::Void;

/// Nodes that one search looks at, and covers that it finds before the best of them is taken. Guesses.
const NODES: u32 = 60_000;
const COVERS: usize = 400;

/// A piece that may be laid, and how it can lie.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) piece: usize,
    pub(super) color: Color,
    pub(super) poses: Vec<Pose>,
    /// By how much it is moved at once, where that is known.
    pub(super) stride: Option<Place>,
}

/// A way that a piece can lie: by which keys, and its cells then if it stayed in its corner.
#[derive(Clone, Debug)]
pub(super) struct Pose {
    pub(super) turns: Vec<Key>,
    pub(super) area: Area,
}

/// A piece laid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Laid {
    pub(super) piece: usize,
    pub(super) turns: Vec<Key>,
    pub(super) to: Area,
}

/// Pieces that fill all there is to fill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cover {
    pub(super) laid: Vec<Laid>,
    /// What tells it from others: which colours come to lie where.
    pub(super) signature: u64,
    /// Whether it is hardly by accident that the pieces fit.
    pub(super) is_telling: bool,
}

struct Search<'a> {
    parts: &'a [Part],
    is_vain: &'a dyn Fn(u64) -> bool,
    nodes: u32,
    found: Vec<Vec<Laid>>,
}

impl Search<'_> {
    fn fill(&mut self, open: &Area, used: u64, laid: &mut Vec<Laid>) {
        let Some(first) = open.first() else {
            if !(self.is_vain)(signature(self.parts, laid)) {
                self.found.push(laid.clone());
            }
            return;
        };
        let mut tried: Vec<(Color, Area)> = Vec::new();
        for (index, part) in self.parts.iter().enumerate().filter(|(index, _)| used >> index & 1 == 0) {
            for pose in &part.poses {
                if self.nodes == 0 || self.found.len() >= COVERS {
                    return;
                }
                self.nodes -= 1;
                let Some(from) = pose.area.first() else { continue };
                let by = (i16::from(first.x()) - i16::from(from.x()), i16::from(first.y()) - i16::from(from.y()));
                let Some(to) = pose.area.shifted(by).filter(|to| to.is_within(open)) else { continue };
                let is_reached = !pose.turns.is_empty() || part.stride.is_none_or(|it| is_multiple(by, it));
                if !is_reached || tried.contains(&(part.color, to)) {
                    continue;
                }
                tried.push((part.color, to));
                laid.push(Laid { piece: part.piece, turns: pose.turns.clone(), to });
                self.fill(&open.without(&to), used | 1 << index, laid);
                laid.pop();
            }
        }
    }
}

fn is_multiple(by: Place, stride: Place) -> bool {
    let is_of = |by: i16, stride: i16| if stride == 0 { by == 0 } else { by % stride == 0 };
    is_of(by.0, stride.0) && is_of(by.1, stride.1)
}

fn signature(parts: &[Part], laid: &[Laid]) -> u64 {
    let color = |piece: usize| parts.iter().find(|it| it.piece == piece).map(|it| it.color);
    let mut all: Vec<(Option<Color>, Place, u32)> =
        laid.iter().map(|it| (color(it.piece), it.to.corner(), it.to.len())).collect();
    all.sort_unstable();
    let mut hasher = DefaultHasher::new();
    all.hash(&mut hasher);
    hasher.finish()
}

/// How often a cover has another colour where one is drawn.
fn mismatches(voids: &[Void], parts: &[Part], laid: &[Laid]) -> u32 {
    let color = |it: &Laid| parts.iter().find(|part| part.piece == it.piece).map(|part| part.color);
    let is_of_pieces = |color: Color| parts.iter().any(|it| it.color == color);
    let dots = voids.iter().flat_map(|it| &it.dots).filter(|it| is_of_pieces(it.1));
    let dots = dots.filter(|dot| laid.iter().any(|it| it.to.meets(&dot.0) && color(it) != Some(dot.1)));
    let rims = voids.iter().filter(|it| is_of_pieces(it.rim));
    let rims = rims.flat_map(|void| laid.iter().filter(|it| it.to.meets(&void.area) && color(it) != Some(void.rim)));
    (dots.count() + rims.count()) as u32
}

/// The actions that a cover takes at least.
fn cost(parts: &[Part], laid: &[Laid]) -> u32 {
    let one = |it: &Laid| {
        let Some(part) = parts.iter().find(|part| part.piece == it.piece) else { return 0 };
        let (from, to) = (part.poses[0].area.corner(), it.to.corner());
        if part.poses[0].area == it.to {
            return 0;
        }
        let (x, y) = part.stride.map_or((1, 1), |it| (it.0.max(1), it.1.max(1)));
        let far = ((to.0 - from.0).abs() / x + (to.1 - from.1).abs() / y) as u32;
        1 + far + it.turns.len() as u32
    };
    laid.iter().map(one).sum()
}

/// The cover that agrees best with the colours that are drawn, of several the one that takes the fewest actions.
pub(super) fn cover(voids: &[Void], parts: &[Part], is_vain: &dyn Fn(u64) -> bool) -> Option<Cover> {
    let open = voids.iter().fold(Area::EMPTY, |all, it| all.with(&it.area));
    let most = |part: &Part| part.poses.first().map_or(0, |it| it.area.len());
    if open.is_empty() || parts.len() > 64 || parts.iter().map(most).sum::<u32>() < open.len() {
        return None;
    }
    let mut search = Search { parts, is_vain, nodes: NODES, found: Vec::new() };
    search.fill(&open, 0, &mut Vec::new());
    let rank = |laid: &Vec<Laid>| (mismatches(voids, parts, laid), cost(parts, laid));
    let laid = search.found.into_iter().min_by_key(rank)?;
    let is_plain = |it: &Laid| {
        let Some((from, to)) = it.to.corners() else { return true };
        i32::from(to.0 - from.0 + 1) * i32::from(to.1 - from.1 + 1) == it.to.len() as i32
    };
    let is_telling = laid.len() > voids.len() || !laid.iter().all(is_plain);
    Some(Cover { signature: signature(parts, &laid), laid, is_telling })
}
