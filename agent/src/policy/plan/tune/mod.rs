//! The skill of doing again what was shown.
//!
//! An action may show signs, one after the other, and leave everything as it was: a tune ([`signs`]). The things that it
//! tells of are clicked in its order. Where that leads back to where it began, the order is the other way round, in this
//! level and in those to come. Each level is asked for its tune by what told the last one.
//!
//! - [`signs`]: reading a tune.

mod signs;

use env_client::{Action, ActionId, ActionSet, Grid};
use world_model::{InterfaceMask, Outcome, Scene, Start, Transition};

use self::signs::{Cue, told};
use super::{
    ledger::TIER,
    skill::{Look, Proposal, Skill, look},
    surveys::is_inside,
};

/// Before nearly everything: what was told is what is wanted.
const SCORE: f32 = -3.0 * TIER;
/// Rows of clicks in a level that led to nothing, after which its tune is left alone; and in a game whose tunes never
/// solved a level. Guesses.
const TRIES: u32 = 6;
const UNPROVEN: u32 = 4;
/// Rows that failed without any answer, after which right clicks are taken to show nothing. A guess.
const SILENT: u32 = 2;
/// How often a level is asked for its tune.
const ASKED: u32 = 3;

/// What tells a tune.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Teller {
    Key(Action),
    Thing(Look),
}

impl Teller {
    /// What an action on a frame was aimed at.
    fn of(action: Action, frame: &Grid) -> Option<Teller> {
        let Action::Click(at) = action else { return Some(Teller::Key(action)) };
        let scene = Scene::of(frame);
        scene.component_at(at).map(|index| Teller::Thing(look(&scene.components()[index])))
    }

    /// How to ask it, on this frame.
    fn ask(self, frame: &Grid) -> Option<Action> {
        match self {
            Teller::Key(action) => Some(action),
            Teller::Thing(wanted) => {
                let scene = Scene::of(frame);
                scene.components().iter().find(|it| look(it) == wanted).map(|it| Action::Click(it.center))
            }
        }
    }
}

/// Does again what was shown.
#[derive(Debug, Default)]
pub(super) struct Tune {
    teller: Option<Teller>,
    /// The tune of this level, as far as it was told, and how many clicks of it were made.
    cues: Vec<Cue>,
    done: usize,
    /// The frame on which its first click was made.
    start: Option<Grid>,
    is_reversed: bool,
    /// How often this level was asked for its tune, and what was tried in vain.
    asked: u32,
    tries: u32,
    /// Whether a click of a tune ever changed the frame, and whether a tune ever solved a level, in this game.
    is_answered: bool,
    is_proven: bool,
    failures: u32,
}

impl Tune {
    /// The next thing to click.
    fn next(&self) -> Option<Cue> {
        let index = if self.is_reversed { self.cues.len().checked_sub(self.done + 1)? } else { self.done };
        self.cues.get(index).copied()
    }

    /// Whether anything is to be expected of tunes here.
    fn is_promising(&self) -> bool {
        self.tries < TRIES && (self.is_proven || self.failures < UNPROVEN)
    }

    /// The row of clicks led to nothing.
    fn fail(&mut self) {
        self.done = 0;
        self.tries += 1;
        self.failures += 1;
        self.is_reversed = !self.is_reversed;
    }

    /// Learns from a click on the next thing of the tune.
    fn clicked(&mut self, step: &Transition<'_>) {
        let Some(after) = step.after() else { return };
        if self.done == 0 {
            self.start = Some(step.before.clone());
        }
        let is_changed = differ(step.before, after);
        let is_back = self.done > 0 && self.start.as_ref().is_some_and(|start| !differ(start, after));
        let shows = self.is_answered || self.failures < SILENT;
        if is_back && shows || !is_changed && self.is_answered {
            self.fail();
            return;
        }
        self.is_answered |= is_changed;
        self.done += 1;
        if self.done == self.cues.len() {
            self.fail();
            self.cues.clear();
        }
    }
}

/// Whether two frames differ, the lines where gauges are drawn aside: what counts right clicks may be taken for interface.
fn differ(before: &Grid, after: &Grid) -> bool {
    before.differences(after).is_none_or(|mut cells| cells.any(|at| is_inside(after, at)))
}

