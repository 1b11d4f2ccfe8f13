//! One play of a title: levels, resets, step limit, undo and the frames shown.

use std::{
    hash::{BuildHasher, Hash},
    sync::Arc,
};

use env_client::{Action, ActionId, ActionSet, Color, Command, Grid, Status};
use rustc_hash::FxBuildHasher;

use super::{Dice, Drain, Film, Input, MAX_LAYERS, Scene, Title, Variant, Verdict, step_limit, variant::Keymap};
use crate::prover::{ProofError, prove};

/// A game that is being played, whatever its title.
pub trait Environment: Send {
    /// Carries out one command, exactly as the official engine does:
    /// - RESET restarts the level, or the whole game when no action was taken since the level began or when it is won.
    /// - After `GAME_OVER` or `WIN` an action does nothing and shows no layer.
    /// - An action the title does not listen to is executed and counted, and changes nothing but the bar.
    /// - Solving a level shows its end and the start of the next one.
    fn step(&mut self, command: Command) -> Shown;

    /// Actions since the level began or was reset; RESET is none. At 0 a RESET restarts the whole game, which is what
    /// a server in competition mode has to know and prevent.
    fn actions_since_level_start(&self) -> u32;

    /// The same play, which from here on goes its own way.
    fn fork(&self) -> Box<dyn Environment>;

    /// How it looks and what it is, the step limit and what undo goes back to aside. A game that does not say is what it
    /// looks like.
    fn digest(&self) -> Digest {
        Digest::default()
    }
}

/// What tells one state of a level from others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Digest {
    /// Of what is shown, the step-limit bar aside.
    pub look: u64,
    /// Of all there is.
    pub state: u64,
}

/// What one command led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The animation, 64×64 each, the settled view last. Empty when the game is over, else at most [`MAX_LAYERS`].
    pub layers: Vec<Grid>,
    /// Where the play stands.
    pub status: Status,
    /// Levels solved since the game was (re)started.
    pub levels_completed: u16,
    /// Levels the title has.
    pub win_levels: u16,
    /// The actions it listens to.
    pub available: ActionSet,
    /// Whether the command restarted the whole game.
    pub full_reset: bool,
}

/// The levels of a title under a variant: how they start and how many actions they allow. Shared by all plays.
#[derive(Clone, Debug)]
pub(crate) struct Course<T> {
    pub(crate) levels: Arc<[Level<T>]>,
}

/// One level of a course.
#[derive(Clone, Debug)]
pub(crate) struct Level<T> {
    pub(crate) start: T,
    /// The fewest actions that solve it.
    pub(crate) optimal: u32,
}

impl<T: Title> Course<T> {
    /// Builds every level, and proves those that the seed has changed.
    pub(crate) fn new(variant: Variant) -> Result<Course<T>, ProofError> {
        let written = starts::<T>(Variant::default()).zip(T::ABOUT.optimal);
        let levels = starts::<T>(variant).zip(written).map(|(start, (written, optimal))| {
            let optimal = if start == written { *optimal } else { prove(&start)?.optimal() };
            Ok(Level { start, optimal })
        });
        Ok(Course { levels: levels.collect::<Result<_, _>>()? })
    }
}

/// How the levels of a title start under a variant.
pub(crate) fn starts<T: Title>(variant: Variant) -> impl Iterator<Item = T> {
    let dice = move |index| Dice::new(variant.seed, &format!("{} level {index}", T::ABOUT.stem));
    (0..T::ABOUT.optimal.len()).map(move |index| T::level(index, &mut dice(index)))
}

/// The engine around one title.
#[derive(Clone, Debug)]
pub(crate) struct Play<T> {
    course: Course<T>,
    keymap: Keymap,
    screen: Screen,
    level: usize,
    state: T,
    /// The states that undo goes back to, oldest first. Only changes are kept, and each has cost an action, so the
    /// step limit bounds it.
    past: Vec<T>,
    left: u32,
    /// Actions since the level began.
    actions: u32,
    levels_completed: u16,
    status: Status,
}

impl<T: Title> Play<T> {
    pub(crate) fn new(course: Course<T>, variant: Variant) -> Play<T> {
        let state = course.levels[0].start.clone();
        Play {
            keymap: Keymap::new(variant, T::ABOUT.controls),
            screen: Screen { scene: Scene::new(state.view()), palette: variant.palette() },
            level: 0,
            past: Vec::new(),
            left: step_limit(course.levels[0].optimal),
            actions: 0,
            levels_completed: 0,
            status: Status::NotPlayed,
            state,
            course,
        }
    }

    /// The state of the level being played.
    pub(crate) fn state(&self) -> &T {
        &self.state
    }

    /// Actions the step limit still allows in this level.
    pub(crate) fn left(&self) -> u32 {
        self.left
    }

    fn reset(&mut self) -> Shown {
        let full_reset = self.actions == 0 || self.status == Status::Win;
        if full_reset {
            self.levels_completed = 0;
            self.level = 0;
        }
        self.status = Status::NotFinished;
        let layers = self.begin();
        self.shown(layers, full_reset)
    }

