//! Who decides: one trait, and the policies that implement it.
//!
//! A policy is synchronous and pure: it sees observations, never a network, a file or a clock. The episode loop asks
//! it only when the play accepts actions, measures what a decision costs, and bills the actions.
//!
//! # Layout
//! - [`Random`]: the baseline.
//! - [`Explore`]: graph exploration, the fallback that understands nothing and still gets somewhere.
//! - [`Plan`]: the planner, in a model of the world that it learns. It sees no marks of clicks (`echo`), and no view that scrolls
//!   (`panorama`).
//! - [`Nets`]: trained nets that it may ask, if somebody names their checkpoints.
//! - [`World`]: the rules of a game themselves, for the planner that is never wrong about what comes next.
//! - [`Decision`]: what they decide, and what stands behind it.
//! - [`Kind`] and [`build`]: policies by name, for the command line and the results. Start here to add one.

mod decision;
mod echo;
mod explore;
mod nets;
mod panorama;
mod plan;
mod random;
mod sprites;
mod steady;
mod world;

use std::{fmt, str::FromStr};

use env_client::{ActionSet, Command, Observation};

use self::{echo::Unmarked, panorama::Panorama, steady::Steady};
pub use decision::{Decision, Forecast, Who};
pub use explore::Explore;
pub use nets::Nets;
pub use plan::{Imagination, Part, Plan, Solving, Told, TooLarge};
pub use random::Random;
pub use world::{Answer, World, Worlds};

/// What became of a command.
#[derive(Clone, Copy, Debug)]
pub enum Outcome<'a> {
    /// The environment answered.
    Seen(&'a Observation),
    /// The answer was lost after the request was sent: the command may or may not have been executed. Nothing may be
    /// learned from it, and the play is somewhere unknown until the next answer.
    Unknown,
}

/// Something that plays.
pub trait Policy: Send {
    /// Its name in results, recordings and on the command line.
    fn name(&self) -> &'static str;

    /// Chooses the next command. `now` is the newest observation; when the last outcome was [`Outcome::Unknown`] it is
    /// older than the play. `actions` is never empty.
    fn decide(&mut self, now: &Observation, actions: ActionSet) -> Decision;

    /// Learns what a command led to. Called for every command of the play, those of the episode loop (the first RESET
    /// and the one after a `GAME_OVER`) included; `before` is `None` for the first.
    fn observe(&mut self, before: Option<&Observation>, command: Command, outcome: Outcome<'_>);

    /// How often a part of it failed, by a defect, and it went on without: the play is told to have had them.
    fn defects(&self) -> u32 {
        0
    }
}

/// The policies there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// [`Random`]
    Random,
    /// [`Explore`]
    Explore,
    /// [`Plan`]
    Plan,
    /// The same without one of its parts.
    PlanWithout(Part),
    /// The same, but what an action leads to is told by the game itself.
    PlanSimulator(Told),
}

