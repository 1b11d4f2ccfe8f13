//! The whole play in one line.

use env_client::{Command, Status};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Color as Ink, Modifier, Style},
    widgets::Widget,
};

use crate::replay::Index;

/// The steps of a play from left to right, and where it is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Timeline<'a> {
    /// The play.
    pub index: &'a Index,
    /// The step that is shown.
    pub step: usize,
}

/// What a place of the line tells; of several events the last one here wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    Nothing,
    Reset,
    Surprise,
    Unknown,
    GameOver,
    LevelUp,
}

impl Sign {
    fn of(index: &Index, step: usize) -> Sign {
        let Some(mark) = index.marks.get(step) else { return Sign::Nothing };
        match () {
            () if index.is_level_up(step) => Sign::LevelUp,
            () if mark.status == Status::GameOver && !mark.is_unknown => Sign::GameOver,
            () if mark.is_unknown => Sign::Unknown,
            () if mark.is_surprise => Sign::Surprise,
            () if mark.command == Some(Command::Reset) && step > 0 => Sign::Reset,
            () => Sign::Nothing,
        }
    }

    const fn letter(self) -> char {
        match self {
            Sign::Nothing => '─',
            Sign::Reset => 'r',
            Sign::Surprise => '!',
            Sign::Unknown => '?',
            Sign::GameOver => 'x',
            Sign::LevelUp => '▲',
        }
    }

    const fn ink(self) -> Ink {
        match self {
            Sign::Nothing => Ink::DarkGray,
            Sign::Reset => Ink::Cyan,
            Sign::Surprise => Ink::Yellow,
            Sign::Unknown => Ink::Magenta,
            Sign::GameOver => Ink::Red,
            Sign::LevelUp => Ink::Green,
        }
    }
}

/// The column of a step on a line of `width` characters.
fn column(step: usize, last: usize, width: u16) -> u16 {
    let span = usize::from(width.saturating_sub(1));
    (step.min(last) * span).checked_div(last).unwrap_or(0) as u16
}

/// The step at a column, which is the first of those that share it.
pub fn step_at(column: u16, last: usize, width: u16) -> usize {
    match usize::from(width.saturating_sub(1)) {
        0 => 0,
        span => (usize::from(column) * last).div_ceil(span).min(last),
    }
}

impl Timeline<'_> {
    fn signs(&self, width: u16) -> Vec<Sign> {
        let mut signs = vec![Sign::Nothing; width.into()];
        let last = self.index.last_step().unwrap_or(0);
        for step in 0..self.index.marks.len() {
            let sign = Sign::of(self.index, step);
            let at = &mut signs[usize::from(column(step, last, width))];
            *at = sign.max(*at);
        }
        signs
    }
}

impl Widget for Timeline<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let here = column(self.step, self.index.last_step().unwrap_or(0), area.width);
        for (at, sign) in (0..).zip(self.signs(area.width)) {
            let letter = if at == here && sign == Sign::Nothing { '●' } else { sign.letter() };
            let style = Style::new().fg(if at == here { Ink::White } else { sign.ink() });
            let modifier = if at == here { Modifier::REVERSED } else { Modifier::empty() };
            if let Some(cell) = buffer.cell_mut((area.x + at, area.y)) {
                cell.set_char(letter).set_style(style.add_modifier(modifier));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::tests::index;

    fn line(steps: usize, step: usize, width: u16) -> String {
        let index = index(steps);
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, 1));
        Timeline { index: &index, step }.render(buffer.area, &mut buffer);
        (0..width).map(|x| buffer[(x, 0)].symbol()).collect()
    }

    #[test]
    fn events_have_their_signs() {
        assert_eq!(line(13, 3, 13), "───●─▲?─!─▲─x");
        assert_eq!(line(13, 0, 5), "●▲?▲x");
    }

    #[test]
    fn a_column_leads_back_to_its_steps() {
        for (last, width) in [(7usize, 80u16), (500, 76), (99_999, 40)] {
            for at in 0..width.min(last as u16) {
                let step = step_at(at, last, width);
                assert!(step <= last && column(step, last, width) >= at.min(width - 1) || last < width.into());
            }
            assert_eq!((step_at(0, last, width), step_at(width - 1, last, width)), (0, last));
        }
        assert_eq!((step_at(5, 0, 10), step_at(0, 9, 1)), (0, 0));
    }
}
