//! Mechanisms with parameters, learned from a few dozen transitions of one play.
//!
//! # Layout
//! - [`Rules`]: the learner, a [`WorldModel`]. Start here.
//! - `law`: which discrete features decide a discrete outcome, by description length; every mechanism asks laws.
//! - `mover`: pieces that move, what stops them, what they push, hold and leave behind.
//! - `mover::class`: pieces that look alike; `lessons`: what they did, `looks`: how they look, `finding`: where they are seen.
//! - `mover::slide`: pieces that go on until something stops them, `mover::strides` also by strides.
//! - `mover::patrol`: pieces that go their own way whatever is done.
//! - `mover::heed`: pieces that come after one that obeys, or shy away from it; `herd`: what they see of it.
//! - `mover::pivot`: pieces that turn about a part of themselves.
//! - `mover::rays`: pieces that act on what lies in line with them, from afar.
//! - `mover::kin`: pieces drawn like known ones in other colours; `company`: what is drawn beside them in their colours.
//! - `mover::track`: where known pieces went; `discover`: which components that moved are new ones; `complete`: which of
//!   them belong to a known one that was first seen in part.
//! - `mover::specks`: parts of something larger that are no pieces.
//! - `mover::trails`: what ground becomes that pieces pass over; `sinks`: what pieces become that are pushed onto something.
//! - `mover::draw`: what is seen of pieces where they get.
//! - `mover::portals`: places that lead elsewhere, whoever comes onto them.
//! - `mover::selection`: which actions select a piece, told from how pieces look that stay while others go.
//! - `sites`: places whose colour changes as a whole: switches, doors, things collected; `plates`: what holds them.
//! - `boards`: cells that answer by a stencil, slots whose content a button moves on.
//! - `buttons`: what is clicked to move something else, each an action of its own.
//! - `backs`: clicks that take back what the click before them did.
//! - `lays`: clicks that lay something down near a piece, or take it up.
//! - `takes`: what comes of coming onto a thing, such as a key that is taken in hand.
//! - `rhythms`: what changes by itself, told apart or not: lanes that drift, cells that change by turns.
//! - `bars`: when the interface ticks, and where.
//! - `claim`: what mechanisms say about cells, put together into the next frame.
//! - `figure`: figures of several parts, followed from tile to tile.
//! - `hidden`: what a state holds beyond its frame.
//! - `undo`: the key that takes everything back.
//! - `calibration`: how often predictions in such circumstances were right.
//! - `step`, `view`, `sprite`, `canvas`, `cell_set`: a transition read, a frame looked at, a piece's picture, the ground,
//!   cells as bits. `last`: what was found in a frame, for all actions that a search asks about there.
//!
//! # The one decision
//! A mechanism has fixed features and outcomes; *which* features matter is found by coding every outcome before it is
//! learned, for all small sets of features at once. So learning is incremental and exact, refutation is a longer code,
//! and a further condition comes in by itself. The price is memory for all the hypotheses that lose.

mod backs;
mod bars;
mod boards;
mod buttons;
mod calibration;
mod canvas;
mod cell_set;
mod claim;
mod figure;
mod hidden;
mod last;
mod law;
mod lays;
mod mover;
mod plates;
mod rhythms;
mod sites;
mod sprite;
mod step;
mod takes;
#[cfg(test)]
mod tests;
mod undo;
mod view;

use std::sync::Arc;

use env_client::{Action, Color, Grid, Point};

use self::{
    backs::Backs,
    bars::Bars,
    boards::Boards,
    buttons::Buttons,
    calibration::Calibration,
    canvas::Canvas,
    cell_set::CellSet,
    claim::{Claim, Composer},
    hidden::{Deeds, Hidden},
    lays::Lays,
    mover::{Instance, Movers, Moves, Placement},
    rhythms::Rhythms,
    sites::Sites,
    sprite::Vector,
    step::Step,
    takes::Takes,
    undo::Undo,
    view::View,
};
use crate::{
    Advance, Foresight, Outcome, Prediction, Scene, Source, Start, State, Transition, WorldModel,
    perception::tiling::tiling,
};

/// Learns mechanisms from one play and predicts with them.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    canvas: Canvas,
    movers: Movers,
    sites: Sites,
    takes: Takes,
    bars: Bars,
    boards: Boards,
    buttons: Buttons,
    backs: Backs,
    lays: Lays,
    rhythms: Rhythms,
    undo: Undo,
    calibration: Calibration,
    deeds: Deeds,
}

impl Rules {
    /// Knows nothing.
    pub fn new() -> Rules {
        Rules::default()
    }

