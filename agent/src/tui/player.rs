//! The state of the screen that shows a play, and how it changes. No terminal, no file, no clock.

use std::time::Duration;

use env_client::{Point, SIDE};

use super::{
    geometry::Zoom,
    intent::{Ask, Direction, Intent},
    prompt::Prompt,
};
use crate::replay::Index;

/// Steps a second, from slow to as fast as the screen is drawn.
const SPEEDS: [f64; 9] = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 200.0, 1000.0];

/// Where [`SPEEDS`] begins.
const FIRST_SPEED: usize = 3;

/// How long a layer within an animation stays while playing, unless the speed asks for less.
const LAYER_TIME: Duration = Duration::from_millis(60);

/// A search that is going on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// What for, in lower case.
    pub needle: String,
    /// The next step to look at.
    pub at: usize,
    /// How many are left to look at.
    pub left: usize,
    /// Which way.
    pub direction: Direction,
}

/// What moves by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motion {
    /// Nothing.
    #[default]
    Still,
    /// The layers of this step.
    Animation,
    /// The steps, with the layers of each.
    Play,
}

/// How the grid is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Whether overlays are hidden.
    pub plain: bool,
    /// Whether changes are not to stand out.
    pub calm: bool,
    /// How it is fitted in.
    pub zoom: Zoom,
    /// Where it begins when it is cut off.
    pub scroll: (u8, u8),
}

/// The state.
#[derive(Clone, Debug, Default)]
pub struct Player {
    /// The step that is to be shown.
    pub step: usize,
    /// The layer of it, from 0; it may be past the last, which stands for the last.
    pub layer: usize,
    /// What moves by itself.
    pub motion: Motion,
    /// Whether it stays at the last step as more come.
    pub at_end: bool,
    speed: usize,
    /// Time since the last step or layer.
    waited: Duration,
    /// Whether the keys are shown.
    pub help: bool,
    /// How the grid is drawn.
    pub look: Look,
    /// The question, while one is being typed.
    pub prompt: Option<(Ask, Prompt)>,
    /// The search that is going on.
    pub search: Option<Search>,
    /// What was last searched for.
    needle: String,
    /// The cell that is pointed at.
    pub hover: Option<Point>,
    /// Something to tell.
    pub message: Option<String>,
    /// A step that was asked for before it was known.
    pending: Option<usize>,
    /// Whether to leave.
    pub done: bool,
}

impl Player {
    /// The beginning of a play.
    pub fn new() -> Player {
        Player { speed: FIRST_SPEED, ..Player::default() }
    }

    /// The end of a play that goes on.
    pub fn live() -> Player {
        Player { at_end: true, ..Player::new() }
    }

    /// Whether steps move by themselves.
    pub fn is_playing(&self) -> bool {
        self.motion == Motion::Play
    }

    /// Steps a second.
    pub fn speed(&self) -> f64 {
        SPEEDS[self.speed]
    }

    /// Does what a person asks for.
    pub fn act(&mut self, intent: Intent, index: &Index, layers: usize) {
        if !matches!(intent, Intent::Hover(_)) {
            self.message = None;
        }
        match intent {
            Intent::Quit => self.done = true,
            Intent::TogglePlay => self.toggle_play(index),
            Intent::Step(by) => self.walk(by, index),
            Intent::Layer(direction) => self.turn_layer(direction, layers, index),
            Intent::Animate => (self.motion, self.layer, self.waited) = (Motion::Animation, 0, Duration::ZERO),
            Intent::LevelUp(direction) => self.jump_level(direction, index),
            Intent::Seek(step) => self.seek(step, index),
            Intent::End => {
                self.at_end = true;
                self.follow(index);
            }
            Intent::Speed(Direction::Forward) => self.speed = (self.speed + 1).min(SPEEDS.len() - 1),
            Intent::Speed(Direction::Back) => self.speed = self.speed.saturating_sub(1),
            Intent::Help => self.help = !self.help,
            Intent::Overlays => self.look.plain = !self.look.plain,
            Intent::Changes => self.look.calm = !self.look.calm,
            Intent::Zoom => self.look.zoom = self.look.zoom.other(),
            Intent::Scroll(x, y) => self.scroll(x, y),
            Intent::Ask(ask) => self.prompt = Some((ask, Prompt::default())),
            Intent::Type(letter) => self.prompt.iter_mut().for_each(|(_, prompt)| prompt.push(letter)),
            Intent::Erase => self.prompt.iter_mut().for_each(|(_, prompt)| prompt.erase()),
            Intent::Enter => self.enter(index),
            Intent::Escape => (self.prompt, self.search, self.help) = (None, None, false),
            Intent::SearchOn(direction) => self.search(direction, index),
            Intent::Hover(point) => self.hover = point,
        }
    }

