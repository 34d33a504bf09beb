"""What the bots service shows of itself. Nothing here tells one seat's secrets: no card, no code of a refusal."""

import structlog
from prometheus_client import Counter, Gauge, Histogram

from shared.wire.messages import Seats

SECONDS = (0.25, 0.4, 0.6, 0.8, 1.0, 1.3, 1.7, 2.2, 3.0, 4.0, 6.0, 10.0, 20.0)

REACTION = Histogram(
    "quartet_bot_reaction_seconds", "From a bot's wish to its command (C-27)", ["game"], buckets=SECONDS
)
SEATS = Gauge("quartet_bot_seats", "Seats that bots play here")
COMMANDS = Counter("quartet_bot_commands", "What became of bots' commands", ["outcome"])
FAULTS = Counter("quartet_bot_faults", "Minds that failed; they sit still until their next view", ["game"])

_log = structlog.get_logger()


def reacted(game: str, seconds: float) -> None:
    """A bot sends a command so long after it first wished to."""
    REACTION.labels(game).observe(seconds)


def answered(accepted: bool | None) -> None:
    """A command's outcome; None: no verdict came."""
    COMMANDS.labels({True: "accepted", False: "refused", None: "unknown"}[accepted]).inc()


def failed(given: Seats, fault: Exception) -> None:
    """A mind failed. The others go on."""
    FAULTS.labels(given.game).inc()
    _log.error("bot_mind_failed", table=given.table, seat=given.seat, exc_info=fault)
