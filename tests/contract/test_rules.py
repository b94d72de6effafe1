"""Every rule has a map that breaks it and nothing else, and one that is close and legal."""

from pathlib import Path

import pytest

from aifgraph import load
from aifgraph.graph.rules import PROFILES, Rule, all_rules, validate

FOLDER = Path(__file__).parents[2] / "fixtures" / "rules"
RULES = all_rules()


def code_of(rule: Rule) -> str:
    """The code in the profile where the rule weighs most."""
    return f"{min(rule.levels.values(), key='EWN'.index)}{rule.number}"


def strictest(rule: Rule) -> str:
    """The profile in which the rule has the code it is listed under; IAT where it is one of several."""
    return next(profile for profile in ("iat", *PROFILES) if rule.levels.get(profile) == code_of(rule)[0])


@pytest.mark.parametrize("rule", RULES, ids=code_of)
def test_breaks_just_this_rule(rule: Rule) -> None:
    findings = validate(load(FOLDER / f"{code_of(rule)}-breaks.json"), strictest(rule))
    assert tuple(findings.counts()) == (code_of(rule),), str(findings)
    for finding in findings:
        assert finding.rule == rule.name
        assert "\n" not in finding.message
        assert all(id_ in finding.message for id_ in finding.nodes) or finding.code == "W109"


@pytest.mark.parametrize("rule", RULES, ids=code_of)
def test_close_and_legal(rule: Rule) -> None:
    findings = validate(load(FOLDER / f"{code_of(rule)}-legal.json"), strictest(rule))
    assert code_of(rule) not in findings.counts(), str(findings)
    assert findings.ok, str(findings)


def test_no_fixture_without_a_rule() -> None:
    codes = {path.name.split("-")[0] for path in FOLDER.iterdir()}
    assert codes == {code_of(rule) for rule in RULES}
