//! What was found in the frame that was looked at last: a search asks for every action what comes of it there.

use std::sync::{Mutex, PoisonError};

use env_client::Grid;

/// Something that follows from a frame and from what is known, kept until another frame is looked at. Whoever learns
/// something that it depends on begins anew with the default.
#[derive(Debug)]
pub(super) struct Last<T>(Mutex<Option<(Grid, T)>>);

impl<T> Default for Last<T> {
    fn default() -> Last<T> {
        Last(Mutex::new(None))
    }
}

impl<T> Clone for Last<T> {
    fn clone(&self) -> Last<T> {
        Last::default()
    }
}

impl<T: Clone> Last<T> {
    /// What is in a frame, looked for unless it was found just before.
    pub(super) fn or_look(&self, frame: &Grid, look: impl FnOnce() -> T) -> T {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((seen, found)) if seen == frame => found.clone(),
            _ => last.insert((frame.clone(), look())).1.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_looked_for_once_a_frame() {
        let (last, frames) = (Last::default(), ["01", "10"].map(|it| it.parse::<Grid>().unwrap()));
        assert_eq!(last.or_look(&frames[0], || 1), 1);
        assert_eq!(last.or_look(&frames[0], || 2), 1);
        assert_eq!(last.or_look(&frames[1], || 3), 3);
        assert_eq!(last.clone().or_look(&frames[1], || 4), 4, "a copy may come to know other things");
    }
}
