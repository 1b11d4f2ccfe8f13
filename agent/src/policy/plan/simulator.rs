//! The planner that is never wrong about what comes next: the ceiling for every model of the world.
//!
//! Goals, searches and exploration are the planner's, and what things are (pieces, what they go for, what goes its own
//! way) is told by what it learned. What an action leads to is told by the game itself, in a fork of the play. A search
//! that comes upon a winning step so knows it; none goes out for one. The price: a level that is won so says nothing of
//! what such levels want, and skills, which have models of their own, gain nothing. [`Told::AllButWins`] is the same
//! where only what moves how is told: the ceiling for what rules can learn of a level before it is won.

use std::{cell::RefCell, collections::HashMap};

use env_client::{Action, ActionSet, Command, Grid, Observation, Point, Status};
use world_model::{Advance, Foresight, Joint, Outcome, Prediction, Source, Start, State, Transition, WorldModel};

use super::Plan;
use crate::policy::{
    self, Decision, Nets, Policy,
    echo::Unmarked,
    world::{World, Worlds},
};

/// Looks that are remembered of a level, of which each takes some 100 bytes.
const LOOKS: usize = 1 << 20;

/// What the game tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Told {
    /// All that comes of an action.
    #[default]
    All,
    /// All but what wins: that is left to what was learned.
    AllButWins,
}

impl Told {
    /// The name of the planner that is told this.
    pub(in crate::policy) const fn policy(self) -> &'static str {
        match self {
            Told::All => "plan-simulator",
            Told::AllButWins => "plan-simulator-no-wins",
        }
    }
}

/// A planner that foresees by the worlds of the games it plays.
pub(in crate::policy) fn plan_simulator(told: Told, seed: u64, nets: &Nets, worlds: Worlds) -> Box<dyn Policy> {
    let plan = Plan::with_model(Simulator { told, ..Simulator::default() }, seed).imagining(nets);
    Box::new(Foresighted { player: Unmarked::new(plan), worlds })
}

/// Keeps the planner's play of its own beside the one that is played.
struct Foresighted {
    player: Unmarked<Plan<Simulator>>,
    worlds: Worlds,
}

impl Policy for Foresighted {
    fn name(&self) -> &'static str {
        self.player.player.model.told.policy()
    }

    fn decide(&mut self, now: &Observation, actions: ActionSet) -> Decision {
        self.player.decide(now, actions)
    }

    /// # Panics
    /// The two plays go apart.
    fn observe(&mut self, before: Option<&Observation>, command: Command, outcome: policy::Outcome<'_>) {
        let policy::Outcome::Seen(after) = outcome else {
            panic!("the answer to {command} was lost, and nobody knows whether it was carried out")
        };
        self.player.player.model.follow(command, after, &self.worlds);
        self.player.observe(before, command, outcome);
    }
}

/// What the game is going to do, and what was learned of it.
#[derive(Default)]
struct Simulator {
    told: Told,
    learned: Joint,
    /// The play as it is, and as it was before the newest command.
    now: Option<Moment>,
    before: Option<Moment>,
    tried: RefCell<Tried>,
}

/// A play that shows something.
struct Moment {
    world: Box<dyn World>,
    shows: Grid,
    levels: u16,
}

impl Moment {
    /// What an action leads to from here, and the play after it.
    fn after(&self, action: Action) -> Option<(Outcome, Moment)> {
        let mut world = self.world.fork();
        let answer = world.step(action.into());
        let outcome = match answer.status {
            _ if answer.levels_completed > self.levels => Outcome::Solved,
            Status::Win => Outcome::Solved,
            Status::GameOver => Outcome::Lost,
            Status::NotFinished | Status::NotPlayed => Outcome::Continues,
        };
        let shows = answer.layers.into_iter().next_back()?;
        Some((outcome, Moment { world, shows, levels: answer.levels_completed }))
    }
}

