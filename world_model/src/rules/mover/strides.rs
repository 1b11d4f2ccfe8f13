//! How finely a sliding piece moves: cell by cell, or by strides.
//!
//! A piece that fills its square of the board stops right before what stops it. One that is drawn smaller keeps a margin,
//! and all its ways are multiples of a stride, the side of a square; what stops it lies within one stride ahead. Both are
//! learned side by side, the stride as the greatest common divisor of the lengths seen, and the one that foretold more is
//! asked.

use std::{collections::VecDeque, sync::Arc};

use env_client::Grid;

use super::slide::Slide;
use crate::rules::sprite::{Sprite, Vector};

/// Ways that are kept, to be learned again with another stride.
const KEPT: usize = 24;

/// A way that was gone, or a wish that came to nothing.
#[derive(Clone, Debug)]
struct Sample {
    number: u64,
    frame: Grid,
    sprite: Sprite,
    from: Vector,
    by: Vector,
    came: Vector,
}

/// A sample, and whether it was foretold: cell by cell, and by strides.
type Foretold = (Arc<Sample>, bool, bool);

/// What stops a sliding piece.
#[derive(Clone, Debug)]
pub(super) struct Strides {
    /// Cell by cell, and by strides; the same until a stride is known.
    fine: Slide,
    coarse: Slide,
    samples: VecDeque<Foretold>,
}

impl Default for Strides {
    fn default() -> Self {
        Strides { fine: Slide::by(1), coarse: Slide::by(1), samples: VecDeque::new() }
    }
}

impl Strides {
    /// Whether the piece was seen to slide; see [`Slide::is_proven`].
    pub(super) fn is_proven(&self, number: u64) -> bool {
        self.fine.is_proven(number)
    }

    /// How far the piece slides in the direction of a wish; `None` where nothing is known of what lies ahead.
    pub(super) fn end(&self, frame: &Grid, sprite: &Sprite, from: Vector, by: Vector) -> Option<Vector> {
        self.best().end(frame, sprite, from, by)
    }

    /// Where the piece turns as it slides in the direction of a wish, and where it ends, each seen from where it is.
    pub(super) fn legs(&self, frame: &Grid, sprite: &Sprite, from: Vector, by: Vector) -> Option<Vec<Vector>> {
        self.best().legs(frame, sprite, from, by)
    }

    /// The one that foretold more ways; of equals the finer one.
    fn best(&self) -> &Slide {
        let fine = self.samples.iter().filter(|it| it.1).count();
        let coarse = self.samples.iter().filter(|it| it.2).count();
        if coarse > fine { &self.coarse } else { &self.fine }
    }

    /// Cells that the piece goes at a time.
    pub(super) fn stride(&self) -> i16 {
        self.best().stride()
    }

    /// Learns from a way around corners; see [`Slide::learn_turns`].
    pub(super) fn learn_turns(&mut self, frame: &Grid, sprite: &Sprite, from: Vector, by: Vector, path: &[Vector]) {
        self.fine.learn_turns(frame, sprite, from, by, path.iter().copied());
        self.coarse.learn_turns(frame, sprite, from, by, path.iter().copied());
    }

    /// Learns from a way that was gone, or from a wish that came to nothing.
    pub(super) fn learn(&mut self, number: u64, frame: &Grid, sprite: &Sprite, from: Vector, by: Vector, came: Vector) {
        let sample = Sample { number, frame: frame.clone(), sprite: sprite.clone(), from, by, came };
        let is_fine = taught(&mut self.fine, &sample);
        if self.samples.len() == KEPT {
            self.samples.pop_front();
        }
        let stride = self.fine.stride_seen();
        if stride != self.coarse.stride() {
            self.coarse = Slide::by(stride);
            for (sample, _, is_coarse) in &mut self.samples {
                *is_coarse = taught(&mut self.coarse, sample);
            }
        }
        let is_coarse = taught(&mut self.coarse, &sample);
        self.samples.push_back((Arc::new(sample), is_fine, is_coarse));
    }
}

/// Teaches a sample; whether it was foretold.
fn taught(slide: &mut Slide, it: &Sample) -> bool {
    let is_foretold = slide.end(&it.frame, &it.sprite, it.from, it.by) == Some(it.came);
    slide.learn(it.number, &it.frame, &it.sprite, it.from, it.by, it.came);
    is_foretold
}

#[cfg(test)]
mod tests {
    use env_client::{Color, Point};

    use super::*;
    use crate::Scene;

    const RIGHT: Vector = Vector::new(1, 0);
    const SQUARE: i16 = 4;

    /// A corridor of nine squares of four cells, walled where there is a `#`, with a ball of two cells in a square.
    fn corridor(squares: &str, ball: i16) -> (Grid, Sprite, Vector) {
        let mut frame = Grid::filled(36, 4, Color::of(0));
        for at in frame.points().collect::<Vec<_>>() {
            let square = usize::from(at.x() / 4);
            if &squares[square..=square] == "#" {
                frame.set(at, Color::of(5));
            }
        }
        for (x, y) in [(1, 1), (2, 1), (1, 2), (2, 2)] {
            frame.set(Point::new((ball * SQUARE + x) as u8, y).unwrap(), Color::of(8));
        }
        let scene = Scene::of(&frame);
        let part = scene.component_at(Point::new((ball * SQUARE + 1) as u8, 1).unwrap()).unwrap();
        let (sprite, corner) = Sprite::of(&frame, &scene, &[part]);
        (frame, sprite, corner)
    }

    /// Where the ball is thought to come to rest, in squares, when it was seen to roll in these corridors.
    fn end(seen: &[(&str, i16, i16)], squares: &str, ball: i16) -> Option<i16> {
        let mut strides = Strides::default();
        for (squares, ball, end) in seen {
            let (frame, sprite, from) = corridor(squares, *ball);
            strides.learn(4, &frame, &sprite, from, RIGHT, Vector::new((end - ball) * SQUARE, 0));
        }
        let (frame, sprite, from) = corridor(squares, ball);
        strides.end(&frame, &sprite, from, RIGHT).map(|came| ball + came.x / SQUARE)
    }

    #[test]
    fn a_ball_with_a_margin_rolls_by_squares() {
        let once = [("#........", 1, 8), ("#....#...", 1, 4), ("#.......#", 5, 7), ("#..#.....", 2, 2)];
        let seen = [once, once].concat();
        assert_eq!(end(&seen, "#.....#..", 2), Some(5));
        assert_eq!(end(&seen, "#...#....", 3), Some(3));
    }
}
