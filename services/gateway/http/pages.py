"""The web client's files at /, held in memory, gzipped once; what a page may load is decided here (its policy)."""

import gzip
import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from fastapi import APIRouter, Request, Response

from services.gateway import web

POLICY = (
    "default-src 'none'; script-src 'self'{scripts}; style-src 'self'{styles}; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
PAGES = {"": "index.html", "audit": "audit.html"}
"""What has an address of its own: path -> file."""

_HEADERS = {
    "Cache-Control": "no-cache",  # asked again each time, and answered 304 while it is the same
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", re.IGNORECASE)
"""In Accept-Encoding: gzip, unless it is said to be unwanted."""
_FOR_EVER = "public, max-age=31536000, immutable"  # of a bundle, whose name changes with it


class File(NamedTuple):
    """One of them as it is sent; `packed` is the same bytes where packing does not pay."""

    body: bytes
    packed: bytes
    media_type: str
    headers: Mapping[str, str]

    async def answer(self, request: Request) -> Response:
        """The file, or that it is the same as what they have."""
        if self.headers["ETag"] in request.headers.get("if-none-match", ""):  # also as W/"…", or one of several
            return Response(status_code=304, headers=self.headers)
        if self.packed is not self.body and _GZIP.search(request.headers.get("accept-encoding", "")):
            zipped = {**self.headers, "Content-Encoding": "gzip"}
            return Response(self.packed, media_type=self.media_type, headers=zipped)
        return Response(self.body, media_type=self.media_type, headers=self.headers)


def router() -> APIRouter:
    """One route for each file there is, and no other."""
    routes = APIRouter()
    for path, file in files().items():
        routes.add_route(path, file.answer, methods=["GET", "HEAD"], include_in_schema=False)
    return routes


@cache
def files() -> Mapping[str, File]:
    """Every file by its path; read once a process."""
    found = web.public_files()
    pages = {f"/{path}": name for path, name in PAGES.items()}
    return {path: _file(name, found[name]) for path, name in (pages | {f"/{name}": name for name in found}).items()}


def policy(body: bytes) -> str:
    """What a page may load: its own files, and what stands in it, by its digest."""
    scripts, styles = (" ".join(["", *web.hashes(body, tag)]) for tag in ("script", "style"))
    return POLICY.format(scripts=scripts, styles=styles)


def _file(name: str, path: Path) -> File:
    body = web.content(path)
    packed = body if path.suffix == ".woff2" else gzip.compress(body, mtime=0)
    headers = {
        **_HEADERS,
        **({"Cache-Control": _FOR_EVER} if name.startswith(f"{web.BUNDLES}/") else {}),
        "Content-Security-Policy": policy(body if path.suffix == ".html" else b""),
        "ETag": f'"{sha256(body).hexdigest()[:32]}"',
        "Vary": "Accept-Encoding",
    }
    return File(body, packed, web.MEDIA_TYPES[path.suffix], headers)
