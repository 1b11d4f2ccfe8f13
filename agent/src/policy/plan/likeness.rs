//! Framed drawings that are meant to become alike: one that changes, and one beside what it is for.
//!
//! Some games draw what they want: a small framed picture at a thing, and elsewhere one of the same size that something in
//! the level changes. The thing is worth going for once both are alike up to scale, and what changes the other is worth
//! going for until then.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{Grid, Point};
use world_model::{Bounds, Scene};

use super::{
    alteration::{Alteration, Drawing},
    things::{Kind, Thing},
};

/// The longest side of a frame, in cells: a quarter of the screen.
const LONGEST: u8 = 16;
/// Touches that are looked ahead, and drawings on the way.
const TOUCHES: usize = 16;
const DRAWINGS: usize = 400;

/// A drawing and the frame around it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Framed {
    bounds: Bounds,
    drawing: Drawing,
}

fn framed(frame: &Grid) -> Vec<Framed> {
    let scene = Scene::of(frame);
    let small = scene.components().iter().filter(|it| it.bounds.width().max(it.bounds.height()) <= LONGEST);
    let framed =
        small.filter_map(|it| Some(Framed { bounds: it.bounds, drawing: Drawing::of(frame, it.color, it.bounds)? }));
    framed.collect()
}

/// The frames whose drawings were seen to change, kept for the game: most games show them in the same place in every level.
#[derive(Debug, Default)]
pub(super) struct Likeness {
    indicators: Vec<Bounds>,
    /// What touching things of a kind does to what they show.
    alterations: BTreeMap<Kind, Alteration>,
}

impl Likeness {
    /// Something happened elsewhere than at the pieces, which touched these things.
    pub(super) fn changed<'a>(&mut self, old: &Grid, new: &Grid, touched: impl IntoIterator<Item = &'a Thing>) {
        let kinds: BTreeSet<Kind> = touched.into_iter().map(|thing| thing.kind).collect();
        let before = framed(old);
        for now in framed(new) {
            let same = before.iter().find(|it| it.bounds == now.bounds);
            let same = same.filter(|it| it.drawing != now.drawing && it.drawing.is_comparable(&now.drawing));
            let Some(was) = same else { continue };
            if !self.indicators.contains(&now.bounds) {
                self.indicators.push(now.bounds);
            }
            for kind in &kinds {
                self.alterations.entry(*kind).or_default().learn(&was.drawing, &now.drawing);
            }
        }
    }

    /// What a frame says is alike and what is not.
    pub(super) fn compare(&self, frame: &Grid) -> Comparison {
        if self.indicators.is_empty() {
            return Comparison::default();
        }
        let (indicators, references): (Vec<Framed>, Vec<Framed>) =
            framed(frame).into_iter().partition(|it| self.indicators.contains(&it.bounds));
        let pairs = references.iter().flat_map(|it| indicators.iter().map(move |other| (&other.drawing, &it.drawing)));
        let pairs = pairs.filter(|(shown, wanted)| shown != wanted && shown.is_comparable(wanted));
        let (useful, known) = (self.useful(pairs), self.alterations.keys().copied().collect());
        let compared = references.iter().filter_map(|it| {
            let mut comparable = indicators.iter().filter(|other| other.drawing.is_comparable(&it.drawing)).peekable();
            comparable.peek()?;
            Some((it.bounds, comparable.any(|other| other.drawing == it.drawing)))
        });
        Comparison { references: compared.collect(), known, useful }
    }

    /// The kinds of things of which one more touch leads on to what is wanted in as few touches as can be; where nobody knows
    /// how to get there, those of which nobody knows what they would do now. Pairs are what is shown, and what is wanted.
    fn useful<'a>(&self, pairs: impl Iterator<Item = (&'a Drawing, &'a Drawing)>) -> BTreeSet<Kind> {
        let mut best: Option<(usize, BTreeSet<Kind>)> = None;
        let mut open = BTreeSet::new();
        for (shown, wanted) in pairs {
            for (kind, alteration) in &self.alterations {
                let Some(next) = alteration.of(shown) else {
                    open.insert(*kind);
                    continue;
                };
                let Some(touches) = self.touches(next, wanted) else { continue };
                match &mut best {
                    Some((least, kinds)) if *least == touches => _ = kinds.insert(*kind),
                    Some((least, _)) if *least < touches => {}
                    _ => best = Some((touches, [*kind].into())),
                }
            }
        }
        best.map_or(open, |(_, kinds)| kinds)
    }

    /// The fewest touches from one drawing to another one.
    fn touches(&self, from: Drawing, to: &Drawing) -> Option<usize> {
        let (mut layer, mut known) = (vec![from.clone()], vec![from]);
        for touches in 0..=TOUCHES {
            if layer.contains(to) {
                return Some(touches);
            }
            let mut next = Vec::new();
            for drawing in layer.iter().flat_map(|it| self.alterations.values().filter_map(|change| change.of(it))) {
                if known.len() < DRAWINGS && !known.contains(&drawing) {
                    known.push(drawing.clone());
                    next.push(drawing);
                }
            }
            layer = next;
        }
        None
    }
}

