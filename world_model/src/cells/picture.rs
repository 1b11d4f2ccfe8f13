//! Pictures: drawings of square blocks that lie beside a board, at a scale of their own.

use std::{cmp::Reverse, collections::BTreeSet};

use env_client::{Color, Grid, Point};

use super::{
    Board,
    board::{SMALLEST, apart_from},
};
use crate::{Bounds, InterfaceMask, Scene};

/// The fewest blocks along a side: less could be anything.
const SIDE: u8 = 2;

/// The colours of every picture in which a block stands for so many cells across and down, as it tells them of the cells.
pub(super) fn coarse(
    frame: &Grid,
    mask: &InterfaceMask,
    (width, height): (u8, u8),
    drawn: (Bounds, u16),
    cells: u8,
) -> Vec<Vec<Color>> {
    if !width.is_multiple_of(cells) || !height.is_multiple_of(cells) {
        return Vec::new();
    }
    let across = usize::from(width / cells);
    let block = |x: u8, y: u8| usize::from(y / cells) * across + usize::from(x / cells);
    let finer = |blocks: Vec<Color>| {
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        cells.map(|(x, y)| blocks[block(x, y)]).collect()
    };
    pictures(frame, mask, (width / cells, height / cells), drawn).into_iter().map(finer).collect()
}

/// The colours of every drawing beside a board that is as many blocks or tiles wide and high and shows what has these
/// colours, row after row.
pub(crate) fn drawings(board: &Board, frame: &Grid, mask: &InterfaceMask, colors: &[Color]) -> Vec<Vec<Color>> {
    let taken = (0..board.len()).map(|cell| board.bounds(cell)).reduce(Bounds::union);
    let colors = colors.iter().fold(0, |set, color| set | 1 << color.index());
    taken.map_or_else(Vec::new, |taken| pictures(frame, mask, board.size(), (taken, colors)))
}

/// The same, or where there is none, of the board without some of its outermost rows and columns, which keep their colours:
/// what lies there may be no cells but what works them.
pub(crate) fn inner_drawings(board: &Board, frame: &Grid, mask: &InterfaceMask, colors: &[Color]) -> Vec<Vec<Color>> {
    let whole = drawings(board, frame, mask, colors);
    let Some(taken) = (0..board.len()).map(|cell| board.bounds(cell)).reduce(Bounds::union) else { return whole };
    if !whole.is_empty() {
        return whole;
    }
    let (columns, rows) = board.size();
    let set = colors.iter().fold(0, |set, color| set | 1 << color.index());
    let drawn = |sides: u8| {
        let [left, right, top, bottom] = [0, 1, 2, 3].map(|side| sides >> side & 1);
        let size = (columns.saturating_sub(left + right), rows.saturating_sub(top + bottom));
        let whole = move |inner: Vec<Color>| {
            let mut whole = colors.to_vec();
            for (index, color) in (0u16..).zip(inner) {
                let (column, row) = (index % u16::from(size.0), index / u16::from(size.0));
                whole[usize::from((row + u16::from(top)) * u16::from(columns) + column + u16::from(left))] = color;
            }
            whole
        };
        pictures(frame, mask, size, (taken, set)).into_iter().map(whole)
    };
    (1..1 << 4).flat_map(drawn).collect()
}

/// Every board of tiles, three cells wide and high or more, beside which a drawing of it lies: as many tiles wide and high, and
/// not like it; with the colours of that drawing, row after row. The largest cells come first.
pub fn drawn(frame: &Grid, mask: &InterfaceMask) -> Vec<(Board, Vec<Color>)> {
    let mut boards = Board::families(frame, mask, SMALLEST);
    boards.sort_by_key(|it| Reverse(it.area()));
    let told = |board: Board| {
        let colors = board.middles(frame);
        let differs = |drawing: &Vec<Color>| (0..board.len()).any(|at| board.has(at) && drawing[at] != colors[at]);
        let mut drawings = drawings(&board, frame, mask, &colors);
        drawings.retain(differs);
        drawings.into_iter().map(|it| (board.clone(), it)).collect::<Vec<_>>()
    };
    boards.into_iter().flat_map(told).collect()
}

