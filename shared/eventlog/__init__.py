"""The append-only log of records: a port, a memory adapter, a Postgres adapter, and the hash chain."""
