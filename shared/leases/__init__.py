"""Who owns which partition: a port, a memory adapter and a Postgres adapter."""
