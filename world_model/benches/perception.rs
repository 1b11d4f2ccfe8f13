//! What it costs to see: a busy 64×64 frame (256 sprites of 4×4 cells on a patterned ground, a bar in the last row).

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use env_client::{Action, Color, Grid, Key};
use world_model::{
    InterfaceDetector, InterfaceMask, Scene, Snapshot,
    perception::{Bonds, LatticeFinder, Tracker, View},
};

fn frame(step: usize) -> Grid {
    let mut grid = Grid::filled(64, 64, Color::of(0));
    for (index, cell) in grid.cells_mut().iter_mut().enumerate() {
        let (x, y) = (index % 64, index / 64);
        let inside = x % 4 != 3 && y % 4 != 3;
        let color = if inside { 1 + (x / 4 * 7 + y / 4 * 3 + step % 5) % 14 } else { 0 };
        *cell = Color::ALL[if y == 63 { 14 + usize::from(x < step % 64) } else { color }];
    }
    grid
}

fn perception(c: &mut Criterion) {
    let (before, after) = (frame(1), frame(2));
    let command = Action::Key(Key::Key1).into();
    let mut detector = InterfaceDetector::new();
    detector.begin_level(&before);
    detector.acted(&before, command, &after);
    c.bench_function("scene of 256 sprites", |b| b.iter(|| Scene::of(black_box(&after))));
    let mut finder = LatticeFinder::default();
    finder.begin_level(&before, &InterfaceMask::new());
    let (lattice, bonds) = (finder.lattice(), Bonds::default());
    c.bench_function("components and objects of 256 sprites", |b| {
        b.iter(|| View::of(black_box(&after), lattice, &bonds));
    });
    c.bench_function("logical grid of 256 sprites", |b| {
        b.iter(|| finder.clone().see(black_box(&after), detector.mask()));
    });
    c.bench_function("follow 256 sprites that change colour", |b| {
        let mut tracker = Tracker::new();
        tracker.begin(&before, detector.mask());
        let layers = [after.clone()];
        b.iter(|| tracker.clone().step(black_box(&layers), detector.mask()));
    });
    c.bench_function("snapshot and key", |b| b.iter(|| Snapshot::of(black_box(&after)).key(detector.mask())));
    let mut watching = detector.clone();
    c.bench_function("watch a step that changes every sprite", |b| {
        b.iter(|| watching.acted(black_box(&before), command, black_box(&after)));
    });
}

criterion_group!(benches, perception);
criterion_main!(benches);
