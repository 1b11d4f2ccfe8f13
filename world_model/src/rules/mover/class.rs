//! Pieces that look alike, and what is known about how they move.

mod drift;
mod facing;
mod finding;
mod gait;
mod guess;
mod lessons;
mod looks;
mod obedience;
mod turns;

use env_client::{Color, Grid};
use rustc_hash::FxHashMap;

use self::{drift::Drift, facing::Facing, gait::Gait, turns::Turns};
use super::{
    attempt::{ATTEMPT, Attempt, ENTERED, NOVEL, NOVELTY},
    drive::{ALIGNED, BEHIND, BESIDE, Drive, WITHIN},
    heed::Heeds,
    patrol::Patrol,
    rays::Rays,
    strip,
};
use crate::rules::{
    buttons::{NUMBERS, directed, kind_of},
    law::{Law, Verdict},
    sprite::{Sprite, Vector},
    view::View,
};

/// Outcome of a gate: the piece gets where it means to.
pub(super) const GO: u64 = 1;
/// Outcome of a gate: the piece stays.
pub(super) const STAY: u64 = 0;
/// Above this, an outcome of a gate is the displacement that came instead.
const ELSE: u64 = 1 << 40;
/// An intent: what the piece that pushes or pulls this one does.
const WITH: u64 = 1 << 41;

/// An intent: around the piece that this one lies beside.
const AROUND: u64 = WITH + 1;

/// An intent: to where the piece looks.
const FORTH: u64 = WITH + 2;

/// Above this, an intent is a place relative to the clicked cell.
const CLICK: u64 = 1 << 42;

/// Any company.
const ANYONE: u64 = u64::MAX;

/// What stands behind a piece that is asleep.
const ASLEEP: Verdict = Verdict { outcome: 0, seen: RESTS, refuted: 0, features: 0, rank: 0 };

/// Poses that are kept; the last one makes room for a new one.
const POSES: usize = 32;

/// More pieces of one picture than this are texture.
pub(super) const CROWD: usize = 24;

/// Where a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) struct Instance {
    pub(in crate::rules) class: usize,
    pub(in crate::rules) pose: usize,
    pub(in crate::rules) at: Vector,
    /// How many of its class come before it, column after column, and how many there are: what tells mirrored twins apart.
    pub(in crate::rules) rank: u8,
    pub(in crate::rules) of: u8,
}

/// How a piece that answers to actions meets one that goes its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    /// Both come to one place.
    OnePlace,
    /// Each comes to where the other one was.
    Crossing,
    /// It comes to where the other one was, which went elsewhere.
    Following,
}

/// What decides where a piece means to go.
pub(super) struct Wish<'a> {
    pub(super) view: &'a View<'a>,
    pub(super) instance: Instance,
    pub(super) drive: Drive,
    pub(super) last: Vector,
}

/// Features that decide where a piece means to go.
const WISH: usize = 9;
/// Three of them: what is done, and what was done before, since few games answer late.
const ACTION: u16 = 0b1;
const LATE: u16 = 0b110_0000;
/// The action and the pose, either of which makes a piece one that is led, and where it went before, which does not.
const LEADS: u16 = 0b1_1001;
const BEFORE: u16 = 0b1000;
/// Features that decide how a piece looks afterwards, and how many of them at most.
const TURN: usize = 7;
const TURN_ATOMS: u32 = 3;
/// How often a piece of one look must have stayed while another one went, and never gone, to be taken for asleep; once
/// if it was ever painted over.
const RESTS: u32 = 2;
/// An action without a direction seldom moves what it moved in less than this share of at least so many tries. Guesses.
const SELDOM: u32 = 4;
const TRIED: u32 = 6;
/// The other features of a case that was never seen.
const HABIT: u64 = u64::MAX;

impl Wish<'_> {
    fn feature(&self, index: usize) -> u64 {
        match index {
            0 => self.view.number(),
            1 => self.drive.relation,
            2 => u64::from(self.instance.rank) << 8 | u64::from(self.instance.of),
            3 => self.last.code(),
            4 => self.instance.pose as u64,
            5 => self.view.deeds.ago(1),
            6 => self.view.deeds.ago(2),
            7 => self.view.company,
            _ => self.drive.look,
        }
    }

    fn case(&self) -> [u64; WISH] {
        std::array::from_fn(|index| self.feature(index))
    }
}

/// What holds in most games and is believed of a new piece as if it had been seen: pieces go where they went before,
/// and are stopped by what is new. Twice, which makes it worth a condition from the beginning.
const HABITS: [(u64, u64); 4] = [(ENTERED, GO), (NOVEL, STAY), (ENTERED, GO), (NOVEL, STAY)];

