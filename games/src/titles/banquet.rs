//! Banquet: a table is laid well where both sides of the ribbon look the same.
//!
//! A click takes up a dish, and another one exchanges it with what stands elsewhere. Who looks along the ribbon has to see each
//! dish again on the other side, in its mirror image. Levels add, one after the other: places that stay bare; dishes that are pegged
//! to the table; a second ribbon across the first; a ribbon from corner to corner, and dishes on it; two of those, and all of it together.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{About, Bar, Cell, Dice, Drain, Edge, Family, Film, Input, Scene, Sprite, Title, Verdict, View};

/// How a ribbon lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ribbon {
    Upright,
    Across,
    Falling,
    Rising,
}

/// One level.
#[derive(Debug)]
struct Plan {
    /// Logical pixels of the table's side.
    side: i16,
    ribbons: &'static [Ribbon],
    /// The corner of one place each, that has the others of a word below as its mirror images.
    places: &'static [(i16, i16)],
    /// The dishes on a place and on its mirror images: `a` `b` `c` `d`, `.` a bare place, a capital a pegged dish.
    dishes: &'static str,
}

const LEVELS: [Plan; 6] = [
    Plan { side: 32, ribbons: &[Ribbon::Upright], places: &[(1, 2), (5, 12), (1, 22)], dishes: "ab bc ca" },
    Plan {
        side: 64,
        ribbons: &[Ribbon::Upright],
        places: &[(3, 8), (18, 5), (8, 25), (19, 19), (4, 44), (17, 50)],
        dishes: "a. .d .a cc db b.",
    },
    Plan {
        side: 64,
        ribbons: &[Ribbon::Across],
        places: &[(4, 19), (16, 6), (20, 21), (31, 9), (39, 21), (50, 5), (52, 19)],
        dishes: "Aa cc aC b. D. ca bd",
    },
    Plan {
        side: 64,
        ribbons: &[Ribbon::Upright, Ribbon::Across],
        places: &[(3, 15), (11, 4), (18, 18), (28, 6), (5, 28)],
        dishes: "adda bdbd b.ba cc .a",
    },
    Plan {
        side: 64,
        ribbons: &[Ribbon::Falling],
        places: &[(28, 28), (8, 8), (20, 5), (33, 4), (50, 9), (34, 18), (46, 24), (52, 38), (50, 50)],
        dishes: "d b .a bc ca bd A. dc c",
    },
    Plan {
        side: 64,
        ribbons: &[Ribbon::Falling, Ribbon::Rising],
        places: &[(28, 5), (41, 5), (28, 17), (5, 5), (40, 16), (28, 28)],
        dishes: "adda cDd. ccbc a. bb a",
    },
];

/// Logical pixels of a dish.
const SIZE: i16 = 8;

const CLOTH: Color = Color::of(0);
const RIBBON: Color = Color::of(6);
const BARE: Color = Color::of(2);
const PEG: Color = Color::of(5);
const TAKEN: Color = Color::of(11);

const DISHES: [(Color, Sprite); 4] = [
    (
        Color::of(9),
        Sprite::of(&["..####..", ".######.", "##....##", "##.aa.##", "##.aa.##", "##....##", ".######.", "..####.."]),
    ),
    (
        Color::of(14),
        Sprite::of(&["...##...", "..####..", ".######.", "###cc###", "###cc###", ".######.", "..####..", "...##..."]),
    ),
    (
        Color::of(13),
        Sprite::of(&["########", "#......#", "#.####.#", "#.####.#", "#.####.#", "#.####.#", "#......#", "########"]),
    ),
    (
        Color::of(8),
        Sprite::of(&["##....##", "###..###", ".######.", "..#77#..", "..#77#..", ".######.", "###..###", "##....##"]),
    ),
];
const DOILY: Sprite =
    Sprite::of(&["........", "........", "...##...", "..#..#..", "..#..#..", "...##...", "........", "........"]);

impl Ribbon {
    /// The corner of the place that lies opposite.
    fn opposite(self, corner: Cell, side: i16) -> Cell {
        let far = side - SIZE;
        let Cell { x, y } = corner;
        match self {
            Ribbon::Upright => Cell::at(far - x, y),
            Ribbon::Across => Cell::at(x, far - y),
            Ribbon::Falling => Cell::at(y, x),
            Ribbon::Rising => Cell::at(far - y, far - x),
        }
    }

