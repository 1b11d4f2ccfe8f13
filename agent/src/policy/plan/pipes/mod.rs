//! The skill of tiles that a click turns, until the ways on them meet.
//!
//! # Layout
//! - [`Turning`] (here): wants one thing after the other, and clicks what brings it about.
//! - [`net`]: a wall as what may be joined, and the ends that may have to be; [`route`]: ways that join ends; [`fit`]: no
//!   opening left loose.
//!
//! It makes no first experiment of its own: once a click turned a tile, others like it are believed to turn as well until one
//! does not. Ends are tiles with one opening; those drawn in other colours than the ways are meant first, and those that
//! show the same colour belong together. What was joined in vain is not joined again, and all openings are closed instead.

mod fit;
mod net;
mod route;
#[cfg(test)]
mod tests;

use std::{
    cmp::Reverse,
    collections::{BTreeSet, VecDeque},
};

use env_client::{Action, ActionId, ActionSet, Grid};
use world_model::{
    InterfaceMask, Outcome, Pipes, Start, Transition,
    pipes::{Stencil, Wall},
};

use self::net::{Groups, Net};
use super::{
    ledger::TIER,
    skill::{Move, Proposal, Skill},
};

/// A plan where joining solved a level before, and before that: it comes before experiments on boards, whose cells take
/// what shines for their own answer. Guesses.
const WON: f32 = 0.15 * TIER;
const PLAN: f32 = 0.3 * TIER;
/// What each click of a plan counts: little, since no experiment tells more of what turns than the plan itself.
const LENGTH: f32 = 0.1;
/// Plans taken up in one level before the rest is left to others. A guess: kinds of tiles that do not turn cost one each.
const PLANS: u32 = 16;
/// Fewer tiles on which anything is drawn are no wall. A guess.
const FEWEST: usize = 4;

/// What may be wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wish {
    /// Ends that are joined.
    Joined(Groups),
    /// All tiles joined, with no opening left loose.
    Whole,
    /// No opening left loose.
    Tight,
}

/// The kind of a wish, which may be the same in another level.
fn kind(wish: &Wish) -> usize {
    match wish {
        Wish::Joined(_) => 0,
        Wish::Whole => 1,
        Wish::Tight => 2,
    }
}

/// Turns tiles until their ways meet.
#[derive(Debug, Default)]
pub(super) struct Turning {
    pipes: Pipes,
    /// How often each kind of wish solved a level.
    won: [u32; 3],
    /// What came about in vain in this level, and what the plan under way is to bring about.
    refuted: Vec<Wish>,
    pursued: Option<Wish>,
    offer: Option<Wish>,
    /// Plans taken up in this level; tiles as they were where none was found.
    plans: u32,
    exhausted: Option<Vec<Stencil>>,
    /// The ends of this level as its wall was first seen, whatever shone since.
    ends: Option<(Wall, Vec<Groups>)>,
}

impl Turning {
    fn stencils(&self, frame: &Grid) -> Option<Vec<Stencil>> {
        let wall = self.pipes.wall()?;
        Some((0..wall.len()).filter_map(|index| Some(wall.tile(frame, index)?.stencil)).collect())
    }

    /// What may be wanted, what won before first.
    fn wishes(&mut self, wall: &Wall, net: &Net) -> Vec<Wish> {
        if self.ends.as_ref().is_none_or(|(known, _)| known != wall) {
            self.ends = Some((wall.clone(), net.groups()));
            self.refuted.clear();
        }
        let ends = self.ends.as_ref().map(|(_, ends)| ends.clone()).unwrap_or_default();
        let others = [Wish::Whole, Wish::Tight, Wish::Joined(vec![net.drawn()])];
        let mut wishes: Vec<Wish> = ends.into_iter().map(Wish::Joined).chain(others).collect();
        wishes.sort_by_key(|wish| Reverse(self.won[kind(wish)]));
        wishes
    }