    fn act(&mut self, action: Action) -> Shown {
        if matches!(self.status, Status::GameOver | Status::Win) {
            return self.shown(Vec::new(), false);
        }
        self.actions += 1;
        let mut film = Film::loaded();
        let before = self.state.clone();
        let verdict = self.apply(self.keymap.meant(action), &mut film);
        self.count(self.state != before);
        if T::ABOUT.has_undo() && action.id() != ActionId::Action7 && self.state != before {
            self.past.push(before);
        }
        let mut layers: Vec<Grid> = film.shots().iter().map(|shot| self.screen.show(shot, self.meter())).collect();
        layers.push(self.screen.show(&self.state, self.meter()));
        self.status = Status::NotFinished;
        match verdict {
            Verdict::Solved => layers.extend(self.advance()),
            Verdict::Playing if self.left > 0 => {}
            Verdict::Playing | Verdict::Lost => self.status = Status::GameOver,
        }
        layers.drain(..layers.len().saturating_sub(MAX_LAYERS));
        self.shown(layers, false)
    }

    /// Lets the title act, or takes its last change back.
    fn apply(&mut self, action: Action, film: &mut Film<T>) -> Verdict {
        let heard = T::ABOUT.controls.contains(action.id());
        if heard && action.id() == ActionId::Action7 {
            self.state = self.past.pop().unwrap_or_else(|| self.state.clone());
        }
        match Input::of(action, &self.state.view()) {
            Some(input) if heard => self.state.act(input, film),
            _ => Verdict::Playing,
        }
    }

    /// Counts the action just taken against the step limit.
    fn count(&mut self, effective: bool) {
        let drains = T::ABOUT.bar.is_some_and(|bar| effective || bar.drain == Drain::Every);
        self.left -= u32::from(drains);
    }

    /// Goes on to the next level and shows how it starts, or wins on the last one.
    fn advance(&mut self) -> Vec<Grid> {
        self.levels_completed += 1;
        if self.level + 1 == self.course.levels.len() {
            self.status = Status::Win;
            return Vec::new();
        }
        self.level += 1;
        self.begin()
    }

    /// Starts the current level and shows how it looks.
    fn begin(&mut self) -> Vec<Grid> {
        self.state = self.course.levels[self.level].start.clone();
        self.past.clear();
        self.actions = 0;
        self.left = self.limit();
        let intro = self.state.intro();
        intro.iter().chain([&self.state]).map(|state| self.screen.show(state, (self.left, self.left))).collect()
    }

    fn limit(&self) -> u32 {
        step_limit(self.course.levels[self.level].optimal)
    }

    /// Actions left, and allowed.
    fn meter(&self) -> (u32, u32) {
        (self.left, self.limit())
    }

    fn shown(&self, layers: Vec<Grid>, full_reset: bool) -> Shown {
        Shown {
            layers,
            status: self.status,
            levels_completed: self.levels_completed,
            win_levels: self.course.levels.len() as u16,
            available: T::ABOUT.controls,
            full_reset,
        }
    }
}

impl<T: Title> Environment for Play<T> {
    fn step(&mut self, command: Command) -> Shown {
        match command {
            Command::Reset => self.reset(),
            Command::Act(action) => self.act(action),
        }
    }

    fn actions_since_level_start(&self) -> u32 {
        self.actions
    }

    fn fork(&self) -> Box<dyn Environment> {
        Box::new(self.clone())
    }

    fn digest(&self) -> Digest {
        let mut scene = Scene::new(self.state.view());
        self.state.draw(&mut scene);
        Digest { look: hash(&scene.logical()), state: hash(&self.state) }
    }
}

fn hash(value: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(value)
}

/// Turns states into frames and keeps the memory for it.
#[derive(Clone, Debug)]
struct Screen {
    scene: Scene,
    palette: [Color; Color::COUNT],
}

impl Screen {
    /// The frame of a state, with its step-limit bar at `left` of `limit` actions.
    fn show<T: Title>(&mut self, state: &T, (left, limit): (u32, u32)) -> Grid {
        self.scene.clear(state.view());
        state.draw(&mut self.scene);
        let mut frame = self.scene.frame(&self.palette);
        if let Some(bar) = &T::ABOUT.bar {
            bar.draw(&mut frame, left, limit, &self.palette);
        }
        frame
    }
}

#[cfg(test)]
mod tests {
    use env_client::{Key, Point, SIDE};

    use super::{super::toy::Corridor, *};

    const UP: Command = key(Key::Key1);
    const LEFT: Command = key(Key::Key3);
    const RIGHT: Command = key(Key::Key4);
    const SPACE: Command = key(Key::Key5);
    const UNDO: Command = key(Key::Key7);

    const fn key(key: Key) -> Command {
        Command::Act(Action::Key(key))
    }

    /// A click on a column of the first corridor, whose cells are 8 wide and 24 down.
    fn click(column: u8) -> Command {
        Command::Act(Action::Click(Point::new(column * 8, SIDE / 2 - 1).unwrap()))
    }

