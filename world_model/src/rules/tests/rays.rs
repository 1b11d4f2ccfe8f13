//! What lies in one row or column with a piece and is moved by it from afar.

use super::*;

/// A piece of colour 3 that walks in the first row and, by a key, pulls what has colour 6 to it, and sends away what has
/// colour 7, as far as there is room; 5 lets nothing through.
fn pull(frame: &Grid, action: Action) -> Grid {
    if action != Action::Key(Key::Key5) {
        return walk(frame, action);
    }
    let mut after = frame.clone();
    let (x, top) = cells(frame, 3)[0];
    let column: Vec<usize> = (top + 1..usize::from(frame.height())).take_while(|y| color(frame, x, *y) != 5).collect();
    let free = |frame: &Grid, y: usize| y > top && color(frame, x, y) == 0;
    for (kind, by) in [(6, -1), (7, 1)] {
        for y in column.iter().copied().filter(|y| color(frame, x, *y) == kind) {
            let mut to = y;
            while free(&after, to.wrapping_add_signed(by)) {
                to = to.wrapping_add_signed(by);
            }
            put(&mut after, x, y, 0);
            put(&mut after, x, to, kind as u8);
        }
    }
    after
}

const HALL: &str =
    "55555555555\n50030000005\n50000006005\n50600700005\n50000000005\n50065007005\n50000000005\n55555555555";

#[test]
fn what_comes_from_afar_and_what_flees_is_foreseen_and_so_is_what_is_behind_a_wall() {
    let world = World { frame: HALL.parse().unwrap(), step: pull };
    let (right, changes) = world.play(keys(160, &[Key::Key3, Key::Key4, Key::Key5, Key::Key5]), 60);
    assert!(right * 20 >= changes * 19, "{right} of {changes}");
}

#[test]
fn one_look_at_each_kind_is_enough() {
    let mut frame: Grid =
        "555555555\n530000005\n500000005\n500007005\n500600005\n500000005\n500000005\n555555555".parse().unwrap();
    let mut rules = Rules::new();
    rules.begin(&frame, Start::Level);
    let mut play = |frame: &Grid, number: Key| {
        let action = Action::Key(number);
        let expected = rules.predict(&rules.state(frame), action).next.map(|it| it.frame);
        let layers = [pull(frame, action)];
        rules.observe(&Transition { before: frame, action, layers: &layers, outcome: Outcome::Continues });
        let [after] = layers;
        (expected.as_ref() == Some(&after), after)
    };
    for key in [Key::Key4, Key::Key4, Key::Key5, Key::Key4, Key::Key4, Key::Key5] {
        (_, frame) = play(&frame, key);
    }
    assert_eq!((cells(&frame, 6), cells(&frame, 7)), (vec![(3, 2)], vec![(5, 6)]));
    for (color, at, to) in [(7, (5, 6), (5, 2)), (6, (3, 2), (5, 4))] {
        put(&mut frame, at.0, at.1, 0);
        put(&mut frame, to.0, to.1, color);
        let (is_foreseen, after) = play(&frame, Key::Key5);
        assert!(is_foreseen, "{color}\n{after}");
        frame = after;
    }
}

#[test]
fn one_that_flees_in_another_colour_is_no_stranger() {
    let mut frame: Grid =
        "555555555\n530000005\n500000005\n500700005\n500000005\n500000005\n555555555".parse().unwrap();
    let mut rules = Rules::new();
    let play = |rules: &mut Rules, frame: &mut Grid, keys: &[Key]| {
        for key in keys {
            let layers = [pull(frame, Action::Key(*key))];
            let (action, outcome) = (Action::Key(*key), Outcome::Continues);
            rules.observe(&Transition { before: frame, action, layers: &layers, outcome });
            [*frame] = layers;
        }
    };
    let (left, right, act) = (Key::Key3, Key::Key4, Key::Key5);
    rules.begin(&frame, Start::Level);
    play(&mut rules, &mut frame, &[right, right, act, left, right]);
    let mut frame: Grid =
        "555555555\n530000005\n500000005\n500060005\n500000005\n500000005\n555555555".parse().unwrap();
    rules.begin(&frame, Start::Level);
    play(&mut rules, &mut frame, &[right, right, right, act]);
    put(&mut frame, 4, 2, 0);
    put(&mut frame, 4, 5, 6);
    let next = rules.predict(&rules.state(&frame), Action::Key(act)).next.expect("known").frame;
    assert_eq!(cells(&next, 6), [(4, 2)], "{next}");
}

