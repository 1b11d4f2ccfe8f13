//! `arc3 model`, as it was typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::{model::dream::TypedAction, replay::Steps};

/// `arc3 model`
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  arc3 model eval recordings                       how well the world model foresees these plays
  arc3 model explain FILE                          what it sees in a play, and the rules it found
  arc3 model dream FILE --from 40 --actions 1,1,4  what it thinks would happen, next to what did")]
pub struct ModelArgs {
    /// What to do with the model.
    #[command(subcommand)]
    pub command: ModelCommand,
}

/// The subcommands of `arc3 model`.
#[derive(Clone, Debug, Subcommand)]
pub enum ModelCommand {
    /// Judge the world model and its baselines on recordings: predict, score, then learn
    Eval(ModelEvalArgs),
    /// Say what the world model sees in a play, and what it knows about it
    Explain(ModelExplainArgs),
    /// Let the world model go on from some point of a play, next to what really came
    Dream(ModelDreamArgs),
}

/// `arc3 model eval`
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Every transition of a play is predicted before it is learned from, by each source alone, by all \
of them together, and by the baselines. Nothing is carried from one recording to the next.

  exact     frames right in every cell, of those where something changed
  edit F1   of the cells that changed and those foretold to change
  masked    without the cells that were known as interface (bars, counters) at that moment
  unknown   no prediction; it counts as wrong everywhere, and never as `nothing changes`

Figures with a range are means over recordings, each counting alike, with a 95 % bootstrap \
interval; the others are over all their frames or cells.

Examples:
  arc3 model eval recordings                       a folder
  arc3 model eval a.jsonl b.jsonl.zst --window 0..100
  arc3 model eval recordings --games               with lines for recordings and games
  arc3 model eval FILE --misses                    which changes were not foretold
  arc3 model eval recordings --checkpoint models/cnn/last.safetensors      with a net
  arc3 model eval recordings --json > model.json   everything, for each recording too")]
pub struct ModelEvalArgs {
    /// Recordings (.jsonl, .jsonl.zst), or folders of them
    #[arg(value_name = "RECORDING", required = true)]
    pub recordings: Vec<PathBuf>,
    /// The transitions of each play that the main tables are about
    #[arg(long, value_name = "RANGE", default_value = "50..200")]
    pub window: Steps,
    /// Transitions of each play that are looked at [default: all]
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// A net of `arc3 pretrain`, judged alone and where memory and rules are silent; may be repeated
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Vec<PathBuf>,
    /// Add a line for each recording, and one for all recordings of each game
    #[arg(long)]
    pub games: bool,
    /// Name the changes of each recording that were not foretold, for `arc3 model dream --from`
    #[arg(long)]
    pub misses: bool,
    /// Print one JSON document instead of tables
    #[arg(long)]
    pub json: bool,
}

/// `arc3 model explain`
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
The scene is drawn with a letter for every kind of object, a character a cell of the game's own \
grid where it has one; below it stands what each letter is, and what was found to be interface. \
Then come the states in which the same action did different things, which hints at something \
that is not seen, and the rules in sentences.

Examples:
  arc3 model explain FILE                          what it knows in the end
  arc3 model explain FILE --at 50                  what it knew after 50 transitions")]
pub struct ModelExplainArgs {
    /// A recording (.jsonl, .jsonl.zst)
    #[arg(value_name = "RECORDING")]
    pub recording: PathBuf,
    /// Transitions to learn from [default: all]
    #[arg(long, value_name = "N")]
    pub at: Option<usize>,
}

/// `arc3 model dream`
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
The model learns the play up to --from, and then runs freely: each predicted frame is what the \
next prediction starts from. Real frames stand to the right, as long as the actions are those \
that were really taken.

Examples:
  arc3 model dream FILE --from 100                 the next five actions of the play
  arc3 model dream FILE --from 100 --steps 20
  arc3 model dream FILE --from 100 --actions 1,1,4,6@12:30    a click at column 12, row 30
  arc3 model dream FILE --from 100 --export dream.gif         .png for one picture of all steps")]
pub struct ModelDreamArgs {
    /// A recording (.jsonl, .jsonl.zst)
    #[arg(value_name = "RECORDING")]
    pub recording: PathBuf,
    /// Transitions to learn from before the dream begins
    #[arg(long, value_name = "N")]
    pub from: usize,
    /// Actions to dream of [default: those that were really taken next]
    #[arg(long, value_name = "ACTIONS", value_delimiter = ',')]
    pub actions: Vec<TypedAction>,
    /// How many of the actions really taken next to dream of
    #[arg(long, value_name = "N", default_value_t = 5, conflicts_with = "actions")]
    pub steps: usize,
    /// Make a .png or .gif, predicted frames left and real ones right
    #[arg(long, value_name = "OUT")]
    pub export: Option<PathBuf>,
    /// Pixels a cell
    #[arg(long, value_name = "PIXELS", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=32))]
    pub scale: u8,
}
