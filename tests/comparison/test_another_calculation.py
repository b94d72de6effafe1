"""A calculation that somebody adds to the registry: options, items, differences, pages, tables and results know it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import aifgraph
from aifgraph import GraphBuilder
from aifgraph.comparison.calculations.calculation import Definition, Sizes
from aifgraph.comparison.calculations.explanation import Explainer, Wording
from aifgraph.comparison.calculations.items import Claimed, Item, Labels, Link, only
from aifgraph.comparison.calculations.links import SideLinks
from aifgraph.comparison.calculations.registry import CALCULATIONS, LAYERS


def _polarities(side: SideLinks) -> dict[Item, frozenset[str]]:
    polarity = {"RA": only("pro"), "CA": only("con")}
    relations = (relation for relations in side.relations.values() for relation in relations)
    return {link: polarity[type_] for link, type_ in relations if isinstance(link, Link) and type_ in polarity}


def _pairs(sizes: Sizes, sides: Sequence[Labels]) -> int:
    return sizes.propositions * (sizes.propositions - 1)


def _words(explainer: Explainer, item: Link) -> Wording:
    return explainer.link("propositions", item)


def _claims(item: Link, label: str) -> tuple[Claimed, ...]:
    return (Claimed("S", item),)


@pytest.fixture(params=[_claims, lambda item, label: ()], ids=["on relations", "on nothing"])
def definition(request: pytest.FixtureRequest) -> Iterator[Definition]:
    added = Definition(
        "polarity", "PO", ("propositions",), "Is it for or against?", _polarities, _pairs, _words, request.param
    )
    CALCULATIONS[added.name] = added
    yield added
    del CALCULATIONS[added.name]


def _debate(*, attack: bool) -> aifgraph.ArgumentGraph:
    build = GraphBuilder()
    claim, reason = build.proposition("Masks help everyone"), build.proposition("They filter the air")
    if attack:
        build.conflict(reason, claim)
    else:
        build.inference([reason], claim)
    return build.graph()


def _compared() -> aifgraph.Comparison:
    return aifgraph.compare(_debate(attack=False), _debate(attack=True), calculations="PR+PO")


def test_of_a_pair(definition: Definition) -> None:
    result = _compared()
    assert LAYERS["propositional"][-1] == "polarity"
    assert result.calculations["PO"].matrix.cells["pro", "con"] == 1
    assert "|calc:PR+PO|" in result.signature
    assert aifgraph.Options.parse(result.signature).calculations == ("propositional_relations", "polarity")
    (item,) = result.items()["polarity"]
    assert item["cell"] == ["pro", "con"]
    assert item["text"] == "“They filter the air” → “Masks help everyone”"
    costs = {"propositional_relations": 1, **({"polarity": 1} if definition.claims is _claims else {})}
    assert [row.costs for row in result.differences()] == [costs]
    assert result.differences().decisions == costs
    assert any("polarity" in str(table.rows) for table in result.tables())
    assert aifgraph.Comparison.from_dict(result.to_dict()).to_dict() == result.to_dict()


def test_of_corpora(definition: Definition, tmp_path: Path) -> None:
    for side, attack in (("ann", False), ("ben", True)):
        (tmp_path / side).mkdir()
        aifgraph.dump(_debate(attack=attack), tmp_path / side / "one.json")
    lines = tmp_path / "lines.jsonl"
    corpora = tmp_path / "ann", tmp_path / "ben"
    result = aifgraph.compare_corpora(*corpora, calculations="PR+PO", results=lines)
    assert result.micro.calculations["polarity"].matrix.cells["pro", "con"] == 1
    again = aifgraph.compare_corpora(*corpora, calculations="PR+PO", results=lines, resume=True)
    assert again.to_dict() == result.to_dict()


def test_one_that_is_no_longer_there() -> None:
    with pytest.raises(aifgraph.OptionError):
        _compared()
