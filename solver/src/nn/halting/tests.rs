//! Hand-computed tables, and gradients against finite differences.

use candle_core::Var;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::*;

const ACT: Halting = Halting::Act { threshold: 0.99, ponder: 1.0 };
const PONDER_NET: Halting = Halting::PonderNet { prior: 0.2, beta: 1.0 };

fn logit(h: f64) -> f64 {
    (h / (1.0 - h)).ln()
}

/// One slot through steps with these signals: the slot after each step and the shares.
fn play(rule: Halting, signals: &[f32], limit: u32, mode: Mode) -> (Vec<Slot>, Vec<f32>) {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut slot = Slot::FRESH;
    let step = |signal: &f32| {
        let (next, share) = rule.observe(&slot, *signal, limit, mode, &mut rng);
        slot = next;
        (next, share)
    };
    signals.iter().map(step).unzip()
}

fn play_probabilities(rule: Halting, h: &[f64], mode: Mode) -> (Vec<Slot>, Vec<f32>) {
    let signals: Vec<f32> = h.iter().map(|h| logit(*h) as f32).collect();
    play(rule, &signals, h.len() as u32, mode)
}

/// Weights and cost of one slot with all its steps in one graph, in f64: `[N]` and `[]`.
fn weigh(rule: Halting, logits: &Tensor) -> (Tensor, Tensor) {
    let signals: Vec<f32> = logits.to_vec1::<f64>().unwrap().iter().map(|logit| *logit as f32).collect();
    let slots = play(rule, &signals, signals.len() as u32, Mode::Train).0;
    let before = std::iter::once(&Slot::FRESH).chain(&slots);
    let mut unspent = unspent(&[Slot::FRESH], &Device::Cpu).unwrap().to_dtype(DType::F64).unwrap();
    let step = |(index, (before, after)): (usize, (&Slot, &Slot))| {
        let logit = logits.narrow(0, index, 1).unwrap();
        let weights = rule.weigh(&logit, &unspent, &[*before], &[*after]).unwrap();
        unspent = weights.unspent;
        (weights.loss, weights.cost)
    };
    let (loss, cost): (Vec<_>, Vec<_>) = before.zip(&slots).enumerate().map(step).unzip();
    (Tensor::cat(&loss, 0).unwrap(), Tensor::cat(&cost, 0).unwrap().sum_all().unwrap())
}

fn weigh_probabilities(rule: Halting, h: &[f64]) -> (Vec<f64>, f64) {
    let logits: Vec<f64> = h.iter().map(|h| logit(*h)).collect();
    let (weights, cost) = weigh(rule, &Tensor::new(logits, &Device::Cpu).unwrap());
    (weights.to_vec1().unwrap(), cost.to_scalar().unwrap())
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64]) {
    let close = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6);
    assert!(close && found.len() == expected.len(), "{found:?}, expected {expected:?}");
}

/// By hand from the definitions: N is the first step at which the sum of h reaches 0.99, or the last; the weights are
/// h before N and 1 minus their sum at N, which is also the remainder R; rho = N + R.
#[test]
fn act_spends_one_over_its_steps() {
    let table: [(&[f64], u32, &[f64], f64); 5] = [
        (&[0.1, 0.3, 0.7], 3, &[0.1, 0.3, 0.6], 3.6),
        (&[0.6, 0.5], 2, &[0.6, 0.4], 2.4),
        (&[0.995, 0.5], 1, &[1.0, 0.0], 2.0),
        (&[0.2, 0.2, 0.2, 0.2], 4, &[0.2, 0.2, 0.2, 0.4], 4.4),
        (&[0.5, 0.45, 0.9], 3, &[0.5, 0.45, 0.05], 3.05),
    ];
    for (h, steps, expected, rho) in table {
        let (slots, shares) = play_probabilities(ACT, h, Mode::Eval);
        assert_eq!(slots.last().unwrap().steps, steps, "{h:?}");
        assert_close(&shares.into_iter().map(f64::from).collect::<Vec<_>>(), expected);
        let (weights, cost) = weigh_probabilities(ACT, h);
        assert_close(&weights, expected);
        assert_close(&[cost, weights.iter().sum()], &[rho, 1.0]);
    }
}

