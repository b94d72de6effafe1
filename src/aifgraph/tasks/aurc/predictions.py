"""Predictions for AURC, in the form of Kamp, Beinborn and Fokkens (2022), and the labels of a sentence.

A file is ``{"0": {"sentence": "tok tok", "y_true": "0 2", "y_pred": "0 0"}, …}``; 0 is non, 1 con, 2 pro.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Literal, TypeAlias

from aifgraph.datasets.rows import read_text
from aifgraph.errors import FormatError, InputError, OptionError
from aifgraph.formats.files import parse_json
from aifgraph.tasks.scores import check_ids, one_of, some

Label: TypeAlias = Literal["pro", "con", "non"]
Ties: TypeAlias = Literal["random", "pro", "con"]

LABELS: tuple[Label, ...] = ("pro", "con", "non")
TIES: tuple[Ties, ...] = ("random", "pro", "con")
CODES: dict[str, Label] = {"0": "non", "1": "con", "2": "pro"}
_NAMES: dict[str, Label] = {**CODES, "non": "non", "con": "con", "pro": "pro"}


@dataclass(frozen=True, slots=True)
class Tokens:
    """A sentence as tokens with gold labels."""

    id: str
    topic: str
    tokens: tuple[str, ...]
    labels: tuple[Label, ...]

    @property
    def text(self) -> str:
        """The tokens with spaces between."""
        return " ".join(self.tokens)


@dataclass(frozen=True, slots=True)
class Predicted:
    """A sentence with a gold and a predicted label for each token, and that of the whole where the file has one."""

    id: str
    tokens: tuple[str, ...]
    gold: tuple[Label, ...]
    predicted: tuple[Label, ...]
    sentence_gold: Label | None = None

    @property
    def text(self) -> str:
        """The tokens with spaces between."""
        return " ".join(self.tokens)


@dataclass(frozen=True, slots=True)
class Run:
    """The predictions of one training run of a system on a test set; ``name`` is the path of the file."""

    name: str
    sentences: tuple[Predicted, ...]


def read_run(path: str | Path) -> Run:
    """Read a file of predictions, in the form of Kamp, Beinborn and Fokkens (2022).

    Raises:
        NotFoundError: there is no such file.
        InputError: the file has no sentence, or an id twice.
        FormatError: it is not in this form, has another label, or not as many labels as tokens.

    >>> read_run("fixtures/tasks/aurc/run.json").sentences[0].predicted
    ('non', 'pro', 'pro', 'pro', 'non', 'non')
    """
    name = str(path)
    data = parse_json(read_text(path), name, make=partial(_members, name))
    if not isinstance(data, dict):
        raise FormatError("the predictions are not a JSON object", where=name, remedy='write {"0": {"sentence": …}, …}')
    if not data:
        raise InputError("there is no sentence in the file", where=name)
    return Run(name, tuple(_sentence(key, value, name) for key, value in data.items()))


def _members(name: str, members: list[tuple[str, object]]) -> dict[str, object]:
    """The members of an object; of two equal keys JSON readers take the last, so that a sentence would vanish."""
    keys = Counter(key for key, _ in members)
    twice = next((key for key, times in keys.items() if times > 1), None)
    if twice is not None:
        raise InputError(f"the id {twice} is repeated", where=name, remedy="give each sentence once")
    return dict(members)


def _sentence(key: str, value: object, name: str) -> Predicted:
    where, wanted = f"{name}, sentence {key}", ("sentence", "y_true", "y_pred")
    if not isinstance(value, dict) or any(not isinstance(value.get(field), str) for field in wanted):
        members = ", ".join(map(str, value)) if isinstance(value, dict) else type(value).__name__
        raise FormatError(f"expected the texts {', '.join(wanted)}; found {members or 'nothing'}", where=where)
    tokens, gold, predicted = (value[field].split() for field in wanted)
    if not gold:
        raise FormatError("the sentence has no tokens", where=where)
    if len(gold) != len(predicted):
        what = f"{len(gold)} tokens in gold (y_true), {len(predicted)} in the prediction (y_pred)"
        raise FormatError(what, where=where, remedy="give one label for each token")
    if len(tokens) != len(gold):
        raise FormatError(f"{len(tokens)} words for {len(gold)} labels", where=where)
    return Predicted(key, tuple(tokens), labels_of(gold, where), labels_of(predicted, where))


def labels_of(cells: Sequence[str], where: str) -> tuple[Label, ...]:
    """0, 1, 2 or the names, as labels; anything else is a ``FormatError``."""
    if wrong := [cell for cell in cells if cell not in _NAMES]:
        raise FormatError(
            f"the label {wrong[0]!r} is out of range", where=where, remedy="use 0 (non), 1 (con), 2 (pro)"
        )
    return tuple(_NAMES[cell] for cell in cells)


def _of_whole_sentences(run: Run) -> bool:
    return all(len(set(one.gold)) == 1 for one in run.sentences)


def with_token_gold(gold: Run, run: Run) -> Run:
    """The predictions of a sentence model with the gold tokens of a token model's file: its own file has none.

    Where all gold labels of each sentence are equal, the file is a sentence model's. Its label is then kept as the
    ``sentence_gold``, so that one call gives the published token- and sentence-F1.

    Raises:
        InputError: the two do not have the same ids and tokens, or ``gold`` is the file of a sentence model and ``run``
            that of a token model.
    """
    whole = _of_whole_sentences(run)
    if not whole and _of_whole_sentences(gold):
        remedy = f"give {run.name} as the token gold, if it is the other way round"
        raise InputError("has one gold label a sentence, not one a token", where=gold.name, remedy=remedy)
    labels = {one.id: one for one in gold.sentences}
    ids = [one.id for one in run.sentences]
    check_ids(labels, ids, answer="prediction", item="sentence", gold=gold.name, where=run.name)
    for one in run.sentences:
        ours, theirs = len(one.predicted), len(labels[one.id].gold)
        if ours != theirs:
            what = f"{ours} tokens, but {theirs} in the token gold"
            raise InputError(what, where=f"{run.name}, sentence {one.id}", remedy="give the file of the same split")
        if one.tokens != labels[one.id].tokens:
            raise InputError(f"not the words of {gold.name}", where=f"{run.name}, sentence {one.id}")
    return Run(
        run.name,
        tuple(
            replace(one, gold=labels[one.id].gold, sentence_gold=one.gold[0] if whole else None)
            for one in run.sentences
        ),
    )


def same_sentences(runs: Sequence[Run]) -> None:
    """Raise ``InputError`` unless all runs are on the same sentences with the same gold labels."""
    first = {one.id: one.gold for one in runs[0].sentences}
    for run in runs[1:]:
        other = {one.id: one.gold for one in run.sentences}
        if first != other:
            apart = [key for key in {**first, **other} if first.get(key) != other.get(key)]
            raise InputError(
                f"not the sentences and gold labels of {runs[0].name} (sentence {some(apart)})",
                where=run.name,
                remedy="give runs of one system on one test set; a sentence model needs --token-gold",
            )


def is_argument(labels: Sequence[Label]) -> bool:
    """Whether any token is pro or con."""
    return any(label != "non" for label in labels)


def sentence_label(labels: Sequence[Label], ties: Ties = "random", seed: int | None = None, key: str = "") -> Label:
    """The label of a sentence: non if no token is pro or con, else the more frequent of the two.

    Source: Trautmann et al. (2020), section 5.

    As many pro as con tokens make what ``ties`` says: ``pro``, ``con``, or one of them at ``random``, drawn with the
    ``key`` (the id of the sentence), too, so that the order of sentences does not matter.

    Raises:
        OptionError: a tie is to be drawn without a seed, or there is no such ``ties``.

    >>> sentence_label(["non", "pro", "con", "con"]), sentence_label(["pro", "con"], "con")
    ('con', 'con')
    """
    one_of("ties", ties, TIES)
    pro, con = labels.count("pro"), labels.count("con")
    if pro != con:
        return "pro" if pro > con else "con"
    if not pro:
        return "non"
    if ties != "random":
        return ties
    if seed is None:
        raise OptionError(
            "as many pro as con tokens, and no seed to draw with",
            where=f"sentence {key}" if key else None,
            remedy="give a seed, or choose ties pro or con",
        )
    # Seeded by what is decided, not only by where: a tie in gold and its copy in the prediction fall the same way.
    return Random(f"{seed}|{key}|{' '.join(labels)}").choice(("pro", "con"))
