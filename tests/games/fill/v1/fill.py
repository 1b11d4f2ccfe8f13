"""Fill a row with ACTION5; ACTION7 takes the last cell back. Nobody knows how many actions people need.

Its twin in Rust is `tests/src/twins/fill.rs`; the two must answer alike.
"""

from arcengine import ARCBaseGame, Camera, GameAction, Level, Sprite

FILLED = 12
# How long the row is on each level.
LEVELS = [3, 5]


class Fill(ARCBaseGame):
    def __init__(self):
        levels = [Level([], (8, 8), {"length": length}) for length in LEVELS]
        super().__init__("fill", levels, Camera(), available_actions=[5, 7])

    def step(self):
        row = self.current_level.get_sprites()
        if self.action.id == GameAction.ACTION5:
            self.current_level.add_sprite(Sprite([[FILLED]], x=len(row), y=0))
        elif self.action.id == GameAction.ACTION7 and row:
            self.current_level.remove_sprite(max(row, key=lambda sprite: sprite.x))
        if len(self.current_level.get_sprites()) == self.current_level.get_data("length"):
            self.next_level()
        self.complete_action()
