"""The page on the rules, made of the rules: ``python docs/rules_page.py > docs/rules.md``."""

from __future__ import annotations

from aifgraph.graph.rules import PROFILES, all_rules

_HEAD = """\
# Rules

<!-- made by python docs/rules_page.py; a test checks that it is current -->

`aifgraph check FILE…` and `aifgraph.validate(graph, profile=…)` ask these rules. For each there are two maps in
`fixtures/rules/`: one that breaks this rule alone, one that is close and legal.

A code is a letter and the number of the rule. The letter is the rule's level in a profile: **E** error, **W** warning,
**N** note; a dash says that the rule is not asked. So one rule can be `E204` in `iat` and `W204` in `aif`.
`--select` and `--ignore` take levels (`E`), codes or their beginnings (`E2`), numbers (`204`) and names (`ca-arity`).

| profile | for |
| --- | --- |
| `aif` | the format itself |
| `iat` | Inference Anchoring Theory: everything, dialogue included |
| `xaif` | maps that leave things open: relations without illocutions, scheme nodes without an end |

Legal, although they look wrong: an illocution that anchors a relation leads to it, as does a conflict that undercuts
it, and neither is a premise of it; a YA from a locution to a locution is reported speech (or an analyst's Analysing); a
transition may answer several locutions at once.
"""
_GROUPS = {
    1: (
        "Nodes and edges",
        "What was repaired when a file was read is listed too, though the graph no longer shows it.",
    ),
    2: ("Relations", "RA, CA, MA and PA."),
    3: ("Dialogue", "L, YA and TA."),
    4: ("Outside the graph", "Schemes, locution records, participants, texts."),
}


def rules_page() -> str:
    """The whole page, in Markdown."""
    lines = [_HEAD]
    for number, (title, text) in _GROUPS.items():
        lines += [f"## {title}", "", text, "", "| " + " | ".join(["rule", *PROFILES, "says", "source"]) + " |"]
        lines.append("| --- | :-: | :-: | :-: | --- | --- |")
        for rule in all_rules():
            if rule.number // 100 == number:
                codes = [rule.code_in(profile) or "–" for profile in PROFILES]
                says = rule.text.replace("``", "`").replace("|", "\\|")
                lines.append("| " + " | ".join([f"`{rule.name}`", *codes, says, rule.source]) + " |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    print(rules_page(), end="")
