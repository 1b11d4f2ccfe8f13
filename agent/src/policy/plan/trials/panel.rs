//! Switches, how they are set, and the fewest clicks to a setting.

use std::collections::{HashMap, HashSet, VecDeque};

use env_client::{Color, Grid, Point};
use world_model::Bounds;

/// How a click set what it changes.
#[derive(Clone, Debug)]
pub(super) struct Press {
    pub(super) at: Point,
    /// Those of what was clicked.
    pub(super) bounds: Bounds,
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

impl Switch {
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
