//! What arrangements are wanted of pictures in which something was moved.

use env_client::{Grid, Point};
use world_model::{Advance, InterfaceMask};

use crate::policy::plan::{
    arrange::{Arrangement, Arrangements, Level},
    pairs::Role,
    picture::Middle,
    things::{Things, Under},
};

fn grid(picture: &str) -> Grid {
    picture.parse().unwrap()
}

/// The pieces of colour 5.
fn pieces(frame: &Grid) -> Vec<Advance> {
    let from: Vec<Point> = frame.points().filter(|at| frame[*at].index() == 5).collect();
    vec![Advance { from, ..Advance::default() }]
}

fn things(frame: &Grid) -> Things {
    Things::of(frame, &InterfaceMask::new(), &pieces(frame), Under::default())
}

fn watch(arrangements: &mut Arrangements, (before, after): (&str, &str)) {
    let (before, after) = (grid(before), grid(after));
    arrangements.watch(&things(&before), &things(&after), &after);
}

/// What is known after these steps were seen.
fn arrangements_after(steps: &[(&str, &str)]) -> Arrangements {
    let mut arrangements = Arrangements::default();
    for step in steps {
        watch(&mut arrangements, *step);
    }
    arrangements
}

/// What is wanted of `first` after these steps were seen, likeliest first.
fn wanted(steps: &[(&str, &str)], first: &str) -> Vec<Arrangement> {
    let arrangements = arrangements_after(steps);
    let first = grid(first);
    let (now, mask, advances) = (things(&first), InterfaceMask::new(), pieces(&first));
    arrangements.wanted(&Level { advances: &advances, ..Level::still(&first, &now, &mask) })
}

#[test]
fn pieces_of_different_looks_belong_on_the_slots_of_one_kind_together() {
    let steps = [("56000800\n00000000", "05600800\n00000000"), ("05600580\n00000000", "05600058\n00000000")];
    let wanted = wanted(&steps, "56000080\n00000000\n07000070");
    let all = wanted.iter().find(|it| it.distance(&grid("50000000\n00000000\n06000080"), &[]) == Some(0));
    let all = all.expect("both on slots is an arrangement");
    assert!(all.distance(&grid("50000080\n00000000\n06000070"), &[]) > Some(0), "one alone is not enough");
    assert_eq!(wanted[0].name, all.name, "as many pieces as slots is likelier than one piece on any of them");
}

#[test]
fn legs_of_which_nobody_can_tell_one_from_the_other_are_no_slots() {
    let floor = "00000000\n00000000\n50000000";
    let level = |sheep: &str| format!("{sheep}\n{floor}");
    let [before, after, first] = [
        "66640000\n66640000\n66600000\n40400000",
        "06664000\n06664000\n06660000\n04040000",
        "66640666\n66640606\n66600666\n40400000",
    ]
    .map(level);
    let (arrangements, first) = (arrangements_after(&[(&before, &after)]), grid(&first));
    let (now, mask, cells) = (things(&first), InterfaceMask::new(), |index: usize| index % 8 < 4 && index < 32);
    let sheep: Vec<Point> = first.points().enumerate().filter(|it| cells(it.0)).map(|it| it.1).collect();
    let is_penned = |flock: &[Vec<Point>]| {
        let wanted = arrangements.wanted(&Level { flock, ..Level::still(&first, &now, &mask) });
        let by_color = wanted
            .iter()
            .find(|it| it.name.to_string() == "every piece on a slot of its colour")
            .unwrap_or_else(|| panic!("{wanted:?}"));
        by_color.distance(&grid(&level("00000666\n00000666\n00000666\n00000000")), &[]) == Some(0)
    };
    assert!(is_penned(&[sheep]));
    assert!(!is_penned(&[]), "its face would belong where the legs were");
}

#[test]
fn a_piece_that_looks_different_where_it_belongs_is_there() {
    let push = ("56600000\n06600000\n00000000", "05660000\n00660000\n00000000");
    let wanted = wanted(&[push], "56600000\n06600000\n00000000\n00000770\n00000770");
    let distance = |last: &str| {
        let frame = grid(&format!("50000000\n00000000\n00000000\n{last}"));
        wanted[0].distance(&frame, &[])
    };
    assert_eq!(distance("00000690\n00000660"), Some(0), "a mark tells that it is at home");
    assert_eq!(distance("00000690\n00000790"), None, "there is too little of it");
}

