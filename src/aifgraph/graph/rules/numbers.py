"""A graph by the numbers of its nodes, as its columns have them: what can be asked of a whole map in little time.

``View`` says the same by id, for rules that go from node to node.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from itertools import chain

from aifgraph.graph.columns import Columns
from aifgraph.graph.meta import speaker_prefix
from aifgraph.graph.nodes import RELATIONS, SCHEME_KINDS, Scheme
from aifgraph.graph.schemes import letters

Pair = tuple[int, int]


class Numbers:
    """Types and links by number; ``kinds`` are the AIF types of the nodes, with EN counted as I."""

    def __init__(self, columns: Columns, kinds: Sequence[str]) -> None:
        self.columns, self.kinds = columns, kinds
        by_kind: defaultdict[str, list[int]] = defaultdict(list)
        for number, kind in enumerate(kinds):
            by_kind[kind].append(number)
        #: The nodes of each type.
        self.by_kind: dict[str, list[int]] = dict(by_kind)
        pairs: defaultdict[tuple[str, str], list[Pair]] = defaultdict(list)
        for pair in columns.ends:
            pairs[kinds[pair[0]], kinds[pair[1]]].append(pair)
        #: The edges by the types at their ends.
        self.pairs: dict[tuple[str, str], list[Pair]] = dict(pairs)

    def of(self, kind: str) -> list[int]:
        """The nodes of a type."""
        return self.by_kind.get(kind, [])

    def texts_of(self, kind: str) -> list[str]:
        """The texts of the nodes of a type."""
        texts = self.columns.texts
        return [texts[number] for number in self.of(kind)]

    @cached_property
    def start(self) -> list[int]:
        """One start of each S-node, -1 where it has none and for other nodes (see ``View.starts``)."""
        found = [-1] * len(self.kinds)
        # A relation that leads to another is a start only where there is no other, which then takes its place.
        for _, pairs in sorted(self._starting(), key=lambda each: each[0][0] not in RELATIONS):
            for start, end in pairs:
                found[end] = start
        return found

    @cached_property
    def end(self) -> list[int]:
        """One end of each S-node, -1 where it has none and for other nodes (see ``View.ends``)."""
        found = [-1] * len(self.kinds)
        for _, pairs in self._ending():
            for start, end in pairs:
                found[start] = end
        return found

    def starts_of(self, kind: str) -> list[int]:
        """``start`` of the S-nodes of a type."""
        return [self.start[number] for number in self.of(kind)]

    def ends_of(self, kind: str) -> list[int]:
        """``end`` of the S-nodes of a type."""
        return [self.end[number] for number in self.of(kind)]

    @cached_property
    def several_starts(self) -> frozenset[str]:
        """The types of S-nodes of which some may have more than one start."""
        led = {kind: sum(len(pairs) for ends, pairs in self._starting() if ends[1] == kind) for kind in SCHEME_KINDS}
        return frozenset(
            kind for kind in SCHEME_KINDS if led[kind] > len(self.of(kind)) - self.starts_of(kind).count(-1)
        )

    @cached_property
    def several_ends(self) -> frozenset[str]:
        """The types of S-nodes of which some have more than one end."""
        led = {kind: sum(len(pairs) for ends, pairs in self._ending() if ends[0] == kind) for kind in SCHEME_KINDS}
        return frozenset(kind for kind in SCHEME_KINDS if led[kind] > len(self.of(kind)) - self.ends_of(kind).count(-1))

    def links(self, kind: str) -> list[Pair] | None:
        """Each start with each end of the S-nodes of a type; None where some have several ends."""
        if kind in self.several_ends:
            return None
        if kind not in self.several_starts:
            return [link for link in zip(self.starts_of(kind), self.ends_of(kind), strict=True) if -1 not in link]
        to = self.end
        return [
            (start, to[end])
            for ends, pairs in self._starting()
            if ends[1] == kind
            for start, end in pairs
            if to[end] >= 0
        ]

    @cached_property
    def labels(self) -> list[str]:
        """The label of each illocution (see ``label_of``)."""
        texts, numbers, schemes = self.texts_of("YA"), self.of("YA"), self.columns.schemes
        by_text = {text: label_of(text, ()) for text in set(texts)}
        found = [by_text[text] for text in texts]
        if "" in by_text.values():  # the scheme says what the text does not
            pairs = zip(found, numbers, strict=True)
            found = [label or label_of("", schemes.get(number, ())) for label, number in pairs]
        return found

    @cached_property
    def analysing(self) -> set[int]:
        """The illocutions of analysts: bookkeeping (who drew this), not speech."""
        if "analysing" not in self.labels:
            return set()
        return {number for number, label in zip(self.of("YA"), self.labels, strict=True) if label == "analysing"}

    @cached_property
    def joined(self) -> set[int]:
        """The nodes that an edge leads to or from."""
        return set(chain.from_iterable(self.columns.ends))

    @cached_property
    def speech(self) -> list[int]:
        """The locutions that people made: all that are in a relation to anything, without those that only serve an
        analyst's Analysing."""
        joined = self.joined
        found = [number for number in self.of("L") if number in joined]
        if self.analysing:
            leading = [pair for ends, pairs in self.pairs.items() if ends[0] == "L" for pair in pairs]
            more = {locution for locution, end in leading if end not in self.analysing}
            only = {locution for locution, _ in leading if locution not in more}
            found = [number for number in found if number not in only]
        return found

    @cached_property
    def speakers(self) -> list[str]:
        """Who speaks, as the texts of ``speech`` say it in front; empty where they do not."""
        texts = self.columns.texts
        return [speaker_prefix(texts[number]) for number in self.speech]

    def _starting(self) -> list[tuple[tuple[str, str], list[Pair]]]:
        """The edges that lead from what an S-node starts from, by the types at their ends."""
        return [
            (ends, pairs)
            for ends, pairs in self.pairs.items()
            if (ends[1] in RELATIONS and ends[0] != "YA") or ends[1] == "YA" or ends == ("L", "TA")
        ]

    def _ending(self) -> list[tuple[tuple[str, str], list[Pair]]]:
        """The edges that lead to what an S-node leads to."""
        return [
            (ends, pairs)
            for ends, pairs in self.pairs.items()
            if ends[0] in SCHEME_KINDS and (ends[0] != "TA" or ends[1] == "L")
        ]


def label_of(text: str, schemes: Sequence[Scheme]) -> str:
    """An illocution's label in letters only: its text, or its scheme's name where the text says nothing."""
    label = letters(text)
    if label in ("", "ya"):
        return letters(schemes[0].name or "") if schemes else ""
    return label
