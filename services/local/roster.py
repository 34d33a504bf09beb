"""The services by name: their settings, and how each is run in this process."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Literal, assert_never, get_args

from pydantic_settings import BaseSettings

from services.bots.settings import BotsSettings
from services.gateway.settings import GatewaySettings
from services.scoring.settings import ScoringSettings
from shared.settings import PREFIX, BadSettings, CommonSettings, load

Name = Literal["gateway", "table", "scoring", "bots"]
KINDS: Sequence[type[BaseSettings]] = (CommonSettings, GatewaySettings, ScoringSettings, BotsSettings)


def run(name: Name) -> None:
    """Run a service until a signal, with settings from the environment. Raises BadSettings."""
    _have("nats_url", *(() if name == "bots" else ("database_url",)))
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


def _have(*needed: str) -> None:
    """A service of its own has no servers of its own. Raises BadSettings."""
    settings = load(CommonSettings, KINDS)
    missing = [f"{PREFIX}{each.upper()} is not set" for each in needed if not getattr(settings, each)]
    if missing:
        raise BadSettings(missing)


def load_common_code() -> None:
    """Import what every service runs, once for all that are forked from here."""
    for name in ("table", "scoring", "bots"):
        import_module(f"services.{name}.__main__")


def load_code() -> Iterator[None]:
    """Import the rest of what the services run, step by step, so that later forks of this process start at once."""
    for module in ("fastapi", "uvicorn", *(f"services.{name}.__main__" for name in get_args(Name))):
        import_module(module)
        yield
