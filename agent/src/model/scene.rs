//! A frame as text, with its objects named by letters.

use std::fmt;

use env_client::{Color, Grid, Point};
use world_model::{Component, InterfaceMask, Scene};

/// What stands for objects, the largest first; the rest share the last.
const NAMES: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*";

/// What stands for the ground: the colour that covers most of the frame.
const GROUND: char = '.';

/// What stands for the interface.
const INTERFACE: char = '~';

/// A frame and the objects in it.
#[derive(Clone, Debug)]
pub struct Drawing {
    rows: Vec<String>,
    legend: Vec<String>,
}

impl Drawing {
    /// Names the objects of a frame. What lies in the interface, or is ground, has no name.
    pub fn of(grid: &Grid, mask: &InterfaceMask) -> Drawing {
        let scene = Scene::of(grid);
        let ground = commonest(grid);
        let mut named: Vec<(usize, &Component)> = scene.components().iter().enumerate().collect();
        named.retain(|(_, it)| it.color != ground && !mask.hides(it.center));
        // Stable: of equally large ones the first in reading order.
        named.sort_by_key(|(_, component)| std::cmp::Reverse(component.area));
        let name = |at: Point| {
            let place = named.iter().position(|(index, _)| scene.component_at(at) == Some(*index));
            match place {
                _ if mask.hides(at) => INTERFACE,
                Some(place) => letter(place),
                None => GROUND,
            }
        };
        let width = usize::from(grid.width());
        let letters: Vec<char> = grid.points().map(name).collect();
        Drawing {
            rows: letters.chunks(width).map(|row| row.iter().collect()).collect(),
            legend: named.iter().enumerate().map(|(place, (_, component))| describe(place, component)).collect(),
        }
    }
}

fn letter(place: usize) -> char {
    char::from(NAMES[place.min(NAMES.len() - 1)])
}

fn commonest(grid: &Grid) -> Color {
    let count = |color: &Color| grid.cells().iter().filter(|cell| *cell == color).count();
    Color::ALL.into_iter().rev().max_by_key(count).unwrap_or_default()
}

fn describe(place: usize, component: &Component) -> String {
    let Component { color, area, bounds, .. } = component;
    let cells = if *area == 1 { "1 cell".to_owned() } else { format!("{area} cells") };
    format!(
        "{} colour {color}, {cells}, columns {}-{}, rows {}-{}",
        letter(place),
        bounds.left,
        bounds.right,
        bounds.top,
        bounds.bottom
    )
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.iter().try_for_each(|row| writeln!(f, "{row}"))?;
        self.legend.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_named_by_size_and_the_rest_is_told_apart() {
        let mut mask = InterfaceMask::new();
        (0..6).for_each(|x| assert!(mask.hide(Point::new(x, 3).unwrap())));
        let drawing = Drawing::of(&"000000\n020110\n000110\n777700".parse().unwrap(), &mask);
        insta::assert_snapshot!(drawing, @r"
        ......
        .B.AA.
        ...AA.
        ~~~~~~
        A colour 1, 4 cells, columns 3-4, rows 1-2
        B colour 2, 1 cell, columns 1-1, rows 1-1
        ");
    }
}
