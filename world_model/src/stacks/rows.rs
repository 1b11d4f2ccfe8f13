//! Stacks in any direction: drawn pieces of one size in line on what holds them.
//!
//! A piece that went elsewhere tells of its size and of the colours of what it was on. A connected thing of these colours and of
//! pieces, no wider than these, is a holder: it has room for as many as fit its length. Its foot is the end next to which is seen
//! what was seen there when pieces were taken from the other end. Where no holder is seen between pieces, they may lie in
//! `hollows`. Whether the interface hides cells does not matter: where things are held they come and go, which looks like an
//! interface, and in another level holders may be there.

mod hollows;

use std::collections::BTreeSet;

use env_client::{Color, Grid, Point};

use self::hollows::Foot;
use super::{
    Layout, Tile,
    pieces::{SIDES, Size, moved, pieces, seams, size},
    turns::{is_move, tiles},
};
use crate::{Bounds, Component, InterfaceMask, Scene};

/// Holders of one level, more of which are none. A guess.
const HOLDERS: usize = 12;

/// What pieces and holders of a game look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Build {
    size: Size,
    /// Cells from one piece to the next.
    gap: u8,
    /// The colours of holders, or of what is seen in them where no piece lies, as a set.
    rail: u16,
    /// What is seen next to the foot of a holder, where that tells.
    foot: Option<Color>,
    /// Where pieces lie in holders rather than on them: the foot of all of these.
    hollow: Option<Foot>,
}

/// What pieces are on, in line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Holder {
    bounds: Bounds,
    /// Whether its foot is its left or its upper end; where that is unknown, the end that is nearer to the pieces is the foot.
    is_low: Option<bool>,
    /// Cells from its foot to where the first piece lies.
    rise: u8,
    room: usize,
    /// Its colours, as a set.
    look: u16,
}

/// The holders of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    build: Build,
    holders: Vec<Holder>,
}

impl Build {
    /// The same, with larger or smaller pieces.
    fn scaled(self, size: Size) -> Option<Build> {
        let gap = u16::from(self.gap) * u16::from(size.0);
        let is_whole = gap.is_multiple_of(self.size.0.into());
        is_whole.then(|| Build { size, gap: (gap / u16::from(self.size.0)) as u8, ..self })
    }
}

/// The extent of a thing along its longer side, and across it.
fn extents(it: Bounds) -> (u8, u8) {
    (it.width().max(it.height()), it.width().min(it.height()))
}

fn is_upright(it: Bounds) -> bool {
    it.height() > it.width()
}

/// The cell so far along the middle line of a thing, from its left or upper end.
fn along(it: Bounds, far: i16) -> Option<Point> {
    let (x, y) = (i16::from(it.middle().x()), i16::from(it.middle().y()));
    let (left, top) = (i16::from(it.left), i16::from(it.top));
    if is_upright(it) { Point::new(x, top + far) } else { Point::new(left + far, y) }.ok()
}

impl Holder {
    fn of(frame: &Grid, build: Build, bounds: Bounds, on: &[&Component]) -> Option<Holder> {
        let (width, height) = build.size;
        let (side, across) = if is_upright(bounds) { (height, width) } else { (width, height) };
        let ((length, wide), pitch) = (extents(bounds), side + build.gap);
        let is_on = |at: Point| on.iter().any(|it| it.bounds.contains(at.x(), at.y()));
        let color = |at: Point| frame.get(at).filter(|it| build.rail & 1 << it.index() != 0).map(|it| 1 << it.index());
        let mut look = 0;
        for at in (0..length).filter_map(|far| along(bounds, far.into())).filter(|at| !is_on(*at)) {
            look |= color(at)?;
        }
        let is_slim = if on.is_empty() { wide < across } else { wide == across };
        let room = usize::from((length + build.gap) / pitch).max(on.len());
        let [low, high] = ends(frame, bounds).map(|it| it.is_some() && it == build.foot);
        let is_low = (low != high).then_some(low);
        // A line that has no foot, where such are known, is something else.
        let is_holder = !on.is_empty() || build.foot.is_none() || is_low.is_some();
        (is_slim && length > side && is_holder).then_some(Holder { bounds, is_low, rise: 0, room, look })
    }

    /// Whether the left or the upper end is the foot, with these pieces.
    fn starts_low(&self, on: &[&Component]) -> bool {
        let rests = on.iter().map(|it| it.bounds).reduce(Bounds::union).map(|it| {
            let before = (it.left - self.bounds.left).max(it.top - self.bounds.top);
            (before, (self.bounds.right - it.right).max(self.bounds.bottom - it.bottom))
        });
        self.is_low.or_else(|| rests.map(|(before, behind)| before <= behind)).unwrap_or(true)
    }
}

