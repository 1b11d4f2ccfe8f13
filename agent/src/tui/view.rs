//! A play that is being looked at: where it comes from, the state of its screen, and the step that was loaded.

use std::time::{Duration, Instant};

use super::{intent::Intent, player::Player, screen::Screen, shown::Shown};
use crate::replay::{Archive, Index, Thought, palette::Depth};

/// How long a search may hold up the screen at a time.
const SEARCH_TIME: Duration = Duration::from_millis(12);

/// Where a play comes from: a file, or the play itself.
pub trait Source: Send {
    /// Takes in what is new; whether anything is.
    fn pull(&mut self) -> bool;
    /// What is known.
    fn index(&self) -> &Index;
    /// A step, or why it cannot be shown.
    fn load(&mut self, step: usize) -> Result<Shown, String>;
    /// What was thought at a step.
    fn thought(&mut self, step: usize) -> Option<Thought>;
    /// Human actions by level, where known.
    fn baselines(&self) -> Vec<u32>;
}

impl Source for Archive {
    fn pull(&mut self) -> bool {
        Archive::pull(self)
    }

    fn index(&self) -> &Index {
        Archive::index(self)
    }

    fn load(&mut self, step: usize) -> Result<Shown, String> {
        let entry = self.entry(step).map_err(|error| error.to_string())?;
        let before = self.settled_before(step);
        Ok(Shown::new(step, entry, before))
    }

    fn thought(&mut self, step: usize) -> Option<Thought> {
        Archive::thought(self, step)
    }

    fn baselines(&self) -> Vec<u32> {
        Archive::index(self).baselines()
    }
}

/// A play on the screen.
pub struct View {
    /// Where it comes from.
    pub source: Box<dyn Source>,
    /// The state of its screen.
    pub player: Player,
    /// The step that was loaded.
    pub shown: Option<Shown>,
    /// The step that was last asked for.
    wanted: Option<usize>,
    /// Why the step that is wanted was not.
    pub failed: Option<String>,
    /// Human actions by level.
    pub baselines: Vec<u32>,
    /// What it is called.
    pub name: String,
}

impl View {
    /// A play at its beginning, or at its end.
    pub fn new(name: String, source: impl Source + 'static, player: Player) -> View {
        View { source: Box::new(source), player, shown: None, wanted: None, failed: None, baselines: Vec::new(), name }
    }

    /// Its screen, without keys.
    pub fn screen(&self, depth: Depth) -> Screen<'_> {
        Screen {
            player: &self.player,
            index: self.source.index(),
            shown: self.shown.as_ref(),
            failed: self.failed.as_deref(),
            title: &self.name,
            baselines: &self.baselines,
            hint: "",
            help: &[],
            depth,
        }
    }

    fn layers(&self) -> usize {
        self.shown.as_ref().map_or(0, |shown| shown.layers().len())
    }

    /// Does what a person asks for.
    pub fn act(&mut self, intent: Intent) {
        let layers = self.layers();
        self.player.act(intent, self.source.index(), layers);
    }

    /// Lets time pass: takes in what is new, plays, searches, loads. Whether anything changed.
    pub fn tick(&mut self, passed: Duration) -> bool {
        let news = self.source.pull();
        if news {
            self.player.follow(self.source.index());
            self.baselines = self.source.baselines();
        }
        let layers = self.layers();
        let played = self.player.tick(passed, self.source.index(), layers);
        let searched = self.search();
        self.load() || news || played || searched
    }

    /// Searches on for a moment.
    fn search(&mut self) -> bool {
        let begun = Instant::now();
        let mut any = false;
        while let Some(search) = self.player.search.as_ref().filter(|_| begun.elapsed() < SEARCH_TIME) {
            let thought = self.source.thought(search.at).unwrap_or_default();
            self.player.look(&thought.words(), self.source.index());
            any = true;
        }
        any
    }

    /// Loads the step that is wanted, if that is another one.
    fn load(&mut self) -> bool {
        let step = self.player.step;
        if self.wanted == Some(step) || self.source.index().marks.len() <= step {
            return false;
        }
        self.wanted = Some(step);
        match self.source.load(step) {
            Ok(shown) => (self.shown, self.failed) = (Some(shown), None),
            Err(failed) => self.failed = Some(failed),
        }
        true
    }
}

impl std::fmt::Debug for View {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("View").field("name", &self.name).field("player", &self.player).finish_non_exhaustive()
    }
}
