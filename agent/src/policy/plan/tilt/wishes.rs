//! What may be wanted of a board that is tilted, and the search for it.

use std::collections::{HashSet, VecDeque};

use env_client::{Color, Key};
use world_model::tilts::{BARE, Kind, Stand, Tilts, WALL};

/// What may be wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// One tile is left.
    One,
    /// A tile of this kind, which came up when a level was solved.
    Made(Kind),
    /// A tile as one that is drawn beside the board.
    Drawn(Kind),
    /// On every marked seat a tile that shows the colour of the mark; or any tile.
    Matched,
    Covered,
    /// A tile of this kind on a marked seat.
    Brought(Kind),
    /// As few tiles as can be.
    Fewer,
}

impl Wish {
    /// For people to read.
    pub(super) fn name(self) -> &'static str {
        match self {
            Wish::One => "slide all tiles into one",
            Wish::Made(_) => "make the tile that solved a level",
            Wish::Drawn(_) => "make the tile that is drawn beside the board",
            Wish::Matched => "slide tiles onto the marks of their colours",
            Wish::Covered => "slide a tile onto every mark",
            Wish::Brought(_) => "slide a tile of a kind onto a mark",
            Wish::Fewer => "slide tiles into as few as can be",
        }
    }

    /// Whether it is the same, or was in another level.
    pub(super) fn is_like(self, other: Wish) -> bool {
        self == other || matches!((self, other), (Wish::Drawn(_), Wish::Drawn(_)))
    }
}

/// How many tiles there are.
pub(super) fn tiles(stand: &[Kind]) -> usize {
    stand.iter().filter(|it| !matches!(**it, BARE | WALL)).count()
}

/// A way to what is wanted: keys, and what each leads to.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) wish: Wish,
    pub(super) steps: VecDeque<(Key, Stand)>,
}

/// What a search came to.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) best: Option<Way>,
    /// Whether all stands that can be reached were looked at.
    pub(super) is_all: bool,
}

/// A stand that was reached, and the one before it with the key that leads on from there.
type Reached = (Stand, Option<(usize, Key)>);

/// What is known of a board.
pub(super) struct Look<'a> {
    pub(super) model: &'a Tilts,
    pub(super) marks: Vec<(usize, Color)>,
}

impl Look<'_> {
    pub(super) fn is_met(&self, wish: Wish, stand: &[Kind]) -> bool {
        let stands = |seat: &usize| stand.get(*seat).copied().filter(|it| !matches!(*it, BARE | WALL));
        match wish {
            Wish::One => tiles(stand) == 1,
            Wish::Made(kind) | Wish::Drawn(kind) => stand.contains(&kind),
            Wish::Matched => {
                let suits =
                    |(seat, color): &(usize, Color)| stands(seat).is_some_and(|kind| self.model.shows(kind, *color));
                self.marks.iter().all(suits)
            }
            Wish::Covered => self.marks.iter().all(|it| stands(&it.0).is_some()),
            Wish::Brought(kind) => self.marks.iter().any(|it| stands(&it.0) == Some(kind)),
            Wish::Fewer => false,
        }
    }

    /// The shortest way to the first of these wishes that can be granted, else to the fewest tiles among so many stands.
    pub(super) fn search(&self, from: &Stand, wishes: &[Wish], keys: &[Key], stands: usize) -> Found {
        let mut known = HashSet::from([from.clone()]);
        let mut reached: Vec<Reached> = vec![(from.clone(), None)];
        let (mut rank, mut best) = (wishes.len(), None);
        let (mut fewest, mut fewer) = (tiles(from), None);
        let mut index = 0;
        while index < reached.len() && reached.len() < stands && rank > 0 {
            for key in keys {
                let next = self.model.after(&reached[index].0, *key);
                let Some(next) = next.filter(|it| known.insert(it.clone())) else { continue };
                if let Some(met) = wishes[..rank].iter().position(|it| self.is_met(*it, &next)) {
                    (rank, best) = (met, Some(reached.len()));
                }
                let left = tiles(&next);
                if left < fewest {
                    (fewest, fewer) = (left, Some(reached.len()));
                }
                reached.push((next, Some((index, *key))));
            }
            index += 1;
        }
        let is_all = index == reached.len();
        let way = |(wish, end): (Wish, usize)| Way { wish, steps: row(&reached, end) };
        let granted = best.and_then(|end| Some((*wishes.get(rank)?, end)));
        Found { best: granted.or_else(|| Some((Wish::Fewer, fewer?))).map(way), is_all }
    }
}

/// What leads to a stand, from the first on.
fn row(reached: &[Reached], mut at: usize) -> VecDeque<(Key, Stand)> {
    let mut steps = VecDeque::new();
    while let Some((from, key)) = reached[at].1 {
        steps.push_front((key, reached[at].0.clone()));
        at = from;
    }
    steps
}
