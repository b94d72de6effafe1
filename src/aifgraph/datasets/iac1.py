"""The Internet Argument Corpus, version 1 (Walker et al. 2012): one map per discussion.

A post is cut at its quotes. A quote is L → YA → I of the quoted author, what the author writes after it (or without
one) L → YA → I of the author. Transitions lead from quote to response, from the quoted post to the quote, and from a
post's parent to it. The crowd's mean agreement on a pair makes RA or CA from response to quote.

``qr_meta.csv`` says which quote and response an annotation is about. Many copies lack it: an annotation can then be
placed only where its discussion has one annotation and one pair. The others stay in the map's further fields.

Character references (``&#8212;``) become characters: spans are places in the resulting text, ``start`` and ``end``
places in the file.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from aifgraph.datasets.dataset import Log, Row, Statement, closing_links, finished, number_in, read_csv, say
from aifgraph.datasets.iac2 import check_limits, link, present, relate, relation_type
from aifgraph.errors import InputError
from aifgraph.graph import ArgumentGraph, GraphBuilder, Span
from aifgraph.text.source import unescape
from aifgraph.text.words import words_of

MARKUP: Final = ("url", "presentation", "other_markup")
_KEY: Final = re.compile(r"\((\d{1,12}), (\d{1,12})\)")
_REFERENCE: Final = re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);")
#: Start and end in the text of a post as it is published, and what the file says of them.
Range = tuple[int, int, Mapping[str, Any]]


def read(path: Path, log: Log, *, agree: float = 1.0, disagree: float = -1.0) -> Iterator[ArgumentGraph]:
    """Read the folder with ``discussions/``, ``ranges/`` and ``annotations/``.

    ``agree`` is the least mean agreement that makes RA, ``disagree`` the greatest that makes CA. AIFdb's own conversion
    has 0 and 0.
    """
    check_limits(agree, disagree)
    found = [file for file in (path / "discussions").glob("*.json") if not file.is_symlink()]
    files = sorted(found, key=lambda file: (len(file.stem), file.stem))
    if not files:
        raise InputError("there is no folder discussions/ with JSON files", where=str(path))
    tables = read_tables(path, log)
    log.counts["annotations"] = sum(map(len, tables.annotations.values()))
    here = {file.stem for file in files}
    if elsewhere := sum(len(rows) for name, rows in tables.annotations.items() if name not in here):
        log.counts["annotations of discussions that are not here"] = elsewhere
    for file in files:
        discussion = read_discussion(path, file, log)
        if discussion is not None:
            yield _graph(discussion, tables, log, agree, disagree)


# -- discussions ------------------------------------------------------------------------------------------------------


def decoded(text: str) -> str:
    """Decode the character references that end in a semicolon; those that HTML does not know stay.

    >>> decoded("so &#8212; he &quot;said&quot;")
    'so — he "said"'
    """
    return _REFERENCE.sub(lambda reference: unescape(reference[0]), text)


@dataclass(slots=True)
class Passage:
    """A stretch of a post without the white space around it.

    ``start`` and ``end`` are places in the post's text, ``published`` those in the file. A quote has its range's
    record as ``quote`` and its number in the post as ``index``.
    """

    start: int
    end: int
    text: str
    published: tuple[int, int]
    quote: Mapping[str, Any] | None = None
    index: int = 0
    markup: list[dict[str, Any]] = field(default_factory=list)

    @property
    def source_post(self) -> int | None:
        """The quoted post."""
        post = (self.quote or {}).get("quote_id")
        return post if isinstance(post, int) else None


@dataclass(slots=True)
class Post:
    """A post as passages. ``pairs`` are the places of each quote that has a response, and of the response."""

    id: int
    author: str
    text: str
    parent: int | None
    date: str | None
    extra: Mapping[str, Any]
    passages: list[Passage]
    pairs: list[tuple[int, int]]


@dataclass(slots=True)
class Discussion:
    """A discussion: its posts by id, and what the file says of the whole."""

    name: str
    file: Path
    posts: dict[int, Post]
    metadata: Mapping[str, Any]


def read_discussion(root: Path, path: Path, log: Log) -> Discussion | None:
    """Read a discussion with its ranges; ``None`` (and a problem) where the file cannot be read."""
    match read_json(path, log):
        case [list(entries), *more]:
            pass
        case None:
            return None
        case _:
            log.problem("shape", "not [posts, annotations, metadata]; the file is skipped", path)
            return None
    ranges = root / "ranges"
    quotes = read_ranges(ranges / "quotes" / path.name, log)
    markup: dict[int, list[Range]] = {}
    for kind in MARKUP:
        for post_id, marks in read_ranges(ranges / kind / path.name, log).items():
            markup.setdefault(post_id, []).extend((start, end, {"type": kind, **own}) for start, end, own in marks)
    posts: dict[int, Post] = {}
    for number, entry in enumerate(entries):
        match entry:
            case [int(id_), side, author, str(text), further, (int() | None) as parent, category, time, *_]:
                pass
            case _:
                log.problem("post", f"posts[{number}] is not [id, side, author, text, …]; it is skipped", path)
                continue
        if id_ in posts:
            log.problem("duplicate", f"posts[{number}]: post {id_} is given twice; the later one is skipped", path)
            continue
        words, passages, pairs = cut(text, _fitting(quotes.get(id_, []), len(text), f"post {id_}", path, log))
        for start, end, own in markup.get(id_, []):
            if passages:  # markup stands with the passage in which it begins, else with the one before
                place = bisect_right(passages, start, key=lambda passage: passage.published[0]) - 1
                passages[max(0, place)].markup.append({**own, "start": start, "end": end})
        own = {"parent_post_id": parent, "side": side, "category": category}
        extra = own | (further if isinstance(further, dict) else {})
        posts[id_] = Post(id_, str(author or ""), words, parent, _date(time), present(extra), passages, pairs)
    for post_id in sorted(quotes.keys() - posts.keys()):
        log.problem("dangling", f"quotes in post {post_id}, which is not there", ranges / "quotes" / path.name)
    quoted = [passage for post in posts.values() for passage in post.passages if passage.quote is not None]
    log.counts["posts"] += len(posts)
    log.counts["quotes"] += len(quoted)
    log.counts["words of quotes"] += sum(len(words_of(passage.text)) for passage in quoted)
    if left_out := sum(map(len, quotes.values())) - len(quoted):
        log.counts["quotes left out, as they are empty or damaged"] += left_out
    metadata = more[1] if len(more) > 1 and isinstance(more[1], dict) else {}
    return Discussion(path.stem, path, posts, metadata)


def read_json(path: Path, log: Log) -> Any:
    """Return the value in a JSON file, ``None`` (and a problem) where there is none.

    Half surrogate pairs, which UTF-8 cannot hold, become U+FFFD.
    """
    try:
        data = path.read_bytes()
        value = json.loads(data)
    except json.JSONDecodeError as error:
        log.problem("json", f"{error.msg}; the file is skipped", path, error.lineno)
        return None
    except (ValueError, RecursionError) as error:
        log.problem("json", f"{error}; the file is skipped", path)
        return None
    if re.search(rb"\\u[dD][89a-fA-F]", data):
        text = json.dumps(value, ensure_ascii=False)
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if whole != text:
            log.problem("encoding", "half a surrogate pair in a text; replaced by U+FFFD", path)
            return json.loads(whole)
    return value


def read_ranges(path: Path, log: Log) -> dict[int, list[Range]]:
    """Return the ranges in a file by post, in the order of the text; none where the file is not there."""
    by_post: dict[int, list[Range]] = {}
    entries = read_json(path, log) if path.is_file() else []
    for number, entry in enumerate(entries if isinstance(entries, list) else ()):
        match entry:
            case [int(post), [int(start), int(end), *more]] if 0 <= start <= end:
                own = more[0] if more and isinstance(more[0], dict) else {}
                by_post.setdefault(post, []).append((start, end, own))
            case _:
                log.problem("range", f"entry {number} is not [post, [start, end, …]]", path)
    for ranges in by_post.values():
        ranges.sort(key=lambda entry: entry[:2])
    return by_post


def _fitting(ranges: list[Range], length: int, post: str, file: Path, log: Log) -> list[Range]:
    """Return the quotes that lie in the text and not in the one before."""
    fitting: list[Range] = []
    for start, end, own in ranges:
        if end > length:
            log.problem("range", f"{post}: the quote {start}–{end} goes beyond the text; it is no quote here", file)
        elif fitting and start < fitting[-1][1]:
            log.problem("range", f"{post}: the quote {start}–{end} overlaps the one before; it is no quote here", file)
        else:
            fitting.append((start, end, own))
    return fitting


def cut(text: str, quotes: list[Range]) -> tuple[str, list[Passage], list[tuple[int, int]]]:
    """Cut a post at its quotes; its text, with character references decoded, comes first.

    >>> _, passages, pairs = cut("Look: Masks help No, they do not", [(6, 16, {"quote_id": 1})])
    >>> [passage.text for passage in passages], pairs
    (['Look:', 'Masks help', 'No, they do not'], [(1, 2)])
    """
    passages, pairs, words = list[Passage](), list[tuple[int, int]](), ""

    def add(start: int, end: int, quote: Mapping[str, Any] | None = None, index: int = 0) -> int | None:
        nonlocal words
        raw, plain = text[start:end], decoded(text[start:end])
        first, stripped = len(words), plain.strip()
        words += plain
        if not stripped:
            return None
        first += plain.index(stripped)
        published = start + len(raw) - len(raw.lstrip()), start + len(raw.rstrip())
        passages.append(Passage(first, first + len(stripped), stripped, published, quote, index))
        return len(passages) - 1

    starts = [*(start for start, _, _ in quotes), len(text)]
    add(0, starts[0])
    for index, (start, end, own) in enumerate(quotes):
        quote, response = add(start, end, own, index), add(end, starts[index + 1])
        if quote is not None and response is not None:
            pairs.append((quote, response))
    return words, passages, pairs


def _date(seconds: object) -> str | None:
    """Return Unix time in UTC as AIF writes times."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")  # type: ignore[arg-type]
    except (TypeError, OverflowError, OSError, ValueError):
        return None


