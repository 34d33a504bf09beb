"""Which service may publish and hear what on NATS. The table takes who commands from the subject, so these lines are
what makes a player's command a player's."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, assert_never, get_args

from shared.bus import subjects

Role = Literal["gateway", "table", "scoring", "bots", "ops"]

EVERYONE_S = subjects.to("*", ">")
WHO = subjects.who("*")
WANT = subjects.want("*")
HELD = subjects.held("*")
STOPPED = subjects.stopped("*")
COMMANDS = subjects.command("*", "*", "*")
TOLD = (subjects.CHECKPOINT, subjects.FORGOTTEN)
ASK = (subjects.ASK_SCORING, subjects.ASK_SEARCH)
ANSWERS = "_INBOX.>"


@dataclass(frozen=True, slots=True)
class Permissions:
    """NATS subjects with wildcards; what is not named is refused."""

    publish: tuple[str, ...]
    subscribe: tuple[str, ...]


def permissions(role: Role) -> Permissions:
    """What one service may do. Each has an inbox prefix of its own, so that none reads another's answers."""
    inbox = f"_INBOX.{role}.>"
    match role:
        case "gateway":
            return Permissions(
                publish=(_command("player"), WANT, HELD, WHO, subjects.here("gateway"), *ASK),
                subscribe=(_mine(role), STOPPED, subjects.FORGOTTEN, inbox),
            )
        case "bots":
            return Permissions(
                publish=(_command("bot"), WANT, HELD, WHO, subjects.here("bots")),
                subscribe=(_mine(role), inbox),
            )
        case "table":
            return Permissions(
                publish=(EVERYONE_S, STOPPED, ANSWERS),
                subscribe=(COMMANDS, WANT, HELD, WHO, subjects.here("*"), *TOLD, inbox),
            )
        case "scoring":
            return Permissions(
                publish=(_command("scoring"), WHO, subjects.here("other"), subjects.CHECKPOINT, ANSWERS),
                subscribe=(_mine(role), STOPPED, *ASK, inbox),
            )
        case "ops":
            return Permissions(
                publish=(_command("ops"), WHO, subjects.here("other"), subjects.FORGOTTEN, *ASK),
                subscribe=(_mine(role), inbox),
            )
        case _:
            assert_never(role)


def _mine(role: subjects.Role) -> str:
    """What is for listeners of this role; `*` is the one token that tells them apart."""
    return subjects.to(subjects.instance(role, "*"), ">")


def _command(kind: subjects.Kind) -> str:
    return subjects.command("*", "*", kind)


PERMISSIONS: Mapping[str, Permissions] = {role: permissions(role) for role in get_args(Role)}
"""User name on the server -> what it may do."""
