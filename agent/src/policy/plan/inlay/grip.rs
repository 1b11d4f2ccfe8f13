//! Where a piece is held, and how it turns.

use super::bed::Figure;

/// The square of a piece that comes to lie where a click puts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    /// The marked one, or else the first.
    Grip,
    /// The first one of the uppermost row.
    First,
    /// The upper left corner of the rectangle around the piece.
    Corner,
    /// The middle of that rectangle, rounded up or left.
    Middle,
}

impl Anchor {
    /// All of them, likeliest first.
    pub(super) const ALL: [Anchor; 4] = [Anchor::Grip, Anchor::First, Anchor::Corner, Anchor::Middle];

    /// Where it is in a figure.
    pub(super) fn of(self, figure: &Figure) -> (i16, i16) {
        let first = figure.cells.first().copied().unwrap_or_default();
        match self {
            Anchor::Grip => figure.grip.unwrap_or(first),
            Anchor::First => first,
            Anchor::Corner => (0, 0),
            Anchor::Middle => {
                let (width, height) = figure.size();
                ((width - 1) / 2, (height - 1) / 2)
            }
        }
    }
}

/// What turning a piece does to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Clockwise,
    Counter,
    Mirror,
    Flip,
}

impl Turn {
    const ALL: [Turn; 4] = [Turn::Clockwise, Turn::Counter, Turn::Mirror, Turn::Flip];

    /// The turned figure.
    pub(super) fn of(self, figure: &Figure) -> Figure {
        let (width, height) = figure.size();
        let turned = |(x, y): (i16, i16)| match self {
            Turn::Clockwise => (height - 1 - y, x),
            Turn::Counter => (y, width - 1 - x),
            Turn::Mirror => (width - 1 - x, y),
            Turn::Flip => (x, height - 1 - y),
        };
        let mut cells: Vec<(i16, i16)> = figure.cells.iter().map(|it| turned(*it)).collect();
        cells.sort_unstable_by_key(|(x, y)| (*y, *x));
        Figure { cells, grip: figure.grip.map(turned) }
    }

    /// The likeliest one that makes one figure of another.
    pub(super) fn between(from: &Figure, to: &Figure) -> Option<Turn> {
        Turn::ALL.into_iter().find(|it| from != to && it.of(from) == *to)
    }

    /// Whether a figure shows that it is turned, and which way.
    pub(super) fn tells(figure: &Figure) -> bool {
        let [one, other] = [Turn::Clockwise, Turn::Counter].map(|it| it.of(figure));
        one != *figure && other != *figure && one != other
    }
}

impl Figure {
    /// Columns and rows.
    fn size(&self) -> (i16, i16) {
        let side = |of: fn(&(i16, i16)) -> i16| self.cells.iter().map(of).max().map_or(0, |it| it + 1);
        (side(|it| it.0), side(|it| it.1))
    }
}
