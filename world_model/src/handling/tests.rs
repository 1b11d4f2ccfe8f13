use env_client::Color;

use super::*;

const TABLE: u8 = 1;
const WALL: u8 = 3;
const RIM: u8 = 0;
/// What a key moves a piece by.
const FAR: i16 = 3;

/// A table with two hooks of squares; the one that is held has a rim, where that is shown. A wall stands on the right.
struct Table {
    /// The squares of each hook, by column and row.
    hooks: [Vec<Place>; 2],
    held: Option<usize>,
    is_shown: bool,
}

impl Table {
    fn new() -> Table {
        let hooks = [vec![(2, 2), (2, 3), (3, 3)], vec![(7, 6), (8, 6), (8, 7)]];
        Table { hooks, held: None, is_shown: true }
    }

    fn frame(&self) -> Grid {
        let mut frame = Grid::filled(40, 40, Color::of(TABLE));
        let mut fill = |(x, y): Place, color: u8| {
            let cells = (0..FAR).flat_map(|dy| (0..FAR).map(move |dx| (FAR * x + dx, FAR * y + dy)));
            cells.for_each(|(x, y)| frame.set(Point::new(x, y).unwrap(), Color::of(color)));
        };
        (0..12).for_each(|y| fill((11, y), WALL));
        for (hook, color) in self.hooks.iter().zip([8, 9]) {
            for at in hook {
                fill(*at, color);
            }
        }
        if let Some(held) = self.held.filter(|_| self.is_shown) {
            let area = square_area(&self.hooks[held]);
            let is_rim = |at: &Point| is_edge(&area, *at);
            area.iter().filter(is_rim).for_each(|at| frame.set(at, Color::of(RIM)));
        }
        frame
    }

    fn act(&mut self, action: Action) {
        let by = match action {
            Action::Click(at) => {
                let here = (0..2).find(|it| square_area(&self.hooks[*it]).contains(at));
                return self.held = here.or(self.held);
            }
            Action::Key(Key::Key1) => (0, -1),
            Action::Key(Key::Key2) => (0, 1),
            Action::Key(Key::Key3) => (-1, 0),
            Action::Key(Key::Key4) => (1, 0),
            Action::Key(_) => return self.turn(),
        };
        let Some(held) = self.held else { return };
        let next: Vec<Place> = self.hooks[held].iter().map(|it| (it.0 + by.0, it.1 + by.1)).collect();
        let is_free = |it: &Place| (0..11).contains(&it.0) && (0..12).contains(&it.1);
        if next.iter().all(is_free) && !next.iter().any(|it| self.hooks[1 - held].contains(it)) {
            self.hooks[held] = next;
        }
    }

    /// Clockwise about the first square.
    fn turn(&mut self) {
        let Some(held) = self.held else { return };
        let (x, y) = self.hooks[held][0];
        let next: Vec<Place> = self.hooks[held].iter().map(|it| (x - (it.1 - y), y + (it.0 - x))).collect();
        if next.iter().all(|it| it.0 >= 0 && it.1 >= 0) {
            self.hooks[held] = next;
        }
    }
}

fn square_area(hook: &[Place]) -> Area {
    let cells = hook.iter().flat_map(|(x, y)| {
        (0..FAR).flat_map(move |dy| (0..FAR).map(move |dx| Point::new(FAR * x + dx, FAR * y + dy).unwrap()))
    });
    cells.collect()
}

