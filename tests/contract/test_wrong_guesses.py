"""Names, arguments and values that are none, of everything that is public: the answer says what there is."""

from __future__ import annotations

import inspect
import io
import re
from collections.abc import Callable
from typing import Any

import networkx
import pytest

import aifgraph
from aifgraph import AifgraphError, FormatError, GraphBuilder
from aifgraph.graph import edit
from aifgraph.guesses import Answering

GRAPH = aifgraph.load("fixtures/debate/first.json")
OTHER = aifgraph.load("fixtures/debate/second.json")
CORPUS = aifgraph.open_corpus("fixtures/debates/ann")
DATASET = aifgraph.datasets.open_dataset("ruarg", "fixtures/datasets/ruarg/train.tsv")
CORPORA = aifgraph.compare_corpora("fixtures/debates/ann", "fixtures/debates/ben")
PUBLIC: dict[str, Any] = {name: getattr(aifgraph, name) for name in aifgraph.__all__}
FUNCTIONS = sorted(name for name, value in PUBLIC.items() if inspect.isfunction(value))
CLASSES = sorted(name for name, value in PUBLIC.items() if isinstance(value, type) and issubclass(value, Answering))
#: What is a tuple, a dictionary or an error answers as such; results of other files are in their own tests.
OTHERS = {name for name, value in PUBLIC.items() if isinstance(value, type) and not issubclass(value, Exception)}
TABLE = "fixtures/datasets/sciarg-abstracts/two.tsv"
OBJECTS: list[Any] = [
    GRAPH,
    GRAPH.nodes[0],
    GRAPH.edges[0],
    GRAPH.meta,
    GRAPH.speakers[0],
    GraphBuilder(),
    CORPUS,
    CORPUS[0],
    DATASET,
    aifgraph.compare(GRAPH, OTHER),
    aifgraph.compare(GRAPH, OTHER).differences(),
    CORPORA,
    CORPORA.pairs[0],
    aifgraph.validate(GRAPH, "iat"),
    aifgraph.validate(GRAPH, "iat")[0],
    aifgraph.repair(GRAPH)[1],
]
# Type checkers know better than to let these pass.
api: Any = aifgraph
graph: Any = GRAPH
corpus: Any = CORPUS
dataset: Any = DATASET


def public_names(of: object) -> list[str]:
    return [name for name in dir(of) if not name.startswith("_")]


@pytest.mark.parametrize("of", OBJECTS, ids=lambda of: type(of).__name__)
def test_a_name_like_nothing_names_what_there_is(of: Any) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'xyzzy'; it has ") as caught:
        of.xyzzy  # noqa: B018
    said = str(caught.value)
    assert all(re.search(rf"\b{name}\b", said) for name in public_names(of))
    assert len(said) < 1200


@pytest.mark.parametrize("of", OBJECTS, ids=lambda of: type(of).__name__)
def test_a_slip_of_the_pen_is_answered(of: Any) -> None:
    for name in public_names(of):
        for slip in (f"get_{name}", "".join(part.title() for part in name.split("_")), f"{name}x"):
            if slip in dir(of) or name[0].isupper() or len(name) < 3:
                continue
            with pytest.raises(AttributeError, match="; did you mean "):
                getattr(of, slip)


def test_every_class_of_objects_answers() -> None:
    answers = Answering.__dict__["__getattr__"]
    without = {name for name in OTHERS if getattr(PUBLIC[name], "__getattr__", None) is not answers}
    assert without == {"OptionKeywords", "RelationFields"}


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_answers_as_its_objects_do(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"class '{name}' has no attribute 'xyzzy'; it has "):
        PUBLIC[name].xyzzy  # noqa: B018


