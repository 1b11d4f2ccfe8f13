//! What turns around a click, and the fittings between slots that are clicked for it.
//!
//! Fittings of one colour are taken to turn alike, until one of them turns something in another way: from then on their
//! drawings tell them apart. What turns in another way most likely turns in the other sense, which is looked at before all
//! else that a lesson allows.

use std::collections::BTreeSet;

use env_client::{Color, Grid};

use super::{
    Content,
    lessons::Lesson,
    reading::{Inset, Slots, is_fitting},
};
use crate::{Scene, cells::Way};

/// Where around a clicked slot comes what from where.
pub(super) type Ways = Vec<(Way, Way)>;

/// What was clicked between slots: its colour and its drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fitting {
    pub(super) color: Color,
    pub(super) drawing: u64,
}

/// What a kind of fittings turns.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    around: Ways,
    inset: Inset,
    color: Color,
    /// How those look that were seen to turn so.
    drawings: BTreeSet<u64>,
}

/// The turns of all kinds of fittings.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns(Vec<Turn>);

impl Turns {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Learns from everything that fittings turned in a level.
    pub(super) fn learn(&mut self, slots: &Slots, lessons: &[&Lesson]) {
        let mut fittings: Vec<Fitting> = Vec::new();
        for fitting in lessons.iter().filter_map(|it| it.fitting) {
            if !fittings.contains(&fitting) {
                fittings.push(fitting);
            }
        }
        for fitting in fittings {
            let of_kind: Vec<&Lesson> = lessons.iter().filter(|it| it.fitting == Some(fitting)).copied().collect();
            self.learn_kind(slots, &of_kind, fitting);
        }
    }

    /// Learns from everything that fittings of one drawing turned.
    fn learn_kind(&mut self, slots: &Slots, lessons: &[&Lesson], fitting: Fitting) {
        let explains = |around: &Ways| {
            let turned = |it: &&Lesson| Some(turned(slots, &it.before, it.clicked(slots)?, around)? == it.after);
            lessons.iter().all(|it| turned(it) == Some(true))
        };
        if let Some(known) = self.of(fitting).filter(|known| explains(&self.0[*known].around)) {
            self.0[known].drawings.insert(fitting.drawing);
            return;
        }
        let ways = self.0.iter().map(|it| it.around.clone());
        let other_senses = self.0.iter().map(|it| inverse(&it.around));
        let known = ways.chain(other_senses).find(explains);
        let around = known.unwrap_or_else(|| fit(slots, lessons));
        self.0
            .iter_mut()
            .filter(|it| it.color == fitting.color)
            .for_each(|it| _ = it.drawings.remove(&fitting.drawing));
        self.0.retain(|it| !it.drawings.is_empty());
        let inset = lessons.first().and_then(|it| slots.inset(it.point()?));
        if let Some(inset) = inset.filter(|_| !around.is_empty()) {
            self.0.push(Turn { around, inset, color: fitting.color, drawings: [fitting.drawing].into() });
        }
    }

    /// The turn of fittings that look so: that of the only ones of their colour, whatever their drawing.
    fn of(&self, fitting: Fitting) -> Option<usize> {
        let mut of_color = (0..self.0.len()).filter(|it| self.0[*it].color == fitting.color);
        let known = of_color.clone().find(|it| self.0[*it].drawings.contains(&fitting.drawing));
        known.or_else(|| of_color.next().filter(|_| of_color.next().is_none()))
    }

    /// The fitting that a frame shows at a slot, and where a click on it falls there.
    fn fitting(&self, slots: &Slots, frame: &Grid, slot: usize) -> Option<(Fitting, Inset)> {
        let mut insets = self.0.iter().map(|it| (it.inset, it.color));
        insets.find_map(|(inset, color)| {
            let at = slots.point(slot, Some(inset));
            let drawing = || slots.sketch(frame, at);
            (frame.get(at) == Some(color)).then(|| (Fitting { color, drawing: drawing() }, inset))
        })
    }

