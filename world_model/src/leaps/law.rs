//! What two clicks do to the seats from the one to the other: single facts, and patterns that hold for them.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

/// What stands on a seat, by number: [`BARE`], or what is equal for all that look alike.
pub type Kind = u8;

/// Nothing stands there, whatever the seat itself looks like.
pub const BARE: Kind = 0;

/// What nobody has seen yet.
pub const STRANGE: Kind = Kind::MAX;

/// Facts of one pattern in which nothing happened, after which nothing is expected of it.
const IDLE: usize = 2;
/// Seats of the longest line. A guess; it bounds the search.
pub(super) const LONGEST: usize = 6;

/// One seat of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Slot {
    Bare,
    /// Any piece that can be picked, the same wherever the same number stands.
    Any(u8),
    /// What comes after that piece where two of them meet.
    Next(u8),
    /// This and nothing else.
    Only(Kind),
}

type Pattern = Vec<Slot>;

/// The seats of a line and the class of its way, as they are seen.
type Line = (u8, Vec<Kind>);

/// What a pattern becomes, and the classes of ways on which that was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rewrite {
    after: Pattern,
    classes: BTreeSet<u8>,
}

/// Learns rewrites from facts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Law {
    /// What lines became; `None` where nothing happened. Only looked up, but for the patterns, which are in order.
    facts: BTreeMap<Line, Option<Vec<Kind>>>,
    rewrites: BTreeMap<Pattern, Rewrite>,
    idle: BTreeMap<(u8, Pattern), usize>,
    /// Kinds that a click picks; those that are bare seats; those that were seen to vanish.
    picked: BTreeSet<Kind>,
    bare: BTreeSet<Kind>,
    vanished: BTreeSet<Kind>,
    /// What came of two of a kind.
    next: BTreeMap<Kind, Kind>,
    lessons: u32,
}

impl Law {
    /// A click picks things of this kind.
    pub(super) fn picks(&mut self, kind: Kind) {
        if self.picked.insert(kind) {
            self.bare.remove(&kind);
            self.compile();
        }
    }

    pub(super) fn is_picked(&self, kind: Kind) -> bool {
        self.picked.contains(&kind)
    }

    pub(super) fn is_bare(&self, kind: Kind) -> bool {
        kind == BARE || self.bare.contains(&kind)
    }

    /// Whether it counts as a piece: it can be picked or taken.
    pub(super) fn is_piece(&self, kind: Kind) -> bool {
        kind == STRANGE || !self.is_bare(kind) && (self.picked.contains(&kind) || self.vanished.contains(&kind))
    }

    /// Whether a rewrite was ever seen.
    pub(super) fn is_known(&self) -> bool {
        !self.rewrites.is_empty()
    }

    /// Whether a rewrite was seen after which less stands in the line.
    pub(super) fn takes(&self) -> bool {
        let count = |kinds: &[Kind]| kinds.iter().filter(|it| !self.is_bare(**it)).count();
        self.facts.iter().any(|((_, before), after)| after.as_ref().is_some_and(|it| count(it) < count(before)))
    }

    /// Changes with everything that is learned.
    pub(super) fn lessons(&self) -> u32 {
        self.lessons
    }

    /// Two clicks on the ends of this line did that, or nothing.
    pub(super) fn learn(&mut self, class: u8, before: &[Kind], after: Option<&[Kind]>) {
        if let Some(after) = after {
            self.tell_bare(before, after);
        }
        let fact = after.map(<[Kind]>::to_vec);
        if self.facts.insert((class, before.to_vec()), fact.clone()) != Some(fact) {
            self.compile();
        }
    }

    /// What is left where a piece came from is a bare seat, and so was what it stands on now.
    fn tell_bare(&mut self, before: &[Kind], after: &[Kind]) {
        let (Some((from, to)), Some((left, came))) = (ends(before), ends(after)) else { return };
        if left != from && !self.picked.contains(&left) {
            self.bare.insert(left);
        }
        if came == from && !self.picked.contains(&to) {
            self.bare.insert(to);
        }
    }

    /// Reads all facts anew: what is bare or picked may have been told since.
    fn compile(&mut self) {
        self.lessons += 1;
        (self.rewrites, self.idle) = (BTreeMap::new(), BTreeMap::new());
        (self.vanished, self.next) = (BTreeSet::new(), BTreeMap::new());
        for ((class, before), after) in self.facts.clone() {
            let pattern = self.pattern(&before);
            let Some(after) = after else {
                *self.idle.entry((class, pattern)).or_default() += 1;
                continue;
            };
            let gone = before.iter().zip(&after).filter(|(old, new)| !self.is_bare(**old) && self.is_bare(**new));
            self.vanished.extend(gone.map(|it| *it.0).filter(|it| !after.contains(it)).collect::<Vec<Kind>>());
            let after = self.outcome(&before, &after);
            let rewrite = self
                .rewrites
                .entry(pattern)
                .or_insert_with(|| Rewrite { after: after.clone(), classes: BTreeSet::new() });
            rewrite.after = after;
            rewrite.classes.insert(class);
        }
    }

    fn pattern(&self, kinds: &[Kind]) -> Pattern {
        let mut pieces: Vec<Kind> = Vec::new();
        let slot = |kind: &Kind| match *kind {
            it if self.is_bare(it) => Slot::Bare,
            it if self.picked.contains(&it) => {
                let known = pieces.iter().position(|other| *other == it);
                Slot::Any(known.unwrap_or_else(|| {
                    pieces.push(it);
                    pieces.len() - 1
                }) as u8)
            }
            it => Slot::Only(it),
        };
        kinds.iter().map(slot).collect()
    }

