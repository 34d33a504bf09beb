"""Packs at the page of packs: every fault under its line, files that are dropped, those that ship."""

from playwright.sync_api import expect

from tests.rules import rule
from tests.web.conftest import Visitor
from tests.web.house import House
from tests.web.packs import CSV, OWN, choose_kwartet, load

FAULTY = CSV.replace("Pond,Newt\n", "") + "Zoo,<b>Lion</b>\nZoo,Fox\nZoo,Tiger\nZoo,Bear\n"


@rule("K-PACK-3")
def test_every_fault_of_a_file_stands_under_its_line_and_nothing_is_loaded(house: House, visit: Visitor) -> None:
    ada = visit(house.url)
    ada.reconnects = True  # a refused file is on the browser's console
    ada.come()
    choose_kwartet(ada)
    load(ada, "zoo.csv", FAULTY)
    page = ada.page
    expect(page.locator("h1")).to_have_text("Three things to mend in “Zoo”")
    faulty = page.locator(".src .bad")
    expect(faulty).to_have_count(3)
    expect(faulty.nth(0)).to_contain_text("Pond,Swan")
    expect(faulty.nth(0)).to_contain_text("“Pond” has three members. A family needs four.")
    expect(faulty.nth(1)).to_contain_text("A name can’t hold markup.")
    expect(faulty.nth(2)).to_contain_text("“Fox” is already on line 2.")
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".packb", has_text="Composers")).to_be_visible()
    assert page.locator(".packb", has_text="Zoo").count() == 0
    load(ada, "notes.json", '{"name": 1}')
    expect(page.locator(".why").first).to_be_visible()


def test_a_pack_can_be_dropped_and_a_shipped_one_be_looked_into(house: House, visit: Visitor) -> None:
    ada = visit(house.url).come()
    choose_kwartet(ada)
    page = ada.page
    page.get_by_role("button", name="Composers").click()
    expect(page.locator(".ftile")).to_have_count(8)
    expect(page.locator(".inside")).to_contain_text("Sources:")
    page.evaluate(_DROP, ["dropped-pack.csv", CSV])
    expect(page.locator("h1")).to_have_text("Dropped pack")
    expect(page.locator(".ftile")).to_have_count(len(OWN))
    page.get_by_role("button", name="Play with it").click()
    expect(page.locator(".packchoice")).to_contain_text("Dropped pack")


_DROP = """([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name, { type: "text/csv" }));
    document.querySelector(".drop").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
}"""
