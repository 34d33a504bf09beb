"""All services in one process on virtual time, in weather that a seed decides: the same seed is the same run."""
