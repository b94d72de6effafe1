"""The findings of many maps as tables and plain values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from aifgraph.graph.rules import Findings, all_rules
from aifgraph.printable import quantity
from aifgraph.tables import Cell, Table
from aifgraph.version import __version__


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The findings of every map, and the names and errors of the maps that could not be read (``failed``)."""

    maps: tuple[Findings, ...]
    failed: tuple[tuple[str, str], ...] = ()

    @property
    def ok(self) -> bool:
        """Whether no map has an error; warnings and notes are allowed."""
        return all(findings.ok for findings in self.maps)

    def table(self) -> Table:
        """Return one row a finding: map, code, level, rule, nodes, message."""
        tables = [findings.tables_for("csv")[0][0] for findings in (*self.maps, Findings())]
        return replace(tables[-1], rows=[row for table in tables for row in table.rows])

    def summary(self) -> Table:
        """Return one row a code: how often it was found, and in how many maps."""
        times: Counter[str] = Counter()
        maps: Counter[str] = Counter()
        for findings in self.maps:
            counts = findings.counts()
            times += counts
            maps.update(counts.keys())
        names = {code: rule for rule in all_rules() for letter in "EWN" if (code := f"{letter}{rule.number}") in times}
        rows: list[list[Cell]] = [
            [code, names[code].name, times[code], maps[code], names[code].text]
            for code in sorted(times, key=lambda code: ("EWN".index(code[0]), code))
        ]
        clean = sum(findings.ok for findings in self.maps)
        unread = f", {len(self.failed)} not readable" if self.failed else ""
        title = f"{quantity(len(self.maps), 'maps')}, {clean} without errors{unread}"
        return Table(title, ("code", "rule", "findings", "maps", "text"), rows)

    def to_dict(self) -> dict[str, Any]:
        """Return all findings, their sums, and what could not be read."""
        all_findings = [finding for findings in self.maps for finding in findings]
        total = Counter(finding.level for finding in all_findings)
        return {
            "aifgraph": __version__,
            "maps": [findings.to_dict() for findings in self.maps],
            "summary": {
                "maps": len(self.maps),
                "without_errors": sum(findings.ok for findings in self.maps),
                **{f"{level}s": total[level] for level in ("error", "warning", "note")},
                "codes": dict(sorted(Counter(finding.code for finding in all_findings).items())),
            },
            "failed": [{"name": name, "error": error} for name, error in self.failed],
        }
