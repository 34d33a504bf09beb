"""`quartet token`: somebody who may read every finished round, made by who has the database and the keys."""

import asyncio
import time
from collections.abc import Iterator

import pytest
from typer.testing import CliRunner, Result

from services.cli import application
from services.gateway.postgres import PostgresStore
from services.gateway.tokens import Tokens

SECRET = "a secret of more than thirty-two bytes"


@pytest.fixture
def url(postgres_url: str) -> Iterator[str]:
    """An empty database, and the gateways' keys."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUARTET_DATABASE_URL", postgres_url)
        patch.setenv("QUARTET_TOKEN_KEYS", f"k1:{SECRET}")
        yield postgres_url


def call(*arguments: str) -> Result:
    return CliRunner().invoke(application(["token"]), ["token", *arguments])


@pytest.mark.parametrize(("role", "held"), [("auditor", "auditor"), ("operator", "operator"), ("player", None)])
def test_a_token_is_good_at_the_gateway_and_says_what_its_holder_may_do(url: str, role: str, held: str | None) -> None:
    token = call("--role", role, "--name", "Judge").stdout.strip()
    holder = Tokens({"k1": SECRET}).holder(token, int(time.time()))
    assert holder is not None
    assert holder.role == held

    async def name() -> str | None:
        store = PostgresStore.connect(url, "test")
        found = await store.player_name(holder.player)
        await store.close()
        return found

    assert asyncio.run(name()) == "Judge"


def test_a_name_nobody_can_have_and_a_role_there_is_not_are_refused(url: str) -> None:
    assert call("--name", "\x00").exit_code == 2
    assert call("--role", "king").exit_code == 2
