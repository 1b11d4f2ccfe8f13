//! What every title promises, checked by playing it.
//!
//! Each level is walked at random from its start, and then solved. Every command goes to three plays that must agree:
//! one as written, one built anew, and one in other colours and on other keys. On the way are checked: size and number
//! of layers, the covering set of inputs, exact undo, action counts, resets, game over, win, and admissible bounds.

use env_client::{Action, ActionId, Color, Command, Grid, Key, Point, SIDE, Status};

use super::{Course, Dice, Drain, Environment, Film, Input, MAX_LAYERS, Play, Shown, Title, Variant, Verdict};
use crate::prover::Proof;

/// Random actions from the start of each level.
const WALK: u32 = 150;

/// The guise in which a title must still be the same game.
const MASK: Variant = Variant { seed: 0x5EED };

const UNDO: Action = Action::Key(Key::Key7);

/// A broken promise.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("level {level}: {what}")]
pub struct Violation {
    /// In which level, counted from 1.
    pub level: usize,
    /// What was expected and what came.
    pub what: String,
}

/// Checks a title whose levels are solved by `proofs`.
pub(crate) fn check<T: Title>(proofs: &[Proof]) -> Result<(), Violation> {
    let mut dice = Dice::new(0, T::ABOUT.stem);
    let mut trio = Trio::<T>::new().map_err(|what| Violation { level: 1, what })?;
    for (level, proof) in (1..).zip(proofs) {
        let violation = |what| Violation { level, what };
        check_walk(&trio, &mut dice).map_err(violation)?;
        check_bounds(trio.plain.state().clone(), proof).map_err(violation)?;
        check_solution(&mut trio, proof).map_err(violation)?;
    }
    check_won(trio).map_err(|what| Violation { level: proofs.len(), what })
}

/// Walks around in a level, from its start again whenever it is lost or solved by chance.
fn check_walk<T: Title>(start: &Trio<T>, dice: &mut Dice) -> Result<(), String> {
    let mut trio = start.clone();
    let mut count = 0;
    for _ in 0..WALK {
        trio.walk(dice)?;
        count += 1;
        if trio.shown.levels_completed > start.shown.levels_completed {
            (trio, count) = (start.clone(), 0);
        }
        expect(trio.plain.actions_since_level_start() == count, || format!("action {count} is not counted"))?;
        if trio.shown.status == Status::GameOver {
            check_over(&mut trio)?;
            check_reset(&mut trio, start)?;
            count = 0;
        }
    }
    if count == 0 { Ok(()) } else { check_reset(&mut trio, start) }
}

/// After an action, RESET leads back to the start of the level.
fn check_reset<T: Title>(trio: &mut Trio<T>, start: &Trio<T>) -> Result<(), String> {
    trio.step(Command::Reset)?;
    let Shown { levels_completed, full_reset, .. } = trio.shown;
    let back = trio.settled == start.settled && levels_completed == start.shown.levels_completed && !full_reset;
    expect(back, || "a level reset does not lead back to its start".to_owned())?;
    expect(trio.plain.actions_since_level_start() == 0, || "a level reset keeps the action count".to_owned())
}

/// Once over, a game shows nothing and stays over until RESET.
fn check_over<T: Title>(trio: &mut Trio<T>) -> Result<(), String> {
    let status = trio.shown.status;
    for id in T::ABOUT.controls.iter() {
        let action = Key::from_id(id).map_or(Action::Click(Point::default()), Action::Key);
        trio.step(action.into())?;
        let ignored = trio.shown.layers.is_empty() && trio.shown.status == status;
        expect(ignored, || format!("{action} is accepted after {status}"))?;
    }
    Ok(())
}

/// The prover relies on bounds that are never too high.
fn check_bounds<T: Title>(mut state: T, proof: &Proof) -> Result<(), String> {
    for (done, &input) in (0..).zip(&proof.solution) {
        let (bound, left) = (state.bound(), proof.optimal() - done);
        expect(bound <= left, || format!("after {done} inputs the bound is {bound}, but {left} more solve the level"))?;
        state.act(input, &mut Film::blank());
    }
    Ok(())
}

/// Solves the level: its end and the start of the next one are shown.
fn check_solution<T: Title>(trio: &mut Trio<T>, proof: &Proof) -> Result<(), String> {
    let solved = trio.shown.levels_completed;
    for (step, &input) in (1..).zip(&proof.solution) {
        expect(trio.shown.levels_completed == solved, || format!("solved before step {step}"))?;
        let action = input.action(&trio.plain.state().view());
        trio.step(action.ok_or_else(|| format!("step {step}, {input}, is off the screen"))?.into())?;
    }
    let Shown { levels_completed, win_levels, status, ref layers, .. } = trio.shown;
    expect(levels_completed == solved + 1, || "the solution does not solve it in a play".to_owned())?;
    let (expected, fewest) = if levels_completed == win_levels { (Status::Win, 1) } else { (Status::NotFinished, 2) };
    expect(status == expected, || format!("solved, it is {status}, expected {expected}"))?;
    expect(layers.len() >= fewest, || format!("solving shows {} layers, expected {fewest} at least", layers.len()))
}

