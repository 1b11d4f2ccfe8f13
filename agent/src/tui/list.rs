//! The list of a folder of recordings.

use std::{cmp::Ordering, path::PathBuf};

use ratatui::{
    buffer::Buffer,
    crossterm::event::{KeyCode, KeyEvent},
    layout::{Constraint, Rect},
    style::{Color as Ink, Modifier, Style, Stylize},
    text::Line,
    widgets::{Row, StatefulWidget, Table, TableState, Widget},
};

use super::prompt::Prompt;
use crate::{replay::Summary, table::percent};

/// What the list is sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The game.
    Game,
    /// Who played.
    Policy,
    /// Levels solved.
    Levels,
    /// Actions spent.
    Actions,
    /// The score.
    Score,
    /// When it began.
    Time,
}

impl Column {
    const ALL: [Column; 6] =
        [Column::Game, Column::Policy, Column::Levels, Column::Actions, Column::Score, Column::Time];

    const fn name(self) -> &'static str {
        match self {
            Column::Game => "game",
            Column::Policy => "policy",
            Column::Levels => "levels",
            Column::Actions => "actions",
            Column::Score => "score %",
            Column::Time => "time",
        }
    }

    fn beside(self, by: usize) -> Column {
        let here = Column::ALL.iter().position(|column| *column == self).unwrap_or(0);
        Column::ALL[(here + by) % Column::ALL.len()]
    }

    fn compare(self, a: &Summary, b: &Summary) -> Ordering {
        match self {
            Column::Game => a.game.cmp(&b.game),
            Column::Policy => a.policy.cmp(&b.policy),
            Column::Levels => a.levels_completed.cmp(&b.levels_completed),
            Column::Actions => a.actions.cmp(&b.actions),
            Column::Score => a.score.unwrap_or(-1.0).total_cmp(&b.score.unwrap_or(-1.0)),
            Column::Time => a.started.cmp(&b.started),
        }
    }
}

/// What came of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// Nothing yet.
    Nothing,
    /// A recording.
    Recording(PathBuf),
    /// To leave.
    Leave,
}

/// The state of the list.
#[derive(Clone, Debug)]
pub struct List {
    rows: Vec<Summary>,
    /// How many recordings there are, with those that are still being read.
    pub expected: usize,
    filter: Prompt,
    sort: Column,
    descending: bool,
    selected: usize,
}

impl List {
    /// A list of so many recordings, none of which was read.
    pub fn new(expected: usize) -> List {
        let (rows, filter) = (Vec::new(), Prompt::default());
        List { rows, expected, filter, sort: Column::Time, descending: true, selected: 0 }
    }

    /// Another recording was read.
    pub fn add(&mut self, summary: Summary) {
        self.rows.push(summary);
    }

    /// The rows that are shown, in order.
    pub fn visible(&self) -> Vec<&Summary> {
        let needle = self.filter.text().to_lowercase();
        let holds = |text: &Option<String>| text.as_ref().is_some_and(|text| text.to_lowercase().contains(&needle));
        let wanted = |row: &&Summary| {
            needle.is_empty() || holds(&row.game) || holds(&row.policy) || row.file.to_lowercase().contains(&needle)
        };
        let mut rows: Vec<&Summary> = self.rows.iter().filter(wanted).collect();
        rows.sort_by(|a, b| {
            let order = self.sort.compare(a, b);
            let order = if self.descending { order.reverse() } else { order };
            order.then_with(|| a.file.cmp(&b.file))
        });
        rows
    }

    /// Does what a key says: letters filter, arrows move, tab sorts, enter opens.
    pub fn key(&mut self, key: KeyEvent) -> Chosen {
        let last = self.visible().len().saturating_sub(1);
        match key.code {
            KeyCode::Esc if self.filter.text().is_empty() => return Chosen::Leave,
            KeyCode::Esc => self.filter.clear(),
            KeyCode::Enter => return self.chosen(),
            KeyCode::Up => self.selected = self.selected.saturating_sub(1),
            KeyCode::Down => self.selected += 1,
            KeyCode::PageUp => self.selected = self.selected.saturating_sub(20),
            KeyCode::PageDown => self.selected += 20,
            KeyCode::Home => self.selected = 0,
            KeyCode::End => self.selected = last,
            KeyCode::Tab => self.sort = self.sort.beside(1),
            KeyCode::BackTab => self.descending = !self.descending,
            KeyCode::Backspace => self.filter.erase(),
            KeyCode::Char(letter) => {
                self.filter.push(letter);
                self.selected = 0;
            }
            _ => {}
        }
        self.selected = self.selected.min(last);
        Chosen::Nothing
    }

    fn chosen(&self) -> Chosen {
        let row = self.visible().get(self.selected).map(|row| PathBuf::from(&row.file));
        row.map_or(Chosen::Nothing, Chosen::Recording)
    }

    fn head(&self) -> String {
        let read = if self.rows.len() < self.expected { format!(", {} read", self.rows.len()) } else { String::new() };
        format!("{} of {} recordings{read}", self.visible().len(), self.expected)
    }

