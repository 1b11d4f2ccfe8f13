"""Light every lamp with a click; a second click puts it out. The ninth action on a level loses.

Its twin in Rust is `tests/src/twins/taps.rs`; the two must answer alike.
"""

from arcengine import ARCBaseGame, Camera, GameAction, Level, Sprite

OFF, ON = 3, 11
MOST_ACTIONS = 8
# Column and row of the lamps on an 8x8 board.
LEVELS = [[(3, 3)], [(1, 1), (6, 1)], [(0, 7), (3, 4), (7, 0)]]


def level(lamps):
    return Level([Sprite([[OFF]], name="lamp", x=x, y=y) for x, y in lamps], (8, 8))


class Taps(ARCBaseGame):
    def __init__(self):
        self.taken = 0
        super().__init__("taps", [level(lamps) for lamps in LEVELS], Camera(), available_actions=[6])

    def on_set_level(self, level):
        self.taken = 0

    def step(self):
        lamps = self.current_level.get_sprites_by_name("lamp")
        if self.action.id != GameAction.RESET:
            self.taken += 1
        if self.action.id == GameAction.ACTION6:
            hit = self.camera.display_to_grid(self.action.data["x"], self.action.data["y"])
            for lamp in lamps:
                if (lamp.x, lamp.y) == hit:
                    lamp.pixels[:] = OFF + ON - lamp.pixels
        if all(lamp.pixels[0, 0] == ON for lamp in lamps):
            self.next_level()
        elif self.taken > MOST_ACTIONS:
            self.lose()
        self.complete_action()
