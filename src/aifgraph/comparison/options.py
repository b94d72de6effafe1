"""What can be chosen about a comparison. This is the only place where an option is declared.

A field of ``Options`` says its type, its default, what it may be, what it does and its key in the signature. The
command line, the service (form, OpenAPI, validation), the signature, its parser and the table in the docs come from it.
``OptionKeywords`` repeats the types for type checkers (a test holds the two equal).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from inspect import cleandoc
from types import MappingProxyType
from typing import Any, Final, Literal, TypedDict, Unpack, get_args

from aifgraph.align.encoders import Encoder
from aifgraph.comparison.calculations.registry import CODES, DEFAULT
from aifgraph.comparison.option import Option, names, number, one_of, rounds, sentence_model
from aifgraph.errors import OptionError, choose_from
from aifgraph.graph.nodes import RELATIONS
from aifgraph.version import __version__

Matching = Literal["greedy", "optimal"]
Granularity = Literal["merge", "strict"]
#: A callable from n texts to an array (n, d).
Meaning = Callable[[list[str]], object] | Encoder
CountedLayers = Literal["common", "all"]
Mean = Literal["calculations", "layers"]
SegmentationEngine = Literal["own", "segeval"]
RelationType = Literal["RA", "CA", "MA", "PA"]
RelationSum = Literal[
    "RA+CA",
    "RA+MA",
    "RA+PA",
    "CA+MA",
    "CA+PA",
    "MA+PA",
    "RA+CA+MA",
    "RA+CA+PA",
    "RA+MA+PA",
    "CA+MA+PA",
    "RA+CA+MA+PA",
]
#: What ``relations`` and ``calculations`` (names or codes) take; ``Options`` keeps a tuple of names.
Relations = RelationType | RelationSum | Sequence[RelationType]
Calculations = str | Sequence[str]

#: A signature begins with this, and its options come next.
_HEAD: Final = "CASS"
#: The keys of what a result adds after its options, in any order.
_ADDITIONS: Final = frozenset({"axis", "pair", "missing", "test", "ci", "in", "v"})


class OptionKeywords(TypedDict, total=False):
    """The options as keywords of ``compare`` and its like."""

    matching: Matching
    gate: bool
    min_overlap: float
    min_similarity: float
    granularity: Granularity
    meaning: Meaning | None
    min_meaning: float
    layers: CountedLayers
    mean: Mean
    relations: Relations
    segmentation: SegmentationEngine
    calculations: Calculations
    chance: int | None
    seed: int
    hashes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of ``compare``, in the order of the signature.

    Names come in any order and are kept in their own.

    Raises:
        OptionError: a value is not allowed.

    >>> Options(min_overlap=0.6, relations=["CA", "RA"]).relations
    ('RA', 'CA')
    >>> Options(min_overlap=2)
    Traceback (most recent call last):
    aifgraph.errors.OptionError: min_overlap is 2; give a number from 0 to 1
    """

    matching: Matching = one_of(
        "greedy",
        get_args(Matching),
        key="match",
        help="One-to-one matching: highest similarity first, or the best total.",
    )
    gate: bool = one_of(
        True,
        {True: "positions", False: "off"},
        key="gate",
        help="Whether positions in the text decide which nodes may match.",
    )
    min_overlap: float = number(
        0.5,
        0,
        1,
        key="overlap",
        help="Least share of words that matched nodes have in common, of the smaller node.",
    )
    min_similarity: float = number(
        0.5, 0, 1, key="min", help="Least similarity of matched nodes if a position is unknown."
    )
    granularity: Granularity = one_of(
        "merge",
        get_args(Granularity),
        key="gran",
        help="Where one side splits what the other left whole: merge the parts, or match strictly one to one.",
    )
    meaning: Meaning | None = sentence_model(
        key="meaning", help="Sentence model: nodes that do not match by their texts may match by meaning."
    )
    min_meaning: float = number(0.75, 0, 1, key="cos", help="Least cosine of nodes that match by meaning.")
    layers: CountedLayers = one_of(
        "common", get_args(CountedLayers), key="layers", help="Layers that count: those that both sides have, or all."
    )
    mean: Mean = one_of(
        "calculations",
        get_args(Mean),
        key="mean",
        help="M is the mean of all calculations, or the mean over layers of the mean of their calculations.",
    )
    relations: Relations = names(
        RELATIONS, {name: name for name in RELATIONS}, key="rel", help="Relation types that are compared."
    )
    segmentation: SegmentationEngine = one_of(
        "own",
        {"own": "S.nt2", "segeval": "S.nt2.segeval"},
        key="seg",
        help="Engine of the segmentation measures.",
    )
    calculations: Calculations = names(
        DEFAULT,
        CODES,
        key="calc",
        help="Calculations that count; AS is linked against convergent support, ER the argument among what was said.",
    )
    chance: int | None = rounds(
        1_000_000,
        key="chance",
        seed="seed",
        help="Number of random permutations of the nodes for the scores by chance.",
    )
    seed: int = number(0, 0, 2**32 - 1, key="", help="Seed of everything random: chance, intervals, tests.")
    hashes: bool = one_of(
        False,
        {True: "on", False: "off"},
        key="",
        help="Whether the signature names the compared maps by hashes (in:FIRST.SECOND).",
    )

    def __post_init__(self) -> None:
        for name, option in OPTIONS.items():
            object.__setattr__(self, name, option.checked(name, getattr(self, name)))

    @property
    def encoder(self) -> Encoder | None:
        """What matches by meaning, if anything."""
        return self.meaning if isinstance(self.meaning, Encoder) else None

    @property
    def signature(self) -> str:
        """The options as ``key:value``, joined by ``|``.

        >>> Options().signature
        'match:greedy|gate:positions|overlap:0.5|min:0.5|gran:merge|meaning:off|cos:0.75|layers:common|mean:calculations|rel:RA+CA+MA+PA|seg:S.nt2|calc:PR+IL+IA+TR+TP+TR2|chance:off'
        """
        return "|".join(f"{option.key}:{self._word(name, option)}" for name, option in _KEYED.items())

    def _word(self, name: str, option: Option) -> str:
        value = getattr(self, name)
        if option.detail and value is not None:
            return f"{option.word(value)}.{OPTIONS[option.detail].word(getattr(self, option.detail))}"
        return option.word(value)

    @classmethod
    def parse(cls, signature: str) -> Options:
        """The options that a signature names: a whole line (``CASS|…|v:0.2.0``), or the options alone.

        Raises:
            OptionError: a part is missing, unknown, in another place or written otherwise.

        >>> Options.parse(Options(gate=False).signature) == Options(gate=False)
        True
        >>> Options.parse("CASS|match:magic")
        Traceback (most recent call last):
        aifgraph.errors.OptionError: signature: matching is 'magic'; choose from greedy, optimal
        """
        parts = signature.strip().removeprefix(f"{_HEAD}|").split("|")
        own, added = parts[: len(_KEYED)], parts[len(_KEYED) :]
        values: dict[str, Any] = {}
        try:
            for (name, option), part in zip(_KEYED.items(), own, strict=False):
                word = part.removeprefix(f"{option.key}:")
                if option.detail and "." in word:
                    word, _, detail = word.partition(".")
                    values[option.detail] = OPTIONS[option.detail].read(detail)
                values[name] = option.read(word)
            options = cls(**values)
        except OptionError as error:
            raise error.at("signature") from None
        wanted = options.signature.split("|")
        if own != wanted:
            number = next((place for place, part in enumerate(own) if part != wanted[place]), len(own))
            there = repr(own[number][:80]) if number < len(own) else "nothing"
            raise OptionError(f"{there} where {wanted[number]!r} is due", where="signature", remedy=_WHOLE)
        keys = [part.partition(":")[0] for part in added]
        for key in keys:
            if key not in _ADDITIONS or keys.count(key) > 1:
                raise OptionError(f"{key[:80]!r} is unknown or given twice", where="signature", remedy=_WHOLE)
        return options.changed(hashes="in" in keys)

    @classmethod
    def given(cls, options: Options | None, /, **keywords: Unpack[OptionKeywords]) -> Options:
        """The options that a function was given: keywords stand in place of the fields of ``options`` (or defaults).

        Raises:
            OptionError: a keyword is no option.
        """
        if unknown := keywords.keys() - OPTIONS.keys():
            raise _no_option(min(unknown))
        return (options or _defaults()).changed(**keywords)

    def changed(self, **keywords: Unpack[OptionKeywords]) -> Options:
        """These options with others in place of some.

        Raises:
            OptionError: there is no such option, or not with such a value.
        """
        if unknown := keywords.keys() - OPTIONS.keys():
            raise _no_option(min(unknown))
        return replace(self, **keywords) if keywords else self


