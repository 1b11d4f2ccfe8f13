//! What a play was, step by step and as maps of tiles, as training and adaptation draw from it.

use std::ops::Range;

use candle_core::{Device, Result};
use env_client::{Action, Color, Grid};

use super::{
    NetConfig,
    batch::{Batch, Moment, pieces},
    head::Truth,
    objects::Pieces,
};
use crate::{Outcome, Transition, perception::Tiles};

/// The steps of a play, gaps and new levels included.
#[derive(Clone, Debug)]
pub(super) struct Story {
    side: usize,
    components: usize,
    tiles: Tiles,
    steps: Vec<Lived>,
    /// Whether the next step belongs to the same attempt as the last one.
    goes_on: bool,
    /// The first step that was read on the tiles that lie now.
    since: usize,
}

/// One step.
#[derive(Clone, Debug)]
pub(super) struct Lived {
    frame: Grid,
    action: Action,
    after: Option<Grid>,
    outcome: Outcome,
    /// Whether an attempt at a level begins with it.
    start: bool,
    pieces: Pieces,
}

impl Story {
    /// A play of which nothing was seen, for nets with a canvas of `side` and slots for `components`.
    pub(super) fn new(side: usize, components: usize) -> Story {
        Story { side, components, tiles: Tiles::new(side), steps: Vec::new(), goes_on: false, since: 0 }
    }

    /// A level begins with this frame.
    pub(super) fn level(&mut self, frame: &Grid) {
        if self.tiles.begin(frame) {
            self.since = self.steps.len();
        }
        self.begin();
    }

    /// The next step begins an attempt.
    pub(super) fn begin(&mut self) {
        self.goes_on = false;
    }

    /// One more step. Frames that the canvas cannot hold are passed over.
    pub(super) fn push(&mut self, transition: &Transition<'_>) {
        std::iter::once(transition.before).chain(transition.after()).for_each(|frame| self.tiles.meet(frame));
        let frame = self.tiles.read(transition.before);
        if !fits(&frame, self.side) {
            return self.begin();
        }
        let pieces = self.pieces(&frame);
        let after = transition.after().map(|after| self.tiles.read(after)).filter(|after| fits(after, self.side));
        let action = self.tiles.aim(transition.action, &frame);
        let (outcome, start) = (transition.outcome, !self.goes_on);
        self.goes_on = after.is_some();
        self.steps.push(Lived { frame, action, after, outcome, start, pieces });
    }

    /// Where the tiles of the play lie.
    pub(super) fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// The slots of a frame that would come next.
    pub(super) fn pieces(&self, frame: &Grid) -> Pieces {
        let before = self.last().map(|last| (&last.frame, &last.pieces));
        pieces(frame, before, self.side, self.components)
    }

    /// The last step, if the attempt at the level still goes on.
    pub(super) fn last(&self) -> Option<&Lived> {
        self.steps.last().filter(|_| self.goes_on)
    }

    /// How many steps there are.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// The steps that were read on the tiles that lie now. In the others the same numbers stand for other kinds.
    pub(super) fn current(&self) -> Range<usize> {
        self.since..self.steps.len()
    }

    /// A step that would come next, with the slots that [`Story::pieces`] gave its frame.
    pub(super) fn next<'a>(&'a self, frame: &'a Grid, action: Action, pieces: &'a Pieces) -> Moment<'a> {
        let last = self.last();
        let (before, previous) = (last.map(|last| &last.frame), last.map(|last| last.action));
        Moment { frame, before, action, previous, pieces }
    }

    /// Some consecutive steps, seen through a disguise.
    pub(super) fn window(&self, range: Range<usize>, disguise: &Disguise) -> Window {
        let before = range.start.checked_sub(1).map(|at| disguise.lived(&self.steps[at]));
        let steps = self.steps[range].iter().map(|lived| disguise.lived(lived)).collect();
        Window { before, steps }
    }
}

/// Whether a frame can stand on a canvas.
pub(super) fn fits(frame: &Grid, side: usize) -> bool {
    length(frame) <= side
}

