"""The figures of docs/interpret.md and docs/reporting.md, computed from ../shared/data: what baselines reach, which
mistakes move a score, and how often an interval holds the true value.

``python benchmarks/interpret.py`` writes the tables of the pages, each below the comment that names it; ``--check``
leaves the pages alone and fails where they do not show what is computed.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from figures import DATA, ROOT, SEED, fill, save
from reproduce import araucaria_pairs

from aifgraph import ArgumentGraph, compare_corpora, from_dict, open_corpus, to_dict
from aifgraph.evaluation.baselines import BASELINES, baseline
from aifgraph.evaluation.estimates import Estimates, MetricName, mean_table, pool
from aifgraph.stats.resampling import Bootstrap
from aifgraph.tables import Table, as_markdown

PAGES = (ROOT / "docs" / "interpret.md", ROOT / "docs" / "reporting.md")
RELATIONS = ("RA", "CA", "MA", "PA")
SCORES = ("CASS-kappa", "CASS-f1", "argument M-kappa", "argument M-f1", "ER-kappa", "ER-f1")
CORPORA = {
    "maps of debates (US2016)": "us2016",
    "microtexts": "microtexts/aifdb",
    "maps of monologue (AraucariaDB)": "araucaria",
}
#: Rounds of the scores by chance.
ROUNDS = 20
#: Corpora of each size that are drawn, and the sizes in texts.
CORPORA_DRAWN, SIZES = 2_000, (5, 10, 20, 50, 100)
#: A unit of at least this many words is long.
LONG = 8

Document = dict[str, Any]
Change = Callable[[list[Document], list[Document], random.Random], None]


def printed(name: str) -> str:
    """Return the name of a score as it is printed."""
    return name.replace("kappa", "κ").replace("f1", "F1")


def row(numbers: Estimates, scores: Sequence[str]) -> list[str]:
    """Return the scores of a row; empty where one is undefined."""
    values = (numbers[score].value for score in scores)
    return ["" if value is None else f"{value:.3f}".replace("-", "−") for value in values]


def table(first: str, scores: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table with a column for each score."""
    return as_markdown(Table("", (*first.split("|"), *map(printed, scores)), rows)).strip()


# -- what baselines reach ----------------------------------------------------------------------------------------------


def baseline_scores() -> str:
    """Return what baselines over the units of gold maps reach, as ``evaluate`` compares them."""
    rows: list[list[str]] = []
    for corpus, folder in CORPORA.items():
        entries = list(open_corpus(DATA / folder))
        for kind in BASELINES if folder == "us2016" else BASELINES[1:]:
            made = [baseline(entry.load(), kind) for entry in entries]
            numbers = compare_corpora(DATA / folder, made, reference="first").macro
            rows.append([f"{len(entries)} {corpus}", f"`{kind}`", *row(numbers, SCORES)])
    return table("maps|baseline", SCORES, rows)


def second_annotator() -> str:
    """Return how far two people agree, and one of them with baselines over the units of the other."""
    folder = DATA / "araucaria"
    scores = SCORES[2:]
    with TemporaryDirectory() as work:
        compare = partial(compare_corpora, folder, pair_by=araucaria_pairs(Path(work)))
        plain = compare(folder, chance=ROUNDS, seed=SEED).macro
        rows = [["the other analyst", *row(plain, scores)]]
        rows.append(["the same, by chance", *row(plain, [chance_of(score) for score in scores])])
        for kind in ("star", "chain"):
            made = [baseline(entry.load(), kind) for entry in open_corpus(folder)]
            rows.append([f"a {kind} of the other analyst's units", *row(compare(made).macro, scores)])
    texts, pairs = plain["argument M-kappa"].texts, plain["argument M-kappa"].pairs
    return table(f"second side ({pairs} pairs, {texts} texts)", scores, rows)


def chance_of(score: str) -> str:
    """Return the name of a score by chance."""
    what, _, name = score.rpartition("-")
    return f"E(ER)-{name}" if what == "ER" else f"{what.replace('M', 'E')}-{name}"


# -- which mistakes move a score ---------------------------------------------------------------------------------------


def relations_of(nodes: list[Document]) -> list[Document]:
    """Return the relations among nodes."""
    return [node for node in nodes if node["type"] in RELATIONS]


