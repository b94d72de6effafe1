"""A plausible second annotator: changes an AIF JSON map, the same way for the same seed."""

from __future__ import annotations

import json
import random
import re
from typing import Any

WORDS = ("perhaps", "indeed", "not", "Zürich", "12", "people")
LABELS = ("Asserting", "Agreeing", "Challenging", "Arguing", "Disagreeing", "Pure Questioning", "Restating")
TYPES = {"RA": "Default Inference", "CA": "Default Conflict", "MA": "Default Rephrase"}


def perturb(document: dict[str, Any], seed: int, share: float) -> dict[str, Any]:
    """Each kind of change befalls ``share`` of what it could befall; 0 only renames and shuffles.

    Takes a flat map or an xAIF document whose ``AIF`` is an object.
    """
    return rename(changed(document, seed, share) if share else document, seed)


def changed(document: dict[str, Any], seed: int, share: float) -> dict[str, Any]:
    """The same with the ids that were there."""
    rng = random.Random(f"{seed}/{share}")
    return _reannotated(_reworded(document, rng, share), rng, share)


def _reworded(document: dict[str, Any], rng: random.Random, share: float) -> dict[str, Any]:
    """Other words in a text, and transitions that are not seen."""
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


def _reannotated(document: dict[str, Any], rng: random.Random, share: float) -> dict[str, Any]:
    """Units cut in two, other illocutions, and relations that are dropped, retyped, moved, reversed or added."""
    aif = document.get("AIF", document)
    nodes = {str(node["nodeID"]): node for node in aif["nodes"]}
    ends = [(str(edge["fromID"]), str(edge["toID"])) for edge in aif["edges"]]

    def some(*types: str) -> list[str]:
        return [key for key in sorted(nodes) if nodes[key].get("type") in types and rng.random() < share]

    def add(type_: str, text: str) -> str:
        key = f"new{len(nodes)}"
        nodes[key] = {"nodeID": key, "text": text, "type": type_}
        return key

    def is_content(key: str) -> bool:
        return nodes.get(key, {}).get("type") == "I"

    for key in some("I"):
        words = str(nodes[key].get("text") or "").split()
        if len(words) < 4:
            continue
        place = rng.randrange(1, len(words))
        nodes[key]["text"], rest = " ".join(words[:place]), " ".join(words[place:])
        said = add("L", rest)
        act, content = add("YA", "Asserting"), add("I", rest)
        ends += [(said, act), (act, content)]
    for key in some("YA"):
        nodes[key]["text"] = rng.choice(LABELS)
        _without_scheme(nodes[key])
    contents = sorted(key for key in nodes if is_content(key))
    for key in some(*TYPES):
        places = [place for place, end in enumerate(ends) if key in end and (is_content(end[0]) or is_content(end[1]))]
        change = rng.choice(("drop", "retype", "move", "reverse", "add"))
        if change == "drop":
            del nodes[key]
        elif change == "retype":
            nodes[key]["type"] = rng.choice([type_ for type_ in TYPES if type_ != nodes[key]["type"]])
            nodes[key]["text"] = TYPES[nodes[key]["type"]]
            _without_scheme(nodes[key])
        elif change == "move" and places:
            place = rng.choice(places)
            other = rng.choice(contents)
            ends[place] = (key, other) if ends[place][0] == key else (other, key)
        elif change == "reverse":
            for place in places:
                ends[place] = ends[place][::-1]
        elif change == "add" and len(contents) > 1:
            start, end = rng.sample(contents, 2)
            relation = add("RA", TYPES["RA"])
            ends += [(start, relation), (relation, end)]
    aif["nodes"] = list(nodes.values())
    of_edge = {(str(edge["fromID"]), str(edge["toID"])): edge for edge in aif["edges"]}
    aif["edges"] = [
        {**of_edge.get((start, end), {}), "edgeID": f"e{number}", "fromID": start, "toID": end}
        for number, (start, end) in enumerate(dict.fromkeys(ends))
        if start in nodes and end in nodes and start != end
    ]
    return document


def _without_scheme(node: dict[str, Any]) -> None:
    for field in ("scheme", "schemeID"):
        node.pop(field, None)


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
