//! What mechanisms say about the next frame, put together.

use env_client::{Color, Grid};

use super::{
    cell_set::CellSet,
    law::{Verdict, mix},
    sprite::{Vector, color_at},
};

/// What one mechanism says: some cells and their next colours, unchanged ones included.
#[derive(Clone, Debug, Default)]
pub(super) struct Claim {
    pub(super) edits: Vec<(Vector, Color)>,
    /// The circumstances in which it says so; how often it was right in them is its reliability.
    pub(super) context: u64,
    /// The least support of the laws behind it, at most 3, as coarse circumstances.
    pub(super) support: u8,
}

impl Claim {
    /// A claim of the mechanism with this number.
    pub(super) fn by(mechanism: u64) -> Claim {
        Claim { edits: Vec::new(), context: mix(mechanism), support: 3 }
    }

    /// Notes a law that the claim rests on.
    pub(super) fn rests_on(&mut self, verdict: &Verdict) {
        let firm = if verdict.rank > 3 || verdict.refuted * 4 > verdict.seen { 0 } else { verdict.seen.min(3) as u8 };
        self.support = self.support.min(firm);
        self.context = mix(self.context ^ u64::from(verdict.features) << 8 ^ u64::from(firm));
    }

    /// Notes something about the circumstances.
    pub(super) fn marked(&mut self, mark: u64) {
        self.context = mix(self.context ^ mix(mark));
    }
}

/// A frame being put together.
#[derive(Debug)]
pub(super) struct Composer {
    pub(super) frame: Grid,
    claimed: CellSet,
    pub(super) context: u64,
    pub(super) support: u8,
    pub(super) claims: u32,
    /// Cells on which two mechanisms differ.
    pub(super) conflicts: u32,
    /// Whether anything is to change.
    pub(super) changes: bool,
    /// Whether anything but the interface is.
    pub(super) acts: bool,
    /// Whether the level is lost.
    pub(super) is_lost: bool,
}

impl Composer {
    pub(super) fn new(frame: Grid) -> Composer {
        let (claimed, support) = (CellSet::EMPTY, 3);
        Composer {
            frame,
            claimed,
            context: 0,
            support,
            claims: 0,
            conflicts: 0,
            changes: false,
            acts: false,
            is_lost: false,
        }
    }

    /// Takes in a claim. Earlier claims stand where two differ.
    pub(super) fn add(&mut self, claim: &Claim) {
        let width = i16::from(self.frame.width());
        self.claims += 1;
        self.context = self.context.wrapping_add(mix(claim.context));
        self.support = self.support.min(claim.support);
        for (at, color) in &claim.edits {
            let Some(now) = color_at(&self.frame, *at) else { continue };
            let index = at.y as usize * width as usize + at.x as usize;
            if self.claimed.insert(*at) {
                self.frame.cells_mut()[index] = *color;
                self.changes |= now != *color;
            } else {
                self.conflicts += u32::from(now != *color);
            }
        }
    }
}
