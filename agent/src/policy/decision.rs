//! A decision, and what stands behind it.

use std::fmt;

use env_client::{Command, Grid};

/// What to send, and what was thought.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// What to send. RESET is allowed at any time and billed like an action.
    pub command: Command,
    /// Who decided.
    pub who: Who,
    /// What for, in a few words, where anything in particular is wanted.
    pub goal: Option<String>,
    /// Why, in a sentence: goes into the API's `reasoning` field and the recording, and from there to the viewer.
    pub why: String,
    /// What should come of it.
    pub forecast: Option<Forecast>,
    /// States that were looked at for it, in vain or not; those that a step of an earlier plan cost are that plan's.
    pub looked_at: usize,
    /// How what was seen last differs from what was foreseen of it.
    pub surprise: Option<String>,
}

impl Decision {
    /// A decision of which only the reason is known.
    pub fn new(command: impl Into<Command>, who: Who, why: impl Into<String>) -> Decision {
        let (command, why) = (command.into(), why.into());
        Decision { command, who, goal: None, why, forecast: None, looked_at: 0, surprise: None }
    }

    /// The same, for the sake of this.
    #[must_use]
    pub fn with_goal(self, goal: impl Into<String>) -> Decision {
        Decision { goal: Some(goal.into()), ..self }
    }
}

/// What should come of a command.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// The settled frame that should be seen next.
    pub frame: Grid,
    /// How often such forecasts were right in every cell so far, from 0 to 1, where that is counted.
    pub confidence: Option<f32>,
}

/// Who decides: the parts among which a policy arbitrates, and those beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The episode loop, which sends RESET where nothing else is accepted.
    Loop,
    /// A person.
    Person,
    /// A draw.
    Chance,
    /// The graph exploration.
    Explore,
    /// The search for what would teach most, or win.
    Search,
    /// The search for a way to an arrangement of pieces.
    Arrange,
    /// The same for one that was imagined, or the skill that brings it about.
    Imagine,
    /// A skill of this name.
    Skill(&'static str),
}

impl Who {
    /// Its name in recordings.
    pub const fn name(self) -> &'static str {
        match self {
            Who::Loop => "loop",
            Who::Person => "person",
            Who::Chance => "chance",
            Who::Explore => "explore",
            Who::Search => "search",
            Who::Arrange => "arrange",
            Who::Imagine => "imagine",
            Who::Skill(name) => name,
        }
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
