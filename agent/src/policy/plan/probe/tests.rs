//! What the probe clicks, one after the other.

use env_client::Point;
use world_model::Outcome;

use super::*;

const BOARD: &str = "000000000\n011022033\n011022033\n000000000\n044005500\n044005500\n000000000";

fn clicks() -> ActionSet {
    ActionSet::of(&[ActionId::Action6])
}

/// Where the probe clicks, one after the other, when only `live` answers.
fn probes(probe: &mut Probe, picture: &str, live: u8) -> Vec<Color> {
    let (frame, mask): (Grid, _) = (picture.parse().unwrap(), InterfaceMask::new());
    let mut clicked = Vec::new();
    probe.begin(&frame, &mask, Start::Level);
    while let Some(proposal) = probe.propose(&frame, &mask, clicks()) {
        let Action::Click(at) = proposal.steps[0].action else { panic!("a probe is a click") };
        clicked.push(frame[at]);
        let mut after = frame.clone();
        if frame[at] == Color::of(live) {
            after.set(Point::new(0, 0).unwrap(), Color::of(9));
        }
        let layers = [after];
        let step =
            Transition { before: &frame, action: Action::Click(at), layers: &layers, outcome: Outcome::Continues };
        probe.observe(&step, &mask);
    }
    clicked
}

#[test]
fn every_class_is_clicked_once_and_the_ground_last() {
    let clicked = probes(&mut Probe::default(), BOARD, 2);
    assert_eq!(clicked.len(), 6, "five things and the ground: {clicked:?}");
    assert_eq!(clicked.last().map(|it| it.index()), Some(0));
}

#[test]
fn like_things_are_clicked_when_one_that_used_to_answer_does_not_and_those_again_once_another_did() {
    let board = "000000000000\n003000300040\n000000000000\n000030000000\n000000000000";
    let (frame, mask): (Grid, _) = (board.parse().unwrap(), InterfaceMask::new());
    let actions = ActionSet::of(&[ActionId::Action1, ActionId::Action6]);
    let mut probe = Probe::default();
    probes(&mut probe, board, 3);
    probe.begin(&frame, &mask, Start::Level);
    let [first, second, third] = [(2, 1), (6, 1), (4, 3)].map(|(x, y)| Point::new(x, y).unwrap());
    let mut step = |answers: bool| {
        let at = probe.propose(&frame, &mask, actions)?.steps[0].action.point()?;
        let mut after = frame.clone();
        after.set(Point::new(0, 0).unwrap(), Color::of(if answers { 9 } else { 0 }));
        click(&mut probe, &frame, at, &[after], Outcome::Continues);
        (frame[at].index() == 3).then_some(at)
    };
    assert_eq!(
        [step(false), step(false), step(true), step(false), step(false)],
        [first, second, third, first, second].map(Some)
    );
    assert_eq!(step(false), Some(third), "as it does now");
    assert_eq!(step(false), None, "twice is enough");
}

#[test]
fn tiles_come_before_smaller_things_that_there_are_few_of() {
    let tiles = "00000000000000\n01110111011100\n01110111011104\n01110111011100\n00000000000000";
    let clicked = probes(&mut Probe::default(), tiles, 9);
    assert_eq!(clicked.iter().map(|it| it.index()).collect::<Vec<_>>(), [1, 4, 0]);
}

#[test]
fn specks_near_the_rim_come_after_what_lies_further_inside() {
    let mut rows = vec!["0".repeat(16); 16];
    rows[2].replace_range(2..3, "4");
    (7..9).for_each(|y| rows[y].replace_range(7..10, "333"));
    rows[10].replace_range(7..8, "5");
    let clicked = probes(&mut Probe::default(), &rows.join("\n"), 9);
    assert_eq!(
        clicked.iter().map(|it| it.index()).collect::<Vec<_>>(),
        [5, 3, 4, 0],
        "the small first, but for the rim"
    );
}

#[test]
fn classes_of_one_score_are_alternatives() {
    let (frame, mask): (Grid, _) = (BOARD.parse().unwrap(), InterfaceMask::new());
    let mut probe = Probe::default();
    probe.begin(&frame, &mask, Start::Level);
    let best = probe.propose(&frame, &mask, clicks()).unwrap();
    let alternatives = probe.alternatives(&frame, &mask, clicks());
    let colors = alternatives.iter().filter_map(|it| Some(frame[it.steps[0].action.point()?].index()));
    assert_eq!(colors.collect::<Vec<_>>(), [1, 2, 4, 5], "what lies at the rim and the ground come later");
    assert_eq!(alternatives[0], best);
    assert!(probe.alternatives(&frame, &mask, ActionSet::of(&[ActionId::Action1])).is_empty());
}

