"""The crowd's annotations of IAC 1: reading them, and finding the quote and response that each is about."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from aifgraph.datasets.dataset import Log, Row, files_in, number_in, place_below, read_csv
from aifgraph.datasets.iac2 import present
from aifgraph.errors import InputError
from aifgraph.files import write_atomic
from aifgraph.formats import load
from aifgraph.tables import tsv_cell
from aifgraph.text.source import unescape

if TYPE_CHECKING:
    from aifgraph.datasets.iac1 import Discussion, Post

#: A pair of quote and response: the post, and the places of both among its passages.
QuoteResponse: TypeAlias = "tuple[Post, int, int]"

_KEY: Final = re.compile(r"\((\d{1,12}), (\d{1,12})\)")
_REFERENCE: Final = re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);")


def decoded(text: str) -> str:
    """Decode the character references that end in a semicolon; those that HTML does not know stay.

    >>> decoded("so &#8212; he &quot;said&quot;")
    'so — he "said"'
    """
    return _REFERENCE.sub(lambda reference: unescape(reference[0]), text)


def letters_of(text: str) -> str:
    """Return letters and digits, as markup and white space differ between the tables and the posts."""
    return "".join(filter(str.isalnum, text)).casefold()


# -- tables -----------------------------------------------------------------------------------------------------------


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

    def rows(file: str, *needed: str, unique: str = "") -> Iterator[Row]:
        if path := place_below(root, f"annotations/{file}", log):
            return read_csv(path, log, needed, unique=unique)
        log.counts[f"without {file}"] = 1
        return iter(())

    turk = "mechanical_turk/qr_"
    further: dict[str, dict[str, Any]] = {}
    for number in ("1", "2"):
        for row in rows(f"{turk}worker_answers_task{number}.csv", "key"):
            answer = {name: cell for name, cell in row.cells.items() if name not in ("key", "discussion_id")}
            further.setdefault(row.cells["key"], {}).setdefault("workers", []).append({"task": number, **answer})
    for row in rows(f"{turk}resample.csv", "key", "resampled", unique="key"):
        further.setdefault(row.cells["key"], {})["resampled"] = row.cells["resampled"]
    averages = root / "annotations" / f"{turk}averages.csv"
    for row in rows(f"{turk}averages.csv", "key", "discussion_id", "agreement", unique="key"):
        key, discussion = row.cells.pop("key"), row.cells.pop("discussion_id")
        try:
            scores = present({scale: number_in(cell) for scale, cell in row.cells.items()})
        except ValueError as error:
            log.problem("number", f"{error}; the row is skipped", averages, row.line)
            continue
        pair = _KEY.fullmatch(key)
        ids = {"page_id": int(pair[1]), "tab_number": int(pair[2])} if pair else {"key": key}
        annotation = Annotation(key, {**ids, **scores}, further.get(key, {}))
        tables.annotations.setdefault(discussion, []).append(annotation)
    for row in rows(f"{turk}meta.csv", "key", "response_post_id", "quote", "response", unique="key"):
        tables.meta[row.cells["key"]] = row.cells
    for row in rows("old_discussion_id.csv", "discussion_id", "old_discussion_id", unique="discussion_id"):
        about = tables.about.setdefault(row.cells["discussion_id"], {})
        about["old_discussion_id"] = row.cells["old_discussion_id"]
    for row in rows("topic.csv", "discussion_id", "topic", unique="discussion_id"):
        tables.about.setdefault(row.cells["discussion_id"], {})["topic"] = row.cells["topic"].strip(' "')
    for row in rows("author_stance.csv", "discussion_id", "author"):
        about = tables.about.setdefault(row.cells.pop("discussion_id"), {})
        about.setdefault("stances", []).append(row.cells)
    return tables


# -- AIFdb's nodesets -------------------------------------------------------------------------------------------------


class AnnotatedPair(NamedTuple):
    """A pair that AIFdb relates, in a nodeset: the letters of quote and response, and the relation."""

    nodeset: str
    quote: str
    response: str
    relation: str


#: The columns of the list of candidates.
COLUMNS: Final = ("discussion_id", "key", "agreement", "nodeset", "relation", "post_id", "quote", "response")


class AnnotatedPairs:
    """The pairs of AIFdb's nodesets, and the annotations that several of them can be meant by."""

    def __init__(self, folder: Path, log: Log) -> None:
        if not folder.is_dir():
            raise InputError("not a folder of AIFdb's nodesets", where=str(folder))
        self.by_nodeset: dict[str, list[AnnotatedPair]] = defaultdict(list)
        self.by_texts: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.listed: list[tuple[object, ...]] = []
        for file in files_in(folder, "*.json", log):
            try:
                graph = load(file)
            except InputError as error:
                log.problem("nodeset", f"{error.what}; it is skipped", file)
                continue
            for node in (*graph.inferences, *graph.conflicts):
                for response in graph.premises_of(node):
                    for quote in graph.conclusions_of(node):
                        texts = letters_of(decoded(quote.text)), letters_of(decoded(response.text))
                        self.by_nodeset[file.name].append(AnnotatedPair(file.name, *texts, node.type))
                        self.by_texts[texts].add(file.name)
        if not self.by_nodeset:
            raise InputError("no nodeset has a relation", where=str(folder))

    def candidates(self, pairs: list[QuoteResponse]) -> list[tuple[AnnotatedPair, list[QuoteResponse]]]:
        """Return the annotated pairs of a discussion, each with the pairs of the discussion that have its texts.

        The nodesets of a discussion share both texts of a pair with it. Where no pair is equal, one text may hold the
        other.
        """
        texts = {
            number: tuple(letters_of(post.passages[place].text) for place in places)
            for number, (post, *places) in enumerate(pairs)
        }
        nodesets = {name for quote, response in texts.values() for name in self.by_texts.get((quote, response), ())}
        found = []
        for pair in (pair for name in sorted(nodesets) for pair in self.by_nodeset[name]):
            wanted = pair.quote, pair.response
            same = [number for number, own in texts.items() if own == wanted] or [
                number
                for number, own in texts.items()
                if all(mine and its and (mine in its or its in mine) for mine, its in zip(own, wanted, strict=True))
            ]
            found.append((pair, [pairs[number] for number in same]))
        return found

    def add(
        self, discussion: str, annotation: Annotation, found: list[tuple[AnnotatedPair, list[QuoteResponse]]]
    ) -> None:
        """List an annotation with its candidates."""
        about = discussion, annotation.key, annotation.scores.get("agreement", "")
        rows = [
            (pair.nodeset, pair.relation, post.id, *(post.passages[end].text for end in ends))
            for pair, places in found
            for post, *ends in places
        ]
        self.listed += [(*about, *row) for row in rows or [("",) * 5]]

    def write_candidates(self, path: str | PathLike[str]) -> None:
        rows = ([tsv_cell(cell) if isinstance(cell, str) else str(cell) for cell in row] for row in self.listed)
        lines = ("\t".join(row) + "\n" for row in (COLUMNS, *rows))
        write_atomic(Path(path), "".join(lines))


