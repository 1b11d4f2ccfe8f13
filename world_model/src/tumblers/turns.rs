//! What keys make of a piece: the form it takes next, and where. What was not seen follows from what was: mirrored, taken back, or
//! turned onto the other axis.

use std::collections::HashMap;

use env_client::Key;

use super::{Place, form::Form};

/// The form that a piece takes by a key, and by how far the corner of its box goes.
pub(super) type Turn = (usize, Place);

/// What was seen to come of keys, by form.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    seen: HashMap<(usize, Key), Turn>,
}

impl Turns {
    /// Takes in what a key made of a form; whether that is new.
    pub(super) fn learn(&mut self, form: usize, key: Key, turn: Turn) -> bool {
        self.seen.insert((form, key), turn) != Some(turn)
    }

    /// What a key makes of a form: as it was seen or follows from that; else as the other axis was seen to be, where each form has
    /// a twin that lies along that.
    pub(super) fn of(&self, forms: &[Form], form: usize, key: Key) -> Option<Turn> {
        self.along_axis(forms, form, key).or_else(|| {
            let twin = |form: usize| forms.iter().position(|it| forms[form].is_twin(it));
            let (to, (x, y)) = self.along_axis(forms, twin(form)?, other_axis(key)?)?;
            Some((twin(to)?, (y, x)))
        })
    }

    /// The same as it was seen; else as the opposite key was seen to do, mirrored; else what takes that key back, or the mirror
    /// image of that.
    fn along_axis(&self, forms: &[Form], form: usize, key: Key) -> Option<Turn> {
        if let Some(seen) = self.seen.get(&(form, key)) {
            return Some(*seen);
        }
        let opposite = key.opposite()?;
        if let Some(seen) = self.seen.get(&(form, opposite)) {
            return Some(mirrored(forms, form, *seen));
        }
        if let Some(back) = self.back(form, opposite) {
            return Some(back);
        }
        Some(mirrored(forms, form, self.back(form, key)?))
    }

    /// What takes a key back that led to a form.
    fn back(&self, form: usize, key: Key) -> Option<Turn> {
        let led = self.seen.iter().filter(|((_, by), (to, _))| *by == key && *to == form);
        led.map(|((from, _), (_, by))| (*from, (-by.0, -by.1))).min()
    }
}

/// A turn of a form to the other side.
fn mirrored(forms: &[Form], form: usize, (to, (x, y)): Turn) -> Turn {
    let (size, next) = (forms[form].size, forms[to].size);
    let far = |by: i16, size: i16, next: i16| if by == 0 { 0 } else { size - next - by };
    (to, (far(x, size.0, next.0), far(y, size.1, next.1)))
}

/// The arrow that points along the other axis, right for down.
const fn other_axis(key: Key) -> Option<Key> {
    match key {
        Key::Key1 => Some(Key::Key3),
        Key::Key2 => Some(Key::Key4),
        Key::Key3 => Some(Key::Key1),
        Key::Key4 => Some(Key::Key2),
        Key::Key5 | Key::Key7 => None,
    }
}
