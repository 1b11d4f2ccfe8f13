//! Boards of tiles: things of one size at equal distances, whether their marks divide them or something lies over them.

use std::collections::BTreeMap;

use env_client::{Color, Grid, SIDE};

use super::{Board, CHANGED, LARGEST};
use crate::{Bounds, InterfaceMask, Scene};

/// A distance is common that comes this many times less often than the one that comes most often.
const COMMON: usize = 3;
/// Pixels of a colour that may be what tiles lie on.
const GROUND: usize = 64;
/// Tiles that make a family: two alike are found anywhere.
const FAMILY: usize = 3;
impl Board {
    /// Boards of tiles: things whose bounds have one size, no side shorter than `smallest`, at least three of them, at
    /// equal distances. A tile is of one colour; where that leaves too many out it is whatever stands apart on one ground.
    pub(crate) fn families(frame: &Grid, mask: &InterfaceMask, smallest: u8) -> Vec<Board> {
        let mut boards = Board::of_things(&Scene::of(frame), mask, smallest, None);
        for board in &mut boards {
            board.dismiss_pictures(frame);
            board.admit(frame, 0);
        }
        let is_ground = |color: &Color| frame.cells().iter().filter(|it| *it == color).count() >= GROUND;
        for ground in Color::ALL.into_iter().filter(is_ground) {
            let scene = Scene::of(&apart_from(ground, frame));
            for mut board in Board::of_things(&scene, mask, smallest, Some(ground)) {
                board.dismiss_motley(frame);
                let found = board.cells();
                match boards.iter_mut().find(|it| it.is_in_phase(&board)) {
                    _ if found < FAMILY => {}
                    Some(known) if 3 * known.cells() <= 2 * found => *known = board,
                    Some(_) => {}
                    None => boards.push(board),
                }
            }
        }
        boards
    }

    /// The boards that things of equal bounds make, those of one colour left out.
    fn of_things(scene: &Scene, mask: &InterfaceMask, smallest: u8, without: Option<Color>) -> Vec<Board> {
        let mut families: BTreeMap<(u8, u8), Vec<Bounds>> = BTreeMap::new();
        for it in scene.components().iter().filter(|it| Some(it.color) != without) {
            let size = (it.bounds.width(), it.bounds.height());
            let fits = |side: u8| (smallest..=LARGEST).contains(&side);
            let filled = 2 * usize::from(it.area) >= usize::from(size.0) * usize::from(size.1);
            if fits(size.0) && fits(size.1) && filled && !mask.hides(it.center) {
                families.entry(size).or_default().push(it.bounds);
            }
        }
        let all: Vec<Bounds> = scene.components().iter().map(|it| it.bounds).collect();
        families.iter().flat_map(|(size, tiles)| tiled(*size, tiles, &all)).collect()
    }
}

/// The boards of tiles of one size: they have one distance, and each its own phase. Tiles that something lies over are
/// looked for among `all` things.
fn tiled(size: (u8, u8), tiles: &[Bounds], all: &[Bounds]) -> Vec<Board> {
    let across = spacing(tiles, size.0, |it| it.left, |it| it.top);
    let down = spacing(tiles, size.1, |it| it.top, |it| it.left);
    let Some(either) = across.or(down) else { return Vec::new() };
    let pitch = alike(size, (across.unwrap_or(either), down.unwrap_or(either)));
    let mut phases: BTreeMap<(u8, u8), Vec<Bounds>> = BTreeMap::new();
    for it in tiles {
        phases.entry((it.left % pitch.0, it.top % pitch.1)).or_default().push(*it);
    }
    let boards = phases.values().filter(|tiles| tiles.len() >= FAMILY);
    let whole = |tiles: &Vec<Bounds>| {
        let covered = all.iter().filter_map(|it| covered(size, pitch, tiles, *it));
        tiles.iter().copied().chain(covered).collect::<Vec<Bounds>>()
    };
    boards.filter_map(|tiles| in_phase(size, pitch, &whole(tiles))).collect()
}

/// Square tiles lie as far apart one way as the other, though of some rows none may be seen.
fn alike(size: (u8, u8), (across, down): (u8, u8)) -> (u8, u8) {
    let (near, far) = (across.min(down), across.max(down));
    if size.0 == size.1 && far.is_multiple_of(near) { (near, near) } else { (across, down) }
}

/// The frame in two colours: what is of the ground, and what is not.
pub(in crate::cells) fn apart_from(ground: Color, frame: &Grid) -> Grid {
    let mut apart = Grid::filled(frame.width(), frame.height(), ground);
    let other = Color::ALL[usize::from(ground == Color::ALL[0])];
    frame.points().filter(|at| frame[*at] != ground).for_each(|at| apart.set(at, other));
    apart
}

/// The tile that a thing is the visible part of: it lies in the lattice of `tiles`, among or beside them, and fills most
/// of its place.
fn covered(size: (u8, u8), pitch: (u8, u8), tiles: &[Bounds], it: Bounds) -> Option<Bounds> {
    let around = tiles.iter().copied().reduce(Bounds::union)?;
    let inset = |at: u8, start: u8, pitch: u8| (i16::from(at) - i16::from(start)).rem_euclid(i16::from(pitch)) as u8;
    let (right, down) = (inset(it.left, around.left, pitch.0), inset(it.top, around.top, pitch.1));
    let (left, top) = (it.left.checked_sub(right)?, it.top.checked_sub(down)?);
    let tile = Bounds { left, top, right: left + size.0 - 1, bottom: top + size.1 - 1 };
    let near = |tile: u8, from: u8, to: u8, pitch: u8| tile + pitch >= from && tile <= to + pitch;
    let is_near = near(left, around.left, around.right, pitch.0) && near(top, around.top, around.bottom, pitch.1);
    let is_part = it.right <= tile.right && it.bottom <= tile.bottom && tile.right < SIDE && tile.bottom < SIDE;
    let area = |it: Bounds| u16::from(it.width()) * u16::from(it.height());
    let is_most = area(it) < area(tile) && 4 * area(it) >= 3 * area(tile);
    (is_near && is_part && is_most).then_some(tile)
}