/// Cells along the longer edge of a frame.
pub(super) fn length(frame: &Grid) -> usize {
    usize::from(frame.width().max(frame.height()))
}

/// Some consecutive steps of a play.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// The step before the first.
    before: Option<Lived>,
    steps: Vec<Lived>,
}

impl Window {
    /// The steps as a net reads them.
    pub(super) fn moments(&self) -> impl Iterator<Item = Moment<'_>> {
        let earlier = std::iter::once(self.before.as_ref()).chain(self.steps.iter().map(Some));
        earlier.zip(&self.steps).map(|(earlier, lived)| {
            let earlier = earlier.filter(|_| !lived.start);
            let (before, previous) = (earlier.map(|before| &before.frame), earlier.map(|before| before.action));
            Moment { frame: &lived.frame, before, action: lived.action, previous, pieces: &lived.pieces }
        })
    }

    /// What came of the steps.
    pub(super) fn truths(&self) -> impl Iterator<Item = Truth<'_>> {
        self.steps.iter().map(|lived| Truth {
            before: &lived.frame,
            after: lived.after.as_ref(),
            outcome: lived.outcome,
        })
    }

    /// Steps in it.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// One of its steps by itself.
    pub(super) fn only(&self, step: usize) -> Window {
        let before = if step == 0 { self.before.clone() } else { self.steps.get(step - 1).cloned() };
        Window { before, steps: vec![self.steps[step].clone()] }
    }

    /// Whether no attempt at a level begins at that step or after it, so that each frame comes of the one before.
    pub(super) fn runs(&self, from: usize) -> bool {
        self.steps[from..].iter().all(|lived| !lived.start)
    }

    /// What a step was taken on becomes what was foretold of it; what was to come of it stays.
    pub(super) fn imagine(&mut self, step: usize, frame: Grid, side: usize) {
        let components = self.steps[step].pieces.len();
        let before = step.checked_sub(1).map(|at| (&self.steps[at].frame, &self.steps[at].pieces));
        let pieces = pieces(&frame, before, side, components);
        (self.steps[step].frame, self.steps[step].pieces) = (frame, pieces);
    }
}

/// All windows of one length as a batch.
pub(super) fn batch(windows: &[Window], net: &NetConfig) -> Result<Batch> {
    let moments: Vec<Moment<'_>> = windows.iter().flat_map(Window::moments).collect();
    let longest = moments.iter().map(|moment| length(moment.frame)).max().unwrap_or(1);
    Batch::new(&moments, windows.first().map_or(1, Window::len), net.canvas(longest), &Device::Cpu)
}

/// Colours and keys exchanged for others, the same way throughout a window.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Disguise {
    /// For each colour another.
    pub(super) colors: [Color; Color::COUNT],
    /// For each action number another; the click, which has a point, and none stay.
    pub(super) actions: [u8; 8],
}

impl Disguise {
    /// Everything as it is.
    pub(super) const NONE: Disguise = Disguise { colors: Color::ALL, actions: [0, 1, 2, 3, 4, 5, 6, 7] };

    fn lived(&self, lived: &Lived) -> Lived {
        if *self == Disguise::NONE {
            return lived.clone();
        }
        Lived {
            frame: self.grid(&lived.frame),
            action: self.action(lived.action),
            after: lived.after.as_ref().map(|after| self.grid(after)),
            ..lived.clone()
        }
    }

    fn grid(&self, grid: &Grid) -> Grid {
        let mut grid = grid.clone();
        for cell in grid.cells_mut() {
            *cell = self.colors[cell.index()];
        }
        grid
    }

    fn action(&self, action: Action) -> Action {
        let number = self.actions[usize::from(action.id().number())];
        let key = env_client::ActionId::try_from(u64::from(number)).ok().and_then(env_client::Key::from_id);
        match (action, key) {
            (Action::Key(_), Some(key)) => Action::Key(key),
            _ => action,
        }
    }
}
