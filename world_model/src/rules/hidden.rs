//! What is known beyond a frame, as a part of a state: when bars tick, what was done last, where a piece is that is not
//! seen.

use std::sync::Arc;

use env_client::{Action, Grid};

use super::{bars::Clock, mover::Instance, sprite::Vector};
use crate::{Motion, State};

/// The numbers of the last actions in the protocol, newest first, three bits each: some games answer late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Deeds(u64);

impl Deeds {
    /// Actions remembered.
    const DEPTH: u32 = 3;
    const BITS: u32 = 3 * Self::DEPTH;

    /// After one more action.
    pub(super) fn then(self, action: Action) -> Deeds {
        Deeds((self.0 << 3 | u64::from(action.id().number())) & ((1 << Self::BITS) - 1))
    }

    /// The number of the action so many before the present one, from 1 on; 0 before the first.
    pub(super) const fn ago(self, steps: u32) -> u64 {
        self.0 >> (3 * (steps - 1)) & 7
    }
}

/// Everything a state holds beyond its frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Hidden {
    pub(super) clock: Clock,
    pub(super) deeds: Deeds,
    /// A piece that answers to actions and lies under something.
    pub(super) unseen: Option<Instance>,
    /// What moved last.
    pub(super) motions: Arc<[Motion]>,
}

impl Hidden {
    /// The state that a frame shows; a piece whose number or place is too large for a code is left out.
    pub(super) fn state(self, frame: Grid) -> State {
        let hidden = self.clock.code() | self.deeds.0 << Clock::BITS;
        State { frame, hidden, unseen: self.unseen.and_then(code_of).unwrap_or(0), motions: self.motions }
    }

    pub(super) fn of(state: &State) -> Hidden {
        let deeds = Deeds(state.hidden >> Clock::BITS & ((1 << Deeds::BITS) - 1));
        let (unseen, motions) = (instance_of(state.unseen), state.motions.clone());
        Hidden { clock: Clock::from_code(state.hidden), deeds, unseen, motions }
    }
}

/// A piece in 25 bits: that there is one, its class, pose and corner, six bits each.
fn code_of(piece: Instance) -> Option<u64> {
    let parts = [piece.class as i64, piece.pose as i64, i64::from(piece.at.x), i64::from(piece.at.y)];
    let fits = parts.iter().all(|part| (0..64).contains(part));
    fits.then(|| parts.iter().fold(1, |code, part| code << 6 | *part as u64))
}

fn instance_of(code: u64) -> Option<Instance> {
    let part = |index: u32| code >> (6 * index) & 0x3f;
    let at = Vector::new(part(1) as i16, part(0) as i16);
    (code >> 24 == 1).then(|| Instance { class: part(3) as usize, pose: part(2) as usize, at, rank: 0, of: 1 })
}

#[cfg(test)]
mod tests {
    use env_client::{Color, Key};

    use super::*;

    #[test]
    fn a_state_holds_everything() {
        let deeds = [Key::Key1, Key::Key7, Key::Key3, Key::Key4]
            .map(Action::Key)
            .into_iter()
            .fold(Deeds::default(), Deeds::then);
        assert_eq!([1, 2, 3].map(|steps| deeds.ago(steps)), [4, 3, 7]);
        let unseen = Some(Instance { class: 5, pose: 2, at: Vector::new(63, 0), rank: 0, of: 1 });
        let motions = Arc::from([Motion { class: 5, at: (3, 4), by: (-1, 0), waited: 2 }]);
        let hidden = Hidden { clock: Clock::default().advanced(3), deeds, unseen, motions };
        let frame = Grid::filled(2, 2, Color::of(0));
        assert_eq!(Hidden::of(&hidden.clone().state(frame.clone())), hidden);
        let outside = Instance { class: 5, pose: 2, at: Vector::new(-1, 0), rank: 0, of: 1 };
        assert_eq!(Hidden { unseen: Some(outside), ..hidden }.state(frame).unseen, 0);
    }
}