/// The states that were handed out since the newest command: `hidden` of each is its number.
#[derive(Default)]
struct Tried {
    /// The number before that of the first one: none is given twice, and none is 0.
    offset: u64,
    /// The plays they stand for, and what the learned model takes them for.
    entries: Vec<(Moment, State)>,
    /// States of this level by their looks. The place of a state among those that look like it is its `unseen`.
    alike: HashMap<u64, Vec<u64>>,
}

impl Tried {
    fn forget(&mut self) {
        self.offset += self.entries.len() as u64;
        self.entries.clear();
    }

    fn get(&self, state: &State) -> Option<&(Moment, State)> {
        let index = state.hidden.checked_sub(self.offset + 1)?;
        self.entries.get(index as usize)
    }

    /// The state that stands for a play, which the learned model takes for another one.
    fn add(&mut self, moment: Moment, learned: State) -> State {
        let (look, state) = moment.world.digest();
        let unseen = self.rank(look, state);
        let frame = moment.shows.clone();
        self.entries.push((moment, learned));
        State { hidden: self.offset + self.entries.len() as u64, unseen, ..State::seen(frame) }
    }

    fn rank(&mut self, look: u64, state: u64) -> u64 {
        if self.alike.len() >= LOOKS {
            self.alike.clear();
        }
        let alike = self.alike.entry(look).or_default();
        let known = alike.iter().position(|it| *it == state);
        known.unwrap_or_else(|| {
            alike.push(state);
            alike.len() - 1
        }) as u64
    }
}

impl Simulator {
    /// Does in its own play what was done in the game.
    ///
    /// # Panics
    /// The game showed something else: then all that is foreseen is wrong.
    fn follow(&mut self, command: Command, seen: &Observation, worlds: &Worlds) {
        let game = &seen.game;
        let fork = self.now.as_ref().map(|now| now.world.fork());
        let world = fork.or_else(|| worlds.open(game));
        let mut world = world.unwrap_or_else(|| panic!("nobody here knows the rules of {game}"));
        let answer = world.step(command);
        if self.now.is_some() && answer.full_reset && !seen.full_reset {
            return; // Where a RESET may not restart the whole game, it does nothing at the start of a level.
        }
        let difference = answer.difference(seen);
        assert!(difference.is_none(), "after {command}, {game} has {}", difference.unwrap_or_default());
        let Some(shows) = seen.settled().cloned() else { return };
        let moment = Moment { world, shows, levels: seen.levels_completed };
        self.before = self.now.replace(moment);
        self.tried.get_mut().forget();
    }

    /// The play that shows a frame: the newest one, or the one before it.
    fn moment(&self, frame: &Grid) -> Option<&Moment> {
        let is_old = self.now.as_ref().is_none_or(|now| now.shows != *frame);
        let old = self.before.as_ref().filter(|before| is_old && before.shows == *frame);
        old.or(self.now.as_ref())
    }

    /// Asks the learned model about what it takes a state for.
    fn ask<T>(&self, state: &State, question: impl FnOnce(&Joint, &State) -> T) -> T {
        let tried = self.tried.borrow();
        question(&self.learned, tried.get(state).map_or(state, |(_, learned)| learned))
    }

    /// What comes of an action, where something else was believed. What the learned model knows beyond the frame is its
    /// own to say. A state of an earlier decision is nobody's.
    fn truth(&self, state: &State, action: Action, believed: Prediction) -> Prediction {
        let Some((outcome, moment)) = self.tried.borrow().get(state).and_then(|(now, _)| now.after(action)) else {
            return Prediction::UNKNOWN;
        };
        if (self.told, outcome) == (Told::AllButWins, Outcome::Solved) {
            let next = believed.next.map(|it| State::seen(it.frame));
            return Prediction { next, ..believed };
        }
        let next = match outcome {
            Outcome::Continues => {
                let known = believed.next.unwrap_or_else(|| State::seen(moment.shows.clone()));
                let learned = State { frame: moment.shows.clone(), ..known };
                self.tried.borrow_mut().add(moment, learned)
            }
            Outcome::Solved | Outcome::Lost => state.clone(),
        };
        let source = if believed.source == Source::Memory { Source::Memory } else { Source::Simulator };
        Prediction { next: Some(next), outcome, confidence: 1.0, source }
    }
}

