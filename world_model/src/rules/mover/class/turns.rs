//! Changes of how pieces of a class look, told so that they hold whichever way a piece is turned.

/// What an action makes of how a piece looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// It looks as before.
    Kept,
    /// It looks so.
    Pose(usize),
    /// It looks to where the arrow takes it, and is of this form.
    Towards(usize),
    /// It changes as another pose did, by the number of that turn, turned as it is itself.
    Like(usize),
}

/// Above these lie the codes of forms and of turns; below them those of poses.
const TOWARDS: u64 = 1 << 16;
const LIKE: u64 = 1 << 17;

impl Change {
    /// As an outcome of a law, the inverse of [`Change::of`].
    pub(super) const fn code(self) -> u64 {
        match self {
            Change::Kept => 0,
            Change::Pose(pose) => 1 + pose as u64,
            Change::Towards(form) => TOWARDS + form as u64,
            Change::Like(turn) => LIKE + turn as u64,
        }
    }

    pub(super) const fn of(code: u64) -> Change {
        match code {
            0 => Change::Kept,
            turn if turn >= LIKE => Change::Like((turn - LIKE) as usize),
            form if form >= TOWARDS => Change::Towards((form - TOWARDS) as usize),
            pose => Change::Pose(pose as usize - 1),
        }
    }
}

/// What was seen to become of poses, and what becomes of their images.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns(Vec<Turn>);

/// A pose that became another one, and each of its images with what that becomes.
#[derive(Clone, Debug)]
struct Turn {
    before: usize,
    after: usize,
    images: Vec<(usize, usize)>,
}

impl Turns {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The poses before and after that were seen first; nothing where one of them is no more.
    pub(super) fn pair(&self, turn: usize) -> Option<(usize, usize)> {
        let Turn { before, after, images } = &self.0[turn];
        (!images.is_empty()).then_some((*before, *after))
    }

    /// What becomes of a pose.
    pub(super) fn image(&self, turn: usize, pose: usize) -> Option<usize> {
        self.0.get(turn)?.images.iter().find(|it| it.0 == pose).map(|it| it.1)
    }

    /// The turn that makes one pose of another one.
    pub(super) fn between(&self, before: usize, after: usize) -> Option<usize> {
        self.0.iter().position(|it| it.images.contains(&(before, after)))
    }

    /// Poses that differ by a turn alone.
    pub(super) fn partners(&self) -> impl Iterator<Item = (usize, usize)> {
        self.0.iter().flat_map(|it| it.images.iter().copied())
    }

    /// Takes in a turn that is none of those known; its number.
    pub(super) fn learn(&mut self, before: usize, after: usize) -> usize {
        self.0.push(Turn { before, after, images: vec![(before, after)] });
        self.0.len() - 1
    }

    /// Takes in what becomes of an image.
    pub(super) fn note(&mut self, turn: usize, image: usize, after: usize) {
        self.0[turn].images.push((image, after));
    }

    /// Forgets a pose.
    pub(super) fn forget(&mut self, pose: usize) {
        for turn in &mut self.0 {
            if turn.before == pose || turn.after == pose {
                turn.images.clear();
            }
            turn.images.retain(|it| it.0 != pose && it.1 != pose);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_holds_a_change() {
        for change in [Change::Kept, Change::Pose(0), Change::Pose(31), Change::Towards(3), Change::Like(900)] {
            assert_eq!(Change::of(change.code()), change);
        }
    }

    #[test]
    fn a_turn_whose_poses_are_gone_makes_nothing() {
        let mut turns = Turns::default();
        let turn = turns.learn(0, 1);
        turns.note(turn, 2, 3);
        assert_eq!((turns.image(turn, 2), turns.between(2, 3)), (Some(3), Some(turn)));
        turns.forget(3);
        assert_eq!((turns.image(turn, 2), turns.pair(turn)), (None, Some((0, 1))));
        turns.forget(1);
        assert_eq!((turns.image(turn, 0), turns.pair(turn)), (None, None));
    }
}
