use env_client::Color;

use super::*;
use crate::Outcome;

/// A board of tiles of five cells, of which the last column and row are seams of 5: `.` ground of 4, `#` and `~` others, `W`
/// a cross of 8, `w` its ends, `D` a saltire of 9, `d` its corners. Who is picked stands on a tile of 0, seams included.
fn drawn(map: &str, picked: Option<(usize, usize)>) -> Grid {
    let rows: Vec<&str> = map.split_whitespace().collect();
    let mut frame = vec![vec![2u8; 48]; 48];
    let tiles = rows.iter().enumerate().flat_map(|(y, row)| row.chars().enumerate().map(move |(x, it)| (x, y, it)));
    for (x, y, glyph) in tiles.clone() {
        let ground = match glyph {
            '#' => 2,
            '~' => 10,
            _ => 4,
        };
        (0..5).for_each(|dy| frame[6 + 5 * y + dy][6 + 5 * x..][..5].fill(5));
        (0..4).for_each(|dy| frame[6 + 5 * y + dy][6 + 5 * x..][..4].fill(ground));
    }
    if let Some((x, y)) = picked {
        (0..5).for_each(|dy| frame[5 + 5 * y + dy][5 + 5 * x..][..5].fill(0));
    }
    for (x, y, glyph) in tiles {
        let (color, cells): (u8, &[(usize, usize)]) = match glyph {
            'W' => (8, &[(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)]),
            'w' => (8, &[(1, 0), (0, 1), (2, 1), (1, 2)]),
            'D' => (9, &[(0, 0), (2, 0), (1, 1), (0, 2), (2, 2)]),
            'd' => (9, &[(0, 0), (2, 0), (0, 2), (2, 2)]),
            _ => (0, &[]),
        };
        for (dx, dy) in cells {
            frame[6 + 5 * y + dy][6 + 5 * x + dx] = color;
        }
    }
    Grid::from_rows(frame.into_iter().map(|row| row.into_iter().map(Color::of).collect::<Vec<_>>())).unwrap()
}

/// One action, between two maps and who is picked in them.
fn act(men: &mut Chessmen, action: Action, [before, after]: [(&str, Option<(usize, usize)>); 2]) {
    let (before, layers) = (drawn(before.0, before.1), [drawn(after.0, after.1)]);
    let step = Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues };
    men.observe(&step, &InterfaceMask::new());
}

fn click(column: u8, row: u8) -> Action {
    Action::Click(Point::new(6 + 5 * column, 6 + 5 * row).unwrap())
}

const LEVEL: &str = "..... .W#.. ...w. D...d";
const MOVED: &str = ".W... ..#.. ...w. D...d";
const PICKED: Option<(usize, usize)> = Some((1, 1));
const UP: Action = Action::Key(Key::Key1);

/// Knows how the cross goes up after a click on a corner of its tile.
fn met() -> Chessmen {
    let mut men = Chessmen::default();
    men.begin(&drawn(LEVEL, None), &InterfaceMask::new(), Start::Level);
    act(&mut men, UP, [(LEVEL, None), (LEVEL, None)]);
    act(&mut men, click(1, 1), [(LEVEL, None), (LEVEL, PICKED)]);
    act(&mut men, UP, [(LEVEL, PICKED), (MOVED, Some((1, 0)))]);
    men
}

#[test]
fn the_first_man_tells_of_the_tiles_and_hollow_drawings_are_marks() {
    let men = met();
    assert!(men.is_understood());
    let now = men.read(&drawn(MOVED, Some((1, 0)))).unwrap();
    assert_eq!((men.roster.as_slice(), now.picked), ([0, 1].as_slice(), Some(0)));
    assert_eq!(men.bound(&now), 4 + 1 + FAR, "four strides, and a click and who knows how many for the other man");
    assert_eq!(
        men.experiment(&now, false).and_then(env_client::Action::point).map(env_client::Point::y),
        Some(6 + 15 + 1),
        "the saltire"
    );
}

#[test]
fn a_key_takes_who_is_picked_to_open_tiles_only() {
    let mut men = met();
    act(&mut men, Action::Key(Key::Key3), [(MOVED, Some((1, 0))), ("W.... ..#.. ...w. D...d", Some((0, 0)))]);
    act(&mut men, click(1, 1), [(LEVEL, None), (LEVEL, PICKED)]);
    let start = men.read(&drawn(LEVEL, PICKED)).unwrap();
    let by = |key: Key, dares| men.press(&start, key, dares).map(|it| it.men[0] as usize);
    let tile = |frame: &Grid| men.men(frame).unwrap()[0].1;
    assert_eq!(by(Key::Key1, false), Some(tile(&drawn(MOVED, None))));
    assert_eq!(by(Key::Key2, false), Some(tile(&drawn("..... ..#.. .W.w. D...d", None))), "by the arrow, a guess");
    assert_eq!(by(Key::Key4, false), None, "nobody was seen on such a tile");
    assert!(by(Key::Key4, true).is_some());
}

#[test]
fn what_refused_once_refuses_again_but_for_who_stood_in_the_way() {
    let mut men = met();
    let at = Some((1, 1));
    act(&mut men, click(1, 1), [(LEVEL, None), (LEVEL, at)]);
    act(&mut men, Action::Key(Key::Key4), [(LEVEL, at), (LEVEL, at)]);
    let start = men.read(&drawn(LEVEL, at)).unwrap();
    assert_eq!(men.press(&start, Key::Key4, true), None);
    let beside = "..... .W#.. .D.w. ....d";
    act(&mut men, click(1, 1), [(beside, None), (beside, at)]);
    act(&mut men, Action::Key(Key::Key2), [(beside, at), (beside, at)]);
    let start = men.read(&drawn(LEVEL, at)).unwrap();
    assert!(men.press(&start, Key::Key2, false).is_some());
}

#[test]
fn where_keys_move_something_unpicked_there_are_no_men() {
    let mut men = Chessmen::default();
    men.begin(&drawn(LEVEL, None), &InterfaceMask::new(), Start::Level);
    act(&mut men, UP, [(LEVEL, None), (MOVED, None)]);
    act(&mut men, click(1, 0), [(MOVED, None), (MOVED, Some((1, 0)))]);
    let down = Action::Key(Key::Key2);
    act(&mut men, down, [(MOVED, Some((1, 0))), (LEVEL, PICKED)]);
    assert!(!men.is_understood());
}

#[test]
fn a_board_that_fills_the_frame_is_seen_to_its_edge() {
    let wide = "....... .W#.... ....... D...d.. ....... ....... ......w .......";
    let mut men = met();
    let from = |x: usize, y: usize| {
        let frame = drawn(wide, None);
        let rows: Vec<Vec<Color>> = frame.rows().skip(y).map(|row| row[x..].to_vec()).collect();
        Grid::from_rows(rows).unwrap()
    };
    men.begin(&from(6, 6), &InterfaceMask::new(), Start::Level);
    assert_eq!((men.roster.len(), men.marks.len()), (2, 2), "the saltire stands in the first column");
}
