"""The gateway itself: what sockets and HTTP share. Its clock is monotonic and times nothing but itself."""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import uuid4

from services.gateway.bots import COUNTED, BotSeats
from services.gateway.closing import Closing
from services.gateway.limits import Meters
from services.gateway.line import Line
from services.gateway.link import Link
from services.gateway.settings import GatewaySettings
from services.gateway.shape import Shapes
from services.gateway.shown import Audience
from services.gateway.store import Store, TableCode
from services.gateway.tokens import Tokens
from shared.bus import subjects
from shared.bus.port import Bus
from shared.eventlog.port import Unreachable
from shared.kernel import Command, Game
from shared.ledger.growing import Mirror
from shared.ledger.memory import MemoryLedger
from shared.ledger.port import Ledger
from shared.wire.courier import Outcome
from shared.wire.messages import Envelope

REMEMBER_SECONDS = 30.0
REMEMBER_MAX = 10_000


@dataclass(frozen=True, slots=True)
class Served:
    """A game as the gateway knows it: by its record, and by the shapes of what players may send."""

    game: Game
    shapes: Shapes


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls. `token`: a newer one to hand out, if it is time. An `auditor` may read every finished round, no limit
    stops an `operator`."""

    player: str
    name: str
    token: str | None
    auditor: bool = False
    operator: bool = False


class Gateway:
    """Everything one gateway holds; it can be killed at any time, for all of it comes back."""

    def __init__(
        self,
        settings: GatewaySettings,
        bus: Bus,
        store: Store,
        tokens: Tokens,
        games: Mapping[str, Served],
        clock: Callable[[], float] = time.monotonic,
        ledger: Ledger | None = None,
    ) -> None:
        self.settings = settings
        self.site = Mirror(ledger or MemoryLedger(tuple))
        self.verifiers = settings.verifiers()
        self.store = store
        self.tokens = tokens
        self.games = games
        self.clock = clock
        self.instance = subjects.instance("gateway", uuid4().hex[:12])
        self.link = Link(bus, self.instance, clock)
        self.bots = BotSeats(settings.bot_seats_host_max, clock, store.bot_seats)
        self.requests = Meters(settings.requests_per_second, 1.0, clock)
        self.new_players = Meters(settings.players_per_minute, 60.0, clock)
        self.new_tables = Meters(settings.tables_per_minute, 60.0, clock)
        self.wrong_codes = Meters(settings.wrong_codes_per_minute, 60.0, clock)
        self.frame_bytes_max = settings.frame_bytes_max
        self.unsent_bytes_max = settings.unsent_bytes_max
        self.slow_seconds_max = settings.slow_seconds_max
        self.lines: dict[Line, None] = {}
        self.lines_of: dict[str, int] = {}
        self.auditors = frozenset(filter(None, (player.strip() for player in settings.auditors.split(","))))
        self.draining = False
        self.errors: Counter[str] = Counter()
        self.closings: Counter[str] = Counter()
        self._names: OrderedDict[str, tuple[float, str | None]] = OrderedDict()
        self._tables: OrderedDict[str, TableCode] = OrderedDict()

    def send(self, envelope: Envelope, command: Command, outcome: Outcome) -> str | None:
        """Send a command on its way; else a refusal's code, and `outcome` is never called."""
        player, id, counts = envelope.player, envelope.id, type(command).__name__ in COUNTED
        if counts:
            if self.bots.full(player, command, id):
                return "too_many_bots"
            outcome = self.bots.counted(player, command, id, outcome)
        if not self.link.courier.send(envelope, outcome):
            return "id_reused"
        if counts:
            self.bots.sent(player, command, id)
        return None

    def want(self, audience: Audience) -> None:
        """Ask for a whole view."""
        self.link.want(audience)

    async def caller(self, token: str) -> Caller | None:
        """Who holds this token; None if it is not good, or its player is forgotten."""
        now = int(time.time())
        holder = self.tokens.holder(token, now)
        if holder is None:
            return None
        name = await self.name(holder.player)
        if name is None:
            return None
        newer = self.tokens.issue(holder.player, now, holder.role) if holder.old else None
        if holder.role == "operator":
            self.bots.unbounded.add(holder.player)
        auditor = holder.role == "auditor" or holder.player in self.auditors
        return Caller(holder.player, name, newer, auditor, holder.role == "operator")

    async def name(self, player: str) -> str | None:
        """A player's name, as it was half a minute ago at most; None for one unknown or forgotten."""
        known = self._names.get(player)
        if known is not None and self.clock() - known[0] < REMEMBER_SECONDS:
            return known[1]
        name = await self.store.player_name(player)
        meanwhile = self._names.get(player)
        if meanwhile is not None and meanwhile is not known:  # they may have been forgotten
            return meanwhile[1]
        self._names[player] = self.clock(), name
        self._names.move_to_end(player)
        if len(self._names) > REMEMBER_MAX:
            self._names.popitem(last=False)
        return name

    def forgotten(self, _subject: str, payload: bytes, _: str | None) -> None:
        """A player is forgotten: their token is good for nothing from now on, and their sockets are closed."""
        self._show_out(payload.decode())

    async def recheck(self) -> None:
        """Close the sockets of those whose forgetting was not heard of: the bus may lose it. Raises Unreachable."""
        here = {line.player for line in self.lines if line.player}
        for player in here.difference(await self.store.known(here) if here else ()):
            self._show_out(player)

    def _show_out(self, player: str) -> None:
        self._names[player] = self.clock(), None
        for line in tuple(self.lines):
            if line.player == player:
                line.close(Closing.BAD_TOKEN)

    async def table(self, table_id: str) -> TableCode | None:
        """A table by its id; what was found once never changes."""
        found = self._tables.get(table_id) or await self.store.table(table_id)
        if found is not None:
            self._tables[table_id] = found
            if len(self._tables) > REMEMBER_MAX:
                self._tables.popitem(last=False)
        return found

    async def may_read(self, table: TableCode, player: str, code: str | None) -> bool:
        """Whether someone may look at a table: a private one needs its code or a seat.

        Raises Unreachable while no owner says who sits there.
        """
        if not table.private or table.code == code or (player and player == table.player):
            return True
        if not player:
            return False
        view = await self.link.view(table.table_id, player)
        if view is None:
            raise Unreachable("no owner of the table answers")
        return view.own not in (b"", b"null")

    @property
    def fit(self) -> bool:
        """Whether people should be sent here."""
        return not self.draining and self.link.bus.connected

    def micros(self) -> int:
        """The wall clock, which decides nothing."""
        return time.time_ns() // 1000
