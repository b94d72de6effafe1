"""The library and the reference called in one way, and random pairs of maps over one text for both."""

import json
import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from reference.cass import reference_compare
from reference.read import read, words


@dataclass(frozen=True)
class Implementation:
    """``compare`` takes two AIF documents, two source texts or None, and options."""

    name: str
    compare: Callable[..., dict[str, Any]]
    #: Values of options that it does not offer.
    missing: dict[str, list[Any]] = field(default_factory=dict)

    def __call__(self, *documents: Any, **options: Any) -> dict[str, Any]:
        return self.compare(*documents, **options)

    def known(self, options: dict[str, Any]) -> dict[str, Any]:
        """The options without those that it does not offer."""
        return {name: value for name, value in options.items() if value not in self.missing.get(name, [])}


def compared(first: dict[str, Any], second: dict[str, Any], *texts: str | None, **options: Any) -> aifgraph.Comparison:
    options |= dict(zip(("first_text", "second_text"), texts, strict=False))
    return aifgraph.compare(*(aifgraph.loads(json.dumps(side)) for side in (first, second)), **options)


def library_compare(*given: Any, **options: Any) -> dict[str, Any]:
    result = compared(*given, **options)
    document = result.to_dict()
    for layer in ("propositions", "locutions"):
        document["alignment"][layer]["pairs"] = list(result.classes(layer))
    return document


LIBRARY = Implementation("library", library_compare)
REFERENCE = Implementation("reference", reference_compare, {"matching": ["optimal"], "segmentation": ["segeval"]})

over_both = pytest.mark.parametrize("compare", [LIBRARY, REFERENCE], ids=lambda implementation: implementation.name)


def documents(first: Path, second: Path) -> dict[str, Any]:
    """A pair of files with the texts beside them."""
    given: dict[str, Any] = {}
    for side, path in (("first", first), ("second", second)):
        text = path.with_suffix(".txt")
        given[side] = json.loads(path.read_text("utf-8"))
        given[f"{side}_text"] = text.read_text("utf-8") if text.is_file() else None
    return given


def has_words(document: dict[str, Any]) -> bool:
    """Whether any unit of a map has a word; without one no number is defined."""
    analysis = read(document)
    return any(words(analysis.said[unit]) for unit in analysis.units())


CLAUSES = (
    "yes",
    "no",
    "tea is good",
    "tea is very good",
    "it wakes you up in the morning",
    "cake is bad and it makes you fat",
    "we do not all like tea",
    "茶很好",
    "ネコは友だち",
    "Straße & Café",
    "at 10:30 we left the house",
    "?!",
    "",
)
LABELS = ("Asserting", "asserting", "PureQuestioning", "Pure Questioning", "Agreeing", "", "YA", "none", "Analysing")
SPEAKERS = ("", "Ann: ", "Bob Lee : ", "Carl: Ann: ")


def source(rng: random.Random) -> list[str]:
    """The clauses of a text, some of them twice."""
    return [rng.choice(CLAUSES[:11]) for _ in range(rng.randint(1, 9))]


def marked(clauses: list[str], ids: list[str], rng: random.Random) -> str:
    """The text, some clauses in spans that bear an id."""
    parts = []
    for clause in clauses:
        if rng.random() < 0.4:
            id_ = rng.choice([*ids, "nobody"])
            parts.append(f'<span class="highlighted" id="{rng.choice(["", "node"])}{id_}">{clause}</span>')
        else:
            parts.append(clause)
    return rng.choice([". ", " ", "<br>", ", and "]).join(parts).replace(" & ", " &amp; ")


