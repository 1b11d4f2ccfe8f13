use env_client::Color;

use super::*;

/// Tiles of the floor, five cells wide with a seam; a block of one tile by two stands or lies on it and rolls over its edges.
/// Off the floor it is put back.
struct Floor {
    block: Vec<(i16, i16)>,
    /// Whether the tile of another colour bears the block only while it lies.
    is_weak: bool,
    /// Whether something lies in the way that shows a little of that colour too.
    has_post: bool,
}

const WIDTH: i16 = 5;
const HEIGHT: i16 = 4;
const TILE: i16 = 5;
const START: (i16, i16) = (1, 1);
/// A tile of another colour.
const HOLE: (i16, i16) = (4, 3);
const POST: (i16, i16) = (0, 3);

impl Floor {
    fn new() -> Floor {
        Floor { block: vec![START], is_weak: false, has_post: false }
    }

    fn frame(&self) -> Grid {
        let mut frame = Grid::filled(40, 40, Color::of(0));
        let mut square = |(x, y): (i16, i16), margin: i16, color: u8| {
            let cells = (margin..TILE - 1 - margin).flat_map(|dy| (margin..TILE - 1 - margin).map(move |dx| (dx, dy)));
            cells.for_each(|(dx, dy)| {
                frame.set(Point::new(10 + TILE * x + dx, 10 + TILE * y + dy).unwrap(), Color::of(color));
            });
        };
        (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))).for_each(|tile| square(tile, 0, 2));
        square(HOLE, 0, 14);
        if self.has_post {
            square(POST, 0, 9);
        }
        let color = if self.block.len() == 1 { 8 } else { 12 };
        self.block.iter().for_each(|tile| square(*tile, 1, color));
        if self.has_post {
            frame.set(Point::new(10 + TILE * POST.0 + 1, 10 + TILE * POST.1 + 1).unwrap(), Color::of(14));
        }
        frame
    }

    fn roll(&mut self, (dx, dy): (i16, i16)) {
        let along = |it: &(i16, i16)| it.0 * dx + it.1 * dy;
        let first = *self.block.iter().max_by_key(|it| along(it)).unwrap();
        let lies_along = self.block.len() == 2 && along(&self.block[0]) != along(&self.block[1]);
        let next: Vec<(i16, i16)> = match self.block.len() {
            1 => vec![(first.0 + dx, first.1 + dy), (first.0 + 2 * dx, first.1 + 2 * dy)],
            _ if lies_along => vec![(first.0 + dx, first.1 + dy)],
            _ => self.block.iter().map(|it| (it.0 + dx, it.1 + dy)).collect(),
        };
        let holds = next.iter().all(|(x, y)| (0..WIDTH).contains(x) && (0..HEIGHT).contains(y));
        let sinks = self.is_weak && next == [HOLE];
        let hits = self.has_post && next.contains(&POST);
        self.block = if holds && !sinks && !hits { next } else { vec![START] };
    }
}

const WAYS: [(Key, (i16, i16)); 4] =
    [(Key::Key1, (0, -1)), (Key::Key2, (0, 1)), (Key::Key3, (-1, 0)), (Key::Key4, (1, 0))];

fn press(model: &mut Tumblers, floor: &mut Floor, key: Key) {
    let before = floor.frame();
    floor.roll(WAYS.into_iter().find(|it| it.0 == key).unwrap().1);
    let layers = [floor.frame()];
    let step = Transition { before: &before, action: Action::Key(key), layers: &layers, outcome: Outcome::Continues };
    model.observe(&step, &InterfaceMask::new());
}

/// A model that saw the block stand up and lie down both ways.
fn taught() -> (Tumblers, Floor) {
    use Key::{Key1 as Up, Key2 as Down, Key3 as Left, Key4 as Right};
    let (mut model, mut floor) = (Tumblers::default(), Floor::new());
    model.begin(&floor.frame(), Start::Level);
    for key in [Right, Left, Down, Up, Right, Down, Up, Left] {
        press(&mut model, &mut floor, key);
    }
    (model, floor)
}

