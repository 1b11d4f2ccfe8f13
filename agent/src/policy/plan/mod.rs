//! The planner: understand a game, want something, do it in few actions.
//!
//! # Layout
//! - [`Plan`] (here): a world model, what was tried, the plan under way, and [`Explore`] for when there is none.
//! - [`learn`] takes in what happened, as [`reading`] read it; [`losses`]: that a level was lost or put back;
//!   [`arrival`]: whether the plan still holds; [`decide`] follows it, makes one, or explores; [`explain`] says what should come
//!   of it.
//! - [`search`]: breadth-first through the model to whatever a judge wants most; [`curiosity`]: the judge.
//!   [`effort`]: how much all searches of one decision may ask of the model; [`remembered`]: what is worked out once a search.
//! - [`arrange`]: arrangements of pieces a level may want, [`names`]: what tells them apart; [`arranging`]: a way to one, by [`reach`]: best-first search,
//!   or by [`troupe`]: for pieces that obey the same actions, where each gets alone;
//!   [`moved`]: which pieces were moved, of several parts or of one; [`slots`]: where pieces may belong; [`pairs`]: pieces and their slots, [`casting`]: those of pieces that obey, [`fitting`]: of one alone; [`drawn`]: tiles that are to look like a drawing; [`picture`]: a piece found again by its
//!   looks.
//!   [`sweeps`]: what pieces sweep as they walk, of which nothing may be to be left, [`litter`].
//!   [`halts`]: slots that may keep what flies over them; [`retreat`]: beginning a level again where only that leads on.
//!   [`likeness`]: drawings that are meant to become alike; [`alteration`]: what is done to them.
//!   [`imagine`]: what the level may look like when it is solved, where a net was named that can say so.
//!   [`hunch`]: which of equal experiments should change something, by a net that was named for it.
//! - [`ledger`]: what touching has led to ([`records`]), [`presses`] pressing, [`commits`] playing out, [`surveys`] bringing to light;
//!   [`uses`]: what each action was seen to do;
//!   [`errands`] bringing one thing onto another; [`gather`]: what was taken, and the last of its kind; [`arrivals`]: what came up since a level began; [`things`]: what can be touched, its cells as a [`point_set`]; [`luggage`]: what pieces carry,
//!   [`dyes`] the colours they take on, [`hands`] what gauges say is held, [`counts`] what they count.
//!   [`perils`]: where it was lost; [`strikers`]: what killed from where it stood.
//!   [`footing`]: what predictions are ground to walk on. [`sequence`]: the order of touches that a drawing tells.
//!   [`fuel`]: how far the budget that a bar shows reaches; [`refuel`]: filling it in time. [`switches`]: clicks that open a way, [`aims`] that are answered from near.
//!   [`signals`]: gauges that answer where nothing else does.
//!   [`modes`]: what may have selected a piece, and the arrow that tells.
//! - [`parts`]: the planner with a part of it left out; [`simulator`]: with the game itself in place of the model.
//! - [`skill`]: ways to understand a game beside the search; [`probe`]: what clicks do, [`icons`] to parts of one drawing;
//!   [`cells`]: boards of cells; [`pointing`]: a cursor that plays what clicks play; [`carousel`]: buttons that turn tracks; [`pours`]: buttons that pour; [`align`]: buttons
//!   that shift things level with their marks; [`shuffle`]: what changes places, as drawn beside, or
//!   [`mirrored`]; [`trades`]: the same of things that stand anywhere; [`leaps`]: moves by two clicks that rewrite what stands in a line;
//!   [`tangram`]: pieces that clicks pick and keys move and turn until they fill what is drawn;
//!   [`cards`]: what clicks turn over, unlike ones back; [`toggles`]: buttons that flip cells elsewhere;
//!   [`dials`]: what clicks turn until all lamps are on; [`strokes`]: clicks in a row;
//!   [`inlay`]: pieces that clicks lay on marked tiles; [`chessmen`]: men that clicks pick and keys move, each kind by its own gait;
//!   [`pipes`]: tiles that a click turns, until the ways on them meet; [`ghosts`]: what does again what was done;
//!   [`fills`]: clicks that fill a region; [`floods`]: those that flood one elsewhere, which grows; [`finds`]: clicks on what keys brought to light; [`tune`]: clicks in the order in which
//!   things were shown;
//!   [`paint`]: a brush that keys move, and a picture of what to paint; [`stamps`]: a cursor that keys move, stamps that
//!   clicks choose, and a card of what to print;
//!   [`encore`]: what solved a level, again where one begins alike; [`lock`]: keys that say what a click turns over;
//!   [`placing`]: two clicks, one that takes something up and one that says where it goes; [`levers`]: buttons that shift the
//!   world step by step; [`wholes`]: parts that are one button; [`trials`]: clicks and keys that let something run, and those that set
//!   what it passes; [`convoy`]: what keys move, followed by others; [`tumble`]: a piece that takes another form with every step; [`tilt`]: boards that a key tilts, all tiles of which slide; [`park`]: blocks that clicks pick and keys
//!   move along their axes; [`catch`]: things that fall, and to be below them; [`shortest`]: rows of clicks in such models;
//!   [`quest`]: what became of plans made in them.
//!
//! # The one decision
//! Goals and experiments are both steps worth taking, with a score in actions, and one search ranks them all. What is
//! not known is a target and never a bridge: no path leads through it. The price is that nothing is planned beyond the
//! first thing to be learned.

