//! What the steps of a play tell of a canvas: what paints it, where the brush was, and which keys move the brush.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashSet, VecDeque},
};

use env_client::{Action, ActionId, Color, Grid, Point};
use world_model::{Bounds, Component, InterfaceMask, Scene};

use super::{
    brush::{self, Pose, Seen, Told},
    easel::Easel,
    layers::{ENDLESS, Supply},
};

/// Places of the brush looked at. A guess that bounds a decision.
const POSES: usize = 256;

/// What an action counts where parts of one are compared, in sixteenths of it.
const ACTION: i32 = 16;

/// The key that takes back the last action: the protocol's ACTION7. It is believed so without having been seen.
pub(super) const UNDO: ActionId = ActionId::Action7;

/// One step of the play.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) before: Grid,
    pub(super) action: Action,
    pub(super) after: Grid,
}

/// What paints: a key, or a click on the part of the brush that has this form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Tool {
    Key(ActionId),
    Part(u64),
}

/// What a key or a click was seen to do with the brush.
#[derive(Clone, Debug)]
struct Turn {
    from: Pose,
    action: Action,
    to: Pose,
}

/// A place of the brush, and the actions that bring it there.
pub(super) type Way = (Pose, Vec<Action>);

/// A canvas and all that is known of how it is painted.
#[derive(Debug)]
pub(super) struct Studio<'a> {
    pub(super) easel: Easel,
    mask: &'a InterfaceMask,
    /// The colour of the brush where it lies on the canvas.
    pub(super) brush: Option<Color>,
    floor: Color,
    /// Cells beside the canvas that keys changed otherwise than by painting.
    stirred: HashSet<Point>,
    /// What paints, what takes the last stroke back, and what was ever tried.
    pub(super) painting: BTreeSet<Tool>,
    pub(super) undoing: BTreeSet<ActionId>,
    tried: BTreeSet<Tool>,
    /// Colours and shapes of things that were clicked.
    clicked: HashSet<(Color, u64)>,
    seen: BTreeMap<Tool, Vec<Seen>>,
    /// Shapes of things beside the canvas of which every stroke takes one away that has its colour.
    tallies: BTreeSet<u64>,
    /// How wide the tiles are that each tool paints.
    tiles: BTreeMap<Tool, Option<i16>>,
    turns: Vec<Turn>,
}

