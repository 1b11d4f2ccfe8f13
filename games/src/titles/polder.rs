//! Polder: rain for the fields, of which each has to become a pond.
//!
//! A click pours a drop from the sky. It fills all of the land around which dykes close; from land that is open to the
//! edge of the map it runs off, and it seeps away where sheep graze. Levels add, one after the other: fields; gaps in
//! dykes, and few drops to spare; stones, and fields within fields; pastures; a labyrinth; a labyrinth with all of it.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{About, Board, Cell, Dice, Dir, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View};

/// One level.
#[derive(Debug)]
struct Plan {
    /// `.` land, `,` pasture, `s` a sheep on it, `#` dyke, `o` stone.
    land: &'static str,
    /// How many drops there are.
    drops: u8,
}

const LEVELS: [Plan; 6] = [
    Plan {
        land: "
            .....................
            ..#######............
            ..#.....#...######...
            ..#.....#...#....#...
            ..#.....#...#....#...
            ..#.....#...#....#...
            ..#######...#....###.
            ............#......#.
            ............#......#.
            ............########.
            .....................
            ...##########........
            ...#........#........
            ...#..####..#........
            ...#..#..#..#........
            ...#..#..#..#........
            ...####..####........
            .....................
            .....................
        ",
        drops: 8,
    },
    Plan {
        land: "
            .....................
            .########...#######..
            .#......#...#.....#..
            .#......#...#.....#..
            .#......#...###...#..
            .#...####.....#...#..
            .#...#........#...#..
            .#####....######..#..
            ..........#.......#..
            .########.#....####..
            .#......#.######.....
            .#......#............
            .###.####..########..
            ...........#......#..
            .#####.....#..#####..
            .#...#.....#..#......
            .#...###...#..#####..
            .#.....#...#.........
            .#######...########..
        ",
        drops: 5,
    },
    Plan {
        land: "
            .....................
            .###########..#####..
            .#.........#..#...#..
            .#.#######.#..#.o.#..
            .#.#.....#.#..#...#..
            .#.#.....#.#..#...#..
            .#.#.....#.#..##.##..
            .#.#######.#.........
            .#.........#.........
            .###########..#####..
            ..............#...#..
            .###.#######..#.o.#..
            .#.........#..#...#..
            .#.#######.#..#...#..
            .#.#.....#.#..#.o.#..
            .#.#.....#.#..#...#..
            .#.#######.#..#.o.#..
            .#.........#..#...#..
            .###########..#####..
        ",
        drops: 6,
    },
    Plan {
        land: "
            .....................
            .#########..########.
            .#,,,,,,,#..#......#.
            .#,#####,#..#..##..#.
            .#,#...#,#..#..##..#.
            .#,#...#,#..#......#.
            .#,#...#,#..####.###.
            .#,#####,#...........
            .#,,,,s,,#..########.
            .#########..#,,,,,,#.
            ............#,,s,,,#.
            .########...#,,,,,,#.
            .#......#...####,,,#.
            .#..#...#......#,,,#.
            .#..#####......#####.
            .#..#.....######.....
            .#..#######....#####.
            .#........#........#.
            .###################.
        ",
        drops: 5,
    },
    Plan {
        land: "
            .....................
            .###################.
            .#.#...........#...#.
            .#.###.#.#########.#.
            .#.#...#.#.#.........
            .#.#.#.#.#.###.#####.
            .#.#.#.#.#.....#...#.
            .#.#######.###.#.###.
            .#.#...#.#.#.#.#...#.
            .#.###.#.###.###.###.
            .#.....#.....#...#.#.
            .#####.#.#.#####.#.#.
            .#...#.#.#.#.....#.#.
            .#.#.###.#########.#.
            .#.#...#.....#.....#.
            .#.#######.###.o.###.
            .#.......#.#.......#.
            .#######.###########.
            .....................
        ",
        drops: 7,
    },
    Plan {
        land: "
            .....................
            .###################.
            .#.#.......#,,,,,s,#.
            .#.#.###.###,#,#####.
            .#.#.#,#...#,#,#.#.#.
            .#.###,#####,#,#.#.#.
            .#.#.#s,,#.#,#,#...#.
            .#.#.#,###.#####.#.#.
            .#...#,#.#...#...#.#.
            .#.###,#.#.#########.
            ...#,,,#.#...........
            .###,###.###########.
            .#.#,#.#.#...........
            .#.###.#.#.#.#######.
            .#...#...#.#.#.....#.
            .###.#########.#####.
            .#.........#.......#.
            .###################.
            .....................
        ",
        drops: 7,
    },
];

