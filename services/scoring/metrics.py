"""What scoring shows of itself."""

from prometheus_client import Counter, Gauge, Histogram

AWARDS = Counter("quartet_scoring_awards", "Stopped rounds decided again, by what was found", ["found"])
SECONDS = Histogram("quartet_scoring_verify_seconds", "Time to decide a stopped round again")
WAITING = Gauge("quartet_scoring_waiting_rounds", "Stopped rounds without their Award in the log")
UNREADABLE = Counter("quartet_scoring_unreadable_records", "Records that are no step of their table's state")
AUDITED = Counter("quartet_audit_rounds", "Awarded rounds verified again from their stored bytes")
AUDITED_RECORDS = Counter("quartet_audit_records", "Records decided again by the auditor")
FAULTS = Counter("quartet_audit_faults", "Awarded rounds that do not verify, by the kind of the first fault", ["kind"])
PASSES = Counter("quartet_audit_passes", "Times the auditor has come to the end of a partition")
PLACE = Gauge("quartet_audit_position", "Where the auditor stands", ["partition"])
END = Gauge("quartet_audit_end", "How far this partition's records are read", ["partition"])
SEALED = Counter("quartet_sealed_rounds", "Awarded rounds that were given their leaf here")
LEDGER = Gauge("quartet_ledger_leaves", "Leaves of the site's log under the newest checkpoint")
CONTRADICTIONS = Counter("quartet_ledger_contradictions", "Times the stored log was not what had been signed")