    /// Knows nothing, and expects to get into what is small and new though walls have its colour. That is less often so than
    /// not, but who plans with it finds out, and what is small and new is worth a look (optimism in the face of uncertainty).
    pub fn hopeful() -> Rules {
        Rules { movers: Movers::hopeful(), ..Rules::new() }
    }

    /// Every rule as a sentence.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = self.movers.sentences();
        sentences.extend(self.bars.sentences());
        sentences
    }

    /// A frame in which this is done, and what is known beyond it.
    fn view<'a>(&'a self, frame: &'a Grid, action: Action, hidden: &'a Hidden) -> View<'a> {
        View::new(frame, action, &self.canvas, hidden).numbered(self.buttons.number(action))
    }

    /// What is expected, and what is known beyond it; nothing where no mechanism speaks.
    fn compose(&self, view: &View<'_>, moves: &Moves, hidden: &Hidden) -> Option<(Composer, Hidden)> {
        if let Some(claim) = self.undo.expect(view.frame, view.action, self.bars.mask()) {
            return Some(self.put_together(view, &[claim], &Moves::none(), hidden));
        }
        let laid = self.lays.expect(view, &self.movers, || self.movers.pieces(view.frame, hidden.unseen));
        if let Some(claim) = laid.or_else(|| self.boards.expect(view)) {
            return Some(self.put_together(view, &[claim], moves, hidden));
        }
        let apart = self.compose_apart(view, moves, hidden, true);
        let is_open = apart.as_ref().is_none_or(|(composer, _)| !composer.acts);
        match self.backs.expect(view).filter(|_| is_open) {
            Some(claim) => Some(self.put_together(view, &[claim], moves, hidden)),
            None => apart,
        }
    }

    /// The same by pieces and sites alone, and with patterns of what comes of meeting things or without; nothing where some
    /// piece may do anything or neither pieces nor sites speak.
    fn compose_apart(
        &self,
        view: &View<'_>,
        moves: &Moves,
        hidden: &Hidden,
        with_patterns: bool,
    ) -> Option<(Composer, Hidden)> {
        let sites = self.sites.expect(view, &self.movers, moves);
        let by_itself = moves.by_itself.as_ref();
        if moves.is_open || (moves.placements.is_empty() && sites.is_none() && by_itself.is_none()) {
            return None;
        }
        let taken = if with_patterns { self.takes.expect(view, &self.movers, moves) } else { None };
        let claims = by_itself.into_iter().chain(taken.iter().map(|it| &it.claim)).chain([&moves.claim]).chain(&sites);
        let (composer, next) = self.put_together(view, claims, moves, hidden);
        let mut turned = taken.map(|it| it.turned(&composer.frame)).unwrap_or_default();
        turned.extend(self.movers.covered_anew(view, &moves.placements));
        let under = self.under(view, &composer.frame, &turned);
        Some((composer, Hidden { under, ..next }))
    }

    /// What will lie under pieces: what lay there before, and what these cells of things turned to.
    fn under(&self, view: &View<'_>, after: &Grid, turned: &[(Vector, Color)]) -> Arc<[(Point, Color)]> {
        if view.under.is_empty() && turned.is_empty() {
            return Arc::default();
        }
        let covered = self.movers.cover(after);
        let new: Vec<(Point, Color)> = points(turned).collect();
        let is_old = |(at, _): &(Point, Color)| new.iter().all(|(it, _)| it != at);
        let is_covered = |(at, _): &(Point, Color)| covered.contains(Vector::new(at.x().into(), at.y().into()));
        view.under.iter().filter(|it| is_old(it)).chain(&new).filter(|it| is_covered(it)).copied().collect()
    }

    fn put_together<'a>(
        &self,
        view: &View<'_>,
        claims: impl IntoIterator<Item = &'a Claim>,
        moves: &Moves,
        hidden: &Hidden,
    ) -> (Composer, Hidden) {
        let mut composer = Composer::new(view.frame.clone());
        claims.into_iter().for_each(|claim| composer.add(claim));
        composer.acts = composer.changes;
        let (ticks, taken) = self.bars.expect(view, hidden.clock, composer.changes);
        if let Some(claim) = ticks {
            composer.add(&claim);
        }
        let (clock, deeds) = (hidden.clock.advanced(taken), hidden.deeds.then(view.action));
        let motions = self.movers.motions(view, &moves.placements);
        composer.is_lost = moves.is_lost;
        let (late, speed) = (self.movers.late(), self.movers.speed(&motions));
        let time = hidden.time.saturating_add(1);
        (composer, Hidden { clock, deeds, time, late, speed, unseen: moves.unseen, motions, under: Arc::default() })
    }

    /// What is known now beyond the frame.
    fn hidden(&self) -> Hidden {
        let motions = self.movers.last.clone();
        let (late, unseen) = (self.movers.late(), self.movers.unseen());
        let (speed, under) = (self.movers.speed(&motions), points(self.canvas.turned()).collect());
        Hidden {
            clock: self.bars.clock,
            deeds: self.deeds,
            time: self.rhythms.time,
            late,
            speed,
            unseen,
            motions,
            under,
        }
    }

    fn foretell(&self, view: &View<'_>, moves: &Moves, known: &Hidden) -> Prediction {
        let Some((composer, hidden)) = self.compose(view, moves, known) else { return Prediction::UNKNOWN };
        let confidence = self.calibration.chance(&circumstances(&composer));
        let (outcome, next) = if composer.is_lost {
            (Outcome::Lost, known.clone().state(view.frame.clone()))
        } else {
            (Outcome::Continues, hidden.state(composer.frame))
        };
        Prediction { next: Some(next), outcome, confidence, source: Source::Rules }
    }

    fn lose(&mut self, transition: &Transition<'_>) {
        if transition.outcome == Outcome::Lost {
            let hidden = self.hidden();
            let (canvas, number) = (self.canvas.clone(), self.buttons.number(transition.action));
            let view = View::new(transition.before, transition.action, &canvas, &hidden).numbered(number);
            let pieces = self.movers.pieces(view.frame, hidden.unseen);
            let ends = self.ends(&self.movers.expect(&view, &pieces));
            let own = self.own(&pieces);
            let next = self.rhythms.next(view.frame, hidden.time, |at| own.contains(at));
            self.rhythms.learn_toll(true, (view.frame, &next), (&own, &ends));
            self.movers.learn_loss(&view, &pieces);
        }
    }

    /// The pieces in a frame, but for what is better foretold as something that changes by itself.
    fn pieces(&self, frame: &Grid, hidden: &Hidden) -> Vec<Instance> {
        let mut pieces = self.movers.pieces(frame, hidden.unseen);
        if self.rhythms.is_proven() {
            let drifts = |it: &Instance| self.movers.sprite(*it).footprint(it.at).any(|at| self.rhythms.foretells(at));
            pieces.retain(|it| self.movers.is_own(*it) || !drifts(it));
        }
        pieces
    }

    /// What becomes of pieces, and of what changes by itself around them.
    fn expect(&self, view: &View<'_>, pieces: &[Instance], hidden: &Hidden) -> Moves {
        let mut moves = self.movers.expect(view, pieces);
        if self.rhythms.is_proven() {
            let (own, ends) = (self.own(pieces), self.ends(&moves));
            let next = self.rhythms.next(view.frame, hidden.time, |at| own.contains(at));
            let next = self.rhythms.trusted(next);
            moves.is_lost |= self.rhythms.kills(view.frame, &next, &own, &ends);
            moves.by_itself = (!next.is_empty()).then(|| Rhythms::claim(&next, &ends));
        }
        moves
    }

    /// The cells of pieces that answer to actions.
    fn own(&self, pieces: &[Instance]) -> CellSet {
        let own = pieces.iter().filter(|it| self.movers.is_own(**it));
        own.flat_map(|it| self.movers.sprite(*it).footprint(it.at)).collect()
    }

    /// The same after they moved.
    fn ends(&self, moves: &Moves) -> CellSet {
        let ends = moves.placements.iter().map(Placement::end).filter(|it| self.movers.is_own(*it));
        ends.flat_map(|it| self.movers.sprite(it).footprint(it.at)).collect()
    }

    /// Learns what changes by itself, and whether that is foretold better than without.
    fn learn_rhythms(&mut self, view: &View<'_>, hidden: &Hidden, after: &Grid) {
        let pieces = self.movers.pieces(view.frame, hidden.unseen);
        let (own, ends) = (self.own(&pieces), self.own(&self.movers.pieces(after, None)));
        let next = self.rhythms.next(view.frame, hidden.time, |at| own.contains(at));
        if !next.is_empty() {
            let others = self.compose_apart(view, &self.movers.expect(view, &pieces), hidden, true);
            let others = others.map(|(composer, _)| composer.frame);
            let taken = |at| own.contains(at) || ends.contains(at) || self.bars.covers(at);
            self.rhythms.compare(&next, (view.frame, after), others.as_ref(), taken);
        }
        self.rhythms.learn_toll(false, (view.frame, &next), (&own, &ends));
    }

    /// Sees a frame as what changes by itself in the course of an attempt.
    fn watch(&mut self, frame: &Grid) {
        let (movers, bars) = (&self.movers, &self.bars);
        let hidden = |frame: &Grid| {
            let pieces = movers.instances(frame).into_iter().filter(|it| movers.is_own(*it));
            let own = pieces.flat_map(|it| movers.sprite(it).footprint(it.at).collect::<Vec<_>>());
            let places = frame.points().map(|at| Vector::new(at.x().into(), at.y().into()));
            own.chain(places.filter(|at| bars.covers(*at))).collect()
        };
        self.rhythms.see(frame, movers.looks_known(), hidden);
    }

    fn read(&mut self, step: &Step<'_>) {
        let canvas = self.canvas.clone();
        let hidden = self.hidden();
        let view = View::new(step.before, step.action, &canvas, &hidden).numbered(self.buttons.number(step.action));
        let placements = self.movers.learn(step, &view, &mut self.canvas);
        let explained = |at| self.movers.explains(&placements, at) || self.bars.covers(at) || self.takes.explains(at);
        self.sites.learn(step, &view, &self.movers, &placements, explained);
        self.bars.learn(&view, step.after);
        let covered = self.movers.cover(step.after);
        self.canvas.see(step.after, &covered);
    }
}

