//! Balloons: bellows blow balloons about, each of which has to float above the field of its colour.
//!
//! The sign on a bellows shows its gusts, one bar for each height of the sky: how far, and to which side. It blows only
//! where every balloon that it reaches has room for its gust. Levels add, one after the other: gusts that differ in
//! strength; bellows that blow at several heights; a third balloon; rocks; a fourth balloon; all of it together.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{About, Bar, Cell, Dice, Drain, Edge, Family, Film, Input, Scene, Sprite, Title, Verdict, View};

/// One level. Everything is told balloon by balloon, from the top of the sky down.
#[derive(Debug)]
struct Plan {
    /// How high they float, counted from the top.
    heights: &'static [i16],
    /// The first column of each at the start, and of the field it belongs to.
    start: &'static [i16],
    fields: &'static [i16],
    /// The first and the last column that rocks leave to it.
    room: &'static [(i16, i16)],
    /// How far each bellows blows each of them.
    bellows: &'static [&'static [i16]],
}

const OPEN: (i16, i16) = (0, SKY - WIDTH);

const LEVELS: [Plan; 7] = [
    Plan {
        heights: &[0, 2],
        start: &[3, 13],
        fields: &[9, 3],
        room: &[OPEN, OPEN],
        bellows: &[&[2, 0], &[-2, 0], &[0, -2], &[0, 2]],
    },
    Plan {
        heights: &[1, 3],
        start: &[2, 16],
        fields: &[14, 4],
        room: &[OPEN, OPEN],
        bellows: &[&[5, 0], &[-3, 0], &[0, -5], &[0, 3]],
    },
    Plan {
        heights: &[0, 2],
        start: &[4, 13],
        fields: &[13, 8],
        room: &[OPEN, OPEN],
        bellows: &[&[4, -1], &[-1, -3], &[-2, 4]],
    },
    Plan {
        heights: &[0, 1, 2],
        start: &[3, 10, 17],
        fields: &[8, 16, 3],
        room: &[OPEN, OPEN, OPEN],
        bellows: &[&[4, -2, 0], &[0, 3, -2], &[-1, 0, -4], &[0, -1, 3]],
    },
    Plan {
        heights: &[1, 2, 3],
        start: &[6, 9, 12],
        fields: &[10, 2, 15],
        room: &[(4, 18), (2, 12), (6, 16)],
        bellows: &[&[3, -3, 0], &[-2, 0, 3], &[0, 4, -3], &[1, -2, -1]],
    },
    Plan {
        heights: &[0, 1, 2, 3],
        start: &[2, 15, 6, 18],
        fields: &[13, 7, 18, 2],
        room: &[OPEN, OPEN, OPEN, OPEN],
        bellows: &[&[3, -2, 0, 0], &[0, -4, 3, 0], &[0, 0, 2, -3], &[-1, 0, 0, -2], &[2, 3, -1, 0]],
    },
    Plan {
        heights: &[0, 1, 2, 3],
        start: &[4, 14, 10, 17],
        fields: &[11, 6, 16, 1],
        room: &[(0, 17), (3, 20), (2, 16), (0, 20)],
        bellows: &[&[4, 0, -3, 0], &[-3, 2, 0, -2], &[0, -4, 1, 0], &[0, 1, 4, -3], &[2, 0, 0, -1]],
    },
];

/// Columns of the sky, of a balloon and of the whole picture, in cells of two logical pixels.
const SKY: i16 = 24;
const WIDTH: i16 = 4;
const SIDE: i16 = 32;
/// Rows from one height, or one bellows, to the next, and the row in which the ground begins.
const PITCH: i16 = 6;
const GROUND: i16 = 25;
const TILE: i16 = 2;

const AIR: Color = Color::of(10);
const CLOUD: Color = Color::of(0);
const ROCK: Color = Color::of(4);
const GRASS: Color = Color::of(14);
const SHED: Color = Color::of(3);
const PLATE: Color = Color::of(2);
const LINE: Color = Color::of(5);
const BRASS: Color = Color::of(12);
const COLORS: [Color; 4] = [Color::of(8), Color::of(11), Color::of(15), Color::of(6)];

