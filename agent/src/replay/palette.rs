//! How the sixteen colours look on a terminal.

use env_client::Color;
use ratatui::style::Color as Ink;

/// What a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The palette itself.
    True,
    /// The 240 fixed colours of xterm.
    Indexed,
    /// The sixteen that every terminal has, whose exact shade is the person's choice.
    Basic,
    /// No colours.
    None,
}

impl Depth {
    /// What the environment says of the terminal, by the conventions of `NO_COLOR`, `COLORTERM` and `TERM`.
    pub fn detect<'a>(variable: impl Fn(&str) -> Option<&'a str>) -> Depth {
        let term = variable("TERM").unwrap_or_default();
        if variable("NO_COLOR").is_some_and(|text| !text.is_empty()) || term == "vt100" || term.ends_with("-mono") {
            return Depth::None;
        }
        let promise = variable("COLORTERM").unwrap_or_default();
        match () {
            () if matches!(promise, "truecolor" | "24bit") || term.ends_with("-direct") => Depth::True,
            () if term.contains("256color") => Depth::Indexed,
            () => Depth::Basic,
        }
    }

    /// A colour of the game.
    pub fn ink(self, color: Color) -> Ink {
        self.shade(color.rgb(), BASIC[color.index()])
    }

    /// A colour of the game, tinted so that the cell stands out.
    pub fn tinted(self, color: Color, tint: Tint) -> Ink {
        let rgb = color.rgb();
        let contrast = if is_light(rgb) { [0; 3] } else { [255; 3] };
        let against = if is_light(rgb) { Ink::Black } else { Ink::White };
        match tint {
            Tint::Plain => self.ink(color),
            Tint::Changed => self.shade(blend(rgb, contrast, 40), against),
            Tint::Marked => self.shade(blend(rgb, contrast, 85), against),
            Tint::Object => self.shade(blend(rgb, [255, 220, 0], 60), Ink::Yellow),
            Tint::Mask => self.shade(blend(rgb, [90, 90, 100], 70), Ink::DarkGray),
        }
    }

    /// The colour itself, or the nearest that can be shown; `basic` among the sixteen of every terminal.
    pub fn shade(self, rgb: [u8; 3], basic: Ink) -> Ink {
        match self {
            Depth::True => Ink::Rgb(rgb[0], rgb[1], rgb[2]),
            Depth::Indexed => Ink::Indexed(nearest(rgb)),
            Depth::Basic => basic,
            Depth::None => Ink::Reset,
        }
    }
}

/// Why a cell stands out; of several reasons the last one wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tint {
    /// It does not.
    #[default]
    Plain,
    /// The agent takes it for interface.
    Mask,
    /// It is the edge of something the agent sees as one.
    Object,
    /// It differs from what stood there before.
    Changed,
    /// It is next to a click.
    Marked,
}

/// Whether black is seen better on it than white, by the luma of Rec. 601.
fn is_light(rgb: [u8; 3]) -> bool {
    let [red, green, blue] = rgb.map(u32::from);
    299 * red + 587 * green + 114 * blue > 128_000
}

/// `share` percent of the way from one colour to another.
fn blend(from: [u8; 3], to: [u8; 3], share: u16) -> [u8; 3] {
    let mix = |from: u8, to: u8| ((u16::from(from) * (100 - share) + u16::from(to) * share) / 100) as u8;
    [mix(from[0], to[0]), mix(from[1], to[1]), mix(from[2], to[2])]
}

/// One of the sixteen for each colour, so that no two cells of different colour look alike: a grey takes the place of
/// a hue where six greys meet four.
const BASIC: [Ink; Color::COUNT] = [
    Ink::White,
    Ink::Gray,
    Ink::Cyan,
    Ink::DarkGray,
    Ink::Green,
    Ink::Black,
    Ink::Magenta,
    Ink::LightMagenta,
    Ink::LightRed,
    Ink::LightBlue,
    Ink::LightCyan,
    Ink::LightYellow,
    Ink::Yellow,
    Ink::Red,
    Ink::LightGreen,
    Ink::Blue,
];

/// The steps of a channel in the colour cube of xterm (`256colres.pl` in its source).
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The nearest of xterm's cube (16 to 231) and greys (232 to 255).
fn nearest(rgb: [u8; 3]) -> u8 {
    let cube = (16..=231).map(|index| {
        let at = index - 16;
        (index, [CUBE[usize::from(at / 36)], CUBE[usize::from(at / 6 % 6)], CUBE[usize::from(at % 6)]])
    });
    let greys = (232..=255).map(|index| (index, [8 + 10 * (index - 232); 3]));
    let distance =
        |other: [u8; 3]| -> u32 { rgb.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum() };
    cube.chain(greys).min_by_key(|(_, other)| distance(*other)).map_or(0, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn detect(variables: &[(&str, &'static str)]) -> Depth {
        Depth::detect(|name| variables.iter().find(|(other, _)| *other == name).map(|(_, value)| *value))
    }

    #[test]
    fn the_environment_says_how_many_colours_there_are() {
        assert_eq!(detect(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")]), Depth::True);
        assert_eq!(detect(&[("TERM", "tmux-256color")]), Depth::Indexed);
        assert_eq!(detect(&[("TERM", "xterm")]), Depth::Basic);
        assert_eq!(detect(&[("TERM", "xterm-256color"), ("NO_COLOR", "1")]), Depth::None);
        assert_eq!(detect(&[("TERM", "xterm-256color"), ("NO_COLOR", "")]), Depth::Indexed);
        assert_eq!(detect(&[("TERM", "vt100")]), Depth::None);
    }

    #[test]
    fn no_two_colours_look_alike() {
        for depth in [Depth::True, Depth::Indexed, Depth::Basic] {
            let inks: HashSet<Ink> = Color::ALL.map(|color| depth.ink(color)).into();
            assert_eq!(inks.len(), Color::COUNT, "{depth:?}");
        }
    }

    #[test]
    fn the_nearest_of_256_is_near() {
        assert_eq!([nearest([0; 3]), nearest([255; 3]), nearest([255, 0, 0]), nearest([0x99; 3])], [16, 231, 196, 246]);
    }
}
