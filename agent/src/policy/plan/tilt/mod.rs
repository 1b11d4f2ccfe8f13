//! The skill of boards that a key tilts: all tiles slide at once, and two alike may become one.
//!
//! # Layout
//! - [`Tilt`] (here): what is planned, and what came of it. Start here.
//! - [`wishes`]: what may be wanted of a board, and the search for it.

#[cfg(test)]
mod tests;
mod wishes;

use std::collections::VecDeque;

use env_client::{Action, ActionSet, Grid, Key};
use world_model::{
    InterfaceMask, Outcome, Start, Transition,
    tilts::{BARE, Kind, Stand, Tilts, WALL},
};

use self::wishes::{Look, Wish, tiles};
use super::{
    ledger::TIER,
    skill::{Move, Proposal, Skill},
};

/// A plan; where such a thing solved a level before, it comes before all that others would try. Guesses.
const PLAN: f32 = 0.3 * TIER;
const PROVEN: f32 = 0.1 * TIER;
/// Plans in one level after which the rest is left to others, and where new tiles come up after every move. Guesses.
const PLANS: u32 = 24;
const MOVES: u32 = 400;
/// Stands that one search looks at, some 5 us each; and where new tiles come up. Guesses.
const STANDS: usize = 30_000;
const NEAR: usize = 400;

/// Understands boards that are tilted.
#[derive(Debug, Default)]
pub(super) struct Tilt {
    model: Tilts,
    /// What each key of the proposal made last should lead to, with what for; and what is left of the one under way.
    proposed: (VecDeque<Stand>, Option<Wish>),
    foreseen: VecDeque<Stand>,
    wish: Option<Wish>,
    is_surprised: bool,
    plans: u32,
    /// What was true of all levels that were solved.
    won: Vec<Wish>,
    /// What came about in vain in this level.
    vain: Vec<Wish>,
    /// How the level began, and the kinds that stood there since.
    first: Stand,
    met: Vec<Kind>,
    /// Where nothing was found to do, and where it is not worth beginning again, with what was known then.
    exhausted: Option<(Stand, u32)>,
    dead: Option<(Stand, u32)>,
    keys: Vec<Key>,
}

impl Tilt {
    /// What may be wanted here, the likeliest first: what was true of all levels that were solved comes before all else.
    fn wishes(&self, stand: &[Kind]) -> Vec<Wish> {
        let look = Look { model: &self.model, marks: self.model.marks() };
        let mut wishes: Vec<Wish> = self.won.iter().copied().filter(|it| matches!(it, Wish::Made(_))).collect();
        wishes.extend((self.model.fuses() && !self.model.brings()).then_some(Wish::One));
        let drawn = if self.model.fuses() { self.model.drawn() } else { Vec::new() };
        wishes.extend(drawn.into_iter().map(Wish::Drawn));
        if !look.marks.is_empty() {
            let mut kinds: Vec<Kind> = stand.iter().copied().filter(|it| !matches!(*it, BARE | WALL)).collect();
            kinds.sort_unstable();
            kinds.dedup();
            wishes.extend([Wish::Matched, Wish::Covered]);
            wishes.extend(kinds.into_iter().map(Wish::Brought));
        }
        wishes.sort_by_key(|it| !self.has_won(*it));
        wishes.retain(|it| !look.is_met(*it, stand) && !self.vain.contains(it));
        wishes
    }

    fn has_won(&self, wish: Wish) -> bool {
        self.won.iter().any(|it| it.is_like(wish))
    }

    /// A way to what is wanted most of all that is found, or else to as few tiles as can be.
    fn plan(&mut self, stand: &Stand) -> Option<Proposal> {
        let wishes = self.wishes(stand);
        let look = Look { model: &self.model, marks: self.model.marks() };
        let stands = if self.model.brings() { NEAR } else { STANDS };
        let mut way = look.search(stand, &wishes, &self.keys, stands).best?;
        if self.model.brings() {
            way.steps.truncate(1);
        }
        let base = if self.has_won(way.wish) { PROVEN } else { PLAN };
        let score = base + way.steps.len() as f32;
        let step = |(key, stand): &(Key, Stand)| {
            let expected = if self.model.brings() { None } else { self.model.painted(stand) };
            Move { action: Action::Key(*key), expected }
        };
        let steps = way.steps.iter().map(step).collect();
        let wish = Some(way.wish).filter(|_| !self.model.brings());
        self.proposed = (way.steps.into_iter().map(|it| it.1).collect(), wish);
        Some(Proposal { steps, goal: way.wish.name().to_owned(), score })
    }

