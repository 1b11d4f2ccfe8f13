//! How pieces of a class look: their poses, what turns or paints them, and in which of them they are asleep.

use super::{ANYONE, Class, Instance, POSES, RESTS, TURN, turns::Change};
use crate::{
    perception::Symmetry,
    rules::{
        mover::strip,
        sprite::{Sprite, Vector},
        view::View,
    },
};

/// What a picture that is its own mirror image is taken to be turned by.
const ROTATIONS: [Symmetry; 4] = [Symmetry::Identity, Symmetry::Half, Symmetry::Clockwise, Symmetry::Counterclockwise];

/// The laws of [`Class::turn`]: of arrows that move a piece, of those that do not, and of other actions.
const GOES: usize = 0;
const STAYS: usize = 1;
const ACTS: usize = 2;
/// The feature of a case that tells whether the piece moves.
const MOVES: usize = 2;

fn law(view: &View<'_>, moves: bool) -> usize {
    match (view.is_arrow(), moves) {
        (true, true) => GOES,
        (true, false) => STAYS,
        (false, _) => ACTS,
    }
}

impl Class {
    /// Whether pieces that look like this are asleep: they stay while others go, and never went.
    pub(in crate::rules::mover) fn is_asleep(&self, pose: usize) -> bool {
        let enough = if self.painted { 1 } else { RESTS };
        self.rests.get(pose).is_some_and(|(went, stayed)| *went == 0 && *stayed >= enough)
    }

    /// Whether pieces that look like this may be asleep: they were painted over and never went so.
    pub(in crate::rules::mover) fn may_rest(&self, pose: usize) -> bool {
        self.painted && self.rests.get(pose).is_none_or(|(went, _)| *went == 0)
    }

    /// Learns that it went in a pose, or that it stayed while another piece went.
    pub(in crate::rules::mover) fn learn_rest(&mut self, pose: usize, went: bool) {
        if self.rests.len() <= pose {
            self.rests.resize(pose + 1, (0, 0));
        }
        let rest = &mut self.rests[pose];
        *rest = (rest.0 + u32::from(went), rest.1 + u32::from(!went));
    }

    /// The pose of a piece after an action: what came of the very same while other pieces looked as they do, or else what
    /// comes of the like.
    pub(in crate::rules::mover) fn pose_after(&self, view: &View<'_>, instance: Instance, by: Vector) -> usize {
        let case = self.turn_case(view, instance, by);
        if let Some(pose) = self.looks.get(&(case, view.company)).filter(|_| self.painted && by == Vector::ZERO) {
            return *pose;
        }
        self.expected(view, instance, &case).map_or(instance.pose, |(_, pose)| pose)
    }

    /// The change to expect in a case, and the pose it makes of a piece; what is done decides which law answers. Of what stays
    /// by an arrow and never did the one of what moves tells.
    fn expected(&self, view: &View<'_>, instance: Instance, case: &[u64; TURN]) -> Option<(Change, usize)> {
        let changed = |outcome: u64| self.changed(view, instance, Change::of(outcome));
        let ask = |law: usize| self.turn[law].ask_among(|index| case[index], |outcome| changed(outcome).is_some());
        let law = law(view, case[MOVES] != 0);
        let outcome = ask(law).or_else(|| if law == STAYS { ask(GOES) } else { None })?.outcome;
        Some((Change::of(outcome), changed(outcome)?))
    }

    /// The pose that a change makes of a piece, if it is known what that looks like.
    fn changed(&self, view: &View<'_>, instance: Instance, change: Change) -> Option<usize> {
        let pose = match change {
            Change::Kept => instance.pose,
            Change::Pose(pose) => pose,
            Change::Towards(form) => {
                self.facing.pose(instance.pose, self.heading(view, instance)?, |pose| self.form(pose) == form)?
            }
            Change::Like(turn) => self.turns.image(turn, instance.pose)?,
        };
        Some(pose.min(self.poses.len() - 1))
    }

    /// The change that made a pose of a piece: the one expected if that does it, or else the one that says most about other
    /// poses.
    fn change(&self, view: &View<'_>, (instance, by): (Instance, Vector), after: usize) -> Change {
        let case = self.turn_case(view, instance, by);
        let expected = self.expected(view, instance, &case).map(|it| it.0);
        let fits = |it: &Change| self.changed(view, instance, *it) == Some(after);
        let towards = Some(Change::Towards(self.form(after))).filter(|_| view.is_arrow());
        let like = self.turns.between(instance.pose, after).map(Change::Like).filter(|_| !view.is_arrow());
        let kept = Some(Change::Kept);
        let ranked = if by == Vector::ZERO { [kept, towards, like] } else { [towards, like, kept] };
        expected.into_iter().chain(ranked.into_iter().flatten()).find(fits).unwrap_or(Change::Pose(after))
    }