/// What is believed of every new piece: where it goes depends on the action. No action has these numbers.
const OBEDIENCE: [(u64, u64); 2] = [(HABIT, HABIT), (HABIT - 1, HABIT - 1)];

/// The laws of [`Class::turn`], which know nothing yet.
fn turn_laws() -> [Law<TURN>; 3] {
    std::array::from_fn(|_| Law::new(TURN_ATOMS))
}

/// Pieces that look alike.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) poses: Vec<Sprite>,
    intent: Law<WISH>,
    gate: Law<ATTEMPT>,
    /// The first of the poses that each is the same as but for a turn or a reflection.
    forms: Vec<usize>,
    /// What becomes of its look after an arrow that moves it, after one that does not, and after another action, by action,
    /// pose before, whether it moves, whether it is clicked, what lies ahead or what it is taken onto, the form before, and how
    /// an arrow lies to where it looks.
    turn: [Law<TURN>; 3],
    /// What was seen to come of actions without a direction, whichever way a piece is turned.
    turns: Turns,
    /// Where pieces of each pose look.
    facing: Facing,
    /// The pose that came of the same case in the same company while it stayed.
    looks: FxHashMap<([u64; TURN], u64), usize>,
    /// How often it went in each pose, and how often it stayed while another piece went.
    rests: Vec<(u32, u32)>,
    /// Whether it was seen to be painted over where it is.
    pub(super) painted: bool,
    /// Whether its pictures are laid around the point about which it turns.
    is_laid: bool,
    /// How it goes by arrows, and by other actions.
    gaits: [Gait; 2],
    /// How it keeps its motion, if it does.
    drift: Drift,
    pub(super) patrol: Patrol,
    pub(super) heeds: Heeds,
    pub(super) rays: Rays,
    /// By colour, how much more often it was seen there than it went under it.
    shown: [i32; Color::COUNT],
    /// Per action: how often it moved, and how often it was tried.
    pub(super) moved: [(u32, u32); NUMBERS],
    /// In how many observations it was driven, and how often it moved on its own account.
    pub(super) driven: u32,
    pub(super) free: u32,
    /// How often it followed a piece that went away from it.
    pulled: u32,
    /// How often one within the rectangle around another went along.
    carried: u32,
    /// How often it did not.
    left: u32,
    /// What pieces beside it looked like with which it went along, or around which, and whether they looked at it.
    holders: Vec<u64>,
    /// How often it went on by itself when it was pushed.
    flown: u32,
    /// How often another piece came to lie on it although it stayed, and how often it stopped one.
    passed: u32,
    held: u32,
    /// How often pieces were lost that met it so, and how often they were not.
    meetings: [(u32, u32); 3],
    /// Colours it has entered.
    pub(super) entered: u32,
    /// Colours of large components, nothing else new in the way, that stopped it.
    pub(super) walls: u32,
    /// Moves on its own account that were foretold in their direction, and those that were not.
    told: (u32, u32),
    /// Per action: the displacement seen last.
    steps: [Option<Vector>; NUMBERS],
    /// The same for each of several such pieces, by action, rank and how many there are.
    twins: FxHashMap<(u64, u8, u8), Vector>,
}

impl Class {
    pub(super) fn new(sprite: Sprite) -> Class {
        let mut gate = Law::new(2);
        for (novelty, outcome) in HABITS {
            let mut case = [HABIT; ATTEMPT];
            case[NOVELTY] = novelty;
            gate.learn(&case, outcome);
        }
        let mut intent = Law::with_rare(2, LATE);
        for (number, by) in OBEDIENCE {
            let mut case = [HABIT; WISH];
            case[0] = number;
            intent.learn(&case, by);
        }
        Class {
            poses: vec![sprite],
            forms: vec![0],
            intent,
            gate,
            entered: 0,
            walls: 0,
            told: (0, 0),
            turn: turn_laws(),
            turns: Turns::default(),
            facing: Facing::default(),
            looks: FxHashMap::default(),
            rests: Vec::new(),
            painted: false,
            is_laid: false,
            gaits: Default::default(),
            drift: Drift::default(),
            patrol: Patrol::default(),
            heeds: Heeds::default(),
            rays: Rays::default(),
            shown: [0; Color::COUNT],
            moved: [(0, 0); NUMBERS],
            driven: 0,
            free: 0,
            pulled: 0,
            carried: 0,
            left: 0,
            holders: Vec::new(),
            flown: 0,
            passed: 0,
            held: 0,
            meetings: [(0, 0); 3],
            steps: [None; NUMBERS],
            twins: FxHashMap::default(),
        }
    }

