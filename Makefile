# Every target sets up what it needs: a virtual environment in .venv with Python 3.11 or later.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Further arguments: make test ARGS='-k aurc'
ARGS :=
# One worker for each core; the tests of one file stay together, so that they share what they set up.
PARALLEL := -n auto --dist loadfile --no-loadscope-reorder

.PHONY: demo test test-all check docs reproduce simulate bench size schemas fuzz torture dist lock clean

# The main job on the fixtures, with the library alone: no packages for tests, docs or development.
demo: $(VENV)/.core
	$(BIN)/aifgraph compare fixtures/debate/first.json fixtures/debate/second.json
	$(BIN)/aifgraph compare fixtures/debates/ann fixtures/debates/ben

# All tests but the slow ones (a browser, a cluster, killed processes, all real maps), with examples in docstrings.
test: $(VENV)/.test
	$(BIN)/python -m pytest $(PARALLEL) -m 'not slow' $(ARGS)

test-all: $(VENV)/.test
	$(BIN)/python -m pytest $(PARALLEL) $(ARGS)

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The site, in build/site: open index.html. A warning is an error; needs no network.
docs: $(VENV)/.dev
	$(BIN)/python -m sphinx -E -q -W --keep-going -b html -d build/doctrees docs build/site

# The published figures of the task papers, recomputed from ../shared/data: writes docs/reproduced.md, and fails where
# one no longer agrees; then the figures of docs/interpret.md. With ARGS=--check the pages are left alone, and have to
# show what is recomputed.
reproduce: $(VENV)/.core
	$(BIN)/python benchmarks/reproduce.py $(ARGS)
	$(BIN)/python benchmarks/interpret.py $(ARGS)

# The figures of docs/evaluate-systems.md, which take minutes: not in CI. ARGS=--check as above.
simulate: $(VENV)/.core
	$(BIN)/python benchmarks/gaming.py $(ARGS)
	$(BIN)/python benchmarks/type_one_error.py $(ARGS)

# Time and memory of comparing two maps, beside json.load of the same files.
bench: $(VENV)/.core
	$(BIN)/python benchmarks/bench.py $(ARGS)

# Files, lines, tokens, words, public names and options.
size: $(VENV)/.core
	@$(BIN)/python benchmarks/size.py

schemas: $(VENV)/.core
	$(BIN)/python -m aifgraph.formats.documents schemas

# Inputs of every format and command changed at random: nothing but the documented errors may come out.
MINUTES := 10
fuzz: $(VENV)/.test
	cd tests && ../$(BIN)/python -m fuzz.attempt --minutes $(MINUTES)

# Commands killed at random moments.
torture: $(VENV)/.test
	AIFGRAPH_TORTURE=1 $(BIN)/python -m pytest tests/torture $(ARGS)

# Wheel and source distribution, checked; the same bytes come out of the same commit.
dist: export SOURCE_DATE_EPOCH := $(shell git log -1 --format=%ct 2>/dev/null || echo 1767225600)
dist: $(VENV)/.dev
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m twine check --strict dist/*

# The versions that CI installs: the newest that go together now.
lock: $(VENV)/.dev
	$(BIN)/uv pip compile --quiet --universal --upgrade --extra dev --python-version 3.11 --no-header pyproject.toml \
	  --output-file ci-lock.txt

$(VENV)/.core: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "aifgraph needs Python 3.11 or later: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) -e .
	touch $@

$(VENV)/.test: $(VENV)/.core
	$(PIP) -e '.[test]'
	touch $@

$(VENV)/.dev: $(VENV)/.test
	$(PIP) -e '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis coverage.xml .coverage
