"""The same game on real servers: each service under its own user of NATS and its own role in Postgres."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
import pytest

from services.bots.service import Bots
from services.local.caller import Caller
from services.scoring.postgres import PostgresProjections
from services.scoring.service import Scoring
from services.table.names import PlayerNames
from services.table.office import Tables
from shared.bus import subjects
from shared.bus.nats import NatsBus
from shared.eventlog.connection import engine
from shared.eventlog.postgres import PostgresEventLog
from shared.games.registry import GAMES
from shared.leases.postgres import PostgresLeases
from shared.replay import Verified, verify_round
from shared.wire.messages import decoder, encode
from shared.wire.questions import Page, Question
from tests.rules import rule
from tests.scoring.house import open_table
from tests.toygame import game as dash
from tests.waiting import until

FAST: dict[str, object] = {
    "target_points": 2,
    "round_seconds": 10,
    "prepare_seconds": 1,
    "break_seconds": 1,
    "swap_wait_seconds": 0,
}


@pytest.mark.parametrize(
    ("game", "seats", "rules"),
    [("quatro", 4, FAST), ("kwartet", 3, {"prepare_seconds": 1}), ("dash", 3, {"prepare_ms": 100, "break_ms": 100})],
)
@pytest.mark.timeout(600)
@rule("T-AWARD-1")
async def test_bots_play_a_game_to_its_end_and_every_record_verifies(
    game: str, seats: int, rules: dict[str, object], postgres_url: str, nats_url_of: Callable[[str], str]
) -> None:
    """Dash is a game that lives in the tests alone: one folder and a line that registers it are all that it took."""
    GAMES.setdefault(dash.name, dash)
    async with contextlib.AsyncExitStack() as after:

        async def bus(user: str) -> NatsBus:
            connection = await NatsBus.connect(nats_url_of(user), user)
            after.push_async_callback(connection.close)
            return connection

        def run(work: Coroutine[Any, Any, None]) -> None:
            task = asyncio.create_task(work)
            after.push_async_callback(asyncio.wait, (task,))
            after.callback(task.cancel)

        seconds = asyncio.get_running_loop().time
        log = PostgresEventLog(postgres_url, "quartet_table", "table-1")
        read = PostgresEventLog(postgres_url, "quartet_scoring", "scoring-1")
        names = engine(postgres_url, "quartet_table", "names")
        store = PostgresProjections(postgres_url, "quartet_scoring", "scoring-1")
        leases = [PostgresLeases(postgres_url, f"quartet_{role}", f"{role}-1") for role in ("table", "scoring")]
        for close in (log.close, read.close, store.close, *(lease.close for lease in leases)):
            after.push_async_callback(close)
        after.push_async_callback(names.dispose)
        run(Tables(await bus("table"), log, leases[0], PlayerNames(names), "table-1").run())
        run(Scoring(await bus("scoring"), read, leases[1], store, "scoring.1", seconds).run())
        run(Bots(await bus("bots"), GAMES, "bots.1", seconds, pace=10.0).run())
        gateway = await bus("gateway")
        caller = Caller(gateway, "gateway.caller", "player", "gateway")
        await caller.start()
        after.push_async_callback(caller.stop)

        table = await open_table(caller, rules, game, seats)

        async def over() -> bool:
            line = await store.table(table)
            return line is not None and line.phase == "over"

        await until(over, 400)
        rows = await read.table_rows(table)
        assert isinstance(verify_round(rows), Verified)
        assert all(line.verified for line in await store.rounds(table))
        question = encode(Question("records", table, 1))
        page = decoder(Page).decode(await gateway.request(subjects.ASK_SCORING, question, 5.0))
        assert page.status == "ok"
        assert [each["hash"] for each in msgspec.json.decode(page.body)] == [
            row.hash.hex() for row in await read.round_rows(table, 1)
        ]
