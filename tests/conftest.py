"""What all tests share: the Hypothesis profile, and the real data where it is there."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from aifgraph import ArgumentGraph
from documents import ROOT

# The same examples on every run, so that a gate never fails by chance; no deadline, because machines differ in speed.
# HYPOTHESIS_PROFILE=many tries more examples.
settings.register_profile(
    "few", max_examples=10, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("many", settings.get_profile("few"), max_examples=100)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "few"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests on real data and in a browser are not traced, which doubles their time. Files with slow tests go first, so
    that none is left alone at the end (see PARALLEL in the Makefile)."""
    for item in items:
        if any(item.get_closest_marker(mark) for mark in ("slow", "data", "browser")):
            item.add_marker(pytest.mark.no_cover)
    first = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in first)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real third-party data beside the checkout; tests that need it are skipped where it is missing."""
    path = ROOT.parent / "shared" / "data"
    if not path.is_dir():
        pytest.skip("needs the real data in ../shared/data, which is not here")
    return path


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Show the first nodes and edges that differ where two graphs are not equal."""
    if op == "==" and isinstance(left, ArgumentGraph) and isinstance(right, ArgumentGraph):
        return [f"{left!r} == {right!r}", *left.diff(right)]
    return None
