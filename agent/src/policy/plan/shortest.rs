//! The shortest row of clicks in a small model of a game, breadth first; and a short one of any actions, best first.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashSet},
    hash::Hash,
};

use env_client::Point;

/// The fewest clicks from a state to one that is wanted; `None` where there are none among so many `states`. A state is left
/// by every click in `clicks`; one that cannot be taken leads to `None`.
pub(super) fn shortest<S: Clone + Eq + Hash>(
    start: S,
    clicks: &[Point],
    after: impl Fn(Point, &S) -> Option<S>,
    is_wanted: impl Fn(&S) -> bool,
    states: usize,
) -> Option<Vec<Point>> {
    let mut known = HashSet::from([start.clone()]);
    let mut reached = vec![(start, 0, Point::default())];
    let mut from = 0;
    while from < reached.len() && reached.len() < states {
        for at in clicks {
            let Some(next) = after(*at, &reached[from].0).filter(|it| known.insert(it.clone())) else { continue };
            let is_done = is_wanted(&next);
            reached.push((next, from, *at));
            if is_done {
                return Some(path(&reached));
            }
        }
        from += 1;
    }
    None
}

/// One way out of a state.
pub(super) struct Branch<S, A> {
    pub(super) by: A,
    /// At least one.
    pub(super) cost: usize,
    pub(super) leads: S,
}

/// A state that was reached, what it cost to get there, and the state before it with the way from there.
type Reached<S, A> = (S, usize, Option<(usize, A)>);

/// A cheap row of ways from a state to one that has nothing `left`, by weighted A* (Pohl, 1970): what is left counts
/// `weight` times. `None` where there is none among so many `states`.
pub(super) fn cheapest<S: Clone + Eq + Hash, A>(
    start: S,
    after: impl Fn(&S) -> Vec<Branch<S, A>>,
    left: impl Fn(&S) -> usize,
    weight: usize,
    states: usize,
) -> Option<Vec<A>> {
    let mut open = BinaryHeap::from([Reverse((weight * left(&start), 0))]);
    let mut known = HashSet::from([start.clone()]);
    let mut reached: Vec<Reached<S, A>> = vec![(start, 0, None)];
    while let Some(Reverse((_, from))) = open.pop().filter(|_| reached.len() < states) {
        if left(&reached[from].0) == 0 {
            return Some(row(reached, from));
        }
        for Branch { by, cost, leads } in after(&reached[from].0) {
            if known.insert(leads.clone()) {
                let cost = reached[from].1 + cost;
                open.push(Reverse((cost + weight * left(&leads), reached.len())));
                reached.push((leads, cost, Some((from, by))));
            }
        }
    }
    None
}

/// What leads to a state, from the first on.
fn row<S, A>(mut reached: Vec<Reached<S, A>>, mut at: usize) -> Vec<A> {
    let mut row = Vec::new();
    while let Some((from, by)) = reached[at].2.take() {
        row.push(by);
        at = from;
    }
    row.reverse();
    row
}

/// The way to the last state.
fn path<S>(reached: &[(S, usize, Point)]) -> Vec<Point> {
    let mut path = Vec::new();
    let mut index = reached.len() - 1;
    while index > 0 {
        let (_, from, at) = &reached[index];
        path.push(*at);
        index = *from;
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_ways_of_different_cost_is_found_within_the_bound() {
        let after = |sum: &u32| [(1, 1), (5, 2)].map(|(by, cost)| Branch { by, cost, leads: sum + by }).into();
        let left = |sum: &u32| 11usize.saturating_sub(*sum as usize).div_ceil(5);
        let row = cheapest(0u32, after, |sum| if *sum > 11 { 100 } else { left(sum) }, 1, 1000).unwrap();
        assert_eq!((row.iter().sum::<u32>(), row.len()), (11, 3));
        assert!(cheapest(0u32, after, |_| 1, 1, 100).is_none());
    }

    #[test]
    fn the_fewest_clicks_are_found_within_the_bound() {
        let clicks = [1, 5].map(|x| Point::new(x, 0).unwrap());
        let add = |at: Point, sum: &u32| Some(sum + u32::from(at.x())).filter(|it| *it < 100);
        let way = shortest(0, &clicks, add, |sum| *sum == 11, 1000).unwrap();
        assert_eq!(way.iter().map(|at| at.x()).collect::<Vec<_>>(), [1, 5, 5]);
        assert_eq!(shortest(0, &clicks, add, |sum| *sum == 11, 4), None);
        assert_eq!(shortest(0, &clicks, add, |sum| *sum == 100, 1000), None, "beyond all that can be reached");
    }
}
