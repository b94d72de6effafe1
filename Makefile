# `make demo` and `make test` do all the set-up: a virtual environment in .venv with Python 3.11 or later.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# Further arguments for pytest: make test ARGS='-k aurc'
ARGS :=

# One worker for each core; the tests of one file stay together, in order, so that they share what they set up. The files
# go out in the order of tests/conftest.py.
WORKERS := auto
PARALLEL = -n $(WORKERS) --dist loadfile --no-loadscope-reorder

.PHONY: dist dist-twice docs fuzz torture nightly reproduce demo test test-all test-browser browser web web-check check bench lock schemas clean

demo: $(STAMP)
	$(BIN)/aifgraph compare fixtures/debate/first.json fixtures/debate/second.json
	$(BIN)/aifgraph compare fixtures/debates/ann fixtures/debates/ben

# The tests to run while you work: all but the slow ones (a browser, a cluster, killed processes, all real maps).
# Examples in docstrings, and the commands of the first pages, are among them.
test: $(STAMP)
	$(BIN)/python -m pytest $(PARALLEL) -m 'not slow' $(ARGS)

# Every test, as CI runs them: the slow ones too, and coverage with its floor. Slow tests wait for a browser and for
# processes a good part of their time: one worker more.
test-all nightly: WORKERS = $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
test-all: $(STAMP)
	$(BIN)/python -m pytest $(PARALLEL) --cov --cov-report=term $(ARGS)

# What takes too long for every change: ten times as many random examples, every real map, an hour of changed inputs,
# kills and full disks, the distribution built twice, the lowest versions and no extras. GitHub runs it every night.
nightly: MINUTES := 60
nightly: $(STAMP)
	AIFGRAPH_LONG=1 HYPOTHESIS_PROFILE=many $(BIN)/python -m pytest $(PARALLEL)
	$(MAKE) torture
	$(MAKE) fuzz MINUTES=$(MINUTES)
	$(MAKE) dist-twice
	$(BIN)/nox -s tests lowest bare permissive same_bytes

# Inputs of every format and command changed at random, over all cores: nothing but the documented errors may come out
# (tests/fuzz).
MINUTES := 10
fuzz: $(STAMP)
	cd tests && ../$(BIN)/python -m fuzz --minutes $(MINUTES)

# Kills, signals, full disks and closed pipes, at random moments: slow, and in no other target (tests/torture).
torture: $(STAMP)
	AIFGRAPH_TORTURE=1 $(BIN)/python -m pytest tests/torture tests/contract/test_same_bytes.py $(ARGS)

# The pages in a real browser: Debian's Chromium, driven by Selenium.
test-browser: $(STAMP) browser
	$(BIN)/python -m pytest tests/browser

# What the tests of pages, pictures and Argdown need beside Python; without it `make test-all` skips them and says so.
browser:
	@{ command -v chromium && command -v chromedriver && command -v npm; } >/dev/null || \
	  (apt-get update -qq && apt-get install -y -qq chromium chromium-driver $$(command -v npm >/dev/null || echo npm))
	npm --prefix web ci --no-audit --no-fund --ignore-scripts
	npm --prefix tests/formats/argdown-cli ci --no-audit --no-fund --ignore-scripts

# The scripts of the HTML reports, from web/package-lock.json; the bundle is committed, so that installing needs no Node.
web:
	npm --prefix web ci --no-audit --no-fund --ignore-scripts
	npm --prefix web run build

# The gate of the pages' scripts: eslint, types by tsc, and that the committed bundle is what they make. `make check`
# runs it where the packages are installed (`make browser` or `make web` installs them).
web-check:
	npm --prefix web run lint
	npm --prefix web run types
	npm --prefix web run --silent build -- $(CURDIR)/build/bundle
	for name in report.js corpus.js report.css; do \
	  cmp build/bundle/$$name src/aifgraph/report/html/static/$$name || { echo "run make web and commit the bundle"; exit 1; }; done

check: $(STAMP)
	if [ -d web/node_modules/typescript ]; then $(MAKE) web-check; fi
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Wheel and source distribution, checked. `nox -s release` tries them.
dist: export SOURCE_DATE_EPOCH := $(shell git log -1 --format=%ct 2>/dev/null || echo 1767225600)
dist: $(STAMP)
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m twine check --strict dist/*

# The same bytes come out of the same commit.
dist-twice: dist
	rm -rf build/again && mkdir -p build && mv dist build/again
	$(MAKE) dist
	for built in dist/*; do cmp "$$built" "build/again/$${built#dist/}" || exit 1; done

# Speed and memory against json.load: writes docs/speed.json and the tables of docs/corpora-at-scale.md.
bench: $(STAMP)
	$(BIN)/python benchmarks/bench.py
	$(BIN)/python benchmarks/corpora.py
	$(BIN)/python benchmarks/microtexts.py fixtures/microtexts
	$(BIN)/python benchmarks/waits.py
	$(BIN)/python docs/speed_tables.py

# The site, in build/site: open index.html. Strict: a warning, a name without a target or a broken link is an error.
# Built anew each time (-E), because pages are made of the code, too; needs no network.
docs: $(STAMP)
	$(BIN)/python -m sphinx -E -q -W --keep-going -b html -d build/doctrees docs build/site

# The published figures of the task papers, recomputed: writes docs/reproduced.md; fails where one no longer agrees.
# In CI with ARGS=--check: fails, too, where the page is not what is recomputed.
reproduce: $(STAMP)
	$(BIN)/python benchmarks/reproduce.py $(ARGS)

# The versions that CI installs (`.ci/run` gives them to pip as constraints): the newest that go together now.
lock: $(STAMP)
	$(BIN)/uv pip compile --quiet --universal --upgrade --extra dev --python-version 3.11 --no-header pyproject.toml \
	  --output-file ci-lock.txt

schemas: $(STAMP)
	$(BIN)/python -m aifgraph.evaluation.result_schemas schemas
	$(BIN)/python -c "from aifgraph.interop.rdf.terms import document; print(document(), end='')" > schemas/aif-context.jsonld

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "aifgraph needs Python 3.11 or later: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $(STAMP)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis coverage.xml .coverage
