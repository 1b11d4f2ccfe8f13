//! The skill of ghosts that do again what was done: have one hold what must be held, and go where nobody could go alone.
//!
//! # Layout
//! - [`Ghosts`] (here): the skill. `routes`: ways through a level in which ghosts hold things for a while.
//!
//! First it finds out what can be held: what the piece can come onto alone and never did, and what looks like a plate.
//! Then it wants what nobody came onto yet and cannot be reached without a ghost, or else a place that cannot. A tape is a way
//! over one or two plates; what is recorded so far is a part of it. Where nothing is left to record it begins again.

mod routes;
#[cfg(test)]
mod tests;

use std::{
    cell::Cell,
    collections::{HashMap, HashSet, VecDeque},
};

use env_client::{Action, ActionSet, Grid, Key};
use world_model::{
    InterfaceMask, Outcome, Start, Transition,
    tapes::{Ground, Lessons, Place, Stand, Tape, Tapes},
};

use self::routes::{Haunted, Walk};
use super::{
    ledger::TIER,
    skill::{Move, Proposal, Skill},
};

/// A walk that tells what a place holds, and a plan. Guesses, as are the two below.
const EXPERIMENT: f32 = 0.3 * TIER;
const PLAN: f32 = 0.35 * TIER;
/// Plates that one ghost holds, one after the other, and ghosts that one plan makes.
const PLATES: usize = 2;
const MADE: usize = 2;
/// Steps that a ghost stays on a plate before it goes on to the next, where that is recorded. Guesses: each twice the last.
const STAYS: [usize; 3] = [4, 8, 16];
/// How often the piece goes for one place: what stopped it there may be gone, what it saw there may have been hidden.
const ATTEMPTS: u32 = 3;
/// States that all searches of one thought look at: where much is taken for a plate there is no end of ways over two of
/// them. A guess.
const EFFORT: usize = 300_000;
/// Actions that a way from here may take more than one from the beginning before that is better: ghosts of long tapes come
/// late. A guess.
const DETOUR: usize = 8;
/// How often a level is begun again to record something else.
const RESTARTS: u32 = 5;

/// Understands ghosts.
#[derive(Debug, Default)]
pub(super) struct Ghosts {
    model: Tapes,
    /// What was proposed last, and what is left of what is under way.
    proposed: Option<(Walk, Aim)>,
    foreseen: VecDeque<(Key, Place)>,
    is_surprised: bool,
    /// Whether the last step put things back as was foreseen.
    has_returned: bool,
    /// Where the way under way ends, with ghosts or to find something out; and how often such ways ended in vain in this
    /// level.
    aim: Option<Aim>,
    vain: HashMap<Aim, u32>,
    restarts: u32,
    /// What was known, and how many aims were in vain, when no plan from the beginning was found.
    exhausted: Option<(Lessons, usize)>,
    /// What the thought under way may still look at.
    effort: Cell<usize>,
}

/// Where a way ends, and whether it is one to find out what the piece can do alone.
type Aim = (Place, bool);

/// What to do, and where each step leads.
#[derive(Clone, Debug, Default)]
struct Script {
    steps: Walk,
    /// Whether it leads to a place that is known.
    dares: bool,
}

/// Scripts from here, if there is one, and from the beginning, and whether that is here.
struct Plans {
    here: Option<Script>,
    afresh: Script,
    is_fresh: bool,
}

impl Plans {
    /// Whether it is better to begin again.
    fn lead_back(&self) -> bool {
        let most = self.afresh.steps.len() + DETOUR;
        !self.is_fresh && self.here.as_ref().is_none_or(|here| here.steps.len() > most)
    }

    /// What can be done now.
    fn now(self) -> Option<Script> {
        self.here.or(Some(self.afresh).filter(|_| self.is_fresh))
    }
}

/// What cannot be reached without ghosts.
struct Wish {
    reached: HashSet<Place>,
    beyond: HashSet<Place>,
    start: Place,
    rewind: Key,
}

impl Ghosts {
    fn wish(&self) -> Option<Wish> {
        let (start, rewind) = (self.model.start()?.at, self.model.rewind()?);
        let (reached, beyond) = Haunted::new((&self.model, &self.effort), &[], start).reach(start);
        Some(Wish { reached, beyond, start, rewind })
    }

