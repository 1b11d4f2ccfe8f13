//! The screen that shows a play: what stands where, and what it says.

use env_client::{
    Command, Grid, Key, Status,
    recording::{Entry, Event},
};
use jiff::Timestamp;
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Color as Ink, Modifier, Style, Stylize},
    text::{Line, Span},
    widgets::{Block, Clear, Paragraph, Widget, Wrap},
};

use super::{geometry::Geometry, grid::GridPane, intent::Ask, player::Player, shown::Shown, timeline::Timeline};
use crate::replay::{Expected, Index, palette::Depth, print::command_text};

/// The least that anything can be shown on, in characters.
const SMALLEST: (u16, u16) = (40, 12);

/// What the texts beside the grid need.
const SIDE: u16 = 26;

/// Lines of what was wrong with the file.
const PROBLEMS: usize = 3;

/// Everything that is shown.
#[derive(Clone, Copy, Debug)]
pub struct Screen<'a> {
    /// Where it is looked at, and how.
    pub player: &'a Player,
    /// The play.
    pub index: &'a Index,
    /// The step, once it was loaded.
    pub shown: Option<&'a Shown>,
    /// Why it could not be loaded.
    pub failed: Option<&'a str>,
    /// The line at the top.
    pub title: &'a str,
    /// Human actions by level, where known.
    pub baselines: &'a [u32],
    /// What the keys at the bottom are.
    pub hint: &'a str,
    /// What every key does.
    pub help: &'a [(&'a str, &'a str)],
    /// What the terminal can show.
    pub depth: Depth,
}

/// Where the mouse finds things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The cells.
    pub grid: Option<Geometry>,
    /// The line of the whole play.
    pub timeline: Rect,
}

