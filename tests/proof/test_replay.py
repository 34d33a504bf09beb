"""The dispute room's replay: what was recorded, what each seat saw and when, and both sides of every race."""

from typing import Any

import msgspec

from shared.bus import subjects
from shared.eventlog.port import Commit
from shared.replay.scenes import Finish, Played, Scene
from shared.table.view import own, public
from shared.wire.messages import decoder, encode
from shared.wire.questions import PAGE_BYTES_MAX, Page, Question
from tests import virtual
from tests.proof.disputed import disputed
from tests.rules import case
from tests.scoring.house import House, house
from tests.table.desk import Desk

_page = decoder(Page)


def commits(desk: Desk) -> list[tuple[int, Commit]]:
    """Every two records in one commit, 900 µs after the second."""
    last = desk.records[-1].n
    ends = sorted({min(n + 1, last) for n in range(1, last + 1, 2)})
    return [
        (n, Commit(0, number, 1, "table-1", 0, 2, desk.records[n - 1].at + 900)) for number, n in enumerate(ends, 1)
    ]


def scenes(start: int = 0) -> list[Scene]:
    desk = disputed()
    return list(Played(desk.rows, 1, commits(desk)).scenes(start, {"ann": "Ada"}))


def test_there_is_a_scene_for_every_record_of_the_round_and_no_other() -> None:
    desk = disputed()
    assert [scene.version for scene in scenes()] == [r.n for r in desk.records if r.round == 1]
    assert [scene.hash for scene in scenes()] == [row.hash.hex() for row in desk.round(1)]


def test_views_that_are_left_out_are_as_before_and_together_they_are_what_each_seat_saw() -> None:
    desk = disputed()
    shown: Any = None
    seats: dict[str, object] = {}
    for scene in scenes():
        shown = shown if scene.public is msgspec.UNSET else scene.public
        seats |= {} if scene.own is msgspec.UNSET else scene.own
        state = desk.states[scene.version - 1]
        assert shown == public(state, {"ann": "Ada"}, 0)
        assert seats == {str(seat): own(state, seat) for seat in range(4)}


def test_a_page_that_begins_anywhere_has_everything_in_its_first_scene() -> None:
    whole = {scene.version: scene for scene in scenes()}
    for start in list(whole)[3::4]:
        first, *rest = scenes(start)
        assert first.version == start
        assert first.public is not msgspec.UNSET
        assert first.own is not msgspec.UNSET
        assert len(first.own) == 4
        assert rest == [whole[scene.version] for scene in rest]


def test_of_changes_in_one_commit_only_the_last_was_seen() -> None:
    desk = disputed()
    shown = {scene.version for scene in scenes() if scene.shown}
    for _, commit in commits(desk):
        mine = [s for s in scenes() if s.commit == commit.n]
        changed = [scene.version for scene in mine if scene.refused is None]
        assert shown & {scene.version for scene in mine} == set(changed[-1:])
        assert {scene.committed for scene in mine} <= {commit.at}


def finish(code: str) -> Finish:
    return next(scene.race for scene in scenes() if scene.race is not None and scene.race.code == code)


def test_a_race_shows_both_commands_margin_and_rule_and_the_other_way_round() -> None:
    race = finish("card_gone")
    assert (race.rule, race.margin_us) == ("Q-SWAP-3", 1_234)
    assert race.winner is not None
    assert race.loser.at - race.winner.at == 1_234
    assert (race.winner.by, race.loser.by, race.loser.player) == (1, 0, "ann")
    assert race.otherwise is not None
    assert race.otherwise.loser.refused is None
    assert race.otherwise.winner is not None
    assert race.otherwise.winner.refused is not None
    card = msgspec.to_builtins(race.loser.command)["aimed_at"]
    hand: Any = race.otherwise.own["0"]["hand"]
    assert card in hand


async def pages(where: House, table: str, round: int) -> list[dict[str, Any]]:
    """Every page of a replay, over the bus."""
    bus, found, start = where.single.bus("auditor"), [], 0
    while True:
        question = encode(Question("replay", table, round, start))
        page = _page.decode(await bus.request(subjects.ASK_SCORING, question, 5.0))
        assert page.status == "ok", page
        assert len(page.body) <= PAGE_BYTES_MAX
        found.append(msgspec.json.decode(page.body))
        if page.next is None:
            return found
        assert page.next == found[-1]["next"]
        start = page.next


@case("C-11")
def test_a_played_round_is_told_in_pages_and_an_open_one_not_at_all() -> None:
    async def scenario() -> None:
        async with house() as where:
            table = await where.open_table(target_points=2, seats=8)
            await where.until_phase(table, "over")
            for line in await where.rounds(table):
                told = await pages(where, table, line.round)
                rows = await where.single.log.round_rows(table, line.round)
                scenes = [scene for page in told for scene in page["scenes"]]
                assert [scene["hash"] for scene in scenes] == [row.hash.hex() for row in rows]
                assert {page["head"]["head"] for page in told} == {line.head}
                assert len(told[0]["head"]["seats"]) == 8
                assert all(scene["committed"] >= scene["at"] for scene in scenes)
            other = await where.open_table(target_points=9)
            await where.until_phase(other, "playing")
            bus = where.single.bus("auditor")
            asked = await bus.request(subjects.ASK_SCORING, encode(Question("replay", other, 1)), 5.0)
            assert _page.decode(asked).status == "round_open"

    virtual.run(scenario)
