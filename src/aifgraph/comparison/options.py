"""The options of a comparison, and the signature that names them.

>>> Options(chance=20).signature
'match:greedy|gate:positions|overlap:0.5|min:0.5|gran:merge|meaning:off|cos:0.75|layers:common|mean:calculations|rel:RA+CA+MA+PA|seg:S.nt2|calc:PR+IL+IA+TR+TP+TR2|chance:20.0'
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypedDict, Unpack

from aifgraph.align.meaning import Encoder, EncodeTexts
from aifgraph.comparison.calculations import CALCULATIONS, DEFAULT
from aifgraph.errors import OptionError, choose_from
from aifgraph.graph.nodes import RELATIONS
from aifgraph.version import __version__

Matching = Literal["greedy", "optimal"]
Granularity = Literal["merge", "strict"]
CountedLayers = Literal["common", "all"]
Mean = Literal["calculations", "layers"]
SegmentationEngine = Literal["own", "segeval"]
#: A callable from n texts to n vectors.
Meaning = EncodeTexts | Encoder

#: What each option does, and its key in a signature, in their order there; the seed stands behind the rounds
#: (``chance:100.7``).
OPTIONS: Final = {
    "matching": ("match", "One-to-one matching: highest similarity first, or the best total."),
    "gate": ("gate", "Whether positions in the text decide which nodes may match."),
    "min_overlap": ("overlap", "Least share of words that matched nodes have in common, of the smaller node."),
    "min_similarity": ("min", "Least similarity of matched nodes if a position is unknown."),
    "granularity": (
        "gran",
        "Where one side splits what the other left whole: merge the parts, or match strictly one to one.",
    ),
    "meaning": ("meaning", "Sentence model: nodes that do not match by their texts may match by meaning."),
    "min_meaning": ("cos", "Least cosine of nodes that match by meaning."),
    "layers": ("layers", "Layers that count: those that both sides have, or all."),
    "mean": ("mean", "M is the mean of all calculations, or the mean over layers of the mean of their calculations."),
    "relations": ("rel", "Relation types that are compared."),
    "segmentation": ("seg", "Engine of the segmentation measures."),
    "calculations": (
        "calc",
        "Calculations that count; AS is linked against convergent support, ER are explicit relations.",
    ),
    "chance": ("chance", "Number of random permutations of the nodes for the scores by chance."),
    "seed": ("", "Seed of everything random: chance, intervals, tests."),
}
#: The values of those that are one of several, by their words in a signature.
CHOICES: Final[dict[str, dict[str, Any]]] = {
    "matching": {"greedy": "greedy", "optimal": "optimal"},
    "gate": {"positions": True, "off": False},
    "granularity": {"merge": "merge", "strict": "strict"},
    "layers": {"common": "common", "all": "all"},
    "mean": {"calculations": "calculations", "layers": "layers"},
    "segmentation": {"S.nt2": "own", "S.nt2.segeval": "segeval"},
}
#: The bounds of those that are numbers, whole ones where the bounds are whole.
BOUNDS: Final[dict[str, tuple[float, float]]] = {
    "min_overlap": (0.0, 1.0),
    "min_similarity": (0.0, 1.0),
    "min_meaning": (0.0, 1.0),
    "chance": (1, 1_000_000),
    "seed": (0, 2**32 - 1),
}
#: The full names of those that are several names, by their words in a signature.
NAMES: Final[dict[str, dict[str, str]]] = {
    "relations": {name: name for name in RELATIONS},
    "calculations": {calculation.code: name for name, calculation in CALCULATIONS.items()},
}
_OFF: Final = "off"


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
    relations: Collection[str]
    segmentation: SegmentationEngine
    calculations: Collection[str]
    chance: int | None
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How two analyses are compared; names are kept in their own order.

    Raises:
        OptionError: a value is not allowed.

    >>> Options(min_overlap=0.6, relations=["CA", "RA"]).relations
    ('RA', 'CA')
    """

    matching: Matching = "greedy"
    gate: bool = True
    min_overlap: float = 0.5
    min_similarity: float = 0.5
    granularity: Granularity = "merge"
    meaning: Any = None
    min_meaning: float = 0.75
    layers: CountedLayers = "common"
    mean: Mean = "calculations"
    relations: Collection[str] = RELATIONS
    segmentation: SegmentationEngine = "own"
    calculations: Collection[str] = DEFAULT
    chance: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices.values():
                raise _not_allowed(name, getattr(self, name))
        for name in BOUNDS:
            object.__setattr__(self, name, _number(name, getattr(self, name)))
        for name in NAMES:
            object.__setattr__(self, name, _full_names(name, getattr(self, name)))
        if self.meaning is not None and not isinstance(self.meaning, Encoder):
            if not callable(self.meaning):
                raise _not_allowed("meaning", self.meaning)
            object.__setattr__(self, "meaning", Encoder(self.meaning))

    @classmethod
    def given(cls, options: Options | None, /, **changes: Unpack[OptionKeywords]) -> Options:
        """Return the options that a function was given: keywords in place of the fields of ``options``."""
        options = options or _DEFAULTS
        return replace(options, **changes) if changes else options

    @classmethod
    def parse(cls, signature: str) -> Options:
        """Return the options that a signature names.

        Raises:
            OptionError: a value is not allowed, or a sentence model is named, which a signature does not hold.

        >>> Options.parse(Options(gate=False, chance=20).signature) == Options(gate=False, chance=20)
        True
        """
        words = dict(signature_words(signature))
        if "." in words.get("chance", ""):
            words["chance"], _, words["seed"] = words["chance"].partition(".")
        keys = {name: key or name for name, (key, _) in OPTIONS.items()}
        values = {name: read_option(name, words[key]) for name, key in keys.items() if key in words}
        return cls(**values)

    @property
    def signature(self) -> str:
        """The options as ``key:value``, joined by ``|``."""
        words = {key: option_word(name, getattr(self, name)) for name, (key, _) in OPTIONS.items() if key}
        if self.chance:
            words["chance"] += f".{self.seed}"
        return "|".join(f"{key}:{word}" for key, word in words.items())


