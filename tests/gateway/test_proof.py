"""What a gateway publishes of the site's log, who may read finished rounds, and receipts on request."""

import time
from collections.abc import Sequence
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.gateway.gateway import Gateway
from shared.bus import subjects
from shared.ledger.memory import MemoryLedger
from shared.ledger.port import Signed
from shared.proof import checkpoint, merkle
from shared.proof.checkpoint import Checkpoint
from shared.proof.note import Signer
from shared.proof.seal import Leaf
from shared.proof.tree import Tree
from shared.wire.messages import decoder, encode
from shared.wire.questions import Page, Question, Search, Status
from tests.gateway.conftest import House, Opener
from tests.gateway.person import open_socket

SIGNER = Signer("quartet.test/log", Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
SIZES = (3, 256, 300)


def leaves(size: int) -> Sequence[Leaf]:
    return [Leaf(f"t{number}", 1, 7, f"{number:064x}") for number in range(size)]


async def seal(gateway: Gateway) -> Tree:
    """Checkpoints of some sizes, and the tree of the last."""
    ledger, tree, done = gateway.site.ledger, Tree(), 0
    assert isinstance(ledger, MemoryLedger)
    for size in SIZES:
        new = leaves(size)[done:]
        for leaf in new:
            tree.append(merkle.leaf_hash(leaf.bytes))
        note = Checkpoint(SIGNER.name, size, tree.root()).signed(SIGNER)
        assert await ledger.append(done, new, Signed(size, tree.root(), note, str(SIGNER.verifier), size))
        done = size
    return tree


async def test_the_newest_checkpoint_stands_at_a_plain_address(house: House) -> None:
    assert (await house.http.get("/checkpoint")).json()["code"] == "no_checkpoint"
    tree = await seal(house.gateway)
    answer = await house.http.get("/checkpoint")
    assert answer.headers["content-type"].startswith("text/plain")
    signed, _ = checkpoint.read(answer.text, [SIGNER.verifier])
    assert (signed.size, signed.root) == (300, tree.root())


async def test_the_tiles_give_the_root_and_the_entries_the_tiles(house: House) -> None:
    tree = await seal(house.gateway)
    full, rest = (await house.http.get("/tile/0/000")).content, (await house.http.get("/tile/0/001.p/44")).content
    hashes = [(full + rest)[at : at + 32] for at in range(0, len(full + rest), 32)]
    assert merkle.root(hashes) == tree.root()
    assert (await house.http.get("/tile/1/000.p/1")).content == merkle.root(hashes[:256])
    found, entries = (await house.http.get("/tile/entries/001.p/44")).content, []
    while found:
        size = int.from_bytes(found[:2])
        entries.append(found[2 : 2 + size])
        found = found[2 + size :]
    assert [merkle.leaf_hash(entry) for entry in entries] == hashes[256:]
    assert "immutable" in (await house.http.get("/tile/entries/000")).headers["cache-control"]


@pytest.mark.parametrize(
    "path",
    ["0/001", "0/1", "0/001.p/45", "0/001.p/0", "0/001.p/256", "0/001.p/044", "0/000.p/x", "1/000", "6/000",
     "2/000.p/1", pytest.param("0/" + "x999/" * 3000 + "999", id="endless"),
     "entries/001", "entries/001.p/45", "entries/x000/001", "entries/-01"],
)  # fmt: skip
async def test_a_tile_that_is_not_there_yet_or_never_will_be_is_not_found(house: House, path: str) -> None:
    await seal(house.gateway)
    answer = await house.http.get(f"/tile/{path}")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_tile")


async def test_any_checkpoint_is_proven_to_begin_with_an_older_one(house: House) -> None:
    tree = await seal(house.gateway)
    for old in (1, 3, 256, 300):
        answer = await house.http.get(f"/api/consistency?from={old}&to=300")
        proof = [bytes.fromhex(step) for step in answer.json()["proof"]]
        assert merkle.consistent(old, 300, tree.root(old), tree.root(), proof)
    for query in ("from=3&to=301", "from=300&to=3"):
        assert (await house.http.get(f"/api/consistency?{query}")).json()["code"] == "no_such_checkpoint"
    assert (await house.http.get("/api/consistency?from=0&to=3")).status_code == 422


async def test_the_public_keys_are_told_and_bad_ones_stop_the_start(open_house: Opener) -> None:
    house = await open_house(verifier_keys=str(SIGNER.verifier), origin=SIGNER.name)
    told = (await house.http.get("/api/keys")).json()
    assert told == {"origin": SIGNER.name, "keys": [str(SIGNER.verifier)]}
    with pytest.raises(Exception, match="QUARTET_VERIFIER_KEYS"):
        await open_house(verifier_keys="nonsense")


async def scoring(house: House, page: Page) -> list[Question | Search]:
    """Answers every question with this page; what was asked."""
    asked: list[Question | Search] = []
    bus = house.network.join("scoring")

    def answer(subject: str, payload: bytes, reply: str | None) -> None:
        kind: type[Question] | type[Search] = Question if subject == subjects.ASK_SCORING else Search
        asked.append(decoder(kind).decode(payload))
        bus.publish(reply or "", encode(page))

    for subject in (subjects.ASK_SCORING, subjects.ASK_SEARCH):
        await bus.subscribe(subject, answer)
    return asked


@pytest.mark.parametrize("status", ["round_open", "not_sealed"])
async def test_a_bundle_that_is_not_there_yet_is_refused_in_words(house: House, status: Status) -> None:
    ada, bo = await house.person(), await house.person("Bo")
    table = await ada.table(private=True)
    await scoring(house, Page(status))
    answer = await ada.get(f"/api/tables/{table}/rounds/1/bundle")
    assert (answer.status_code, answer.json()["code"]) == (409, status)
    assert (await bo.get(f"/api/tables/{table}/rounds/1/bundle")).json()["code"] == "private"


async def test_who_played_a_private_table_reads_its_rounds_and_an_auditor_all(open_house: Opener) -> None:
    house = await open_house()
    ada, bo, cas = await house.person(), await house.person("Bo"), await house.person("Cas")
    asked = await scoring(house, Page("ok", b'{"head":{},"scenes":[],"next":null}'))
    table = (await ada.make(private=True)).json()["table_id"]
    house.store.players_of[table, 1] = (ada.player, bo.player)
    path = f"/api/tables/{table}/rounds/1/replay"
    assert (await bo.get(path)).json() == {"head": {}, "scenes": [], "next": None}
    assert (await cas.get(path)).status_code == 403
    assert (await bo.get(path.replace("rounds/1", "rounds/2"))).status_code == 403
    token = house.gateway.tokens.issue(cas.player, _now(), role="auditor")
    audited = await house.http.get(path + "?from=9", headers={"Authorization": f"Bearer {token}"})
    assert audited.status_code == 200
    assert asked[-1] == Question("replay", table, 1, 9)


async def test_an_auditor_is_named_by_a_setting_too_and_a_player_searches_their_own_rounds(open_house: Opener) -> None:
    known = str(uuid4())
    house = await open_house(auditors=f"{known}, x")
    ada = await house.person()
    await house.store.add_player(known, "Auditor", 0)
    asked = await scoring(house, Page("ok", b'{"hits":[],"next":null}'))
    query = "/api/audit/search?kind=swap&within_ms=50&from=7&to=9&after=5,t1,3&player=p&refused=card_gone"
    assert (await ada.get(query)).json() == {"hits": [], "next": None}
    wanted = Search(
        viewer=ada.player, code="card_gone", player="p", since=7, until=9, kind="swap", within_us=50_000,
        after=(5, "t1", 3),
    )  # fmt: skip
    assert asked[-1] == wanted
    made = (await ada.make()).json()
    await ada.get(f"/api/audit/search?code={made['code'].lower()}")
    assert asked[-1] == Search(viewer=ada.player, table=made["table_id"])
    await ada.get("/api/audit/search?code=XXXXX")
    assert asked[-1] == Search(viewer=ada.player, table="none")
    token = house.gateway.tokens.issue(known, _now())
    await house.http.get("/api/audit/search", headers={"Authorization": f"Bearer {token}"})
    assert asked[-1] == Search(viewer=None)
    assert (await house.http.get("/api/audit/search")).json()["code"] == "no_token"
    assert (await ada.get("/api/audit/search?after=x")).status_code == 422


async def test_a_token_of_an_auditor_is_renewed_as_one(house: House) -> None:
    ada = await house.person()
    old = house.gateway.tokens.issue(ada.player, _now() - 2 * 86_400, role="auditor")
    caller = await house.gateway.caller(old)
    assert caller is not None
    assert caller.auditor
    again = house.gateway.tokens.holder(caller.token or "", _now())
    assert again is not None
    assert again.role == "auditor"


@pytest.mark.parametrize(
    ("hello", "signed"), [({"receipts": "signed"}, True), ({"receipts": "hash"}, False), ({}, False)]
)
async def test_signed_receipts_are_asked_for_in_the_hello(house: House, hello: dict[str, str], signed: bool) -> None:
    ada = await house.person()
    table = (await ada.make()).json()["table_id"]
    async with open_socket(ada.url, table, {"token": ada.token, **hello}) as socket:
        await socket.command({"type": "Poke", "place": 1})
        await socket.until("verdict")
    assert house.owner.commands[-1].signed is signed


async def test_a_forgotten_player_is_shown_the_door_and_their_token_is_refused(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        await socket.until("view")
        house.store.names.pop(ada.player)
        house.network.join("ops").publish(subjects.FORGOTTEN, ada.player.encode())
        assert await socket.closed() == 4401
    assert (await ada.get(f"/api/tables/{table}")).json()["code"] == "bad_token"


def _now() -> int:
    return int(time.time())
