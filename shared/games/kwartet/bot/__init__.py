"""Kwartet's bots: a view, a memory, and a mind."""

from shared.games.kwartet.bot.mind import bot

__all__ = ["bot"]
