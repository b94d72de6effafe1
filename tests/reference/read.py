"""Section 0: what takes part. JSON in, plain dictionaries out."""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass, field
from typing import Any

TYPES = ("I", "L", "RA", "CA", "MA", "PA", "YA", "TA")
RELATIONS = ("RA", "CA", "MA", "PA")
_PREFIX = re.compile(r"([^:\r\n]{1,60}):\s+(?=\S)")
_MADE_UP = re.compile(r"ya(_[0-9a-f]+)?", re.IGNORECASE | re.ASCII)


def label_key(text: str) -> str:
    """Two YA labels are equal if these are: letters and digits, casefolded."""
    return "".join(c for c in text.casefold() if c.isalnum())


@dataclass
class Analysis:
    kind: dict[str, str] = field(default_factory=dict)
    """Type by node id, in the order of the file; only what takes part."""
    text: dict[str, str] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)
    label: dict[str, str] = field(default_factory=dict)
    """Of a YA, as it is spelt."""
    schemes: dict[str, list[str]] = field(default_factory=dict)
    """The names of the schemes of each node that has any."""
    speaker: dict[str, str] = field(default_factory=dict)
    """Of each locution of which it is known."""
    edges: list[tuple[str, str]] = field(default_factory=list)
    embedded: str | None = None

    def __post_init__(self) -> None:
        self._near: dict[str, tuple[list[str], list[str]]] = {}

    def _neighbours(self, node: str) -> tuple[list[str], list[str]]:
        """Predecessors and successors, looked up once."""
        if not self._near:
            self._near = {n: ([], []) for n in self.kind}
            for f, t in self.edges:
                self._near[f][1].append(t)
                self._near[t][0].append(f)
        return self._near[node]

    def of(self, *kinds: str) -> list[str]:
        return [n for n in self.kind if self.kind[n] in kinds]

    def after(self, node: str, *kinds: str) -> list[str]:
        return [t for t in self._neighbours(node)[1] if self.kind[t] in (kinds or TYPES)]

    def before(self, node: str, *kinds: str) -> list[str]:
        return [f for f in self._neighbours(node)[0] if self.kind[f] in (kinds or TYPES)]

    def anchoring_locutions(self, proposition: str) -> list[str]:
        return sorted({a for y in self.before(proposition, "YA") for a in self.before(y, "L")})

    def transition_locutions(self, proposition: str) -> list[str]:
        """Where TA→YA→I comes from, the locutions that this TA leads to."""
        return sorted(
            {e for y in self.before(proposition, "YA") for t in self.before(y, "TA") for e in self.after(t, "L")}
        )

    def units(self) -> list[str]:
        return self.of("L") + [
            p for p in self.of("I") if not self.anchoring_locutions(p) and not self.transition_locutions(p)
        ]


def _load(source: Any) -> Any:
    if isinstance(source, str):
        return json.loads(source[source.index("{") :])
    return source


def read(source: Any, schemes: dict[str, str] | None = None) -> Analysis:
    document = _load(source)
    aif = _load(document["AIF"]) if "AIF" in document else document
    found = Analysis(embedded=_embedded(document))

    kind: dict[str, str] = {}
    text: dict[str, str] = {}
    names: dict[str, list[str]] = {}
    for node in aif.get("nodes") or []:
        if node.get("nodeID") is None:
            continue
        key = str(node["nodeID"])
        if key not in kind:
            kind[key] = str(node.get("type") or "").upper()
            text[key] = html.unescape(str(node.get("text") or ""))
        if node.get("scheme"):
            names.setdefault(key, []).append(str(node["scheme"]))
    for entry in aif.get("schemefulfillments") or []:
        name = entry.get("scheme") or (schemes or {}).get(str(entry.get("schemeID")))
        if name:
            names.setdefault(str(entry.get("nodeID")), []).append(str(name))

    edges: list[tuple[str, str]] = []
    for edge in aif.get("edges") or []:
        pair = (str(edge.get("fromID")), str(edge.get("toID")))
        if pair[0] in kind and pair[1] in kind and pair[0] != pair[1] and pair not in edges:
            edges.append(pair)

    label = {n: _label(text[n], names.get(n, [])) for n in kind if kind[n] == "YA"}
    left_out = _analyst_nodes(kind, label, edges) | {n for n in kind if kind[n] not in TYPES}
    found.kind = {n: k for n, k in kind.items() if n not in left_out}
    found.text = {n: text[n] for n in found.kind}
    found.label = {n: label[n] for n in found.kind if n in label}
    found.edges = [e for e in edges if e[0] in found.kind and e[1] in found.kind]
    found.said = {n: said(t, found.kind[n]) for n, t in found.text.items()}
    found.schemes = {n: names[n] for n in found.kind if n in names}
    found.speaker = _speakers(aif, found)
    return found


def said(text: str, kind: str) -> str:
    if kind == "L":
        prefix = _PREFIX.match(text)
        if prefix:
            text = text[prefix.end() :]
    return text.strip()


def _label(text: str, schemes: list[str]) -> str:
    if text.strip() and not _MADE_UP.fullmatch(text.strip()):
        return text.strip()
    return schemes[0] if schemes else "YA"


def _speakers(aif: dict[str, Any], found: Analysis) -> dict[str, str]:
    """By the first of the locution's records with a person whom the map names; else by the prefix."""
    names: dict[str, str] = {}
    for person in aif.get("participants") or []:
        name = " ".join(str(person.get(part) or "").strip() for part in ("firstname", "surname")).strip()
        if name:
            names.setdefault(str(person.get("participantID")), name)
    out: dict[str, str] = {}
    for record in aif.get("locutions") or []:
        if (name := names.get(str(record.get("personID")))) is not None:
            out.setdefault(str(record.get("nodeID")), name)
    for n in found.of("L"):
        prefix = _PREFIX.match(found.text[n])
        if prefix and prefix[1].strip():
            out.setdefault(n, prefix[1].strip())
    return {n: out[n] for n in found.of("L") if n in out}


def _analyst_nodes(kind: dict[str, str], label: dict[str, str], edges: list[tuple[str, str]]) -> set[str]:
    analysing = {n for n in label if label_key(label[n]) == "analysing"}
    locutions = [n for n in kind if kind[n] == "L"]
    connected = {n for edge in edges for n in edge}
    out = set(analysing)
    for n in locutions:
        successors = [t for f, t in edges if f == n]
        if successors and all(t in analysing for t in successors):
            out.add(n)
    if any(n in connected for n in locutions):
        out |= {n for n in locutions if n not in connected}
    return out


def _embedded(document: dict[str, Any]) -> str | None:
    text = document.get("text")
    if isinstance(text, dict):
        text = text.get("txt")
    return text if isinstance(text, str) else None
