"""From a graph to brat's ``.ann`` and ``.txt``.

brat cannot have a unit without a place in the text. Where the graph has no text that its propositions can be found in,
the text is made of the propositions themselves, one a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import Any

from aifgraph.formats.json_fields import as_json
from aifgraph.formats.writing import writable
from aifgraph.graph import ArgumentGraph, Node, Proposition, SchemeNode

_LABELS = {"RA": "supports", "CA": "attacks", "MA": "restates"}
_WORD = re.compile(r"[^\s:]+\Z")
Places = dict[str, list[tuple[int, int]]]


def write_brat(graph: ArgumentGraph) -> tuple[str, str]:
    """The annotation file and the text."""
    text, places = _places(graph)
    number = 0
    names: dict[str, str] = {}
    for node in graph.propositions:
        number = _next(number, graph)
        names[node.id] = node.id if re.fullmatch(r"T\d+", node.id) else f"T{number}"
    lines: list[str] = []
    notes: list[str] = []
    for node in graph.propositions:
        lines += _unit(node, names[node.id], places[node.id], text, notes)
    own = {node.id for node in graph if re.fullmatch(r"R\d+", node.id)}
    fresh = (f"R{number}" for number in count(1) if f"R{number}" not in own)
    taken: set[str] = set()
    for relation, premises, target in writable(graph, _LABELS).values():
        if _is_stance(relation, premises, target):
            continue  # said by the attribute of the claim
        label = relation.record.get("relation")
        if label == "Equiv" and len(premises) == 1:
            lines.append(f"*\tEquiv {names[target.id]} {names[premises[0].id]}")
            continue
        label = label if isinstance(label, str) and _WORD.match(label) else _LABELS[relation.type]
        for premise in premises:
            id_ = relation.id
            if not re.fullmatch(r"R\d+", id_) or id_ in taken:
                id_ = next(fresh)
            taken.add(id_)
            lines.append(f"{id_}\t{label} Arg1:{names[premise.id]} Arg2:{names[target.id]}")
    lines += (f"#{number}\t{note}" for number, note in enumerate(notes, 1))
    kept = graph.meta.aif.get("brat")
    lines += (str(line) for line in kept) if isinstance(kept, list) else ()
    return "".join(f"{line}\n" for line in lines), text


def _next(number: int, graph: ArgumentGraph) -> int:
    number += 1
    while f"T{number}" in graph:
        number += 1
    return number


def _unit(node: Node, id_: str, places: list[tuple[int, int]], text: str, notes: list[str]) -> Iterator[str]:
    component = node.record.get("component")
    component = component if isinstance(component, str) and _WORD.match(component) else "Proposition"
    offsets = ";".join(f"{start} {end}" for start, end in places)
    shown = " ".join(text[start:end] for start, end in places)
    yield f"{id_}\t{component} {offsets}\t{shown}"
    if shown != node.text:
        notes.append(f"AifText {id_}\t{as_json(node.text)}")
    for own, name, value in _attributes(node):
        yield f"{own}\t{name} {id_}" + ("" if value is None else f" {value}")
    more = node.record.get("notes")
    listed = [note for note in more if isinstance(note, list) and len(note) == 2] if isinstance(more, list) else []
    notes += (f"{kind} {id_}\t{' '.join(str(note).split())}" for kind, note in listed)


def _attributes(node: Node) -> list[list[Any]]:
    kept = node.record.get("attributes")
    return [each for each in kept if isinstance(each, list) and len(each) == 3] if isinstance(kept, list) else []


def _is_stance(relation: SchemeNode, premises: list[Proposition], target: Node) -> bool:
    """Whether reading works this relation out again from an attribute of the claim."""
    said = {(name, value) for _, name, value in _attributes(premises[0])}
    stance = relation.record.get("stance")
    return ("Stance", stance) in said and target.record.get("component") == "MajorClaim" and len(premises) == 1


def _places(graph: ArgumentGraph) -> tuple[str, Places]:
    """The text, and where each proposition stands in it."""
    source = graph.meta.source
    places: Places = {}
    if source is not None:
        cursor: dict[str, int] = {}
        for node in graph.propositions:
            given = [(span.start, span.end) for span in source.spans or () if span.node_id == node.id]
            if not given:
                start = source.text.find(node.text, cursor.get(node.text, 0)) if node.text else -1
                given = [(start, start + len(node.text))] if start >= 0 else []
                cursor[node.text] = start + 1
            fragments = [piece for span in given for piece in _pieces(source.text, *span)]
            if not fragments:
                break
            places[node.id] = fragments
        else:
            return source.text, places
    text = ""
    places = {}
    for node in graph.propositions:
        shown = " ".join(node.text.split()) or "–"
        places[node.id] = [(len(text), len(text) + len(shown))]
        text += shown + "\n"
    return text, places


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A place without the line breaks in it, which brat does not allow."""
    for found in re.finditer(r"[^\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+", text[start:end]):
        yield start + found.start(), start + found.end()
