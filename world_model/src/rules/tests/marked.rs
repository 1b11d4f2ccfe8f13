//! A piece that is marked where it is joined to another one.

use env_client::{Action, Color, Grid, Key};

use super::{put, taught};
use crate::WorldModel;

/// A piece with two eyes of colour 9 at one place and a crate at another; what joins them has the colour of the eyes.
fn frame(piece: (usize, usize), crate_at: (usize, usize)) -> String {
    let mut frame = Grid::filled(16, 16, Color::of(1));
    for (x, y) in (0..9).map(|cell| (cell % 3, cell / 3)) {
        put(&mut frame, piece.0 + x, piece.1 + y, if y == 0 && x != 1 { 9 } else { 3 });
        put(&mut frame, crate_at.0 + x, crate_at.1 + y, 6);
    }
    if piece.0 == crate_at.0 && piece.1 + 3 == crate_at.1 {
        put(&mut frame, piece.0 + 1, piece.1 + 2, 9);
        put(&mut frame, crate_at.0 + 1, crate_at.1, 9);
    }
    frame.to_string()
}

/// How many cells each piece has that means to go down by that key, after these steps.
fn goes_down<const N: usize>(places: [(usize, usize); N]) -> Vec<usize> {
    let [right, down] = [Key::Key4, Key::Key2].map(Action::Key);
    let crate_at = |piece: (usize, usize)| if piece == (7, 7) { (7, 10) } else { (7, 7) };
    let pictures = places.map(|piece| frame(piece, crate_at(piece)));
    let (rules, frames) = taught(pictures.each_ref().map(String::as_str), &[right, right, down, down]);
    let pieces = rules.advances(&rules.state(&frames[N - 1]), down);
    pieces.iter().filter(|it| it.by == (0, 3)).map(|it| it.from.len()).collect()
}

#[test]
fn who_looks_different_where_it_first_goes_by_another_arrow_is_the_same() {
    assert_eq!(goes_down([(1, 1), (4, 1), (7, 1), (7, 4)]), [9]);
}

#[test]
fn who_came_alone_is_no_part_of_what_goes_along() {
    assert_eq!(goes_down([(1, 1), (4, 1), (7, 1), (7, 4), (7, 7)]), [9]);
}
