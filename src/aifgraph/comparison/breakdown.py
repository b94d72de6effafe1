"""What stands behind a score: the matrices of a comparison, collapsed (docs/measures.md, section 10).

A calculation with more than one label mixes two questions: whether there is something (*attachment*), and what it is
(*label given attachment*). Collapsing its matrix answers each, and what every label is worth alone. Two more questions
are outside of M: whether relations that both sides have are of the same *scheme*, and who said the matched locutions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Analysis
from aifgraph.comparison.calculations.calculation import paired
from aifgraph.comparison.calculations.registry import ByCalculation
from aifgraph.comparison.sides import Count
from aifgraph.graph.meta import speaker_prefix
from aifgraph.graph.nodes import Node
from aifgraph.graph.schemes import DEFAULT_TEXTS, fold_name, is_default, scheme_name
from aifgraph.stats.agreement import cohen
from aifgraph.stats.matrix import NONE, ConfusionMatrix
from aifgraph.stats.scores import score_all, undefined_reason
from aifgraph.tables import Cell, Table

#: The scores of one label against all the rest.
LABEL_SCORES = ("precision", "recall", "f1", "kappa")


@dataclass(frozen=True)
class CollapsedMatrix:
    """A collapsed matrix and the scores that say something about it: ``collapsed["kappa"]``, None where undefined.

    ``first`` and ``second`` are the supports: how many decisions have a label (other than ``none``) on either side.
    """

    matrix: ConfusionMatrix
    names: tuple[str, ...]

    @cached_property
    def scores(self) -> dict[str, float | None]:
        """The scores by name."""
        return score_all(self.matrix, self.names)

    def __getitem__(self, score: str) -> float | None:
        return self.scores[score]

    @property
    def first(self) -> int:
        """How many decisions the first analysis labels."""
        return self.matrix.total - _unlabelled(self.matrix, self.matrix.row_sums)

    @property
    def second(self) -> int:
        """How many decisions the second analysis labels."""
        return self.matrix.total - _unlabelled(self.matrix, self.matrix.column_sums)

    @property
    def undefined(self) -> dict[str, str]:
        """Why scores are undefined, by name."""
        return {name: undefined_reason(name, self.matrix) or "" for name, value in self.scores.items() if value is None}

    def to_dict(self) -> dict[str, Any]:
        """As plain values, with the supports; undefined scores have a reason under ``undefined``."""
        support = {"first": self.first, "second": self.second}
        return {**self.scores, "support": support, **({"undefined": self.undefined} if self.undefined else {})}


def _unlabelled(matrix: ConfusionMatrix, sums: tuple[int, ...]) -> int:
    return sums[-1] if matrix.labels[-1:] == (NONE,) else 0


@dataclass(frozen=True)
class CalculationBreakdown:
    """A calculation with more than one label: ``items`` of its universe, and its matrix, collapsed.

    >>> matrix = ConfusionMatrix(("CA", "RA", "none"), ((1, 1, 0), (0, 3, 1), (0, 2, 12)))
    >>> behind = CalculationBreakdown(20, matrix)
    >>> round(behind.attachment["f1"], 3), behind.label_given_attachment["accuracy"], behind.labels["CA"].first
    (0.769, 0.8, 2)
    """

    items: int
    matrix: ConfusionMatrix

    @property
    def decisions(self) -> int:
        """The sum of the matrix: an item with two labels is two decisions."""
        return self.matrix.total

    @cached_property
    def attachment(self) -> CollapsedMatrix:
        """Any label against ``none``: kappa and F1."""
        cells = {("any" if a != NONE else a, "any" if b != NONE else b): 0 for a, b in self.matrix.cells}
        for (first, second), count in self.matrix.cells.items():
            cells["any" if first != NONE else first, "any" if second != NONE else second] += count
        return CollapsedMatrix(ConfusionMatrix.counts(cells, ("any", NONE)), ("kappa", "f1"))

    @cached_property
    def label_given_attachment(self) -> CollapsedMatrix:
        """Only what both sides label: kappa and accuracy."""
        labels = tuple(label for label in self.matrix.labels if label != NONE)
        cells = {cell: count for cell, count in self.matrix.cells.items() if NONE not in cell}
        return CollapsedMatrix(ConfusionMatrix.counts(cells, labels), ("kappa", "accuracy"))

    @cached_property
    def labels(self) -> dict[str, CollapsedMatrix]:
        """Every label against all the rest: precision, recall, F1, kappa."""
        return {
            label: CollapsedMatrix(self.matrix.collapse(label), LABEL_SCORES)
            for label in self.matrix.labels
            if label != NONE
        }

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "items": self.items,
            "decisions": self.decisions,
            "attachment": self.attachment.to_dict(),
            "label_given_attachment": self.label_given_attachment.to_dict(),
            "labels": {label: collapsed.to_dict() for label, collapsed in self.labels.items()},
        }


@dataclass(frozen=True)
class NameAgreement:
    """How two analyses agree on names (of schemes, of speakers). Names are many, so only cells above 0 are stored: name
    in the first, name in the second, count.

    >>> speakers = NameAgreement.of({("Ann", "Ann"): 3, ("Bob", "Bob"): 2, ("Bob", "Ann"): 1})
    >>> speakers.decisions, round(speakers.accuracy, 3), round(speakers.kappa, 3), speakers.support["Bob"]
    (6, 0.833, 0.667, (3, 2))
    """

    cells: tuple[tuple[str, str, Count], ...] = ()

    @classmethod
    def of(cls, counts: Mapping[tuple[str, str], int]) -> NameAgreement:
        """From decisions by the name that the first analysis gives and the one that the second gives; ``none`` for no
        name."""
        return cls(tuple((first, second, count) for (first, second), count in sorted(counts.items())))

    @property
    def counts(self) -> Counter[tuple[str, str]]:
        """Decisions by both names, which can be summed."""
        return Counter({(first, second): count for first, second, count in self.cells})

    @cached_property
    def decisions(self) -> int:
        """The sum of the cells."""
        return sum(count for *_, count in self.cells)

    @cached_property
    def _agreed(self) -> int:
        return sum(count for first, second, count in self.cells if first == second)

    @cached_property
    def support(self) -> dict[str, tuple[int, int]]:
        """By name, how many decisions have it in the first and in the second analysis; ``none`` last."""
        support: dict[str, tuple[int, int]] = {}
        for first, second, count in self.cells:
            ours, theirs = support.get(first, (0, 0))
            support[first] = (ours + count, theirs)
            ours, theirs = support.get(second, (0, 0))
            support[second] = (ours, theirs + count)
        return dict(sorted(support.items(), key=lambda entry: (entry[0] == NONE, entry[0])))

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa over all names with ``none``; None where nobody names one."""
        if not self._named:
            return None
        return cohen(self.decisions, self._agreed, sum(ours * theirs for ours, theirs in self.support.values()))

    @property
    def accuracy(self) -> float | None:
        """The share of decisions with the same name; None where nobody names one."""
        return self._agreed / self.decisions if self._named else None

    @property
    def _named(self) -> bool:
        return any(count and (first, second) != (NONE, NONE) for first, second, count in self.cells)

    @property
    def undefined(self) -> str:
        """Why there is no score; empty where there is one."""
        if not self.decisions:
            return "there is nothing that both sides have"
        return "" if self._named else "neither side names one"

    def to_dict(self) -> dict[str, Any]:
        """As plain values; cells as [name in the first, name in the second, count]."""
        support = {name: {"first": ours, "second": theirs} for name, (ours, theirs) in self.support.items()}
        return {
            "decisions": self.decisions,
            "kappa": self.kappa,
            "accuracy": self.accuracy,
            "support": support,
            "cells": [list(cell) for cell in self.cells],
            **({"undefined": self.undefined} if self.undefined else {}),
        }


