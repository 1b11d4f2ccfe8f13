//! `arc3 eval`

use std::path::{Path, PathBuf};

use env_client::{
    CardId,
    http::{Client, ClientConfig},
    scorecard::{OpenScorecard, Scorecard},
};

use super::{
    ablate,
    connect::{Connection, Unnamed, connect},
    nets, simulator,
};
use crate::{
    cli::EvalArgs,
    episode::{Finished, Rules},
    eval::{
        ClosedCard, Journal, JournalError, Line, Plan, PlayMeasured, Record, Results, Settings, Shard, ShardChoice,
        assemble, compare, labels, merge, print as tables, read, write,
    },
    exit::{Exit, Failure},
    interrupt::Interrupt,
    policy::{Nets, Worlds},
    select::Offer,
    session::{Manner, Session},
    settings::{Environment, Eval, Recording, Target},
    talk::{Loudness, print, say},
};

pub(super) async fn run(args: &EvalArgs, environment: &Environment, loudness: Loudness) -> Result<Exit, Failure> {
    match (args.compare.as_slice(), args.merge.as_slice(), &args.ablate) {
        ([a, b], _, _) => compare_files(a, b, args.json),
        (_, [_, ..], _) => merge_files(args, environment),
        (_, _, Some(arms)) => ablate::run(arms, Eval::resolve(args, environment)?, args.json, loudness).await,
        _ => evaluate(args, environment, loudness).await,
    }
}

async fn evaluate(args: &EvalArgs, environment: &Environment, loudness: Loudness) -> Result<Exit, Failure> {
    let mut settings = Eval::resolve(args, environment)?;
    let shard = args.shard.map(|choice| choice.resolve(|name| environment.get(name))).transpose()?;
    settings.out = place(&settings, args, shard);
    let out = settings.out.clone();
    simulator::check(settings.policy, &settings.service)?;
    let nets = nets::open(&settings.nets, settings.policy)?;
    let played = Evaluation::prepare(settings, nets, shard, loudness).await?.run().await?;
    played.results.map_or(Ok(()), |results| show(&results, &out, args.json))?;
    Ok(played.exit)
}

fn compare_files(a: &Path, b: &Path, json: bool) -> Result<Exit, Failure> {
    let comparison = compare::compare(&read(a)?, &read(b)?)?;
    if json {
        print(format_args!("{}\n", serde_json::to_string_pretty(&comparison)?))?;
    } else {
        print(format_args!("A {}\nB {}\n\n{comparison}", a.display(), b.display()))?;
    }
    Ok(Exit::Done)
}

fn merge_files(args: &EvalArgs, environment: &Environment) -> Result<Exit, Failure> {
    let out = Eval::resolve(args, environment)?.out;
    let parts = args.merge.iter().map(|path| Ok((path.display().to_string(), read(path)?)));
    let merged = merge::merge(parts.collect::<Result<_, Failure>>()?)?;
    write(&merged.results, &out)?;
    show(&merged.results, &out, args.json)?;
    for (what, pairs) in
        [("overlap: in several parts, counted once", &merged.overlaps), ("gap: in no part", &merged.gaps)]
    {
        for pair in pairs {
            say(format_args!("{what}: {} seed {}", pair.game, pair.seed));
        }
    }
    Ok(if merged.gaps.is_empty() { verdict(&merged.results) } else { Exit::Short })
}

/// Prints a result and says where it lies.
fn show(results: &Results, out: &Path, json: bool) -> Result<(), Failure> {
    if json {
        return print(format_args!("{}\n", serde_json::to_string_pretty(results)?));
    }
    print(format_args!("{}\nresult  {}\n", tables::Readable(results), out.display()))
}

fn verdict(results: &Results) -> Exit {
    let disagreements = tables::disagreements(results);
    disagreements.iter().for_each(say);
    if disagreements.is_none() && results.is_regular() { Exit::Done } else { Exit::Short }
}

/// An evaluation in progress.
pub(super) struct Evaluation {
    settings: Eval,
    nets: Nets,
    described: Settings,
    shard: Option<Shard>,
    plan: Plan,
    journal: Journal,
    interrupt: Interrupt,
    loudness: Loudness,
}

/// What an evaluation came to.
pub(super) struct Played {
    /// The document, unless the run was interrupted.
    pub(super) results: Option<Results>,
    pub(super) exit: Exit,
}

