"""AIF JSON, as AIFdb gives it: an object with lists of nodes, edges and locutions.

xAIF and OVA3 hold the same object inside a larger one, and share :func:`read_map` and :func:`write_map`.

Entries that cannot be part of a graph are left out, each with a notice: a node whose id is taken, an edge with an
unknown end, an edge that is a loop or given twice. Fields that AIF does not define stay in the ``extra`` of a node,
edge, person or locution, and are written again.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import replace
from itertools import chain, compress, count, repeat
from operator import contains, eq, itemgetter
from types import NoneType
from typing import Any, Final

from aifgraph.errors import FormatError
from aifgraph.files import json_text
from aifgraph.formats import FileContents
from aifgraph.graph import ArgumentGraph, LocutionRecord, Meta, Node, Notice, Participant, Scheme, SourceText
from aifgraph.graph.columns import Columns
from aifgraph.graph.nodes import NODE_CLASSES, type_named
from aifgraph.graph.schemes import scheme_name
from aifgraph.printable import pluralize
from aifgraph.text.source import unescape

#: What AMF's tools write where a person has no first name or no surname.
NO_NAME: Final = "None"
#: The field for further schemes that are in no catalogue.
OWN_SCHEMES: Final = "aifgraphSchemes"
#: The field that says of a person that both names are as they stand.
OWN_NAME: Final = "aifgraphName"
#: The field for further fields whose names AIF has taken.
OWN_EXTRA: Final = "aifgraphExtra"
#: Ids of no more digits than every program can count on.
WHOLE: Final = re.compile(r"(?:0|-?[1-9][0-9]{0,17})\Z")

_REMEDY: Final = "give AIF JSON: an object with lists of nodes and edges"
_READ: Final = frozenset({"nodes", "edges", "locutions", "participants", "schemefulfillments"})
#: The fields of most entries; others have schemes or further fields.
_USUAL_OF_NODES: Final = frozenset({"nodeID", "text", "type", "timestamp"})
#: The fields that AIF defines: of nodes, edges, people and locution records.
_OF_NODES: Final = frozenset({"nodeID", "text", "type", "timestamp", "scheme", "schemeID", OWN_SCHEMES})
_OF_EDGES: Final = frozenset({"edgeID", "fromID", "toID"})
_OF_PEOPLE: Final = frozenset({"participantID", "firstname", "surname", OWN_NAME})
_OF_LOCUTIONS: Final = dict.fromkeys(("nodeID", "personID", "start", "end", "source", "timestamp"))


def sniff(document: Any) -> bool:
    """Return whether a JSON document is AIF JSON.

    SADFace has ``nodes`` too, with ``id`` in place of ``nodeID``, and ``resources``.
    """
    nodes = document.get("nodes") if isinstance(document, dict) else None
    if isinstance(nodes, list) and nodes:
        return not (isinstance(nodes[0], dict) and "nodeID" not in nodes[0] and "id" in nodes[0])
    return nodes is not None and not ("resources" in document and "edges" in document)


def read(document: Any, text: str | None = None) -> ArgumentGraph:
    """Read AIF JSON; ``text`` is the source text that lies beside the file."""
    return with_text(read_map(document), text)


def write(graph: ArgumentGraph, *, indent: int | None = 1) -> FileContents:
    """Write AIF JSON, and the source text beside it, which has no place in it."""
    source = graph.meta.source
    return FileContents(json_text(write_map(graph), indent=indent), marked_text(source) if source else None)


def marked_text(source: SourceText) -> str:
    """Return a source text as files hold it: as it is where it is read so, else as HTML.

    >>> marked_text(SourceText("a < b")), marked_text(SourceText("a <b> b"))
    ('a < b', 'a &lt;b&gt; b')
    """
    return source.text if SourceText.from_html(source.text) == source else source.to_html()


def with_text(graph: ArgumentGraph, text: str | None) -> ArgumentGraph:
    """Return the graph with the source text that lies beside its file, which counts more than another inside it."""
    inside = graph.meta.source
    if text is None or (inside and not text.strip()):
        return graph
    beside = SourceText.from_html(text, "given")
    if inside is None:
        return graph.with_meta(source=beside)
    if inside.text == beside.text:
        return graph.with_meta(source=replace(beside, spans=beside.spans or inside.spans))
    notice = Notice("text-differs", "the text beside the file is not the one in it: the one in it is left out")
    return graph.with_meta(source=beside, notices=(*graph.notices, notice))


# -- reading ------------------------------------------------------------------------------------------------


def read_map(aif: Any, rest: Mapping[str, Any] | None = None, notices: Iterable[Notice] = ()) -> ArgumentGraph:
    """Read an object with ``nodes``, ``edges`` and side data; ``rest`` is the object around it, where there is one.

    >>> read_map({"nodes": [{"nodeID": 0, "text": "a &amp; b", "type": "I"}]})["0"].text
    'a & b'
    """
    if not isinstance(aif, dict):
        raise FormatError("no JSON object", remedy=_REMEDY)
    found = list(notices)
    entries = _objects(aif, "nodes", needed=rest is None)
    ids = _ids(entries, "nodeID", "nodes")
    nodes = numbers, _, _, _, schemes, _, _ = _read_nodes(entries, ids, found)
    numeric = {*map(type, ids)} == {int}
    # Where ids are numbers, ends are looked up as numbers: to make texts of them takes longer than all else.
    given = dict(zip(dict.fromkeys(ids), numbers.values(), strict=True)) if numeric else numbers
    edges = _read_edges(_objects(aif, "edges"), given, numbers, found)
    _add_fulfilments(_objects(aif, "schemefulfillments"), numbers, schemes, found)
    meta = Meta(
        participants=tuple(map(_participant, _objects(aif, "participants"))),
        locutions=_locution_records(_objects(aif, "locutions")),
        document=dict(rest or {}),
        aif={key: value for key, value in aif.items() if key not in _READ},
        notices=tuple(found),
        numeric_ids=numeric,
    )
    return ArgumentGraph._of(Columns(*nodes, *edges), meta)


def _objects(aif: Mapping[str, Any], section: str, *, needed: bool = False) -> list[dict[str, Any]]:
    entries = aif.get(section)
    if entries is None and not needed:
        return []
    if not isinstance(entries, list):
        of_arguebuf = isinstance(entries, dict) and isinstance(aif.get("edges"), dict)
        remedy = "in arguebuf, export the graph as AIF" if of_arguebuf else _REMEDY
        raise FormatError(f"no list of {section}", remedy=remedy)
    for index in _unlike(entries, dict):
        raise FormatError("no object", where=f"{section}[{index}]")
    return entries


def _column(entries: list[dict[str, Any]], field: str) -> list[Any]:
    """Return the values of a field, None where an entry has none. Nothing here runs in Python for each entry."""
    return list(map(dict.get, entries, repeat(field)))


def _unlike(values: list[Any], *types: type) -> list[int]:
    """Return the indices of values of other types, mostly none."""
    if {*map(type, values)}.issubset(types):
        return []
    return [index for index, value in enumerate(values) if type(value) not in types]


def _ids(entries: list[dict[str, Any]], field: str, section: str) -> list[Any]:
    """Return ids as the file has them: strings, whole numbers, or null."""
    ids = _column(entries, field)
    for index in _unlike(ids, str, int, NoneType):
        if not (isinstance(ids[index], float) and ids[index].is_integer()):
            remedy = "ids are strings or whole numbers"
            raise FormatError(f"{field} is no id", where=f"{section}[{index}]", remedy=remedy)
        ids[index] = int(ids[index])
    return ids


def _unusual(entries: list[dict[str, Any]], usual: Set[str]) -> list[int]:
    """Return the indices of entries with other fields than the usual ones."""
    others = {*chain.from_iterable(entries)} - usual
    return [index for index, entry in enumerate(entries) if not others.isdisjoint(entry)] if others else []


def _texts(values: list[Any]) -> list[str | None]:
    return list(map(text_or_none, values)) if _unlike(values, str, NoneType) else values


def _read_nodes(entries: list[dict[str, Any]], given: list[Any], notices: list[Notice]) -> tuple[Any, ...]:
    """Return the columns of the nodes, of the ids ``given``."""
    types = _column(entries, "type")
    if None in given or None in types:
        for index, entry in enumerate(entries):
            if lacking := {"nodeID", "type"} - entry.keys():
                raise FormatError(f"a node without {max(lacking)}", where=f"nodes[{index}]")
            if entry["nodeID"] is None:
                raise FormatError("nodeID is no id", where=f"nodes[{index}]")
    ids = [str(id_) for id_ in given]
    for index in _unlike(types, str) or [types.index(type_) for type_ in {*types} if not type_.strip()]:
        raise FormatError("the type is no name", where=f"node {ids[index]}")
    named = {type_: type_named(type_) for type_ in {*types}}
    kind_of = {type_: name if name in NODE_CLASSES else "" for type_, name in named.items()}
    kinds = list(map(kind_of.__getitem__, types))
    others = {index: named[types[index]] for index, kind in enumerate(kinds) if not kind} if "" in kinds else {}
    found: list[tuple[int, Notice]] = []  # in the order of the entries
    texts = _column(entries, "text")
    for index in _unlike(texts, str):
        if texts[index] is not None:
            raise FormatError("the text is no string", where=f"node {ids[index]}")
        texts[index] = ""
        message = f"node {ids[index]} has no text; it is read as empty"
        found.append((index, Notice("text-missing", message, (ids[index],))))
    decoded = []
    for index in compress(count(), map(contains, texts, repeat("&"))):
        if (plain := unescape(texts[index])) != texts[index]:
            texts[index] = plain
            decoded.append(ids[index])
    further = _unusual(entries, _USUAL_OF_NODES)
    schemes = {index: own for index in further if (own := _schemes_in(entries[index]))}
    extras = {index: extra for index in further if (extra := _extra(entries[index], _OF_NODES))}
    numbers = dict(zip(ids, range(len(ids)), strict=True))
    columns = numbers, kinds, texts, _column(entries, "timestamp"), schemes, extras, others
    if len(numbers) < len(ids):
        columns = _merge_repeated(ids, columns, found)
    for id_, index in {ids[index]: index for index in reversed(others)}.items():
        if not columns[1][columns[0][id_]]:
            message = f"node {id_} is of type {others[index]}, which AIF does not define: kept, not compared"
            found.append((index, Notice("type-unknown", message, (id_,))))
    notices += [notice for _, notice in sorted(found, key=itemgetter(0))]
    if decoded:
        message = f"{pluralize(len(decoded), 'texts of nodes')} with character references (&amp;), which are decoded"
        notices.append(Notice("references-decoded", message, tuple(decoded)))
    return columns


def _extra(entry: Mapping[str, Any], known: Set[str]) -> dict[str, Any]:
    if entry.keys() <= known:
        return {}
    extra = {key: value for key, value in entry.items() if key not in known}
    taken = extra.get(OWN_EXTRA)
    return {key: value for key, value in extra.items() if key != OWN_EXTRA} | taken if type(taken) is dict else extra


def _further(extra: Mapping[str, Any] | None, known: Set[str]) -> dict[str, Any]:
    """Return further fields as an entry has them, those whose names AIF has taken in one of their own."""
    if not extra:
        return {}
    taken = {key: value for key, value in extra.items() if key in known or key.startswith("aifgraph")}
    free = {key: value for key, value in extra.items() if key not in taken}
    return free | ({OWN_EXTRA: taken} if taken else {})


def _merge_repeated(ids: list[str], columns: tuple[Any, ...], found: list[tuple[int, Notice]]) -> tuple[Any, ...]:
    """Collect the schemes of a node that occurs once for each of them, as in AIFdb; the first text and type count."""
    _, kinds, texts, times, schemes, extras, others = columns
    first: dict[str, int] = {}
    merged: dict[int, dict[Scheme, None]] = {}
    for index, id_ in enumerate(ids):
        if (host := first.setdefault(id_, index)) != index:
            own = merged.setdefault(host, dict.fromkeys(schemes.get(host, ())))
            new = dict.fromkeys(scheme for scheme in schemes.get(index, ()) if scheme not in own)
            own.update(new)
            said, repeated = ((texts[number], kinds[number], others.get(number)) for number in (host, index))
            if said != repeated or not new:
                but = "" if said == repeated else ", with another text or type"
                message = f"node {id_} occurs twice{but}; the first one counts"
                found.append((index, Notice("node-repeated", message, (id_,))))
    schemes.update((host, tuple(own)) for host, own in merged.items() if own)
    kept = first.values()
    listed = ([column[index] for index in kept] for column in (kinds, texts, times))
    sparse = (
        {new: column[old] for new, old in enumerate(kept) if old in column} for column in (schemes, extras, others)
    )
    return (dict(zip(first, range(len(first)), strict=True)), *listed, *sparse)


def _schemes_in(entry: Mapping[str, Any]) -> tuple[Scheme, ...]:
    name, id_ = entry.get("scheme"), entry.get("schemeID")
    known_id = None if id_ is None or id_ == "" else str(id_)
    known_name = str(name) if name else (scheme_name(known_id) if known_id else None)
    first = (Scheme(known_id, known_name),) if known_id or known_name else ()
    return first + schemes_of_pairs(entry[OWN_SCHEMES]) if OWN_SCHEMES in entry else first


def schemes_of_pairs(value: object) -> tuple[Scheme, ...]:
    """Return the schemes in a list of pairs of id and name; what is no such pair is left out."""
    pairs = (pair for pair in (value if isinstance(value, list) else ()) if isinstance(pair, list) and len(pair) == 2)
    return tuple(Scheme(*map(text_or_none, pair)) for pair in pairs)


def _read_edges(
    entries: list[dict[str, Any]], given: Mapping[Any, int], numbers: Mapping[Any, int], notices: list[Notice]
) -> tuple[Any, ...]:
    """Return the columns of the edges; ends are looked up as they are ``given``, then as texts."""
    ids = _ids(entries, "fromID", "edges"), _ids(entries, "toID", "edges")
    sources, targets = (list(map(given.get, side)) for side in ids)
    if None in sources or None in targets:
        ids = _texts(ids[0]), _texts(ids[1])
        sources, targets = (list(map(numbers.get, side)) for side in ids)
    edge_ids = _column(entries, "edgeID")
    # AIFdb has a form in all edges, which is null.
    usual = _OF_EDGES if _unlike(_column(entries, "formEdgeID"), NoneType) else _OF_EDGES | {"formEdgeID"}
    extras = {index: own for index in _unusual(entries, usual) if (own := _edge_extra(entries[index]))}
    odd = None in sources or None in targets or any(map(eq, sources, targets))
    if not odd and len({*zip(sources, targets, strict=True)}) == len(entries):
        return sources, targets, edge_ids, extras
    kept: dict[tuple[Any, Any], int] = {}
    for index, (source, target, start, end) in enumerate(zip(*ids, sources, targets, strict=True)):
        if start is None or end is None:
            unknown = " and ".join(str(id_) for id_, number in ((source, start), (target, end)) if number is None)
            message = f"the edge {source} → {target} has an unknown end ({unknown}) and is left out"
            known = tuple(id_ for id_ in (source, target) if id_ is not None)
            notices.append(Notice("edge-dangling", message, known))
        elif start == end:
            notices.append(Notice("edge-loop", f"the edge from node {source} to itself is left out", (source, target)))
        elif kept.setdefault((start, end), index) != index:
            message = f"the edge {source} → {target} is given twice and counts once"
            notices.append(Notice("edge-repeated", message, (source, target)))
    extras = {new: extras[old] for new, old in enumerate(kept.values()) if old in extras}
    return [start for start, _ in kept], [end for _, end in kept], [edge_ids[index] for index in kept.values()], extras


def _edge_extra(entry: Mapping[str, Any]) -> dict[str, Any] | None:
    extra = _extra(entry, _OF_EDGES)
    if extra.get("formEdgeID", entry) is None:
        del extra["formEdgeID"]
    return extra or None


def _add_fulfilments(
    entries: list[dict[str, Any]],
    numbers: Mapping[str, int],
    schemes: dict[int, tuple[Scheme, ...]],
    notices: list[Notice],
) -> None:
    """Add the schemes that uploads and xAIF have in a list of their own."""
    listed: dict[int, dict[str, Scheme]] = {}
    for index, entry in enumerate(entries):
        node_id, scheme_id = entry.get("nodeID"), entry.get("schemeID")
        if node_id is None or scheme_id is None:
            continue
        number = numbers.get(str(node_id))
        if number is None:
            message = f"schemefulfillments[{index}] names node {node_id}, which is not there"
            notices.append(Notice("fulfilment-dangling", message, (str(node_id),)))
        else:
            listed.setdefault(number, {})[str(scheme_id)] = Scheme(str(scheme_id), scheme_name(str(scheme_id)))
    for number, further in listed.items():
        own = schemes.get(number, ())
        known = {scheme.id for scheme in own}
        schemes[number] = own + tuple(scheme for scheme in further.values() if scheme.id not in known)


def text_or_none(value: object) -> str | None:
    """Return a value as a text; null stays null."""
    return None if value is None else str(value)


def _participant(entry: dict[str, Any]) -> Participant:
    names = [text_or_none(entry.get(field)) or "" for field in ("firstname", "surname")]
    first, last = names if OWN_NAME in entry else ("" if name == NO_NAME else name for name in names)
    return Participant(text_or_none(entry.get("participantID")) or "", first, last, _extra(entry, _OF_PEOPLE))


def _locution_records(entries: list[dict[str, Any]]) -> tuple[LocutionRecord, ...]:
    nodes, *others = (_texts(_column(entries, field)) for field in _OF_LOCUTIONS)
    extras: list[dict[str, Any]] = [{} for _ in entries]
    for index in _unusual(entries, _OF_LOCUTIONS.keys()):
        extras[index] = _extra(entries[index], _OF_LOCUTIONS.keys())
    return tuple(map(LocutionRecord, [node or "" for node in nodes], *others, extras))


# -- writing ------------------------------------------------------------------------------------------------


def write_map(graph: ArgumentGraph, *, listed: bool = False) -> dict[str, Any]:
    """Return a graph as an object with ``nodes``, ``edges``, ``locutions`` and side data.

    The first scheme stands in the node, as in AIFdb; further ones of AIFdb's catalogue are ``schemefulfillments``,
    which has all of them where maps are ``listed`` as in xAIF and OVA3. No two nodes or edges have one id.
    """
    own = id_writer(graph)
    free = count(1 + max((int(edge.id) for edge in graph.edges if edge.id and WHOLE.match(edge.id)), default=0))
    aif: dict[str, Any] = {"nodes": [], "edges": [], "locutions": []}
    aif["nodes"] = [_node_entry(node, own(node.id)) for node in graph]
    taken: set[str | None] = {None}
    for edge in graph.edges:
        id_ = str(next(free)) if edge.id in taken else edge.id
        taken.add(id_)
        ends = {"fromID": own(edge.source), "toID": own(edge.target)}
        aif["edges"].append({"edgeID": own(str(id_)), **ends, **_further(edge.extra, _OF_EDGES)})
    for record in graph.meta.locutions:
        aif["locutions"].append(_locution_entry(record, own, listed))
    start = 0 if listed else 1
    fulfilled = ((node.id, scheme.id) for node in graph for scheme in node.schemes[start:] if scheme.id)
    entries = [{"nodeID": own(id_), "schemeID": scheme} for id_, scheme in fulfilled]
    if listed or entries:
        aif["schemefulfillments"] = entries
    if listed or graph.meta.participants:
        aif["participants"] = [_participant_entry(person, own) for person in graph.meta.participants]
    return aif | {key: value for key, value in graph.meta.aif.items() if key not in _READ}


def id_writer(graph: ArgumentGraph) -> Callable[[str], str | int]:
    """Return what turns ids into numbers where they were numbers in the file and all still are; else into strings."""
    meta = graph.meta
    nodes = (node.id for node in graph), (record.node_id for record in meta.locutions)
    others = (edge.id for edge in graph.edges), (record.person_id for record in meta.locutions)
    people = (person.id for person in meta.participants)
    ids = (id_ for several in (*nodes, *others, people) for id_ in several if id_ is not None)
    return int if meta.numeric_ids and all(map(WHOLE.match, ids)) else str


def _node_entry(node: Node, id_: str | int) -> dict[str, Any]:
    entry: dict[str, Any] = {"nodeID": id_, "text": escaped(node.text), "type": node.type}
    if node.timestamp is not None:
        entry["timestamp"] = node.timestamp
    entry |= _further(node.extra, _OF_NODES)
    fields = {"scheme": node.scheme.name, "schemeID": node.scheme.id} if node.scheme else {}
    entry |= {key: value for key, value in fields.items() if value is not None}
    if others := [scheme for scheme in node.schemes[1:] if not scheme.id or scheme.name != scheme_name(scheme.id)]:
        entry[OWN_SCHEMES] = others  # which are in no catalogue
    return entry


def escaped(text: str) -> str:
    """Return a text that reading gives back: with entities only where it would be taken to hold some."""
    return html.escape(text, quote=False) if "&" in text and unescape(text) != text else text


def _locution_entry(record: LocutionRecord, own: Callable[[str], str | int], listed: bool) -> dict[str, Any]:
    person = None if record.person_id is None else own(record.person_id)
    times = {"timestamp": record.timestamp, "start": record.start, "end": record.end, "source": record.source}
    fields = {"nodeID": own(record.node_id), "personID": person, **times}
    # AMF's packages look up who spoke in every record.
    known = {key: value for key, value in fields.items() if value is not None or (listed and key == "personID")}
    return known | _further(record.extra, _OF_LOCUTIONS.keys())


def _participant_entry(person: Participant, own: Callable[[str], str | int]) -> dict[str, Any]:
    names: dict[str, Any] = {"firstname": person.first_name, "surname": person.surname}
    if NO_NAME in names.values():
        names[OWN_NAME] = True
    return {"participantID": own(person.id), **names, **_further(person.extra, _OF_PEOPLE)}
