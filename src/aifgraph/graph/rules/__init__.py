"""The rules of AIF as coded checks: ``validate(graph, profile)`` gives ``Findings``; ``all_rules()`` lists them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from aifgraph.errors import OptionError, choose_from
from aifgraph.gc_pause import gc_paused
from aifgraph.graph.graph import ArgumentGraph
from aifgraph.graph.rules import dialogue, nodes_and_edges, relations, side_data  # noqa: F401  (they enter their rules)
from aifgraph.graph.rules.index import GraphIndex
from aifgraph.graph.rules.rule import LEVELS, PROFILES, RULES, Finding, Findings, Rule, rule

__all__ = [
    "LEVELS",
    "PROFILES",
    "Finding",
    "Findings",
    "GraphIndex",
    "Rule",
    "all_rules",
    "rule",
    "validate",
]


def all_rules(profile: str | None = None) -> tuple[Rule, ...]:
    """All rules by number, or those that a profile asks.

    >>> [rule.code for rule in all_rules()][:3], len(all_rules("xaif")) < len(all_rules("iat"))
    (['E101', 'E102', 'E103'], True)
    """
    return tuple(rule_ for _, rule_ in sorted(RULES.items()) if profile is None or profile in rule_.levels)


@gc_paused
def validate(
    graph: ArgumentGraph,
    profile: str = "aif",
    *,
    select: str | Iterable[str] | None = None,
    ignore: str | Iterable[str] | None = None,
) -> Findings:
    """Check a graph against the rules of a profile. What reading had to repair is found, too.

    Args:
        graph: the graph to check.
        profile: ``aif`` (the format itself), ``iat`` (all of Inference Anchoring Theory, dialogue included) or ``xaif``
            (under-specified maps are fine).
        select: the rules to ask, by level (``"E"``), code or its beginning (``"E2"``, ``"E202"``), number (``"202"``)
            or name (``"ra-conclusion"``); several in a list, or with commas between. None asks all.
        ignore: rules to leave out, given in the same way; what is ignored wins.

    Returns:
        The findings, in the order of the rules.

    Raises:
        OptionError: there is no such profile, or a selection matches no rule.

    >>> from aifgraph import GraphBuilder
    >>> build = GraphBuilder()
    >>> claim, reason = build.proposition("Masks help"), build.proposition("They filter")
    >>> build.edge(reason, claim)
    >>> print(validate(build.graph()))
    E111 I 2 leads straight to I 1, without a scheme node between
    """
    profile = profile.lower() if isinstance(profile, str) else profile
    if profile not in PROFILES:
        raise OptionError(f"there is no profile {profile!r}", remedy=choose_from(PROFILES))
    chosen = _terms(select)
    left_out = _terms(ignore) or ()
    index = GraphIndex(graph)
    findings: list[Finding] = []
    for asked in all_rules(profile):
        code = asked.code_in(profile) or ""
        if (chosen is not None and not _named(asked, code, chosen)) or _named(asked, code, left_out):
            continue
        findings += [Finding(code, asked.name, message, nodes) for message, nodes in asked.check(index)]
    return Findings(tuple(findings), profile, graph.name)


def _terms(selection: str | Iterable[str] | None) -> Sequence[str] | None:
    if selection is None:
        return None
    listed = [selection] if isinstance(selection, str) else list(selection)
    terms = [term.strip() for each in listed for term in each.split(",") if term.strip()]
    for term in terms:
        if not any(_named(each, code, [term]) for each in all_rules() for code in _codes(each)):
            raise OptionError(f"no rule is called {term!r}", remedy=choose_from(each.name for each in all_rules()))
    return terms


def _codes(rule: Rule) -> list[str]:
    return [f"{letter}{rule.number}" for letter in LEVELS]


def _named(rule: Rule, code: str, terms: Iterable[str]) -> bool:
    return any(
        code.startswith(term.upper()) or str(rule.number).startswith(term) or rule.name == term.lower()
        for term in terms
    )
