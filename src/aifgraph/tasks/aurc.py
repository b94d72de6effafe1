"""AURC (Trautmann et al. 2020) and its robustness tests (Kamp, Beinborn and Fokkens 2022).

Are the tokens of a sentence argument for, against, or none? A file of predictions is ``{"0": {"sentence": "tok tok",
"y_true": "0 2", "y_pred": "0 0"}, …}``; 0 is non, 1 con, 2 pro. The scores are those of Trautmann et al., section 5,
and Kamp et al., table 5; perturbations T1 to T3 are in its table 2, subpopulations T4 to T6 in its table 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain, groupby
from math import fsum
from operator import add
from pathlib import Path
from random import Random
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import pointbiserialr

from aifgraph.errors import FormatError, InputError, OptionError
from aifgraph.files import decode_strict, parse_json, read_bytes
from aifgraph.tables import Cell, Table
from aifgraph.tasks import scores
from aifgraph.tasks.scores import Score, TaskResult, class_scores, confusion, macro, mean_of

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


def read_topics(path: str | Path) -> list[Tokens]:
    """Read a perturbation set: ``{topic: [{"sentence_hash": …, "tokenized_sentence_spacy": …, …}]}``.

    Entries with an empty hash are dummies and left out.
    """
    data = read_json(Path(path))
    if not isinstance(data, dict) or not all(isinstance(entries, list) for entries in data.values()):
        raise FormatError("not an object of lists of sentences", where=str(path))
    sentences = []
    for topic, number, entry in ((topic, *item) for topic, entries in data.items() for item in enumerate(entries)):
        where = f"{path}, {topic}, entry {number}"
        match entry:
            case {"sentence_hash": "" | None}:
                continue
            case {
                "tokenized_sentence_spacy": str() | list() as tokens,
                "tokenized_sentence_spacy_labels": str() | list() as labels,
            }:
                pass
            case _:
                raise FormatError("an entry without tokens and labels", where=where)
        words, marks = (cell.split() if isinstance(cell, str) else list(map(str, cell)) for cell in (tokens, labels))
        if len(words) != len(marks):
            raise FormatError(f"{len(words)} tokens and {len(marks)} labels", where=where)
        id_ = str(entry.get("sentence_hash", number))
        sentences.append(Tokens(id_, topic, tuple(words), labels_of(marks, where)))
    return sentences


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


def score(
    runs: Sequence[Run],
    *,
    ties: Ties = "random",
    seed: int | None = None,
    variant: Variant = "published",
) -> TaskResult:
    """Score the runs of one system, and give mean and deviation over them.

    The gold label of a sentence is its own where it has one (``with_token_gold``), else that of its gold tokens.

    Args:
        runs: predictions on the same sentences.
        ties: what as many pro as con tokens make a sentence.
        seed: draws random ties; without it they make sentence-F1 undefined.
        variant: how sentences without a gold argument count in segment-F1 (``segment_score``).

    >>> row, *_ = score([read_run("fixtures/tasks/aurc/run.json")], seed=1).records("Scores")
    >>> {name: round(value, 3) for name, value in row.items() if name != "run"}
    {'token-F1': 0.543, 'segment-F1': 0.458, 'sentence-F1': 0.222}
    """
    scores.one_of("ties", ties, ("random", "pro", "con"))
    scores.one_of("variant", variant, ("published", "strict"))
    check_sentences(runs)
    pairs = ((zip(line.gold, line.predicted, strict=True) for line in run.sentences) for run in runs)
    cells = [confusion(chain.from_iterable(of_run), LABELS) for of_run in pairs]
    f1 = [
        {
            "token": Score(macro(class_scores(tokens).f1)),
            "segment": _segment_f1(run, variant),
            "sentence": _sentence_f1(run, ties, seed),
        }
        for run, tokens in zip(runs, cells, strict=True)
    ]
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
    values = [tuple(score.value for score in by_measure.values()) for by_measure in f1]
    means = [scores.mean_of(column) for column in zip(*values, strict=True)]
    rows = [*((name, *row) for name, row in zip(names, values, strict=True)), *scores.mean_rows(means)]
    classes = scores.class_rows(reduce(add, cells), LABELS)
    columns = ("class", "precision", "recall", "F1", "gold", "predicted")
    tables = (
        Table("Scores", ("run", *(f"{measure}-F1" for measure in MEASURES)), rows),
        Table("Token classes", columns, classes, note="tokens of all runs pooled"),
    )
    caveats = [
        f"{run.name}: {line}" for run, tokens in zip(runs, cells, strict=True) for line in scores.absent(tokens, LABELS)
    ]
    caveats += [
        f"{run.name}: {measure}-F1 is undefined: {score.reason}"
        for run, by_measure in zip(runs, f1, strict=True)
        for measure, score in by_measure.items()
        if score.value is None
    ]
    return TaskResult(scores.signature("aurc.f1", **options), tables, caveats=tuple(caveats))


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


# -- perturbations ----------------------------------------------------------------------------------------------------


def accuracy(run: Run) -> float:
    """Return the share of sentences rightly taken as argument (some token is pro or con) or as none."""
    return sum(is_argument(sentence.gold) == is_argument(sentence.predicted) for sentence in run.sentences) / len(
        run.sentences
    )


def perturbation(before: Sequence[Run], after: Sequence[Run]) -> TaskResult:
    """Return what a perturbation of the test sentences does to accuracy; the runs are in the same order.

    The difference is after − before, also in per cent of before. As in the paper's table 2, the mean of the per cent is
    the ratio of the means.
    """
    if not before or len(before) != len(after):
        raise InputError(f"{len(before)} runs before, {len(after)} after")
    sizes = [{len(run.sentences) for run in side} for side in (before, after)]
    if len(sizes[0]) > 1 or len(sizes[1]) > 1:
        raise InputError("the runs have different numbers of sentences")
    sides = tuple(map(accuracy, before)), tuple(map(accuracy, after))
    difference = tuple(second - first for first, second in zip(*sides, strict=True))
    relative = tuple(100 * d / first if first else None for d, first in zip(difference, sides[0], strict=True))
    columns = (*sides, difference, relative)
    *means, mean = map(mean_of, columns)
    means.append(mean and mean._replace(value=100 * fsum(difference) / fsum(sides[0])))
    names = scores.file_names([run.name for run in before])
    rows: list[Sequence[Cell]] = [*zip(names, *columns, strict=True), *scores.mean_rows(means)]
    counts = f"{len(before[0].sentences)} sentences before, {len(after[0].sentences)} after"
    note = f"accuracy of argument against none; {counts}"
    table = Table("Accuracies", ("run", "before", "after", "difference", "relative %"), rows, note=note)
    options = {"decision": "any-token", "relative": "ratio-of-means", "deviation": "population", "runs": len(before)}
    return TaskResult(scores.signature("aurc.perturbation", **options), (table,))


# -- subpopulations ---------------------------------------------------------------------------------------------------

Test: TypeAlias = Literal["T4", "T5", "T6"]
TESTS: Final[Mapping[Test, str]] = {
    "T4": "similarity to the nearest, of the same label",
    "T5": "highest similarity to the opposite label",
    "T6": "share of argument tokens",
}
#: The tokens that, where they are non, the authors' script leaves out of T6.
PUNCTUATION: Final = frozenset((".", "..", "...", "....", ".....", "?", "!", ")", "(", "/", "\\", "”", "'", '"'))


#: (texts of test sentences, of training sentences) → a row for each of the first, more for more alike.
Similarity: TypeAlias = Callable[[Sequence[str], Sequence[str]], ArrayLike]


def subpopulation(
    runs: Sequence[Run],
    train: Sequence[Tokens] = (),
    similarity: Similarity | None = None,
    *,
    similarity_name: str = "given",
    neighbour: Literal["opposite", "any"] = "opposite",
    marks: Literal["counted", "left-out"] = "counted",
) -> TaskResult:
    """Correlate being right with T4, T5 and T6, over the sentences with both argument and non-argument gold tokens.

    A sentence is argument (some token is pro or con) or none, and these are opposites.

    Args:
        train: the training sentences, for T4 and T5.
        similarity: how alike test and training sentences are, for T4 and T5.
        similarity_name: what the signature calls it.
        neighbour: T5 takes only sentences whose nearest training sentence is of the opposite label, as the authors'
            script does, or ``any``.
        marks: T6 counts all tokens, or has non tokens that are punctuation ``left-out``, as the authors' script does.
    """
    scores.one_of("neighbour", neighbour, ("opposite", "any"))
    scores.one_of("marks", marks, ("counted", "left-out"))
    check_sentences(runs)
    mixed = [sentence for sentence in runs[0].sentences if is_argument(sentence.gold) and "non" in sentence.gold]
    values = {"T6": {sentence.id: _share(sentence, marks) for sentence in mixed}, "T4": {}, "T5": {}}
    reason = "" if mixed else "no sentence has mixed segments"
    if mixed and train and similarity is not None:
        values |= _similarities(mixed, train, similarity, neighbour)
    results: dict[str, dict[Test, Score]] = {}
    for run in runs:
        right = {sentence.id: is_argument(sentence.predicted) for sentence in run.sentences}
        results[run.name] = {test: _correlation(right, values[test], reason) for test in TESTS}
        if mixed and not (train and similarity):
            missing = Score(None, "there are no training sentences, or no similarity")
            results[run.name] |= {"T4": missing, "T5": missing}
    sentences: dict[Test, int] = {test: len(values[test]) for test in TESTS}
    means = {test: mean_of(scores[test].value for scores in results.values()) or (None, None) for test in TESTS}
    tables = (
        Table(
            "Correlations",
            ("test", "variable", "r", "deviation", "sentences"),
            [(test, what, *means[test], sentences[test]) for test, what in TESTS.items()],
        ),
        Table(
            "Runs",
            ("run", *TESTS),
            [(name, *(scores[test].value for test in TESTS)) for name, scores in results.items()],
        ),
    )
    undefined = tuple(
        f"{name}: {test} is undefined: {score.reason}"
        for name, scores in results.items()
        for test, score in scores.items()
        if score.value is None
    )
    options = {"similarity": similarity_name if train else "none", "t5_nearest": neighbour, "t6_marks": marks}
    options = {"correlation": "point-biserial", **options, "deviation": "population"}
    made = scores.signature("aurc.subpopulation", **options, runs=len(results))
    return TaskResult(made, tables, caveats=undefined)


def _share(sentence: Predicted, marks: str) -> float:
    counted = [
        label
        for token, label in zip(sentence.tokens, sentence.gold, strict=True)
        if marks == "counted" or label != "non" or token not in PUNCTUATION
    ]
    return sum(label != "non" for label in counted) / len(counted)


def _similarities(
    mixed: Sequence[Predicted], train: Sequence[Tokens], similarity: Similarity, neighbour: str
) -> dict[str, dict[str, float]]:
    """Return the values of T4 and T5 by sentence; of equally near training sentences one with the label is enough."""
    near = np.asarray(
        similarity(*([" ".join(sentence.tokens) for sentence in side] for side in (mixed, train))), dtype=np.float64
    )
    if near.shape != (len(mixed), len(train)):
        raise InputError(f"the similarity has the shape {near.shape}, not {(len(mixed), len(train))}")
    argument = np.array([is_argument(sentence.labels) for sentence in train])
    values: dict[str, dict[str, float]] = {"T4": {}, "T5": {}}
    for sentence, row in zip(mixed, near, strict=True):  # mixed sentences are argument
        best = row.max()
        if (row[argument] == best).any():
            values["T4"][sentence.id] = float(best)
        if not argument.all() and (neighbour == "any" or row[~argument].max() == best):
            values["T5"][sentence.id] = float(row[~argument].max())
    return values


def _correlation(right: Mapping[str, bool], values: Mapping[str, float], reason: str) -> Score:
    """Return the point-biserial correlation of being right with a value."""
    flags, numbers = [right[id_] for id_ in values], list(values.values())
    if reason or len(numbers) < 2:
        return Score(None, reason or "there are fewer than two sentences")
    if min(flags) == max(flags):
        return Score(None, "the model is right, or wrong, on all sentences")
    if min(numbers) == max(numbers):
        return Score(None, "the values are constant")
    return Score(float(pointbiserialr(flags, numbers).statistic))
