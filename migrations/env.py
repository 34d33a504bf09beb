"""Runs migrations on the database that `services.migrate` names or, for the alembic command, QUARTET_DATABASE_URL."""

import asyncio
import os

from alembic import context
from sqlalchemy import Connection, text

from shared.eventlog.connection import engine
from shared.eventlog.schema import metadata


def run(connection: Connection) -> None:
    """All pending steps in one transaction; whoever migrates at the same time waits."""
    context.configure(connection=connection, target_metadata=metadata)
    with context.begin_transaction():
        connection.execute(text("SELECT pg_advisory_xact_lock(hashtext('quartet migrations'))"))
        context.run_migrations()


async def connect_and_run(url: str) -> None:
    patient = engine(url, None, "quartet migrate", patient=True)
    try:
        async with patient.connect() as connection:
            await connection.execution_options(isolation_level="READ COMMITTED")
            await connection.run_sync(run)
    finally:
        await patient.dispose()


asyncio.run(connect_and_run(context.config.attributes.get("url") or os.environ["QUARTET_DATABASE_URL"]))
