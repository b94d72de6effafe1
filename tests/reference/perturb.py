"""A plausible second annotator: changes an AIF JSON map, the same way for the same seed."""

from __future__ import annotations

import json
import random
import re
from itertools import pairwise
from typing import Any

SCHEME_TEXT = {"RA": "Default Inference", "CA": "Default Conflict", "MA": "Default Rephrase"}
SCHEME_YA = {"RA": "Arguing", "CA": "Disagreeing", "MA": "Restating"}
ILLOCUTIONS = ("Asserting", "Pure Questioning", "Challenging", "Agreeing", "RhetoricalQuestioning")
WORDS = ("perhaps", "indeed", "not", "Zürich", "12", "people")
_PREFIX = re.compile(r"[^:\r\n]{1,60}:\s+(?=\S)")


def perturb(document: dict[str, Any], seed: int, share: float) -> dict[str, Any]:
    """Each change befalls about ``share`` of what it could befall; 0 only renames and shuffles.

    Takes a flat map or an xAIF document whose ``AIF`` is an object.
    """
    out = json.loads(json.dumps(document))
    _Annotator(out.get("AIF", out), random.Random(f"{seed}/{share}"), share).work()
    return rename(out, seed)


def rename(document: dict[str, Any], seed: int) -> dict[str, Any]:
    """Other ids, in spans too, and another order of nodes and edges; nothing else changes."""
    out = json.loads(json.dumps(document))
    aif = out.get("AIF", out)
    rng = random.Random(f"rename {seed}")
    # A repeated node stays in order, since the first of its entries counts
    groups: dict[str, list[dict[str, Any]]] = {}
    for node in aif["nodes"]:
        groups.setdefault(str(node["nodeID"]), []).append(node)
    old = list(groups)
    new = [f"{seed}_{k}" for k in range(len(old))]
    rng.shuffle(new)
    names = dict(zip(old, new, strict=True))
    rng.shuffle(old)
    aif["nodes"] = [node for key in old for node in groups[key]]
    rng.shuffle(aif["edges"])
    for rows in aif.values():
        for row in rows if isinstance(rows, list) else []:
            for field in ("nodeID", "fromID", "toID"):
                if field in row:
                    row[field] = names.get(str(row[field]), f"unknown {row[field]}")
    if isinstance(out.get("text"), str):
        out["text"] = _rename_spans(out["text"], names)
    elif isinstance(out.get("text"), dict) and isinstance(out["text"].get("txt"), str):
        out["text"]["txt"] = _rename_spans(out["text"]["txt"], names)
    return out


def _rename_spans(text: str, names: dict[str, str]) -> str:
    return re.sub(
        r'(<span\b[^>]*\bid=")(node)?([^"]*)"',
        lambda m: f'{m[1]}{m[2] or ""}{names.get(m[3], "gone" + m[3])}"',
        text,
    )


