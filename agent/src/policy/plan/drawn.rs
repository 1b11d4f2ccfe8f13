//! Tiles that are to look like a drawing beside them.
//!
//! What walks over tiles may paint them. Where a drawing of as many columns and rows lies beside a board of tiles, and some of them
//! were seen to take on colours of it, the board may be meant to become like it. That is an arrangement
//! ([`super::arrange`]) like those of pieces, measured in tiles that have another colour.

use std::collections::BTreeSet;

use env_client::{Color, Grid, Point};
use world_model::{Bounds, InterfaceMask, cells};

use super::{
    pairs::{Pair, Pieces, Role},
    picture::Middle,
    things::Things,
};

/// Tiles that took on colours of their drawing before it is believed to say what is wanted. A guess.
const REPAINTED: usize = 2;

/// Where a tile is, and its colours.
#[derive(Clone, Copy, Debug)]
struct Tile {
    bounds: Bounds,
    /// Where its colour is seen.
    at: Point,
    /// When the level began.
    first: Color,
    wanted: Color,
}

/// A board of tiles and what it may be meant to look like.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    tiles: Vec<Tile>,
    /// From one tile to the next, in cells.
    pitch: u8,
}

impl Drawn {
    /// Every board that a drawing lies beside when a level begins like this.
    fn all(first: &Grid, mask: &InterfaceMask) -> Vec<Drawn> {
        cells::drawn(first, mask).iter().map(|(board, colors)| Drawn::of(board, colors, first)).collect()
    }

    fn of(board: &cells::Board, colors: &[Color], first: &Grid) -> Drawn {
        let tile = |index: usize| {
            let at = board.middle(index);
            Tile { bounds: board.bounds(index), at, first: first[at], wanted: colors[index] }
        };
        let (across, down) = board.pitch();
        Drawn { tiles: (0..board.len()).filter(|it| board.has(*it)).map(tile).collect(), pitch: across.min(down) }
    }

    /// From one tile to the next, in cells.
    pub(super) fn pitch(&self) -> u8 {
        self.pitch
    }

    /// Whether a colour is wanted of any tile.
    fn is_wanted(&self, color: Color) -> bool {
        self.tiles.iter().any(|it| it.wanted == color)
    }

    /// The tiles that look otherwise than drawn. What is below a piece in a colour that is not drawn cannot be told.
    pub(super) fn wrong(&self, frame: &Grid, cast: &[Role]) -> Vec<Middle> {
        let is_covered = |it: &Tile| cast.iter().any(|role| role.at.is_in(it.bounds));
        let is_wrong = |it: &&Tile| {
            let color = frame.get(it.at);
            color != Some(it.wanted) && (color.is_some_and(|it| self.is_wanted(it)) || !is_covered(it))
        };
        self.tiles.iter().filter(is_wrong).map(|it| Middle::around(it.bounds)).collect()
    }

    /// The tiles that took on another colour of the drawing since the level began, and are seen to have it.
    fn repainted<'a>(&'a self, frame: &'a Grid, now: &'a Things) -> impl Iterator<Item = usize> + 'a {
        let is_repainted = move |it: &Tile| {
            let color = frame.get(it.at).filter(|_| !now.is_piece(it.at));
            color.is_some_and(|color| color != it.first && self.is_wanted(color))
        };
        (0..self.tiles.len()).filter(move |index| is_repainted(&self.tiles[*index]))
    }

    /// What is to be brought about.
    pub(super) fn pair(&self) -> Pair {
        Pair { pieces: Pieces::Tiles(self.clone()), slots: Vec::new(), homes: Vec::new(), outline: None }
    }
}

/// The boards of a level with drawings beside them, and whether keys were seen to paint such tiles.
#[derive(Debug, Default)]
pub(super) struct Drawings {
    all: Vec<Drawn>,
    /// Boards and tiles of this level that were repainted by whoever walked over them, and those that something else changed.
    repainted: BTreeSet<(usize, usize)>,
    pressed: BTreeSet<(usize, usize)>,
    /// Whether so many were in any level.
    are_painted: bool,
}

impl Drawings {
    /// A level begins with this frame.
    pub(super) fn begin_level(&mut self, first: &Grid, mask: &InterfaceMask) {
        self.all = Drawn::all(first, mask);
        self.repainted.clear();
        self.pressed.clear();
    }

    /// Looks at what a key led to, and whether it was one that moves nothing. Whether it is new that tiles are painted by walking.
    pub(super) fn watch(&mut self, frame: &Grid, now: &Things, is_press: bool) -> bool {
        if self.are_painted {
            return false;
        }
        let all = self.all.iter().enumerate();
        let seen = all.flat_map(|(board, drawn)| drawn.repainted(frame, now).map(move |tile| (board, tile)));
        let (own, others) =
            if is_press { (&mut self.pressed, &self.repainted) } else { (&mut self.repainted, &self.pressed) };
        own.extend(seen.filter(|it| !others.contains(it)));
        let count = |board: usize| self.repainted.iter().filter(|it| it.0 == board).count();
        self.are_painted = (0..self.all.len()).any(|board| count(board) >= REPAINTED);
        self.are_painted
    }

    /// What may be wanted: the boards that were painted, or all where that was seen in another level.
    pub(super) fn wanted(&self) -> impl Iterator<Item = (usize, &Drawn)> {
        let is_painted = |board: usize| self.repainted.iter().any(|it| it.0 == board);
        let all = self.all.iter().enumerate().filter(|_| self.are_painted);
        all.filter(move |(board, _)| self.repainted.is_empty() || is_painted(*board))
    }
}
