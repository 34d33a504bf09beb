# Everything a person or CI asks of this project. `make play` and `make test` need only Python 3.11+ and a network.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check

.PHONY: setup play test check fix looks bench soak browser

setup: .venv/.installed
	@$(BIN)/python -m services.gateway.web.build setup

.venv/.locked: requirements.lock
	@test -x $(BIN)/python || $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 …")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "installing the locked dependencies into .venv"
	@$(PIP) install --require-hashes -r requirements.lock
	@touch $@

.venv/.installed: pyproject.toml .venv/.locked
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

play: setup  ## the whole service on this machine with a table laid, until Ctrl-C
	@$(BIN)/quartet up --open

test: setup browser  ## everything, on real servers and in a real browser
	$(BIN)/pytest -n 2 --dist loadscope

check: setup  ## format, types, imports, and the tests that need no servers: under a minute
	$(BIN)/ruff format --check --quiet
	$(BIN)/ruff check --quiet
	$(BIN)/mypy
	$(BIN)/lint-imports > /dev/null
	$(BIN)/python -m services.gateway.web.build check
	$(BIN)/pytest -q -n 2 -m "not servers and not slow"

fix: setup
	$(BIN)/ruff check --fix --quiet
	$(BIN)/ruff format --quiet

looks: setup browser  ## every screen: zoomed, with large text, in forced colours
	QUARTET_EVERY_SCREEN=1 $(BIN)/pytest -n 2 tests/web/test_zoomed.py tests/web/test_large_text.py tests/web/test_forced_colors.py

bench: setup browser  ## figures of limits: rules, verdicts, moves, failover; the first page on a phone
	$(BIN)/python -m bench

soak: setup  ## tables of bots while processes are killed, then verify; a hundred seeds of the simulation
	$(BIN)/python -m bench.soak
	$(BIN)/python -m tests.simulation 1 100

browser:  # Debian's as root, else playwright's own; without any the browser tests say so
	@command -v chromium chromium-browser google-chrome >/dev/null \
	|| { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq >/dev/null \
	     && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-noto-color-emoji >/dev/null; } \
	|| $(BIN)/playwright install chromium >/dev/null \
	|| echo "no browser could be installed: the browser tests will say so"
