//! What tiles have to do with each other and with what was seen, whatever their kinds are; and where each could take its
//! next kind from.

use solver::nn::ops::NO_SOURCE;

use super::{
    cast::Cast,
    context::{Context, Known, Shift, neighbor, step},
    habits::{Deed, SAID, VOICES},
};
use crate::perception::{TileMap, Tiles};

/// The eight tiles around one.
const AROUND: [Shift; 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// Along the way that things go under the action: two and one behind, one and two ahead.
const ALONG: [i16; 4] = [-2, -1, 1, 2];

/// Numbers that say what a kind is like: whether there is a tile, which share of the map is like it, whether it is the only
/// one; how often it moved, was moved onto and stopped what came.
const LIKE: usize = 6;

/// What else is said of a tile: whether it is known how far things go, what lies under it, what its kind became and what
/// it became of what comes; whether its kind is the one clicked.
const ELSE: usize = 5;

/// Which tiles along the way say how they took what comes to them, and how many of their habits: this one all, the others
/// those that are about what comes.
const SPEAKING: [(i16, usize); 4] = [(0, VOICES), (-1, VOICES - 1), (1, VOICES - 1), (2, VOICES - 1)];

/// Numbers of all habits that speak.
const HABITS: usize = (4 * VOICES - 3) * SAID;

/// Of which tiles along the way it is said whether the thing there tries to go, and how free its way is.
const WAYS: [i16; 3] = [-2, -1, 0];

/// Numbers of a way.
const WAY: usize = 3;

/// Numbers of a tile.
pub(super) const RELATIONS: usize = AROUND.len() + LIKE + ALONG.len() * (LIKE + 1) + ELSE + HABITS + WAYS.len() * WAY;

/// Where a tile can take its next kind from: what is around it, under it, commonest on the map, one behind, one ahead; one
/// behind as it looks when it stands where this tile is; what its kind became last, and when the same came; what is
/// clicked.
pub(super) const SOURCES: usize = AROUND.len() + 8;

/// A map with everything that relations are made of.
#[derive(Debug)]
pub(super) struct Sight<'a> {
    map: &'a TileMap,
    context: &'a Context,
    cast: Cast,
    deed: Deed,
    clicked: Option<u8>,
    counts: [f32; 256],
    commonest: u8,
}

impl<'a> Sight<'a> {
    /// A map, what is known, and what is done.
    pub(super) fn new(map: &'a TileMap, context: &'a Context, deed: Deed) -> Sight<'a> {
        let clicked = deed.clicked.map(|at| map.kinds()[at]);
        let mut counts = [0f32; 256];
        map.kinds().iter().for_each(|kind| counts[usize::from(*kind)] += 1.0);
        let commonest = (0..=u8::MAX).max_by(|a, b| counts[usize::from(*a)].total_cmp(&counts[usize::from(*b)]));
        let cast = Cast::new(map, context, deed.shift);
        Sight { map, context, cast, deed, clicked, counts, commonest: commonest.unwrap_or_default() }
    }

    fn own(&self, at: usize) -> u8 {
        self.map.kinds()[at]
    }

    fn along(&self, at: usize, times: i16) -> Option<u8> {
        neighbor(self.map, at, self.deed.shift?, times)
    }

    fn under(&self, at: usize) -> Option<u8> {
        self.context.under.get(at).copied().flatten()
    }

    /// What such a tile became when the same happened to it.
    fn pair(&self, at: usize) -> Option<u8> {
        self.context.habits.becomes((self.map, &self.cast), at, self.deed)
    }

    /// Whether the thing so many steps along the way tries to go, and how free its way is.
    fn way(&self, at: usize, times: i16) -> [f32; WAY] {
        let from =
            self.deed.shift.and_then(|shift| step(self.map, at, shift, times)).filter(|from| self.cast.tries(*from));
        let Some(from) = from else { return [0.0; WAY] };
        let [rate, last] = self.context.habits.way((self.map, &self.cast), from, self.deed);
        [1.0, rate, last]
    }

    /// How a tile so many steps along the way took what would happen to it.
    fn habits(&self, at: usize, times: i16) -> [[f32; SAID]; VOICES] {
        let speaks = match times {
            0 => Some(at),
            _ => self.deed.shift.and_then(|shift| step(self.map, at, shift, times)),
        };
        speaks.map_or([[0.0; SAID]; VOICES], |at| self.context.habits.said((self.map, &self.cast), at, self.deed))
    }

    /// What the kind of a tile is like, and whether the thing on it moves.
    fn like(&self, at: Option<usize>) -> [f32; LIKE] {
        let Some(at) = at else { return [0.0; LIKE] };
        let kind = self.own(at);
        let (Known { covered, stopped, .. }, count) = (self.context.known(kind), self.counts[usize::from(kind)]);
        let moved = self.context.known(self.cast.things[at]).moved;
        let share = (count / self.map.kinds().len() as f32).sqrt();
        let is_single = if count > 1.0 { 0.0 } else { 1.0 };
        let often = |times: f32| times.ln_1p().min(3.0) / 2.0;
        [1.0, share, is_single, often(moved), often(covered), often(stopped)]
    }

    /// The numbers of a tile, [`RELATIONS`] of them.
    pub(super) fn relations(&self, at: usize, to: &mut Vec<f32>) {
        let bit = |is: bool| if is { 1.0 } else { 0.0 };
        let own = self.own(at);
        to.extend(AROUND.map(|shift| bit(neighbor(self.map, at, shift, 1) == Some(own))));
        to.extend(self.like(Some(at)));
        for times in ALONG {
            let there = self.deed.shift.and_then(|shift| step(self.map, at, shift, times));
            to.extend(self.like(there));
            to.push(bit(there.is_some_and(|there| self.own(there) == own)));
        }
        let becomes = self.context.known(own).becomes;
        let known = [self.deed.shift.is_some(), self.under(at).is_some(), becomes.is_some(), self.pair(at).is_some()];
        to.extend(known.map(bit));
        to.push(bit(self.clicked == Some(own)));
        for (times, voices) in SPEAKING {
            to.extend(self.habits(at, times)[..voices].as_flattened());
        }
        for times in WAYS {
            to.extend(self.way(at, times));
        }
    }

    /// The kinds that the sources of a tile show.
    pub(super) fn sources(&self, at: usize, tiles: &Tiles) -> [u8; SOURCES] {
        let mut sources = [NO_SOURCE; SOURCES];
        let around = AROUND.map(|shift| neighbor(self.map, at, shift, 1));
        let others = [
            self.under(at),
            Some(self.commonest),
            self.along(at, -1),
            self.along(at, 1),
            self.overlay(at).map(|kinds| tiles.overlaid(kinds)),
            self.context.known(self.own(at)).becomes,
            self.pair(at),
            self.clicked,
        ];
        for (source, kind) in sources.iter_mut().zip(around.into_iter().chain(others)) {
            *source = kind.unwrap_or(NO_SOURCE);
        }
        sources
    }

    /// What would come to a tile from one behind: its kind, that of its ground, and that of this tile. Only what has moved,
    /// or came to where it is, is known to be a thing on a ground.
    fn overlay(&self, at: usize) -> Option<[u8; 3]> {
        let from = step(self.map, at, self.deed.shift?, -1)?;
        let (top, under) = (self.cast.things[from], self.under(from));
        let known = self.context.known(top);
        let is_thing = under.is_some() || known.moved > 0.0;
        is_thing.then(|| [top, known.ground.or(under).unwrap_or(self.commonest), self.own(at)])
    }

    /// Gives numbers to the pictures that would come about if things went their way, so that they can be foretold.
    pub(super) fn foresee(&self, tiles: &mut Tiles) {
        (0..self.map.kinds().len()).filter_map(|at| self.overlay(at)).for_each(|kinds| tiles.meet_overlaid(kinds));
    }
}

