"""Two corpora of small maps, made up from a seed: a text of a few sentences, and two analysts of it."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

_WORDS = ["masks", "help", "people", "breathe", "air", "filters", "work", "cost", "money", "rain", "falls", "late"]


def make_corpora(folder: Path, texts: int, seed: int = 0, size: int = 6) -> tuple[Path, Path]:
    """Folders ``ann`` and ``ben`` with ``texts`` maps each, and the text beside each map."""
    for name in ("ann", "ben"):
        (folder / name).mkdir(parents=True)
    for number in range(texts):
        rng = random.Random(f"{seed}/{number}")
        sentences = [" ".join(rng.choices(_WORDS, k=rng.randint(4, 9))) for _ in range(size)]
        for name, change in (("ann", 0.0), ("ben", 0.3)):
            path = folder / name / f"map{number}.json"
            path.write_text(json.dumps(_map(sentences, rng, change)), encoding="utf-8")
            path.with_suffix(".txt").write_text(". ".join(sentences), encoding="utf-8")
    return folder / "ann", folder / "ben"


def _map(sentences: list[str], rng: random.Random, change: float) -> dict[str, Any]:
    nodes: list[dict[str, str]] = []
    edges: list[dict[str, str]] = []

    def node(kind: str, text: str) -> str:
        nodes.append({"nodeID": str(len(nodes)), "type": kind, "text": text})
        return nodes[-1]["nodeID"]

    def link(*ids: str) -> None:
        edges.extend({"fromID": a, "toID": b} for a, b in pairwise(ids))

    said: list[tuple[str, str]] = []
    for sentence in sentences:
        halves = [sentence]
        if rng.random() < change:
            words = sentence.split()
            halves = [" ".join(words[:2]), " ".join(words[2:])]
        for half in halves:
            locution, proposition = node("L", f"Ann: {half}"), node("I", half)
            label = "Asserting" if rng.random() >= change else "Pure Questioning"
            link(locution, node("YA", label), proposition)
            said.append((locution, proposition))
    for (before, reason), (after, claim) in pairwise(said):
        step = node("TA", "Default Transition")
        link(before, step, after)
        if rng.random() < 0.7:
            kind = "CA" if rng.random() < 0.3 else "RA"
            relation = node(kind, "Default")
            link(reason, relation, claim)
            link(step, node("YA", "Arguing" if kind == "RA" else "Disagreeing"), relation)
    return {"nodes": nodes, "edges": edges, "locutions": []}
