//! What a server is told before it starts.

use std::{fmt, sync::Arc, time::Duration};

use env_client::{GameId, wire::GameInfo};

use crate::{Entry, Environment, Variant, prover::ProofError};

/// The games to serve and the rules to serve them by.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is offered, in the order it is listed.
    pub games: Vec<Offer>,
    /// Competition rules for all: one card in the life of the server, one play a game, no restarts, no reading of an
    /// open card. Without it a client can still ask for these rules when it opens a card.
    pub competition: bool,
    /// What a client may hold.
    pub limits: Limits,
    /// A play or a card without a command for this long is dropped. The live service waits 15 minutes.
    pub idle: Duration,
    /// A card open for this long is dropped. The toolkit waits 72 hours.
    pub open: Duration,
}

impl Options {
    /// Titles of the catalogue in one guise. Levels that the guise changes are proven first, which can take seconds.
    pub fn of_titles<'a>(titles: impl IntoIterator<Item = &'a Entry>, variant: Variant) -> Result<Options, ProofError> {
        let offers = titles.into_iter().map(|title| Offer::of_title(title, variant));
        offers.collect::<Result<_, _>>().map(Options::new)
    }

    /// These games and the defaults.
    pub fn new(games: Vec<Offer>) -> Options {
        Options {
            games,
            competition: false,
            limits: Limits::default(),
            idle: Duration::from_mins(15),
            open: Duration::from_hours(72),
        }
    }
}

/// What the server holds for its clients at most, so that none can exhaust its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a request body. The protocol's largest ones carry 16 KiB of reasoning.
    pub body: usize,
    /// Open cards of one key.
    pub cards_per_key: usize,
    /// Open cards.
    pub cards: usize,
    /// Open plays of one key.
    pub plays_per_key: usize,
    /// Open plays.
    pub plays: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { body: 64 * 1024, cards_per_key: 256, cards: 4096, plays_per_key: 1024, plays: 8192 }
    }
}

/// Makes a fresh environment for each play.
type Open = dyn Fn() -> Box<dyn Environment> + Send + Sync;

/// A game on offer.
#[derive(Clone)]
pub struct Offer {
    id: GameId,
    info: GameInfo,
    baselines: Vec<u32>,
    open: Arc<Open>,
}

impl Offer {
    /// A game of one's own: its id and title, the baseline actions of its levels, and how a play of it begins.
    pub fn new(
        id: GameId,
        title: &str,
        baselines: Vec<u32>,
        open: impl Fn() -> Box<dyn Environment> + Send + Sync + 'static,
    ) -> Offer {
        let info = GameInfo {
            game_id: id.to_string(),
            title: Some(title.to_owned()),
            default_fps: Some(DEFAULT_FPS),
            tags: Some(Vec::new()),
            baseline_actions: None,
            class_name: Some(class_name(&id)),
            date_downloaded: Some(jiff::Timestamp::now().to_string()),
        };
        Offer { id, info, baselines, open: Arc::new(open) }
    }

    /// A title of the catalogue in one guise.
    pub fn of_title(title: &Entry, variant: Variant) -> Result<Offer, ProofError> {
        let game = title.open(variant)?;
        let (id, baselines) = (game.id.clone(), game.baselines.clone());
        Ok(Offer::new(id, title.about.title, baselines, move || game.play()).tagged([title.about.tag()]))
    }

    /// The same game with these tags.
    #[must_use]
    pub fn tagged<'a>(mut self, tags: impl IntoIterator<Item = &'a str>) -> Offer {
        self.info.tags = Some(tags.into_iter().map(str::to_owned).collect());
        self
    }

    /// Stem and version.
    pub fn id(&self) -> &GameId {
        &self.id
    }

    /// What the server tells about it: all but the baselines, like the official server.
    pub fn info(&self) -> &GameInfo {
        &self.info
    }

    /// Its tags.
    pub fn tags(&self) -> &[String] {
        self.info.tags.as_deref().unwrap_or_default()
    }

    /// Baseline actions by level; a game without any scores 0.
    pub fn baselines(&self) -> &[u32] {
        &self.baselines
    }

    /// A fresh environment.
    pub fn open(&self) -> Box<dyn Environment> {
        (self.open)()
    }

    /// Whether a client that says `name` means this game: its id, or the id up to any `-`.
    pub(super) fn answers_to(&self, name: &str) -> bool {
        let rest = self.id.as_str().strip_prefix(name);
        !name.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }
}

impl fmt::Debug for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Offer").field("id", &self.id).field("baselines", &self.baselines).finish_non_exhaustive()
    }
}

/// Frames a second of the official player where a game says nothing else.
const DEFAULT_FPS: u32 = 5;

/// The toolkit names a class after the first four characters of its game, the first one in upper case.
fn class_name(id: &GameId) -> String {
    let mut name: String = id.as_str().chars().take(4).collect();
    name[..1].make_ascii_uppercase();
    name
}
