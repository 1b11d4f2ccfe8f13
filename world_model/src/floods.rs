//! A region that takes the colour of what is clicked elsewhere, and grows by all of that colour beside it.
//!
//! # Layout
//! - [`Floods`] (here): watches clicks, and says which region is flooded and where each colour comes from. Start here.
//! - [`Land`]: the regions of a frame and which of them lie beside each other; [`Flooded`]: a state of it.
//!
//! # The one decision
//! A pour is a click on something of one colour after which whole regions elsewhere have this colour, and nothing else changed.
//! Two of them, of different colours, of which the second flooded all that the first one did, and the game has floods. Specks
//! are no regions: marks lie on the land.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{Action, Color, Grid, Point};

use crate::{Bounds, Component, InterfaceMask, Outcome, Scene, Start, Transition, perception::touching};

/// The smallest region, in cells; what is smaller is a mark.
const SMALLEST: u16 = 9;
/// Regions that a set has bits for.
const MOST: usize = u128::BITS as usize;
/// Of so many cells of a region all but one take on the new colour at least: marks lie on some.
const NEARLY: usize = 8;

/// The regions of a frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Land {
    /// The colour of each region.
    pub colors: Vec<Color>,
    /// Those beside it.
    pub beside: Vec<Vec<usize>>,
}

/// Which regions are under water, a bit for each, and the colour of the water.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Flooded {
    /// A bit for each region.
    pub regions: u128,
    /// The colour of them all.
    pub color: Option<Color>,
}

impl Land {
    /// The state after a pour.
    pub fn pour(&self, now: &Flooded, color: Color) -> Flooded {
        let mut regions = now.regions;
        let mut open: Vec<usize> = (0..self.colors.len()).filter(|it| regions >> it & 1 == 1).collect();
        while let Some(region) = open.pop() {
            for next in &self.beside[region] {
                if regions >> next & 1 == 0 && self.colors[*next] == color {
                    regions |= 1 << next;
                    open.push(*next);
                }
            }
        }
        Flooded { regions, color: Some(color) }
    }

    /// The regions that water reaches through these colours in the end, and how many pours it takes at least to reach each.
    pub fn reach(&self, now: &Flooded, colors: &BTreeSet<Color>) -> Vec<Option<u32>> {
        let mut reached: Vec<Option<u32>> =
            (0..self.colors.len()).map(|it| (now.regions >> it & 1 == 1).then_some(0)).collect();
        let mut open: Vec<usize> = (0..self.colors.len()).filter(|it| reached[*it].is_some()).collect();
        let mut pours = 0;
        while !open.is_empty() {
            pours += 1;
            let next: BTreeSet<usize> = open.iter().flat_map(|it| self.beside[*it].iter().copied()).collect();
            open = next.into_iter().filter(|it| reached[*it].is_none() && colors.contains(&self.colors[*it])).collect();
            for region in &open {
                reached[*region] = Some(pours);
            }
        }
        reached
    }
}

/// Learns what floods.
#[derive(Clone, Debug, Default)]
pub struct Floods {
    /// Cells that were flooded in this level, and the colour that they had last.
    water: BTreeSet<Point>,
    color: Option<Color>,
    /// Pours in this game that flooded what the ones before had flooded, and clicks on other colours that flooded nothing of it.
    pours: u32,
    failures: u32,
    /// Where each colour came from in this level; the form and the area of such things in this game.
    pots: BTreeMap<Color, Point>,
    looks: BTreeSet<(u64, u16)>,
    /// Whether what was clicked was land.
    is_land: bool,
    /// Colours that flooded nothing when they were clicked, in this level.
    dry: BTreeSet<Color>,
    /// What marks the water: the look of a speck that lies on it.
    mark: Option<(Color, u64)>,
}

