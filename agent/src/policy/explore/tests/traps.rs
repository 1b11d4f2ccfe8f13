use env_client::{Color, Point};

use super::{
    worlds::{Corridor, Dials, Endless, Field, Pegs, SPACE, Stones, Store, Tiles, UNDO},
    *,
};

const SEEDS: std::ops::Range<u64> = 0..5;

#[test]
fn a_corridor_is_walked_in_a_few_tries_a_cell() {
    for seed in SEEDS {
        let actions = Play::new(Corridor::of(12), seed).solve(1000).unwrap();
        assert!(actions <= 11 * 5, "5 keys at each of 11 cells, went {actions}");
    }
}

#[test]
fn one_seed_plays_one_game() {
    let log = |seed| {
        let mut play = Play::new(Field::default(), seed);
        (0..400).for_each(|_| play.step(true));
        play.log
    };
    assert_eq!(log(3), log(3));
    assert_ne!(log(3), log(4));
}

#[test]
fn every_level_begins_a_new_graph() {
    let mut play = Play::new(Field::default(), 1);
    let levels = (0..3).filter(|_| play.solve(144 * 8).is_some()).count();
    assert_eq!(levels, 3, "four keys at each of 144 cells, and the ways between them");
    assert!(play.policy.graph.len() <= 144);
}

#[test]
fn a_deadly_action_is_not_repeated_while_anything_else_is_left() {
    for seed in SEEDS {
        let mut play = Play::new(Corridor { pit: Some(3), ..Corridor::of(16) }, seed);
        assert!(play.solve(1000).is_some());
        assert!(play.losses <= 1, "lost {} times", play.losses);
    }
}

#[test]
fn a_pit_at_the_end_of_the_only_route_is_no_budget() {
    let mut play = Play::new(Corridor { pit: Some(7), lock: 255, ..Corridor::of(8) }, 1);
    (0..400).for_each(|_| play.step(true));
    assert!(play.losses <= 8, "every loss comes after as many steps, lost {} times", play.losses);
}

#[test]
fn the_end_of_the_budget_is_not_blamed_on_the_last_action() {
    for seed in SEEDS {
        let mut play = Play::new(Corridor { budget: Some(16), ..Corridor::of(14) }, seed);
        assert!(play.solve(1000).is_some(), "the goal is 13 steps away, a life lasts 16");
        assert!(play.losses > 0, "one life cannot suffice to find it");
    }
}

#[test]
fn the_bar_of_the_budget_does_not_multiply_states() {
    let mut play = Play::new(Corridor { budget: Some(16), lock: 255, ..Corridor::of(9) }, 1);
    (0..200).for_each(|_| play.step(true));
    assert!(play.policy.graph.len() <= 9, "{} states of 9 cells", play.policy.graph.len());
}

#[test]
fn a_hidden_counter_does_not_exhaust_a_state_for_good() {
    for seed in SEEDS {
        let mut play = Play::new(Corridor { lock: 4, ..Corridor::of(5) }, seed);
        assert!(play.solve(2000).is_some(), "four presses without visible effect open the way");
    }
}

#[test]
fn states_that_look_alike_are_survived_and_noticed() {
    for seed in SEEDS {
        let mut play = Play::new(Corridor { fog: Some(6), ..Corridor::of(12) }, seed);
        assert!(play.solve(3000).is_some(), "the last six cells look the same");
    }
    let mut play = Play::new(Corridor { fog: Some(2), lock: 255, ..Corridor::of(9) }, 1);
    (0..500).for_each(|_| play.step(true));
    assert!(play.policy.contradictions() > 0);
}

#[test]
fn an_exact_undo_is_used_on_the_way_back() {
    let mut play = Play::new(Corridor { undo: Some(true), lock: 255, ..Corridor::of(12) }, 1);
    (0..200).for_each(|_| play.step(true));
    let undos = play.log.iter().filter(|(command, why)| *command == UNDO.into() && why.contains("on the way"));
    assert!(play.policy.undo.trusted());
    assert!(undos.count() > 0);
}

#[test]
fn an_undo_that_takes_back_everything_is_not_relied_on() {
    for seed in SEEDS {
        let mut play = Play::new(Corridor { undo: Some(false), ..Corridor::of(12) }, seed);
        assert!(play.solve(1000).is_some());
        (0..100).for_each(|_| play.step(true));
        assert!(!play.policy.undo.trusted() || play.policy.undo.origins().count() == 0);
    }
}

#[test]
fn every_member_of_a_live_class_is_clicked_and_flashes_are_no_effect() {
    for seed in SEEDS {
        let actions = Play::new(Tiles::default(), seed).solve(200).unwrap();
        assert!(actions <= 24, "four live tiles, four dead dots, one background, went {actions}");
    }
}

#[test]
fn nothing_is_learned_from_a_lost_answer() {
    let mut play = Play::new(Corridor::of(14), 1);
    for step in 0..300 {
        play.step(step % 7 != 3);
    }
    assert_eq!(play.policy.contradictions(), 0, "a transition across the gap would contradict");
    assert!(play.levels > 0);
}

