"""Are two AURC systems really different? The approximate randomisation test over sentences, as for the other tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from aifgraph.errors import InputError
from aifgraph.tasks.aurc.predictions import LABELS, TIES, Label, Predicted, Run, Ties, same_sentences, sentence_label
from aifgraph.tasks.aurc.score import VARIANTS, Variant, segment_score
from aifgraph.tasks.scores import ZERO_DIVISION, ZeroDivision, one_of, short, some
from aifgraph.tasks.significance import PairTests, macro_f1_of, pair_tests

if TYPE_CHECKING:
    from aifgraph.tasks.significance import Counts

Measure: TypeAlias = Literal["token", "segment", "sentence"]
MEASURES: tuple[Measure, ...] = ("token", "segment", "sentence")


def significance(
    runs: Sequence[Run],
    measure: Measure = "token",
    *,
    ties: Ties = "random",
    seed: int | None = None,
    variant: Variant = "published",
    zero_division: ZeroDivision = "0",
    rounds: int = 10_000,
) -> PairTests:
    """Whether systems differ: the approximate randomisation test of all pairs of runs, each run a system.

    In each round the two predictions of a sentence are swapped with probability ½.

    Args:
        runs: the predictions of each system, on the same sentences.
        measure: the F1 that is tested: ``token``, ``segment`` or ``sentence``.
        ties: as in :func:`aifgraph.tasks.aurc.score`.
        seed: what ties and swaps are drawn with; None is 0 for the swaps.
        variant: as in :func:`aifgraph.tasks.aurc.score`.
        zero_division: as in :func:`aifgraph.tasks.aurc.score`.
        rounds: how often predictions are swapped, 1 or more.

    Returns:
        A two-sided p-value for each pair.

    Raises:
        InputError: fewer than two runs, two of one name, or runs on different sentences.
        OptionError: an option out of its range, or a tie and no seed.
    """
    import numpy as np

    one_of("measure", measure, MEASURES)
    one_of("ties", ties, TIES)
    one_of("variant", variant, VARIANTS)
    one_of("zero_division", zero_division, ZERO_DIVISION)
    if runs:
        same_sentences(runs)
    names = short([run.name for run in runs])
    if len(set(names)) < len(names):
        raise InputError(f"a file is given twice: {some(sorted({n for n in names if names.count(n) > 1}))}")

    def cells(pairs: Sequence[tuple[Label, Label]]) -> list[float]:
        row = [0.0] * len(LABELS) ** 2
        for gold, predicted in pairs:
            row[len(LABELS) * _PLACE[gold] + _PLACE[predicted]] += 1
        return row

    def row(one: Predicted) -> list[float]:
        if measure == "token":
            return cells(list(zip(one.gold, one.predicted, strict=True)))
        if measure == "sentence":
            gold = one.sentence_gold or sentence_label(one.gold, ties, seed, one.id)
            return cells([(gold, sentence_label(one.predicted, ties, seed, one.id))])
        score = segment_score(one.gold, one.predicted, variant)
        return [0.0, 0.0] if score is None else [score, 1.0]

    def statistic(counts: Counts) -> Counts:
        if measure != "segment":
            return macro_f1_of(counts, len(LABELS), range(len(LABELS)), zero_division)
        with np.errstate(all="ignore"):
            mean: Counts = counts[:, 0] / counts[:, 1]
        return mean

    rows = {
        # Sorted ids: the draws must not depend on the order of a file's sentences.
        name: np.array([row(one) for one in sorted(run.sentences, key=lambda one: one.id)])
        for name, run in zip(names, runs, strict=True)
    }
    options: dict[str, str] = {"variant": variant} if measure == "segment" else {"zero_division": zero_division}
    if measure == "sentence":
        options["ties"] = ties
    return pair_tests(
        rows,
        statistic,
        measure=f"aurc.significance.{measure}_f1",
        rounds=rounds,
        seed=seed or 0,
        options=options,
    )


_PLACE = {label: place for place, label in enumerate(LABELS)}
