//! Plain text tables: columns aligned by spaces, no frame, so that they read well and cut well.

use std::fmt;

/// Where a column's cells lean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Texts.
    Left,
    /// Numbers.
    Right,
}

/// Rows under a heading.
#[derive(Clone, Debug)]
pub struct Table {
    aligns: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    pub fn new(columns: &[(&str, Align)]) -> Table {
        let heading = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        Table { aligns: columns.iter().map(|(_, align)| *align).collect(), rows: vec![heading] }
    }

    /// Adds a row; missing cells are empty.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    fn width(&self, column: usize) -> usize {
        let widths = self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        widths.max().unwrap_or(0)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths: Vec<usize> = (0..self.aligns.len()).map(|column| self.width(column)).collect();
        for row in &self.rows {
            let cells = row.iter().zip(&widths).zip(&self.aligns).map(|((cell, &width), align)| match align {
                Align::Left => format!("{cell:<width$}"),
                Align::Right => format!("{cell:>width$}"),
            });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

/// Words joined by two spaces, broken before a line grows past 80 columns; later lines are indented like the first.
pub fn wrap(indent: &str, words: &[String]) -> String {
    const COLUMNS: usize = 80;
    let mut lines = vec![indent.to_owned()];
    for word in words {
        let line = lines.last().map_or(0, |line| line.chars().count());
        let fresh = line == indent.chars().count();
        if !fresh && line + 2 + word.chars().count() > COLUMNS {
            lines.push(format!("{indent}{word}"));
        } else if let Some(line) = lines.last_mut() {
            line.push_str(if fresh { "" } else { "  " });
            line.push_str(word);
        }
    }
    lines.join("\n")
}

/// A percentage with as many digits as its size deserves: a hundredth of a percent is a result here.
pub fn percent(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        value if value.abs() < 0.1 => format!("{value:.4}"),
        value => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_no_line_ends_in_spaces() {
        let mut table = Table::new(&[("game", Align::Left), ("levels", Align::Right), ("stop", Align::Left)]);
        table.row(["ab01".into(), "3/6".into(), "budget".into()]);
        table.row(["größer".into(), "12/12".into()]);
        insta::assert_snapshot!(table, @r"
        game    levels  stop
        ab01       3/6  budget
        größer   12/12
        ");
    }

    #[test]
    fn long_lists_break_at_80_columns() {
        let words: Vec<String> = (1..=12).map(|level| format!("{level}: 10/20 57.4")).collect();
        let text = wrap("    ", &words);
        assert!(text.lines().all(|line| line.len() <= 80 && line.starts_with("    ")), "{text}");
        assert_eq!(text.lines().count(), 3);
    }

    #[test]
    fn small_scores_keep_their_digits() {
        assert_eq!([0.0, 0.0042, 12.3456, 100.0].map(percent), ["0", "0.0042", "12.35", "100.00"]);
    }
}
