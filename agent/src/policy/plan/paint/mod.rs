//! The skill of painting: a brush that keys move, a key that paints with it, and a picture of what the canvas is meant to
//! become.
//!
//! # Layout
//! - [`Paint`] (here): what to do next; believed once a key painted a rectangle of which another one can be a picture.
//! - [`easel`]: the canvas and its picture; [`studio`]: what the steps of a play tell of them;
//!   [`brush`]: what is painted from where; [`layers`]: in which order.

mod brush;
pub(super) mod easel;
pub(super) mod layers;
mod studio;

use env_client::{Action, ActionId, ActionSet, Color, Grid, Key, Point};
use world_model::{InterfaceMask, Scene, Start, Transition};

use self::{
    brush::{Pose, Told},
    easel::Easel,
    layers::{Layer, Supply},
    studio::{Record, Studio, Tool, UNDO, Way},
};
use super::{
    ledger::TIER,
    skill::{Move, Proposal, Skill},
};

/// Painting, and learning how to where that is not known, come before what others would try: a key that paints beside a
/// picture is rarely there for anything else. Guesses.
const KNOWN: f32 = -TIER;
const LEARNING: f32 = 0.0;
/// Actions of this skill in one level before the rest is left to others. A guess.
const PATIENCE: u32 = 120;
/// Proposals of one level that are only made to learn. A guess.
const CURIOSITY: u32 = 24;
/// What a place counts to which no way is known, in actions. A guess.
const FAR: usize = 8;
/// Steps remembered: more than a level of this kind takes.
const RECORDS: usize = 240;
/// Cells that the first stroke changes at least: fewer may be anything. A guess.
const STROKE: usize = 4;

/// Makes a canvas like its picture.
#[derive(Debug, Default)]
pub(super) struct Paint {
    /// The canvas of this level, and the last one that a stroke was seen on.
    easel: Option<Easel>,
    proven: Option<Easel>,
    records: Vec<Record>,
    /// How the level began.
    first: Option<Grid>,
    /// The colour that the next stroke is believed to have.
    ink: Option<Color>,
    /// Colours that cannot be had in this level, a set of indices.
    dry: u16,
    /// The stroke under way: after how many more actions it comes, and its colour.
    pending: Option<(usize, Color)>,
    /// The proposal made last: its actions, the colour of its stroke, and whether it is made to learn.
    offered: Option<(usize, Option<Color>, bool)>,
    /// Actions proposed in this level, and proposals made to learn.
    spent: u32,
    learned: u32,
}

/// What to do next.
struct Offer {
    actions: Vec<Action>,
    goal: String,
    score: f32,
    /// The colour of the stroke that it ends with, if one does.
    stroke: Option<Color>,
}

impl Offer {
    fn new(actions: Vec<Action>, goal: &str, score: f32) -> Offer {
        Offer { actions, goal: goal.to_owned(), score, stroke: None }
    }

    fn key(id: ActionId, goal: &str) -> Option<Offer> {
        Some(Offer::new(vec![key(id)?], goal, LEARNING))
    }
}

fn key(id: ActionId) -> Option<Action> {
    Key::from_id(id).map(Action::Key)
}

/// A colour to paint with, and where to click to get it.
type Ink = (Color, Option<Point>);

impl Paint {
    /// Whether a step shows a canvas being painted, and which one: the smallest that holds most of what changed. What takes back
    /// is no brush.
    fn discover(step: &Transition<'_>, after: &Grid, mask: &InterfaceMask) -> Option<Easel> {
        let changed: Vec<Point> = step.before.differences(after)?.filter(|at| !mask.hides(*at)).collect();
        if step.action.point().is_some() || step.action.id() == UNDO || changed.len() < STROKE {
            return None;
        }
        let is_painted = |it: &Easel| {
            let inside = changed.iter().filter(|at| it.canvas.contains(at.x(), at.y())).count();
            let (old, new) = (it.painted(step.before, None), it.painted(after, None));
            let color = studio::stroke(&old, &new);
            let is_shown = color.is_some_and(|color| it.palette(step.before) >> color.index() & 1 == 1);
            is_shown && inside >= STROKE && 2 * inside >= changed.len()
        };
        let easels = Easel::all(step.before).into_iter().filter(is_painted);
        easels.min_by_key(|it| (it.area(), it.scale()))
    }

    /// The canvas of a level that begins, if one like the last one is there.
    fn find(&self, frame: &Grid) -> Option<Easel> {
        let proven = self.proven?;
        let alike = Easel::all(frame).into_iter().filter(|it| it.scale() == proven.scale());
        alike.min_by_key(|it| (it.canvas != proven.canvas, it.picture != proven.picture))
    }