impl<'a> Studio<'a> {
    /// Reads the steps of a play.
    pub(super) fn of(easel: Easel, mask: &'a InterfaceMask, frame: &Grid, records: &[Record]) -> Studio<'a> {
        let keys = || records.iter().filter(|it| it.action.point().is_none());
        let mut studio = Studio {
            easel,
            mask,
            brush: keys().find_map(|it| brush::color(easel, &it.before, &it.after)),
            floor: commonest(frame),
            stirred: HashSet::new(),
            painting: BTreeSet::new(),
            undoing: BTreeSet::new(),
            tried: BTreeSet::new(),
            clicked: records.iter().filter_map(clicked).collect(),
            seen: BTreeMap::new(),
            tallies: BTreeSet::new(),
            tiles: BTreeMap::new(),
            turns: Vec::new(),
        };
        studio.tell_keys(keys());
        let moving: Vec<&Record> = keys().filter(|it| studio.moves(it.action.id())).collect();
        studio.stirred = moving.iter().flat_map(|it| studio.changed_beside(it)).collect();
        let scene = Scene::of(frame);
        let moving = moving.into_iter().map(|it| (it, it.action));
        let clicks = records.iter().filter_map(|it| Some((it, studio.same_thing(it, &scene)?)));
        for (it, action) in moving.chain(clicks).collect::<Vec<_>>() {
            let (from, to) = (studio.pose(&it.before), studio.pose(&it.after));
            if action.point().is_none() || (from != to && studio.painted(&it.before) == studio.painted(&it.after)) {
                studio.turns.push(Turn { from, action, to });
            }
        }
        for it in records {
            studio.read(it);
        }
        studio.tiles = studio.seen.iter().map(|(tool, seen)| (*tool, brush::tiles(easel, seen))).collect();
        studio
    }

    /// Whether a key may move the brush.
    fn moves(&self, key: ActionId) -> bool {
        !self.painting.contains(&Tool::Key(key)) && !self.undoing.contains(&key)
    }

    /// The click on what looks like the thing that was clicked: there where it still is, or else where the only one is.
    fn same_thing(&self, record: &Record, scene: &Scene) -> Option<Action> {
        let (at, look) = (record.action.point()?, clicked(record)?);
        let is_alike = |it: &&Component| (it.color, it.shape) == look;
        if scene.component_at(at).is_some_and(|it| is_alike(&&scene.components()[it])) {
            return Some(record.action);
        }
        let mut alike = scene.components().iter().filter(is_alike).filter(|it| self.is_beside(it.center));
        let thing = alike.next()?;
        alike.next().is_none().then_some(Action::Click(thing.center))
    }

    /// Which keys paint, and which take back what was painted: that no key is believed to do which once left the newest stroke
    /// where it was, or changed something else.
    fn tell_keys<'r>(&mut self, keys: impl Iterator<Item = &'r Record>) {
        // What the canvas looked like before each stroke that was not taken back.
        let mut past: Vec<Vec<Color>> = Vec::new();
        let (mut now, mut refuted): (Option<Vec<Color>>, BTreeSet<ActionId>) = (None, BTreeSet::new());
        let mut is_newest = false;
        for it in keys {
            let (old, new, key) = (self.painted(&it.before), self.painted(&it.after), it.action.id());
            if now.replace(new.clone()).is_some_and(|now| now != old) {
                past.clear();
                is_newest = false;
            }
            if key == UNDO {
                self.undoing.insert(key);
            }
            let restores = past.last() == Some(&new);
            if !restores && key != UNDO && (is_newest || old != new && !past.is_empty()) {
                refuted.insert(key);
            }
            if restores && !self.painting.contains(&Tool::Key(key)) && !refuted.contains(&key) {
                self.undoing.insert(key);
                past.pop();
            } else if old != new {
                if stroke(&old, &new).is_some() {
                    self.painting.insert(Tool::Key(key));
                }
                past.push(old);
                is_newest = true;
                continue;
            }
            is_newest = false;
        }
        self.undoing.retain(|key| !refuted.contains(key));
    }

    /// What was used in a step.
    pub(super) fn tool(&self, frame: &Grid, action: Action) -> Option<Tool> {
        let Some(at) = action.point() else { return Some(Tool::Key(action.id())) };
        let scene = self.stirred.contains(&at).then(|| Scene::of(frame))?;
        scene.component_at(at).map(|it| Tool::Part(scene.components()[it].form))
    }

    /// The parts of the brush beside the canvas, each with a cell of it.
    pub(super) fn parts(&self, frame: &Grid) -> Vec<(Tool, Point)> {
        let scene = Scene::of(frame);
        let own = scene.components().iter().filter(|it| it.color != self.floor && self.stirred.contains(&it.center));
        own.map(|it| (Tool::Part(it.form), it.center)).collect()
    }

    /// Whether it was ever tried.
    pub(super) fn knows(&self, tool: Tool) -> bool {
        self.tried.contains(&tool)
    }

    /// Learns a stroke, if it is one.
    fn read(&mut self, record: &Record) {
        let Some(tool) = self.tool(&record.before, record.action) else { return };
        self.tried.insert(tool);
        let (old, new) = (self.painted(&record.before), self.painted(&record.after));
        let is_key = matches!(tool, Tool::Key(_));
        let Some(color) = stroke(&old, &new).filter(|_| !is_key || self.painting.contains(&tool)) else { return };
        self.painting.insert(tool);
        self.tallies.extend(self.tally(record, color));
        let paints = old.iter().zip(&new).map(|(old, new)| (*old != color).then_some(old != new)).collect();
        let pose = self.pose(&record.before);
        self.seen.entry(tool).or_default().push(Seen { pose, paints });
    }

    pub(super) fn painted(&self, frame: &Grid) -> Vec<Color> {
        self.easel.painted(frame, self.brush)
    }

