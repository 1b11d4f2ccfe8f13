//! A model that has seen the first part of a recording, and what comes after it.

use std::path::Path;

use env_client::{Grid, recording::OpenError};
use world_model::{
    Joint, Outcome,
    perception::LatticeFinder,
    play::{Event, Play, Step},
};

/// What a model learned from a recording.
#[derive(Debug)]
pub struct Lesson {
    /// The game, as the recording names it.
    pub game: String,
    /// The model.
    pub model: Joint,
    /// The lattice the level is drawn on, if it is.
    pub lattice: LatticeFinder,
    /// Transitions it learned from.
    pub learned: usize,
    /// Levels solved by then.
    pub level: u16,
    /// The frame that the play had come to, if it was seen.
    pub frame: Option<Grid>,
    /// What was done next, in one level and without a gap.
    pub coming: Vec<Step>,
    /// What in the recording could not be read.
    pub faults: Vec<String>,
}

/// Teaches the first `count` transitions, or all, and looks `ahead` at most so many steps.
///
/// # Errors
/// The recording cannot be opened.
pub fn learn(path: &Path, count: Option<usize>, ahead: usize) -> Result<Lesson, OpenError> {
    let mut play = Play::open(path)?;
    let mut lesson = Lesson {
        game: path.display().to_string(),
        model: super::together(),
        lattice: LatticeFinder::default(),
        learned: 0,
        level: 0,
        frame: None,
        coming: Vec::new(),
        faults: Vec::new(),
    };
    for event in play.by_ref() {
        match event {
            Ok(event) if lesson.wants(&event, count) => lesson.take(&event),
            Ok(event) => {
                if !lesson.expect(event, ahead) {
                    break;
                }
            }
            Err(error) => lesson.faults.push(error.to_string()),
        }
    }
    lesson.game = play.game().map_or(lesson.game, ToString::to_string);
    Ok(lesson)
}

impl Lesson {
    fn wants(&self, event: &Event, count: Option<usize>) -> bool {
        let is_full = count.is_some_and(|count| self.learned >= count);
        self.coming.is_empty() && !(is_full && matches!(event, Event::Acted(_)))
    }

    fn take(&mut self, event: &Event) {
        event.teach(&mut self.model);
        let mask = self.model.memory().mask();
        match event {
            Event::Begin { level, frame, .. } => {
                self.lattice.begin_level(frame, mask);
                (self.level, self.frame) = (*level, Some(frame.clone()));
            }
            Event::Acted(step) => {
                self.learned += 1;
                self.frame = step.layers.last().cloned();
                if let Some(after) = step.transition().after() {
                    self.lattice.see(after, mask);
                }
            }
            Event::Gap => self.frame = None,
        }
    }

    /// Keeps a step that follows; whether more are wanted.
    fn expect(&mut self, event: Event, ahead: usize) -> bool {
        let Event::Acted(step) = event else { return false };
        if self.coming.is_empty() {
            self.frame = Some(step.before.clone());
        }
        let goes_on = step.outcome == Outcome::Continues;
        self.coming.push(step);
        goes_on && self.coming.len() < ahead
    }
}
