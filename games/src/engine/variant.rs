//! The same title in other colours and on other keys.

use env_client::{Action, ActionSet, Color, Key};

use super::Dice;

/// Which guise of a title is played. Seed 0 is the title as written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Permutes colours and keys, and feeds the levels that are generated.
    pub seed: u64,
}

impl Variant {
    /// What each of the 16 colours becomes.
    pub fn palette(self) -> [Color; Color::COUNT] {
        let mut palette = Color::ALL;
        self.shuffle("palette", &mut palette);
        palette
    }

    /// What each key of a title does, as pairs of the key pressed and the key meant.
    ///
    /// Only the keys the title listens to trade places; clicks and undo keep their numbers.
    pub fn keys(self, controls: ActionSet) -> Vec<(Key, Key)> {
        let pressed: Vec<Key> = controls.keys().filter(|key| *key != Key::Key7).collect();
        let mut meant = pressed.clone();
        self.shuffle("keys", &mut meant);
        pressed.into_iter().zip(meant).collect()
    }

    fn shuffle<Item>(self, purpose: &str, items: &mut [Item]) {
        if self.seed != 0 {
            Dice::new(self.seed, purpose).shuffle(items);
        }
    }
}

/// The lookup an engine keeps of a [`Variant::keys`].
#[derive(Clone, Debug)]
pub(crate) struct Keymap(Vec<(Key, Key)>);

impl Keymap {
    pub(crate) fn new(variant: Variant, controls: ActionSet) -> Keymap {
        Keymap(variant.keys(controls))
    }

    /// The action that is meant by the one that was sent.
    pub(crate) fn meant(&self, sent: Action) -> Action {
        let Action::Key(key) = sent else { return sent };
        self.0.iter().find(|(pressed, _)| *pressed == key).map_or(sent, |(_, meant)| Action::Key(*meant))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_0_changes_nothing() {
        let variant = Variant::default();
        assert_eq!(variant.palette(), Color::ALL);
        assert!(variant.keys(ActionSet::ALL).iter().all(|(pressed, meant)| pressed == meant));
    }

    #[test]
    fn a_seed_permutes_colours_and_keys_but_not_undo() {
        let variant = Variant { seed: 7 };
        let mut palette = variant.palette();
        assert_ne!(palette, Color::ALL);
        palette.sort_unstable();
        assert_eq!(palette, Color::ALL);
        let keymap = Keymap::new(variant, ActionSet::ALL);
        assert_eq!(keymap.meant(Action::Key(Key::Key7)), Action::Key(Key::Key7));
        let mut meant = Key::ALL.map(|key| keymap.meant(Action::Key(key)));
        meant.sort_unstable();
        assert_eq!(meant, Key::ALL.map(Action::Key));
    }
}
