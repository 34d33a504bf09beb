"""A person at a table through the gateway's own link: sits down, is ready, swaps in haste, and watches the screen."""

import asyncio
from random import Random
from typing import Any
from uuid import uuid4

import msgspec

from services.gateway.link import Link
from services.gateway.shown import Audience
from shared.table.commands import Ready, Sit
from shared.wire.messages import Envelope
from tests.simulation.told import Told
from tests.virtual import database_micros

QUIET_SECONDS = 5.0

Json = dict[str, Any]


class Screen:
    """An open socket (services.gateway.shown.Line) that draws what it is sent. Numbers must come without a gap."""

    def __init__(self) -> None:
        self.hungry = True
        self.public: Json = {}
        self.own: Json | None = None
        self.place = (0, 0)

    def view(self, frame: bytes) -> None:
        """A WebSocket frame with a view in it."""
        view = msgspec.json.decode(frame[frame.index(b"{") :])
        place = view["epoch"], view["n"]
        whole = "public" in view and "own" in view
        if place <= self.place and not whole:
            raise AssertionError(f"view {place} after {self.place}")
        self.place = place
        self.public = view.get("public", self.public)
        self.own = view.get("own", self.own)


class Person:
    """`player` at `table`, who may take the seat of that number."""

    def __init__(self, link: Link, told: Told, chance: Random, player: str, table: str, seat: int) -> None:
        self._link, self._told, self._chance = link, told, chance
        self.player, self.table, self._seat = player, table, seat
        self.screen = Screen()
        self._audience: Audience | None = None

    async def sit(self) -> None:
        """Take the seat, and look at the table from it."""
        await self.insist(Sit(self._seat))
        self._audience = self._link.audience(self.table, self.player)
        self._audience.lines[self.screen] = None
        self._link.want(self._audience)

    async def play(self) -> None:
        """Until cancelled."""
        while True:
            await asyncio.sleep(self._chance.expovariate(1.0))
            self._look_again()
            wish = self._wish()
            if wish is not None:
                await self.send(wish)

    async def insist(self, command: object) -> None:
        """Send it until it is accepted, always under the same id: whatever was answered still holds."""
        id = str(uuid4())
        while not await self.send(command, id):
            await asyncio.sleep(0.5)

    async def send(self, command: object, id: str | None = None) -> bool:
        """Send a command; whether it was accepted, as far as is known after five seconds."""
        answer: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        body, now = msgspec.json.encode(command), database_micros()
        envelope = Envelope(self.table, self.player, id or str(uuid4()), body, self._link.instance, now)
        if not self._link.courier.send(envelope, answer.set_result):
            return False
        verdict = await answer
        return verdict is not None and self._told.hear(self.table, verdict).accepted

    def shows(self, epoch: int) -> bool:
        """Whether the screen shows the table under this epoch."""
        return self.screen.place[0] == epoch

    def _look_again(self) -> None:
        """The last frame may have been lost (services.gateway.beats)."""
        audience, now = self._audience, self._link.clock()
        if audience is not None and now - audience.heard > QUIET_SECONDS:
            audience.heard = now
            self._link.want(audience)

    def _wish(self) -> object | None:
        public, own = self.screen.public, self.screen.own
        if not own or not public:
            return None
        match public["phase"]:
            case "preparing":
                return Ready()
            case "playing" if own.get("hand"):
                place = self._chance.randrange(len(public["centre"]))
                card = self._chance.choice(own["hand"])
                return {"type": "SwapCard", "card": card, "place": place, "aimed_at": public["centre"][place]}
            case _:
                return None
