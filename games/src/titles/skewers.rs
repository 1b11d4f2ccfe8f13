//! Skewers: what is on the grill belongs on skewers by its kind.
//!
//! A click takes the outermost piece from a skewer onto the fork, another one sticks it on a skewer, if that has room for it. In the
//! end everything of a kind is on one skewer, and nothing else is on it. Levels add, one after the other: skewers that lie the other
//! way round; upright ones, and long and short ones; a saucer, on which one piece may lie meanwhile; twisted skewers, that take a
//! piece upon one of its kind alone, or while they are bare; all of it together.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{
    About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Scene, Sprite, Title, Verdict, View,
};

/// What pieces are stuck on or lie on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    Skewer(Dir),
    /// Takes a piece upon one of its kind, or while it is bare.
    Twisted(Dir),
    Saucer,
}

/// A holder: where its middle line begins, how many pieces it has room for, and those on it, the outermost last.
#[derive(Debug)]
struct Place {
    holder: Holder,
    at: (i16, i16),
    room: usize,
    pieces: &'static str,
}

/// One level.
#[derive(Debug)]
struct Plan {
    /// Logical pixels of the grill's side.
    side: i16,
    /// The middle of the piece on the fork.
    fork: (i16, i16),
    places: &'static [Place],
}

const fn skewer(dir: Dir, at: (i16, i16), room: usize, pieces: &'static str) -> Place {
    Place { holder: Holder::Skewer(dir), at, room, pieces }
}

const fn twisted(dir: Dir, at: (i16, i16), room: usize, pieces: &'static str) -> Place {
    Place { holder: Holder::Twisted(dir), at, room, pieces }
}

const fn saucer(at: (i16, i16), pieces: &'static str) -> Place {
    Place { holder: Holder::Saucer, at, room: 1, pieces }
}

const LEVELS: [Plan; 6] = [
    Plan {
        side: 32,
        fork: (28, 16),
        places: &[
            skewer(Dir::Right, (1, 6), 3, "aa"),
            skewer(Dir::Right, (1, 15), 3, "bba"),
            skewer(Dir::Right, (1, 24), 3, "b"),
        ],
    },
    Plan {
        side: 32,
        fork: (28, 15),
        places: &[
            skewer(Dir::Right, (1, 4), 3, "ab"),
            skewer(Dir::Left, (24, 11), 3, "cba"),
            skewer(Dir::Right, (1, 18), 3, "ac"),
            skewer(Dir::Left, (24, 26), 3, ""),
        ],
    },
    Plan {
        side: 64,
        fork: (52, 54),
        places: &[
            skewer(Dir::Right, (4, 10), 4, "abcb"),
            skewer(Dir::Left, (40, 22), 3, "cca"),
            skewer(Dir::Up, (12, 60), 4, "bac"),
            skewer(Dir::Down, (52, 4), 5, "b"),
        ],
    },
    Plan {
        side: 64,
        fork: (10, 10),
        places: &[
            skewer(Dir::Left, (60, 12), 4, "bacd"),
            skewer(Dir::Right, (24, 26), 4, "dcb"),
            skewer(Dir::Left, (46, 40), 4, "abd"),
            skewer(Dir::Right, (6, 54), 4, "cda"),
            saucer((54, 52), ""),
        ],
    },
    Plan {
        side: 64,
        fork: (32, 58),
        places: &[
            twisted(Dir::Up, (8, 50), 4, "aba"),
            twisted(Dir::Up, (22, 44), 4, "bcc"),
            twisted(Dir::Down, (36, 5), 4, "cab"),
            twisted(Dir::Down, (50, 12), 4, ""),
            saucer((56, 56), ""),
        ],
    },
    Plan {
        side: 64,
        fork: (58, 34),
        places: &[
            twisted(Dir::Right, (3, 8), 4, "dba"),
            skewer(Dir::Left, (61, 20), 4, "bdc"),
            twisted(Dir::Down, (10, 18), 5, "acd"),
            twisted(Dir::Right, (20, 36), 4, "cab"),
            skewer(Dir::Left, (50, 50), 3, ""),
            saucer((58, 56), ""),
        ],
    },
];

/// Logical pixels of a piece, and from one to the next.
const SIZE: i16 = 5;
const PITCH: i16 = 6;
/// Logical pixels of a handle along the skewer.
const HANDLE: i16 = 4;

const COALS: Color = Color::of(5);
const GRATE: Color = Color::of(4);
const STEEL: Color = Color::of(1);
const WOOD: Color = Color::of(13);
const CHINA: Color = Color::of(0);
const TWIST: Color = Color::of(10);

