//! Places that lead elsewhere: what comes onto one of them is at another one afterwards, whoever it is and from wherever it
//! came.
//!
//! A gate knows what comes of one way of one kind of piece. That a ring leads crates where it leads who pushes them, and
//! from every side, would have to be learned for each. And that who leaves the frame at one side comes back in at the other
//! one, for every line of cells and both ways.

use crate::rules::{
    cell_set::CellSet,
    law::Verdict,
    sprite::{Sprite, Vector},
};

/// A place that leads elsewhere.
#[derive(Clone, Copy, Debug)]
struct Portal {
    /// Its corner and size, in cells.
    at: Vector,
    size: Vector,
    /// How far from there it leads.
    shift: Vector,
    /// How often that was seen.
    seen: u32,
}

impl Portal {
    /// Whether a piece of this size at this corner lies on it.
    fn holds(&self, at: Vector, size: Vector) -> bool {
        let (low, high) = (at.minus(self.at), self.at.plus(self.size).minus(at.plus(size)));
        low.x >= 0 && low.y >= 0 && high.x >= 0 && high.y >= 0
    }
}

/// A side of the frame that leads to the other one: who comes to lie beyond it goes round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edge {
    /// Which way it is left, one cell.
    way: Vector,
    /// The least coordinate along that way of a corner that lies beyond it.
    line: i16,
    /// How far from there it leads.
    shift: Vector,
    /// How often that was seen, and how often something else came.
    seen: u32,
    missed: u32,
}

impl Edge {
    /// Whether a piece that goes so from a corner comes to lie beyond it.
    fn is_left(&self, at: Vector, by: Vector) -> bool {
        by.signum() == self.way && along(at.plus(by), self.way) >= self.line
    }

    /// The other side, which leads back to this one: from where a piece came to that left here by a step.
    fn opposite(&self, end: Vector, by: Vector) -> Edge {
        let way = Vector::ZERO.minus(self.way);
        let shift = Vector::ZERO.minus(self.shift);
        Edge { way, line: along(end.minus(by), way), shift, seen: 1, missed: 0 }
    }
}

/// How far a corner lies along a way of one cell.
fn along(at: Vector, way: Vector) -> i16 {
    at.x * way.x + at.y * way.y
}

/// The places of a level that lead elsewhere, and the sides of the frame that do.
#[derive(Clone, Debug, Default)]
pub(super) struct Portals {
    places: Vec<Portal>,
    edges: Vec<Edge>,
}

impl Portals {
    /// A new level has places of its own; the frame is the same.
    pub(super) fn begin_level(&mut self) {
        self.places.clear();
    }

    /// Where a piece comes to, relative to where it is, if it goes for a place that leads elsewhere and nothing lies there that
    /// could be moved, which are the loose cells.
    pub(super) fn exit(
        &self,
        loose: impl FnOnce() -> CellSet,
        (sprite, at): (&Sprite, Vector),
        by: Vector,
    ) -> Option<(Vector, Verdict)> {
        let place = self.places.iter().find(|it| it.holds(at.plus(by), sprite.size)).map(|it| (it.shift, it.seen, 0));
        let edge = || self.edges.iter().find(|it| it.is_left(at, by)).map(|it| (it.shift, it.seen, it.missed));
        let (shift, seen, refuted) = place.or_else(edge)?;
        let came = by.plus(shift);
        let loose = loose();
        let is_taken = |cell: Vector| loose.contains(cell) && !sprite.covers(at, cell);
        let is_free = !sprite.footprint(at.plus(came)).any(is_taken);
        let why = Verdict { outcome: shift.code(), seen, refuted, features: 1, rank: 0 };
        is_free.then_some((came, why))
    }

    /// Learns where a piece came to that meant to go so, beyond the frame if `is_beyond`.
    pub(super) fn learn(&mut self, (sprite, at): (&Sprite, Vector), by: Vector, came: Vector, is_beyond: bool) {
        let (to, shift) = (at.plus(by), came.minus(by));
        if is_beyond && self.learn_edge(at, by, came) {
            return;
        }
        let known = self.places.iter().position(|it| it.holds(to, sprite.size));
        match known {
            Some(index) if shift == Vector::ZERO => _ = self.places.swap_remove(index),
            Some(index) if came != Vector::ZERO => {
                let portal = &mut self.places[index];
                portal.seen = if portal.shift == shift { portal.seen + 1 } else { 1 };
                portal.shift = shift;
            }
            None if is_jump(by, came) => {
                self.places.push(Portal { at: to, size: sprite.size, shift, seen: 1 });
            }
            _ => {}
        }
    }

