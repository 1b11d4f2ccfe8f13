//! From files to batches.

use std::{fs, path::Path};

use env_client::{Color, Grid};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use super::{
    augment::{Augmentation, Dihedral, Recoloring},
    load::{Kind, OnFault},
    *,
};

const CANVAS: u8 = 9;

fn grid(rng: &mut StdRng) -> Grid {
    let mut grid = Grid::filled(rng.random_range(2..=5), rng.random_range(2..=5), Color::default());
    grid.cells_mut().iter_mut().for_each(|cell| *cell = Color::ALL[rng.random_range(0..COLORS)]);
    grid
}

fn pairs(count: usize, rng: &mut StdRng) -> Vec<Pair> {
    (0..count).map(|_| Pair { input: grid(rng), output: grid(rng) }).collect()
}

fn written(pair: &Pair) -> Value {
    json!({"input": pair.input, "output": pair.output})
}

fn task(train: &[Pair], test: &[Pair]) -> Value {
    json!({"train": train.iter().map(written).collect::<Vec<_>>(), "test": test.iter().map(written).collect::<Vec<_>>()})
}

/// A folder with all sources. The test pairs of its evaluation task are also in every other source, there in some view;
/// so are five of the generated pairs, twice in the generated task itself.
fn planted(folder: &Path, rng: &mut StdRng) -> Vec<Pair> {
    let space = AugmentConfig { colors: Colors::All, ..AugmentConfig::default() }.space(&[]);
    let tests = pairs(2, rng);
    let mut leaky = |count| {
        let copies: Vec<Pair> = tests.iter().map(|pair| space.draw(rng).pair(pair)).collect();
        [copies, pairs(count, rng)].concat()
    };
    let (training, concept, barc, mut generated) = (leaky(3), leaky(3), leaky(3), leaky(20));
    generated.extend_from_within(2..7);
    let write = |name: &str, value: Value| fs::write(folder.join(name), value.to_string()).unwrap();
    write(
        "training_challenges.json",
        json!({"a": task(&training, &tests), "b": task(&pairs(4, rng), &training[2..4])}),
    );
    write("evaluation_challenges.json", json!({"c": task(&pairs(3, rng), &tests)}));
    write("concept_challenges.json", json!({"d": task(&concept, &concept[2..3])}));
    write("barc.jsonl", json!({"source": "e", "examples": barc.iter().map(written).collect::<Vec<_>>()}));
    fs::create_dir(folder.join("tasks")).unwrap();
    write("tasks/a.json", generated.iter().map(written).collect());
    tests
}

fn config() -> DataConfig {
    DataConfig {
        sources: vec![Kind::Training, Kind::Evaluation, Kind::Concept, Kind::ReArc, Kind::Barc],
        held_out: 0.4,
        ..DataConfig::default()
    }
}

fn canvas() -> Canvas {
    Canvas::new(CANVAS).unwrap()
}

fn loaded(folder: &Path, config: &DataConfig) -> Dataset {
    Dataset::load(folder, config, canvas(), OnFault::Fail).unwrap()
}

/// The grid in a sequence, wherever it lies.
fn found(tokens: &[u8]) -> Grid {
    let mut tokens: Vec<u8> = tokens.iter().map(|token| if *token == IGNORED { PAD } else { *token }).collect();
    let corner = tokens.iter().position(|token| *token > EOS).unwrap();
    tokens.rotate_left(corner);
    canvas().read(&tokens).unwrap()
}

/// The pairs of a batch as they were before they were augmented.
fn undone(batch: &Batch) -> Vec<Pair> {
    let rows = batch.inputs.chunks(batch.len).zip(batch.labels.chunks(batch.len)).zip(&batch.views);
    let undo = |((input, label), view): ((&[u8], &[u8]), &View)| {
        let digits: String = view.palette.iter().map(ToString::to_string).collect();
        let colors: Recoloring = digits.parse().unwrap();
        let augmentation = Augmentation { colors, dihedral: Dihedral::ALL[usize::from(view.dihedral)] };
        Pair { input: augmentation.undo(&found(input)), output: augmentation.undo(&found(label)) }
    };
    rows.map(undo).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn no_test_pair_and_no_held_out_pair_is_ever_learned(seed: u64, by_row: bool, fixed: bool, translate: bool) {
        let folder = tempfile::tempdir().unwrap();
        let tests = planted(folder.path(), &mut StdRng::seed_from_u64(seed));
        let mut config = config();
        config.augment = AugmentConfig { translate, rows: fixed.then_some(6), ..AugmentConfig::default() };
        let dataset = loaded(folder.path(), &config);
        let mut puzzles = Puzzles::default();
        puzzles.add_lessons(&dataset.lessons, &config.augment, seed);
        let order = if by_row { Order::Rows } else { Order::Visits };
        let mut sampler =
            Sampler::new(&dataset.lessons, &puzzles, (canvas(), 8), (order, config.augment), seed).unwrap();
        let held_out = dataset.lessons.iter().flat_map(|lesson| &lesson.held_out);
        let sealed = Sealed::of(held_out.chain(&tests));
        for _ in 0..60 {
            let batch = sampler.draw();
            for pair in undone(&batch) {
                prop_assert!(!sealed.contains(&pair), "{pair:?}");
                prop_assert!(dataset.lessons.iter().any(|lesson| lesson.train.contains(&pair)), "{pair:?}");
            }
        }
    }
}