#[test]
fn a_piece_on_a_slot_of_its_colour_is_there_when_what_was_no_part_of_the_slot_is_filled() {
    let level = |pieces: &str, last: &str| format!("{pieces}\n00000000\n{last}");
    let empty = "00000666\n00000600\n00000600";
    let [first, after] = ["56660000\n06660000\n06660000", "05666000\n00666000\n00666000"].map(|it| level(it, empty));
    let wanted = wanted(&[(&first, &after)], &first);
    let by_color = wanted.iter().find(|it| it.name.to_string() == "every piece on a slot of its colour").unwrap();
    let distance = |last: &str| by_color.distance(&grid(&level("50000000\n00000000\n00000000", last)), &[]);
    assert_eq!(distance("00000666\n00000666\n00000660"), Some(0), "all of it but a cell");
    assert_eq!(distance("00000666\n00000660\n00000600"), None, "that may be anything");
}

#[test]
fn a_piece_that_touches_a_slot_of_its_colour_is_told_from_it() {
    let push = ("56000000\n06600000\n00000000", "05600000\n00660000\n00000000");
    let names = |first: &str| wanted(&[push], first).iter().map(|it| it.name.to_string()).collect::<Vec<_>>();
    let by_color = "every piece on a slot of its colour".to_owned();
    assert!(names("50000000\n00000000\n00606660\n00666060\n00006660\n00000000").contains(&by_color));
    assert!(names("50000000\n00000000\n06006660\n06606060\n00006660\n00000000").contains(&by_color), "apart, too");
}

#[test]
fn who_pushes_a_piece_has_to_get_there_first() {
    let push = ("56000000\n00000000", "05600000\n00000000");
    let wanted = wanted(&[push], "56000000\n00000000\n00000070");
    let toil = |picture: &str, x: u8| {
        wanted[0].toil((&grid(picture), &grid(picture)), &[Role { class: 0, at: Middle::of(x, 0, 1, 1) }]).unwrap()
    };
    let open = "00060000\n00000000\n00000070";
    assert_eq!(toil(open, 0) - toil(open, 2), 2, "beside it there is nothing left to go");
    assert_eq!(toil("00000000\n00000000\n00000060", 0), 0);
}

#[test]
fn what_pieces_cover_and_leave_was_not_moved() {
    let (covering, leaving) = ("00000000\n05000700\n00000000", "00000000\n07000500\n00000000");
    assert!(wanted(&[(covering, leaving)], "50000000\n07000700\n00000000").is_empty());
    let (before, after) = ("00000000\n57000000\n00000000", "00000000\n05700000\n00000000");
    assert!(!wanted(&[(before, after)], "57000000\n00000000\n00009000").is_empty(), "what is pushed was moved");
}

#[test]
fn pieces_that_touch_when_a_level_begins_are_known_from_before() {
    let push = ("00000000\n05600000\n00000000", "00000000\n00560000\n00000000");
    let wanted = wanted(&[push], "50000000\n00660000\n00000000\n07000070");
    let way = wanted.iter().find_map(|it| it.distance(&grid("50000000\n00000000\n00000000\n06000060"), &[]));
    assert_eq!(way, Some(0), "two pieces on two slots");
}

#[test]
fn what_a_step_brought_about_may_have_solved_the_level_although_nobody_meant_it() {
    let arrangements = arrangements_after(&[("56000000\n00000000", "05600000\n00000000")]);
    let came_true = |before: &str, after: &str| {
        let (first, mask) = (grid("56000007\n00000000"), InterfaceMask::new());
        let (now, advances) = (things(&first), pieces(&first));
        let level = Level { advances: &advances, ..Level::still(&first, &now, &mask) };
        arrangements.came_true(&level, &grid(before), &grid(after)).is_some()
    };
    assert!(came_true("00000567\n00000000", "00000056\n00000000"));
    assert!(!came_true("05600070\n00000000", "00560070\n00000000"), "on the way there");
}

#[test]
fn a_gap_that_shows_the_floor_elsewhere_does_not_hide_what_pieces_want() {
    let level = |row: &str, gap: &str| {
        let (wall, floor, slot) = ("8888888888888888", "8000000000000008", "8660000000000008");
        [wall, row, floor, slot, wall, gap, wall, "8888888008888888", wall, wall].join("\n")
    };
    let before = level("8560000000000008", "8808888888888888");
    let pushed = level("8056000000000008", "8808888888888888");
    let opened = level("8056000000000008", "8888888888880888");
    let wanted = wanted(&[(&before, &pushed), (&pushed, &opened)], &before);
    let by_color = wanted.iter().find(|it| it.name.to_string() == "every piece on a slot of its colour");
    assert!(
        by_color.is_some_and(|it| it.distance(&grid(&before), &[]).is_some()),
        "such a gap is on the floor all over"
    );
}

