"""What the table service shows of refusals to whoever reads its metrics."""

from prometheus_client import REGISTRY

from shared.games.registry import GAMES
from tests.rules import case
from tests.tables.hall import Hall, seat_four, swap
from tests.virtual import run


def shown(code: str) -> float:
    """How many refusals of this label there were so far."""
    return REGISTRY.get_sample_value("quartet_table_refused_total", {"code": code}) or 0.0


@case("C-11")
def test_refusals_are_counted_and_those_that_tell_of_hands_and_signs_are_not_told_apart() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        table, (ada, *_) = await seat_four(gateway)
        before = {code: shown(code) for code in ("not_in_control", "hidden", "not_in_hand", "id_reused")}
        seen = gateway.seen[table, ada]
        wrong = {**swap(seen), "card": seen.public["centre"][1]}  # type: ignore[index]
        assert (await gateway.command(table, ada, wrong, id="one"))["refused"] == "not_in_hand"
        assert (await gateway.command(table, ada, {"type": "GiveChannel"}))["refused"] == "not_in_control"
        assert (await gateway.command(table, ada, {"type": "GiveChannel"}, id="one"))["refused"] == "id_reused"
        assert (await gateway.command(table, ada, swap(seen)))["accepted"]
        more = {code: shown(code) - count for code, count in before.items()}
        assert more == {"not_in_control": 1, "hidden": 1, "not_in_hand": 0, "id_reused": 1}
        await hall.close()

    run(scenario)


@case("C-11")
def test_each_game_names_the_refusals_that_tell_of_hidden_things() -> None:
    assert {"own_four", "not_in_hand", "sign_already_set", "sign_used_last_round"} == GAMES["quatro"].telling
    assert {"own_card", "family_not_held"} == GAMES["kwartet"].telling
