"""Differences in words: a sentence for each side, and a listing that says a text once with its changed words marked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import chain, groupby
from typing import Final, NamedTuple

from aifgraph.align.alignment import Alignment
from aifgraph.align.analysis import Analysis, Pair
from aifgraph.comparison.breakdown import name_key, scheme_names, speaker_names
from aifgraph.comparison.differences.find import GROUPS, Difference, Group, NodeNumber, PairNodes
from aifgraph.printable import pluralize, printable, shortened, unhashed
from aifgraph.tables import Cell, Table, as_text, wrapped

#: How it differs.
KINDS: Final = {
    "reversed": "the other way round",
    "relabelled": "labelled differently",
    "re-attached": "attached differently",
    "spoken by another": "of another speaker",
    "scheme": "of another scheme",
    "reworded": "worded differently",
}
#: What a relation of each type does, and a transition: alone, of several premises together, and in the passive.
VERBS: Final = {
    "RA": ("supports", "support", "is supported by"),
    "CA": ("attacks", "attack", "is attacked by"),
    "MA": ("rephrases", "rephrase", "is rephrased by"),
    "PA": ("is preferred to", "are preferred to", "is less preferred than"),
    "TA": ("is followed by", "are followed by", "follows"),
}
#: After every word of a text.
NOWHERE: Final = (1 << 60, 1 << 60)
#: Texts of which a smaller share of words is the same have no words marked.
_ALIKE: Final = 0.4
#: Nor have texts whose numbers of words multiply to more: that takes too long.
_MAX_WORDS: Final = 1_000_000
#: Differences of texts, in which words are marked.
_OF_TEXT: Final = ("reworded", "cut differently")
#: The most lines of a difference in a listing that is to fit a screen.
_MOST_LINES: Final = 6

#: Words as the first side and as the second has them; equal where the two say the same.
Run = tuple[str, str]


class Piece(NamedTuple):
    """Words of a sentence; those with a ``key`` stand for something that the other side may have, too."""

    text: str
    quoted: bool = False
    key: Hashable = None
    changed: bool = False


class Entry(NamedTuple):
    """A difference in a listing; ``pair`` is the name of a pair of corpora."""

    pair: str
    group: Group
    what: str
    cost: int
    runs: list[Run]


def ends_of(analysis: Analysis, node: int) -> tuple[list[int], list[int]]:
    """Return what a relation, transition or illocution starts from, and what it leads to."""
    kinds, before, after = analysis.kinds, analysis.predecessors[node], analysis.successors[node]
    if kinds[node] == "YA":
        return [*before], [*after]
    source = "L" if kinds[node] == "TA" else "I"
    return [n for n in before if kinds[n] == source], [n for n in after if kinds[n] != "YA"]


class Verbalizer(PairNodes):
    """Puts nodes and differences into words; ``names`` are those of the sides."""

    def __init__(self, alignment: Alignment, names: Sequence[str] = ("first", "second")) -> None:
        super().__init__(alignment)
        self.names = names
        self.claims, self.locutions = alignment.propositions.class_of, alignment.locutions.class_of

    # -- nodes --------------------------------------------------------------------------------------------------------

    def text(self, side: int, node: int) -> str:
        """Return what a claim or locution says."""
        return " ".join(self.analyses[side].said[node].split())

    def ends(self, side: int, node: int) -> tuple[list[int], list[int]]:
        """Return what a relation, transition or illocution starts from, and what it leads to, in reading order."""
        around = ends_of(self.analyses[side], node)
        starts, ends = ([n for _, n in self.in_reading_order((side, n) for n in nodes)] for nodes in around)
        return starts, ends

    def sentence(self, side: int, node: int, role: str = "", depth: int = 0) -> list[Piece]:
        """Return a node in words. Pieces have keys that are equal on both sides where they stand for the same."""
        analysis, kind = self.analyses[side], self.analyses[side].kinds[node]
        if kind in ("I", "L"):
            number = (self.claims if kind == "I" else self.locutions)[side].get(node)
            text = Piece(self.text(side, node), True, (role, kind, number))
            who = sorted(speaker_names(analysis, [node])) if kind == "L" and not depth else []
            return [Piece(f"{', '.join(who)}: ", key=tuple(map(name_key, who))), text] if who else [text]
        starts, ends = self.ends(side, node)
        if kind == "YA":
            label = Piece(analysis.label_names[node], key=analysis.label_keys[node])
            return [label, Piece(": "), *self._several(side, ends)]
        if depth and role == "end":
            step = [Piece("the step from", key="step"), Piece(" "), *self._several(side, starts, "end", depth)]
            return [*step, Piece(" to "), *self._several(side, ends, "to", depth + 1)]
        alone, together, _ = VERBS.get(kind, (kind, kind, kind))
        schemes = "" if depth or kind == "TA" else ", ".join(scheme_names(analysis.schemes(node), kind))
        return [
            *self._several(side, starts, "start", depth + 1),
            Piece(" "),
            Piece(alone if len(starts) < 2 else together, key=kind),
            Piece(" "),
            *self._several(side, ends, "end", depth + 1),
            *([Piece(f" ({schemes})", key=schemes)] if schemes else []),
        ]

    def _several(self, side: int, nodes: Sequence[int], role: str = "", depth: int = 1) -> list[Piece]:
        if not nodes or depth > 3:
            return [Piece("nothing" if not nodes else "…")]
        pieces: list[Piece] = []
        for node in nodes:
            pieces += [Piece(" and ")] if pieces else []
            pieces += self.sentence(side, node, role, depth)
        return pieces

    # -- differences --------------------------------------------------------------------------------------------------

    def sentences(self, row: Difference) -> tuple[list[Piece], list[Piece]]:
        """Return what each side says of a difference, nothing for a side that has none of it."""
        sides: tuple[list[Piece], list[Piece]] = ([], [])
        for side, node in row.nodes:
            sides[side].extend([Piece(" "), Piece("¦", changed=True), Piece(" ")] if sides[side] else [])
            sides[side].extend(self.sentence(side, node))
            if row.group == "illocutions" and row.kind == "re-attached":
                sides[side].extend([Piece(", at "), *self._several(side, self.ends(side, node)[0], "end")])
        return sides

    def said(self, row: Difference) -> Pair[list[Piece]]:
        """Return a sentence for each side, with what differs marked."""
        if row.sides != "both":
            ours, theirs = self.sentences(row)
            absence = [Piece(self.absence(row))]
            return ours or absence, theirs or absence
        found: Pair[list[Piece]] = ([], [])
        for *both, changed in self._parts(row):
            for sentence, pieces in zip(found, both, strict=True):
                sentence.extend(piece._replace(changed=changed) for piece in pieces if piece.text)
        return found

    def runs(self, row: Difference) -> list[Run]:
        """Return what a difference is about, said once: a text that both sides word differently as the first does."""
        if row.sides == "both" and row.kind in _OF_TEXT:
            words = changed_words(*map(_texts, self.sentences(row)))
            return [("“", "“"), *[run for pair in words for run in ((" ", " "), pair)][1:], ("”", "”")]
        found: list[Run] = []
        for *both, changed in self._parts(row):
            text, other_text = map(joined, both)
            if changed:
                before, after = (
                    " " * (has_blank(text, " ") or has_blank(other_text, " "))
                    for has_blank in (str.startswith, str.endswith)
                )
                found += [(before, before), (text.strip(), other_text.strip()), (after, after)]
            else:
                found.append((text, text))
        return [run for run in found if any(run)]

    def _parts(self, row: Difference) -> Iterator[tuple[list[Piece], list[Piece], bool]]:
        """Yield the parts of both sentences with whether they differ; of what is turned round, the second in the
        passive. Of what only one side has, its sentence stands for both."""
        ours, theirs = self.sentences(row)
        if row.sides != "both":
            yield ours or theirs, ours or theirs, False
        elif row.kind in _OF_TEXT:
            for text, other_text in changed_words(_texts(ours), _texts(theirs)):
                yield [Piece(text, True)], [Piece(other_text, True)], text != other_text
        else:
            if row.kind == "reversed":
                verbs = iter([VERBS[kind][2] for _, _, kind, _ in theirs if isinstance(kind, str) and kind in VERBS])
                theirs = [Piece(next(verbs), key="passive") if piece.key in VERBS else piece for piece in ours]
            first, second = ([p.text if p.key is None else p.key for p in pieces] for pieces in (ours, theirs))
            for tag, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
                yield ours[a:b], theirs[c:d], tag != "equal"

    def absence(self, row: Difference) -> str:
        """Return what the side says that has nothing of a row."""
        if row.group != "relations":
            return f"no such {row.group.removesuffix('s')}"
        classes = self.alignment.propositions.classes
        for side, node in row.nodes:
            for end in chain(*self.ends(side, node)):
                if self.kind((side, end)) == "I" and classes[self.claims[side][end]].match is None:
                    return f"does not have “{shortened(self.text(side, end), 80)}”"
        return "has these propositions, but no such relation between them"

    def members(self, number: int, side: int) -> tuple[int, ...]:
        return self.alignment.propositions.classes[number].sides[side]

    def what(self, row: Difference) -> str:
        """Return how a difference differs."""
        first, second = self.names
        only = {"first": f"only in {first}", "second": f"only in {second}"}
        return only.get(row.sides) or KINDS.get(row.kind, row.kind)

    # -- places -------------------------------------------------------------------------------------------------------

    def in_reading_order(self, nodes: Iterable[NodeNumber]) -> list[NodeNumber]:
        """Return the nodes of the first side, then of the second, each as they stand in the text, then by id."""
        several = list(nodes)
        if len(several) > 1:
            several.sort(key=lambda node: (node[0], self.span(node) or NOWHERE, self.order(node)))
        return several

    def ids(self, nodes: Collection[NodeNumber]) -> Pair[tuple[str, ...]]:
        """Return the ids of the first side's nodes and of the second's."""
        first, second = (tuple(self.id(node) for node in nodes if node[0] == side) for side in (0, 1))
        return first, second

    def span(self, *nodes: NodeNumber) -> tuple[int, int] | None:
        """Return the first word of what some nodes are about, and the one after the last."""
        found: list[tuple[int, int]] = []
        for side, number in nodes:
            positions, analysis = self.alignment.sides[side].positions, self.analyses[side]
            around = [[number]]
            if analysis.kinds[number] not in ("I", "L"):
                # A relation stands where its premises are, an illocution where its content is said.
                around += [analysis.predecessors[number], analysis.successors[number]]
            runs = ([run for node in ends for run in positions.get(node, ())] for ends in around)
            found += next(filter(None, runs), ())
        return (min(start for start, _ in found), max(end for _, end in found)) if found else None


def joined(pieces: Iterable[Piece]) -> str:
    """Return the words of a sentence, those of the texts in quotation marks."""
    return "".join(f"“{piece.text}”" if piece.quoted else piece.text for piece in pieces)


def changed_words(first: str, second: str) -> list[Run]:
    """Return the words of two texts in runs that are the same or differ; one run where hardly a word is the same.

    >>> changed_words("some masks help", "masks do help")
    [('some', ''), ('masks', 'masks'), ('', 'do'), ('help', 'help')]
    """
    ours, theirs = first.split(), second.split()
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    if len(ours) * len(theirs) > _MAX_WORDS or matcher.ratio() < _ALIKE:
        return [(" ".join(ours), " ".join(theirs))]
    return [(" ".join(ours[a:b]), " ".join(theirs[c:d])) for _, a, b, c, d in matcher.get_opcodes()]


def _texts(pieces: Iterable[Piece]) -> str:
    return " ¦ ".join(piece.text for piece in pieces if piece.quoted)


# -- listings ---------------------------------------------------------------------------------------------------------


def head(entries: Sequence[Entry], labels: int, pairs: int = 0) -> str:
    """Return how many differences there are, of corpora in how many of the pairs, and how many of all labels differ."""
    differing = f"{len({entry.pair for entry in entries})} of " if entries else ""
    where = f" in {differing}{pluralize(pairs, 'pairs')}" if pairs else ""
    count = pluralize(len(entries), "differences") if entries else "No differences"
    cost, free = sum(entry.cost for entry in entries), sum(not entry.cost for entry in entries)
    apart = f"; {free} of them cost nothing" if free else ""
    return f"{count}{where}, cost {cost} ({cost} of {labels} labels differ){apart}"


def legend(entries: Iterable[Entry], names: Sequence[str]) -> str:
    """Return what the marks in some entries mean; nothing where there are none."""
    runs = [run for entry in entries for run in entry.runs]
    if all(first == second for first, second in runs):
        return ""
    nothing = "; ∅ is nothing" if not all(map(all, runs)) else ""
    cut = "; ¦ is a cut" if any("¦" in text for run in runs for text in run) else ""
    return f"[what {names[0]} has → what {names[1]} has]{nothing}{cut}"


def marked(runs: Iterable[Run]) -> str:
    """Return what a difference is about, with what differs in brackets.

    >>> marked([("", "some "), ("masks help", "masks help")])
    '[∅ → some ]masks help'
    """
    pairs = (tuple(map(_clean, run)) for run in runs)
    return "".join(first if first == second else f"[{first or '∅'} → {second or '∅'}]" for first, second in pairs)


def _clean(text: str) -> str:
    return unhashed(printable(text))


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    """Return the costliest entries first, those of one kind together."""
    return sorted(entries, key=lambda entry: (-entry.cost, GROUPS.index(entry.group), entry.what))


def listing(
    entries: Sequence[Entry],
    title: str,
    names: Sequence[str],
    signature: str,
    width: int = 100,
    most: int | None = None,
) -> list[str]:
    """Return lines that list differences between a title and a signature, at most so many."""
    lines = [line for part in title.splitlines() for line in wrapped(part, width)]
    lines += wrapped(_clean(legend(entries, names)), width)
    kinds = (line for table in kinds_tables(entries, names) for line in as_text(table, width).splitlines())
    signed, left = [*kinds, *wrapped(signature, width)], len(entries)
    by_kind = groupby(in_order(entries), key=lambda entry: (entry.cost, entry.group, entry.what))
    for (cost, group, what), same in by_kind:
        alike = list(same)
        things = group.removesuffix("s") if len(alike) == 1 else pluralize(len(alike), group)
        heading = wrapped(f"{things} {_clean(what)}, cost {cost}{' each' * (len(alike) > 1)}", width)
        for entry in alike:
            pair = f"{_clean(entry.pair)}: " if entry.pair else ""
            block = [f"  {line}" for line in wrapped(pair + marked(entry.runs), width - 2)]
            if most and block[_MOST_LINES:]:
                block = [*block[: _MOST_LINES - 1], "  …"]
            if most and len(lines) + len(heading) + len(block) + len(signed) + (left > 1) > most:
                return [*lines, f"… {pluralize(left, 'more differences')}: --details", *signed]
            lines += [*heading, *block]
            heading, left = [], left - 1
    return [*lines, *signed]


def kind_of(entry: Entry) -> str:
    """Return what differs and how."""
    return f"{entry.group.removesuffix('s')} {entry.what}"


def kinds_tables(entries: Iterable[Entry], names: Sequence[str]) -> list[Table]:
    """Return how many differences each kind has, how many without cost, and their cost, if there are several kinds."""
    costs: defaultdict[str, list[int]] = defaultdict(list)
    for entry in in_order(entries):
        costs[kind_of(entry)].append(entry.cost)
    rows = [(kind, len(of_kind), of_kind.count(0), sum(of_kind)) for kind, of_kind in costs.items()]
    rows.sort(key=lambda row: -row[-1])
    title, between = "Kinds of differences", f"between {names[0]} and {names[1]}"
    columns = ("", "differences", "without cost", "cost")
    return [Table(title, columns, rows, caption=f"{title} {between}.")] if rows[1:] else []


def difference_tables(entries: Sequence[Entry], title: str, names: Sequence[str]) -> list[Table]:
    """Return a row a difference in words, the costliest first; then the kinds of differences, if there are several."""
    pair = ("pair",) if any(entry.pair for entry in entries) else ()
    rows: list[list[Cell]] = []
    for entry in in_order(entries):
        named = [entry.pair] if pair else []
        rows.append([*named, kind_of(entry), marked(entry.runs), entry.cost])
    marks = legend(entries, names)
    caption = f"Differences between {names[0]} and {names[1]}: {title}. {marks}".strip()
    table = Table(title, (*pair, "difference", "in words", "cost"), rows, note=marks, caption=caption)
    return [table, *kinds_tables(entries, names)]
