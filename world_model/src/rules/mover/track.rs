//! Learning: where each piece went in an observed transition, and what that teaches of it.

use env_client::{Color, Grid, Point};

use super::{Class, Drive, Instance, Movers, Moves, Placement, WITHIN, Walker, Wish, last, portals, way};
use crate::{
    Bounds, Scene,
    perception::Symmetry,
    rules::{
        canvas::Canvas,
        cell_set::CellSet,
        last::Last,
        sprite::{SIDES, Sprite, Vector, color_at},
        step::Step,
        view::View,
    },
};

/// Steps for which a piece that is not seen is believed to be where it should be.
const PATIENCE: u32 = 6;

/// The furthest that a piece may have come at once, in cells: across a frame.
const FARTHEST: i16 = 64;

/// A piece that was painted over in part is as it was in this share of its cells at least.
const PAINTED: usize = 4;

/// What other pieces have to do with one that is learned from.
struct Others {
    /// How it lies to one that drives it.
    drive: Drive,
    /// Whether others hold it where it is.
    hold: bool,
    /// Whether others that lead went.
    go: bool,
    /// Whether there are others that may be selected in its stead.
    rival: bool,
}

impl Movers {
    /// Learns from a transition; what became of every piece that could be followed.
    pub(in crate::rules) fn learn(&mut self, step: &Step<'_>, view: &View<'_>, canvas: &mut Canvas) -> Vec<Placement> {
        let mut before = self.pieces(step.before, self.unseen());
        let view = &view.in_company(self.company(&before), self.arrows);
        let foreseen = self.expect(view, &before).placements;
        let (mut placements, mut lost) = self.follow(step, view, &before, &foreseen);
        if lost.iter().any(|it| self.learn_pivot(step, view, *it)) {
            before = self.pieces(step.before, self.unseen());
            (placements, lost) = self.follow(step, view, &before, &foreseen);
        }
        self.learn_sinks(step, &mut placements, &mut lost);
        let marks = self.drop_marks(view, &mut placements);
        self.drop_parts(step, view, &mut placements);
        let known = placements.len();
        self.discover(step, &marks, &mut placements, canvas);
        if placements.len() > known {
            self.rank(step.before, &mut placements);
        }
        for instance in lost {
            let found =
                placements.iter().any(|it| (it.instance.class, it.instance.at) == (instance.class, instance.at));
            placements.extend(if found { None } else { self.covered(step, view, instance) });
        }
        if self.kin.is_on_trial() {
            self.try_kin(&foreseen, &mut placements);
        }
        self.learn_heeds((view, step.after), &placements, &foreseen);
        self.mean(view, &mut placements);
        self.learn_moves(step, view, &before, &placements);
        self.share();
        self.learn_contacts(&before, &placements);
        self.learn_meetings(&placements, false);
        self.learn_ground(step, view, &placements);
        self.learn_cover(step, &placements);
        self.lose(step, &placements);
        self.last = self.motions(view, &placements);
        self.found = Last::default();
        self.look_for_kin(step.after, step.new);
        placements
    }

