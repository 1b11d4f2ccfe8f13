//! What touching, pressing and clicking has led to: the planner's own part of memory.
//!
//! Things and what was tried on them belong to a level; what a kind of thing was good or bad for stays for the game, as
//! a hypothesis that orders what is tried.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{ActionId, Color, Grid, Point};
use world_model::Advance;

use super::{
    arrivals::Arrivals,
    commits::Commits,
    counts::Counts,
    dyes::{Dyes, Worn},
    errands::Errands,
    fuel::Fillings,
    gather::Leftovers,
    hands::{Hands, Use},
    perils::Perils,
    presses::{ARROWS, Effect, Presses},
    records::{Happening, Needs, Record, Tried},
    surveys::Surveys,
    things::{Kind, Surroundings, Thing, Things, Touched},
    uses::Uses,
};

/// One tier of interest, in actions: a thing of a better tier is worth a detour of so many.
pub(super) const TIER: f32 = 100.0;
/// A kind that pieces passed so often without more cannot be what wins.
const PASSES: u32 = 3;
/// Steps in a row whose share of events decides whether events mean anything.
const WINDOW: u32 = 16;

/// In tiers, guesses that were not measured one by one: what changes something is worth going for where a drawing is to
/// become alike, and where something refused; each touch of it makes it a little less so. What fills the budget comes
/// later than the like of it while enough is left.
const TO_CHANGE: f32 = 0.6;
const TO_PERSUADE: f32 = 1.0;
const EACH_CHANGE: f32 = 0.1;
const SPARED: f32 = 1.0;
/// What each touch of a thing adds: less where its kind solved a level, which may want something else before. Guesses.
const TIRED: f32 = 0.7;
const TIRED_OF_WINNING: f32 = 0.25;
/// States that nobody was in come after what is worth touching, and later with each of them that led to nothing: before
/// what was touched and nothing happened since all the same. Guesses.
pub(super) const FRONTIER: f32 = 4.0;
const EACH_WANDERED: f32 = 0.025;
const WEARIEST: f32 = 1.9;
/// So many things of a kind are gathered rather than used: a single one may be a key, which is exchanged for the next. A guess.
const SEVERAL: usize = 2;
/// What was taken before a level began again is gathered anew before what was never touched. A guess.
const ANEW: f32 = 0.9;
/// A thing of a colour that pieces took on comes before nearly everything. A guess.
const SUITS: f32 = 0.2;
/// Free hands may take any thing that an action was not pressed at since. A guess.
const TAKES: f32 = 0.9;
/// The like of what solved a level that came up since this one began: before what helped. In tiers, a guess.
const OPENED: f32 = -0.5;
/// What takes is no good while hands are full. A guess.
const FULL: f32 = 1.0;

/// Touches of things of a colour without any effect after which the rest of them is taken for walls. A guess.
const WALLS: u32 = 8;

/// What plans that went wrong add at most: what solved a level before then comes after states that nobody was in. A guess.
const WORST: f32 = 4.0;
/// Arrows without effect after which the others come after clicks: one may be blocked. A guess.
const DEAD_ARROWS: usize = 2;
/// Times that pieces left things of a kind where they were, and took none, until that kind is taken to stay. A guess.
const KEPT: u32 = 4;

/// The tries of everything.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    kinds: BTreeMap<Kind, Record>,
    things: BTreeMap<Thing, Tried>,
    /// Colours that pieces were seen to enter, and those that stopped them.
    entered: BTreeSet<Color>,
    stopped: BTreeSet<Color>,
    /// How often things of a colour were touched without effect in this level.
    dull: BTreeMap<Color, u32>,
    presses: Presses,
    pub(super) arrivals: Arrivals,
    pub(super) commits: Commits,
    pub(super) surveys: Surveys,
    pub(super) counts: Counts,
    dyes: Dyes,
    hands: Hands,
    pub(super) errands: Errands,
    pub(super) fillings: Fillings,
    pub(super) perils: Perils,
    pub(super) uses: Uses,
    /// Targets that went wrong: what was to be added to their score.
    penalties: BTreeMap<Thing, f32>,
    /// Things that were looked for in vain, and the count of events at that time.
    out_of_reach: BTreeMap<Thing, u32>,
    /// The count of events when no way was found to anything that solved a level, however far.
    looked_far: Option<u32>,
    events: u32,
    /// The count of events when the last thing of a kind was gathered.
    gathered: u32,
    /// What levels were solved without, in this game.
    pub(super) leftovers: Leftovers,
    /// Kinds of which some were taken in this level before it began again.
    to_gather: BTreeSet<Kind>,
    /// Steps to where nobody was, in this level.
    wandered: u32,
    /// A bit a step, newest lowest: whether it was an event.
    recent: u32,
}

