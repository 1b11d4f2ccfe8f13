//! Steps a second of the engine, rendering included: `cargo bench -p games --bench engine`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use env_client::{Action, Command, Key};
use games::{Variant, catalog};

/// Random-walk length per measured batch, in commands.
const STEPS: u32 = 1000;

fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("engine steps");
    group.throughput(Throughput::Elements(u64::from(STEPS)));
    for entry in catalog() {
        let mut play = entry.open(Variant::default()).expect("a title as written is not proven").play();
        group.bench_function(entry.about.stem, |bencher| {
            bencher.iter(|| {
                for step in 0..STEPS {
                    let key = [Key::Key1, Key::Key4, Key::Key2, Key::Key3][(step / 3 % 4) as usize];
                    let shown = play.step(Action::Key(key).into());
                    if shown.layers.is_empty() {
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
