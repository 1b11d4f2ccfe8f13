//! From files to lessons: what is kept, what is held out, what is sealed.

use std::collections::{BTreeMap, HashSet};

use indexmap::IndexMap;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{
    DataConfig, Lesson, Pair, Paper, Sealed,
    load::{self, DataFile, Faults, Kind, LoadError, Record},
    sealed::class,
    survey::Counts,
};
use crate::nn::stream;

/// A task on its way to a lesson.
#[derive(Default)]
struct Draft {
    learned: Vec<(Kind, Pair)>,
    held_out: Vec<(Kind, Pair)>,
}

/// What was read so far.
pub(super) struct Gathered<'a> {
    config: &'a DataConfig,
    /// Longest side of a pair.
    side: u8,
    drafts: BTreeMap<String, Draft>,
    /// The BARC tasks with the smallest hashes: a random choice, whatever their order.
    problems: BTreeMap<(u64, String), Vec<Pair>>,
    /// Test pairs of all evaluation tasks, whether these are learned or not.
    tests: Vec<Pair>,
    counts: BTreeMap<Kind, Counts>,
}

impl<'a> Gathered<'a> {
    pub(super) fn new(config: &'a DataConfig, paper: Paper) -> Gathered<'a> {
        Gathered {
            config,
            side: config.max_side.min(paper.longest()),
            drafts: BTreeMap::new(),
            problems: BTreeMap::new(),
            tests: Vec::new(),
            counts: config.sources.iter().map(|kind| (*kind, Counts::default())).collect(),
        }
    }

    /// Takes in a file that is among the sources, or that seals pairs.
    pub(super) fn read(&mut self, kind: Kind, file: &DataFile, faults: &mut Faults) -> Result<(), LoadError> {
        if self.config.sources.contains(&kind) {
            self.count(kind).files += 1;
            load::read(kind, file, faults, |record| self.add(kind, record))
        } else if kind == Kind::Evaluation {
            load::read(kind, file, faults, |record| self.tests.extend(record.test))
        } else {
            Ok(())
        }
    }

    fn count(&mut self, kind: Kind) -> &mut Counts {
        self.counts.entry(kind).or_default()
    }

    fn add(&mut self, kind: Kind, Record { id, mut train, mut test, too_large }: Record) {
        if kind == Kind::Evaluation {
            self.tests.extend_from_slice(&test);
        } else {
            train.append(&mut test);
        }
        let read = train.len() + test.len();
        train.retain(|pair| longest_side(pair) <= self.side);
        test.retain(|pair| longest_side(pair) <= self.side);
        let counts = self.count(kind);
        counts.tasks += 1;
        counts.pairs += read + too_large;
        counts.too_large += read + too_large - train.len() - test.len();
        match kind {
            Kind::Barc => self.add_problem(id, train),
            _ => self.add_pairs(kind, id, train, test),
        }
    }

    fn add_pairs(&mut self, kind: Kind, id: String, learned: Vec<Pair>, held_out: Vec<Pair>) {
        let draft = self.drafts.entry(id).or_default();
        draft.learned.extend(learned.into_iter().map(|pair| (kind, pair)));
        draft.held_out.extend(held_out.into_iter().map(|pair| (kind, pair)));
    }

    /// Keeps a BARC task as long as it is among those with the smallest hashes.
    fn add_problem(&mut self, id: String, pairs: Vec<Pair>) {
        let rank = xxh3_64_with_seed(id.as_bytes(), self.config.split_seed);
        self.problems.entry((rank, id)).or_default().extend(pairs);
        if self.problems.len() > self.config.barc_tasks
            && let Some((_, pairs)) = self.problems.pop_last()
        {
            self.count(Kind::Barc).surplus += pairs.len();
        }
    }

    /// The lessons in the order of their names, and what became of the pairs of each source.
    pub(super) fn lessons(mut self) -> (Vec<Lesson>, BTreeMap<Kind, Counts>) {
        for ((_, id), pairs) in std::mem::take(&mut self.problems) {
            self.add_pairs(Kind::Barc, id, pairs, Vec::new());
        }
        self.drop_surplus_pairs();
        self.drop_surplus_tasks();
        if self.config.held_out > 0.0 {
            self.drafts.par_iter_mut().for_each(|(id, draft)| hold_out(id, draft, self.config));
        }
        self.drop_sealed();
        self.drop_empty();
        let drafts = std::mem::take(&mut self.drafts).into_iter();
        let lessons = drafts.map(|(id, draft)| self.lesson(id, draft)).collect();
        (lessons, self.counts)
    }

    fn drop_surplus_pairs(&mut self) {
        let most = self.config.pairs.unwrap_or(usize::MAX);
        for draft in self.drafts.values_mut() {
            let mut generated = 0;
            draft.learned.retain(|(kind, _)| {
                generated += usize::from(kind.is_generated());
                let kept = !kind.is_generated() || generated <= most;
                self.counts.entry(*kind).or_default().surplus += usize::from(!kept);
                kept
            });
        }
    }

    /// Keeps the tasks that rank first by what there is to learn; among equals the first.
    fn drop_surplus_tasks(&mut self) {
        let place = |draft: &Draft| self.config.rank.of(draft.learned.iter().map(|(_, pair)| pair));
        let mut ranked: Vec<_> = self.drafts.iter().map(|(id, draft)| (place(draft), id.clone())).collect();
        ranked.sort();
        for (_, id) in ranked.into_iter().skip(self.config.tasks.unwrap_or(usize::MAX)) {
            let dropped = self.drafts.remove(&id).unwrap_or_default();
            for (kind, _) in dropped.learned.iter().chain(&dropped.held_out) {
                self.count(*kind).surplus += 1;
            }
        }
    }

    /// Drops from what is learned everything that is held out or asked in a test, in whatever view.
    fn drop_sealed(&mut self) {
        let held_out = self.drafts.values().flat_map(|draft| &draft.held_out);
        let sealed = Sealed::of(held_out.map(|(_, pair)| pair).chain(&self.tests));
        for draft in self.drafts.values_mut() {
            draft.learned.retain(|(kind, pair)| {
                let dropped = sealed.contains(pair);
                self.counts.entry(*kind).or_default().sealed += usize::from(dropped);
                !dropped
            });
        }
    }

    /// Drops tasks of which there is nothing to learn: without a row of the table nobody can ask them.
    fn drop_empty(&mut self) {
        for (_, draft) in self.drafts.extract_if(.., |_, draft| draft.learned.is_empty()) {
            for (kind, _) in draft.held_out {
                self.counts.entry(kind).or_default().sealed += 1;
            }
        }
    }

    fn lesson(&mut self, id: String, draft: Draft) -> Lesson {
        draft.learned.iter().for_each(|(kind, _)| self.count(*kind).learned += 1);
        draft.held_out.iter().for_each(|(kind, _)| self.count(*kind).held_out += 1);
        let pairs = |pairs: Vec<(Kind, Pair)>| pairs.into_iter().map(|(_, pair)| pair).collect();
        Lesson { id, train: pairs(draft.learned), held_out: pairs(draft.held_out) }
    }
}

/// Moves a random share of the generated pairs, another for each task, to those that are held out; views of one pair stay
/// together.
fn hold_out(id: &str, draft: &mut Draft, config: &DataConfig) {
    let mut classes: IndexMap<u128, Vec<usize>> = IndexMap::new();
    let generated = draft.learned.iter().enumerate().filter(|(_, (kind, _))| kind.is_generated());
    for (place, (_, pair)) in generated {
        classes.entry(class(pair)).or_default().push(place);
    }
    let share = classes.values().map(Vec::len).sum::<usize>() as f64 * config.held_out;
    let mut classes: Vec<Vec<usize>> = classes.into_values().collect();
    classes.shuffle(&mut stream(config.split_seed, &format!("held out of {id}")));
    let mut chosen = HashSet::new();
    for places in classes {
        if (chosen.len() + places.len()) as f64 <= share.round() {
            chosen.extend(places);
        }
    }
    let mut places = 0..;
    let held_out = draft.learned.extract_if(.., |_| places.next().is_some_and(|place| chosen.contains(&place)));
    draft.held_out.extend(held_out);
}

fn longest_side(pair: &Pair) -> u8 {
    let [input, output] = [&pair.input, &pair.output].map(|grid| grid.width().max(grid.height()));
    input.max(output)
}
