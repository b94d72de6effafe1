"""The options of a comparison, and the signature that names them.

>>> Options(chance=20).signature
'matching=greedy|gate=on|min_overlap=0.5|min_similarity=0.5|granularity=merge|meaning=off|min_meaning=0.75|layers=common|mean=calculations|relations=RA+CA+MA+PA|segmentation=own|calculations=PR+IL+IA+TR+TP+TR2|chance=20|seed=0'
>>> short_signature(signature_of(Options(chance=20), pair_by="name")).rpartition("|")[0]
'CASS|chance=20'
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from inspect import cleandoc
from typing import Any, Final, Literal, Unpack, get_args

from aifgraph.align.matching import MatchingKeywords, MatchingRules, option
from aifgraph.align.meaning import Encoder, EncodeTexts
from aifgraph.comparison.calculations import CALCULATIONS, DEFAULT
from aifgraph.errors import OptionError, choose_from
from aifgraph.graph.nodes import RELATIONS
from aifgraph.version import __version__

CountedLayers = Literal["common", "all"]
Mean = Literal["calculations", "layers"]
SegmentationEngine = Literal["own", "segeval"]

#: The defaults of the other parts of a signature: how maps are paired, and intervals and tests.
_FURTHER: Final = {
    "pair_by": "name",
    "min_text": "0.7",
    "missing": "skip",
    "axis": "words",
    "intervals": "off",
    "level": "0.95",
    "rounds": "1000",
    "test_rounds": "10000",
    "score": "argument M-kappa,CASS-kappa",
    "baselines": "units+chain+star",
}
_OFF: Final = "off"
_ON_REQUEST: Final = ", ".join(f"{of.code} ({of.on_request})" for of in CALCULATIONS.values() if of.on_request)


class OptionKeywords(MatchingKeywords, total=False):
    """The fields of ``Options`` as keywords of ``compare`` and similar functions, for type checkers."""

    meaning: EncodeTexts | Encoder | None
    layers: CountedLayers
    mean: Mean
    relations: Collection[str]
    segmentation: SegmentationEngine
    calculations: Collection[str]
    chance: int | None
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(MatchingRules):
    """The options of a comparison.

    Raises:
        OptionError: a value is not allowed.

    >>> Options(min_overlap=0.6, relations=["CA", "RA"]).relations
    ('RA', 'CA')
    """

    layers: CountedLayers = option(
        "common",
        "Use a calculation if both sides have its kinds of nodes (common), or always (all).",
        choices={word: word for word in get_args(CountedLayers)},
    )
    mean: Mean = option(
        "calculations",
        "M is the mean of the calculations, or of argument M and dialogue M (layers).",
        choices={word: word for word in get_args(Mean)},
    )
    relations: Collection[str] = option(
        RELATIONS, "Types of relations to compare.", names={name: name for name in RELATIONS}
    )
    segmentation: SegmentationEngine = option(
        "own",
        "Program that computes S: aifgraph itself (own) or segeval.",
        choices={word: word for word in get_args(SegmentationEngine)},
    )
    calculations: Collection[str] = option(
        DEFAULT,
        f"Calculations of M; also {_ON_REQUEST}.",
        names={calculation.code: name for name, calculation in CALCULATIONS.items()},
    )
    chance: int | None = option(
        None, "Rounds of random permutations, to estimate the scores by chance.", bounds=(1, 1_000_000)
    )
    seed: int = option(0, "Seed of random numbers for chance, intervals and tests.", bounds=(0, 2**32 - 1))

    def __post_init__(self) -> None:
        for name in OPTIONS:
            object.__setattr__(self, name, _checked(name, getattr(self, name)))

    @classmethod
    def given(cls, options: Options | None, /, **changes: Unpack[OptionKeywords]) -> Options:
        """Return ``options`` with some fields changed."""
        options = options or cls()
        return replace(options, **changes) if changes else options

    @property
    def signature(self) -> str:
        """All options as ``name=value``, joined by ``|``; the seed only with the option ``chance``."""
        return "|".join(
            f"{name}={option_word(name, getattr(self, name))}" for name in OPTIONS if self.chance or name != "seed"
        )


#: The declarations by name, in their order in a signature.
OPTIONS: Final = {field.name: field for field in fields(Options)}
#: What each does, for docstrings.
OPTIONS_HELP: Final = "\n".join(f"    {name}: {option.metadata['help']}" for name, option in OPTIONS.items())

Options.__doc__ = f"{cleandoc(Options.__doc__ or '')}\n\nAttributes:\n{OPTIONS_HELP}"


def signature_of(options: Options, **further: object) -> str:
    """Return the full signature: all options, further parts, and the version."""
    return extended(f"CASS|{options.signature}|v={__version__}", further)


def extended(signature: str, further: Mapping[str, object]) -> str:
    """Return a signature with further parts. If intervals are drawn by another seed than chance, both are named."""
    options, _, version = signature.rpartition("|")
    words = signature_words(signature)
    parts = {key: str(value) for key, value in further.items() if words.get(key) != str(value)}
    names = {"seed": "interval_seed"} if "seed" in words else {}
    return "|".join([options, *(f"{names.get(key, key)}={word}" for key, word in parts.items()), version])


def short_signature(signature: str) -> str:
    """Return the printed signature: without options that have their default."""
    default = {f"{name}={option_word(name, option.default)}" for name, option in OPTIONS.items()}
    default |= {f"{key}={word}" for key, word in _FURTHER.items()}
    parts = signature.split("|")
    return "|".join(part for part in parts if part not in default or parts[0] != "CASS")


def signature_words(signature: str) -> dict[str, str]:
    """Return the parts of a signature by their keys."""
    return {key: word for key, _, word in (part.partition("=") for part in signature.split("|"))}


def option_word(name: str, value: Any) -> str:
    """Return the word for the value of an option in a signature."""
    values = OPTIONS[name].metadata
    if "choices" in values:
        return str(next(word for word, choice in values["choices"].items() if choice == value))
    if value is None:
        return _OFF
    if "names" in values:
        return "+".join(code for code, full_name in values["names"].items() if full_name in value)
    if isinstance(value, float):
        short = f"{value:.12g}"
        return short if float(short) == value else repr(value)
    return value.name if isinstance(value, Encoder) else str(value)


def read_option(name: str, word: str) -> Any:
    """Return the value that a word stands for, in a signature or on the command line; the word itself if none."""
    option = OPTIONS[name]
    if "choices" in option.metadata:
        return _by_word(option.metadata["choices"]).get(word.lower(), word)
    if word == _OFF and option.default is None:
        return None
    try:
        return type(option.metadata["bounds"][0])(word) if "bounds" in option.metadata else word
    except ValueError:
        return word


def read_options(given: Mapping[str, Any]) -> Options:
    """Return options from words, as on the command line, or values."""
    if unknown := given.keys() - OPTIONS.keys():
        raise OptionError(f"there is no option {min(unknown)!r}", remedy=choose_from(OPTIONS))
    values = {name: read_option(name, value) if isinstance(value, str) else value for name, value in given.items()}
    return Options(**values)


def _checked(name: str, value: Any) -> Any:
    """Check the value of an option, and return it in its stored form."""
    option = OPTIONS[name]
    match option.metadata:
        case {"choices": choices}:
            if value in choices.values():
                return value
            remedy = choose_from(map(str, choices.values()))
        case {"names": names}:
            if chosen := _full_names(names, value):
                return chosen
            remedy = choose_from(names.values())
        case {"bounds": (low, high)}:
            kind = type(low)
            if value is None and option.default is None:
                return None
            if isinstance(value, int | kind) and not isinstance(value, bool) and low <= value <= high:
                return kind(value)
            remedy = f"give a {'whole ' if kind is int else ''}number from {low:g} to {high:.12g}"
        case _:
            if value is None or isinstance(value, Encoder):
                return value
            if callable(value):
                return Encoder(value)
            remedy = "give a callable from a list of texts to vectors"
    raise OptionError(f"{name} cannot be {value!r}"[:200], remedy=remedy)


def _full_names(names: Mapping[str, str], value: Iterable[str]) -> tuple[str, ...]:
    """Return full names in their own order, from names and codes in any order and case; none if one is unknown."""
    known = _by_word(names)
    parts = [value] if isinstance(value, str) else list(value)
    words = [word for part in parts for word in str(part).replace(",", "+").split("+")]
    chosen = {known.get(word.strip().lower(), "") for word in words}
    return () if "" in chosen else tuple(name for name in names.values() if name in chosen)


def _by_word(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by their words and by themselves, in small letters."""
    return {str(name).lower(): value for word, value in values.items() for name in (word, value)}