def _words(clauses: list[str], rng: random.Random) -> str:
    """What a unit says: a clause, two, a part of one, or something close to it."""
    at = rng.randrange(len(clauses))
    text = clauses[at]
    chance = rng.random()
    if chance < 0.2 and at + 1 < len(clauses):
        text = f"{text} {clauses[at + 1]}"
    elif chance < 0.35 and " " in text:
        parts = text.split(" ")
        text = " ".join(parts[: rng.randint(1, len(parts))])
    elif chance < 0.5 and " " in text:
        parts = text.split(" ")
        parts[rng.randrange(len(parts))] = "indeed"
        text = " ".join(parts)
    elif chance < 0.6:
        text = rng.choice(CLAUSES)
    return text.replace("&", "&amp;")


#: What analysts write of their own: no clause is like any of these, and they are like each other in letters only.
UNSAID = (
    "all that helps is fine",
    "so ban it",
    "laws must be fair",
    "who pays decides",
    "nobody would mind",
    "so be it",
)


def reconstructed_pair(seed: int) -> dict[str, Any]:
    """Two maps of one argument over one text, where each analyst worded what nobody said."""
    rng = random.Random(seed)
    said = [f"{clause} {number}" for number, clause in enumerate(rng.sample(CLAUSES[2:10], rng.randint(2, 5)))]
    kinds = ["said"] * len(said) + ["unsaid"] * rng.randint(1, 4)
    rng.shuffle(kinds)
    relations = [
        (rng.choice(["RA", "RA", "CA", "MA", "PA"]), rng.sample(range(len(kinds)), rng.randint(2, min(3, len(kinds)))))
        for _ in range(rng.randint(2, 5))
    ]

    def side(prefix: str) -> dict[str, Any]:
        texts = iter(said)
        nodes = [
            {"nodeID": f"{prefix}{i}", "type": "I", "text": next(texts) if kind == "said" else rng.choice(UNSAID)}
            for i, kind in enumerate(kinds)
        ]
        edges = []
        for number, (type_, ends) in enumerate(relations):
            if rng.random() < 0.15:
                continue
            relation = f"{prefix}r{number}"
            nodes.append({"nodeID": relation, "type": type_, "text": f"Default {type_}"})
            edges += [{"fromID": f"{prefix}{end}", "toID": relation} for end in ends[1:]]
            edges.append({"fromID": relation, "toID": f"{prefix}{ends[0]}"})
        return {"nodes": nodes, "edges": [{"edgeID": str(i), **edge} for i, edge in enumerate(edges)]}

    text = ". ".join(said)
    return {"first": side("a"), "second": side("b"), "first_text": text, "second_text": text}


