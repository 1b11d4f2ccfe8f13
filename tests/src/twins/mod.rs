//! The games of `tests/games/` once more, in Rust: what the official server says of the originals, ours must say of
//! these.

mod fill;
mod taps;
mod walk;

use env_client::{Action, ActionSet, Color, Command, Grid, Point, Status};
use games::{Environment, Shown, server::Offer};

/// The three games as the server offers them.
pub fn offers() -> Vec<Offer> {
    vec![
        offer::<fill::Fill>(&["keyboard"], &[]),
        offer::<taps::Taps>(&["click"], &[2, 3, 5]),
        offer::<walk::Walk>(&["keyboard", "move"], &[4, 6, 16]),
    ]
}

fn offer<B: Board>(tags: &[&'static str], baselines: &[u32]) -> Offer {
    let id = format!("{}-v1", B::TITLE.to_lowercase()).parse().expect("a stem and a version");
    let open =
        || Box::new(Twin { level: 0, board: B::level(0), actions: 0, solved: 0, status: Status::NotPlayed }) as _;
    Offer::new(id, B::TITLE, baselines.to_vec(), open).tagged(tags.iter().copied())
}

/// The rules of a game on 8×8 cells, and the state of one of its levels.
trait Board: Clone + Send + 'static {
    const TITLE: &'static str;
    const LEVELS: usize;
    const LISTENS: ActionSet;

    fn level(index: usize) -> Self;

    /// Takes one action and shows what happens, the settled view last.
    fn act(&mut self, action: Action) -> (Vec<Grid>, Verdict);

    fn draw(&self) -> Grid;
}

enum Verdict {
    Going,
    Solved,
    Lost,
}

/// What the official engine does around a game.
#[derive(Clone)]
struct Twin<B> {
    level: usize,
    board: B,
    actions: u32,
    solved: u16,
    status: Status,
}

impl<B: Board> Environment for Twin<B> {
    fn step(&mut self, command: Command) -> Shown {
        match command {
            Command::Reset => self.reset(),
            Command::Act(_) if matches!(self.status, Status::Win | Status::GameOver) => self.shown(Vec::new(), false),
            Command::Act(action) => self.act(action),
        }
    }

    fn actions_since_level_start(&self) -> u32 {
        self.actions
    }

    fn fork(&self) -> Box<dyn Environment> {
        Box::new(self.clone())
    }
}

impl<B: Board> Twin<B> {
    fn reset(&mut self) -> Shown {
        let full = self.actions == 0 || self.status == Status::Win;
        if full {
            (self.level, self.solved) = (0, 0);
        }
        self.status = Status::NotFinished;
        let layers = vec![self.enter(self.level)];
        self.shown(layers, full)
    }

    fn act(&mut self, action: Action) -> Shown {
        self.actions += 1;
        let (mut layers, verdict) = self.board.act(action);
        match verdict {
            Verdict::Going => {}
            Verdict::Lost => self.status = Status::GameOver,
            Verdict::Solved => {
                self.solved += 1;
                if self.level + 1 < B::LEVELS {
                    layers.push(self.enter(self.level + 1));
                } else {
                    self.status = Status::Win;
                }
            }
        }
        self.shown(layers, false)
    }

    fn enter(&mut self, level: usize) -> Grid {
        (self.level, self.board, self.actions) = (level, B::level(level), 0);
        self.board.draw()
    }

    fn shown(&self, layers: Vec<Grid>, full_reset: bool) -> Shown {
        Shown {
            layers,
            status: self.status,
            levels_completed: self.solved,
            win_levels: B::LEVELS as u16,
            available: B::LISTENS,
            full_reset,
        }
    }
}

/// Column and row of a cell.
type Cell = (u8, u8);

/// The cell under a click.
fn cell(point: Point) -> Cell {
    (point.x() / 8, point.y() / 8)
}

/// Paints cells, each eight by eight, on black; a later one covers an earlier one.
fn paint(cells: impl IntoIterator<Item = (Cell, Color)>) -> Grid {
    let mut grid = Grid::filled(64, 64, Color::of(5));
    for (painted, color) in cells {
        let points: Vec<Point> = grid.points().filter(|point| cell(*point) == painted).collect();
        for point in points {
            grid.set(point, color);
        }
    }
    grid
}
