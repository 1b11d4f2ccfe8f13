//! Points: engines run by themselves once started; clicked points decide which way they go.
//!
//! An engine that comes to the station of its colour is home. One that meets anything else (a wrong station, points
//! set against it, another engine) goes back where it stood, with everything else. Levels add, one after the other:
//! a second engine on the same track; points that one click sets together; springs, which no click sets but every
//! engine that passes; a third engine; engines that start together and must not meet; every kind of points.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// One level.
#[derive(Debug)]
struct Plan {
    /// `=` track, `1` `2` `3` engines, `a` `b` `c` their stations. Points look in the direction in which one can
    /// choose: `>` `v` `<` `^`; paired ones are `E` `S` `W` `N`, springs `e` `s` `w` `n`.
    track: &'static str,
    /// Whether one start tile starts all engines.
    together: bool,
}

const LEVELS: [Plan; 7] = [
    Plan {
        track: "
            ....====b.
            ....=.....
            1===>.....
            ....=.....
            ....==>==c
            ......=...
            ......===a
        ",
        together: false,
    },
    Plan {
        track: "
            1==>==<====b
            ...=..=.....
            2==<==>====a
        ",
        together: false,
    },
    Plan {
        track: "
            1==E==<==>==<=b
            ...=..=..=..=..
            2==W==E==<==>=a
        ",
        together: false,
    },
    Plan {
        track: "
            1==>==<==>==w=b
            ...=..=..=..=..
            2==<==>==w==>=a
        ",
        together: false,
    },
    Plan {
        track: "
            1==>===<===>==b
            ...=...=...=...
            2==<=<=>=>=w==c
            .....=...=.....
            3====>===<====a
        ",
        together: false,
    },
    Plan {
        track: "
            1=====<=<=w=e==b
            ......=.=.=.=...
            ....2=>=>=e=w==a
        ",
        together: true,
    },
    Plan {
        track: "
            1==>===W===e===b
            ...=...=...=....
            2==<=<=>=E=w=W=c
            .....=...=...=..
            3====>===<===>=a
        ",
        together: false,
    },
];

const GROUND: Color = Color::of(1);
const RAIL: Color = Color::of(5);
const GAP: Color = Color::of(2);
const WHISTLE: Color = Color::of(0);
const ENGINES: [Color; 3] = [Color::of(8), Color::of(9), Color::of(12)];

/// Steps after which an engine that still runs is in a loop.
const PATIENCE: usize = 150;

const ENGINE: Sprite = Sprite::of(&["####", "#00#", "####", "#..#"]);
const STATION: Sprite = Sprite::of(&["####", "#..#", "#..#", "####"]);

/// Who sets points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A click.
    Single,
    /// A click on any of these.
    Paired,
    /// A passing engine.
    Spring,
}

impl Kind {
    fn color(self) -> Color {
        Color::of(match self {
            Kind::Single => 11,
            Kind::Paired => 15,
            Kind::Spring => 14,
        })
    }
}

/// Where an engine is and where it is going.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Engine {
    cell: Cell,
    /// `None` while it stands.
    heading: Option<Dir>,
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Points {
    map: Map,
    together: bool,
    /// Points set to the second of their two legs, in order.
    turned: Vec<Cell>,
    engines: Vec<Engine>,
}

impl Points {
    fn of(plan: &Plan) -> Points {
        let map = Map::parse(plan.track);
        let starts = (b'1'..=b'3').filter_map(|glyph| map.find(glyph).next());
        let engines = starts.map(|cell| Engine { cell, heading: None }).collect();
        Points { map, together: plan.together, turned: Vec::new(), engines }
    }

    fn is_track(&self, cell: Cell) -> bool {
        !matches!(self.map.glyph(cell), b'.' | b'#')
    }

    /// The ways out of a cell of track.
    fn exits(&self, cell: Cell) -> impl Iterator<Item = Dir> {
        Dir::ALL.into_iter().filter(move |dir| self.is_track(cell + *dir))
    }

    /// The leg that points are set to.
    fn leg(&self, cell: Cell, facing: Dir) -> Option<Dir> {
        let mut legs = self.exits(cell).filter(|dir| *dir != facing.opposite());
        if self.turned.contains(&cell) { legs.nth(1) } else { legs.next() }
    }

