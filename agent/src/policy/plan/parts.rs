//! The planner with a part of it left out, to see what the part is worth.

use env_client::{Action, ActionSet, Command, Grid, Observation};
use world_model::{Joint, Prediction, Rules, Source, Start, State, Transition, WorldModel};

use super::{Plan, skill::Skills, skills};
use crate::policy::{Decision, Nets, Outcome, Policy, echo::Unmarked, panorama::Panorama, steady::Steady, wrapped};

/// A part of the planner that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// What the model believes about how the game works. Without it, it only knows what it saw, and no pieces.
    Rules,
    /// What came of the same action in the same state. Without it, rules are taken at their word.
    Memory,
    /// All that the model foresees. Without it, nothing is expected ever to change, and there are no pieces.
    Model,
    /// The search for arrangements of pieces.
    Arrangements,
    /// The search for arrangements of several pieces that obey together.
    Together,
    /// Clicks that move pieces, as actions of their own.
    Buttons,
    /// What selects a piece: arrows that are pressed to see who was chosen, and clicks in plans.
    Selection,
    /// The skills beside the search.
    Skills,
    /// One of them: what solved a level, again where one begins alike.
    Encore,
    /// One of them: keys that say what a click turns over.
    Lock,
    /// One of them: ghosts that do again what was done.
    Ghosts,
    /// One of them: pieces that clicks lay on marked tiles.
    Inlay,
    /// One of them: tiles that a click turns until the ways on them meet.
    Pipes,
    /// One of them: boards of cells.
    Board,
    /// One of them: boards with a cursor.
    Pointing,
    /// One of them: buttons that turn closed tracks.
    Carousel,
    /// One of them: buttons that pour from vessel to vessel.
    Pours,
    /// One of them: buttons that shift things level with their marks.
    Align,
    /// One of them: contents that change places, and a drawing of how they should lie.
    Shuffle,
    /// One of them: dials that clicks turn until all are lit.
    Dials,
    /// One of them: men that clicks pick and keys move.
    Men,
    /// One of them: blocks that clicks pick and keys move along their axes.
    Park,
    /// One of the skills: tiles that clicks take from one stack and lay on another.
    Stacks,
    /// One of them: things that stand anywhere, and change places by two clicks.
    Trades,
    /// One of them: pieces that clicks pick and keys move and turn until they fill what is drawn.
    Tangram,
    /// One of them: moves by two clicks that rewrite what stands in a line.
    Leaps,
    /// One of them: cards that lie face down.
    Cards,
    /// One of them: buttons that flip cells elsewhere.
    Toggles,
    /// One of them: what is poured out elsewhere floods a region, which grows.
    Floods,
    /// One of them: a piece that takes another form with every step.
    Tumble,
    /// One of them: boards that a key tilts.
    Tilt,
    /// One of them: things that fall, and to be below them.
    Catch,
    /// The order of touches that a drawing tells.
    Order,
    /// One of them: a brush that keys move, and a picture of what to paint.
    Paint,
    /// One of them: stamps that clicks choose and keys print, and a card of what to print.
    Stamps,
    /// One of them: clicks that let something run, and those that set what it passes.
    Trials,
    /// One of them: two clicks, one to take something up and one to say where it goes.
    Placing,
    /// One of them: buttons that shift the world step by step.
    Levers,
    /// One of them: clicks in a row.
    Strokes,
    /// One of them: clicks that fill a region.
    Fills,
    /// What gauges say is held, and who may want it.
    Hands,
    /// Filling the budget in time.
    Refuel,
    /// One of the skills: clicks on what came to light.
    Finds,
    /// One of them: clicks in the order in which things were shown.
    Tune,
    /// One of the skills: a leader that others follow.
    Convoy,
    /// Walks to where pressing has not yet brought hidden things to light.
    Surveys,
    /// Gauges that answer a press where nothing else does.
    Signals,
    /// Clicks that open a way, in plans of keys.
    Switches,
    /// What kills from where it stands, told from the animation of a loss.
    Strikers,
    /// What tells the mark that a click leaves from its answer.
    Marks,
    /// The whole world in place of a view that scrolls.
    Scrolling,
    /// What the ARC solver imagines; only there where its checkpoint was named.
    Solver,
    /// What a net foresees; only there where its checkpoint was named.
    Net,
    /// What earlier levels taught: everything, the model included. Without it, each level has a new player.
    CarryOver,
}

