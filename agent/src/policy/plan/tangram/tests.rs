use super::*;
use env_client::{Color, Point};

/// A table of so many tiles, of so many cells.
const TILES: (i16, i16) = (16, 16);
const TILE: i16 = 4;
const TABLE: u8 = 1;
const INK: u8 = 5;

fn area(tiles: &[Place]) -> Area {
    let cells = tiles.iter().flat_map(|(x, y)| {
        (0..TILE).flat_map(move |dy| (0..TILE).filter_map(move |dx| Point::new(TILE * x + dx, TILE * y + dy).ok()))
    });
    cells.collect()
}

/// Pieces on a table, and an outline that they are to fill: drawn around it, or not where its colour is the table's.
struct Table {
    ink: u8,
    pieces: Vec<(u8, Vec<Place>)>,
    wanted: Vec<Place>,
    /// A tile of what is wanted, and the colour of a dot that is drawn in it.
    dot: Option<(Place, u8)>,
    held: Option<usize>,
    /// Whether pieces stop each other.
    blocks: bool,
}

impl Table {
    fn frame(&self) -> Grid {
        let mut frame = Grid::filled(64, 64, Color::of(TABLE));
        let wanted = area(&self.wanted);
        let mut fill = |area: &Area, color: u8| area.iter().for_each(|at| frame.set(at, Color::of(color)));
        fill(&wanted.grown().without(&wanted), self.ink);
        fill(&wanted, 0);
        if let Some(((x, y), color)) = self.dot {
            fill(&(1..3).filter_map(|it| Point::new(TILE * x + it, TILE * y + it).ok()).collect(), color);
        }
        for (index, (color, tiles)) in self
            .pieces
            .iter()
            .enumerate()
            .filter(|it| self.held != Some(it.0))
            .chain(self.pieces.iter().enumerate().filter(|it| self.held == Some(it.0)))
        {
            let area = area(tiles);
            fill(&area, *color);
            if self.held == Some(index) {
                let inner =
                    area.iter().filter(|at| [*at].into_iter().collect::<Area>().grown().is_within(&area)).collect();
                fill(&area.without(&inner), 3);
            }
        }
        frame
    }

    fn act(&mut self, action: Action) {
        if let Action::Click(at) = action {
            let here = self.pieces.iter().position(|it| area(&it.1).contains(at));
            return self.held = here.or(self.held);
        }
        let (Action::Key(key), Some(held)) = (action, self.held) else { return };
        let tiles = &self.pieces[held].1;
        let (x, y) = tiles[0];
        let turned = |it: &Place| (x - (it.1 - y), y + (it.0 - x));
        let way = ARROWS.iter().find(|it| it.0 == key).map(|it| it.1);
        let moved = |it: &Place| way.map_or_else(|| turned(it), |by| (it.0 + by.0, it.1 + by.1));
        let next: Vec<Place> = tiles.iter().map(moved).collect();
        let is_free = |it: &Place| (0..TILES.0).contains(&it.0) && (0..TILES.1).contains(&it.1);
        let others = || self.pieces.iter().enumerate().filter(|it| it.0 != held).flat_map(|it| &it.1.1);
        if next.iter().all(is_free) && !(self.blocks && next.iter().any(|it| others().any(|other| other == it))) {
            self.pieces[held].1 = next;
        }
    }

    fn is_solved(&self) -> bool {
        let all: Area = self.pieces.iter().fold(Area::EMPTY, |all, it| all.with(&area(&it.1)));
        let is_told =
            |((x, y), color): (Place, u8)| self.pieces.iter().any(|it| it.0 == color && it.1.contains(&(x, y)));
        area(&self.wanted).is_within(&all) && self.dot.is_none_or(is_told)
    }

    /// The actions that the skill takes until the level is solved, if it is within so many.
    fn played(mut self, most: usize) -> Option<usize> {
        let (mut skill, mask) = (Tangram::default(), InterfaceMask::new());
        let actions = ActionSet::of(&[
            ActionId::Action1,
            ActionId::Action2,
            ActionId::Action3,
            ActionId::Action4,
            ActionId::Action5,
            ActionId::Action6,
        ]);
        skill.begin(&self.frame(), &mask, Start::Level);
        let mut taken = 0;
        while taken < most {
            let proposal = skill.propose(&self.frame(), &mask, actions)?;
            skill.taken_up();
            for step in proposal.steps {
                let before = self.frame();
                self.act(step.action);
                taken += 1;
                if self.is_solved() {
                    return Some(taken);
                }
                let (layers, outcome) = ([self.frame()], Outcome::Continues);
                skill.observe(&Transition { before: &before, action: step.action, layers: &layers, outcome }, &mask);
                if skill.gives_up() {
                    break;
                }
            }
        }
        None
    }
}

/// A square of three by three tiles, an angle and a block that fill it.
fn square() -> Table {
    let wanted = (0..3).flat_map(|y| (0..3).map(move |x| (6 + x, 6 + y))).collect();
    let angle = vec![(1, 8), (1, 9), (1, 10), (2, 10), (3, 10)];
    let block = vec![(12, 2), (13, 2), (12, 3), (13, 3)];
    Table { ink: INK, pieces: vec![(9, angle), (8, block)], wanted, dot: None, held: None, blocks: false }
}

