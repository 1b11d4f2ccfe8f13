//! The endless sequence of training batches.
//!
//! Nothing is prepared: every batch is drawn from the lessons when it is asked for. What batch `n` holds depends on the
//! seed and on the [`Position`] before it alone, so that a training that is resumed there sees the very same rows.

use std::num::NonZeroU64;

use rand::{Rng, RngExt, seq::SliceRandom};
use serde::{Deserialize, Serialize};

use super::{
    Batch, Example, Lesson, Pair, Paper, Puzzles,
    augment::Augmentation,
    space::{AugmentConfig, Space},
};
use crate::nn::stream;

/// In which order pairs are learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Order {
    /// As published: the tasks in a random order, of each all pairs in one augmentation, side by side; the last task of
    /// a batch is cut. Every task is seen equally often. Meant for the few pairs that people made: a task with more
    /// pairs than a batch has rows fills it alone.
    #[default]
    Visits,
    /// Each row by itself: a task, then one of its pairs, each of them drawn with equal chances.
    Rows,
    /// As `rows`, but those of several batches are drawn at once, sorted by size and dealt out: grids of a size share a
    /// batch, on a canvas no larger than they need. Small grids then cost little.
    Sizes {
        /// Batches that are drawn at once.
        pool: NonZeroU64,
        /// Share of the batches that have the whole canvas nevertheless, as questions do: how large an answer will be is
        /// not known.
        whole: f64,
    },
}

/// Lessons that no batch can be drawn from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SamplerError {
    /// Nothing to learn.
    #[error("no task to learn from")]
    Empty,
    /// A task without pairs.
    #[error("task {0} has no pair to learn from")]
    Idle(String),
    /// A pair that does not lie on a canvas or an image.
    #[error("pair {pair} of task {task} is too large: {most}x{most} cells at most fit")]
    TooLarge {
        /// Which task.
        task: String,
        /// Which of its pairs.
        pair: usize,
        /// The longest side that fits.
        most: u8,
    },
    /// A task without a row of the puzzle table.
    #[error("task {0} is not in the puzzle table")]
    NoRow(String),
}

/// Where a sampler is: before which batch, and before which task of which round through all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// Batches drawn.
    pub batch: u64,
    /// Rounds through all tasks completed.
    pub round: u64,
    /// Tasks of this round visited.
    pub visited: usize,
}

/// Draws batches.
#[derive(Debug)]
pub struct Sampler<'a> {
    tasks: Vec<Learned<'a>>,
    paper: Paper,
    rows: usize,
    order: Order,
    augment: AugmentConfig,
    seed: u64,
    position: Position,
    /// The tasks in the order of this round.
    round: Vec<usize>,
}

/// What a task is learned from.
#[derive(Debug)]
struct Learned<'a> {
    pairs: &'a [Pair],
    /// Its rows of the puzzle table, and how they see it.
    rows: Vec<(u32, Augmentation)>,
    space: Space,
}

