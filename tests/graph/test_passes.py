"""What lets a rule pass without a look (``graph/rules/passes.py``) against the rule itself."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import graphs

from aifgraph import GraphBuilder, dumps, load, loads, validate
from aifgraph.graph import ArgumentGraph, Edge, make_node
from aifgraph.graph.rules import PROFILES, View, all_rules

DEBATE = "fixtures/debate/first.json"
GATED = [rule for rule in all_rules() if rule.passes is not None]
_TYPES = ("I", "L", "RA", "CA", "MA", "PA", "YA", "TA", "EN", "X")
_TEXTS = (
    "",
    "YA",
    "Asserting",
    "Arguing",
    "Restating",
    "Analysing",
    "Agreeing",
    "Ann: Masks help",
    "ann : Masks  help",
)


@st.composite
def broken(draw: st.DrawFn) -> ArgumentGraph:
    """A sound map of a debate that was changed a few times: edges, types, texts, and relations that are added."""
    graph = load(DEBATE)
    nodes = {node.id: node for node in graph}
    edges = {(edge.source, edge.target): None for edge in graph.edges}
    any_node, any_edge = st.sampled_from(sorted(nodes)), st.sampled_from(sorted(edges))
    relations = st.sampled_from(sorted(node.id for node in graph.relations))
    for number, change in enumerate(
        draw(st.lists(st.sampled_from(["less", "more", "type", "text", "twin"]), max_size=3))
    ):
        id_ = draw(any_node)
        if change == "less":
            edges.pop(draw(any_edge), None)
        elif change == "more":
            source, target = draw(any_edge)
            edges[draw(st.sampled_from([(target, source), (id_, target), (source, id_)]))] = None
        elif change == "type":
            nodes[id_] = make_node(draw(st.sampled_from(_TYPES)), id_, nodes[id_].text, nodes[id_].schemes)
        elif change == "text":
            text = draw(st.sampled_from([*_TEXTS, nodes[draw(any_node)].text.replace(" ", "  ", 1)]))
            nodes[id_] = make_node(nodes[id_].type, id_, text, nodes[id_].schemes)
        else:  # another relation between what a relation joins, or back, or from one of them to itself
            ends = [draw(relations), f"twin{number}"]
            nodes[ends[1]] = make_node(draw(st.sampled_from(["RA", "CA", "MA", "PA"])), ends[1])
            starts = [source for source, target in edges if target == ends[0] and nodes[source].type != "YA"]
            goals = [target for source, target in edges if source == ends[0]]
            starts, goals = draw(st.sampled_from([(starts, goals), (goals, starts), (goals, goals)]))
            edges |= {(start, ends[1]): None for start in starts} | {(ends[1], goal): None for goal in goals}
    meta = graph.meta
    if draw(st.booleans()):
        meta = replace(meta, locutions=meta.locutions[1:], source=None)
    kept = [Edge(source, target) for source, target in edges if source != target]
    return ArgumentGraph(nodes.values(), kept, meta)


def all_found(graph: ArgumentGraph) -> dict[int, list[object]]:
    """What the rules themselves find, each asked."""
    view = View(graph)
    return {rule.number: list(rule.check(view)) for rule in all_rules()}


@given(st.one_of(broken(), graphs()))
def test_a_rule_that_passes_finds_nothing(graph: ArgumentGraph) -> None:
    found = all_found(graph)
    view = View(graph)
    wrong = [rule.name for rule in GATED if rule.passes is not None and rule.passes(view) and found[rule.number]]
    assert not wrong
    for profile in PROFILES:
        plain = [hit for rule in all_rules(profile) for hit in found[rule.number]]
        assert [(each.message, each.nodes) for each in validate(graph, profile)] == plain


@given(st.one_of(broken(), graphs(types=("I", "I", "L", "L", "RA", "CA", "MA", "PA", "YA", "YA", "TA"))))
def test_a_view_of_columns_says_what_a_view_of_nodes_says(graph: ArgumentGraph) -> None:
    read = loads(dumps(graph, format="aif"), format="aif")
    nodes = View(ArgumentGraph(read.nodes, read.edges, read.meta))
    columns = View(loads(dumps(graph, format="aif"), format="aif"))
    for name in ("kind", "by_kind", "into", "out", "pairs", "text", "schemes", "labels", "speech", "speakers", "types"):
        assert getattr(columns, name) == getattr(nodes, name), name
    assert all_found(columns.graph) == all_found(nodes.graph)
    for id_ in columns.kind:
        assert columns.starts(id_) == nodes.starts(id_)
        assert columns.ends(id_) == nodes.ends(id_)


def dialogue(turns: int) -> ArgumentGraph:
    """A dialogue as it should be: each turn supports the one before, and all is anchored."""
    build = GraphBuilder()
    speaker = build.participant("Ann", "Lee")
    before: tuple[str, str] | None = None
    for turn in range(turns):
        claim = build.proposition(f"Reason {turn} counts")
        said = build.locution(f"Ann Lee: Reason {turn} counts", speaker=speaker)
        build.illocution(said, claim, "Asserting")
        if before is not None:
            step = build.transition(before[1], said)
            build.illocution(step, build.inference([claim], before[0]), "Arguing")
        before = claim, said
    return build.graph()


def test_a_sound_map_passes_every_rule_and_no_node_is_made() -> None:
    graph = loads(dumps(dialogue(9), format="xaif"))
    assert graph._made is None
    own = [str(rule.number) for rule in all_rules() if rule.check.__module__.startswith("aifgraph.")]
    assert not validate(graph, "iat", select=own)
    assert graph._made is None
    assert graph._edges is None
    view = View(graph)
    assert not [rule.name for rule in GATED if rule.passes is not None and not rule.passes(view)]