    /// The same in other colours.
    pub(super) fn dyed(self, sprite: Sprite) -> Class {
        let (turn, turns, facing) = (turn_laws(), Turns::default(), Facing::default());
        Class { poses: vec![sprite], forms: vec![0], is_laid: false, turn, turns, facing, ..self }
    }

    /// One of the same outline that looks different: where it goes and what stops it is hearsay of it; that it is taken
    /// along, and how, is believed.
    pub(super) fn sibling(self, sprite: Sprite) -> Class {
        let sibling = self.dyed(sprite);
        let (intent, gate, rays) = (sibling.intent.clone(), sibling.gate.clone(), sibling.rays.clone());
        Class { intent: intent.hearsay(), gate: gate.hearsay(), rays: rays.hearsay(), ..sibling }
    }

    /// The same in other colours, whatever it looks like.
    pub(super) fn kin(&self, dye: &[Color; Color::COUNT]) -> Class {
        let poses = self.poses.iter().map(|it| it.dyed(dye)).collect();
        Class { poses, rays: self.rays.clone().hearsay(), ..self.clone() }
    }

    /// Whether it keeps its motion.
    pub(super) fn drifts(&self) -> bool {
        self.drift.is_proven()
    }

    /// How many deeds before the present one decide where it means to go, whatever is done now.
    pub(super) fn late(&self) -> u32 {
        let features = self.intent.features();
        let late = (features & LATE) >> LATE.trailing_zeros();
        if features & ACTION == 0 { u16::BITS - late.leading_zeros() } else { 0 }
    }

    /// Whether it goes wherever the piece goes that it lies within, as what a hand holds: nothing in the way stops it alone.
    pub(super) fn comes_along(&self) -> bool {
        self.carried > 2 * self.left
    }

    /// Whether it ever went along with a piece beside it, or around one.
    pub(super) fn is_held(&self) -> bool {
        !self.holders.is_empty()
    }

    /// Whether it ever did with a piece of this look.
    pub(super) fn is_swung_by(&self, look: u64) -> bool {
        self.holders.contains(&look)
    }

    /// Whether it ever went on by itself when it was pushed.
    pub(super) fn is_flying(&self) -> bool {
        self.flown > 0
    }

    /// Whether no piece comes to lie on one that is pushed.
    pub(super) fn is_solid(&self) -> bool {
        self.driven > 0 && 2 * self.passed <= self.driven + self.held
    }

    /// Whether a piece that meets it so is lost.
    pub(super) fn is_deadly(&self, meeting: Meeting) -> bool {
        let (lost, survived) = self.meetings[meeting as usize];
        lost > survived
    }

