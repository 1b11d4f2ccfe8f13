//! `arc3 play`

use env_client::{
    CardId,
    scorecard::{OpenScorecard, Scorecard},
};

use super::{
    connect::{Connection, Unnamed, connect},
    nets, simulator,
    watch::{self, Place, Screen},
};
use crate::{
    cli::PlayArgs,
    episode::{Finished, Rules},
    events::Bus,
    exit::{Exit, Failure},
    interrupt::Interrupt,
    policy::{Nets, Worlds},
    report::Report,
    session::{Manner, Session},
    settings::{Environment, Play, Recording},
    talk::{Loudness, print, say},
    tui::{human, live::Tap},
};

pub(super) async fn run(args: &PlayArgs, environment: &Environment, loudness: Loudness) -> Result<Exit, Failure> {
    let settings = Play::resolve(args, environment)?;
    settings.recording.as_ref().map_or(Ok(()), Recording::prepare)?;
    let place = (args.watch || args.human).then(|| Place::find(environment)).transpose()?;
    simulator::check(settings.policy, &settings.service)?;
    let nets = nets::open(&settings.nets, settings.policy)?;
    let mut interrupt = Interrupt::of_process();
    let tap = Tap::default();
    let bus = if place.is_some() { watch::bus(&tap) } else { loudness.bus() };
    let opening = open(&settings, args.human, bus, interrupt.clone(), loudness);
    let Some(opened) = interrupt.unless(opening).await else { return Ok(Exit::Interrupted) };
    let (session, connection) = opened?;
    let played = match place {
        Some(place) if args.human => by_hand(&settings, &session, &connection, place, tap, &interrupt).await,
        place => {
            let screen = place.map(|place| place.watch(tap, interrupt.clone()));
            Played { plays: all(&manner(&settings, nets, connection.worlds()), &session, &connection).await, screen }
        }
    };
    let closed = close(session, played.screen).await?;
    let service = settings.service.name();
    let (card, plays, closed) = (&closed.0, &played.plays, closed.1);
    let report = Report { service: &service, card, plays, closed: closed.as_ref().ok() };
    if args.json {
        print(format_args!("{:#}\n", report.json()))?;
    } else {
        print(report)?;
    }
    // A person who leaves their own play has interrupted nothing.
    let left = args.human && closed.is_ok();
    Ok(if left { Exit::Done } else { verdict(plays, connection.offers.len(), closed, &interrupt) })
}

/// What was played, and the screen it was played on.
struct Played {
    plays: Vec<Finished>,
    screen: Option<Screen>,
}

/// Plays every game that is meant, several at a time.
async fn all(manner: &Manner, session: &Session, connection: &Connection) -> Vec<Finished> {
    let games = &connection.offers;
    let mut plays = Vec::new();
    session.play(games.clone(), manner, |finished| plays.push(finished)).await;
    plays.sort_by_key(|play| games.iter().position(|offer| offer.id == play.game));
    plays
}

/// Lets a person play the first of the games that are meant.
async fn by_hand(
    settings: &Play,
    session: &Session,
    connection: &Connection,
    place: Place,
    tap: Tap,
    interrupt: &Interrupt,
) -> Played {
    let mut plays = Vec::new();
    let mut screen = None;
    if let Some(game) = connection.offers.first() {
        let (table, human) = human::table(game.id.as_str(), tap.clone(), place.depth());
        screen = Some(place.play(table, tap, interrupt.clone()));
        let mut manner = manner(settings, Nets::default(), Worlds::default());
        // People are not cut off; the budget is for policies.
        manner.rules.max_actions = u32::MAX;
        plays.push(session.play_as(Box::new(human), game.clone(), &manner).await);
    }
    Played { plays, screen }
}

/// Closes the card, which must not wait for a person, and then waits until the screen is left.
async fn close(session: Session, screen: Option<Screen>) -> Result<(CardId, Result<Scorecard, Failure>), Failure> {
    let card = session.card().clone();
    let closed = session.close().await;
    if let Some(screen) = screen {
        screen.left().await?;
    }
    Ok((card, closed))
}

async fn open(
    settings: &Play,
    by_hand: bool,
    bus: Bus,
    interrupt: Interrupt,
    loudness: Loudness,
) -> Result<(Session, Connection), Failure> {
    let connection = connect(&settings.service, &settings.games, Unnamed::One, settings.seed, loudness).await?;
    if by_hand && connection.offers.len() > 1 {
        return Err(Failure::new(format!("a person plays one game, {} are meant", connection.offers.len()))
            .hint("name one: arc3 play GAME --human"));
    }
    let mut tags = settings.tags.clone();
    tags.extend(by_hand.then(|| human::NAME.to_owned()));
    let request = OpenScorecard {
        tags,
        // The official service takes any value for yes.
        competition_mode: settings.competition.then_some(true),
        ..OpenScorecard::default()
    };
    let session = Session::open(connection.client.clone(), &request, bus, interrupt).await?;
    Ok((session, connection))
}

fn manner(settings: &Play, nets: Nets, worlds: Worlds) -> Manner {
    Manner {
        policy: settings.policy,
        nets,
        worlds,
        seed: settings.seed,
        rules: Rules { max_actions: settings.max_actions, competition: settings.competition },
        recording: settings.recording.clone(),
        jobs: settings.jobs,
    }
}

fn verdict(plays: &[Finished], games: usize, closed: Result<Scorecard, Failure>, interrupt: &Interrupt) -> Exit {
    let unclosed = closed.map_err(say).is_err();
    if plays.len() < games && !interrupt.raised() {
        say(format_args!("error: {} of {games} games were not begun, the service is gone", games - plays.len()));
    }
    let begun = plays.iter().any(|play| play.play.is_some());
    let regular = plays.len() == games && plays.iter().all(|play| play.ended.stop.is_regular());
    match () {
        () if interrupt.raised() => Exit::Interrupted,
        () if !begun => Exit::CouldNotRun,
        () if unclosed || !regular => Exit::Short,
        () => Exit::Done,
    }
}