mod aims;
mod align;
mod alteration;
mod arrange;
mod arranging;
mod arrival;
mod arrivals;
mod cards;
mod carousel;
mod casting;
mod catch;
mod cells;
mod chessmen;
mod commits;
mod convoy;
mod counts;
mod curiosity;
mod decide;
mod dials;
mod drawn;
mod dyes;
mod effort;
mod encore;
mod errands;
mod explain;
mod fills;
mod finds;
mod fitting;
mod floods;
mod footing;
mod fuel;
mod gather;
mod ghosts;
mod guarded;
mod halts;
mod hands;
mod hunch;
mod icons;
mod imagine;
mod inlay;
mod leaps;
mod learn;
mod ledger;
mod levers;
mod likeness;
mod litter;
mod lock;
mod losses;
mod luggage;
mod mirrored;
mod modes;
mod moved;
mod names;
mod paint;
mod pairs;
mod park;
mod parts;
mod perils;
mod picture;
mod pipes;
mod placing;
mod point_set;
mod pointing;
mod pours;
mod presses;
mod probe;
mod quest;
mod reach;
mod reading;
mod records;
mod refuel;
mod remembered;
mod retreat;
mod search;
mod sequence;
mod shortest;
mod shuffle;
mod signals;
mod simulator;
mod skill;
mod slots;
mod stacks;
mod stamps;
mod strikers;
mod strokes;
mod surveys;
mod sweeps;
mod switches;
mod tangram;
mod things;
mod tilt;
mod toggles;
mod trades;
mod trials;
mod troupe;
mod tumble;
mod tune;
mod uses;
mod wholes;

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet, VecDeque},
    fmt,
};

use env_client::{Action, ActionSet, Command, Grid, Observation};
use world_model::{InterfaceDetector, Joint, Rules, Start, State, WorldModel};

use self::{
    aims::Aims,
    align::Align,
    arrange::{Arrangement, Arrangements},
    cards::Recall,
    carousel::Carousel,
    catch::Catch,
    cells::Board,
    chessmen::Men,
    convoy::Convoy,
    curiosity::Target,
    dials::Dialing,
    effort::Effort,
    encore::Encore,
    fills::Fills,
    finds::Finds,
    floods::Flooding,
    footing::Footing,
    ghosts::Ghosts,
    hunch::Hunches,
    imagine::Imagery,
    inlay::Inlay,
    leaps::Leaping,
    ledger::Ledger,
    levers::Levers,
    likeness::Likeness,
    lock::Lock,
    luggage::Luggage,
    modes::Modes,
    paint::Paint,
    park::Park,
    pipes::Turning,
    placing::Placing,
    pointing::Pointing,
    pours::Pours,
    probe::Probe,
    retreat::Retreats,
    search::{NodeKey, Step},
    shuffle::Shuffle,
    signals::Signals,
    skill::{Skill, Skills},
    stacks::Sorting,
    stamps::Stamps,
    strokes::Strokes,
    switches::Switches,
    tangram::Tangram,
    things::{Facing, Under},
    tilt::Tilt,
    toggles::Toggling,
    trades::Trading,
    trials::Trials,
    tumble::Tumble,
    tune::Tune,
};
pub use self::{
    imagine::{Imagination, Solving, TooLarge},
    parts::Part,
    simulator::Told,
};
pub(super) use self::{parts::plan_without, simulator::plan_simulator};
use super::{Decision, Explore, Forecast, Nets, Outcome, Policy, explore::Lives};

