//! Views that scroll, taken off everything that a policy sees: it plays in the whole world.
//!
//! Until it is sure that the view moves nothing is different. Then the policy is given up for a new one, which is told
//! the whole play so far, as it looks where nothing scrolls. The same is done where a world turns out to lie elsewhere in
//! the room there is for it: a map that moved would be another world. The price is the thought that goes into telling a
//! play again, a few times a level at most. See [`world_model::scrolling`].

use std::fmt;

use env_client::{Action, ActionSet, Command, Observation};
use world_model::{
    Bounds,
    scrolling::{Atlas, Scrolling},
};

use super::{Decision, Outcome, Policy};

/// Commands that are remembered. Of a longer play the newer half is told again.
const STORY: usize = 240;
/// The last frames of an animation that are remembered.
const LAYERS: usize = 16;

/// A policy that sees the whole world where a view scrolls.
pub(super) struct Panorama<P> {
    player: P,
    afresh: Box<dyn Fn() -> P + Send>,
    /// All commands and what came of them, where that is known.
    story: Vec<(Command, Option<Observation>)>,
    scrolling: Scrolling,
    /// What of the frame is in view, once that is sure to scroll.
    view: Option<Bounds>,
    atlas: Option<Atlas>,
    /// The newest observation as the policy saw it.
    shown: Option<Observation>,
    /// Whether the view was taken to scroll although it does not.
    mistaken: bool,
}

impl<P: Policy> Panorama<P> {
    /// Such a player, where each is made in the same way.
    pub(super) fn new(afresh: impl Fn() -> P + Send + 'static) -> Panorama<P> {
        Panorama {
            player: afresh(),
            afresh: Box::new(afresh),
            story: Vec::new(),
            scrolling: Scrolling::default(),
            view: None,
            atlas: None,
            shown: None,
            mistaken: false,
        }
    }

    /// Tells the policy what a command led to, as it looks where nothing scrolls.
    fn tell(&mut self, before: Option<&Observation>, command: Command, outcome: Outcome<'_>) {
        let Some(atlas) = &mut self.atlas else { return self.player.observe(before, command, outcome) };
        let Outcome::Seen(after) = outcome else {
            return self.player.observe(self.shown.as_ref().or(before), command, outcome);
        };
        let (known, seen) = atlas.step(before, command, after);
        self.player.observe(known.as_ref(), command, Outcome::Seen(&seen));
        self.shown = Some(seen);
    }

    /// Tells a new policy the whole play.
    fn tell_again(&mut self) {
        (self.player, self.shown) = ((self.afresh)(), None);
        let story = std::mem::take(&mut self.story);
        let mut before = None;
        for (command, seen) in &story {
            self.tell(before, *command, seen.as_ref().map_or(Outcome::Unknown, Outcome::Seen));
            before = seen.as_ref().or(before);
        }
        self.story = story;
    }

    /// The atlas of the play so far, once the view is sure to scroll.
    fn survey(&self) -> Option<Atlas> {
        let frames = self.story.iter().filter_map(|(_, seen)| seen.as_ref()?.settled());
        let mut atlas = self.scrolling.atlas(frames)?;
        let mut before = None;
        for (command, seen) in self.story.iter().filter_map(|(command, seen)| Some((command, seen.as_ref()?))) {
            atlas.step(before, *command, seen);
            before = Some(seen);
        }
        (!atlas.is_lost()).then(|| atlas.again())
    }

    fn remember(&mut self, command: Command, outcome: Outcome<'_>) {
        let seen = match outcome {
            Outcome::Seen(after) => {
                let layers = after.layers[after.layers.len().saturating_sub(LAYERS)..].to_vec();
                Some(Observation { layers, ..after.clone() })
            }
            Outcome::Unknown => None,
        };
        self.story.push((command, seen));
        if self.story.len() > STORY {
            self.story.drain(..STORY / 2);
            let known = self.story.iter().position(|(_, seen)| seen.is_some()).unwrap_or(self.story.len());
            self.story.drain(..known);
        }
    }

    /// Whether keys moved the view, as far as one more step tells.
    fn watch(&mut self, before: Option<&Observation>, command: Command, after: &Observation) {
        let Some(before) = before.filter(|it| it.levels_completed == after.levels_completed) else { return };
        if let (Command::Act(Action::Key(_)), Some(frame)) = (command, before.settled()) {
            self.scrolling.watch(frame, &after.layers);
        }
    }

    /// Begins to scroll once that is sure, and again where more turns out to be in view. Whether everything was told anew.
    fn unroll(&mut self, before: Option<&Observation>, command: Command, after: &Observation) -> bool {
        self.watch(before, command, after);
        let view = self.scrolling.view();
        if view.is_none() || view == self.view {
            return false;
        }
        self.view = view;
        let was = self.atlas.take();
        self.atlas = self.survey();
        self.mistaken = self.atlas.is_none();
        tracing::debug!(?view, mistaken = self.mistaken, "the view scrolls: the play is told again");
        let changes = self.atlas.is_some() || was.is_some();
        if changes {
            self.tell_again();
        }
        changes
    }

    /// Tells the play again where the map is drawn otherwise now, and as it was where views are found nowhere.
    fn redraw(&mut self) {
        let Some(atlas) = &mut self.atlas else { return };
        if atlas.is_lost() {
            tracing::debug!("the view does not scroll after all");
            (self.atlas, self.mistaken) = (None, true);
        } else if atlas.redraw() {
            tracing::debug!("the map is drawn otherwise: the play is told again");
            self.atlas = self.atlas.take().map(Atlas::again);
        } else {
            return;
        }
        self.tell_again();
    }
}

