//! Sweets: jars on a shelf, each of which has to hold one kind of sweets alone, and all there are of it.
//!
//! A click takes up the uppermost sweets of a jar, as many as lie there of one kind, and they hang over its mouth; a click on
//! another jar lays down there as many as it has room for, and the others fall back; one on the same jar lays all of them back.
//! Levels add, one after the other: a third kind; a tall jar and a low one; jars with a white lip, that take sweets upon their
//! own kind alone, or while they are bare; a jar under a lid, which is off while all sweets of the lid's colour are together; all of
//! it together.

use env_client::{ActionId, ActionSet, Color};

use crate::engine::{About, Bar, Cell, Dice, Drain, Edge, Family, Film, Input, Scene, Title, Verdict, View};

/// A jar as the level begins.
#[derive(Debug)]
struct Jar {
    room: usize,
    /// The sweets in it, the uppermost last.
    sweets: &'static str,
    /// Takes sweets upon their own kind, or while it is bare.
    is_choosy: bool,
    /// Neither gives nor takes anything while the sweets of this kind are not together.
    lid: Option<u8>,
}

/// One level.
#[derive(Debug)]
struct Plan {
    /// Frame cells of a sweet's side.
    size: i16,
    jars: &'static [Jar],
}

const fn plain(room: usize, sweets: &'static str) -> Jar {
    Jar { room, sweets, is_choosy: false, lid: None }
}

const fn choosy(room: usize, sweets: &'static str) -> Jar {
    Jar { room, sweets, is_choosy: true, lid: None }
}

const fn lidded(room: usize, sweets: &'static str, kind: u8) -> Jar {
    Jar { room, sweets, is_choosy: true, lid: Some(kind) }
}

const LEVELS: [Plan; 6] = [
    Plan { size: 9, jars: &[plain(3, "aab"), plain(3, "bba"), plain(3, "")] },
    Plan { size: 8, jars: &[plain(3, "bac"), plain(3, "cca"), plain(3, "bab"), plain(3, "")] },
    Plan { size: 6, jars: &[plain(5, "baa"), plain(4, "cbba"), plain(3, "abc"), plain(2, "")] },
    Plan { size: 6, jars: &[choosy(4, "abab"), choosy(4, "cacc"), choosy(4, "bbac"), plain(4, "")] },
    Plan {
        size: 7,
        jars: &[choosy(3, "dca"), choosy(3, "aad"), choosy(3, "cdb"), lidded(4, "bcb", b'a'), choosy(3, "")],
    },
    Plan {
        size: 6,
        jars: &[
            choosy(4, "cabb"),
            plain(4, "acab"),
            choosy(4, "ddbe"),
            lidded(5, "cacd", b'b'),
            plain(2, "ed"),
            choosy(4, ""),
        ],
    },
];

const SIDE: i16 = 64;
/// The row of the shelf, on which the jars stand.
const SHELF: i16 = 60;
/// Rows between the mouth of a jar and the sweets that hang over it.
const GAP: i16 = 2;
/// Rows of a lid.
const LID: i16 = 3;

const WALL: Color = Color::of(4);
const WOOD: Color = Color::of(13);
const EDGE: Color = Color::of(3);
const GLASS: Color = Color::of(10);
const LIP: Color = Color::of(0);
const INSIDE: Color = Color::of(5);
const SHINE: Color = Color::of(0);
const KINDS: [Color; 5] = [Color::of(8), Color::of(11), Color::of(14), Color::of(7), Color::of(12)];

/// The sweets that are taken up: from which jar, and over which they hang.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Lifted {
    from: usize,
    over: usize,
}

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shelf {
    level: usize,
    /// The sweets that belong to each jar, the uppermost last: those taken up are still among them.
    jars: Vec<Vec<u8>>,
    lifted: Option<Lifted>,
}

fn color(kind: u8) -> Color {
    KINDS[usize::from(kind - b'a') % KINDS.len()]
}

/// How many of the uppermost sweets are of one kind.
fn run(sweets: &[u8]) -> usize {
    sweets.iter().rev().take_while(|kind| sweets.last() == Some(*kind)).count()
}

fn draw_sweet(scene: &mut Scene, corner: Cell, size: i16, kind: u8) {
    let Cell { x, y } = corner;
    scene.block(Cell::at(x + 1, y), size - 2, size, color(kind));
    scene.block(Cell::at(x, y + 1), size, size - 2, color(kind));
    scene.cell(Cell::at(x + 2, y + 2), SHINE);
}