/// A won game is over, and a RESET begins it anew.
fn check_won<T: Title>(mut trio: Trio<T>) -> Result<(), String> {
    check_over(&mut trio)?;
    trio.step(Command::Reset)?;
    let anew = trio.shown.full_reset && trio.shown.levels_completed == 0;
    expect(anew && trio.shown == Trio::<T>::new()?.shown, || "a RESET after WIN does not begin anew".to_owned())
}

/// Three plays of one title that are told the same and have to show the same.
#[derive(Clone)]
struct Trio<T> {
    plain: Play<T>,
    again: Play<T>,
    masked: Play<T>,
    /// The latest answer, and the latest settled view.
    shown: Shown,
    settled: Grid,
}

impl<T: Title> Trio<T> {
    /// The plays after their first RESET.
    fn new() -> Result<Trio<T>, String> {
        let course = || Course::<T>::new(Variant::default()).map_err(|error| error.to_string());
        let mut plain = Play::new(course()?, Variant::default());
        let mut again = Play::new(course()?, Variant::default());
        let mut masked = Play::new(course()?, MASK);
        let shown = plain.step(Command::Reset);
        again.step(Command::Reset);
        masked.step(Command::Reset);
        let settled = shown.layers.last().cloned().ok_or("a RESET shows no layer")?;
        Ok(Trio { plain, again, masked, shown, settled })
    }

    /// Sends one command to all.
    fn step(&mut self, command: Command) -> Result<(), String> {
        self.shown = self.plain.step(command);
        self.settled = self.shown.layers.last().unwrap_or(&self.settled).clone();
        let Shown { layers, status, .. } = &self.shown;
        let square = |layer: &Grid| layer.width() == SIDE && layer.height() == SIDE;
        expect(layers.iter().all(square), || format!("{command} shows a layer that is not 64x64"))?;
        expect(layers.len() <= MAX_LAYERS, || format!("{command} shows {} layers", layers.len()))?;
        expect(self.again.step(command) == self.shown, || format!("{command} shows something else the second time"))?;
        let unmasked = unmask(self.masked.step(mask::<T>(command)));
        expect(unmasked == self.shown, || format!("{command} is not the same in other colours and keys ({status})"))
    }

    /// Takes a random action and, where offered, takes it back on the side.
    fn walk(&mut self, dice: &mut Dice) -> Result<(), String> {
        let action = self.random(dice);
        self.check_covered(action)?;
        let before = self.clone();
        self.step(action.into())?;
        let same_level =
            self.shown.status == Status::NotFinished && self.shown.levels_completed == before.shown.levels_completed;
        if T::ABOUT.has_undo() && same_level && self.plain.state() != before.plain.state() && action != UNDO {
            self.clone().check_undone(&before)?;
        }
        self.check_drained(&before)
    }

    /// One of the title's actions; a click is as likely to be one that matters as one anywhere.
    fn random(&self, dice: &mut Dice) -> Action {
        let ids: Vec<ActionId> = T::ABOUT.controls.iter().collect();
        if let Some(key) = Key::from_id(dice.pick(&ids)) {
            return Action::Key(key);
        }
        let (state, view) = (self.plain.state(), self.plain.state().view());
        let listed = state.inputs().into_iter().filter_map(|input| input.action(&view));
        let clicks: Vec<Action> = listed.filter(|action| action.point().is_some()).collect();
        if dice.below(2) == 0 && !clicks.is_empty() {
            return dice.pick(&clicks);
        }
        let mut place = || dice.below(usize::from(SIDE)) as i64;
        Point::new(place(), place()).map_or(UNDO, Action::Click)
    }

    /// What an action does is done by one of the listed inputs, or it is nothing.
    fn check_covered(&self, action: Action) -> Result<(), String> {
        let state = self.plain.state();
        let Some(input) = Input::of(action, &state.view()) else { return Ok(()) };
        let outcome = |input| {
            let mut next = state.clone();
            let verdict = next.act(input, &mut Film::blank());
            (verdict, next)
        };
        let (verdict, next) = outcome(input);
        let nothing = verdict == Verdict::Playing && next == *state;
        let listed = || state.inputs().into_iter().any(|listed| outcome(listed) == (verdict, next.clone()));
        expect(nothing || listed(), || format!("{input} has an effect that no listed input has"))
    }

