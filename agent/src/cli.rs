//! What was typed. [`settings`](crate::settings) turns it into what will be done.
//!
//! The option groups of `play` and `eval` are also the tables of their configuration files, so a file can say exactly
//! what the command line can: every field is optional here and gets its default when it is resolved.

#![expect(clippy::doc_markdown, reason = "these comments are the help that people read, where backticks are noise")]

mod model;
mod solve;

use std::{net::IpAddr, path::PathBuf};

use clap::{
    Args, Parser, Subcommand, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use clap_complete::Shell;
use serde::Deserialize;

pub use model::{ModelArgs, ModelCommand, ModelDreamArgs, ModelEvalArgs, ModelExplainArgs};
pub use solve::{SolveArgs, SolveEffort, TttScope};

use crate::{
    eval::{Budgets, Seeds, ShardChoice},
    policy::Kind,
    replay::Steps,
    settings::parse::{BaseUrl, from_text},
};

const AFTER_HELP: &str = "\
Examples:
  arc3 play                              one of the built-in games, no key and no network needed
  arc3 play all --policy random          every built-in game, played at random
  arc3 play ls20 --online                the live service, with ARC_API_KEY or an anonymous key
  arc3 replay recordings                 watch what was played
  arc3 eval --seeds 0..3 --out a.json    judge a policy in competition semantics
  arc3 solve TASK.json --checkpoint F    answer ARC tasks with a trained net

Settings come from flags, then the environment (ARC_API_KEY, ARC_BASE_URL), then a .env file in \
the current directory, then --config FILE, then defaults. Data goes to stdout, talk to stderr. \
NO_COLOR is respected.

Exit codes:
  0    done: every play ended by itself (won, or its action budget spent)
  1    it ran, but not to the end: a play was cut short, a merge has gaps, two scores disagree
  2    could not run: bad settings, no server, no such game
  130  interrupted (Ctrl-C, SIGTERM), after the scorecard was closed; a second one quits at once";

/// Plays ARC-AGI-3 games over their HTTP API, and judges how well.
#[derive(Debug, Parser)]
#[command(name = "arc3", version = crate::VERSION, after_help = AFTER_HELP, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// How much to say.
    #[command(flatten)]
    pub talk: TalkArgs,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play games and print the scorecard
    Play(Box<PlayArgs>),
    /// List the games of a service
    Games(GamesArgs),
    /// Serve the built-in games over the ARC-AGI-3 protocol
    Serve(ServeArgs),
    /// Judge a policy in competition semantics; merge and compare results
    Eval(Box<EvalArgs>),
    /// Look at recordings: on the screen, as text, as pictures
    Replay(ReplayArgs),
    /// Judge, explain and question the world model
    Model(ModelArgs),
    /// Train a net: one that solves ARC tasks, or one that predicts frames
    Pretrain(Box<PretrainArgs>),
    /// Solve ARC tasks with a trained net
    Solve(Box<SolveArgs>),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}

