//! Grids as JSON text, written without a detour: they are nearly all of what a server sends and a recording keeps.

use crate::{Color, Grid};

/// The text of two neighbouring cells with their commas, `"0,0,"` to `"15,15,"`, and its length.
#[derive(Clone, Copy)]
struct Pair {
    text: [u8; 6],
    length: usize,
}

/// By 16 times the left colour plus the right one.
static PAIRS: [Pair; Color::COUNT * Color::COUNT] = {
    let mut pairs = [Pair { text: [0; 6], length: 0 }; Color::COUNT * Color::COUNT];
    let mut index = 0;
    while index < pairs.len() {
        pairs[index] = pairs[index].then(index / Color::COUNT).then(index % Color::COUNT);
        index += 1;
    }
    pairs
};

impl Pair {
    /// With one cell more.
    const fn then(mut self, color: usize) -> Pair {
        if color >= 10 {
            self.text[self.length] = b'1';
            self.length += 1;
        }
        self.text[self.length] = b'0' + (color % 10) as u8;
        self.text[self.length + 1] = b',';
        self.length += 2;
        self
    }
}

/// Appends grids as the protocol writes them: a list of lists of rows of numbers.
pub(crate) fn write_layers(out: &mut Vec<u8>, layers: &[Grid]) {
    write_list(out, layers, write_grid);
}

fn write_grid(out: &mut Vec<u8>, grid: &Grid) {
    out.reserve(grid.cells().len() * 3 + usize::from(grid.height()) * 3);
    let mut last: Option<(&[Color], usize)> = None;
    write_list(out, grid.rows(), |out, row| {
        let start = out.len();
        match last {
            // Frames are scaled up, so most rows repeat the one above.
            Some((above, text)) if above == row => out.extend_from_within(text..start - 1),
            _ => write_row(out, row),
        }
        last = Some((row, start));
    });
}

fn write_row(out: &mut Vec<u8>, row: &[Color]) {
    out.push(b'[');
    let (pairs, single) = row.as_chunks::<2>();
    for [left, right] in pairs {
        let pair = &PAIRS[left.index() * Color::COUNT + right.index()];
        out.extend_from_slice(&pair.text);
        out.truncate(out.len() - pair.text.len() + pair.length);
    }
    for color in single {
        let pair = &PAIRS[color.index()];
        // The left cell of that pair is colour 0, which takes two bytes.
        out.extend_from_slice(&pair.text[2..pair.length]);
    }
    close(out);
}

fn write_list<Item>(out: &mut Vec<u8>, items: impl IntoIterator<Item = Item>, mut one: impl FnMut(&mut Vec<u8>, Item)) {
    out.push(b'[');
    for item in items {
        one(out, item);
        out.push(b',');
    }
    close(out);
}

/// Ends a list, whose last item left a comma.
fn close(out: &mut Vec<u8>) {
    match out.last_mut() {
        Some(last) if *last == b',' => *last = b']',
        _ => out.push(b']'),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_writes_what_serde_would(
            grids in prop::collection::vec((1u8..=64, 1u8..=64, 1usize..5, any::<u32>()), 0..4),
        ) {
            let paint = |(width, height, repeat, seed): (u8, u8, usize, u32)| {
                let mut grid = Grid::filled(width, height, Color::default());
                for (y, row) in grid.cells_mut().chunks_mut(usize::from(width)).enumerate() {
                    for (x, cell) in row.iter_mut().enumerate() {
                        let noise = ((x + 31 * (y / repeat)) as u32).wrapping_mul(2_654_435_761) ^ seed;
                        *cell = Color::ALL[(noise >> 7) as usize % Color::COUNT];
                    }
                }
                grid
            };
            let grids: Vec<Grid> = grids.into_iter().map(paint).collect();
            let mut out = Vec::new();
            write_layers(&mut out, &grids);
            prop_assert_eq!(String::from_utf8(out).unwrap(), serde_json::to_string(&grids).unwrap());
        }
    }
}
