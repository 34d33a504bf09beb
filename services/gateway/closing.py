"""Why the server closes a socket: one reason, one code. 44xx: asking again changes nothing (but 4408 and 4429)."""

from enum import Enum


class Closing(Enum):
    """(code, whether the same client may come back at once). The member's name is the reason."""

    RESTART = (1012, True)
    OVERLOADED = (1013, True)
    TOO_SLOW = (4008, True)
    BAD_HELLO = (4400, False)
    BAD_TOKEN = (4401, False)
    PRIVATE = (4403, False)
    NO_SUCH_TABLE = (4404, False)
    HELLO_LATE = (4408, True)
    TOO_MANY_SOCKETS = (4429, True)
    TOO_MANY_REQUESTS = (4430, False)

    @property
    def code(self) -> int:
        """The close code on the wire."""
        return self.value[0]

    @property
    def again(self) -> bool:
        """Whether coming back can help."""
        return self.value[1]

    @property
    def reason(self) -> str:
        """The reason on the wire."""
        return self.name.lower()