@dataclass(frozen=True, slots=True)
class NameCounts:
    """What a breakdown needs besides the matrices, so that it can be summed over pairs; ``schemes`` are by type of
    relation."""

    schemes: Mapping[str, NameAgreement] = field(default_factory=dict)
    speakers: NameAgreement = field(default_factory=NameAgreement)


@dataclass
class NameTotals:
    """Sums of :class:`NameCounts`, one pair at a time."""

    schemes: dict[str, Counter[tuple[str, str]]] = field(default_factory=dict)
    speakers: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, counts: NameCounts) -> None:
        """Add a pair."""
        for type_, names in counts.schemes.items():
            self.schemes.setdefault(type_, Counter()).update(names.counts)
        self.speakers.update(counts.speakers.counts)

    @property
    def total(self) -> NameCounts:
        """The sum so far."""
        schemes = {type_: NameAgreement.of(cells) for type_, cells in sorted(self.schemes.items())}
        return NameCounts(schemes, NameAgreement.of(self.speakers))


@dataclass(frozen=True)
class Breakdown:
    """What stands behind the scores of a pair, or of the summed counts of a corpus.

    ``calculations`` are those with more than one label; ``schemes`` are by type of relation. ``speakers`` are those of
    the matched locutions.
    """

    calculations: Mapping[str, CalculationBreakdown]
    schemes: Mapping[str, NameAgreement]
    speakers: NameAgreement

    @classmethod
    def of(
        cls, matrices: Mapping[str, ConfusionMatrix], items: Mapping[str, int | None], counts: NameCounts
    ) -> Breakdown:
        """From the matrices of the calculations that apply, the sizes of their universes, and the rest."""
        collapsed = ByCalculation(
            (name, CalculationBreakdown(items.get(name) or 0, matrix))
            for name, matrix in matrices.items()
            if sum(label != NONE for label in matrix.labels) > 1
        )
        return cls(collapsed, counts.schemes, counts.speakers)

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "calculations": {name: behind.to_dict() for name, behind in self.calculations.items()},
            "schemes": {type_: names.to_dict() for type_, names in self.schemes.items()},
            "speakers": self.speakers.to_dict(),
        }

    def records(self) -> Iterator[dict[str, Cell]]:
        """One flat row per collapsed matrix: of what, which part, supports, scores."""
        for name, behind in self.calculations.items():
            of = name.replace("_", " ")
            parts = {"attachment": behind.attachment, "label given attachment": behind.label_given_attachment}
            for part, collapsed in (*parts.items(), *behind.labels.items()):
                yield {"of": of, "part": part, "first": collapsed.first, "second": collapsed.second, **collapsed.scores}
        named = {f"{type_} that both have": names for type_, names in self.schemes.items()}
        for of, parts_of in (("schemes", named), ("speakers", {"matched locutions": self.speakers})):
            for part, names in parts_of.items():
                if names.decisions:
                    none = names.support.get(NONE, (0, 0))
                    first, second = names.decisions - none[0], names.decisions - none[1]
                    scores = {"kappa": names.kappa, "accuracy": names.accuracy}
                    yield {"of": of, "part": part, "first": first, "second": second, **scores}

    def tables(self) -> list[Table]:
        """One table with a row for each collapsed matrix; none where there is nothing to collapse."""
        columns = ("of", "part", "first", "second", "precision", "recall", "f1", "kappa", "accuracy")
        rows = [[record.get(column) for column in columns] for record in self.records()]
        return [Table("Behind the scores", columns, rows, note=_NOTE)] if rows else []