#[test]
fn raising_a_probability_before_the_last_step_lowers_the_ponder_cost_by_as_much() {
    let h = [0.1, 0.3, 0.7];
    let logits = Var::new(&h.map(logit), &Device::Cpu).unwrap();
    let gradients = weigh(ACT, &logits).1.backward().unwrap();
    let by_logit: Vec<f64> = gradients.get(&logits).unwrap().to_vec1().unwrap();
    let by_h: Vec<f64> = by_logit.iter().zip(h).map(|(gradient, h)| gradient / (h * (1.0 - h))).collect();
    assert_close(&by_h, &[-1.0, -1.0, 0.0]);
}

/// lambda .1, .3, .5, then 1: `p_n` is `lambda_n` times the product of earlier 1 - lambda. E[n] = 2.845, and with losses
/// 2, 1, .5, .4 the expected loss is .2 + .27 + .1575 + .126 = .7535.
#[test]
fn ponder_net_is_a_distribution_over_steps() {
    let (p, _) = weigh_probabilities(PONDER_NET, &[0.1, 0.3, 0.5, 0.5]);
    assert_close(&p, &[0.1, 0.27, 0.315, 0.315]);
    let mean = |values: [f64; 4]| p.iter().zip(values).map(|(p, value)| p * value).sum();
    assert_close(&[mean([1.0, 2.0, 3.0, 4.0]), mean([2.0, 1.0, 0.5, 0.4])], &[2.845, 0.7535]);
}

/// Sum of p ln(p/g) for the p above; g is .2, .16, .128, .512 with prior .2 and .5, .25, .125, .125 with .5.
#[test]
fn the_prior_of_ponder_net_has_its_tail_in_the_last_step() {
    for (prior, expected) in [(0.2, 0.202_621), (0.5, 0.442_119)] {
        let rule = Halting::PonderNet { prior, beta: 1.0 };
        assert_close(&[weigh_probabilities(rule, &[0.1, 0.3, 0.5, 0.5]).1], &[expected]);
    }
}

#[test]
fn ponder_net_answers_with_the_step_of_its_median() {
    // Not halted with probability .9, .63, .315: the third is the first below one half.
    let (slots, shares) = play_probabilities(PONDER_NET, &[0.1, 0.3, 0.5, 0.5], Mode::Eval);
    assert_eq!((slots.last().unwrap().steps, shares), (3, vec![0.0, 0.0, 1.0, 0.0]));
    assert_eq!(play_probabilities(PONDER_NET, &[0.1, 0.3, 0.5, 0.5], Mode::Train).0[3].steps, 4);
}

#[test]
fn gradients_of_weights_and_costs_agree_with_finite_differences() {
    let losses = Tensor::new(&[2.0, 1.0, 0.5, 0.4], &Device::Cpu).unwrap();
    for rule in [ACT, PONDER_NET] {
        let total = |logits: &Tensor| {
            let (weights, cost) = weigh(rule, logits);
            ((weights * &losses).unwrap().sum_all().unwrap() + cost).unwrap()
        };
        let at = [-2.0, -1.0, 0.5, -0.3];
        let logits = Var::new(&at, &Device::Cpu).unwrap();
        let gradients = total(&logits).backward().unwrap();
        let difference = |index: usize| {
            let moved = |by: f64| {
                let mut at = at;
                at[index] += by;
                total(&Tensor::new(&at, &Device::Cpu).unwrap()).to_scalar::<f64>().unwrap()
            };
            (moved(1e-5) - moved(-1e-5)) / 2e-5
        };
        let expected: Vec<f64> = (0..at.len()).map(difference).collect();
        assert_close(&gradients.get(&logits).unwrap().to_vec1::<f64>().unwrap(), &expected);
    }
}

