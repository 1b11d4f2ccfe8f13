//! Marbles that a key drops through three gates, over a bar that ticks with every action.

use env_client::Key;

use super::*;

/// Gates that lead to the right or left, in cells that are two wide; each is a slanting row of three cells, and one beside.
/// Some turn over when they are passed.
#[derive(Clone, Debug)]
struct Marbles {
    gates: [bool; 3],
    turns: bool,
    /// Where each marble is to land, and how many did; and ticks of the bar.
    wanted: Vec<i16>,
    landed: usize,
    ticks: i16,
}

const GATES: [(i16, i16); 3] = [(12, 7), (9, 12), (15, 12)];
const DROP: Action = Action::Key(Key::Key5);
const BAR: Bounds = Bounds { left: 4, top: 42, right: 43, bottom: 43 };

fn cell(frame: &mut Grid, (x, y): (i16, i16), color: u8) {
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        frame.set(Point::new(2 * x + dx, 2 * y + dy).unwrap(), Color::of(color));
    }
}

fn marble(frame: &mut Grid, (x, y): (i16, i16)) {
    for (dx, dy) in [(-1, 0), (0, 0), (-1, 1), (0, 1)] {
        cell(frame, (x + dx, y + dy), 14);
    }
}

impl Marbles {
    fn of(gates: [bool; 3], wanted: &[i16]) -> Marbles {
        Marbles { gates, turns: false, wanted: wanted.to_vec(), landed: 0, ticks: 0 }
    }

    fn drawn(&self, at: Option<(i16, i16)>) -> Grid {
        let mut frame = Grid::filled(48, 48, Color::of(5));
        for ((x, y), leads_right) in GATES.into_iter().zip(self.gates) {
            let way = if leads_right { 1 } else { -1 };
            (-1..=1).for_each(|t| cell(&mut frame, (x + way * t, y + t), 9));
            cell(&mut frame, (x - way, y), 4);
        }
        self.wanted[..self.landed].iter().for_each(|x| marble(&mut frame, (*x, 17)));
        (0..4).skip(self.landed).for_each(|left| cell(&mut frame, (2 + 2 * left, 4), 14));
        (0..20).for_each(|x| cell(&mut frame, (2 + x, 21), if x < self.ticks { 3 } else { 15 }));
        if let Some(at) = at {
            marble(&mut frame, at);
        }
        frame
    }

    /// What a marble shows on its way.
    fn drop(&mut self) -> Vec<Grid> {
        let (mut layers, mut x) = (Vec::new(), 12);
        for row in 0..2 {
            let gate = if row == 0 { 0 } else { usize::from(x > 12) + 1 };
            let (_, y) = GATES[gate];
            layers.push(self.drawn(Some((x, y - 2))));
            let way = if self.gates[gate] { 1 } else { -1 };
            layers.push(self.drawn(Some((x + 2 * way, y + 1))));
            self.gates[gate] ^= self.turns;
            x += 3 * way;
        }
        layers.push(self.drawn(Some((x, 17))));
        self.landed += usize::from(self.wanted[self.landed] == x);
        layers.push(self.drawn(None));
        layers
    }

    fn act(&mut self, skill: &mut Trials, action: Action, mask: &InterfaceMask) {
        let before = self.drawn(None);
        self.ticks += 1;
        let layers = match action {
            Action::Key(_) => self.drop(),
            Action::Click(at) => {
                let is_on = |(x, y): &(i16, i16)| {
                    (i16::from(at.x()) / 2 - x).abs() <= 1 && (i16::from(at.y()) / 2 - y).abs() <= 1
                };
                if let Some(gate) = GATES.iter().position(is_on) {
                    self.gates[gate] ^= true;
                }
                vec![self.drawn(None)]
            }
        };
        let is_done = self.landed == self.wanted.len();
        let outcome = if is_done { Outcome::Solved } else { Outcome::Continues };
        skill.observe(&Transition { before: &before, action, layers: &layers, outcome }, mask);
    }

    fn proposed(&self, skill: &mut Trials, mask: &InterfaceMask) -> Option<Vec<Action>> {
        let actions = ActionSet::of(&[ActionId::Action5, ActionId::Action6]);
        let proposal = skill.propose(&self.drawn(None), mask, actions)?;
        skill.taken_up();
        Some(proposal.steps.into_iter().map(|it| it.action).collect())
    }