impl Ledger {
    /// A new level: what was tried on its things is all to do.
    pub(super) fn begin_level(&mut self) {
        for record in self.kinds.values_mut() {
            (record.touches, record.effect) = (0, false);
        }
        self.things.clear();
        self.dull.clear();
        self.presses.begin_level();
        self.commits.begin_level();
        self.surveys.begin_level();
        self.counts.begin();
        self.errands.begin_level();
        self.perils.begin_level();
        self.penalties.clear();
        self.out_of_reach.clear();
        self.looked_far = None;
        self.dyes.begin_level();
        self.hands.empty();
        self.wandered = 0;
        self.gathered = 0;
        self.to_gather.clear();
    }

    /// The level starts over: what was touched may have an effect again, and what was taken is there again.
    pub(super) fn restart(&mut self) {
        self.events += 1;
        self.hands.empty();
        self.errands.restart();
        self.surveys.restart();
        self.counts.begin();
        let taken = self.things.extract_if(.., |_, tried| tried.is_taken);
        self.to_gather.extend(taken.map(|(thing, _)| thing.kind));
    }

    /// Pieces look different without having moved: everything may answer differently now.
    pub(super) fn changed_mode(&mut self) {
        self.events += 1;
    }

    /// An action was taken.
    pub(super) fn took(&mut self, action: ActionId) {
        self.uses.took(action);
        self.presses.took(action);
    }

    /// Whether arrows seem to mean nothing: so many of them did nothing, and none moved a piece.
    pub(super) fn doubts_arrows(&self) -> bool {
        self.uses.movers() == 0 && self.presses.dead_arrows() >= DEAD_ARROWS
    }

    /// An action that moves nothing was taken in these surroundings.
    pub(super) fn pressed(&mut self, action: ActionId, around: &Surroundings, effect: Effect) {
        let effect = if effect == Effect::Event && self.restless() { Effect::Nothing } else { effect };
        self.presses.pressed(action, around, effect, self.events);
        for thing in &around.here {
            self.hands.pressed(action, *thing);
        }
    }

    /// A plan to press an action at a thing came to its end, whether that was there or not.
    pub(super) fn went_to_press(&mut self, action: ActionId, thing: Thing) {
        self.presses.missed(action, thing, self.events);
    }

    /// What gauges say is held: [`Hands::watch`]. What is held is another thing than before, or none: all may answer
    /// differently now.
    pub(super) fn watch_hands(
        &mut self,
        frames: (&Grid, &Grid),
        step: (Option<ActionId>, &BTreeSet<Thing>),
        is_gauge: impl Fn(Point) -> bool,
    ) -> bool {
        let changed = self.hands.watch(frames, step, is_gauge);
        self.events += u32::from(changed);
        changed
    }

    /// A step to where nobody was.
    pub(super) fn wander(&mut self) {
        self.wandered += 1;
    }

    /// How interesting it is to go where nobody was, in actions: ever less, the longer that led to nothing else, until what was
    /// touched before the last event comes first.
    pub(super) fn frontier(&self) -> f32 {
        TIER * (FRONTIER + (EACH_WANDERED * self.wandered as f32).min(WEARIEST))
    }

    /// Pieces went for these things.
    pub(super) fn touched(&mut self, touched: &Touched, happening: Happening) {
        let event = happening.event && !self.restless();
        self.recent = self.recent << 1 | u32::from(happening.event);
        self.events += u32::from(event);
        for kind in &touched.kinds {
            let record = self.kinds.entry(*kind).or_default();
            record.touches += 1;
            record.survived += 1;
            record.effect |= event;
        }
        for thing in &touched.things {
            let tried = self.things.entry(*thing).or_default();
            tried.touches += 1;
            tried.changer |= event;
            self.dyes.touched(*thing);
            self.hands.touched(*thing);
            (tried.events, tried.refused) = (self.events, happening.refused);
            if !event {
                *self.dull.entry(thing.kind.color).or_default() += 1;
            }
        }
    }

