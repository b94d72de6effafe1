"""The result of comparing two corpora."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

from aifgraph.comparison.cass import LAYER_NAMES
from aifgraph.comparison.result import PairResult
from aifgraph.comparison.tables import pair_row
from aifgraph.errors import FormatError
from aifgraph.evaluation.caveats import corpus_caveats, few_texts, left_out
from aifgraph.evaluation.pooled import Number, Pooled, PooledResult, TextTable, cell, pool, printed_quantity
from aifgraph.evaluation.record import Header, Outcome, read_record
from aifgraph.evaluation.text_tables import macro_table, micro_tables, summed_matrices, zero_row
from aifgraph.graph import Notice
from aifgraph.printable import quantity
from aifgraph.stats.resampling import Bootstrap
from aifgraph.tables import Cell, Table

#: The rows of the short table, by their numbers without a score.
ROWS = ("argument M", "dialogue M", "M", "S", "CASS", "ER")
#: The rows below them: by chance and above it.
AGAINST = {"M": ("E", "M'"), "CASS": ("CASS'",), "ER": ("E(ER)", "ER'")}
#: How many pairs the short tables list.
LOWEST = 5


@dataclass(frozen=True, repr=False, kw_only=True)
class CorpusComparison(PooledResult):
    """How two corpora agree.

    ``macro`` and ``micro`` have every number by its name: ``result.macro["argument CASS-kappa"].value``.

    >>> from aifgraph.evaluation.run import compare_corpora
    >>> result = compare_corpora("fixtures/debates/ann", "fixtures/debates/ben")
    >>> print(result.macro["CASS-kappa"], result.caveats[0])
    0.951 in 1 of 3 pairs both sides are copies of one map, with the same ids; argument M-κ is 0.867 without them
    """

    one_row = True

    outcomes: Sequence[Outcome]
    header: Header
    macro: Pooled
    micro: Pooled

    @classmethod
    def of(
        cls,
        outcomes: Sequence[Outcome],
        header: Header,
        notices: tuple[Notice, ...] = (),
        bootstrap: Bootstrap | None = None,
    ) -> CorpusComparison:
        """Return the result of a run."""
        outcomes = [*outcomes]
        texts = macro_table(outcomes)
        macro = pool(texts, bootstrap=bootstrap)
        how = header.signature
        micro = pool(*micro_tables(outcomes, mean_of_layers=how.options.mean == "layers"), bootstrap=bootstrap)
        results = (of.result for of in outcomes if of.result and not of.missing)
        axis = {"axis": "anchors"} if any("axis" in of.how.further for of in results) else {}
        few = few_texts(len(texts.texts)) if bootstrap else []
        return cls(
            outcomes=outcomes,
            header=header,
            macro=macro,
            micro=micro,
            subject=f"Agreement of {' and '.join(header.names)}",
            caveats=[*few, *corpus_caveats(outcomes, macro, micro, header.names)],
            tables_of_texts={" – ".join(header.names): texts},
            matrices={" – ".join(header.names): summed_matrices(outcomes)},
            notices=notices,
            signature=str(how.extend(**axis, **(bootstrap.parts if bootstrap else {}))),
            bootstrap=bootstrap,
        )

    @staticmethod
    def load(path: str | PathLike[str]) -> CorpusComparison:
        """Read the result of a run from its file."""
        header, outcomes, _ = read_record(Path(path))
        return CorpusComparison.of([*outcomes.values()], header)

    def with_intervals(self, bootstrap: Bootstrap | None) -> CorpusComparison:
        """Return the same result, with bootstrap intervals over texts in ``macro`` and ``micro``; None for none."""
        return CorpusComparison.of(self.outcomes, self.header, self.notices, bootstrap)

    @property
    def texts(self) -> TextTable:
        """The macro numbers of each text."""
        return next(iter(self.tables_of_texts.values()))

    @property
    def pairs(self) -> Iterable[PairResult]:
        """The results of the pairs that could be compared."""
        return (outcome.result for outcome in self.outcomes if outcome.result and not outcome.missing)

    @property
    def failed(self) -> dict[str, str]:
        """The errors of the pairs that could not be compared."""
        return {str(outcome.key): outcome.error for outcome in self.outcomes if outcome.error}

    @property
    def pooled(self) -> Mapping[str, Pooled]:
        """Both, by their names."""
        return {"macro": self.macro, "micro": self.micro}

    @property
    def coverage(self) -> str:
        """A sentence: how many texts and pairs there are, and what becomes of the texts that only one corpus has."""
        texts = Counter(outcome.text for outcome in self.outcomes if outcome.result and not outcome.missing)
        unpaired = zip(self.header.names, (self.header.unpaired_first, self.header.unpaired_second), strict=True)
        alone = left_out(dict(unpaired), missing=self.header.missing)
        kind = "compared pairs" if any(outcome.missing for outcome in self.outcomes) else "pairs"
        return f"{quantity(len(texts), 'texts')} in {quantity(texts.total(), kind)}{alone}."

    def table(self) -> Table:
        """Return the short table."""
        rows: list[list[Cell]] = []
        layers = [of for of in ("argument", "dialogue") if self.macro[f"{of} M-kappa"].texts]
        once = ["M"] if len(layers) == 1 else []  # M of one layer is M of that layer
        unsaid = any(side.reconstructed for pair in self.pairs for side in pair.sides)
        if not unsaid and self.macro["ER-kappa"] == self.macro["argument M-kappa"]:
            once.append("ER")  # which is argument M where nothing is reconstructed, and nothing undercut
        for name in ROWS:
            if name in once:
                continue
            part, space, what = name.rpartition(" ")
            for row in (name, *(f"{part}{space}{of}" for of in AGAINST.get(what, ()))):
                kappa, f1 = "S" if row == "S" else f"{row}-kappa", f"{row}-f1"
                estimate = self.macro[kappa]
                if estimate.value is not None:
                    micro = (self.micro[number].value for number in (kappa, f1))
                    counts = estimate.texts, estimate.pairs
                    rows.append([printed_quantity(row), *map(cell, (estimate, self.macro[f1])), *micro, *counts])
        drawn = [Number.parse(name) for name in ROWS if name not in once and name not in ("dialogue M", "argument M")]
        drawn = [number for number in drawn if self.macro[number._replace(score="kappa" * (number.what != "S"))].texts]
        means = self._means([*(Number("M", "", of) for of in layers), *drawn])
        if any(outcome.missing for outcome in self.outcomes):
            means += f" Micro sums the {quantity(sum(1 for _ in self.pairs), 'compared pairs')}."
        return Table(
            self.coverage, ("", "κ", "F1", "micro κ", "micro F1", "texts", "pairs"), rows, note=self._note(means)
        )

    def paper(self) -> list[Table]:
        """Return the short table, and measures other than CASS if there are any."""
        measures = [(name, self.macro[name].value, self.macro[name].texts) for name in self.header.measures]
        others = [Table("Other measures", ("measure", "mean over texts", "texts"), measures)] if measures else []
        return [self.table(), *others]

    def tables(self) -> list[Table]:
        """Return the same, and the pairs that agree least."""
        lowest = nsmallest(LOWEST, self.pairs, key=lambda pair: (pair.kappa is None, pair.kappa))
        pairs = [short_pairs_table("Pairs with the lowest CASS-κ", lowest)] if len(lowest) > 1 else []
        return [*self.paper(), *pairs]

    def details(self) -> list[Table]:
        """Return the short tables, all pairs and texts, every label, and a row for each quantity."""
        short, *others = super().details()
        return [short, short_pairs_table("Pairs", [*self.pairs]), *others]

    def pairs_table(self) -> Table:
        """Return a row for each pair, with every score; of those with a map that is missing, the zeros that count."""
        rows: list[dict[str, Cell]] = []
        for outcome in self.outcomes:
            if pair := outcome.result:
                row = {**pair_row(pair), "missing": outcome.missing}
                zeros = zero_row(pair) if outcome.missing else {}
                rows.append({**row, "n": 0, "mode": "", **zeros} if zeros else row)
        columns = [*dict.fromkeys(chain.from_iterable(rows))]
        return Table("Pairs", columns, [[row.get(column) for column in columns] for row in rows])

    def finest_table(self) -> Table:
        """Return the pairs."""
        return self.pairs_table()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: the numbers of the whole and of each text, and the pairs."""
        document = super().to_dict()
        return document | {
            "names": list(self.header.names),
            "unpaired": {"first": self.header.unpaired_first, "second": self.header.unpaired_second},
            "failed": self.failed,
            "texts": document.pop("by_text"),
            "pairs": [pair.to_dict() for pair in self.pairs],
        }


def short_pairs_table(title: str, pairs: Sequence[PairResult]) -> Table:
    """Return a row for each pair."""
    layers = [layer for layer in LAYER_NAMES if any(pair.layers[layer].n for pair in pairs)]
    layers = layers[:1] if len(layers) == 2 else layers  # M is M of one layer
    rows = [
        (pair.name, *(pair.layers[layer].mean["kappa"] for layer in layers), pair.S, pair.kappa, pair.f1)
        for pair in pairs
    ]
    return Table(title, ("", *(f"{LAYER_NAMES[layer]}M-κ" for layer in layers), "S", "CASS-κ", "CASS-F1"), rows)


def read_stored(path: Path) -> PairResult | CorpusComparison:
    """Return the result in a file: of two maps as JSON, of two corpora as the lines of a run."""
    content = path.read_bytes()
    if b'\n "macro": ' in content:
        what = "the numbers of many pairs in JSON, which cannot be read back"
        raise FormatError(what, where=str(path), remedy="give the lines that compare --resume RUN.jsonl writes")
    is_run = content.startswith(b'{"kind":"aifgraph results"')
    return CorpusComparison.load(path) if is_run else PairResult.load(path)
