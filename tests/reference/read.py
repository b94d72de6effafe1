"""Sections 0 and 1: what takes part, its words, and where they are in the source; JSON in, plain dictionaries out."""

import html
import json
import re
import unicodedata
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property
from html.parser import HTMLParser
from typing import Any, NamedTuple


def visible(text: str) -> str:
    """Without what nobody sees: U+200B is a blank, other format characters are nothing."""
    return "".join(" " if c == "\u200b" else c for c in text if c == "\u200b" or unicodedata.category(c) != "Cf")


def fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _stands_alone(c: str) -> bool:
    p = ord(c)
    return 0x3400 <= p <= 0x4DBF or 0x4E00 <= p <= 0x9FFF or 0xF900 <= p <= 0xFAFF or 0x3040 <= p <= 0x30FF


def word_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of each word, in characters."""
    spans: list[tuple[int, int]] = []
    for at, c in enumerate(text):
        if unicodedata.category(c)[0] not in "LNM":
            continue
        if spans and spans[-1][1] == at and not _stands_alone(c) and not _stands_alone(text[at - 1]):
            spans[-1] = (spans[-1][0], at + 1)
        else:
            spans.append((at, at + 1))
    return spans


def words(text: str) -> list[str]:
    text = visible(text)
    return [fold(text[s:e]) for s, e in word_spans(text)]


class Markup(HTMLParser):
    """The plain text, and the id, start and end of each span; one that is never closed goes to the end."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.plain = ""
        self.open: list[tuple[str | None, int]] = []
        self.marks: list[tuple[str, int, int]] = []
        self.feed(text)
        self.close()
        while self.open:
            self._shut()

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
        self.plain += visible(data)

    def _shut(self) -> None:
        name, start = self.open.pop()
        if name:
            self.marks.append((name, start, len(self.plain)))


class Source:
    """A text as words, and for each span its id and the numbers of the words that are at least half inside."""

    def __init__(self, text: str) -> None:
        markup = Markup(text)
        places = word_spans(markup.plain)
        self.words = [fold(markup.plain[s:e]) for s, e in places]
        self.spans: list[tuple[str, frozenset[int]]] = []
        for name, start, end in markup.marks:
            inside = frozenset(i for i, (s, e) in enumerate(places) if 2 * max(0, min(e, end) - max(s, start)) >= e - s)
            if inside:
                self.spans.append((name.removeprefix("node"), inside))


TYPES = ("I", "L", "RA", "CA", "MA", "PA", "YA", "TA")
RELATIONS = ("RA", "CA", "MA", "PA")
_PREFIX = re.compile(r"([^:\r\n]{1,60}):\s+(?=\S)")
_MADE_UP = re.compile(r"ya(_[0-9a-f]+)?", re.IGNORECASE | re.ASCII)


def label_key(text: str) -> str:
    """Two YA labels are equal if these are: letters, marks and numbers under NFKC, casefolded."""
    plain = unicodedata.normalize("NFKC", visible(text))
    return "".join(c for c in plain if unicodedata.category(c)[0] in "LMN").casefold()


@dataclass
class Analysis:
    kind: dict[str, str]
    """Type by node id, in the order of the file; only what takes part."""
    text: dict[str, str]
    said: dict[str, str]
    label: dict[str, str]
    """Of a YA, as it is spelt."""
    schemes: dict[str, list[str]]
    """The names of the schemes of each node that has any."""
    edges: list[tuple[str, str]]
    speaker: dict[str, str] = field(default_factory=dict)
    """Of each locution of which it is known."""
    embedded: str | None = None

    @cached_property
    def neighbours(self) -> dict[str, tuple[list[str], list[str]]]:
        """Predecessors and successors."""
        found: dict[str, tuple[list[str], list[str]]] = {n: ([], []) for n in self.kind}
        for f, t in self.edges:
            found[f][1].append(t)
            found[t][0].append(f)
        return found

    def of(self, *kinds: str) -> list[str]:
        return [n for n in self.kind if self.kind[n] in kinds]

    def after(self, node: str, *kinds: str) -> list[str]:
        return [t for t in self.neighbours[node][1] if self.kind[t] in (kinds or TYPES)]

    def before(self, node: str, *kinds: str) -> list[str]:
        return [f for f in self.neighbours[node][0] if self.kind[f] in (kinds or TYPES)]

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


def read(source: Any) -> Analysis:
    document = _load(source)
    aif = _load(document["AIF"]) if "AIF" in document else document

    kind: dict[str, str] = {}
    text: dict[str, str] = {}
    written: dict[str, str] = {}
    schemes: dict[str, list[str]] = {}
    for node in aif.get("nodes") or []:
        if node.get("nodeID") is None:
            continue
        key = str(node["nodeID"])
        if key not in kind:
            kind[key] = str(node.get("type") or "").upper()
            written[key] = html.unescape(str(node.get("text") or ""))
            text[key] = visible(written[key])
        if node.get("scheme"):
            schemes.setdefault(key, []).append(str(node["scheme"]))
    for entry in aif.get("schemefulfillments") or []:
        if entry.get("scheme"):
            schemes.setdefault(str(entry.get("nodeID")), []).append(str(entry["scheme"]))

    edges: list[tuple[str, str]] = []
    for edge in aif.get("edges") or []:
        pair = (str(edge.get("fromID")), str(edge.get("toID")))
        if pair[0] in kind and pair[1] in kind and pair[0] != pair[1] and pair not in edges:
            edges.append(pair)

    label = {n: _label(written[n], schemes.get(n, [])) for n in kind if kind[n] == "YA"}
    left_out = _analyst_nodes(kind, label, edges) | {n for n in kind if kind[n] not in TYPES}
    spoken = {n: said(text[n], kind[n]) for n in kind}
    kind = {n: k for n, k in kind.items() if n not in left_out}
    edges = [(f, t) for f, t in edges if f in kind and t in kind]
    found = Analysis(kind, text, spoken, label, schemes, edges)
    found.speaker = _speakers(aif, found)
    words = document.get("text")
    words = words.get("txt") if isinstance(words, dict) else words
    found.embedded = words if isinstance(words, str) else None
    return found


def said(text: str, kind: str) -> str:
    prefix = _PREFIX.match(text) if kind == "L" else None
    return text[prefix.end() if prefix else 0 :].strip()


def _label(text: str, schemes: list[str]) -> str:
    seen = visible(text).strip()
    if seen and not _MADE_UP.fullmatch(seen):
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
        marked_ones = [i for i in hits if frozenset(range(i, i + size)) in foreign]
        free = [i for i in hits if not taken & set(range(i, i + size))]
        runs: list[Run] = []
        for i in [*marked_ones, *free, *hits]:
            if len(runs) < len(bundles[said]) and all(i + size <= s or e <= i for s, e in runs):
                runs.append((i, i + size))
        for u in bundles[said] if runs else ():
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


class Axis(NamedTuple):
    """The length, the place of each word of the first and of the second text, and the share in common."""

    length: int
    first: list[int]
    second: list[int]
    overlap: float | None


def axis(first: list[str], second: list[str]) -> Axis:
    if first == second:
        same = list(range(len(first)))
        return Axis(len(first), same, list(same), 1.0)
    if second < first:
        length, b, a, overlap = axis(second, first)
        return Axis(length, a, b, overlap)
    a, b = [], []
    length = shared = 0
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        a += range(length, length + i2 - i1)
        if tag == "equal":
            shared += i2 - i1
        else:
            length += i2 - i1
        b += range(length, length + j2 - j1)
        length += j2 - j1
    return Axis(length, a, b, shared / length if length else None)
