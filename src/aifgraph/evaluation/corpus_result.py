"""The result of comparing two corpora: the results of its pairs, the numbers of the whole, and both as one document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, starmap
from operator import eq
from os import PathLike
from pathlib import Path
from typing import Any

from aifgraph.comparison.breakdown import Breakdown
from aifgraph.comparison.compare import compare
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.measures.registry import measure_tables
from aifgraph.comparison.options import Options, signature_of, signature_without, signature_words
from aifgraph.comparison.result import PairResult
from aifgraph.comparison.result_files import check_kind, is_corpus_result, is_lines, read_result, validated
from aifgraph.comparison.sides import PairNames, combined_hashes, told_apart
from aifgraph.comparison.tables import pair_row
from aifgraph.corpus.corpus import Corpus
from aifgraph.corpus.pairing import Pair, Pairing
from aifgraph.errors import AifgraphError, FormatError, NoSuchNameError, choose_from
from aifgraph.evaluation.corpus_document import corpus_adapter, options_of
from aifgraph.evaluation.corpus_tables import (
    FEW,
    against_chance,
    corpus_tables,
    lowest_pairs,
    pairs_table,
    score_table,
    short_table,
)
from aifgraph.evaluation.intervals import Intervals, intervals_of
from aifgraph.evaluation.pooled import MacroScores, MicroScores
from aifgraph.evaluation.record import ResultLines
from aifgraph.evaluation.sums import CorpusSums, MacroSums, missing_pair
from aifgraph.graph import Notice
from aifgraph.printable import quantity
from aifgraph.tables import Document, Result, Table, shown


@dataclass(frozen=True)
class CorpusComparison(Result):
    """How two corpora agree: the result of each pair, ``macro`` and ``micro``, what had no partner, and what failed.

    Attributes:
        pairs: the result of every pair; read from the results file where there is one.
        options: how it was compared; of a stored result, what the numbers of the whole depend on.
        missing: what counts for a text that only one corpus has: ``skip`` or ``zero``.
        unpaired: the names of the maps of each corpus that have no partner.
        failed: for each pair that could not be compared its name and why.
        notices: what was repaired, skipped or could not be used.
        pairing: how the pairs were made, for the signature.
        one_corpus: whether a corpus was compared with itself.
        stored_options: the options' own signature, where the options themselves are not whole (of a stored result).
        with_intervals: intervals over texts, where they were asked for; tables and documents have them.
    """

    pairs: Sequence[PairResult]
    options: Options
    missing: str
    unpaired: tuple[Sequence[str], Sequence[str]]
    failed: Sequence[tuple[str, str]]
    notices: tuple[Notice, ...] = ()
    pairing: str = "pair:name"
    one_corpus: bool = False
    stored_options: str = ""
    with_intervals: Intervals | None = field(default=None, repr=False)
    _folder: Any = field(default=None, repr=False)  # of temporary files; removed with this object
    _known_sums: CorpusSums | None = field(default=None, repr=False, compare=False)  # of ``pairs``, if already summed
    _pairs: Pairing = field(default=Pairing(()), repr=False, compare=False)
    _first: Corpus | None = field(default=None, repr=False, compare=False)
    _second: Corpus | None = field(default=None, repr=False, compare=False)

    def __eq__(self, other: object) -> bool:
        # So that a result is equal to what is read from its file, which has no maps and not all options.
        if not isinstance(other, CorpusComparison):
            return NotImplemented
        return self._whole == other._whole and all(map(eq, self.pairs, other.pairs))

    @property
    def _whole(self) -> tuple[Any, ...]:
        unpaired, failed = [[*side] for side in self.unpaired], [*self.failed]
        return self.signature, len(self.pairs), unpaired, failed, self.notices, self.one_corpus, self.with_intervals

    @property
    def names(self) -> PairNames:
        """What the two corpora are called, by the ends of their paths."""
        one, other = (str(corpus.path) if corpus else "" for corpus in (self._first, self._second))
        return told_apart(one, other) if one and other else PairNames("the first corpus", "the second corpus")

    @cached_property
    def signature(self) -> str:
        """The line that says how the numbers were made."""
        head, _, version = (self.stored_options or signature_of(self.options)).rpartition("|")
        axis = ["axis:anchors"] if self._sums.anchors else []
        hashes = [f"in:{'.'.join(combined_hashes(pair.sides for pair in self.pairs))}"] if self.options.hashes else []
        drawn = [self.with_intervals.signature] if self.with_intervals else []
        return "|".join([head, *axis, self.pairing, f"missing:{self.missing}", *hashes, version, *drawn])

    @cached_property
    def _sums(self) -> CorpusSums:
        return self._known_sums or CorpusSums.of(self.pairs)

    @property
    def look_out(self) -> list[str]:
        """What a reader of the scores has to know, each in a few words."""
        return self._sums.look_out.of_corpus()

    @property
    def matched(self) -> dict[str, list[int]]:
        """How many propositions and locutions are matched, of how many on the first and the second sides."""
        return self._sums.classes

    @property
    def reconstructed(self) -> int:
        """How many pairs have a proposition that nobody said."""
        return self._sums.look_out.with_reconstructed

    @property
    def warning_count(self) -> int:
        """How many warnings the pairs have."""
        return self._sums.warnings

    @property
    def kappa(self) -> float | None:
        """CASS-κ of the mean over texts: ``macro.cass["kappa"]``."""
        return self.macro.cass["kappa"]

    @property
    def f1(self) -> float | None:
        """CASS-F1 of the mean over texts: ``macro.cass["f1"]``."""
        return self.macro.cass["f1"]

    @cached_property
    def macro(self) -> MacroScores:
        """Means over texts of the means over a text's pairs, fused: ``macro.cass["kappa"]``."""
        sums = deepcopy(self._sums.macro)
        for pair in self._missing_pairs():
            sums.add(pair)
        return sums.scores()

    @cached_property
    def texts(self) -> list[tuple[str, MacroScores]]:
        """Every text by its name, with what ``macro`` is of it alone."""
        return list(self.each_text())

    def each_text(self) -> Iterator[tuple[str, MacroScores]]:
        """The same, one at a time."""
        sums = MacroSums()
        for pair in self.counted:
            sums.add(pair)
        return sums.by_text()

    @cached_property
    def micro(self) -> MicroScores:
        """The scores of the summed counts."""
        return self._sums.micro.scores(mean_of_layers=self.options.mean == "layers")

    @property
    def breakdown(self) -> Breakdown:
        """What stands behind the scores, from the summed counts of all pairs."""
        return self.micro.breakdown

    @property
    def measures(self) -> dict[str, float | None]:
        """The mean over pairs of every further measure that was requested."""
        return self._sums.measures

    @property
    def counted(self) -> Iterable[PairResult]:
        """The pairs, and with ``missing="zero"`` the texts that only one side has."""
        return self.pairs if self.missing == "skip" else chain(self.pairs, self._missing_pairs())

    def _missing_pairs(self) -> Iterable[PairResult]:
        """The texts that only one side has, where they count."""
        names = chain(*self.unpaired) if self.missing == "zero" else ()
        return (missing_pair(name, self.options) for name in names)

    def __iter__(self) -> Iterator[PairResult]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, name: str | int) -> PairResult:
        """The result of a pair by its name or number; ``comparison(name)`` has its maps, too. ``NoSuchNameError`` for
        other names."""
        if isinstance(name, int):
            return self.pairs[name]
        if isinstance(name, slice):
            raise TypeError("a pair has a name or a number; pairs[:5] are several")
        found = {pair.name: pair for pair in self.pairs}
        if name not in found:
            raise NoSuchNameError(f"there is no pair {name!r}"[:200], remedy=choose_from(found))
        return found[name]

    def comparison(self, name: str) -> Comparison:
        """The whole comparison of a pair by its name, made when it is asked for: its maps are compared again.

        Raises:
            NoSuchNameError: there is no such pair.
            InputError: a map of it cannot be read.
        """
        named = {names.shown: names for names in self._by_names}
        if name not in named:
            raise NoSuchNameError(f"there is no pair {name!r}"[:200], remedy=choose_from(named))
        return self._compared(named[name])

    @property
    def comparisons(self) -> Iterator[Comparison]:
        """The comparison of every pair that could be compared, in order, each made when it is its turn."""
        return (self._compared(pair.names) for pair in self.pairs)

    def _compared(self, names: PairNames) -> Comparison:
        pair = self._by_names[names]
        return compare(pair.first.load(), pair.second.load(), options=self.options)

    @cached_property
    def _by_names(self) -> dict[PairNames, Pair]:
        return {PairNames(pair.first.name, pair.second.name): pair for pair in self._pairs}

    def show(self, folder: str | PathLike[str] | None = None, *, browser: bool = True) -> Path:
        """Write the pages of all pairs and of the whole, and open the latter. Every pair is compared again.

        ``folder`` is new or empty; by default a new temporary folder, which stays.

        Raises:
            InputError: The folder holds something else, or a map cannot be read any more.
        """
        from aifgraph.report.display import show_corpora

        return show_corpora(self, folder, browser=browser)

    def _repr_html_(self) -> str:
        from aifgraph.report.display import corpora_html

        return corpora_html(self)

    def intervals(
        self,
        *,
        rounds: int | None = None,
        seed: int | None = None,
        level: float | None = None,
    ) -> Intervals:
        """Bootstrap intervals over texts, of every number of ``macro`` and ``micro``. The pairs of a text are drawn
        together. What is not given is as in ``with_intervals``; where there are none, 1000 rounds, seed 0, level 0.95.

        Args:
            rounds: times that texts are drawn.
            seed: the seed of the draws.
            level: the confidence, between 0 and 1.

        Raises:
            OptionError: a value is out of range.
        """
        given = {"rounds": rounds, "seed": seed, "level": level}
        before = {name: getattr(self.with_intervals, name) for name in given} if self.with_intervals else {}
        how: dict[str, Any] = {**before, **{name: value for name, value in given.items() if value is not None}}
        return intervals_of(self.counted, mean_of_layers=self.options.mean == "layers", **how)

    def rows(self) -> list[dict[str, Any]]:
        """One row per pair, for a data frame: its name, n, S with its mode, and M and CASS of every score
        (``M_kappa``, ``cass_kappa`` …)."""
        return [pair_row(pair) for pair in self.pairs]

    def score_table(self) -> Table:
        """Everything in one table, for CSV; the column ``of`` says what a row is."""
        return score_table(self)

    def short_table(self) -> Table:
        """What people look at first, on half a page: the scores of the whole, and what to look out for."""
        return short_table(self)

    def tables(self) -> list[Table]:
        """Every number: the whole, intervals, the pairs, and what had no partner or failed."""
        return corpus_tables(self)

    def document(self) -> Document:
        """What the command line writes: short table, measures, the pairs that agree least; in CSV every score."""
        tables = [self.short_table(), *measure_tables(self.measures, "mean over pairs")]
        tables += [self.pairs_table()] if self.pairs else []
        return Document(tables=tables, csv=[self.score_table()], signature=self.signature, signature_below=True)

    def pairs_table(self) -> Table:
        """The few pairs that agree least."""
        return pairs_table(self, lowest_pairs(self.pairs, FEW), "Pairs that agree least")

    def chance_table(self) -> Table | None:
        """Every score a row: mean M over pairs, what it is by chance, above chance, and CASS; None without chance."""
        return against_chance(self)

    def summary_dict(self) -> dict[str, Any]:
        """The result as plain values without the texts and pairs."""
        return {
            "aifgraph": signature_words(self.signature).get("v", ""),
            "signature": self.signature,
            "look_out": self.look_out,
            **self._numbers(),
            **({"intervals": self.with_intervals.to_dict()} if self.with_intervals else {}),
            "unpaired": {"first": list(self.unpaired[0]), "second": list(self.unpaired[1])},
            "failed": [{"name": name, "error": error} for name, error in self.failed],
            "warnings": [notice.message for notice in self.notices],
        }

    def _numbers(self) -> dict[str, Any]:
        return {
            "macro": self.macro.to_dict(),
            "micro": self.micro.to_dict(),
            "breakdown": self.breakdown.to_dict(),
            **({"measures": self.measures} if self.measures else {}),
        }

    def to_dict(self) -> dict[str, Any]:
        """The whole result as plain values."""
        texts = list(starmap(_of_text, self.each_text()))
        return self.summary_dict() | {"texts": texts, "pairs": [pair.to_dict() for pair in self.pairs]}

    def json_parts(self) -> Iterator[str]:
        """``to_dict`` as JSON, in parts to be joined: one pair, or text, in memory at a time."""
        whole = json.dumps(self.summary_dict(), ensure_ascii=False, indent=1)
        yield whole.removesuffix("\n}")
        lists = {"texts": starmap(_of_text, self.each_text()), "pairs": map(PairResult.to_dict, self.pairs)}
        for key, documents in lists.items():
            yield f',\n "{key}": ['
            for number, document in enumerate(documents):
                yield (",\n" if number else "\n") + json.dumps(document, ensure_ascii=False, indent=1)
            yield "\n ]"
        yield "\n}\n"

    @staticmethod
    def from_dict(document: Mapping[str, Any]) -> CorpusComparison:
        """The comparison of a document that ``to_dict`` made, with its pairs; their maps are not there.

        Raises:
            FormatError: the document is no result of two corpora, or a damaged one.

        >>> import aifgraph
        >>> result = aifgraph.compare_corpora("fixtures/debates/ann", "fixtures/debates/ben")
        >>> aifgraph.CorpusComparison.from_dict(result.to_dict()).kappa == result.kappa
        True
        """
        check_kind(document)
        stored = validated(corpus_adapter(), document)
        words = signature_words(stored.signature)
        return CorpusComparison(
            stored.pairs,
            options_of(words),
            words.get("missing", "skip"),
            (stored.unpaired.first, stored.unpaired.second),
            tuple((failure.name, failure.error) for failure in stored.failed),
            tuple(Notice("stored", message) for message in stored.messages),
            pairing=f"pair:{words.get('pair', '')}",
            stored_options=signature_without(stored.signature, "axis", "pair", "missing", "in", "ci"),
            with_intervals=Intervals.from_dict(stored.intervals) if stored.intervals else None,
        )

    @staticmethod
    def load(path: str | PathLike[str]) -> CorpusComparison:
        """The result in a file: JSON, or the lines of ``results=`` (``--resume``).

        Raises:
            NoSuchFileError: there is no such file.
            FormatError: what is in it is no result of two corpora, or a damaged one.
        """
        result = read_stored(Path(path))
        if isinstance(result, PairResult):
            what = "the result of two maps, not of two corpora"
            raise FormatError(what, where=str(path), remedy="Comparison.load reads it")
        return result

    def __repr__(self) -> str:
        return (
            f"<CorpusComparison {quantity(len(self.pairs), 'pairs')}, macro CASS-κ {shown(self.macro.cass['kappa'])}>"
        )


