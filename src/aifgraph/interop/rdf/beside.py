"""The side data of a graph, read from triples of the profile ``full``: people, locutions, source text, and the rest
of the file. As with nodes, an exact entry counts where it agrees with the triples about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aifgraph.graph import LocutionRecord, Meta, Notice, Participant, SourceText, Span
from aifgraph.graph.meta import parse_time
from aifgraph.graph.nodes import EMPTY
from aifgraph.interop.rdf.exact import Embedded
from aifgraph.interop.rdf.lookup import Triples
from aifgraph.interop.rdf.plain import safe_text
from aifgraph.interop.rdf.vocabulary import FOAF, OWN, RDF_TYPE, node_id


class Beside:
    """Reads it; ``ids`` are the nodes' ids by resource, ``notices`` is added to."""

    def __init__(self, triples: Triples, embedded: Embedded, ids: Mapping[Any, str], notices: list[Notice]) -> None:
        self._triples = triples
        self._embedded = embedded
        self._ids = ids
        self._known = frozenset(ids.values())
        self._notices = notices

    def meta(self, map_: Any) -> Meta:
        """Everything apart from nodes and edges."""
        people = (self._person(each) for each in self._of_class(f"{FOAF}Person"))
        locutions = (self._locution(each) for each in self._of_class(f"{OWN}LocutionRecord"))
        leftovers = (self._triples.texts(each, f"{OWN}exact") for each in self._of_class(f"{OWN}Leftover"))
        document, aif, notices = (self._triples.text(map_, OWN + key) for key in ("document", "aif", "notices"))
        return Meta(
            participants=tuple(people),
            locutions=tuple(each for each in locutions if each is not None),
            source=self._source(map_),
            form=self._triples.text(map_, f"{OWN}form") or "aif",
            document=EMPTY if document is None else self._embedded.document(document),
            aif=EMPTY if aif is None else self._embedded.aif(aif),
            unread=tuple(self._embedded.leftover(text) for texts in leftovers for text in texts[:1]),
            notices=() if notices is None else self._embedded.notices(notices),
        )

    def _of_class(self, class_: str) -> list[Any]:
        """The resources of a class, in their order."""
        subjects = [subject for subject, value in self._triples.pairs(RDF_TYPE) if str(value) == class_]
        last = len(self._triples)
        place = {each: self._triples.number(each, f"{OWN}order") for each in subjects}
        return sorted(subjects, key=lambda each: last if place[each] is None else place[each] or 0)

    def _exact(self, resource: Any) -> str | None:
        texts = self._triples.texts(resource, f"{OWN}exact")
        return texts[0] if len(texts) == 1 else None

    def _person(self, resource: Any) -> Participant:
        triples = self._triples
        name, id_ = triples.text(resource, f"{FOAF}name"), triples.text(resource, f"{OWN}personID")
        text = self._exact(resource)
        if text is not None:
            person = self._embedded.person(text)
            if safe_text(person.name) == (name or "") and id_ in (None, safe_text(person.id)):
                return person
            self._say(resource)
        first, _, last = (name or "").rpartition(" ")
        return Participant(node_id(str(resource)) if id_ is None else id_, first, last)

    def _locution(self, resource: Any) -> LocutionRecord | None:
        triples = self._triples
        node = triples.value(resource, f"{OWN}locution")
        person, start, end, stored = (
            triples.text(resource, OWN + key) for key in ("personID", "startedAt", "endedAt", "storedAt")
        )
        text = self._exact(resource)
        if text is not None:
            record = self._embedded.locution(text)
            same_node = self._same_node(node, record.node_id)
            same_person = person == (None if record.person_id is None else safe_text(record.person_id))
            times = ((start, record.start), (end, record.end), (stored, record.timestamp))
            if same_node and same_person and all(parse_time(said) == parse_time(exact) for said, exact in times):
                return record
            self._say(resource)
        if node not in self._ids:
            self._notices.append(Notice("rdf-entry", f"{resource} is of no locution that is there: left out"))
            return None
        return LocutionRecord(self._ids[node], person, start, end, None, stored)

    def _same_node(self, node: Any, exact: str) -> bool:
        """Whether a resource is the node of an id; an id that no node has names no resource."""
        return exact not in self._known if node is None else self._ids.get(node) == exact

    def _source(self, map_: Any) -> SourceText | None:
        text = self._triples.text(map_, f"{OWN}sourceText")
        if text is None:
            return None
        exact = self._triples.text(map_, f"{OWN}sourceExact")
        spans = self._spans()
        if exact is not None:
            content, given, separate = self._embedded.source(exact)
            if safe_text(content) == text:
                inside = self._inside(spans, content)
                return SourceText(content, "given" if given else "embedded", inside if separate or spans else None)
            self._notices.append(
                Notice("rdf-entry", "the source text is another than the one embedded with it: it counts")
            )
        return SourceText(text, spans=self._inside(spans, text) if spans else None)

    def _inside(self, spans: list[Span], text: str) -> tuple[Span, ...]:
        inside = tuple(span for span in spans if span.end <= len(text))
        if len(inside) < len(spans):
            self._notices.append(
                Notice("rdf-entry", f"{len(spans) - len(inside)} spans end behind the source text: left out")
            )
        return inside

    def _spans(self) -> list[Span]:
        spans = []
        for resource in self._of_class(f"{OWN}Span"):
            node = self._triples.value(resource, f"{OWN}marks")
            start, end = (self._triples.number(resource, OWN + key) for key in ("start", "end"))
            text = self._exact(resource)
            if text is not None:
                span = self._embedded.span(text)
                if (span.start, span.end) == (start, end) and self._same_node(node, span.node_id):
                    spans.append(span)
                    continue
                self._say(resource)
            if node in self._ids and start is not None and end is not None and start <= end:
                spans.append(Span(self._ids[node], start, end))
        return spans

    def _say(self, resource: Any) -> None:
        message = f"the triples of {resource} say something else than the entry embedded with it: they count"
        self._notices.append(Notice("rdf-entry", message))
