//! The shortest row of clicks in a small model of a game, breadth first.

use std::{collections::HashSet, hash::Hash};

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
    fn the_fewest_clicks_are_found_within_the_bound() {
        let clicks = [1, 5].map(|x| Point::new(x, 0).unwrap());
        let add = |at: Point, sum: &u32| Some(sum + u32::from(at.x())).filter(|it| *it < 100);
        let way = shortest(0, &clicks, add, |sum| *sum == 11, 1000).unwrap();
        assert_eq!(way.iter().map(|at| at.x()).collect::<Vec<_>>(), [1, 5, 5]);
        assert_eq!(shortest(0, &clicks, add, |sum| *sum == 11, 4), None);
        assert_eq!(shortest(0, &clicks, add, |sum| *sum == 100, 1000), None, "beyond all that can be reached");
    }
}
