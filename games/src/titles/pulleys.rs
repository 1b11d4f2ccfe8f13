//! Pulleys: a mouse rides in baskets to its cheese.
//!
//! Baskets of one colour hang on one rope. A click on a wheel pulls up the basket below it, and with it goes all else on
//! the rope: what hangs on the other end goes down. As soon as the place to its right is level with the mouse, it hops
//! over there. Levels add, one after the other: a rope; two ropes; ropes that cross; ledges where a basket gets no
//! further; large wheels, which pull twice as far; a third rope, and all of it.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{About, Bar, Cell, Dice, Drain, Edge, Family, Film, Input, Scene, Sprite, Title, Verdict, View};

/// What there is at one place, from left to right. Heights are counted from the top.
#[derive(Debug)]
struct Column {
    /// Which rope its basket hangs on, and how far one click pulls it up (on the other end: down). A shelf hangs on none.
    rope: Option<(usize, i16)>,
    /// Its height at the start, and the heights that ledges leave to it.
    start: i16,
    room: (i16, i16),
}

impl Column {
    const fn within(self, first: i16, last: i16) -> Column {
        Column { room: (first, last), ..self }
    }
}

const fn basket(rope: usize, pull: i16, start: i16) -> Column {
    Column { rope: Some((rope, pull)), start, room: (0, LOWEST) }
}

const fn shelf(start: i16) -> Column {
    Column { rope: None, start, room: (0, LOWEST) }
}

/// The cheese lies at the last place.
const LEVELS: [&[Column]; 6] = [
    &[basket(0, 1, 7), basket(0, -1, 1), shelf(6)],
    &[basket(0, 1, 8), basket(0, -1, 2), basket(1, 1, 1), basket(1, -1, 7), shelf(2)],
    &[basket(0, 1, 8), basket(1, 1, 1), basket(0, -1, 2), basket(1, -1, 5), shelf(0)],
    &[
        basket(0, 1, 8).within(5, 8),
        basket(1, 1, 2),
        basket(0, -1, 1),
        shelf(3),
        basket(1, -1, 7).within(2, 8),
        shelf(8),
    ],
    &[basket(0, 1, 8), basket(1, 2, 0), basket(0, -1, 1), basket(1, -1, 1), shelf(0)],
    &[
        basket(0, 1, 8),
        basket(1, 2, 0),
        basket(2, 1, 5).within(2, 5),
        basket(0, -1, 3),
        basket(2, -1, 0),
        basket(1, -1, 2),
        shelf(2),
    ],
];

/// The lowest height, the rows of the picture in which wheels and the highest mouse are, and its side, in cells.
const LOWEST: i16 = 8;
const WHEELS: i16 = 2;
const TOP: i16 = 5;
const SIDE: i16 = 16;
/// Columns of cells that a place is wide, and logical pixels a cell is wide.
const PITCH: i16 = 2;
const TILE: i16 = 4;

const WALL: Color = Color::of(10);
const BEAM: Color = Color::of(13);
const WOOD: Color = Color::of(5);
const ROPES: [Color; 3] = [Color::of(8), Color::of(14), Color::of(15)];

const SMALL: Sprite = Sprite::of(&["........", "..####..", ".##00##.", ".#0##0#.", ".#0##0#.", ".##00##.", "..####.."]);
const LARGE: Sprite =
    Sprite::of(&["..####..", ".######.", "###00###", "##0##0##", "##0##0##", "###00###", ".######.", "..####.."]);
