//! Components that are drawn as one thing: the body of a figure, its eyes and its feet.
//!
//! A guess from the drawing alone: small components that touch, and no more of them than fit into a small rectangle. Cells
//! of a board, which lie beside each other and look alike, are things of their own.

use env_client::Point;
use world_model::{Bounds, Scene};

/// The most columns and rows of one thing, and the least area with which two parts of one shape are cells of a board. Guesses.
const SIDE: u8 = 16;
const CELL: u16 = 4;

/// For each component of a scene the number of the thing that it is a part of; none where it is the whole of it, and none for
/// what is ground or too large.
pub(super) fn sprites(scene: &Scene) -> Vec<Option<u16>> {
    let components = scene.components();
    let is_small = |index: usize| {
        let Bounds { left, top, right, bottom } = components[index].bounds;
        !scene.is_ground(index) && right - left < SIDE && bottom - top < SIDE
    };
    let mut groups: Vec<usize> = (0..components.len()).collect();
    for (a, b) in touching(scene).into_iter().filter(|(a, b)| is_small(*a) && is_small(*b)) {
        let (a, b) = (root(&groups, a), root(&groups, b));
        groups[a.max(b)] = a.min(b);
    }
    let roots: Vec<usize> = (0..groups.len()).map(|index| root(&groups, index)).collect();
    let mut sprites = vec![None; roots.len()];
    for first in 0..roots.len() {
        let parts: Vec<usize> = (first..roots.len()).filter(|index| roots[*index] == first).collect();
        if parts.len() > 1 && is_one(scene, &parts) {
            for part in parts {
                sprites[part] = Some(first as u16);
            }
        }
    }
    sprites
}

/// Whether parts that touch make up a small thing, and no board.
fn is_one(scene: &Scene, parts: &[usize]) -> bool {
    let parts: Vec<_> = parts.iter().map(|part| &scene.components()[*part]).collect();
    let hull = parts.iter().skip(1).fold(parts[0].bounds, |hull, it| hull.union(it.bounds));
    let is_cell = |at: usize| {
        let it = parts[at];
        it.area >= CELL && parts[at + 1..].iter().any(|other| other.shape == it.shape && other.area == it.area)
    };
    hull.right - hull.left < SIDE && hull.bottom - hull.top < SIDE && !(0..parts.len()).any(is_cell)
}

fn root(groups: &[usize], mut index: usize) -> usize {
    while groups[index] != index {
        index = groups[index];
    }
    index
}

/// Pairs of components that touch along their sides, each once.
fn touching(scene: &Scene) -> Vec<(usize, usize)> {
    let (width, height) = scene.size();
    let at = |x: u8, y: u8| Point::new(i16::from(x), i16::from(y)).ok().and_then(|at| scene.component_at(at));
    let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let pairs = cells.flat_map(|(x, y)| [(at(x, y), at(x + 1, y)), (at(x, y), at(x, y + 1))]);
    let mut pairs: Vec<(usize, usize)> =
        pairs.filter_map(|(a, b)| a.zip(b)).filter(|(a, b)| a != b).map(|(a, b)| (a.min(b), a.max(b))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

#[cfg(test)]
mod tests {
    use env_client::Grid;

    use super::*;

    fn parts(picture: &str) -> Vec<Option<u16>> {
        sprites(&Scene::of(&picture.parse::<Grid>().unwrap()))
    }

    #[test]
    fn a_body_with_eyes_and_feet_is_one_thing() {
        let ground = "0".repeat(24);
        let rows =
            ["002222200000", "002323200700", "002222200000", "000404000000"].map(|it| format!("{it}{}", &ground[12..]));
        let parts = parts(&[vec![ground.clone(); 4], rows.to_vec(), vec![ground.clone(); 4]].concat().join("\n"));
        let body = parts[1];
        assert!(body.is_some());
        assert_eq!(parts.iter().filter(|it| **it == body).count(), 5, "{parts:?}");
        assert_eq!(parts.iter().filter(|it| it.is_none()).count(), 2, "the ground and what lies apart");
    }

    #[test]
    fn cells_of_a_board_are_things_of_their_own() {
        let parts = parts("000000000000\n002233220000\n002233220000\n000000000000\n000000000000\n000000000000");
        assert!(parts.iter().all(Option::is_none), "{parts:?}");
    }
}
