//! Clicks that take back what the click before them on the same thing did, as with gates that open and shut.
//!
//! Once a click was seen to change a thing it is known how that looks now, and nothing else is known of it. Where no other
//! mechanism expects a further click there to do anything, it is expected to go back: most switches have two states. That is
//! a guess, so it is only made for as long as it was right at least as often as wrong.

use env_client::{Action, Color, Grid};

use super::{
    claim::Claim,
    sprite::{Vector, color_at},
    view::View,
};
use crate::{Bounds, InterfaceMask, Transition};

/// Cells apart that still belong to one thing.
const GAP: i16 = 2;
/// Fewer cells that changed are the echo of a click.
const ECHO: usize = 4;
/// The most switches that are remembered in a level.
const SWITCHES: usize = 24;

/// What a click did.
#[derive(Clone, Debug)]
struct Switch {
    /// What changed of the thing that was clicked.
    bounds: Bounds,
    /// Every cell that changed, with its colours before and after.
    cells: Vec<(Vector, Color, Color)>,
}

impl Switch {
    /// What a step changed, if it was a click on a thing that changed.
    fn of(step: &Transition<'_>, mask: &InterfaceMask) -> Option<Switch> {
        let (Action::Click(click), Some(after)) = (step.action, step.after()) else { return None };
        let changed = step.before.differences(after)?.filter(|at| !mask.hides(*at));
        let vector = |at: env_client::Point| Vector::new(i16::from(at.x()), i16::from(at.y()));
        let cells: Vec<(Vector, Color, Color)> = changed.map(|at| (vector(at), step.before[at], after[at])).collect();
        let bounds = around(vector(click), &cells)?;
        let is_inside = bounds.contains(click.x(), click.y());
        (cells.len() >= ECHO && is_inside).then_some(Switch { bounds, cells })
    }

    /// Whether all of it is seen as the click left it.
    fn is_on(&self, frame: &Grid) -> bool {
        self.cells.iter().all(|(at, _, after)| color_at(frame, *at) == Some(*after))
    }
}

/// The bounds of the cells that hang together with a click, over small gaps; nothing where none of them is near it.
fn around(click: Vector, cells: &[(Vector, Color, Color)]) -> Option<Bounds> {
    let is_near = |a: Vector, b: Vector| (a.x - b.x).abs() <= GAP && (a.y - b.y).abs() <= GAP;
    let mut rest: Vec<Vector> = cells.iter().map(|it| it.0).collect();
    let (mut group, mut open) = (Vec::new(), vec![click]);
    while let Some(at) = open.pop() {
        let near: Vec<Vector> = rest.extract_if(.., |it| is_near(*it, at)).collect();
        group.extend_from_slice(&near);
        open.extend(near);
    }
    let low = group.iter().copied().reduce(Vector::least)?;
    let high = group.iter().copied().reduce(Vector::most)?;
    let [left, top, right, bottom] = [low.x, low.y, high.x, high.y].map(|at| at as u8);
    Some(Bounds { left, top, right, bottom })
}

/// What clicks did in the present level, the newest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Backs {
    switches: Vec<Switch>,
    right: u32,
    wrong: u32,
}

impl Backs {
    /// A level begins, or begins again.
    pub(super) fn begin(&mut self) {
        self.switches.clear();
    }

    /// The switch that a click would take back.
    fn switch(&self, frame: &Grid, action: Action) -> Option<&Switch> {
        let at = action.point()?;
        let last = self.switches.iter().rev().find(|it| it.bounds.contains(at.x(), at.y()))?;
        Some(last).filter(|it| it.is_on(frame))
    }

    /// How a frame looks after a click that takes back what the last one there did.
    pub(super) fn expect(&self, view: &View<'_>) -> Option<Claim> {
        let switch = self.switch(view.frame, view.action).filter(|_| self.wrong <= self.right)?;
        let edits = switch.cells.iter().map(|(at, before, _)| (*at, *before)).collect();
        let firm = self.right.min(3);
        let mut claim = Claim { edits, support: firm as u8, ..Claim::by(7) };
        claim.marked(u64::from(firm));
        Some(claim)
    }

    /// Learns from a step; `is_open` says that no other mechanism expected anything to change.
    pub(super) fn learn(&mut self, step: &Transition<'_>, is_open: impl FnOnce() -> bool, mask: &InterfaceMask) {
        let Some(after) = step.after() else { return };
        if let Some(switch) = self.switch(step.before, step.action).filter(|_| is_open()) {
            let is_back = switch.cells.iter().all(|(at, before, _)| color_at(after, *at) == Some(*before));
            *(if is_back { &mut self.right } else { &mut self.wrong }) += 1;
        }
        if let Some(switch) = Switch::of(step, mask) {
            self.switches.retain(|it| it.bounds != switch.bounds);
            if self.switches.len() == SWITCHES {
                self.switches.remove(0);
            }
            self.switches.push(switch);
        }
    }
}

#[cfg(test)]
mod tests {
    use env_client::Point;

    use super::*;
    use crate::{
        Outcome,
        rules::{canvas::Canvas, hidden::Hidden},
    };

    const SHUT: &str = "000000000\n022200222\n022200222\n000000000\n111111111";
    const OPEN: &str = "000000000\n020200202\n020200202\n000000000\n111111111";

    fn learn(backs: &mut Backs, (before, after): (&str, &str), x: u8) {
        let (before, layers): (Grid, [Grid; 1]) = (before.parse().unwrap(), [after.parse().unwrap()]);
        let (action, outcome) = (Action::Click(Point::new(x, 1).unwrap()), Outcome::Continues);
        let step = Transition { before: &before, action, layers: &layers, outcome };
        backs.learn(&step, || true, &InterfaceMask::new());
    }

    fn expected(backs: &Backs, frame: &str, x: u8) -> Option<Vec<(Vector, Color)>> {
        let (frame, canvas, hidden): (Grid, _, _) = (frame.parse().unwrap(), Canvas::new(), Hidden::default());
        let view = View::new(&frame, Action::Click(Point::new(x, 1).unwrap()), &canvas, &hidden);
        backs.expect(&view).map(|claim| claim.edits)
    }

    #[test]
    fn a_second_click_on_a_thing_takes_back_what_the_first_one_did_until_it_does_not() {
        let mut backs = Backs::default();
        learn(&mut backs, (SHUT, OPEN), 2);
        let back = [(2, 1), (7, 1), (2, 2), (7, 2)].map(|(x, y)| (Vector::new(x, y), Color::of(2)));
        assert_eq!(expected(&backs, OPEN, 2).as_deref(), Some(&back[..]), "with all that changed along with it");
        assert_eq!(expected(&backs, OPEN, 7), None, "another thing");
        assert_eq!(expected(&backs, SHUT, 2), None, "it was taken back otherwise");
        learn(&mut backs, (OPEN, OPEN), 2);
        assert_eq!(expected(&backs, OPEN, 2), None, "it did nothing");
    }
}
