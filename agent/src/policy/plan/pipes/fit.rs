//! A pose for each tile so that no opening is left loose.

use super::net::Net;

/// Poses tried before it is given up. A guess: some milliseconds.
const TRIES: usize = 60_000;

/// A pose for each tile in which what is open on a side meets something there; all joined to one, if that is asked for.
pub(super) fn fit(net: &Net, as_one: bool) -> Option<Vec<usize>> {
    let open = net.knots.iter().map(|knot| (0..knot.poses.len()).collect()).collect();
    let mut search = Search { net, as_one, tries: 0, open, poses: vec![0; net.knots.len()] };
    search.narrow();
    search.go(0).then_some(search.poses)
}

struct Search<'a> {
    net: &'a Net,
    as_one: bool,
    tries: usize,
    /// The poses of each tile that nothing speaks against by itself, the cheapest first.
    open: Vec<Vec<usize>>,
    poses: Vec<usize>,
}

impl Search<'_> {
    fn opening(&self, index: usize, pose: usize, side: usize) -> u32 {
        self.net.knots[index].poses.get(pose).map_or(0, |it| it.open(side))
    }

    /// Whether nothing is loose between a tile and one of some poses of another one beyond a side.
    fn fits(&self, index: usize, pose: usize, side: usize, (next, poses): (usize, &[usize])) -> bool {
        let here = self.opening(index, pose, side);
        let meets = |pose: usize| {
            let there = self.opening(next, pose, (side + 2) % 4);
            here & there != 0 || here | there == 0
        };
        // A tile on which nothing is drawn has no poses.
        if self.net.knots[next].poses.is_empty() { here == 0 } else { poses.iter().any(|pose| meets(*pose)) }
    }

    /// Whether a pose leaves nothing loose, whatever the tiles around may still be turned to.
    fn may_fit(&self, index: usize, pose: usize) -> bool {
        (0..4).all(|side| match self.net.beyond[index][side] {
            Some(next) => self.fits(index, pose, side, (next, &self.open[next])),
            None => self.opening(index, pose, side) == 0,
        })
    }

    /// Leaves out poses that fit nothing, again and again.
    fn narrow(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..self.open.len() {
                let left: Vec<usize> =
                    self.open[index].iter().copied().filter(|pose| self.may_fit(index, *pose)).collect();
                changed |= left.len() < self.open[index].len();
                self.open[index] = left;
            }
        }
    }

    /// Turns all tiles from one on.
    fn go(&mut self, index: usize) -> bool {
        if index == self.net.knots.len() {
            return !self.as_one || self.is_one();
        }
        if self.net.knots[index].poses.is_empty() {
            return self.go(index + 1);
        }
        for pose in self.open[index].clone() {
            self.tries += 1;
            let before = [0, 3].into_iter().filter_map(|side| Some((side, self.net.beyond[index][side]?)));
            let fits = before.into_iter().all(|(side, next)| self.fits(index, pose, side, (next, &[self.poses[next]])));
            self.poses[index] = pose;
            if fits && self.tries < TRIES && self.go(index + 1) {
                return true;
            }
        }
        false
    }

    fn is_one(&self) -> bool {
        let drawn = self.net.drawn();
        drawn.first().is_some_and(|root| self.net.reach(&self.poses, *root) == drawn)
    }
}
