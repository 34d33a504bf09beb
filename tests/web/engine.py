"""The page's own check, run by the engine that browsers have."""

import base64
import json
import subprocess
from typing import Any

from services.gateway.web import ROOT
from services.gateway.web.build import node

Json = dict[str, Any]


def in_the_browser(bundles: list[bytes], **beside: str) -> list[Json]:
    """What it says of each bundle; `trust` and `receipts` are the texts that lie beside it."""
    given = ({"bundle": base64.b64encode(bundle).decode(), **beside} for bundle in bundles)
    lines = "\n".join(map(json.dumps, given)).encode()
    command = (node(), str(ROOT.parents[2] / "tests" / "web" / "verify.mjs"), str(ROOT / "audit/verify"))
    done = subprocess.run(command, input=lines, capture_output=True, check=True, timeout=300)
    return [json.loads(line) for line in done.stdout.splitlines()]
