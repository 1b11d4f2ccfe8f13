//! What an answer of the environment teaches.

use std::{
    collections::BTreeSet,
    hash::{DefaultHasher, Hash, Hasher},
};

use env_client::{Action, Grid, Observation, Point, Status};
use world_model::{Advance, Outcome, Start, State, Transition, WorldModel};

use super::{
    Part, Plan,
    aims::Aim,
    counts,
    curiosity::Target,
    errands,
    explain::LIKELY,
    imagine::winning,
    luggage::Luggage,
    modes::Change,
    presses::Effect,
    reading::{Reading, got_there},
    records::Happening,
    retreat::Retreats,
    signals::{Answer, is_outer},
    sweeps,
    things::{Facing, Thing, Things, Touched, Under, place},
};
use crate::policy::{Forecast, explore::Lives};

/// What changes so few cells from a piece is rather its doing than a gauge's. A guess.
const NEAR_PIECES: u8 = 8;

/// Frames that one action led to from the beginning of the level, at most.
const BESIDE: usize = 32;

impl<M: WorldModel> Plan<M> {
    pub(super) fn begin(&mut self, now: &Observation, start: Start) {
        let Some(frame) = now.settled() else { return };
        self.model.begin(frame, start);
        match start {
            Start::Level => self.begin_level(frame),
            Start::Again => self.restart(frame),
        }
        self.lives.restart();
        self.retreats.begin_again();
        self.provided.clear();
        self.foreseen = None;
        self.drop_plan();
        self.under = Under::default();
        self.luggage = Luggage::default();
        self.facing = Facing::default();
        self.skills.begin(frame, self.detector.mask(), start);
        let still = self.still(frame).into_owned();
        self.arrangements.sweeps.begin(&still);
        self.note_first(frame);
        self.visited.insert(self.place(frame));
    }

    fn begin_level(&mut self, frame: &Grid) {
        self.detector.begin_level(frame);
        self.ledger.begin_level();
        self.arrangements.begin_level(frame, self.detector.mask());
        self.modes.begin_level();
        self.switches.begin_level();
        self.aims.begin_level();
        self.imagery.begin_level(frame, self.detector.mask());
        self.skills.imagine(self.imagery.now());
        self.first = Some(frame.clone());
        self.beside.clear();
        self.strides.clear();
        self.forget_states();
        self.lives = Lives::default();
        self.retreats = Retreats::default();
        (self.rest, self.patience) = (0, 1);
    }

    fn restart(&mut self, frame: &Grid) {
        if self.detector.restarted(frame) {
            self.forget_states();
        }
        self.ledger.restart();
        self.arrangements.look_again();
    }

    /// Keys of states hold no longer.
    fn forget_states(&mut self) {
        self.visited.clear();
        self.failed.clear();
        self.taken.clear();
        self.lives.forget_places();
        self.expected = None;
    }

    pub(super) fn lose_track(&mut self) {
        self.blind = true;
        self.foreseen = None;
        self.drop_plan();
    }

    pub(super) fn acted(&mut self, before: &Observation, action: Action, after: &Observation) {
        self.lives.act();
        self.retreats.act();
        self.ledger.took(action.id());
        let Some(old) = before.settled() else { return self.drop_plan() };
        let outcome = outcome(before, after);
        if let (Some(hunches), Some(new)) = (&mut self.hunches, after.settled()) {
            hunches.learn(old, new, self.detector.mask());
        }
        let reading = self.read(old, action);
        match outcome {
            Outcome::Solved => {
                self.teach(old, action, after, outcome);
                self.ledger.won(&reading.touched);
                self.ledger.errands.won(&reading.errands);
                self.ledger.surveys.won(reading.touched.things.iter().map(|it| it.at).chain(action.point()));
                let things = reading.things.iter().filter(|(_, it)| !reading.things.is_speck(it));
                let left = things.map(|(thing, _)| thing).filter(|it| !reading.touched.things.contains(it));
                self.ledger.counts.solved(left);
                if reading.moves_nothing() {
                    self.ledger.pressed(action.id(), &reading.around, Effect::Event);
                }
                // However unlikely the forecast was: that the level is solved speaks for it.
                let last = winning(old, &after.layers, self.foreseen.as_ref().map(|it| &it.frame));
                if let Some(name) = self.arranged((old, last.as_ref()), &reading.things, (action, &reading.advances)) {
                    self.arrangements.has_won(name);
                }
                self.remember(old, &after.layers);
                if let Some(first) = self.first.take() {
                    self.clear(&first, action, &reading);
                    self.sweep((&first, old), &reading);
                }
                self.begin(after, Start::Level);
            }
            Outcome::Lost => {
                let wanted = self.target.take();
                if self.lost(old, action, after, &reading) {
                    self.set_aside(wanted.as_ref(), &reading);
                }
            }
            Outcome::Continues => self.went_on(old, action, after, reading),
        }
    }