    fn changed_beside(&self, record: &Record) -> Vec<Point> {
        let changed = record.before.differences(&record.after).into_iter().flatten();
        changed.filter(|at| self.is_beside(*at)).collect()
    }

    /// Where the brush is seen.
    pub(super) fn pose(&self, frame: &Grid) -> Pose {
        let on = self.easel.cells().filter(|at| self.brush.is_some() && frame.get(*at) == self.brush);
        let beside = self.stirred.iter().copied().filter(|at| frame.get(*at).is_some_and(|it| it != self.floor));
        on.chain(beside).map(|at| (i16::from(at.x()), i16::from(at.y()))).collect()
    }

    /// The only colour of the picture that the brush has beside the canvas: what it paints with, by its looks.
    pub(super) fn dipped(&self, frame: &Grid) -> Option<Color> {
        let palette = self.easel.palette(frame);
        let colors = self.stirred.iter().filter_map(|at| frame.get(*at)).filter(|it| *it != self.floor);
        let colors: BTreeSet<Color> = colors.filter(|it| palette >> it.index() & 1 == 1).collect();
        if colors.len() == 1 { colors.into_iter().next() } else { None }
    }

    /// What a tool paints with the brush in a pose.
    pub(super) fn paints(&self, tool: Tool, pose: &Pose) -> Told {
        let tile = self.tiles.get(&tool).copied().flatten();
        brush::painted_from(self.easel, pose, self.seen.get(&tool).map_or(&[], Vec::as_slice), tile)
    }

    /// The things beside canvas, picture and brush, none as large as the canvas.
    pub(super) fn beside<'s>(&'s self, scene: &'s Scene) -> impl Iterator<Item = &'s Component> {
        let area = self.easel.area();
        scene.components().iter().filter(move |it| usize::from(it.area) < area && self.is_beside(it.center))
    }

    fn is_beside(&self, at: Point) -> bool {
        let inside = |it: Bounds| it.contains(at.x(), at.y());
        let is_apart = !inside(self.easel.canvas) && !inside(self.easel.picture);
        is_apart && !self.mask.hides(at) && !self.stirred.contains(&at)
    }

    /// A cell of every such thing of a look that was never clicked, the largest things first.
    pub(super) fn strangers(&self, frame: &Grid) -> Vec<Point> {
        let scene = Scene::of(frame);
        let mut strange: Vec<_> =
            self.beside(&scene).filter(|it| !self.clicked.contains(&(it.color, it.shape))).collect();
        strange.sort_by_key(|it| Reverse(it.area));
        strange.into_iter().map(|it| it.center).collect()
    }

    /// The shape of the only thing beside the canvas in the colour of a stroke that this took away.
    fn tally(&self, record: &Record, color: Color) -> Option<u64> {
        let [old, new] = [&record.before, &record.after].map(|frame| self.counts(frame, color));
        let mut fewer = old.iter().filter(|(shape, count)| new.get(shape).copied().unwrap_or_default() < **count);
        let (shape, count) = fewer.next()?;
        let is_one = new.get(shape).copied().unwrap_or_default() + 1 == *count;
        (is_one && fewer.next().is_none() && new.len() <= old.len()).then_some(*shape)
    }

    /// How many things of each shape there are beside the canvas in a colour.
    fn counts(&self, frame: &Grid, color: Color) -> BTreeMap<u64, u32> {
        let scene = Scene::of(frame);
        let mut counts = BTreeMap::new();
        self.beside(&scene).filter(|it| it.color == color).for_each(|it| *counts.entry(it.shape).or_default() += 1);
        counts
    }

    /// How many strokes of each colour the tallies beside the canvas still allow.
    pub(super) fn supply(&self, frame: &Grid) -> Supply {
        if self.tallies.is_empty() {
            return ENDLESS;
        }
        let scene = Scene::of(frame);
        let mut supply = [0; Color::COUNT];
        let tallies = self.beside(&scene).filter(|it| self.tallies.contains(&it.shape));
        tallies.for_each(|it| supply[it.color.index()] += 1);
        supply
    }

