//! Rectangles of a board, and how they are mirrored.

/// How a reference is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Pose {
    /// Mirrored left and right.
    across: bool,
    /// Mirrored top and bottom.
    down: bool,
}

impl Pose {
    pub(super) const ALL: [Pose; 4] = [
        Pose { across: false, down: false },
        Pose { across: true, down: false },
        Pose { across: false, down: true },
        Pose { across: true, down: true },
    ];

    /// A half turn.
    pub(super) const TURNED: Pose = Pose { across: true, down: true };

    /// Whether it mirrors in no other way.
    pub(super) fn is_part_of(self, other: Pose) -> bool {
        (other.across || !self.across) && (other.down || !self.down)
    }
}

/// A rectangle of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    left: usize,
    top: usize,
    pub(super) width: usize,
    pub(super) height: usize,
    /// Of the board.
    columns: usize,
}

impl Window {
    pub(super) fn around(cells: &[usize], columns: usize) -> Option<Window> {
        let (xs, ys) = (cells.iter().map(|cell| cell % columns), cells.iter().map(|cell| cell / columns));
        let (left, top) = (xs.clone().min()?, ys.clone().min()?);
        Some(Window { left, top, width: xs.max()? - left + 1, height: ys.max()? - top + 1, columns })
    }

    /// The rectangles on a board of so many rows in which it is one side, left or right, top or bottom, with or without a
    /// line of cells between the two.
    pub(super) fn doubled(self, rows: usize) -> impl Iterator<Item = Window> {
        let fits = move |it: &Window| it.left + it.width <= self.columns && it.top + it.height <= rows;
        let sides = (0..=1).flat_map(move |gap| {
            let (width, height) = (2 * self.width + gap, 2 * self.height + gap);
            let left = self.left.checked_sub(self.width + gap).map(|left| Window { left, width, ..self });
            let top = self.top.checked_sub(self.height + gap).map(|top| Window { top, height, ..self });
            [left, Some(Window { width, ..self }), top, Some(Window { height, ..self })].into_iter().flatten()
        });
        sides.filter(fits)
    }

    /// Its corners: top left, and bottom right.
    pub(super) fn first(self) -> usize {
        self.top * self.columns + self.left
    }

    pub(super) fn last(self) -> usize {
        self.first() + (self.height - 1) * self.columns + self.width - 1
    }

    /// Whether some of its cells lie on one side of each line that the pose mirrors at, if it mirrors at all.
    pub(super) fn is_one_side(self, cells: &[usize], pose: Pose) -> bool {
        let within = |from: usize, to: usize, place: &dyn Fn(usize) -> usize| {
            cells.iter().all(|cell| (from..to).contains(&place(*cell)))
        };
        let one = |length: usize, place: &dyn Fn(usize) -> usize| {
            within(0, length / 2, place) || within(length.div_ceil(2), length, place)
        };
        let across = !pose.across || one(self.width, &|cell| cell % self.columns - self.left);
        let down = !pose.down || one(self.height, &|cell| cell / self.columns - self.top);
        across && down && pose != Pose::default()
    }

    /// Its cells, row after row.
    pub(super) fn cells(self) -> impl Iterator<Item = usize> {
        (0..self.height).flat_map(move |y| (0..self.width).map(move |x| self.first() + y * self.columns + x))
    }

    /// Which of its cells, row after row, lies where this one does in the window as the pose has it.
    pub(super) fn index(self, cell: usize, pose: Pose) -> usize {
        let (x, y) = (cell % self.columns - self.left, cell / self.columns - self.top);
        let x = if pose.across { self.width - 1 - x } else { x };
        let y = if pose.down { self.height - 1 - y } else { y };
        y * self.width + x
    }
}