    fn toggle_play(&mut self, index: &Index) {
        self.motion = if self.is_playing() { Motion::Still } else { Motion::Play };
        self.waited = Duration::ZERO;
        if self.is_playing() && Some(self.step) == index.last_step() && !self.at_end {
            (self.step, self.layer) = (0, usize::MAX);
        }
        self.at_end = false;
    }

    fn walk(&mut self, by: i64, index: &Index) {
        let target = i64::try_from(self.step).unwrap_or(i64::MAX).saturating_add(by).max(0);
        self.pause();
        self.show((target as usize).min(index.last_step().unwrap_or(0)));
    }

    fn pause(&mut self) {
        (self.motion, self.at_end, self.pending) = (Motion::Still, false, None);
    }

    /// Turns to a step, at its settled view.
    fn show(&mut self, step: usize) {
        (self.step, self.layer, self.waited, self.motion) = (step, usize::MAX, Duration::ZERO, Motion::Still);
    }

    fn turn_layer(&mut self, direction: Direction, layers: usize, index: &Index) {
        let last = layers.saturating_sub(1);
        let layer = self.layer.min(last);
        self.motion = Motion::Still;
        match direction {
            Direction::Forward if layer < last => self.layer = layer + 1,
            Direction::Back if layer > 0 => self.layer = layer - 1,
            Direction::Forward if Some(self.step) < index.last_step() => {
                self.walk(1, index);
                self.layer = 0;
            }
            Direction::Back if self.step > 0 => self.walk(-1, index),
            Direction::Forward | Direction::Back => {}
        }
    }

    fn jump_level(&mut self, direction: Direction, index: &Index) {
        let found = match direction {
            Direction::Forward => index.level_ups().find(|step| *step > self.step),
            Direction::Back => index.level_ups().rev().find(|step| *step < self.step),
        };
        match found {
            Some(step) => {
                self.pause();
                self.show(step);
            }
            None if direction == Direction::Forward => self.tell("no later level-up"),
            None => self.tell("no earlier level-up"),
        }
    }

    fn seek(&mut self, step: usize, index: &Index) {
        self.pause();
        match index.last_step() {
            Some(last) if step > last && index.ending.is_none() => {
                self.tell(&format!("step {step} is still being looked for"));
                self.pending = Some(step);
            }
            last => self.show(step.min(last.unwrap_or(0))),
        }
    }

    fn scroll(&mut self, x: i8, y: i8) {
        let moved = |from: u8, by: i8| from.saturating_add_signed(by).min(SIDE);
        let (left, top) = self.look.scroll;
        self.look.scroll = (moved(left, x), moved(top, y));
    }

    fn enter(&mut self, index: &Index) {
        match self.prompt.take() {
            Some((Ask::Step, prompt)) => match prompt.text().trim().parse() {
                Ok(step) => self.seek(step, index),
                Err(_) => self.tell(&format!("'{}' is no number of a step", prompt.text())),
            },
            Some((Ask::Text, prompt)) => {
                if !prompt.text().is_empty() {
                    self.needle = prompt.text().to_lowercase();
                }
                self.search(Direction::Forward, index);
            }
            None => {}
        }
    }

    fn search(&mut self, direction: Direction, index: &Index) {
        let all = index.marks.len();
        if self.needle.is_empty() || all == 0 {
            return self.tell("nothing to search for, / asks for a text");
        }
        self.pause();
        let at = neighbour(self.step, direction, all);
        self.search = Some(Search { needle: self.needle.clone(), at, left: all, direction });
    }