def needed(name: str) -> int:
    """How many arguments a function must be given."""
    parameters = inspect.signature(PUBLIC[name]).parameters.values()
    return sum(each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD for each in parameters)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_unknown_keyword_names_the_parameters(name: str) -> None:
    with pytest.raises(AifgraphError) as caught:
        PUBLIC[name](*[GRAPH] * needed(name), xyzzy=1)
    parameters = inspect.signature(PUBLIC[name]).parameters.values()
    if not any(each.kind is each.VAR_KEYWORD for each in parameters):
        assert "'xyzzy'" in str(caught.value)
        assert all(each.name in str(caught.value) for each in parameters)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if needed(name)])
@pytest.mark.parametrize("value", [object(), 5, None, 2.5], ids=["object", "int", "None", "float"])
def test_a_value_of_a_wrong_type_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(AifgraphError, match=r"; .+"):
        PUBLIC[name](*[value] * needed(name))


@pytest.mark.parametrize("name", ["validate", "repair", "to_rdf", "dumps", "to_dict", "GraphBuilder"])
@pytest.mark.parametrize(
    ("given", "way"),
    [
        ("map.json", "{}(load(path))"),
        (CORPUS[0], "{}(entry.load())"),
        (CORPUS, "[{}(entry.load()) for entry in corpus]"),
        ([GRAPH], "[{}(graph) for graph in graphs]"),
        (GraphBuilder(), "{}(build.graph())"),
        ({"nodes": []}, "{}(from_dict(document))"),
        (GRAPH.to_networkx(), "{}(ArgumentGraph.from_networkx(graph))"),
    ],
    ids=lambda given: type(given).__name__,
)
def test_what_is_no_graph_is_told_the_way_to_one(name: str, given: object, way: str) -> None:
    with pytest.raises(aifgraph.OptionError, match=re.escape(way.format(name))):
        PUBLIC[name](given)


