"""An agenda: the texts to talk about, the worst first, each with its reasons in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from aifgraph.comparison.differences import Differences
from aifgraph.comparison.reasons import gravest, reason
from aifgraph.errors import OptionError
from aifgraph.tables import Cell, Table

#: So many reasons of a text are named, unless another number is given.
USUAL_REASONS: Final = 5
#: So many letters of a text are quoted where people read.
_QUOTED: Final = 60


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a text is on the agenda: a difference in words, and in words with its texts cut short.

    ``row`` is the id that it has in the table of differences, ``decisions`` how many decisions it costs.
    """

    row: str
    decisions: int
    words: str
    short: str


@dataclass(frozen=True, slots=True)
class AgendaText:
    """A text to talk about. ``score`` (CASS) and ``mean`` (M) are None where they are undefined.

    ``reasons`` are those that cost most; ``differences`` is how many there are that a score counts.
    """

    name: str
    score: float | None
    mean: float | None
    differences: int
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Agenda:
    """Texts to talk about, the worst first. ``agreed`` is how many texts have no difference that a score counts,
    ``more`` how many were not asked for."""

    texts: tuple[AgendaText, ...]
    agreed: int = 0
    more: int = 0
    of_score: str = "kappa"

    def __iter__(self) -> Iterator[AgendaText]:
        return iter(self.texts)

    def table(self, *, whole: bool = False) -> Table:
        """A row for each reason. With ``whole``, as for CSV, texts are not cut, and each row has all its cells."""
        rows: list[list[Cell]] = []
        for rank, text in enumerate(self.texts, 1):
            head: list[Cell] = [rank, text.name, text.score, text.mean, text.differences]
            for number, why in enumerate(text.reasons):
                shown = head if whole or not number else [""] * len(head)
                rows.append([*shown, why.decisions, why.words if whole else why.short, why.row])
        score = {"kappa": "κ", "f1": "F1"}.get(self.of_score, self.of_score)
        columns = ("", "text", f"CASS-{score}", f"M-{score}", "differences", "decisions", "reason", "row")
        return Table("Agenda", columns, rows, note="" if whole else self._note())

    def _note(self) -> str:
        lines = ["decisions: how many decisions of the matrices a reason costs; row: its id in `aifgraph differences`"]
        lines += [f"{_texts(self.agreed)} without a difference that a score counts"] if self.agreed else []
        lines += [f"{_texts(self.more)} with differences left out"] if self.more else []
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        texts = [
            {
                "name": text.name,
                "cass": text.score,
                "mean": text.mean,
                "differences": text.differences,
                "reasons": [{"row": why.row, "decisions": why.decisions, "reason": why.words} for why in text.reasons],
            }
            for text in self.texts
        ]
        return {"score": self.of_score, "texts": texts, "agreed": self.agreed, "more": self.more}


def _texts(number: int) -> str:
    return f"{number} text{'s' if number != 1 else ''}"


def agenda(
    pairs: Iterable[tuple[str, float | None, float | None, Differences]],
    *,
    reasons: int = USUAL_REASONS,
    top: int | None = None,
    score: str = "kappa",
) -> Agenda:
    """The agenda of pairs in their order, the worst first: name, CASS, M and differences of each.

    Args:
        reasons: how many reasons of a text are named at the most.
        top: how many texts are named at the most.
        score: what CASS and M are of; for the names of the columns.

    Raises:
        OptionError: a number of reasons or texts out of range.
    """
    if reasons < 1:
        raise OptionError(f"{reasons} reasons", remedy="give a number from 1")
    texts: list[AgendaText] = []
    agreed = more = 0
    for name, cass, mean, differences in pairs:
        rows = gravest(differences)
        if not rows:
            agreed += 1
        elif top is not None and len(texts) >= top:
            more += 1
        else:
            told = tuple(
                Reason(
                    row.id,
                    row.decisions,
                    reason(row, differences.alignment),
                    reason(row, differences.alignment, length=_QUOTED),
                )
                for row in rows[:reasons]
            )
            texts.append(AgendaText(name, cass, mean, len(rows), told))
    return Agenda(tuple(texts), agreed, more, score)
