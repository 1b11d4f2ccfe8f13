//! Places whose colour changes as a whole: switches, lamps, doors, things collected, things that appear.
//!
//! A site is a set of cells that was seen to change from one colour to another while no moving piece explains it. Every
//! component of the same form is taken for a site too. What becomes of it is a law of what was clicked or touched, and
//! where it lies relative to that.

use std::sync::Arc;

use env_client::{Color, Grid};
use rustc_hash::FxHashSet;

use super::{
    cell_set::{CellSet, Patch},
    claim::Claim,
    last::Last,
    law::{Law, mix},
    mover::{Instance, Movers, Moves, Placement},
    plates::{Load, Plates, Stay},
    sprite::{Vector, color_at},
    step::Step,
    view::View,
};
use crate::{Bounds, Component, Scene};

/// Outcome: the colour stays. Others are the next colour plus one.
const SAME: u64 = 0;
/// The most sites of one level; what has more is texture.
const MOST: usize = 160;
/// Features that decide what becomes of a site.
const FEATURES: usize = 12;
/// Those of them that rarely matter: what lies on plates.
const RARE: u16 = 0b11 << 10;

#[derive(Clone, Debug)]
struct Site {
    cells: Vec<Vector>,
    bounds: Bounds,
    form: u64,
}

/// What was done, as far as it concerns sites.
struct Deed {
    number: u64,
    click: Option<Vector>,
    /// The corner of what was clicked, and its kind.
    clicked: (u64, u64),
    /// Colours in the way of controlled pieces, the cells in their way, and where the first of them gets.
    touched: u64,
    strip: CellSet,
    /// Colours that controlled pieces show or take along, and the cells of what they take along.
    own: u32,
    held: CellSet,
    place: u64,
    load: Load,
}

/// Every site of the present level and the law of their colours.
#[derive(Clone, Debug)]
pub(super) struct Sites {
    places: Vec<Site>,
    forms: FxHashSet<u64>,
    law: Law<FEATURES>,
    plates: Plates,
    /// The colour of every site.
    colors: Last<Arc<[Option<Color>]>>,
}

impl Default for Sites {
    fn default() -> Self {
        Sites {
            places: Vec::new(),
            forms: FxHashSet::default(),
            law: Law::with_rare(2, RARE),
            plates: Plates::default(),
            colors: Last::default(),
        }
    }
}

impl Sites {
    /// A level begins: components of known forms are sites.
    pub(super) fn begin(&mut self, frame: &Grid) {
        self.places.clear();
        self.colors = Last::default();
        self.plates.begin(|| Scene::of(frame));
        if !self.forms.is_empty() {
            self.gather(&Scene::of(frame));
        }
    }

    /// What becomes of every site that no piece covers; nothing where so many are texture.
    pub(super) fn expect(&self, view: &View<'_>, movers: &Movers, expected: &Moves) -> Option<Claim> {
        if self.places.is_empty() || self.places.len() > MOST {
            return None;
        }
        let deed = self.deed(view, movers, &expected.placements);
        let mut claim = Claim::by(3);
        let mut weakest: Option<super::law::Verdict> = None;
        let colors = self.colors.or_look(view.frame, || self.places.iter().map(|it| it.color(view.frame)).collect());
        for (site, color) in self.places.iter().zip(colors.iter()) {
            let Some(color) = color.filter(|_| !site.is_held(&deed)) else { continue };
            let Some(verdict) = self.law.ask(|index| site.feature(index, color, &deed)) else { continue };
            if verdict.outcome != SAME {
                let next = Color::ALL[verdict.outcome as usize - 1];
                claim.edits.extend(site.cells.iter().map(|at| (*at, next)));
                claim.rests_on(&verdict);
            }
            if weakest.is_none_or(|it| strength(&verdict) < strength(&it)) {
                weakest = Some(verdict);
            }
        }
        claim.rests_on(&weakest?);
        Some(claim)
    }