    fn turn_case(&self, view: &View<'_>, instance: Instance, by: Vector) -> [u64; TURN] {
        let moves = by != Vector::ZERO;
        let ahead = if moves { self.onto(view, instance, by) } else { self.ahead(view, instance) };
        let form = self.form(instance.pose) as u64;
        let side = self.heading(view, instance).map_or(0, |by| self.facing.side(instance.pose, by));
        [view.number(), instance.pose as u64, u64::from(moves), self.click(view, instance), ahead, form, side]
    }

    /// What a pose looks like, whichever way it is turned.
    pub(in crate::rules::mover) fn form(&self, pose: usize) -> usize {
        self.forms.get(pose).copied().unwrap_or_default()
    }

    /// Where pieces of a pose look, if that is always the same.
    pub(in crate::rules::mover) fn faces(&self, pose: usize) -> Option<Vector> {
        self.facing.of(pose)
    }

    /// A look, whichever way it is turned, and how a way lies to where pieces look that look so.
    pub(super) fn stance(&self, pose: usize, by: Vector) -> u64 {
        (1 + self.form(pose) as u64) << 2 | self.facing.side(pose, by)
    }

    /// Where an arrow takes a piece.
    fn heading(&self, view: &View<'_>, piece: Instance) -> Option<Vector> {
        let number = view.number();
        let own = || self.twins.get(&(number, piece.rank, piece.of)).copied();
        let usual = || own().or(self.steps[number as usize]).or_else(|| view.arrows.way(number));
        view.is_arrow().then(usual).flatten()
    }

    /// The colours that lie where a piece looks: where such a look always leads or, where that tells nothing, where it
    /// went last. 0 where nobody knows.
    fn ahead(&self, view: &View<'_>, instance: Instance) -> u64 {
        let last = || view.motion(instance).map(|it| Vector::new(it.by.0, it.by.1));
        let facing = self.faces(instance.pose).or_else(last);
        let sprite = self.poses.get(instance.pose).unwrap_or(&self.poses[0]);
        facing.map_or(0, |by| strip::colors(view.frame, &strip::swept(sprite, instance.at, by)).into())
    }

    /// The colours that a piece comes onto that others take along, or that was seen to look in several ways; 0 for any other, which
    /// looks as it does wherever it is.
    fn onto(&self, view: &View<'_>, instance: Instance, by: Vector) -> u64 {
        let is_plain = if self.is_controlled() { self.poses.len() == 1 } else { self.driven == 0 };
        if is_plain {
            return 0;
        }
        let sprite = self.poses.get(instance.pose).unwrap_or(&self.poses[0]);
        strip::colors(view.frame, &strip::swept(sprite, instance.at, by)).into()
    }

    /// Learns where a piece looks that went or meant to go somewhere.
    pub(in crate::rules::mover) fn learn_facing(&mut self, pose: usize, by: Vector) {
        self.facing.learn(pose, by);
        self.facing.share(self.poses.len(), &self.turns);
    }

    /// Whether a piece is clicked: 0 where nothing is, 1 where something else is, 2 where it is.
    pub(in crate::rules::mover) fn click(&self, view: &View<'_>, piece: Instance) -> u64 {
        let covers = |click: Vector| self.poses.get(piece.pose).is_some_and(|sprite| sprite.covers(piece.at, click));
        view.click().map_or(0, |click| 1 + u64::from(covers(click)))
    }

    /// Whether it was seen what becomes of a piece that stays in such a case, whatever other pieces look like.
    pub(in crate::rules::mover) fn knows_turn(&self, view: &View<'_>, instance: Instance) -> bool {
        self.looks.contains_key(&(self.turn_case(view, instance, Vector::ZERO), ANYONE))
    }

    /// The pose of a piece that is awake where it is asleep, and the other way round.
    pub(in crate::rules::mover) fn counterpart(&self, pose: usize) -> Option<usize> {
        let wakes = self.is_asleep(pose);
        let others = (0..self.rests.len()).filter(|it| self.is_asleep(*it) != wakes);
        others.max_by_key(|it| if wakes { self.rests[*it].0 } else { self.rests[*it].1 })
    }

