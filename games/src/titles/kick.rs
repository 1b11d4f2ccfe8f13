//! Kick: balls fly where they are kicked, and belong into the nets of their colour.
//!
//! Walking into a ball kicks it; it flies until a wall, another ball or the player stops it. A net keeps a ball of its
//! colour and lets others pass. Levels add, one after the other: walls to stop at; corners, which deflect; a second
//! colour; balls that hit balls and hand their flight on; pits, in which a ball is lost for good; all of it together.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` wall, `@` player, `A` and `B` balls, `a` and `b` their nets, `/` and `\` corners, `u` pit.
const LEVELS: [&str; 7] = [
    "
    #########
    #.......#
    #.......#
    #..A...a#
    #.......#
    #..@....#
    #########
    ",
    "
    ##########
    #........#
    #..#...#.#
    #.@..A...#
    #........#
    #.....#..#
    #.a......#
    ##########
    ",
    "
    ##########
    #.......##
    #.@..A...#
    #......#.#
    #../.....#
    #.......a#
    #..\\.....#
    ##########
    ",
    "
    ##########
    #.......##
    #........#
    #a....A\\.#
    #.@.b....#
    #.#..B...#
    #....../.#
    ##########
    ",
    "
    ##########
    #........#
    #...A.A..#
    #...B#...#
    #b.a...#.#
    #........#
    #...a.@..#
    ##########
    ",
    "
    ##########
    #.......a#
    #.A@.u...#
    #...u..A.#
    #...a..#.#
    #.....u..#
    #.../....#
    ##########
    ",
    "
    ###########
    #.#@./....#
    #...uua...#
    #....u....#
    #./.A....\\#
    #......B..#
    #.........#
    #b#.......#
    ###########
    ",
];

const FLOOR: Color = Color::of(1);
const WALL: Color = Color::of(15);
const COLORS: [Color; 2] = [Color::of(8), Color::of(9)];

const WALLS: Sprite = Sprite::of(&["fffff", "f6fff", "fffff", "fff6f", "fffff"]);
const PLAYER: Sprite = Sprite::of(&["..4..", ".444.", ".4e4.", ".eee.", ".e.e."]);
const BALL: Sprite = Sprite::of(&[".###.", "##0##", "#0###", "#####", ".###."]);
const NET: Sprite = Sprite::of(&["#.#.#", ".0.0.", "#.0.#", ".0.0.", "#.#.#"]);
const CORNER: Sprite = Sprite::of(&["....b", "...b5", "..b5.", ".b5..", "b5..."]);
const PIT: Sprite = Sprite::of(&[".555.", "54445", "54545", "54445", ".555."]);

/// A ball of the first or the second colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Ball {
    cell: Cell,
    color: usize,
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pitch {
    map: Map,
    player: Cell,
    /// In the order of their cells.
    balls: Vec<Ball>,
}

impl Pitch {
    fn parse(text: &str) -> Pitch {
        let map = Map::parse(text);
        let of = |glyph, color| map.find(glyph).map(move |cell| Ball { cell, color });
        let mut balls: Vec<Ball> = of(b'A', 0).chain(of(b'B', 1)).collect();
        balls.sort_unstable();
        Pitch { player: map.the(b'@'), balls, map }
    }

    fn ball_at(&self, cell: Cell) -> Option<usize> {
        self.balls.iter().position(|ball| ball.cell == cell)
    }

    /// Whether a ball lies in a net of its colour.
    fn is_in(&self, ball: Ball) -> bool {
        self.map.glyph(ball.cell) == [b'a', b'b'][ball.color]
    }

    /// Lets a ball fly, and then the ball it hits.
    fn fly(&mut self, mut index: usize, mut dir: Dir, film: &mut Film<Self>) -> Verdict {
        // This ends: a flight can be traced back, so one that came round would pass the player who started it.
        while !self.is_in(self.balls[index]) {
            let cell = self.balls[index].cell;
            dir = deflected(self.map.glyph(cell), dir);
            let ahead = cell + dir;
            if let Some(hit) = self.ball_at(ahead) {
                index = hit;
            } else if self.map.glyph(ahead) == b'#' || self.player == ahead {
                break;
            } else {
                film.shoot(self);
                self.balls[index].cell = ahead;
                if self.map.glyph(ahead) == b'u' {
                    return Verdict::Lost;
                }
            }
        }
        Verdict::Playing
    }

    fn is_solved(&self) -> bool {
        self.balls.iter().all(|ball| self.is_in(*ball))
    }
}

