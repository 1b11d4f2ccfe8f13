use env_client::{Color, Point};

use super::*;

/// How a wall of tiles is drawn, and how it answers.
#[derive(Clone, Copy)]
struct Style {
    /// Cells along a tile, an odd number, and between tiles; the colour of a tile, on 0.
    side: u8,
    gap: u8,
    ground: u8,
    clockwise: bool,
    shines: bool,
    /// Whether what feeds is a block of its colour, and what wants it a frame.
    blocks: bool,
    /// Cells around such a block, which is as dark inside as ways are then.
    margin: u8,
}

const PLAIN: Style = Style { side: 5, gap: 1, ground: 1, clockwise: true, shines: true, blocks: false, margin: 0 };

/// A wall of tiles: openings by tile, a bit for each side, clockwise from the upper one; what each tile is, by letter: `.`
/// turns, `#` does not, `a` and `b` feed it with their colours, `A` and `B` want it.
#[derive(Clone)]
struct World {
    columns: usize,
    openings: Vec<u8>,
    roles: Vec<u8>,
    style: Style,
}

impl World {
    fn new(tubes: &[&str], roles: &[&str], style: Style) -> World {
        let digit = |it: u8| char::from(it).to_digit(16).unwrap() as u8;
        let openings = tubes.concat().bytes().map(digit).collect();
        World { columns: tubes[0].len(), openings, roles: roles.concat().into_bytes(), style }
    }

    fn corner(&self, index: usize) -> (u8, u8) {
        let pitch = usize::from(self.style.side + self.style.gap);
        (3 + (index % self.columns * pitch) as u8, 5 + (index / self.columns * pitch) as u8)
    }

    fn beyond(&self, index: usize, side: usize) -> Option<usize> {
        match side {
            0 => index.checked_sub(self.columns),
            1 => (index % self.columns + 1 < self.columns).then_some(index + 1),
            2 => Some(index + self.columns).filter(|it| *it < self.openings.len()),
            _ => (!index.is_multiple_of(self.columns)).then(|| index - 1),
        }
    }

    fn reach(&self, from: usize) -> Vec<usize> {
        let mut reached = vec![from];
        let mut next = 0;
        while next < reached.len() {
            let at = reached[next];
            for side in (0..4).filter(|side| self.openings[at] >> side & 1 == 1) {
                let other = self.beyond(at, side).filter(|it| self.openings[*it] >> ((side + 2) % 4) & 1 == 1);
                reached.extend(other.filter(|it| !reached.contains(it)));
            }
            next += 1;
        }
        reached
    }

    /// The letters that what they want reaches, and nothing else.
    fn is_joined(&self) -> bool {
        let fed = |feeder: u8| {
            let sources = (0..self.roles.len()).filter(move |index| self.roles[*index] == feeder);
            sources.flat_map(|source| self.reach(source)).collect::<Vec<usize>>()
        };
        let (a, b) = (fed(b'a'), fed(b'b'));
        (0..self.roles.len()).all(|index| match self.roles[index] {
            b'A' => a.contains(&index) && !b.contains(&index),
            b'B' => b.contains(&index) && !a.contains(&index),
            _ => true,
        })
    }

    /// Whether no opening is loose.
    fn is_tight(&self) -> bool {
        let meets = |index: usize, side: usize| {
            self.beyond(index, side).is_some_and(|it| self.openings[it] >> ((side + 2) % 4) & 1 == 1)
        };
        (0..self.openings.len())
            .all(|index| (0..4).all(|side| self.openings[index] >> side & 1 == 0 || meets(index, side)))
    }

    fn draw(&self) -> Grid {
        let mut frame = Grid::filled(48, 48, Color::of(0));
        let mut ink = vec![2; self.openings.len()];
        for (feeder, color) in [(b'a', 8), (b'b', 9)] {
            let sources = (0..self.roles.len()).filter(|index| self.style.shines && self.roles[*index] == feeder);
            sources.flat_map(|it| self.reach(it)).for_each(|it| ink[it] = color);
        }
        for index in (0..self.openings.len()).filter(|index| self.openings[*index] != 0) {
            let ((left, top), side) = (self.corner(index), self.style.side);
            let (middle, open) = (side / 2, self.openings[index]);
            for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
                let arms = [x == middle && y <= middle, y == middle && x >= middle, x == middle && y >= middle];
                let arms = arms.into_iter().chain([y == middle && x <= middle]);
                let is_pipe = arms.zip(0..).any(|(on, arm)| on && open >> arm & 1 == 1);
                let is_inside = x.abs_diff(middle) <= 1 && y.abs_diff(middle) <= 1;
                let margin = self.style.margin;
                let dry = if margin > 0 { 2 } else { 6 };
                let is_rim = [x, y].into_iter().any(|at| [margin, side - 1 - margin].contains(&at));
                let is_beside = [x, y].into_iter().any(|at| at < margin || at + margin >= side);
                let color = match self.roles[index] {
                    b'a' | b'b' | b'A' | b'B' if self.style.blocks && is_beside => self.style.ground,
                    b'a' if self.style.blocks => 8,
                    b'b' if self.style.blocks => 9,
                    b'A' if self.style.blocks => [dry, 8][usize::from(is_rim)],
                    b'B' if self.style.blocks => [dry, 9][usize::from(is_rim)],
                    b'#' if [0, side - 1].contains(&x) && [0, side - 1].contains(&y) => 7,
                    b'a' if is_inside => 8,
                    b'b' if is_inside => 9,
                    b'A' if (x, y) == (middle, middle) => 8,
                    b'B' if (x, y) == (middle, middle) => 9,
                    b'A' | b'B' if is_inside => 6,
                    _ if is_pipe => ink[index],
                    _ => self.style.ground,
                };
                frame.set(Point::new(left + x, top + y).unwrap(), Color::of(color));
            }
        }
        frame
    }

    fn click(&mut self, at: Point) {
        let inside = |index: &usize| {
            let ((left, top), side) = (self.corner(*index), self.style.side);
            (left..left + side).contains(&at.x()) && (top..top + side).contains(&at.y())
        };
        if let Some(index) = (0..self.openings.len()).find(inside).filter(|index| self.roles[*index] == b'.') {
            let open = self.openings[index];
            self.openings[index] =
                if self.style.clockwise { open << 1 & 15 | open >> 3 } else { open >> 1 | open << 3 & 15 };
        }
    }
}

