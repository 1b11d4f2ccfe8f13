//! Kin: what is drawn like a known piece in other colours is taken to do what that one does, until it does not.
//!
//! Levels add pieces of a second and a third colour. One of at least two colours that share one with the known piece
//! is hardly drawn so by accident, nor is one of a single colour that keeps the same [`Company`]; it is believed to be
//! known at once, and forgotten by the first thing it was to do and did not. Where all others did what was foreseen and only
//! it stayed behind, what takes it along may be misunderstood as well, so that it is given a few more chances.

use env_client::{Color, Grid, Point};

use super::{
    Instance, Movers, Placement, Vector, class::Class, company::Company, discover::CLASSES, track::runs_beyond,
};
use crate::{
    Scene,
    rules::{
        cell_set::CellSet,
        last::Last,
        sprite::{Sprite, color_at},
    },
};

/// How often all went as foreseen and kin was left behind, until it is none. A guess.
const LEFT_BEHIND: u32 = 3;

/// Colours beside that of the ground which a picture has at least to be known again in others.
const COLORS: usize = 2;

/// What has this share of a frame is no piece. A guess.
const FLOOR_SHARE: usize = 10;

/// What each colour becomes.
type Dye = [Color; Color::COUNT];

/// Classes that are taken for kin of others.
#[derive(Clone, Debug, Default)]
pub(super) struct Kin {
    /// Those that have not done yet what they are to do, and how often they were left behind.
    on_trial: Vec<(usize, u32)>,
    /// Pictures that did not do what they were to do.
    strangers: Vec<Sprite>,
    /// How many pictures of pieces were known when kin was looked for last.
    known: usize,
    /// What was seen beside pieces.
    company: Company,
}

impl Kin {
    /// Whether there are any whose deeds are to be watched.
    pub(super) fn is_on_trial(&self) -> bool {
        !self.on_trial.is_empty()
    }

    /// Whether a class has not done yet what it is to do.
    fn contains(&self, class: usize) -> bool {
        self.on_trial.iter().any(|it| it.0 == class)
    }
}

impl Movers {
    /// The cells of pieces that are taken to be moved by others as those are that they look like, and were not seen to be yet.
    pub(in crate::rules) fn kin(&self, frame: &Grid) -> Vec<Vec<Point>> {
        let is_kin = |it: &Instance| self.kin.contains(it.class) && !self.is_controlled(*it);
        let kin = self.instances(frame).into_iter().filter(is_kin);
        kin.map(|it| self.cells(it)).collect()
    }

    /// Looks for kin in the first frame of a level.
    pub(in crate::rules) fn meet(&mut self, frame: &Grid) {
        self.kin.known = 0;
        self.look_for_kin(frame, &Scene::of(frame));
    }

    /// Looks for kin where more is known of pieces than before.
    pub(super) fn look_for_kin(&mut self, frame: &Grid, scene: &Scene) {
        let sources = self.sources();
        let known = sources.iter().map(|class| self.classes[*class].poses.len()).sum();
        if std::mem::replace(&mut self.kin.known, known) == known {
            return;
        }
        self.kin.company.watch(scene);
        let covered = |it: &Instance| self.sprite(*it).footprint(it.at).collect::<Vec<Vector>>();
        let taken: CellSet = self.instances(frame).iter().flat_map(covered).collect();
        for class in sources {
            for dye in self.dyes(class, (frame, scene), &taken) {
                self.adopt(class, &dye, wide(frame));
            }
        }
    }

    /// Classes of which much is known that may hold for others, those seen in most ways first.
    fn sources(&self) -> Vec<usize> {
        let is_piece = |class: &Class| class.moves() > 0 && (class.is_free() || class.driven > 0);
        let mut sources: Vec<usize> = (0..self.classes.len())
            .filter(|class| is_piece(&self.classes[*class]) && !self.kin.contains(*class))
            .collect();
        sources
            .sort_by_key(|class| std::cmp::Reverse((self.classes[*class].poses.len(), self.classes[*class].moves())));
        sources
    }

    /// The other colours in which pictures of a class are seen beside these cells.
    fn dyes(&self, class: usize, (frame, scene): (&Grid, &Scene), taken: &CellSet) -> Vec<Dye> {
        let ground = commonest(frame);
        let mut found: Vec<Dye> = Vec::new();
        for sprite in &self.classes[class].poses {
            let colors = sprite.colors() & !(1 << ground.index());
            let is_apart = |corner: Vector| {
                let is_free = |at: Vector| !taken.contains(at) && !runs_beyond(scene, at, corner, sprite.size);
                sprite.footprint(corner).all(is_free)
            };
            let dye = |corner: Vector| match colors.count_ones() as usize {
                COLORS.. => dye_at(frame, sprite, corner).filter(|it| is_telling(it, ground)).map(|it| whole(&it)),
                _ => self.dye_by_company(sprite, corner, (frame, scene)),
            };
            for corner in corners(frame, sprite) {
                found.extend(dye(corner).filter(|dye| !found.contains(dye) && is_apart(corner)));
            }
        }
        found
    }

    /// The other colour in which a picture of a single one is seen here, where both keep the same company.
    fn dye_by_company(&self, sprite: &Sprite, corner: Vector, (frame, scene): (&Grid, &Scene)) -> Option<Dye> {
        let dyes = dye_at(frame, sprite, corner)?;
        let mut became = pairs(&dyes);
        let (Some((old, new)), None) = (became.next(), became.next()) else { return None };
        let at = sprite.footprint(corner).next()?;
        let piece = scene.component_at(Point::new(at.x, at.y).ok()?)?;
        let may_be = old != new && !scene.is_ground(piece);
        let peers = || self.kin.company.peers(old, scene.components()[piece].shape, scene);
        (may_be && peers().contains(&new)).then(|| whole(&dyes))
    }

