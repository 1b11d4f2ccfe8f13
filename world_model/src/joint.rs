//! One answer out of all sources.
//!
//! - [`Joint`]: memory first, then rules, then a net, then nobody. Start here.
//! - `Trust`: how often answers in such circumstances came true, which is the confidence of the one answer.

use env_client::{Action, Grid, Point};

use crate::{
    Advance, ExactMemory, Foresight, InterfaceMask, Outcome, Prediction, Rules, Source, Start, State, Transition,
    WorldModel, reliability::Reliability,
};

/// Memory, rules and a net as one model.
///
/// What was seen overrides what is believed: where memory knows the state, it answers. Rules then only add what memory
/// leaves open, the interface and what is not seen. Each answer is scored before it is learned from, on the cells of the
/// world, and its confidence is what answers in the same circumstances were worth in this play.
pub struct Joint<R = Rules> {
    memory: ExactMemory,
    rules: R,
    net: Option<Box<Net>>,
    trust: Trust,
}

/// What is asked where nobody else knows.
type Net = dyn WorldModel + Send;

impl Default for Joint {
    fn default() -> Self {
        Joint::new(Rules::new())
    }
}

impl<R: WorldModel> Joint<R> {
    /// Memory that has seen nothing, and these rules where it has no answer.
    pub fn new(rules: R) -> Joint<R> {
        Joint { memory: ExactMemory::new(), rules, net: None, trust: Trust::default() }
    }

    /// Asks this net where neither memory nor rules have an answer, but for searches ([`WorldModel::foresee`]): they ask
    /// thousands of questions, of which a net takes milliseconds each.
    pub fn with_net(mut self, net: impl WorldModel + Send + 'static) -> Joint<R> {
        self.net = Some(Box::new(net));
        self
    }

    /// What was seen so far, and what of it is interface.
    pub fn memory(&self) -> &ExactMemory {
        &self.memory
    }

    /// What is believed about how the game works.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The one answer, given what the rules say. Memory knows states by what is seen, so it is silent where something is not.
    fn answer(&self, state: &State, action: Action, ruled: Prediction, net: Option<&Net>) -> Answer {
        let ask = |source: &dyn WorldModel| Some(source.predict(state, action)).filter(|it| it.next.is_some());
        let remembered = Some(&self.memory).filter(|_| state.unseen == 0).and_then(|memory| ask(memory));
        match (remembered, Some(ruled).filter(|it| it.next.is_some())) {
            (Some(remembered), Some(ruled)) => self.both(state, remembered, &ruled),
            (Some(remembered), None) => Answer { circumstance: Circumstance::Memory, prediction: remembered },
            (None, Some(ruled)) => Answer { circumstance: Circumstance::Rules, prediction: ruled },
            (None, None) => {
                let prediction = net.and_then(|net| ask(net)).unwrap_or(Prediction::UNKNOWN);
                Answer { circumstance: Circumstance::Net, prediction }
            }
        }
    }

    /// The one answer with the confidence that such answers have earned.
    fn rated(&self, state: &State, action: Action, ruled: Prediction, net: Option<&Net>) -> Prediction {
        let Answer { circumstance, mut prediction } = self.answer(state, action, ruled, net);
        if prediction.source != Source::Nobody {
            prediction.confidence = self.trust.rate(circumstance, prediction.confidence);
        }
        prediction
    }

    /// Memory's answer, with what the rules say where memory is silent.
    fn both(&self, state: &State, mut remembered: Prediction, ruled: &Prediction) -> Answer {
        let mask = self.memory.mask();
        let agree = same_world(&remembered, ruled, mask);
        if let (Some(next), Some(other)) = (&mut remembered.next, &ruled.next) {
            // Where nothing changes, rules that say otherwise do not tell what came of it unseen.
            let stays = !agree && same_frame(&next.frame, &state.frame, mask);
            next.unseen = if stays { state.unseen } else { other.unseen };
            next.under = if stays { state.under.clone() } else { other.under.clone() };
            (next.hidden, next.motions) = (other.hidden, other.motions.clone());
            if remembered.outcome == Outcome::Continues {
                fill_interface(&mut next.frame, &state.frame, &other.frame, mask);
            }
        }
        let circumstance = if agree { Circumstance::Agreed } else { Circumstance::Disputed };
        Answer { circumstance, prediction: remembered }
    }

    fn score(&mut self, transition: &Transition<'_>) {
        let state = self.state(transition.before);
        let ruled = self.rules.predict(&state, transition.action);
        let Answer { circumstance, prediction } = self.answer(&state, transition.action, ruled, self.net.as_deref());
        let Some(next) = &prediction.next else { return };
        let right = prediction.outcome == transition.outcome
            && transition.after().is_none_or(|after| same_frame(&next.frame, after, self.memory.mask()));
        self.trust.count(circumstance, prediction.confidence, right);
    }
}

