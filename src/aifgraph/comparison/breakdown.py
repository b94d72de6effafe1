"""What stands behind the scores (docs/measures.md, section 10).

A calculation with more than one label mixes two questions, which folding its matrix tells apart: whether there is
something (*attachment*), and what it is (*label given attachment*). Beside the calculations: the schemes of relations
that both sides have, the speakers of matched locutions, and the wording of what was matched.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Analysis
from aifgraph.align.matching import Match
from aifgraph.comparison.calculations import paired
from aifgraph.comparison.cass import Scores
from aifgraph.comparison.items import Link
from aifgraph.comparison.links import Claims
from aifgraph.comparison.sides import Natural
from aifgraph.graph.nodes import Node
from aifgraph.graph.schemes import DEFAULT_TEXTS, fold_name, is_default, scheme_name
from aifgraph.graph.side_data import speaker_prefix
from aifgraph.stats.matrix import NONE, ConfusionMatrix
from aifgraph.stats.scores import score_all, undefined_reason
from aifgraph.tables import Cell

#: Matched texts below this similarity share less than half of their wording.
LOW_SIMILARITY: Final = 0.5
#: So many of the least similar are kept.
_KEPT: Final = 3


# -- calculations -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded matrix with the scores that say something about it.

    ``first`` and ``second`` are how many decisions have a label on either side, ``undefined`` reasons by score.
    """

    scores: Scores
    first: int
    second: int
    undefined: Mapping[str, str]

    @classmethod
    def of(cls, matrix: ConfusionMatrix, names: tuple[str, ...]) -> Folded:
        """Return a folded matrix with the named scores."""
        scores, with_none = score_all(matrix, names), matrix.labels[-1:] == (NONE,)
        first, second = (
            matrix.total - (sums[-1] if with_none else 0) for sums in (matrix.row_sums, matrix.column_sums)
        )
        undefined = {name: undefined_reason(name, matrix) or "" for name, value in scores.items() if value is None}
        return cls(scores, first, second, undefined)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; undefined scores have a reason."""
        support = {"first": self.first, "second": self.second}
        return {**self.scores, "support": support, **({"undefined": self.undefined} if self.undefined else {})}


@dataclass(frozen=True, slots=True)
class FoldedCalculation:
    """A calculation with more than one label, folded: any label against none, the label where both sides have one, and
    each label against all the rest. Its sum is ``decisions``: an item with two labels is two."""

    items: int
    decisions: int
    attachment: Folded
    label_given_attachment: Folded
    labels: Mapping[str, Folded]

    @classmethod
    def of(cls, items: int, matrix: ConfusionMatrix) -> FoldedCalculation:
        """Fold a matrix.

        >>> matrix = ConfusionMatrix(("CA", "RA", "none"), ((1, 1, 0), (0, 3, 1), (0, 2, 12)))
        >>> folded = FoldedCalculation.of(20, matrix)
        >>> round(folded.attachment.scores["f1"], 3), folded.label_given_attachment.scores["accuracy"]
        (0.769, 0.8)
        """
        any_label: Counter[tuple[str, str]] = Counter()
        for (first, second), count in matrix.cells.items():
            any_label["any" if first != NONE else NONE, "any" if second != NONE else NONE] += count
        labels = [label for label in matrix.labels if label != NONE]
        both = {cell: count for cell, count in matrix.cells.items() if NONE not in cell}
        return cls(
            items,
            matrix.total,
            Folded.of(ConfusionMatrix.counts(any_label, ("any", NONE)), ("kappa", "f1")),
            Folded.of(ConfusionMatrix.counts(both, labels), ("kappa", "accuracy")),
            {label: Folded.of(matrix.collapse(label), ("precision", "recall", "f1", "kappa")) for label in labels},
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "items": self.items,
            "decisions": self.decisions,
            "attachment": self.attachment.to_dict(),
            "label_given_attachment": self.label_given_attachment.to_dict(),
            "labels": {label: folded.to_dict() for label, folded in self.labels.items()},
        }


# -- schemes and speakers ---------------------------------------------------------------------------------------------

#: The names that each side gives to one thing.
NameSets = tuple[frozenset[str], frozenset[str]]


@dataclass(frozen=True, slots=True)
class NameAgreement:
    """How two analyses agree on names: name in the first, name in the second, and how often; only what occurs.

    >>> speakers = NameAgreement((("Ann", "Ann", 3), ("Bob", "Ann", 1), ("Bob", "Bob", 2)))
    >>> speakers.matrix.total, round(speakers.scores["kappa"], 3)
    (6, 0.667)
    """

    cells: tuple[tuple[str, str, Natural], ...] = ()

    @property
    def matrix(self) -> ConfusionMatrix:
        """The cells as a matrix."""
        return ConfusionMatrix.counts({(first, second): count for first, second, count in self.cells})

    @property
    def undefined(self) -> str:
        """Why there is no score; empty where there is one."""
        if not self.cells:
            return "there is nothing that both sides have"
        return (
            "" if any((first, second) != (NONE, NONE) for first, second, _ in self.cells) else "neither side names one"
        )

    @property
    def scores(self) -> Scores:
        """Cohen's kappa over all names with ``none``, and the share of decisions with the same name."""
        names = ("kappa", "accuracy")
        return dict.fromkeys(names) if self.undefined else score_all(self.matrix, names)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        matrix = self.matrix
        sums = zip(matrix.labels, matrix.row_sums, matrix.column_sums, strict=True)
        return {
            "decisions": matrix.total,
            **self.scores,
            "support": {name: {"first": first, "second": second} for name, first, second in sums},
            "cells": [list(cell) for cell in self.cells],
            **({"undefined": self.undefined} if self.undefined else {}),
        }


