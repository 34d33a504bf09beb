"""Quatro's bot, from its seat's view alone: collects, signals with decoys, reads its partner, calls and counters."""

from shared.games.quatro.bot.level import LEVELS
from shared.games.quatro.bot.mind import think
from shared.games.quatro.bot.view import View
from shared.kernel import Bot

bot = Bot(levels=tuple(LEVELS), view=View, think=think)
