//! Reading what an action shows and takes back again: signs, one after the other, each of which stands for a thing.

use std::collections::BTreeSet;

use env_client::{Action, Color, Grid, Point};
use world_model::{Bounds, Component, InterfaceMask, Scene, Transition};

use super::super::{
    skill::{Look, look},
    surveys::is_inside,
};

/// Fewer signs are no tune.
const FEWEST: usize = 2;
/// A sign covers at most this part of a frame: more is a change of scenes. A guess.
const LARGEST: usize = 8;
/// What is smaller is no thing to be told, in cells. A guess.
const LEAST: u16 = 4;
/// How many columns or rows the places of two signs may differ by and be one. A guess.
const LOOSE: u8 = 3;

/// What a sign stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cue {
    /// Where it was when it was told of.
    pub(super) at: Point,
    look: Look,
}

impl Cue {
    /// The cue that a thing is.
    fn of(it: &Component) -> Cue {
        Cue { at: it.center, look: look(it) }
    }

    /// Where it is now: what looks like it, nearest to where it was.
    pub(super) fn place(&self, frame: &Grid) -> Point {
        let scene = Scene::of(frame);
        let alike = scene.components().iter().filter(|it| look(it) == self.look).map(|it| it.center);
        let gap = |at: &Point| at.x().abs_diff(self.at.x()) + at.y().abs_diff(self.at.y());
        alike.min_by_key(gap).unwrap_or(self.at)
    }
}

/// What is to be seen for a while and not afterwards.
#[derive(Debug)]
struct Sign {
    /// In which layer it is seen first.
    layer: usize,
    bounds: Bounds,
    cells: Vec<(Point, Color)>,
    /// Whether it takes turns with the one before it, and nothing is seen in between.
    is_next: bool,
}

/// The things that an action told of, in order, if it did and left everything else as it was.
pub(super) fn told(step: &Transition<'_>, mask: &InterfaceMask) -> Option<Vec<Cue>> {
    let after = step.after()?;
    let is_world = |at: &Point| !mask.hides(*at) && is_inside(after, *at);
    if step.layers.len() <= FEWEST || step.before.differences(after)?.any(|at| is_world(&at)) {
        return None;
    }
    let signs = signs(step.layers, is_world);
    let answers = |it: &Sign| matches!(step.action, Action::Click(at) if it.bounds.contains(at.x(), at.y()));
    let is_small = |it: &Sign| it.cells.len() * LARGEST <= after.points().count();
    if signs.len() < FEWEST || signs.iter().any(|it| answers(it) || !is_small(it)) {
        return None;
    }
    let scene = Scene::of(after);
    let cues = if share_a_place(&signs) {
        signs.iter().map(|it| spelled(it, &step.layers[it.layer], &scene, mask)).collect::<Option<Vec<Cue>>>()?
    } else if have_places(&signs) {
        signs.iter().map(|it| lit(it, &scene)).collect::<Option<Vec<Cue>>>()?
    } else {
        return None;
    };
    let cues = merged(&signs, cues);
    let things: BTreeSet<Point> = cues.iter().map(|it| it.at).collect();
    (things.len() >= FEWEST).then_some(cues)
}

/// What differs from the last layer, as it changes from layer to layer.
fn signs(layers: &[Grid], is_world: impl Fn(&Point) -> bool) -> Vec<Sign> {
    let (mut signs, mut is_lit): (Vec<Sign>, bool) = (Vec::new(), false);
    let Some((last, shown)) = layers.split_last() else { return signs };
    for (layer, grid) in shown.iter().enumerate() {
        let differences = grid.differences(last).into_iter().flatten().filter(|at| is_world(at));
        let cells: Vec<(Point, Color)> = differences.map(|at| (at, grid[at])).collect();
        let bounds = Bounds::around(cells.iter().map(|it| it.0));
        let is_old = is_lit && signs.last().is_some_and(|it| it.cells == cells);
        if let Some(bounds) = bounds.filter(|_| !is_old) {
            signs.push(Sign { layer, bounds, cells, is_next: is_lit });
        }
        is_lit = bounds.is_some();
    }
    signs
}

/// Whether all of them are seen in one place.
fn share_a_place(signs: &[Sign]) -> bool {
    signs.iter().all(|it| are_one_place(signs[0].bounds, it.bounds))
}

/// Whether each of them has a place of its own, or that of an earlier one.
fn have_places(signs: &[Sign]) -> bool {
    let is_apart = |a: Bounds, b: Bounds| are_one_place(a, b) || a.overlap(b) == 0;
    signs.iter().enumerate().all(|(index, it)| signs[..index].iter().all(|other| is_apart(it.bounds, other.bounds)))
}

/// Whether two signs are seen in one place: they overlap, and neither reaches far beyond the other.
fn are_one_place(a: Bounds, b: Bounds) -> bool {
    let all = a.union(b);
    let fills = |it: Bounds| it.width() + LOOSE >= all.width() && it.height() + LOOSE >= all.height();
    a.overlap(b) > 0 && fills(a) && fills(b)
}

