//! Tarn: a lake that takes the colour of what is poured into it, and swallows the fields of that colour beside it.
//!
//! A click on a pot pours it out: the water with the fish in it takes the pot's colour, and the fields of this colour that lie beside
//! it are water from then on. In the end all fields have to be under water. Levels add, one after the other: more fields; rocks,
//! which are never flooded; a fourth colour; two lakes that are filled by the same pot; five colours.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{About, Bar, Cell, Dice, Drain, Edge, Family, Film, Input, Scene, Sprite, Title, Verdict, View};

/// Fields by their colours, `a` to `e`, in capitals where a fish is; `#` rocks. And the pixels of a field's side.
const LEVELS: [(&[&str], i16); 6] = [
    (&["aaaba", "aAabb", "bcabb", "aaaba"], 8),
    (&["aaabbc", "baacca", "aaaccc", "aaaccA", "aaaabb"], 8),
    (&["acbbccc", "##aaacc", "aaabaca", "acccc#c", "acccc#c", "c#ccBcc"], 7),
    (&["ccddccd", "c#ddc#d", "#cccccb", "ddbbacb", "aaabbac", "acccccc", "adddDcc"], 7),
    (&["ddbdd#dd", "dd#dcdcd", "ddaAddac", "#d#aadaa", "b#ccaccc", "b#bbAacc", "bbbbaaca"], 6),
    (&["bbbc#bbbb", "bbbc#dbbb", "babccccab", "b#aeecccb", "baaeecbbb", "bbaabcabb", "Eba#bbbb#", "#edbdcbbb"], 6),
];

const COLORS: [Color; 5] = [Color::of(14), Color::of(11), Color::of(6), Color::of(10), Color::of(8)];
const EARTH: Color = Color::of(13);
const ROCK: Color = Color::of(3);
const GLAZE: Color = Color::of(0);
const FISH: Color = Color::of(1);

/// Where the land begins, and where the pots stand.
const CORNER: (i16, i16) = (1, 4);
const SHELF: i16 = 57;
const POT: (i16, i16) = (6, 7);
const SIDE: i16 = 64;

const SWIMMER: Sprite = Sprite::of(&["#.", "##"]);
const JUG: Sprite = Sprite::of(&["#....#", "######"]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tarn {
    level: usize,
    /// The colour of every place, row after row, by number; `None` for rocks.
    fields: Vec<Option<u8>>,
}

impl Tarn {
    fn rows(&self) -> &'static [&'static str] {
        LEVELS[self.level].0
    }

    fn columns(&self) -> usize {
        self.rows()[0].len()
    }

    fn letters(&self) -> impl Iterator<Item = u8> + use<> {
        self.rows().iter().flat_map(|row| row.bytes())
    }

    /// The places where fish are.
    fn fish(&self) -> impl Iterator<Item = usize> + use<> {
        self.letters().enumerate().filter(|it| it.1.is_ascii_uppercase()).map(|it| it.0)
    }

    fn beside(&self, place: usize) -> impl Iterator<Item = usize> + use<> {
        let columns = self.columns();
        let all = [
            place.checked_sub(columns),
            (place % columns + 1 < columns).then_some(place + 1),
            Some(place + columns).filter(|it| *it < self.fields.len()),
            (!place.is_multiple_of(columns)).then(|| place - 1),
        ];
        all.into_iter().flatten()
    }

    /// All places under water.
    fn water(&self) -> Vec<usize> {
        let mut water: Vec<usize> = self.fish().collect();
        let mut next = 0;
        while let Some(place) = water.get(next).copied() {
            next += 1;
            for other in self.beside(place) {
                if self.fields[other] == self.fields[place] && !water.contains(&other) {
                    water.push(other);
                }
            }
        }
        water
    }

    fn pour(&mut self, color: u8) {
        for place in self.water() {
            self.fields[place] = Some(color);
        }
    }

    /// How many colours there are in this level.
    fn pots(&self) -> u8 {
        self.letters().filter(u8::is_ascii_alphabetic).map(|it| it.to_ascii_lowercase() - b'a' + 1).max().unwrap_or(0)
    }

    fn is_flooded(&self) -> bool {
        let mut colors = self.fields.iter().flatten();
        let first = colors.next();
        colors.all(|it| Some(it) == first)
    }
}

