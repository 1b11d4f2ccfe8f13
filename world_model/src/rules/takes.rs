//! What comes of coming onto a thing: keys that are taken in hand, exchanged for the one that was held, or spent.
//!
//! Where a piece that answers to actions comes onto a thing, the picture around it may become another one than the pieces
//! alone tell. What differs is a pattern of the thing's form and of what the piece takes along, in roles rather than colours:
//! seen with one key it holds for keys of all colours. A pattern speaks for as long as it is not wrong more often than right.
//! Where a hand that holds something comes onto what it would take, both are expected to be exchanged (`exchange`), patterns
//! or not, as long as that comes true. What lies under the piece then goes into the state, so that a search foresees what is seen
//! when the piece goes on.

mod exchange;

use env_client::{Color, Grid};
use rustc_hash::FxHashMap;

use self::exchange::{Exchange, Takings};
use super::{
    canvas::Canvas,
    cell_set::{CellSet, Patch},
    claim::Claim,
    law::mix,
    mover::{Movers, Moves, Placement},
    sprite::{Sprite, Vector, color_at},
    view::View,
};
use crate::InterfaceMask;

/// The most components of one thing: a chest has two. A guess.
const PARTS: usize = 3;
/// The largest thing, in pieces.
const THINGS: usize = 4;
/// Marks claims about exchanges.
const EXCHANGE: u64 = 0xe8c4;

/// Where a cell's next colour comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A component of the thing, the largest first.
    Thing(usize),
    /// What the piece takes along.
    Held,
    Ground,
    Fixed(Color),
}

/// What differs around a piece, from its corner where it comes to.
#[derive(Clone, Debug, Default)]
struct Pattern {
    cells: Vec<(Vector, Role)>,
    right: u32,
    wrong: u32,
}

/// A piece coming onto a thing.
struct Meeting {
    /// The forms of the piece, the thing, and what is taken along; and the same where nothing is.
    key: u64,
    bare: u64,
    leader: Placement,
    /// What is taken along.
    along: Option<Placement>,
    /// The corner of the piece afterwards, and its size.
    at: Vector,
    size: Vector,
    /// The cells where pieces are before.
    left: CellSet,
    parts: Vec<Patch>,
    held: Option<Color>,
    ground: Color,
}

impl Meeting {
    /// The one controlled piece that moves, if it comes onto one thing.
    fn of(view: &View<'_>, movers: &Movers, placements: &[Placement]) -> Option<Meeting> {
        let mut leading = placements.iter().filter(|it| it.came != Vector::ZERO && movers.is_controlled(it.instance));
        let leader = leading.next()?;
        if leading.next().is_some() {
            return None;
        }
        let sprite = movers.sprite(leader.instance);
        let at = leader.instance.at.plus(leader.came);
        let ground = view.canvas.around(view.frame, sprite, leader.instance.at)?;
        let goes_along = |it: &&Placement| {
            it.instance != leader.instance && it.came == leader.came && !movers.is_controlled(it.instance)
        };
        let along = placements.iter().find(goes_along);
        let held = along.map(|it| movers.sprite(it.instance));
        let covered = placements.iter().flat_map(|it| movers.sprite(it.instance).footprint(it.instance.at));
        let left: CellSet = covered.collect();
        let parts =
            parts(view.frame, sprite.square(at).filter(|cell| !left.contains(*cell)), ground, sprite.cells().len())?;
        let forms = parts.iter().map(Patch::form).chain([leader.instance.class as u64]);
        let met = forms.fold(0, |hash, form| mix(hash ^ form));
        let [bare, key] = [0, held.map_or(0, Sprite::outline_key)].map(|held| mix(met ^ held));
        let held = held.and_then(|it| it.cells().first()).map(|(_, color)| *color);
        let (leader, along) = (*leader, along.copied());
        Some(Meeting { key, bare, leader, along, at, size: sprite.size, left, parts, held, ground })
    }

    fn color(&self, role: Role) -> Option<Color> {
        match role {
            Role::Thing(part) => self.parts.get(part).map(|it| it.color),
            Role::Held => self.held,
            Role::Ground => Some(self.ground),
            Role::Fixed(color) => Some(color),
        }
    }

    fn role(&self, color: Color) -> Role {
        match self.parts.iter().position(|it| it.color == color) {
            Some(part) => Role::Thing(part),
            None if self.held == Some(color) => Role::Held,
            None if self.ground == color => Role::Ground,
            None => Role::Fixed(color),
        }
    }

