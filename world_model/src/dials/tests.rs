use env_client::Color;

use super::*;

/// Dials of four pictures: a pointer of 7 in a square of 2, and a lamp that is 3 where the pointer stands as it should and
/// 8 elsewhere; and a latch in between, which is 5 or 6.
struct World {
    pointers: [usize; 2],
    wanted: [usize; 2],
    is_joined: bool,
}

const HANDS: [(u8, u8); 4] = [(2, 0), (4, 2), (2, 4), (0, 2)];

impl World {
    fn frame(&self) -> Grid {
        let mut frame = Grid::filled(64, 64, Color::of(0));
        let mut block = |left: u8, top: u8, side: u8, color: u8| {
            for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
                frame.set(Point::new(left + x, top + y).unwrap(), Color::of(color));
            }
        };
        for (dial, left) in [10, 40].into_iter().enumerate() {
            block(left, 10, 6, 2);
            let (x, y) = HANDS[self.pointers[dial]];
            block(left + x, 10 + y, 2, 7);
            block(left + 2, 17, 2, if self.pointers[dial] == self.wanted[dial] { 3 } else { 8 });
        }
        block(27, 10, 4, if self.is_joined { 5 } else { 6 });
        frame
    }

    /// A click turns the dial on, and the other one back if they are joined.
    fn click(&mut self, x: u8) {
        if (27..31).contains(&x) {
            self.is_joined ^= true;
            return;
        }
        let dial = usize::from(x > 30);
        self.pointers[dial] = (self.pointers[dial] + 1) % 4;
        self.pointers[1 - dial] = (self.pointers[1 - dial] + if self.is_joined { 3 } else { 0 }) % 4;
    }
}

fn at(x: u8) -> Point {
    Point::new(x, 12).unwrap()
}

const LEFT: u8 = 12;
const RIGHT: u8 = 42;
const LATCH: u8 = 28;

/// What is known after these clicks.
fn play(world: &mut World, clicks: &[u8]) -> Dials {
    let mut dials = Dials::default();
    dials.begin(Start::Level);
    for x in clicks {
        let before = world.frame();
        world.click(*x);
        let layers = [world.frame()];
        let step =
            Transition { before: &before, action: Action::Click(at(*x)), layers: &layers, outcome: Outcome::Continues };
        assert!(dials.observe(&step, &InterfaceMask::new()));
    }
    dials
}

fn world(is_joined: bool) -> World {
    World { pointers: [0, 0], wanted: [2, 3], is_joined }
}

/// The frame that a click is foreseen to lead to.
fn foreseen(dials: &Dials, world: &World, x: u8) -> Option<Grid> {
    let frame = world.frame();
    Some(dials.draw(&frame, &dials.after(at(x), &dials.read(&frame))?))
}

#[test]
fn a_lamp_is_told_by_a_color_that_one_of_three_pictures_alone_shows() {
    let mut it = world(false);
    assert!(
        !play(&mut it, &[LEFT, RIGHT, RIGHT]).are_known(),
        "the left one shows two pictures, the right one no lamp"
    );
    let dials = play(&mut world(false), &[LEFT, RIGHT, LEFT]);
    assert!(dials.are_known());
    let mut it = world(false);
    let dials = play(&mut it, &[LEFT, LEFT, LEFT, LEFT, LEFT, LEFT, RIGHT, RIGHT]);
    assert!(dials.teaches(at(RIGHT), &dials.read(&it.frame())));
    let dials = play(&mut world(false), &[LEFT, LEFT, RIGHT, RIGHT, RIGHT]);
    it.click(RIGHT);
    assert!(dials.is_lit(&dials.read(&it.frame())));
    it.click(LEFT);
    assert!(!dials.is_lit(&dials.read(&it.frame())));
}

#[test]
fn what_turns_back_with_another_click_is_foreseen_in_both_senses() {
    let mut it = world(true);
    let dials = play(&mut it, &[LEFT, LEFT, RIGHT, LEFT]);
    let before = it.frame();
    it.click(RIGHT);
    let frame = it.frame();
    it.click(RIGHT);
    assert_eq!(dials.read(&frame).len(), 2);
    it = world(true);
    play(&mut it, &[LEFT, LEFT, RIGHT, LEFT]);
    assert_eq!(it.frame(), before);
    assert_eq!(foreseen(&dials, &it, RIGHT), Some(frame), "it undoes what the left one did");
}

#[test]
fn a_round_that_closed_tells_where_others_close() {
    let mut it = world(false);
    let dials = play(&mut it, &[LEFT, LEFT, LEFT, LEFT, RIGHT, RIGHT, RIGHT]);
    let before = World { ..it };
    let seen = foreseen(&dials, &before, RIGHT);
    let mut it = before;
    it.click(RIGHT);
    assert_eq!(seen, Some(it.frame()));
}