    /// Learns how a piece looks after an action.
    pub(in crate::rules::mover) fn learn_turn(
        &mut self,
        view: &View<'_>,
        instance: Instance,
        by: Vector,
        after: usize,
    ) {
        let (moves, case) = (by != Vector::ZERO, self.turn_case(view, instance, by));
        if !moves && !view.is_arrow() && after != instance.pose {
            self.learn_images(instance.pose, after);
        }
        let change = self.change(view, (instance, by), after);
        self.turn[law(view, moves)].learn(&case, change.code());
        if self.painted && !moves {
            self.looks.insert((case, view.company), after);
            self.looks.insert((case, ANYONE), after);
        }
    }

    /// The pose that looks like this, new if need be.
    pub(in crate::rules::mover) fn pose_of(&mut self, sprite: Sprite) -> usize {
        if let Some(pose) = self.poses.iter().position(|it| *it == sprite) {
            return pose;
        }
        if self.poses.len() == POSES {
            (self.poses[POSES - 1], self.forms[POSES - 1]) = (sprite, POSES - 1);
            self.facing.forget(POSES - 1);
            self.turns.forget(POSES - 1);
            return POSES - 1;
        }
        let frame = self.square(Some(&sprite));
        let is_image = |it: &Sprite| Symmetry::ALL.iter().any(|symmetry| turned(it, *symmetry, frame) == sprite);
        let form = self.poses.iter().position(is_image).map_or(self.poses.len(), |pose| self.form(pose));
        let pose = self.poses.len();
        self.poses.push(sprite);
        self.forms.push(form);
        (0..self.turns.len()).for_each(|turn| self.imagine(turn, pose));
        pose
    }

    /// What an action without a direction makes of a pose it makes of the images of that pose, too: their images.
    fn learn_images(&mut self, before: usize, after: usize) {
        if self.turns.between(before, after).is_none() {
            let turn = self.turns.learn(before, after);
            (0..self.poses.len()).for_each(|image| self.imagine(turn, image));
            self.facing.share(self.poses.len(), &self.turns);
        }
    }

    /// Takes a pose that is the image of one that was turned to be turned alike.
    fn imagine(&mut self, turn: usize, image: usize) {
        let Some((before, after)) = self.turns.pair(turn) else { return };
        if self.form(image) != self.form(before) || self.turns.image(turn, image).is_some() || self.poses.len() == POSES
        {
            return;
        }
        let frame = self.square(None);
        let turns = |symmetry: &&Symmetry| turned(&self.poses[before], **symmetry, frame) == self.poses[image];
        let Some(symmetry) = ROTATIONS.iter().chain(&Symmetry::ALL).find(turns) else { return };
        let became = self.pose_of(turned(&self.poses[after], *symmetry, frame));
        self.turns.note(turn, image, became);
    }

    /// Lays all pictures within squares of this side at least, this far from their corner or further; how far.
    pub(in crate::rules::mover) fn lay_around(&mut self, shift: Vector, side: i16) -> Vector {
        let cells = || self.poses.iter().flat_map(Sprite::cells).map(|(at, _)| at.plus(shift));
        let beyond = |at: Vector| (-at.x).max(-at.y).max(at.x + 1 - side).max(at.y + 1 - side);
        let margin = cells().map(beyond).max().unwrap_or_default().max(0);
        let shift = shift.plus(Vector::new(margin, margin));
        let wide = side + 2 * margin;
        self.poses = self.poses.iter().map(|it| it.laid(shift, Vector::new(wide, wide))).collect();
        self.is_laid = true;
        shift
    }

    /// The least part of their square that holds its pictures and another one, if they are of one square size and were not
    /// laid in it around their pivot.
    fn square(&self, other: Option<&Sprite>) -> Option<(i16, i16)> {
        square(self.poses.iter().chain(other)).filter(|_| !self.is_laid)
    }
}

/// The least square that holds the cells of all these pictures of one square size, from one coordinate to before another.
fn square<'a>(poses: impl IntoIterator<Item = &'a Sprite>) -> Option<(i16, i16)> {
    let mut sizes: Option<Vector> = None;
    let mut range = (i16::MAX, 0);
    for pose in poses {
        if pose.size.x != pose.size.y || *sizes.get_or_insert(pose.size) != pose.size {
            return None;
        }
        for (at, _) in pose.cells() {
            range = (range.0.min(at.x).min(at.y), range.1.max(at.x + 1).max(at.y + 1));
        }
    }
    (range.0 < range.1).then_some(range)
}

/// A picture turned or mirrored, within a part of its square if there is one.
fn turned(sprite: &Sprite, symmetry: Symmetry, frame: Option<(i16, i16)>) -> Sprite {
    frame.map_or_else(|| sprite.turned(symmetry), |frame| sprite.turned_within(symmetry, frame))
}