impl Shelf {
    fn plan(&self) -> &'static Plan {
        &LEVELS[self.level]
    }

    /// The frame cell in the corner of what is inside a jar.
    fn corner(&self, index: usize) -> Cell {
        let Plan { size, jars } = self.plan();
        let pitch = SIDE / jars.len() as i16;
        let margin = (SIDE - pitch * jars.len() as i16) / 2;
        let x = margin + pitch * index as i16 + (pitch - size) / 2;
        Cell::at(x, SHELF - 1 - size * jars[index].room as i16)
    }

    /// The jar at a frame cell, or the one that the sweets there are from.
    fn hit(&self, at: Cell) -> Option<usize> {
        let size = self.plan().size;
        (0..self.jars.len()).find(|index| {
            let Cell { x, y } = self.corner(*index);
            let is_lifted = self.lifted.is_some_and(|it| it.from == *index);
            let over = if is_lifted { GAP + size * run(&self.jars[*index]) as i16 } else { 0 };
            (x - 1..=x + size).contains(&at.x) && (y - over..SHELF).contains(&at.y)
        })
    }

    /// Whether all sweets of a kind are in one jar, and nothing else with them.
    fn is_together(&self, kind: u8) -> bool {
        let mut holding = self.jars.iter().filter(|sweets| sweets.contains(&kind));
        let is_pure = holding.next().is_some_and(|sweets| run(sweets) == sweets.len());
        is_pure && holding.next().is_none()
    }

    fn is_shut(&self, index: usize) -> bool {
        self.plan().jars[index].lid.is_some_and(|kind| !self.is_together(kind))
    }

    /// How many of the uppermost sweets of one jar another one takes.
    fn taken(&self, from: usize, to: usize) -> usize {
        let Jar { room, is_choosy, .. } = &self.plan().jars[to];
        let (given, held) = (&self.jars[from], &self.jars[to]);
        let is_wrong = *is_choosy && !held.is_empty() && held.last() != given.last();
        if self.is_shut(to) || is_wrong { 0 } else { run(given).min(room - held.len()) }
    }

    fn click(&mut self, index: usize, film: &mut Film<Self>) {
        match self.lifted {
            None if self.is_shut(index) || self.jars[index].is_empty() => {}
            None => self.lifted = Some(Lifted { from: index, over: index }),
            Some(Lifted { from, .. }) if from == index => self.lifted = None,
            Some(Lifted { from, .. }) => {
                let count = self.taken(from, index);
                if count > 0 {
                    self.lifted = Some(Lifted { from, over: index });
                    film.shoot(self);
                    self.lifted = None;
                    let left = self.jars[from].len() - count;
                    let moved = self.jars[from].split_off(left);
                    self.jars[index].extend(moved);
                }
            }
        }
    }

    /// By how much there are more heaps of one kind than kinds.
    fn surplus(&self) -> usize {
        let heaps: usize = self.jars.iter().map(|it| it.chunk_by(|one, other| one == other).count()).sum();
        let kinds = (b'a'..).take(KINDS.len()).filter(|kind| self.jars.iter().any(|it| it.contains(kind))).count();
        heaps - kinds
    }

    fn draw_jar(&self, scene: &mut Scene, index: usize) {
        let Plan { size, jars } = self.plan();
        let Jar { is_choosy, lid, .. } = &jars[index];
        let (size, Cell { x, y }) = (*size, self.corner(index));
        let glass = if *is_choosy { LIP } else { GLASS };
        scene.block(Cell::at(x - 1, y), size + 2, SHELF - y, GLASS);
        scene.block(Cell::at(x, y), size, SHELF - 1 - y, INSIDE);
        for side in [x - 1, x + size] {
            scene.block(Cell::at(side, y), 1, 2, glass);
        }
        if *is_choosy {
            scene.block(Cell::at(x - 2, y), 1, 2, LIP);
            scene.block(Cell::at(x + size + 1, y), 1, 2, LIP);
        }
        if let Some(kind) = lid.filter(|_| self.is_shut(index)) {
            scene.block(Cell::at(x - 1, y - LID), size + 2, LID, color(kind));
            scene.block(Cell::at(x + size / 2 - 1, y - LID - 2), 2, 2, color(kind));
        }
        let lifted = self.lifted.filter(|it| it.from == index);
        let still = self.jars[index].len() - lifted.map_or(0, |_| run(&self.jars[index]));
        for (place, kind) in (1i16..).zip(&self.jars[index][..still]) {
            draw_sweet(scene, Cell::at(x, SHELF - 1 - size * place), size, *kind);
        }
        if let Some(Lifted { over, .. }) = lifted {
            let Cell { x, y } = self.corner(over);
            for (place, kind) in (1i16..).zip(&self.jars[index][still..]) {
                draw_sweet(scene, Cell::at(x, y - GAP - size * place), size, *kind);
            }
        }
    }
}

