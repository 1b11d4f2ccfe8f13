//! Colours that pieces take on: what is of such a colour may answer now.
//!
//! A piece that is recoloured, or that picks up a key, is meant for other things than before; most games show it by the
//! colour. What it was of from the beginning says nothing.

use std::collections::BTreeSet;

use env_client::Color;

use super::things::Thing;

/// Changes of colour and back at once after which they mean nothing.
const FLICKERS: u32 = 2;

/// What pieces look like where they got by a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Worn {
    pub(super) colors: BTreeSet<Color>,
    /// Those they did not have before that step.
    pub(super) fresh: BTreeSet<Color>,
    /// Those they did not have before that step and that were seen where they came to: ground, or picked up.
    pub(super) met: BTreeSet<Color>,
}

/// The colours of the pieces in a level.
#[derive(Debug, Default)]
pub(super) struct Dyes {
    /// Now, and one step before.
    worn: BTreeSet<Color>,
    before: BTreeSet<Color>,
    /// Those they came onto with the last step.
    onto: BTreeSet<Color>,
    /// Those that they took on.
    taken_on: BTreeSet<Color>,
    /// Things that pieces of their colour touched.
    met: BTreeSet<Thing>,
    /// How often in this game pieces went from one colour to another one and back in two steps.
    flickers: u32,
}

impl Dyes {
    /// A new level: pieces are as they are.
    pub(super) fn begin_level(&mut self) {
        *self = Dyes { flickers: self.flickers, ..Dyes::default() };
    }

    /// Pieces are of these colours now; of none where nobody knows. What they came onto and what then goes along was
    /// picked up. Such as flicker between colours take on none. Whether they took one on.
    pub(super) fn wear(&mut self, Worn { colors, fresh, met }: Worn) -> bool {
        if colors.is_empty() {
            return false;
        }
        self.flickers += u32::from(colors != self.worn && colors == self.before);
        let picked_up = &std::mem::replace(&mut self.onto, met) & &colors;
        let new = &(&fresh | &picked_up) - &self.worn;
        let is_dyed = !self.worn.is_empty() && !new.is_empty() && self.flickers < FLICKERS;
        if is_dyed {
            self.taken_on.extend(new);
        }
        self.before = std::mem::replace(&mut self.worn, colors);
        is_dyed
    }

    /// Pieces went for a thing.
    pub(super) fn touched(&mut self, thing: Thing) {
        if self.worn.contains(&thing.kind.color) {
            self.met.insert(thing);
        }
    }

    /// Whether a thing is of a colour that pieces took on, and was not touched while they were of it.
    pub(super) fn suits(&self, thing: Thing) -> bool {
        let is_dyed = self.worn.contains(&thing.kind.color) && self.taken_on.contains(&thing.kind.color);
        is_dyed && self.flickers < FLICKERS && !self.met.contains(&thing)
    }
}
