//! Learning: where each piece went in an observed transition, and which components are pieces.

use super::{Class, Drive, Instance, Movers, Placement, Wish};
use crate::rules::{
    canvas::Canvas,
    cell_set::CellSet,
    sprite::{Sprite, Vector, color_at},
    step::{Step, pieces},
    view::View,
};

/// The largest piece, as a share of the frame: a quarter. What is larger is ground or scrolls.
const PIECE_SHARE: usize = 4;

impl Movers {
    /// Learns from a transition; what became of every piece that could be followed.
    pub(in crate::rules) fn learn(&mut self, step: &Step<'_>, view: &View<'_>, canvas: &mut Canvas) -> Vec<Placement> {
        let mut placements = self.follow(step);
        self.discover(step, &mut placements, canvas);
        self.learn_moves(view, &placements);
        self.learn_ground(step, view, &placements);
        self.last = placements
            .iter()
            .filter(|it| it.came != Vector::ZERO)
            .map(|it| (it.instance.class, it.instance.at.plus(it.came), it.came))
            .collect();
        placements
    }

    /// Where the pieces of known classes went. Those that cannot be found afterwards are left out.
    fn follow(&mut self, step: &Step<'_>) -> Vec<Placement> {
        let mut placements = Vec::new();
        let instances = self.instances(step.before);
        let mut later = self.instances(step.after);
        let mut lost = Vec::new();
        for pass in 0..3 {
            for instance in &instances {
                if placements.iter().any(|it: &Placement| it.instance == *instance) {
                    continue;
                }
                let class = &self.classes[instance.class];
                let wanted = |it: &Instance| match pass {
                    0 => class.usual(step.action).is_some_and(|by| instance.at.plus(by) == it.at),
                    1 => it.at == instance.at,
                    _ => true,
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
        for instance in lost {
            placements.extend(self.turned(step, instance));
        }
        placements
    }

    /// A piece that is not seen any more may look different now: something of its size and colours that was not there
    /// before, where it meant to go or where it was.
    fn turned(&mut self, step: &Step<'_>, instance: Instance) -> Option<Placement> {
        let class = &self.classes[instance.class];
        let sprite = self.sprite(instance).clone();
        let ways = class.ways();
        let came = ways.into_iter().find(|by| turned_sprite(step, &sprite, instance.at.plus(*by)).is_some())?;
        let turned = turned_sprite(step, &sprite, instance.at.plus(came))?;
        let pose = self.classes[instance.class].pose_of(turned);
        Some(Placement { instance, wished: came, came, pose })
    }

    /// Components that moved and belong to no known piece are pieces of new classes.
    fn discover(&mut self, step: &Step<'_>, placements: &mut Vec<Placement>, canvas: &mut Canvas) {
        let known: CellSet =
            placements.iter().flat_map(|it| self.sprite(it.instance).footprint(it.instance.at)).collect();
        let shifts = step.shifts(|part| known.contains(center(part)) || part.shape == 0);
        let limit = step.before.cells().len() / PIECE_SHARE;
        for (parts, by) in pieces(step.old, shifts) {
            let (sprite, at) = Sprite::of(step.before, step.old, &parts);
            if sprite.cells().len() > limit || !left_traces(step, &sprite, at, by) {
                continue;
            }
            canvas.forget(&sprite, at);
            let (class, replaced) = self.admit(sprite);
            placements.retain(|it| !replaced || it.instance.class != class);
            let instance = Instance { class, pose: 0, at, rank: 0, of: 1 };
            placements.push(Placement { instance, wished: by, came: by, pose: 0 });
        }
    }

    /// A new class, unless it is known. A class whose picture contains the new one was two pieces.
    /// Returns its number and whether such a one was replaced.
    fn admit(&mut self, sprite: Sprite) -> (usize, bool) {
        if let Some(class) = self.classes.iter().position(|it| it.poses[0] == sprite) {
            return (class, false);
        }
        if let Some(class) = self.classes.iter().position(|it| sprite.is_part_of(&it.poses[0])) {
            self.classes[class] = Class::new(sprite);
            return (class, true);
        }
        self.classes.push(Class::new(sprite));
        (self.classes.len() - 1, false)
    }

    fn learn_moves(&mut self, view: &View<'_>, placements: &[Placement]) {
        let leading: Vec<Placement> = placements.iter().copied().filter(|it| self.is_controlled(it.instance)).collect();
        let number = view.number() as usize;
        for it in placements {
            let drive = if leading.contains(it) { Drive::default() } else { self.drive(it.instance, &leading) };
            let last = self.last(it.instance);
            let wish = Wish { view, instance: it.instance, drive, last };
            let expected = self.classes[it.instance.class].wish(&wish).map(|(by, _)| by);
            let class = &mut self.classes[it.instance.class];
            let moved = it.came != Vector::ZERO;
            class.moved[number].0 += u32::from(moved);
            class.moved[number].1 += 1;
            let meant = expected.filter(|by| *by != Vector::ZERO).or(moved.then_some(it.came));
            if let Some(by) = meant {
                let sprite = class.poses[it.instance.pose].clone();
                class.learn_gate(view, &sprite, (it.instance.at, by), it.came);
            }
            if moved {
                class.learn_wish(&wish, it.came);
            }
            class.learn_turn(it.instance.pose, number as u64, it.pose);
        }
    }

    fn learn_ground(&mut self, step: &Step<'_>, view: &View<'_>, placements: &[Placement]) {
        let after =
            |it: &Placement| self.classes[it.instance.class].poses[it.pose].footprint(it.instance.at.plus(it.came));
        let covered: CellSet = placements.iter().flat_map(after).collect();
        for it in placements.iter().filter(|it| it.came != Vector::ZERO || it.pose != it.instance.pose) {
            let sprite = self.classes[it.instance.class].poses[it.instance.pose].clone();
            self.ground.learn(view, step.after, &sprite, it, &covered);
        }
    }
}

/// What a piece looks like at a corner where it is not seen as before: cells of its colours, about as many, and not
/// what was there before.
fn turned_sprite(step: &Step<'_>, sprite: &Sprite, corner: Vector) -> Option<Sprite> {
    let colors = sprite.colors();
    let turned = Sprite::cut(step.after, corner, sprite.size).only(colors);
    let (now, before) = (turned.cells().len(), sprite.cells().len());
    let fresh = turned.cells().iter().any(|(at, color)| color_at(step.before, corner.plus(*at)) != Some(*color));
    let close = 5 * now.abs_diff(before) <= before && turned.colors() == colors;
    (fresh && close && !turned.is_at(step.before, corner)).then_some(turned)
}

/// Whether at least half the cells that a piece left changed: ground whose outline changed seems to jump, but nothing
/// happens where it was.
fn left_traces(step: &Step<'_>, sprite: &Sprite, from: Vector, by: Vector) -> bool {
    let left: Vec<Vector> = sprite.footprint(from).filter(|at| !sprite.covers(from.plus(by), *at)).collect();
    let changed = left.iter().filter(|at| color_at(step.before, **at) != color_at(step.after, **at)).count();
    2 * changed >= left.len()
}

fn center(part: &crate::Component) -> Vector {
    Vector::new(i16::from(part.center.x()), i16::from(part.center.y()))
}
