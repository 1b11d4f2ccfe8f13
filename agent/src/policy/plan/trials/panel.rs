//! Switches, how they are set, and the fewest clicks to a setting.

use std::collections::{HashMap, HashSet, VecDeque};

use env_client::{Color, Grid, Point};
use world_model::{Bounds, InterfaceMask, Scene};

use super::runs::changed;

/// How a click set what it changes.
#[derive(Clone, Debug)]
pub(super) struct Press {
    pub(super) at: Point,
    /// Those of what was clicked, and whether it has several parts.
    pub(super) bounds: Bounds,
    pub(super) is_whole: bool,
    pub(super) before: Grid,
    pub(super) after: Grid,
    /// The cells that it changed.
    pub(super) cells: Vec<Point>,
}

/// Something that clicks set.
#[derive(Clone, Debug)]
pub(super) struct Switch {
    /// Where it is clicked.
    pub(super) at: Point,
    /// What is seen of its setting, and what passes it: itself, what is right beside it, and what its clicks changed.
    pub(super) cells: HashSet<Point>,
}

/// The bounds of everything of one colour that hangs together at sides or corners, where that is more than one component; none
/// for ground.
pub(super) fn whole(frame: &Grid, scene: &Scene, part: usize) -> Option<Bounds> {
    let it = &scene.components()[part];
    if scene.is_ground(part) {
        return None;
    }
    let (mut cells, mut open) = (HashSet::from([it.center]), vec![it.center]);
    while let Some(at) = open.pop() {
        let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
        let alike = around.filter_map(|(dx, dy)| at.offset(dx, dy)).filter(|at| frame.get(*at) == Some(it.color));
        open.extend(alike.filter(|at| cells.insert(*at)).collect::<Vec<_>>());
    }
    let has_parts = cells.len() > usize::from(it.area);
    Bounds::around(cells).filter(|_| has_parts)
}

impl Switch {
    /// What a click set.
    pub(super) fn of(press: &Press, frame: &Grid) -> Switch {
        if !press.is_whole {
            let mut switch = Switch::new(press.at, press.bounds, frame);
            switch.cells.extend(&press.cells);
            return switch;
        }
        Switch::whole(press.at, press.bounds, &press.before)
    }

    /// A switch of several parts that show its setting themselves, one of which is there: clicked in its middle if that is a
    /// part, too.
    pub(super) fn whole(part: Point, bounds: Bounds, frame: &Grid) -> Switch {
        let middle = Point::new(bounds.left.midpoint(bounds.right), bounds.top.midpoint(bounds.bottom)).ok();
        let at = middle.filter(|at| frame.get(*at) == frame.get(part)).unwrap_or(part);
        let (columns, rows) =
            (bounds.left.saturating_sub(1)..=bounds.right + 1, bounds.top.saturating_sub(1)..=bounds.bottom + 1);
        let cells = frame.points().filter(|at| columns.contains(&at.x()) && rows.contains(&at.y())).collect();
        Switch { at, cells }
    }

    /// A switch of this size; what lies no farther than that beside it may show its setting.
    pub(super) fn new(at: Point, bounds: Bounds, frame: &Grid) -> Switch {
        let grown = |from: u8, to: u8, by: u8| from.saturating_sub(by)..=to.saturating_add(by);
        let (columns, rows) =
            (grown(bounds.left, bounds.right, bounds.width()), grown(bounds.top, bounds.bottom, bounds.height()));
        let cells = frame.points().filter(|at| columns.contains(&at.x()) && rows.contains(&at.y())).collect();
        Switch { at, cells }
    }

    fn look(&self, frame: &Grid) -> Vec<Color> {
        frame.points().filter(|at| self.cells.contains(at)).map(|at| frame[at]).collect()
    }
}

/// How all switches are set: a number each, in the order in which its settings were seen.
pub(super) type Settings = Vec<u8>;

/// A setting that nobody saw yet.
const UNSEEN: u8 = u8::MAX;
/// Settings that one search looks at. A guess: all of twelve switches with two settings.
const STATES: usize = 4096;

/// All switches of a level, and what clicks do to their settings.
#[derive(Debug, Default)]
pub(super) struct Panel {
    pub(super) switches: Vec<Switch>,
    /// By switch: what each of its settings looks like.
    looks: Vec<Vec<Vec<Color>>>,
    /// By switch and its setting: what a click there does, as a switch and its setting after that.
    effects: HashMap<(usize, u8), Vec<(usize, u8)>>,
}

