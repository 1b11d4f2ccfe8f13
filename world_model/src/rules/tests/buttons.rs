//! A hall with two floats, and a console of buttons each of which moves both, each float in a way of its own.

use env_client::{Action, Color, Grid, Point};

use super::{Rules, put};
use crate::{Outcome, Start, Transition, WorldModel};

/// Cells along a float and along a button.
const FLOAT: usize = 3;
const BUTTON: usize = 5;
/// Tiles of the hall along each side.
const TILES: i32 = 9;

/// By button, where the first and the second float go.
type Ways = [[(i32, i32); 2]; 4];

const WAYS: Ways = [[(1, 0), (0, 1)], [(-1, 0), (1, 0)], [(0, 1), (0, -1)], [(0, -1), (-1, 0)]];
/// The same in another level.
const OTHERS: Ways = [[(0, 1), (-1, 0)], [(0, -1), (0, 1)], [(1, 0), (1, 0)], [(-1, 0), (0, -1)]];

#[derive(Clone)]
struct Hall {
    floats: [(i32, i32); 2],
    ways: Ways,
}

impl Hall {
    fn draw(&self) -> Grid {
        let mut frame = Grid::filled(40, 40, Color::of(15));
        let mut square = |left: usize, top: usize, side: usize, color: u8| {
            (0..side * side).for_each(|at| put(&mut frame, left + at % side, top + at / side, color));
        };
        square(1, 1, FLOAT * TILES as usize, 0);
        for (float, color) in self.floats.iter().zip([8, 9]) {
            square(1 + FLOAT * float.0 as usize, 1 + FLOAT * float.1 as usize, FLOAT, color);
        }
        for button in 0..4 {
            square(1 + 8 * button, 32, BUTTON, 1);
            square(3 + 8 * button, 34, 1, 5);
        }
        frame
    }

    /// Where a button leads; floats stop at the rim and at each other.
    fn after(&self, button: usize) -> Hall {
        let mut next = self.clone();
        for (index, way) in self.ways[button].iter().enumerate() {
            let (x, y) = next.floats[index];
            let to = (x + way.0, y + way.1);
            if (0..TILES).contains(&to.0) && (0..TILES).contains(&to.1) && to != next.floats[1 - index] {
                next.floats[index] = to;
            }
        }
        next
    }
}

fn press(button: usize) -> Action {
    Action::Click(Point::new(2 + 8 * button as i16, 33).unwrap())
}

fn show(rules: &mut Rules, hall: Hall, buttons: &[usize]) -> Hall {
    buttons.iter().fold(hall, |hall, button| {
        let next = hall.after(*button);
        let (before, layers) = (hall.draw(), [next.draw()]);
        let (action, outcome) = (press(*button), Outcome::Continues);
        rules.observe(&Transition { before: &before, action, layers: &layers, outcome });
        next
    })
}

fn foresees(rules: &Rules, hall: &Hall, button: usize) -> bool {
    let next = rules.predict(&rules.state(&hall.draw()), press(button)).next;
    next.is_some_and(|it| it.frame == hall.after(button).draw())
}

#[test]
fn each_button_is_an_action_of_its_own() {
    let mut rules = Rules::new();
    let hall = Hall { floats: [(2, 2), (6, 5)], ways: WAYS };
    rules.begin(&hall.draw(), Start::Level);
    assert!(rules.choices(&rules.state(&hall.draw())).is_empty(), "nobody knows of any");
    let hall = show(&mut rules, hall, &[0]);
    let state = rules.state(&hall.draw());
    assert_eq!((rules.choices(&state).len(), rules.untried(&state).len()), (4, 3), "three others look like it");
    let hall = show(&mut rules, hall, &[1, 2, 3, 0, 2]);
    assert!(rules.untried(&rules.state(&hall.draw())).is_empty());
    assert_eq!([0, 1, 2, 3].map(|button| foresees(&rules, &hall, button)), [true; 4]);
    let next = Hall { floats: [(4, 4), (2, 6)], ways: WAYS };
    rules.begin(&next.draw(), Start::Level);
    assert_eq!([0, 1, 2, 3].map(|button| foresees(&rules, &next, button)), [true; 4], "they do the same here");
}

