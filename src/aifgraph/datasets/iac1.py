"""The Internet Argument Corpus, version 1 (Walker et al. 2012): one map per discussion.

A post is cut at its quotes. A quote is L → YA → I of the quoted author, what the author writes after it (or without
one) L → YA → I of the author. Transitions lead from quote to response, from the quoted post to the quote, and from a
post's parent to it. The crowd's mean agreement on a pair makes RA or CA from response to quote.

``qr_meta.csv`` says which quote and response an annotation is about. Many copies lack it: an annotation can then be
placed only where its discussion has one annotation, and one pair or, in AIFdb's nodesets of the corpus, one annotated
pair. The others stay in the map's further fields.

Character references (``&#8212;``) become characters: spans are places in the resulting text, ``start`` and ``end``
places in the file.
"""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import Any, Final

from aifgraph.datasets.dataset import COPY_LINKS, Log, Statement, closing_links, files_in, finished, place_below, say
from aifgraph.datasets.iac1_annotations import AnnotatedPairs, Tables, decoded, letters_of, placed, read_tables
from aifgraph.datasets.iac2 import check_limits, link, present, relate, relation_type
from aifgraph.errors import InputError, OptionError
from aifgraph.files import read_bytes
from aifgraph.graph import ArgumentGraph, GraphBuilder, Span
from aifgraph.text.words import words_of

MARKUP: Final = ("url", "presentation", "other_markup")
#: Start and end in the text of a post as it is published, and what the file says of them.
Range = tuple[int, int, Mapping[str, Any]]


def read(
    path: Path,
    log: Log,
    *,
    agree: float = 1.0,
    disagree: float = -1.0,
    aifdb: str | PathLike[str] | None = None,
    candidates: str | PathLike[str] | None = None,
) -> Iterator[ArgumentGraph]:
    """Read the folder with ``discussions/``, ``ranges/`` and ``annotations/``.

    ``agree`` is the least mean agreement that makes RA, ``disagree`` the greatest that makes CA. AIFdb's own conversion
    has 0 and 0.

    ``aifdb`` is a folder of AIFdb's nodesets of the corpus, whose relations say which pairs are annotated. They place
    the annotations that ``qr_meta.csv`` does not. A TSV, ``candidates``, lists annotations that several pairs can be
    meant by, with these pairs.
    """
    check_limits(agree, disagree)
    files = sorted(_files(path, "discussions", log).values(), key=lambda file: (len(file.stem), file.stem))
    if not files:
        remedy = COPY_LINKS if log.problem_counts["link"] else None
        raise InputError("there is no folder discussions/ with JSON files", where=str(path), remedy=remedy)
    ranges = {kind: _files(path, f"ranges/{kind}", log) for kind in ("quotes", *MARKUP)}
    tables = read_tables(path, log)
    if candidates is not None and aifdb is None:
        raise OptionError("candidates need aifdb", remedy="give the folder of AIFdb's nodesets as aifdb")
    if candidates is not None and os.path.lexists(candidates):  # it may be one that is read
        raise InputError("the file for candidates exists", where=str(candidates), remedy="name a new file")
    nodesets = None if aifdb is None else AnnotatedPairs(Path(aifdb), log)
    log.counts["annotations"] = sum(map(len, tables.annotations.values()))
    here = {file.stem for file in files}
    if elsewhere := sum(len(rows) for name, rows in tables.annotations.items() if name not in here):
        log.counts["annotations of discussions that are not here"] = elsewhere
    for file in files:
        discussion = read_discussion(file, ranges, log)
        if discussion is not None:
            yield _graph(discussion, tables, nodesets, log, agree, disagree)
    if nodesets is not None and candidates is not None:
        nodesets.write_candidates(candidates)


def _files(root: Path, name: str, log: Log) -> dict[str, Path]:
    """Return the JSON files in a folder by name; a folder that is not there is counted."""
    folder = place_below(root, name, log)
    if folder is None or not folder.is_dir():
        log.counts[f"without {name}"] = 1
        return {}
    return {file.name: file for file in files_in(folder, "*.json", log)}


# -- discussions ------------------------------------------------------------------------------------------------------


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


