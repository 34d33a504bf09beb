"""The laws, over whole games: K-END-3 after every record, replay = play, a refusal changes nothing, every game ends,
accepted if and only if `can_ask` said so."""

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.games.kwartet import commands, events, game
from shared.games.kwartet.cards import Card
from shared.games.kwartet.commands import Ask
from shared.games.kwartet.state import State
from shared.kernel import HOUSE, Moment, Refused
from tests.kwartet.play import START, TINY, Play, rules, table
from tests.rules import case, rule

SETTINGS = [
    pytest.param(players, more, id=f"{players} players{' ' + name if name else ''}")
    for name, more in (
        ("", {}),
        ("clockwise", {"after_miss": "clockwise"}),
        ("tiny", {"pack": TINY}),
    )
    for players in ((2, 3) if name == "tiny" else (2, 3, 4, 5, 6))
]


def check_laws(state: State) -> None:
    """K-END-3, and who is on turn holds cards."""
    pack, exposed = state.rules.pack, {each.family for each in state.exposed}
    lying = [card for family in pack.families if family.name in exposed for card in family.cards()]
    placed = [*(card for hand in state.hands for card in hand), *state.stock, *lying]
    assert Counter(placed) == Counter(pack.cards())
    left = len(pack.families) - len(exposed)
    assert sum(state.points) + left == len(pack.families)
    if state.open:
        assert state.turn is not None
        assert state.hands[state.turn]
        assert sum(bool(hand) for hand in state.hands) > 1


def listed(play: Play, seat: int) -> set[tuple[int, Card]]:
    """The requests that the seat's view lists."""
    view = msgspec.json.decode(play.frame(seat))["own"]
    return {(each["seat"], Card(**card)) for each in view["can_ask"] for card in each["cards"]}


def played(players: int, seed: int, given: dict[str, object], clumsy: float) -> Play:
    """A whole game of random requests; `clumsy` of the commands are any at all, by anyone."""
    random = Random(seed)
    play = Play(table(players, house=random.randbytes(32)), rules(players, **given)).open()
    check_laws(play.state)
    cards = play.state.rules.pack.cards()
    while play.state.open:
        at = play.at + random.randrange(1, 20_000_000)
        seat = play.state.turn or 0
        asks = sorted(listed(play, seat), key=str)
        to, card = random.choice(asks)
        if random.random() < clumsy:
            seat, to, card = random.randrange(players), random.randrange(-1, players + 1), random.choice(cards)
        play.send(seat, Ask(to, card), at)
        check_laws(play.state)
    return play


@pytest.mark.parametrize(("players", "more"), SETTINGS)
@rule("K-END-1", "K-END-2", "K-END-3", "K-SEAT-1", "K-PACK-2")
@case("C-05")
def test_every_card_is_in_one_place_after_every_record_and_every_game_ends(players: int, more: dict[str, Any]) -> None:
    for seed in range(5):
        play = played(players, seed, more, clumsy=0.2)
        assert play.state.stop is not None
        if play.state.complete:
            assert play.state.hands == ((),) * players
            assert sum(game.award(play.table, play.state)) == len(play.state.rules.pack.families)


@rule("K-END-4")
def test_a_game_in_which_nobody_ever_asks_ends_too() -> None:
    play = Play(table(4), rules(4, turn_seconds=5)).open()
    timeouts = 16 * 32
    play.until(START + 5_000_000 * timeouts - 1)
    assert play.state.open
    play.until(START + 5_000_000 * timeouts)
    assert play.state.stop is not None
    assert (play.state.stop.how, play.state.complete) == ("timeout", False)
    check_laws(play.state)


@pytest.mark.parametrize("players", [2, 4])
@rule("K-ASK-2", "K-ASK-8")
def test_a_request_is_accepted_if_and_only_if_can_ask_listed_it(players: int) -> None:
    random = Random(players)
    for seed in range(3):
        play = Play(table(players, house=random.randbytes(32)), rules(players)).open()
        while play.state.open and play.version < 40:
            for seat in range(players):
                can = listed(play, seat)
                for to in range(-1, players + 1):
                    for card in (*play.state.rules.pack.cards(), Card("Q", "X")):
                        decided = game.decide(play.table, play.state, seat, Ask(to, card), Moment(99, play.at))
                        assert isinstance(decided, Refused) == ((to, card) not in can), (seat, to, card)
            asks = sorted(listed(play, play.state.turn or 0), key=str)
            play.send(play.state.turn or 0, Ask(*asks[(seed * 7) % len(asks)]), play.at + 1)


