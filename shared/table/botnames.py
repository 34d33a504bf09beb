"""Names of bots, which follow from their ids: the same in every process, and nothing to be forgotten."""

from zlib import crc32

BOT_NAMES = (
    "Aafje", "Basil", "Clio", "Dirk", "Elodie", "Fien", "Gust", "Hugo", "Ilse", "Joos", "Karel", "Lotte",
    "Mia", "Nel", "Odile", "Pim", "Quint", "Rik", "Saar", "Toon", "Ugo", "Vera", "Wout", "Xavi", "Yara", "Zita",
)  # fmt: skip


def bot_name(player: str) -> str:
    """A first name that follows from a bot's id, the same in every process."""
    return BOT_NAMES[crc32(player.encode()) % len(BOT_NAMES)]