/// Which drawn references are shown by an indicator, and what to touch until they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Comparison {
    references: Vec<(Bounds, bool)>,
    /// Kinds of things that change what is shown, and those of them that lead on.
    known: BTreeSet<Kind>,
    useful: BTreeSet<Kind>,
}

impl Comparison {
    /// Whether the reference drawn around a place is shown; `None` where none is drawn.
    pub(super) fn is_alike(&self, at: Point) -> Option<bool> {
        self.references.iter().find(|(bounds, _)| bounds.contains(at.x(), at.y())).map(|(_, alike)| *alike)
    }

    /// Whether touching such a thing leads on to something drawn; `None` where nobody knows.
    pub(super) fn leads_on(&self, kind: Kind) -> Option<bool> {
        (self.is_waiting() && !self.useful.is_empty() && self.known.contains(&kind))
            .then(|| self.useful.contains(&kind))
    }

    /// Whether some reference is shown: beginning again would undo that.
    pub(super) fn is_ready(&self) -> bool {
        self.references.iter().any(|(_, alike)| *alike)
    }

    /// Whether some reference is not shown.
    pub(super) fn is_waiting(&self) -> bool {
        self.references.iter().any(|(_, alike)| !alike)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reference of three cells by two, and an indicator at twice the scale that shows it in one of two poses.
    fn screen(turned: bool) -> Grid {
        let big = if turned {
            ["44111144", "44111144", "44114444", "44114444"]
        } else {
            ["44114444", "44114444", "44111144", "44111144"]
        };
        let rows =
            ["0000000000", "0444400000", "0414400000", "0411400000", "0444400000", "0000000000"].map(str::to_owned);
        let big = ["44444444"].into_iter().chain(big).chain(["44444444"]).map(|row| format!("0{row}0"));
        rows.into_iter().chain(big).chain(["0000000000".to_owned()]).collect::<Vec<_>>().join("\n").parse().unwrap()
    }

    #[test]
    fn a_drawing_that_changes_is_compared_with_the_one_like_it() {
        let (wrong, right) = (screen(true), screen(false));
        let reference = Point::new(2, 2).unwrap();
        let mut likeness = Likeness::default();
        assert_eq!(likeness.compare(&wrong), Comparison::default(), "nobody saw anything change");
        likeness.changed(&right, &wrong, &[]);
        assert_eq!(likeness.compare(&wrong).is_alike(reference), Some(false));
        assert!(likeness.compare(&wrong).is_waiting() && !likeness.compare(&wrong).is_ready());
        assert!(likeness.compare(&right).is_ready());
        assert_eq!(likeness.compare(&right).is_alike(reference), Some(true));
        assert_eq!(likeness.compare(&right).is_alike(Point::new(9, 0).unwrap()), None);
    }

    #[test]
    fn what_turns_the_drawing_leads_on_while_it_is_wrong() {
        let (wrong, right) = (screen(true), screen(false));
        let kind = Kind { color: env_client::Color::of(7), shape: 1 };
        let mut likeness = Likeness::default();
        likeness.changed(&right, &wrong, &[Thing { kind, at: Point::default() }]);
        assert_eq!(likeness.compare(&wrong).leads_on(kind), Some(true), "turned once more it is right");
        assert_eq!(likeness.compare(&right).leads_on(kind), None, "nothing waits");
        assert_eq!(likeness.compare(&wrong).leads_on(Kind { shape: 2, ..kind }), None, "never seen to change anything");
    }
}
