//! The same requests to the official server and to ours: same status, same answer, field by field.
//!
//! The games are those of `tests/games/` there and their twins here. Left out of the comparison are the words of
//! messages, identifiers that are drawn at random (each is replaced by the place where it was first seen), and what
//! ours does better on purpose: JSON where the official server answers HTML, `400` where it fails with `500`, and
//! `full_reset`, which the official server forgets to pass on.

use std::collections::BTreeMap;

use games::server::{self, Options, Running};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reqwest::Client;
use serde_json::{Value, json};
use tests::{
    repository,
    toolkit::{OfficialServer, Toolkit},
    twins,
};

/// Both servers, and a client for each that knows what its server called things.
struct Pair {
    official: Side,
    ours: Side,
    _servers: (OfficialServer, Running),
}

struct Side {
    url: String,
    client: Client,
    /// What this server calls a card or play, by the name the test gives it.
    names: BTreeMap<String, String>,
}

/// An answer reduced to what must be the same.
#[derive(Debug, PartialEq)]
struct Reduced {
    status: u16,
    body: Option<Value>,
}

impl Pair {
    async fn start(test: &str, competition: bool) -> Option<Pair> {
        let toolkit = Toolkit::find(test)?;
        let official = toolkit.serve(&repository().join("tests/games"), competition);
        let options = Options { competition, ..Options::new(twins::offers()) };
        let ours = server::spawn(options).await.expect("our server starts");
        Some(Pair { official: Side::new(official.url()), ours: Side::new(ours.url()), _servers: (official, ours) })
    }

    /// Sends a request to both and compares; `$NAME` in path and body stands for what the server called `NAME`.
    async fn agree(&mut self, method: &str, path: &str, body: &Value) -> Value {
        let official = self.official.ask(method, path, body).await;
        let ours = self.ours.ask(method, path, body).await;
        let what = format!("{method} {path} {body}");
        assert!(ours.body.is_some(), "ours answers JSON to {what}");
        let expected = official.improved(&ours);
        assert_eq!(ours, expected, "{what}");
        ours.body.unwrap_or_default()
    }

    async fn open(&mut self, name: &str, body: Value) {
        let answer = self.agree("POST", "/api/scorecard/open", &body).await;
        self.learn(name, &answer, "card_id");
    }

    async fn start_play(&mut self, name: &str, game: &str, card: &str) {
        let answer = self.agree("POST", "/api/cmd/RESET", &json!({ "game_id": game, "card_id": card })).await;
        self.learn(name, &answer, "guid");
    }

    fn learn(&mut self, name: &str, answer: &Value, field: &str) {
        assert!(answer[field].is_string(), "{field} in {answer}");
        for side in [&mut self.official, &mut self.ours] {
            let fresh = side.names.remove("fresh").expect("the answer names something new");
            side.names.insert(name.to_owned(), fresh);
        }
    }
}

impl Side {
    fn new(url: &str) -> Side {
        Side { url: url.to_owned(), client: Client::new(), names: BTreeMap::new() }
    }

    async fn ask(&mut self, method: &str, path: &str, body: &Value) -> Reduced {
        let url = format!("{}{}", self.url, self.translate(path));
        let mut request = self.client.request(method.parse().expect("a method"), url);
        request = request.header("X-API-Key", "conformance");
        match body {
            Value::Null => {}
            Value::String(raw) => request = request.header("Content-Type", "application/json").body(raw.clone()),
            body => {
                let body = self.translate(&body.to_string());
                request = request.header("Content-Type", "application/json").body(body);
            }
        }
        let answer = request.send().await.expect("the server answers");
        let status = answer.status().as_u16();
        let mut body: Option<Value> = serde_json::from_slice(&answer.bytes().await.expect("the answer is whole")).ok();
        if let Some(Value::Object(fields)) = &mut body {
            fields.retain(|name, _| name != "message" && name != "full_reset");
        }
        Reduced { status, body: body.map(|body| self.reduce(body)) }
    }

