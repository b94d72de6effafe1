"""A discussion of IAC 1 as posts, and a post as pieces: quotes, and what its author writes between them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aifgraph.datasets.problems import Problems

Range = tuple[int, int, Mapping[str, Any]]

#: An escape that may be half of a pair.
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a post without the white space around it: characters ``start`` to ``end`` of the post's text.

    ``quote`` is the range's record for a quote, ``None`` for the author's own words.
    """

    start: int
    end: int
    text: str
    quote: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Post:
    """A post: its pieces, and the pairs of places (quote, response) in them."""

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
    """The value in a JSON file, ``None`` (and a problem) where there is none to be had."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
        value = json.loads(text)
        if _HALF.search(text) and (whole := _whole(value)) != value:
            problems.add("encoding", "half a surrogate pair in a text; replaced by U+FFFD", name)
            return whole
        return value
    except UnicodeDecodeError as error:
        problems.add("encoding", f"byte {error.start + 1} is not UTF-8; the file is left out", name)
    except json.JSONDecodeError as error:
        problems.add("json", f"not JSON ({error.msg}); the file is left out", name, error.lineno)
    except ValueError as error:  # a number of thousands of digits
        problems.add("json", f"{str(error).split(';')[0]}; the file is left out", name)
    except RecursionError:
        problems.add("json", "nested too deeply; the file is left out", name)
    except OSError as error:
        problems.add("file", f"{error.strerror or 'cannot be read'}; the file is left out", name)
    return None


def _whole(value: Any) -> Any:
    """A JSON value without half surrogate pairs, which no file in UTF-8 can hold."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_whole(each) for each in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(each) for key, each in value.items()}
    return value


def read_ranges(path: Path, problems: Problems, name: str) -> dict[int, list[Range]]:
    """The quotes by post, in the order of the text."""
    found: dict[int, list[Range]] = {}
    if not path.is_file():
        return found
    entries = read_json(path, problems, name)
    if entries is not None and not isinstance(entries, list):
        problems.add("shape", "not a list of ranges; the file is left out", name)
    for number, entry in enumerate(entries if isinstance(entries, list) else []):
        match entry:
            case [int(post), [int(start), int(end), *rest]] if start <= end and start >= 0:
                beside = rest[0] if rest and isinstance(rest[0], dict) else {}
                found.setdefault(post, []).append((start, end, beside))
            case _:
                problems.add("range", f"entry {number} is not [post, [start, end, …]]", name)
    for ranges in found.values():
        ranges.sort(key=lambda each: each[:2])
    return found


def posts_in(document: Any, ranges: Mapping[int, list[Range]], problems: Problems, name: str) -> Iterator[Post]:
    """The posts of a discussion file; damaged ones and repeated ids are problems and left out."""
    match document:
        case [list(entries), *_]:
            pass
        case _:
            problems.add("shape", "not [posts, annotations, metadata]; the file is left out", name)
            return
    seen: set[int] = set()
    for number, entry in enumerate(entries):
        match entry:
            case [int(id_), side, author, str(text), beside, (int() | None) as parent, category, time, *_]:
                pass
            case _:
                problems.add("post", f"posts[{number}] is not [id, side, author, text, …]; it is left out", name)
                continue
        if id_ in seen:
            problems.add("duplicate", f"posts[{number}]: post {id_} is given twice; the later one is left out", name)
            continue
        seen.add(id_)
        record = {"side": side, "category": category, **(beside if isinstance(beside, dict) else {})}
        moment = float(time) if isinstance(time, int | float) else None
        kept = _fitting(ranges.get(id_, []), text, problems, name, id_)
        pieces, pairs = _pieces(text, kept)
        yield Post(id_, str(author or ""), text, parent, moment, record, pieces, pairs)


def _fitting(ranges: list[Range], text: str, problems: Problems, name: str, post: int) -> list[Range]:
    """The quotes that lie in the text, without those inside one before."""
    kept: list[Range] = []
    done = 0
    for each in ranges:
        start, end, _ = each
        if end > len(text):
            problems.add("range", f"post {post}: the quote {start}–{end} goes beyond the text", name)
        elif start < done:
            problems.add("range", f"post {post}: the quote {start}–{end} overlaps the one before", name)
        else:
            kept.append(each)
            done = end
    return kept


def _pieces(text: str, ranges: list[Range]) -> tuple[tuple[Piece, ...], tuple[tuple[int, int], ...]]:
    pieces: list[Piece] = []
    pairs: list[tuple[int, int]] = []

    def add(start: int, end: int, quote: Mapping[str, Any] | None) -> int | None:
        raw = text[start:end]
        stripped = raw.strip()
        if not stripped:
            return None
        first = start + raw.index(stripped)
        pieces.append(Piece(first, first + len(stripped), stripped, quote))
        return len(pieces) - 1

    add(0, ranges[0][0] if ranges else len(text), None)
    for number, (start, end, beside) in enumerate(ranges):
        quote = add(start, end, beside)
        following = ranges[number + 1][0] if number + 1 < len(ranges) else len(text)
        response = add(end, following, None)
        if quote is not None and response is not None:
            pairs.append((quote, response))
    return tuple(pieces), tuple(pairs)
