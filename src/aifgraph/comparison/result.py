"""What comparing two analyses of one text gives: the counts from which every score is computed, stored as JSON; and the
maps that it is of, when they are at hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache, cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

import aifgraph
from aifgraph.align.alignment import Alignment, NodeKind
from aifgraph.align.analysis import Pair
from aifgraph.comparison import tables as result_tables
from aifgraph.comparison.breakdown import NameCounts, break_down, count_names
from aifgraph.comparison.calculations import CALCULATIONS, ER
from aifgraph.comparison.cass import (
    JSON,
    AboveChance,
    CalculationResult,
    Cass,
    Expected,
    ExpectedMeans,
    Flag,
    Real,
    ScoreLayer,
    Scores,
    SegmentationScore,
    above_chance,
    cass_by_layer,
    fuse,
)
from aifgraph.comparison.maps import (
    LabelledPair,
    MatchedTexts,
    Matches,
    PairNames,
    Side,
    WordingAgreement,
    different_documents,
    further_fields,
)
from aifgraph.errors import FormatError, OptionError
from aifgraph.files import read_bytes
from aifgraph.graph import ArgumentGraph
from aifgraph.options import Options, Signature
from aifgraph.stats.scores import NONE, ConfusionMatrix
from aifgraph.tables import Result, Table, captioned, format_cell, render, written

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """The agreement of two analyses of one text: what is stored, every score, and the maps while they are at hand.

    Attributes:
        how: the options and the version; ``signature`` is its line.
        names: the names of the two sides.
        first, second: where each analysis is from, and how much of it takes part.
        text_overlap: how far the two texts are one, 0 to 1; None without two texts.
        matches: how the nodes of both sides were matched.
        calculations: each calculation of M by name, with its matrix and its scores.
        name_counts: the names of schemes and speakers that the breakdown counts.
        segmentation: S and the other measures of segmentation.
        notices: everything that was repaired, skipped or not used.
        wording: matches by place whose texts are unlike.
        matched_by_meaning: the texts of such matches.
        explicit: explicit relations, in M or not, with the coverage of each side; None where they do not apply.
        explicit_beyond: those of the second where the first is a reference without any; they count in micro scores.
        expected: M by chance; None without the option ``chance``.
        measures: measures other than CASS, by name.
        text: name of the text in a corpus.
        same_map: whether both are the same map, whatever the ids, times and order of its nodes are.
        same_ids: whether the ids of all nodes are the same (``all``), as of a copy, or those of the units (``units``).
        shared_words: of the different words of both maps and texts, the share that both have; None where at least half
            of the nodes that can match do.
        maps: the maps, aligned and labelled. It is no field: neither stored nor compared, and None in a copy.

    >>> import aifgraph
    >>> from aifgraph import compare
    >>> comparison = compare("fixtures/debate/first.json", "fixtures/debate/second.json")
    >>> round(comparison.kappa, 3), len(comparison.differences())
    (0.914, 8)
    >>> Comparison.from_dict(comparison.to_dict()) == comparison
    True
    """

    __pydantic_config__: ClassVar = JSON
    maps: ClassVar[LabelledPair | None] = None

    how: Signature
    names: PairNames
    first: Side
    second: Side
    text_overlap: Real | None
    matches: Matches
    calculations: Mapping[str, CalculationResult]
    name_counts: NameCounts
    segmentation: SegmentationScore
    notices: tuple[str, ...]
    # Defaults by factory: what is made of the maps must not be an attribute of the class.
    wording: WordingAgreement = field(default_factory=WordingAgreement)
    matched_by_meaning: tuple[MatchedTexts, ...] = field(default_factory=tuple)
    explicit: CalculationResult | None = field(default_factory=lambda: None)
    explicit_beyond: CalculationResult | None = field(default_factory=lambda: None)
    expected: ExpectedMeans | None = None
    measures: Scores = field(default_factory=dict)
    text: str = ""
    same_map: Flag = field(default_factory=bool)
    same_ids: Literal["", "units", "all"] = field(default_factory=lambda: "")
    shared_words: Real | None = field(default_factory=lambda: None)

    def __post_init__(self) -> None:
        if unknown := self.calculations.keys() - CALCULATIONS.keys():
            raise ValueError(f"there is no calculation {min(unknown)!r}")
        for calculation in self.counted.values():
            try:
                empty = {*calculation.matrix.labels} <= {NONE}
            except OptionError as error:
                raise ValueError(str(error)) from None
            if calculation.applicable and empty:
                raise ValueError("a calculation applies, and has no label")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Return how pydantic reads and writes it: with all fields, of maps that are at hand, too."""
        from pydantic_core import core_schema

        def write(comparison: Comparison, write_fields: Any) -> Any:
            return write_fields(comparison.result)

        schema = handler(source)
        schema["serialization"] = core_schema.wrap_serializer_function_ser_schema(write, schema=schema.copy())
        return schema

    # -- the maps -----------------------------------------------------------------------------------------------------

    @classmethod
    def from_maps(cls, maps: LabelledPair, **values: Any) -> Comparison:
        """Return the comparison of two maps, with the values of some fields. The others are made on first use."""
        comparison = object.__new__(cls)
        vars(comparison).update(values, maps=maps)
        return comparison

    if not TYPE_CHECKING:  # type checkers know the fields, and report all other names

        def __getattr__(self, name: str) -> Any:
            if self.maps is None or all(name != stored.name for stored in fields(self)):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
            if name == "name_counts":  # which takes longest, and only details show
                made = {name: count_names(self.maps.alignment, self.maps.links)}
            else:
                made = further_fields(self.maps)
            vars(self).update(made)
            return vars(self)[name]

    def renamed(self, names: PairNames) -> Comparison:
        """Return a copy with other names of the sides, and the same maps."""
        made = {stored.name: vars(self)[stored.name] for stored in fields(self) if stored.name in vars(self)}
        return self.from_maps(self.labelled, **made | {"names": names})

    @property
    def labelled(self) -> LabelledPair:
        """The maps, aligned and labelled. Raises ``OptionError`` for a stored result, which has none."""
        if self.maps is None:
            raise OptionError("a stored result has no maps", where=self.name, remedy="compare the two maps again")
        return self.maps

    @cached_property
    def result(self) -> Comparison:
        """What is stored: the same without the maps."""
        return replace(self)

    @property
    def alignment(self) -> Alignment:
        """Which nodes of the two maps were matched, and why."""
        return self.labelled.alignment

    @property
    def graphs(self) -> Pair[ArgumentGraph]:
        """Both maps."""
        first, second = self.alignment.analyses
        return first.graph, second.graph

    def differences(self) -> aifgraph.Differences:
        """Return the differences, one in each row, in the order of the text."""
        return self._differences

    @cached_property
    def _differences(self) -> aifgraph.Differences:
        from aifgraph.comparison.differences import find_differences

        return find_differences(self)

    def classes(self, kind: NodeKind) -> Iterator[dict[str, Any]]:
        """Yield the classes of nodes as plain values: the ids of both sides (``first``, ``second``), the similarity (0
        to 1), what matched them (``by``), and why in words (``because``)."""
        ids, other_ids = (analysis.ids for analysis in self.alignment.analyses)
        for node_class in getattr(self.alignment, kind).classes:
            yield {
                "first": [ids[node] for node in node_class.first],
                "second": [other_ids[node] for node in node_class.second],
                "similarity": node_class.similarity,
                "by": node_class.match.by if node_class.match else None,
                "because": self.alignment.explain(node_class),
            }

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """Return a page that shows the comparison; it needs no network and no other file."""
        from aifgraph.report.page import report_html

        return written(report_html(self), path)

    def _repr_html_(self) -> str | None:
        if self.maps is None:
            return None
        from aifgraph.report.pictures import comparison_html

        return comparison_html(self)

    # -- the scores ---------------------------------------------------------------------------------------------------

    @property
    def options(self) -> Options:
        """How the maps are compared."""
        return self.how.options

    @property
    def signature(self) -> str:
        """The options and the version, in one line."""
        return str(self.how)

    @cached_property
    def layers(self) -> dict[ScoreLayer, Cass]:
        """M and CASS of the whole (``all``) and of each layer: ``layers["propositional"].cass["kappa"]``."""
        return cass_by_layer(self.calculations, self.S, mean_of_layers=self.mean_of_layers, one_sided=self.one_sided)

    @property
    def mean_of_layers(self) -> bool:
        """Whether M is the mean of the layers' means, and not of all calculations."""
        return self.options.mean == "layers"

    @property
    def S(self) -> float | None:  # noqa: N802  (its name in the literature)
        """Segmentation similarity."""
        return self.segmentation.S

    @property
    def mean(self) -> Scores:
        """M: the mean of each score over the calculations that apply, or over the layers (``Options.mean``)."""
        return self.layers["all"].mean

    @property
    def cass(self) -> Scores:
        """CASS by score: ``cass["kappa"]`` is CASS-κ."""
        return self.layers["all"].cass

    @property
    def kappa(self) -> float | None:
        """CASS-κ."""
        return self.cass["kappa"]

    @property
    def f1(self) -> float | None:
        """CASS-F1."""
        return self.cass["f1"]

    @property
    def name(self) -> str:
        """The printed name of the pair."""
        return self.names.display_name

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both analyses."""
        return self.first, self.second

    @property
    def one_sided(self) -> bool:
        """Whether only one side has units."""
        return self.maps.alignment.one_sided if self.maps else bool(self.first.units) != bool(self.second.units)

    @property
    def different_documents(self) -> bool:
        """Whether hardly a node matches and hardly a word is in both maps or texts."""
        return different_documents(self.shared_words)

    @property
    def applicable(self) -> dict[str, CalculationResult]:
        """The calculations that apply."""
        return {name: calculation for name, calculation in self.calculations.items() if calculation.applicable}

    @property
    def matrices(self) -> dict[str, ConfusionMatrix]:
        """The matrices of the calculations that apply."""
        return {name: calculation.matrix for name, calculation in self.applicable.items()}

    @property
    def summed(self) -> dict[str, ConfusionMatrix]:
        """The matrices that micro scores sum: of the calculations that apply, of explicit relations, and of what only
        the second map labels where the first is a reference without a label."""
        beyond = self.options.reference == "first"
        explicit = self.explicit or self.explicit_beyond
        results = {**self.calculations, **({ER.name: explicit} if explicit else {})}
        return {
            name: calculation.matrix
            for name, calculation in results.items()
            if calculation.applicable or (beyond and calculation.label_count)
        }

    @property
    def beyond(self) -> int:
        """The number of labels that only the second map has, in calculations of M where the reference has none."""
        names = (self.summed.keys() & self.calculations.keys()) - self.matrices.keys()
        return sum(self.calculations[name].label_count for name in names)

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
        for layer, whole in self.layers.items():
            above = above_chance(whole.mean, expected.means[layer], whole.undefined, too_few=expected.too_few)
            zero = self.one_sided and (whole.n or layer == "all")
            cass = {name: 0.0 if zero else fuse(value, self.S) for name, value in above.above.items()}
            found[layer] = replace(above, cass=cass)
        if (own := self.explicit) and expected.explicit:
            found["explicit"] = above_chance(own.scores, expected.explicit, own.undefined, too_few=expected.too_few)
        return found

    @property
    def breakdown(self) -> dict[str, Any]:
        """The parts of the scores as plain values: attachment, label given attachment, labels, schemes, speakers."""
        applicable = {name: result.matrix for name, result in self.counted.items() if result.applicable}
        return break_down(applicable, self.name_counts)

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
        signature = self.how.short
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
        stored = comparison_adapter().dump_python(self, mode="json", by_alias=True, exclude_defaults=True)
        return {"aifgraph": self.how.version, **_merged(stored, _derived(self))}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Comparison:
        """Return the result of a document that ``to_dict`` made; scores are computed again.

        Raises:
            FormatError: the document is no result of two maps, or a damaged one.
        """
        return read_document(comparison_adapter(), document)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Comparison:
        """Return the result in a file that ``to_json`` wrote.

        Raises:
            NotFoundError: there is no such file.
            FormatError: what is in it is no result of two maps, or a damaged one.
        """
        try:
            return read_document(comparison_adapter(), read_bytes(Path(path)))
        except FormatError as error:
            raise error if error.where else error.at(str(path)) from None

    def __str__(self) -> str:
        notices = "".join(f"\nnotice: {notice}" for notice in self.notices)
        return f"{render(self.short_table())}{self.how.short}{notices}"

    def __repr__(self) -> str:
        scores = f"CASS-κ {format_cell(self.kappa)} CASS-F1 {format_cell(self.f1)}"
        return f"<{type(self).__name__} {scores} of {self.name!r}>"


#: What a result without its maps is called.
PairResult = Comparison


# -- JSON: what is stored, with every score that follows from it, which reading computes again -------------------------


@cache
def comparison_adapter() -> TypeAdapter[Comparison]:
    """Return what reads, writes and describes results."""
    from pydantic import TypeAdapter

    return TypeAdapter(Comparison)


def _derived(result: Comparison) -> dict[str, Any]:
    """Return what follows from the fields, in its place in a document."""
    layers, explicit = result.layers, result.explicit
    reasons = {layer: scores.undefined for layer, scores in layers.items() if scores.undefined}
    return {
        "name": result.name,
        "summary": result.summary,
        "caveats": [caveat._asdict() for caveat in result.caveats],
        "n": result.n,
        "mean": result.mean,
        "cass": result.cass,
        "layers": {
            layer: {**scores.cass, "mean": scores.mean, **_against_chance(result, layer)}
            for layer, scores in layers.items()
            if layer != "all"
        },
        "calculations": {name: calculation.to_dict() for name, calculation in result.calculations.items()},
        **({"explicit": {**explicit.to_dict(), **_against_chance(result, "explicit")}} if explicit else {}),
        **({"explicit_beyond": result.explicit_beyond.to_dict()} if result.explicit_beyond else {}),
        "breakdown": result.breakdown,
        "segmentation": {"undefined": result.segmentation.reasons},
        **_against_chance(result, "all"),
        "undefined": {"cass" if layer == "all" else layer: undefined for layer, undefined in reasons.items()},
    }


def _against_chance(result: Comparison, part: Expected) -> dict[str, Any]:
    if result.expected is None:
        return {}
    values = asdict(result.chance[part]) if part in result.chance else {}
    if part == "explicit":
        values.pop("cass", None)
    return {"chance": {"rounds": result.expected.rounds, "seed": result.expected.seed, **values}}


def _merged(stored: dict[str, Any], derived: dict[str, Any]) -> dict[str, Any]:
    """Return what is stored, with what follows from it in its places."""
    together = dict(stored)
    for key, value in derived.items():
        together[key] = _merged(together[key], value) if isinstance(together.get(key), dict) else value
    return together


def read_document(adapter: TypeAdapter[T], document: Mapping[str, Any] | bytes) -> T:
    """Return a document, or a line of JSON, as what the adapter makes of it.

    Raises:
        FormatError: it is damaged, or something else.
    """
    from pydantic import ValidationError

    try:
        return adapter.validate_python(json.loads(document) if isinstance(document, bytes) else document)
    except ValidationError as error:
        first, *others = error.errors(include_url=False, include_context=False, include_input=False)
        place = ".".join(map(str, first["loc"])) or "the document"
        what = f"{place}: {first['msg']}{f', and {len(others)} more' if others else ''}"
    except (ValueError, TypeError, RecursionError) as error:
        what = str(error)
    remedy = "make it again: aifgraph compare … -o RESULT.json, or --resume RUN.jsonl for corpora"
    raise FormatError(f"no result, or a damaged one: {what}"[:300], remedy=remedy)
