"""The table of rules: each a small pure function from a ``View`` of a graph to the places where it does not hold.

A rule has a number, kept for ever, and a level per profile; its code is the level's letter with the number. The
code it is listed under is that of the profile in which it weighs most. Its docstring is its text, ``source`` where it
comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from aifgraph.graph.rules.view import View

#: Which rules hold how much: plain AIF, Inference Anchoring Theory (everything), xAIF (under-specified on purpose).
PROFILES: Final = ("aif", "iat", "xaif")

#: What a rule yields: a message and the ids of the nodes it names.
Hit = tuple[str, tuple[str, ...]]
Check = Callable[[View], Iterable[Hit]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: ``number``, ``name``, the function, the literature it is from, and its level's letter by profile."""

    number: int
    name: str
    check: Check
    source: str
    levels: dict[str, str]

    @property
    def code(self) -> str:
        """The code in the profile where the rule weighs most."""
        return min(self.levels.values(), key="EWN".index) + str(self.number)

    @property
    def text(self) -> str:
        """What the rule says: the function's docstring as one paragraph."""
        return " ".join((self.check.__doc__ or "").split())

    def code_in(self, profile: str) -> str | None:
        """The code in a profile, or None where the rule is not asked."""
        letter = self.levels.get(profile)
        return f"{letter}{self.number}" if letter else None


RULES: Final[dict[int, Rule]] = {}


def rule(
    number: int, source: str, *, aif: str | None = None, iat: str | None = None, xaif: str | None = None
) -> Callable[[Check], Check]:
    """Enter a function in the table; its name with hyphens is the rule's name."""

    def enter(check: Check) -> Check:
        levels = {name: letter for name, letter in (("aif", aif), ("iat", iat), ("xaif", xaif)) if letter}
        name = getattr(check, "__name__", "").replace("_", "-")
        RULES[number] = Rule(number, name, check, source, levels)
        return check

    return enter
