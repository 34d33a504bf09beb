"""The log, the leases, what gateways write, and scoring's projections; who may do what with them."""

from alembic import op

revision = "0001"
down_revision = None

LOG = """
CREATE TABLE commits (
    partition smallint NOT NULL CHECK (partition BETWEEN 0 AND 63),
    n bigint NOT NULL,
    epoch bigint NOT NULL,
    owner text NOT NULL,
    base bigint NOT NULL,
    rows integer NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (partition, n)
);
CREATE INDEX commits_of_rows ON commits (partition, base) WHERE rows > 0;

CREATE TABLE records (
    partition smallint NOT NULL,
    position bigint NOT NULL,
    table_id text COLLATE "C" NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    round integer NOT NULL CHECK (round >= 0),
    at bigint NOT NULL,
    body bytea NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (partition, position),
    UNIQUE (partition, table_id, version)
);
CREATE INDEX records_first ON records (partition, position) INCLUDE (table_id) WHERE version = 1;

CREATE TABLE heads (
    partition smallint NOT NULL,
    table_id text COLLATE "C" NOT NULL,
    round integer NOT NULL,
    first_version bigint NOT NULL,
    due bigint,
    phase text NOT NULL,
    PRIMARY KEY (partition, table_id)
) WITH (fillfactor = 70);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: the log is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER records_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON records
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER commits_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON commits
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
"""

LEASES = """
CREATE TABLE instances (
    instance text PRIMARY KEY,
    role text NOT NULL,
    expires_at bigint NOT NULL,
    backend integer NOT NULL,
    leaving boolean NOT NULL DEFAULT false
) WITH (fillfactor = 50);

CREATE TABLE holdings (
    role text NOT NULL,
    partition smallint NOT NULL,
    instance text,
    asker text,
    PRIMARY KEY (role, partition)
) WITH (fillfactor = 50);
"""

GATEWAY = """
CREATE TABLE players (
    player_id text PRIMARY KEY,
    name text NOT NULL,
    created_at bigint NOT NULL,
    forgotten boolean NOT NULL DEFAULT false
);

CREATE TABLE codes (
    code text PRIMARY KEY,
    table_id text COLLATE "C" NOT NULL UNIQUE,
    player_id text NOT NULL,
    request_id text NOT NULL,
    game text NOT NULL,
    private boolean NOT NULL,
    at bigint NOT NULL,
    UNIQUE (player_id, request_id)
);

CREATE TABLE packs (
    hash text PRIMARY KEY,
    name text NOT NULL,
    language text NOT NULL,
    families bytea NOT NULL,
    player_id text,
    at bigint NOT NULL
);

CREATE TABLE pictures (
    hash text PRIMARY KEY,
    png bytea NOT NULL
);
"""

PROJECTIONS = """
CREATE TABLE positions (
    projection text NOT NULL,
    partition smallint NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (projection, partition)
) WITH (fillfactor = 50);

CREATE TABLE tables_index (
    table_id text COLLATE "C" PRIMARY KEY,
    partition smallint NOT NULL,
    game text NOT NULL,
    seats integer NOT NULL,
    taken integer NOT NULL,
    phase text NOT NULL,
    private boolean NOT NULL,
    host text,
    players text[] NOT NULL,
    round integer NOT NULL,
    at bigint NOT NULL
);
CREATE INDEX tables_open ON tables_index (at) WHERE phase <> 'closed' AND NOT private;

CREATE TABLE rounds_index (
    table_id text COLLATE "C" NOT NULL,
    round integer NOT NULL,
    partition smallint NOT NULL,
    first_version bigint NOT NULL,
    last_version bigint,
    started bigint,
    stopped bigint,
    how text,
    points jsonb,
    verified boolean,
    awarded_at bigint,
    PRIMARY KEY (table_id, round)
);

CREATE TABLE standings (
    game text NOT NULL,
    player_id text NOT NULL,
    played integer NOT NULL,
    won integer NOT NULL,
    points bigint NOT NULL,
    mu double precision NOT NULL,
    sigma double precision NOT NULL,
    PRIMARY KEY (game, player_id)
);

CREATE VIEW awarded_events WITH (security_barrier) AS
    SELECT r.table_id, r.round, r.version, r.at, e.number, e.event ->> 'type' AS type, e.event
    FROM rounds_index i
    JOIN records r ON r.partition = i.partition AND r.table_id = i.table_id AND r.round = i.round
    CROSS JOIN LATERAL jsonb_array_elements(convert_from(r.body, 'UTF8')::jsonb -> 'events')
        WITH ORDINALITY AS e (event, number)
    WHERE i.awarded_at IS NOT NULL;
"""

