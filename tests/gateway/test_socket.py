"""The socket: hello, views, commands and their verdicts, beats, resync."""

from tests.gateway.conftest import House
from tests.gateway.owner import refuse

POKE = {"type": "Poke", "place": 1}


async def test_hello_is_answered_with_a_whole_view(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        view = await socket.hear()
        assert view["type"] == "view"
        assert view["public"]["phase"] == "seating"
        assert view["own"] == {"seat": 0}


async def test_a_verdict_comes_after_the_view_it_made(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        first = await socket.hear()
        id = await socket.command(POKE, round=0, sent=5)
        view, verdict = await socket.hear(), await socket.hear()
    assert (view["type"], view["n"], view["public"]["counter"]) == ("view", first["n"] + 1, 1)
    assert verdict == {"type": "verdict", "id": id, "accepted": True, "receipt": "ab" * 32}
    sent = house.owner.commands[-1]
    assert (sent.player, sent.table, sent.meant, sent.sent, sent.http, sent.name) == (
        ada.player,
        table,
        0,
        5,
        False,
        "Ada",
    )
    assert sent.command == b'{"type":"Poke","place":1,"note":""}'


async def test_a_refusal_says_its_code_and_shows_nothing_new(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    house.owner.judge = refuse("card_gone")
    async with ada.socket(table) as socket:
        await socket.hear()
        id = await socket.command(POKE)
        verdict = await socket.hear()
    assert (verdict["id"], verdict["accepted"], verdict["refused"]) == (id, False, "card_gone")
