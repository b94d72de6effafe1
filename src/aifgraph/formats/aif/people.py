"""People of a map, for formats in which every speaker is one of them."""

from __future__ import annotations

from collections.abc import Iterable

from aifgraph.formats.aif.ids import WHOLE, as_text
from aifgraph.graph import Participant
from aifgraph.graph.people import split_name


def free_number(ids: Iterable[object]) -> int:
    """The first number after those that ids are."""
    return 1 + max((int(key) for id_ in ids if WHOLE.match(key := as_text(id_))), default=0)


def folded(name: str) -> str:
    """A name as it is compared."""
    return " ".join(name.casefold().split())


def named_person(id_: str, name: str) -> Participant:
    """A person by the whole name."""
    return Participant(id_, *split_name(name))
