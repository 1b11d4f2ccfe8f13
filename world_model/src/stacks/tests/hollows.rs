use super::*;

/// A bead of six by six cells; where there is a dot the ground is seen, as in its glint.
const BEAD: [&str; 6] = [".####.", "#..###", "#.####", "######", "######", ".####."];

/// How many cells from one bead to the next, and over how many beads a tube rises.
const PITCH: usize = 7;

/// Tubes ten apart on the ground, closed below, and closed above, too, if they have a lid; the held bead is above them.
fn frame(stacks: &[&str], room: usize, has_lid: bool, held: Option<(usize, char)>) -> Grid {
    let mut frame = Grid::filled(64, 60, Color::of(5));
    let mut set = |x: usize, y: usize, color: u8| {
        frame.set(Point::new(x as u8, y as u8).unwrap(), Color::of(color));
    };
    let (base, top) = (48, 47 - PITCH * room);
    (0..64).for_each(|x| set(x, 56, 13));
    for (index, beads) in stacks.iter().enumerate() {
        let x = 2 + 10 * index;
        (top..=base).for_each(|y| [x, x + 7].into_iter().for_each(|x| set(x, y, 3)));
        (x..x + 8).for_each(|x| set(x, base, 3));
        if has_lid {
            (x..x + 8).for_each(|x| set(x, top, 3));
        }
        let lying = beads.chars().enumerate().map(|(place, bead)| (base - PITCH * (place + 1), bead));
        let held = held.filter(|it| it.0 == index).map(|it| (top - 8, it.1));
        for (y, bead) in lying.chain(held) {
            let color = if bead == 'a' { 8 } else { 14 };
            for (dy, row) in BEAD.iter().enumerate() {
                row.bytes().enumerate().filter(|it| it.1 == b'#').for_each(|(dx, _)| set(x + 1 + dx, y + dy, color));
            }
        }
    }
    frame
}

fn text(model: &Stacks) -> Vec<String> {
    let stack = |it: Vec<Tile>| it.iter().map(|it| if it.color == Color::of(8) { 'a' } else { 'b' }).collect();
    model.layout().unwrap_or_default().into_iter().map(stack).collect()
}

/// The uppermost bead of the first tube was laid in the empty one.
fn taught(has_lid: bool) -> Stacks {
    let mut model = Stacks::default();
    let steps = [
        (click(0, 40), frame(&["ba", "abb", ""], 3, has_lid, Some((0, 'a')))),
        (click(2, 40), frame(&["ba", "abb", "a"], 3, has_lid, None)),
    ];
    play(&mut model, frame(&["baa", "abb", ""], 3, has_lid, None), &steps);
    model
}

#[test]
fn a_bead_that_went_from_tube_to_tube_tells_of_all_tubes() {
    for has_lid in [false, true] {
        let model = taught(has_lid);
        assert!(model.is_understood());
        assert_eq!(text(&model), ["ba", "abb", "a"]);
        assert!(model.terms().iter().all(|it| it.room == 3));
        let clicked = |x: u8, y: u8| Some(Action::Click(Point::new(x, y).unwrap()));
        assert_eq!([model.click(0, 2), model.click(2, 0)], [clicked(5, 36), clicked(25, 43)], "at beads");
    }
}

#[test]
fn the_next_level_has_more_and_longer_tubes() {
    let mut model = taught(false);
    let next = ["abab", "baab", "", "bbaa", ""];
    model.begin(&frame(&next, 4, false, None), &InterfaceMask::new(), Start::Level);
    assert_eq!(text(&model), next);
    assert!(model.terms().iter().all(|it| it.room == 4));
    let held = frame(&["aba", "baab", "", "bbaa", ""], 4, false, Some((0, 'b')));
    play(&mut model, frame(&next, 4, false, None), &[(click(0, 40), held)]);
    assert_eq!((model.layout(), model.lay_back()), (None, Some(click(0, 40))));
}

#[test]
fn what_goes_from_box_to_box_where_none_lies_on_another_is_in_no_stack() {
    let mut model = Stacks::default();
    let steps = [
        (click(0, 44), frame(&["", "b", ""], 2, true, Some((0, 'a')))),
        (click(2, 44), frame(&["", "b", "a"], 2, true, None)),
    ];
    play(&mut model, frame(&["a", "b", ""], 2, true, None), &steps);
    assert!(!model.is_understood());
}
