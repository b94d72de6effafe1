"""The stored result of comparing two analyses of one text: the counts from which every score is computed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeVar

from aifgraph.comparison import tables as result_tables
from aifgraph.comparison.breakdown import MatchedTexts, NameCounts, Wording, fold, name_agreement
from aifgraph.comparison.calculations import CALCULATIONS, ER
from aifgraph.comparison.cass import (
    JSON,
    CalculationResult,
    Natural,
    PairScores,
    SegmentationScore,
    fuse,
)
from aifgraph.comparison.chance import AboveChance, Expected, ExpectedMeans, above_chance
from aifgraph.comparison.options import short_signature, signature_words
from aifgraph.errors import FormatError
from aifgraph.files import read_bytes
from aifgraph.stats.matrix import NONE, ConfusionMatrix
from aifgraph.tables import Table, captioned, render, shown

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")


class PairNames(NamedTuple):
    """The names of the two maps of a pair; in corpora those that the corpora give them."""

    first: str
    second: str

    @property
    def shown(self) -> str:
        """The name that both have, or both names; for people, not a key: ``a ~ b`` may be the name of a map."""
        return self.first if self.first == self.second else f"{self.first} ~ {self.second}"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two analyses: where it is from, whose text it has, and how much of it takes part.

    ``placed`` is how many of its units have a place in the text, ``reconstructed`` how many propositions nobody said.
    """

    source: str
    name: str
    text: Literal["given", "embedded", "shared", "none"]
    propositions: Natural
    locutions: Natural
    units: Natural
    placed: Natural
    reconstructed: Natural = 0


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """How many classes of propositions or locutions there are, how many have nodes of both sides, and by meaning."""

    classes: Natural
    matched: Natural
    by_meaning: Natural


@dataclass(frozen=True, slots=True)
class Matches:
    """How the nodes of both sides were matched."""

    propositions: MatchCounts
    locutions: MatchCounts