    fn draw(self, scene: &mut Scene, side: i16) {
        for at in 0..side {
            match self {
                Ribbon::Upright => scene.block(Cell::at(side / 2 - 1, at), 2, 1, RIBBON),
                Ribbon::Across => scene.block(Cell::at(at, side / 2 - 1), 1, 2, RIBBON),
                Ribbon::Falling => scene.block(Cell::at(at - 1, at), 3, 1, RIBBON),
                Ribbon::Rising => scene.block(Cell::at(side - 2 - at, at), 3, 1, RIBBON),
            }
        }
    }
}

impl Plan {
    /// The corners of a place and of its mirror images, each once.
    fn images(&self, place: usize) -> Vec<Cell> {
        let (x, y) = self.places[place];
        let mut images = vec![Cell::at(x, y)];
        for ribbon in self.ribbons {
            for it in 0..images.len() {
                let image = ribbon.opposite(images[it], self.side);
                if !images.contains(&image) {
                    images.push(image);
                }
            }
        }
        images
    }

    /// The place whose dish a logical pixel lies on.
    fn hit(&self, at: Cell) -> Option<Place> {
        let is_on = |corner: Cell| (0..SIZE).contains(&(at.x - corner.x)) && (0..SIZE).contains(&(at.y - corner.y));
        (0..self.places.len()).find_map(|word| Some((word, self.images(word).into_iter().position(is_on)?)))
    }
}

/// A word of the plan, and a dish in it.
type Place = (usize, usize);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Table {
    level: usize,
    /// For each place of the plan what stands there and on its mirror images.
    dishes: Vec<Vec<u8>>,
    /// The dish that was taken up.
    taken: Option<Place>,
}

/// Whether the same stands on all of these places.
fn is_alike(dishes: &[u8]) -> bool {
    dishes.iter().all(|it| it.eq_ignore_ascii_case(&dishes[0]))
}

impl Table {
    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    fn places(&self) -> impl Iterator<Item = (Place, Cell, u8)> {
        let words = self.dishes.iter().enumerate();
        words.flat_map(|(word, dishes)| {
            let images = self.plan().images(word).into_iter().zip(dishes).enumerate();
            images.map(move |(it, (corner, dish))| ((word, it), corner, *dish))
        })
    }

    fn click(&mut self, place: Place) {
        let dish = self.dishes[place.0][place.1];
        match self.taken {
            _ if dish.is_ascii_uppercase() => {}
            Some(taken) if taken == place => self.taken = None,
            Some(taken) => {
                self.dishes[place.0][place.1] = self.dishes[taken.0][taken.1];
                self.dishes[taken.0][taken.1] = dish;
                self.taken = None;
            }
            None if dish == b'.' => {}
            None => self.taken = Some(place),
        }
    }

    /// The places that do not look like all their mirror images.
    fn odd(&self) -> u32 {
        self.dishes.iter().filter(|it| !is_alike(it)).count() as u32
    }
}

fn draw_dish(scene: &mut Scene, corner: Cell, dish: u8) {
    let kind = dish.to_ascii_lowercase().checked_sub(b'a').and_then(|it| DISHES.get(usize::from(it)));
    match kind {
        Some((color, sprite)) => scene.sprite(corner, sprite.tinted(*color)),
        None => scene.sprite(corner, DOILY.tinted(BARE)),
    }
    if dish.is_ascii_uppercase() {
        for (dx, dy) in [(-1, -1), (SIZE, -1), (-1, SIZE), (SIZE, SIZE)] {
            scene.cell(Cell::at(corner.x + dx, corner.y + dy), PEG);
        }
    }
}

fn draw_ring(scene: &mut Scene, corner: Cell) {
    let Cell { x, y } = corner;
    for (dx, dy, width, height) in [(0, -1, SIZE, 1), (0, SIZE, SIZE, 1), (-1, 0, 1, SIZE), (SIZE, 0, 1, SIZE)] {
        scene.block(Cell::at(x + dx, y + dy), width, height, TAKEN);
    }
}

