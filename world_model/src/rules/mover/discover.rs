//! Discovering: which components that moved are pieces of classes not known yet.

use env_client::Grid;

use super::{Class, Instance, Movers, Placement, Vector, way::Way};
use crate::rules::{
    canvas::Canvas,
    cell_set::{CellSet, Layers},
    figure::{self, Figure},
    sprite::{Sprite, color_at},
    step::{Known, Step, pieces},
};

/// Classes that are kept; where everything seems to move, the one that moved least makes room. Each costs a search of the
/// frame in every prediction.
pub(super) const CLASSES: usize = 16;

/// What went so often was no two pieces that only seemed to be one. A guess.
const PROVEN: u32 = 6;

/// The largest piece, as a share of the frame: a quarter. What is larger is ground or scrolls.
const PIECE_SHARE: usize = 4;

impl Movers {
    /// Components that moved and belong to no known piece are pieces of new classes; holes in known ones, which show the
    /// ground, are not.
    pub(super) fn discover(
        &mut self,
        step: &Step<'_>,
        marks: &[usize],
        placements: &mut Vec<Placement>,
        canvas: &mut Canvas,
    ) {
        let (known, arrived) = self.covers(step, placements, canvas);
        let figures = self.figures(step, &known);
        let taken = |at: Vector| figures.iter().any(|it| it.covered(at));
        let ways: Vec<Vector> = placements.iter().map(|it| it.came).filter(|by| *by != Vector::ZERO).collect();
        let (left, arrived) = (|at| known.contains(at) || taken(at), |at| arrived.contains(at));
        let (mut shifts, turns) = step.moves(&Known { left: &left, arrived: &arrived, ways: &ways });
        for it in figures {
            self.discover_figure(it, placements, canvas);
        }
        let mut found = Vec::new();
        for turn in turns {
            let (before, after) = step.turned(turn, &shifts);
            shifts.retain(|it| !before.contains(&it.part));
            found.push((before, Some(after), step.way(turn.part, turn.to)));
        }
        let rest = self.complete(step, pieces(step.old, shifts), placements);
        found.extend(rest.into_iter().map(|(parts, by)| (parts, None, by)));
        let limit = step.before.cells().len() / PIECE_SHARE;
        let layers = Layers::of(step.before);
        let ways = found.iter().map(|(parts, _, by)| Way::new(Sprite::of(step.before, step.old, parts), *by));
        let known = placements.iter().map(|it| Way::new((self.sprite(it.instance).clone(), it.instance.at), it.came));
        let ways: Vec<Way> = ways.chain(known).collect();
        for ((_, turned, by), way) in found.into_iter().zip(&ways) {
            let Way { sprite, at, .. } = way.clone();
            if way.is_bared(&ways, &layers)
                || sprite.cells().len() > limit
                || !left_traces(step, &sprite, at, by)
                || self.is_speck(step.before, &sprite, at, by)
            {
                continue;
            }
            canvas.forget(&sprite, at);
            let is_led = step.action.point().is_none() && placements.iter().any(|it| self.is_controlled(it.instance));
            let (class, pose, replaced) = self.admit(sprite, (marks, placements), is_led);
            placements.retain(|it| !replaced || it.instance.class != class);
            let instance = Instance { class, pose, at, rank: 0, of: 1 };
            let turned = turned.map(|parts| Sprite::of(step.after, step.new, &parts).0);
            let pose = turned.map_or(pose, |turned| self.classes[class].pose_of(turned));
            placements.push(Placement { instance, wished: by, came: by, pose });
        }
    }

    /// The cells of known pieces before and after, with holes in them that show the ground.
    fn covers(&self, step: &Step<'_>, placements: &[Placement], canvas: &Canvas) -> (CellSet, CellSet) {
        let of_piece = |frame: &Grid, sprite: &Sprite, corner: Vector| -> Vec<Vector> {
            let is_ground = |at: Vector| canvas.get(at).is_none_or(|ground| color_at(frame, at) == Some(ground));
            sprite.square(corner).filter(|at| sprite.covers(corner, *at) || is_ground(*at)).collect()
        };
        let start = |it: &Placement| of_piece(step.before, self.sprite(it.instance), it.instance.at);
        let end = |it: &Placement| {
            of_piece(step.after, &self.classes[it.instance.class].poses[it.pose], it.instance.at.plus(it.came))
        };
        (placements.iter().flat_map(start).collect(), placements.iter().flat_map(end).collect())
    }