    /// Learns from a step; `explained` says which cells moving pieces account for.
    pub(super) fn learn(
        &mut self,
        step: &Step<'_>,
        view: &View<'_>,
        movers: &Movers,
        placements: &[Placement],
        explained: impl Fn(Vector) -> bool,
    ) {
        self.discover(step, &explained);
        if self.places.is_empty() || self.places.len() > MOST {
            return;
        }
        let change = |site: &Site| (site.color(step.before), site.color(step.after));
        let is_news = |site: &Site| matches!(change(site), (Some(before), Some(after)) if before != after);
        let has_changed = self.places.iter().any(|it| is_news(it) && !it.cells.iter().any(|at| explained(*at)));
        self.plates.learn(step, &stays(view, movers, placements), has_changed);
        let deed = self.deed(view, movers, placements);
        for site in self.places.iter().filter(|site| !site.is_held(&deed)) {
            let (Some(before), Some(after)) = change(site) else { continue };
            let outcome = if before == after { SAME } else { after.index() as u64 + 1 };
            if outcome != SAME && site.cells.iter().any(|at| explained(*at)) {
                continue;
            }
            let case: [u64; FEATURES] = std::array::from_fn(|index| site.feature(index, before, &deed));
            self.law.learn(&case, outcome);
        }
    }

    /// Components that changed colour as a whole, and those that came on one colour, are sites. What a piece beside one has of
    /// its colour and keeps, as the key in a hand, is no part of it.
    fn discover(&mut self, step: &Step<'_>, explained: impl Fn(Vector) -> bool) {
        let forms = self.forms.len();
        let is_kept = |at: Vector| color_at(step.before, at) == color_at(step.after, at) && explained(at);
        for (scene, other) in [(step.old, step.after), (step.new, step.before)] {
            let own = if std::ptr::eq(scene, step.old) { step.before } else { step.after };
            for (index, part) in scene.components().iter().enumerate() {
                let center = middle(part);
                if usize::from(part.area) * 4 > own.cells().len() || (explained(center) && !is_kept(center)) {
                    continue;
                }
                let Some(site) = Site::of(scene, index, is_kept) else { continue };
                let changed = site.color(other).is_some_and(|color| color != part.color);
                if changed && !site.cells.iter().any(|at| explained(*at)) {
                    self.forms.insert(site.form);
                    self.add(site);
                }
            }
        }
        if self.forms.len() > forms {
            self.gather(step.old);
        }
    }

    fn gather(&mut self, scene: &Scene) {
        for index in 0..scene.components().len() {
            if let Some(site) = Site::of(scene, index, |_| false).filter(|site| self.forms.contains(&site.form)) {
                self.add(site);
            }
        }
    }

    fn add(&mut self, site: Site) {
        if !self.places.iter().any(|it| it.bounds == site.bounds && it.form == site.form) {
            self.places.push(site);
            self.colors = Last::default();
        }
    }

    fn deed(&self, view: &View<'_>, movers: &Movers, placements: &[Placement]) -> Deed {
        let click = view.click();
        let clicked = click.map_or((0, 0), |at| self.clicked(view, at));
        let controlled: Vec<&Placement> = placements.iter().filter(|it| movers.is_controlled(it.instance)).collect();
        let way: Vec<Vector> = controlled.iter().flat_map(|it| movers.way(it)).collect();
        let colors = way.iter().filter_map(|at| color_at(view.frame, *at));
        let touched = colors.fold(0, |set, color| set | 1 << color.index());
        let place = controlled.first().map_or(0, |it| it.instance.at.plus(it.came).code());
        let sprites = || controlled.iter().map(|it| (movers.sprite(it.instance), it.instance.at));
        let own = sprites().fold(0, |set, (sprite, at)| set | sprite.shown(view, at));
        let bounds: CellSet = sprites().flat_map(|(sprite, at)| sprite.square(at)).collect();
        let others = movers.pieces(view.frame, None).into_iter().filter(|it| !movers.is_controlled(*it));
        let cells = |it: Instance| movers.sprite(it).footprint(it.at);
        let held = others.filter(|it| cells(*it).any(|at| bounds.contains(at))).flat_map(cells).collect();
        let load = self.plates.load(|| stays(view, movers, placements));
        let strip = way.into_iter().collect();
        Deed { number: view.number(), click, clicked, touched, strip, own, held, place, load }
    }

    /// The corner and the kind of what is clicked: a site if there is one, else a component.
    fn clicked(&self, view: &View<'_>, at: Vector) -> (u64, u64) {
        let inside = self.places.iter().find(|site| site.contains(at));
        match (inside, color_at(view.frame, at)) {
            (Some(site), Some(color)) => (site.corner().code(), site.form ^ color.index() as u64),
            _ => Patch::at(view.frame, at, usize::MAX).map_or((0, 0), |patch| (patch.corner().code(), patch.kind())),
        }
    }
}

