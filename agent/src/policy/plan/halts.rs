//! Slots that may let a piece in that the model stops before them, or keep one that it lets fly on.
//!
//! Where a piece stops that is pushed or kicked is known of what it met before. That a slot of its own is another matter
//! cannot be known: it never came there. It is a hope worth a try, and so is a plan that goes on from there.

use std::collections::BTreeSet;

use env_client::{Color, Grid, Point};
use world_model::{Advance, Foresight, State};

use super::{arrange::Arrangement, things::place};

/// The states in which a piece that is taken along came to lie on one of the slots on its way, as nobody foresees.
pub(super) fn halts(frame: &Grid, foresight: &Foresight, wanted: &Arrangement) -> Vec<State> {
    let kept = foresight.driven.iter().flat_map(|piece| {
        let bounds = place(piece);
        let shifts = bounds.into_iter().flat_map(|it| wanted.pairs.iter().flat_map(move |pair| pair.shifts(frame, it)));
        let shifts: BTreeSet<(i8, i8)> = shifts.collect();
        shifts.into_iter().filter_map(|by| kept(frame, foresight, piece, by))
    });
    kept.map(State::seen).collect()
}

/// The frame in which a piece came to lie so far from where it is, on its way, and all else happened as foreseen.
fn kept(frame: &Grid, foresight: &Foresight, piece: &Advance, (dx, dy): (i8, i8)) -> Option<Grid> {
    let cells: Vec<(Point, Color)> =
        piece.from.iter().map(|at| Some((at.offset(dx, dy)?, frame.get(*at)?))).collect::<Option<_>>()?;
    let own: BTreeSet<Point> = piece.from.iter().copied().collect();
    let way: BTreeSet<Point> = piece.onto.iter().copied().collect();
    if !cells.iter().all(|(at, _)| own.contains(at) || way.contains(at)) {
        return None;
    }
    let foreseen = foresight.prediction.next.as_ref().map_or(frame, |it| &it.frame);
    let leaves = piece.from.iter().any(|at| frame.get(*at) != foreseen.get(*at));
    let mut kept = frame.clone();
    for at in frame.differences(foreseen)?.filter(|at| !way.contains(at)) {
        kept.set(at, foreseen[at]);
    }
    if let Some(ground) = around(frame, piece).filter(|_| !leaves) {
        for at in own {
            kept.set(at, ground);
        }
    }
    for (at, color) in cells {
        kept.set(at, color);
    }
    (kept != *foreseen).then_some(kept)
}

/// The commonest colour right around a piece.
fn around(frame: &Grid, piece: &Advance) -> Option<Color> {
    let own: BTreeSet<Point> = piece.from.iter().copied().collect();
    let ring = || (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
    let beside = own.iter().flat_map(|at| ring().filter_map(|(dx, dy)| at.offset(dx, dy)));
    let mut counts = [0u16; Color::COUNT];
    beside.filter(|at| !own.contains(at)).filter_map(|at| frame.get(at)).for_each(|it| counts[it.index()] += 1);
    Color::ALL.into_iter().max_by_key(|it| counts[it.index()]).filter(|it| counts[it.index()] > 0)
}

#[cfg(test)]
mod tests {
    use world_model::{InterfaceMask, Outcome, Prediction, Source};

    use super::*;
    use crate::policy::plan::{
        arrange::{Arrangements, Level},
        things::{Things, Under},
    };

    fn cells(picture: &str, color: u8) -> Vec<Point> {
        let frame: Grid = picture.parse().unwrap();
        frame.points().filter(|at| frame[*at] == Color::of(color)).collect()
    }

    /// What is hoped for when the piece 6 goes for all of the first row from the first frame, and the second one is foreseen.
    fn hopes(now: &str, then: &str) -> Vec<String> {
        let [before, after, first] =
            ["06000000\n00000000", "00600000\n00000000", now].map(|it| it.parse::<Grid>().unwrap());
        let things = |frame: &Grid| Things::of(frame, &InterfaceMask::new(), &[], Under::default());
        let mut arrangements = Arrangements::default();
        arrangements.watch(&things(&before), &things(&after), &after);
        let (mask, seen) = (InterfaceMask::new(), things(&first));
        let level = Level::still(&first, &seen, &mask);
        let wanted = arrangements.wanted(&level);
        let way = (2..8).map(|x| Point::new(x, 0).unwrap()).collect();
        let piece = Advance { from: cells(now, 6), onto: way, by: (6, 0), ..Advance::default() };
        let next = Some(State::seen(then.parse().unwrap()));
        let prediction = Prediction { next, outcome: Outcome::Continues, confidence: 1.0, source: Source::Rules };
        let foresight = Foresight { prediction, advances: Vec::new(), driven: vec![piece] };
        let hopes: BTreeSet<String> =
            wanted.iter().flat_map(|it| halts(&first, &foresight, it)).map(|it| it.frame.to_string()).collect();
        hopes.into_iter().collect()
    }

    #[test]
    fn a_slot_on_its_way_may_keep_what_flies() {
        let kept = hopes("06000700\n00000000", "00000706\n00000000");
        assert_eq!(kept.iter().map(|it| it.trim()).collect::<Vec<_>>(), ["00000600\n00000000"]);
    }

    #[test]
    fn a_slot_that_is_believed_to_stop_it_may_let_it_in() {
        let kept = hopes("06700000\n00000000", "06700000\n00000000");
        assert_eq!(kept.iter().map(|it| it.trim()).collect::<Vec<_>>(), ["00600000\n00000000"]);
    }

    #[test]
    fn what_is_foreseen_is_no_hope() {
        assert!(hopes("06700000\n00000000", "00600000\n00000000").is_empty());
    }

    #[test]
    fn a_slot_beside_its_way_keeps_nothing() {
        assert!(hopes("06000000\n00000700", "00000006\n00000700").is_empty());
    }
}
