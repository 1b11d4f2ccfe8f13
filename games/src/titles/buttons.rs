//! Buttons: on a quilt of square patches, each pair of buttons of one colour is joined by a thread.
//!
//! A click on a button puts the needle there, and clicks on one neighbouring patch after another draw the thread along. No patch
//! bears two threads. A click on a patch with a thread takes that one back to there, one on a button to its beginning. Levels add,
//! one after the other: a third pair, in whose way the others are; holes in the quilt; patches with a seam of one colour,
//! which the thread of this colour has to cross and no other may; patches with moth holes, all of which have to be covered; all of it
//! together.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Title, Verdict, View};

/// One level.
#[derive(Debug)]
struct Plan {
    /// Small letters are buttons, a capital is a patch for the thread of its colour alone, `#` is a hole.
    quilt: &'static str,
    /// Frame cells of a patch, and of the seam between two.
    patch: i16,
    seam: i16,
    /// Whether all patches have to be covered.
    is_moth_eaten: bool,
}

const fn quilt(quilt: &'static str, patch: i16, seam: i16) -> Plan {
    Plan { quilt, patch, seam, is_moth_eaten: false }
}

const fn eaten(quilt: &'static str, patch: i16, seam: i16) -> Plan {
    Plan { quilt, patch, seam, is_moth_eaten: true }
}

const LEVELS: [Plan; 6] = [
    quilt("a.b. .... ..b. a...", 13, 2),
    quilt("....b ..c.. a..a. ..c.. ....b", 10, 2),
    quilt(".a..b #..#c a.... #..cb .....", 10, 2),
    quilt("c..Bb a.bc# ....# .a.A. .....", 10, 2),
    eaten("..... .b.ca .d..b ...c. ad...", 10, 2),
    eaten("#.A..a ..b#e. ...d.e .Bc.db ....c. .a....", 9, 1),
];

const SIDE: i16 = 64;
/// The frame cell in the corner of the quilt, both ways.
const CORNER: i16 = 1;

const TABLE: Color = Color::of(13);
const SEAM: Color = Color::of(2);
const PATCH: Color = Color::of(1);
const HOLE: Color = Color::of(13);
const MOTH: Color = Color::of(4);
const NEEDLE: Color = Color::of(0);
const EYE: Color = Color::of(5);
const THREADS: [Color; 5] = [Color::of(8), Color::of(9), Color::of(14), Color::of(12), Color::of(15)];

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Quilt {
    level: usize,
    map: Map,
    /// The patches of each thread, from the button that it begins at.
    threads: Vec<Vec<Cell>>,
    /// The thread with the needle.
    needle: Option<usize>,
}

/// Whose button a patch bears.
fn button(patch: u8) -> Option<usize> {
    patch.is_ascii_lowercase().then(|| usize::from(patch - b'a'))
}

/// Which thread alone may cross a patch.
fn owner(patch: u8) -> Option<usize> {
    patch.is_ascii_uppercase().then(|| usize::from(patch - b'A'))
}

impl Quilt {
    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    fn pitch(&self) -> i16 {
        self.plan().patch + self.plan().seam
    }

    /// The frame cell in the corner of a patch.
    fn corner(&self, cell: Cell) -> Cell {
        let (start, pitch) = (CORNER + self.plan().seam, self.pitch());
        Cell::at(start + pitch * cell.x, start + pitch * cell.y)
    }

    /// The patch at a frame cell; `None` on seams and where there is none.
    fn hit(&self, at: Cell) -> Option<Cell> {
        let (start, pitch) = (CORNER + self.plan().seam, self.pitch());
        let cell = Cell::at((at.x - start).div_euclid(pitch), (at.y - start).div_euclid(pitch));
        let Cell { x, y } = self.corner(cell);
        let is_on_patch = at.x - x < self.plan().patch && at.y - y < self.plan().patch;
        self.map.get(cell).filter(|patch| is_on_patch && **patch != b'#').map(|_| cell)
    }

