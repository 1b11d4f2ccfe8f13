//! The server without a socket, and once with one: what it refuses, what it keeps apart, what it forgets.

use std::{
    io::Write as _,
    net::TcpStream,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Method, Request, StatusCode, header},
};
use env_client::{Action, ActionSet, Color, Command, Grid, Key, Status};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::{arcade::Arcade, *};
use crate::{Environment, Shown};

/// One level that nothing ends, but ACTION2 loses and ACTION3 is a bug. Its frame is as wide as it has seen actions.
#[derive(Clone)]
struct Toy {
    actions: u32,
    status: Status,
}

impl Environment for Toy {
    fn step(&mut self, command: Command) -> Shown {
        match command {
            Command::Reset => *self = Toy { actions: 0, status: Status::NotFinished },
            Command::Act(Action::Key(Key::Key3)) => panic!("a bug in the rules of the toy"),
            Command::Act(action) => {
                self.actions += 1;
                self.status = if action == Action::Key(Key::Key2) { Status::GameOver } else { Status::NotFinished };
            }
        }
        let layers = vec![Grid::filled(1 + self.actions as u8, 1, Color::of(7))];
        let available = ActionSet::ALL;
        Shown { layers, status: self.status, levels_completed: 0, win_levels: 1, available, full_reset: false }
    }

    fn actions_since_level_start(&self) -> u32 {
        self.actions
    }

    fn fork(&self) -> Box<dyn Environment> {
        Box::new(self.clone())
    }
}

fn options() -> Options {
    let toy = || Box::new(Toy { actions: 0, status: Status::NotPlayed }) as Box<dyn Environment>;
    let offer = |id: &str| Offer::new(id.parse().unwrap(), "Toy", vec![5], toy);
    Options::new(vec![offer("toy1-a"), offer("toy2-b")])
}

fn app(options: Options) -> Router {
    routes::router(Arc::new(Arcade::new(options)))
}

async fn send(app: &Router, request: Request<Body>) -> (StatusCode, Value) {
    let answer = app.clone().oneshot(request).await.unwrap();
    let status = answer.status();
    let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
}

async fn post(app: &Router, key: &str, path: &str, body: Value) -> (StatusCode, Value) {
    let request = Request::post(path).header("X-API-Key", key).header("Content-Type", "application/json");
    send(app, request.body(Body::from(body.to_string())).unwrap()).await
}

async fn get(app: &Router, key: &str, path: &str) -> (StatusCode, Value) {
    send(app, Request::get(path).header("X-API-Key", key).body(Body::empty()).unwrap()).await
}

async fn open(app: &Router, key: &str) -> String {
    let (status, answer) = post(app, key, "/api/scorecard/open", json!({})).await;
    assert_eq!(status, 200, "{answer}");
    answer["card_id"].as_str().unwrap().to_owned()
}

/// A play of the first toy, as the body of its commands.
async fn start(app: &Router, key: &str, card: &str) -> Value {
    let (status, shown) = post(app, key, "/api/cmd/RESET", json!({ "game_id": "toy1-a", "card_id": card })).await;
    assert_eq!(status, 200, "{shown}");
    json!({ "game_id": "toy1-a", "guid": shown["guid"] })
}

fn message(answer: &Value) -> &str {
    answer["message"].as_str().unwrap()
}

#[tokio::test]
async fn what_is_no_request_is_refused_in_json() {
    let app = app(options());
    let request = |method: Method, path: &str| Request::builder().method(method).uri(path);
    let plain = request(Method::POST, "/api/cmd/RESET").header("Content-Type", "text/plain").body(Body::from("{}"));
    let (status, answer) = send(&app, plain.unwrap()).await;
    assert_eq!((status, &answer["error"]), (StatusCode::UNSUPPORTED_MEDIA_TYPE, &json!("VALIDATION_ERROR")));
    let (status, answer) = get(&app, "k", "/api/cmd/ACTION9").await;
    assert_eq!((status, message(&answer)), (StatusCode::NOT_FOUND, "/api/cmd/ACTION9 is no route of this server"));
    let (status, answer) = get(&app, "k", "/api/cmd/ACTION1").await;
    assert_eq!((status, message(&answer)), (StatusCode::METHOD_NOT_ALLOWED, "/api/cmd/ACTION1 does not take GET"));
    let (status, answer) = get(&app, "k", "/api/games/%ff").await;
    assert_eq!((status, &answer["error"]), (StatusCode::BAD_REQUEST, &json!("VALIDATION_ERROR")));
    let (status, answer) = get(&app, "two words", "/api/scorecard/x").await;
    assert_eq!((status, &answer["error"]), (StatusCode::BAD_REQUEST, &json!("VALIDATION_ERROR")));
}

