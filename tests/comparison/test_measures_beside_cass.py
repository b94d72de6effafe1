"""The measures beside CASS, on graphs small enough to work out by hand."""

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from aifgraph import ArgumentGraph, GraphBuilder, compare, load
from aifgraph.comparison.measures import ari_cells, ilo_cells, measure_all, measures_named
from documents import argument

TEXTS = {"a": "nuclear power is clean", "b": "it emits no carbon", "c": "uranium mines do emit", "d": "wind is cheaper"}


def graph(*relations: str, text: str = "") -> ArgumentGraph:
    return argument(*relations, text=text, **TEXTS)


def values(first: ArgumentGraph, second: ArgumentGraph) -> dict[str, float | None]:
    return measure_all(compare(first, second).alignment, measures_named(["all"]))


def test_kirschner_graph_by_hand() -> None:
    """First is the chain d–c–b–a; second has a–b and d–a.

    First in second: d–c and c–b have no path (c is in no relation there), b–a one step, whatever its direction:
    1/3. Second in first: a–b one step, d–a three, 1/3: 2/3. 2 · 1/3 · 2/3 / (1/3 + 2/3) = 4/9.
    """
    found = values(graph("d RA c", "c RA b", "b RA a"), graph("a CA b", "d MA a"))
    assert found["kirschner_graph"] == pytest.approx(4 / 9)
    only_one = values(graph("b RA a"), graph())
    assert only_one["kirschner_graph"] == 0


def test_kirschner_paths_longer_than_six_count_nothing() -> None:
    claims = {letter: letter * 9 for letter in "abcdefghij"}
    for length, near in ((6, 1 / 6), (7, 0)):
        chain = [f"{one} RA {two}" for one, two in pairwise([*claims][: length + 1])]
        ends = argument(f"a RA {[*claims][length]}", "i RA j", **claims)
        found = values(ends, argument(*chain, "i RA j", **claims))
        one, other = (near + 1) / 2, 1 / (length + 1)
        assert found["kirschner_graph"] == pytest.approx(2 * one * other / (one + other))


def test_dialam_ari_by_hand() -> None:
    first, second = graph("b RA a", "c RA b", "d CA a", "d MA c"), graph("b RA a", "c CA b", "d CA a", "a RA d")
    assert ari_cells(compare(first, second).alignment) == Counter(
        {("RA", "RA"): 1, ("RA", "CA"): 1, ("CA", "CA"): 1, ("MA", ""): 1, ("", "RA"): 1, ("", ""): 7}
    )
    found = values(first, second)
    # RA, CA, MA, none: precision 1/2, 1/2, 0, 7/8, recall 1/2, 1, 0, 7/8; among the gold's relations 1, 1/2, 0, 0
    # and 1/2, 1, 0, 0.
    expected = {"general": ((15 / 32, 19 / 32, (1 / 2 + 2 / 3 + 7 / 8) / 4)), "focused": (3 / 8, 3 / 8, 1 / 3)}
    for view, scores in expected.items():
        assert [found[f"dialam_ari_{view}_{short}"] for short in "prf"] == pytest.approx(scores), view


def test_dialam_counts_all_locutions_of_the_gold_file_and_follows_the_first_edge() -> None:
    """An analyst's locution makes items without illocution, as in the organisers' script."""
    build = GraphBuilder()
    spoken = build.locution("Ann: nuclear power is clean", id="spoken")
    build.illocution(spoken, build.proposition(TEXTS["a"], id="a"), "Asserting")
    build.proposition(TEXTS["b"], id="b")
    build.illocution(build.locution("Coder: Ann: nuclear power is clean", id="analyst"), spoken, "Analysing")
    alignment = compare(build.graph(), build.graph()).alignment
    assert ilo_cells(alignment) == Counter({("Asserting", "Asserting"): 1, ("", ""): 3})


def test_unitised_alpha_needs_positions_and_is_one_for_the_same() -> None:
    text = ". ".join(TEXTS.values())
    assert values(graph("b RA a"), graph("b RA a"))["unitised_alpha"] is None
    same = values(graph("b RA a", text=text), graph("b RA a", text=text))
    assert same["unitised_alpha"] == 1
    turned = values(graph("b RA a", text=text), graph("a RA b", text=text))["unitised_alpha"]
    assert turned < 1


def test_the_same_graph_scores_full_and_symmetric_ones_are() -> None:
    text = ". ".join(TEXTS.values())
    first, second = graph("b RA a", "c CA a", text=text), graph("b RA a", "c RA b", "d MA a", text=text)
    for name, value in values(first, first).items():
        assert value in (1, None), name
    there, back = values(first, second), values(second, first)
    for name, value in there.items():
        if not name.startswith("dialam"):
            assert value == pytest.approx(back[name]), name
        assert value is None or -1 <= value <= 1, name


def test_nothing_is_undefined_and_no_error() -> None:
    empty = GraphBuilder().graph()
    assert set(values(empty, empty).values()) == {None}


@pytest.mark.slow
@pytest.mark.data
def test_dialam_equals_the_organisers_counting(shared_data: Path) -> None:
    """Their counting, written anew by ids over the files: all 60 figures of the five test maps, to the last digit."""
    metrics = pytest.importorskip("sklearn.metrics")
    compared = 0
    for path in sorted((shared_data / "dialam-2024" / "test" / "gold").glob("*.json")):
        other = shared_data / "dialam-2024" / "test" / "system" / path.name
        gold, system = (json.loads(each.read_text(encoding="utf-8")) for each in (path, other))
        found = measure_all(compare(load(path), load(other)).alignment, measures_named(["dialam"]))
        nodes = {kind: [n["nodeID"] for n in gold["nodes"] if n["type"] == kind] for kind in ("I", "L")}
        items = {
            "ari": [(one, two) for one in nodes["I"] for two in nodes["I"] if one != two],
            "ilo": [(one, two) for one in nodes["L"] for two in nodes["I"]],
        }
        for task, kinds in (("ari", ("RA", "CA", "MA")), ("ilo", ("YA",))):
            sides = [by_id(each, kinds) for each in (gold, system)]
            pairs = [tuple(side.get(item, "None") for side in sides) for item in items[task]]
            for view, kept in (("general", pairs), ("focused", [pair for pair in pairs if pair[0] != "None"])):
                expected = metrics.precision_recall_fscore_support(
                    *zip(*kept, strict=True), average="macro", zero_division=0.0
                )
                for short, value in zip("prf", expected, strict=False):
                    assert found[f"dialam_{task}_{view}_{short}"] == pytest.approx(value, abs=1e-12), (path.name, short)
                    compared += 1
    assert compared == 60


def by_id(map_: dict[str, list[dict[str, str]]], kinds: tuple[str, ...]) -> dict[tuple[str, str], str]:
    """What the nodes of some types join: (from, to) with the type, or for a YA its text."""
    joined: dict[tuple[str, str], str] = {}
    for kind in kinds:
        for node in map_["nodes"]:
            ends = [edge["toID"] for edge in map_["edges"] if edge["fromID"] == node["nodeID"]]
            if node["type"] == kind and ends:
                for edge in map_["edges"]:
                    if edge["toID"] == node["nodeID"]:
                        joined.setdefault((edge["fromID"], ends[0]), node["text"] if kind == "YA" else kind)
    return joined
