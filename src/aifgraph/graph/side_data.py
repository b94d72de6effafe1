"""The data of a file beside nodes and edges: people, locution records, the source text, and fields of its format.

Nothing here takes part in the structure of a graph. It is kept beside it so that measures can use positions and
speakers, and so that writers can give back what readers found.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from aifgraph.errors import InputError, NoSuchNameError, OptionError, choose_from
from aifgraph.graph.nodes import NewIds, Node, check_id, check_text
from aifgraph.text.source import Span, plain_text
from aifgraph.text.words import visible

T = TypeVar("T", "LocutionRecord", "Span")

#: Fields of JSON objects that name nodes.
_NODE_FIELDS: Final = frozenset({"nodeID", "fromID", "toID"})


@dataclass(frozen=True, slots=True)
class Participant:
    """A person. Locution records refer to people by ``id``."""

    id: str
    first_name: str = ""
    surname: str = ""
    extra: dict[str, Any] = field(default_factory=dict, hash=False, repr=False)

    def __post_init__(self) -> None:
        for what in ("id", "first_name", "surname"):
            check_text(getattr(self, what), f"the {what.replace('_', ' ')} of a participant")

    @property
    def name(self) -> str:
        """The first name and surname, if known."""
        return f"{self.first_name} {self.surname}".strip()


class People:
    """The participants of a map that is built, and the people whom only its records and texts name."""

    def __init__(self, meta: Meta, nodes: Mapping[str, Node]) -> None:
        self.listed = list(meta.participants)
        #: What people are called, by id. Those who are not listed are called as their first locution begins.
        self.names: dict[str, str] = {}
        self._ids_of: dict[str, dict[str, None]] = {}
        for person in reversed(self.listed):
            self._call(person.id, person.name)
        self._listed_ids = set(self.names)
        self._nodes = nodes
        for record in meta.locutions:
            self._name(record)
        self._new_ids = NewIds(self.names)

    def note(self, record: LocutionRecord) -> None:
        """Note the person whom a record names, and what the locution calls this person."""
        self._name(record)
        self._new_ids.taken.update(self.names.keys() & {record.person_id})

    def _name(self, record: LocutionRecord) -> None:
        if record.person_id is not None and not self.names.get(record.person_id):
            locution = self._nodes.get(record.node_id)
            self._call(record.person_id, speaker_prefix(locution.text) if locution else "")

    def _call(self, person_id: str, name: str) -> None:
        self._ids_of.get(self.names.get(person_id, ""), {}).pop(person_id, None)
        self.names[person_id] = name
        self._ids_of.setdefault(name, {})[person_id] = None

    def find(self, person: Participant | str) -> str | None:
        """Return the id of the person with an id or a name, if there is one."""
        given = person if isinstance(person, Participant) else check_id(person, "the speaker")
        id_, name = (given, given) if isinstance(given, str) else (given.id, given.name)
        if id_ in self.names:
            return id_
        name = " ".join(name.split())
        ids = [*self._ids_of.get(name, ())] if name else []
        if len(ids) > 1:
            raise InputError(f"{len(ids)} participants are called {name!r}", remedy=f"give the id: {', '.join(ids)}")
        return ids[0] if ids else None

    def add(self, person: Participant) -> str:
        """Return the id of a new person; of one without an id, the id of the person with this name, if there is one."""
        if not person.id and (known := self.find(person)):
            return self.ensure_listed(known)
        if person.id in self._listed_ids:
            raise InputError("a participant id is given twice", where=f"participant {person.id}")
        self._append(person if person.id else replace(person, id=self._new_ids.next()))
        return self.listed[-1].id

    def _append(self, person: Participant) -> None:
        self.listed.append(person)
        self._listed_ids.add(person.id)
        self._new_ids.taken.add(person.id)
        self._call(person.id, person.name)

    def ensure_listed(self, person_id: str) -> str:
        """List a person whom only records name, if the name is known."""
        if person_id not in self._listed_ids and (name := self.names.get(person_id)):
            self._append(Participant(person_id, *split_name(name)))
        return person_id

    def speaker_id(self, speaker: Participant | str) -> str:
        """Return the id of a speaker, who is listed from now on."""
        if (person_id := self.find(speaker)) is not None:
            return self.ensure_listed(person_id)
        name = speaker.name if isinstance(speaker, Participant) else str(speaker)
        if name.isdigit() or not name.strip():
            raise NoSuchNameError(f"there is no participant {name!r}")
        return self.add(Participant("", *split_name(name)))

    def rename(self, person: Participant | str, first_name: str, surname: str) -> tuple[str, str, str]:
        """Give a person another name; return the id, the old name and the new one."""
        person_id = self.find(person)
        if person_id is None:
            raise NoSuchNameError(f"there is no participant {person}")
        old_name = self.names[self.ensure_listed(person_id)]
        index = next(index for index, listed in enumerate(self.listed) if listed.id == person_id)
        new = replace(self.listed[index], first_name=first_name, surname=surname)
        self.listed[index] = new
        self._call(person_id, new.name)
        return person_id, old_name, new.name


@dataclass(frozen=True, slots=True)
class LocutionRecord:
    """Who made a locution, and when. A locution may have several records.

    Times are texts, as the file has them (:func:`parse_time` reads them); ``timestamp`` is when the record was stored.
    """

    node_id: str
    person_id: str | None = None
    start: str | None = None
    end: str | None = None
    source: str | None = None
    timestamp: str | None = None
    extra: dict[str, Any] = field(default_factory=dict, hash=False, repr=False)


def check_record(record: LocutionRecord) -> None:
    """Raise ``InputError`` where a field of a record is no text."""
    if not isinstance(record, LocutionRecord):
        raise InputError(f"a locution record is given as {type(record).__name__}")
    check_id(record.node_id, "the node of a record")
    for what in ("person_id", "start", "end", "source", "timestamp"):
        if (value := getattr(record, what)) is not None:
            check_text(value, f"{what} of a locution record", f"node {record.node_id}")


class _Marked:
    """A text that may be marked up and was not looked at yet."""

    __slots__ = ("_marked",)  # without an annotation, which would be a type hint of SourceText


@dataclass(frozen=True, slots=True)
class SourceText(_Marked):
    """The text that a graph analyses, without markup.

    Attributes:
        text: the plain text.
        spans: where nodes are in it, in the order in which the spans begin.
        origin: ``given`` if it came from outside the file of the graph.
    """

    text: str
    spans: tuple[Span, ...] = field(default_factory=tuple)
    origin: Literal["given", "embedded"] = field(default="embedded", compare=False)

    def __post_init__(self) -> None:
        check_text(self.text, "the source text")

    @classmethod
    def from_html(cls, marked: str, origin: Literal["given", "embedded"] = "embedded") -> SourceText:
        """Read a text whose spans are marked as AIF tools mark them; the pieces of one that had to be cut are joined.

        It is read when somebody asks for text or spans.

        >>> SourceText.from_html('Ann: <span id="node4">a &amp; b</span>')
        SourceText(text='Ann: a & b', spans=(Span(node_id='4', start=5, end=10),), origin='embedded')
        """
        source = object.__new__(cls)
        object.__setattr__(source, "_marked", check_text(marked, "the source text"))
        object.__setattr__(source, "origin", origin)
        return source

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name not in ("text", "spans"):
                raise AttributeError(f"a source text has no attribute {name!r}", name=name, obj=self)
            if (marked := getattr(self, "_marked", None)) is not None:  # else another thread has read it
                self._read(marked)
            return object.__getattribute__(self, name)

    def _read(self, marked: str) -> None:
        plain = plain_text(marked)
        spans: list[Span] = []
        places: dict[str, int] = {}  # of the last span of each node
        for span in plain.spans:
            place = places.get(span.node_id)
            if place is not None and spans[place].end == span.start:
                spans[place] = replace(spans[place], end=span.end)
            else:
                places[span.node_id] = len(spans)
                spans.append(span)
        object.__setattr__(self, "text", plain.text)
        object.__setattr__(self, "spans", tuple(spans))
        object.__delattr__(self, "_marked")

    def to_html(self) -> str:
        """Write the text with its spans marked as AIF tools mark them.

        HTML cannot hold spans that cross, so the one that goes on is closed and opened again.

        >>> SourceText("Masks help.", (Span("4", 0, 10),)).to_html()
        '<span class="highlighted" id="node4">Masks help</span>.'
        """
        starts: dict[int, list[Span]] = {}
        for span in sorted(self.spans, key=lambda span: -span.end):  # longer spans open first and close last
            starts.setdefault(span.start, []).append(span)
        parts: list[str] = []
        open_spans: list[Span] = []
        written = 0
        for place in sorted({*starts, *(span.end for span in self.spans), len(self.text)}):
            parts.append(html.escape(self.text[written:place], quote=False).replace("\n", "<br>"))
            written = place
            first = next((index for index, span in enumerate(open_spans) if span.end == place), len(open_spans))
            parts += ["</span>"] * (len(open_spans) - first)
            parts += [f"{_tag(span)}</span>" for span in starts.get(place, ()) if span.end == place]
            continued = [span for span in open_spans[first:] if span.end > place]
            opened = continued + [span for span in starts.get(place, ()) if span.end > place]
            parts += map(_tag, opened)
            open_spans[first:] = opened
        return "".join(parts)

    def renamed(self, ids: Mapping[str, str | None]) -> SourceText:
        """Rename nodes: see :meth:`Meta.renamed`."""
        return replace(self, spans=_renamed(self.spans, ids))


def check_source(source: object) -> SourceText:
    """Return a source text; raise ``InputError`` where it is none, or a span is not in it."""
    if not isinstance(source, SourceText):
        raise InputError("the source is no SourceText")
    if getattr(source, "_marked", None) is not None:  # its spans are read from the text
        return source
    for span in source.spans if isinstance(source.spans, tuple | list) else [source.spans]:
        whole = isinstance(span, Span) and type(span.start) is type(span.end) is int
        if not whole or not 0 <= span.start <= span.end <= len(source.text):
            raise InputError(f"not in the source text ({len(source.text)} characters): {span!r}"[:200])
        check_text(span.node_id, "the node of a span")
    return source


def _tag(span: Span) -> str:
    return f'<span class="highlighted" id="node{html.escape(span.node_id)}">'


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that a user should know about some nodes, in one line. Its ``code`` is the same in all versions."""

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
        source: the text that the graph analyses.
        form: the format that the graph was read from; empty for one that was built.
        document: the rest of the outermost JSON object.
        aif: the rest of the JSON object that holds the nodes.
        notices: what reading has to say.
        numeric_ids: whether all ids were numbers in the file, and are to be numbers again.
        base: the common beginning of the nodes' IRIs, for graphs that were read from RDF.
    """

    participants: tuple[Participant, ...] = ()
    locutions: tuple[LocutionRecord, ...] = ()
    source: SourceText | None = None
    form: str = ""
    document: dict[str, Any] = field(default_factory=dict, repr=False)
    aif: dict[str, Any] = field(default_factory=dict, repr=False)
    notices: tuple[Notice, ...] = ()
    numeric_ids: bool = field(default=False, compare=False, repr=False)
    base: str = field(default="", compare=False, repr=False)

    def with_fields(self, changes: Mapping[str, Any]) -> Meta:
        """Return a copy in which some fields are others."""
        if unknown := changes.keys() - self.__dataclass_fields__.keys():
            raise OptionError(
                f"side data have no field {min(unknown)!r}", remedy=choose_from(self.__dataclass_fields__)
            )
        if changes.get("source") is not None:
            check_source(changes["source"])
        return replace(self, **changes)

    def renamed(self, ids: Mapping[str, str | None]) -> Meta:
        """Rename nodes. A node whose new id is None is removed, with all data about it.

        >>> source = SourceText("Masks help.", (Span("1", 0, 5), Span("2", 6, 10)))
        >>> Meta(source=source).renamed({"1": None, "2": "3"}).source.spans
        (Span(node_id='3', start=6, end=10),)
        """
        ova = next((key for key in ("OVA", "ova") if isinstance(self.document.get(key), dict)), None)
        boxes = {ova: _renamed_sections(self.document[ova], ids)} if ova else {}
        return replace(
            self,
            locutions=_renamed(self.locutions, ids),
            source=self.source and self.source.renamed(ids),
            document=self.document | boxes,
            aif=_renamed_sections(self.aif, ids),
            notices=tuple(notice for notice in self.notices if all(ids.get(id_, id_) for id_ in notice.nodes)),
        )


def _renamed(items: tuple[T, ...], ids: Mapping[str, str | None]) -> tuple[T, ...]:
    """Rename the nodes of records or spans."""
    new = ((item, ids.get(item.node_id, item.node_id)) for item in items)
    return tuple(item if id_ == item.node_id else replace(item, node_id=id_) for item, id_ in new if id_ is not None)


def _renamed_sections(document: dict[str, Any], ids: Mapping[str, str | None]) -> dict[str, Any]:
    """Rename nodes in the lists of a JSON object, such as the boxes and lines of OVA's layout."""
    return {
        key: list(_renamed_entries(value, ids)) if isinstance(value, list) else value for key, value in document.items()
    }