#[test]
fn one_colour_in_its_place_is_not_all_of_them() {
    let steps = [("56000800\n00000000", "05600800\n00000000")];
    let mut arrangements = arrangements_after(&steps);
    let first = grid("56000800\n00000000\n66000088");
    let (now, mask, advances) = (things(&first), InterfaceMask::new(), pieces(&first));
    let level = Level { advances: &advances, ..Level::still(&first, &now, &mask) };
    let by_color = |arrangements: &Arrangements| {
        let wanted = arrangements.wanted(&level).into_iter();
        wanted.map(|it| it.name).find(|it| it.to_string() == "every piece on a slot of its colour")
    };
    let one = by_color(&arrangements).expect("one colour was moved");
    arrangements.was_vain(one);
    assert_eq!(by_color(&arrangements), None);
    watch(&mut arrangements, ("00000580\n00000000", "00000058\n00000000"));
    assert!(by_color(&arrangements).is_some(), "both colours are something else");
}

/// The arrangement of those that obey in a picture where they have these colours, and how far it is when they are at
/// these places, one for each, whatever is seen there.
fn own(first: &str, colors: &[u8], places: [(u8, u8); 2]) -> Option<(String, Option<u32>)> {
    let first = grid(first);
    let advance = |(class, color): (u16, &u8)| {
        let from = first.points().find(|at| first[*at].index() == usize::from(*color)).into_iter().collect();
        Advance { from, class, ..Advance::default() }
    };
    let cast: Vec<Advance> = (0..).zip(colors).map(advance).collect();
    let (now, mask) = (Things::of(&first, &InterfaceMask::new(), &cast, Under::default()), InterfaceMask::new());
    let level = Level { advances: &cast, cast: &cast, ..Level::still(&first, &now, &mask) };
    let wanted = Arrangements::default().wanted(&level).into_iter().next()?;
    let roles = (0..).zip(places).map(|(class, (x, y))| Role { class, at: Middle::of(x, y, 1, 1) });
    let roles: Vec<Role> = roles.collect();
    Some((wanted.name.to_string(), wanted.distance(&Grid::filled(8, 3, first[Point::default()]), &roles)))
}

#[test]
fn all_pieces_that_obey_now_or_when_they_are_selected_belong_on_slots_of_their_colours() {
    let first = "00005060\n00000000\n50600000";
    let distance = |places| own(first, &[5, 6], places).unwrap().1;
    let name = own(first, &[5, 6], [(4, 0), (6, 0)]).unwrap().0;
    assert_eq!(name, "every piece that obeys on a slot of its colour");
    assert_eq!(distance([(0, 2), (2, 2)]), Some(0));
    assert_eq!(distance([(0, 2), (4, 2)]), Some(2), "one on its slot is not enough");
    assert_eq!(distance([(2, 2), (0, 2)]), Some(4), "nor are both on the slot of the other");
}

/// A hook of 5 that answers to actions, the outline of one lying on its side, and one of the same size in another form.
const HOOK: &str = "50000000\n50006660\n55006000\n00000000\n77700000\n07000000";

#[test]
fn a_bent_piece_alone_belongs_where_its_outline_is_drawn_however_that_is_turned() {
    let first = grid(HOOK);
    let cells = |color: usize| first.points().filter(|at| first[*at].index() == color).collect::<Vec<_>>();
    let cast = [Advance { from: cells(5), class: 3, ..Advance::default() }];
    let (now, mask) = (Things::of(&first, &InterfaceMask::new(), &cast, Under::default()), InterfaceMask::new());
    let level = Level { advances: &cast, cast: &cast, ..Level::still(&first, &now, &mask) };
    let wanted = Arrangements::default().wanted(&level);
    let [fit] = wanted.as_slice() else { panic!("{wanted:?}") };
    assert_eq!(fit.name.to_string(), "every piece on a 6 slot of its form");
    let role = |x: u8, y: u8| [Role { class: 3, at: Middle::of(x, y, 3, 2) }];
    let upright = grid("00005000\n00005660\n00005500\n00000000\n77700000\n07000000");
    assert!(fit.distance(&upright, &role(4, 1)).is_some_and(|it| it > 0), "there, but not as it should lie");
    let lying = grid("00000000\n00005550\n00005000\n00000000\n77700000\n07000000");
    assert_eq!(fit.distance(&lying, &role(4, 1)), Some(0));
}
