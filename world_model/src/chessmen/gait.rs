//! How a kind of men moves.

/// How men of one kind move, in tiles.
#[derive(Clone, Debug, Default)]
pub(super) struct Gait {
    /// By key, from 1.
    strides: [Option<(i8, i8)>; KEYS],
    /// Whether they go on until something stops them.
    pub(super) slides: bool,
}

/// Keys that move men, with one more for none.
pub(super) const KEYS: usize = 5;
/// Where the official player's arrows point, by key.
const ARROWS: [(i8, i8); KEYS] = [(0, 0), (0, -1), (0, 1), (-1, 0), (1, 0)];

impl Gait {
    /// Where a key takes men of this kind, as far as that was seen.
    pub(super) fn stride(&self, key: usize) -> Option<(i8, i8)> {
        self.strides[key]
    }

    /// Whether any key is known.
    pub(super) fn is_known(&self) -> bool {
        self.strides.iter().any(Option::is_some)
    }

    /// Where a key takes them if it turns their stride as it turns that of others, or else as the arrows turn.
    pub(super) fn guess<'a>(&self, key: usize, others: &(impl Iterator<Item = &'a Gait> + Clone)) -> Option<(i8, i8)> {
        if self.strides[key].is_some() {
            return self.strides[key];
        }
        let known = || (1..KEYS).filter_map(|other| Some((other, self.strides[other]?)));
        let as_others = known().find_map(|(other, stride)| {
            let turns = others.clone().filter_map(|it| turns(it.strides[other]?, it.strides[key]?));
            turns.last().map(|quarters| turned(stride, quarters))
        });
        as_others.or_else(|| known().find_map(|(other, it)| Some(turned(it, turns(ARROWS[other], ARROWS[key])?))))
    }

    /// Learns from a way of these tiles, one after the other, relative to where it began; whether that is news.
    pub(super) fn learn(&mut self, key: usize, way: &[(i8, i8)]) -> bool {
        let (Some(first), Some(last)) = (way.first(), way.last()) else { return false };
        let known = self.strides[key];
        let seen = if way.len() > 1 && times(*last, *first).is_some() { *first } else { *last };
        let stride = match known {
            Some(known) if known == *last => known,
            Some(known) if times(*last, known).is_some() => known,
            _ => seen,
        };
        let is_longer = |unit: (i8, i8)| times(*last, unit).is_some_and(|times| times > 1);
        let slides = self.slides || is_longer(stride) || known.is_some_and(|known| times(known, stride) > Some(1));
        let is_news = known != Some(stride) || slides != self.slides;
        (self.strides[key], self.slides) = (Some(stride), slides);
        is_news
    }
}

/// How many times one way is another one.
fn times(way: (i8, i8), unit: (i8, i8)) -> Option<i8> {
    let times = if unit.0 == 0 { way.1.checked_div(unit.1)? } else { way.0 / unit.0 };
    (times > 0 && (unit.0 * times, unit.1 * times) == way).then_some(times)
}

/// By how many quarters one way is turned into another one.
fn turns(from: (i8, i8), to: (i8, i8)) -> Option<u8> {
    (0..4).find(|quarters| turned(from, *quarters) == to)
}

fn turned(by: (i8, i8), quarters: u8) -> (i8, i8) {
    (0..quarters).fold(by, |(x, y), _| (-y, x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_on_as_far_as_it_can_slides() {
        let mut gait = Gait::default();
        assert!(gait.learn(4, &[(2, 0)]));
        assert!(!gait.slides);
        gait.learn(4, &[(1, 0)]);
        assert!(gait.slides, "one tile is all there was room for");
        assert_eq!(gait.stride(4), Some((1, 0)));
        let mut gait = Gait::default();
        gait.learn(2, &[(0, 1), (0, 2), (0, 3)]);
        assert_eq!((gait.stride(2), gait.slides), (Some((0, 1)), true), "it was seen on the way");
        let mut gait = Gait::default();
        gait.learn(2, &[(1, 1), (1, 2)]);
        assert_eq!((gait.stride(2), gait.slides), (Some((1, 2)), false), "a way around a corner is one stride");
    }

    #[test]
    fn a_key_turns_one_kind_as_it_turns_another() {
        let (mut walker, mut leaper) = (Gait::default(), Gait::default());
        leaper.learn(1, &[(1, -2)]);
        assert_eq!(leaper.guess(4, &[].iter()), Some((2, 1)), "as arrows do");
        walker.learn(1, &[(0, -1)]);
        walker.learn(4, &[(-1, 0)]);
        assert_eq!(leaper.guess(4, &[walker].iter()), Some((-2, -1)));
        assert_eq!(Gait::default().guess(4, &[leaper].iter()), None);
    }
}