    fn play() -> Play<Corridor> {
        let mut play = Play::new(Course::new(Variant::default()).unwrap(), Variant::default());
        play.step(Command::Reset);
        play
    }

    /// Number of layers, status, levels completed and full reset.
    fn gist(shown: &Shown) -> (usize, Status, u16, bool) {
        (shown.layers.len(), shown.status, shown.levels_completed, shown.full_reset)
    }

    #[test]
    fn a_reset_without_an_action_restarts_the_game_and_else_the_level() {
        let mut play = play();
        play.step(click(6));
        assert_eq!(gist(&play.step(RIGHT)), (3, Status::NotFinished, 1, false), "end, intro and start");
        play.step(RIGHT);
        assert_eq!(gist(&play.step(Command::Reset)), (2, Status::NotFinished, 1, false));
        assert_eq!(play.actions_since_level_start(), 0);
        assert_eq!(gist(&play.step(Command::Reset)), (1, Status::NotFinished, 0, true));
    }

    #[test]
    fn a_reset_right_after_a_level_was_solved_restarts_the_game() {
        let mut play = play();
        play.step(click(6));
        play.step(RIGHT);
        assert_eq!(gist(&play.step(Command::Reset)), (1, Status::NotFinished, 0, true));
    }

    #[test]
    fn after_the_last_level_only_a_reset_is_accepted() {
        let mut play = play();
        play.step(click(6));
        play.step(RIGHT);
        (0..7).for_each(|_| drop(play.step(RIGHT)));
        assert_eq!(gist(&play.step(RIGHT)), (1, Status::Win, 2, false));
        assert_eq!(gist(&play.step(LEFT)), (0, Status::Win, 2, false));
        assert_eq!(gist(&play.step(Command::Reset)), (1, Status::NotFinished, 0, true));
    }

    #[test]
    fn a_lost_game_is_over_until_its_level_is_reset() {
        let mut play = play();
        assert_eq!(gist(&play.step(UP)), (1, Status::GameOver, 0, false));
        assert_eq!(gist(&play.step(UNDO)), (0, Status::GameOver, 0, false));
        assert_eq!(play.actions_since_level_start(), 1);
        assert_eq!(gist(&play.step(Command::Reset)), (1, Status::NotFinished, 0, false));
    }

    #[test]
    fn the_game_is_over_when_the_bar_is_empty() {
        let mut play = play();
        let limit = step_limit(2);
        let statuses: Vec<Status> = (0..limit).map(|_| play.step(SPACE).status).collect();
        assert_eq!(statuses.iter().filter(|status| **status == Status::NotFinished).count(), limit as usize - 1);
        assert_eq!(play.step(SPACE).status, Status::GameOver);
    }

    #[test]
    fn undo_takes_back_the_last_change_and_costs_an_action() {
        let mut play = play();
        play.step(RIGHT);
        play.step(click(5));
        play.step(SPACE);
        let columns: Vec<i16> = (0..3).map(|_| (play.step(UNDO), play.state().at).1).collect();
        assert_eq!(columns, [1, 0, 0]);
        assert_eq!(play.actions_since_level_start(), 6);
        assert_eq!(play.left(), step_limit(2) - 6);
    }

    #[test]
    fn what_is_filmed_comes_before_what_settles() {
        let shown = play().step(click(3));
        let columns: Vec<_> = shown.layers.iter().map(|layer| layer.rows().nth(30).unwrap().to_vec()).collect();
        let places: Vec<_> = columns.iter().map(|row| row.iter().position(|color| *color == Color::of(9))).collect();
        assert_eq!(places, [Some(8), Some(16), Some(24), Some(24)]);
    }

    #[test]
    fn a_fork_goes_its_own_way() {
        let mut play = play();
        let mut fork = play.fork();
        assert_eq!(fork.digest(), play.digest());
        let there = fork.step(RIGHT);
        assert_ne!(fork.digest(), play.digest());
        assert_eq!((play.state().at, play.actions_since_level_start()), (0, 0));
        assert_eq!(play.step(RIGHT), there);
        assert_eq!(play.digest(), fork.digest());
    }

    #[test]
    fn what_the_step_limit_allows_makes_no_other_state() {
        let mut play = play();
        let before = play.digest();
        let shown = play.step(SPACE);
        assert_ne!(Some(&shown.layers[0]), play.fork().step(SPACE).layers.last(), "the bar drains");
        assert_eq!(play.digest(), before);
    }

    #[test]
    fn no_answer_has_more_layers_than_the_limit() {
        let mut film = Film::loaded();
        let state = Corridor { length: 8, at: 0, open: true };
        (0..2 * MAX_LAYERS).for_each(|_| film.shoot(&state));
        assert_eq!(film.shots().len(), MAX_LAYERS);
    }

    #[test]
    fn a_click_beside_the_world_counts_and_changes_nothing() {
        let mut play = play();
        let before = play.state().clone();
        play.step(Command::Act(Action::Click(Point::new(5, 5).unwrap())));
        assert_eq!((play.state(), play.actions_since_level_start()), (&before, 1));
    }
}