    /// An attempt to move from here, driven or not.
    pub(super) fn attempt<'a>(
        &'a self,
        (view, drive): (&'a View<'a>, Drive),
        piece: Instance,
        by: Vector,
    ) -> Attempt<'a> {
        let (sprite, at) = (self.poses.get(piece.pose).unwrap_or(&self.poses[0]), piece.at);
        let stance = self.stance(piece.pose, by);
        let strip = strip::swept(sprite, at, by);
        let entered = self.entered | drive.trodden & !self.walls;
        Attempt { view, sprite, at, by, strip, entered, walls: self.walls, driver: drive.look, stance }
    }

    /// Whether it never went by an arrow: it may be a mark on what does.
    pub(super) fn is_provisional(&self) -> bool {
        directed(&self.moved).all(|(moved, _)| *moved == 0)
    }

    /// Where a piece means to go; `None` where that is not known. What was never pulled or carried does not mean to
    /// follow, and what is asleep stays.
    pub(super) fn wish(&self, wish: &Wish<'_>) -> Option<(Vector, Verdict)> {
        if wish.drive.relation == ALIGNED {
            return self.rays.wish(wish);
        }
        let number = wish.view.number() as usize;
        let is_left = match wish.drive.relation {
            BEHIND => self.pulled == 0,
            WITHIN => self.carried == 0,
            BESIDE => !self.is_swung_by(wish.drive.look),
            _ => false,
        };
        if wish.drive.relation == 0 && self.is_asleep(wish.instance.pose) {
            return Some((Vector::ZERO, ASLEEP));
        }
        if is_left || (self.moved[number].0 == 0 && wish.drive.relation == 0) {
            return None;
        }
        if wish.drive.relation == 0 && self.seldom_goes(wish.view) {
            return Some((Vector::ZERO, ASLEEP));
        }
        if wish.drive.relation == 0 && self.drifts() {
            return self.drift.next(wish.view.number(), wish.last).map(|by| (by, self.drift.verdict(by)));
        }
        self.plain_wish(wish)
    }

    /// The same as far as it does not go on as it went.
    fn plain_wish(&self, wish: &Wish<'_>) -> Option<(Vector, Verdict)> {
        let verdict = self.intent.ask(|index| wish.feature(index))?;
        let by = match verdict.outcome {
            WITH => wish.drive.by,
            AROUND => wish.drive.around,
            FORTH => self.forth(wish)?,
            place if place >= CLICK => {
                wish.view.click()?.plus(Vector::from_code(place - CLICK)).minus(wish.instance.at)
            }
            by => Vector::from_code(by),
        };
        Some((by, verdict))
    }

    /// Whether an action without a direction moved it so seldom that it rather does something else, as one does that takes it
    /// aboard of what lies beside it.
    fn seldom_goes(&self, view: &View<'_>) -> bool {
        let (moved, tried) = self.moved[view.number() as usize];
        !view.is_arrow() && view.click().is_none() && tried >= TRIED && SELDOM * moved <= tried
    }

    /// As far as an action last moved it, to where it looks; `None` where nobody knows where that is.
    fn forth(&self, wish: &Wish<'_>) -> Option<Vector> {
        let by = self.steps[wish.view.number() as usize]?;
        Some(self.facing.of(wish.instance.pose)?.signum().times(by.x.abs().max(by.y.abs())))
    }

    /// Where the action of a number last moved it.
    pub(super) fn usual(&self, number: u64) -> Option<Vector> {
        self.steps[number as usize]
    }

    /// Every displacement seen last for some action, and none.
    pub(super) fn ways(&self) -> Vec<Vector> {
        let mut ways = vec![Vector::ZERO];
        ways.extend(self.steps.iter().flatten());
        ways
    }

    /// What is known, in words.
    pub(super) fn sentence(&self) -> String {
        let size = self.poses[0].size;
        let steps = (1..NUMBERS).filter_map(|number| {
            let by = self.steps[number]?;
            let (name, (moved, tried)) = (kind_of(number as u64), self.moved[number]);
            Some(format!("{name} {number} by ({}, {}) (moved {moved} of {tried} times)", by.x, by.y))
        });
        let steps: Vec<String> = steps.collect();
        format!("The {}x{} piece of {} cells moves: {}", size.x, size.y, self.poses[0].cells().len(), steps.join(", "))
    }

    /// What comes of an attempt: the displacement.
    pub(super) fn gate(&self, attempt: &Attempt<'_>) -> Option<(Vector, Verdict)> {
        let verdict = self.gate.ask_firm(|index| attempt.feature(index))?;
        let by = match verdict.outcome {
            GO => attempt.by,
            STAY => Vector::ZERO,
            other => Vector::from_code(other - ELSE),
        };
        Some((by, verdict))
    }

    /// How far it slides, if it is one that slides.
    pub(super) fn slid(&self, attempt: &Attempt<'_>) -> Option<Vector> {
        let (number, gait) = (attempt.view.number(), self.gait(attempt.view));
        let slides = (self.is_flying() || gait.slide.is_proven(number)) && gait.slides(self.flown);
        slides.then(|| gait.slide.end(attempt.view.frame, attempt.sprite, attempt.at, attempt.by))?
    }

    /// Where it turns on such a way that ends here, and where that is.
    pub(super) fn legs(
        &self,
        frame: &Grid,
        sprite: &Sprite,
        at: Vector,
        (by, came): (Vector, Vector),
    ) -> Option<Vec<Vector>> {
        let legs = self.gaits.iter().filter_map(|gait| gait.slide.legs(frame, sprite, at, by));
        legs.into_iter().find(|legs| legs.last() == Some(&came))
    }

    /// Cells that it slides at a time.
    pub(super) fn stride(&self, view: &View<'_>) -> i16 {
        self.gait(view).slide.stride()
    }

    fn gait(&self, view: &View<'_>) -> &Gait {
        &self.gaits[Gait::of(view.number())]
    }

    /// Whether it is seen where there is this colour, rather than lying under it.
    pub(super) fn shows_on(&self, ground: Color) -> bool {
        self.shown[ground.index()] >= 0
    }

    /// How often it was seen to move.
    pub(super) fn moves(&self) -> u32 {
        self.moved.iter().map(|(moved, _)| moved).sum()
    }
}
