"""What can be set for scoring, by QUARTET_* in the environment."""

from pydantic import Field

from shared.settings import CommonSettings


class ScoringSettings(CommonSettings):
    """How hard the auditor may work beside the awards."""

    audit_rate: float = Field(default=200.0, gt=0, description="records a second that the auditor verifies again")
