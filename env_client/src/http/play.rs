//! RESET and the seven actions of one play.

use std::{fmt, sync::Arc};

use serde::Serialize;
use serde_json::Value;
use tokio::time::sleep;

use super::{
    ClientError, Loss, LostAnswer, Traffic, Unreadable,
    answer::Answer,
    transport::{Effect, Session, Transport},
};
use crate::{ApiKey, CardId, Command, GameId, Observation, PlayId, wire};

/// Most JSON the `reasoning` field may hold.
const REASONING_LIMIT: usize = 16 << 10;

/// What came back from a command.
#[derive(Clone, Debug)]
pub enum Reply {
    /// The command was carried out, and this was seen.
    Seen(Observation),
    /// The command may or may not have been carried out; see the module's table. Nothing may be learned from this step.
    Unknown(LostAnswer),
}

/// One play of a game on a card, with cookies of its own.
pub struct Play {
    transport: Arc<Transport>,
    session: Session,
    key: Option<ApiKey>,
    game: GameId,
    card: CardId,
    /// Known from the first answer on.
    guid: Option<PlayId>,
    lost_in_row: u32,
}

#[derive(Serialize)]
struct Body<'a> {
    game_id: &'a GameId,
    #[serde(skip_serializing_if = "Option::is_none")]
    card_id: Option<&'a CardId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guid: Option<&'a PlayId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    x: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    y: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Value>,
}

impl Play {
    pub(super) fn new(
        transport: Arc<Transport>,
        session: Session,
        key: Option<ApiKey>,
        game: GameId,
        card: CardId,
    ) -> Play {
        Play { transport, session, key, game, card, guid: None, lost_in_row: 0 }
    }

    /// The play's guid, once the first RESET was answered.
    pub fn id(&self) -> Option<&PlayId> {
        self.guid.as_ref()
    }

    /// What the play cost so far.
    pub fn traffic(&self) -> Traffic {
        self.session.traffic()
    }

    /// Sends one command, at most once as far as the service may have acted on it.
    ///
    /// `reasoning` is for people who look at the play later; past 16 KiB it is left out, with a note in its place.
    ///
    /// # Errors
    /// The command was not carried out, except for [`ClientError::Lost`] and [`ClientError::Silent`], where that
    /// is unknown.
    pub async fn send(&mut self, command: Command, reasoning: Option<&Value>) -> Result<Reply, ClientError> {
        if self.guid.is_none() && command != Command::Reset {
            return Err(ClientError::NotStarted { command: command.to_string() });
        }
        self.wait_after_losses().await;
        let body = serde_json::to_vec(&self.body(command, reasoning));
        let body = body.map_err(|error| ClientError::Setup(error.to_string()))?;
        let call = self.transport.call(Effect::Once, &["api", "cmd", &command.name()], Some(body));
        match self.transport.exchange(&call, self.key.as_ref(), &self.session, &self.transport.budget).await {
            Ok(answer) => self.read(command, &answer),
            Err(ClientError::Lost(lost)) => self.lost(*lost),
            Err(error) => Err(error),
        }
    }

    fn body(&self, command: Command, reasoning: Option<&Value>) -> Body<'_> {
        let point = match command {
            Command::Reset => None,
            Command::Act(action) => action.point(),
        };
        Body {
            game_id: &self.game,
            card_id: (command == Command::Reset).then_some(&self.card),
            guid: self.guid.as_ref(),
            x: point.map(crate::Point::x),
            y: point.map(crate::Point::y),
            reasoning: reasoning.map(bounded),
        }
    }

    fn read(&mut self, command: Command, answer: &Answer) -> Result<Reply, ClientError> {
        if let Some(refused) = answer.refusal() {
            return Err(ClientError::Refused(refused));
        }
        match self.observation(command, answer) {
            Ok(observation) => {
                self.guid = Some(observation.play.clone());
                self.lost_in_row = 0;
                Ok(Reply::Seen(observation))
            }
            Err(unreadable) => {
                let loss = Loss::Unreadable(unreadable.into());
                self.lost(LostAnswer { endpoint: answer.endpoint.clone(), loss })
            }
        }
    }

    /// The observation in an answer, if it is one of this play.
    fn observation(&self, command: Command, answer: &Answer) -> Result<Observation, Unreadable> {
        const EXPECTED: &str = "a frame response of this play";
        let frame: wire::Frame = answer.read(EXPECTED)?;
        let observation = Observation::try_from(frame).map_err(|error| answer.unreadable(EXPECTED, &error))?;
        if observation.game.stem() != self.game.stem() {
            let problem = format!("it is about game {}, expected {}", observation.game, self.game);
            return Err(answer.unreadable(EXPECTED, &problem));
        }
        match &self.guid {
            Some(guid) if command != Command::Reset && *guid != observation.play => {
                let problem = format!("it is about play {}, expected {guid}", observation.play);
                Err(answer.unreadable(EXPECTED, &problem))
            }
            _ => Ok(observation),
        }
    }

    fn lost(&mut self, lost: LostAnswer) -> Result<Reply, ClientError> {
        self.lost_in_row += 1;
        self.session.count(|traffic| traffic.unknown += 1);
        tracing::warn!(play = ?self.guid, %lost, "outcome unknown");
        if self.guid.is_none() {
            return Err(ClientError::Lost(lost.into()));
        }
        if self.lost_in_row >= self.transport.budget.lost_in_row {
            return Err(ClientError::Silent { count: self.lost_in_row, last: lost.into() });
        }
        Ok(Reply::Unknown(lost))
    }

    /// A service in trouble gets time before the next command.
    async fn wait_after_losses(&self) {
        if self.lost_in_row == 0 {
            return;
        }
        let pause = self.transport.budget.pause_after(self.lost_in_row);
        sleep(pause).await;
        self.session.count(|traffic| traffic.backed_off += pause);
    }
}

impl fmt::Debug for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut play = f.debug_struct("Play");
        play.field("game", &self.game).field("card", &self.card).field("guid", &self.guid);
        play.field("traffic", &self.traffic()).finish_non_exhaustive()
    }
}

/// Reasoning that the service accepts. It measures JSON in ASCII, where other characters take six bytes or twelve.
fn bounded(reasoning: &Value) -> Value {
    let bytes: usize = reasoning.to_string().chars().map(|c| if c.is_ascii() { 1 } else { c.len_utf16() * 6 }).sum();
    if bytes <= REASONING_LIMIT {
        return reasoning.clone();
    }
    serde_json::json!({ "omitted": format!("{bytes} bytes of reasoning, the service takes {REASONING_LIMIT}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasoning_is_kept_up_to_the_limit() {
        let fits = Value::String("x".repeat(REASONING_LIMIT - 2));
        assert_eq!(bounded(&fits), fits);
        let too_long = Value::String("x".repeat(REASONING_LIMIT - 1));
        assert!(bounded(&too_long)["omitted"].as_str().unwrap().starts_with("16385 bytes"));
        let umlauts = Value::String("ä".repeat(REASONING_LIMIT / 6 + 1));
        assert!(bounded(&umlauts)["omitted"].is_string());
    }
}
