"""AIFdb's catalogue of schemes: id, name and kind of each of its 363 schemes.

The rows are plain facts of the database (``schemes.tsv`` beside this file); names are compared on their letters and
digits only, because AIFdb writes ``PureQuestioning`` where node texts say ``Pure Questioning``.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

#: AIFdb's scheme type ids, and the node type that fulfils schemes of that type.
KIND_OF_TYPE = {1: "RA", 2: "RA", 3: "RA", 9: "RA", 4: "CA", 5: "CA", 6: "PA", 7: "YA", 12: "YA", 8: "TA", 11: "MA"}


class CatalogueScheme(NamedTuple):
    """One row of AIFdb's table: id, name, scheme type id, and the node type that it belongs to."""

    id: str
    name: str
    type_id: int
    kind: str


@cache
def catalogue() -> dict[str, CatalogueScheme]:
    """All schemes by id.

    >>> catalogue()["74"].name, catalogue()["72"].kind
    ('Asserting', 'RA')
    """
    text = files("aifgraph.graph").joinpath("schemes.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines()[1:])
    return {id_: CatalogueScheme(id_, name, int(type_), KIND_OF_TYPE[int(type_)]) for id_, name, type_ in rows}


def scheme_name(id_: str) -> str | None:
    """The name of a scheme, by its id.

    >>> scheme_name("15"), scheme_name("0")
    ('ExpertOpinion', None)
    """
    row = catalogue().get(id_)
    return row.name if row else None


def letters(name: str) -> str:
    """A name as schemes and labels are compared: letters and digits, casefolded.

    >>> letters("Pure Questioning") == letters("PureQuestioning")
    True
    """
    return "".join(char for char in name if char.isalnum()).casefold()
