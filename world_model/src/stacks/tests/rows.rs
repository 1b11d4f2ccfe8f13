use super::*;
use crate::Bounds;

/// How drawn pieces look, on five by five cells.
const CROSS: [&str; 5] = ["##.##", "#####", ".###.", "#####", "##.##"];
const GEM: [&str; 5] = ["..#..", ".###.", "##.##", ".###.", "..#.."];

/// A skewer: where the inner end of its steel is, which way that goes, how many pieces it has room for, its colour, and those on it.
type Skewer = ((i16, i16), (i16, i16), i16, u8, &'static str);

/// Lying, leaning the other way, standing and hanging ones, with grips of colour 13 at their feet.
const FIRST: [Skewer; 4] = [
    ((6, 5), (1, 0), 3, 1, "ab"),
    ((40, 14), (-1, 0), 3, 1, "baa"),
    ((10, 58), (0, -1), 4, 1, "aab"),
    ((54, 6), (0, 1), 4, 1, "a"),
];

/// The frame, drawn this many times as large.
fn frame(skewers: &[Skewer], scale: i16, held: Option<char>) -> Grid {
    let mut frame = Grid::filled(64, 64, Color::of(5));
    let mut fill = |x: i16, y: i16, color: u8| {
        let cells = (0..scale).flat_map(|dy| (0..scale).map(move |dx| (x * scale + dx, y * scale + dy)));
        cells.filter_map(|(x, y)| Point::new(x, y).ok()).for_each(|at| frame.set(at, Color::of(color)));
    };
    (0..64).step_by(4).for_each(|y| (0..64).for_each(|x| fill(x, y, 4)));
    // A fork, which is of one colour with the end of a skewer that it touches.
    (3..10).for_each(|y| [26, 32].into_iter().for_each(|x| fill(x, y, 1)));
    (26..33).for_each(|x| fill(x, 9, 1));
    let draw = |(x, y): (i16, i16), piece: char, fill: &mut dyn FnMut(i16, i16, u8)| {
        let (rows, color) = if piece == 'a' { (CROSS, 8) } else { (GEM, 14) };
        for (dy, row) in rows.iter().enumerate() {
            for (dx, _) in row.bytes().enumerate().filter(|it| it.1 == b'#') {
                fill(x - 2 + dx as i16, y - 2 + dy as i16, color);
            }
        }
    };
    for ((x, y), (dx, dy), room, color, pieces) in skewers {
        (0..room * 6 + 2).for_each(|far| fill(x + dx * far, y + dy * far, *color));
        for (far, aside) in (1..4).flat_map(|far| (-1..2).map(move |aside| (far, aside))) {
            fill(x - dx * far + dy * aside, y - dy * far + dx * aside, 13);
        }
        for (index, piece) in pieces.chars().enumerate() {
            let far = 3 + 6 * index as i16;
            draw((x + dx * far, y + dy * far), piece, &mut fill);
        }
    }
    if let Some(piece) = held {
        draw((30, 30), piece, &mut fill);
    }
    frame
}

fn with(skewers: &[Skewer], pieces: &[&'static str]) -> Vec<Skewer> {
    skewers.iter().zip(pieces).map(|(it, pieces)| (it.0, it.1, it.2, it.3, *pieces)).collect()
}

fn click(x: u8, y: u8) -> Action {
    Action::Click(Point::new(x, y).unwrap())
}

fn text(model: &Stacks) -> String {
    let stack =
        |it: Vec<Tile>| it.iter().map(|it| if it.color == Color::of(8) { 'a' } else { 'b' }).collect::<String>();
    let stacks: Vec<String> = model.layout().unwrap_or_default().into_iter().map(stack).collect();
    stacks.join(" ")
}

/// The piece at the end of the second skewer was laid on the third; stacks are told from the left to the right.
fn taught() -> Stacks {
    let mut model = Stacks::default();
    let steps = [
        (click(38, 14), frame(&with(&FIRST, &["ab", "ba", "aab", "a"]), 1, Some('a'))),
        (click(10, 55), frame(&with(&FIRST, &["ab", "ba", "aaba", "a"]), 1, None)),
    ];
    play(&mut model, frame(&FIRST, 1, None), &steps);
    model
}

#[test]
fn a_drawn_piece_that_went_elsewhere_tells_of_stacks_in_all_directions() {
    let model = taught();
    assert!(model.is_understood());
    assert_eq!(text(&model), "ab aaba ba a");
    let rooms: Vec<usize> = model.terms().iter().map(|it| it.room).collect();
    assert_eq!(rooms, [3, 4, 3, 4]);
    assert_eq!(
        [model.click(0, 2), model.click(1, 4), model.click(2, 0)],
        [Some(click(14, 5)), Some(click(10, 38)), Some(click(38, 14))]
    );
}

#[test]
fn the_next_level_is_read_at_any_scale_with_full_and_empty_ones_of_other_colors() {
    let mut model = taught();
    let next: [Skewer; 4] = [
        ((5, 4), (1, 0), 2, 1, "ab"),
        ((25, 12), (-1, 0), 3, 9, "abb"),
        ((5, 19), (1, 0), 3, 1, ""),
        ((25, 27), (-1, 0), 3, 9, "a"),
    ];
    model.begin(&frame(&next, 2, None), &InterfaceMask::new(), Start::Level);
    assert_eq!(text(&model), "ab  abb a");
    let rooms: Vec<usize> = model.terms().iter().map(|it| it.room).collect();
    assert_eq!(rooms, [2, 3, 3, 3]);
}

#[test]
fn what_took_another_kind_takes_all_and_what_refused_one_is_choosy() {
    let mut model = taught();
    assert!(model.terms().iter().all(|it| it.is_choosy == Some(false)));
    let mut next = FIRST;
    (next[2].3, next[3].3) = (9, 9);
    let held = frame(&with(&next, &["ab", "baa", "aa", "a"]), 1, Some('b'));
    play(&mut model, frame(&next, 1, None), &[(click(10, 43), held.clone()), (click(54, 9), held)]);
    let rules: Vec<Option<bool>> = model.terms().iter().map(|it| it.is_choosy).collect();
    assert_eq!(rules, [Some(false), Some(true), Some(false), Some(true)]);
    assert_eq!(model.lay_back(), Some(click(10, 43)), "it is still held, from where it was");
}

#[test]
fn what_refused_its_like_or_was_bare_has_no_room() {
    let mut model = taught();
    let held = frame(&with(&FIRST, &["ab", "ba", "aab", "a"]), 1, Some('a'));
    play(&mut model, frame(&FIRST, 1, None), &[(click(26, 14), held.clone()), (click(54, 9), held)]);
    let rooms: Vec<usize> = model.terms().iter().map(|it| it.room).collect();
    assert_eq!(rooms, [3, 4, 3, 1]);
}

#[test]
fn two_that_change_places_are_no_stacks() {
    let mut model = Stacks::default();
    let mut marked = frame(&FIRST, 1, None);
    marked.set(Point::new(0, 0).unwrap(), Color::of(1));
    let after = frame(&with(&FIRST, &["aa", "bab", "aab", "a"]), 1, None);
    play(&mut model, frame(&FIRST, 1, None), &[(click(15, 5), marked), (click(26, 14), after)]);
    assert!(!model.is_understood());
}

#[test]
fn cells_that_looked_like_an_interface_are_part_of_holders() {
    let (mut model, mut mask) = (taught(), InterfaceMask::new());
    mask.hide_all(Bounds { left: 50, top: 12, right: 58, bottom: 20 });
    model.begin(&frame(&with(&FIRST, &["ab", "b", "aab", "aa"]), 1, None), &mask, Start::Level);
    assert_eq!((text(&model).as_str(), model.terms()[3].room), ("ab aab b aa", 4));
}
