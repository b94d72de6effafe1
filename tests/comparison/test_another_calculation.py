"""A calculation that somebody adds: options, items, differences, tables and results know it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import aifgraph
from aifgraph import GraphBuilder
from aifgraph.comparison.calculations import CALCULATIONS, Calculation, Labelled
from aifgraph.comparison.items import Link
from aifgraph.comparison.links import Claims
from aifgraph.comparison.options import NAMES


def _polarities(side: Claims) -> Iterator[Labelled]:
    polarity = {"RA": "pro", "CA": "con"}
    for claim in side.relations:
        _, link, type_ = claim
        if isinstance(link, Link) and type_ in polarity:
            yield link, polarity[type_], claim


@pytest.fixture(autouse=True)
def _added(monkeypatch: pytest.MonkeyPatch) -> None:
    added = Calculation(
        "polarity", "PO", "Is it for or against?", _polarities, lambda sizes: sizes.propositions * (sizes.propositions - 1)
    )
    monkeypatch.setitem(CALCULATIONS, added.name, added)
    monkeypatch.setitem(NAMES["calculations"], added.code, added.name)


def _debate(*, attack: bool) -> aifgraph.ArgumentGraph:
    build = GraphBuilder()
    claim, reason = build.proposition("Masks help everyone"), build.proposition("They filter the air")
    if attack:
        build.conflict(reason, claim)
    else:
        build.inference([reason], claim)
    return build.graph()


def test_of_a_pair() -> None:
    result = aifgraph.compare(_debate(attack=False), _debate(attack=True), calculations="PR+PO")
    assert result.calculations["polarity"].matrix.cells["pro", "con"] == 1
    assert result.layers["propositional"].n == 2
    assert "|calc:PR+PO|" in result.signature
    assert aifgraph.Options.parse(result.signature).calculations == ("propositional_relations", "polarity")
    (item,) = result.items()["polarity"]
    assert item["cell"] == ["pro", "con"]
    assert item["text"] == "“They filter the air” → “Masks help everyone”"
    costs = {"propositional_relations": 1, "polarity": 1}
    assert [row.costs for row in result.differences()] == [costs]
    assert any("polarity" in str(table.rows) for table in result.tables())
    assert aifgraph.PairResult.from_dict(result.to_dict()) == result.result
