//! Echo: a ghost does again what was done before.
//!
//! Every step is recorded. The space bar, or a full reel, ends a recording: everything goes back to the start, and from now on a ghost
//! walks as recorded, one step an action, and stays where it ended. A plate under somebody opens the gates of its
//! colour. Levels add, one after the other: a ghost that moves from plate to plate; a beam, which ends a recording on
//! the spot, so that the ghost will stop the beam (without a recording left it ends the game); both; a second ghost,
//! helped by the first; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS_AND_SPACE, About, Bar, Board, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title,
    Verdict, View,
};

/// How many recordings there are, how many steps each can hold, and the world: `#` wall, `@` start, `X` door out, `a` and `b` plates, `A` and `B`
/// their gates, `>` source of a beam that shines to the right, `=` grille, which lets only the beam through.
const LEVELS: [(u8, usize, &str); 6] = [
    (
        1,
        5,
        "
        ###########
        #a....#...#
        #..@..A.X.#
        #.....#...#
        ###########
        ",
    ),
    (
        1,
        6,
        "
        #############
        #a....#..#..#
        #..@..A..B.X#
        #b....#..#..#
        #############
        ",
    ),
    (
        1,
        6,
        "
        #########
        #.@.....#
        #.......#
        ####.####
        >.......#
        #####.###
        #.......#
        #...X...#
        #########
        ",
    ),
    (
        1,
        6,
        "
        ###########
        #...#.....#
        #.@.A.###.#
        #...#.###.#
        #.a.#.###.#
        ###.#####.#
        >.....=...#
        #########.#
        #######X..#
        ###########
        ",
    ),
    (
        2,
        5,
        "
        ##########
        #.a.@.A.b#
        #.###.####
        #...#.B.X#
        ##########
        ",
    ),
    (
        2,
        5,
        "
        ##########
        #..@.A..X#
        #.##.#####
        >.....####
        ####a#####
        ##########
        ",
    ),
];

const FLOOR: Color = Color::of(0);
const WALL: Color = Color::of(10);
const COLORS: [Color; 2] = [Color::of(12), Color::of(14)];
const BEAM: Color = Color::of(8);

