mod hollows;
mod rows;

use super::*;

/// Tubes two units apart on ground 5, of which each holds so many tiles: 3 is glass, and there is a light in the corner.
fn scaled(unit: i16, stacks: &[&str], room: i16, lifted: Option<(usize, u8)>) -> Grid {
    let mut frame = Grid::filled(64, 60, Color::of(5));
    let mut fill = |x: i16, y: i16, (width, height): (i16, i16), color: u8| {
        let cells = (y..y + height).flat_map(|y| (x..x + width).map(move |x| (x, y)));
        cells.for_each(|(x, y)| frame.set(Point::new(x, y).unwrap(), Color::of(color)));
    };
    let top = 32 - unit * room;
    for (index, tiles) in stacks.iter().enumerate() {
        let x = 2 * unit * index as i16;
        fill(x, top, (3 * unit, unit * (room + 1)), 3);
        fill(x + unit, top, (unit, unit * room), 5);
        for (place, tile) in tiles.bytes().enumerate() {
            fill(x + unit, 32 - unit * (1 + place as i16), (unit, unit), tile - b'0');
        }
    }
    if let Some((index, color)) = lifted {
        fill(2 * unit * index as i16 + unit, top - unit - 1, (unit, unit), color);
    }
    fill(62, 58, (1, 1), stacks.iter().filter(|it| it.len() == 1).count() as u8);
    frame
}

fn tubes(stacks: &[&str], room: i16, lifted: Option<(usize, u8)>) -> Grid {
    scaled(4, stacks, room, lifted)
}

fn click(stack: u8, y: u8) -> Action {
    Action::Click(Point::new(8 * stack + 6, y).unwrap())
}

fn play(model: &mut Stacks, first: Grid, steps: &[(Action, Grid)]) {
    let mask = InterfaceMask::new();
    model.begin(&first, &mask, Start::Level);
    let mut before = first;
    for (action, after) in steps {
        let layers = [after.clone()];
        let step = Transition { before: &before, action: *action, layers: &layers, outcome: Outcome::Continues };
        model.observe(&step, &mask);
        before = after.clone();
    }
}

fn colors(model: &Stacks) -> Vec<String> {
    let text = |stack: Vec<Tile>| stack.iter().map(|it| it.color.index().to_string()).collect();
    model.layout().unwrap_or_default().into_iter().map(text).collect()
}

fn taught() -> Stacks {
    let mut model = Stacks::default();
    let steps = [
        (click(0, 20), tubes(&["898", "8989", "", "9"], 4, Some((0, 9)))),
        (click(2, 20), tubes(&["898", "8989", "9", "9"], 4, None)),
    ];
    play(&mut model, tubes(&["8989", "8989", "", "9"], 4, None), &steps);
    model
}

#[test]
fn a_tile_that_was_taken_and_laid_tells_of_all_stacks() {
    let model = taught();
    assert!(model.is_understood());
    assert_eq!(colors(&model), ["898", "8989", "9", "9"]);
    assert_eq!(model.terms()[0].room, 4);
    let clicked = |x: u8, y: u8| Some(Action::Click(Point::new(x, y).unwrap()));
    assert_eq!([model.click(0, 3), model.click(3, 1)], [clicked(5, 22), clicked(29, 30)]);
}

#[test]
fn the_next_level_is_read_at_once_at_any_scale_and_an_empty_stack_is_one() {
    let mut model = taught();
    for unit in [4, 5, 3] {
        let next = scaled(unit, &["898", "", "998", "", "8"], 3, None);
        model.begin(&next, &InterfaceMask::new(), Start::Level);
        assert_eq!(colors(&model), ["898", "", "998", "", "8"]);
    }
}

#[test]
fn what_is_laid_back_is_no_move_and_what_is_held_hides_the_layout() {
    let mut model = Stacks::default();
    let first = tubes(&["8989", "", "9"], 4, None);
    let held = tubes(&["898", "", "9"], 4, Some((0, 9)));
    play(&mut model, first.clone(), &[(click(0, 20), held.clone()), (click(0, 20), first.clone())]);
    assert!(!model.is_understood());
    let mut model = taught();
    play(&mut model, first, &[(click(0, 20), held)]);
    assert_eq!((model.layout(), model.lay_back()), (None, Some(click(0, 20))));
}

#[test]
fn a_piece_that_comes_from_below_others_is_no_tile_of_a_stack() {
    let mut model = Stacks::default();
    let (first, after) = (tubes(&["8989", "", "9"], 4, None), tubes(&["8589", "9", "9"], 4, None));
    let mut held = first.clone();
    held.set(Point::new(0, 0).unwrap(), Color::of(1));
    play(&mut model, first, &[(click(0, 26), held), (click(1, 20), after)]);
    assert!(!model.is_understood());
}

#[test]
fn where_two_clicks_recolour_two_tiles_there_are_no_stacks() {
    let mut model = taught();
    let recoloured = [
        (click(0, 20), tubes(&["8988", "8989", "", "9"], 4, None)),
        (click(1, 20), tubes(&["8988", "8988", "", "9"], 4, None)),
    ];
    play(&mut model, tubes(&["8989", "8989", "", "9"], 4, None), &recoloured);
    assert!(!model.is_understood());
}