    /// Where an engine leaves a cell that it has entered under a heading.
    fn onward(&self, cell: Cell, heading: Dir) -> Option<Dir> {
        let back = heading.opposite();
        match points(self.map.glyph(cell)) {
            Some((facing, _)) if heading == facing => self.leg(cell, facing),
            Some((facing, _)) => (self.leg(cell, facing) == Some(back)).then_some(facing.opposite()),
            None if self.exits(cell).any(|dir| dir == heading) => Some(heading),
            None => self.exits(cell).find(|dir| *dir != back),
        }
    }

    /// Moves points to their other leg.
    fn turn(&mut self, cell: Cell) {
        match self.turned.binary_search(&cell) {
            Ok(at) => drop(self.turned.remove(at)),
            Err(at) => self.turned.insert(at, cell),
        }
    }

    /// Sets points by a click.
    fn set(&mut self, cell: Cell, kind: Kind) {
        match kind {
            Kind::Single => self.turn(cell),
            Kind::Paired => {
                let is_paired =
                    |cell: &Cell| points(self.map.glyph(*cell)).is_some_and(|(_, kind)| kind == Kind::Paired);
                let pair: Vec<Cell> = self.map.cells().filter(is_paired).collect();
                for cell in pair {
                    self.turn(cell);
                }
            }
            Kind::Spring => {}
        }
    }

    /// Moves one running engine by a cell; `None` when it cannot go on.
    fn step(&mut self, index: usize) -> Option<()> {
        let Engine { cell, heading: Some(heading) } = self.engines[index] else { return Some(()) };
        let cell = cell + heading;
        let glyph = self.map.glyph(cell);
        let heading = match glyph {
            b'a'..=b'c' if usize::from(glyph - b'a') == index => None,
            b'a'..=b'c' => return None,
            _ => Some(self.onward(cell, heading).filter(|dir| self.is_track(cell + *dir))?),
        };
        self.engines[index] = Engine { cell, heading };
        if points(glyph).is_some_and(|(_, kind)| kind == Kind::Spring) {
            self.turn(cell);
        }
        Some(())
    }

