//! Predict, score, learn: a play through all models at once.

use std::{collections::VecDeque, fmt};

use env_client::{Action, Grid};

use super::{
    FrameScore, View,
    calibration::Claim,
    rollout::{self, FURTHEST, Rollout},
};
use crate::{
    Bounds, ExactMemory, Outcome, Prediction, Source, WorldModel,
    play::{Event, Step},
};

/// A free run begins at every so manyth transition: neighbouring ones tell nearly the same, and nets are slow.
const ROLLOUT_STRIDE: usize = 10;

/// A model under test.
pub struct Contestant {
    /// What tables call it.
    pub name: String,
    /// The model.
    pub model: Box<dyn WorldModel>,
}

impl Contestant {
    /// A model under a name.
    pub fn new(name: impl Into<String>, model: impl WorldModel + 'static) -> Contestant {
        Contestant { name: name.into(), model: Box::new(model) }
    }
}

impl fmt::Debug for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Contestant").field(&self.name).finish()
    }
}

/// One transition and how one model did on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    /// Transitions learned before it.
    pub at: usize,
    /// Whether the same action was never taken in the same state before.
    pub novel: bool,
    /// How the transition ended.
    pub outcome: Outcome,
    /// Raw and masked; `None` where the level ended.
    pub scores: Option<[FrameScore; 2]>,
    /// Whether it was foretold if and how the level ends.
    pub foretold: bool,
    /// How sure the model said to be.
    pub confidence: f32,
    /// Who of its sources spoke.
    pub source: Source,
}

impl Scored {
    /// The score under a view; `None` where the level ended.
    pub fn score(&self, view: View) -> Option<FrameScore> {
        self.scores.map(|scores| scores[view as usize])
    }

    /// What was claimed, and whether it was right.
    pub fn claim(&self, view: View) -> Claim {
        let right = self.score(view).map_or(self.foretold, |score| score.exact);
        Claim { confidence: self.confidence, right }
    }
}

/// How one model did on one play.
#[derive(Clone, Debug, PartialEq)]
pub struct Marks {
    /// What tables call it.
    pub name: String,
    /// One line a transition.
    pub scored: Vec<Scored>,
    /// Free runs.
    pub rollouts: Vec<Rollout>,
}

/// A model is firm where so many changes follow, of which so many are foretold in every cell.
pub const FIRM: [usize; 2] = [100, 95];

impl Marks {
    /// The first transition from which on the model is firm.
    pub fn firm_from(&self, view: View) -> Option<usize> {
        let [length, least] = FIRM;
        let scores = self.scored.iter().filter_map(|scored| Some((scored.at, scored.score(view)?)));
        let changes: Vec<(usize, bool)> =
            scores.filter(|(_, score)| score.is_change()).map(|(at, score)| (at, score.exact)).collect();
        let is_firm = |run: &&[(usize, bool)]| run.iter().filter(|(_, exact)| *exact).count() >= least;
        changes.windows(length).find(is_firm).map(|run| run[0].0)
    }
}

/// A bar of the interface, and when it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundBar {
    /// Transitions seen until then.
    pub at: usize,
    /// Where it lies.
    pub bounds: Bounds,
}

/// How all models did on one play.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// In the order of the contestants.
    pub models: Vec<Marks>,
    /// Cells of the interface mask before each transition.
    pub masked: Vec<usize>,
    /// Bars as they were found; one that turns out longer is found again.
    pub bars: Vec<FoundBar>,
    /// How often an action did something else than before in the same state.
    pub contradictions: u64,
    /// States in which an action had several outcomes.
    pub suspects: usize,
}

/// Lets every contestant predict each transition before it learns from it. `progress` is told the transitions so far.
pub fn evaluate(
    events: impl Iterator<Item = Event>,
    mut contestants: Vec<Contestant>,
    progress: &mut dyn FnMut(usize),
) -> Report {
    let mut judge = Judge::new(&contestants);
    let mut ahead = Lookahead::new(events);
    while let Some(event) = ahead.next() {
        if let Event::Acted(step) = &event {
            judge.score(step, &ahead, &contestants);
        }
        for contestant in &mut contestants {
            event.teach(&mut *contestant.model);
        }
        judge.learn(&event);
        progress(judge.report.masked.len());
    }
    judge.finish()
}

/// Knows what is interface and what is new, whatever the contestants know.
struct Judge {
    memory: ExactMemory,
    report: Report,
}

impl Judge {
    fn new(contestants: &[Contestant]) -> Judge {
        let models = contestants
            .iter()
            .map(|it| Marks { name: it.name.clone(), scored: Vec::new(), rollouts: Vec::new() })
            .collect();
        let report = Report { models, masked: Vec::new(), bars: Vec::new(), contradictions: 0, suspects: 0 };
        Judge { memory: ExactMemory::new(), report }
    }

    fn score<E: Iterator<Item = Event>>(&mut self, step: &Step, ahead: &Lookahead<E>, contestants: &[Contestant]) {
        let at = self.report.masked.len();
        self.report.masked.push(self.memory.mask().len());
        let novel = !self.memory.knows(&step.before, step.action);
        let truth = if at.is_multiple_of(ROLLOUT_STRIDE) { ahead.run_from(step) } else { Vec::new() };
        for (contestant, marks) in contestants.iter().zip(&mut self.report.models) {
            let model = &*contestant.model;
            let prediction = model.predict(&model.state(&step.before), step.action);
            marks.scored.push(scored(at, novel, step, &prediction, &self.memory));
            if !truth.is_empty() {
                let steps = rollout::run(model, &step.before, &truth, self.memory.mask());
                marks.rollouts.push(Rollout { at, steps });
            }
        }
    }