/// Cells and their colours, for a state.
fn points(cells: &[(Vector, Color)]) -> impl Iterator<Item = (Point, Color)> {
    cells.iter().filter_map(|(at, color)| Some((Point::new(at.x, at.y).ok()?, *color)))
}

/// The circumstances of a prediction, from wide to narrow.
fn circumstances(composer: &Composer) -> [u64; 3] {
    let coarse = u64::from(composer.support) << 4 | u64::from(composer.conflicts > 0) << 1;
    [0, 1 + coarse, composer.context]
}

impl WorldModel for Rules {
    fn begin(&mut self, frame: &Grid, start: Start) {
        if start == Start::Level {
            self.movers.lay(tiling(frame));
        }
        self.canvas = Canvas::new();
        self.deeds = Deeds::default();
        self.movers.begin();
        self.movers.meet(frame);
        self.sites.begin(frame);
        self.bars.begin(frame);
        self.boards.begin(frame, self.bars.mask(), start);
        self.buttons.begin(frame, start);
        self.backs.begin();
        self.lays.begin();
        self.undo.begin(frame);
        self.rhythms.begin(start == Start::Again);
        self.watch(frame);
        let covered = self.movers.cover(frame);
        self.canvas.see(frame, &covered);
    }

    fn observe(&mut self, transition: &Transition<'_>) {
        let Some(after) = transition.after() else { return self.lose(transition) };
        let hidden = self.hidden();
        let (old, new) = (Scene::of(transition.before), Scene::of(after));
        self.buttons.learn(transition, after, (&old, &new), self.bars.mask());
        let canvas = self.canvas.clone();
        let number = self.buttons.number(transition.action);
        let view = View::new(transition.before, transition.action, &canvas, &hidden).numbered(number);
        let moves = self.expect(&view, &self.pieces(view.frame, &hidden), &hidden);
        if let Some((composer, _)) = self.compose(&view, &moves, &hidden) {
            let right = composer.frame == *after;
            self.calibration.learn(&circumstances(&composer), right);
            if !right {
                self.buttons.mistook(transition.action);
            }
        }
        let view = view.numbered(self.buttons.number(transition.action));
        if self.boards.answers_to(transition.before, transition.action) {
            let others = self.compose_apart(&view, &moves, &hidden, true).map(|(composer, _)| composer.frame);
            self.boards.compare(transition, others.as_ref(), self.bars.mask());
        }
        let mut backs = std::mem::take(&mut self.backs);
        let apart = || self.compose_apart(&view, &moves, &hidden, true);
        let is_open = || apart().is_none_or(|(composer, _)| !composer.acts);
        backs.learn(transition, is_open, self.bars.mask());
        self.backs = backs;
        self.lays.learn(&view, after, (&self.movers, hidden.unseen), self.bars.mask());
        self.learn_rhythms(&view, &hidden, after);
        if let Some((plain, _)) = self.compose_apart(&view, &moves, &hidden, false) {
            let seen = (&view, after, self.bars.mask());
            self.takes.learn(seen, (&mut self.movers, &moves, &plain.frame), &mut self.canvas);
        }
        let Transition { before, action, layers, .. } = *transition;
        let step = Step { before, after, action, layers, old: &old, new: &new };
        self.read(&step);
        self.boards.learn(transition, self.bars.mask());
        self.undo.learn(transition.action, after, self.bars.mask());
        self.deeds = self.deeds.then(transition.action);
        self.rhythms.time = self.rhythms.time.saturating_add(1);
        self.watch(after);
    }