#[tokio::test]
async fn a_refused_method_is_told_which_one_is_taken() {
    let request = Request::delete("/api/games").body(Body::empty()).unwrap();
    let answer = app(options()).oneshot(request).await.unwrap();
    assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(answer.headers()[header::ALLOW], "GET,HEAD");
}

#[tokio::test]
async fn a_body_past_the_limit_is_refused() {
    let limits = Limits { body: 100, ..Limits::default() };
    let app = app(Options { limits, ..options() });
    let (status, answer) = post(&app, "k", "/api/scorecard/open", json!({ "source_url": "x".repeat(100) })).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(message(&answer), "the request body is larger than 100 bytes");
    open(&app, "k").await;
}

#[tokio::test]
async fn a_click_without_its_point_is_a_clear_400() {
    let app = app(options());
    let card = open(&app, "k").await;
    let mut play = start(&app, "k", &card).await;
    let (status, answer) = post(&app, "k", "/api/cmd/ACTION6", play.clone()).await;
    assert_eq!((status, message(&answer)), (StatusCode::BAD_REQUEST, "ACTION6 needs `x`, 0 to 63"));
    (play["x"], play["y"]) = (json!(3.0), json!("far"));
    let (status, answer) = post(&app, "k", "/api/cmd/ACTION6", play.clone()).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(message(&answer), "`y` is \"far\", expected a whole number, 0 to 63");
    play["y"] = json!(63);
    let (status, shown) = post(&app, "k", "/api/cmd/ACTION6", play).await;
    assert_eq!(status, 200);
    assert_eq!(shown["action_input"]["data"], json!({ "game_id": "toy1-a", "x": 3, "y": 63 }));
}

#[tokio::test]
async fn everybody_gets_a_key_of_their_own() {
    let app = app(options());
    let (_, first) = get(&app, "", "/api/games/anonkey").await;
    let (_, second) = get(&app, "", "/api/games/anonkey").await;
    assert!(first["api_key"].is_string());
    assert_ne!(first["api_key"], second["api_key"]);
}

#[tokio::test]
async fn a_key_reaches_neither_cards_nor_plays_of_another() {
    let app = app(options());
    let (mine, theirs) = (open(&app, "mine").await, open(&app, "theirs").await);
    let play = start(&app, "mine", &mine).await;
    let (status, answer) = post(&app, "theirs", "/api/cmd/ACTION1", play.clone()).await;
    assert_eq!((status, &answer["error"]), (StatusCode::BAD_REQUEST, &json!("VALIDATION_ERROR")));
    assert!(!answer.to_string().contains("theirs"), "no key is shown: {answer}");
    // Nor by beginning a play under its guid, be it of the same or of another game.
    for game in ["toy1-a", "toy2-b"] {
        let theft = json!({ "game_id": game, "guid": play["guid"], "card_id": theirs });
        assert_eq!(post(&app, "theirs", "/api/cmd/RESET", theft).await.0, StatusCode::BAD_REQUEST);
    }
    assert_eq!(get(&app, "theirs", &format!("/api/scorecard/{mine}")).await.0, StatusCode::NOT_FOUND);
    let close = json!({ "card_id": mine });
    assert_eq!(post(&app, "theirs", "/api/scorecard/close", close.clone()).await.0, StatusCode::NOT_FOUND);
    assert_eq!(post(&app, "mine", "/api/cmd/ACTION1", play).await.1["frame"], json!([[[7, 7]]]));
    assert_eq!(post(&app, "mine", "/api/scorecard/close", close).await.1["total_actions"], 1);
}