def _renamed_entries(entries: list[Any], ids: Mapping[str, str | None]) -> Iterator[Any]:
    for entry in entries:
        fields = _NODE_FIELDS & entry.keys() if isinstance(entry, dict) else ()
        old = {key: str(entry[key]) for key in fields}
        new = {key: ids.get(id_, id_) for key, id_ in old.items()}
        if new == old:
            yield entry
        elif None not in new.values() and len(set(new.values())) == len(new):
            yield entry | new


# -- times ------------------------------------------------------------------------------------------------------------

_JAVASCRIPT = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2} \d{1,2} \d{4} \d\d:\d\d:\d\d)(?: (?:GMT|UTC)([+-]\d{4})?)?")
_UNIX = re.compile(r"-?\d{9,14}(?:\.\d+)?")
#: Unix times from here on are milliseconds: as seconds they would be after the year 5000.
_MILLISECONDS: Final = 10**11


def parse_time(text: str | None) -> datetime | None:
    """Read a time as AIF tools write it: ISO 8601, Unix time, or JavaScript's. None if it is none of these.

    >>> parse_time("2019-03-06 14:31:23")
    datetime.datetime(2019, 3, 6, 14, 31, 23)
    >>> parse_time("1636667400") == parse_time("Thu Nov 11 2021 21:50:00 GMT+0000 (Greenwich Mean Time)")
    True
    >>> parse_time("after the break") is None
    True
    """
    text = (text or "").strip()
    try:
        if _UNIX.fullmatch(text):
            number = float(text)
            return datetime.fromtimestamp(number / 1000 if abs(number) >= _MILLISECONDS else number, UTC)
        if match := _JAVASCRIPT.match(text):
            zone = match[2] or ("+0000" if "GMT" in text or "UTC" in text else "")
            return datetime.strptime(match[1] + zone, "%b %d %Y %H:%M:%S" + ("%z" if zone else ""))
        return datetime.fromisoformat(text) if text[:4].isdigit() and "-" in text else None
    except (ValueError, OverflowError, OSError):
        return None