# -- annotations ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Annotation:
    """The crowd's means of one pair: ``scores`` has the ids of the pair and the scales, ``further`` the answers."""

    key: str
    scores: dict[str, Any]
    further: dict[str, Any]


@dataclass(slots=True)
class Tables:
    """The tables next to the discussions: by discussion, ``meta`` by key of the annotation.

    ``about`` has the old id, the topic and the stances of a discussion.
    """

    annotations: dict[str, list[Annotation]] = field(default_factory=dict)
    meta: dict[str, dict[str, str]] = field(default_factory=dict)
    about: dict[str, dict[str, Any]] = field(default_factory=dict)


def read_tables(root: Path, log: Log) -> Tables:
    """Read the tables under ``annotations/``; those that are missing are counted."""
    tables = Tables()

    def rows(file: str, *needed: str) -> Iterator[Row]:
        path = root / "annotations" / file
        if path.is_file():
            return read_csv(path, log, needed)
        log.counts[f"without {file}"] = 1
        return iter(())

    turk = "mechanical_turk/qr_"
    further: dict[str, dict[str, Any]] = {}
    for number in ("1", "2"):
        for row in rows(f"{turk}worker_answers_task{number}.csv", "key"):
            answer = {name: cell for name, cell in row.cells.items() if name not in ("key", "discussion_id")}
            further.setdefault(row.cells["key"], {}).setdefault("workers", []).append({"task": number, **answer})
    for row in rows(f"{turk}resample.csv", "key", "resampled"):
        further.setdefault(row.cells["key"], {})["resampled"] = row.cells["resampled"]
    keys: set[str] = set()
    averages = root / "annotations" / f"{turk}averages.csv"
    for row in rows(f"{turk}averages.csv", "key", "discussion_id", "agreement"):
        key, discussion = row.cells.pop("key"), row.cells.pop("discussion_id")
        if key in keys:
            log.problem("duplicate", f"the key {key} is given twice; the later row is skipped", averages, row.line)
            continue
        keys.add(key)
        try:
            scores = present({scale: number_in(cell) for scale, cell in row.cells.items()})
        except ValueError as error:
            log.problem("number", f"{error}; the row is skipped", averages, row.line)
            continue
        pair = _KEY.fullmatch(key)
        ids = {"page_id": int(pair[1]), "tab_number": int(pair[2])} if pair else {"key": key}
        annotation = Annotation(key, {**ids, **scores}, further.get(key, {}))
        tables.annotations.setdefault(discussion, []).append(annotation)
    for row in rows(f"{turk}meta.csv", "key", "response_post_id", "quote", "response"):
        tables.meta[row.cells["key"]] = row.cells
    for row in rows("old_discussion_id.csv", "discussion_id", "old_discussion_id"):
        about = tables.about.setdefault(row.cells["discussion_id"], {})
        about["old_discussion_id"] = row.cells["old_discussion_id"]
    for row in rows("topic.csv", "discussion_id", "topic"):
        tables.about.setdefault(row.cells["discussion_id"], {})["topic"] = row.cells["topic"].strip(' "')
    for row in rows("author_stance.csv", "discussion_id", "author"):
        about = tables.about.setdefault(row.cells.pop("discussion_id"), {})
        about.setdefault("stances", []).append(row.cells)
    return tables