    fn state(&self, frame: &Grid) -> State {
        self.hidden().state(frame.clone())
    }

    fn predict(&self, state: &State, action: Action) -> Prediction {
        let hidden = Hidden::of(state);
        let view = self.view(&state.frame, action, &hidden);
        let moves = self.expect(&view, &self.pieces(view.frame, &hidden), &hidden);
        self.foretell(&view, &moves, &hidden)
    }

    fn advances(&self, state: &State, action: Action) -> Vec<Advance> {
        let hidden = Hidden::of(state);
        let view = self.view(&state.frame, action, &hidden);
        self.movers.advances(&view, &self.pieces(view.frame, &hidden))
    }

    fn driven(&self, state: &State, action: Action) -> Vec<Advance> {
        let hidden = Hidden::of(state);
        let view = self.view(&state.frame, action, &hidden);
        let moves = self.movers.expect(&view, &self.pieces(view.frame, &hidden));
        self.movers.driven(view.frame, &moves.placements)
    }

    fn kin(&self, state: &State) -> Vec<Vec<Point>> {
        self.movers.kin(&state.frame)
    }

    fn flock(&self, state: &State) -> Vec<Vec<Point>> {
        self.movers.flock(&state.frame)
    }

    fn looks(&self, state: &State) -> u64 {
        self.movers.company(&self.movers.pieces(&state.frame, Hidden::of(state).unseen))
    }