    /// A piece that is not seen any more may have been painted over where it is: some of it is as it was, or
    /// all of it is something else than the ground, and no other piece came there.
    pub(super) fn painted(
        &mut self,
        step: &Step<'_>,
        view: &View<'_>,
        instance: Instance,
        placements: &[Placement],
    ) -> Option<Placement> {
        let (sprite, at) = (self.sprite(instance).clone(), instance.at);
        let covers = |it: &Placement, cell: Vector| {
            self.classes[it.instance.class].poses[it.pose].covers(it.instance.at.plus(it.came), cell)
        };
        let is_covered = || sprite.footprint(at).any(|cell| placements.iter().any(|it| covers(it, cell)));
        let is_mark = self.classes[instance.class].is_provisional();
        if is_mark || !sprite.is_at(step.before, at) || is_covered() {
            return None;
        }
        let around = view.canvas.around(step.before, &sprite, at);
        // A piece on a thing of its colour is not that thing, though it looks like it where it was painted.
        let is_own = |color: Color| !view.is_arrow() && sprite.colors() >> color.index() & 1 == 1;
        let is_ground = |cell: Vector| {
            let now = color_at(step.after, cell);
            now == view.canvas.get(cell).or(around) && !now.is_some_and(is_own)
        };
        let seen: CellSet = sprite.footprint(at).filter(|cell| !is_ground(*cell)).collect();
        let look = Sprite::cut(step.after, at, sprite.size).within(at, &seen);
        let is_new = |cell: &Vector| color_at(step.before, *cell) != color_at(step.after, *cell);
        let runs_on = look.footprint(at).filter(is_new).any(|cell| runs_beyond(step.new, cell, at, sprite.size));
        let (whole, now, kept) = (sprite.cells().len(), look.cells().len(), sprite.seen_at(step.after, at).count());
        let is_whole = now == whole && !view.is_arrow();
        // What is as it was in part was painted, though what has the new colour lies beside it.
        let is_told = is_whole && kept > 0;
        let is_other = !is_told && (runs_on || spreads(step, &sprite, at));
        if now == 0 || is_other || !(is_whole || PAINTED * kept >= whole) {
            return None;
        }
        let class = &mut self.classes[instance.class];
        class.painted = true;
        let pose = class.pose_of(look);
        Some(Placement { instance, wished: Vector::ZERO, came: Vector::ZERO, pose })
    }

    /// A piece that is not seen any more may have gone the way that was foreseen and look different in part where it came to,
    /// as one does that shows that it is in its place.
    pub(super) fn arrived(&mut self, step: &Step<'_>, foreseen: &Placement) -> Option<Placement> {
        let Placement { instance, wished, .. } = *foreseen;
        let straight = (wished.x == 0) != (wished.y == 0);
        let ways = (1..=FARTHEST).map(|far| wished.signum().times(far)).filter(|_| straight);
        let kept = |by: &Vector| self.sprite(instance).seen_at(step.after, instance.at.plus(*by)).count();
        let came =
            ways.filter(|by| way::is_seen_in_part(step, (self.sprite(instance), instance.at), *by)).max_by_key(kept)?;
        let (sprite, end) = (self.sprite(instance), instance.at.plus(came));
        let cells: CellSet = sprite.footprint(end).collect();
        let look = Sprite::cut(step.after, end, sprite.size).within(end, &cells);
        let pose = self.classes[instance.class].pose_of(look);
        Some(Placement { came, pose, ..*foreseen })
    }

    /// What goes by an arrow for the first time may be a mark on something that goes along: it is looked at anew.
    /// Returns their classes.
    fn drop_marks(&self, view: &View<'_>, placements: &mut Vec<Placement>) -> Vec<usize> {
        let is_mark = |it: &Placement| it.came != Vector::ZERO && self.classes[it.instance.class].is_provisional();
        let marks = placements.extract_if(.., |it| view.is_arrow() && is_mark(it));
        marks.map(|it| it.instance.class).collect()
    }

    /// A piece that is not seen any more may look different now: something of its size and colours that was not there
    /// before, where it was or where it has gone before; where one that obeys would get as far by an arrow that it never
    /// went by; or its picture in other colours where it meant to go, or turned as well where it was.
    pub(super) fn turned(&mut self, step: &Step<'_>, view: &View<'_>, instance: Instance) -> Option<Placement> {
        let class = &self.classes[instance.class];
        let sprite = self.sprite(instance).clone();
        let look = |by: Vector| Some((by, turned_sprite(step, &sprite, instance.at.plus(by))?));
        let dyed = |by: Vector| Some((by, dyed_sprite(step, &sprite, instance.at.plus(by))?));
        let leads = self.is_controlled(instance);
        let usual = class.usual(view.number()).filter(|by| *by != Vector::ZERO && leads);
        let ways = class.ways();
        let arrow = view.arrows.way(view.number()).filter(|_| leads);
        let others = arrow.into_iter().flat_map(|way| ways.iter().map(move |by| way.times(by.x.abs().max(by.y.abs()))));
        let here = || Some((Vector::ZERO, turned_and_dyed(step, &sprite, instance.at)?));
        let here = || if leads && !view.is_arrow() { here() } else { None };
        let seen = ways.iter().copied().chain(others).find_map(look);
        let (came, turned) = seen.or_else(|| usual.and_then(dyed)).or_else(here)?;
        let pose = self.classes[instance.class].pose_of(turned);
        Some(Placement { instance, wished: came, came, pose })
    }

