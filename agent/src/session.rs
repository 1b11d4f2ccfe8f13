//! One scorecard and the plays on it, several at a time.

use std::{num::NonZeroU16, time::Duration};

use env_client::{
    CardId,
    http::{Client, ClientError, Refused},
    scorecard::{OpenScorecard, Scorecard},
};
use tokio::task::JoinSet;

use crate::{
    episode::{self, Finished, Rules, Setup, Stop},
    events::Bus,
    exit::Failure,
    interrupt::Interrupt,
    policy::{self, Kind, Nets, Policy, Worlds},
    select::Offer,
    settings::Recording,
};

/// How the plays of a session are played.
#[derive(Clone, Debug)]
pub struct Manner {
    /// Who plays.
    pub policy: Kind,
    /// What it may ask.
    pub nets: Nets,
    /// The rules of the games themselves, where they are at hand.
    pub worlds: Worlds,
    /// The policy's seed.
    pub seed: u64,
    /// What each play may do.
    pub rules: Rules,
    /// How plays are recorded.
    pub recording: Option<Recording>,
    /// Plays at the same time.
    pub jobs: NonZeroU16,
}

/// An open scorecard.
#[derive(Debug)]
pub struct Session {
    client: Client,
    card: CardId,
    bus: Bus,
    interrupt: Interrupt,
}

impl Session {
    /// Opens a scorecard.
    pub async fn open(
        client: Client,
        request: &OpenScorecard,
        bus: Bus,
        interrupt: Interrupt,
    ) -> Result<Session, Failure> {
        let card = client.open_scorecard(request).await.map_err(explain_open)?;
        tracing::info!(%card, competition = request.competition_mode, "scorecard opened");
        Ok(Session { client, card, bus, interrupt })
    }

    /// The scorecard.
    pub fn card(&self) -> &CardId {
        &self.card
    }

    /// Plays each game once and hands over every play as it ends. After an interrupt, and once the service is gone, no
    /// further play is begun.
    pub async fn play(&self, games: Vec<Offer>, manner: &Manner, mut done: impl FnMut(Finished)) {
        let mut waiting = games.into_iter();
        let mut running = JoinSet::new();
        let mut reachable = true;
        loop {
            while reachable && !self.interrupt.raised() && running.len() < usize::from(manner.jobs.get()) {
                let Some(game) = waiting.next() else { break };
                running.spawn(episode::run(self.setup(game, manner)));
            }
            match running.join_next().await {
                Some(Ok(finished)) => {
                    reachable &= finished.ended.stop != Stop::Lost || self.client.health().await.is_ok();
                    done(finished);
                }
                // The loop catches what a policy can do; anything else is told by the log.
                Some(Err(error)) => tracing::error!(%error, "a play broke down"),
                None => return,
            }
        }
    }

    /// Plays one game with somebody else than the manner's policy.
    pub async fn play_as(&self, policy: Box<dyn Policy>, game: Offer, manner: &Manner) -> Finished {
        episode::run(Setup { policy, ..self.setup(game, manner) }).await
    }

    fn setup(&self, game: Offer, manner: &Manner) -> Setup {
        Setup {
            play: self.client.play(game.id.clone(), self.card.clone()),
            game: game.id,
            policy: policy::build(manner.policy, manner.seed, &manner.nets, &manner.worlds),
            seed: manner.seed,
            rules: manner.rules,
            baselines: game.baselines,
            recording: manner.recording.clone(),
            bus: self.bus.clone(),
            interrupt: self.interrupt.clone(),
        }
    }

    /// Closes the scorecard, which is what makes the result count.
    pub async fn close(self) -> Result<Scorecard, Failure> {
        let closed = self.client.close_scorecard(&self.card).await;
        tracing::info!(card = %self.card, ok = closed.is_ok(), traffic = ?self.client.traffic(), "scorecard closed");
        closed.map_err(|error| {
            let gone = error.refusal().is_some_and(Refused::is_gone);
            let hint = if gone {
                "it was closed before, went stale after 15 minutes without a command, or the service was restarted"
            } else {
                "it closes by itself after 15 minutes without a command"
            };
            Failure::from(error).context(format!("scorecard {} could not be closed", self.card)).hint(hint)
        })
    }
}

fn explain_open(error: ClientError) -> Failure {
    let hint = match error.refusal() {
        Some(refused) if refused.is_second_card() => Some(
            "a competition server allows one scorecard in its life: restart it, and evaluate one seed for each start",
        ),
        Some(refused) if refused.is_about_the_key() => Some("set ARC_API_KEY to a key of this service"),
        _ => None,
    };
    let failure = Failure::from(error).context("no scorecard could be opened");
    hint.into_iter().fold(failure, Failure::hint)
}

/// Seconds as a person reads them.
pub fn seconds(took: Duration) -> String {
    format!("{:.1} s", took.as_secs_f64())
}
