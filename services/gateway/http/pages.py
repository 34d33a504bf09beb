"""The web client's files at /, held in memory, gzipped once; what a page may load is decided here (its policy)."""

import gzip
from hashlib import sha256
from pathlib import Path

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

_FOR_EVER = "public, max-age=31536000, immutable"  # of a bundle, whose name changes with it


def router() -> APIRouter:
    """One route for each file there is, and no other."""
    routes = APIRouter(include_in_schema=False)
    files = web.public_files()
    for path, name in PAGES.items():
        if name in files:
            _add(routes, f"/{path}", files[name])
    for name, file in files.items():
        _add(routes, f"/{name}", file)
    return routes


def policy(body: bytes) -> str:
    """What a page may load: its own files, and what stands in it, by its digest."""
    scripts, styles = (" ".join(["", *web.hashes(body, tag)]) for tag in ("script", "style"))
    return POLICY.format(scripts=scripts, styles=styles)


def _add(routes: APIRouter, path: str, file: Path) -> None:
    body = web.content(file)
    packed = body if file.suffix == ".woff2" else gzip.compress(body, mtime=0)
    etag = f'"{sha256(body).hexdigest()[:32]}"'
    allowed = policy(body if file.suffix == ".html" else b"")
    kept = {"Cache-Control": _FOR_EVER} if path.startswith(f"/{web.BUNDLES}/") else {}
    headers = {**_HEADERS, **kept, "Content-Security-Policy": allowed, "ETag": etag, "Vary": "Accept-Encoding"}

    async def page(request: Request) -> Response:
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers=headers)
        if packed is not body and "gzip" in request.headers.get("accept-encoding", ""):
            zipped = {**headers, "Content-Encoding": "gzip"}
            return Response(packed, media_type=web.MEDIA_TYPES[file.suffix], headers=zipped)
        return Response(body, media_type=web.MEDIA_TYPES[file.suffix], headers=headers)

    routes.add_api_route(path, page, methods=["GET", "HEAD"], response_model=None)
