"""What is summed over the pairs of a run while they come, so that their file need not be read again for it."""

from __future__ import annotations

from aifgraph.evaluation.pooled import MacroSums, Means, MicroSums, PairSummary


class MeasureSums:
    """The means of measures other than CASS."""

    def __init__(self) -> None:
        self._sums = Means()
        self._names: dict[str, None] = {}  # in the order in which they came

    def add(self, pair: PairSummary) -> None:
        """Add a pair."""
        if pair.measures:
            self._sums.add(pair.measures)
            self._names |= dict.fromkeys(pair.measures)

    def means(self) -> dict[str, float | None]:
        """The mean of every measure over the pairs that have it."""
        return {name: self._sums[name] for name in self._names}


class CorpusSums:
    """The sums over pairs; their size does not depend on the number of pairs.

    Attributes:
        macro: the sums behind ``macro``.
        micro: the sums behind ``micro``.
        measures: the sums of further measures.
        warnings: how many warnings the pairs have.
        anchors: whether a text was too long for the usual diff.
    """

    def __init__(self) -> None:
        self.macro = MacroSums()
        self.micro = MicroSums()
        self.measures = MeasureSums()
        self.warnings = 0
        self.anchors = False

    def add(self, pair: PairSummary) -> None:
        """Add a pair."""
        self.macro.add(pair)
        self.micro.add(pair)
        self.measures.add(pair)
        self.warnings += len(pair.warnings)
        self.anchors = self.anchors or pair.anchors