_NOTE = (
    "attachment: any label against none; label given attachment: only where both have a label;\n"
    "else one label against all the rest\n"
    "first, second: how many decisions have it on either side; schemes and speakers are no part of M"
)


def name_counts(alignment: Alignment, types: Iterable[str]) -> NameCounts:
    """The counts of a pair: ``types`` are the relations that take part."""
    relation_types = frozenset(types)
    propositions, locutions = alignment.propositions, alignment.locutions
    ours = _schemes(alignment.first, propositions.first_class, relation_types)
    theirs = _schemes(alignment.second, propositions.second_class, relation_types)
    schemes: dict[str, list[tuple[set[str], set[str]]]] = {}
    for relation, names in ours.items():
        if relation in theirs:
            schemes.setdefault(relation[2], []).append((names, theirs[relation]))
    speakers = (
        (speaker_names(alignment.first, node_class.first), speaker_names(alignment.second, node_class.second))
        for node_class in locutions.classes
        if node_class.first and node_class.second
    )
    of_types = {type_: _agreement(schemes[type_]) for type_ in sorted(schemes)}
    return NameCounts(of_types, _agreement(speakers))


def _agreement(pairs: Iterable[tuple[set[str], set[str]]]) -> NameAgreement:
    """Decisions by name, names being equal if their letters and digits are; the smallest spelling is shown."""
    listed = list(pairs)
    spelling: dict[str, str] = {}
    for name in {name for sets in listed for names in sets for name in names}:
        key = name_key(name)
        spelling[key] = min(name, spelling.get(key, name))
    displayed: dict[str | None, str] = {key: f"“{name}”" if name == NONE else name for key, name in spelling.items()}
    displayed[None] = NONE
    cells: dict[tuple[str, str], int] = {}
    for first, second in listed:
        ours, theirs = {name_key(name) for name in first}, {name_key(name) for name in second}
        for one, other in paired(ours, theirs) if ours or theirs else ((None, None),):
            cell = (displayed[one], displayed[other])
            cells[cell] = cells.get(cell, 0) + 1
    return NameAgreement.of(cells)


def name_key(name: str) -> str:
    """A name as names are compared."""
    return fold_name(name) or name


def _schemes(
    analysis: Analysis, class_of: Mapping[int, int], types: frozenset[str]
) -> dict[tuple[int, int, str], set[str]]:
    """The relations between classes, with the names of the schemes of their S-nodes."""
    kinds = analysis.kinds
    schemes: dict[tuple[int, int, str], set[str]] = {}
    for node, kind in enumerate(kinds):
        if kind in types:
            starts = {class_of[other] for other in analysis.predecessors[node] if kinds[other] == "I"}
            ends = {class_of[other] for other in analysis.successors[node] if kinds[other] == "I"}
            if starts and ends:
                names = set(scheme_names(analysis.nodes[node], kind))
                for start in starts:
                    for end in ends - {start}:
                        schemes.setdefault((start, end, kind), set()).update(names)
    return schemes


def scheme_names(node: Node, kind: str) -> Iterator[str]:
    """The names of the schemes of a relation, but the default."""
    for scheme in node.schemes:
        name = (scheme.name or "").strip() or scheme_name(scheme.id or "")
        if name and not is_default(scheme, kind) and fold_name(name) != fold_name(DEFAULT_TEXTS[kind]):
            yield name


def speaker_names(analysis: Analysis, locutions: Iterable[int]) -> set[str]:
    """The names of those who made some locutions, given by their numbers; a participant without a name is called as
    the text says."""
    names: set[str] = set()
    for number in locutions:
        node = analysis.nodes[number]
        person = analysis.graph.speaker_of(node)
        names.add((person.name if person else "") or speaker_prefix(node.text))
    return names - {""}