/// A prediction and how it came about.
struct Answer {
    circumstance: Circumstance,
    prediction: Prediction,
}

fn same_frame(a: &Grid, b: &Grid, mask: &InterfaceMask) -> bool {
    a.differences(b).is_some_and(|mut cells| cells.all(|at| mask.hides(at)))
}

fn same_world(a: &Prediction, b: &Prediction, mask: &InterfaceMask) -> bool {
    let frames = a.next.as_ref().zip(b.next.as_ref());
    a.outcome == b.outcome && frames.is_some_and(|(a, b)| same_frame(&a.frame, &b.frame, mask))
}

/// Takes interface cells that `next` leaves as they are `now` from `other`.
fn fill_interface(next: &mut Grid, now: &Grid, other: &Grid, mask: &InterfaceMask) {
    let Some(open) = next.differences(other) else { return };
    let open: Vec<_> = open.filter(|at| mask.hides(*at) && now.get(*at) == next.get(*at)).collect();
    for at in open {
        next.set(at, other[at]);
    }
}

impl<R: WorldModel> WorldModel for Joint<R> {
    fn begin(&mut self, frame: &Grid, start: Start) {
        self.memory.begin(frame, start);
        self.rules.begin(frame, start);
        if let Some(net) = &mut self.net {
            net.begin(frame, start);
        }
    }

    fn observe(&mut self, transition: &Transition<'_>) {
        self.score(transition);
        self.memory.observe(transition);
        self.rules.observe(transition);
        if let Some(net) = &mut self.net {
            net.observe(transition);
        }
    }

    /// What is not seen is the rules' to say.
    fn state(&self, frame: &Grid) -> State {
        self.rules.state(frame)
    }

    fn predict(&self, state: &State, action: Action) -> Prediction {
        self.rated(state, action, self.rules.predict(state, action), self.net.as_deref())
    }

    fn foresee(&self, state: &State, action: Action) -> Foresight {
        let ruled = self.rules.foresee(state, action);
        Foresight { prediction: self.rated(state, action, ruled.prediction, None), ..ruled }
    }

    fn advances(&self, state: &State, action: Action) -> Vec<Advance> {
        self.rules.advances(state, action)
    }

    fn driven(&self, state: &State, action: Action) -> Vec<Advance> {
        self.rules.driven(state, action)
    }

    fn looks(&self, state: &State) -> u64 {
        self.rules.looks(state)
    }

    fn kin(&self, state: &State) -> Vec<Vec<Point>> {
        self.rules.kin(state)
    }

    fn flock(&self, state: &State) -> Vec<Vec<Point>> {
        self.rules.flock(state)
    }

    fn still(&self, state: &State) -> Option<Grid> {
        self.rules.still(state)
    }

    fn is_arrow(&self, action: Action) -> bool {
        self.rules.is_arrow(action)
    }

    fn collides(&self, state: &State, action: Action) -> bool {
        self.rules.collides(state, action)
    }

    fn choices(&self, state: &State) -> Vec<Action> {
        self.rules.choices(state)
    }

    fn untried(&self, state: &State) -> Vec<Action> {
        self.rules.untried(state)
    }

    /// Memory's doubt where it knows the state, else that of the rules.
    fn disagreement(&self, state: &State, action: Action) -> f32 {
        if self.memory.knows(&state.frame, action) {
            self.memory.disagreement(state, action)
        } else {
            self.rules.disagreement(state, action)
        }
    }
}

impl<R> std::fmt::Debug for Joint<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Joint").field("memory", &self.memory).field("trust", &self.trust).finish_non_exhaustive()
    }
}

/// How an answer came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Circumstance {
    /// Memory and rules say the same.
    Agreed,
    /// Memory alone speaks.
    Memory,
    /// Memory speaks against the rules.
    Disputed,
    /// Rules speak of a state never seen.
    Rules,
    /// Only the net speaks.
    Net,
}

/// Lower ends of the bins of what sources say of themselves.
const BINS: [f32; 6] = [0.0, 0.5, 0.8, 0.9, 0.95, 0.98];

/// How many answers what a source says of itself is worth.
const WORD: f32 = 10.0;

/// How often answers in each circumstance, of about the same word, came true.
#[derive(Clone, Debug, Default)]
struct Trust {
    right: [[u32; BINS.len()]; 5],
    total: [[u32; BINS.len()]; 5],
}

impl Trust {
    fn count(&mut self, circumstance: Circumstance, word: f32, right: bool) {
        let (row, bin) = (circumstance as usize, bin(word));
        self.total[row][bin] += 1;
        self.right[row][bin] += u32::from(right);
    }