impl Panel {
    /// These switches, which were clicked like this. A click that was not seen on a setting leads back where it came from.
    pub(super) fn new(mut switches: Vec<Switch>, presses: &[Press]) -> Panel {
        for switch in &mut switches {
            let own = presses.iter().filter(|press| switch.cells.contains(&press.at)).collect::<Vec<_>>();
            switch.cells.extend(own.into_iter().flat_map(|press| &press.cells));
        }
        let mut panel = Panel { looks: vec![Vec::new(); switches.len()], switches, effects: HashMap::new() };
        for press in presses {
            let (before, after) = (panel.read(&press.before), panel.read(&press.after));
            let Some(index) = panel.switches.iter().position(|it| it.cells.contains(&press.at)) else { continue };
            let change = |from: &Settings, to: &Settings| {
                (0..to.len()).filter(|it| from[*it] != to[*it]).map(|it| (it, to[it])).collect::<Vec<_>>()
            };
            panel.effects.insert((index, before[index]), change(&before, &after));
            panel.effects.entry((index, after[index])).or_insert_with(|| change(&after, &before));
        }
        panel
    }

    /// How everything is set in a frame.
    pub(super) fn read(&mut self, frame: &Grid) -> Settings {
        let known = self.switches.iter().zip(&mut self.looks);
        let read = known.map(|(switch, looks)| {
            let look = switch.look(frame);
            looks.iter().position(|it| *it == look).unwrap_or_else(|| {
                looks.push(look);
                looks.len() - 1
            }) as u8
        });
        read.collect()
    }

    /// Learns what a run set, beginning with these settings: a click there does as much, where none was seen.
    pub(super) fn learn(&mut self, settings: &Settings, after: &Grid) {
        let set = self.read(after);
        for (index, (from, to)) in settings.iter().zip(set).enumerate().filter(|(_, (from, to))| **from != *to) {
            self.effects.entry((index, *from)).or_insert_with(|| vec![(index, to)]);
            self.effects.entry((index, to)).or_insert_with(|| vec![(index, *from)]);
        }
    }

    /// Whether a cell belongs to a switch.
    pub(super) fn has(&self, at: Point) -> bool {
        self.switches.iter().any(|it| it.cells.contains(&at))
    }

    /// Whether two frames differ in nothing but how things are set.
    pub(super) fn shows_all(&self, from: &Grid, to: &Grid, mask: &InterfaceMask) -> bool {
        changed(from, to, mask).all(|at| self.has(at))
    }

    /// The switches that something passes which is seen in these cells.
    pub(super) fn passed<'a>(&'a self, trail: &'a HashMap<Point, usize>) -> impl Iterator<Item = (usize, usize)> + 'a {
        let first = |switch: &Switch| switch.cells.iter().filter_map(|at| trail.get(at)).min().copied();
        self.switches.iter().enumerate().filter_map(move |(index, switch)| Some((index, first(switch)?)))
    }

    /// The settings after a click on a switch; `None` where that leads nobody knows where from something unseen.
    fn pressed(&self, settings: &Settings, index: usize) -> Option<Settings> {
        let now = settings[index];
        let mut next = settings.clone();
        match self.effects.get(&(index, now)) {
            Some(changes) => changes.iter().for_each(|(it, to)| next[*it] = *to),
            None if now == UNSEEN => return None,
            None => next[index] = UNSEEN,
        }
        Some(next)
    }

    /// The fewest clicks to settings that are wanted, by switch; of as few, those on the first in `order`.
    pub(super) fn way(
        &self,
        from: Settings,
        order: &[usize],
        is_wanted: impl Fn(&Settings) -> bool,
    ) -> Option<Vec<usize>> {
        let mut known = HashSet::from([from.clone()]);
        let mut queue = VecDeque::from([(from, Vec::new())]);
        while let Some((settings, path)) = queue.pop_front().filter(|_| known.len() < STATES) {
            if is_wanted(&settings) {
                return Some(path);
            }
            for index in order {
                if let Some(next) = self.pressed(&settings, *index).filter(|it| known.insert(it.clone())) {
                    queue.push_back((next, path.iter().copied().chain([*index]).collect()));
                }
            }
        }
        None
    }
}
