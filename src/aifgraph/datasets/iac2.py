"""The Internet Argument Corpus, version 2 (Abbott et al. 2016), a MySQL dump: one map per discussion.

A post is L → YA → I of its author, a quote in it L → YA → I of the quoted author. Transitions lead from a post's
parent to it, from a quote to its post, and from the quoted post to the quote. CreateDebate's ``response_type`` makes a
relation to the parent: *supported* RA, *disputed* CA, *clarified* MA. 4forums' mean agreement makes RA or CA from post
to quote.

Fields stand under ``iac`` in each node's further fields, by the same names as in version 1:

=========================  ==============================================================================
locution and proposition   ``post_id``, ``parent_post_id``; ``creation_date``; ``start``, ``end``: characters
                           of the post as published; ``markup``: a list of ``type``, ``start``, ``end`` and
                           its own fields
... of a quote             also ``quote_index``, ``source_post_id``
transition                 ``link``: ``parent`` (of posts), ``quote`` (of the post that is quoted) or
                           ``response`` (to a quote); ``quoted_by``: the author of the post that quotes
relation of the crowd      ``page_id``, ``tab_number`` of the pair; ``agreement`` and the other scales
relation of CreateDebate   ``response_type``
map                        ``discussion_id``, ``topic``, ``stances``, ``agree``, ``disagree``
=========================  ==============================================================================

Further columns keep their names.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

from aifgraph.datasets.dataset import Log, Statement, closing_links, finished, missing_words, raw_lines, say, the_table
from aifgraph.errors import FormatError, InputError, OptionError
from aifgraph.graph import ArgumentGraph, GraphBuilder, Span
from aifgraph.text.words import words_of

# -- MySQL dumps -------------------------------------------------------------------------------------------------------
#
# Plain or gzipped, they are read a line at a time into SQLite. ``mysqldump`` writes ``CREATE TABLE`` with the columns,
# then ``INSERT INTO `post` VALUES (…),(…);``, often a megabyte to the line. No pattern can match one text in two ways,
# so the time is linear in the length of the file.

#: What a column holds.
Value = str | int | float | None

#: A table, perhaps of a named database.
_TABLE: Final = rb"(?:`?\w++`?\.)?+`?(\w++)`?\s*+"
_CREATE: Final = re.compile(rb"CREATE TABLE (?:IF NOT EXISTS )?" + _TABLE + rb"(?:\(|$)", re.IGNORECASE)
_COLUMN: Final = re.compile(
    rb"\s*+(?!(?:PRIMARY|UNIQUE|KEY|INDEX|FULLTEXT|SPATIAL|CONSTRAINT|CHECK|FOREIGN)\b)`?(\w++)`?\s", re.I
)
_INLINE: Final = re.compile(rb"[(,]" + _COLUMN.pattern, re.IGNORECASE)  # a statement on one line
_INSERT: Final = re.compile(
    rb"(?:INSERT|REPLACE)\s++(?:IGNORE\s++)?INTO\s++" + _TABLE + rb"(?:\(([^)]*+)\)\s*+)?VALUES", re.IGNORECASE
)
_VALUE: Final = re.compile(
    rb"\s*+(?:(?:_\w++\s*+|[nN](?='))?+(?:'((?:[^'\\\n]++|\\.|'')*+)'|\"((?:[^\"\\\n]++|\\.|\"\")*+)\"|(?:0x|[xX]')([0-9a-fA-F]++)'?+)"
    rb"|([^\s'\"(),;\\]++))\s*+(,|\)\s*+[,;])",
    re.DOTALL,
)
_OPEN: Final = re.compile(rb"\s*+\(")
_NUMBER: Final = re.compile(rb"-?[0-9]{1,18}(\.[0-9]++)?+")
_ESCAPE: Final = re.compile(rb"\\([^%_])|''|\"\"", re.DOTALL)  # \% and \_ keep their backslash
_ESCAPED: Final = {b"0": b"\0", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"Z": b"\x1a"}


class DumpRow(NamedTuple):
    """A row of a table: the line of the dump it stands on, and its values by column."""

    table: str
    line: int
    values: dict[str, Value]


class Columns(NamedTuple):
    """What a table has at least: the columns of its key, which are whole numbers, and others."""

    keys: tuple[str, ...]
    others: tuple[str, ...]


def read_dump(path: Path, tables: Mapping[str, Columns], log: Log) -> Iterator[DumpRow]:
    """Yield the rows of some tables as they come; damaged rows are problems and skipped."""
    columns: dict[str, list[str]] = {}
    creating = table = ""  # the table whose columns, or whose rows, the line is about
    names: list[str] = []
    found, number = False, 0
    for number, line in enumerate(raw_lines(path), 1):
        at = 0
        if creating:
            if column := _COLUMN.match(line):
                columns[creating].append(column[1].decode())
            creating = "" if line.startswith(b")") else creating
        elif not table and (created := _CREATE.match(line)):
            found = True
            creating = created[1].decode()
            columns[creating] = [name.decode() for name in _INLINE.findall(line, created.end() - 1)]
            creating = "" if line.rstrip().endswith(b";") else creating
        elif not table and (inserted := _INSERT.match(line)):
            found = True
            table, at = inserted[1].decode(), inserted.end()
            names = [name.decode() for name in re.findall(rb"\w+", inserted[2] or b"")] or columns.get(table, [])
            if table in tables and not names:
                log.problem("columns", f"nothing names the columns of `{table}`", path, number)
            table = table if table in tables and names else ""
        while table and line[at:].strip():  # the rows of a statement may go on over lines
            start = at
            values, at, end = _row(line, at, table, path, number, log)
            if not at:
                shown = line[start : start + 40].decode("utf-8", "replace").strip()
                log.problem("row", f"damaged row of `{table}`, skipped: {shown!r}", path, number)
                at, end = line.find(b"),(", start) + 2, b""
                if at == 1:
                    break
            elif len(values) == len(names):
                yield DumpRow(table, number, dict(zip(names, values, strict=True)))
            else:
                what = f"{len(values)} values where `{table}` has {len(names)} columns; the row is skipped"
                log.problem("width", what, path, number)
            table = "" if end == b";" else table
        table = table if at != 1 else ""
    if table:
        log.problem("row", f"the rows of `{table}` are cut off", path, number)
    if not found:
        raise FormatError("the file has no CREATE TABLE or INSERT INTO", where=str(path), remedy="give a MySQL dump")


def _row(line: bytes, at: int, table: str, path: Path, number: int, log: Log) -> tuple[list[Value], int, bytes]:
    """Return the values of the row at a place, where it ends (0 for a damaged row), and what stands there."""
    values: list[Value] = []
    opened = _OPEN.match(line, at)
    at = opened.end() if opened else len(line)
    while match := _VALUE.match(line, at):
        single, double, digits, bare, end = match.groups()
        at = match.end()
        if bare is not None:
            values.append(_bare(bare))
        else:
            quoted = single if single is not None else double
            text = (
                bytes.fromhex(digits.decode().zfill(len(digits) + len(digits) % 2))
                if quoted is None
                else _ESCAPE.sub(_plain, quoted)
            )
            try:
                values.append(text.decode("utf-8"))
            except UnicodeDecodeError:
                log.problem("encoding", f"a text of `{table}` is not UTF-8; read as Windows-1252", path, number)
                values.append(text.decode("cp1252", errors="replace"))
        if end != b",":
            return values, at, end[-1:]
    return values, 0, b""


def _plain(escape: re.Match[bytes]) -> bytes:
    return _ESCAPED.get(escape[1], escape[1]) if escape[1] else escape[0][:1]


def _bare(value: bytes) -> Value:
    if number := _NUMBER.fullmatch(value):
        return float(value) if number[1] else int(value)
    return None if value.upper() == b"NULL" else value.decode("ascii", "replace")


def load_dump(path: Path, tables: Mapping[str, Columns], log: Log) -> sqlite3.Connection:
    """Read a dump into a database on disk that vanishes when it is closed.

    Every table is there with the columns that it needs, and ``line``. Rows without a key, or with one that came before,
    are problems and skipped.
    """
    database = sqlite3.connect("")
    database.row_factory = sqlite3.Row
    columns: dict[str, dict[str, None]] = {}
    for table, line, values in read_dump(path, tables, log):
        try:
            if table not in columns:
                columns[table] = _create(database, table, tables[table], *values)
            known = {name: value for name, value in values.items() if name in columns[table]} | {"line": line}
            listed = ", ".join(f'"{name}"' for name in known)
            key = [values.get(name) for name in tables[table].keys]
            if not all(isinstance(part, int) for part in key):
                shown = ", ".join(map(str, key))[:40]
                log.problem("key", f"a row of `{table}` without a key ({shown}); it is skipped", path, line)
                continue
            insert = f"INSERT OR IGNORE INTO {table} ({listed}) VALUES ({', '.join('?' * len(known))})"
            if not database.execute(insert, [*known.values()]).rowcount:
                shown = ", ".join(map(str, key))
                log.problem("duplicate", f"`{table}` has the key ({shown}) twice; the later row is skipped", path, line)
        except sqlite3.OperationalError as error:  # a name twice but for case, thousands of columns, a full disk
            raise FormatError(f"not taken by SQLite ({error})", where=f"{path}, line {line}") from None
    for table in tables.keys() - columns.keys():
        _create(database, table, tables[table])
    return database


def _create(database: sqlite3.Connection, table: str, needed: Columns, *names: str) -> dict[str, None]:
    columns = dict.fromkeys((*needed.keys, *needed.others, *names, "line"))
    # Numbers, so that they are in order and equal to each other, even where a dump quotes them.
    typed = (f'"{name}" INTEGER' if name.endswith(("_id", "_index")) else f'"{name}"' for name in columns)
    database.execute(f"CREATE TABLE {table} ({', '.join(typed)}, PRIMARY KEY ({', '.join(needed.keys)}))")
    return columns


# -- the tables of the corpus ------------------------------------------------------------------------------------------

RESPONSES: Final = {"supported": "RA", "disputed": "CA", "clarified": "MA"}
_PAIR: Final = ("page_id", "tab_number")
TABLES: Final = {
    "author": Columns(("author_id",), ("username",)),
    "discussion": Columns(("discussion_id",), ("description_text_id",)),
    "discussion_stance": Columns(
        ("discussion_id", "discussion_stance_id"), ("discussion_stance", "topic_id", "topic_stance_id")
    ),
    "discussion_topic": Columns(("discussion_id",), ("topic_id",)),
    "markup": Columns(("text_id", "markup_id"), ("markup_start", "markup_end")),
    "post": Columns(
        ("discussion_id", "post_id"),
        ("author_id", "creation_date", "parent_post_id", "text_id", "discussion_stance_id", "response_type"),
    ),
    "quote": Columns(
        ("discussion_id", "post_id", "quote_index"), ("text_id", "source_discussion_id", "source_post_id")
    ),
    "text": Columns(("text_id",), ("text",)),
    "topic": Columns(("topic_id",), ("topic",)),
    "topic_stance": Columns(("topic_id", "topic_stance_id"), ("stance",)),
    "mturk_2010_qr_entry": Columns(_PAIR, ("discussion_id", "post_id", "quote_index")),
    "mturk_2010_qr_task1_average_response": Columns(_PAIR, ("disagree_agree",)),
    "mturk_2010_qr_task2_average_response": Columns(_PAIR, ()),
}
#: Columns that say where a row is in the tables, not what it says.
_KEYS: Final = frozenset(("line", "text_id", "markup_id", "discussion_id", "author_id", "text", "username"))

_POSTS: Final = """
SELECT post.*, text.text, author.username, discussion_stance FROM post LEFT JOIN text USING (text_id)
LEFT JOIN author USING (author_id) LEFT JOIN discussion_stance USING (discussion_id, discussion_stance_id)
WHERE discussion_id = ? ORDER BY post_id"""
_QUOTES: Final = """
SELECT quote.*, text.text FROM quote LEFT JOIN text USING (text_id)
WHERE discussion_id = ? ORDER BY post_id, quote_index"""
_ANNOTATIONS: Final = """
SELECT entry.*, one.*, two.* FROM mturk_2010_qr_entry entry
LEFT JOIN mturk_2010_qr_task1_average_response one USING (page_id, tab_number)
LEFT JOIN mturk_2010_qr_task2_average_response two USING (page_id, tab_number)
WHERE entry.discussion_id = ? ORDER BY page_id, tab_number"""
_STANCES: Final = """
SELECT discussion_stance_id AS id, discussion_stance AS stance, topic_stance.stance AS topic_stance
FROM discussion_stance LEFT JOIN topic_stance USING (topic_id, topic_stance_id)
WHERE discussion_id = ? ORDER BY discussion_stance_id"""
_TOPIC: Final = "SELECT topic FROM discussion_topic JOIN topic USING (topic_id) WHERE discussion_id = ?"
_DISCUSSION: Final = """
SELECT discussion.*, text.text FROM discussion LEFT JOIN text ON text.text_id = description_text_id
WHERE discussion_id = ?"""


def read(path: Path, log: Log, *, agree: float = 1.0, disagree: float = -1.0) -> Iterator[ArgumentGraph]:
    """Read a dump (``.sql``, ``.sql.gz``), or the only one of a folder.

    For 4forums ``agree`` is the least mean agreement that makes RA, ``disagree`` the greatest that makes CA.
    """
    check_limits(agree, disagree)
    path = the_table(path, "*.sql*")
    with closing(load_dump(path, TABLES, log)) as database:
        for table in ("post", "text", "author", "discussion", "quote", "markup"):
            [rows] = database.execute(f"SELECT count(*) FROM {table}").fetchone()
            if not rows and table in ("post", "text"):
                raise InputError(f"no rows of the table `{table}`", where=str(path))
            if not rows:
                log.counts[f"without the table {table}"] = 1
        for (discussion,) in database.execute("SELECT DISTINCT discussion_id FROM post ORDER BY discussion_id"):
            yield _Thread(database, path, discussion, log).graph(agree, disagree)


class _Thread:
    """A discussion on its way to a map."""

    def __init__(self, database: sqlite3.Connection, path: Path, discussion: int, log: Log) -> None:
        self.database = database
        self.path = path
        self.id = discussion
        self.log = log
        self.build = GraphBuilder(name=str(discussion))
        self.posts = {post["post_id"]: post for post in self._rows(_POSTS)}
        self.quotes = self._rows(_QUOTES)
        self.statements: dict[int, Statement] = {}
        #: Each quote by its place, with the transition to its post.
        self.quoted: dict[tuple[int, int], tuple[Statement, str]] = {}

    def _rows(self, query: str, key: object = None) -> list[dict[str, Any]]:
        return [dict(row) for row in self.database.execute(query, (self.id if key is None else key,))]

    def _problem(self, kind: str, message: str, row: dict[str, Any]) -> None:
        self.log.problem(kind, f"discussion {self.id}, {message}", self.path, row["line"])

    def graph(self, agree: float, disagree: float) -> ArgumentGraph:
        text, spans = self._say_posts()
        links = [(post["parent_post_id"], id_) for id_, post in self.posts.items()]
        links += [(self._source(quote), quote["post_id"]) for quote in self.quotes]
        closing = closing_links(pair for pair in links if {*pair} <= self.posts.keys())
        self._link_parents(closing)
        self._say_quotes(closing)
        for annotation in self._rows(_ANNOTATIONS):
            self._relate(annotation, agree, disagree)
        document = {"agree": agree, "disagree": disagree, **self._document()}
        return finished(self.build, "iac", document, text, spans)

    def _say_posts(self) -> tuple[str, list[Span]]:
        spans: list[Span] = []
        offset = 0
        for id_, post in self.posts.items():
            if post["text"] is None:
                self._problem("dangling", f"post {id_}: its text {post['text_id']} is not there", post)
            words = str(post["text"] or "")
            stripped = words.strip()
            start = words.index(stripped)
            extra = self._extra(post) | {"start": start, "end": start + len(stripped)}
            speaker = post["username"] or post["author_id"]
            said = say(
                self.build,
                "" if speaker is None else str(speaker),
                stripped or missing_words(f"post {id_}"),
                start=None if post["creation_date"] is None else str(post["creation_date"]),
                extra={"iac": extra},
            )
            self.statements[id_] = said
            if stripped:
                spans.append(Span(said.proposition, offset + start, offset + start + len(stripped)))
            offset += len(words) + 2
        self.log.counts["posts"] += len(self.posts)
        return "\n\n".join(str(post["text"] or "") for post in self.posts.values()), spans

    def _extra(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return what the tables say of a post or quote, with its markup in characters of the text."""
        markup = [
            {"start": mark.pop("markup_start"), "end": mark.pop("markup_end"), **_said(mark)}
            for mark in self._rows("SELECT * FROM markup WHERE text_id = ? ORDER BY markup_id", row["text_id"])
            if row["text_id"] is not None
        ]
        return _said(row) | ({"markup": markup} if markup else {})

    def _source(self, quote: dict[str, Any]) -> int | None:
        """Return the quoted post, if it is of this discussion."""
        post: int | None = quote["source_post_id"]
        return post if quote["source_discussion_id"] in (None, self.id) else None

    def _link_parents(self, closing: set[tuple[int, int]]) -> None:
        for id_, post in self.posts.items():
            parent, response = post["parent_post_id"], post["response_type"]
            if parent is None:
                continue
            if parent not in self.posts:
                if post.get("parent_missing") == 1:
                    self.log.counts["posts whose parent is marked as missing"] += 1
                else:
                    self._problem("dangling", f"post {id_}: its parent {parent} is not there", post)
                continue
            if (parent, id_) in closing:
                self._problem("cycle", f"post {id_}: its parent {parent} is one of its answers", post)
                continue
            extra = present({"response_type": response})
            anchor = link(self.build, self.statements[parent], self.statements[id_], "parent", **extra)
            if response in RESPONSES:
                self.log.counts[response] += 1
                ends = self.statements[id_], self.statements[parent]
                relate(self.build, RESPONSES[response], *ends, anchor, extra)
            elif response:
                self._problem("label", f"post {id_}: response_type is {str(response)[:20]!r}", post)

    def _say_quotes(self, closing: set[tuple[int, int]]) -> None:
        for quote in self.quotes:
            id_, words = quote["post_id"], str(quote["text"] or "").strip()
            if id_ not in self.posts:
                self._problem("dangling", f"a quote in post {id_}, which is not there", quote)
                continue
            if not words:
                self.log.counts["quotes without a text"] += 1
                continue
            self.log.counts["quotes"] += 1
            self.log.counts["words of quotes"] += len(words_of(words))
            source = self.posts.get(self._source(quote))
            author = str(source["username"] or source["author_id"] or "") if source else ""
            said = say(self.build, author, words, extra={"iac": self._extra(quote)})
            self.quoted[id_, quote["quote_index"]] = said, link(self.build, said, self.statements[id_], "response")
            if source is None:
                self.log.counts["quotes without a post to lead from"] += 1
            elif (source["post_id"], id_) in closing:
                self._problem("cycle", f"post {id_}: it quotes {source['post_id']}, one of its answers", quote)
            else:
                post = self.posts[id_]
                by = str(post["username"] or post["author_id"] or "")
                link(self.build, self.statements[source["post_id"]], said, "quote", quoted_by=by)

    def _relate(self, annotation: dict[str, Any], agree: float, disagree: float) -> None:
        """Add the relation that the crowd's means of a pair make."""
        place = annotation["post_id"], annotation["quote_index"]
        if place not in self.quoted:
            self.log.counts["annotations that could not be joined"] += 1
            return
        mean = annotation.pop("disagree_agree")
        agreement = float(mean) if isinstance(mean, int | float) else None
        type_ = relation_type(agreement, agree, disagree)
        self.log.counts["annotations with a relation" if type_ else "annotations without a relation"] += 1
        if type_:
            quote, anchor = self.quoted[place]
            scores = {"agreement": agreement, **_said(annotation)}
            relate(self.build, type_, self.statements[place[0]], quote, anchor, scores)

    def _document(self) -> dict[str, Any]:
        document: dict[str, Any] = {"discussion_id": self.id}
        for row in self._rows(_DISCUSSION):
            description, text_id = row["text"], row.pop("description_text_id")
            markup = self._extra({"text_id": text_id}).get("markup")
            document |= _said(row) | present({"description": description, "description_markup": markup})
        if topics := self._rows(_TOPIC):
            document |= topics[0]
        if stances := self._rows(_STANCES):
            document["stances"] = stances
        return document


