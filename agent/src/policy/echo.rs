//! The mark that many games leave where a click was: taken off everything that a policy sees.
//!
//! A dot, a cross or a ring that is there until the next click, or for a few steps, says nothing, yet it makes a new state
//! of every frame, divides things, and looks like an answer. It is told from what a click does by four signs: the first
//! click draws it from nothing, most other clicks draw the same one in the same place relative to it, on things of several
//! colours, and it goes by itself, or with the next click. How it looks so many steps after a click is learned apart, as
//! ripples spread and fade. The price is the first three clicks of a game.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{Action, ActionSet, Color, Command, Grid, Observation, Point};

use super::{Decision, Outcome, Policy};

/// How far from a click its mark reaches, in frame cells.
const RADIUS: i8 = 4;
/// Clicks that left their mark before it is taken off, and how many more for each that left none.
const EVIDENCE: u32 = 2;
const DOUBT: u32 = 3;
/// Colours clicked before: what lights up on one kind of thing is an answer.
const GROUNDS: u32 = 2;
/// Steps after a click for which its mark is learned. A guess.
const AGES: u8 = 16;

/// A policy that never sees marks of clicks.
#[derive(Debug)]
pub(super) struct Unmarked<P> {
    pub(super) player: P,
    echo: Echo,
}

impl<P> Unmarked<P> {
    pub(super) fn new(player: P) -> Unmarked<P> {
        Unmarked { player, echo: Echo::default() }
    }
}

impl<P: Policy> Policy for Unmarked<P> {
    fn name(&self) -> &'static str {
        self.player.name()
    }

    fn decide(&mut self, now: &Observation, actions: ActionSet) -> Decision {
        let clean = self.echo.clean(now);
        self.player.decide(clean.as_ref().unwrap_or(now), actions)
    }

    fn observe(&mut self, before: Option<&Observation>, command: Command, outcome: Outcome<'_>) {
        let clean = before.and_then(|it| self.echo.clean(it));
        let known = clean.as_ref().or(before);
        let Outcome::Seen(after) = outcome else {
            self.echo.went_on(None);
            return self.player.observe(known, command, outcome);
        };
        match (before, known, command) {
            (Some(before), Some(known), Command::Act(Action::Click(at))) => {
                self.echo.clicked(at, [before, after], known);
            }
            (Some(before), _, Command::Act(_)) if before.levels_completed == after.levels_completed => {
                self.echo.went_on(before.settled().zip(after.settled()).map(<[&Grid; 2]>::from));
            }
            _ => self.echo.went_on(None),
        }
        let seen = self.echo.clean(after);
        self.player.observe(known, command, Outcome::Seen(seen.as_ref().unwrap_or(after)));
    }

    fn defects(&self) -> u32 {
        self.player.defects()
    }
}

/// Colours by their offsets from a click.
type Mark = BTreeMap<(i8, i8), Color>;

/// What several clicks drew.
#[derive(Debug, Default)]
struct Votes {
    /// By offset and colour: clicks that drew it, and those that did or could have been seen to.
    cells: BTreeMap<((i8, i8), Color), (u32, u32)>,
    clicks: u32,
}

impl Votes {
    /// One more click drew this, where it would not have shown anything `hidden`.
    fn add(&mut self, drawn: &Mark, is_hidden: impl Fn((i8, i8), Color) -> bool) {
        self.clicks += 1;
        for ((by, color), (yes, of)) in &mut self.cells {
            let is_drawn = drawn.get(by) == Some(color);
            *yes += u32::from(is_drawn);
            *of += u32::from(is_drawn || !is_hidden(*by, *color));
        }
        for (by, color) in drawn {
            self.cells.entry((*by, *color)).or_insert((1, 1));
        }
    }

    /// What most clicks drew.
    fn mark(&self) -> Mark {
        let most = |(yes, of): (u32, u32)| 2 * yes > of;
        self.cells.iter().filter(|it| most(*it.1)).map(|((by, color), _)| (*by, *color)).collect()
    }
}

