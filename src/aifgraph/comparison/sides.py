"""The two sides of a comparison: their names, the number of nodes that are compared, and the hash of a map."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePath
from typing import Annotated, Literal, NamedTuple

from annotated_types import Ge, Le

from aifgraph.align.alignment import Alignment
from aifgraph.graph import ArgumentGraph, SourceText
from aifgraph.text.words import words_of

#: Counts are summed and divided: what a float cannot hold exactly is none.
Natural = Annotated[int, Ge(0), Le(2**53)]


class PairNames(NamedTuple):
    """The names of the two maps of a pair; in corpora those that the corpora give them."""

    first: str
    second: str

    @property
    def shown(self) -> str:
        """The name that both have, or both names; for people, not a key: ``a ~ b`` may be the name of a map."""
        return self.first if self.first == self.second else f"{self.first} ~ {self.second}"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two analyses: where it is from, whose text it has, and how much of it takes part.

    ``placed`` is how many of its units have a place in the text, ``reconstructed`` how many propositions nobody said.
    """

    source: str
    name: str
    text: Literal["given", "embedded", "shared", "none"]
    propositions: Natural
    locutions: Natural
    units: Natural
    placed: Natural
    reconstructed: Natural = 0


def hardly_matches(alignment: Alignment) -> bool:
    """Whether fewer than half of the nodes match that can: of each kind as many as the side with fewer has."""
    layers = alignment.propositions, alignment.locutions
    matched = sum(layer.matched for layer in layers)
    return 2 * matched < sum(min(len(layer.first_class), len(layer.second_class)) for layer in layers) or not matched


def shared_words(alignment: Alignment) -> float | None:
    """Return the share of different words that both maps have, their texts included; None if a map has no word."""
    placement, words = alignment.placement, list[set[str]]()
    common = next(filter(None, placement.texts), None) if placement.fits else None
    for analysis, own in zip((alignment.first, alignment.second), placement.texts, strict=True):
        source = own or common
        said = "\n".join([*analysis.said.values(), source.text if source else ""])
        words.append(set(words_of(said)))
    first, second = words
    return len(first & second) / len(first | second) if first and second else None


def different_documents(share: float | None) -> bool:
    """Whether so few words are shared (None where many nodes match) that two maps are of different documents.

    Two analyses of one text had 52 % of their words in common or more (56 pairs of AraucariaDB), two of different
    texts 21 % at most (300 pairs of AraucariaDB, US2016 and QT30).
    """
    return share is not None and share < 0.25


def short_names(first: str, second: str) -> PairNames:
    """Return the names of two files where they differ, else their paths without the folders that both begin with.

    >>> tuple(short_names("corpus/gold/map1.json", "corpus/system/map1.json"))
    ('gold/map1.json', 'system/map1.json')
    >>> tuple(short_names("ann/one.json", "ben/two.json")), tuple(short_names("", ""))
    (('one.json', 'two.json'), ('the first map', 'the second map'))
    """
    paths = [PurePath(path.replace("\\", "/")).parts for path in (first, second)]
    if paths[0] == paths[1]:
        name = paths[0][-1] if paths[0] else ""
        return PairNames(*(f"{name} ({side})" if name else f"the {side} map" for side in ("first", "second")))
    if paths[0][-1:] != paths[1][-1:]:
        paths = [parts[-1:] for parts in paths]
    while paths[0] and paths[1] and paths[0][0] == paths[1][0]:
        paths = [parts[1:] for parts in paths]
    one, other = ("/".join(parts) for parts in paths)
    return PairNames(one or "the first map", other or "the second map")


def map_hash(graph: ArgumentGraph, text: SourceText | None) -> str:
    """Return digits that change with the nodes, edges, speakers or source text of a map, whatever their order.

    >>> from aifgraph import GraphBuilder
    >>> map_hash(GraphBuilder().graph(), None)
    'a293a183cab7ba8b'
    """
    nodes = sorted((node.id, node.type, node.text, [tuple(scheme) for scheme in node.schemes]) for node in graph)
    edges = sorted((edge.source, edge.target) for edge in graph.edges)
    people = sorted((person.id, person.name) for person in graph.meta.participants)
    speakers = sorted((record.node_id, record.person_id or "") for record in graph.meta.locutions)
    spans = text and text.spans and [(span.node_id, span.start, span.end) for span in text.spans]
    content = repr((nodes, edges, people, speakers, text and text.text, spans))
    return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]
