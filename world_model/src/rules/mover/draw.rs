//! Drawing: what is seen of pieces once they are where they get.

use env_client::{Color, Grid};

use super::{Instance, Movers, Moves, Placement};
use crate::rules::{
    cell_set::CellSet,
    claim::Claim,
    sprite::{Sprite, Vector, color_at},
    view::View,
};

impl Movers {
    /// What becomes of a piece that others take along, where it does not stay what it is.
    fn fate(&self, view: &View<'_>, it: &Placement) -> Option<Vec<(Vector, Color)>> {
        let is_driven = it.came != Vector::ZERO && !self.is_controlled(it.instance);
        is_driven.then(|| self.sinks.fate(view.frame, self.sprite(it.instance), it)).flatten()
    }

    /// Turns placements into cells: pieces first, the controlled ones on top, then what they leave. What stays as it is claims
    /// nothing: a picture of it may be part of something that changes.
    pub(super) fn draw(&self, view: &View<'_>, moves: &mut Moves) {
        let mut drawn = CellSet::EMPTY;
        let put = |at: Vector, color, drawn: &mut CellSet, claim: &mut Claim| {
            if drawn.insert(at) {
                claim.edits.push((at, color));
            }
        };
        for it in &moves.placements {
            let class = &self.classes[it.instance.class];
            let at = it.instance.at.plus(it.came);
            let (own, sprite) = (self.sprite(it.instance), &class.poses[it.pose]);
            if it.came == Vector::ZERO && it.pose == it.instance.pose && own.is_at(view.frame, at) {
                drawn.extend(own.footprint(at));
                continue;
            }
            if let Some(fate) = self.fate(view, it) {
                for (cell, color) in fate {
                    put(cell, color, &mut drawn, &mut moves.claim);
                }
                continue;
            }
            let mut covered = false;
            for (offset, color) in sprite.cells() {
                let cell = at.plus(*offset);
                let ground = color_at(view.frame, cell).filter(|_| !stands(view.frame, own, it.instance.at, cell));
                if ground.is_none_or(|ground| class.shows_on(ground)) {
                    put(cell, *color, &mut drawn, &mut moves.claim);
                } else {
                    covered = true;
                }
            }
            if covered && class.is_controlled() {
                moves.unseen = Some(Instance { at, pose: it.pose, ..it.instance });
            }
        }
        for it in &moves.placements {
            let sprite = self.sprite(it.instance);
            for (at, color, why) in self.trails.left_by(view, sprite, it) {
                put(at, color, &mut drawn, &mut moves.claim);
                moves.claim.rests_on(&why);
            }
            for (at, color, why) in self.ground.left_by(view, sprite, it) {
                put(at, color, &mut drawn, &mut moves.claim);
                if let Some(why) = why {
                    moves.claim.rests_on(&why);
                }
            }
        }
        moves.claim.marked(moves.placements.len().min(3) as u64);
    }
}

/// Whether a piece is seen at one of its cells.
fn stands(frame: &Grid, sprite: &Sprite, corner: Vector, cell: Vector) -> bool {
    sprite.color(cell.minus(corner)).is_some_and(|color| color_at(frame, cell) == Some(color))
}
