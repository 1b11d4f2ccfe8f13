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
        placements.retain(|it| grown.iter().all(|(part, ..)| part.instance.class != it.instance.class));
        for (part, whole, at) in grown {
            let Instance { class, pose, at: corner, .. } = part.instance;
            // The first of several alike that are completed at once completes the others as well.
            if !self.sprite(part.instance).is_outlined_like(&whole) {
                self.classes[class].grow(pose, &whole, corner.minus(at));
            }
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

#[cfg(test)]
mod tests {
    use env_client::{Action, Grid, Key};

    use super::*;
    use crate::{Scene, rules::step};

    #[test]
    fn pieces_alike_that_are_completed_at_once_are_completed_once() {
        let rows = |rows: [&str; 7]| rows.join("\n").parse::<Grid>().unwrap();
        let before = rows([
            "444000444000",
            "555000555000",
            "555000555000",
            "000000000000",
            "000777000000",
            "000777000000",
            "000777000000",
        ]);
        let after = rows([
            "000444000444",
            "000555000555",
            "000555000555",
            "000000000000",
            "000777000000",
            "000777000000",
            "000777000000",
        ]);
        let (old, new) = (Scene::of(&before), Scene::of(&after));
        let layers = [after.clone()];
        let action = Action::Key(Key::Key4);
        let step = Step { before: &before, after: &after, action, layers: &layers, old: &old, new: &new };
        let cut = |x: i16, y: i16, high: i16| Sprite::cut(&before, Vector::new(x, y), Vector::new(3, high));
        let mut movers =
            Movers { classes: vec![Class::new(cut(3, 4, 3)), Class::new(cut(0, 1, 2))], ..Movers::default() };
        let by = Vector::new(3, 0);
        let part = |x: i16| {
            let instance = Instance { class: 1, pose: 0, at: Vector::new(x, 1), rank: 0, of: 2 };
            Placement { instance, wished: by, came: by, pose: 0 }
        };
        let mut placements = vec![part(0), part(6)];
        let tops = (0..old.components().len()).filter(|it| step::corner(&old.components()[*it]).y == 0);
        let tops = tops.filter(|it| old.components()[*it].color.index() == 4).map(|it| (vec![it], by)).collect();
        assert!(movers.complete(&step, tops, &mut placements).is_empty(), "both belong to a piece");
        assert_eq!(*movers.sprite(placements[0].instance), cut(0, 0, 3));
        assert_eq!(placements.iter().map(|it| it.instance.at).collect::<Vec<_>>(), [Vector::ZERO, Vector::new(6, 0)]);
    }
}
