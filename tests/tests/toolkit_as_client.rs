//! The official toolkit plays on our server, and both agree on what that is worth.

use games::{
    Variant, catalog,
    server::{self, Options},
};
use serde_json::Value;
use tests::{toolkit::Toolkit, twins};

/// Where two answers first differ. Numbers are compared as scores are: to nine digits.
fn difference(a: &Value, b: &Value, path: &str) -> Option<String> {
    let here = || Some(format!("{path}: {a} and {b}"));
    match (a, b) {
        (Value::Number(a), Value::Number(b)) if (a.as_f64()? - b.as_f64()?).abs() < 1e-9 => None,
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().find_map(|(index, (a, b))| difference(a, b, &format!("{path}[{index}]")))
        }
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            a.iter().find_map(|(key, a)| difference(a, &b[key], &format!("{path}.{key}")))
        }
        _ if a == b => None,
        _ => here(),
    }
}

/// Lets the toolkit play all games of a server and compares the views of the scorecard it had.
fn toolkit_plays(test: &str, options: Options, arguments: &[&str]) {
    let Some(toolkit) = Toolkit::find(test) else { return };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let games = options.games.len();
    let running = runtime.block_on(server::spawn(options)).expect("our server starts");
    let output = toolkit.script("play.py").arg(running.url()).args(arguments).output().expect("the script runs");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    let cards: Value =
        stdout.lines().last().and_then(|line| serde_json::from_str(line).ok()).expect("the script prints JSON");
    let served = &cards["served"];
    assert_eq!(served["total_environments"], games);
    assert_ne!(served["total_actions"], 0);
    for view in ["read", "scored", "open"] {
        let Some(card) = cards.get(view) else { continue };
        assert_eq!(difference(card, served, view), None);
    }
}

fn of_catalog() -> Options {
    Options::of_titles(catalog(), Variant::default()).expect("titles as written are not proven")
}

#[test]
fn the_toolkit_plays_our_titles_and_agrees_on_the_score() {
    toolkit_plays("our titles", of_catalog(), &[]);
}

#[test]
fn the_toolkit_plays_our_titles_in_competition_and_agrees_on_the_score() {
    let options = Options { competition: true, ..of_catalog() };
    toolkit_plays("our titles in competition", options, &["--competition"]);
}

#[test]
fn the_toolkit_agrees_on_the_score_of_games_that_chance_can_win() {
    toolkit_plays("the twins", Options::new(twins::offers()), &["--actions", "400"]);
}

#[test]
fn the_toolkit_agrees_on_the_score_of_wins_in_competition() {
    toolkit_plays("the twins in competition", Options::new(twins::offers()), &["--actions", "400", "--competition"]);
}
