"""From stored rows back to states, and the proof that they are what the rules make of the recorded commands."""

from shared.replay.audit import Audit, Fault
from shared.replay.rows import Verified, rebuild, records, verify_round

__all__ = ["Audit", "Fault", "Verified", "rebuild", "records", "verify_round"]
