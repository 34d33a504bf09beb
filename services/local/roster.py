"""The services by name: their settings, and how each is run in this process."""

from collections.abc import Sequence
from typing import Literal, assert_never

from pydantic_settings import BaseSettings

from services.bots.settings import BotsSettings
from services.gateway.settings import GatewaySettings
from services.scoring.settings import ScoringSettings
from shared.settings import CommonSettings, load

Name = Literal["gateway", "table", "scoring", "bots"]
KINDS: Sequence[type[BaseSettings]] = (CommonSettings, GatewaySettings, ScoringSettings, BotsSettings)


def run(name: Name) -> None:
    """Run a service until a signal, with settings from the environment. Raises BadSettings, MissingSettings."""
    match name:
        case "gateway":
            from services.gateway import __main__ as gateway

            gateway.main(load(GatewaySettings, KINDS))
        case "table":
            from services.table import __main__ as table

            table.main(load(CommonSettings, KINDS))
        case "scoring":
            from services.scoring import __main__ as scoring

            scoring.main(load(ScoringSettings, KINDS))
        case "bots":
            from services.bots import __main__ as bots

            bots.main(load(BotsSettings, KINDS))
        case _:
            assert_never(name)


def preload() -> None:
    """Load all that the services need, so that forked ones start at once."""
    import services.bots.__main__
    import services.gateway.__main__
    import services.scoring.__main__
    import services.table.__main__  # noqa: F401
