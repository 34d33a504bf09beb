"""HTTP: players, tables, commands, views, and what every error looks like."""

import asyncio
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from services.gateway.http.edge import TOKEN_HEADER
from services.gateway.http.tables import ViewShown
from services.gateway.http.verdicts import VerdictShown
from services.gateway.store import OpenTable, RoundLine, Standing
from services.gateway.tokens import RENEW_AFTER_SECONDS
from shared.bus import subjects
from shared.kernel import LostTo, Refused
from shared.wire import verdict
from shared.wire.messages import decoder, encode
from shared.wire.questions import Page, Question
from tests.gateway.conftest import House, Opener
from tests.gateway.owner import refuse, silent
from tests.rules import case, rule

POKE = {"type": "Poke", "place": 1}


async def test_a_player_has_an_id_a_name_and_a_token(house: House) -> None:
    answer = await house.http.post("/api/players", json={"name": "  Ada "})
    assert answer.status_code == 201
    assert answer.json()["name"] == "Ada"
    assert set(answer.json()) == {"player_id", "name", "token"}


async def test_the_games_are_listed_with_their_rules_and_seats(house: House) -> None:
    (game,) = (await house.http.get("/api/games")).json()
    assert (game["game"], game["seats"]) == ("toy", [2, 4])
    assert "pokes" in str(game["rules"])


async def test_a_table_is_made_with_a_code_that_finds_it(house: House) -> None:
    ada = await house.person()
    made = (await ada.make(private=True)).json()
    assert set(made) == {"table_id", "code", "game", "seats"}
    assert len(made["code"]) == 5
    assert not set(made["code"]) & set("0O1I")
    for typed in (made["code"], made["code"].lower()):
        found = (await house.http.get(f"/api/join/{typed}")).json()
        assert (found["table_id"], found["taken"], found["free"], found["phase"]) == (made["table_id"], 1, 3, "seating")
    (create,) = house.owner.commands
    assert create.http
    assert b'"rules":{"pokes":3}' in create.command
    assert made["table_id"][14] == "7"


@case("C-04")
async def test_the_same_player_and_id_are_the_same_table_also_after_a_failure(open_house: Opener) -> None:
    house = await open_house()
    other = await open_house(beside=house)
    ada = await house.person()
    id = str(uuid4())
    house.owner.judge = silent
    waiting = asyncio.create_task(ada.make(id=id))
    while not house.owner.commands:
        await asyncio.sleep(0.01)
    house.owner.judge = lambda envelope: b'{"type":"verdict","id":"%s","accepted":true}' % envelope.id.encode()
    body = {"id": id, "game": "toy", "seats": 4, "private": False}
    again = await other.http.post("/api/tables", json=body, headers=ada.headers)
    assert again.status_code == 201
    assert again.json() == (await waiting).json()
    assert len({(sent.table, sent.id) for sent in house.owner.commands}) == 1


async def test_a_table_whose_owner_forgot_the_first_request_is_still_the_same(house: House) -> None:
    ada = await house.person()
    id = str(uuid4())
    made = (await ada.make(id=id)).json()
    house.owner.judge = refuse("already_started")
    assert (await ada.make(id=id)).json() == made


async def test_the_same_id_for_another_table_is_refused(house: House) -> None:
    ada = await house.person()
    id = str(uuid4())
    await ada.table(id=id, private=True)
    answer = await ada.make(id=id, private=False)
    assert (answer.status_code, answer.json()["code"]) == (409, "id_reused")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"game": "chess"}, "unknown_game"),
        ({"seats": 3}, "bad_seat_count"),
        ({"rules": {"pokes": 99}}, "bad_rules"),
        ({"rules": {"peeks": 1}}, "bad_rules"),
        ({"seats": "4"}, "bad_request"),
        ({"host": "me"}, "bad_request"),
        ({"id": "seven"}, "bad_request"),
    ],
)
async def test_a_table_that_can_not_be_is_refused_with_what_is_allowed(
    house: House, body: dict[str, object], code: str
) -> None:
    ada = await house.person()
    answer = await ada.make(**body)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert house.owner.commands == []


async def test_bad_rules_are_told_with_their_range(house: House) -> None:
    ada = await house.person()
    assert (await ada.make(rules={"pokes": 99})).json()["faults"] == ["pokes: 1 to 9."]


