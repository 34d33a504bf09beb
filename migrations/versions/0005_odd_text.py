"""What someone wrote in a refused command (a NUL, which jsonb takes not) must not hide the events of everyone."""

from alembic import op

revision = "0005"
down_revision = "0004"

VIEW = """
CREATE OR REPLACE VIEW awarded_events WITH (security_barrier) AS
    SELECT r.table_id, r.round, r.version, r.at, e.number, e.event ->> 'type' AS type, e.event
    FROM rounds_index i
    JOIN records r ON r.partition = i.partition AND r.table_id = i.table_id AND r.round = i.round
    CROSS JOIN LATERAL jsonb_array_elements({events}) WITH ORDINALITY AS e (event, number)
    WHERE i.awarded_at IS NOT NULL
"""
ALL = "convert_from(r.body, 'UTF8')::jsonb -> 'events'"
# Inside of a text the quotes would be escaped, so this is the field; records are canonical.
ACCEPTED = f"CASE WHEN position(convert_to(',\"events\":[', 'UTF8') IN r.body) > 0 THEN {ALL} END"


def upgrade() -> None:
    op.execute(VIEW.format(events=ACCEPTED))


def downgrade() -> None:
    op.execute(VIEW.format(events=ALL))