/// How much is said, and where it is kept.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Talk")]
pub struct TalkArgs {
    /// Say nothing on stderr but errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say every action and why it was taken
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// Where the log goes [default: logs/arc3.log]; ARC3_LOG sets what it holds, such as `debug` or `agent=trace`
    #[arg(long, global = true, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

/// Which service to speak to; the built-in one when nothing is said.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[command(next_help_heading = "Service (the built-in games unless told otherwise)")]
pub struct ServiceArgs {
    /// A server that speaks the ARC-AGI-3 protocol, such as http://127.0.0.1:8001
    #[arg(long, value_name = "URL", conflicts_with = "online")]
    #[serde(deserialize_with = "from_text")]
    pub server: Option<BaseUrl>,
    /// The live service at ARC_BASE_URL [default: https://three.arcprize.org]; without ARC_API_KEY as anonymous
    #[arg(long)]
    pub online: bool,
}

/// Trained nets that the planner may ask; none unless their checkpoints are named.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[command(next_help_heading = "Nets that `plan` may ask (none unless named)")]
pub struct NetArgs {
    /// Checkpoint of an ARC solver: from solved levels it imagines how the next one looks when it is solved
    #[arg(long, value_name = "FILE")]
    pub solver: Option<PathBuf>,
    /// Checkpoint of a net that foresees frames: it is asked where the rules are silent, for experiments alone
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
}

/// What is kept of every answer.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[command(next_help_heading = "Recordings")]
pub struct RecordingArgs {
    /// Folder for the recordings (JSONL, one file a play)
    #[arg(long = "recordings", value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Keep no recordings
    #[arg(long = "no-recording", conflicts_with_all = ["folder", "compress"])]
    pub off: bool,
    /// Compress recordings with zstd (.jsonl.zst)
    #[arg(long)]
    pub compress: bool,
}

/// `arc3 play`
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  arc3 play                                        one built-in game
  arc3 games                                       which ones there are
  arc3 play all --max-actions 200 --jobs 4         each built-in game, four at a time
  arc3 play ls20 ft09 --server http://127.0.0.1:8001
  arc3 play all --watch                            with a tab for each game
  arc3 play r704 --human                           you play, recorded like any other play
  arc3 play --config configs/play.toml --json      settings from a file, the result as JSON")]
pub struct PlayArgs {
    /// Settings from a TOML file; flags win over it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Watch the plays on the screen; leaving it lets them go on
    #[arg(long)]
    pub watch: bool,
    /// Play one game yourself, with the keys of the official player and the mouse
    #[arg(long, conflicts_with_all = ["watch", "policy"])]
    pub human: bool,
    /// Print one JSON document instead of tables
    #[arg(long)]
    pub json: bool,
    /// What can also stand in a file.
    #[command(flatten)]
    pub options: PlayOptions,
}

/// Settings of `arc3 play` on the command line and in its file.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlayOptions {
    /// Games by id, stem or title, or `all` [default: one, the most telling of the built-in ones]
    #[arg(value_name = "GAME", value_delimiter = ',')]
    pub games: Vec<String>,
    /// Who plays [default: plan]
    #[arg(long, value_parser = policy_parser())]
    #[serde(deserialize_with = "from_text")]
    pub policy: Option<Kind>,
    /// Actions a play may spend, RESETs included [default: 5000 on the built-in games, else 500]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_actions: Option<u32>,
    /// Where the policy's chance and the built-in games' variation come from [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Games played at the same time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,
    /// Labels for the scorecard
    #[arg(long, value_name = "TAG", value_delimiter = ',')]
    pub tags: Vec<String>,
    /// Open a competition scorecard: one play a game, games not played count 0
    #[arg(long)]
    pub competition: bool,
    /// What it may ask.
    #[command(flatten)]
    pub nets: NetArgs,
    /// Which service.
    #[command(flatten)]
    pub service: ServiceArgs,
    /// What is kept.
    #[command(flatten)]
    pub recording: RecordingArgs,
}

/// `arc3 games`
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  arc3 games                                       the built-in games
  arc3 games --online --json                       what the live service offers, as JSON")]
pub struct GamesArgs {
    /// Which service.
    #[command(flatten)]
    pub service: ServiceArgs,
    /// Print one JSON document instead of a table
    #[arg(long)]
    pub json: bool,
}

/// `arc3 serve`
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Prints one line with its address once it listens, and stops on Ctrl-C.

Examples:
  arc3 serve --port 8001
  arc3 serve --competition                         one scorecard, one play a game, level resets only
  arc3 play all --server http://127.0.0.1:8001     from another terminal")]
pub struct ServeArgs {
    /// Address to listen on; anything but loopback lets other machines in
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub host: IpAddr,
    /// Port to listen on, 0 for any that is free
    #[arg(long, default_value_t = 8001)]
    pub port: u16,
    /// Competition rules: one scorecard, one play a game, level resets only
    #[arg(long)]
    pub competition: bool,
    /// Where the games' variation comes from
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,
}

/// `arc3 eval`
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Every game is played once a seed under competition rules: RESETs are billed and none restarts the \
game. Budgets are checkpoints of one play at the largest of them, since no policy is told its \
budget. A run that was stopped is taken up again by the same command; finished plays are not \
repeated. Parts of `auto`, and parts without --out, get their number into the file name.

--ablate says what each part of the planner is worth: it plays the same games, seeds and budgets \
with `plan` and with each arm, and prints how the arms differ. Arms are the other policies: \
`random`, `explore`, and `plan` without one of its parts: rules (it only knows what it saw, and no \
pieces), memory (rules are taken at their word), model (nothing is expected ever to change), arrangements \
of pieces, selection (of pieces, by clicks or keys), skills (all of them, or one: `plan-no-paint` and so \
on, by their names in decisions), order (of touches, that a drawing tells), hands (what gauges say is \
held), refuel (filling the budget in time), surveys (what is hidden), signals (what only gauges answer), \
switches (clicks that open a way), strikers (what kills from afar), marks (what a click leaves where it \
was is taken for its answer) and carry-over (each level has a new player, that knows nothing). With \
--solver or --net, `plan` asks them, and so does every arm but the one that leaves them out. On the \
built-in games, `plan-simulator` is the ceiling: the game itself tells what an action leads to; with `-no-wins`, \
all but what wins. Each arm has a result of its own beside --out, for --compare.