fn click(skill: &mut Turning, world: &mut World, at: Point) {
    let before = world.draw();
    world.click(at);
    let layers = [world.draw()];
    let step = Transition { before: &before, action: Action::Click(at), layers: &layers, outcome: Outcome::Continues };
    skill.observe(&step, &InterfaceMask::new());
}

/// The clicks that the skill needs after one on a tile; `None` where it has no more to propose, or needs many.
fn play(world: &mut World, first: usize, is_solved: impl Fn(&World) -> bool) -> Option<usize> {
    let (mut skill, mask) = (Turning::default(), InterfaceMask::new());
    skill.begin(&world.draw(), &mask, Start::Level);
    assert_eq!(skill.propose(&world.draw(), &mask, ActionSet::of(&[ActionId::Action6])), None, "nothing turned yet");
    let (left, top) = world.corner(first);
    click(&mut skill, world, Point::new(left, top + 1).unwrap());
    let mut clicks = 0;
    while clicks < 60 {
        let proposal = skill.propose(&world.draw(), &mask, ActionSet::of(&[ActionId::Action6]))?;
        skill.taken_up();
        let mut all_as_expected = true;
        for step in proposal.steps {
            click(&mut skill, world, step.action.point()?);
            clicks += 1;
            if is_solved(world) {
                return Some(clicks);
            }
            if !skill.recognizes(&step.expected?, &world.draw(), &mask) {
                all_as_expected = false;
                break;
            }
        }
        if all_as_expected {
            skill.in_vain();
        }
    }
    None
}

#[test]
fn ends_are_joined_in_few_clicks_however_the_wall_is_drawn() {
    let styles = [
        PLAIN,
        Style { clockwise: false, ..PLAIN },
        Style { gap: 0, ..PLAIN },
        Style { gap: 2, side: 7, ground: 0, ..PLAIN },
        Style { shines: false, ..PLAIN },
    ];
    for (index, style) in styles.into_iter().enumerate() {
        let tubes = ["e335c", "42578", "ae9ac", "9aa3e"];
        let mut world = World::new(&tubes, &[".....", "Aa..A", ".....", "....."], style);
        let clicks = play(&mut world, 0, World::is_joined);
        assert!(clicks.is_some_and(|it| it <= 14), "style {index}: {clicks:?} clicks");
    }
}

#[test]
fn a_tile_that_does_not_turn_is_clicked_once_and_passed_by() {
    let mut world = World::new(&["2e30", "56b8"], &["a.#.", "...A"], PLAIN);
    assert_eq!(play(&mut world, 4, World::is_joined), Some(4));
}

#[test]
fn ends_of_two_colours_are_kept_apart() {
    let mut world = World::new(&["25558", "53335", "2a5a8"], &["a...A", ".....", "b...B"], PLAIN);
    assert_eq!(play(&mut world, 6, World::is_joined), Some(4));
    let blocks = Style { blocks: true, ..PLAIN };
    let mut world = World::new(&["f555f", "03330", "fa5af"], &["a...A", ".....", "b...B"], blocks);
    let clicks = play(&mut world, 6, World::is_joined);
    assert!(clicks.is_some_and(|it| it <= 10), "{clicks:?} clicks by what is around them");
    let islands = Style { side: 7, margin: 1, ..blocks };
    let mut world = World::new(&["f555f", "03330", "fa5af"], &["a...A", ".....", "b...B"], islands);
    let clicks = play(&mut world, 6, World::is_joined);
    assert!(clicks.is_some_and(|it| it <= 10), "{clicks:?} clicks where what comes from one shines in a way");
    let mut world = World::new(&["25558", "5333a", "2a5a8"], &["a...B", ".....", "b...A"], PLAIN);
    assert_eq!(play(&mut world, 6, World::is_joined), None, "one would have to cross the other");
}

#[test]
fn where_ends_are_joined_in_vain_nothing_is_left_loose() {
    let solved = World::new(&["6ea8", "53ac", "542d", "3ba9"], &["...."; 4], PLAIN);
    assert!(solved.is_tight());
    let mut world = solved.clone();
    for index in [0, 1, 1, 3, 3, 3, 4, 5, 5, 5, 6, 9, 10, 10, 11, 11, 11, 12, 13, 15, 15] {
        world.openings[index] = world.openings[index] << 1 & 15 | world.openings[index] >> 3;
    }
    assert!(!world.is_tight());
    assert!(play(&mut world, 0, World::is_tight).is_some());
}

#[test]
fn what_is_marked_is_an_end_however_many_openings_it_has() {
    let mut world = World::new(&["25a59", "33333"], &["a.A..", "....."], PLAIN);
    assert_eq!(play(&mut world, 3, World::is_joined), Some(1));
}

#[test]
fn what_shines_goes_on_where_all_tiles_have_to() {
    let mut world = World::new(&["2d5c", "cd0e", "3759"], &["a...", "....", "...."], PLAIN);
    let clicks = play(&mut world, 8, |world| world.reach(0).len() == 11);
    assert!(clicks.is_some(), "what is beside the hole may stay loose");
}