#[test]
fn a_block_that_rolls_is_understood_by_a_few_steps() {
    let (model, floor) = taught();
    assert_eq!(floor.block, [START]);
    assert!(model.is_understood());
    let stand = model.stand().unwrap();
    let Way::Open(right) = model.way(stand, Key::Key4) else { panic!("it was seen") };
    assert_eq!((model.size(stand), model.size(right)), ((2, 2), (7, 2)));
    let Way::Open(up_again) = model.way(right, Key::Key4) else { panic!("it is the mirror image of what was seen") };
    assert_eq!((up_again.form, up_again.at), (stand.form, (stand.at.0 + 3 * TILE, stand.at.1)));
}

#[test]
fn what_goes_for_one_axis_goes_for_the_other() {
    let (mut model, mut floor) = (Tumblers::default(), Floor::new());
    model.begin(&floor.frame(), Start::Level);
    press(&mut model, &mut floor, Key::Key4);
    press(&mut model, &mut floor, Key::Key3);
    let stand = model.stand().unwrap();
    let (Way::Open(down) | Way::Dared(down)) = model.way(stand, Key::Key2) else {
        panic!("it follows from what was seen")
    };
    assert_eq!((model.size(down), down.at), ((2, 7), (stand.at.0, stand.at.1 + TILE)));
}

#[test]
fn what_it_cannot_stand_on_is_known_by_its_colour() {
    let (mut model, mut floor) = taught();
    let from = model.stand().unwrap();
    assert!(matches!(model.way(from, Key::Key1), Way::Dared(_)), "nobody knows what lies beside the floor");
    press(&mut model, &mut floor, Key::Key1);
    assert_eq!((model.stand(), model.way(from, Key::Key1)), (Some(from), Way::Closed));
    assert_eq!(model.way(from, Key::Key3), Way::Closed, "there is no floor either");
}

#[test]
fn a_ground_may_bear_one_form_and_not_another() {
    use Key::{Key1 as Up, Key2 as Down, Key3 as Left, Key4 as Right};
    let (mut model, mut floor) = taught();
    floor.is_weak = true;
    for key in [Right, Right, Down] {
        press(&mut model, &mut floor, key);
    }
    let lies = model.stand().unwrap();
    assert_eq!(floor.block, [(4, 2), HOLE]);
    for key in [Up, Left, Down, Down, Right] {
        press(&mut model, &mut floor, key);
    }
    assert_eq!(floor.block, [START], "it sank where it stood up");
    let before = Stand { at: (lies.at.0, lies.at.1 - TILE), ..lies };
    assert_eq!(model.way(before, Down), Way::Closed, "nor can it stand up there from another side");
    assert!(matches!(model.way(before, Up), Way::Open(_)));
}

#[test]
fn a_trace_of_colour_on_what_stops_it_is_not_to_blame() {
    use Key::{Key2 as Down, Key3 as Left, Key4 as Right};
    let (mut model, mut floor) = taught();
    floor.has_post = true;
    model.begin(&floor.frame(), Start::Level);
    for key in [Down, Left] {
        press(&mut model, &mut floor, key);
    }
    assert_eq!(floor.block, [START], "the post is in the way");
    for key in [Right, Down, Down] {
        press(&mut model, &mut floor, key);
    }
    assert_eq!(floor.block, [(2, 3), (3, 3)]);
    assert!(matches!(model.way(model.stand().unwrap(), Right), Way::Dared(_)), "the hole may bear it");
}

#[test]
fn what_walks_or_stays_as_it_is_is_none() {
    let mut model = Tumblers::default();
    let frame = |x: i16| {
        let mut frame = Grid::filled(32, 8, Color::of(0));
        (0..16).for_each(|cell| frame.set(Point::new(4 * x + cell % 4, 2 + cell / 4).unwrap(), Color::of(8)));
        frame
    };
    model.begin(&frame(0), Start::Level);
    for x in 0..6 {
        let (before, layers) = (frame(x), [frame(x + 1)]);
        let action = Action::Key(Key::Key4);
        model.observe(
            &Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues },
            &InterfaceMask::new(),
        );
    }
    assert!(!model.is_understood());
}