Examples:
  arc3 eval                                   the built-in games, one seed
  arc3 eval --seeds 0..3 --budgets 500,1000 --out a.json
  arc3 eval --server http://127.0.0.1:8001 --games ls20,ft09
  arc3 eval --shard 3/16 --out part-3.json    the fourth of sixteen parts, counted from 0
  arc3 eval --shard auto --out part.json      this Slurm array task's part (part.3-of-16.json)
  arc3 eval --shard auto/16 --out part.json   this Kubernetes indexed job's part
  arc3 eval --merge part*.json --out whole.json
  arc3 eval --compare a.json b.json
  arc3 eval --ablate --seeds 0..3 --budgets 500
  arc3 eval --ablate explore,plan-no-skills   these two arms alone
  arc3 eval --ablate plan-no-solver --solver models/tiny/last.safetensors")]
pub struct EvalArgs {
    /// Settings from a TOML file; flags win over it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Play only this part of the plays: INDEX/COUNT from 0, `auto` (Slurm array) or `auto/COUNT` (indexed job)
    #[arg(long, value_name = "PART")]
    pub shard: Option<ShardChoice>,
    /// Merge results of several runs instead of playing
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["compare", "shard", "config"])]
    pub merge: Vec<PathBuf>,
    /// Compare two results instead of playing
    #[arg(long, value_names = ["A", "B"], num_args = 2, conflicts_with_all = ["shard", "config", "out"])]
    pub compare: Vec<PathBuf>,
    /// Play with `plan` and with these policies, and say how they differ [default: all others]
    #[arg(long, value_name = "ARM", num_args = 0.., value_delimiter = ',', value_parser = policy_parser(),
        conflicts_with_all = ["policy", "shard", "merge", "compare"])]
    pub ablate: Option<Vec<Kind>>,
    /// Print one JSON document instead of tables
    #[arg(long)]
    pub json: bool,
    /// What can also stand in a file.
    #[command(flatten)]
    pub options: EvalOptions,
}

/// Settings of `arc3 eval` on the command line and in its file.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EvalOptions {
    /// Games by id, stem or title, or `all` [default: all]
    #[arg(long, value_name = "GAME", value_delimiter = ',')]
    pub games: Vec<String>,
    /// Who plays [default: plan]
    #[arg(long, value_parser = policy_parser())]
    #[serde(deserialize_with = "from_text")]
    pub policy: Option<Kind>,
    /// Seeds, as 0..3 (that is 0, 1, 2), 0..=2 or 1,5,7 [default: 0]
    #[arg(long)]
    #[serde(deserialize_with = "from_text")]
    pub seeds: Option<Seeds>,
    /// Action budgets to judge at, such as 500,1000 [default: 1000]
    #[arg(long, visible_alias = "max-actions")]
    #[serde(deserialize_with = "from_text")]
    pub budgets: Option<Budgets>,
    /// Games played at the same time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,
    /// Labels for the scorecards
    #[arg(long, value_name = "TAG", value_delimiter = ',')]
    pub tags: Vec<String>,
    /// Where the result goes [default: results/eval-POLICY.json]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// What it may ask.
    #[command(flatten)]
    pub nets: NetArgs,
    /// Which service.
    #[command(flatten)]
    pub service: ServiceArgs,
    /// What is kept; nothing unless a folder is given.
    #[command(flatten)]
    pub recording: RecordingArgs,
}

/// `arc3 replay`
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
A step is a command and its answer; step 0 is the RESET that opens the play, so step 120 is action 120.

Examples:
  arc3 replay recordings                           choose from a folder
  arc3 replay FILE                                 watch one; `?` shows the keys
  arc3 replay FILE --print 120                     one step as text, for a report
  arc3 replay FILE --json                          the recording in short
  arc3 replay FILE --export play.gif               the whole play, --range 100..200 for a part of it
  arc3 replay FILE --export levels.png             the start of every level, --step 120 for one step
  arc3 replay FILE --export pictures/              a PNG a step")]