def format_time(time: datetime | str) -> str:
    """Format a time as AIF files do: ``2019-03-06 14:31:23``."""
    if isinstance(time, str):
        return time
    if not isinstance(time, datetime) or time != time:  # pandas' NaT is a datetime
        raise InputError(f"a time is {time!r}, neither a datetime nor a string")
    return time.isoformat(" ")


# -- speakers in texts ------------------------------------------------------------------------------------------------

#: ``Ann Lee: words`` or ``Ann Lee : words``: up to 60 characters without colon and line break, a colon, white space.
_PREFIX = re.compile(r"([^:\n\r]{1,60}):\s+(?=\S)")


def speaker_prefix(text: str) -> str:
    """Return the name that a locution's text begins with, or an empty string.

    >>> speaker_prefix("Ann Lee : Masks help"), speaker_prefix("at 10:30 we left"), speaker_prefix("Masks help")
    ('Ann Lee', '', '')
    """
    match = _PREFIX.match(visible(text))
    return match[1].strip() if match else ""


def without_speaker(text: str) -> str:
    """Remove the first speaker prefix from a locution's text. Analysts' copies put a second one in front.

    >>> without_speaker("Carl: Ann: Masks help ")
    'Ann: Masks help'
    """
    seen = visible(text)
    match = _PREFIX.match(seen)
    if match is None:
        return text.strip()
    if len(seen) == len(text):
        return text[match.end() :].strip()
    # What is said keeps what nobody sees: it may be how its language is written.
    lengths = [*accumulate(len(visible(char)) for char in text)]
    return text[1 + lengths.index(match.end()) :].strip()


def said(node: Node) -> str:
    """Return the said text of a node: its text, without the speaker prefix of a locution."""
    return without_speaker(node.text) if node.kind == "L" else node.text.strip()


def split_name(name: str) -> tuple[str, str]:
    """Split a whole name into first name and surname, which is all but the first word."""
    first, _, surname = name.strip().partition(" ")
    return first, surname.strip()
