//! The shortest row of clicks in a small model of a game, breadth first, from one end or from both; and a short one of any
//! actions, best first.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, HashSet},
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

/// The fewest clicks from a state to another one, looked for from both ends (Pohl, 1971): as many clicks as half of the way
/// takes are all that is looked through on either side. `before` tells where a click came from, as `after` where it leads.
/// `None` where there are none among so many `states`.
pub(super) fn between<S: Clone + Eq + Hash>(
    start: S,
    end: S,
    clicks: &[Point],
    after: impl Fn(Point, &S) -> Option<S>,
    before: impl Fn(Point, &S) -> Option<S>,
    states: usize,
) -> Option<Vec<Point>> {
    let (mut ahead, mut back) = (Wave::of(start), Wave::of(end));
    while ahead.reached.len() + back.reached.len() < states && !ahead.is_over() && !back.is_over() {
        let met = if ahead.open() <= back.open() {
            ahead.advance(clicks, &after, &back)
        } else {
            back.advance(clicks, &before, &ahead).map(|(at_back, at_ahead)| (at_ahead, at_back))
        };
        if let Some((at_ahead, at_back)) = met {
            let mut way = ahead.way(at_ahead);
            way.reverse();
            way.extend(back.way(at_back));
            return Some(way);
        }
    }
    None
}

/// What was reached from one end, one ring of as many clicks after the other.
struct Wave<S> {
    /// Each state with the one it was reached from, and by which click.
    reached: Vec<(S, usize, Point)>,
    known: HashMap<S, usize>,
    /// Where the newest ring begins.
    ring: usize,
}

impl<S: Clone + Eq + Hash> Wave<S> {
    fn of(state: S) -> Wave<S> {
        Wave { known: HashMap::from([(state.clone(), 0)]), reached: vec![(state, 0, Point::default())], ring: 0 }
    }

    fn open(&self) -> usize {
        self.reached.len() - self.ring
    }

    fn is_over(&self) -> bool {
        self.open() == 0
    }

    /// One more ring; the first state in it that the other wave has reached as well, here and there.
    fn advance(
        &mut self,
        clicks: &[Point],
        next: impl Fn(Point, &S) -> Option<S>,
        other: &Wave<S>,
    ) -> Option<(usize, usize)> {
        let ring = self.ring..self.reached.len();
        self.ring = ring.end;
        for from in ring {
            for at in clicks {
                let next = next(*at, &self.reached[from].0).filter(|it| !self.known.contains_key(it));
                let Some(next) = next else { continue };
                let index = self.reached.len();
                self.known.insert(next.clone(), index);
                let met = other.known.get(&next).copied();
                self.reached.push((next, from, *at));
                if let Some(met) = met {
                    return Some((index, met));
                }
            }
        }
        None
    }

    /// The clicks between a state and this end, the one next to the state first.
    fn way(&self, mut at: usize) -> Vec<Point> {
        let mut way = Vec::new();
        while at > 0 {
            let (_, from, by) = &self.reached[at];
            way.push(*by);
            at = *from;
        }
        way
    }
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
    fn from_both_ends_the_fewest_clicks_are_found_among_fewer_states() {
        let clicks = [1, 5].map(|x| Point::new(x, 0).unwrap());
        let add = |at: Point, sum: &u32| Some(sum + u32::from(at.x())).filter(|it| *it < 100);
        let take = |at: Point, sum: &u32| sum.checked_sub(u32::from(at.x()));
        let way = between(0, 13, &clicks, add, take, 1000).unwrap();
        let mut steps: Vec<u8> = way.iter().map(|at| at.x()).collect();
        steps.sort_unstable();
        assert_eq!(steps, [1, 1, 1, 5, 5]);
        assert!(between(0, 13, &clicks, add, take, 20).is_some());
        assert_eq!(shortest(0, &clicks, add, |sum| *sum == 13, 14), None, "one end alone takes more");
        assert_eq!(between(0, 13, &clicks[1..], add, take, 1000), None, "what cannot be reached");
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
