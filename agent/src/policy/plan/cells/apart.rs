//! Colours for cells of which some must differ from each other.

use env_client::Color;

/// Choices in one search.
const STEPS: usize = 20_000;

/// A colour for each cell such that no two peers have the same: the colours to choose from, dearest last, and the peers of
/// each cell. `None` where there is none, or where it takes too long to find one.
pub(super) fn apart(choices: &[Vec<Color>], peers: &[Vec<usize>]) -> Option<Vec<Color>> {
    let mut search = Search { choices, peers, chosen: vec![None; choices.len()], steps: STEPS };
    search.run().then(|| search.chosen.into_iter().flatten().collect())
}

struct Search<'a> {
    choices: &'a [Vec<Color>],
    peers: &'a [Vec<usize>],
    chosen: Vec<Option<Color>>,
    steps: usize,
}

impl Search<'_> {
    fn open(&self, cell: usize) -> impl Iterator<Item = Color> {
        let is_free = move |color: &Color| self.peers[cell].iter().all(|peer| self.chosen[*peer] != Some(*color));
        self.choices[cell].iter().copied().filter(is_free)
    }

    /// Chooses for the cell with the fewest choices left first: beside what is chosen, where that is the same.
    fn run(&mut self) -> bool {
        let undecided = (0..self.chosen.len()).filter(|cell| self.chosen[*cell].is_none());
        let Some(cell) = undecided.min_by_key(|cell| self.open(*cell).count()) else { return true };
        for color in self.open(cell).collect::<Vec<Color>>() {
            let Some(left) = self.steps.checked_sub(1) else { return false };
            self.steps = left;
            self.chosen[cell] = Some(color);
            if self.run() {
                return true;
            }
        }
        self.chosen[cell] = None;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The peers of cells in rows of three: those along the sides.
    fn beside(rows: usize) -> Vec<Vec<usize>> {
        let is_beside = |a: usize, b: usize| (a / 3).abs_diff(b / 3) + (a % 3).abs_diff(b % 3) == 1;
        let count = 3 * rows;
        (0..count).map(|cell| (0..count).filter(|other| is_beside(cell, *other)).collect()).collect()
    }

    fn colored(choices: &[&str], rows: usize) -> Option<String> {
        let choices: Vec<Vec<Color>> =
            choices.iter().map(|it| it.bytes().map(|digit| Color::of(digit - b'0')).collect()).collect();
        let chosen = apart(&choices, &beside(rows))?;
        Some(chosen.iter().map(|it| char::from(b'0' + it.index() as u8)).collect())
    }

    #[test]
    fn every_other_cell_stays_as_it_is() {
        assert_eq!(colored(&["12"; 6], 2).as_deref(), Some("121212"));
    }

    #[test]
    fn a_cell_that_cannot_change_decides_for_the_others() {
        assert_eq!(colored(&["12", "1", "12", "12", "12", "12"], 2).as_deref(), Some("212121"));
        assert_eq!(colored(&["12", "1", "1", "12", "12", "12"], 2), None, "neither can two neighbours");
    }

    #[test]
    fn a_third_color_helps_where_two_do_not() {
        assert_eq!(colored(&["1", "123", "2"], 1).as_deref(), Some("132"));
    }
}
