"""Rounds with races for the dispute room, played over HTTP by people against the real service."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

from services.gateway.web import verify_bundle as verifier
from tests.proof.forge import forged
from tests.web.house import House

Json = dict[str, Any]
NAMES = ("Ada", "Cas", "Bo", "Dee")
ADA, CAS, BO, DEE = range(4)


@dataclass
class Disputed:
    """The table; who sits there, as their browsers remember themselves; the verdicts of what lost, in order."""

    url: str
    table: str
    code: str
    people: list[Json]
    lost: list[Json]
    wanted: str = ""

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

    @property
    def races(self) -> list[Json]:
        """Every race of the round, as the replay tells it."""
        scenes = self.get(f"/tables/{self.table}/rounds/1/replay", ADA)["scenes"]
        return [scene["race"] for scene in scenes if scene["race"]]


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
    """People at a table, each in the seat of their number, and what they send."""

    def __init__(
        self, url: str, names: Sequence[str] = NAMES, game: str = "quatro", private: bool = True, **rules: object
    ) -> None:
        self.url, self.people = url, [introduced(url, name) for name in names]
        wanted = {"game": game, "seats": len(names), "rules": rules, "private": private, "sit": True}
        made = ask(url, "POST", "/tables", wanted, self.people[0]["token"])
        self.id, self.code = str(made["table_id"]), str(made["code"])
        for who in range(1, len(names)):
            self.does(who, "Sit", seat=who)
        self.does(0, "StartGame")
        self.until("preparing")

    def does(self, who: int, type: str, receipts: str = "hash", **fields: object) -> Json:
        """The verdict of a command."""
        now = time.time_ns() // 1_000
        sent = {"id": str(uuid4()), "command": {"type": type, **fields}, "receipts": receipts, "sent": now}
        verdict: Json = ask(self.url, "POST", f"/tables/{self.id}/commands", sent, self.people[who]["token"])
        return verdict

    def view(self, who: int) -> Json:
        """What this person sees now."""
        seen: Json = ask(self.url, "GET", f"/tables/{self.id}/view", None, self.people[who]["token"])
        return seen

    @property
    def phase(self) -> str:
        """Where the table is."""
        return str(self.view(0)["public"]["phase"])

    def open(self) -> None:
        """Everyone is ready, the cards are dealt."""
        for who in range(len(self.people)):
            self.does(who, "Ready")
        self.until("playing")

    def until(self, phase: str) -> None:
        """Waits for the table to get there."""
        until(lambda: self.phase == phase)

    def ended(self, lost: list[Json], wanted: str = "", round: int = 1) -> Disputed:
        """The round once it is awarded and sealed."""
        disputed = Disputed(self.url, self.id, self.code, self.people, lost, wanted)
        until(lambda: sealed(disputed, round))
        return disputed


def quatro(url: str, names: Sequence[str] = NAMES, private: bool = True) -> Table:
    """A table of Quatro at which nobody has to wait, in play."""
    table = Table(url, names, private=private, swap_wait_seconds=0, channel_wait_seconds=0, break_seconds=600)
    table.does(ADA, "PickSign", sign="🍍")
    table.open()
    return table


def played(url: str, names: Sequence[str] = NAMES, private: bool = True) -> Disputed:
    """Cas is before Ada at place 2 and Bo before Dee at place 1, Bo calls; the round is awarded and sealed."""
    table = quatro(url, names, private)
    table.does(BO, "TakeChannel")
    table.does(BO, "ShowEmoji", emoji="🌵")
    wanted = table.view(ADA)["public"]["centre"][1]
    hands = [table.view(who)["own"]["hand"] for who in range(4)]

    def swap(who: int, place: int, aimed_at: str) -> Json:
        return table.does(who, "SwapCard", "signed", card=hands[who][0], place=place, aimed_at=aimed_at)

    assert swap(CAS, 1, wanted)["accepted"]
    first = swap(ADA, 1, wanted)
    assert first["refused"] == "card_gone"
    aimed = table.view(BO)["public"]["centre"][0]
    assert swap(BO, 0, aimed)["accepted"]
    second = swap(DEE, 0, aimed)
    table.does(BO, "CallQuatro", anyway=True)
    return table.ended([first, second], wanted)


def called(house: House) -> Disputed:
    """Bo calls Quatro, and Dee too late; nothing is scored before both have."""
    table = quatro(house.url)
    house.stop_scoring()
    assert table.does(BO, "CallQuatro", anyway=True)["accepted"]
    late = table.does(DEE, "CallQuatro", anyway=True)
    assert late["refused"] == "round_over"
    house.start_scoring()
    return table.ended([late])


def twice(url: str) -> Disputed:
    """Two rounds, each of which Bo ends with a call."""
    table = quatro(url)
    table.does(BO, "CallQuatro", anyway=True)
    table.ended([])
    table.does(ADA, "EndBreak")
    table.until("preparing")
    table.open()
    table.does(BO, "CallQuatro", anyway=True)
    return table.ended([], round=2)


def sealed(disputed: Disputed, round: int = 1) -> bool:
    """Whether the round has its place in the site's log."""
    try:
        bundle(disputed, round)
    except HTTPError:
        return False
    return True


def bundle(disputed: Disputed, round: int = 1) -> bytes:
    """A round's bundle. Raises HTTPError before it is sealed."""
    call = Request(f"{disputed.url}/api/tables/{disputed.table}/rounds/{round}/bundle")
    call.add_header("Authorization", f"Bearer {disputed.people[ADA]['token']}")
    with urlopen(call) as answer:
        return bytes(answer.read())


def until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Looks every 50 ms until the condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def forgery(disputed: Disputed) -> bytes:
    """The bundle with the first race lost by a microsecond more; chained, sealed and signed as if it were right."""
    files, loser = verifier.unzip(bundle(disputed)), disputed.races[0]["loser"]["version"]
    manifest = json.loads(files[verifier.MANIFEST])
    records = [json.loads(line) for line in files[verifier.RECORDS].splitlines()]
    changed = next(record for record in records if record["n"] == loser)
    changed["refused"]["lost_to"]["margin_us"] += 1
    return forged(records, bytes.fromhex(manifest["previous"]), manifest["first"])
