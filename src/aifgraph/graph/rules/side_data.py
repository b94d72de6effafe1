"""Rules 4xx: the side data of a graph: schemes, locution records, participants, texts."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

from aifgraph.graph.nodes import Scheme
from aifgraph.graph.rules.index import GraphIndex, Hit, rule
from aifgraph.graph.schemes import catalogue, fold_name, schemes_named
from aifgraph.graph.side_data import without_speaker

_IAT: Final = "IAT annotation guidelines 2023"
_REVIEWERS: Final = "what reviewers of annotations look for"


@rule(401, "WWW", "AIFdb, schemeTypeID")
def scheme_kind(index: GraphIndex) -> Iterator[Hit]:
    """The scheme of a node is of the node's kind: inference schemes on RA, illocutions on YA, none on I and L."""
    kinded = [(node, scheme) for node in index.graph if node.kind for scheme in node.schemes]
    for node, scheme in kinded:
        kinds = _kinds_of(scheme)
        if kinds and node.kind not in kinds:
            what = f"the scheme {scheme.name or scheme.id}, which is one of {'/'.join(sorted(kinds))}"
            yield f"{index.name(node.id)} has {what}", (node.id,)


def _kinds_of(scheme: Scheme) -> set[str]:
    """Return the node types that a scheme is for, by its id, else by its name."""
    row = catalogue().get(scheme.id) if scheme.id else None
    if row is not None and (scheme.name is None or fold_name(scheme.name) == fold_name(row.name)):
        return {row.kind}
    return {row.kind for row in schemes_named(scheme.name)} if scheme.name else set()


@rule(402, "WWW", "occurs in QT30")
def locution_record(index: GraphIndex) -> Iterator[Hit]:
    """A locution record names a locution of the map."""
    for id_ in index.records:
        if id_ not in index.kind:
            yield f"a locution record names node {id_}, which is not there", (id_,)
        elif index.kind[id_] != "L":
            yield f"a locution record names {index.name(id_)}, which is not a locution", (id_,)


@rule(403, "WWW", "xAIF; OVA")
def participant(index: GraphIndex) -> Iterator[Hit]:
    """A person whom a locution record names is among the participants, in files that list them (AIFdb's do not)."""
    meta = index.graph.meta
    known = {person.id for person in meta.participants}
    missing: dict[str, list[str]] = {}
    for record in meta.locutions if known or meta.form == "xaif" else ():
        if record.person_id is not None and record.person_id not in known and record.node_id in index.kind:
            missing.setdefault(record.person_id, []).append(record.node_id)
    for person, ids in missing.items():
        yield f"person {person}, who is named for {index.names(ids)}, is not among the participants", tuple(ids)


@rule(404, "WWW", f"{_IAT} (identity of strings); DialAM-2024")
def i_duplicate(index: GraphIndex) -> Iterator[Hit]:
    """No two propositions of a map have the same words."""
    by_text: dict[str, list[str]] = {}
    for id_ in index.of("I"):
        by_text.setdefault(index.text(id_).strip(), []).append(id_)
    for text, ids in by_text.items():
        if text and len(ids) > 1:
            yield f"{index.names(ids)} have the same text", tuple(ids)


@rule(405, "-NN", _IAT)
def l_in_text(index: GraphIndex) -> Iterator[Hit]:
    """A locution occurs in the source text word for word (checked only if there is a text; white space and the
    speaker's name in front are not compared)."""
    text = "".join(index.graph.text.split())
    place = 0
    for id_ in index.speech if text else ():
        said = "".join(without_speaker(index.text(id_)).split())
        # Locutions mostly follow the text: look on from the last one first.
        found = text.find(said, place)
        if found < 0:
            found = text.find(said)
        if found >= 0:
            place = found + len(said)
        elif "".join(index.text(id_).split()) not in text:
            yield f"what L {id_} says is not in the source text: {index.text(id_)[:60]!r}", (id_,)


@rule(406, "-WW", _REVIEWERS)
def speaker_spelling(index: GraphIndex) -> Iterator[Hit]:
    """A speaker is spelled in one way: names in front of locutions do not differ only in capitals, blanks, accents
    or punctuation."""
    spellings: dict[str, dict[str, str]] = {}
    for id_, name in index.speakers.items():
        plain = "".join(filter(str.isalnum, unicodedata.normalize("NFKD", name).casefold()))
        spellings.setdefault(plain, {}).setdefault(name, id_)
    for plain, first_uses in spellings.items():
        if plain and len(first_uses) > 1:
            names = ", ".join(f"{name!r} in L {id_}" for name, id_ in first_uses.items())
            yield f"one speaker is spelled in {len(first_uses)} ways: {names}", tuple(first_uses.values())


@rule(407, "WWW", _REVIEWERS)
def i_blanks(index: GraphIndex) -> Iterator[Hit]:
    """Two propositions do not differ only in blanks and line breaks inside their texts."""
    by_words: dict[str, dict[str, str]] = {}
    for id_ in index.of("I"):
        text = index.text(id_).strip()
        by_words.setdefault(" ".join(text.split()), {}).setdefault(text, id_)
    for first_uses in by_words.values():
        if len(first_uses) > 1:
            ids = list(first_uses.values())
            yield f"the texts of {index.names(ids)} differ only in blanks", tuple(ids)
