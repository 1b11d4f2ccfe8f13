//! Panes: the right pane has to become what the left one tells, by clicks that change a cell and keys that shift all.
//!
//! A click puts the next glass into a cell; a key shifts the whole pane, and what leaves it comes back on the other
//! side. Levels add, one after the other: a third glass, and bolts, under which no click reaches; a mirror between
//! the panes; a reference at half the scale; a drawn key that tells which glass stands for which; all but the scale.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Board, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Title, Verdict, View,
};

/// One level.
#[derive(Debug)]
struct Plan {
    /// The left pane, in glasses `0`, `1`, ….
    reference: &'static str,
    /// The right pane at the start.
    start: &'static str,
    /// `*` where the right pane has a bolt.
    bolts: &'static str,
    /// How many glasses a cell goes through.
    glasses: u8,
    /// Whether the right pane is a mirror image.
    mirrored: bool,
    /// Cells of the right pane for one cell of the left, each way.
    scale: i16,
    /// What glass on the right stands for each one on the left.
    key: &'static [u8],
}

const PLAIN: Plan =
    Plan { reference: "", start: "", bolts: "", glasses: 3, mirrored: false, scale: 1, key: &[0, 1, 2, 3] };

const LEVELS: [Plan; 6] = [
    Plan {
        reference: "
            010
            111
            010
        ",
        start: "
            110
            101
            011
        ",
        glasses: 2,
        ..PLAIN
    },
    Plan {
        reference: "
            1001
            0220
            0220
            1001
        ",
        start: "
            0110
            2002
            2102
            0012
        ",
        bolts: "
            ....
            .**.
            .**.
            ....
        ",
        ..PLAIN
    },
    Plan {
        reference: "
            1100
            1220
            1002
            1111
        ",
        start: "
            2001
            0021
            1110
            0011
        ",
        bolts: "
            *..*
            ....
            ....
            *..*
        ",
        mirrored: true,
        ..PLAIN
    },
    Plan {
        reference: "
            01
            20
        ",
        start: "
            0110
            0012
            2002
            2010
        ",
        bolts: "
            .*..
            ...*
            *...
            ..*.
        ",
        scale: 2,
        ..PLAIN
    },
    Plan {
        reference: "
            0123
            1230
            2301
        ",
        start: "
            2301
            2010
            0123
        ",
        bolts: "
            ....
            *.*.
            ....
        ",
        glasses: 4,
        key: &[2, 0, 3, 1],
        ..PLAIN
    },
    Plan {
        reference: "
            0012
            0123
            1230
            2300
        ",
        start: "
            1233
            3301
            2233
            2031
        ",
        bolts: "
            *..*
            ..*.
            .*..
            *..*
        ",
        glasses: 4,
        mirrored: true,
        key: &[1, 3, 0, 2],
        ..PLAIN
    },
];

const WALL: Color = Color::of(1);
const LEAD: Color = Color::of(5);
const MIRROR: Color = Color::of(0);
const SHEEN: Color = Color::of(10);
const BOLT: Color = Color::of(4);
const GLASSES: [Color; 4] = [Color::of(7), Color::of(9), Color::of(11), Color::of(14)];

/// Logical pixels a cell is wide.
const TILE: i16 = 5;

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Panes {
    level: usize,
    bolts: Map,
    /// What the right pane has to be.
    wanted: Map,
    pane: Board<u8>,
}

impl Panes {
    fn of(level: usize) -> Panes {
        let plan = &LEVELS[level];
        let pane = Board::clone(&Map::parse(plan.start));
        let wanted = Map::from(wanted(plan, pane.width(), pane.height()));
        Panes { level, bolts: Map::parse(plan.bolts), wanted, pane }
    }

    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    /// The top left cell of the right pane.
    fn corner(&self) -> Cell {
        Cell::at(self.pane.width() + 2, 1)
    }