/// The newest click.
#[derive(Debug)]
struct Click {
    at: Point,
    /// What changed near it.
    drawn: Mark,
    /// What of that is no longer there.
    gone: BTreeSet<(i8, i8)>,
    /// The frame before it without marks, while the level lasts.
    under: Option<Grid>,
    /// Steps since then, and what is not as it was before the click, by those.
    age: u8,
    later: BTreeMap<u8, Mark>,
}

impl Click {
    /// Whether a frame shows at a point what the click drew there.
    fn shows(&self, point: Point, frame: &Grid) -> bool {
        let color = offset(self.at, point).and_then(|by| self.drawn.get(&by));
        color.is_some_and(|color| frame.get(point) == Some(*color))
    }

    /// Notes what of it goes on a step.
    fn fade(&mut self, [old, new]: [&Grid; 2]) {
        let place = |by: (i8, i8)| self.at.offset(by.0, by.1);
        let goes = |by: (i8, i8)| place(by).is_some_and(|it| self.shows(it, old) && !self.shows(it, new));
        let gone: Vec<(i8, i8)> = self.drawn.keys().copied().filter(|by| goes(*by)).collect();
        self.gone.extend(gone);
    }

    /// What of it is gone.
    fn faded(&self) -> impl Iterator<Item = (&(i8, i8), &Color)> {
        self.drawn.iter().filter(|(by, _)| self.gone.contains(by))
    }
}

/// Learns what clicks leave behind.
#[derive(Debug, Default)]
struct Echo {
    /// What clicks draw, and what is left of it after so many steps.
    drawn: Votes,
    later: BTreeMap<u8, Votes>,
    /// What most of them draw, and what is left of it.
    mark: Mark,
    looks: BTreeMap<u8, Mark>,
    /// Clicks that left it, and that did not.
    seen: u32,
    missed: u32,
    /// The colours clicked, as a set of indices.
    grounds: u16,
    /// Whether the first click drew something that was nowhere else before.
    is_new: bool,
    /// Whether a click drew nothing while no mark was known.
    unseen: bool,
    last: Option<Click>,
}

impl Echo {
    /// Something else than a click led from one frame to the next; `None` where everything is different then.
    fn went_on(&mut self, frames: Option<[&Grid; 2]>) {
        let Some(last) = &mut self.last else { return };
        last.age = last.age.saturating_add(1);
        let Some(([old, new], under)) = frames.zip(last.under.as_ref()) else {
            last.under = None;
            return;
        };
        if last.age <= AGES {
            let left = under.differences(new).into_iter().flatten();
            let left = left.filter_map(|it| Some((offset(last.at, it)?, new[it]))).collect();
            last.later.insert(last.age, left);
        }
        last.fade([old, new]);
    }

    /// A click at a place led from one observation to the next; `known` is the first one without marks.
    fn clicked(&mut self, at: Point, [before, after]: [&Observation; 2], known: &Observation) {
        let (Some(old), Some(new)) = (before.settled(), after.settled()) else { return };
        let Some(changed) = old.differences(new) else { return };
        let changed: Vec<Point> = changed.collect();
        let is_left = |point: &Point| self.last.as_ref().is_some_and(|last| last.shows(*point, old));
        let fresh = changed.iter().filter(|point| !is_left(point));
        let drawn: Mark = fresh.filter_map(|point| Some((offset(at, *point)?, new[*point]))).collect();
        match self.last.take() {
            None => {
                let mut far = changed.iter().filter(|point| offset(at, **point).is_none());
                self.is_new = far.all(|point| drawn.values().all(|color| *color != old[*point]));
            }
            Some(mut last) if distance(at, last.at) > reach(&drawn) + reach(&last.drawn) => {
                last.fade([old, new]);
                self.judge(at, &drawn, &last, old);
                self.last = Some(last);
            }
            other => self.last = other,
        }
        let under = known.settled().filter(|_| before.levels_completed == after.levels_completed).cloned();
        self.grounds |= known.settled().and_then(|it| it.get(at)).map_or(0, |color| 1 << color.index());
        let drawn = drawn.into_iter().chain(self.shown(at, new)).collect();
        self.last = Some(Click { at, drawn, gone: BTreeSet::new(), under, age: 0, later: BTreeMap::new() });
    }

