//! Reads a line of a recording without building its grids.
//!
//! Nearly all of a line is digits of grids. [`outline`] checks them where they stand and puts a grid of one cell in the
//! place of each, which leaves a line that says the same but for its pictures and is read in microseconds. Whatever is
//! not plainly a list of grids stays as it is, for the reader to take or to explain: so there is one set of rules
//! about what an entry is, in `env_client`.

use std::sync::LazyLock;

use env_client::SIDE;
use memchr::memmem::Finder;

/// How the grids are announced. Inside of a string the quotes would be escaped.
static FRAME: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\"frame\""));

/// Writes `line` to `out` with grids of one cell.
pub(super) fn outline(line: &[u8], out: &mut Vec<u8>) {
    out.clear();
    let mut rest = line;
    while let Some(at) = FRAME.find(rest) {
        let (before, after) = rest.split_at(at + FRAME.needle().len());
        out.extend_from_slice(before);
        let mut scanner = Scanner(after);
        rest = match scanner.frame() {
            Some(layers) => {
                stand_in(layers, out);
                scanner.0
            }
            None => after,
        };
    }
    out.extend_from_slice(rest);
}

fn stand_in(layers: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(b":[");
    for layer in 0..layers {
        out.extend_from_slice(if layer == 0 { b"[[0]]" } else { b",[[0]]" });
    }
    out.push(b']');
}

/// What is left of a text. Each method moves past what it is named after, or gives `None`.
struct Scanner<'a>(&'a [u8]);

impl Scanner<'_> {
    /// `: [grid, …]`, giving the number of grids.
    fn frame(&mut self) -> Option<usize> {
        self.skip_blanks();
        self.byte(b':')?;
        self.skip_blanks();
        self.list(Self::grid)
    }

    /// Rows of one width.
    fn grid(&mut self) -> Option<()> {
        let mut width = None;
        let height = self.list(|scanner| {
            let found = scanner.list(Self::cell).filter(|found| is_side(*found))?;
            (*width.get_or_insert(found) == found).then_some(())
        })?;
        is_side(height).then_some(())
    }

    /// `0` to `15`.
    fn cell(&mut self) -> Option<()> {
        let length = match *self.0 {
            [b'1', b'0'..=b'5', ref rest @ ..] if !rest.first().is_some_and(u8::is_ascii_digit) => 2,
            [b'0'..=b'9', ref rest @ ..] if !rest.first().is_some_and(u8::is_ascii_digit) => 1,
            _ => return None,
        };
        self.0 = &self.0[length..];
        Some(())
    }

    /// `[item, …]`, giving the number of items.
    fn list(&mut self, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<usize> {
        self.byte(b'[')?;
        self.skip_blanks();
        if self.byte(b']').is_some() {
            return Some(0);
        }
        for count in 1.. {
            item(self)?;
            self.skip_blanks();
            if self.byte(b']').is_some() {
                return Some(count);
            }
            self.byte(b',')?;
            self.skip_blanks();
        }
        None
    }

    fn byte(&mut self, wanted: u8) -> Option<()> {
        self.0 = self.0.strip_prefix(&[wanted])?;
        Some(())
    }

    fn skip_blanks(&mut self) {
        while let [b' ' | b'\t' | b'\r', rest @ ..] = self.0 {
            self.0 = rest;
        }
    }
}

fn is_side(cells: usize) -> bool {
    (1..=usize::from(SIDE)).contains(&cells)
}

#[cfg(test)]
mod tests {
    use env_client::{
        Color, Grid,
        recording::{Entry, Event},
    };
    use proptest::prelude::*;

    use super::*;

    fn outlined(line: &str) -> String {
        let mut out = Vec::new();
        outline(line.as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn grids_shrink_to_one_cell_and_the_rest_stays() {
        let line = r#"{"a":1,"frame": [[[0, 15], [1, 2]], [[3]]] ,"why":"\"frame\":[[[1,2]]]"}"#;
        assert_eq!(outlined(line), r#"{"a":1,"frame":[[[0]],[[0]]] ,"why":"\"frame\":[[[1,2]]]"}"#);
        assert_eq!(outlined(r#"{"frame":[],"b":2}"#), r#"{"frame":[],"b":2}"#);
    }

    #[test]
    fn what_is_no_list_of_grids_stays_for_the_reader_to_explain() {
        for frame in
            ["[[[16]]]", "[[[1],[1,2]]]", "[[[01]]]", "[[]]", "[[[1]", "[[[1,]]]", "[[[-1]]]", "null", "[[[1.5]]]"]
        {
            let line = format!(r#"{{"frame":{frame}}}"#);
            assert_eq!(outlined(&line), line);
        }
        let wide = format!(r#"{{"frame":[[[{}0]]]}}"#, "0,".repeat(64));
        assert_eq!(outlined(&wide), wide);
    }

    /// The entry with each grid replaced as an outline does.
    fn without_cells(entry: Entry) -> Entry {
        let Event::Seen { input, mut observation } = entry.event else { return entry };
        observation.layers.iter_mut().for_each(|layer| *layer = Grid::filled(1, 1, Color::of(0)));
        Entry { event: Event::Seen { input, observation }, ..entry }
    }

    proptest! {
        #[test]
        fn an_outline_reads_as_the_line_does(
            at in 0usize..300, byte in any::<u8>(), width in 1usize..4, height in 1usize..4, layers in 0usize..4,
        ) {
            prop_assume!(byte != b'\n', "a line holds none");
            let row = format!("[{}7]", "10, ".repeat(width - 1));
            let grid = format!("[{}]", vec![row; height].join(","));
            let frame = format!("[{}]", vec![grid; layers].join(", "));
            let mut line = format!(
                r#"{{"timestamp":"2026-01-01T00:00:00+00:00","data":{{"game_id":"a","guid":"g","frame":{frame},"state":"WIN","action_input":{{"id":1}}}}}}"#
            ).into_bytes();
            let length = line.len();
            line[at % length] = byte;
            let mut short = Vec::new();
            outline(&line, &mut short);
            let (whole, short) = (Entry::read(&line, 1, 0), Entry::read(&short, 1, 0));
            prop_assert_eq!(whole.ok().map(without_cells), short.ok());
        }
    }
}
