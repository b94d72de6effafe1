"""A second analyst who errs on purpose: how CASS falls when a share of a map is changed.

A score means little by itself; compared with what a known amount of disagreement gives, it can be read. Each kind of
change is made in about ``share`` of the places where it could be made, and nothing else changes:

- ``segmentation``: a unit of four words or more is cut in two at a word drawn at random. (A locution takes its
  illocutions and propositions along: the second half is said, with the same illocution, for itself.)
- ``relations``: an RA, CA, MA or PA is dropped, changes its type, or moves one end to another proposition.
- ``illocutions``: a YA gets another label, of those in the map or of the common ones.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from aifgraph.align.analysis import analyse
from aifgraph.comparison.cass import Scores
from aifgraph.comparison.compare import compare
from aifgraph.comparison.options import Options, signature_of
from aifgraph.corpus.corpus import Corpus
from aifgraph.errors import AifgraphError, OptionError
from aifgraph.evaluation.pooled import PairNames, macro, summary_of
from aifgraph.graph import ArgumentGraph
from aifgraph.graph.meta import without_speaker
from aifgraph.graph.nodes import RELATIONS, Edge, Node, make_node
from aifgraph.graph.schemes import DEFAULT_TEXTS
from aifgraph.stats.bootstrap import check_seed
from aifgraph.tables import Cell, Table

KINDS = ("segmentation", "relations", "illocutions")
_LABELS = ("Asserting", "Agreeing", "Challenging", "Arguing", "Disagreeing", "Pure Questioning", "Restating")
_TYPES = {type_: DEFAULT_TEXTS[type_] for type_ in ("RA", "CA", "MA")}


def perturb(graph: ArgumentGraph, share: float, kinds: Iterable[str] = KINDS, *, seed: int = 0) -> ArgumentGraph:
    """A copy with about ``share`` (0 to 1) of it changed; the same seed makes the same changes.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> _ = build.proposition("Masks help people to breathe", id="1")
    >>> [node.text.split()[0] for node in perturb(build.graph(), 1.0, ["segmentation"])][0]
    'Masks'

    Raises:
        OptionError: a share outside 0 to 1, an unknown kind, a seed out of range.
    """
    if not 0 <= share <= 1:
        raise OptionError(f"a share of {share}", remedy="give one from 0 to 1")
    chosen = [kinds] if isinstance(kinds, str) else list(kinds)
    if unknown := [kind for kind in chosen if kind not in KINDS]:
        raise OptionError(f"there is no kind {unknown[0]!r}", remedy=f"choose from {', '.join(KINDS)}")
    check_seed(seed)
    changes = _Changes(graph, share)
    for kind in KINDS:
        if kind in chosen:
            getattr(changes, kind)(random.Random(f"{seed}/{kind}/{share}/{len(graph)}"))
    return changes.graph()


class _Changes:
    def __init__(self, graph: ArgumentGraph, share: float) -> None:
        self._graph = graph
        self._share = share
        self._nodes: dict[str, Node] = {node.id: node for node in graph}
        self._edges = [(edge.source, edge.target) for edge in graph.edges]

    def graph(self) -> ArgumentGraph:
        """The changed graph. Spans of the source text belong to the old units: those that were cut lose them."""
        known = {(edge.source, edge.target): edge for edge in self._graph.edges}
        ends = [(a, b) for a, b in dict.fromkeys(self._edges) if a in self._nodes and b in self._nodes]
        meta = self._graph.meta
        locutions = tuple(locution for locution in meta.locutions if locution.node_id in self._nodes)
        source = meta.source
        if source is not None and source.spans is not None:
            same = {node.id for node in self._graph if self._nodes.get(node.id) == node}
            source = replace(source, spans=tuple(span for span in source.spans if span.node_id in same))
        return ArgumentGraph(
            self._nodes.values(),
            [known.get((a, b)) or Edge(a, b) for a, b in ends],
            replace(meta, locutions=locutions, source=source),
            self._graph.name,
        )

    def _some(self, ids: Iterable[str], rng: random.Random) -> list[str]:
        return [id_ for id_ in ids if rng.random() < self._share]

    def _new(self, node: Node, text: str) -> str:
        number = len(self._nodes)
        while f"p{number}" in self._nodes:
            number += 1
        self._nodes[f"p{number}"] = make_node(node.type, f"p{number}", text, node.schemes)
        return f"p{number}"

    def _after(self, id_: str, kind: str) -> list[str]:
        return [b for a, b in self._edges if a == id_ and b in self._nodes and self._nodes[b].type == kind]

    def _retext(self, id_: str, text: str, type_: str = "") -> None:
        node = self._nodes[id_]
        self._nodes[id_] = make_node(type_ or node.type, id_, text, () if type_ else node.schemes, node.record)

    def segmentation(self, rng: random.Random) -> None:
        analysis = analyse(self._graph)
        for id_ in self._some([analysis.nodes[unit].id for unit in analysis.units], rng):
            node = self._nodes[id_]
            said = without_speaker(node.text) if node.type == "L" else node.text
            prefix = node.text[: len(node.text) - len(node.text.lstrip())] if node.type != "L" else ""
            prefix = node.text[: node.text.find(said)] if node.type == "L" else prefix
            words = list(re.finditer(r"\S+", said))
            if len(words) < 4:
                continue
            place = words[rng.randrange(1, len(words))].start()
            self._retext(id_, prefix + said[:place].rstrip())
            second = self._new(node, prefix + said[place:])
            for act in self._after(id_, "YA"):
                for content in self._after(act, "I"):
                    whole = self._nodes[content].text
                    cut = _cut_like(whole, said[:place])
                    if cut:
                        self._retext(content, whole[:cut].rstrip())
                        act_of_second = self._new(self._nodes[act], self._nodes[act].text)
                        said_by_second = self._new(self._nodes[content], whole[cut:])
                        self._edges += [(second, act_of_second), (act_of_second, said_by_second)]
            if node.type == "L":
                step = self._new(make_node("TA", "", DEFAULT_TEXTS["TA"]), DEFAULT_TEXTS["TA"])
                self._edges += [(id_, step), (step, second)]

    def relations(self, rng: random.Random) -> None:
        propositions = [node.id for node in self._nodes.values() if node.type == "I"]
        for id_ in self._some([node.id for node in self._graph if node.type in RELATIONS], rng):
            what = rng.choice(("drop", "type", "end"))
            if what == "drop" or (what == "end" and len(propositions) < 3):
                del self._nodes[id_]
            elif what == "type":
                type_ = rng.choice([type_ for type_ in _TYPES if type_ != self._nodes[id_].type])
                self._retext(id_, _TYPES[type_], type_)
            else:
                near = {id_} | {b for a, b in self._edges if a == id_} | {a for a, b in self._edges if b == id_}
                others = [node for node in propositions if node not in near]
                ends = [
                    number
                    for number, (a, b) in enumerate(self._edges)
                    if id_ in (a, b) and self._type(b if a == id_ else a) == "I"
                ]
                if not others or not ends:
                    continue
                number, other = rng.choice(ends), rng.choice(others)
                self._edges[number] = (id_, other) if self._edges[number][0] == id_ else (other, id_)

    def illocutions(self, rng: random.Random) -> None:
        acts = [node.id for node in self._graph if node.type == "YA"]
        labels = sorted({*_LABELS, *(self._nodes[act].text for act in acts)})
        for act in self._some(acts, rng):
            node = self._nodes[act]
            label = rng.choice([label for label in labels if label != node.text])
            self._nodes[act] = make_node("YA", act, label, (), node.record)

    def _type(self, id_: str) -> str:
        return self._nodes[id_].type if id_ in self._nodes else ""


def _cut_like(text: str, head: str) -> int:
    """Where to cut a proposition whose locution is cut after ``head``: after as many words, if some are left."""
    words = list(re.finditer(r"\S+", text))
    count = len(head.split())
    return words[count].start() if 0 < count < len(words) else 0


@dataclass(frozen=True, slots=True)
class NoisePoint:
    """How ``maps`` maps agree with copies of which a ``share`` is changed, in one kind or in ``all``: macro numbers."""

    kind: str
    share: float
    maps: int
    S: float | None
    mean: Scores
    cass: Scores


@dataclass(frozen=True, slots=True)
class NoiseFloor:
    """How macro CASS falls: a point for each kind of change and each share."""

    points: tuple[NoisePoint, ...]
    signature: str

    def curves(self, score: str = "kappa") -> dict[str, list[tuple[float, float | None]]]:
        """(percent changed, CASS) by kind of change."""
        curves: dict[str, list[tuple[float, float | None]]] = {}
        for point in self.points:
            curves.setdefault(point.kind, []).append((100 * point.share, point.cass[score]))
        return curves

    def tables(self) -> list[Table]:
        """One row for each kind and share."""
        rows: list[list[Cell]] = [
            [p.kind, p.share, p.maps, p.S, p.mean["kappa"], p.cass["kappa"], p.mean["f1"], p.cass["f1"]]
            for p in self.points
        ]
        columns = ("changed", "share", "maps", "S", "M-κ", "CASS-κ", "M-F1", "CASS-F1")
        return [Table("CASS against perturbed copies", columns, rows)]

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {"signature": self.signature, "points": [asdict(point) for point in self.points]}


def noise_floor(
    corpus: Corpus,
    shares: Iterable[float] = (0.0, 0.05, 0.1, 0.2, 0.4),
    kinds: Iterable[str] = (*KINDS, "all"),
    *,
    seed: int = 0,
    options: Options | None = None,
) -> NoiseFloor:
    """Macro CASS of a corpus against perturbed copies of itself, by kind and share. Unreadable maps are skipped.

    Raises:
        OptionError: an unknown kind, a share or seed out of range.
    """
    all_shares = list(shares)
    points = []
    for kind in kinds:
        for share in all_shares:
            pairs = []
            for number, entry in enumerate(corpus):
                try:
                    graph = entry.load()
                except AifgraphError:
                    continue
                changed = perturb(graph, share, KINDS if kind == "all" else [kind], seed=(seed + number) % 2**32)
                names = PairNames(entry.name, entry.name)
                pairs.append(summary_of(compare(graph, changed, options=options), names))
            scores = macro(pairs)
            points.append(NoisePoint(kind, share, len(pairs), scores.S, scores.mean, scores.cass))
    return NoiseFloor(tuple(points), f"{signature_of(options or Options())}|perturb:{seed}")
