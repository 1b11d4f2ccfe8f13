//! The skill of floods: pour colours until all land is under water.

use std::collections::{BTreeSet, HashSet, VecDeque};

use env_client::{ActionId, ActionSet, Color, Grid};
use world_model::{
    InterfaceMask, Outcome, Start, Transition,
    floods::{Flooded, Floods, Land},
};

use super::{
    ledger::TIER,
    skill::{Move, Proposal, Skill, is_clicks_alone},
};

/// A plan, and a second pour to see whether there are floods: before boards look at all that is land. Guesses.
const PLAN: f32 = 0.05 * TIER;
const RIDDLE: f32 = 0.1 * TIER;
/// States that a search keeps after each pour, and pours at most. Guesses.
const BEAM: usize = 600;
const LONGEST: usize = 40;
/// Plans in one level after which the rest is left to others, and second pours in a game. Guesses.
const PLANS: u32 = 30;
const RIDDLES: u32 = 6;

/// Understands floods.
#[derive(Debug, Default)]
pub(super) struct Flooding {
    model: Floods,
    /// How many pours the plan that was proposed last has, and the one of which the first pour is being made.
    proposed: Option<usize>,
    pursued: Option<usize>,
    plans: u32,
    riddles: u32,
    /// Whether all land was under water in vain in this level, and whether that solved one.
    is_vain: bool,
    has_won: bool,
}

impl Flooding {
    fn plan(&mut self, frame: &Grid, mask: &InterfaceMask) -> Option<Proposal> {
        let (land, now, colors) = self.model.read(frame, mask)?;
        let pours = pours(&land, &now, &colors)?;
        // What is poured next may cover what the pour after it comes from, so only the first click is sure.
        let action = self.model.source(frame, *pours.first()?)?;
        self.proposed = Some(pours.len());
        let score = PLAN + pours.len() as f32;
        let steps = VecDeque::from([Move { action, expected: None }]);
        Some(Proposal { steps, goal: format!("all land under water, {} pours", pours.len()), score })
    }
}

impl Skill for Flooding {
    fn name(&self) -> &'static str {
        "floods"
    }

    fn begin(&mut self, frame: &Grid, _mask: &InterfaceMask, start: Start) {
        self.model.begin(frame, start);
        self.pursued = None;
        if start == Start::Level {
            (self.plans, self.is_vain) = (0, false);
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.model.observe(step, mask);
        if self.pursued.take() == Some(1) {
            self.has_won |= step.outcome == Outcome::Solved;
            self.is_vain |= step.outcome == Outcome::Continues;
        }
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.proposed = None;
        if !actions.contains(ActionId::Action6) || self.plans >= PLANS || self.is_vain {
            return None;
        }
        if let Some(action) = self.model.first(frame).filter(|_| self.has_won) {
            return Some(Proposal::experiment(action, "see where the water is".to_owned(), PLAN));
        }
        if self.model.is_understood() {
            return self.plan(frame, mask);
        }
        let may = is_clicks_alone(actions) && self.model.is_likely() && self.riddles < RIDDLES;
        let riddle = self.plan(frame, mask).filter(|_| may)?;
        Some(Proposal { score: RIDDLE, goal: "see whether it is flooded again".to_owned(), ..riddle })
    }

    fn taken_up(&mut self) {
        self.pursued = self.proposed.take();
        self.plans += 1;
        self.riddles += u32::from(!self.model.is_understood());
    }
}

/// The fewest pours that are found after which all land that water can reach is under it.
fn pours(land: &Land, now: &Flooded, colors: &BTreeSet<Color>) -> Option<Vec<Color>> {
    let reach = land.reach(now, colors);
    let wanted = (0..reach.len()).filter(|it| reach[*it].is_some()).fold(0u128, |bits, it| bits | 1 << it);
    let mut beam: Vec<(Flooded, Vec<Color>)> = vec![(now.clone(), Vec::new())];
    let mut seen: HashSet<u128> = HashSet::from([now.regions]);
    for _ in 0..LONGEST {
        let mut next: Vec<(u32, Flooded, Vec<Color>)> = Vec::new();
        for (state, made) in &beam {
            for color in colors.iter().filter(|it| Some(**it) != state.color) {
                let after = land.pour(state, *color);
                if after.regions == state.regions || !seen.insert(after.regions) {
                    continue;
                }
                let made: Vec<Color> = made.iter().copied().chain([*color]).collect();
                if after.regions & wanted == wanted {
                    return Some(made);
                }
                let left = land.reach(&after, colors).into_iter().flatten().sum();
                next.push((left, after, made));
            }
        }
        next.sort_by_key(|it| it.0);
        next.truncate(BEAM);
        beam = next.into_iter().map(|(_, state, made)| (state, made)).collect();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of regions, each beside the next one.
    fn chain(colors: &[u8]) -> Land {
        let beside =
            |it: usize| it.checked_sub(1).into_iter().chain((it + 1 < colors.len()).then_some(it + 1)).collect();
        Land {
            colors: colors.iter().map(|it| Color::of(*it)).collect(),
            beside: (0..colors.len()).map(beside).collect(),
        }
    }

    fn found(colors: &[u8], start: usize, pots: &[u8]) -> Option<Vec<u8>> {
        let now = Flooded { regions: 1 << start, color: Some(Color::of(colors[start])) };
        let pots = pots.iter().map(|it| Color::of(*it)).collect();
        let pours = pours(&chain(colors), &now, &pots)?;
        Some(pours.into_iter().map(|it| it.index() as u8).collect())
    }

    #[test]
    fn the_fewest_pours_take_both_ends_at_once() {
        assert_eq!(found(&[3, 4, 5, 4, 3], 2, &[3, 4, 5]), Some(vec![4, 3]));
        assert_eq!(found(&[5, 3, 4, 5, 3, 4], 3, &[3, 4, 5]).map(|it| it.len()), Some(4));
    }

    #[test]
    fn land_behind_what_cannot_be_poured_is_left_dry() {
        assert_eq!(found(&[5, 3, 7, 4, 3], 0, &[3, 4, 5]), Some(vec![3]));
    }
}
