use candle_core::{Device, Tensor};

use super::*;
use crate::{
    data::IGNORED,
    nn::{Builder, Init, Params, stream},
};

const PUZZLES: usize = 4;

fn config(kind: &str, changes: &[(&str, &str)]) -> NetConfig {
    let mut text = format!(
        r#"
        kind = "{kind}"
        loss = "cross_entropy"
        steps = 3
        tokens = {{ canvas = 3, hidden = 16, prefix = 12, positions = "grid", rows = "factored", row_std = 0.1 }}
        stack = {{ layers = 2, heads = 2, ffn = 8, conv = "pair" }}
        loops = {{ free = 1, grad = 2, loss_at = "each" }}
        halting = {{ rule = "fixed" }}
    "#
    );
    if kind == "trm" {
        text = text.replace("steps = 3", "steps = 3\nlow_passes = 2\nlatents = \"two\"");
    }
    let text = changes.iter().fold(text, |text, (from, to)| text.replace(from, to));
    toml::from_str(&text).unwrap()
}

/// A net whose heads are not zero, so that nothing is by chance.
fn net(config: &NetConfig) -> (Net, Params) {
    let mut builder = Builder::fresh(3, &Device::Cpu);
    let net = Net::build(config, PUZZLES, &mut builder.root()).unwrap();
    let params = builder.finish().unwrap();
    let head = params.get("q_head.weight").unwrap();
    head.set(&Init::Normal { std: 0.5 }.draw(3, "head", head.shape(), &Device::Cpu).unwrap()).unwrap();
    (net, params)
}

fn batch(rows: usize, first: u8) -> Batch {
    let mut batch = Batch::blank(rows, 9);
    batch.inputs.iter_mut().enumerate().for_each(|(i, token)| *token = (first + i as u8 * 5) % 12);
    batch.labels.iter_mut().enumerate().for_each(|(i, label)| *label = (first + i as u8 * 7) % 12);
    batch.labels[0] = IGNORED;
    batch.puzzles.iter_mut().enumerate().for_each(|(i, puzzle)| *puzzle = 1 + i as u32 % 3);
    batch
}

fn train(net: &Net, carry: &Carry, batch: &Batch) -> Step {
    net.step(carry, batch, Run::Train(&mut stream(0, "exploration"))).unwrap()
}

fn distance(a: &Tensor, b: &Tensor) -> f32 {
    (a - b).unwrap().abs().unwrap().flatten_all().unwrap().max(0).unwrap().to_scalar().unwrap()
}

/// Nets that train their halting heads.
fn every_kind() -> Vec<NetConfig> {
    let head = ("rule = \"fixed\"", "rule = \"q_head\"");
    let two = ("latents = \"two\"", "latents = \"one\"");
    let mlp = ("conv = \"pair\"", "conv = \"grid\", mixer = { mlp_t = 8 }");
    let act = ("rule = \"fixed\"", "rule = \"act\"");
    let learned = ("positions = \"grid\"", "positions = \"learned\"");
    vec![
        config("urm", &[head]),
        config("urm", &[act, ("\"each\"", "\"last\"")]),
        config("trm", &[head, learned]),
        config("trm", &[head, two]),
        config("trm", &[head, mlp, ("\"cross_entropy\"", "\"stablemax\"")]),
    ]
}

#[test]
fn every_trained_tensor_and_every_row_gets_a_gradient() {
    for config in every_kind() {
        let (net, params) = net(&config);
        let step = train(&net, &Carry::empty(2, 9), &batch(2, 1));
        let gradients = net.loss(&step).unwrap().total.backward().unwrap();
        let rows = step.rows.as_ref().unwrap().as_tensor();
        let all = params.trained().map(|(name, var)| (name, var.as_tensor())).chain([("the rows", rows)]);
        for (name, weight) in all {
            let gradient = gradients.get(weight).unwrap_or_else(|| panic!("{config:?}: {name} has no gradient"));
            assert!(distance(gradient, &gradient.zeros_like().unwrap()) > 0.0, "{config:?}: {name}");
        }
    }
}