    /// Whether two engines are in one place, or have just passed through each other.
    fn collide(&self, before: &[Engine]) -> bool {
        let pairs = (0..self.engines.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
        let at = |index: usize| self.engines[index].cell;
        pairs.into_iter().any(|(one, other)| {
            at(one) == at(other) || (at(one) == before[other].cell && at(other) == before[one].cell)
        })
    }

    /// Lets all started engines run until they are home; `None` when one does not come home.
    fn run(&mut self, film: &mut Film<Self>) -> Option<()> {
        for _ in 0..PATIENCE {
            film.shoot(self);
            let before = self.engines.clone();
            (0..self.engines.len()).try_for_each(|index| self.step(index))?;
            if self.collide(&before) {
                return None;
            }
            if self.engines.iter().all(|engine| engine.heading.is_none()) {
                return Some(());
            }
        }
        None
    }

    /// Starts the engine on a cell, or all, and takes everything back when they do not come home.
    fn start(&mut self, index: usize, film: &mut Film<Self>) {
        let before = self.clone();
        for other in (0..self.engines.len()).filter(|other| self.together || *other == index) {
            let heading = self.exits(self.engines[other].cell).next();
            self.engines[other].heading = heading;
        }
        if self.run(film).is_none() {
            film.shoot(self);
            *self = before;
        }
    }

    fn is_home(&self, engine: Engine) -> bool {
        matches!(self.map.glyph(engine.cell), b'a'..=b'c')
    }

    fn draw_track(&self, scene: &mut Scene, cell: Cell) {
        scene.rectangle(cell, (1, 1), (2, 2), RAIL);
        for dir in self.exits(cell) {
            let (dx, dy) = dir.delta();
            scene.rectangle(cell, (1 + dx, 1 + dy), (2, 2), RAIL);
        }
    }

    /// Points: a light in the colour of their kind, and a gap before the leg they are not set to.
    fn draw_points(&self, scene: &mut Scene, cell: Cell) {
        let Some((facing, kind)) = points(self.map.glyph(cell)) else { return };
        let live = [Some(facing.opposite()), self.leg(cell, facing)];
        for dir in self.exits(cell).filter(|dir| !live.contains(&Some(*dir))) {
            let (dx, dy) = dir.delta();
            scene.rectangle(cell, (1 + 2 * dx, 1 + 2 * dy), (2, 2), GAP);
        }
        scene.rectangle(cell, (1, 1), (2, 2), kind.color());
    }
}

/// The direction in which one can choose at points, and their kind; `None` for any other glyph.
fn points(glyph: u8) -> Option<(Dir, Kind)> {
    let of = |glyphs: &[u8; 4], kind| {
        let at = glyphs.iter().position(|it| *it == glyph)?;
        Some((Dir::ALL[at], kind))
    };
    of(b"^>v<", Kind::Single).or_else(|| of(b"NESW", Kind::Paired)).or_else(|| of(b"nesw", Kind::Spring))
}

impl Title for Points {
    const ABOUT: About = About {
        stem: "p615",
        title: "Points",
        families: &[Family::Toggle, Family::FarSwitch],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[3, 6, 8, 8, 11, 5, 13],
        bar: Some(Bar { edge: Edge::Top, thickness: 2, full: Color::of(14), empty: Color::of(8), drain: Drain::Every }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Points::of(&LEVELS[index])
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Click(cell) = input else { return Verdict::Playing };
        let waiting = self.engines.iter().position(|engine| engine.cell == cell && !self.is_home(*engine));
        match (waiting, points(self.map.glyph(cell))) {
            (Some(index), _) => self.start(index, film),
            (None, Some((_, kind))) => self.set(cell, kind),
            (None, None) => {}
        }
        if self.engines.iter().all(|engine| self.is_home(*engine)) { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(GROUND);
        for cell in self.map.cells().filter(|cell| self.is_track(*cell)) {
            self.draw_track(scene, cell);
            let glyph = self.map.glyph(cell);
            match glyph {
                b'a'..=b'c' => scene.sprite(cell, STATION.tinted(ENGINES[usize::from(glyph - b'a')])),
                b'1'..=b'3' => scene.cell(cell, if self.together { WHISTLE } else { RAIL }),
                _ => {}
            }
        }
        self.map.cells().for_each(|cell| self.draw_points(scene, cell));
        for (engine, color) in self.engines.iter().zip(ENGINES) {
            scene.sprite(engine.cell, ENGINE.tinted(color));
        }
    }

    fn view(&self) -> View {
        let (width, height) = (self.map.width(), self.map.height() + 4);
        View::of(width, height, 4).scrolled_to(Cell::at(0, -2)).framed(GROUND)
    }

    fn inputs(&self) -> Vec<Input> {
        let waiting = self.engines.iter().filter(|engine| !self.is_home(**engine)).map(|engine| engine.cell);
        let settable = |cell: &Cell| points(self.map.glyph(*cell)).is_some_and(|(_, kind)| kind != Kind::Spring);
        self.map.cells().filter(settable).chain(waiting).map(Input::Click).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points_of(track: &'static str, together: bool) -> Points {
        Points::of(&Plan { track, together })
    }

    fn click(points: &mut Points, x: i16, y: i16) -> Verdict {
        points.act(Input::Click(Cell::at(x, y)), &mut Film::blank())
    }

    #[test]
    fn an_engine_follows_the_points_or_comes_back() {
        let track = "
            ..=b
            1=>.
            ..=a
        ";
        let start = points_of(track, false);
        let mut points = start.clone();
        assert_eq!(click(&mut points, 0, 1), Verdict::Playing);
        assert_eq!(points, start, "it met the wrong station");
        click(&mut points, 2, 1);
        assert_eq!(click(&mut points, 0, 1), Verdict::Solved);
    }

    #[test]
    fn an_engine_cannot_pass_points_that_are_set_against_it() {
        let mut points = points_of("..=.\n..=.\n1=<=a", false);
        click(&mut points, 0, 2);
        assert!(!points.is_home(points.engines[0]));
        click(&mut points, 2, 2);
        assert_eq!(click(&mut points, 0, 2), Verdict::Solved);
    }

    #[test]
    fn a_spring_is_set_by_engines_alone() {
        let start = points_of("..==a\n1=e=b", false);
        let mut points = start.clone();
        click(&mut points, 2, 1);
        assert_eq!(points, start);
        assert_eq!(click(&mut points, 0, 1), Verdict::Solved);
        assert_eq!(points.turned, [Cell::at(2, 1)]);
    }

    #[test]
    fn engines_that_meet_come_back() {
        let solved = |track| click(&mut points_of(track, true), 0, 2) == Verdict::Solved;
        assert!(!solved("..2..\n..=..\n1===a\n..=..\n..b.."));
        assert!(solved("...2..\n...=..\n1====a\n...=..\n...b.."));
    }
}
