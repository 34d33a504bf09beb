"""When the way to the table breaks the page says so, keeps still, and is right again by itself (C-06, C-07)."""

from playwright.sync_api import expect

from tests.rules import case, rule
from tests.web.conftest import Visitor
from tests.web.house import House
from tests.web.person import Person
from tests.web.play import open_round


@case("C-06", "C-13")
def test_a_killed_gateway_is_survived_without_a_reload(house: House, visit: Visitor) -> None:
    ada = visit(house.url)
    ada.reconnects = True
    open_round(ada)
    hand, clock = ada.hand, ada.public["deadline"]
    house.kill_gateway()
    try:
        expect(ada.page.locator(".says")).to_contain_text("Reconnecting…")
        expect(ada.page.locator(".says")).to_contain_text("Your seat and hand are kept.")
        expect(ada.page.locator("main.table")).to_have_class("table n4 off")
        sent = len(ada.sent)
        ada.page.keyboard.press("1")
        ada.page.keyboard.press("q")
        assert len(ada.sent) == sent
    finally:
        house.open_gateway()
    expect(ada.page.locator("main.table")).to_have_class("table n4", timeout=30_000)
    assert ada.hand == hand
    assert ada.public["deadline"] == clock
    ada.hears("Connection lost. Reconnecting.")
    ada.hears("You are back.")
    ada.swap(ada.hand[0], 0)


@case("C-08")
def test_two_tabs_of_one_player_show_the_same_hand_and_closing_one_leaves_the_other(
    house: House, visit: Visitor
) -> None:
    ada = visit(house.url)
    open_round(ada)
    other = Person(ada.page.context.new_page(), house.url, "Ada, again")
    other.come(f"/{ada.page.evaluate('location.hash')}")
    expect(other.page.locator(".hand .card")).to_have_count(4)
    assert sorted(other.hand) == sorted(ada.hand)
    ada.swap(ada.hand[1], 1)
    other.until(lambda: sorted(other.hand) == sorted(ada.hand), "the swap of the first tab")
    other.page.close()
    ada.swap(ada.hand[0], 0)
    assert ada.public["seats"][0]["connected"] is True


@rule("Q-DISC-3")
def test_a_reload_finds_the_table_again(house: House, visit: Visitor) -> None:
    ada = visit(house.url)
    open_round(ada)
    hand = ada.hand
    ada.page.reload()
    expect(ada.page.locator(".hand .card")).to_have_count(4)
    assert ada.hand == hand
