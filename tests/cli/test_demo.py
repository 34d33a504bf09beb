"""`quartet demo` without a running service: a whole game in the terminal, in one process."""

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from services.cli import application
from services.cli.picture import headline, outcome, picture

NOBODY = "http://127.0.0.1:9"


def demo(*arguments: str) -> Result:
    """Run the command where no service answers."""
    return CliRunner().invoke(application(), ["demo", "--url", NOBODY, *arguments])


def test_bots_play_a_whole_game_and_the_end_is_told() -> None:
    result = demo("--game", "kwartet", "--seats", "3", "--pace", "100")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert any(line.startswith("asked: ") for line in lines)
    assert any(line.startswith("family: ") for line in lines)
    assert lines[-1].startswith("over, won by seat ")


@pytest.mark.parametrize("arguments", [("--game", "chess"), ("--seats", "5"), ("--game", "kwartet", "--seats", "9")])
def test_what_can_not_be_played_is_refused_with_what_can(arguments: tuple[str, ...]) -> None:
    result = demo(*arguments)
    assert result.exit_code == 2
    assert "quatro" in result.output or "is played by" in result.output


def test_a_headline_is_read_in_words() -> None:
    told = headline({"type": "channel_taken", "seat": 2, "why": None})
    assert told == "channel taken: seat 2"
    assert headline({"type": "swap", "given": "10D", "place": 1}) == "swap: given 10♦, place 1"
    assert headline({"type": "dealt", "replaced": []}) == "dealt"


def test_a_shared_win_names_all_winners() -> None:
    public = {"points": [5, 5, 1], "winners": [0, 1], "seats": [{}] * 6}
    assert outcome(public) == "over, won by team 0 and 1, 5 : 5 : 1"
    assert outcome({**public, "winners": []}) == "over, nobody wins, 5 : 5 : 1"


def test_any_games_view_can_be_drawn() -> None:
    seat = {"player": "p", "name": "Ada", "bot": None, "connected": True, "host": True, "chips": 3, "mood": None}
    public = {
        **{"game": "third", "phase": "playing", "round": 2, "points": [1], "seats": [seat], "last_round": None},
        **{"board": [["QS", "10H"], []], "nothing": None, "turn": 0},
    }
    plain = Console(width=80, no_color=True)
    with plain.capture() as shown:
        plain.print(picture(public, ["swap: seat 0"]))
    text = shown.get()
    for word in ("third", "playing", "Ada", "chips", "Q♠", "10♥", "turn", "swap: seat 0"):
        assert word in text
    assert "nothing" not in text
