"""What can be set for the bots service, by QUARTET_* in the environment."""

from pydantic import Field

from shared.settings import CommonSettings


class BotsSettings(CommonSettings):
    """Bots are as strong as their level; this is only how fast."""

    bot_pace: float = Field(default=1.0, gt=0, le=100, description="how many times faster than people bots play")