    /// How many strokes of each colour are left, where the level began with tallies of them.
    fn supply(&self, studio: &Studio<'_>, frame: &Grid) -> Supply {
        let began = self.first.as_ref().is_some_and(|first| studio.supply(first).iter().any(|it| *it > 0));
        if began { studio.supply(frame) } else { layers::ENDLESS }
    }

    /// The colours that can be had, and how.
    fn inks(&self, studio: &Studio<'_>, frame: &Grid, actions: ActionSet) -> Vec<Ink> {
        let supply = self.supply(studio, frame);
        let is_left = |it: &Color| self.dry >> it.index() & 1 == 0 && supply[it.index()] > 0;
        let palette = studio.easel.palette(frame) & !self.dry;
        let now = self.ink.or_else(|| studio.dipped(frame));
        let mut inks: Vec<Ink> = now.into_iter().filter(is_left).map(|it| (it, None)).collect();
        if actions.contains(ActionId::Action6) {
            let wells = wells(studio, frame, palette);
            let only = now.is_none() && wells.len() == 1;
            let others = wells.into_iter().filter(|(color, _)| Some(*color) != now && is_left(color));
            inks.extend(others.map(|(color, at)| (color, (!only).then_some(at))));
        }
        inks
    }

    fn next(&self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Offer> {
        let easel = self.easel.filter(|_| self.spent < PATIENCE)?;
        let studio = Studio::of(easel, mask, frame, &self.records);
        let (now, wanted) = (studio.painted(frame), easel.wanted(frame));
        if now == wanted {
            return None;
        }
        let reachable = studio.reachable(&studio.pose(frame));
        let inks = self.inks(&studio, frame, actions);
        let supply = self.supply(&studio, frame);
        let task = Task { studio: &studio, frame, now: &now, reachable: &reachable, inks: &inks, supply, actions };
        let strict: Vec<Option<Color>> = wanted.iter().map(|it| Some(*it)).collect();
        let loose = without_edges(&wanted, usize::from(easel.canvas.width()));
        for wanted in [strict, loose] {
            match task.order(&wanted) {
                Some(order) if order.is_empty() => return None,
                Some(order) => {
                    if let Some(offer) = task.first(&order) {
                        return Some(offer);
                    }
                }
                None => {}
            }
        }
        let is_soiled = self.first.as_ref().is_some_and(|first| studio.painted(first) != now);
        task.experiment(is_soiled).filter(|_| self.learned < CURIOSITY)
    }
}

/// From where, with what and in which colour to paint.
type Stroke = (Pose, Tool, Ink);

/// Strokes that lead to a picture: how many, and those that may come first.
struct Order {
    first: Vec<Stroke>,
    strokes: usize,
}

impl Order {
    /// Whether there is nothing to paint.
    const fn is_empty(&self) -> bool {
        self.strokes == 0
    }
}

/// A canvas as it is, and what can be done about it.
struct Task<'a> {
    studio: &'a Studio<'a>,
    frame: &'a Grid,
    now: &'a [Color],
    reachable: &'a [Way],
    inks: &'a [Ink],
    supply: Supply,
    actions: ActionSet,
}

