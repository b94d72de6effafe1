"""Ids for what is added to a map: of the form and beyond the range of those that are there.

A program that numbers its nodes finds numbers, and one that counts on the ids of OVA3 finds these. An id that was ever
used, or that anything in the file names, is not given again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any, Final

from aifgraph.graph.meta import Meta

#: A number with what stands around it: nothing (AIFdb), a letter (``a12``), or the session of OVA3 (``12_3f9``).
_NUMBERED: Final = re.compile(r"(\D*)(\d{1,18})(_\w*)?", re.ASCII)
_MARK: Final = re.compile(r"""<span\b[^<>]*?\bid\s*=\s*["']?(?:node)?([^"'\s<>]+)""", re.IGNORECASE)


class NewIds:
    """Gives ids that are not taken yet.

    >>> ids = NewIds(["a1", "a4", "root"])
    >>> ids.next(), ids.next()
    ('a5', 'a6')
    >>> NewIds(["10_3f9", "11_3f9"]).next(), NewIds(["4871", "4870"]).next(), NewIds([]).next()
    ('12_3f9', '4872', '1')
    """

    def __init__(self, ids: Iterable[str], named: Iterable[str] = ()) -> None:
        """See the class; ``named`` are ids that are taken and whose form does not count."""
        listed = [id_ for id_ in ids if id_]
        self.taken = {*listed, *named}
        self._next = _counted_on(listed, self.taken)

    def next(self) -> str:
        """An id that was not there before."""
        id_ = next(id_ for id_ in self._next if id_ not in self.taken)
        self.taken.add(id_)
        return id_

    def take(self, id_: str) -> None:
        """Note an id that somebody chose."""
        self.taken.add(id_)


def _counted_on(ids: list[str], taken: Iterable[str]) -> Iterator[str]:
    """Ids of the form that most of ``ids`` have, beyond the last of them; of no common form, whole numbers from 1."""
    forms: Counter[tuple[str, str] | None] = Counter()
    for id_ in ids:
        match = _NUMBERED.fullmatch(id_)
        forms[(match[1], match[3] or "") if match else None] += 1
    known = [(times, form == ("", ""), form) for form, times in forms.items() if form is not None]
    times, _, form = max(known, default=(0, False, None))
    if form is None or (form != ("", "") and 3 * times < len(ids)):
        form = ("", "")
    head, tail = form
    last = 0
    for id_ in taken:
        match = _NUMBERED.fullmatch(id_)
        if match and (match[1], match[3] or "") == form:
            last = max(last, int(match[2]))
    return (f"{head}{number}{tail}" for number in count(last + 1))


def named_nodes(meta: Meta) -> set[str]:
    """The ids of nodes that side data name, whether or not the nodes are there."""
    named = {record.node_id for record in meta.locutions}
    named.update(id_ for notice in meta.notices for id_ in notice.nodes)
    for section in (*meta.aif.values(), boxes(meta)):
        if isinstance(section, list):
            named.update(str(entry["nodeID"]) for entry in section if isinstance(entry, dict) and "nodeID" in entry)
    if meta.source is not None:
        spans = meta.source.spans
        named.update(_MARK.findall(meta.source.text) if spans is None else (span.node_id for span in spans))
    return named


def boxes(meta: Meta) -> list[Any]:
    """The boxes in which OVA shows nodes."""
    ova = meta.document.get("OVA", meta.document.get("ova"))
    nodes = ova.get("nodes") if isinstance(ova, dict) else None
    return nodes if isinstance(nodes, list) else []
