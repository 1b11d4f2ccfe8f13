//! What holds for any weights; the numbers of the published code are in `tests/golden`.

use candle_core::D;

use super::*;
use crate::{
    data::{Batch, IGNORED},
    nets::{Carry, LoopConfig, LossAt, Net, NetConfig, Run},
    nn::{Builder, Params, StackConfig, stream},
};

/// Images of 6×6 pixels, nine patches, two task tokens; the hybrid layer.
const HYBRID: &str = r#"
    kind = "loop_vit"
    tokens = { canvas = 6, hidden = 16, prefix = 2, positions = "grid", rows = "task", row_std = 0.02 }
    stack = { layers = 2, heads = 2, ffn = 24, conv = "grid" }
    loops = { free = 0, grad = 3, loss_at = "last" }
    halting = { rule = "fixed" }
    patch = 2
    dropout = 0.0
    gate_entropy = 0.0
    step_penalty = 0.0
"#;

fn read(text: &str) -> LoopVitConfig {
    match toml::from_str(text).unwrap() {
        NetConfig::LoopVit(config) => config,
        other => panic!("{other:?}"),
    }
}

fn hybrid() -> LoopVitConfig {
    read(HYBRID)
}

fn plain() -> LoopVitConfig {
    read(&HYBRID.replace(r#"conv = "grid""#, r#"conv = "none""#))
}

fn with_loops(config: LoopVitConfig, grad: usize, loss_at: LossAt) -> LoopVitConfig {
    LoopVitConfig { loops: LoopConfig { free: 0, grad, loss_at }, ..config }
}

fn build(config: &LoopVitConfig) -> (LoopVit, Params) {
    let mut builder = Builder::fresh(4, &Device::Cpu);
    let net = LoopVit::new(config, 3, &mut builder.root()).unwrap();
    (net, builder.finish().unwrap())
}

/// A batch whose first image has a grid of 2×3 pixels and whose second has one of 4×4.
struct Images {
    pixels: Vec<u8>,
    inside: Vec<u8>,
    labels: Vec<u8>,
}

fn images() -> Images {
    let within = |index: usize| {
        let (image, row, column) = (index / 36, index / 6 % 6, index % 6);
        if image == 0 { row < 2 && column < 3 } else { row < 4 && column < 4 }
    };
    let choose = |inside: u8, outside: u8| move |index| if within(index) { inside } else { outside };
    let color = |index: usize| (index * 7 % 10) as u8;
    Images {
        pixels: (0..72).map(|index| if within(index) { color(index) } else { 10 }).collect(),
        inside: (0..72).map(choose(1, 0)).collect(),
        labels: (0..72).map(|index| if within(index) { color(index + 1) } else { IGNORED }).collect(),
    }
}

impl Images {
    fn pass(&self, net: &LoopVit, plan: Plan) -> Pass {
        let question = Question { pixels: &self.pixels, inside: &self.inside, tasks: &[1, 2] };
        net.forward(&question, plan, &mut stream(9, "dropout")).unwrap()
    }

    fn loss(&self, net: &LoopVit, mode: Mode) -> f32 {
        let plan = net.config().plan(mode);
        self.pass(net, plan).loss(&self.labels, net.config()).unwrap().total().unwrap().to_scalar().unwrap()
    }
}

fn distance(a: &Tensor, b: &Tensor) -> f32 {
    (a - b).unwrap().abs().unwrap().flatten_all().unwrap().max(0).unwrap().to_scalar().unwrap()
}

/// By hand, for width 512, 1024 patches and 6 loops: colours 6,144, patches 1,049,088, positions 524,288, steps 3,072,
/// gate 132,609, norm 1,024, head 24,624; a layer: norms 1,024, attention 1,050,624, gated convolution 528,380.
#[test]
fn the_published_sizes_come_out() {
    let text = include_str!("../../../../configs/solver/loop_vit.toml");
    let mut file: toml::Table = toml::from_str(text).unwrap();
    let config: NetConfig = file.remove("net").unwrap().try_into().unwrap();
    assert_eq!(config.check(), Ok(()));
    let NetConfig::LoopVit(config) = config else { panic!("{config:?}") };
    assert_eq!(build(&config).1.count(), 1_740_849 + 10 * 1_580_028);
    let stack = StackConfig { layers: 1, ..config.stack.clone() };
    assert_eq!(build(&LoopVitConfig { stack, ..config }).1.count(), 1_740_849 + 1_580_028);
}

#[test]
fn every_weight_of_both_layers_gets_a_gradient() {
    for config in [hybrid(), plain()] {
        let halting = Halting::Act { threshold: 0.99, ponder: 0.01 };
        let config = LoopVitConfig { halting, dropout: 0.1, ..config };
        let (net, params) = build(&config);
        let images = images();
        let pass = images.pass(&net, config.plan(Mode::Train));
        let gradients = pass.loss(&images.labels, &config).unwrap().total().unwrap().backward().unwrap();
        for (name, weight) in params.trained() {
            let gradient = gradients.get(weight).unwrap_or_else(|| panic!("{name} has no gradient"));
            assert!(distance(gradient, &gradient.zeros_like().unwrap()) > 0.0, "{name}");
        }
    }
}

#[test]
fn patches_outside_the_grid_are_not_seen() {
    // The plain layer: in the hybrid one neighbours also meet in the convolution.
    let (net, _) = build(&plain());
    let mut other = images();
    other.pixels[35] = 3;
    let plan = net.config().plan(Mode::Eval);
    let [before, after] = [images(), other].map(|images| images.pass(&net, plan).answer().unwrap());
    let first = |answer: &Tensor| answer.get(0).unwrap().narrow(0, 0, 3).unwrap();
    assert!(distance(&before, &after) > 1e-6);
    assert!(distance(&first(&before), &first(&after)) < 1e-7);
}

#[test]
fn every_loop_counts_where_the_loss_is_taken_at_each() {
    let config = with_loops(plain(), 3, LossAt::Each);
    let (net, _) = build(&config);
    let images = images();
    let plan = Plan { mode: Mode::Eval, loops: 1, halting: Halting::Fixed, every: true };
    let up_to = |loops| {
        let pass = images.pass(&net, Plan { loops, ..plan });
        pass.loss(&images.labels, net.config()).unwrap().total().unwrap().to_scalar::<f32>().unwrap()
    };
    let last = |loops| {
        let pass = images.pass(&net, Plan { loops, every: false, ..plan });
        let config = with_loops(config.clone(), 3, LossAt::Last);
        pass.loss(&images.labels, &config).unwrap().total().unwrap().to_scalar::<f32>().unwrap()
    };
    assert!((up_to(3) - last(1) - last(2) - last(3)).abs() < 1e-5);
    assert!((images.loss(&net, Mode::Train) - up_to(3)).abs() < 1e-6);
}

#[test]
fn the_loss_is_the_mean_over_the_pixels_of_the_whole_batch() {
    let (net, _) = build(&hybrid());
    let images = images();
    let logits = images.pass(&net, net.config().plan(Mode::Eval)).answer().unwrap();
    let log = candle_nn::ops::log_softmax(&logits, D::Minus1).unwrap().reshape((72, 12)).unwrap();
    let log = log.to_vec2::<f32>().unwrap();
    let counted: Vec<f32> = images
        .labels
        .iter()
        .zip(log)
        .filter(|(label, _)| **label != IGNORED)
        .map(|(label, log)| -log[usize::from(*label)])
        .collect();
    assert_eq!(counted.len(), 6 + 16);
    assert!((images.loss(&net, Mode::Eval) - counted.iter().sum::<f32>() / 22.0).abs() < 1e-5);
}

#[test]
fn an_image_that_the_gate_lets_out_keeps_its_answer() {
    let (net, _) = build(&hybrid());
    let images = images();
    let all = Plan { mode: Mode::Eval, loops: 3, halting: Halting::Fixed, every: true };
    let open = images.pass(&net, all);
    let gates: Vec<f32> = open.loops[0].gate.to_vec1().unwrap();
    // A threshold between the two gates lets one image out after the first loop.
    let between = f32::midpoint(gates[0], gates[1]);
    let threshold = 1.0 / (1.0 + (-between).exp());
    let (out, stays) = if gates[0] > gates[1] { (0, 1) } else { (1, 0) };
    let pass = images.pass(&net, Plan { halting: Halting::Gate { threshold, min_steps: 1 }, ..all });
    let steps: Vec<u32> = pass.loops.last().unwrap().slots.iter().map(|slot| slot.steps).collect();
    assert_eq!((steps[out], steps.len()), (1, 2));
    let (first, answer) = (open.loops[0].logits.clone().unwrap(), pass.answer().unwrap());
    assert!(distance(&answer.get(out).unwrap(), &first.get(out).unwrap()) < 1e-6);
    let exit = steps[stays] as usize - 1;
    let later = open.loops[exit].logits.clone().unwrap();
    assert!(distance(&answer.get(stays).unwrap(), &later.get(stays).unwrap()) < 1e-6);
}

#[test]
fn a_rule_that_stops_early_spares_the_loops() {
    let entropy = Halting::Entropy { decrease: 0.99, patience: 2 };
    let config = LoopVitConfig { halting: entropy, ..with_loops(plain(), 8, LossAt::Last) };
    let (net, _) = build(&config);
    // Fresh weights: the entropy hardly moves, so loops two and three are stable.
    assert_eq!(images().pass(&net, config.plan(Mode::Eval)).loops.len(), 3);
    assert_eq!(images().pass(&net, config.plan(Mode::Train)).loops.len(), 8);
}

#[test]
fn act_answers_with_the_weighted_mean() {
    let halting = Halting::Act { threshold: 0.99, ponder: 0.01 };
    let config = LoopVitConfig { halting, ..plain() };
    let pass = images().pass(&build(&config).0, config.plan(Mode::Train));
    for image in 0..2 {
        let shares: f32 = pass.loops.iter().map(|step| step.shares[image]).sum();
        assert!((shares - 1.0).abs() < 1e-6);
    }
    // Gates of fresh weights are near one half: the second of them is the remainder.
    let mean =
        ((pass.loops[0].logits.clone().unwrap() + pass.loops[1].logits.clone().unwrap()).unwrap() / 2.0).unwrap();
    assert!(distance(&pass.answer().unwrap(), &mean) < 1e-2);
}

#[test]
fn gates_and_loops_enter_the_loss_by_their_weights() {
    let plain = plain();
    let loss = |gate_entropy, step_penalty| {
        let config = LoopVitConfig { gate_entropy, step_penalty, ..plain.clone() };
        images().loss(&build(&config).0, Mode::Train)
    };
    // Gates near one half have an entropy near ln 2; all three loops of three were taken.
    assert!((loss(0.0, 0.0) - loss(1.0, 0.0) - 2f32.ln()).abs() < 1e-2);
    assert!((loss(0.0, 0.5) - loss(0.0, 0.0) - 0.5).abs() < 1e-5);
}

#[test]
fn dropout_repeats_with_its_generator_and_spares_answers() {
    let still = hybrid();
    let (calm, _) = build(&still);
    let (noisy, _) = build(&LoopVitConfig { dropout: 0.3, ..still });
    let images = images();
    assert_eq!(images.loss(&noisy, Mode::Eval).to_bits(), images.loss(&calm, Mode::Eval).to_bits());
    assert_eq!(images.loss(&noisy, Mode::Train).to_bits(), images.loss(&noisy, Mode::Train).to_bits());
    assert!((images.loss(&noisy, Mode::Train) - images.loss(&calm, Mode::Train)).abs() > 1e-4);
}

#[test]
fn a_step_of_the_net_is_a_pass_that_is_done() {
    let config = NetConfig::LoopVit(with_loops(hybrid(), 3, LossAt::Each));
    let mut builder = Builder::fresh(4, &Device::Cpu);
    let net = Net::build(&config, 3, &mut builder.root()).unwrap();
    let Images { pixels, labels, .. } = images();
    let batch = Batch { inputs: pixels, labels, puzzles: vec![1, 2], ..Batch::blank(2, 36) };
    let step = net.step(&Carry::empty(2, 36), &batch, Run::Train(&mut stream(9, "dropout"))).unwrap();
    assert!(step.carry.slots.iter().all(|slot| slot.halted) && step.answers.len() == 3);
    let loss = net.loss(&step).unwrap();
    let pass_loss = images().loss(&build(&with_loops(hybrid(), 3, LossAt::Each)).0, Mode::Train);
    assert!((loss.total.to_scalar::<f32>().unwrap() - 2.0 * pass_loss).abs() < 1e-5);
    assert_eq!(loss.exact, [false, false]);
    let solved = net.solve(&batch, net.depth()).unwrap();
    assert!(distance(&solved.logits, &step.last().unwrap().logits) < 1e-6);
}

#[test]
fn what_no_net_can_have_is_named() {
    let check = |from: &str, to: &str| {
        NetConfig::LoopVit(read(&HYBRID.replace(from, to))).check().map_err(|error| error.to_string())
    };
    let refused = |text: &str| Err(text.to_owned());
    assert_eq!(check("", ""), Ok(()));
    let patches = "net.tokens.canvas is 6, which patches of side 4 do not fill";
    assert_eq!(check("patch = 2", "patch = 4"), refused(patches));
    assert_eq!(check("free = 0", "free = 1"), refused("net.loops.free of a Loop-ViT must be 0"));
    assert_eq!(check("grid\", rows", "flat\", rows"), refused("net.tokens.positions of a Loop-ViT must be grid"));
    assert_eq!(check("dropout = 0.0", "dropout = 1.0"), refused("net.dropout of a Loop-ViT must be from 0 to below 1"));
    assert_eq!(check("fixed", "q_head"), refused("net.halting of a Loop-ViT must be a rule without q_head"));
}
