//! Every fault of the network and the service ends in a documented behaviour with a clear message, and no action is
//! acted on twice. The behaviours are those of the table in `env_client::http`.

use std::time::Duration;

use env_client::{
    Action, ApiKey, CardId, Command, GameId, Key, Observation,
    http::{Client, ClientConfig, ClientError, Loss, Pace, Play, Reply, RetryBudget},
    scorecard::OpenScorecard,
};
use serde_json::{Value, json};
use tests::scripted::{Script, Scripted, Step};

const ACT: Command = Command::Act(Action::Key(Key::Key1));
const MS: Duration = Duration::from_millis(1);

/// Pauses in milliseconds where people have seconds.
fn client(base_url: &str) -> Client {
    client_with(base_url, |_| {})
}

fn client_with(base_url: &str, change: impl FnOnce(&mut ClientConfig)) -> Client {
    let mut config = ClientConfig::new(base_url.parse().expect("a URL"));
    config.key = Some("sk-very-secret".parse::<ApiKey>().expect("a key"));
    config.retry = RetryBudget { attempts: 4, first_pause: MS, longest_pause: 4 * MS, lost_in_row: 3, ..config.retry };
    change(&mut config);
    Client::new(config).expect("a client")
}

fn game() -> GameId {
    "ab12-1".parse().expect("an id")
}

async fn card(client: &Client) -> CardId {
    client.open_scorecard(&OpenScorecard::default()).await.expect("a card")
}

/// A play that has begun.
async fn begun(server: &Scripted) -> Play {
    begun_by(&client(&server.url())).await
}

async fn begun_by(client: &Client) -> Play {
    let card = card(client).await;
    let mut play = client.play(game(), card);
    seen(send(&mut play, Command::Reset, 0).await);
    play
}

/// Sends a command that the log can tell from all others.
async fn send(play: &mut Play, command: Command, number: u32) -> Result<Reply, ClientError> {
    play.send(command, Some(&json!({ "number": number }))).await
}

fn seen(reply: Result<Reply, ClientError>) -> Observation {
    match reply {
        Ok(Reply::Seen(observation)) => observation,
        other => panic!("expected an observation, got {other:?}"),
    }
}

fn unknown(reply: Result<Reply, ClientError>) -> Loss {
    match reply {
        Ok(Reply::Unknown(lost)) => lost.loss,
        other => panic!("expected an unknown outcome, got {other:?}"),
    }
}

/// One action meets a fault that loses its answer: it is not repeated, and the play goes on.
async fn costs_one_unknown_outcome(fault: Step) -> Loss {
    let server = Scripted::start(Script::new().on("ACTION1", [fault]));
    let mut play = begun(&server).await;
    let loss = unknown(send(&mut play, ACT, 1).await);
    seen(send(&mut play, ACT, 2).await);
    assert_eq!(server.received("ACTION1").len(), 2, "one request an action");
    server.assert_no_command_acted_twice();
    assert_eq!((play.traffic().unknown, play.traffic().retries), (1, 0));
    assert!(!loss.to_string().contains("secret"));
    loss
}

/// One action meets faults before anything acted: it is repeated, and its answer is seen.
async fn is_repeated(faults: Vec<Step>) -> Play {
    let count = faults.len();
    let server = Scripted::start(Script::new().on("ACTION1", faults));
    let mut play = begun(&server).await;
    seen(send(&mut play, ACT, 1).await);
    assert_eq!(server.received("ACTION1").len(), count + 1);
    assert_eq!(server.received("ACTION1").iter().filter(|request| request.acted).count(), 1);
    server.assert_no_command_acted_twice();
    assert_eq!(play.traffic().retries, count as u64);
    play
}

