"""Hypothesis strategies: argument graphs of every shape that the model allows."""

import os
from collections.abc import Iterable
from typing import TypeVar

from hypothesis import strategies as st

from aifgraph.graph import ArgumentGraph, Edge, LocutionRecord, Meta, Participant, Scheme, SourceText, Span, make_node

#: Texts as people write them: quotes, brackets, markup, other scripts, line breaks; no control characters.
words = st.text(
    st.sampled_from("abcdefgh  .,:;'\"()[]{}<>&|\\/#*+-_=%$1234567890äßéЖ中🙂\u00a0\n"), min_size=1, max_size=40
).map(lambda text: " ".join(part for part in text.split(" ") if part).strip() or "words")

ids = st.one_of(
    st.integers(0, 10**6).map(str),
    st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True),
    st.from_regex(r"[1-9][0-9]?_[0-9]{6}", fullmatch=True),
    words.map(lambda text: text[:8].strip() or "x"),
)

#: Of each type twice where more of it is to be seen; with schemes and what their texts may say.
TYPES = ("I", "I", "I", "L", "RA", "RA", "CA", "MA", "PA", "YA", "TA", "EN")
SCHEMES = {
    "RA": [("15", "ExpertOpinion"), ("14", "Example"), ("72", "Default Inference"), (None, "My own")],
    "CA": [("71", "Default Conflict"), ("36", "Logical")],
    "MA": [("144", "Default Rephrase")],
    "PA": [("161", "Default Preference")],
    "YA": [("74", "Asserting"), ("80", "Arguing")],
    "TA": [("82", "Default Transition")],
}
TIMES = ["2019-03-06 14:31:23", "2021-11-11T21:50:00+00:00", "Thu Nov 11 2021 21:50:00 GMT+0000 (GMT)", ""]


@st.composite
def graphs(draw: st.DrawFn, max_nodes: int = 9, beside: bool = True) -> ArgumentGraph:
    """Any graph the model allows: edges between any two nodes, S-nodes without premises, several conclusions.

    ``beside`` adds people, locution records and a source text.
    """
    keys = draw(st.lists(ids, max_size=max_nodes, unique=True))
    nodes = []
    for key in keys:
        type_ = draw(st.sampled_from(TYPES))
        known = SCHEMES.get(type_, [])
        text = draw(st.sampled_from([known[-1][1], "", "Some label"]) if known else words)
        schemes = draw(st.lists(st.sampled_from(known), max_size=2, unique=True)) if known else []
        extra = draw(st.sampled_from([{}, {"x": 3, "note": {"by": "me"}}]))
        time = draw(st.sampled_from([TIMES[0], None]))
        nodes.append(make_node(type_, key, text, tuple(Scheme(*pair) for pair in schemes), time, extra))
    pairs = [(a, b) for a in keys for b in keys if a != b]
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=14, unique=True)) if pairs else []
    edges = [Edge(a, b, draw(st.sampled_from([None, None, f"e{number}"]))) for number, (a, b) in enumerate(chosen)]
    meta = Meta()
    if beside:
        people = [Participant(str(number), draw(words), "May") for number in range(draw(st.integers(0, 2)))]
        said = zip([node.id for node in nodes if node.type == "L"], people, strict=False)
        records = [LocutionRecord(id_, who.id, draw(st.sampled_from([None, *TIMES[:3]]))) for id_, who in said]
        text = draw(words)
        spans = tuple(Span(node.id, 0, len(text)) for node in nodes[:1])
        source = SourceText(text, draw(st.sampled_from([(), spans]))) if draw(st.booleans()) else None
        meta = Meta(participants=tuple(people), locutions=tuple(records), source=source)
    return ArgumentGraph(nodes, edges, meta, draw(st.sampled_from(["", "map"])))


@st.composite
def arguments(draw: st.DrawFn) -> ArgumentGraph:
    """Well-formed arguments: relations with premises and one conclusion, undercuts of earlier relations."""
    from aifgraph import GraphBuilder

    build = GraphBuilder()
    texts = draw(st.lists(words, min_size=1, max_size=5, unique_by=lambda text: " ".join(text.split())))
    units = [build.proposition(text, id=f"a{number}") for number, text in enumerate(texts)]
    relations: list[str] = []
    for number in range(draw(st.integers(0, 4)) if len(units) > 1 else 0):
        type_ = draw(st.sampled_from(["RA", "RA", "CA"]))
        target = draw(st.sampled_from(units + (relations if type_ == "CA" else [])))
        others = [unit for unit in units if unit != target]
        premises = draw(st.lists(st.sampled_from(others), min_size=1, max_size=2, unique=True))
        text = "Default Inference" if type_ == "RA" else "Default Conflict"
        if type_ == "CA":
            premises = premises[:1]
        relations.append(build.relation(type_, premises, target, text, id=f"c{number}"))
    return build.graph()


#: Further fields: any names and any values that JSON can hold.
_names = st.one_of(st.sampled_from(["confidence", "text", "nodeID", "scheme", "aifgraphID", "_"]), st.text(max_size=5))
_plain = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text())
extras = st.dictionaries(_names, st.one_of(_plain, st.lists(_plain, max_size=2)), max_size=3)


@st.composite
def built_graphs(draw: st.DrawFn) -> ArgumentGraph:
    """What a caller of the builder may make: any texts, names, fields, people, spans, and relations that are valid."""
    from aifgraph import GraphBuilder

    build = GraphBuilder(name=draw(st.text(max_size=8)))
    names = st.one_of(st.sampled_from(["Ann", "Ann Lee", "None"]), st.text(max_size=8))
    build.participant(draw(names), draw(names), extra=draw(extras))
    claims = [build.proposition(draw(st.text()), extra=draw(extras)) for _ in range(draw(st.integers(1, 4)))]
    said = build.locution(
        draw(st.text()), speaker=draw(st.sampled_from([None, "Bob", "Ann Lee"])), start=draw(st.text())
    )
    build.illocution(said, claims[0], extra=draw(extras))
    for claim in claims[1:]:
        build.relation(
            draw(st.sampled_from(["RA", "CA", "MA"])), [claim], claims[0], draw(st.text()), extra=draw(extras)
        )
    text = draw(st.text())
    spans = [Span(claim, *sorted(draw(st.tuples(*2 * [st.integers(0, len(text))])))) for claim in claims]
    build.source(SourceText(text, tuple(spans)))
    return build.graph()


Item = TypeVar("Item")
LONG = bool(os.environ.get("AIFGRAPH_LONG"))


def some_of(items: Iterable[Item], every: int = 10) -> list[Item]:
    """Every tenth item, or what ``every`` says; all of them in a long run."""
    return list(items)[:: 1 if LONG else every]