const BALLOON: Sprite = Sprite::of(&[
    "........", "..####..", ".######.", "########", "########", ".######.", "..####..", "..d..d..", "..dddd..",
    "..dddd..",
]);
const PUFF: Sprite = Sprite::of(&["...###....", ".#######..", "##########", ".########."]);
const NOZZLE: Sprite = Sprite::of(&["..#", ".##", "###", "###", ".##", "..#"]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Balloons {
    level: usize,
    /// The first column of each balloon.
    places: Vec<i16>,
}

impl Balloons {
    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    /// Lets all balloons drift by these gusts, if each has room, a column at a time.
    fn blow(&mut self, gusts: &[i16], film: &mut Film<Self>) {
        let from = self.places.clone();
        let is_free = |((at, by), (first, last)): ((&i16, &i16), &(i16, i16))| (*first..=*last).contains(&(at + by));
        if !from.iter().zip(gusts).zip(self.plan().room).all(is_free) {
            return;
        }
        let steps = gusts.iter().map(|by| by.abs()).max().unwrap_or_default();
        for step in 1..=steps {
            self.places = from.iter().zip(gusts).map(|(at, by)| at + by * step / steps).collect();
            if step < steps {
                film.shoot(self);
            }
        }
    }

    fn draw_sky(&self, scene: &mut Scene) {
        scene.block(Cell::at(0, 0), SKY, GROUND, AIR);
        let plan = self.plan();
        for height in (0..4).filter(|height| !plan.heights.contains(height)) {
            scene.sprite(Cell::at(3 + 4 * height, PITCH * height + 1), PUFF.tinted(CLOUD));
            scene.sprite(Cell::at(17 - height, PITCH * height + 3), PUFF.tinted(CLOUD));
        }
        for (height, (first, last)) in plan.heights.iter().zip(plan.room) {
            scene.block(Cell::at(0, PITCH * height), *first, PITCH, ROCK);
            scene.block(Cell::at(last + WIDTH, PITCH * height), SKY - WIDTH - last, PITCH, ROCK);
        }
    }

    fn draw_ground(&self, scene: &mut Scene) {
        scene.block(Cell::at(0, GROUND), SKY, SIDE - GROUND, GRASS);
        for (column, color) in self.plan().fields.iter().zip(COLORS) {
            let corner = Cell::at(*column, GROUND);
            scene.rectangle(corner, (0, 3), (WIDTH * TILE, 5), color);
            (0..3).for_each(|row| scene.pixel(corner, (0, 9 + row), CLOUD));
        }
    }

    fn draw_bellows(&self, scene: &mut Scene) {
        scene.block(Cell::at(SKY, 0), SIDE - SKY, SIDE, SHED);
        for (row, gusts) in (0..).zip(self.plan().bellows) {
            let corner = Cell::at(SKY, row * PITCH);
            scene.sprite(Cell::at(SKY, row * PITCH + 1), NOZZLE.tinted(BRASS));
            scene.rectangle(corner, (3, 1), (12, 10), PLATE);
            scene.rectangle(corner, (9, 1), (1, 10), LINE);
            for (gust, height) in gusts.iter().zip(self.plan().heights) {
                let left = if *gust < 0 { 9 + gust } else { 10 };
                scene.rectangle(corner, (left, 2 + 2 * height), (gust.abs(), 1), CLOUD);
            }
        }
    }
}

impl Title for Balloons {
    const ABOUT: About = About {
        stem: "a506",
        title: "Balloons",
        families: &[Family::Slots, Family::FarSwitch, Family::Twins],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[8, 8, 9, 11, 12, 13, 15],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(9),
            empty: Color::of(13),
            drain: Drain::Every,
        }),
    };

    fn level(level: usize, _: &mut Dice) -> Self {
        Balloons { level, places: LEVELS[level].start.to_vec() }
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Click(cell) = input else { return Verdict::Playing };
        if let Some(gusts) = self.plan().bellows.get((cell.y / PITCH) as usize).filter(|_| cell.x >= SKY) {
            self.blow(gusts, film);
        }
        if self.places == self.plan().fields { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        self.draw_sky(scene);
        self.draw_ground(scene);
        self.draw_bellows(scene);
        for ((place, height), color) in self.places.iter().zip(self.plan().heights).zip(COLORS) {
            scene.sprite(Cell::at(*place, PITCH * height), BALLOON.tinted(color));
        }
    }

    fn view(&self) -> View {
        View::of(SIDE, SIDE, TILE)
    }

    fn inputs(&self) -> Vec<Input> {
        let rows = 0..self.plan().bellows.len() as i16;
        rows.map(|row| Input::Click(Cell::at(SKY + 3, row * PITCH + 2))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blown(level: usize, bellows: &[usize]) -> Vec<i16> {
        let mut balloons = Balloons::level(level, &mut Dice::new(0, ""));
        for index in bellows {
            balloons.blow(balloons.plan().bellows[*index], &mut Film::blank());
        }
        balloons.places
    }

    #[test]
    fn gusts_add_up_whatever_comes_first() {
        assert_eq!(blown(2, &[0, 1]), [7, 9]);
        assert_eq!(blown(2, &[1, 0]), [7, 9]);
    }

    #[test]
    fn a_balloon_without_room_holds_all_others() {
        assert_eq!(blown(0, &[1]), [1, 13]);
        assert_eq!(blown(0, &[1, 1]), [1, 13]);
        assert_eq!(blown(4, &[3, 2]), [7, 11, 8]);
        assert_eq!(blown(4, &[2]), [6, 9, 12], "a rock");
    }

    #[test]
    fn every_column_on_the_way_is_shown() {
        let mut film = Film::loaded();
        Balloons::level(1, &mut Dice::new(0, "")).blow(&[5, 0], &mut film);
        assert_eq!(film.shots().len(), 4);
    }
}