#[tokio::test]
async fn a_play_without_faults_says_what_the_protocol_asks_for() {
    let server = Scripted::start(Script::new());
    let client = client(&format!("{}/", server.url()));
    client.health().await.expect("a healthy server");
    assert_eq!(client.games().await.expect("games")[0].game_id, "ab12-1");
    assert_eq!(client.game("ab12").await.expect("a game").game_id, "ab12-1");
    assert!(client.anonymous_key().await.is_ok());
    let card = card(&client).await;
    let mut play = client.play(game(), card.clone());
    let error = play.send(ACT, None).await.expect_err("nothing before RESET");
    assert!(error.to_string().contains("expected RESET first"), "{error}");
    seen(send(&mut play, Command::Reset, 0).await);
    let click = Action::Click(env_client::Point::new(5, 63).expect("a point"));
    seen(play.send(click.into(), None).await);
    seen(play.send(Command::Reset, None).await);
    assert_eq!(client.close_scorecard(&card).await.expect("a summary").card_id, "card-1");

    let sent: Vec<Value> = server.received("cmd").into_iter().map(|request| request.body).collect();
    assert_eq!(sent[0], json!({"game_id": "ab12-1", "card_id": "card-1", "reasoning": {"number": 0}}));
    assert_eq!(sent[1], json!({"game_id": "ab12-1", "guid": "play-1", "x": 5, "y": 63}));
    assert_eq!(sent[2], json!({"game_id": "ab12-1", "card_id": "card-1", "guid": "play-1"}));
    for request in server.log() {
        assert_eq!(request.header("x-api-key"), Some("sk-very-secret"));
        assert_eq!(request.header("accept"), Some("application/json"));
        assert_eq!(request.header("content-type").is_some(), request.method == "POST");
    }
}

#[tokio::test]
async fn a_storm_of_429_is_sat_out() {
    let play = is_repeated(vec![Step::too_many("0"), Step::too_many("0"), Step::html(429)]).await;
    assert_eq!(play.traffic().unknown, 0);
}

#[tokio::test]
async fn an_endless_storm_of_429_ends_the_play_and_says_so() {
    let server = Scripted::start(Script::new().on("ACTION1", vec![Step::too_many("0"); 10]));
    let mut play = begun(&server).await;
    let error = send(&mut play, ACT, 1).await.expect_err("the budget is spent");
    assert!(error.to_string().starts_with("POST /api/cmd/ACTION1: gave up after 4 tries"), "{error}");
    assert!(error.to_string().contains("429 Too Many Requests and asks for a pause of 0 s"), "{error}");
    assert_eq!(server.received("ACTION1").len(), 4);
}

#[tokio::test]
async fn a_pause_beyond_the_budget_is_not_waited_for() {
    let server = Scripted::start(Script::new().on("ACTION1", [Step::too_many("86400")]));
    let mut play = begun(&server).await;
    let error = send(&mut play, ACT, 1).await.expect_err("a day is too long");
    assert!(error.to_string().contains("asks for a pause of 86400 s"), "{error}");
}

#[tokio::test]
async fn a_503_was_not_acted_on_and_is_repeated() {
    is_repeated(vec![Step::html(503), Step::refusal(503, "BUSY", "later")]).await;
}

#[tokio::test]
async fn what_a_gateway_lost_is_not_repeated() {
    for status in [502, 504] {
        let loss = costs_one_unknown_outcome(Step::html(status)).await;
        assert!(matches!(loss, Loss::Failed { status: found, .. } if found.as_u16() == status));
    }
}

#[tokio::test]
async fn a_500_leaves_the_outcome_unknown() {
    let loss = costs_one_unknown_outcome(Step::html(500)).await;
    assert!(loss.to_string().contains(r"500 Internal Server Error; its body begins: <!doctype html>\n"), "{loss}");
}

#[tokio::test]
async fn html_where_json_was_due_leaves_the_outcome_unknown() {
    let loss = costs_one_unknown_outcome(Step::ActThenSay(b"<html>hello sk-very-secret".to_vec())).await;
    assert_eq!(
        loss.to_string(),
        "POST /api/cmd/ACTION1: expected a frame response of this play, got 200 OK with 26 bytes that are not: \
         expected value at line 1 column 1; it begins: <html>hello (the API key)"
    );
}