/// What is seen next to both ends.
fn ends(frame: &Grid, it: Bounds) -> [Option<Color>; 2] {
    [-1, extents(it).0.into()].map(|far| along(it, far).and_then(|at| frame.get(at)))
}

impl Rows {
    /// The holders of two frames, between which one piece was taken from the top of one and laid on the top of another.
    pub(super) fn taught([old, new]: [&Grid; 2], mask: &InterfaceMask) -> Option<Rows> {
        let [from, to] = moved([old, new], mask)?;
        let rail =
            [new.get(from.middle())?, old.get(to.middle())?].map(|it| 1 << it.index()).iter().fold(0, |a, b| a | b);
        let build = Build { size: size(from), gap: 0, rail, foot: None, hollow: None };
        Rows::rails([old, new], build).or_else(|| Rows::hollows([old, new], build))
    }

    /// Those on which pieces are.
    fn rails([old, new]: [&Grid; 2], build: Build) -> Option<Rows> {
        let scene = Scene::of(old);
        let seen = pieces(&scene, build.size, build.rail);
        let gap = seams(old, &seen, scene.background()).into_iter().map(|it| it.0).min()?;
        let build = Build { gap, ..build };
        let plain = Rows::find(old, build)?;
        let feet = plain.feet(old).into_iter().map(Some).chain([None]);
        feet.filter_map(|foot| Rows::find(old, Build { foot, ..build })).find(|rows| rows.is_taught([old, new]))
    }

    /// Those in which pieces lie.
    fn hollows([old, new]: [&Grid; 2], build: Build) -> Option<Rows> {
        let gap = |scene: Scene| hollows::gap(&scene, &pieces(&scene, build.size, build.rail));
        let gap = [old, new].map(Scene::of).into_iter().filter_map(gap).min()?;
        let builds = Foot::ALL.map(|foot| Build { gap, hollow: Some(foot), ..build });
        builds.into_iter().filter_map(|build| Rows::find(old, build)).find(|rows| rows.is_taught([old, new]))
    }

    fn is_taught(&self, [old, new]: [&Grid; 2]) -> bool {
        is_move(&self.read(old), &self.read(new)) == Some(true)
    }

    /// What may be seen next to all feet: what is seen where pieces are nearer to one end, most often first.
    fn feet(&self, frame: &Grid) -> Vec<Color> {
        let scene = Scene::of(frame);
        let all = pieces(&scene, self.build.size, self.build.rail);
        let mut votes = [0i32; Color::COUNT];
        for holder in &self.holders {
            let on = on(holder.bounds, &all);
            let [low, high] = ends(frame, holder.bounds);
            let (foot, top) = if holder.starts_low(&on) { (low, high) } else { (high, low) };
            if !on.is_empty() && foot != top {
                if let Some(it) = foot {
                    votes[it.index()] += 1;
                }
                if let Some(it) = top {
                    votes[it.index()] -= 1;
                }
            }
        }
        let mut feet: Vec<Color> = Color::ALL.into_iter().filter(|it| votes[it.index()] > 0).collect();
        feet.sort_by_key(|it| -votes[it.index()]);
        feet
    }

    /// The holders of another level: pieces may be larger or smaller there.
    pub(super) fn find_again(frame: &Grid, known: Build) -> Option<Rows> {
        let product = |a: u8, b: u8| u16::from(a) * u16::from(b);
        let is_alike = |it: &Size| product(it.0, known.size.1) == product(it.1, known.size.0) && SIDES.contains(&it.0);
        let scene = Scene::of(frame);
        let sizes: BTreeSet<Size> = scene.components().iter().map(|it| size(it.bounds)).filter(is_alike).collect();
        let all = sizes.into_iter().filter_map(|it| Rows::find(frame, known.scaled(it)?));
        all.max_by_key(|rows| (tiles(&rows.read(frame)), rows.build.size == known.size))
    }

    /// The holders of a frame in which no piece is held; `None` where there is none, or one.
    fn find(frame: &Grid, build: Build) -> Option<Rows> {
        let all = pieces(&Scene::of(frame), build.size, build.rail);
        let (build, mut holders) = match build.hollow {
            Some(foot) => (build, hollows::find(frame, build, foot, &all)),
            None => Rows::on_rails(frame, build, &all),
        };
        holders.sort_by_key(|it| (it.bounds.left, it.bounds.top));
        let held = holders.iter().map(|it| on(it.bounds, &all).len()).sum::<usize>();
        // Where most are on no holder, they are something else.
        let is_level = (2..=HOLDERS).contains(&holders.len()) && 2 * held > all.len();
        is_level.then_some(Rows { build, holders })
    }

