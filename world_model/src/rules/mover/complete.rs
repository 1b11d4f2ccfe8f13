//! Completing: what touched another thing of its colours when it was first seen to move may be more than was seen of it.

use env_client::Color;

use super::{Class, Instance, Movers, Placement, Vector, strip};
use crate::rules::{cell_set::CellSet, sprite::Sprite, step::Step};

/// Components that moved together, by their indices before, and by how much.
type Group = (Vec<usize>, Vector);

impl Movers {
    /// What went along right beside a piece is a part of it if with that it covers what pieces of another class do. Returns
    /// the groups that are left.
    pub(super) fn complete(
        &mut self,
        step: &Step<'_>,
        mut groups: Vec<Group>,
        placements: &mut Vec<Placement>,
    ) -> Vec<Group> {
        let grown: Vec<(Placement, Sprite, Vector)> = placements
            .iter()
            .filter_map(|it| {
                let (whole, at) = self.whole(step, it, &mut groups)?;
                Some((*it, whole, at))
            })
            .collect();
        for (part, whole, at) in grown {
            let Instance { class, pose, at: corner, .. } = part.instance;
            self.classes[class].grow(pose, &whole, corner.minus(at));
            placements.retain(|it| it.instance.class != class);
            placements.push(Placement { instance: Instance { at, ..part.instance }, ..part });
        }
        groups
    }

    /// All of a piece that was only known in part, and its corner; takes the groups that belong to it.
    fn whole(&self, step: &Step<'_>, piece: &Placement, groups: &mut Vec<Group>) -> Option<(Sprite, Vector)> {
        let (sprite, at) = (self.sprite(piece.instance), piece.instance.at);
        let one = Vector::new(1, 1);
        let around = (at.minus(one), sprite.size.plus(one.times(2)));
        let is_along = |(parts, by): &Group| {
            let (look, corner) = Sprite::of(step.before, step.old, parts);
            *by == piece.came && strip::is_near(around, (corner, look.size))
        };
        let along: Vec<usize> = groups.iter().filter(|it| is_along(it)).flat_map(|(parts, _)| parts.clone()).collect();
        if piece.came == Vector::ZERO || along.is_empty() {
            return None;
        }
        let (more, corner) = Sprite::of(step.before, step.old, &along);
        let cells: CellSet = sprite.footprint(at).chain(more.footprint(corner)).collect();
        let whole = Sprite::covering(step.before, &cells)?;
        let others = self.classes.iter().enumerate().filter(|(class, _)| *class != piece.instance.class);
        let is_known = others.flat_map(|(_, it)| &it.poses).any(|it| it.is_outlined_like(&whole.0));
        groups.retain(|it| !is_known || !is_along(it));
        is_known.then_some(whole)
    }
}

impl Class {
    /// What it looks like in this pose is a part of this picture, so far from its corner: in all poses that cover the same
    /// cells the rest of it looks the same, as far as anybody knows.
    fn grow(&mut self, pose: usize, whole: &Sprite, shift: Vector) {
        let part = self.poses[pose].clone();
        let rest = whole.cells().iter().filter(|(at, _)| !part.covers(shift, *at));
        for it in self.poses.iter_mut().filter(|it| it.is_outlined_like(&part)) {
            let own = it.cells().iter().map(|(at, color)| (at.plus(shift), *color));
            let mut cells: Vec<(Vector, Color)> = own.chain(rest.clone().copied()).collect();
            cells.sort_by_key(|(at, _)| (at.y, at.x));
            *it = Sprite::new(cells, whole.size);
        }
    }
}
