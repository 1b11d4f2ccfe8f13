//! What is known beyond a frame, as a part of a state: when bars tick, what was done last, where a piece is that is not
//! seen, what lies under others.

use std::sync::Arc;

use env_client::{Action, Color, Grid, Point};

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

    /// The newest ones of them.
    const fn newest(self, count: u32) -> u64 {
        self.0 & ((1 << (3 * count)) - 1)
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
    /// Actions since the level began.
    pub(super) time: u16,
    /// How many of the newest deeds are still to be answered by pieces: places that look alike differ in these.
    pub(super) late: u32,
    /// By how much a piece goes that keeps its motion: places that look alike differ in this, too.
    pub(super) speed: u16,
    /// A piece that answers to actions and lies under something.
    pub(super) unseen: Option<Instance>,
    /// What moved last.
    pub(super) motions: Arc<[Motion]>,
    /// What lies under pieces where it is not what was seen there last.
    pub(super) under: Arc<[(Point, Color)]>,
}

impl Hidden {
    /// The state that a frame shows; a piece whose number or place is too large for a code is left out.
    pub(super) fn state(self, frame: Grid) -> State {
        let time = u64::from(self.time) << TIME_BITS;
        let hidden = self.clock.code() | self.deeds.0 << Clock::BITS | time;
        let pending = u64::from(self.late) << LATE_BITS | self.deeds.newest(self.late);
        let speed = u64::from(self.speed) << SPEED_BITS;
        let unseen = self.unseen.and_then(code_of).unwrap_or(0) | pending << PIECE_BITS | speed;
        State { frame, hidden, unseen, motions: self.motions, under: self.under }
    }

    pub(super) fn of(state: &State) -> Hidden {
        let deeds = Deeds(state.hidden >> Clock::BITS & ((1 << Deeds::BITS) - 1));
        let (unseen, motions, under) = (instance_of(state.unseen), state.motions.clone(), state.under.clone());
        let late = (state.unseen >> PIECE_BITS >> LATE_BITS & 0x1f) as u32;
        let speed = (state.unseen >> SPEED_BITS) as u16;
        let time = (state.hidden >> TIME_BITS) as u16;
        Hidden { clock: Clock::from_code(state.hidden), deeds, time, late, speed, unseen, motions, under }
    }
}

/// Bits of a state's hidden code before the time, which takes 16 of those left.
const TIME_BITS: u32 = Clock::BITS + Deeds::BITS;

/// Bits of a state's code for what is not seen that hold a piece, those after them that hold pending deeds, and all those before
/// a speed, which takes 16.
const PIECE_BITS: u32 = 32;
const LATE_BITS: u32 = Deeds::BITS;
const SPEED_BITS: u32 = 48;

/// A piece in 25 bits: that there is one, its class, pose and corner, six bits each.
fn code_of(piece: Instance) -> Option<u64> {
    let parts = [piece.class as i64, piece.pose as i64, i64::from(piece.at.x), i64::from(piece.at.y)];
    let fits = parts.iter().all(|part| (0..64).contains(part));
    fits.then(|| parts.iter().fold(1, |code, part| code << 6 | *part as u64))
}

fn instance_of(code: u64) -> Option<Instance> {
    let part = |index: u32| code >> (6 * index) & 0x3f;
    let at = Vector::new(part(1) as i16, part(0) as i16);
    let is_piece = (code & ((1 << PIECE_BITS) - 1)) >> 24 == 1;
    is_piece.then(|| Instance { class: part(3) as usize, pose: part(2) as usize, at, rank: 0, of: 1 })
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
        let under = Arc::from([(Point::new(3, 4).unwrap(), Color::of(7))]);
        let hidden = Hidden {
            clock: Clock::default().advanced(3),
            deeds,
            time: u16::MAX,
            late: 2,
            speed: 0xfd02,
            unseen,
            motions,
            under,
        };
        let frame = Grid::filled(2, 2, Color::of(0));
        assert_eq!(Hidden::of(&hidden.clone().state(frame.clone())), hidden);
        let outside = Instance { class: 5, pose: 2, at: Vector::new(-1, 0), rank: 0, of: 1 };
        assert_eq!(Hidden { unseen: Some(outside), late: 0, speed: 0, ..hidden }.state(frame).unseen, 0);
    }

    #[test]
    fn states_that_look_alike_differ_in_what_is_still_to_be_answered() {
        let frame = Grid::filled(2, 2, Color::of(0));
        let after = |keys: [Key; 2], late| {
            let deeds = keys.map(Action::Key).into_iter().fold(Deeds::default(), Deeds::then);
            Hidden { deeds, late, ..Hidden::default() }.state(frame.clone()).unseen
        };
        let (up, down) = ([Key::Key3, Key::Key1], [Key::Key3, Key::Key2]);
        assert_eq!(after(up, 0), after(down, 0), "nobody answers late");
        assert_ne!(after(up, 1), after(down, 1));
        assert_eq!(after(up, 1), after([Key::Key4, Key::Key1], 1), "what was answered by now matters no more");
    }
}