impl Part {
    /// The name of the planner without it.
    pub(in crate::policy) const fn policy(self) -> &'static str {
        match self {
            Part::Rules => "plan-no-rules",
            Part::Memory => "plan-no-memory",
            Part::Model => "plan-no-model",
            Part::Arrangements => "plan-no-arrangements",
            Part::Together => "plan-no-together",
            Part::Buttons => "plan-no-buttons",
            Part::Selection => "plan-no-selection",
            Part::Skills => "plan-no-skills",
            Part::Encore => "plan-no-encore",
            Part::Lock => "plan-no-lock",
            Part::Ghosts => "plan-no-ghosts",
            Part::Inlay => "plan-no-inlay",
            Part::Pipes => "plan-no-pipes",
            Part::Board => "plan-no-board",
            Part::Pointing => "plan-no-pointing",
            Part::Carousel => "plan-no-carousel",
            Part::Pours => "plan-no-pours",
            Part::Align => "plan-no-align",
            Part::Shuffle => "plan-no-shuffle",
            Part::Dials => "plan-no-dials",
            Part::Men => "plan-no-men",
            Part::Park => "plan-no-park",
            Part::Stacks => "plan-no-stacks",
            Part::Trades => "plan-no-trades",
            Part::Tangram => "plan-no-tangram",
            Part::Leaps => "plan-no-leaps",
            Part::Cards => "plan-no-cards",
            Part::Floods => "plan-no-floods",
            Part::Toggles => "plan-no-toggles",
            Part::Tumble => "plan-no-tumble",
            Part::Tilt => "plan-no-tilt",
            Part::Catch => "plan-no-catch",
            Part::Order => "plan-no-order",
            Part::Paint => "plan-no-paint",
            Part::Stamps => "plan-no-stamps",
            Part::Trials => "plan-no-trials",
            Part::Placing => "plan-no-placing",
            Part::Levers => "plan-no-levers",
            Part::Strokes => "plan-no-strokes",
            Part::Fills => "plan-no-fills",
            Part::Hands => "plan-no-hands",
            Part::Refuel => "plan-no-refuel",
            Part::Finds => "plan-no-finds",
            Part::Tune => "plan-no-tune",
            Part::Convoy => "plan-no-convoy",
            Part::Surveys => "plan-no-surveys",
            Part::Signals => "plan-no-signals",
            Part::Switches => "plan-no-switches",
            Part::Strikers => "plan-no-strikers",
            Part::Marks => "plan-no-marks",
            Part::Scrolling => "plan-no-scrolling",
            Part::Solver => "plan-no-solver",
            Part::Net => "plan-no-net",
            Part::CarryOver => "plan-no-carry-over",
        }
    }

    /// The skill that it is, by its name in decisions, if it is one of them.
    const fn skill(self) -> Option<&'static str> {
        match self {
            Part::Encore => Some("encore"),
            Part::Lock => Some("lock"),
            Part::Ghosts => Some("ghosts"),
            Part::Inlay => Some("inlay"),
            Part::Pipes => Some("pipes"),
            Part::Board => Some("board"),
            Part::Pointing => Some("pointing"),
            Part::Carousel => Some("carousel"),
            Part::Pours => Some("pours"),
            Part::Align => Some("align"),
            Part::Shuffle => Some("shuffle"),
            Part::Dials => Some("dials"),
            Part::Men => Some("men"),
            Part::Park => Some("park"),
            Part::Stacks => Some("stacks"),
            Part::Trades => Some("trades"),
            Part::Tangram => Some("tangram"),
            Part::Leaps => Some("leaps"),
            Part::Cards => Some("cards"),
            Part::Floods => Some("floods"),
            Part::Toggles => Some("toggles"),
            Part::Tumble => Some("tumble"),
            Part::Tilt => Some("tilt"),
            Part::Convoy => Some("convoy"),
            Part::Finds => Some("finds"),
            Part::Tune => Some("tune"),
            Part::Catch => Some("catch"),
            Part::Paint => Some("paint"),
            Part::Stamps => Some("stamps"),
            Part::Trials => Some("trials"),
            Part::Placing => Some("placing"),
            Part::Levers => Some("levers"),
            Part::Strokes => Some("strokes"),
            Part::Fills => Some("fills"),
            _ => None,
        }
    }
}

