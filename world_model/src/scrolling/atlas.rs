//! A play whose view scrolls, as one whose view does not.

use std::collections::BTreeSet;

use env_client::{Command, Grid, Observation, Point};

use super::{
    At,
    chart::{Chart, Tiles, plus},
    lens::{Lens, Tile},
};

/// Views that were found nowhere before the atlas is no good.
const ASTRAY: usize = 4;
/// Of the room that is left beside what is known, the share that is kept where nothing was found yet on the way: one of so
/// many.
const KEPT: i16 = 4;

/// What was seen of one world, and the tile of it that is shown first.
#[derive(Clone, Debug, Default)]
struct Page {
    first: Tiles,
    corner: At,
}

/// Charts of the worlds of a play, in their order.
#[derive(Clone, Debug)]
pub struct Atlas {
    lens: Lens,
    pages: Vec<Page>,
    /// The page that is open, counted from 1, and its chart.
    open: usize,
    chart: Chart,
    astray: usize,
    /// All kinds of tiles that were seen.
    kinds: BTreeSet<Tile>,
    /// Whether some are new since they were last told apart.
    is_new: bool,
}

impl Atlas {
    pub(super) fn new(lens: Lens) -> Atlas {
        Atlas {
            lens,
            pages: Vec::new(),
            open: 0,
            chart: Chart::default(),
            astray: 0,
            kinds: BTreeSet::new(),
            is_new: false,
        }
    }

    /// The same before the play, knowing what was seen in it.
    #[must_use]
    pub fn again(mut self) -> Atlas {
        self.close();
        let room = self.lens.room();
        for page in &mut self.pages {
            let Some((low, high)) = Chart::knowing(page.first.clone()).extent() else { continue };
            let along = |corner, room, from, to| {
                let fits = to < from + room;
                if fits { shown_from(corner, room, (from, to + 1), (from, to + 1)) } else { corner }
            };
            page.corner = (along(page.corner.0, room.0, low.0, high.0), along(page.corner.1, room.1, low.1, high.1));
        }
        Atlas { open: 0, chart: Chart::default(), astray: 0, ..self }
    }

    /// Whether views were found nowhere too often.
    pub fn is_lost(&self) -> bool {
        self.astray >= ASTRAY
    }

    /// What was seen before and after a command, as it looks where nothing scrolls.
    pub fn step(
        &mut self,
        before: Option<&Observation>,
        command: Command,
        after: &Observation,
    ) -> (Option<Observation>, Observation) {
        let known = self.kinds.len();
        self.kinds.extend(after.settled().and_then(|frame| self.lens.read(frame)).into_iter().flatten());
        self.is_new |= self.kinds.len() > known;
        match before {
            Some(before) if before.levels_completed == after.levels_completed && !after.full_reset => {
                self.go_on(before, command, after)
            }
            _ => self.turn_over(before, after),
        }
    }

    fn go_on(
        &mut self,
        before: &Observation,
        command: Command,
        after: &Observation,
    ) -> (Option<Observation>, Observation) {
        let mut known = None;
        if command == Command::Reset {
            known = Some(self.shown(before));
            self.chart.restart();
        }
        let found = self.survey(&after.layers);
        let known = known.unwrap_or_else(|| self.shown(before));
        let last = after.layers.len().saturating_sub(1);
        let mut layers = Vec::new();
        for (index, (layer, camera)) in after.layers.iter().zip(found).enumerate() {
            match camera {
                Some(camera) => self.chart.look(&self.lens, layer, camera),
                None if index == last => self.go_astray(layer),
                None => continue,
            }
            layers.push(self.show(layer));
        }
        (Some(known), Observation { layers, ..after.clone() })
    }

    /// Another world: only the last frame shows it.
    fn turn_over(&mut self, before: Option<&Observation>, after: &Observation) -> (Option<Observation>, Observation) {
        let Some((last, earlier)) = after.layers.split_last() else {
            return (before.map(|it| self.shown(it)), after.clone());
        };
        let found = if before.is_some() { self.survey(earlier) } else { Vec::new() };
        let known = before.map(|it| self.shown(it));
        let mut layers = Vec::new();
        for (layer, camera) in earlier.iter().zip(found).filter_map(|(layer, camera)| Some((layer, camera?))) {
            self.chart.look(&self.lens, layer, camera);
            layers.push(self.show(layer));
        }
        self.begin(last);
        layers.push(self.show(last));
        (known, Observation { layers, ..after.clone() })
    }

