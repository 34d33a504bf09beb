"""The site's Merkle log of sealed rounds, its signed checkpoints, and what auditors search."""

from alembic import op

revision = "0003"
down_revision = "0002"

LEDGER = (
    """
    CREATE TABLE leaves (
        index bigint PRIMARY KEY CHECK (index >= 0),
        table_id text COLLATE "C" NOT NULL,
        round integer NOT NULL,
        version bigint NOT NULL,
        head text NOT NULL,
        leaf bytea NOT NULL,
        UNIQUE (table_id, round)
    )
    """,
    """
    CREATE TABLE checkpoints (
        size bigint PRIMARY KEY CHECK (size > 0),
        root bytea NOT NULL CHECK (octet_length(root) = 32),
        note text NOT NULL,
        key text NOT NULL,
        at bigint NOT NULL
    )
    """,
    *(
        f"""
        CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
        """
        for table in ("leaves", "checkpoints")
    ),
)

PROJECTIONS = (
    "ALTER TABLE rounds_index ADD COLUMN sealed bigint, ADD COLUMN players text[] NOT NULL DEFAULT '{}'",
    "CREATE INDEX rounds_unsealed ON rounds_index (awarded_at) WHERE position IS NOT NULL AND sealed IS NULL",
    "CREATE INDEX rounds_players ON rounds_index USING gin (players)",
    """
    CREATE TABLE races (
        table_id text COLLATE "C" NOT NULL,
        round integer NOT NULL,
        version bigint NOT NULL,
        seat integer,
        player text,
        command text NOT NULL,
        code text NOT NULL,
        lost_to bigint,
        margin_us bigint,
        at bigint NOT NULL,
        PRIMARY KEY (table_id, version)
    )
    """,
    "CREATE INDEX races_at ON races (at, table_id, version)",
    "CREATE INDEX races_player ON races (player, at)",
)

GRANTS = (
    ("quartet_scoring", "SELECT, INSERT ON leaves, checkpoints"),
    ("quartet_scoring", "SELECT, INSERT, UPDATE, DELETE ON races"),
    ("quartet_gateway", "SELECT ON leaves, checkpoints"),
    ("quartet_reader", "SELECT ON leaves, checkpoints"),
)

DOWN = (
    "DROP TABLE races, checkpoints, leaves",
    "DROP INDEX rounds_players, rounds_unsealed",
    "ALTER TABLE rounds_index DROP COLUMN sealed, DROP COLUMN players",
)


def upgrade() -> None:
    for statement in (*LEDGER, *PROJECTIONS):
        op.execute(statement)
    for role, what in GRANTS:
        op.execute(f"""
            DO $$ BEGIN
                IF EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN GRANT {what} TO {role}; END IF;
            END $$
        """)


def downgrade() -> None:
    for statement in DOWN:
        op.execute(statement)