    /// Names of the test become those of the server.
    fn translate(&self, text: &str) -> String {
        self.names.iter().fold(text.to_owned(), |text, (name, id)| text.replace(name.as_str(), id))
    }

    /// Names of the server become those of the test, new ones `fresh`.
    fn reduce(&mut self, value: Value) -> Value {
        match value {
            Value::Object(mut fields) => {
                for (name, value) in &mut fields {
                    let date = name == "date_downloaded";
                    *value = if date { json!("a date") } else { self.reduce(value.take()) };
                }
                Value::Object(fields)
            }
            Value::Array(items) => self.reduce_list(items),
            Value::String(text) if looks_random(&text) => Value::String(self.name_of(text)),
            Value::Number(number) if number.is_f64() => {
                json!((number.as_f64().unwrap_or_default() * 1e9).round() / 1e9)
            }
            other => other,
        }
    }

    /// Games are in any order on the official server, which lists them as the file system does.
    fn reduce_list(&mut self, items: Vec<Value>) -> Value {
        let mut items: Vec<Value> = items.into_iter().map(|item| self.reduce(item)).collect();
        let id = |item: &Value| item.get("id").or(item.get("game_id")).map(ToString::to_string);
        if items.iter().all(|item| id(item).is_some() && item.get("guid").is_none()) {
            items.sort_by_key(id);
        }
        Value::Array(items)
    }

    fn name_of(&mut self, id: String) -> String {
        if let Some((name, _)) = self.names.iter().find(|(_, known)| **known == id) {
            return name.clone();
        }
        self.names.insert("fresh".to_owned(), id);
        "fresh".to_owned()
    }
}

/// A UUID.
fn looks_random(text: &str) -> bool {
    text.len() == 36 && text.bytes().filter(|byte| *byte == b'-').count() == 4
}

impl Reduced {
    /// What the official server should have said: where it fails or answers HTML, ours may say it in JSON, and where it
    /// names a limit that is not the one it checks, ours may name the right one.
    fn improved(self, ours: &Reduced) -> Reduced {
        let status = if self.status == 500 { 400 } else { self.status };
        let slip = |body: &Value| body["error"] == "opaque exceeds 8 KB limit";
        let body = self.body.filter(|body| !slip(body)).or_else(|| ours.body.clone());
        Reduced { status, body }
    }
}

/// One random command to one of the plays, mostly sensible.
fn random_command(dice: &mut ChaCha8Rng, plays: &[(&str, &str)], card: &str) -> (String, Value) {
    let (name, game) = plays[dice.random_range(0..plays.len())];
    let listens: &[u32] = match game {
        "walk-v1" => &[1, 2, 3, 4, 5],
        "taps-v1" => &[6],
        _ => &[5, 5, 7],
    };
    let action = match dice.random_range(0..20) {
        0 => 0,
        1 => dice.random_range(1..=7),
        _ => listens[dice.random_range(0..listens.len())],
    };
    let route = if action == 0 { "RESET".to_owned() } else { format!("ACTION{action}") };
    // Clicks on the cells of the lamps and beside them, else chance would hardly light one.
    let lamps = [(3, 3), (1, 1), (6, 1), (0, 7), (3, 4), (7, 0), (5, 5)];
    let (x, y) = lamps[dice.random_range(0..lamps.len())];
    let mut body = json!({ "game_id": game, "guid": name, "x": x * 8 + 2, "y": y * 8 + 5 });
    match dice.random_range(0..4) {
        0 => body["reasoning"] = json!({ "why": ["because", 1, null], "é": 0.5 }),
        1 => body["card_id"] = json!(card),
        _ => {}
    }
    (format!("/api/cmd/{route}"), body)
}

