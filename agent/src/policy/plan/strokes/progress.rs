//! How far a row of clicks has come that a strip tells, and what was seen on the way.

use std::collections::HashSet;

use env_client::{Color, Grid, Point};
use world_model::{InterfaceMask, Transition};

use super::{
    spread::Spread,
    strip::{self, Known, Tile},
};

/// Where tiles show that a click counted.
#[derive(Debug, Default)]
pub(super) struct Progress {
    spread: Spread,
    /// Whether a click ever showed on its tile: one that does not is refused from then on.
    shows: bool,
    /// The clicks that count, from the level's first frame on.
    done: Vec<Point>,
    refused: HashSet<Vec<Point>>,
}

impl Progress {
    /// A level begins, or begins again.
    pub(super) fn begin(&mut self, is_new: bool) {
        self.done.clear();
        if is_new {
            self.refused.clear();
        }
    }

    /// How many clicks count.
    pub(super) fn clicks(&self) -> usize {
        self.done.len()
    }

    /// What is known for the way on.
    pub(super) fn known<'a>(&'a self, now: &'a Grid) -> Known<'a> {
        Known { done: &self.done, now, spread: &self.spread, refused: &self.refused }
    }

    /// Learns from a click of a row; whether it came out otherwise than foreseen. `first` is the level's first frame.
    pub(super) fn observe(&mut self, step: &Transition<'_>, first: &Grid, mask: &InterfaceMask) -> bool {
        let (Some(at), Some(after)) = (step.action.point(), step.after()) else { return false };
        let boards = strip::boards(first, mask);
        let Some(board) = boards.iter().find(|board| board.iter().any(|tile| tile.middle() == at)) else {
            return false;
        };
        let tile = |at: &Point| board.iter().position(|tile| tile.middle() == *at);
        let (Some(clicked), Some(used)) = (tile(&at), self.done.iter().map(tile).collect::<Option<Vec<usize>>>())
        else {
            return false;
        };
        let [start, before, after] = [first, step.before, after].map(|frame| faces(board, frame));
        if after == start {
            return self.refuse(at, before != start);
        }
        if before[clicked] == after[clicked] {
            return false;
        }
        let places = strip::places(board);
        let mut foreseen: Vec<Option<Color>> = before.iter().copied().map(Some).collect();
        self.spread.apply(clicked, &places, &used, &mut foreseen);
        self.spread.learn(clicked, &places, &used, &before, &after);
        self.shows = true;
        self.done.push(at);
        (0..board.len()).any(|tile| tile != clicked && foreseen[tile] != Some(after[tile]))
    }

    /// A click after which all tiles are as in the beginning; `were_others`, they were not before it.
    fn refuse(&mut self, at: Point, were_others: bool) -> bool {
        let is_refused = were_others || self.shows;
        if is_refused {
            self.done.push(at);
            self.refused.insert(std::mem::take(&mut self.done));
        }
        is_refused
    }
}

fn faces(board: &[Tile], frame: &Grid) -> Vec<Color> {
    board.iter().map(|tile| tile.face(frame)).collect()
}
