//! Which of several ways to what is wanted a search takes.

use super::*;

/// A piece takes something along wherever it goes in the first row.
struct Shove;

impl WorldModel for Shove {
    fn begin(&mut self, _frame: &Grid, _start: Start) {}

    fn observe(&mut self, _transition: &Transition<'_>) {}

    fn predict(&self, state: &State, action: Action) -> Prediction {
        Walk { knows_all: true }.predict(state, action)
    }

    fn advances(&self, state: &State, action: Action) -> Vec<Advance> {
        Walk::default().advances(state, action)
    }

    fn driven(&self, state: &State, action: Action) -> Vec<Advance> {
        let is_taken_along = piece(&state.frame).y() == 0 && direction(action).0 != 0;
        if is_taken_along { self.advances(state, action) } else { Vec::new() }
    }

    fn disagreement(&self, _state: &State, _action: Action) -> f32 {
        0.0
    }
}

#[test]
fn of_ways_that_are_as_long_one_that_takes_nothing_along_is_taken() {
    let (frame, mask): (Grid, _) = ("500\n010\n002".parse().unwrap(), InterfaceMask::new());
    let state = State::seen(frame.clone());
    let things = Things::of(&frame, &mask, &Shove.advances(&state, Action::Key(Key::Key1)), Under::default());
    let (visited, failed, ledger, modes) = (HashSet::new(), HashSet::new(), Ledger::default(), Modes::default());
    let tried = (&ledger, &modes);
    let mut judge = Curiosity::new(&things, tried, (&Comparison::default(), false), (&visited, &failed), arrows());
    let found = Search::new(&Shove, &mask).run(state, &mut judge, 100).best.unwrap();
    let rows: Vec<u8> = found.path.iter().filter_map(|it| Some(piece(&it.expected.as_ref()?.frame).y())).collect();
    assert_eq!((found.target, &rows[..1]), (Target::Solve, &[1][..]), "down at first: {rows:?}");
}