    /// Notes what was left of what pieces swept when this step solved the level.
    fn sweep(&mut self, (first, last): (&Grid, &Grid), reading: &Reading) {
        let (first, last, mask) = (self.still(first).into_owned(), self.still(last).into_owned(), self.detector.mask());
        let onto = reading.advances.iter().flat_map(|it| it.onto.iter().copied()).collect();
        self.arrangements.sweeps.solved((&first, &last), &onto, |at| !mask.hides(at));
    }

    /// Keeps how the level looked at first and when it was solved.
    fn remember(&mut self, old: &Grid, layers: &[Grid]) {
        let likely = |it: &&Forecast| it.confidence.is_none_or(|confidence| confidence > LIKELY);
        let foreseen = self.foreseen.as_ref().filter(likely).map(|it| &it.frame);
        if let (Some(first), Some(last)) = (&self.first, winning(old, layers, foreseen)) {
            self.imagery.learn(first, last);
        }
    }

    /// The things of the newest frame as it is without what goes its own way; what pieces carry is none.
    pub(super) fn look(&self, still: &Grid, advances: &[Advance]) -> Things {
        let things = Things::of(still, self.detector.mask(), advances, self.under.clone());
        self.in_tiles(things.without(self.luggage.cells()), advances)
    }

    /// Things such that what gauges count is told apart.
    fn in_tiles(&self, things: Things, advances: &[Advance]) -> Things {
        let seen = |it: &Advance| place(&Advance { hidden: false, ..it.clone() });
        match advances.iter().find_map(seen) {
            Some(piece) => things.in_tiles(piece, |color| self.ledger.counts.tells(color)),
            None => things,
        }
    }

    fn read(&self, old: &Grid, action: Action) -> Reading {
        let advances = self.model.advances(&self.model.state(old), action);
        let things = self.look(&self.still(old), &advances);
        let touched = things.touched(&advances, |color| self.ledger.stops(color));
        let around = things.around(&advances, self.facing);
        let driven = self.model.driven(&self.model.state(old), action);
        let errands = errands::errands(&things, old, (&advances, &driven));
        Reading { key: self.key(old), touched, around, things, advances, driven, errands }
    }

    pub(super) fn teach(&mut self, old: &Grid, action: Action, after: &Observation, outcome: Outcome) {
        let step = Transition { before: old, action, layers: &after.layers, outcome };
        self.model.observe(&step);
        self.skills.observe(&step, self.detector.mask());
    }

    /// Notes what gauges count. Where they are seen to count something now, the step is read again: what looked like one thing
    /// may be several.
    fn count(&mut self, (old, new): (&Grid, &Grid), action: Action, reading: Reading) -> Reading {
        let is_gauge = reading.touched.things.iter().any(|it| is_outer(it.at, old));
        if self.without == Some(Part::Signals) || is_gauge {
            return reading;
        }
        let own = |at| reading.advances.iter().chain(&reading.driven).any(|it| is_own(it, at));
        let ticks = counts::ticks(old, new, own);
        let came = self.model.advances(&self.state(new), action);
        let arrived = reading.advances.iter().any(|from| came.iter().any(|to| got_there(from, to)));
        let onto = if arrived { reading.touched.things.clone() } else { BTreeSet::new() };
        if self.ledger.counts.stepped(&onto, Facing::of(&reading.advances), &ticks) {
            let things = self.in_tiles(reading.things, &reading.advances);
            let touched = things.touched(&reading.advances, |color| self.ledger.stops(color));
            self.ledger.counts.name(&touched.things);
            return Reading { touched, things, ..reading };
        }
        reading
    }

