//! A mark beside the world that shows which key was pressed last.

use super::{ARROWS, World, ahead, cells, color, keys, put};
use crate::rules::tests::slide::{ICE, slide};
use env_client::{Action, Color, Grid, Key};

/// How far the world lies within the frame.
const RIM: usize = 5;

/// A frame with the world in its middle.
fn framed(world: &str) -> Grid {
    let inside: Grid = world.parse().unwrap();
    let (width, height) = (usize::from(inside.width()), usize::from(inside.height()));
    let side = |inner: usize| u8::try_from(inner + 2 * RIM).unwrap();
    let mut frame = Grid::filled(side(width), side(height), Color::of(9));
    for y in 0..height {
        for x in 0..width {
            put(&mut frame, x + RIM, y + RIM, color(&inside, x, y) as u8);
        }
    }
    point(&mut frame, Key::Key2);
    frame
}

/// Draws the mark at the side that a key means: three cells in a row, and one that points outward.
fn point(frame: &mut Grid, key: Key) {
    for (x, y) in cells(frame, 6) {
        put(frame, x, y, 9);
    }
    let (width, height) = (usize::from(frame.width()), usize::from(frame.height()));
    let (x, y) = match key {
        Key::Key1 => (width / 2, 2),
        Key::Key2 => (width / 2, height - 3),
        Key::Key3 => (2, height / 2),
        _ => (width - 3, height / 2),
    };
    let tip = ahead(Action::Key(key), (x, y), false);
    let across = |by: usize| if tip.0 == x { (x + by - 1, y) } else { (x, y + by - 1) };
    (0..3).map(across).chain([tip]).for_each(|(x, y)| put(frame, x, y, 6));
}

fn slid(frame: &Grid, action: Action) -> Grid {
    let mut after = slide(frame, action);
    if let Action::Key(key) = action {
        point(&mut after, key);
    }
    after
}

#[test]
fn a_mark_that_shows_the_last_key_does_not_hide_who_obeys() {
    let (right, changes) = World { frame: framed(ICE), step: slid }.play(keys(120, &ARROWS), 40);
    assert!(10 * right >= 8 * changes, "{right} of {changes}");
}
