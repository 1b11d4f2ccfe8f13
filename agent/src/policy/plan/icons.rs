//! Whether parts of one drawing answer clicks alike, so that a click on one of them tells of the others.

use std::collections::HashSet;

use env_client::Point;
use world_model::Scene;

use crate::policy::sprites::sprites;

/// Pairs of parts that answered alike, more than twice as many as those that did not, after which one part of a drawing
/// speaks for all. A guess.
const ALIKE: u32 = 3;

/// Learns what parts of drawings have in common.
#[derive(Debug, Default)]
pub(super) struct Icons {
    /// Where was clicked in this level, and the cells that changed.
    clicks: Vec<(Point, Vec<Point>)>,
    /// How often two parts of one drawing did the same in this game, and how often not; what does nothing tells nothing.
    alike: u32,
    apart: u32,
}

impl Icons {
    pub(super) fn begin_level(&mut self) {
        self.clicks.clear();
    }

    /// A click changed these cells.
    pub(super) fn learn(&mut self, scene: &Scene, at: Point, cells: &[Point]) {
        let drawings = sprites(scene);
        let part = |at: Point| scene.component_at(at);
        let is_other = |it: Point| {
            let own = part(at).and_then(|part| drawings[part]);
            own.is_some() && part(it) != part(at) && part(it).and_then(|part| drawings[part]) == own
        };
        let other = self.clicks.iter().rev().find(|it| is_other(it.0));
        if let Some((_, others)) = other.filter(|it| !it.1.is_empty() || !cells.is_empty()) {
            let is_alike = are_alike(others, cells);
            self.alike += u32::from(is_alike);
            self.apart += u32::from(!is_alike);
        }
        self.clicks.push((at, cells.to_vec()));
    }

    /// The components of which a click on another part of the same drawing told in this level.
    pub(super) fn told(&self, scene: &Scene) -> HashSet<usize> {
        if self.alike < ALIKE || self.alike <= 2 * self.apart {
            return HashSet::new();
        }
        let drawings = sprites(scene);
        let parts: HashSet<usize> = self.clicks.iter().filter_map(|it| scene.component_at(it.0)).collect();
        let clicked: HashSet<u16> = parts.iter().filter_map(|part| drawings[*part]).collect();
        let is_told = |part: &usize| drawings[*part].is_some_and(|it| clicked.contains(&it)) && !parts.contains(part);
        (0..drawings.len()).filter(is_told).collect()
    }
}

/// Whether two clicks did nothing, or changed mostly the same cells.
fn are_alike(a: &[Point], b: &[Point]) -> bool {
    let a: HashSet<Point> = a.iter().copied().collect();
    let common = b.iter().filter(|at| a.contains(at)).count();
    3 * common >= 2 * a.len().max(b.len())
}

#[cfg(test)]
mod tests {
    use env_client::Grid;

    use super::*;

    fn at(x: i16, y: i16) -> Point {
        Point::new(x, y).unwrap()
    }

    /// Three figures of three parts.
    fn scene() -> Scene {
        let row = "0022230002223000222300000";
        let head = "0000400000040000004000000";
        let ground = "0".repeat(25);
        Scene::of(&format!("{ground}\n{head}\n{row}\n{row}\n{ground}\n{ground}").parse::<Grid>().unwrap())
    }

    #[test]
    fn what_parts_have_in_common_is_told_once_it_was_seen_often_enough() {
        let (scene, mut icons) = (scene(), Icons::default());
        let mark = [at(9, 0), at(10, 0)];
        icons.learn(&scene, at(3, 3), &[]);
        icons.learn(&scene, at(4, 1), &[]);
        icons.begin_level();
        for x in [3, 10, 17] {
            icons.learn(&scene, at(x, 3), &mark);
            assert!(icons.told(&scene).is_empty());
            icons.learn(&scene, at(x + 1, 1), &mark);
        }
        let told: HashSet<Option<usize>> = icons.told(&scene).into_iter().map(Some).collect();
        assert_eq!(told, [5, 12, 19].map(|x| scene.component_at(at(x, 2))).into());
    }

    #[test]
    fn parts_that_differ_are_things_of_their_own() {
        let (scene, mut icons) = (scene(), Icons::default());
        for x in [3, 10, 17] {
            icons.learn(&scene, at(x, 3), &[at(0, 0)]);
            icons.learn(&scene, at(x + 1, 1), &[at(1, 0)]);
        }
        assert!(icons.told(&scene).is_empty());
    }
}
