//! Rows of clicks, played by the skill alone.

use env_client::Color;

use super::*;

const SCALE: u8 = 4;

/// Draws a world of one digit a square.
fn drawn(rows: &str) -> Grid {
    let world: Grid = rows.parse().unwrap();
    let mut frame = Grid::filled(SCALE * world.width(), SCALE * world.height(), Color::of(0));
    for at in frame.points() {
        frame.set(at, world[Point::new(at.x() / SCALE, at.y() / SCALE).unwrap()]);
    }
    frame
}

fn clicks() -> ActionSet {
    ActionSet::of(&[ActionId::Action6])
}

fn step(strokes: &mut Strokes, action: Action, frames: [&Grid; 2], outcome: Outcome) {
    let layers = [frames[1].clone()];
    strokes.observe(&Transition { before: frames[0], action, layers: &layers, outcome }, &InterfaceMask::new());
}

/// Plays what is proposed: each click changes the corner of the frame, unless clicks are `dead`; whether the last one wins.
fn play(strokes: &mut Strokes, frame: &Grid, dead: bool, wins: bool) -> Option<Proposal> {
    let proposal = strokes.propose(frame, &InterfaceMask::new(), clicks())?;
    strokes.taken_up();
    let mut after = frame.clone();
    after.set(Point::default(), if dead { frame[Point::default()] } else { Color::of(9) });
    for (left, it) in (0..proposal.steps.len()).rev().zip(&proposal.steps) {
        let outcome = if wins && left == 0 { Outcome::Solved } else { Outcome::Continues };
        step(strokes, it.action, [frame, &after], outcome);
        if strokes.gives_up() {
            break;
        }
    }
    Some(proposal)
}

const CORNER: &str = "000000\n001100\n001000\n000000";
const ENDS: &str = "000000\n020020\n000000\n000000";

#[test]
fn a_kind_of_row_that_won_comes_before_all_else_in_the_next_level() {
    let (mut strokes, mask) = (Strokes::default(), InterfaceMask::new());
    strokes.begin(&drawn(CORNER), &mask, Start::Level);
    let guess = play(&mut strokes, &drawn(CORNER), false, true).unwrap();
    strokes.begin(&drawn("330000\n300000\n000000\n000000"), &mask, Start::Level);
    let sure = strokes.propose(&drawn(CORNER), &mask, clicks()).unwrap();
    assert_eq!((guess.steps.len(), sure.steps.len()), (3, 3));
    assert!(guess.score > TIER && sure.score < 0.5 * TIER);
}

#[test]
fn ends_are_joined_one_way_and_then_the_other() {
    let (mut strokes, mask) = (Strokes::default(), InterfaceMask::new());
    strokes.begin(&drawn(ENDS), &mask, Start::Level);
    let rows: Vec<Vec<u8>> = std::iter::from_fn(|| play(&mut strokes, &drawn(ENDS), false, false))
        .map(|it| it.steps.iter().filter_map(|step| Some(step.action.point()?.x() / SCALE)).collect())
        .collect();
    assert_eq!(rows, [vec![1, 4], vec![1, 4], vec![1, 2, 3, 4], vec![4, 3, 2, 1]], "both squares, then a way");
}

#[test]
fn a_row_that_changes_nothing_is_given_up() {
    let (mut strokes, mask, frame) = (Strokes::default(), InterfaceMask::new(), drawn("00000\n01110\n01110\n00000"));
    strokes.begin(&frame, &mask, Start::Level);
    play(&mut strokes, &frame, true, false);
    assert_eq!(strokes.in_level, IDLE);
    assert_ne!(strokes.attempts.len(), 0);
    assert!(strokes.given_up.len() == 1, "of six clicks three were enough");
}

