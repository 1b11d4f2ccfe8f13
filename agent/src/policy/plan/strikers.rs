//! What strikes from where it stands: whoever comes to a certain place beside it, as it is turned, is lost.
//!
//! A guard that looks down a corridor kills who stops in front of it, and what shows that is the animation of the loss:
//! something that stood elsewhere came to where the piece meant to be. One loss is enough to know the place from all that
//! looks alike, whichever way it is turned; who comes there and lives acquits it.

use env_client::{Color, Grid, Point};
use world_model::{Advance, Bounds, Component, Scene, perception::Symmetry};

use super::things::LARGE;

/// Strikers remembered; each is looked for around every step that is thought of. A guess.
const MOST: usize = 8;

/// All that was seen to strike in this game.
#[derive(Debug, Default)]
pub(super) struct Strikers(Vec<Striker>);

#[derive(Debug, PartialEq, Eq)]
struct Striker {
    color: Color,
    size: (u8, u8),
    /// Which cells of its rectangle are its own, row after row.
    cells: Vec<bool>,
    /// From its middle to that of the piece it struck, in half cells.
    reach: (i16, i16),
    losses: u32,
    spared: u32,
}

impl Strikers {
    /// Learns from the animation of a loss what struck the pieces that meant to move so; whether something did. None of them
    /// struck another one: all moved.
    pub(super) fn struck(&mut self, frame: &Grid, layers: &[Grid], advances: &[Advance]) -> bool {
        let scene = Scene::of(frame);
        let is_own = |it: &Component| advances.iter().any(|advance| advance.from.contains(&it.center));
        let mut seen = advances.iter().filter_map(end).filter_map(|end| {
            let is_other = |it: &&Component| it.area <= LARGE && it.bounds.overlap(end) == 0 && !is_own(it);
            let came = scene.components().iter().filter(is_other).filter(|it| {
                let cells = cells(&scene, it.bounds, it.center);
                layers.iter().any(|layer| has_left(layer, it, &cells) && has_come(layer, it, end))
            });
            let nearest = came.min_by_key(|it| distance(it.bounds, end))?;
            Some(Striker::of(&scene, nearest, end))
        });
        let Some(striker) = seen.next() else { return false };
        if let Some(known) = self.0.iter_mut().find(|it| it.is_like(&striker)) {
            known.losses += 1;
        } else if self.0.len() < MOST {
            self.0.push(striker);
        }
        true
    }

    /// A piece that meant to move so in this frame did, and lives.
    pub(super) fn lived(&mut self, frame: &Grid, advance: &Advance) {
        let Some(end) = end(advance) else { return };
        self.0.iter_mut().filter(|it| it.reaches(frame, end)).for_each(|it| it.spared += 1);
    }

    /// Whether pieces that mean to move so in this frame come to where something strikes.
    pub(super) fn are_deadly(&self, frame: &Grid, advances: &[Advance]) -> bool {
        let mut believed = self.0.iter().filter(|it| it.losses > it.spared).peekable();
        if believed.peek().is_none() {
            return false;
        }
        let ends: Vec<Bounds> = advances.iter().filter_map(end).collect();
        believed.any(|it| ends.iter().any(|end| it.reaches(frame, *end)))
    }
}

impl Striker {
    /// A component that struck what came within these bounds.
    fn of(scene: &Scene, it: &Component, end: Bounds) -> Striker {
        let own = cells(scene, it.bounds, it.center);
        let (from, to) = (middle(it.bounds), middle(end));
        Striker {
            color: it.color,
            size: (it.bounds.width(), it.bounds.height()),
            cells: it.bounds.points().map(|at| own.contains(&at)).collect(),
            reach: (to.0 - from.0, to.1 - from.1),
            losses: 1,
            spared: 0,
        }
    }

    fn is_like(&self, other: &Striker) -> bool {
        let turned = |symmetry| self.turned(symmetry) == other.turned(Symmetry::Identity);
        self.color == other.color && Symmetry::ALL.into_iter().any(turned)
    }

    /// Its size, its cells and where it strikes when it is turned.
    fn turned(&self, symmetry: Symmetry) -> ((u8, u8), Vec<bool>, (i16, i16)) {
        let size = symmetry.size(self.size.0, self.size.1);
        let mut cells = vec![false; self.cells.len()];
        for (index, own) in self.cells.iter().enumerate() {
            let at = ((index % usize::from(self.size.0)) as u8, (index / usize::from(self.size.0)) as u8);
            let (x, y) = symmetry.apply(at, self.size);
            cells[usize::from(y) * usize::from(size.0) + usize::from(x)] = *own;
        }
        (size, cells, turn(symmetry, self.reach))
    }

    /// Whether something that looks like it, however turned, stands so that it strikes what is within these bounds.
    fn reaches(&self, frame: &Grid, end: Bounds) -> bool {
        Symmetry::ALL.into_iter().any(|symmetry| {
            let (size, reach) = (symmetry.size(self.size.0, self.size.1), turn(symmetry, self.reach));
            let corner = |middle: i16, reach: i16, size: u8| middle - reach - i16::from(size - 1);
            let (x, y) = (corner(middle(end).0, reach.0, size.0), corner(middle(end).1, reach.1, size.1));
            (x % 2, y % 2) == (0, 0) && self.stands(frame, symmetry, (x / 2, y / 2))
        })
    }