#[test]
fn a_dense_table_and_places_are_trained_by_the_optimiser() {
    let dense = r#"row_std = 0.1, spread = true, places = true, table = "dense""#;
    let (net, params) = net(&config("urm", &[("row_std = 0.1", dense)]));
    let step = train(&net, &Carry::empty(2, 9), &batch(2, 1));
    let gradients = net.loss(&step).unwrap().total.backward().unwrap();
    assert!(step.rows.is_none() && params.table().is_none(), "nothing is left to sign-SGD");
    for name in ["puzzle_emb.weights", "place_emb.rows", "place_emb.columns"] {
        let gradient = gradients.get(params.get(name).unwrap()).unwrap();
        assert!(distance(gradient, &gradient.zeros_like().unwrap()) > 0.0, "{name}");
    }
}

#[test]
fn training_and_evaluation_see_the_same_and_evaluation_leaves_no_graph() {
    for config in every_kind() {
        let (net, params) = net(&config);
        let trained = train(&net, &Carry::empty(2, 9), &batch(2, 1));
        let evaluated = net.step(&Carry::empty(2, 9), &batch(2, 1), Run::Eval(net.depth())).unwrap();
        let (last, same) = (trained.last().unwrap(), evaluated.last().unwrap());
        assert!(distance(&last.logits, &same.logits) < 1e-5);
        assert!(distance(&last.halt, &same.halt) < 1e-5);
        let gradients = same.logits.sum_all().unwrap().backward().unwrap();
        assert!(params.iter().all(|(_, _, var)| gradients.get(var).is_none()));
    }
}

#[test]
fn half_precision_answers_nearly_the_same_and_trains_every_weight() {
    for config in every_kind() {
        let (net, params) = net(&config);
        let half = net.clone().computing_in(DType::BF16);
        let step = train(&half, &Carry::empty(2, 9), &batch(2, 1));
        let full = train(&net, &Carry::empty(2, 9), &batch(2, 1));
        // A bf16 has 8 bits; what is compared has been through up to 24 layers.
        let scale = full.answers[0].logits.sqr().unwrap().mean_all().unwrap().to_scalar::<f32>().unwrap().sqrt();
        assert!(distance(&step.answers[0].logits, &full.answers[0].logits) < 0.3 * scale, "{config:?}");
        let gradients = half.loss(&step).unwrap().total.backward().unwrap();
        assert!(params.trained().all(|(_, weight)| gradients.get(weight).is_some()));
    }
}

#[test]
fn a_slot_keeps_its_puzzle_until_it_halts() {
    let (net, _) = net(&config("urm", &[]));
    let mut carry = Carry::empty(2, 9);
    let mut held = Vec::new();
    for first in 1..=4 {
        carry = train(&net, &carry, &batch(2, first)).carry;
        held.push((carry.data == batch(2, first), carry.slots[0].steps, carry.slots[0].halted));
    }
    assert_eq!(held, [(true, 1, false), (false, 2, false), (false, 3, true), (true, 1, false)]);
}

#[test]
fn the_state_starts_anew_with_a_new_puzzle() {
    let (net, _) = net(&config("trm", &[]));
    let first = train(&net, &Carry::empty(2, 9), &batch(2, 1));
    let mut carry = first.carry.clone();
    carry.slots[1].halted = true;
    let later = train(&net, &carry, &batch(2, 1));
    let row = |step: &Step, row: usize| step.last().unwrap().logits.get(row).unwrap();
    assert!(distance(&row(&later, 1), &row(&first, 1)) < 1e-6);
    assert!(distance(&row(&later, 0), &row(&first, 0)) > 1e-3);
}

#[test]
fn more_loops_are_what_a_longer_evaluation_reads_last() {
    let (net, _) = net(&config("urm", &[]));
    let answers = |loops| {
        let depth = Depth { loops, steps: 1 };
        net.step(&Carry::empty(1, 9), &batch(1, 1), Run::Eval(depth)).unwrap().answers
    };
    let (short, long) = (answers(2), answers(7));
    assert_eq!((short.len(), long.len()), (2, 7));
    assert!(distance(&short[1].logits, &long[1].logits) < 1e-6);
    assert!(distance(&long[5].logits, &long[6].logits) > 0.0);
}

