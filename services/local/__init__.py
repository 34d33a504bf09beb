"""Everything on this machine: embedded Postgres and NATS under our own supervision, and the services as processes."""
