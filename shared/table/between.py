"""How a table gets from round to round: the start, the preparation, the stop and the Award, as the fold sees them."""

import msgspec
from msgspec.structs import replace

from shared.games.registry import GAMES
from shared.kernel import Moment, Stop
from shared.table import events as e
from shared.table.state import State


def start(state: State, event: e.GameStarted, now: Moment) -> State:
    """Points begin at 0 (Q-WIN-4). The first start ends round 0; later ones lie in the round to come (T-AWARD-1)."""
    points = (0,) * len(state.table.points)
    state = replace(state, phase="preparing", winners=None, table=replace(state.table, points=points))
    return state if state.table.round else _next_round(state, now)


def prepare(state: State, event: e.RoundPrepared, now: Moment) -> State:
    """The house is committed to its bytes; nobody has said or brought anything yet."""
    table, nobody = state.table, (None,) * len(state.ready)
    return replace(
        state,
        play=GAMES[state.game].begin(table, state.rules, state.carry),
        stop=None,
        deadline=event.deadline,
        ready=(False,) * len(nobody),
        house=bytes.fromhex(event.house),
        commitment=event.commitment,
        hashes=nobody,
        entropy=nobody,
        commitments_closed=False,
    )


def stopped(state: State, play: object, stop: Stop) -> State:
    """The round waits for its Award, hands shown (T-AWARD-1)."""
    shown = GAMES[state.game].last_round(state.table, play)
    shown |= {"round": state.table.round, "awarded": None, "revealed": None}
    return replace(state, play=play, stop=stop, phase="scoring", sleeping=False, last_round=_plain(shown))


def award(state: State, event: e.RoundAwarded, now: Moment) -> State:
    """The points are given and the house's bytes public; what comes now belongs to the next round (T-CHANCE-2)."""
    game, table = GAMES[state.game], state.table
    assert state.house is not None, "an awarded round was prepared"
    assert state.last_round is not None, "an awarded round was stopped"
    revealed = {"house": state.house.hex(), "players": [None if b is None else b.hex() for b in state.entropy]}
    shown = state.last_round | {"awarded": list(event.points), "revealed": revealed}
    totals = tuple(a + b for a, b in zip(table.points, event.points, strict=True))
    nobody = (None,) * len(state.ready)
    state = replace(
        state,
        table=replace(table, points=totals, key=None),
        phase="over" if event.winners is not None else "break",
        play=None,
        carry=game.carry_of(state.play),
        winners=event.winners,
        deadline=event.deadline,
        awarded_at=now.at,
        last_round=shown,
        ready=(False,) * len(nobody),
        house=None,
        commitment=None,
        hashes=nobody,
        entropy=nobody,
        commitments_closed=False,
    )
    return _next_round(state, now)


def _next_round(state: State, now: Moment) -> State:
    return replace(
        state,
        table=replace(state.table, round=state.table.round + 1),
        refusals=(0,) * len(state.refusals),
        first_version=now.version + 1,
        last_first_version=state.first_version,
    )


def _plain(shown: dict[str, object]) -> dict[str, object]:
    """As it comes back from JSON, so that a state rebuilt from its carry is the same."""
    plain: dict[str, object] = msgspec.json.decode(msgspec.json.encode(shown))
    return plain
