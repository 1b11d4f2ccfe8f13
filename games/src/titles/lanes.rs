//! Lanes: a click on a pipe pours one lane into another until the one is empty or the other full.
//!
//! Nothing is lost, and what went in last comes out first. The stripe below a lane shows what it has to hold. Levels
//! add, one after the other: pipes back and forth; a second liquid; cups, which pour so many units and no more; a
//! fourth lane; two pipes out of one lane.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Scene, Sprite, Title, Verdict, View,
};

/// One level.
#[derive(Debug)]
struct Plan {
    lanes: &'static [Lane],
    pipes: &'static [Pipe],
}

/// A lane; liquids are the letters of [`color`], the first one lies deepest.
#[derive(Debug)]
struct Lane {
    /// The most units it holds.
    room: usize,
    start: &'static str,
    wanted: Option<&'static str>,
}

const fn lane(room: usize, start: &'static str, wanted: &'static str) -> Lane {
    Lane { room, start, wanted: Some(wanted) }
}

const fn free(room: usize, start: &'static str) -> Lane {
    Lane { room, start, wanted: None }
}

/// Where a pipe leads from and to, and the most units it pours at a time.
#[derive(Debug)]
struct Pipe {
    from: usize,
    to: usize,
    cup: usize,
}

/// More than any lane holds.
const UNLIMITED: usize = 99;

const fn pipe(from: usize, to: usize) -> Pipe {
    Pipe { from, to, cup: UNLIMITED }
}

const fn cup(from: usize, to: usize, cup: usize) -> Pipe {
    Pipe { from, to, cup }
}

const LEVELS: [Plan; 6] = [
    Plan { lanes: &[free(6, "wwwww"), free(3, ""), lane(7, "", "wwwww")], pipes: &[pipe(0, 1), pipe(1, 2)] },
    Plan {
        lanes: &[lane(8, "wwwwwwww", "wwww"), lane(5, "", "wwww"), lane(3, "", "")],
        pipes: &[pipe(0, 1), pipe(1, 2), pipe(2, 0), pipe(1, 0)],
    },
    Plan {
        lanes: &[lane(5, "wwwoo", "w"), lane(4, "", "owow"), lane(3, "", "")],
        pipes: &[pipe(0, 1), pipe(1, 2), pipe(2, 0)],
    },
    Plan {
        lanes: &[lane(5, "wwooo", "oo"), lane(5, "", ""), lane(3, "", "wow")],
        pipes: &[cup(0, 1, 2), pipe(1, 2), cup(2, 0, 3)],
    },
    Plan {
        lanes: &[lane(5, "wwwoo", "o"), lane(4, "g", "w"), lane(3, "", "w"), lane(5, "", "wog")],
        pipes: &[cup(0, 1, 2), pipe(1, 2), cup(2, 3, 1), pipe(3, 0)],
    },
    Plan {
        lanes: &[lane(4, "wwo", "o"), lane(4, "gg", "w"), lane(3, "", "g"), lane(6, "oww", "wwgow")],
        pipes: &[cup(0, 1, 2), pipe(1, 2), cup(2, 3, 1), pipe(3, 1), pipe(2, 0)],
    },
];

/// Rows from one lane to the next.
const PITCH: i16 = 3;
/// The column of the first pipe.
const PIPES: i16 = 10;
/// Columns of the view.
const WIDTH: i16 = 16;

const GROUND: Color = Color::of(4);
const BED: Color = Color::of(1);
const RAIL: Color = Color::of(2);
const EMPTY: Color = Color::of(5);
const BRASS: Color = Color::of(11);