# -- which pair an annotation is about --------------------------------------------------------------------------------


def placed(
    discussion: Discussion, tables: Tables, nodesets: AnnotatedPairs | None, log: Log
) -> Iterator[tuple[Annotation, QuoteResponse]]:
    """Yield the annotations whose pair is certain.

    It is by ``qr_meta.csv``, because there is only one, or because there is one annotation and AIFdb has one pair.
    """
    rows = tables.annotations.get(discussion.name, [])
    pairs: list[QuoteResponse] = [(post, *places) for post in discussion.posts.values() for places in post.pairs]
    found = nodesets.candidates(pairs) if nodesets and rows else []
    for annotation in rows:
        meta = tables.meta.get(annotation.key)
        if meta is not None:
            pair = _described(pairs, meta)
        elif len(rows) == len(pairs) == 1:
            pair = pairs[0]
        else:
            pair = found[0][1][0] if len(rows) == len(found) == 1 == len(found[0][1]) else None
            if pair is not None:
                log.counts["placed by AIFdb's nodesets"] += 1
        if pair is not None:
            yield annotation, pair
            continue
        log.counts["annotations left out, as this copy does not say what they are about"] += 1
        if nodesets and meta is None:
            nodesets.add(discussion.name, annotation, found)
            log.counts["of them with candidates in AIFdb's nodesets" if found else "of them in no nodeset"] += 1


def _described(pairs: list[QuoteResponse], meta: Mapping[str, str]) -> QuoteResponse | None:
    """Return the pair of a row of ``qr_meta.csv``: by its post, then by the words of quote and response."""
    quote, response = (letters_of(decoded(meta[part])) for part in ("quote", "response"))
    in_post = [pair for pair in pairs if str(pair[0].id) == meta["response_post_id"].strip()]
    same = [(post, q, r) for post, q, r in in_post if letters_of(post.passages[q].text) == quote]
    exact = [(post, q, r) for post, q, r in same if letters_of(post.passages[r].text) == response]
    return next(iter(exact or same or (in_post if len(in_post) == 1 else [])), None)
