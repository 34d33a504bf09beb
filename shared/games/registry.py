"""The games there are, by name. A game is one folder beside this file and one entry here."""

from shared.games import quatro
from shared.kernel import Game

GAMES: dict[str, Game] = {game.name: game for game in (quatro.game,)}