/// Squares of three cells in a hall walled by colour 5: a blower of colour 3, whose nose has colour 4, and a leaf of colour 6 and 7.
#[derive(Clone, Copy)]
struct Lawn {
    blower: (i16, i16),
    look: (i16, i16),
    leaf: (i16, i16),
}

const WIDE: i16 = 8;
const HIGH: i16 = 6;

impl Lawn {
    fn draw(&self) -> Grid {
        let mut frame = Grid::filled(3 * WIDE as u8, 3 * HIGH as u8, Color::of(5));
        let mut square = |(x, y): (i16, i16), color: u8, marked: (i16, i16), mark: u8| {
            for (dx, dy) in (0..9).map(|cell| (cell % 3, cell / 3)) {
                let color = if (dx - 1, dy - 1) == marked { mark } else { color };
                put(&mut frame, (3 * x + dx) as usize, (3 * y + dy) as usize, color);
            }
        };
        let inside = (1..HIGH - 1).flat_map(|y| (1..WIDE - 1).map(move |x| (x, y)));
        inside.for_each(|at| square(at, 0, (9, 9), 0));
        square(self.leaf, 6, (1, -1), 7);
        square(self.blower, 3, self.look, 4);
        frame
    }

    fn is_free(&self, (x, y): (i16, i16)) -> bool {
        let is_inside = (1..WIDE - 1).contains(&x) && (1..HIGH - 1).contains(&y);
        is_inside && (x, y) != self.leaf && (x, y) != self.blower
    }

    /// An arrow turns and moves it; the other key blows the leaf away that it looks at, however far that is.
    fn act(&mut self, action: Action) {
        let ahead = |(x, y): (i16, i16), (dx, dy): (i16, i16)| (x + dx, y + dy);
        let looks = [(0, -1), (0, 1), (-1, 0), (1, 0)];
        if let Some(arrow) = ARROWS.iter().position(|key| action == Action::Key(*key)) {
            self.look = looks[arrow];
            if self.is_free(ahead(self.blower, self.look)) {
                self.blower = ahead(self.blower, self.look);
            }
            return;
        }
        let mut at = ahead(self.blower, self.look);
        while self.is_free(at) {
            at = ahead(at, self.look);
        }
        while at == self.leaf && self.is_free(ahead(at, self.look)) {
            at = ahead(at, self.look);
            self.leaf = at;
        }
    }
}

#[test]
fn what_is_blown_away_from_nearby_is_also_reached_from_afar_and_only_where_one_looks() {
    let [up, down, left, right, blow] = [ARROWS[0], ARROWS[1], ARROWS[2], ARROWS[3], Key::Key5].map(Action::Key);
    let mut lawn = Lawn { blower: (5, 2), look: (0, 1), leaf: (4, 2) };
    let mut rules = Rules::new();
    rules.begin(&lawn.draw(), Start::Level);
    let play = [down, up, right, left, left, blow, up, left, left, left, blow, left, left, blow, right, down];
    for action in play {
        let before = lawn.draw();
        lawn.act(action);
        let layers = [lawn.draw()];
        rules.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues });
    }
    assert_eq!(lawn.leaf, (1, 2), "it was blown once and then not looked at");
    let sentence = "The 3x3 piece of 9 cells is moved from afar by one in line with it";
    assert!(rules.sentences().iter().any(|it| it == sentence), "{:?}", rules.sentences());
    for (blower, look, leaf, to) in
        [((1, 3), (1, 0), (3, 3), (6, 3)), ((3, 4), (0, -1), (3, 3), (3, 1)), ((1, 3), (-1, 0), (3, 3), (3, 3))]
    {
        let mut lawn = Lawn { blower, look, leaf };
        let expected = rules.predict(&rules.state(&lawn.draw()), blow).next.map(|it| it.frame);
        lawn.act(blow);
        assert_eq!(lawn.leaf, to);
        assert_eq!(expected, Some(lawn.draw()), "{blower:?} {look:?}");
    }
}