    /// Pieces that were just discovered are told apart like those that are known.
    pub(super) fn rank(&self, frame: &Grid, placements: &mut [Placement]) {
        let instances = self.instances(frame);
        for it in placements {
            let same = |known: &&Instance| (known.class, known.at) == (it.instance.class, it.instance.at);
            if let Some(known) = instances.iter().find(same) {
                (it.instance.rank, it.instance.of) = (known.rank, known.of);
            }
        }
    }

    /// Figures of several parts that turned, none of which is a known piece.
    fn figures(&self, step: &Step<'_>, known: &CellSet) -> Vec<Figure> {
        let mut figures = self.tiles.map(|tiles| figure::turned(step, tiles)).unwrap_or_default();
        figures.retain(|it| !it.before.footprint(it.at).any(|at| known.contains(at)));
        figures
    }

    fn discover_figure(&mut self, figure: Figure, placements: &mut Vec<Placement>, canvas: &mut Canvas) {
        let Figure { at, by, before, after } = figure;
        canvas.forget(&before, at);
        let (class, pose, replaced) = self.admit(before, (&[], placements), false);
        placements.retain(|it| !replaced || it.instance.class != class);
        let instance = Instance { class, pose, at, rank: 0, of: 1 };
        let pose = self.classes[class].pose_of(after);
        placements.push(Placement { instance, wished: by, came: by, pose });
    }

    /// A new class, unless it is known; a sibling of one that is led if this one may be. A class whose picture contains the
    /// new one was two pieces, unless such a one went often and is seen whole elsewhere. Returns its number, its pose, and
    /// whether such a one was replaced.
    fn admit(
        &mut self,
        sprite: Sprite,
        (marks, placements): (&[usize], &[Placement]),
        is_led: bool,
    ) -> (usize, usize, bool) {
        let mut known = self.classes.iter().enumerate();
        let pose = |class: &Class| class.poses.iter().position(|it| *it == sprite);
        if let Some((class, pose)) = known.find_map(|(number, class)| Some((number, pose(class)?))) {
            return (class, pose, false);
        }
        let is_mark = |class: &usize| self.classes[*class].poses[0].is_part_of(&sprite);
        let mark = marks.iter().copied().find(is_mark);
        let is_seen = |class: usize| placements.iter().any(|it| it.instance.class == class);
        let is_whole = |class: usize| self.classes[class].moves() >= PROVEN && is_seen(class);
        let is_broken = |class: &usize| sprite.is_part_of(&self.classes[*class].poses[0]) && !is_whole(*class);
        if let Some(class) = (0..self.classes.len()).find(is_broken).or(mark) {
            self.classes[class] = Class::new(sprite);
            return (class, 0, true);
        }
        if self.classes.len() < CLASSES {
            let sibling = self.elder_sibling(&sprite).filter(|_| is_led).cloned();
            self.classes.push(sibling.map_or_else(|| Class::new(sprite.clone()), |it| it.sibling(sprite.clone())));
            return (self.classes.len() - 1, 0, false);
        }
        let idlest = (0..CLASSES).min_by_key(|class| self.classes[*class].moves()).unwrap_or_default();
        self.classes[idlest] = Class::new(sprite);
        (idlest, 0, true)
    }
}

/// Whether at least half the cells that a piece left changed: ground whose outline changed seems to jump, but nothing
/// happens where it was.
fn left_traces(step: &Step<'_>, sprite: &Sprite, from: Vector, by: Vector) -> bool {
    let left: Vec<Vector> = sprite.footprint(from).filter(|at| !sprite.covers(from.plus(by), *at)).collect();
    let changed = left.iter().filter(|at| color_at(step.before, **at) != color_at(step.after, **at)).count();
    2 * changed >= left.len()
}