/// The colours of every picture of so many blocks across and down, row after row. It may lie over the board, which takes
/// the rectangle `taken`, but is not the board itself. Drawings stand apart by what they lie on, or by having the colours that
/// cells take, a set of indices.
fn pictures(frame: &Grid, mask: &InterfaceMask, size: (u8, u8), (taken, colors): (Bounds, u16)) -> Vec<Vec<Color>> {
    if size.0.min(size.1) < SIDE {
        return Vec::new();
    }
    let mut found = BTreeSet::new();
    let grounds = frame.cells().iter().copied().collect::<BTreeSet<Color>>();
    let apart = grounds.into_iter().map(|ground| (ground, apart_from(ground, frame)));
    for (ground, apart) in apart.chain(among(colors, frame)) {
        let scene = Scene::of(&apart);
        let things = scene.components().iter().filter(|it| it.color != ground && !mask.hides(it.center));
        let free = things.map(|it| it.bounds).filter(|it| 2 * it.overlap(taken) <= taken.overlap(taken));
        let square = free.filter(|it| it.width() / size.0 == it.height() / size.1);
        found.extend(square.filter_map(|it| blocks(frame, it, size)));
    }
    let tiled = Board::families(frame, mask, 1).into_iter();
    let tiled = tiled.filter(|it| it.size() == size && (0..it.len()).all(|cell| it.bounds(cell).overlap(taken) == 0));
    found.extend(tiled.map(|it| it.middles(frame)));
    found.into_iter().filter(|blocks| blocks.iter().any(|it| *it != blocks[0])).collect()
}

/// The frame in two colours: the first one given back for all that has none of these colours.
fn among(colors: u16, frame: &Grid) -> Option<(Color, Grid)> {
    let is_one = |color: &Color| colors & 1 << color.index() != 0;
    let (ground, other) = (Color::ALL.into_iter().find(|it| !is_one(it))?, Color::ALL.into_iter().find(is_one)?);
    let mut among = Grid::filled(frame.width(), frame.height(), ground);
    frame.points().filter(|at| is_one(&frame[*at])).for_each(|at| among.set(at, other));
    Some((ground, among))
}

