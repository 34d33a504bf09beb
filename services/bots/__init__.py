"""Bots: a kind of gateway that plays the bot seats tables give to it, each with a mind of its own."""
