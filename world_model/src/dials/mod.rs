//! Dials: parts of a picture that clicks turn through a round of pictures, one or several at once.
//!
//! - [`Dials`]: watches clicks, and says what a click would turn. Start here.
//! - `parts`: which cells belong together, and the pictures that they show.
//! - `rounds`: which picture follows which, in one sense and in the other.
//!
//! A click may turn several dials, some of them the other way, and what it turns may depend on another dial, such as a
//! latch that joins two of them. All this is learned one by one: what a click turned before it turns again, until it
//! does not; then another dial is looked for that tells when.
//!
//! A dial is lit where one of its pictures alone shows a colour that none of the others has: a lamp that goes on. Two
//! pictures do not tell which of them is lit, three do; and the colour of lamps is the same for all dials of a game. What is lit
//! may also be told by a colour that comes up somewhere in one picture alone of each of several dials.

mod parts;
mod rounds;

use std::collections::BTreeMap;

use env_client::{Action, Color, Grid, Point};

pub use self::parts::Picture;
use self::{
    parts::{Group, Part, groups, parts},
    rounds::{Round, rounds},
};
use crate::{InterfaceMask, Outcome, Start, Transition};

/// Clicks of one level that are kept: each is compared with all parts again when something was learned. A guess.
const KEPT: usize = 120;
/// What changes more cells than this is no dial, and more parts than this are no dials. Guesses.
const CELLS: usize = 400;
const PARTS: usize = 24;
/// Pictures that a dial shows at least before one of them can be known to be lit.
const PICTURES: usize = 3;
/// Parts that have to show a colour in one of their pictures alone, for it to tell which is lit where it is no lamp's.
const ALIKE: usize = 2;
/// The share of a frame's side that its rim takes, where bars tick with every click.
const RIM: u8 = 16;

/// What each part shows.
pub type Pictures = Vec<Picture>;

/// A click that was seen.
#[derive(Clone, Debug)]
struct Seen {
    at: Point,
    before: Grid,
    after: Grid,
    /// The cells that changed, by nearness.
    groups: Vec<Group>,
}

/// When a click turns a part.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Law {
    /// As it always did.
    Always(bool),
    /// As what another part shows tells.
    By(usize, BTreeMap<Picture, bool>),
}

/// What the clicks on one thing were seen to do: what the parts showed before and after.
type Pressed = Vec<(Pictures, Pictures)>;

/// Learns what clicks turn.
#[derive(Clone, Debug, Default)]
pub struct Dials {
    seen: Vec<Seen>,
    parts: Vec<Part>,
    rounds: Vec<Round>,
    /// What was clicked, by the first point of it that was.
    buttons: BTreeMap<Point, Pressed>,
    /// When each of them turns which part.
    laws: BTreeMap<Point, Vec<Law>>,
    /// The colour of lamps that are on, as it is believed in this level and as it was known when one was solved.
    lamp: Option<Color>,
    proven: Option<Color>,
    /// Pictures in a round that closed in this game.
    length: Option<usize>,
}

impl Dials {
    /// A level begins, or begins again.
    pub fn begin(&mut self, start: Start) {
        if start == Start::Level {
            *self = Dials { proven: self.proven, length: self.length, ..Dials::default() };
        }
    }

