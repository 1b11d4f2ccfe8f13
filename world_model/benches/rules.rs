//! What rules cost: a 5×5 piece that walks a walled 64×64 room with steps of 5, after 400 observed actions.

use std::hash::{BuildHasher, BuildHasherDefault};
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use env_client::{Action, Color, Grid, Key};
use rustc_hash::FxHasher;
use world_model::{Outcome, Rules, Start, Transition, WorldModel};

const KEYS: [Key; 4] = [Key::Key1, Key::Key2, Key::Key3, Key::Key4];
const STEPS: [(i16, i16); 4] = [(0, -5), (0, 5), (-5, 0), (5, 0)];

fn frame((left, top): (i16, i16)) -> Grid {
    let mut grid = Grid::filled(64, 64, Color::of(4));
    for (index, cell) in grid.cells_mut().iter_mut().enumerate() {
        let (x, y) = ((index % 64) as i16, (index / 64) as i16);
        let inside = (left..left + 5).contains(&x) && (top..top + 5).contains(&y);
        let room = (2..62).contains(&x) && (2..62).contains(&y);
        let wall = x / 5 % 4 == 2 && y / 5 % 3 != 1;
        *cell = Color::of(if inside {
            9
        } else if room && !wall {
            0
        } else {
            4
        });
    }
    grid
}

fn moved((left, top): (i16, i16), (dx, dy): (i16, i16)) -> (i16, i16) {
    let to = (left + dx, top + dy);
    let blocked = !(2..58).contains(&to.0) || !(2..58).contains(&to.1) || (to.0 / 5 % 4 == 2 && to.1 / 5 % 3 != 1);
    if blocked { (left, top) } else { to }
}

fn rules(c: &mut Criterion) {
    let mut rules = Rules::new();
    let (mut at, mut seed) = ((15, 15), 1u32);
    rules.begin(&frame(at), Start::Level);
    for _ in 0..400 {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let choice = (seed >> 16) as usize % 4;
        let to = moved(at, STEPS[choice]);
        let (before, layers) = (frame(at), [frame(to)]);
        let action = Action::Key(KEYS[choice]);
        rules.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues });
        at = to;
    }
    let state = rules.state(&frame(at));
    let hasher = BuildHasherDefault::<FxHasher>::default();
    c.bench_function("predict, clone and hash", |b| {
        b.iter(|| {
            let next = rules.predict(black_box(&state), Action::Key(Key::Key4)).next;
            next.map(|state| hasher.hash_one(state.clone()))
        });
    });
    let (before, layers) = (frame(at), [frame(moved(at, STEPS[3]))]);
    let outcome = Outcome::Continues;
    let step = Transition { before: &before, action: Action::Key(Key::Key4), layers: &layers, outcome };
    c.bench_function("observe", |b| b.iter(|| rules.observe(black_box(&step))));
}

criterion_group!(benches, rules);
criterion_main!(benches);
