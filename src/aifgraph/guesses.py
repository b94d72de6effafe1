"""What people look for under another name, and the answer: ``words.toml`` has the words of the field and of other
programs, and how they are said here.

A wrong name on a graph, a builder, a node, a result or a module is an ``AttributeError`` that names the right one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

T = TypeVar("T")

_FILE: Final = Path(__file__).with_name("words.toml")


@cache
def _tables() -> Mapping[str, Any]:
    import tomllib

    return tomllib.loads(_FILE.read_text("utf-8"))


@cache
def answers(table: str) -> Mapping[str, str]:
    """The words of a table of ``words.toml``, each with its answer; none where there is no such table.

    >>> answers("commands")["diff"]
    'differences'
    """
    return {word: answer for answer, words in _tables().get(table, {}).items() for word in words}


def alike(word: str, names: Iterable[str]) -> str:
    """The one of ``names`` that is the same word, or means the same; empty where none does.

    >>> alike("n-jobs", ["gate", "jobs"]), alike("Random_State", ["seed"]), alike("x", ["seed"])
    ('jobs', 'seed', '')
    """
    own = {name.lower().replace("-", "_"): name for name in names}
    asked = word.replace("-", "_")
    asked = asked if len(asked) == 1 else asked.lower()
    same = (of for words in map(str.split, _tables()["alike"]) if asked in words for of in words)
    return next((own[of] for of in (asked, *same) if of in own), "")


def near(name: str, names: Iterable[str], cutoff: float = 0.7) -> str:
    """The one of ``names`` that is most similar, in any case; empty where none is.

    >>> near("matchin", ["matching", "gate"]), near("x", ["gate"])
    ('matching', '')
    """
    from difflib import get_close_matches

    by_lower = {each.lower(): each for each in reversed(list(names))}
    found = get_close_matches(name[:100].lower(), list(by_lower), 1, cutoff=cutoff)
    return by_lower[found[0]] if found else ""


#: The name at the beginning of an answer that is an attribute or a call of one.
_OWN_NAME: Final = re.compile(r"(\w+)(?:[(\[,.]|\Z)")
#: What other libraries put around a name.
_AROUND: Final = re.compile(r"^(?:get|list|all|add|node)_|_(?:list|all|nodes?|by_id)$")


class NoSuchAttributeError(AttributeError):
    """A name that there is not; its message, made when somebody reads it, says which one is meant, or which there
    are."""

    def __init__(self, owner: str, name: str, end: Callable[[], str]) -> None:
        super().__init__(name)
        self.name = name
        self._parts = (owner, name, end)

    def __str__(self) -> str:
        owner, name, end = self._parts
        return f"{owner} has no attribute {name!r}{end()}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (AttributeError, (str(self),))


def answer(family: str, name: str, otherwise: Iterable[str] = ()) -> str:
    """What is said of a word of a family, as a question; else which one of ``otherwise``, or which word of the family
    means the same; empty where none does.

    >>> answer("option", "top")
    'did you mean result.tables(sort=…, top=…), of two corpora?'
    """
    words = answers(family)
    found = words.get(name) or alike(name, otherwise) or words.get(alike(name, words), "")
    return f"did you mean {found!r}?" if found.isidentifier() else f"did you mean {found}?" if found else ""


def meant(name: str, names: Iterable[str], family: str = "", thing: Any = None) -> str:
    """The end of the message about a wrong name: what the field calls so, else a key of a mapping of the ``thing``, the
    most similar of ``names``, or all of them.

    >>> meant("nodes_of_type", ["filter"], "graph"), meant("propositons", ["propositions", "locutions"])
    ("; did you mean filter('RA')?", '; did you mean propositions?')
    >>> meant("getLocutions", ["propositions", "locutions"]), meant("read_aif", ["loads", "load"], "aifgraph")
    ('; did you mean locutions?', '; did you mean load?')
    """
    from difflib import get_close_matches

    public = [each for each in names if not each.startswith("_")]
    by_form = {each.casefold().rstrip("s"): each for each in reversed(public)}
    known = (*public, "len", "list", "print", "aifgraph", "collections", "graph", "pandas", "result")

    def said(word: str) -> str:
        # A word that several classes share may be none of this one's: what it is then comes behind the bar.
        several = answers(family).get(word, "").split(" | ")
        module = family in ("aifgraph", "plots")
        fitting = (of for of in several if module or not (own := _OWN_NAME.match(of)) or own[1] in known)
        return next(fitting, "")

    def found() -> Iterator[str]:
        snake = re.sub("(?<=[a-z])(?=[A-Z])", "_", name[:100]).lower()
        yield from map(said, (name, snake, f"{snake}s"))
        yield by_form.get(snake.rstrip("s"), "")
        yield from get_close_matches(name[:100], public, 1, cutoff=0.9)
        yield said(snake.partition("_")[0] + "_")  # words that end so are beginnings
        bare = _AROUND.sub("", snake)
        yield from map(said, (bare, f"{bare}s", bare.rstrip("s")))
        yield by_form.get(bare.rstrip("s"), "")
        yield from (by_form.get(word.rstrip("s"), "") for word in snake.split("_")[::-1] if len(word) > 1)
        yield near(name, public)

    answer = next(filter(None, found()), "")
    return f"; did you mean {answer}?" if answer else ""


def _all_of(owner: type, names: list[str]) -> str:
    """What objects of a class have, for a name that is like none of it."""
    names = [each for each in names if not each.startswith("_")]
    verbs = [f"{each}()" for each in names if callable(getattr(owner, each, None))]
    values = [each for each in names if f"{each}()" not in verbs]
    groups = [", ".join(group) for group in (values, verbs) if group]
    return f"; it has {', and '.join(groups)}" if groups else ""


def _key_of(key: object, one: Any) -> str:
    """The place of a key in a mapping that an object is, or has, by its class's ``_keyed``."""
    for mapping in ("",) if isinstance(one, dict) else getattr(type(one), "_keyed", ()):
        try:
            (attrgetter(mapping)(one) if mapping else one)[key]
        except (KeyError, TypeError):
            continue
        return f"{mapping}[{key!r}]"
    return ""