impl Floods {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, frame: &Grid, start: Start) {
        if start == Start::Level {
            self.pots.clear();
            self.dry.clear();
        }
        self.color = None;
        self.water = self.marked(frame);
    }

    /// Where the mark of the water lies in this frame.
    fn marked(&self, frame: &Grid) -> BTreeSet<Point> {
        let scene = Scene::of(frame);
        let marks = scene.components().iter().filter(|it| Some((it.color, it.form)) == self.mark);
        marks.filter_map(|it| it.center.offset(-(it.bounds.width() as i8), 0)).collect()
    }

    /// Learns from one action.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let Action::Click(at) = step.action else { return };
        let Some(after) = step.after().filter(|_| step.outcome == Outcome::Continues) else { return };
        let scene = Scene::of(step.before);
        let Some((clicked, color)) = scene.component_at(at).zip(step.before.get(at)) else { return };
        let Some(flooded) = flooded(&scene, step.before, after, mask, color) else { return };
        if flooded.is_empty() {
            if self.color.is_some_and(|it| it != color) && !self.pots.contains_key(&color) {
                self.dry.insert(color);
            }
            return;
        }
        if flooded.contains(&clicked) {
            self.failures += 1;
            return;
        }
        let cells: BTreeSet<Point> =
            step.before.points().filter(|at| scene.component_at(*at).is_some_and(|it| flooded.contains(&it))).collect();
        let is_more = self.color.is_some() && self.water.is_subset(&cells);
        if self.color.is_some() && !is_more {
            self.failures += 1;
            (self.water, self.color) = (BTreeSet::new(), None);
            return;
        }
        self.pours += u32::from(is_more);
        let it = &scene.components()[clicked];
        self.is_land |= coast(&scene, step.before, &flooded).contains(&clicked);
        self.looks.insert((it.form, it.area));
        self.pots.insert(color, at);
        self.dry.remove(&color);
        self.mark = self.mark.or_else(|| mark(&scene, step.before, &cells));
        (self.water, self.color) = (cells, Some(color));
    }

    /// Whether this game has floods.
    pub fn is_understood(&self) -> bool {
        self.pours > 2 * self.failures
    }

    /// Whether it may have: something was poured once.
    pub fn is_likely(&self) -> bool {
        self.failures == 0 && self.color.is_some()
    }

    /// The land as it lies, what of it is under water, and the colours that may be poured; nothing where no water is known.
    pub fn read(&self, frame: &Grid, mask: &InterfaceMask) -> Option<(Land, Flooded, BTreeSet<Color>)> {
        let scene = Scene::of(frame);
        let water: BTreeSet<usize> = self.water.iter().filter_map(|at| scene.component_at(*at)).collect();
        let is_water = |it: &usize| water.contains(it) && scene.components()[*it].area >= SMALLEST;
        // What reaches three sides of the frame is the ground on which the land lies, unless it can be poured.
        let is_region = |index: &usize| {
            let it = &scene.components()[*index];
            let is_land = !is_around(it, frame) || is_water(index) || self.pots.contains_key(&it.color);
            is_wide(it) && !mask.hides(it.center) && is_land
        };
        let regions: Vec<usize> = (0..scene.components().len()).filter(is_region).collect();
        if regions.len() > MOST || !regions.iter().any(is_water) {
            return None;
        }
        let number: BTreeMap<usize, usize> = regions.iter().copied().zip(0..).collect();
        let neighbours = neighbours(&scene);
        let beside = |it: &usize| neighbours[*it].iter().filter_map(|it| number.get(it).copied()).collect();
        let land = Land {
            colors: regions.iter().map(|it| scene.components()[*it].color).collect(),
            beside: regions.iter().map(beside).collect(),
        };
        let under =
            regions.iter().zip(0..).filter(|(it, _)| is_water(it)).fold(0u128, |bits, (_, place)| bits | 1 << place);
        let poured = regions.iter().find(|it| is_water(it)).map(|it| scene.components()[*it].color);
        let colors =
            land.colors.iter().filter(|it| !self.dry.contains(it) && self.click(&scene, frame, **it, &water).is_some());
        let colors = colors.copied().chain(self.color).collect();
        Some((land, Flooded { regions: under, color: poured }, colors))
    }

    /// Where to click for a colour.
    pub fn source(&self, frame: &Grid, color: Color) -> Option<Action> {
        let scene = Scene::of(frame);
        let water = self.water.iter().filter_map(|at| scene.component_at(*at)).collect();
        self.click(&scene, frame, color, &water).map(Action::Click)
    }

    /// Where it came from before, else what looks like that, else land of this colour where land was clicked.
    fn click(&self, scene: &Scene, frame: &Grid, color: Color, water: &BTreeSet<usize>) -> Option<Point> {
        let is_dry = |at: Point| scene.component_at(at).is_some_and(|it| !water.contains(&it));
        let known = self.pots.get(&color).copied().filter(|at| frame.get(*at) == Some(color) && is_dry(*at));
        let all = || scene.components().iter().filter(|it| it.color == color && is_dry(it.center));
        let like = || all().find(|it| self.looks.contains(&(it.form, it.area))).map(|it| it.center);
        let land = || all().filter(|it| self.is_land && is_wide(it)).max_by_key(|it| it.area).map(|it| it.center);
        known.or_else(like).or_else(land)
    }

    /// Where to click first in a level whose water is not known: on what looked like something that was poured out.
    pub fn first(&self, frame: &Grid) -> Option<Action> {
        if self.color.is_some() || !self.water.is_empty() || !self.is_understood() {
            return None;
        }
        let scene = Scene::of(frame);
        let at = scene
            .components()
            .iter()
            .find(|it| self.looks.contains(&(it.form, it.area)) && !self.dry.contains(&it.color))?;
        Some(Action::Click(at.center))
    }
}