    /// What went by an arrow along with all of something larger is a part of that, though it looks like a piece known
    /// before, unless it just came there alone: the whole is looked at anew.
    fn drop_parts(&self, step: &Step<'_>, view: &View<'_>, placements: &mut Vec<Placement>) {
        if !view.is_arrow() {
            return;
        }
        let covered = |it: &Placement| self.sprite(it.instance).footprint(it.instance.at);
        let known: CellSet = placements.iter().flat_map(covered).collect();
        let is_part = |it: &Placement| covered(it).any(|at| step.carries(at, it.came, &known));
        placements.retain(|it| it.came == Vector::ZERO || view.motion(it.instance).is_some() || !is_part(it));
    }

    /// A controlled piece that is seen nowhere, and not turned either, lies under what was there before: where it is
    /// seen in part, or else where it meant to go. What lies over one that means to stay may change.
    fn covered(&self, step: &Step<'_>, view: &View<'_>, instance: Instance) -> Option<Placement> {
        if !self.is_controlled(instance) {
            return None;
        }
        let (sprite, class) = (self.sprite(instance), &self.classes[instance.class]);
        let meant = self.meant(view, instance);
        let stays = meant == Vector::ZERO && self.unseen() == Some(instance);
        if stays {
            return Some(Placement { instance, wished: meant, came: meant, pose: instance.pose });
        }
        let mut ways = vec![meant, class.usual(view.number()).unwrap_or(meant)];
        ways.extend(class.ways());
        let mut fits = ways.into_iter().map(|by| (by, shown(step, sprite, instance.at, by)));
        let partly = fits.clone().find(|(_, shown)| shown.is_some_and(|shown| 3 * shown >= sprite.cells().len()));
        let is_own = |by: Vector| by == meant || class.usual(view.number()) == Some(by);
        let (came, _) = partly.or_else(|| fits.find(|(by, shown)| shown.is_some_and(|it| it > 0 || is_own(*by))))?;
        Some(Placement { instance, wished: came, came, pose: instance.pose })
    }

    /// Where a piece would get by the present action.
    fn meant(&self, view: &View<'_>, instance: Instance) -> Vector {
        let mut moves = Moves::none();
        self.expect_one(view, instance, Drive::default(), &mut moves);
        moves.placements.first().map_or(Vector::ZERO, |it| it.came)
    }

    /// Learns over which colours pieces are seen and under which they lie; what sank lies nowhere any more.
    fn learn_cover(&mut self, step: &Step<'_>, placements: &[Placement]) {
        for it in placements.iter().filter(|it| it.came != Vector::ZERO) {
            if self.is_sunk(it.instance) {
                continue;
            }
            let class = &mut self.classes[it.instance.class];
            let (own, sprite) = (class.poses[it.instance.pose].clone(), class.poses[it.pose].clone());
            let mut known = 0u32;
            for (offset, color) in sprite.cells() {
                let cell = it.instance.at.plus(it.came).plus(*offset);
                let (Some(before), Some(after)) = (color_at(step.before, cell), color_at(step.after, cell)) else {
                    continue;
                };
                let is_told =
                    before != *color && (after == *color || after == before) && !own.covers(it.instance.at, cell);
                if is_told && known >> before.index() & 1 == 0 {
                    known |= 1 << before.index();
                    class.learn_cover(before, after == *color);
                }
            }
        }
    }