async def test_a_command_over_http_is_answered_with_its_verdict(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    id = str(uuid4())
    answer = await ada.send(table, POKE, id)
    assert answer.json() == {"type": "verdict", "id": id, "accepted": True, "receipt": "ab" * 32}
    assert house.owner.commands[-1].http
    house.owner.judge = refuse("card_gone")
    assert (await ada.send(table, POKE)).json()["refused"] == "card_gone"


async def test_a_command_without_the_shape_of_one_is_refused_at_the_edge(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    answer = await ada.send(table, {"type": "Poke", "place": 1, "by": 3})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_command")
    assert len(house.owner.commands) == 1


@pytest.mark.parametrize(
    ("said", "status", "code"), [("not_found", 404, "no_such_table"), ("bad_command", 422, "bad_command")]
)
async def test_a_command_that_the_table_can_not_read_is_a_problem_and_no_verdict(
    house: House, said: str, status: int, code: str
) -> None:
    ada = await house.person()
    table = await ada.table()
    error = '{"type":"error","id":"%s","code":"%s","detail":"no such table"}'
    house.owner.judge = lambda envelope: (error % (envelope.id, said)).encode()
    for answer in (await ada.send(table, POKE), await ada.make()):
        assert (answer.status_code, answer.json()["code"]) == (status, code)


@pytest.mark.slow
async def test_no_verdict_in_five_seconds_is_outcome_unknown_and_the_command_was_sent_again(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    house.owner.judge = silent
    answer = await ada.send(table, POKE)
    assert (answer.status_code, answer.json()["code"]) == (504, "outcome_unknown")
    sent = [envelope.id for envelope in house.owner.commands[1:]]
    assert len(sent) > 10
    assert len(set(sent)) == 1


async def test_the_view_over_http_is_the_callers_own(house: House) -> None:
    ada, bob = await house.person(), await house.person("Bob")
    table = await ada.table()
    mine = (await ada.get(f"/api/tables/{table}/view")).json()
    theirs = (await bob.get(f"/api/tables/{table}/view")).json()
    assert (mine["type"], mine["own"], "own" in theirs) == ("view", {"seat": 0}, False)


@rule("T-PRES-1")
async def test_whatever_is_asked_about_a_table_is_asked_in_the_callers_name(house: House) -> None:
    ada = await house.person()
    made = (await ada.make()).json()
    for path in (
        f"/api/tables/{made['table_id']}",
        f"/api/tables/{made['table_id']}/view",
        f"/api/join/{made['code']}",
    ):
        house.owner.wants.clear()
        assert (await ada.get(path)).status_code == 200
        assert ada.player in {want.player for want in house.owner.wants}
        house.owner.wants.clear()
        assert (await house.http.get(path)).status_code == 200
        assert {want.player for want in house.owner.wants} == {""}


async def test_a_private_table_is_readable_with_its_code_or_a_seat_only(house: House) -> None:
    ada, bob = await house.person(), await house.person("Bob")
    made = (await ada.make(private=True)).json()
    for path in ("", "/view", "/rounds"):
        address = f"/api/tables/{made['table_id']}{path}"
        assert (await ada.get(address)).status_code == 200
        assert (await bob.get(address)).json()["code"] == "private"
        assert (await bob.get(f"{address}?code=AAAAA")).json()["code"] == "private"
        assert (await bob.get(f"{address}?code={made['code']}")).status_code == 200
    house.owner.tables[made["table_id"]].seats[2] = bob.player
    assert (await bob.get(f"/api/tables/{made['table_id']}/view")).json()["own"] == {"seat": 2}


@case("C-26")
async def test_what_is_not_there_is_said_in_words(house: House) -> None:
    ada = await house.person()
    for path, code in [
        (f"/api/tables/{uuid4()}", "no_such_table"),
        ("/api/tables/nonsense/view", "no_such_table"),
        ("/api/join/ABCDE", "no_such_code"),
        ("/api/standings/chess", "unknown_game"),
        ("/api/nothing", "not_found"),
        ("/nothing.js", "not_found"),
    ]:
        answer = await ada.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, code), path
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.json()["detail"]


async def test_the_lobby_shows_open_tables(house: House) -> None:
    shown = OpenTable("t", "ABCDE", "toy", 4, 1, "seating", False, "Ada", 0, 5)
    house.store.lobby["t"] = shown
    house.store.lobby["p"] = OpenTable("p", "FGHJK", "toy", 4, 1, "seating", True, "Ada", 0, 6)
    (table,) = (await house.http.get("/api/tables")).json()
    assert (table["table_id"], table["free"], table["host"]) == ("t", 3, "Ada")


async def test_standings_are_scorings(house: House) -> None:
    house.store.places["toy"] = [Standing("p", "Ada", 2, 1, 7, 25.5, 8.25)]
    (place,) = (await house.http.get("/api/standings/toy")).json()
    assert (place["name"], place["won"], place["mu"]) == ("Ada", 1, 25.5)


async def test_records_of_a_round_come_from_scoring_in_pages(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    asked: list[Question] = []
    pages = {0: Page("ok", b'[{"hash":"00","record":{}}]', 2), 2: Page("ok", b"[]"), 9: Page("round_open")}

    def answer(subject: str, payload: bytes, reply: str | None) -> None:
        asked.append(decoder(Question).decode(payload))
        assert reply
        scoring.publish(reply, encode(pages[asked[-1].start]))

    scoring = house.network.join("scoring")
    await scoring.subscribe(subjects.ASK_SCORING, answer)
    page = (await ada.get(f"/api/tables/{table}/rounds/1")).json()
    assert (page["records"], page["next"]) == ([{"hash": "00", "record": {}}], 2)
    assert (await ada.get(f"/api/tables/{table}/rounds/1?from=2&limit=7")).json()["next"] is None
    assert asked[1] == Question("records", table, 1, 2, 7)
    refused = await ada.get(f"/api/tables/{table}/rounds/1?from=9")
    assert (refused.status_code, refused.json()["code"]) == (409, "round_open")
    bundle = await ada.get(f"/api/tables/{table}/rounds/1/bundle")
    assert bundle.content == b'[{"hash":"00","record":{}}][]'


async def test_rounds_without_scoring_are_unavailable_not_broken(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    house.store.round_lines[table] = [RoundLine(1, 1, 2, "call", [1, 0], True, 3)]
    (line,) = (await ada.get(f"/api/tables/{table}/rounds")).json()
    assert (line["how"], line["points"], line["verified"]) == ("call", [1, 0], True)
    answer = await ada.get(f"/api/tables/{table}/rounds/1")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


async def test_a_token_that_is_not_good_is_refused(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    for headers, code in [({}, "no_token"), ({"Authorization": "Bearer nonsense"}, "bad_token")]:
        body = {"id": str(uuid4()), "command": POKE}
        answer = await house.http.post(f"/api/tables/{table}/commands", json=body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, code)
        assert answer.headers["WWW-Authenticate"] == "Bearer"


async def test_a_forgotten_players_token_is_refused(house: House) -> None:
    ada = await house.person()
    del house.store.names[ada.player]
    assert (await ada.get("/api/tables")).json()["code"] == "bad_token"


async def test_a_token_in_use_is_renewed(house: House) -> None:
    ada = await house.person()
    assert TOKEN_HEADER not in (await ada.get("/api/tables")).headers
    holder = house.gateway.tokens
    ada.token = holder.issue(ada.player, house.gateway.micros() // 1_000_000 - RENEW_AFTER_SECONDS - 60)
    newer = (await ada.get("/api/tables")).headers[TOKEN_HEADER]
    found = holder.holder(newer, house.gateway.micros() // 1_000_000)
    assert found is not None
    assert (found.player, found.old) == (ada.player, False)
    table = await ada.table()
    for answer in (
        await ada.send(table, POKE),
        await ada.send(table, {"type": "Dance"}),
        await ada.get(f"/api/tables/{table}/view"),
        await ada.get(f"/api/tables/{uuid4()}/view"),
    ):
        (renewed,) = answer.headers.get_list(TOKEN_HEADER)
        assert holder.holder(renewed, house.gateway.micros() // 1_000_000) == found, answer.text
    async with ada.socket(table) as socket:
        assert (await socket.hear())["type"] == "token"


@pytest.mark.parametrize(
    ("method", "path", "content", "status", "code"),
    [
        ("DELETE", "/api/players", b"", 405, "method_not_allowed"),
        ("POST", "/api/players", b"{", 400, "not_json"),
        ("POST", "/api/players", b'{"name":7}', 422, "bad_request"),
        ("POST", "/api/players", b'{"name":"Ada","admin":true}', 422, "bad_request"),
        ("POST", "/api/players", b"\xff\xfe", 400, "not_json"),
        ("POST", "/api/players", b'{"name":"' + b"x" * 70_000 + b'"}', 413, "too_large"),
    ],
)
async def test_every_error_is_a_problem_with_a_stable_code(
    house: House, method: str, path: str, content: bytes, status: int, code: str
) -> None:
    headers = {"Content-Type": "application/json"}
    answer = await house.http.request(method, path, content=content, headers=headers)
    problem = answer.json()
    assert (answer.status_code, problem["status"], problem["code"]) == (status, status, code)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert {"type", "title", "detail"} <= set(problem)


async def test_a_body_without_a_length_has_the_same_bound(house: House) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b"x" * 1000

    answer = await house.http.post("/api/players", content=pieces())
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@case("C-11")
async def test_what_breaks_inside_is_not_told(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(limit: int) -> None:
        raise RuntimeError("hand QS 10H")

    monkeypatch.setattr(house.store, "open_tables", broken)
    answer = await house.http.get("/api/tables")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "QS" not in answer.text
    assert "Traceback" not in answer.text


@rule("T-ID-1")
async def test_the_verdict_of_an_id_sent_twice_at_once_is_one(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    id = str(uuid4())
    first, second = await asyncio.gather(ada.send(table, POKE, id), ada.send(table, POKE, id))
    assert first.json() == second.json()


async def test_a_code_is_drawn_as_a_link(house: House) -> None:
    answer = await house.http.get("/api/qr/ABCDE.svg")
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert answer.text.startswith("<svg")
    assert (await house.http.get("/api/qr/O0I1L.svg")).json()["code"] == "no_such_code"
    endless = await house.http.get("/api/qr/ABCDE.svg", headers={"Host": "x" * 3000})
    assert (endless.status_code, endless.json()["code"]) == (400, "bad_request")


async def test_the_page_is_served_under_a_strict_policy(house: House) -> None:
    for path in ("/", "/?join=ABCDE", "/index.html"):
        page = await house.http.get(path)
        assert page.headers["Content-Type"].startswith("text/html")
        assert "default-src 'none'; script-src 'self'" in page.headers["Content-Security-Policy"]
        assert page.headers["X-Content-Type-Options"] == "nosniff"
    tag = (await house.http.get("/")).headers["ETag"]
    for known in (tag, f"W/{tag}", f'"another", {tag}'):  # some proxies weaken it
        assert (await house.http.get("/", headers={"If-None-Match": known})).status_code == 304
    assert (await house.http.get("/", headers={"If-None-Match": '"another"'})).status_code == 200
    for accepted, coding in (
        ("gzip, br", "gzip"), ("br;q=0, GZIP;q=0.5", "gzip"), ("gzip;q=0", None), ("gzip; q=0.0, br", None), ("", None),
    ):  # fmt: skip
        page = await house.http.get("/", headers={"Accept-Encoding": accepted})
        assert page.headers.get("Content-Encoding") == coding, accepted
    for path in ("/package.json", "/build.py", "/../settings.py", "/%2e%2e/settings.py"):
        assert (await house.http.get(path)).status_code == 404


async def test_health_says_nothing_but_yes_or_no(house: House) -> None:
    assert (await house.http.get("/healthz")).text == "ok"
    assert (await house.http.get("/readyz")).status_code == 200
    house.gateway.draining = True
    assert (await house.http.get("/readyz")).status_code == 503
    house.gateway.draining = False


async def test_openapi_names_every_call(house: House) -> None:
    paths = (await house.http.get("/api/openapi.json")).json()["paths"]
    assert {"/api/players", "/api/tables", "/api/tables/{table_id}/commands", "/api/join/{code}"} <= set(paths)


async def test_openapi_says_of_every_call_that_what_goes_wrong_is_a_problem(house: House) -> None:
    found = (await house.http.get("/api/openapi.json")).json()
    for path, calls in found["paths"].items():
        for method, call in calls.items():
            assert "422" not in call["responses"], (method, path)
            assert list(call["responses"]["default"]["content"]) == ["application/problem+json"], (method, path)
    assert "HTTPValidationError" not in found["components"]["schemas"]
    wanted = found["paths"]["/api/players"]["post"]["responses"]["default"]["content"]["application/problem+json"]
    problem = (await house.http.post("/api/players", json={"name": 7})).json()
    assert set(wanted["schema"]["required"]) <= set(problem) <= set(wanted["schema"]["properties"])


async def test_verdicts_and_views_are_what_openapi_says(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    VerdictShown.model_validate((await ada.send(table, POKE)).json(), strict=True, extra="forbid")
    house.owner.judge = lambda envelope: verdict.refused(
        envelope.id, Refused("card_gone", LostTo(7, "house", 12, "reshuffle"), 99), "ab" * 32
    )
    refused = VerdictShown.model_validate((await ada.send(table, POKE)).json(), strict=True, extra="forbid")
    assert refused.lost_to is not None
    assert (refused.lost_to.by, refused.lost_to.why, refused.wait_until) == ("house", "reshuffle", 99)
    view = (await ada.get(f"/api/tables/{table}/view")).json()
    assert ViewShown.model_validate(view, strict=True, extra="forbid").own == {"seat": 0}