/// The regions that took on this colour as a whole; `None` where other regions changed, but for a few cells, as gauges do.
fn flooded(scene: &Scene, before: &Grid, after: &Grid, mask: &InterfaceMask, color: Color) -> Option<BTreeSet<usize>> {
    let mut changed: BTreeMap<usize, [usize; 2]> = BTreeMap::new();
    for at in before.differences(after)?.filter(|at| !mask.hides(*at)) {
        let [all, colored] = changed.entry(scene.component_at(at)?).or_default();
        *all += 1;
        *colored += usize::from(after.get(at) == Some(color));
    }
    let area = |region: usize| scene.components()[region].area;
    changed.retain(|region, count| area(*region) >= SMALLEST && NEARLY * count[0] >= usize::from(area(*region)));
    let is_whole =
        |(region, [_, colored]): (&usize, &[usize; 2])| NEARLY * colored >= (NEARLY - 1) * usize::from(area(*region));
    changed.iter().all(is_whole).then(|| changed.into_keys().collect())
}

/// Whether it reaches three sides of the frame.
fn is_around(it: &Component, frame: &Grid) -> bool {
    let Bounds { left, top, right, bottom } = it.bounds;
    let sides = [left == 0, top == 0, right + 1 == frame.width(), bottom + 1 == frame.height()];
    sides.into_iter().filter(|it| *it).count() >= 3
}

/// Whether it is more than a mark or a line.
fn is_wide(it: &Component) -> bool {
    it.area >= SMALLEST && it.bounds.width() > 1 && it.bounds.height() > 1
}

/// These regions and all that are reached from them over land.
fn coast(scene: &Scene, frame: &Grid, from: &BTreeSet<usize>) -> BTreeSet<usize> {
    let neighbours = neighbours(scene);
    let is_land = |it: &usize| {
        let it = &scene.components()[*it];
        is_wide(it) && !is_around(it, frame)
    };
    let (mut reached, mut open) = (from.clone(), from.iter().copied().collect::<Vec<_>>());
    while let Some(region) = open.pop() {
        open.extend(neighbours[region].iter().copied().filter(|it| is_land(it) && reached.insert(*it)));
    }
    reached
}

/// The components that touch each component.
fn neighbours(scene: &Scene) -> Vec<Vec<usize>> {
    let mut beside = vec![Vec::new(); scene.components().len()];
    for (a, b) in touching(scene) {
        beside[a].push(b);
        beside[b].push(a);
    }
    beside
}