/// The thing elsewhere of which a sign has the form and colour, or the form, or the colour.
fn spelled(sign: &Sign, layer: &Grid, scene: &Scene, mask: &InterfaceMask) -> Option<Cue> {
    let seen = Scene::of(layer);
    let is_part = |it: &&Component| it.area >= LEAST && sign.cells.iter().any(|(at, _)| *at == it.center);
    let parts: Vec<&Component> = seen.components().iter().filter(is_part).collect();
    let rank = |it: &Component| {
        let has_form = parts.iter().any(|part| part.form == it.form);
        let has_color = parts.iter().any(|part| part.color == it.color);
        (usize::from(has_form) * 2 + usize::from(has_color), it.area)
    };
    let things = scene.components().iter().enumerate().filter(|(index, it)| {
        let is_elsewhere = it.bounds.overlap(sign.bounds) == 0 && !mask.hides(it.center);
        is_elsewhere && it.area >= LEAST && !scene.is_ground(*index)
    });
    let ranked: Vec<((usize, u16), &Component)> = things.map(|(_, it)| (rank(it), it)).collect();
    let best = ranked.iter().map(|it| it.0).max().filter(|best| best.0 > 0)?;
    let mut best = ranked.iter().filter(|it| it.0 == best);
    let found = best.next()?.1;
    best.next().is_none().then(|| Cue::of(found))
}

/// The thing that lights up where a sign is seen: what most of its cells lie on, but for the ground.
fn lit(sign: &Sign, scene: &Scene) -> Option<Cue> {
    let under = sign.cells.iter().filter_map(|(at, _)| scene.component_at(*at));
    let things: BTreeSet<usize> = under.filter(|index| !scene.is_ground(*index)).collect();
    let covered = |index: &usize| {
        let is_there = |(at, _): &&(Point, Color)| scene.component_at(*at) == Some(*index);
        sign.cells.iter().filter(is_there).count()
    };
    things.into_iter().max_by_key(covered).map(|index| Cue::of(&scene.components()[index]))
}

/// The cues, each once where one thing is seen to change several times without a pause.
fn merged(signs: &[Sign], cues: Vec<Cue>) -> Vec<Cue> {
    let mut merged: Vec<Cue> = Vec::new();
    for (sign, cue) in signs.iter().zip(cues) {
        if !(sign.is_next && merged.last() == Some(&cue)) {
            merged.push(cue);
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use env_client::Key;
    use world_model::Outcome;

    use super::*;

    const GROUND: &str = "0000000000000000";

    /// Sixteen rows: these from the fourth on.
    fn picture(rows: &[&str]) -> Grid {
        let mut lines = vec![GROUND; 16];
        lines[4..4 + rows.len()].copy_from_slice(rows);
        lines.join("\n").parse().unwrap()
    }

    fn heard(action: Action, layers: &[Grid]) -> Option<Vec<Point>> {
        let before = layers.last()?.clone();
        let step = Transition { before: &before, action, layers, outcome: Outcome::Continues };
        told(&step, &InterfaceMask::new()).map(|cues| cues.iter().map(|it| it.at).collect())
    }

    fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    const LISTEN: Action = Action::Key(Key::Key5);

    #[test]
    fn signs_in_one_place_stand_for_what_has_their_form_or_colour_elsewhere() {
        let blank = picture(&["0000044400000000", "0002044403000000", "0022044403300000", "0020044403000000"]);
        let lamp = |fill: &str| {
            picture(&[
                &["00000", fill, "00000000"].concat(),
                &["00020", fill, "03000000"].concat(),
                &["00220", fill, "03300000"].concat(),
                &["00200", fill, "03000000"].concat(),
            ])
        };
        let by_color = [lamp("333"), blank.clone(), lamp("222"), lamp("333"), blank.clone()];
        let (left, right) = (at(2, 6), at(9, 6));
        assert_eq!(heard(LISTEN, &by_color), Some(vec![right, left, right]));
        let unknown = [lamp("333"), blank.clone(), lamp("555"), blank.clone()];
        assert_eq!(heard(LISTEN, &unknown), None, "nothing is of that colour");
        let once = [lamp("333"), blank.clone(), lamp("333"), blank];
        assert_eq!(heard(LISTEN, &once), None, "one thing is no tune");
    }

    #[test]
    fn things_that_light_up_stand_for_themselves() {
        let still = picture(&["0002200000330000", "0002200000330000"]);
        let (left, right) =
            (picture(&["0001100000330000", "0001100000330000"]), picture(&["0002200000110000", "0002200000110000"]));
        let layers = [left.clone(), left, still.clone(), right, still.clone()];
        assert_eq!(heard(LISTEN, &layers), Some(vec![at(3, 4), at(10, 4)]));
        assert_eq!(heard(Action::Click(at(4, 4)), &layers), None, "that is its answer");
        let mut moved = layers.to_vec();
        moved.push(picture(&["0000220000330000", "0000220000330000"]));
        let step = Transition { before: &still, action: LISTEN, layers: &moved, outcome: Outcome::Continues };
        assert_eq!(told(&step, &InterfaceMask::new()), None, "something else was done");
    }

    #[test]
    fn small_things_side_by_side_have_places_of_their_own() {
        let still = picture(&["0000220220000000", "0000220220000000"]);
        let (left, right) =
            (picture(&["0000110220000000", "0000110220000000"]), picture(&["0000220110000000", "0000220110000000"]));
        let layers = [left, still.clone(), right, still];
        assert_eq!(heard(LISTEN, &layers), Some(vec![at(4, 4), at(7, 4)]));
    }

    #[test]
    fn what_moves_to_and_fro_tells_nothing() {
        let still = picture(&["0002200000000000", "0002200000000000"]);
        let (near, far) =
            (picture(&["0000220000000000", "0000220000000000"]), picture(&["0000022000000000", "0000022000000000"]));
        assert_eq!(heard(LISTEN, &[near.clone(), far, near, still]), None);
    }
}
