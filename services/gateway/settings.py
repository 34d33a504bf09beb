"""What can be set for a gateway, by QUARTET_* in the environment."""

from pydantic import Field, SecretStr

from shared.proof.note import BadNote, Verifier
from shared.settings import BadSettings, CommonSettings

SECRET_LENGTH_MIN = 32


class GatewaySettings(CommonSettings):
    """All limits are this gateway's own; what the table limits is in the rules (T-LIMIT-1)."""

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65_535)
    public_url: str = Field(default="", description="what people reach this site by, for links and QR codes")
    origins: str = Field(default="", description="further origins, by commas, whose pages may open a socket")
    proxies: str = Field(default="", description="addresses, by commas, whose X-Forwarded-For is believed")
    token_keys: SecretStr = Field(default=SecretStr(""), description="id:secret, by commas; the first signs")
    verifier_keys: str = Field(default="", description="the site's public keys, by commas, as `quartet keys show` says")
    auditors: str = Field(default="", description="ids of players, by commas, who may read every finished round")

    frame_bytes_max: int = Field(default=4096, ge=256)
    body_bytes_max: int = Field(default=65_536, ge=1024)
    unsent_bytes_max: int = Field(default=262_144, ge=16_384, description="what may wait for a slow reader")
    slow_seconds_max: float = Field(default=5.0, gt=0)
    hello_seconds_max: float = Field(default=5.0, gt=0)
    requests_per_second: int = Field(default=30, ge=1)
    sockets_player_max: int = Field(default=8, ge=1)
    watchers_address_max: int = Field(default=64, ge=1)
    players_per_minute: int = Field(default=5, ge=1)
    tables_per_minute: int = Field(default=5, ge=1)
    wrong_codes_per_minute: int = Field(default=10, ge=1)
    bot_seats_host_max: int = Field(default=20, ge=0)
    drain_seconds: float = Field(default=2.0, ge=0, description="over which sockets are closed on SIGTERM")

    def verifiers(self) -> tuple[Verifier, ...]:
        """The public keys. Raises BadSettings."""
        try:
            return tuple(Verifier.parse(key) for key in self.verifier_keys.split(",") if key.strip())
        except BadNote as fault:
            raise BadSettings([f"QUARTET_VERIFIER_KEYS: {fault}"]) from None

    def keys(self) -> dict[str, str]:
        """Key id -> secret, in order. Raises BadSettings."""
        keys = {}
        for key in filter(None, self.token_keys.get_secret_value().split(",")):
            name, colon, secret = key.strip().partition(":")
            if not (name and colon and len(secret) >= SECRET_LENGTH_MIN):
                raise BadSettings([f"QUARTET_TOKEN_KEYS: each is id:secret, of {SECRET_LENGTH_MIN} characters or more"])
            keys[name] = secret
        if not keys:
            raise BadSettings(["QUARTET_TOKEN_KEYS: at least one id:secret is needed to sign tokens"])
        return keys