    /// The cheapest plan to what is wanted most.
    fn plan(&mut self, frame: &Grid) -> Option<(Wish, Vec<(usize, u32)>)> {
        let wall = self.pipes.wall()?.clone();
        let nets = [false, true].map(|ends_turn| Net::read(&self.pipes, &wall, frame, ends_turn));
        if nets[0].knots.iter().filter(|it| !it.poses.is_empty()).count() < FEWEST {
            return None;
        }
        let wishes = self.wishes(&wall, &nets[0]);
        for wish in wishes.into_iter().filter(|it| !self.refuted.contains(it)).collect::<Vec<_>>() {
            for net in &nets {
                let poses = match &wish {
                    Wish::Joined(groups) => route::join(net, groups),
                    Wish::Whole => fit::fit(net, true),
                    Wish::Tight => fit::fit(net, false),
                };
                let Some(poses) = poses else { continue };
                let clicks = net.knots.iter().zip(&poses).enumerate();
                let clicks = clicks.filter_map(|(index, (knot, pose))| Some((index, knot.poses.get(*pose)?.clicks)));
                let clicks: Vec<(usize, u32)> = clicks.filter(|(_, count)| *count > 0).collect();
                if !clicks.is_empty() {
                    return Some((wish, clicks));
                }
                self.refuted.push(wish);
                break;
            }
        }
        None
    }
}

impl Skill for Turning {
    fn name(&self) -> &'static str {
        "pipes"
    }

    fn begin(&mut self, frame: &Grid, _mask: &InterfaceMask, start: Start) {
        self.pipes.begin(frame, start);
        self.pursued = None;
        self.exhausted = None;
        if start == Start::Level {
            self.refuted.clear();
            self.plans = 0;
            self.ends = None;
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        if let Some(wish) = self.pursued.take_if(|_| step.outcome == Outcome::Solved) {
            self.won[kind(&wish)] += 1;
        }
        if step.outcome == Outcome::Continues {
            self.pipes.observe(step, mask);
            self.exhausted = None;
        }
    }

    fn propose(&mut self, frame: &Grid, _mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        (self.offer, self.pursued) = (None, None);
        let now = self.stencils(frame).filter(|_| actions.contains(ActionId::Action6) && self.plans < PLANS)?;
        if self.exhausted.as_ref() == Some(&now) {
            return None;
        }
        let Some((wish, clicks)) = self.plan(frame) else {
            self.exhausted = Some(now);
            return None;
        };
        let wall = self.pipes.wall()?;
        let quarters = if self.pipes.is_clockwise() { 1 } else { 3 };
        let mut expected = frame.clone();
        let turns = clicks.iter().flat_map(|(index, count)| std::iter::repeat_n(*index, *count as usize));
        let steps = turns.map(|index| {
            expected = wall.turn(&expected, index, quarters);
            Move { action: Action::Click(wall.middle(index)), expected: Some(expected.clone()) }
        });
        let steps: VecDeque<Move> = steps.collect();
        let goal = match &wish {
            Wish::Joined(groups) => {
                format!("join {} ends", groups.iter().map(BTreeSet::len).sum::<usize>())
            }
            Wish::Whole => "join all tiles".to_owned(),
            Wish::Tight => "leave nothing loose".to_owned(),
        };
        let score = if self.won[kind(&wish)] > 0 { WON } else { PLAN };
        self.offer = Some(wish);
        Some(Proposal { score: score + LENGTH * steps.len() as f32, steps, goal })
    }

    /// Whatever shines where: tiles are turned as they should be.
    fn recognizes(&self, expected: &Grid, seen: &Grid, _mask: &InterfaceMask) -> bool {
        self.stencils(expected) == self.stencils(seen)
    }

    fn taken_up(&mut self) {
        self.pursued = self.offer.take();
        self.plans += 1;
    }

    fn in_vain(&mut self) {
        self.refuted.extend(self.pursued.take());
    }
}
