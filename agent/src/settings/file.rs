//! The TOML file of `--config`.

use std::{fs, path::Path};

use serde::de::DeserializeOwned;

use crate::exit::Failure;

/// The settings in a file; without a file, none. An unknown key is an error.
pub(super) fn read<T: DeserializeOwned + Default>(path: Option<&Path>) -> Result<T, Failure> {
    let Some(path) = path else { return Ok(T::default()) };
    let shown = path.display();
    let text =
        fs::read_to_string(path).map_err(|error| Failure::from(error).context(format!("cannot read {shown}")))?;
    toml::from_str(&text).map_err(|error| {
        Failure::from(error)
            .context(format!("{shown} is no settings file"))
            .hint("configs/play.toml and configs/eval.toml show every key")
    })
}
