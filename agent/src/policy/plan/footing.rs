//! Whether predicted steps are ground to walk on although they are never right in every cell.
//!
//! Where something goes on by itself, a counter or a patrol that nobody understands, no forecast is ever all true, and a
//! model that counts that soon trusts itself in nothing. What matters on a way is that pieces get where they should.

use env_client::{Grid, Point};

/// Below this a prediction is no ground to walk on by itself.
const WALKABLE: f32 = 0.05;
/// Steps that count, newest first.
const WINDOW: u32 = 16;

/// After which of the last steps pieces were where they should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Footing {
    /// A bit a step, newest lowest.
    kept: u32,
    steps: u32,
}

impl Footing {
    /// A step that should have led from one frame to another led to a third. `is_own` tells the cells that pieces are at
    /// and go for.
    pub(super) fn stepped(&mut self, [old, foreseen, new]: [&Grid; 3], is_own: impl Fn(Point) -> bool) {
        let Some(promised) = old.differences(foreseen) else { return };
        let mut promised = promised.filter(|at| is_own(*at)).peekable();
        if promised.peek().is_some() {
            let kept = promised.all(|at| new.get(at) == foreseen.get(at));
            self.kept = self.kept << 1 | u32::from(kept);
            self.steps = (self.steps + 1).min(WINDOW);
        }
    }

    /// Whether a prediction of this confidence can be walked on: by itself, or as most steps led pieces there.
    pub(super) fn holds(self, confidence: f32) -> bool {
        let kept = (self.kept & ((1 << WINDOW) - 1)).count_ones();
        confidence >= WALKABLE || (confidence > 0.0 && 2 * kept > self.steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The footing after so many steps of a piece from the first cell to the second that should have led from the first
    /// frame to the second and led to the third.
    fn after(steps: u32, frames: [&str; 3]) -> Footing {
        let frames = frames.map(|it| it.parse::<Grid>().unwrap());
        let mut footing = Footing::default();
        (0..steps).for_each(|_| footing.stepped(frames.each_ref(), |at| at.x() < 2));
        footing
    }

    #[test]
    fn what_goes_on_beside_a_step_takes_nothing_from_it() {
        assert!(after(3, ["5000", "0503", "0502"]).holds(0.01));
        assert!(!after(3, ["5000", "0500", "5002"]).holds(0.01), "the piece stayed");
        assert!(!after(3, ["5000", "5002", "5002"]).holds(0.01), "the piece was to stay");
    }

    #[test]
    fn what_the_model_itself_believes_is_always_walked_on_and_what_nobody_knows_never() {
        assert!(Footing::default().holds(0.5));
        assert!(!after(20, ["5000", "0500", "0500"]).holds(0.0));
    }
}