async fn play_at_random(pair: &mut Pair, plays: &[(&str, &str)], card: &str, seed: u64, commands: u32) {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    for number in 0..commands {
        let (route, body) = random_command(&mut dice, plays, card);
        pair.agree("POST", &route, &body).await;
        if number % 20 == 0 {
            pair.agree("GET", &format!("/api/scorecard/{card}"), &Value::Null).await;
            pair.agree("GET", &format!("/api/scorecard/{card}/walk-v1"), &Value::Null).await;
        }
    }
}

#[tokio::test]
async fn random_plays_are_answered_and_scored_alike() {
    let Some(mut pair) = Pair::start("random plays", false).await else { return };
    pair.open("$card", json!({ "tags": ["x"], "source_url": "http://here", "opaque": { "a": [1, null] } })).await;
    let plays = [("$walk", "walk-v1"), ("$taps", "taps-v1"), ("$fill", "fill-v1"), ("$again", "walk-v1")];
    for (name, game) in plays {
        pair.start_play(name, game, "$card").await;
    }
    play_at_random(&mut pair, &plays, "$card", 1, 400).await;
    let card = pair.agree("POST", "/api/scorecard/close", &json!({ "card_id": "$card" })).await;
    assert!(card["total_levels_completed"].as_u64().unwrap() >= 3, "chance gets somewhere: {card:#}");
    pair.agree("POST", "/api/cmd/ACTION1", &json!({ "game_id": "walk-v1", "guid": "$walk" })).await;
    pair.agree("POST", "/api/scorecard/close", &json!({ "card_id": "$card" })).await;
}

#[tokio::test]
async fn random_competition_plays_are_answered_and_scored_alike() {
    let Some(mut pair) = Pair::start("random competition plays", true).await else { return };
    pair.open("$card", json!({})).await;
    pair.agree("POST", "/api/scorecard/open", &json!({})).await;
    let plays = [("$walk", "walk-v1"), ("$taps", "taps-v1")];
    for (name, game) in plays {
        pair.start_play(name, game, "$card").await;
        pair.agree("POST", "/api/cmd/RESET", &json!({ "game_id": game, "card_id": "$card" })).await;
    }
    play_at_random(&mut pair, &plays, "$card", 2, 400).await;
    let card = pair.agree("POST", "/api/scorecard/close", &json!({ "card_id": "$card" })).await;
    assert_eq!(card["total_environments"], 3, "games that were not played are on the card: {card:#}");
    pair.agree("POST", "/api/scorecard/open", &json!({})).await;
}

#[tokio::test]
async fn a_card_can_ask_for_competition_rules_on_an_open_server() {
    let Some(mut pair) = Pair::start("a competition card", false).await else { return };
    pair.open("$card", json!({ "competition_mode": false })).await;
    pair.start_play("$fill", "fill-v1", "$card").await;
    let fill = json!({ "game_id": "fill-v1", "guid": "$fill" });
    for route in ["RESET", "RESET", "ACTION5", "RESET", "RESET", "ACTION5", "ACTION5", "ACTION5", "RESET", "RESET"] {
        pair.agree("POST", &format!("/api/cmd/{route}"), &fill).await;
    }
    for route in ["ACTION5", "ACTION5", "ACTION5", "ACTION5", "ACTION5", "ACTION5", "RESET", "ACTION5", "RESET"] {
        pair.agree("POST", &format!("/api/cmd/{route}"), &fill).await;
    }
    pair.agree("GET", "/api/scorecard/$card", &Value::Null).await;
    pair.agree("POST", "/api/scorecard/close", &json!({ "card_id": "$card" })).await;
}