impl Skill for Tune {
    fn name(&self) -> &'static str {
        "tune"
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, start: Start) {
        if start == Start::Level {
            self.cues.clear();
            (self.asked, self.tries) = (0, 0);
        }
        self.done = 0;
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let is_next = self.next().is_some_and(|cue| step.action == Action::Click(cue.place(step.before)));
        if is_next && step.outcome == Outcome::Solved {
            self.is_proven |= self.done + 1 == self.cues.len();
            return;
        }
        if is_next {
            self.clicked(step);
            return;
        }
        let teller = Teller::of(step.action, step.before);
        self.asked += u32::from(teller.is_some() && teller == self.teller);
        if let Some(cues) = told(step, mask) {
            self.teller = teller;
            if cues != self.cues {
                (self.cues, self.done) = (cues, 0);
            }
        }
    }

    fn propose(&mut self, frame: &Grid, _mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        if !actions.contains(ActionId::Action6) || !self.is_promising() {
            return None;
        }
        if let Some(cue) = self.next() {
            let goal = format!("click what was shown, {} of {}", self.done + 1, self.cues.len());
            return Some(Proposal::experiment(Action::Click(cue.place(frame)), goal, SCORE));
        }
        if self.asked == ASKED {
            return None;
        }
        let ask = self.teller?.ask(frame)?;
        Some(Proposal::experiment(ask, "see what is to be clicked here".to_owned(), SCORE))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use env_client::{Color, Key, Point};

    use super::*;

    const LISTEN: Action = Action::Key(Key::Key5);
    const PADS: [(u8, u8); 3] = [(6, 6), (20, 8), (12, 20)];
    const LAMPS: u8 = 8;

    fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    fn square(frame: &mut Grid, (x, y): (u8, u8), color: u8) {
        for (right, down) in [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)] {
            frame.set(at(x + right, y + down), Color::of(color));
        }
    }

    /// Three pads, of which one may be lit, and a row of lamps that count what was clicked rightly.
    fn picture(lit: Option<usize>, done: usize) -> Grid {
        let mut frame = Grid::filled(32, 32, Color::of(0));
        for (index, pad) in PADS.iter().enumerate() {
            square(&mut frame, *pad, if lit == Some(index) { 1 } else { 2 });
        }
        (0..done as u8).for_each(|index| frame.set(at(6 + 2 * index, 27), Color::of(LAMPS)));
        frame
    }

    /// What a pad shows that is lit in these, with a pause after each.
    fn show(pads: &[usize]) -> Vec<Grid> {
        let pairs = pads.iter().flat_map(|pad| [picture(Some(*pad), 0), picture(None, 0)]);
        pairs.collect()
    }

    /// A game that wants its pads clicked in an order, and begins anew at the first wrong one.
    struct Game {
        wanted: VecDeque<usize>,
        tune: Vec<usize>,
        done: usize,
        /// Whether nothing is seen of right clicks.
        is_silent: bool,
    }

    impl Game {
        fn lamps(&self) -> usize {
            if self.is_silent { 0 } else { self.done }
        }

        fn act(&mut self, action: Action) -> (Vec<Grid>, Outcome) {
            let Action::Click(to) = action else { return (show(&self.tune), Outcome::Continues) };
            let is_hit = |(x, y): &(u8, u8)| to.x().wrapping_sub(*x) < 3 && to.y().wrapping_sub(*y) < 2;
            let hit = PADS.iter().position(is_hit);
            self.done = if hit == self.wanted.get(self.done).copied() { self.done + 1 } else { 0 };
            let outcome = if self.done == self.wanted.len() { Outcome::Solved } else { Outcome::Continues };
            let lamps = self.lamps();
            (vec![picture(hit, lamps), picture(None, lamps)], outcome)
        }
    }

    /// The actions until the level is solved, after it was listened to.
    fn played(tune: &mut Tune, told: &[usize], wanted: &[usize], mask: &InterfaceMask) -> usize {
        let wanted = wanted.iter().copied().collect();
        solved(tune, Game { wanted, tune: told.to_vec(), done: 0, is_silent: false }, mask)
    }

    fn solved(tune: &mut Tune, mut game: Game, mask: &InterfaceMask) -> usize {
        let actions = ActionSet::of(&[ActionId::Action5, ActionId::Action6]);
        tune.begin(&picture(None, 0), mask, Start::Level);
        for count in 1..30 {
            let before = picture(None, game.lamps());
            let action = tune.propose(&before, mask, actions).map_or(LISTEN, |it| it.steps[0].action);
            let (layers, outcome) = game.act(action);
            tune.observe(&Transition { before: &before, action, layers: &layers, outcome }, mask);
            if outcome == Outcome::Solved {
                return count;
            }
        }
        30
    }

    #[test]
    fn what_counts_right_clicks_may_be_taken_for_interface() {
        let (mut tune, mut mask) = (Tune::default(), InterfaceMask::new());
        (0..32).for_each(|x| {
            mask.hide(at(x, 27));
        });
        assert_eq!(played(&mut tune, &[1, 0, 2], &[1, 0, 2], &mask), 4);
        assert_eq!(played(&mut tune, &[1, 0, 2], &[1, 0, 2], &mask), 4);
    }

    #[test]
    fn what_was_shown_is_clicked_in_its_order() {
        let mut tune = Tune::default();
        assert_eq!(played(&mut tune, &[1, 0, 0, 2], &[1, 0, 0, 2], &InterfaceMask::new()), 5);
        assert_eq!(
            played(&mut tune, &[2, 1, 2], &[2, 1, 2], &InterfaceMask::new()),
            4,
            "and the next level is asked at once"
        );
    }

    #[test]
    fn where_that_leads_nowhere_the_order_is_the_other_way_round_and_stays_so() {
        let mut tune = Tune::default();
        assert_eq!(
            played(&mut tune, &[1, 0, 2], &[2, 0, 1], &InterfaceMask::new()),
            6,
            "one wrong click may be right, but not two of them"
        );
        assert_eq!(played(&mut tune, &[0, 1, 2], &[2, 1, 0], &InterfaceMask::new()), 4);
        assert_eq!(
            played(&mut tune, &[0, 1, 2], &[0, 1, 2], &InterfaceMask::new()),
            5,
            "a click that shows nothing is wrong by now"
        );
    }

    #[test]
    fn where_right_clicks_show_nothing_the_row_is_gone_through() {
        let game = Game { wanted: [0, 1, 2, 2, 1].into(), tune: vec![0, 1, 2, 2, 1], done: 0, is_silent: true };
        assert_eq!(solved(&mut Tune::default(), game, &InterfaceMask::new()), 10, "after two clicks in either order");
    }

    #[test]
    fn nobody_does_again_for_ever_what_leads_nowhere() {
        let mut tune = Tune::default();
        assert_eq!(played(&mut tune, &[0, 1], &[2, 2, 2, 2, 2], &InterfaceMask::new()), 30);
        assert!(!tune.is_promising());
    }
}