#[test]
fn a_solution_is_the_answer_of_the_last_step() {
    let (net, _) = net(&config("urm", &[]));
    let depth = Depth { loops: 3, steps: 2 };
    let first = net.step(&Carry::empty(1, 9), &batch(1, 1), Run::Eval(depth)).unwrap();
    let second = net.step(&first.carry, &batch(1, 1), Run::Eval(depth)).unwrap();
    let found = net.solve(&batch(1, 1), depth).unwrap();
    assert!(distance(&found.logits, &second.last().unwrap().logits) < 1e-6);
    assert!(distance(&found.logits, &first.last().unwrap().logits) > 1e-3);
}

#[test]
fn a_rule_that_spends_a_probability_answers_with_the_mean() {
    let (net, _) = net(&config("urm", &[("rule = \"fixed\"", "rule = \"act\"")]));
    let depth = Depth { loops: 3, steps: 3 };
    let (mut carry, mut mean, mut spent) = (Carry::empty(1, 9), None, 0.0);
    while spent < 1.0 - 1e-6 {
        let step = net.step(&carry, &batch(1, 1), Run::Eval(depth)).unwrap();
        let part = (&step.last().unwrap().logits * f64::from(step.shares[0])).unwrap();
        mean = Some(mean.map_or_else(|| part.clone(), |mean: Tensor| (mean + &part).unwrap()));
        spent += step.shares[0];
        carry = step.carry;
    }
    let found = net.solve(&batch(1, 1), depth).unwrap();
    assert!(distance(&found.logits, &mean.unwrap()) < 1e-5);
}

#[test]
fn what_the_augmentation_did_is_seen_in_factored_rows_alone() {
    let answer = |rows: &str, dihedral| {
        let (net, _) = net(&config("urm", &[("factored", rows)]));
        let mut batch = batch(1, 1);
        batch.views[0].dihedral = dihedral;
        net.solve(&batch, Depth { loops: 2, steps: 1 }).unwrap().logits
    };
    assert!(distance(&answer("factored", 0), &answer("factored", 5)) > 1e-3);
    assert!(distance(&answer("task", 0), &answer("task", 5)) < 1e-9);
}

#[test]
fn rows_that_ask_nothing_cost_nothing_where_no_head_decides() {
    let (net, _) = net(&config("urm", &[]));
    let step = train(&net, &Carry::empty(2, 9), &Batch::blank(2, 9));
    let loss = net.loss(&step).unwrap();
    assert!(loss.total.to_scalar::<f32>().unwrap().abs() < 1e-9);
    assert_eq!(loss.exact, [true, true]);
}

#[test]
fn a_batch_of_another_shape_is_refused() {
    let (net, _) = net(&config("urm", &[]));
    let error = net.step(&Carry::empty(2, 9), &batch(1, 1), Run::Eval(net.depth())).unwrap_err();
    assert!(error.to_string().contains("the slots hold [rows, tokens] (2, 9), the batch brings (1, 9)"), "{error}");
}

/// Sizes as the issue states them, from the published shapes: URM 13,663,234 and TRM 6,829,058 without their tables.
#[test]
fn the_published_sizes_have_the_published_number_of_weights() {
    let count = |text: &str| {
        let config: NetConfig = toml::from_str(text).unwrap();
        let mut builder = Builder::fresh(0, &Device::Cpu);
        Net::build(&config, 2, &mut builder.root()).unwrap();
        builder.finish().unwrap().count()
    };
    let urm = r#"
        kind = "urm"
        loss = "stablemax"
        steps = 16
        tokens = { canvas = 30, hidden = 512, prefix = 1, positions = "flat", rows = "augmentation" }
        stack = { layers = 4, heads = 8, ffn = 1536, conv = "pair" }
        loops = { free = 6, grad = 6, loss_at = "last" }
        halting = { rule = "q_head" }
    "#;
    let trm = urm.replace("\"urm\"", "\"trm\"\nlow_passes = 4\nlatents = \"two\"");
    let trm =
        trm.replace("layers = 4", "layers = 2").replace("\"pair\"", "\"none\"").replace("prefix = 1,", "prefix = 16,");
    assert_eq!((count(urm), count(&trm)), (13_663_234, 6_829_058));
}
