"""The Internet Argument Corpus, version 2 (Abbott et al. 2016): CreateDebate, ConvinceMe, 4forums.

A post is L → YA → I of its author, a quote in it L → YA → I of the quoted author. TA lead from a post's parent to it,
from quote to post, and from the quoted post to the quote. CreateDebate's ``response_type`` makes a relation to the
parent's proposition: *supported* RA (Arguing), *disputed* CA (Disagreeing), *clarified* MA (Restating). 4forums' mean
``disagree_agree`` of a quote and response makes one to the quote, by the thresholds of ``iac1``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from aifgraph.datasets.dialogue_map import DialogueMap, Statement, not_here
from aifgraph.datasets.iac import ILLOCUTIONS, IacDataset, closing_links, present
from aifgraph.datasets.iac.iac2_files import (
    KEYS,
    Record,
    Store,
    Values,
    dump_rows,
    temporary_store,
)
from aifgraph.errors import InputError
from aifgraph.graph import ArgumentGraph, Span
from aifgraph.text.words import words_of

RESPONSES: Mapping[str, str] = {"supported": "RA", "disputed": "CA", "clarified": "MA"}
NEEDED = ("post", "text")


class Iac2(IacDataset):
    """A MySQL dump (``.sql``, ``.sql.gz``), or the folder of one: a map per discussion.

    ``threshold``, ``agree`` and ``disagree`` are those of ``iac1``, for 4forums' annotations.
    """

    name = "iac2"
    title = "Internet Argument Corpus 2"

    def maps(self) -> Iterator[ArgumentGraph]:
        path = self.path
        if path.is_dir():
            dumps = sorted(file for file in path.iterdir() if file.name.endswith((".sql", ".sql.gz")))
            if len(dumps) != 1:
                what = f"the folder holds {len(dumps)} MySQL dumps"
                raise InputError(what, where=str(path), remedy="give a MySQL dump (.sql, .sql.gz)")
            path = dumps[0]
        yield from self._from(path.name, dump_rows(path, KEYS, self.problems))

    def _from(self, file: str, records: Iterator[Record]) -> Iterator[ArgumentGraph]:
        with temporary_store() as store:
            counts = store.fill(records, self.problems, file)
            lacking = [table for table in NEEDED if not counts.get(table)]
            if lacking:
                names = ", ".join(f"`{table}`" for table in lacking)
                raise InputError(
                    f"no rows of the tables {names}", where=str(self.path), remedy="give a whole dump of IAC 2"
                )
            self.counts["posts"] = counts["post"]
            if counts.get("markup"):
                self.counts["marks in texts"] = counts["markup"]
            for table in ("author", "discussion", "quote", "markup"):
                if not counts.get(table):
                    self.counts[f"without the table {table}"] = 1
            entries = store.entries()
            for discussion in store.discussions():
                yield _Thread(self, store, file, discussion).graph(entries.get(discussion, []))


class _Thread:
    """One discussion on its way to a map."""

    def __init__(self, dataset: Iac2, store: Store, file: str, discussion: int) -> None:
        self.dataset = dataset
        self.store = store
        self.file = file
        self.id = discussion
        self.posts: dict[str, Values] = {str(p["post_id"]): p for p in store.those_of("post", discussion)}
        self.dialogue = DialogueMap(str(discussion))
        self.statements: dict[str, Statement] = {}
        self.quotes: dict[tuple[str, str], tuple[Statement, str | None]] = {}

    def graph(self, entries: list[Values]) -> ArgumentGraph:
        text, spans = self._posts()
        quotes = self.store.those_of("quote", self.id)
        circles = self._circles(quotes)
        self._parents(circles)
        self._quotes(quotes, circles)
        for entry in entries:
            self._annotation(entry)
        return self.dialogue.graph("iac", self._document(), text, spans)

    def problem(self, code: str, message: str, row: Values) -> None:
        self.dataset.problems.add(code, f"discussion {self.id}, {message}", self.file, row.get("line"))

    def author(self, id_: object) -> str:
        row = self.store.one("author", id_)
        return str((row or {}).get("username") or (id_ if id_ is not None else ""))

    def _posts(self) -> tuple[str, tuple[Span, ...]]:
        texts: list[str] = []
        spans: list[Span] = []
        offset = 0
        for id_, post in self.posts.items():
            row = self.store.one("text", post.get("text_id"))
            if row is None:
                self.problem("dangling", f"post {id_}: its text {post.get('text_id')} is not there", post)
            words = str((row or {}).get("text") or "")
            shown = words.strip() or not_here(f"post {id_}")
            entry = present(post, "line", "text_id") | self._markup(post)
            if post.get("discussion_stance_id") is not None:
                stance = self.store.one("discussion_stance", self.id, post["discussion_stance_id"])
                if stance:
                    entry["discussion_stance"] = stance.get("discussion_stance")
            self.statements[id_] = self.dialogue.say(
                self.author(post.get("author_id")), shown, start=post.get("creation_date"), record={"iac": entry}
            )
            if words.strip():
                start = offset + words.index(words.strip())
                spans.append(Span(self.statements[id_].proposition, start, start + len(words.strip())))
            texts.append(words)
            offset += len(words) + 2
        return "\n\n".join(texts), tuple(spans)

    def _markup(self, row: Values) -> dict[str, Any]:
        """Bold, links and so on in the text of a post or quote, in characters of that text."""
        marks = [
            present(mark, "line", "text_id", "markup_id") for mark in self.store.those_of("markup", row["text_id"])
        ]
        return {"markup": marks} if marks else {}

    def _circles(self, quotes: list[Values]) -> set[tuple[str, str]]:
        parents = ((_key(post.get("parent_post_id")), id_) for id_, post in self.posts.items())
        sources = ((self._source(quote), str(quote["post_id"])) for quote in quotes)
        links = [(start, end) for start, end in (*parents, *sources) if start in self.posts and end in self.posts]
        return closing_links((start, end) for start, end in links if start is not None)

    def _source(self, quote: Values) -> str | None:
        """The quoted post, where it is in this discussion."""
        own = quote.get("source_discussion_id") in (None, str(self.id))
        return _key(quote.get("source_post_id")) if own else None

    def _parents(self, circles: set[tuple[str, str]]) -> None:
        for id_, post in self.posts.items():
            parent = _key(post.get("parent_post_id"))
            response = post.get("response_type")
            if parent is None:
                continue
            if parent not in self.posts:
                if str(post.get("parent_missing")) == "1":
                    self.dataset.counts["posts whose parent is marked as missing"] += 1
                else:
                    self.problem("dangling", f"post {id_}: its parent {parent} is not there", post)
                continue
            if (parent, id_) in circles:
                self.problem("cycle", f"post {id_}: its parent {parent} is one of its answers", post)
                continue
            link = {"iac": {"link": "parent", "response_type": response}}
            anchor = self.dialogue.answer(self.statements[parent], self.statements[id_], link)
            if isinstance(response, str) and response in RESPONSES:
                type_ = RESPONSES[response]
                self.dataset.counts[response] += 1
                self.dialogue.relate(
                    type_, self.statements[id_], self.statements[parent], ILLOCUTIONS[type_], anchor, link
                )
            elif response not in (None, "", "0", "1"):
                self.problem("label", f"post {id_}: response_type is {response[:20]!r}", post)

    def _quotes(self, quotes: list[Values], circles: set[tuple[str, str]]) -> None:
        for quote in quotes:
            id_ = str(quote["post_id"])
            if id_ not in self.posts:
                self.problem("dangling", f"a quote in post {id_}, which is not there", quote)
                continue
            row = self.store.one("text", quote.get("text_id"))
            words = str((row or {}).get("text") or "").strip()
            if not words:
                self.dataset.counts["quotes without a text"] += 1
                continue
            self.dataset.counts["quotes"] += 1
            self.dataset.counts["words of quotes"] += len(words_of(words))
            source = self._source(quote)
            author = self.author(self.posts[source].get("author_id")) if source in self.posts and source else ""
            entry = present(quote, "line", "text_id") | self._markup(quote)
            statement = self.dialogue.say(author, words, record={"iac": entry})
            anchor = self.dialogue.answer(statement, self.statements[id_], {"iac": {"link": "response"}})
            self.quotes[id_, str(quote["quote_index"])] = statement, anchor
            if source is None or source not in self.posts:
                self.dataset.counts["quotes without a post to lead from"] += 1
            elif (source, id_) in circles:
                self.problem("cycle", f"post {id_}: it quotes {source}, one of its answers", quote)
            else:
                self.dialogue.answer(self.statements[source], statement, {"iac": {"link": "quote"}})

    def _annotation(self, entry: Values) -> None:
        """4forums: the crowd's means of a quote and response."""
        place = str(entry.get("post_id")), str(entry.get("quote_index"))
        means: dict[str, Any] = {}
        for number in ("1", "2"):
            table = f"mturk_2010_qr_task{number}_average_response"
            means |= self.store.one(table, entry.get("page_id"), entry.get("tab_number")) or {}
        means.pop("line", None)
        if place not in self.quotes:
            self.dataset.counts["annotations that could not be joined"] += 1
            return
        self.dataset.counts["annotations joined"] += 1
        try:
            agreement = float(means["disagree_agree"])
        except (KeyError, TypeError, ValueError):
            agreement = None
        type_ = self.dataset.relation(agreement)
        if type_ is None:
            self.dataset.counts["annotations without a relation"] += 1
            return
        quote, anchor = self.quotes[place]
        self.dialogue.relate(
            type_, self.statements[place[0]], quote, ILLOCUTIONS[type_], anchor, {"iac": present(entry | means, "line")}
        )

    def _document(self) -> dict[str, Any]:
        document: dict[str, Any] = {"discussion_id": self.id}
        for key, value in present(self.store.one("discussion", self.id) or {}, "line", "discussion_id").items():
            if key == "description_text_id":
                document["description"] = (self.store.one("text", value) or {}).get("text")
                if marks := self._markup({"text_id": value}):
                    document["description_markup"] = marks["markup"]
            else:
                document[key] = value
        topic = self.store.one("discussion_topic", self.id)
        if topic:
            document["topic"] = (self.store.one("topic", topic.get("topic_id")) or {}).get("topic")
        stances = []
        for stance in self.store.those_of("discussion_stance", self.id):
            side = self.store.one("topic_stance", stance.get("topic_id"), stance.get("topic_stance_id")) or {}
            entry = {"id": stance.get("discussion_stance_id"), "stance": stance.get("discussion_stance")}
            stances.append({**entry, "topic_stance": side.get("stance")})
        if stances:
            document["stances"] = stances
        return document


def _key(value: object) -> str | None:
    return None if value is None else str(value)