/// A planner without this part.
pub(in crate::policy) fn plan_without(part: Part, seed: u64, nets: &Nets) -> Box<dyn Policy> {
    let nets = nets.clone().without(part);
    match part {
        Part::Rules => wrapped(move || Plan::with_nets(Joint::new(NoRules), seed, &nets).without(part)),
        Part::Memory => wrapped(move || Plan::with_model(Rules::hopeful(), seed).imagining(&nets).without(part)),
        Part::Buttons => {
            let rules = || Rules::hopeful().without_buttons();
            wrapped(move || Plan::with_nets(Joint::new(rules()), seed, &nets).without(part))
        }
        Part::Model => wrapped(move || Plan::with_model(CopyLast, seed).imagining(&nets).without(part)),
        Part::Marks => Box::new(Steady::new(move || {
            let nets = nets.clone();
            Panorama::new(move || Plan::new(seed, &nets).without(part))
        })),
        Part::Scrolling => Box::new(Unmarked::new(Steady::new(move || Plan::new(seed, &nets).without(part)))),
        Part::CarryOver => {
            wrapped(move || Forgetful { player: Plan::new(seed, &nets).without(part), seed, nets: nets.clone() })
        }
        _ => wrapped(move || Plan::new(seed, &nets).without(part)),
    }
}

impl<M: WorldModel> Plan<M> {
    fn without(mut self, part: Part) -> Plan<M> {
        self.without = Some(part);
        if part == Part::Skills {
            self.skills = Skills::default();
        }
        if let Some(left_out) = part.skill() {
            self.skills = Skills::new(skills().into_iter().filter(|it| it.name() != left_out).collect());
        }
        self
    }
}

/// Believes nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoRules;

impl WorldModel for NoRules {
    fn begin(&mut self, _frame: &Grid, _start: Start) {}

    fn observe(&mut self, _transition: &Transition<'_>) {}

    fn predict(&self, _state: &State, _action: Action) -> Prediction {
        Prediction::UNKNOWN
    }

    fn disagreement(&self, _state: &State, _action: Action) -> f32 {
        0.0
    }
}

/// Is sure that nothing ever changes: the floor for every model.
#[derive(Clone, Copy, Debug)]
struct CopyLast;

impl WorldModel for CopyLast {
    fn begin(&mut self, _frame: &Grid, _start: Start) {}

    fn observe(&mut self, _transition: &Transition<'_>) {}

    fn predict(&self, state: &State, _action: Action) -> Prediction {
        Prediction { next: Some(state.clone()), confidence: 1.0, source: Source::Rules, ..Prediction::UNKNOWN }
    }

    fn disagreement(&self, _state: &State, _action: Action) -> f32 {
        0.0
    }
}

/// Leaves each level to a new player.
#[derive(Debug)]
struct Forgetful {
    player: Plan,
    seed: u64,
    nets: Nets,
}

impl Policy for Forgetful {
    fn name(&self) -> &'static str {
        self.player.name()
    }

    fn decide(&mut self, now: &Observation, actions: ActionSet) -> Decision {
        self.player.decide(now, actions)
    }

    /// To the new player, the first frame of its level is that of a game.
    fn observe(&mut self, before: Option<&Observation>, command: Command, outcome: Outcome<'_>) {
        match (before, outcome) {
            (Some(before), Outcome::Seen(after)) if after.levels_completed > before.levels_completed => {
                self.player = Plan::new(self.seed, &self.nets).without(Part::CarryOver);
                self.player.observe(None, Command::Reset, outcome);
            }
            _ => self.player.observe(before, command, outcome),
        }
    }

    fn defects(&self) -> u32 {
        self.player.defects()
    }
}

#[cfg(test)]
mod tests {
    use env_client::{ActionId, Color, Key, Point};

    use super::*;
    use crate::policy::{
        Kind, Who,
        tests::{build, observation},
    };

    const DOWN: Command = Command::Act(Action::Key(Key::Key2));

    /// What a planner thinks will come of the key that moved a piece twice, on this level and the next.
    fn foreseen(kind: Kind) -> [bool; 2] {
        let walks = ["0000\n0500\n0000\n0000\n0000", "0000\n0000\n0500\n0000\n0000"].map(observation);
        let next = Observation { levels_completed: 1, ..walks[1].clone() };
        let mut policy = build(kind, 1);
        policy.observe(None, Command::Reset, Outcome::Seen(&walks[0]));
        policy.observe(Some(&walks[0]), DOWN, Outcome::Seen(&walks[1]));
        policy.observe(Some(&walks[1]), Command::Reset, Outcome::Seen(&walks[0]));
        let actions = ActionSet::of(&[ActionId::Action2]);
        let here = policy.decide(&walks[0], actions).forecast.is_some();
        policy.observe(Some(&walks[0]), DOWN, Outcome::Seen(&next));
        [here, policy.decide(&next, actions).forecast.is_some()]
    }