def document(clauses: list[str], rng: random.Random, prefix: str = "") -> dict[str, Any]:
    """An AIF map of some of the clauses: mostly as annotators draw it, with a little dirt."""
    nodes: list[dict[str, Any]] = []
    edges: list[dict[str, str]] = []
    of: dict[str, list[str]] = {}

    def node(kind: str, text: str, **more: str) -> str:
        key = f"{prefix}{len(nodes)}"
        nodes.append({"nodeID": key, "text": text, "type": kind, **more})
        of.setdefault(kind, []).append(key)
        return key

    def edge(*path: str) -> None:
        for start, end in pairwise(path):
            edges.append({"edgeID": str(len(edges)), "fromID": start, "toID": end})

    def act() -> str:
        label = rng.choice(LABELS) if rng.random() < 0.5 else "Asserting"
        return node("YA", label, **({"scheme": "Arguing"} if rng.random() < 0.3 else {}))

    dialogue = rng.random() < 0.8
    for _ in range(rng.randint(0, 7)):
        words = _words(clauses, rng)
        if dialogue and rng.random() < 0.85:
            saying = node("L", rng.choice(SPEAKERS) + words)
            if rng.random() < 0.15 and "L" in of:
                edge(rng.choice(of["L"]), act(), saying)
            for _ in range(rng.choice((0, 1, 1, 1, 2))):
                edge(saying, act(), node("I", words if rng.random() < 0.6 else _words(clauses, rng)))
        else:
            node("I", words)
    ends = {"RA": "I", "CA": "I", "MA": "I", "PA": "I", "TA": "L"}
    for _ in range(rng.randint(0, 8)):
        kind = rng.choice(("RA", "RA", "CA", "MA", "PA", "TA", "TA"))
        pool = of.get(ends[kind], [])
        if not pool:
            continue
        made = node(kind, "Default")
        for _ in range(rng.choice((0, 1, 1, 1, 2))):
            edge(rng.choice(pool), made)
        targets = pool + (of.get("RA", []) + of.get("CA", []) if kind in ("RA", "CA") else [])
        for _ in range(rng.choice((0, 1, 1, 1, 1, 2))):
            edge(made, rng.choice(targets))
    contents = [key for kind in ("I", "RA", "CA", "MA") for key in of.get(kind, [])]
    for _ in range(rng.randint(0, 4)):
        anchors = of.get("TA", []) * 2 + of.get("L", [])
        if anchors and contents:
            edge(rng.choice(anchors), act(), rng.choice(contents))
    if nodes and rng.random() < 0.3:  # dirt: any edge, repeated edges and nodes, unknown ends, other types
        edge(rng.choice(nodes)["nodeID"], rng.choice(nodes)["nodeID"])
        edge(rng.choice(nodes)["nodeID"], "nowhere")
        edges += edges[:1]
        nodes.append({**rng.choice(nodes), "scheme": "Another"})
        node("EN", "an enthymeme")
        node("L", "Coder: Ann: " + clauses[0])
    rng.shuffle(nodes)
    rng.shuffle(edges)
    return {"nodes": nodes, "edges": edges}


#: What a plausible second annotator may write.
NEW_WORDS = ("perhaps", "indeed", "not", "Zürich", "12", "people")
NEW_LABELS = ("Asserting", "Agreeing", "Challenging", "Arguing", "Disagreeing", "Pure Questioning", "Restating")
NEW_TYPES = {"RA": "Default Inference", "CA": "Default Conflict", "MA": "Default Rephrase"}


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
        if kind == "YA" or kind in NEW_TYPES:
            if kind in NEW_TYPES:
                node["type"] = rng.choice([*NEW_TYPES])
            node["text"] = NEW_TYPES.get(node["type"], rng.choice(NEW_LABELS))
            node.pop("scheme", None), node.pop("schemeID", None)
        elif kind == "I" and len(words) > 3 and rng.random() < 0.5:
            place = rng.randrange(1, len(words))
            node["text"], rest = " ".join(words[:place]), " ".join(words[place:])
            ids = [f"new{number}{kind}" for kind in ("L", "YA", "I")]
            for id_, type_, text in zip(ids, ("L", "YA", "I"), (rest, "Asserting", rest), strict=True):
                aif["nodes"].append({"nodeID": id_, "text": text, "type": type_})
            aif["edges"] += [{"edgeID": id_, "fromID": id_, "toID": to} for id_, to in pairwise(ids)]
        elif kind in ("I", "L"):
            words[rng.randrange(len(words))] = rng.choice(NEW_WORDS)
            node["text"] = " ".join(words)
    of_type = {str(node["nodeID"]): node.get("type") for node in aif["nodes"]}
    for edge in list(aif["edges"]):
        if rng.random() < share and {of_type.get(str(edge[end])) for end in ("fromID", "toID")} & {*NEW_TYPES}:
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
            for name in ("nodeID", "fromID", "toID"):
                if name in row:
                    row[name] = names.get(str(row[name]), f"unknown {row[name]}")
    if isinstance(out.get("text"), str):
        out["text"] = _rename_spans(out["text"], names)
    elif isinstance(out.get("text"), dict) and isinstance(out["text"].get("txt"), str):
        out["text"]["txt"] = _rename_spans(out["text"]["txt"], names)
    return out


def _rename_spans(text: str, names: dict[str, str]) -> str:
    return re.sub(
        r'(<span\b[^>]*\bid=")(node)?([^"]*)"', lambda m: f'{m[1]}{m[2] or ""}{names.get(m[3], "gone" + m[3])}"', text
    )