impl Screen<'_> {
    /// Where things stand on a screen of this size.
    pub fn places(&self, area: Rect) -> Places {
        let grid = self.pane().map(|pane| pane.geometry(body(area)));
        Places { grid, timeline: Rect { y: area.bottom().saturating_sub(2), height: 1, ..area } }
    }

    fn pane(&self) -> Option<GridPane<'_>> {
        let shown = self.shown?;
        let (grid, before) = shown.layer(self.player.layer);
        Some(GridPane {
            grid: grid?,
            before: before.filter(|_| !self.player.look.calm),
            click: shown.click(),
            overlays: Some(&shown.thought).filter(|_| !self.player.look.plain),
            depth: self.depth,
            zoom: self.player.look.zoom,
            scroll: self.player.look.scroll,
        })
    }

    fn status(&self, shown: &Shown) -> Vec<Line<'static>> {
        let index = self.index;
        let last = index.last_step().unwrap_or(0);
        let mut lines = vec![fact("step", format!("{} of {last}", shown.step))];
        lines.extend(action(&shown.entry));
        if let Some(mark) = index.marks.get(shown.step) {
            lines.push(fact("state", mark.status.name()).patch_style(state_style(mark.status)));
            lines.push(fact("levels", format!("{}/{}", mark.levels, index.about.win_levels)));
        }
        lines.push(fact("actions", self.actions(shown.step)));
        let count = shown.layers().len();
        lines.push(fact("layer", format!("{} of {count}", self.player.layer.saturating_add(1).min(count))));
        lines.push(fact("changed", changed(shown, self.player.layer)));
        lines.extend(time(index, &shown.entry).map(|text| fact("time", text)));
        lines.push(fact("cell", self.cell(shown)));
        lines
    }

    /// `23 on this level, people need 31; 120 in all`
    fn actions(&self, step: usize) -> String {
        let completed_at = self.index.completed_at(step);
        let all = self.index.actions(step);
        let here = all - completed_at.last().copied().unwrap_or(0);
        match self.baselines.get(completed_at.len()) {
            Some(human) => format!("{here} of {human} on level, {all} in all"),
            None => format!("{here} on level, {all} in all"),
        }
    }

    /// `(12, 30) is 9 #1E93FF`
    fn cell(&self, shown: &Shown) -> String {
        let (grid, _) = shown.layer(self.player.layer);
        let Some((point, grid)) = self.player.hover.zip(grid) else { return "point at one".to_owned() };
        match grid.get(point) {
            Some(color) => {
                let [red, green, blue] = color.rgb();
                format!("{point} is {} #{red:02X}{green:02X}{blue:02X}", color.index())
            }
            None => point.to_string(),
        }
    }

    fn side(&self, shown: &Shown) -> Vec<Line<'static>> {
        let mut lines = self.status(shown);
        lines.push(Line::default());
        lines.extend(arbitration(shown));
        if let Some(surprise) = &shown.thought.surprise {
            lines.push(Line::from(format!("surprise {surprise}")).fg(Ink::Yellow));
        }
        lines.extend(shown.thought.why.lines().map(|line| Line::from(line.to_owned())));
        if !shown.thought.plan.is_empty() {
            let plan: Vec<String> = shown.thought.plan.iter().copied().map(short).collect();
            lines.push(Line::from(format!("plan {}", plan.join(" "))).fg(Ink::Cyan));
        }
        for object in shown.thought.objects.iter().filter(|object| !object.label.is_empty()) {
            let area = object.area;
            lines.push(Line::from(format!("{} at ({}, {})", object.label, area.x, area.y)).fg(Ink::Yellow));
        }
        lines.extend(self.problems());
        lines
    }

    fn problems(&self) -> Vec<Line<'static>> {
        let all = self.index.problems.len() as u64 + self.index.more_problems;
        let mut lines: Vec<Line<'static>> =
            self.index.problems.iter().take(PROBLEMS).map(|problem| Line::from(problem.to_string())).collect();
        if all > PROBLEMS as u64 {
            lines.push(Line::from(format!("and {} more, see --json", all - PROBLEMS as u64)));
        }
        lines.extend(self.index.ending_problem().map(Line::from));
        lines.into_iter().map(|line| line.fg(Ink::Red)).collect()
    }

    fn foot(&self) -> Line<'_> {
        let player = self.player;
        if let Some((ask, prompt)) = &player.prompt {
            let question = match ask {
                Ask::Step => "go to step: ",
                Ask::Text => "search: ",
            };
            return Line::from(vec![question.bold(), prompt.text().into(), "▏".into()]);
        }
        if let Some(search) = &player.search {
            return Line::from(format!("searching '{}', {} steps to look at, esc stops", search.needle, search.left));
        }
        if let Some(message) = player.message.as_deref().or(self.failed) {
            return Line::from(message).fg(Ink::Yellow);
        }
        let (read, all) = self.index.progress;
        if self.index.ending.is_none() && all > 0 {
            return Line::from(format!("reading: {} %  {}", read * 100 / all, self.hint));
        }
        let playing = if player.is_playing() { format!("▶ {}/s  ", player.speed()) } else { String::new() };
        Line::from(format!("{playing}{}", self.hint)).fg(Ink::DarkGray)
    }

    fn render_help(&self, area: Rect, buffer: &mut Buffer) {
        let rows: Vec<Line<'_>> =
            self.help.iter().map(|(keys, does)| Line::from(format!("{keys:<11}{does}"))).collect();
        let width = rows.iter().map(Line::width).max().unwrap_or(0) as u16 + 4;
        let (width, height) = (width.min(area.width), (rows.len() as u16 + 2).min(area.height));
        let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
        let popup = Rect { x, y, width, height };
        Clear.render(popup, buffer);
        let block = Block::bordered().title(" keys ");
        Paragraph::new(rows).block(block).wrap(Wrap { trim: false }).render(popup, buffer);
    }

    fn render_nothing(&self, area: Rect, buffer: &mut Buffer) {
        let reading = self.index.ending.is_none();
        let mut lines = vec![Line::from(if reading { "reading" } else { "nothing to show" })];
        lines.extend(self.failed.map(|failed| Line::from(failed.to_owned())));
        lines.extend(self.problems());
        Paragraph::new(lines).wrap(Wrap { trim: false }).render(area, buffer);
    }
}

impl Widget for &Screen<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
            let text = format!("{}x{} is too small, {}x{} at least", area.width, area.height, SMALLEST.0, SMALLEST.1);
            return Paragraph::new(text).wrap(Wrap { trim: true }).render(area, buffer);
        }
        let Places { grid, timeline } = self.places(area);
        Line::from(self.title).add_modifier(Modifier::BOLD).render(Rect { height: 1, ..area }, buffer);
        let body = body(area);
        if let (Some(pane), Some(geometry), Some(shown)) = (self.pane(), grid, self.shown) {
            pane.render(body, buffer);
            let x = geometry.area.right() + 2;
            let height = timeline.y.saturating_sub(body.y);
            let side = Rect { x, y: body.y, width: area.right().saturating_sub(x), height };
            Paragraph::new(self.side(shown)).wrap(Wrap { trim: false }).render(side, buffer);
        } else if let Some(shown) = self.shown {
            let all = Rect { width: area.width, ..body };
            Paragraph::new(self.side(shown)).wrap(Wrap { trim: false }).render(all, buffer);
        } else {
            self.render_nothing(Rect { width: area.width, ..body }, buffer);
        }
        Timeline { index: self.index, step: self.player.step }.render(timeline, buffer);
        self.foot().render(Rect { y: area.bottom() - 1, height: 1, ..area }, buffer);
        if self.player.help {
            self.render_help(area, buffer);
        }
    }
}

