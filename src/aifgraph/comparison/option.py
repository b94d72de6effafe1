"""What the declaration of an option says, and how its values are checked, written into a signature and read again.

There are four kinds: one of several values, a number between bounds, several names, and a model of sentences.
``one_of``, ``number``, ``rounds``, ``names`` and ``sentence_model`` declare a field of a dataclass: the declaration is
the field's metadata under the key ``Option``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from aifgraph.align.encoders import Encoder, encoder_of
from aifgraph.errors import OptionError, choose_from

T = TypeVar("T")
_OFF = "off"


@dataclass(frozen=True, kw_only=True)
class Option(ABC):
    """The declaration of an option: its default, its key in the signature, and what it does.

    One that says more about another has no ``key``: the other names it as its ``detail`` and, unless it is off, writes
    its word behind its own (``chance:100.7`` is 100 rounds with seed 7).
    """

    default: Any
    key: str
    help: str
    detail: str = ""

    @property
    @abstractmethod
    def expected(self) -> str:
        """What to give: the remedy of an error."""

    @abstractmethod
    def checked(self, name: str, value: object) -> Any:
        """The value as ``Options`` keeps it. Raises ``OptionError`` for one that is not allowed."""

    @abstractmethod
    def word(self, value: Any) -> str:
        """The value as the signature writes it."""

    @abstractmethod
    def read(self, word: str) -> Any:
        """The value of a word of the signature; the word itself where it stands for none."""

    def _refused(self, name: str, value: object) -> OptionError:
        return OptionError(f"{name} is {value!r}"[:200], remedy=self.expected)


@dataclass(frozen=True, kw_only=True)
class OneOf(Option):
    """One of several values; ``words`` maps each to its word in the signature."""

    words: Mapping[Any, str]

    @property
    def expected(self) -> str:
        return choose_from(map(str, self.words))

    def checked(self, name: str, value: object) -> Any:
        for choice in self.words:
            if value == choice:
                return choice
        raise OptionError(f"{name} is {value!r}"[:200], remedy=self.expected)

    def word(self, value: Any) -> str:
        return self.words[value]

    def read(self, word: str) -> Any:
        return next((choice for choice, its_word in self.words.items() if its_word == word), word)


@dataclass(frozen=True, kw_only=True)
class Number(Option):
    """A number from ``low`` to ``high``; a whole one where ``low`` is whole. One whose default is None may be off."""

    low: float
    high: float

    @property
    def type(self) -> type[int] | type[float]:
        """``int`` or ``float``."""
        return int if isinstance(self.low, int) else float

    @property
    def expected(self) -> str:
        return f"give a {'whole ' if self.type is int else ''}number from {self.low:.12g} to {self.high:.12g}"

    def checked(self, name: str, value: object) -> Any:
        if value is None and self.default is None:
            return None
        allowed = int if self.type is int else int | float
        if isinstance(value, bool) or not isinstance(value, allowed) or not self.low <= value <= self.high:
            raise self._refused(name, value)
        return self.type(value)

    def word(self, value: Any) -> str:
        if value is None:
            return _OFF
        short = f"{value:.12g}"
        return short if float(short) == value else repr(value)

    def read(self, word: str) -> Any:
        if word == _OFF and self.default is None:
            return None
        try:
            return self.type(word)
        except ValueError:
            return word


@dataclass(frozen=True, kw_only=True)
class Names(Option):
    """One or several of some names, kept in their own order; ``short`` maps each to its word in the signature.

    They are given in any case, by name or by word, as a list or joined by ``+`` or commas: ``"RA+CA"``,
    ``["PR", "TR"]``.
    """

    short: Mapping[str, str]

    @property
    def expected(self) -> str:
        return choose_from(self.short)

    def checked(self, name: str, value: object) -> Any:
        values = (value,) if isinstance(value, str) else tuple(cast("Iterable[object]", value))
        chosen = [read for part in values for read in (self.read(part) if isinstance(part, str) else (part,))]
        if unknown := [part for part in chosen if part not in self.short]:
            raise OptionError(f"{name}: there is no {unknown[0]!r}"[:200], remedy=self.expected)
        if not chosen:
            raise OptionError(f"{name} is empty", remedy=self.expected)
        return tuple(known for known in self.short if known in chosen)

    def word(self, value: Any) -> str:
        return "+".join(self.short[name] for name in value)

    def read(self, word: str) -> tuple[str, ...]:
        """The names, short or whole, in any case, joined by ``+`` or commas."""
        known = {spelling.lower(): name for name, short in self.short.items() for spelling in (name, short)}
        parts = (part.strip() for part in word.replace(",", "+").split("+"))
        return tuple(known.get(part.lower(), part) for part in parts if part)


@dataclass(frozen=True, kw_only=True)
class SentenceModel(Option):
    """What makes sentence embeddings (``aifgraph.align.encoders``), kept as an ``Encoder``, or None."""

    @property
    def expected(self) -> str:
        return "give a callable from a list of texts to vectors"

    def checked(self, name: str, value: object) -> Encoder | None:
        return None if value is None else encoder_of(cast("Encoder", value))

    def word(self, value: Any) -> str:
        return "off" if value is None else value.name

    def read(self, word: str) -> None:
        """None for ``off``. Raises ``OptionError`` for anything else: a name and a hash are not the model."""
        if word != "off":
            remedy = "make the options anew, with the model itself"
            raise OptionError(f"it names the model {word[:80]!r} and does not hold it", remedy=remedy)


def one_of(default: T, choices: Mapping[T, str] | Iterable[T], *, key: str, help: str) -> T:
    """A field that is one of some values, given with their words in the signature where those differ."""
    words = choices if isinstance(choices, Mapping) else {choice: str(choice) for choice in choices}
    return field(default=default, metadata={Option: OneOf(default=default, key=key, help=help, words=words)})


def number(default: T, low: float, high: float, *, key: str, help: str) -> T:
    """A field that is a number from ``low`` to ``high``, a whole one where the default is whole."""
    bounds = (low, high) if isinstance(default, int) else (float(low), float(high))
    return _number(default, *bounds, key=key, help=help)


def rounds(most: int, *, key: str, seed: str, help: str) -> int | None:
    """A field that is a number of random rounds, 1 to ``most``, or None for off; ``seed`` names the seed's option."""
    off: int | None = None
    return _number(off, 1, most, key=key, help=help, detail=seed)


def _number(default: T, low: float, high: float, *, key: str, help: str, detail: str = "") -> T:
    option = Number(default=default, key=key, help=help, low=low, high=high, detail=detail)
    return field(default=default, metadata={Option: option})


def names(default: T, short: Mapping[str, str], *, key: str, help: str) -> T:
    """A field that is one or several of the keys of ``short``."""
    return field(default=default, metadata={Option: Names(default=default, key=key, help=help, short=short)})


def sentence_model(*, key: str, help: str) -> Any:
    """A field that is None or what makes sentence embeddings."""
    return field(default=None, metadata={Option: SentenceModel(default=None, key=key, help=help)})
