"""Predictions for AURC in the form of Kamp, Beinborn and Fokkens (2022), and their token-, segment- and sentence-F1.

A file is ``{"0": {"sentence": "tok tok", "y_true": "0 2", "y_pred": "0 0"}, …}``; 0 is non, 1 con, 2 pro. The scores
are those of Trautmann et al. (2020), section 5, and Kamp et al. (2022), table 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby
from math import fsum
from operator import add
from pathlib import Path
from random import Random
from typing import Any, Final, Literal, TypeAlias

from aifgraph.errors import FormatError, InputError, OptionError
from aifgraph.files import decode_strict, parse_json, read_bytes
from aifgraph.stats.scores import ConfusionMatrix
from aifgraph.tables import Table
from aifgraph.tasks import scores
from aifgraph.tasks.scores import Mean, Score, TaskResult, class_scores, confusion, macro

Label: TypeAlias = Literal["pro", "con", "non"]
Ties: TypeAlias = Literal["random", "pro", "con"]
Variant: TypeAlias = Literal["published", "strict"]
Measure: TypeAlias = Literal["token", "segment", "sentence"]
LABELS: Final[tuple[Label, ...]] = ("pro", "con", "non")
MEASURES: Final[tuple[Measure, ...]] = ("token", "segment", "sentence")
_CODES: Final[dict[str, Label]] = {"0": "non", "1": "con", "2": "pro", "non": "non", "con": "con", "pro": "pro"}


@dataclass(frozen=True, slots=True)
class Tokens:
    """A sentence as tokens with gold labels."""

    id: str
    topic: str
    tokens: tuple[str, ...]
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Predicted:
    """A sentence with a gold and a predicted label for each token, and the gold label of the whole if it has one."""

    id: str
    tokens: tuple[str, ...]
    gold: tuple[Label, ...]
    predicted: tuple[Label, ...]
    sentence_gold: Label | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """The predictions of one training run on a test set; ``name`` is the path of the file."""

    name: str
    sentences: tuple[Predicted, ...]


def read_json(path: Path) -> Any:
    """Return the value in a JSON file; a key that is given twice is an error, as a sentence would vanish."""

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            raise FormatError("a key is given twice", where=str(path))
        return made

    return parse_json(decode_strict(read_bytes(path), str(path)), str(path), make=members)


def read_run(path: str | Path) -> Run:
    """Read a file of predictions.

    >>> read_run("fixtures/tasks/aurc/run.json").sentences[0].predicted
    ('non', 'pro', 'pro', 'pro', 'non', 'non')
    """
    data = read_json(Path(path))
    if not isinstance(data, dict) or not data:
        raise FormatError("not an object of sentences", where=str(path))
    return Run(str(path), tuple(_sentence(id_, value, f"{path}, sentence {id_}") for id_, value in data.items()))


def _sentence(id_: str, value: object, where: str) -> Predicted:
    match value:
        case {"sentence": str(sentence), "y_true": str(gold), "y_pred": str(predicted)} if gold.split():
            tokens = sentence.split()
        case _:
            raise FormatError("not an object with the texts sentence, y_true and y_pred", where=where)
    labels = labels_of(gold.split(), where), labels_of(predicted.split(), where)
    if not len(tokens) == len(labels[0]) == len(labels[1]):
        what = f"{len(tokens)} tokens, {len(labels[0])} gold labels and {len(labels[1])} predicted ones"
        raise FormatError(what, where=where)
    return Predicted(id_, tuple(tokens), *labels)


def labels_of(cells: Iterable[str], where: str) -> tuple[Label, ...]:
    """Return 0, 1, 2 or the names as labels."""
    try:
        return tuple(_CODES[cell] for cell in cells)
    except KeyError as error:
        what = f"the label {error.args[0]!r} is out of range"
        raise FormatError(what, where=where, remedy="use 0 (non), 1 (con), 2 (pro)") from None


def with_token_gold(gold: Run, run: Run) -> Run:
    """Return the predictions of a sentence model with the gold tokens of a token model's file of the same split.

    A sentence model's file repeats one gold label for all tokens of a sentence. It is kept as ``sentence_gold``.
    """

    def by_sentence(run: Run) -> bool:
        return all(len({*sentence.gold}) == 1 for sentence in run.sentences)

    if by_sentence(gold) and not by_sentence(run):
        raise InputError("this run has gold labels for sentences, not for tokens", where=gold.name)
    known = {sentence.id: sentence for sentence in gold.sentences}
    scores.check_ids(known, (sentence.id for sentence in run.sentences), run.name)
    for sentence in run.sentences:
        if sentence.tokens != known[sentence.id].tokens:
            raise InputError(f"not the tokens of {gold.name}", where=f"{run.name}, sentence {sentence.id}")
    whole = by_sentence(run)
    sentences = (
        replace(sentence, gold=known[sentence.id].gold, sentence_gold=sentence.gold[0] if whole else None)
        for sentence in run.sentences
    )
    return Run(run.name, tuple(sentences))


def check_sentences(runs: Sequence[Run]) -> None:
    """Raise ``InputError`` without runs, or unless all are on the same sentences with the same gold labels."""
    if not runs:
        raise InputError("give at least one run")
    gold = {sentence.id: sentence.gold for sentence in runs[0].sentences}
    for run in runs[1:]:
        other = {sentence.id: sentence.gold for sentence in run.sentences}
        if apart := [id_ for id_ in {**gold, **other} if gold.get(id_) != other.get(id_)]:
            what = f"not the sentences and gold labels of {runs[0].name} (sentence {apart[0]})"
            raise InputError(what, where=run.name, remedy="a sentence model needs the token gold")


def is_argument(labels: Sequence[Label]) -> bool:
    """Return whether any token is pro or con."""
    return any(label != "non" for label in labels)


def sentence_label(labels: Sequence[Label], ties: Ties = "random", seed: int | None = None, key: str = "") -> Label:
    """Return the label of a sentence: non if no token is pro or con, else the more frequent of the two.

    As many pro as con tokens make what ``ties`` says. One of them at random is drawn with the key (the id of the
    sentence) and the labels, so that the order of sentences does not matter, and a tie in gold and its copy in the
    prediction fall the same way. Source: Trautmann et al. (2020), section 5.

    Raises:
        OptionError: a tie is to be drawn without a seed.

    >>> sentence_label(["non", "pro", "con", "con"]), sentence_label(["pro", "con"], "con")
    ('con', 'con')
    """
    pro, con = labels.count("pro"), labels.count("con")
    if pro != con:
        return "pro" if pro > con else "con"
    if not pro:
        return "non"
    if ties != "random":
        return ties
    if seed is None:
        where = f"sentence {key}" if key else None
        raise OptionError("as many pro as con tokens; give a seed to draw a label", where=where)
    return Random(f"{seed}|{key}|{' '.join(labels)}").choice(("pro", "con"))


# -- scores -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RunScore:
    """The F1 of one run by measure; ``tokens`` are the gold labels of all tokens (rows) against the predicted ones."""

    name: str
    tokens: ConfusionMatrix
    f1: Mapping[Measure, Score]


@dataclass(frozen=True, slots=True, repr=False)
class AurcScore(TaskResult):
    """The scores of several runs of one system."""

    runs: tuple[RunScore, ...]

    def mean(self, measure: Measure) -> Mean | None:
        """Return mean and deviation over the runs, ``None`` if a run has no such score."""
        return scores.mean_of(run.f1[measure].value for run in self.runs)


def score(
    runs: Sequence[Run],
    *,
    ties: Ties = "random",
    seed: int | None = None,
    variant: Variant = "published",
) -> AurcScore:
    """Score the runs of one system.

    The gold label of a sentence is its own where it has one (``with_token_gold``), else that of its gold tokens.

    Args:
        runs: predictions on the same sentences.
        ties: what as many pro as con tokens make a sentence.
        seed: draws random ties; without it they make sentence-F1 undefined.
        variant: how sentences without a gold argument count in segment-F1 (``segment_score``).

    >>> from aifgraph.tasks.aurc import read_run
    >>> run = score([read_run("fixtures/tasks/aurc/run.json")], seed=1).runs[0]
    >>> [round(f1.value, 3) for f1 in run.f1.values()]
    [0.543, 0.458, 0.222]
    """
    scores.one_of("ties", ties, ("random", "pro", "con"))
    scores.one_of("variant", variant, ("published", "strict"))
    check_sentences(runs)
    results = [_run_score(run, ties, seed, variant) for run in runs]
    own_gold = all(sentence.sentence_gold is not None for run in runs for sentence in run.sentences)
    options = {
        "ties": ties,
        "seed": seed if ties == "random" else None,
        "segments": variant,
        "sentence_gold": "file" if own_gold else "tokens",
        "deviation": "population",
        "runs": len(runs),
    }
    names = scores.file_names([run.name for run in runs])
    values = [tuple(run.f1[measure].value for measure in MEASURES) for run in results]
    means = [scores.mean_of(column) for column in zip(*values, strict=True)]
    rows = [*((name, *row) for name, row in zip(names, values, strict=True)), *scores.mean_rows(means)]
    classes = scores.class_rows(reduce(add, (run.tokens for run in results)), LABELS)
    columns = ("class", "precision", "recall", "F1", "gold", "predicted")
    tables = (
        Table("Scores", ("run", *(f"{measure}-F1" for measure in MEASURES)), rows),
        Table("Token classes", columns, classes, note="tokens of all runs pooled"),
    )
    caveats = [f"{run.name}: {line}" for run in results for line in scores.absent(run.tokens, LABELS)]
    missing = ((run, measure, f1) for run in results for measure, f1 in run.f1.items() if f1.value is None)
    caveats += [f"{run.name}: {measure}-F1 is undefined: {f1.reason}" for run, measure, f1 in missing]
    return AurcScore(scores.signature("aurc.f1", **options), tables, tuple(results), caveats=tuple(caveats))


def _run_score(run: Run, ties: Ties, seed: int | None, variant: Variant) -> RunScore:
    tokens = confusion(
        (pair for sentence in run.sentences for pair in zip(sentence.gold, sentence.predicted, strict=True)), LABELS
    )
    f1: dict[Measure, Score] = {
        "token": Score(macro(class_scores(tokens).f1)),
        "segment": _segment_f1(run, variant),
        "sentence": _sentence_f1(run, ties, seed),
    }
    return RunScore(run.name, tokens, f1)


def _sentence_f1(run: Run, ties: Ties, seed: int | None) -> Score:
    try:
        gold = [
            sentence.sentence_gold or sentence_label(sentence.gold, ties, seed, sentence.id)
            for sentence in run.sentences
        ]
        predicted = [sentence_label(sentence.predicted, ties, seed, sentence.id) for sentence in run.sentences]
    except OptionError as error:
        return Score(None, str(error))
    return Score(macro(class_scores(confusion(zip(gold, predicted, strict=True), LABELS)).f1))


def _segment_f1(run: Run, variant: Variant) -> Score:
    found = (segment_score(sentence.gold, sentence.predicted, variant) for sentence in run.sentences)
    values = [value for value in found if value is not None]
    return Score(fsum(values) / len(values)) if values else Score(None, "no segment is true or false")


def segment_score(gold: Sequence[Label], predicted: Sequence[Label], variant: Variant = "published") -> float | None:
    """Return how much of the gold segments of one sentence was found: true / (true + false).

    A run of equal gold labels is true if more than half of its tokens are predicted with its label and that is pro or
    con, false if at most half are. A sentence without gold argument scores 1 if its first token is predicted non
    (``published``) or if all are (``strict``); otherwise its one run counts like any other.

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
        end = start + len(list(run))
        if 2 * list(predicted[start:end]).count(label) > end - start:
            true += label != "non"
        else:
            false += 1
        start = end
    return true / (true + false) if true + false else None
