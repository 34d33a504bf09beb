"""Every subject on the bus, as functions: who says what where. `*` stands for one token when a subscriber needs it.

cmd.<partition>.<epoch>.<kind>   commands to the owner; kind says who vouches: player, bot, scoring, ops
want.<partition>                 a gateway asks the owner for a view
held.<partition>                 a gateway says, every second, whom it holds at tables of this partition
who.<partition>                  who owns it? owners answer to gw.<asker>.owner
stopped.<partition>              a round stopped or was awarded: a hint to scoring and the lobby
here.<kind>                      gateways, bots and others that want announcements say every second that they live
ask.scoring                      auditors' questions about one round, request and reply
ask.search                       auditors' searches, request and reply
forgotten                        an operator says that a player is forgotten
checkpoint                       scoring says the site log's newest checkpoint
gw.<instance>.<what>             all that a gateway gets: frames, owner, view, seats, lost; an instance is <role>.<id>
"""

from typing import Literal

Kind = Literal["player", "bot", "scoring", "ops"]
What = Literal["frames", "owner", "view", "seats", "lost"]
Listener = Literal["gateway", "bots", "other"]
Role = Literal["gateway", "bots", "scoring", "ops"]

ASK_SCORING = "ask.scoring"
ASK_SEARCH = "ask.search"
CHECKPOINT = "checkpoint"
FORGOTTEN = "forgotten"


def command(partition: int | str, epoch: int | str, kind: Kind | Literal["*"]) -> str:
    """Commands to the owner of a partition under one epoch."""
    return f"cmd.{partition}.{epoch}.{kind}"


def want(partition: int | str) -> str:
    """A view is wanted."""
    return f"want.{partition}"


def held(partition: int | str) -> str:
    """Who is held at a partition's tables."""
    return f"held.{partition}"


def who(partition: int | str) -> str:
    """Who owns a partition?"""
    return f"who.{partition}"


def stopped(partition: int | str) -> str:
    """Something for scoring to read."""
    return f"stopped.{partition}"


def here(kind: Listener | Literal["*"]) -> str:
    """A listener lives."""
    return f"here.{kind}"


def to(instance: str, what: What | Literal[">"]) -> str:
    """To one listener; with `>` its one subscription."""
    return f"gw.{instance}.{what}"


def instance(role: Role, id: str) -> str:
    """A listener's name. Its role is a token of its own, so that NATS lets no role hear what is for another."""
    return f"{role}.{id}"


def what(subject: str) -> str:
    """What a listener got: the end of its subject."""
    return subject[subject.rfind(".") + 1 :]
