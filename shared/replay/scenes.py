"""A finished round as a dispute room shows it: scene by scene what was recorded, what the table looked like after it to
everyone and to each seat, and of each race both commands side by side (docs/disputes.md gives the JSON)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import UNSET, Struct, UnsetType

from shared.eventlog.port import Commit, Row
from shared.games.registry import GAMES
from shared.kernel import Command, Event, LostTo, Refused
from shared.replay.rows import records
from shared.replay.whatif import Step, WhatIf, turned
from shared.table.boundary import restore
from shared.table.codec import AnyRecord
from shared.table.evolve import fold
from shared.table.record import Sender, Via
from shared.table.state import State
from shared.table.view import own, public

View = dict[str, object]
TABLE_RULES: Mapping[str, str] = {"seat_taken": "T-SEAT-1", "table_full": "T-SEAT-1"}
"""Refusal code -> the rule that decides a race for a seat; a game has its own."""


class Sent(Struct, frozen=True):
    """One command of a race. `by` is a seat or who else sent it; times in µs, claims null where nobody made one.

    `sent` is the client's claim, `received` the gateway's, `arrived` the table's, `at` what decides, `committed` the
    database's clock.
    """

    version: int
    by: int | str
    player: str | None
    command: Command
    events: tuple[Event, ...] | None
    refused: Refused | None
    sent: int | None
    received: int | None
    arrived: int | None
    at: int
    committed: int | None


class Outcome(Struct, frozen=True):
    """What a command would have led to: events, or a refusal."""

    at: int
    by: int | str
    command: Command
    events: tuple[Event, ...] | None
    refused: Refused | None


class Otherwise(Struct, frozen=True):
    """Had the loser been first: every step in order, and what the table would have looked like. `winner` null: the
    house's command would not have been due."""

    loser: Outcome
    winner: Outcome | None
    steps: tuple[Outcome, ...]
    public: View
    own: dict[str, View]


class Finish(Struct, frozen=True):
    """A race: by how much it was won, and the rule that decided it. `winner` null: it lies before this round."""

    code: str
    rule: str | None
    margin_us: int
    why: str | None
    loser: Sent
    winner: Sent | None
    otherwise: Otherwise | None


class Scene(Struct, frozen=True):
    """One record and the table after it. `public` and each seat of `own` are absent where they are as in the scene
    before. `shown`: the first moment at which anyone saw this: the views of a commit are those after its last change.
    """

    version: int
    at: int
    by: int | str
    player: str | None
    command: Command
    events: tuple[Event, ...] | None
    refused: Refused | None
    via: Via | None
    epoch: int
    hash: str
    commit: int | None
    committed: int | None
    shown: bool
    public: View | UnsetType = UNSET
    own: dict[str, View] | UnsetType = UNSET
    race: Finish | None = None


class Played:
    """A round as read: `rows` may begin with the round before, so that what its end decided can be shown."""

    def __init__(self, rows: Sequence[Row], round: int, commits: Sequence[tuple[int, Commit]]) -> None:
        self._rows = {row.version: row for row in rows}
        self._records = {record.n: record for record in records(rows)}
        self._before = dict(_states(self._records.values()))
        self._versions = [record.n for record in self._records.values() if record.round == round]
        self._commit = _by_version(commits, min(self._rows))
        self._shown = _last_changes(self._records, self._commit)

    @property
    def opening(self) -> State | None:
        """The state before the round's first record."""
        return self._before[self._versions[0]]

    def scenes(self, start: int, names: Mapping[str, str]) -> Iterator[Scene]:
        """From this version on; the first has everything."""
        seen: View | None = None
        seats: dict[str, View] = {}
        for version in self._versions:
            if version < start:
                continue
            record, before = self._records[version], self._before[version]
            after = fold(before, record)
            view, mine = public(after, names, 0), _own(after)
            changed = {seat: shown for seat, shown in mine.items() if seats.get(seat) != shown}
            yield self._scene(record, before, UNSET if view == seen else view, changed or UNSET, names)
            seen, seats = view, mine

    def _scene(
        self,
        record: AnyRecord,
        before: State | None,
        view: View | UnsetType,
        mine: dict[str, View] | UnsetType,
        names: Mapping[str, str],
    ) -> Scene:
        commit = self._commit.get(record.n)
        return Scene(
            version=record.n, at=record.at, by=_by(record.by), player=_player(record.by), command=record.command,
            events=record.events, refused=record.refused, via=record.via, epoch=record.epoch,
            hash=self._rows[record.n].hash.hex(), commit=None if commit is None else commit.n,
            committed=None if commit is None else commit.at, shown=record.n in self._shown, public=view, own=mine,
            race=self._finish(record, names),
        )  # fmt: skip

    def _finish(self, record: AnyRecord, names: Mapping[str, str]) -> Finish | None:
        lost: LostTo | None = None if record.refused is None else record.refused.lost_to
        if record.refused is None or lost is None:
            return None
        won, before = self._records.get(lost.version), self._before.get(lost.version)
        game = next(state.game for state in self._before.values() if state is not None)
        code = record.refused.code
        return Finish(
            code=code,
            rule={**TABLE_RULES, **GAMES[game].races}.get(code),
            margin_us=lost.margin_us,
            why=lost.why,
            loser=self._command(record),
            winner=None if won is None else self._command(won),
            otherwise=None if won is None or before is None else _otherwise(turned(before, record, won), names),
        )

    def _command(self, record: AnyRecord) -> Sent:
        via, commit = record.via, self._commit.get(record.n)
        return Sent(
            version=record.n, by=_by(record.by), player=_player(record.by), command=record.command,
            events=record.events, refused=record.refused, sent=None if via is None else via.sent,
            received=None if via is None else via.received, arrived=None if via is None else via.arrived,
            at=record.at, committed=None if commit is None else commit.at,
        )  # fmt: skip


def _states(decoded: Iterable[AnyRecord]) -> Iterator[tuple[int, State | None]]:
    """Version -> the state before it."""
    state: State | None = None
    for record in decoded:
        if state is None and record.carry:
            state = restore(record.table, record.carry)
        yield record.n, state
        state = fold(state, record)


def _by_version(commits: Sequence[tuple[int, Commit]], first: int) -> dict[int, Commit]:
    found: dict[int, Commit] = {}
    for last, commit in commits:
        found.update((version, commit) for version in range(first, last + 1))
        first = last + 1
    return found


def _last_changes(decoded: Mapping[int, AnyRecord], commit: Mapping[int, Commit]) -> frozenset[int]:
    """The last record of each commit that changed anything: views are published after a commit, not between."""
    accepted = (n for n, record in decoded.items() if record.refused is None and n in commit)
    return frozenset({commit[n].n: n for n in accepted}.values())


def _otherwise(what: WhatIf, names: Mapping[str, str]) -> Otherwise:
    winner = None if what.winner is None else _outcome(what.winner)
    steps = tuple(_outcome(step) for step in what.steps)
    return Otherwise(_outcome(what.loser), winner, steps, public(what.state, names, 0), _own(what.state))


def _outcome(step: Step) -> Outcome:
    decision = step.decision
    if isinstance(decision, Refused):
        return Outcome(step.at, _by(step.by), step.command, None, decision)
    return Outcome(step.at, _by(step.by), step.command, decision, None)


def _own(state: State) -> dict[str, View]:
    return {str(seat): own(state, seat) for seat in range(len(state.table.seats))}


def _by(by: Sender | str) -> int | str:
    if not isinstance(by, Sender):
        return by
    return "player" if by.seat is None else by.seat


def _player(by: Sender | str) -> str | None:
    return by.player if isinstance(by, Sender) else None
