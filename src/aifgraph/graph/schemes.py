"""AIFdb's catalogue of argumentation schemes.

The 363 rows of ``schemes.tsv`` are facts of the database: id, name and type. Names are compared by their letters,
marks and numbers (:func:`fold_name`), because AIFdb writes ``PureQuestioning`` where nodes say ``Pure Questioning``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeAlias

from aifgraph.errors import InputError, NoSuchNameError, choose_from
from aifgraph.graph.nodes import Node, Scheme, check_text
from aifgraph.text.words import visible

#: The node type for each of AIFdb's scheme type ids.
KIND_OF_TYPE: Final = {
    1: "RA", 2: "RA", 3: "RA", 9: "RA", 4: "CA", 5: "CA", 6: "PA", 7: "YA", 12: "YA", 8: "TA", 11: "MA",
}  # fmt: skip

#: The scheme that says no more than the node type, by type.
DEFAULTS: Final = {
    "RA": Scheme("72", "Default Inference"),
    "CA": Scheme("71", "Default Conflict"),
    "MA": Scheme("144", "Default Rephrase"),
    "PA": Scheme("161", "Default Preference"),
    "YA": Scheme("168", "Default Illocuting"),
    "TA": Scheme("82", "Default Transition"),
}
#: The illocution that usually anchors a relation, by type.
USUAL_ILLOCUTIONS: Final = {"RA": "Arguing", "CA": "Disagreeing", "MA": "Restating"}
DEFAULT_TEXTS: Final = {kind: scheme.name or "" for kind, scheme in DEFAULTS.items()}

#: What the builder accepts for schemes: one or several, each a ``Scheme``, or a name or id in the catalogue.
Schemes: TypeAlias = Scheme | str | Iterable[Scheme | str]


class CatalogueScheme(NamedTuple):
    """A row of AIFdb's table, with the node type that the scheme belongs to."""

    id: str
    name: str
    type_id: int
    kind: str


@cache
def catalogue() -> dict[str, CatalogueScheme]:
    """Return all schemes by id.

    >>> catalogue()["74"].name, catalogue()["72"].kind
    ('Asserting', 'RA')
    """
    from importlib.resources import files

    lines = files("aifgraph.graph").joinpath("schemes.tsv").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines[1:])
    return {id_: CatalogueScheme(id_, name, int(type_id), KIND_OF_TYPE[int(type_id)]) for id_, name, type_id in rows}


def scheme_name(id_: str) -> str | None:
    """Return the name of a scheme, or None for an unknown id."""
    row = catalogue().get(id_)
    return row.name if row else None


@lru_cache(maxsize=4096)
def fold_name(name: str) -> str:
    """Reduce a name to what is compared: letters, marks and numbers of its NFKC form, casefolded.

    >>> fold_name("Pure Questioning") == fold_name("PureQuestioning"), fold_name("देना") == fold_name("दिन")
    (True, False)
    """
    if name.isascii():
        return "".join(filter(str.isalnum, name)).lower()
    plain = unicodedata.normalize("NFKC", visible(name))
    return "".join(char for char in plain if unicodedata.category(char)[0] in "LMN").casefold()


@cache
def _by_folded_name() -> dict[str, list[CatalogueScheme]]:
    by_name: dict[str, list[CatalogueScheme]] = {}
    for row in catalogue().values():
        by_name.setdefault(fold_name(row.name), []).append(row)
    return by_name


def schemes_named(name: str, kind: str | None = None) -> tuple[CatalogueScheme, ...]:
    """Return the schemes of a name, of one node type or of any.

    >>> [row.id for row in schemes_named("popular opinion")], [row.id for row in schemes_named("Ad hominem", "CA")]
    (['23', '24'], ['172'])
    """
    rows = _by_folded_name().get(fold_name(name), [])
    return tuple(row for row in rows if kind in (None, row.kind))


@lru_cache(maxsize=1024)
def named_scheme(name: str, kind: str) -> Scheme:
    """Return the scheme that a free text names, with AIFdb's id where exactly one scheme fits.

    A leading “Argument from” and a trailing “Scheme” do not count.

    >>> named_scheme("Argument From Sign", "RA"), named_scheme("My own", "RA")
    (Scheme(id='30', name='Sign'), Scheme(id=None, name='My own'))
    """
    rows = schemes_meant(name, kind)
    return Scheme(rows[0].id, rows[0].name) if len(rows) == 1 else Scheme(None, name.strip())


