"""The rules of AIF as coded checks: ``validate(graph, profile)`` gives ``Findings``; ``all_rules()`` lists them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from aifgraph.errors import OptionError
from aifgraph.gc_pause import gc_paused
from aifgraph.graph.graph import ArgumentGraph
from aifgraph.graph.rules import dialogue, nodes_and_edges, records, relations  # noqa: F401  (they enter their rules)
from aifgraph.graph.rules.rule import LEVELS, PROFILES, RULES, Finding, Findings, Rule
from aifgraph.graph.rules.view import View

__all__ = ["LEVELS", "PROFILES", "Finding", "Findings", "Rule", "all_rules", "validate"]


def all_rules(profile: str | None = None) -> tuple[Rule, ...]:
    """All rules by number, or those that a profile asks.

    >>> [rule.code for rule in all_rules()][:3], len(all_rules("xaif")) < len(all_rules("iat"))
    (['E101', 'E102', 'E103'], True)
    """
    return tuple(rule for _, rule in sorted(RULES.items()) if profile is None or profile in rule.levels)


@gc_paused
def validate(
    graph: ArgumentGraph,
    profile: str = "aif",
    *,
    select: str | Iterable[str] | None = None,
    ignore: str | Iterable[str] | None = None,
) -> Findings:
    """Check a graph against the rules of a profile.

    ``profile`` is ``aif`` (the format itself), ``iat`` (all of Inference Anchoring Theory, dialogue included) or
    ``xaif`` (under-specified maps are fine). ``select`` and ``ignore`` take rules by level (``"E"``), code or its
    beginning (``"E2"``, ``"E202"``), number (``"202"``) or name (``"ra-conclusion"``), several in a list or with commas
    between; what is ignored wins. What reading had to repair is found, too. Raises ``OptionError`` for a profile or a
    selection that matches no rule.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> claim, reason = build.proposition("Masks help"), build.proposition("They filter")
    >>> build.edge(reason, claim)
    >>> print(validate(build.graph()))
    E111 I 2 leads straight to I 1, without a scheme node between
    """
    if profile not in PROFILES:
        raise OptionError(f"there is no profile {profile!r}", remedy=f"choose from {', '.join(PROFILES)}")
    chosen = _terms(select)
    left_out = _terms(ignore) or ()
    view = View(graph)
    findings: list[Finding] = []
    for rule in all_rules(profile):
        code = rule.code_in(profile) or ""
        if (chosen is not None and not _named(rule, code, chosen)) or _named(rule, code, left_out):
            continue
        findings += [Finding(code, rule.name, message, nodes) for message, nodes in rule.check(view)]
    return Findings(tuple(findings), profile, graph.name)


def _terms(given: str | Iterable[str] | None) -> Sequence[str] | None:
    if given is None:
        return None
    listed = [given] if isinstance(given, str) else list(given)
    terms = [term.strip() for each in listed for term in each.split(",") if term.strip()]
    for term in terms:
        if not any(_named(rule, code, [term]) for rule in RULES.values() for code in _codes(rule)):
            raise OptionError(
                f"no rule is called {term!r}", remedy="give a level (E, W, N), a code (E202), a number or a rule's name"
            )
    return terms


def _codes(rule: Rule) -> list[str]:
    return [f"{letter}{rule.number}" for letter in LEVELS]


def _named(rule: Rule, code: str, terms: Iterable[str]) -> bool:
    return any(
        code.startswith(term.upper()) or str(rule.number).startswith(term) or rule.name == term.lower()
        for term in terms
    )
