"""Prints the summary and the raw counters that the official toolkit (arc-agi 0.9.9) makes of one card.

`summary.rs` enters the same commands and expects the same numbers. To make the file anew:
    python golden/scorecard.py > golden/scorecard.json
"""

import json

from arc_agi.models import EnvironmentInfo
from arc_agi.scorecard import EnvironmentScorecard, Scorecard
from arcengine import ActionInput, FrameDataRaw, GameAction, GameState

GAMES = [
    EnvironmentInfo(game_id="aa00-1", tags=["keyboard", "maze"], baseline_actions=[4, 8, 12]),
    EnvironmentInfo(game_id="bb00-1", tags=["keyboard"], baseline_actions=[3, 5]),
    EnvironmentInfo(game_id="cc00-1"),
    EnvironmentInfo(game_id="dd00-1", baseline_actions=[2]),
]

# game, guid, action (0 is RESET), how often, levels completed, state, full reset
COMMANDS = [
    # Solves a level, dies, resets it; restarts under the same guid and gets further; then as far again, but slower.
    ("aa00-1", "g1", 0, 1, 0, "NOT_FINISHED", True),
    ("aa00-1", "g1", 1, 4, 0, "NOT_FINISHED", False),
    ("aa00-1", "g1", 2, 1, 1, "NOT_FINISHED", False),
    ("aa00-1", "g1", 1, 3, 1, "NOT_FINISHED", False),
    ("aa00-1", "g1", 1, 1, 1, "GAME_OVER", False),
    ("aa00-1", "g1", 0, 1, 1, "NOT_FINISHED", False),
    ("aa00-1", "g1", 0, 1, 0, "NOT_FINISHED", True),
    ("aa00-1", "g1", 1, 2, 0, "NOT_FINISHED", False),
    ("aa00-1", "g1", 3, 1, 1, "NOT_FINISHED", False),
    ("aa00-1", "g1", 1, 9, 1, "NOT_FINISHED", False),
    ("aa00-1", "g1", 1, 1, 2, "NOT_FINISHED", False),
    ("aa00-1", "g1", 1, 7, 2, "NOT_FINISHED", False),
    ("aa00-1", "g2", 0, 1, 0, "NOT_FINISHED", True),
    ("aa00-1", "g2", 1, 39, 0, "NOT_FINISHED", False),
    ("aa00-1", "g2", 1, 1, 1, "NOT_FINISHED", False),
    ("aa00-1", "g2", 1, 1, 2, "NOT_FINISHED", False),
    # Wins.
    ("bb00-1", "g3", 0, 1, 0, "NOT_FINISHED", True),
    ("bb00-1", "g3", 1, 2, 0, "NOT_FINISHED", False),
    ("bb00-1", "g3", 1, 1, 1, "NOT_FINISHED", False),
    ("bb00-1", "g3", 1, 6, 1, "NOT_FINISHED", False),
    ("bb00-1", "g3", 1, 1, 2, "WIN", False),
    # Has no baselines.
    ("cc00-1", "g4", 0, 1, 0, "NOT_FINISHED", True),
    ("cc00-1", "g4", 1, 2, 0, "NOT_FINISHED", False),
    ("cc00-1", "g4", 1, 1, 1, "NOT_FINISHED", False),
    ("cc00-1", "g4", 1, 4, 1, "NOT_FINISHED", False),
    # Has more levels than baselines.
    ("dd00-1", "g5", 0, 1, 0, "NOT_FINISHED", True),
    ("dd00-1", "g5", 1, 2, 1, "NOT_FINISHED", False),
    ("dd00-1", "g5", 1, 3, 2, "WIN", False),
]


def frame(game, guid, action, levels, state, full_reset):
    data = FrameDataRaw(game_id=game, guid=guid, levels_completed=levels, full_reset=full_reset)
    data.state = GameState[state]
    data.action_input = ActionInput(id=GameAction.from_id(action))
    return data


def main():
    card = Scorecard(card_id="", competition_mode=None)
    for game, guid, action, times, levels, state, full_reset in COMMANDS:
        for _ in range(times):
            card.update_scorecard(guid, frame(game, guid, action, levels, state, full_reset), full_reset)
    summary = EnvironmentScorecard.from_scorecard(card, GAMES)
    summary.api_key = None
    golden = {
        "commands": COMMANDS,
        "summary": summary.model_dump(mode="json", exclude_none=True),
        "counters": card.get_json_for("aa00-1"),
    }
    print(json.dumps(golden, indent=1))


if __name__ == "__main__":
    main()
