//! Recordings as titles to learn from and titles held out.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use env_client::{Color, Key, recording::RecordingName};
use rand::{RngExt, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::{DataConfig, TrainError};
use crate::{
    Start,
    net::{
        NetConfig,
        story::{Disguise, Story, Window},
    },
    play::{Event, Play},
};

/// A title with what was played of it.
#[derive(Debug)]
pub(super) struct Title {
    /// Its name without the version.
    pub(super) stem: String,
    stories: Vec<Story>,
}

/// What a folder of recordings holds.
#[derive(Debug)]
pub(super) struct Titles {
    /// Those that are learned from.
    pub(super) learned: Vec<Title>,
    /// Those that the net is judged by.
    pub(super) held_out: Vec<Title>,
}

impl Titles {
    /// Reads every recording below a folder; `fault` hears of what cannot be read.
    pub(super) fn read(
        folder: &Path,
        net: &NetConfig,
        config: &DataConfig,
        fault: &mut dyn FnMut(String),
    ) -> Result<Titles, TrainError> {
        let mut by_stem: BTreeMap<String, Vec<Story>> = BTreeMap::new();
        let mut files = Vec::new();
        collect(folder, &mut files).map_err(|source| TrainError::Folder { folder: folder.to_owned(), source })?;
        files.sort();
        for file in files {
            if let Some((stem, story)) = read(&file, net, fault) {
                by_stem.entry(stem).or_default().push(story);
            }
        }
        let titles = by_stem.into_iter().map(|(stem, stories)| Title { stem, stories });
        let is_held_out =
            |(at, title): &(usize, Title)| at % config.folds == config.fold || config.held_out.contains(&title.stem);
        let (held_out, learned) = titles.enumerate().partition::<Vec<_>, _>(is_held_out);
        let strip = |titles: Vec<(usize, Title)>| titles.into_iter().map(|(_, title)| title).collect();
        Ok(Titles { learned: strip(learned), held_out: strip(held_out) })
    }
}

/// Every file below a folder whose name is that of a recording.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if RecordingName::parse(&path).is_some() {
            files.push(path);
        }
    }
    Ok(())
}

fn read(file: &Path, net: &NetConfig, fault: &mut dyn FnMut(String)) -> Option<(String, Story)> {
    let mut play = Play::open(file).map_err(|error| fault(error.to_string())).ok()?;
    let mut story = Story::new(net.side(), net.components());
    for event in &mut play {
        match event {
            Ok(Event::Acted(step)) => story.push(&step.transition()),
            Ok(Event::Begin { frame, start: Start::Level, .. }) => story.level(&frame),
            Ok(Event::Begin { .. } | Event::Gap) => story.begin(),
            Err(error) => fault(format!("{}: {error}", file.display())),
        }
    }
    let stem = play.game()?.stem().to_owned();
    Some((stem, story))
}

impl Title {
    /// Steps that were played.
    pub(super) fn steps(&self) -> usize {
        self.stories.iter().map(Story::len).sum()
    }

    /// Whether any play of it is so long.
    pub(super) fn has(&self, length: usize) -> bool {
        self.stories.iter().any(|story| story.len() >= length)
    }

    /// A window drawn evenly from all plays that are long enough.
    pub(super) fn draw(&self, length: usize, disguise: &Disguise, rng: &mut ChaCha8Rng) -> Option<Window> {
        let long: Vec<&Story> = self.stories.iter().filter(|story| story.len() >= length).collect();
        let story = long.get(rng.random_range(0..long.len().max(1)))?;
        let first = rng.random_range(0..=story.len() - length);
        Some(story.window(first..first + length, disguise))
    }

    /// At most so many windows, evenly from all that do not overlap.
    pub(super) fn windows(&self, length: usize, most: usize) -> Vec<Window> {
        let firsts = |story: &Story| (0..(story.len() + 1).saturating_sub(length)).step_by(length);
        let all: Vec<(&Story, usize)> =
            self.stories.iter().flat_map(|story| firsts(story).map(move |first| (story, first))).collect();
        let count = all.len().min(most);
        let chosen = (0..count).map(|at| all[at * all.len() / count]);
        chosen.map(|(story, first)| story.window(first..first + length, &Disguise::NONE)).collect()
    }
}

/// Colours and keys exchanged at random, each with its own probability.
pub(super) fn disguise(config: &DataConfig, rng: &mut ChaCha8Rng) -> Disguise {
    let mut disguise = Disguise::NONE;
    if rng.random_bool(config.colors) {
        let mut colors = Color::ALL;
        colors.shuffle(rng);
        disguise.colors = colors;
    }
    if rng.random_bool(config.actions) {
        let mut keys = Key::ALL;
        keys.shuffle(rng);
        for (key, other) in Key::ALL.into_iter().zip(keys) {
            disguise.actions[usize::from(key as u8)] = other as u8;
        }
    }
    disguise
}
