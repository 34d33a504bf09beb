"""The web client: static files, and which of them the world may fetch. Nothing here knows a rule or a service."""

import json
import os
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parent
MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
    ".py": "text/x-python; charset=utf-8",
}
_PROGRAMS = {"verify_bundle.py"}
"""What people may take along and run without us; every other program here is ours."""
_OURS_ALONE = {"node_modules", "package.json", "package-lock.json", "jsconfig.json", "sprite.html", "made.json"}
BUNDLES = "dist"
"""Where build.py puts the bundles; their names change with their content."""
MADE = f"{BUNDLES}/made.json"
"""Of which state of the modules they are, and what each page has to fetch of them."""
SPRITE = b"<!-- sprite.html -->"
"""Where a page wants the icons. They stand in the page itself, so that they are there with the first paint."""

_MODULE = re.compile(rb"<!-- module ([\w./-]+) -->")
"""Where a page wants the module that draws it, and whatever that needs at once."""
_INLINE = re.compile(rb"<!-- inline ([\w./-]+) -->")
"""Where a page wants a style sheet or a script in itself: so much less to wait for before something is seen."""


def public_files() -> dict[str, Path]:
    """Every file of the client by its path below `/` ("games/quatro.js"); what builds it is left out."""
    found: list[Path] = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(set(folders) - _OURS_ALONE)
        found += [Path(folder, name) for name in sorted(names) if name not in _OURS_ALONE]
    files = {path.relative_to(ROOT).as_posix(): path for path in found if path.suffix in MEDIA_TYPES}
    return {name: path for name, path in files.items() if path.suffix != ".py" or name in _PROGRAMS}


def content(file: Path, single: bool = False) -> bytes:
    """What is sent for one of them: as it is, but that a page has the icons, what it wants for its first paint, and its
    bundle. Bundles that are older than the modules are left alone, and the page takes the modules; so too if `single`.
    """
    body = file.read_bytes()
    if file.suffix != ".html":
        return body
    pages = {} if single else bundles()
    body = _MODULE.sub(lambda wanted: _fetched(pages, wanted[1].decode()), body)
    return _INLINE.sub(_inlined, body.replace(SPRITE, (ROOT / "sprite.html").read_bytes().strip()))


def fingerprint() -> str:
    """The state of all modules of the client, those from npm too."""
    state = sha256()
    for name, path in public_files().items():
        if path.suffix == ".js" and not name.startswith(f"{BUNDLES}/"):
            state.update(f"{name}\n".encode() + sha256(path.read_bytes()).digest())
    return state.hexdigest()


def bundles() -> dict[str, list[str]]:
    """What there is to fetch for each page's module; nothing if the bundles are not of the modules as they are now."""
    try:
        made = json.loads((ROOT / MADE).read_text())
    except (FileNotFoundError, ValueError):  # somebody is about to write it, or was stopped at it
        return {}
    return dict(made["pages"]) if made["of"] == fingerprint() else {}


def hashes(page: bytes, tag: str) -> list[str]:
    """What the policy has to allow: the digest of each inline `style` or `script` of a page."""
    found = re.findall(rf"<{tag}>(.*?)</{tag}>".encode(), page, re.DOTALL)
    return [f"'sha256-{b64encode(sha256(text).digest()).decode()}'" for text in found]


def _fetched(pages: dict[str, list[str]], module: str) -> bytes:
    first, *others = pages.get(module, [module])
    links = [f'<link rel="modulepreload" href="{other}">' for other in others]
    return "\n".join([f'<script type="module" src="{first}"></script>', *links]).encode()


def _inlined(wanted: re.Match[bytes]) -> bytes:
    name = wanted[1].decode()
    tag = "style" if name.endswith(".css") else "script"
    return f"<{tag}>{(ROOT / name).read_text()}</{tag}>".encode()
