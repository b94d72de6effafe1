"""Matching by meaning of what nobody said."""

from __future__ import annotations

import pytest

import aifgraph
from aifgraph.errors import OptionError

TEXT = "Masks filter the air. Everyone breathes. Cars are loud. Trees are green."


def analysis(claim: str, warrant: str) -> aifgraph.ArgumentGraph:
    build = aifgraph.GraphBuilder()
    air, breath = build.proposition("Masks filter the air"), build.proposition("Everyone breathes")
    unsaid, top = build.proposition(warrant), build.proposition(claim)
    build.inference([air, unsaid], top)
    build.conflict(breath, top)
    return build.graph()


FIRST = analysis("We should all wear them", "What cleans is healthy")
SECOND = analysis("Nobody must go bare-faced", "Filters do good")


def same(texts: list[str]) -> list[list[float]]:
    return [[1.0, 0.5 if "not" in text else 0.4] for text in texts]


def test_by_meaning_names_the_cosine() -> None:
    result = aifgraph.compare(FIRST, SECOND, first_text=TEXT, meaning=same)
    assert result.alignment.propositions.matched_by("meaning") == 2
    why = [row["because"] for row in result.classes("propositions") if row["by"] == "meaning"]
    assert all(each.startswith("matched by meaning, 1.00") for each in why)
    assert "|meaning:callable." in result.signature


@pytest.mark.parametrize("options", [{"min_meaning": 2}, {"min_meaning": -1}, {"meaning": 3}])
def test_wrong_values(options: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        aifgraph.compare(FIRST, FIRST, **options)


def test_a_signature_does_not_hold_the_model() -> None:
    with pytest.raises(OptionError, match="does not hold it"):
        aifgraph.Options.parse(aifgraph.Options(meaning=same).signature)
