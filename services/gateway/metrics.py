"""What a gateway shows of itself, read off when it is asked for: counting costs the hot path nothing more."""

from collections.abc import Iterator, Mapping

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from services.gateway.gateway import Gateway


class GatewayMetrics(Collector):
    """Register it once a process. No label tells of a player, a table or a card."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def collect(self) -> Iterator[Metric]:
        """All of them, as of now."""
        link, courier = self._gateway.link, self._gateway.link.courier
        yield GaugeMetricFamily("quartet_gateway_sockets", "Open sockets", len(self._gateway.lines))
        yield GaugeMetricFamily("quartet_gateway_tables", "Tables looked at through here", len(link.shown))
        yield GaugeMetricFamily("quartet_gateway_pending", "Commands without a verdict yet", len(courier))
        yield CounterMetricFamily("quartet_gateway_commands", "Commands sent to tables", courier.sent)
        yield CounterMetricFamily("quartet_gateway_resent", "Commands sent again", courier.resent)
        yield CounterMetricFamily("quartet_gateway_unknown", "Commands that no verdict came for", courier.given_up)
        yield CounterMetricFamily("quartet_gateway_gaps", "Frames lost between a table and here", link.gaps)
        yield _labelled("errors", "Frames that no client of ours could send", "code", self._gateway.errors)
        yield _labelled("closings", "Sockets closed on purpose", "reason", self._gateway.closings)


def _labelled(name: str, words: str, label: str, counts: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(f"quartet_gateway_{name}", words, labels=(label,))
    for value, count in counts.items():
        family.add_metric((value,), count)
    return family