    /// What is true of a level that is solved.
    fn solved(&mut self, stand: &[Kind]) {
        let look = Look { model: &self.model, marks: self.model.marks() };
        let drawn = self.model.drawn().into_iter().map(Wish::Drawn);
        let made = stand.iter().filter(|it| !matches!(**it, BARE | WALL) && !self.met.contains(it));
        let brought = stand.iter().copied().map(Wish::Brought);
        let marked = [Wish::Matched, Wish::Covered].into_iter().chain(brought).filter(|_| !look.marks.is_empty());
        let one = self.model.fuses().then_some(Wish::One);
        let all = one.into_iter().chain(drawn).chain(marked).chain(made.map(|it| Wish::Made(*it)));
        let met: Vec<Wish> = all.filter(|it| look.is_met(*it, stand)).collect();
        let both: Vec<Wish> = met.iter().copied().filter(|it| self.has_won(*it)).collect();
        self.won = if both.is_empty() { met } else { both };
    }

    /// Whether something that is wanted can be reached from there, or whether that is unclear.
    fn leads_on(&self, stand: &Stand) -> (bool, bool) {
        let wishes = self.wishes(stand);
        let look = Look { model: &self.model, marks: self.model.marks() };
        let found = look.search(stand, &wishes, &self.keys, STANDS);
        (found.best.is_some_and(|it| it.wish != Wish::Fewer), !found.is_all)
    }

    fn is_ready(&self) -> bool {
        let most = if self.model.brings() { MOVES } else { PLANS };
        self.model.is_fitted() && self.plans < most && tiles(self.model.stand()) > 1
    }
}

impl Skill for Tilt {
    fn name(&self) -> &'static str {
        "tilt"
    }

    fn begin(&mut self, frame: &Grid, _mask: &InterfaceMask, start: Start) {
        self.model.begin(frame, start);
        self.foreseen.clear();
        self.is_surprised = false;
        if start == Start::Level {
            (self.plans, self.exhausted, self.dead) = (0, None, None);
            self.vain.clear();
            self.met.clear();
            self.first.clear();
        }
        if self.model.is_fitted() {
            self.first = self.model.stand().to_vec();
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let before = self.model.stand().to_vec();
        let foreseen = match step.action {
            Action::Key(key) if step.outcome == Outcome::Solved => self.model.after(&before, key),
            _ => None,
        };
        if let Some(stand) = foreseen {
            self.solved(&stand);
        }
        self.model.observe(step, mask);
        let stand = self.model.stand();
        self.is_surprised = self.foreseen.pop_front().is_some_and(|it| stand != it);
        if self.model.is_fitted() {
            self.met.extend(stand.iter().filter(|it| !self.met.contains(it)).copied().collect::<Vec<Kind>>());
        }
    }

    fn propose(&mut self, _frame: &Grid, _mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.proposed = (VecDeque::new(), None);
        self.keys = actions.keys().filter(|key| key.opposite().is_some()).collect();
        if !self.is_ready() {
            return None;
        }
        let stand = self.model.stand().to_vec();
        if self.first.len() != stand.len() {
            self.first.clone_from(&stand);
        }
        let known = (stand, self.model.lessons());
        if self.exhausted.as_ref() == Some(&known) {
            return None;
        }
        let plan = self.plan(&known.0);
        self.exhausted = plan.is_none().then_some(known);
        plan
    }

    fn starts_over(&mut self) -> bool {
        let stand = self.model.stand().to_vec();
        let may_be_lost = self.model.is_fitted() && self.model.fuses() && !self.model.brings();
        if !may_be_lost || stand == self.first || self.first.len() != stand.len() {
            return false;
        }
        let known = (stand, self.model.lessons());
        if self.dead.as_ref() == Some(&known) {
            return false;
        }
        let is_lost = self.leads_on(&known.0) == (false, false) && self.leads_on(&self.first).0;
        self.dead = (!is_lost).then_some(known);
        is_lost
    }

    fn recognizes(&self, _expected: &Grid, _seen: &Grid, _mask: &InterfaceMask) -> bool {
        !self.is_surprised
    }

    fn gives_up(&self) -> bool {
        self.is_surprised
    }

    fn taken_up(&mut self) {
        (self.foreseen, self.wish) = std::mem::take(&mut self.proposed);
        self.plans += 1;
    }

    fn in_vain(&mut self) {
        // Fewer tiles than before are never wanted twice.
        self.vain.extend(self.wish.take().filter(|it| *it != Wish::Fewer));
    }
}