    /// The shortest script from a stand that leads to what is wished for, with so many more ghosts at most: what nobody
    /// knows or, if it dares, just a place.
    fn script(&self, stand: &Stand, wish: &Wish, more: usize, dares: bool) -> Option<Script> {
        let is_wished = |at: Place, ground: Ground| match ground {
            Ground::Unknown => !wish.beyond.contains(&at) && !self.model.ends_tape(at),
            Ground::Free => dares && !wish.reached.contains(&at),
            Ground::Solid => false,
        };
        let ends = |at: Place, ground: Ground| is_wished(at, ground) && !self.is_vain((at, false));
        let mut level = Haunted::new((&self.model, &self.effort), &stand.ghosts, wish.start);
        if let Some(steps) = level.way(stand.at, stand.tape.len(), ends).filter(|_| !stand.ghosts.is_empty()) {
            return Some(Script { steps, dares });
        }
        let (reel, most) = self.model.limits();
        if more == 0 || self.effort.get() == 0 || stand.is_spent || most.is_some_and(|most| stand.ghosts.len() >= most)
        {
            return None;
        }
        let mut best: Option<Script> = None;
        for walk in self.recordings(&mut level, stand) {
            let tape: Tape = stand.tape.iter().copied().chain(walk.iter().map(|it| it.1)).collect();
            if reel.is_some_and(|reel| tape.len() > reel) {
                continue;
            }
            let is_caught = walk.last().is_some_and(|it| self.model.ends_tape(it.1));
            let ends_itself = is_caught || reel == Some(tape.len());
            let ghosts = stand.ghosts.iter().cloned().chain([tape]).collect();
            let next = Stand { at: wish.start, ghosts, ..Stand::default() };
            let Some(rest) = self.script(&next, wish, more - 1, dares) else { continue };
            let mut steps = walk;
            match steps.last_mut().filter(|_| ends_itself) {
                Some(last) => last.1 = wish.start,
                None => steps.push((wish.rewind, wish.start)),
            }
            steps.extend(rest.steps);
            if best.as_ref().is_none_or(|best| steps.len() < best.steps.len()) {
                best = Some(Script { steps, dares });
            }
        }
        best
    }

    /// Ways over one plate or two, and such as stay on the first for a while.
    fn recordings(&self, level: &mut Haunted<'_>, stand: &Stand) -> Vec<Walk> {
        let plates = self.model.plates();
        let mut all: Vec<Walk> = Vec::new();
        let mut open: Vec<(Walk, Vec<Place>)> = vec![(Vec::new(), Vec::new())];
        while let Some((walk, over)) = open.pop() {
            let (at, clock) = (walk.last().map_or(stand.at, |it: &(Key, Place)| it.1), stand.tape.len() + walk.len());
            for plate in plates.iter().filter(|it| !over.contains(it)) {
                let is_there = walk.is_empty() && at == *plate;
                let way = if is_there { Some(Vec::new()) } else { level.way(at, clock, |to, _| to == *plate) };
                let Some(way) = way else { continue };
                let walk: Walk = walk.iter().copied().chain(way).collect();
                let over: Vec<Place> = over.iter().copied().chain([*plate]).collect();
                if over.len() < PLATES {
                    open.extend(self.stays(level, stand, &walk).into_iter().map(|walk| (walk, over.clone())));
                    open.push((walk.clone(), over));
                }
                all.push(walk);
            }
        }
        all
    }

    /// The same way with a stay at its end, for so many steps each: against something solid, where that is recorded.
    fn stays(&self, level: &mut Haunted<'_>, stand: &Stand, walk: &Walk) -> Vec<Walk> {
        let at = walk.last().map_or(stand.at, |it| it.1);
        let bump = level.bump(at, stand.tape.len() + walk.len()).filter(|_| self.model.records_stops());
        let stay = |(key, steps)| walk.iter().copied().chain(std::iter::repeat_n((key, at), steps)).collect();
        bump.into_iter().flat_map(|key| STAYS.map(|steps| (key, steps))).map(stay).collect()
    }

    /// The way to the nearest place that the piece can come to alone and of which nobody knows what it holds.
    fn experiment(&self) -> Option<Script> {
        let (stand, wish) = (self.model.stand().filter(|_| self.model.has_ghosts())?, self.wish()?);
        let may_record = !stand.is_spent && self.model.limits().1.is_none_or(|most| stand.ghosts.len() < most);
        let is_doubtful = |at: Place, ground: Ground| {
            wish.beyond.contains(&at) && ground == Ground::Unknown && (may_record || !self.model.ends_tape(at))
                || wish.reached.contains(&at) && self.model.may_be_plate(at)
        };
        let ends = |at: Place, ground: Ground| is_doubtful(at, ground) && !self.is_vain((at, true));
        let steps = Haunted::new((&self.model, &self.effort), &stand.ghosts, wish.start).way(
            stand.at,
            stand.tape.len(),
            ends,
        )?;
        Some(Script { steps, dares: false })
    }

    /// The best script from a stand: with few ghosts, to what nobody knows if possible.
    fn best(&self, stand: &Stand, wish: &Wish) -> Option<Script> {
        let all = [false, true].into_iter().flat_map(|dares| (0..=MADE).map(move |more| (dares, more)));
        all.into_iter().find_map(|(dares, more)| self.script(stand, wish, more, dares))
    }