@dataclass(frozen=True, slots=True)
class NameCounts:
    """The names of schemes, by type of relation, and of the speakers of matched locutions."""

    schemes: Mapping[str, NameAgreement] = field(default_factory=dict)
    speakers: NameAgreement = field(default_factory=NameAgreement)


def count_names(alignment: Alignment, sides: tuple[Claims, Claims]) -> NameCounts:
    """Count the names of the schemes of relations that both sides have, and of the speakers of matched locutions."""
    ours, theirs = (_schemes(side) for side in sides)
    schemes: defaultdict[str, list[NameSets]] = defaultdict(list)
    for relation in ours.keys() & theirs.keys():
        schemes[relation[1]].append((ours[relation], theirs[relation]))
    speakers = [
        (speaker_names(alignment.first, node_class.first), speaker_names(alignment.second, node_class.second))
        for node_class in alignment.locutions.classes
        if node_class.first and node_class.second
    ]
    return NameCounts({type_: _agreement(schemes[type_]) for type_ in sorted(schemes)}, _agreement(speakers))


def _agreement(pairs: Iterable[NameSets]) -> NameAgreement:
    """Count decisions by name; names are equal if their letters and digits are, and the smallest spelling is shown."""
    counts = Counter(pairs)
    keys = {name: name_key(name) for sets in counts for names in sets for name in names}
    shown: dict[str | None, str] = {None: NONE}
    for name in sorted(keys):
        shown.setdefault(keys[name], f"“{name}”" if name == NONE else name)
    cells: Counter[tuple[str, str]] = Counter()
    for sets, count in counts.items():
        first, second = ({keys[name] for name in names} for names in sets)
        for one, other in paired(first, second) if first or second else [(None, None)]:
            cells[shown[one], shown[other]] += count
    return NameAgreement(tuple((first, second, count) for (first, second), count in sorted(cells.items())))


def name_key(name: str) -> str:
    """Return a name as names are compared."""
    return fold_name(name) or name


def _schemes(side: Claims) -> dict[tuple[Link, str], frozenset[str]]:
    """Return the relations between classes, with the names of the schemes of their S-nodes."""
    schemes: dict[tuple[Link, str], frozenset[str]] = {}
    for node, link, type_ in side.compared:
        if isinstance(link, Link):
            names = frozenset(scheme_names(side.analysis.nodes[node], type_))
            schemes[link, type_] = schemes.get((link, type_), frozenset()) | names
    return schemes


def scheme_names(node: Node, kind: str) -> Iterator[str]:
    """Yield the names of the schemes of a relation, but for the default."""
    for scheme in node.schemes:
        name = (scheme.name or "").strip() or scheme_name(scheme.id or "")
        if name and not is_default(scheme, kind) and fold_name(name) != fold_name(DEFAULT_TEXTS[kind]):
            yield name


