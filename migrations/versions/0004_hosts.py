"""How many bots a host has is asked before one more is added: found without reading every table there ever was."""

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.execute("CREATE INDEX tables_hosted ON tables_index (host) WHERE phase <> 'closed'")


def downgrade() -> None:
    op.execute("DROP INDEX tables_hosted")