# -- maps -------------------------------------------------------------------------------------------------------------

#: A pair of quote and response: the post, and the places of both among its passages.
QuoteResponse = tuple[Post, int, int]


def _graph(discussion: Discussion, tables: Tables, log: Log, agree: float, disagree: float) -> ArgumentGraph:
    name, posts = discussion.name, discussion.posts
    build = GraphBuilder(name=name)
    statements: dict[tuple[int, int], Statement] = {}
    spans: list[Span] = []
    offset = 0
    for post in posts.values():
        for place, passage in enumerate(post.passages):
            said = _say(build, post, passage, posts)
            statements[post.id, place] = said
            spans.append(Span(said.proposition, offset + passage.start, offset + passage.end))
        offset += len(post.text) + 2
    _link_posts(build, discussion, statements, log)
    answers = {
        (post.id, quote): link(build, statements[post.id, quote], statements[post.id, response], "response")
        for post in posts.values()
        for quote, response in post.pairs
    }
    rows = tables.annotations.get(name, [])
    for annotation, pair in _placed(posts, rows, tables, log):
        type_ = relation_type(annotation.scores.get("agreement"), agree, disagree)
        log.counts["annotations with a relation" if type_ else "annotations without a relation"] += 1
        if type_:
            post, quote, response = pair
            ends = statements[post.id, response], statements[post.id, quote]
            relate(build, type_, *ends, answers[post.id, quote], annotation.scores)
    document = {**discussion.metadata, "discussion_id": name, **tables.about.get(name, {})}
    document |= {"agree": agree, "disagree": disagree}
    if rows:
        document["annotations"] = [{**row.scores, **row.further} for row in rows]
    text = "\n\n".join(post.text for post in posts.values())
    return finished(build, "iac", document, text, spans)