    fn is_vain(&self, aim: Aim) -> bool {
        self.vain.get(&aim).is_some_and(|times| *times >= ATTEMPTS)
    }

    fn went_in_vain(&mut self, times: u32) {
        if let Some(aim) = self.aim {
            *self.vain.entry(aim).or_default() += times;
        }
    }

    /// A script from the beginning of the level.
    fn afresh(&mut self, wish: &Wish) -> Option<Script> {
        let lessons = (self.model.lessons(), self.vain.len());
        if self.exhausted == Some(lessons) {
            return None;
        }
        let script = self.model.start().and_then(|start| self.best(&start, wish));
        if script.is_none() {
            self.exhausted = Some(lessons);
        }
        script
    }

    /// A script from here, if there is one from the beginning.
    fn plans(&mut self) -> Option<Plans> {
        if !self.model.has_ghosts() || self.model.plates().is_empty() {
            return None;
        }
        let (stand, wish) = (self.model.stand()?.clone(), self.wish()?);
        let afresh = self.afresh(&wish)?;
        let here = self.best(&stand, &wish).filter(|it| it.dares == afresh.dares);
        let is_fresh = Some(&stand) == self.model.start().as_ref();
        Some(Plans { here, afresh, is_fresh })
    }
}

impl Skill for Ghosts {
    fn name(&self) -> &'static str {
        "ghosts"
    }

    fn begin(&mut self, frame: &Grid, _mask: &InterfaceMask, start: Start) {
        self.model.begin(frame, start);
        let goes_on = std::mem::take(&mut self.has_returned) && start == Start::Again;
        if !goes_on {
            self.foreseen.clear();
        }
        if start == Start::Level {
            self.vain.clear();
            self.restarts = 0;
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.has_returned = self.returns_on_purpose();
        self.model.observe(step, mask);
        let at = self.model.stand().map(|it| it.at);
        let was_put_back = at == self.model.start().map(|it| it.at);
        let foreseen = self.foreseen.pop_front().filter(|(key, _)| step.action == Action::Key(*key));
        if foreseen.is_none() {
            self.foreseen.clear();
        } else if step.outcome == Outcome::Lost && !was_put_back {
            self.went_in_vain(ATTEMPTS);
        }
        self.is_surprised = foreseen.is_some_and(|(_, to)| Some(to) != at);
        self.has_returned &= foreseen.is_some() && !self.is_surprised;
        if self.is_surprised && self.foreseen.is_empty() {
            self.went_in_vain(1);
        }
    }

    fn propose(&mut self, _frame: &Grid, _mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        let rewind = Action::Key(self.model.rewind()?);
        self.effort.set(EFFORT);
        let experiment = self.experiment();
        let is_experiment = experiment.is_some();
        let (base, goal) = match experiment {
            Some(_) => (EXPERIMENT, "see what a place holds"),
            None => (PLAN, "go where a ghost opens the way"),
        };
        let script = experiment.or_else(|| self.plans().and_then(Plans::now))?;
        if !actions.contains(rewind.id()) {
            return None;
        }
        let end = script.steps.last()?.1;
        let steps: VecDeque<Move> =
            script.steps.iter().map(|(key, _)| Move { action: Action::Key(*key), expected: None }).collect();
        let score = base + steps.len() as f32;
        self.proposed = Some((script.steps, (end, is_experiment)));
        Some(Proposal { steps, goal: goal.to_owned(), score })
    }

    fn starts_over(&mut self) -> bool {
        self.effort.set(EFFORT);
        let is_due =
            self.restarts < RESTARTS && self.experiment().is_none() && self.plans().is_some_and(|it| it.lead_back());
        self.restarts += u32::from(is_due);
        is_due
    }

    fn returns_on_purpose(&self) -> bool {
        let (Some(start), Some(stand)) = (self.model.start(), self.model.stand()) else { return false };
        let is_step = |step: &(Key, Place)| self.model.steps(stand.at).any(|it| it == *step);
        self.foreseen.front().is_some_and(|step| step.1 == start.at && stand.at != start.at && !is_step(step))
    }

    fn gives_up(&self) -> bool {
        self.is_surprised
    }

    fn taken_up(&mut self) {
        if let Some((steps, aim)) = self.proposed.take() {
            (self.foreseen, self.aim) = (steps.into(), Some(aim));
        }
    }

    fn in_vain(&mut self) {
        let looks = self.aim.is_some_and(|(_, is_experiment)| is_experiment);
        self.went_in_vain(if looks { 1 } else { ATTEMPTS });
    }
}
