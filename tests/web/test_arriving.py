"""From a link to a seat: joining, full, unknown, watching, and how light the first page is (C-26)."""

import re

from playwright.sync_api import Response, expect

from tests.rules import case
from tests.web.conftest import Visitor
from tests.web.house import House
from tests.web.play import fill_with_bots, open_round

FIRST_LOAD_BYTES_MAX = 150_000


def test_a_link_leads_to_a_seat_and_its_code_leaves_the_address(house: House, visit: Visitor) -> None:
    ada = visit(house.url).come()
    code = ada.lay()
    bo = visit(house.url, "Bo").come(f"/?join={code}")
    expect(bo.page.locator("h1")).to_have_text("Ada asks you to a table of Quatro.")
    assert code not in bo.page.url
    bo.page.get_by_role("button", name="Sit down").click()
    expect(bo.page.locator(".fault:not(:empty)")).to_have_text("What do they call you?")
    bo.page.get_by_label("Your name").fill("Bo")
    bo.page.get_by_role("button", name="Sit down").click()
    expect(bo.page.locator(".chair")).to_have_count(4)
    expect(ada.page.locator(".round")).to_contain_text("Bo")
    assert code not in bo.page.url
    expect(ada.page.locator(".qr")).to_be_visible()
    assert ada.page.locator(".qr").evaluate("picture => picture.naturalWidth") > 0
    bo.page.get_by_role("button", name=re.compile("Seat 4 is free")).click()
    expect(ada.page.locator(".named", has_text="Bo")).to_be_visible()
    bo.until(lambda: bo.own["seat"] == 3, "the other seat")


@case("C-26")
def test_a_full_table_is_watched_and_an_unknown_code_leads_to_a_new_one(house: House, visit: Visitor) -> None:
    ada = visit(house.url)
    code = open_round(ada)
    bo = visit(house.url, "Bo")
    bo.reconnects = True
    bo.come(f"/?join={code}")
    expect(bo.page.locator("h1")).to_have_text("This table is full.")
    bo.page.get_by_role("button", name="Watch").click()
    expect(bo.page.locator(".watchstrip")).to_contain_text("Hands stay closed until the stop.")
    expect(bo.page.locator(".hand")).to_have_count(0)
    expect(ada.page.locator(".eyes")).to_have_text("1")
    bo.page.reload()
    expect(bo.page.locator(".watchstrip")).to_be_visible()
    bo.come("/?join=AAAAA")
    expect(bo.page.locator("h1")).to_have_text("No table has the code AAAAA. Look at it once more?")
    bo.page.get_by_role("button", name="New table").click()
    expect(bo.page.locator(".boxes")).to_be_visible()


def test_a_bot_is_taken_away_by_two_taps_and_a_seat_of_the_host_moves(house: House, visit: Visitor) -> None:
    ada = visit(house.url).come()
    ada.lay()
    fill_with_bots(ada, 3)
    ada.page.get_by_role("button", name="Take the bot").first.click()
    expect(ada.page.get_by_role("button", name="Really take")).to_be_visible()
    ada.page.get_by_role("button", name="Really take").click()
    expect(ada.page.get_by_role("button", name="Seat a bot")).to_have_count(1)


def test_the_first_load_is_light_and_asks_nobody_else(house: House, visit: Visitor) -> None:
    ada = visit(house.url)
    answers: list[Response] = []
    ada.page.on("response", lambda answer: answers.append(answer))
    ada.come()
    expect(ada.page.locator(".seg").first).to_be_visible()
    expect(ada.page.locator("#first")).to_have_count(0)
    ada.page.wait_for_load_state("networkidle")
    assert all(answer.url.startswith(house.url) for answer in answers)
    assert sum(len(answer.body()) for answer in answers) < FIRST_LOAD_BYTES_MAX
    policy = answers[0].headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_something_is_seen_before_any_module_is_here(house: House, visit: Visitor) -> None:
    ada = visit(house.url)
    ada.reconnects = True  # what is held back is on the browser's console
    ada.page.route(re.compile(r"\.(js|css)$"), lambda route: route.abort())
    ada.come()
    title = ada.page.locator("#first h1")
    expect(title).to_be_visible()
    assert title.evaluate("one => getComputedStyle(one).fontFamily").startswith('"Bricolage Grotesque"')
    ada.page.goto("about:blank")
    ada.come(f"/#{'0' * 8}-0000-4000-8000-{'0' * 12}")
    expect(title).to_be_hidden()
