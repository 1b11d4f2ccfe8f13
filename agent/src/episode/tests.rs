use std::{
    collections::VecDeque,
    fs,
    sync::{Arc, Mutex},
};

use axum::{Json, Router, extract::Path, http::StatusCode, response::IntoResponse, routing::post};
use env_client::{
    Action, ActionSet, Key,
    http::{Client, ClientConfig},
};

use super::{reasoning::WHY_LIMIT, *};
use crate::{
    events::Listener,
    policy::{Decision, Who},
};

/// What the scripted service does with a command: state and levels completed, or trouble.
#[derive(Clone, Copy, Debug)]
enum Answer {
    Frame(&'static str, u16),
    /// A page where a frame was due: the outcome is unknown.
    Page,
    /// Only RESET is accepted.
    Over,
    /// The play is not known (any more).
    Gone,
}

use Answer::{Frame, Gone, Over, Page};

/// A service that plays its script, then repeats the last answer. It keeps what it was sent.
async fn service(script: &[Answer]) -> (Client, Arc<Mutex<Vec<String>>>) {
    let script = Arc::new(Mutex::new(VecDeque::from(script.to_vec())));
    let sent = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&sent);
    let command = move |Path(name): Path<String>| async move {
        log.lock().unwrap().push(name);
        let mut script = script.lock().unwrap();
        let answer = if script.len() > 1 { script.pop_front().unwrap() } else { script[0] };
        answer.into_response()
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async { axum::serve(listener, Router::new().route("/api/cmd/{name}", post(command))).await });
    let mut config = ClientConfig::new(url.parse().unwrap());
    config.retry.first_pause = Duration::from_millis(1);
    (Client::new(config).unwrap(), sent)
}

impl IntoResponse for Answer {
    fn into_response(self) -> axum::response::Response {
        let refuse = |error: &str, message: &str| {
            (StatusCode::BAD_REQUEST, Json(json!({ "error": error, "message": message }))).into_response()
        };
        match self {
            Frame(state, levels) => Json(json!({
                "game_id": "test-1", "guid": "play-1", "frame": [[[0, 1], [2, 3]]], "state": state,
                "levels_completed": levels, "win_levels": 3, "available_actions": [1],
            }))
            .into_response(),
            Page => (StatusCode::INTERNAL_SERVER_ERROR, "<html>trouble</html>").into_response(),
            Over => refuse("GAME_NOT_STARTED_ERROR", "send RESET"),
            Gone => refuse("SERVER_ERROR", "game test-1 not found"),
        }
    }
}

/// Presses the only key, keeps what it is told, and fails when told to.
struct Presser {
    told: Arc<Mutex<Vec<String>>>,
    fails: bool,
    defects: u32,
    recording: Option<PathBuf>,
}

impl Policy for Presser {
    fn name(&self) -> &'static str {
        "presser"
    }

    fn decide(&mut self, _now: &Observation, _actions: ActionSet) -> Decision {
        assert!(!self.fails, "out of ideas");
        Decision::new(Action::Key(Key::Key1), Who::Chance, "x".repeat(100_000))
    }

    fn observe(&mut self, before: Option<&Observation>, command: Command, outcome: Outcome<'_>) {
        let lines = self.recording.as_ref().map(|folder| recorded(folder).lines().count());
        let lines = lines.map(|lines| format!(" line {lines}")).unwrap_or_default();
        let outcome = match outcome {
            Outcome::Seen(now) => now.status.name(),
            Outcome::Unknown => "unknown",
        };
        let opened = if before.is_none() { "opened: " } else { "" };
        self.told.lock().unwrap().push(format!("{opened}{} {outcome}{lines}", command.name()));
    }

    fn defects(&self) -> u32 {
        self.defects
    }
}

fn recorded(folder: &std::path::Path) -> String {
    let mut files = fs::read_dir(folder).unwrap();
    files.next().map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).unwrap_or_default()
}

/// A play of a script, with what the service was sent and what the policy was told.
struct Story {
    finished: Finished,
    sent: Vec<String>,
    told: Vec<String>,
}

async fn play(script: &[Answer], change: impl FnOnce(&mut Setup, &mut Presser)) -> Story {
    let (client, sent) = service(script).await;
    let told = Arc::new(Mutex::new(Vec::new()));
    let mut presser = Presser { told: Arc::clone(&told), fails: false, defects: 0, recording: None };
    let mut setup = Setup {
        game: "test-1".parse().unwrap(),
        play: client.play("test-1".parse().unwrap(), "card-1".parse().unwrap()),
        policy: Box::new(Presser { told: Arc::default(), fails: false, defects: 0, recording: None }),
        seed: 0,
        rules: Rules { max_actions: 4, competition: true },
        baselines: Vec::new(),
        recording: None,
        bus: Bus::default(),
        interrupt: Interrupt::manual().1,
    };
    change(&mut setup, &mut presser);
    setup.policy = Box::new(presser);
    let finished = run(setup).await;
    let (sent, told) = (sent.lock().unwrap().clone(), told.lock().unwrap().clone());
    Story { finished, sent, told }
}

const GOING: Answer = Frame("NOT_FINISHED", 0);

