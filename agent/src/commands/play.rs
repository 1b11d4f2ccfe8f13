//! `arc3 play`

use env_client::scorecard::{OpenScorecard, Scorecard};

use super::connect::{Connection, Unnamed, connect};
use crate::{
    cli::PlayArgs,
    episode::{Finished, Rules},
    exit::{Exit, Failure},
    interrupt::Interrupt,
    report::Report,
    session::{Manner, Session},
    settings::{Environment, Play, Recording},
    talk::{Loudness, print, say},
};

pub(super) async fn run(args: &PlayArgs, environment: &Environment, loudness: Loudness) -> Result<Exit, Failure> {
    let settings = Play::resolve(args, environment)?;
    settings.recording.as_ref().map_or(Ok(()), Recording::prepare)?;
    let mut interrupt = Interrupt::of_process();
    let opening = open(&settings, interrupt.clone(), loudness);
    let Some(opened) = interrupt.unless(opening).await else { return Ok(Exit::Interrupted) };
    let (session, connection) = opened?;
    let games = &connection.offers;
    let mut plays = Vec::new();
    session.play(games.clone(), &manner(&settings), |finished| plays.push(finished)).await;
    plays.sort_by_key(|play| games.iter().position(|offer| offer.id == play.game));
    let card = session.card().clone();
    let closed = session.close().await;
    let service = settings.service.name();
    let report = Report { service: &service, card: &card, plays: &plays, closed: closed.as_ref().ok() };
    if args.json {
        print(format_args!("{:#}\n", report.json()))?;
    } else {
        print(report)?;
    }
    Ok(verdict(&plays, games.len(), closed, &interrupt))
}

async fn open(settings: &Play, interrupt: Interrupt, loudness: Loudness) -> Result<(Session, Connection), Failure> {
    let connection = connect(&settings.service, &settings.games, Unnamed::One, settings.seed, loudness).await?;
    let request = OpenScorecard {
        tags: settings.tags.clone(),
        // The official service takes any value for yes.
        competition_mode: settings.competition.then_some(true),
        ..OpenScorecard::default()
    };
    let session = Session::open(connection.client.clone(), &request, loudness.bus(), interrupt).await?;
    Ok((session, connection))
}

fn manner(settings: &Play) -> Manner {
    Manner {
        policy: settings.policy,
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
