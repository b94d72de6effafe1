"""The public functions, given a map that was read from hostile data. Each may raise what its docstring names."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import aifgraph
from aifgraph import ArgumentGraph, Corpus
from aifgraph.formats.registry import codec, names
from aifgraph.graph.meta import LocutionRecord
from fuzz.documented import check
from fuzz.seeds import FIXTURES

Call = tuple[str, Callable[[], object]]
#: A map with more nodes is only read and written: what is quadratic has its own tests.
MOST = 300


def call_all(graph: ArgumentGraph, rng: random.Random, share: float) -> None:
    """Call a random share of the public functions with the map."""
    for name, function in (*_writing(graph, rng), *(_on_small(graph, rng) if len(graph) <= MOST else ())):
        if rng.random() < share:
            call(name, function)


def call(name: str, function: Callable[[], object]) -> Any:
    """The result of a public function, None where it has raised an error that its docstring names."""
    try:
        return function()
    except RecursionError:
        raise
    except Exception as error:
        check(name, error)
        return None


@cache
def other() -> ArgumentGraph:
    """An undamaged map to compare with."""
    return aifgraph.load(FIXTURES / "debates" / "ben" / "nodeset2.json")


@cache
def other_corpus() -> Corpus:
    """An undamaged corpus."""
    return aifgraph.open_corpus(FIXTURES / "debates" / "ben")


def _writing(graph: ArgumentGraph, rng: random.Random) -> Iterator[Call]:
    written = [name for name in names() if codec(name).writes]
    for name in rng.sample(written, 3):
        yield "dumps", lambda name=name: aifgraph.dumps(graph, format=name)
    yield "to_dict", lambda: aifgraph.to_dict(graph)
    yield "from_dict", lambda: aifgraph.from_dict(aifgraph.to_dict(graph, format="aif"))
    found = call("validate", lambda: aifgraph.validate(graph, rng.choice(("aif", "iat", "xaif"))))
    _, repairs = call("repair", lambda: aifgraph.repair(graph, direct=rng.choice(("join", "drop", "keep")))) or (
        0,
        None,
    )
    for name, result in (("Findings", found), ("Repairs", repairs)):
        if result is not None:
            for method in ("to_dict", "counts", *_WRITTEN):
                yield f"{name}.{method}", getattr(result, method)
    yield "Finding.to_dict", lambda: [each.to_dict() for each in found or ()]


def _on_small(graph: ArgumentGraph, rng: random.Random) -> Iterator[Call]:
    """The calls with a map of some hundred nodes at the most."""
    yield from _comparing(graph, rng)
    yield from _methods(graph, rng)
    yield from _building(graph)

    yield "to_rdf", lambda: aifgraph.to_rdf(graph)
    yield "from_rdf", lambda: aifgraph.from_rdf(aifgraph.to_rdf(graph))
    yield "ArgumentGraph._repr_html_", lambda: graph._repr_html_() if rng.random() < 0.1 else None


#: How a result is written as text.
_WRITTEN = ("document", "to_text", "to_csv", "to_latex", "to_markdown", "to_json", "to_frame", "to_dict")


def _comparing(graph: ArgumentGraph, rng: random.Random) -> Iterator[Call]:
    pair = rng.choice(((graph, graph), (graph, other()), (other(), graph)))
    options: dict[str, Any] = {
        "matching": rng.choice(("greedy", "optimal")),
        "gate": rng.random() < 0.7,
        "granularity": rng.choice(("merge", "strict")),
        "layers": rng.choice(("common", "all")),
    }
    compared = call("compare", lambda: aifgraph.compare(*pair, **options))
    yield "Options.changed", lambda: aifgraph.Options().changed(**options)
    yield "Options.parse", lambda: aifgraph.Options.parse(graph.name)
    yield "Options.given", lambda: aifgraph.Options.given(None, **options)
    yield "merge", lambda: aifgraph.merge(*pair, prefer=rng.choice(("first", "second", "both", "agreed")))
    if compared is not None:
        for name in (
            "to_dict",
            "stored",
            "tables",
            "differences",
            "items",
            "rows",
            "score_table",
            "chance_table",
            "short_table",
            *_WRITTEN,
        ):
            yield f"Comparison.{name}", getattr(compared, name)
        yield "Comparison.classes", lambda: list(compared.classes("propositions"))
        for name in (
            "cass",
            "summary",
            "look_out",
            "breakdown",
            "layers",
            "undefined",
            "mean",
            "signature",
            "name_counts",
        ):
            yield f"Comparison.{name}", lambda name=name: getattr(compared, name)
        yield "Differences.to_tsv", lambda: compared.differences().to_tsv()
        yield "Comparison.to_html", lambda: compared.to_html() if rng.random() < 0.2 else None

        yield "Comparison.load", lambda: aifgraph.Comparison.load(__file__)
        yield "PairResult.load", lambda: aifgraph.PairResult.load(__file__)
        yield "CorpusComparison.load", lambda: aifgraph.CorpusComparison.load(__file__)
        yield "Comparison.from_dict", lambda: aifgraph.Comparison.from_dict(compared.to_dict())
        yield "Comparison.named", lambda: compared.named(graph.name, graph.name)

    def of_corpora(method: str, *arguments: Any, **more: Any) -> Call:
        def run() -> object:
            result = aifgraph.compare_corpora([pair, pair])
            made = getattr(result, method)(*arguments, **more)
            return list(made) if method in ("json_parts", "each_text") else made

        return f"CorpusComparison.{method}", run

    yield "compare_corpora", lambda: aifgraph.compare_corpora([pair])
    yield of_corpora("intervals", rounds=3)
    yield of_corpora("json_parts")
    yield of_corpora("comparison", graph.name)
    tables = ("tables", "rows", "score_table", "chance_table", "short_table", "pairs_table")
    for name in (*tables, *_WRITTEN, "distribution", "summary_dict", "to_dict", "each_text"):
        yield of_corpora(name)
    stored = aifgraph.CorpusComparison.from_dict
    yield "CorpusComparison.from_dict", lambda: stored(aifgraph.compare_corpora([pair, pair]).to_dict())


#: What a result is written as.
#: Methods that take a node.
_OF_NODE = (
    *("supports", "attacks", "rephrases", "ancestors", "descendants", "successors"),
    *("predecessors", "premises_of", "conclusions_of", "acts_on", "anchors_of", "content_of"),
    *("locution_of", "speaker_of", "records_of", "span_of", "get", "conclusion_of"),
)
_ALONE = (*("components", "roots", "leaves", "to_networkx", "nodes_frame", "edges_frame", "to_frame", "to_dict"),)
_PROPERTIES = (
    *("conflicts", "illocutions", "inferences", "locutions", "meta", "nodes", "notices", "others", "participants"),
    *("preferences", "propositions", "relations", "rephrasings", "speakers", "transitions", "edges", "name", "text"),
)


def _methods(graph: ArgumentGraph, rng: random.Random) -> Iterator[Call]:
    ids = [node.id for node in graph.nodes]
    node = rng.choice([*ids, "no such node"])
    second = rng.choice([*ids, "no such node"])
    for name in _OF_NODE:
        yield f"ArgumentGraph.{name}", lambda name=name: getattr(graph, name)(node)
    for name in _ALONE:
        yield f"ArgumentGraph.{name}", lambda name=name: getattr(graph, name)()
    for name in _PROPERTIES:
        yield f"ArgumentGraph.{name}", lambda name=name: getattr(graph, name)
    text = graph.nodes[0].text if ids else "x"
    yield "ArgumentGraph.subgraph", lambda: graph.subgraph([node, second])
    yield "ArgumentGraph.find", lambda: graph.find(text)
    yield "ArgumentGraph.filter", lambda: graph.filter("I", text=text, scheme=text, speaker=text)
    yield "ArgumentGraph.of", lambda: graph.of(type(graph.nodes[0])) if ids else None
    yield "ArgumentGraph.with_name", lambda: graph.with_name(text)
    yield "ArgumentGraph.with_meta", lambda: graph.with_meta(source=None)
    yield "ArgumentGraph.from_networkx", lambda: ArgumentGraph.from_networkx(graph.to_networkx())


def _building(graph: ArgumentGraph) -> Iterator[Call]:
    def of(method: str, *arguments: Any, **more: Any) -> Call:
        build = aifgraph.GraphBuilder(graph)
        return f"GraphBuilder.{method}", lambda: getattr(build, method)(*arguments, **more)

    ids = [node.id for node in graph.nodes[:3]] or ["1"]
    first, last = ids[0], ids[-1]
    yield of("graph")
    yield of("record", LocutionRecord(first, last))
    yield of("participant", graph.name)
    yield of("locution", graph.name, speaker=first)
    yield of("proposition", graph.name, id=first)
    yield of("relation", graph.nodes[0].type if graph.nodes else "RA", [first], last, "text")
    yield of("remove", first)
    yield of("remove_edge", first, last)
    yield of("has_edge", first, last)
    yield of("edge", first, last)
    yield of("node", "I", "text")
    yield of("inference", [first], last)
    yield of("conflict", first, last)
    yield of("rephrase", first, last)
    yield of("preference", first, last)
    yield of("illocution", first, last)
    yield of("transition", first, last)
    yield of("update", first, text="text", speaker=graph.name, start="2021-11-11 10:00", record={"mood": 1})
    yield of("notice", "code", "message", first)
    yield of("source", "text")


def call_on_corpus(place: Path) -> None:
    """The public functions that take a corpus, which holds hostile data."""
    corpus = call("open_corpus", lambda: aifgraph.open_corpus(place))
    if corpus is not None:
        for name, function in _on_corpus(corpus):
            call(name, function)


def _on_corpus(corpus: Corpus) -> tuple[Call, ...]:
    return (
        ("Corpus.stats", corpus.stats),
        ("Corpus.names", lambda: corpus.names),
        ("Corpus.only", lambda: corpus.only(corpus.names[:1])),
        ("Corpus.find", lambda: corpus.find("nodeset1.json")),
        ("pair", lambda: aifgraph.pair(corpus, other_corpus(), "text")),
        ("Pairing.to_tsv", lambda: aifgraph.pair(corpus, other_corpus()).to_tsv()),
        ("compare_corpora", lambda: aifgraph.compare_corpora(corpus, other_corpus())),
        ("agreement", lambda: aifgraph.agreement({"a": corpus, "b": other_corpus()})),
        ("evaluate", lambda: aifgraph.evaluate(other_corpus(), {"a": corpus}, rounds=2, test_rounds=2)),
    )


def all_calls() -> list[Call]:
    """Every call that is made with a map or a corpus, here with undamaged ones."""
    rng = random.Random(0)
    made = [("open_corpus", other_corpus), ("compare", lambda: aifgraph.compare(other(), other()))]
    made += [("validate", lambda: aifgraph.validate(other())), ("repair", lambda: aifgraph.repair(other()))]
    made += [*_writing(other(), rng), *_on_small(other(), rng)]
    return [*made, *_on_corpus(other_corpus())]


#: Public names that the calls above leave out, with the reason.
ELSEWHERE = {
    "load": "files of every kind are read by commands; the text of each input by loads",
    "loads": "every input (fuzz.attempt)",
    "dump": "the commands write files",
    "convert": "the command of that name",
    "json_schema": "it is given no data",
    "LossReport": "writing makes it",
    "Comparison.show": "it writes what to_html gives",
    "CorpusComparison.show": "it writes the pages of a command",
    "merge_corpora": "the command merge",
    **dict.fromkeys(("open_dataset", "Dataset"), "fuzz.attempt"),
    "AIFdb": "its answers are changed (fuzz.answers)",
    **dict.fromkeys(
        (name for names in aifgraph._NAMED.values() for name in names), "what public functions give or take"
    ),
}
