"""Tables of pairs: two texts and a label a row. ArgKP (Friedman et al. 2021) is one of arguments and key points.

What a label is stands in a map of labels (``1=RA,0=none``). A text that comes again is the same I-node. A pair that its
label does not relate keeps its label, too: it is listed in the map under ``unrelated``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aifgraph.corpus_names import UniqueNames
from aifgraph.datasets.dataset import Dataset, relative
from aifgraph.datasets.rows import Row, csv_rows, table_file, tsv_rows
from aifgraph.errors import InputError, OptionError
from aifgraph.formats.edge_list import TYPES
from aifgraph.graph import ArgumentGraph, GraphBuilder
from aifgraph.graph.schemes import DEFAULT_TEXTS

_NONE = "none"
#: What is understood without a map of labels: the words of tables of relations, and what says that there is none.
_KNOWN = {**TYPES, **dict.fromkeys((_NONE, "no relation", "unrelated", "neutral"), _NONE)}


def label_map(wanted: str | Mapping[str, str]) -> dict[str, str]:
    """What the labels of a table are: ``RA``, ``CA``, ``MA`` or ``none`` by label, from a dictionary or its written
    form. For the types stand their words, too (``support``).

    Raises:
        OptionError: it is not ``LABEL=TYPE,LABEL=TYPE``.

    >>> label_map("1=RA,0=none"), label_map({"pro": "support"})
    ({'1': 'RA', '0': 'none'}, {'pro': 'RA'})
    """
    labels: dict[str, str] = {}
    if isinstance(wanted, Mapping):
        parts = [f"{label}={type_}" for label, type_ in wanted.items()]
    else:
        # Labels may hold blanks and equals signs; several without a comma are parted by blanks.
        parts = wanted.split(",") if "," in wanted or wanted.count("=") < 2 else wanted.split()
    for part in parts:
        label, equals, type_ = (piece.strip() for piece in part.rpartition("="))
        kind = _KNOWN.get(type_.casefold(), "")
        if not equals or not kind or label in labels:
            remedy = "give each label once, with RA, CA, MA or none, and commas between: 1=RA,0=none"
            raise OptionError(f"{part[:40]!r} in the map of labels", remedy=remedy)
        labels[label] = kind
    return labels


@dataclass(frozen=True, slots=True)
class Pair:
    """A row: the roles, texts and entries of its ends, its label, and what else it says.

    A text that stands in no pair has no ``target``.
    """

    source: str
    target: str
    label: str
    further: Mapping[str, Any]
    source_entry: Mapping[str, Any] = field(default_factory=dict)
    target_entry: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""
    line: int | None = None


@dataclass(eq=False, kw_only=True)
class Pairs(Dataset):
    """A CSV or TSV table with a header: a map for the table, or for each value of a column (``by``).

    ``source``, ``target`` and ``label`` name the columns; ``labels`` says what the labels are. Without it, those of
    tables of relations (support, attack, rephrase …) and ``none`` are known. The rows of a table are held together.
    """

    name = "pairs"
    title = "Table of pairs"

    source: str = "source"
    target: str = "target"
    label: str = "label"
    labels: str | Mapping[str, str] = ""
    by: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._types = label_map(self.labels) if self.labels else _KNOWN

    def maps(self) -> Iterator[ArgumentGraph]:
        path = self._table()
        columns = (self.source, self.target, self.label, *([self.by] if self.by else []))
        groups: dict[str, list[Pair]] = {}
        file = relative(path, self.path)
        remedy = (
            "name those of the table: --set source=COLUMN,target=COLUMN,label=COLUMN (in Python source='COLUMN', …)"
        )
        for row in self._rows(path, columns, remedy):
            cells = row.cells
            further = {key: cell for key, cell in cells.items() if key not in (self.source, self.target)}
            group = cells[self.by].strip() if self.by else path.name.partition(".")[0]
            pair = Pair(cells[self.source], cells[self.target], cells[self.label], further, file=file, line=row.line)
            groups.setdefault(group, []).append(pair)
        names = UniqueNames()
        for group, pairs in groups.items():
            yield self._map(names.unique(group), pairs).graph({"by": {self.by: group}} if self.by else {})

    def _table(self) -> Path:
        if not self.path.is_dir():
            return self.path
        return table_file(self.path, "*.csv" if any(self.path.glob("*.csv")) else "*.tsv")

    def _rows(self, path: Path, columns: Iterable[str], remedy: str = "") -> Iterator[Row]:
        comma = path.name.lower().removesuffix(".gz").endswith(".csv")
        rows = csv_rows if comma else tsv_rows
        return rows(path, self.problems, tuple(columns), relative(path, self.path), remedy)

    def _map(self, name: str, pairs: Iterable[Pair]) -> _PairMap:
        """The texts and relations of pairs."""
        made = _PairMap(GraphBuilder(name=name), self.name)
        for pair in pairs:
            source, target = (
                made.text(text, entry)
                for text, entry in ((pair.source, pair.source_entry), (pair.target, pair.target_entry))
            )
            if not pair.target_entry and source and not pair.target:
                continue
            self.counts["pairs"] += 1
            label = pair.label.strip()
            type_ = self._types.get(label, self._types.get(label.casefold()))
            self._held("labels", label)
            if type_ is None:
                known = ", ".join(list(self._types)[:12])
                remedy = f"give --labels {label[:40] or 'LABEL'}=… (RA, CA, MA or none)"
                what = f"the label {label[:40]!r} is none of {known}; {remedy}"
                self.problems.add("label", what, pair.file, pair.line)
            elif source is None or target is None:
                self.problems.add("text", "a text of the pair is empty", pair.file, pair.line)
            elif type_ == _NONE:
                self.counts["unrelated pairs"] += 1
                made.unrelated.append({"source": source, "target": target, **pair.further})
            elif source == target:
                self.problems.add("cycle", "both texts of the pair are the same", pair.file, pair.line)
            else:
                made.relate(type_, source, target, pair.further)
        return made


class _PairMap:
    """A map of pairs that is being made; a text stands once for each role."""

    def __init__(self, build: GraphBuilder, key: str) -> None:
        self.build = build
        self.key = key
        self.ids: dict[tuple[object, str], str] = {}
        self.unrelated: list[dict[str, Any]] = []

    def text(self, text: str, entry: Mapping[str, Any]) -> str | None:
        """The I-node of a text, None for an empty one."""
        words = text.strip()
        if not words:
            return None
        place = entry.get("role"), words
        if place not in self.ids:
            self.ids[place] = self.build.proposition(words, record={self.key: dict(entry)} if entry else {})
        return self.ids[place]

    def relate(self, type_: str, source: str, target: str, record: Mapping[str, Any]) -> None:
        self.build.relation(type_, [source], target, DEFAULT_TEXTS[type_], record={self.key: dict(record)})

    def graph(self, document: Mapping[str, Any]) -> ArgumentGraph:
        entry = {**document, **({"unrelated": self.unrelated} if self.unrelated else {})}
        return self.build.graph(aif={self.key: entry} if entry else {})


@dataclass(eq=False, kw_only=True)
class ArgKp(Pairs):
    """One table (``ArgKP-2021_dataset.csv``), or the folder of ``arguments_*.csv``, ``key_points_*.csv`` and
    ``labels_*.csv``: a map a topic.

    An argument that matches a key point rephrases it (MA); ``labels`` says otherwise. Arguments and key points stand
    for the topic (RA) or against it (CA).
    """

    name = "argkp"
    title = "ArgKP"

    labels: str | Mapping[str, str] = "1=MA,0=none"
    source: str = field(default="argument", init=False)
    target: str = field(default="key_point", init=False)
    label: str = field(default="label", init=False)
    by: str | None = field(default="topic", init=False)

    def maps(self) -> Iterator[ArgumentGraph]:
        joined = sorted(self.path.glob("labels_*.csv")) if self.path.is_dir() else []
        topics: dict[str, list[Pair]] = {}
        for topic, pair in self._joined(joined) if joined else self._single(self._table()):
            topics.setdefault(topic, []).append(pair)
        names = UniqueNames()
        for topic, pairs in topics.items():
            made = self._map(names.unique(topic), pairs)
            claim = made.build.proposition(topic, record={self.name: {"role": "topic"}})
            for entry, id_ in self._stances(pairs, made.ids).values():
                stance = "1" if entry == "RA" else "-1"
                self._held("stances", stance)
                made.relate(entry, id_, claim, {"stance": stance})
            yield made.graph({"topic": topic})

    def _single(self, path: Path) -> Iterator[tuple[str, Pair]]:
        file = relative(path, self.path)
        for row in self._rows(path, ("topic", "argument", "key_point", "stance", "label")):
            cells = row.cells
            first, second = ({"role": role, "stance": cells["stance"]} for role in ("argument", "key point"))
            texts = cells["argument"], cells["key_point"], cells["label"]
            yield cells["topic"], Pair(*texts, {"label": cells["label"]}, first, second, file, row.line)

    def _joined(self, tables: Iterable[Path]) -> Iterator[tuple[str, Pair]]:
        for path in tables:
            part = path.name.removeprefix("labels_")
            arguments = self._texts(path.with_name(f"arguments_{part}"), "arg_id", "argument")
            points = self._texts(path.with_name(f"key_points_{part}"), "key_point_id", "key_point")
            paired: set[str] = set()
            for row in self._rows(path, ("arg_id", "key_point_id", "label")):
                ids = row.cells["arg_id"], row.cells["key_point_id"]
                start, end = arguments.get(ids[0]), points.get(ids[1])
                if start is None or end is None:
                    lacking = ids[0] if start is None else ids[1]
                    self.problems.add("dangling", f"{lacking[:40]} is in no table", path.name, row.line)
                    continue
                paired.update(ids)
                (topic, argument, first), (_, point, second) = start, end
                label = row.cells["label"]
                yield topic, Pair(argument, point, label, {"label": label}, first, second, path.name, row.line)
            for id_, (topic, text, entry) in {**arguments, **points}.items():
                if id_ not in paired:
                    self.counts["texts without a pair"] += 1
                    yield topic, Pair(text, "", "", {}, entry)

    def _texts(self, path: Path, key: str, column: str) -> dict[str, tuple[str, str, dict[str, Any]]]:
        """The topic, text and entry of the rows of a table, by their ids."""
        if not path.is_file():
            raise InputError(f"there is no {path.name}", where=str(self.path), remedy="give ArgKP's folder, whole")
        role = column.replace("_", " ")
        return {
            cells[key]: (cells["topic"], cells[column], {"role": role, "id": cells[key], "stance": cells["stance"]})
            for cells in (row.cells for row in self._rows(path, (key, column, "topic", "stance")))
        }

    def _stances(
        self, pairs: Iterable[Pair], ids: Mapping[tuple[object, str], str]
    ) -> dict[tuple[object, str], tuple[str, str]]:
        """How each text stands to the topic, with its id; a stance that is none is a problem."""
        stances: dict[tuple[object, str], tuple[str, str]] = {}
        for pair in pairs:
            for text, entry in ((pair.source, pair.source_entry), (pair.target, pair.target_entry)):
                place = entry.get("role"), text.strip()
                stance = {"1": "RA", "-1": "CA"}.get(str(entry.get("stance")).strip().removesuffix(".0"))
                if place not in ids or place in stances:
                    continue
                if stance is None:
                    what = f"the stance {str(entry.get('stance'))[:20]!r} is neither 1 nor -1"
                    self.problems.add("stance", what, pair.file, pair.line)
                else:
                    stances[place] = stance, ids[place]
        return stances
