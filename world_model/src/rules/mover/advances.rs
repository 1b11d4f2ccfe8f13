//! What pieces mean to do under an action: where each is, what it goes for, and who takes whom along.

use env_client::{Grid, Point};

use super::{
    Movers, Placement,
    class::{Class, Instance, Wish},
    drive::Drive,
    last, strip,
};
use crate::{
    Advance,
    rules::{sprite::Vector, view::View},
};

impl Movers {
    /// The pieces that answer to actions, and what each goes for.
    pub(in crate::rules) fn advances(&self, view: &View<'_>, pieces: &[Instance]) -> Vec<Advance> {
        let view = &view.in_company(self.company(pieces), self.arrows);
        let whom = self.known_to_obey(pieces);
        let controlled = pieces.iter().filter(|it| self.is_controlled(**it) && !self.is_doubtful(**it, whom));
        controlled.map(|it| self.advance(view, *it)).collect()
    }

    /// The class of those of these pieces that are known to obey, and of several the ones that do most often.
    pub(super) fn known_to_obey(&self, pieces: &[Instance]) -> Option<usize> {
        let obedient = pieces.iter().map(|it| it.class).filter(|it| self.classes[*it].is_obedient());
        let goes_more = |it: usize, best: usize| self.classes[it].goes_more_often(&self.classes[best]);
        obedient.reduce(|best, it| if goes_more(it, best) { it } else { best })
    }

    /// Whether a piece was never seen to obey although it is known which ones do, or goes by steps that do not fit
    /// theirs: what came by and bared or covered something alike may have made it seem to move.
    pub(super) fn is_doubtful(&self, instance: Instance, whom: Option<usize>) -> bool {
        let class = &self.classes[instance.class];
        let is_apart = |whom: &Class| !class.keeps_step_with(whom) && !class.obeys_by_itself();
        whom.is_some_and(|whom| !class.has_obeyed() || is_apart(&self.classes[whom]))
    }

    fn advance(&self, view: &View<'_>, instance: Instance) -> Advance {
        let class = &self.classes[instance.class];
        let wish = Wish { view, instance, drive: Drive::default(), last: last(view, instance) };
        let by = class.wish(&wish).or_else(|| class.arrow(&wish)).map_or(Vector::ZERO, |(by, _)| by);
        let sprite = self.sprite(instance);
        let slid = class.slid(&class.attempt((view, Drive::default()), instance, by));
        let (by, far) = match slid.filter(|_| by != Vector::ZERO) {
            Some(came) => {
                (if came == Vector::ZERO { by } else { came }, came.plus(by.signum().times(class.stride(view))))
            }
            None => (by, by),
        };
        Advance { hidden: !sprite.is_at(view.frame, instance.at), ..self.going(instance, by, far) }
    }

    /// A piece that means to go by so much and covers all as far as that.
    fn going(&self, instance: Instance, by: Vector, far: Vector) -> Advance {
        let sprite = self.sprite(instance);
        let point = |at: Vector| Point::new(at.x, at.y).ok();
        let from = sprite.footprint(instance.at).filter_map(point).collect();
        let onto = strip::swept(sprite, instance.at, far).into_iter().filter_map(point).collect();
        let class = u16::try_from(instance.class).unwrap_or(u16::MAX);
        Advance { from, onto, by: (by.x, by.y), hidden: false, class }
    }

    /// The pieces that others take along or drive before them, and what each goes for: all the way where it flies.
    pub(in crate::rules) fn driven(&self, frame: &Grid, placements: &[Placement]) -> Vec<Advance> {
        let is_led = |it: Instance| !self.is_free(it) || self.heeds(it);
        let driven = placements.iter().filter(|it| it.wished != Vector::ZERO && is_led(it.instance));
        let far = |it: &Placement| if it.came.length() > it.wished.length() { it.came } else { it.wished };
        driven
            .map(|it| self.around_corners(frame, it).unwrap_or_else(|| self.going(it.instance, far(it), far(it))))
            .collect()
    }

    /// A piece that turns on its way, and all that it covers there.
    fn around_corners(&self, frame: &Grid, it: &Placement) -> Option<Advance> {
        if it.came.x == 0 || it.came.y == 0 {
            return None;
        }
        let (class, sprite) = (&self.classes[it.instance.class], self.sprite(it.instance));
        let legs = class.legs(frame, sprite, it.instance.at, (it.wished, it.came))?;
        let starts = std::iter::once(Vector::ZERO).chain(legs.iter().copied());
        let swept = starts.zip(&legs).flat_map(|(start, end)| {
            let corner = it.instance.at.plus(start);
            strip::swept(sprite, corner, end.minus(start))
        });
        let onto = swept.filter(|at| !sprite.covers(it.instance.at, *at));
        let onto = onto.filter_map(|at| Point::new(at.x, at.y).ok()).collect();
        Some(Advance { onto, ..self.going(it.instance, it.came, it.came) })
    }
}