    /// A plan to enter a kind of ground came to its end, wherever that led.
    pub(super) fn went_for(&mut self, kind: Kind) {
        let record = self.kinds.entry(kind).or_default();
        record.touches = record.touches.max(1);
    }

    /// Pieces look like this now.
    pub(super) fn wear(&mut self, worn: Worn) {
        self.events += u32::from(self.dyes.wear(worn));
    }

    /// This turned up where pieces were: it is there since they touched it.
    pub(super) fn turned_up(&mut self, thing: Thing) {
        let events = self.events;
        self.things.entry(thing).or_insert(Tried { touches: 1, events, ..Tried::default() });
    }

    /// Pieces left where this was, and it is gone.
    pub(super) fn was_taken(&mut self, thing: Thing) {
        self.things.entry(thing).or_default().is_taken = true;
        self.kinds.entry(thing.kind).or_default().taken += 1;
    }

    /// Pieces that stood on this left, and it is there.
    pub(super) fn was_kept(&mut self, thing: Thing) {
        self.kinds.entry(thing.kind).or_default().kept += 1;
    }

    /// Whether pieces pass over such things and never take one.
    pub(super) fn stays(&self, kind: Kind) -> bool {
        self.kinds.get(&kind).is_some_and(|it| it.kept >= KEPT && it.taken == 0)
    }

    /// That was the last of a kind: if there were several, what was touched in vain before may answer now.
    pub(super) fn gathered(&mut self, kind: Kind) {
        let taken = self.things.iter().filter(|(it, tried)| it.kind == kind && tried.is_taken);
        if taken.count() >= SEVERAL {
            self.events += 1;
            self.gathered = self.events;
        }
    }

    /// Whether a thing was touched, but not since all things of a kind were gathered.
    pub(super) fn may_answer_now(&self, thing: Thing) -> bool {
        self.things.get(&thing).is_some_and(|tried| tried.touches > 0 && tried.events < self.gathered)
    }

    /// Pieces entered these kinds, or were stopped by one of them.
    pub(super) fn passed(&mut self, kinds: &BTreeSet<Kind>, moved: bool) {
        let colors = kinds.iter().map(|kind| kind.color);
        if moved {
            self.entered.extend(colors);
        } else {
            self.stopped.extend(colors.filter(|color| !self.entered.contains(color)));
        }
    }

    /// Whether pieces were seen to enter this colour.
    pub(super) fn is_entered(&self, color: Color) -> bool {
        self.entered.contains(&color)
    }

    /// Whether this colour stops pieces, as far as anybody knows.
    pub(super) fn stops(&self, color: Color) -> bool {
        self.stopped.contains(&color) && !self.entered.contains(&color)
    }

    /// Whether things of a colour stopped pieces so often in this game and never did anything that they are rather walls.
    pub(super) fn is_wall(&self, color: Color) -> bool {
        let alike = || self.kinds.iter().filter(|(kind, _)| kind.color == color).map(|(_, record)| record);
        let is_dull = |it: &Record| !it.won && !it.helped && !it.effect;
        self.stops(color) && alike().all(is_dull) && alike().map(|it| it.survived).sum::<u32>() >= WALLS
    }

    /// Whether things keep happening whatever is done, so that an event says nothing.
    fn restless(&self) -> bool {
        (self.recent & ((1 << WINDOW) - 1)).count_ones() > WINDOW / 2
    }

    /// The last touch lost the level.
    pub(super) fn died(&mut self, touched: &Touched) {
        for kind in &touched.kinds {
            self.kinds.entry(*kind).or_default().deaths += 1;
        }
    }

    /// The last touch solved the level.
    pub(super) fn won(&mut self, touched: &Touched) {
        // Ground that pieces entered before shows around many a thing, and is not what solves a level if anything else may be.
        let is_other = |kind: &&Kind| !self.entered.contains(&kind.color);
        let has_other = touched.kinds.iter().any(|kind| is_other(&kind));
        let winners: Vec<Kind> = touched.kinds.iter().filter(|kind| !has_other || is_other(kind)).copied().collect();
        for kind in winners {
            let record = self.kinds.entry(kind).or_default();
            record.won |= record.touches < PASSES;
        }
        for record in self.kinds.values_mut() {
            record.helped |= record.effect;
        }
    }

