"""The rules of AIF as coded checks: ``validate(graph, profile)`` gives ``Findings``; ``all_rules()`` lists them."""

from aifgraph.graph.rules.rule import LEVELS, PROFILES, Finding, Findings, Rule
from aifgraph.graph.rules.validate import all_rules, validate

__all__ = ["LEVELS", "PROFILES", "Finding", "Findings", "Rule", "all_rules", "validate"]
