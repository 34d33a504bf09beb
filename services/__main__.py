"""`python -m services` is `quartet`."""

from services.cli import main

main()