def _of_text(name: str, scores: MacroScores) -> dict[str, Any]:
    """A text as plain values."""
    return {"name": name, **scores.of_text_dict()}


def corpus_from_lines(path: Path) -> CorpusComparison:
    """The comparison in a file of results (``--resume``).

    Raises:
        NoSuchFileError: there is no such file. FormatError: it is not a file of results.
    """
    sums = CorpusSums(MacroSums(ResultLines(path).header.several))
    lines = ResultLines(path, sums.add)
    header = lines.header
    return CorpusComparison(
        lines,
        options_of(signature_words(header.signature), hashes=header.hashes),
        header.missing,
        header.unpaired,
        lines.failed,
        pairing=header.pairing,
        one_corpus=header.one_corpus,
        stored_options=header.signature,
        _known_sums=sums,
    )


def read_stored(path: Path) -> PairResult | CorpusComparison:
    """The result in a file: of two maps or two corpora, as JSON, or the JSON lines of a run (``--resume``).

    Raises:
        NoSuchFileError: there is no such file. FormatError: what is in it is no result, or a damaged one.
    """
    if is_lines(path):
        return corpus_from_lines(path)
    document = read_result(path)
    try:
        return CorpusComparison.from_dict(document) if is_corpus_result(document) else PairResult.from_dict(document)
    except AifgraphError as error:
        raise error.at(str(path)) from None
