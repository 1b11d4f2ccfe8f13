//! A view as text: one character a cell, and a legend that names every kind of object.
//!
//! Drawn on the lattice where there is one, so that a world of a dozen cells a side is a dozen characters wide.

use std::fmt;

use env_client::{Color, Grid, Point};

use super::{Bar, Bounds, InterfaceMask, Lattice, Object, View};

/// Names of kinds, in the order they are given out; what comes after the last one shares the last sign.
const NAMES: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const NAMELESS: char = '*';
/// Grounds: the background first, then other colours by their first cells.
const GROUNDS: &[u8] = b".,:;'`-_=+";
const INTERFACE: char = '#';
/// Places written out of one kind.
const PLACES: usize = 6;

/// A view drawn as text; [`fmt::Display`] writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    rows: Vec<String>,
    lines: Vec<String>,
}

impl Sketch {
    /// Draws what is seen. Cells under the mask are interface, whatever lies there.
    pub fn of(grid: &Grid, view: &View, lattice: Option<Lattice>, mask: &InterfaceMask, bars: &[Bar]) -> Sketch {
        let legend = Legend::of(view, mask);
        let rows = match lattice {
            Some(lattice) => draw_cells(view, lattice, mask, &legend),
            None => draw_all(grid, view, mask, &legend),
        };
        let mut lines = vec![lattice.map_or_else(|| "one character a cell".to_owned(), Lattice::describe)];
        lines.extend(
            legend
                .grounds
                .iter()
                .enumerate()
                .map(|(index, color)| format!("{} ground of colour {color}", ground_sign(index))),
        );
        lines.extend(legend.kinds.iter().enumerate().map(|(index, kind)| {
            let sign = kind_sign(index);
            format!("{sign} {}", kind.describe(view, lattice))
        }));
        if !mask.is_empty() {
            lines.push(format!("{INTERFACE} interface, {} cells", mask.len()));
        }
        lines.extend(bars.iter().map(|bar| describe_bar(bar, grid)));
        Sketch { rows, lines }
    }
}

impl fmt::Display for Sketch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.iter().chain(&self.lines).try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// What each sign stands for.
struct Legend {
    grounds: Vec<Color>,
    kinds: Vec<Kind>,
    /// The sign of each object.
    signs: Vec<char>,
}

/// Objects that look alike.
struct Kind {
    looks: u64,
    members: Vec<usize>,
}

impl Legend {
    fn of(view: &View, mask: &InterfaceMask) -> Legend {
        let mut legend = Legend { grounds: vec![view.scene.background()], kinds: Vec::new(), signs: Vec::new() };
        for (index, object) in view.objects.iter().enumerate() {
            let sign = if object.is_ground {
                legend.ground(object.color)
            } else if view.cells(index).all(|cell| mask.hides(cell)) {
                INTERFACE
            } else {
                legend.kind(index, object)
            };
            legend.signs.push(sign);
        }
        legend
    }

    fn ground(&mut self, color: Color) -> char {
        let known = self.grounds.iter().position(|known| *known == color);
        ground_sign(known.unwrap_or_else(|| {
            self.grounds.push(color);
            self.grounds.len() - 1
        }))
    }

    fn kind(&mut self, index: usize, object: &Object) -> char {
        let known = self.kinds.iter().position(|kind| kind.looks == object.looks);
        let kind = known.unwrap_or_else(|| {
            self.kinds.push(Kind { looks: object.looks, members: Vec::new() });
            self.kinds.len() - 1
        });
        self.kinds[kind].members.push(index);
        kind_sign(kind)
    }
}

fn ground_sign(index: usize) -> char {
    char::from(GROUNDS[index.min(GROUNDS.len() - 1)])
}

fn kind_sign(index: usize) -> char {
    NAMES.get(index).copied().map_or(NAMELESS, char::from)
}

impl Kind {
    /// Colours, size, count and places.
    fn describe(&self, view: &View, lattice: Option<Lattice>) -> String {
        let object = &view.objects[self.members[0]];
        let mut colors: Vec<String> = vec![object.color.to_string()];
        for part in view.parts(self.members[0]) {
            let color = view.scene.components()[part].color.to_string();
            if !colors.contains(&color) {
                colors.push(color);
            }
        }
        let (width, height) = (object.bounds.width(), object.bounds.height());
        let count = if self.members.len() > 1 { format!(" x{}", self.members.len()) } else { String::new() };
        let mut places: Vec<String> =
            self.members.iter().take(PLACES).map(|member| place(view.objects[*member].bounds, lattice)).collect();
        if self.members.len() > PLACES {
            places.push(format!("{} more", self.members.len() - PLACES));
        }
        format!("colour {}, {width}x{height}, {} cells,{count} at {}", colors.join("+"), object.area, places.join(" "))
    }
}

/// The top left corner, in lattice cells where that is meant.
fn place(bounds: Bounds, lattice: Option<Lattice>) -> String {
    let cell = Point::new(bounds.left, bounds.top).ok().and_then(|corner| lattice?.cell_at(corner));
    let (x, y) = cell.unwrap_or((bounds.left, bounds.top));
    format!("({x}, {y})")
}