ROLES = ("quartet_gateway", "quartet_table", "quartet_scoring", "quartet_bots", "quartet_reader")

# Roles belong to the whole server: another database may have made them, and at this very moment.
CREATE_ROLE = """
DO $$ BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('quartet roles'));
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN
        CREATE ROLE {role} NOLOGIN;
    END IF;
    IF NOT pg_has_role('{role}', 'SET') THEN
        EXECUTE format('GRANT {role} TO %I WITH SET TRUE', current_user);
    END IF;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL;
    WHEN insufficient_privilege THEN RAISE WARNING 'role {role} is for someone else to create or grant';
END $$;
"""

GRANTS = {
    "quartet_gateway": """
        GRANT SELECT, INSERT, UPDATE ON players, codes TO {role};
        GRANT SELECT, INSERT ON packs, pictures TO {role};
        GRANT SELECT ON tables_index, rounds_index, standings TO {role};""",
    "quartet_table": """
        GRANT SELECT, INSERT ON records, commits TO {role};
        GRANT SELECT, INSERT, UPDATE, DELETE ON heads, instances, holdings TO {role};
        GRANT SELECT ON packs TO {role};
        GRANT SELECT (player_id, name, forgotten) ON players TO {role};""",
    "quartet_scoring": """
        GRANT SELECT ON records, commits, heads TO {role};
        GRANT SELECT, INSERT, UPDATE, DELETE ON instances, holdings TO {role};
        GRANT SELECT, INSERT, UPDATE, DELETE ON positions, tables_index, rounds_index, standings TO {role};
        GRANT SELECT ON players, codes, packs, pictures TO {role};""",
    "quartet_bots": "",
    "quartet_reader": "GRANT SELECT ON awarded_events, tables_index, rounds_index, standings TO {role};",
}

# A role that could not be made is granted nothing; services must then run as users who are.
GRANT = """
DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO {role}', current_schema());
        {grants}
    END IF;
END $$;
"""

DOWN = """
DROP VIEW awarded_events;
DROP TABLE standings, rounds_index, tables_index, positions, pictures, packs, codes, players, holdings, instances,
    heads, records, commits;
DROP FUNCTION refuse_change();
"""

DROP_ROLE = """
DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN
        EXECUTE format('REVOKE USAGE ON SCHEMA %I FROM {role}', current_schema());
        DROP ROLE {role};
    END IF;
EXCEPTION
    WHEN dependent_objects_still_exist OR insufficient_privilege THEN
        RAISE NOTICE 'role {role} stays: other databases use it';
END $$;
"""


def upgrade() -> None:
    for part in (LOG, LEASES, GATEWAY, PROJECTIONS):
        script(part)
    for role in ROLES:
        script(CREATE_ROLE.format(role=role))
        script(GRANT.format(role=role, grants=GRANTS[role].format(role=role)))


def downgrade() -> None:
    script(DOWN)
    for role in ROLES:
        script(DROP_ROLE.format(role=role))


def script(sql: str) -> None:
    """Several statements at once, which only the driver's own connection takes."""
    op.get_bind().connection.run_async(lambda connection: connection.execute(sql))  # type: ignore[attr-defined]