/// A step is stable when (before - now) / before < 0.05; the exit is the second stable step in a row.
#[test]
fn the_entropy_exit_waits_for_two_stable_steps() {
    let rule = Halting::Entropy { decrease: 0.05, patience: 2 };
    let table: [(&[f32], u32); 4] = [
        (&[1.0, 0.8, 0.5, 0.49, 0.485, 0.48], 5),
        (&[1.0, 0.9, 0.8, 0.7], 4),
        (&[1.0, 0.5, 0.49, 0.3, 0.29, 0.289, 0.2], 6),
        (&[0.5, 0.6, 0.7], 3),
    ];
    for (entropies, steps) in table {
        let limit = entropies.len() as u32;
        assert_eq!(play(rule, entropies, limit, Mode::Eval).0.last().unwrap().steps, steps, "{entropies:?}");
        assert_eq!(play(rule, entropies, limit, Mode::Train).0.last().unwrap().steps, limit, "{entropies:?}");
    }
}

#[test]
fn the_q_head_halts_in_training_alone() {
    let rule = Halting::QHead { exploration: 0.0 };
    let steps = |mode| play(rule, &[0.0, 0.1, -1.0, 2.0], 4, mode).0.last().unwrap().steps;
    assert_eq!((steps(Mode::Train), steps(Mode::Eval)), (2, 4));
}

#[test]
fn exploration_keeps_a_slot_for_at_least_two_steps() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut halted = |exploration: f64, steps: u32| {
        let slot = Slot { steps, ..Slot::FRESH };
        let rule = Halting::QHead { exploration };
        (0..4000).filter(|_| rule.observe(&slot, 1.0, 5, Mode::Train, &mut rng).0.halted).count()
    };
    assert_eq!((halted(0.0, 0), halted(1.0, 0), halted(1.0, 4)), (4000, 0, 4000));
    // At step 3 a slot may halt when the least step, uniform in 2..=5, is 2 or 3.
    let explored = halted(1.0, 2);
    assert!((1900..2100).contains(&explored), "{explored}");
}

#[test]
fn the_gate_waits_for_its_first_step() {
    let rule = Halting::Gate { threshold: 0.6, min_steps: 2 };
    assert_eq!(play(rule, &[3.0, 0.5, -1.0], 4, Mode::Train).0[2].steps, 2);
    assert_eq!(play(rule, &[3.0, 0.4, 0.3, 0.2], 4, Mode::Eval).0[3].steps, 4);
}

#[test]
fn signals_are_entropies_or_logits() {
    // One cell undecided between two values, one certain: (ln 2 + 0) / 2.
    let outputs = Tensor::new(&[[[0f32, 0.0], [0.0, -90.0]]], &Device::Cpu).unwrap();
    let halt = Tensor::new(&[0.25f32], &Device::Cpu).unwrap();
    assert_eq!(ACT.signals(&outputs, &halt).unwrap(), [0.25]);
    let entropy = Halting::Entropy { decrease: 0.05, patience: 2 }.signals(&outputs, &halt).unwrap();
    assert!((entropy[0] - 0.346_574).abs() < 1e-5, "{entropy:?}");
}

#[test]
fn settings_are_read_with_their_published_values_and_checked() {
    #[derive(Deserialize)]
    struct Config {
        halting: Halting,
    }
    let read = |text: &str| toml::from_str::<Config>(&format!("halting = {{ {text} }}")).map(|config| config.halting);
    assert_eq!(read("rule = 'q_head'").unwrap(), Halting::QHead { exploration: 0.1 });
    assert_eq!(read("rule = 'ponder_net', beta = 0.5").unwrap(), Halting::PonderNet { prior: 0.2, beta: 0.5 });
    assert!(read("rule = 'act', tau = 1.0").is_err());
    let error = read("rule = 'act', threshold = 1.5").unwrap().check().unwrap_err();
    assert_eq!(error.to_string(), "halting: threshold is 1.5, expected a number between 0 and 1");
    assert_eq!(read("rule = 'fixed'").unwrap().check(), Ok(()));
}