    /// The holders on which these pieces are, with all their colours.
    fn on_rails(frame: &Grid, build: Build, all: &[Component]) -> (Build, Vec<Holder>) {
        let background = Scene::of(frame).background();
        let seen = seams(frame, all, background).into_iter().filter(|it| it.0 == build.gap);
        let rail = seen.fold(build.rail, |rail, it| rail | it.1) & !(1 << background.index());
        let build = Build { rail, ..build };
        let groups = groups(frame, build, all).into_iter();
        (build, groups.filter_map(|it| Holder::of(frame, build, it, &on(it, all))).collect())
    }

    /// What is on every holder, that at the foot first.
    pub(super) fn read(&self, frame: &Grid) -> Layout {
        let scene = Scene::of(frame);
        let all = pieces(&scene, self.build.size, self.build.rail);
        let tile = |it: &&Component| Tile { color: it.color, width: it.bounds.width(), form: it.form };
        let stack = |holder: &Holder| holder.order(&all).iter().map(tile).collect();
        self.holders.iter().map(stack).collect()
    }

    pub(super) fn build(&self) -> Build {
        self.build
    }

    pub(super) fn rooms(&self) -> Vec<usize> {
        self.holders.iter().map(|it| it.room).collect()
    }

    pub(super) fn look(&self, stack: usize) -> u16 {
        self.holders.get(stack).map_or(0, |it| it.look)
    }

    /// The stack that is seen at a place.
    pub(super) fn at(&self, at: Point) -> Option<usize> {
        self.holders.iter().position(|it| it.bounds.contains(at.x(), at.y()))
    }

    /// Where to click on a stack that holds so many pieces: near its foot where there is none, and on the last otherwise, if all
    /// lie without gaps from the foot on.
    pub(super) fn point(&self, stack: usize, count: usize) -> Option<Point> {
        let it = self.holders.get(stack)?;
        let side = if is_upright(it.bounds) { self.build.size.1 } else { self.build.size.0 };
        let pitch = i16::from(side + self.build.gap);
        let far = i16::from(it.rise) + pitch * count.saturating_sub(1) as i16 + i16::from(side) / 2;
        let length = i16::from(extents(it.bounds).0);
        let far = far.min(length - 1);
        along(it.bounds, if it.is_low == Some(false) { length - 1 - far } else { far })
    }
}

impl Holder {
    /// The pieces on it, from its foot on.
    fn order<'a>(&self, all: &'a [Component]) -> Vec<&'a Component> {
        let mut on = on(self.bounds, all);
        on.sort_by_key(|it| (it.bounds.left, it.bounds.top));
        if !self.starts_low(&on) {
            on.reverse();
        }
        on
    }
}

fn on(holder: Bounds, all: &[Component]) -> Vec<&Component> {
    all.iter().filter(|it| holder.contains(it.bounds.middle().x(), it.bounds.middle().y())).collect()
}

/// The bounds of connected things of these colours and pieces, lying ones and upright ones. Only what is narrower than a piece
/// holds pieces: what is as wide, and touches the end of a holder, is something else.
fn groups(frame: &Grid, build: Build, all: &[Component]) -> Vec<Bounds> {
    let is_on = |at: Point| all.iter().any(|it| it.bounds.contains(at.x(), at.y()));
    let is_rail = |at: Point| frame.get(at).is_some_and(|it| build.rail & 1 << it.index() != 0) && !is_on(at);
    let rail: BTreeSet<Point> = frame.points().filter(|at| is_rail(*at)).collect();
    let thickness = |at: Point, (dx, dy): (i8, i8)| {
        let run = |dx: i8, dy: i8| {
            std::iter::successors(at.offset(dx, dy), |it| it.offset(dx, dy)).take_while(|it| rail.contains(it)).count()
        };
        1 + run(dx, dy) + run(-dx, -dy)
    };
    let lines = |across: (i8, i8), side: u8| {
        let slim = rail.iter().copied().filter(|at| thickness(*at, across) < side.into());
        connected(slim.chain(frame.points().filter(|at| is_on(*at))).collect())
    };
    let lying = lines((0, 1), build.size.1).into_iter().filter(|it| it.width() > it.height());
    let upright = lines((1, 0), build.size.0).into_iter().filter(|it| is_upright(*it));
    lying.chain(upright).collect()
}

/// The bounds of what is connected among some cells.
fn connected(mut open: BTreeSet<Point>) -> Vec<Bounds> {
    let mut groups = Vec::new();
    while let Some(first) = open.pop_first() {
        let (mut ahead, mut bounds) = (vec![first], None::<Bounds>);
        while let Some(at) = ahead.pop() {
            let cell = Bounds::cell(at);
            bounds = Some(bounds.map_or(cell, |it| it.union(cell)));
            let beside = [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter().filter_map(|(dx, dy)| at.offset(dx, dy));
            ahead.extend(beside.filter(|it| open.remove(it)));
        }
        groups.extend(bounds);
    }
    groups
}
