"""Logs that machines can read and that tell no secret; health and metrics on loopback."""

import json
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from prometheus_client import Counter

from shared import telemetry
from tests.rules import case

LOGGING = """
import logging, structlog
from shared import telemetry
telemetry.configure("table", "info")
log = telemetry.about(structlog.get_logger(), table="t-1", seat=2, command="c-3", record=4)
log.info("refused", refused="card_gone", card="QS", hand=["KD"], sign="fox", url="nats://table:hush@host:4222")
log.debug("unheard")
logging.getLogger("library").warning("from a library")
try:
    hand = ["KH"]
    raise RuntimeError("broken")
except RuntimeError:
    log.exception("failed")
"""

_told = Counter("quartet_test_told", "For this test only")


@pytest.fixture(scope="module")
def lines() -> list[dict[str, object]]:
    """What a process logged."""
    ran = subprocess.run([sys.executable, "-c", LOGGING], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in ran.stderr.splitlines()]


def test_a_line_is_json_and_names_what_it_is_about(lines: list[dict[str, object]]) -> None:
    first = lines[0]
    about = {name: first[name] for name in ("event", "service", "table", "seat", "command", "record", "refused")}
    assert about == {
        "event": "refused",
        "service": "table",
        "table": "t-1",
        "seat": 2,
        "command": "c-3",
        "record": 4,
        "refused": "card_gone",
    }


@case("C-11")
def test_no_card_sign_or_password_is_in_a_line(lines: list[dict[str, object]]) -> None:
    said = json.dumps(lines)
    assert [secret for secret in ("QS", "KD", "KH", "fox", "hush") if secret in said] == []
    assert lines[0]["url"] == "nats://table:(hidden)@host:4222"


def test_libraries_log_in_the_same_form_and_the_level_holds(lines: list[dict[str, object]]) -> None:
    assert [line["event"] for line in lines] == ["refused", "from a library", "failed"]


def test_an_exception_is_told_with_its_kind(lines: list[dict[str, object]]) -> None:
    assert "RuntimeError" in json.dumps(lines[-1])


async def test_metrics_and_health_are_served_on_loopback() -> None:
    import asyncio

    ready = False
    _told.inc()
    async with telemetry.listening(0, lambda: ready) as port:
        assert await asyncio.to_thread(_get, port, "/healthz") == (200, "ok\n")
        assert await asyncio.to_thread(_get, port, "/readyz") == (503, "not ready\n")
        ready = True
        assert await asyncio.to_thread(_get, port, "/readyz") == (200, "ready\n")
        status, text = await asyncio.to_thread(_get, port, "/metrics")
        assert (status, "quartet_test_told_total 1.0" in text) == (200, True)
        assert (await asyncio.to_thread(_get, port, "/else"))[0] == 404


def _get(port: int, path: str) -> tuple[int, str]:
    try:
        with urlopen(f"http://127.0.0.1:{port}{path}", timeout=20) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_line_that_finds_no_room_is_lost_and_breaks_nothing() -> None:
    program = (
        'import structlog\nfrom shared import telemetry\ntelemetry.configure("table")\nlog = structlog.get_logger()\n'
    )
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [sys.executable, "-c", f'{program}log.warning("lost")\nprint("went on")'],
            stdout=subprocess.PIPE, stderr=full, text=True, check=False,
        )  # fmt: skip
    assert ran.stdout == "went on\n"