fn in_phase(size: (u8, u8), pitch: (u8, u8), tiles: &[Bounds]) -> Option<Board> {
    let (left, top) = (tiles.iter().map(|it| it.left).min()?, tiles.iter().map(|it| it.top).min()?);
    let (right, bottom) = (tiles.iter().map(|it| it.left).max()?, tiles.iter().map(|it| it.top).max()?);
    let (columns, rows) = ((right - left) / pitch.0 + 1, (bottom - top) / pitch.1 + 1);
    let mut present = vec![false; usize::from(columns) * usize::from(rows)];
    for it in tiles {
        let (column, row) = ((it.left - left) / pitch.0, (it.top - top) / pitch.1);
        present[usize::from(row) * usize::from(columns) + usize::from(column)] = true;
    }
    Some(Board { left, top, pitch, size, columns, rows, present, changed: CHANGED })
}

/// The smallest distance that is common between tiles of one line that follow each other.
fn spacing(tiles: &[Bounds], size: u8, along: impl Fn(&Bounds) -> u8, line: impl Fn(&Bounds) -> u8) -> Option<u8> {
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    for it in tiles {
        let others = tiles.iter().filter(|other| line(other) == line(it));
        let distances = others.filter_map(|other| along(other).checked_sub(along(it)));
        if let Some(next) = distances.filter(|distance| *distance >= size).min() {
            *counts.entry(next).or_default() += 1;
        }
    }
    let most = counts.values().copied().max()?;
    counts.into_iter().find(|(_, count)| COMMON * count >= most).map(|(distance, _)| distance)
}

#[cfg(test)]
mod tests {
    use env_client::Point;

    use super::{
        super::{SMALLEST, tests::TILES},
        *,
    };

    #[test]
    fn tiles_with_gaps_make_a_board() {
        let frame: Grid = TILES.parse().unwrap();
        let board = &Board::families(&frame, &InterfaceMask::new(), SMALLEST)[0];
        assert_eq!((board.size(), board.pitch), ((4, 2), (4, 4)));
        let colors: Vec<usize> = board.read(&frame, &[true; 9]).iter().map(|it| it.index()).collect();
        assert_eq!(colors, [1, 1, 2, 1, 2, 2, 2, 1]);
        assert_eq!(board.cell_at(Point::new(4, 2).unwrap()), None, "a gap");
        assert_eq!(board.cell_at(board.middle(6)), Some(6));
    }

    /// A frame of these rows, each given with how often it comes.
    fn drawn(rows: &[(&str, usize)]) -> Grid {
        let rows: Vec<&str> = rows.iter().flat_map(|(row, times)| vec![*row; *times]).collect();
        rows.join("\n").parse().unwrap()
    }

    fn only_board(rows: &[(&str, usize)]) -> Board {
        let mut boards = Board::families(&drawn(rows), &InterfaceMask::new(), SMALLEST);
        assert_eq!(boards.len(), 1, "{boards:?}");
        boards.remove(0)
    }

    #[test]
    fn a_tile_that_something_lies_over_is_one_all_the_same() {
        let board = only_board(&[("91110111101111", 4), ("90000000000000", 1), ("91110222202222", 4)]);
        assert_eq!((board.size(), board.cells(), board.left), ((3, 2), 6, 0));
        let board = only_board(&[("99910111101111", 4), ("99900000000000", 1), ("99910222202222", 4)]);
        assert_eq!((board.size(), board.cells(), board.left), ((2, 2), 4, 5), "a quarter of a tile could be anything");
    }

    #[test]
    fn a_picture_in_which_a_color_prevails_that_no_tile_has_is_no_tile() {
        let board = only_board(&[
            ("11105550222", 1),
            ("11105170222", 1),
            ("11105850222", 1),
            ("00000000000", 1),
            ("11102220111", 3),
        ]);
        assert_eq!((board.size(), board.cells()), ((3, 2), 5));
        let board = only_board(&[
            ("11105550222", 1),
            ("11105170222", 1),
            ("11105850222", 1),
            ("00000000000", 1),
            ("11105550111", 3),
        ]);
        assert_eq!(board.cells(), 6, "a tile with a mark on it, where another one is plain");
    }

    #[test]
    fn tiles_that_their_marks_divide_are_told_by_the_ground_they_lie_on() {
        let board = only_board(&[
            ("000000000000000000000", 2),
            ("091119009111900911190", 1),
            ("019191001919100191910", 1),
            ("011911001191100119110", 1),
            ("019191001919100191910", 1),
            ("091119009111900911190", 1),
            ("000000000000000000000", 2),
        ]);
        assert_eq!((board.size(), board.pitch, board.cells()), ((3, 1), (7, 7), 3));
    }

    #[test]
    fn places_are_admitted_in_colors_that_cells_are_known_to_take() {
        let rows = [("01110111000001110", 3), ("00000000000000000", 1), ("01110252000000000", 3)];
        let (mut board, frame) = (only_board(&rows), drawn(&rows));
        let cells = board.cells();
        board.admit(&frame, 1 << 2);
        assert_eq!(board.cells(), cells + 1);
    }
}
