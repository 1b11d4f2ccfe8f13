//! What a tilt makes of the seats in a line, and which way each key tilts.

use std::collections::BTreeMap;

use env_client::Key;

use super::{BARE, Kind, Stand, WALL, board::Board};

/// Columns and rows.
pub(super) type Way = (i8, i8);

/// Which way arrows point for the official player.
const ARROWS: [(Key, Way); 4] = [(Key::Key1, (0, -1)), (Key::Key2, (0, 1)), (Key::Key3, (-1, 0)), (Key::Key4, (1, 0))];

/// New tiles that may come up after one move. A guess.
const NEW: usize = 2;
/// The number of what is made of two alike is so much higher where nobody saw it.
const UNSEEN: Kind = 1 << 10;

/// What becomes of two of a kind that meet; `None` where they stay as they are.
type Fusions = BTreeMap<Kind, Option<Kind>>;

/// A press, and what stood before and after it.
pub(super) type Fact = (Key, Stand, Stand);

/// Which way keys tilt, and what becomes of two alike that meet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Law {
    ways: Vec<(Key, Way)>,
    fusions: Fusions,
    /// New tiles that come up after every move.
    new: usize,
}

/// How well presses are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// Presses that moved something and were reproduced, and those that were not.
    pub(super) right: usize,
    pub(super) wrong: usize,
    /// The most tiles that moved at once, and the most seats that one went.
    pub(super) together: usize,
    pub(super) far: usize,
}

/// How tiles go.
#[derive(Clone, Copy, Debug, Default)]
struct Motion {
    moved: usize,
    far: usize,
}

impl Motion {
    fn and(self, other: Motion) -> Motion {
        Motion { moved: self.moved + other.moved, far: self.far.max(other.far) }
    }
}

/// Two of a kind met of which nobody knows what they become: the seat of the first one, and what lies before it.
struct Riddle {
    kind: Kind,
    seat: usize,
    ahead: Vec<Kind>,
}

/// What all tiles of a line, its foremost seat first, come to.
fn slide(line: &[Kind], fuse: impl Fn(Kind) -> Option<Option<Kind>>) -> Result<(Vec<Kind>, Motion), Riddle> {
    let mut after: Vec<Kind> = line.iter().map(|it| if *it == WALL { WALL } else { BARE }).collect();
    let (mut free, mut may_fuse, mut motion) = (0, false, Motion::default());
    for (seat, kind) in line.iter().enumerate() {
        match *kind {
            WALL => (free, may_fuse) = (seat + 1, false),
            BARE => {}
            kind => {
                let meets = may_fuse && after[free - 1] == kind;
                let riddle = || Riddle { kind, seat: free - 1, ahead: after[..free - 1].to_vec() };
                let fused = if meets { fuse(kind).ok_or_else(riddle)? } else { None };
                if let Some(made) = fused {
                    after[free - 1] = made;
                    motion = motion.and(Motion { moved: 1, far: seat + 1 - free });
                    (free, may_fuse) = (free - usize::from(made == BARE), false);
                } else {
                    after[free] = kind;
                    motion = motion.and(Motion { moved: usize::from(free < seat), far: seat - free });
                    (free, may_fuse) = (free + 1, true);
                }
            }
        }
    }
    Ok((after, motion))
}

/// A line that is reproduced.
struct Told {
    fusions: Fusions,
    /// Tiles that came up.
    new: usize,
    motion: Motion,
}

/// Whether nothing else is seen on a seat than was foreseen, or a tile that came up.
fn agrees((foreseen, seen): (&Kind, &Kind)) -> bool {
    foreseen == seen || *foreseen == BARE && *seen != WALL
}

/// What became of a line, by the least that has to be supposed of those that meet in it.
fn tell(before: &[Kind], after: &[Kind], fusions: &Fusions) -> Option<Told> {
    match slide(before, |kind| fusions.get(&kind).copied()) {
        Ok((line, motion)) => {
            let new = line.iter().zip(after).filter(|(a, b)| a != b).count();
            line.iter().zip(after).all(agrees).then(|| Told { fusions: fusions.clone(), new, motion })
        }
        Err(Riddle { ahead, .. }) if !ahead.iter().zip(after).all(agrees) => None,
        Err(Riddle { kind, seat, .. }) => {
            let supposed = [None, Some(after[seat])].into_iter().filter_map(|made| {
                let mut fusions = fusions.clone();
                fusions.insert(kind, made);
                tell(before, after, &fusions)
            });
            supposed.min_by_key(|it| it.new)
        }
    }
}

fn line(stand: &[Kind], seats: &[usize]) -> Vec<Kind> {
    seats.iter().map(|it| stand[*it]).collect()
}

impl Law {
    /// Which way a key tilts: as was seen, or else as it points for the official player as long as all do.
    fn way(&self, key: Key) -> Option<Way> {
        let usual = |key: Key| ARROWS.into_iter().find(|it| it.0 == key).map(|it| it.1);
        let known = self.ways.iter().find(|it| it.0 == key).map(|it| it.1);
        let are_usual = || self.ways.iter().all(|(key, way)| usual(*key) == Some(*way));
        known.or_else(|| usual(key).filter(|_| are_usual()))
    }

