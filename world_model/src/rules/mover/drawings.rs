//! Drawings: what looks like a piece that moves and is none, such as one in a gauge.
//!
//! Twins are told apart by their rank among their like, and one that stays while the other goes may be asleep. One in the
//! outer lines of the frame, where gauges are drawn, that stays where it is under every arrow while another one of the very
//! same look goes is no piece: told by its rank alone it would be taken for one as soon as that passes it.

use env_client::Grid;
use rustc_hash::FxHashMap;

use super::{Instance, Placement, arrows::ARROWS};
use crate::rules::sprite::Vector;

/// Under all arrows, as bits.
const EVERY: u8 = (1 << ARROWS.len()) - 1;
/// Lines at each side of the frame in which gauges are drawn.
const RIM: i16 = 4;

/// Places in the outer lines where a piece of a class stayed while its like went, and the arrows under which it did.
#[derive(Clone, Debug, Default)]
pub(super) struct Drawings(FxHashMap<(usize, Vector), u8>);

impl Drawings {
    /// Takes out of the pieces of one class those that are only drawn, unless no other would be left.
    pub(super) fn leave_out(&self, pieces: &mut Vec<Instance>) {
        let is_drawn = |it: &Instance| self.0.get(&(it.class, it.at)) == Some(&EVERY);
        if self.0.is_empty() || pieces.iter().all(is_drawn) || !pieces.iter().any(is_drawn) {
            return;
        }
        pieces.retain(|it| !is_drawn(it));
        let of = pieces.len() as u8;
        for (rank, it) in pieces.iter_mut().enumerate() {
            (it.rank, it.of) = (rank as u8, of);
        }
    }

    /// Learns from what became of the pieces of a frame by a key, and forgets places where nothing looks like that any more.
    pub(super) fn learn(
        &mut self,
        (key, frame): (u64, &Grid),
        placements: &[Placement],
        is_seen: impl Fn(usize, Vector) -> bool,
    ) {
        self.0.retain(|(class, at), _| is_seen(*class, *at));
        let Some(arrow) = key.checked_sub(1).filter(|it| *it < ARROWS.len() as u64) else { return };
        let goes = |it: &Placement| it.came != Vector::ZERO;
        for it in placements.iter().filter(|it| is_outer(it.instance.at, frame)) {
            let place = (it.instance.class, it.instance.at);
            let is_like = |other: &Placement| other.instance.class == it.instance.class && other.pose == it.pose;
            if goes(it) {
                self.0.remove(&place);
            } else if placements.iter().any(|other| is_like(other) && goes(other)) {
                *self.0.entry(place).or_default() |= 1 << arrow;
            }
        }
    }
}

/// Whether a place lies in the outer lines of a frame.
fn is_outer(at: Vector, frame: &Grid) -> bool {
    let far = Vector::new(i16::from(frame.width()), i16::from(frame.height())).minus(at);
    at.x < RIM || at.y < RIM || far.x <= RIM || far.y <= RIM
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(x: i16, y: i16) -> Instance {
        Instance { class: 0, pose: 0, at: Vector::new(x, y), rank: 0, of: 2 }
    }

    fn placed(instance: Instance, by: (i16, i16)) -> Placement {
        let came = Vector::new(by.0, by.1);
        Placement { instance, wished: came, came, pose: 0 }
    }

    /// What is left of a drawing and a piece after the piece went by these keys.
    fn left(keys: &[u64], drawing: (i16, i16)) -> usize {
        let (mut drawings, frame) = (Drawings::default(), Grid::filled(64, 64, env_client::Color::of(0)));
        let (drawing, hero) = (piece(drawing.0, drawing.1), piece(30, 30));
        for key in keys {
            let placements = [placed(drawing, (0, 0)), placed(hero, (1, 0))];
            drawings.learn((*key, &frame), &placements, |_, _| true);
        }
        let mut pieces = vec![drawing, hero];
        drawings.leave_out(&mut pieces);
        pieces.len()
    }

    #[test]
    fn what_stays_in_the_outer_lines_under_every_arrow_while_its_like_goes_is_a_drawing() {
        assert_eq!(left(&[1, 2, 3, 4], (2, 1)), 1);
        assert_eq!(left(&[1, 2, 4, 4, 5, 6], (2, 1)), 2, "it may go by the third");
        assert_eq!(left(&[1, 2, 3, 4], (20, 20)), 2, "it may sleep");
    }

    #[test]
    fn the_only_one_is_the_piece_and_what_moved_or_is_gone_is_no_drawing() {
        let (mut drawings, frame) = (Drawings::default(), Grid::filled(64, 64, env_client::Color::of(0)));
        let (drawing, hero) = (piece(2, 1), piece(30, 30));
        let both = [placed(drawing, (0, 0)), placed(hero, (1, 0))];
        let learn = |drawings: &mut Drawings| (1..=4).for_each(|key| drawings.learn((key, &frame), &both, |_, _| true));
        learn(&mut drawings);
        let mut alone = vec![drawing];
        drawings.leave_out(&mut alone);
        assert_eq!(alone.len(), 1);
        drawings.learn((4, &frame), &[placed(drawing, (1, 0))], |_, _| true);
        assert!(drawings.0.is_empty());
        learn(&mut drawings);
        drawings.learn((4, &frame), &[], |_, _| false);
        assert!(drawings.0.is_empty());
    }
}
