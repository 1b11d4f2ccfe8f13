//! The frames that were read last, each with its scene: everybody who watches a step reads the same two frames.

use std::{cell::RefCell, collections::VecDeque};

use env_client::Grid;

use super::Scene;

/// Scenes that are kept: those of a step, and of what several skills look at beside. A guess.
const KEPT: usize = 12;

thread_local! {
    static RECENT: RefCell<Recent> = const { RefCell::new(Recent { scenes: VecDeque::new() }) };
}

/// Scenes by their frames, the last that was asked for first.
struct Recent {
    scenes: VecDeque<(Grid, Scene)>,
}

impl Recent {
    fn scene(&mut self, grid: &Grid, read: impl FnOnce(&Grid) -> Scene) -> Scene {
        if let Some(at) = self.scenes.iter().position(|(seen, _)| seen == grid) {
            self.scenes.make_contiguous()[..=at].rotate_right(1);
        } else {
            self.scenes.truncate(KEPT - 1);
            self.scenes.push_front((grid.clone(), read(grid)));
        }
        self.scenes[0].1.clone()
    }
}

/// The scene of a frame, read unless this thread read it a short while ago.
pub(super) fn scene(grid: &Grid, read: impl FnOnce(&Grid) -> Scene) -> Scene {
    RECENT.with_borrow_mut(|recent| recent.scene(grid, read))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use env_client::Color;

    use super::*;

    #[test]
    fn the_frames_asked_for_last_are_read_once() {
        let mut recent = Recent { scenes: VecDeque::new() };
        let grids: Vec<Grid> = (1..=KEPT as u8 + 1).map(|side| Grid::filled(side, 1, Color::of(3))).collect();
        let read = Cell::new(0);
        let mut ask = |index: usize| {
            let scene = recent.scene(&grids[index], |grid| {
                read.set(read.get() + 1);
                Scene::read(grid)
            });
            assert_eq!(scene, Scene::read(&grids[index]));
            read.get()
        };
        (0..KEPT).for_each(|index| assert_eq!(ask(index), index + 1));
        assert_eq!(ask(0), KEPT, "kept, and now the last that was asked for");
        assert_eq!(ask(KEPT), KEPT + 1);
        assert_eq!(ask(0), KEPT + 1);
        assert_eq!(ask(1), KEPT + 2, "the one that nobody asked for the longest had to go");
    }
}