    /// Takes on a class that is like another one but for its colours, unless some picture of it shows nothing but these, which
    /// are all over the frame.
    fn adopt(&mut self, class: usize, dye: &Dye, wide: u16) {
        let kin = self.classes[class].kin(dye);
        let is_known = |it: &Sprite| self.classes.iter().any(|class| class.poses.contains(it));
        let is_bare = |it: &Sprite| it.colors() & !wide == 0;
        let is_strange = kin.poses.iter().any(|it| self.kin.strangers.contains(it) || is_known(it) || is_bare(it));
        if !is_strange && self.classes.len() < CLASSES {
            self.kin.on_trial.push((self.classes.len(), 0));
            self.classes.push(kin);
            self.found = Last::default();
        }
    }

    /// Compares what kin was to do with what it did: one that does it is believed from now on, one that does not is no
    /// kin.
    pub(super) fn try_kin(&mut self, foreseen: &[Placement], placements: &mut Vec<Placement>) {
        let may_rest = |it: &Placement| self.classes[it.instance.class].may_rest(it.instance.pose);
        let acts = |it: &&Placement| (it.came != Vector::ZERO || it.pose != it.instance.pose) && !may_rest(it);
        let did = |it: &Placement, placements: &[Placement]| placements.iter().any(|other| is_same(it, other));
        let acting: Vec<&Placement> = foreseen.iter().filter(acts).collect();
        for (class, misses) in std::mem::take(&mut self.kin.on_trial) {
            let (own, others): (Vec<&Placement>, Vec<&Placement>) =
                acting.iter().copied().partition(|it| it.instance.class == class);
            let is_left = !others.is_empty() && others.iter().all(|it| did(it, placements));
            match own.iter().all(|it| did(it, placements)) {
                true if own.is_empty() => self.kin.on_trial.push((class, misses)),
                true => {}
                false if is_left && misses + 1 < LEFT_BEHIND => self.kin.on_trial.push((class, misses + 1)),
                false => {
                    placements.retain(|it| it.instance.class != class);
                    self.disown(class);
                }
            }
        }
    }

    /// Forgets a class, whose number stays taken.
    fn disown(&mut self, class: usize) {
        let forgotten = std::mem::replace(&mut self.classes[class], Class::new(Sprite::nothing()));
        self.kin.strangers.extend(forgotten.poses);
        self.unseen = self.unseen.filter(|(it, _)| it.class != class);
        self.found = Last::default();
    }
}

/// Whether a piece came where it was to come, and looks so.
fn is_same(it: &Placement, other: &Placement) -> bool {
    (it.instance.class, it.instance.at, it.came, it.pose)
        == (other.instance.class, other.instance.at, other.came, other.pose)
}

/// Where a picture has room in a frame.
fn corners(frame: &Grid, sprite: &Sprite) -> impl Iterator<Item = Vector> + use<> {
    let (width, height) = (i16::from(frame.width()) - sprite.size.x, i16::from(frame.height()) - sprite.size.y);
    (0..=height).flat_map(move |y| (0..=width).map(move |x| Vector::new(x, y)))
}

/// What became of each colour.
type Dyes = [Option<Color>; Color::COUNT];

/// What the colours of a picture became that is seen here in others, each in one.
fn dye_at(frame: &Grid, sprite: &Sprite, corner: Vector) -> Option<Dyes> {
    let mut dyes: Dyes = [None; Color::COUNT];
    for (offset, color) in sprite.cells() {
        let now = color_at(frame, corner.plus(*offset))?;
        if *dyes[color.index()].get_or_insert(now) != now {
            return None;
        }
    }
    Some(dyes)
}

/// The colours of a picture, each with what it became.
fn pairs(dyes: &Dyes) -> impl Iterator<Item = (Color, Color)> {
    Color::ALL.into_iter().filter_map(|color| dyes[color.index()].map(|now| (color, now)))
}

/// Whether it keeps a colour that is not the ground's, turns another one, and still tells all of them apart.
fn is_telling(dyes: &Dyes, ground: Color) -> bool {
    let pairs: Vec<(Color, Color)> = pairs(dyes).collect();
    let keeps = pairs.iter().any(|(old, now)| old == now && *old != ground);
    let turns = pairs.iter().any(|(old, now)| old != now);
    keeps && turns && pairs.iter().enumerate().all(|(index, it)| pairs[..index].iter().all(|other| other.1 != it.1))
}

/// What becomes of each colour, of all that are not in the picture itself.
fn whole(dyes: &Dyes) -> Dye {
    Color::ALL.map(|color| dyes[color.index()].unwrap_or(color))
}

/// The colours that are all over a frame, as that of a floor is.
fn wide(frame: &Grid) -> u16 {
    let counts = counts(frame);
    let is_wide = |color: &Color| FLOOR_SHARE * counts[color.index()] >= frame.cells().len();
    Color::ALL.into_iter().filter(is_wide).fold(0, |set, color| set | 1 << color.index())
}

fn counts(frame: &Grid) -> [usize; Color::COUNT] {
    let mut counts = [0usize; Color::COUNT];
    frame.cells().iter().for_each(|color| counts[color.index()] += 1);
    counts
}

/// The colour of most cells.
fn commonest(frame: &Grid) -> Color {
    let counts = counts(frame);
    Color::ALL
        .into_iter()
        .fold(Color::ALL[0], |best, it| if counts[it.index()] > counts[best.index()] { it } else { best })
}
