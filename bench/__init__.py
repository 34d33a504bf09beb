"""Measurements, run by hand or by `make bench`: `python -m bench.rules`."""
