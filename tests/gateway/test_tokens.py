"""Tokens: whose they are, for how long, and under which keys."""

import jwt
import pytest
from pydantic import SecretStr

from services.gateway.settings import GatewaySettings
from services.gateway.store import TableCode
from services.gateway.tokens import RENEW_AFTER_SECONDS, SECONDS_MAX, Holder, Tokens
from shared.bus import subjects
from shared.settings import BadSettings
from tests.gateway.conftest import House
from tests.gateway.person import open_socket
from tests.waiting import until

OLD, NEW = "old secret" * 7, "new secret" * 7
NOW = 1_800_000_000


def test_a_token_names_its_player() -> None:
    tokens = Tokens({"a": OLD})
    assert tokens.holder(tokens.issue("ada", NOW), NOW) == Holder("ada", old=False)


def test_two_keys_are_valid_and_the_first_signs() -> None:
    before, after = Tokens({"a": OLD}), Tokens({"b": NEW, "a": OLD})
    assert after.holder(before.issue("ada", NOW), NOW) == Holder("ada", old=True)
    assert before.holder(after.issue("ada", NOW), NOW) is None


def test_a_token_is_good_for_thirty_days_and_renewed_after_one() -> None:
    tokens = Tokens({"a": OLD})
    token = tokens.issue("ada", NOW)
    assert tokens.holder(token, NOW + RENEW_AFTER_SECONDS) == Holder("ada", old=False)
    assert tokens.holder(token, NOW + RENEW_AFTER_SECONDS + 1) == Holder("ada", old=True)
    assert tokens.holder(token, NOW + SECONDS_MAX) == Holder("ada", old=True)
    assert tokens.holder(token, NOW + SECONDS_MAX + 1) is None


def test_a_token_of_tomorrow_is_not_good() -> None:
    tokens = Tokens({"a": OLD})
    assert tokens.holder(tokens.issue("ada", NOW + 86_400), NOW) is None


@pytest.mark.parametrize(
    "token",
    [
        "",
        "a.b.c",
        jwt.encode({"sub": "ada", "iat": NOW}, NEW, "HS256", headers={"kid": "a"}),
        jwt.encode({"sub": "ada", "iat": NOW}, OLD, "HS512", headers={"kid": "a"}),
        jwt.encode({"sub": "ada", "iat": NOW}, OLD, "HS256"),
        jwt.encode({"sub": "ada", "iat": NOW}, OLD, "HS256", headers={"kid": "z"}),
        jwt.encode({"sub": "ada"}, OLD, "HS256", headers={"kid": "a"}),
        jwt.encode({"iat": NOW}, OLD, "HS256", headers={"kid": "a"}),
        jwt.encode({"sub": "ada", "iat": "now"}, OLD, "HS256", headers={"kid": "a"}),
        jwt.encode({"sub": "ada", "iat": NOW}, "", "none", headers={"kid": "a"}),
    ],
)
def test_a_forged_token_is_nobodys(token: str) -> None:
    assert Tokens({"a": OLD}).holder(token, NOW) is None


@pytest.mark.parametrize("keys", ["", "a", "a:short", ":" + OLD])
def test_keys_that_are_none_stop_the_start(keys: str) -> None:
    with pytest.raises(BadSettings, match="QUARTET_TOKEN_KEYS"):
        GatewaySettings(token_keys=SecretStr(keys)).keys()


def test_keys_are_read_in_order() -> None:
    assert list(GatewaySettings(token_keys=SecretStr(f"b:{NEW},a:{OLD}")).keys()) == ["b", "a"]


async def forgotten(house: House, player: str) -> None:
    """As `quartet forget` does it: first in the database, then everyone is told."""
    del house.store.names[player]
    house.network.join("ops").publish(subjects.FORGOTTEN, player.encode())
    await until(lambda: house.gateway._names.get(player, (0, ""))[1] is None)


async def test_who_is_forgotten_while_their_name_is_looked_up_is_not_known_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await house.person()
    look_up = house.store.player_name

    async def slowly(player: str) -> str | None:
        name = await look_up(player)
        await forgotten(house, player)
        return name

    with monkeypatch.context() as patched:
        patched.setattr(house.store, "player_name", slowly)
        assert (await ada.get("/api/tables")).json()["code"] == "bad_token"
    assert (await ada.get("/api/tables")).json()["code"] == "bad_token"


async def test_who_is_forgotten_while_they_come_in_is_shown_out(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = await house.person()
    table = await ada.table()
    look_up = house.store.table

    async def slowly(table_id: str) -> TableCode | None:
        await forgotten(house, ada.player)
        return await look_up(table_id)

    monkeypatch.setattr(house.store, "table", slowly)
    house.gateway._tables.clear()
    async with ada.socket(table) as socket:
        assert await socket.closed() == 4401
    assert not house.gateway.lines


async def test_who_is_forgotten_without_a_word_to_the_gateway_is_shown_out_all_the_same(house: House) -> None:
    ada, bob = await house.person(), await house.person("Bob")
    table = await ada.table()
    async with ada.socket(table) as socket, bob.socket(table) as other, open_socket(house.url, table, {}) as watcher:
        for each in (socket, other, watcher):
            await each.until("view")
        del house.store.names[ada.player]
        await house.gateway.recheck()
        assert await socket.closed() == 4401
        assert {line.player for line in house.gateway.lines if line.closing is None} == {bob.player, ""}