/// Where the grid may be: below the title, above the line of the play, beside the texts.
fn body(area: Rect) -> Rect {
    let width = area.width.saturating_sub(SIDE);
    Rect { x: area.x, y: area.y + 1, width, height: area.height.saturating_sub(3) }
}

fn fact(name: &str, value: impl Into<String>) -> Line<'static> {
    Line::from(vec![Span::styled(format!("{name:<9}"), Style::new().fg(Ink::DarkGray)), Span::raw(value.into())])
}

fn state_style(status: Status) -> Style {
    match status {
        Status::Win => Style::new().fg(Ink::Green).add_modifier(Modifier::BOLD),
        Status::GameOver => Style::new().fg(Ink::Red).add_modifier(Modifier::BOLD),
        Status::NotPlayed | Status::NotFinished => Style::new(),
    }
}

/// The command, and how its answer was lost.
fn action(entry: &Entry) -> Vec<Line<'static>> {
    match &entry.event {
        Event::Seen { input, .. } => {
            let arrow = input.command().map_or("", arrow);
            vec![fact("action", format!("{}{arrow}", command_text(input)))]
        }
        Event::Unknown(unknown) => {
            let lost = Line::from(format!("outcome unknown: {}", unknown.cause)).fg(Ink::Magenta);
            vec![fact("action", command_text(&unknown.command)), lost]
        }
        Event::Note(_) => Vec::new(),
    }
}

/// What the key usually means, as the official player maps it.
const fn arrow(command: Command) -> &'static str {
    use env_client::Action;
    match command {
        Command::Act(Action::Key(Key::Key1)) => " ↑",
        Command::Act(Action::Key(Key::Key2)) => " ↓",
        Command::Act(Action::Key(Key::Key3)) => " ←",
        Command::Act(Action::Key(Key::Key4)) => " →",
        Command::Act(_) | Command::Reset => "",
    }
}

fn short(command: Command) -> String {
    match command {
        Command::Act(action) => action.point().map_or_else(|| command.number().to_string(), |point| point.to_string()),
        Command::Reset => "reset".to_owned(),
    }
}

/// Who decided, what for, what should have come of it, and what it cost.
fn arbitration(shown: &Shown) -> Vec<Line<'static>> {
    let thought = &shown.thought;
    let sure = thought.confidence.map(|it| format!(", {:.0} % sure", 100.0 * it)).unwrap_or_default();
    let expected = thought.expected.as_ref().map(|it| format!("{}{sure}", forecast(it, shown.layers().last())));
    let states = thought.looked_at.map(|count| format!(", {count} states")).unwrap_or_default();
    let cost = thought.ms.map(|ms| format!("{ms:.1} ms{states}"));
    let facts = [("who", thought.who.clone()), ("goal", thought.goal.clone()), ("expects", expected), ("cost", cost)];
    facts.into_iter().filter_map(|(name, value)| Some(fact(name, value?))).collect()
}

/// `24 cells, 22 came`
fn forecast(expected: &Expected, seen: Option<&Grid>) -> String {
    if expected.changed == 0 {
        return "no change".to_owned();
    }
    let came = seen.map(|frame| format!(", {} came", expected.right_in(frame))).unwrap_or_default();
    format!("{} cells{came}", expected.changed)
}

fn changed(shown: &Shown, layer: usize) -> String {
    let (Some(grid), Some(before)) = shown.layer(layer) else { return "nothing to compare".to_owned() };
    match grid.differences(before) {
        Some(points) => format!("{} cells", points.count()),
        None => "the size".to_owned(),
    }
}

/// Time since the play began.
fn time(index: &Index, entry: &Entry) -> Option<String> {
    let (first, at): (Timestamp, Timestamp) = (index.about.first?, entry.at?);
    let seconds = at.duration_since(first).as_secs_f64();
    Some(format!("{seconds:.1} s"))
}

/// `ab12 3/7`, the title of a tab.
pub fn tab_title(index: &Index, name: &str) -> String {
    let levels = index.marks.last().map_or(0, |mark| mark.levels);
    format!("{name} {levels}/{}", index.about.win_levels)
}