    /// Learns what came of leaving the frame; whether an edge accounts for it. One that was seen to lead to the other side in
    /// one line of cells is believed to do so in all, and the other side to lead back.
    fn learn_edge(&mut self, at: Vector, by: Vector, came: Vector) -> bool {
        let shift = came.minus(by);
        if let Some(edge) = self.edges.iter_mut().find(|it| it.is_left(at, by)) {
            let is_right = edge.shift == shift;
            edge.seen += u32::from(is_right);
            edge.missed += u32::from(!is_right);
            self.edges.retain(|it| it.missed <= it.seen);
            return is_right;
        }
        let is_straight = (by.x == 0) != (by.y == 0) && shift.signum() == Vector::ZERO.minus(by.signum());
        if !is_straight || !is_jump(by, came) {
            return false;
        }
        let way = by.signum();
        let edge = Edge { way, line: along(at.plus(by), way), shift, seen: 1, missed: 0 };
        let opposite = edge.opposite(at.plus(came), by);
        self.edges.push(edge);
        if !self.edges.iter().any(|it| it.way == opposite.way) {
            self.edges.push(opposite);
        }
        true
    }
}

/// Whether a piece that means to go so and comes by so much went through something: further than it goes by itself, and not
/// on the line on which it slides; one that is thrown back comes no further than it meant to go.
pub(super) fn is_jump(by: Vector, came: Vector) -> bool {
    let is_straight = (came.x == 0) == (by.x == 0) && (came.y == 0) == (by.y == 0);
    let is_on_line = is_straight && came.x.signum() == by.x.signum() && came.y.signum() == by.y.signum();
    by != Vector::ZERO && !is_on_line && came.length() > by.length()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perception::Scene;

    /// A square of so many cells.
    fn square(side: usize) -> Sprite {
        let rows = vec!["3".repeat(side) + "0"; side];
        let grid: env_client::Grid = rows.join("\n").parse().unwrap();
        let scene = Scene::of(&grid);
        let piece = scene.component_at(env_client::Point::new(0, 0).unwrap()).unwrap();
        Sprite::of(&grid, &scene, &[piece]).0
    }

    #[test]
    fn where_one_piece_came_out_others_do_from_any_side() {
        let (mut portals, at) = (Portals::default(), Vector::new);
        portals.learn((&square(3), at(3, 9)), at(3, 0), at(12, -6), false);
        let exit = |portals: &Portals, loose: CellSet, from, by| {
            portals.exit(|| loose, (&square(1), from), by).map(|(came, _)| from.plus(came))
        };
        assert_eq!(exit(&portals, CellSet::EMPTY, at(7, 13), at(0, -3)), Some(at(16, 4)), "a small piece from below");
        assert_eq!(exit(&portals, CellSet::EMPTY, at(7, 16), at(0, -3)), None, "another place");
        let crates: CellSet = [at(16, 4)].into_iter().collect();
        assert_eq!(exit(&portals, crates, at(7, 13), at(0, -3)), None, "something lies there");
        portals.learn((&square(3), at(6, 12)), at(0, -3), at(0, -3), false);
        assert_eq!(exit(&portals, CellSet::EMPTY, at(7, 13), at(0, -3)), None, "it leads nowhere any more");
    }

    #[test]
    fn who_leaves_the_frame_on_one_side_comes_in_on_the_other_on_every_line_and_both_ways() {
        let (mut portals, at) = (Portals::default(), Vector::new);
        let exit = |portals: &Portals, from, by| {
            portals.exit(|| CellSet::EMPTY, (&square(4), from), by).map(|(came, _)| from.plus(came))
        };
        portals.learn((&square(4), at(60, 8)), at(4, 0), at(-60, 0), true);
        portals.begin_level();
        assert_eq!(exit(&portals, at(60, 32), at(4, 0)), Some(at(0, 32)));
        assert_eq!(exit(&portals, at(0, 20), at(-4, 0)), Some(at(60, 20)), "and back");
        assert_eq!(exit(&portals, at(56, 32), at(4, 0)), None, "not yet beyond");
        assert_eq!(exit(&portals, at(32, 0), at(0, -4)), None, "nobody knows of the others");
        portals.learn((&square(4), at(0, 8)), at(-4, 0), at(0, 0), true);
        portals.learn((&square(4), at(0, 8)), at(-4, 0), at(0, 0), true);
        assert_eq!(exit(&portals, at(0, 20), at(-4, 0)), None, "there is a wall after all");
        assert!(exit(&portals, at(60, 32), at(4, 0)).is_some());
    }

    #[test]
    fn what_slides_turns_back_or_goes_another_way_went_through_nothing() {
        let at = Vector::new;
        assert!(is_jump(at(3, 0), at(12, -6)));
        assert!(is_jump(at(0, -3), at(0, 21)), "a spring throws it across the level");
        assert!(!is_jump(at(3, 3), at(6, 6)));
        assert!(!is_jump(at(3, 0), at(12, 0)) && !is_jump(at(3, 0), at(-3, 0)) && !is_jump(at(3, 0), at(0, 3)));
    }
}
