"""What is said of intervals over few texts is what was measured."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from aifgraph.stats.bootstrap import COVERAGE

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def coverage() -> ModuleType:
    spec = importlib.util.spec_from_file_location("coverage_of_intervals", ROOT / "benchmarks" / "coverage.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_table_of_the_docs_is_what_is_said() -> None:
    page = (ROOT / "docs" / "reporting.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("| ")]
    for method, measured in COVERAGE.items():
        of_kappa = {int(row[1]): float(row[2]) for row in rows if row[0] == method}
        assert measured == {size: round(of_kappa[size]) for size in measured}


@pytest.mark.slow
def test_intervals_over_few_texts_hold_what_is_said(coverage: ModuleType) -> None:
    population = np.array([coverage.text_row(random.Random(f"text {number}")) for number in range(500)])
    table = coverage.coverage(population, 300, 300)
    for method, size, kappa, *_ in table.rows:
        if size in COVERAGE[method]:
            assert kappa == pytest.approx(COVERAGE[method][size], abs=7)
        else:
            assert kappa > 88