    /// Where an action brings the brush.
    fn next(&self, pose: &Pose, action: Action) -> Option<Pose> {
        let turns = || self.turns.iter().rev().filter(|it| it.action == action);
        if let Some(turn) = turns().find(|it| it.from == *pose) {
            return Some(turn.to.clone());
        }
        if !pose.is_on(self.easel.canvas) {
            return turns().find(|it| it.from.is_like(pose)).map(|it| it.to.clone());
        }
        if action.point().is_some() {
            let shape = &turns().next()?.to;
            let (from, to) = (shape.corner(), pose.corner());
            return Some(shape.moved((to.0 - from.0, to.1 - from.1))).filter(|it| it.is_on(self.easel.canvas));
        }
        let by = turns().find_map(|it| it.from.way_to(&it.to).filter(|by| *by != (0, 0)))?;
        let moved = pose.moved(by);
        Some(if moved.is_on(self.easel.canvas) { moved } else { pose.clone() })
    }

    /// The actions that may move the brush: all keys that were pressed and neither paint nor take back, and clicks that
    /// changed it.
    fn moves_known(&self) -> Vec<Action> {
        let mut known: Vec<Action> = Vec::new();
        for it in &self.turns {
            if !known.contains(&it.action) {
                known.push(it.action);
            }
        }
        known
    }

    /// The places of the brush that can be reached from one by actions whose answer is known, nearest first.
    pub(super) fn reachable(&self, from: &Pose) -> Vec<Way> {
        let moves = self.moves_known();
        let mut found = vec![(from.clone(), Vec::new())];
        let mut known: HashSet<Pose> = HashSet::from([from.clone()]);
        let mut open = VecDeque::from([0]);
        while let Some(index) = open.pop_front().filter(|_| found.len() < POSES) {
            for action in &moves {
                let next = self.next(&found[index].0, *action).filter(|it| known.insert(it.clone()));
                let Some(next) = next else { continue };
                let way = [found[index].1.as_slice(), &[*action]].concat();
                open.push_back(found.len());
                found.push((next, way));
            }
        }
        found
    }

    /// Places where the brush may come to be, turned around the middle of the canvas, as nobody saw it yet.
    pub(super) fn imagined(&self, seen: &[Way]) -> Vec<Pose> {
        let mut imagined: Vec<Pose> = Vec::new();
        for (pose, _) in seen.iter().filter(|(pose, _)| !pose.is_empty() && !pose.is_on(self.easel.canvas)) {
            for turned in pose.turns(self.easel.canvas) {
                let is_known = seen.iter().map(|(it, _)| it).chain(&imagined).any(|it| it.is_like(&turned));
                if !is_known {
                    imagined.push(turned);
                }
            }
        }
        imagined
    }

    /// The actions that get nearer to a place nobody knows a way to: to where a key was never pressed that should lead there
    /// in the fewest.
    pub(super) fn towards(&self, reachable: &[Way], goal: &Pose) -> Option<Vec<Action>> {
        let keys = self.moves_known().into_iter().filter(|it| it.point().is_none());
        let steps: Vec<(Action, (i32, i32))> = keys.map(|key| (key, self.step(key))).collect();
        let stride = steps.iter().map(|(_, (x, y))| x.abs().max(y.abs())).max().unwrap_or_default().max(1);
        let to = goal.middle();
        let far = |pose: &Pose, (dx, dy): (i32, i32)| {
            let from = pose.middle();
            let (x, y) = (i32::from(from.0) + dx - i32::from(to.0), i32::from(from.1) + dy - i32::from(to.1));
            (x.abs() + y.abs()) * ACTION / stride
        };
        let untried = reachable.iter().flat_map(|(pose, way)| {
            let open = steps.iter().filter(|(key, _)| self.next(pose, *key).is_none());
            open.map(move |(key, by)| (way.len() as i32 * ACTION + far(pose, *by), way, *key))
        });
        let (_, way, key) = untried.min_by_key(|(cost, way, key)| (*cost, way.len(), key.id()))?;
        Some([way.as_slice(), &[key]].concat())
    }

