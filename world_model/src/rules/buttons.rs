//! Buttons: what a click leaves as it is while something else moves. Each is an action of its own, as a key is.
//!
//! Clicks all have one number in the protocol. What is clicked decides what they do, so each button gets a number beyond
//! those of the keys, by which pieces learn where it takes them. Where more than a few things answer so, they are no
//! buttons but a board.

use env_client::{Action, Color, Grid, Point};

use super::Rules;
use crate::{Bounds, Component, InterfaceMask, Scene, Start, Transition};

/// The number of the first button: those before it are the protocol's.
const FIRST: u64 = 8;
/// Numbers of actions in one play: buttons of all levels, and what is in the protocol. When they are used up, further buttons
/// are clicks like others. A guess: ten levels of eight.
pub(super) const NUMBERS: usize = 96;
/// Buttons of one level: more are a board, and fewer are levers, which are pressed on for what they bring. Guesses.
const MOST: usize = 12;
const FEWEST: usize = 3;
/// Presses in vain, at different places of the pieces, after which a button does nothing. A guess.
const TRIES: usize = 3;
/// The largest button, in cells, and how far it may reach. Guesses.
const LARGE: u16 = 150;
const LONGEST: u8 = 16;

/// Whether it is the number of a button.
pub(super) const fn is_button(number: u64) -> bool {
    number >= FIRST
}

/// What the number of an action stands for, in words.
pub(super) const fn kind_of(number: u64) -> &'static str {
    if is_button(number) { "button" } else { "action" }
}

/// Of one value for each number those of the keys that are arrows in most games and of buttons.
pub(super) fn directed<T>(of: &[T; NUMBERS]) -> impl Iterator<Item = &T> {
    of[1..=4].iter().chain(&of[FIRST as usize..])
}

/// One of them.
#[derive(Clone, Debug)]
struct Button {
    bounds: Bounds,
    at: Point,
    picture: Vec<Color>,
    number: u64,
    /// Whether it is from an earlier level, and did there what is expected of it here.
    is_carried: bool,
    /// What was seen when it was pressed and nothing moved, [`TRIES`] frames at most; nothing in it where it was not pressed. `None` once it moved
    /// something, or was carried over from where it did.
    vain: Option<Vec<Grid>>,
}

impl Button {
    /// Whether a press here may tell what it does: nobody knows that yet, and it was not pressed in vain here, nor too often.
    fn is_untried(&self, frame: &Grid, mask: &InterfaceMask) -> bool {
        let is_here = |it: &Grid| it.differences(frame).is_some_and(|mut cells| cells.all(|at| mask.hides(at)));
        self.vain.as_ref().is_some_and(|vain| vain.len() < TRIES && !vain.iter().any(is_here))
    }

    /// It was pressed where this was seen.
    fn pressed(&mut self, before: &Grid, mask: &InterfaceMask, moves: bool) {
        let is_new = self.is_untried(before, mask);
        match &mut self.vain {
            vain if moves => *vain = None,
            Some(vain) if is_new => vain.push(before.clone()),
            _ => {}
        }
    }

    fn is_in(&self, frame: &Grid) -> bool {
        picture(frame, self.bounds).eq(self.picture.iter().copied())
    }
}

/// What a button looks like from afar: the colour of most of it, and how wide and high it is.
type Look = (Color, u8, u8);

/// The buttons of a level.
#[derive(Clone, Debug)]
pub(super) struct Buttons {
    found: Vec<Button>,
    /// What those of all levels look like.
    looks: Vec<Look>,
    next: u64,
    is_board: bool,
    is_left_out: bool,
}

impl Default for Buttons {
    fn default() -> Self {
        Buttons { found: Vec::new(), looks: Vec::new(), next: FIRST, is_board: false, is_left_out: false }
    }
}

impl Rules {
    /// The same, taking no click for a button.
    #[must_use]
    pub fn without_buttons(self) -> Rules {
        Rules { buttons: Buttons { is_left_out: true, ..self.buttons }, ..self }
    }
}

impl Buttons {
    /// A level begins, or begins again: what is where it was is the same button, and what looks like one may be one.
    pub(super) fn begin(&mut self, frame: &Grid, start: Start) {
        if start == Start::Again {
            return;
        }
        self.found.retain(|it| it.is_in(frame));
        self.found.iter_mut().for_each(|it| it.is_carried = it.vain.is_none());
        self.is_board = false;
        if !self.looks.is_empty() {
            self.look(frame, &Scene::of(frame));
        }
    }