    /// Compares what a click drew over a frame with what the one before had drawn and what is gone there.
    fn judge(&mut self, at: Point, drawn: &Mark, last: &Click, old: &Grid) {
        let common = intersection(last.faded(), drawn);
        let is_hidden = |by: (i8, i8), color| at.offset(by.0, by.1).is_none_or(|it| old.get(it) == Some(color));
        let visible = self.mark.iter().any(|(by, color)| !is_hidden(*by, *color));
        if common.is_empty() {
            return self.miss(visible, drawn.is_empty());
        }
        let is_other = intersection(self.mark.iter(), &common).is_empty();
        if is_other {
            self.missed += u32::from(!self.mark.is_empty());
            self.seen = 0;
            (self.drawn, self.later, self.looks) = (Votes::default(), BTreeMap::new(), BTreeMap::new());
        }
        self.seen += 1;
        self.drawn.add(&common, is_hidden);
        self.mark = self.drawn.mark();
        for (age, left) in &last.later {
            let votes = self.later.entry(*age).or_default();
            votes.add(left, |by, _| last.at.offset(by.0, by.1).is_none());
            if votes.clicks >= EVIDENCE {
                self.looks.insert(*age, votes.mark());
            }
        }
    }

    /// What a frame shows of the known mark at a click, and of what an earlier one drew in the very same place.
    fn shown(&self, at: Point, frame: &Grid) -> Mark {
        let again = self.last.as_ref().filter(|last| last.at == at).map(|last| &last.drawn);
        let marks = self.mark.iter().chain(again.into_iter().flatten());
        let is_there = |(by, color): &(&(i8, i8), &Color)| {
            at.offset(by.0, by.1).is_some_and(|point| frame.get(point) == Some(**color))
        };
        marks.filter(is_there).map(|(by, color)| (*by, *color)).collect()
    }

    /// The newest click did not draw what the one before had drawn; whether the known mark would have been `visible`, and
    /// whether it drew `nothing` at all. The first one that draws nothing may have drawn it unseen.
    fn miss(&mut self, visible: bool, nothing: bool) {
        let unseen = nothing && !std::mem::replace(&mut self.unseen, true);
        self.missed += u32::from(if self.mark.is_empty() { nothing && !unseen } else { visible });
    }

    fn is_sure(&self) -> bool {
        self.is_new && self.seen >= EVIDENCE + DOUBT * self.missed && self.grounds.count_ones() >= GROUNDS
    }

    /// How the mark looks after so many steps: as it last did where that is not known.
    fn look(&self, age: u8) -> &Mark {
        self.looks.range(..=age).next_back().map_or(&self.mark, |(_, look)| look)
    }

    /// The observation without the mark of the newest click; `None` where it shows none.
    fn clean(&self, observation: &Observation) -> Option<Observation> {
        let last = self.last.as_ref().filter(|_| self.is_sure())?;
        let look = self.look(last.age);
        let cleaned: Vec<Option<Grid>> = observation.layers.iter().map(|layer| cleaned(layer, last, look)).collect();
        cleaned.iter().any(Option::is_some).then(|| {
            let layers = observation.layers.iter().zip(cleaned);
            let layers = layers.map(|(layer, clean)| clean.unwrap_or_else(|| layer.clone())).collect();
            Observation { layers, ..observation.clone() }
        })
    }
}

/// The frame with what lies under a click's mark: what was there before the click where all around it is as it was, else
/// what lies nearest. `None` where it does not show the mark.
fn cleaned(frame: &Grid, last: &Click, mark: &Mark) -> Option<Grid> {
    let place = |(dx, dy): (i8, i8)| last.at.offset(dx, dy).filter(|at| frame.get(*at).is_some());
    let marked: Vec<_> = mark.iter().filter_map(|(by, color)| Some((place(*by)?, *by, *color))).collect();
    if marked.is_empty() || marked.iter().any(|(at, _, color)| frame[*at] != *color) {
        return None;
    }
    let mut clean = frame.clone();
    for (at, by, _) in marked {
        let beside = beside(mark, by).find_map(place)?;
        let under = last.under.as_ref().filter(|under| under.get(beside) == frame.get(beside));
        clean.set(at, under.and_then(|under| under.get(at)).unwrap_or(frame[beside]));
    }
    Some(clean)
}

