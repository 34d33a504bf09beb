"""The page's own check, run by the engine that browsers have."""

import base64
import json
import subprocess
from collections.abc import Sequence
from typing import Any

from services.gateway.web import ROOT
from services.gateway.web.build import node

Json = dict[str, Any]


def in_the_browser(bundles: Sequence[bytes], **beside: str) -> list[Json]:
    """What it says of each bundle; `trust` and `receipts` are the texts that lie beside it."""
    return _run([{"bundle": _text(bundle), **beside} for bundle in bundles])


def in_a_row(series: Sequence[Sequence[bytes]], **beside: str) -> list[list[Json]]:
    """What it says of bundles of successive rounds, each series given together."""
    return _run([{"bundles": list(map(_text, bundles)), **beside} for bundles in series])


def is_consistent(cases: Sequence[tuple[int, bytes, int, bytes, Sequence[bytes]]]) -> list[bool]:
    """Whether it finds that one log begins with another: size and root of both, and the proof."""
    logs = (
        [{"size": old, "root": first.hex()}, {"size": new, "root": second.hex()}, [step.hex() for step in proof]]
        for old, first, new, second, proof in cases
    )
    return _run([{"consistent": each} for each in logs])


def _run(given: list[Json]) -> list[Any]:
    command = (node(), str(ROOT.parents[2] / "tests" / "web" / "verify.mjs"), str(ROOT / "audit/verify"))
    lines = "\n".join(map(json.dumps, given)).encode()
    done = subprocess.run(command, input=lines, capture_output=True, check=True, timeout=300)
    return [json.loads(line) for line in done.stdout.splitlines()]


def _text(bundle: bytes) -> str:
    return base64.b64encode(bundle).decode()
