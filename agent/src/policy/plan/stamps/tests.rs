//! A canvas of tiles, a cursor with corners that shows what it holds, three stamps at the side, the last of which restores
//! what the canvas was, and a card half as large.

use env_client::{ActionId, Point};
use world_model::Outcome;

use super::*;

/// Tiles of the canvas along a side, cells of a tile, and where canvas, card and stamps are.
const SIDE: i16 = 6;
const TILE: i16 = 4;
const CANVAS: Cells = (8, 30);
const CARD: Cells = (10, 4);
const STAMP: i16 = 46;
const GROUND: u8 = 4;

/// What each stamp prints around the cursor.
type Print = [&'static str; 3];
const PLUS: Print = [".8.", "888", ".8."];
const RING: Print = ["999", "9.9", "999"];
/// One with a corner of its own, and what becomes of it by being turned.
const HOOKS: [Print; 4] = [["8..", "8..", "888"], ["888", "8..", "8.."], ["888", "..8", "..8"], ["..8", "..8", "888"]];
const RESTORE: Print = ["444", "444", "444"];

#[derive(Clone)]
struct World {
    stamps: [Print; 3],
    /// What the things at the side show.
    shown: [Print; 3],
    canvas: Vec<u8>,
    card: Vec<u8>,
    cursor: Cells,
    chosen: usize,
    /// Whether a click on the chosen stamp turns it.
    turns: bool,
    /// The stamp that washes out what it prints where that lies already, if one does.
    washing: Option<usize>,
}

fn tiles() -> impl Iterator<Item = Cells> {
    (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)))
}

fn print(canvas: &mut [u8], print: Print, place: Cells) {
    stamp(canvas, print, place, false);
}

fn stamp(canvas: &mut [u8], print: Print, place: Cells, washes: bool) {
    for (index, (x, y)) in tiles().enumerate() {
        let (column, row) = (x - place.0 + 1, y - place.1 + 1);
        if (0..3).contains(&column) && (0..3).contains(&row) {
            let color = print[row as usize].as_bytes()[column as usize];
            canvas[index] = match color {
                b'.' => canvas[index],
                _ if washes && canvas[index] == color - b'0' => GROUND,
                _ => color - b'0',
            };
        }
    }
}

impl World {
    /// A level whose card shows what comes of these stamps.
    fn of(stamps: [Print; 3], printed: &[(usize, Cells)]) -> World {
        let (canvas, mut card) = (vec![GROUND; 36], vec![GROUND; 36]);
        for (stamp, at) in printed {
            print(&mut card, stamps[*stamp], *at);
        }
        World { stamps, shown: stamps, canvas, card, cursor: (1, 1), chosen: 0, turns: false, washing: None }
    }

    fn draw(&self) -> Grid {
        let mut frame = Grid::filled(64, 64, Color::of(2));
        let mut fill = |(x, y): Cells, (width, height): Cells, color: u8| {
            let cells = (y..y + height).flat_map(|y| (x..x + width).map(move |x| (x, y)));
            cells.for_each(|(x, y)| frame.set(Point::new(x, y).unwrap(), Color::of(color)));
        };
        let side = SIDE * TILE;
        fill((CANVAS.0 - 2, CANVAS.1 - 2), (side + 4, side + 4), 13);
        fill((CARD.0 - 1, CARD.1 - 1), (side / 2 + 2, side / 2 + 2), 0);
        for (index, (x, y)) in tiles().enumerate() {
            fill((CANVAS.0 + TILE * x, CANVAS.1 + TILE * y), (TILE, TILE), self.canvas[index]);
            fill((CARD.0 + TILE / 2 * x, CARD.1 + TILE / 2 * y), (TILE / 2, TILE / 2), self.card[index]);
        }
        let held = |(x, y): Cells, side: i16, fill: &mut dyn FnMut(Cells, u8), stamp: Print| {
            for (row, line) in stamp.iter().enumerate() {
                for (column, color) in line.bytes().enumerate().filter(|it| it.1 != b'.') {
                    fill((x + side * column as i16, y + side * row as i16), color - b'0');
                }
            }
        };
        let (x, y) = (CANVAS.0 + TILE * (self.cursor.0 - 1), CANVAS.1 + TILE * (self.cursor.1 - 1));
        held((x + 1, y + 1), TILE, &mut |at, color| fill(at, (2, 2), color), self.stamps[self.chosen]);
        for (dx, dy) in [(0, 0), (3 * TILE - 2, 0), (0, 3 * TILE - 1), (3 * TILE - 2, 3 * TILE - 1)] {
            fill((x + dx, y + dy), (2, 1), 0);
        }
        for stamp in 0..3 {
            let top = 4 + 12 * stamp as i16;
            fill((STAMP - 1, top - 1), (11, 11), if stamp == self.chosen { 0 } else { 3 });
            fill((STAMP, top), (9, 9), 5);
            held((STAMP, top), 3, &mut |at, color| fill(at, (3, 3), color), self.shown[stamp]);
            if self.shown[stamp] == RESTORE {
                fill((STAMP, top), (9, 9), 7);
                fill((STAMP + 1, top + 2), (4, 4), 1);
            }
        }
        frame
    }

