//! Tasks from their files to a submission, with a very small net that was never trained.

use std::{collections::HashMap, ops::ControlFlow, time::Duration};

use candle_core::{Device, Tensor};

use super::{How, Scope, Score, Settings, Solved, Solver, Stage, Submission, TaskScore, Tuning};
use crate::{
    data::{Pair, Puzzles, Query, Task, augment::Augmentation},
    nets::Net,
    nn::Builder,
    train::Config,
};

const CONFIG: &str = r#"
    [net]
    kind = "urm"
    loss = "cross_entropy"
    steps = 2
    tokens = { canvas = 4, hidden = 16, prefix = 12, positions = "grid", rows = "augmentation", row_std = 0.5 }
    stack = { layers = 1, heads = 2, ffn = 32, conv = "none" }
    loops = { free = 1, grad = 2, loss_at = "last" }
    halting = { rule = "q_head" }

    [data]
    # rows

    [training]
    steps = 1
    batch = 4
    lr = 0.03
    optimizer = { rule = "adam_atan2", betas = [0.9, 0.95], weight_decay = 0.0 }
    schedule = { warm_up = 0 }
    table = { lr = 0.05, weight_decay = 0.0 }
    log_every = 1
    save_every = 1

    [evaluation]
    every = 1
    pairs = 1
"#;

/// A task that asks for something about these one-row grids.
pub(super) fn task(id: &str, inputs: &[&str]) -> Task {
    let query = |text: &&str| Query { input: text.parse().unwrap(), output: None };
    let pair = |input: &str, output: &str| Pair { input: input.parse().unwrap(), output: output.parse().unwrap() };
    let train = vec![pair("12", "33"), pair("21", "33"), pair("1", "33"), pair("22", "33")];
    Task { id: id.to_owned(), train, test: inputs.iter().map(query).collect() }
}

/// A net with four rows for the task `known`, in a table of this kind.
fn solver(rows: &str) -> Solver {
    let of_their_own = if rows == "augmentation" { "augment = { rows = 3 }" } else { "" };
    let text = CONFIG.replace("\"augmentation\"", &format!("\"{rows}\"")).replace("# rows", of_their_own);
    let config = Config::parse(&text).unwrap();
    let mut puzzles = Puzzles::default();
    for dihedral in crate::data::augment::Dihedral::ALL.into_iter().take(4) {
        puzzles.add("known", Augmentation { dihedral, ..Augmentation::identity() });
    }
    let mut builder = Builder::fresh(3, &Device::Cpu);
    Net::build(&config.net, puzzles.rows(), &mut builder.root()).unwrap();
    let params = builder.finish().unwrap();
    let weights: HashMap<String, Tensor> =
        params.iter().map(|(name, _, var)| (name.to_owned(), var.as_detached_tensor())).collect();
    Solver::new(config, weights, puzzles).unwrap()
}

fn settings(steps: u32) -> Settings {
    let tuning = Tuning { steps, time: None, scope: Scope::Net };
    Settings { views: 6, tuning, steps: None, loops: None, seed: 7 }
}

fn solve(net: &Solver, task: &Task, settings: &Settings) -> Solved {
    let solved = net.solve(task, settings, &mut |_| ControlFlow::Continue(())).unwrap().unwrap();
    Solved { time: Duration::ZERO, ..solved }
}

fn votes(solved: &Solved) -> Vec<u32> {
    solved.rankings.iter().map(|ranking| ranking.iter().map(|candidate| candidate.votes).sum()).collect()
}

