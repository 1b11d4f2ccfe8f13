//! Cards that lie face down: a click turns one over, and unlike ones are turned back.
//!
//! # The one decision
//! Where cards lie is told by the first one that is turned over in a level: all that looked as it did before is a card. From then
//! on a card lies face down where it looks like that, and whatever else is seen there is its face, be it for a moment only; but
//! what a click did nothing to is none. Faces are remembered while the level is played, also when it begins again.
//!
//! There are cards in a game once unlike ones were turned back together without a click on each of them; and there are none if
//! like ones were, or unlike ones stay. How many of a kind stay face up is told by those that did: two, as far as anybody knows.

use std::collections::BTreeSet;

use env_client::{Action, Color, Grid, Point};

use crate::{Bounds, InterfaceMask, Outcome, Scene, Start, Transition};

/// Fewer cards than this are none, and one of them takes no more of the frame than one part in so many.
const FEWEST: usize = 4;
const LARGEST: usize = 6;

/// The colours in a rectangle, row by row.
type Picture = Vec<Color>;

/// Where the cards of a level lie.
#[derive(Clone, Debug)]
struct Deck {
    /// The rectangle of each.
    spots: Vec<Bounds>,
    back: Picture,
    /// Where to click one, counted from its corner.
    offset: (u8, u8),
}

impl Deck {
    /// The cards of which one was turned over by a click here, if nothing else changed.
    fn find([before, after]: [&Grid; 2], mask: &InterfaceMask, at: Point) -> Option<Deck> {
        let scene = Scene::of(before);
        let clicked = scene.component_at(at).filter(|it| !scene.is_ground(*it))?;
        let clicked = &scene.components()[clicked];
        let changed = before.differences(after)?.filter(|it| !mask.hides(*it));
        let changed = Bounds::around(changed)?;
        let spot = changed.union(clicked.bounds);
        let is_small = usize::from(spot.width()) * usize::from(spot.height()) * LARGEST <= before.cells().len();
        if !is_small || !spot.contains(at.x(), at.y()) || clicked.bounds.overlap(changed) == 0 {
            return None;
        }
        let back = picture(before, spot);
        let like = scene.components().iter().filter(|it| it.color == clicked.color && it.shape == clicked.shape);
        let moved = like.filter_map(|it| shifted(spot, clicked.bounds, it.bounds));
        let mut spots: Vec<Bounds> = Vec::new();
        for it in moved.filter(|it| picture(before, *it) == back) {
            if spots.iter().all(|other| other.overlap(it) == 0) {
                spots.push(it);
            }
        }
        let offset = (at.x() - spot.left, at.y() - spot.top);
        (spots.len() >= FEWEST).then_some(Deck { spots, back, offset })
    }

    fn at(&self, at: Point) -> Option<usize> {
        self.spots.iter().position(|it| it.contains(at.x(), at.y()))
    }

    /// What is seen of each card that does not lie face down.
    fn read(&self, frame: &Grid) -> Vec<Option<Picture>> {
        self.spots.iter().map(|it| Some(picture(frame, *it)).filter(|it| *it != self.back)).collect()
    }
}

/// What is known of cards.
#[derive(Clone, Debug, Default)]
pub struct Cards {
    deck: Option<Deck>,
    /// How the level looked when it began: faces may be shown before they are to be found.
    first: Option<Grid>,
    /// Clicks of this level on what may lie face down that changed nothing: there are no cards.
    idle: BTreeSet<Point>,
    /// What is on each card, where it was seen, and which lie face up now.
    faces: Vec<Option<Picture>>,
    is_up: Vec<bool>,
    /// Those that are face up for the time being, in the order in which they were turned over.
    open: Vec<usize>,
    /// How many of a kind stay face up.
    count: Option<usize>,
    /// Times in this game that unlike cards were turned back, and that like ones were or unlike ones were not.
    unlike: u32,
    odd: u32,
}

