//! Mains: a ring goes over a wall of pipes, the space bar turns the tile under it, and every sink wants its water.
//!
//! Water fills whatever is joined to its source. Levels add, one after the other: a second sink, and tiles that branch;
//! tiles that are bolted to the wall; water of two colours, which must not meet; all of it together.

use env_client::Color;

use crate::engine::{
    ARROWS_AND_SPACE, About, Bar, Board, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Title, Verdict,
    View,
};

/// One level, as two maps of one size. What lies around the wall is their rim.
struct Plan {
    /// `-` `|` straight pipes, `L` `r` `7` `J` bends, `^` `>` `v` `<` branches by where their arm points, `+` a cross; in
    /// the rim `A` `B` sources and `a` `b` their sinks.
    pipes: &'static str,
    /// `o` a bolted tile, `@` where the ring begins.
    marks: &'static str,
}

const PLANS: [Plan; 5] = [
    Plan {
        pipes: "
            .....
            A-7L.
            .L-r.
            .r7-a
            .....
        ",
        marks: "
            .....
            .....
            .@...
            .....
            .....
        ",
    },
    Plan {
        pipes: "
            ..A...
            .J-LL.
            .|v-|a
            .J7LJ.
            .r|--.
            ...a..
        ",
        marks: "
            ......
            ....@.
            ......
            ......
            ......
            ......
        ",
    },
    Plan {
        pipes: "
            ...a..
            .rJJ7.
            A>J||.
            .-<rL.
            .r-JJa
            ......
        ",
        marks: "
            ......
            .@....
            ......
            ...o..
            ..o...
            ......
        ",
    },
    Plan {
        pipes: "
            ..B....
            .rrJ-L.
            A-rLL|.
            .<|+7-b
            .L||>7.
            ..a....
        ",
        marks: "
            .......
            ....o..
            .......
            .......
            .....@.
            .......
        ",
    },
    Plan {
        pipes: "
            .b...B.
            .r|L>-.
            .rLr-L.
            A->r+7.
            .7|J--a
            .||7<|.
            ..a....
        ",
        marks: "
            .......
            .......
            ....o..
            ...@...
            ..o..o.
            .......
            .......
        ",
    },
];

/// Logical pixels a tile is wide, and a pipe in the middle of it.
const TILE: i16 = 9;
const PIPE: i16 = 3;

const GROUND: Color = Color::of(15);
const RIM: Color = Color::of(6);
const FACE: Color = Color::of(7);
const DRY: Color = Color::of(0);
const BOLT: Color = Color::of(5);
const RING: Color = Color::of(11);
/// What is in a pipe: the water of the first source, of the second, or of both.
const WATERS: [Color; 3] = [Color::of(9), Color::of(12), Color::of(13)];

/// The sides of a tile that its pipe leads to, a bit each as in [`bit`].
type Sides = u8;

/// What a cell holds of the waters, a bit each.
type Water = u8;

fn bit(dir: Dir) -> Sides {
    1 << dir.quarter_turns()
}

fn turned(sides: Sides, turns: u8) -> Sides {
    ((sides << turns) | (sides >> (4 - turns))) & 0b1111
}

/// The sides of a tile of the wall.
fn sides(glyph: u8) -> Sides {
    match glyph {
        b'|' => 0b0101,
        b'-' => 0b1010,
        b'L' => 0b0011,
        b'r' => 0b0110,
        b'7' => 0b1100,
        b'J' => 0b1001,
        b'^' => 0b1011,
        b'>' => 0b0111,
        b'v' => 0b1110,
        b'<' => 0b1101,
        b'+' => 0b1111,
        _ => 0,
    }
}