    /// Whether pieces that touch this kind are lost.
    pub(super) fn is_deadly(&self, kind: Kind) -> bool {
        self.kinds.get(&kind).is_some_and(|record| record.deaths > 0 && record.deaths >= record.survived)
    }

    /// Whether pieces that touch all this are lost.
    pub(super) fn is_deadly_touch(&self, touched: &Touched) -> bool {
        touched.kinds.iter().any(|kind| self.is_deadly(*kind))
    }

    /// Whether pieces that mean to move so are lost by what they touch.
    pub(super) fn is_peril(&self, things: &Things, advances: &[Advance]) -> bool {
        let knows_perils = self.kinds.values().any(|record| record.deaths > 0);
        knows_perils && self.is_deadly_touch(&things.touched(advances, |color| self.stops(color)))
    }

    /// Whether pieces never went for this kind in this level.
    pub(super) fn is_new(&self, kind: Kind) -> bool {
        self.kinds.get(&kind).is_none_or(|record| record.touches == 0)
    }

    /// What is known of a kind. One never met before this level, as when that is drawn at another scale, is taken for what
    /// was good in its colour, and remains so where it was taken.
    fn record(&self, kind: Kind) -> Record {
        let own = self.kinds.get(&kind).copied().unwrap_or_default();
        let was_met_before = own.survived > own.touches;
        let is_open = own.touches == 0 || self.things.iter().any(|(it, tried)| it.kind == kind && tried.is_taken);
        if was_met_before || !is_open {
            return own;
        }
        let alike = self.kinds.iter().filter(|(it, _)| it.color == kind.color && it.shape != 0).map(|(_, it)| it);
        let good = |of: fn(&Record) -> bool| alike.clone().any(of);
        Record { won: good(|it| it.won), helped: good(|it| it.helped), ..own }
    }

    /// How interesting it is to touch a thing: lower is better, in actions.
    pub(super) fn interest(&self, thing: Thing, needs: Needs) -> f32 {
        let fills = self.fillings.contains(thing.kind);
        if fills && needs.fuel {
            return 0.0;
        }
        let record = self.record(thing.kind);
        let Tried { touches, events, refused, .. } = self.things.get(&thing).copied().unwrap_or_default();
        let dull = self.dull.get(&thing.kind.color).copied().unwrap_or_default();
        if self.is_to_change(thing, needs) {
            let tier = if needs.change { TO_CHANGE } else { TO_PERSUADE };
            return TIER * (tier + EACH_CHANGE * touches as f32);
        }
        let tier = match () {
            () if self.dyes.suits(thing) || self.hands.suits(thing) => return SUITS * TIER,
            () if touches == 0 && !fills && self.to_gather.contains(&thing.kind) => return ANEW * TIER,
            () if self.is_opened(thing) => OPENED,
            () if touches > 0 && events == self.events => 6.0,
            () if touches > 0 && refused => 0.9,
            () if touches > 0 => 2.8,
            () if record.won => 0.5,
            () if record.helped => 0.0,
            () if record.touches == 0 => 1.0 + 0.5 * dull.min(4) as f32,
            () => 3.0,
        };
        let alike = if record.won { 0 } else { record.touches.min(10) };
        let again = if record.won { TIRED_OF_WINNING } else { TIRED };
        let tired = again * touches as f32 + 0.3 * alike as f32;
        let later = if fills { SPARED } else { 0.0 };
        let counts = self.counts.interest(thing).filter(|_| !fills).unwrap_or(f32::INFINITY);
        (TIER * (tier + tired + later)).min(counts) + self.penalties.get(&thing).copied().unwrap_or_default()
    }

    /// Whether touching such a thing solved a level.
    pub(super) fn has_won(&self, kind: Kind) -> bool {
        self.record(kind).won
    }

    /// The same, of this very kind: what else has its colour tells nothing.
    pub(super) fn has_itself_won(&self, kind: Kind) -> bool {
        self.kinds.get(&kind).is_some_and(|it| it.won)
    }

    /// Whether pieces went for a thing in this level.
    pub(super) fn is_touched(&self, thing: Thing) -> bool {
        self.things.get(&thing).is_some_and(|tried| tried.touches > 0)
    }

