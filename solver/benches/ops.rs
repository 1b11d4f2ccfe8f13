//! Operations with kernels against the same composed of candle's: forward and backward pass together.
//!
//! ```sh
//! cargo bench -p solver --bench ops             # all
//! cargo bench -p solver --bench ops -- conv2d   # those with this in their name
//! ```
//!
//! Shapes are those of the small net (16 sequences of 116 tokens, width 128, 4 heads) and of an image of 32×32.

use std::hint::black_box;

use candle_core::{Device, Result, Shape, Tensor, Var};
use criterion::{Criterion, criterion_group, criterion_main};
use mimalloc::MiMalloc;
use solver::nn::{
    Init,
    ops::{self, reference},
};

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const TOKENS: (usize, usize, usize) = (16, 116, 128);
const HEADS: (usize, usize, usize, usize) = (16, 116, 4, 32);
const IMAGES: (usize, usize, usize, usize) = (8, 32, 32, 128);

fn draw(name: &str, shape: impl Into<Shape>) -> Tensor {
    let values = Init::Normal { std: 1.0 }.draw(1, name, &shape.into(), &Device::Cpu).expect("the CPU has memory");
    Var::from_tensor(&values).expect("a tensor becomes a variable").as_tensor().clone()
}

/// Both ways of one operation, each with its backward pass.
fn both(
    criterion: &mut Criterion,
    name: &str,
    fast: impl Fn() -> Result<Tensor>,
    composed: impl Fn() -> Result<Tensor>,
) {
    let mut group = criterion.benchmark_group(name);
    let mut measure = |way: &str, op: &dyn Fn() -> Result<Tensor>| {
        let run = || op()?.sum_all()?.backward();
        group.bench_function(way, |bencher| bencher.iter(|| black_box(run().expect("shapes agree"))));
    };
    measure("kernel", &fast);
    measure("composed", &composed);
    group.finish();
}

fn norms(criterion: &mut Criterion) {
    let [x, y] = ["x", "y"].map(|name| draw(name, TOKENS));
    let [gain, bias] = ["gain", "bias"].map(|name| draw(name, TOKENS.2));
    both(criterion, "add_rms_norm", || ops::add_rms_norm(&x, &y, 1e-5), || reference::add_rms_norm(&x, &y, 1e-5));
    both(
        criterion,
        "layer_norm",
        || ops::layer_norm(&x, &gain, &bias, 1e-5),
        || reference::layer_norm(&x, &gain, &bias, 1e-5),
    );
}

fn gates(criterion: &mut Criterion) {
    let both_halves = draw("x", (16, 116, 1024));
    let (weight, bias) = (draw("weight", (512, 1, 2)), draw("bias", 512));
    both(criterion, "swiglu", || ops::swiglu(&both_halves), || reference::swiglu(&both_halves));
    both(
        criterion,
        "conv_swiglu",
        || ops::conv_swiglu(&both_halves, &weight, &bias),
        || reference::conv_swiglu(&both_halves, &weight, &bias),
    );
    let [gate, up] = ["gate", "up"].map(|name| draw(name, (16, 116, 512)));
    both(criterion, "gelu_gate", || ops::gelu_gate(&gate, &up), || reference::gelu_gate(&gate, &up));
}

fn mixers(criterion: &mut Criterion) {
    let [q, k, v] = ["q", "k", "v"].map(|name| draw(name, HEADS));
    both(
        criterion,
        "attention",
        || ops::attention(&q, &k, &v, None, None),
        || reference::attention(&q, &k, &v, None, None),
    );
    let angles = draw("angles", (HEADS.1, HEADS.3 / 2)).detach();
    let (cos, sin) = (angles.cos().expect("floats"), angles.sin().expect("floats"));
    both(criterion, "rope", || ops::rope(&q, &cos, &sin), || reference::rope(&q, &cos, &sin));
    let scores = draw("scores", (64, 116, 116));
    both(criterion, "softmax", || ops::softmax(&scores), || reference::softmax(&scores));
    let steps = draw("steps", (16, 116, 512));
    both(criterion, "cumsum", || ops::cumsum(&steps, 1), || reference::cumsum(&steps, 1));
}

fn convolutions(criterion: &mut Criterion) {
    let (x, weight, bias) = (draw("x", IMAGES), draw("weight", (IMAGES.3, 1, 3, 3)), draw("bias", IMAGES.3));
    both(criterion, "conv2d", || ops::conv2d(&x, &weight, &bias), || reference::conv2d(&x, &weight, &bias));
    let (x, weight) = (draw("x", TOKENS), draw("weight", (TOKENS.2, 1, 2)));
    both(criterion, "conv1d", || ops::conv1d(&x, &weight, &bias), || reference::conv1d(&x, &weight, &bias));
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_secs(1));
    targets = norms, gates, mixers, convolutions
}
criterion_main!(benches);
