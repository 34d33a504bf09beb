"""What can be set for a gateway, by QUARTET_* in the environment."""

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

SECRET_LENGTH_MIN = 32


class GatewaySettings(BaseSettings):
    """All limits are this gateway's own; what the table limits is in the rules (T-LIMIT-1)."""

    model_config = SettingsConfigDict(env_prefix="QUARTET_", extra="ignore")

    database_url: str = ""
    nats_url: str = ""
    host: str = "127.0.0.1"
    port: int = Field(8000, ge=0, le=65_535)
    public_url: str = Field("", description="what people reach this site by, for links and QR codes")
    origins: str = Field("", description="further origins, by commas, whose pages may open a socket")
    proxies: str = Field("", description="addresses, by commas, whose X-Forwarded-For is believed")
    token_keys: SecretStr = Field(SecretStr(""), description="id:secret, by commas; the first signs, all are believed")
    auditors: str = Field("", description="ids of players, by commas, who may read every finished round")

    frame_bytes_max: int = Field(4096, ge=256)
    body_bytes_max: int = Field(65_536, ge=1024)
    unsent_bytes_max: int = Field(262_144, ge=16_384, description="what may wait for a slow reader before it is closed")
    slow_seconds_max: float = Field(5.0, gt=0)
    hello_seconds_max: float = Field(5.0, gt=0)
    requests_per_second: int = Field(30, ge=1)
    sockets_player_max: int = Field(8, ge=1)
    watchers_address_max: int = Field(64, ge=1)
    players_per_minute: int = Field(5, ge=1)
    tables_per_minute: int = Field(5, ge=1)
    wrong_codes_per_minute: int = Field(10, ge=1)
    bot_seats_host_max: int = Field(20, ge=0)
    drain_seconds: float = Field(2.0, ge=0, description="over which sockets are closed on SIGTERM")

    def keys(self) -> dict[str, str]:
        """Key id -> secret, in order. Raises ValueError."""
        keys = {}
        for key in filter(None, self.token_keys.get_secret_value().split(",")):
            name, colon, secret = key.strip().partition(":")
            if not (name and colon and len(secret) >= SECRET_LENGTH_MIN):
                raise ValueError(f"QUARTET_TOKEN_KEYS: each is id:secret, the secret of {SECRET_LENGTH_MIN} or more")
            keys[name] = secret
        return keys
