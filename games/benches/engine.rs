//! Steps a second of the engine, rendering included: `cargo bench -p games --bench engine`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use env_client::{Action, ActionSet, Command, Key, Point};
use games::{Variant, catalog, engine::Dice};

/// Commands of one measured walk.
const STEPS: usize = 1000;

/// Random actions that a title listens to, drawn before the measurement.
fn walk(controls: ActionSet) -> Vec<Command> {
    let mut dice = Dice::new(0, "bench");
    let ids: Vec<_> = controls.iter().collect();
    let mut action = || match Key::from_id(dice.pick(&ids)) {
        Some(key) => Action::Key(key),
        None => Action::Click(Point::new(dice.below(64) as i64, dice.below(64) as i64).expect("below 64")),
    };
    (0..STEPS).map(|_| action().into()).collect()
}

fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("engine steps");
    group.throughput(Throughput::Elements(STEPS as u64)).sample_size(20);
    for entry in catalog() {
        let mut play = entry.open(Variant::default()).expect("a title as written is not proven").play();
        let commands = walk(entry.about.controls);
        group.bench_function(entry.about.stem, |bencher| {
            bencher.iter(|| {
                for command in &commands {
                    if play.step(*command).layers.is_empty() {
                        play.step(Command::Reset);
                    }
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, steps);
criterion_main!(benches);
