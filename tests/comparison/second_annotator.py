"""A plausible second annotator: changes an AIF JSON map, the same way for the same seed."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import aifgraph
from aifgraph.evaluation.changes import KINDS

WORDS = ("perhaps", "indeed", "not", "Zürich", "12", "people")


def perturb(document: dict[str, Any], seed: int, share: float) -> dict[str, Any]:
    """Each kind of change befalls ``share`` of what it could befall; 0 only renames and shuffles.

    Takes a flat map or an xAIF document whose ``AIF`` is an object.
    """
    if share:
        document = _reworded(document, random.Random(f"{seed}/{share}"), share)
        changed = aifgraph.perturb(aifgraph.from_dict(document), share, KINDS, seed=seed)
        options = {"ids": "own"} if "AIF" in document else {}
        document = json.loads(aifgraph.dumps(changed, format="xaif" if "AIF" in document else "aif", **options))
    return rename(document, seed)


def _reworded(document: dict[str, Any], rng: random.Random, share: float) -> dict[str, Any]:
    """What the library's own changes leave alone: other words in a text, and transitions that are not seen."""
    out = json.loads(json.dumps(document))
    aif = out.get("AIF", out)
    gone = {str(node["nodeID"]) for node in aif["nodes"] if node.get("type") == "TA" and rng.random() < share}
    aif["nodes"] = [node for node in aif["nodes"] if str(node["nodeID"]) not in gone]
    aif["edges"] = [edge for edge in aif["edges"] if not gone & {str(edge["fromID"]), str(edge["toID"])}]
    for node in aif["nodes"]:
        parts = str(node.get("text") or "").split(" ")
        at = rng.randrange(len(parts))
        if node.get("type") in ("L", "I") and rng.random() < share and not parts[at].endswith(":"):
            parts[at : at + 1] = rng.choice(([], [rng.choice(WORDS)], [parts[at], rng.choice(WORDS)]))
            node["text"] = " ".join(parts)
    return out


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
