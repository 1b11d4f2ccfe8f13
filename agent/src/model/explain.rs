//! What a model sees in a play and knows about it, as text.

use std::fmt;

use world_model::Bar;

use super::{lesson::Lesson, scene::Drawing};

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
            Some(frame) => writeln!(f, "what is seen: . ground, ~ interface\n\n{}", Drawing::of(frame, memory.mask()))?,
            None => writeln!(f, "what is seen: nothing, the recording has a gap here\n")?,
        }
        writeln!(f, "interface: {} cells", memory.mask().len())?;
        memory.interface().bars().iter().try_for_each(|bar| writeln!(f, "  {}", sentence(bar)))?;
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

fn sentence(bar: &Bar) -> String {
    let bounds = bar.bounds;
    format!(
        "a bar in columns {}-{}, rows {}-{} drains from colour {} to colour {}",
        bounds.left, bounds.right, bounds.top, bounds.bottom, bar.full, bar.drained
    )
}
