"""What a reader of scores has to know before believing them: one list, for every output, of a pair and of a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from aifgraph.comparison.calculations.explicit import EXPLICIT_RELATIONS
from aifgraph.comparison.wording import MatchedTexts
from aifgraph.printable import quantity
from aifgraph.stats.matrix import NONE, ConfusionMatrix

if TYPE_CHECKING:
    from aifgraph.comparison.result import PairResult

#: A calculation with fewer decisions in which a side has a label says little.
MIN_DECISIONS: Final = 5
#: Fewer texts say little about others.
MIN_TEXTS: Final = 20
#: A text with a larger share of the pairs (and more than two) is in many.
_MAX_SHARE: Final = 0.1
#: So many letters of a text are quoted.
_MAX_QUOTED: Final = 40

_EXPLICIT: Final = "the argument among what was said"
_FEW: Final = f"scores of fewer than {MIN_DECISIONS} decisions say little"


def labelled(matrix: ConfusionMatrix) -> int:
    """The decisions of a matrix in which a side has a label."""
    return matrix.total - matrix.count(NONE, NONE)


def quoted(text: str, longest: int = _MAX_QUOTED) -> str:
    """A text in quotation marks, cut off behind so many letters."""
    text = " ".join(text.split())
    return f"“{text if len(text) <= longest else text[: longest - 1].rstrip() + '…'}”"


@dataclass
class LookOut:
    """What to look out for in the scores of a pair, or of many that are added one by one.

    ``few`` is in how many pairs a calculation has few decisions, ``decisions`` how many these are in the last of them.
    ``texts`` is how many pairs each text has, and ``alone`` how many have a text of their own, which is not kept.

    >>> import aifgraph
    >>> graph = aifgraph.load("fixtures/debate/first.json")
    >>> LookOut.of(aifgraph.compare(graph, graph)).of_pair()[0]
    'both sides are the same map'
    """

    pairs: int = 0
    same: int = 0
    empty: int = 0
    nothing: int = 0
    apart: int = 0
    with_reconstructed: int = 0
    reconstructed: tuple[int, int] = (0, 0)
    n: int = 0
    applies: Counter[str] = field(default_factory=Counter)
    few: Counter[str] = field(default_factory=Counter)
    decisions: dict[str, int] = field(default_factory=dict)
    texts: Counter[str] = field(default_factory=Counter)
    alone: int = 0
    unlike: tuple[int, int] = (0, 0)
    least: MatchedTexts | None = None
    by_meaning: int = 0

    @classmethod
    def of(cls, pair: PairResult) -> LookOut:
        """That of one pair."""
        look_out = cls()
        look_out.add(pair)
        return look_out

    def add(self, pair: PairResult, text: str = "") -> None:
        """Add a pair of a text; of one that has no other pair, no name is due."""
        self.pairs += 1
        if text:
            self.texts[text] += 1
        else:
            self.alone += 1
        self.n = pair.n
        first, second = pair.sides
        self.same += first.sha256 == second.sha256 != "" and bool(first.units)
        self.empty += bool(first.units) != bool(second.units)
        self.nothing += not (first.units or second.units)
        matched = pair.matches.propositions.matched or pair.matches.locutions.matched
        self.apart += bool(first.units and second.units and not matched)
        unsaid = bool(first.reconstructed or second.reconstructed)
        self.with_reconstructed += unsaid
        self.reconstructed = self.reconstructed[0] + first.reconstructed, self.reconstructed[1] + second.reconstructed
        wording = pair.wording
        self.unlike = self.unlike[0] + wording.count, self.unlike[1] + wording.of
        for texts in wording.pairs[:1]:
            self.least = min(self.least or texts, texts, key=lambda pair: pair.similarity)
        self.by_meaning += pair.matches.propositions.by_meaning
        explicit = {_EXPLICIT: pair.explicit.matrix} if pair.explicit and unsaid else {}
        own = {_EXPLICIT if name == EXPLICIT_RELATIONS.name else name: each for name, each in pair.matrices.items()}
        for name, matrix in {**own, **explicit}.items():
            shown = name.replace("_", " ")
            self.applies[shown] += 1
            if (decisions := labelled(matrix)) < MIN_DECISIONS:
                self.few[shown] += 1
                self.decisions[shown] = decisions

    def of_pair(self) -> list[str]:
        """What to look out for in the one pair, each in a few words."""
        lines = ["both sides are the same map"] if self.same else []
        lines += ["one side is empty, so that CASS is 0"] if self.empty else []
        lines += ["both maps are empty, so that there is no score"] if self.nothing else []
        lines += ["no unit of the first map matches any of the second"] if self.apart else []
        lines += self._of_matches()
        few = dict(self.decisions)
        explicit = few.pop(_EXPLICIT, None)
        if few:
            names = joined(f"{name} ({count})" for name, count in few.items())
            share = f"{len(few)} of the {self.n} calculations" if self.n > len(few) else "and nothing else is"
            lines.append(f"{_FEW}: {names}, {share} in M")
        if self.with_reconstructed:
            rests = f" (but has only {quantity(explicit, 'decisions')})" if explicit is not None else ""
            lines.append(f"{self._reconstructed()}{rests}")
        return lines

    def of_corpus(self) -> list[str]:
        """What to look out for in all of the pairs."""
        texts, number = self.texts, len(self.texts) + self.alone
        lines = [f"in {self.same} of {self.pairs} pairs both sides are the same map"] if self.same else []
        lines += [f"in {self.empty} of {self.pairs} pairs one side is empty, which counts as 0"] if self.empty else []
        lines += [f"in {self.nothing} of {self.pairs} pairs both sides are empty"] if self.nothing else []
        lines += [f"in {self.apart} of {self.pairs} pairs nothing matches"] if self.apart else []
        lines += self._of_matches()
        if self.few:
            lines.append(f"{_FEW}: {', '.join(f'{name} ({self._where(name)})' for name in self.few)}")
        if self.with_reconstructed:
            lines.append(self._reconstructed(f" (in {self.with_reconstructed} of {self.pairs} pairs)"))
        text, most = texts.most_common(1)[0] if texts else ("", 0)
        if most > 2 and most > _MAX_SHARE * self.pairs and number > 1:
            lines.append(f"{most} of {self.pairs} pairs are of one text, {text}; micro counts each of them")
        if 0 < number < MIN_TEXTS:
            lines.append(f"{number} text{'s say' if number != 1 else ' says'} little about others")
        return lines

    def _of_matches(self) -> list[str]:
        lines = []
        if self.least:
            count, of = self.unlike
            worst = f"{quoted(self.least.first)} and {quoted(self.least.second)}"
            lines.append(f"{count} of {of} matches share less than half of their wording, the least alike {worst}")
        if self.by_meaning:
            lines.append(f"{self.by_meaning} matches are by meaning, which is no agreement: read them")
        return lines

    def _where(self, name: str) -> str:
        """In how many pairs a calculation has few decisions; where some pairs do not have it at all, of how many."""
        few, of = self.few[name], self.applies[name]
        return f"{few} of {of} pairs" if of == self.pairs else f"{few} of the {of} pairs that have any"

    def _reconstructed(self, where: str = "") -> str:
        first, second = self.reconstructed
        sides = (("first", first), ("second", second))
        instead = f", so look at {_EXPLICIT}, which passes over them" if self.applies[_EXPLICIT] else ""
        added = " and ".join(f"the {side} adds {count}" for side, count in sides if count)
        return f"{added} proposition{'s' if first + second > 1 else ''} that nobody says{where}{instead}"


def joined(names: Iterable[str]) -> str:
    """Names in a sentence.

    >>> joined(["illocutions", "transitions", "anchors"])
    'illocutions, transitions and anchors'
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
