"""A rule, the table of all rules, and what they find in a graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from aifgraph.errors import OptionError
from aifgraph.graph.rules.index import GraphIndex
from aifgraph.tables import Document, Result, Table

#: The letters of codes, and what they stand for.
LEVELS: Final = {"E": "error", "W": "warning", "N": "note"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One place where a rule does not hold: a code (``E202``: the level's letter in this profile and the rule's
    number), the rule's name (``ra-conclusion``), one line that names the nodes, and their ids."""

    code: str
    rule: str
    message: str
    nodes: tuple[str, ...] = ()

    @property
    def level(self) -> str:
        """``error``, ``warning`` or ``note``."""
        return LEVELS[self.code[0]]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: ``code``, ``level``, ``rule``, ``message`` and ``nodes``."""
        return {
            "code": self.code,
            "level": self.level,
            "rule": self.rule,
            "message": self.message,
            "nodes": list(self.nodes),
        }

    def __str__(self) -> str:
        return f"{self.code} {self.message}"


@dataclass(frozen=True, slots=True, repr=False)
class Findings(Result):
    """All findings of the map ``name`` in a profile (``aif``, ``iat`` or ``xaif``), in the order of the rules. Empty is
    false.

    >>> findings = Findings((Finding("W314", "i-duplicate", "propositions 1 and 2 say the same", ("1", "2")),), "iat")
    >>> findings.ok, len(findings.warnings), dict(findings.counts())
    (True, 1, {'W314': 1})
    """

    items: tuple[Finding, ...] = ()
    profile: str = "aif"
    name: str = ""

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> Finding:
        return self.items[index]

    def _of(self, letter: str) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.items if finding.code[0] == letter)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Findings of level error."""
        return self._of("E")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Findings of level warning."""
        return self._of("W")

    @property
    def notes(self) -> tuple[Finding, ...]:
        """Findings of level note."""
        return self._of("N")

    @property
    def ok(self) -> bool:
        """Whether there is no error (warnings and notes do not count)."""
        return not self.errors

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes that occur, each once, in order."""
        return tuple(dict.fromkeys(finding.code for finding in self.items))

    def counts(self) -> Counter[str]:
        """How often each code occurs."""
        return Counter(finding.code for finding in self.items)

    def document(self) -> Document:
        """A row a finding: map, code, level, rule, nodes, message."""
        rows = [(self.name, of.code, of.level, of.rule, " ".join(of.nodes), of.message) for of in self.items]
        return Document(tables=[Table("", ("map", "code", "level", "rule", "nodes", "message"), rows)])

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: ``map``, ``profile``, ``ok`` and ``findings``."""
        return {
            "map": self.name,
            "profile": self.profile,
            "ok": self.ok,
            "findings": [finding.to_dict() for finding in self.items],
        }

    def __str__(self) -> str:
        return "\n".join(map(str, self.items)) if self.items else "nothing found"


#: Which rules hold how much: plain AIF, Inference Anchoring Theory (everything), xAIF (under-specified on purpose).
PROFILES: Final = ("aif", "iat", "xaif")

#: What a rule yields: a message and the ids of the nodes it names.
Hit = tuple[str, tuple[str, ...]]
Check = Callable[[GraphIndex], Iterable[Hit]]


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
    number: int,
    source: str,
    *,
    aif: str | None = None,
    iat: str | None = None,
    xaif: str | None = None,
) -> Callable[[Check], Check]:
    """Make a function a rule of ``check``: ``@rule(900, "our guidelines", aif="W")``.

    The function takes a ``GraphIndex`` and yields pairs of a message and the ids of the nodes it names. Its name with
    hyphens is the name of the rule, its docstring is what the rule says. For each profile its level is ``E``, ``W`` or
    ``N``, or None where it is not asked. Numbers of other packages start at 900.

    Raises:
        OptionError: when a function is decorated: the number or the name is taken.
    """

    def enter(check: Check) -> Check:
        levels = {name: letter for name, letter in (("aif", aif), ("iat", iat), ("xaif", xaif)) if letter}
        name = getattr(check, "__name__", "").replace("_", "-")
        if number in RULES or any(name == known.name for known in RULES.values()):
            raise OptionError(f"there is a rule {number} or {name} already", remedy="take another number and name")
        RULES[number] = Rule(number, name, check, source, levels)
        return check

    return enter
