//! ARC grids side by side on a terminal, or as digits where there are no colours.

use std::fmt;

use env_client::{Color, Grid};
use ratatui::{
    backend::IntoCrossterm,
    style::{Color as Ink, Style},
};

use crate::replay::palette::Depth;

/// Columns between grids that belong together.
const GAP: usize = 2;

/// Columns between groups of them.
const WIDE_GAP: usize = 6;

/// The colours in which ARC-AGI-1 and 2 are shown (github.com/fchollet/ARC-AGI, `apps/css/common.css`), with the nearest
/// of the sixteen that every terminal has.
const PALETTE: [([u8; 3], Ink); solver::COLORS] = [
    ([0x00, 0x00, 0x00], Ink::Black),
    ([0x00, 0x74, 0xD9], Ink::Blue),
    ([0xFF, 0x41, 0x36], Ink::LightRed),
    ([0x2E, 0xCC, 0x40], Ink::Green),
    ([0xFF, 0xDC, 0x00], Ink::LightYellow),
    ([0xAA, 0xAA, 0xAA], Ink::Gray),
    ([0xF0, 0x12, 0xBE], Ink::LightMagenta),
    ([0xFF, 0x85, 0x1B], Ink::Yellow),
    ([0x7F, 0xDB, 0xFF], Ink::LightCyan),
    ([0x87, 0x0C, 0x25], Ink::Red),
];

/// A grid under its captions.
#[derive(Clone, Debug)]
pub struct Panel<'a> {
    /// Lines above it.
    pub captions: Vec<String>,
    /// Nothing where there is no grid to show.
    pub grid: Option<&'a Grid>,
}

/// Groups of panels from left to right, continued below where the line is full.
#[derive(Clone, Debug)]
pub struct Drawing<'a> {
    /// Panels that stay together.
    pub groups: Vec<Vec<Panel<'a>>>,
    /// What the terminal can show.
    pub depth: Depth,
    /// How wide it is.
    pub columns: usize,
}

impl Panel<'_> {
    fn width(&self) -> usize {
        let captions = self.captions.iter().map(|caption| caption.chars().count());
        captions.chain(self.grid.map(|grid| grid.width().into())).max().unwrap_or(0)
    }

    /// Its lines, each as wide as the panel.
    fn lines(&self, captions: usize, depth: Depth) -> Vec<String> {
        let width = self.width();
        let blank = captions - self.captions.len();
        let above = self.captions.iter().map(|caption| format!("{caption:width$}"));
        let mut lines: Vec<String> = above.chain(std::iter::repeat_n(" ".repeat(width), blank)).collect();
        if let Some(grid) = self.grid {
            let fill = " ".repeat(width - usize::from(grid.width()));
            lines.extend(rows(grid, depth).into_iter().map(|row| row + &fill));
        }
        lines
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = &self.groups[..];
        while !rest.is_empty() {
            let (line, more) = rest.split_at(self.fitting(rest));
            write_line(f, line, self.depth)?;
            rest = more;
        }
        Ok(())
    }
}

impl Drawing<'_> {
    /// How many groups fit on a line: at least one.
    fn fitting(&self, groups: &[Vec<Panel<'_>>]) -> usize {
        let mut end = 0;
        let fits = groups.iter().take_while(|group| {
            end += width(group);
            let fits = end <= self.columns;
            end += WIDE_GAP;
            fits
        });
        fits.count().max(1)
    }
}

fn width(group: &[Panel<'_>]) -> usize {
    group.iter().map(Panel::width).sum::<usize>() + GAP * group.len().saturating_sub(1)
}

fn write_line(f: &mut fmt::Formatter<'_>, groups: &[Vec<Panel<'_>>], depth: Depth) -> fmt::Result {
    let panels: Vec<&Panel<'_>> = groups.iter().flatten().collect();
    let captions = panels.iter().map(|panel| panel.captions.len()).max().unwrap_or(0);
    let drawn: Vec<Vec<String>> = panels.iter().map(|panel| panel.lines(captions, depth)).collect();
    for line in 0..drawn.iter().map(Vec::len).max().unwrap_or(0) {
        let mut text = String::new();
        let mut cells = panels.iter().zip(&drawn);
        for group in groups {
            for (panel, lines) in cells.by_ref().take(group.len()) {
                text += lines.get(line).unwrap_or(&" ".repeat(panel.width()));
                text += &" ".repeat(GAP);
            }
            text += &" ".repeat(WIDE_GAP - GAP);
        }
        writeln!(f, "{}", text.trim_end())?;
    }
    writeln!(f)
}

/// The rows of a grid: two cells a character, or one digit a cell.
fn rows(grid: &Grid, depth: Depth) -> Vec<String> {
    if depth == Depth::None {
        return grid.to_string().lines().map(str::to_owned).collect();
    }
    let rows: Vec<&[Color]> = grid.rows().collect();
    let halves = |pair: &[&[Color]]| {
        let below = |x: usize| pair.get(1).map(|row| row[x]);
        pair[0].iter().enumerate().map(|(x, above)| half_block(*above, below(x), depth)).collect()
    };
    rows.chunks(2).map(halves).collect()
}

fn half_block(above: Color, below: Option<Color>, depth: Depth) -> String {
    let mut style = Style::new().fg(ink(above, depth));
    style.bg = below.map(|color| ink(color, depth));
    style.into_crossterm().apply('▀').to_string()
}

/// Tasks hold ten colours; others would be shown as games show them.
fn ink(color: Color, depth: Depth) -> Ink {
    PALETTE.get(color.index()).map_or_else(|| depth.ink(color), |(rgb, basic)| depth.shade(*rgb, *basic))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn panel<'a>(caption: &str, grid: &'a Grid) -> Panel<'a> {
        Panel { captions: vec![caption.to_owned()], grid: Some(grid) }
    }

    #[test]
    fn groups_stand_side_by_side_until_the_line_is_full() {
        let (small, wide): (Grid, Grid) = ("12\n34".parse().unwrap(), "0000000000".parse().unwrap());
        let group = || vec![panel("input", &small), panel("output", &wide)];
        let text = Drawing { groups: vec![group(), group(), group()], depth: Depth::None, columns: 50 }.to_string();
        insta::assert_snapshot!(text, @r"
        input  output          input  output
        12     0000000000      12     0000000000
        34                     34

        input  output
        12     0000000000
        34
        ");
    }

    #[test]
    fn two_cells_share_a_character_where_there_are_colours() {
        // Whatever NO_COLOR says where the test runs.
        ratatui::crossterm::style::force_color_output(true);
        let grid: Grid = "1\n2\n3".parse().unwrap();
        let rows = rows(&grid, Depth::True);
        assert_eq!(rows.len(), 2);
        assert!(rows[0].contains("38;2;0;116;217") && rows[0].contains("48;2;255;65;54"), "{:?}", rows[0]);
        assert!(rows[1].contains("38;2;46;204;64") && !rows[1].contains("48;"), "{:?}", rows[1]);
    }

    #[test]
    fn no_two_colours_look_alike() {
        for depth in [Depth::True, Depth::Indexed, Depth::Basic] {
            let inks: HashSet<Ink> = Color::ALL[..solver::COLORS].iter().map(|color| ink(*color, depth)).collect();
            assert_eq!(inks.len(), solver::COLORS, "{depth:?}");
        }
    }
}