/// The corner of a pot.
fn pot(index: u8) -> Cell {
    Cell::at(SHELF, 5 + 11 * i16::from(index))
}

impl Title for Tarn {
    const ABOUT: About = About {
        stem: "t947",
        title: "Tarn",
        families: &[Family::Fill, Family::FarSwitch],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[3, 4, 5, 6, 6, 8],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(12),
            empty: Color::of(4),
            drain: Drain::Effective,
        }),
    };

    fn level(level: usize, _: &mut Dice) -> Self {
        let tarn = Tarn { level, fields: Vec::new() };
        let field = |letter: u8| (letter != b'#').then(|| letter.to_ascii_lowercase() - b'a');
        Tarn { fields: tarn.letters().map(field).collect(), ..tarn }
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        if let Input::Click(at) = input {
            let is_in = |it: &u8| {
                let corner = pot(*it);
                (corner.x..corner.x + POT.0).contains(&at.x) && (corner.y..corner.y + POT.1).contains(&at.y)
            };
            if let Some(color) = (0..self.pots()).find(is_in) {
                self.pour(color);
            }
        }
        if self.is_flooded() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(EARTH);
        let side = LEVELS[self.level].1;
        let corner = |place: usize| {
            let (x, y) = ((place % self.columns()) as i16, (place / self.columns()) as i16);
            Cell::at(CORNER.0 + side * x, CORNER.1 + side * y)
        };
        for (place, field) in self.fields.iter().enumerate() {
            scene.block(corner(place), side, side, field.map_or(ROCK, |it| COLORS[usize::from(it)]));
        }
        for place in self.fish() {
            let Cell { x, y } = corner(place);
            scene.sprite(Cell::at(x + side / 2 - 1, y + side / 2 - 1), SWIMMER.tinted(FISH));
        }
        for index in 0..self.pots() {
            let Cell { x, y } = pot(index);
            scene.sprite(Cell::at(x, y), JUG.tinted(GLAZE));
            scene.block(Cell::at(x, y + 2), POT.0, POT.1 - 2, COLORS[usize::from(index)]);
        }
    }

    fn view(&self) -> View {
        View::of(SIDE, SIDE, 1)
    }

    fn inputs(&self) -> Vec<Input> {
        (0..self.pots()).map(pot).map(|Cell { x, y }| Input::Click(Cell::at(x + 2, y + 4))).collect()
    }

    /// Each colour that is not that of the water has to be poured.
    fn bound(&self) -> u32 {
        let water = self.fish().next().and_then(|it| self.fields[it]);
        (0..self.pots()).filter(|it| Some(*it) != water && self.fields.contains(&Some(*it))).count() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poured(level: usize, colors: &[u8]) -> Tarn {
        let mut tarn = Tarn::level(level, &mut Dice::new(0, ""));
        for color in colors {
            tarn.pour(*color);
        }
        tarn
    }

    #[test]
    fn water_swallows_the_fields_of_its_colour_beside_it() {
        assert_eq!(poured(0, &[]).water().len(), 10);
        assert_eq!(poured(0, &[1]).water().len(), 17);
        assert!(poured(0, &[1, 2, 0]).is_flooded());
    }

    #[test]
    fn both_lakes_are_filled() {
        let before = poured(4, &[]).water().len();
        let after = poured(4, &[2]);
        assert!(after.water().len() > before);
        assert!(after.fish().all(|it| after.fields[it] == Some(2)));
    }

    #[test]
    fn all_land_lies_left_of_the_pots_and_above_the_bar() {
        for (rows, side) in &LEVELS {
            assert!(rows.iter().all(|row| row.len() == rows[0].len()));
            assert!(CORNER.0 + side * (rows[0].len() as i16) < SHELF && CORNER.1 + side * (rows.len() as i16) < SIDE);
        }
    }
}