#[test]
fn a_way_is_not_given_up_where_clicks_are_known_to_do_something() {
    let (mask, frame) = (InterfaceMask::new(), drawn("00000000\n02000000\n00000003\n00002000\n00000000"));
    let given_up = |is_alive: bool| {
        let mut strokes = Strokes::default();
        strokes.begin(&frame, &mask, Start::Level);
        play(&mut strokes, &frame, !is_alive, false);
        while play(&mut strokes, &frame, true, false).is_some() {}
        strokes.given_up.len()
    };
    assert_eq!(given_up(true), 0);
    assert_ne!(given_up(false), 0);
}

#[test]
fn most_of_a_figure_is_enough() {
    let (mut strokes, mask, frame) = (Strokes::default(), InterfaceMask::new(), drawn("00000\n01111\n00000\n00000"));
    strokes.begin(&frame, &mask, Start::Level);
    let row = strokes.propose(&frame, &mask, clicks()).unwrap();
    strokes.taken_up();
    let mut after = frame.clone();
    after.set(Point::default(), Color::of(9));
    for (click, outcome) in row.steps.iter().zip([Outcome::Continues, Outcome::Continues, Outcome::Solved]) {
        step(&mut strokes, click.action, [&frame, &after], outcome);
    }
    assert!(row.steps.len() == 4 && strokes.has_won(Kind::Cover));
}

#[test]
fn where_levels_are_solved_in_another_way_rows_come_late() {
    let (mut strokes, mask, frame) = (Strokes::default(), InterfaceMask::new(), drawn(CORNER));
    strokes.begin(&frame, &mask, Start::Level);
    let before = strokes.propose(&frame, &mask, clicks()).unwrap().score;
    step(&mut strokes, Action::Key(Key::Key1), [&frame, &frame], Outcome::Solved);
    assert!(strokes.propose(&frame, &mask, clicks()).unwrap().score > before + TIER);
    step(&mut strokes, Action::Key(Key::Key1), [&frame, &frame], Outcome::Solved);
    assert_eq!(strokes.propose(&frame, &mask, clicks()), None, "and then not at all");
}

#[test]
fn where_single_clicks_do_much_rows_are_few() {
    let mask = InterfaceMask::new();
    let (frame, other) = (drawn("000000\n020020\n033300\n033300"), drawn("000000\n020020\n011000\n033300"));
    let clicks_spent = |lessons: usize| {
        let mut strokes = Strokes::default();
        strokes.begin(&frame, &mask, Start::Level);
        let at = Action::Click(Point::default());
        (0..lessons).for_each(|_| step(&mut strokes, at, [&frame, &other], Outcome::Continues));
        while play(&mut strokes, &frame, false, false).is_some() {}
        strokes.in_level
    };
    assert_eq!((clicks_spent(0), clicks_spent(2)), (2 + 2 + 4 + 4 + 6 + 6, 2 + 2 + 4 + 4));
}

/// Draws tiles of 3x3 cells, four cells apart, on ground of 0.
pub(super) fn tiled(rows: &[&str]) -> Grid {
    let mut frame = Grid::filled(32, 32, Color::of(0));
    for (y, row) in rows.iter().enumerate() {
        for (x, tile) in row.bytes().enumerate().filter(|(_, tile)| *tile != b'.') {
            for (dx, dy) in (0..3).flat_map(|dy| (0..3).map(move |dx| (dx, dy))) {
                let at = Point::new((1 + 4 * x + dx) as i64, (1 + 4 * y + dy) as i64).unwrap();
                frame.set(at, Color::of(tile - b'0'));
            }
        }
    }
    frame
}

#[test]
fn what_a_strip_tells_comes_first_and_is_never_clicked_backwards() {
    let (mut strokes, frame) = (Strokes::default(), tiled(&["1232", "....", "..32", "..21"]));
    strokes.begin(&frame, &InterfaceMask::new(), Start::Level);
    let first = play(&mut strokes, &frame, false, false).unwrap();
    assert_eq!(first.goal, "tiles in the order that a strip of them tells");
    let second = play(&mut strokes, &frame, false, false).unwrap();
    assert_eq!(first.steps, second.steps, "an earlier click may have spoiled the first try");
}