impl WorldModel for Simulator {
    fn begin(&mut self, frame: &Grid, start: Start) {
        if start == Start::Level {
            self.tried.get_mut().alike.clear();
        }
        self.learned.begin(frame, start);
    }

    fn observe(&mut self, transition: &Transition<'_>) {
        self.learned.observe(transition);
    }

    fn state(&self, frame: &Grid) -> State {
        let learned = self.learned.state(frame);
        let Some(Moment { world, shows, levels }) = self.moment(frame) else { return learned };
        let moment = Moment { world: world.fork(), shows: shows.clone(), levels: *levels };
        State { frame: frame.clone(), ..self.tried.borrow_mut().add(moment, learned) }
    }

    fn predict(&self, state: &State, action: Action) -> Prediction {
        let believed = self.ask(state, |model, it| model.predict(it, action));
        self.truth(state, action, believed)
    }

    fn foresee(&self, state: &State, action: Action) -> Foresight {
        let believed = self.ask(state, |model, it| model.foresee(it, action));
        Foresight { prediction: self.truth(state, action, believed.prediction), ..believed }
    }

    fn advances(&self, state: &State, action: Action) -> Vec<Advance> {
        self.ask(state, |model, it| model.advances(it, action))
    }

    fn driven(&self, state: &State, action: Action) -> Vec<Advance> {
        self.ask(state, |model, it| model.driven(it, action))
    }

    fn kin(&self, state: &State) -> Vec<Vec<Point>> {
        self.ask(state, WorldModel::kin)
    }

    fn looks(&self, state: &State) -> u64 {
        self.ask(state, WorldModel::looks)
    }

    fn still(&self, state: &State) -> Option<Grid> {
        self.ask(state, WorldModel::still)
    }

    fn collides(&self, state: &State, action: Action) -> bool {
        self.ask(state, |model, it| model.collides(it, action))
    }

    fn choices(&self, state: &State) -> Vec<Action> {
        self.ask(state, WorldModel::choices)
    }

    fn untried(&self, state: &State) -> Vec<Action> {
        self.ask(state, WorldModel::untried)
    }