#[tokio::test(flavor = "multi_thread")]
async fn the_budget_bills_everything_but_the_opening_reset() {
    let story = play(&[GOING, GOING, Frame("GAME_OVER", 0), GOING], |_, _| {}).await;
    assert_eq!(story.finished.ended, Ended::plain(Stop::Budget));
    assert_eq!(story.sent, ["RESET", "ACTION1", "ACTION1", "RESET", "ACTION1"]);
    assert_eq!((story.finished.tally.actions, story.finished.tally.resets), (4, 1));
    assert_eq!(story.told[0], "opened: RESET NOT_FINISHED");
    assert_eq!(story.told[2..4], ["ACTION1 GAME_OVER", "RESET NOT_FINISHED"]);
    assert_eq!(story.finished.pulse.times().count, 3, "the loop's own RESETs are no decisions");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_won_play_ends_at_once() {
    let story = play(&[GOING, Frame("NOT_FINISHED", 1), Frame("WIN", 3)], |_, _| {}).await;
    assert_eq!(story.finished.ended.stop, Stop::Won);
    assert_eq!((story.finished.tally.completed_at.as_slice(), story.sent.len()), (&[1, 2][..], 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_outcome_is_told_billed_and_not_sent_again() {
    let story = play(&[GOING, Page, GOING], |_, _| {}).await;
    assert_eq!(story.told[1], "ACTION1 unknown");
    assert_eq!((story.sent.len(), story.finished.tally.actions, story.finished.tally.unknown), (5, 4, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_only_loses_answers_ends_the_play() {
    let story = play(&[GOING, Page], |setup, _| setup.rules.max_actions = 1000).await;
    assert_eq!(story.finished.ended.stop, Stop::Lost);
    let detail = story.finished.ended.detail.unwrap();
    assert!(detail.contains("commands in a row have an unknown outcome"), "{detail}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_over_whose_answer_was_lost_is_reset() {
    let story = play(&[GOING, Page, Over, GOING], |_, _| {}).await;
    assert_eq!(story.sent, ["RESET", "ACTION1", "ACTION1", "RESET", "ACTION1"]);
    // With one level left the lost answer may have been the win, which a RESET would throw away.
    let story = play(&[Frame("NOT_FINISHED", 2), Page, Over], |_, _| {}).await;
    assert_eq!((story.finished.ended.stop, story.sent.len()), (Stop::Refused, 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn resets_that_lead_nowhere_end_the_play() {
    let story = play(&[Frame("GAME_OVER", 0)], |setup, _| setup.rules.max_actions = 1000).await;
    assert_eq!(story.finished.ended.stop, Stop::Stalled);
    assert_eq!(story.sent.len(), FRUITLESS_RESETS as usize);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_of_the_whole_game_ends_a_competition_play() {
    let script = [GOING, Frame("NOT_FINISHED", 1), Frame("GAME_OVER", 1), GOING];
    let story = play(&script, |_, _| {}).await;
    assert_eq!(story.finished.ended.stop, Stop::Restarted);
    let story = play(&script, |setup, _| setup.rules.competition = false).await;
    assert_eq!(story.finished.ended.stop, Stop::Budget);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_play_the_service_has_forgotten_says_so() {
    let story = play(&[GOING, GOING, Gone], |_, _| {}).await;
    assert_eq!(story.finished.ended.stop, Stop::Refused);
    assert!(story.finished.ended.hint.unwrap().contains("no longer knows the play"));
    assert_eq!(story.finished.tally.actions, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_policy_that_panics_ends_its_play_alone() {
    let story = play(&[GOING], |_, presser| presser.fails = true).await;
    assert_eq!(story.finished.ended.stop, Stop::Policy);
    assert_eq!(story.finished.ended.detail.unwrap(), "the policy failed: out of ideas");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_policy_that_went_on_after_defects_is_told_of() {
    let story = play(&[GOING, GOING, GOING, GOING, GOING], |_, presser| presser.defects = 2).await;
    assert_eq!(story.finished.ended.stop, Stop::Budget);
    assert!(story.finished.ended.detail.unwrap().contains("failed 2 times"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_seen_is_on_disk_before_the_policy_sees_it() {
    let folder = tempfile::tempdir().unwrap();
    let story = play(&[GOING, Page, GOING], |setup, presser| {
        setup.recording = Some(Recording { folder: folder.path().to_owned(), compress: false });
        presser.recording = Some(folder.path().to_owned());
    })
    .await;
    let lines: Vec<&str> = story.told.iter().filter_map(|told| told.split("line ").nth(1)).collect();
    assert_eq!(lines, ["1", "2", "3", "4", "5"]);
    let text = recorded(folder.path());
    assert!(text.lines().nth(1).unwrap().contains(r#""outcome":"unknown""#), "{text}");
    let longest = text.lines().map(str::len).max().unwrap();
    assert!(longest < 2 * WHY_LIMIT, "a long thought is cut, {longest} bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_that_cannot_be_written_ends_the_play() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let story = play(&[GOING], |setup, _| {
        setup.recording = Some(Recording { folder: file.path().to_owned(), compress: false });
    })
    .await;
    assert_eq!((story.finished.ended.stop, story.sent.len()), (Stop::Recording, 1));
    assert!(story.finished.ended.hint.unwrap().contains("--recordings"));
}

/// Asks to stop once so many actions were spent.
struct StopAfter(u32, tokio::sync::watch::Sender<bool>);

impl Listener for StopAfter {
    fn on(&self, event: &Event<'_>) {
        if event.tally.actions == self.0 {
            self.1.send(true).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupt_lets_the_action_in_flight_finish() {
    let story = play(&[GOING], |setup, _| {
        let (stop, interrupt) = Interrupt::manual();
        setup.interrupt = interrupt;
        setup.bus = Bus::new(vec![Box::new(StopAfter(2, stop))]);
    })
    .await;
    assert_eq!((story.finished.ended.stop, story.finished.tally.actions), (Stop::Interrupted, 2));
    assert_eq!(story.told.len(), 3, "the policy was told of the last one too");
}