impl Lattice {
    fn describe(self) -> String {
        format!("one character for {0}x{0} cells, from column {1}, row {2}", self.scale, self.left, self.top)
    }
}

fn describe_bar(bar: &Bar, grid: &Grid) -> String {
    let (length, thickness) = bar.size();
    let Bounds { left, top, .. } = bar.bounds;
    let left_over =
        bar.actions_left(grid).map_or_else(String::new, |actions| format!(", enough for {actions} actions"));
    let (full, remaining) = (bar.full, bar.remaining(grid));
    format!("  bar of colour {full}, {length}x{thickness} at ({left}, {top}), {remaining} cells left{left_over}")
}

fn draw_all(grid: &Grid, view: &View, mask: &InterfaceMask, legend: &Legend) -> Vec<String> {
    let sign = |point: Point| {
        let seen = view.object_at(point).map_or(' ', |object| legend.signs[object]);
        if mask.hides(point) { INTERFACE } else { seen }
    };
    let row = |y: u8| (0..grid.width()).filter_map(|x| Point::new(x, y).ok()).map(sign).collect();
    (0..grid.height()).map(row).collect()
}

/// Each lattice cell with the sign of what takes up most of it, things before ground.
fn draw_cells(view: &View, lattice: Lattice, mask: &InterfaceMask, legend: &Legend) -> Vec<String> {
    let (width, height) = view.scene.size();
    let (columns, rows) = lattice.size(width, height);
    let row = |row: u8| (0..columns).map(|column| sign_of(view, lattice.bounds((column, row)), mask, legend)).collect();
    (0..rows).map(row).collect()
}

fn sign_of(view: &View, bounds: Bounds, mask: &InterfaceMask, legend: &Legend) -> char {
    let points = (bounds.top..=bounds.bottom).flat_map(|y| (bounds.left..=bounds.right).map(move |x| Point::new(x, y)));
    let mut counts: Vec<(bool, usize, char)> = Vec::new();
    for point in points.filter_map(Result::ok) {
        let Some(object) = view.object_at(point) else { continue };
        let seen = (!view.objects[object].is_ground, legend.signs[object]);
        let (thing, sign) = if mask.hides(point) { (true, INTERFACE) } else { seen };
        match counts.iter_mut().find(|(_, _, known)| *known == sign) {
            Some((_, count, _)) => *count += 1,
            None => counts.push((thing, 1, sign)),
        }
    }
    // A thing that fills a quarter of the cell is what the cell shows: small pieces stand on their ground.
    let quarter = usize::from(bounds.width()) * usize::from(bounds.height()) / 4;
    let things = counts.iter().filter(|(thing, count, _)| *thing && *count >= quarter);
    let most = things.max_by_key(|(_, count, _)| *count).or_else(|| counts.iter().max_by_key(|(_, count, _)| *count));
    most.map_or(' ', |(_, _, sign)| *sign)
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::perception::Bonds;

    fn framed(picture: &str) -> Grid {
        let mut rows = vec!["0".repeat(20); 10];
        for (row, line) in rows[2..].iter_mut().zip(picture.lines()) {
            row.replace_range(2..2 + line.len(), line);
        }
        rows.join("\n").parse().unwrap()
    }

    #[test]
    fn things_are_named_by_their_looks_and_interface_is_marked() {
        let grid = framed("1100220022\n1000000000\n0000003300\n0000003300");
        let mut mask = InterfaceMask::new();
        mask.hide_all(Bounds { left: 0, top: 9, right: 19, bottom: 9 });
        let view = View::of(&grid, None, &Bonds::default());
        assert_snapshot!(Sketch::of(&grid, &view, None, &mask, &[]), @"
        ....................
        ....................
        ..AA..BB..BB........
        ..A.................
        ........CC..........
        ........CC..........
        ....................
        ....................
        ....................
        ####################
        one character a cell
        . ground of colour 0
        A colour 1, 2x2, 3 cells, at (2, 2)
        B colour 2, 2x1, 2 cells, x2 at (6, 2) (10, 2)
        C colour 3, 2x2, 4 cells, at (8, 4)
        # interface, 20 cells
        ");
    }

    #[test]
    fn a_lattice_makes_it_small() {
        let grid = framed("0011002222\n0011002222\n0000000000\n0000000000\n3344000000\n3344000000");
        let lattice = Some(Lattice { scale: 2, left: 0, top: 0 });
        let view = View::of(&grid, lattice, &Bonds::default());
        assert_snapshot!(Sketch::of(&grid, &view, lattice, &InterfaceMask::new(), &[]), @"
        ..........
        ..A.BB....
        ..........
        .CD.......
        ..........
        one character for 2x2 cells, from column 0, row 0
        . ground of colour 0
        A colour 1, 2x2, 4 cells, at (2, 1)
        B colour 2, 4x2, 8 cells, at (4, 1)
        C colour 3, 2x2, 4 cells, at (1, 3)
        D colour 4, 2x2, 4 cells, at (2, 3)
        ");
    }
}
