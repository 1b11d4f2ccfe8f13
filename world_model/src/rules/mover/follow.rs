//! Following: which of the pieces of known classes that are seen after an action is which of those that were there before.

use super::{Instance, Movers, Placement, Vector, track::is_swap};
use crate::rules::{step::Step, view::View};

impl Movers {
    /// Where the pieces of known classes went, and those that cannot be found afterwards, neither there nor where they were
    /// foreseen.
    pub(super) fn follow(
        &mut self,
        step: &Step<'_>,
        view: &View<'_>,
        instances: &[Instance],
        foreseen: &[Placement],
    ) -> (Vec<Placement>, Vec<Instance>) {
        let mut placements = Vec::new();
        let mut later = self.instances(step.after);
        let mut lost = Vec::new();
        let stay = self.staying(instances, &later);
        for pass in 0..3 {
            for instance in instances {
                if placements.iter().any(|it: &Placement| it.instance == *instance) {
                    continue;
                }
                let class = &self.classes[instance.class];
                let swaps =
                    |it: &Instance| !view.is_arrow() && is_swap(step, self.sprite(*instance), instance.at, it.at);
                let wanted = |it: &Instance| match pass {
                    0 if stay.contains(instance) => false,
                    0 => class.usual(view.number()).is_some_and(|by| instance.at.plus(by) == it.at),
                    1 => it.at == instance.at,
                    _ => !swaps(it),
                };
                let alike = later.iter().enumerate().filter(|(_, it)| it.class == instance.class && wanted(it));
                let nearest = alike.min_by_key(|(_, it)| it.at.minus(instance.at).length());
                if let Some((at, found)) = nearest.map(|(at, it)| (at, *it)) {
                    later.swap_remove(at);
                    let came = found.at.minus(instance.at);
                    placements.push(Placement { instance: *instance, wished: came, came, pose: found.pose });
                } else if pass == 2 {
                    lost.push(*instance);
                }
            }
        }
        lost.retain(|instance| {
            let turned = self.turned(step, view, *instance);
            placements.extend(turned);
            turned.is_none()
        });
        lost.retain(|instance| {
            let painted = self.painted(step, view, *instance, &placements);
            placements.extend(painted);
            painted.is_none()
        });
        lost.retain(|instance| {
            let arrived = foreseen.iter().find(|it| it.instance == *instance).and_then(|it| self.arrived(step, it));
            placements.extend(arrived);
            arrived.is_none()
        });
        (placements, lost)
    }

    /// Those that are taken to have stayed: pieces of their class that are gone from where they were tell all that became of it.
    fn staying(&self, before: &[Instance], later: &[Instance]) -> Vec<Instance> {
        let told: Vec<bool> = (0..self.classes.len()).map(|it| self.is_told_by_gone(it, before, later)).collect();
        let is_seen = |it: &Instance| later.iter().any(|other| (other.class, other.at) == (it.class, it.at));
        before.iter().filter(|it| told[it.class] && is_seen(it)).copied().collect()
    }

    /// Whether what became of pieces of a class is told by those alone that are gone from where they were, since each that came
    /// up where none of them was is where one of them goes at times: the others stayed, however they lie to each other, and
    /// what is gone and did not come up anywhere is lost.
    fn is_told_by_gone(&self, class: usize, before: &[Instance], later: &[Instance]) -> bool {
        let places =
            |all: &[Instance]| -> Vec<Vector> { all.iter().filter(|it| it.class == class).map(|it| it.at).collect() };
        let (before, later) = (places(before), places(later));
        let mut gone: Vec<Vector> = before.iter().filter(|at| !later.contains(at)).copied().collect();
        let ways = self.classes[class].ways();
        later.iter().filter(|at| !before.contains(at)).all(|came| {
            let start = gone.iter().position(|at| ways.contains(&came.minus(*at)));
            start.map(|start| gone.swap_remove(start)).is_some()
        })
    }
}