const FLOW: Sprite = Sprite::of(&[".##.", "####", ".22.", ".22."]);
const KNOB: Sprite = Sprite::of(&[".##.", "####", "####", ".##."]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lanes {
    level: usize,
    /// What every lane holds, the deepest unit first.
    held: Vec<Vec<u8>>,
}

impl Lanes {
    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    /// Pours through a pipe, unit by unit.
    fn pour(&mut self, pipe: &Pipe, film: &mut Film<Self>) {
        let room = self.plan().lanes[pipe.to].room - self.held[pipe.to].len();
        for unit in 0..pipe.cup.min(room).min(self.held[pipe.from].len()) {
            if unit > 0 {
                film.shoot(self);
            }
            let liquid = self.held[pipe.from].pop();
            self.held[pipe.to].extend(liquid);
        }
    }

    fn is_solved(&self) -> bool {
        let mut lanes = self.plan().lanes.iter().zip(&self.held);
        lanes.all(|(lane, held)| lane.wanted.is_none_or(|wanted| held == wanted.as_bytes()))
    }

    fn draw_lane(&self, scene: &mut Scene, index: usize) {
        let (lane, held) = (&self.plan().lanes[index], &self.held[index]);
        let row = row(index);
        scene.rectangle(Cell::at(1, row), (-1, -1), (lane.room as i16 * 4 + 2, 6), RAIL);
        scene.rectangle(Cell::at(1, row), (0, 1), ((WIDTH - 2) * 4, 2), RAIL);
        for unit in 0..lane.room {
            let cell = Cell::at(1 + unit as i16, row);
            scene.cell(cell, held.get(unit).map_or(BED, |liquid| color(*liquid)));
            if let Some(wanted) = lane.wanted {
                let shown = wanted.as_bytes().get(unit).map_or(EMPTY, |liquid| color(*liquid));
                scene.rectangle(cell + Dir::Down, (0, 1), (4, 2), shown);
            }
        }
    }

    fn draw_pipe(scene: &mut Scene, index: usize, pipe: &Pipe) {
        let turns = if pipe.to < pipe.from { 0 } else { 2 };
        for cell in cells(index, pipe) {
            scene.cell(cell, GROUND);
            scene.sprite(cell, FLOW.turned(turns).tinted(BRASS));
        }
        for end in [pipe.from, pipe.to] {
            scene.sprite(Cell::at(PIPES + index as i16, row(end)), KNOB.tinted(RAIL));
        }
        if pipe.cup < UNLIMITED {
            let middle = i16::midpoint(row(pipe.from), row(pipe.to));
            Self::draw_cup(scene, Cell::at(PIPES + index as i16, middle), pipe.cup as i16);
        }
    }

    /// As many dots as a cup holds units, at most four.
    fn draw_cup(scene: &mut Scene, cell: Cell, units: i16) {
        scene.cell(cell, EMPTY);
        (0..units).for_each(|unit| scene.pixel(cell, (unit % 2 * 3, unit / 2 * 3), BRASS));
    }
}

/// The row a lane is drawn in.
fn row(lane: usize) -> i16 {
    1 + lane as i16 * PITCH
}

/// The cells of a pipe between the lanes it joins.
fn cells(index: usize, pipe: &Pipe) -> impl Iterator<Item = Cell> {
    let (top, bottom) = (pipe.from.min(pipe.to), pipe.from.max(pipe.to));
    (row(top) + 1..row(bottom)).map(move |y| Cell::at(PIPES + index as i16, y))
}

fn color(liquid: u8) -> Color {
    Color::of(match liquid {
        b'w' => 9,
        b'o' => 12,
        _ => 14,
    })
}

impl Title for Lanes {
    const ABOUT: About = About {
        stem: "l842",
        title: "Lanes",
        families: &[Family::Fill, Family::Reference, Family::Undo],
        controls: ActionSet::of(&[ActionId::Action6, ActionId::Action7]),
        optimal: &[4, 7, 8, 12, 16, 18],
        bar: Some(Bar {
            edge: Edge::Right,
            thickness: 1,
            full: Color::of(6),
            empty: Color::of(3),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        let held = LEVELS[index].lanes.iter().map(|lane| lane.start.as_bytes().to_vec()).collect();
        Lanes { level: index, held }
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Click(cell) = input else { return Verdict::Playing };
        let mut pipes = self.plan().pipes.iter().enumerate();
        if let Some((_, pipe)) = pipes.find(|(index, pipe)| cells(*index, pipe).any(|part| part == cell)) {
            self.pour(pipe, film);
        }
        if self.is_solved() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(GROUND);
        (0..self.held.len()).for_each(|index| self.draw_lane(scene, index));
        self.plan().pipes.iter().enumerate().for_each(|(index, pipe)| Self::draw_pipe(scene, index, pipe));
    }

    fn view(&self) -> View {
        View::of(WIDTH, row(self.held.len()), 4).framed(GROUND)
    }

    fn inputs(&self) -> Vec<Input> {
        let pipes = self.plan().pipes.iter().enumerate();
        pipes.filter_map(|(index, pipe)| cells(index, pipe).next()).map(Input::Click).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(index: usize) -> Lanes {
        Lanes::level(index, &mut Dice::new(0, ""))
    }

    fn text(lanes: &Lanes) -> Vec<&str> {
        lanes.held.iter().map(|held| std::str::from_utf8(held).unwrap()).collect()
    }

    #[test]
    fn pouring_stops_at_a_full_lane_and_turns_the_order() {
        let mut lanes = level(2);
        lanes.pour(&pipe(0, 1), &mut Film::blank());
        assert_eq!(text(&lanes), ["w", "ooww", ""]);
        lanes.pour(&pipe(1, 2), &mut Film::blank());
        assert_eq!(text(&lanes), ["w", "o", "wwo"]);
    }

    #[test]
    fn a_cup_pours_no_more_than_it_holds() {
        let mut lanes = level(3);
        lanes.pour(&cup(0, 1, 2), &mut Film::blank());
        assert_eq!(text(&lanes), ["wwo", "oo", ""]);
    }

    #[test]
    fn every_unit_is_a_picture_of_its_own() {
        let mut film = Film::loaded();
        level(0).pour(&pipe(0, 1), &mut film);
        assert_eq!(film.shots().len(), 2);
    }
}