#[test]
fn a_room_is_one_class_however_its_shape_changes() {
    let room = |width: usize| {
        let row = format!("1{}{}1", "0".repeat(width), "2".repeat(40 - width));
        let mut rows = vec!["1".repeat(42); 31];
        rows[1..=10].fill(row);
        rows.join("\n")
    };
    let mut probe = Probe::default();
    assert_eq!(probes(&mut probe, &room(20), 9).len(), 3, "two rooms and the ground");
    let (frame, mask): (Grid, _) = (room(21).parse().unwrap(), InterfaceMask::new());
    assert!(probe.propose(&frame, &mask, clicks()).is_none());
}

#[test]
fn what_turns_out_to_be_interface_was_no_answer() {
    let (mut probe, mut mask) = (Probe::default(), InterfaceMask::new());
    probes(&mut probe, BOARD, 2);
    mask.hide(Point::new(0, 0).unwrap());
    probe.begin(&BOARD.parse().unwrap(), &mask, Start::Level);
    let ranks = probe.candidates(&BOARD.parse().unwrap(), &mask, clicks()).into_iter().map(|it| it.rank.0);
    assert!(ranks.into_iter().all(|rank| rank > LIVE));
}

/// Clicks, and what is seen then.
fn click(probe: &mut Probe, frame: &Grid, at: Point, layers: &[Grid], outcome: Outcome) {
    let step = Transition { before: frame, action: Action::Click(at), layers, outcome };
    probe.observe(&step, &InterfaceMask::new());
}

#[test]
fn what_a_click_marks_is_marked_wherever_it_lies_and_then_left_alone() {
    let mut frame = Grid::filled(16, 16, Color::of(0));
    for (x, y) in [(5, 5), (8, 8), (5, 10)] {
        frame.set(Point::new(x, y).unwrap(), Color::of(2));
    }
    (8..11).for_each(|x| frame.set(Point::new(x, 5).unwrap(), Color::of(3)));
    let (mut probe, mut clicked) = (Probe::default(), Vec::new());
    probe.begin(&frame, &InterfaceMask::new(), Start::Level);
    while let Some(proposal) = probe.propose(&frame, &InterfaceMask::new(), clicks()) {
        let at = proposal.steps[0].action.point().unwrap();
        clicked.push(frame[at].index());
        let mut after = frame.clone();
        if frame[at] == Color::of(2) {
            after.set(at, Color::of(8));
        }
        click(&mut probe, &frame, at, std::slice::from_ref(&after), Outcome::Continues);
        frame = after;
    }
    assert_eq!(clicked, [2, 2, 2, 3, 0]);
}

#[test]
fn a_click_that_loses_the_level_is_no_answer_and_lets_others_wait() {
    let (frame, mask): (Grid, _) = (BOARD.parse().unwrap(), InterfaceMask::new());
    let mut probe = Probe::default();
    probe.begin(&frame, &mask, Start::Level);
    let before = probe.propose(&frame, &mask, clicks()).unwrap();
    click(&mut probe, &frame, before.steps[0].action.point().unwrap(), &[], Outcome::Lost);
    let after = probe.propose(&frame, &mask, clicks()).unwrap();
    assert!(after.score >= before.score + DEAD, "{before:?} {after:?}");
    probe.begin(&frame, &mask, Start::Level);
    assert!(probe.candidates(&frame, &mask, clicks()).iter().all(|it| it.rank.0 > LIVE));
}

#[test]
fn after_some_clicks_that_lost_the_level_only_what_answered_is_clicked() {
    let mut probe = Probe::default();
    assert_eq!(probes(&mut probe, BOARD, 2).len(), 6);
    probe.idle = 0;
    let frame: Grid = BOARD.parse().unwrap();
    probe.begin(&frame, &InterfaceMask::new(), Start::Level);
    for x in [4, 5, 7] {
        click(&mut probe, &frame, Point::new(x, 4).unwrap(), &[], Outcome::Lost);
    }
    let candidates = probe.candidates(&frame, &InterfaceMask::new(), clicks());
    assert_eq!(candidates.iter().map(|it| it.class.color.index()).collect::<Vec<_>>(), [2]);
}

#[test]
fn what_answered_comes_first_and_what_never_did_not_at_all() {
    let mut probe = Probe::default();
    probes(&mut probe, BOARD, 5);
    assert_eq!(probes(&mut probe, BOARD, 5)[0].index(), 5);
    assert_eq!(probes(&mut probe, BOARD, 5).iter().map(|it| it.index()).collect::<Vec<_>>(), [5]);
}
