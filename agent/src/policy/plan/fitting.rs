//! How a piece has to lie: one alone that is wanted where its own outline is drawn, however it has to be turned for that,
//! and pieces with details that slots show elsewhere.

use std::collections::BTreeMap;

use env_client::{Color, Grid, Point};

use world_model::Bounds;

use super::{
    arrange::{Arrangement, Level, Name, Piece},
    pairs::{Pair, Pieces},
    picture::{Middle, Picture},
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
        let pair = Pair {
            pieces,
            slots: vec![Middle::around(it.bounds)],
            outline: Some(outline),
            details: Vec::new(),
            turned: Vec::new(),
        };
        Arrangement { name: Name::fit(own.kind, slot.kind), pairs: vec![pair], is_exact: true }
    };
    drawn.map(arrangement).collect()
}

/// The same pieces on the same slots, turned so that what is drawn on the slots in a colour that the pieces show, too, is
/// where the pieces show it; `None` where no slot tells.
pub(super) fn as_drawn(things: &Things, belong: &BTreeMap<Color, (&Piece, Vec<Bounds>)>) -> Option<Arrangement> {
    let details = |bounds: Bounds, own: Color| {
        let cells = bounds.points().filter_map(|at| Some((things.at(at)?.kind.color, at)));
        let mut details: BTreeMap<Color, Vec<Point>> = BTreeMap::new();
        cells.filter(|(color, _)| *color != own).for_each(|(color, at)| details.entry(color).or_default().push(at));
        details
    };
    let pair = |(color, (piece, slots)): (&Color, &(&Piece, Vec<Bounds>))| {
        let shown = piece.places.first().and_then(|it| it.bounds(piece.picture.size()));
        let shown = shown.map(|it| details(it, *color)).unwrap_or_default();
        let told = slots.iter().flat_map(|slot| details(*slot, *color));
        let told = told.filter(|(color, cells)| shown.get(color).is_some_and(|it| it.len() == cells.len()));
        let details: Vec<Outline> = told.map(|(color, cells)| Outline { color, cells }).collect();
        let (poses, slots): (_, Vec<Middle>) =
            (piece.picture.poses(), slots.iter().map(|it| Middle::around(*it)).collect());
        let shows = |pose: &Picture, at: &Point| !slots.iter().any(|slot| pose.covers(*slot, *at));
        let turned = poses.iter().filter(|pose| details.iter().flat_map(|it| &it.cells).all(|at| shows(pose, at)));
        let turned = if details.is_empty() { Vec::new() } else { turned.cloned().collect() };
        Pair { pieces: Pieces::Posed(poses), slots, outline: None, details, turned }
    };
    let pairs: Vec<Pair> = belong.iter().map(pair).collect();
    let tells = pairs.iter().any(|it| !it.details.is_empty());
    tells.then_some(Arrangement { name: Name::as_drawn(), pairs, is_exact: true })
}
