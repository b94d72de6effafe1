"""Decisions about the rows of differences: what may be decided about a row, and the value that a text stands for.

A new kind of decision is an entry of ``CHOICE_KINDS``: the merge keeps the sides that it names, the files, the counts
per annotator and the buttons and keys of the page are made of the entry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Final, Literal

from aifgraph.comparison.differences import Difference
from aifgraph.errors import InputError, LimitError
from aifgraph.graph.nodes import RELATIONS
from aifgraph.graph.schemes import named

Choice = Literal["first", "second", "both", "neither", "other"]
#: Longer than any decision.
MAX_CHARACTERS: Final = 100_000


def is_content(row: Difference) -> bool:
    """Whether a row is about propositions or locutions that both sides have, each in its own way."""
    return row.group in ("propositions", "locutions") and row.sides == "both"


@dataclass(frozen=True, slots=True)
class ChoiceKind:
    """A kind of decision: its ``name`` in files and on the page, its ``key`` there, and the ``sides`` whose nodes are
    kept (0 and 1; None: those that the row has, under a new label or wording)."""

    name: Choice
    key: str
    sides: frozenset[int] | None
    allowed: Callable[[Difference], bool] = lambda row: True


CHOICE_KINDS: Final = (
    ChoiceKind("first", "1", frozenset((0,))),
    ChoiceKind("second", "2", frozenset((1,))),
    # A unit that both have, each in its own way, cannot be in the map twice.
    ChoiceKind("both", "3", frozenset((0, 1)), lambda row: not is_content(row)),
    ChoiceKind("neither", "4", frozenset()),
    # A transition has no other label.
    ChoiceKind("other", "5", None, lambda row: row.group != "transitions"),
)
#: What may stand in the column ``decision``, but for a new label or wording; and the sides that are kept by it.
KEPT_SIDES: Final = {kind.name: kind.sides for kind in CHOICE_KINDS if kind.sides is not None}
CHOICES: Final = tuple(KEPT_SIDES)


@dataclass(frozen=True, slots=True)
class Decision:
    """What is decided about a row: a choice, with ``value`` the new label or wording of ``other``; who decided when."""

    choice: Choice
    value: str = ""
    note: str = ""
    by: str = ""
    when: str = ""

    def to_dict(self) -> dict[str, str]:
        """As plain values, without what is empty."""
        return {name: value for name, value in asdict(self).items() if value}


def choices_of(row: Difference) -> tuple[Choice, ...]:
    """What may be decided about a row."""
    return tuple(kind.name for kind in CHOICE_KINDS if kind.allowed(row))


def decision_of(
    text: str, row: Difference, *, where: str = "", note: str = "", by: str = "", when: str = ""
) -> Decision:
    """The decision that a text stands for: a choice, in any case of letters, or a new label or wording.

    >>> import aifgraph
    >>> first, second = aifgraph.load("fixtures/debate/first.json"), aifgraph.load("fixtures/debate/second.json")
    >>> rows = aifgraph.compare(first, second).differences().rows
    >>> decision_of("Second", rows[0]).choice, decision_of("Any measurement shows it", rows[0]).value
    ('second', 'Any measurement shows it')
    """
    where = where or f"row {row.id}"
    choice = next((known for known in CHOICES if known == text.strip().casefold()), None)
    if choice is None:
        return Decision("other", _value(text.strip(), row, where), note, by, when)
    if choice not in choices_of(row):
        remedy = "decide first, second or neither, or give a wording"
        raise InputError(f"row {row.id} ({row.kind}) cannot be decided as {choice}", where=where, remedy=remedy)
    return Decision(choice, "", note, by, when)


def _value(text: str, row: Difference, where: str) -> str:
    """A new label or wording, as far as the row can have it."""
    if len(text) > MAX_CHARACTERS:
        raise LimitError("a decision that is too long", where=where)
    choices = f"{', '.join(CHOICES[:-1])} or {CHOICES[-1]}"
    if row.group in ("propositions", "locutions"):
        if any(_is_slip(text.casefold(), choice) for choice in CHOICES):
            remedy = f"write {choices}; a new wording has more than one word"
            raise InputError(f"is the decision {text!r} of row {row.id} a wording?", where=where, remedy=remedy)
        return text
    if row.group == "transitions":
        raise InputError(f"{text!r} is no decision about a transition", where=where, remedy=f"write {choices}")
    kinds = ("YA",) if row.group == "illocutions" else RELATIONS
    if row.group == "relations" and text.upper() in RELATIONS:
        return text.upper()
    if not any(named(text, kind) for kind in kinds):
        what = "no illocution" if kinds == ("YA",) else "no scheme, and none of RA, CA, MA and PA,"
        remedy = f"write {choices}, or a label that `aifgraph schemes` lists"
        raise InputError(f"{what} is called {text!r} (row {row.id})", where=where, remedy=remedy)
    return text


def _is_slip(word: str, choice: str) -> bool:
    """Whether a word looks like a slip in writing a choice."""
    from rapidfuzz.distance import Levenshtein

    return " " not in word and Levenshtein.distance(word, choice) <= 2
