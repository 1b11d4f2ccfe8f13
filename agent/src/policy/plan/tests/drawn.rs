//! Boards of tiles beside a drawing of them.

use env_client::{Grid, Point};
use world_model::{Advance, InterfaceMask};

use crate::policy::plan::{
    arrange::{Arrangement, Arrangements, Level},
    pairs::Role,
    picture::Middle,
    things::{Things, Under},
};

/// Four tiles, each of the colour in its place, and what they are meant to look like; 4 is the piece.
fn frame(tiles: [u8; 4]) -> Grid {
    let row = |left: u8, right: u8| [left.to_string().repeat(3), right.to_string().repeat(3)].join("0");
    let (upper, lower) = (row(tiles[0], tiles[1]), row(tiles[2], tiles[3]));
    let rows = [
        "000000000000000".to_owned(),
        format!("0{upper}0000000"),
        format!("0{upper}0056000"),
        format!("0{upper}0066000"),
        "000000000000000".to_owned(),
        format!("0{lower}0000000"),
        format!("0{lower}0000000"),
        format!("0{lower}0000000"),
        "000000000000000".to_owned(),
    ];
    rows.join("\n").parse().unwrap()
}

fn piece(frame: &Grid) -> Vec<Advance> {
    let from: Vec<Point> = frame.points().filter(|at| frame[*at].index() == 4).collect();
    if from.is_empty() { Vec::new() } else { vec![Advance { from, ..Advance::default() }] }
}

/// What is wanted first of a level that began with such tiles, after keys led to these.
fn wanted(first: [u8; 4], seen: &[[u8; 4]]) -> Option<Arrangement> {
    let (mut arrangements, mask, first) = (Arrangements::default(), InterfaceMask::new(), frame(first));
    let things = |frame: &Grid| Things::of(frame, &mask, &piece(frame), Under::default());
    arrangements.begin_level(&first, &mask);
    for tiles in seen.iter().map(|it| frame(*it)) {
        arrangements.watch_tiles(&tiles, &things(&tiles), false);
    }
    let (now, advances) = (things(&first), piece(&first));
    let level = Level { advances: &advances, ..Level::still(&first, &now, &mask) };
    arrangements.wanted(&level).into_iter().next()
}

#[test]
fn tiles_are_to_look_as_drawn_once_two_were_painted() {
    let name = |seen: &[[u8; 4]]| wanted([1; 4], seen).map(|it| it.name.to_string());
    assert_eq!(name(&[[1; 4], [6, 1, 1, 1]]), None, "one may be anything");
    assert_eq!(name(&[[6, 7, 1, 1]]), None, "in a colour that is not drawn");
    assert_eq!(name(&[[6, 4, 1, 1]]), None, "one of them is the piece");
    assert_eq!(name(&[[6, 1, 1, 1], [6, 5, 1, 1]]).as_deref(), Some("every tile as it is drawn"));
}

#[test]
fn how_far_tiles_are_from_the_drawing_is_counted_in_tiles_and_in_the_way_to_the_nearest() {
    let drawn = wanted([1; 4], &[[6, 6, 1, 1]]).unwrap();
    let distance = |tiles: [u8; 4], cast: &[Role]| drawn.distance(&frame(tiles), cast);
    let at = |x: u8, y: u8| [Role { class: 0, at: Middle::of(x, y, 3, 3) }];
    assert_eq!(
        [distance([1; 4], &[]), distance([5, 6, 1, 6], &[]), distance([5, 6, 6, 6], &[])],
        [Some(4), Some(1), Some(0)]
    );
    assert_eq!(distance([5, 6, 6, 4], &at(5, 5)), Some(0), "what is below the piece cannot be told");
    assert_eq!(distance([5, 6, 6, 5], &at(5, 5)), Some(1), "but where it shows a colour that is drawn");
    let now = frame([5, 6, 6, 1]);
    let toil = |x: u8, y: u8| drawn.toil((&now, &now), &at(x, y));
    assert_eq!([toil(1, 1), toil(5, 1)], [Some(2), Some(1)]);
}
