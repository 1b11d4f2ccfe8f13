//! What an action costs the explorer that knows 10,000 states: take in the answer and decide, on 64×64 frames.
//!
//! Two synthetic games. In the field a figure walks over 101×101 places, all of them known, so that each decision
//! searches the whole graph for what is left to try. In the growing world every action shows a state never seen before.
//! Percentiles over the same steps are printed first, because criterion reports means.

use std::time::{Duration, Instant};

use agent::policy::{Explore, Outcome, Policy};
use criterion::{Criterion, criterion_group, criterion_main};
use env_client::{ActionId, ActionSet, Color, Command, Grid, Observation, Point, Status};

/// States known before anything is measured.
const KNOWN: usize = 10_000;
/// Steps over which percentiles are taken.
const MEASURED: usize = 5_000;

/// Two figures that are moved by keys 1 to 4, one over columns and one over rows of places; clicks do nothing.
struct Field {
    x: u32,
    y: u32,
    grows: bool,
    count: u32,
}

impl Field {
    const SIDE: u32 = 101;

    fn act(&mut self, command: Command) {
        self.count += 1;
        match command.number() {
            1 => self.y = (self.y + Self::SIDE - 1) % Self::SIDE,
            2 => self.y = (self.y + 1) % Self::SIDE,
            3 => self.x = (self.x + Self::SIDE - 1) % Self::SIDE,
            4 => self.x = (self.x + 1) % Self::SIDE,
            0 => (self.x, self.y) = (0, 0),
            _ => {}
        }
    }

    fn draw(&self) -> Grid {
        let mut grid = Grid::filled(64, 64, Color::of(4));
        for index in 0..40u32 {
            paint(&mut grid, 4 + index % 8 * 7, 12 + index / 8 * 7, 3, 1 + (index % 3) as u8);
        }
        paint(&mut grid, self.x % 60, 50 + self.x / 60 * 4, 2, 8);
        paint(&mut grid, self.y % 60, 4 + self.y / 60 * 4, 2, 9);
        for bit in (0..20).filter(|bit| self.grows && self.count >> bit & 1 == 1) {
            paint(&mut grid, 10 + 2 * bit, 58, 1, 10);
        }
        grid
    }

    fn observation(&self) -> Observation {
        let keys = [ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action4, ActionId::Action6];
        Observation {
            game: "bench".parse().expect("a game id"),
            play: "bench".parse().expect("a play id"),
            layers: vec![self.draw()],
            status: Status::NotFinished,
            levels_completed: 0,
            win_levels: 1,
            available: keys.into_iter().collect::<ActionSet>(),
            full_reset: false,
        }
    }
}

fn paint(grid: &mut Grid, left: u32, top: u32, side: u32, color: u8) {
    for (x, y) in (0..side * side).map(|index| (left + index % side, top + index / side)) {
        if let Ok(point) = Point::new(x, y) {
            grid.set(point, Color::of(color));
        }
    }
}

/// A play and the time its policy took.
struct Play {
    field: Field,
    policy: Explore,
    now: Observation,
}

impl Play {
    fn new(grows: bool) -> Play {
        let field = Field { x: 0, y: 0, grows, count: 0 };
        let (mut policy, now) = (Explore::new(1), field.observation());
        policy.observe(None, Command::Reset, Outcome::Seen(&now));
        Play { field, policy, now }
    }

    fn step(&mut self) -> Duration {
        let begun = Instant::now();
        let decision = self.policy.decide(&self.now, self.now.available);
        let decided = begun.elapsed();
        self.field.act(decision.command);
        let after = self.field.observation();
        let begun = Instant::now();
        self.policy.observe(Some(&self.now), decision.command, Outcome::Seen(&after));
        self.now = after;
        decided + begun.elapsed()
    }

    fn grown(grows: bool) -> Play {
        let mut play = Play::new(grows);
        while play.policy.known_states() < KNOWN {
            play.step();
        }
        play
    }
}

#[expect(clippy::print_stdout, reason = "a bench reports on stdout, as criterion does")]
fn percentiles(name: &str, play: &mut Play) {
    let mut times: Vec<Duration> = (0..MEASURED).map(|_| play.step()).collect();
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 1000];
    let states = play.policy.known_states();
    println!("{name}: {states} states, median {:?}, p99 {:?}, most {:?}", at(500), at(990), at(1000));
}

fn explore(c: &mut Criterion) {
    for (name, grows) in [("a field of 10,201 known states", false), ("a world that grows", true)] {
        let mut play = Play::grown(grows);
        percentiles(name, &mut play);
        c.bench_function(name, |b| b.iter_custom(|steps| (0..steps).map(|_| play.step()).sum()));
    }
}

criterion_group!(benches, explore);
criterion_main!(benches);
