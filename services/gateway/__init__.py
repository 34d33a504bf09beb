"""The gateway: people, sockets, tokens and limits. It knows no rule, holds no truth and may be killed at any time."""
