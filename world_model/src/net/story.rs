//! What a play was, step by step and as maps of tiles, as training and adaptation draw from it.

use std::{ops::Range, sync::Arc};

use candle_core::{Device, Result};
use env_client::{Action, Color, Grid};

use super::{
    NetConfig,
    batch::{Batch, Moment, pieces},
    context::Context,
    head::Truth,
    objects::Pieces,
};
use crate::{
    Outcome, Transition,
    perception::{TileMap, Tiles},
};

/// The steps of a play, gaps and new levels included.
#[derive(Clone, Debug)]
pub(super) struct Story {
    side: usize,
    components: usize,
    tiles: Arc<Tiles>,
    /// What was seen so far on these tiles.
    context: Context,
    steps: Vec<Lived>,
    /// Whether the next step belongs to the same attempt as the last one.
    goes_on: bool,
    /// The first step that was read on the tiles that lie now.
    since: usize,
}

/// One step.
#[derive(Clone, Debug)]
pub(super) struct Lived {
    frame: TileMap,
    action: Action,
    after: Option<TileMap>,
    outcome: Outcome,
    /// Whether an attempt at a level begins with it.
    start: bool,
    pieces: Pieces,
    /// What was known before it.
    context: Context,
}

impl Story {
    /// A play of which nothing was seen, for nets with a canvas of `side` and slots for `components`.
    pub(super) fn new(side: usize, components: usize) -> Story {
        Story {
            side,
            components,
            tiles: Arc::new(Tiles::new(side)),
            context: Context::default(),
            steps: Vec::new(),
            goes_on: false,
            since: 0,
        }
    }

    /// A level begins with this frame.
    pub(super) fn level(&mut self, frame: &Grid) {
        if Arc::make_mut(&mut self.tiles).begin(frame) {
            self.since = self.steps.len();
            self.context = self.context.onward();
        }
        self.begin();
    }

    /// The next step begins an attempt.
    pub(super) fn begin(&mut self) {
        self.goes_on = false;
        self.context.begin();
    }

    /// One more step. Frames that the canvas cannot hold are passed over.
    pub(super) fn push(&mut self, transition: &Transition<'_>) {
        let tiles = Arc::make_mut(&mut self.tiles);
        std::iter::once(transition.before).chain(transition.after()).for_each(|frame| tiles.meet(frame));
        let frame = self.tiles.map(transition.before);
        if !fits(&frame, self.side) {
            return self.begin();
        }
        let pieces = self.pieces(&frame);
        let after = transition.after().map(|after| self.tiles.map(after)).filter(|after| fits(after, self.side));
        let action = self.tiles.aim(transition.action, &frame);
        let (outcome, start) = (transition.outcome, !self.goes_on);
        let context = self.context.clone();
        if let Some(after) = &after {
            let clicked = action.point().and_then(|at| frame.index(at.x().into(), at.y().into()));
            self.context.learn(&frame, (action.id().number(), clicked), after);
        }
        self.goes_on = after.is_some();
        self.steps.push(Lived { frame, action, after, outcome, start, pieces, context });
    }

    /// Where the tiles of the play lie.
    pub(super) fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// The slots of a frame that would come next.
    pub(super) fn pieces(&self, frame: &TileMap) -> Pieces {
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

    /// What is known on a frame that would come next.
    pub(super) fn context(&self, frame: &TileMap) -> Context {
        self.context.beyond(self.last().and_then(|last| last.after.as_ref()), frame)
    }

    /// A step that would come next, with what [`Story::pieces`] and [`Story::context`] say of its frame.
    pub(super) fn next<'a>(
        &'a self,
        (frame, tiles): (&'a TileMap, &'a Tiles),
        action: Action,
        pieces: &'a Pieces,
        context: &'a Context,
    ) -> Moment<'a> {
        let last = self.last();
        let (before, previous) = (last.map(|last| &last.frame), last.map(|last| last.action));
        Moment { frame, before, action, previous, pieces, context, tiles, disguise: &Disguise::NONE }
    }

    /// Some consecutive steps, seen through a disguise.
    pub(super) fn window(&self, range: Range<usize>, disguise: &Disguise) -> Window {
        let before = range.start.checked_sub(1).map(|at| self.steps[at].clone());
        let (steps, tiles) = (self.steps[range].to_vec(), Arc::clone(&self.tiles));
        Window { before, steps, tiles, disguise: disguise.clone() }
    }
}

