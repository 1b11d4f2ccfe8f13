//! What will be done: what was typed, completed from the environment, a file and the defaults.
//!
//! # Layout
//! - [`Play`], [`Eval`]: the resolved settings of the two commands that play. Start here.
//! - [`Checkpoints`]: nets that the planner may ask.
//! - [`Service`]: which service is spoken to, with which key.
//! - [`Environment`]: variables, real ones before those of `.env`.
//! - `file`: reading the TOML of `--config`; `parse`: values written as text.
//!
//! Flags win over the environment, the environment over `.env`, that over the file, the file over the defaults.

mod dotenv;
mod file;
pub(crate) mod parse;

use std::{fs, num::NonZeroU16, path::PathBuf, thread};

use env_client::{
    ApiKey,
    http::{Url, is_loopback},
};

use serde::{Deserialize, Serialize};

pub use dotenv::{DotenvError, Environment};

use crate::{
    cli::{EvalArgs, EvalOptions, NetArgs, PlayArgs, PlayOptions, RecordingArgs, ServiceArgs},
    eval::{Budgets, Seeds},
    exit::Failure,
    policy::Kind,
};
use parse::BaseUrl;

/// The live service.
const LIVE: &str = "https://three.arcprize.org";

/// Actions a play of a built-in game may spend when nothing is said: `explore` wins some within it, in seconds.
const BUILT_IN_ACTIONS: u32 = 5000;

/// The same elsewhere: under a minute at the pace of the live service.
const PLAY_ACTIONS: u32 = 500;

/// Where recordings go when nothing is said.
const RECORDINGS: &str = "recordings";

/// The service to speak to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The built-in games, served by this process.
    Embedded,
    /// A server somebody named.
    Server(Url),
    /// The live service, or what `ARC_BASE_URL` puts in its place.
    Online(Url),
}

/// A service and the key for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// Which one.
    pub target: Target,
    /// `ARC_API_KEY`; never sent to the embedded server.
    pub key: Option<ApiKey>,
}

/// Where and how plays are recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// One file a play goes here.
    pub folder: PathBuf,
    /// Whether it is compressed with zstd.
    pub compress: bool,
}

impl Recording {
    /// Makes the folder: better to learn before the first action than after it that nothing can be recorded.
    pub fn prepare(&self) -> Result<(), Failure> {
        fs::create_dir_all(&self.folder).map_err(|error| {
            Failure::from(error)
                .context(format!("cannot record to {}", self.folder.display()))
                .hint("name another folder with --recordings, or record nothing with --no-recording")
        })
    }
}

/// Checkpoints of nets that the planner may ask.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoints {
    /// Of an ARC solver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver: Option<PathBuf>,
    /// Of a net that foresees frames.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub net: Option<PathBuf>,
}

/// `arc3 play`, resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Play {
    /// Games by id or stem, `all`; empty for the default of the service.
    pub games: Vec<String>,
    /// Who plays.
    pub policy: Kind,
    /// What it may ask.
    pub nets: Checkpoints,
    /// Actions a play may spend, RESETs included.
    pub max_actions: u32,
    /// Chance of the policy, variation of the built-in games.
    pub seed: u64,
    /// Plays at the same time.
    pub jobs: NonZeroU16,
    /// Labels for the scorecard.
    pub tags: Vec<String>,
    /// Whether the scorecard is opened under competition rules.
    pub competition: bool,
    /// Which service.
    pub service: Service,
    /// What is kept.
    pub recording: Option<Recording>,
}

/// `arc3 eval` when it plays, resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Eval {
    /// Games by id or stem, `all`; empty for all.
    pub games: Vec<String>,
    /// Who is judged.
    pub policy: Kind,
    /// What it may ask.
    pub nets: Checkpoints,
    /// One play a game and seed.
    pub seeds: Seeds,
    /// Action counts at which plays are judged; the largest ends them.
    pub budgets: Budgets,
    /// Plays at the same time.
    pub jobs: NonZeroU16,
    /// Labels for the scorecards.
    pub tags: Vec<String>,
    /// Where the result goes, before a shard adds its number.
    pub out: PathBuf,
    /// Which service.
    pub service: Service,
    /// What is kept.
    pub recording: Option<Recording>,
}

impl Play {
    /// Completes what was typed.
    pub fn resolve(args: &PlayArgs, environment: &Environment) -> Result<Play, Failure> {
        let file: PlayOptions = file::read(args.config.as_deref())?;
        let typed = args.options.clone();
        let service = Service::resolve(typed.service, file.service, environment)?;
        let usual = if service.target == Target::Embedded { BUILT_IN_ACTIONS } else { PLAY_ACTIONS };
        Ok(Play {
            games: list(typed.games, file.games),
            policy: typed.policy.or(file.policy).unwrap_or(Kind::Plan),
            nets: Checkpoints::resolve(typed.nets, file.nets),
            max_actions: typed.max_actions.or(file.max_actions).unwrap_or(usual).max(1),
            seed: typed.seed.or(file.seed).unwrap_or(0),
            jobs: jobs(typed.jobs.or(file.jobs)),
            tags: list(typed.tags, file.tags),
            competition: typed.competition || file.competition,
            service,
            recording: recording(typed.recording, file.recording, Some(RECORDINGS)),
        })
    }
}

