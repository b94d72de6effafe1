"""The files of IAC 1: discussions as posts, posts as pieces, quotes, and what the crowd said of quotes and responses.

``qr_meta.csv`` joins the key of an annotation to its posts. Without it a key can be joined where its discussion has one
annotated pair and one pair of quote and response; every other annotation belongs to some pair of its discussion that
nothing names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aifgraph.datasets.dataset import Problems
from aifgraph.datasets.rows import Row, csv_rows, number_in
from aifgraph.entities import Decoded, decoded
from aifgraph.errors import AifgraphError
from aifgraph.formats.files import decode_strict, parse_json, read_bytes

Range = tuple[int, int, Mapping[str, Any]]

#: An escape that may be half of a pair.
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a post without the white space around it: characters ``start`` to ``end`` of the post's text.

    ``published`` are its offsets in the file, whose text has character references. ``quote`` is the range's record for
    a quote, ``None`` for the author's own words; ``markup`` is what the other ranges say of it.
    """

    start: int
    end: int
    text: str
    published: tuple[int, int]
    quote: Mapping[str, Any] | None = None
    markup: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Post:
    """A post: its text without character references, its pieces, and the pairs of places (quote, response) in them."""

    id: int
    author: str
    text: str
    parent: int | None
    time: float | None
    record: Mapping[str, Any]
    pieces: tuple[Piece, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()

    @property
    def start(self) -> str | None:
        """When it was posted, in UTC, as AIF writes times."""
        if self.time is None:
            return None
        try:
            return datetime.fromtimestamp(self.time, UTC).strftime("%Y-%m-%d %H:%M:%S")
        except (OverflowError, OSError, ValueError):
            return None


def read_json(path: Path, problems: Problems, name: str) -> Any:
    """The value in a JSON file, ``None`` (and a problem) where there is none."""
    try:
        text = decode_strict(read_bytes(path), name)
        value = parse_json(text, name)
    except AifgraphError as error:
        line = re.search(r", line (\d+)", error.where or "")
        problems.add("json", f"{error.what}; the file is skipped", name, int(line[1]) if line else None)
        return None
    if _HALF.search(text) and (whole := _whole(value)) != value:
        problems.add("encoding", "half a surrogate pair in a text; replaced by U+FFFD", name)
        return whole
    return value


def _whole(value: Any) -> Any:
    """A JSON value without half surrogate pairs, which no file in UTF-8 can hold."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    return value


#: The ranges of a post that are no quotes.
MARKUP = ("url", "presentation", "other_markup")


@dataclass(frozen=True, slots=True)
class Ranges:
    """The ranges of a discussion by post, in the order of the text: quotes, and markup with its kind."""

    quotes: dict[int, list[Range]]
    markup: dict[int, list[Range]]


def read_ranges(root: Path, file: str, problems: Problems) -> Ranges:
    """The ranges of a discussion's file."""
    markup: dict[int, list[Range]] = {}
    for kind in MARKUP:
        for post, ranges in _ranges(root, f"ranges/{kind}/{file}", problems).items():
            tagged: list[Range] = [(start, end, {"kind": kind, **record}) for start, end, record in ranges]
            markup.setdefault(post, []).extend(tagged)
    return Ranges(_ranges(root, f"ranges/quotes/{file}", problems), markup)


def _ranges(root: Path, name: str, problems: Problems) -> dict[int, list[Range]]:
    by_post: dict[int, list[Range]] = {}
    path = root / name
    if not path.is_file():
        return by_post
    entries = read_json(path, problems, name)
    if entries is not None and not isinstance(entries, list):
        problems.add("shape", "not a list of ranges; the file is skipped", name)
    for number, entry in enumerate(entries if isinstance(entries, list) else []):
        match entry:
            case [int(post), [int(start), int(end), *rest]] if start <= end and start >= 0:
                record = rest[0] if rest and isinstance(rest[0], dict) else {}
                by_post.setdefault(post, []).append((start, end, record))
            case _:
                problems.add("range", f"entry {number} is not [post, [start, end, …]]", name)
    for ranges in by_post.values():
        ranges.sort(key=lambda entry: entry[:2])
    return by_post


def posts_in(document: Any, ranges: Ranges, problems: Problems, name: str) -> Iterator[Post]:
    """The posts of a discussion file; damaged ones and repeated ids are problems and skipped."""
    match document:
        case [list(entries), *_]:
            pass
        case _:
            problems.add("shape", "not [posts, annotations, metadata]; the file is skipped", name)
            return
    ids: set[int] = set()
    for number, entry in enumerate(entries):
        match entry:
            case [int(id_), side, author, str(text), further, (int() | None) as parent, category, time, *_]:
                pass
            case _:
                problems.add("post", f"posts[{number}] is not [id, side, author, text, …]; it is skipped", name)
                continue
        if id_ in ids:
            problems.add("duplicate", f"posts[{number}]: post {id_} is given twice; the later one is skipped", name)
            continue
        ids.add(id_)
        record = {"side": side, "category": category, **(further if isinstance(further, dict) else {})}
        moment = float(time) if isinstance(time, int | float) else None
        words = decoded(text)
        pieces, pairs = _pieces(words, _fitting(ranges.quotes.get(id_, []), text, problems, name, id_))
        pieces = _marked(pieces, ranges.markup.get(id_, []))
        yield Post(id_, str(author or ""), words.text, parent, moment, record, pieces, pairs)


def _fitting(ranges: list[Range], text: str, problems: Problems, name: str, post: int) -> list[Range]:
    """The quotes that lie in the text, without those inside one before."""
    fitting: list[Range] = []
    done = 0
    for start, end, record in ranges:
        if end > len(text):
            problems.add(
                "range", f"post {post}: the quote {start}–{end} goes beyond the text; it is no quote here", name
            )
        elif start < done:
            problems.add(
                "range", f"post {post}: the quote {start}–{end} overlaps the one before; it is no quote here", name
            )
        else:
            fitting.append((start, end, record))
            done = end
    return fitting


def _pieces(words: Decoded, ranges: list[Range]) -> tuple[tuple[Piece, ...], tuple[tuple[int, int], ...]]:
    text = words.text
    quotes = [(words.place(start), words.place(end), record) for start, end, record in ranges]
    pieces: list[Piece] = []
    pairs: list[tuple[int, int]] = []

    def add(start: int, end: int, quote: Mapping[str, Any] | None) -> int | None:
        raw = text[start:end]
        stripped = raw.strip()
        if not stripped:
            return None
        first = start + raw.index(stripped)
        last = first + len(stripped)
        pieces.append(Piece(first, last, stripped, (words.place_before(first), words.place_before(last)), quote))
        return len(pieces) - 1

    add(0, quotes[0][0] if quotes else len(text), None)
    for number, (start, end, record) in enumerate(quotes):
        quote = add(start, end, record)
        following = quotes[number + 1][0] if number + 1 < len(quotes) else len(text)
        response = add(end, following, None)
        if quote is not None and response is not None:
            pairs.append((quote, response))
    return tuple(pieces), tuple(pairs)


def _marked(pieces: tuple[Piece, ...], markup: list[Range]) -> tuple[Piece, ...]:
    """The pieces with their markup: each range stands with the piece in which it begins, else with the one before."""
    marked: dict[int, list[Mapping[str, Any]]] = {}
    for start, end, record in markup:
        begun = sum(piece.published[0] <= start for piece in pieces)
        marked.setdefault(max(begun - 1, 0), []).append({"start": start, "end": end, **record})
    return tuple(replace(piece, markup=tuple(marked.get(place, ()))) for place, piece in enumerate(pieces))


FOLDER = "annotations"
TURK = f"{FOLDER}/mechanical_turk"


@dataclass(frozen=True, slots=True)
class Annotation:
    """The mean scores of one quote–response pair by scale, and what else the tables say of it."""

    key: str
    scores: Mapping[str, float]
    further: Mapping[str, Any]

    @property
    def agreement(self) -> float | None:
        """The mean on −5 … 5, where it was asked for."""
        return self.scores.get("agreement")


@dataclass(slots=True)
class Tables:
    """All tables next to the discussions, by discussion id; ``missing`` names those that are not there."""

    annotations: dict[str, list[Annotation]] = field(default_factory=dict)
    meta: dict[str, dict[str, str]] = field(default_factory=dict)
    topics: dict[str, str] = field(default_factory=dict)
    stances: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    old_ids: dict[str, str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)


def read_tables(root: Path, problems: Problems) -> Tables:
    """The tables under ``annotations/``; their size is that of the annotations, not of the corpus."""
    tables = Tables()

    def rows(name: str, *needed: str) -> Iterator[Row]:
        if (root / name).is_file():
            yield from csv_rows(root / name, problems, needed, name)
        else:
            tables.missing.append(name)

    further: dict[str, dict[str, Any]] = {}
    for number in ("1", "2"):
        for row in rows(f"{TURK}/qr_worker_answers_task{number}.csv", "key"):
            answer = {name: value for name, value in row.cells.items() if name not in ("key", "discussion_id")}
            further.setdefault(row.cells["key"], {}).setdefault("workers", []).append({"task": number, **answer})
    for row in rows(f"{TURK}/qr_resample.csv", "key", "resampled"):
        further.setdefault(row.cells["key"], {})["resampled"] = row.cells["resampled"]
    averages = f"{TURK}/qr_averages.csv"
    average_rows = rows(averages, "key", "discussion_id", "agreement")
    for annotation, discussion in _annotations(average_rows, further, problems, averages):
        tables.annotations.setdefault(discussion, []).append(annotation)
    for row in rows(f"{TURK}/qr_meta.csv", "key", "response_post_id", "quote", "response"):
        tables.meta[row.cells["key"]] = row.cells
    for row in rows(f"{FOLDER}/topic.csv", "discussion_id", "topic"):
        # The values carry a leading space and quotes of their own.
        tables.topics[row.cells["discussion_id"]] = row.cells["topic"].strip().strip('"').strip()
    old_ids = f"{FOLDER}/old_discussion_id.csv"
    if (root / old_ids).is_file():
        for row in rows(old_ids, "discussion_id", "old_discussion_id"):
            tables.old_ids[row.cells["discussion_id"]] = row.cells["old_discussion_id"]
    for row in rows(f"{FOLDER}/author_stance.csv", "discussion_id", "author"):
        tables.stances.setdefault(row.cells["discussion_id"], []).append(row.cells)
    return tables


def _annotations(
    rows: Iterator[Row], further: Mapping[str, Mapping[str, Any]], problems: Problems, name: str
) -> Iterator[tuple[Annotation, str]]:
    """The annotations of the table of averages, each with its discussion."""
    keys: set[str] = set()
    for row in rows:
        key = row.cells["key"]
        if key in keys:
            problems.add("duplicate", f"the key {key} is given twice; the later row is skipped", name, row.line)
            continue
        keys.add(key)
        try:
            scores = {
                scale: value
                for scale, cell in row.cells.items()
                if scale not in ("key", "discussion_id") and (value := number_in(cell, scale)) is not None
            }
        except ValueError as error:
            problems.add("number", f"{error}; the row is skipped", name, row.line)
            continue
        yield Annotation(key, scores, further.get(key, {})), row.cells["discussion_id"]
