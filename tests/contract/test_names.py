"""Wrong names are what Python says; a name that a table does not have is an error that lists what it has."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph.cli import main
from aifgraph.stats.scores import SCORES

FIRST, SECOND = "fixtures/debate/first.json", "fixtures/debate/second.json"
GRAPH = aifgraph.load("fixtures/debate/first.json")
ANN, BEN = "fixtures/debates/ann", "fixtures/debates/ben"


@pytest.mark.parametrize(
    ("call", "there"),
    [
        (lambda: aifgraph.loads("{}", format="no such"), ["aif", "xaif", "sadface"]),
        (lambda: aifgraph.read_dataset("no such", "."), ["iac1", "cdcp"]),
        (lambda: aifgraph.validate(GRAPH, select="no such"), ["ra-conclusion"]),
        (lambda: aifgraph.validate(GRAPH, profile="no such"), ["aif", "iat"]),
        (lambda: aifgraph.compare(GRAPH, GRAPH, calculations=("no such",)), ["propositional_relations"]),
        (lambda: aifgraph.compare(GRAPH, GRAPH, matching="no such"), ["greedy", "optimal"]),
        (lambda: aifgraph.GraphBuilder().relation("no such", [], "1"), ["RA", "CA"]),
        (lambda: aifgraph.evaluate(ANN, {"ben": BEN}, baselines=("no such",)), ["units", "star"]),
    ],
)
def test_a_name_that_a_table_does_not_have_is_answered_with_those_that_it_has(
    call: Callable[[], Any], there: list[str]
) -> None:
    with pytest.raises((aifgraph.OptionError, aifgraph.NotFoundError), match=r"no such|no_such") as caught:
        call()
    assert [name for name in there if name not in str(caught.value)] == []


@pytest.mark.parametrize("format", ["text", "text --details", "markdown --details", "latex --details", "html"])
@pytest.mark.slow
def test_what_people_read_has_no_keys_of_scores(
    format: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = re.compile(rf"-(?:{'|'.join(SCORES)})\b|\bkappa\b|\b\w+_f1\b|balanced_accuracy")
    for command in (
        ("compare", FIRST, SECOND, "--chance", "2"),
        ("compare", ANN, BEN, "--chance", "2", *(["-o", str(tmp_path / "pages")] if format == "html" else [])),
        ("evaluate", ANN, BEN),
        ("agreement", ANN, BEN),
    ):
        assert main([*command, "--format", *format.split()]) == 0
        pages = [page.read_text("utf-8") for page in tmp_path.rglob("*.html")]
        for text in (capsys.readouterr().out, *pages):
            read = re.sub(r"(?s)<script.*?</script>|<style.*?</style>|% CASS[^\n]*|\\label\{.*?\}|\\\w+", " ", text)
            assert key.findall(read) == [], command
