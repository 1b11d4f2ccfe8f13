//! The model on small boards of its own.

use env_client::{Action, Color, Grid, Point};

use super::*;
use crate::Outcome;

const SIDE: u8 = 6;
const SCALE: u8 = 10;
const MARGIN: u8 = 2;

/// A world of 6x6 cells, one digit each, drawn at ten frame cells each in the middle of a frame.
fn drawn(world: &str) -> Grid {
    let world: Grid = world.parse().unwrap();
    let mut grid = Grid::filled(64, 64, Color::of(9));
    for point in world.points() {
        let (left, top) = (MARGIN + point.x() * SCALE, MARGIN + point.y() * SCALE);
        for (x, y) in (0..SCALE).flat_map(|y| (0..SCALE).map(move |x| (x, y))) {
            grid.set(Point::new(left + x, top + y).unwrap(), world[point]);
        }
    }
    grid
}

fn middle(x: u8, y: u8) -> Point {
    Point::new(MARGIN + x * SCALE + SCALE / 2, MARGIN + y * SCALE + SCALE / 2).unwrap()
}

/// A model that saw clicks on a level; each leaves a dot where it was.
fn taught(first: &str, clicks: &[(&str, (u8, u8), &str)]) -> Cells {
    let (mut cells, mask) = (Cells::default(), InterfaceMask::new());
    cells.begin(&drawn(first), &mask, Start::Level);
    for (before, (x, y), after) in clicks {
        let (before, mut after) = (drawn(before), drawn(after));
        after.set(middle(*x, *y), Color::of(14));
        let (action, layers) = (Action::Click(middle(*x, *y)), [after]);
        cells.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues }, &mask);
    }
    cells
}

/// What a click would lead to.
fn foreseen(cells: &Cells, world: &str, (x, y): (u8, u8)) -> Option<String> {
    let now = cells.read(&drawn(world))?;
    let after = cells.foresee(&now, usize::from(y) * usize::from(SIDE) + usize::from(x))?;
    let text = |row: &[Color]| row.iter().map(|it| char::from(b'0' + it.index() as u8)).collect::<String>();
    Some(after.chunks(usize::from(SIDE)).map(text).collect::<Vec<_>>().join("\n"))
}

const DARK: &str = "111111\n111111\n111111\n111111\n111111\n111121";
const CROSS: &str = "111111\n121111\n222111\n121111\n111111\n111121";
const TWO: &str = "111111\n121121\n222222\n121121\n111111\n111121";
const CORNER: &str = "221111\n221121\n222222\n121121\n111111\n111121";

#[test]
fn two_clicks_teach_a_cross_and_that_it_ends_at_the_edge() {
    let cells = taught(DARK, &[(DARK, (1, 2), CROSS), (CROSS, (4, 2), TWO)]);
    assert_eq!(cells.level().columns, SIDE);
    assert!(foreseen(&cells, TWO, (0, 5)).is_some_and(|it| it.ends_with("121121\n211111\n221121")));
    // Nobody saw what a lit cell does.
    assert_eq!(foreseen(&cells, TWO, (1, 2)), None);
}

#[test]
fn nothing_is_believed_before_something_answered() {
    let cells = taught(DARK, &[(DARK, (1, 2), DARK), (DARK, (3, 3), DARK)]);
    assert!(cells.board().is_none() && !cells.is_trusted());
}

#[test]
fn a_board_without_edges_is_told_by_what_comes_back() {
    let (first, second) =
        ("211112\n211111\n111111\n111111\n111111\n211121", "211112\n211211\n112221\n111211\n111111\n211121");
    let cells = taught(DARK, &[(DARK, (0, 0), &first.replacen("211112", "221112", 1)), (first, (3, 2), second)]);
    assert!(foreseen(&cells, DARK, (5, 3)).is_some_and(|it| it.contains("111112\n211122\n111112")), "comes back");
}

#[test]
fn where_clicks_do_nothing_they_have_a_stencil_of_their_own() {
    let walls = "333333\n111111\n111111\n111111\n111111\n111111";
    let once = "333333\n211111\n111111\n111111\n111111\n111111";
    let twice = "333333\n211111\n111211\n111111\n111111\n111111";
    let cells = taught(walls, &[(walls, (0, 1), once), (once, (2, 0), once), (once, (3, 2), twice)]);
    assert_eq!(foreseen(&cells, twice, (5, 0)).as_deref(), Some(twice));
    assert_eq!(foreseen(&cells, once, (3, 2)).as_deref(), Some(twice));
}

#[test]
fn the_law_carries_over_to_the_next_level() {
    let mut cells = taught(DARK, &[(DARK, (1, 2), CROSS), (CROSS, (4, 2), TWO)]);
    cells.begin(&drawn(CORNER), &InterfaceMask::new(), Start::Level);
    assert!(cells.is_trusted());
    assert!(foreseen(&cells, CORNER, (0, 5)).is_some_and(|it| it.ends_with("211111\n221121")));
}