    /// Lets the skill play until so many have landed; how many marbles that took.
    fn play(&mut self, skill: &mut Trials, mask: &InterfaceMask, landed: usize) -> Option<usize> {
        (1..20).find(|_| {
            let actions = self.proposed(skill, mask).unwrap_or_default();
            for action in actions {
                self.act(skill, action, mask);
            }
            self.landed == landed
        })
    }
}

fn masked() -> InterfaceMask {
    let mut mask = InterfaceMask::new();
    mask.hide_all(BAR);
    mask
}

/// A click on a part of the first gate.
fn click() -> Action {
    Action::Click(Point::new(2 * 12, 2 * 7).unwrap())
}

/// A game, and who saw a marble and a click on the first gate.
fn begun(mut game: Marbles, mask: &InterfaceMask) -> (Marbles, Trials) {
    let mut skill = Trials::default();
    skill.begin(&game.drawn(None), mask, Start::Level);
    game.act(&mut skill, DROP, mask);
    game.act(&mut skill, click(), mask);
    (game, skill)
}

#[test]
fn a_run_is_known_as_soon_as_the_bar_that_ticked_is() {
    let (game, mut skill) = begun(Marbles::of([true, true, true], &[6]), &InterfaceMask::new());
    assert_eq!(game.proposed(&mut skill, &InterfaceMask::new()), None, "something changed that no click sets");
    assert_eq!(game.proposed(&mut skill, &masked()), Some(vec![DROP]));
}

#[test]
fn parts_that_touch_at_their_corners_are_one_switch() {
    let (mut game, mut skill) = begun(Marbles::of([true, true, true], &[6]), &masked());
    game.act(&mut skill, DROP, &masked());
    let middles = GATES.map(|(x, y)| Point::new(2 * x, 2 * y).unwrap());
    let scene = Scene::of(&game.drawn(None));
    let switches = skill.switches(&game.drawn(None), &scene, &masked());
    let mut clicked: Vec<Point> = switches.iter().map(|it| it.at).collect();
    clicked.sort_unstable();
    let mut middles: Vec<Point> = middles.to_vec();
    middles.sort_unstable();
    assert_eq!(clicked, middles);
}

#[test]
fn what_was_tried_with_one_marble_is_not_told_of_the_next_and_what_led_on_is_done_again() {
    let (mut game, mut skill) = begun(Marbles::of([true, true, true], &[6, 6, 18]), &masked());
    assert!(game.play(&mut skill, &masked(), 1).is_some_and(|it| it <= 4), "four ways there are");
    assert!(game.gates == [false, false, true] && game.landed == 1);
    assert_eq!(game.proposed(&mut skill, &masked()), Some(vec![DROP]), "of the next one nothing is known");
    game.act(&mut skill, DROP, &masked());
    let again = Marbles::of([true, true, true], &[6, 6, 18]);
    skill.begin(&again.drawn(None), &masked(), Start::Again);
    let mut again = Marbles { ticks: game.ticks, ..again };
    for landed in 1..=2 {
        assert_eq!(again.play(&mut skill, &masked(), landed), Some(1), "as before");
    }
}

#[test]
fn a_run_that_turns_what_it_passes_failed_all_the_same() {
    let game = Marbles { turns: true, ..Marbles::of([true, true, true], &[6]) };
    let (mut game, mut skill) = begun(game, &masked());
    // Only what is known to be set by clicks tells that the second run failed.
    game.act(&mut skill, DROP, &masked());
    assert!(game.play(&mut skill, &masked(), 1).is_some_and(|it| it <= 4));
}

#[test]
fn a_key_that_starts_runs_is_remembered_in_the_next_level() {
    let (game, mut skill) = begun(Marbles::of([true, true, true], &[6]), &masked());
    assert!(game.proposed(&mut skill, &masked()).is_some());
    let next = Marbles::of([false, true, true], &[18]);
    skill.begin(&next.drawn(None), &masked(), Start::Level);
    assert_eq!(next.proposed(&mut skill, &masked()), Some(vec![DROP]));
    let actions = ActionSet::of(&[ActionId::Action6]);
    assert_eq!(skill.propose(&next.drawn(None), &masked(), actions), None, "where there is such a key");
}