    /// Whether a cell of the pane is under a bolt.
    fn is_bolted(&self, cell: Cell) -> bool {
        self.bolts.get(cell) == Some(&b'*')
    }

    /// Puts the next glass into a cell of the pane.
    fn advance(&mut self, cell: Cell) {
        let glasses = self.plan().glasses;
        if let Some(glass) = self.pane.get_mut(cell) {
            *glass = b'0' + (*glass - b'0' + 1) % glasses;
        }
    }

    /// Shifts the pane by one cell.
    fn shift(&mut self, dir: Dir) {
        let (width, height) = (self.pane.width(), self.pane.height());
        let from = |cell: Cell| {
            let Cell { x, y } = cell + dir.opposite();
            Cell::at(x.rem_euclid(width), y.rem_euclid(height))
        };
        self.pane = Board::new(width, height, |cell| self.pane[from(cell)]);
    }

    fn is_solved(&self) -> bool {
        self.pane == *self.wanted
    }

    /// Clicks that would do if the wanted pane lay shifted by some columns and rows and nothing was bolted.
    fn clicks(&self, dx: i16, dy: i16) -> u32 {
        let (width, height, glasses) = (self.pane.width(), self.pane.height(), self.plan().glasses);
        let missing = |(cell, glass): (Cell, &u8)| {
            let wanted = self.wanted[Cell::at((cell.x + dx).rem_euclid(width), (cell.y + dy).rem_euclid(height))];
            u32::from((wanted + glasses - glass) % glasses)
        };
        self.pane.iter().map(missing).sum()
    }

    fn draw_reference(&self, scene: &mut Scene) {
        let reference = Map::parse(self.plan().reference);
        let (width, height) = (self.pane.width(), self.pane.height());
        scene.rectangle(Cell::at(1, 1), (-1, -1), (width * TILE + 2, height * TILE + 2), LEAD);
        scene.block(Cell::at(1, 1), width, height, WALL);
        let (left, top) = ((width - reference.width()) * TILE / 2, (height - reference.height()) * TILE / 2);
        for (cell, glass) in reference.iter() {
            let offset = (left + cell.x * TILE, top + cell.y * TILE);
            scene.rectangle(Cell::at(1, 1), offset, (TILE, TILE), color(*glass));
        }
    }

    fn draw_pane(&self, scene: &mut Scene) {
        let corner = self.corner();
        let size = (self.pane.width() * TILE + 1, self.pane.height() * TILE + 1);
        scene.rectangle(corner, (-1, -1), size, LEAD);
        for (cell, glass) in self.pane.iter() {
            let place = Cell::at(corner.x + cell.x, corner.y + cell.y);
            scene.rectangle(place, (0, 0), (TILE - 1, TILE - 1), color(*glass));
            if self.is_bolted(cell) {
                scene.rectangle(place, (1, 1), (2, 2), BOLT);
            }
        }
    }

    /// The strip between the panes: it shines where it is a mirror.
    fn draw_divide(&self, scene: &mut Scene) {
        let middle = Cell::at(self.pane.width() + 1, 0);
        let height = (self.pane.height() + 2) * TILE;
        if self.plan().mirrored {
            scene.rectangle(middle, (0, 0), (3, height), MIRROR);
            (0..height).for_each(|y| scene.pixel(middle, (y % 3, y), SHEEN));
        }
    }

    /// Pairs of glasses, the left one as in the reference; nothing where they are equal anyway.
    fn draw_key(&self, scene: &mut Scene) {
        let plan = self.plan();
        if (0..).zip(plan.key).all(|(index, glass)| index == *glass) {
            return;
        }
        for (index, glass) in (0i16..).zip(plan.key) {
            let place = Cell::at(1 + 2 * index, self.pane.height() + 2);
            scene.rectangle(place, (0, 1), (3, 3), GLASSES[index as usize]);
            scene.pixel(place, (3, 2), LEAD);
            scene.rectangle(place, (4, 1), (3, 3), GLASSES[usize::from(*glass)]);
        }
    }
}

