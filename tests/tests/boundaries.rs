//! The house keeps its walls: who imports whom, what the top level holds, and that nothing that plays knows a game.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tests::repository;

/// Every edge between members that may exist. Anything else fails by name.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("env_client", &[]),
    ("games", &["env_client"]),
    ("solver", &["env_client"]),
    ("world_model", &["env_client", "solver"]),
    ("agent", &["env_client", "games", "solver", "world_model"]),
    ("tests", &["env_client", "games"]),
];

/// The folders whose code decides what to play.
const PLAYS: &[&str] = &["agent/src/policy", "world_model/src", "solver/src"];

#[test]
fn members_import_only_whom_they_may() {
    let members: BTreeMap<String, BTreeSet<String>> = member_edges();
    let allowed: BTreeMap<&str, &[&str]> = MAY_IMPORT.iter().copied().collect();
    for (member, imports) in &members {
        let may = allowed.get(member.as_str()).unwrap_or_else(|| panic!("{member} is not a member of the house"));
        for import in imports {
            assert!(may.contains(&import.as_str()), "{member} must not import {import}");
        }
    }
    assert_eq!(members.len(), allowed.len(), "every member of the house exists");
}

#[test]
fn only_the_commands_of_the_agent_know_the_games() {
    for (path, text) in sources("agent/src") {
        let inside_commands = path.components().any(|part| part.as_os_str() == "commands");
        if !inside_commands {
            for (number, line) in code_lines(&text) {
                assert!(!mentions(line, "games"), "{}:{number} knows the games: {line}", path.display());
            }
        }
    }
}

#[test]
fn tensors_stay_in_the_solver_and_in_the_nets_of_the_world_model() {
    for (path, text) in ["agent/src", "world_model/src"].iter().flat_map(|folder| sources(folder)) {
        let is_net = path.strip_prefix(repository()).is_ok_and(|path| path.starts_with("world_model/src/net"));
        for (number, line) in code_lines(&text).filter(|_| !is_net) {
            let knows = mentions(line, "candle_core") || mentions(line, "candle_nn");
            assert!(!knows, "{}:{number} knows tensors: {line}", path.display());
        }
    }
}

#[test]
fn nothing_that_plays_names_a_game_or_a_colour() {
    let stems: Vec<&str> = games::catalog().iter().map(|entry| entry.about.stem).collect();
    assert!(!stems.is_empty(), "the catalog is there to look for");
    for (path, text) in PLAYS.iter().flat_map(|folder| sources(folder)) {
        for (number, line) in code_lines(&text) {
            let place = format!("{}:{number}: {line}", path.display());
            let quoted = |stem: &&str| line.contains(&format!("\"{stem}"));
            assert!(!stems.iter().any(quoted), "names a game: {place}");
            assert!(!line.contains("Color::of("), "gives a colour number a meaning: {place}");
        }
    }
}

#[test]
fn the_top_level_is_what_the_house_says() {
    const NAMES: [&str; 11] = [
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE",
        "README.md",
        "agent",
        "configs",
        "env_client",
        "games",
        "solver",
        "tests",
        "world_model",
    ];
    let output = git(&["ls-tree", "--name-only", "HEAD"]);
    let shown = output.lines().filter(|name| !name.starts_with('.'));
    for name in shown {
        assert!(NAMES.contains(&name), "{name} does not belong at the top level");
    }
}

fn git(arguments: &[&str]) -> String {
    let output = Command::new("git").args(arguments).current_dir(repository()).output().expect("git runs");
    String::from_utf8(output.stdout).expect("git prints UTF-8")
}

/// For every member of the workspace the members its `[dependencies]` name, development ones included.
fn member_edges() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(repository())
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let name = |value: &serde_json::Value| value["name"].as_str().unwrap_or_default().to_owned();
    let members: BTreeSet<String> = packages.iter().map(name).collect();
    let edges = |package: &serde_json::Value| {
        let imports = package["dependencies"].as_array().into_iter().flatten().map(name);
        imports.filter(|import| members.contains(import)).collect()
    };
    packages.iter().map(|package| (name(package), edges(package))).collect()
}

/// Whether a line of code uses a crate by this name.
fn mentions(line: &str, name: &str) -> bool {
    [format!("{name}::"), format!("use {name};"), format!("extern crate {name}")].iter().any(|use_of| {
        line.match_indices(use_of.as_str()).any(|(at, _)| {
            !line[..at].ends_with(|before: char| before.is_alphanumeric() || matches!(before, '_' | ':' | '.'))
        })
    })
}

/// The lines of a file that are neither comments nor part of its tests, which stand at its end.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let code = text.lines().take_while(|line| *line != "#[cfg(test)]");
    (1..).zip(code).filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Every Rust file below a folder of the repository, with its text; test modules, `tests.rs` or `tests/`, are left out.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    collect(&repository().join(folder), &mut found);
    assert!(!found.is_empty(), "{folder} holds code");
    found.sort();
    found
}

fn collect(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("a folder of the house") {
        let path = entry.expect("a readable entry").path();
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            let text = fs::read_to_string(&path).expect("a source file is UTF-8");
            found.push((path, text));
        }
    }
}
