"""Are two RuArg-2022 systems really different? The approximate randomisation test over sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from aifgraph.datasets.ruarg import KINDS, LABELS, SUBTASKS, Kind, Sentence
from aifgraph.tasks.ruarg.score import RELEVANT, RuArgFile, paired, system_names
from aifgraph.tasks.scores import ZERO_DIVISION, ZeroDivision, one_of
from aifgraph.tasks.significance import PairTests, macro_f1_of, pair_tests

if TYPE_CHECKING:
    from aifgraph.tasks.significance import Counts

_CELLS = len(LABELS) ** 2
_AVERAGED = [LABELS.index(label) for label in RELEVANT]


def significance(
    gold: RuArgFile,
    systems: Sequence[RuArgFile],
    kind: Kind = "stance",
    *,
    zero_division: ZeroDivision = "0",
    rounds: int = 10_000,
    seed: int = 0,
) -> PairTests:
    """Whether systems differ: the approximate randomisation test of all pairs, over sentences.

    In each round the two systems' labels of a sentence, of all claims together, are swapped with probability ½.

    Args:
        gold: the gold labels.
        systems: the labels of each system.
        kind: what is tested: ``F1_stance`` (``stance``) or ``F1_premise`` (``premise``).
        zero_division: what the F1 of a class that neither side has counts as: ``0``, ``1``, or ``leave-out``.
        rounds: how often labels are swapped, 1 or more.
        seed: what the swaps are drawn with.

    Returns:
        A two-sided p-value for each pair.

    Raises:
        InputError: fewer than two systems, two of one name, or not the sentences of the gold file.
        OptionError: an option out of its range.
    """
    import numpy as np

    one_of("kind", kind, KINDS)
    one_of("zero_division", zero_division, ZERO_DIVISION)
    subtasks = [subtask for subtask in SUBTASKS if subtask.kind == kind]

    def row(ours: Sentence, theirs: Sentence) -> list[float]:
        cells = [0.0] * (_CELLS * len(subtasks))
        for number, subtask in enumerate(subtasks):
            wanted, given = (LABELS.index(one.labels[subtask.column]) for one in (ours, theirs))
            cells[_CELLS * number + len(LABELS) * wanted + given] = 1.0
        return cells

    def statistic(counts: Counts) -> Counts:
        claims = np.stack(
            [
                macro_f1_of(block, len(LABELS), _AVERAGED, zero_division)
                for block in np.split(counts, len(subtasks), axis=1)
            ]
        )
        with np.errstate(all="ignore"):
            defined = np.isfinite(claims)
            mean: Counts = np.where(defined, claims, 0).sum(axis=0) / defined.sum(axis=0)
        return mean

    def rows(system: RuArgFile) -> Counts:
        pairs = paired(gold, system)
        if gold.has_ids:
            # Sorted ids: the draws must not depend on the order of the gold file's rows.
            pairs = sorted(pairs, key=lambda pair: pair[0].id)
        return np.array([row(ours, theirs) for ours, theirs in pairs])

    return pair_tests(
        {name: rows(system) for name, system in zip(system_names(systems), systems, strict=True)},
        statistic,
        measure=f"ruarg.significance.f1_{kind}",
        rounds=rounds,
        seed=seed,
        options={"zero_division": zero_division},
    )
