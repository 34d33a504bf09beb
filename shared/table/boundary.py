"""The state between two rounds as bytes: it stands in the first record of each round, which is so rebuilt alone."""

import msgspec
from msgspec import Raw, Struct

from shared.games.registry import GAMES
from shared.kernel import Moment, Seat, Stop, Table
from shared.table.due import next_due
from shared.table.record import NO_CARRY
from shared.table.state import Host, Phase, State, is_boundary

_canonical = msgspec.json.Encoder(order="sorted")


class Boundary(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a round needs from before. `rules` and `carry` are the game's own structs, in canonical JSON."""

    game: str
    revision: int
    rules: Raw
    private: bool
    seats: tuple[Seat, ...]
    host: Host
    round: int
    points: tuple[int, ...]
    version: int
    at: int
    phase: Phase
    created_at: int
    last_first_version: int
    takings: tuple[Moment | None, ...]
    lost_races: int = 0
    had_human: bool = False
    alone_since: int | None = None
    deadline: int | None = None
    stop: Stop | None = None
    carry: Raw = NO_CARRY
    winners: tuple[int, ...] | None = None
    awarded_at: int | None = None
    last_round: dict[str, object] | None = None


_decoder = msgspec.json.Decoder(Boundary)


def boundary(state: State) -> bytes:
    """Canonical JSON of the state right after an Award or the start; `restore` gives the very same state back."""
    assert is_boundary(state), "only between two rounds"
    table = state.table
    return _canonical.encode(
        Boundary(
            game=state.game,
            revision=state.revision,
            rules=canonical(state.rules),
            private=state.private,
            seats=table.seats,
            host=state.host,
            round=table.round,
            points=table.points,
            version=state.version,
            at=state.at,
            phase=state.phase,
            created_at=state.created_at,
            last_first_version=state.last_first_version,
            takings=state.takings,
            lost_races=state.lost_races,
            had_human=state.had_human,
            alone_since=state.alone_since,
            deadline=state.deadline,
            stop=state.stop,
            carry=NO_CARRY if state.carry is None else canonical(state.carry),
            winners=state.winners,
            awarded_at=state.awarded_at,
            last_round=state.last_round,
        )
    )


def restore(table_id: str, carry: bytes | Raw) -> State:
    """The state that `boundary` wrote. Raises msgspec.ValidationError, or KeyError for an unknown game."""
    b = _decoder.decode(carry)
    game = GAMES[b.game]
    host_seat = next((n for n, seat in enumerate(b.seats) if seat.player == b.host.player), None)
    nobody = (None,) * len(b.seats)
    state = State(
        table=Table(table_id, b.seats, host_seat, b.round, b.points),
        version=b.version,
        at=b.at,
        next_due=None,
        phase=b.phase,
        stop=b.stop,
        refusals=(0,) * len(b.seats),
        game=b.game,
        revision=b.revision,
        rules=msgspec.json.decode(b.rules, type=game.rules),
        private=b.private,
        host=b.host,
        created_at=b.created_at,
        first_version=b.version + 1,
        last_first_version=b.last_first_version,
        takings=b.takings,
        lost_races=b.lost_races,
        had_human=b.had_human,
        alone_since=b.alone_since,
        deadline=b.deadline,
        carry=None if not b.carry else msgspec.json.decode(b.carry, type=game.carry),
        winners=b.winners,
        awarded_at=b.awarded_at,
        last_round=b.last_round,
        ready=(False,) * len(b.seats),
        hashes=nobody,
        entropy=nobody,
    )
    return msgspec.structs.replace(state, next_due=next_due(state))


def canonical(value: object) -> Raw:
    """A struct as canonical JSON, to stand inside of another."""
    return Raw(_canonical.encode(value))