    fn rate(&self, circumstance: Circumstance, word: f32) -> f32 {
        let (row, bin) = (circumstance as usize, bin(word));
        let mut reliability = Reliability::believed(word, WORD);
        reliability.add(self.right[row][bin], self.total[row][bin]);
        reliability.rate()
    }
}

fn bin(word: f32) -> usize {
    BINS.iter().rposition(|low| word >= *low).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use env_client::Key;

    use super::*;

    const RIGHT: Action = Action::Key(Key::Key4);

    /// Rules that always say the same, and that something lies under something else then.
    struct Fixed(&'static str);

    impl WorldModel for Fixed {
        fn begin(&mut self, _frame: &Grid, _start: Start) {}
        fn observe(&mut self, _transition: &Transition<'_>) {}
        fn predict(&self, _state: &State, _action: Action) -> Prediction {
            let next = State { hidden: 7, unseen: 9, ..State::seen(grid(self.0)) };
            Prediction { next: Some(next), confidence: 0.9, source: Source::Rules, ..Prediction::UNKNOWN }
        }
        fn disagreement(&self, _state: &State, _action: Action) -> f32 {
            0.25
        }
    }

    fn grid(picture: &str) -> Grid {
        picture.parse().unwrap()
    }

    fn observe(model: &mut impl WorldModel, before: &str, after: &str) {
        let layers = [grid(after)];
        let (before, outcome) = (grid(before), Outcome::Continues);
        model.observe(&Transition { before: &before, action: RIGHT, layers: &layers, outcome });
    }

    #[test]
    fn what_was_seen_overrides_what_is_believed() {
        let mut joint = Joint::new(Fixed("001"));
        let fresh = joint.predict(&State::seen(grid("100")), RIGHT);
        assert_eq!((fresh.source, fresh.next.unwrap().frame), (Source::Rules, grid("001")));
        observe(&mut joint, "100", "010");
        let known = joint.predict(&State::seen(grid("100")), RIGHT);
        assert_eq!(known.source, Source::Memory);
        let expected = State { hidden: 7, unseen: 9, ..State::seen(grid("010")) };
        assert_eq!(known.next, Some(expected), "the rules say what is not seen");
    }

    #[test]
    fn where_nothing_was_seen_to_change_nothing_goes_under_anything() {
        let mut joint = Joint::new(Fixed("001"));
        observe(&mut joint, "100", "100");
        let known = joint.predict(&State::seen(grid("100")), RIGHT).next.unwrap();
        assert_eq!((known.frame, known.unseen), (grid("100"), 0));
    }

    #[test]
    fn a_net_is_asked_where_nobody_else_knows_and_never_by_a_search() {
        let joint = Joint::default().with_net(Fixed("001"));
        let state = State::seen(grid("100"));
        assert_eq!(joint.predict(&state, RIGHT).next.map(|it| it.frame), Some(grid("001")));
        assert_eq!(joint.foresee(&state, RIGHT).prediction, Prediction::UNKNOWN);
    }

    #[test]
    fn nobody_speaks_where_nothing_is_known() {
        let joint = Joint::default();
        assert_eq!(joint.predict(&State::seen(grid("100")), RIGHT), Prediction::UNKNOWN);
        assert!(joint.disagreement(&State::seen(grid("100")), RIGHT) > 0.9);
    }

    #[test]
    fn confidence_is_what_such_answers_were_worth() {
        let mut joint = Joint::new(Fixed("001"));
        for before in ["100", "110", "111", "101", "011"] {
            observe(&mut joint, before, "010");
        }
        // Said 0.9 as if of ten answers, and was wrong five times: 9 of 15.
        let next = joint.predict(&State::seen(grid("000")), RIGHT);
        assert!((next.confidence - 9.0 / 15.0).abs() < 1e-6, "{}", next.confidence);
    }

    #[test]
    fn the_next_experiment_is_where_the_most_certain_source_doubts_most() {
        let mut joint = Joint::new(Fixed("001"));
        let state = State::seen(grid("100"));
        assert!((joint.disagreement(&state, RIGHT) - 0.25).abs() < 1e-6);
        observe(&mut joint, "100", "010");
        assert!(joint.disagreement(&state, RIGHT).abs() < 1e-6);
    }

    #[test]
    fn rules_fill_in_the_interface_that_memory_leaves_open() {
        let mut mask = InterfaceMask::new();
        mask.hide(env_client::Point::new(2, 0).unwrap());
        let mut next = grid("013");
        fill_interface(&mut next, &grid("103"), &grid("110"), &mask);
        assert_eq!(next, grid("010"), "the interface is the rules', the world memory's");
    }
}