#[test]
fn every_task_of_a_file_has_two_answers_and_the_same_ones_twice() {
    let mut tasks = [task("known", &["12", "1"]), task("new", &["21"]), task("wide", &["11111"])];
    tasks[1].test[0].output = "33".parse().ok();
    let run = || {
        let net = solver("augmentation");
        tasks.iter().map(|task| solve(&net, task, &settings(3))).collect::<Vec<_>>()
    };
    let solved = run();
    assert_eq!(solved, run());
    let hows: Vec<How> = solved.iter().map(|solved| solved.how).collect();
    assert_eq!(hows, [How::Known, How::Tuned { steps: 3 }, How::TooLarge]);
    assert_eq!(solved.iter().map(votes).collect::<Vec<_>>(), [vec![4, 4], vec![6], vec![0]]);
    let written = serde_json::to_value(Submission::new(&tasks, &solved)).unwrap();
    let grids = |id: &str| {
        written[id]
            .as_array()
            .unwrap()
            .iter()
            .map(|test| (test["attempt_1"].clone(), test["attempt_2"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!([grids("known").len(), grids("new").len()], [2, 1]);
    let input = serde_json::json!([[1, 1, 1, 1, 1]]);
    assert_eq!(grids("wide"), [(input.clone(), input)], "what is too large is answered by itself");
    let score =
        Score { tasks: tasks.iter().zip(&solved).filter_map(|(task, solved)| TaskScore::new(task, solved)).collect() };
    assert_eq!(score.exact(10).1, 1, "one truth is known");
}

#[test]
fn a_new_task_is_learned_from_its_demonstrations_and_forgotten() {
    let net = solver("augmentation");
    let (known, new) = (task("known", &["12"]), task("new", &["11"]));
    let before = solve(&net, &known, &settings(200));
    let solved = solve(&net, &new, &settings(200));
    let best = &solved.rankings[0][0];
    assert_eq!(best.answer, "33".parse().ok(), "{solved:?}");
    assert!(best.votes >= 4, "{best:?}");
    assert_eq!(solve(&net, &known, &settings(200)), before, "the net is as it was");
}

#[test]
fn rows_alone_can_be_trained_and_every_kind_of_table_serves() {
    for rows in ["task", "augmentation", "factored"] {
        let net = solver(rows);
        let alone = Settings { tuning: Tuning { scope: Scope::Rows, ..settings(2).tuning }, ..settings(2) };
        let solved = solve(&net, &task("new", &["12"]), &alone);
        assert_eq!((solved.how, votes(&solved)), (How::Tuned { steps: 2 }, vec![6]), "{rows}");
        assert_ne!(solved, solve(&net, &task("new", &["12"]), &settings(2)), "{rows}: the weights make a difference");
        assert_eq!(solve(&net, &task("known", &["12"]), &alone).how, How::Known);
    }
}

#[test]
fn without_training_a_new_task_gets_the_average_row() {
    let solved = solve(&solver("augmentation"), &task("new", &["12", "11111"]), &settings(0));
    assert_eq!((solved.how, votes(&solved)), (How::Average, vec![6, 0]));
    let mut large = task("new", &["12"]);
    large.train.iter_mut().for_each(|pair| pair.output = "11111".parse().unwrap());
    assert_eq!(solve(&solver("augmentation"), &large, &settings(5)).how, How::Average, "no demonstration fits");
}

#[test]
fn it_stops_when_told_and_when_the_time_is_over() {
    let net = solver("augmentation");
    for stop_at in [0, 2, 3] {
        let mut seen = 0;
        let stopped = net.solve(&task("new", &["12"]), &settings(3), &mut |stage| {
            seen += 1;
            assert!(matches!(stage, Stage::Tuning { .. }) == (seen <= 3), "{stage:?}");
            if seen > stop_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(stopped.unwrap(), None, "{stop_at}");
    }
    let mut hasty = settings(1000);
    hasty.tuning.time = Some(Duration::ZERO);
    assert_eq!(solve(&net, &task("new", &["12"]), &hasty).how, How::Tuned { steps: 1 });
}

#[test]
fn more_loops_and_steps_than_in_training_are_possible() {
    let net = solver("task");
    let task = task("known", &["12"]);
    let deep = Settings { steps: Some(3), loops: Some(5), ..settings(0) };
    assert_ne!(solve(&net, &task, &deep), solve(&net, &task, &settings(0)));
}
