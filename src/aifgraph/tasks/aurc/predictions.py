"""Predictions for AURC in the form of Kamp, Beinborn and Fokkens (2022), and the labels of a sentence.

A file is ``{"0": {"sentence": "tok tok", "y_true": "0 2", "y_pred": "0 0"}, …}``; 0 is non, 1 con, 2 pro.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final, Literal, TypeAlias

from aifgraph.errors import FormatError, InputError, OptionError
from aifgraph.files import decode_strict, parse_json, read_bytes
from aifgraph.tasks.scores import check_ids

Label: TypeAlias = Literal["pro", "con", "non"]
Ties: TypeAlias = Literal["random", "pro", "con"]
LABELS: Final[tuple[Label, ...]] = ("pro", "con", "non")
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

    Raises:
        FormatError: it has another form, another label, or not as many labels as tokens.

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

    Raises:
        InputError: the two do not have the same ids and tokens, or ``gold`` has no labels of tokens.
    """

    def by_sentence(run: Run) -> bool:
        return all(len({*one.gold}) == 1 for one in run.sentences)

    if by_sentence(gold) and not by_sentence(run):
        raise InputError("this run has gold labels for sentences, not for tokens", where=gold.name)
    known = {one.id: one for one in gold.sentences}
    check_ids(known, (one.id for one in run.sentences), run.name)
    for one in run.sentences:
        if one.tokens != known[one.id].tokens:
            raise InputError(f"not the tokens of {gold.name}", where=f"{run.name}, sentence {one.id}")
    whole = by_sentence(run)
    sentences = (
        replace(one, gold=known[one.id].gold, sentence_gold=one.gold[0] if whole else None) for one in run.sentences
    )
    return Run(run.name, tuple(sentences))


def check_sentences(runs: Sequence[Run]) -> None:
    """Raise ``InputError`` without runs, or unless all are on the same sentences with the same gold labels."""
    if not runs:
        raise InputError("give at least one run")
    gold = {one.id: one.gold for one in runs[0].sentences}
    for run in runs[1:]:
        other = {one.id: one.gold for one in run.sentences}
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