    /// Keeps in mind where a controlled piece is that cannot be seen.
    fn lose(&mut self, step: &Step<'_>, placements: &[Placement]) {
        let steps = self.unseen.map_or(0, |(_, steps)| steps);
        let end = |it: &Placement| Instance { at: it.instance.at.plus(it.came), pose: it.pose, ..it.instance };
        let mut ends = placements.iter().filter(|it| self.is_controlled(it.instance)).map(end);
        let unseen = ends.find(|it| !self.sprite(*it).is_at(step.after, it.at));
        self.unseen = unseen.map(|it| (it, steps + 1)).filter(|(_, steps)| *steps <= PATIENCE);
    }

    /// Pieces that obey and stayed meant to go where they usually go.
    fn mean(&self, view: &View<'_>, placements: &mut [Placement]) {
        for it in placements.iter_mut().filter(|it| it.came == Vector::ZERO && self.is_controlled(it.instance)) {
            let class = &self.classes[it.instance.class];
            let wish = Wish { view, instance: it.instance, drive: Drive::default(), last: last(view, it.instance) };
            let guess = || class.arrow(&wish).filter(|_| view.arrows.way(view.number()).is_some());
            it.wished = class.wish(&wish).or_else(guess).map_or(Vector::ZERO, |(by, _)| by);
        }
    }

    /// What pieces went for, as if they had got there.
    fn attempts(&self, placements: &[Placement]) -> Vec<Placement> {
        let leading = placements.iter().filter(|it| self.is_controlled(it.instance));
        leading.map(|it| Placement { came: it.wished, ..*it }).collect()
    }

    /// Learns from what became of every piece.
    fn learn_moves(&mut self, step: &Step<'_>, view: &View<'_>, before: &[Instance], placements: &[Placement]) {
        let leading = self.attempts(placements);
        let holders: Vec<Placement> = placements.iter().filter(|it| self.is_controlled(it.instance)).copied().collect();
        let guessed = |it: &&Placement| {
            self.unseen() == Some(it.instance) && !self.classes[it.instance.class].ways().contains(&it.came)
        };
        let known: Vec<Placement> = placements.iter().filter(|it| !guessed(it)).copied().collect();
        for it in &known {
            let leads = self.is_controlled(it.instance);
            let drive = if leads { Drive::default() } else { self.lies(view, it, &leading, &holders) };
            let goes = |other: &Placement| other.came != Vector::ZERO && other.instance != it.instance;
            let is_rival = |other: &Instance| self.classes[other.class].painted || self.is_controlled(*other);
            let others = Others {
                drive,
                hold: leads && self.is_held(it, before, placements),
                go: leads && known.iter().any(|other| goes(other) && self.is_controlled(other.instance)),
                rival: leads && before.iter().any(|other| *other != it.instance && is_rival(other)),
            };
            let follows =
                |other: &Placement| goes(other) && other.came == drive.by && self.is_controlled(other.instance);
            if drive.relation == WITHIN && it.came != drive.by && known.iter().any(follows) {
                self.classes[it.instance.class].learn_left();
            }
            let is_braced = leads && self.is_braced(it, placements);
            self.learn_move(step, view, it, &others);
            if !is_braced && !self.is_sunk(it.instance) {
                self.classes[it.instance.class].learn_turn(view, it.instance, it.came, it.pose);
            }
        }
    }