#[test]
fn pieces_that_fill_an_outline_are_laid_there_by_the_shortest_way() {
    // A click and seven moves for the angle, a click and nine for the block.
    assert_eq!(square().played(60), Some(1 + 5 + 2 + 1 + 5 + 4));
}

#[test]
fn a_piece_is_turned_before_it_is_laid() {
    let mut table = square();
    table.pieces[0].1 = vec![(1, 8), (2, 8), (3, 8), (3, 9), (3, 10)];
    assert!(table.played(60).is_some_and(|it| it <= 30));
}

#[test]
fn pieces_fill_a_mat_that_is_larger_than_any_of_them() {
    let plain = |pieces: &[usize]| {
        let Table { pieces: all, .. } = square();
        let pieces = pieces.iter().map(|it| all[*it].clone()).collect();
        Table { ink: TABLE, pieces, ..square() }
    };
    assert_eq!(plain(&[0, 1]).played(60), Some(1 + 5 + 2 + 1 + 5 + 4));
    let wanted = plain(&[0]).pieces[0].1.iter().map(|(x, y)| (x + 6, y - 4)).collect();
    assert_eq!(Table { wanted, ..plain(&[0, 1]) }.played(60), None, "what is as large as a piece may be one");
}

#[test]
fn nothing_is_done_where_pieces_do_not_fit() {
    let mut table = square();
    table.pieces[1].1.pop();
    assert_eq!(table.played(60), None);
}

#[test]
fn a_dot_tells_which_of_two_pieces_belongs_there() {
    let wanted: Vec<Place> = (6..10).map(|x| (x, 6)).collect();
    let pair = |x, y| vec![(x, y), (x + 1, y)];
    let pieces = vec![(9, pair(6, 9)), (8, pair(9, 12))];
    let table = |dot| Table {
        ink: INK,
        pieces: pieces.clone(),
        wanted: wanted.clone(),
        dot: Some(dot),
        held: None,
        blocks: false,
    };
    let (near, far) = (table(((6, 6), 9)).played(60), table(((6, 6), 8)).played(60));
    assert_eq!(near, Some(1 + 3 + 1 + 7), "the near one is laid on the near half");
    assert_eq!(far, Some(1 + 5 + 1 + 9));
}

#[test]
fn what_would_shut_out_another_piece_is_laid_last() {
    // A ring of three by three tiles around one, open below until its lid is laid.
    let wanted: Vec<Place> = (0..3).flat_map(|y| (0..3).map(move |x| (6 + x, 3 + y))).collect();
    let arch = vec![(6, 8), (7, 8), (8, 8), (6, 9), (8, 9)];
    let lid = vec![(10, 6), (11, 6), (12, 6)];
    let core = vec![(3, 12)];
    let pieces = vec![(9, arch), (8, lid), (14, core)];
    let table = Table { ink: INK, pieces, wanted, dot: None, held: None, blocks: true };
    assert!(table.played(90).is_some_and(|it| it <= 45));
}

#[test]
fn a_cover_that_came_true_in_vain_is_not_made_again() {
    let wanted = area(&(6..8).map(|x| (x, 6)).collect::<Vec<Place>>());
    let void = Void { area: wanted, dots: Vec::new(), rim: Color::of(INK) };
    let part = |piece, color, x| Part {
        piece,
        color: Color::of(color),
        poses: vec![Pose { turns: Vec::new(), area: area(&[(x, 9), (x + 1, 9)]) }],
        stride: None,
    };
    let parts = [part(0, 9, 6), part(1, 8, 12)];
    let voids = [void];
    let first = cover(&voids, &parts, &|_| false).unwrap();
    assert_eq!(first.laid[0].piece, 0, "the nearer one");
    let second = cover(&voids, &parts, &|it| it == first.signature).unwrap();
    assert_eq!(second.laid[0].piece, 1);
    assert_eq!(cover(&voids, &parts, &|it| [first.signature, second.signature].contains(&it)), None);
}

/// A picture in the corner of a frame.
fn framed(picture: &str) -> Grid {
    let mut frame = Grid::filled(40, 40, Color::of(0));
    for (row, y) in picture.split_whitespace().zip(2u8..) {
        for (digit, x) in row.bytes().zip(2u8..) {
            frame.set(Point::new(x, y).unwrap(), Color::of(digit - b'0'));
        }
    }
    frame
}

/// How many cells each void of each wish has.
fn sizes(picture: &str) -> Vec<Vec<u32>> {
    let wishes = voids::wishes(&framed(picture), &InterfaceMask::new());
    wishes.iter().map(|wish| wish.iter().map(|it| it.area.len()).collect()).collect()
}

#[test]
fn what_outlines_in_an_outline_enclose_is_a_hole() {
    let picture = "
        11111111111111
        12222222222221
        12222222222221
        12222222222221
        12222333322221
        12222300322221
        12222300322221
        12222333322221
        12222222222221
        12222222222221
        12222222222221
        11111111111111
    ";
    assert_eq!(sizes(picture)[0], [12 * 10 - 16]);
}

#[test]
fn an_outline_may_touch_itself_at_corners_alone() {
    let steps = "
        001111
        001221
        112221
        122221
        111111
    ";
    assert_eq!(sizes(steps)[0], [2 + 3 + 4]);
}

#[test]
fn an_outline_may_be_hatched() {
    let hatched = "
        11111111
        11001101
        10011001
        11111111
    ";
    assert!(sizes(hatched).contains(&vec![32]), "all of it, its lines included");
}
