"""Random pairs of maps in which much is reconstructed, and a meaning that needs no model."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from documents import CA, RA, aif

from .perturb import perturb, reworded

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def by_letters(texts: list[str]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A poor man's meaning: how often each letter occurs, and one more, so that no vector is zero."""
    return np.array([[1.0, *(text.casefold().count(c) for c in LETTERS)] for text in texts])


def unsaid(seed: int) -> dict[str, Any]:
    """A text, and two maps of it whose analysts both reconstructed some premises and claims."""
    rng = random.Random(seed)
    clauses = [" ".join("".join(rng.choices(LETTERS, k=5)) for _ in range(4)) for _ in range(6)]
    nodes = {str(k): ("I", clause) for k, clause in enumerate([*clauses, "u", "v", "w"])}
    paths = []
    for k in range(8):
        nodes[f"s{k}"] = rng.choice([RA, RA, CA])
        premise, other, conclusion = rng.sample([n for n in nodes if n.isdigit()], 3)
        paths += (
            [f"{premise} s{k} {conclusion}", f"{other} s{k}"]
            if rng.random() < 0.4
            else [f"{premise} s{k} {conclusion}"]
        )
    document = aif(nodes, *paths)
    for node, words in zip(document["nodes"][6:9], ("hence we act", "what is so stays so", "do it now"), strict=True):
        node["text"] = words
    other = perturb(document, seed, rng.choice((0.0, 0.1, 0.2)))
    return {
        "first": document,
        "second": reworded(other, seed, 0.3),
        "first_text": ". ".join(clauses),
        "second_text": ". ".join(clauses),
    }
