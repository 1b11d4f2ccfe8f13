//! What is wanted when nobody knows what wins: to touch what was never touched, to press where nobody pressed, to go
//! where nobody was, and to solve the level where the model says how.

use std::{collections::HashSet, fmt, rc::Rc};

use env_client::{Action, ActionId, ActionSet, Grid, Key, Point};
use world_model::{Advance, Component, Outcome, Source};

use super::{
    aims::Aim,
    errands::{self, Errand},
    footing::Footing,
    ledger::{Ledger, TIER},
    likeness::Comparison,
    modes::{self, Modes},
    names::Name,
    records::Needs,
    remembered::Remembered,
    search::{Edge, Judge, Judgement, Node, NodeKey},
    sequence::{Sequence, Turn},
    things::{Facing, Kind, LARGE, Surroundings, Thing, Things, Touched},
};

/// What the model says to solve the level comes before everything.
const SOLVES: f32 = -10.0 * TIER;
/// An action that nobody ever took: every other plan gains from knowing it.
const UNKNOWN: f32 = 0.9 * TIER;
/// What looks like a button and was not pressed in this level: after what skills of buttons would like to know. A guess.
const UNTRIED: f32 = 0.36 * TIER;
/// An arrow that nobody ever pressed where others did nothing and clicks are offered: after the first clicks. A guess.
const DOUBTED: f32 = 1.65 * TIER;
/// An arrow that never moved a piece is no longer pressed for its own sake after so many times. A guess.
const BLOCKED: u32 = 4;
/// Ground that no piece ever entered comes after things never touched.
const GROUND: f32 = 2.0 * TIER;
/// What brings things to light is pressed at them that much later than where it would show more of them. A guess.
const SURVEYS: f32 = 2.0 * TIER;
/// What is better is worth looking only a little further.
const GOOD: f32 = 2.0 * TIER;
/// Large things are less likely to be what matters; the numbers were measured on public games.
const LARGE_COST: f32 = 20.0;
const CROWD_COST: f32 = 2.0;
/// A speck at the rim is rather a gauge than a thing: it comes after everything else that was never touched.
const SPECK_COST: f32 = 4.5 * TIER;
/// And one of a colour that a gauge counts is that gauge.
const GAUGE_COST: f32 = 9.0 * TIER;
/// A button, as a piece that a click selects, is there to be clicked: others go for it after states that nobody was in. A guess.
const BUTTON: f32 = 7.0 * TIER;
/// So many things of one colour, of a kind that pieces pass over and never take, are a pattern of the ground: they come after
/// states that nobody was in. Guesses.
const PATTERN: usize = 12;
const PATTERN_COST: f32 = 7.0 * TIER;
/// A room where pieces were is no thing to go for again: it comes after states that nobody was in. A guess.
const ROOM: f32 = 4.0 * TIER;
/// A thing whose drawing is shown comes before what was never touched; one whose drawing is not, after it. Guesses, not
/// measured.
const SHOWN: f32 = -2.0 * TIER;
const NOT_SHOWN: f32 = 3.0 * TIER;
/// What a drawing names as the next thing to touch, and what it names for later. Guesses.
const NEXT: f32 = 0.2 * TIER;
const LATER: f32 = 3.0 * TIER;
/// A thing like no other that did nothing before all things of some kind were gathered: before what was never touched. A guess.
const EXIT: f32 = 0.6 * TIER;
/// A thing that does nothing and solved levels when none of some kind were left waits while there are some that nobody touched:
/// it comes after other things never touched. A guess.
const WAITS: f32 = 1.6 * TIER;
/// What leads on to a drawing that is to be shown. A guess.
const LEADS_ON: f32 = 0.5 * TIER;

/// Why a step is worth taking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The model expects it to solve the level.
    Solve,
    /// An arrangement of pieces that the level may want.
    Arrange(Name),
    /// A piece goes for a thing.
    Touch(Thing),
    /// A piece that is taken along comes onto something.
    Bring(Errand),
    /// A piece enters ground it never entered.
    Enter(Kind),
    /// An action that moves no piece is tried, at a thing if there is one.
    Press(Action, Option<Thing>),
    /// An action that plays something out is taken in a new arrangement.
    Commit(Action),
    /// It leads on to where an action brings more to light.
    Look(Action),
    /// It leads where nobody was.
    Frontier,
}