    fn went_on(&mut self, old: &Grid, action: Action, after: &Observation, reading: Reading) {
        let Some(new) = after.settled() else { return self.drop_plan() };
        if self.is_put_back((old, new), action, &reading) {
            return self.put_back(old, action, after, &reading);
        }
        let stride = self.changed(old, new).len();
        self.strides.entry(action).and_modify(|it| *it = stride.max(*it)).or_insert(stride);
        if self.first.as_ref().is_some_and(|first| self.changed(first, old).is_empty()) && self.beside.len() < BESIDE {
            self.beside.push(new.clone());
        }
        self.teach(old, action, after, Outcome::Continues);
        if let Some(foreseen) = &self.foreseen {
            let is_own = |at| reading.advances.iter().any(|it| is_own(it, at));
            self.footing.stepped([old, &foreseen.frame, new], is_own);
        }
        if self.detector.acted(old, action.into(), new).mask_grew {
            self.forget_states();
        }
        let reading = self.count((old, new), action, reading);
        let things = self.locate((old, new), action, &reading);
        self.arrangements.watch(&reading.things, &things, new);
        if action.point().is_none() {
            self.arrangements.watch_tiles(new, &things, reading.moves_nothing());
        }
        self.gather(&reading, &things);
        let appeared = &reading.things.hides(&things) - &reading.things.covered();
        let shown = after.layers.len() > 1;
        let happening = self.happening((old, new), action, shown, &reading);
        let hands = self.watch_hands((old, new), action, &reading);
        let effect = if hands { Effect::Event } else { self.effect((old, new), &reading, happening) };
        if self.target == Some(Target::Frontier) {
            self.ledger.wander();
        }
        if reading.moves_nothing() {
            self.pressed((old, new), (action, after.layers.len()), &reading, (effect, happening.event));
        }
        self.watch_modes((old, new), action, &reading, effect);
        if let Some(at) = action.point() {
            let changed = self.changed(old, new);
            self.ledger.surveys.clicked(&changed);
            self.switches.clicked(at, changed);
            let near = Aim::all(&reading.things, &reading.advances, self.facing);
            self.aims.clicked(at, (&reading.things, &near), happening.event);
        }
        let filled = self.detector.is_filled(old, new);
        self.ledger.fillings.touched(&reading.touched.things, filled);
        if happening.event {
            self.likeness.changed(old, new, &reading.touched.things);
        }
        self.ledger.errands.ran(&reading.errands, happening.event);
        let from = reading.key;
        let met = self.met(reading, happening);
        self.ledger.touched(&met, happening);
        for thing in appeared {
            self.ledger.turned_up(thing);
        }
        self.arrive(new, from, action);
    }

    /// Notes what came, in so many layers, of an action that moved no piece.
    fn pressed(
        &mut self,
        (old, new): (&Grid, &Grid),
        (action, layers): (Action, usize),
        reading: &Reading,
        (effect, event): (Effect, bool),
    ) {
        let effect = if self.sends((old, new), action, reading) { Effect::Foreseen } else { effect };
        self.ledger.pressed(action.id(), &reading.around, effect);
        self.ledger.commits.played(action.id(), &reading.advances, layers, event);
        if self.without != Some(Part::Surveys) {
            let turned = self.turned(new, action, reading);
            let mut changed = self.changed(old, new);
            changed.retain(|at| !turned.iter().any(|it| it.from.contains(at)));
            let sight = self.ledger.surveys.sight(&reading.things, (old, new), &changed);
            self.ledger.surveys.pressed(action.id(), &reading.advances, sight);
        }
        if effect == Effect::Mode {
            self.ledger.changed_mode();
        }
    }