impl Task<'_> {
    /// All tools that can be used.
    fn tools(&self) -> impl Iterator<Item = Tool> {
        let can = |tool: &Tool| match tool {
            Tool::Key(id) => self.actions.contains(*id),
            Tool::Part(_) => self.actions.contains(ActionId::Action6),
        };
        self.studio.painting.iter().copied().filter(can)
    }

    /// How to use a tool on what is seen now.
    fn action(&self, tool: Tool) -> Option<Action> {
        match tool {
            Tool::Key(id) => key(id),
            Tool::Part(_) => {
                let parts = self.studio.parts(self.frame);
                parts.into_iter().find(|(it, _)| *it == tool).map(|(_, at)| Action::Click(at))
            }
        }
    }

    /// The strokes that lead to a picture; `None` where nobody knows how it comes about.
    fn order(&self, wanted: &[Option<Color>]) -> Option<Order> {
        let imagined = self.studio.imagined(self.reachable);
        let poses = || self.reachable.iter().map(|(pose, _)| pose).chain(&imagined);
        let mut strokes: Vec<Stroke> = Vec::new();
        let mut layers: Vec<Layer> = Vec::new();
        for (tool, pose) in self.tools().flat_map(|tool| poses().map(move |pose| (tool, pose))) {
            let cells: Vec<bool> = self.studio.paints(tool, pose).iter().map(|it| *it == Some(true)).collect();
            if cells.contains(&true) {
                strokes.extend(self.inks.iter().map(|ink| (pose.clone(), tool, *ink)));
                layers.extend(self.inks.iter().map(|(color, _)| Layer::plain(&cells, *color)));
            }
        }
        let order = layers::order(self.now, wanted, &layers, &self.supply)?;
        let first = layers::first(&order, self.now, &layers).into_iter().map(|it| strokes[it].clone());
        Some(Order { first: first.collect(), strokes: order.len() })
    }

    /// The actions that lead to the nearest of the strokes that may come first.
    fn first(&self, order: &Order) -> Option<Offer> {
        let (pose, tool, ink) = order.first.iter().min_by_key(|(pose, _, ink)| self.cost(pose, *ink))?;
        let goal = format!("paint like the picture in {}, {} strokes", ink.0, order.strokes);
        self.paint(pose, *tool, *ink, Offer::new(Vec::new(), &goal, KNOWN))
    }

    /// About how many actions come before a stroke.
    fn cost(&self, pose: &Pose, (_, well): Ink) -> usize {
        let way = self.reachable.iter().find(|(it, _)| it == pose).map(|(_, way)| way.len());
        way.unwrap_or(FAR) + usize::from(well.is_some())
    }

    /// The actions to a stroke from a pose, as far as they are known.
    fn paint(&self, pose: &Pose, tool: Tool, (color, well): Ink, offer: Offer) -> Option<Offer> {
        let dip = well.map(Action::Click);
        let (way, is_known) = match self.reachable.iter().find(|(it, _)| it == pose) {
            Some((_, way)) => (way.clone(), true),
            None => (self.studio.towards(self.reachable, pose)?, false),
        };
        let is_near = way.is_empty() || matches!(tool, Tool::Key(_));
        let last = if is_known && is_near { self.action(tool) } else { None };
        let actions: Vec<Action> = dip.into_iter().chain(way).chain(last).collect();
        Some(Offer { actions, stroke: last.map(|_| color), ..offer }).filter(|it| !it.actions.is_empty())
    }

    /// Something to learn from where nobody knows how to go on: what was never tried, a stroke from where its cells are not
    /// known, or a key; but where something was painted that can be taken back, that comes before strokes.
    fn experiment(&self, is_soiled: bool) -> Option<Offer> {
        let (studio, actions) = (self.studio, self.actions);
        let mut keys = actions.iter().filter(|it| *it != ActionId::Action6 && *it != UNDO);
        if let Some(new) = keys.find(|it| !studio.knows(Tool::Key(*it))) {
            return Offer::key(new, "see what a key does to the brush");
        }
        let mut undo = studio.undoing.iter().copied().chain([UNDO]).filter(|it| actions.contains(*it));
        if let Some(undo) = undo.next().filter(|_| is_soiled) {
            return Offer::key(undo, "take back the last stroke");
        }
        self.unknown_stroke().or_else(|| self.new_part()).or_else(|| self.new_place()).or_else(|| self.new_thing())
    }

    /// A stroke from the nearest place from where it is not known what a key paints.
    fn unknown_stroke(&self) -> Option<Offer> {
        let keys = || self.tools().filter(|it| matches!(it, Tool::Key(_)));
        let unknown = self.reachable.iter().flat_map(|(pose, _)| keys().map(move |tool| (pose, tool)));
        let mut shown = unknown.filter_map(|(pose, tool)| {
            Some((pose, tool, most_visible(&self.studio.paints(tool, pose), self.now, self.inks)?))
        });
        let (pose, tool, ink) = shown.next()?;
        self.paint(
            pose,
            tool,
            ink,
            Offer::new(Vec::new(), "see what is painted from where that is not known", LEARNING),
        )
    }

    /// A click on a part of the brush that was never clicked.
    fn new_part(&self) -> Option<Offer> {
        let parts = self.studio.parts(self.frame);
        let (_, at) = parts.into_iter().find(|(tool, _)| !self.studio.knows(*tool))?;
        let can_click = self.actions.contains(ActionId::Action6);
        can_click.then(|| Offer::new(vec![Action::Click(at)], "see what a part of the brush does", LEARNING))
    }

    /// Where the brush was never seen.
    fn new_place(&self) -> Option<Offer> {
        let goal = self.studio.imagined(self.reachable).into_iter().next()?;
        let way = self.studio.towards(self.reachable, &goal)?;
        Some(Offer::new(way, "see where the brush can go", LEARNING))
    }

    /// A click on a thing beside the canvas of a look that was never clicked: it may choose another brush.
    fn new_thing(&self) -> Option<Offer> {
        let at = self.studio.strangers(self.frame).into_iter().next()?;
        let can_click = self.actions.contains(ActionId::Action6);
        can_click.then(|| Offer::new(vec![Action::Click(at)], "see what a thing beside the canvas does", LEARNING))
    }
}

