//! What might be wanted of a board of cells.
//!
//! No goal names a colour or a place of its own: each is a relation between the cells and what is drawn in or beside them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use env_client::{Color, Grid};
use world_model::{Cells, cells::Pane};

use super::{
    apart::apart,
    clues::Reading,
    window::{Pose, Window},
};

/// Ways to read clues that are tried in one thought.
const READINGS: usize = 12;
/// Goals looked at in one thought.
const GOALS: usize = 32;
/// Ways to read the colours of a reference that are worth a try.
const LEGENDS: usize = 12;
/// Cells that show another colour of theirs before that is taken for a wish: one may be a mere ornament.
const WISHES: usize = 2;

/// Cells that make a drawing.
const DRAWN: usize = 3;

/// The kinds of goals; what carries over to the next level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Each cell is as the clues beside it say.
    Clues(Reading),
    /// Each cell has the colour that is marked in it.
    OwnMark,
    /// The cells look like another part of the board, or like a picture beside it.
    Reference(Pose),
    /// All cells have one colour.
    Same,
    /// The marked cells have one colour, and the others another.
    Marked,
    /// All cells of one colour have become another one, the rest stays.
    Class,
    /// Cells that have to do with each other have different colours.
    Differing(Peers),
    /// One half of the board is the mirror image of the other.
    Mirrored(Pose),
    /// One half of the board is the other, turned by a half.
    Turned,
    /// The cells are as somebody imagined them.
    Imagined,
}

/// Which cells have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Peers {
    /// Those that touch along their sides.
    Neighbors,
    /// Those in one row or column.
    Lines,
    /// The same, and the colour that all cells had when the level began is none.
    Filled,
}

/// What colours of references stood for where they solved a level.
pub(super) type Legend = BTreeMap<Color, Color>;

/// A goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Goal {
    pub(super) kind: Kind,
    /// The colour wanted in each cell, where one is.
    pub(super) wanted: Vec<Option<Color>>,
    /// What the colours of a reference are taken to stand for.
    pub(super) legend: Legend,
}

/// Whether clues ask for colours that nobody saw a cell take yet.
pub(super) fn missing(model: &Cells, now: &[Color]) -> bool {
    let Some(stage) = Stage::of(model, now) else { return false };
    model.clues().iter().any(|clue| !stage.colors.contains(&clue.middle()))
}

/// Whether anything tells of each cell what it should be.
pub(super) fn is_told(model: &Cells, now: &[Color]) -> bool {
    !model.clues().is_empty() || Stage::of(model, now).is_some_and(|stage| !stage.pictures().is_empty())
}

/// Every goal worth a thought whose kind is admitted, most specific first.
pub(super) fn goals(model: &Cells, now: &[Color], legend: &Legend, admits: impl Fn(Kind) -> bool) -> Vec<Goal> {
    let Some(stage) = Stage::of(model, now) else { return Vec::new() };
    let mut goals = stage.clues(admits);
    goals.extend(stage.own_mark());
    goals.extend(stage.references(legend));
    goals.extend(stage.same());
    goals.extend(stage.marked());
    goals.extend(stage.differing());
    goals.extend(stage.mirrored());
    goals.extend(stage.completed(legend));
    goals.extend(stage.classes());
    goals.truncate(GOALS);
    goals
}

/// Every cell as it is in an image of the level.
pub(super) fn imagined(model: &Cells, now: &[Color], image: &Grid) -> Option<Goal> {
    let image = model.read(image)?;
    Some(Stage::of(model, now)?.goal(Kind::Imagined, |cell| Some(image[cell])))
}

/// The cells that can change, and the colours they can have.
struct Stage<'a> {
    model: &'a Cells,
    now: &'a [Color],
    live: Vec<usize>,
    colors: Vec<Color>,
}

