//! What a model sees in a play and knows about it, as text.

use std::fmt;

use env_client::Grid;
use world_model::perception::{Bonds, Sketch, View};

use super::lesson::Lesson;

/// Suspects that are told: the most visited ones say most.
const SUSPECTS: usize = 8;

/// A lesson, readable.
#[derive(Clone, Copy, Debug)]
pub struct Explanation<'a>(pub &'a Lesson);

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Lesson { game, model, learned, level, frame, .. } = self.0;
        let memory = model.memory();
        writeln!(f, "{game}, after {learned} transitions, {level} levels solved\n")?;
        match frame {
            Some(frame) => write!(f, "{}", self.sketch(frame))?,
            None => writeln!(f, "nothing is seen: the recording has a gap here")?,
        }
        let suspects = memory.suspects();
        writeln!(f, "\nmemory: {} frames, {} contradictions", memory.frames(), memory.contradictions())?;
        suspects.iter().take(SUSPECTS).try_for_each(|suspect| writeln!(f, "  {suspect}"))?;
        if suspects.len() > SUSPECTS {
            writeln!(f, "  and {} more states in which an action had several outcomes", suspects.len() - SUSPECTS)?;
        }
        writeln!(f, "\nrules")?;
        model.rules().sentences().iter().try_for_each(|rule| writeln!(f, "  {rule}"))
    }
}

impl Explanation<'_> {
    fn sketch(self, frame: &Grid) -> Sketch {
        let Lesson { model, lattice, .. } = self.0;
        let interface = model.memory().interface();
        let lattice = lattice.lattice();
        let view = View::of(frame, lattice, &Bonds::default());
        Sketch::of(frame, &view, lattice, interface.mask(), interface.bars())
    }
}
