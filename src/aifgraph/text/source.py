"""One source text: its markup read (docs/measures.md, section 1), and where the units of an analysis stand in it.

``br``, ``p`` and ``div`` count as a line break, other tags as nothing, and entities are decoded, all as Python's
``html.parser`` reads it. AIF tools write ``<span class="highlighted" id="node12">``: a text with only such tags is
split at them, which takes a tenth of the time. Units are placed in four steps::

    1  marked by id       a span has the unit's id
    2  marked by words    a span that marks no node holds exactly the unit's words
       found              the unit's words stand in the text, as they are
    3  nearly found       at least half of them do, in order (Smith-Waterman)
    4  unknown

Units of equal words are placed together, as an equivalence class that takes as many runs as it has units: which of two
identical sentences is meant cannot be seen from their words.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html.parser import HTMLParser
from itertools import accumulate, pairwise, repeat
from operator import contains
from typing import Any, Final, NamedTuple

from aifgraph.text.words import Budget, WordIndex, visible, words_of, words_with_places

#: Numeric references beyond Unicode, and leading zeros: Python refuses to read numbers of thousands of digits.
_TOO_LARGE: Final = re.compile(r"&#(?:[xX]0*[1-9a-fA-F][0-9a-fA-F]{7,}|0*[1-9][0-9]{9,});?")
_ZEROS: Final = re.compile(r"&#([xX]?)0{9,}")

_BREAKS: Final = frozenset({"br", "p", "div"})
#: A tag as tools write it. It has three groups: the name of an end tag, that of a start tag, and its last id.
_PLAIN_TAG: Final = re.compile(
    r"""<(?:/(span|p|div)|(span|br|p|div)(?: (?:id="([^"<>&]*)"|(?:class|style|title)="[^"<>&]*"))*)>"""
)


@dataclass(frozen=True, slots=True)
class Span:
    """The characters ``start`` to ``end`` (exclusive) of a plain text that are marked for a node."""

    node_id: str
    start: int
    end: int


class PlainText(NamedTuple):
    """A text without markup, and its spans in the order in which they begin."""

    text: str
    spans: list[Span]


def unescape(text: str) -> str:
    """Decode character references as HTML does; numbers beyond Unicode are U+FFFD.

    >>> unescape("a &lt; b"), unescape("&#" + "1" * 5000 + ";") == "\\ufffd"
    ('a < b', True)
    """
    return html.unescape(_bounded(text)) if "&" in text else text


def _bounded(text: str) -> str:
    return _ZEROS.sub(r"&#\g<1>0", _TOO_LARGE.sub("\ufffd", text)) if "&#" in text else text


def plain_text(marked: str) -> PlainText:
    """Read a text that may be marked up.

    >>> plain_text('Ann: <span id="node7">a &amp; b</span><br>c')
    PlainText(text='Ann: a & b\\nc', spans=[Span(node_id='7', start=5, end=10)])
    """
    pieces: list[Any] = [None, None, None, *_PLAIN_TAG.split(marked)]
    if not any(map(contains, pieces[3::4], repeat("<"))):
        if "&" in marked:
            pieces[3::4] = map(unescape, pieces[3::4])
    else:
        try:
            pieces = _Parser().read(_bounded(marked))
        except AssertionError:  # html.parser gives up on unknown marked sections (``<![x[``), which are text then
            pieces = _Parser().read(_bounded(marked).replace("<![", "&lt;!["))
    parts: list[str] = []
    length = 0
    spans: list[Span | None] = []  # in the order in which they begin; None for one without id
    open_spans: list[tuple[str, int, int]] = []  # id, start, and number in the list of spans
    for end, start, id_, data in zip(*[iter(pieces)] * 4, strict=True):
        if start == "span":
            open_spans.append(((id_ or "").removeprefix("node"), length, len(spans)))
            spans.append(None)
        elif end == "span":
            if open_spans:
                node_id, begin, number = open_spans.pop()
                if node_id:
                    spans[number] = Span(node_id, begin, length)
        elif end in _BREAKS or start in _BREAKS:
            parts.append("\n")
            length += 1
        if data:
            parts.append(data)
            length += len(data)
    for node_id, begin, number in open_spans:  # what is never closed reaches to the end
        if node_id:
            spans[number] = Span(node_id, begin, length)
    return PlainText("".join(parts), list(filter(None, spans)))


class _Parser(HTMLParser):
    """Splits any markup as ``_PLAIN_TAG`` does."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str | None] = []
        # If one is not closed up to the end of the text, a later one is not either.
        self.unclosed_comment = self.unclosed_section = False

    def read(self, marked: str) -> list[str | None]:
        # What is never closed is text; html.parser would look for the end of each ``<`` again.
        end = marked.rfind(">") + 1
        self.feed(marked[:end])
        self.close()
        if end < len(marked):
            self.handle_data(marked[end:] if self.cdata_elem else unescape(marked[end:]))
        return self.pieces

    def handle_data(self, data: str) -> None:
        self.pieces += (None, None, None, data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.pieces += (None, tag, dict(attrs).get("id"), "")

    def handle_endtag(self, tag: str) -> None:
        self.pieces += (tag, None, None, "")

    def updatepos(self, i: int, j: int) -> int:
        return j  # lines and columns are not counted

    def parse_comment(self, i: int, report: bool = True) -> int:
        end = -1 if self.unclosed_comment else super().parse_comment(i, report)
        self.unclosed_comment = end < 0
        return end

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        end = -1 if self.unclosed_section else super().parse_marked_section(i, report)
        self.unclosed_section = end < 0
        return end


# -- words and positions ----------------------------------------------------------------------------------------------

Run = tuple[int, int]


class WordSpan(NamedTuple):
    """The words ``start`` to ``stop`` (exclusive) of a text, marked under an id."""

    id: str
    start: int
    stop: int


class PlacedUnit(NamedTuple):
    """The runs of words (start, stop) of a unit, none where its position is unknown, and whether it stands there
    ``loosely``: nearly found with a score below three quarters of its number of words."""

    runs: tuple[Run, ...] = ()
    loosely: bool = False


class Phrase(NamedTuple):
    """How often the words of what is said occur in a text, and where they stand if they occur once, or nearly once;
    looking for them took so many steps."""

    occurrences: int
    placed: PlacedUnit
    steps: int = 0


#: The most steps in which the units of an analysis are looked for in a text; real ones take under 25 000.
MAX_STEPS: Final = 20_000_000


def units_budget() -> Budget:
    """Return what may be spent on looking for units in a text."""
    return Budget(MAX_STEPS, "the units of a map are too much like many places of its text")


class TextWords:
    """The words of a text. What is said is looked for once: analyses of one text say much the same.

    >>> TextWords("Masks help.").phrase("Help!").placed
    PlacedUnit(runs=((1, 2),), loosely=False)
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.index = WordIndex(words_of(text))
        self._phrases: dict[str, Phrase] = {}

    @cached_property
    def offsets(self) -> tuple[list[int], list[int]]:
        """The character with which each word begins, and the one after it."""
        _, starts, ends = words_with_places(self.text)
        return starts, ends

    def phrase(self, said: str) -> Phrase:
        """Look for the words of what is said; raise ``LimitError`` if that takes more than ``MAX_STEPS``."""
        phrase = self._phrases.get(said)
        if phrase is None:
            words = words_of(said)
            budget = units_budget()
            budget.spend(min((len(self.index.indices.get(word, ())) for word in words), default=0) * (len(words) + 10))
            starts = self.index.occurrences(words) if words else []
            placed = PlacedUnit()
            if len(starts) == 1:
                placed = PlacedUnit(((starts[0], starts[0] + len(words)),))
            elif not starts and (near := nearly_found(self.index, words, budget)):
                start, stop, score = near
                placed = PlacedUnit(((start, stop),), loosely=4 * score < 3 * len(words))
            phrase = self._phrases[said] = Phrase(len(starts), placed, MAX_STEPS - budget.left)
        return phrase

    def forget_phrases(self) -> None:
        """Forget what was looked for if it takes more memory than the text, as after very many analyses."""
        if len(self._phrases) > 100 + len(self.index.words) // 4:
            self._phrases.clear()


@dataclass(frozen=True, slots=True)
class SourceWords:
    """A source text as words, with its spans; a span without a word is not there."""

    text: TextWords
    spans: tuple[WordSpan, ...] = ()

    @property
    def words(self) -> list[str]:
        """The words, in order."""
        return self.text.index.words

    @property
    def key(self) -> tuple[object, ...]:
        """What sources have in common in which units stand at the same places."""
        return self.text.text, self.spans

    def without_ids(self) -> SourceWords:
        """Return the text as an analysis sees it whose nodes the spans do not name."""
        return SourceWords(self.text, tuple(span._replace(id="") for span in self.spans))


#: A few texts of at most so many characters are kept: both sides of a pair, and one annotator after another, mostly
#: have the same text.
_MAX_KEPT = 200_000
_kept_text = lru_cache(maxsize=4)(TextWords)


def source_words(text: str, spans: tuple[Span, ...] = (), *, known: SourceWords | None = None) -> SourceWords | None:
    """Return the words of a source text, or None if it has none; those of a ``known`` text are not looked for again.

    A word belongs to a span that holds at least half of its characters.
    """
    if spans and len(seen := visible(text)) < len(text):
        before = [0, *accumulate(len(visible(char)) for char in text)]
        spans = tuple(Span(span.node_id, before[span.start], before[span.end]) for span in spans)
        text = seen
    if known is not None and known.text.text == text:
        words = known.text
    else:
        words = _kept_text(text) if len(text) <= _MAX_KEPT else TextWords(text)
    if not words.index.words:
        return None
    found: list[WordSpan] = []
    starts, ends = words.offsets if spans else ([], [])
    for span in spans:
        first = bisect_right(ends, span.start)
        stop = bisect_left(starts, span.end)
        # Only the outermost words can lie partly outside (a word longer than the span is both).
        if first < stop and starts[first] < span.start and not _half_inside(starts[first], ends[first], span):
            first += 1
        if first < stop and ends[stop - 1] > span.end and not _half_inside(starts[stop - 1], ends[stop - 1], span):
            stop -= 1
        if first < stop:
            found.append(WordSpan(span.node_id, first, stop))
    return SourceWords(words, tuple(found))


def _half_inside(start: int, end: int, span: Span) -> bool:
    return 2 * (min(end, span.end) - max(start, span.start)) >= end - start


def place_units(source: SourceWords, units: Sequence[tuple[str, str]], nodes: Iterable[str]) -> list[PlacedUnit]:
    """Find where each unit stands.

    ``units`` are ids with what they say; ``nodes`` are the ids of all nodes of the analysis, which says of the spans
    whether they mark a node.

    >>> text = source_words("Yes. Masks help. Yes.")
    >>> units = place_units(text, [("1", "masks help"), ("2", "yes"), ("3", "no")], ["1", "2", "3"])
    >>> [unit.runs for unit in units]
    [((1, 3),), ((0, 1),), ()]
    """
    marked: dict[str, list[Run]] = {}
    free_spans: set[Run] = set()
    if source.spans:
        known = set(nodes)
        for span in source.spans:
            if span.id in known:
                marked.setdefault(span.id, []).append((span.start, span.stop))
            else:
                free_spans.add((span.start, span.stop))
    text = source.text
    text.forget_phrases()
    placed: list[PlacedUnit] = []
    several: dict[tuple[str, ...], list[int]] = {}
    budget = units_budget()
    said_before: set[str] = set()
    for number, (id_, said) in enumerate(units):
        if id_ in marked:
            placed.append(PlacedUnit(merged(marked[id_])))
            continue
        phrase = text.phrase(said)
        if said not in said_before:
            said_before.add(said)
            budget.spend(phrase.steps)
        placed.append(phrase.placed)
        if phrase.occurrences > 1:
            several.setdefault(tuple(words_of(said)), []).append(number)
    if several:
        # The longest come first; others stand on words that are still free, if they can.
        taken = bytearray(len(source.words))
        for id_, _ in units:  # nodes that are no units take no words
            _take(taken, marked.get(id_, ()))
        wanted = bytearray(len(source.words))
        for words in several:
            _take(wanted, [(start, start + len(words)) for start in text.index.occurrences(words)])
        once: dict[tuple[str, ...], tuple[Run, ...]] = {}
        for (id_, said), unit in zip(units, placed, strict=True):
            if id_ not in marked and text.phrase(said).occurrences == 1 and wanted.find(1, *unit.runs[0]) >= 0:
                once[tuple(words_of(said))] = unit.runs
        for words in sorted({*once, *several}, key=lambda words: (-len(words), words)):
            if words in several:
                members = several[words]
                unit = PlacedUnit(_choose(text.index, words, len(members), free_spans, taken))
                for number in members:
                    placed[number] = unit
                _take(taken, unit.runs)
            else:
                _take(taken, once[words])
    return placed


def _choose(
    index: WordIndex, words: tuple[str, ...], wanted: int, free_spans: set[Run], taken: bytearray
) -> tuple[Run, ...]:
    """Choose up to ``wanted`` runs of words that occur more than once: of spans first, on free words, then any."""
    size = len(words)
    runs = [(start, start + size) for start in index.occurrences(words)]
    in_spans = [run for run in runs if run in free_spans] if free_spans else []
    free = [run for run in runs if taken.find(1, run[0], run[1]) < 0]
    chosen: list[Run] = []
    for start, stop in (*in_spans, *free, *runs):
        if len(chosen) == wanted:
            break
        # The chosen are kept sorted; only the neighbours can overlap.
        at = bisect_left(chosen, (start, stop))
        if (at == 0 or chosen[at - 1][1] <= start) and (at == len(chosen) or stop <= chosen[at][0]):
            chosen.insert(at, (start, stop))
    return tuple(chosen)


def _take(taken: bytearray, runs: Iterable[Run]) -> None:
    for start, stop in runs:
        taken[start:stop] = b"\1" * (stop - start)


def merged(runs: Iterable[Run]) -> tuple[Run, ...]:
    """Return runs as a set of words: sorted, those that touch or overlap joined.

    >>> merged([(4, 6), (0, 2), (1, 4)])
    ((0, 6),)
    """
    runs = sorted(runs)
    if len(runs) == 1:  # as most have
        return (runs[0],)
    joined: list[Run] = []
    for start, stop in runs:
        if joined and start <= joined[-1][1]:
            if stop > joined[-1][1]:
                joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((start, stop))
    return tuple(joined)


# -- nearly found -----------------------------------------------------------------------------------------------------

#: Units shorter than this are not looked for, in words.
_SHORTEST = 4
_LEAST_SCORE = 3


def nearly_found(index: WordIndex, words: Sequence[str], budget: Budget | None = None) -> tuple[int, int, int] | None:
    """Return start, stop and score of the run of the text, from the first to the last matched word, of the best local
    alignment (Smith and Waterman 1981); None if its score is below 3 or below half the number of ``words``, or these
    are fewer than four.

    A match counts 1, a mismatch and a gap −1. Ties: the alignment that ends first, then the shortest run.

    The table is filled only where an alignment that is good enough can lie. Of m words, an alignment of score t or more
    with M matches has at most M − t mismatches and gaps: it spans at most 2M − t ≤ 2m − t words of the text, and at
    least t − 1 of its matches follow another directly. Such pairs of neighbouring words are looked up in an index.

    >>> nearly_found(WordIndex("they say masks help us a bit".split()), "masks help us a lot".split())
    (2, 6, 4)
    """
    size = len(words)
    if size < _SHORTEST:
        return None
    least = max(_LEAST_SCORE, -(-size // 2))
    found: list[tuple[int, int, int]] = []
    starts = sorted(start for pair in set(pairwise(words)) for start in index.pairs.get(pair, ()))
    windows = _windows(starts, least, 2 * size - least, len(index.words))
    if budget:
        budget.spend(len(starts) + size * sum(stop - start for start, stop in windows))
    for start, stop in windows:
        score, last, first = _align(words, index.words[start:stop])
        if score >= least:
            found.append((score, start + last + 1, start + first))
    if not found:
        return None
    score, stop, start = max(found, key=lambda run: (run[0], -run[1], run[2]))
    return start, stop, score


def _windows(starts: list[int], least: int, reach: int, length: int) -> list[tuple[int, int]]:
    """Return where in the text an alignment of at least ``least`` can lie: separate stretches, from left to right."""
    needed = least - 1
    windows: list[tuple[int, int]] = []
    for first, last in zip(starts, starts[needed - 1 :], strict=False):
        if last + 2 - first > reach:
            continue
        low, high = max(0, last + 2 - reach), min(length, first + reach)
        if windows and low <= windows[-1][1]:
            windows[-1] = (windows[-1][0], high)
        else:
            windows.append((low, high))
    return windows


def _align(words: Sequence[str], text: Sequence[str]) -> tuple[int, int, int]:
    """Return score, last and first matched word (by their indices in the text) of the best local alignment.

    A column per word of the text, a cell per word of the unit; next to each score stands the greatest start that
    reaches it, so that the shortest of equally good alignments is known without going back.
    """
    size = len(words)
    scores = [0] * (size + 1)
    starts = [-1] * (size + 1)
    best = (0, 0, 0)
    known = set(words)
    for index, word in enumerate(text):
        if word not in known and not any(scores):
            continue
        diagonal_score, diagonal_start = 0, -1
        above_score, above_start = 0, -1
        top, top_start = 0, -1
        for row in range(1, size + 1):
            left_score, left_start = scores[row], starts[row]
            if words[row - 1] == word:
                score = diagonal_score + 1
                start = diagonal_start if diagonal_score else index
            else:
                score, start = diagonal_score - 1, diagonal_start
            for gap_score, gap_start in ((left_score - 1, left_start), (above_score - 1, above_start)):
                if gap_score > score or (gap_score == score and gap_start > start):
                    score, start = gap_score, gap_start
            if score <= 0:
                score, start = 0, -1
            elif score > top or (score == top and start > top_start):
                top, top_start = score, start
            diagonal_score, diagonal_start = left_score, left_start
            scores[row], starts[row] = above_score, above_start = score, start
        if top > best[0]:
            best = (top, index, top_start)
    return best