#[tokio::test]
async fn a_play_can_be_begun_under_a_guid_of_the_clients_choice() {
    let app = app(options());
    let card = open(&app, "k").await;
    let begin = json!({ "game_id": "toy1-a", "card_id": card, "guid": "mine" });
    assert_eq!(post(&app, "k", "/api/cmd/RESET", begin).await.1["guid"], "mine");
    let (_, counters) = get(&app, "k", &format!("/api/scorecard/{card}/toy1-a")).await;
    assert_eq!(counters["cards"]["toy1-a"]["guids"], json!(["mine"]));
}

#[tokio::test]
async fn a_key_and_all_keys_hold_so_many_cards_and_no_more() {
    let limits = Limits { cards_per_key: 2, cards: 3, ..Limits::default() };
    let app = app(Options { limits, ..options() });
    let first = open(&app, "a").await;
    open(&app, "a").await;
    let (status, answer) = post(&app, "a", "/api/scorecard/open", json!({})).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(message(&answer), "this key holds 2 open cards already, close a scorecard first");
    open(&app, "b").await;
    let (status, answer) = post(&app, "b", "/api/scorecard/open", json!({})).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(message(&answer), "the server holds 3 open cards already, try again later");
    post(&app, "a", "/api/scorecard/close", json!({ "card_id": first })).await;
    open(&app, "b").await;
}

#[tokio::test]
async fn closing_a_card_makes_room_for_plays() {
    let limits = Limits { plays_per_key: 2, ..Limits::default() };
    let app = app(Options { limits, ..options() });
    let card = open(&app, "k").await;
    let play = start(&app, "k", &card).await;
    start(&app, "k", &card).await;
    let third = json!({ "game_id": "toy1-a", "card_id": card });
    assert_eq!(post(&app, "k", "/api/cmd/RESET", third).await.0, StatusCode::TOO_MANY_REQUESTS);
    let (_, closed) = post(&app, "k", "/api/scorecard/close", json!({ "card_id": card })).await;
    assert_eq!(closed["environments"][0]["runs"].as_array().unwrap().len(), 2, "the refused play is not on the card");
    assert_eq!(post(&app, "k", "/api/cmd/ACTION1", play).await.0, StatusCode::BAD_REQUEST);
    start(&app, "k", &open(&app, "k").await).await;
}

