//! The skill of playing a level as one that began alike was solved.
//!
//! Some games ask for the same thing again, with nothing but a gauge to tell that a level was solved. The row of actions
//! that solved one, from its beginning or from the last RESET, is kept with the frames it led to; where a level begins with
//! the same frame it is played once more, as long as it leads where it led.

use env_client::{Action, ActionSet, Grid, Point};
use world_model::{InterfaceMask, Outcome, Start, Transition};

use super::{
    ledger::TIER,
    skill::{Move, Proposal, Skill},
    things::RIM,
};

/// It comes before everything that is tried, after what the model says to solve the level.
const SCORE: f32 = -9.0 * TIER;
/// Gauges in the outer lines may tell two levels apart by so many cells. A guess.
const GAUGES: usize = 16;
/// The longest row that is played again. A guess: what took longer had much in it that was tried in vain.
const LONGEST: usize = 64;

/// An action, and the frame it led to.
type Deed = (Action, Grid);

/// A level that was solved: how it began, and what was done.
#[derive(Debug)]
struct Solved {
    first: Grid,
    row: Vec<Deed>,
}

impl Solved {
    /// The actions, each with the frame it is to lead to. Nobody knows what the last one leads to.
    fn moves(&self) -> impl Iterator<Item = Move> {
        let known = self.row.len() - 1;
        let deeds = self.row.iter().enumerate();
        deeds.map(move |(index, (action, led_to))| Move {
            action: *action,
            expected: (index < known).then(|| led_to.clone()),
        })
    }
}

/// Remembers what solved levels.
#[derive(Debug, Default)]
pub(super) struct Encore {
    solved: Vec<Solved>,
    /// How the attempt under way began, and what was done since.
    attempt: Option<Solved>,
    /// Whether a row was played again in this level.
    is_played: bool,
}

impl Skill for Encore {
    fn name(&self) -> &'static str {
        "encore"
    }

    fn begin(&mut self, frame: &Grid, _mask: &InterfaceMask, start: Start) {
        self.attempt = Some(Solved { first: frame.clone(), row: Vec::new() });
        self.is_played &= start == Start::Again;
    }

    fn observe(&mut self, step: &Transition<'_>, _mask: &InterfaceMask) {
        let Some(attempt) = &mut self.attempt else { return };
        match (step.outcome, step.after()) {
            (Outcome::Continues, Some(after)) if attempt.row.len() < LONGEST => {
                attempt.row.push((step.action, after.clone()));
            }
            (Outcome::Solved, _) => {
                attempt.row.push((step.action, step.before.clone()));
                self.solved.extend(self.attempt.take());
            }
            _ => self.attempt = None,
        }
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        let begins = self.attempt.as_ref().is_some_and(|it| it.row.is_empty());
        if !begins || self.is_played {
            return None;
        }
        let alike = self.solved.iter().rev().find(|it| is_alike(&it.first, frame, mask, GAUGES))?;
        let is_possible = alike.row.iter().all(|(action, _)| actions.contains(action.id()));
        is_possible.then(|| Proposal {
            steps: alike.moves().collect(),
            goal: "do what solved a level that began alike".to_owned(),
            score: SCORE,
        })
    }

    fn recognizes(&self, expected: &Grid, seen: &Grid, mask: &InterfaceMask) -> bool {
        is_alike(expected, seen, mask, usize::MAX)
    }

    fn taken_up(&mut self) {
        self.is_played = true;
    }
}

/// Whether two frames differ in nothing but interface and at most so many cells of the outer lines.
fn is_alike(one: &Grid, other: &Grid, mask: &InterfaceMask, most: usize) -> bool {
    let Some(cells) = one.differences(other) else { return false };
    let cells: Vec<Point> = cells.filter(|at| !mask.hides(*at)).collect();
    let (width, height) = (one.width(), one.height());
    let is_outer = |at: &Point| at.x() < RIM || at.y() < RIM || at.x() + RIM >= width || at.y() + RIM >= height;
    cells.len() <= most && cells.iter().all(is_outer)
}

#[cfg(test)]
mod tests {
    use env_client::{ActionId, Color, Key};

    use super::*;

    const UP: Action = Action::Key(Key::Key1);
    const PRESS: Action = Action::Key(Key::Key5);

    /// A frame with a gauge in its first row and something inside.
    fn frame(gauge: u8, inside: u8) -> Grid {
        let mut frame = Grid::filled(16, 16, Color::of(0));
        frame.set(Point::new(gauge, 0).unwrap(), Color::of(7));
        frame.set(Point::new(8, 8).unwrap(), Color::of(inside));
        frame
    }

    fn act(encore: &mut Encore, action: Action, [before, after]: [&Grid; 2], outcome: Outcome) {
        let layers = std::slice::from_ref(after);
        encore.observe(&Transition { before, action, layers, outcome }, &InterfaceMask::new());
    }

    fn propose(encore: &mut Encore, frame: &Grid) -> Option<Vec<Action>> {
        let actions = ActionSet::of(&[ActionId::Action1, ActionId::Action5]);
        let proposal = encore.propose(frame, &InterfaceMask::new(), actions)?;
        Some(proposal.steps.iter().map(|it| it.action).collect())
    }

    /// Two actions in vain, a RESET, and two that solve the level.
    fn solve(encore: &mut Encore) {
        encore.begin(&frame(0, 1), &InterfaceMask::new(), Start::Level);
        act(encore, PRESS, [&frame(0, 1), &frame(0, 5)], Outcome::Continues);
        act(encore, PRESS, [&frame(0, 5), &frame(0, 6)], Outcome::Lost);
        encore.begin(&frame(0, 1), &InterfaceMask::new(), Start::Again);
        act(encore, UP, [&frame(0, 1), &frame(0, 2)], Outcome::Continues);
        act(encore, PRESS, [&frame(0, 2), &frame(1, 1)], Outcome::Solved);
    }

    #[test]
    fn a_level_that_begins_alike_is_played_as_the_one_before() {
        let mut encore = Encore::default();
        solve(&mut encore);
        encore.begin(&frame(1, 1), &InterfaceMask::new(), Start::Level);
        assert_eq!(propose(&mut encore, &frame(1, 1)), Some(vec![UP, PRESS]), "a gauge does not tell levels apart");
        assert!(encore.recognizes(&frame(0, 2), &frame(1, 2), &InterfaceMask::new()));
        assert!(!encore.recognizes(&frame(0, 2), &frame(1, 3), &InterfaceMask::new()));
        encore.taken_up();
        encore.begin(&frame(1, 1), &InterfaceMask::new(), Start::Again);
        assert_eq!(propose(&mut encore, &frame(1, 1)), None, "once is enough");
    }

    #[test]
    fn a_level_that_begins_otherwise_is_another_one() {
        let mut encore = Encore::default();
        solve(&mut encore);
        encore.begin(&frame(1, 4), &InterfaceMask::new(), Start::Level);
        assert_eq!(propose(&mut encore, &frame(1, 4)), None);
        encore.begin(&frame(1, 1), &InterfaceMask::new(), Start::Level);
        act(&mut encore, UP, [&frame(1, 1), &frame(1, 1)], Outcome::Continues);
        assert_eq!(propose(&mut encore, &frame(1, 1)), None, "it does not begin here");
    }
}