    #[test]
    fn what_was_seen_and_what_is_believed_can_be_left_out() {
        assert_eq!(foreseen(Kind::Plan), [true, true]);
        assert_eq!(foreseen(Kind::PlanWithout(Part::Rules)), [true, false], "a new level was never seen");
        assert_eq!(foreseen(Kind::PlanWithout(Part::CarryOver)), [true, false], "a new level has a new player");
    }

    #[test]
    fn without_a_model_nothing_is_foreseen_to_change_and_nothing_can_be_gone_for() {
        let (still, moved) = (observation("0000000\n0500000\n0000080"), observation("0000000\n0050000\n0000080"));
        let right = Action::Key(Key::Key4);
        let last = |kind| {
            let mut policy = build(kind, 1);
            policy.observe(None, Command::Reset, Outcome::Seen(&still));
            policy.observe(Some(&still), right.into(), Outcome::Seen(&moved));
            policy.decide(&moved, ActionSet::of(&[ActionId::Action4, ActionId::Action2]))
        };
        assert_eq!(last(Kind::Plan).goal.as_deref(), Some("touch the 8 at (5, 2)"));
        let blind = last(Kind::PlanWithout(Part::Model));
        assert_eq!(blind.goal.as_deref(), Some("try ACTION2"), "what moves nothing is pressed");
        assert_eq!(blind.forecast.map(|it| it.frame).as_ref(), moved.settled());
    }

    #[test]
    fn without_selection_no_arrow_is_pressed_to_see_who_was_chosen() {
        let click = Action::Click(Point::new(5, 1).unwrap());
        let frames = ["0000000\n0550990\n0000000", "0000000\n0550880\n0000000"].map(observation);
        let chosen = |part| {
            let new = Plan::new(1, &Nets::default());
            let mut plan = match part {
                Some(part) => new.without(part),
                None => new,
            };
            plan.observe(None, Command::Reset, Outcome::Seen(&frames[0]));
            plan.observe(Some(&frames[0]), click.into(), Outcome::Seen(&frames[1]));
            plan.modes.wants(ActionId::Action4)
        };
        assert_eq!([chosen(None), chosen(Some(Part::Selection))], [true, false]);
    }

    /// Where a planner clicks when each click leaves a dot where it was until the next one, and does nothing else.
    fn clicks(kind: Kind) -> Vec<Point> {
        let clean =
            observation("00000000000\n01110222030\n01110222000\n00000000040\n05550666000\n05550666078\n00000000000");
        let (mut now, mut policy, mut clicks) = (clean.clone(), build(kind, 1), Vec::new());
        policy.observe(None, Command::Reset, Outcome::Seen(&now));
        for _ in 0..16 {
            let command = policy.decide(&now, ActionSet::of(&[ActionId::Action6])).command;
            let Command::Act(Action::Click(at)) = command else { break };
            let mut after = clean.clone();
            after.layers[0].set(at, Color::of(14));
            policy.observe(Some(&now), command, Outcome::Seen(&after));
            (now, clicks) = (after, [clicks, vec![at]].concat());
        }
        clicks
    }

    #[test]
    fn without_the_filter_of_marks_every_click_has_an_answer() {
        assert_ne!(clicks(Kind::Plan), clicks(Kind::PlanWithout(Part::Marks)));
        assert_eq!(clicks(Kind::Plan), clicks(Kind::PlanWithout(Part::Rules)), "they have no part in it");
    }

    #[test]
    fn one_skill_can_be_left_out() {
        let skills = |part| format!("{:?}", Plan::new(1, &Nets::default()).without(part).skills);
        assert!(skills(Part::Arrangements).contains("Strokes"));
        assert!(skills(Part::Strokes).contains("Board") && !skills(Part::Strokes).contains("Strokes"));
        let all = skills(Part::Arrangements).len();
        let parts = Kind::ALL.into_iter().filter_map(|kind| match kind {
            Kind::PlanWithout(part) => part.skill().map(|_| part),
            _ => None,
        });
        assert!(parts.map(|part| skills(part).len()).all(|it| it < all), "each by its name");
    }

    #[test]
    fn without_skills_clicks_are_left_to_exploration() {
        let now = observation("00000\n05500\n05500\n00000\n00000");
        let who = |kind| {
            let mut policy = build(kind, 1);
            policy.observe(None, Command::Reset, Outcome::Seen(&now));
            policy.decide(&now, ActionSet::of(&[ActionId::Action6])).who
        };
        assert_eq!(who(Kind::Plan), Who::Skill("probe"));
        assert_eq!(who(Kind::PlanWithout(Part::Skills)), Who::Explore);
    }
}
