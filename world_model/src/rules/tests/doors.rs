//! A hall with doors: who has a door's colour, or holds something of it, opens it, and what is held goes where its holder goes.

use env_client::{Action, Color, Grid, Key};

use super::{Rules, put};
use crate::{Outcome, Start, Transition, WorldModel};

const STEP: usize = 4;
const WALL: u8 = 5;
const HOLDER: u8 = 1;
const RIGHT: Action = Action::Key(Key::Key4);
const LEFT: Action = Action::Key(Key::Key3);

/// One row of tiles: where the holder is, the colour of the key in its hand, the doors by their colours, and a coin that lies
/// where only the key comes over it.
#[derive(Clone)]
struct Hall {
    holder: usize,
    key: u8,
    doors: Vec<(usize, u8)>,
    coin: Option<usize>,
}

impl Hall {
    const TILES: usize = 10;

    fn draw(&self) -> Grid {
        let size = |tiles: usize| (STEP * (tiles + 2)) as u8;
        let mut frame = Grid::filled(size(Hall::TILES), size(1), Color::of(WALL));
        let mut tile = |column: usize, picture: [&str; STEP], color: u8| {
            for (y, row) in picture.iter().enumerate() {
                let inked = row.bytes().enumerate().filter(|(_, cell)| *cell == b'#');
                inked.for_each(|(x, _)| put(&mut frame, STEP * (column + 1) + x, STEP + y, color));
            }
        };
        (0..Hall::TILES).for_each(|column| tile(column, ["####"; STEP], 0));
        self.doors.iter().for_each(|(column, color)| tile(*column, ["####", "#..#", "#..#", "####"], *color));
        self.coin.into_iter().for_each(|column| tile(column, ["....", "##..", "....", "...."], 7));
        tile(self.holder, ["..##", "..##", "####", "..##"], HOLDER);
        tile(self.holder, ["##..", "##..", "....", "...."], self.key);
        frame
    }

    /// Goes on where nothing is; a door opens to its colour and is otherwise a wall.
    fn after(&self, action: Action) -> Hall {
        let mut next = self.clone();
        let to = if action == RIGHT { self.holder + 1 } else { self.holder.wrapping_sub(1) };
        match self.doors.iter().position(|(column, _)| *column == to) {
            Some(door) if [HOLDER, self.key].contains(&self.doors[door].1) => _ = next.doors.remove(door),
            None if to < Hall::TILES => next.holder = to,
            _ => {}
        }
        next
    }
}

/// Shows rules a hall and what these actions do there.
fn show(rules: &mut Rules, mut hall: Hall, actions: &[Action]) -> Hall {
    rules.begin(&hall.draw(), Start::Level);
    for action in actions {
        let next = hall.after(*action);
        let (before, layers) = (hall.draw(), [next.draw()]);
        rules.observe(&Transition { before: &before, action: *action, layers: &layers, outcome: Outcome::Continues });
        hall = next;
    }
    hall
}

fn expected(rules: &Rules, hall: &Hall, action: Action) -> Option<Grid> {
    rules.predict(&rules.state(&hall.draw()), action).next.map(|it| it.frame)
}

#[test]
fn a_door_opens_to_the_key_of_its_color_whatever_that_is() {
    let mut rules = Rules::new();
    let there_and_back = [RIGHT, LEFT, RIGHT, RIGHT, RIGHT, LEFT, RIGHT, RIGHT, RIGHT, RIGHT, RIGHT, LEFT];
    let hall = Hall { holder: 2, key: 8, doors: vec![(5, 8), (8, 9)], coin: None };
    show(&mut rules, hall.clone(), &there_and_back);
    let end = show(&mut rules, hall, &there_and_back);
    assert_eq!((end.holder, end.doors.len()), (6, 1), "one door is open, and the other one was tried in vain");
    for (door, what) in [(HOLDER, "its own door"), (7, "another one")] {
        let hall = Hall { holder: 2, key: 8, doors: vec![(5, door)], coin: None };
        let there = show(&mut rules, hall, &[RIGHT, RIGHT]);
        assert_eq!(expected(&rules, &there, RIGHT), Some(there.after(RIGHT).draw()), "{what}");
    }
}

#[test]
fn what_is_held_goes_along_over_what_it_never_went_over() {
    let mut rules = Rules::new();
    let hall = Hall { holder: 7, key: 8, doors: Vec::new(), coin: Some(3) };
    let before_the_coin = show(&mut rules, hall, &[LEFT, RIGHT, LEFT, LEFT, LEFT]);
    assert_eq!(expected(&rules, &before_the_coin, LEFT), Some(before_the_coin.after(LEFT).draw()));
}