def speaker_names(analysis: Analysis, locutions: Iterable[int]) -> frozenset[str]:
    """Return the names of those who made some locutions: of the participant, else the prefix of the text."""
    names: set[str] = set()
    for number in locutions:
        node = analysis.nodes[number]
        person = analysis.graph.speaker_of(node)
        names.add((person.name if person else "") or speaker_prefix(node.text))
    return frozenset(names - {""})


@dataclass(frozen=True, slots=True)
class Breakdown:
    """What stands behind the scores of a pair: of calculations, of schemes by type of relation, of speakers."""

    calculations: Mapping[str, FoldedCalculation]
    schemes: Mapping[str, NameAgreement]
    speakers: NameAgreement

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "calculations": {name: folded.to_dict() for name, folded in self.calculations.items()},
            "schemes": {type_: names.to_dict() for type_, names in self.schemes.items()},
            "speakers": self.speakers.to_dict(),
        }

    def records(self) -> Iterator[dict[str, Cell]]:
        """Yield a flat row for each folded matrix: of what, which part, supports, scores."""
        for name, folded in self.calculations.items():
            parts = {"attachment": folded.attachment, "label given attachment": folded.label_given_attachment}
            for part, fold in (*parts.items(), *folded.labels.items()):
                yield {
                    "of": name.replace("_", " "),
                    "part": part,
                    "first": fold.first,
                    "second": fold.second,
                    **fold.scores,
                }
        names = [("schemes", f"{type_} that both have", of) for type_, of in self.schemes.items()]
        for what, part, agreement in (*names, ("speakers", "matched locutions", self.speakers)):
            if agreement.cells:
                fold = Folded.of(agreement.matrix, ())
                yield {"of": what, "part": part, "first": fold.first, "second": fold.second, **agreement.scores}


def breakdown(counted: Mapping[str, tuple[int, ConfusionMatrix]], names: NameCounts) -> Breakdown:
    """Return the breakdown of calculations, given with their numbers of items, and of names."""
    folded = {
        name: FoldedCalculation.of(items, matrix)
        for name, (items, matrix) in counted.items()
        if sum(label != NONE for label in matrix.labels) > 1
    }
    return Breakdown(folded, names.schemes, names.speakers)


# -- wording ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MatchedTexts:
    """What two matched nodes say, how similar that is, and the cosine of a match by meaning."""

    first: str
    second: str
    similarity: float
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Wording:
    """How many matches by place have a similarity below one half, of how many; and the least similar ones of these."""

    count: Natural = 0
    of: Natural = 0
    pairs: tuple[MatchedTexts, ...] = ()


def wording_of(alignment: Alignment) -> Wording:
    """Return the wording of what was matched one to one, both places being known.

    >>> import aifgraph
    >>> one, other = aifgraph.GraphBuilder(), aifgraph.GraphBuilder()
    >>> _ = one.proposition("masks help"), other.proposition("help a lot")
    >>> wording_of(aifgraph.compare(one.graph(), other.graph(), first_text="masks help a lot").alignment)
    Wording(count=1, of=1, pairs=(MatchedTexts(first='masks help', second='help a lot', similarity=0.1, cosine=None),))
    """
    first, second = alignment.first_positions, alignment.second_positions
    placed = [match for match in _matches(alignment, "text") if match.first in first and match.second in second]
    low = [_texts(alignment, match) for match in placed if match.similarity < LOW_SIMILARITY]
    least = sorted(set(low), key=lambda texts: (texts.similarity, texts.first, texts.second))
    return Wording(len(low), len(placed), tuple(least[:_KEPT]))


def matched_by_meaning(alignment: Alignment) -> tuple[MatchedTexts, ...]:
    """Return what was matched by meaning, the nearest first."""
    found = [_texts(alignment, match) for match in _matches(alignment, "meaning")]
    return tuple(sorted(found, key=lambda texts: (-(texts.cosine or 0), texts.first, texts.second)))


def _matches(alignment: Alignment, by: str) -> Iterator[Match]:
    for node_class in (*alignment.propositions.classes, *alignment.locutions.classes):
        if node_class.match and node_class.match.by == by:
            yield node_class.match


def _texts(alignment: Alignment, match: Match) -> MatchedTexts:
    first, second = alignment.first.said[match.first], alignment.second.said[match.second]
    return MatchedTexts(first, second, match.similarity, match.cosine)
