//! The layouts of generated pairs: RE-ARC and BARC.

use std::{
    borrow::Cow,
    io::{self, BufRead, Read},
};

use serde::{Deserialize, de::IgnoredAny};
use serde_json::value::RawValue;

use super::{DataFile, Faults, LoadError, Record};
use crate::data::{MAX_SIDE, Pair, task::RawPair};

/// Bytes of the longest line that is read: a hundred times the longest of the published files.
const LONGEST_LINE: u64 = 64 << 20;

/// Longest name of a task, and not its program, in a record's `source`.
const LONGEST_NAME: usize = 40;

/// A line of a BARC file. Descriptions, seeds and other fields are not read.
#[derive(Deserialize)]
struct Problem<'a> {
    /// The task's name, or the program that generated it.
    #[serde(borrow, default)]
    source: Option<Cow<'a, str>>,
    #[serde(borrow)]
    examples: Vec<&'a RawValue>,
}

/// The pairs of one task.
pub(super) fn re_arc(file: &DataFile, faults: &mut Faults, mut each: impl FnMut(Record)) -> Result<(), LoadError> {
    let Some(text) = faults.pass(file.bytes())? else { return Ok(()) };
    let place = || file.to_string();
    let examples: Result<Vec<&RawValue>, _> = serde_json::from_slice(&text);
    let examples = examples.map_err(|error| LoadError::Json { place: place(), error });
    if let Some(examples) = faults.pass(examples)? {
        let (train, too_large) = pairs(&examples, &place(), faults)?;
        each(Record { id: file.stem(), train, test: Vec::new(), too_large });
    }
    Ok(())
}

/// The tasks of a file, line by line: no more than one line is held.
pub(super) fn barc(file: &DataFile, faults: &mut Faults, mut each: impl FnMut(Record)) -> Result<(), LoadError> {
    let read = file.open(|reader| problems(file, reader, faults, &mut each));
    faults.pass(read)?;
    Ok(())
}

fn problems(
    file: &DataFile,
    reader: &mut dyn BufRead,
    faults: &mut Faults,
    each: &mut dyn FnMut(Record),
) -> Result<(), LoadError> {
    let mut text = Vec::new();
    for line in 1usize.. {
        let place = format!("{file}, line {line}");
        text.clear();
        match next_line(reader, &mut text) {
            Err(error) => return Err(LoadError::Io { place, error }),
            Ok(Line::End) => break,
            Ok(Line::TooLong) => {
                faults.pass(Err::<(), _>(LoadError::Line { place, most: LONGEST_LINE }))?;
            }
            Ok(Line::Whole) if text.trim_ascii().is_empty() => {}
            Ok(Line::Whole) => {
                let unnamed = || format!("{}:{line}", file.stem());
                problem(&place, unnamed, text.trim_ascii(), faults)?.into_iter().for_each(&mut *each);
            }
        }
    }
    Ok(())
}

/// What a reader came upon.
enum Line {
    Whole,
    TooLong,
    End,
}

/// Reads up to the end of a line, of which no more than [`LONGEST_LINE`] bytes are kept.
fn next_line(reader: &mut dyn BufRead, text: &mut Vec<u8>) -> io::Result<Line> {
    let read = (&mut *reader).take(LONGEST_LINE).read_until(b'\n', text)?;
    if read == 0 {
        return Ok(Line::End);
    }
    if (read as u64) < LONGEST_LINE || text.ends_with(b"\n") {
        return Ok(Line::Whole);
    }
    reader.skip_until(b'\n')?;
    Ok(Line::TooLong)
}

fn problem(
    place: &str,
    unnamed: impl Fn() -> String,
    text: &[u8],
    faults: &mut Faults,
) -> Result<Option<Record>, LoadError> {
    let problem: Result<Problem<'_>, _> = serde_json::from_slice(text);
    let problem = problem.map_err(|error| LoadError::Json { place: place.to_owned(), error });
    let Some(problem) = faults.pass(problem)? else { return Ok(None) };
    let name = problem.source.filter(|source| is_name(source));
    let (train, too_large) = pairs(&problem.examples, place, faults)?;
    Ok(Some(Record { id: name.map_or_else(unnamed, Cow::into_owned), train, test: Vec::new(), too_large }))
}

fn is_name(source: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    (1..=LONGEST_NAME).contains(&source.len()) && source.chars().all(plain)
}

/// The pairs that are some, and how many are larger than ARC allows: programs that generate pairs make those too, and
/// they are no fault.
fn pairs(examples: &[&RawValue], place: &str, faults: &mut Faults) -> Result<(Vec<Pair>, usize), LoadError> {
    let mut pairs = Vec::with_capacity(examples.len());
    let mut too_large = 0;
    for (index, example) in examples.iter().enumerate() {
        match pair(example, index, place) {
            Err(_) if is_too_large(example) => too_large += 1,
            read => pairs.extend(faults.pass(read)?),
        }
    }
    Ok((pairs, too_large))
}

/// A pair in either form, `{input, output}` or `[input, output]`: to serde both are the fields of a struct.
fn pair(example: &RawValue, index: usize, place: &str) -> Result<Pair, LoadError> {
    let raw: RawPair = serde_json::from_str(example.get())
        .map_err(|error| LoadError::Json { place: format!("{place}, pair {index}"), error })?;
    Pair::checked(raw, format_args!("pair {index}")).map_err(|error| LoadError::Task { place: place.to_owned(), error })
}

/// The cells of a grid of any size.
type Cells = Vec<Vec<IgnoredAny>>;

/// A pair whose grids may have any size.
#[derive(Deserialize)]
struct Shape {
    input: Cells,
    output: Cells,
}

fn is_too_large(example: &RawValue) -> bool {
    let above = |cells: usize| cells > usize::from(MAX_SIDE);
    let grid = |rows: &Cells| above(rows.len()) || rows.iter().any(|row| above(row.len()));
    serde_json::from_str(example.get()).is_ok_and(|Shape { input, output }| grid(&input) || grid(&output))
}
