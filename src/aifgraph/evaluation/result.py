"""The result of comparing two corpora."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nsmallest
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from aifgraph.comparison.options import extended, short_signature, signature_words
from aifgraph.comparison.result import PairResult
from aifgraph.comparison.tables import pair_row
from aifgraph.errors import FormatError
from aifgraph.evaluation.caveats import corpus_caveats
from aifgraph.evaluation.macro import macro_table
from aifgraph.evaluation.micro import micro_tables
from aifgraph.evaluation.pooled import Pooled, TextTable, cell, numbers_table, pool
from aifgraph.evaluation.record import Header, Outcome, Record
from aifgraph.graph import Notice
from aifgraph.stats.resampling import Bootstrap
from aifgraph.stats.scores import AGAINST_CHANCE
from aifgraph.tables import Cell, Table, render
from aifgraph.version import __version__

#: The rows of the short table: numbers without their score.
ROWS = ("CASS", "M", "argument M", "dialogue M", "ER", "E", "M'", "CASS'")


@dataclass(frozen=True)
class CorpusComparison:
    """How two corpora agree.

    ``macro`` and ``micro`` have every number by its name: ``result.macro["argument CASS-kappa"].value``.

    >>> from aifgraph.evaluation.run import compare_corpora
    >>> result = compare_corpora("fixtures/debates/ann", "fixtures/debates/ben")
    >>> print(result.macro["CASS-kappa"], result.caveats[0])
    0.951 3 texts are few: of 95 % intervals over 5 texts, 82 % hold the true value
    """

    outcomes: Record | Sequence[Outcome] = field(repr=False)
    header: Header
    notices: tuple[Notice, ...] = ()

    @staticmethod
    def load(path: str | PathLike[str]) -> CorpusComparison:
        """Read the result of a run from its file."""
        record = Record(Path(path))
        return CorpusComparison(record, record.header)

    @cached_property
    def signature(self) -> str:
        """The line that says how the numbers were made."""
        anchors = any(pair.anchors for pair in self.pairs)
        return extended(self.header.signature, {"axis": "anchors"} if anchors else {})

    def signed(self, bootstrap: Bootstrap | None) -> str:
        """Return the signature of numbers with intervals."""
        return extended(self.signature, bootstrap.parts) if bootstrap else self.signature

    @property
    def pairs(self) -> Iterable[PairResult]:
        """The results of the pairs that could be compared."""
        return (outcome.result for outcome in self.outcomes if outcome.result and not outcome.missing)

    @property
    def failed(self) -> dict[str, str]:
        """The errors of the pairs that could not be compared."""
        return {str(outcome.key): outcome.error for outcome in self.outcomes if outcome.error}

    @cached_property
    def texts(self) -> TextTable:
        """The texts by macro numbers."""
        return macro_table(self.outcomes)

    @cached_property
    def sums(self) -> list[TextTable]:
        """The texts by the sums that micro numbers are of."""
        by_layers = signature_words(self.header.signature).get("mean") == "layers"
        return micro_tables(self.outcomes, mean_of_layers=by_layers)

    @cached_property
    def macro(self) -> Pooled:
        """The means over texts."""
        return pool(self.texts)

    @cached_property
    def micro(self) -> Pooled:
        """The scores of sums over all pairs."""
        return pool(*self.sums)

    def with_intervals(self, bootstrap: Bootstrap | None) -> tuple[Pooled, Pooled]:
        """Return ``macro`` and ``micro`` with bootstrap intervals over texts, without any where it is None."""
        if bootstrap is None:
            return self.macro, self.micro
        return pool(self.texts, bootstrap=bootstrap), pool(*self.sums, bootstrap=bootstrap)

    @cached_property
    def caveats(self) -> list[str]:
        """The caveats of the numbers."""
        unpaired = {"first": self.header.unpaired_first, "second": self.header.unpaired_second}
        alone = [f"only the {side} corpus has {_listed(names)}" for side, names in unpaired.items() if names]
        return [*corpus_caveats(self.outcomes, self.macro), *alone]

    def table(self, bootstrap: Bootstrap | None = None) -> Table:
        """Return the short table, with intervals of the means if there is a bootstrap."""
        macro, _ = self.with_intervals(bootstrap)
        rows: list[list[Cell]] = []
        for row in ROWS:
            kappa, f1 = f"{row}-kappa", f"{row}-f1"
            estimate = macro[kappa]
            nothing_reconstructed = row == "ER" and estimate == macro["argument M-kappa"]
            if estimate.value is not None and not nothing_reconstructed:
                counts = estimate.texts, estimate.pairs
                micro = (self.micro[number].value for number in (kappa, f1))
                rows.append([AGAINST_CHANCE.get(row, row), *map(cell, (estimate, macro[f1])), *counts, *micro])
        note = f"κ and F1 are means over texts. CASS combines M with S, here {macro['S']} (micro {self.micro['S']})."
        if bootstrap:
            note += f"\nBrackets: {100 * bootstrap.level:.4g} % intervals over texts"
        note = "\n".join([note, *(f"Caveat: {caveat}." for caveat in self.caveats)])
        return Table("", ("", "κ", "F1", "texts", "pairs", "micro κ", "micro F1"), rows, note=note)

    def tables(self, bootstrap: Bootstrap | None = None) -> list[Table]:
        """Return the short table, further measures if there are any, and the pairs that agree least."""
        measures = [(name, self.macro[name].value, self.macro[name].texts) for name in self.header.measures]
        further = [Table("Other measures", ("measure", "mean over texts", "texts"), measures)] if measures else []
        return [self.table(bootstrap), *further, self.lowest_table()]

    def numbers_table(self, bootstrap: Bootstrap | None = None) -> Table:
        """Return a row for each number of ``macro`` and ``micro``."""
        return numbers_table(dict(zip(("macro", "micro"), self.with_intervals(bootstrap), strict=True)), "pooled")

    def lowest_table(self, rows: int = 5) -> Table:
        """Return the pairs that agree least."""
        lowest = nsmallest(rows, self.pairs, key=lambda pair: (pair.kappa is None, pair.kappa))
        scores = [(pair.name, pair.S, pair.mean["kappa"], pair.kappa, pair.mean["f1"], pair.f1) for pair in lowest]
        return Table("Pairs that agree least", ("name", "S", "M-κ", "CASS-κ", "M-F1", "CASS-F1"), scores)

    def pairs_table(self) -> Table:
        """Return a row for each pair, with every score."""
        rows = [pair_row(pair) for pair in self.pairs]
        return Table("Pairs", list(rows[0]) if rows else [], [list(row.values()) for row in rows])

    def texts_table(self) -> Table:
        """Return a row for each text, with its macro numbers."""
        numbers = self.texts.pool(np.eye(len(self.texts.texts)))
        columns = [[value if isfinite(value) else None for value in values.tolist()] for values in numbers.values()]
        return Table("Texts", ["text", *map(str, numbers)], list(zip(self.texts.texts, *columns, strict=True)))

    def to_dict(self, bootstrap: Bootstrap | None = None) -> dict[str, Any]:
        """Return plain values: the numbers of the whole and of each text, and the pairs."""
        macro, micro = self.with_intervals(bootstrap)
        return {
            "aifgraph": __version__,
            "signature": self.signed(bootstrap),
            "caveats": self.caveats,
            "macro": macro.to_dict(),
            "micro": micro.to_dict(),
            "unpaired": {"first": self.header.unpaired_first, "second": self.header.unpaired_second},
            "failed": self.failed,
            "texts": self.texts_table().records(),
            "pairs": [pair.to_dict() for pair in self.pairs],
        }

    def __repr__(self) -> str:
        return f"<CorpusComparison of {len(self.outcomes)} pairs>"

    def __str__(self) -> str:
        return f"{render(self.tables())}{short_signature(self.signature)}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if names[8:] else "")


def read_stored(path: Path) -> PairResult | CorpusComparison:
    """Return the result in a file: of two maps as JSON, of two corpora as the lines of a run."""
    content = path.read_bytes()
    if b'\n "macro": ' in content:
        what = "the numbers of many pairs in JSON, which cannot be read back"
        raise FormatError(what, where=str(path), remedy="give the lines that compare --resume RUN.jsonl writes")
    is_run = content.startswith(b'{"kind":"aifgraph results"')
    return CorpusComparison.load(path) if is_run else PairResult.load(path)
