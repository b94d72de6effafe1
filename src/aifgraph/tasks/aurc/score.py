"""Token-, segment- and sentence-F1 of AURC (Trautmann et al. 2020, section 5; Kamp et al. 2022, table 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from math import fsum
from operator import add
from typing import TYPE_CHECKING, Literal, TypeAlias

from aifgraph.errors import InputError, OptionError
from aifgraph.stats import Estimate
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.tables import Table
from aifgraph.tasks.aurc.predictions import (
    LABELS,
    TIES,
    Label,
    Predicted,
    Run,
    Ties,
    is_argument,
    same_sentences,
    sentence_label,
)
from aifgraph.tasks.scores import (
    ZERO_DIVISION,
    PairTests,
    TaskResult,
    ZeroDivision,
    class_scores,
    confusion_row,
    counted_as,
    macro_f1,
    macro_f1_of,
    mean_and_deviation,
    mean_rows,
    one_of,
    pair_tests,
    short,
    signature,
    system_names,
)

if TYPE_CHECKING:
    from aifgraph.stats.bootstrap import Array

Variant: TypeAlias = Literal["published", "strict"]
VARIANTS: tuple[Variant, ...] = ("published", "strict")
Measure: TypeAlias = Literal["token", "segment", "sentence"]
MEASURES: tuple[Measure, ...] = ("token", "segment", "sentence")


@dataclass(frozen=True, slots=True)
class RunScore:
    """The macro F1 of one run over tokens and over sentences, and the mean :func:`segment_score` of its sentences.

    ``tokens`` are the gold labels of all tokens (rows) against the predicted ones (columns).
    """

    name: str
    tokens: ConfusionMatrix
    token_f1: Estimate
    segment_f1: Estimate
    sentence_f1: Estimate


@dataclass(frozen=True, slots=True, repr=False)
class AurcScore(TaskResult):
    """The scores of several runs of one system, and the options that they were made with."""

    runs: tuple[RunScore, ...]
    zero_division: ZeroDivision
    options: Mapping[str, object]

    @property
    def signature(self) -> str:
        return signature("aurc.f1", **self.options, deviation="population", runs=len(self.runs))

    def mean(self, measure: str) -> tuple[float, float] | None:
        """Mean and population deviation of ``token_f1``, ``segment_f1`` or ``sentence_f1``; None if a run has none."""
        return mean_and_deviation([getattr(run, measure).value for run in self.runs])

    def undefined(self) -> list[str]:
        """The scores that are undefined, and the classes that no token has."""
        counted = counted_as(self.zero_division)
        absent = [
            f"{run.name}: no token has the class {one.label!r}; its F1 is undefined and {counted}"
            for run in self.runs
            for one in class_scores(run.tokens)
            if one.f1 is None
        ]
        return absent + [
            f"{run.name}: {measure} is undefined: {estimate.reason}"
            for run in self.runs
            for measure, estimate in zip(_MEASURES, (run.token_f1, run.segment_f1, run.sentence_f1), strict=True)
            if estimate.value is None
        ]

    def tables(self) -> list[Table]:
        """The scores by run with mean and deviation; then the classes, over the tokens of all runs."""
        names = short([run.name for run in self.runs])
        rows = [
            (name, r.token_f1.value, r.segment_f1.value, r.sentence_f1.value)
            for name, r in zip(names, self.runs, strict=True)
        ]
        average = mean_rows([self.mean(measure) for measure in _MEASURES])
        pooled = class_scores(reduce(add, (run.tokens for run in self.runs)))
        classes = [(s.label, s.precision, s.recall, s.f1, s.gold, s.predicted) for s in pooled]
        return [
            Table("Scores", ("run", "token-F1", "segment-F1", "sentence-F1"), [*rows, *average]),
            Table(
                "Token classes",
                ("class", "precision", "recall", "F1", "gold", "predicted"),
                classes,
                note="tokens of all runs pooled",
            ),
        ]


_MEASURES = ("token_f1", "segment_f1", "sentence_f1")


def score(
    runs: Sequence[Run],
    *,
    ties: Ties = "random",
    seed: int | None = None,
    variant: Variant = "published",
    zero_division: ZeroDivision = "0",
) -> AurcScore:
    """Token-, segment- and sentence-F1 of the runs of one system.

    The gold label of a sentence is its own where it has one (:func:`aifgraph.tasks.aurc.with_token_gold`), otherwise it
    comes from the gold tokens. Sources: Trautmann et al. (2020), section 5; Kamp et al. (2022), table 5.

    Args:
        ties: what as many pro as con tokens make a sentence: ``pro``, ``con``, or one of them at ``random``.
        variant: how sentences without a gold argument are scored (:func:`aifgraph.tasks.aurc.segment_score`).
        zero_division: what the F1 of a class that neither side has counts as: ``0``, ``1``, or ``leave-out``.

    Raises:
        InputError: no run, or runs on different sentences.
        OptionError: an option out of its range.

    >>> from aifgraph.tasks import aurc
    >>> run = aurc.score([aurc.read_run("fixtures/tasks/aurc/run.json")], seed=1).runs[0]
    >>> [round(score.value, 3) for score in (run.token_f1, run.segment_f1, run.sentence_f1)]
    [0.543, 0.458, 0.222]
    """
    one_of("ties", ties, TIES)
    one_of("variant", variant, VARIANTS)
    one_of("zero_division", zero_division, ZERO_DIVISION)
    if not runs:
        raise InputError("there is no run to score", remedy="give one file of predictions or more")
    same_sentences(runs)
    scores = []
    for run in runs:
        tokens = ConfusionMatrix.of_pairs(
            ((g, p) for one in run.sentences for g, p in zip(one.gold, one.predicted, strict=True)), LABELS
        )
        token = Estimate(macro_f1(tokens, LABELS, zero_division), None if tokens.total else "there is no token")
        scores.append(
            RunScore(run.name, tokens, token, _segments(run, variant), _labels(run, ties, seed, zero_division))
        )
    own_gold = all(one.sentence_gold is not None for run in runs for one in run.sentences)
    options = {
        "ties": ties,
        "seed": seed if ties == "random" else None,
        "segments": variant,
        "zero_division": zero_division,
        "sentence_gold": "file" if own_gold else "tokens",
    }
    return AurcScore(tuple(scores), zero_division, options)


def _labels(run: Run, ties: Ties, seed: int | None, zero_division: ZeroDivision) -> Estimate:
    try:
        pairs = [
            (
                one.sentence_gold or sentence_label(one.gold, ties, seed, one.id),
                sentence_label(one.predicted, ties, seed, one.id),
            )
            for one in run.sentences
        ]
    except OptionError as error:
        return Estimate.undefined(str(error))
    return Estimate(macro_f1(ConfusionMatrix.of_pairs(pairs, LABELS), LABELS, zero_division))


def _segments(run: Run, variant: Variant) -> Estimate:
    scores = [segment_score(one.gold, one.predicted, variant) for one in run.sentences]
    values = [value for value in scores if value is not None]
    return Estimate(fsum(values) / len(values)) if values else Estimate.undefined("no sentence has a true or false run")


def segment_score(gold: Sequence[Label], predicted: Sequence[Label], variant: Variant = "published") -> float | None:
    """How much of the gold segments of one sentence was found: true / (true + false).

    A run of equal gold labels is true if more than half of its tokens are predicted with its label and that is pro or
    con, false if at most half are; a non run that is found counts as neither. A sentence without gold argument scores
    1 if its first token is predicted non (``published``) or if all are (``strict``); otherwise its one run is counted
    like any other. Sources: Trautmann et al. (2020), section 5; Kamp et al. (2022), table 5.

    >>> segment_score(("non", "pro", "pro", "pro"), ("non", "pro", "pro", "con"))
    1.0
    >>> segment_score(("non", "non"), ("non", "pro")), segment_score(("non", "non"), ("non", "pro"), "strict")
    (1.0, 0.0)
    >>> segment_score(("non", "non", "non"), ("pro", "non", "non")) is None
    True
    """
    looked_at = predicted[:1] if variant == "published" else predicted
    if not is_argument(gold) and not is_argument(looked_at):
        return 1.0
    true = false = start = 0
    for label, run in groupby(gold):
        length = sum(1 for _ in run)
        # In whole numbers: r > 0.5 is 2 · hits > length.
        if 2 * list(predicted[start : start + length]).count(label) > length:
            true += label != "non"
        else:
            false += 1
        start += length
    return true / (true + false) if true + false else None


#: The end of the name of a run: a number of three digits as in the published files, or a seed.
_RUN = re.compile(
    r"(?:(?:^|(?<=/)|[_.-])(?:seed|run)[_-]?[0-9]+|[_.-][0-9]{3,})(?=(?:\.pt)?(?:\.json)?$)", re.IGNORECASE
)


def systems_of(names: Sequence[str]) -> dict[str, list[str]]:
    """The names of runs by the system that they are of.

    >>> systems_of(["crf_001.json", "crf_002.json", "bert.json"])
    {'crf': ['crf_001.json', 'crf_002.json'], 'bert.json': ['bert.json']}
    """
    systems: dict[str, list[str]] = {}
    for name in names:
        system = _RUN.sub("", name).removesuffix(".json").removesuffix(".pt") or "system"
        systems.setdefault(system if _RUN.search(name) else name, []).append(name)
    return {of[0] if len(of) == 1 else system: of for system, of in systems.items()}


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
    """Whether systems differ: the approximate randomisation test of every two systems.

    Files that are called alike but for a number at the end (``_001``, ``_seed2``) are runs of one system, whose counts
    are added up sentence by sentence; any other file is a system of its own.

    In each round the two predictions of a sentence are swapped with probability ½. What is tested is the F1 of the
    ``measure``; the other options are those of :func:`score`, and the seed draws ties and swaps.

    Raises:
        InputError: fewer than two systems, two files of one name, or runs on different sentences.
        OptionError: an option out of its range, or a tie and no seed.
    """
    import numpy as np

    one_of("measure", measure, MEASURES)
    one_of("ties", ties, TIES)
    one_of("variant", variant, VARIANTS)
    one_of("zero_division", zero_division, ZERO_DIVISION)
    if runs:
        same_sentences(runs)
    names = system_names([run.name for run in runs])

    def row(one: Predicted) -> list[float]:
        if measure == "token":
            return confusion_row(zip(one.gold, one.predicted, strict=True), LABELS)
        if measure == "sentence":
            gold = one.sentence_gold or sentence_label(one.gold, ties, seed, one.id)
            return confusion_row([(gold, sentence_label(one.predicted, ties, seed, one.id))], LABELS)
        score = segment_score(one.gold, one.predicted, variant)
        return [0.0, 0.0] if score is None else [score, 1.0]

    def statistic(counts: Array) -> Array:
        if measure != "segment":
            return macro_f1_of(counts, len(LABELS), range(len(LABELS)), zero_division)
        with np.errstate(all="ignore"):
            mean: Array = counts[:, 0] / counts[:, 1]
        return mean

    rows = {
        # Sorted ids: the draws must not depend on the order of a file's sentences.
        name: np.array([row(one) for one in sorted(run.sentences, key=lambda one: one.id)])
        for name, run in zip(names, runs, strict=True)
    }
    systems = systems_of(names)
    if len(names) > 1 and len(systems) == 1:
        what = f"all files are runs of one system ({next(iter(systems))})"
        raise InputError(
            what, where=", ".join(names)[:200], remedy="give runs of two systems or more; score averages runs"
        )
    rows = {system: np.sum([rows[name] for name in of], axis=0) for system, of in systems.items()}
    options: dict[str, str] = {"variant": variant} if measure == "segment" else {"zero_division": zero_division}
    if len(systems) < len(names):
        options["runs"] = ".".join(str(len(of)) for of in systems.values())
    if measure == "sentence":
        options["ties"] = ties
    return pair_tests(
        rows,
        statistic,
        item="sentence",
        measure=f"aurc.significance.{measure}_f1",
        rounds=rounds,
        seed=seed or 0,
        options=options,
    )