/// Whether a frame can stand on a canvas.
pub(super) fn fits(frame: &TileMap, side: usize) -> bool {
    length(frame) <= side
}

/// Tiles along the longer edge of a frame.
pub(super) fn length(frame: &TileMap) -> usize {
    usize::from(frame.width().max(frame.height()))
}

/// Some consecutive steps of a play, seen through a disguise.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// The step before the first.
    before: Option<Lived>,
    steps: Vec<Lived>,
    tiles: Arc<Tiles>,
    disguise: Disguise,
}

impl Window {
    /// The steps as a net reads them.
    pub(super) fn moments(&self) -> impl Iterator<Item = Moment<'_>> {
        let earlier = std::iter::once(self.before.as_ref()).chain(self.steps.iter().map(Some));
        earlier.zip(&self.steps).map(|(earlier, lived)| {
            let earlier = earlier.filter(|_| !lived.start);
            let (before, previous) = (earlier.map(|before| &before.frame), earlier.map(|before| before.action));
            Moment {
                frame: &lived.frame,
                before,
                action: lived.action,
                previous,
                pieces: &lived.pieces,
                context: &lived.context,
                tiles: &self.tiles,
                disguise: &self.disguise,
            }
        })
    }

    /// What came of the steps.
    pub(super) fn truths(&self) -> impl Iterator<Item = Truth<'_>> {
        self.steps.iter().map(|lived| Truth {
            before: &lived.frame,
            after: lived.after.as_ref(),
            outcome: lived.outcome,
            disguise: &self.disguise,
        })
    }

    /// Steps in it.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// One of its steps by itself.
    pub(super) fn only(&self, step: usize) -> Window {
        let before = if step == 0 { self.before.clone() } else { self.steps.get(step - 1).cloned() };
        Window { before, steps: vec![self.steps[step].clone()], ..self.clone() }
    }

    /// Whether no attempt at a level begins at that step or after it, so that each frame comes of the one before.
    pub(super) fn runs(&self, from: usize) -> bool {
        self.steps[from..].iter().all(|lived| !lived.start)
    }

    /// What a step was taken on becomes what was foretold of it; what was to come of it stays.
    pub(super) fn imagine(&mut self, step: usize, frame: TileMap, side: usize) {
        let components = self.steps[step].pieces.len();
        let before = step.checked_sub(1).map(|at| &self.steps[at]);
        let pieces = pieces(&frame, before.map(|before| (&before.frame, &before.pieces)), side, components);
        let known = before.map_or(&self.steps[step].context, |before| &before.context);
        let context = known.beyond(before.map(|before| &before.frame), &frame);
        let lived = &mut self.steps[step];
        (lived.frame, lived.pieces, lived.context) = (frame, pieces, context);
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

    /// What stands for a kind; those beyond the sixteenth stand for themselves.
    pub(super) fn kind(&self, kind: u8) -> u8 {
        self.colors.get(usize::from(kind)).map_or(kind, |color| u8::from(*color))
    }

    /// The kind that a number stands for.
    pub(super) fn meant(&self, kind: u8) -> u8 {
        let found = self.colors.iter().position(|color| u8::from(*color) == kind);
        found.map_or(kind, |found| found as u8)
    }

    /// What stands for an action number.
    pub(super) fn action(&self, number: u8) -> u8 {
        self.actions[usize::from(number)]
    }
}
