"""The games there are, by name. A game is one folder beside this file and one entry here."""

from shared.games import kwartet, quatro
from shared.kernel import Game

ALL: tuple[Game, ...] = (quatro.game, kwartet.game)

GAMES: dict[str, Game] = {game.name: game for game in ALL}