    /// Whether it is seen there, turned, with this corner.
    fn stands(&self, frame: &Grid, symmetry: Symmetry, corner: (i16, i16)) -> bool {
        let columns = usize::from(self.size.0);
        self.cells.iter().enumerate().all(|(index, own)| {
            let (x, y) = symmetry.apply(((index % columns) as u8, (index / columns) as u8), self.size);
            let seen = Point::new(corner.0 + i16::from(x), corner.1 + i16::from(y)).ok().and_then(|at| frame.get(at));
            seen.is_some_and(|seen| (seen == self.color) == *own)
        })
    }
}

/// A vector, turned about the origin.
fn turn(symmetry: Symmetry, (x, y): (i16, i16)) -> (i16, i16) {
    // Where the middle of a cell to either side of the origin comes to lie tells how each axis goes.
    let (x, y) = if symmetry.transposes() { (y, x) } else { (x, y) };
    let (left, top) = symmetry.apply((0, 0), (2, 2));
    (if left == 1 { -x } else { x }, if top == 1 { -y } else { y })
}

/// The rectangle in which a piece that moves as it means to ends.
fn end(it: &Advance) -> Option<Bounds> {
    let along = |at: u8, by: i16| u8::try_from(i16::from(at) + by).ok().filter(|at| *at < env_client::SIDE);
    let moved = |at: &Point| Some((along(at.x(), it.by.0)?, along(at.y(), it.by.1)?));
    let cells = it.from.iter().map(moved);
    let bounds = cells.map(|at| at.map(|(x, y)| Bounds { left: x, top: y, right: x, bottom: y }));
    bounds.reduce(|all, it| Some(all?.union(it?)))?
}

/// Twice the middle of a rectangle.
fn middle(it: Bounds) -> (i16, i16) {
    (i16::from(it.left) + i16::from(it.right), i16::from(it.top) + i16::from(it.bottom))
}

fn distance(a: Bounds, b: Bounds) -> u16 {
    let (a, b) = (middle(a), middle(b));
    a.0.abs_diff(b.0) + a.1.abs_diff(b.1)
}

/// The cells of the component within these bounds that this cell belongs to.
fn cells(scene: &Scene, bounds: Bounds, of: Point) -> Vec<Point> {
    let own = scene.component_at(of);
    bounds.points().filter(|at| scene.component_at(*at) == own).collect()
}

/// Whether a thing is not seen any more where it was.
fn has_left(layer: &Grid, it: &Component, cells: &[Point]) -> bool {
    2 * cells.iter().filter(|at| layer.get(**at) != Some(it.color)).count() >= cells.len()
}

/// Whether much of what looks like a thing is seen within these bounds.
fn has_come(layer: &Grid, it: &Component, end: Bounds) -> bool {
    let seen = end.points().filter(|at| layer.get(*at) == Some(it.color)).count();
    2 * seen >= usize::from(it.area).min(end.points().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(picture: &str) -> Grid {
        picture.parse().unwrap()
    }

    /// A piece of one cell here that means to go so.
    fn step(x: u8, y: u8, by: (i16, i16)) -> [Advance; 1] {
        [Advance { from: vec![Point::new(x, y).unwrap()], by, ..Advance::default() }]
    }

    /// A guard of three cells, with its open side to the right, strikes a piece that stops two cells from its middle.
    fn taught() -> Strikers {
        let mut strikers = Strikers::default();
        let before = frame("0000000\n0880000\n0803000\n0880000\n0000300");
        let after = frame("0000000\n0000000\n0000800\n0000000\n0000000");
        assert!(strikers.struck(&before, &[before.clone(), after], &step(4, 4, (0, -2))));
        strikers
    }

    #[test]
    fn one_loss_tells_where_all_strike_that_look_alike_however_they_are_turned() {
        let strikers = taught();
        let up = frame("0000000\n0000300\n0000000\n0000808\n0000888");
        assert!(!strikers.are_deadly(&up, &step(4, 1, (0, 0))), "beside the place");
        assert!(strikers.are_deadly(&up, &step(4, 1, (1, 0))), "two cells from its open side");
        let other = frame("0000000\n0000300\n0000000\n0000888\n0000888");
        assert!(!strikers.are_deadly(&other, &step(4, 1, (1, 0))), "it looks otherwise");
    }

    #[test]
    fn who_comes_there_and_lives_acquits_it() {
        let mut strikers = taught();
        let before = frame("0000000\n0880000\n0803000\n0880000\n0000300");
        assert!(strikers.are_deadly(&before, &step(4, 4, (0, -2))));
        strikers.lived(&before, &step(4, 4, (0, -2))[0]);
        assert!(!strikers.are_deadly(&before, &step(4, 4, (0, -2))));
    }

    #[test]
    fn pieces_that_move_together_do_not_strike_each_other() {
        let (before, after) = (frame("30003\n00000"), [frame("00000\n30003")]);
        let both = [step(0, 0, (0, 1)), step(4, 0, (0, 1))].concat();
        assert!(!Strikers::default().struck(&before, &after, &both));
        assert!(Strikers::default().struck(&before, &after, &both[..1]), "the other one is no piece");
    }

    #[test]
    fn a_loss_that_nothing_came_for_has_another_reason() {
        let (before, after) = (frame("0800\n0030"), frame("0800\n0000"));
        assert!(!Strikers::default().struck(&before, &[after], &step(2, 1, (1, 0))));
    }
}
