"""Packs over HTTP: the shipped ones, one's own with every fault listed, pictures, and a table that plays one."""

import asyncio
import io
import json
import threading
from collections.abc import AsyncIterator
from typing import Any
from zlib import crc32

import msgspec
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from services.gateway.gateway import Served
from services.gateway.http import packs
from services.gateway.http.packs import redrawn
from services.gateway.memory import MemoryStore
from services.gateway.problems import Problem
from shared.bus.memory import MemoryNetwork
from shared.games import kwartet
from shared.games.kwartet.rules import Rules
from shared.table.codec import codec
from tests.gateway.conftest import House, opened
from tests.gateway.owner import ScriptedOwner
from tests.rules import rule
from tests.waiting import until

CSV = "\n".join(f"{family},{family} {number}" for family in ("apes", "bees", "cows") for number in range(4))


@pytest.fixture
async def kwartet_house() -> AsyncIterator[House]:
    """A gateway that serves Kwartet."""
    network = MemoryNetwork()
    owner = ScriptedOwner(network.join("owner"))
    await owner.start()
    games = {"kwartet": Served(kwartet.game, codec(kwartet.game).players)}
    async with opened(network, MemoryStore(), owner, games=games) as house:
        yield house


async def load(house: House, body: str | bytes, kind: str = "text/csv", name: str = "Mine") -> tuple[int, Any]:
    """What comes of loading a pack."""
    ada = await house.person()
    answer = await house.http.post(
        f"/api/packs?name={name}",
        content=body,
        headers={"content-type": kind, "authorization": f"Bearer {ada.token}"},
    )
    return answer.status_code, answer.json()


@rule("K-PACK-5")
async def test_the_shipped_packs_are_listed_and_each_is_found_by_its_hash(kwartet_house: House) -> None:
    listed = (await kwartet_house.http.get("/api/packs")).json()
    assert [each["name"] for each in listed][:2] == ["ordinary", "animals"]
    one = (await kwartet_house.http.get(f"/api/packs/{listed[1]['hash']}")).json()
    assert one["pack"]["families"][0]["name"] == "Big cats"
    assert (await kwartet_house.http.get(f"/api/packs/{'0' * 64}")).status_code == 404


@rule("K-PACK-5")
async def test_a_csv_pack_is_loaded_under_the_name_its_sender_gives(kwartet_house: House) -> None:
    status, made = await load(kwartet_house, CSV)
    assert (status, made["name"], made["rule"]) == (201, "Mine", "pack")
    again = (await kwartet_house.http.get(f"/api/packs/{made['hash']}")).json()
    assert again["pack"]["families"][1]["members"][2] == {"name": "bees 2"}


@rule("K-PACK-3")
async def test_a_bad_pack_is_refused_with_every_fault_and_its_line(kwartet_house: House) -> None:
    status, problem = await load(kwartet_house, "apes,<b>\napes,b\napes,c\nbees,B\nbees,f\nbees,g\nbees,h")
    assert (status, problem["code"]) == (422, "bad_pack")
    assert [(fault["line"], fault["code"]) for fault in problem["faults"]] == [
        (1, "four_members"),
        (1, "markup"),
        (4, "duplicate_card"),
    ]
    assert (await load(kwartet_house, b" " * 70_000))[0] == 413


@rule("K-PACK-4")
async def test_a_pack_may_show_an_uploaded_picture_and_no_other(kwartet_house: House) -> None:
    ada = await kwartet_house.person()
    png = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(png, "PNG")
    allowed = {"authorization": f"Bearer {ada.token}", "content-type": "image/png"}
    kept = await kwartet_house.http.post("/api/pictures", content=png.getvalue(), headers=allowed)
    assert kept.status_code == 201, kept.text
    picture = kept.json()["picture"]
    status, _ = await load(kwartet_house, CSV.replace("bees 2", f"bees 2,{picture}"))
    assert status == 201
    status, problem = await load(kwartet_house, CSV.replace("bees 2", f"bees 2,sha256:{'0' * 64}"))
    assert (status, problem["faults"][0]["code"]) == (422, "picture")


def test_a_picture_is_kept_without_whatever_else_was_in_its_file() -> None:
    words = PngInfo()
    words.add_text("Comment", "where I live")
    png = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(png, "PNG", icc_profile=b"where I live", dpi=(72, 72), pnginfo=words)
    with Image.open(io.BytesIO(redrawn(png.getvalue()))) as kept:
        kept.load()
        assert (kept.size, kept.info) == ((8, 8), {})


@pytest.mark.parametrize(
    "chunk", [b"", b"IDAT\0", b"iCCP", b"IHDR" + b"\xff" * 13], ids=["end", "data", "profile", "head"]
)
def test_a_picture_that_breaks_off_or_lies_is_none(chunk: bytes) -> None:
    png = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(png, "PNG")
    whole = png.getvalue()
    odd = (len(chunk) - 4).to_bytes(4) + chunk + crc32(chunk).to_bytes(4) if chunk else b""
    broken = whole[:-12] + odd + whole[-12:] if chunk[:4] == b"iCCP" else whole[:33] + odd + whole[-12:]
    with pytest.raises(Problem) as refused:
        redrawn(broken)
    assert refused.value.code == "bad_picture"


async def test_a_picture_is_drawn_while_the_gateway_goes_on(
    kwartet_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing, go_on = threading.Event(), threading.Event()

    def slowly(body: bytes) -> bytes:
        drawing.set()
        assert go_on.wait(10), "nobody else was served meanwhile"
        return body

    monkeypatch.setattr(packs, "redrawn", slowly)
    ada = await kwartet_house.person()
    waiting = asyncio.create_task(kwartet_house.http.post("/api/pictures", content=b"png", headers=ada.headers))
    await until(drawing.is_set)
    assert (await kwartet_house.http.get("/healthz")).status_code == 200
    go_on.set()
    assert (await waiting).status_code == 201


@rule("K-PACK-5", "K-PACK-3")
async def test_a_table_with_a_loaded_pack_is_made_with_the_packs_whole_text(kwartet_house: House) -> None:
    _, made = await load(kwartet_house, CSV)
    ada = await kwartet_house.person()
    body = {"game": "kwartet", "seats": 3, "rules": {"pack": made["hash"], "turn_seconds": 20}}
    answer = await kwartet_house.http.post("/api/tables", json=body, headers={"authorization": f"Bearer {ada.token}"})
    assert answer.status_code == 201, answer.text
    command = json.loads(kwartet_house.owner.commands[-1].command)
    rules = msgspec.convert(command["rules"], type=Rules)
    assert (rules.pack.name, rules.pack_hash, rules.turn_ms) == ("Mine", made["hash"], 20_000)


@rule("K-PACK-2", "K-PACK-5")
async def test_a_pack_that_is_not_there_or_too_small_is_refused_in_words(kwartet_house: House) -> None:
    _, made = await load(kwartet_house, CSV)
    ada = await kwartet_house.person()
    for named, words in ((made["hash"], "3 families for 4 players"), ("0" * 64, "no pack is called")):
        body = {"game": "kwartet", "seats": 4, "rules": {"pack": named}}
        answer = await kwartet_house.http.post(
            "/api/tables", json=body, headers={"authorization": f"Bearer {ada.token}"}
        )
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_rules")
        assert words in answer.json()["faults"][0]