/// Plans in a world model.
pub struct Plan<M = Joint> {
    model: M,
    detector: InterfaceDetector,
    ledger: Ledger,
    arrangements: Arrangements,
    likeness: Likeness,
    imagery: Imagery,
    /// What a net expects, where one was named.
    hunches: Option<Hunches>,
    modes: Modes,
    signals: Signals,
    switches: Switches,
    aims: Aims,
    skills: Skills,
    explore: Explore,
    lives: Lives<(NodeKey, Action)>,
    /// The frame in which the level began, and those that one action led to from there.
    first: Option<Grid>,
    beside: Vec<Grid>,
    /// The most cells that each action changed in this level without putting everything back; only looked up.
    strides: HashMap<Action, usize>,
    /// The things that pieces stand on, and where they last meant to go.
    under: Under,
    facing: Facing,
    /// What pieces carry.
    luggage: Luggage,
    /// Places the play was in during this level; only looked up.
    visited: HashSet<NodeKey>,
    /// Steps that did not do what was expected of them; only looked up.
    failed: HashSet<(NodeKey, Action)>,
    /// How often plans took a step; only looked up.
    taken: HashMap<(NodeKey, Action), u32>,
    /// The rest of the plan under way, and what for.
    steps: VecDeque<Step>,
    target: Option<Target>,
    /// What the search thought of it, in actions; lower is better.
    score: f32,
    /// Whether a bar said what a step costs when the plan was made.
    knows_fuel: bool,
    /// What the budget was filled for in this life.
    provided: Vec<Target>,
    /// What the decision under way may still spend.
    effort: Effort,
    /// Whether pieces get where they should although the model is never right.
    footing: Footing,
    /// What should come of the last decision.
    foreseen: Option<Forecast>,
    /// Where the last step of the plan should have led.
    expected: Option<State>,
    /// What the plan under way is to bring about, if it is an arrangement.
    arranging: Option<Arrangement>,
    retreats: Retreats,
    /// Decisions left to exploration before the next thought, and how many it will be when that is in vain.
    rest: u32,
    patience: u32,
    /// Whether the newest observation may be older than the play.
    blind: bool,
    /// The part that is left out, if one is.
    without: Option<Part>,
}

impl Plan {
    /// A player that knows nothing but these nets; the draws of its exploration follow from `seed` alone.
    pub fn new(seed: u64, nets: &Nets) -> Plan {
        Plan::with_nets(Joint::new(Rules::hopeful()), seed, nets)
    }
}

impl<R: WorldModel> Plan<Joint<R>> {
    /// A player that plans in this model, and asks these nets.
    fn with_nets(model: Joint<R>, seed: u64, nets: &Nets) -> Plan<Joint<R>> {
        let Some(net) = nets.foresight(seed) else { return Plan::with_model(model, seed).imagining(nets) };
        Plan { hunches: Some(Hunches::default()), ..Plan::with_model(model.with_net(net), seed).imagining(nets) }
    }
}

impl<M: WorldModel> Plan<M> {
    /// A player that plans in this model.
    fn with_model(model: M, seed: u64) -> Plan<M> {
        Plan {
            model,
            detector: InterfaceDetector::new(),
            ledger: Ledger::default(),
            arrangements: Arrangements::default(),
            likeness: Likeness::default(),
            imagery: Imagery::default(),
            hunches: None,
            modes: Modes::default(),
            signals: Signals::default(),
            switches: Switches::default(),
            aims: Aims::default(),
            skills: Skills::new(skills()),
            explore: Explore::new(seed),
            lives: Lives::default(),
            first: None,
            beside: Vec::new(),
            strides: HashMap::new(),
            under: Under::default(),
            facing: Facing::default(),
            luggage: Luggage::default(),
            visited: HashSet::new(),
            failed: HashSet::new(),
            taken: HashMap::new(),
            steps: VecDeque::new(),
            target: None,
            score: f32::INFINITY,
            knows_fuel: false,
            provided: Vec::new(),
            effort: Effort::default(),
            footing: Footing::default(),
            foreseen: None,
            expected: None,
            arranging: None,
            retreats: Retreats::default(),
            rest: 0,
            patience: 1,
            blind: false,
            without: None,
        }
    }

