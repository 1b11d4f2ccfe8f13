//! From counters to the scored summary: RHAE by play, game, tag and card, as the official toolkit computes it.

use env_client::{
    GameId, Status,
    score::{self, LevelResult},
    scorecard::{EnvironmentScore, RunScore, Scorecard, TagScore},
};

use super::ledger::{GameCount, Ledger, PlayCount};

/// What scoring needs to know of a game.
#[derive(Clone, Debug)]
pub(super) struct Yardstick<'a> {
    /// The game.
    pub(super) game: &'a GameId,
    /// Its tags.
    pub(super) tags: &'a [String],
    /// Baseline actions by level; empty when there are none.
    pub(super) baselines: &'a [u32],
}

/// The scored parts of a summary; whose card it is stays open. A game without a yardstick scores as one without baselines.
pub(super) fn score(ledger: &Ledger, yardsticks: &[Yardstick<'_>]) -> Scorecard {
    let mut tags = Tags::default();
    let mut environments = Vec::with_capacity(ledger.games().len());
    for count in ledger.games() {
        let yardstick = yardsticks.iter().find(|yardstick| *yardstick.game == count.game);
        environments.push(environment(count, yardstick.map_or(&[], |yardstick| yardstick.baselines)));
        if let Some(yardstick) = yardstick {
            tags.add(yardstick, furthest(count));
        }
    }
    let scores: Vec<f64> = environments.iter().map(|environment| environment.score).collect();
    Scorecard {
        score: score::card(&scores),
        total_environments_completed: environments.iter().filter(|environment| environment.completed).count() as u32,
        total_environments: environments.len() as u32,
        total_levels_completed: environments.iter().map(|environment| environment.levels_completed).sum(),
        total_levels: environments.iter().map(|environment| environment.level_count).sum(),
        total_actions: environments.iter().map(|environment| environment.actions).sum(),
        environments,
        tags_scores: tags.finish(),
        ..Scorecard::default()
    }
}

/// The first of the plays that solved the most levels: the one that counts for the tags.
fn furthest(count: &GameCount) -> Option<&PlayCount> {
    let most = count.plays.iter().map(|play| play.levels_completed).max();
    count.plays.iter().find(|play| Some(play.levels_completed) == most)
}

/// A game: the best of its plays in each respect, the sum of what they cost.
fn environment(count: &GameCount, baselines: &[u32]) -> EnvironmentScore {
    let runs: Vec<RunScore> = count.plays.iter().map(|play| run(&count.game, play, baselines)).collect();
    let levels = |run: &RunScore| run.level_scores.as_ref().map_or(0, Vec::len);
    EnvironmentScore {
        id: count.game.to_string(),
        score: runs.iter().map(|run| run.score).fold(0.0, f64::max),
        actions: runs.iter().map(|run| run.actions).sum(),
        levels_completed: runs.iter().map(|run| run.levels_completed).max().unwrap_or(0),
        completed: runs.iter().any(|run| run.completed == Some(true)),
        level_count: runs.iter().map(levels).max().unwrap_or(0) as u32,
        resets: runs.iter().filter_map(|run| run.resets).sum(),
        runs,
    }
}

fn run(game: &GameId, play: &PlayCount, baselines: &[u32]) -> RunScore {
    match levels(play, baselines) {
        Ok(levels) => scored(play, &levels),
        Err(why) => unscored(game, play, why),
    }
}

/// What the play spent on each level of the game, or why that cannot be told.
fn levels(play: &PlayCount, baselines: &[u32]) -> Result<Vec<LevelResult>, &'static str> {
    if baselines.is_empty() {
        Err("Human baseline actions are not available for this environment")
    } else if baselines.len() < play.changes.len() {
        Err("Human baseline actions size mismatch")
    } else {
        let completed_at: Vec<u32> = play.changes.iter().map(|(_, actions)| *actions).collect();
        Ok(score::levels(baselines, &completed_at, play.actions))
    }
}

fn scored(play: &PlayCount, levels: &[LevelResult]) -> RunScore {
    RunScore {
        guid: Some(play.guid.to_string()),
        score: score::game(levels),
        levels_completed: levels.iter().filter(|level| level.completed).count() as u32,
        actions: levels.iter().map(|level| level.actions).sum(),
        resets: Some(play.resets),
        state: Some(play.state),
        completed: Some(play.state == Status::Win),
        level_scores: Some(levels.iter().map(|level| level.score()).collect()),
        level_actions: Some(levels.iter().map(|level| level.actions).collect()),
        level_baseline_actions: Some(levels.iter().map(|level| level.baseline.into()).collect()),
        ..RunScore::default()
    }
}

