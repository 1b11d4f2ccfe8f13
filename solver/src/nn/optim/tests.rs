//! The rules against numbers of the reference implementations.
//!
//! AdamAtan2: the kernel's formula in f64 (lr 0.01, betas 0.9 and 0.95, decay 0.1), four steps of which the last has no
//! gradient and one element never has. Muon and sign-SGD: URM's own functions in f32 (Muon: lr 1e-4, decay 0.1, a 6×4
//! matrix and a vector of 3; sign-SGD: lr 0.01, decay 0.1).

use candle_core::{DType, Device, Tensor};

use super::*;
use crate::nn::{Builder, Init};

fn tensor(values: &[f32], shape: &[usize]) -> Tensor {
    Tensor::from_slice(values, shape, &Device::Cpu).unwrap()
}

fn params(named: &[(&str, Tensor)]) -> Params {
    let mut builder = Builder::fresh(0, &Device::Cpu);
    for (name, value) in named {
        builder.root().trained(name, value.shape(), Init::ZERO).unwrap();
    }
    let params = builder.finish().unwrap();
    for (name, value) in named {
        params.get(name).unwrap().set(value).unwrap();
    }
    params
}

fn assert_close(found: &Tensor, expected: &[f32], tolerance: f32) {
    let found = found.flatten_all().unwrap().to_vec1::<f32>().unwrap();
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
    }
}

fn gradients(named: &[(&str, Tensor)]) -> Gradients {
    named.iter().map(|(name, gradient)| ((*name).to_owned(), gradient.clone())).collect()
}

#[test]
fn adam_atan2_takes_four_steps_as_the_kernel_does() {
    let config = OptimizerConfig::AdamAtan2 { betas: (0.9, 0.95), weight_decay: 0.1 };
    let params = params(&[("p", tensor(&[0.5, -1.0, 2.0, 0.0, 0.001], &[5]))]);
    let mut optimizer = Optimizer::new(config, &params).unwrap();
    for (number, gradient, expected) in ADAM_ATAN2 {
        let at = Step { number, lr: 0.01 };
        optimizer.step(&params, &gradients(&[("p", tensor(&gradient, &[5]))]), at).unwrap();
        assert_close(params.get("p").unwrap(), &expected, 2e-7);
    }
    let state: Vec<(String, Vec<f32>)> =
        optimizer.state().map(|(name, tensor)| (name, tensor.to_vec1().unwrap())).collect();
    assert_eq!(state[0].0, "first.p");
    assert_close(&tensor(&state[0].1, &[5]), &[-0.02061, 0.03672, 1.719e-7, 0.0, 0.0495], 2e-8);
    assert_eq!(state[1].0, "second.p");
    assert_close(&tensor(&state[1].1, &[5]), &[0.008_479_937, 0.010_051, 2.78e-13, 0.0, 2.247_343_8], 3e-7);
}

#[rustfmt::skip]
const ADAM_ATAN2: [(u64, [f32; 5], [f32; 5]); 4] = [
    (1, [0.1, -0.2, 1e-6, 0.0, 5.0], [0.489_533_13, -0.989_033_1, 1.988_033, 0.0, -0.008_967_865]),
    (2, [0.1, 0.3, -1e-6, 0.0, -5.0], [0.479_161_4, -0.990_507_4, 1.986_571_4, 0.0, -0.008_432_599]),
    (3, [-0.4, 0.3, 2e-6, 0.0, 1.0], [0.482_050_6, -0.995_003_8, 1.979_693_2, 0.0, -0.008_922_467]),
    (4, [0.0, 0.0, 0.0, 0.0, 0.0], [0.484_362_87, -0.998_558_4, 1.973_656_9, 0.0, -0.009_327_043]),
];

#[test]
fn adam_w_is_that_of_pytorch() {
    // torch.optim.AdamW(lr=0.01, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.1), gradients 0.5 then -0.25, from 1:
    // 1·0.999 - 0.01·1; then ·0.999 - 0.01·(0.02/0.19)/sqrt(0.00031219/0.001999).
    let config = OptimizerConfig::AdamW { betas: (0.9, 0.999), weight_decay: 0.1, eps: 1e-8 };
    let params = params(&[("p", tensor(&[1.0], &[1]))]);
    let mut optimizer = Optimizer::new(config, &params).unwrap();
    for (number, gradient, expected) in [(1, 0.5, 0.989), (2, -0.25, 0.985_347_3)] {
        optimizer.step(&params, &gradients(&[("p", tensor(&[gradient], &[1]))]), Step { number, lr: 0.01 }).unwrap();
        assert_close(params.get("p").unwrap(), &[expected], 2e-6);
    }
}

