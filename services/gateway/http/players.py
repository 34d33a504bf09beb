"""POST /api/players: someone says what they want to be called, and is a player from then on."""

import time
from uuid import uuid4

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict, Field

from services.gateway import names
from services.gateway.gateway import Gateway
from services.gateway.http.caller import address, counted
from services.gateway.problems import Problem, too_many


class NewPlayer(BaseModel):
    """What to be called."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str = Field(max_length=1000)


class PlayerMade(BaseModel):
    """A player. `token` goes into `Authorization: Bearer …` from now on."""

    player_id: str
    name: str
    token: str


def router(gateway: Gateway) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["players"], dependencies=[Depends(counted(gateway))])

    @routes.post("/players", status_code=201, summary="Become a player")
    async def add_player(body: NewPlayer, request: Request) -> PlayerMade:
        try:
            name = names.checked(body.name)
        except names.BadName as fault:
            raise Problem(422, "bad_name", str(fault)) from None
        if not gateway.new_players.take(address(request)):
            raise too_many("new players from this address", 60)
        player = str(uuid4())
        await gateway.store.add_player(player, name, gateway.micros())
        return PlayerMade(player_id=player, name=name, token=gateway.tokens.issue(player, int(time.time())))

    return routes