def _names_of(owner: type, one: object = None) -> list[str]:
    own = getattr(one, "__dict__", ()) if one is not None else ()
    declared = (name for each in owner.__mro__ for name in getattr(each, "__annotations__", ()))
    return sorted({*dir(owner), *declared, *own})


def _end(owner: type, name: str, one: object = None) -> str:
    """What is said of a name that a class and ``one`` of its objects have not."""
    if name.startswith("_"):
        return ""
    words = () if isinstance(one, dict) else answers(getattr(owner, "_family", ""))
    if name not in words and (place := _key_of(name, one)):
        return f"; did you mean {place}?"
    if isinstance(one, dict):
        return f"; it has {', '.join(f'[{key!r}]' for key in one)}"
    family, (way, other) = getattr(owner, "_family", ""), getattr(owner, "_leads_to", None) or ("", None)
    if other and name not in answers(family) and name in _names_of(other()):
        return f"; did you mean {way}.{name}?"
    beside = f"; {owner._beside}" if getattr(owner, "_beside", "") else ""  # type: ignore[attr-defined]
    names = _names_of(owner, one)
    return meant(name, names, family) or _all_of(owner, names) + beside


class _AnsweringType(type):
    """The class of ``Answering`` classes: they answer wrong names of their own, too, and frozen ones what is set."""

    def __init__(cls, name: str, bases: tuple[type, ...], names: dict[str, Any], **more: Any) -> None:
        super().__init__(name, bases, names, **more)
        # A frozen data class with slots is made a second time, with the verb that refuses in a few words.
        if getattr(names.get("__dataclass_params__"), "frozen", False):
            cls.__setattr__ = refuse_change  # type: ignore[assignment]

    if not TYPE_CHECKING:

        def __getattr__(cls, name: str) -> Any:
            raise NoSuchAttributeError(f"class {cls.__name__!r}", name, lambda: _end(cls, name))


def refuse_change(self: object, name: str, value: object) -> None:
    """The ``__setattr__`` of objects that do not change."""
    from dataclasses import FrozenInstanceError

    remedy = getattr(self, "_remedy_of_change", "") or "dataclasses.replace makes another"
    raise FrozenInstanceError(f"{type(self).__name__} does not change ({name}); {remedy}")