#[tokio::test]
async fn bodies_that_bend_the_protocol_are_explained() {
    let frame = |changed: Value| {
        let mut frame = json!({"game_id": "ab12-1", "guid": "play-1", "frame": [[[1]]], "state": "NOT_FINISHED"});
        frame.as_object_mut().expect("an object").extend(changed.as_object().expect("an object").clone());
        frame.to_string().into_bytes()
    };
    for (body, explanation) in [
        (br#"{"game_id":"ab12-1","gui"#.to_vec(), "EOF while parsing"),
        (Vec::new(), "it begins: (nothing)"),
        (b"\xff\xfe\x00{}".to_vec(), r"\0{}"),
        (b"[]".to_vec(), "invalid length 0"),
        (b"null".to_vec(), "invalid type: null"),
        (frame(json!({"frame": [[[1], [2, 3]]]})), "row 1 has 2 cells where the first row has 1"),
        (frame(json!({"frame": [[[1]], [[16]]]})), "frame[1]: row 0: colour 16 does not exist"),
        (frame(json!({"frame": [vec![vec![0; 65]]]})), "row 0 has 65 cells, expected 1 to 64"),
        (frame(json!({"frame": "no"})), "expected a list of grids"),
        (frame(json!({"state": "ASLEEP"})), "'ASLEEP' is no state"),
        (frame(json!({"guid": null})), "field `guid` is missing"),
        (frame(json!({"guid": "play-7"})), "about play play-7, expected play-1"),
        (frame(json!({"game_id": "cd34-1"})), "about game cd34-1, expected ab12-1"),
        (frame(json!({"available_actions": [8]})), "8 is no action"),
        (frame(json!({"levels_completed": -1})), "`levels_completed`: -1"),
    ] {
        let loss = costs_one_unknown_outcome(Step::ActThenSay(body)).await.to_string();
        assert!(loss.contains(explanation), "{loss}");
    }
}

#[tokio::test]
async fn a_body_without_end_is_not_swallowed() {
    let announced = b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n[".to_vec();
    let loss = costs_one_unknown_outcome(Step::Raw(announced)).await.to_string();
    assert!(loss.contains("longer than 67108864 bytes"), "{loss}");
}

#[tokio::test]
async fn a_cut_body_leaves_the_outcome_unknown() {
    assert!(matches!(costs_one_unknown_outcome(Step::CutBody).await, Loss::Disconnected(_)));
}

#[tokio::test]
async fn no_http_at_all_leaves_the_outcome_unknown() {
    assert!(matches!(costs_one_unknown_outcome(Step::Raw(b"SSH-2.0-x\r\n".to_vec())).await, Loss::Disconnected(_)));
}

#[tokio::test]
async fn a_stall_beyond_the_timeout_leaves_the_outcome_unknown() {
    let server = Scripted::start(Script::new().on("ACTION1", [Step::Stall(Duration::from_secs(10))]));
    let client = client_with(&server.url(), |config| config.timeout = 300 * MS);
    let mut play = begun_by(&client).await;
    let loss = unknown(send(&mut play, ACT, 1).await);
    assert_eq!(loss.to_string(), "no complete answer within 0.3 s");
    server.assert_no_command_acted_twice();
}

#[tokio::test]
async fn a_stall_of_ten_seconds_is_survived_by_default() {
    let url = "http://127.0.0.1:1".parse().expect("a URL");
    assert!(ClientConfig::new(url).timeout > Duration::from_secs(10));
    // The same on a smaller scale: slow, but within the timeout.
    let server = Scripted::start(Script::new().on("ACTION1", [Step::Stall(50 * MS)]));
    let mut play = begun(&server).await;
    seen(send(&mut play, ACT, 1).await);
    assert_eq!(play.traffic().unknown, 0);
}

#[tokio::test]
async fn a_connection_dropped_around_the_request_leaves_the_outcome_unknown() {
    assert!(matches!(costs_one_unknown_outcome(Step::DropAfterRead).await, Loss::Disconnected(_)));
    assert!(matches!(costs_one_unknown_outcome(Step::DropBeforeRead).await, Loss::Disconnected(_)));
}

#[tokio::test]
async fn a_service_that_never_answers_ends_the_play() {
    let server = Scripted::start(Script::new().on("ACTION1", vec![Step::DropAfterRead; 9]));
    let mut play = begun(&server).await;
    unknown(send(&mut play, ACT, 1).await);
    unknown(send(&mut play, ACT, 2).await);
    let error = send(&mut play, ACT, 3).await.expect_err("three in a row are enough");
    assert!(error.to_string().starts_with("3 commands in a row have an unknown outcome"), "{error}");
    assert_eq!(server.received("ACTION1").len(), 3);
    server.assert_no_command_acted_twice();
}

#[tokio::test]
async fn an_answer_in_between_forgives_the_losses() {
    let steps = [Step::DropAfterRead, Step::CutBody, Step::Game, Step::html(500), Step::DropAfterRead, Step::Game];
    let server = Scripted::start(Script::new().on("ACTION1", steps));
    let mut play = begun(&server).await;
    for number in 0..6 {
        send(&mut play, ACT, number).await.expect("never three in a row");
    }
    assert_eq!(play.traffic().unknown, 4);
    server.assert_no_command_acted_twice();
}

#[tokio::test]
async fn the_reset_that_opens_a_play_is_not_repeated_either() {
    for fault in [Step::DropAfterRead, Step::CutBody, Step::html(502), Step::ActThenSay(b"<html>".to_vec())] {
        let server = Scripted::start(Script::new().on("RESET", [fault]));
        let client = client(&server.url());
        let card = card(&client).await;
        let mut play = client.play(game(), card);
        let error = send(&mut play, Command::Reset, 0).await.expect_err("the guid is lost");
        assert!(matches!(error, ClientError::Lost(_)), "{error:?}");
        assert!(error.to_string().contains("the play's guid was in the lost answer"), "{error}");
        assert_eq!(server.received("RESET").len(), 1);
        seen(send(&mut play, Command::Reset, 1).await);
    }
}

#[tokio::test]
async fn a_later_reset_is_an_action_like_any_other() {
    let server = Scripted::start(Script::new().on("RESET", [Step::Game, Step::DropAfterRead]));
    let mut play = begun(&server).await;
    unknown(send(&mut play, Command::Reset, 1).await);
    seen(send(&mut play, Command::Reset, 2).await);
    assert_eq!(server.received("RESET").len(), 3);
    server.assert_no_command_acted_twice();
}

#[tokio::test]
async fn nobody_there_is_reported_with_the_cause() {
    let client = client(&format!("http://{}", Scripted::nobody()));
    let error = client.games().await.expect_err("nobody listens");
    assert!(error.to_string().starts_with("GET /api/games: gave up after 4 tries"), "{error}");
    assert!(error.to_string().to_lowercase().contains("connection refused"), "{error}");
    let error = client.health().await.expect_err("nobody listens");
    assert!(error.to_string().contains("gave up after 1 tries"), "{error}");
}

#[tokio::test]
async fn reads_are_repeated_after_every_transient_fault() {
    for fault in [Step::DropBeforeRead, Step::DropAfterRead, Step::CutBody, Step::html(502), Step::html(504)] {
        let server = Scripted::start(Script::new().on("games", [fault.clone(), fault]));
        client(&server.url()).games().await.expect("the third try is answered");
        assert_eq!(server.received("games").len(), 3);
    }
    let server = Scripted::start(Script::new().on("games", [Step::html(500)]));
    let error = client(&server.url()).games().await.expect_err("a 500 is final");
    assert!(error.to_string().starts_with("GET /api/games was refused: 500"), "{error}");
    assert_eq!(server.received("games").len(), 1);
}

#[tokio::test]
async fn a_redirect_is_named_and_never_followed() {
    let elsewhere = vec![("Location", "https://elsewhere.example/api/games".to_owned())];
    let server = Scripted::start(Script::new().on("games", [Step::Answer(301, elsewhere, Vec::new())]));
    let error = client(&server.url()).games().await.expect_err("a redirect");
    assert!(error.to_string().contains("redirected to https://elsewhere.example/api/games"), "{error}");
}

#[tokio::test]
async fn a_lost_opening_is_repeated_and_a_second_card_explained() {
    let second = Step::refusal(409, "SERVER_ERROR", "cannot open multiple scorecards in competition mode");
    let server = Scripted::start(Script::new().on("open", [Step::DropAfterRead, second]));
    let error = client(&server.url()).open_scorecard(&OpenScorecard::default()).await.expect_err("one card only");
    assert!(error.refusal().is_some_and(env_client::http::Refused::is_second_card), "{error:?}");
    assert!(error.to_string().contains("an earlier try may have succeeded, its answer was lost"), "{error}");

    let server = Scripted::start(Script::new().on("open", [Step::CutBody]));
    assert_eq!(card(&client(&server.url())).await.as_str(), "card-2", "the first one is left to expire");
}

#[tokio::test]
async fn a_lost_closing_is_repeated_and_explained() {
    let gone = Step::refusal(404, "VALIDATION_ERROR", "scorecard card-1 not found");
    let server = Scripted::start(Script::new().on("close", [Step::CutBody, gone]));
    let client = client(&server.url());
    let card = card(&client).await;
    let error = client.close_scorecard(&card).await.expect_err("closed by the first try");
    assert!(error.refusal().is_some_and(env_client::http::Refused::is_gone), "{error:?}");
    assert!(matches!(error, ClientError::AfterLoss { .. }), "{error:?}");
    assert_eq!(server.received("close").len(), 2);
}

#[tokio::test]
async fn a_stale_scorecard_is_told_apart() {
    let gone = Step::refusal(400, "SERVER_ERROR", "game ab12-1 not found");
    let server = Scripted::start(Script::new().on("ACTION1", [gone]));
    let mut play = begun(&server).await;
    let error = send(&mut play, ACT, 1).await.expect_err("the card was closed meanwhile");
    assert!(error.refusal().is_some_and(env_client::http::Refused::is_gone), "{error:?}");
    assert_eq!(
        error.to_string(),
        "POST /api/cmd/ACTION1 was refused: 400 Bad Request SERVER_ERROR: game ab12-1 not found"
    );
    assert_eq!(server.received("ACTION1").len(), 1);
}

#[tokio::test]
async fn every_play_keeps_the_cookies_of_its_own_back_end() {
    let route = |to: &str| Step::GameWith(vec![("Set-Cookie", format!("AWSALB={to}; Path=/"))]);
    let script = Script::new()
        .on("open", [route("cards")])
        .on("RESET", [route("left"), route("right")])
        .on("ACTION1", [route("left-2")]);
    let server = Scripted::start(script);
    let client = client(&server.url());
    let card = card(&client).await;
    let (mut left, mut right) = (client.play(game(), card.clone()), client.play(game(), card.clone()));
    seen(send(&mut left, Command::Reset, 0).await);
    seen(send(&mut right, Command::Reset, 1).await);
    for number in 2..4 {
        seen(send(&mut left, ACT, number).await);
        seen(send(&mut right, ACT, number + 10).await);
    }
    client.close_scorecard(&card).await.expect("closed where it was opened");

    let cookie = |route: &str| -> Vec<String> {
        let requests = server.received(route);
        requests.iter().map(|request| request.header("cookie").unwrap_or("none").replace("AWSALB=", "")).collect()
    };
    assert_eq!(cookie("open"), ["none"]);
    assert_eq!(cookie("RESET"), ["cards", "cards"], "a play starts where its card is");
    assert_eq!(cookie("ACTION1"), ["left", "right", "left-2", "right"]);
    assert_eq!(cookie("close"), ["cards"]);
}

#[tokio::test]
async fn a_restart_between_two_actions_is_waited_for() {
    let first = Scripted::start(Script::new());
    let address = first.address();
    let mut play = begun(&first).await;
    seen(send(&mut play, ACT, 1).await);
    drop(first);
    // What the new process knows of the old one's plays decides how it goes on; this one has forgotten them.
    let forgotten = Step::refusal(400, "SERVER_ERROR", "game ab12-1 not found");
    let second = Scripted::start_at(address, Script::new().on("ACTION1", [forgotten]));
    match send(&mut play, ACT, 2).await {
        Err(error) => assert!(error.refusal().is_some_and(env_client::http::Refused::is_gone), "{error:?}"),
        // The old connection took the request down with it.
        Ok(reply) => {
            unknown(Ok(reply));
            send(&mut play, ACT, 3).await.expect_err("the play is forgotten");
        }
    }
    assert_eq!(second.received("ACTION1").len(), 1);
}

#[tokio::test]
async fn a_service_that_is_away_for_a_moment_is_waited_for() {
    let first = Scripted::start(Script::new());
    let address = first.address();
    let mut play = begun_by(&client_with(&first.url(), |config| config.retry.attempts = 10_000)).await;
    drop(first);
    let back = tokio::spawn(async move {
        tokio::time::sleep(20 * MS).await;
        Scripted::start_at(address, Script::new())
    });
    // The old connection may take this one down with it, if it has not been noticed to be closed.
    send(&mut play, ACT, 1).await.expect("nothing that ends the play");
    seen(send(&mut play, ACT, 2).await);
    assert!(play.traffic().retries > 0);
    back.await.expect("the server is back").assert_no_command_acted_twice();
}

#[tokio::test]
async fn plays_share_the_pace() {
    let server = Scripted::start(Script::new());
    let pace = Pace::PerMinute(600.try_into().expect("a rate"));
    let client = client_with(&server.url(), |config| config.pace = pace);
    let card = card(&client).await;
    let (mut left, mut right) = (client.play(game(), card.clone()), client.play(game(), card));
    let (one, other) = tokio::join!(send(&mut left, Command::Reset, 0), send(&mut right, Command::Reset, 1));
    seen(one);
    seen(other);
    let paced = left.traffic().paced + right.traffic().paced;
    assert!(paced >= 100 * MS, "three requests at 10 a second, the second and third wait: {paced:?}");
}
