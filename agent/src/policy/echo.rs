//! The mark that many games leave where a click was: taken off everything that a policy sees.
//!
//! A dot, a cross or a ring that is there until the next click says nothing, yet it makes a new state of every frame,
//! divides things, and looks like an answer. It is told from what a click does by four signs: the first click draws it from
//! nothing, every other click draws the same one in the same place relative to it, on things of several colours, and the
//! one before is gone then. The price is the first three clicks of a game.

use std::collections::BTreeMap;

use env_client::{Action, ActionSet, Color, Command, Grid, Observation, Point};

use super::{Decision, Outcome, Policy};

/// How far from a click its mark reaches, in frame cells.
const RADIUS: i8 = 4;
/// Clicks that left their mark before it is taken off, and how many more for each that left none.
const EVIDENCE: u32 = 2;
const DOUBT: u32 = 3;
/// Colours clicked before: what lights up on one kind of thing is an answer.
const GROUNDS: u32 = 2;

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
        let Outcome::Seen(after) = outcome else { return self.player.observe(known, command, outcome) };
        if let (Some(before), Some(known), Command::Act(Action::Click(at))) = (before, known, command) {
            self.echo.clicked(at, [before, after], known);
        }
        let seen = self.echo.clean(after);
        self.player.observe(known, command, Outcome::Seen(seen.as_ref().unwrap_or(after)));
    }
}

/// Colours by their offsets from a click.
type Mark = BTreeMap<(i8, i8), Color>;

/// The newest click.
#[derive(Debug)]
struct Click {
    at: Point,
    /// What changed near it.
    drawn: Mark,
    /// The frame before it without marks, while the level lasts.
    under: Option<Grid>,
}

impl Click {
    /// Whether a frame shows at a point what the click drew there.
    fn shows(&self, point: Point, frame: &Grid) -> bool {
        let color = offset(self.at, point).and_then(|by| self.drawn.get(&by));
        color.is_some_and(|color| frame.get(point) == Some(*color))
    }
}

/// Learns what clicks leave behind.
#[derive(Debug, Default)]
struct Echo {
    mark: Mark,
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
    /// A click at a place led from one observation to the next; `known` is the first one without marks.
    fn clicked(&mut self, at: Point, [before, after]: [&Observation; 2], known: &Observation) {
        let (Some(old), Some(new)) = (before.settled(), after.settled()) else { return };
        let Some(changed) = old.differences(new) else { return };
        let changed: Vec<Point> = changed.collect();
        let is_left = |point: &Point| self.last.as_ref().is_some_and(|last| last.shows(*point, old));
        let fresh = changed.iter().filter(|point| !is_left(point));
        let drawn: Mark = fresh.filter_map(|point| Some((offset(at, *point)?, new[*point]))).collect();
        match &self.last {
            None => {
                let mut far = changed.iter().filter(|point| offset(at, **point).is_none());
                self.is_new = far.all(|point| drawn.values().all(|color| *color != old[*point]));
            }
            Some(last) if distance(at, last.at) > reach(&drawn) + reach(&last.drawn) => {
                let is_gone = |point: Point| last.shows(point, old) && !last.shows(point, new);
                let gone = last.drawn.iter().filter(|(by, _)| last.at.offset(by.0, by.1).is_some_and(is_gone));
                let common = intersection(gone, &drawn);
                let is_hidden =
                    |by: &(i8, i8), color| at.offset(by.0, by.1).is_none_or(|it| old.get(it) == Some(color));
                let visible = self.mark.iter().any(|(by, color)| !is_hidden(by, *color));
                self.weigh(common, visible, drawn.is_empty());
            }
            Some(_) => {}
        }
        let under = known.settled().filter(|_| before.levels_completed == after.levels_completed).cloned();
        self.grounds |= known.settled().and_then(|it| it.get(at)).map_or(0, |color| 1 << color.index());
        let drawn = drawn.into_iter().chain(self.shown(at, new)).collect();
        self.last = Some(Click { at, drawn, under });
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

    /// The newest click drew what the one before had drawn and what is gone there; whether the known mark would have been
    /// `visible`, and whether it drew `nothing` at all. The first one that draws nothing may have drawn it unseen.
    fn weigh(&mut self, common: Mark, visible: bool, nothing: bool) {
        if common.is_empty() {
            let unseen = nothing && !std::mem::replace(&mut self.unseen, true);
            self.missed += u32::from(if self.mark.is_empty() { nothing && !unseen } else { visible });
            return;
        }
        let both = intersection(self.mark.iter(), &common);
        let is_other = both.is_empty();
        self.missed += u32::from(is_other && !self.mark.is_empty());
        self.seen = if is_other { 1 } else { self.seen + 1 };
        self.mark = if is_other { common } else { both };
    }

    fn is_sure(&self) -> bool {
        self.is_new && self.seen >= EVIDENCE + DOUBT * self.missed && self.grounds.count_ones() >= GROUNDS
    }

    /// The observation without the mark of the newest click; `None` where it shows none.
    fn clean(&self, observation: &Observation) -> Option<Observation> {
        let last = self.last.as_ref().filter(|_| self.is_sure())?;
        let cleaned: Vec<Option<Grid>> = observation.layers.iter().map(|layer| self.cleaned(layer, last)).collect();
        cleaned.iter().any(Option::is_some).then(|| {
            let layers = observation.layers.iter().zip(cleaned);
            let layers = layers.map(|(layer, clean)| clean.unwrap_or_else(|| layer.clone())).collect();
            Observation { layers, ..observation.clone() }
        })
    }

    /// The frame with what lies under the mark: what was there before the click where all around it is as it was, else
    /// what lies nearest.
    fn cleaned(&self, frame: &Grid, last: &Click) -> Option<Grid> {
        let place = |(dx, dy): (i8, i8)| last.at.offset(dx, dy).filter(|at| frame.get(*at).is_some());
        let marked = self.mark.iter().filter_map(|(by, color)| Some((place(*by)?, *by, *color)));
        let mut clean = frame.clone();
        for (at, by, color) in marked {
            if frame[at] != color {
                return None;
            }
            let beside = self.beside(by).find_map(place)?;
            let under = last.under.as_ref().filter(|under| under.get(beside) == frame.get(beside));
            clean.set(at, under.and_then(|under| under.get(at)).unwrap_or(frame[beside]));
        }
        Some(clean)
    }

    /// Offsets without a mark, the nearest to this one first.
    fn beside(&self, (x, y): (i8, i8)) -> impl Iterator<Item = (i8, i8)> {
        let reach = -RADIUS - 1..=RADIUS + 1;
        let all = reach.clone().flat_map(move |dy| reach.clone().map(move |dx| (dx, dy)));
        let mut free: Vec<(i8, i8)> = all.filter(|by| !self.mark.contains_key(by)).collect();
        free.sort_by_key(|(dx, dy)| dx.abs_diff(x) + dy.abs_diff(y));
        free.into_iter()
    }
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
}