/// The colours of so many blocks across and down a rectangle, row after row; `None` unless each has one colour.
pub(super) fn blocks(frame: &Grid, it: Bounds, (columns, rows): (u8, u8)) -> Option<Vec<Color>> {
    let (width, height) = (it.width() / columns, it.height() / rows);
    if (width * columns, height * rows) != (it.width(), it.height()) || width == 0 || height == 0 {
        return None;
    }
    let block = |index: u16| {
        let (column, row) = ((index % u16::from(columns)) as u8, (index / u16::from(columns)) as u8);
        let (left, top) = (it.left + column * width, it.top + row * height);
        let mut cells = (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y)));
        let color = |(x, y): (u8, u8)| Point::new(x, y).ok().and_then(|at| frame.get(at));
        let first = color((left, top))?;
        cells.all(|at| color(at) == Some(first)).then_some(first)
    };
    (0..u16::from(columns) * u16::from(rows)).map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BESIDE: &str = "\
0000000000000000
0111122220000000
0111122220000000
0111122220444000
0111122220565000
0222211110000000
0222211110055660
0222211110055660
0222211110066550
0000000000066550
0000000000000000";

    const BOARD: Bounds = Bounds { left: 1, top: 1, right: 8, bottom: 8 };

    #[test]
    fn a_picture_is_found_at_another_scale_and_the_board_itself_is_none() {
        let (frame, size): (Grid, _) = (BESIDE.parse().unwrap(), (2, 2));
        let pictures = pictures(&frame, &InterfaceMask::new(), size, (BOARD, 0));
        let found: Vec<Vec<usize>> =
            pictures.iter().map(|blocks| blocks.iter().map(|it| it.index()).collect()).collect();
        assert_eq!(found, [[5, 6, 6, 5]]);
    }

    #[test]
    fn a_picture_may_show_a_board_without_what_lies_at_its_edges() {
        let above = ["0000000000000000", "0220220220000000", "0220220220000000", "0000000000000000"];
        let middle = ["0330440330043400", "0330440330034400", "0000000000000000"];
        let below = ["0440330440000000", "0440330440000000", "0000000000000000"];
        let frame: Grid = [&above[..], &middle, &below].concat().join("\n").parse().unwrap();
        let board = Board::families(&frame, &InterfaceMask::new(), 2).into_iter().max_by_key(Board::len).unwrap();
        let colors = board.middles(&frame);
        assert_eq!(board.size(), (3, 3));
        let found = inner_drawings(&board, &frame, &InterfaceMask::new(), &colors);
        let found: Vec<Vec<usize>> = found.iter().map(|it| it.iter().map(|it| it.index()).collect()).collect();
        assert!(found.contains(&vec![2, 2, 2, 4, 3, 4, 3, 4, 4]), "{found:?}");
        assert!(drawings(&board, &frame, &InterfaceMask::new(), &colors).is_empty(), "the whole board is not drawn");
    }

    #[test]
    fn a_block_may_stand_for_several_cells() {
        let (frame, drawn): (Grid, _) = (BESIDE.parse().unwrap(), (BOARD, 0));
        let found = |size, cells| coarse(&frame, &InterfaceMask::new(), size, drawn, cells);
        let rows: Vec<Vec<usize>> =
            found((4, 4), 2).iter().map(|blocks| blocks.iter().map(|it| it.index()).collect()).collect();
        assert_eq!(rows, [[5, 5, 6, 6, 5, 5, 6, 6, 6, 6, 5, 5, 6, 6, 5, 5]]);
        assert!(found((4, 3), 2).is_empty(), "half a block");
    }

    #[test]
    fn a_picture_that_touches_something_else_is_told_by_the_colors_of_cells() {
        let frame: Grid = "0000000000\n0555566700\n0555566800\n0665555700\n0665555800\n0000000000".parse().unwrap();
        let found = |colors| {
            let taken = Bounds { left: 9, top: 0, right: 9, bottom: 0 };
            pictures(&frame, &InterfaceMask::new(), (3, 2), (taken, colors)).len()
        };
        assert_eq!([found(0), found(1 << 5 | 1 << 6)], [0, 1]);
    }

    #[test]
    fn tiles_are_told_from_the_drawing_of_them() {
        let rows = ["000000000000000", "011101110000000", "011101110056000", "011101110065000", "000000000000000"];
        let tiles = ["011101110000000", "011101110000000", "011101110000000", "000000000000000"];
        let frame: Grid = [rows.as_slice(), &tiles].concat().join("\n").parse().unwrap();
        let drawn = drawn(&frame, &InterfaceMask::new());
        let [(board, colors)] = drawn.as_slice() else { panic!("{drawn:?}") };
        assert_eq!((board.size(), board.middle(0)), ((2, 2), Point::new(2, 2).unwrap()));
        assert_eq!(colors.iter().map(|it| it.index()).collect::<Vec<_>>(), [5, 6, 6, 5]);
    }

    #[test]
    fn tiles_with_gaps_are_a_picture_too() {
        let frame: Grid = "00000000\n05506600\n05506600\n00000000\n06605500\n06605500\n00000000".parse().unwrap();
        let taken = Bounds { left: 7, top: 0, right: 7, bottom: 0 };
        let pictures = pictures(&frame, &InterfaceMask::new(), (2, 2), (taken, 0));
        assert_eq!(pictures.len(), 1);
    }
}
