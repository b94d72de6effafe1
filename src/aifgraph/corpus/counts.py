"""What a corpus holds, counted for the data statement of a paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from aifgraph.align.analysis import Analysis, analyse
from aifgraph.graph import KINDS, ArgumentGraph
from aifgraph.graph.nodes import NAMES
from aifgraph.graph.schemes import named_scheme
from aifgraph.tables import Cell, Table, render
from aifgraph.text.words import words_of

_EXCHANGES: Final = {"TA": "replies to", "RA": "supports", "CA": "attacks", "MA": "rephrases"}
#: Whoever quotes whom in a post; in maps of forums only.
_QUOTES: Final = "quotes"
#: The speakers who have a column of their own in ``show``.
_COLUMNS: Final = 5
UNKNOWN: Final = "unknown"


@dataclass(slots=True)
class CorpusCounts:
    """Counts over the maps that could be read; ``failed`` lists the others with their errors.

    Words are those of the source text, of a map without one those that its units say. Locutions and speakers are those
    of the dialogue: an analyst's own (``Coder: Ann: yes``) are counted as ``analyst_locutions`` and among the nodes
    only. A node that several maps share counts in each of them.
    """

    name: str = ""
    maps: int = 0
    with_text: int = 0
    words: int = 0
    edges: int = 0
    analyst_locutions: int = 0
    nodes: Counter[str] = field(default_factory=Counter)
    #: By type and scheme; ``none`` for a relation without one.
    schemes: Counter[tuple[str, str]] = field(default_factory=Counter)
    #: Locutions by speaker.
    speakers: Counter[str] = field(default_factory=Counter)
    illocutions: Counter[str] = field(default_factory=Counter)
    #: By speaker and label; an illocution that a transition anchors is that of who speaks after it.
    illocutions_by_speaker: Counter[tuple[str, str]] = field(default_factory=Counter)
    #: Who replies to, supports, attacks and rephrases whom: by speaker, verb and the other speaker.
    exchanges: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    failed: list[tuple[str, str]] = field(default_factory=list)

    def add(self, graph: ArgumentGraph) -> None:
        """Count one map."""
        words, of_text = words_of_map(graph)
        analysis = analyse(graph)
        self.maps += 1
        self.words += len(words)
        self.with_text += of_text
        self.edges += len(graph.edges)
        self.analyst_locutions += len(graph.locutions) - len(analysis.locutions)
        self.nodes.update(node.type for node in graph)
        self.schemes.update(_schemes(graph))
        self.speakers.update(_speaker(analysis, locution) for locution in analysis.locutions)
        acts = list(_illocutions(analysis))
        self.illocutions.update(label for _, label in acts)
        self.illocutions_by_speaker.update(acts)
        self.exchanges.update(_exchanges(analysis))

    def tables(self, *, every: bool = True) -> list[Table]:
        """Return what a corpus holds, without rows of zeros; ``every`` adds the illocutions of all speakers."""
        overview = [
            ("maps", self.maps),
            ("maps that could not be read", len(self.failed)),
            ("maps with a source text", self.with_text),
            ("words", self.words),
            ("nodes", self.nodes.total()),
            ("edges", self.edges),
            ("locutions of analysts, left out below", self.analyst_locutions),
            ("speakers", len(self.speakers.keys() - {UNKNOWN})),
        ]
        kinds = [kind for kind in (*KINDS, *sorted(self.nodes.keys() - set(KINDS))) if self.nodes[kind]]
        nodes = [(kind, NAMES.get(kind, "not AIF"), self.nodes[kind]) for kind in kinds]
        all_acts = ("Illocutions of all speakers", ("speaker", "illocution", "nodes"), self.illocutions_by_speaker)
        verbs = (*_EXCHANGES.values(), *([_QUOTES] if any(verb == _QUOTES for _, verb, _ in self.exchanges) else []))
        pairs = _ranked(Counter((who, other) for who, _, other in self.exchanges.elements()))
        exchanges = [(who, other, *(self.exchanges[who, verb, other] for verb in verbs)) for (who, other), _ in pairs]
        tables = [
            Table(self.name, ("what", "count"), [row for row in overview if row[1]]),
            Table("Nodes", ("type", "name", "nodes"), nodes),
            self._illocutions_table(),
            *([_ranking(*all_acts)] if every else []),
            _ranking("Schemes", ("type", "scheme", "nodes"), self.schemes),
            Table("Who argues with whom", ("speaker", "to", *verbs), exchanges),
        ]
        return [table for table in tables if table.rows]

    def _illocutions_table(self) -> Table:
        """Return the illocutions, with columns for those who have most."""
        speakers = [who for who, _ in _ranked(Counter(who for who, _ in self.illocutions_by_speaker.elements()))]
        shown = speakers[:_COLUMNS]
        rows: list[tuple[Cell, ...]] = []
        for label, count in _ranked(self.illocutions):
            counts = [self.illocutions_by_speaker[who, label] for who in shown]
            rows.append((label, count, *counts, count - sum(counts))[: len(speakers) + 2])
        columns = ("illocution", "nodes", *shown, "others")[: len(speakers) + 2]
        return Table("Illocutions by speaker", columns, rows)

    def __str__(self) -> str:
        return render(self.tables(), "text").rstrip("\n")

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain values, for JSON."""
        return {
            "name": self.name,
            "maps": self.maps,
            "with_text": self.with_text,
            "words": self.words,
            "nodes": dict(self.nodes.most_common()),
            "edges": self.edges,
            "analyst_locutions": self.analyst_locutions,
            "illocutions": dict(self.illocutions.most_common()),
            "schemes": _records(("type", "scheme", "nodes"), self.schemes),
            "speakers": dict(self.speakers.most_common()),
            "illocutions_by_speaker": _records(("speaker", "illocution", "nodes"), self.illocutions_by_speaker),
            "exchanges": _records(("speaker", "does", "to", "times"), self.exchanges),
            "failed": [{"map": name, "error": error} for name, error in self.failed],
        }