def _said(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in present(row).items() if key not in _KEYS}


# -- both versions ----------------------------------------------------------------------------------------------------


def check_limits(agree: float, disagree: float) -> None:
    """Raise ``OptionError`` unless −5 ≤ disagree ≤ agree ≤ 5."""
    if not -5 <= disagree <= agree <= 5:
        raise OptionError(f"agree cannot be {agree} with disagree {disagree}", remedy="give −5 ≤ disagree ≤ agree ≤ 5")


def relation_type(agreement: float | None, agree: float, disagree: float) -> str | None:
    """Return the relation that a mean agreement on −5 … 5 makes."""
    if agreement is None:
        return None
    return "RA" if agreement >= agree else "CA" if agreement <= disagree else None


def link(build: GraphBuilder, start: Statement, end: Statement, kind: str, **extra: Any) -> str:
    """Add the transition from one locution to another and return its id."""
    return build.transition(start.locution, end.locution, extra={"iac": {"link": kind, **extra}})


def relate(
    build: GraphBuilder, type_: str, source: Statement, target: Statement, anchor: str, extra: Mapping[str, Any]
) -> None:
    """Add RA, CA or MA from one proposition to another, with its usual illocution from the transition ``anchor``."""
    relation = build.relation(type_, [source.proposition], target.proposition, extra={"iac": dict(extra)})
    build.illocution(anchor, relation)


def present(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries that have a value.

    >>> present({"points": 3, "url": None})
    {'points': 3}
    """
    return {key: value for key, value in values.items() if value is not None}