const WALKER: Sprite = Sprite::of(&[".##.", ".##.", "####", "#..#"]);
const LIVING: Color = Color::of(5);
const GHOSTLY: Color = Color::of(15);
const PLATE: Sprite = Sprite::of(&["....", "####", "####", "...."]);
const GATE: Sprite = Sprite::of(&["#4#4", "#4#4", "#4#4", "#4#4"]);
const OPEN_GATE: Sprite = Sprite::of(&["#...", "....", "....", "#..."]);
const EXIT: Sprite = Sprite::of(&["9999", "9bb9", "9bb9", "9bb9"]);
const SOURCE: Sprite = Sprite::of(&["44..", "4488", "4488", "44.."]);
const GRILLE: Sprite = Sprite::of(&["aaaa", "....", "....", "aaaa"]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Echo {
    map: Map,
    /// Steps from each cell to the door out, all gates open.
    far: Map,
    walker: Cell,
    /// Steps since the start, up to the end of the longest tape.
    clock: usize,
    /// Recordings left, the running one included.
    spare: u8,
    /// Steps one recording can hold.
    reel: usize,
    /// Where the walker was after each step so far; nothing once there is no recording left.
    tape: Vec<Cell>,
    /// The tapes of the ghosts.
    ghosts: Vec<Vec<Cell>>,
}

impl Echo {
    fn parse(spare: u8, reel: usize, text: &str) -> Echo {
        let map = Map::parse(text);
        Echo {
            walker: map.the(b'@'),
            far: distances(&map),
            clock: 0,
            spare,
            reel,
            tape: Vec::new(),
            ghosts: Vec::new(),
            map,
        }
    }

    /// Where the ghosts are by now.
    fn haunted(&self) -> impl Iterator<Item = Cell> {
        let start = self.map.the(b'@');
        let place = move |tape: &Vec<Cell>| match self.clock {
            0 => start,
            clock => tape[clock.min(tape.len()) - 1],
        };
        self.ghosts.iter().map(place)
    }

    /// Whether the gate in a cell is open.
    fn is_open(&self, glyph: u8) -> bool {
        let pressed = |cell: Cell| self.map.glyph(cell) == glyph.to_ascii_lowercase();
        self.haunted().chain([self.walker]).any(pressed)
    }

    fn takes_walker(&self, cell: Cell) -> bool {
        match self.map.glyph(cell) {
            b'#' | b'>' | b'=' => false,
            glyph @ (b'A' | b'B') => self.is_open(glyph),
            _ => true,
        }
    }

    /// The cells that beams shine through, up to a wall, a gate or a ghost.
    fn beams(&self) -> Vec<Cell> {
        let haunted: Vec<Cell> = self.haunted().collect();
        let stops = |cell: &Cell| matches!(self.map.glyph(*cell), b'#' | b'A' | b'B') || haunted.contains(cell);
        let shine = |source: Cell| (source.x + 1..).map(move |x| Cell::at(x, source.y));
        self.map.find(b'>').flat_map(|source| shine(source).take_while(|cell| !stops(cell))).collect()
    }

    /// Whether a ghost still has something to do.
    fn is_moving(&self) -> bool {
        self.ghosts.iter().any(|tape| tape.len() > self.clock)
    }

    /// One step of time, with the walker where it is by now.
    fn tick(&mut self) {
        if self.is_moving() || self.spare > 0 {
            self.clock += 1;
        }
        if self.spare > 0 {
            self.tape.push(self.walker);
        }
    }

    /// Ends the recording: a new ghost, and all back at the start.
    fn rewind(&mut self, film: &mut Film<Self>) {
        film.shoot(self);
        self.ghosts.push(std::mem::take(&mut self.tape));
        self.spare -= 1;
        while self.clock > 0 {
            self.clock -= 1;
            film.shoot(self);
        }
        self.walker = self.map.the(b'@');
    }

    fn step(&mut self, dir: Dir, film: &mut Film<Self>) -> Verdict {
        let ahead = self.walker + dir;
        if self.takes_walker(ahead) {
            self.walker = ahead;
        } else if !self.is_moving() {
            return Verdict::Playing;
        }
        self.tick();
        if self.map.glyph(self.walker) == b'X' {
            return Verdict::Solved;
        }
        let is_hit = self.beams().contains(&self.walker);
        if is_hit && self.spare == 0 {
            return Verdict::Lost;
        }
        if is_hit || self.tape.len() == self.reel {
            self.rewind(film);
        }
        Verdict::Playing
    }
}

impl Echo {
    /// One pip for each step a recording can hold, in the colour of beams where it is used.
    fn draw_reel(&self, scene: &mut Scene, recording: i16, used: usize) {
        for (step, at) in (0..self.reel).zip(0..) {
            let color = if step < used { BEAM } else { GHOSTLY };
            scene.pixel(Cell::at(0, 0), (2 + 2 * at, 2 * recording), color);
        }
    }
}

/// Steps from each cell to the door out, as glyphs.
fn distances(map: &Map) -> Map {
    let passes = |cell: Cell| !matches!(map.glyph(cell), b'#' | b'>' | b'=');
    let mut steps = Board::new(map.width(), map.height(), |_| u8::MAX);
    let mut wave: Vec<Cell> = map.find(b'X').collect();
    for distance in 0.. {
        if wave.is_empty() {
            break;
        }
        wave.retain(|cell| passes(*cell) && steps[*cell] == u8::MAX);
        for cell in &wave {
            steps[*cell] = distance;
        }
        wave = wave.iter().flat_map(|cell| Dir::ALL.map(|dir| *cell + dir)).collect();
        wave.sort_unstable();
        wave.dedup();
    }
    Map::from(steps)
}

impl Title for Echo {
    const ABOUT: About = About {
        stem: "e835",
        title: "Echo",
        families: &[Family::Walls, Family::Ghost, Family::FarSwitch],
        controls: ARROWS_AND_SPACE,
        optimal: &[10, 15, 15, 23, 16, 16],
        bar: Some(Bar {
            edge: Edge::Top,
            thickness: 1,
            full: Color::of(9),
            empty: Color::of(2),
            drain: Drain::Effective,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        let (spare, reel, map) = LEVELS[index];
        Echo::parse(spare, reel, map)
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        match input {
            Input::Move(dir) => return self.step(dir, film),
            Input::Act if self.spare > 0 && !self.tape.is_empty() => self.rewind(film),
            _ => {}
        }
        Verdict::Playing
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(FLOOR);
        for (cell, glyph) in self.map.iter() {
            match *glyph {
                b'#' => scene.cell(cell, WALL),
                b'a' | b'b' => scene.sprite(cell, PLATE.tinted(COLORS[usize::from(glyph - b'a')])),
                b'A' | b'B' => {
                    let gate = if self.is_open(*glyph) { OPEN_GATE } else { GATE };
                    scene.sprite(cell, gate.tinted(COLORS[usize::from(glyph - b'A')]));
                }
                b'X' => scene.sprite(cell, EXIT),
                b'>' => scene.sprite(cell, SOURCE),
                b'=' => scene.sprite(cell, GRILLE),
                _ => {}
            }
        }
        self.beams().into_iter().for_each(|cell| scene.rectangle(cell, (0, 1), (4, 2), BEAM));
        self.haunted().for_each(|cell| scene.sprite(cell, WALKER.tinted(GHOSTLY)));
        scene.sprite(self.walker, WALKER.tinted(LIVING));
        for recording in 0..self.spare {
            let used = if recording == 0 { self.tape.len() } else { 0 };
            self.draw_reel(scene, i16::from(recording), used);
        }
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 4).framed(WALL)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.into_iter().chain([Input::Act]).collect()
    }

    /// At least the way out from here, or from the start after the space bar.
    fn bound(&self) -> u32 {
        let from = |cell: Cell| u32::from(self.far.glyph(cell));
        if self.spare == 0 { from(self.walker) } else { from(self.walker).min(1 + from(self.map.the(b'@'))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::prove;

    fn after(spare: u8, text: &str, inputs: &str) -> (Echo, Verdict) {
        let mut echo = Echo::parse(spare, 9, text);
        let input = |key| match key {
            'u' => Input::Move(Dir::Up),
            'd' => Input::Move(Dir::Down),
            'l' => Input::Move(Dir::Left),
            'r' => Input::Move(Dir::Right),
            _ => Input::Act,
        };
        let verdict = inputs.chars().map(input).fold(Verdict::Playing, |_, it| echo.act(it, &mut Film::blank()));
        (echo, verdict)
    }

    #[test]
    fn a_ghost_walks_as_recorded_and_stays_at_the_end() {
        let (echo, _) = after(1, "a.@..AX", "ll.r");
        assert_eq!(echo.haunted().collect::<Vec<_>>(), [Cell::at(1, 0)]);
        assert_eq!(after(1, "a.@..AX", "ll.rr").0.haunted().next(), Some(Cell::at(0, 0)));
        assert_eq!(after(1, "a.@..AX", "ll.rrrr").1, Verdict::Solved);
    }

    #[test]
    fn waiting_at_a_wall_passes_time_only_while_a_ghost_moves() {
        let (echo, _) = after(1, "#@..", "rr.lll");
        assert_eq!((echo.walker, echo.clock), (Cell::at(1, 0), 2));
    }

    #[test]
    fn a_beam_ends_the_recording_and_is_stopped_by_its_ghost() {
        let map = "
            #@.#
            >..X
        ";
        let (echo, verdict) = after(1, map, "d");
        assert_eq!((verdict, echo.spare, echo.walker), (Verdict::Playing, 0, Cell::at(1, 0)));
        assert_eq!(after(1, map, "ddr").1, Verdict::Playing);
        assert_eq!(after(1, map, "ddrr").1, Verdict::Solved);
        assert_eq!(after(0, map, "d").1, Verdict::Lost);
    }

    #[test]
    fn every_recording_is_needed() {
        for (spare, reel, map) in LEVELS {
            assert!(prove(&Echo::parse(spare - 1, reel, map)).is_err());
        }
    }
}