/// Offsets without a mark, the nearest to this one first.
fn beside(mark: &Mark, (x, y): (i8, i8)) -> impl Iterator<Item = (i8, i8)> {
    let reach = -RADIUS - 1..=RADIUS + 1;
    let all = reach.clone().flat_map(move |dy| reach.clone().map(move |dx| (dx, dy)));
    let mut free: Vec<(i8, i8)> = all.filter(|by| !mark.contains_key(by)).collect();
    free.sort_by_key(|(dx, dy)| dx.abs_diff(x) + dy.abs_diff(y));
    free.into_iter()
}

/// Where a point lies from a click, if it is near.
fn offset(click: Point, point: Point) -> Option<(i8, i8)> {
    let by = (point.x() as i8 - click.x() as i8, point.y() as i8 - click.y() as i8);
    (by.0.abs() <= RADIUS && by.1.abs() <= RADIUS).then_some(by)
}

/// How far from a click a mark reaches.
fn reach(mark: &Mark) -> u8 {
    mark.keys().map(|(dx, dy)| dx.unsigned_abs().max(dy.unsigned_abs())).max().unwrap_or_default()
}

/// The longer way of the two, across or down.
fn distance(a: Point, b: Point) -> u8 {
    a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y()))
}

/// What both show.
fn intersection<'a>(one: impl Iterator<Item = (&'a (i8, i8), &'a Color)>, other: &Mark) -> Mark {
    one.filter(|(by, color)| other.get(*by) == Some(*color)).map(|(by, color)| (*by, *color)).collect()
}

#[cfg(test)]
mod tests {
    use env_client::Key;

    use super::*;
    use crate::policy::tests::observation;

    /// Remembers what it saw.
    #[derive(Debug, Default)]
    struct Witness(Vec<String>);

    impl Policy for Witness {
        fn name(&self) -> &'static str {
            "witness"
        }

        fn decide(&mut self, now: &Observation, _actions: ActionSet) -> Decision {
            unreachable!("nobody asks what to do at {now:?}")
        }