impl Cards {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, frame: &Grid, start: Start) {
        self.open.clear();
        if start == Start::Level {
            (self.deck, self.first) = (None, Some(frame.clone()));
            self.faces.clear();
            self.idle.clear();
        }
        self.is_up = self.deck.iter().flat_map(|it| it.read(frame)).map(|it| it.is_some()).collect();
    }

    /// Learns from one action.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let Action::Click(at) = step.action else { return };
        let Some(after) = step.after().filter(|_| step.outcome == Outcome::Continues) else { return };
        let is_down = |deck: &Deck| deck.at(at).is_some_and(|it| picture(step.before, deck.spots[it]) == deck.back);
        match first_change(step, mask) {
            None if self.deck.as_ref().is_none_or(is_down) => {
                self.idle.insert(at);
            }
            Some(shown) if self.deck.is_none() => self.look([step.before, shown], mask, at),
            _ => {}
        }
        let Some(deck) = &self.deck else { return };
        let shown: Vec<Vec<Option<Picture>>> = step.layers.iter().map(|it| deck.read(it)).collect();
        let (was, now, clicked) = (deck.read(step.before), deck.read(after), deck.at(at));
        self.is_up = now.iter().map(Option::is_some).collect();
        let mut closed: Vec<usize> = (0..now.len()).filter(|it| was[*it].is_some() && now[*it].is_none()).collect();
        let is_turned = |it: &usize| was[*it].is_none() || closed.contains(it);
        let turned = clicked.filter(is_turned).and_then(|it| Some((it, most_shown(&shown, it)?)));
        let is_marked = self.open.iter().any(|it| now[*it].is_some() && now[*it] != was[*it]);
        match turned {
            Some((card, _)) if is_marked => self.settle(card),
            Some((card, face)) => {
                if !self.is_up[card] && !closed.contains(&card) {
                    closed.push(card);
                }
                self.turn(card, &face, &closed);
            }
            None => self.judge(&closed),
        }
    }

    /// Looks for the cards of a level, the first of which may have been turned over here.
    fn look(&mut self, frames: [&Grid; 2], mask: &InterfaceMask, at: Point) {
        let Some(deck) = Deck::find(frames, mask, at) else { return };
        self.faces = self.first.as_ref().map_or_else(Vec::new, |first| deck.read(first));
        self.is_up = vec![false; deck.spots.len()];
        self.deck = Some(deck);
    }

    /// This card was turned over, and these were turned back.
    fn turn(&mut self, card: usize, face: &Picture, closed: &[usize]) {
        self.see(card, face);
        self.judge(closed);
        if self.is_up[card] {
            self.open.push(card);
        }
        if self.open.len() == self.count() && self.most_alike(&self.open) == self.count() {
            self.open.clear();
        }
    }

    /// This card and those that were open look otherwise from now on: they are of a kind, and stay face up.
    fn settle(&mut self, card: usize) {
        self.count = Some(self.open.len() + 1);
        self.faces[card] = self.faces[self.open[0]].clone();
        self.open.clear();
    }

    /// How many of these cards are of a kind, at most.
    fn most_alike(&self, cards: &[usize]) -> usize {
        let alike = |it: &usize| cards.iter().filter(|other| self.faces[**other] == self.faces[*it]).count();
        cards.iter().map(alike).max().unwrap_or_default()
    }

    /// This is on a card; where something else was, it is another deal.
    fn see(&mut self, card: usize, face: &Picture) {
        if self.faces[card].as_ref().is_some_and(|it| it != face) {
            self.faces.fill(None);
        }
        self.faces[card] = Some(face.clone());
    }

    /// These were turned back: all that were open; or nothing was, though unlike ones are, of which the like ones stay, then.
    fn judge(&mut self, closed: &[usize]) {
        let most = self.most_alike(&self.open);
        if closed.is_empty() {
            // Of two that are unlike, none was turned back.
            self.odd += u32::from(most == 1 && self.open.len() > 1);
            if 1 < most && most < self.open.len() {
                self.count = Some(most);
                let open = std::mem::take(&mut self.open);
                let is_left = |it: &usize| {
                    self.most_alike(&open) > open.iter().filter(|other| self.faces[**other] == self.faces[*it]).count()
                };
                self.open = open.iter().copied().filter(is_left).collect();
            }
            return;
        }
        self.open.clear();
        match self.most_alike(closed) {
            most if most == closed.len() => self.odd += u32::from(most > 1),
            most => {
                self.count = if most > 1 { Some(most + 1) } else { self.count };
                self.unlike += 1;
            }
        }
    }

    /// Whether this game has cards.
    pub fn is_understood(&self) -> bool {
        self.unlike > 4 * self.odd
    }

    /// Whether it may have cards: faces were seen that differ, or one alone.
    pub fn is_likely(&self) -> bool {
        let seen: Vec<&Picture> = self.faces.iter().flatten().collect();
        self.odd == 0 && (seen.len() == 1 || seen.iter().any(|it| *it != seen[0]))
    }

    /// How many of a kind stay face up.
    pub fn count(&self) -> usize {
        self.count.unwrap_or(2)
    }

    /// The card to turn over next: one that goes with those which are face up, else the first of a kind that is known, else one
    /// that is not known.
    pub fn next(&self) -> Option<Action> {
        let down = |it: &usize| !self.is_up[*it] && !self.is_idle(*it);
        let cards = 0..self.is_up.len();
        let of = |face: &Picture, it: &usize| self.faces[*it].as_ref() == Some(face);
        let unknown = || cards.clone().filter(down).find(|it| self.faces[*it].is_none());
        let open = self.open.first().and_then(|it| self.faces[*it].as_ref());
        let open = open.filter(|face| self.open.iter().all(|it| of(face, it)) && self.open.len() < self.count());
        let is_free = |it: &usize| !self.is_up[*it] || self.open.contains(it);
        let is_whole = |it: &usize| {
            let alike = |face: &Picture| cards.clone().filter(is_free).filter(|it| of(face, it)).count();
            self.faces[*it].as_ref().is_some_and(|face| alike(face) >= self.count())
        };
        let card = if let Some(face) = open {
            cards.clone().filter(down).find(|it| of(face, it)).or_else(unknown)
        } else {
            cards.clone().filter(down).find(is_whole).or_else(unknown).or_else(|| cards.clone().find(down))
        };
        self.click(card?)
    }

    /// Whether a click on what looks like a card did nothing.
    fn is_idle(&self, card: usize) -> bool {
        self.deck.iter().any(|deck| self.idle.iter().any(|at| deck.spots[card].contains(at.x(), at.y())))
    }

    fn click(&self, card: usize) -> Option<Action> {
        let deck = self.deck.as_ref()?;
        let spot = deck.spots[card];
        Point::new(spot.left + deck.offset.0, spot.top + deck.offset.1).ok().map(Action::Click)
    }

    /// Where to click to find out where the cards of this level lie: on one of the most alike.
    pub fn first(&self, frame: &Grid, mask: &InterfaceMask) -> Option<Action> {
        if self.deck.is_some() {
            return None;
        }
        let scene = Scene::of(frame);
        let all = || {
            scene
                .components()
                .iter()
                .zip(0..)
                .filter(|(it, index)| !scene.is_ground(*index) && !mask.hides(it.center))
                .map(|it| it.0)
        };
        let like =
            |it: &crate::Component| all().filter(|other| other.color == it.color && other.shape == it.shape).count();
        let alike = all().map(|it| (like(it), it)).filter(|it| it.0 >= FEWEST);
        alike.max_by_key(|(count, it)| count * usize::from(it.area)).map(|(_, it)| Action::Click(it.center))
    }
}