def _no_option(name: str) -> OptionError:
    return OptionError(f"there is no option {name!r}"[:200], remedy=choose_from(OPTIONS))


@cache
def _defaults() -> Options:
    """The defaults: to check every one for every pair of a corpus would take a thirtieth of its time."""
    return Options()


_WHOLE: Final = "give the line as it stands with a result of this version"

#: Every option by name, in the order of the signature.
OPTIONS: Final[dict[str, Option]] = {declared.name: declared.metadata[Option] for declared in fields(Options)}
Options.__doc__ = "\n".join(
    [
        f"{cleandoc(Options.__doc__ or '')}\n\nArgs:",
        *(
            f"    {name}: {option.help.rstrip('.')}; {option.expected}. Default: {option.default}."
            for name, option in OPTIONS.items()
        ),
    ]
)
#: Those that have a part of the signature.
_KEYED: Final = {name: option for name, option in OPTIONS.items() if option.key}


def signature_of(options: Options, *additions: str) -> str:
    """The line that says how a number was made: ``CASS|…|v:X.Y.Z``, with what else changed the numbers of a result."""
    return "|".join([_HEAD, options.signature, *additions, f"v:{__version__}"])


def signature_without(signature: str, *keys: str) -> str:
    """The signature without the parts of some keys.

    >>> signature_without("CASS|match:greedy|v:0.2.0|ci:percentile.0.95.1000.0", "ci")
    'CASS|match:greedy|v:0.2.0'
    """
    return "|".join(part for part in signature.split("|") if part.partition(":")[0] not in keys)


@lru_cache(maxsize=64)
def signature_words(signature: str) -> Mapping[str, str]:
    """The parts of a signature by their keys, whichever version wrote it.

    >>> signature_words("CASS|match:greedy|in:0b1c.22ef|v:0.2.0")["in"]
    '0b1c.22ef'
    """
    parts = (part.partition(":") for part in signature.split("|"))
    return MappingProxyType({key: word for key, colon, word in parts if colon})
