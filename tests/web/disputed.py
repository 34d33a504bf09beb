"""A round with races for the dispute room, played over HTTP by four people against the real service."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

Json = dict[str, Any]
NAMES = ("Ada", "Cas", "Bo", "Dee")
ADA, CAS, BO, DEE = range(4)


@dataclass
class Disputed:
    """The table; who sits there, as their browsers remember themselves; the verdicts of the swaps that lost."""

    url: str
    table: str
    people: list[Json]
    wanted: str
    lost: Json
    second: Json

    @property
    def path(self) -> str:
        """Where the round is looked at."""
        return f"/audit?table={self.table}&round=1"

    def me(self, who: int) -> str:
        """A script that makes a browser this person's."""
        return f"localStorage.setItem('quartet.me', JSON.stringify({json.dumps(self.people[who])}))"

    def get(self, path: str, who: int) -> Any:
        """An answer of the service to this person."""
        return ask(self.url, "GET", path, None, self.people[who]["token"])


def ask(url: str, method: str, path: str, body: Json | None = None, token: str | None = None) -> Any:
    """A call to the service."""
    call = Request(f"{url}/api{path}", method=method, data=None if body is None else json.dumps(body).encode())
    call.add_header("Content-Type", "application/json")
    if token is not None:
        call.add_header("Authorization", f"Bearer {token}")
    with urlopen(call) as answer:
        return json.loads(answer.read())


def introduced(url: str, name: str) -> Json:
    """A player, as their browser remembers them."""
    made = ask(url, "POST", "/players", {"name": name})
    return {"name": name, "player": made["player_id"], "token": made["token"]}


class Table:
    """Four people at a table, and what they send."""

    def __init__(self, url: str) -> None:
        self.url, self.people = url, [introduced(url, name) for name in NAMES]
        rules = {"swap_wait_seconds": 0, "channel_wait_seconds": 0, "break_seconds": 600}
        wanted = {"game": "quatro", "seats": 4, "rules": rules, "private": True, "sit": True}
        self.id = str(ask(url, "POST", "/tables", wanted, self.people[ADA]["token"])["table_id"])

    def does(self, who: int, type: str, **fields: object) -> Json:
        """The verdict of a command."""
        sent = {"id": str(uuid4()), "command": {"type": type, **fields}}
        verdict: Json = ask(self.url, "POST", f"/tables/{self.id}/commands", sent, self.people[who]["token"])
        return verdict

    def view(self, who: int) -> Json:
        """What this person sees now."""
        seen: Json = ask(self.url, "GET", f"/tables/{self.id}/view", None, self.people[who]["token"])
        return seen

    def swap(self, who: int, place: int, card: str, aimed_at: str) -> Json:
        """A swap's verdict."""
        return self.does(who, "SwapCard", card=card, place=place, aimed_at=aimed_at)


def played(url: str) -> Disputed:
    """Cas is before Ada at place 2 and Bo before Dee at place 1, Bo calls; the round is awarded and sealed."""
    table = Table(url)
    for who in (CAS, BO, DEE):
        table.does(who, "Sit", seat=who)
    table.does(ADA, "StartGame")
    until(lambda: table.view(ADA)["public"]["phase"] == "preparing")
    table.does(ADA, "PickSign", sign="🍍")
    for who in range(4):
        table.does(who, "Ready")
    until(lambda: table.view(ADA)["public"]["phase"] == "playing")
    table.does(BO, "TakeChannel")
    table.does(BO, "ShowEmoji", emoji="🌵")
    wanted = table.view(ADA)["public"]["centre"][1]
    hands = [table.view(who)["own"]["hand"] for who in range(4)]
    assert table.swap(CAS, 1, hands[CAS][0], wanted)["accepted"]
    lost = table.swap(ADA, 1, hands[ADA][0], wanted)
    assert lost["refused"] == "card_gone"
    aimed = table.view(BO)["public"]["centre"][0]
    assert table.swap(BO, 0, hands[BO][0], aimed)["accepted"]
    second = table.swap(DEE, 0, hands[DEE][0], aimed)
    table.does(BO, "CallQuatro", anyway=True)
    disputed = Disputed(url, table.id, table.people, wanted, lost, second)
    until(lambda: sealed(disputed))
    return disputed


def sealed(disputed: Disputed) -> bool:
    """Whether the round has its place in the site's log."""
    try:
        bundle(disputed)
    except HTTPError:
        return False
    return True


def bundle(disputed: Disputed) -> bytes:
    """The round's bundle. Raises HTTPError before it is sealed."""
    call = Request(f"{disputed.url}/api/tables/{disputed.table}/rounds/1/bundle")
    call.add_header("Authorization", f"Bearer {disputed.people[ADA]['token']}")
    with urlopen(call) as answer:
        return bytes(answer.read())


def until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Looks every 50 ms until the condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
