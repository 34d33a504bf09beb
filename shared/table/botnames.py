"""Names of bots, which follow from their ids: the same in every process, and nothing to be forgotten."""

from collections.abc import Iterable, Mapping
from itertools import chain
from zlib import crc32

BOT_NAMES = (
    "Aafje", "Basil", "Clio", "Dirk", "Elodie", "Fien", "Gust", "Hugo", "Ilse", "Joos", "Karel", "Lotte",
    "Mia", "Nel", "Odile", "Pim", "Quint", "Rik", "Saar", "Toon", "Ugo", "Vera", "Wout", "Xavi", "Yara", "Zita",
)  # fmt: skip


def bot_names(players: Iterable[str], known: Mapping[str, str] | None = None) -> dict[str, str]:
    """A first name for each of one table's bots, no two the same. Who has one in `known` keeps it."""
    bots = sorted(players)  # by id: where they sit makes no difference
    names = {player: known[player] for player in bots if player in known} if known else {}
    for player in bots:
        if player not in names:
            names[player] = _free(player, set(names.values()))
    return names


def _free(player: str, taken: set[str]) -> str:
    """The name that follows from the id, or the next that nobody here has."""
    first = crc32(player.encode()) % len(BOT_NAMES)
    wanted = chain(BOT_NAMES[first:], BOT_NAMES[:first])
    return next((name for name in wanted if name not in taken), BOT_NAMES[first])