    /// The cells on and right around the piece that no piece leaves.
    fn room(&self) -> impl Iterator<Item = Vector> {
        let (across, down) = (-1..=self.size.x, -1..=self.size.y);
        let all = down.flat_map(move |y| across.clone().map(move |x| self.at.plus(Vector::new(x, y))));
        all.filter(|cell| !self.left.contains(*cell))
    }

    /// The pattern of some cells, if colours tell roles apart: not where a cell has the colour of the thing and of what is
    /// held.
    fn pattern(&self, frame: &Grid, cells: &[Vector]) -> Option<Vec<(Vector, Role)>> {
        let is_both = |color: Color| Some(color) == self.held && self.parts.iter().any(|it| it.color == color);
        let role = |at: &Vector| {
            let color = color_at(frame, *at).filter(|color| !is_both(*color))?;
            Some((at.minus(self.at), self.role(color)))
        };
        cells.iter().map(role).collect()
    }
}

/// The components of a thing at these cells, largest first; nothing where there is none, or more than one thing has.
fn parts(frame: &Grid, cells: impl Iterator<Item = Vector>, ground: Color, piece: usize) -> Option<Vec<Patch>> {
    let mut parts: Vec<Patch> = Vec::new();
    for cell in cells {
        let is_new = color_at(frame, cell).is_some_and(|color| color != ground);
        if !is_new || parts.iter().any(|it| it.cells.contains(cell)) {
            continue;
        }
        let part = Patch::at(frame, cell, THINGS * piece).filter(|it| it.area <= THINGS * piece)?;
        parts.push(part);
        if parts.len() > PARTS {
            return None;
        }
    }
    parts.sort_by_key(|it| std::cmp::Reverse(it.area));
    (!parts.is_empty()).then_some(parts)
}

/// Every pattern that was seen.
#[derive(Clone, Debug)]
pub(super) struct Takes {
    known: FxHashMap<u64, Pattern>,
    /// The cells of the thing that was met by the last step, if what comes of that is known.
    met: CellSet,
    takings: Takings,
}

impl Default for Takes {
    fn default() -> Takes {
        Takes { known: FxHashMap::default(), met: CellSet::EMPTY, takings: Takings::default() }
    }
}

impl Takes {
    /// How the picture around a piece that comes onto a thing will differ from what pieces alone tell.
    pub(super) fn expect(&self, view: &View<'_>, movers: &Movers, expected: &Moves) -> Option<Taken> {
        if self.known.is_empty() {
            return None;
        }
        let meeting = Meeting::of(view, movers, &expected.placements)?;
        if let Some(exchange) = self.takings.guess(&meeting, movers).filter(|_| self.takings.is_trusted()) {
            let mut claim = Claim { edits: exchange.edits, support: self.takings.support(), ..Claim::by(6) };
            claim.marked(EXCHANGE);
            return Some(Taken { claim, under: Under::Known(exchange.under) });
        }
        let claim = self.claim(&meeting)?;
        let body = movers.sprite(meeting.leader.end()).footprint(meeting.at).collect();
        Some(Taken { claim, under: Under::Seen(Box::new((meeting, body))) })
    }

    /// What is expected by the pattern that such a meeting has.
    fn claim(&self, meeting: &Meeting) -> Option<Claim> {
        let pattern = self.known.get(&meeting.key).filter(|it| it.wrong <= it.right)?;
        let mut claim = Claim::by(6);
        claim.marked(u64::from(pattern.right.min(3)));
        claim.support = pattern.right.min(3) as u8;
        let edits = pattern.cells.iter().filter_map(|(at, role)| Some((meeting.at.plus(*at), meeting.color(*role)?)));
        claim.edits.extend(edits);
        Some(claim)
    }

    /// Learns whether it was right to expect an exchange; what lies under the piece then, if it was.
    fn judge_exchange(
        &mut self,
        (meeting, movers): (&Meeting, &Movers),
        room: &[Vector],
        expected: &Grid,
        after: &Grid,
    ) -> Option<Vec<(Vector, Color)>> {
        let Exchange { edits, under } = self.takings.guess(meeting, movers)?;
        let told = |at: Vector| edits.iter().find(|it| it.0 == at).map(|it| it.1).or_else(|| color_at(expected, at));
        let is_right = room.iter().all(|at| told(*at) == color_at(after, *at));
        self.takings.judge(is_right);
        is_right.then_some(under)
    }