impl Eval {
    /// Completes what was typed.
    pub fn resolve(args: &EvalArgs, environment: &Environment) -> Result<Eval, Failure> {
        let file: EvalOptions = file::read(args.config.as_deref())?;
        let typed = args.options.clone();
        let policy = typed.policy.or(file.policy).unwrap_or(Kind::Plan);
        let usual = if args.ablate.is_some() { "ablation".to_owned() } else { format!("eval-{policy}") };
        let out = typed.out.or(file.out).unwrap_or_else(|| PathBuf::from(format!("results/{usual}.json")));
        Ok(Eval {
            games: list(typed.games, file.games),
            policy,
            nets: Checkpoints::resolve(typed.nets, file.nets),
            seeds: typed.seeds.or(file.seeds).unwrap_or_default(),
            budgets: typed.budgets.or(file.budgets).unwrap_or_default(),
            jobs: jobs(typed.jobs.or(file.jobs)),
            tags: list(typed.tags, file.tags),
            out,
            service: Service::resolve(typed.service, file.service, environment)?,
            recording: recording(typed.recording, file.recording, None),
        })
    }
}

impl Checkpoints {
    /// Whether none is named.
    pub fn is_empty(&self) -> bool {
        *self == Checkpoints::default()
    }

    /// What was typed, then what stands in the file.
    fn resolve(typed: NetArgs, file: NetArgs) -> Checkpoints {
        Checkpoints { solver: typed.solver.or(file.solver), net: typed.net.or(file.net) }
    }
}

impl Service {
    /// Whichever of the two says something about the service decides, what was typed first.
    pub fn resolve(typed: ServiceArgs, file: ServiceArgs, environment: &Environment) -> Result<Service, Failure> {
        let chosen = if typed.server.is_some() || typed.online { typed } else { file };
        let target = match chosen {
            ServiceArgs { server: Some(_), online: true } => {
                return Err(Failure::new("the file names a server and asks for `online`, expected one of them"));
            }
            ServiceArgs { server: Some(url), .. } => Target::Server(url.into()),
            ServiceArgs { online: true, .. } => Target::Online(live(environment)?),
            ServiceArgs { .. } => Target::Embedded,
        };
        let key = match target {
            Target::Embedded => None,
            Target::Server(_) | Target::Online(_) => key(environment)?,
        };
        Ok(Service { target, key })
    }

    /// How results and tables name the service.
    pub fn name(&self) -> String {
        match &self.target {
            Target::Embedded => "embedded".to_owned(),
            Target::Server(url) | Target::Online(url) => url.as_str().trim_end_matches('/').to_owned(),
        }
    }

    /// Whether the key would cross a network in the clear.
    pub fn exposes_key(&self) -> bool {
        let (Target::Server(url) | Target::Online(url)) = &self.target else { return false };
        self.key.is_some() && url.scheme() == "http" && !is_loopback(url)
    }
}

fn live(environment: &Environment) -> Result<Url, Failure> {
    let url = environment.get("ARC_BASE_URL").unwrap_or(LIVE).parse::<BaseUrl>();
    url.map(Url::from).map_err(|error| Failure::from(error).context("ARC_BASE_URL cannot be used"))
}

fn key(environment: &Environment) -> Result<Option<ApiKey>, Failure> {
    let key = environment.get("ARC_API_KEY").map(str::parse::<ApiKey>).transpose();
    key.map_err(|error| Failure::from(error).context("ARC_API_KEY cannot be used"))
}

fn list(typed: Vec<String>, file: Vec<String>) -> Vec<String> {
    if typed.is_empty() { file } else { typed }
}

/// As many plays as processors, but no more than a server on this machine likes to see at once.
fn jobs(asked: Option<u16>) -> NonZeroU16 {
    let processors = || thread::available_parallelism().map_or(1, |count| count.get().min(16) as u16);
    NonZeroU16::new(asked.unwrap_or_else(processors)).unwrap_or(NonZeroU16::MIN)
}

fn recording(typed: RecordingArgs, file: RecordingArgs, default: Option<&str>) -> Option<Recording> {
    let compress = typed.compress || file.compress;
    let off = typed.off || (file.off && typed.folder.is_none());
    let folder = typed.folder.or(file.folder).or(default.map(PathBuf::from)).filter(|_| !off)?;
    Some(Recording { folder, compress })
}

#[cfg(test)]
mod tests;
