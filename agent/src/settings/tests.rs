use std::{fs, path::Path};

use clap::Parser;

use super::*;
use crate::cli::{Cli, Command};

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../configs");

fn play(line: &str, environment: &Environment) -> Result<Play, Failure> {
    match Cli::try_parse_from(line.split(' ')).unwrap().command {
        Command::Play(args) => Play::resolve(&args, environment),
        other => panic!("{other:?}"),
    }
}

fn eval(line: &str) -> Result<Eval, Failure> {
    match Cli::try_parse_from(line.split(' ')).unwrap().command {
        Command::Eval(args) => Eval::resolve(&args, &Environment::default()),
        other => panic!("{other:?}"),
    }
}

/// A configuration file in a folder that lives as long as the guard.
fn file(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.toml");
    fs::write(&path, text).unwrap();
    (folder, path.display().to_string())
}

#[test]
fn without_a_word_a_built_in_game_is_played_and_recorded() {
    let settings =
        play("arc3 play", &Environment::of(&[("ARC_API_KEY", "k"), ("ARC_BASE_URL", "http://x")], "")).unwrap();
    assert_eq!(settings.service, Service { target: Target::Embedded, key: None });
    assert_eq!((settings.policy, settings.max_actions, settings.seed), (Kind::Plan, BUILT_IN_ACTIONS, 0));
    assert_eq!(settings.recording, Some(Recording { folder: "recordings".into(), compress: false }));
}

#[test]
fn flags_win_over_the_file_and_the_file_over_defaults() {
    let (_folder, path) =
        file("games = ['a', 'b']\npolicy = 'random'\nmax_actions = 7\nseed = 3\n[recording]\nfolder = 'kept'\n");
    let none = Environment::default();
    let settings = play(&format!("arc3 play --config {path}"), &none).unwrap();
    assert_eq!(
        (settings.games, settings.policy, settings.max_actions),
        (vec!["a".into(), "b".into()], Kind::Random, 7)
    );
    assert_eq!(settings.recording.unwrap().folder, Path::new("kept"));
    let settings =
        play(&format!("arc3 play c --policy explore --seed 4 --no-recording --config {path}"), &none).unwrap();
    assert_eq!((settings.games, settings.policy, settings.seed), (vec!["c".into()], Kind::Explore, 4));
    assert_eq!((settings.max_actions, settings.recording), (7, None));
}

#[test]
fn nets_are_asked_when_they_are_named() {
    let (_folder, path) = file("[nets]\nsolver = 'a.safetensors'\nnet = 'b.safetensors'\n");
    let none = Environment::default();
    assert_eq!(play("arc3 play", &none).unwrap().nets, Checkpoints::default());
    let typed = play(&format!("arc3 play --net c.safetensors --config {path}"), &none).unwrap().nets;
    let named = |solver: &str, net: &str| Checkpoints { solver: Some(solver.into()), net: Some(net.into()) };
    assert_eq!(typed, named("a.safetensors", "c.safetensors"));
    assert_eq!(eval(&format!("arc3 eval --config {path}")).unwrap().nets, named("a.safetensors", "b.safetensors"));
}

#[test]
fn the_service_typed_wins_over_the_service_in_the_file() {
    let (_folder, path) = file("[service]\nonline = true\n");
    let environment = Environment::of(&[], "ARC_API_KEY=secret\nARC_BASE_URL=https://example.org/arc");
    let online = play(&format!("arc3 play --config {path}"), &environment).unwrap().service;
    assert_eq!((online.name().as_str(), online.key.is_some()), ("https://example.org/arc", true));
    let server = play(&format!("arc3 play --server http://127.0.0.1:1 --config {path}"), &environment).unwrap().service;
    assert_eq!(server.target, Target::Server("http://127.0.0.1:1".parse().unwrap()));
}

#[test]
fn online_means_the_live_service_unless_told_otherwise() {
    let service = play("arc3 play --online", &Environment::default()).unwrap().service;
    assert_eq!(play("arc3 play --online", &Environment::default()).unwrap().max_actions, PLAY_ACTIONS);
    assert_eq!((service.name().as_str(), service.key), ("https://three.arcprize.org", None));
    let environment = Environment::of(&[("ARC_BASE_URL", "not a url")], "");
    let error = play("arc3 play --online", &environment).unwrap_err().to_string();
    assert!(error.contains("'not a url' is no base URL, expected http"), "{error}");
}

#[test]
fn a_key_is_never_shown() {
    let environment = Environment::of(&[("ARC_API_KEY", "sk-secret")], "OTHER=sk-secret");
    let settings = play("arc3 play --online", &environment).unwrap();
    assert!(!format!("{settings:?} {environment:?}").contains("sk-secret"));
    let bad = Environment::of(&[("ARC_API_KEY", "sk secret")], "");
    assert!(!play("arc3 play --online", &bad).unwrap_err().to_string().contains("secret"));
}

#[test]
fn a_key_in_the_clear_is_noticed() {
    let environment = Environment::of(&[("ARC_API_KEY", "k")], "");
    let exposes = |url: &str| play(&format!("arc3 play --server {url}"), &environment).unwrap().service.exposes_key();
    assert!(exposes("http://10.0.0.1:8001"));
    assert!(!exposes("https://10.0.0.1:8001"));
    assert!(!exposes("http://localhost:8001"));
}

#[test]
fn an_unknown_key_in_a_file_is_an_error_that_names_it() {
    for (text, named) in [("max_action = 1", "max_action"), ("[service]\nurl = 'x'", "url"), ("seed = 'x'", "seed")] {
        let (_folder, path) = file(text);
        let error = play(&format!("arc3 play --config {path}"), &Environment::default()).unwrap_err().to_string();
        assert!(error.contains(named) && error.contains("run.toml"), "{error}");
    }
    let error = play("arc3 play --config no/such.toml", &Environment::default()).unwrap_err().to_string();
    assert!(error.starts_with("error: cannot read no/such.toml"), "{error}");
}

#[test]
fn eval_reads_seeds_and_budgets_from_both() {
    let (_folder, path) = file("seeds = '0..3'\nbudgets = 500\n");
    let settings = eval(&format!("arc3 eval --config {path}")).unwrap();
    assert_eq!(settings.seeds.iter().collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(settings.budgets.largest(), 500);
    assert_eq!(settings.out, Path::new("results/eval-plan.json"));
    assert_eq!(settings.recording, None);
    let settings = eval(&format!("arc3 eval --seeds 7 --recordings kept --config {path}")).unwrap();
    assert_eq!(settings.seeds.iter().collect::<Vec<_>>(), [7]);
    assert_eq!(settings.recording.unwrap().folder, Path::new("kept"));
}

#[test]
fn the_shipped_files_are_read_and_say_what_they_seem_to() {
    let settings = play(&format!("arc3 play --config {SHIPPED}/play.toml"), &Environment::default()).unwrap();
    assert_eq!(settings.service.target, Target::Embedded);
    let settings = eval(&format!("arc3 eval --config {SHIPPED}/eval.toml")).unwrap();
    assert_eq!(settings.seeds.iter().count(), 3);
}
