//! Which pictures are tiles, which are ground, and what a tilt does to them: what reproduces the presses of a level.

use std::cmp::Reverse;

use env_client::Key;

use super::{
    Kind, Press,
    board::{Board, Role, Roles},
    faces::{Faces, commonest},
    law::{Fact, Law, Record},
};
use crate::perception::Lattice;

/// Pictures that are tried for the ground that most seats show.
const PLAIN: usize = 2;
/// Pictures of which it is in doubt what they are, more of which are not looked into. A guess.
const DOUBTFUL: usize = 8;

/// What is known of the pictures and tilts of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Lore {
    pub(super) scale: u8,
    pub(super) faces: Faces,
    pub(super) roles: Roles,
    /// The ground that most seats show.
    pub(super) plain: Option<Kind>,
    pub(super) law: Law,
}

/// What reproduces presses, or most of them.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    pub(super) board: Board,
    pub(super) lore: Lore,
    pub(super) record: Record,
}

/// A press, and the numbers of all places of the lattice before and after it.
type Maps = (Key, [Vec<Kind>; 2]);

/// What reproduces most of these presses on a lattice.
pub(super) fn fit(lattice: Lattice, presses: &[Press], lore: &Lore) -> Option<Fit> {
    let first = presses.first()?;
    let mut faces = lore.faces.clone();
    let maps: Vec<Maps> =
        presses.iter().map(|it| (it.key, [&it.before, &it.after].map(|frame| faces.meet(frame, lattice)))).collect();
    let columns = usize::from(lattice.size(first.before.width(), first.before.height()).0);
    let common = || commonest(maps.iter().map(|it| [&it.1[0][..], &it.1[1][..]])).into_iter().take(PLAIN).collect();
    let plains: Vec<Kind> = lore.plain.map_or_else(common, |it| vec![it]);
    let scale = lattice.scale;
    let seen = seen(&maps);
    let fits = plains.into_iter().filter_map(|plain| {
        let trial = Trial { lattice, columns, faces: &faces, maps: &maps, seen: &seen, plain, law: &lore.law };
        let (board, roles, law, record) = trial.best(&lore.roles)?;
        let lore = Lore { scale, faces: Faces::default(), roles, plain: Some(plain), law };
        Some(Fit { board, lore, record })
    });
    let best = fits.min_by_key(|it| (it.record.wrong, Reverse(it.record.right)))?;
    Some(Fit { lore: Lore { faces, ..best.lore }, ..best })
}

/// What every place shows in any of the maps.
fn seen(maps: &[Maps]) -> Vec<Vec<Kind>> {
    let mut seen: Vec<Vec<Kind>> = Vec::new();
    for map in maps.iter().flat_map(|it| &it.1) {
        seen.resize(map.len(), Vec::new());
        for (all, kind) in seen.iter_mut().zip(map) {
            if !all.contains(kind) {
                all.push(*kind);
            }
        }
    }
    seen
}

/// One supposition of which picture most seats show while nothing stands on them.
struct Trial<'a> {
    lattice: Lattice,
    columns: usize,
    faces: &'a Faces,
    maps: &'a [Maps],
    seen: &'a [Vec<Kind>],
    plain: Kind,
    law: &'a Law,
}

type Told = (Board, Roles, Law, Record);

impl Trial<'_> {
    /// What reproduces most, where pictures of which it is in doubt what they are may be anything.
    fn best(&self, known: &Roles) -> Option<Told> {
        let roles = self.supposed(known);
        let mut best = self.told(roles)?;
        if best.3.right == 0 || best.3.wrong == 0 {
            return Some(best);
        }
        let doubtful = self.doubtful(&best.0, known);
        for kind in doubtful.iter().take(DOUBTFUL) {
            for role in [Some(Role::Ground), Some(Role::Tile), None] {
                let mut roles = best.1.clone();
                match role {
                    Some(role) => roles.insert(*kind, role),
                    None => roles.remove(kind),
                };
                let other = self.told(roles).filter(|it| it.3.wrong < best.3.wrong);
                best = other.unwrap_or(best);
            }
        }
        Some(best)
    }

    /// What pictures should be: what is seen where the plain ground is as well is a tile, and what is seen where tiles are, but
    /// never the plain ground, is an odd ground if it was there at first.
    fn supposed(&self, known: &Roles) -> Roles {
        let mut roles = known.clone();
        roles.insert(self.plain, Role::Ground);
        for kind in self.seen.iter().filter(|it| it.contains(&self.plain)).flatten() {
            roles.entry(*kind).or_insert(Role::Tile);
        }
        let tiles: Vec<Kind> = roles.iter().filter(|it| *it.1 == Role::Tile).map(|it| *it.0).collect();
        let first = self.maps.first().map_or(&[][..], |it| &it.1[0]);
        for all in self.seen.iter().filter(|it| it.len() > 1 && !it.contains(&self.plain)) {
            let over =
                |ground: Kind| tiles.iter().filter_map(move |it| self.faces.kind_over([*it, self.plain, ground]));
            if let Some(ground) = all.iter().find(|it| over(**it).any(|seen| seen != **it && all.contains(&seen))) {
                roles.entry(*ground).or_insert(Role::Ground);
            } else if all.iter().any(|it| tiles.contains(it)) {
                for kind in all {
                    let role = if first.contains(kind) { Role::Ground } else { Role::Tile };
                    roles.entry(*kind).or_insert(role);
                }
            }
        }
        roles
    }

    /// Pictures on the board or beside it of which it is not sure what they are.
    fn doubtful(&self, board: &Board, known: &Roles) -> Vec<Kind> {
        let is_sure = |kind: &Kind| {
            let with_plain = || self.seen.iter().any(|all| all.contains(&self.plain) && all.contains(kind));
            known.contains_key(kind) || with_plain()
        };
        let near = self.seen.iter().enumerate().filter(|it| board.reaches(it.0)).flat_map(|it| it.1.iter().copied());
        let mut kinds: Vec<Kind> = near.filter(|it| !is_sure(it)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// What is reproduced where pictures are this.
    fn told(&self, roles: Roles) -> Option<Told> {
        let ground = |all: &[Kind]| {
            let is_seat = all.iter().any(|it| roles.contains_key(it));
            let ground = all.iter().find(|it| roles.get(it) == Some(&Role::Ground)).copied();
            is_seat.then(|| ground.unwrap_or(self.plain))
        };
        let is_lively = |all: &[Kind]| all.len() > 1 || roles.get(&all[0]) == Some(&Role::Tile);
        let all: Vec<(Option<Kind>, bool)> = self.seen.iter().map(|it| (ground(it), is_lively(it))).collect();
        let board = Board::lay(self.lattice, self.plain, self.columns, &all)?;
        let stand = |map: &[Kind]| board.read(map, self.faces, &roles);
        let facts: Vec<Fact> =
            self.maps.iter().map(|(key, [before, after])| (*key, stand(before), stand(after))).collect();
        let mut law = self.law.clone();
        let record = law.learn(&board, &facts);
        Some((board, roles, law, record))
    }
}
