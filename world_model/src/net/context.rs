//! What a play has shown so far of how its kinds of tiles behave, whatever they are: what the nets read beside a frame.
//!
//! A net that was trained on other titles cannot know what a key does here, nor what a kind of tile is. It can know what to
//! make of it, once it is told by how far things went under this key, which kinds moved, which were moved onto and which
//! stopped what came.

use std::sync::Arc;

use super::{
    batch::ACTIONS,
    cast::Cast,
    habits::{Deed, Habits},
};
use crate::perception::TileMap;

/// Tiles that a thing moves at most along an axis, to be recognised.
const FAR: i16 = 4;

/// What of the votes for shifts stays with each that is seen, so that a key that does something else from now on is soon
/// believed. (A guess.)
const STAYS: f32 = 0.8;

/// What of them stays on tiles of another size: less than a single vote that is seen on those. (A guess.)
const REMAINS: f32 = 0.1;

/// A way that things go: columns and rows.
pub(super) type Shift = (i16, i16);

/// What was seen of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Known {
    /// How often it came to a place from where it was.
    pub(super) moved: f32,
    /// How often of these it was not pushed, since nothing changed behind it, nor did it come to light where something rarer
    /// went the other way.
    pub(super) alone: f32,
    /// How often something else came to where it was.
    pub(super) covered: f32,
    /// How often it stood before what moves and nothing happened.
    pub(super) stopped: f32,
    /// What one of its tiles became last.
    pub(super) becomes: Option<u8>,
    /// What came to light where it stood, when it moved last.
    pub(super) ground: Option<u8>,
}

/// Everything that was seen up to a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    /// How far things go under each action.
    pub(super) shifts: [Option<Shift>; ACTIONS],
    known: Arc<Vec<Known>>,
    /// How tiles took what happened to them.
    pub(super) habits: Habits,
    /// What each tile was before it became what it is, in the order of the map.
    pub(super) under: Arc<Vec<Option<u8>>>,
    /// Which thing has come to stand on each tile, as the kind that it was seen to move as, in the order of the map.
    things: Arc<Vec<Option<u8>>>,
    votes: [Vec<(Shift, f32)>; ACTIONS],
}

impl Context {
    /// What was seen of a kind.
    pub(super) fn known(&self, kind: u8) -> Known {
        self.known.get(usize::from(kind)).copied().unwrap_or_default()
    }

    /// Which thing stands on a tile: what it looks like, unless it is known to have come there as something else. On a mark a
    /// figure looks like nothing that ever moved, and moves on all the same.
    pub(super) fn thing(&self, map: &TileMap, at: usize) -> u8 {
        self.things.get(at).copied().flatten().unwrap_or(map.kinds()[at])
    }

    /// What an action does to a map, on which it clicks a tile or none.
    pub(super) fn deed(&self, action: u8, clicked: Option<usize>) -> Deed {
        Deed { action, clicked, shift: self.shifts[usize::from(action)].filter(|_| clicked.is_none()) }
    }

    /// The tiles lie anew, and their numbers stand for other kinds: all that is still known is by how many tiles things go
    /// under each action, and that is soon unlearned.
    pub(super) fn onward(&self) -> Context {
        let mut context = Context { shifts: self.shifts, votes: self.votes.clone(), ..Context::default() };
        context.votes.iter_mut().flatten().for_each(|(_, votes)| *votes *= REMAINS);
        context
    }

    /// An attempt begins: nothing is known of what lies under what.
    pub(super) fn begin(&mut self) {
        (self.under, self.things) = Default::default();
    }

    /// Learns from what came of an action.
    pub(super) fn learn(&mut self, before: &TileMap, (action, clicked): (u8, Option<usize>), after: &TileMap) {
        let number = usize::from(action);
        let Some(changed) = before.differences(after).map(Iterator::collect::<Vec<usize>>) else { return self.begin() };
        self.vote(number, before, after, &changed);
        let deed = self.deed(action, clicked);
        self.tally(before, after, &changed, self.shifts[number]);
        let cast = Cast::new(before, self, deed.shift);
        self.habits.learn((before, &cast), deed, after);
        self.follow(&cast.things, (before, after), &changed, deed.shift);
        self.cover(before, &changed);
    }

