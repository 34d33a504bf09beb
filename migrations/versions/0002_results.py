"""Finished games in the order in which they are rated, and what lobby and auditor need besides."""

from alembic import op

revision = "0002"
down_revision = "0001"

UP = (
    "ALTER TABLE tables_index ADD COLUMN bots integer NOT NULL, ADD COLUMN changed bigint NOT NULL",
    'ALTER TABLE rounds_index ADD COLUMN "by" integer, ADD COLUMN head text, ADD COLUMN position bigint',
    "CREATE INDEX rounds_awarded ON rounds_index (partition, position) WHERE position IS NOT NULL",
    "CREATE INDEX tables_scoring ON tables_index (partition) WHERE phase = 'scoring'",
    """
    CREATE TABLE results (
        table_id text COLLATE "C" NOT NULL,
        round integer NOT NULL,
        game text NOT NULL,
        at bigint NOT NULL,
        sides jsonb NOT NULL,
        points jsonb NOT NULL,
        winners jsonb NOT NULL,
        place bigint UNIQUE,
        PRIMARY KEY (table_id, round)
    )
    """,
    "CREATE INDEX results_unplaced ON results (at, table_id) WHERE place IS NULL",
    """
    DO $$ BEGIN
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'quartet_scoring') THEN
            GRANT SELECT, INSERT, UPDATE, DELETE ON results TO quartet_scoring;
        END IF;
    END $$
    """,
)

DOWN = (
    "DROP TABLE results",
    "DROP INDEX tables_scoring, rounds_awarded",
    'ALTER TABLE rounds_index DROP COLUMN "by", DROP COLUMN head, DROP COLUMN position',
    "ALTER TABLE tables_index DROP COLUMN bots, DROP COLUMN changed",
)


def upgrade() -> None:
    for statement in UP:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWN:
        op.execute(statement)