def remove(nodes: list[Document], edges: list[Document], gone: set[str]) -> None:
    """Remove nodes, and the illocutions that anchor only them."""
    anchors = {edge["fromID"] for edge in edges if edge["toID"] in gone}
    gone |= {node["nodeID"] for node in nodes if node["type"] == "YA" and node["nodeID"] in anchors}
    nodes[:] = [node for node in nodes if node["nodeID"] not in gone]
    edges[:] = [edge for edge in edges if not {edge["fromID"], edge["toID"]} & gone]


def leave_out(nodes: list[Document], edges: list[Document], _: random.Random, step: int = 1) -> None:
    """Remove relations: all, or the first of every ``step``."""
    remove(nodes, edges, {node["nodeID"] for node in relations_of(nodes)[::step]})


def add(nodes: list[Document], edges: list[Document], draw: random.Random) -> None:
    """Add as many inferences as there are relations, between propositions drawn at random."""
    propositions = [node["nodeID"] for node in nodes if node["type"] == "I"]
    for number in range(len(relations_of(nodes)) if len(propositions) > 1 else 0):
        premise, conclusion = draw.sample(propositions, 2)
        nodes.append({"nodeID": f"new{number}", "type": "RA", "text": "Default Inference"})
        edges += [{"fromID": premise, "toID": f"new{number}"}, {"fromID": f"new{number}", "toID": conclusion}]


def change_type(nodes: list[Document], _: list[Document], __: random.Random) -> None:
    """Make each inference a conflict, and each other relation an inference."""
    for node in relations_of(nodes):
        node["type"] = "CA" if node["type"] == "RA" else "RA"


def turn_round(nodes: list[Document], edges: list[Document], _: random.Random) -> None:
    """Exchange premises and conclusions."""
    kinds = {node["nodeID"]: node["type"] for node in nodes}
    for edge in edges:
        ends = {kinds[edge["fromID"]], kinds[edge["toID"]]}
        if "I" in ends and ends & {*RELATIONS}:
            edge["fromID"], edge["toID"] = edge["toID"], edge["fromID"]


def move_end(nodes: list[Document], edges: list[Document], draw: random.Random) -> None:
    """Lead each relation to another proposition, drawn at random."""
    kinds = {node["nodeID"]: node["type"] for node in nodes}
    for edge in edges:
        if kinds[edge["fromID"]] in RELATIONS and kinds[edge["toID"]] == "I":
            ends = {edge["toID"], *(e["fromID"] for e in edges if e["toID"] == edge["fromID"])}
            edge["toID"] = draw.choice(
                [id_ for id_, kind in kinds.items() if kind == "I" and id_ not in ends] or [edge["toID"]]
            )


def relabel(nodes: list[Document], _: list[Document], __: random.Random) -> None:
    """Make each *Asserting* a *Challenging*, and each other illocution an *Asserting*."""
    for node in nodes:
        if node["type"] == "YA":
            node["text"] = "Challenging" if node["text"] == "Asserting" else "Asserting"
            node.pop("scheme", None)


def units_of(nodes: list[Document], edges: list[Document]) -> Iterator[tuple[Document, Document, Document]]:
    """Yield locution, illocution and proposition of each unit that has one of each."""
    by_id = {node["nodeID"]: node for node in nodes}
    after: dict[str, list[Document]] = {}
    before: dict[str, list[Document]] = {}
    for edge in edges:
        after.setdefault(edge["fromID"], []).append(by_id[edge["toID"]])
        before.setdefault(edge["toID"], []).append(by_id[edge["fromID"]])
    for locution in (node for node in nodes if node["type"] == "L"):
        acts = [node for node in after.get(locution["nodeID"], ()) if node["type"] == "YA"]
        contents = [node for act in acts for node in after.get(act["nodeID"], ())]
        anchors = [node for content in contents for node in before[content["nodeID"]] if node["type"] == "YA"]
        if len(acts) == 1 and anchors == acts and [node["type"] for node in contents] == ["I"]:
            yield locution, acts[0], contents[0]


def cut(nodes: list[Document], edges: list[Document], _: random.Random) -> None:
    """Cut each long unit in two in its middle; relations and transitions stay with the first half."""
    for number, (locution, act, proposition) in enumerate(list(units_of(nodes, edges))):
        words = proposition["text"].split()
        speaker, colon, said = locution["text"].partition(": ")
        if len(words) < LONG or said.split() != words:
            continue
        first, second = " ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])
        locution["text"], proposition["text"] = speaker + colon + first, first
        ids = [f"new{number}{kind}" for kind in ("L", "YA", "I")]
        texts = (speaker + colon + second, act["text"], second)
        nodes += [
            {"nodeID": id_, "type": kind, "text": text}
            for id_, kind, text in zip(ids, ("L", "YA", "I"), texts, strict=True)
        ]
        edges += [{"fromID": start, "toID": end} for start, end in pairwise(ids)]