Options.__doc__ = "\n".join(
    [Options.__doc__ or "", "    Attributes:", *(f"        {name}: {help}" for name, (_, help) in OPTIONS.items())]
)


def signature_of(options: Options, *additions: str) -> str:
    """Return the line that says how a number was made, with what else than the options changed it."""
    return "|".join(["CASS", options.signature, *additions, f"v:{__version__}"])


def signature_words(signature: str) -> Mapping[str, str]:
    """Return the parts of a signature by their keys.

    >>> signature_words("CASS|match:greedy|v:0.2.0")["match"]
    'greedy'
    """
    parts = (part.partition(":") for part in signature.split("|"))
    return {key: word for key, colon, word in parts if colon}


def option_word(name: str, value: Any) -> str:
    """Return the word for the value of an option in a signature."""
    if name in CHOICES:
        return next(word for word, choice in CHOICES[name].items() if choice == value)
    if value is None:
        return _OFF
    if name in NAMES:
        return "+".join(word for word, full in NAMES[name].items() if full in value)
    if isinstance(value, float):
        short = f"{value:.12g}"
        return short if float(short) == value else repr(value)
    return value.name if isinstance(value, Encoder) else str(value)


def read_option(name: str, word: str) -> Any:
    """Return the value that a word stands for, in a signature or on the command line.

    Raises:
        OptionError: it stands for none.
    """
    if name in CHOICES:
        choices = CHOICES[name]
        if word not in choices and word not in choices.values():
            raise _not_allowed(name, word)
        return choices.get(word, word)
    if word == _OFF and name in ("meaning", "chance"):
        return None
    if name == "meaning":
        raise OptionError(f"{word[:80]!r} names a sentence model and does not hold it", remedy="give the model itself")
    if name in NAMES:
        return word
    try:
        return type(BOUNDS[name][0])(word)
    except ValueError:
        raise _not_allowed(name, word) from None


def _number(name: str, value: Any) -> float | None:
    low, high = BOUNDS[name]
    if value is None and name == "chance":
        return None
    kinds = int if isinstance(low, int) else int | float
    if isinstance(value, bool) or not isinstance(value, kinds) or not low <= value <= high:
        raise _not_allowed(name, value)
    return type(low)(value)


def _full_names(name: str, value: Iterable[str]) -> tuple[str, ...]:
    """Return full names in their own order, from names and codes in any order and case."""
    full_names = NAMES[name]
    known = {word.lower(): full for code, full in full_names.items() for word in (code, full)}
    parts = [value] if isinstance(value, str) else list(value)
    words = [word for part in parts for word in str(part).replace(",", "+").split("+")]
    chosen = {known.get(word.strip().lower(), "") for word in words}
    if not chosen or "" in chosen:
        raise _not_allowed(name, parts)
    return tuple(full for full in full_names.values() if full in chosen)


def _not_allowed(name: str, value: object) -> OptionError:
    if name == "meaning":
        remedy = "give a callable from a list of texts to vectors"
    elif name in BOUNDS:
        low, high = BOUNDS[name]
        remedy = f"give a {'whole ' if isinstance(low, int) else ''}number from {low:g} to {high:.12g}"
    else:
        remedy = choose_from(map(str, CHOICES[name].values() if name in CHOICES else NAMES[name].values()))
    return OptionError(f"{name} is {value!r}"[:200], remedy=remedy)


_DEFAULTS: Final = Options()
