"""Two gateways before the real table of Quatro, all in one process: whoever comes second hears what they lost to."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack

import pytest

from services.gateway.gateway import Served
from services.gateway.memory import MemoryStore
from services.local.single import Single
from shared.games.registry import GAMES
from shared.table.codec import codec
from tests.gateway.conftest import House, opened
from tests.gateway.owner import ScriptedOwner
from tests.gateway.person import Person, Socket
from tests.rules import case, rule

RACES = 25
GAMES_SERVED: Mapping[str, Served] = {name: Served(game, codec(game).players) for name, game in GAMES.items()}


@pytest.fixture
async def houses() -> AsyncIterator[tuple[House, House]]:
    """Two gateways, one table service."""
    single = Single()
    single.run_table()
    store = MemoryStore()
    owner = ScriptedOwner(single.bus("nobody"))
    async with AsyncExitStack() as stack:
        both = [
            await stack.enter_async_context(opened(single.network, store, owner, games=GAMES_SERVED)) for _ in range(2)
        ]
        yield both[0], both[1]
    await single.close()


async def seated(houses: tuple[House, House], stack: AsyncExitStack) -> list[Socket]:
    """Four people at an open round, two through each gateway."""
    people = [await houses[0].person(name) for name in ("Ada", "Bob", "Cas", "Dee")]
    rules = {"round_seconds": 600, "swap_wait_seconds": 0}
    table = await people[0].table(game="quatro", rules=rules, private=False)
    sockets = []
    for seat, person in enumerate(people):
        socket: Socket = await stack.enter_async_context(person.socket(table, url=houses[seat % 2].url))
        await socket.until("view")
        if seat:
            await accepted(socket, {"type": "Sit", "seat": seat})
        sockets.append(socket)
    await accepted(sockets[0], {"type": "StartGame"})
    for socket in sockets:
        await accepted(socket, {"type": "Ready"})
    for socket in sockets:
        while (await newest(socket))["public"]["phase"] != "playing":  # type: ignore[index]
            pass
    return sockets


async def accepted(socket: Socket, command: dict[str, object]) -> None:
    await socket.command(command)
    verdict = await socket.until("verdict")
    assert verdict["accepted"], verdict


async def newest(socket: Socket) -> dict[str, object]:
    """What a socket sees now, and its hand."""
    await socket.say({"type": "resync"})
    view = await socket.until("view")
    while not {"public", "own"} <= view.keys() or "news" in view:
        view = await socket.until("view")
    return view


@case("C-01", "C-02")
@rule("Q-SWAP-3")
@pytest.mark.slow
async def test_of_two_swaps_at_one_card_through_two_gateways_one_wins_and_the_other_hears_to_whom(
    houses: tuple[House, House],
) -> None:
    async with AsyncExitStack() as stack:
        sockets = await seated(houses, stack)
        racers = sockets[:2]
        lost: set[int] = set()
        for race in range(RACES):
            views = [await newest(socket) for socket in racers]
            aimed = views[0]["public"]["centre"][race % 4]  # type: ignore[index]
            for socket, view in zip(racers, views, strict=True):
                card = view["own"]["hand"][0]  # type: ignore[index]
                await socket.command({"type": "SwapCard", "card": card, "place": race % 4, "aimed_at": aimed})
            verdicts = [await socket.until("verdict") for socket in racers]
            won = [verdict["accepted"] for verdict in verdicts]
            assert sorted(won) == [False, True], verdicts
            loser = verdicts[won.index(False)]
            assert loser["refused"] == "card_gone"
            assert loser["lost_to"]["seat"] == won.index(True)
            assert loser["lost_to"]["margin_us"] >= 0
            lost.add(won.index(False))
            await asyncio.sleep(0)


@case("C-01")
async def test_two_swaps_at_different_cards_at_once_both_succeed(houses: tuple[House, House]) -> None:
    async with AsyncExitStack() as stack:
        sockets = await seated(houses, stack)
        views = [await newest(socket) for socket in sockets]
        for place, (socket, view) in enumerate(zip(sockets, views, strict=True)):
            aimed = view["public"]["centre"][place]  # type: ignore[index]
            card = view["own"]["hand"][0]  # type: ignore[index]
            await socket.command({"type": "SwapCard", "card": card, "place": place, "aimed_at": aimed})
        verdicts = [await socket.until("verdict") for socket in sockets]
        assert [verdict["accepted"] for verdict in verdicts] == [True] * 4
        after = [await newest(socket) for socket in sockets]
        assert len({str(view["public"]["centre"]) for view in after}) == 1  # type: ignore[index]


@case("C-04")
async def test_of_two_at_the_last_seat_one_sits(houses: tuple[House, House]) -> None:
    people = [await houses[0].person(name) for name in ("Ada", "Bob", "Cas", "Dee", "Eve")]
    table = await people[0].table(game="quatro", private=False)
    for seat, person in enumerate(people[1:3], start=1):
        assert (await person.send(table, {"type": "Sit", "seat": seat})).json()["accepted"]

    async def sit(person: Person, house: House) -> bool:
        body = {"id": f"00000000-0000-4000-8000-{person.player[-12:]}", "command": {"type": "Sit"}}
        answer = await house.http.post(f"/api/tables/{table}/commands", json=body, headers=person.headers)
        return bool(answer.json()["accepted"])

    sat = await asyncio.gather(sit(people[3], houses[0]), sit(people[4], houses[1]))
    assert sorted(sat) == [False, True]


async def test_a_view_asked_for_after_a_verdict_shows_it_at_whichever_gateway(houses: tuple[House, House]) -> None:
    ada = await houses[0].person()
    table = await ada.table(game="quatro", rules={"round_seconds": 600, "swap_wait_seconds": 0}, private=False)
    for command in (
        {"type": "AddBot"},
        {"type": "AddBot"},
        {"type": "AddBot"},
        {"type": "StartGame"},
        {"type": "Ready"},
    ):
        assert (await ada.send(table, command)).json()["accepted"]
    path = f"/api/tables/{table}/view"
    while (await ada.get(path)).json()["public"]["phase"] != "playing":
        pass
    async with ada.socket(table) as socket:
        await socket.until("view")
        for swap in range(10):
            view = (await ada.get(path)).json()
            card, aimed = view["own"]["hand"][swap % 4], view["public"]["centre"][swap % 4]
            swapped = {"type": "SwapCard", "card": card, "place": swap % 4, "aimed_at": aimed}
            assert (await ada.send(table, swapped)).json()["accepted"]
            for house in houses:
                shown = (await house.http.get(path, headers=ada.headers)).json()
                assert shown["own"]["hand"][swap % 4] == aimed
                assert shown["public"]["centre"][swap % 4] == card
                assert (shown["epoch"], shown["n"]) > (view["epoch"], view["n"])
            newest_seen = await socket.until("view")
            while newest_seen["n"] < shown["n"]:
                newest_seen = await socket.until("view")
            assert newest_seen["public"]["centre"][swap % 4] == card