impl<'a> Sampler<'a> {
    /// A sampler before its first batch; batches have so many rows.
    pub fn new(
        lessons: &'a [Lesson],
        puzzles: &Puzzles,
        (paper, rows): (impl Into<Paper>, usize),
        (order, augment): (Order, AugmentConfig),
        seed: u64,
    ) -> Result<Sampler<'a>, SamplerError> {
        let paper = paper.into();
        let task = |lesson| Learned::new(lesson, puzzles, paper, &augment);
        let tasks: Vec<_> = lessons.iter().map(task).collect::<Result<_, _>>()?;
        if tasks.is_empty() {
            return Err(SamplerError::Empty);
        }
        let round = shuffled(tasks.len(), &mut stream(seed, "round 0"));
        Ok(Sampler { tasks, paper, rows, order, augment, seed, position: Position::default(), round })
    }

    /// Where it is.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Goes where a sampler of the same lessons was.
    pub fn seek(&mut self, position: Position) {
        self.position = position;
        self.round = self.order_of(position.round);
    }

    fn order_of(&self, round: u64) -> Vec<usize> {
        shuffled(self.tasks.len(), &mut stream(self.seed, &format!("round {round}")))
    }

    /// The next batch.
    pub fn draw(&mut self) -> Batch {
        let mut rng = stream(self.seed, &format!("batch {}", self.position.batch));
        let batch = match self.order {
            Order::Visits => self.visits(&mut rng),
            Order::Rows => self.paper.batch(self.rows, &self.draws(self.rows, &mut rng)),
            Order::Sizes { pool, whole } => self.sizes(pool, whole, &mut rng),
        };
        self.position.batch += 1;
        batch
    }

    /// A task after the other.
    fn visits(&mut self, rng: &mut impl Rng) -> Batch {
        let mut examples = Vec::with_capacity(self.rows);
        while examples.len() < self.rows {
            let task = self.next_task();
            self.visit(task, self.rows - examples.len(), rng, &mut examples);
        }
        self.paper.batch(self.rows, &examples)
    }

    /// One pair of any task, so many times.
    fn draws(&self, count: usize, rng: &mut impl Rng) -> Vec<(Example, u8)> {
        let mut examples = Vec::with_capacity(count);
        (0..count).for_each(|_| self.visit(rng.random_range(0..self.tasks.len()), 1, rng, &mut examples));
        examples
    }

    /// A batch out of its pool: all of these draw the same rows and deal them out alike.
    fn sizes(&self, pool: NonZeroU64, whole: f64, rng: &mut impl Rng) -> Batch {
        let (round, place) = (self.position.batch / pool, (self.position.batch % pool) as usize);
        let pool = pool.get() as usize;
        let mut common = stream(self.seed, &format!("pool {round}"));
        let mut examples = self.draws(pool * self.rows, &mut common);
        examples.sort_by_key(|(example, _)| example.reach());
        let first = self.rows * shuffled(pool, &mut common)[place];
        let examples = &examples[first..first + self.rows];
        let paper = if rng.random::<f64>() < whole { self.paper } else { self.paper.cut_to(examples) };
        paper.batch(self.rows, examples)
    }

    fn next_task(&mut self) -> usize {
        if self.position.visited >= self.tasks.len() {
            self.position.round += 1;
            self.position.visited = 0;
            self.round = self.order_of(self.position.round);
        }
        self.position.visited += 1;
        self.round[self.position.visited - 1]
    }

    /// Pairs of one task in a random order and in one view; one of all its pairs stays at the corner of the canvas, where
    /// questions will lie.
    fn visit(&self, task: usize, most: usize, rng: &mut impl Rng, examples: &mut Vec<(Example, u8)>) {
        let task = &self.tasks[task];
        let (puzzle, augmentation) = self.view(task, rng);
        let cornered = rng.random_range(0..task.pairs.len());
        for index in shuffled(task.pairs.len(), rng).into_iter().take(most) {
            let mut example = Example::new(&task.pairs[index], &augmentation, puzzle);
            let anywhere = self.augment.translate && index != cornered;
            let scale;
            (example.at, scale) = self.paper.place(&example, anywhere, rng);
            examples.push((example, scale));
        }
    }

    /// One of the rows of a task; where views have no rows of their own, its row in any view.
    fn view(&self, task: &Learned<'_>, rng: &mut impl Rng) -> (u32, Augmentation) {
        let (puzzle, augmentation) = task.rows[rng.random_range(0..task.rows.len())];
        match self.augment.rows {
            Some(_) => (puzzle, augmentation),
            None => (puzzle, task.space.draw(rng)),
        }
    }
}

impl<'a> Learned<'a> {
    fn new(
        lesson: &'a Lesson,
        puzzles: &Puzzles,
        paper: Paper,
        augment: &AugmentConfig,
    ) -> Result<Learned<'a>, SamplerError> {
        let task = || lesson.id.clone();
        let pairs = lesson.train.as_slice();
        if let Some(pair) = pairs.iter().position(|pair| !paper.fits(pair)) {
            return Err(SamplerError::TooLarge { task: task(), pair, most: paper.longest() });
        }
        let row = |id: &u32| puzzles.augmentation(*id).map(|augmentation| (*id, augmentation));
        let rows: Vec<_> = puzzles.of(&lesson.id).iter().filter_map(row).collect();
        match (pairs.is_empty(), rows.is_empty()) {
            (true, _) => Err(SamplerError::Idle(task())),
            (_, true) => Err(SamplerError::NoRow(task())),
            _ => Ok(Learned { pairs, rows, space: augment.space(pairs) }),
        }
    }
}

