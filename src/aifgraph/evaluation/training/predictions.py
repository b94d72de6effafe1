"""Predicted labels made maps again, so that a classifier is scored like any other system.

A map of the corpus gives the units, and the rows of the file say the rest: its own relations (or illocutions, or units)
are taken away, and what is predicted takes their place. An illocution without a row is predicted to be none. The pairs
of a map must be all that it has, or all near ones: candidates that were sampled tell which pairs have a relation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from aifgraph.align.analysis import analyse
from aifgraph.corpus.corpus import Corpus
from aifgraph.errors import InputError
from aifgraph.evaluation.training.data import read_training_data
from aifgraph.evaluation.training.rows import NO_LABEL, Task, acts_of, is_whole, plain_source
from aifgraph.graph import ArgumentGraph, SourceText, Span
from aifgraph.graph.build import GraphBuilder
from aifgraph.graph.edit import without_nodes
from aifgraph.graph.nodes import RELATIONS
from aifgraph.graph.schemes import DEFAULT_TEXTS, DEFAULTS, fold_name, label_of, named, named_scheme
from aifgraph.printable import quantity

Rows = Sequence[Mapping[str, Any]]

#: What tells the tasks apart, and the column of their labels.
_KEYS: Mapping[Task, tuple[str, ...]] = {
    "relations": ("first_id", "second_id"),
    "illocutions": ("illocution_id",),
    "segmentation": ("starts", "ends"),
}


class Predictions:
    """The rows of a file by map, and their task.

    ``label`` is the column of predicted labels; with ``split``, only the rows of that split count.

    Raises:
        InputError: no rows, or columns of no task; a column that is not there.
    """

    def __init__(self, path: Path, label: str = "predicted", *, split: str | None = None) -> None:
        self.path = path
        rows = _joined(read_training_data(path), label)
        if not rows:
            raise InputError("there are no rows in it", where=str(path))
        columns = set.intersection(*(set(row) for row in rows))
        tasks = [task for task, keys in _KEYS.items() if {"map", *keys} <= columns]
        if not tasks:
            remedy = "keep the columns that aifgraph export writes, with one more for predicted labels"
            raise InputError("its columns are those of no task", where=str(path), remedy=remedy)
        self.task: Task = tasks[0]
        if label not in columns:
            what = f"there is no column {label!r} in every row"
            raise InputError(what, where=str(path), remedy="name the column of predicted labels (--label NAME)")
        self.label = label
        self.by_map: dict[str, list[Mapping[str, Any]]] = {}
        for row in rows:
            if split is None or str(row.get("split", "")) == split:
                self.by_map.setdefault(str(row["map"]), []).append(row)
        if not self.by_map:
            raise InputError(f"no row is of the split {split!r}", where=str(path))

    def maps(self, corpus: Corpus) -> Iterator[ArgumentGraph]:
        """The maps of the file, in the order of the corpus.

        Raises:
            InputError: a map or a node that the corpus does not have; a label that is not one; two labels for one;
                candidates that were sampled.
        """
        if unknown := [name for name in self.by_map if corpus.find(name) is None]:
            more = f" and {len(unknown) - 5} more" if len(unknown) > 5 else ""
            what = f"{quantity(len(unknown), 'maps')} not in the corpus: {', '.join(unknown[:5])}{more}"
            raise InputError(what, where=str(self.path), remedy="give the corpus that was exported")
        make = {"relations": _relations, "illocutions": _illocutions, "segmentation": _segmentation}[self.task]
        for entry in corpus:
            rows = self.by_map.get(entry.name)
            if rows is not None:
                try:
                    yield make(entry.load(), rows, self.label).with_name(entry.name)
                except InputError as error:
                    raise error.at(f"{self.path}, map {entry.name}") from None


def _joined(rows: list[dict[str, Any]], label: str) -> list[dict[str, Any]]:
    """Rows of one token each, joined to one a map; all others as they are."""
    if not rows or not {"map", "start", "end"} <= rows[0].keys():
        return rows
    joined: dict[str, dict[str, Any]] = {}
    for row in rows:
        whole = joined.setdefault(
            str(row["map"]), {"map": row["map"], "split": row.get("split", ""), "starts": [], "ends": [], label: []}
        )
        try:
            whole["starts"].append(int(row["start"]))
            whole["ends"].append(int(row["end"]))
            whole[label].append(row[label])
        except (KeyError, ValueError):
            what = "a token without its place or its label"
            raise InputError(what, where=f"map {row['map']}", remedy=f"give start, end and {label}") from None
    return list(joined.values())


def _relations(graph: ArgumentGraph, rows: Rows, label: str) -> ArgumentGraph:
    types: dict[tuple[str, str], str] = {}
    propositions = {node.id for node in graph.propositions}
    for row in rows:
        pair = str(row["first_id"]), str(row["second_id"])
        if unknown := [id_ for id_ in pair if id_ not in propositions]:
            raise InputError(f"there is no proposition {unknown[0]}", remedy="keep the ids that were exported")
        if pair[0] == pair[1]:
            raise InputError(f"a relation from {pair[0]} to itself")
        value = str(row[label])
        if types.setdefault(pair, value) != value:
            raise InputError(f"two labels for the pair {pair[0]}, {pair[1]}: {types[pair]} and {value}")
    relations = {node.id for node in graph if node.type in RELATIONS}
    acts = {
        node.id
        for node in graph.illocutions
        if (contents := graph.successors(node)) and all(content.id in relations for content in contents)
    }
    build = GraphBuilder(without_nodes(graph, relations | acts))
    names = (name for number in count(1) if (name := f"p{number}") not in graph)
    for (first, second), value in types.items():
        for type_ in value.split("+") if value != NO_LABEL else ():
            if type_ not in RELATIONS:
                what = f"no relation is called {type_!r}"
                raise InputError(what, remedy=f"choose from {', '.join(RELATIONS)}, {NO_LABEL}, or join some by +")
            scheme = DEFAULTS[type_]
            build.relation(type_, [first], second, DEFAULT_TEXTS[type_], id=next(names), schemes=(scheme,))
    if not is_whole(graph, types.keys()):
        pairs = len(propositions) * (len(propositions) - 1)
        raise InputError(
            f"{len(types)} of its {pairs} pairs have a row: those with a relation in gold and a sample of the others, "
            "so that scores would be far too high",
            remedy="predict every pair (export --negatives all or near), or take a split that has them (--split test)",
        )
    return build.graph()


def _illocutions(graph: ArgumentGraph, rows: Rows, label: str) -> ArgumentGraph:
    analysis = analyse(graph)
    acts = {analysis.nodes[number].id: analysis.nodes[number] for number in acts_of(analysis)}
    own = {fold_name(label_of(node)) for node in acts.values()}
    predicted: dict[str, str] = {}
    for row in rows:
        id_, value = str(row["illocution_id"]), str(row[label]).strip()
        if id_ not in acts:
            raise InputError(f"there is no illocution {id_}", remedy="keep the ids that were exported")
        if value != NO_LABEL and fold_name(value) not in own and not named(value, "YA"):
            raise InputError(f"no illocution is called {value!r}", remedy="aifgraph schemes lists them")
        if predicted.setdefault(id_, value) != value:
            raise InputError(f"two labels for the illocution {id_}: {predicted[id_]} and {value}")
    build = GraphBuilder(graph)
    for id_, node in acts.items():
        value = predicted.get(id_, NO_LABEL)
        if value == NO_LABEL:
            build.remove(id_)
        elif value != label_of(node):
            build.update(id_, text=value, schemes=(named_scheme(value, "YA"),))
    return build.graph()


def _segmentation(graph: ArgumentGraph, rows: Rows, label: str) -> ArgumentGraph:
    """The units as locutions where the map has some, else as propositions, with their places in the text."""
    if len(rows) > 1:
        raise InputError("it has two rows of tokens", remedy="give each map once")
    text, (row,) = plain_source(graph), rows
    starts, ends, tags = row["starts"], row["ends"], row[label]
    if not all(isinstance(values, list) and len(values) == len(starts) for values in (starts, ends, tags)):
        raise InputError("starts, ends and tags are no lists of one length", remedy="give one of each a token")
    places: list[list[int]] = []
    inside = False
    for start, end, tag in zip(starts, ends, tags, strict=True):
        if tag not in ("B", "I", "O"):
            raise InputError(f"no tag is called {tag!r}", remedy="choose from B, I and O")
        if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(text)):
            raise InputError(f"a token at {start} to {end} of {len(text)} characters", remedy="keep starts and ends")
        if tag == "B" or (tag == "I" and not inside):
            places.append([start, end])
        elif tag == "I":
            places[-1][1] = max(end, places[-1][1])
        inside = tag != "O"
    build = GraphBuilder()
    node = build.locution if graph.locutions else build.proposition
    spans = [Span(node(text[start:end]), start, end) for start, end in places]
    build.source(SourceText(text, "given", tuple(spans)))
    return build.graph()