    /// Nothing is doubted.
    fn disagreement(&self, _state: &State, _action: Action) -> f32 {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use env_client::{Color, Key};

    use super::*;
    use crate::policy::{tests::observation, world::Answer};

    const RIGHT: Action = Action::Key(Key::Key4);
    const SPACE: Action = Action::Key(Key::Key5);

    /// A piece on its way through four cells. The last one solves the level, but only where a light is on that nobody
    /// sees; else it is lost.
    #[derive(Clone, Copy, Debug, Default)]
    struct Corridor {
        at: u8,
        lit: bool,
        levels: u16,
    }

    impl Corridor {
        fn frame(self) -> Grid {
            let mut frame = Grid::filled(4, 1, Color::of(0));
            frame.set(env_client::Point::new(self.at, 0).unwrap(), Color::of(5));
            frame
        }
    }

    impl World for Corridor {
        fn step(&mut self, command: Command) -> Answer {
            match command {
                Command::Act(RIGHT) => self.at += 1,
                Command::Act(SPACE) => self.lit = !self.lit,
                _ => *self = Corridor { levels: self.levels, ..Corridor::default() },
            }
            let over = self.at == 3;
            self.levels += u16::from(over && self.lit);
            let status = if over && !self.lit { Status::GameOver } else { Status::NotFinished };
            Answer { layers: vec![self.frame()], status, levels_completed: self.levels, full_reset: false }
        }

        fn fork(&self) -> Box<dyn World> {
            Box::new(*self)
        }

        fn digest(&self) -> (u64, u64) {
            (self.at.into(), u64::from(self.at) << 1 | u64::from(self.lit))
        }
    }

    /// A simulator of a corridor at its beginning, and the state that it shows.
    fn simulator(told: Told) -> (Simulator, State) {
        let (start, mut simulator) = (observation("5000"), Simulator { told, ..Simulator::default() });
        let worlds = Worlds::new(|_| Some(Box::new(Corridor::default())));
        simulator.follow(Command::Reset, &start, &worlds);
        let frame = start.settled().unwrap();
        simulator.begin(frame, Start::Level);
        let state = simulator.state(frame);
        (simulator, state)
    }

    /// The states on a way from one that leads nowhere else.
    fn way(simulator: &Simulator, from: &State, actions: &[Action]) -> State {
        let step = |state: State, action: &Action| simulator.predict(&state, *action).next.unwrap();
        actions.iter().fold(from.clone(), step)
    }

    #[test]
    fn what_was_never_done_is_foreseen() {
        let (simulator, start) = simulator(Told::All);
        let outcome = |actions: &[Action]| {
            let prediction = simulator.foresee(&way(&simulator, &start, actions), RIGHT).prediction;
            (prediction.outcome, prediction.confidence, prediction.source)
        };
        assert_eq!(outcome(&[RIGHT]), (Outcome::Continues, 1.0, Source::Simulator));
        assert_eq!(outcome(&[RIGHT, RIGHT]), (Outcome::Lost, 1.0, Source::Simulator));
        assert_eq!(outcome(&[RIGHT, SPACE, RIGHT]), (Outcome::Solved, 1.0, Source::Simulator));
        assert_eq!(way(&simulator, &start, &[RIGHT]).frame, "0500".parse().unwrap());
    }

    #[test]
    fn what_wins_can_be_left_to_be_learned() {
        let (simulator, start) = simulator(Told::AllButWins);
        let end = |way: &[Action]| simulator.predict(&self::way(&simulator, &start, way), RIGHT);
        assert_eq!(end(&[RIGHT, RIGHT]).outcome, Outcome::Lost);
        assert_eq!(end(&[SPACE, RIGHT, RIGHT]), Prediction::UNKNOWN);
    }

    #[test]
    fn states_that_look_alike_are_told_apart_where_they_differ() {
        let (simulator, start) = simulator(Told::All);
        let dark = way(&simulator, &start, &[RIGHT]);
        let [lit, again] = [&[SPACE, RIGHT][..], &[RIGHT, SPACE]].map(|it| way(&simulator, &start, it));
        assert_eq!((dark.frame == lit.frame, lit.unseen == again.unseen), (true, true));
        assert_ne!(dark.unseen, lit.unseen);
        assert_eq!(dark.unseen, way(&simulator, &start, &[SPACE, SPACE, RIGHT]).unseen);
    }

    #[test]
    fn a_state_of_an_earlier_decision_is_nobodys() {
        let (mut simulator, start) = simulator(Told::All);
        simulator.follow(RIGHT.into(), &observation("0500"), &Worlds::default());
        assert_eq!(simulator.predict(&start, RIGHT), Prediction::UNKNOWN);
        let [old, new] = ["5000", "0500"].map(|it| simulator.state(&it.parse().unwrap()));
        let next = |state| simulator.predict(state, RIGHT).next.unwrap().frame;
        assert_eq!(
            [next(&old), next(&new)],
            ["0500", "0050"].map(|it| it.parse().unwrap()),
            "the frame before the newest one is still known"
        );
    }

    #[test]
    #[should_panic(expected = "after ACTION4, test has layer 0, which the simulator draws differently")]
    fn a_game_that_goes_another_way_is_an_error() {
        simulator(Told::All).0.follow(RIGHT.into(), &observation("0050"), &Worlds::default());
    }
}
