//! Who is to blame for a loss, and what won is gone for all the same.

use super::*;

/// Three things in a room, each of a colour of its own: what the ledger knows of them, and where they are.
const ROOM: &str = "0000000000\n0500080900\n0000000000\n0000000000\n0070000000\n0000000000";

fn things(frame: &Grid) -> Things {
    let advances = Push.advances(&State::seen(frame.clone()), Action::Key(Key::Key1));
    Things::of(frame, &InterfaceMask::new(), &advances, Under::default())
}

fn of_color(things: &Things, color: usize) -> Thing {
    things.iter().map(|(thing, _)| thing).find(|it| it.kind.color.index() == color).unwrap()
}

fn touched(thing: Thing) -> Touched {
    Touched { things: [thing].into(), kinds: [thing.kind].into() }
}

/// Whether something is added to the score of a thing that was wanted when the level was lost or put back.
fn is_blamed(wanted: usize, learn: impl Fn(&mut Ledger, Thing), put_back: bool) -> bool {
    let first: Grid = ROOM.parse().unwrap();
    let mut plan = Plan::with_model(Push, 1);
    let seen = |frame: &Grid, status| policy::tests::with(frame.clone(), status, 0, arrows());
    let now = seen(&first, Status::NotFinished);
    plan.observe(None, Command::Reset, policy::Outcome::Seen(&now));
    let right = Action::Key(Key::Key4);
    let beyond = push(&push(&first, right), right);
    let before = seen(&beyond, Status::NotFinished);
    plan.observe(Some(&now), right.into(), policy::Outcome::Seen(&before));
    let thing = of_color(&things(&beyond), wanted);
    learn(&mut plan.ledger, thing);
    plan.target = Some(Target::Touch(thing));
    let after = if put_back { now.clone() } else { seen(&beyond, Status::GameOver) };
    plan.observe(Some(&before), Action::Key(Key::Key2).into(), policy::Outcome::Seen(&after));
    plan.ledger.penalty(thing.kind) > 0.0
}

#[test]
fn what_was_wanted_when_a_level_was_lost_comes_later_unless_its_like_solved_one() {
    assert!(is_blamed(9, |_, _| {}, false));
    assert!(!is_blamed(9, |ledger, thing| ledger.won(&touched(thing)), false));
}

#[test]
fn nothing_is_to_blame_for_a_level_that_is_put_back() {
    assert!(!is_blamed(9, |_, _| {}, true));
}

#[test]
fn ground_that_was_entered_before_is_not_what_solved_a_level() {
    let frame = ROOM.parse().unwrap();
    let (things, mut ledger) = (things(&frame), Ledger::default());
    let [ground, exit] = [8, 9].map(|color| of_color(&things, color).kind);
    ledger.passed(&[ground].into(), true);
    ledger.won(&Touched { kinds: [ground, exit].into(), ..Touched::default() });
    assert_eq!([ground, exit].map(|kind| ledger.has_itself_won(kind)), [false, true]);
    ledger.won(&Touched { kinds: [ground].into(), ..Touched::default() });
    assert!(ledger.has_itself_won(ground), "there was nothing else");
}

/// What is gone for at one end of a way in bends, where a crate is to be pushed about, and at the other end of which, further than
/// a search goes, something lies of which the ledger knows this.
fn gone_for(learn: impl Fn(&mut Ledger, Thing)) -> Option<usize> {
    const SIDE: usize = 48;
    let bend = |row: usize| {
        if row % 4 == 1 { format!("{}0", "1".repeat(SIDE - 1)) } else { format!("0{}", "1".repeat(SIDE - 1)) }
    };
    let mut rows: Vec<String> = (0..SIDE).map(|row| if row % 2 == 0 { "0".repeat(SIDE) } else { bend(row) }).collect();
    rows[0].replace_range(0..5, "00605");
    rows[SIDE - 2].replace_range(0..1, "9");
    rows[SIDE - 1] = "1".repeat(SIDE);
    let frame: Grid = rows.join("\n").parse().unwrap();
    let mut plan = Plan::with_model(Push, 1);
    let now = policy::tests::with(frame.clone(), Status::NotFinished, 0, arrows());
    plan.observe(None, Command::Reset, policy::Outcome::Seen(&now));
    learn(&mut plan.ledger, of_color(&things(&frame), 9));
    plan.decide(&now, arrows());
    plan.target.and_then(|it| if let Target::Touch(thing) = it { Some(thing.kind.color.index()) } else { None })
}

#[test]
fn before_pieces_are_pushed_about_what_solved_a_level_is_looked_for_further() {
    assert_eq!(gone_for(|_, _| {}), Some(CRATE));
    assert_eq!(gone_for(|ledger, thing| ledger.won(&touched(thing))), Some(9));
    let in_vain = |ledger: &mut Ledger, thing: Thing| {
        ledger.won(&touched(thing));
        ledger.looked_far();
    };
    assert_eq!(gone_for(in_vain), Some(CRATE), "there was no way, and nothing happened since");
}
