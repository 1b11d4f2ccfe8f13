//! Where everything comes from when a button is pressed, told from what lay in the slots before and after.

use std::collections::BTreeMap;

use env_client::Color;

use super::{Colors, MOVED};

/// What a press does: for each slot that changes the one its colour comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    sources: BTreeMap<usize, usize>,
    /// Slots that could have come from elsewhere as well.
    doubtful: usize,
}

impl Turn {
    /// The colours after it.
    pub fn apply(&self, colors: &[Color]) -> Vec<Color> {
        let mut after = colors.to_vec();
        self.sources.iter().for_each(|(to, from)| after[*to] = colors[*from]);
        after
    }

    /// The colours before it, from those after.
    pub fn undo(&self, colors: &[Color]) -> Vec<Color> {
        let mut before = colors.to_vec();
        self.sources.iter().for_each(|(to, from)| before[*from] = colors[*to]);
        before
    }

    /// Whether it leads from these colours to those.
    pub(super) fn leads(&self, before: &[Color], after: &[Color]) -> bool {
        let moves = |(slot, color): (usize, &Color)| *color == before[*self.sources.get(&slot).unwrap_or(&slot)];
        after.iter().enumerate().all(moves)
    }

    /// The same, as a mere guess.
    pub(super) fn doubted(self) -> Turn {
        Turn { doubtful: self.sources.len(), ..self }
    }

    /// First this one, then another one.
    pub(super) fn then(&self, next: &Turn) -> Turn {
        let slots = self.sources.keys().chain(next.sources.keys());
        let source = |slot: usize| {
            let middle = *next.sources.get(&slot).unwrap_or(&slot);
            (slot, *self.sources.get(&middle).unwrap_or(&middle))
        };
        let sources = slots.map(|slot| source(*slot)).filter(|(to, from)| to != from);
        Turn { sources: sources.collect(), doubtful: self.doubtful.max(next.doubtful) }
    }

    /// The slots that change.
    pub fn slots(&self) -> impl Iterator<Item = usize> {
        self.sources.keys().copied()
    }

    /// The slots that change, each with the one that its content comes from.
    pub(super) fn sources(&self) -> impl Iterator<Item = (usize, usize)> {
        self.sources.iter().map(|(to, from)| (*to, *from))
    }

    /// Whether more than a third of it is a guess.
    pub fn is_doubtful(&self) -> bool {
        3 * self.doubtful > self.sources.len()
    }

    /// The turn that explains all presses, if they are a permutation.
    pub(super) fn of(presses: &[(Colors, Colors)], distance: impl Fn(usize, usize) -> u32) -> Option<Turn> {
        let fits = |to: usize, from: usize| presses.iter().all(|(before, after)| before[from] == after[to]);
        let moved = closed(moved(presses), presses.first()?.0.len(), &fits, &distance)?;
        let sources = moved.iter().map(|to| {
            let mut sources: Vec<usize> = moved.iter().copied().filter(|from| from != to && fits(*to, *from)).collect();
            sources.sort_by_key(|from| distance(*to, *from));
            (*to, sources)
        });
        let mut open: Vec<(usize, Vec<usize>)> = sources.collect();
        let mut turn =
            Turn { doubtful: open.iter().filter(|(_, sources)| sources.len() > 1).count(), ..Turn::default() };
        while !open.is_empty() {
            let next = (0..open.len()).min_by_key(|index| {
                let (to, sources) = &open[*index];
                (sources.len(), sources.first().map_or(0, |from| distance(*to, *from)))
            })?;
            let (to, sources) = open.swap_remove(next);
            let no_swap = sources.iter().find(|from| turn.sources.get(from) != Some(&to));
            let from = *no_swap.or(sources.first())?;
            turn.sources.insert(to, from);
            for (_, sources) in &mut open {
                sources.retain(|it| *it != from);
            }
        }
        (turn.sources.len() >= MOVED).then_some(turn)
    }
}

impl FromIterator<(usize, usize)> for Turn {
    /// From where each slot goes to, and where it comes from.
    fn from_iter<T: IntoIterator<Item = (usize, usize)>>(sources: T) -> Turn {
        Turn { sources: sources.into_iter().collect(), doubtful: 0 }
    }
}

/// The slots that changed in some press.
pub(super) fn moved(presses: &[(Colors, Colors)]) -> Vec<usize> {
    let count = presses.first().map_or(0, |(before, _)| before.len());
    (0..count).filter(|slot| presses.iter().any(|(before, after)| before[*slot] != after[*slot])).collect()
}

/// These slots and those that look as before only because like followed like: every slot needs one that it may come from.
fn closed(
    mut slots: Vec<usize>,
    count: usize,
    fits: &impl Fn(usize, usize) -> bool,
    distance: &impl Fn(usize, usize) -> u32,
) -> Option<Vec<usize>> {
    while let Some(orphan) = slots.iter().find(|to| !slots.iter().any(|from| from != *to && fits(**to, *from))) {
        let others = (0..count).filter(|from| !slots.contains(from) && fits(*orphan, *from));
        let nearest = others.min_by_key(|from| distance(*orphan, *from))?;
        slots.push(nearest);
    }
    Some(slots)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colors(slots: &str) -> Colors {
        slots.bytes().map(|it| Color::of(it - b'0')).collect()
    }

    #[test]
    fn of_equal_colors_the_nearest_is_taken() {
        let press = (colors("12121345"), colors("51212134"));
        let around = |a: usize, b: usize| a.abs_diff(b).min(8 - a.abs_diff(b)) as u32;
        let turn = Turn::of(&[press], around).unwrap();
        assert!(turn.is_doubtful());
        assert_eq!(turn.apply(&colors("51212134")), colors("45121213"));
        assert_eq!(turn.undo(&colors("45121213")), colors("51212134"));
    }

    #[test]
    fn two_turns_one_after_the_other_are_one() {
        let [first, next] = [[(0, 2), (1, 0), (2, 1)], [(2, 3), (3, 4), (4, 2)]].map(Turn::from_iter);
        let now = colors("12345");
        assert_eq!(first.then(&next).apply(&now), next.apply(&first.apply(&now)));
        assert!(first.leads(&now, &first.apply(&now)) && !first.leads(&now, &now));
    }
}
