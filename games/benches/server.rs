//! Requests a second over the loopback: `cargo bench -p games --bench server`.
//!
//! To see the official server side by side, start it over a folder of games and name it:
//! ```text
//! .sdk/bin/python tests/toolkit/serve.py tests/games &     # prints `listening URL`
//! OFFICIAL_URL=URL cargo bench -p games --bench server
//! ```
//! Each request is the first action that the first game listens to; a lost or won game is reset. Connections are kept
//! alive where the server allows it.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use games::{
    Variant, catalog,
    server::{self, Options},
};
use serde_json::{Value, json};

/// Plays at once, each on a connection of its own.
const CONNECTIONS: [u64; 2] = [1, 8];

fn requests(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let options = Options::of_titles(&catalog()[..1], Variant::default()).expect("a title as written is not proven");
    let running = runtime.block_on(server::spawn(options)).expect("the server starts");
    compare(criterion, "ours", running.url());
    if let Ok(url) = std::env::var("OFFICIAL_URL") {
        compare(criterion, "official", &url);
    }
}

fn compare(criterion: &mut Criterion, name: &str, url: &str) {
    let mut group = criterion.benchmark_group(format!("{name} server"));
    group.throughput(Throughput::Elements(1)).sample_size(20).measurement_time(Duration::from_secs(10));
    for connections in CONNECTIONS {
        let mut players: Vec<Player> = (0..connections).map(|_| Player::new(url)).collect();
        group.bench_function(format!("{connections} connections"), |bencher| {
            bencher.iter_custom(|requests| share(&mut players, requests));
        });
    }
    group.finish();
}

/// Lets the players make this many requests together.
fn share(players: &mut [Player], requests: u64) -> Duration {
    let each = requests.div_ceil(players.len() as u64);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for player in players.iter_mut() {
            scope.spawn(move || (0..each).for_each(|_| player.act()));
        }
    });
    start.elapsed().mul_f64(requests as f64 / (each * players.len() as u64) as f64)
}

/// A play and the connection it is played over.
struct Player {
    connection: Connection,
    play: String,
    action: String,
}

impl Player {
    fn new(url: &str) -> Player {
        let mut connection = Connection::new(url);
        let games = connection.ask("GET", "/api/games", &Value::Null);
        let card = connection.ask("POST", "/api/scorecard/open", &json!({}));
        let start = json!({ "game_id": games[0]["game_id"], "card_id": card["card_id"] });
        let shown = connection.ask("POST", "/api/cmd/RESET", &start);
        let play = json!({ "game_id": shown["game_id"], "guid": shown["guid"], "x": 0, "y": 0 });
        let action = format!("/api/cmd/ACTION{}", shown["available_actions"][0]);
        Player { connection, play: play.to_string(), action }
    }

    fn act(&mut self) {
        if self.connection.send("POST", &self.action, &self.play).status != 200 {
            assert_eq!(self.connection.send("POST", "/api/cmd/RESET", &self.play).status, 200, "a lost play is reset");
        }
    }
}

/// The least HTTP client that does the job, so that what is measured is the server.
struct Connection {
    address: String,
    stream: Option<BufReader<TcpStream>>,
}

impl Connection {
    fn new(url: &str) -> Connection {
        let address = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
        Connection { address, stream: None }
    }

    /// The answer as JSON.
    fn ask(&mut self, method: &str, path: &str, body: &Value) -> Value {
        serde_json::from_slice(&self.send(method, path, &body.to_string()).body).expect("the answer is JSON")
    }

    /// The answer, read to its end but not looked at.
    fn send(&mut self, method: &str, path: &str, body: &str) -> Answer {
        let (address, length) = (&self.address, body.len());
        let mut stream = self.stream.take().unwrap_or_else(|| {
            let stream = TcpStream::connect(address).expect("the server accepts");
            stream.set_nodelay(true).expect("the option exists");
            BufReader::new(stream)
        });
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nX-API-Key: bench\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        );
        stream.get_mut().write_all(head.as_bytes()).expect("the request is sent");
        let answer = Answer::read(&mut stream);
        if answer.keep_alive {
            self.stream = Some(stream);
        }
        answer
    }
}

struct Answer {
    status: u16,
    keep_alive: bool,
    body: Vec<u8>,
}

impl Answer {
    fn read(stream: &mut BufReader<TcpStream>) -> Answer {
        let mut lines = stream.by_ref().lines().map(|line| line.expect("a header line"));
        let status_line = lines.next().expect("a status line");
        let headers: Vec<String> = lines.take_while(|line| !line.is_empty()).map(|line| line.to_lowercase()).collect();
        let header = |name: &str| headers.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let length = header("content-length").and_then(|length| length.parse().ok()).expect("a length");
        let keep_alive = status_line.starts_with("HTTP/1.1") && header("connection") != Some("close");
        let mut body = vec![0; length];
        stream.read_exact(&mut body).expect("the whole body");
        Answer { status: status_line[9..12].parse().expect("a status"), keep_alive, body }
    }
}

criterion_group!(benches, requests);
criterion_main!(benches);