/// Judges steps by what they would teach.
#[derive(Debug)]
pub(super) struct Curiosity<'a> {
    pub(super) things: &'a Things,
    pub(super) ledger: &'a Ledger,
    needs: Needs,
    /// States the play was in during this level.
    pub(super) visited: &'a HashSet<NodeKey>,
    /// Steps that did not do what was expected of them.
    pub(super) failed: &'a HashSet<(NodeKey, Action)>,
    /// The keys that can be pressed.
    pub(super) keys: Vec<Action>,
    /// Those of them that are arrows.
    arrows: Vec<Action>,
    /// Whether arrows are taken to mean nothing, since clicks are offered and some did nothing.
    doubts_arrows: bool,
    modes: &'a Modes,
    footing: Footing,
    scores: Vec<(Thing, f32)>,
    /// What is worth most in sight, wherever it is.
    hope: Option<(Thing, f32)>,
    /// If nothing but to touch these is wanted, they.
    only: Option<Vec<Thing>>,
    /// Things that a drawing names in an order, and whether none is touched out of turn: as long as the next one may be
    /// reached, or if that ever lost.
    turns: Vec<(Thing, Turn)>,
    is_strict: bool,
    /// The one that is next where it goes its own way, and what looks like it and only tells of it.
    quarry: Option<(Thing, Sequence)>,
    /// Where keys bring more to light, and how interesting it is to press them there.
    sights: Vec<(Action, Vec<(Point, f32)>)>,
    /// What may be clicked where the search begins, and how interesting that is.
    aims: Vec<(Aim, f32)>,
    /// What looks like a button and was not pressed yet.
    untried: Vec<Action>,
    /// What steps touch.
    touched: Remembered<Rc<Touched>>,
}

