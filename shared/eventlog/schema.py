"""The tables as SQLAlchemy Core sees them; `migrations/` makes them, and a test holds the two together."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

_TableId = Text(collation="C")

metadata = MetaData()

commits = Table(
    "commits",
    metadata,
    Column("partition", SmallInteger, CheckConstraint("partition BETWEEN 0 AND 63"), primary_key=True),
    Column("n", BigInteger, primary_key=True),
    Column("epoch", BigInteger, nullable=False),
    Column("owner", Text, nullable=False),
    Column("base", BigInteger, nullable=False),
    Column("rows", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
)
Index("commits_of_rows", commits.c.partition, commits.c.base, postgresql_where=text("rows > 0"))

records = Table(
    "records",
    metadata,
    Column("partition", SmallInteger, primary_key=True),
    Column("position", BigInteger, primary_key=True),
    Column("table_id", _TableId, nullable=False),
    Column("version", BigInteger, CheckConstraint("version > 0"), nullable=False),
    Column("round", Integer, CheckConstraint("round >= 0"), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("hash", LargeBinary, CheckConstraint("octet_length(hash) = 32"), nullable=False),
    UniqueConstraint("partition", "table_id", "version"),
)
Index(
    "records_first",
    records.c.partition,
    records.c.position,
    postgresql_include=["table_id"],
    postgresql_where=text("version = 1"),
)

heads = Table(
    "heads",
    metadata,
    Column("partition", SmallInteger, primary_key=True),
    Column("table_id", _TableId, primary_key=True),
    Column("round", Integer, nullable=False),
    Column("first_version", BigInteger, nullable=False),
    Column("due", BigInteger),
    Column("phase", Text, nullable=False),
)

instances = Table(
    "instances",
    metadata,
    Column("instance", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("backend", Integer, nullable=False),
    Column("leaving", Boolean, nullable=False, server_default="false"),
)

holdings = Table(
    "holdings",
    metadata,
    Column("role", Text, primary_key=True),
    Column("partition", SmallInteger, primary_key=True),
    Column("instance", Text),
    Column("asker", Text),
)

players = Table(
    "players",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("forgotten", Boolean, nullable=False, server_default="false"),
)

codes = Table(
    "codes",
    metadata,
    Column("code", Text, primary_key=True),
    Column("table_id", _TableId, nullable=False, unique=True),
    Column("player_id", Text, nullable=False),
    Column("request_id", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    UniqueConstraint("player_id", "request_id"),
)

packs = Table(
    "packs",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("families", LargeBinary, nullable=False),
    Column("player_id", Text),
    Column("at", BigInteger, nullable=False),
)

pictures = Table(
    "pictures",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("png", LargeBinary, nullable=False),
)

positions = Table(
    "positions",
    metadata,
    Column("projection", Text, primary_key=True),
    Column("partition", SmallInteger, primary_key=True),
    Column("position", BigInteger, nullable=False),
)

tables_index = Table(
    "tables_index",
    metadata,
    Column("table_id", _TableId, primary_key=True),
    Column("partition", SmallInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("taken", Integer, nullable=False),
    Column("phase", Text, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("host", Text),
    Column("players", ARRAY(Text), nullable=False),
    Column("round", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("bots", Integer, nullable=False),
    Column("changed", BigInteger, nullable=False),
)
Index("tables_scoring", tables_index.c.partition, postgresql_where=text("phase = 'scoring'"))
Index("tables_hosted", tables_index.c.host, postgresql_where=text("phase <> 'closed'"))
Index("tables_open", tables_index.c.at, postgresql_where=text("phase <> 'closed' AND NOT private"))

rounds_index = Table(
    "rounds_index",
    metadata,
    Column("table_id", _TableId, primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("partition", SmallInteger, nullable=False),
    Column("first_version", BigInteger, nullable=False),
    Column("last_version", BigInteger),
    Column("started", BigInteger),
    Column("stopped", BigInteger),
    Column("how", Text),
    Column("points", JSONB),
    Column("verified", Boolean),
    Column("awarded_at", BigInteger),
    Column("by", Integer),
    Column("head", Text),
    Column("position", BigInteger),
    Column("sealed", BigInteger),
    Column("players", ARRAY(Text), nullable=False, server_default="{}"),
)
Index(
    "rounds_unsealed",
    rounds_index.c.awarded_at,
    postgresql_where=text("position IS NOT NULL AND sealed IS NULL"),
)
Index("rounds_players", rounds_index.c.players, postgresql_using="gin")
Index(
    "rounds_awarded",
    rounds_index.c.partition,
    rounds_index.c.position,
    postgresql_where=text("position IS NOT NULL"),
)

results = Table(
    "results",
    metadata,
    Column("table_id", _TableId, primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("game", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("sides", JSONB, nullable=False),
    Column("points", JSONB, nullable=False),
    Column("winners", JSONB, nullable=False),
    Column("place", BigInteger, unique=True),
)
Index("results_unplaced", results.c.at, results.c.table_id, postgresql_where=text("place IS NULL"))

standings = Table(
    "standings",
    metadata,
    Column("game", Text, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("played", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("points", BigInteger, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
)

races = Table(
    "races",
    metadata,
    Column("table_id", _TableId, primary_key=True),
    Column("round", Integer, nullable=False),
    Column("version", BigInteger, primary_key=True),
    Column("seat", Integer),
    Column("player", Text),
    Column("command", Text, nullable=False),
    Column("code", Text, nullable=False),
    Column("lost_to", BigInteger),
    Column("margin_us", BigInteger),
    Column("at", BigInteger, nullable=False),
)
Index("races_at", races.c.at, races.c.table_id, races.c.version)
Index("races_player", races.c.player, races.c.at)

leaves = Table(
    "leaves",
    metadata,
    Column("index", BigInteger, CheckConstraint("index >= 0"), primary_key=True, autoincrement=False),
    Column("table_id", _TableId, nullable=False),
    Column("round", Integer, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("head", Text, nullable=False),
    Column("leaf", LargeBinary, nullable=False),
    UniqueConstraint("table_id", "round"),
)

checkpoints = Table(
    "checkpoints",
    metadata,
    Column("size", BigInteger, CheckConstraint("size > 0"), primary_key=True, autoincrement=False),
    Column("root", LargeBinary, CheckConstraint("octet_length(root) = 32"), nullable=False),
    Column("note", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)
