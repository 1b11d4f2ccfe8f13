//! One prediction against the truth.

use env_client::{Grid, Point};

use crate::InterfaceMask;

/// What one prediction got right. With `x` the frame before, `y` the one after and `z` the predicted one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameScore {
    /// Cells that count.
    pub cells: u16,
    /// Cells that changed: `y != x`.
    pub changed: u16,
    /// Cells that were predicted to change: `z != x`.
    pub edited: u16,
    /// Cells that changed to the predicted colour: `y != x` and `z == y`.
    pub hits: u16,
    /// Whether anything was predicted.
    pub known: bool,
    /// Whether every cell is right.
    pub exact: bool,
}

impl FrameScore {
    /// Compares; `None` predicts nothing, and cells of the mask do not count.
    pub fn of(before: &Grid, truth: &Grid, predicted: Option<&Grid>, mask: Option<&InterfaceMask>) -> FrameScore {
        let shown = |at: &Point| !mask.is_some_and(|mask| mask.hides(*at));
        let same_size = predicted.is_some_and(|it| (it.width(), it.height()) == (truth.width(), truth.height()));
        let known = predicted.is_some();
        let mut score = FrameScore { known, exact: same_size, ..FrameScore::default() };
        for at in truth.points().filter(shown) {
            let (x, y) = (before.get(at), truth.get(at));
            let z = predicted.map_or(x, |predicted| predicted.get(at));
            score.cells += 1;
            score.changed += u16::from(y != x);
            score.edited += u16::from(z != x);
            score.hits += u16::from(y != x && z == y);
            score.exact &= z == y;
        }
        score
    }

    /// Whether this is a change frame: some cell that counts changed.
    pub fn is_change(&self) -> bool {
        self.changed > 0
    }

    /// The harmonic mean of precision and recall of the changed cells; 1 where rightly nothing was predicted to change,
    /// 0 where nothing was predicted.
    pub fn f1(&self) -> f64 {
        match (self.known, self.edited + self.changed) {
            (false, _) => 0.0,
            (true, 0) => 1.0,
            (true, both) => 2.0 * f64::from(self.hits) / f64::from(both),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(before: &str, truth: &str, predicted: &str) -> FrameScore {
        let grid = |picture: &str| picture.parse::<Grid>().unwrap();
        FrameScore::of(&grid(before), &grid(truth), Some(&grid(predicted)), None)
    }

    /// By hand: four cells change (two vacated, two taken), three are predicted to change, two of them rightly.
    #[test]
    fn edits_are_counted_as_by_hand() {
        let score = score("1100", "0011", "0112");
        assert_eq!((score.changed, score.edited, score.hits), (4, 3, 2));
        assert!((score.f1() - 4.0 / 7.0).abs() < 1e-12);
        assert!(!score.exact && score.is_change());
    }

    #[test]
    fn a_cell_changed_to_the_wrong_colour_is_an_edit_and_no_hit() {
        let score = score("10", "20", "30");
        assert_eq!((score.changed, score.edited, score.hits), (1, 1, 0));
        assert_eq!(score.f1().to_bits(), 0.0f64.to_bits());
    }

    #[test]
    fn rightly_nothing_is_a_full_score() {
        let score = score("12", "12", "12");
        assert!(score.exact && !score.is_change());
        assert!((score.f1() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn saying_nothing_is_right_nowhere() {
        let grid: Grid = "12".parse().unwrap();
        let score = FrameScore::of(&grid, &grid, None, None);
        assert!(!score.exact && !score.known && score.f1().abs() < 1e-12);
    }

    #[test]
    fn hidden_cells_do_not_count() {
        let mut mask = InterfaceMask::new();
        mask.hide(Point::new(2, 0).unwrap());
        let grid = |picture: &str| picture.parse::<Grid>().unwrap();
        let score = FrameScore::of(&grid("100"), &grid("013"), Some(&grid("010")), Some(&mask));
        assert_eq!((score.cells, score.changed, score.exact), (2, 2, true));
    }

    #[test]
    fn a_frame_of_another_size_is_a_change_everywhere() {
        let score = score("1", "11\n11", "1");
        assert_eq!((score.changed, score.exact), (3, false));
    }
}
