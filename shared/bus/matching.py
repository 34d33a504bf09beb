"""Which subjects a subscription hears, by the rules of NATS: `*` is one token, a trailing `>` one or more."""


def matches(pattern: str, subject: str) -> bool:
    """Whether a message on `subject` goes to a subscription to `pattern`."""
    if pattern == subject:
        return True
    wanted, tokens = pattern.split("."), subject.split(".")
    if wanted[-1] == ">":
        wanted.pop()
        if len(tokens) <= len(wanted):
            return False
        tokens = tokens[: len(wanted)]
    return len(wanted) == len(tokens) and all(want in ("*", token) for want, token in zip(wanted, tokens, strict=True))