def read_discussion(path: Path, ranges: Mapping[str, Mapping[str, Path]], log: Log) -> Discussion | None:
    """Read a discussion with its ranges, files by kind and name; ``None`` (and a problem) where it cannot be read."""
    match read_list(path, log):
        case [list(entries), *more]:
            pass
        case None:
            return None
        case _:
            log.problem("shape", "not [posts, annotations, metadata]; the file is skipped", path)
            return None
    quotes = read_ranges(ranges["quotes"].get(path.name), log)
    markup: dict[int, list[Range]] = {}
    for kind in MARKUP:
        for post_id, marks in read_ranges(ranges[kind].get(path.name), log).items():
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
        log.problem("dangling", f"quotes in post {post_id}, which is not there", ranges["quotes"][path.name])
    quoted = [passage for post in posts.values() for passage in post.passages if passage.quote is not None]
    log.counts["posts"] += len(posts)
    log.counts["quotes"] += len(quoted)
    log.counts["words of quotes"] += sum(len(words_of(passage.text)) for passage in quoted)
    if left_out := sum(map(len, quotes.values())) - len(quoted):
        log.counts["quotes left out, as they are empty or damaged"] += left_out
    metadata = more[1] if len(more) > 1 and isinstance(more[1], dict) else {}
    return Discussion(path.stem, path, posts, metadata)


def read_list(path: Path, log: Log) -> list[Any] | None:
    """Return the list in a JSON file, ``None`` (and a problem) where there is none.

    Half surrogate pairs, which UTF-8 cannot hold, become U+FFFD.
    """
    try:
        data = read_bytes(path)
        value = json.loads(data)
    except InputError as error:
        log.problem("json", f"{error.what}; the file is skipped", path)
        return None
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
            value = json.loads(whole)
    if isinstance(value, list):
        return value
    log.problem("shape", "not a list; the file is skipped", path)
    return None


def read_ranges(path: Path | None, log: Log) -> dict[int, list[Range]]:
    """Return the ranges in a file by post, in the order of the text; none where there is no file."""
    by_post: dict[int, list[Range]] = {}
    if path is None:
        return by_post
    for number, entry in enumerate(read_list(path, log) or ()):
        match entry:
            case [int(post), [int(start), int(end), *more]] if 0 <= start <= end:
                own = more[0] if more and isinstance(more[0], dict) else {}
                if not isinstance(own.get("quote_id"), int | None):
                    log.problem("range", f"entry {number}: the quote_id is not a number", path)
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
    passages, pairs, words, length = list[Passage](), list[tuple[int, int]](), list[str](), 0

    def add(start: int, end: int, quote: Mapping[str, Any] | None = None, index: int = 0) -> int | None:
        nonlocal length
        raw, plain = text[start:end], decoded(text[start:end])
        first, stripped = length, plain.strip()
        words.append(plain)
        length += len(plain)
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
    return "".join(words), passages, pairs


def _date(seconds: object) -> str | None:
    """Return Unix time in UTC as AIF writes times."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")  # type: ignore[arg-type]
    except (TypeError, OverflowError, OSError, ValueError):
        return None


# -- maps -------------------------------------------------------------------------------------------------------------


def _graph(
    discussion: Discussion, tables: Tables, nodesets: AnnotatedPairs | None, log: Log, agree: float, disagree: float
) -> ArgumentGraph:
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
    for annotation, pair in placed(discussion, tables, nodesets, log):
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
    own: dict[int, list[tuple[int, str]]] = {}  # the places and letters of a post's own words
    for source, id_, place in quotes:
        if source not in posts:
            continue
        if (source, id_) in closing:
            log.problem("cycle", f"post {id_}: it quotes {source}, one of its answers", discussion.file)
            continue
        letters = letters_of(posts[id_].passages[place].text)
        if source not in own:
            passages = enumerate(posts[source].passages)
            own[source] = [(number, letters_of(passage.text)) for number, passage in passages if passage.quote is None]
        holding = (statements[source, number] for number, said in own[source] if letters and letters in said)
        if start := next(holding, None) or first(posts[source]):
            link(build, start, statements[id_, place], "quote", quoted_by=posts[id_].author)