    /// Whether an action moved things that lie in line with pieces, as the model knows by now: it says where they go.
    fn sends(&self, (old, new): (&Grid, &Grid), action: Action, reading: &Reading) -> bool {
        let is_changed = |it: &&Thing| reading.things.cells(**it).iter().any(|at| old[*at] != new[*at]);
        let mut far = reading.around.aligned.iter().filter(is_changed).peekable();
        if far.peek().is_none() {
            return false;
        }
        let driven = self.model.driven(&self.state(old), action);
        let covers =
            |it: Thing| driven.iter().any(|piece| piece.from.iter().any(|at| reading.things.at(*at) == Some(it)));
        far.any(|it| covers(*it))
    }

    /// Finds the pieces again: which way they face, what they stand on, what they carry and what colours they are of. The
    /// things of the new frame.
    fn locate(&mut self, (old, new): (&Grid, &Grid), action: Action, reading: &Reading) -> Things {
        let learned =
            if reading.advances.is_empty() { self.model.advances(&self.state(old), action) } else { Vec::new() };
        self.facing = Facing::of(&reading.advances).or(Facing::of(&learned)).or(self.facing);
        let came = self.model.advances(&self.state(new), action);
        self.under = reading.things.under(&came);
        let mut left = BTreeSet::new();
        for from in &reading.advances {
            if let Some(to) = came.iter().find(|it| got_there(from, it)) {
                left.extend(from.from.iter().copied());
                self.ledger.uses.moved(action.id());
                self.ledger.perils.lived(old, from);
                self.luggage.went((old, new), (from, to), reading.things.floor_color());
            }
        }
        let still = self.still(new).into_owned();
        self.arrangements.sweeps.stepped(&still, &left, &sweeps::cells(&came));
        self.ledger.wear(reading.worn(old, new, &came));
        self.look(&self.still(new), &came)
    }

    /// What an action did that moves nothing.
    fn effect(&mut self, (old, new): (&Grid, &Grid), reading: &Reading, happening: Happening) -> Effect {
        match self.gauges((old, new), reading) {
            Answer::Nothing => {}
            Answer::Signal => return Effect::Signal,
            Answer::Refusal => {
                self.drop_plan();
                return Effect::Refusal;
            }
        }
        let is_new = reading.moves_nothing() && !self.visited.contains(&self.place(new));
        let is_foreseen = || self.foreseen.as_ref().is_some_and(|it| self.changed(&it.frame, new).is_empty());
        match happening {
            Happening { event: true, .. } if is_new => Effect::Event,
            Happening { moved: true, .. } if reading.moves_nothing() && is_foreseen() => Effect::Foreseen,
            Happening { moved: true, .. } if is_new => Effect::Mode,
            _ => Effect::Nothing,
        }
    }

    /// What gauges say of an action that moves nothing.
    fn gauges(&mut self, (old, new): (&Grid, &Grid), reading: &Reading) -> Answer {
        if self.without == Some(Part::Signals) {
            return Answer::Nothing;
        }
        let mut changed = self.changed(&self.still(old), &self.still(new));
        if reading.moves_nothing() {
            return self.signals.pressed(!reading.around.here.is_empty(), &changed, new);
        }
        changed.retain(|at| !reading.advances.iter().chain(&reading.driven).any(|it| is_own(it, *at)));
        self.signals.moved(&changed, new);
        Answer::Nothing
    }

    /// Notes what gauges say is held. Whether that changed.
    fn watch_hands(&mut self, (old, new): (&Grid, &Grid), action: Action, reading: &Reading) -> bool {
        if self.without == Some(Part::Hands) {
            return false;
        }
        let met = &reading.touched.things | &reading.around.here;
        let pieces = || reading.advances.iter().chain(&reading.driven).flat_map(|it| it.from.iter().chain(&it.onto));
        let is_near =
            |at: Point| pieces().any(|it| it.x().abs_diff(at.x()).max(it.y().abs_diff(at.y())) <= NEAR_PIECES);
        let is_gauge = |at: Point| !self.detector.mask().hides(at) && !is_near(at);
        let press = reading.moves_nothing().then(|| action.id());
        let frames = (&*self.still(old), &*self.still(new));
        self.ledger.watch_hands(frames, (press, &met), is_gauge)
    }

