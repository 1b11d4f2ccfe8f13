//! How a recording's file is called.

use std::path::{Path, PathBuf};

use super::Compression;
use crate::{CardId, GameId, PlayId};

/// What a file name tells, in one of the two customs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordingName {
    /// `{game}.{agent}.{max_actions}.{guid}.recording.jsonl`, all in one folder: the official agents.
    Agents {
        /// The game.
        game: GameId,
        /// Who played; it may hold dots.
        agent: String,
        /// The bound on actions, where the agent has one.
        max_actions: Option<u32>,
        /// The play.
        play: PlayId,
    },
    /// `{card}/{game}-{guid}.jsonl`: the toolkit.
    Toolkit {
        /// The scorecard.
        card: CardId,
        /// The game.
        game: GameId,
        /// The play.
        play: PlayId,
    },
}

impl RecordingName {
    /// The path of the file below the folder of recordings.
    pub fn path(&self, compression: Compression) -> PathBuf {
        let packed = match compression {
            Compression::Plain => "",
            Compression::Zstd => ".zst",
        };
        match self {
            RecordingName::Agents { game, agent, max_actions, play } => {
                let agent: String = agent.chars().map(|c| if is_tame(c) { c } else { '-' }).collect();
                let bound = max_actions.map(|bound| format!(".{bound}")).unwrap_or_default();
                PathBuf::from(format!("{game}.{agent}{bound}.{play}.recording.jsonl{packed}"))
            }
            RecordingName::Toolkit { card, game, play } => {
                Path::new(card.as_str()).join(format!("{game}-{play}.jsonl{packed}"))
            }
        }
    }

    /// What a path tells, if it follows a custom.
    pub fn parse(path: &Path) -> Option<RecordingName> {
        let name = path.file_name()?.to_str()?;
        let name = name.strip_suffix(".zst").unwrap_or(name);
        if let Some(stem) = name.strip_suffix(".recording.jsonl") {
            return Self::parse_agents(stem);
        }
        let folder = path.parent()?.file_name()?.to_str()?;
        Self::parse_toolkit(folder, name.strip_suffix(".jsonl")?)
    }

    fn parse_agents(stem: &str) -> Option<RecordingName> {
        let (game, rest) = stem.split_once('.')?;
        let (middle, play) = rest.rsplit_once('.')?;
        let bound = middle.rsplit_once('.').and_then(|(agent, bound)| Some((agent, bound.parse().ok()?)));
        let (agent, max_actions) = bound.map_or((middle, None), |(agent, bound)| (agent, Some(bound)));
        let (game, play) = (game.parse().ok()?, play.parse().ok()?);
        Some(RecordingName::Agents { game, agent: agent.to_owned(), max_actions, play })
    }

    /// A guid of the usual form has four dashes of its own; any other is what follows the last dash.
    fn parse_toolkit(card: &str, stem: &str) -> Option<RecordingName> {
        let usual = stem.len().checked_sub(37).filter(|cut| stem.is_char_boundary(*cut)).map(|cut| stem.split_at(cut));
        let is_guid = |text: &&str| text.split('-').map(str::len).eq([8, 4, 4, 4, 12]);
        let (game, play) = usual
            .and_then(|(game, play)| Some((game, play.strip_prefix('-').filter(is_guid)?)))
            .or_else(|| stem.rsplit_once('-'))?;
        let (card, game, play) = (card.parse().ok()?, game.parse().ok()?, play.parse().ok()?);
        Some(RecordingName::Toolkit { card, game, play })
    }
}

/// An agent's name stays within its folder and its part of the file name.
fn is_tame(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUID: &str = "0b4f3c5e-6a50-4a0b-9a4e-0f5d7c3d2b1a";

    fn agents(agent: &str, max_actions: Option<u32>) -> RecordingName {
        RecordingName::Agents {
            game: "ab12-9607627b".parse().unwrap(),
            agent: agent.to_owned(),
            max_actions,
            play: GUID.parse().unwrap(),
        }
    }

    #[test]
    fn names_read_back_in_both_customs() {
        let toolkit = |game: &str, play: &str| RecordingName::Toolkit {
            card: "card-1".parse().unwrap(),
            game: game.parse().unwrap(),
            play: play.parse().unwrap(),
        };
        for name in [
            agents("random", Some(80)),
            agents("explore", None),
            agents("llm.some-model.v4.with-observe", Some(5)),
            toolkit("ab12-9607627b", GUID),
            toolkit("ab12", GUID),
            toolkit("ab12-9607627b", "p7"),
        ] {
            for compression in [Compression::Plain, Compression::Zstd] {
                let path = Path::new("recordings").join(name.path(compression));
                assert_eq!(RecordingName::parse(&path), Some(name.clone()), "{}", path.display());
            }
        }
    }

    #[test]
    fn names_look_as_documented() {
        assert_eq!(
            agents("a/../b c", Some(80)).path(Compression::Zstd),
            Path::new(&format!("ab12-9607627b.a-..-b-c.80.{GUID}.recording.jsonl.zst"))
        );
    }

    #[test]
    fn other_names_tell_nothing() {
        for text in ["a.txt", "x.recording.jsonl", "a.jsonl", "/", "", "card/ab12.jsonl", "card/ä-ä.jsonl"] {
            assert_eq!(RecordingName::parse(Path::new(text)), None, "{text}");
        }
    }
}
