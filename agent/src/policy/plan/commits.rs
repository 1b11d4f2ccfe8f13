//! Actions that play something out and put everything back: what comes of them depends on how the pieces are arranged.
//!
//! Such an action is worth taking once in every arrangement. Which one is right cannot be seen before, so they are tried
//! in an order that finds out soon: few moves away, far from those tried, and in line with something.

use std::collections::BTreeSet;

use env_client::ActionId;
use world_model::{Advance, Bounds};

use super::{ledger::TIER, things::Things};

/// Frames of an animation that are more than a move shows (the official games show up to nine for one, measured).
const LONG: usize = 10;
/// What a new arrangement is worth.
const NEW: f32 = 0.6 * TIER;
/// What one right beside a tried one costs more; half of it at the distance of a piece.
const NEAR: f32 = 40.0;
/// What one in line with nothing costs more, in actions.
const ASTRAY: f32 = 6.0;
/// A row off matters less than a column off (a quarter: measured on public games).
const ROWS: u32 = 4;

/// Where the pieces are.
type Places = Vec<Bounds>;

/// Such actions, and the arrangements they were taken in.
#[derive(Debug, Default)]
pub(super) struct Commits {
    /// In this game.
    actions: BTreeSet<ActionId>,
    /// In this level.
    tried: Vec<(ActionId, Places)>,
}

impl Commits {
    /// A new level: everything is to be tried again.
    pub(super) fn begin_level(&mut self) {
        self.tried.clear();
    }

    /// An action showed so many frames and left nothing as `event` says, with the pieces where they are.
    pub(super) fn played(&mut self, action: ActionId, advances: &[Advance], frames: usize, event: bool) {
        if frames >= LONG && !event {
            self.actions.insert(action);
        } else if event {
            self.actions.remove(&action);
        }
        self.tried.push((action, places(advances)));
    }

    /// Whether an action is one of these.
    pub(super) fn contains(&self, action: ActionId) -> bool {
        self.actions.contains(&action)
    }

    /// How interesting it is to take an action with the pieces here, in actions: lower is better. `None` when that was
    /// tried.
    pub(super) fn interest(&self, action: ActionId, advances: &[Advance], things: &Things) -> Option<f32> {
        let places = places(advances);
        let side = places.iter().map(|it| u32::from(it.width().min(it.height()))).max()?;
        let tried = self.tried.iter().filter(|(it, _)| *it == action);
        let nearest = tried.map(|(_, tried)| distance(&places, tried)).min();
        let near = match nearest {
            Some(0) => return None,
            Some(cells) => NEAR * side as f32 / (side + cells) as f32,
            None => 0.0,
        };
        let astray = if places.iter().any(|it| is_in_line(*it, things)) { 0.0 } else { ASTRAY };
        Some(NEW + near + astray)
    }
}

/// Where pieces are.
pub(super) fn places(advances: &[Advance]) -> Vec<Bounds> {
    advances.iter().filter_map(|it| Bounds::around(it.from.iter().copied())).collect()
}

/// How far the pieces are from where they were, in columns and quarters of rows; far where others are there.
fn distance(a: &Places, b: &Places) -> u32 {
    if a.len() != b.len() {
        return u32::MAX / 2;
    }
    let columns = |a: &Bounds, b: &Bounds| u32::from(a.left.abs_diff(b.left));
    let rows = |a: &Bounds, b: &Bounds| u32::from(a.top.abs_diff(b.top)).div_ceil(ROWS);
    a.iter().zip(b).map(|(a, b)| columns(a, b) + rows(a, b)).sum()
}

/// Whether a side or the middle of a piece lies where the middle of a thing does, by columns.
fn is_in_line(piece: Bounds, things: &Things) -> bool {
    let (left, right) = (2 * u16::from(piece.left), 2 * u16::from(piece.right) + 2);
    let lines = [left, u16::midpoint(left, right), right];
    let middle = |it: Bounds| u16::from(it.left) + u16::from(it.right) + 1;
    things
        .iter()
        .any(|(_, it)| lines.iter().any(|line| line.abs_diff(middle(it.bounds)) <= u16::from(it.bounds.width())))
}

#[cfg(test)]
mod tests {
    use env_client::{Grid, Point};
    use world_model::InterfaceMask;

    use super::*;
    use crate::policy::plan::things::Under;

    const SPACE: ActionId = ActionId::Action5;

    fn piece(x: u8) -> [Advance; 1] {
        let from = (x..x + 3).map(|x| Point::new(x, 3).unwrap()).collect();
        [Advance { from, ..Advance::default() }]
    }

    /// What it is worth to commit with a piece at each of these columns.
    fn worth(commits: &Commits, columns: &[u8]) -> Vec<Option<f32>> {
        let frame: Grid = "0".repeat(40).parse().unwrap();
        let things = Things::of(&frame, &InterfaceMask::new(), &[], Under::default());
        columns.iter().map(|x| commits.interest(SPACE, &piece(*x), &things)).collect()
    }

    #[test]
    fn what_plays_something_out_and_puts_it_back_is_worth_taking_elsewhere() {
        let mut commits = Commits::default();
        commits.played(SPACE, &piece(10), 9, false);
        assert!(!commits.contains(SPACE), "a move shows as much");
        commits.played(SPACE, &piece(10), 22, false);
        assert!(commits.contains(SPACE));
        commits.played(SPACE, &piece(10), 22, true);
        assert!(!commits.contains(SPACE), "it does something after all");
    }

    #[test]
    fn arrangements_far_from_those_tried_are_worth_more() {
        let mut commits = Commits::default();
        commits.played(SPACE, &piece(10), 22, false);
        let worth = worth(&commits, &[10, 11, 20]);
        assert_eq!(worth[0], None);
        assert!(worth[2] < worth[1], "{worth:?}");
    }
}
