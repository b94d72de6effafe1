# `make demo` and `make test` do all the set-up: a virtual environment in .venv with Python 3.11 or later.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test test-browser web check bench coverage schemas clean

demo: $(STAMP)
	$(BIN)/aifgraph compare fixtures/debate/first.json fixtures/debate/second.json
	$(BIN)/aifgraph compare fixtures/debates/ann fixtures/debates/ben

test: $(STAMP)
	$(BIN)/python -m pytest

# The pages in a real browser: Debian's Chromium, driven by Selenium.
test-browser: $(STAMP)
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || (apt-get update -qq && apt-get install -y -qq chromium chromium-driver)
	$(BIN)/python -m pytest tests/browser

# The scripts of the HTML reports, from web/package-lock.json; the bundle is committed, so that installing needs no Node.
web:
	npm --prefix web ci --no-audit --no-fund --ignore-scripts
	npm --prefix web run build

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP)
	$(BIN)/python benchmarks/bench.py

coverage: $(STAMP)
	$(BIN)/python -m pytest --cov --cov-report=term --cov-report=xml

schemas: $(STAMP)
	$(BIN)/python -m aifgraph.formats.wire schemas
	$(BIN)/python -m aifgraph.interop.rdfcontext > schemas/aif-context.jsonld

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "aifgraph needs Python 3.11 or later: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $(STAMP)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis coverage.xml .coverage