#[test]
fn what_answers_at_an_edge_is_taken_to_answer_on_the_other_side_too() {
    let (first, second) =
        ("221111\n111111\n111111\n111111\n111111\n111121", "221111\n111111\n111111\n111111\n221111\n111121");
    let cells = taught(DARK, &[(DARK, (0, 0), first), (first, (0, 4), second)]);
    assert!(foreseen(&cells, DARK, (3, 2)).is_some_and(|it| it.contains("112221")), "left as well as right");
    let third = "221111\n111111\n111221\n111111\n221111\n111121";
    let clicks = [(DARK, (0, 0), first), (first, (0, 4), second), (second, (3, 2), third)];
    assert!(
        foreseen(&taught(DARK, &clicks), DARK, (3, 2)).is_some_and(|it| it.contains("111221")),
        "until it does not"
    );
}

const DOT: &str = "111111\n121111\n111111\n111111\n111111\n111111";
const DOTS: &str = "111111\n121111\n111111\n111211\n111111\n111111";

/// A model that saw two cells turned and then a key that led from one world to another.
fn shifted(key: Key, before: &str, after: &str) -> Cells {
    let none = "111111\n111111\n111111\n111111\n111111\n111111";
    let mut cells = taught(none, &[(none, (1, 1), DOT), (DOT, (3, 3), DOTS)]);
    press(&mut cells, key, before, after);
    cells
}

fn press(cells: &mut Cells, key: Key, before: &str, after: &str) {
    let (before, layers) = (drawn(before), [drawn(after)]);
    let step = Transition { before: &before, action: Action::Key(key), layers: &layers, outcome: Outcome::Continues };
    cells.observe(&step, &InterfaceMask::new());
}

#[test]
fn keys_that_move_all_colors_are_learned() {
    let right = "111111\n112111\n111111\n111121\n111111\n111111";
    let cells = shifted(Key::Key1, DOTS, right);
    assert_eq!(cells.shifts().collect::<Vec<_>>(), [(Key::Key1, (1, 0))], "whatever arrows mean elsewhere");
    let at_edge = cells.read(&drawn("111112\n111111\n111111\n111111\n111111\n111111")).unwrap();
    let came_back = cells.read(&drawn("211111\n111111\n111111\n111111\n111111\n111111"));
    assert_eq!(cells.shift(&at_edge, Key::Key1), came_back);
    assert_eq!(cells.shift(&at_edge, Key::Key2), None);
}

#[test]
fn a_key_that_could_have_moved_them_either_way_is_taken_for_the_usual_arrow_until_it_is_none() {
    let (before, after) =
        ("211111\n121111\n112111\n111211\n111121\n111112", "121111\n112111\n111211\n111121\n111112\n211111");
    let mut cells = shifted(Key::Key4, before, after);
    assert_eq!(cells.shifts().collect::<Vec<_>>(), [(Key::Key4, (1, 0))], "up would look the same");
    assert_eq!(shifted(Key::Key2, before, after).shifts().count(), 0, "down would not");
    press(&mut cells, Key::Key4, DOTS, DOT);
    assert_eq!(cells.shifts().count(), 0);
}

/// Two blocks of cells that do not lie on one lattice, three cells apart from row to row.
fn side_by_side(left: &str, right: &str) -> Grid {
    let mut grid = Grid::filled(64, 64, Color::of(9));
    for (start, world) in [(4, left), (36, right)] {
        let world: Grid = world.parse().unwrap();
        for point in world.points() {
            let (left, top) = (start + 7 * point.x(), 18 + 7 * point.y());
            for (x, y) in (0..6).flat_map(|y| (0..6).map(move |x| (x, y))) {
                grid.set(Point::new(left + x, top + y).unwrap(), world[point]);
            }
        }
    }
    grid
}

#[test]
fn of_two_boards_that_look_alike_the_one_that_answers_is_meant() {
    let (mut cells, mask) = (Cells::default(), InterfaceMask::new());
    let click = |cells: &mut Cells, before: &Grid, at: (u8, u8), after: Grid| {
        let (action, layers) = (Action::Click(Point::new(at.0, at.1).unwrap()), [after]);
        cells.observe(&Transition { before, action, layers: &layers, outcome: Outcome::Continues }, &mask);
    };
    let first = side_by_side("11\n11", "12\n21");
    cells.begin(&first, &mask, Start::Level);
    click(&mut cells, &first, (6, 20), side_by_side("21\n11", "12\n21"));
    let next = side_by_side("111\n111\n111", "121\n111\n212");
    cells.begin(&next, &mask, Start::Level);
    let has = |cells: &Cells| cells.board().is_some_and(|it| it.cell_at(Point::new(6, 20).unwrap()).is_some());
    assert!(!has(&cells), "the picture is taken for it at first");
    click(&mut cells, &next, (13, 27), side_by_side("111\n121\n111", "121\n111\n212"));
    assert!(has(&cells), "{:?}", cells.board());
}

#[test]
fn what_looked_like_the_clicked_cell_answers_wherever_it_is() {
    let shut = "111111\n131111\n111111\n111131\n111111\n311111";
    let open = "111111\n121111\n111111\n111121\n111111\n211111";
    let cells = taught(shut, &[(shut, (1, 1), open), (open, (1, 1), shut)]);
    assert_eq!(foreseen(&cells, shut, (4, 3)).as_deref(), Some(open), "as a stencil it would reach beyond the board");
    assert_eq!(foreseen(&cells, open, (0, 5)).as_deref(), Some(shut));
}
