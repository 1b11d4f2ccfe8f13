//! What clicks do, and what only comes with them.

use env_client::{ActionId, ActionSet};

use super::{
    panel::{Panel, Rule},
    *,
};

/// A lamp that a click lights, among things that never answer: with every click the bar goes on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Lamp;

impl Rule for Lamp {
    const MAPS: &'static [&'static str] = &[
        "
        x...c.
        ......
        ..h...
        ......
        .a..o.
        ",
        "
        a...h.
        ......
        ..c..x
        ......
        o...e.
        ",
        "
        .e..c.
        ......
        a..o..
        ......
        .h..x.
        ",
    ];
    const OPTIMAL: &'static [u32] = &[1, 1, 1];

    fn click(panel: &mut Panel<Lamp>, cell: Cell) {
        if let Some(lamp) = panel.tiles.get_mut(cell).filter(|glyph| **glyph == b'o') {
            *lamp = b'O';
        }
    }

    fn is_solved(panel: &Panel<Lamp>) -> bool {
        panel.tiles.find(b'o').next().is_none()
    }
}

#[test]
fn a_bar_that_goes_on_is_no_answer_to_a_click() {
    check::<Panel<Lamp>>();
    let mut play = Play::of::<Panel<Lamp>>();
    assert!(play.solves(1, 8), "{play}");
    assert!(play.wins(2), "what answered is known by now\n{play}");
}

/// A lift that one button raises and another one lowers, among things that never answer; it has to stop at the mark.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Lift;

impl Rule for Lift {
    const MAPS: &'static [&'static str] = &[
        "
        ..s....h
        .....x..
        a.......
        ........
        ..o..x..
        c......e
        ",
        "
        c......e
        ..o..x..
        ........
        h.......
        .....x..
        ......a.
        ..s.....
        ",
    ];
    const OPTIMAL: &'static [u32] = &[3, 4];

    fn click(panel: &mut Panel<Lift>, cell: Cell) {
        let (Some(b'x'), Some(car)) = (panel.tiles.get(cell), panel.tiles.find(b'o').next()) else { return };
        let to = Cell { y: if cell.y < 3 { car.y - 1 } else { car.y + 1 }, ..car };
        if panel.tiles.get(to) == Some(&b'.') {
            (panel.tiles[to], panel.tiles[car]) = (b'o', b'.');
        }
    }

    fn is_solved(panel: &Panel<Lift>) -> bool {
        let first = panel.tiles.find(b's').next();
        first.is_none_or(|mark| panel.tiles.find(b'o').any(|car| car.y.abs_diff(mark.y) == 1))
    }
}

#[test]
fn a_button_that_leads_on_is_pressed_on() {
    check::<Panel<Lift>>();
    let mut play = Play::of::<Panel<Lift>>();
    assert!(play.solves(1, 10), "{play}");
    assert!(play.wins(25), "{play}");
}

/// A cart that four buttons drive, each one tile its own way, which is not told; it has to come to the mark.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Console;

impl Rule for Console {
    const MAPS: &'static [&'static str] = &[
        "
        .......
        .o.....
        .......
        ...e...
        .......
        .......
        x.x.x.x
        ",
        "
        .......
        .e.....
        .......
        .......
        .....o.
        .......
        x.x.x.x
        ",
    ];
    const OPTIMAL: &'static [u32] = &[4, 7];

    fn click(panel: &mut Panel<Console>, cell: Cell) {
        let (Some(b'x'), Some(cart)) = (panel.tiles.get(cell), panel.tiles.find(b'o').next()) else { return };
        let (x, y) = [(-1, 0), (0, 1), (0, -1), (1, 0)][(cell.x / 2) as usize];
        let to = Cell { x: cart.x + x, y: cart.y + y };
        if panel.tiles.get(to).is_some_and(|tile| *tile != b'x') {
            (panel.tiles[to], panel.tiles[cart]) = (b'o', b'.');
        }
    }

    fn is_solved(panel: &Panel<Console>) -> bool {
        panel.tiles.find(b'e').next().is_none()
    }
}

