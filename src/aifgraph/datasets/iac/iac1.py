"""The Internet Argument Corpus, version 1 (Walker et al. 2012).

Every post is read as pieces: a quote is L → YA → I of the quoted author, what the author writes after it (or without
one) L → YA → I of the author. TA lead from quote to response, from the quoted post to the quote, and from a post's
parent to it. The mean agreement of an annotated pair makes a relation from response to quote: RA (done by Arguing in
the transition) or CA (Disagreeing). All scales stay with the relation's transition and in the map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aifgraph.datasets.dialogue_map import DialogueMap, Statement
from aifgraph.datasets.iac import ILLOCUTIONS, IacDataset, closing_links, present
from aifgraph.datasets.iac.iac1_files import Annotation, Post, Tables, posts_in, read_json, read_ranges, read_tables
from aifgraph.entities import decoded
from aifgraph.errors import InputError
from aifgraph.graph import ArgumentGraph, Span
from aifgraph.text.words import words_of

#: What becomes of an annotation; the numbers add up to that of the annotations.
_LEFT_OUT = "annotations left out, as nothing in this copy says which quote and response they are about"
_RELATED = "annotations with a relation"
_UNRELATED = "annotations without a relation"
_ELSEWHERE = "annotations of discussions that are not here"
#: A quote–response pair: the post, and the places of quote and response among its pieces.
Pair = tuple[Post, int, int]


@dataclass(eq=False, kw_only=True)
class Iac1(IacDataset):
    """The folder with ``discussions/``, ``ranges/`` and ``annotations/``: one map per discussion.

    ``threshold`` T: agreement from T is RA, to −T CA (0: from 0 RA, below CA, which is AIFdb's rule); ``agree`` and
    ``disagree`` set the two apart. Annotations whose pair nothing names are left out and counted.
    """

    name = "iac1"
    title = "Internet Argument Corpus 1"

    def maps(self) -> Iterator[ArgumentGraph]:
        folder = self.path / "discussions"
        if not folder.is_dir():
            remedy = "give the folder of IAC 1 that holds it"
            raise InputError("there is no folder discussions/", where=str(self.path), remedy=remedy)
        tables = read_tables(self.path, self.problems)
        for name in tables.missing:
            self.counts[f"without {name}"] = 1
        annotated = {name: len(rows) for name, rows in tables.annotations.items()}
        self.counts["annotations"] = sum(annotated.values())
        for path in sorted(folder.glob("*.json"), key=lambda file: (len(file.stem), file.stem)):
            posts, about = self._posts(path)
            if not posts:
                continue
            annotated.pop(path.stem, None)
            document = self._document(path.stem, about, tables)
            graph = self._dialogue(path, posts, document, tables)
            if len(graph):
                yield graph
            else:
                self.counts["discussions without an annotated pair"] += 1
        if annotated:
            self.counts[_ELSEWHERE] = sum(annotated.values())

    def _posts(self, path: Path) -> tuple[dict[int, Post], dict[str, Any]]:
        """The posts of a discussion by id, and what its file says of all of it."""
        name = f"discussions/{path.name}"
        document = read_json(path, self.problems, name)
        if document is None:
            return {}, {}
        ranges = read_ranges(self.path, path.name, self.problems)
        posts = {post.id: post for post in posts_in(document, ranges, self.problems, name)}
        for missing in sorted(ranges.quotes.keys() - posts.keys()):
            what = f"quotes in post {missing}, which is not there"
            self.problems.add("dangling", what, f"ranges/quotes/{path.name}")
        self.counts["posts"] += len(posts)
        quotes = sum(piece.quote is not None for post in posts.values() for piece in post.pieces)
        self.counts["words of quotes"] += sum(
            len(words_of(piece.text)) for post in posts.values() for piece in post.pieces if piece.quote is not None
        )
        given = sum(map(len, ranges.quotes.values()))
        self.counts["quotes"] += given
        if given > quotes:
            self.counts["quotes left out (without words, or damaged)"] += given - quotes
        lost = sum(len(each) for id_, each in ranges.markup.items() if id_ not in posts or not posts[id_].pieces)
        if lost:
            self.counts["ranges of markup in posts that are not there"] += lost
        about = document[2] if isinstance(document, list) and len(document) > 2 else None
        return posts, about if isinstance(about, dict) else {}

    def _joined(self, posts: Mapping[int, Post], rows: list[Annotation], tables: Tables) -> list[Pair | None]:
        """For each annotation its pair, or ``None``."""
        pairs: list[Pair] = [(post, *places) for post in posts.values() for places in post.pairs]
        joined: list[Pair | None] = []
        for row in rows:
            pair: Pair | None = None
            meta = tables.meta.get(row.key)
            if meta is not None:
                pair = _by_meta(pairs, meta)
                if pair is not None:
                    self.counts["annotations joined by qr_meta.csv"] += 1
            elif len(rows) == 1 and len(pairs) == 1:
                pair = pairs[0]
                self.counts["annotations joined as the only pair"] += 1
            joined.append(pair)
        return joined

    def _placed(
        self, posts: Mapping[int, Post], rows: list[Annotation], tables: Tables
    ) -> Iterator[tuple[Annotation, str, Pair]]:
        """The annotations that make a relation, with its type and their pair."""
        for row, pair in zip(rows, self._joined(posts, rows, tables), strict=True):
            type_ = self.relation(row.agreement)
            if pair is None:
                self.counts[_LEFT_OUT] += 1
            elif type_ is None:
                self.counts[_UNRELATED] += 1
            else:
                self.counts[_RELATED] += 1
                yield row, type_, pair

    def _dialogue(
        self, path: Path, posts: Mapping[int, Post], document: Mapping[str, Any], tables: Tables
    ) -> ArgumentGraph:
        name = path.stem
        dialogue = DialogueMap(name)
        statements: dict[tuple[int, int], Statement] = {}
        spans: list[Span] = []
        offset = 0
        for post in posts.values():
            for place, piece in enumerate(post.pieces):
                author = post.author if piece.quote is None else _quoted_author(piece.quote, posts)
                start = post.start if piece.quote is None else None
                statements[post.id, place] = dialogue.say(author, piece.text, start=start, record=_place(post, place))
                spans.append(Span(statements[post.id, place].proposition, offset + piece.start, offset + piece.end))
            offset += len(post.text) + 2
        self._link_posts(dialogue, posts, statements, f"discussions/{path.name}")
        answers = {
            (post.id, quote): dialogue.answer(
                statements[post.id, quote], statements[post.id, response], {"iac": {"link": "response"}}
            )
            for post in posts.values()
            for quote, response in post.pairs
        }
        rows = tables.annotations.get(name, [])
        for row, type_, (post, quote, response) in self._placed(posts, rows, tables):
            anchor = answers[post.id, quote]
            ends = statements[post.id, response], statements[post.id, quote]
            dialogue.relate(type_, *ends, ILLOCUTIONS[type_], anchor, {"iac": _scores(row)})
        text = "\n\n".join(post.text for post in posts.values())
        return dialogue.graph("iac", document, text, tuple(spans))

    def _link_posts(
        self,
        dialogue: DialogueMap,
        posts: Mapping[int, Post],
        statements: Mapping[tuple[int, int], Statement],
        file: str,
    ) -> None:
        """TA for parents and for quoted posts, without those that lead in a circle."""
        parents = [(post.parent, post.id) for post in posts.values() if post.parent is not None]
        quoted = [
            (source, post.id, place)
            for post in posts.values()
            for place, piece in enumerate(post.pieces)
            if (source := _quoted_post(piece.quote)) is not None
        ]
        links = (*parents, *((source, id_) for source, id_, _ in quoted))
        circles = closing_links(link for link in links if link[0] in posts)
        for parent, child in parents:
            if parent not in posts:
                self.problems.add("dangling", f"post {child}: its parent {parent} is not there", file)
            elif (parent, child) in circles:
                self.problems.add("cycle", f"post {child}: its parent {parent} is one of its answers", file)
            else:
                start, end = _first(posts[parent], statements), _first(posts[child], statements)
                if start is not None and end is not None:
                    dialogue.answer(start, end, {"iac": {"link": "parent"}})
        for source, id_, place in quoted:
            if source not in posts:
                self.counts["quotes of posts that are not in the discussion"] += 1
            elif (source, id_) in circles:
                self.problems.add("cycle", f"post {id_}: it quotes {source}, one of its answers", file)
            else:
                start = _holding(posts[source], posts[id_].pieces[place].text, statements)
                if start is not None:
                    dialogue.answer(start, statements[id_, place], {"iac": {"link": "quote"}})

    def _document(self, name: str, about: Mapping[str, Any], tables: Tables) -> dict[str, Any]:
        rows = tables.annotations.get(name, [])
        document: dict[str, Any] = {
            "discussion_id": name,
            **({"old_discussion_id": tables.old_ids[name]} if name in tables.old_ids else {}),
            **({"metadata": dict(about)} if about else {}),
            "thresholds": list(reversed(self.limits)),
            "annotations": [{**_scores(row), **row.further} for row in rows],
        }
        if name in tables.topics:
            document["topic"] = tables.topics[name]
        if name in tables.stances:
            document["author_stance"] = tables.stances[name]
        return document


def _by_meta(pairs: list[Pair], meta: Mapping[str, str]) -> Pair | None:
    """The pair that a row of ``qr_meta.csv`` describes: its post, then the wording of quote and response."""
    quote, response = (_letters(decoded(meta[part]).text) for part in ("quote", "response"))
    in_post = [pair for pair in pairs if str(pair[0].id) == meta["response_post_id"].strip()]
    same = [pair for pair in in_post if _letters(pair[0].pieces[pair[1]].text) == quote]
    exact = [pair for pair in same if _letters(pair[0].pieces[pair[2]].text) == response]
    return next(iter(exact or same or (in_post if len(in_post) == 1 else [])), None)


def _letters(text: str) -> str:
    """Letters and digits: markup and white space differ between the tables and the posts."""
    return "".join(char for char in text if char.isalnum()).casefold()


def _scores(row: Annotation) -> dict[str, Any]:
    return {"key": row.key, **row.scores}


def _place(post: Post, place: int) -> dict[str, Any]:
    piece = post.pieces[place]
    entry: dict[str, Any] = {"post": post.id, "start": piece.published[0], "end": piece.published[1]}
    if piece.markup:
        entry["markup"] = [dict(each) for each in piece.markup]
    if piece.quote is not None:
        entry["quote"] = dict(piece.quote)
    elif post.time is not None:
        entry["timestamp"] = post.time
    return {"iac": entry | present(post.record)}


def _quoted_post(quote: Mapping[str, Any] | None) -> int | None:
    post = (quote or {}).get("quote_id")
    return post if isinstance(post, int) else None


def _quoted_author(quote: Mapping[str, Any], posts: Mapping[int, Post]) -> str:
    source = _quoted_post(quote)
    if source is not None and source in posts:
        return posts[source].author
    return str(quote.get("author") or "")  # a name that is nobody's in the corpus is in ``unknown_author``


def _first(post: Post, statements: Mapping[tuple[int, int], Statement]) -> Statement | None:
    """The locution that stands for a post: its author's first own words, else its first piece."""
    own = (place for place, piece in enumerate(post.pieces) if piece.quote is None)
    place = next(own, 0 if post.pieces else None)
    return None if place is None else statements[post.id, place]


def _holding(post: Post, quote: str, statements: Mapping[tuple[int, int], Statement]) -> Statement | None:
    """The piece of a post that holds a quote, else the one that stands for the post."""
    letters = _letters(quote)
    for place, piece in enumerate(post.pieces):
        if piece.quote is None and letters and letters in _letters(piece.text):
            return statements[post.id, place]
    return _first(post, statements)
