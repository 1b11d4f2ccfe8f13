//! What pieces that heed another one see of it, and where they go.

use env_client::{Grid, Point};

use super::{
    Drive, Instance, Movers, Moves, Placement, Vector,
    attempt::{NOVEL, NOVELTY},
    heed::Outlook,
    strip,
};
use crate::rules::{
    law::mix,
    sprite::{SIDES, color_at},
    view::View,
};

/// What the claim of one that heeds another rests on.
const HEEDS: u64 = 0x4eed;

impl Movers {
    /// What becomes of a piece that heeds the nearest of those that lead.
    pub(super) fn expect_heeding(&self, view: &View<'_>, instance: Instance, leading: &[Placement], moves: &mut Moves) {
        let class = &self.classes[instance.class];
        let heed = class.heeds.of(view.is_arrow());
        let outlook = self.outlook(view, instance, leading, heed.stride).filter(|_| heed.is_proven());
        let came = outlook.map_or(Vector::ZERO, |outlook| heed.next(&outlook));
        let pose = class.pose_after(view, instance, came);
        moves.claim.marked(mix(HEEDS ^ u64::from(came == Vector::ZERO)));
        moves.placements.push(Placement { instance, wished: came, came, pose });
    }

    /// Learns whether pieces that go by themselves heed the nearest of those that are known to obey, beyond what was foreseen of
    /// them. Where one is that is seen no more, as it fell into something, nobody knows.
    pub(super) fn learn_heeds(
        &mut self,
        (view, after): (&View<'_>, &Grid),
        placements: &[Placement],
        foreseen: &[Placement],
    ) {
        let controlled = placements.iter().map(|it| it.instance).filter(|it| self.is_controlled(*it));
        let Some(lead) = self.known_to_obey(&controlled.collect::<Vec<_>>()) else { return };
        let (leading, others): (Vec<Placement>, Vec<Placement>) =
            placements.iter().partition(|it| it.instance.class == lead);
        let is_seen = |it: &Placement| self.classes[it.instance.class].poses[it.pose].is_at(after, it.end().at);
        let seen: Vec<Placement> = others.into_iter().filter(is_seen).collect();
        for it in seen {
            let stride = self.classes[it.instance.class].heeds.of_mut(view.is_arrow(), it.came).stride;
            let stride = if stride == 0 { it.came.x.abs().max(it.came.y.abs()) } else { stride };
            let Some(outlook) = self.outlook(view, it.instance, &leading, stride) else { continue };
            let told = foreseen.iter().find(|other| other.instance == it.instance);
            let heed = self.classes[it.instance.class].heeds.of_mut(view.is_arrow(), it.came);
            heed.stride = stride;
            heed.learn(&outlook, it.came, told.map_or(Vector::ZERO, |told| told.came));
        }
    }

    /// The cells of each piece that heeds another one.
    pub(in crate::rules) fn flock(&self, frame: &Grid) -> Vec<Vec<Point>> {
        let flock = self.instances(frame).into_iter().filter(|it| self.heeds(*it));
        flock.map(|it| self.cells(it)).collect()
    }

    /// What is known of pieces that heed another one, in words.
    pub(super) fn heed_sentences(&self) -> impl Iterator<Item = String> {
        let others = self.classes.iter().filter(|it| !it.is_controlled());
        others.filter_map(|it| {
            let (size, cells) = (it.poses[0].size, it.poses[0].cells().len());
            Some(format!("The {}x{} piece of {cells} cells {}", size.x, size.y, it.heeds.sentence()?))
        })
    }

    /// What a piece that goes by steps of this length sees of the nearest of those that lead.
    fn outlook(&self, view: &View<'_>, piece: Instance, leading: &[Placement], stride: i16) -> Option<Outlook> {
        let others = leading.iter().filter(|it| it.instance != piece && stride > 0);
        let middle = |it: Instance| it.at.times(2).plus(self.sprite(it).size);
        let way = |to: Instance| {
            let way = middle(to).minus(middle(piece));
            Vector::new(steps(way.x, stride), steps(way.y, stride))
        };
        let nearest = others.min_by_key(|it| way(it.instance).length())?;
        let ways = [way(nearest.instance), way(nearest.end())];
        let class = &self.classes[piece.class];
        let attempts = SIDES.map(|side| class.attempt((view, Drive::default()), piece, side.times(stride)));
        let ahead = |index: usize| strip::colors(view.frame, &attempts[index].strip);
        Some(Outlook {
            at: piece.at,
            ways,
            sees: ways.map(|way| self.sees(view, piece, way, stride)),
            blocked: std::array::from_fn(|index| attempts[index].feature(NOVELTY) == NOVEL),
            fresh: std::array::from_fn(|index| ahead(index) & !class.entered),
            rested: view.motion(piece).is_none_or(|it| it.waited > 0),
        })
    }

    /// Whether a piece sees what is so far away in its row or column: it has entered all colours between.
    fn sees(&self, view: &View<'_>, piece: Instance, way: Vector, stride: i16) -> bool {
        let between = way.minus(way.signum()).times(stride);
        let entered = self.classes[piece.class].entered;
        let is_open = |at: Vector| color_at(view.frame, at).is_some_and(|color| entered >> color.index() & 1 == 1);
        (way.x == 0) != (way.y == 0)
            && strip::swept(self.sprite(piece), piece.at, between)
                .into_iter()
                .all(|at| between == Vector::ZERO || is_open(at))
    }
}

/// Steps of a length that a distance in half cells is.
fn steps(distance: i16, stride: i16) -> i16 {
    (distance + distance.signum() * stride) / (2 * stride)
}
