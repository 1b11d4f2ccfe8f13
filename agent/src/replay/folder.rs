//! The recordings of a folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{Archive, Follow, Summary};

/// The recordings in a folder and in the folders directly below it, which is where the two customs of naming put
/// them; newest name last.
///
/// # Errors
/// The folder cannot be read. One below it that cannot is passed over.
pub fn recordings(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, folders) = entries(folder)?;
    files.extend(folders.iter().filter_map(|inner| entries(inner).ok()).flat_map(|(files, _)| files));
    files.retain(|path| is_recording(path));
    files.sort();
    Ok(files)
}

/// Files and folders of a folder.
fn entries(folder: &Path) -> io::Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let paths = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let paths = paths.collect::<io::Result<Vec<_>>>()?;
    Ok(paths.into_iter().partition(|path| !path.is_dir()))
}

fn is_recording(path: &Path) -> bool {
    let ends = |path: &Path, ending: &str| path.extension().is_some_and(|found| found == ending);
    let unpacked = if ends(path, "zst") { path.with_extension("") } else { path.to_owned() };
    ends(&unpacked, "jsonl")
}

/// A recording in short; one that cannot be opened is a summary that says why.
pub fn summarize(path: &Path) -> Summary {
    match Archive::open(path, Follow::No) {
        Ok(mut archive) => Summary::of(&mut archive),
        Err(error) => {
            let mut index = super::Index::default();
            index.add_problem(super::Problem { line: 0, byte: 0, problem: error.to_string() });
            Summary::of_index(path, &index)
        }
    }
}