    /// Finds by how far the rarest things went that came from a place to another.
    fn vote(&mut self, number: usize, before: &TileMap, after: &TileMap, changed: &[usize]) {
        let counts = counts(before);
        let went = |shift: Shift| -> f32 {
            let came = changed.iter().filter_map(|at| {
                let from = step(before, *at, shift, -1).filter(|from| changed.binary_search(from).is_ok())?;
                let kind = before.kinds()[from];
                (kind == after.kinds()[*at]).then(|| 1.0 / f32::from(counts[usize::from(kind)]))
            });
            came.sum()
        };
        let shifts = (-FAR..=FAR).flat_map(|dy| (-FAR..=FAR).map(move |dx| (dx, dy))).filter(|shift| *shift != (0, 0));
        let length = |(dx, dy): Shift| dx.abs() + dy.abs();
        let best = shifts.map(|shift| (went(shift), shift)).filter(|(weight, _)| *weight > 0.0);
        let best = best.max_by(|a, b| a.0.total_cmp(&b.0).then(length(b.1).cmp(&length(a.1))));
        let Some((_, shift)) = best else { return };
        let votes = &mut self.votes[number];
        for (_, votes) in votes.iter_mut() {
            *votes *= STAYS;
        }
        match votes.iter_mut().find(|(known, _)| *known == shift) {
            Some((_, votes)) => *votes += 1.0,
            None => votes.push((shift, 1.0)),
        }
        self.shifts[number] = votes.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(shift, _)| *shift);
    }

    /// Counts which kinds moved, gave way and stopped what came.
    fn tally(&mut self, before: &TileMap, after: &TileMap, changed: &[usize], shift: Option<Shift>) {
        let counts = counts(before);
        let known = Arc::make_mut(&mut self.known);
        let kinds = before.kinds().iter().chain(after.kinds()).max().map_or(0, |most| usize::from(*most) + 1);
        known.resize(kinds.max(known.len()), Known::default());
        for at in changed {
            let [was, is] = [before, after].map(|map| map.kinds()[*at]);
            known[usize::from(was)].becomes = Some(is);
            let Some(shift) = shift else { continue };
            let from = step(before, *at, shift, -1).filter(|from| changed.binary_search(from).is_ok());
            let Some(from) = from.filter(|from| before.kinds()[*from] == is) else { continue };
            let is_pushed = step(before, from, shift, -1).is_some_and(|behind| changed.binary_search(&behind).is_ok());
            let is_rarer = counts[usize::from(is)] <= counts[usize::from(was)];
            let mover = &mut known[usize::from(is)];
            mover.moved += 1.0;
            mover.alone += if is_rarer && !is_pushed { 1.0 } else { 0.0 };
            mover.ground = Some(after.kinds()[from]);
            known[usize::from(was)].covered += 1.0;
        }
        let Some(shift) = shift else { return };
        for (at, kind) in before.kinds().iter().enumerate() {
            let stands = known[usize::from(*kind)].moved > 0.0 && after.kinds()[at] == *kind;
            if let Some(ahead) = neighbor(before, at, shift, 1).filter(|_| stands) {
                known[usize::from(ahead)].stopped += 1.0;
            }
        }
    }

    /// Follows things from where they were to where they came to stand.
    fn follow(
        &mut self,
        things: &[u8],
        (before, after): (&TileMap, &TileMap),
        changed: &[usize],
        shift: Option<Shift>,
    ) {
        let has_changed = |at: &usize| changed.binary_search(at).is_ok();
        let mut now = Vec::clone(&self.things);
        now.resize(things.len(), None);
        let Some(shift) = shift else {
            for at in changed {
                now[*at] = None;
            }
            self.things = Arc::new(now);
            return;
        };
        for at in changed {
            let from = step(before, *at, shift, -1).filter(has_changed);
            let came = from.map(|from| things[from]).filter(|thing| self.known(*thing).moved > 0.0);
            let looks = after.kinds()[*at];
            let has_left = step(before, *at, shift, 1).is_some_and(|ahead| has_changed(&ahead));
            now[*at] = match came {
                Some(_) if self.known(looks).moved > 0.0 => Some(looks),
                Some(thing) => Some(thing),
                None if has_left => None,
                None => now[*at],
            };
        }
        self.things = Arc::new(now);
    }

    /// Remembers what lies under what came.
    fn cover(&mut self, before: &TileMap, changed: &[usize]) {
        let under = Arc::make_mut(&mut self.under);
        under.resize(before.kinds().len(), None);
        for at in changed {
            under[*at] = Some(before.kinds()[*at]);
        }
    }

    /// The same with what a map that would come next has covered of the newest one.
    pub(super) fn beyond(&self, newest: Option<&TileMap>, map: &TileMap) -> Context {
        let mut context = self.clone();
        let changed = newest.and_then(|newest| Some((newest, newest.differences(map)?.collect::<Vec<usize>>())));
        match changed {
            Some((_, changed)) if changed.is_empty() => {}
            Some((newest, changed)) => {
                context.cover(newest, &changed);
                let mut things = Vec::clone(&context.things);
                changed.iter().filter_map(|at| things.get_mut(*at).map(|thing| *thing = None)).for_each(drop);
                context.things = Arc::new(things);
            }
            None => context.begin(),
        }
        context
    }
}

