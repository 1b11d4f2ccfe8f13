//! One piece alone that is wanted where its own outline is drawn, however it has to be turned for that.

use env_client::{Color, Grid, Point};

use super::{
    arrange::{Arrangement, Level, Name},
    pairs::{Pair, Pieces},
    picture::Middle,
    things::{Thing, Things},
};

/// Cells that show one colour where a piece lies as it is drawn there.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    color: Color,
    cells: Vec<Point>,
}

impl Outline {
    /// Whether the piece is seen on all of it.
    pub(super) fn is_filled(&self, frame: &Grid) -> bool {
        self.cells.iter().all(|at| frame.get(*at) == Some(self.color))
    }
}

/// The only piece that answers to actions, in each drawing of its form in any pose, where that is no mere rectangle.
pub(super) fn by_form(level: &Level<'_>, things: &Things) -> Vec<Arrangement> {
    let [piece] = level.cast else { return Vec::new() };
    let own = piece.from.first().and_then(|at| things.at(*at));
    let Some((own, body)) = things.iter().find(|(thing, _)| Some(*thing) == own) else { return Vec::new() };
    let size = (body.bounds.width(), body.bounds.height());
    let is_whole = usize::from(body.area) == piece.from.len();
    if !is_whole || usize::from(body.area) == usize::from(size.0) * usize::from(size.1) {
        return Vec::new();
    }
    let drawn = things.iter().filter(|(thing, it)| *thing != own && (it.form, it.area) == (body.form, body.area));
    let arrangement = |(slot, it): (Thing, &world_model::Component)| {
        let outline = Outline { color: own.kind.color, cells: things.cells(slot) };
        let pieces = Pieces::Played(piece.class, size);
        let pair = Pair { pieces, slots: vec![Middle::around(it.bounds)], homes: Vec::new(), outline: Some(outline) };
        Arrangement { name: Name::fit(own.kind, slot.kind), pairs: vec![pair], is_exact: true, misfit: 0 }
    };
    drawn.map(arrangement).collect()
}
