//! What a run of plays came to, for people and for machines.

use std::{collections::BTreeMap, fmt};

use env_client::{
    CardId,
    scorecard::{RunScore, Scorecard},
};
use serde_json::{Value, json};

use crate::{
    episode::Finished,
    table::{Align, Table, percent, wrap},
};

/// Version of the JSON document.
const FORMAT: u32 = 1;

/// The plays of one scorecard, with what the service made of them.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The service by name.
    pub service: &'a str,
    /// Which card.
    pub card: &'a CardId,
    /// The plays, in the order of the games.
    pub plays: &'a [Finished],
    /// The summary, if the card could be closed.
    pub closed: Option<&'a Scorecard>,
}

impl Report<'_> {
    /// What the service counted for a play.
    fn run(&self, play: &Finished) -> Option<&RunScore> {
        let guid = play.play.as_ref()?.as_str();
        let environments = &self.closed?.environments;
        environments.iter().flat_map(|game| &game.runs).find(|run| run.guid.as_deref() == Some(guid))
    }

    fn games(&self) -> Table {
        use Align::{Left, Right};
        let columns = [("game", Left), ("levels", Right), ("actions", Right), ("resets", Right), ("score %", Right)];
        let mut table = Table::new(&[&columns[..], &[("ended", Left)]].concat());
        for play in self.plays {
            let tally = &play.tally;
            table.row([
                play.game.to_string(),
                tally.standing(),
                tally.actions.to_string(),
                tally.resets.to_string(),
                self.run(play).map_or_else(|| "?".to_owned(), |run| percent(run.score)),
                play.ended.stop.to_string(),
            ]);
        }
        if let Some(card) = self.closed {
            // A card counts the levels whose human actions it knows: a game may have more.
            let played: u32 = self.plays.iter().map(|play| u32::from(play.tally.win_levels)).sum();
            let levels = card.total_levels.max(played);
            table.row([
                "total".to_owned(),
                format!("{}/{levels}", card.total_levels_completed),
                card.total_actions.to_string(),
                card.environments.iter().map(|game| game.resets).sum::<u32>().to_string(),
                percent(card.score),
            ]);
        }
        table
    }

    /// The document that `--json` prints.
    pub fn json(&self) -> Value {
        json!({
            "format": FORMAT,
            "version": crate::VERSION,
            "service": self.service,
            "card_id": self.card,
            "plays": self.plays.iter().map(play_json).collect::<Vec<_>>(),
            "scorecard": self.closed,
        })
    }
}

fn play_json(play: &Finished) -> Value {
    json!({
        "game": play.game,
        "guid": play.play,
        "seed": play.seed,
        "ended": play.ended,
        "counts": play.tally,
        "recording": play.recording,
        "seconds": play.took.as_secs_f64(),
        "decisions": play.pulse.times(),
    })
}

/// Levels as `number: actions/human score`, the solved ones with a score.
pub fn level_words(actions: &[u32], baselines: &[i64], scores: &[f64], solved: usize) -> Vec<String> {
    let word = |(index, &spent): (usize, &u32)| {
        let human = baselines.get(index).filter(|human| **human >= 0).map(|human| format!("/{human}"));
        let score = scores.get(index).filter(|_| index < solved).map(|score| format!(" {}", percent(*score)));
        format!("{}: {spent}{}{}", index + 1, human.unwrap_or_default(), score.unwrap_or_default())
    };
    let reached = |(index, spent): &(usize, &u32)| **spent > 0 || *index < solved;
    actions.iter().enumerate().filter(reached).map(word).collect()
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.closed.is_some() { "closed" } else { "not closed" };
        writeln!(f, "scorecard {} on {} ({state})\n", self.card, self.service)?;
        write!(f, "{}", self.games())?;
        let levels: BTreeMap<_, _> = self.plays.iter().filter_map(|play| Some((&play.game, self.run(play)?))).collect();
        if !levels.is_empty() {
            writeln!(f, "\nlevels, as actions/human actions and score %")?;
        }
        for (game, run) in levels {
            let actions = run.level_actions.as_deref().unwrap_or_default();
            let baselines = run.level_baseline_actions.as_deref().unwrap_or_default();
            let scores = run.level_scores.as_deref().unwrap_or_default();
            let words = level_words(actions, baselines, scores, run.levels_completed as usize);
            if words.is_empty() {
                continue;
            }
            let indent = format!("{:<10}", game.stem());
            writeln!(f, "{indent}{}", wrap("          ", &words).trim_start())?;
            if let Some(message) = &run.message {
                writeln!(f, "          {message}")?;
            }
        }
        let recordings: Vec<_> = self.plays.iter().filter_map(|play| play.recording.as_ref()).collect();
        if !recordings.is_empty() {
            writeln!(f)?;
        }
        recordings.iter().try_for_each(|path| writeln!(f, "recording  {}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use env_client::{GameId, http::Traffic};

    use super::*;
    use crate::{
        episode::{Ended, Stop},
        tally::{Pulse, Tally},
    };

    fn play(game: &str, levels_completed: u16, win_levels: u16) -> Finished {
        Finished {
            game: game.parse::<GameId>().expect("an id"),
            seed: 0,
            ended: Ended::plain(Stop::Budget),
            tally: Tally { levels_completed, win_levels, ..Tally::default() },
            play: None,
            pulse: Pulse::default(),
            took: Duration::ZERO,
            traffic: Traffic::default(),
            recording: None,
        }
    }

    #[test]
    fn the_total_has_all_levels_of_games_that_a_card_knows_in_part() {
        let card: Scorecard =
            serde_json::from_value(json!({ "card_id": "c", "total_levels_completed": 3, "total_levels": 5 }))
                .expect("a card");
        let plays = [play("aa01-v1", 1, 7), play("bb01-v1", 2, 5)];
        let id = "c".parse::<CardId>().expect("an id");
        let report = Report { service: "a service", card: &id, plays: &plays, closed: Some(&card) };
        assert!(report.games().to_string().contains("3/12"), "{report}");
    }
}
