//! Plumb: a caver falls wherever the ground pulls.
//!
//! The world is larger than the view, which follows the caver. Walking is done across the pull, climbing on ladders;
//! everything without support falls. The door opens when every shard is taken. Levels add, one after the other: ladders
//! and shards; stones, which are pushed and fall too; pads that turn the pull over; pads that turn it sideways; all of
//! it together.

use env_client::Color;

use crate::engine::{
    ARROWS, About, Bar, Cell, Dice, Dir, Drain, Edge, Family, Film, Input, Map, Scene, Sprite, Title, Verdict, View,
};

/// `#` rock, `@` caver, `X` door, `*` shard, `H` ladder, `o` stone, `^` spikes, `u` `r` `d` `l` pads.
const LEVELS: [&str; 7] = [
    "
    ################
    #..............#
    #.@............#
    ###########....#
    #..............#
    #......X.......#
    ################
    #..............#
    #..............#
    ################
    ",
    "
    ##################
    #................#
    #.*....H.........#
    #######H..####...#
    #......H..#......#
    #.@....H..#.*..H.#
    ########..#####H.#
    #..............H.#
    #..X.......*...H.#
    ##################
    ",
    "
    ####################
    #.....o....H.......#
    #....######H.......#
    #..........H.......#
    #.@..o.....H..*....#
    #######^#####^###..#
    ###############.X..#
    ####################
    ",
    "
    ######################
    #*.....d.^^.....d....#
    #........##..........#
    #....................#
    #...#........#.......#
    #...#........#.......#
    #.@u#......u.#.....X.#
    ######################
    ",
    "
    ################
    #......#*......#
    #......#.......#
    #.@....#......^#
    ####.###......^#
    #......#......^#
    #......#......l#
    #..#...........#
    #..#.....#.....#
    #r.....*.#....X#
    ################
    ",
    "
    ####################
    #########^##^#######
    #...............d..#
    #............#.....#
    #....o..H....#.....#
    #...####H....#.....#
    #.......H....#.....#
    #u.@..o.H.*..#....X#
    ####################
    ",
    "
    ################
    #H............##
    #H....o......d##
    #H#####......*##
    #H............##
    #H.......o....^#
    #H.....###....##
    #H............##
    #H............^#
    #H...##.......##
    #H@.....r..X..##
    ################
    ",
];

/// Columns and rows in view.
const WINDOW: (i16, i16) = (12, 10);

const AIR: Color = Color::of(5);
const ROCKS: Sprite = Sprite::of(&["33433", "34333", "33333", "33343", "43333"]);
const CAVER: Sprite = Sprite::of(&["bbbb.", "b00b.", ".bb..", "9999.", ".9.9."]);
const SHARD: Sprite = Sprite::of(&["..a..", ".a0a.", "a0a0a", ".a0a.", "..a.."]);
const LADDER: Sprite = Sprite::of(&["c...c", "ccccc", "c...c", "ccccc", "c...c"]);
const STONE: Sprite = Sprite::of(&[".222.", "22122", "21222", "22232", ".232."]);
const SPIKES: Sprite = Sprite::of(&["8...8", ".8.8.", "..8..", ".8.8.", "8...8"]);
const PAD: Sprite = Sprite::of(&["..f..", ".fff.", "f.f.f", "..f..", ".777."]);
const DOOR: Sprite = Sprite::of(&[".eee.", "e###e", "e###e", "e###e", "e###e"]);

/// The state of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cave {
    map: Map,
    caver: Cell,
    /// Where everything falls.
    pull: Dir,
    /// In the order of their cells.
    stones: Vec<Cell>,
    /// Shards still to take, in the order of their cells.
    shards: Vec<Cell>,
}

impl Cave {
    fn parse(text: &str) -> Cave {
        let map = Map::parse(text);
        let sorted = |glyph| {
            let mut cells: Vec<Cell> = map.find(glyph).collect();
            cells.sort_unstable();
            cells
        };
        Cave { caver: map.the(b'@'), pull: Dir::Down, stones: sorted(b'o'), shards: sorted(b'*'), map }
    }

    /// Whether nothing stands in a cell that a body could enter.
    fn is_free(&self, cell: Cell) -> bool {
        self.map.glyph(cell) != b'#' && !self.stones.contains(&cell)
    }

    fn is_ladder(&self, cell: Cell) -> bool {
        self.map.glyph(cell) == b'H'
    }

    /// Where the caver gets by a key: along the ground, pushing a stone, or along a ladder.
    fn step(&mut self, dir: Dir) -> bool {
        let ahead = self.caver + dir;
        let climbs = dir == self.pull || dir == self.pull.opposite();
        let held = self.is_ladder(self.caver) || (dir == self.pull && self.is_ladder(ahead));
        if climbs && !held {
            return false;
        }
        if let Some(stone) = self.stones.iter().position(|stone| *stone == ahead)
            && !climbs
            && self.is_free(ahead + dir)
        {
            self.stones[stone] = ahead + dir;
        }
        let moves = self.is_free(ahead);
        if moves {
            self.caver = ahead;
        }
        moves
    }

    /// Lets everything fall until it rests. Spikes end it, unless a stone covers them.
    fn settle(&mut self, film: &mut Film<Self>) -> Verdict {
        loop {
            self.shards.retain(|shard| *shard != self.caver);
            match self.map.glyph(self.caver) {
                b'^' => return Verdict::Lost,
                b'X' if self.shards.is_empty() => return Verdict::Solved,
                _ => {}
            }
            let before = self.clone();
            if !self.fall() {
                return Verdict::Playing;
            }
            film.shoot(&before);
        }
    }