impl Evaluation {
    /// Finds the games, and what a stopped run left.
    pub(super) async fn prepare(
        settings: Eval,
        nets: Nets,
        shard: Option<Shard>,
        loudness: Loudness,
    ) -> Result<Evaluation, Failure> {
        settings.recording.as_ref().map_or(Ok(()), Recording::prepare)?;
        let first = settings.seeds.iter().next().unwrap_or_default();
        let connection = connect(&settings.service, &settings.games, Unnamed::All, first, loudness).await?;
        let plan = Plan::new(&connection.offers, &settings.seeds, shard);
        let described = describe(&settings, &plan);
        let journal = Journal::open(&settings.out, &described, shard.map(|shard| shard.to_string()).as_deref())
            .map_err(explain)?;
        let interrupt = Interrupt::of_process();
        Ok(Evaluation { settings, nets, described, shard, plan, journal, interrupt, loudness })
    }

    /// The result of the same evaluation, where an earlier run came to its end.
    pub(super) fn earlier(&self) -> Option<Results> {
        let earlier = read(&self.settings.out).ok().filter(|_| self.journal.finished().is_empty())?;
        let same = earlier.version == crate::VERSION && earlier.settings == self.described;
        (same && earlier.is_regular()).then_some(earlier)
    }

    /// Leaves things as they are.
    pub(super) fn abandon(self) -> Result<(), JournalError> {
        self.journal.remove()
    }

    /// Plays what is still to be played, and writes the result.
    pub(super) async fn run(mut self) -> Result<Played, Failure> {
        let before = self.journal.finished().len();
        if before > 0 {
            self.loudness.notice(format_args!("taking up {}: {before} plays are done", self.journal.path().display()));
        }
        self.close_left_open().await?;
        let failed = self.play_seeds().await.err();
        if self.interrupt.raised() {
            say(format_args!("finished plays are in {}; the same command goes on", self.journal.path().display()));
            return Ok(Played { results: None, exit: Exit::Interrupted });
        }
        match failed {
            Some(failure) if self.journal.finished().is_empty() => {
                self.journal.remove()?;
                Err(failure)
            }
            failed => self.conclude(failed.as_ref()),
        }
    }

    async fn play_seeds(&mut self) -> Result<(), Failure> {
        let seeds: Vec<u64> = self.settings.seeds.iter().collect();
        for seed in seeds {
            let finished = self.journal.finished();
            let pending: Vec<String> = self.plan.pending(seed, &finished).into_iter().map(str::to_owned).collect();
            if !pending.is_empty() && !self.interrupt.raised() {
                self.play_seed(seed, &pending).await?;
            }
        }
        Ok(())
    }

    /// One scorecard: the games of one seed.
    async fn play_seed(&mut self, seed: u64, pending: &[String]) -> Result<(), Failure> {
        let mut interrupt = self.interrupt.clone();
        let Some(opened) = interrupt.unless(self.open(seed)).await else { return Ok(()) };
        let (session, connection) = opened?;
        self.journal.append(Line::Opened { seed, card: session.card().clone() })?;
        let named = labels(&connection.offers).into_iter().zip(&connection.offers);
        let games: Vec<(String, Offer)> =
            named.filter(|(label, _)| pending.contains(label)).map(|(label, offer)| (label, offer.clone())).collect();
        let offers = games.iter().map(|(_, offer)| offer.clone()).collect();
        let (journal, card, mut broken) = (&mut self.journal, session.card().clone(), None);
        let manner = manner(&self.settings, self.nets.clone(), connection.worlds(), seed);
        let keep = |finished: Finished| {
            let kept = record(&games, finished, &card).map_or(Ok(()), |record| journal.append(Line::Play(record)));
            broken = broken.take().or(kept.err());
        };
        session.play(offers, &manner, keep).await;
        match session.close().await {
            Ok(scorecard) => self.journal.append(Line::Closed(ClosedCard { seed, scorecard }))?,
            Err(failure) => say(failure),
        }
        broken.map_or(Ok(()), |error| Err(error.into()))
    }

