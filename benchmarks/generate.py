"""Pairs of analyses of any size, made up: a debate of n propositions and n locutions, and a second analyst's version.

The second analysis moves boundaries (merges and splits of segments), edits propositions, and adds, drops and changes
relations. Everything follows from the seed.
"""

from __future__ import annotations

import json
import random
from typing import Any

WORDS_PER_SEGMENT = 15


def vocabulary(rng: random.Random, size: int) -> list[str]:
    """Invented words, the first the most frequent."""
    syllables = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
    return ["".join(rng.choice(syllables) for _ in range(rng.randint(1, 4))) for _ in range(size)]


class _Map:
    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.edges: list[dict[str, Any]] = []

    def node(self, type_: str, text: str) -> str:
        id_ = str(len(self.nodes) + 1)
        self.nodes.append({"nodeID": id_, "text": text, "type": type_, "timestamp": "2026-01-01 00:00:00"})
        return id_

    def edge(self, source: str, target: str) -> None:
        edge = {"edgeID": str(len(self.edges) + 1), "fromID": source, "toID": target, "formEdgeID": None}
        self.edges.append(edge)

    def scheme(self, type_: str, text: str, sources: list[str], target: str) -> str:
        id_ = self.node(type_, text)
        for source in sources:
            self.edge(source, id_)
        self.edge(id_, target)
        return id_

    def dumps(self) -> str:
        return json.dumps({"nodes": self.nodes, "edges": self.edges, "locutions": []})


def pair(n: int, seed: int = 1) -> tuple[str, str, str]:
    """(first map, second map, source text): AIF JSON twice and the text both analyse."""
    rng = random.Random(f"{n}-{seed}")
    known = vocabulary(rng, max(200, min(20_000, 4 * n)))
    weights = [1 / (rank + 3) for rank in range(len(known))]
    segments = [rng.choices(known, weights, k=max(4, round(rng.gauss(WORDS_PER_SEGMENT, 4)))) for _ in range(n)]
    text = ".\n".join(" ".join(words) for words in segments) + "."
    return (
        _analysis(segments, random.Random(f"a{seed}"), 0.0),
        _analysis(segments, random.Random(f"b{seed}"), 0.15),
        text,
    )


def marked_up(analysis: str, text: str) -> str:
    """An analysis of :func:`pair` as xAIF with numbers as ids, its locutions marked in the text by spans."""
    aif = json.loads(analysis)
    for entries, fields in ((aif["nodes"], ("nodeID",)), (aif["edges"], ("edgeID", "fromID", "toID"))):
        for entry in entries:
            entry.update({field: int(entry[field]) for field in fields})
    parts: list[str] = []
    done = 0
    for node in aif["nodes"]:
        said = node["text"].partition(": ")[2] if node["type"] == "L" else ""
        start = text.find(said, done) if said else -1
        if start >= 0:
            parts.append(text[done:start].replace("\n", "<br>"))
            parts.append(f'<span class="highlighted" id="node{node["nodeID"]}">{said}</span>')
            done = start + len(said)
    parts.append(text[done:].replace("\n", "<br>"))
    return json.dumps({"AIF": aif, "text": "".join(parts)})


def _analysis(segments: list[list[str]], rng: random.Random, change: float) -> str:
    made = _Map()
    cut: list[list[str]] = []
    for words in segments:
        draw = rng.random()
        if draw < change / 2 and cut:
            cut[-1] = cut[-1] + words
        elif draw < change and len(words) > 8:
            cut += [words[: len(words) // 2], words[len(words) // 2 :]]
        else:
            cut.append(words)
    plan = random.Random(7)  # both analysts see much the same argument
    locutions: list[str] = []
    propositions: list[str] = []
    for number, words in enumerate(cut):
        said = " ".join(words)
        locution = made.node("L", f"Speaker {number % 5}: {said}")
        content = list(words)
        if rng.random() < 2 * change:
            content[rng.randrange(len(content))] = "edited"
        proposition = made.node("I", " ".join(content))
        made.scheme("YA", "Asserting" if rng.random() > change / 2 else "Restating", [locution], proposition)
        transition = None
        if locutions:
            transition = made.scheme("TA", "Default Transition", [locutions[-1]], locution)
        if propositions:
            kind, text, act = plan.choice(
                [("RA", "Default Inference", "Arguing"), ("CA", "Default Conflict", "Disagreeing"), ("", "", "")]
            )
            if rng.random() < change:
                kind = ""
            if kind and transition:
                relation = made.scheme(kind, text, [proposition], propositions[-1])
                made.scheme("YA", act, [transition], relation)
        locutions.append(locution)
        propositions.append(proposition)
    return made.dumps()
