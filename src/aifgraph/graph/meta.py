"""The side data of a graph: who spoke, when, the text it analyses, and whatever else its file held.

Nothing here takes part in the graph's structure, and nothing of it is lost on the way through the library: ``record``
is an entry of the file as it was read, untouched.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import UTC, datetime
from types import NoneType
from typing import Any, Final, Literal, TypeVar

from aifgraph.errors import FormatError
from aifgraph.graph.nodes import EMPTY, Node

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Participant:
    """A person who speaks; locution records name the person by ``id``."""

    id: str
    first_name: str = ""
    surname: str = ""
    record: Mapping[str, Any] = field(default=EMPTY, compare=False, repr=False)

    @property
    def name(self) -> str:
        """First name and surname, as far as they are known."""
        return f"{self.first_name} {self.surname}".strip()

    def __str__(self) -> str:
        return self.name or repr(self)


@dataclass(frozen=True, slots=True)
class LocutionRecord:
    """Who made the locution ``node_id`` and when; a node may have several. Times are as the file writes them; the
    ``timestamp`` says when the record was stored."""

    node_id: str
    person_id: str | None = None
    start: str | None = None
    end: str | None = None
    source: str | None = None
    timestamp: str | None = None
    record: Mapping[str, Any] = field(default=EMPTY, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a plain text that is marked for a node: from the place of its first character, counted from 0, to
    the one behind its last."""

    node_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SourceText:
    """The text that a graph analyses.

    Attributes:
        text: the text. Without ``spans`` it may be marked up, and its ``<span id=…>`` elements say where nodes are.
        origin: ``given`` for a text from outside the map's own file, otherwise ``embedded``.
        spans: where the nodes are in a plain text; None where the text may be marked up (``graph.span_of`` finds both).
    """

    text: str
    origin: Literal["given", "embedded"] = field(default="embedded", compare=False)
    spans: tuple[Span, ...] | None = None

    @property
    def marked(self) -> str:
        """The text as AIF tools write it: as it is, or with its spans marked by ``<span id=…>``.

        >>> SourceText("Masks help.", spans=(Span("4", 0, 10),)).marked
        '<span class="highlighted" id="node4">Masks help</span>.'
        """
        if self.spans is None:
            return self.text
        starts: dict[int, list[Span]] = {}
        ends: dict[int, set[int]] = {}
        empty: dict[int, list[str]] = {}
        # Longer spans open first and close last.
        for span in sorted(self.spans, key=lambda span: span.start - span.end):
            if span.start < span.end:
                starts.setdefault(span.start, []).append(span)
                ends.setdefault(span.end, set()).add(id(span))
            elif span.start == span.end:
                empty.setdefault(span.start, []).append(f"{_opening(span)}</span>")
        parts: list[str] = []
        opened: list[Span] = []
        written = 0
        for place in sorted(starts.keys() | ends.keys() | empty.keys()):
            parts.append(_escaped(self.text[written:place]))
            written = place
            # HTML cannot hold spans that cross: the one that goes on is closed and opened again.
            closing = ends.get(place, set())
            first = next((index for index, span in enumerate(opened) if id(span) in closing), len(opened))
            parts += ["</span>"] * (len(opened) - first)
            parts += empty.get(place, ())
            again = [span for span in opened[first:] if id(span) not in closing]
            opened[first:] = [*again, *starts.get(place, ())]
            parts += map(_opening, opened[first:])
        parts.append(_escaped(self.text[written:]))
        return "".join(parts)


def _opening(span: Span) -> str:
    # OVA3 looks a mark up as "node" and the id; readers here take the first "node" off.
    return f'<span class="highlighted" id="node{html.escape(span.node_id)}">'


