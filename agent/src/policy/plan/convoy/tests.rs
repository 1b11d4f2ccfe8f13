use super::*;

const FLOOR: u8 = 0;
const FIRST: u8 = 5;
const REST: u8 = 6;
const EXIT: u8 = 8;

/// A field of 12 by 12 squares of two cells, with a wall around, a train and an exit that is drawn over it.
fn draw(train: &[(i16, i16)], exit: (i16, i16)) -> Grid {
    let mut frame = Grid::filled(24, 24, Color::of(FLOOR));
    let mut put = |at: (i16, i16), color: u8| {
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let point = Point::new((2 * at.0 + dx) as u8, (2 * at.1 + dy) as u8).unwrap();
            frame.set(point, Color::of(color));
        }
    };
    for along in 0..12 {
        for at in [(along, 0), (along, 11), (0, along), (11, along)] {
            put(at, 1);
        }
    }
    for at in train.iter().rev() {
        put(*at, REST);
    }
    put(train[0], FIRST);
    put(exit, EXIT);
    frame
}

/// A key, and the train after it.
fn moved(train: &[(i16, i16)], key: Key) -> Vec<(i16, i16)> {
    let (x, y) = train[0];
    let to = match key {
        Key::Key1 => (x, y - 1),
        Key::Key2 => (x, y + 1),
        Key::Key3 => (x - 1, y),
        _ => (x + 1, y),
    };
    if !(1..11).contains(&to.0) || !(1..11).contains(&to.1) {
        return train.to_vec();
    }
    std::iter::once(to).chain(train[..train.len() - 1].iter().copied()).collect()
}

fn keys() -> ActionSet {
    ActionSet::of(&[ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action4])
}

/// Plays a key; the train after it.
fn act(convoy: &mut Convoy, train: &[(i16, i16)], key: Key, exit: (i16, i16)) -> Vec<(i16, i16)> {
    let next = moved(train, key);
    let (before, layers) = (draw(train, exit), [draw(&next, exit)]);
    let step = Transition { before: &before, action: Action::Key(key), layers: &layers, outcome: Outcome::Continues };
    convoy.observe(&step, &InterfaceMask::new());
    next
}

fn is_near(train: &[(i16, i16)], at: (i16, i16)) -> bool {
    train.iter().all(|it| (it.0 - at.0).abs().max((it.1 - at.1).abs()) <= 1)
}

#[test]
fn a_train_that_was_led_onto_a_thing_in_vain_is_led_there_with_all_of_it_near() {
    let (mut convoy, mask, exit) = (Convoy::default(), InterfaceMask::new(), (6, 6));
    let mut train = vec![(4, 6), (3, 6), (2, 6), (2, 7)];
    convoy.begin(&draw(&train, exit), &mask, Start::Level);
    let round = [Key::Key2, Key::Key3, Key::Key3, Key::Key1, Key::Key4];
    for key in round.into_iter().chain([Key::Key4; 3]) {
        train = act(&mut convoy, &train, key, exit);
    }
    assert!(convoy.turned && convoy.visited.contains(&Color::of(EXIT)), "it stood there, unseen: {convoy:?}");
    let proposal = convoy.propose(&draw(&train, exit), &mask, keys()).unwrap();
    convoy.taken_up();
    for step in &proposal.steps {
        let Action::Key(key) = step.action else { panic!("it is led by keys") };
        let next = moved(&train, key);
        assert!(!train.contains(&next[0]), "it does not run into itself");
        train = act(&mut convoy, &train, key, exit);
        assert!(!convoy.gives_up(), "all goes as foreseen");
    }
    assert!(train[0] == exit && is_near(&train, exit), "{train:?}");
    let again = convoy.propose(&draw(&train, exit), &mask, keys()).unwrap();
    assert!(!again.steps.is_empty(), "another formation is tried next");
}

#[test]
fn a_stiff_bar_is_no_train() {
    let (mut convoy, mask, exit) = (Convoy::default(), InterfaceMask::new(), (6, 3));
    let mut bar = vec![(4, 6), (3, 6), (2, 6)];
    convoy.begin(&draw(&bar, exit), &mask, Start::Level);
    for _ in 0..3 {
        bar = act(&mut convoy, &bar, Key::Key4, exit);
    }
    assert!(convoy.looks.is_some() && !convoy.turned);
    assert_eq!(convoy.propose(&draw(&bar, exit), &mask, keys()), None);
}

#[test]
fn a_row_is_read_in_every_order_that_it_may_have() {
    let looks = Looks { first: Color::of(FIRST), rest: Color::of(REST), floor: Color::of(FLOOR) };
    let read = |train: &[(i16, i16)]| Train::read(&draw(train, (9, 9)), looks).len();
    assert_eq!(read(&[(4, 6), (3, 6), (2, 6), (2, 7)]), 1);
    assert_eq!(read(&[(4, 6), (3, 6), (3, 7), (4, 7)]), 2, "round either way");
    assert_eq!(read(&[(4, 6), (3, 6), (3, 8)]), 0, "one is astray");
}

#[test]
fn a_train_that_grows_where_it_was_led_is_not_led_there_in_the_same_way_again() {
    let (mut convoy, mask, exit) = (Convoy::default(), InterfaceMask::new(), (6, 6));
    let mut train = vec![(4, 6), (3, 6), (2, 6), (2, 7)];
    let start = train.clone();
    convoy.begin(&draw(&train, exit), &mask, Start::Level);
    for key in [Key::Key2, Key::Key3, Key::Key3, Key::Key1, Key::Key4] {
        train = act(&mut convoy, &train, key, exit);
    }
    convoy.wins.insert(Color::of(EXIT));
    let mut rows = Vec::new();
    for _ in 0..2 {
        convoy.begin(&draw(&start, exit), &mask, Start::Again);
        let proposal = convoy.propose(&draw(&start, exit), &mask, keys()).unwrap();
        convoy.taken_up();
        train.clone_from(&start);
        let keys: Vec<Key> = proposal.steps.iter().filter_map(|it| key(it.action.id())).collect();
        let (last, walk) = keys.split_last().unwrap();
        for key in walk {
            train = act(&mut convoy, &train, *key, exit);
        }
        let grown: Vec<(i16, i16)> = moved(&train, *last).into_iter().chain(train.last().copied()).collect();
        let (before, layers) = (draw(&train, exit), [draw(&grown, (9, 9))]);
        let step =
            Transition { before: &before, action: Action::Key(*last), layers: &layers, outcome: Outcome::Continues };
        convoy.observe(&step, &mask);
        assert!(convoy.gives_up(), "it is longer than foreseen");
        convoy.trust = 1;
        rows.push(keys);
    }
    assert_ne!(rows[0], rows[1]);
}
