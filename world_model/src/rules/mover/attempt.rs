//! What decides whether a piece gets where it means to go.

use env_client::Grid;

use super::strip;
use crate::rules::{
    cell_set::{CellSet, Patch},
    law::mix,
    sprite::{SIDES, Sprite, Vector, color_at},
    view::View,
};

/// Features that decide whether it gets there.
pub(super) const ATTEMPT: usize = 12;
/// The last one of them: whether the way is new.
pub(super) const NOVELTY: usize = ATTEMPT - 1;
/// Novelty of a way: every colour in it was entered before, or not.
pub(super) const ENTERED: u64 = 0;
pub(super) const NOVEL: u64 = 1;
const THING: u64 = 2;
/// A piece that means to go somewhere, and what lies in its way.
pub(super) struct Attempt<'a> {
    pub(super) view: &'a View<'a>,
    pub(super) sprite: &'a Sprite,
    pub(super) at: Vector,
    pub(super) by: Vector,
    pub(super) strip: Vec<Vector>,
    /// Colours that such pieces have entered.
    pub(super) entered: u32,
    /// Colours of walls that stopped such pieces.
    pub(super) walls: u32,
    /// What the piece looks like that drives it; 0 where none does.
    pub(super) driver: u64,
    /// What the piece looks like, whichever way it is turned, and how the way lies to where it looks.
    pub(super) stance: u64,
}

impl Attempt<'_> {
    pub(super) fn feature(&self, index: usize) -> u64 {
        let frame = self.view.frame;
        match index {
            0 => u64::from(strip::colors(frame, &self.strip)),
            1 => self.view.number(),
            2 => self.kinds(),
            3 => self.beyond(frame),
            4 => strip::picture(frame, &self.strip, self.at),
            5 => self.at.code() << 32 | self.by.code(),
            6 => self.under(),
            7 => self.sprite.key(),
            8 => self.driver,
            9 => self.affinity(),
            10 => self.stance,
            _ => self.novelty(),
        }
    }

    /// Whether only colours lie in the way that such a piece has entered before, and if not, whether the new ones are
    /// of small things. What has the colour of a wall is none, however small.
    fn novelty(&self) -> u64 {
        let new = self.new_colors();
        let is_thing = |patch: Patch| new >> patch.color.index() & 1 == 0 || patch.area <= self.limit();
        match new {
            0 => ENTERED,
            _ if new < strip::OUTSIDE && new & self.walls == 0 && self.patches().all(is_thing) => THING,
            _ => NOVEL,
        }
    }

    /// The colours in the way that such a piece has not entered.
    fn new_colors(&self) -> u32 {
        strip::colors(self.view.frame, &self.strip) & !self.entered
    }

    /// The only new colour in the way, if some component of it there is too large for a thing: a wall where the piece stays.
    pub(super) fn wall(&self) -> u32 {
        let new = self.new_colors();
        let is_wall = |patch: Patch| new >> patch.color.index() & 1 == 1 && patch.area > self.limit();
        if new.is_power_of_two() && new < strip::OUTSIDE && self.patches().any(is_wall) { new } else { 0 }
    }

    /// The largest component that is a thing rather than ground or a wall, in cells.
    fn limit(&self) -> usize {
        4 * self.sprite.cells().len()
    }

    /// The components in the way, as far as things go and without what the piece shows. Neighbours of one colour are one; it
    /// may still come twice.
    fn patches(&self) -> impl Iterator<Item = Patch> {
        let color = |at: Vector| color_at(self.view.frame, at);
        let mut seen = CellSet::EMPTY;
        let firsts = self.strip.iter().filter(move |at| {
            seen.insert(**at);
            let known = |side: Vector| seen.contains(at.plus(side)) && color(at.plus(side)) == color(**at);
            !SIDES.into_iter().any(known)
        });
        let own: CellSet = self.sprite.square(self.at).collect();
        firsts.filter_map(move |at| Patch::beside(self.view.frame, *at, self.limit(), &own))
    }

    /// The kinds of small components in the way.
    fn kinds(&self) -> u64 {
        let small = self.patches().filter(|patch| patch.area <= self.limit());
        let mut kinds: Vec<u64> = small.map(|patch| patch.kind()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds.iter().fold(0, |hash, kind| hash.wrapping_mul(31).wrapping_add(*kind))
    }

    /// The forms of the small components in the way, whatever their colours, and which have a colour that the piece takes along:
    /// what a key of one colour does to a door of that colour, others do to others.
    fn affinity(&self) -> u64 {
        let own = self.sprite.shown(self.view, self.at);
        let small = self.patches().filter(|patch| patch.area <= self.limit());
        let mut forms: Vec<u64> =
            small.map(|patch| mix(patch.form() ^ u64::from(own >> patch.color.index() & 1))).collect();
        forms.sort_unstable();
        forms.dedup();
        forms.into_iter().fold(0, |hash, form| mix(hash ^ form))
    }

    /// The colours in the way and those behind them.
    fn beyond(&self, frame: &Grid) -> u64 {
        let cells: Vec<Vector> = self.strip.iter().map(|at| at.plus(self.by)).collect();
        u64::from(strip::colors(frame, &self.strip)) << 32 | u64::from(strip::colors(frame, &cells))
    }

    /// The colours the piece stands on.
    fn under(&self) -> u64 {
        let colors = self.sprite.footprint(self.at).filter_map(|at| self.view.canvas.get(at));
        colors.fold(0, |set, color| set | 1 << color.index())
    }

    pub(super) fn case(&self) -> [u64; ATTEMPT] {
        std::array::from_fn(|index| self.feature(index))
    }
}