    /// What a line became, as said of its pieces.
    fn outcome(&mut self, before: &[Kind], after: &[Kind]) -> Pattern {
        let pieces = self.pieces(before);
        let slot = |kind: &Kind| match *kind {
            it if self.is_bare(it) => Slot::Bare,
            it => match pieces.iter().position(|other| *other == it) {
                Some(index) => Slot::Any(index as u8),
                None if before.contains(&it) => Slot::Only(it),
                None if pieces.len() == 1 => {
                    self.next.insert(pieces[0], it);
                    Slot::Next(0)
                }
                None => Slot::Only(it),
            },
        };
        after.iter().map(slot).collect()
    }

    /// The different pieces of a line that can be picked.
    fn pieces(&self, kinds: &[Kind]) -> Vec<Kind> {
        let mut pieces: Vec<Kind> = Vec::new();
        for kind in kinds.iter().filter(|it| self.picked.contains(it) && !self.is_bare(**it)) {
            if !pieces.contains(kind) {
                pieces.push(*kind);
            }
        }
        pieces
    }

    /// What two clicks on the ends of a line make of it, if they are known to do anything. Who dares also takes ways that
    /// were not tried yet for such as were, what cannot be picked for a bare seat to go to, and longer ways for such as were
    /// seen free.
    pub(super) fn predict(&self, class: u8, kinds: &[Kind], dares: bool) -> Option<Vec<Kind>> {
        if let Some(fact) = self.facts.get(&(class, kinds.to_vec())) {
            return fact.as_ref().map(|it| it.iter().map(|kind| self.plain(*kind)).collect());
        }
        let pattern = self.pattern(kinds);
        if let Some(after) = self.rewritten(class, &pattern, kinds, dares) {
            return Some(after);
        }
        let to = *kinds.last()?;
        let is_still = !self.picked.contains(&to) && !self.vanished.contains(&to) && !self.is_bare(to);
        if dares && is_still {
            let mut onto = pattern.clone();
            *onto.last_mut()? = Slot::Bare;
            return self.rewritten(class, &onto, kinds, dares);
        }
        let between = &pattern[1..pattern.len() - 1];
        if dares && between.len() > 1 && between.iter().all(|it| *it == Slot::Bare) {
            let short = [&pattern[..2], &pattern[pattern.len() - 1..]].concat();
            let ends = [kinds[0], BARE, to];
            let mut after = self.rewritten(class, &short, &ends, dares)?;
            (1..between.len()).for_each(|_| after.insert(1, BARE));
            return Some(after);
        }
        None
    }

    fn rewritten(&self, class: u8, pattern: &Pattern, kinds: &[Kind], dares: bool) -> Option<Vec<Kind>> {
        let rewrite = self.rewrites.get(pattern).filter(|it| dares || it.classes.contains(&class))?;
        let pieces = self.pieces(kinds);
        let kind = |slot: &Slot| match slot {
            Slot::Bare => BARE,
            Slot::Only(kind) => *kind,
            Slot::Any(index) => pieces.get(usize::from(*index)).copied().unwrap_or(STRANGE),
            Slot::Next(index) => {
                pieces.get(usize::from(*index)).and_then(|it| self.next.get(it)).copied().unwrap_or(STRANGE)
            }
        };
        Some(rewrite.after.iter().map(kind).collect())
    }

    fn plain(&self, kind: Kind) -> Kind {
        if self.is_bare(kind) { BARE } else { kind }
    }

    /// Whether it is not known what two clicks on the ends of a line do.
    pub(super) fn is_open(&self, class: u8, kinds: &[Kind]) -> bool {
        let pattern = self.pattern(kinds);
        !self.facts.contains_key(&(class, kinds.to_vec()))
            && !self.rewrites.contains_key(&pattern)
            && self.idle.get(&(class, pattern)).is_none_or(|it| *it < IDLE)
    }

    /// Whether free ways longer than a step were seen.
    pub(super) fn goes_far(&self) -> bool {
        self.rewrites.keys().any(|it| it.len() == 3 && it[1..].iter().all(|slot| *slot == Slot::Bare))
    }
}

fn ends(kinds: &[Kind]) -> Option<(Kind, Kind)> {
    Some((*kinds.first()?, *kinds.last()?))
}

/// What was asked of the law before, by the line: searches ask the same over and over.
#[derive(Debug)]
pub struct Memo<'a> {
    law: &'a Law,
    dares: bool,
    known: FxHashMap<u64, Option<Vec<Kind>>>,
}

impl<'a> Memo<'a> {
    pub(super) fn new(law: &'a Law, dares: bool) -> Memo<'a> {
        Memo { law, dares, known: FxHashMap::default() }
    }

    pub(super) fn law(&self) -> &'a Law {
        self.law
    }

    /// The same as [`Law::predict`].
    pub(super) fn predict(&mut self, class: u8, kinds: &[Kind]) -> Option<&[Kind]> {
        let line = kinds.iter().fold(1u64, |all, it| all << 8 | u64::from(*it));
        // Six kinds after a leading one leave room for the class: of longer lines none is asked.
        let key = u64::from(class) << 56 | line;
        let (law, dares) = (self.law, self.dares);
        self.known.entry(key).or_insert_with(|| law.predict(class, kinds, dares)).as_deref()
    }
}