impl<P: Policy> Policy for Panorama<P> {
    fn name(&self) -> &'static str {
        self.player.name()
    }

    fn decide(&mut self, now: &Observation, actions: ActionSet) -> Decision {
        let Some(atlas) = &self.atlas else { return self.player.decide(now, actions) };
        let mut decision = self.player.decide(self.shown.as_ref().unwrap_or(now), actions);
        if let Command::Act(Action::Click(at)) = &mut decision.command {
            *at = atlas.find_again(*at);
        }
        // What is foreseen is another drawing than what will be seen.
        decision.forecast = None;
        decision
    }

    fn observe(&mut self, before: Option<&Observation>, command: Command, outcome: Outcome<'_>) {
        if self.mistaken {
            return self.player.observe(before, command, outcome);
        }
        self.remember(command, outcome);
        match outcome {
            Outcome::Seen(after) if self.unroll(before, command, after) => self.redraw(),
            _ => {
                self.tell(before, command, outcome);
                self.redraw();
            }
        }
    }

    fn defects(&self) -> u32 {
        self.player.defects()
    }
}

impl<P: fmt::Debug> fmt::Debug for Panorama<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Panorama")
            .field("player", &self.player)
            .field("scrolls", &self.atlas.is_some())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use env_client::{Color, Grid, Key, Point};

    use super::*;
    use crate::policy::{
        Who,
        tests::{observation, with},
    };

    /// All that players were told, one list each.
    type Told = Arc<Mutex<Vec<Vec<(Option<Grid>, Grid)>>>>;

    /// Clicks on the first cell of a colour, and notes what it is told.
    struct Scribe(Told, Color);

    impl Policy for Scribe {
        fn name(&self) -> &'static str {
            "scribe"
        }

        fn decide(&mut self, now: &Observation, _actions: ActionSet) -> Decision {
            let frame = now.settled().unwrap();
            let at = frame.points().find(|at| frame[*at] == self.1).unwrap();
            Decision::new(Action::Click(at), Who::Chance, "")
        }

        fn observe(&mut self, before: Option<&Observation>, _command: Command, outcome: Outcome<'_>) {
            let Outcome::Seen(after) = outcome else { return };
            let frame = |it: &Observation| it.settled().cloned().unwrap();
            self.0.lock().unwrap().last_mut().unwrap().push((before.map(frame), frame(after)));
        }
    }

    fn scribe() -> (Panorama<Scribe>, Told) {
        let told = Told::default();
        let list = Arc::clone(&told);
        let afresh = move || {
            list.lock().unwrap().push(Vec::new());
            Scribe(Arc::clone(&list), Color::of(6))
        };
        (Panorama::new(afresh), told)
    }

    /// Tiles of four by four that all look different, seven by seven of them in view from a column on, and a piece.
    fn view(column: u8) -> Observation {
        let mut frame = Grid::filled(40, 40, Color::of(5));
        let color = |x: u8, y: u8| {
            let (tile, inner) = ((column + x / 4, y / 4), (x % 4, y % 4));
            match (tile.0 * 7 + tile.1 * 3 + tile.0 * tile.1) % 5 {
                _ if (x / 4, y / 4) == (3, 3) => {
                    if inner.0 == inner.1 {
                        6
                    } else {
                        7
                    }
                }
                kind if inner.0 == kind => 1,
                kind if inner.1 >= kind => 2,
                _ => 3,
            }
        };
        for (x, y) in (0..28).flat_map(|y| (0..28).map(move |x| (x, y))) {
            frame.set(Point::new(x + 8, y + 4).unwrap(), Color::of(color(x, y)));
        }
        let ground = observation("0");
        with(frame, ground.status, 0, ground.available)
    }

    /// A walk by these columns.
    fn walk(player: &mut impl Policy, columns: &[u8]) {
        let mut before = None;
        for column in columns {
            let (after, command) = (view(*column), Action::Key(Key::Key4).into());
            player.observe(before.as_ref(), command, Outcome::Seen(&after));
            before = Some(after);
        }
    }

    #[test]
    fn a_view_that_stays_is_handed_on_as_it_is() {
        let (mut player, told) = scribe();
        walk(&mut player, &[4, 4, 5, 4]);
        let told = told.lock().unwrap();
        assert_eq!(told.len(), 1, "the same player");
        let seen: Vec<_> = told[0].iter().map(|it| it.1.clone()).collect();
        assert_eq!(seen, [4, 4, 5, 4].map(|column| view(column).layers[0].clone()));
    }

    #[test]
    fn once_the_view_is_sure_to_scroll_a_new_player_is_told_the_whole_play() {
        let (mut player, told) = scribe();
        walk(&mut player, &[4, 5, 6, 5, 6]);
        let told = told.lock().unwrap();
        assert!(told.len() > 1, "a new player");
        let new = told.last().unwrap();
        assert_eq!((told[0].len(), new.len()), (3, 5), "what the old one was told, and the new one");
        let [(_, first), (before, after)] = [&new[0], &new[4]];
        assert_eq!(before.as_ref(), Some(&new[3].1), "the frame before a step is the one after the last");
        assert_eq!(first.differences(after).unwrap().filter(|at| first[*at] == Color::of(6)).count(), 3);
    }

    #[test]
    fn clicks_on_the_map_are_clicks_on_the_view() {
        let (mut player, _) = scribe();
        walk(&mut player, &[4, 5, 6, 5, 6]);
        let now = view(6);
        let Command::Act(Action::Click(at)) = player.decide(&now, ActionSet::ALL).command else { panic!() };
        assert_eq!(now.layers[0][at], Color::of(6));
    }
}
