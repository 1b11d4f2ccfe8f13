//! A server that does on purpose what servers do by accident.
//!
//! [`Scripted`] plays a tiny game over the protocol: any game id, any number of plays, three colours a frame, levels that
//! never end. A script of [`Step`]s, each bound to a part of a route, says which requests get something else than
//! the game's answer. It runs in a thread of its own, so that tests of the client and of the whole binary can use it,
//! and keeps a log of what it received.

use std::{
    collections::VecDeque,
    net::{SocketAddr, TcpListener as StdListener},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::JoinHandle,
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::oneshot,
};

/// What happens to one request.
#[derive(Clone, Debug)]
pub enum Step {
    /// The game answers.
    Game,
    /// The game acts and answers with these headers besides.
    GameWith(Vec<(&'static str, String)>),
    /// Nothing acts; status, headers and body as given. The length of the body is added.
    Answer(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// The game acts, and this body comes with status 200.
    ActThenSay(Vec<u8>),
    /// The game acts and answers after a while.
    Stall(Duration),
    /// The connection is closed before the request was read; nothing acts.
    DropBeforeRead,
    /// The game acts, and the connection is closed without an answer.
    DropAfterRead,
    /// The game acts, and the connection is closed after half of the answer's body.
    CutBody,
    /// The game acts, and these bytes are all that comes, before the connection is closed.
    Raw(Vec<u8>),
}

impl Step {
    /// An answer with a status and an HTML page, as proxies and frameworks give.
    pub fn html(status: u16) -> Step {
        Step::Answer(status, Vec::new(), b"<!doctype html>\n<title>Oops</title>".to_vec())
    }

    /// An answer with a status and the service's error object.
    pub fn refusal(status: u16, error: &str, message: &str) -> Step {
        let body = json!({ "error": error, "message": message }).to_string();
        Step::Answer(status, Vec::new(), body.into_bytes())
    }

    /// A 429 that asks for a pause.
    pub fn too_many(retry_after: &str) -> Step {
        let body = br#"{"error":"RATE_LIMIT_EXCEEDED"}"#.to_vec();
        Step::Answer(429, vec![("Retry-After", retry_after.to_owned())], body)
    }

    fn acts(&self) -> bool {
        !matches!(self, Step::Answer(..) | Step::DropBeforeRead)
    }
}

/// Which requests get which steps; each step is used once, in order.
#[derive(Clone, Debug, Default)]
pub struct Script(Vec<(&'static str, VecDeque<Step>)>);

impl Script {
    /// The game answers everything.
    pub fn new() -> Script {
        Script::default()
    }

    /// The next requests whose path contains `route` get these steps, one each.
    pub fn on(mut self, route: &'static str, steps: impl IntoIterator<Item = Step>) -> Script {
        self.0.push((route, steps.into_iter().collect()));
        self
    }

    fn next(&mut self, path: &str) -> Step {
        let rule = self.0.iter_mut().find(|(route, steps)| path.contains(route) && !steps.is_empty());
        rule.and_then(|(_, steps)| steps.pop_front()).unwrap_or(Step::Game)
    }
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Received {
    /// `GET` or `POST`.
    pub method: String,
    /// With its leading slash.
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as JSON, or null.
    pub body: Value,
    /// Whether the game acted on it (if it was a command) although the answer may have been lost.
    pub acted: bool,
}

impl Received {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The server. It stops when dropped.
#[derive(Debug)]
pub struct Scripted {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct State {
    script: Script,
    log: Vec<Received>,
    plays: u32,
    cards: u32,
    actions: u32,
}

impl Scripted {
    /// Starts on a free port of the loopback.
    pub fn start(script: Script) -> Scripted {
        Self::start_at(SocketAddr::from(([127, 0, 0, 1], 0)), script)
    }

    /// Starts on a port that an earlier server may have used.
    pub fn start_at(address: SocketAddr, script: Script) -> Scripted {
        let listener = StdListener::bind(address).expect("a port of the loopback");
        listener.set_nonblocking(true).expect("a socket that can be awaited");
        let address = listener.local_addr().expect("the port's number");
        let state = Arc::new(Mutex::new(State { script, ..State::default() }));
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn({
            let state = state.clone();
            move || run(listener, state, stopped)
        });
        Scripted { address, state, stop: Some(stop), thread: Some(thread) }
    }

    /// A loopback address on which nobody listens.
    pub fn nobody() -> SocketAddr {
        let listener = StdListener::bind("127.0.0.1:0").expect("a port of the loopback");
        listener.local_addr().expect("the port's number")
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The base URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Everything received so far, unread requests included.
    pub fn log(&self) -> Vec<Received> {
        lock(&self.state).log.clone()
    }

    /// The requests whose path contains `route`.
    pub fn received(&self, route: &str) -> Vec<Received> {
        self.log().into_iter().filter(|request| request.path.contains(route)).collect()
    }

    /// Fails when a command was sent again after the game had acted on it. Commands are told apart by their
    /// `reasoning`, so a test (or a policy) must give every one a different one.
    pub fn assert_no_command_acted_twice(&self) {
        let commands = self.received("/api/cmd/");
        for (index, command) in commands.iter().enumerate().filter(|(_, command)| command.acted) {
            let again = commands[index + 1..].iter().find(|later| {
                later.path == command.path && later.body == command.body && !command.body["reasoning"].is_null()
            });
            assert!(again.is_none(), "sent again after it was acted on: {again:?}");
        }
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Serves until the other end of `stopped` is gone; every connection breaks then.
fn run(listener: StdListener, state: Arc<Mutex<State>>, stopped: oneshot::Receiver<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let listener = TcpListener::from_std(listener).expect("a socket that can be awaited");
        tokio::select! {
            () = serve(listener, state) => {}
            _ = stopped => {}
        }
    });
}

async fn serve(listener: TcpListener, state: Arc<Mutex<State>>) {
    while let Ok((stream, _)) = listener.accept().await {
        let state = state.clone();
        // A client that goes away ends its connection, nothing else.
        tokio::spawn(async move { connection(stream, state).await.ok() });
    }
}

/// Requests of one connection, until a step or the client closes it.
async fn connection(mut stream: TcpStream, state: Arc<Mutex<State>>) -> std::io::Result<()> {
    while let Some(path) = peek_path(&stream).await? {
        let step = lock(&state).script.next(&path);
        if matches!(step, Step::DropBeforeRead) {
            let (method, headers, body) = (String::new(), Vec::new(), Value::Null);
            lock(&state).log.push(Received { method, path, headers, body, acted: false });
            return Ok(());
        }
        let request = Received { acted: step.acts(), ..read(&mut stream).await? };
        lock(&state).log.push(request.clone());
        let game = if step.acts() { lock(&state).play(&request) } else { Vec::new() };
        if !reply(&mut stream, step, game).await? {
            return stream.shutdown().await;
        }
    }
    Ok(())
}

/// Answers, and says whether the connection stays open.
async fn reply(stream: &mut TcpStream, step: Step, game: Vec<u8>) -> std::io::Result<bool> {
    let bytes = match step {
        Step::Game => answer(200, &[], &game),
        Step::GameWith(headers) => answer(200, &headers, &game),
        Step::Answer(status, headers, body) => answer(status, &headers, &body),
        Step::ActThenSay(body) => answer(200, &[], &body),
        Step::Stall(pause) => {
            tokio::time::sleep(pause).await;
            answer(200, &[], &game)
        }
        Step::CutBody => {
            let whole = answer(200, &[], &game);
            stream.write_all(&whole[..whole.len() - game.len() / 2]).await?;
            return Ok(false);
        }
        Step::Raw(bytes) => {
            stream.write_all(&bytes).await?;
            return Ok(false);
        }
        Step::DropBeforeRead | Step::DropAfterRead => return Ok(false),
    };
    stream.write_all(&bytes).await?;
    Ok(true)
}

fn answer(status: u16, headers: &[(&'static str, String)], body: &[u8]) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} Scripted\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        head.extend([name, ": ", value, "\r\n"]);
    }
    [head.as_bytes(), b"\r\n", body].concat()
}

/// The path of the next request, which stays unread; `None` when the client is done.
async fn peek_path(stream: &TcpStream) -> std::io::Result<Option<String>> {
    let mut start = [0; 512];
    loop {
        let length = stream.peek(&mut start).await?;
        let text = String::from_utf8_lossy(&start[..length]);
        if let Some((line, _)) = text.split_once("\r\n") {
            return Ok(line.split(' ').nth(1).map(str::to_owned));
        }
        if length == 0 || length == start.len() {
            return Ok(None);
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Reads one request with its body.
async fn read(stream: &mut TcpStream) -> std::io::Result<Received> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        more(stream, &mut bytes).await?;
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let mut start = lines.next().unwrap_or_default().split(' ').map(str::to_owned);
    let (method, path) = (start.next().unwrap_or_default(), start.next().unwrap_or_default());
    let headers: Vec<_> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length").and_then(|(_, length)| length.parse().ok());
    while bytes.len() < end + length.unwrap_or(0) {
        more(stream, &mut bytes).await?;
    }
    let body = serde_json::from_slice(&bytes[end..]).unwrap_or_default();
    Ok(Received { method, path, headers, body, acted: false })
}

async fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    match stream.read_buf(bytes).await? {
        0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(()),
    }
}

impl State {
    /// What the game does with a request.
    fn play(&mut self, request: &Received) -> Vec<u8> {
        let path = request.path.as_str();
        let said = match path.strip_prefix("/api/").unwrap_or(path) {
            "healthcheck" => return b"okay".to_vec(),
            "games" => json!([{"game_id": "ab12-1", "title": "AB12"}]),
            "games/anonkey" => json!({"api_key": "anonymous"}),
            "scorecard/open" => {
                self.cards += 1;
                json!({"card_id": format!("card-{}", self.cards)})
            }
            "scorecard/close" => json!({"card_id": request.body["card_id"], "score": 0.0}),
            route if route.starts_with("cmd/") => self.command(route, &request.body),
            _ => json!({"game_id": "ab12-1"}),
        };
        said.to_string().into_bytes()
    }

    fn new_play(&mut self) -> String {
        self.plays += 1;
        format!("play-{}", self.plays)
    }

    fn command(&mut self, route: &str, body: &Value) -> Value {
        self.actions += 1;
        let guid = body["guid"].as_str().map_or_else(|| self.new_play(), str::to_owned);
        let number = route.strip_prefix("cmd/ACTION").map_or(0, |number| number.parse().unwrap_or(0));
        json!({"game_id": body["game_id"], "guid": guid, "frame": [[[self.actions % 3, 1], [2, 0]]],
            "state": "NOT_FINISHED", "levels_completed": 0, "win_levels": 3, "available_actions": [1, 2, 6],
            "action_input": {"id": number, "data": {}, "reasoning": body["reasoning"]}, "full_reset": false})
    }
}