    /// Learns from a step how the picture differs from the frame that was expected without patterns.
    pub(super) fn learn(
        &mut self,
        (view, after, mask): (&View<'_>, &Grid, &InterfaceMask),
        (movers, foreseen, expected): (&mut Movers, &Moves, &Grid),
        canvas: &mut Canvas,
    ) {
        self.met = CellSet::EMPTY;
        let came = came(movers, foreseen, after);
        let Some(meeting) = Meeting::of(view, movers, &came) else { return };
        let leader = came.iter().find(|it| movers.is_controlled(it.instance) && it.came != Vector::ZERO);
        let Some(leader) = leader.filter(|it| movers.sprite(it.instance).is_at(after, meeting.at)) else { return };
        let body: CellSet = movers.sprite(leader.instance).footprint(meeting.at).collect();
        canvas.turn(&turned(after, &meeting, &body));
        let is_shown = |at: Vector| env_client::Point::new(at.x, at.y).is_ok_and(|at| !mask.hides(at));
        let room: Vec<Vector> = meeting.room().filter(|at| is_shown(*at) && color_at(after, *at).is_some()).collect();
        if foreseen.placements.contains(leader) {
            if let Some(under) = self.judge_exchange((&meeting, movers), &room, expected, after) {
                canvas.turn(&under);
            }
            self.compare(&meeting, &room, expected, after);
        }
        if self.known.contains_key(&meeting.key) {
            self.met = meeting.parts.iter().flat_map(|it| it.cells.iter()).collect();
            let is_taken = |at: &Vector| meeting.parts.iter().any(|it| color_at(after, *at) == Some(it.color));
            let hand: CellSet = room.into_iter().filter(|at| is_taken(at) && !body.contains(*at)).collect();
            movers.dye(after, &hand);
            self.takings.learn(&meeting, movers, after, &hand);
        }
    }

    /// Whether a thing was met here by the last step, so that it is known what becomes of it.
    pub(super) fn explains(&self, at: Vector) -> bool {
        self.met.contains(at)
    }

    /// Learns how the cells of a room differ from what was expected.
    fn compare(&mut self, meeting: &Meeting, room: &[Vector], expected: &Grid, after: &Grid) {
        let differing: Vec<Vector> =
            room.iter().filter(|at| color_at(after, **at) != color_at(expected, **at)).copied().collect();
        let cells = meeting.pattern(after, &differing);
        let Some(pattern) = self.known.get_mut(&meeting.key) else {
            if let Some(cells) = cells.filter(|_| !differing.is_empty()) {
                self.known.insert(meeting.key, Pattern { cells, right: 0, wrong: 0 });
            }
            return;
        };
        let told = |at: Vector| {
            let cell = pattern.cells.iter().find(|(offset, _)| meeting.at.plus(*offset) == at);
            cell.map_or_else(|| color_at(expected, at), |(_, role)| meeting.color(*role))
        };
        if room.iter().all(|at| told(*at) == color_at(after, *at)) {
            pattern.right += 1;
            return;
        }
        pattern.wrong += 1;
        pattern.cells = cells.unwrap_or_else(|| std::mem::take(&mut pattern.cells));
    }
}

/// What was expected of pieces, but that those got where they meant to go that are seen there.
fn came(movers: &Movers, foreseen: &Moves, after: &Grid) -> Vec<Placement> {
    let gets_there = |it: &Placement| {
        let end = it.instance.at.plus(it.wished);
        it.came == Vector::ZERO && it.wished != Vector::ZERO && movers.sprite(it.instance).is_at(after, end)
    };
    let placements = foreseen.placements.iter();
    placements.map(|it| Placement { came: if gets_there(it) { it.wished } else { it.came }, ..*it }).collect()
}

/// What comes of coming onto a thing.
pub(super) struct Taken {
    pub(super) claim: Claim,
    under: Under,
}

/// What tells what lies under the piece then.
enum Under {
    Known(Vec<(Vector, Color)>),
    /// What is seen of it beside the piece, which covers these cells.
    Seen(Box<(Meeting, CellSet)>),
}

impl Taken {
    /// What the cells turned to that the piece comes onto, in this frame of afterwards.
    pub(super) fn turned(self, after: &Grid) -> Vec<(Vector, Color)> {
        match self.under {
            Under::Known(cells) => cells,
            Under::Seen(met) => turned(after, &met.0, &met.1),
        }
    }
}

/// What of a thing is still seen beside the piece tells what the whole of it became.
fn turned(after: &Grid, meeting: &Meeting, body: &CellSet) -> Vec<(Vector, Color)> {
    let turned = meeting.parts.iter().filter_map(|part| {
        let seen = meeting.room().filter(|at| part.cells.contains(*at) && !body.contains(*at));
        let mut colors: Vec<Color> =
            seen.filter_map(|at| color_at(after, at)).filter(|color| *color != part.color).collect();
        colors.sort_unstable();
        colors.dedup();
        let [color] = colors[..] else { return None };
        Some(part.cells.iter().map(move |at| (at, color)))
    });
    turned.flatten().collect()
}
