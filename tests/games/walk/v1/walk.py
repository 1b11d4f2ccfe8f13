"""Walk to the green cell, beside the red one. ACTION5 blinks: an answer of two layers.

Its twin in Rust is `tests/src/twins/walk.rs`; the two must answer alike.
"""

from arcengine import ARCBaseGame, Camera, GameAction, Level, Sprite

PLAYER, BLINK, GOAL, PIT = 9, 11, 14, 8
# Column and row of player, goal and pit on an 8x8 board.
LEVELS = [((1, 1), (4, 1), (2, 3)), ((6, 6), (6, 2), (5, 5)), ((0, 0), (7, 7), (1, 0))]
STEPS = {GameAction.ACTION1: (0, -1), GameAction.ACTION2: (0, 1), GameAction.ACTION3: (-1, 0), GameAction.ACTION4: (1, 0)}


def cell(name, color, at, layer):
    return Sprite([[color]], name=name, x=at[0], y=at[1], layer=layer)


def level(player, goal, pit):
    return Level([cell("pit", PIT, pit, 0), cell("goal", GOAL, goal, 0), cell("player", PLAYER, player, 1)], (8, 8))


class Walk(ARCBaseGame):
    def __init__(self):
        self.blinking = False
        super().__init__("walk", [level(*places) for places in LEVELS], Camera(), available_actions=[1, 2, 3, 4, 5])

    def step(self):
        player, goal, pit = (self.current_level.get_sprites_by_name(name)[0] for name in ("player", "goal", "pit"))
        if self.action.id == GameAction.ACTION5 and not self.blinking:
            self.blinking = True
            player.color_remap(PLAYER, BLINK)
            return
        self.blinking = False
        player.color_remap(BLINK, PLAYER)
        dx, dy = STEPS.get(self.action.id, (0, 0))
        player.set_position(min(max(player.x + dx, 0), 7), min(max(player.y + dy, 0), 7))
        if (player.x, player.y) == (goal.x, goal.y):
            self.next_level()
        elif (player.x, player.y) == (pit.x, pit.y):
            self.lose()
        self.complete_action()
