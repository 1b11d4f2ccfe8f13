//! Levels of a few tiles each, and an imagination that knows one rule.

use env_client::{Color, Point};

use super::*;

const SCALE: u8 = 5;

/// A level of one digit a tile with its first tile at (`left`, 3), under a bar on a black ground. Nines are drawn with a dot.
fn drawn(level: &str, left: u8, bar: u8) -> Grid {
    let level: Grid = level.parse().unwrap();
    let mut frame = Grid::filled(64, 64, Color::of(0));
    let mut set = |x: u8, y: u8, color| frame.set(Point::new(x, y).unwrap(), color);
    (0..bar).for_each(|x| set(x, 0, Color::of(12)));
    for at in level.points() {
        for (dx, dy) in (0..SCALE).flat_map(|dy| (0..SCALE).map(move |dx| (dx, dy))) {
            let dot = level[at] == Color::of(9) && (dx, dy) == (2, 2);
            let color = if dot { Color::of(3) } else { level[at] };
            set(left + SCALE * at.x() + dx, 3 + SCALE * at.y() + dy, color);
        }
    }
    frame
}

fn mask() -> InterfaceMask {
    let mut mask = InterfaceMask::new();
    (0..64).for_each(|x| _ = mask.hide(Point::new(x, 0).unwrap()));
    mask
}

/// Sees all that differs in the first example become what it became there.
#[derive(Debug)]
struct Recoloring(f32);

impl Imagination for Recoloring {
    fn longest(&self) -> u8 {
        8
    }

    fn imagine(&self, examples: &[(Grid, Grid)], question: &Grid) -> Option<(Grid, f32)> {
        let (first, last) = &examples[0];
        let at = first.differences(last)?.next()?;
        let mut answer = question.clone();
        answer.cells_mut().iter_mut().filter(|cell| **cell == first[at]).for_each(|cell| *cell = last[at]);
        Some((answer, self.0))
    }
}

/// What is imagined of a level after another was solved.
fn imagined(solved: [&Grid; 2], first: &Grid, confidence: f32) -> Option<Imagined> {
    let mut imagery = Imagery::new(Some(Arc::new(Recoloring(confidence))));
    imagery.begin_level(solved[0], &mask());
    assert_eq!(imagery.now(), None, "nothing was seen yet");
    imagery.learn(solved[0], solved[1].clone());
    imagery.begin_level(first, &mask());
    imagery.now().cloned()
}

const SOLVED: [&str; 2] = ["444444\n461694\n444444\n416114\n444444", "444444\n491994\n444444\n419114\n444444"];
const NEXT: [&str; 2] = ["44444\n41614\n49164\n44444", "44444\n41914\n49194\n44444"];

#[test]
fn a_level_is_imagined_in_tiles_wherever_it_lies() {
    let [first, last] = SOLVED.map(|level| drawn(level, 4, 60));
    let found = imagined([&first, &last], &drawn(NEXT[0], 7, 30), 0.75);
    assert_eq!(found, Some(Imagined { frame: drawn(NEXT[1], 7, 30), confidence: 0.75 }));
}

#[test]
fn views_that_disagree_and_levels_that_stay_as_they_are_say_nothing() {
    let [first, last] = SOLVED.map(|level| drawn(level, 4, 60));
    assert_eq!(imagined([&first, &last], &drawn(NEXT[0], 7, 30), 0.4), None);
    assert_eq!(imagined([&first, &last], &drawn(NEXT[1], 7, 30), 0.75), None, "nothing is left to be done");
    assert_eq!(imagined([&first, &first], &drawn(NEXT[0], 7, 30), 0.75), None, "nothing was done");
    let long = "44444444444\n41614161464\n49164166414\n44444444444";
    assert_eq!(imagined([&first, &last], &drawn(long, 7, 30), 0.75), None, "it is too long");
}

#[test]
fn the_winning_frame_is_the_last_of_its_own_level() {
    let [first, last] = SOLVED.map(|level| drawn(level, 4, 60));
    let next = drawn(NEXT[0], 7, 60);
    assert_eq!(winning(&first, &[last.clone(), next.clone()], None), Some(last.clone()));
    assert_eq!(winning(&first, std::slice::from_ref(&next), Some(&last)), Some(last));
    assert_eq!(winning(&first, &[next], None), None);
}