    fn foot(&self) -> Line<'_> {
        let keys = "type to filter, enter opens, tab sorts, shift-tab turns the order, esc leaves";
        match self.filter.text() {
            "" => Line::from(keys).fg(Ink::DarkGray),
            filter => Line::from(vec!["filter: ".bold(), filter.into(), "▏".into()]),
        }
    }
}

fn cells(row: &Summary) -> Row<'static> {
    let unknown = || "?".to_owned();
    let damaged = !row.problems.is_empty();
    let cells = [
        row.game.clone().unwrap_or_else(unknown),
        row.policy.clone().unwrap_or_else(unknown),
        row.levels(),
        row.actions.to_string(),
        row.score.map_or_else(unknown, percent),
        row.started.map_or_else(unknown, |at| at.strftime("%Y-%m-%d %H:%M").to_string()),
        if damaged { "damaged".to_owned() } else { String::new() },
    ];
    Row::new(cells)
}

impl Widget for &List {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.height < 4 {
            return;
        }
        Line::from(self.head()).bold().render(Rect { height: 1, ..area }, buffer);
        let sign = if self.descending { '▼' } else { '▲' };
        let name = |column: Column| {
            if column == self.sort { format!("{}{sign}", column.name()) } else { column.name().to_owned() }
        };
        let head = Row::new(Column::ALL.map(name)).style(Style::new().add_modifier(Modifier::UNDERLINED));
        let widths = [16, 14, 8, 9, 9, 17, 8].map(Constraint::Length);
        let table = Table::new(self.visible().into_iter().map(cells), widths)
            .header(head)
            .row_highlight_style(Style::new().add_modifier(Modifier::REVERSED));
        let body = Rect { y: area.y + 1, height: area.height - 2, ..area };
        let mut state = TableState::new().with_selected(Some(self.selected));
        StatefulWidget::render(table, body, buffer, &mut state);
        self.foot().render(Rect { y: area.bottom() - 1, height: 1, ..area }, buffer);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ratatui::crossterm::event::KeyModifiers;

    use super::*;
    use crate::tui::tests::{index, text};

    fn list() -> List {
        let mut list = List::new(4);
        for (file, game, steps) in [("a.jsonl", "cd34-1", 13), ("b.jsonl", "ab12-1", 3), ("c.jsonl", "ef56-1", 8)] {
            let mut summary = Summary::of_index(Path::new(file), &index(steps));
            summary.game = Some(game.to_owned());
            summary.started = "2026-01-10T17:25:09Z".parse().ok();
            list.add(summary);
        }
        list
    }

    fn press(list: &mut List, codes: impl IntoIterator<Item = KeyCode>) -> Chosen {
        let press = |code| list.key(KeyEvent::new(code, KeyModifiers::NONE));
        codes.into_iter().map(press).last().unwrap_or(Chosen::Nothing)
    }

    fn files(list: &List) -> Vec<&str> {
        list.visible().iter().map(|row| row.file.as_str()).collect()
    }

    #[test]
    fn typing_filters_and_enter_opens() {
        let mut list = list();
        assert_eq!(press(&mut list, "EF5".chars().map(KeyCode::Char)), Chosen::Nothing);
        assert_eq!(files(&list), ["c.jsonl"]);
        assert_eq!(press(&mut list, [KeyCode::Enter]), Chosen::Recording("c.jsonl".into()));
        assert_eq!(press(&mut list, [KeyCode::Esc]), Chosen::Nothing);
        assert_eq!(files(&list).len(), 3);
        assert_eq!(press(&mut list, [KeyCode::Esc]), Chosen::Leave);
        assert_eq!(press(&mut list, [KeyCode::Char('%'), KeyCode::Enter]), Chosen::Nothing);
    }

    #[test]
    fn tab_sorts_by_the_next_column_and_shift_tab_turns_the_order() {
        let mut list = list();
        press(&mut list, [KeyCode::Tab, KeyCode::BackTab]);
        assert_eq!(files(&list), ["b.jsonl", "a.jsonl", "c.jsonl"], "by game");
        press(&mut list, [KeyCode::Tab, KeyCode::Tab, KeyCode::Tab, KeyCode::BackTab]);
        assert_eq!(files(&list), ["a.jsonl", "c.jsonl", "b.jsonl"], "by actions, most first");
        assert_eq!(press(&mut list, [KeyCode::End, KeyCode::Enter]), Chosen::Recording("b.jsonl".into()));
    }

    #[test]
    fn the_list_reads_like_this() {
        insta::assert_snapshot!(text(&list(), 90, 7), @r"
        3 of 4 recordings, 3 read
        game             policy         levels   actions   score %   time▼
        cd34-1           tester         2/7      12        ?         2026-01-10 17:25
        ab12-1           tester         0/7      2         ?         2026-01-10 17:25
        ef56-1           tester         1/7      7         ?         2026-01-10 17:25

        type to filter, enter opens, tab sorts, shift-tab turns the order, esc leaves
        ");
    }
}