@given(seed=st.integers(0, 2**32), players=st.integers(2, 6), clumsy=st.floats(0, 0.9))
@settings(max_examples=25, deadline=None)
def test_replay_is_play(seed: int, players: int, clumsy: float) -> None:
    play = played(players, seed, {}, clumsy)
    stored = [(now, msgspec.json.encode(event)) for now, event in play.events]
    state: State = game.begin(play.table, play.state.rules, None)
    for now, body in stored:
        state = game.evolve(play.table, state, msgspec.json.decode(body, type=events.Any), now)
    assert msgspec.json.encode(state) == msgspec.json.encode(play.state)


@given(seed=st.integers(0, 2**32), players=st.integers(2, 6))
@settings(max_examples=25, deadline=None)
def test_a_refused_command_changes_nothing_and_the_same_one_is_decided_alike_again(seed: int, players: int) -> None:
    random = Random(seed)
    play = Play(table(players, house=random.randbytes(32)), rules(players)).open()
    cards = play.state.rules.pack.cards()
    for _ in range(40):
        before, at = play.state, play.at
        ask, by = Ask(random.randrange(players), random.choice(cards)), random.randrange(players)
        now = Moment(play.version + 1, at)
        twice = [game.decide(play.table, before, by, ask, now) for _ in range(2)]
        assert twice[0] == twice[1]
        if isinstance(play.send(by, ask, at), Refused):
            assert play.state is before


@pytest.mark.parametrize(
    "message",
    [
        commands.Ask(3, Card("Owls", "barn owl")),
        commands.PassAbsent(),
        commands.EndTurn(),
        events.CardsDealt(1, ((Card("7", "S"),), ()), (Card("7", "H"),)),
        events.CardAsked(0, 1, Card("7", "S"), True),
        events.CardDrawn(0, Card("7", "S")),
        events.FamilyExposed(0, "7"),
        events.HandEmptied(2),
        events.TurnTimedOut(1),
        events.TurnPassed(1),
        events.TurnCame(1),
        events.GameEnded(HOUSE, "timeout", False),
        events.GameEnded(3, "ask", True),
    ],
    ids=lambda each: type(each).__name__,
)
def test_every_message_comes_back_as_it_was_stored(message: object) -> None:
    kinds = commands.Own | commands.House if isinstance(message, commands.Own | commands.House) else events.Any
    stored = msgspec.json.encode(message)
    assert msgspec.json.decode(stored, type=kinds) == message
    assert msgspec.json.decode(stored)["type"] == type(message).__name__


def test_all_messages_are_in_the_test_above() -> None:
    assert {each.__name__ for each in (*game.commands, *game.house_commands)} == {"Ask", "PassAbsent", "EndTurn"}
    assert len(game.events) == 9


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"Ask","seat":1}',
        '{"type":"Ask","seat":"1","card":{"family":"Q","member":"H"}}',
        '{"type":"Ask","seat":1,"card":{"family":"Q","member":"H","by":2}}',
        '{"type":"Ask","seat":1,"by":0,"card":{"family":"Q","member":"H"}}',
        '{"type":"Ask","seat":1,"card":"QH"}',
        '{"type":"Ask","seat":1e30,"card":{"family":"Q","member":"H"}}',
        '{"type":"Ask","seat":1,"card":{"family":"' + "Q" * 257 + '","member":"H"}}',
        '{"type":"PassAbsent","seat":1}',
    ],
)
def test_a_command_of_the_wrong_shape_is_none(text: str) -> None:
    with pytest.raises(msgspec.MsgspecError):
        msgspec.json.decode(text, type=commands.Own)


@pytest.mark.parametrize(
    "event",
    [
        events.CardAsked(0, 1, Card("Q", "X"), True),
        events.CardDrawn(0, Card("Q", "S")),
        events.FamilyExposed(0, "Q"),
        events.HandEmptied(0),
    ],
    ids=lambda each: type(each).__name__,
)
def test_an_impossible_event_is_a_crash(event: events.Any) -> None:
    play = Play(table(4), rules(4)).open()
    with pytest.raises(ValueError, match=r"not|still"):
        game.evolve(play.table, play.state, event, Moment(2, START))
