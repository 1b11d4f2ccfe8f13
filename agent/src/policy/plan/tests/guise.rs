//! The same titles in other colours and mirrored: what is learned from frames alone minds neither.

use env_client::{Action, ActionSet, Color, Command, Grid, Key, Point, Status};
use games::{Shown, catalog};

use super::super::Plan;
use crate::policy::{self, Nets, Outcome, Policy};

/// Titles of different kinds whose first levels are solved soon: walking, pushing, sliding, portals, fuses, clues.
const TITLES: [&str; 6] = ["b137", "b210", "g284", "p642", "h264", "g837"];
const ACTIONS: usize = 120;
/// Levels more or less that are noise: ties are broken by the order of colours and keys.
const NOISE: usize = 3;

/// How a title is disguised.
#[derive(Clone, Copy)]
struct Guise {
    /// Added to every colour, around the palette.
    shift: u8,
    /// Whether left and right trade places.
    mirrored: bool,
}

impl Guise {
    fn of(self, frame: &Grid) -> Grid {
        let mut seen = frame.clone();
        for at in frame.points() {
            let x = if self.mirrored { frame.width() - 1 - at.x() } else { at.x() };
            let color = Color::of((frame[at].index() as u8 + self.shift) % Color::COUNT as u8);
            seen.set(Point::new(x, at.y()).unwrap(), color);
        }
        seen
    }

    /// What a command sent to the title in this guise means to the title.
    fn meant(self, command: Command) -> Command {
        match command {
            Command::Act(Action::Key(Key::Key3)) if self.mirrored => Command::Act(Action::Key(Key::Key4)),
            Command::Act(Action::Key(Key::Key4)) if self.mirrored => Command::Act(Action::Key(Key::Key3)),
            Command::Act(Action::Click(at)) if self.mirrored => {
                Command::Act(Action::Click(Point::new(63 - at.x(), at.y()).unwrap()))
            }
            _ => command,
        }
    }
}

/// Levels that are solved of a title in a guise.
fn levels(title: &str, guise: Guise) -> usize {
    let entry = catalog().iter().find(|entry| entry.about.stem == title).unwrap();
    let mut game = entry.open(games::Variant::default()).unwrap().play();
    let mut send = |command| answer(&game.step(guise.meant(command)), guise);
    let mut plan = Plan::new(1, &Nets::default());
    let (mut now, mut actions) = send(Command::Reset);
    plan.observe(None, Command::Reset, Outcome::Seen(&now));
    for _ in 0..ACTIONS {
        let command = match now.status {
            Status::Win => break,
            Status::GameOver => Command::Reset,
            _ => plan.decide(&now, actions).command,
        };
        let (after, next) = send(command);
        plan.observe(Some(&now), command, Outcome::Seen(&after));
        (now, actions) = (after, next);
    }
    now.levels_completed.into()
}

fn answer(shown: &Shown, guise: Guise) -> (env_client::Observation, ActionSet) {
    let layers = shown.layers.iter().map(|frame| guise.of(frame)).collect();
    let observation =
        policy::tests::with(Grid::filled(1, 1, Color::of(0)), shown.status, shown.levels_completed, shown.available);
    (env_client::Observation { layers, ..observation }, shown.available)
}

#[test]
fn other_colours_and_a_mirror_change_no_more_than_chance() {
    let total = |guise: Guise| -> usize { TITLES.iter().map(|title| levels(title, guise)).sum() };
    let plain = total(Guise { shift: 0, mirrored: false });
    let guises = [(5, false), (0, true), (11, true)];
    let disguised = guises.map(|(shift, mirrored)| total(Guise { shift, mirrored }));
    assert!(plain >= 2 * TITLES.len(), "{plain} levels");
    assert!(disguised.iter().all(|levels| levels.abs_diff(plain) <= NOISE), "{plain} levels, disguised {disguised:?}");
}
