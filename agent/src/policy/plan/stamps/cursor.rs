//! The cursor over a canvas: cells of one colour that keys move as a whole.

use std::collections::HashSet;

use env_client::{Color, Grid, Point};
use world_model::Bounds;

/// A place of the cursor, or a way from one to another, in cells of the frame.
pub(super) type Cells = (i16, i16);

/// The fewest cells of a cursor. A guess.
const CELLS: usize = 3;

/// What a cursor looks like, whatever it holds: cells of a colour, counted from its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    color: Color,
    cells: Vec<Cells>,
}

impl Cursor {
    /// What moved as a whole in a step, as it is known from the cells of this part of the frame: of all such sets of cells of
    /// one colour the one that reaches furthest, as brackets around what they hold do. The ground around it seems to move the
    /// other way; it comes last, as it goes on beyond what changed.
    pub(super) fn moved(before: &Grid, after: &Grid, part: Bounds) -> Option<Cursor> {
        let changed: Vec<Point> = before.differences(after)?.filter(|at| part.contains(at.x(), at.y())).collect();
        let bounds = Bounds::around(changed.iter().copied())?;
        let cursors = Color::ALL.into_iter().filter_map(|color| {
            let [old, new] = [before, after].map(|frame| cells(frame, bounds, color));
            let by = difference(*new.first()?, *old.first()?);
            let is_moved = by != (0, 0) && old.len() == new.len();
            let is_whole = is_moved && old.iter().zip(&new).all(|(old, new)| difference(*new, *old) == by);
            (is_whole && old.len() >= CELLS).then(|| (!goes_on(before, bounds, &old), Cursor::of(color, &old)))
        });
        cursors.max_by_key(|(is_apart, it)| (*is_apart, it.reach(), it.cells.len())).map(|it| it.1)
    }

    /// Width and height together, in cells.
    fn reach(&self) -> i16 {
        let most = |along: fn(&Cells) -> i16| self.cells.iter().map(along).max().unwrap_or_default();
        most(|it| it.0) + most(|it| it.1) + 2
    }

    fn of(color: Color, cells: &[Cells]) -> Cursor {
        let least = |along: fn(&Cells) -> i16| cells.iter().map(along).min().unwrap_or_default();
        let corner = (least(|it| it.0), least(|it| it.1));
        Cursor { color, cells: cells.iter().map(|it| difference(*it, corner)).collect() }
    }

    /// How thick it is where it is a frame around what it holds: a rectangle with nothing inside.
    pub(super) fn rim(&self) -> Option<i16> {
        let most = |along: fn(&Cells) -> i16| self.cells.iter().map(along).max().unwrap_or_default();
        let (width, height) = (most(|it| it.0) + 1, most(|it| it.1) + 1);
        let within = |(x, y): Cells| x.min(y).min(width - 1 - x).min(height - 1 - y);
        let rim = self.cells.iter().map(|it| within(*it)).max()? + 1;
        let inside = (width - 2 * rim) * (height - 2 * rim);
        let is_hollow = width > 2 * rim && height > 2 * rim;
        (is_hollow && usize::try_from(width * height - inside).ok() == Some(self.cells.len())).then_some(rim)
    }

    /// What this one and another have in common, laid over each other as they fit best: what a cursor looks like that holds
    /// now this and now that. `None` where that is less than half of one.
    pub(super) fn common(&self, other: &Cursor) -> Option<Cursor> {
        if self.color == other.color && self.rim().is_some() && other.rim().is_some() {
            return Some(self.clone());
        }
        let own: HashSet<Cells> = self.cells.iter().copied().collect();
        let shifts: HashSet<Cells> =
            own.iter().flat_map(|own| other.cells.iter().map(|it| difference(*own, *it))).collect();
        let over = |by: Cells| other.cells.iter().map(move |it| (it.0 + by.0, it.1 + by.1));
        let shared = |by: Cells| over(by).filter(|it| own.contains(it)).count();
        let best = shifts.into_iter().max_by_key(|by| (shared(*by), *by))?;
        let cells: Vec<Cells> = over(best).filter(|it| own.contains(it)).collect();
        let is_one = self.color == other.color && cells.len() >= CELLS;
        (is_one && 2 * cells.len() >= own.len().min(other.cells.len())).then_some(Cursor { cells, ..self.clone() })
    }