    /// The thread on a patch.
    fn thread(&self, cell: Cell) -> Option<usize> {
        self.threads.iter().position(|thread| thread.contains(&cell))
    }

    /// The patch that the needle is on.
    fn head(&self) -> Option<Cell> {
        self.threads[self.needle?].last().copied()
    }

    /// Whether the thread with the needle may go on to a patch.
    fn takes(&self, cell: Cell) -> bool {
        let is_near = self.head().is_some_and(|head| head.distance(cell) == 1);
        is_near && owner(self.map[cell]).is_none_or(|own| self.needle == Some(own))
    }

    fn click(&mut self, cell: Cell) {
        match (button(self.map[cell]), self.thread(cell), self.needle) {
            (Some(own), on, Some(needle)) if own == needle && on.is_none() && self.takes(cell) => {
                self.threads[own].push(cell);
                self.needle = None;
            }
            (Some(own), ..) => {
                self.threads[own] = vec![cell];
                self.needle = Some(own);
            }
            (None, Some(on), _) => {
                let kept = self.threads[on].iter().take_while(|it| **it != cell).count() + 1;
                self.threads[on].truncate(kept);
                self.needle = Some(on);
            }
            (None, None, Some(needle)) if self.takes(cell) => self.threads[needle].push(cell),
            _ => {}
        }
        let needle = self.needle;
        let others = self.threads.iter_mut().enumerate().filter(|(it, _)| Some(*it) != needle);
        others.filter(|(_, thread)| thread.len() == 1).for_each(|(_, thread)| thread.clear());
    }

    fn is_joined(&self, own: usize) -> bool {
        let thread = &self.threads[own];
        thread.len() > 1 && thread.last().is_some_and(|last| button(self.map[*last]) == Some(own))
    }

    /// The patches that a thread has to cross, and does not.
    fn missed(&self, own: usize) -> impl Iterator<Item = Cell> {
        let needed = self.map.find(b'A' + own as u8);
        needed.filter(move |cell| !self.threads[own].contains(cell))
    }

    /// The patches under no thread.
    fn bare(&self) -> impl Iterator<Item = Cell> {
        self.map.iter().filter(|(cell, patch)| **patch != b'#' && self.thread(*cell).is_none()).map(|(cell, _)| cell)
    }

    fn is_solved(&self) -> bool {
        let is_done = |own| self.is_joined(own) && self.missed(own).next().is_none();
        (0..self.threads.len()).all(is_done) && (!self.plan().is_moth_eaten || self.bare().next().is_none())
    }

    /// Clicks that a thread needs at least, whatever else lies on the quilt.
    fn needed(&self, own: usize) -> u32 {
        if self.is_joined(own) {
            return 2 * u32::from(self.missed(own).next().is_some());
        }
        let ends: Vec<Cell> = self.map.find(b'a' + own as u8).collect();
        let first = self.threads[own].first().or(ends.first()).copied();
        let target = ends.iter().copied().find(|end| Some(*end) != first);
        let (Some(first), Some(target)) = (first, target) else { return 0 };
        let from = |from: Cell, to: Cell| {
            let around = self.missed(own).map(|by| from.distance(by) + by.distance(to)).max();
            from.distance(to).max(around.unwrap_or_default())
        };
        let cut = self.threads[own].iter().map(|cell| from(*cell, target));
        let again = 1 + cut.min().unwrap_or(u32::MAX - 1).min(from(first, target));
        let on = self.head().filter(|_| self.needle == Some(own)).map(|head| from(head, target));
        on.map_or(again, |on| on.min(again))
    }

    /// Whether a thread that is on the quilt has to be taken back to cover a patch.
    fn is_stuck(&self) -> bool {
        let goes_on = |cell: Cell| {
            let on = self.thread(cell);
            on.is_none_or(|it| self.threads[it].last() == Some(&cell) && !self.is_joined(it))
        };
        let ways = |cell: Cell| {
            let near = Dir::ALL.into_iter().map(move |dir| cell + dir);
            near.filter(|it| self.map.get(*it).is_some_and(|patch| *patch != b'#') && goes_on(*it)).count()
        };
        self.bare().any(|cell| ways(cell) < if button(self.map[cell]).is_some() { 1 } else { 2 })
    }

