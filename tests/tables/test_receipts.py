"""Signed receipts: who asks gets one with the verdict, and it vouches for the record that is in the log."""

import asyncio

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.proof.note import Signer
from shared.proof.receipt import Receipt, verified
from tests.tables.hall import Hall, seat_four
from tests.virtual import run

SIGNER = Signer("quartet.test", Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


def test_accepted_and_refused_alike_are_vouched_for_and_who_does_not_ask_gets_none() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables", SIGNER)
        gateway = await hall.open_gateway("gateway")
        table, (ada, bo, cas, _) = await seat_four(gateway)
        take, give = {"type": "TakeChannel"}, {"type": "GiveChannel"}
        accepted, refused, plain = await asyncio.gather(
            gateway.command(table, ada, take, signed=True),
            gateway.command(table, bo, give, signed=True),
            gateway.command(table, cas, take),
        )
        hashes = [row.hash for row in await hall.log.table_rows(table)]
        for verdict in (accepted, refused):
            hash = bytes.fromhex(verdict["receipt"])
            assert hash in hashes
            receipt = msgspec.convert(verdict["signed"], Receipt)
            assert verified(receipt, hash, [SIGNER.verifier]) == SIGNER.verifier
        assert "signed" not in plain
        await hall.close()

    run(scenario)
