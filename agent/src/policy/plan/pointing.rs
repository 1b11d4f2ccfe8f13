//! The skill of boards with a cursor: keys bring it to a tile, another key does there what a click does elsewhere.
//!
//! What understands boards of clicks is asked about the frame without the cursor, and its clicks become ways of the cursor.

use std::collections::VecDeque;

use env_client::{Action, ActionId, ActionSet, Grid, Point};
use world_model::{InterfaceMask, Outcome, Start, Transition, cursor::Cursor};

use super::{
    cards::Recall,
    cells::Board,
    dials::Dialing,
    floods::Flooding,
    guarded::Guarded,
    inlay::Inlay,
    leaps::Leaping,
    ledger::TIER,
    pipes::Turning,
    placing::Placing,
    shuffle::Shuffle,
    skill::{Move, Proposal, Skill},
    stacks::Sorting,
    toggles::Toggling,
    trades::Trading,
};

/// What boards are told to have: clicks, and arrows, after which they give up sooner what looks like no board.
const OFFERED: ActionSet = ActionSet::of(&[ActionId::Action1, ActionId::Action6]);

/// Understands cursors.
#[derive(Debug)]
pub(super) struct Pointing {
    cursor: Cursor,
    /// What understands clicks, in the order of their worth where proposals are equal.
    boards: Vec<Guarded>,
    /// Whose proposal was made last.
    asked: usize,
    /// Whether the cursor went elsewhere than it should.
    strayed: bool,
    /// Whether its last proposal is under way, and how many of those in this level led astray, or to a loss: a piece that walls
    /// stop is no cursor.
    at_work: bool,
    strays: u32,
    /// The boards that the clicks of its last proposal should lead to.
    foreseen: VecDeque<Option<Grid>>,
    /// A press whose outcome is in doubt as long as the cursor covers some of it.
    held: Option<Press>,
}

/// A press of the key that acts.
#[derive(Debug)]
struct Press {
    at: Point,
    before: Grid,
}

/// What a board wants of a known cursor comes before all that a search would do with it, which takes it for a
/// piece. A guess.
const AT_LEAST: f32 = 0.8 * TIER;
/// So many proposals may lead astray in a level. A guess.
const STRAYS: u32 = 2;
/// The first so many of those who understand clicks may try what nobody foresees before any of the others does.
const BOARDS: usize = 2;

/// Whether nobody says what comes of it.
fn is_experiment(step: &Move) -> bool {
    step.expected.is_none()
}

impl Default for Pointing {
    fn default() -> Pointing {
        let boards: Vec<Box<dyn Skill>> = vec![
            Box::<Board>::default(),
            Box::<Shuffle>::default(),
            Box::<Inlay>::default(),
            Box::<Turning>::default(),
            Box::<Dialing>::default(),
            Box::<Sorting>::default(),
            Box::<Trading>::default(),
            Box::<Recall>::default(),
            Box::<Flooding>::default(),
            Box::<Toggling>::default(),
            Box::<Leaping>::default(),
            Box::<Placing>::default(),
        ];
        let boards = boards.into_iter().map(Guarded::new).collect();
        Pointing {
            cursor: Cursor::default(),
            boards,
            asked: 0,
            strayed: false,
            at_work: false,
            strays: 0,
            foreseen: VecDeque::new(),
            held: None,
        }
    }
}

impl Pointing {
    /// Lets those who understand clicks learn from a press of the key that acts, as if it were a click.
    fn teach(&mut self, Press { at, before }: Press, step: &Transition<'_>, mask: &InterfaceMask) {
        let seen = self.cursor.board().filter(|_| step.after().is_some());
        let layers: Vec<Grid> = seen.map_or_else(|| step.layers.to_vec(), |board| vec![board.clone()]);
        let (action, outcome) = (Action::Click(at), step.outcome);
        let click = Transition { before: &before, action, layers: &layers, outcome };
        self.boards.iter_mut().for_each(|it| it.observe(&click, mask));
    }

