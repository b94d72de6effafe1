"""Rules 4xx: the side data of a graph: schemes, locution records, participants, texts."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from aifgraph.graph.meta import without_speaker
from aifgraph.graph.rules.index import GraphIndex
from aifgraph.graph.rules.rule import Hit, rule
from aifgraph.graph.schemes import kinds_of

_IAT = "IAT annotation guidelines 2023"


@rule(401, "AIFdb, schemeTypeID", aif="W", iat="W", xaif="W")
def scheme_kind(index: GraphIndex) -> Iterator[Hit]:
    """The scheme of a node is of the node's kind: inference schemes on RA, illocutions on YA, none on I and L."""
    for node in index.graph:
        for scheme in node.schemes if node.kind else ():
            kinds = kinds_of(scheme)
            if kinds and node.type not in kinds:
                of = "/".join(sorted(kinds))
                message = f"{index.name(node.id)} has the scheme {scheme.name or scheme.id}, which is one of {of}"
                yield message, (node.id,)


@rule(402, "occurs in QT30", aif="W", iat="W", xaif="W")
def locution_record(index: GraphIndex) -> Iterator[Hit]:
    """A locution record names a locution of the map."""
    for id_ in index.records:
        kind = index.kind.get(id_)
        if kind is None:
            yield f"a locution record names node {id_}, which is not there", (id_,)
        elif kind != "L":
            yield f"a locution record names {index.name(id_)}, which is not a locution", (id_,)


@rule(403, "xAIF; OVA", aif="W", iat="W", xaif="W")
def participant(index: GraphIndex) -> Iterator[Hit]:
    """A person whom a locution record names is among the participants, in files that list them (AIFdb's do not)."""
    meta = index.graph.meta
    if not meta.participants and meta.form != "xaif":
        return
    known = {person.id for person in meta.participants}
    missing: dict[str, list[str]] = {}
    for record in meta.locutions:
        if record.person_id is not None and record.person_id not in known and record.node_id in index.kind:
            missing.setdefault(record.person_id, []).append(record.node_id)
    for person, ids in missing.items():
        yield f"person {person}, who is named for {index.names(ids)}, is not among the participants", tuple(ids)


@rule(404, _IAT + " (identity of strings); DialAM-2024", aif="W", iat="W", xaif="W")
def i_duplicate(index: GraphIndex) -> Iterator[Hit]:
    """Two propositions of one map do not say the same in the same words."""
    by_text: dict[str, list[str]] = {}
    for id_ in index.of("I"):
        text = index.text(id_).strip()
        if text:
            by_text.setdefault(text, []).append(id_)
    for ids in by_text.values():
        if len(ids) > 1:
            yield f"{index.names(ids)} have the same text", tuple(ids)


@rule(405, _IAT, iat="N", xaif="N")
def l_in_text(index: GraphIndex) -> Iterator[Hit]:
    """What a locution says stands in the source text, word for word (asked where there is a text; white space and the
    speaker's name in front are not compared)."""
    if index.source_text is None:
        return
    text = "".join(index.source_text.split())
    place = 0
    for id_ in index.speech:
        said = "".join(without_speaker(index.text(id_)).split())
        # Locutions mostly follow the text: look on from the last one first.
        at = text.find(said, place)
        if at < 0:
            at = text.find(said)
        if at < 0 and "".join(index.text(id_).split()) not in text:
            yield f"what L {id_} says is not in the source text: {index.text(id_)[:60]!r}", (id_,)
        elif at >= 0:
            place = at + len(said)


@rule(406, "what reviewers of annotations look for", iat="W", xaif="W")
def speaker_spelling(index: GraphIndex) -> Iterator[Hit]:
    """A speaker is spelled in one way: names in front of locutions do not differ only in capitals, blanks, accents
    or punctuation."""
    spellings: dict[str, dict[str, str]] = {}
    first_use: dict[str, str] = {}
    for id_, name in index.speakers.items():
        first_use.setdefault(name, id_)
    for name, id_ in first_use.items():
        plain = "".join(filter(str.isalnum, unicodedata.normalize("NFKD", name).casefold()))
        if plain:
            spellings.setdefault(plain, {})[name] = id_
    for first_uses in spellings.values():
        if len(first_uses) > 1:
            names = ", ".join(f"{name!r} in L {id_}" for name, id_ in first_uses.items())
            yield f"one speaker is spelled in {len(first_uses)} ways: {names}", tuple(first_uses.values())


@rule(407, "what reviewers of annotations look for", aif="W", iat="W", xaif="W")
def i_blanks(index: GraphIndex) -> Iterator[Hit]:
    """Two propositions do not differ only in blanks and line breaks inside their texts."""
    by_words: dict[str, dict[str, str]] = {}
    for id_ in index.of("I"):
        text = index.text(id_).strip()
        by_words.setdefault(" ".join(text.split()), {}).setdefault(text, id_)
    for first_of in by_words.values():
        if len(first_of) > 1:
            ids = list(first_of.values())
            yield f"the texts of {index.names(ids)} differ only in blanks", tuple(ids)