impl Kind {
    /// Every policy, simplest first.
    pub const ALL: [Kind; 59] = [
        Kind::Random,
        Kind::Explore,
        Kind::Plan,
        Kind::PlanWithout(Part::Rules),
        Kind::PlanWithout(Part::Memory),
        Kind::PlanWithout(Part::Model),
        Kind::PlanWithout(Part::Arrangements),
        Kind::PlanWithout(Part::Selection),
        Kind::PlanWithout(Part::Skills),
        Kind::PlanWithout(Part::Encore),
        Kind::PlanWithout(Part::Lock),
        Kind::PlanWithout(Part::Ghosts),
        Kind::PlanWithout(Part::Inlay),
        Kind::PlanWithout(Part::Pipes),
        Kind::PlanWithout(Part::Board),
        Kind::PlanWithout(Part::Pointing),
        Kind::PlanWithout(Part::Carousel),
        Kind::PlanWithout(Part::Pours),
        Kind::PlanWithout(Part::Align),
        Kind::PlanWithout(Part::Shuffle),
        Kind::PlanWithout(Part::Dials),
        Kind::PlanWithout(Part::Men),
        Kind::PlanWithout(Part::Park),
        Kind::PlanWithout(Part::Stacks),
        Kind::PlanWithout(Part::Trades),
        Kind::PlanWithout(Part::Tangram),
        Kind::PlanWithout(Part::Leaps),
        Kind::PlanWithout(Part::Cards),
        Kind::PlanWithout(Part::Floods),
        Kind::PlanWithout(Part::Toggles),
        Kind::PlanWithout(Part::Tumble),
        Kind::PlanWithout(Part::Tilt),
        Kind::PlanWithout(Part::Catch),
        Kind::PlanWithout(Part::Order),
        Kind::PlanWithout(Part::Paint),
        Kind::PlanWithout(Part::Stamps),
        Kind::PlanWithout(Part::Trials),
        Kind::PlanWithout(Part::Placing),
        Kind::PlanWithout(Part::Levers),
        Kind::PlanWithout(Part::Strokes),
        Kind::PlanWithout(Part::Fills),
        Kind::PlanWithout(Part::Hands),
        Kind::PlanWithout(Part::Refuel),
        Kind::PlanWithout(Part::Finds),
        Kind::PlanWithout(Part::Tune),
        Kind::PlanWithout(Part::Convoy),
        Kind::PlanWithout(Part::Surveys),
        Kind::PlanWithout(Part::Signals),
        Kind::PlanWithout(Part::Switches),
        Kind::PlanWithout(Part::Together),
        Kind::PlanWithout(Part::Buttons),
        Kind::PlanWithout(Part::Strikers),
        Kind::PlanWithout(Part::Marks),
        Kind::PlanWithout(Part::Scrolling),
        Kind::PlanWithout(Part::CarryOver),
        Kind::PlanWithout(Part::Solver),
        Kind::PlanWithout(Part::Net),
        Kind::PlanSimulator(Told::AllButWins),
        Kind::PlanSimulator(Told::All),
    ];

    /// Its name on the command line and in results.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Random => "random",
            Kind::Explore => "explore",
            Kind::Plan => "plan",
            Kind::PlanWithout(part) => part.policy(),
            Kind::PlanSimulator(told) => told.policy(),
        }
    }
}

/// A new player of this kind, that may ask these nets, and plays in these worlds. Everything it draws follows from `seed`.
pub fn build(kind: Kind, seed: u64, nets: &Nets, worlds: &Worlds) -> Box<dyn Policy> {
    match kind {
        Kind::Random => Box::new(Random::new(seed)),
        Kind::Explore => Box::new(Explore::new(seed)),
        Kind::Plan => {
            let nets = nets.clone();
            wrapped(move || Plan::new(seed, &nets))
        }
        Kind::PlanWithout(part) => plan::plan_without(part, seed, nets),
        Kind::PlanSimulator(told) => plan::plan_simulator(told, seed, nets, worlds.clone()),
    }
}

/// A player that sees neither marks nor views that scroll, and of which a new one goes on where one fails.
fn wrapped<P: Policy + 'static>(afresh: impl Fn() -> P + Clone + Send + 'static) -> Box<dyn Policy> {
    Box::new(Unmarked::new(Steady::new(move || Panorama::new(afresh.clone()))))
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no policy has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no policy, expected one of: {names}", names = Kind::ALL.map(Kind::name).join(", "))]
pub struct KindError(pub String);

impl FromStr for Kind {
    type Err = KindError;

    fn from_str(text: &str) -> Result<Self, KindError> {
        Kind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| KindError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use env_client::{Grid, Status};

    use super::*;

    /// An observation of a play in progress that shows `picture`.
    pub(super) fn observation(picture: &str) -> Observation {
        Observation {
            game: "test".parse().unwrap(),
            play: "play".parse().unwrap(),
            layers: vec![picture.parse().unwrap()],
            status: Status::NotFinished,
            levels_completed: 0,
            win_levels: 3,
            available: ActionSet::ALL,
            full_reset: false,
        }
    }

    /// An observation of a play in progress.
    pub(super) fn with(frame: Grid, status: Status, levels_completed: u16, available: ActionSet) -> Observation {
        Observation { layers: vec![frame], status, levels_completed, available, ..observation("0") }
    }

    /// A player that asks no nets.
    pub(super) fn build(kind: Kind, seed: u64) -> Box<dyn Policy> {
        super::build(kind, seed, &Nets::default(), &Worlds::default())
    }

    #[test]
    fn every_kind_is_found_and_built_by_its_name() {
        for kind in Kind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
            assert_eq!(build(kind, 1).name(), kind.name());
        }
        let error = "greedy".parse::<Kind>().unwrap_err().to_string();
        assert!(
            error.starts_with("'greedy' is no policy, expected one of: random, explore, plan, plan-no-"),
            "{error}"
        );
    }
}
