"""Findings of many maps as tables, as JSON, and as SARIF 2.1.0, which editors and code hosts show at the file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from aifgraph.graph.rules import Findings, all_rules
from aifgraph.tables.table import Cell, Table
from aifgraph.version import __version__


def findings_table(results: Sequence[Findings]) -> Table:
    """One row a finding: map, code, level, rule, nodes, message."""
    rows: list[list[Cell]] = [
        [found.name, each.code, each.level, each.rule, " ".join(each.nodes), each.message]
        for found in results
        for each in found
    ]
    return Table("", ("map", "code", "level", "rule", "nodes", "message"), rows)


def summary_table(results: Sequence[Findings], failed: int = 0) -> Table:
    """One row a code: how often it was found, and in how many maps."""
    times: Counter[str] = Counter()
    maps: Counter[str] = Counter()
    for found in results:
        counts = found.counts()
        times += counts
        maps.update(counts.keys())
    names = {code: rule for rule in all_rules() for letter in "EWN" if (code := f"{letter}{rule.number}") in times}
    rows: list[list[Cell]] = [
        [code, names[code].name, times[code], maps[code], names[code].text]
        for code in sorted(times, key=lambda code: ("EWN".index(code[0]), code))
    ]
    clean = sum(found.ok for found in results)
    unread = f", {failed} not readable" if failed else ""
    return Table(
        f"{len(results)} maps, {clean} without errors{unread}", ("code", "rule", "findings", "maps", "text"), rows
    )


def findings_text(results: Sequence[Findings]) -> str:
    """One line a finding, as compilers write it: ``map: code message``."""
    lines = [f"{found.name}: {each}" for found in results for each in found]
    return "".join(f"{' '.join(line.split())}\n" for line in lines)


def findings_json(results: Sequence[Findings], failed: Sequence[tuple[str, str]]) -> str:
    """All findings, their sums, and what could not be read."""
    total = Counter(each.level for found in results for each in found)
    data = {
        "aifgraph": __version__,
        "maps": [found.to_dict() for found in results],
        "summary": {
            "maps": len(results),
            "without_errors": sum(found.ok for found in results),
            **{f"{level}s": total[level] for level in ("error", "warning", "note")},
            "codes": dict(sorted(Counter(each.code for found in results for each in found).items())),
        },
        "failed": [{"name": name, "error": error} for name, error in failed],
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def findings_sarif(results: Sequence[Findings], failed: Sequence[tuple[str, str]]) -> str:
    """A SARIF 2.1.0 log of one run. Nodes are logical locations, as a map has no meaningful lines."""
    profile = results[0].profile if results else "aif"
    rules: list[dict[str, Any]] = []
    for rule in all_rules(profile):
        code = rule.code_in(profile) or rule.code
        level = {"E": "error", "W": "warning", "N": "note"}[code[0]]
        rules.append(
            {
                "id": code,
                "name": rule.name,
                "shortDescription": {"text": rule.text},
                "help": {"text": f"Source: {rule.source}"},
                "defaultConfiguration": {"level": level},
            }
        )
    index = {rule["id"]: place for place, rule in enumerate(rules)}
    found = [
        {
            "ruleId": each.code,
            "ruleIndex": index[each.code],
            "level": each.level,
            "message": {"text": each.message},
            "locations": [
                {
                    "physicalLocation": {"artifactLocation": {"uri": _uri(one.name)}},
                    "logicalLocations": [{"name": id_, "kind": "element"} for id_ in each.nodes],
                }
            ],
        }
        for one in results
        for each in one
    ]
    notes = [
        {
            "level": "error",
            "message": {"text": error},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(name)}}}],
        }
        for name, error in failed
    ]
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "aifgraph", "version": __version__, "rules": rules}},
                "invocations": [{"executionSuccessful": not failed, "toolExecutionNotifications": notes}],
                "results": found,
            }
        ],
    }
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _uri(name: str) -> str:
    from urllib.parse import quote

    return quote(name.replace("\\", "/"), safe="/.-_~")