const BASKET: Sprite = Sprite::of(&[".######.", ".#.##.#.", ".##..##.", "..####.."]);
const MOUSE: Sprite = Sprite::of(&["..22.22.", "..22222.", ".222252.", ".222226."]);
const CHEESE: Sprite = Sprite::of(&[".....bb.", "...bbbb.", ".bb4bbb.", ".bbbb4b."]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Barn {
    level: usize,
    /// The height of each place, and at which one the mouse is.
    heights: Vec<i16>,
    mouse: usize,
}

impl Barn {
    fn plan(&self) -> &'static [Column] {
        LEVELS[self.level]
    }

    fn last(&self) -> usize {
        self.plan().len() - 1
    }

    /// The column of cells at which the places begin.
    fn left(&self) -> i16 {
        (SIDE - PITCH * self.plan().len() as i16) / 2
    }

    /// Where a place has this height, or, counted on upwards, its wheel.
    fn cell(&self, place: usize, row: i16) -> Cell {
        Cell::at(self.left() + PITCH * place as i16, row)
    }

    /// The place whose wheel covers a cell.
    fn wheel_at(&self, cell: Cell) -> Option<usize> {
        let place = usize::try_from((cell.x - self.left()).div_euclid(PITCH)).ok()?;
        ((WHEELS..WHEELS + 2).contains(&cell.y) && self.plan().get(place)?.rope.is_some()).then_some(place)
    }

    /// Pulls the basket of a place up, if everything on its rope has room.
    fn pull(&mut self, place: usize) {
        let Some((rope, up)) = self.plan()[place].rope else { return };
        let moved = |(column, height): (&Column, &i16)| match column.rope {
            Some((other, pull)) if other == rope => height - pull * up.signum(),
            _ => *height,
        };
        let heights: Vec<i16> = self.plan().iter().zip(&self.heights).map(moved).collect();
        let is_free = |(column, height): (&Column, &i16)| (column.room.0..=column.room.1).contains(height);
        if self.plan().iter().zip(&heights).all(is_free) {
            self.heights = heights;
        }
    }

    /// The mouse hops on while the next place is level with its own.
    fn hop(&mut self, film: &mut Film<Self>) {
        while self.mouse < self.last() && self.heights[self.mouse] == self.heights[self.mouse + 1] {
            film.shoot(self);
            self.mouse += 1;
        }
    }

    /// The beam, with the ropes from wheel to wheel.
    fn draw_beam(&self, scene: &mut Scene) {
        scene.block(Cell::at(0, 0), SIDE, WHEELS, BEAM);
        for (rope, color) in ROPES.into_iter().enumerate() {
            let on = |place: &usize| self.plan()[*place].rope.is_some_and(|(other, _)| other == rope);
            let places: Vec<usize> = (0..self.plan().len()).filter(on).collect();
            let y = 1 + 2 * rope as i16;
            if let [first, .., last] = places[..] {
                let width = PITCH * TILE * (last - first) as i16;
                scene.rectangle(self.cell(first, 0), (3, y), (width + 2, 1), color);
            }
            for place in places {
                scene.rectangle(self.cell(place, 0), (3, y), (2, WHEELS * TILE - y), color);
            }
        }
    }

    /// A place below the beam: its wheel, its ledges, and its basket or shelf.
    fn draw_place(&self, scene: &mut Scene, place: usize) {
        let (column, height) = (&self.plan()[place], self.heights[place]);
        let seat = self.cell(place, TOP + height + 1);
        let Some((rope, pull)) = column.rope else {
            scene.rectangle(seat, (0, 0), (PITCH * TILE, 2), WOOD);
            return;
        };
        let color = ROPES[rope];
        scene.rectangle(self.cell(place, WHEELS + 1), (3, 0), (2, TILE * (TOP + height - WHEELS)), color);
        scene.sprite(self.cell(place, WHEELS), if pull.abs() > 1 { LARGE } else { SMALL }.tinted(color));
        scene.sprite(seat, BASKET.tinted(color));
        if column.room.0 > 0 {
            let above = self.cell(place, TOP + column.room.0 - 1);
            for left in [0, 5] {
                scene.rectangle(above, (left, 2), (3, 2), WOOD);
            }
        }
        if column.room.1 < LOWEST {
            scene.rectangle(self.cell(place, TOP + column.room.1 + 2), (0, 0), (PITCH * TILE, 2), WOOD);
        }
    }
}

