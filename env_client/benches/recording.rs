//! What recording costs per action: 64×64 frames of 1 and 10 layers, plain and packed.
//!
//! The bound is a tenth of what an action takes over loopback. Lines go to a real file, as in a play, and back.

use std::{
    fs::File,
    io::{self, Seek, Write},
    path::{Path, PathBuf},
};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use env_client::{
    Action, ActionSet, Color, Command, Grid, Key, Observation, Point, Status,
    recording::{Compression, Medium, Reader, Recorder},
};

/// A frame with a background, a checkered floor and something that moves, as games have.
fn observation(layers: u8, step: u8) -> Observation {
    let layer = |index: u8| {
        let mut grid = Grid::filled(64, 64, Color::of(5));
        for point in grid.points().filter(|point| (8..56).contains(&point.x())) {
            grid.set(point, Color::of((point.x() / 4 + point.y() / 4) % 2 * 10));
        }
        grid.set(Point::new((step + index) % 64, 20).expect("in the frame"), Color::of(9));
        grid
    };
    Observation {
        game: "ab12-9607627b".parse().expect("an id"),
        play: "0b4f3c5e-6a50-4a0b-9a4e-0f5d7c3d2b1a".parse().expect("an id"),
        layers: (0..layers).map(layer).collect(),
        status: Status::NotFinished,
        levels_completed: 1,
        win_levels: 7,
        available: ActionSet::ALL,
        full_reset: false,
    }
}

/// A file that starts over when it is large: a bench records more than a disk holds.
struct Wheel {
    file: File,
    written: usize,
}

impl Write for Wheel {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.written > 64 << 20 {
            self.file.rewind()?;
            self.written = 0;
        }
        let written = self.file.write(bytes)?;
        self.written += written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Medium for Wheel {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }
}

fn recorder<M: Medium>(compression: Compression, medium: M) -> Recorder<M> {
    Recorder::over(medium, PathBuf::from("bench"), compression).expect("a recording")
}

fn file(folder: &Path) -> File {
    File::create(folder.join("recording")).expect("a file")
}

fn write(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let reasoning = serde_json::json!({"why": "nearest untried action", "route": 3});
    let command = Command::Act(Action::Key(Key::Key1));
    let mut group = criterion.benchmark_group("record");
    for layers in [1, 10] {
        let frames: Vec<Observation> = (0..64).map(|step| observation(layers, step)).collect();
        for compression in [Compression::Plain, Compression::Zstd] {
            let mut recorder = recorder(compression, Wheel { file: file(folder.path()), written: 0 });
            let mut steps = frames.iter().cycle();
            group.throughput(Throughput::Elements(layers.into()));
            group.bench_function(BenchmarkId::new(format!("{compression:?}"), layers), |bencher| {
                bencher.iter(|| {
                    let seen = steps.next().expect("a cycle");
                    recorder.record(command, Some(&reasoning), seen).expect("there is room");
                });
            });
        }
    }
    group.finish();
}

fn read(criterion: &mut Criterion) {
    const LINES: u8 = 50;
    let folder = tempfile::tempdir().expect("a folder");
    let mut group = criterion.benchmark_group("read");
    for compression in [Compression::Plain, Compression::Zstd] {
        let mut recorder = recorder(compression, file(folder.path()));
        for step in 0..LINES {
            recorder.record(Command::Reset, None, &observation(1, step)).expect("there is room");
        }
        recorder.finish().expect("there is room");
        let path = folder.path().join("recording");
        group.throughput(Throughput::Elements(LINES.into()));
        group.bench_function(format!("{compression:?}"), |bencher| {
            bencher.iter(|| Reader::open(&path).expect("a recording").flatten().count());
        });
    }
    group.finish();
}

criterion_group!(benches, write, read);
criterion_main!(benches);