#[test]
fn what_buttons_did_elsewhere_is_given_up_at_the_first_surprise() {
    let mut rules = Rules::new();
    let hall = Hall { floats: [(2, 2), (6, 5)], ways: WAYS };
    rules.begin(&hall.draw(), Start::Level);
    show(&mut rules, hall, &[0, 1, 2, 3, 0, 2, 1, 3]);
    let hall = Hall { floats: [(4, 4), (2, 6)], ways: OTHERS };
    rules.begin(&hall.draw(), Start::Level);
    let hall = show(&mut rules, hall, &[0]);
    assert_eq!(rules.untried(&rules.state(&hall.draw())).len(), 3, "all but the one that was pressed");
    let hall = show(&mut rules, hall, &[1, 2, 3]);
    assert_eq!([0, 1, 2, 3].map(|button| foresees(&rules, &hall, button)), [true; 4]);
    rules.begin(&hall.draw(), Start::Again);
    assert!(rules.untried(&rules.state(&hall.draw())).is_empty(), "the level is the same");
}

#[test]
fn where_everything_answers_there_are_no_buttons_but_a_board() {
    let mut rules = Rules::new();
    let mut frame = Grid::filled(40, 40, Color::of(0));
    (0..16).for_each(|index| put(&mut frame, 2 + 2 * index, 30, 3));
    put(&mut frame, 4, 4, 8);
    rules.begin(&frame, Start::Level);
    for index in 0..16 {
        let mut after = frame.clone();
        let (from, to) = (4 + index, 5 + index);
        put(&mut after, from, 4, 0);
        put(&mut after, to, 4, 8);
        let action = Action::Click(Point::new(2 + 2 * index as i16, 30).unwrap());
        let layers = [after.clone()];
        rules.observe(&Transition { before: &frame, action, layers: &layers, outcome: Outcome::Continues });
        frame = after;
    }
    assert!(rules.choices(&rules.state(&frame)).is_empty());
}

#[test]
fn what_was_pressed_in_vain_is_pressed_again_from_elsewhere() {
    let mut rules = Rules::new();
    let hall = Hall { floats: [(8, 4), (4, 8)], ways: WAYS };
    rules.begin(&hall.draw(), Start::Level);
    let hall = show(&mut rules, hall, &[3]);
    let open = |rules: &Rules, hall: &Hall| rules.untried(&rules.state(&hall.draw())).len();
    assert_eq!(open(&rules, &hall), 3);
    let hall = show(&mut rules, hall, &[0]);
    assert_eq!((hall.floats, open(&rules, &hall)), ([(8, 3), (3, 8)], 2), "the rim stopped both floats");
    let hall = show(&mut rules, hall, &[1]);
    assert_eq!((hall.floats, open(&rules, &hall)), ([(7, 3), (4, 8)], 2), "the one in vain, and one never pressed");
    let hall = show(&mut rules, hall, &[0]);
    assert_eq!((hall.floats, open(&rules, &hall)), ([(8, 3), (4, 8)], 1));
}

#[test]
fn a_press_in_vain_in_the_same_place_is_no_other_try() {
    let mut rules = Rules::new();
    let hall = Hall { floats: [(8, 4), (4, 8)], ways: WAYS };
    rules.begin(&hall.draw(), Start::Level);
    let hall = show(&mut rules, hall, &[3, 0, 0, 0, 0, 1]);
    assert_eq!(hall.floats, [(7, 3), (4, 8)]);
    assert_eq!(rules.untried(&rules.state(&hall.draw())).len(), 2, "the first one may do something from here");
}