#[test]
fn what_is_sealed_is_counted_by_its_source() {
    let folder = tempfile::tempdir().unwrap();
    planted(folder.path(), &mut StdRng::seed_from_u64(1));
    let dataset = loaded(folder.path(), &config());
    let counts = |kind| dataset.survey.sources[&kind];
    // Both test pairs: as they are and in a view in `training`, in a view elsewhere.
    assert_eq!([Kind::Training, Kind::Concept].map(|kind| counts(kind).sealed), [4, 2]);
    assert_eq!((counts(Kind::Evaluation).held_out, counts(Kind::Evaluation).learned), (2, 3));
    // 27 generated pairs, of which 40 % are held out; twins are on the same side, so that none of them is lost.
    let generated = counts(Kind::ReArc);
    assert_eq!(generated.pairs, 27);
    assert!((10..=11).contains(&generated.held_out), "{generated:?}");
    assert!(generated.sealed <= 2 && generated.learned + generated.sealed + generated.held_out == 27, "{generated:?}");
}

#[test]
fn tests_seal_pairs_even_when_their_tasks_are_not_learned() {
    let folder = tempfile::tempdir().unwrap();
    planted(folder.path(), &mut StdRng::seed_from_u64(2));
    let config = DataConfig { sources: vec![Kind::Training], ..config() };
    let dataset = loaded(folder.path(), &config);
    assert_eq!(dataset.lessons.iter().map(|lesson| lesson.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(dataset.survey.sources.len(), 1);
    assert_eq!(dataset.survey.sources[&Kind::Training].sealed, 4);
}

#[test]
fn limits_keep_the_first_pairs_and_the_fullest_tasks() {
    let folder = tempfile::tempdir().unwrap();
    planted(folder.path(), &mut StdRng::seed_from_u64(3));
    let config = DataConfig { tasks: Some(2), pairs: Some(6), held_out: 0.0, ..config() };
    let dataset = loaded(folder.path(), &config);
    // 7 of `training` and 6 generated; then `d` with 6, `b` with 6, `e` with 5, `c` with 3: of equals the first name.
    assert_eq!(dataset.lessons.iter().map(|lesson| lesson.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(dataset.survey.sources[&Kind::ReArc].surplus, 21);
    assert_eq!(dataset.survey.sources[&Kind::Evaluation].surplus, 5);
}

#[test]
fn pairs_larger_than_the_canvas_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    planted(folder.path(), &mut StdRng::seed_from_u64(4));
    let small = Dataset::load(folder.path(), &config(), Canvas::new(4).unwrap(), OnFault::Fail).unwrap();
    let largest = DataConfig { max_side: 4, ..config() };
    assert_eq!(small.lessons, loaded(folder.path(), &largest).lessons);
    assert!(small.survey.sources[&Kind::ReArc].too_large > 0);
    let none = Dataset::load(folder.path(), &config(), Canvas::new(1).unwrap(), OnFault::Fail).unwrap_err();
    assert!(none.to_string().contains("holds no pair to learn from"), "{none}");
}

#[test]
fn so_many_problems_are_kept_whatever_their_order() {
    let lines = |order: &mut dyn Iterator<Item = usize>| {
        let folder = tempfile::tempdir().unwrap();
        let problem = |index: usize| format!(r#"{{"source":"p{index}","examples":[[[[{index}]],[[1]]]]}}"#);
        let text: Vec<String> = order.map(problem).collect();
        fs::write(folder.path().join("x.jsonl"), text.join("\n")).unwrap();
        let config = DataConfig { sources: vec![Kind::Barc], barc_tasks: 4, ..DataConfig::default() };
        loaded(folder.path(), &config)
    };
    let kept = lines(&mut (0..10));
    assert_eq!((kept.lessons.len(), kept.survey.sources[&Kind::Barc].surplus), (4, 6));
    assert_eq!(kept.lessons, lines(&mut (0..10).rev()).lessons);
}

#[test]
fn a_configuration_says_what_cannot_be() {
    let parse = |text: &str| toml::from_str::<DataConfig>(text).unwrap();
    let config = parse(
        r#"sources = ["training", "re_arc"]
        augment = { dihedral = 0.7, colors = "free" }"#,
    );
    assert_eq!((config.sources, config.augment.colors), (vec![Kind::Training, Kind::ReArc], Colors::Free));
    assert_eq!(parse("").check(), Ok(()));
    let wrong = parse("held_out = nan").check().unwrap_err().to_string();
    assert_eq!(wrong, "data.held_out is NaN, expected 0 to 1");
    assert!(parse("augment = { dihedral = 2 }").check().is_err());
    assert!(toml::from_str::<DataConfig>("translate = true").is_err());
}
