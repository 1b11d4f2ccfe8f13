//! Places that lead elsewhere: what comes onto one of them is at another one afterwards, whoever it is and from wherever it
//! came.
//!
//! A gate knows what comes of one way of one kind of piece. That a ring leads crates where it leads who pushes them, and
//! from every side, would have to be learned for each.

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

/// The places of a level that lead elsewhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Portals(Vec<Portal>);

impl Portals {
    /// Where a piece comes to, relative to where it is, if it goes for a place that leads elsewhere and nothing lies there that
    /// could be moved, which are the loose cells.
    pub(super) fn exit(
        &self,
        loose: impl FnOnce() -> CellSet,
        (sprite, at): (&Sprite, Vector),
        by: Vector,
    ) -> Option<(Vector, Verdict)> {
        let portal = self.0.iter().find(|it| it.holds(at.plus(by), sprite.size))?;
        let came = by.plus(portal.shift);
        let loose = loose();
        let is_taken = |cell: Vector| loose.contains(cell) && !sprite.covers(at, cell);
        let is_free = !sprite.footprint(at.plus(came)).any(is_taken);
        let why = Verdict { outcome: portal.shift.code(), seen: portal.seen, refuted: 0, features: 1, rank: 0 };
        is_free.then_some((came, why))
    }

    /// Learns where a piece came to that meant to go so.
    pub(super) fn learn(&mut self, sprite: &Sprite, at: Vector, by: Vector, came: Vector) {
        let (to, shift) = (at.plus(by), came.minus(by));
        let known = self.0.iter().position(|it| it.holds(to, sprite.size));
        match known {
            Some(index) if shift == Vector::ZERO => _ = self.0.swap_remove(index),
            Some(index) if came != Vector::ZERO => {
                let portal = &mut self.0[index];
                portal.seen = if portal.shift == shift { portal.seen + 1 } else { 1 };
                portal.shift = shift;
            }
            None if is_jump(by, came) => {
                self.0.push(Portal { at: to, size: sprite.size, shift, seen: 1 });
            }
            _ => {}
        }
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
        portals.learn(&square(3), at(3, 9), at(3, 0), at(12, -6));
        let exit = |portals: &Portals, loose: CellSet, from, by| {
            portals.exit(|| loose, (&square(1), from), by).map(|(came, _)| from.plus(came))
        };
        assert_eq!(exit(&portals, CellSet::EMPTY, at(7, 13), at(0, -3)), Some(at(16, 4)), "a small piece from below");
        assert_eq!(exit(&portals, CellSet::EMPTY, at(7, 16), at(0, -3)), None, "another place");
        let crates: CellSet = [at(16, 4)].into_iter().collect();
        assert_eq!(exit(&portals, crates, at(7, 13), at(0, -3)), None, "something lies there");
        portals.learn(&square(3), at(6, 12), at(0, -3), at(0, -3));
        assert_eq!(exit(&portals, CellSet::EMPTY, at(7, 13), at(0, -3)), None, "it leads nowhere any more");
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
