"""Plays every game of a server with the official toolkit as the client, and prints the scorecard it was given.

usage: play.py URL [--competition] [--actions N] [--seed S]
Prints one JSON object: `open` (the card read while it was open; null in competition mode), `closed` (what closing it
returned), `actions` (what was sent, by game, first RESET included) and `levels` (levels completed, by game).
"""

import argparse
import json
import logging
import random

from arc_agi import Arcade, OperationMode
from arcengine import GameAction, GameState


def play(environment, generator: random.Random, budget: int) -> tuple[int, int]:
    """Sends random listed actions until the game is won or the budget is spent; returns actions and levels."""
    frame = environment.observation_space
    sent = 0
    while sent < budget and frame.state != GameState.WIN:
        if frame.state == GameState.GAME_OVER:
            action, data = GameAction.RESET, None
        else:
            action = GameAction.from_id(generator.choice(frame.available_actions))
            point = {"x": generator.randrange(64), "y": generator.randrange(64)}
            data = point if action == GameAction.ACTION6 else None
        frame = environment.step(action, data=data, reasoning={"step": sent})
        assert frame is not None, f"the server refused {action.name}"
        assert all(layer.shape == (64, 64) for layer in frame.frame)
        sent += 1
    return sent, frame.levels_completed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--competition", action="store_true")
    parser.add_argument("--actions", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()

    quiet = logging.getLogger("arc3.toolkit")
    quiet.setLevel(logging.CRITICAL)
    arcade = Arcade(
        arc_api_key="conformance",
        arc_base_url=arguments.url,
        operation_mode=OperationMode.COMPETITION if arguments.competition else OperationMode.ONLINE,
        logger=quiet,
    )
    card = arcade.open_scorecard(tags=["conformance"], opaque={"seed": arguments.seed})
    generator = random.Random(arguments.seed)
    actions, levels = {}, {}
    for info in sorted(arcade.get_environments(), key=lambda info: info.game_id):
        environment = arcade.make(info.game_id, scorecard_id=card)
        assert environment is not None, f"{info.game_id} was not made"
        actions[info.game_id], levels[info.game_id] = play(environment, generator, arguments.actions)
    opened = None if arguments.competition else arcade.get_scorecard(card).model_dump(mode="json", exclude_none=True)
    closed = arcade.close_scorecard(card).model_dump(mode="json", exclude_none=True)
    print(json.dumps({"open": opened, "closed": closed, "actions": actions, "levels": levels}))


if __name__ == "__main__":
    main()
