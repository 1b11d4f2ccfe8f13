//! What reading an answer costs: the JSON of a 64×64 frame of 1 and of 10 layers to a checked observation.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use env_client::{
    Action, ActionSet, Color, Grid, Key, Observation, Status,
    wire::{ActionInput, Frame},
};

fn body(layers: usize) -> String {
    let mut grid = Grid::filled(64, 64, Color::of(5));
    for (index, cell) in grid.cells_mut().iter_mut().enumerate() {
        *cell = Color::ALL[index / 7 % Color::COUNT];
    }
    let observation = Observation {
        game: "ab12-9607627b".parse().expect("an id"),
        play: "0b4f3c5e-6a50-4a0b-9a4e-0f5d7c3d2b1a".parse().expect("an id"),
        layers: vec![grid; layers],
        status: Status::NotFinished,
        levels_completed: 1,
        win_levels: 7,
        available: ActionSet::ALL,
        full_reset: false,
    };
    let input = ActionInput::new(Action::Key(Key::Key1).into(), None);
    serde_json::to_string(&Frame::new(&observation, input)).expect("a frame")
}

fn parse(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse");
    for layers in [1, 10] {
        let body = body(layers);
        group.throughput(Throughput::Bytes(body.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(layers), |bencher| {
            bencher.iter(|| {
                let frame: Frame = serde_json::from_str(&body).expect("a frame");
                Observation::try_from(frame).expect("an observation")
            });
        });
    }
    group.finish();
}

criterion_group!(benches, parse);
criterion_main!(benches);