    async fn open(&self, seed: u64) -> Result<(Session, Connection), Failure> {
        let (service, games) = (&self.settings.service, &self.settings.games);
        let connection = connect(service, games, Unnamed::All, seed, self.loudness).await?;
        let request = OpenScorecard {
            tags: self.settings.tags.clone(),
            competition_mode: Some(true),
            ..OpenScorecard::default()
        };
        let (bus, interrupt) = (self.loudness.bus(), self.interrupt.clone());
        Ok((Session::open(connection.client.clone(), &request, bus, interrupt).await?, connection))
    }

    /// Closes what a stopped run left open, so that its plays are scored by the service too.
    async fn close_left_open(&mut self) -> Result<(), JournalError> {
        let left_open = self.journal.left_open();
        // The server that held them ended with the run that was stopped.
        if self.settings.service.target == Target::Embedded || left_open.is_empty() {
            return Ok(());
        }
        for (seed, card) in left_open {
            if let Some(scorecard) = close(&self.settings, &card).await {
                self.journal.append(Line::Closed(ClosedCard { seed, scorecard }))?;
            }
        }
        Ok(())
    }

    fn conclude(self, failed: Option<&Failure>) -> Result<Played, Failure> {
        let (records, closed) = self.journal.contents();
        let missing = self.plan.pairs.len() - self.journal.finished().len();
        let results = assemble(self.described, self.shard.map(|shard| shard.to_string()), records, closed);
        write(&results, &self.settings.out)?;
        let exit = verdict(&results);
        if missing == 0 && failed.is_none() {
            self.journal.remove()?;
            return Ok(Played { results: Some(results), exit });
        }
        failed.iter().for_each(say);
        say(format_args!("{missing} plays did not come to their end; the same command plays them again"));
        Ok(Played { results: Some(results), exit: Exit::Short })
    }
}

fn explain(error: JournalError) -> Failure {
    let mismatch = matches!(error, JournalError::Mismatch { .. });
    let hint = "a journal holds the plays of a run that was stopped; give the settings it began with to go on, name another \
                --out, or delete it";
    let failure = Failure::from(error);
    if mismatch { failure.hint(hint) } else { failure }
}

/// Where the result goes. Parts that would share a name get a number: those of `auto`, and those without --out.
fn place(settings: &Eval, args: &EvalArgs, shard: Option<Shard>) -> PathBuf {
    match (shard, args.shard) {
        (Some(shard), Some(ShardChoice::Auto { .. })) => {
            settings.out.with_extension(format!("{}.json", shard.suffix()))
        }
        (Some(shard), _) if args.options.out.is_none() => {
            settings.out.with_extension(format!("{}.json", shard.suffix()))
        }
        _ => settings.out.clone(),
    }
}

fn describe(settings: &Eval, plan: &Plan) -> Settings {
    Settings {
        policy: settings.policy.to_string(),
        nets: settings.nets.clone(),
        service: settings.service.name(),
        games: plan.games.clone(),
        seeds: settings.seeds.clone(),
        budgets: settings.budgets.clone(),
    }
}

fn manner(settings: &Eval, nets: Nets, worlds: Worlds, seed: u64) -> Manner {
    Manner {
        policy: settings.policy,
        nets,
        worlds,
        seed,
        rules: Rules { max_actions: settings.budgets.largest(), competition: true },
        recording: settings.recording.clone(),
        jobs: settings.jobs,
    }
}

fn record(games: &[(String, Offer)], finished: Finished, card: &CardId) -> Option<Record> {
    let (label, offer) = games.iter().find(|(_, offer)| offer.id == finished.game)?;
    Some(Record {
        game: label.clone(),
        id: finished.game,
        seed: finished.seed,
        stop: finished.ended.stop,
        counts: finished.tally,
        baselines: offer.baselines.clone(),
        measured: PlayMeasured {
            card: Some(card.clone()),
            guid: finished.play,
            seconds: finished.took.as_secs_f64(),
            retries: finished.traffic.retries,
            decisions: finished.pulse.times(),
            detail: finished.ended.detail,
        },
    })
}

async fn close(settings: &Eval, card: &CardId) -> Option<Scorecard> {
    let url = settings.service.name().parse().ok()?;
    let client = Client::new(ClientConfig { key: settings.service.key.clone(), ..ClientConfig::new(url) }).ok()?;
    let closed = client.close_scorecard(card).await;
    closed.inspect_err(|error| tracing::info!(%card, %error, "a scorecard left open cannot be closed")).ok()
}