    /// Undo shows the frame from before, apart from the bar, and leads to that very state.
    fn check_undone(mut self, before: &Trio<T>) -> Result<(), String> {
        self.step(UNDO.into())?;
        let in_bar = |cell| T::ABOUT.bar.is_some_and(|bar| bar.covers(cell));
        let differences = self.settled.differences(&before.settled).into_iter().flatten();
        let exact = differences.filter(|cell| !in_bar(*cell)).count() == 0;
        let over = self.shown.status == Status::GameOver;
        expect(exact, || "undo shows another frame than the one before".to_owned())?;
        expect(over || self.plain.state() == before.plain.state(), || "undo is not exact".to_owned())
    }

    /// A bar that counts every action loses one for each, and a bar for effective ones none for others.
    fn check_drained(&self, before: &Trio<T>) -> Result<(), String> {
        let Some(bar) = T::ABOUT.bar else { return Ok(()) };
        if self.shown.levels_completed > before.shown.levels_completed {
            return Ok(());
        }
        let effective = self.plain.state() != before.plain.state();
        let expected = before.plain.left() - u32::from(effective || bar.drain == Drain::Every);
        expect(self.plain.left() == expected, || "the step limit is miscounted".to_owned())
    }
}

/// The command a player of the masked game sends.
fn mask<T: Title>(command: Command) -> Command {
    let Command::Act(Action::Key(meant)) = command else { return command };
    let keys = MASK.keys(T::ABOUT.controls);
    let sent = keys.into_iter().find(|(_, meaning)| *meaning == meant).map_or(meant, |(sent, _)| sent);
    Action::Key(sent).into()
}

/// A masked answer in the colours as written.
fn unmask(mut shown: Shown) -> Shown {
    let mut original = Color::ALL;
    for (color, masked) in Color::ALL.into_iter().zip(MASK.palette()) {
        original[masked.index()] = color;
    }
    for layer in &mut shown.layers {
        layer.cells_mut().iter_mut().for_each(|color| *color = original[color.index()]);
    }
    shown
}

fn expect(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    holds.then_some(()).ok_or_else(what)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::{
        engine::{About, Scene, View, toy::Corridor},
        prover::prove,
    };

    /// A corridor with one promise broken.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Broken<const FAULT: u8>(Corridor);

    const NO_CLICKS_LISTED: u8 = 1;
    const BOUND_TOO_HIGH: u8 = 2;
    const LOOKS_DEPEND_ON_THE_PAST: u8 = 3;

    static DRAWN: AtomicU32 = AtomicU32::new(0);

    impl<const FAULT: u8> Title for Broken<FAULT> {
        const ABOUT: About = Corridor::ABOUT;

        fn level(index: usize, dice: &mut Dice) -> Self {
            Broken(Corridor::level(index, dice))
        }

        fn act(&mut self, input: Input, _: &mut Film<Self>) -> Verdict {
            self.0.act(input, &mut Film::blank())
        }

        fn draw(&self, scene: &mut Scene) {
            self.0.draw(scene);
            if FAULT == LOOKS_DEPEND_ON_THE_PAST {
                scene.fill(Color::of(DRAWN.fetch_add(1, Ordering::Relaxed) as u8 % 16));
            }
        }

        fn view(&self) -> View {
            self.0.view()
        }

        fn inputs(&self) -> Vec<Input> {
            if FAULT == NO_CLICKS_LISTED { Input::MOVES.to_vec() } else { self.0.inputs() }
        }

        fn bound(&self) -> u32 {
            if FAULT == BOUND_TOO_HIGH { 3 } else { 0 }
        }
    }

    fn verdict<T: Title>() -> Result<(), String> {
        let starts = super::super::starts::<T>(Variant::default());
        let proofs: Vec<Proof> = starts.map(|start| prove(&start).unwrap()).collect();
        check::<T>(&proofs).map_err(|violation| violation.to_string())
    }

    #[test]
    fn a_sound_title_passes() {
        assert_eq!(verdict::<Corridor>(), Ok(()));
        assert_eq!(verdict::<Broken<0>>(), Ok(()));
    }

    #[test]
    fn broken_promises_are_named() {
        let broken = |verdict: Result<(), String>, words: &str| assert!(verdict.unwrap_err().contains(words));
        broken(verdict::<Broken<NO_CLICKS_LISTED>>(), "has an effect that no listed input has");
        broken(verdict::<Broken<BOUND_TOO_HIGH>>(), "after 0 inputs the bound is 3, but 2 more solve the level");
        broken(verdict::<Broken<LOOKS_DEPEND_ON_THE_PAST>>(), "something else the second time");
    }
}
