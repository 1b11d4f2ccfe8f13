use env_client::{Action, ActionId, Color, Key, Point};

use super::*;

const PEG: u8 = 9;
const NEST: u8 = 2;
const GOLD: u8 = 11;

/// Squares in slanting rows; a peg hops over another one, which is gone, into a nest.
struct Game {
    stand: [u8; 10],
    picked: Option<usize>,
}

const PLACES: [(u8, u8); 10] =
    [(0, 0), (8, 0), (16, 0), (4, 7), (12, 7), (20, 7), (0, 14), (8, 14), (16, 14), (24, 14)];

impl Game {
    fn frame(&self) -> Grid {
        let mut frame = Grid::filled(32, 32, Color::of(5));
        for (seat, (left, top)) in PLACES.into_iter().enumerate() {
            let color = if self.picked == Some(seat) { 10 } else { self.stand[seat] };
            for (x, y) in (0..5).flat_map(|y| (0..5).map(move |x| (x, y))) {
                frame.set(Point::new(left + x + 1, top + y + 1).unwrap(), Color::of(color));
            }
        }
        frame
    }

    fn pegs(&self) -> usize {
        self.stand.iter().map(|it| usize::from(*it == PEG)).sum()
    }

    fn click(&mut self, at: Point) {
        let is_on =
            |(left, top): &(u8, u8)| (left + 1..left + 6).contains(&at.x()) && (top + 1..top + 6).contains(&at.y());
        let Some(seat) = PLACES.iter().position(is_on) else { return };
        let picked = self.picked.take();
        if self.stand[seat] == PEG {
            self.picked = Some(seat).filter(|_| picked != Some(seat));
        } else if let Some(from) = picked {
            let sum = |it: (u8, u8), other: (u8, u8)| (it.0 + other.0, it.1 + other.1);
            let over = PLACES.iter().position(|it| sum(*it, *it) == sum(PLACES[from], PLACES[seat]));
            if let Some(over) = over.filter(|it| self.stand[*it] == PEG) {
                (self.stand[from], self.stand[over], self.stand[seat]) = (NEST, NEST, PEG);
            }
        }
    }

    fn act(&mut self, skill: &mut Leaping, action: Action) {
        let (before, Action::Click(at)) = (self.frame(), action) else { panic!() };
        self.click(at);
        let layers = [self.frame()];
        let step = Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues };
        skill.observe(&step, &InterfaceMask::new());
    }

    /// Lets the skill play until `is_done`, beginning again where it asks for that; how many clicks that took.
    fn play(&mut self, skill: &mut Leaping, is_done: impl Fn(&Game) -> bool) -> Option<usize> {
        let (mut clicks, start, only) = (0, self.stand, ActionSet::of(&[ActionId::Action6]));
        while !is_done(self) && clicks < 60 {
            if skill.starts_over() {
                (self.stand, self.picked) = (start, None);
                skill.begin(&self.frame(), &InterfaceMask::new(), Start::Again);
            }
            let proposal = skill.propose(&self.frame(), &InterfaceMask::new(), only)?;
            skill.taken_up();
            for step in proposal.steps {
                self.act(skill, step.action);
                clicks += 1;
                if skill.gives_up() || is_done(self) {
                    break;
                }
            }
        }
        is_done(self).then_some(clicks)
    }
}

/// A game, and who saw one peg of it picked.
fn begun(stand: [u8; 10]) -> (Game, Leaping) {
    let (mut game, mut skill) = (Game { stand, picked: None }, Leaping::default());
    skill.begin(&game.frame(), &InterfaceMask::new(), Start::Level);
    let (x, y) = PLACES[stand.iter().position(|it| *it == PEG).unwrap()];
    game.act(&mut skill, Action::Click(Point::new(x + 3, y + 3).unwrap()));
    (game, skill)
}

#[test]
fn hops_are_found_out_and_made_until_one_is_left() {
    let (mut game, mut skill) = begun([PEG, PEG, NEST, NEST, PEG, NEST, NEST, NEST, PEG, NEST]);
    let clicks = game.play(&mut skill, |game| game.pegs() == 1);
    assert!(clicks.is_some_and(|it| it < 30), "{clicks:?}, {:?}", game.stand);
}

#[test]
fn the_last_one_is_to_stand_on_the_seat_that_is_marked() {
    let (mut game, mut skill) = begun([PEG, PEG, NEST, NEST, PEG, NEST, NEST, GOLD, NEST, NEST]);
    let clicks = game.play(&mut skill, |game| game.stand[7] == PEG);
    assert!(clicks.is_some(), "{:?}", game.stand);
}

#[test]
fn a_level_is_begun_again_where_what_won_is_out_of_reach_and_was_not_at_first() {
    let start = [PEG, PEG, NEST, NEST, PEG, NEST, NEST, NEST, PEG, NEST];
    let (mut game, mut skill) = begun(start);
    game.play(&mut skill, |game| game.pegs() == 1);
    let stand = skill.model.stand();
    skill.has_won(&stand);
    let mut dead = Game { stand: [PEG, NEST, NEST, NEST, NEST, NEST, NEST, NEST, NEST, PEG], picked: None };
    let mask = InterfaceMask::new();
    skill.begin(&Game { stand: start, picked: None }.frame(), &mask, Start::Level);
    assert!(!skill.starts_over(), "nothing was done yet");
    skill.model.begin(&dead.frame(), &mask, Start::Again);
    assert!(skill.starts_over());
    dead.stand = start;
    skill.model.begin(&dead.frame(), &mask, Start::Again);
    assert!(!skill.starts_over());
}

#[test]
fn where_keys_move_things_it_is_left_to_others() {
    let (game, mut skill) = begun([PEG, PEG, NEST, NEST, PEG, NEST, NEST, NEST, NEST, NEST]);
    let keys = ActionSet::of(&[ActionId::Action6, Action::Key(Key::Key1).id()]);
    assert_eq!(skill.propose(&game.frame(), &InterfaceMask::new(), keys), None);
}

#[test]
fn the_first_hops_come_before_what_others_try_and_later_ones_after() {
    let (game, mut skill) = begun([PEG, PEG, NEST, NEST, PEG, NEST, NEST, NEST, PEG, NEST]);
    let (only, mask) = (ActionSet::of(&[ActionId::Action6]), InterfaceMask::new());
    let mut scores = Vec::new();
    for _ in 0..=HOPS {
        let proposal = skill.propose(&game.frame(), &mask, only).unwrap();
        scores.push(proposal.score);
        skill.taken_up();
    }
    assert_eq!(scores, [HOP, HOP, HUNCH]);
}