    /// An action did something else than was expected: what buttons did in earlier levels says nothing of this one.
    pub(super) fn mistook(&mut self, action: Action) {
        let mistaken = self.number(action);
        if self.found.iter().any(|it| it.is_carried && it.number == mistaken) {
            let fresh = self.next..NUMBERS as u64;
            for (it, number) in self.found.iter_mut().filter(|it| it.is_carried).zip(fresh) {
                let vain = Some(Vec::new()).filter(|_| it.number != mistaken);
                (it.number, it.is_carried, it.vain) = (number, false, vain);
                self.next = number + 1;
            }
        }
    }

    /// The number of an action: the protocol's, or a button's.
    pub(super) fn number(&self, action: Action) -> u64 {
        let own = action.point().and_then(|at| self.found.iter().find(|it| it.bounds.contains(at.x(), at.y())));
        own.map_or(u64::from(action.id().number()), |it| it.number)
    }

    /// The buttons that are seen in a frame, if there are enough in the level.
    fn seen<'a>(&'a self, frame: &'a Grid) -> impl Iterator<Item = &'a Button> {
        self.found.iter().filter(|it| self.found.len() >= FEWEST && it.is_in(frame))
    }

    /// A click on each button that is seen in a frame.
    pub(super) fn clicks<'a>(&'a self, frame: &'a Grid) -> impl Iterator<Item = Action> {
        self.seen(frame).map(|it| Action::Click(it.at))
    }

    /// Those of which a press here may tell what they do.
    pub(super) fn untried<'a>(&'a self, frame: &'a Grid, mask: &'a InterfaceMask) -> impl Iterator<Item = Action> {
        self.seen(frame).filter(|it| it.is_untried(frame, mask)).map(|it| Action::Click(it.at))
    }

    /// Learns whether what was clicked is one.
    pub(super) fn learn(
        &mut self,
        step: &Transition<'_>,
        after: &Grid,
        (old, new): (&Scene, &Scene),
        mask: &InterfaceMask,
    ) {
        let Some(at) = step.action.point().filter(|_| !self.is_board && !self.is_left_out) else { return };
        let mut known = self.found.iter_mut().filter(|it| it.bounds.contains(at.x(), at.y())).peekable();
        if known.peek().is_some() {
            return known.for_each(|it| it.pressed(step.before, mask, moves(old, new, it.bounds)));
        }
        let Some(part) = whole(old, at) else { return };
        let (bounds, stays) = (part.bounds, picture(step.before, part.bounds).eq(picture(after, part.bounds)));
        if stays && moves(old, new, bounds) {
            let look = look(part);
            if !self.looks.contains(&look) {
                self.looks.push(look);
            }
            self.found.retain(|it| it.bounds.overlap(bounds) == 0);
            self.add(step.before, bounds, at, None);
            self.look(after, new);
        }
    }

    /// Takes what looks like a button for one.
    fn look(&mut self, frame: &Grid, scene: &Scene) {
        let alike: Vec<(Bounds, Point)> = scene
            .components()
            .iter()
            .filter(|it| {
                self.looks.contains(&look(it)) && self.found.iter().all(|known| known.bounds.overlap(it.bounds) == 0)
            })
            .map(|it| (it.bounds, it.center))
            .collect();
        for (bounds, at) in alike {
            self.add(frame, bounds, at, Some(Vec::new()));
        }
    }

    fn add(&mut self, frame: &Grid, bounds: Bounds, at: Point, vain: Option<Vec<Grid>>) {
        if self.is_board || self.next >= NUMBERS as u64 {
            return;
        }
        if self.found.len() == MOST {
            self.is_board = true;
            return self.found.clear();
        }
        let picture = picture(frame, bounds).collect();
        self.found.push(Button { bounds, at, picture, number: self.next, is_carried: false, vain });
        self.next += 1;
    }
}

/// Whether anything moved but what lies within these bounds.
fn moves(old: &Scene, new: &Scene, bounds: Bounds) -> bool {
    let is_elsewhere = |it: &Component| it.area <= LARGE && it.bounds.union(bounds) != bounds;
    old.shifted(new).into_iter().any(|(it, _)| is_elsewhere(it))
}

fn look(it: &Component) -> Look {
    (it.color, it.bounds.width(), it.bounds.height())
}

/// What is clicked or, if that is drawn on something, the largest thing around it; nothing where that is large.
fn whole(scene: &Scene, at: Point) -> Option<&Component> {
    let is_small = |it: &&Component| it.area <= LARGE && it.bounds.width() <= LONGEST && it.bounds.height() <= LONGEST;
    let parts = scene.components();
    scene.component_at(at).map(|index| &parts[index]).filter(is_small)?;
    let around = parts.iter().filter(is_small).filter(|it| it.bounds.contains(at.x(), at.y()));
    around.max_by_key(|it| u16::from(it.bounds.width()) * u16::from(it.bounds.height()))
}

fn picture(frame: &Grid, bounds: Bounds) -> impl Iterator<Item = Color> {
    bounds.points().map(|at| frame[at])
}
