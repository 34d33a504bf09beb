"""Free TCP ports on loopback. One that is free now may be taken a moment later: who starts a server looks again."""

import socket

LOOPBACK = "127.0.0.1"
TRIES_MAX = 50


def free_port() -> int:
    """A port the system has free."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def is_free(port: int, host: str = LOOPBACK) -> bool:
    """Whether a server could listen there now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
        return True


def first_free(port: int, host: str = LOOPBACK) -> int | None:
    """The first free port from this one on, or None if the next fifty are all taken."""
    return next((candidate for candidate in range(port, port + TRIES_MAX) if is_free(candidate, host)), None)
