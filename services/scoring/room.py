"""The dispute room's questions: a finished round scene by scene, in pages, with names for the players in it."""

from collections.abc import Mapping
from functools import partial

import msgspec

from services.scoring.aside import aside
from services.scoring.port import Projections, RoundLine
from shared.eventlog.port import EventLog, Row
from shared.games.registry import GAMES
from shared.replay.scenes import Played
from shared.table.botnames import bot_names
from shared.table.state import State
from shared.wire.questions import PAGE_BYTES_MAX, Page, Question

MARGIN_BYTES = 4_096
"""For what stands around the scenes of a page."""

_encode = msgspec.json.Encoder().encode


class SeatShown(msgspec.Struct, frozen=True):
    """Who sat there when the round began. `name` null: it has none, or is forgotten."""

    seat: int
    player: str | None
    bot: str | None
    name: str | None


class Head(msgspec.Struct, frozen=True):
    """What a page says of the round itself; the same on every page."""

    table: str
    round: int
    game: str
    revision: int
    first: int
    last: int
    previous: str
    head: str
    started: int | None
    stopped: int | None
    how: str | None
    awarded: int | None
    points: tuple[int, ...] | None
    sides: int
    seats: tuple[SeatShown, ...]


async def replay(log: EventLog, store: Projections, line: RoundLine, last: int, question: Question) -> Page:
    """One page of scenes, as many as fit, from version `start` on. Raises Unreachable."""
    earlier = await store.round(line.table_id, line.round - 1)
    both = await log.table_rows(line.table_id, 1 if earlier is None else earlier.first_version, last)
    before, rows = [row for row in both if row.round < line.round], [row for row in both if row.round == line.round]
    commits = await log.commits_of(line.table_id, before[0].version, last)
    played = await aside(both, partial(Played, [*before, *rows], line.round, commits))
    opening = played.opening
    assert opening is not None, "a round comes after its table's creation"
    people = [seat.player for seat in opening.table.seats if seat.player is not None and seat.bot is None]
    bots = [seat.player for seat in opening.table.seats if seat.player is not None and seat.bot is not None]
    names = {**bot_names(bots), **await store.names(people)}
    head = _encode(_head(opening, line, rows[-1], before[-1].hash.hex(), names))
    body, following = _page(played, names, question, head)
    return Page("ok", body, following)


def _head(opening: State, line: RoundLine, last: Row, previous: str, names: Mapping[str, str]) -> Head:
    seats = opening.table.seats
    return Head(
        table=line.table_id,
        round=line.round,
        game=opening.game,
        revision=opening.revision,
        first=line.first_version,
        last=last.version,
        previous=previous,
        head=last.hash.hex(),
        started=line.started,
        stopped=line.stopped,
        how=line.how,
        awarded=line.awarded_at,
        points=line.points,
        sides=GAMES[opening.game].sides(len(seats)),
        seats=tuple(
            SeatShown(number, seat.player, seat.bot, None if seat.player is None else names.get(seat.player))
            for number, seat in enumerate(seats)
        ),
    )


def _page(played: Played, names: Mapping[str, str], question: Question, head: bytes) -> tuple[bytes, int | None]:
    parts: list[bytes] = []
    size, following = len(head) + MARGIN_BYTES, None
    for scene in played.scenes(question.start, names):
        part = _encode(scene)
        size += len(part) + 1
        if parts and (size > PAGE_BYTES_MAX or len(parts) >= question.limit):
            following = scene.version
            break
        parts.append(part)
    shown = b"null" if following is None else b"%d" % following
    return b'{"head":%b,"scenes":[%b],"next":%b}' % (head, b",".join(parts), shown), following
