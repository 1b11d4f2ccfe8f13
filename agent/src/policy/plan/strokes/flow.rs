//! Ways that join several pairs of end points and do not meet, through squares that are meant for one of them alone, or so that
//! no free square is left over.
//!
//! Such puzzles are known as Numberlink. Ways are extended square by square, depth first, the one with the fewest choices first;
//! where squares may be left over, the sum of their lengths is bounded, and the bound raised until there is a solution (iterative
//! deepening A*, Korf, 1985), so that the ways are as short as can be.

use super::raster::Raster;

/// Squares that are looked at in one search. A guess.
const MOST: usize = 200_000;
/// The free squares of the largest board. A guess.
const LARGEST: usize = 100;

/// What one way has to do.
#[derive(Clone, Debug)]
pub(super) struct Errand {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Squares that it has to lead over, and no other may.
    pub(super) stops: Vec<usize>,
}

/// Squares to click one after the other, way after way; `None` where there are none, or none was found in time.
pub(super) fn flows(raster: &Raster, free: &[bool], errands: &[Errand], is_full: bool) -> Option<Vec<usize>> {
    let open = free.iter().filter(|it| **it).count();
    if errands.is_empty() || open > LARGEST {
        return None;
    }
    let ways: Vec<Vec<usize>> = errands.iter().map(|it| vec![it.from]).collect();
    let mut search = Search { raster, errands, free: free.to_vec(), ways, is_full, looked_at: 0 };
    // All ways from one square to another take an even number of steps, or all an odd one.
    let (fewest, all) = (search.needed(), open + errands.len());
    let mut bounds = (if is_full { all } else { fewest }..=all).step_by(2);
    bounds.any(|bound| search.go_on(bound)).then(|| search.ways.concat())
}

struct Search<'a> {
    raster: &'a Raster,
    errands: &'a [Errand],
    /// Squares under no way.
    free: Vec<bool>,
    /// How far the way of each errand has come.
    ways: Vec<Vec<usize>>,
    /// Whether no square may be left over.
    is_full: bool,
    looked_at: usize,
}

impl Search<'_> {
    /// Looks for the rest of all ways, in so many steps at most: first of the one that may go on in the fewest directions.
    fn go_on(&mut self, steps: usize) -> bool {
        self.looked_at += 1;
        let Some((index, nexts)) = self.choices() else { return !self.is_full || !self.free.contains(&true) };
        if self.looked_at > MOST || self.needed() > steps || self.is_full && self.has_dead_end() {
            return false;
        }
        nexts.into_iter().any(|next| {
            let was_free = std::mem::replace(&mut self.free[next], false);
            self.ways[index].push(next);
            let is_found = self.go_on(steps - 1);
            if !is_found {
                self.ways[index].pop();
                self.free[next] = was_free;
            }
            is_found
        })
    }

    /// The errand with the fewest squares to go on to, and these, those nearest to its end first; `None` where all are done.
    fn choices(&self) -> Option<(usize, Vec<usize>)> {
        let open = (0..self.errands.len()).filter(|index| self.head(*index) != self.errands[*index].to);
        let choices = open.map(|index| {
            let nexts = self.raster.beside(self.head(index)).filter(|it| self.may_enter(index, *it));
            (index, nexts.collect::<Vec<usize>>())
        });
        let (index, mut nexts) = choices.min_by_key(|(_, nexts)| nexts.len())?;
        nexts.sort_by_key(|it| self.raster.distance(*it, self.errands[index].to));
        Some((index, nexts))
    }

    fn head(&self, index: usize) -> usize {
        self.ways[index].last().copied().unwrap_or(self.errands[index].from)
    }

    /// The steps that are still needed at least.
    fn needed(&self) -> usize {
        let least = |(index, errand): (usize, &Errand)| {
            let (head, distance) = (self.head(index), |a: usize, b: usize| self.raster.distance(a, b));
            let over = |stop: usize| distance(head, stop) + distance(stop, errand.to);
            self.missed(index).map(over).max().unwrap_or(0).max(distance(head, errand.to))
        };
        self.errands.iter().enumerate().map(least).sum()
    }

    /// The squares that a way still has to lead over.
    fn missed(&self, index: usize) -> impl Iterator<Item = usize> {
        self.errands[index].stops.iter().copied().filter(|it| self.free[*it])
    }

    fn may_enter(&self, index: usize, square: usize) -> bool {
        if square == self.errands[index].to {
            return self.missed(index).next().is_none();
        }
        let is_meant_for = |other: usize| self.errands[other].stops.contains(&square);
        self.free[square] && !(0..self.errands.len()).any(|other| other != index && is_meant_for(other))
    }

    /// Whether some free square has no way in and out.
    fn has_dead_end(&self) -> bool {
        let ends: Vec<usize> = (0..self.errands.len())
            .map(|index| (self.head(index), self.errands[index].to))
            .filter(|(head, to)| head != to)
            .flat_map(|(head, to)| [head, to])
            .collect();
        let ways = |square: usize| self.raster.beside(square).filter(|it| self.free[*it] || ends.contains(it)).count();
        (0..self.free.len()).any(|square| self.free[square] && ways(square) < 2)
    }
}