class _Annotator:
    def __init__(self, aif: dict[str, Any], rng: random.Random, share: float) -> None:
        self.aif, self.rng, self.share = aif, rng, share
        self.nodes = {}
        for node in aif["nodes"]:
            self.nodes.setdefault(str(node["nodeID"]), node)
        self.extra = 0

    def work(self) -> None:
        if self.share > 0:
            self.split()
            self.merge()
            self.edit()
            self.relations()
            self.illocutions()
            self.transitions()

    # -- the map

    def some(self, *kinds: str) -> list[str]:
        all_of_them = [n for n, node in self.nodes.items() if node.get("type") in kinds]
        return [n for n in all_of_them if self.rng.random() < self.share]

    def all(self, kind: str) -> list[str]:
        return [n for n, node in self.nodes.items() if node.get("type") == kind]

    def kind(self, node: str) -> str:
        return str(self.nodes[node].get("type")) if node in self.nodes else ""

    def after(self, node: str, kind: str) -> list[str]:
        return [
            str(e["toID"]) for e in self.aif["edges"] if str(e["fromID"]) == node and self.kind(str(e["toID"])) == kind
        ]

    def before(self, node: str, kind: str) -> list[str]:
        return [
            str(e["fromID"])
            for e in self.aif["edges"]
            if str(e["toID"]) == node and self.kind(str(e["fromID"])) == kind
        ]

    def add(self, kind: str, text: str) -> str:
        self.extra += 1
        key = f"new{self.extra}"
        node = {"nodeID": key, "text": text, "type": kind}
        self.nodes[key] = node
        self.aif["nodes"].append(node)
        return key

    def link(self, *path: str) -> None:
        for start, end in pairwise(path):
            self.aif["edges"].append({"edgeID": f"{start}-{end}", "fromID": start, "toID": end})

    def drop(self, node: str) -> None:
        self.nodes.pop(node, None)
        self.aif["nodes"] = [n for n in self.aif["nodes"] if str(n["nodeID"]) != node]
        self.aif["edges"] = [e for e in self.aif["edges"] if node not in (str(e["fromID"]), str(e["toID"]))]

    def move(self, node: str, to: str) -> None:
        """All edges of a node to another one, and the node away."""
        for edge in self.aif["edges"]:
            for end in ("fromID", "toID"):
                if str(edge[end]) == node:
                    edge[end] = to
        self.aif["edges"] = [e for e in self.aif["edges"] if str(e["fromID"]) != str(e["toID"])]
        self.drop(node)

    def cut(self, node: str) -> tuple[str, str, str] | None:
        """Speaker prefix, first and second part of a text of six words or more."""
        text = str(self.nodes[node].get("text") or "")
        found = _PREFIX.match(text) if self.kind(node) == "L" else None
        prefix = found[0] if found else ""
        parts = text[len(prefix) :].split()
        if len(parts) < 6:
            return None
        at = self.rng.randrange(2, len(parts) - 1)
        return prefix, " ".join(parts[:at]), " ".join(parts[at:])

    # -- what an annotator does

    def split(self) -> None:
        for n in self.some("L"):
            parts = self.cut(n)
            if not parts:
                continue
            prefix, start, rest = parts
            self.nodes[n]["text"] = prefix + start
            late = self.add("L", prefix + rest)
            if self.rng.random() < 0.7:
                self.link(n, self.add("TA", "Default Transition"), late)
            for ya in self.after(n, "YA"):
                for i in self.after(ya, "I"):
                    halves = self.cut(i)
                    if halves:
                        self.nodes[i]["text"] = halves[1]
                        self.link(late, self.add("YA", str(self.nodes[ya].get("text") or "")), self.add("I", halves[2]))

    def merge(self) -> None:
        for ta in self.some("TA"):
            starts, ends = self.before(ta, "L"), self.after(ta, "L")
            if len(starts) != 1 or len(ends) != 1 or starts == ends:
                continue
            one, two = starts[0], ends[0]
            early, late = (str(self.nodes[n].get("text") or "") for n in (one, two))
            prefix = _PREFIX.match(late)
            self.nodes[one]["text"] = f"{early} {late[prefix.end() if prefix else 0 :]}"
            contents = [[i for ya in self.after(n, "YA") for i in self.after(ya, "I")] for n in (one, two)]
            if len(contents[0]) == len(contents[1]) == 1 and contents[0] != contents[1]:
                (p,), (q,) = contents
                self.nodes[p]["text"] = f"{self.nodes[p].get('text') or ''} {self.nodes[q].get('text') or ''}"
                self.move(q, p)
            self.move(two, one)
            if self.rng.random() < 0.5:
                self.drop(ta)

    def edit(self) -> None:
        for n in self.some("L", "I"):
            parts = str(self.nodes[n].get("text") or "").split(" ")
            at = self.rng.randrange(len(parts))
            if parts[at].endswith(":"):
                continue
            parts[at : at + 1] = self.rng.choice(([], [self.rng.choice(WORDS)], [parts[at], self.rng.choice(WORDS)]))
            self.nodes[n]["text"] = " ".join(parts)

    def relations(self) -> None:
        for s in self.some("RA", "CA", "MA"):
            yas = self.before(s, "YA")
            if self.rng.random() < 0.5:
                for n in (s, *yas):
                    self.drop(n)
            else:
                kind = self.rng.choice([k for k in SCHEME_YA if k != self.kind(s)])
                for n in (s, *yas):
                    self.nodes[n].pop("scheme", None)
                    self.nodes[n].pop("schemeID", None)
                self.nodes[s].update(type=kind, text=SCHEME_TEXT[kind])
                for ya in yas:
                    self.nodes[ya]["text"] = SCHEME_YA[kind]
        targets = self.all("I") + self.all("RA")
        for p in self.some("I"):
            if self.rng.random() < 0.5:
                kind = self.rng.choice(sorted(SCHEME_YA))
                end = self.rng.choice(targets)
                if end != p:
                    s = self.add(kind, SCHEME_TEXT[kind])
                    self.link(p, s, end)
                    tas = self.all("TA")
                    if tas:
                        self.link(self.rng.choice(tas), self.add("YA", SCHEME_YA[kind]), s)

    def illocutions(self) -> None:
        for ya in self.some("YA"):
            self.nodes[ya].pop("scheme", None)
            self.nodes[ya].pop("schemeID", None)
            self.nodes[ya]["text"] = self.rng.choice(ILLOCUTIONS)
        propositions = self.all("I")
        for ta in self.some("TA"):
            if propositions and self.rng.random() < 0.3:
                self.link(ta, self.add("YA", "Agreeing"), self.rng.choice(propositions))

    def transitions(self) -> None:
        for ta in self.some("TA"):
            if self.rng.random() < 0.5:
                self.drop(ta)
        locutions = self.all("L")
        for n in self.some("L"):
            other = self.rng.choice(locutions)
            if other != n:
                self.link(n, self.add("TA", "Default Transition"), other)
