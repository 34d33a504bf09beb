"""What a gateway shows of itself."""

from prometheus_client import CollectorRegistry, generate_latest

from services.gateway.metrics import GatewayMetrics
from tests.gateway.conftest import House
from tests.gateway.owner import refuse
from tests.rules import case


async def _shown(house: House) -> str:
    registry = CollectorRegistry()
    registry.register(GatewayMetrics(house.gateway))
    return generate_latest(registry).decode()


async def test_sockets_commands_and_errors_are_counted(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        await socket.hear()
        await socket.say("{")
        await socket.until("error")
        shown = await _shown(house)
    assert "quartet_gateway_sockets 1.0" in shown
    assert "quartet_gateway_commands_total 1.0" in shown
    assert 'quartet_gateway_errors_total{code="not_json"} 1.0' in shown


@case("C-11")
async def test_no_metric_tells_why_a_table_refused_or_whom(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    house.owner.judge = refuse("own_four")
    await ada.send(table, {"type": "Poke", "place": 1})
    shown = await _shown(house)
    assert not any(hidden in shown for hidden in ("own_four", ada.player, table))