fn color(water: Water) -> Color {
    if water == 0 { DRY } else { WATERS[usize::from(water) - 1] }
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Mains {
    /// As the level begins; sources and sinks are read from it.
    pipes: Map,
    marks: Map,
    ring: Cell,
    /// The sides of every tile; none in the rim.
    wall: Board<Sides>,
}

impl Mains {
    fn of(plan: &Plan) -> Mains {
        let (pipes, marks) = (Map::parse(plan.pipes), Map::parse(plan.marks));
        let wall = Board::new(pipes.width(), pipes.height(), |cell| sides(pipes[cell]));
        Mains { ring: marks.the(b'@'), pipes, marks, wall }
    }

    fn is_tile(&self, cell: Cell) -> bool {
        (1..self.wall.width() - 1).contains(&cell.x) && (1..self.wall.height() - 1).contains(&cell.y)
    }

    /// From a cell of the rim to the wall.
    fn inwards(&self, cell: Cell) -> Dir {
        Dir::ALL.into_iter().find(|dir| self.is_tile(cell + *dir)).unwrap_or(Dir::Up)
    }

    /// The sources with their sinks, and the water that they are about.
    fn waters(&self) -> impl Iterator<Item = (Water, Cell, Vec<Cell>)> {
        let sources = [(1, b'A'), (2, b'B')].into_iter();
        let found = sources.filter_map(|(water, glyph)| Some((water, glyph, self.pipes.find(glyph).next()?)));
        found.map(|(water, glyph, source)| (water, source, self.pipes.find(glyph.to_ascii_lowercase()).collect()))
    }

    /// Where water is that comes from a source: on tiles, and in the rim behind their open ends.
    fn flow(&self, water: Water, source: Cell, wet: &mut Board<Water>) {
        let mut open = vec![(source, self.inwards(source))];
        wet[source] |= water;
        while let Some((cell, dir)) = open.pop() {
            let next = cell + dir;
            if !self.is_tile(next) {
                wet[next] |= water;
            } else if wet[next] & water == 0 && self.wall[next] & bit(dir.opposite()) != 0 {
                wet[next] |= water;
                open.extend(Dir::ALL.into_iter().filter(|dir| self.wall[next] & bit(*dir) != 0).map(|dir| (next, dir)));
            }
        }
    }

    fn wet(&self) -> Board<Water> {
        let mut wet = Board::new(self.wall.width(), self.wall.height(), |_| 0);
        self.waters().for_each(|(water, source, _)| self.flow(water, source, &mut wet));
        wet
    }

    fn is_solved(&self) -> bool {
        let wet = self.wet();
        self.waters().all(|(water, _, sinks)| sinks.into_iter().all(|sink| wet[sink] == water))
    }

    /// Inputs until a tile leads from one side to another: its turns, and a step of the ring onto it.
    fn price(&self, cell: Cell, through: Sides) -> Option<u32> {
        let turns = (0..4).find(|turns| turned(self.wall[cell], *turns) & through == through)?;
        match turns {
            0 => Some(0),
            _ if self.marks[cell] == b'o' => None,
            _ => Some(u32::from(turns) + u32::from(cell != self.ring)),
        }
    }

    /// Inputs at least until water can go from a source to each cell of the rim, along a way of its own.
    fn prices(&self, source: Cell) -> Board<u32> {
        const NONE: u32 = u32::MAX;
        let mut least = Board::new(self.wall.width(), self.wall.height(), |_| [NONE; 4]);
        let mut rim = Board::new(self.wall.width(), self.wall.height(), |_| NONE);
        let mut open = vec![(source + self.inwards(source), self.inwards(source), 0)];
        while let Some((cell, dir, price)) = open.pop() {
            if !self.is_tile(cell) {
                rim[cell] = price.min(rim[cell]);
                continue;
            }
            let known = &mut least[cell][usize::from(dir.quarter_turns())];
            if price >= *known {
                continue;
            }
            *known = price;
            for next in Dir::ALL.into_iter().filter(|next| *next != dir.opposite()) {
                let own = self.price(cell, bit(dir.opposite()) | bit(next));
                open.extend(own.map(|own| (cell + next, next, price + own)));
            }
        }
        rim
    }

    fn draw_tile(&self, scene: &mut Scene, cell: Cell, water: Water) {
        scene.cell(cell, RIM);
        scene.inset(cell, 1, FACE);
        let sides = self.wall[cell];
        if sides != 0 {
            scene.rectangle(cell, (PIPE, PIPE), (PIPE, PIPE), color(water));
        }
        for dir in Dir::ALL.into_iter().filter(|dir| sides & bit(*dir) != 0) {
            draw_arm(scene, cell, dir, color(water));
        }
        if self.marks[cell] == b'o' {
            for at in [(1, 1), (6, 1), (1, 6), (6, 6)] {
                scene.rectangle(cell, at, (2, 2), BOLT);
            }
        }
    }

    fn draw_rim(&self, scene: &mut Scene, wet: &Board<Water>) {
        for (water, source, sinks) in self.waters() {
            scene.inset(source, 1, color(water));
            draw_arm(scene, source, self.inwards(source), color(water));
            for sink in sinks {
                scene.inset(sink, 1, color(water));
                draw_arm(scene, sink, self.inwards(sink), color(water));
                scene.inset(sink, 2, color(wet[sink]));
            }
        }
    }

    fn draw_ring(&self, scene: &mut Scene) {
        let last = TILE - 1;
        for (at, size) in [((0, 0), (TILE, 1)), ((0, last), (TILE, 1)), ((0, 0), (1, TILE)), ((last, 0), (1, TILE))] {
            scene.rectangle(self.ring, at, size, RING);
        }
    }
}

/// A pipe from the middle of a cell to one of its sides.
fn draw_arm(scene: &mut Scene, cell: Cell, dir: Dir, color: Color) {
    let (dx, dy) = dir.delta();
    scene.rectangle(cell, (PIPE + PIPE * dx, PIPE + PIPE * dy), (PIPE, PIPE), color);
}

impl Title for Mains {
    const ABOUT: About = About {
        stem: "j419",
        title: "Mains",
        families: &[Family::SelectThenAct, Family::Fill],
        controls: ARROWS_AND_SPACE,
        optimal: &[5, 18, 19, 18, 28],
        bar: Some(Bar {
            edge: Edge::Right,
            thickness: 1,
            full: Color::of(14),
            empty: Color::of(3),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Mains::of(&PLANS[index])
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        match input {
            Input::Move(dir) if self.is_tile(self.ring + dir) => self.ring = self.ring + dir,
            Input::Act if self.marks[self.ring] != b'o' => self.wall[self.ring] = turned(self.wall[self.ring], 1),
            _ => {}
        }
        if self.is_solved() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        let wet = self.wet();
        scene.fill(GROUND);
        self.wall.cells().filter(|cell| self.is_tile(*cell)).for_each(|cell| self.draw_tile(scene, cell, wet[cell]));
        self.draw_rim(scene, &wet);
        self.draw_ring(scene);
    }

    fn view(&self) -> View {
        View::of(self.wall.width(), self.wall.height(), TILE).framed(GROUND)
    }

    fn inputs(&self) -> Vec<Input> {
        [Input::MOVES.as_slice(), &[Input::Act]].concat()
    }

    /// Two waters need tiles of their own; for one of them the dearest of its sinks counts.
    fn bound(&self) -> u32 {
        let dearest = |(_, source, sinks): (Water, Cell, Vec<Cell>)| {
            let rim = self.prices(source);
            sinks.into_iter().map(|sink| rim[sink]).max().unwrap_or_default()
        };
        self.waters().map(dearest).fold(0, u32::saturating_add).min(1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::prove;

    const RIGHT: Input = Input::Move(Dir::Right);

    fn level(pipes: &'static str, marks: &'static str) -> Mains {
        Mains::of(&Plan { pipes, marks })
    }

    fn play(mains: &mut Mains, inputs: &[Input]) -> Verdict {
        inputs.iter().fold(Verdict::Playing, |_, input| mains.act(*input, &mut Film::blank()))
    }

    #[test]
    fn the_levels_take_as_many_inputs_as_is_written() {
        let optimal: Vec<u32> = PLANS.iter().map(|plan| prove(&Mains::of(plan)).map_or(0, |it| it.optimal())).collect();
        assert_eq!(optimal, Mains::ABOUT.optimal);
    }

    #[test]
    fn four_turns_change_nothing_and_a_cross_never_changes() {
        for glyph in b"-|Lr7J^>v<+" {
            assert_eq!((0..4).fold(sides(*glyph), |it, _| turned(it, 1)), sides(*glyph));
        }
        let start = level("...\n.+.\n.L.\n...", "...\n.@.\n...\n...");
        let mut mains = start.clone();
        play(&mut mains, &[Input::Act]);
        assert_eq!(mains, start);
    }

    #[test]
    fn the_ring_stays_on_the_wall_and_bolted_tiles_stay_as_they_are() {
        let mut mains = level("....\nA-|a\n....", "....\n.@o.\n....");
        assert_eq!(play(&mut mains, &[RIGHT, RIGHT, Input::Act]), Verdict::Playing);
        assert_eq!((mains.ring, mains.wall[Cell::at(2, 1)]), (Cell::at(2, 1), sides(b'|')));
    }

    #[test]
    fn water_fills_what_is_joined_and_solves_when_it_reaches_the_sink() {
        let mut mains = level("....\nA-|a\n....", "....\n.@..\n....");
        let count = |mains: &Mains| mains.wet().iter().filter(|(_, water)| **water != 0).count();
        assert_eq!(count(&mains), 2);
        assert_eq!(play(&mut mains, &[RIGHT, Input::Act]), Verdict::Solved);
        assert_eq!(count(&mains), 4);
    }

    #[test]
    fn waters_that_meet_are_worth_nothing() {
        let mut mains = level("..B..\nA-<-a\n.....", ".....\n..@..\n.....");
        for water in [3, 2] {
            assert_eq!(play(&mut mains, &[Input::Act]), Verdict::Playing);
            assert_eq!(mains.wet()[Cell::at(4, 1)], water);
        }
        assert_eq!(play(&mut mains, &[Input::Act]), Verdict::Solved);
    }
}
