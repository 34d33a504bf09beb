"""Mischief in Quatro and in Kwartet: what players of each game do, wisely and foolishly."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from shared.games.kwartet import commands as k
from shared.games.kwartet.cards import Card
from shared.games.quatro import commands as q
from shared.games.quatro.cards import SIGNS, four, rank
from tests.proof.mischief import Act, Mischief
from tests.table.desk import Desk, S


class QuatroMischief(Mischief):
    """Swaps that race, channels, signs, votes, calls that are right or wrong."""

    game = "quatro"

    def rules(self) -> dict[str, Any]:
        pick = self.chance.choice
        return {
            "target_points": pick((1, 1, 2, 3)), "prepare_seconds": pick((1, 5, 30)), "break_seconds": pick((1, 2.5)),
            "round_seconds": pick((5, 20, 60)), "swap_wait_seconds": pick((0, 0.05, 2)),
            "channel_wait_seconds": pick((0, 0.5, 2)), "vote_gap_seconds": pick((0, 1, 30)),
            "beat_seconds": pick((1, 1.001, 5)), "vote_seconds": pick((5, 20)),
        }  # fmt: skip

    def preparing(self) -> tuple[Act, ...]:
        return (*super().preparing(), self.pick_sign, self.pick_sign)

    def playing(self) -> tuple[Act, ...]:
        talk = (self.channel, self.channel, self.vote, self.call, self.pick_sign)
        return (self.swap, self.swap, self.swap, self.race, self.collect, self.collect, *talk)

    def pick_sign(self) -> None:
        self.send(self.somebody(), q.PickSign(self.chance.choice((*SIGNS[:4], "?"))))

    def swap(self) -> None:
        """Any card for any; aimed at what lies there, what lay there, or what never did."""
        seat, place = self.chance.randrange(self.seats), self.chance.randrange(4)
        play = self.desk.play
        if play is None or not play.hands[seat]:
            self.send(self.somebody(), q.SwapCard("AS", 0, "KS"))
            return
        gone = sorted(play.taken[place])
        aimed = self.chance.choice((play.centre[place], play.centre[place], *gone[:2], "AS"))
        card = self.chance.choice((*play.hands[seat], *play.hands[seat], "AS"))
        self.at(seat, q.SwapCard(card, self.chance.choice((place, place, place, place, 4, -1)), aimed))

    def race(self) -> None:
        """Two at one card, a moment apart (Q-SWAP-3)."""
        play, place = self.desk.play, self.chance.randrange(4)
        if play is None or not play.centre:
            return
        aimed = play.centre[place]
        for seat in self.chance.sample(range(self.seats), 2):
            hand = self.desk.play.hands[seat] if self.desk.play else ()
            if hand:
                self.at(seat, q.SwapCard(hand[0], place, aimed))
            self.desk.wait(self.chance.randrange(3) * 1_500)

    def collect(self) -> None:
        """Towards four of a kind."""
        play, seat = self.desk.play, self.chance.randrange(self.seats)
        if play is None or not play.centre:
            return
        ranks = [rank(card) for card in play.hands[seat]]
        most = max(ranks, key=ranks.count)
        spare = [card for card in play.hands[seat] if rank(card) != most]
        for place, card in enumerate(play.centre):
            if spare and rank(card) == most:
                self.at(seat, q.SwapCard(spare[0], place, card))
                return

    def channel(self) -> None:
        """Mostly by who holds control, if anybody does."""
        play, seat = self.desk.play, self.chance.randrange(self.seats)
        held = [seat for seat, channel in enumerate(play.channels) if channel.held] if play else []
        if held and self.chance.random() < 0.7:
            seat = self.chance.choice(held)
        show = q.ShowEmoji(self.chance.choice((*SIGNS[:6], "?")))
        self.at(seat, self.chance.choice((q.TakeChannel(), q.TakeChannel(), q.GiveChannel(), show, show)))

    def vote(self) -> None:
        """Mostly an answer where there is a question; a no, now and then."""
        play = self.desk.play
        answers = play is not None and play.vote is not None
        if self.chance.random() < 0.1:
            answers = not answers
        self.send(self.somebody(), q.AnswerReshuffle(self.chance.random() < 0.7) if answers else q.AskReshuffle())

    def call(self) -> None:
        """Rarely without cause."""
        play, seat = self.desk.play, self.chance.randrange(self.seats)
        cause = play is not None and any(four(hand) for hand in play.hands)
        if self.chance.random() > (0.3 if cause else 0.06):
            return
        team = self.chance.choice((None, *range(self.seats // 2), 9))
        anyway = self.chance.random() < 0.5
        self.at(seat, self.chance.choice((q.CallQuatro(anyway), q.CallQuatro(anyway), q.CallCounter(team))))

    def at(self, seat: int, command: q.SeatCommand) -> None:
        player = self.state.table.seats[seat].player
        if player is not None:
            self.send(player, command)


class KwartetMischief(Mischief):
    """Requests that are allowed and such that are not, out of turn, time-outs, passes, an own pack."""

    game = "kwartet"

    def rules(self) -> dict[str, Any]:
        pick = self.chance.choice
        pack = pick(("ordinary", own_pack(self.seats), own_pack(self.seats + 1), own_pack(7)))
        return {
            "pack": pack, "after_miss": pick(("asked", "clockwise")), "turn_seconds": pick((0, 5, 10, 60)),
            "prepare_seconds": pick((1, 5, 30)),
        }  # fmt: skip

    def playing(self) -> tuple[Act, ...]:
        passes = self.hosts(k.PassAbsent()), self.said(k.PassAbsent())
        return (*(self.ask,) * 12, self.guess, self.guess, self.silence, *passes)

    def silence(self) -> None:
        """Without a limit a turn can last, until the host passes it (K-DISC-1)."""
        if not self.state.rules.turn_ms:  # type: ignore[attr-defined]
            self.desk.wait(self.chance.choice((30, 60)) * S)
            self.send(self.state.host.player, k.PassAbsent())

    def ask(self) -> None:
        """The seat on turn asks for a card that it may ask for, and often gets it."""
        play = self.desk.play
        if play is None or play.turn is None:
            return
        own = play.hands[play.turn]
        families = {card.family for card in own}
        wanted = [card for card in play.rules.pack.cards() if card.family in families and card not in own]
        others = [seat for seat, hand in enumerate(play.hands) if hand and seat != play.turn]
        if not wanted or not others:
            return
        card = self.chance.choice(wanted)
        holders = [seat for seat in others if card in play.hands[seat]]
        seat = self.chance.choice(holders if holders and self.chance.random() < 0.6 else others)
        self._as(play.turn, k.Ask(seat, card))

    def guess(self) -> None:
        """Anybody asks anybody for anything."""
        play = self.desk.play
        cards = play.rules.pack.cards() if play is not None else (Card("Q", "S"),)
        card = self.chance.choice((*cards[:12], Card("?", "S"), Card(cards[0].family, "?")))
        seat = self.chance.randrange(self.seats)
        on_turn = play is not None and play.turn is not None and self.chance.random() < 0.5
        self._as(play.turn if on_turn and play is not None else seat, k.Ask(self.any_seat(), card))

    def _as(self, seat: int, command: k.Own) -> None:
        player = self.state.table.seats[seat].player
        if player is not None:
            self.send(player, command)


def own_pack(families: int) -> dict[str, object]:
    """A themed pack with accents and emojis."""
    return {
        "name": f"Été {families}",
        "language": "fr",
        "families": [{"name": f"Fam “{n}”", "members": _members(n)} for n in range(families)],
    }


def _members(family: int) -> list[object]:
    return [{"name": f"🍍{family}", "picture": "🍍"}, *(f"é{family}.{member}" for member in range(3))]


GAMES_OF_MISCHIEF: Mapping[str, Callable[..., Mischief]] = {"quatro": QuatroMischief, "kwartet": KwartetMischief}
SEATS: Mapping[str, tuple[int, ...]] = {"quatro": (4, 6, 8), "kwartet": (2, 3, 4, 5, 6)}


@cache
def mischief(game: str, seats: int, seed: int) -> Desk:
    """A whole table; the same seed, the same rows."""
    return GAMES_OF_MISCHIEF[game](seats, seed).play()
