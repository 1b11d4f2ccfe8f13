//! Pieces that act at a distance: what lies in one row or column with a piece comes to it or flies from it, though nothing
//! touches it, as with a magnet, a hook or a gust of wind.

use super::{
    Instance, LOOKS, Movers, Placement,
    class::Wish,
    drive::{ALIGNED, Drive},
    strip,
};
use crate::rules::{
    law::{Law, Verdict},
    sprite::{Sprite, Vector},
    view::View,
};

/// Outcomes: it stays, comes towards the one that drives it, or goes away from that.
const STAYS: u64 = 0;
const COMES: u64 = 1;
const FLEES: u64 = 2;
/// Either of the two.
const GOES: u64 = 3;

/// Features that decide that: what is done, whether the one that drives looks there, what lies between, and how both look.
const RAY: usize = 5;

/// What is believed of every new piece as if it had been seen so often: it stays where the one that drives looks elsewhere,
/// and goes where that looks at it. No action has these numbers, and nothing else.
const BELIEF: usize = 2;
const HABITS: [([u64; RAY], u64); 2] =
    [([u64::MAX, 1, 0, u64::MAX, 0], STAYS), ([u64::MAX - 1, 2, 0, u64::MAX, 0], GOES)];

/// What pieces of a class were seen to do in line with others.
#[derive(Clone, Debug)]
pub(super) struct Rays {
    law: Law<RAY>,
    /// How far one went last; nothing before any did.
    length: i16,
}

impl Default for Rays {
    fn default() -> Self {
        let mut law = Law::new(2);
        (0..BELIEF).for_each(|_| HABITS.iter().for_each(|(case, outcome)| law.learn(case, *outcome)));
        Rays { law, length: 0 }
    }
}

impl Rays {
    /// Whether any piece ever moved so.
    pub(super) fn is_proven(&self) -> bool {
        self.length > 0
    }

    /// The same, as hearsay for pieces of another colour, which may go the other way: see [`Law::hearsay`].
    pub(super) fn hearsay(self) -> Rays {
        Rays { law: self.law.hearsay(), ..self }
    }

    /// Where a piece in line with another one means to go.
    pub(super) fn wish(&self, wish: &Wish<'_>) -> Option<(Vector, Verdict)> {
        let case = case(wish);
        let verdict = self.law.ask(|index| case[index]).filter(|_| self.is_proven())?;
        let goes_so = || self.law.ask_among(|index| case[index], |it| it == COMES || it == FLEES);
        let outcome = if verdict.outcome == GOES { goes_so()?.outcome } else { verdict.outcome };
        let by = match outcome {
            COMES => wish.drive.by.times(self.length),
            FLEES => wish.drive.by.times(-self.length),
            _ => Vector::ZERO,
        };
        Some((by, verdict))
    }

    /// Learns where a piece went, or that it stayed although nothing stopped it.
    pub(super) fn learn(&mut self, wish: &Wish<'_>, came: Vector) {
        let outcome = match came {
            Vector::ZERO => STAYS,
            _ if came.is_along(wish.drive.by) => COMES,
            _ => FLEES,
        };
        self.law.learn(&case(wish), outcome);
        if outcome != STAYS {
            self.length = came.length() as i16;
        }
    }
}

fn case(wish: &Wish<'_>) -> [u64; RAY] {
    let (looks_at, look) = (wish.drive.look & LOOKS, wish.drive.look & !LOOKS);
    [wish.view.number(), looks_at, wish.drive.between.into(), wish.instance.pose as u64, look]
}

impl Movers {
    /// How a piece lies to the nearest one in its row or column that obeys and stays while a key is pressed that is no arrow.
    pub(super) fn ray(&self, view: &View<'_>, instance: Instance, leading: &[Placement]) -> Option<Drive> {
        if view.is_arrow() || view.click().is_some() {
            return None;
        }
        let own = self.sprite(instance);
        let stays = |it: &&Placement| it.wished == Vector::ZERO && it.came == Vector::ZERO && it.instance != instance;
        let drivers = leading.iter().filter(|it| stays(it) && self.is_controlled(it.instance));
        let rays = drivers.filter_map(|it| {
            let driver = self.sprite(it.instance);
            let (by, gap) = line((own, instance.at), (driver, it.instance.at))?;
            let between = strip::colors(view.frame, &strip::swept(own, instance.at, by.times(gap)));
            let look = self.look_at(it.instance, Vector::ZERO.minus(by));
            Some((gap, Drive { relation: ALIGNED, by, look, between, ..Drive::default() }))
        });
        rays.min_by_key(|(gap, _)| *gap).map(|(_, drive)| drive)
    }

    /// Which pieces are moved from afar, in words.
    pub(super) fn ray_sentences(&self) -> impl Iterator<Item = String> {
        self.classes.iter().filter(|class| class.rays.is_proven()).map(|class| {
            let (size, cells) = (class.poses[0].size, class.poses[0].cells().len());
            format!("The {}x{} piece of {cells} cells is moved from afar by one in line with it", size.x, size.y)
        })
    }

    /// How a piece lies to one that drives it, which may be one far away where it went to that or away from it, or stayed as
    /// others of its class did not.
    pub(super) fn lies(&self, view: &View<'_>, it: &Placement, leading: &[Placement], holders: &[Placement]) -> Drive {
        let near = self.drive(it.instance, leading, holders);
        if !near.is_idle() {
            return near;
        }
        let goes_along = |by: Vector| it.came.is_along(by) || it.came.is_along(Vector::ZERO.minus(by));
        let stays = it.came == Vector::ZERO && self.classes[it.instance.class].rays.is_proven();
        let ray = self.ray(view, it.instance, leading);
        ray.filter(|ray| stays || goes_along(ray.by)).unwrap_or(near)
    }
}

/// The way from one piece to another one in its row or column, and how many cells lie between.
fn line((own, at): (&Sprite, Vector), (other, there): (&Sprite, Vector)) -> Option<(Vector, i16)> {
    let gap = |low: i16, size: i16, other: i16, length: i16| match () {
        () if other >= low + size => (1, other - low - size),
        () if low >= other + length => (-1, low - other - length),
        () => (0, 0),
    };
    let (across, along) = (gap(at.x, own.size.x, there.x, other.size.x), gap(at.y, own.size.y, there.y, other.size.y));
    match (across.0, along.0) {
        (0, way) if way != 0 => Some((Vector::new(0, way), along.1)),
        (way, 0) if way != 0 => Some((Vector::new(way, 0), across.1)),
        _ => None,
    }
}