    /// Every bare patch takes a click, and so does every thread that was left before it was done.
    fn uncovered(&self) -> u32 {
        let is_left = |own: &usize| {
            let is_done = self.is_joined(*own) && self.missed(*own).next().is_none();
            self.threads[*own].len() > 1 && self.needle != Some(*own) && !is_done
        };
        let left = (0..self.threads.len()).filter(is_left).count();
        (self.bare().count() + left) as u32 + u32::from(self.is_stuck())
    }

    fn draw_patch(&self, scene: &mut Scene, cell: Cell, patch: u8) {
        let (Cell { x, y }, size) = (self.corner(cell), self.plan().patch);
        scene.block(Cell::at(x, y), size, size, PATCH);
        if let Some(own) = owner(patch) {
            scene.block(Cell::at(x + 1, y + 1), size - 2, size - 2, THREADS[own]);
            scene.block(Cell::at(x + 2, y + 2), size - 4, size - 4, PATCH);
        }
        if self.plan().is_moth_eaten && button(patch).is_none() {
            scene.block(Cell::at(x + size / 2 - 1, y + size / 2 - 1), 2 + size % 2, 2 + size % 2, MOTH);
        }
    }

    /// A piece of thread from the middle of one patch to that of the next.
    fn draw_thread(&self, scene: &mut Scene, from: Cell, to: Cell, color: Color) {
        let (size, pitch) = (self.plan().patch, self.pitch());
        let wide = size / 3 + (size / 3 + size) % 2;
        let inset = (size - wide) / 2;
        let Cell { x, y } = self.corner(Cell::at(from.x.min(to.x), from.y.min(to.y)));
        let (across, down) = ((from.x - to.x).abs() * pitch, (from.y - to.y).abs() * pitch);
        scene.block(Cell::at(x + inset, y + inset), wide + across, wide + down, color);
    }

    fn draw_button(&self, scene: &mut Scene, cell: Cell, own: usize) {
        let (Cell { x, y }, size) = (self.corner(cell), self.plan().patch);
        scene.block(Cell::at(x + 2, y + 1), size - 4, size - 2, THREADS[own]);
        scene.block(Cell::at(x + 1, y + 2), size - 2, size - 4, THREADS[own]);
        for eye in [size / 2 - 2, (size + 1) / 2 + 1] {
            scene.block(Cell::at(x + eye, y + size / 2 - 1), 1, 2 + size % 2, EYE);
        }
    }
}

