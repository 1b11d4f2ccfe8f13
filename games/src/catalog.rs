//! Every title with its type erased, for servers and tests.

use std::{fmt, sync::Arc};

use env_client::GameId;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    engine::{
        About, Course, Environment, Play, Scene, Title, Variant, baseline,
        contract::{self, Violation},
        starts, transcript,
    },
    prover::{Proof, ProofError, prove},
    titles,
};

/// Every title, in the order of the stems.
pub fn catalog() -> &'static [Entry] {
    titles::ALL
}

/// One title of the catalog.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Name, controls, levels and bar.
    pub about: &'static About,
    open: fn(Variant) -> Result<Game, ProofError>,
    prove: fn() -> Vec<Result<Proof, ProofError>>,
    check: fn(&[Proof]) -> Result<(), Violation>,
    transcript: fn(&[Proof]) -> String,
}

impl Entry {
    /// The entry of a title, be it one that the catalog does not list.
    pub const fn of<T: Title>() -> Entry {
        Entry {
            about: &T::ABOUT,
            open: Game::open::<T>,
            prove: || starts::<T>(Variant::default()).map(|start| prove(&start)).collect(),
            check: contract::check::<T>,
            transcript: transcript::write::<T>,
        }
    }

    /// Prepares the title in one guise. Generated levels are proven here, so this can take a second.
    pub fn open(&self, variant: Variant) -> Result<Game, ProofError> {
        (self.open)(variant)
    }

    /// A shortest solution of every level as written (under seed 0).
    pub fn prove(&self) -> Vec<Result<Proof, ProofError>> {
        (self.prove)()
    }

    /// Whether the title, whose levels are solved by `proofs`, keeps the contract of [`contract`].
    pub fn check(&self, proofs: &[Proof]) -> Result<(), Violation> {
        (self.check)(proofs)
    }

    /// Every level played by its solution in `proofs`, as text that a person can read.
    pub fn transcript(&self, proofs: &[Proof]) -> String {
        (self.transcript)(proofs)
    }
}

/// A title in one guise. Any number of plays can be started from it.
#[derive(Clone)]
pub struct Game {
    /// Stem and version. The version is eight hexadecimal digits that change with the levels and with the seed.
    pub id: GameId,
    /// The actions a person is expected to need for each level: see [`baseline`].
    pub baselines: Vec<u32>,
    play: Arc<dyn Fn() -> Box<dyn Environment> + Send + Sync>,
}

impl Game {
    fn open<T: Title>(variant: Variant) -> Result<Game, ProofError> {
        let course = Course::<T>::new(variant)?;
        Ok(Game {
            id: id::<T>(variant, &course),
            baselines: course.levels.iter().map(|level| baseline(level.optimal)).collect(),
            play: Arc::new(move || Box::new(Play::new(course.clone(), variant))),
        })
    }

    /// Starts a play. It shows nothing before its first command, which should be a RESET.
    pub fn play(&self) -> Box<dyn Environment> {
        (self.play)()
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game").field("id", &self.id).field("baselines", &self.baselines).finish_non_exhaustive()
    }
}

/// Stem, and a digest of what the player meets: seed, difficulty and the look of every level.
fn id<T: Title>(variant: Variant, course: &Course<T>) -> GameId {
    let mut content = variant.seed.to_le_bytes().to_vec();
    for level in course.levels.iter() {
        let mut scene = Scene::new(level.start.view());
        level.start.draw(&mut scene);
        content.extend(level.optimal.to_le_bytes());
        content.extend(scene.logical().cells().iter().map(|color| u8::from(*color)));
    }
    let version = xxh3_64(&content) as u32;
    format!("{}-{version:08x}", T::ABOUT.stem).parse().expect("letters, digits and one dash make a game id")
}