    /// The same player, imagining how levels are solved if a net was named for it.
    fn imagining(self, nets: &Nets) -> Plan<M> {
        Plan { imagery: Imagery::new(nets.imagination.clone()), ..self }
    }

    /// What tells the state that the newest frame shows from others.
    fn key(&self, frame: &Grid) -> NodeKey {
        NodeKey::of(&self.model.state(frame), self.detector.mask())
    }

    /// What tells the place that the newest frame shows from others, whatever goes its own way there.
    fn place(&self, frame: &Grid) -> NodeKey {
        let (state, mask) = (self.model.state(frame), self.detector.mask());
        NodeKey::of(&state, mask).place(&self.model, &state, mask)
    }

    /// A frame without the pieces that go their own way: they come and go, whatever is done, and are nothing to touch.
    fn still<'a>(&self, frame: &'a Grid) -> Cow<'a, Grid> {
        let still = self.model.still(&self.model.state(frame));
        still.map_or(Cow::Borrowed(frame), Cow::Owned)
    }

    fn drop_plan(&mut self) {
        self.steps.clear();
        (self.target, self.expected, self.arranging) = (None, None, None);
        self.skills.drop();
    }
}

/// All skills, the more specific ones first.
fn skills() -> Vec<Box<dyn Skill>> {
    vec![
        Box::<Encore>::default(),
        Box::<Lock>::default(),
        Box::<Ghosts>::default(),
        Box::<Inlay>::default(),
        Box::<Turning>::default(),
        Box::<Board>::default(),
        Box::<Pointing>::default(),
        Box::<Carousel>::default(),
        Box::<Pours>::default(),
        Box::<Align>::default(),
        Box::<Shuffle>::default(),
        Box::<Dialing>::default(),
        Box::<Men>::default(),
        Box::<Park>::default(),
        Box::<Sorting>::default(),
        Box::<Trading>::default(),
        Box::<Tangram>::default(),
        Box::<Recall>::default(),
        Box::<Flooding>::default(),
        Box::<Toggling>::default(),
        Box::<Leaping>::default(),
        Box::<Stamps>::default(),
        Box::<Paint>::default(),
        Box::<Convoy>::default(),
        Box::<Tumble>::default(),
        Box::<Tilt>::default(),
        Box::<Catch>::default(),
        Box::<Trials>::default(),
        Box::<Placing>::default(),
        Box::<Levers>::default(),
        Box::<Strokes>::default(),
        Box::<Fills>::default(),
        Box::<Finds>::default(),
        Box::<Tune>::default(),
        Box::<Probe>::default(),
    ]
}

impl<M: WorldModel + Send> Policy for Plan<M> {
    fn name(&self) -> &'static str {
        self.without.map_or("plan", Part::policy)
    }

    fn decide(&mut self, now: &Observation, actions: ActionSet) -> Decision {
        self.effort = Effort::default();
        let frame = now.settled().filter(|_| !self.blind);
        let planned = frame.and_then(|frame| self.choose(frame, actions));
        let decision = planned.unwrap_or_else(|| self.fall_back(now, frame, actions));
        match frame {
            Some(frame) => self.explain(frame, decision),
            None => decision,
        }
    }

    fn observe(&mut self, before: Option<&Observation>, command: Command, outcome: Outcome<'_>) {
        self.explore.observe(before, command, outcome);
        let Outcome::Seen(after) = outcome else { return self.lose_track() };
        let blind = std::mem::take(&mut self.blind);
        match (before, command) {
            (Some(before), Command::Act(_)) if before.levels_completed == after.levels_completed && blind => {
                self.drop_plan();
            }
            (Some(before), Command::Act(action)) => self.acted(before, action, after),
            (Some(before), Command::Reset) if before.levels_completed == after.levels_completed => {
                self.begin(after, Start::Again);
            }
            _ => self.begin(after, Start::Level),
        }
    }

    fn defects(&self) -> u32 {
        self.skills.defects()
    }
}

impl<M> fmt::Debug for Plan<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan").field("target", &self.target).field("steps", &self.steps.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
