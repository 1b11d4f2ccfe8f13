//! Which things stand on a map, and which of them try to go their way under an action: what acts by itself, and what it pushes.

use super::context::{Context, Shift, step};
use crate::perception::TileMap;

/// Things in a row that are pushed at most.
const ROW: usize = 3;

/// What a tile does while things go their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Nothing.
    Rests,
    /// The thing on it moves by itself, as far as is known.
    Acts,
    /// What acts comes to it, and the thing on it was seen to move.
    IsPushed,
}

/// The things of a map and their parts, in the order of the map.
#[derive(Clone, Debug)]
pub(super) struct Cast {
    /// What stands there, as the kind that it was seen to move as.
    pub(super) things: Vec<u8>,
    parts: Vec<Part>,
}

impl Cast {
    /// The things of a map, where they go that way.
    pub(super) fn new(map: &TileMap, context: &Context, shift: Option<Shift>) -> Cast {
        let things: Vec<u8> = (0..map.kinds().len()).map(|at| context.thing(map, at)).collect();
        let Some(shift) = shift else { return Cast { parts: vec![Part::Rests; things.len()], things } };
        let acts = |thing: &u8| if context.known(*thing).alone > 0.0 { Part::Acts } else { Part::Rests };
        let mut cast = Cast { parts: things.iter().map(acts).collect(), things };
        let actors: Vec<usize> = (0..cast.parts.len()).filter(|at| cast.tries(*at)).collect();
        for actor in actors {
            for times in 1..=ROW {
                let Some(at) = step(map, actor, shift, times as i16) else { break };
                if cast.tries(at) || context.known(cast.things[at]).moved == 0.0 {
                    break;
                }
                cast.parts[at] = Part::IsPushed;
            }
        }
        cast
    }

    /// Whether the thing on a tile tries to go its way.
    pub(super) fn tries(&self, at: usize) -> bool {
        self.parts[at] != Part::Rests
    }

    /// Where the last thing stands of the row that is pushed from a tile on.
    pub(super) fn foremost(&self, map: &TileMap, at: usize, shift: Shift) -> usize {
        let pushed = |from: &usize| step(map, *from, shift, 1).filter(|ahead| self.parts[*ahead] == Part::IsPushed);
        std::iter::successors(Some(at), pushed).take(ROW + 1).last().unwrap_or(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(text: &str) -> TileMap {
        TileMap::of_cells(&text.parse().unwrap())
    }

    #[test]
    fn what_acts_tries_to_go_and_so_does_what_it_was_seen_to_push() {
        let mut context = Context::default();
        for pair in ["9171115", "1971115", "1197115", "1119715"].windows(2) {
            context.learn(&map(pair[0]), (3, None), &map(pair[1]));
        }
        context.begin();
        let now = map("9775719");
        let cast = Cast::new(&now, &context, context.shifts[3]);
        let tries: Vec<bool> = (0..7).map(|at| cast.tries(at)).collect();
        assert_eq!(
            tries,
            [true, true, true, false, false, false, true],
            "a figure, two crates; a wall, a crate, floor; a figure"
        );
        assert_eq!((cast.foremost(&now, 0, (1, 0)), cast.foremost(&now, 6, (1, 0))), (2, 6));
    }
}