/// Where something flies on that enters a cell.
fn deflected(glyph: u8, dir: Dir) -> Dir {
    match (glyph, dir) {
        (b'/', Dir::Up | Dir::Down) | (b'\\', Dir::Left | Dir::Right) => dir.clockwise(),
        (b'/', Dir::Left | Dir::Right) | (b'\\', Dir::Up | Dir::Down) => dir.clockwise().opposite(),
        _ => dir,
    }
}

impl Title for Pitch {
    const ABOUT: About = About {
        stem: "k471",
        title: "Kick",
        families: &[Family::Walls, Family::Kick, Family::Slide, Family::Undo],
        controls: ActionSet::of(&[
            ActionId::Action1,
            ActionId::Action2,
            ActionId::Action3,
            ActionId::Action4,
            ActionId::Action7,
        ]),
        optimal: &[4, 13, 20, 32, 40, 29, 49],
        bar: Some(Bar {
            edge: Edge::Left,
            thickness: 1,
            full: Color::of(14),
            empty: Color::of(3),
            drain: Drain::Every,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Pitch::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Move(dir) = input else { return Verdict::Playing };
        let ahead = self.player + dir;
        if let Some(index) = self.ball_at(ahead) {
            let verdict = self.fly(index, dir, film);
            self.balls.sort_unstable();
            return if self.is_solved() { Verdict::Solved } else { verdict };
        }
        if !matches!(self.map.glyph(ahead), b'#' | b'/' | b'\\' | b'u') {
            self.player = ahead;
        }
        Verdict::Playing
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(FLOOR);
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.sprite(cell, WALLS),
                b'/' => scene.sprite(cell, CORNER),
                b'\\' => scene.sprite(cell, CORNER.turned(1)),
                b'u' => scene.sprite(cell, PIT),
                b'a' => scene.sprite(cell, NET.tinted(COLORS[0])),
                b'b' => scene.sprite(cell, NET.tinted(COLORS[1])),
                _ => {}
            }
        }
        for ball in &self.balls {
            scene.sprite(ball.cell, BALL.tinted(COLORS[ball.color]));
        }
        scene.sprite(self.player, PLAYER);
    }

    fn view(&self) -> View {
        View::of(self.map.width(), self.map.height(), 5).framed(WALL)
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::prove;

    fn kicked(text: &str, dir: Dir) -> (Pitch, Verdict) {
        let mut pitch = Pitch::parse(text);
        let verdict = pitch.act(Input::Move(dir), &mut Film::blank());
        (pitch, verdict)
    }

    #[test]
    fn a_ball_flies_to_the_wall_and_the_player_stays() {
        let (pitch, _) = kicked("@A....#", Dir::Right);
        assert_eq!((pitch.player, pitch.balls[0].cell), (Cell::at(0, 0), Cell::at(5, 0)));
        assert_eq!(kicked("@A#", Dir::Right).0, Pitch::parse("@A#"));
    }

    #[test]
    fn corners_deflect_and_a_net_catches_its_colour_only() {
        let (mut pitch, _) = kicked(
            "
            @A.\\
            ...b
            ...a
            ....
            ",
            Dir::Right,
        );
        assert_eq!(pitch.balls[0].cell, Cell::at(3, 2));
        pitch.player = Cell::at(2, 2);
        let caught = pitch.clone();
        pitch.act(Input::Move(Dir::Right), &mut Film::blank());
        assert_eq!(pitch, caught, "what is in its net stays there");
    }

    #[test]
    fn a_ball_hands_its_flight_on() {
        let (pitch, _) = kicked("@A.B.A..#", Dir::Right);
        let cells: Vec<i16> = pitch.balls.iter().map(|ball| ball.cell.x).collect();
        assert_eq!(cells, [2, 4, 7]);
    }

    #[test]
    fn a_flight_around_ends_at_the_player() {
        let ring = "
            /.\\
            A..
            @..
            \\./
        ";
        let (pitch, _) = kicked(ring, Dir::Up);
        assert_eq!(pitch.balls[0].cell, Cell::at(0, 3));
    }

    #[test]
    fn corners_are_needed_where_they_appear() {
        for level in [2, 3, 5, 6] {
            let plain = LEVELS[level].replace(['/', '\\'], "#");
            let fewest = prove(&Pitch::parse(&plain)).map_or(u32::MAX, |proof| proof.optimal());
            assert!(fewest > Pitch::ABOUT.optimal[level], "level {}", level + 1);
        }
    }

    #[test]
    fn a_ball_in_a_pit_is_lost() {
        assert_eq!(kicked("@A.ua", Dir::Right).1, Verdict::Lost);
    }
}