def join(nodes: list[Document], edges: list[Document], _: random.Random) -> None:
    """Make one unit of each two that follow one another in the file."""
    units = list(units_of(nodes, edges))
    into: dict[str, str] = {}
    for first, second in zip(units[::2], units[1::2], strict=False):
        first[0]["text"] += " " + second[0]["text"].partition(": ")[2]
        first[2]["text"] += " " + second[2]["text"]
        into |= {second[0]["nodeID"]: first[0]["nodeID"], second[2]["nodeID"]: first[2]["nodeID"]}
        remove(nodes, edges, {second[1]["nodeID"]})
    for edge in edges:
        edge.update({key: into.get(edge[key], edge[key]) for key in ("fromID", "toID")})
    nodes[:] = [node for node in nodes if node["nodeID"] not in into]
    kept = {(edge["fromID"], edge["toID"]): edge for edge in edges if edge["fromID"] != edge["toID"]}
    edges[:] = kept.values()


CHANGES: Mapping[str, Change] = {
    f"units of {LONG} words or more are cut in two": cut,
    "every two units become one": join,
    "the first of every five relations is missing": partial(leave_out, step=5),
    "all relations are missing": leave_out,
    "as many relations are added, between random propositions": add,
    "relations have another type": change_type,
    "relations are turned round": turn_round,
    "relations lead to a random proposition": move_end,
    "illocutions have another label": relabel,
}


def changed(graph: ArgumentGraph, change: Change) -> ArgumentGraph:
    """Return a map with a change at every place."""
    document = to_dict(graph, format="xaif")
    sections = document["AIF"]
    change(sections["nodes"], sections["edges"], random.Random(f"{SEED} {graph.name}"))
    return from_dict(document).with_name(graph.name)


def mistakes() -> str:
    """Return the scores of the maps of US2016 after changes."""
    scores = ("CASS-kappa", "argument M-kappa", "argument M-f1")
    graphs = [entry.load().with_name(entry.name) for entry in open_corpus(DATA / "us2016")]
    systems = {name: [changed(graph, change) for graph in graphs] for name, change in CHANGES.items()}
    macro = {name: compare_corpora(graphs, maps, reference="first").macro for name, maps in systems.items()}
    return table(f"change in {len(graphs)} maps", scores, [[name, *row(of, scores)] for name, of in macro.items()])


# -- how far to trust an interval --------------------------------------------------------------------------------------


def coverage() -> str:
    """Return how often a 95 % interval over texts holds the mean of the texts of AraucariaDB, from which it draws."""
    folder = DATA / "araucaria"
    with TemporaryDirectory() as work:
        result = compare_corpora(folder, folder, pair_by=araucaria_pairs(Path(work)))
    scores = [MetricName.parse(name) for name in ("M-kappa", "ER-kappa")]
    by_text = result.texts.by_text(scores).values()
    draw = np.random.default_rng(SEED)
    cells: dict[int, list[str]] = {size: [] for size in SIZES}
    for score, size in product(scores, SIZES):
        values = np.array([row[str(score)] for row in by_text if row[str(score)] is not None])
        inside, widths = 0, []
        for number in range(CORPORA_DRAWN):
            table_ = mean_table(range(size), {score: draw.choice(values, size)})
            estimate = pool(table_, bootstrap=Bootstrap(seed=number))[score]
            inside += estimate.low <= values.mean() <= estimate.high
            widths.append(estimate.high - estimate.low)
        cells[size] += [f"{100 * inside / CORPORA_DRAWN:.1f}", f"{np.mean(widths):.3f}"]
    columns = (heading for score in map(printed, map(str, scores)) for heading in (score, f"mean width of {score}"))
    return as_markdown(Table("", ("texts", *columns), [(str(size), *row) for size, row in cells.items()])).strip()


TABLES = {"baselines": baseline_scores, "annotators": second_annotator, "mistakes": mistakes, "coverage": coverage}


def main() -> int:
    """Compute the tables, and write or check the pages."""
    if not DATA.is_dir():
        print(f"nothing is computed: there is no {DATA}")
        return 0
    tables = {name: compute() for name, compute in TABLES.items()}
    saved = [save(page, fill(page.read_text("utf-8"), tables)) for page in PAGES]
    return int(not all(saved))


if __name__ == "__main__":
    sys.exit(main())