    /// Whether a thing changes something and that is wanted: not before the budget is filled when it runs low.
    pub(super) fn is_to_change(&self, thing: Thing, needs: Needs) -> bool {
        let is_changer = self.things.get(&thing).is_some_and(|tried| tried.changer);
        is_changer && !needs.fuel && (needs.change || self.is_refused())
    }

    /// Whether something refused to do anything since the last event: what changes things may change its mind.
    fn is_refused(&self) -> bool {
        self.things.values().any(|tried| tried.refused && tried.events == self.events)
    }

    /// Whether something happened since a thing was touched, or is to, so that touching it again may lead elsewhere.
    pub(super) fn is_reopened(&self, thing: Thing, needs: Needs) -> bool {
        let tried = self.things.get(&thing);
        tried.is_some_and(|it| it.events != self.events) || self.is_to_change(thing, needs)
    }

    /// How interesting it is to take an action that moves nothing in such surroundings; `None` when that was tried.
    pub(super) fn curiosity(&self, action: ActionId, around: &Surroundings) -> Option<f32> {
        let things = around.here.iter().chain(&around.ahead).chain(&around.beside);
        let uses: BTreeSet<Use> = things.map(|thing| self.hands.use_at(action, *thing)).collect();
        let here = |it: Use| around.here.iter().any(|thing| self.hands.use_at(action, *thing) == it);
        let interest = self.presses.interest(action, around, self.events);
        match () {
            () if here(Use::Serves) => Some(SUITS * TIER),
            () if uses.contains(&Use::Done) => None,
            () if uses.contains(&Use::Full) => interest.map(|it| it + FULL * TIER),
            () if here(Use::MayTake) => Some(interest.map_or(TAKES * TIER, |it| it.min(TAKES * TIER))),
            () => interest,
        }
    }

    /// How interesting it is to press an action that did nothing yet where it was not pressed before, in actions. An arrow
    /// may have been blocked there, unless there are arrows enough.
    pub(super) fn elsewhere(&self, action: ActionId, advances: &[Advance]) -> Option<f32> {
        let is_idle = self.presses.is_idle(action, self.uses.movers() >= ARROWS.len());
        self.surveys.elsewhere(action, advances).filter(|_| is_idle)
    }

    /// Whether gauges say of an action that it counts somewhere.
    pub(super) fn signals(&self, action: ActionId) -> bool {
        self.presses.signals(action)
    }

    /// How often in a row an action is to be pressed on a thing.
    pub(super) fn hold(&self, action: ActionId, thing: Thing) -> u32 {
        self.presses.hold(action, thing)
    }

    /// Holding an action at a thing would lose the level.
    pub(super) fn let_go(&mut self, action: ActionId, thing: Thing) {
        self.presses.let_go(action, thing);
    }

    /// No way was found to a thing.
    pub(super) fn looked_in_vain(&mut self, thing: Thing) {
        self.out_of_reach.insert(thing, self.events);
    }

    /// Whether no way was found to a thing since something happened last.
    pub(super) fn is_out_of_reach(&self, thing: Thing) -> bool {
        self.out_of_reach.get(&thing) == Some(&self.events)
    }

    /// No way was found to anything that solved a level, however far.
    pub(super) fn looked_far(&mut self) {
        self.looked_far = Some(self.events);
    }

    /// Whether something happened since then.
    pub(super) fn may_look_far(&self) -> bool {
        self.looked_far != Some(self.events)
    }

    /// A plan to touch this went wrong.
    pub(super) fn penalize(&mut self, thing: Thing) {
        let penalty = self.penalties.entry(thing).or_default();
        *penalty = (*penalty + TIER).min(WORST * TIER);
    }

    /// Whether no way was found to a thing that nobody touched, and something happened since.
    pub(super) fn may_be_in_reach(&self, thing: Thing) -> bool {
        self.out_of_reach.get(&thing).is_some_and(|events| *events != self.events) && !self.is_touched(thing)
    }

    /// What is added to the score of something of a kind that does not stay where it is.
    pub(super) fn penalty(&self, kind: Kind) -> f32 {
        self.penalties.iter().filter(|(it, _)| it.kind == kind).map(|(_, penalty)| penalty).sum()
    }
}