    /// Learns from one action; whether a click turned anything.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) -> bool {
        self.prove(step);
        let (Action::Click(at), Some(after), Outcome::Continues) = (step.action, step.after(), step.outcome) else {
            return false;
        };
        let is_in_world = |at: &Point| !mask.hides(*at) && !on_rim(*at, after);
        let changed = step.before.differences(after).into_iter().flatten().filter(is_in_world);
        let changed: Vec<Point> = changed.collect();
        if changed.is_empty() || changed.len() > CELLS || self.seen.len() >= KEPT {
            return false;
        }
        let groups = groups(&changed);
        self.seen.push(Seen { at, before: step.before.clone(), after: after.clone(), groups });
        self.rebuild(mask);
        true
    }

    /// A level that was solved proves the colour of lamps, if all of them were on then as far as it is known.
    fn prove(&mut self, step: &Transition<'_>) {
        let Some(at) = step.action.point().filter(|_| step.outcome == Outcome::Solved) else { return };
        let now = self.read(step.before);
        let others_are_lit = || {
            let lamps = self.parts.iter().map(|it| it.lit).enumerate().filter_map(|(part, lit)| Some((part, lit?)));
            let mut lamps = lamps.map(|(part, lit)| self.turns(at, part, &now) == Some(false) && now[part] == lit);
            lamps.next() == Some(true) && lamps.all(|is_lit| is_lit)
        };
        if self.after(at, &now).map_or_else(others_are_lit, |after| self.is_lit(&after)) {
            self.proven = self.proven.or(self.lamp);
        }
    }

    /// Takes everything seen for what it is, now that more is known.
    fn rebuild(&mut self, mask: &InterfaceMask) {
        self.parts = parts(self.seen.iter().flat_map(|it| &it.groups), |at| !mask.hides(at));
        self.buttons.clear();
        if self.parts.len() <= PARTS {
            self.press_all();
        }
        self.rounds = rounds(self.parts.len(), &self.buttons, &mut self.length);
        self.light();
        let law = |pressed: &Pressed| (0..self.parts.len()).map(|part| self.law(pressed, part)).collect();
        self.laws = self.buttons.iter().map(|(at, pressed)| (*at, law(pressed))).collect();
    }

    /// Tells what was clicked from each other, and what every click did to the parts.
    fn press_all(&mut self) {
        let mut names: Vec<(Option<usize>, Point)> = Vec::new();
        for Seen { at, before, after, .. } in &self.seen {
            let (was, is) = (self.read(before), self.read(after));
            for (index, part) in self.parts.iter_mut().enumerate() {
                part.show(was[index], before);
                part.show(is[index], after);
            }
            let own = (0..self.parts.len()).find(|part| was[*part] != is[*part] && self.parts[*part].contains(*at));
            let known = names.iter().find(|(part, name)| (own.is_some() && *part == own) || name == at);
            let name = known.map_or(*at, |it| it.1);
            names.push((own, name));
            self.buttons.entry(name).or_default().push((was, is));
        }
    }

    /// Finds which pictures are lit: by a lamp, or else by a colour that goes on in several parts, wherever it does so in each,
    /// as the heart of a flower that opens.
    fn light(&mut self) {
        let told = self.parts.iter().filter_map(|it| it.told(PICTURES).map(|told| (it, told)));
        let (mut lamps, mut hearts) = ([0usize; Color::COUNT], [0usize; Color::COUNT]);
        for (part, (picture, colors)) in told {
            let lamp = colors.first().filter(|it| part.is_lamp(picture, **it));
            if let Some(it) = lamp {
                lamps[it.index()] += 1;
            }
            for it in &colors {
                hearts[it.index()] += 1;
            }
        }
        let most = |votes: [usize; Color::COUNT], least: usize| {
            let all = Color::ALL.into_iter().filter(|it| votes[it.index()] >= least);
            all.max_by_key(|it| votes[it.index()])
        };
        let most = most(lamps, 1).or_else(|| most(hearts, ALIKE));
        self.lamp = self.proven.or(most);
        for part in &mut self.parts {
            part.lit = self.lamp.and_then(|lamp| part.with(lamp));
        }
    }

    /// What each part shows in a frame.
    pub fn read(&self, frame: &Grid) -> Pictures {
        self.parts.iter().map(|it| it.read(frame)).collect()
    }

    /// Where to click, once for everything that was clicked and turned something.
    pub fn buttons(&self) -> Vec<Point> {
        self.buttons.keys().copied().collect()
    }

    /// Whether several dials with a button of their own are known, and a lamp for at least one of them.
    pub fn are_known(&self) -> bool {
        self.parts.iter().any(|it| it.lit.is_some()) && self.buttons.len() > 1
    }

    /// Whether both points lie on one thing that clicks turn.
    pub fn is_one_part(&self, a: Point, b: Point) -> bool {
        self.parts.iter().any(|it| it.contains(a) && it.contains(b))
    }

    /// Whether the colour of lamps was the right one in an earlier level.
    pub fn is_proven(&self) -> bool {
        self.proven.is_some()
    }

    /// Whether all dials that can be lit are, where some can.
    pub fn is_lit(&self, now: &Pictures) -> bool {
        let mut lamps = self.parts.iter().zip(now).filter_map(|(part, shown)| Some((part.lit?, *shown))).peekable();
        lamps.peek().is_some() && lamps.all(|(lit, shown)| lit == shown)
    }

    /// What a click leads to; `None` where nobody knows.
    pub fn after(&self, at: Point, now: &Pictures) -> Option<Pictures> {
        let mut after = now.clone();
        for (part, shows) in after.iter_mut().enumerate().filter(|(part, _)| self.rounds[*part].is_regular) {
            if self.turns(at, part, now)? {
                *shows = self.rounds[part].after(at, *shows)?;
            }
        }
        Some(after)
    }

    /// Whether a click would show another picture of a dial of which nobody knows when it is lit.
    pub fn teaches(&self, at: Point, now: &Pictures) -> bool {
        let is_open = |part: &usize| self.parts[*part].lit.is_none() && self.rounds[*part].is_regular;
        let turns = |part: usize| self.turns(at, part, now) == Some(true);
        (0..self.parts.len()).filter(is_open).any(|it| turns(it) && self.rounds[it].after(at, now[it]).is_none())
    }

    /// Whether a click turns a dial that is lit.
    pub fn spoils(&self, at: Point, now: &Pictures) -> bool {
        (0..self.parts.len()).any(|it| self.parts[it].lit == Some(now[it]) && self.turns(at, it, now) == Some(true))
    }

    /// Whether a click was never made while a dial that is never lit, such as a latch, showed what it shows now.
    pub fn is_news(&self, at: Point, now: &Pictures) -> bool {
        let Some(pressed) = self.buttons.get(&at) else { return true };
        let is_latch = |part: &usize| self.parts[*part].lit.is_none() && self.rounds[*part].is_regular;
        (0..self.parts.len()).filter(is_latch).any(|it| pressed.iter().all(|(before, _)| before[it] != now[it]))
    }

    /// Whether a click turns a part; `None` where the part that tells shows what it never did then.
    fn turns(&self, at: Point, part: usize, now: &Pictures) -> Option<bool> {
        match &self.laws.get(&at)?[part] {
            Law::Always(turned) => Some(*turned),
            Law::By(by, told) => told.get(&now[*by]).copied(),
        }
    }

    /// When clicks turn a part: as they always did, or else as another part tells; as the last one where none does.
    fn law(&self, pressed: &Pressed, part: usize) -> Law {
        let seen: Vec<(&Pictures, bool)> = pressed.iter().map(|(was, is)| (was, was[part] != is[part])).collect();
        let last = seen.last().is_some_and(|it| it.1);
        if seen.iter().all(|it| it.1 == last) {
            return Law::Always(last);
        }
        let told = |by: usize| {
            let mut said = BTreeMap::new();
            let mut agree = seen.iter().map(|(was, turned)| *said.entry(was[by]).or_insert(*turned) == *turned);
            let all_agree = agree.all(|it| it);
            drop(agree);
            all_agree.then_some(Law::By(by, said))
        };
        let mut others: Vec<usize> = (0..self.parts.len()).filter(|it| *it != part).collect();
        others.sort_by_key(|it| (self.parts[*it].lit.is_some(), self.parts[*it].pictures()));
        others.into_iter().find_map(told).unwrap_or(Law::Always(last))
    }

    /// The frame with the parts like this.
    pub fn draw(&self, frame: &Grid, shown: &Pictures) -> Grid {
        let mut drawn = frame.clone();
        self.parts.iter().zip(shown).for_each(|(part, picture)| part.draw(*picture, &mut drawn));
        drawn
    }

    /// Whether two frames show the same, as far as it can be foreseen.
    pub fn is_same(&self, expected: &Grid, seen: &Grid) -> bool {
        let regular = self.parts.iter().zip(&self.rounds).filter(|(_, round)| round.is_regular);
        regular.into_iter().all(|(part, _)| part.read(expected) == part.read(seen))
    }
}

/// Whether a cell lies in the rim of a frame.
fn on_rim(at: Point, frame: &Grid) -> bool {
    let rim = |at: u8, side: u8| at < side / RIM || at >= side - side / RIM;
    rim(at.x(), frame.width()) || rim(at.y(), frame.height())
}

#[cfg(test)]
mod tests;
