"""The formats of argument trees: the points where converters go wrong, on hand-made fixtures and reported inputs."""

import json
from pathlib import Path
from typing import Any

import pytest

from aifgraph import ArgumentGraph, FormatError, LimitError, dumps, load, loads
from aifgraph.files import Input
from aifgraph.formats import read_input
from documents import FIXTURES
from formats.roundtrip import codes, ends, files_of, places, relations


def test_aml_ca_is_convergent_la_is_linked_and_schemes_go_by_their_number() -> None:
    graph = load(FIXTURES / "aml" / "masks.aml")
    assert ends(graph, "RA") == {(("B",), ("A",)), (("F",), ("A",)), (("C", "D"), ("B",))}
    assert ends(graph, "CA") == {(("E",), ("A",))}
    named = {tuple(p.id for p in graph.premises_of(ra)): [s.id for s in ra.schemes] for ra in graph.inferences}
    assert named == {("B",): [], ("F",): [], ("C", "D"): ["15"]}
    assert {ra.text for ra in graph.inferences} == {"Default Inference", "ExpertOpinion"}
    assert graph["F"].extra["missing"] is True
    assert graph["B"].extra["owners"] == ["Ann"]
    text, spans = places(graph)
    assert "glasses fog" in [text[start:end] for _, start, end in spans]


def test_kialo_see_is_an_edge_and_no_claim() -> None:
    graph = load(FIXTURES / "kialo" / "masks.txt")
    assert ends(graph, "CA") == {(("1.1.1",), ("1.1",)), (("1.2",), ("1",)), (("1.1.1",), ("1.2",))}
    assert (("1.2",), ("2",)) in ends(graph, "RA")
    assert graph["1.1.1"].text == "Only *good* masks (FFP2) do.\nThey are not the rule."
    assert graph["1.1"].text == "They filter what we breathe (a study says so)."
    assert graph["1.1"].extra["links"] == ["https://example.org/a_(1)"]
    assert graph["1.3"].text == "3.5. of people agree."
    assert codes(graph) == ["stance-missing"]


def graphml(nodes: str, keys: str = "", default: str = "directed", space: str = ' xmlns="http://x"') -> str:
    edges = '<edge id="0" source="b" target="c"><data key="w">2</data></edge><edge id="0" source="c" target="a"/>'
    return f'<graphml{space}>{keys}<graph edgedefault="{default}">{nodes}{edges}</graph></graphml>'


LABEL = '<node id="{}"><data key="label">{}</data></node>'
TYPED = '<node id="{}"><data key="t">{}</data><data key="n">{}</data></node>'
YED = '<node id="{}"><data key="g"><y:{}><y:BorderStyle color="#0"/><y:NodeLabel>{}</y:NodeLabel></y:{}></data></node>'
CYTOSCAPE = '<key id="t" for="node" attr.name="type"/><key id="n" for="node" attr.name="name"/>'


def three(template: str, *columns: tuple[str, str, str]) -> str:
    return "".join(map(template.format, "abc", *columns))


def test_booleans_of_graphml_with_spaces_and_edges_to_groups() -> None:
    keys = CYTOSCAPE + '<key id="b" for="node" attr.name="sure" attr.type="boolean"/>'
    nodes = three(TYPED, ("I", "I", "RA"), TEXTS).replace("</node>", '<data key="b"> true </data></node>', 1)
    assert loads(graphml(nodes, keys))["a"].extra == {"sure": True}
    with pytest.raises(FormatError, match="group"):
        loads(graphml(nodes.replace("</node>", "<graph/></node>", 1), keys))