#[test]
fn muon_takes_two_steps_as_published() {
    let config =
        OptimizerConfig::Muon { betas: (0.9, 0.95), weight_decay: 0.1, eps: 1e-8, layers_only: false, apart: false };
    let params = params(&[("a", tensor(&MUON_A[0], &[6, 4])), ("b", tensor(&MUON_B[0], &[3]))]);
    let mut optimizer = Optimizer::new(config, &params).unwrap();
    for number in [1, 2] {
        let (a, b) = (tensor(&MUON_GRADIENT_A[number - 1], &[6, 4]), tensor(&MUON_GRADIENT_B[number - 1], &[3]));
        let at = Step { number: number as u64, lr: 1e-4 };
        optimizer.step(&params, &gradients(&[("a", a), ("b", b)]), at).unwrap();
        assert_close(params.get("a").unwrap(), &MUON_A[number], 3e-7);
        assert_close(params.get("b").unwrap(), &MUON_B[number], 2e-7);
    }
    let names: Vec<String> = optimizer.state().map(|(name, _)| name).collect();
    assert_eq!(names, ["momentum.a", "first.b", "second.b"]);
}

#[test]
fn muon_can_leave_what_is_no_layer_to_adam() {
    let config =
        OptimizerConfig::Muon { betas: (0.9, 0.95), weight_decay: 0.1, eps: 1e-8, layers_only: true, apart: false };
    let params = params(&[("layers.0.w", tensor(&[1.0], &[1, 1])), ("head.w", tensor(&[1.0], &[1, 1]))]);
    let names: Vec<String> = Optimizer::new(config, &params).unwrap().state().map(|(name, _)| name).collect();
    assert_eq!(names, ["momentum.layers.0.w", "first.head.w", "second.head.w"]);
}

/// Beside a part whose gradient is a thousand times as large, a part moves as far as that one, or hardly at all.
#[test]
fn muon_can_turn_matrices_that_are_stored_as_one_each_by_itself() {
    let smallest_step = |apart: bool| -> f32 {
        let config =
            OptimizerConfig::Muon { betas: (0.9, 0.95), weight_decay: 0.0, eps: 1e-8, layers_only: true, apart };
        let params = params(&[("layers.0.qkv_proj.weight", tensor(&[0.0; 6], &[6, 1]))]);
        let gradient = tensor(&[1.0, 1.0, 1.0, 1.0, 1e3, 1e3], &[6, 1]);
        let mut optimizer = Optimizer::new(config, &params).unwrap();
        let named = gradients(&[("layers.0.qkv_proj.weight", gradient)]);
        optimizer.step(&params, &named, Step { number: 1, lr: 1.0 }).unwrap();
        let moved = params.get("layers.0.qkv_proj.weight").unwrap().abs().unwrap().flatten_all().unwrap();
        moved.min(0).unwrap().to_scalar().unwrap()
    };
    // Two rows of one column, turned: 0.2 · sqrt(2) · 1/sqrt(2) each, as roughly as the iterations do it.
    assert!((0.1..0.4).contains(&smallest_step(true)), "{}", smallest_step(true));
    assert!(smallest_step(false) < 1e-2, "{}", smallest_step(false));
}

#[test]
fn msign_of_a_wide_matrix_is_the_published_one() {
    let found = msign(&tensor(&MSIGN[0], &[5, 8])).unwrap();
    assert_close(&found, &MSIGN[1], 2e-5);
}

#[test]
fn msign_of_a_tall_matrix_is_that_of_its_transpose() {
    let wide = tensor(&MSIGN[0], &[5, 8]);
    let tall = msign(&wide.t().unwrap().contiguous().unwrap()).unwrap();
    assert_close(&tall.t().unwrap(), &MSIGN[1], 2e-5);
}

#[test]
fn sign_sgd_sums_equal_ids_and_leaves_absent_rows_alone() {
    // Ids 2, 0, 2; the first element of the two gradients of row 2 cancels exactly, so that it only decays.
    let table = tensor(&SIGN_SGD[0], &[5, 4]);
    let gradients = tensor(&SIGN_SGD_GRADIENT, &[3, 4]);
    SignSgd { weight_decay: 0.1 }.step(&table, &[2, 0, 2], &gradients, 0.01).unwrap();
    assert_close(&table, &SIGN_SGD[1], 2e-7);
    let untouched = table.narrow(0, 3, 2).unwrap().flatten_all().unwrap().to_vec1::<f32>().unwrap();
    assert_eq!(untouched, SIGN_SGD[0][12..]);
    let error = SignSgd { weight_decay: 0.1 }.step(&table, &[5, 0, 2], &gradients, 0.01).unwrap_err();
    assert!(error.to_string().contains("5 rows, none is number 5"), "{error}");
}