/// The colour in which most of what a stroke is not known to paint would be seen; `None` where nothing would.
fn most_visible(told: &Told, now: &[Color], inks: &[Ink]) -> Option<Ink> {
    let shown = |ink: &Ink| now.iter().zip(told).filter(|(now, told)| told.is_none() && **now != ink.0).count();
    inks.iter().copied().rev().max_by_key(shown).filter(|ink| shown(ink) > 0)
}

/// What is wanted but at the edges between colours, where pictures may be drawn otherwise than painted.
fn without_edges(wanted: &[Color], width: usize) -> Vec<Option<Color>> {
    let is_edge = |index: usize| {
        let right = (index % width + 1 < width).then(|| wanted[index + 1]);
        let left = (!index.is_multiple_of(width)).then(|| wanted[index - 1]);
        let (above, below) = (index.checked_sub(width).map(|it| wanted[it]), wanted.get(index + width).copied());
        [left, right, above, below].into_iter().flatten().any(|it| it != wanted[index])
    };
    wanted.iter().enumerate().map(|(index, it)| (!is_edge(index)).then_some(*it)).collect()
}

/// Where to click for each colour of a palette: the widest thing of it beside canvas, picture and brush.
fn wells(studio: &Studio<'_>, frame: &Grid, palette: u16) -> Vec<(Color, Point)> {
    let scene = Scene::of(frame);
    let wells: Vec<_> = studio.beside(&scene).filter(|it| palette >> it.color.index() & 1 == 1).collect();
    let colors = Color::ALL.into_iter().filter_map(|color| {
        let own = wells.iter().filter(|it| it.color == color);
        let widest = own.max_by_key(|it| (it.bounds.width().min(it.bounds.height()), it.area))?;
        Some((color, widest.center))
    });
    colors.collect()
}

impl Skill for Paint {
    fn name(&self) -> &'static str {
        "paint"
    }

    fn begin(&mut self, frame: &Grid, _mask: &InterfaceMask, start: Start) {
        (self.ink, self.pending, self.dry) = (None, None, 0);
        self.first = Some(frame.clone());
        if start == Start::Level {
            (self.spent, self.learned) = (0, 0);
            self.easel = self.find(frame);
            if self.easel.map(|it| it.canvas) != self.proven.map(|it| it.canvas) {
                self.records.clear();
            }
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let pending = self.pending.take().map(|(steps, color)| (steps - 1, color));
        self.pending = pending.filter(|(steps, _)| *steps > 0);
        let pending = pending.filter(|(steps, _)| *steps == 0).map(|(_, color)| color);
        let Some(after) = step.after() else { return };
        if self.records.len() == RECORDS {
            self.records.remove(0);
        }
        self.records.push(Record { before: step.before.clone(), action: step.action, after: after.clone() });
        if self.easel.is_none() {
            self.easel = Paint::discover(step, after, mask);
            self.proven = self.easel.or(self.proven);
        }
        let Some(easel) = self.easel else { return };
        let studio = Studio::of(easel, mask, after, &self.records);
        let color = studio::stroke(&studio.painted(step.before), &studio.painted(after));
        let tool = studio.tool(step.before, step.action).filter(|it| studio.painting.contains(it));
        match (color.filter(|_| tool.is_some()), step.action) {
            (Some(color), _) => {
                self.ink = Some(color);
                self.dry |= pending.filter(|it| *it != color).map_or(0, |it| 1 << it.index());
            }
            (None, Action::Click(at)) if pending.is_none() => {
                let seen = step.before.differences(after).into_iter().flatten().any(|it| !mask.hides(it));
                let is_well = |color| wells(&studio, step.before, 1 << Color::index(color)).contains(&(color, at));
                let well = step.before.get(at).filter(|color| is_well(*color));
                self.clicked(well, seen);
            }
            // What else was taken back is not known.
            _ if studio.undoing.contains(&step.action.id()) => self.ink = None,
            (None, _) => self.dry |= pending.map_or(0, |it| 1 << it.index()),
        }
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        let Offer { actions, goal, score, stroke } = self.next(frame, mask, actions)?;
        self.offered = Some((actions.len(), stroke, score > KNOWN));
        let steps = actions.into_iter().map(|action| Move { action, expected: None }).collect();
        Some(Proposal { steps, goal, score })
    }

    fn taken_up(&mut self) {
        let Some((steps, stroke, learns)) = self.offered.take() else { return };
        self.spent += steps as u32;
        self.learned += u32::from(learns);
        self.pending = stroke.map(|color| (steps, color));
    }
}

impl Paint {
    /// A click for a colour chooses that, unless nothing came of it and another one was chosen.
    fn clicked(&mut self, well: Option<Color>, answers: bool) {
        let Some(color) = well else { return };
        if self.ink.is_none() || answers {
            self.ink = Some(color);
        } else if self.ink != Some(color) {
            self.dry |= 1 << color.index();
        }
    }
}

#[cfg(test)]
mod tests;
