"""The merged map that the page exports is the one that ``merge`` makes of the same decisions."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import aifgraph
from aifgraph import ArgumentGraph
from aifgraph.adjudication.decisions import CHOICES, Decision, choices_of
from aifgraph.adjudication.kit import merge_kit
from aifgraph.adjudication.merge import merge_compared
from aifgraph.formats.registry import codec
from aifgraph.graph.schemes import catalogue
from evaluation.small_corpora import make_corpora
from strategies import arguments, graphs

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / ".." / "shared" / "data"
SCHEMES = [[row.name, row.kind, row.id] for row in catalogue().values()]
needs_node = pytest.mark.skipif(not shutil.which("node"), reason="needs node")
pytestmark = needs_node
#: A decision, or none, for each draw: most rows are decided.
WHO = {"by": "Cleo", "when": "2026-01-02", "note": "so"}


def decided(row: Any, rng: random.Random) -> Decision | None:
    choice = rng.choice([*choices_of(row), "first", "second", None])
    if choice != "other":
        return choice and Decision(choice, **WHO)
    value = "Words & of <its> own"
    if row.group == "illocutions":
        value = rng.choice(["Agreeing", "Rhetorical Questioning", "Default Illocuting"])
    elif row.group == "relations":
        value = rng.choice(["RA", "CA", "MA", "PA", "Expert Opinion", "Default Conflict", "Position to know"])
    return Decision("other", value, **WHO)


def cases_of(result: Any, seed: int, count: int) -> list[dict[str, Decision]]:
    rows = list(result.differences())
    cases: list[dict[str, Decision]] = [{}]
    cases += [{row.id: Decision(choice) for row in rows} for choice in CHOICES[:2]]
    for number in range(count):
        rng = random.Random(f"{seed}/{number}")
        # Few decisions as well as many: most of the many contradict each other.
        share = rng.choice([0.1, 0.3, 1])
        cases.append({row.id: made for row in rows if rng.random() < share and (made := decided(row, rng))})
    return cases


def _as_clicked(made: Decision) -> dict[str, str]:
    return {"decision": made.value or made.choice, "note": made.note, "by": made.by, "when": made.when}


def in_the_page(given: Iterable[tuple[Any, list[dict[str, Decision]]]]) -> list[list[dict[str, Any]]]:
    jobs = []
    for result, cases in given:
        kit = merge_kit(result, result.differences())
        plain = [{id_: _as_clicked(each) for id_, each in case.items()} for case in cases]
        jobs.append({"kit": kit, "schemes": SCHEMES, "cases": plain})
    script = ROOT / "tests" / "report" / "merge_in_page.mjs"
    run = subprocess.run(["node", script], input=json.dumps(jobs), capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    found: list[list[dict[str, Any]]] = json.loads(run.stdout)
    return found


def check(pairs: list[tuple[ArgumentGraph, ArgumentGraph]], count: int) -> tuple[int, int]:
    """Compare both for so many random decisions a pair; gives how many maps were made, and how many were refused."""
    results = [aifgraph.compare(*pair) for pair in pairs]
    given = [(result, cases_of(result, number, count)) for number, result in enumerate(results)]
    made = refused = 0
    for (result, cases), answers in zip(given, in_the_page(given), strict=True):
        for case, answer in zip(cases, answers, strict=True):
            expected = merged(result, case)
            if expected is None:
                assert "refused" in answer, f"{result.first.name} {case}"
                refused += 1
                continue
            assert "map" in answer, f"{result.first.name}: {answer} {case}"
            form = "xaif" if expected.meta.form == "xaif" else "aif"
            theirs = aifgraph.loads(aifgraph.dumps(expected, format=form))
            ours = aifgraph.loads(json.dumps(answer["map"]))
            same(ours, theirs)
            if form == "aif":
                assert answer["text"] == codec("aif").write(expected).beside.get(".txt")
            made += 1
    return made, refused


def merged(result: Any, case: dict[str, Decision]) -> ArgumentGraph | None:
    try:
        return merge_compared(result, decisions=case).graph
    except aifgraph.InputError:
        return None


def same(ours: ArgumentGraph, theirs: ArgumentGraph) -> None:
    """Every part of it, so that a failure says which."""
    assert [node.id for node in ours] == [node.id for node in theirs]
    for one, other in zip(ours, theirs, strict=True):
        assert (one, one.extra) == (other, other.extra)
    assert [(edge.source, edge.target) for edge in ours.edges] == [(edge.source, edge.target) for edge in theirs.edges]
    assert ours.meta.locutions == theirs.meta.locutions
    assert ours.meta.participants == theirs.meta.participants
    assert (ours.meta.aif or {}).get("merge") == (theirs.meta.aif or {}).get("merge")
    assert ours == theirs


def loaded(first: Path, second: Path) -> tuple[ArgumentGraph, ArgumentGraph]:
    return aifgraph.load(first), aifgraph.load(second)


@pytest.mark.slow
def test_of_the_fixtures() -> None:
    folder = ROOT / "fixtures"
    made, _ = check(
        [
            loaded(folder / "debate" / "first.json", folder / "debate" / "second.json"),
            *(loaded(*(folder / "debates" / side / f"nodeset{n}.json" for side in ("ann", "ben"))) for n in (1, 2, 3)),
        ],
        30,
    )
    assert made > 50


@pytest.mark.slow
def test_of_made_up_corpora(tmp_path: Path) -> None:
    folders = make_corpora(tmp_path, 4, size=14)
    pairs = [loaded(*(folder / f"map{number}.json" for folder in folders)) for number in range(4)]
    made, refused = check(pairs, 30)
    assert made > 40
    assert refused > 5


@pytest.mark.slow
@given(arguments(), arguments())
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_of_random_arguments(first: ArgumentGraph, second: ArgumentGraph) -> None:
    check([(first, second)], 12)


@pytest.mark.slow
@given(graphs(beside=False), graphs(beside=False))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_of_random_graphs(first: ArgumentGraph, second: ArgumentGraph) -> None:
    check([(first, second)], 12)


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="../shared/data is missing")
def test_of_real_pairs() -> None:
    araucaria, dialam = DATA / "araucaria", DATA / "dialam-2024" / "test"
    lines = (araucaria / "same_text_pairs.tsv").read_text("utf-8").splitlines()[1:]
    pairs = [
        *(loaded(*(araucaria / name for name in line.split("\t")[:2])) for line in lines),
        *(loaded(path, dialam / "system" / path.name) for path in sorted((dialam / "gold").glob("*.json"))),
        loaded(DATA / "xaif" / "28111.json", DATA / "xaif" / "28111_mistake.json"),
    ]
    made, _ = check(pairs, 12)
    assert made > 200