def _say(build: GraphBuilder, post: Post, passage: Passage, posts: Mapping[int, Post]) -> Statement:
    extra: dict[str, Any] = {"post_id": post.id, "start": passage.published[0], "end": passage.published[1]}
    if passage.markup:
        extra["markup"] = passage.markup
    if passage.quote is None:
        extra |= {**post.extra, **present({"creation_date": post.date})}
        return say(build, post.author, passage.text, start=post.date, extra={"iac": extra})
    own = {key: value for key, value in passage.quote.items() if key != "quote_id"}
    extra |= present({"quote_index": passage.index, "source_post_id": passage.source_post, **own})
    source = passage.source_post
    author = posts[source].author if source is not None and source in posts else str(own.get("author") or "")
    return say(build, author, passage.text, extra={"iac": extra})


def _link_posts(
    build: GraphBuilder, discussion: Discussion, statements: Mapping[tuple[int, int], Statement], log: Log
) -> None:
    """Add transitions from parents and from quoted posts, without those that would close a cycle."""
    posts = discussion.posts
    parents = [(post.parent, post.id) for post in posts.values() if post.parent is not None]
    quotes = [
        (passage.source_post, post.id, place)
        for post in posts.values()
        for place, passage in enumerate(post.passages)
        if passage.source_post is not None
    ]
    links = [*parents, *((source, id_) for source, id_, _ in quotes)]
    closing = closing_links(pair for pair in links if pair[0] in posts)

    def first(post: Post) -> Statement | None:
        """The author's first own words, else the first passage."""
        own = (place for place, passage in enumerate(post.passages) if passage.quote is None)
        return statements.get((post.id, next(own, 0)))

    for parent, child in parents:
        if parent not in posts:
            log.problem("dangling", f"post {child}: its parent {parent} is not there", discussion.file)
        elif (parent, child) in closing:
            log.problem("cycle", f"post {child}: its parent {parent} is one of its answers", discussion.file)
        elif (start := first(posts[parent])) and (end := first(posts[child])):
            link(build, start, end, "parent")
    for source, id_, place in quotes:
        if source not in posts:
            continue
        if (source, id_) in closing:
            log.problem("cycle", f"post {id_}: it quotes {source}, one of its answers", discussion.file)
            continue
        letters = _letters(posts[id_].passages[place].text)
        holding = (
            statements[source, number]
            for number, passage in enumerate(posts[source].passages)
            if passage.quote is None and letters and letters in _letters(passage.text)
        )
        if start := next(holding, None) or first(posts[source]):
            link(build, start, statements[id_, place], "quote")