def _escaped(text: str) -> str:
    # A break is one line break wherever it is read; one in the file after it would be a second.
    return html.escape(text, quote=False).replace("\n", "<br>")


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a user should know, in one line, about the nodes of some ids. Its ``code`` (``edge-dangling``) stays
    the same between versions."""

    code: str
    message: str
    nodes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Meta:
    """Everything apart from nodes and edges.

    Attributes:
        participants: the people.
        locutions: who made which locution, and when.
        source: the text that the graph analyses; None where there is none.
        form: the format of the file (``aif``, ``xaif``, …).
        document: the rest of the file's outermost object, for the way back.
        aif: the rest of the object that holds the nodes, for the way back.
        notices: the warnings of reading.
        base: what the IRIs of the nodes began with; empty where the graph was not read from RDF.
    """

    participants: tuple[Participant, ...] = ()
    locutions: tuple[LocutionRecord, ...] = ()
    source: SourceText | None = None
    form: str = "aif"
    document: Mapping[str, Any] = field(default=EMPTY, repr=False)
    aif: Mapping[str, Any] = field(default=EMPTY, repr=False)
    notices: tuple[Notice, ...] = ()
    base: str = field(default="", compare=False, repr=False)

    def moved(self, into: Mapping[str, str | None]) -> Meta:
        """The same with nodes renamed, by their old ids, or forgotten, where the new one is None.

        >>> Meta(locutions=(LocutionRecord("1", "7"), LocutionRecord("2", "8"))).moved({"1": None, "2": "3"}).locutions
        (LocutionRecord(node_id='3', person_id='8', start=None, end=None, source=None, timestamp=None),)
        """

        def new(id_: str) -> str | None:
            return into.get(id_, id_)

        locutions = tuple(
            record if id_ == record.node_id else replace(record, node_id=id_)
            for record in self.locutions
            if (id_ := new(record.node_id)) is not None
        )
        source = self.source
        if source is not None and source.spans is not None:
            spans = tuple(replace(span, node_id=id_) for span in source.spans if (id_ := new(span.node_id)) is not None)
            source = replace(source, spans=spans)
        elif source is not None and "<" in source.text:
            from aifgraph.text.markup import moved_marks

            source = replace(source, text=moved_marks(source.text, into))
        aif = dict(self.aif) if self.aif else self.aif
        for section in _FULFILMENTS:
            if isinstance(aif, dict) and isinstance(aif.get(section), list):
                aif[section] = [
                    entry if id_ == str(entry.get("nodeID")) else {**entry, "nodeID": id_}
                    for entry in aif[section]
                    if isinstance(entry, Mapping) and (id_ := new(str(entry.get("nodeID")))) is not None
                ]
        return replace(
            self,
            locutions=locutions,
            source=source,
            document=_moved_boxes(self.document, into),
            aif=aif,
            notices=tuple(notice for notice in self.notices if None not in map(new, notice.nodes)),
        )


def _moved_boxes(document: Mapping[str, Any], into: Mapping[str, str | None]) -> Mapping[str, Any]:
    """The rest of a document with the boxes and lines of OVA as the nodes are now."""
    changed = dict(document)
    for key in ("OVA", "ova"):
        if isinstance(ova := document.get(key), Mapping):
            nodes, edges = ova.get("nodes"), ova.get("edges")
            changed[key] = dict(ova)
            if isinstance(nodes, list):
                changed[key]["nodes"] = list(_moved_entries(nodes, ("nodeID",), into))
            if isinstance(edges, list):
                changed[key]["edges"] = list(_moved_entries(edges, ("fromID", "toID"), into))
    return changed if changed else document


def _moved_entries(entries: list[Any], keys: tuple[str, ...], into: Mapping[str, str | None]) -> Iterator[Any]:
    """Entries that name nodes, those of nodes that are gone left out; where nodes became one, each entry once."""
    ids = [tuple(str(entry.get(key)) for key in keys) if isinstance(entry, dict) else () for entry in entries]
    held = {each for each in ids if not into.keys() & set(each)}
    for entry, old in zip(entries, ids, strict=True):
        new = tuple(into.get(id_, id_) for id_ in old)
        if new == old:
            yield entry
        elif None not in new and len(set(new)) == len(keys) and new not in held:
            held.add(tuple(map(str, new)))
            yield {**entry, **dict(zip(keys, new, strict=True))}


# -- as plain values ------------------------------------------------------------------------------------------

_TYPES: Final = {
    "str": (str,),
    "str | None": (str, NoneType),
    "int": (int,),
    "Mapping[str, Any]": (Mapping,),
    'Literal["given", "embedded"]': (str,),
}


def meta_to_dict(meta: Meta) -> dict[str, Any]:
    """Side data in plain values for JSON, by the names of their fields; those that are as ever are left out.

    >>> meta_to_dict(Meta(locutions=(LocutionRecord("1", "7"),), source=SourceText("Hm.", spans=(Span("1", 0, 2),))))
    {'locutions': [{'node_id': '1', 'person_id': '7'}],
     'source': {'text': 'Hm.', 'spans': [{'node_id': '1', 'start': 0, 'end': 2}]}}
    """
    plain: dict[str, Any] = _plain(meta)
    return plain


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        values = ((one, getattr(value, one.name)) for one in fields(value))
        return {one.name: _plain(part) for one, part in values if part is not one.default}
    if isinstance(value, tuple):
        return list(map(_plain, value))
    return dict(value) if isinstance(value, Mapping) else value


def meta_from_dict(value: Mapping[str, Any]) -> Meta:
    """The side data that :func:`meta_to_dict` wrote. Raises ``FormatError`` for anything else.

    >>> meta = Meta(source=SourceText("Masks help.", spans=(Span("1", 0, 5),)))
    >>> meta_from_dict(meta_to_dict(meta)) == meta
    True
    """

    def all_of(cls: type[T], key: str) -> tuple[T, ...]:
        return tuple(_read(cls, entry) for entry in value.get(key, ()))

    def notice(entry: Mapping[str, Any]) -> Notice:
        return _read(Notice, entry, nodes=tuple(map(str, entry.get("nodes", ()))))

    def source(entry: Mapping[str, Any]) -> SourceText:
        spans = entry.get("spans")
        return _read(SourceText, entry, spans=None if spans is None else tuple(_read(Span, span) for span in spans))

    try:
        return _read(
            Meta,
            value,
            participants=all_of(Participant, "participants"),
            locutions=all_of(LocutionRecord, "locutions"),
            source=None if value.get("source") is None else source(value["source"]),
            notices=tuple(map(notice, value.get("notices", ()))),
            aif=rest_of_map(value.get("aif", EMPTY)),
        )
    except (TypeError, ValueError, KeyError, AttributeError):
        raise FormatError("the side data of a graph are damaged") from None


def rest_of_map(aif: Mapping[str, Any]) -> Mapping[str, Any]:
    """The rest of the object that holds the nodes, as another format than AIF gives it; ``FormatError`` where it says
    what the graph has otherwise, or fulfilments that are no list of objects."""
    for section in ("nodes", "edges", "locutions", "participants"):
        if aif.get(section):
            raise FormatError(f"the side data of a graph are damaged: {section} do not belong there")
    fulfilments = aif.get("schemefulfillments") or ()
    if not isinstance(fulfilments, list | tuple) or not all(isinstance(entry, Mapping) for entry in fulfilments):
        raise FormatError("the side data of a graph are damaged: schemefulfillments are no list of objects")
    return aif


def _read(cls: type[T], entry: Mapping[str, Any], **parts: Any) -> T:
    """The value of an entry; ``TypeError`` where it has a field that the class has not, or one of another type."""
    value = cls(**{**entry, **parts})
    for one in fields(cls):  # type: ignore[arg-type]
        if not isinstance(getattr(value, one.name), _TYPES.get(str(one.type), (object,))):
            raise TypeError(one.name)
    return value


#: Side data that name nodes by ``nodeID``.
_FULFILMENTS = ("schemefulfillments", "descriptorfulfillments", "cqdescriptorfulfillments")

_SCRIPT = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2} \d{1,2} \d{4} \d\d:\d\d:\d\d)(?: (?:GMT|UTC)([+-]\d{4})?)?")
_EPOCH = re.compile(r"-?\d{9,14}(?:\.\d+)?\Z")
#: Numbers of this size and more are milliseconds: as seconds they would be after the year 5000.
_MILLISECONDS = 10**11


def parse_time(text: str | None) -> datetime | None:
    """The moment that a text names, or None where it names none.

    >>> parse_time("2019-03-06 14:31:23")
    datetime.datetime(2019, 3, 6, 14, 31, 23)
    >>> parse_time("1636667400") == parse_time("Thu Nov 11 2021 21:50:00 GMT+0000 (Greenwich Mean Time)")
    True
    >>> parse_time("after the break") is None
    True
    """
    text = (text or "").strip()
    try:
        if _EPOCH.match(text):
            number = float(text)
            return datetime.fromtimestamp(number / 1000 if abs(number) >= _MILLISECONDS else number, UTC)
        script = _SCRIPT.match(text)
        if script:
            zone = script.group(2) or ("+0000" if "GMT" in text or "UTC" in text else "")
            return datetime.strptime(script.group(1) + zone, "%b %d %Y %H:%M:%S" + ("%z" if zone else ""))
        return datetime.fromisoformat(text) if text[:4].isdigit() and "-" in text else None
    except (ValueError, OverflowError, OSError):
        return None


def written_time(time: datetime | str | None) -> str | None:
    """A time as AIF files write it.

    >>> written_time(datetime(2019, 3, 6, 14, 31, 23)), written_time("after the break")
    ('2019-03-06 14:31:23', 'after the break')
    """
    return time.isoformat(" ") if isinstance(time, datetime) else time


# Transcripts write ``First Last: words`` and ``First Last : words``; the analyst's own copies put one more name in
# front, and only the first is taken off (docs/measures.md, section 0).
# 1 to 60 characters without colon or line break, a colon, and white space with something behind it.
_PREFIX = re.compile(r"([^:\n\r]{1,60}):\s+(?=\S)")


def speaker_prefix(text: str) -> str:
    """The speaker's name, or an empty string.

    >>> speaker_prefix("Ann Lee : Masks help"), speaker_prefix("at 10:30 we left"), speaker_prefix("Masks help")
    ('Ann Lee', '', '')
    """
    prefix = _PREFIX.match(text)
    return prefix.group(1).strip() if prefix else ""


def said(node: Node) -> str:
    """What a node says: its text, stripped, and a locution's without its first speaker prefix.

    >>> from aifgraph.graph import Locution
    >>> said(Locution("1", "Carl: Ann: Masks help "))
    'Ann: Masks help'
    """
    return without_speaker(node.text) if node.kind == "L" else node.text.strip()


def without_speaker(text: str) -> str:
    """A locution's text without its first speaker prefix, stripped.

    >>> without_speaker("Carl: Ann: Masks help ")
    'Ann: Masks help'
    """
    prefix = _PREFIX.match(text)
    return (text[prefix.end() :] if prefix else text).strip()