    /// Looks at one more step of the search, whose thought is `text`.
    pub fn look(&mut self, text: &str, index: &Index) {
        let Some(search) = &mut self.search else { return };
        let found = text.to_lowercase().contains(&search.needle);
        let at = search.at;
        search.left = search.left.saturating_sub(1);
        search.at = neighbour(at, search.direction, index.marks.len());
        if found {
            self.search = None;
            self.show(at);
        } else if search.left == 0 {
            let message = format!("'{}' is in no reasoning", search.needle);
            self.search = None;
            self.tell(&message);
        }
    }

    /// More of the play is known.
    pub fn follow(&mut self, index: &Index) {
        let last = index.last_step().unwrap_or(0);
        if let Some(step) = self.pending.filter(|step| *step <= last || index.ending.is_some()) {
            self.pending = None;
            self.message = None;
            self.show(step.min(last));
        }
        if self.at_end && self.step != last {
            self.show(last);
        }
    }

    /// Time passes. `layers` are those of the step that is shown. Whether anything changed.
    pub fn tick(&mut self, passed: Duration, index: &Index, layers: usize) -> bool {
        if self.motion == Motion::Still {
            return false;
        }
        self.waited += passed;
        let pace = Duration::from_secs_f64(1.0 / self.speed());
        let before = (self.step, self.layer);
        if self.layer.saturating_add(1) < layers {
            let pace = if self.is_playing() { pace.min(LAYER_TIME) } else { LAYER_TIME };
            self.spend(pace).then(|| self.layer += 1);
        } else if self.is_playing() {
            self.play_on(pace, index);
        } else {
            self.motion = Motion::Still;
        }
        before != (self.step, self.layer)
    }

    fn spend(&mut self, pace: Duration) -> bool {
        let enough = self.waited >= pace;
        if enough {
            self.waited -= pace;
        }
        enough
    }

    /// As many steps as time allows; where that is one, its animation is played.
    fn play_on(&mut self, pace: Duration, index: &Index) {
        let last = index.last_step().unwrap_or(0);
        let mut steps = 0;
        while self.step < last && self.spend(pace) {
            self.step += 1;
            steps += 1;
        }
        match steps {
            0 if self.step >= last && index.ending.is_some() => self.motion = Motion::Still,
            0 => {}
            1 => self.layer = 0,
            _ => self.layer = usize::MAX,
        }
    }

    fn tell(&mut self, message: &str) {
        self.message = Some(message.to_owned());
    }
}

