"""The options of a comparison, and the signature that names them.

A field of ``Options`` is all that is said of an option: its type, default, help and values. Keywords in Python,
``--set``, help texts, and writing and reading a signature follow from it.

>>> how = Signature(Options(chance=20), {"pair_by": "name"})
>>> print(str(how).rpartition("|v=")[0])
CASS|matching=greedy|gate=on|min_overlap=0.5|min_similarity=0.5|granularity=merge|meaning=off|min_meaning=0.75|layers=common|reference=none|mean=calculations|relations=RA+CA+MA+PA|segmentation=own|calculations=PR+IL+IA+TR+TP+TR2|chance=20|seed=0|pair_by=name
>>> how.short.rpartition("|")[0], Signature.parse(str(how)) == how
('CASS|chance=20', True)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from inspect import cleandoc
from numbers import Integral, Real
from typing import Any, Final, Literal, TypedDict, get_args, get_type_hints

from aifgraph.errors import OptionError, choose_from
from aifgraph.graph.nodes import RELATIONS
from aifgraph.text.similarity import Encoder
from aifgraph.version import __version__

#: The calculations by code, in the order of reports; what each counts is in ``comparison/calculations.py``.
CALCULATION_NAMES: Final = {
    "PR": "propositional_relations",
    "AS": "argument_structure",
    "ER": "explicit_relations",
    "IL": "illocutions",
    "IA": "illocutionary_anchors",
    "TR": "transitions",
    "TP": "transition_propositions",
    "TR2": "transition_relations",
}
#: Those that are not in M unless somebody asks, and what they are about.
ON_REQUEST: Final = {"AS": "linked or convergent support", "ER": "explicit relations"}

#: What else a signature may name, or ``--set`` set: how maps are paired, and intervals and tests. Default, help.
FURTHER: Final[dict[str, tuple[Any, str]]] = {
    "level": (0.95, "Share of resamples within an interval."),
    "rounds": (1000, "Number of resamples for intervals."),
    "test_rounds": (10_000, "Number of permutations in a paired test."),
    "min_text": (0.7, "Least similarity of two source texts to pair them by text."),
    "pair_by": ("name", ""),
    "missing": ("skip", ""),
    "axis": ("words", ""),
    "intervals": ("off", ""),
    "score": ("argument M-kappa,CASS-kappa", ""),
    "baselines": ("units+chain+star", ""),
}
_OFF: Final = "off"


@dataclass(frozen=True)
class Option:
    """What a field of ``Options`` says of an option.

    Its values are one of ``choices`` (by their words), several of ``names`` (by their codes), a number within
    ``bounds`` (a whole one where these are), or a sentence model. ``use``: options of ``scores`` change no difference;
    those of ``python`` need a program and are no keys of ``--set``.
    """

    name: str
    default: Any
    help: str
    choices: Mapping[str, Any] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    bounds: tuple[float, float] | None = None
    use: Literal["", "scores", "python"] = ""

    def format(self, value: Any) -> str:
        """Return the word for a value in a signature."""
        if self.choices:
            return next(word for word, choice in self.choices.items() if choice == value)
        if value is None:
            return _OFF
        if self.names:
            return "+".join(code for code, name in self.names.items() if name in value)
        if isinstance(value, float):
            short = f"{value:.12g}"
            return short if float(short) == value else repr(value)
        return value.name if isinstance(value, Encoder) else str(value)

    def parse(self, word: str) -> Any:
        """Return the value that a word stands for, in a signature or on the command line; the word itself if none."""
        if self.choices:
            return _by_word(self.choices).get(word.lower(), word)
        if word == _OFF and self.default is None:
            return None
        try:
            return type(self.bounds[0])(word) if self.bounds else word
        except ValueError:
            return word

    def check(self, value: Any) -> Any:
        """Return a value in its stored form. Raises ``OptionError`` if it is not allowed."""
        if value is None and self.default is None:
            return None
        if self.choices:
            if value in self.choices.values():
                return value
            remedy = choose_from(map(str, self.choices.values()))
        elif self.names:
            if chosen := self._full_names(value):
                return chosen
            remedy = choose_from(self.names.values())
        elif self.bounds:
            (low, high), kind = self.bounds, type(self.bounds[0])
            number: Any = Integral if kind is int else Real  # those of numpy, too
            if isinstance(value, number) and not isinstance(value, bool) and low <= value <= high:
                return kind(value)
            remedy = f"give a {'whole ' if kind is int else ''}number from {low:g} to {high:.12g}"
        else:
            if isinstance(value, Encoder) or callable(value):
                return value if isinstance(value, Encoder) else Encoder(value)
            remedy = "give a callable from a list of texts to vectors"
        raise OptionError(f"{self.name} cannot be {value!r}"[:200], remedy=remedy)

    def _full_names(self, value: str | Iterable[Any]) -> tuple[str, ...]:
        """Return full names in their own order, from names and codes in any order; none if one is unknown."""
        known = _by_word(self.names)
        parts = [value] if isinstance(value, str) else list(value)
        words = [word for part in parts for word in str(part).replace(",", "+").split("+")]
        chosen = {known.get(word.strip().lower(), "") for word in words}
        return () if "" in chosen else tuple(name for name in self.names.values() if name in chosen)


def _by_word(values: Mapping[str, Any]) -> dict[str, Any]:
    return {str(name).lower(): value for word, value in values.items() for name in (word, value)}


def option(default: Any, help: str, **values: Any) -> Any:
    """Declare a field of ``Options``; ``values`` are those of ``Option`` that do not follow from the field's type."""
    return field(default=default, metadata={"help": help, **values})


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a comparison.

    Raises:
        OptionError: a value is not allowed.

    >>> Options(min_overlap=0.6, relations=["CA", "RA"]).relations
    ('RA', 'CA')
    """

    matching: Literal["greedy", "optimal"] = option(
        "greedy", "Match the most similar nodes first (greedy), or find the best total (optimal)."
    )
    gate: bool = option(True, "Use positions in the text to decide which nodes can match.")
    min_overlap: float = option(
        0.5, "Least share of the smaller node's words that both nodes must have.", bounds=(0.0, 1.0)
    )
    min_similarity: float = option(
        0.5, "Least similarity of matched nodes if a position is unknown.", bounds=(0.0, 1.0)
    )
    granularity: Literal["merge", "strict"] = option(
        "merge", "Join the parts of a unit that one side splits (merge), or not (strict)."
    )
    meaning: Any = option(
        None, "Sentence model that matches further propositions by meaning (Python only).", use="python"
    )
    min_meaning: float = option(0.75, "Least cosine of nodes that match by meaning.", bounds=(0.0, 1.0), use="python")
    layers: Literal["common", "all"] = option(
        "common", "Use a calculation if both sides have its kinds of nodes (common), or always (all)."
    )
    reference: Literal["none", "first"] = option(
        "none",
        "Whether the first analysis is the gold (first): what only the second has is no item, what it lacks is wrong.",
        use="scores",
    )
    mean: Literal["calculations", "layers"] = option(
        "calculations", "M is the mean of the calculations, or of argument M and dialogue M (layers).", use="scores"
    )
    relations: Collection[str] = option(
        RELATIONS, "Types of relations to compare.", names={kind: kind for kind in RELATIONS}
    )
    segmentation: Literal["own", "segeval"] = option(
        "own", "Program that computes S: aifgraph itself (own) or segeval.", use="scores"
    )
    calculations: Collection[str] = option(
        tuple(name for code, name in CALCULATION_NAMES.items() if code not in ON_REQUEST),
        f"Calculations of M; also {', '.join(f'{code} ({about})' for code, about in ON_REQUEST.items())}.",
        names=CALCULATION_NAMES,
    )
    chance: int | None = option(
        None, "Rounds of random permutations, to estimate the scores by chance.", bounds=(1, 1_000_000), use="scores"
    )
    seed: int = option(
        0, "Seed of random numbers for chance, intervals and tests.", bounds=(0, 2**32 - 1), use="scores"
    )

    def __post_init__(self) -> None:
        for name, declared in OPTIONS.items():
            object.__setattr__(self, name, declared.check(getattr(self, name)))

    @classmethod
    def merge(cls, options: Options | None, /, **changes: Any) -> Options:
        """Return ``options`` with some fields changed. Raises ``OptionError`` for a name that is no option."""
        options = options or cls()
        return replace(options, **_known(changes)) if changes else options

    @classmethod
    def parse(cls, values: Mapping[str, Any]) -> Options:
        """Return options from words, as on the command line, or from values."""
        given = _known(values).items()
        return cls(**{key: OPTIONS[key].parse(value) if isinstance(value, str) else value for key, value in given})

    @property
    def words(self) -> dict[str, str]:
        """The words of all options by their names; that of the seed only with the option ``chance``."""
        names = OPTIONS if self.chance else OPTIONS.keys() - {"seed"}
        return {name: option.format(getattr(self, name)) for name, option in OPTIONS.items() if name in names}

    @property
    def signature(self) -> str:
        """The same as ``name=value``, joined by ``|``."""
        return "|".join(f"{name}={word}" for name, word in self.words.items())


class OptionKeywords(TypedDict, total=False):
    """The fields of ``Options`` as keywords, for editors and type checkers."""

    matching: Literal["greedy", "optimal"]
    gate: bool
    min_overlap: float
    min_similarity: float
    granularity: Literal["merge", "strict"]
    meaning: Any
    min_meaning: float
    layers: Literal["common", "all"]
    reference: Literal["none", "first"]
    mean: Literal["calculations", "layers"]
    relations: Collection[str]
    segmentation: Literal["own", "segeval"]
    calculations: Collection[str]
    chance: int | None
    seed: int


def _known(given: Mapping[str, Any]) -> Mapping[str, Any]:
    if unknown := given.keys() - OPTIONS.keys():
        raise OptionError(f"compare has no option {min(unknown)!r}", remedy=choose_from(OPTIONS))
    return given


def _option(name: str, default: Any, values: Mapping[str, Any]) -> Option:
    kind: Any = get_type_hints(Options)[name]
    words = [word for word in get_args(kind) if isinstance(word, str)]
    choices = {"on": True, "off": False} if kind is bool else dict(zip(words, words, strict=True))
    return Option(name, default, choices=choices, **values)


#: The options by name, in their order in a signature.
OPTIONS: Final = {field.name: _option(field.name, field.default, field.metadata) for field in fields(Options)}
#: What each does, for docstrings.
OPTIONS_HELP: Final = "\n".join(f"    {name}: {option.help}" for name, option in OPTIONS.items())
Options.__doc__ = f"{cleandoc(Options.__doc__ or '')}\n\nAttributes:\n{OPTIONS_HELP}"


@dataclass(frozen=True)
class Signature:
    """How numbers were made: the options, ``further`` parts by their keys, and the version that made them.

    ``str()`` writes all of it in one line, which ``parse`` reads; ``short`` leaves out what has its default.
    """

    options: Options
    further: Mapping[str, Any] = field(default_factory=dict)
    version: str = __version__

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Return the signature that a line is; what is no option in it is kept as it stands.

        Raises:
            OptionError: an option has a value that it cannot have.
        """
        words = dict(part.partition("=")[::2] for part in text.split("|")[1:])
        version = words.pop("v", "")
        given: dict[str, Any] = {name: words.pop(name) for name in OPTIONS if name in words and name != "seed"}
        if given.get("chance", _OFF) != _OFF and "seed" in words:  # else it is that of intervals
            given["seed"] = words.pop("seed")
        if given.get("meaning", _OFF) != _OFF:
            given["meaning"] = Encoder(None, given["meaning"])
        return cls(Options.parse(given), words, version)

    def extend(self, **further: Any) -> Signature:
        """Return it with further parts. A seed of intervals that is not that of chance is an ``interval_seed``."""
        if "seed" in further and self.options.chance:
            seed = further.pop("seed")
            further |= {} if seed == self.options.seed else {"interval_seed": seed}
        return replace(self, further={**self.further, **further})

    @cached_property
    def words(self) -> dict[str, str]:
        """All parts by their keys, as they are written."""
        return self.options.words | {key: str(value) for key, value in self.further.items()} | {"v": self.version}

    @property
    def short(self) -> str:
        """The printed signature: without what has its default."""
        default = {name: option.format(option.default) for name, option in OPTIONS.items()}
        default |= {key: str(value) for key, (value, _) in FURTHER.items()}
        return "|".join(["CASS", *(f"{key}={word}" for key, word in self.words.items() if default.get(key) != word)])

    def __str__(self) -> str:
        return "|".join(["CASS", *(f"{key}={word}" for key, word in self.words.items())])

    @classmethod
    def __get_pydantic_core_schema__(cls, *_: Any) -> Any:
        """Return how pydantic reads and writes it: as its line."""
        from pydantic_core import core_schema

        line, write = core_schema.str_schema(strict=True), core_schema.to_string_ser_schema()
        return core_schema.no_info_after_validator_function(cls.parse, line, serialization=write)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signature) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))