#[cfg(test)]
mod tests {
    use env_client::{Color, Grid, Point};

    use super::*;

    fn map(text: &str) -> TileMap {
        TileMap::of_cells(&text.parse().unwrap())
    }

    #[test]
    fn a_tile_can_become_what_is_around_under_behind_or_ahead_of_it() {
        let mut context = Context::default();
        let (before, after) = (map("911\n444"), map("191\n444"));
        context.learn(&before, (3, None), &after);
        let sight = Sight::new(&after, &context, context.deed(3, None));
        let none = NO_SOURCE;
        let tiles = Tiles::new(16);
        // Around; under, commonest, behind, ahead, overlaid, becomes, pair, clicked. The figure came from the left: the floor
        // became it, last and when it came. Where it stands now the floor that it left might come, were that a thing.
        assert_eq!(sight.sources(2, &tiles), [none, none, none, 9, none, 4, 4, none, none, 4, 9, none, 9, 9, 9, none]);
        assert_eq!(sight.sources(1, &tiles)[8..], [1, 4, 1, 1, 1, 1, 1, none]);
    }

    #[test]
    fn a_tile_says_what_its_neighbours_along_the_way_are_like() {
        let mut context = Context::default();
        context.learn(&map("9115"), (3, None), &map("1915"));
        let now = map("1915");
        let sight = Sight::new(&now, &context, context.deed(3, None));
        let mut numbers = Vec::new();
        sight.relations(2, &mut numbers);
        assert_eq!(numbers.len(), RELATIONS);
        let behind = &numbers[AROUND.len() + LIKE + LIKE + 1..][..=LIKE];
        let once = 2f32.ln() / 2.0;
        assert_eq!(behind, [1.0, 0.5, 1.0, once, 0.0, 0.0, 0.0], "a single thing that has moved");
    }

    /// Tiles of two cells squared: a floor of 1, a mark on it, a figure of 9 with a corner through which one sees.
    fn drawn(map: &str) -> Grid {
        let mut frame = Grid::filled(2 * map.len() as u8, 2, Color::ALL[1]);
        for (column, tile) in map.chars().enumerate() {
            let picture = match tile {
                '@' => [9, 9, 9, 1],
                '*' => [4, 3, 4, 3],
                '&' => [9, 9, 9, 3],
                _ => [1; 4],
            };
            for (at, color) in picture.into_iter().enumerate() {
                let point = Point::new((2 * column + at % 2) as i64, (at / 2) as i64).unwrap();
                frame.set(point, Color::ALL[color]);
            }
        }
        frame
    }

    #[test]
    fn a_figure_is_foreseen_on_what_it_never_stood_on() {
        let mut tiles = Tiles::new(16);
        let frames = ["@...*..*", ".@..*..*", "...@*..*"].map(drawn);
        assert!(tiles.begin(&frames[0]));
        let maps = frames.map(|frame| tiles.map(&frame));
        let mut context = Context::default();
        context.learn(&maps[0], (3, None), &maps[1]);
        let context = context.beyond(Some(&maps[1]), &maps[2]);
        let sight = Sight::new(&maps[2], &context, context.deed(3, None));
        sight.foresee(&mut tiles);
        let mut next = maps[2].clone();
        next.kinds_mut()[3] = maps[2].kinds()[0];
        next.kinds_mut()[4] = sight.sources(4, &tiles)[12];
        assert_eq!(tiles.paint(&drawn("...@*..*"), &maps[2], &next), drawn("....&..*"));
    }
}