    /// Whether two alike were seen to become something else.
    pub(super) fn fuses(&self) -> bool {
        self.fusions.values().any(Option::is_some)
    }

    /// Whether new tiles come up after every move.
    pub(super) fn brings(&self) -> bool {
        self.new > 0
    }

    /// The law of a board drawn at another scale, where pictures have other numbers.
    pub(super) fn without_kinds(&self) -> Law {
        Law { fusions: Fusions::new(), ..self.clone() }
    }

    /// What becomes of two of a kind, as far as can be told: where others fuse they do as well.
    fn fuse(&self, kind: Kind) -> Option<Kind> {
        let unseen = || self.fuses().then(|| kind.saturating_add(UNSEEN).min(WALL - 1));
        self.fusions.get(&kind).copied().unwrap_or_else(unseen)
    }

    /// What a key makes of all seats.
    pub(super) fn after(&self, board: &Board, stand: &[Kind], key: Key) -> Option<Stand> {
        let mut next = stand.to_vec();
        for seats in board.lines(self.way(key)?) {
            let (after, _) = slide(&line(stand, seats), |kind| Some(self.fuse(kind))).ok()?;
            seats.iter().zip(after).for_each(|(seat, kind)| next[*seat] = kind);
        }
        Some(next)
    }

    /// Reproduces presses, and learns on the way.
    pub(super) fn learn(&mut self, board: &Board, facts: &[Fact]) -> Record {
        let mut all: Vec<Outcome> = Vec::new();
        for (index, (key, ..)) in facts.iter().enumerate() {
            if facts[..index].iter().all(|it| it.0 != *key) {
                all.extend(self.learn_key(board, facts, *key));
            }
        }
        self.judge(&all)
    }

    /// The same of one key: where nobody saw which way it tilts, the one that reproduces most.
    fn learn_key(&mut self, board: &Board, facts: &[Fact], key: Key) -> Vec<Outcome> {
        let known = self.ways.iter().any(|it| it.0 == key);
        let usual = self.way(key);
        let others = ARROWS.into_iter().map(|it| it.1).filter(|way| !known && usual != Some(*way));
        let mut best: Option<(usize, Way, Fusions, Vec<Outcome>)> = None;
        for way in usual.into_iter().chain(others) {
            let mut fusions = self.fusions.clone();
            let of_key = facts.iter().filter(|it| it.0 == key);
            let all: Vec<Outcome> = of_key.map(|it| Outcome::of(board, it, way, &mut fusions)).collect();
            let right = all.iter().filter(|it| it.told.is_some()).count();
            if best.as_ref().is_none_or(|it| right > it.0) {
                best = Some((right, way, fusions, all));
            }
        }
        let Some((_, way, fusions, all)) = best else { return Vec::new() };
        if all.iter().any(Outcome::moves) {
            self.ways.extend((!known).then_some((key, way)));
            self.fusions = fusions;
        }
        all
    }

    /// How many tiles come up after a move, and how well all is told with so many.
    fn judge(&mut self, all: &[Outcome]) -> Record {
        let moves = |new: usize| all.iter().filter(move |it| it.moves() && it.brought() == Some(new));
        let mut best = self.new;
        for new in 0..=NEW {
            if moves(new).count() > moves(best).count() {
                best = new;
            }
        }
        self.new = best;
        let mut record = Record::default();
        for it in all {
            match &it.told {
                Some((new, motion)) if it.is_change && *new == best => {
                    record.right += usize::from(motion.moved > 0);
                    record.together = record.together.max(motion.moved);
                    record.far = record.far.max(motion.far);
                }
                Some((0, _)) if !it.is_change => {}
                _ => record.wrong += 1,
            }
        }
        record
    }
}

/// What is made of a press.
struct Outcome {
    is_change: bool,
    /// Tiles that came up, and how the others went, if that is reproduced.
    told: Option<(usize, Motion)>,
}

impl Outcome {
    /// Of a press that tilts this way; what was learned of those that meet stays known if it is reproduced.
    fn of(board: &Board, (_, before, after): &Fact, way: Way, fusions: &mut Fusions) -> Outcome {
        let mut known = fusions.clone();
        let mut told = Some((0, Motion::default()));
        for seats in board.lines(way) {
            let Some((new, motion)) = told else { break };
            let line = tell(&line(before, seats), &line(after, seats), &known);
            told = line.map(|it| {
                known = it.fusions;
                (new + it.new, motion.and(it.motion))
            });
        }
        told = told.filter(|it| it.0 <= NEW);
        if told.is_some() {
            *fusions = known;
        }
        Outcome { is_change: before != after, told }
    }

    fn moves(&self) -> bool {
        self.is_change && self.told.is_some_and(|it| it.1.moved > 0)
    }

    fn brought(&self) -> Option<usize> {
        self.told.map(|it| it.0)
    }
}