def _placed(
    posts: Mapping[int, Post], rows: list[Annotation], tables: Tables, log: Log
) -> Iterator[tuple[Annotation, QuoteResponse]]:
    """Yield the annotations whose pair is known, by ``qr_meta.csv`` or because there is only one."""
    pairs: list[QuoteResponse] = [(post, *places) for post in posts.values() for places in post.pairs]
    for annotation in rows:
        meta = tables.meta.get(annotation.key)
        only = pairs[0] if len(rows) == len(pairs) == 1 else None
        pair = only if meta is None else _described(pairs, meta)
        if pair is None:
            log.counts["annotations left out, as this copy does not say what they are about"] += 1
        else:
            yield annotation, pair


def _described(pairs: list[QuoteResponse], meta: Mapping[str, str]) -> QuoteResponse | None:
    """Return the pair of a row of ``qr_meta.csv``: by its post, then by the words of quote and response."""
    quote, response = (_letters(decoded(meta[part])) for part in ("quote", "response"))
    in_post = [pair for pair in pairs if str(pair[0].id) == meta["response_post_id"].strip()]
    same = [(post, q, r) for post, q, r in in_post if _letters(post.passages[q].text) == quote]
    exact = [(post, q, r) for post, q, r in same if _letters(post.passages[r].text) == response]
    return next(iter(exact or same or (in_post if len(in_post) == 1 else [])), None)


def _letters(text: str) -> str:
    """Return letters and digits, as markup and white space differ between the tables and the posts."""
    return "".join(filter(str.isalnum, text)).casefold()