    /// The only place in this part of a frame where it is seen; a frame may be of any size, as what it holds, and as thick as
    /// it is drawn in this level.
    pub(super) fn place(&self, frame: &Grid, part: Bounds) -> Option<Cells> {
        let first = *self.cells.first()?;
        if self.rim().is_some() {
            let all = cells(frame, part, self.color);
            let corner = (all.iter().map(|it| it.0).min()?, all.iter().map(|it| it.1).min()?);
            return Cursor::of(self.color, &all).rim().is_some().then_some(corner);
        }
        let is_own = |(x, y): Cells| Point::new(x, y).is_ok_and(|at| frame.get(at) == Some(self.color));
        let places = cells(frame, part, self.color).into_iter().map(|it| difference(it, first));
        let mut places = places.filter(|(x, y)| self.cells.iter().all(|it| is_own((x + it.0, y + it.1))));
        let place = places.next()?;
        places.next().is_none().then_some(place)
    }
}

pub(super) const fn difference(one: Cells, other: Cells) -> Cells {
    (one.0 - other.0, one.1 - other.1)
}

/// Whether some of these cells of one colour go on in that beyond these bounds.
fn goes_on(frame: &Grid, bounds: Bounds, cells: &[Cells]) -> bool {
    let beside = cells.iter().flat_map(|own| {
        let at = |(x, y): Cells| Point::new(x, y).ok();
        [(1, 0), (-1, 0), (0, 1), (0, -1)]
            .into_iter()
            .filter_map(move |by| Some((at(*own)?, at((own.0 + by.0, own.1 + by.1))?)))
    });
    beside
        .filter(|(_, next)| !bounds.contains(next.x(), next.y()))
        .any(|(own, next)| frame.get(next).is_some_and(|it| frame.get(own) == Some(it)))
}

/// The cells of a colour in a part of a frame, row after row.
fn cells(frame: &Grid, part: Bounds, color: Color) -> Vec<Cells> {
    let own = part.points().filter(|at| frame.get(*at) == Some(color));
    own.map(|at| (i16::from(at.x()), i16::from(at.y()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &str) -> Grid {
        text.split_whitespace().collect::<Vec<_>>().join("\n").parse().unwrap()
    }

    const ALL: Bounds = Bounds { left: 0, top: 0, right: 7, bottom: 3 };

    #[test]
    fn a_cursor_is_known_by_what_it_has_whatever_it_holds() {
        let one = [frame("11000000 18000000 11000000 00900000"), frame("00110000 00180000 00110000 00900000")];
        let two = [frame("00011000 00011000 00011000 09000000"), frame("00000110 00000110 00000110 09000000")];
        let cursor = Cursor::moved(&one[0], &one[1], ALL).unwrap();
        let other = Cursor::moved(&two[0], &two[1], ALL).unwrap();
        let common = cursor.common(&other).unwrap();
        assert_eq!((common.cells.len(), other.cells.len()), (5, 6));
        assert_eq!((common.place(&one[1], ALL), common.place(&two[0], ALL)), (Some((2, 0)), Some((3, 0))));
        assert_eq!(other.place(&one[1], ALL), None);
    }

    #[test]
    fn a_frame_is_one_cursor_whatever_its_size() {
        let one = [frame("11100000 10100000 11100000 00000000"), frame("01110000 01010000 01110000 00000000")];
        let wide = [frame("00000000 11111000 10001000 11111000"), frame("00000000 00111110 00100010 00111110")];
        let cursor = Cursor::moved(&one[0], &one[1], ALL).unwrap();
        let other = Cursor::moved(&wide[0], &wide[1], ALL).unwrap();
        assert_eq!((cursor.rim(), cursor.common(&other)), (Some(1), Some(cursor.clone())));
        assert_eq!((cursor.place(&wide[1], ALL), cursor.place(&one[1], ALL)), (Some((2, 1)), Some((1, 0))));
        assert_eq!(cursor.place(&frame("11111000 10001000 11111000 00000001"), ALL), None);
        let thick = frame("00000000 01111110 01111110 01100110 01100110 01111110 01111110 00000000");
        let whole = Bounds { bottom: 7, ..ALL };
        assert_eq!(cursor.place(&thick, whole), Some((1, 1)), "at another scale");
        let moved = frame("00000000 00111111 00111111 00110011 00110011 00111111 00111111 00000000");
        let thick = Cursor::moved(&thick, &moved, whole).unwrap();
        assert_eq!((thick.rim(), cursor.common(&thick)), (Some(2), Some(cursor.clone())));
    }

    #[test]
    fn what_only_comes_or_stays_is_no_cursor() {
        let (old, new) = (frame("11100000 11100000 00000000 00000000"), frame("11100000 11100000 00011100 00000000"));
        assert_eq!(Cursor::moved(&old, &new, ALL), None);
        assert_eq!(Cursor::moved(&old, &old, ALL), None);
    }
}
