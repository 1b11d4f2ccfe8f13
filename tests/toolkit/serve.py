"""The official server over a folder of game packages, on a free port of the loopback.

usage: serve.py FOLDER [--competition]
Prints `listening URL` once it accepts connections, and runs until it is stopped.
"""

import argparse
import logging
import tempfile

from arc_agi import Arcade, OperationMode
from arc_agi.server import create_app
from werkzeug.serving import make_server


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--competition", action="store_true")
    arguments = parser.parse_args()

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    quiet = logging.getLogger("arc3.toolkit")
    quiet.setLevel(logging.ERROR)
    arcade = Arcade(
        operation_mode=OperationMode.OFFLINE,
        environments_dir=arguments.folder,
        recordings_dir=tempfile.mkdtemp(),
        logger=quiet,
    )
    app, _ = create_app(arcade, competition_mode=arguments.competition)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    print(f"listening http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