#[test]
fn a_latch_tells_whether_a_click_turns_another_dial() {
    let mut it = world(true);
    let dials = play(&mut it, &[LEFT, LEFT, LEFT, LEFT, LATCH, LEFT, RIGHT, LATCH]);
    let joined = foreseen(&dials, &it, LEFT);
    it.click(LATCH);
    let free = foreseen(&dials, &it, LEFT);
    it.click(LEFT);
    assert_eq!(free, Some(it.frame()));
    let mut it = world(true);
    play(&mut it, &[LEFT, LEFT, LEFT, LEFT, LATCH, LEFT, RIGHT, LATCH, LEFT]);
    assert_eq!(joined, Some(it.frame()));
}

#[test]
fn a_click_while_a_latch_is_as_it_never_was_then_is_news() {
    let mut it = world(true);
    let dials = play(&mut it, &[LEFT, LEFT, RIGHT, LATCH]);
    let now = dials.read(&it.frame());
    assert!(dials.is_news(at(LEFT), &now));
    it.click(LATCH);
    assert!(!dials.is_news(at(LEFT), &dials.read(&it.frame())));
}

/// Whether a level that a click on the left dial solves, after these, proves the colour of lamps.
fn proves(clicks: &[u8]) -> bool {
    let mut it = world(false);
    let mut dials = play(&mut it, clicks);
    let frame = it.frame();
    let step = Transition { before: &frame, action: Action::Click(at(LEFT)), layers: &[], outcome: Outcome::Solved };
    dials.observe(&step, &InterfaceMask::new());
    dials.begin(Start::Level);
    dials.is_proven()
}

#[test]
fn lamps_are_proven_by_a_level_that_was_solved_when_all_were_on() {
    assert!(proves(&[LEFT, RIGHT, RIGHT, RIGHT]), "the right one is lit, nobody knows when the left one is");
    assert!(!proves(&[LEFT, RIGHT, RIGHT, RIGHT, RIGHT]), "the right one is not lit any more");
    assert!(proves(&[LEFT, LEFT, LEFT, LEFT, RIGHT, RIGHT, RIGHT, LEFT]), "both are foreseen to be");
}

#[test]
fn what_has_several_colors_in_other_pictures_is_no_lamp() {
    let shade = |color: u8| {
        let mut frame = Grid::filled(64, 64, Color::of(0));
        for (x, y) in (0..4).flat_map(|y| (0..4).map(move |x| (x, y))) {
            frame.set(Point::new(10 + x, 10 + y).unwrap(), Color::of(if x < 2 { color } else { 1 + color % 2 }));
        }
        frame
    };
    let lamps = |shades: [u8; 3]| {
        let mut dials = Dials::default();
        for pair in shades.map(shade).windows(2) {
            let layers = [pair[1].clone()];
            let action = Action::Click(at(11));
            let step = Transition { before: &pair[0], action, layers: &layers, outcome: Outcome::Continues };
            dials.observe(&step, &InterfaceMask::new());
        }
        dials.lamp.is_some()
    };
    assert!(!lamps([1, 2, 3]));
}

/// Flowers of three pictures in which a heart of 3 opens between petals of 7, where there was ground or petals before.
fn flowers(shown: [u8; 2]) -> Grid {
    let mut frame = Grid::filled(64, 64, Color::of(0));
    for (left, picture) in [10, 40].into_iter().zip(shown) {
        for (x, y) in (0..6).flat_map(|y| (0..6).map(move |x| (x, y))) {
            let color = match (picture, x, y) {
                (2, 2 | 3, 1 | 2) => 3,
                (0, 2..4, 3..) | (1, 1..5, 2..) | (2, _, 2 | 3) => 7,
                _ => 0,
            };
            frame.set(Point::new(left + x, 10 + y).unwrap(), Color::of(color));
        }
    }
    frame
}

/// What is known after the flowers at these places were taken on from buds.
fn grown(clicks: &[usize]) -> Dials {
    let (mut dials, mut shown) = (Dials::default(), [0, 0]);
    for flower in clicks {
        let before = flowers(shown);
        shown[*flower] = (shown[*flower] + 1) % 3;
        let (layers, action) = ([flowers(shown)], Action::Click(at(if *flower == 0 { LEFT } else { RIGHT })));
        let step = Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues };
        dials.observe(&step, &InterfaceMask::new());
    }
    dials
}

#[test]
fn a_color_that_goes_on_in_several_parts_tells_although_no_lamp_has_it() {
    assert_eq!(grown(&[0, 0, 0]).lamp, None, "one alone may be anything");
    let dials = grown(&[0, 0, 0, 1, 1, 1]);
    assert_eq!(dials.lamp, Some(Color::of(3)));
    assert!(dials.is_lit(&dials.read(&flowers([2, 2]))));
    assert!(!dials.is_lit(&dials.read(&flowers([2, 1]))));
}