#[test]
fn the_average_follows_and_swaps_back_to_the_bit() {
    let params = params(&[("p", tensor(&[1.0, 0.3], &[2]))]);
    let mut ema = Ema::new(0.9, &params).unwrap();
    params.get("p").unwrap().set(&tensor(&[2.0, 0.1], &[2])).unwrap();
    ema.update(&params).unwrap();
    ema.swap(&params).unwrap();
    assert_close(params.get("p").unwrap(), &[1.1, 0.28], 1e-7);
    ema.swap(&params).unwrap();
    assert_eq!(params.get("p").unwrap().to_vec1::<f32>().unwrap(), [2.0, 0.1]);
}

#[test]
fn a_tensor_without_a_gradient_stays() {
    let config = OptimizerConfig::AdamAtan2 { betas: (0.9, 0.95), weight_decay: 0.1 };
    let params = params(&[("p", tensor(&[1.0], &[1])), ("q", tensor(&[1.0], &[1]))]);
    let mut optimizer = Optimizer::new(config, &params).unwrap();
    let some = gradients(&[("q", Tensor::ones(1, DType::F32, &Device::Cpu).unwrap())]);
    optimizer.step(&params, &some, Step { number: 1, lr: 0.1 }).unwrap();
    assert_eq!(params.get("p").unwrap().to_vec1::<f32>().unwrap(), [1.0]);
}

#[rustfmt::skip]
const MUON_A: [[f32; 24]; 3] = [
    [
        -0.076_644_294, 0.359_881_52, -0.782_016_8, 0.071_527_734, 0.664_839_4, -0.286_780_3, 1.620_550_8,
        -1.596_708, 0.404_607_15, 0.611_299_63, 0.760_390_4, -0.033_643_26, -0.344_845_32, 0.493_653_57,
        -0.077_580_75, -1.805_364_5, 0.485_114, 0.205_234_38, 0.338_428_2, 1.352_754, 0.373_635_38, 0.013_416_479,
        0.773_673_2, -0.109_243_52,
    ],
    [
        -0.076_613_6, 0.359_828_77, -0.782_010_2, 0.071_535_654, 0.664_812_27, -0.286_73, 1.620_497_6, -1.596_705_1,
        0.404_580_62, 0.611_263_7, 0.760_341_4, -0.033_599_995, -0.344_893_96, 0.493_610_23, -0.077_581_96,
        -1.805_407_2, 0.485_099_5, 0.205_219_82, 0.338_407_78, 1.352_744_7, 0.373_649_5, 0.013_401_464, 0.773_700_4,
        -0.109_251_514,
    ],
    [
        -0.076_576_866, 0.359_826_74, -0.781_934_8, 0.071_564_764, 0.664_819_2, -0.286_683_44, 1.620_484_6,
        -1.596_674_9, 0.404_560_12, 0.611_255_17, 0.760_326_7, -0.033_576_287, -0.344_859_24, 0.493_579_27,
        -0.077_596_4, -1.805_369_5, 0.485_092_82, 0.205_151_02, 0.338_415_83, 1.352_727_3, 0.373_612_08,
        0.013_399_08, 0.773_732_54, -0.109_276_31,
    ],
];

#[rustfmt::skip]
const MUON_GRADIENT_A: [[f32; 24]; 2] = [
    [
        -0.455_423_95, 2.212_418_3, -0.376_985_76, -0.143_683_93, 0.648_020_7, -2.325_607_3, 1.268_346_8,
        -0.248_327_09, 0.724_746_3, 1.079_544_4, 1.730_247_3, -1.471_268_3, 1.140_102_7, 2.060_493_7, -0.435_000_18,
        1.774_635_1, 0.336_040_3, 0.500_926_5, 0.546_641_47, -0.264_441_34, -0.587_164_34, 0.871_102_04,
        -1.309_337_9, 0.686_674_95,
    ],
    [
        -0.353_134_87, -0.838_797_9, -1.232_864_1, -0.680_596_05, -0.496_350_23, -0.601_576_5, -0.477_520_76,
        -0.298_764_8, 2.246_297_1, -0.307_105_06, -0.700_245_2, -2.627_337_7, -1.193_087_5, -0.135_579_42,
        0.284_127_65, -0.773_064_73, 0.017_755_037, 2.357_338_7, -0.796_586, 0.185_409_62, 0.793_046_9,
        -0.026_490_755, -0.078_432_6, -0.026_398_413,
    ],
];

