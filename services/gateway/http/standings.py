"""GET /api/standings/{game}: who plays it best."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends
from pydantic import BaseModel

from services.gateway.gateway import Caller, Gateway
from services.gateway.http import caller as callers
from services.gateway.problems import Problem

STANDINGS_MAX = 100


class StandingShown(BaseModel):
    """A player's finished games, points, and openskill rating (mu, sigma)."""

    player_id: str
    name: str
    played: int
    won: int
    points: int
    mu: float
    sigma: float


def router(gateway: Gateway) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["standings"])
    someone = Annotated[Caller | None, Depends(callers.someone(gateway))]

    @routes.get("/standings/{game}", summary="Standings and ratings, the best first")
    async def standings(game: str, caller: someone) -> list[StandingShown]:
        if game not in gateway.games:
            raise Problem(404, "unknown_game", "There is no such game.")
        found = await gateway.store.standings(game, STANDINGS_MAX)
        return [StandingShown(**msgspec.structs.asdict(line)) for line in found]

    return routes
