//! The built-in games as worlds that a policy can try out: the ceiling that `plan-simulator` is.

use env_client::{Command, GameId};
use games::{Environment, server};

use crate::{
    exit::Failure,
    policy::{Answer, Kind, World, Worlds},
    settings::{Service, Target},
};

/// Whether a policy can be played there: what needs the rules of a game, on the built-in games alone.
pub(super) fn can_play(policy: Kind, service: &Service) -> bool {
    !matches!(policy, Kind::PlanSimulator(_)) || service.target == Target::Embedded
}

/// Refuses a policy that needs rules which nobody here knows.
pub(super) fn check(policy: Kind, service: &Service) -> Result<(), Failure> {
    if can_play(policy, service) {
        return Ok(());
    }
    let failure = Failure::new(format!(
        "{policy} foresees by the rules themselves, and nobody here knows those of the \
                                        games of {}",
        service.name()
    ));
    Err(failure.hint("it plays the built-in games alone: leave out --server and --online"))
}

/// The worlds of these games, in the guise in which they are served.
pub(super) fn worlds(games: Vec<server::Offer>) -> Worlds {
    Worlds::new(move |game: &GameId| {
        let offer = games.iter().find(|offer| offer.id() == game)?;
        Some(Box::new(Tried(offer.open())))
    })
}

/// A play that nobody sees.
struct Tried(Box<dyn Environment>);

impl World for Tried {
    fn step(&mut self, command: Command) -> Answer {
        let shown = self.0.step(command);
        Answer {
            layers: shown.layers,
            status: shown.status,
            levels_completed: shown.levels_completed,
            full_reset: shown.full_reset,
        }
    }

    fn fork(&self) -> Box<dyn World> {
        Box::new(Tried(self.0.fork()))
    }

    fn digest(&self) -> (u64, u64) {
        let digest = self.0.digest();
        (digest.look, digest.state)
    }
}

#[cfg(test)]
mod tests {
    use env_client::{Action, Observation, PlayId, Status, Turn};
    use games::{Shown, Variant, catalog, server::Offer};

    use super::*;
    use crate::policy::{self, Nets, Outcome, Policy, Told};

    fn offer(stem: &str, seed: u64) -> Offer {
        let title = catalog().iter().find(|it| it.about.stem == stem).unwrap();
        Offer::of_title(title, Variant { seed }).unwrap()
    }

    /// The player in the worlds of another offer of the game, or of the same.
    fn player(worlds: &Offer) -> Box<dyn Policy> {
        policy::build(Kind::PlanSimulator(Told::All), 1, &Nets::default(), &self::worlds(vec![worlds.clone()]))
    }

    fn observation(game: &Offer, shown: Shown) -> Observation {
        Observation {
            game: game.id().clone(),
            play: "play".parse::<PlayId>().unwrap(),
            layers: shown.layers,
            status: shown.status,
            levels_completed: shown.levels_completed,
            win_levels: shown.win_levels,
            available: shown.available,
            full_reset: shown.full_reset,
        }
    }

    /// Plays so many actions, and counts forecasts that came true and all.
    fn play(game: &Offer, player: &mut dyn Policy, actions: usize) -> (usize, usize) {
        let mut environment = game.open();
        let mut now = observation(game, environment.step(Command::Reset));
        player.observe(None, Command::Reset, Outcome::Seen(&now));
        let (mut right, mut all) = (0, 0);
        for _ in 0..actions {
            let decision = match now.turn() {
                Turn::Play(available) => Some(player.decide(&now, available)),
                Turn::MustReset => None,
                Turn::Won => break,
            };
            let command = decision.as_ref().map_or(Command::Reset, |it| it.command);
            let after = observation(game, environment.step(command));
            let goes_on = after.status == Status::NotFinished && after.levels_completed == now.levels_completed;
            if let Some(forecast) = decision.and_then(|it| it.forecast).filter(|it| it.confidence.is_some()) {
                right += usize::from(goes_on && after.settled() == Some(&forecast.frame));
                all += 1;
            }
            player.observe(Some(&now), command, Outcome::Seen(&after));
            now = after;
        }
        (right, all)
    }

    #[test]
    fn what_is_foreseen_comes_true() {
        for stem in ["b137", "f346", "k371", "n759"] {
            for seed in [0, 3] {
                let game = offer(stem, seed);
                let (right, all) = play(&game, &mut *player(&game), 60);
                assert!(right == all && all > 30, "{stem} seed {seed}: {right} of {all}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "has layer 0, which the simulator draws differently")]
    fn a_world_that_is_not_the_game_is_an_error() {
        let (game, other) = (offer("b137", 0), offer("b137", 3));
        let worlds = Worlds::new(move |_| Some(Box::new(Tried(other.open()))));
        play(&game, &mut *policy::build(Kind::PlanSimulator(Told::All), 1, &Nets::default(), &worlds), 1);
    }

    #[test]
    #[should_panic(expected = "nobody here knows the rules of b137-")]
    fn a_game_that_nobody_knows_is_an_error() {
        play(&offer("b137", 0), &mut *player(&offer("k371", 0)), 1);
    }

    #[test]
    fn a_reset_that_a_competition_refuses_changes_nothing() {
        let game = offer("b137", 0);
        let (mut player, mut environment) = (player(&game), game.open());
        let start = observation(&game, environment.step(Command::Reset));
        player.observe(None, Command::Reset, Outcome::Seen(&start));
        let again = Observation { full_reset: false, ..start.clone() };
        player.observe(Some(&start), Command::Reset, Outcome::Seen(&again));
        let right = Action::Key(env_client::Key::Key4).into();
        let after = observation(&game, environment.step(right));
        player.observe(Some(&again), right, Outcome::Seen(&after));
    }

    #[test]
    fn it_plays_where_the_rules_are_known_and_nowhere_else() {
        let service = |target| Service { target, key: None };
        let elsewhere = service(Target::Server("http://127.0.0.1:1".parse().unwrap()));
        assert!(check(Kind::PlanSimulator(Told::All), &service(Target::Embedded)).is_ok());
        assert!(check(Kind::Plan, &elsewhere).is_ok());
        let error = check(Kind::PlanSimulator(Told::All), &elsewhere).unwrap_err().to_string();
        assert!(error.contains("those of the games of http://127.0.0.1:1") && error.contains("--server"), "{error}");
    }
}
