"""What a corpus holds, counted as the data statement of a paper tables it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from aifgraph.align.analysis import analyse
from aifgraph.errors import AifgraphError
from aifgraph.formats import NamedMap
from aifgraph.graph import KINDS, ArgumentGraph
from aifgraph.graph.nodes import NAMES
from aifgraph.graph.people import NAMELESS, nameless
from aifgraph.graph.schemes import DEFAULT_TEXTS, named_scheme
from aifgraph.printable import quantity
from aifgraph.tables import Cell, Document, Result, Table
from aifgraph.text.markup import plain_text
from aifgraph.text.words import words_of

#: A text of a relation is a sentence, and no name, beyond so many letters.
_MAX_FUNCTION = 60


@dataclass(slots=True, repr=False)
class CorpusStats(Result):
    """Counts over the maps that could be read; ``failed`` lists the others with their errors.

    ``lengths`` has a list per measure (``words``, ``nodes``, ``locutions``, ``propositions``) with one number a map.
    Words are those of the source text; of a map without one, those that its units say. Locutions and speakers are
    those of the dialogue: an analyst's own (``Coder: Ann: yes``) are counted in ``analyst`` and among the nodes only. A
    node that several maps share (AIFdb's ids are global) counts in each of them. ``functions`` are the texts of
    relations that name no scheme (*elaboration*, *Evidence*), ``undercuts`` conflicts with a relation, ``nameless`` the
    ids of people whose names nothing says.
    """

    name: str = ""
    maps: int = 0
    with_text: int = 0
    edges: int = 0
    analyst: int = 0
    nodes: Counter[str] = field(default_factory=Counter)
    illocutions: Counter[str] = field(default_factory=Counter)
    schemes: Counter[tuple[str, str]] = field(default_factory=Counter)
    functions: Counter[tuple[str, str]] = field(default_factory=Counter)
    undercuts: int = 0
    speakers: Counter[str] = field(default_factory=Counter)
    nameless: set[str] = field(default_factory=set, repr=False)
    _digests: set[bytes] = field(default_factory=set, repr=False)
    lengths: dict[str, list[int]] = field(
        default_factory=lambda: {"words": [], "nodes": [], "locutions": [], "propositions": []}
    )
    failed: list[tuple[str, str]] = field(default_factory=list)

    @property
    def texts(self) -> int:
        """The number of distinct texts."""
        return len(self._digests)

    def add(self, graph: ArgumentGraph) -> None:
        """Count one map."""
        words, of_text = words_analysed(graph)
        self.maps += 1
        self.with_text += of_text
        self.edges += len(graph.edges)
        self.nodes.update(node.type for node in graph)
        side = analyse(graph)
        spoken = [side.nodes[index] for index in side.locutions]
        self.analyst += len(graph.locutions) - len(spoken)
        self.illocutions.update(side.label_names[node] for node, kind in enumerate(side.kinds) if kind == "YA")
        self.schemes.update(scheme_counts(graph))
        self.functions.update(_functions(graph))
        self.undercuts += _undercuts(graph)
        self._digests.add(blake2b("\0".join(words).encode("utf-8", "backslashreplace"), digest_size=16).digest())
        for node in spoken:
            who = graph.speaker_of(node)
            self.speakers[(who.name or who.id if who else "") or "unknown"] += 1
        self.nameless |= nameless(graph)
        measured = (len(words), len(graph), len(spoken), len(side.propositions))
        for name, value in zip(self.lengths, measured, strict=True):
            self.lengths[name].append(value)

    def include(self, other: CorpusStats) -> None:
        """Add the counts of further maps."""
        for number in ("maps", "with_text", "edges", "analyst", "undercuts"):
            setattr(self, number, getattr(self, number) + getattr(other, number))
        for counter in ("nodes", "illocutions", "schemes", "functions", "speakers", "_digests", "nameless"):
            getattr(self, counter).update(getattr(other, counter))
        for name, values in other.lengths.items():
            self.lengths[name] += values
        self.failed += other.failed

    @property
    def words(self) -> int:
        """The words of all maps."""
        return sum(self.lengths["words"])

    def tables(self, most: int | None = None) -> list[Table]:
        """The tables of a data statement; ``most`` rows at the most of illocutions, schemes and speakers."""
        overview = [
            ("maps", self.maps),
            ("maps that could not be read", len(self.failed)),
            ("maps with a source text", self.with_text),
            ("distinct texts", self.texts),
            ("words", self.words),
            ("nodes", sum(self.nodes.values())),
            ("edges", self.edges),
            ("undercuts (conflicts with a relation)", self.undercuts),
            ("locutions of analysts, left out below", self.analyst),
            ("speakers", len(self.speakers.keys() - {"unknown"})),
            (NAMELESS, len(self.nameless)),
        ]
        kinds = [*KINDS, *sorted(self.nodes.keys() - set(KINDS))]
        return [
            Table(f"Corpus {self.name}".rstrip(), ("what", "count"), overview),
            Table(
                "Per map",
                ("what", "min", "median", "mean", "max", "total"),
                [(name, *_spread(values)) for name, values in self.lengths.items()],
                digits=1,
            ),
            Table(
                "Nodes",
                ("type", "name", "nodes", "maps' mean"),
                [(kind, NAMES.get(kind, "not AIF"), self.nodes[kind], self._mean(kind)) for kind in kinds],
                digits=1,
            ),
            _ranked("Illocutions", ("illocution",), {(label,): n for label, n in self.illocutions.items()}, most),
            _ranked("Schemes", ("type", "scheme"), self.schemes, most),
            *([_ranked("Functions", ("type", "function"), self.functions, most)] if self.functions else []),
            _ranked("Speakers", ("speaker",), {(who,): n for who, n in self.speakers.items()}, most, "locutions"),
        ]

    def _mean(self, kind: str) -> float | None:
        return self.nodes[kind] / self.maps if self.maps else None

    def document(self) -> Document:
        """What the command line writes."""
        return Document(tables=self.tables())

    def to_dict(self) -> dict[str, Any]:
        """The counts as plain values, for JSON."""
        return {
            "name": self.name,
            "maps": self.maps,
            "with_text": self.with_text,
            "words": self.words,
            "nodes": dict(self.nodes.most_common()),
            "edges": self.edges,
            "analyst_locutions": self.analyst,
            "illocutions": dict(self.illocutions.most_common()),
            "schemes": [{"type": kind, "scheme": name, "nodes": n} for (kind, name), n in self.schemes.most_common()],
            "functions": [
                {"type": kind, "function": name, "nodes": n} for (kind, name), n in self.functions.most_common()
            ],
            "undercuts": self.undercuts,
            "distinct_texts": self.texts,
            "speakers": dict(self.speakers.most_common()),
            "speakers_without_name": len(self.nameless),
            "lengths": {
                name: dict(zip(("min", "median", "mean", "max", "total"), _spread(values), strict=True))
                for name, values in self.lengths.items()
            },
            "failed": [{"map": name, "error": error} for name, error in self.failed],
        }


def words_analysed(graph: ArgumentGraph) -> tuple[list[str], bool]:
    """The words that a map analyses, and whether they stand in the order of a text."""
    source = graph.meta.source
    if source is not None:
        words = words_of(source.text if source.spans is not None else plain_text(source.text).text)
        if words:
            return words, True
    return words_of_units(graph), False


def words_of_units(graph: ArgumentGraph) -> list[str]:
    """What the units of a map say (locutions, and propositions that nobody says), in the order of the file."""
    side = analyse(graph)
    return [word for _, words in side.said_words() for word in words]


def count(name: str, maps: Iterable[NamedMap]) -> CorpusStats:
    """The counts of a corpus (its name and its entries), one map in memory at a time."""
    stats = CorpusStats(name)
    for entry in maps:
        try:
            stats.add(entry.load())
        except AifgraphError as error:
            stats.failed.append((entry.name, str(error)))
    return stats


def _undercuts(graph: ArgumentGraph) -> int:
    """How many conflicts are with a relation."""
    relations = {node.id for node in graph.relations}
    conflicts = {node.id for node in graph.conflicts}
    return len({edge.source for edge in graph.edges if edge.source in conflicts and edge.target in relations})


def _functions(graph: ArgumentGraph) -> Iterator[tuple[str, str]]:
    """What relations without a scheme are called, where that is neither a scheme nor the text of any relation."""
    for node in graph.relations:
        text = " ".join(node.text.split())[:_MAX_FUNCTION]
        own = text and text not in (node.type, DEFAULT_TEXTS.get(node.type)) and not node.schemes
        if own and not named_scheme(node.text, node.type).id:
            yield node.type, text


def _spread(values: list[int]) -> tuple[int | None, float | None, float | None, int | None, int]:
    """Least, median, mean, greatest and sum; None where there is nothing."""
    if not values:
        return None, None, None, None, 0
    from statistics import median

    total = sum(values)
    return min(values), float(median(values)), total / len(values), max(values), total


def _ranked(
    title: str, columns: tuple[str, ...], counts: Mapping[Any, int], most: int | None, unit: str = "nodes"
) -> Table:
    """Rows by falling count, equal counts by name, with their share."""
    total = sum(counts.values())
    ranked = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    rows: list[tuple[Cell, ...]] = [(*key, n, 100 * n / total) for key, n in ranked[:most]]
    left = len(ranked) - len(rows)
    note = f"and {left} more, {quantity(total - sum(n for _, n in ranked[:most]), unit)}" if left else ""
    return Table(title, (*columns, unit, "%"), rows, digits=1, note=note)


def scheme_counts(graph: ArgumentGraph) -> Counter[tuple[str, str]]:
    """How often each scheme of each type of relation occurs; of a relation without a scheme its text counts where that
    is the name of one, else ``none``.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.node("RA", "Default Inference"), build.node("RA", "because")
    >>> scheme_counts(build.graph())
    Counter({('RA', 'Default Inference'): 1, ('RA', 'none'): 1})
    """
    counts: Counter[tuple[str, str]] = Counter()
    for node in graph.relations:
        schemes = node.schemes
        if not schemes and (named := named_scheme(node.text, node.type)).id:
            schemes = (named,)
        counts.update((node.type, scheme.name or scheme.id or "") for scheme in schemes)
        counts[node.type, "none"] += not schemes
    return +counts