    fn learn(&mut self, event: &Event) {
        event.teach(&mut self.memory);
        let known = |bars: &[FoundBar], bounds| bars.iter().any(|bar| bar.bounds == bounds);
        for bar in self.memory.interface().bars() {
            if !known(&self.report.bars, bar.bounds) {
                self.report.bars.push(FoundBar { at: self.report.masked.len(), bounds: bar.bounds });
            }
        }
    }

    fn finish(mut self) -> Report {
        self.report.contradictions = self.memory.contradictions();
        self.report.suspects = self.memory.suspects().len();
        self.report
    }
}

fn scored(at: usize, novel: bool, step: &Step, prediction: &Prediction, judge: &ExactMemory) -> Scored {
    let continues = prediction.outcome == Outcome::Continues;
    let frame = prediction.next.as_ref().map(|state| &state.frame).filter(|_| continues);
    let transition = step.transition();
    let scores = transition
        .after()
        .map(|truth| [None, Some(judge.mask())].map(|mask| FrameScore::of(transition.before, truth, frame, mask)));
    Scored {
        at,
        novel,
        outcome: step.outcome,
        scores,
        foretold: prediction.next.is_some() && prediction.outcome == step.outcome,
        confidence: if prediction.next.is_some() { prediction.confidence } else { 0.0 },
        source: prediction.source,
    }
}

/// Events with a view of those that come.
struct Lookahead<E> {
    events: E,
    coming: VecDeque<Event>,
}

impl<E: Iterator<Item = Event>> Lookahead<E> {
    fn new(events: E) -> Lookahead<E> {
        Lookahead { events, coming: VecDeque::with_capacity(FURTHEST) }
    }

    fn next(&mut self) -> Option<Event> {
        self.coming.extend(self.events.by_ref().take(FURTHEST - self.coming.len()));
        let event = self.coming.pop_front();
        self.coming.extend(self.events.next());
        event
    }

    /// The actions from `step` on and the frames they led to, as far as the level goes on without a gap.
    fn run_from<'a>(&'a self, step: &'a Step) -> Vec<(Action, &'a Grid)> {
        let mut run: Vec<(Action, &Grid)> = Vec::with_capacity(FURTHEST);
        let following = self.coming.iter().map_while(|event| match event {
            Event::Acted(step) => Some(step),
            Event::Begin { .. } | Event::Gap => None,
        });
        for step in std::iter::once(step).chain(following).take(FURTHEST) {
            let follows = run.last().is_none_or(|(_, frame)| **frame == step.before);
            match step.layers.last().filter(|_| follows && step.outcome == Outcome::Continues) {
                Some(after) => run.push((step.action, after)),
                None => break,
            }
        }
        run
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Start, eval::baselines};

    const RIGHT: Action = Action::Key(env_client::Key::Key4);

    fn step(before: &str, after: &str, outcome: Outcome) -> Event {
        let (before, layers) = (before.parse().unwrap(), vec![after.parse().unwrap()]);
        Event::Acted(Step { level: 0, before, action: RIGHT, layers, outcome })
    }

    fn play() -> Vec<Event> {
        let begin = Event::Begin { level: 0, frame: "100".parse().unwrap(), start: Start::Level };
        vec![
            begin,
            step("100", "010", Outcome::Continues),
            step("010", "001", Outcome::Continues),
            step("001", "001", Outcome::Continues),
            step("001", "777", Outcome::Solved),
            step("100", "010", Outcome::Continues),
        ]
    }

    #[test]
    fn every_transition_is_predicted_before_it_is_learned() {
        let contestants = vec![Contestant::new("memory", ExactMemory::new())];
        let report = evaluate(play().into_iter(), contestants, &mut |_| {});
        let lines = &report.models[0].scored;
        let exact: Vec<Option<bool>> = lines.iter().map(|line| line.score(View::Raw).map(|it| it.exact)).collect();
        assert_eq!(exact, [Some(false), Some(false), Some(false), None, Some(true)]);
        let novel: Vec<bool> = lines.iter().map(|line| line.novel).collect();
        assert_eq!(novel, [true, true, true, false, false]);
        assert!(!lines[3].foretold, "the frame says nothing of the end");
    }

    #[test]
    fn a_model_is_firm_from_where_95_of_100_changes_are_foretold() {
        let step = |at: usize, right: bool, changes: bool| {
            let score = FrameScore {
                cells: 9,
                changed: u16::from(changes),
                edited: u16::from(right),
                hits: u16::from(right),
                known: true,
                exact: right,
            };
            let (outcome, source) = (Outcome::Continues, Source::Net);
            Scored { at, novel: true, outcome, scores: Some([score; 2]), foretold: true, confidence: 0.5, source }
        };
        // Every second transition changes nothing. Changes 20 to 119 are the first of which five are missed.
        let missed = [3, 19, 40, 50, 60, 70, 80];
        let scored = (0..300).map(|at| step(at, at % 2 == 0 && !missed.contains(&(at / 2)), at % 2 == 0)).collect();
        let marks = Marks { name: "a model".to_owned(), scored, rollouts: Vec::new() };
        assert_eq!(marks.firm_from(View::Masked), Some(40));
        let short = Marks { scored: marks.scored[..180].to_vec(), ..marks };
        assert_eq!(short.firm_from(View::Masked), None, "fewer than a hundred changes");
    }

    #[test]
    fn free_runs_stop_where_the_level_does() {
        let contestants = vec![Contestant::new("copy last", baselines::copy_last())];
        let report = evaluate(play().into_iter(), contestants, &mut |_| {});
        let runs: Vec<usize> = report.models[0].rollouts.iter().map(|run| run.steps.len()).collect();
        assert_eq!(runs, [3]);
    }
}
