"""Carneades 4's argument graphs, in YAML and JSON. Read only.

============  ================================================================================================
Carneades     AIF
============  ================================================================================================
statement     I-node under its name; ``assumed``, ``label`` and the rest are in the record
argument      RA-node under its name, its scheme the one that is named; premises' roles are in the record
undercutter   CA-node from that statement onto the RA-node
issue         its positions exclude each other: a CA-node for each two, each way, marked with the ``issue``
============  ================================================================================================
"""

from __future__ import annotations

import re
from itertools import permutations
from typing import Any

from aifgraph.errors import FormatError, LimitError
from aifgraph.formats.argdown.yaml_data import read_yaml
from aifgraph.formats.codec import Codec
from aifgraph.formats.contents import not_held
from aifgraph.formats.files import Input
from aifgraph.graph import ArgumentGraph, GraphBuilder
from aifgraph.graph.schemes import named_scheme

_SECTION = re.compile(rb"^(?:\"?(statements|arguments)\"?)[ \t]*:", re.MULTILINE)
#: Positions of one issue: every two of them become two conflicts.
MAX_POSITIONS = 100


class Carneades(Codec):
    """An argument graph with ``statements`` and ``arguments``."""

    name = "carneades"
    title = "Carneades 4 (YAML, JSON)"
    suffixes = (".yml", ".yaml", ".json")
    writes = False
    loses = not_held(())

    def sniff(self, given: Input) -> bool:
        if given.data.lstrip()[:1] == b"{":
            whole = given.json_object
            arguments = whole.get("arguments")
            first = next(iter(arguments.values()), None) if isinstance(arguments, dict) else None
            return "statements" in whole and isinstance(first, dict) and "conclusion" in first
        return {match.group(1) for match in _SECTION.finditer(given.data)} == {b"statements", b"arguments"}

    def read(self, given: Input) -> ArgumentGraph:
        whole = given.json if given.data.lstrip()[:1] == b"{" else read_yaml(given.text, given.name)
        if not isinstance(whole, dict) or not isinstance(whole.get("statements"), dict):
            raise FormatError("no statements", where=given.name, remedy="give a Carneades 4 argument graph")
        build = GraphBuilder(name=given.name)
        for name, entry in whole["statements"].items():
            fields = dict(entry) if isinstance(entry, dict) else {"text": entry}
            text = fields.pop("text", None)
            build.proposition(name if text is None else str(text), id=name, record=fields)
        for name, argument in _entries(whole, "arguments", given.name):
            _argument(build, name, argument, f"{given.name}, argument {name}")
        for name, issue in _entries(whole, "issues", given.name):
            positions = list(dict.fromkeys(map(str, issue.get("positions") or [])))
            if len(positions) > MAX_POSITIONS:
                raise LimitError(f"an issue of more than {MAX_POSITIONS} positions", where=f"{given.name}, {name}")
            for one, other in permutations(positions, 2):
                ends = [_known(build, each, f"{given.name}, issue {name}") for each in (one, other)]
                build.conflict(ends[0], ends[1], record={"symmetric": "contrary", "issue": name})
        skipped = sorted(set(whole) & {"argument_schemes", "issue_schemes"})
        if skipped:
            words = "what Carneades derives from them is not in the map"
            build.notice("schemes-not-applied", f"{', '.join(skipped)}: {words}")
        beside = {key: value for key, value in whole.items() if key not in ("statements", "arguments", "issues")}
        return build.graph(form=self.name, aif={"carneades": beside} if beside else {})


def _entries(whole: dict[str, Any], section: str, where: str) -> list[tuple[str, dict[str, Any]]]:
    entries = whole.get(section) or {}
    if not isinstance(entries, dict) or not all(isinstance(entry, dict) for entry in entries.values()):
        raise FormatError(f"{section}: no mapping of mappings", where=where, remedy="give a Carneades 4 argument graph")
    return list(entries.items())


def _known(build: GraphBuilder, name: str, where: str) -> str:
    if name not in build:
        raise FormatError(f"the statement {name} is not there", where=where, remedy="define it under statements")
    return name


def _argument(build: GraphBuilder, name: str, argument: dict[str, Any], where: str) -> None:
    given = argument.get("premises") or []
    named = given if isinstance(given, dict) else {}
    listed = list(named.values()) if named else given if isinstance(given, list) else [given]
    conclusion = argument.get("conclusion")
    if conclusion is None:
        raise FormatError("an argument without conclusion", where=where, remedy="name a statement")
    goal = _known(build, str(conclusion), where)
    premises = [_known(build, str(premise), where) for premise in listed]
    if name in build:
        raise FormatError(f"{name} is a statement, too", where=where, remedy="give each its own name")
    scheme = argument.get("scheme")
    schemes = (named_scheme(str(scheme), "RA"),) if scheme else ()
    kept = ("weight", "parameters", "metadata", "meta")
    record: dict[str, Any] = {key: argument[key] for key in kept if key in argument}
    if named:
        record["roles"] = {str(role): str(premise) for role, premise in named.items()}
    ends = [premise for premise in dict.fromkeys(premises) if premise != goal]
    made = build.inference(ends, goal, id=name, schemes=schemes, record=record)
    undercutter = argument.get("undercutter")
    if undercutter is not None:
        build.conflict(_known(build, str(undercutter), where), made)
