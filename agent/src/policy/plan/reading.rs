//! A step as the planner reads it, before the model learns from it.

use std::collections::BTreeSet;

use env_client::{Color, Grid, Point};
use world_model::{Advance, Bounds};

use super::{
    dyes::Worn,
    errands::Errand,
    search::NodeKey,
    things::{Surroundings, Things, Touched, place},
};

/// A step as the planner sees it, read before the model learns from it.
pub(super) struct Reading {
    pub(super) key: NodeKey,
    pub(super) touched: Touched,
    pub(super) around: Surroundings,
    pub(super) things: Things,
    pub(super) advances: Vec<Advance>,
    pub(super) driven: Vec<Advance>,
    pub(super) errands: BTreeSet<Errand>,
}

impl Reading {
    /// Whether no piece means to move.
    pub(super) fn moves_nothing(&self) -> bool {
        self.advances.iter().all(|it| it.by == (0, 0))
    }

    /// The colours of the pieces that got where they meant to go and of what they have about them there, and those of them
    /// that were not there before they went. What was seen where they come to, or is seen where they were, is ground.
    pub(super) fn worn(&self, old: &Grid, new: &Grid, came: &[Advance]) -> Worn {
        let seen = |frame: &Grid, it: Bounds| -> BTreeSet<Color> {
            frame.points().filter(|at| it.contains(at.x(), at.y())).map(|at| frame[at]).collect()
        };
        let mut worn = Worn::default();
        for (from, to) in self.advances.iter().flat_map(|from| came.iter().map(move |to| (from, to))) {
            let Some((left, there)) = place(from).zip(place(to)).filter(|_| got_there(from, to)) else { continue };
            let (had, entered, has) = (seen(old, left), seen(old, there), seen(new, there));
            let own: BTreeSet<Color> = to.from.iter().map(|at| new[*at]).collect();
            let colors = &own | &(&has - &(&entered | &seen(new, left)));
            worn.met.extend(&(&has & &entered) - &had);
            worn.fresh.extend(&colors - &had);
            worn.colors.extend(colors);
        }
        worn
    }
}

/// Whether a piece is another one where that meant to go.
pub(super) fn got_there(old: &Advance, new: &Advance) -> bool {
    let goes = old.by != (0, 0) && old.from.len() == new.from.len();
    let by = |a: &Point, b: &Point| (i16::from(b.x()) - i16::from(a.x()), i16::from(b.y()) - i16::from(a.y()));
    goes && old.from.iter().zip(&new.from).all(|(a, b)| by(a, b) == old.by)
}
