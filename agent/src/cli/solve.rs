//! `arc3 solve`, as it was typed.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// `arc3 solve`
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
A task is asked in several views, turned and recoloured; every view is a vote, and the two answers \
with the most votes are given. A task that the net was not trained on gets a row of its own first, \
trained with the task's own demonstrations (test-time training); the next task finds the net as it \
was. Grids that are larger than the net's canvas are not answered, and the submission repeats the \
test input for them.

Examples:
  arc3 solve TASK.json --checkpoint models/tiny/last.safetensors
  arc3 solve arc-agi_evaluation_challenges.json --checkpoint F --submission submission.json
  arc3 solve --score arc-agi_evaluation_challenges.json --checkpoint F    with its solutions beside it
  arc3 solve --score re_arc.zip --checkpoint F     the pairs that the net's training held out
  arc3 solve TASK.json --checkpoint F --ttt 500 --augmentations 100       more thorough")]
pub struct SolveArgs {
    /// Tasks: a file with one, a Kaggle challenges file, a folder of task files
    #[arg(value_name = "TASK", required_unless_present_any = ["score", "check"])]
    pub tasks: Vec<PathBuf>,
    /// The net: a checkpoint of `arc3 pretrain`, or weights that others published (.safetensors, .pt, .pth) [default:
    /// models/tiny/last.safetensors]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Of which net published weights are, such as configs/solver/urm.toml
    #[arg(long, value_name = "FILE", requires = "checkpoint")]
    pub config: Option<PathBuf>,
    /// Solve a data set whose answers are known, and print a table with the score
    #[arg(long, value_name = "DATASET", conflicts_with = "tasks")]
    pub score: Option<PathBuf>,
    /// Write the two best answers of every test input in Kaggle's format
    #[arg(long, value_name = "FILE")]
    pub submission: Option<PathBuf>,
    /// Print one JSON document instead of pictures and tables
    #[arg(long)]
    pub json: bool,
    /// Compare the nets with the reference numbers of a folder instead, for developers
    #[arg(long, value_name = "FOLDER", hide = true, conflicts_with_all = ["tasks", "score", "submission"])]
    pub check: Option<PathBuf>,
    /// What it may cost.
    #[command(flatten)]
    pub effort: SolveEffort,
}

/// What a task may cost.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Effort")]
pub struct SolveEffort {
    /// Views of each test input
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub augmentations: u32,
    /// Steps of training on a new task's demonstrations, 0 for none
    #[arg(long, value_name = "STEPS", default_value_t = 20)]
    pub ttt: u32,
    /// Seconds after which that training ends in any case, a task
    #[arg(long, value_name = "SECONDS")]
    pub budget: Option<u64>,
    /// What that training changes
    #[arg(long, value_enum, default_value_t = TttScope::Net)]
    pub ttt_scope: TttScope,
    /// Steps of an answer [default: as the net was trained]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub steps: Option<u32>,
    /// Loops of a step [default: as the net was trained]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub loops: Option<u32>,
    /// Where views and training draw their chance from
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// What test-time training changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TttScope {
    /// The new rows and all weights
    Net,
    /// The new rows alone
    Rows,
}
