"""Settings come from QUARTET_* in the environment and nowhere else. A bad one, or one that nobody knows, is named and
stops the start: a misspelt limit must not go unnoticed."""

import difflib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from annotated_types import Ge, Gt, Le, Lt
from pydantic import Field, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "QUARTET_"
ORIGIN = "quartet.invalid/log"

S = TypeVar("S", bound=BaseSettings)


class CommonSettings(BaseSettings):
    """What every service may be told. A service's own settings are a subclass."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True)

    database_url: str = Field(
        default="",
        pattern=r"^(postgres(ql)?://\S+)?$",
        description="postgresql://user:password@host:port/database of the event log",
    )
    nats_url: str = Field(
        default="",
        pattern=r"^((nats|tls)://\S+)?$",
        description="nats://user:password@host:port of the bus, several with commas",
    )
    data: Path = Field(default=Path("data"), description="the folder of the embedded servers, where no URL is set")
    origin: str = Field(default=ORIGIN, pattern=r"^[^\s+]+$", description="the name of the site's log and of its keys")
    signing_keys: SecretStr = Field(
        default=SecretStr(""), description="file (or PEM text) of the Ed25519 keys: the first signs, all are known"
    )
    metrics_port: int = Field(default=0, ge=0, le=65_535, description="loopback port of /metrics; 0: any free one")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="the least that is logged"
    )


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as it is listed. `value` is what the environment says, masked where it is secret."""

    name: str
    default: str
    allowed: str
    description: str
    value: str | None


class BadSettings(Exception):
    """Settings that are wrong, one line each."""

    def __init__(self, lines: Iterable[str]) -> None:
        super().__init__("\n".join(lines))


def load(kind: type[S], known: Iterable[type[BaseSettings]] = (), environment: Mapping[str, str] = os.environ) -> S:
    """The settings of one service. Raises BadSettings for a bad value, and for a QUARTET_* that none of `known` has."""
    wrong = [*_unknown([kind, *known], environment)]
    try:
        settings = kind()
    except ValidationError as error:
        wrong += [f"{PREFIX}{'_'.join(map(str, fault['loc'])).upper()}: {fault['msg']}" for fault in error.errors()]
        raise BadSettings(wrong) from None
    if wrong:
        raise BadSettings(wrong)
    return settings


def listed(kinds: Iterable[type[BaseSettings]], environment: Mapping[str, str] = os.environ) -> list[Setting]:
    """Every setting of these services once, by name."""
    fields = {name: field for kind in kinds for name, field in _fields(kind)}
    return [_setting(name, field, environment.get(name)) for name, field in sorted(fields.items())]


def _fields(kind: type[BaseSettings]) -> Iterator[tuple[str, FieldInfo]]:
    return ((f"{PREFIX}{name.upper()}", field) for name, field in kind.model_fields.items())


def _unknown(kinds: Iterable[type[BaseSettings]], environment: Mapping[str, str]) -> Iterator[str]:
    known = {name for kind in kinds for name, _ in _fields(kind)}
    for name in sorted(environment):
        if name.startswith(PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            yield f"{name}: there is no such setting" + (f"; did you mean {near[0]}?" if near else "")


def _setting(name: str, field: FieldInfo, value: str | None) -> Setting:
    signs = ((Ge, "≥", "ge"), (Gt, ">", "gt"), (Le, "≤", "le"), (Lt, "<", "lt"))
    bounds = [
        f"{sign} {getattr(bound, attribute)}"
        for kind, sign, attribute in signs
        for bound in field.metadata
        if isinstance(bound, kind)
    ]
    return Setting(
        name,
        default=str(field.default),
        allowed=" ".join([_type_name(field), *bounds]),
        description=field.description or "",
        value="(set)" if value and _secret(name, field) else value,
    )


def _type_name(field: FieldInfo) -> str:
    kind = field.annotation
    return kind.__name__ if isinstance(kind, type) else str(kind).removeprefix("typing.")


def _secret(name: str, field: FieldInfo) -> bool:
    return field.annotation is SecretStr or name.endswith("_URL")  # addresses hold passwords