impl<'a> Stage<'a> {
    fn of(model: &'a Cells, now: &'a [Color]) -> Option<Stage<'a>> {
        let (law, level) = (model.law()?, model.level());
        let mut reached = vec![false; now.len()];
        for cell in (0..now.len()).filter(|cell| level.present[*cell]) {
            law.reach(level, now, cell).into_iter().flatten().for_each(|it| reached[it] = true);
        }
        if model.shifts().next().is_some() {
            model.pane().into_iter().flat_map(Pane::cells).for_each(|cell| reached[cell] = true);
        }
        let changes = |cell: &usize| law.next(level, *cell, now[*cell]).is_some_and(|next| next != now[*cell]);
        let came = |cell: &usize| now[*cell] != level.start[*cell];
        let live: Vec<usize> = (0..now.len()).filter(|cell| reached[*cell] && (changes(cell) || came(cell))).collect();
        let mut colors: Vec<Color> = live.iter().map(|cell| now[*cell]).collect();
        for cell in &live {
            let mut color = now[*cell];
            while let Some(next) = law.next(level, *cell, color).filter(|next| !colors.contains(next) || color == *next)
            {
                if colors.contains(&next) {
                    break;
                }
                colors.push(next);
                color = next;
            }
        }
        colors.sort();
        colors.dedup();
        (!live.is_empty()).then_some(Stage { model, now, live, colors })
    }

    fn goal(&self, kind: Kind, wanted: impl Fn(usize) -> Option<Color>) -> Goal {
        let mut goal = Goal { kind, wanted: vec![None; self.now.len()], legend: Legend::new() };
        self.live.iter().for_each(|cell| goal.wanted[*cell] = wanted(*cell));
        goal
    }

    /// What the clues say, read in the likeliest ways that are admitted.
    fn clues(&self, admits: impl Fn(Kind) -> bool) -> Vec<Goal> {
        let readings = Reading::all(self.model, self.now, &self.live).into_iter();
        let readings = readings.filter(|reading| admits(Kind::Clues(*reading))).take(READINGS);
        readings.filter_map(|reading| self.obeying(reading)).collect()
    }

    /// Every cell in the nearest colour that will do.
    fn obeying(&self, reading: Reading) -> Option<Goal> {
        let law = self.model.law()?;
        let mut goal = self.goal(Kind::Clues(reading), |_| None);
        for cell in &self.live {
            let demand = reading.demand(self.model, *cell)?;
            let next = |color: &Color| law.next(self.model.level(), *cell, *color);
            let mut colors = std::iter::successors(Some(self.now[*cell]), next).take(Color::COUNT);
            goal.wanted[*cell] = Some(colors.find(|color| demand.allows(*color))?);
        }
        Some(goal)
    }

    fn own_mark(&self) -> Option<Goal> {
        let own = |cell: usize| {
            let marked = self.model.level().marks[cell].colors;
            let mut colors = self.colors.iter().filter(|color| marked & 1 << color.index() != 0);
            colors.next().filter(|_| colors.next().is_none()).copied()
        };
        let plain = |cell: usize| self.model.level().start[cell];
        let goal = self.goal(Kind::OwnMark, |cell| Some(own(cell).unwrap_or(plain(cell))));
        let marked = self.live.iter().filter(|cell| own(**cell).is_some()).count();
        (marked >= WISHES.min(self.live.len())).then_some(goal)
    }

    fn same(&self) -> Vec<Goal> {
        self.colors.iter().map(|color| self.goal(Kind::Same, |_| Some(*color))).collect()
    }

    fn marked(&self) -> Vec<Goal> {
        let is_marked = |cell: usize| self.model.level().marks[cell].shape != 0;
        let count = self.live.iter().filter(|cell| is_marked(**cell)).count();
        if count == 0 || count == self.live.len() {
            return Vec::new();
        }
        let start = |cell: usize| self.model.level().start[cell];
        let goal =
            |color: Color| self.goal(Kind::Marked, |cell| Some(if is_marked(cell) { color } else { start(cell) }));
        self.colors.iter().map(|color| goal(*color)).collect()
    }

    fn classes(&self) -> Vec<Goal> {
        let start = |cell: usize| self.model.level().start[cell];
        let mut classes: Vec<Color> = self.live.iter().map(|cell| start(*cell)).collect();
        classes.sort();
        classes.dedup();
        if classes.len() < 2 {
            return Vec::new();
        }
        let pairs = classes.iter().flat_map(|from| self.colors.iter().map(move |to| (*from, *to)));
        let goal = |(from, to): (Color, Color)| {
            self.goal(Kind::Class, |cell| Some(if start(cell) == from { to } else { start(cell) }))
        };
        pairs.filter(|(from, to)| from != to).map(goal).collect()
    }

    /// Neighbours in different colours; and all of a row and column, where there are as many colours as that takes. Where all
    /// cells began alike that may be no colour, but a cell that nobody filled yet.
    fn differing(&self) -> Vec<Goal> {
        let columns = self.columns();
        let beside = |a: usize, b: usize| self.model.level().beside(a).any(|it| it == b);
        let in_line = |a: usize, b: usize| a / columns == b / columns || a % columns == b % columns;
        let longest = Window::around(&self.live, columns).map_or(usize::MAX, |it| it.width.max(it.height));
        let has_enough = |colors: usize| (2..=colors).contains(&longest);
        let lines = |peers: Peers, blank: Option<Color>| {
            let is_apart = has_enough(self.colors.len() - usize::from(blank.is_some()));
            is_apart.then(|| self.apart(Kind::Differing(peers), in_line, blank)).flatten()
        };
        let filled = self.blank().and_then(|blank| lines(Peers::Filled, Some(blank)));
        let neighbors = self.apart(Kind::Differing(Peers::Neighbors), beside, None);
        filled.into_iter().chain(neighbors).chain(lines(Peers::Lines, None)).collect()
    }

    /// The colour that all cells had when the level began.
    fn blank(&self) -> Option<Color> {
        let start = |cell: &usize| self.model.level().start[*cell];
        let first = start(self.live.first()?);
        self.live.iter().all(|cell| start(cell) == first).then_some(first)
    }

    /// The colours nearest to those that the cells have in which no two peers are alike and none is blank.
    fn apart(&self, kind: Kind, are_peers: impl Fn(usize, usize) -> bool, blank: Option<Color>) -> Option<Goal> {
        let (law, level) = (self.model.law()?, self.model.level());
        let fixed = |cell: usize| level.present[cell] && !self.live.contains(&cell);
        let fixed: Vec<usize> = (0..self.now.len()).filter(|cell| fixed(*cell)).collect();
        let choices = |cell: &usize| {
            let next = |color: &Color| law.next(level, *cell, *color);
            let mut choices: Vec<Color> = Vec::new();
            let mut ahead = std::iter::successors(Some(self.now[*cell]), next);
            while let Some(color) = ahead.next().filter(|color| !choices.contains(color)) {
                choices.push(color);
            }
            let taken = |color: &Color| fixed.iter().any(|it| self.now[*it] == *color && are_peers(*cell, *it));
            choices.retain(|color| !taken(color) && blank != Some(*color));
            choices
        };
        let choices: Vec<Vec<Color>> = self.live.iter().map(choices).collect();
        let peers = |cell: &usize| {
            let others = self.live.iter().enumerate().filter(|(_, it)| *it != cell && are_peers(*cell, **it));
            others.map(|(index, _)| index).collect()
        };
        let peers: Vec<Vec<usize>> = self.live.iter().map(peers).collect();
        let colors = apart(&choices, &peers)?;
        Some(self.goal(kind, |cell| self.live.iter().position(|it| *it == cell).map(|index| colors[index])))
    }

    /// What is drawn on one side, left or right, top or bottom, is drawn on the empty other one as well.
    fn mirrored(&self) -> Vec<Goal> {
        let Some(window) = Window::around(&self.live, self.columns()) else { return Vec::new() };
        let start = &self.model.level().start;
        let count = |color: &&Color| self.live.iter().filter(|cell| start[**cell] == **color).count();
        let Some(ground) = self.colors.iter().max_by_key(count) else { return Vec::new() };
        let drawn: Vec<usize> = window.cells().filter(|cell| start[*cell] != *ground).collect();
        let poses = Pose::ALL.into_iter().filter(|pose| drawn.len() >= DRAWN && window.is_one_side(&drawn, *pose));
        let cells: Vec<usize> = window.cells().collect();
        let image = |cell: usize, pose: Pose| start[cells[window.index(cell, pose)]];
        let whole = |pose: Pose| {
            let parts: Vec<Pose> = Pose::ALL.into_iter().filter(|it| it.is_part_of(pose)).collect();
            self.goal(Kind::Mirrored(pose), |cell| {
                parts.iter().map(|part| image(cell, *part)).find(|color| color != ground).or(Some(*ground))
            })
        };
        poses.map(whole).collect()
    }

    /// What changes is like its images in what does not, where that has a colour of theirs: mirrored in every way, and
    /// turned by a half.
    fn completed(&self, legend: &Legend) -> Vec<Goal> {
        let mirrored = Pose::ALL.into_iter().filter(|it| *it != Pose::default()).map(|pose| {
            let parts: Vec<Pose> = Pose::ALL.into_iter().filter(|it| it.is_part_of(pose)).collect();
            (Kind::Mirrored(pose), parts)
        });
        let kinds: Vec<(Kind, Vec<Pose>)> =
            mirrored.chain([(Kind::Turned, vec![Pose::default(), Pose::TURNED])]).collect();
        let mut goals: Vec<Goal> = Vec::new();
        for window in self.windows() {
            for (kind, parts) in &kinds {
                let Some(images) = self.images(window, parts) else { continue };
                if self.live.iter().all(|cell| !self.colors.contains(&images[cell])) {
                    continue;
                }
                let open = self.recolored(*kind, &|cell| images[&cell], legend).into_iter();
                let differs = |goal: &Goal| self.live.iter().any(|cell| goal.wanted[*cell] != Some(self.now[*cell]));
                let open: Vec<Goal> = open.filter(|goal| differs(goal) && !goals.contains(goal)).collect();
                goals.extend(open);
            }
        }
        goals
    }

    /// Rectangles that may be symmetric: all cells that there are, those that change, and these with as many beside
    /// them.
    fn windows(&self) -> Vec<Window> {
        let level = self.model.level();
        let present: Vec<usize> = (0..self.now.len()).filter(|cell| level.present[*cell]).collect();
        let (all, live) = (Window::around(&present, self.columns()), Window::around(&self.live, self.columns()));
        let doubled = live.into_iter().flat_map(|it| it.doubled(usize::from(level.rows)));
        all.into_iter().chain(live).chain(doubled).collect()
    }

    /// The one colour that the images of each cell of a window have, itself among them, as far as they do not change;
    /// `None` where some have several, or none.
    fn images(&self, window: Window, parts: &[Pose]) -> Option<BTreeMap<usize, Color>> {
        let level = self.model.level();
        let cells: Vec<usize> = window.cells().collect();
        let is_static = |cell: &usize| level.present[*cell] && !self.live.contains(cell);
        let image = |cell: usize| {
            let images = parts.iter().map(|part| cells[window.index(cell, *part)]).filter(is_static);
            let colors: BTreeSet<Color> = images.map(|it| level.start[it]).collect();
            colors.first().copied().filter(|_| colors.len() == 1).map(|color| (cell, color))
        };
        let images: BTreeMap<usize, Color> =
            cells.iter().copied().filter(|cell| level.present[*cell]).map(image).collect::<Option<_>>()?;
        self.live.iter().all(|cell| images.contains_key(cell)).then_some(images)
    }

    /// Parts of the board that do not change, as large as the part that does, and pictures of as many blocks: as they are,
    /// mirrored, or in other colours throughout.
    fn references(&self, legend: &Legend) -> Vec<Goal> {
        let Some(stage) = Window::around(&self.live, self.columns()) else { return Vec::new() };
        let (mut goals, pictures) = (Vec::new(), self.pictures());
        let key = self.model.key(stage.first(), stage.last());
        for pose in Pose::ALL {
            for picture in &pictures {
                let (kind, drawn) = (Kind::Reference(pose), |cell: usize| picture[stage.index(cell, pose)]);
                match self.read_by(&key, kind, &drawn) {
                    Some(goal) => goals.push(goal),
                    None => goals.extend(self.recolored(kind, &drawn, legend)),
                }
            }
        }
        goals.dedup();
        goals
    }

    /// What may be a reference: the colours of its cells, row after row.
    fn pictures(&self) -> Vec<Vec<Color>> {
        let Some(stage) = Window::around(&self.live, self.columns()) else { return Vec::new() };
        let parts = self.parts().into_iter().filter(|part| (part.width, part.height) == (stage.width, stage.height));
        let parts = parts.map(|part| part.cells().map(|cell| self.model.level().start[cell]).collect());
        parts.chain(self.model.pictures(stage.first(), stage.last())).collect()
    }

    /// A reference in the colours that a drawn key gives for its own, where it gives all of them and cells can have them.
    fn read_by(&self, key: &Legend, kind: Kind, drawn: &dyn Fn(usize) -> Color) -> Option<Goal> {
        let known = |cell: &usize| key.get(&drawn(*cell)).is_some_and(|it| self.colors.contains(it));
        self.live.iter().all(known).then(|| self.goal(kind, |cell| key.get(&drawn(cell)).copied()))
    }

    /// A reference in its own colours where cells can have them, and for all others in every way that gives each a
    /// colour of theirs and keeps to the legend.
    fn recolored(&self, kind: Kind, drawn: &dyn Fn(usize) -> Color, legend: &Legend) -> Vec<Goal> {
        let shown: BTreeSet<Color> = self.live.iter().map(|cell| drawn(*cell)).collect();
        if shown.len() < 2 || shown.len() > self.colors.len() {
            return Vec::new();
        }
        let read = |color: Color, legend: &Legend| legend.get(&color).copied().unwrap_or(color);
        let goal = |legend: Legend| Goal {
            legend: legend.clone(),
            ..self.goal(kind, |cell| Some(read(drawn(cell), &legend)))
        };
        self.legends(&shown, legend).into_iter().map(goal).collect()
    }

    /// Every way to give each of the colours shown that cells cannot have one of the others that they can, as the legend
    /// has it where it has: none if there are too many.
    fn legends(&self, shown: &BTreeSet<Color>, legend: &Legend) -> Vec<Legend> {
        let mut legends = vec![Legend::new()];
        let free: Vec<Color> = self.colors.iter().filter(|it| !shown.contains(it)).copied().collect();
        for color in shown.iter().filter(|it| !self.colors.contains(it)) {
            let stands_for = |it: &Color| legend.get(color).is_none_or(|known| known == it);
            let extended = |known: &Legend| {
                let open = free.iter().filter(|it| stands_for(it) && known.values().all(|other| other != *it));
                open.map(|it| known.iter().map(|(a, b)| (*a, *b)).chain([(*color, *it)]).collect()).collect()
            };
            legends = legends.iter().flat_map(|it| -> Vec<Legend> { extended(it) }).collect();
            if legends.len() > LEGENDS {
                return Vec::new();
            }
        }
        legends
    }

    /// The bounds of static cells that hang together and are not the ground.
    fn parts(&self) -> Vec<Window> {
        let (level, columns) = (self.model.level(), self.columns());
        let is_static = |cell: usize| level.present[cell] && !self.live.contains(&cell);
        let mut counts = [0usize; Color::COUNT];
        (0..self.now.len()).filter(|cell| is_static(*cell)).for_each(|cell| counts[level.start[cell].index()] += 1);
        let ground = (0..Color::COUNT).max_by_key(|index| counts[*index]).unwrap_or_default();
        let solid = |cell: usize| is_static(cell) && level.start[cell].index() != ground;
        level.groups(solid).iter().filter_map(|part| Window::around(part, columns)).collect()
    }

    fn columns(&self) -> usize {
        usize::from(self.model.level().columns)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Clues(_) => "every cell as the clues beside it say",
            Kind::OwnMark => "every cell in the colour of its mark",
            Kind::Reference(_) => "the cells like what is drawn beside them",
            Kind::Same => "all cells in one colour",
            Kind::Marked => "the marked cells in one colour",
            Kind::Class => "all cells of one colour in another",
            Kind::Differing(Peers::Neighbors) => "neighbours in different colours",
            Kind::Differing(Peers::Lines) => "no colour twice in a row or column",
            Kind::Differing(Peers::Filled) => "every colour once in a row or column",
            Kind::Imagined => "every cell as it was imagined",
            Kind::Mirrored(_) => "one half like the other, mirrored",
            Kind::Turned => "one half like the other, turned by a half",
        })
    }
}