    fn act(&mut self, action: Action) {
        let mut go = |x: i16, y: i16| {
            let limit = |it: i16| it.clamp(0, SIDE - 1);
            self.cursor = (limit(self.cursor.0 + x), limit(self.cursor.1 + y));
        };
        match action {
            Action::Key(Key::Key1) => go(0, -1),
            Action::Key(Key::Key2) => go(0, 1),
            Action::Key(Key::Key3) => go(-1, 0),
            Action::Key(Key::Key4) => go(1, 0),
            Action::Key(_) => {
                let washes = self.washing == Some(self.chosen);
                stamp(&mut self.canvas, self.stamps[self.chosen], self.cursor, washes);
            }
            Action::Click(at) => {
                let is_on = |stamp: &usize| (4 + 12 * *stamp as i16..13 + 12 * *stamp as i16).contains(&at.y().into());
                let clicked = (0..3).find(is_on).filter(|_| i16::from(at.x()) >= STAMP).unwrap_or(self.chosen);
                let is_hook = |it: &Print| *it == self.stamps[clicked];
                if let Some(pose) = HOOKS.iter().position(is_hook).filter(|_| self.turns && clicked == self.chosen) {
                    (self.stamps[clicked], self.shown[clicked]) = (HOOKS[(pose + 1) % 4], HOOKS[(pose + 1) % 4]);
                }
                self.chosen = clicked;
            }
        }
    }
}

/// Shows a step to the skill; whether the level is solved by it.
fn see(stamps: &mut Stamps, world: &mut World, action: Action) -> bool {
    let before = world.draw();
    world.act(action);
    let solved = world.canvas == world.card;
    let (layers, outcome) = ([world.draw()], if solved { Outcome::Solved } else { Outcome::Continues });
    stamps.observe(&Transition { before: &before, action, layers: &layers, outcome }, &InterfaceMask::new());
    solved
}

/// How many actions the skill takes for a level; what it did where it falls silent or goes on for long.
fn play(stamps: &mut Stamps, world: &mut World) -> Result<usize, Vec<String>> {
    let mut done = Vec::new();
    while done.len() < 60 {
        let Some(proposal) = stamps.propose(&world.draw(), &InterfaceMask::new(), actions()) else { break };
        stamps.taken_up();
        for step in proposal.steps {
            done.push(format!("{:?}: {}", step.action, proposal.goal));
            if see(stamps, world, step.action) {
                return Ok(done.len());
            }
            if stamps.gives_up() {
                break;
            }
        }
    }
    Err(done)
}

fn actions() -> ActionSet {
    ActionSet::of(&ActionId::ALL[..6])
}

fn begin(stamps: &mut Stamps, world: &World) {
    stamps.begin(&world.draw(), &InterfaceMask::new(), Start::Level);
}

/// A skill that saw a step to the right and a print there, and the world after that.
fn begun(world: World) -> (Stamps, World) {
    let (mut stamps, mut world) = (Stamps::default(), world);
    begin(&mut stamps, &world);
    see(&mut stamps, &mut world, Action::Key(Key::Key4));
    assert!(stamps.sheet.is_none(), "a cursor alone is no canvas");
    see(&mut stamps, &mut world, Action::Key(Key::Key5));
    (stamps, world)
}

#[test]
fn one_print_tells_how_pictures_of_stamps_are_read() {
    let (mut stamps, mut world) = begun(World::of([PLUS, RING, RESTORE], &[(0, (2, 1)), (1, (2, 3)), (0, (4, 3))]));
    let taken = play(&mut stamps, &mut world).expect("the first print was right");
    assert!(taken <= 10, "three keys to learn, two stamps, two choices and few steps: {taken}");
}