/// Cells of the picture each way, rows of it that are sky, and logical pixels a cell is wide.
const SIDE: i16 = 21;
const SKY: i16 = 2;
const TILE: i16 = 3;
/// Rings of land that a drop reaches in a pasture.
const SEEP: usize = 3;

const AIR: Color = Color::of(10);
const WATER: Color = Color::of(9);
const LAND: Color = Color::of(11);
const PASTURE: Color = Color::of(14);
const DYKE: Color = Color::of(13);
const STONE: Color = Color::of(3);

const DROP: Sprite = Sprite::of(&[".##.", "####", "####", ".##."]);
const SHEEP: Sprite = Sprite::of(&["005", "000", "5.5"]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Polder {
    /// The land as it is, `w` where water stands.
    land: Board<u8>,
    /// Drops that are left.
    drops: u8,
}

impl Polder {
    fn of(land: &str, drops: u8) -> Polder {
        Polder { land: Board::clone(&Map::parse(land)), drops }
    }

    fn is_pasture(&self, cell: Cell) -> bool {
        matches!(self.land.get(cell), Some(b',' | b's'))
    }

    fn is_dry(&self, cell: Cell) -> bool {
        self.is_pasture(cell) || self.land.get(cell) == Some(&b'.')
    }

    /// Where water goes from a cell, in rings: the cells that are one, two, … steps away.
    fn rings(&self, from: Cell) -> Vec<Vec<Cell>> {
        let mut reached = vec![from];
        let mut rings = vec![vec![from]];
        while let Some(last) = rings.last().filter(|last| !last.is_empty()) {
            let mut next = Vec::new();
            for cell in last.iter().flat_map(|cell| Dir::ALL.map(|dir| *cell + dir)) {
                let goes_on = self.is_dry(cell) && self.is_pasture(cell) == self.is_pasture(from);
                if goes_on && !reached.contains(&cell) {
                    reached.push(cell);
                    next.push(cell);
                }
            }
            rings.push(next);
        }
        rings.pop();
        rings
    }

    /// Whether land ends here, so that water runs off.
    fn is_edge(&self, cell: Cell) -> bool {
        let (width, height) = (self.land.width(), self.land.height());
        cell.x == 0 || cell.y == 0 || cell.x + 1 == width || cell.y + 1 == height
    }

    /// The first cell of each field that is still to be filled.
    fn fields(&self) -> Vec<Cell> {
        let mut seen = Board::new(self.land.width(), self.land.height(), |_| false);
        let mut fields = Vec::new();
        for cell in self.land.find(b'.') {
            if !seen[cell] {
                let region = self.rings(cell).concat();
                for at in &region {
                    seen[*at] = true;
                }
                fields.extend((!region.iter().any(|at| self.is_edge(*at))).then_some(cell));
            }
        }
        fields
    }

    /// Pours a drop on a dry cell: it spreads, and stays only where it fills a field.
    fn pour(&mut self, at: Cell, film: &mut Film<Self>) {
        let dry = self.land.clone();
        let mut rings = self.rings(at);
        let end = rings.iter().position(|ring| ring.iter().any(|cell| self.is_edge(*cell)));
        let stays = end.is_none() && !self.is_pasture(at);
        rings.truncate(if self.is_pasture(at) { SEEP } else { end.map_or(rings.len(), |last| last + 1) });
        for ring in rings {
            for cell in ring {
                self.land[cell] = b'w';
            }
            film.shoot(self);
        }
        if !stays {
            self.land = dry;
        }
    }

    fn draw_sky(&self, scene: &mut Scene) {
        scene.block(Cell::at(0, 0), SIDE, SKY, AIR);
        for column in 0..i16::from(self.drops) {
            scene.sprite(Cell::at(2 * column + 1, 0), DROP.tinted(WATER));
        }
    }
}

impl Title for Polder {
    const ABOUT: About = About {
        stem: "p387",
        title: "Polder",
        families: &[Family::Fill, Family::Counter],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[3, 3, 4, 3, 5, 5],
        bar: None,
    };

    fn level(level: usize, _: &mut Dice) -> Self {
        Polder::of(LEVELS[level].land, LEVELS[level].drops)
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Click(Cell { x, y }) = input else { return Verdict::Playing };
        let at = Cell::at(x, y - SKY);
        if !self.is_dry(at) {
            return Verdict::Playing;
        }
        self.drops -= 1;
        self.pour(at, film);
        match (self.fields().is_empty(), self.drops) {
            (true, _) => Verdict::Solved,
            (false, 0) => Verdict::Lost,
            _ => Verdict::Playing,
        }
    }

    fn draw(&self, scene: &mut Scene) {
        self.draw_sky(scene);
        for (Cell { x, y }, glyph) in self.land.iter() {
            let color = match glyph {
                b'#' => DYKE,
                b'o' => STONE,
                b'w' => WATER,
                b',' | b's' => PASTURE,
                _ => LAND,
            };
            scene.cell(Cell::at(x, y + SKY), color);
            if *glyph == b's' {
                scene.sprite(Cell::at(x, y + SKY), SHEEP);
            }
        }
    }

    fn view(&self) -> View {
        View::of(SIDE, SIDE, TILE).framed(LAND)
    }

    /// A click on each field, and one on land that is open.
    fn inputs(&self) -> Vec<Input> {
        let cells = self.fields().into_iter().chain([Cell::at(0, 0)]);
        cells.map(|Cell { x, y }| Input::Click(Cell::at(x, y + SKY))).collect()
    }

    fn bound(&self) -> u32 {
        self.fields().len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two fields, one of which has a gap, and a pasture.
    const MAP: &str = "
        ...............
        .###.####.####.
        .#.#.#..#.#,s#.
        .#.#.#.....,,#.
        .###.####.####.
        ...............
    ";

    fn click(polder: &mut Polder, x: i16, y: i16) -> Verdict {
        polder.act(Input::Click(Cell::at(x, y + SKY)), &mut Film::blank())
    }

    #[test]
    fn a_field_is_filled_as_a_whole_and_every_field_has_to_be() {
        let mut polder = Polder::level(0, &mut Dice::new(0, ""));
        assert_eq!(polder.fields().len(), 3);
        assert_eq!(click(&mut polder, 3, 2), Verdict::Playing);
        assert_eq!(polder.land.find(b'w').count(), 5 * 4);
        assert_eq!(click(&mut polder, 13, 3), Verdict::Playing);
        assert_eq!(click(&mut polder, 4, 12), Verdict::Solved);
    }

    #[test]
    fn drops_that_run_off_or_seep_away_are_gone() {
        let start = Polder::of(MAP, 4);
        let mut polder = start.clone();
        for (x, y) in [(0, 0), (6, 2), (12, 3)] {
            assert_eq!(click(&mut polder, x, y), Verdict::Playing);
        }
        assert_eq!(polder, Polder { drops: 1, ..start });
        assert_eq!(click(&mut polder.clone(), 0, 0), Verdict::Lost);
        assert_eq!(click(&mut polder, 2, 3), Verdict::Solved);
    }

    #[test]
    fn dykes_stones_and_ponds_take_no_drop() {
        let mut polder = Polder::level(2, &mut Dice::new(0, ""));
        click(&mut polder, 2, 2);
        let start = polder.clone();
        for (x, y) in [(2, 2), (1, 1), (16, 3), (0, -1)] {
            assert_eq!(click(&mut polder, x, y), Verdict::Playing);
        }
        assert_eq!(polder, start);
    }

    #[test]
    fn water_is_seen_to_spread_and_to_run_off() {
        let mut film = Film::loaded();
        let mut polder = Polder::of(MAP, 4);
        polder.act(Input::Click(Cell::at(6, 2 + SKY)), &mut film);
        assert!(film.shots().iter().any(|shot| shot.land[Cell::at(9, 3)] == b'w'), "it leaves by the gap");
        assert!(polder.land.find(b'w').next().is_none());
    }
}