    fn still(&self, state: &State) -> Option<Grid> {
        if !self.movers.has_patrols() && !self.rhythms.is_proven() {
            return None;
        }
        let pieces = self.movers.instances(&state.frame);
        let patrols = pieces.iter().filter(|it| self.movers.patrols(**it));
        let mut still = state.frame.clone();
        if self.rhythms.is_proven() {
            let own = self.own(&pieces);
            self.rhythms.quieten(&mut still, |at| own.contains(at));
        }
        for it in patrols {
            let sprite = self.movers.sprite(*it);
            let around = self.canvas.around(&state.frame, sprite, it.at);
            for at in sprite.footprint(it.at) {
                let ground = self.canvas.get(at).or(around);
                if let (Ok(point), Some(ground)) = (Point::new(at.x, at.y), ground) {
                    still.set(point, ground);
                }
            }
        }
        Some(still)
    }

    fn is_arrow(&self, action: Action) -> bool {
        self.movers.is_arrow(action)
    }

    fn collides(&self, state: &State, action: Action) -> bool {
        let hidden = Hidden::of(state);
        let view = self.view(&state.frame, action, &hidden);
        self.expect(&view, &self.pieces(view.frame, &hidden), &hidden).is_lost
    }

    fn choices(&self, state: &State) -> Vec<Action> {
        let mut choices: Vec<Action> = self.buttons.clicks(&state.frame).collect();
        if self.movers.can_be_selected() || !self.lays.is_empty() {
            let hidden = Hidden::of(state);
            let pieces = self.movers.pieces(&state.frame, hidden.unseen);
            let view = |action| self.view(&state.frame, action, &hidden);
            let wakes = |(piece, at): &(_, Point)| self.movers.wakes(&view(Action::Click(*at)), &pieces, *piece);
            choices.extend(self.movers.sleepers(&pieces).filter(wakes).map(|(_, at)| Action::Click(at)));
            choices.extend(self.lays.choices(&state.frame, &self.movers, &pieces));
        }
        choices
    }

    fn untried(&self, state: &State) -> Vec<Action> {
        self.buttons.untried(&state.frame, self.bars.mask()).collect()
    }

    fn foresee(&self, state: &State, action: Action) -> Foresight {
        let hidden = Hidden::of(state);
        let view = self.view(&state.frame, action, &hidden);
        let pieces = self.pieces(view.frame, &hidden);
        let moves = self.expect(&view, &pieces, &hidden);
        let (prediction, driven) =
            (self.foretell(&view, &moves, &hidden), self.movers.driven(view.frame, &moves.placements));
        Foresight { prediction, advances: self.movers.advances(&view, &pieces), driven }
    }

    fn disagreement(&self, state: &State, action: Action) -> f32 {
        1.0 - self.predict(state, action).confidence
    }
}