    /// By how much a key moves the middle of the brush, doubled, on average over the places from where it does.
    fn step(&self, key: Action) -> (i32, i32) {
        let (mut sum, mut count) = ((0, 0), 0);
        for it in self.turns.iter().filter(|it| it.action == key && it.from != it.to) {
            let ((x, y), (to_x, to_y)) = (it.from.middle(), it.to.middle());
            sum = (sum.0 + i32::from(to_x - x), sum.1 + i32::from(to_y - y));
            count += 1;
        }
        if count == 0 { (0, 0) } else { (sum.0 / count, sum.1 / count) }
    }
}

/// The colour and the shape of what a step clicked.
fn clicked(record: &Record) -> Option<(Color, u64)> {
    let (at, scene) = (record.action.point()?, Scene::of(&record.before));
    scene.component_at(at).map(|it| &scene.components()[it]).map(|it| (it.color, it.shape))
}

/// The colour that all changed cells of a canvas took on.
pub(super) fn stroke(old: &[Color], new: &[Color]) -> Option<Color> {
    let mut changed = old.iter().zip(new).filter(|(old, new)| old != new).map(|(_, new)| *new);
    let first = changed.next()?;
    changed.all(|it| it == first).then_some(first)
}

fn commonest(frame: &Grid) -> Color {
    let mut counts = [0u32; Color::COUNT];
    frame.cells().iter().for_each(|it| counts[it.index()] += 1);
    Color::ALL.into_iter().max_by_key(|it| counts[it.index()]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use env_client::Key;

    use super::*;

    /// A canvas at the left whose upper and lower half have these colours, beside a picture of it.
    fn frame([upper, lower]: [u8; 2]) -> Grid {
        let row = |color: u8, picture: &str| format!("7{}77{picture}7777777", color.to_string().repeat(8));
        let rows = |color: u8, picture: [&str; 4]| picture.map(|it| row(color, it)).join("\n");
        let edge = "7".repeat(22);
        let (upper, lower) = (rows(upper, ["8888", "8888", "9999", "9999"]), rows(lower, ["7777"; 4]));
        [edge.as_str(), &upper, &lower, &edge].join("\n").parse().unwrap()
    }

    /// The keys that are believed to take strokes back after a canvas of two halves went through this.
    fn undoing(steps: &[([u8; 2], Key, [u8; 2])]) -> Vec<ActionId> {
        let step = |(before, key, after): &([u8; 2], Key, [u8; 2])| Record {
            before: frame(*before),
            action: Action::Key(*key),
            after: frame(*after),
        };
        let records: Vec<Record> = steps.iter().map(step).collect();
        let (first, mask) = (frame([1, 1]), InterfaceMask::new());
        let easel = Easel::all(&first).into_iter().next().expect("a canvas and its picture");
        Studio::of(easel, &mask, &first, &records).undoing.into_iter().collect()
    }

    #[test]
    fn a_key_takes_strokes_back_as_long_as_it_does() {
        let (paint, back) = (Key::Key5, Key::Key1);
        let once = [([1, 1], paint, [8, 1]), ([8, 1], back, [1, 1])];
        assert_eq!(undoing(&once), [ActionId::Action1]);
        let twice = [
            ([1, 1], paint, [8, 1]),
            ([8, 1], Key::Key2, [8, 1]),
            ([8, 1], paint, [8, 9]),
            ([8, 9], back, [8, 1]),
            ([8, 1], back, [1, 1]),
            ([1, 1], back, [1, 1]),
        ];
        assert_eq!(undoing(&twice), [ActionId::Action1], "where nothing is left to take back it does nothing");
        let again = [once[0], once[1], ([1, 1], paint, [1, 9])];
        let with = |last: &[_]| [again.as_slice(), last].concat();
        assert_eq!(undoing(&with(&[([1, 9], back, [1, 9])])), [], "it left a stroke where it was");
        let later = [([1, 9], Key::Key2, [1, 9]), ([1, 9], back, [8, 9])];
        assert_eq!(undoing(&with(&later)), [], "it painted");
    }
}
