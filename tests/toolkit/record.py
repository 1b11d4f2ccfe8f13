"""Plays every game of a folder at random and leaves the recordings that the official toolkit makes of it.

usage: record.py FOLDER RECORDINGS [--server] [--actions N] [--seed N]
In this process, or with --server through the toolkit's own server, which then records. Prints one JSON object: for each
recording what the player was shown, `{path: [answer, ...]}`; an answer is a list of layers, a layer a list of rows of
hexadecimal digits.
"""

import argparse
import glob
import json
import logging
import os
import random
import threading

from arc_agi import Arcade, OperationMode
from arc_agi.server import create_app
from werkzeug.serving import make_server


def quiet(name):
    logger = logging.getLogger(name)
    logger.setLevel(logging.ERROR)
    return logger


def shown(frame):
    """The layers of an answer as rows of digits."""
    return [["".join(f"{int(cell):x}" for cell in row) for row in layer] for layer in frame.frame]


def play(environment, actions, dice):
    """Plays at random; the guid of the play and everything it showed."""
    frame = environment.observation_space
    answers = [shown(frame)]
    for _ in range(actions):
        if frame.state.name != "NOT_FINISHED":
            frame = environment.reset()
        else:
            action = dice.choice(environment.action_space)
            data = {"x": dice.randrange(64), "y": dice.randrange(64)} if action.is_complex() else None
            frame = environment.step(action, data=data, reasoning={"why": action.name})
        answers.append(shown(frame))
    return frame.guid, answers


def serve(folder, recordings):
    """Starts the toolkit's server, which records every play; its address."""
    arcade = Arcade(
        operation_mode=OperationMode.OFFLINE,
        environments_dir=folder,
        recordings_dir=recordings,
        logger=quiet("arc3.server"),
    )
    app, _ = create_app(arcade, save_all_recordings=True)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("recordings")
    parser.add_argument("--server", action="store_true")
    parser.add_argument("--actions", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    if arguments.server:
        url = serve(arguments.folder, arguments.recordings)
        arcade = Arcade("any-key", url, OperationMode.ONLINE, environments_dir=os.devnull, logger=quiet("arc3.client"))
    else:
        arcade = Arcade(
            operation_mode=OperationMode.OFFLINE,
            environments_dir=arguments.folder,
            recordings_dir=arguments.recordings,
            logger=quiet("arc3.toolkit"),
        )
    dice = random.Random(arguments.seed)
    card = arcade.open_scorecard(tags=["conformance"])
    told = {}
    for info in arcade.get_environments():
        kept = {} if arguments.server else {"save_recording": True}
        environment = arcade.make(info.game_id.split("-")[0], scorecard_id=card, **kept)
        guid, answers = play(environment, arguments.actions, dice)
        [path] = glob.glob(os.path.join(arguments.recordings, "**", f"*{guid}*.jsonl"), recursive=True)
        told[path] = answers
    print(json.dumps(told))


if __name__ == "__main__":
    main()
