//! How tiles were seen to take what happens to them: whether they change when a thing of some kind comes to them, when a
//! key is pressed, or when something so far away is clicked.
//!
//! That a kind gives way and that a kind stops things is not enough to foretell a step: a wall stops a crate and a porter, a
//! crate is moved by a porter but not by the wall behind it. So it is counted for each kind and what comes to it, under
//! this key and under any; and for clicks by how far away they were, on what.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{
    cast::Cast,
    context::{Shift, step},
};
use crate::perception::TileMap;

/// Columns and rows from a click that are told apart; what is further along an axis counts as so far.
const REACH: i16 = 3;

/// Steps in which something was seen that count as all one can know: later ones weigh as much as the last of these.
const SURE: f32 = 16.0;

/// Numbers that say what is known of a habit: how often tiles changed, from -1 for never to 1 for always; whether they did
/// the last time; how often it was seen.
pub(super) const SAID: usize = 3;

/// Habits that can speak of a tile.
pub(super) const VOICES: usize = 3;

/// What is done to a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Deed {
    /// The number of the action.
    pub(super) action: u8,
    /// By how far things go under it, where that is known.
    pub(super) shift: Option<Shift>,
    /// The tile that is clicked.
    pub(super) clicked: Option<usize>,
}

/// Habits that are kept together: what one action teaches is in few of them, and plays share the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Group {
    Keys,
    Key(u8),
    Clicks,
    ClickOn(u8),
}

/// What happens to a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Case {
    /// A tile of a kind, whatever comes.
    Of(u8),
    /// A tile of the first kind, to which one of the second comes.
    Comes(u8, u8),
    /// A tile, of some kind or any, so many columns and rows from the click.
    Away(Option<u8>, i16, i16),
}

/// What was seen in one case.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Habit {
    /// Mean over the steps of the share of such tiles that changed, as -1 to 1.
    rate: f32,
    /// The same of the last step.
    last: f32,
    /// Steps.
    count: f32,
    /// What a tile became last.
    becomes: Option<u8>,
}

impl Habit {
    fn see(&mut self, Turn { changed, stayed, becomes }: Turn) {
        self.last = (changed - stayed) / (changed + stayed);
        self.count = (self.count + 1.0).min(SURE);
        self.rate += (self.last - self.rate) / self.count;
        self.becomes = becomes.or(self.becomes);
    }

    fn said(&self) -> [f32; SAID] {
        [self.rate, self.last, self.count.ln_1p() / SURE.ln_1p()]
    }
}

/// Tiles that took a step alike.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    changed: f32,
    stayed: f32,
    becomes: Option<u8>,
}

/// Everything that was seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Habits(Arc<FxHashMap<Group, Arc<FxHashMap<Case, Habit>>>>);

impl Habits {
    /// Learns from what came of an action.
    pub(super) fn learn(&mut self, (before, cast): (&TileMap, &Cast), deed: Deed, after: &TileMap) {
        let mut turns: FxHashMap<(Group, Case), Turn> = FxHashMap::default();
        for (at, (was, is)) in before.kinds().iter().zip(after.kinds()).enumerate() {
            for case in cases((before, cast), at, deed).into_iter().flatten() {
                let turn = turns.entry(case).or_default();
                if was == is {
                    turn.stayed += 1.0;
                } else {
                    turn.changed += 1.0;
                    turn.becomes = Some(*is);
                }
            }
        }
        let groups = Arc::make_mut(&mut self.0);
        for ((group, case), turn) in turns {
            let cases = groups.entry(group).or_default();
            let mut habit = cases.get(&case).copied().unwrap_or_default();
            habit.see(turn);
            if cases.get(&case) != Some(&habit) {
                Arc::make_mut(cases).insert(case, habit);
            }
        }
    }

    fn get(&self, (group, case): (Group, Case)) -> Option<&Habit> {
        self.0.get(&group)?.get(&case)
    }

    /// What is known of a tile if something is done, one habit after the other; 0 where nothing is known.
    pub(super) fn said(&self, map: (&TileMap, &Cast), at: usize, deed: Deed) -> [[f32; SAID]; VOICES] {
        cases(map, at, deed).map(|case| case.and_then(|case| self.get(case)).map_or([0.0; SAID], Habit::said))
    }

    /// What is known of the way that the thing on a tile tries to go, whatever it pushes: how often tiles such as the one
    /// ahead of the foremost thing gave way to it, from -1 to 1, and whether they did the last time. 0 for what does not try,
    /// and where nothing is known.
    pub(super) fn way(&self, (map, cast): (&TileMap, &Cast), at: usize, deed: Deed) -> [f32; 2] {
        let Some(shift) = deed.shift.filter(|_| cast.tries(at)) else { return [0.0; 2] };
        match step(map, cast.foremost(map, at, shift), shift, 1) {
            Some(ahead) => {
                let mut about_it = cases((map, cast), ahead, deed).into_iter().take(VOICES - 1).flatten();
                about_it.find_map(|case| self.get(case)).map_or([0.0; 2], |habit| [habit.rate, habit.last])
            }
            None => [-1.0; 2],
        }
    }

