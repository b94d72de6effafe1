"""AIFdb's catalogue of schemes: id, name and kind of each of its 363 schemes.

The rows are plain facts of the database (``schemes.tsv`` next to this file); names are compared on their letters and
digits only, because AIFdb writes ``PureQuestioning`` where node texts say ``Pure Questioning``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final, NamedTuple

from aifgraph.errors import InputError, NoSuchNameError, choose_from
from aifgraph.graph.nodes import Node, Scheme

#: AIFdb's scheme type ids, and the node type that fulfils schemes of that type.
KIND_OF_TYPE = {1: "RA", 2: "RA", 3: "RA", 9: "RA", 4: "CA", 5: "CA", 6: "PA", 7: "YA", 12: "YA", 8: "TA", 11: "MA"}

#: The schemes that say no more than their node's type, by that type; and their names, which are such nodes' texts.
DEFAULTS: Final = {
    "RA": Scheme("72", "Default Inference"),
    "CA": Scheme("71", "Default Conflict"),
    "MA": Scheme("144", "Default Rephrase"),
    "PA": Scheme("161", "Default Preference"),
    "YA": Scheme("168", "Default Illocuting"),
    "TA": Scheme("82", "Default Transition"),
}
DEFAULT_TEXTS: Final = {kind: scheme.name or "" for kind, scheme in DEFAULTS.items()}


#: One scheme or several, each as a ``Scheme``, or as a name or id of AIFdb's catalogue.
Schemes = Scheme | str | Iterable[Scheme | str]


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
    from importlib.resources import files

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


@lru_cache(maxsize=4096)  # a map has many nodes and few labels
def fold_name(name: str) -> str:
    """A name as schemes and labels are compared: letters and digits, casefolded.

    >>> fold_name("Pure Questioning") == fold_name("PureQuestioning")
    True
    """
    return "".join(char for char in name if char.isalnum()).casefold()


#: What tools write where nobody chose a label: the bare type, or the type with a number of theirs (``YA_3f9c``).
_NO_LABEL: Final = re.compile(r"(YA(_[0-9a-f]+)?)?", re.ASCII | re.IGNORECASE)


def label_of(node: Node) -> str:
    """The label of a YA-node: its text; the name of its first scheme if the text says nothing; else ``YA``.

    It is decided here for all that compares, checks, repairs and writes maps (docs/measures.md, section 0). Two labels
    are equal if ``fold_name`` gives the same for both.

    >>> from aifgraph.graph import Illocution
    >>> label_of(Illocution("1", "Pure Questioning"))
    'Pure Questioning'
    >>> label_of(Illocution("2", "YA_3f9c", (Scheme("74", "Asserting"),)))
    'Asserting'
    """
    text = node.text.strip()
    if text[:1] not in ("", "y", "Y") or not _NO_LABEL.fullmatch(text):
        return text
    return next((scheme.name for scheme in node.schemes[:1] if scheme.name), "YA")


class AmbiguousSchemeError(InputError):
    """A name that several schemes have; the message lists them."""


@cache
def _by_folded_name() -> dict[str, tuple[CatalogueScheme, ...]]:
    by_name: dict[str, list[CatalogueScheme]] = {}
    for row in catalogue().values():
        by_name.setdefault(fold_name(row.name), []).append(row)
    return {name: tuple(rows) for name, rows in by_name.items()}


def named(name: str, kind: str | None = None) -> tuple[CatalogueScheme, ...]:
    """All schemes of a name, compared on letters and digits; with ``kind`` those of that node type only.

    >>> [row.id for row in named("popular opinion")], [row.id for row in named("Ad hominem", "CA")]
    (['23', '24'], ['172'])
    """
    return tuple(row for row in _by_folded_name().get(fold_name(name), ()) if kind is None or row.kind == kind)


def scheme(key: str | int, kind: str | None = None) -> CatalogueScheme:
    """The scheme of an id, or of a name (letters only; ``kind`` is a node type and helps where names are shared).

    Raises ``NotFoundError``, or ``AmbiguousSchemeError`` where several schemes have the name.

    >>> scheme("Default Inference").id, scheme(74).name, scheme("ad hominem", "YA").id
    ('72', 'Asserting', '157')
    """
    row = catalogue().get(str(key).strip())
    if row is not None and kind in (None, row.kind):
        return row
    rows = named(str(key), kind)
    if len(rows) > 1:
        listed = ", ".join(f"{row.id} ({row.kind})" for row in rows)
        raise AmbiguousSchemeError(f"{len(rows)} schemes are called {str(key)!r}: {listed}", remedy="give the id")
    if not rows:
        of = f" for {kind}" if kind else ""
        names = (row.name for row in catalogue().values() if kind in (None, row.kind))
        raise NoSuchNameError(f"there is no scheme {str(key)!r}{of}", remedy=choose_from(names))
    return rows[0]


def is_default(scheme: Scheme, kind: str) -> bool:
    """Whether a scheme of a node of this type says no more than the type."""
    return kind in DEFAULTS and DEFAULTS[kind].id == scheme.id


def schemes_of_text(kind: str, text: str) -> tuple[Scheme, ...]:
    """The scheme that the text of a scheme node names, or the default of its type where the text is empty or names only
    the type; none for any other text.

    >>> schemes_of_text("YA", "Asserting"), schemes_of_text("RA", ""), schemes_of_text("RA", "because")
    ((Scheme(id='74', name='Asserting'),), (Scheme(id='72', name='Default Inference'),), ())
    """
    folded = fold_name(text)
    rows = named(text, kind) if folded else ()
    if len(rows) == 1:
        return (Scheme(rows[0].id, rows[0].name),)
    if folded and not rows and (by_name := named_scheme(text, kind)).id is not None:
        return (by_name,)
    return (DEFAULTS[kind],) if not rows and kind in DEFAULTS and folded in ("", fold_name(kind)) else ()


def names_schemes(node: Node) -> bool:
    """Whether the text of a scheme node is the name of its scheme, or the default of its type, or empty.

    >>> from aifgraph.graph import Illocution
    >>> asserting = (Scheme("74", "Asserting"),)
    >>> names_schemes(Illocution("1", "Asserting", asserting)), names_schemes(Illocution("1", "Agreeing", asserting))
    (True, False)
    """
    if node.type not in DEFAULTS:
        return False
    folded = fold_name(node.text)
    plain = folded in ("", fold_name(node.type), fold_name(DEFAULT_TEXTS[node.type]))
    known = node.schemes or schemes_of_text(node.type, node.text)
    return plain or any(folded == fold_name(scheme.name or "") for scheme in known)


def text_of(schemes: Iterable[Scheme]) -> str | None:
    """The text of a node that fulfils schemes, by the first that has a name; None where none has.

    >>> text_of([Scheme("80", "PureQuestioning")])
    'Pure Questioning'
    """
    return next((split_camel_case(scheme.name) for scheme in schemes if scheme.name), None)


def text_for(node: Node, schemes: tuple[Scheme, ...]) -> str:
    """The text of a node that is to fulfil other schemes: their name where it was that of the old ones. Relations whose
    text is the default of their type keep it, as those do that are made with a scheme."""
    if not names_schemes(node) or any(fold_name(scheme.name or "") == fold_name(node.text) for scheme in schemes):
        return node.text
    default = node.type != "YA" and fold_name(node.text) == fold_name(DEFAULT_TEXTS[node.type])
    return node.text if default else text_of(schemes) or node.text


def kinds_of(scheme: Scheme) -> frozenset[str]:
    """The node types that a scheme is for: by its id, else by its name; empty where neither is known.

    >>> from aifgraph.graph import Scheme
    >>> kinds_of(Scheme("74", None)), sorted(kinds_of(Scheme(None, "Ad hominem")))
    (frozenset({'YA'}), ['CA', 'YA'])
    """
    row = catalogue().get(scheme.id) if scheme.id else None
    if row is not None and (scheme.name is None or fold_name(scheme.name) == fold_name(row.name)):
        return frozenset({row.kind})
    return frozenset(row.kind for row in named(scheme.name)) if scheme.name else frozenset()


@lru_cache(maxsize=1024)
def named_scheme(name: str, kind: str) -> Scheme:
    """The scheme that a name stands for: AIFdb's where exactly one of its schemes of that kind has it, on letters only
    and with or without a leading “Argument from”.

    >>> named_scheme("Argument From Sign", "RA"), named_scheme("My own", "RA")
    (Scheme(id='30', name='Sign'), Scheme(id=None, name='My own'))
    """
    wanted = fold_name(name)
    forms = {
        wanted,
        wanted.removeprefix("argument"),
        wanted.removeprefix("argumentfrom"),
        wanted.removesuffix("scheme"),
    }
    for form in sorted(forms, key=len, reverse=True):
        rows = [row for row in catalogue().values() if row.kind == kind and fold_name(row.name) == form]
        if rows:
            return Scheme(rows[0].id, rows[0].name) if len(rows) == 1 else Scheme(None, name.strip())
    return Scheme(None, name.strip())


def split_camel_case(name: str) -> str:
    """A scheme's name with blanks between its words: ``ExpertOpinion`` → ``Expert Opinion``."""
    return "".join(f" {c}" if c.isupper() and i and name[i - 1].islower() else c for i, c in enumerate(name))


def listed_schemes(schemes: Schemes, type_: str) -> tuple[Scheme, ...]:
    """The schemes of a node of a type, one or several, those given by name or id looked up.

    Raises:
        NoSuchNameError: there is no such scheme.

    >>> listed_schemes("expert opinion", "RA")
    (Scheme(id='15', name='ExpertOpinion'),)
    """
    # A Scheme is a tuple, and a string a sequence of letters: each is one scheme.
    listed = [schemes] if isinstance(schemes, Scheme | str) else schemes
    return tuple(_looked_up(scheme_or_name, type_.upper()) for scheme_or_name in listed)


def _looked_up(scheme_or_name: Scheme | str, type_: str) -> Scheme:
    if isinstance(scheme_or_name, Scheme):
        return scheme_or_name
    if scheme_or_name not in catalogue():
        by_name = named_scheme(scheme_or_name, type_)
        if by_name.id is not None:
            return by_name
    row = scheme(scheme_or_name, type_)
    return Scheme(row.id, row.name)
