"""Whole games of bots in one process on virtual time, with all services there are but gateways."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from uuid import uuid4

import msgspec

from services.local.caller import Caller
from services.local.single import Single
from services.scoring.port import RoundLine
from shared.eventlog.port import partition_of
from shared.games.registry import GAMES
from shared.kernel import BadRules, Command
from shared.proof.keys import Keys
from shared.replay import records
from shared.table.boundary import canonical
from shared.table.codec import AnyRecord
from shared.table.commands import AddBot, CreateTable, StartGame
from tests.waiting import until


class Verdict(msgspec.Struct):
    """As much of a verdict as is looked at."""

    accepted: bool
    refused: str | None = None


TRIES_MAX = 12


async def accepted(caller: Caller, table: str, command: Command, player: str = "host") -> None:
    """Send a command that must be accepted; on a slow machine nobody may own the table yet, or its log be busy."""
    id = str(uuid4())
    for _ in range(TRIES_MAX):
        verdict = await caller.send(table, player, command, id)  # the same id: it may have been accepted
        if verdict is not None and b'"busy"' not in verdict:
            break
    assert verdict is not None, "no verdict"
    assert msgspec.json.decode(verdict, type=Verdict).accepted, verdict


async def open_table(caller: Caller, rules: dict[str, object], game: str = "quatro", seats: int = 4) -> str:
    """A table full of bots, started."""
    table, read = str(uuid4()), GAMES[game].read_rules(rules, seats)
    assert not isinstance(read, BadRules), read
    created = CreateTable(table, game, GAMES[game].revision, seats, canonical(read), sit=False)
    await accepted(caller, table, created)
    for seat in range(seats):
        await accepted(caller, table, AddBot(seat))
    await accepted(caller, table, StartGame())
    return table


class House:
    """One process's services and one caller on the bus."""

    def __init__(self, single: Single, caller: Caller) -> None:
        self.single, self.caller = single, caller

    async def open_table(self, game: str = "quatro", seats: int = 4, **rules: object) -> str:
        """A table full of bots, started."""
        return await open_table(self.caller, rules, game, seats)

    async def phase(self, table: str) -> str:
        """The table's phase as the lobby has it."""
        line = await self.single.projections.table(table)
        return "" if line is None else line.phase

    async def until_phase(self, table: str, *phases: str) -> None:
        """Wait until the lobby shows one of these."""

        async def reached() -> bool:
            self.single.check()
            return await self.phase(table) in phases

        await until(reached, 7_200)

    async def until_stopped(self, table: str) -> None:
        """Wait until the log says that the table's round is stopped."""

        async def stopped() -> bool:
            self.single.check()
            heads = {head.table_id: head.phase for p in range(64) for head in await self.single.log.heads(p)}
            return heads.get(table) == "scoring"

        await until(stopped, 7_200)

    async def records(self, table: str) -> list[AnyRecord]:
        """Everything in the table's log."""
        return list(records(await self.single.log.table_rows(table)))

    async def rounds(self, table: str) -> list[RoundLine]:
        """The history of its rounds."""
        return list(await self.single.projections.rounds(table))


@asynccontextmanager
async def house(*, scorings: int = 1, keys: Keys | None = None) -> AsyncIterator[House]:
    """A table service, bots and this many scoring services; with `keys` rounds are sealed."""
    single = Single(keys=keys)
    single.run_table()
    single.run_bots()
    for number in range(scorings):
        single.run_scoring(f"scoring-{number}")
    caller = Caller(single.bus("caller"), "caller", "player")
    await caller.start()
    try:
        yield House(single, caller)
    finally:
        await caller.stop()
        await single.close()


def tamper(single: Single, table: str, version: int, old: bytes, new: bytes) -> None:
    """Change a record's bytes in the database, as no service can."""
    stored = single.log._partitions[partition_of(table)].tables[table]
    row = stored[version].row
    assert old in row.body, row.body
    changed = replace(stored[version], row=replace(row, body=row.body.replace(old, new, 1)))
    rows = single.log._partitions[partition_of(table)].rows
    rows[stored[version].position - 1] = stored[version] = changed