    /// Learns from what became of one piece.
    fn learn_move(&mut self, step: &Step<'_>, view: &View<'_>, it: &Placement, others: &Others) {
        let (drive, leads) = (others.drive, self.is_controlled(it.instance));
        let wish = Wish { view, instance: it.instance, drive, last: last(view, it.instance) };
        let (sprite, motion) = (self.sprite(it.instance).clone(), view.motion(it.instance));
        let walker = Walker { frame: view.frame, sprite: &sprite, at: it.instance.at, pose: it.instance.pose, motion };
        let path = way::path(&sprite, it.instance.at, it.came, step.layers);
        let class = &mut self.classes[it.instance.class];
        let told = class.wish(&wish);
        let meant = told.or_else(|| class.arrow(&wish));
        let obeys = meant.is_some_and(|(by, why)| by.is_along(it.came) && Class::obeys(&why));
        let expected = meant.map(|(by, _)| by);
        let moved = it.came != Vector::ZERO;
        if drive.relation == 0 {
            class.patrol.learn(&walker, it.came, obeys);
        }
        // What is asleep was not tried: its arrows are as good as new when it wakes.
        let is_tried = moved || !class.is_asleep(it.instance.pose);
        let (times, tries) = &mut class.moved[view.number() as usize];
        (*times, *tries) = (*times + u32::from(moved), *tries + u32::from(is_tried));
        // A guess that did not come true was none, and one that stays says nothing where nobody knows which way the key is.
        let may_err = view.company != 0 || told.is_none();
        let turns_back = |by: Vector| may_err && moved && !by.is_along(it.came);
        let is_telling = moved || told.is_some() || view.arrows.way(view.number()).is_some();
        let meant = expected.filter(|by| is_telling && *by != Vector::ZERO && !turns_back(*by));
        let meant = meant.or(moved.then_some(it.came));
        if moved || others.go {
            class.learn_rest(it.instance.pose, moved);
        }
        let stays = view.company != 0 && others.rival && !moved && it.pose == it.instance.pose;
        let declines = stays && meant.is_some_and(|by| class.finds_nothing_new(view, it.instance, by));
        let is_steered = class.is_steered(drive);
        let is_spared = !moved && class.is_spared(&wish, meant.unwrap_or_default());
        if let Some(by) = meant.filter(|_| !others.hold && !declines && !is_spared) {
            self.learn_attempt(&wish, by, it.came, &path);
        }
        let class = &mut self.classes[it.instance.class];
        if moved {
            // Where something leads elsewhere, a piece means to go there all the same.
            let own = meant.filter(|by| is_steered && portals::is_jump(*by, it.came)).unwrap_or(it.came);
            class.learn_wish(&wish, expected, own);
            if drive.relation == 0 && class.is_controlled() {
                self.arrows.learn(view.number(), own);
            }
        } else if drive.relation == 0 && class.is_controlled() && it.came == Vector::ZERO {
            self.arrows.stayed(view.number(), it.pose != it.instance.pose);
        }
        if !moved && declines && !others.hold {
            class.learn_refusal(&wish);
        }
        if class.painted && !moved {
            self.selection.learn(view, class, it.instance, it.pose);
        }
        if let Some(by) = meant.filter(|_| leads || drive.relation == 0 && class.is_controlled()) {
            class.learn_facing(it.pose, by);
        }
    }

    /// Learns from where a piece came, by this path, that meant to move so.
    fn learn_attempt(&mut self, wish: &Wish<'_>, by: Vector, came: Vector, path: &[Vector]) {
        let Wish { view, instance, drive, .. } = *wish;
        let class = &mut self.classes[instance.class];
        let (sprite, is_steered) = (class.poses[instance.pose].clone(), class.is_steered(drive));
        if !self.hopes {
            class.learn_wall(wish, by, came);
        }
        class.learn_gate(wish, &sprite, by, (came, path));
        if is_steered {
            let is_beyond = !sprite.footprint(instance.at.plus(by)).all(|at| color_at(view.frame, at).is_some());
            self.portals.learn((&sprite, instance.at), by, came, is_beyond);
        }
    }

    fn learn_ground(&mut self, step: &Step<'_>, view: &View<'_>, placements: &[Placement]) {
        let after =
            |it: &Placement| self.classes[it.instance.class].poses[it.pose].footprint(it.instance.at.plus(it.came));
        let covered: CellSet = placements.iter().flat_map(after).collect();
        for it in placements.iter().filter(|it| it.came != Vector::ZERO || it.pose != it.instance.pose) {
            let sprite = self.classes[it.instance.class].poses[it.instance.pose].clone();
            self.ground.learn(view, step.after, &sprite, it, &covered);
            self.trails.learn(view, step.after, &sprite, it, &covered);
        }
    }
}