/// A game in which tiles are clicked as a strip above them tells: a used one turns to 8, a wrong one begins again.
struct Told {
    strip: &'static str,
    board: &'static [&'static str],
    /// Columns and rows that the next tile may lie from the last, either way round.
    step: (u8, u8),
    /// Whether the tiles beside a clicked one go on to the next of the colours 1, 2, 3.
    spreads: bool,
    tiles: Vec<Vec<u8>>,
    way: Vec<(usize, usize)>,
}

impl Told {
    fn new(strip: &'static str, board: &'static [&'static str], step: (u8, u8), spreads: bool) -> Told {
        let mut told = Told { strip, board, step, spreads, tiles: Vec::new(), way: Vec::new() };
        told.again();
        told
    }

    fn again(&mut self) {
        self.tiles = self.board.iter().map(|row| row.bytes().collect()).collect();
        self.way.clear();
    }

    fn drawn(&self) -> Grid {
        let rows: Vec<String> = self.tiles.iter().map(|row| format!("..{}", String::from_utf8_lossy(row))).collect();
        let above = [self.strip, "......."];
        tiled(&above.into_iter().chain(rows.iter().map(String::as_str)).collect::<Vec<_>>())
    }

    fn click(&mut self, at: Point) -> Outcome {
        let tile = (usize::from(at.x() / 4).wrapping_sub(2), usize::from(at.y() / 4).wrapping_sub(2));
        if self.tiles.get(tile.1).and_then(|row| row.get(tile.0)).is_none() {
            return Outcome::Continues;
        }
        let apart = |last: &(usize, usize)| {
            let (dx, dy) = (last.0.abs_diff(tile.0) as u8, last.1.abs_diff(tile.1) as u8);
            (dx.min(dy), dx.max(dy)) == self.step
        };
        let is_next = self.tiles[tile.1][tile.0] == self.strip.as_bytes()[self.way.len()];
        if !is_next || !self.way.last().is_none_or(apart) {
            self.again();
            return Outcome::Continues;
        }
        self.tiles[tile.1][tile.0] = b'8';
        self.way.push(tile);
        for (y, row) in self.tiles.iter_mut().enumerate().filter(|_| self.spreads) {
            for (x, it) in row.iter_mut().enumerate() {
                if x.abs_diff(tile.0) + y.abs_diff(tile.1) == 1 && *it != b'8' {
                    *it = if *it == b'3' { b'1' } else { *it + 1 };
                }
            }
        }
        if self.way.len() == self.strip.len() { Outcome::Solved } else { Outcome::Continues }
    }

    /// How many clicks the skill takes, if it gets there.
    fn played(mut self) -> Option<usize> {
        let (mut strokes, mask, mut taken) = (Strokes::default(), InterfaceMask::new(), 0);
        strokes.begin(&self.drawn(), &mask, Start::Level);
        while let Some(proposal) = strokes.propose(&self.drawn(), &mask, clicks()) {
            strokes.taken_up();
            for it in &proposal.steps {
                let before = self.drawn();
                let outcome = self.click(it.action.point()?);
                step(&mut strokes, it.action, [&before, &self.drawn()], outcome);
                taken += 1;
                match outcome {
                    Outcome::Solved => return Some(taken),
                    _ if taken > 30 => return None,
                    _ if strokes.gives_up() => break,
                    _ => {}
                }
            }
        }
        None
    }
}

#[test]
fn where_a_click_beside_the_last_is_refused_others_are_tried() {
    let knight = Told::new("12332", &["1312", "3121", "2333"], (1, 2), false);
    let taken = knight.played();
    assert!(taken.is_some_and(|taken| taken <= 8), "{taken:?}");
}

#[test]
fn what_clicks_do_to_the_tiles_around_is_learned_and_reckoned_with() {
    let spreading = Told::new("111222", &["1222", "1113", "1133"], (0, 1), true);
    let taken = spreading.played();
    assert!(taken.is_some_and(|taken| taken <= 12), "{taken:?}");
}