    /// Lets them learn from a press, and believes what was foreseen of it; what is in doubt afterwards is held back.
    fn pressed(&mut self, press: Press, step: &Transition<'_>, mask: &InterfaceMask) {
        if let Some(board) = self.foreseen.pop_front().flatten().filter(|_| self.at_work) {
            self.cursor.believe(&board);
        }
        if step.after().is_some() && self.cursor.is_in_doubt() {
            self.held = Some(press);
        } else {
            self.teach(press, step, mask);
        }
    }

    /// A step aside, to see what the cursor covers.
    fn look_below(&self) -> Option<Proposal> {
        let key = self.cursor.aside()?;
        Some(Proposal::experiment(Action::Key(key), "look below the cursor".to_owned(), AT_LEAST))
    }

    /// The same with ways of the cursor for clicks; `None` where no way is known.
    fn walked(&self, proposal: Proposal, frame: &Grid) -> Option<Proposal> {
        let (acts, mut at) = (Action::Key(self.cursor.acts()?), self.cursor.middle()?);
        let (mut steps, mut board) = (VecDeque::new(), frame.clone());
        let clicks = proposal.steps.len();
        for step in proposal.steps {
            for key in self.cursor.way(at, step.action.point()?)? {
                at = self.cursor.leads(at, key)?;
                steps.push_back(Move { action: Action::Key(key), expected: Some(board.clone()) });
            }
            board = step.expected.clone().unwrap_or(board);
            steps.push_back(Move { action: acts, expected: step.expected });
        }
        let score = proposal.score.min(AT_LEAST) + (steps.len() - clicks) as f32;
        Some(Proposal { steps, score, ..proposal })
    }
}