def letter_counts(texts: list[str]) -> list[list[int]]:
    """A model of sentences for tests: how often each letter is there, and 1."""
    return [[*(text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"), 1] for text in texts]


def pair(seed: int) -> dict[str, Any]:
    """The arguments of a comparison: two documents, and two source texts or None."""
    rng = random.Random(seed)
    clauses = source(rng)
    first = document(clauses, rng)
    perturbed = rng.random() < 0.5
    second = perturb(first, seed, rng.choice((0.0, 0.1, 0.3))) if perturbed else document(clauses, rng, "b")
    texts: list[str | None] = []
    for map_ in (first, second):
        ids = [node["nodeID"] for node in map_["nodes"] if node["type"] in ("I", "L")]
        words = clauses if rng.random() < 0.8 else source(rng)
        texts.append(marked(words, ids, rng) if rng.random() < 0.7 else None)
    return {"first": first, "second": second, "first_text": texts[0], "second_text": texts[1]}


def told_apart(given: dict[str, Any]) -> dict[str, Any]:
    """The pair with no text twice on a side: file order, the last tie rule, has nothing to say then."""
    for side in ("first", "second"):
        seen: set[str] = set()
        for number, node in enumerate(given[side]["nodes"]):
            if node["type"] in ("I", "L") and node["nodeID"] not in seen:
                node["text"] += f" w{number}"
            seen.add(node["nodeID"])
    return given


def cells(calculation: dict[str, Any]) -> dict[tuple[str, str], int]:
    """A matrix without its empty cells and rows; the marker for no label is None."""
    labels = [label.strip("“”") for label in calculation["labels"][:-1]] + [""]
    rows = calculation["matrix"]
    return {(a, b): n for a, row in zip(labels, rows, strict=True) for b, n in zip(labels, row, strict=True) if n}


def assert_close(found: Any, wanted: Any, where: str) -> None:
    """Equal numbers, None only where None is due."""
    if wanted is None or found is None:
        assert found is None, where
        assert wanted is None, where
    else:
        assert math.isclose(found, wanted, rel_tol=0, abs_tol=1e-9), (where, found, wanted)


def assert_agree(given: dict[str, Any], where: str, **options: Any) -> None:
    """The library and the oracle say the same of a pair, number by number."""
    found, wanted = LIBRARY(**given, **options), REFERENCE(**given, **options)
    cuts = wanted["segmentation"]
    if cuts["masses"] and cuts["B"] is None:
        cuts["B"] = 1  # no boundary on either side: the page is silent, segeval and the library say 1
    for layer in wanted["alignment"].values():
        del layer["pairs"]
    if wanted["breakdown"]["speakers"] is None:
        assert not wanted["breakdown"].pop("speakers")
        assert not found["breakdown"]["speakers"] or found["breakdown"]["speakers"]["compared"] == 0, where
    assert ("explicit" in found) == ("explicit" in wanted), where
    assert_same(found, wanted, where)


#: What must have no more entries than the oracle has.
WHOLE = ("calculations", "schemes", "labels")


def assert_same(found: Any, wanted: Any, where: str) -> None:
    """Whatever the oracle has, the library has too."""
    if isinstance(wanted, dict):
        if "matrix" in wanted:
            assert cells(found) == cells(wanted), where
            wanted = {key: value for key, value in wanted.items() if key not in ("matrix", "labels")}
        for key, value in wanted.items():
            if key != "reason":
                assert_same(found[key], value, f"{where} {key}")
                assert key not in WHOLE or set(found[key]) == set(value), (where, key)
    elif isinstance(wanted, list | tuple):
        assert list(found) == list(wanted), where
    elif isinstance(wanted, str | bool):
        assert found == wanted, where
    else:
        assert_close(found, wanted, where)
