//! A cache of small surroundings.

use std::collections::HashMap;

use env_client::{Action, Color, Grid, Point};
use xxhash_rust::xxh3::xxh3_64;

use super::Guess;
use crate::Transition;

/// Cells from the middle of a patch to its rim: 7×7 cells in all.
const REACH: i8 = 3;

/// Patches kept. Past it no new ones are learned, so that memory stays within some fifty megabytes.
const CAPACITY: usize = 1 << 20;

/// See [`patches`](super::patches).
#[derive(Clone, Debug, Default)]
pub struct Patches {
    /// How often a patch turned its middle into a colour. Only looked up, never walked over.
    counts: HashMap<u64, Vec<(Color, u32)>>,
}

/// The surroundings of a cell, with the action and, if it clicks in there, where.
fn patch(frame: &Grid, at: Point, action: Action) -> u64 {
    let mut bytes = [u8::MAX; 51];
    let cells = (-REACH..=REACH).flat_map(|dy| (-REACH..=REACH).map(move |dx| at.offset(dx, dy)));
    for (byte, cell) in bytes.iter_mut().zip(cells) {
        *byte = cell.and_then(|cell| frame.get(cell)).map_or(u8::MAX, u8::from);
    }
    bytes[49] = action.id().number();
    bytes[50] = click_place(at, action);
    xxh3_64(&bytes)
}

/// Where in the patch around `at` the action clicks, if it does.
fn click_place(at: Point, action: Action) -> u8 {
    let near = |a: u8, b: u8| i8::try_from(i16::from(a) - i16::from(b)).ok().filter(|by| by.abs() <= REACH);
    let offset = action.point().and_then(|click| near(click.x(), at.x()).zip(near(click.y(), at.y())));
    offset.map_or(u8::MAX, |(dx, dy)| ((dy + REACH) * (2 * REACH + 1) + dx + REACH) as u8)
}

impl Guess for Patches {
    fn learn(&mut self, transition: &Transition<'_>) {
        let Some(after) = transition.after() else { return };
        for at in transition.before.points() {
            let Some(color) = after.get(at) else { continue };
            let full = self.counts.len() >= CAPACITY;
            let patch = patch(transition.before, at, transition.action);
            if full && !self.counts.contains_key(&patch) {
                continue;
            }
            let counts = self.counts.entry(patch).or_default();
            match counts.iter_mut().find(|(seen, _)| *seen == color) {
                Some((_, count)) => *count += 1,
                None => counts.push((color, 1)),
            }
        }
    }

    fn guess(&self, frame: &Grid, action: Action) -> Grid {
        let mut next = frame.clone();
        for at in frame.points() {
            let counts = self.counts.get(&patch(frame, at, action));
            if let Some((color, _)) = counts.and_then(|counts| counts.iter().max_by_key(|(_, count)| *count)) {
                next.set(at, *color);
            }
        }
        next
    }
}