        fn observe(&mut self, _before: Option<&Observation>, _command: Command, outcome: Outcome<'_>) {
            let Outcome::Seen(after) = outcome else { return };
            self.0.push(after.settled().unwrap().to_string());
        }
    }

    const WIDTH: usize = 30;
    const KEY: Action = Action::Key(Key::Key1);

    /// A strip of three rows in colours 1 and 2, with things drawn on it by column.
    fn strip(things: &[(usize, char)]) -> Observation {
        let mut row: Vec<char> = "1".repeat(WIDTH / 2).chars().chain("2".repeat(WIDTH / 2).chars()).collect();
        let plain: String = row.iter().collect();
        for (column, color) in things {
            row[*column] = *color;
        }
        observation(&[plain.clone(), row.iter().collect(), plain].join("\n"))
    }

    /// What is seen of clicks in some columns, each of which leads to the strip given.
    fn seen(clicks: &[(usize, Observation)]) -> Vec<bool> {
        let mut policy = Unmarked::new(Witness::default());
        let mut before = strip(&[]);
        for (column, after) in clicks {
            let at = Action::Click(Point::new(*column as u8, 1).unwrap());
            policy.observe(Some(&before), at.into(), Outcome::Seen(after));
            before = after.clone();
        }
        let plain = strip(&[]).settled().unwrap().to_string();
        policy.player.0.iter().map(|it| *it == plain).collect()
    }

    #[test]
    fn what_every_click_leaves_is_not_seen_from_the_third_on() {
        let clicks = [3, 20, 10, 26].map(|column| (column, strip(&[(column, '7')])));
        assert_eq!(seen(&clicks), [false, false, true, true]);
    }

    #[test]
    fn what_comes_from_elsewhere_is_a_piece() {
        let clicks = [3, 20, 10, 26].map(|column| (column, strip(&[(column, '7')])));
        let mut policy = Unmarked::new(Witness::default());
        let mut before = strip(&[(15, '7')]);
        for (column, after) in &clicks {
            policy.observe(
                Some(&before),
                Action::Click(Point::new(*column as u8, 1).unwrap()).into(),
                Outcome::Seen(after),
            );
            before = after.clone();
        }
        assert!(policy.player.0.iter().all(|it| it.contains('7')));
    }

    #[test]
    fn what_stays_is_painted() {
        let painted: Vec<(usize, char)> = [3, 20, 10, 26].map(|column| (column, '7')).to_vec();
        let clicks: Vec<(usize, Observation)> =
            (1..=4).map(|count| (painted[count - 1].0, strip(&painted[..count]))).collect();
        assert_eq!(seen(&clicks), [false; 4]);
    }

    #[test]
    fn what_only_one_kind_of_thing_shows_is_an_answer() {
        let clicks = [2, 12, 2, 12].map(|column| (column, strip(&[(column, '7')])));
        assert_eq!(seen(&clicks), [false; 4]);
    }

    #[test]
    fn under_the_mark_lies_what_the_click_made_of_it() {
        let teach = [3, 20, 10].map(|column| (column, strip(&[(column, '7')])));
        let mut policy = Unmarked::new(Witness::default());
        let row = "1".repeat(15) + &"2".repeat(9) + "555" + "222";
        let painted =
            |middle: &str| observation(&[&row, &row.replace("555", middle), &row].map(String::as_str).join("\n"));
        let mut before = strip(&[]);
        for (column, after) in teach.into_iter().chain([(25, painted("575"))]) {
            let at = Action::Click(Point::new(column as u8, 1).unwrap());
            policy.observe(Some(&before), at.into(), Outcome::Seen(&after));
            before = after;
        }
        let expected = painted("555").settled().unwrap().to_string();
        assert_eq!(policy.player.0.last(), Some(&expected));
    }

    /// What is seen of clicks in two halves of a strip, each with two keys after it: a dot, then a ring, then nothing.
    #[test]
    fn what_spreads_and_fades_after_a_click_is_not_seen_once_it_is_known() {
        let mut policy = Unmarked::new(Witness::default());
        let mut before = strip(&[]);
        for column in [4, 20, 10, 26, 7] {
            let looks = [strip(&[(column, '7')]), strip(&[(column - 1, '7'), (column + 1, '7')]), strip(&[])];
            let click = Action::Click(Point::new(column as u8, 1).unwrap());
            for (action, after) in [click, KEY, KEY].into_iter().zip(looks) {
                policy.observe(Some(&before), action.into(), Outcome::Seen(&after));
                before = after;
            }
        }
        let plain = strip(&[]).settled().unwrap().to_string();
        let seen: Vec<bool> = policy.player.0.iter().map(|it| *it == plain).collect();
        assert_eq!(seen[9..], [true; 6], "{seen:?}");
    }

    #[test]
    fn what_stays_while_keys_are_pressed_is_painted() {
        let mut policy = Unmarked::new(Witness::default());
        let mut before = strip(&[]);
        for (index, column) in [4, 20, 10, 26].into_iter().enumerate() {
            let painted: Vec<(usize, char)> = [4, 20, 10, 26][..=index].iter().map(|it| (*it, '7')).collect();
            let click = Action::Click(Point::new(column as u8, 1).unwrap());
            for action in [click, KEY] {
                let after = strip(&painted);
                policy.observe(Some(&before), action.into(), Outcome::Seen(&after));
                before = after;
            }
        }
        assert!(policy.player.0.iter().all(|it| it.contains('7')));
    }

    #[test]
    fn a_part_of_a_mark_that_one_click_hid_is_known_after_others() {
        let cross = |at: usize| vec![(at - 1, '7'), (at, '7'), (at + 1, '7')];
        let hidden = |at: usize| vec![(at, '7'), (at + 1, '7')];
        let columns = [4, 20, 10, 26, 7];
        let frames = [hidden(4), cross(20), cross(10), cross(26), cross(7)].map(|it| strip(&it));
        let seen = seen(&columns.into_iter().zip(frames).collect::<Vec<_>>());
        assert!(seen[3] && seen[4], "{seen:?}");
    }
}
