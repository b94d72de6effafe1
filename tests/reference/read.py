"""Sections 0 and 1: what takes part, its words, and where they are in the source; JSON in, plain dictionaries out."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from html.parser import HTMLParser
from typing import Any


def fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _is_word_character(c: str) -> bool:
    return unicodedata.category(c)[0] in "LNM"


def _stands_alone(c: str) -> bool:
    p = ord(c)
    return 0x3400 <= p <= 0x4DBF or 0x4E00 <= p <= 0x9FFF or 0xF900 <= p <= 0xFAFF or 0x3040 <= p <= 0x30FF


def word_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of each word, in characters."""
    spans: list[tuple[int, int]] = []
    start: int | None = None
    for at, c in enumerate(text):
        joins = _is_word_character(c) and not _stands_alone(c)
        if joins and start is None:
            start = at
        if not joins and start is not None:
            spans.append((start, at))
            start = None
        if _is_word_character(c) and _stands_alone(c):
            spans.append((at, at + 1))
    if start is not None:
        spans.append((start, len(text)))
    return spans


def words(text: str) -> list[str]:
    return [fold(text[s:e]) for s, e in word_spans(text)]


class _Markup(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.plain = ""
        self.open: list[tuple[str | None, int]] = []
        self.marks: list[tuple[str, int, int]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("br", "p", "div"):
            self.plain += "\n"
        if tag == "span":
            self.open.append((dict(attrs).get("id"), len(self.plain)))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("br", "p", "div"):
            self.plain += "\n"
        if tag == "span" and self.open:
            self._shut()

    def handle_data(self, data: str) -> None:
        self.plain += data

    def _shut(self) -> None:
        name, start = self.open.pop()
        if name:
            self.marks.append((name.removeprefix("node"), start, len(self.plain)))

    def close(self) -> None:
        super().close()
        while self.open:
            self._shut()


class Source:
    """A text as words, and for each span its id and the numbers of the words that are at least half inside."""

    def __init__(self, text: str) -> None:
        parser = _Markup()
        parser.feed(text)
        parser.close()
        places = word_spans(parser.plain)
        self.words = [fold(parser.plain[s:e]) for s, e in places]
        self.spans: list[tuple[str, frozenset[int]]] = []
        for name, start, end in parser.marks:
            inside = frozenset(i for i, (s, e) in enumerate(places) if 2 * max(0, min(e, end) - max(s, start)) >= e - s)
            if inside:
                self.spans.append((name, inside))


TYPES = ("I", "L", "RA", "CA", "MA", "PA", "YA", "TA")
RELATIONS = ("RA", "CA", "MA", "PA")
_PREFIX = re.compile(r"([^:\r\n]{1,60}):\s+(?=\S)")
_MADE_UP = re.compile(r"ya(_[0-9a-f]+)?", re.IGNORECASE | re.ASCII)


def label_key(text: str) -> str:
    """Two YA labels are equal if these are: letters and digits, casefolded."""
    return "".join(c for c in text.casefold() if c.isalnum())


@dataclass
class Analysis:
    kind: dict[str, str] = field(default_factory=dict)
    """Type by node id, in the order of the file; only what takes part."""
    text: dict[str, str] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)
    label: dict[str, str] = field(default_factory=dict)
    """Of a YA, as it is spelt."""
    schemes: dict[str, list[str]] = field(default_factory=dict)
    """The names of the schemes of each node that has any."""
    speaker: dict[str, str] = field(default_factory=dict)
    """Of each locution of which it is known."""
    edges: list[tuple[str, str]] = field(default_factory=list)
    embedded: str | None = None

    def __post_init__(self) -> None:
        self._near: dict[str, tuple[list[str], list[str]]] = {}

    def _neighbours(self, node: str) -> tuple[list[str], list[str]]:
        """Predecessors and successors, looked up once."""
        if not self._near:
            self._near = {n: ([], []) for n in self.kind}
            for f, t in self.edges:
                self._near[f][1].append(t)
                self._near[t][0].append(f)
        return self._near[node]

    def of(self, *kinds: str) -> list[str]:
        return [n for n in self.kind if self.kind[n] in kinds]

    def after(self, node: str, *kinds: str) -> list[str]:
        return [t for t in self._neighbours(node)[1] if self.kind[t] in (kinds or TYPES)]

    def before(self, node: str, *kinds: str) -> list[str]:
        return [f for f in self._neighbours(node)[0] if self.kind[f] in (kinds or TYPES)]

    def anchoring_locutions(self, proposition: str) -> list[str]:
        return sorted({a for y in self.before(proposition, "YA") for a in self.before(y, "L")})

    def transition_locutions(self, proposition: str) -> list[str]:
        """Where TA→YA→I comes from, the locutions that this TA leads to."""
        return sorted(
            {e for y in self.before(proposition, "YA") for t in self.before(y, "TA") for e in self.after(t, "L")}
        )

    def units(self) -> list[str]:
        return self.of("L") + [
            p for p in self.of("I") if not self.anchoring_locutions(p) and not self.transition_locutions(p)
        ]


def _load(source: Any) -> Any:
    if isinstance(source, str):
        return json.loads(source[source.index("{") :])
    return source


def read(source: Any, schemes: dict[str, str] | None = None) -> Analysis:
    document = _load(source)
    aif = _load(document["AIF"]) if "AIF" in document else document
    found = Analysis(embedded=_embedded(document))

    kind: dict[str, str] = {}
    text: dict[str, str] = {}
    names: dict[str, list[str]] = {}
    for node in aif.get("nodes") or []:
        if node.get("nodeID") is None:
            continue
        key = str(node["nodeID"])
        if key not in kind:
            kind[key] = str(node.get("type") or "").upper()
            text[key] = html.unescape(str(node.get("text") or ""))
        if node.get("scheme"):
            names.setdefault(key, []).append(str(node["scheme"]))
    for entry in aif.get("schemefulfillments") or []:
        name = entry.get("scheme") or (schemes or {}).get(str(entry.get("schemeID")))
        if name:
            names.setdefault(str(entry.get("nodeID")), []).append(str(name))

    edges: list[tuple[str, str]] = []
    for edge in aif.get("edges") or []:
        pair = (str(edge.get("fromID")), str(edge.get("toID")))
        if pair[0] in kind and pair[1] in kind and pair[0] != pair[1] and pair not in edges:
            edges.append(pair)

    label = {n: _label(text[n], names.get(n, [])) for n in kind if kind[n] == "YA"}
    left_out = _analyst_nodes(kind, label, edges) | {n for n in kind if kind[n] not in TYPES}
    found.kind = {n: k for n, k in kind.items() if n not in left_out}
    found.text = {n: text[n] for n in found.kind}
    found.label = {n: label[n] for n in found.kind if n in label}
    found.edges = [e for e in edges if e[0] in found.kind and e[1] in found.kind]
    found.said = {n: said(t, found.kind[n]) for n, t in found.text.items()}
    found.schemes = {n: names[n] for n in found.kind if n in names}
    found.speaker = _speakers(aif, found)
    return found


def said(text: str, kind: str) -> str:
    if kind == "L":
        prefix = _PREFIX.match(text)
        if prefix:
            text = text[prefix.end() :]
    return text.strip()


def _label(text: str, schemes: list[str]) -> str:
    if text.strip() and not _MADE_UP.fullmatch(text.strip()):
        return text.strip()
    return schemes[0] if schemes else "YA"


def _speakers(aif: dict[str, Any], found: Analysis) -> dict[str, str]:
    """By the first of the locution's records with a person whom the map names; else by the prefix."""
    names: dict[str, str] = {}
    for person in aif.get("participants") or []:
        name = " ".join(str(person.get(part) or "").strip() for part in ("firstname", "surname")).strip()
        if name:
            names.setdefault(str(person.get("participantID")), name)
    out: dict[str, str] = {}
    for record in aif.get("locutions") or []:
        if (name := names.get(str(record.get("personID")))) is not None:
            out.setdefault(str(record.get("nodeID")), name)
    for n in found.of("L"):
        prefix = _PREFIX.match(found.text[n])
        if prefix and prefix[1].strip():
            out.setdefault(n, prefix[1].strip())
    return {n: out[n] for n in found.of("L") if n in out}


def _analyst_nodes(kind: dict[str, str], label: dict[str, str], edges: list[tuple[str, str]]) -> set[str]:
    analysing = {n for n in label if label_key(label[n]) == "analysing"}
    locutions = [n for n in kind if kind[n] == "L"]
    connected = {n for edge in edges for n in edge}
    out = set(analysing)
    for n in locutions:
        successors = [t for f, t in edges if f == n]
        if successors and all(t in analysing for t in successors):
            out.add(n)
    if any(n in connected for n in locutions):
        out |= {n for n in locutions if n not in connected}
    return out


def _embedded(document: dict[str, Any]) -> str | None:
    text = document.get("text")
    if isinstance(text, dict):
        text = text.get("txt")
    return text if isinstance(text, str) else None


Run = tuple[int, int]
"""First word and one behind the last."""


@dataclass
class Placed:
    words: list[str]
    runs: dict[str, list[Run]] = field(default_factory=dict)
    """The runs of each unit that has a place."""
    loose: set[str] = field(default_factory=set)
    """The units of which too little was found to join another."""

    def position(self, unit: str) -> set[int]:
        return {w for s, e in self.runs.get(unit, []) for w in range(s, e)}


def as_runs(places: set[int]) -> list[Run]:
    runs: list[Run] = []
    for p in sorted(places):
        if runs and runs[-1][1] == p:
            runs[-1] = (runs[-1][0], p + 1)
        else:
            runs.append((p, p + 1))
    return runs


def place(analysis: Analysis, source: Source, own: bool) -> Placed:
    """``own``: the text is this analysis's own, so that its ids mark nodes."""
    out = Placed(source.words)
    units = analysis.units()
    taken: set[int] = set()
    # 1. marked by id
    for u in units:
        marked = {w for name, inside in source.spans if own and name == u for w in inside}
        if marked:
            out.runs[u] = as_runs(marked)
            taken |= marked
    # 2. marked by words, then found
    foreign = {inside for name, inside in source.spans if not (own and name in analysis.kind)}
    bundles: dict[tuple[str, ...], list[str]] = {}
    for u in units:
        if u not in out.runs and words(analysis.said[u]):
            bundles.setdefault(tuple(words(analysis.said[u])), []).append(u)
    for said in sorted(bundles, key=lambda b: (-len(b), b)):
        size = len(said)
        hits = [i for i in range(len(source.words) - size + 1) if tuple(source.words[i : i + size]) == said]
        before = set(taken)
        runs: list[Run] = []

        def take(wanted: list[int], runs: list[Run] = runs, size: int = size, said: tuple[str, ...] = said) -> None:
            for i in wanted:
                if len(runs) < len(bundles[said]) and all(i + size <= s or e <= i for s, e in runs):
                    runs.append((i, i + size))

        take([i for i in hits if frozenset(range(i, i + size)) in foreign])
        take([i for i in hits if not before & set(range(i, i + size))])
        take(hits)
        for u in bundles[said]:
            if runs:
                out.runs[u] = sorted(runs)
        taken |= {w for s, e in runs for w in range(s, e)}
    # 3. nearly found
    for u in units:
        if u not in out.runs:
            hit = nearly(words(analysis.said[u]), source.words)
            if hit:
                out.runs[u] = [hit[:2]]
                if 4 * hit[2] < 3 * len(words(analysis.said[u])):
                    out.loose.add(u)
    return out


def nearly(said: list[str], source: list[str]) -> tuple[int, int, int] | None:
    """Smith-Waterman: the run and its score. Of each cell: the best score, the latest start of an alignment with it."""
    if len(said) < 4:
        return None
    best: tuple[int, int, int] | None = None  # score, minus end, start: the greatest is the best
    above: list[tuple[int, int]] = [(0, -1)] * (len(source) + 1)
    for word in said:
        row: list[tuple[int, int]] = [(0, -1)]
        for j, other in enumerate(source, start=1):
            score, start = above[j - 1]
            diagonal = (score + 1, start if score else j - 1) if word == other else (score - 1, start)
            up = (above[j][0] - 1, above[j][1])
            left = (row[j - 1][0] - 1, row[j - 1][1])
            cell = max(diagonal, up, left)
            cell = cell if cell[0] > 0 else (0, -1)
            row.append(cell)
            if cell[0] and word == other and cell == diagonal:
                best = max(best or (0, 0, 0), (cell[0], -j, cell[1]))
        above = row
    if best is None or best[0] < 3 or 2 * best[0] < len(said):
        return None
    return best[2], -best[1], best[0]


@dataclass
class Axis:
    length: int
    first: list[int]
    """Place of each word of the first text."""
    second: list[int]
    overlap: float | None


def axis(first: list[str], second: list[str]) -> Axis:
    if first == second:
        same = list(range(len(first)))
        return Axis(len(first), same, list(same), 1.0)
    if second < first:
        turned = axis(second, first)
        return Axis(turned.length, turned.second, turned.first, turned.overlap)
    a: list[int] = []
    b: list[int] = []
    length = shared = 0
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if tag == "equal":
            a += range(length, length + i2 - i1)
            b += range(length, length + i2 - i1)
            shared += i2 - i1
            length += i2 - i1
        else:
            a += range(length, length + i2 - i1)
            length += i2 - i1
            b += range(length, length + j2 - j1)
            length += j2 - j1
    return Axis(length, a, b, shared / length if length else None)
