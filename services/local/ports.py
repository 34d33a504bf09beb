"""Free TCP ports on loopback. One that is free now may be taken a moment later: who starts a server looks again."""

import socket
from random import SystemRandom

LOOPBACK = "127.0.0.1"
PORT_MAX = 65_535
TRIES_MAX = 50
RANGE = 10_240, 32_768

_chance = SystemRandom()
_given: set[int] = set()


def free_port() -> int:
    """A free port that this process was not given before.

    It is none of those that the system itself hands out (to every client that connects), so nobody gets it by chance
    between now and when a server listens there.
    """
    while True:
        port = _chance.randrange(*RANGE)
        if port not in _given and is_free(port):
            _given.add(port)
            return port


def is_free(port: int, host: str = LOOPBACK) -> bool:
    """Whether a server could listen there now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError):  # taken, or beyond the last there is
            return False
        return True


def first_free(port: int, host: str = LOOPBACK) -> int | None:
    """The first free port from this one on, or None if the next fifty are all taken."""
    found = next((candidate for candidate in range(port, port + TRIES_MAX) if is_free(candidate, host)), None)
    if found is not None:
        _given.add(found)
    return found
