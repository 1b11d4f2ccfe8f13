//! One of the sixteen colours a cell can have.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A colour index, `0..=15`.
///
/// What a colour *means* differs from game to game; nothing that plays may attach a meaning to a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u8")]
pub struct Color(u8);

/// A number that is no colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("colour {0} does not exist, expected 0 to 15")]
pub struct ColorError(pub u64);

/// The palette of the official web player, by colour index.
const PALETTE: [[u8; 3]; Color::COUNT] = [
    [0xFF, 0xFF, 0xFF],
    [0xCC, 0xCC, 0xCC],
    [0x99, 0x99, 0x99],
    [0x66, 0x66, 0x66],
    [0x33, 0x33, 0x33],
    [0x00, 0x00, 0x00],
    [0xE5, 0x3A, 0xA3],
    [0xFF, 0x7B, 0xCC],
    [0xF9, 0x3C, 0x31],
    [0x1E, 0x93, 0xFF],
    [0x88, 0xD8, 0xF1],
    [0xFF, 0xDC, 0x00],
    [0xFF, 0x85, 0x1B],
    [0x92, 0x12, 0x31],
    [0x4F, 0xCC, 0x30],
    [0xA3, 0x56, 0xD6],
];

impl Color {
    /// How many colours there are.
    pub const COUNT: usize = 16;

    /// Every colour, in order.
    pub const ALL: [Color; Self::COUNT] = {
        let mut all = [Color(0); Self::COUNT];
        let mut index = 0;
        while index < Self::COUNT {
            all[index] = Color(index as u8);
            index += 1;
        }
        all
    };

    /// The colour with this index, known at compile time.
    ///
    /// # Panics
    /// When `index` is above 15; in a `const` that is a compile error.
    pub const fn of(index: u8) -> Color {
        assert!((index as usize) < Self::COUNT, "a colour is 0 to 15");
        Color(index)
    }

    /// Its index, `0..=15`.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its place in the palette of the official web player, as red, green, blue.
    pub const fn rgb(self) -> [u8; 3] {
        PALETTE[self.index()]
    }
}

impl TryFrom<u64> for Color {
    type Error = ColorError;

    fn try_from(value: u64) -> Result<Self, ColorError> {
        match u8::try_from(value) {
            Ok(index) if usize::from(index) < Self::COUNT => Ok(Color(index)),
            _ => Err(ColorError(value)),
        }
    }
}

impl From<Color> for u8 {
    #[inline]
    fn from(color: Color) -> u8 {
        color.0
    }
}

/// One hexadecimal digit, so that a row of a grid is as wide as its cells.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}", self.0)
    }
}
