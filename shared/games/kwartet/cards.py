"""Cards, families and packs of Kwartet as values. A card is named by its family and its own name in it."""

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated

from msgspec import Meta, Struct

FAMILIES_MAX = 64
Label = Annotated[str, Meta(max_length=256)]


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """One exact card, as it is asked for."""

    family: Label
    member: Label


Hand = tuple[Card, ...]


class Member(Struct, frozen=True, omit_defaults=True):
    """A card as its pack describes it. `picture` is an emoji or "sha256:<hex>", a PNG by its hash (K-PACK-4)."""

    name: str
    picture: str | None = None
    fact: str | None = None


class Family(Struct, frozen=True, dict=True):
    """Four members that belong together (K-PACK-1)."""

    name: str
    members: tuple[Member, ...]

    def cards(self) -> Hand:
        """Its cards in the pack's order."""
        return self._cards

    @cached_property
    def _cards(self) -> Hand:
        return tuple([Card(self.name, member.name) for member in self.members])


class Pack(Struct, frozen=True, omit_defaults=True, dict=True):
    """Families in their order. `sources` says where its facts come from; `language` is a BCP 47 tag."""

    name: str
    families: tuple[Family, ...]
    language: str | None = None
    sources: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Number of cards."""
        return 4 * len(self.families)

    def cards(self) -> Hand:
        """All cards, families and members in their order."""
        return tuple(card for family in self.families for card in family.cards())

    @property
    def is_one(self) -> bool:
        """Whether these are families of four, no two alike (K-PACK-1); what else K-PACK-3 asks is asked at loading."""
        names = {family.name for family in self.families}
        fours = all(len({*family.cards()}) == len(family.members) == 4 for family in self.families)
        return fours and len(names) == len(self.families) and 2 <= len(names) <= FAMILIES_MAX

    def has(self, card: Card) -> bool:
        """Whether this pack has this card."""
        return card in self._all

    @cached_property
    def _all(self) -> frozenset[Card]:
        return frozenset(self.cards())

    def within(self, hand: Hand) -> Iterator[tuple[Family, Hand]]:
        """The families of which the hand holds a card, each with those cards, all in the pack's order."""
        held = frozenset(hand)
        for family in self.families:
            cards = tuple(card for card in family.cards() if card in held)
            if cards:
                yield family, cards