    /// Where the view is in each of these frames, which are noted.
    fn survey(&mut self, layers: &[Grid]) -> Vec<Option<At>> {
        let mut near = self.chart.camera;
        let mut find = |layer: &Grid| {
            let camera = self.chart.find(&self.lens, layer, near)?;
            self.chart.discover(&self.lens, layer, camera);
            near = camera;
            Some(camera)
        };
        layers.iter().map(&mut find).collect()
    }

    /// A view that shows nothing known.
    fn go_astray(&mut self, frame: &Grid) {
        self.astray += 1;
        self.begin(frame);
    }

    /// Opens the next page.
    fn begin(&mut self, frame: &Grid) {
        self.close();
        self.open += 1;
        if self.pages.len() < self.open {
            let (room, tiles) = (self.lens.room(), self.lens.tiles);
            let corner = ((tiles.0 - room.0) / 2, (tiles.1 - room.1) / 2);
            self.pages.push(Page { corner, ..Page::default() });
        }
        self.chart = Chart::knowing(self.pages[self.open - 1].first.clone());
        self.chart.discover(&self.lens, frame, (0, 0));
        self.chart.look(&self.lens, frame, (0, 0));
    }

    fn close(&mut self) {
        if let Some(page) = self.open.checked_sub(1).and_then(|open| self.pages.get_mut(open)) {
            page.first.clone_from(&self.chart.first);
        }
    }

    /// The observation that was the newest, as it looks with what is known now.
    fn shown(&self, observation: &Observation) -> Observation {
        let layers = observation.settled().map(|frame| self.show(frame)).into_iter().collect();
        Observation { layers, ..observation.clone() }
    }

    /// A frame that the camera sees, with the world in place of the view.
    fn show(&self, frame: &Grid) -> Grid {
        let corner = self.corner();
        self.lens.show(frame, |at| self.chart.at(plus(corner, at)))
    }

    fn corner(&self) -> At {
        self.open.checked_sub(1).and_then(|open| self.pages.get(open)).map(|it| it.corner).unwrap_or_default()
    }

    /// The cell of the view that shows what a cell of the whole shows, or the nearest.
    pub fn find_again(&self, at: Point) -> Point {
        let (camera, corner) = (self.chart.camera, self.corner());
        self.lens.find_again(at, (camera.0 - corner.0, camera.1 - corner.1))
    }

    /// Draws the world so that its tiles are told apart, and so that there is room for what is known of it, or at least for
    /// what is in view. Whether it looks different now.
    pub fn redraw(&mut self) -> bool {
        let is_new = std::mem::take(&mut self.is_new);
        if let Some(lens) = is_new.then(|| self.lens.sharper(&self.kinds)).flatten() {
            self.lens = lens;
            return true;
        }
        let Some((low, high)) = self.chart.extent() else { return false };
        let (room, view, camera, corner) = (self.lens.room(), self.lens.tiles, self.chart.camera, self.corner());
        let to = (
            shown_from(corner.0, room.0, (low.0, high.0 + 1), (camera.0, camera.0 + view.0)),
            shown_from(corner.1, room.1, (low.1, high.1 + 1), (camera.1, camera.1 + view.1)),
        );
        if let Some(page) = self.open.checked_sub(1).and_then(|open| self.pages.get_mut(open)) {
            page.corner = to;
        }
        to != corner
    }
}

/// The line that is shown first, of lines that are `known` from the first to before the last, and those in `view`.
fn shown_from(corner: i16, room: i16, known: (i16, i16), view: (i16, i16)) -> i16 {
    let free = room - (known.1 - known.0);
    let fits = |(from, to): (i16, i16)| corner <= from && to <= corner + room;
    match () {
        () if fits(known) || free < 0 && fits(view) => corner,
        () if free < 0 => view.0 - (room - (view.1 - view.0)) / 2,
        () if known.0 < corner => known.0 - (free - free / KEPT),
        () => known.0 - free / KEPT,
    }
}
