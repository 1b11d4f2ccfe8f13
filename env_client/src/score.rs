//! RHAE, relative human action efficiency, exactly as the official toolkit (`arc-agi` 0.9.9) computes it.
//!
//! Level `i`, counted from 1, with human baseline `h` and `a` actions spent on it scores `min(100·(h/a)², 115)` when it
//! was completed. A game scores the mean of its levels weighted by `i`, but no more than the weighted share of its
//! levels that scored at all. A card scores the mean of its games.

/// The most a single level can score: finishing in fewer actions than people pays a little, not without bound.
const LEVEL_CAP: f64 = 115.0;

/// What a play spent on one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelResult {
    /// Human actions on this level.
    pub baseline: u32,
    /// Actions spent on it, RESETs included.
    pub actions: u32,
    /// Whether it was solved.
    pub completed: bool,
}

impl LevelResult {
    /// The score of the level, `0..=115`. A level completed without an action scores nothing.
    pub fn score(self) -> f64 {
        if !self.completed || self.actions == 0 {
            return 0.0;
        }
        let ratio = f64::from(self.baseline) / f64::from(self.actions);
        (ratio * ratio * 100.0).min(LEVEL_CAP)
    }
}

/// The score of one play, `0..=100`. `levels` holds every level of the game, in order.
pub fn game(levels: &[LevelResult]) -> f64 {
    weighted((1..).zip(levels.iter().copied()))
}

/// The score of levels with their weights, `0..=100`: those of one game, or of all games with one tag, each weighted by
/// its place in its own game.
pub fn weighted(levels: impl IntoIterator<Item = (u32, LevelResult)>) -> f64 {
    let (mut total, mut scored, mut weights) = (0.0, 0, 0);
    for (weight, level) in levels {
        let score = level.score();
        total += score * f64::from(weight);
        weights += weight;
        if score > 0.0 {
            scored += weight;
        }
    }
    if weights == 0 {
        return 0.0;
    }
    let share = f64::from(scored) / f64::from(weights) * 100.0;
    (total / f64::from(weights)).min(share)
}

/// The mean over games, 0 without any.
pub fn card(games: &[f64]) -> f64 {
    if games.is_empty() { 0.0 } else { games.iter().sum::<f64>() / games.len() as f64 }
}

/// The levels of a play from the running counts a card keeps.
///
/// `baselines` has one entry a level. `completed_at` holds the running action count at each completed level, `actions`
/// the count at the end; what is left over is billed to the level that was being played.
pub fn levels(baselines: &[u32], completed_at: &[u32], actions: u32) -> Vec<LevelResult> {
    let mut before = 0;
    let level = |(index, &baseline): (usize, &u32)| {
        let until = completed_at.get(index).copied().unwrap_or(actions);
        let spent = until.saturating_sub(before);
        before = until;
        LevelResult { baseline, actions: spent, completed: index < completed_at.len() }
    };
    baselines.iter().enumerate().map(level).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn a_level_is_the_square_of_the_ratio_up_to_the_cap() {
        let level = |baseline, actions, completed| LevelResult { baseline, actions, completed }.score();
        assert!(near(level(10, 20, true), 25.0));
        assert!(near(level(10, 10, true), 100.0));
        assert!(near(level(10, 1, true), 115.0));
        assert!(near(level(10, 5, false), 0.0));
        assert!(near(level(10, 0, true), 0.0));
    }

    #[test]
    fn later_levels_weigh_more_and_unsolved_ones_bound_the_game() {
        // Levels 1 and 2 of 3 at human pace: (1·100 + 2·100) / 6.
        let played = levels(&[10, 20, 30], &[10, 30], 99);
        assert_eq!(played.iter().map(|level| level.actions).collect::<Vec<_>>(), [10, 20, 69]);
        assert!(near(game(&played), 50.0));
        // Faster than people on both: capped by the weighted share of solved levels.
        assert!(near(game(&levels(&[10, 20, 30], &[5, 10], 99)), 50.0));
        assert!(near(game(&[]), 0.0));
    }

    #[test]
    fn a_card_is_the_mean_of_its_games() {
        assert!(near(card(&[10.0, 20.0]), 15.0));
        assert!(near(card(&[]), 0.0));
    }
}
