"""The rules of AIF: ``validate(graph, profile)`` returns findings, ``all_rules()`` lists them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from aifgraph.errors import OptionError, choose_from
from aifgraph.graph.columns import gc_paused
from aifgraph.graph.graph import ArgumentGraph, check_graph
from aifgraph.graph.rules import dialogue, structure  # noqa: F401  (each adds its rules)
from aifgraph.graph.rules.index import LEVELS, PROFILES, RULES, GraphIndex, Rule, rule
from aifgraph.tables import Result, Table

__all__ = ["LEVELS", "PROFILES", "Finding", "Findings", "GraphIndex", "Rule", "all_rules", "rule", "validate"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where a rule is broken: by code (``E202``) and name (``ra-conclusion``), in words, and the nodes' ids."""

    code: str
    rule: str
    message: str
    nodes: tuple[str, ...] = ()

    @property
    def level(self) -> str:
        """``error``, ``warning`` or ``note``."""
        return LEVELS[self.code[0]]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"code": self.code, "level": self.level} | asdict(self) | {"nodes": list(self.nodes)}

    def __str__(self) -> str:
        return f"{self.code} {self.message}"


@dataclass(frozen=True, slots=True, repr=False)
class Findings(Result):
    """The findings of a profile in the map ``name``, in the order of the rules; false if there are none.

    >>> findings = Findings((Finding("W404", "i-duplicate", "I 1 and I 2 have the same text", ("1", "2")),), "iat")
    >>> findings.ok, dict(findings.counts())
    (True, {'W404': 1})
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

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings of level error."""
        return tuple(finding for finding in self.items if finding.code[0] == "E")

    @property
    def ok(self) -> bool:
        """Whether there is no error; warnings and notes do not count."""
        return not self.errors

    def counts(self) -> Counter[str]:
        """Return how often each code occurs."""
        return Counter(finding.code for finding in self.items)

    def tables_for(self, format: str) -> tuple[Sequence[Table], str]:
        """Return a table with a row for each finding."""
        return [findings_table([self])], ""

    def to_dict(self) -> dict[str, Any]:
        listed = [finding.to_dict() for finding in self.items]
        return {"map": self.name, "profile": self.profile, "ok": self.ok, "findings": listed}

    def __str__(self) -> str:
        return "\n".join(map(str, self.items)) if self.items else "nothing found"


def findings_table(maps: Iterable[Findings]) -> Table:
    """Return a table with a row for each finding of some maps."""
    rows = [
        (findings.name, found.code, found.level, found.rule, " ".join(found.nodes), found.message)
        for findings in maps
        for found in findings
    ]
    return Table("", ("map", "code", "level", "rule", "nodes", "message"), rows)


def all_rules(profile: str | None = None) -> tuple[Rule, ...]:
    """Return all rules by number, or those of a profile."""
    return tuple(entry for _, entry in sorted(RULES.items()) if profile is None or profile in entry.levels)


@gc_paused
def validate(
    graph: ArgumentGraph,
    profile: str = "aif",
    *,
    select: str | Iterable[str] | None = None,
    ignore: str | Iterable[str] | None = None,
) -> Findings:
    """Check a graph against the rules of a profile. Repairs of reading are findings, too.

    Args:
        graph: the graph.
        profile: ``aif`` (the format itself), ``iat`` (all of Inference Anchoring Theory, dialogue included) or ``xaif``
            (under-specified maps are fine).
        select: the rules to check, by level (``"E"``), code or its beginning (``"E2"``, ``"E202"``), number (``"202"``)
            or name (``"ra-conclusion"``); several in a list, or with commas between. None checks all.
        ignore: rules to leave out, given in the same way; it goes before ``select``.

    >>> from aifgraph import GraphBuilder
    >>> builder = GraphBuilder()
    >>> claim, reason = builder.proposition("Masks help"), builder.proposition("They filter")
    >>> builder.edge(reason, claim)
    >>> print(validate(builder.graph()))
    E111 I 2 leads straight to I 1, without a scheme node between
    """
    check_graph(graph)
    profile = profile.lower()
    if profile not in PROFILES:
        raise OptionError(f"there is no profile {profile!r}", remedy=choose_from(PROFILES))
    selected, ignored = _terms(select), _terms(ignore)
    index = GraphIndex(graph)
    findings: list[Finding] = []
    for asked in all_rules(profile):
        code = asked.levels[profile] + str(asked.number)
        if (select is None or _is_named(asked, code, selected)) and not _is_named(asked, code, ignored):
            findings += [Finding(code, asked.name, message, nodes) for message, nodes in asked.check(index)]
    return Findings(tuple(findings), profile, graph.name)


def _terms(selection: str | Iterable[str] | None) -> list[str]:
    listed = [selection] if isinstance(selection, str) else selection or ()
    terms = [term.strip() for text in listed for term in text.split(",") if term.strip()]
    for term in terms:
        if not any(_is_named(asked, f"{level}{asked.number}", [term]) for asked in all_rules() for level in LEVELS):
            raise OptionError(f"no rule is called {term!r}", remedy=choose_from(asked.name for asked in all_rules()))
    return terms


def _is_named(asked: Rule, code: str, terms: Iterable[str]) -> bool:
    number = str(asked.number)
    return any(code.startswith(term.upper()) or number.startswith(term) or asked.name == term.lower() for term in terms)
