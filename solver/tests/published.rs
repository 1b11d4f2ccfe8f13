//! Weights that other programs stored. `tests/published` holds files of PyTorch 2.15, with the matrix
//! `lm_head.weight` = [[1, 2, 3], [4, 5, 6.5]], nested.pth with a `q_head.bias` too; or with a step number alone.

use std::{fs, path::PathBuf};

use candle_core::{DType, Device, safetensors};
use solver::{
    nets::published,
    nn::{Builder, Init},
};

fn file(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "published", name].iter().collect()
}

#[test]
fn archives_of_pytorch_are_read_under_plain_names_wherever_the_weights_are() {
    // flat.pt: bf16 behind `_orig_mod.model.inner.`; nested.pth: under the key `model`, beside the state of a generator.
    for name in ["flat.pt", "nested.pth"] {
        let tensors = published::read(&file(name)).unwrap();
        let matrix = tensors["lm_head.weight"].to_dtype(DType::F32).unwrap();
        assert_eq!(matrix.to_vec2::<f32>().unwrap(), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]], "{name}");
    }
}

#[test]
fn files_without_weights_are_told_from_those_that_cannot_be_read() {
    let complaint = |name: &str| published::read(&file(name)).unwrap_err().to_string();
    assert!(complaint("empty.pt").ends_with(
        "holds no weights, neither at its top nor under model, state_dict, model_state_dict, model_state, ema, module"
    ));
    assert!(complaint("legacy.pt").ends_with("is in PyTorch's old format: load it there and save it again"));
    assert!(complaint("absent.pt").starts_with("cannot read "));
    let folder = tempfile::tempdir().unwrap();
    let noise = folder.path().join("noise");
    fs::write(&noise, "neither of both").unwrap();
    assert!(published::read(&noise).unwrap_err().to_string().starts_with("cannot read the weights of "));
}

#[test]
fn what_is_written_has_published_names_and_is_read_back() {
    let mut builder = Builder::fresh(1, &Device::Cpu);
    builder.root().at("q_head").trained("bias", 2, Init::Constant(-5.0)).unwrap();
    let params = builder.finish().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights.safetensors");
    published::write(&params, &path).unwrap();
    let raw = safetensors::load(&path, &Device::Cpu).unwrap();
    assert_eq!(raw.keys().collect::<Vec<_>>(), ["inner.q_head.bias"]);
    assert_eq!(published::read(&path).unwrap()["q_head.bias"].to_vec1::<f32>().unwrap(), [-5.0, -5.0]);
}