@dataclass(frozen=True, repr=False)
class PairResult(PairScores):
    """The agreement of two analyses of one text, without their maps.

    Attributes:
        text_overlap: how far the two texts are one, 0 to 1; None without two texts.
        shared_words: of the different words of both maps and texts, the share that both have; None where at least half
            of the nodes that can match do.
        same_map: whether both are the same map, whatever the ids, times and order of its nodes are.
        calculations: each calculation of M by name, with its matrix and its scores.
        explicit: explicit relations, in M or not, with the coverage of each side; None where they do not apply.
        expected: M by chance; None without the option ``chance``.
        name_counts: the names of schemes and speakers that the breakdown counts.
        notices: everything that was repaired, skipped or not used.
        measures: measures other than CASS, by name.
        text: name of the text in a corpus.

    >>> import aifgraph
    >>> result = aifgraph.compare("fixtures/debate/first.json", "fixtures/debate/second.json").result
    >>> PairResult.from_dict(result.to_dict()) == result
    True
    """

    __pydantic_config__: ClassVar = JSON

    signature: str
    names: PairNames
    first: Side
    second: Side
    text_overlap: float | None
    matches: Matches
    calculations: Mapping[str, CalculationResult]
    name_counts: NameCounts
    segmentation: SegmentationScore
    notices: tuple[str, ...]
    wording: Wording = field(default_factory=Wording)
    matched_by_meaning: tuple[MatchedTexts, ...] = ()
    explicit: CalculationResult | None = None
    expected: ExpectedMeans | None = None
    measures: Mapping[str, float | None] = field(default_factory=dict)
    text: str = ""
    same_map: bool = False
    shared_words: float | None = None

    def __post_init__(self) -> None:
        if unknown := self.calculations.keys() - CALCULATIONS.keys():
            raise ValueError(f"there is no calculation {min(unknown)!r}")

    @property
    def name(self) -> str:
        """The printed name of the pair."""
        return self.names.shown

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both analyses."""
        return self.first, self.second

    @property
    def one_sided(self) -> bool:
        """Whether only one side has units."""
        return bool(self.first.units) != bool(self.second.units)

    @property
    def different_documents(self) -> bool:
        """Whether hardly a node matches and hardly a word is in both maps or texts."""
        return different_documents(self.shared_words)

    @property
    def matrices(self) -> dict[str, ConfusionMatrix]:
        """The matrices of the calculations that apply."""
        return {name: of.matrix for name, of in self.calculations.items() if of.applicable}

    @property
    def n(self) -> int:
        """The number of calculations that apply."""
        return self.layers["all"].n

    @property
    def counted(self) -> dict[str, CalculationResult]:
        """The calculations, and explicit relations where they apply, in M or not."""
        return {**self.calculations, **({ER.name: self.explicit} if self.explicit else {})}

    @cached_property
    def chance(self) -> dict[Expected, AboveChance]:
        """The scores by chance and above chance of the whole, of each layer, and of explicit relations where they
        apply: ``chance["all"].above["kappa"]``; nothing without the option ``chance``."""
        expected, found = self.expected, dict[Expected, AboveChance]()
        if expected is None:
            return found
        for layer, of in self.layers.items():
            above = above_chance(of.mean, expected.means[layer], of.undefined, too_few=expected.too_few)
            zero = self.one_sided and (of.n or layer == "all")
            cass = {name: 0.0 if zero else fuse(value, self.S) for name, value in above.above.items()}
            found[layer] = replace(above, cass=cass)
        if (own := self.explicit) and expected.explicit:
            found["explicit"] = above_chance(own.scores, expected.explicit, own.undefined, too_few=expected.too_few)
        return found

    @property
    def breakdown(self) -> dict[str, Any]:
        """The parts of the scores as plain values: attachment, label given attachment, labels, schemes, speakers."""
        return {
            "calculations": {
                name: fold(of.matrix)
                for name, of in self.counted.items()
                if of.applicable and sum(label != NONE for label in of.matrix.labels) > 1
            },
            "schemes": {type_: name_agreement(cells) for type_, cells in self.name_counts.schemes.items()},
            "speakers": name_agreement(self.name_counts.speakers),
        }

    @property
    def caveats(self) -> list[result_tables.Caveat]:
        """The caveats of the pair."""
        return list(result_tables.caveats_of(self))

    @property
    def summary(self) -> str:
        """How much matches and how much differs, or that these look like two different documents."""
        return result_tables.summary(self)

    def tables_for(self, format: str) -> tuple[Sequence[Table], str]:
        """Return the short table, in CSV every score, and the signature."""
        signature = short_signature(self.signature)
        scores = result_tables.score_table(self) if format == "csv" else self.short_table()
        tables = [scores, *result_tables.measures_tables(self)]
        if format != "latex":
            return tables, signature
        subject = f"Agreement of {' and '.join(dict.fromkeys(self.names))}"
        return captioned(tables, subject, signature), self.signature

    def short_table(self) -> Table:
        """Return the table of the default output."""
        return result_tables.short_table(self)

    def tables(self) -> list[Table]:
        """Return every number in tables."""
        return list(result_tables.detailed_tables(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values, with every score that follows from it."""
        stored = adapter().dump_python(self, mode="json", by_alias=True, exclude_defaults=True)
        version = signature_words(self.signature).get("v", "")
        return {"aifgraph": version, **_merged(stored, self._derived())}

    def _derived(self) -> dict[str, Any]:
        """Return what follows from the fields, placed where a document has it."""
        layers = self.layers
        explicit = {**self.explicit.to_dict(), **self._against_chance("explicit")} if self.explicit else None
        return {
            "name": self.name,
            "summary": self.summary,
            "caveats": [caveat._asdict() for caveat in self.caveats],
            "n": self.n,
            "mean": self.mean,
            "cass": self.cass,
            "layers": {
                layer: {**of.cass, "mean": of.mean, **self._against_chance(layer)}
                for layer, of in layers.items()
                if layer != "all"
            },
            "calculations": {name: of.to_dict() for name, of in self.calculations.items()},
            **({"explicit": explicit} if explicit else {}),
            "breakdown": self.breakdown,
            "segmentation": {"undefined": self.segmentation.reasons},
            **self._against_chance("all"),
            "undefined": {
                "cass" if layer == "all" else layer: of.undefined for layer, of in layers.items() if of.undefined
            },
        }

    def _against_chance(self, part: Expected) -> dict[str, Any]:
        if self.expected is None:
            return {}
        values = asdict(self.chance[part]) if part in self.chance else {}
        if part == "explicit":
            values.pop("cass", None)
        return {"chance": {"rounds": self.expected.rounds, "seed": self.expected.seed, **values}}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> PairResult:
        """Return the result of a document that ``to_dict`` made; scores are computed again.

        Raises:
            FormatError: the document is no result of two maps, or a damaged one.
        """
        return validated(adapter(), document)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> PairResult:
        """Return the result in a file that ``to_json`` wrote.

        Raises:
            NotFoundError: there is no such file.
            FormatError: what is in it is no result of two maps, or a damaged one.
        """
        try:
            return validated(adapter(), read_bytes(Path(path)))
        except FormatError as error:
            raise error if error.where else error.at(str(path)) from None

    def __str__(self) -> str:
        notices = "".join(f"\nnotice: {notice}" for notice in self.notices)
        return f"{render(self.short_table())}{short_signature(self.signature)}{notices}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} CASS-κ {shown(self.kappa)} CASS-F1 {shown(self.f1)} of {self.name!r}>"


def different_documents(share: float | None) -> bool:
    """Whether so few words are shared (None where many nodes match) that two maps are of different documents.

    Two analyses of one text had 52 % of their words in common or more (56 pairs of AraucariaDB), two of different
    texts 21 % at most (300 pairs of AraucariaDB, US2016 and QT30).
    """
    return share is not None and share < 0.25


def _merged(stored: dict[str, Any], derived: dict[str, Any]) -> dict[str, Any]:
    """Return what is stored, with what follows from it in its places."""
    together = dict(stored)
    for key, value in derived.items():
        together[key] = _merged(together[key], value) if isinstance(together.get(key), dict) else value
    return together


def validated(adapter: TypeAdapter[T], document: Mapping[str, Any] | bytes) -> T:
    """Return a document, or a line of JSON, as what the adapter makes of it.

    Raises:
        FormatError: it is damaged, or something else.
    """
    from pydantic import ValidationError

    try:
        # Strictly: "3" is no count. By way of JSON, where a list is all there is for a tuple.
        text = document if isinstance(document, bytes) else json.dumps(document)
        return adapter.validate_json(text, strict=True)
    except ValidationError as error:
        first, *others = error.errors(include_url=False, include_context=False, include_input=False)
        place = ".".join(map(str, first["loc"])) or "the document"
        what = f"{place}: {first['msg']}{f', and {len(others)} more' if others else ''}"
    except (ValueError, TypeError, RecursionError) as error:
        what = str(error)
    remedy = "make it again: aifgraph compare … -o RESULT.json, or --resume RUN.jsonl for corpora"
    raise FormatError(f"no result, or a damaged one: {what}"[:300], remedy=remedy)


@cache
def adapter() -> TypeAdapter[PairResult]:
    """Return what writes, reads and describes results; made on first use, because pydantic takes its time."""
    from pydantic import TypeAdapter

    return TypeAdapter(PairResult)
