"""Two corpora of small maps, made up from a seed: a text of a few sentences, and two analysts of it."""

import random
from itertools import pairwise
from pathlib import Path

from aifgraph import ArgumentGraph, GraphBuilder, dumps

_WORDS = ["masks", "help", "people", "breathe", "air", "filters", "work", "cost", "money", "rain", "falls", "late"]


def make_corpora(folder: Path, texts: int, seed: int = 0, size: int = 6) -> tuple[Path, Path]:
    """Folders ``ann`` and ``ben`` with ``texts`` maps each, and the text beside each map."""
    for number in range(texts):
        rng = random.Random(f"{seed}/{number}")
        sentences = [" ".join(rng.choices(_WORDS, k=rng.randint(4, 9))) for _ in range(size)]
        for name, change in (("ann", 0.0), ("ben", 0.3)):
            path = folder / name / f"map{number}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dumps(_map(sentences, rng, change), format="aif"), encoding="utf-8")
            path.with_suffix(".txt").write_text(". ".join(sentences), encoding="utf-8")
    return folder / "ann", folder / "ben"


def _map(sentences: list[str], rng: random.Random, change: float) -> ArgumentGraph:
    build = GraphBuilder()
    said: list[tuple[str, str]] = []
    for sentence in sentences:
        words = sentence.split()
        for half in (words[:2], words[2:]) if rng.random() < change else (words,):
            text = " ".join(half)
            said.append((build.locution(f"Ann: {text}"), build.proposition(text)))
            build.illocution(*said[-1], "Asserting" if rng.random() >= change else "Pure Questioning")
    for (before, reason), (after, claim) in pairwise(said):
        step = build.transition(before, after)
        if rng.random() < 0.7:
            kind, label = rng.choice([("RA", "Arguing"), ("RA", "Arguing"), ("CA", "Disagreeing")])
            build.illocution(step, build.relation(kind, [reason], claim), label)
    return build.graph()
