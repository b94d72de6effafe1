"""The rules of AIF as coded checks: ``validate(graph, profile)`` gives ``Findings``; ``all_rules()`` lists them."""

from aifgraph.graph.rules.findings import LEVELS, Finding, Findings
from aifgraph.graph.rules.registry import PROFILES, Rule
from aifgraph.graph.rules.validate import all_rules, validate

__all__ = ["LEVELS", "PROFILES", "Finding", "Findings", "Rule", "all_rules", "validate"]