#[test]
fn what_was_printed_wrongly_is_restored_once_the_stamp_for_that_is_found() {
    let (mut stamps, mut world) = begun(World::of([PLUS, RING, RESTORE], &[(1, (4, 4)), (0, (4, 1))]));
    let taken = play(&mut stamps, &mut world).expect("the first print has to go");
    assert!(taken <= 24, "three keys to learn, three stamps, two choices and the ways: {taken}");
}

#[test]
fn in_the_next_level_all_stamps_are_known_by_their_pictures() {
    let (mut stamps, mut world) = begun(World::of([PLUS, RING, RESTORE], &[(0, (2, 1)), (1, (2, 3))]));
    play(&mut stamps, &mut world).expect("solved");
    let turned = ["8.8", ".8.", "8.8"];
    let mut world = World::of([RING, turned, RESTORE], &[(1, (1, 2)), (0, (3, 2))]);
    begin(&mut stamps, &world);
    let taken = play(&mut stamps, &mut world).expect("solved");
    assert!(taken <= 7, "two choices, two stamps and three steps: {taken}");
}

#[test]
fn a_stamp_that_is_chosen_is_turned_by_a_click_where_only_that_leads_on() {
    let mut turning = World { turns: true, ..World::of([HOOKS[0], RING, PLUS], &[(0, (2, 1))]) };
    print(&mut turning.card, HOOKS[2], (3, 4));
    let (mut stamps, mut world) = begun(turning);
    let taken = play(&mut stamps, &mut world).expect("the hook is turned twice");
    assert!(taken <= 12, "three keys to learn, a choice, two turns and the way: {taken}");
}

#[test]
fn a_stamp_that_washes_out_what_it_printed_is_understood_once_it_was_seen_to() {
    let mut washing = World { washing: Some(1), ..World::of([PLUS, RING, HOOKS[0]], &[(0, (2, 1))]) };
    for place in [(2, 4), (3, 4)] {
        stamp(&mut washing.card, RING, place, true);
    }
    let (mut stamps, mut world) = begun(washing.clone());
    assert!(play(&mut stamps, &mut world).is_err() && stamps.starts_over(), "the tries are in the way");
    stamps.begin(&washing.draw(), &InterfaceMask::new(), Start::Again);
    let taken = play(&mut stamps, &mut washing).expect("rings that overlap leave gaps");
    assert!(taken <= 12, "two choices, three prints and the ways: {taken}");
}

#[test]
fn a_canvas_that_is_spoiled_for_good_is_begun_again() {
    let fresh = World::of([PLUS, RING, HOOKS[0]], &[(1, (4, 4)), (0, (4, 1))]);
    let (mut stamps, mut world) = begun(fresh.clone());
    let done = play(&mut stamps, &mut world).expect_err("nothing takes the first print away");
    assert!(stamps.starts_over(), "{done:?}");
    assert!(!stamps.starts_over(), "once");
    assert!(stamps.propose(&world.draw(), &InterfaceMask::new(), actions()).is_none());
    begin(&mut stamps, &fresh);
    assert!(!stamps.starts_over(), "another level is not spoiled");
    let (mut stamps, mut world) = begun(fresh.clone());
    assert!(play(&mut stamps, &mut world).is_err());
    stamps.begin(&fresh.draw(), &InterfaceMask::new(), Start::Again);
    let taken = play(&mut stamps, &mut fresh.clone()).expect("everything is known by then");
    assert_eq!(taken, 9, "a choice, three steps each way, and two prints");
}

#[test]
fn nothing_is_done_where_no_picture_shows_what_was_printed() {
    let mut world = World::of([PLUS, RING, RESTORE], &[(0, (2, 1)), (1, (2, 3))]);
    world.shown = [RESTORE; 3];
    let (mut stamps, mut world) = begun(world);
    assert_eq!(play(&mut stamps, &mut world), Err(Vec::new()));
}

#[test]
fn a_canvas_whose_card_is_missing_is_left_alone() {
    let mut world = World::of([PLUS, RING, RESTORE], &[]);
    let mut stamps = Stamps::default();
    begin(&mut stamps, &world);
    for action in [Action::Key(Key::Key4), Action::Key(Key::Key5)] {
        see(&mut stamps, &mut world, action);
    }
    assert_eq!(play(&mut stamps, &mut world), Err(Vec::new()));
}
