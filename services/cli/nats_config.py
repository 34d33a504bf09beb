"""`quartet nats-config`: who may say what on the bus, as a configuration for a NATS server of one's own."""

from pathlib import Path
from typing import Annotated

import typer

from services.cli.ending import fail
from services.local.folder import write_private
from services.local.nats import configuration
from services.local.permissions import PERMISSIONS
from services.local.ports import PORT_MAX


def nats_config(
    passwords: Annotated[Path, typer.Option(help="a file with role:password, a line each")],
    output: Annotated[Path, typer.Option(help="where the configuration goes")],
    listen: Annotated[str, typer.Option(help="address:port of the server")] = "127.0.0.1:4222",
) -> None:
    """Write a NATS configuration, for its owner's eyes: a user for each service, and what it may publish and hear."""
    try:
        known = dict(line.split(":", 1) for line in passwords.read_text().split())
    except (OSError, ValueError) as problem:
        fail(f"{passwords}: {problem}; a line is role:password")
    missing = PERMISSIONS.keys() - known.keys()
    if missing:
        fail(f"{passwords}: no password for {', '.join(sorted(missing))}")
    host, colon, port = listen.rpartition(":")
    if not (colon and port.isdecimal() and 0 < int(port) <= PORT_MAX):
        fail(f"--listen {listen}: an address is host:port, up to port {PORT_MAX}")
    users = {role: (known[role], allowed) for role, allowed in PERMISSIONS.items()}
    try:
        write_private(output, configuration(host, int(port), users))  # passwords are in it
    except OSError as problem:
        fail(f"{output}: {problem}")
