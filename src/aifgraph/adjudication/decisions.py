"""Decisions about the rows of differences: what may be decided about a row, and the value that a text stands for.

A new kind of decision is an entry of ``CHOICE_KINDS``: the merge keeps the sides that it names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Final, Literal

from aifgraph.comparison.differences import Difference
from aifgraph.errors import InputError, LimitError
from aifgraph.graph.nodes import RELATIONS
from aifgraph.graph.schemes import named

Choice = Literal["keep", "drop", "first", "second", "both", "neither", "other"]
#: Longer than any decision.
MAX_CHARACTERS: Final = 100_000


def is_content(row: Difference) -> bool:
    """Whether a row is about propositions or locutions that both sides have, each in its own way."""
    return row.group in ("propositions", "locutions") and row.sides == "both"


def _of_one(row: Difference) -> bool:
    return row.sides != "both"


def _of_both(row: Difference) -> bool:
    return row.sides == "both"


@dataclass(frozen=True, slots=True)
class ChoiceKind:
    """A kind of decision: its ``name`` in files, and the ``sides`` whose nodes are kept of a row that is ``allowed`` to
    be decided so (0 and 1; None: those that the row has, under a new label or wording). What only one side has is kept
    as that side has it, or dropped as on the other side."""

    name: Choice
    sides: Callable[[Difference], frozenset[int]] | None
    allowed: Callable[[Difference], bool]


CHOICE_KINDS: Final = (
    ChoiceKind("keep", lambda row: frozenset((_side(row),)), _of_one),
    ChoiceKind("drop", lambda row: frozenset((1 - _side(row),)), _of_one),
    ChoiceKind("first", lambda row: frozenset((0,)), _of_both),
    ChoiceKind("second", lambda row: frozenset((1,)), _of_both),
    # A unit that both have, each in its own way, cannot be in the map twice.
    ChoiceKind("both", lambda row: frozenset((0, 1)), lambda row: _of_both(row) and not is_content(row)),
    ChoiceKind("neither", lambda row: frozenset(), _of_both),
    # A transition has no other label.
    ChoiceKind("other", None, lambda row: row.group != "transitions"),
)
_KINDS: Final = {kind.name: kind for kind in CHOICE_KINDS}
#: What may stand in the column ``decision``, but for a new label or wording.
CHOICES: Final = tuple(kind.name for kind in CHOICE_KINDS if kind.sides is not None)


def _side(row: Difference) -> int:
    return int(row.sides == "second")


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


def sides_kept(choice: Choice, row: Difference, own: int) -> frozenset[int]:
    """The sides whose nodes are kept of a row; ``own`` is the side of the map whose node gets a new wording or label
    where both have one."""
    sides = _KINDS[choice].sides
    return sides(row) if sides else frozenset((own if _of_both(row) else _side(row),))


def decision_of(
    text: str, row: Difference, *, where: str = "", note: str = "", by: str = "", when: str = ""
) -> Decision:
    """The decision that a text stands for: a choice, in any case of letters, or a new label or wording. ``first`` and
    ``second`` say of what only one side has whether it is kept, as they have it.

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
    if _of_one(row) and choice in ("first", "second"):
        choice = "keep" if choice == row.sides else "drop"  # as that side has it
    if choice not in choices_of(row):
        given = {"transitions": "", "propositions": ", or give a wording", "locutions": ", or give a wording"}
        remedy = f"decide {_choices_said(row)}{given.get(row.group, ', or give a label')}"
        raise InputError(f"row {row.id} ({row.kind}) cannot be decided as {choice}", where=where, remedy=remedy)
    return Decision(choice, "", note, by, when)


def _value(text: str, row: Difference, where: str) -> str:
    """A new label or wording, as far as the row can have it."""
    if len(text) > MAX_CHARACTERS:
        raise LimitError("a decision that is too long", where=where)
    choices = _choices_said(row)
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
        remedy = f"write {choices}, or a scheme of AIFdb"
        raise InputError(f"{what} is called {text!r} (row {row.id})", where=where, remedy=remedy)
    return text


def _choices_said(row: Difference) -> str:
    *names, last = [name for name in choices_of(row) if name in CHOICES]
    return f"{', '.join(names)} or {last}"


def _is_slip(word: str, choice: str) -> bool:
    """Whether a word looks like a slip in writing a choice."""
    from rapidfuzz.distance import Levenshtein

    return " " not in word and Levenshtein.distance(word, choice) <= 2
