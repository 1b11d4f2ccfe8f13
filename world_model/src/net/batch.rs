//! Steps of plays as the nets read them.

use std::sync::Arc;

use candle_core::{Device, Result, Tensor};
use env_client::{Action, Color, Grid, Point};

use super::{
    config::PATCH,
    objects::{self, Pieces},
};

/// What stands on the canvas beyond a frame.
pub(super) const OUTSIDE: usize = 4 * Color::COUNT;

/// What a cell can be: one of sixteen colours, just changed or not, clicked or not; or outside.
pub(super) const SYMBOLS: usize = OUTSIDE + 1;

/// Numbers of actions, with 0 for none.
pub(super) const ACTIONS: usize = 8;

/// What is known of an action beside its number: column, row and whether it has them, then the colour under it.
pub(super) const FACTS: usize = 3 + Color::COUNT;

/// What is known of a component beside how it looks: whether there is one, its rectangle, its size, whether it was clicked.
pub(super) const GEOMETRY: usize = 7;

/// One step of a play: an action on a frame.
#[derive(Clone, Debug)]
pub(super) struct Moment<'a> {
    /// The frame.
    pub(super) frame: &'a Grid,
    /// The frame before it, if it belongs to the same attempt at a level.
    pub(super) before: Option<&'a Grid>,
    /// What is done.
    pub(super) action: Action,
    /// What was done on the frame before.
    pub(super) previous: Option<Action>,
    /// The slots of the frame.
    pub(super) pieces: &'a Pieces,
}

/// Some sequences of steps, all of one length.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    /// Steps of each sequence.
    pub(super) steps: usize,
    /// Rows and columns of the canvas.
    pub(super) side: usize,
    /// A symbol a cell, [frames · side²].
    pub(super) symbols: Arc<[u8]>,
    /// The action's number, [frames].
    pub(super) actions: Vec<u32>,
    /// That of the action before, 0 for none, [frames].
    pub(super) previous: Vec<u32>,
    /// What else is known of the action, [frames, FACTS].
    pub(super) facts: Tensor,
    /// Where an attempt at a level begins, [frames].
    pub(super) starts: Arc<[bool]>,
    /// What the slots of components cover.
    pub(super) slots: Slots,
}

/// What the slots of components cover.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    /// 1 for the cells that belong to a slot, patch by patch, [frames, components, patches, 16].
    pub(super) masks: Tensor,
    /// [frames, components, GEOMETRY]
    pub(super) geometry: Tensor,
}

impl Batch {
    /// Lays out sequences of `steps` moments on a canvas.
    pub(super) fn new(moments: &[Moment<'_>], steps: usize, side: usize, device: &Device) -> Result<Batch> {
        let frames = moments.len();
        let facts: Vec<f32> = moments.iter().flat_map(facts).collect();
        Ok(Batch {
            steps,
            side,
            symbols: moments.iter().flat_map(|moment| symbols(moment, side)).collect(),
            actions: moments.iter().map(|moment| number(moment.action)).collect(),
            previous: moments.iter().map(|moment| moment.previous.map_or(0, number)).collect(),
            facts: Tensor::from_vec(facts, (frames, FACTS), device)?,
            starts: moments.iter().map(|moment| moment.before.is_none()).collect(),
            slots: Slots::new(moments, side, device)?,
        })
    }
}

fn number(action: Action) -> u32 {
    u32::from(action.id().number())
}

fn symbols(moment: &Moment<'_>, side: usize) -> Vec<u8> {
    let mut symbols = vec![OUTSIDE as u8; side * side];
    for point in moment.frame.points() {
        let color = moment.frame[point];
        let changed = moment.before.is_some_and(|before| before.get(point) != Some(color));
        let clicked = moment.action.point() == Some(point);
        symbols[cell(point, side)] = u8::from(color) + 16 * u8::from(changed) + 32 * u8::from(clicked);
    }
    symbols
}

/// Where a point stands on the canvas.
pub(super) fn cell(point: Point, side: usize) -> usize {
    usize::from(point.y()) * side + usize::from(point.x())
}

fn facts(moment: &Moment<'_>) -> [f32; FACTS] {
    let mut facts = [0.0; FACTS];
    if let Some(point) = moment.action.point() {
        let share = |at: u8| f32::from(at) / f32::from(env_client::SIDE - 1);
        [facts[0], facts[1], facts[2]] = [share(point.x()), share(point.y()), 1.0];
        if let Some(color) = moment.frame.get(point) {
            facts[3 + color.index()] = 1.0;
        }
    }
    facts
}

impl Slots {
    fn new(moments: &[Moment<'_>], side: usize, device: &Device) -> Result<Slots> {
        let components = moments.first().map_or(0, |moment| moment.pieces.len());
        let (frames, cells) = (moments.len(), side * side);
        let mut masks = vec![0f32; frames * components * cells];
        let mut geometry: Vec<f32> = Vec::with_capacity(frames * components * GEOMETRY);
        let slots = moments.iter().flat_map(|moment| moment.pieces.iter().map(move |piece| (moment, piece)));
        for (slot, (moment, piece)) in slots.enumerate() {
            let owned = piece.iter().flat_map(|piece| &piece.cells);
            owned.for_each(|at| masks[slot * cells + patched(usize::from(*at), side)] = 1.0);
            geometry.extend(piece.as_ref().map_or([0.0; GEOMETRY], |piece| shape(piece, moment, side)));
        }
        Ok(Slots {
            masks: Tensor::from_vec(masks, (frames, components, cells / (PATCH * PATCH), PATCH * PATCH), device)?,
            geometry: Tensor::from_vec(geometry, (frames, components, GEOMETRY), device)?,
        })
    }
}

/// Where a cell stands when cells are laid out patch by patch.
fn patched(cell: usize, side: usize) -> usize {
    let (row, column) = (cell / side, cell % side);
    let patch = row / PATCH * (side / PATCH) + column / PATCH;
    patch * PATCH * PATCH + row % PATCH * PATCH + column % PATCH
}

fn shape(piece: &objects::Piece, moment: &Moment<'_>, side: usize) -> [f32; GEOMETRY] {
    let share = |at: u8| f32::from(at) / side as f32;
    let clicked = moment.action.point().is_some_and(|point| {
        let clicked = cell(point, side) as u16;
        piece.cells.binary_search(&clicked).is_ok()
    });
    let bounds = piece.bounds;
    let area = piece.cells.len() as f32 / side as f32;
    let corners = [bounds.left, bounds.top, bounds.right, bounds.bottom].map(share);
    [1.0, corners[0], corners[1], corners[2], corners[3], area, f32::from(u8::from(clicked))]
}

/// The slots of a frame, given the frame and the slots before it.
pub(super) fn pieces(frame: &Grid, before: Option<(&Grid, &Pieces)>, side: usize, count: usize) -> Pieces {
    if count == 0 {
        return Pieces::new();
    }
    let changed = |point| before.is_some_and(|(before, _)| before.get(point) != frame.get(point));
    let empty = Pieces::new();
    objects::assign(frame, side, changed, before.map_or(&empty, |(_, pieces)| pieces), count)
}