impl<'a> Curiosity<'a> {
    /// A judge of the level as it is now.
    pub(super) fn new(
        things: &'a Things,
        (ledger, modes): (&'a Ledger, &'a Modes),
        (comparison, low_fuel): (&Comparison, bool),
        (visited, failed): (&'a HashSet<NodeKey>, &'a HashSet<(NodeKey, Action)>),
        actions: ActionSet,
    ) -> Curiosity<'a> {
        let needs = Needs { change: comparison.is_waiting(), fuel: low_fuel };
        let interest = |thing: Thing| match comparison.leads_on(thing.kind) {
            Some(true) if ledger.is_to_change(thing, needs) => LEADS_ON,
            Some(false) if ledger.is_to_change(thing, needs) => NOT_SHOWN,
            _ => ledger.interest(thing, needs),
        };
        let untouched = things.iter().map(|(thing, _)| thing).filter(|it| !ledger.is_touched(*it));
        let are_left = ledger.leftovers.are_left(untouched.map(|it| it.kind));
        let waits = |kind: Kind| are_left && ledger.has_won(kind) && !ledger.leftovers.is_gathered(kind);
        let mut scores: Vec<(Thing, f32)> = things
            .iter()
            .filter(|(thing, _)| !ledger.is_deadly(thing.kind))
            .map(|(thing, component)| {
                let crowd = things.iter().filter(|(other, _)| other.kind.color == thing.kind.color).count();
                let is_pattern = crowd >= PATTERN && ledger.stays(thing.kind);
                if is_pattern || ledger.is_wall(thing.kind.color) && !ledger.is_touched(thing) {
                    return (thing, PATTERN_COST);
                }
                let is_exit = crowd == 1 && ledger.may_answer_now(thing);
                let interest = if is_exit { interest(thing).min(EXIT) } else { interest(thing) };
                let waits = if ledger.is_touched(thing) && waits(thing.kind) { WAITS } else { 0.0 };
                let later = looks(things, (ledger, comparison), (thing, component)) + waits;
                (thing, interest + CROWD_COST * crowd.min(20) as f32 + later)
            })
            .collect();
        let again = things.covered().into_iter().filter(|thing| ledger.is_to_change(*thing, needs));
        scores.extend(again.map(|thing| (thing, interest(thing))));
        let (keys, arrows, footing) = (keys(actions), Vec::new(), Footing::default());
        let doubts_arrows = actions.contains(ActionId::Action6) && ledger.doubts_arrows();
        let judge = Curiosity {
            things,
            ledger,
            needs,
            visited,
            failed,
            keys,
            arrows,
            doubts_arrows,
            modes,
            footing,
            scores,
            hope: None,
            only: None,
            turns: Vec::new(),
            is_strict: false,
            quarry: None,
            sights: Vec::new(),
            aims: Vec::new(),
            untried: Vec::new(),
            touched: Remembered::default(),
        };
        Curiosity { hope: judge.best_in_sight(), ..judge }
    }

    /// The same, touching things in the order that a drawing tells, if one does, in this frame.
    pub(super) fn in_order(mut self, sequence: Option<&Sequence>, frame: &Grid) -> Self {
        let next = sequence.and_then(|it| Some((it, it.next(self.things, frame)?)));
        let Some((sequence, next)) = next else { return self };
        self.quarry = next.roams.map(|it| (it, sequence.clone()));
        let named =
            self.things.iter().filter_map(|(thing, it)| Some((thing, sequence.turn(next.color, (thing, it.bounds))?)));
        self.turns = named.collect();
        let in_vain = |thing: Thing| self.ledger.is_touched(thing) && !self.ledger.is_reopened(thing, self.needs);
        let is_due = |(thing, turn): &(Thing, Turn)| {
            *turn == Turn::Next && !in_vain(*thing) && !self.ledger.is_out_of_reach(*thing)
        };
        let costs = |(thing, turn): &(Thing, Turn)| *turn != Turn::Told && self.ledger.is_deadly(thing.kind);
        self.is_strict = self.quarry.is_some() || self.turns.iter().any(|it| is_due(it) || costs(it));
        for (thing, turn) in &self.turns {
            let in_vain = in_vain(*thing);
            let known = self.scores.iter_mut().find(|(it, _)| it == thing);
            match (turn, known) {
                (Turn::Next, Some(it)) if !in_vain => it.1 = NEXT,
                (Turn::Next, None) if !in_vain => self.scores.push((*thing, NEXT)),
                (Turn::Later | Turn::Told, Some(it)) => it.1 += LATER,
                _ => {}
            }
        }
        Curiosity { hope: self.best_in_sight(), ..self }
    }

    /// The same, knowing where in this frame keys bring more to light.
    pub(super) fn looking(mut self, frame: &Grid) -> Self {
        let sights = self.keys.iter().map(|key| (*key, self.ledger.surveys.sights(key.id(), frame)));
        self.sights = sights.filter(|(_, sights)| !sights.is_empty()).collect();
        self
    }

    /// The same, clicking on these where the search begins, as on those of these buttons that nobody knows.
    pub(super) fn aiming(mut self, aims: Vec<(Aim, f32)>, buttons: &[Action], untried: Vec<Action>) -> Self {
        let pressed: Vec<Thing> = buttons.iter().filter_map(|it| self.things.at(it.point()?)).collect();
        self.scores.iter_mut().filter(|(it, _)| pressed.contains(it)).for_each(|it| it.1 += BUTTON);
        Curiosity { hope: self.best_in_sight(), aims, untried, ..self }
    }

    /// The same where a search reaches all there is: what lies beyond is out of reach.
    pub(super) fn looking_no_further(self) -> Self {
        Curiosity { sights: Vec::new(), ..self }
    }

    /// The same, wanting nothing but to touch these things.
    pub(super) fn only(mut self, things: Vec<Thing>) -> Self {
        self.scores.retain(|(thing, _)| things.contains(thing));
        Curiosity { hope: self.best_in_sight(), only: Some(things), ..self }
    }

    /// What is next and goes its own way, if pieces go for it on an edge.
    fn hunts(&self, edge: &Edge<'_>) -> Option<Thing> {
        let (quarry, sequence) = self.quarry.as_ref()?;
        let is_quarry = |at: &Point| edge.node.state.frame.get(*at) == Some(quarry.kind.color) && !sequence.tells(*at);
        edge.advances.iter().any(|it| it.onto.iter().any(is_quarry)).then_some(*quarry)
    }

    /// Whether any of these things has this turn.
    fn has_turn(&self, touched: &Touched, turn: Turn) -> bool {
        touched.things.iter().any(|thing| self.turns.contains(&(*thing, turn)))
    }

    /// The same, walking on what holds.
    pub(super) fn on(self, footing: Footing) -> Self {
        Curiosity { footing, ..self }
    }

    /// The same, steering by these of the keys.
    pub(super) fn steering(mut self, is_arrow: impl Fn(Action) -> bool) -> Self {
        self.arrows = self.keys.iter().copied().filter(|key| is_arrow(*key)).collect();
        self
    }

    fn is_arrow(&self, action: Action) -> bool {
        self.arrows.contains(&action)
    }

    /// The thing that is worth most in sight, which a search looks for beyond its budget.
    pub(super) fn sought(&self) -> Option<Thing> {
        self.hope.map(|(thing, _)| thing)
    }

    pub(super) fn score(&self, thing: Thing) -> Option<f32> {
        self.scores.iter().find(|(it, _)| *it == thing).map(|(_, score)| *score)
    }

    /// The thing that is worth most to touch or to press at, wherever it is, unless it was found out of reach.
    fn best_in_sight(&self) -> Option<(Thing, f32)> {
        let near = self.scores.iter().filter(|(thing, _)| !self.ledger.is_out_of_reach(*thing));
        let press = |thing: Thing| {
            let around = Surroundings { here: [thing].into(), ..Surroundings::default() };
            let presses = self.keys.iter().filter(|key| !self.ledger.uses.moves(key.id()));
            presses.filter_map(|key| self.ledger.curiosity(key.id(), &around)).min_by(f32::total_cmp)
        };
        let best = |(thing, score): &(Thing, f32)| (*thing, press(*thing).map_or(*score, |it| it.min(*score)));
        near.map(best).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The best reason to take an edge for its own sake.
    fn target(&self, edge: &Edge<'_>, touched: &Touched) -> Option<(f32, Target)> {
        if edge.prediction.outcome == Outcome::Solved {
            return Some((SOLVES, Target::Solve));
        }
        if let Some(only) = &self.only {
            let wanted = touched.things.iter().filter(|thing| only.contains(thing));
            let scored = wanted.filter_map(|thing| Some((self.score(*thing)?, Target::Touch(*thing))));
            return scored.min_by(|a, b| a.0.total_cmp(&b.0));
        }
        let is_known = edge.prediction.source == Source::Memory;
        let open = touched.things.iter().filter(|thing| !is_known || self.ledger.is_reopened(**thing, self.needs));
        let things = open.filter_map(|thing| Some((self.score(*thing)?, Target::Touch(*thing))));
        let way = Facing::of(edge.advances);
        let elsewhere = touched.things.iter();
        let elsewhere =
            elsewhere.filter_map(|it| Some((self.ledger.counts.on_another_side(*it, way)?, Target::Touch(*it))));
        let enter = touched.kinds.iter().find(|kind| kind.shape == 0 && self.ledger.is_new(**kind));
        let enter = enter.filter(|_| !is_known).map(|kind| (GROUND, Target::Enter(*kind)));
        let new = edge.place.filter(|next| !self.visited.contains(next));
        let frontier = new.map(|_| (self.ledger.frontier(), Target::Frontier));
        let press = self.press(edge).filter(|_| !self.leads_back(edge));
        let press = press.or_else(|| self.aim(edge));
        let unknown = self.unknown(edge);
        let select = self.select(edge);
        let bring = self.bring(edge).filter(|_| !is_known);
        let hunt = self.hunts(edge).map(|it| (NEXT + self.ledger.penalty(it.kind), Target::Touch(it)));
        let look = new.filter(|_| self.ledger.uses.moves(edge.action.id())).and_then(|_| self.look(edge));
        let others = [enter, frontier, press, unknown, select, bring, look, hunt].into_iter().flatten();
        things.chain(elsewhere).chain(others).min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The nearest place to press what brings more to light at, as the crow flies.
    fn look(&self, edge: &Edge<'_>) -> Option<(f32, Target)> {
        let way = |at: Point, it: &Advance| {
            let from = it.from.first()?;
            let (x, y) = ends(*from, it.by);
            let stride = it.by.0.unsigned_abs().max(it.by.1.unsigned_abs());
            (stride > 0).then(|| (x.abs_diff(at.x().into()) + y.abs_diff(at.y().into())).div_ceil(stride))
        };
        let nearest = |at: Point| edge.advances.iter().filter_map(|it| way(at, it)).min();
        let sights = self.sights.iter().flat_map(|(key, sights)| sights.iter().map(move |it| (*key, it)));
        let rated =
            sights.filter_map(|(key, (at, worth))| Some((worth + f32::from(nearest(*at)?) + 1.0, Target::Look(key))));
        rated.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The best errand that an edge is.
    fn bring(&self, edge: &Edge<'_>) -> Option<(f32, Target)> {
        let errands = errands::errands(self.things, &edge.node.state.frame, (edge.advances, edge.driven)).into_iter();
        let open = errands.filter(|it| !self.ledger.stops(it.onto().color));
        let rated = open.filter_map(|it| Some((self.ledger.errands.interest(&it)?, Target::Bring(it))));
        rated.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// A button, or an action, that nobody took yet and of which nobody knows what it does, or an arrow that did not move a
    /// piece yet, so that it may have been in something's way.
    fn unknown(&self, edge: &Edge<'_>) -> Option<(f32, Target)> {
        if edge.node.depth == 0 && self.untried.contains(&edge.action) {
            return Some((UNTRIED, Target::Press(edge.action, None)));
        }
        let id = edge.action.id();
        let is_open = || {
            let is_blocked = self.is_arrow(edge.action) && !edge.advances.is_empty() && !self.ledger.uses.moves(id);
            is_blocked && self.ledger.uses.times(id) < BLOCKED
        };
        let is_new = !self.ledger.uses.is_taken(id) || is_open();
        let is_unknown = edge.prediction.next.is_none() && edge.action.point().is_none() && is_new;
        let score = if self.doubts_arrows && self.is_arrow(edge.action) { DOUBTED } else { UNKNOWN };
        is_unknown.then_some((score, Target::Press(edge.action, None)))
    }

    /// An arrow that tells who was selected.
    fn select(&self, edge: &Edge<'_>) -> Option<(f32, Target)> {
        let tells = edge.node.depth == 0 && self.is_arrow(edge.action) && self.modes.wants(edge.action.id());
        tells.then_some((modes::ARROW, Target::Press(edge.action, None)))
    }

    /// Whether an edge was taken, and leads elsewhere, to where somebody was: it shows nothing new.
    fn leads_back(&self, edge: &Edge<'_>) -> bool {
        let is_old = |next: &NodeKey| *next != edge.node.key && self.visited.contains(next);
        edge.prediction.source == Source::Memory && edge.place.as_ref().is_some_and(is_old)
    }

    /// A click on something near.
    fn aim(&self, edge: &Edge<'_>) -> Option<(f32, Target)> {
        let at = edge.action.point().filter(|_| edge.node.depth == 0)?;
        let (aim, interest) = self.aims.iter().find(|(aim, _)| aim.at == at)?;
        Some((*interest, Target::Press(edge.action, Some(aim.thing))))
    }

    fn press(&self, edge: &Edge<'_>) -> Option<(f32, Target)> {
        let is_lost = edge.advances.is_empty() && self.things.has_pieces() || self.ledger.uses.moves(edge.action.id());
        let surveys = &self.ledger.surveys;
        let is_survey = surveys.contains(edge.action.id());
        let is_press = is_survey || self.ledger.signals(edge.action.id());
        let selects = edge.action.point().is_some() || (self.modes.selects(edge.action.id()) && !is_press);
        if is_lost || selects || edge.advances.iter().any(|it| it.by != (0, 0)) {
            return None;
        }
        if self.ledger.commits.contains(edge.action.id()) {
            let interest = self.ledger.commits.interest(edge.action.id(), edge.advances, self.things)?;
            return Some((interest, Target::Commit(edge.action)));
        }
        let around = self.things.around(edge.advances, edge.node.facing);
        if self.doubts_arrows && self.is_arrow(edge.action) && around.first().is_none() {
            return None;
        }
        let later = if is_survey { SURVEYS } else { 0.0 };
        let at_things = self.ledger.curiosity(edge.action.id(), &around).map(|it| it + later);
        let survey = surveys.interest(edge.action.id(), edge.advances, &edge.node.state.frame);
        let elsewhere = self.ledger.elsewhere(edge.action.id(), edge.advances);
        let interest = at_things.into_iter().chain(survey).chain(elsewhere).min_by(f32::total_cmp)?;
        Some((interest, Target::Press(edge.action, around.first())))
    }
}

impl Judge for Curiosity<'_> {
    type Target = Target;

    fn actions(&self, node: &Node) -> Vec<Action> {
        let clicks = self.aims.iter().filter(|_| node.depth == 0).map(|(aim, _)| Action::Click(aim.at));
        self.keys.iter().copied().chain(clicks).collect()
    }

    fn judge(&mut self, edge: &Edge<'_>) -> Judgement<Target> {
        let touch = || Rc::new(self.things.touched(edge.advances, |color| self.ledger.stops(color)));
        let touched = self.touched.get(edge.advances, touch);
        let is_peril = || self.ledger.perils.is_deadly(&edge.node.state.frame, edge.mask, edge.advances);
        let is_next = self.has_turn(&touched, Turn::Next) || self.hunts(edge).is_some();
        let is_later = self.has_turn(&touched, Turn::Later);
        let deadly = !is_next && (self.ledger.is_deadly_touch(&touched) || is_peril()) || self.is_strict && is_later;
        let failed = self.failed.contains(&(edge.node.key, edge.action));
        let is_known = edge.prediction.source == Source::Memory;
        if edge.prediction.outcome == Outcome::Lost || deadly || (failed && !is_known) {
            return Judgement { target: None, walk: false, filling: None };
        }
        let leads_on = edge.prediction.outcome == Outcome::Continues && !self.ledger.uses.puts_back(edge.action.id());
        let walk = leads_on && self.footing.holds(edge.prediction.confidence);
        let filling = self.ledger.fillings.first(&touched.things);
        Judgement { target: self.target(edge, &touched), walk, filling }
    }

    fn is_good(&self, base: f32) -> bool {
        base < GOOD
    }

    fn hope(&self) -> f32 {
        self.hope.map_or(f32::INFINITY, |(_, score)| score)
    }

    fn gap(&self, edge: &Edge<'_>) -> u16 {
        let Some((thing, _)) = self.hope else { return u16::MAX };
        let ends = edge.advances.iter().flat_map(|it| it.from.iter().map(|at| ends(*at, it.by)));
        ends.map(|(x, y)| x.abs_diff(thing.at.x().into()) + y.abs_diff(thing.at.y().into())).min().unwrap_or(u16::MAX)
    }
}

/// How much later a thing comes for what it looks like and where it lies, in actions.
fn looks(things: &Things, (ledger, comparison): (&Ledger, &Comparison), (thing, it): (Thing, &Component)) -> f32 {
    let large = if it.area > LARGE { LARGE_COST } else { 0.0 };
    let speck = match things.is_speck(it) {
        false => 0.0,
        true if ledger.counts.tells(thing.kind.color) => GAUGE_COST,
        true => SPECK_COST,
    };
    let drawn = comparison.is_alike(thing.at).map_or(0.0, |alike| if alike { SHOWN } else { NOT_SHOWN });
    let seen = if things.is_room(thing) && ledger.is_touched(thing) { ROOM } else { 0.0 };
    drawn + seen + large + speck
}

/// Where a cell of a piece that moves gets to.
fn ends(at: Point, by: (i16, i16)) -> (i16, i16) {
    (i16::from(at.x()) + by.0, i16::from(at.y()) + by.1)
}

/// The keys worth planning with. Undo is left to exploration, which knows when it is exact. The order is that of the
/// first probes: right, down, left, up (measured: the first that moves something shows all four).
pub(super) fn keys(actions: ActionSet) -> Vec<Action> {
    let order = [Key::Key4, Key::Key2, Key::Key3, Key::Key1, Key::Key5];
    order.into_iter().map(Action::Key).filter(|action| actions.contains(action.id())).collect()
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Solve => f.write_str("solve the level"),
            Target::Arrange(name) => write!(f, "{name}"),
            Target::Touch(thing) => write!(f, "touch the {} at {}", thing.kind.color, thing.at),
            Target::Bring(errand) => write!(f, "bring something onto {errand}"),
            Target::Enter(kind) => write!(f, "enter {} ground", kind.color),
            Target::Press(action, None) => write!(f, "try {action}"),
            Target::Press(action, Some(thing)) => write!(f, "try {action} at the {} at {}", thing.kind.color, thing.at),
            Target::Commit(action) => write!(f, "try {action} in this arrangement"),
            Target::Look(action) => write!(f, "go where {action} may show more"),
            Target::Frontier => f.write_str("go where nobody was"),
        }
    }
}
