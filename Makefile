# `make demo` and `make test` do all the set-up: a virtual environment in .venv with Python 3.11 or later.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test check bench coverage schemas clean

demo: $(STAMP)
	$(BIN)/aifgraph compare fixtures/debate/first.json fixtures/debate/second.json
	$(BIN)/aifgraph compare fixtures/debates/ann fixtures/debates/ben

test: $(STAMP)
	$(BIN)/python -m pytest

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