/// A play that cannot be measured shows what it spent between the changes of level, and scores 0.
fn unscored(game: &GameId, play: &PlayCount, why: &str) -> RunScore {
    let ends = play.changes.iter().map(|(_, actions)| *actions);
    let ends: Vec<u32> = ends.chain((play.state != Status::Win).then_some(play.actions)).collect();
    let starts = std::iter::once(0).chain(ends.iter().copied());
    RunScore {
        id: Some(game.to_string()),
        guid: Some(play.guid.to_string()),
        levels_completed: play.levels_completed,
        actions: play.actions,
        resets: Some(play.resets),
        state: Some(play.state),
        completed: Some(play.state == Status::Win),
        level_scores: Some(vec![0.0; ends.len()]),
        level_actions: Some(ends.iter().zip(starts).map(|(end, start)| end - start).collect()),
        level_baseline_actions: Some(vec![-1; ends.len()]),
        number_of_environments: Some(0),
        message: Some(why.to_owned()),
        ..RunScore::default()
    }
}

/// The levels under each tag, in the order the tags were met.
#[derive(Default)]
struct Tags<'a> {
    tags: Vec<Tag<'a>>,
}

struct Tag<'a> {
    name: &'a str,
    games: u32,
    /// Each level with its weight, its place in its own game.
    levels: Vec<(u32, LevelResult)>,
}

impl<'a> Tags<'a> {
    fn add(&mut self, yardstick: &Yardstick<'a>, play: Option<&PlayCount>) {
        let Some(Ok(levels)) = play.map(|play| levels(play, yardstick.baselines)) else { return };
        for name in yardstick.tags {
            let tag = self.entry(name);
            tag.games += 1;
            tag.levels.extend((1..).zip(levels.iter().copied()));
        }
    }

    fn entry(&mut self, name: &'a str) -> &mut Tag<'a> {
        let known = self.tags.iter().position(|tag| tag.name == name);
        let index = known.unwrap_or_else(|| {
            self.tags.push(Tag { name, games: 0, levels: Vec::new() });
            self.tags.len() - 1
        });
        &mut self.tags[index]
    }

    fn finish(self) -> Vec<TagScore> {
        self.tags.into_iter().map(Tag::finish).collect()
    }
}

impl Tag<'_> {
    fn finish(self) -> TagScore {
        let levels = || self.levels.iter().map(|(_, level)| level);
        TagScore {
            id: self.name.to_owned(),
            score: score::weighted(self.levels.iter().copied()),
            levels_completed: levels().filter(|level| level.completed).count() as u32,
            actions: levels().map(|level| level.actions).sum(),
            number_of_levels: Some(self.levels.len() as u32),
            number_of_environments: Some(self.games),
        }
    }
}

#[cfg(test)]
mod tests {
    use env_client::{Action, Command, Key};
    use serde::Deserialize;
    use serde_json::Value;

    use super::{super::ledger::Entry, *};

    /// What `golden/scorecard.py` got from the official toolkit.
    #[derive(Deserialize)]
    struct Golden {
        commands: Vec<(String, String, u8, u32, u32, Status, bool)>,
        summary: Value,
        counters: Value,
    }

    fn golden() -> (Golden, Ledger) {
        let golden: Golden = serde_json::from_str(include_str!("golden/scorecard.json")).unwrap();
        let mut ledger = Ledger::default();
        for (game, guid, action, times, levels_completed, status, full_reset) in &golden.commands {
            let command = if *action == 0 { Command::Reset } else { Action::Key(Key::Key1).into() };
            let entry =
                Entry { command, full_reset: *full_reset, status: *status, levels_completed: *levels_completed };
            (0..*times).for_each(|_| ledger.enter(&game.parse().unwrap(), &guid.parse().unwrap(), entry));
        }
        (golden, ledger)
    }

    #[test]
    fn a_card_is_scored_as_the_official_toolkit_scores_it() {
        let (golden, ledger) = golden();
        let ids = ["aa00-1", "bb00-1", "cc00-1", "dd00-1"].map(|id| id.parse::<GameId>().unwrap());
        let tags = [vec!["keyboard".to_owned(), "maze".to_owned()], vec!["keyboard".to_owned()], vec![], vec![]];
        let baselines = [vec![4, 8, 12], vec![3, 5], vec![], vec![2]];
        let parts = ids.iter().zip(&tags).zip(&baselines);
        let yardsticks: Vec<Yardstick<'_>> =
            parts.map(|((game, tags), baselines)| Yardstick { game, tags, baselines }).collect();
        assert_eq!(serde_json::to_value(score(&ledger, &yardsticks)).unwrap(), golden.summary);
    }

    #[test]
    fn raw_counters_are_those_of_the_official_toolkit() {
        let (golden, ledger) = golden();
        assert_eq!(serde_json::to_value(ledger.counters("aa00-1")).unwrap(), golden.counters);
        let nobody = serde_json::to_value(ledger.counters("zz00-1")).unwrap();
        assert_eq!(nobody["cards"], serde_json::json!({}));
        assert_eq!(nobody["played"], 4);
    }

    #[test]
    fn a_card_without_plays_scores_nothing() {
        assert_eq!(score(&Ledger::default(), &[]), Scorecard::default());
    }
}