/// The right pane that a reference asks for.
fn wanted(plan: &Plan, width: i16, height: i16) -> Board<u8> {
    let reference = Map::parse(plan.reference);
    Board::new(width, height, |cell| {
        let x = if plan.mirrored { width - 1 - cell.x } else { cell.x };
        let glass = reference[Cell::at(x / plan.scale, cell.y / plan.scale)];
        b'0' + plan.key[usize::from(glass - b'0')]
    })
}

fn color(glass: u8) -> Color {
    GLASSES[usize::from(glass - b'0')]
}

impl Title for Panes {
    const ABOUT: About = About {
        stem: "m437",
        title: "Panes",
        families: &[Family::Reference, Family::ColorCycle, Family::Mirror],
        controls: ActionSet::of(&[
            ActionId::Action1,
            ActionId::Action2,
            ActionId::Action3,
            ActionId::Action4,
            ActionId::Action6,
        ]),
        optimal: &[3, 6, 10, 7, 12, 19],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(15),
            empty: Color::of(2),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Panes::of(index)
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        match input {
            Input::Move(dir) => self.shift(dir),
            Input::Click(Cell { x, y }) => {
                let corner = self.corner();
                let cell = Cell::at(x - corner.x, y - corner.y);
                if !self.is_bolted(cell) {
                    self.advance(cell);
                }
            }
            Input::Act => {}
        }
        if self.is_solved() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        self.draw_reference(scene);
        self.draw_pane(scene);
        self.draw_divide(scene);
        self.draw_key(scene);
    }

    fn view(&self) -> View {
        View::of(2 * self.pane.width() + 3, self.pane.height() + 3, TILE).framed(WALL)
    }

    fn inputs(&self) -> Vec<Input> {
        let corner = self.corner();
        let open = self.pane.cells().filter(|cell| !self.is_bolted(*cell));
        let clicks = open.map(|cell| Input::Click(Cell::at(corner.x + cell.x, corner.y + cell.y)));
        Input::MOVES.into_iter().chain(clicks).collect()
    }

    /// The cheapest shift together with its clicks.
    fn bound(&self) -> u32 {
        let (width, height) = (self.pane.width(), self.pane.height());
        let steps = |away: i16, side: i16| away.min(side - away).unsigned_abs();
        let shifts = (0..height).flat_map(|dy| (0..width).map(move |dx| (dx, dy)));
        let cost = |(dx, dy)| self.clicks(dx, dy) + u32::from(steps(dx, width) + steps(dy, height));
        shifts.map(cost).min().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(panes: &Panes) -> String {
        panes.pane.tiles().iter().map(|glass| char::from(*glass)).collect()
    }

    #[test]
    fn a_shift_wraps_around_and_comes_back() {
        let mut panes = Panes::of(0);
        panes.shift(Dir::Right);
        assert_eq!(text(&panes), "011110101");
        panes.shift(Dir::Left);
        assert_eq!(panes, Panes::of(0));
    }

    #[test]
    fn a_bolted_cell_is_changed_by_no_click() {
        let mut panes = Panes::of(1);
        let corner = panes.corner();
        panes.act(Input::Click(Cell::at(corner.x + 1, corner.y + 1)), &mut Film::blank());
        assert_eq!(panes, Panes::of(1));
        panes.act(Input::Click(corner), &mut Film::blank());
        assert_ne!(panes, Panes::of(1));
    }

    #[test]
    fn what_is_wanted_is_mirrored_scaled_and_recoloured() {
        let tiles = |level: usize, width, height| wanted(&LEVELS[level], width, height).tiles().to_vec();
        assert_eq!(tiles(2, 4, 4), b"0011022120011111");
        assert_eq!(tiles(3, 4, 4), b"0011001122002200");
        assert_eq!(tiles(4, 4, 3), b"203103123120");
    }
}