/// The first frame of a step in which anything but the interface looks otherwise than before.
fn first_change<'a>(step: &Transition<'a>, mask: &InterfaceMask) -> Option<&'a Grid> {
    let is_other = |it: &&Grid| step.before.differences(it).is_some_and(|mut it| it.any(|at| !mask.hides(at)));
    step.layers.iter().find(is_other)
}

fn picture(frame: &Grid, spot: Bounds) -> Picture {
    spot.points().filter_map(|at| frame.get(at)).collect()
}

/// The spot that lies to one thing as this spot lies to another.
fn shifted(spot: Bounds, from: Bounds, to: Bounds) -> Option<Bounds> {
    let x = |it: u8| (it + to.left).checked_sub(from.left);
    let y = |it: u8| (it + to.top).checked_sub(from.top);
    Some(Bounds { left: x(spot.left)?, top: y(spot.top)?, right: x(spot.right)?, bottom: y(spot.bottom)? })
}

/// The face that a card showed in the most of these readings, the last of those that were shown as long.
fn most_shown(shown: &[Vec<Option<Picture>>], card: usize) -> Option<Picture> {
    if let Some(settled) = shown.last().and_then(|it| it[card].clone()) {
        return Some(settled);
    }
    let faces: Vec<&Picture> = shown.iter().filter_map(|it| it[card].as_ref()).collect();
    faces.iter().max_by_key(|face| faces.iter().filter(|it| it == face).count()).map(|it| (*it).clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cards with a pattern on their backs, three in a row, and what is on each.
    struct Table {
        faces: Vec<u8>,
        is_up: Vec<bool>,
        open: Vec<usize>,
        count: usize,
        /// Whether unlike cards are turned back at once, and the ink of the rims of those that stay.
        is_quick: bool,
        rim: u8,
    }

    impl Table {
        fn new(faces: &[u8], count: usize, is_quick: bool) -> Table {
            Table { faces: faces.to_vec(), is_up: vec![false; faces.len()], open: Vec::new(), count, is_quick, rim: 1 }
        }

        fn frame(&self) -> Grid {
            let mut frame = Grid::filled(40, 40, Color::of(0));
            for (card, (is_up, face)) in self.is_up.iter().zip(&self.faces).enumerate() {
                let (left, top) = (3 + 12 * (card as u8 % 3), 2 + 9 * (card as u8 / 3));
                for (x, y) in (0..6).flat_map(|y| (0..6).map(move |x| (x, y))) {
                    let is_rim = x % 5 == 0 || y % 5 == 0;
                    let stays = *is_up && !self.open.contains(&card);
                    let color = match (*is_up, is_rim) {
                        (true, false) => *face,
                        (true, true) if stays => self.rim,
                        _ => 1 + u8::from((x + y) % 5 == 4),
                    };
                    frame.set(Point::new(left + x, top + y).unwrap(), Color::of(color));
                }
            }
            frame
        }

        fn close(&mut self) {
            for card in std::mem::take(&mut self.open) {
                self.is_up[card] = false;
            }
        }

        /// The frames that a click leads to.
        fn click(&mut self, at: Point) -> Vec<Grid> {
            let card = (at.x() as usize - 3) / 12 + 3 * ((at.y() as usize - 2) / 9);
            let is_unlike = |it: &Table| it.open.iter().any(|card| it.faces[*card] != it.faces[it.open[0]]);
            if is_unlike(self) {
                self.close();
            }
            if !self.is_up[card] {
                self.is_up[card] = true;
                self.open.push(card);
            }
            let is_unlike = is_unlike(self);
            if !is_unlike && self.open.len() == self.count {
                self.open.clear();
            }
            let shown = self.frame();
            if is_unlike && self.is_quick {
                self.close();
                return vec![shown, self.frame()];
            }
            vec![shown]
        }

        fn act(&mut self, cards: &mut Cards, action: Action) {
            let (before, Action::Click(at)) = (self.frame(), action) else { panic!() };
            let layers = self.click(at);
            let step = Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues };
            cards.observe(&step, &InterfaceMask::new());
        }

        /// The clicks until all lie face up, no more than so many.
        fn play(&mut self, cards: &mut Cards, most: usize) -> usize {
            cards.begin(&self.frame(), Start::Level);
            let first = cards.first(&self.frame(), &InterfaceMask::new()).expect("cards are alike");
            self.act(cards, first);
            for clicks in 2..=most {
                let next = cards.next().unwrap_or_else(|| panic!("nothing to do after {clicks} clicks"));
                self.act(cards, next);
                if self.is_up.iter().all(|it| *it) {
                    return clicks;
                }
            }
            panic!("{most} clicks were not enough");
        }
    }

    #[test]
    fn pairs_are_found_with_what_was_seen_before() {
        for is_quick in [false, true] {
            let mut cards = Cards::default();
            let clicks = Table::new(&[3, 4, 5, 3, 5, 4], 2, is_quick).play(&mut cards, 12);
            assert!(clicks >= 8 && cards.is_understood(), "{clicks}");
        }
    }

    #[test]
    fn cards_that_look_otherwise_once_they_stay_are_of_a_kind_and_what_was_seen_of_others_is_kept() {
        let mut cards = Cards::default();
        let mut table = Table { rim: 9, ..Table::new(&[3, 4, 3, 5, 4, 5], 2, false) };
        cards.begin(&table.frame(), Start::Level);
        for (x, y) in [(6, 5), (18, 5), (30, 5), (6, 5)] {
            table.act(&mut cards, Action::Click(Point::new(x, y).unwrap()));
        }
        assert_eq!(
            cards.faces.iter().map(Option::is_some).collect::<Vec<_>>(),
            [true, true, true, false, false, false]
        );
        assert_eq!((cards.open.len(), cards.count), (0, Some(2)));
    }

    #[test]
    fn threes_are_threes_once_two_of_a_kind_were_turned_back() {
        let mut cards = Cards::default();
        Table::new(&[3, 3, 4, 4, 3, 4], 3, true).play(&mut cards, 12);
        assert_eq!((cards.count(), cards.is_understood()), (3, true));
        Table::new(&[3, 4, 4, 5, 5, 3], 2, false).play(&mut cards, 20);
        assert_eq!(cards.count(), 2, "and pairs are pairs where they stay");
    }

    #[test]
    fn what_a_click_did_nothing_to_is_no_card() {
        let (mut cards, mut table) = (Cards::default(), Table::new(&[3, 4, 5, 3, 4, 5], 2, false));
        cards.begin(&table.frame(), Start::Level);
        let (frame, action) = (table.frame(), Action::Click(Point::new(6, 5).unwrap()));
        let idle = Transition { before: &frame, action, layers: &[table.frame()], outcome: Outcome::Continues };
        cards.observe(&idle, &InterfaceMask::new());
        table.act(&mut cards, Action::Click(Point::new(18, 5).unwrap()));
        assert_eq!(cards.next(), Some(Action::Click(Point::new(30, 5).unwrap())));
    }

    #[test]
    fn fields_that_stay_as_they_are_painted_are_no_cards() {
        let (mut cards, mut table) = (Cards::default(), Table::new(&[3, 4, 5, 3, 4, 5], 6, false));
        cards.begin(&table.frame(), Start::Level);
        for (card, x) in [6, 18, 30].into_iter().enumerate() {
            let before = table.frame();
            table.is_up[card] = true;
            let (action, layers) = (Action::Click(Point::new(x, 5).unwrap()), [table.frame()]);
            let step = Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues };
            cards.observe(&step, &InterfaceMask::new());
            assert_eq!(cards.is_likely(), card < 2);
        }
    }

    #[test]
    fn lamps_that_go_out_when_another_is_lit_are_no_cards() {
        let mut cards = Cards::default();
        let mut lamps = Table::new(&[3; 6], 6, false);
        cards.begin(&lamps.frame(), Start::Level);
        for at in [(4, 4), (16, 4)] {
            let at = Point::new(at.0, at.1).unwrap();
            lamps.act(&mut cards, Action::Click(at));
        }
        lamps.close();
        let (before, dark) = (Table::new(&[3; 6], 6, false), lamps.frame());
        let mut lit = before;
        lit.is_up[..2].fill(true);
        let action = Action::Click(Point::new(28, 4).unwrap());
        let step = Transition { before: &lit.frame(), action, layers: &[dark], outcome: Outcome::Continues };
        cards.observe(&step, &InterfaceMask::new());
        assert_eq!((cards.odd, cards.unlike), (1, 0));
        assert!(!cards.is_understood() && !cards.is_likely());
    }
}