@pytest.mark.parametrize(
    ("guess", "answer"),
    [
        (lambda: graph.nodes["1"], r"graph\[id\] is the node of an id"),
        (lambda: graph.nodes(), r"leave out the \(\)"),
        (lambda: graph.nodes.items(), "iterate it"),
        (lambda: graph[0:3], r"graph\.nodes\[:10\]"),
        (lambda: graph.nodes[0]["text"], r"did you mean \.text"),
        (lambda: graph.filter(lambda node: True), r"filter\(where=function\)"),
        (lambda: graph.filter(types=["I"]), "^filter has no argument 'types'; did you mean 'type'"),
        (lambda: graph.filter("inference"), "did you mean 'RA'"),
        (lambda: graph.filter(aifgraph.Inference), r"graph\.of\(Inference\)"),
        (lambda: setattr(graph.nodes[0], "text", "x"), r"does not change \(text\); .*build\.update\(node, text=…\)"),
        (lambda: setattr(graph.nodes[0], "new", "x"), r"does not change \(new\)"),
        (lambda: setattr(graph, "name", "x"), r"graph\.with_name\(name\)"),
        (lambda: graph.edges[0].from_id, "did you mean source"),
        (lambda: api.ArgumentGraph(), r"aifgraph\.load\(path\) reads a graph"),
        (lambda: api.ArgumentGraph.from_file("x"), r"aifgraph\.load\(path\)"),
        (lambda: corpus[99], "the corpus has 4 maps"),
        (lambda: corpus[["nodeset1"]], r"corpus\.only\(names\)"),
        (lambda: corpus.items(), r"entry\.load\(\) for entry in corpus"),
        (lambda: corpus[0].propositions, r"load\(\)\.propositions"),
        (lambda: corpus[0].graph, r"did you mean load\(\)"),
        (lambda: api.GraphBuilder().edges, r"graph\(\)\.edges"),
        (lambda: len(dataset), r"len\(list\(dataset\)\)"),
        (lambda: dataset.errors, "did you mean problems"),
        (lambda: dataset[0], r"did you mean list\(dataset\)\[number\]"),
        (lambda: dataset["x"], r"did you mean {graph\.name: graph for graph in dataset}\[name\]"),
        (lambda: dataset.names, r"did you mean \[graph\.name for graph in dataset\]"),
        (lambda: dataset.to_pandas(), r"nodes_frame\(dataset\)"),
        (lambda: dataset.to_aif, r"aifgraph\.dump\(dataset, path\)"),
        (lambda: api.datasets.open_dataset("iac", "."), "did you mean 'iac1' or 'iac2'"),
        (lambda: list(api.datasets.open_dataset("sciarg-abstracts", TABLE, annotator="zz")), "'zz'; give ann, bob"),
        (lambda: corpus["set1"], "there is no map 'set1'; did you mean 'nodeset1'"),
        (lambda: corpus.query("x"), "the command aifgraph query CORPUS QUERY"),
        (lambda: api.query, "the command aifgraph query"),
        (lambda: api.FORMATS, "the command aifgraph formats"),
        (lambda: api.load(TABLE, source="a", target="b"), "did you mean source_column=…, target_column=…"),
        (lambda: api.load(TABLE, source="a"), "load has its source already; did you mean source_column=…"),
        (lambda: graph.propositions[0].start, r"graph\.span_of\(node\), its place in the text"),
        (lambda: api.load("fixtures/debates/ann/nodeset1"), "did you mean fixtures/debates/ann/nodeset1.json"),
        (lambda: api.load(f"{TABLE}/one.json"), r"--map one\.json \(in Python open_corpus\('.*'\)\['one\.json'\]"),
        (lambda: api.load(f"{TABLE}#one"), "--map one "),
        (lambda: api.load("fixtures/brat/essay.txt"), r"give fixtures/brat/essay\.ann, whose text it is"),
        (lambda: api.load("fixtures/datasets/cdcp/00001.ann.json"), r"open_dataset\('cdcp', '.*'\) reads it"),
        (lambda: api.load("fixtures/datasets/iac1/discussions/11.json"), r"open_dataset\('iac1', 'fix.*/iac1'\)"),
        (lambda: api.convert("fixtures/debate/first.json", "x.png"), r"aifgraph draw MAP -o x\.png"),
        (lambda: api.dump(corpus, "x.conll", format="conll"), "there is no format 'conll'"),
        (lambda: api.perturb(graph, 0.1, random_state=3), "did you mean 'seed'"),
        (lambda: api.perturb(graph, 0.1, kind="relations"), "did you mean 'kinds'"),
        (lambda: api.sample(corpus, 2, random_state=3), "did you mean 'seed'"),
        (lambda: api.ParseError, "did you mean FormatError"),
        (lambda: api.SchemeException, "its errors are AifgraphError, .*, RemoteError"),
        (lambda: api.repair(graph)[1][0].step, "did you mean kind"),
        (lambda: graph.with_meta(source="text"), r"source is of type str; give SourceText\(text\)"),
        (lambda: graph.with_meta(notices=["text"]), "notices is of type list; give a tuple of Notice"),
        (lambda: graph.with_meta(text="text"), r"source=SourceText\(text\)"),
        (lambda: edit.merge_nodes(graph, "1", "2"), "into: {node: the node that it is merged into}"),
        (lambda: edit.merge_nodes(graph, ["1", "2"]), "give {node: the node that it is merged into}"),
        (lambda: edit.with_scheme(graph, graph.inferences[0], "Analogy"), "{node: scheme}"),
        (lambda: edit.with_scheme(graph, {graph.inferences[0]: "Analogyy"}), "did you mean 'Analogy'"),
        (lambda: edit.with_scheme(graph, {"nowhere": "Analogy"}), "nowhere"),
        (lambda: edit.without_edges(graph, graph.nodes[0]), r"\[\(source, target\)\]"),
        (lambda: edit.join(graph, graph), "aifgraph.merge"),
        (lambda: graph + graph, r"aifgraph\.merge\(first, second\)"),
        (lambda: graph | graph, r"aifgraph\.merge\(first, second\)"),
        (lambda: graph.illocutions_of(graph.propositions[0]), r"did you mean acts_on\(node\)"),
        (lambda: graph.count("RA"), r"did you mean len\(graph\.filter\('RA'\)\)"),
        (lambda: graph.counts(), r"Counter\(node\.type for node in graph\)"),
        (lambda: graph.questions(), "'Questioning'"),
        (lambda: graph.leaf_nodes, r"did you mean leaves\(\)"),
        (lambda: api.GraphBuilder(text="x"), r"source\(text\)"),
        (lambda: api.GraphBuilder().undo(), r"remove\(node\)"),
        (lambda: api.GraphBuilder().validate(), r"aifgraph\.validate\(build\.graph\(\)\)"),
        (lambda: setattr(api.GraphBuilder(), "text", "x"), r"did you mean source\(text\)"),
        (lambda: setattr(api.GraphBuilder(), "source", "x"), "source of a GraphBuilder is not set; call it"),
        (lambda: setattr(corpus[0], "name", "x"), r"does not change \(name\); renamed\(name\)"),
        (lambda: api.validate(graph).by_code("E201"), r"finding\.code == "),
        (lambda: api.repair(graph, dry_run=True), "repair changes no graph"),
        (lambda: api.repair(graph, only="orphans"), "orphans=False leaves one out"),
        (lambda: corpus.filter(len), r"only\(\[entry for entry in corpus if …\]\)"),
        (lambda: corpus.to_zip("x.zip"), "aifgraph pack"),
        (lambda: api.compare_corpora(["x"], ["y"]), r"a list with a str, .*aifgraph\.load\(path\)"),
        (lambda: graph.to_json("out.json"), r"did you mean aifgraph\.dump\(graph, path\)"),
        (lambda: graph.has_edge("1", "3"), r"graph\[target\] in graph\.successors\(source\)"),
        (lambda: graph.illocutions_of("1"), r"successors\(locution\), which start from it"),
        (lambda: graph.by_speaker(), "it takes name$"),
        (lambda: graph.by_speaker(graph, "Ann"), "it takes name$"),
        (lambda: graph.supports("2", recursive=True), r"ancestors\(claim\) has what supports it"),
        (lambda: graph.subgraph(type="I"), r"subgraph\(graph\.filter\(type\)\)"),
        (lambda: graph.text_of("1"), r"did you mean graph\[node\]\.text"),
        (lambda: graph.with_text("x"), r"with_meta\(source=SourceText\(text\)\)"),
        (lambda: graph.of(graph.nodes[0]), r"of takes a class of nodes, not a Locution; graph\.filter\('RA'\)"),
        (lambda: graph.edges(data=True), "a tuple of edges and no function"),
        (lambda: graph.edges.items(), "each has source and target"),
        (lambda: graph.nodes.append(1), r"GraphBuilder\(graph\) holds a copy that does"),
        (lambda: networkx.pagerank(graph), r"did you mean to_networkx\(\)"),
        (lambda: api.Span("1", 0, 3).text, r"graph\.text\[span\.start : span\.end\]"),
        (lambda: api.GraphBuilder().add_node("p1", text="x", type="I"), r"did you mean proposition\(text, id=…\)"),
        (lambda: api.GraphBuilder().node("p1", type="I"), r"the type comes first: node\('I', text, id=…\)"),
        (lambda: api.GraphBuilder().remove_participant("Ann"), r"graph\(\)\.with_meta\(participants=…\)"),
        (lambda: api.GraphBuilder(graph).remove("Amara Okafor"), r"it is a person; remove\(\*graph\.by_speaker"),
        (lambda: api.GraphBuilder(graph).remove("nowhere"), "no node nowhere; give a node or its id"),
        (
            lambda: api.GraphBuilder().mark("1", 3, 8),
            r"source\(graph\.meta\.source\.marked\.replace\(words, f'<span id=",
        ),
        (lambda: api.validate(graph).filter("N310"), r"finding\.code == "),
        (lambda: api.validate(graph, strict=True), r"load\(path, strict=True\) refuses"),
        (lambda: api.validate(graph, select="N310"), "N310 is asked only by the profile iat"),
        (lambda: api.repair(graph).nodes, r"repaired, repairs = repair\(graph\)"),
        (lambda: api.compare(graph, OTHER).pairs, r"did you mean alignment\.propositions\.classes"),
        (lambda: api.exceptions, "did you mean errors"),
        (lambda: api.is_valid(graph), r"did you mean validate\(graph\)\.ok"),
        (lambda: api.dump({"a": graph}, "nowhere.zip"), r"a list of graphs, each with its name: graph\.with_name"),
        (lambda: api.dump(graph, "nowhere.png"), "a picture is drawn by aifgraph draw"),
        (lambda: api.dump(graph, "nowhere.csv"), r"graph\.to_frame\(\) is a table"),
        (lambda: api.dump(graph, "no/such/o.json"), "^no/such/o.json: there is no folder no/such; make it first"),
        (lambda: api.evaluate({"a": "x"}, "y"), r"the gold comes first: evaluate\(gold, \{name: system\}\)"),
        (lambda: len(corpus[0]), r"len\(entry\.load\(\)\)"),
        (lambda: api.dumps(graph, "xaif"), "too many positional arguments; it takes graph, format=…"),
    ],
)
def test_a_guess_of_other_libraries_is_answered(guess: Callable[[], object], answer: str) -> None:
    with pytest.raises((AifgraphError, AttributeError, TypeError, IndexError), match=answer):
        guess()