/// The look of the one speck on the water, if no other looks like it.
fn mark(scene: &Scene, frame: &Grid, water: &BTreeSet<Point>) -> Option<(Color, u64)> {
    let is_on_water = |it: &&Component| {
        let ring = [it.bounds.left.checked_sub(1), Some(it.bounds.right + 1)];
        ring.into_iter()
            .flatten()
            .filter_map(|x| Point::new(x, it.center.y()).ok())
            .all(|at| frame.get(at).is_none() || water.contains(&at))
    };
    let all = || scene.components().iter().filter(|it| it.area < SMALLEST);
    let on_water: Vec<(Color, u64)> = all().filter(is_on_water).map(|it| (it.color, it.form)).collect();
    let count = |look: &(Color, u64)| all().filter(|it| (it.color, it.form) == *look).count();
    let here = |look: &(Color, u64)| on_water.iter().filter(|it| *it == look).count();
    on_water.iter().copied().find(|look| count(look) == here(look))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fields of six by six cells, `.` ground, with a mark on the first field, and three pots of four by three cells beside them.
    fn drawn(fields: &[&str]) -> Grid {
        let mut frame = Grid::filled(48, 32, Color::of(0));
        let mut block = |(left, top): (u8, u8), (width, height): (u8, u8), color: u8| {
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (left + x, top + y))) {
                frame.set(Point::new(x, y).unwrap(), Color::of(color));
            }
        };
        for (y, row) in (0..).zip(fields) {
            for (x, glyph) in (0..).zip(row.bytes()).filter(|it| it.1 != b'.') {
                block((3 + 6 * x, 4 + 6 * y), (6, 6), glyph - b'0');
            }
        }
        block((5, 6), (2, 2), 9);
        for (pot, color) in (0..).zip([3, 4, 5]) {
            block((40, 4 + 7 * pot), (4, 3), color);
        }
        frame
    }

    fn pour(floods: &mut Floods, [before, after]: [&[&str]; 2], at: (u8, u8)) {
        let action = Action::Click(Point::new(at.0, at.1).unwrap());
        let layers = [drawn(after)];
        let step = Transition { before: &drawn(before), action, layers: &layers, outcome: Outcome::Continues };
        floods.observe(&step, &InterfaceMask::new());
    }

    const FIRST: [&str; 3] = ["3345", "3455", "4..3"];

    /// After two pours from the pots.
    fn taught() -> (Floods, Grid) {
        let mut floods = Floods::default();
        floods.begin(&drawn(&FIRST), Start::Level);
        pour(&mut floods, [&FIRST, &["4445", "4455", "4..3"]], (41, 12));
        assert!(floods.is_likely() && !floods.is_understood());
        pour(&mut floods, [&["4445", "4455", "4..3"], &["5555", "5555", "5..3"]], (41, 19));
        (floods, drawn(&["5555", "5555", "5..3"]))
    }

    #[test]
    fn two_pours_show_the_water_the_land_and_the_pots() {
        let (floods, frame) = taught();
        assert!(floods.is_understood() && !floods.is_land);
        let (land, now, colors) = floods.read(&frame, &InterfaceMask::new()).unwrap();
        assert_eq!(colors, BTreeSet::from([3, 4, 5].map(Color::of)));
        let last = land.pour(&now, Color::of(3));
        assert_eq!(last.regions.count_ones(), 2, "the water, and the field beside it");
        assert_eq!(land.reach(&now, &colors).iter().flatten().sum::<u32>(), 1);
        let pot = floods.source(&frame, Color::of(3));
        assert_eq!(pot, Some(Action::Click(Point::new(41, 5).unwrap())), "which looks like the others");
    }

    #[test]
    fn the_mark_on_the_water_shows_it_in_the_next_level() {
        let (mut floods, _) = taught();
        let next = drawn(&["5344", "5533", "44.."]);
        floods.begin(&next, Start::Level);
        let (land, now, _) = floods.read(&next, &InterfaceMask::new()).unwrap();
        assert_eq!((now.color, now.regions.count_ones()), (Some(Color::of(5)), 1));
        assert!(land.reach(&now, &BTreeSet::from([3, 4].map(Color::of))).iter().filter(|it| it.is_some()).count() >= 4);
    }

    #[test]
    fn what_floods_one_region_and_then_another_is_no_flood() {
        let mut floods = Floods::default();
        floods.begin(&drawn(&FIRST), Start::Level);
        pour(&mut floods, [&FIRST, &["4445", "4455", "4..3"]], (41, 12));
        pour(&mut floods, [&["4445", "4455", "4..3"], &["4443", "4433", "4..3"]], (41, 5));
        assert!(!floods.is_understood() && !floods.is_likely());
    }

    #[test]
    fn a_colour_that_floods_nothing_is_left() {
        let (mut floods, frame) = taught();
        let same: &[&str] = &["5555", "5555", "5..3"];
        pour(&mut floods, [same, same], (41, 5));
        let (.., colors) = floods.read(&frame, &InterfaceMask::new()).unwrap();
        assert!(!colors.contains(&Color::of(3)));
    }
}
