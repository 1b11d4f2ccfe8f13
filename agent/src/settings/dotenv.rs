//! The environment, and the `.env` file that stands in for it.

use std::{collections::BTreeMap, env, fs, io, path::Path};

use crate::exit::Failure;

/// Variables by name: the real environment first, then a `.env` file.
#[derive(Clone, Default)]
pub struct Environment {
    real: BTreeMap<String, String>,
    file: BTreeMap<String, String>,
}

/// Names only: values may be secrets.
impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.file.keys()).finish_non_exhaustive()
    }
}

impl Environment {
    /// The environment of this process and, if there is one, the `.env` in `folder`.
    pub fn load(folder: &Path) -> Result<Environment, Failure> {
        let path = folder.join(".env");
        let file = match fs::read_to_string(&path) {
            Ok(text) => {
                parse(&text).map_err(|error| Failure::from(error).context(format!("cannot read {}", path.display())))?
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(Failure::from(error).context(format!("cannot read {}", path.display()))),
        };
        Ok(Environment {
            real: env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
                .collect(),
            file,
        })
    }

    /// An environment from its two parts.
    #[cfg(test)]
    pub(crate) fn of(real: &[(&str, &str)], file: &str) -> Environment {
        let real = real.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Environment { real, file: parse(file).unwrap() }
    }

    /// The value of a variable. An empty one counts as not set, as `ARC_API_KEY= arc3 …` means.
    pub fn get(&self, name: &str) -> Option<&str> {
        let value = self.real.get(name).or_else(|| self.file.get(name))?;
        Some(value.trim()).filter(|value| !value.is_empty())
    }
}

/// A line of a `.env` file that is none. It quotes no value.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum DotenvError {
    /// No `=`, or no name before it.
    #[error("line {0} is no assignment, expected NAME=value, a comment or nothing")]
    NoAssignment(usize),
    /// A quotation that does not end on its line.
    #[error("line {0}: the quotation does not end, expected a closing quote and nothing after it but a comment")]
    OpenQuote(usize),
}

/// Reads `NAME=value` lines: `export` before the name, comments, blank lines, quotes around the value.
///
/// In double quotes `\n`, `\t`, `\"` and `\\` are escapes; in single quotes nothing is. Unquoted values end at ` #`.
/// Nothing is expanded.
fn parse(text: &str) -> Result<BTreeMap<String, String>, DotenvError> {
    let mut variables = BTreeMap::new();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let line = line.strip_prefix("export ").unwrap_or(line);
        let (name, value) = line.split_once('=').ok_or(DotenvError::NoAssignment(number))?;
        if !is_name(name.trim()) {
            return Err(DotenvError::NoAssignment(number));
        }
        variables.insert(name.trim().to_owned(), unquote(value.trim()).ok_or(DotenvError::OpenQuote(number))?);
    }
    Ok(variables)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn unquote(value: &str) -> Option<String> {
    let (inner, rest) = match value.chars().next() {
        Some('"') => escaped(&value[1..])?,
        Some('\'') => value[1..].split_once('\'').map(|(inner, rest)| (inner.to_owned(), rest))?,
        _ => return Some(value.split(" #").next().unwrap_or_default().trim_end().to_owned()),
    };
    let rest = rest.trim_start();
    (rest.is_empty() || rest.starts_with('#')).then_some(inner)
}

/// The text up to the closing double quote, and what follows it.
fn escaped(text: &str) -> Option<(String, &str)> {
    let mut inner = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((inner, &text[at + 1..])),
            '\\' => match chars.next()?.1 {
                'n' => inner.push('\n'),
                't' => inner.push('\t'),
                other => inner.push(other),
            },
            other => inner.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_real_environment_wins_over_the_file() {
        let environment = Environment::of(&[("A", "real"), ("EMPTY", "")], "A=file\nB=file\nEMPTY=file");
        assert_eq!(environment.get("A"), Some("real"));
        assert_eq!(environment.get("B"), Some("file"));
        assert_eq!(environment.get("EMPTY"), None, "set to nothing is set");
        assert_eq!(environment.get("C"), None);
    }

    #[test]
    fn quotes_comments_and_export_are_understood() {
        let text = "# keys\n\nexport A = one # note\nB='two # kept'\r\nC=\"three \\\"3\\\"\" # note\nD=a=b#c\nE=\n";
        let expected = [("A", "one"), ("B", "two # kept"), ("C", "three \"3\""), ("D", "a=b#c"), ("E", "")];
        let expected: BTreeMap<_, _> = expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        assert_eq!(parse(text).unwrap(), expected);
    }

    #[test]
    fn a_bad_line_is_named_without_quoting_it() {
        assert_eq!(parse("A=1\nsk-secret"), Err(DotenvError::NoAssignment(2)));
        assert_eq!(parse("A=\"sk-secret"), Err(DotenvError::OpenQuote(1)));
        assert_eq!(parse("A='x' y"), Err(DotenvError::OpenQuote(1)));
        assert_eq!(parse("a b=1"), Err(DotenvError::NoAssignment(1)));
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in "\\PC*|(\\PC|\n|=|\"|'|\\\\|#)*") {
            let _ = parse(&text);
        }

        #[test]
        fn a_quoted_value_comes_back(value in "[ -~]*") {
            let quoted = value.replace('\\', "\\\\").replace('"', "\\\"");
            let parsed = parse(&format!("NAME=\"{quoted}\"")).unwrap();
            prop_assert_eq!(&parsed["NAME"], &value);
        }
    }
}