def test_an_error_inside_a_property_is_its_own() -> None:
    class Broken(Answering):
        @property
        def summary(self) -> object:
            return [].text  # type: ignore[attr-defined]

    with pytest.raises(AttributeError, match="'list' object has no attribute 'text'"):
        Broken().summary  # noqa: B018


def test_a_file_that_cannot_be_read_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="not in a format"):
        aifgraph.loads("Masks help.")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ('{"nodes": [{"nodeID": "1",', r"line 1, column 27: not JSON.*cut off"),
        ("", "empty"),
        (" \n", "empty"),
        ("PK\x03\x04", r"an archive.*open_corpus\(path\)"),
    ],
)
def test_what_is_no_whole_file_is_said(given: str, said: str) -> None:
    for read in (aifgraph.loads, lambda text: aifgraph.load(io.StringIO(text))):
        with pytest.raises(FormatError, match=said):
            read(given)


def test_a_scheme_is_given_by_name() -> None:
    node = GRAPH.inferences[0]
    assert edit.with_scheme(GRAPH, {node: "Analogy"})[node.id].schemes[-1].name == "Analogy"


def test_the_same_folder_is_the_same_corpus() -> None:
    again = aifgraph.open_corpus("fixtures/debates/ann")
    assert again == CORPUS
    assert len({again, CORPUS}) == 1
    assert CORPUS[:1] != CORPUS


def test_types_are_one_or_several() -> None:
    assert set(GRAPH.filter(["ra", "CA"])) == {*GRAPH.inferences, *GRAPH.conflicts}
    assert CORPUS.only(entry for entry in CORPUS).names == CORPUS.names
    assert CORPUS.only("nodeset1").names == ("nodeset1",)


def test_what_is_shown_of_a_node_is_what_it_has() -> None:
    node = GRAPH.inferences[0]
    assert repr(node.schemes) in repr(node)
    assert repr(GRAPH.edges[0].record) == "{}" or GRAPH.edges[0].record
    assert all(CORPUS)  # an entry has no len(), and is nevertheless something


def test_a_profile_is_named_in_any_case_and_asks_its_rules() -> None:
    found = aifgraph.validate(GRAPH, "IAT", select=["N310"])
    assert found == aifgraph.validate(GRAPH, "iat", select=["N310"])
    assert set(found.codes) == {"N310"}
    assert aifgraph.validate(GRAPH, select="N").ok