const PIECES: [(Color, Sprite); 4] = [
    (Color::of(8), Sprite::of(&[".###.", "##6##", "#####", "#####", ".###."])),
    (Color::of(14), Sprite::of(&["##.##", "#####", ".###.", "#####", "##.##"])),
    (Color::of(12), Sprite::of(&["#####", "#####", "#####", "#####", "#####"])),
    (Color::of(15), Sprite::of(&["..#..", ".###.", "##1##", ".###.", "..#.."])),
];
const DISH: Sprite = Sprite::of(&[
    "..#####..",
    ".#######.",
    "##.....##",
    "##.....##",
    "##.....##",
    "##.....##",
    "##.....##",
    ".#######.",
    "..#####..",
]);
const FORK: Sprite =
    Sprite::of(&["#.....#", "#.....#", "#.....#", "#.....#", "#.....#", "#.....#", "#######", "...#..."]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Grill {
    level: usize,
    /// The pieces of each place, the outermost last.
    pieces: Vec<Vec<u8>>,
    /// What is on the fork, and from which place.
    fork: Option<(u8, usize)>,
}

impl Place {
    /// The logical pixel that lies so far along the middle line, and so far to one side of it.
    fn along(&self, far: i16, aside: i16) -> Cell {
        let (x, y) = self.at;
        match self.holder {
            Holder::Saucer => Cell::at(x, y),
            Holder::Skewer(dir) | Holder::Twisted(dir) => {
                let (dx, dy) = dir.delta();
                Cell::at(x + dx * far + dy * aside, y + dy * far + dx * aside)
            }
        }
    }

    fn length(&self) -> i16 {
        HANDLE + PITCH * self.room as i16 + 2
    }

    /// The middle of a piece.
    fn piece(&self, index: usize) -> Cell {
        self.along(HANDLE + PITCH / 2 + PITCH * index as i16, 0)
    }

    fn is_hit(&self, at: Cell) -> bool {
        let (ends, aside) = match self.holder {
            Holder::Saucer => ([self.along(0, 0); 2], 4),
            _ => ([self.along(0, 0), self.along(self.length() - 1, 0)], SIZE / 2),
        };
        let reach = |one: i16, other: i16, at: i16| (one.min(other)..=one.max(other)).contains(&at);
        let wide = |one: i16, other: i16, at: i16| (one.min(other) - aside..=one.max(other) + aside).contains(&at);
        let [one, other] = ends;
        match self.holder {
            Holder::Skewer(Dir::Left | Dir::Right) | Holder::Twisted(Dir::Left | Dir::Right) => {
                reach(one.x, other.x, at.x) && wide(one.y, other.y, at.y)
            }
            Holder::Saucer => wide(one.x, other.x, at.x) && wide(one.y, other.y, at.y),
            _ => wide(one.x, other.x, at.x) && reach(one.y, other.y, at.y),
        }
    }

    /// Whether a piece may be stuck on these.
    fn takes(&self, piece: u8, pieces: &[u8]) -> bool {
        let is_choosy = matches!(self.holder, Holder::Twisted(_));
        pieces.len() < self.room && (!is_choosy || pieces.last().is_none_or(|it| *it == piece))
    }

    fn draw(&self, scene: &mut Scene) {
        if self.holder == Holder::Saucer {
            let (x, y) = self.at;
            scene.sprite(Cell::at(x - 4, y - 4), DISH.tinted(CHINA));
            return;
        }
        for far in 0..self.length() {
            let is_bent = matches!(self.holder, Holder::Twisted(_)) && far % 2 == 0;
            scene.cell(self.along(far, 0), if is_bent { TWIST } else { STEEL });
        }
        for far in 0..HANDLE {
            (-1..=1).for_each(|aside| scene.cell(self.along(far, aside), WOOD));
        }
    }
}

fn draw_piece(scene: &mut Scene, middle: Cell, piece: u8) {
    let kind = piece.checked_sub(b'a').and_then(|it| PIECES.get(usize::from(it)));
    if let Some((color, sprite)) = kind {
        scene.sprite(Cell::at(middle.x - SIZE / 2, middle.y - SIZE / 2), sprite.tinted(*color));
    }
}

impl Grill {
    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    /// The places with the pieces on each.
    fn places(&self) -> impl Iterator<Item = (&'static Place, &[u8])> {
        self.plan().places.iter().zip(self.pieces.iter().map(Vec::as_slice))
    }

    /// Takes the outermost piece, sticks on the one from the fork, or puts it back.
    fn click(&mut self, place: usize) {
        match self.fork {
            None => self.fork = self.pieces[place].pop().map(|piece| (piece, place)),
            Some((piece, from)) if from == place || self.plan().places[place].takes(piece, &self.pieces[place]) => {
                self.pieces[place].push(piece);
                self.fork = None;
            }
            Some(_) => {}
        }
    }

    /// The pieces that cannot stay where they are: those on saucers, and those from the first other kind on.
    fn misplaced(&self) -> usize {
        let wrong = |(place, pieces): (&Place, &[u8])| match place.holder {
            Holder::Saucer => pieces.len(),
            _ => pieces.len() - pieces.iter().take_while(|it| **it == pieces[0]).count(),
        };
        self.places().map(wrong).sum()
    }

    /// The pieces that lie first on a skewer, while more than one of these is of their kind.
    fn is_sorted(&self) -> bool {
        let mut first: Vec<u8> = self.pieces.iter().filter_map(|it| it.first().copied()).collect();
        let all = first.len();
        first.sort_unstable();
        first.dedup();
        self.fork.is_none() && self.misplaced() == 0 && first.len() == all
    }

    fn draw_fork(&self, scene: &mut Scene) {
        let (x, y) = self.plan().fork;
        scene.sprite(Cell::at(x - 3, y - 2), FORK.tinted(STEEL));
        if let Some((piece, _)) = self.fork {
            draw_piece(scene, Cell::at(x, y), piece);
        }
    }
}

impl Title for Grill {
    const ABOUT: About = About {
        stem: "s736",
        title: "Skewers",
        families: &[Family::SelectThenAct, Family::Slots],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[4, 10, 26, 28, 16, 22],
        bar: Some(Bar {
            edge: Edge::Top,
            thickness: 1,
            full: Color::of(9),
            empty: Color::of(2),
            drain: Drain::Effective,
        }),
    };

    fn level(level: usize, _: &mut Dice) -> Self {
        let pieces = LEVELS[level].places.iter().map(|place| place.pieces.bytes().collect()).collect();
        Grill { level, pieces, fork: None }
    }

    fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
        if let Input::Click(at) = input
            && let Some(place) = self.plan().places.iter().position(|place| place.is_hit(at))
        {
            self.click(place);
        }
        if self.is_sorted() { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(COALS);
        for y in (1..self.plan().side).step_by(4) {
            scene.block(Cell::at(0, y), self.plan().side, 1, GRATE);
        }
        for (place, pieces) in self.places() {
            place.draw(scene);
            pieces.iter().enumerate().for_each(|(index, piece)| draw_piece(scene, place.piece(index), *piece));
        }
        self.draw_fork(scene);
    }

    fn view(&self) -> View {
        View::of(self.plan().side, self.plan().side, 1)
    }

    fn inputs(&self) -> Vec<Input> {
        self.plan().places.iter().map(|place| Input::Click(place.along(1, 0))).collect()
    }

    /// Each piece that cannot stay where it is, is taken and stuck elsewhere.
    fn bound(&self) -> u32 {
        2 * self.misplaced() as u32 + u32::from(self.fork.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(index: usize) -> Grill {
        Grill::level(index, &mut Dice::new(0, ""))
    }

    fn text(grill: &Grill) -> String {
        let skewers = grill.pieces.iter().map(|it| String::from_utf8(it.clone()).unwrap());
        skewers.collect::<Vec<String>>().join(" ")
    }

    fn play(index: usize, clicks: &[usize]) -> Grill {
        let mut grill = level(index);
        for place in clicks {
            grill.click(*place);
        }
        grill
    }

    #[test]
    fn the_outermost_piece_goes_onto_the_fork_and_on_to_where_there_is_room() {
        let grill = play(0, &[0]);
        assert_eq!((text(&grill).as_str(), grill.fork), ("a bba b", Some((b'a', 0))));
        assert_eq!(text(&play(0, &[0, 1])), "a bba b", "the other one is full");
        assert_eq!(text(&play(0, &[0, 1, 2])), "a bba ba");
        assert_eq!(play(0, &[0, 0]), level(0));
    }

    #[test]
    fn twisted_skewers_take_a_kind_alone_or_what_came_from_them() {
        assert!(play(4, &[0, 1]).fork.is_some());
        assert_eq!(play(4, &[0, 0]), level(4));
        assert_eq!(text(&play(4, &[0, 3])), "ab bcc cab a ");
        assert_eq!(text(&play(4, &[0, 3, 2, 0])), "abb bcc ca a ");
    }

    #[test]
    fn everything_of_a_kind_has_to_be_on_one_skewer_and_none_on_a_saucer() {
        let mut grill = level(3);
        let mut is_sorted = |pieces: &str| {
            grill.pieces = pieces.split(' ').map(|it| it.bytes().collect()).collect();
            grill.is_sorted()
        };
        assert!(is_sorted("aaa bbb ccc ddd "));
        assert!(!is_sorted("aaa bbb cc ddd c"));
        assert!(!is_sorted("aa bbb ccc a "));
        assert!(!is_sorted("aab bb ccc ddd "));
    }

    #[test]
    fn a_click_meets_one_place_alone() {
        for plan in &LEVELS {
            let on = |at: Cell| plan.places.iter().filter(move |place| place.is_hit(at)).count();
            assert!((0..plan.side).flat_map(|y| (0..plan.side).map(move |x| Cell::at(x, y))).all(|at| on(at) <= 1));
            for place in plan.places {
                let ends = [place.along(0, 0), place.along(place.length(), 0)];
                assert!(ends.iter().all(|end| (0..plan.side).contains(&end.x) && (0..plan.side).contains(&end.y)));
                assert!((0..place.room).all(|index| place.is_hit(place.piece(index))));
            }
        }
    }
}