/// How often each kind is on a map.
fn counts(map: &TileMap) -> [u16; 256] {
    let mut counts = [0; 256];
    map.kinds().iter().for_each(|kind| counts[usize::from(*kind)] += 1);
    counts
}

/// The place so many shifts away from another, as it stands in the kinds of a map.
pub(super) fn step(map: &TileMap, at: usize, (dx, dy): Shift, times: i16) -> Option<usize> {
    let (x, y) = map.place(at);
    map.index(x + times * dx, y + times * dy)
}

/// The kind of that place.
pub(super) fn neighbor(map: &TileMap, at: usize, shift: Shift, times: i16) -> Option<u8> {
    step(map, at, shift, times).map(|at| map.kinds()[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn map(text: &str) -> TileMap {
        TileMap::of_cells(&text.parse().unwrap())
    }

    /// A figure 9 among walls 5 on a floor 1, the third key moves it to the right; a crate 7 is pushed.
    fn learned(frames: &[&str]) -> Context {
        let mut context = Context::default();
        for pair in frames.windows(2) {
            context.learn(&map(pair[0]), (3, None), &map(pair[1]));
        }
        context
    }

    #[test]
    fn a_key_moves_by_what_the_rarest_thing_went() {
        let context = learned(&["19111\n11111", "11911\n11111"]);
        assert_eq!(context.shifts[3], Some((1, 0)));
        assert_eq!(context.shifts[4], None);
    }

    #[test]
    fn what_acts_is_the_rarer_of_two_that_change_places() {
        // Twins go apart: the first one to the right, where the key is known to lead; so does the floor, under the other one.
        let context = learned(&["19111\n11118", "11911\n11181", "11191\n11811"]);
        let alone = [9, 1, 8].map(|kind| context.known(kind).alone as i32);
        assert_eq!(alone, [2, 0, 0]);
    }

    #[test]
    fn a_figure_on_a_mark_is_still_that_figure() {
        // On a mark 4 the figure 9 is drawn as 6.
        let context = learned(&["91141", "19141", "11941", "11161"]);
        assert_eq!((context.thing(&map("11161"), 3), context.thing(&map("11161"), 1)), (9, 1));
        assert_eq!(context.known(9).ground, Some(1));
        let context = learned(&["91141", "19141", "11941", "11161", "11149"]);
        assert_eq!((context.thing(&map("11149"), 3), context.thing(&map("11149"), 4)), (4, 9));
    }

    #[test]
    fn what_a_key_does_is_known_on_other_tiles_until_it_does_something_else() {
        let mut context = learned(&["19111", "11911", "11191", "11119"]).onward();
        assert_eq!((context.shifts[3], context.known(9)), (Some((1, 0)), Known::default()));
        context.learn(&map("2227"), (3, None), &map("2722"));
        assert_eq!(context.shifts[3], Some((-2, 0)));
    }

    #[test]
    fn what_moved_what_gave_way_and_what_stopped_it_is_counted_by_kind() {
        let context = learned(&["97115", "19715", "11975", "11975"]);
        let known = |moved, covered, stopped| Known { moved, covered, stopped, ..Known::default() };
        let counted = |kind| Known { alone: 0.0, becomes: None, ground: None, ..context.known(kind) };
        assert_eq!(counted(9), known(2.0, 0.0, 0.0), "the figure");
        assert_eq!(
            counted(7),
            known(2.0, 2.0, 1.0),
            "the crate: moved, moved onto, and stood before the figure in vain"
        );
        assert_eq!(counted(1), known(0.0, 2.0, 0.0), "the floor");
        assert_eq!(counted(5), known(0.0, 0.0, 1.0), "the wall");
    }

    #[test]
    fn what_lies_under_a_figure_is_what_it_came_upon() {
        let context = learned(&["9141", "1941"]);
        assert_eq!(*context.under, [Some(9), Some(1), None, None]);
        let beyond = context.beyond(Some(&map("1941")), &map("1191"));
        assert_eq!(*beyond.under, [Some(9), Some(9), Some(4), None]);
        assert!(context.beyond(None, &map("1191")).under.is_empty(), "of another attempt nothing is known");
    }

    #[test]
    fn what_a_kind_became_and_of_what_comes_is_remembered() {
        let context = learned(&["9141", "1941", "1181"]);
        assert_eq!(context.known(4).becomes, Some(8));
        let now = map("94");
        let becomes = |key: u8| {
            context.habits.becomes((&now, &Cast::new(&now, &context, Some((1, 0)))), 1, context.deed(key, None))
        };
        assert_eq!((becomes(3), becomes(4)), (Some(8), None));
    }
}
