"""Whom each gateway holds at which table, as it says, and the whole views that they are owed for it."""

from collections.abc import Callable
from functools import partial

import structlog

from services.table import reading
from services.table.desk import Desk
from services.table.floor import Floor
from services.table.keeper import Keeper
from services.table.publisher import Publisher
from shared.wire.messages import Envelope, Held, HeldTable, Want

_log = structlog.get_logger()


class Holding:
    """`now` in µs on the table's clock."""

    def __init__(self, floor: Floor, publisher: Publisher, now: Callable[[], int]) -> None:
        self._floor, self._publisher, self._now = floor, publisher, now

    def held(self, desk: Desk, held: Held) -> None:
        """A gateway said everyone that it holds at the tables of a partition."""
        tables = frozenset(one.table for one in held.tables)
        for table_id in desk.held.get(held.gateway, frozenset()) - tables:
            keeper = desk.keepers.get(table_id)
            if keeper is not None:
                self._hold(desk, keeper, held.gateway, frozenset(), 0)
        for one in held.tables:
            self._floor.visit(desk, one.table, partial(self._hold_all, desk, held.gateway, one))

    def wanted(self, desk: Desk, want: Want) -> None:
        """Someone came, by socket or for one look."""
        self._floor.visit(desk, want.table, partial(self._show, desk, want))

    def sent(self, keeper: Keeper, envelope: Envelope) -> None:
        """Who sends by socket holds one: a new owner need not wait to be told, and the view still comes first."""
        gateway, player = envelope.gateway, envelope.player
        held = keeper.presence.players_at(gateway)
        desk = self._floor.desk(keeper.partition)
        if player not in held and desk is not None and keeper.committed is not None:
            self._hold(desk, keeper, gateway, held | {player}, int(keeper.presence.watched_at(gateway)))
            self._publisher.whole(keeper, gateway, (player,))

    def gone(self, gateway: str) -> None:
        """A gateway fell silent: it holds nobody."""
        for desk in self._floor.desks:
            for table_id in desk.held.pop(gateway, frozenset()):
                keeper = desk.keepers.get(table_id)
                if keeper is not None:
                    keeper.presence.hold(gateway, frozenset(), 0, self._now())

    def _show(self, desk: Desk, want: Want, keeper: Keeper) -> None:
        if not reading.may_hold(keeper, want.gateway, want.player):
            _log.warning("a view that is not for this listener", gateway=want.gateway, table=want.table)
        elif want.request:
            self._publisher.once(keeper, want)
        elif keeper.committed is not None:
            players = keeper.presence.players_at(want.gateway)
            watching = keeper.presence.watched_at(want.gateway) or not want.player
            self._hold(desk, keeper, want.gateway, players | {want.player} if want.player else players, int(watching))
            self._publisher.whole(keeper, want.gateway, (want.player,))

    def _hold_all(self, desk: Desk, gateway: str, one: HeldTable, keeper: Keeper) -> None:
        if keeper.committed is None:
            return
        players = frozenset(player for player in one.players if reading.may_hold(keeper, gateway, player))
        new = players - keeper.presence.players_at(gateway)
        starts_watching = one.watching and not keeper.presence.watched_at(gateway)
        self._hold(desk, keeper, gateway, players, one.watching)
        if new or starts_watching:  # an owner that is new to this table
            self._publisher.whole(keeper, gateway, (*sorted(new), *(("",) if starts_watching else ())))

    def _hold(self, desk: Desk, keeper: Keeper, gateway: str, players: frozenset[str], watching: int) -> None:
        before = keeper.presence.players_at(gateway)
        keeper.presence.hold(gateway, players, watching, self._now())
        tables = desk.held.get(gateway, frozenset())
        desk.held[gateway] = tables | {keeper.id} if players or watching else tables - {keeper.id}
        for player in players - before:
            keeper.observe(player, "socket")