pub struct ReplayArgs {
    /// A recording (.jsonl, .jsonl.zst), or a folder of them
    #[arg(value_name = "PATH")]
    pub path: PathBuf,
    /// Print one step as text
    #[arg(long, value_name = "STEP", conflicts_with_all = ["export", "json"])]
    pub print: Option<usize>,
    /// Which layer of the step's animation, from 1 [default: the last]
    #[arg(long, value_name = "LAYER", requires = "print")]
    pub layer: Option<usize>,
    /// Make pictures: a .gif, a .png, or a folder of them
    #[arg(long, value_name = "OUT", conflicts_with = "json")]
    pub export: Option<PathBuf>,
    /// The steps to be drawn, as 100..200, 100.. or ..=200 [default: all]
    #[arg(long, value_name = "STEPS", requires = "export", conflicts_with = "step")]
    pub range: Option<Steps>,
    /// The one step to be drawn
    #[arg(long, value_name = "STEP", requires = "export")]
    pub step: Option<usize>,
    /// Pixels a cell
    #[arg(long, value_name = "PIXELS", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=32))]
    pub scale: u8,
    /// Steps a second
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=50))]
    pub speed: u16,
    /// Print the recording in short, as one JSON document
    #[arg(long)]
    pub json: bool,
}

impl ReplayArgs {
    /// Whether nothing was asked for but to look.
    pub fn wants_screen(&self) -> bool {
        self.print.is_none() && self.export.is_none() && !self.json
    }
}

/// `arc3 pretrain`
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Trains offline on the files of a folder: ARC-AGI in Kaggle's or the repository's layout, RE-ARC, \
BARC. The configuration says which of them are used, which pairs are held out to judge the net, \
and what is trained how; configs/solver/ has the published ones. No test pair of an evaluation \
task is ever learned from.

With configs/world_model/ a net learns from recordings of games what an action does to a frame; \
--data is then a folder of recordings, every fifth title of which is held out.

The folder --out gets last.safetensors (weights, and all that --resume needs), metrics.jsonl, and \
the same for TensorBoard. Ctrl-C saves first; --resume then goes on exactly as if nothing had \
happened.

Examples:
  arc3 pretrain --data ../data                          configs/solver/tiny.toml, on the processor
  arc3 pretrain --data ../data --resume                 go on where it was stopped
  arc3 pretrain --data ../data --config configs/solver/urm.toml --dry-run
  arc3 pretrain --data ../data --config configs/solver/base.toml --device cuda --out models/base
  arc3 eval --policy explore --budgets 800 --recordings plays
  arc3 pretrain --data plays --config configs/world_model/cnn.toml")]
pub struct PretrainArgs {
    /// What is trained how, as TOML [default: what configs/solver/tiny.toml says]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// A folder or zip file with data sets, or a folder of recordings
    #[arg(long, value_name = "FOLDER")]
    pub data: PathBuf,
    /// Where checkpoints and metrics go [default: models/ and the name of the configuration]
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Go on with the training in --out, by its own configuration
    #[arg(long, conflicts_with_all = ["config", "seed"])]
    pub resume: bool,
    /// Where all chance comes from [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Steps of the optimiser in all [default: as configured]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: Option<u64>,
    /// What computes
    #[arg(long, value_enum, default_value_t = Device::Cpu)]
    pub device: Device,
    /// Count parameters, memory and the time of a step, and train nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Print one JSON document instead of tables
    #[arg(long)]
    pub json: bool,
    /// What to do about a file that cannot be read
    #[arg(long, value_enum, default_value_t = BadFile::Fail)]
    pub on_bad_file: BadFile,
}

/// What computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Device {
    /// All processors of this machine
    Cpu,
    /// The first NVIDIA card, in a build with --features cuda
    Cuda,
}

/// What to do about a file that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BadFile {
    /// Name it with the place, and go on without it
    Skip,
    /// Name it with the place, and stop
    Fail,
}

/// `arc3 completions`
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  arc3 completions bash > ~/.local/share/bash-completion/completions/arc3
  arc3 completions zsh > ~/.zfunc/_arc3")]
pub struct CompletionsArgs {
    /// Which shell
    pub shell: Shell,
}

fn policy_parser() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name)).try_map(|name| name.parse::<Kind>())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_subcommand_teaches_by_example() {
        for command in Cli::command().get_subcommands() {
            let help = command.clone().render_long_help().to_string();
            assert!(help.contains("Examples:"), "{}", command.get_name());
        }
    }
}