#[tokio::test]
async fn odd_requests_are_refused_alike() {
    let Some(mut pair) = Pair::start("odd requests", false).await else { return };
    for path in
        ["/api/games", "/api/games/walk-v1", "/api/games/walk", "/api/games/wal", "/api/games/", "/api/games/zz"]
    {
        pair.agree("GET", path, &Value::Null).await;
    }
    for path in ["/", "/api", "/api/scorecard", "/api/scorecard/x", "/api/scorecard/x/y", "/api/scorecard/open"] {
        pair.agree("GET", path, &Value::Null).await;
    }
    for path in ["/api/cmd/RESET", "/api/cmd/ACTION8", "/api/scorecard/close", "/api/nothing"] {
        pair.agree("GET", path, &Value::Null).await;
        pair.agree("DELETE", path, &Value::Null).await;
    }
    pair.open("$card", json!({ "tags": ["human"] })).await;
    pair.start_play("$walk", "walk", "$card").await;
    pair.start_play("$taps", "taps-v1", "$card").await;
    for route in ["/api/cmd/RESET", "/api/cmd/ACTION1", "/api/cmd/ACTION6", "/api/cmd/ACTION8"] {
        for body in odd_bodies() {
            pair.agree("POST", route, &body).await;
        }
    }
    for route in ["/api/scorecard/open", "/api/scorecard/close"] {
        for body in odd_card_bodies() {
            pair.agree("POST", route, &body).await;
        }
    }
    pair.agree("GET", "/api/scorecard/$card/walk-v1", &Value::Null).await;
    pair.agree("GET", "/api/scorecard/$card/nothing", &Value::Null).await;
}

/// Bodies of commands; none of them begins a play.
fn odd_bodies() -> Vec<Value> {
    let taps = |x: Value, y: Value| json!({ "game_id": "taps-v1", "guid": "$taps", "x": x, "y": y });
    vec![
        Value::Null,
        json!("{"),
        json!(""),
        json!("[1, 2]"),
        json!("null"),
        json!("\"text\""),
        json!({}),
        json!({ "game_id": 5 }),
        json!({ "game_id": null }),
        json!({ "game_id": "walk-v1" }),
        json!({ "game_id": "nothing", "card_id": "$card", "x": 1, "y": 1 }),
        json!({ "game_id": "walk-v1", "card_id": "nothing", "x": 1, "y": 1 }),
        json!({ "game_id": "walk-v1", "guid": "nothing", "x": 1, "y": 1 }),
        json!({ "game_id": "walk", "guid": "$walk", "x": 1, "y": 1 }),
        json!({ "game_id": "taps-v1", "guid": "$walk", "x": 1, "y": 1 }),
        json!({ "game_id": "walk-v1", "guid": "$walk", "x": 1, "y": 1, "reasoning": "x".repeat(16 * 1024) }),
        json!({ "game_id": "walk-v1", "guid": "$walk", "x": 1, "y": 1, "reasoning": "é".repeat(3000) }),
        json!({ "game_id": "walk-v1", "guid": "$walk", "x": 1, "y": 1, "reasoning": "x".repeat(16 * 1024 - 2) }),
        json!({ "game_id": "walk-v1", "guid": "$walk", "x": 1, "y": 1, "reasoning": [1, { "é": "\u{1F600}\n" }] }),
        taps(json!(64), json!(0)),
        taps(json!(-1), json!(0)),
        taps(json!(1.5), json!(0)),
        taps(json!("a"), json!(0)),
        taps(json!([1]), json!(0)),
        taps(Value::Null, json!(0)),
        taps(json!(63), json!(0)),
        json!({ "game_id": "taps-v1", "guid": "$taps" }),
        json!({ "game_id": "taps-v1", "guid": "$taps", "x": 3 }),
    ]
}

/// Bodies for opening and closing cards; none of them closes one, and what they open stays open.
fn odd_card_bodies() -> Vec<Value> {
    vec![
        Value::Null,
        json!("{"),
        json!("[]"),
        json!({}),
        json!({ "card_id": "nothing" }),
        json!({ "tags": "agent" }),
        json!({ "tags": [1] }),
        json!({ "source_url": 1 }),
        json!({ "opaque": "x".repeat(16 * 1024) }),
        json!({ "opaque": "x".repeat(16 * 1024 - 2) }),
        json!({ "opaque": "é".repeat(3000) }),
    ]
}
