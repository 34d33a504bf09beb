"""A table to begin with: three bots and a free seat, whose first taker is host."""

import asyncio

from services.cli.client import Client, Opened

SEATS = 4


def lay(url: str) -> str:
    """Lay a private table of Quatro at a running service and return the link to it. Raises NoAnswer."""
    return f"{url}/?join={asyncio.run(_lay(Client(url))).code}"


async def _lay(client: Client) -> Opened:
    await client.join("Quartet")
    opened: Opened = await client.call(Opened, "POST", "/api/tables", {"game": "quatro", "seats": SEATS})
    for seat in range(1, SEATS):
        await client.send(opened.table_id, {"type": "AddBot", "seat": seat})
    await client.send(opened.table_id, {"type": "Leave"})  # T-HOST-2: who sits down first is host then
    return opened
