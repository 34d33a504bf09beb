"""GET /api/games: what can be played here, by which house rules."""

from fastapi import APIRouter, Depends
from pydantic import BaseModel

from services.gateway.gateway import Gateway
from services.gateway.http.caller import counted


class GameOffered(BaseModel):
    """A game: how many seats its tables may have, and the JSON Schema of its house rules."""

    game: str
    seats: list[int]
    rules: dict[str, object]
    bots: list[str]


def router(gateway: Gateway) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["games"], dependencies=[Depends(counted(gateway))])
    offered = [
        GameOffered(
            game=name,
            seats=list(served.game.seat_counts),
            rules=served.game.rules_schema(),
            bots=list(served.game.bot.levels),
        )
        for name, served in gateway.games.items()
    ]

    @routes.get("/games", summary="The games and their house rules")
    async def games() -> list[GameOffered]:
        return offered

    return routes