#[test]
fn a_console_is_played_as_keys_are() {
    check::<Panel<Console>>();
    let mut play = Play::of::<Panel<Console>>();
    assert!(play.solves(1, 25), "{play}");
    assert!(play.wins(12), "{play}");
}

/// A click picks a piece, and the next one puts it into a slot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Put;

impl Rule for Put {
    const MAPS: &'static [&'static str] = &[
        "
        .h...
        .....
        s...s
        .....
        ",
        "
        h...s
        .....
        .....
        s.h..
        ",
    ];
    const OPTIMAL: &'static [u32] = &[2, 4];

    fn click(panel: &mut Panel<Put>, cell: Cell) {
        match (panel.tiles.get(cell), panel.picked) {
            (Some(b'h'), _) => panel.picked = Some(cell),
            (Some(b's'), Some(picked)) => {
                (panel.tiles[picked], panel.tiles[cell], panel.picked) = (b'.', b'H', None);
            }
            _ => {}
        }
    }

    fn is_solved(panel: &Panel<Put>) -> bool {
        panel.tiles.find(b'h').next().is_none()
    }
}

#[test]
fn what_a_click_picks_the_next_one_puts_down() {
    check::<Panel<Put>>();
    let mut play = Play::of::<Panel<Put>>();
    assert!(play.wins(60), "{play}");
}

/// A click wakes one of two pieces, and the keys move that one; each belongs onto an exit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Wake {
    /// Where the second piece is, and whether the keys move that one.
    other: Cell,
    awake: bool,
}

impl Wake {
    /// Where the piece is that the keys move, and the other one.
    fn roles(&self, first: Cell) -> (Cell, Cell) {
        if self.awake { (self.other, first) } else { (first, self.other) }
    }
}

impl Trap for Wake {
    const MAPS: &'static [&'static str] = &[
        "
        #########
        #@..#T..#
        #...#...#
        #.E.#..E#
        #########
        ",
        "
        #########
        #.@.#.T.#
        #...#...#
        #..E#E..#
        #########
        ",
    ];
    const OPTIMAL: &'static [u32] = &[8, 7];
    const CONTROLS: ActionSet =
        ActionSet::of(&[ActionId::Action1, ActionId::Action2, ActionId::Action3, ActionId::Action4, ActionId::Action6]);

    fn set(map: &Map) -> Wake {
        Wake { other: map.the(b'T'), awake: false }
    }

    fn act(yard: &mut Yard<Self>, input: Input, _: &mut Film<Yard<Self>>) -> Verdict {
        let (awake, asleep) = yard.trap.roles(yard.at);
        match input {
            Input::Click(cell) if cell == asleep => yard.trap.awake = !yard.trap.awake,
            Input::Move(dir) if yard.ahead(awake, dir) != asleep => {
                let to = yard.ahead(awake, dir);
                let mover = if yard.trap.awake { &mut yard.trap.other } else { &mut yard.at };
                *mover = to;
            }
            _ => {}
        }
        let done = [yard.at, yard.trap.other].iter().all(|at| yard.map.glyph(*at) == b'E');
        if done { Verdict::Solved } else { Verdict::Playing }
    }

    fn paint(yard: &Yard<Self>, scene: &mut Scene) {
        const AWAKE: Sprite = Sprite::of(&["808", "080", "808"]);
        let (awake, asleep) = yard.trap.roles(yard.at);
        scene.sprite(asleep, PIECE);
        scene.sprite(awake, AWAKE);
    }

    fn inputs(yard: &Yard<Self>) -> Vec<Input> {
        [&Input::MOVES[..], &[Input::Click(yard.at), Input::Click(yard.trap.other)]].concat()
    }
}

#[test]
fn after_a_click_another_piece_obeys() {
    check::<Yard<Wake>>();
    let mut play = Play::of::<Yard<Wake>>();
    assert!(play.solves(1, 260), "{play}");
}
