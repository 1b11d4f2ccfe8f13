//! A roller that goes around a canvas and paints the half it lies at, in the colour of the well clicked last, which is marked.

use world_model::Outcome;

use super::*;

/// A side of the canvas in cells, and its corner.
const SIDE: i16 = 6;
const CORNER: i16 = 12;
/// Where the picture and the wells are.
const PICTURE: i16 = 2;
const WELLS: [(i16, u8); 3] = [(12, 8), (16, 9), (20, 11)];

/// The sides where the roller can be, clockwise from the top.
#[derive(Clone)]
struct World {
    canvas: Vec<u8>,
    picture: Vec<u8>,
    side: usize,
    ink: u8,
}

fn half(side: usize, (x, y): (i16, i16)) -> bool {
    [y < SIDE / 2, x >= SIDE / 2, y >= SIDE / 2, x < SIDE / 2][side]
}

fn cells() -> impl Iterator<Item = (i16, i16)> {
    (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)))
}

impl World {
    /// A level whose picture comes of these strokes.
    fn of(strokes: &[(usize, u8)]) -> World {
        let mut world = World { canvas: vec![1; 36], picture: vec![1; 36], side: 0, ink: 8 };
        for (side, color) in strokes {
            let painted = cells().enumerate().filter(|(_, at)| half(*side, *at));
            painted.for_each(|(index, _)| world.picture[index] = *color);
        }
        world
    }

    fn draw(&self) -> Grid {
        let mut frame = Grid::filled(32, 32, Color::of(5));
        let mut put = |(x, y): (i16, i16), color: u8| frame.set(Point::new(x, y).unwrap(), Color::of(color));
        for (index, (x, y)) in cells().enumerate() {
            put((CORNER + x, CORNER + y), self.canvas[index]);
            put((PICTURE + x, PICTURE + y), self.picture[index]);
        }
        for (x, color) in WELLS {
            (0..9).for_each(|it| put((x + it % 3, 2 + it / 3), color));
            (0..3).filter(|_| color == self.ink).for_each(|it| put((x + it, 6), 7));
        }
        let roller = [(0, -3), (SIDE + 1, 0), (0, SIDE + 1), (-3, 0)][self.side];
        let (long, wide) = (SIDE, 2);
        for (along, across) in (0..long).flat_map(|along| (0..wide).map(move |across| (along, across))) {
            let (x, y) = if self.side.is_multiple_of(2) { (along, across) } else { (across, along) };
            put((CORNER + roller.0 + x, CORNER + roller.1 + y), if across == 0 { 3 } else { 2 });
        }
        frame
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Key(Key::Key3) => self.side = (self.side + 3) % 4,
            Action::Key(Key::Key4) => self.side = (self.side + 1) % 4,
            Action::Key(Key::Key5) => {
                let painted = cells().enumerate().filter(|(_, at)| half(self.side, *at));
                painted.for_each(|(index, _)| self.canvas[index] = self.ink);
            }
            Action::Click(at) => {
                let well = WELLS.iter().find(|(x, _)| (*x..x + 3).contains(&at.x().into()) && (2..5).contains(&at.y()));
                self.ink = well.map_or(self.ink, |(_, color)| *color);
            }
            Action::Key(_) => {}
        }
    }
}

/// Shows a step to the skill; whether the level is solved by it.
fn see(paint: &mut Paint, world: &mut World, action: Action) -> bool {
    let before = world.draw();
    world.act(action);
    let solved = world.canvas == world.picture;
    let (layers, outcome) = ([world.draw()], if solved { Outcome::Solved } else { Outcome::Continues });
    paint.observe(&Transition { before: &before, action, layers: &layers, outcome }, &InterfaceMask::new());
    solved
}

/// How many actions the skill takes for a level; what it did where it falls silent or goes on for long.
fn play(paint: &mut Paint, mut world: World) -> Result<usize, Vec<String>> {
    let actions = ActionSet::of(&[ActionId::Action3, ActionId::Action4, ActionId::Action5, ActionId::Action6]);
    let mut done = Vec::new();
    while done.len() < 40 {
        let Some(proposal) = paint.propose(&world.draw(), &InterfaceMask::new(), actions) else { break };
        paint.taken_up();
        for step in proposal.steps {
            done.push(format!("{:?}: {}", step.action, proposal.goal));
            if see(paint, &mut world, step.action) {
                return Ok(done.len());
            }
        }
    }
    Err(done)
}

fn begin(paint: &mut Paint, world: &World) {
    paint.begin(&world.draw(), &InterfaceMask::new(), Start::Level);
}

#[test]
fn a_picture_is_painted_once_a_stroke_was_seen() {
    let (mut paint, mut world) = (Paint::default(), World::of(&[(2, 8), (0, 11)]));
    begin(&mut paint, &world);
    assert_eq!(play(&mut paint, world.clone()), Err(Vec::new()), "nobody knows yet what it is");
    see(&mut paint, &mut world, Action::Key(Key::Key5));
    let taken = play(&mut paint, world).expect("the wrong half was painted, in a colour that has to go again");
    assert!(taken <= 20, "{taken}");
}

#[test]
fn in_the_next_level_it_knows_how_to_paint() {
    let (mut paint, mut world) = (Paint::default(), World::of(&[(2, 9), (0, 8)]));
    begin(&mut paint, &world);
    see(&mut paint, &mut world, Action::Key(Key::Key5));
    play(&mut paint, world).expect("solved");
    let world = World::of(&[(1, 9), (2, 11), (3, 8)]);
    begin(&mut paint, &world);
    let taken = play(&mut paint, world).expect("solved");
    assert!(taken <= 12, "three colours, three sides and three strokes are nine actions: {taken}");
}

#[test]
fn a_canvas_without_a_picture_is_left_alone() {
    let mut world = World::of(&[]);
    let mut paint = Paint::default();
    begin(&mut paint, &world);
    see(&mut paint, &mut world, Action::Key(Key::Key5));
    assert!(paint.easel.is_none());
}

#[test]
fn what_takes_back_is_no_brush() {
    let stroke = |id: ActionId| {
        let (before, mut world) = (World::of(&[(2, 8), (0, 11)]), World::of(&[(2, 8), (0, 11)]));
        world.act(Action::Key(Key::Key5));
        let (before, after) = (before.draw(), world.draw());
        let action = Action::Key(Key::from_id(id).unwrap());
        let layers = [after.clone()];
        let step = Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues };
        Paint::discover(&step, &after, &InterfaceMask::new()).is_some()
    };
    assert_eq!([ActionId::Action5, UNDO].map(stroke), [true, false]);
}