#[cfg(test)]
mod tests {
    use env_client::{Color, Grid, Point};

    use super::*;

    /// The ways in a picture with two ends of each colour from 2 on, and the stop of each colour five more, as it looks when they
    /// are drawn.
    fn solved(picture: &str, is_full: bool) -> Option<String> {
        let world: Grid = picture.parse().unwrap();
        let raster = Raster::through(&world, Point::default(), 1);
        let all =
            |color: u8| (0..raster.len()).filter(|it| raster.color(*it) == Color::of(color)).collect::<Vec<usize>>();
        let errand = |color: u8| match all(color)[..] {
            [from, to] => Some(Errand { from, to, stops: all(color + 5) }),
            _ => None,
        };
        let errands: Vec<Errand> = (2..7).filter_map(errand).collect();
        let is_stop = |square: &usize| errands.iter().any(|it| it.stops.contains(square));
        let free: Vec<bool> = (0..raster.len()).map(|it| raster.color(it) == Color::of(0) || is_stop(&it)).collect();
        let way = flows(&raster, &free, &errands, is_full)?;
        let (mut drawing, mut color) = (world.clone(), Color::of(0));
        for square in way {
            let at = raster.middle(square);
            color = if free[square] { color } else { world[at] };
            drawing.set(at, color);
        }
        Some(drawing.to_string())
    }

    fn picture(rows: &str) -> String {
        rows.parse::<Grid>().unwrap().to_string()
    }

    fn count(drawing: Option<&String>, color: char) -> usize {
        drawing.map_or(0, |it| it.matches(color).count())
    }

    #[test]
    fn ways_are_as_short_as_they_leave_room_for_each_other() {
        assert_eq!(solved("2003\n0000\n2003", false), Some(picture("2003\n2003\n2003")));
        assert_eq!(solved("0200\n3030\n0200", false), Some(picture("0222\n3332\n0222")));
        assert_eq!(solved("020\n303\n020", false), None);
    }

    #[test]
    fn ways_lead_over_what_is_meant_for_them_and_for_no_other() {
        let detour = solved("20002\n00700\n00000", false);
        assert_eq!((count(detour.as_ref(), '2'), count(detour.as_ref(), '7')), (7, 0), "{detour:?}");
        let both = solved("20002\n00800\n00000\n30003", false);
        assert_eq!(['2', '3', '8'].map(|color| count(both.as_ref(), color)), [5, 9, 0], "{both:?}");
        assert_eq!(solved("20802\n00000\n30003", false), None, "the one shuts the other out");
    }

    #[test]
    fn nothing_is_left_over_of_a_board_that_is_to_be_full() {
        assert_eq!(solved("2000\n2000", false), Some(picture("2000\n2000")));
        assert_eq!(solved("2000\n2000", true), Some(picture("2222\n2222")));
        let full = solved("00000\n03042\n05003\n00040\n25000", true);
        assert!(full.as_ref().is_some_and(|it| !it.contains('0')), "{full:?}");
        let crowded = solved("107002\n003160\n000506\n084053\n000040\n020000", true);
        assert!(crowded.as_ref().is_some_and(|it| !it.contains('0')), "{crowded:?}");
        assert_eq!(solved("2000\n0000\n2000", true), None, "as on a chess board, whose colours take turns");
    }
}
