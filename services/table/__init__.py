"""The table service: seating and games; the only writer of records."""
