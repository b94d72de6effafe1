"""Every kind of change changes what it says, about as often as it says, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from aifgraph import GraphBuilder, compare, open_corpus, perturb, validate
from aifgraph.cli import main
from aifgraph.errors import OptionError
from aifgraph.evaluation.perturbation import KINDS, noise_floor
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.nodes import Scheme
from evaluation.small_corpora import make_corpora

SIZE = 20


def debate() -> ArgumentGraph:
    """Two speakers, by record and in front of their words; each turn supports or attacks the one before; an analyst's
    copy of the first."""
    rng = random.Random(5)
    build = GraphBuilder()
    people = [build.participant("Ann", "Lee"), build.participant("Bob", "May")]
    texts = [" ".join(f"word{turn}{letter}" for letter in "abcdef") for turn in range(SIZE)]
    build.source('<span id="nodex0">' + texts[0] + "</span> " + " ".join(texts[1:]))
    said: list[tuple[str, str]] = []
    for turn, text in enumerate(texts):
        name = ("Ann Lee", "Bob May")[turn // 2 % 2]
        locution = build.locution(f"{name}: {text}", speaker=people[turn // 2 % 2], id=f"x{turn}")
        proposition = build.proposition(text)
        build.illocution(locution, proposition, "Asserting")
        if said:
            step = build.transition(said[-1][0], locution)
            verb = build.conflict if rng.random() < 0.3 else build.inference
            schemes = [Scheme("15", "ExpertOpinion")] if verb == build.inference else []
            relation = (
                build.inference([proposition], said[-1][1], "ExpertOpinion", schemes=schemes)
                if verb == build.inference
                else build.conflict(proposition, said[-1][1])
            )
            build.illocution(step, relation, "Arguing")
        said.append((locution, proposition))
    build.illocution(build.locution("Coder: Ann Lee: word0a"), said[0][1], "Analysing")
    return build.graph()


def texts_of(graph: ArgumentGraph, *kinds: str) -> dict[str, str]:
    return {node.id: node.text for node in graph if node.kind in kinds}


def links(graph: ArgumentGraph) -> set[tuple[str, str, str]]:
    return {
        (relation.type, premise.id, conclusion.id)
        for relation in graph.relations
        for premise in graph.premises_of(relation)
        for conclusion in graph.conclusions_of(relation)
    }


def edges(graph: ArgumentGraph) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in graph.edges}


def bare(graph: ArgumentGraph) -> ArgumentGraph:
    """Without what names a speaker or a scheme."""
    build = GraphBuilder()
    for node in graph:
        text = node.text.split(": ", 1)[-1] if node.kind == "L" else "" if node.schemes else node.text
        build.node(node.type, text, id=node.id)
    for edge in graph.edges:
        build.edge(edge.source, edge.target)
    return build.graph()


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_changes_the_same_whatever_the_order_of_nodes(kind: str) -> None:
    graph = debate()
    changed = perturb(graph, 0.5, [kind], seed=3)
    assert changed == perturb(graph, 0.5, [kind], seed=3)
    assert changed != graph
    assert any(changed != perturb(graph, 0.5, [kind], seed=seed) for seed in (4, 5))
    nodes, ends = list(graph.nodes), list(graph.edges)
    random.Random(1).shuffle(nodes)
    random.Random(2).shuffle(ends)
    other = perturb(ArgumentGraph(nodes, ends, graph.meta), 0.5, [kind], seed=3)
    assert texts_of(other, "I", "L", "RA", "CA", "MA", "YA") == texts_of(changed, "I", "L", "RA", "CA", "MA", "YA")
    assert edges(other) == edges(changed)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("share", [0.3, 1.0])
def test_a_changed_map_breaks_no_rule_that_the_map_kept(kind: str, share: float) -> None:
    assert not validate(debate()).errors
    assert not validate(perturb(debate(), share, [kind], seed=1)).errors


@pytest.mark.parametrize("kind", ["dropped", "spurious", "types", "reversed", "attachment", "relations"])
def test_changes_of_relations_leave_units_and_other_illocutions_alone(kind: str) -> None:
    graph = debate()
    changed = perturb(graph, 0.5, [kind], seed=2)
    assert texts_of(changed, "I", "L", "TA") == texts_of(graph, "I", "L", "TA")
    assert changed.meta.source == graph.meta.source
    result = compare(graph, changed)
    assert result.segmentation.S == 1
    assert result.calculations["transitions"]["f1"] == 1
    assert result.calculations["propositional_relations"]["f1"] < 1


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        ("dropped", lambda old, new: len(old - new)),
        ("spurious", lambda old, new: len(new - old)),
        ("types", lambda old, new: len(old - new)),
        ("reversed", lambda old, new: len({(t, b, a) for t, a, b in old} & new)),
        ("attachment", lambda old, new: len(old - new)),
    ],
)
@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 1.0])
def test_so_many_relations_change(kind: str, count: Callable[..., int], share: float) -> None:
    graph = debate()
    before, after = links(graph), links(perturb(graph, share, [kind], seed=7))
    assert abs(count(before, after) - share * (SIZE - 1)) < 1


def test_reversing_all_keeps_types_and_propositions() -> None:
    graph = debate()
    changed = perturb(graph, 1.0, ["reversed"])
    assert links(changed) == {(type_, end, start) for type_, start, end in links(graph)}
    assert perturb(changed, 1.0, ["reversed"]).edges == graph.edges


def test_a_linked_inference_is_reversed_with_one_premise() -> None:
    build = GraphBuilder()
    one, two, claim = (build.proposition(text) for text in ("one", "two", "claim"))
    relation = build.inference([one, two], claim)
    changed = perturb(build.graph(), 1.0, ["reversed"])
    assert len(changed.premises_of(relation)) == 2
    [conclusion] = changed.conclusions_of(relation)
    assert conclusion.id in (one, two)


def test_an_undercut_is_dropped_with_what_it_undercuts() -> None:
    build = GraphBuilder()
    one, two, three = (build.proposition(text) for text in ("one", "two", "three"))
    build.conflict(three, build.inference([one], two))
    dropped = {len(perturb(build.graph(), 0.5, ["dropped"], seed=seed).relations) for seed in range(20)}
    assert dropped == {0, 1}
    assert len(perturb(build.graph(), 1.0, ["dropped"])) == 3


@pytest.mark.parametrize("share", [0.25, 1.0])
def test_illocutions_get_another_label_but_for_the_analysts(share: float) -> None:
    graph = debate()
    changed = perturb(graph, share, ["illocutions"], seed=1)
    old, new = texts_of(graph, "YA"), texts_of(changed, "YA")
    [analysing] = [id_ for id_, text in old.items() if text == "Analysing"]
    assert new[analysing] == "Analysing"
    assert list(new.values()).count("Analysing") == 1
    different = sum(old[id_] != new[id_] for id_ in old)
    assert abs(different - share * (len(old) - 1)) < 1
    assert changed.edges == graph.edges
    assert texts_of(changed, "I", "L", "RA", "CA", "TA") == texts_of(graph, "I", "L", "RA", "CA", "TA")


def words_in_order(graph: ArgumentGraph) -> list[str]:
    said = sorted((node.text for node in graph.propositions), key=lambda text: int(text.split()[0][4:-1]))
    return sorted(" ".join(said).split())


@pytest.mark.parametrize("words", [1, 3])
@pytest.mark.parametrize("share", [0.2, 1.0])
def test_boundaries_move_by_so_many_words(words: int, share: float) -> None:
    graph = debate()
    changed = perturb(graph, share, ["boundaries"], seed=1, words=words)
    assert changed.edges == graph.edges
    assert texts_of(changed, "RA", "CA", "YA", "TA") == texts_of(graph, "RA", "CA", "YA", "TA")
    assert words_in_order(changed) == words_in_order(graph)
    result = compare(graph, changed)
    assert result.segmentation.S < 1
    for node in changed.locutions:
        if node.id.startswith("x"):
            assert changed.content_of(node)[0].text == node.text.split(": ", 1)[1]
    if share < 1:
        # of 19 boundaries, 3 or 4 moved; each changes two units by so many words
        different = [node for node in changed.propositions if graph[node.id].text != node.text]
        assert 4 <= len(different) <= 8
        assert {abs(len(node.text.split()) - 6) for node in different} <= {0, words, 2 * words}


def test_merged_units_are_of_one_speaker_and_keep_their_words() -> None:
    graph = debate()
    changed = perturb(graph, 1.0, ["merged"])
    turns = [node for node in changed.locutions if node.id.startswith("x")]
    assert len(turns) == SIZE // 2
    assert all(len(node.text.split(": ", 1)[1].split()) == 12 for node in turns)
    assert len(changed.propositions) == SIZE // 2
    assert len(changed.transitions) == SIZE // 2 - 1
    result = compare(graph, changed)
    assert 0.8 < result.segmentation.S < 1
    assert links(changed) < links(graph) | {(type_, a, b) for type_, a, b in links(changed)}


def test_units_that_are_cut_leave_their_mark_in_the_text() -> None:
    """A span that marks the whole unit must not place its first half where the whole stood."""
    graph = debate()
    changed = perturb(graph, 1.0, ["segmentation"])
    result = compare(graph, changed)
    assert "span" not in changed.meta.source.text
    assert result.segmentation.S < 1
    assert len([node for node in changed.locutions if node.text.startswith(("Ann", "Bob"))]) == 2 * SIZE
    assert {changed.speaker_of(node).id for node in changed.locutions if "p" in node.id} == {"1", "2"}


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_map_and_one_proposition_stay_as_they_are(kind: str) -> None:
    build = GraphBuilder()
    assert perturb(build.graph(), 1.0, [kind]) == build.graph()
    build.proposition("one")
    assert perturb(build.graph(), 1.0, [kind]) == build.graph()


def test_a_bare_proposition_is_cut_in_two() -> None:
    build = GraphBuilder()
    build.proposition("one two three four five", id="1")
    build.proposition("too short", id="2")
    texts = [node.text for node in perturb(build.graph(), 1.0, ["segmentation"], seed=4)]
    assert len(texts) == 3
    assert f"{texts[0]} {texts[2]}" == "one two three four five"


@pytest.mark.parametrize(
    "bad",
    [
        *({"words": 0}, {"words": 101}, {"kinds": "magic"}, {"share": float("nan")}),
        *({"share": -0.1}, {"share": 1.1}, {"seed": -1}),
    ],
)
def test_perturb_refuses_what_is_out_of_range(bad: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        perturb(debate(), **({"share": 0.1} | bad))


@pytest.mark.parametrize("draws", [0, -1, 1001])
def test_draws_out_of_range(tmp_path: Path, draws: int) -> None:
    with pytest.raises(OptionError, match="draws"):
        noise_floor(open_corpus(make_corpora(tmp_path, 1)[0]), draws=draws)


def test_several_draws_have_a_mean_and_an_interval(tmp_path: Path) -> None:
    corpus = open_corpus(make_corpora(tmp_path, 3)[0])
    floor = noise_floor(corpus, [0.0, 0.4], ["relations"], draws=6)
    nothing, changed = floor.points
    assert (nothing.draws, nothing.cass["kappa"], nothing.low["all"]["kappa"]) == (1, 1, 1)
    assert changed.draws == 6
    for layer in ("all", "propositional", "dialogical"):
        low, value, high = (of[layer]["kappa"] for of in (changed.low, {layer: changed.over[layer].cass}, changed.high))
        assert low < value < high
    alone = noise_floor(corpus, [0.4], ["relations"], draws=1).points[0]
    assert alone.low["all"] == alone.high["all"] == alone.cass
    assert "perturb:0.6.2" in floor.signature
    lines = floor.lines()["relations"]
    assert list(lines) == [
        (score, layer) for score in ("kappa", "f1") for layer in ("all", "propositional", "dialogical")
    ]


def test_the_command_lists_broken_maps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = make_corpora(tmp_path, 2)[0]
    (corpus / "broken.json").write_text("{")
    assert main(["perturb", str(corpus), "--shares", "20", "--kinds", "types+all", "--draws", "2"]) == 2
    shown = capsys.readouterr()
    assert shown.err.count("broken.json") == 1
    assert "types" in shown.out
    assert main(["perturb", str(corpus / "broken.json"), "--shares", "20"]) == 2
    assert main(["perturb", str(corpus), "--kinds", "+"]) == 2
    assert main(["perturb", str(corpus), "--kinds", "magic"]) == 2
    assert "there is no kind 'magic'" in capsys.readouterr().err