impl Title for Shelf {
    const ABOUT: About = About {
        stem: "s314",
        title: "Sweets",
        families: &[Family::SelectThenAct, Family::Slots],
        controls: ActionSet::of(&[ActionId::Action6]),
        optimal: &[6, 12, 16, 16, 16, 26],
        bar: Some(Bar {
            edge: Edge::Bottom,
            thickness: 1,
            full: Color::of(6),
            empty: Color::of(2),
            drain: Drain::Effective,
        }),
    };

    fn level(level: usize, _: &mut Dice) -> Self {
        let jars = LEVELS[level].jars.iter().map(|jar| jar.sweets.bytes().collect()).collect();
        Shelf { level, jars, lifted: None }
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        if let Input::Click(at) = input
            && let Some(index) = self.hit(at)
        {
            self.click(index, film);
        }
        if self.surplus() == 0 { Verdict::Solved } else { Verdict::Playing }
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(WALL);
        scene.block(Cell::at(0, SHELF), SIDE, SIDE - SHELF, WOOD);
        scene.block(Cell::at(0, SHELF), SIDE, 1, EDGE);
        (0..self.jars.len()).for_each(|index| self.draw_jar(scene, index));
    }

    fn view(&self) -> View {
        View::of(SIDE, SIDE, 1)
    }

    fn inputs(&self) -> Vec<Input> {
        let middle = |Cell { x, y }| Cell::at(x + self.plan().size / 2, y + self.plan().size / 2);
        (0..self.jars.len()).map(|index| Input::Click(middle(self.corner(index)))).collect()
    }

    /// Two clicks lay one heap upon another one at best.
    fn bound(&self) -> u32 {
        (2 * self.surplus() as u32).saturating_sub(u32::from(self.lifted.is_some()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(index: usize) -> Shelf {
        Shelf::level(index, &mut Dice::new(0, ""))
    }

    fn text(shelf: &Shelf) -> String {
        let jars = shelf.jars.iter().map(|it| String::from_utf8(it.clone()).unwrap());
        jars.collect::<Vec<String>>().join(" ")
    }

    fn play(index: usize, clicks: &[usize]) -> Shelf {
        let mut shelf = level(index);
        for jar in clicks {
            shelf.click(*jar, &mut Film::blank());
        }
        shelf
    }

    #[test]
    fn sweets_of_one_kind_go_together_as_far_as_there_is_room() {
        assert_eq!(play(0, &[0, 0]), level(0));
        assert_eq!(text(&play(0, &[0, 2, 0, 2])), " bba baa");
        assert_eq!(play(0, &[0, 1]), play(0, &[0]), "the other one is full");
        assert_eq!(text(&play(2, &[2, 3, 0, 3])), "ba cbba ab ca", "one of two falls back");
    }

    #[test]
    fn jars_with_a_lip_take_their_own_kind_alone() {
        assert_eq!(play(3, &[0, 3, 1, 0]), play(3, &[0, 3, 1]));
        assert_eq!(text(&play(3, &[1, 3, 0, 3])), "aba ca bbac ccb");
        assert_eq!(text(&play(3, &[2, 3, 1, 3, 2, 1])), "abab caa bb ccc");
    }

    #[test]
    fn a_lid_is_off_while_its_kind_is_together() {
        assert_eq!(play(4, &[3]), level(4));
        assert_eq!(text(&play(4, &[0, 3, 4])), "dc aad cdb bcb a");
        let mut shelf = level(4);
        assert!(shelf.is_shut(3));
        shelf.jars[0].pop();
        shelf.jars[1] = b"aaa".to_vec();
        assert!(!shelf.is_shut(3));
    }

    #[test]
    fn a_jar_is_hit_alone_and_so_are_the_sweets_over_it() {
        for shelf in (0..LEVELS.len()).map(level) {
            for (index, input) in shelf.inputs().into_iter().enumerate() {
                let Input::Click(at) = input else { panic!("there are clicks alone") };
                assert_eq!(shelf.hit(at), Some(index));
                assert!(shelf.corner(index).x >= 2 || !shelf.plan().jars[index].is_choosy);
            }
        }
        let over = |shelf: &Shelf| shelf.hit(Cell::at(shelf.corner(0).x, shelf.corner(0).y - GAP - 1));
        assert_eq!((over(&level(0)), over(&play(0, &[0]))), (None, Some(0)));
    }
}
