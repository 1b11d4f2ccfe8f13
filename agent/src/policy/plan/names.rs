//! What arrangements are called: how slots are related to pieces, and what tells one of them from the others.

use std::fmt;

use env_client::Color;

use super::things::Kind;

/// What makes a static thing the slot of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Relation {
    /// Tiles look like a drawing beside them.
    Drawn,
    /// No slot at all: nothing is to be left of what pieces sweep.
    Swept,
    /// It has the colour of the piece, which answers to actions itself, now or when it is selected.
    Own,
    /// It has the outline of the piece, which is no mere rectangle.
    Shape,
    /// It has the colour of the piece.
    Color,
    /// It has the size of the piece.
    Size,
    /// The piece is seen there in what was imagined of the solved level.
    Imagined,
    /// It is just there.
    Any,
    /// The pieces themselves are to meet.
    Meet,
}

impl Relation {
    /// Whether it is no accident where it holds.
    pub(super) fn is_telling(self) -> bool {
        !matches!(self, Relation::Imagined | Relation::Any | Relation::Swept | Relation::Drawn)
    }
}

/// Which arrangement it is: how slots are related to pieces, and of which kind they are where several may be meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Name {
    pub(super) relation: Relation,
    /// The piece, of several the first; none where all kinds of pieces are meant.
    piece: Option<Kind>,
    slot: Option<Kind>,
    which: Which,
}

/// What tells arrangements of one relation apart, beside their pieces and slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Which {
    Only,
    /// How many kinds of pieces are meant, where that is all that are known: the more of them, the more is meant.
    Kinds(usize),
    /// The drawing that is meant.
    Drawing(usize),
    /// The colours of which nothing is to be left, a set of indices, and whether pieces are to be beside the exit then.
    Colors(u16, bool),
}

impl Name {
    /// Each of so many kinds of pieces that answer to actions on slots of its colour.
    pub(super) fn own(kinds: usize) -> Name {
        Name { which: Which::Kinds(kinds), ..Name::of(Relation::Own, None, None) }
    }

    /// The only piece that answers to actions where its outline is drawn.
    pub(super) fn fit(piece: Kind, slot: Kind) -> Name {
        Name::of(Relation::Shape, Some(piece), Some(slot))
    }

    /// The only piece that answers to actions, to the cell on what is as large.
    pub(super) fn fill(piece: Kind, slot: Kind) -> Name {
        Name::of(Relation::Size, Some(piece), Some(slot))
    }

    /// Nothing left of these colours, and pieces beside where a step solved other levels, or anywhere.
    pub(super) fn sweep(colors: u16, ends: bool) -> Name {
        Name { which: Which::Colors(colors, ends), ..Name::of(Relation::Swept, None, None) }
    }

    pub(super) fn of(relation: Relation, piece: Option<Kind>, slot: Option<Kind>) -> Name {
        Name { relation, piece, slot, which: Which::Only }
    }

    /// Tiles like this drawing beside them.
    pub(super) fn drawn(index: usize) -> Name {
        Name { which: Which::Drawing(index), ..Name::of(Relation::Drawn, None, None) }
    }

    /// What may be the same in every level: the colour of the slots, and whether pieces of all kinds belong there.
    pub(super) fn habit(self) -> Option<(Color, bool)> {
        self.slot.map(|slot| (slot.color, self.piece.is_none()))
    }

    /// The same, wherever pieces are then.
    pub(super) fn anywhere(self) -> Name {
        match self.which {
            Which::Colors(colors, _) => Name { which: Which::Colors(colors, false), ..self },
            _ => self,
        }
    }

    /// Whether it is what somebody imagined.
    pub(super) fn is_imagined(self) -> bool {
        self.relation == Relation::Imagined
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.relation, self.slot) {
            (Relation::Shape, Some(slot)) if self.piece.is_some() => {
                write!(f, "every piece on a {} slot of its form", slot.color)
            }
            (Relation::Drawn, _) => f.write_str("every tile as it is drawn"),
            (Relation::Own, _) => f.write_str("every piece that obeys on a slot of its colour"),
            (Relation::Color, _) => f.write_str("every piece on a slot of its colour"),
            (Relation::Imagined, _) => f.write_str("every piece where it was imagined"),
            (Relation::Swept, _) => write!(f, "nothing left{}", self.which),
            (Relation::Meet, _) => f.write_str("the two pieces in one place"),
            (_, Some(slot)) if self.piece.is_none() => write!(f, "pieces of all kinds on {} slots", slot.color),
            (_, Some(slot)) => write!(f, "every piece on a {} slot", slot.color),
            (_, None) => f.write_str("every piece on a slot"),
        }
    }
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Which::Colors(colors, ends) = self else { return Ok(()) };
        f.write_str(" of")?;
        let mut of = Color::ALL.into_iter().filter(|it| colors >> it.index() & 1 == 1);
        of.try_for_each(|it| write!(f, " {it}"))?;
        f.write_str(if *ends { ", and beside the exit" } else { "" })
    }
}
