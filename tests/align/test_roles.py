"""Matching of what nobody said: by role and by meaning."""

from __future__ import annotations

import random
from pathlib import Path

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


def test_two_analysts_who_differ_in_the_wording_of_the_unsaid() -> None:
    by_text = aifgraph.compare(FIRST, SECOND, first_text=TEXT)
    assert by_text.calculations["propositional_relations"]["f1"] == 0
    assert by_text.cass["kappa"] == 0
    by_role = aifgraph.compare(FIRST, SECOND, first_text=TEXT, reconstructed="role")
    assert by_role.cass["kappa"] == 1
    data = by_role.to_dict()["alignment"]["propositions"]
    assert (data["by_role"], data["by_meaning"], data["matched"]) == (2, 0, 4)
    reasons = [row["because"] for row in data["pairs"] if row["by"] == "role"]
    assert any("matched by role: both are premises with “Masks filter the air”" in why for why in reasons) or any(
        "matched by role: both support" in why for why in reasons
    )


def test_role_does_nothing_without_positions_and_says_so() -> None:
    result = aifgraph.compare(FIRST, SECOND, reconstructed="role")
    assert result.alignment.propositions.matched_by("role") == 0
    assert any("reconstructed=role does nothing" in notice.message for notice in result.warnings)


def same(texts: list[str]) -> list[list[float]]:
    return [[1.0, 0.5 if "not" in text else 0.4] for text in texts]


def test_by_meaning_names_the_cosine() -> None:
    result = aifgraph.compare(FIRST, SECOND, first_text=TEXT, meaning=same)
    assert result.alignment.propositions.matched_by("meaning") == 2
    why = [row["because"] for row in result.classes("propositions") if row["by"] == "meaning"]
    assert all(each.startswith("matched by meaning, 1.00") for each in why)
    assert "|meaning:callable." in result.signature


@pytest.mark.parametrize("options", [{"min_meaning": 2}, {"min_meaning": -1}, {"meaning": 3}, {"reconstructed": "no"}])
def test_wrong_values(options: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        aifgraph.compare(FIRST, FIRST, **options)  # type: ignore[arg-type]


def test_a_signature_does_not_hold_the_model() -> None:
    with pytest.raises(OptionError, match="does not hold it"):
        aifgraph.Options.parse(aifgraph.Options(meaning=same).signature)


@pytest.mark.data
def test_gibberish_does_not_agree(shared_data: Path) -> None:
    """Three quarters of the propositions of one side are replaced by gibberish."""
    kappas, shares = [], []
    for path in sorted((shared_data / "araucaria").glob("*.json"))[::5]:
        graph = aifgraph.load(path)
        source = graph.meta.source
        propositions = [node for node in graph if node.kind == "I"]
        if source is None or len(propositions) < 4:
            continue
        rng = random.Random(path.name)
        changed = {node.id for node in rng.sample(propositions, 3 * len(propositions) // 4)}
        build = aifgraph.GraphBuilder()
        for node in graph:
            text = "".join(rng.choices("bcdfgh ", k=40)) if node.id in changed else node.text
            build.node(node.kind, text, id=node.id)
        for edge in graph.edges:
            build.edge(edge.source, edge.target)
        result = aifgraph.compare(
            graph, build.graph(), first_text=source.text, second_text=source.text, reconstructed="role"
        )
        kappa = result.calculations["propositional_relations"]["kappa"]
        if kappa is not None:
            kappas.append(kappa)
            layer = result.alignment.propositions
            shares.append(layer.matched_by("role") / max(1, layer.matched))
    assert len(kappas) > 20
    assert sum(kappas) / len(kappas) < 0.5
    assert max(shares) > 0