impl Site {
    /// A component, without the cells that are left out of it; nothing where none is left.
    fn of(scene: &Scene, index: usize, is_left_out: impl Fn(Vector) -> bool) -> Option<Site> {
        let part = &scene.components()[index];
        let inside = part.bounds.points().filter(|at| scene.component_at(*at) == Some(index));
        let cells = inside.map(|at| Vector::new(i16::from(at.x()), i16::from(at.y())));
        let cells: Vec<Vector> = cells.filter(|at| !is_left_out(*at)).collect();
        let patch = Patch { cells: cells.iter().copied().collect(), color: part.color, area: cells.len() };
        let (low, high) = (patch.corner(), cells.iter().copied().reduce(Vector::most)?);
        let [left, top, right, bottom] = [low.x, low.y, high.x, high.y].map(|at| at as u8);
        Some(Site { cells, bounds: Bounds { left, top, right, bottom }, form: patch.form() })
    }

    /// Its colour, if it is of one.
    fn color(&self, frame: &Grid) -> Option<Color> {
        let first = color_at(frame, *self.cells.first()?)?;
        self.cells.iter().all(|at| color_at(frame, *at) == Some(first)).then_some(first)
    }

    fn corner(&self) -> Vector {
        Vector::new(i16::from(self.bounds.left), i16::from(self.bounds.top))
    }

    fn contains(&self, at: Vector) -> bool {
        self.bounds.contains(at.x as u8, at.y as u8)
    }

    fn feature(&self, index: usize, color: Color, deed: &Deed) -> u64 {
        match index {
            0 => self.relation(deed),
            1 => color.index() as u64,
            2 => deed.number,
            3 => self.form,
            4 => deed.clicked.1,
            5 => self.corner().code(),
            6 => deed.clicked.0 << 32 | deed.place,
            7 => u64::from(self.is_touched(deed)) << 1 | u64::from(deed.click.is_some()),
            8 => deed.touched,
            9 => self.affinity(color, deed),
            10 => self.under_load(color, deed.load.some),
            _ => self.under_load(color, deed.load.all),
        }
    }

    /// Whether a piece takes it along.
    fn is_held(&self, deed: &Deed) -> bool {
        self.cells.iter().all(|at| deed.held.contains(*at))
    }

    fn is_touched(&self, deed: &Deed) -> bool {
        self.cells.iter().any(|at| deed.strip.contains(*at))
    }

    /// Whether it is touched by what has or holds something of its colour, as a key opens the door of its colour: what is
    /// seen of one colour holds for all.
    fn affinity(&self, color: Color, deed: &Deed) -> u64 {
        let is_own = u64::from(deed.own >> color.index() & 1);
        if self.is_touched(deed) { mix(self.form ^ is_own) } else { 0 }
    }

    /// How it looks while this lies on plates.
    fn under_load(&self, color: Color, load: u64) -> u64 {
        mix(mix(self.form ^ color.index() as u64) ^ load)
    }

    /// How it lies to what is clicked; one number wherever there is no click.
    fn relation(&self, deed: &Deed) -> u64 {
        match deed.click {
            None => u64::MAX,
            Some(at) if self.contains(at) => 0,
            Some(_) => self.corner().minus(Vector::from_code(deed.clicked.0)).code() + 1,
        }
    }
}

/// Where pieces are, and get: those of which nothing is expected stay.
fn stays(view: &View<'_>, movers: &Movers, placements: &[Placement]) -> Vec<Stay> {
    let size = |it: Instance| movers.sprite(it).size;
    let placed = placements.iter().map(|it| Stay { from: it.instance.at, to: it.end().at, size: size(it.instance) });
    let is_placed = |it: &Instance| placements.iter().any(|other| other.instance.at == it.at);
    let others = movers.pieces(view.frame, None).into_iter().filter(|it| !is_placed(it));
    placed.chain(others.map(|it| Stay { from: it.at, to: it.at, size: size(it) })).collect()
}

fn strength(verdict: &super::law::Verdict) -> u32 {
    if verdict.rank > 3 { 0 } else { verdict.seen.saturating_sub(4 * verdict.refuted) }
}

fn middle(part: &Component) -> Vector {
    Vector::new(i16::from(part.center.x()), i16::from(part.center.y()))
}
