use super::*;
use crate::Outcome;

/// Crosses five cells wide at these places in these colours, on ground 0 with a line of 3 down the middle.
fn drawn(things: &[(u8, u8, u8)], more: &[(u8, u8, u8)]) -> Grid {
    let mut frame = Grid::filled(40, 40, Color::of(0));
    let mut dot = |x: u8, y: u8, color: u8| frame.set(Point::new(x, y).unwrap(), Color::of(color));
    for y in 0..40 {
        dot(20, y, 3);
    }
    for (left, top, color) in things {
        for by in 0..5 {
            dot(left + by, top + 2, *color);
            dot(left + 2, top + by, *color);
        }
    }
    for (x, y, color) in more {
        dot(*x, *y, *color);
    }
    frame
}

fn click(x: u8, y: u8) -> Action {
    Action::Click(Point::new(x + 2, y + 2).unwrap())
}

fn show(model: &mut Trades, before: &Grid, action: Action, after: &Grid) {
    let layers = std::slice::from_ref(after);
    let step = Transition { before, action, layers, outcome: Outcome::Continues };
    model.observe(&step, &InterfaceMask::new());
}

/// Three on the left and two on the right, with the images of two of them, before and after the first and the last change places.
const FIRST: [(u8, u8, u8); 5] = [(3, 4, 7), (11, 14, 8), (3, 25, 7), (33, 4, 8), (33, 25, 9)];
const THEN: [(u8, u8, u8); 5] = [(3, 4, 8), (11, 14, 8), (3, 25, 7), (33, 4, 7), (33, 25, 9)];

fn taught() -> (Trades, Grid) {
    let (mut model, mark) = (Trades::default(), [(3, 3, 5)]);
    let frames = [drawn(&FIRST, &[]), drawn(&FIRST, &mark), drawn(&THEN, &[])];
    model.begin(&frames[0], &InterfaceMask::new(), Start::Level);
    show(&mut model, &frames[0], click(3, 4), &frames[1]);
    assert_eq!(model.second(&InterfaceMask::new()), Some(click(33, 4)), "the first of its size in another colour");
    show(&mut model, &frames[1], click(33, 4), &frames[2]);
    (model, frames[2].clone())
}

#[test]
fn things_of_one_size_and_the_images_of_their_places_are_seats() {
    let (model, _) = taught();
    let now = model.read().unwrap();
    assert_eq!((now.len(), now.iter().filter(|it| **it == BARE).count()), (6, 1));
    let groups = model.groups().unwrap();
    assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 2]);
    let alike = groups.iter().filter(|it| now[it[0]] == now[it[1]]).count();
    assert_eq!(alike, 0, "all are wrong after it");
}

#[test]
fn while_one_is_chosen_its_mark_is_left_out_and_a_click_puts_it_back() {
    let (mut model, now) = taught();
    let mut marked = now.clone();
    marked.set(Point::new(3, 3).unwrap(), Color::of(5));
    let things = model.read();
    show(&mut model, &now, click(3, 4), &marked);
    assert_eq!((model.read(), model.put_back()), (things.clone(), Some(click(3, 4))));
    show(&mut model, &marked, click(3, 4), &now);
    assert_eq!((model.read(), model.put_back()), (things, None));
}

#[test]
fn what_gives_no_answer_is_pegged_and_so_is_what_looks_like_it_around() {
    let (mut model, _) = taught();
    let pegged = drawn(&THEN, &[(2, 3, 6), (32, 24, 6)]);
    model.begin(&pegged, &InterfaceMask::new(), Start::Level);
    assert_eq!(model.held(), [false; 6]);
    show(&mut model, &pegged, click(3, 4), &pegged);
    assert_eq!(model.held().iter().filter(|it| **it).count(), 2);
}

#[test]
fn things_of_another_scale_are_found_again() {
    let (mut model, _) = taught();
    let next = drawn(&[(2, 2, 7), (10, 2, 8), (2, 12, 9)], &[]);
    let mut twice = Grid::filled(64, 64, Color::of(0));
    twice.points().for_each(|at| twice.set(at, next[Point::new(at.x() / 2, at.y() / 2).unwrap()]));
    model.begin(&twice, &InterfaceMask::new(), Start::Level);
    assert_eq!(model.seats.as_ref().map(Seats::size), Some((10, 10)));
}

#[test]
fn lines_from_corner_to_corner_are_seen() {
    let mut frame = Grid::filled(40, 40, Color::of(0));
    (0..40).for_each(|it| frame.set(Point::new(it, it).unwrap(), Color::of(3)));
    for (left, top, color) in [(4, 14, 7), (14, 4, 8), (20, 28, 9), (28, 20, 9), (30, 30, 7)] {
        let cells = Bounds { left, top, right: left + 4, bottom: top + 4 };
        cells.points().for_each(|at| frame.set(at, Color::of(color)));
    }
    let seats = Seats::find(&frame, &InterfaceMask::new(), (5, 5)).unwrap();
    assert_eq!(seats.groups().unwrap().iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1]);
}

#[test]
fn a_piece_of_a_line_that_is_as_large_as_things_is_none() {
    let mut frame = drawn(&[(3, 4, 7), (11, 14, 8), (33, 4, 8)], &[]);
    // Over the lower arm of one of the crosses.
    (0..5).for_each(|by| frame.set(Point::new(14 + by, 16 + by).unwrap(), Color::of(6)));
    (0..4).for_each(|by| frame.set(Point::new(14 + by, 17 + by).unwrap(), Color::of(6)));
    let seats = Seats::find(&frame, &InterfaceMask::new(), (5, 5)).unwrap();
    assert_eq!(seats.read(&frame).iter().filter(|it| **it != BARE).count(), 3);
}

#[test]
fn a_click_that_was_to_put_back_and_did_something_else_ends_the_choice() {
    let (mut model, now) = taught();
    let [marked, other] = [[(3, 3, 5)], [(9, 9, 6)]].map(|more| drawn(&THEN, &more));
    show(&mut model, &now, click(3, 4), &marked);
    show(&mut model, &marked, click(3, 4), &other);
    assert_eq!(model.put_back(), None);
}
