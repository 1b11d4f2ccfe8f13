//! What a person sees of a training: a bar on a terminal, lines elsewhere, tables at the end.

use std::{
    fmt,
    io::{self, IsTerminal},
    time::{Duration, Instant},
};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use solver::{
    data::Counts,
    train::{Begun, Evaluation, Event, Observer, Stepped, Summary, Survey},
};

use crate::{
    interrupt::Interrupt,
    table::{Align, Table, percent},
    talk::{Loudness, say},
};

/// How often a training says that it goes on, where there is no bar.
const SIGN_OF_LIFE: Duration = Duration::from_secs(30);

/// What a training learns from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Material {
    /// Pairs of grids.
    Tasks,
    /// Recordings of games.
    Recordings,
}

impl Material {
    /// What is learned, of what, and what answers are compared with.
    fn words(self) -> [&'static str; 3] {
        match self {
            Material::Tasks => ["pairs", "tasks", "the input itself"],
            Material::Recordings => ["transitions", "titles", "the frame itself"],
        }
    }
}

/// Shows a training, and asks it to stop when somebody does.
#[derive(Debug)]
pub struct Display {
    interrupt: Interrupt,
    material: Material,
    loudness: Loudness,
    bar: Option<ProgressBar>,
    begun: Option<Begun>,
    last_line: Instant,
    judged: Option<f64>,
}

impl Display {
    /// Nothing has happened yet.
    pub fn new(interrupt: Interrupt, material: Material, loudness: Loudness) -> Display {
        Display { interrupt, material, loudness, bar: None, begun: None, last_line: Instant::now(), judged: None }
    }

    fn begin(&mut self, begun: &Begun) {
        let [examples, groups, _] = self.material.words();
        let rows = match begun.rows {
            0 => String::new(),
            rows => format!(" and {} table rows", grouped(rows)),
        };
        self.line(&format!(
            "{} parameters{rows}; {} {examples} of {} {groups} to learn, {} held out",
            grouped(begun.parameters),
            grouped(begun.pairs),
            begun.tasks,
            begun.held_out
        ));
        if begun.step > 0 {
            self.line(&format!("going on after step {} of {}", begun.step, begun.steps));
        }
        if self.loudness != Loudness::Quiet && io::stderr().is_terminal() {
            self.bar = bar(begun);
        }
        self.begun = Some(begun.clone());
    }

    fn step(&mut self, stepped: &Stepped) {
        let Some(steps) = self.begun.as_ref().map(|begun| begun.steps) else { return };
        let standing = self.standing(stepped, steps);
        if let Some(bar) = &self.bar {
            bar.set_position(stepped.step);
            bar.set_message(standing);
        } else if self.last_line.elapsed() >= SIGN_OF_LIFE {
            self.last_line = Instant::now();
            self.line(&format!("step {}/{steps}  {standing}", stepped.step));
        }
    }

    /// `loss 0.812, exact 34.1 %, held out 12 %, 3.4 steps/s, 5 minutes left`
    fn standing(&self, stepped: &Stepped, steps: u64) -> String {
        let (made, time) = stepped.run;
        let rate = made as f64 / time.as_secs_f64().max(1e-3);
        let left = Duration::from_secs_f64(steps.saturating_sub(stepped.step) as f64 / rate.max(1e-6));
        let judged = self.judged.map(|exact| format!(", held out {} %", percent(100.0 * exact))).unwrap_or_default();
        let exact = percent(100.0 * stepped.exact);
        format!("loss {:.3}, exact {exact} %{judged}, {rate:.2} steps/s, {} left", stepped.loss, HumanDuration(left))
    }

    fn evaluated(&mut self, evaluation: &Evaluation) {
        self.judged = Some(evaluation.exact);
        self.line(&format!(
            "step {}  held out: {} % of {} {} exact, {} % of cells; {}: {} %",
            evaluation.step,
            percent(100.0 * evaluation.exact),
            evaluation.pairs,
            if self.material == Material::Tasks { "grids" } else { "changes" },
            percent(100.0 * evaluation.tokens),
            self.material.words()[2],
            percent(100.0 * evaluation.copied),
        ));
    }

    fn line(&self, text: &str) {
        tracing::info!("{text}");
        match &self.bar {
            _ if self.loudness == Loudness::Quiet => {}
            Some(bar) => bar.println(text),
            None => say(text),
        }
    }
}

impl Observer for Display {
    fn on(&mut self, event: &Event) {
        match event {
            Event::Begun(begun) => self.begin(begun),
            Event::Stepped(stepped) => self.step(stepped),
            Event::Evaluated(evaluation) => self.evaluated(evaluation),
            Event::Fault(fault) => self.line(&format!("skipped: {fault}")),
            Event::Saved(path) => tracing::info!("saved {}", path.display()),
        }
    }

