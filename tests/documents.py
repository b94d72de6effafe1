"""AIF documents small enough to work out by hand."""

from __future__ import annotations

from itertools import pairwise
from typing import Any


def aif(nodes: dict[str, tuple[str, str]], *paths: str) -> dict[str, Any]:
    """Nodes by id as (type, text), and edges as paths of ids, ``"1 s 2"``."""
    steps = [path.split() for path in paths]
    return {
        "nodes": [{"nodeID": n, "type": kind, "text": text} for n, (kind, text) in nodes.items()],
        "edges": [{"fromID": f, "toID": t} for path in steps for f, t in pairwise(path)],
    }


def calculation(result: dict[str, Any], name: str) -> tuple[int, list[str], list[list[int]]]:
    """Items, labels and matrix of a calculation."""
    plain = result["calculations"][name]
    return plain["items"], plain["labels"], plain["matrix"]


def classes(result: dict[str, Any], layer: str) -> list[tuple[list[str], list[str], float]]:
    """Members on the first and on the second side, and similarity, of each class of a layer."""
    return [(pair["first"], pair["second"], pair["similarity"]) for pair in result["alignment"][layer]["pairs"]]


ONE, TWO, THREE = (
    ("I", "Nuclear power is clean"),
    ("I", "It emits no carbon dioxide"),
    ("I", "Uranium mines do emit some"),
)
RA, CA, MA = ("RA", "Default Inference"), ("CA", "Default Conflict"), ("MA", "Default Rephrase")
PA = ("PA", "Default Preference")


def ya(label: str) -> tuple[str, str]:
    return ("YA", label)


DIALOGUE = {
    "1": ONE,
    "2": TWO,
    "s": RA,
    "l": ("L", "Ann: Nuclear power is clean"),
    "m": ("L", "Ann: It emits no carbon dioxide"),
    "t": ("TA", "Default Transition"),
    "y": ya("Asserting"),
    "z": ya("Asserting"),
    "x": ya("Arguing"),
}
PATHS = ("2 s 1", "l t m", "l y 1", "m z 2", "t x s")
