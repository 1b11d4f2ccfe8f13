//! Where a piece sweeps the ground it walks over.

use env_client::Color;

use super::*;

/// Tiles fall behind the piece, and the exit opens when none is left but the one below it: whoever goes straight there is
/// stranded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Falling(Vec<Cell>);

impl Falling {
    fn is_open(yard: &Yard<Falling>, at: Cell) -> bool {
        match yard.map.glyph(at) {
            b'.' | b'@' => !yard.trap.0.contains(&at),
            b'E' => Falling::is_last(yard),
            _ => false,
        }
    }

    /// Whether the piece is on the last tile.
    fn is_last(yard: &Yard<Falling>) -> bool {
        yard.map.find(b'.').count() == yard.trap.0.len()
    }
}

impl Trap for Falling {
    const MAPS: &'static [&'static str] = &[
        "
        #######
        #@..###
        ###..E#
        #######
        ",
        "
        ########
        ##@...##
        ###...##
        #.....##
        #E##..##
        ########
        ",
        "
        ########
        #...####
        #...##E#
        #@.....#
        #....###
        ########
        ",
    ];
    const OPTIMAL: &'static [u32] = &[5, 14, 16];

    fn set(_: &Map) -> Falling {
        Falling(Vec::new())
    }

    fn act(yard: &mut Yard<Self>, input: Input, _: &mut Film<Yard<Self>>) -> Verdict {
        let Input::Move(dir) = input else { return Verdict::Playing };
        let to = yard.at + dir;
        if Falling::is_open(yard, to) {
            yard.trap.0.push(yard.at);
            yard.trap.0.sort_unstable();
            yard.at = to;
        }
        let is_stranded = Input::MOVES.iter().all(|it| match it {
            Input::Move(dir) => !Falling::is_open(yard, yard.at + *dir),
            _ => true,
        });
        match yard.verdict() {
            Verdict::Playing if is_stranded => Verdict::Lost,
            verdict => verdict,
        }
    }

    fn paint(yard: &Yard<Self>, scene: &mut Scene) {
        let lies = |at: &Cell| !yard.trap.0.contains(at) && *at != yard.at;
        let tiles: Vec<Cell> = yard.map.find(b'.').chain(yard.map.find(b'@')).filter(lies).collect();
        for cell in tiles {
            scene.cell(cell, Color::of(10));
        }
        if Falling::is_last(yard) {
            yard.mark(scene, b'E', 14);
        }
        scene.sprite(yard.at, PIECE);
    }
}

#[test]
fn where_levels_were_solved_with_no_tile_left_none_is_left_before_the_exit() {
    check::<Yard<Falling>>();
    let mut play = Play::of::<Yard<Falling>>();
    assert!(play.solves(1, 30), "{play}");
    assert!(play.solves(2, 30), "{play}");
    let resets = play.resets;
    assert!(play.solves(3, 20), "{play}");
    assert_eq!(play.resets, resets, "nobody was stranded where it was known: {play}");
}