impl Skill for Pointing {
    fn name(&self) -> &'static str {
        "pointing"
    }

    fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.cursor.begin(frame);
        self.held = None;
        if start == Start::Level {
            self.strays = 0;
        }
        let board = self.cursor.board().unwrap_or(frame);
        self.boards.iter_mut().for_each(|it| it.begin(board, mask, start));
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let Action::Key(key) = step.action else { return };
        let (was_known, from) = (self.cursor.is_known(), self.cursor.middle());
        let before = self.cursor.board().cloned();
        self.cursor.observe(step, mask);
        let acted = self.cursor.acts() == Some(key);
        self.strayed =
            !acted && step.after().is_some() && from.and_then(|it| self.cursor.leads(it, key)) != self.cursor.middle();
        let led_astray = self.strayed || step.outcome == Outcome::Lost;
        self.strays += u32::from(self.at_work && led_astray);
        if acted || !self.cursor.is_in_doubt() {
            self.held.take().into_iter().for_each(|press| self.teach(press, step, mask));
        }
        if let (true, Some(at), Some(before)) = (acted, from, before) {
            if !was_known {
                self.boards.iter_mut().for_each(|it| it.begin(&before, mask, Start::Level));
            }
            self.pressed(Press { at, before }, step, mask);
        }
    }

    fn propose(&mut self, _frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.at_work = false;
        if actions.contains(ActionId::Action6) || !self.cursor.is_known() || self.strays >= STRAYS {
            return None;
        }
        if self.cursor.is_in_doubt() {
            return self.look_below();
        }
        let board = self.cursor.board()?.clone();
        let proposals = self.boards.iter_mut().map(|it| it.propose(&board, mask, OFFERED)).collect::<Vec<_>>();
        let walked =
            proposals.into_iter().enumerate().filter_map(|(asked, it)| Some((asked, self.walked(it?, &board)?)));
        let is_aside = |(asked, it): &(usize, Proposal)| *asked >= BOARDS && it.steps.iter().any(is_experiment);
        let rank = |it: &(usize, Proposal)| (is_aside(it), it.1.score);
        let (asked, proposal) =
            walked.min_by(|a, b| rank(a).partial_cmp(&rank(b)).unwrap_or(std::cmp::Ordering::Equal))?;
        self.asked = asked;
        let acts = self.cursor.acts().map(Action::Key);
        let presses = proposal.steps.iter().filter(|step| Some(step.action) == acts);
        self.foreseen = presses.map(|step| step.expected.clone()).collect();
        Some(proposal)
    }

    fn recognizes(&self, expected: &Grid, seen: &Grid, mask: &InterfaceMask) -> bool {
        self.boards[self.asked].recognizes(expected, self.cursor.board().unwrap_or(seen), mask)
    }

    fn gives_up(&self) -> bool {
        self.strayed || self.boards[self.asked].gives_up()
    }

    fn taken_up(&mut self) {
        self.at_work = true;
        self.boards[self.asked].taken_up();
    }

    fn in_vain(&mut self) {
        self.boards[self.asked].in_vain();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use env_client::{Color, Key};

    /// Three by three lamps of four cells, six apart, a ring around the one that the cursor is at; `#` is lit.
    fn lamps(rows: [&str; 3], (across, down): (i16, i16)) -> Grid {
        let mut grid = Grid::filled(22, 22, Color::of(5));
        let mut square = |left: i16, top: i16, side: i16, color: u8| {
            for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
                grid.set(Point::new(left + x, top + y).unwrap(), Color::of(color));
            }
        };
        square(2 + 6 * across, 2 + 6 * down, 6, 8);
        for (y, row) in (0..).zip(rows) {
            row.bytes()
                .zip(0..)
                .for_each(|(lamp, x)| square(3 + 6 * x, 3 + 6 * y, 4, if lamp == b'#' { 11 } else { 1 }));
        }
        grid
    }

    fn learn(skill: &mut Pointing, key: Key, before: &Grid, after: Grid) {
        let layers = [after];
        let step = Transition { before, action: Action::Key(key), layers: &layers, outcome: Outcome::Continues };
        skill.observe(&step, &InterfaceMask::new());
    }

    const ARROWS_AND_SPACE: ActionSet =
        ActionSet::of(&[ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action4, ActionId::Action5]);

    /// A skill that saw the cursor go right and down, and the space bar turn over a lamp and those beside it.
    fn taught() -> Pointing {
        let (mut skill, mask) = (Pointing::default(), InterfaceMask::new());
        let dark = ["...", "...", "..."];
        skill.begin(&lamps(dark, (0, 0)), &mask, Start::Level);
        learn(&mut skill, Key::Key4, &lamps(dark, (0, 0)), lamps(dark, (1, 0)));
        learn(&mut skill, Key::Key2, &lamps(dark, (1, 0)), lamps(dark, (1, 1)));
        learn(&mut skill, Key::Key5, &lamps(dark, (1, 1)), lamps([".#.", "###", ".#."], (1, 1)));
        skill
    }

    #[test]
    fn a_cursor_goes_where_a_click_would_teach_something() {
        let (mut skill, mask) = (taught(), InterfaceMask::new());
        let now = lamps([".#.", "###", ".#."], (1, 1));
        let proposal = skill.propose(&now, &mask, ARROWS_AND_SPACE).expect("something to try");
        let steps: Vec<Move> = proposal.steps.into();
        let (last, walk) = steps.split_last().expect("a step");
        assert_eq!(last.action, Action::Key(Key::Key5));
        assert!(!walk.is_empty() && walk.iter().all(|step| step.action != last.action), "{walk:?}");
        assert_eq!(skill.propose(&now, &mask, ActionSet::of(&[ActionId::Action6])), None, "clicks need no cursor");
    }

    #[test]
    fn a_cursor_that_does_not_get_there_gives_up() {
        let mut skill = taught();
        let now = lamps([".#.", "###", ".#."], (1, 1));
        learn(&mut skill, Key::Key4, &now, lamps([".#.", "###", ".#."], (2, 1)));
        assert!(!skill.gives_up());
        let edge = lamps([".#.", "###", ".#."], (2, 1));
        learn(&mut skill, Key::Key4, &edge, edge.clone());
        assert!(skill.gives_up());
    }
}