SHAPES, TEXTS = ("ShapeNode", "ShapeNode", "GenericNode"), ("A", "B", "RA")
YS = ' xmlns="http://x" xmlns:y="http://y"'
OTHERS: dict[str, tuple[str, list[str]]] = {
    "types by words, text in name": (graphml(three(TYPED, ("I", "proposition", "RA-node"), TEXTS), CYTOSCAPE), []),
    "labels, no namespace": (graphml(three(LABEL, ("A", "B", "Default Inference")), space=""), ["types-guessed"]),
    "undirected": (graphml(three(TYPED, ("I", "I", "RA"), TEXTS), CYTOSCAPE, "undirected"), ["edges-undirected"]),
    "shapes of any kind": (graphml(three(YED, SHAPES, TEXTS, SHAPES), space=YS), ["types-guessed"]),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_graphml_of_other_programs(kind: str) -> None:
    text, notices = OTHERS[kind]
    graph = loads(text)
    assert [node.type for node in graph] == ["I", "I", "RA"]
    assert [node.text for node in graph.propositions] == ["A", "B"]
    assert ends(graph, "RA") == {(("b",), ("a",))}
    assert codes(graph) == notices
    assert [(edge.id, edge.extra) for edge in graph.edges] == [(None, {"w": "2"}), (None, None)]


def test_graphml_without_any_type_is_refused_and_values_have_their_types() -> None:
    with pytest.raises(FormatError):
        loads(graphml("".join(map(LABEL.format, "abc", "ABC"))))
    key = '<key id="c" attr.name="confidence" attr.type="double" for="node"/>'
    nodes = '<node id="a"><data key="type">I</data><data key="c">0.5</data></node>'
    assert loads(f"<graphml>{key}<graph>{nodes}</graph></graphml>")["a"].extra == {"confidence": 0.5}


def test_graphml_of_many_defaults_is_refused() -> None:
    keys = "".join(f'<key id="k{number}" for="node"><default>x</default></key>' for number in range(60))
    with pytest.raises(LimitError):
        loads(graphml('<node id="a"><data key="type">I</data></node>', keys))


def brat(lines: str, text: str | None, **options: Any) -> ArgumentGraph:
    data = None if text is None else text.encode()
    return read_input(Input("a.ann", lines.encode(), ".ann", {".txt": data}.get), "brat", **options)


def test_brat_discontinuous_places_and_quotes() -> None:
    graph = load(FIXTURES / "brat" / "essay.ann")
    assert graph["T2"].text == "They filter what we breathe"
    assert graph["T3"].text == 'as experts "say"'
    spans = [span for span in graph.meta.source.spans if span.node_id == "T2"]
    assert [graph.text[span.start : span.end] for span in spans] == ["They filter", "what we breathe"]


EACH = {("T3", "T2"), ("T2", "T1"), ("T2", "T5")}, {("T4", "T2"), ("T4", "T1"), ("T4", "T5")}, {("T5", "T1")}
ONE = {("T3", "T2"), ("T2", "T1")}, {("T4", "T2"), ("T4", "T1")}


@pytest.mark.parametrize(
    ("major", "expected"),
    [("each", EACH), ("rephrase", (*ONE, {("T5", "T1")})), ("none", ({("T3", "T2")}, {("T4", "T2")}, {("T5", "T1")}))],
)
def test_brat_stances(major: str, expected: Any) -> None:
    graph = load(FIXTURES / "brat" / "essay.ann", major=major)
    for type_, wanted in zip(("RA", "CA", "MA"), expected, strict=True):
        assert ends(graph, type_) == {((a,), (b,)) for a, b in wanted}


def test_brat_places_that_do_not_cover_their_text_get_a_notice() -> None:
    assert codes(brat("T1\tClaim 0 30\tMasks\n", "Masks")) == ["span-outside"]
    assert codes(brat("T1\tClaim 0 5\tMasks\n", None)) == ["text-missing"]


def test_brat_arguments_in_the_other_order() -> None:
    units = "T1\tClaim 0 5\tMasks\nT2\tClaim 6 10\thelp\n"
    for arguments in ("Arg1:T2 Arg2:T1", "Arg2:T1 Arg1:T2"):
        graph = brat(f"{units}R1\tsupports {arguments}\n", "Masks help")
        assert [node.id for node in graph.premises_of("R1")] == ["T2"]


def test_a_tab_behind_a_brat_text_is_no_part_of_it() -> None:
    lines = "T1\tClaim 0 5\tMasks\t\nT2\tClaim 6 10\thelp\tsure\n"
    for text in ("Masks help", None):
        assert [node.text for node in brat(lines, text)] == ["Masks", "help"]
    assert brat("T1\tClaim 0 10\tMasks\thelp\n", "Masks\thelp")["T1"].text == "Masks\thelp"
    assert brat("T1\tClaim 0 10\tMasks\u2028help\n", "Masks\u2028help")["T1"].text == "Masks\u2028help"


def test_parts_of_the_same_are_one_proposition() -> None:
    graph = load(FIXTURES / "datasets/sciarg/A01.ann")
    assert [node.id for node in graph.propositions] == ["T1", "T2", "T4", "T5", "T6"]
    assert (graph["T2"].text, graph["T2"].extra["component"]) == ("Our method closes holes in one pass", "own_claim")
    spans = [graph.text[span.start : span.end] for span in graph.meta.source.spans if span.node_id == "T2"]
    assert spans == ["Our method", "closes holes in one pass"]
    said = ["RA supports", "CA contradicts", "MA semantically_same", "RA supports"]
    assert [f"{node.type} {node.extra['relation']}" for node in graph.relations] == said
    # The relations of every part are those of the whole.
    assert ends(graph, "RA") == {(("T2",), ("T4",)), (("T1",), ("T2",))}


def test_a_relation_is_what_its_attribute_names() -> None:
    """As INCEpTION exports its layers; what no attribute names is kept aside."""
    graph = load(FIXTURES / "datasets/inception/masks.ann")
    assert [(node.type, node.id, node.extra["relation"]) for node in graph.relations] == [
        ("RA", "R1", "custom-Relation"),
        ("CA", "R2", "custom-Relation"),
    ]
    assert graph["T1"].extra["attributes"] == [["A1", "custom-Span_label", "Claim"]]
    written = dumps(graph, format="brat").splitlines()
    assert {"R1\tsupports Arg1:T2 Arg2:T1", "A1\tcustom-Span_label T1 Claim"} <= set(written)


@pytest.fixture
def masks() -> ArgumentGraph:
    return load(FIXTURES / "microtexts" / "masks.xml")


def test_add_is_one_more_premise_and_und_attacks_the_relation(masks: ArgumentGraph) -> None:
    assert [node.id for node in masks.premises_of("c1")] == ["a2", "a6"]
    assert masks.conclusions_of("c4") == (masks["c3"],)
    assert [masks[id_].type for id_ in ("c1", "c3", "c4", "c5")] == ["RA", "CA", "CA", "RA"]
    assert masks["c5"].schemes[0].id == "14"


def test_a_text_beside_a_microtext_counts_where_it_holds_the_edus(masks: ArgumentGraph) -> None:
    assert (masks.meta.source.origin, codes(masks)) == ("given", [])
    assert masks.text == (FIXTURES / "microtexts" / "masks.txt").read_text("utf-8")
    data = (FIXTURES / "microtexts" / "masks.xml").read_bytes()
    other = read_input(Input("masks.xml", data, ".xml", {".txt": b"Another text"}.get))
    assert (other.meta.source.origin, codes(other)) == ("embedded", ["text-differs"])


def test_part_one_gives_the_relations_of_aifdb(shared_data: Path) -> None:
    folder = shared_data / "microtexts"
    names = json.loads((folder / "aif2arggraph.json").read_text("utf-8"))
    seen, different = 0, set()
    for path in sorted((folder / "aifdb").glob("*.json")):
        graph = load(folder / "part1" / "corpus" / "en" / f"{names[path.stem]}.xml")
        seen += 1
        if relations(graph) != relations(load(path)):
            different.add(names[path.stem])
    assert seen > 40
    assert different == {"micro_k011"}  # which AIFdb has otherwise than it is published


def test_sadface_conflict_is_a_conflict_and_the_text_keeps_its_places() -> None:
    old, new = (load(FIXTURES / "sadface" / f"{version}.json") for version in ("v02", "v05"))
    assert [node.type for node in old.relations] == ["RA", "CA", "RA"]
    assert [node.type for node in new.relations] == ["RA", "CA"]
    assert new.inferences[0].schemes[0].id == "30"
    assert len(old.meta.source.spans) == 2
    top = loads(
        '{"analyst_name": "A", "nodes": [{"id": "1", "type": "atom", "text": "x"}], "edges": [], "resources": []}'
    )
    assert (top.meta.form, top.meta.aif["sadface"]["analyst_name"]) == ("sadface", "A")


def test_sadface_places_that_do_not_hold_their_text_are_left_out() -> None:
    sources = [{"resource_id": "r", "text": "help", "offset": offset, "length": 4} for offset in (6, 5, 99)]
    nodes = [{"id": "a", "type": "atom", "text": "Masks help", "sources": sources}]
    document = {"nodes": nodes, "edges": [], "resources": [{"id": "r", "content": "Masks help it", "type": "text"}]}
    graph = loads(json.dumps(document))
    assert (places(graph)[1], codes(graph)) == ([(0, 6, 10)], ["span-differs"] * 2)


SADFACE_NAMES = {
    "CA": "Default Attack, disagreement, Undercut, rebuttal, Conflict From Bias, Rebuts, UndercutScheme",
    "RA": "support, Default Support, Argument from Expert Opinion, Sign Scheme, Inference",
    "S": "Agreement, My own scheme, support and conflict",
}


@pytest.mark.parametrize("type_", SADFACE_NAMES)
def test_sadface_names(type_: str) -> None:
    names = SADFACE_NAMES[type_].split(", ")
    nodes = [{"id": "a", "type": "atom", "text": "A"}]
    nodes += [{"id": name, "type": "scheme", "name": name} for name in names]
    edges = [{"id": f"e{name}", "source_id": "a", "target_id": name} for name in names]
    graph = loads(json.dumps({"nodes": nodes, "edges": edges, "resources": []}))
    assert {graph[name].type for name in names} == {type_}
    assert codes(graph) == ["scheme-unknown"] * len(names) * (type_ == "S")


def test_argdown_json_entails_is_strict_support() -> None:
    graph = load(FIXTURES / "argdown-json" / "masks.json")
    strict = [ra for ra in graph.inferences if ra.extra.get("strict")]
    assert [(graph.premises_of(ra)[0].id, graph.conclusions_of(ra)[0].id) for ra in strict] == [("Lee", "Knows")]
    assert {(("Masks",), ("Free",)), (("Free",), ("Masks",))} <= ends(graph, "CA")
    assert (("Paid",), ("Experts",)) in ends(graph, "CA")


def test_drawings_hold_nodes_and_edges() -> None:
    pygraphviz = pytest.importorskip("pygraphviz")
    for name in ("aif", "kialo", "microtexts"):
        for path in files_of(name):
            graph = load(path)
            drawn = pygraphviz.AGraph(string=dumps(graph, format="dot"))
            assert (len(drawn.nodes()), len(drawn.edges())) == (len(graph), len(graph.edges))
            lines = dumps(graph, format="mermaid").splitlines()
            assert sum(" --> " in line for line in lines) == len(graph.edges)