/// How many cells of a piece are seen at the end of a way, if all the others look as before, so that something may lie
/// over them, and the place it left does not show it any more.
fn shown(step: &Step<'_>, sprite: &Sprite, from: Vector, by: Vector) -> Option<usize> {
    let mut shown = 0;
    for (offset, color) in sprite.cells() {
        let cell = from.plus(by).plus(*offset);
        let after = color_at(step.after, cell)?;
        if after == *color {
            shown += 1;
        } else if color_at(step.before, cell) != Some(after) {
            return None;
        }
    }
    Some(shown)
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

/// A piece in other colours, each of which stands for one of its own: at a corner where it was not before, and where no
/// such picture was.
fn dyed_sprite(step: &Step<'_>, sprite: &Sprite, corner: Vector) -> Option<Sprite> {
    let mut dyes: [Option<Color>; Color::COUNT] = [None; Color::COUNT];
    let (mut cells, mut fresh) = (CellSet::EMPTY, 0);
    for (offset, color) in sprite.cells() {
        let cell = corner.plus(*offset);
        let now = color_at(step.after, cell)?;
        if *dyes[color.index()].get_or_insert(now) != now || runs_beyond(step.new, cell, corner, sprite.size) {
            return None;
        }
        fresh += usize::from(color_at(step.before, cell) != Some(now));
        cells.insert(cell);
    }
    let mut used: Vec<Color> = dyes.iter().flatten().copied().collect();
    let count = used.len();
    used.sort_unstable();
    used.dedup();
    let is_told = used.len() == count && 2 * fresh >= sprite.cells().len();
    is_told.then(|| Sprite::cut(step.after, corner, sprite.size).within(corner, &cells))
}

/// A piece turned or mirrored, in other colours, at a corner.
fn turned_and_dyed(step: &Step<'_>, sprite: &Sprite, corner: Vector) -> Option<Sprite> {
    let turned = Symmetry::ALL.into_iter().map(|it| sprite.turned(it));
    let mut others = turned.filter(|it| it.size == sprite.size && !it.is_outlined_like(sprite));
    others.find_map(|it| dyed_sprite(step, &it, corner))
}

/// Whether a piece and a thing of its outline only seem to change places: both were painted over.
pub(super) fn is_swap(step: &Step<'_>, sprite: &Sprite, from: Vector, to: Vector) -> bool {
    let seen = |grid: &Grid, corner: Vector| {
        sprite.cells().iter().map(|(offset, _)| color_at(grid, corner.plus(*offset))).collect::<Vec<_>>()
    };
    let is_thing = !sprite.footprint(to).any(|cell| runs_beyond(step.old, cell, to, sprite.size));
    from != to && is_thing && seen(step.before, to) == seen(step.after, from)
}

/// Whether what is seen at a cell of a scene runs on beyond a rectangle, as ground does.
pub(super) fn runs_beyond(scene: &Scene, at: Vector, corner: Vector, size: Vector) -> bool {
    let part = Point::new(at.x, at.y).ok().and_then(|at| scene.component_at(at));
    part.is_none_or(|part| {
        let Bounds { left, top, right, bottom } = scene.components()[part].bounds;
        let (first, last) = (Vector::new(left.into(), top.into()), Vector::new(right.into(), bottom.into()));
        let end = corner.plus(size);
        first.x < corner.x || first.y < corner.y || last.x >= end.x || last.y >= end.y
    })
}

/// Whether one of a piece's colours came to a cell right beside where it was: it rather moved.
fn spreads(step: &Step<'_>, sprite: &Sprite, corner: Vector) -> bool {
    let beside = sprite.footprint(corner).flat_map(|at| SIDES.map(|side| at.plus(side)));
    let mut beside = beside.filter(|at| !sprite.covers(corner, *at));
    let is_own = |at: Vector| color_at(step.after, at).is_some_and(|color| sprite.colors() >> color.index() & 1 == 1);
    beside.any(|at| is_own(at) && color_at(step.before, at) != color_at(step.after, at))
}