    /// What such a tile became last.
    pub(super) fn becomes(&self, map: (&TileMap, &Cast), at: usize, deed: Deed) -> Option<u8> {
        cases(map, at, deed).into_iter().flatten().find_map(|case| self.get(case)?.becomes)
    }
}

/// The habits that speak of a tile, those that say most of it first. What comes is told as the thing that it is.
fn cases((map, cast): (&TileMap, &Cast), at: usize, deed: Deed) -> [Option<(Group, Case)>; VOICES] {
    let own = map.kinds()[at];
    if let Some(click) = deed.clicked {
        let ((x, y), (left, top)) = (map.place(at), map.place(click));
        let [dx, dy] = [x - left, y - top].map(|away| away.clamp(-REACH, REACH));
        let on = Group::ClickOn(map.kinds()[click]);
        return [(on, Some(own)), (Group::Clicks, Some(own)), (on, None)]
            .map(|(group, kind)| Some((group, Case::Away(kind, dx, dy))));
    }
    let key = Group::Key(deed.action);
    let comes = deed.shift.and_then(|shift| step(map, at, shift, -1));
    let comes = comes.filter(|from| cast.tries(*from)).map(|from| Case::Comes(own, cast.things[from]));
    [comes.map(|case| (key, case)), comes.map(|case| (Group::Keys, case)), Some((key, Case::Of(own)))]
}

#[cfg(test)]
mod tests {
    use super::{super::context::Context, *};

    fn map(text: &str) -> TileMap {
        TileMap::of_cells(&text.parse().unwrap())
    }

    fn learned(action: u8, clicked: Option<usize>, frames: &[&str]) -> Context {
        let mut context = Context::default();
        for pair in frames.windows(2) {
            context.learn(&map(pair[0]), (action, clicked), &map(pair[1]));
        }
        context.begin();
        context
    }

    /// How often each habit of a tile says that it changes, and whether it did the last time.
    fn said(context: &Context, now: &str, at: usize, deed: Deed) -> [[i32; 2]; VOICES] {
        let now = map(now);
        let cast = Cast::new(&now, context, deed.shift);
        context.habits.said((&now, &cast), at, deed).map(|[rate, last, _]| [rate as i32, last as i32])
    }

    /// A figure 9 that the third key moves to the right on a floor 1, a crate 7 that it pushes, and a wall 5.
    fn crates() -> Context {
        learned(3, None, &["917115", "197115", "119715", "111975", "111975"])
    }

    #[test]
    fn what_stops_one_thing_is_told_from_what_gives_way_to_another() {
        let context = crates();
        let [under_key, under_any, _] = said(&context, "975917", 2, context.deed(3, None));
        assert_eq!((under_key, under_any), ([-1; 2], [-1; 2]), "the wall does not give way to a crate");
        assert_eq!(said(&context, "975917", 4, context.deed(3, None))[0], [1; 2], "the floor to the figure");
        assert_eq!(said(&context, "975917", 5, context.deed(3, None))[0], [0; 2], "what rests does not come");
        let other = Deed { shift: Some((1, 0)), ..context.deed(4, None) };
        let [under_key, under_any, of_key] = said(&context, "975917", 2, other);
        assert_eq!((under_key, of_key), ([0; 2], [0; 2]), "nothing is known of the other key");
        assert_eq!(under_any, [-1; 2]);
    }

    #[test]
    fn a_row_of_things_goes_where_the_foremost_may() {
        let context = crates();
        let way = |now: &str, at: usize| {
            let (now, deed) = (map(now), context.deed(3, None));
            context.habits.way((&now, &Cast::new(&now, &context, deed.shift)), at, deed).map(|share| share as i32)
        };
        assert_eq!((way("971", 0), way("971", 1), way("971", 2)), ([1; 2], [1; 2], [0; 2]));
        assert_eq!((way("975", 0), way("975", 1)), ([-1; 2], [-1; 2]));
        assert_eq!(way("119", 2), [-1; 2], "nothing goes off the map");
        assert_eq!(way("982", 0), [0; 2], "nothing is known of that");
    }

    #[test]
    fn a_click_is_known_by_how_far_away_it_was_and_on_what() {
        let context = learned(6, Some(1), &["121111", "323111"]);
        let rates =
            |at: usize, on: usize| said(&context, "112111", at, context.deed(6, Some(on))).map(|[rate, _]| rate);
        assert_eq!(rates(1, 2), [1, 1, 1], "beside such a tile");
        assert_eq!(rates(5, 2), [-1, -1, -1], "three away");
        assert_eq!(rates(1, 0), [0, 1, 0], "beside another one");
        let now = map("112111");
        let cast = Cast::new(&now, &context, None);
        assert_eq!(context.habits.becomes((&now, &cast), 3, context.deed(6, Some(2))), Some(3));
    }

    #[test]
    fn what_is_known_well_is_not_copied_for_every_step() {
        let known = learned(5, None, &["15"; 20]);
        let mut more = known.clone();
        more.learn(&map("15"), (5, None), &map("15"));
        let group = |context: &Context| Arc::clone(&context.habits.0[&Group::Key(5)]);
        assert!(Arc::ptr_eq(&group(&known), &group(&more)));
    }
}
