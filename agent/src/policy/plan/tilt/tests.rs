use env_client::{ActionId, Color, Point};

use super::*;

/// Seats of six cells: `#` is fixed, digits are tiles; two alike that meet become the next one where that is so, and one seat is
/// marked with the colour of the first tile where it is.
#[derive(Clone)]
struct Game {
    rows: Vec<Vec<u8>>,
    fuses: bool,
    mark: Option<(usize, usize)>,
}

const SEAT: usize = 6;
const CORNER: usize = 9;

impl Game {
    fn new(rows: &[&str], fuses: bool, mark: Option<(usize, usize)>) -> Game {
        Game { rows: rows.iter().map(|row| row.bytes().collect()).collect(), fuses, mark }
    }

    fn frame(&self) -> Grid {
        let mut frame = Grid::filled(64, 64, Color::of(1));
        for (y, row) in self.rows.iter().enumerate() {
            for (x, seat) in row.iter().enumerate() {
                for (dx, dy) in (0..SEAT).flat_map(|dy| (0..SEAT).map(move |dx| (dx, dy))) {
                    let is_kernel = (1..5).contains(&dx) && (1..5).contains(&dy);
                    let color = match seat {
                        b'#' => 12,
                        b'.' if self.mark == Some((x, y)) && dx == 2 => 6,
                        tile if *tile != b'.' && is_kernel => tile - b'0' + 5,
                        _ => 2,
                    };
                    let at = Point::new((CORNER + SEAT * x + dx) as i64, (CORNER + SEAT * y + dy) as i64).unwrap();
                    frame.set(at, Color::of(color));
                }
            }
        }
        frame
    }

    fn tilt(&mut self, key: Key) {
        let (width, height) = (self.rows[0].len(), self.rows.len());
        let is_flat = matches!(key, Key::Key3 | Key::Key4);
        let (lines, length) = if is_flat { (height, width) } else { (width, height) };
        for line in 0..lines {
            let seat = |index: usize| {
                let along = if matches!(key, Key::Key2 | Key::Key4) { length - 1 - index } else { index };
                if is_flat { (along, line) } else { (line, along) }
            };
            let (mut free, mut may_fuse) = (0, false);
            for index in 0..length {
                let (x, y) = seat(index);
                match std::mem::replace(&mut self.rows[y][x], b'.') {
                    b'#' => {
                        self.rows[y][x] = b'#';
                        (free, may_fuse) = (index + 1, false);
                    }
                    b'.' => {}
                    tile => {
                        let last = seat(free.saturating_sub(1));
                        let is_fused = self.fuses && may_fuse && self.rows[last.1][last.0] == tile;
                        let (x, y) = if is_fused { last } else { seat(free) };
                        self.rows[y][x] = tile + u8::from(is_fused);
                        (free, may_fuse) = (free + usize::from(!is_fused), !is_fused);
                    }
                }
            }
        }
    }

    fn press(&mut self, skill: &mut Tilt, action: Action) {
        let before = self.frame();
        let Action::Key(key) = action else { panic!("there is nothing to click") };
        self.tilt(key);
        let outcome = if self.is_solved() { Outcome::Solved } else { Outcome::Continues };
        let layers = [self.frame()];
        skill.observe(&Transition { before: &before, action, layers: &layers, outcome }, &InterfaceMask::new());
    }

    fn is_solved(&self) -> bool {
        let tiles = self.rows.iter().flatten().filter(|it| !matches!(it, b'.' | b'#')).count();
        self.mark.map_or(tiles == 1, |(x, y)| self.rows[y][x] == b'1')
    }
}

fn keys() -> ActionSet {
    ActionSet::of(&[ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action4])
}

const SHOWN: [Key; 4] = [Key::Key4, Key::Key2, Key::Key3, Key::Key1];

/// A level in which these keys were pressed; the skill has nothing to say before the last of them.
fn shown(game: &mut Game, keys_shown: &[Key]) -> Tilt {
    let mut skill = Tilt::default();
    skill.begin(&game.frame(), &InterfaceMask::new(), Start::Level);
    for key in keys_shown {
        assert_eq!(skill.propose(&game.frame(), &InterfaceMask::new(), keys()), None);
        game.press(&mut skill, Action::Key(*key));
    }
    skill
}

/// Follows a plan; how many keys it took to solve the level by it.
fn follow(skill: &mut Tilt, game: &mut Game) -> usize {
    let plan = skill.propose(&game.frame(), &InterfaceMask::new(), keys()).expect("the board is understood");
    skill.taken_up();
    let count = plan.steps.len();
    for step in plan.steps {
        assert!(!game.is_solved() && !skill.gives_up(), "{game:?}", game = game.rows);
        game.press(skill, step.action);
    }
    assert!(game.is_solved());
    count
}

#[test]
fn tiles_that_fuse_are_slid_into_one_and_so_in_the_next_level() {
    let mut game = Game::new(&["1...2", ".#...", "1..#.", ".12.1"], true, None);
    let mut skill = shown(&mut game, &SHOWN[..2]);
    game.press(&mut skill, Action::Key(SHOWN[2]));
    assert!(skill.propose(&game.frame(), &InterfaceMask::new(), keys()).is_some(), "three presses were told");
    game.press(&mut skill, Action::Key(SHOWN[3]));
    assert_eq!(follow(&mut skill, &mut game), 4);
    assert!(skill.has_won(Wish::One));
    let mut next = Game::new(&["1..1.", "..#..", "2...."], true, None);
    skill.begin(&next.frame(), &InterfaceMask::new(), Start::Level);
    follow(&mut skill, &mut next);
}

#[test]
fn a_tile_that_stays_as_it_is_is_slid_onto_the_mark_of_its_colour() {
    let mut game = Game::new(&["1...2", ".#...", "...#.", "....."], false, Some((4, 2)));
    let mut skill = shown(&mut game, &SHOWN[..3]);
    assert_eq!(follow(&mut skill, &mut game), 2);
}

#[test]
fn where_no_tile_can_be_wanted_anywhere_nothing_is_proposed() {
    let mut game = Game::new(&["1...2", ".#...", "...#.", "....."], false, None);
    let mut skill = shown(&mut game, &SHOWN);
    assert!(skill.model.is_fitted());
    assert_eq!(skill.propose(&game.frame(), &InterfaceMask::new(), keys()), None);
}