    fn stops(&self) -> bool {
        self.interrupt.raised()
    }
}

fn bar(begun: &Begun) -> Option<ProgressBar> {
    let style = ProgressStyle::with_template("{bar:24.cyan/dim} {pos:>5}/{len} steps  {msg}").ok()?;
    let bar = ProgressBar::new(begun.steps).with_style(style.progress_chars("━━─"));
    bar.set_position(begun.step);
    Some(bar)
}

/// The result of a training for people.
#[derive(Debug)]
pub struct Readable<'a>(pub &'a Summary, pub Material);

impl fmt::Display for Readable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Readable(Summary { step, evaluation, checkpoint, .. }, material) = self;
        if let Some(evaluation) = evaluation {
            writeln!(f, "{}", tasks(evaluation, *material))?;
            if !evaluation.by_loops.is_empty() {
                writeln!(f, "{}", loops(evaluation))?;
            }
            writeln!(f, "{}", total(evaluation, *material))?;
        }
        writeln!(f, "{step} steps\ncheckpoint  {}", checkpoint.display())
    }
}

fn tasks(evaluation: &Evaluation, material: Material) -> Table {
    let [group, examples, copy] = match material {
        Material::Tasks => ["task", "pairs", "input itself"],
        Material::Recordings => ["title", "changes", "frame itself"],
    };
    let columns = [(group, Align::Left), (examples, Align::Right), ("exact", Align::Right), (copy, Align::Right)];
    let mut table = Table::new(&columns);
    for score in &evaluation.tasks {
        let counts = [score.pairs, score.exact, score.copied].map(|count| count.to_string());
        table.row(std::iter::once(score.task.clone()).chain(counts));
    }
    table
}

fn loops(evaluation: &Evaluation) -> Table {
    let mut table = Table::new(&[("loops", Align::Right), ("exact %", Align::Right)]);
    for score in &evaluation.by_loops {
        table.row([score.loops.to_string(), percent(100.0 * score.exact)]);
    }
    table
}

fn total(evaluation: &Evaluation, material: Material) -> String {
    let Evaluation { pairs, exact, copied, tasks, .. } = evaluation;
    let [examples, groups, copy] = material.words();
    format!(
        "{} % of {pairs} held-out {examples} of {} {groups} exact; {copy}: {} %",
        percent(100.0 * exact),
        tasks.len(),
        percent(100.0 * copied)
    )
}

/// A survey for people.
#[derive(Debug)]
pub struct Surveyed<'a>(pub &'a Survey);

impl fmt::Display for Surveyed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", sources(self.0))?;
        let Survey { begun, table_bytes, memory_bytes, seconds_per_step, .. } = self.0;
        let mut table = Table::new(&[("what", Align::Left), ("", Align::Right)]);
        let hours = seconds_per_step * begun.steps as f64 / 3600.0;
        let rows = [
            ("parameters", grouped(begun.parameters)),
            ("table rows", grouped(begun.rows)),
            ("table", mebibytes(*table_bytes)),
            ("tasks learned", grouped(begun.tasks)),
            ("pairs learned", grouped(begun.pairs)),
            ("pairs held out", grouped(begun.held_out)),
            ("memory, about", memory_bytes.map_or("unknown".to_owned(), mebibytes)),
            ("a step, about", format!("{seconds_per_step:.2} s")),
            ("all steps, about", format!("{} of them, {hours:.1} h", grouped(begun.steps as usize))),
        ];
        for (name, value) in rows {
            table.row([name.to_owned(), value]);
        }
        table.fmt(f)
    }
}

/// What became of the pairs of each source.
fn sources(survey: &Survey) -> Table {
    let names = ["files", "tasks", "pairs", "too large", "surplus", "sealed", "learned", "held out"];
    let columns: Vec<_> =
        std::iter::once(("source", Align::Left)).chain(names.map(|name| (name, Align::Right))).collect();
    let mut table = Table::new(&columns);
    for (kind, counts) in &survey.sources {
        let Counts { files, tasks, pairs, too_large, surplus, sealed, learned, held_out } = *counts;
        let counts = [files, tasks, pairs, too_large, surplus, sealed, learned, held_out].map(grouped);
        table.row(std::iter::once(kind.to_string()).chain(counts));
    }
    table
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

/// `13,663,234`
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let parts: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|part| std::str::from_utf8(part).ok()).collect();
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 13_663_234].map(grouped), ["0", "999", "1,000", "13,663,234"]);
    }
}
