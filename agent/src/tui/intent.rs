//! What a person can ask for.

use env_client::Point;

/// Whether to look at later or at earlier steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Later.
    Forward,
    /// Earlier.
    Back,
}

/// What a person asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Intent {
    /// Leave.
    Quit,
    /// Play or pause.
    TogglePlay,
    /// So many steps on, or back.
    Step(i64),
    /// The next or previous layer of the animation.
    Layer(Direction),
    /// Play the animation of this step.
    Animate,
    /// The next or previous step that solved a level.
    LevelUp(Direction),
    /// A step by its number; beyond the end, the last one.
    Seek(usize),
    /// The last step, and those to come.
    End,
    /// Play faster or slower.
    Speed(Direction),
    /// Show or hide the keys.
    Help,
    /// Show or hide what the agent sees and plans.
    Overlays,
    /// Make what changed stand out, or not.
    Changes,
    /// Show all of the grid or every cell of it.
    Zoom,
    /// Move over a grid that is cut off.
    Scroll(i8, i8),
    /// Begin to ask for a step or a text.
    Ask(Ask),
    /// Type into the question.
    Type(char),
    /// Take back the last letter.
    Erase,
    /// The question is complete.
    Enter,
    /// Never mind.
    Escape,
    /// Search on.
    SearchOn(Direction),
    /// Point at a cell.
    Hover(Option<Point>),
}

/// What can be asked for by typing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// The number of a step.
    Step,
    /// A text in the reasoning.
    Text,
}