#[tokio::test]
async fn a_bug_in_a_game_ends_that_play_alone() {
    let app = app(options());
    let card = open(&app, "k").await;
    let (broken, sound) = (start(&app, "k", &card).await, start(&app, "k", &card).await);
    let (status, answer) = post(&app, "k", "/api/cmd/ACTION3", broken.clone()).await;
    assert_eq!((status, &answer["error"]), (StatusCode::INTERNAL_SERVER_ERROR, &json!("SERVER_ERROR")));
    assert_eq!(post(&app, "k", "/api/cmd/ACTION1", broken).await.0, StatusCode::BAD_REQUEST);
    assert_eq!(post(&app, "k", "/api/cmd/ACTION1", sound).await.0, StatusCode::OK);
    assert_eq!(get(&app, "k", &format!("/api/scorecard/{card}")).await.1["total_actions"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_plays_at_once_keep_their_own_count() {
    const PLAYS: usize = 32;
    let app = app(options());
    let card = open(&app, "k").await;
    let mut players = tokio::task::JoinSet::new();
    for player in 0..PLAYS {
        let (app, card) = (app.clone(), card.clone());
        players.spawn(async move {
            let play = start(&app, "k", &card).await;
            for _ in 0..player {
                post(&app, "k", "/api/cmd/ACTION1", play.clone()).await;
            }
            let (_, shown) = post(&app, "k", "/api/cmd/ACTION1", play).await;
            assert_eq!(shown["frame"][0][0].as_array().unwrap().len(), player + 2);
        });
    }
    players.join_all().await;
    let (_, card) = get(&app, "k", &format!("/api/scorecard/{card}/toy1-a")).await;
    let mut actions: Vec<usize> = serde_json::from_value(card["cards"]["toy1-a"]["actions"].clone()).unwrap();
    actions.sort_unstable();
    assert_eq!(actions, (1..=PLAYS).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_hang_up_leave_every_command_counted_or_not_carried_out() {
    let arcade = Arc::new(Arcade::new(options()));
    let app = routes::router(Arc::clone(&arcade));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(axum::serve(listener, app.clone()).into_future());
    let card = open(&app, "k").await;
    let play = start(&app, "k", &card).await;
    for cut in 0..20 {
        let body = play.to_string();
        let request = format!(
            "POST /api/cmd/ACTION1 HTTP/1.1\r\nHost: x\r\nX-API-Key: k\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        // Half of them break off before the request is whole.
        let sent = if cut % 2 == 0 { request.len() } else { request.len() - 5 };
        TcpStream::connect(address).unwrap().write_all(&request.as_bytes()[..sent]).unwrap();
    }
    let (_, shown) = post(&app, "k", "/api/cmd/ACTION1", play.clone()).await;
    let (_, again) = post(&app, "k", "/api/cmd/ACTION1", play).await;
    server.abort();
    let seen = |shown: &Value| shown["frame"][0][0].as_array().unwrap().len() - 1;
    assert!((1..=11).contains(&seen(&shown)) && seen(&again) > seen(&shown), "{shown} {again}");
    let (_, counters) = get(&app, "k", &format!("/api/scorecard/{card}/toy1-a")).await;
    assert!(counters["total_actions"].as_u64().unwrap() >= seen(&again) as u64);
}

/// Requests at a time that a test sets, beside the routes.
struct Clock {
    arcade: Arcade,
    start: Instant,
}

impl Clock {
    fn new() -> Clock {
        let (idle, open) = (Duration::from_secs(10), Duration::from_secs(35));
        Clock { arcade: Arcade::new(Options { idle, open, ..options() }), start: Instant::now() }
    }

    fn at(&self, seconds: u64) -> Instant {
        self.start + Duration::from_secs(seconds)
    }

    fn open(&self, seconds: u64) -> String {
        let body = serde_json::from_value(json!({})).unwrap();
        self.arcade.open("k".parse().unwrap(), body, self.at(seconds)).unwrap().to_string()
    }

    fn reset(&self, seconds: u64, body: &Value) -> Result<Value, Refusal> {
        let body = serde_json::from_str(&body.to_string()).unwrap();
        let answer = self.arcade.command(&"k".parse().unwrap(), &body, None, self.at(seconds))?;
        Ok(serde_json::from_slice(&answer).unwrap())
    }

    fn start(&self, seconds: u64, card: &str) -> Value {
        let shown = self.reset(seconds, &json!({ "game_id": "toy1-a", "card_id": card })).unwrap();
        json!({ "game_id": "toy1-a", "guid": shown["guid"] })
    }

    fn has_card(&self, seconds: u64, card: &str) -> bool {
        self.arcade.summary(&"k".parse().unwrap(), card, self.at(seconds)).is_ok()
    }
}

#[test]
fn what_nobody_uses_is_forgotten_after_the_idle_time() {
    let clock = Clock::new();
    let card = clock.open(0);
    let (used, idle) = (clock.start(0, &card), clock.start(0, &card));
    assert!(clock.reset(9, &used).is_ok());
    assert!(matches!(clock.reset(10, &idle), Err(Refusal::GameNotFound { .. })));
    assert!(clock.reset(18, &used).is_ok());
    assert!(clock.has_card(27, &card), "a card lives as long as one of its plays");
    assert!(!clock.has_card(28, &card));
    assert!(matches!(clock.reset(28, &used), Err(Refusal::GameNotFound { .. })));
}

#[test]
fn a_card_is_forgotten_after_the_longest_time_it_may_be_open() {
    let clock = Clock::new();
    let card = clock.open(0);
    let play = clock.start(0, &card);
    for seconds in [8, 16, 24, 32] {
        assert!(clock.reset(seconds, &play).is_ok());
    }
    assert!(clock.has_card(34, &card));
    assert!(!clock.has_card(35, &card));
    assert!(clock.reset(35, &play).is_err());
}

#[test]
fn forgotten_things_make_room() {
    let limits = Limits { cards_per_key: 1, plays_per_key: 1, ..Limits::default() };
    let start = Instant::now();
    let clock = Clock { arcade: Arcade::new(Options { limits, idle: Duration::from_secs(10), ..options() }), start };
    let first = clock.open(0);
    clock.start(0, &first);
    let second = clock.open(10);
    clock.start(10, &second);
    assert!(clock.has_card(10, &second) && !clock.has_card(10, &first));
}
