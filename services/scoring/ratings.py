"""What a finished game does to its players' standings, by openskill's Plackett-Luce model. Pure.

Sides without people are not rated; with fewer than two sides of people only the counts move.
"""

from collections.abc import Mapping, Sequence
from itertools import chain

from msgspec import structs
from openskill.models import PlackettLuce

from services.scoring.port import Result, Standing

_model = PlackettLuce()


def rate(result: Result, before: Mapping[str, Standing]) -> tuple[Standing, ...]:
    """The new standings of everyone who played; `before` has those who have played before."""
    sides = [[before.get(player) or _new(result.game, player) for player in side] for side in result.sides]
    played = [index for index, side in enumerate(sides) if side]
    if len(played) > 1:
        for index, side in zip(played, _rated(result, played, [sides[i] for i in played]), strict=True):
            sides[index] = side
    return tuple(chain.from_iterable(_counted(result, index, side) for index, side in enumerate(sides)))


def _rated(result: Result, played: Sequence[int], sides: Sequence[Sequence[Standing]]) -> list[list[Standing]]:
    ratings = [[_model.create_rating([line.mu, line.sigma]) for line in side] for side in sides]
    ranks = [float(sum(points > result.points[index] for points in result.points)) for index in played]
    after = _model.rate(ratings, ranks=ranks)
    return [
        [structs.replace(line, mu=new.mu, sigma=new.sigma) for line, new in zip(side, rated, strict=True)]
        for side, rated in zip(sides, after, strict=True)
    ]


def _new(game: str, player: str) -> Standing:
    fresh = _model.rating()
    return Standing(game, player, fresh.mu, fresh.sigma)


def _counted(result: Result, index: int, side: Sequence[Standing]) -> list[Standing]:
    won, points = index in result.winners, result.points[index]
    return [
        structs.replace(line, played=line.played + 1, won=line.won + won, points=line.points + points) for line in side
    ]
