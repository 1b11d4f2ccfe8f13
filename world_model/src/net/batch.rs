//! Steps of plays as the nets read them.

use std::sync::Arc;

use candle_core::{Device, Result, Tensor};
use env_client::{Action, Color, Point};
use solver::nn::ops::NO_SOURCE;

use super::{
    config::PATCH,
    context::Context,
    objects::{self, Pieces},
    relations::{RELATIONS, SOURCES, Sight},
    story::Disguise,
};
use crate::perception::{TileMap, Tiles};

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
    pub(super) frame: &'a TileMap,
    /// The frame before it, if it belongs to the same attempt at a level.
    pub(super) before: Option<&'a TileMap>,
    /// What is done.
    pub(super) action: Action,
    /// What was done on the frame before.
    pub(super) previous: Option<Action>,
    /// The slots of the frame.
    pub(super) pieces: &'a Pieces,
    /// What is known.
    pub(super) context: &'a Context,
    /// The pictures of its kinds.
    pub(super) tiles: &'a Tiles,
    /// What the net sees in the place of kinds and actions.
    pub(super) disguise: &'a Disguise,
}

impl<'a> Moment<'a> {
    /// The frame with what is known for this action.
    pub(super) fn sight(&self) -> Sight<'a> {
        let clicked = self.action.point().and_then(|at| self.frame.index(at.x().into(), at.y().into()));
        Sight::new(self.frame, self.context, self.context.deed(self.action.id().number(), clicked))
    }
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
    /// What tiles have to do with each other, [frames, side, side, RELATIONS].
    pub(super) relations: Tensor,
    /// What the sources of tiles show, [frames · side² · SOURCES].
    pub(super) sources: Arc<[u8]>,
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
        let (relations, sources) = related(moments, side);
        Ok(Batch {
            relations: Tensor::from_vec(relations, (frames, side, side, RELATIONS), device)?,
            sources,
            steps,
            side,
            symbols: moments.iter().flat_map(|moment| symbols(moment, side)).collect(),
            actions: moments.iter().map(|moment| number(moment, moment.action)).collect(),
            previous: moments
                .iter()
                .map(|moment| moment.previous.map_or(0, |previous| number(moment, previous)))
                .collect(),
            facts: Tensor::from_vec(facts, (frames, FACTS), device)?,
            starts: moments.iter().map(|moment| moment.before.is_none()).collect(),
            slots: Slots::new(moments, side, device)?,
        })
    }
}

/// What tiles have to do with each other, and what their sources show; nothing beyond the frames.
fn related(moments: &[Moment<'_>], side: usize) -> (Vec<f32>, Arc<[u8]>) {
    let mut relations = Vec::with_capacity(moments.len() * side * side * RELATIONS);
    let mut sources = vec![NO_SOURCE; moments.len() * side * side * SOURCES];
    for (moment, sources) in moments.iter().zip(sources.chunks_exact_mut(side * side * SOURCES)) {
        let sight = moment.sight();
        for (at, sources) in sources.chunks_exact_mut(SOURCES).enumerate() {
            let Some(tile) = moment.frame.index((at % side) as i16, (at / side) as i16) else {
                relations.extend([0.0; RELATIONS]);
                continue;
            };
            sight.relations(tile, &mut relations);
            let shown = sight.sources(tile, moment.tiles);
            sources.iter_mut().zip(shown).for_each(|(source, kind)| *source = moment.disguise.kind(kind));
        }
    }
    (relations, sources.into())
}

fn number(moment: &Moment<'_>, action: Action) -> u32 {
    u32::from(moment.disguise.action(action.id().number()))
}

fn symbols(moment: &Moment<'_>, side: usize) -> Vec<u8> {
    let mut symbols = vec![OUTSIDE as u8; side * side];
    let clicked = moment.action.point().and_then(|at| moment.frame.index(at.x().into(), at.y().into()));
    let changed =
        moment.before.and_then(|before| before.differences(moment.frame)).map(Iterator::collect::<Vec<usize>>);
    for (at, kind) in moment.frame.kinds().iter().enumerate() {
        let changed = changed.as_ref().map_or(moment.before.is_some(), |changed| changed.binary_search(&at).is_ok());
        let (x, y) = moment.frame.place(at);
        symbols[y as usize * side + x as usize] =
            symbol(moment.disguise.kind(*kind)) + 16 * u8::from(changed) + 32 * u8::from(clicked == Some(at));
    }
    symbols
}

/// The colour in which a net sees a kind: those beyond the sixteenth look like the sixteenth.
fn symbol(kind: u8) -> u8 {
    kind.min(Color::COUNT as u8 - 1)
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
        if let Some(kind) = moment.frame.get(point) {
            facts[3 + usize::from(symbol(moment.disguise.kind(kind)))] = 1.0;
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
pub(super) fn pieces(frame: &TileMap, before: Option<(&TileMap, &Pieces)>, side: usize, count: usize) -> Pieces {
    if count == 0 {
        return Pieces::new();
    }
    let changed = |point| before.is_some_and(|(before, _)| before.get(point) != frame.get(point));
    let empty = Pieces::new();
    objects::assign(&frame.drawn(), side, changed, before.map_or(&empty, |(_, pieces)| pieces), count)
}