    /// The slots of a frame at which a fitting is to be clicked, each with its turn.
    pub(super) fn on(&self, slots: &Slots, frame: &Grid) -> Vec<(usize, usize)> {
        let turn = |slot: usize| Some((slot, self.of(self.fitting(slots, frame, slot)?.0)?));
        (0..slots.len()).filter_map(turn).collect()
    }

    /// The slots at which there is a fitting of which nobody knows in what way it turns, and where that is clicked there.
    pub(super) fn strange(&self, slots: &Slots, frame: &Grid) -> Vec<(usize, Inset)> {
        let all = (0..slots.len()).filter_map(|slot| Some((slot, self.fitting(slots, frame, slot)?)));
        let unknown = all.filter(|(_, (fitting, _))| self.of(*fitting).is_none());
        unknown.map(|(slot, (_, inset))| (slot, inset)).chain(self.painted(slots, frame)).collect()
    }

    /// The slots at which there is something as small as a fitting where fittings are, in another colour than all of them.
    fn painted(&self, slots: &Slots, frame: &Grid) -> Vec<(usize, Inset)> {
        let scene = Scene::of(frame);
        let all = (0..slots.len()).flat_map(|slot| self.0.iter().map(move |it| (slot, it.inset)));
        let is_painted = |(slot, inset): &(usize, Inset)| {
            let at = slots.point(*slot, Some(*inset));
            let Some(index) = scene.component_at(at).filter(|index| !scene.is_ground(*index)) else { return false };
            let it = &scene.components()[index];
            let is_known = self.0.iter().any(|turn| turn.color == it.color);
            !is_known && is_fitting(it.bounds)
        };
        all.filter(is_painted).collect()
    }

    /// How many steps all contents together go with one turn at most.
    pub(super) fn stride(&self) -> u32 {
        self.0.iter().map(|it| stride(&it.around)).max().unwrap_or_default()
    }

    pub(super) fn inset(&self, turn: usize) -> Inset {
        self.0[turn].inset
    }

    /// What the slots hold after a turn around one of them.
    pub(super) fn after(&self, slots: &Slots, now: &[Content], at: usize, turn: usize) -> Option<Vec<Content>> {
        turned(slots, now, at, &self.0.get(turn)?.around)
    }

    /// Whether a turn of this fitting is understood.
    pub(super) fn knows(&self, fitting: Fitting) -> bool {
        self.of(fitting).is_some()
    }
}

/// How many steps all contents together go.
pub(super) fn stride(around: &Ways) -> u32 {
    around.iter().map(|(to, from)| u32::from(to.0.abs_diff(from.0)) + u32::from(to.1.abs_diff(from.1))).sum()
}

/// The same in the other sense.
fn inverse(around: &Ways) -> Ways {
    around.iter().map(|(to, from)| (*from, *to)).collect()
}

/// What comes from where around clicks, if one way explains all of them.
pub(super) fn fit(slots: &Slots, lessons: &[&Lesson]) -> Ways {
    let clicks: Vec<(&Lesson, usize)> = lessons.iter().filter_map(|it| Some((*it, it.clicked(slots)?))).collect();
    let mut ways: Vec<Way> =
        clicks.iter().flat_map(|(it, at)| it.changed.iter().map(|to| slots.way(*at, *to))).collect();
    ways.sort_unstable();
    ways.dedup();
    let explains = |to: Way, from: Way| {
        let mut known =
            clicks.iter().filter_map(|(it, at)| Some((it, slots.beside(*at, to)?, slots.beside(*at, from)?)));
        known.all(|(it, to, from)| it.after[to] == it.before[from])
    };
    let source = |to: Way| {
        let mut sources = ways.iter().filter(|from| explains(to, **from));
        sources.next().filter(|_| sources.next().is_none()).map(|from| (to, *from))
    };
    ways.iter().map(|to| source(*to)).collect::<Option<_>>().unwrap_or_default()
}

/// What lies around a click after it; `None` where that leaves the board.
pub(super) fn turned(slots: &Slots, now: &[Content], at: usize, around: &Ways) -> Option<Vec<Content>> {
    let mut after = now.to_vec();
    for (to, from) in around {
        after[slots.beside(at, *to)?] = now[slots.beside(at, *from)?];
    }
    Some(after)
}
