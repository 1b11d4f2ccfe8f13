use env_client::Color;

use super::*;

/// Four by four tiles of five cells on a bed; the lying block has to leave where the rim is broken, and the standing one is in
/// its way. Blocks go along their long sides, one tile by a key.
struct Lot {
    at: [(i16, i16); 2],
    picked: Option<usize>,
    /// The keys in the place of those that go up, down, left and right for the official player.
    keys: [Key; 4],
    /// Whether the one that is picked has a rim around it, and no mark on it.
    has_rim: bool,
}

const SIZES: [(i16, i16); 2] = [(2, 1), (1, 2)];
const COLORS: [u8; 2] = [8, 14];
const TILE: i16 = 5;
const EDGE: i16 = 8;

impl Lot {
    fn cells(&self, block: usize) -> Vec<(i16, i16)> {
        let ((x, y), (width, height)) = (self.at[block], SIZES[block]);
        (y..y + height).flat_map(|y| (x..x + width).map(move |x| (x, y))).collect()
    }

    fn frame(&self) -> Grid {
        let mut frame = Grid::filled(40, 40, Color::of(3));
        let mut fill = |(x, y): (i16, i16), (width, height): (i16, i16), color: u8| {
            let cells = (y..y + height).flat_map(|y| (x..x + width).map(move |x| (x, y)));
            cells.for_each(|(x, y)| frame.set(Point::new(x, y).unwrap(), Color::of(color)));
        };
        fill((EDGE, EDGE), (4 * TILE, 4 * TILE), 1);
        fill((EDGE + 4 * TILE, EDGE + TILE), (2, 2), 1);
        for block in 0..2 {
            let ((x, y), (width, height)) = (self.at[block], SIZES[block]);
            let corner = (EDGE + TILE * x + 1, EDGE + TILE * y + 1);
            let is_picked = self.picked == Some(block);
            if is_picked && self.has_rim {
                fill((corner.0 - 1, corner.1 - 1), (TILE * width, TILE * height), 0);
            }
            fill(corner, (TILE * width - 2, TILE * height - 2), COLORS[block]);
            if is_picked && !self.has_rim {
                fill((corner.0 + 1, corner.1 + 1), (1, 1), 0);
            }
        }
        frame
    }

    fn act(&mut self, action: Action) {
        match (action, self.picked) {
            (Action::Click(at), _) => {
                let tile = ((i16::from(at.x()) - EDGE) / TILE, (i16::from(at.y()) - EDGE) / TILE);
                self.picked = (0..2).find(|block| self.cells(*block).contains(&tile)).or(self.picked);
            }
            (Action::Key(key), Some(block)) => {
                let (dx, dy) = ARROWS[self.keys.iter().position(|it| *it == key).unwrap()].1;
                let old = self.at[block];
                self.at[block] = (old.0 + dx, old.1 + dy);
                let other = self.cells(1 - block);
                let fits = |it: &(i16, i16)| (0..4).contains(&it.0) && (0..4).contains(&it.1) && !other.contains(it);
                if (SIZES[block].0 > SIZES[block].1) != (dx != 0) || !self.cells(block).iter().all(fits) {
                    self.at[block] = old;
                }
            }
            _ => {}
        }
    }
}

fn act(model: &mut Parking, lot: &mut Lot, action: Action) {
    let before = lot.frame();
    lot.act(action);
    let layers = [lot.frame()];
    let step = Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues };
    model.observe(&step, &InterfaceMask::new());
}

const USUAL: [Key; 4] = [Key::Key1, Key::Key2, Key::Key3, Key::Key4];

fn taught(keys: [Key; 4]) -> (Parking, Lot) {
    taught_by(Lot { at: [(0, 1), (3, 0)], picked: None, keys, has_rim: false })
}

fn taught_by(mut lot: Lot) -> (Parking, Lot) {
    let (mut model, [up, down, _, right]) = (Parking::default(), lot.keys);
    model.begin(&lot.frame(), &InterfaceMask::new(), Start::Level);
    let click = |x: u8, y: u8| Action::Click(Point::new(x, y).unwrap());
    let steps = [click(26, 12), Action::Key(down), click(12, 16), Action::Key(right), Action::Key(up)];
    for action in [&steps[..], &[click(26, 16), Action::Key(up)]].concat() {
        act(&mut model, &mut lot, action);
    }
    (model, lot)
}

#[test]
fn blocks_that_were_picked_and_moved_are_understood() {
    let (model, lot) = taught(USUAL);
    assert_eq!(lot.at, [(1, 1), (3, 0)]);
    assert!(model.is_understood());
    let layout = model.layout().unwrap();
    assert_eq!((layout.at.len(), layout.picked), (2, Some(0)), "the standing block comes first");
    let lying = 1 - layout.picked.unwrap();
    assert_eq!(model.ahead(layout, lying, Key::Key4), Some(Ahead::Block));
    assert!(model.obeys(lying, Key::Key3) && !model.obeys(lying, Key::Key1));
    let clear = Layout { at: vec![(24, 19), layout.at[lying]], picked: Some(lying) };
    assert!(model.is_odd(&clear, lying, Key::Key4), "the rim is broken there");
    assert!(!model.is_odd(&clear, lying, Key::Key3));
}

#[test]
fn keys_go_where_they_took_blocks() {
    let (mut model, mut lot) = taught([Key::Key4, Key::Key3, Key::Key2, Key::Key1]);
    for action in [Action::Click(Point::new(17, 16).unwrap()), Action::Key(Key::Key4)] {
        act(&mut model, &mut lot, action);
    }
    assert!(model.is_understood());
    let lying = model.layout().unwrap().picked.unwrap();
    assert!(model.obeys(lying, Key::Key1) && !model.obeys(lying, Key::Key4));
    assert!(!model.obeys(lying, Key::Key2), "nobody saw where that goes, and others go elsewhere than usual");
}

#[test]
fn what_one_block_does_is_not_enough() {
    let (mut model, mut lot) =
        (Parking::default(), Lot { at: [(0, 1), (3, 0)], picked: None, keys: USUAL, has_rim: false });
    model.begin(&lot.frame(), &InterfaceMask::new(), Start::Level);
    act(&mut model, &mut lot, Action::Click(Point::new(26, 12).unwrap()));
    for key in [Key::Key2, Key::Key1, Key::Key3, Key::Key2] {
        act(&mut model, &mut lot, Action::Key(key));
    }
    assert!(!model.is_understood());
}

#[test]
fn a_rim_around_the_block_that_is_picked_is_no_part_of_it() {
    let (model, _) = taught_by(Lot { at: [(0, 1), (3, 0)], picked: None, keys: USUAL, has_rim: true });
    assert!(model.is_understood());
    let mut sizes: Vec<Place> = model.blocks().iter().map(|it| it.size).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [(3, 8), (8, 3)]);
    let layout = model.layout().unwrap();
    let standing = model.blocks().iter().position(|it| it.size == (3, 8)).unwrap();
    assert_eq!(model.ahead(layout, standing, Key::Key2), Some(Ahead::Free), "there is no rim where it was picked");
}