fn neighbour(step: usize, direction: Direction, all: usize) -> usize {
    match direction {
        Direction::Forward => (step + 1) % all,
        Direction::Back => (step + all - 1) % all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::tests::index;

    fn act(player: &mut Player, index: &Index, intents: impl IntoIterator<Item = Intent>) {
        intents.into_iter().for_each(|intent| player.act(intent, index, 3));
    }

    fn typed(ask: Ask, text: &str) -> Vec<Intent> {
        [Intent::Ask(ask)].into_iter().chain(text.chars().map(Intent::Type)).chain([Intent::Enter]).collect()
    }

    #[test]
    fn steps_stay_within_the_play() {
        let (index, mut player) = (index(13), Player::new());
        act(&mut player, &index, [Intent::Step(-1)]);
        assert_eq!(player.step, 0);
        act(&mut player, &index, [Intent::Step(10), Intent::Step(10)]);
        assert_eq!(player.step, 12);
    }

    #[test]
    fn layers_are_turned_like_pages_into_the_next_step() {
        let (index, mut player) = (index(13), Player::new());
        act(&mut player, &index, [Intent::Layer(Direction::Back)]);
        assert_eq!((player.step, player.layer), (0, 0), "there is nothing before");
        act(&mut player, &index, [Intent::Seek(6)]);
        act(&mut player, &index, [Intent::Layer(Direction::Back)]);
        assert_eq!((player.step, player.layer), (6, 1));
        act(&mut player, &index, [Intent::Layer(Direction::Forward), Intent::Layer(Direction::Forward)]);
        assert_eq!((player.step, player.layer), (7, 0));
    }

    #[test]
    fn level_ups_are_jumped_to_both_ways() {
        let (index, mut player) = (index(13), Player::new());
        act(&mut player, &index, [Intent::LevelUp(Direction::Forward)]);
        assert_eq!(player.step, 5);
        act(&mut player, &index, [Intent::LevelUp(Direction::Forward), Intent::LevelUp(Direction::Forward)]);
        assert_eq!((player.step, player.message.as_deref()), (10, Some("no later level-up")));
        act(&mut player, &index, [Intent::LevelUp(Direction::Back)]);
        assert_eq!((player.step, player.message), (5, None));
    }

    #[test]
    fn a_typed_number_is_gone_to_and_anything_else_is_told() {
        let (index, mut player) = (index(13), Player::new());
        act(&mut player, &index, typed(Ask::Step, "7"));
        assert_eq!(player.step, 7);
        act(&mut player, &index, typed(Ask::Step, "900"));
        assert_eq!(player.step, 12);
        act(&mut player, &index, typed(Ask::Step, "x"));
        assert_eq!(player.message.as_deref(), Some("'x' is no number of a step"));
        act(&mut player, &index, [Intent::Ask(Ask::Step), Intent::Type('3'), Intent::Erase, Intent::Escape]);
        assert_eq!((player.step, player.prompt), (12, None));
    }

    #[test]
    fn a_step_that_is_not_known_yet_is_shown_when_it_is() {
        let (whole, mut part, mut player) = (index(13), index(4), Player::new());
        part.ending = None;
        act(&mut player, &part, [Intent::Seek(9)]);
        assert_eq!(player.step, 0);
        player.follow(&part);
        assert_eq!(player.step, 0);
        player.follow(&whole);
        assert_eq!(player.step, 9);
    }

    #[test]
    fn a_search_goes_round_and_comes_to_an_end() {
        let (index, mut player) = (index(13), Player::new());
        act(&mut player, &index, typed(Ask::Text, "Step 4"));
        while let Some(search) = player.search.clone() {
            player.look(&format!("step {}", search.at), &index);
        }
        assert_eq!(player.step, 4);
        act(&mut player, &index, [Intent::SearchOn(Direction::Back)]);
        while let Some(search) = player.search.clone() {
            player.look("nothing", &index);
            assert!(search.left <= 13);
        }
        assert_eq!((player.step, player.message.as_deref()), (4, Some("'step 4' is in no reasoning")));
    }

    #[test]
    fn playing_takes_its_time_shows_layers_and_stops_at_the_end() {
        let (index, mut player) = (index(13), Player::new());
        act(&mut player, &index, [Intent::TogglePlay]);
        assert!(!player.tick(Duration::from_millis(199), &index, 1));
        assert!(player.tick(Duration::from_millis(1), &index, 1), "five steps a second");
        assert_eq!((player.step, player.layer), (1, 0));
        player.step = 6;
        assert!(player.tick(Duration::from_millis(60), &index, 3));
        assert_eq!((player.step, player.layer), (6, 1));
        act(&mut player, &index, std::iter::repeat_n(Intent::Speed(Direction::Forward), 9));
        player.tick(Duration::from_secs(1), &index, 1);
        assert_eq!(player.step, 12);
        player.tick(Duration::from_secs(1), &index, 1);
        assert!(!player.is_playing());
        act(&mut player, &index, [Intent::TogglePlay]);
        assert_eq!((player.step, player.is_playing()), (0, true), "played to the end, it begins anew");
    }

    #[test]
    fn the_end_is_stayed_at_until_something_else_is_asked_for() {
        let (mut player, grown) = (Player::live(), index(13));
        player.follow(&index(4));
        assert_eq!(player.step, 3);
        player.follow(&grown);
        assert_eq!(player.step, 12);
        act(&mut player, &grown, [Intent::Step(-2)]);
        player.follow(&index(20));
        assert_eq!(player.step, 10);
        act(&mut player, &grown, [Intent::End]);
        assert_eq!(player.step, 12);
    }

    #[test]
    fn an_animation_plays_once() {
        let (index, mut player) = (index(13), Player::new());
        act(&mut player, &index, [Intent::Seek(6), Intent::Animate]);
        assert_eq!(player.layer, 0);
        for _ in 0..9 {
            player.tick(LAYER_TIME, &index, 3);
        }
        assert_eq!((player.step, player.layer), (6, 2));
    }
}
