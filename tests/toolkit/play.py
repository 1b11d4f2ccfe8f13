"""The official toolkit as a client: plays every game of a server at random, reads the scorecard and closes it.

usage: play.py URL [--competition] [--actions N] [--seed N]
Prints one JSON object with the card three times: `served`, as the server wrote it on close; `read`, as the toolkit
understands that; `scored`, as the toolkit scores the answers it saw. `open` is `served` as it was before closing,
absent in competition mode.
"""

import argparse
import json
import logging
import os
import random
import sys

from arc_agi import Arcade, OperationMode
from arc_agi.models import EnvironmentInfo
from arc_agi.scorecard import EnvironmentScorecard, Scorecard


def quiet_logger():
    logger = logging.getLogger("arc3.toolkit")
    logger.addHandler(logging.StreamHandler(sys.stderr))
    logger.setLevel(logging.WARNING)
    return logger


def play(environment, card, actions, dice, competition):
    """Plays at random and enters each answer on `card`, a scorecard of the toolkit's own."""
    frame = environment.observation_space
    guid = frame.guid
    card.update_scorecard(guid, frame, True)
    for _ in range(actions):
        stuck = frame.state.name != "NOT_FINISHED"
        if stuck or dice.random() < 0.05:
            frame = environment.reset()
        else:
            action = dice.choice(environment.action_space)
            data = {"x": dice.randrange(64), "y": dice.randrange(64)} if action.is_complex() else None
            frame = environment.step(action, data=data, reasoning={"dice": action.name})
        assert frame is not None, f"{environment.info.game_id} was refused"
        restarted = frame.full_reset and (stuck or not competition)
        card.update_scorecard(guid, frame, restarted)


def infos(served):
    """The games of a summary with the baselines it tells."""
    for environment in served["environments"]:
        run = environment["runs"][0]
        baselines = [] if "message" in run else run["level_baseline_actions"]
        yield EnvironmentInfo(game_id=environment["id"], baseline_actions=baselines)


def as_read(card):
    """What the server said of a card, and what the toolkit derives from it; not what the toolkit takes for granted."""
    return card.model_dump(mode="json", exclude_none=True, exclude_unset=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--competition", action="store_true")
    parser.add_argument("--actions", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()

    mode = OperationMode.COMPETITION if arguments.competition else OperationMode.ONLINE
    arcade = Arcade("", arguments.url, mode, environments_dir=os.devnull, logger=quiet_logger())
    answers = []
    arcade._session.hooks["response"].append(lambda answer, **_: answers.append(answer))

    dice = random.Random(arguments.seed)
    card_id = arcade.open_scorecard(tags=["conformance"], opaque={"seed": arguments.seed})
    own = Scorecard(card_id=card_id, tags=["conformance", "agent"], opaque={"seed": arguments.seed})
    own.competition_mode = arguments.competition or None
    for info in arcade.get_environments():
        environment = arcade.make(info.game_id.split("-")[0], scorecard_id=card_id)
        play(environment, own, arguments.actions, dice, arguments.competition)

    out = {}
    if not arguments.competition:
        out["open"] = as_read(arcade.get_scorecard(card_id))
    out["read"] = as_read(arcade.close_scorecard(card_id))
    out["served"] = answers[-1].json()
    games = list(infos(out["served"]))
    for game, offered in zip(games, arcade.get_environments(), strict=True):
        game.tags = offered.tags
    scored = EnvironmentScorecard.from_scorecard(own, games)
    scored.api_key = None
    out["scored"] = scored.model_dump(mode="json", exclude_none=True)
    print(json.dumps(out))


if __name__ == "__main__":
    main()
