"""Settings that are wrong are named, and nobody's setting is lost."""

import pytest
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from services.local.roster import KINDS
from shared.settings import PREFIX, BadSettings, CommonSettings, listed, load


class Toy(BaseSettings):
    """Settings of a service that there is only here."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore")

    seats_max: int = Field(default=4, ge=2, le=8, description="seats at a table")
    signing_key: SecretStr = SecretStr("")


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    import os

    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)
    return monkeypatch


def test_what_is_set_is_taken_and_the_rest_is_default(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("QUARTET_SEATS_MAX", "6")
    settings = load(Toy)
    assert (settings.seats_max, settings.signing_key.get_secret_value()) == (6, "")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("QUARTET_SEATS_MAX", "9", "QUARTET_SEATS_MAX: Input should be less than or equal to 8"),
        ("QUARTET_SEATS_MAX", "many", "QUARTET_SEATS_MAX: Input should be a valid integer"),
        ("QUARTET_SEAT_MAX", "4", "QUARTET_SEAT_MAX: there is no such setting; did you mean QUARTET_SEATS_MAX?"),
        ("QUARTET_XYZZY", "4", "QUARTET_XYZZY: there is no such setting"),
    ],
)
def test_a_bad_or_unknown_one_is_named(environment: pytest.MonkeyPatch, name: str, value: str, said: str) -> None:
    environment.setenv(name, value)
    with pytest.raises(BadSettings) as bad:
        load(Toy)
    assert said in str(bad.value)


def test_another_services_setting_is_known_where_it_is_named_as_such(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("QUARTET_LOG_LEVEL", "debug")
    assert load(Toy, [CommonSettings]).seats_max == 4
    with pytest.raises(BadSettings, match="QUARTET_LOG_LEVEL"):
        load(Toy)


def test_the_list_tells_name_default_range_and_masks_secrets(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("QUARTET_SIGNING_KEY", "hush")
    environment.setenv("QUARTET_NATS_URL", "nats://gateway:hush@host")
    seats, key = listed([Toy])
    assert (seats.name, seats.default, seats.allowed) == ("QUARTET_SEATS_MAX", "4", "int ≥ 2 ≤ 8")
    assert "hush" not in str([key, *listed([CommonSettings])])


def test_every_setting_of_every_service_says_what_it_is_or_has_a_telling_name() -> None:
    names = [setting.name for setting in listed(KINDS)]
    assert names == sorted(set(names))
    assert {"QUARTET_DATABASE_URL", "QUARTET_PORT", "QUARTET_AUDIT_RATE"} <= set(names)
