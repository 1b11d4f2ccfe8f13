//! Company: what is drawn in the colour of a piece beside it, as its mark is.
//!
//! A piece of one colour alone says little by its picture. Where something else is drawn in its colour, and the same in
//! another colour beside a piece of that one, both pieces play the same part.

use std::collections::BTreeSet;

use env_client::Color;

use crate::{Component, Scene};

/// Cells of the least thing that tells something.
const CELLS: u16 = 3;

/// Outlines seen in each colour where levels began, or where something was learned of a piece.
#[derive(Clone, Debug, Default)]
pub(super) struct Company {
    outlines: [BTreeSet<u64>; Color::COUNT],
}

impl Company {
    /// Takes in what a scene shows.
    pub(super) fn watch(&mut self, scene: &Scene) {
        for it in telling(scene) {
            self.outlines[it.color.index()].insert(it.shape);
        }
    }

    /// The colours in which a scene shows an outline that was seen in this colour, too, other than that of the piece
    /// itself.
    pub(super) fn peers(&self, color: Color, piece: u64, scene: &Scene) -> BTreeSet<Color> {
        let own = &self.outlines[color.index()];
        let is_shared = |it: &&Component| it.color != color && it.shape != piece && own.contains(&it.shape);
        telling(scene).filter(is_shared).map(|it| it.color).collect()
    }
}

/// The components that are neither ground nor tiny.
fn telling(scene: &Scene) -> impl Iterator<Item = &Component> {
    let components = scene.components().iter().enumerate();
    components.filter(|(index, it)| it.area >= CELLS && !scene.is_ground(*index)).map(|(_, it)| it)
}