impl Title for Table {
    const ABOUT: About = About {
        stem: "b752",
        title: "Banquet",
        families: &[Family::Mirror, Family::SelectThenAct],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[4, 6, 6, 10, 8, 10],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(15),
            empty: Color::of(3),
            drain: Drain::Every,
        }),
    };

    fn level(level: usize, _: &mut Dice) -> Self {
        let dishes = LEVELS[level].dishes.split(' ').map(|word| word.bytes().collect()).collect();
        Table { level, dishes, taken: None }
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        if let Input::Click(at) = input {
            self.plan().hit(at).into_iter().for_each(|place| self.click(place));
        }
        if self.odd() == 0 { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(CLOTH);
        for ribbon in self.plan().ribbons {
            ribbon.draw(scene, self.plan().side);
        }
        for (place, corner, dish) in self.places() {
            draw_dish(scene, corner, dish);
            if self.taken == Some(place) {
                draw_ring(scene, corner);
            }
        }
    }

    fn view(&self) -> View {
        View::of(self.plan().side, self.plan().side, 1)
    }

    fn inputs(&self) -> Vec<Input> {
        let middle = |corner: Cell| Cell::at(corner.x + SIZE / 2, corner.y + SIZE / 2);
        self.places().map(|(_, corner, _)| Input::Click(middle(corner))).collect()
    }

    /// Two clicks exchange two dishes, and make two places and their mirror images alike at best.
    fn bound(&self) -> u32 {
        (2 * self.odd().div_ceil(2)).saturating_sub(u32::from(self.taken.is_some()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(index: usize) -> Table {
        Table::level(index, &mut Dice::new(0, ""))
    }

    fn text(table: &Table) -> String {
        let words = table.dishes.iter().map(|it| String::from_utf8(it.clone()).unwrap());
        words.collect::<Vec<String>>().join(" ")
    }

    #[test]
    fn two_clicks_exchange_two_dishes() {
        let mut table = level(0);
        table.click((0, 0));
        table.click((0, 0));
        assert_eq!(table, level(0));
        table.click((0, 1));
        table.click((2, 1));
        assert_eq!((text(&table).as_str(), table.taken), ("aa bc cb", None));
    }

    #[test]
    fn bare_places_are_moved_to_alone_and_pegged_dishes_stay() {
        let mut table = level(2);
        table.click((3, 1));
        table.click((0, 0));
        assert_eq!(table, level(2));
        table.click((1, 0));
        table.click((2, 1));
        assert_eq!(table.taken, Some((1, 0)));
        table.click((3, 1));
        assert_eq!(text(&table), "Aa .c aC bc D. ca bd");
    }

    #[test]
    fn every_place_has_room_and_a_word_as_long_as_its_images() {
        for (index, plan) in LEVELS.iter().enumerate() {
            let (table, side) = (level(index), plan.side);
            let corners: Vec<Cell> = (0..table.dishes.len()).flat_map(|it| plan.images(it)).collect();
            assert_eq!(corners.len(), table.dishes.iter().map(Vec::len).sum::<usize>(), "level {index}");
            for (it, one) in corners.iter().enumerate() {
                assert!([one.x, one.y].iter().all(|at| (1..side - SIZE).contains(at)), "level {index}: {one:?}");
                let is_near = |other: &Cell| one.x.abs_diff(other.x).max(one.y.abs_diff(other.y)) < 10;
                assert!(!corners[..it].iter().any(is_near), "level {index}: {one:?} stands too near");
            }
        }
    }

    #[test]
    fn a_table_laid_well_looks_the_same_in_the_mirror() {
        for (index, plan) in LEVELS.iter().enumerate() {
            let mut table = level(index);
            table.dishes.iter_mut().for_each(|word| {
                let first = word[0];
                word.fill(first);
            });
            let (side, mut scene) = (plan.side, Scene::new(table.view()));
            table.draw(&mut scene);
            let picture: Vec<Color> = scene.logical().cells().to_vec();
            let at = |x: i16, y: i16| picture[(y * side + x) as usize];
            for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
                for ribbon in plan.ribbons {
                    let image = ribbon.opposite(Cell::at(x, y), side + SIZE - 1);
                    assert_eq!(at(x, y), at(image.x, image.y), "level {index}, {ribbon:?}: {x} {y}");
                }
            }
        }
    }
}