    /// Notes what may have selected a piece, and arrows that tell.
    fn watch_modes(&mut self, (old, new): (&Grid, &Grid), action: Action, reading: &Reading, effect: Effect) {
        if self.without == Some(Part::Selection) {
            return;
        }
        let changed = !self.changed(old, new).is_empty();
        if self.model.is_arrow(action) {
            if self.modes.arrow(action.id(), changed) {
                self.arrangements.look_again();
            }
            return;
        }
        let looks = |frame: &Grid| self.model.looks(&self.state(frame));
        let (before, after) = (looks(old), looks(new));
        let nobody = reading.advances.is_empty();
        self.modes.pressed(action.id(), before != after, !reading.around.ahead.is_empty());
        if changed && (nobody || before != after) {
            let clicked = action.point().and_then(|at| reading.things.what(at)).filter(|_| nobody);
            self.modes.changed(Change { action: action.id(), looks: after, clicked });
        } else if effect == Effect::Mode {
            self.modes.changed(Change {
                action: action.id(),
                looks: appearance(new, &reading.advances),
                clicked: None,
            });
        }
    }

    /// What pieces came to touch: one that stayed was stopped by the first of what it had never entered, and met nothing
    /// beyond.
    fn met(&mut self, reading: Reading, happening: Happening) -> Touched {
        if reading.moves_nothing() || happening.event {
            return reading.touched;
        }
        let met = if happening.moved {
            reading.touched
        } else {
            reading.things.touched(&reading.advances, |color| !self.ledger.is_entered(color))
        };
        self.ledger.passed(&met.kinds, happening.moved);
        met
    }

    fn happening(&self, (old, new): (&Grid, &Grid), action: Action, shown: bool, reading: &Reading) -> Happening {
        let changed: Vec<Point> = self.changed(&self.still(old), &self.still(new));
        let turned = self.turned(new, action, reading);
        let is_turned = |at: &Point| turned.iter().any(|it| it.from.contains(at));
        let is_piece = |at: &Point| reading.advances.iter().any(|it| is_own(it, *at)) || is_turned(at);
        let is_driven = |at: &Point| reading.driven.iter().any(|it| is_own(it, *at));
        let event = !changed.iter().all(|at| is_piece(at) || is_driven(at));
        let moved = changed.iter().any(is_piece);
        Happening { event, moved, refused: shown && changed.is_empty() }
    }

    /// The pieces as they lie after an action that moved none: they may have been turned.
    fn turned(&self, new: &Grid, action: Action, reading: &Reading) -> Vec<Advance> {
        if reading.moves_nothing() { self.model.advances(&self.state(new), action) } else { Vec::new() }
    }

    /// The cells of the world that differ.
    pub(super) fn changed(&self, old: &Grid, new: &Grid) -> Vec<Point> {
        let mask = self.detector.mask();
        let same_size = (old.width(), old.height()) == (new.width(), new.height());
        old.points().filter(|at| !same_size || (old[*at] != new[*at] && !mask.hides(*at))).collect()
    }

    /// The state that a frame shows.
    pub(super) fn state(&self, frame: &Grid) -> State {
        self.model.state(frame)
    }
}

/// What is seen where pieces were, in one number that is not 0.
fn appearance(new: &Grid, advances: &[Advance]) -> u64 {
    let mut hasher = DefaultHasher::new();
    advances.iter().flat_map(|it| &it.from).for_each(|at| new.get(*at).hash(&mut hasher));
    hasher.finish() | 1
}

/// Whether what happens at a cell may be a piece's own doing: where it is, if it is seen there, and on its way.
pub(super) fn is_own(piece: &Advance, at: Point) -> bool {
    piece.onto.contains(&at) || place(piece).is_some_and(|it| it.contains(at.x(), at.y()))
}

fn outcome(before: &Observation, after: &Observation) -> Outcome {
    match after.status {
        _ if after.levels_completed > before.levels_completed => Outcome::Solved,
        Status::Win => Outcome::Solved,
        Status::GameOver => Outcome::Lost,
        Status::NotFinished | Status::NotPlayed => Outcome::Continues,
    }
}
