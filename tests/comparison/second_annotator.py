"""A plausible second annotator: changes an AIF JSON map, the same way for the same seed."""

import json
import random
import re
from itertools import pairwise
from typing import Any

WORDS = ("perhaps", "indeed", "not", "Zürich", "12", "people")
LABELS = ("Asserting", "Agreeing", "Challenging", "Arguing", "Disagreeing", "Pure Questioning", "Restating")
TYPES = {"RA": "Default Inference", "CA": "Default Conflict", "MA": "Default Rephrase"}


def perturb(document: dict[str, Any], seed: int, share: float) -> dict[str, Any]:
    """Each kind of change befalls ``share`` of what it could befall; 0 only renames and shuffles.

    Takes a flat map or an xAIF document whose ``AIF`` is an object.
    """
    return rename(changed(document, seed, share), seed)


def changed(document: dict[str, Any], seed: int, share: float) -> dict[str, Any]:
    """The same with the ids that were there: units are reworded or cut in two, acts and relations get other labels, and
    edges are left out, turned round or moved."""
    out = json.loads(json.dumps(document))
    aif, rng = out.get("AIF", out), random.Random(f"{seed}/{share}")
    for number, node in enumerate(list(aif["nodes"])):
        kind, words = node.get("type"), str(node.get("text") or "").split(" ")
        if rng.random() >= share:
            continue
        if kind == "YA" or kind in TYPES:
            if kind in TYPES:
                node["type"] = rng.choice([*TYPES])
            node["text"] = TYPES.get(node["type"], rng.choice(LABELS))
            node.pop("scheme", None), node.pop("schemeID", None)
        elif kind == "I" and len(words) > 3 and rng.random() < 0.5:
            place = rng.randrange(1, len(words))
            node["text"], rest = " ".join(words[:place]), " ".join(words[place:])
            ids = [f"new{number}{kind}" for kind in ("L", "YA", "I")]
            for id_, type_, text in zip(ids, ("L", "YA", "I"), (rest, "Asserting", rest), strict=True):
                aif["nodes"].append({"nodeID": id_, "text": text, "type": type_})
            aif["edges"] += [{"edgeID": id_, "fromID": id_, "toID": to} for id_, to in pairwise(ids)]
        elif kind in ("I", "L"):
            words[rng.randrange(len(words))] = rng.choice(WORDS)
            node["text"] = " ".join(words)
    of_type = {str(node["nodeID"]): node.get("type") for node in aif["nodes"]}
    for edge in list(aif["edges"]):
        if rng.random() < share and {of_type.get(str(edge[end])) for end in ("fromID", "toID")} & {*TYPES}:
            change = rng.choice(("drop", "reverse", "move"))
            if change == "drop":
                aif["edges"].remove(edge)
            elif change == "reverse":
                edge["fromID"], edge["toID"] = edge["toID"], edge["fromID"]
            else:
                alike = [id_ for id_, type_ in of_type.items() if type_ == of_type.get(str(edge["toID"]))]
                edge["toID"] = rng.choice(alike) if alike else edge["toID"]
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
        r'(<span\b[^>]*\bid=")(node)?([^"]*)"', lambda m: f'{m[1]}{m[2] or ""}{names.get(m[3], "gone" + m[3])}"', text
    )