fn is_edge(area: &Area, at: Point) -> bool {
    [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter().any(|(x, y)| at.offset(x, y).is_none_or(|it| !area.contains(it)))
}

/// What is learned from these actions, one after the other.
fn watched(table: &mut Table, actions: &[Action]) -> Handling {
    let (mut model, mask) = (Handling::default(), InterfaceMask::new());
    model.begin(&table.frame(), &mask, Start::Level);
    for action in actions {
        let before = table.frame();
        table.act(*action);
        let layers = [table.frame()];
        model.observe(
            &Transition { before: &before, action: *action, layers: &layers, outcome: Outcome::Continues },
            &mask,
        );
    }
    model
}

fn click(hook: &[Place]) -> Action {
    Action::Click(Point::new(FAR * hook[0].0 + 1, FAR * hook[0].1 + 1).unwrap())
}

const RIGHT: Action = Action::Key(Key::Key4);
const DOWN: Action = Action::Key(Key::Key2);
const TURN: Action = Action::Key(Key::Key5);

/// The areas of the pieces that were held or moved.
fn loose(model: &Handling) -> Vec<Area> {
    model.pieces().iter().filter(|it| it.hold == Hold::Loose).map(|it| it.area).collect()
}

#[test]
fn a_piece_that_was_picked_is_followed_by_its_silhouette() {
    let mut table = Table::new();
    let pick = click(&table.hooks[0]);
    let model = watched(&mut table, &[pick, RIGHT, DOWN, DOWN]);
    assert!(model.is_understood());
    assert_eq!(loose(&model), [square_area(&table.hooks[0])]);
    assert_eq!((model.way(Key::Key4), model.way(Key::Key2), model.way(Key::Key1)), (Some((3, 0)), Some((0, 3)), None));
}

#[test]
fn who_is_held_need_not_look_so() {
    let mut table = Table { is_shown: false, ..Table::new() };
    let (first, second) = (click(&table.hooks[0]), click(&table.hooks[1]));
    let model = watched(&mut table, &[first, RIGHT, second, DOWN]);
    assert!(model.is_understood());
    assert_eq!(loose(&model), [square_area(&table.hooks[0]), square_area(&table.hooks[1])]);
}

#[test]
fn nothing_is_understood_of_keys_before_a_piece_was_picked() {
    let model = watched(&mut Table::new(), &[RIGHT, DOWN, TURN]);
    assert!(!model.is_understood() && model.ways().is_empty() && loose(&model).is_empty());
}

#[test]
fn turns_are_told_from_moves_and_hold_for_all_pieces() {
    let mut table = Table::new();
    let (first, second) = (click(&table.hooks[0]), click(&table.hooks[1]));
    let model = watched(&mut table, &[first, RIGHT, TURN, DOWN, TURN, second, TURN]);
    assert_eq!(model.turns(), [(Key::Key5, Symmetry::Clockwise)]);
    assert_eq!(loose(&model), [square_area(&table.hooks[0]), square_area(&table.hooks[1])]);
}

#[test]
fn what_stops_a_piece_is_a_wall_or_another_piece() {
    let mut table = Table::new();
    let (first, second) = (click(&table.hooks[0]), click(&table.hooks[1]));
    let mut actions = vec![second, RIGHT, RIGHT, RIGHT];
    let model = watched(&mut table, &actions);
    let wall = model.walls(0, false);
    assert!(wall.contains(Point::new(34, 5).unwrap()) && !wall.contains(Point::new(5, 5).unwrap()));
    assert_eq!(model.blocks(), None);
    table = Table::new();
    actions = vec![second, RIGHT, first];
    actions.extend([RIGHT; 3].iter().chain(&[DOWN; 3]).chain(&[RIGHT; 4]));
    let model = watched(&mut table, &actions);
    assert_eq!(model.blocks(), Some(true), "{:?}", table.hooks);
}

#[test]
fn a_piece_without_room_is_not_taken_for_one_that_never_turns() {
    let mut table = Table { hooks: [vec![(0, 0), (0, 1), (1, 1)], vec![(7, 6), (8, 6), (8, 7)]], ..Table::new() };
    let (first, second) = (click(&table.hooks[0]), click(&table.hooks[1]));
    let model = watched(&mut table, &[second, RIGHT, TURN, first, TURN]);
    let piece = (0..model.pieces().len()).find(|it| model.pieces()[*it].area == square_area(&table.hooks[0])).unwrap();
    assert_eq!(model.pieces()[piece].turns, None);
    assert!(model.is_stuck(piece, &model.pieces()[piece].area));
    assert!(!model.is_roomy(&model.pieces()[piece].area, &Area::EMPTY));
}

#[test]
fn what_lies_beneath_is_seen_once_a_piece_has_gone() {
    let mut table = Table::new();
    let pick = click(&table.hooks[0]);
    let background = Color::of(TABLE);
    let at = Point::new(7, 7).unwrap();
    let canvas = |model: &Handling| model.canvas().unwrap().get(at);
    assert_eq!(canvas(&watched(&mut table, &[])), Some(Color::of(8)), "nobody knows that it is a piece");
    assert_eq!(canvas(&watched(&mut Table::new(), &[pick, RIGHT, RIGHT, RIGHT])), Some(background));
}

#[test]
fn a_click_says_where_a_piece_ends_that_touches_others() {
    let mut table = Table { hooks: [vec![(2, 2), (2, 3), (3, 3)], vec![(4, 3), (4, 4), (5, 4)]], ..Table::new() };
    let (mut model, mask) = (Handling { are_joined: true, ..Handling::default() }, InterfaceMask::new());
    let before = table.frame();
    model.begin(&before, &mask, Start::Level);
    assert_eq!(model.pieces().iter().filter(|it| it.area.len() == 54).count(), 1, "both as one");
    let action = click(&table.hooks[0]);
    table.act(action);
    let layers = [table.frame()];
    model.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues }, &mask);
    assert_eq!(loose(&model), [square_area(&table.hooks[0])]);
}

#[test]
fn what_was_learned_of_a_piece_stays_where_the_rest_is_taken_apart_otherwise() {
    let (table, mask) = (Table::new(), InterfaceMask::new());
    let mut handling = Handling::default();
    handling.begin(&table.frame(), &mask, Start::Level);
    let fixed = handling.pieces[0].area;
    handling.pieces[0].hold = Hold::Fixed;
    let pieces = piece::bodies(&table.frame(), &mask, false);
    assert!(pieces.iter().any(|it| it.area == fixed), "it is the same, cut where pieces touch or not");
    handling.take(pieces);
    let holds = handling.pieces.iter().map(|it| (it.area == fixed, it.hold));
    assert!(holds.clone().all(|(is_same, hold)| is_same == (hold == Hold::Fixed)), "{:?}", holds.collect::<Vec<_>>());
}