def schemes_meant(name: str, kind: str | None = None) -> tuple[CatalogueScheme, ...]:
    """Return the schemes that a free text names, as :func:`named_scheme` reads it."""
    folded = fold_name(name)
    tried = (("", ""), ("", "scheme"), ("argument", ""), ("argumentfrom", ""))
    found = (schemes_named(folded.removeprefix(prefix).removesuffix(suffix), kind) for prefix, suffix in tried)
    return next(filter(None, found), ())


def find_scheme(name: str, kind: str) -> Scheme:
    """Look up a scheme for a node type by its id or name.

    Raises:
        NoSuchNameError: there is none.
        InputError: several have the name.

    >>> find_scheme("expert opinion", "RA"), find_scheme("74", "YA")
    (Scheme(id='15', name='ExpertOpinion'), Scheme(id='74', name='Asserting'))
    """
    row = catalogue().get(name)
    if row is not None and row.kind == kind:
        return Scheme(row.id, row.name)
    scheme = named_scheme(name, kind)
    if scheme.id is not None:
        return scheme
    rows = schemes_named(name, kind)
    if rows:
        raise InputError(f"several schemes are called {name!r}: {', '.join(row.id for row in rows)}")
    names = [row.name for row in catalogue().values() if row.kind == kind]
    raise NoSuchNameError(f"there is no scheme {name!r} for {kind}", remedy=choose_from(names))


def as_schemes(schemes: Schemes, kind: str) -> tuple[Scheme, ...]:
    """Return schemes as a tuple, with names and ids looked up."""
    if isinstance(schemes, Scheme | str):
        schemes = [schemes]
    elif not isinstance(schemes, Iterable):
        raise InputError(f"schemes are {schemes!r}, neither a Scheme nor a name or id")
    given = (
        scheme if isinstance(scheme, Scheme) else find_scheme(check_text(scheme, "a scheme"), kind)
        for scheme in schemes
    )
    return tuple(Scheme(id_, scheme_name(id_) if name is None and id_ else name) for id_, name in given)


# -- texts of scheme nodes --------------------------------------------------------------------------------------------

#: Texts of illocutions without a label: the type, or the type with a tool's number (``YA_3f9c``).
_NO_LABEL: Final = re.compile(r"(YA(_[0-9a-f]+)?)?", re.ASCII | re.IGNORECASE)


def label_of(node: Node) -> str:
    """Return the label of an illocution: its text, else the name of its first scheme, else ``YA``.

    Two labels are the same if :func:`fold_name` gives the same for both.

    >>> from aifgraph.graph import Illocution
    >>> label_of(Illocution("1", "Pure Questioning"))
    'Pure Questioning'
    >>> label_of(Illocution("2", "YA_3f9c", (Scheme("74", "Asserting"),)))
    'Asserting'
    """
    return label_of_text(node.text, node.schemes)


@lru_cache(maxsize=4096)
def label_of_text(text: str, schemes: tuple[Scheme, ...]) -> str:
    """Return the label of an illocution of a text and schemes."""
    seen = visible(text).strip()
    if seen[:1] not in ("", "y", "Y") or not _NO_LABEL.fullmatch(seen):
        return text.strip()
    return (schemes[0].name if schemes else None) or "YA"


def is_default(scheme: Scheme, kind: str) -> bool:
    """Whether a scheme says no more than the node type."""
    return kind in DEFAULTS and DEFAULTS[kind].id == scheme.id


def schemes_of_text(kind: str, text: str) -> tuple[Scheme, ...]:
    """Return the scheme that the text of a scheme node names, if any.

    An empty text and the bare type stand for the default scheme.

    >>> schemes_of_text("YA", "Asserting"), schemes_of_text("RA", ""), schemes_of_text("RA", "because")
    ((Scheme(id='74', name='Asserting'),), (Scheme(id='72', name='Default Inference'),), ())
    """
    if fold_name(text) in ("", fold_name(kind)):
        return (DEFAULTS[kind],) if kind in DEFAULTS else ()
    scheme = named_scheme(text, kind)
    return (scheme,) if scheme.id else ()


def split_camel_case(name: str) -> str:
    """Put spaces between the words of a scheme's name: ``Expert Opinion`` for ``ExpertOpinion``."""
    return re.sub("(?<=[a-z])(?=[A-Z])", " ", name)


def text_of_schemes(schemes: Iterable[Scheme]) -> str | None:
    """Return the text for a node of some schemes: the first name, in words."""
    return next((split_camel_case(scheme.name) for scheme in schemes if scheme.name), None)