fn shuffled(count: usize, rng: &mut impl Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.shuffle(rng);
    order
}

#[cfg(test)]
mod tests {
    use env_client::{Color, Grid};

    use super::*;
    use crate::data::{Canvas, Colors, image::Image};

    /// Three tasks of 2, 3 and 4 pairs: 1×1 grids, of which no two are alike.
    fn lessons() -> Vec<Lesson> {
        let one = |color: u8| Grid::filled(1, 1, Color::of(color));
        let pair = |task: u8, index: u8| Pair { input: one(task), output: one(index + 4) };
        let train = |task: u8| (0..task + 2).map(|index| pair(task, index)).collect();
        (0..3).map(|task| Lesson { id: task.to_string(), train: train(task), held_out: Vec::new() }).collect()
    }

    fn sampler(lessons: &[Lesson], order: Order, augment: AugmentConfig) -> Sampler<'_> {
        let mut puzzles = Puzzles::default();
        puzzles.add_lessons(lessons, &augment, 1);
        Sampler::new(lessons, &puzzles, (Canvas::new(4).unwrap(), 9), (order, augment), 1).unwrap()
    }

    const PLAIN: AugmentConfig = AugmentConfig { dihedral: 0.0, colors: Colors::Kept, translate: false, rows: None };

    #[test]
    fn every_task_is_visited_once_a_round_with_all_its_pairs() {
        let lessons = lessons();
        let mut sampler = sampler(&lessons, Order::Visits, PLAIN);
        // 2 + 3 + 4 pairs make a batch of nine.
        for round in 0..4 {
            let mut batch = sampler.draw();
            assert_eq!(sampler.position(), Position { batch: round + 1, round, visited: 3 });
            batch.puzzles.dedup();
            assert_eq!(batch.puzzles.len(), 3, "the pairs of a task lie side by side");
            batch.puzzles.sort_unstable();
            assert_eq!(batch.puzzles, [1, 2, 3]);
            let mut shown: Vec<_> = batch.inputs.chunks(16).zip(batch.labels.chunks(16)).collect();
            shown.sort_unstable();
            shown.dedup();
            assert_eq!(shown.len(), 9, "no pair twice");
        }
    }

    #[test]
    fn the_last_task_of_a_batch_is_cut_and_the_next_batch_begins_with_another() {
        let lessons = lessons();
        let mut sampler = sampler(&lessons, Order::Visits, PLAIN);
        sampler.rows = 5;
        let visited: Vec<_> = (0..6).map(|_| (sampler.draw(), sampler.position().visited)).collect();
        assert!(visited.iter().all(|(batch, _)| batch.puzzles.iter().all(|puzzle| *puzzle > 0)));
        assert!(visited.windows(2).all(|pair| pair[0].0.puzzles[4] != pair[1].0.puzzles[0] || pair[0].1 == 3));
    }

    #[test]
    fn a_batch_depends_on_the_position_alone() {
        let lessons = lessons();
        let sizes = Order::Sizes { pool: NonZeroU64::new(4).unwrap(), whole: 0.5 };
        for order in [Order::Visits, Order::Rows, sizes] {
            let mut first = sampler(&lessons, order, AugmentConfig::default());
            (0..7).for_each(|_| drop(first.draw()));
            let position = first.position();
            let expected: Vec<Batch> = (0..5).map(|_| first.draw()).collect();
            let mut resumed = sampler(&lessons, order, AugmentConfig::default());
            resumed.seek(position);
            assert_eq!((0..5).map(|_| resumed.draw()).collect::<Vec<_>>(), expected);
            assert_eq!(resumed.position(), first.position());
        }
    }

    /// Grids of 1 to 3 cells in a row; the canvas of 4 holds the largest and what closes it.
    #[test]
    fn grids_of_a_size_share_a_batch_on_a_canvas_no_larger_than_they_need() {
        let grid = |width: u8| Grid::filled(width, 1, Color::of(1));
        let pairs = (1..=3).map(|width| Pair { input: grid(width), output: grid(1) }).collect();
        let lessons = [Lesson { id: "a".to_owned(), train: pairs, held_out: Vec::new() }];
        let sides = |whole: f64| {
            let mut sampler = sampler(&lessons, Order::Sizes { pool: NonZeroU64::new(10).unwrap(), whole }, PLAIN);
            let batches: Vec<Batch> = (0..20).map(|_| sampler.draw()).collect();
            let side = |batch: &Batch| batch.len.isqrt();
            [2, 3, 4].map(|wanted| batches.iter().filter(|batch| side(batch) == wanted).count())
        };
        // A third of 90 rows each makes three batches and a third of each size, and mixed ones count as the larger.
        let [small, middle, large] = sides(0.0);
        assert!((4..=8).contains(&small) && (5..=9).contains(&middle) && (5..=9).contains(&large));
        assert_eq!(sides(1.0), [0, 0, 20]);
    }

    #[test]
    fn rows_of_their_own_tell_the_views_apart() {
        let lessons = lessons();
        let augment = AugmentConfig { rows: Some(5), ..AugmentConfig::default() };
        let mut sampler = sampler(&lessons, Order::Rows, augment);
        let batches: Vec<Batch> = (0..40).map(|_| sampler.draw()).collect();
        let mut seen: Vec<_> = batches.iter().flat_map(|it| it.puzzles.iter().zip(it.views.iter())).collect();
        seen.sort_by_key(|(puzzle, view)| (**puzzle, view.palette, view.dihedral));
        seen.dedup();
        // Six rows for each of the three tasks, each with one view.
        assert_eq!(seen.len(), 18);
    }

    #[test]
    fn translated_pairs_keep_a_common_offset_and_some_stay_at_the_corner() {
        let lessons = lessons();
        let mut sampler = sampler(&lessons, Order::Rows, AugmentConfig { translate: true, ..PLAIN });
        let place = |tokens: &[u8]| tokens.iter().position(|token| (2..12).contains(token));
        let mut places = [0; 16];
        for _ in 0..50 {
            let batch = sampler.draw();
            for (input, label) in batch.inputs.chunks(16).zip(batch.labels.chunks(16)) {
                assert_eq!(place(input), place(label));
                places[place(input).unwrap()] += 1;
            }
        }
        assert!(places.iter().all(|count| *count > 0) && places[0] > 100, "{places:?}");
    }

    #[test]
    fn images_show_the_same_pairs_enlarged() {
        let lessons = lessons();
        let (order, augment) = (Order::Rows, AugmentConfig { translate: true, ..PLAIN });
        let mut puzzles = Puzzles::default();
        puzzles.add_lessons(&lessons, &augment, 1);
        let image = Image::new(8).unwrap();
        let mut sampler = Sampler::new(&lessons, &puzzles, (image, 50), (order, augment), 1).unwrap();
        let batch = sampler.draw();
        // The input of puzzle 1 is a cell of colour 0, enlarged up to six times.
        let colored =
            |(pixels, puzzle): (&[u8], &u32)| pixels.iter().filter(|pixel| u32::from(**pixel) + 1 == *puzzle).count();
        let mut areas: Vec<usize> = batch.inputs.chunks(64).zip(&batch.puzzles).map(colored).collect();
        areas.sort_unstable();
        areas.dedup();
        assert_eq!(areas, [1, 4, 9, 16, 25, 36]);
    }

    #[test]
    fn lessons_that_cannot_be_drawn_from_are_refused() {
        let mut lessons = lessons();
        let refused = |lessons: &[Lesson], puzzles: &Puzzles, side| {
            let canvas = Canvas::new(side).unwrap();
            Sampler::new(lessons, puzzles, (canvas, 1), (Order::Rows, PLAIN), 1).unwrap_err()
        };
        let mut puzzles = Puzzles::default();
        assert_eq!(refused(&[], &puzzles, 1), SamplerError::Empty);
        assert_eq!(refused(&lessons, &puzzles, 1), SamplerError::NoRow("0".to_owned()));
        puzzles.add_lessons(&lessons, &PLAIN, 1);
        lessons[1].train[2].output = Grid::filled(1, 3, Color::of(1));
        assert_eq!(refused(&lessons, &puzzles, 2), SamplerError::TooLarge { task: "1".to_owned(), pair: 2, most: 2 });
        lessons[1].train.clear();
        assert_eq!(refused(&lessons, &puzzles, 2), SamplerError::Idle("1".to_owned()));
    }
}