#[test]
fn a_policy_without_anything_left_goes_on() {
    let mut play = Play::new(Corridor { lock: 255, ..Corridor::of(3) }, 1);
    (0..3000).for_each(|_| play.step(true));
    let presses = play.log.iter().rev().take(1000).filter(|(command, _)| *command == SPACE.into()).count();
    assert!(presses > 50, "every action keeps getting its turn, SPACE got {presses}");
}

#[test]
fn a_frame_without_content_is_survived() {
    let mut play = Play::new(Corridor::of(6), 1);
    let now = play.now.clone().unwrap();
    let empty = Observation { layers: Vec::new(), ..now.clone() };
    play.policy.observe(Some(&now), SPACE.into(), Outcome::Seen(&empty));
    play.policy.decide(&empty, keys());
    play.policy.observe(Some(&empty), SPACE.into(), Outcome::Seen(&now));
    assert!(play.solve(200).is_some());
}

fn keys() -> ActionSet {
    worlds::keys(&[1, 2, 3, 4, 5])
}

#[test]
fn memory_stays_bounded_over_100_000_actions() {
    let mut play = Play::new(Endless::default(), 1);
    let mut most = 0;
    for step in 0..100_000 {
        play.step(true);
        play.log.clear();
        most = if step % 1000 == 0 { most.max(play.policy.graph.len()) } else { most };
    }
    assert!(most > STATES / 2 && play.policy.graph.len() <= STATES, "{most} states");
}

#[test]
fn parts_of_one_button_are_not_all_tried_everywhere_nor_are_ways_to_what_is_known() {
    for seed in SEEDS {
        let mut play = Play::new(Dials::default(), seed);
        let actions: Vec<usize> = (0..3).map(|_| play.solve(400).unwrap()).collect();
        assert!(actions[0] <= 60 && actions[2] <= 40, "two buttons in 25 states: {actions:?}");
    }
}

#[test]
fn what_is_marked_is_tried_with_whatever_did_nothing_by_itself() {
    let mut actions: Vec<usize> =
        SEEDS.map(|seed| Play::new(Pegs::default(), seed).solve(400).unwrap_or(400)).collect();
    actions.sort_unstable();
    assert!(actions[actions.len() / 2] <= 75, "{actions:?}");
}

#[test]
fn parts_of_what_flashes_as_one_are_not_all_tried() {
    let mut actions: Vec<usize> =
        SEEDS.map(|seed| Play::new(Stones::default(), seed).solve(400).unwrap_or(400)).collect();
    actions.sort_unstable();
    assert!(actions[actions.len() / 2] <= 40, "{actions:?}");
}

#[test]
fn what_flashes_everywhere_says_nothing_of_what_was_clicked() {
    let policy = Explore::new(1);
    let before = Grid::filled(64, 64, Color::of(0));
    let mut small = before.clone();
    (20..26).for_each(|x| small.set(Point::new(x, 20).unwrap(), Color::of(3)));
    let flash = |layer: Grid| policy.flashed(&before, &[layer, before.clone()]).map(|it| (it.width(), it.height()));
    assert_eq!(flash(small), Some((6, 1)));
    assert_eq!(flash(Grid::filled(64, 64, Color::of(3))), None);
}

/// Clicks what lies at a place, in a state whose candidates show how.
fn click_at(play: &mut Play<Store>, x: u8, y: u8) -> Action {
    let state = play.policy.graph.state(play.policy.here.unwrap());
    let clicks = state.candidates.iter().map(|it| it.action);
    let is_near = |at: Point| at.x().abs_diff(x) <= 1 && at.y().abs_diff(y) <= 1;
    let click = clicks.filter(|it| it.point().is_some_and(is_near)).min().unwrap();
    play.send(click.into(), String::new());
    click
}

#[test]
fn where_nothing_answers_any_more_clicks_say_nothing_and_are_not_made_again() {
    let mut play = Play::new(Store::default(), 1);
    let is_open = |play: &Play<Store>, action| !play.policy.equals(action, play.world.actions()).is_empty();
    for chute in [0, 1, 2, 0, 1, 2] {
        click_at(&mut play, 4 * chute + 1, 3);
    }
    let dot = [(); 3].map(|()| click_at(&mut play, 1, 14))[0];
    play.send(UNDO.into(), String::new());
    assert!(is_open(&play, dot), "for nothing three times, but only where the store was empty");
    for chute in [3, 0, 1, 2, 3] {
        click_at(&mut play, 4 * chute + 1, 3);
    }
    assert!(!is_open(&play, dot), "empty again");
    let other = Action::Click(Point::new(3, 14).unwrap());
    assert!(is_open(&play, other), "nobody knows what it does there");
    click_at(&mut play, 3, 14);
    play.send(UNDO.into(), String::new());
    assert!(is_open(&play, other) && is_open(&play, dot));
}