impl Title for Quilt {
    const ABOUT: About = About {
        stem: "b375",
        title: "Buttons",
        families: &[Family::SelectThenAct, Family::Paint],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[7, 16, 18, 21, 25, 34],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(10),
            empty: Color::of(3),
            drain: Drain::Effective,
        }),
    };

    fn level(level: usize, _: &mut Dice) -> Self {
        let map = Map::parse(&LEVELS[level].quilt.replace(' ', "\n"));
        let pairs = map.tiles().iter().filter(|patch| button(**patch).is_some()).count() / 2;
        Quilt { level, map, threads: vec![Vec::new(); pairs], needle: None }
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        if let Input::Click(at) = input
            && let Some(cell) = self.hit(at)
        {
            self.click(cell);
        }
        if self.is_solved() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(TABLE);
        let whole = self.pitch() * self.map.width() + self.plan().seam;
        scene.block(Cell::at(CORNER, CORNER), whole, whole, SEAM);
        for (cell, patch) in self.map.iter() {
            match patch {
                b'#' => scene.block(self.corner(cell), self.plan().patch, self.plan().patch, HOLE),
                _ => self.draw_patch(scene, cell, *patch),
            }
        }
        for (thread, color) in self.threads.iter().zip(THREADS) {
            thread.windows(2).for_each(|pair| self.draw_thread(scene, pair[0], pair[1], color));
        }
        for (cell, patch) in self.map.iter() {
            if let Some(own) = button(*patch) {
                self.draw_button(scene, cell, own);
            }
        }
        if let Some(head) = self.head() {
            let (Cell { x, y }, size) = (self.corner(head), self.plan().patch);
            scene.block(Cell::at(x + size / 2 - 1, y + size / 2 - 1), 2 + size % 2, 2 + size % 2, NEEDLE);
        }
    }

    fn view(&self) -> View {
        View::of(SIDE, SIDE, 1)
    }

    fn inputs(&self) -> Vec<Input> {
        let matters = |cell: Cell, patch: u8| {
            patch != b'#' && (button(patch).is_some() || self.thread(cell).is_some() || self.takes(cell))
        };
        let cells = self.map.iter().filter(|(cell, patch)| matters(*cell, **patch)).map(|(cell, _)| self.corner(cell));
        cells
            .map(|Cell { x, y }| Input::Click(Cell::at(x + self.plan().patch / 2, y + self.plan().patch / 2)))
            .collect()
    }

    fn bound(&self) -> u32 {
        let needed = (0..self.threads.len()).map(|own| self.needed(own)).sum();
        if self.plan().is_moth_eaten { self.uncovered().max(needed) } else { needed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(index: usize, clicks: &[(i16, i16)]) -> Quilt {
        let mut quilt = Quilt::level(index, &mut Dice::new(0, ""));
        for (x, y) in clicks {
            quilt.click(Cell::at(*x, *y));
        }
        quilt
    }

    fn lengths(quilt: &Quilt) -> Vec<usize> {
        quilt.threads.iter().map(Vec::len).collect()
    }

    #[test]
    fn a_thread_goes_on_to_neighbours_and_is_taken_back_by_a_click() {
        let first = [(0, 0), (1, 0), (1, 1), (0, 1)];
        assert_eq!(lengths(&play(0, &first)), [4, 0]);
        assert_eq!(play(0, &[&first[..], &[(2, 2), (0, 1)]].concat()), play(0, &first));
        assert_eq!(play(0, &[&first[..], &[(1, 0)]].concat()), play(0, &first[..2]));
        assert_eq!(play(0, &[&first[..], &[(0, 0)]].concat()), play(0, &first[..1]));
        assert_eq!(lengths(&play(0, &[(0, 0), (2, 0)])), [0, 1], "a thread that was only begun is gone");
    }

    #[test]
    fn a_thread_ends_at_the_other_button_and_crosses_no_other() {
        let joined = play(0, &[(2, 0), (2, 1), (2, 2)]);
        assert!(joined.is_joined(1) && joined.needle.is_none());
        let cut = play(0, &[(2, 0), (2, 1), (2, 2), (0, 0), (1, 0), (1, 1), (2, 1)]);
        assert_eq!((lengths(&cut), cut.needle), (vec![3, 2], Some(1)));
    }

    #[test]
    fn some_patches_are_for_one_thread_alone_which_has_to_cross_them() {
        assert_eq!(lengths(&play(3, &[(0, 0), (1, 0), (2, 0), (3, 0)])), [0, 0, 3]);
        let quilt = play(3, &[(4, 0), (3, 0), (2, 0), (2, 1)]);
        assert!(quilt.is_joined(1) && quilt.missed(1).next().is_none());
        assert!(play(3, &[(0, 1), (0, 2), (0, 3), (1, 3)]).missed(0).next().is_some());
    }

    #[test]
    fn a_click_on_a_seam_or_a_hole_hits_nothing() {
        let quilt = play(2, &[]);
        let hits = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| Cell::at(x, y))).filter_map(|at| quilt.hit(at));
        assert_eq!(hits.count(), 22 * 100);
    }
}