impl Title for Barn {
    const ABOUT: About = About {
        stem: "w624",
        title: "Pulleys",
        families: &[Family::FarSwitch, Family::Twins],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[5, 9, 13, 15, 15, 16],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(9),
            empty: Color::of(3),
            drain: Drain::Every,
        }),
    };

    fn level(level: usize, _: &mut Dice) -> Self {
        Barn { level, heights: LEVELS[level].iter().map(|column| column.start).collect(), mouse: 0 }
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Click(cell) = input else { return Verdict::Playing };
        if let Some(place) = self.wheel_at(cell) {
            self.pull(place);
            self.hop(film);
        }
        if self.mouse == self.last() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(WALL);
        self.draw_beam(scene);
        (0..self.plan().len()).for_each(|place| self.draw_place(scene, place));
        if self.mouse < self.last() {
            scene.sprite(self.cell(self.last(), TOP + self.heights[self.last()]), CHEESE);
        }
        scene.sprite(self.cell(self.mouse, TOP + self.heights[self.mouse]), MOUSE);
    }

    fn view(&self) -> View {
        View::of(SIDE, SIDE, TILE)
    }

    /// A click on each wheel.
    fn inputs(&self) -> Vec<Input> {
        let wheels = (0..self.plan().len()).filter(|place| self.plan()[*place].rope.is_some());
        wheels.map(|place| Input::Click(self.cell(place, WHEELS))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::prove;

    fn level(index: usize) -> Barn {
        Barn::level(index, &mut Dice::new(0, ""))
    }

    /// Clicks on the wheels of these places, one after the other, and what the last one came to.
    fn pulled(barn: &mut Barn, places: &[usize]) -> Verdict {
        let click = |barn: &mut Barn, place: usize| {
            let wheel = barn.cell(place, WHEELS + 1);
            barn.act(Input::Click(wheel), &mut Film::blank())
        };
        places.iter().map(|place| click(barn, *place)).last().unwrap()
    }

    #[test]
    fn a_wheel_pulls_up_what_hangs_below_it_and_lets_the_other_end_down() {
        let mut barn = level(0);
        assert_eq!(pulled(&mut barn, &[0, 0]), Verdict::Playing);
        assert_eq!(barn.heights, [5, 3, 6]);
        assert_eq!(pulled(&mut barn, &[1, 1, 1]), Verdict::Playing);
        assert_eq!((barn.heights[0], barn.heights[1]), (8, 0));
        assert_eq!(pulled(&mut barn, &[1]), Verdict::Playing);
        assert_eq!((barn.heights[0], barn.heights[1]), (8, 0), "no further");
    }

    #[test]
    fn the_mouse_hops_as_soon_as_the_next_place_is_level() {
        let mut barn = level(0);
        pulled(&mut barn, &[0, 0]);
        assert_eq!(barn.mouse, 0);
        pulled(&mut barn, &[0]);
        assert_eq!((barn.mouse, barn.heights[1]), (1, 4));
        assert_eq!(pulled(&mut barn, &[0, 0]), Verdict::Solved);
    }

    #[test]
    fn large_wheels_pull_twice_as_far_and_ledges_hold_both_ends() {
        let mut large = level(4);
        pulled(&mut large, &[3]);
        assert_eq!((large.heights[1], large.heights[3]), (2, 0));
        let mut held = level(3);
        pulled(&mut held, &[0, 0, 0, 0]);
        assert_eq!((held.heights[0], held.heights[2]), (5, 4));
    }

    #[test]
    fn whatever_was_pulled_the_cheese_can_be_had() {
        for index in 0..LEVELS.len() {
            let mut barn = level(index);
            let mut dice = Dice::new(7, "pulleys");
            for _ in 0..200 {
                let inputs = barn.inputs();
                let input = inputs[dice.below(inputs.len())];
                if barn.act(input, &mut Film::blank()) == Verdict::Solved {
                    break;
                }
            }
            assert!(barn.mouse == barn.last() || prove(&barn).is_ok(), "level {index}");
        }
    }
}