class Answering(metaclass=_AnsweringType):
    """A class whose wrong names are answered with the right ones; ``_family`` says by which words, ``_leads_to`` how
    one comes to the object of another class that may have the name, ``_beside`` what else the object can do, ``_keyed``
    which attributes are mappings whose keys may be meant."""

    __slots__ = ()
    _family: ClassVar[str] = "result"
    _leads_to: ClassVar[tuple[str, Callable[[], type]] | None] = None
    _beside: ClassVar[str] = ""
    _keyed: ClassVar[tuple[str, ...]] = ()
    _remedy_of_change: ClassVar[str] = ""

    # Type checkers know which names there are.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            owner = type(self)
            if any(name in vars(each) for each in owner.__mro__):
                return object.__getattribute__(self, name)  # a property failed, with an error of its own
            raise NoSuchAttributeError(f"{owner.__name__!r} object", name, lambda: _end(owner, name, self))

        def __getitem__(self, key: object) -> Any:
            owner = type(self)
            if isinstance(key, str) and key.isidentifier() and key in _names_of(owner, self):
                raise TypeError(f"{owner.__name__!r} object has no items; did you mean .{key}?")
            place = _key_of(key, self)
            of_key = _end(owner, key, self) if isinstance(key, str) else _all_of(owner, _names_of(owner, self))
            plain = "; to_dict() gives plain values" if hasattr(owner, "to_dict") and not place else ""
            end = f"; did you mean {place}?" if place else plain + of_key
            fact = "has no items" if hasattr(owner, "__iter__") else "has no items and is not iterable"
            raise TypeError(f"{owner.__name__!r} object {fact}{end}")

        def __setitem__(self, key: object, value: object) -> None:
            remedy = "; aifgraph.dump(graphs, path) writes a corpus" if self._family == "corpus" else ""
            raise TypeError(f"items of a {type(self).__name__} are not set{remedy}")


def answer_names(named_tuple: type, family: str) -> None:
    """Let a class that cannot be ``Answering``, as its base is ``NamedTuple``, answer wrong names."""
    for name, value in (("_family", family), ("__getattr__", Answering.__dict__["__getattr__"])):
        setattr(named_tuple, name, value)


class Listed(tuple[T, ...]):
    """A tuple of nodes, or of what a subclass names, which says what else is meant."""

    __slots__ = ()
    _of: ClassVar[str] = "nodes"
    _by_key: ClassVar[str] = "ids; graph[id] is the node of an id"
    _beside: ClassVar[str] = "graph[id] is the node of an id, and graph.filter(…) selects nodes"

    if not TYPE_CHECKING:

        def __call__(self, *_: object, **__: object) -> Any:
            raise TypeError(f"this is a tuple of {self._of} and no function; leave out the ()")

        def __getitem__(self, key: object) -> Any:
            if isinstance(key, str):
                raise TypeError(f"a tuple of {self._of} has numbers and no {self._by_key}")
            return tuple.__getitem__(self, key)

        def __getattr__(self, name: str) -> Any:
            said = answers(f"tuple of {self._of}").get(name) or f"iterate it, {self._beside}"
            raise NoSuchAttributeError(f"tuple of {self._of}", name, lambda: f"; {said}")

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (tuple(self),))


def answering_module(
    module: str, names: Iterable[str], family: str = "", by_name: tuple[str, Iterable[str]] = ("", ())
) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module with public ``names``; a function of it takes things ``by_name``, which are asked
    for as attributes (``load_cdcp`` for ``open_dataset('cdcp', path)``)."""

    def refuse(name: str) -> Any:
        owner = f"module {module!r}"
        thing = re.sub("^(load|read|open|get)_", "", name).replace("_", "-").lower()
        if thing in by_name[1]:
            raise AttributeError(f"{owner} has no attribute {name!r}; did you mean {by_name[0]}({thing!r}, path)?")

        def end() -> str:
            errors = [each for each in names if each.endswith("Error")]
            if errors and name.endswith(("Error", "Exception")) and name not in answers(family):
                close = near(name, errors, 0.85)
                return f"; did you mean {close}?" if close else f"; its errors are {', '.join(sorted(errors))}"
            listed = ", ".join(sorted(each for each in names if each[:1].islower()) or sorted(names))
            return "" if name.startswith("_") else meant(name, names, family) or f"; it has {listed}"

        raise NoSuchAttributeError(owner, name, end)

    return refuse