    /// Moves everything without support by one cell; says whether something moved.
    fn fall(&mut self) -> bool {
        let falls = !self.is_ladder(self.caver) && !self.is_ladder(self.caver + self.pull);
        let caver_moves = falls && self.is_free(self.caver + self.pull);
        if caver_moves {
            self.caver = self.caver + self.pull;
        }
        let (dx, dy) = self.pull.delta();
        // The foremost first, so that a row of stones falls as one.
        self.stones.sort_by_key(|stone| -(stone.x * dx + stone.y * dy));
        let mut moved = caver_moves;
        for stone in 0..self.stones.len() {
            let below = self.stones[stone] + self.pull;
            if self.is_free(below) && below != self.caver {
                self.stones[stone] = below;
                moved = true;
            }
        }
        self.stones.sort_unstable();
        moved
    }
}

impl Title for Cave {
    const ABOUT: About = About {
        stem: "g718",
        title: "Plumb",
        families: &[Family::Walls, Family::Gravity, Family::Scroll, Family::Push, Family::Counter],
        controls: ARROWS,
        optimal: &[13, 49, 35, 21, 27, 33, 30],
        bar: Some(Bar {
            edge: Edge::Top,
            thickness: 2,
            full: Color::of(10),
            empty: Color::of(4),
            drain: Drain::Effective,
        }),
    };

    fn level(index: usize, _: &mut Dice) -> Self {
        Cave::parse(LEVELS[index])
    }

    fn act(&mut self, input: Input, film: &mut Film<Self>) -> Verdict {
        let Input::Move(dir) = input else { return Verdict::Playing };
        if !self.step(dir) {
            return Verdict::Playing;
        }
        match self.map.glyph(self.caver) {
            b'u' => self.pull = Dir::Up,
            b'r' => self.pull = Dir::Right,
            b'd' => self.pull = Dir::Down,
            b'l' => self.pull = Dir::Left,
            _ => {}
        }
        self.settle(film)
    }

    fn draw(&self, scene: &mut Scene) {
        scene.fill(AIR);
        for (cell, glyph) in self.map.iter() {
            match glyph {
                b'#' => scene.sprite(cell, ROCKS),
                b'H' => scene.sprite(cell, LADDER),
                b'^' => scene.sprite(cell, SPIKES),
                b'u' => scene.sprite(cell, PAD),
                b'r' => scene.sprite(cell, PAD.turned(1)),
                b'd' => scene.sprite(cell, PAD.turned(2)),
                b'l' => scene.sprite(cell, PAD.turned(3)),
                b'X' => {
                    let open = self.shards.is_empty();
                    scene.sprite(cell, DOOR.tinted(if open { Color::of(0) } else { Color::of(4) }));
                }
                _ => {}
            }
        }
        self.shards.iter().for_each(|shard| scene.sprite(*shard, SHARD));
        self.stones.iter().for_each(|stone| scene.sprite(*stone, STONE));
        scene.sprite(self.caver, CAVER.turned(self.pull.quarter_turns() + 2));
    }

    fn view(&self) -> View {
        let corner = |at: i16, window: i16, world: i16| (at - window / 2).clamp(0, (world - window).max(0));
        let (width, height) = (WINDOW.0.min(self.map.width()), WINDOW.1.min(self.map.height()));
        let x = corner(self.caver.x, width, self.map.width());
        let y = corner(self.caver.y, height, self.map.height());
        View::of(width, height, 5).scrolled_to(Cell::at(x, y)).framed(Color::of(3))
    }

    fn inputs(&self) -> Vec<Input> {
        Input::MOVES.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prover::prove;

    fn walked(text: &str, dirs: &[Dir]) -> (Cave, Verdict) {
        let mut cave = Cave::parse(text);
        let act = |_, dir: &Dir| cave.act(Input::Move(*dir), &mut Film::blank());
        let verdict = dirs.iter().fold(Verdict::Playing, act);
        (cave, verdict)
    }

    #[test]
    fn the_caver_falls_off_ledges_but_not_off_ladders() {
        let map = "
            @..H
            ##.H
            ...H
        ";
        assert_eq!(walked(map, &[Dir::Right, Dir::Right]).0.caver, Cell::at(2, 2));
        let up = [Dir::Right, Dir::Right, Dir::Right, Dir::Up, Dir::Up, Dir::Left];
        assert_eq!(walked(map, &up[..5]).0.caver, Cell::at(3, 0));
        assert_eq!(walked(map, &up).0.caver, Cell::at(2, 2));
    }

    #[test]
    fn a_stone_falls_onto_spikes_and_makes_them_safe() {
        let map = "
            @o..
            ##^#
        ";
        assert_eq!(walked("@.\n#^", &[Dir::Right]).1, Verdict::Lost);
        let (cave, verdict) = walked(map, &[Dir::Right, Dir::Right, Dir::Right]);
        assert_eq!((cave.caver, verdict), (Cell::at(3, 0), Verdict::Playing));
    }

    #[test]
    fn a_pad_turns_the_pull_and_everything_falls() {
        let map = "
            .....
            ...o.
            @u.#.
        ";
        let (cave, _) = walked(map, &[Dir::Right]);
        assert_eq!((cave.caver, cave.stones), (Cell::at(1, 0), vec![Cell::at(3, 0)]));
    }

    #[test]
    fn what_a_level_brings_is_needed() {
        let without = |level: usize, things: &[char]| prove(&Cave::parse(&LEVELS[level].replace(things, ".")));
        assert!(without(1, &['H']).is_err());
        assert!(without(2, &['o']).is_err());
        assert!(without(3, &['u']).is_err());
        assert!(without(4, &['r']).is_err());
        assert!(without(5, &['o']).is_err());
        assert!(without(6, &['o']).is_err());
    }
}
