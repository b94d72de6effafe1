"""Wrong names are what Python says; a name that a table does not have is an error that lists what it has."""

from collections.abc import Callable
from typing import Any

import pytest

import aifgraph

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
