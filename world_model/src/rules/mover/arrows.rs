//! Which keys are arrows, and whether each of them goes where it does for the official player.
//!
//! Most games keep the four keys that the official player binds to arrows. One that takes pieces elsewhere shows that this
//! one does not, and what nobody pressed is not guessed any more. One direction more than there are such keys is one of the
//! fifth: then it is an arrow, and that of the four which never moved anything is none. A piece that stays and turns to
//! where it should go was no less steered than one that goes there.

use super::Vector;
use crate::rules::buttons::is_button;

/// What the keys 1 to 4 mean to the official player, as directions.
pub(super) const ARROWS: [Vector; 4] = [Vector::new(0, -1), Vector::new(0, 1), Vector::new(-1, 0), Vector::new(1, 0)];

/// The key that may be an arrow in the stead of one of those.
const FIFTH: usize = ARROWS.len() + 1;

/// Stays of one of the four that never moved anything after which it is believed to be no arrow, and moves of the fifth that
/// make it one then, however often walls stopped it. Guesses.
const SILENT: u16 = 4;
const MOVES: u16 = 2;

/// Where each key took the pieces that answer to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::rules) struct Arrows {
    /// By the number of the key, a bit for each of [`ARROWS`].
    ways: [u8; FIFTH + 1],
    /// How often the fifth moved one, and how often each key did not: what a belt carries along while a key is pressed was
    /// not moved by that.
    moved: u16,
    stayed: [u16; FIFTH + 1],
}

impl Arrows {
    /// A key took a piece this way.
    pub(super) fn learn(&mut self, number: u64, by: Vector) {
        if let Some(ways) = self.ways.get_mut(number as usize) {
            *ways |= bit(by);
        }
        self.moved = self.moved.saturating_add(u16::from(number as usize == FIFTH));
    }

    /// A key left a piece where it was, and turned it or not.
    pub(super) fn stayed(&mut self, number: u64, turned: bool) {
        if let Some(stayed) = self.stayed.get_mut(number as usize) {
            *stayed = stayed.saturating_add(u16::from(!turned || number as usize != FIFTH));
        }
    }

    /// Whether no key was seen to go only where another one does for the official player.
    pub(in crate::rules) fn are_as_usual(self) -> bool {
        let kept = |(own, arrow): (&u8, &Vector)| *own == 0 || own & bit(*arrow) != 0;
        self.ways[1..FIFTH].iter().zip(&ARROWS).all(kept)
    }

    /// Whether it is the number of a key that is an arrow, or of a button.
    pub(in crate::rules) fn contains(self, number: u64) -> bool {
        let [_, four @ .., fifth] = self.ways;
        let known = four.iter().fold(0, |all, own| all | own);
        let is_silent = |number: usize| four[number - 1] == 0 && self.stayed[number] >= SILENT;
        let is_sure = || self.moved >= MOVES && (1..FIFTH).any(is_silent);
        let is_mover = fifth.is_power_of_two() && (self.moved > self.stayed[FIFTH] || is_sure());
        let is_fifth = is_mover && known & fifth == 0 && four.contains(&0);
        match number as usize {
            FIFTH => is_fifth,
            number @ 1..FIFTH => !is_fifth || four[number - 1] != 0,
            number => is_button(number as u64),
        }
    }

    /// The way of an arrow, as far as it can be told: where it took pieces if keys are in another order than the usual one.
    pub(in crate::rules) fn way(self, number: u64) -> Option<Vector> {
        let own = self.ways.get(number as usize).filter(|_| self.contains(number))?;
        if self.are_as_usual() && number as usize != FIFTH {
            return ARROWS.get((number as usize).wrapping_sub(1)).copied();
        }
        own.is_power_of_two().then(|| ARROWS[own.trailing_zeros() as usize])
    }

    /// Whether another key was seen to go this way.
    pub(super) fn is_taken(self, number: u64, by: Vector) -> bool {
        let others = self.ways.iter().enumerate().filter(|(other, _)| *other as u64 != number);
        others.fold(0, |all, (_, own)| all | own) & bit(by) != 0
    }
}

/// The bit of a direction; none for what is askew.
fn bit(by: Vector) -> u8 {
    ARROWS.iter().position(|arrow| arrow.is_along(by)).map_or(0, |index| 1 << index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(ways: &[(u64, usize)]) -> Arrows {
        let mut arrows = Arrows::default();
        for (number, way) in ways {
            arrows.learn(*number, Vector::new(3 * ARROWS[*way].x, 3 * ARROWS[*way].y));
        }
        arrows
    }

    #[test]
    fn one_key_that_goes_elsewhere_tells_of_all() {
        assert!(Arrows::default().are_as_usual() && seen(&[(4, 3), (1, 0)]).are_as_usual());
        assert!(!seen(&[(4, 3), (1, 1)]).are_as_usual());
        assert!(seen(&[(4, 2), (4, 3)]).are_as_usual(), "mirrored twins");
        assert!(seen(&[(5, 0)]).are_as_usual(), "the fifth may go anywhere");
    }

    #[test]
    fn the_fifth_key_is_an_arrow_where_no_other_goes_its_way() {
        let arrows = |it: Arrows| (1..=7).filter(|number| it.contains(*number)).collect::<Vec<u64>>();
        assert_eq!(arrows(Arrows::default()), [1, 2, 3, 4]);
        let other = seen(&[(1, 0), (3, 3), (4, 2), (5, 1)]);
        assert_eq!(arrows(other), [1, 3, 4, 5]);
        assert!(other.is_taken(2, ARROWS[1]) && !other.is_taken(5, ARROWS[1]));
        assert_eq!([1, 2, 3, 5].map(|key| other.way(key)), [Some(ARROWS[0]), None, Some(ARROWS[3]), Some(ARROWS[1])]);
        assert_eq!([1, 5].map(|key| Arrows::default().way(key)), [Some(ARROWS[0]), None]);
        let mut carried = other;
        carried.stayed(5, true);
        assert_eq!(arrows(carried), [1, 3, 4, 5], "it turned");
        carried.stayed(5, false);
        assert_eq!(arrows(carried), [1, 2, 3, 4], "it was rather carried");
        (0..SILENT).for_each(|_| carried.stayed(2, true));
        assert_eq!(arrows(carried), [1, 2, 3, 4], "once it may have been carried");
        carried.learn(5, ARROWS[1]);
        carried.stayed(5, false);
        assert_eq!(arrows(carried), [1, 3, 4, 5], "the second key never moves anything");
        assert_eq!(arrows(seen(&[(1, 0), (4, 3), (5, 3)])), [1, 2, 3, 4], "it goes on where another one went");
        assert_eq!(arrows(seen(&[(1, 0), (2, 1), (3, 2), (4, 3), (5, 1)])), [1, 2, 3, 4]);
    }
}