#[rustfmt::skip]
const MUON_B: [[f32; 3]; 3] = [
    [
        -0.677_962_2, -1.059_107_4, 0.747_696_64,
    ],
    [
        -0.678_055_4, -1.058_996_8, 0.747_589_1,
    ],
    [
        -0.678_126_16, -1.058_960_1, 0.747_487_8,
    ],
];

#[rustfmt::skip]
const MUON_GRADIENT_B: [[f32; 3]; 2] = [
    [
        0.238_917_41, -0.527_050_2, 0.810_725_87,
    ],
    [
        3.788_898, 0.268_181, 0.401_912_5,
    ],
];

#[rustfmt::skip]
const MSIGN: [[f32; 40]; 2] = [
    [
        -0.004_910_104, 1.181_324, 0.749_763, 1.469_872_6, -0.792_744_04, 1.054_685_4, 1.291_122_9, 0.159_980_74,
        -0.191_827_37, -0.124_181_74, 0.956_276_66, -0.114_818_82, -0.409_631_58, -0.035_131_223, -0.531_358_96,
        0.077_629_134, 1.788_267_5, 1.200_378_3, -0.106_462_46, -0.708_240_75, -0.456_682_38, -0.864_037_9,
        -1.427_661_8, -1.449_089_8, 2.269_596_6, -1.288_868_3, 2.358_809_7, 1.499_291_9, 0.259_366_7, -1.248_214_1,
        -0.615_953_1, 0.215_890_18, 0.635_184_94, -0.025_467_638, -0.333_181_5, 1.982_966_3, 1.288_488_3,
        -0.425_495_83, -1.326_005_2, -1.842_628_8,
    ],
    [
        0.241_190_48, 0.642_311_75, 0.551_054_6, 0.331_660_27, -0.645_705, 0.377_218_28, 0.568_356_75, 0.195_735_59,
        -0.571_105_4, 0.032_456_77, 0.795_928_7, 0.038_320_39, -0.354_060_47, 0.172_694_04, -0.625_478_9,
        -0.138_677_1, 0.829_017_46, 0.867_469_8, -0.123_415_36, -0.269_786_24, -0.354_584_84, -0.243_133_44,
        -0.507_480_7, -0.740_050_44, 0.888_730_1, -0.525_738_1, 0.891_418_8, 0.756_249_9, 0.152_424_37,
        -0.420_095_65, -0.036_145_01, 0.165_936_41, 0.162_116_1, -0.231_870_89, -0.091_786_24, 0.412_371_84,
        0.504_729_7, -0.310_067_92, -0.722_181_5, -0.618_343_1,
    ],
];

#[rustfmt::skip]
const SIGN_SGD: [[f32; 20]; 2] = [
    [
        -1.525_595_9, -0.750_231_8, -0.653_980_9, -1.609_484_8, 0.865_692_4, 0.244_403_9, -0.662_911_36,
        0.807_308_26, 0.439_141_57, 1.171_200_8, 1.767_427_3, -0.095_361_88, 0.061_155_282, -0.617_744_45,
        -0.798_069_83, -0.131_623_21, -0.798_439_8, 0.335_730_52, 0.275_333_52, 1.716_302_6,
    ],
    [
        -1.534_070_4, -0.739_481_57, -0.663_326_9, -1.597_875_4, 0.865_692_4, 0.244_403_9, -0.662_911_36,
        0.807_308_26, 0.438_702_43, 1.160_029_5, 1.755_659_9, -0.085_266_52, 0.061_155_282, -0.617_744_45,
        -0.798_069_83, -0.131_623_21, -0.798_439_8, 0.335_730_52, 0.275_333_52, 1.716_302_6,
    ],
];

#[rustfmt::skip]
const SIGN_SGD_GRADIENT: [f32; 12] = [
    -1.379_008_3, -0.123_247_76, 3.586_989_4, -1.831_290_1, 1.598_700_3, -1.277_007, 0.325_501_53, -0.479_144_93,
    1.379_008_3, 2.528_557_3, 0.410_741_66, -0.988_007_1,
];
