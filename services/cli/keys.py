"""`quartet keys new FILE | show FILE`: the Ed25519 keys that sign checkpoints and receipts."""

from pathlib import Path
from typing import Annotated

import typer

from services.cli.ending import fail
from services.local.folder import write_private
from services.local.signing import FILE
from shared.proof.keys import BadKeys, load, new_key
from shared.settings import CommonSettings
from shared.settings import load as settings_of

keys = typer.Typer(help="The keys that sign checkpoints and receipts.", no_args_is_help=True)

Source = Annotated[
    Path | None, typer.Argument(help="a file of keys; else QUARTET_SIGNING_KEYS, else the data folder's")
]
Data = Annotated[Path | None, typer.Option(help="data folder of an embedded installation")]


@keys.command()
def new(file: Annotated[Path, typer.Argument(help="where the key goes; behind it stays what is there")]) -> None:
    """Make a key and put it first, so that it signs from the next start on; older ones stay known."""
    origin, older = _settings().origin, ""
    try:
        if file.exists() and file.stat().st_size:
            load(str(file), origin)  # what holds no keys is something else, and not ours to write to
            older = file.read_text()
        text = new_key() + older
        known = load(text, origin)
        write_private(file, text)
    except (BadKeys, OSError) as fault:
        fail(fault)
    when = "from the next start on, of `quartet up` or of table and scoring"
    typer.echo(f"{file}: {len(known.signers)} keys; the first signs {when}")
    typer.echo(str(known.signer.verifier))


@keys.command()
def show(file: Source = None, data: Data = None) -> None:
    """Print the public keys, one a line, the signing one first: for QUARTET_VERIFIER_KEYS and `check --trust`."""
    settings = _settings()
    source = str(file) if file is not None else settings.signing_keys.get_secret_value()
    try:
        known = load(source or str(kept_in(data or settings.data)), settings.origin)
    except BadKeys as fault:
        fail(fault)
    for verifier in known.verifiers:
        typer.echo(str(verifier))


def _settings() -> CommonSettings:
    return settings_of(CommonSettings, environment={})


def kept_in(data: Path) -> Path:
    """Where `quartet up` keeps its keys."""
    return data.expanduser().resolve() / "secret" / FILE
