//! The nets against reference numbers of the published code, which `tests/golden` holds: all weights, and of two steps
//! of training the smaller tensors. (PyTorch 2.15, f32 on a CPU; TRM at e7b6871, URM at 41de2c3, seed 0, width 64, 2
//! layers, a canvas of 9×9, random puzzle rows and halting heads so that nothing is zero by chance. Loop-ViT at 4cdbdf4,
//! seed 0, width 16, 1 layer, 3 loops, 12×12 pixels, tables and norms widened for the same reason.)

use std::{fs, path::Path};

use solver::check;

fn golden() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden"))
}

#[test]
fn everything_agrees_with_the_published_code() {
    let report = check::folder(golden()).unwrap();
    assert!(report.holds(), "{report}");
    assert!(report.files.len() >= 11);
}

#[test]
fn a_net_that_differs_and_a_file_that_is_unknown_are_told() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["urm_base_state_dict.safetensors", "urm_base_eval.safetensors"] {
        fs::copy(golden().join(file), folder.path().join(file)).unwrap();
    }
    let config = fs::read_to_string(golden().join("urm_base_config.json")).unwrap();
    fs::write(folder.path().join("urm_base_config.json"), config.replace("\"L_cycles\": 3", "\"L_cycles\": 2"))
        .unwrap();
    fs::write(folder.path().join("notes.txt"), "").unwrap();
    let report = check::folder(folder.path()).unwrap();
    let verdicts: Vec<(&str, bool)> = report.files.iter().map(|file| (file.file.as_str(), file.holds())).collect();
    let expected =
        [("notes.txt", false), ("urm_base_eval.safetensors", false), ("urm_base_state_dict.safetensors", true)];
    assert_eq!(verdicts, expected);
    assert!(!report.holds());
    assert!(report.to_string().contains("no reference numbers are known to have this name"), "{report}");
}
