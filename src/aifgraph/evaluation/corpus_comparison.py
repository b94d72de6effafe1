"""The result of comparing two corpora: its pairs, the numbers of the whole, their spread, and all of that as tables."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import nsmallest
from itertools import chain, islice
from math import fsum, sqrt
from operator import itemgetter
from os import PathLike
from pathlib import Path
from typing import Any

from aifgraph.comparison.breakdown import Breakdown
from aifgraph.comparison.calculations.registry import LAYERS
from aifgraph.comparison.cass import SCORE_LAYERS, ScoreLayer, Scores
from aifgraph.comparison.chance import AboveChance, chance_table
from aifgraph.comparison.compare import Comparison, compare
from aifgraph.comparison.comparison_tables import DECISIONS_NOTE
from aifgraph.comparison.input_hash import combined_hash
from aifgraph.comparison.measures.registry import measure_tables
from aifgraph.comparison.options import Options, signature_of
from aifgraph.corpus.pairing import Pair, Pairing
from aifgraph.corpus.record_list import NameList
from aifgraph.errors import NoSuchNameError, OptionError, nearest
from aifgraph.evaluation.corpus_sums import CorpusSums, MeasureSums
from aifgraph.evaluation.intervals import Intervals, intervals_of
from aifgraph.evaluation.pooled import (
    MacroScores,
    MicroScores,
    PairNames,
    PairSummary,
    macro,
    micro,
    missing_summary,
)
from aifgraph.evaluation.result_lines import ResultLines
from aifgraph.formats.result_files import SCHEMA_VERSION
from aifgraph.graph import Notice
from aifgraph.hooks import hook
from aifgraph.stats.bootstrap import Method
from aifgraph.stats.scores import SCORES
from aifgraph.tables import Cell, Table
from aifgraph.version import __version__


@dataclass(frozen=True, slots=True)
class Distribution:
    """Of ``count`` defined values: mean, standard deviation (of the population), least, quartiles, greatest.

    ``outliers`` are the names whose value lies more than 1.5 interquartile ranges outside the quartiles (Tukey 1977),
    the least first.
    """

    count: int
    mean: float
    deviation: float
    least: float
    quartiles: tuple[float, float, float]
    greatest: float
    outliers: tuple[tuple[str, float], ...]


def distribution(values: Iterable[tuple[str, float | None]]) -> Distribution | None:
    """The distribution of the defined values by name; None if there is none. Quartiles are interpolated linearly.

    >>> spread = distribution([("a", 0.5), ("b", 0.6), ("c", 0.7), ("d", 0.0), ("e", 0.6), ("f", None)])
    >>> spread.quartiles, spread.outliers
    ((0.5, 0.6, 0.6), (('d', 0.0),))
    """
    names, held = NameList(), array("d")
    for name, value in values:
        if value is not None:
            names.append(name)
            held.append(value)
    if not held:
        return None
    numbers = sorted(held)
    mean = fsum(numbers) / len(numbers)
    low, middle, high = (_quantile(numbers, share) for share in (0.25, 0.5, 0.75))
    reach = 1.5 * (high - low)
    outside = (
        (value, names[number]) for number, value in enumerate(held) if value < low - reach or value > high + reach
    )
    return Distribution(
        len(numbers),
        mean,
        sqrt(fsum((value - mean) ** 2 for value in numbers) / len(numbers)),
        numbers[0],
        (low, middle, high),
        numbers[-1],
        tuple((name, value) for value, name in sorted(outside)),
    )


def _quantile(numbers: list[float], share: float) -> float:
    position = share * (len(numbers) - 1)
    below = int(position)
    above = min(below + 1, len(numbers) - 1)
    return numbers[below] + (position - below) * (numbers[above] - numbers[below])


def lowest_pairs(pairs: Iterable[PairSummary], score: str = "kappa", count: int = 10) -> list[PairSummary]:
    """The ``count`` pairs with the least CASS of a score, the least first; what is undefined is left out.

    CASS cuts off at 0, M does not: pairs of equal CASS go by M.

    Raises:
        OptionError: there is no such score.
    """
    if score not in SCORES:
        raise OptionError(f"there is no score {score!r}", remedy=f"choose among {', '.join(SCORES)}")
    ranked = (
        ((value, mean if (mean := pair.means["all"][score]) is not None else value, number), pair)
        for number, pair in enumerate(pairs)
        if (value := pair.cass["all"][score]) is not None
    )
    return [pair for _, pair in nsmallest(count, ranked, key=itemgetter(0))]


@dataclass(frozen=True)
class CorpusComparison:
    """How two corpora agree: a summary per pair, ``macro`` and ``micro``, what had no partner, and what failed.

    Attributes:
        pairs: a summary of every pair; read from the results file where there is one.
        options: how it was compared.
        missing: what counts for a text that only one corpus has: ``skip`` or ``zero``.
        unpaired: the names of the maps of each corpus that have no partner.
        failed: for each pair that could not be compared its name and why.
        notices: what was repaired, skipped or could not be used.
        whole_pairs: the whole comparisons, where they were kept in memory; :attr:`details` finds them wherever they
            are.
        pairing: how the pairs were made, for the signature.
        one_corpus: whether a corpus was compared with itself.
        stored_signature: the signature of a result that was read back; else empty.
        stored_intervals: the intervals of a result that was read back, if it has any.
        text_names: what the texts of pairs are called, where that is not the name of the pair.
    """

    pairs: Sequence[PairSummary]
    options: Options
    missing: str
    unpaired: tuple[Sequence[str], Sequence[str]]
    failed: Sequence[tuple[str, str]]
    notices: tuple[Notice, ...] = ()
    whole_pairs: tuple[dict[str, Any], ...] = field(default=(), repr=False)
    pairing: str = "pair:name"
    one_corpus: bool = False
    #: The signature of a result that is read back: an earlier version may have written it otherwise.
    stored_signature: str = ""
    stored_intervals: Intervals | None = field(default=None, repr=False)
    #: What the texts of pairs are called, where that is not the name of the pair.
    text_names: Mapping[PairNames, str] = field(default_factory=dict, repr=False)
    _folder: Any = field(default=None, repr=False)  # of temporary files; removed with this object
    _sums: CorpusSums | None = field(default=None, repr=False, compare=False)  # of ``pairs``, where they are there
    _pairs: Pairing = field(default=Pairing(()), repr=False, compare=False)

    @property
    def signature(self) -> str:
        """The line that says how the numbers were made."""
        if self.stored_signature:
            return self.stored_signature
        axis = ["axis:anchors"] if self._long_texts else []
        hashes = [f"in:{'.'.join(self._hashes)}"] if self.options.hashes else []
        return signature_of(self.options, *axis, self.pairing, f"missing:{self.missing}", *hashes)

    @cached_property
    def _hashes(self) -> tuple[str, str]:
        """What the first maps of all pairs, and the second, hash to."""
        return combined_hash(pair.inputs for pair in self.pairs)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> CorpusComparison:
        """The comparison of a document that ``to_dict`` made, with its pairs; their maps are not there.

        Args:
            document: the parsed JSON of ``compare --format json`` for two corpora, of this version or an earlier one
                from 0.2.0.

        Returns:
            The comparison, with its pairs and without their maps.

        Raises:
            FormatError: the document is no result of two corpora, a damaged one, or one of a later version.

        >>> import aifgraph
        >>> result = aifgraph.compare_corpora("fixtures/debates/ann", "fixtures/debates/ben")
        >>> aifgraph.CorpusComparison.from_dict(result.to_dict()).kappa == result.kappa
        True
        """
        from aifgraph.evaluation.stored_document import corpus_from

        return corpus_from(document, cls)

    @cached_property
    def _long_texts(self) -> bool:
        return self._sums.anchors if self._sums else any(pair.anchors for pair in self.pairs)

    @property
    def warning_count(self) -> int:
        """How many warnings the pairs have."""
        return self._sums.warnings if self._sums else sum(len(pair.warnings) for pair in self.pairs)

    @property
    def kappa(self) -> float | None:
        """CASS-κ of the mean over pairs: ``macro.cass["kappa"]``."""
        return self.macro.cass["kappa"]

    @property
    def f1(self) -> float | None:
        """CASS-F1 of the mean over pairs: ``macro.cass["f1"]``."""
        return self.macro.cass["f1"]

    def comparison(self, name: str) -> Comparison:
        """The whole comparison of a pair, made when it is asked for: its maps are loaded and compared again.

        Args:
            name: that of a pair, as in ``pairs``: ``result.comparison(result.pairs[0].name)``.

        Returns:
            The same as ``compare`` gives for the two maps.

        Raises:
            NoSuchNameError: there is no such pair.
            InputError: a map of it cannot be read.
        """
        shown = {names.shown: names for names in self._by_names}
        if name not in shown:
            raise NoSuchNameError(f"there is no pair {name!r}"[:200], remedy=nearest(name, shown))
        return self._compared(shown[name])

    def show(self, folder: str | PathLike[str] | None = None, *, browser: bool = True) -> Path:
        """Write the pages of all pairs and of the whole, and open the latter. Every pair is compared again.

        Args:
            folder: Where the pages go, new or empty; by default a new temporary folder, which stays.
            browser: Whether to open them.

        Returns:
            The page of the whole.

        Raises:
            InputError: The folder holds something else, or a map cannot be read any more.
        """
        file: Path = hook("show_corpora")(self, folder, browser=browser)
        return file

    def _repr_html_(self) -> str:
        html: str = hook("corpora_html")(self)
        return html

    @property
    def comparisons(self) -> Iterator[Comparison]:
        """The comparison of every pair that could be compared, in order, each made when it is its turn."""
        return (self._compared(summary.names) for summary in self.pairs)

    def _compared(self, names: PairNames) -> Comparison:
        pair = self._by_names[names]
        return compare(pair.first.load(), pair.second.load(), options=self.options)

    @cached_property
    def _by_names(self) -> dict[PairNames, Pair]:
        return {PairNames(pair.first.name, pair.second.name): pair for pair in self._pairs}

    @cached_property
    def macro(self) -> MacroScores:
        """Means over pairs, fused: ``macro.cass["kappa"]``."""
        if not self._sums:
            return macro(self.counted)
        sums = deepcopy(self._sums.macro)
        for pair in self._missing_pairs():
            sums.add(pair)
        return sums.scores()

    @cached_property
    def micro(self) -> MicroScores:
        """The scores of the summed counts."""
        of_layers = self.options.mean == "layers"
        if self._sums:
            return self._sums.micro.scores(mean_of_layers=of_layers)
        return micro(self.pairs, mean_of_layers=of_layers)

    @property
    def breakdown(self) -> Breakdown:
        """What stands behind the scores, from the summed counts of all pairs."""
        return self.micro.breakdown

    @property
    def counted(self) -> Iterable[PairSummary]:
        """The pairs, and with ``missing="zero"`` the texts that only one side has."""
        return self.pairs if self.missing == "skip" else chain(self.pairs, self._missing_pairs())

    def _missing_pairs(self) -> Iterable[PairSummary]:
        """The texts that only one side has, where they count."""
        names = chain(*self.unpaired) if self.missing == "zero" else ()
        return (missing_summary(name, self.options) for name in names)

    @property
    def details(self) -> Iterator[dict[str, Any]]:
        """The whole result of every pair, where it was kept."""
        return self.pairs.details() if isinstance(self.pairs, ResultLines) else iter(self.whole_pairs)

    def to_dict(self) -> dict[str, Any]:
        """The whole result as plain values (``schemas/corpus-comparison.schema.json``).

        Returns:
            Dictionaries, lists, strings, numbers and None; the pairs are whole where ``details`` were kept.
        """
        return self.summary_dict() | {"pairs": list(self.details)}

    def json_parts(self, more: Mapping[str, Any]) -> Iterator[str]:
        """``to_dict`` with ``more`` as JSON, in parts: one pair in memory at a time.

        Args:
            more: further fields of the document.

        Returns:
            The parts of one JSON document, to be joined.
        """
        whole = json.dumps({**self.summary_dict(), **more}, ensure_ascii=False, indent=1)
        yield whole.removesuffix("\n}") + ',\n "pairs": ['
        for number, pair in enumerate(self.details):
            yield (",\n" if number else "\n") + json.dumps(pair, ensure_ascii=False, indent=1)
        yield "\n ]\n}\n"

    def summary_dict(self) -> dict[str, Any]:
        """The result as plain values without the pairs.

        Returns:
            Dictionaries, lists, strings, numbers and None.
        """
        return {
            "aifgraph": __version__,
            "schema_version": SCHEMA_VERSION,
            "signature": self.signature,
            "macro": self.macro.to_dict(),
            "micro": self.micro.to_dict(),
            "breakdown": self.breakdown.to_dict(),
            "unpaired": {"first": list(self.unpaired[0]), "second": list(self.unpaired[1])},
            "failed": [{"name": name, "error": error} for name, error in self.failed],
            **({"measures": self.measures} if self.measures else {}),
            "warnings": [notice.message for notice in self.notices],
        }

    def intervals(
        self, *, rounds: int = 1000, seed: int = 0, level: float = 0.95, method: Method = "percentile"
    ) -> Intervals:
        """Bootstrap intervals over texts, of every number of ``macro`` and ``micro``. Pairs that share a map are of one
        text, and are drawn together.

        Args:
            rounds: times that texts are drawn.
            seed: the seed of the draws.
            level: the confidence, between 0 and 1.
            method: ``percentile``, or ``bca`` (bias-corrected and accelerated).

        Returns:
            The intervals by number: ``intervals["macro", PooledNumber("cass", "all", "kappa")]``.

        Raises:
            OptionError: a value is out of range.
        """
        return intervals_of(
            self.counted,
            rounds=rounds,
            seed=seed,
            level=level,
            method=method,
            mean_of_layers=self.options.mean == "layers",
            one_corpus=self.one_corpus,
        )

    def distribution(self, score: str = "kappa") -> Distribution | None:
        """How the pairs' CASS of a score is spread.

        Args:
            score: a score: ``kappa``, ``f1`` …

        Returns:
            Mean, standard deviation, least, quartiles, greatest and outliers; None where no pair has the score.

        Raises:
            OptionError: there is no such score.
        """
        if score not in SCORES:
            raise OptionError(f"there is no score {score!r}", remedy=f"choose among {', '.join(SCORES)}")
        return distribution((pair.name, pair.cass["all"][score]) for pair in self.counted)

    @cached_property
    def measures(self) -> dict[str, float | None]:
        """The mean over pairs of every further measure that was requested."""
        sums = self._sums.measures if self._sums else MeasureSums()
        for pair in self.pairs if not self._sums else ():
            sums.add(pair)
        return sums.means()

    def rows(self) -> list[dict[str, Any]]:
        """One row per pair, for a data frame.

        Returns:
            For each pair its name, n, S with its mode, and M and CASS of every score (``M_kappa``, ``cass_kappa`` …).
        """
        return [pair_row(pair) for pair in self.pairs]

    def sorted_pairs(self, sort: str = "none", top: int | None = None) -> Iterable[PairSummary]:
        """The pairs as they come, or by CASS of a score (then M), the least first.

        Args:
            sort: ``none`` for the order in which they come, or a score.
            top: at most so many pairs; None for all.

        Returns:
            The summaries.

        Raises:
            OptionError: there is no such score.
        """
        count = len(self.pairs) if top is None else top
        if sort == "none":
            return islice(self.pairs, count)
        undefined = (pair for pair in self.pairs if pair.cass["all"][sort] is None)
        return islice(chain(lowest_pairs(self.pairs, sort, count), undefined), count)

    def score_table(self, sort: str = "none", top: int | None = None) -> Table:
        """Everything in one table, for CSV; the column ``of`` says what a row is.

        ``pair``, ``macro`` and ``micro`` have a row for each layer, with M and CASS of every score (``pairs`` is how
        many pairs a macro mean is over); ``calculation`` and ``breakdown`` are of the summed counts.

        Args:
            sort: ``none`` for the order of the pairs, or a score: the pairs with its least CASS first.
            top: at most so many pairs; None for all.

        Returns:
            The table.

        Raises:
            OptionError: there is no such score.
        """
        records = [
            {"of": "pair", **layer_row(pair, layer)} for pair in self.sorted_pairs(sort, top) for layer in SCORE_LAYERS
        ]
        chance = self.macro.chance
        for name, pooled in (("macro", self.macro), ("micro", self.micro)):
            for layer, scores in pooled.over.items():
                row: dict[str, Cell] = {"of": name, "layer": layer, "S": pooled.S}
                pairs = self.macro.counts[layer]["kappa"] if name == "macro" else None
                against = chance.over[layer] if chance and name == "macro" else None
                records.append({**row, "pairs": pairs, **_score_columns(scores.mean, scores.cass, against)})
        for name, summed in self.micro.calculations.items():
            counted = {"items": summed.items, "decisions": summed.matrix.total}
            records.append({"of": "calculation", "name": name, **counted, **summed.scores})
        records.extend(
            {**record, "of": "breakdown", "name": f"{record['of']}: {record['part']}"}
            for record in self.breakdown.records()
        )
        scored = dict.fromkeys(column for record in records for column in record if column.startswith(("M_", "cass_")))
        head = ("of", "name", "layer", "n", "pairs", "S", "mode", *scored)
        columns = (*head, *self.measures, "items", "decisions", "first", "second", *SCORES)
        return Table("Scores", columns, [[record.get(column) for column in columns] for record in records])

    def tables(self, sort: str = "none", top: int | None = None, *, intervals: Intervals | None = None) -> list[Table]:
        """What people look at: the whole, intervals, the spread, the pairs, and what had no partner or failed.

        Args:
            sort: as in :meth:`sorted_pairs`.
            top: as in :meth:`sorted_pairs`.
            intervals: what :meth:`intervals` gave; None shows none.

        Returns:
            The tables, as the command line shows them.

        Raises:
            OptionError: there is no such score.
        """
        count = len(self.pairs)
        pairs = [
            [pair.name, pair.n, *_shown(pair.S, pair.means["all"], pair.cass["all"]), len(pair.warnings)]
            for pair in self.sorted_pairs(sort, top)
        ]
        hidden = count - len(pairs)
        alone = [("first", name) for name in self.unpaired[0]] + [("second", name) for name in self.unpaired[1]]
        tables = [
            self._whole_table(),
            self.chance_table(),
            *(intervals.tables() if intervals else ()),
            self._summed_table(),
            *self.breakdown.tables(),
            *measure_tables(self.measures, "mean over pairs"),
            self._spread_table(),
            Table("Pairs", ("name", "n", *_HEAD, "warnings"), pairs, note=f"{hidden} more pairs" if hidden else ""),
            Table("Without a partner", ("side", "name"), alone) if alone else None,
            Table("Failed", ("name", "error"), self.failed) if self.failed else None,
        ]
        return [table for table in tables if table is not None]

    def _whole_table(self) -> Table:
        counts = {layer: of_layer["kappa"] for layer, of_layer in self.macro.counts.items()}
        rows: list[list[Cell]] = [
            [name, layer, pairs.get(layer), *_shown(pooled.S, scores.mean, scores.cass)]
            for name, pooled, pairs in (("macro", self.macro, counts), ("micro", self.micro, {}))
            for layer, scores in pooled.over.items()
        ]
        means = self.macro.mean_of_cass
        kappa, f1 = (f"{value:.3f}" if value is not None else "–" for value in (means["kappa"], means["f1"]))
        note = (
            f"mean of the pairs' CASS: κ {kappa}, F1 {f1}\n"
            "pairs: how many the mean M of a layer is over; a pair to which no calculation of it applies has none\n"
            f"S by positions of boundaries: {self.macro.modes['positions']} pairs; "
            f"by units in common, where there is no text that fits: {self.macro.modes['units']}"
        )
        return Table(f"CASS over {len(self.pairs)} pairs", ("", "layer", "pairs", *_HEAD), rows, note=note)

    def chance_table(self) -> Table | None:
        """Every score a row: mean M over pairs, what it is by chance, above chance, and CASS.

        Returns:
            The table, or None without the option ``chance``.
        """
        macro = self.macro
        if macro.chance is None:
            return None
        table = chance_table(macro.chance, macro.over)
        fewer = [
            f"{layer} {score} {count}"
            for layer, counts in macro.left_out.items()
            for score, count in counts.items()
            if count and score in ("kappa", "f1")
        ]
        left_out = f"\npairs left out of the means above chance, of {macro.pairs}: {', '.join(fewer)}" if fewer else ""
        return replace(table, title="Against chance (means over pairs)", note=table.note + left_out)

    def _summed_table(self) -> Table:
        rows: list[list[Cell]] = [
            [name.replace("_", " "), summed.items, summed.matrix.total, *(summed[score] for score in SCORES)]
            for name, summed in self.micro.calculations.items()
        ]
        return Table("Summed calculations", ("calculation", "items", "decisions", *SCORES), rows, note=DECISIONS_NOTE)

    def _spread_table(self) -> Table | None:
        rows: list[list[Cell]] = []
        notes: list[str] = []
        for shown, score in (("CASS-κ", "kappa"), ("CASS-F1", "f1")):
            spread = self.distribution(score)
            if spread is None:
                continue
            ends = (spread.least, *spread.quartiles, spread.greatest)
            rows.append([shown, spread.count, spread.mean, spread.deviation, *ends])
            if spread.outliers:
                names = ", ".join(f"{name} {value:.3f}" for name, value in spread.outliers[:10])
                notes.append(f"outliers of {shown}: {names}{' …' if spread.outliers[10:] else ''}")
        columns = ("", "pairs", "mean", "sd", "least", "quartile", "median", "quartile 3", "greatest")
        return Table("Spread over pairs", columns, rows, note="\n".join(notes)) if rows else None

    def __repr__(self) -> str:
        kappa = self.macro.cass["kappa"]
        shown = "–" if kappa is None else f"{kappa:.3f}"
        return f"<CorpusComparison {len(self.pairs)} pairs, macro CASS-κ {shown}>"


#: The numbers that tables show; all scores are in the other formats.
_HEAD = ("S", "M-κ", "CASS-κ", "M-F1", "CASS-F1")


def _shown(
    similarity: float | None, mean: Mapping[str, float | None], cass: Mapping[str, float | None]
) -> tuple[Cell, ...]:
    return (similarity, mean["kappa"], cass["kappa"], mean["f1"], cass["f1"])


def pair_row(pair: PairSummary) -> dict[str, Any]:
    """A pair's S, M and CASS of every score in one flat row."""
    scores = _score_columns(pair.means["all"], pair.cass["all"], _against(pair, "all"))
    return {"name": pair.name, "n": pair.n, "S": pair.S, "mode": pair.mode, **scores, **pair.measures}


def layer_row(pair: PairSummary, layer: ScoreLayer) -> dict[str, Cell]:
    """The same of one layer of a pair; the further measures are with the whole."""
    applicable = sum(layer == "all" or name in LAYERS[layer] for name in pair.matrices)
    scores = _score_columns(pair.means[layer], pair.cass[layer], _against(pair, layer))
    measures = pair.measures if layer == "all" else {}
    return {"name": pair.name, "layer": layer, "n": applicable, "S": pair.S, "mode": pair.mode, **scores, **measures}


def _against(pair: PairSummary, layer: ScoreLayer) -> AboveChance | None:
    return pair.chance.over[layer] if pair.chance else None


def _score_columns(means: Scores, cass: Scores, against: AboveChance | None = None) -> dict[str, Cell]:
    columns: dict[str, Cell] = {
        **{f"M_{name}": value for name, value in means.items()},
        **{f"cass_{name}": value for name, value in cass.items()},
    }
    if against is None:
        return columns
    return {
        **columns,
        **{f"M_by_chance_{name}": value for name, value in against.mean.items()},
        **{f"M_above_chance_{name}": value for name, value in against.above.items()},
        **{f"cass_above_chance_{name}": value for name, value in against.cass.items()},
    }