def _records(columns: tuple[str, ...], counts: Counter[Any]) -> list[dict[str, Any]]:
    return [dict(zip(columns, (*key, n), strict=True)) for key, n in counts.most_common()]


def words_of_map(graph: ArgumentGraph) -> tuple[list[str], bool]:
    """Return the words that a map analyses, and whether they stand in the order of a text."""
    source = graph.meta.source
    if source is not None:
        words = words_of(source.text)
        if words:
            return words, True
    return words_of_units(graph), False


def words_of_units(graph: ArgumentGraph) -> list[str]:
    """Return what the units of a map say (locutions, and propositions that nobody says), in the order of the file."""
    analysis = analyse(graph)
    return [word for unit in analysis.units for word in words_of(analysis.said[unit])]


# -- speakers ---------------------------------------------------------------------------------------------------------


def _speaker(analysis: Analysis, locution: int) -> str:
    speaker = analysis.graph.speaker_of(analysis.nodes[locution])
    return (speaker.name or speaker.id if speaker else "") or UNKNOWN


def _speakers_of(analysis: Analysis, node: int) -> set[str]:
    """Return who says a node: a locution, what an illocution leads to, or what it leads to from a transition."""
    if analysis.kinds[node] == "L":
        return {_speaker(analysis, node)}
    if analysis.kinds[node] == "TA":  # whoever speaks after it
        return {_speaker(analysis, end) for end in analysis.successors[node] if analysis.kinds[end] == "L"}
    acts = [start for start in analysis.predecessors[node] if analysis.kinds[start] == "YA"]
    anchors = {anchor for act in acts for anchor in analysis.predecessors[act] if analysis.kinds[anchor] in ("L", "TA")}
    return {speaker for anchor in anchors for speaker in _speakers_of(analysis, anchor)}


def _illocutions(analysis: Analysis) -> Iterator[tuple[str, str]]:
    """Yield speaker and label of each illocution; one of several speakers is nobody's alone."""
    for node, kind in enumerate(analysis.kinds):
        if kind == "YA":
            anchors = [start for start in analysis.predecessors[node] if analysis.kinds[start] in ("L", "TA")]
            speakers = {speaker for anchor in anchors for speaker in _speakers_of(analysis, anchor)}
            yield speakers.pop() if len(speakers) == 1 else UNKNOWN, analysis.label_names[node]


def _exchanges(analysis: Analysis) -> Iterator[tuple[str, str, str]]:
    """Yield speaker, verb and other speaker of each transition and relation, each once.

    A post of a forum replies by the transition from its parent; its quotes and answers to them are no replies.
    """
    for node, kind in enumerate(analysis.kinds):
        if kind not in _EXCHANGES:
            continue
        match analysis.nodes[node].extra.get("iac") if kind == "TA" else None:
            case {"link": "quote", "quoted_by": str(speaker)}:
                quoted = {whom for end in analysis.successors[node] for whom in _speakers_of(analysis, end)}
                yield from ((speaker or UNKNOWN, _QUOTES, other) for other in quoted)
                continue
            case {"link": "quote" | "response"}:
                continue
        starts = [start for start in analysis.predecessors[node] if analysis.kinds[start] != "YA"]
        speakers, others = (
            {speaker for end in ends for speaker in _speakers_of(analysis, end)}
            for ends in (starts, analysis.successors[node])
        )
        if kind == "TA":  # a transition leads from what is said to the reply
            speakers, others = others, speakers
        yield from ((speaker, _EXCHANGES[kind], other) for speaker in speakers for other in others)


# -- relations --------------------------------------------------------------------------------------------------------


def _schemes(graph: ArgumentGraph) -> Iterator[tuple[str, str]]:
    """Yield type and scheme of each relation; without one, its text where that is the name of one, else ``none``."""
    for node in graph.relations:
        schemes = node.schemes
        if not schemes and (named := named_scheme(node.text, node.type)).id:
            schemes = (named,)
        yield from ((node.type, scheme.name or scheme.id or "") for scheme in schemes)
        if not schemes:
            yield node.type, "none"


# -- tables -----------------------------------------------------------------------------------------------------------


def _ranked(counts: Mapping[Any, int]) -> list[tuple[Any, int]]:
    return sorted(counts.items(), key=lambda row: (-row[1], row[0]))


def _ranking(title: str, columns: tuple[str, ...], counts: Mapping[Any, int]) -> Table:
    return Table(title, columns, [(*((key,) if isinstance(key, str) else key), n) for key, n in _ranked(counts)])
