"""What a system gains by tricks: two tables of docs/evaluate-systems.md, computed from ../shared/data.

A system that lacks every third relation of the gold maps plays a trick in every map; and one that is given gold's units
takes the first in the file for the main claim. ``python benchmarks/gaming.py``
writes the tables into the page; ``--check`` fails where the page has others.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from figures import DATA, ROOT, SEED, fill, save
from interpret import add, cut, leave_out, relations_of, remove, units_of

from aifgraph import ArgumentGraph, compare_corpora, from_dict, open_corpus, to_dict
from aifgraph.tables import Table, as_markdown

PAGE = ROOT / "docs" / "evaluate-systems.md"
CORPUS = "us2016"
#: Which relations the system lacks, how many texts it answers where it abstains, and propositions of padding a map.
STEP, ANSWERED, PADDING = 3, 5, 200
COLUMNS = (
    ("argument M-κ", "first", "argument M-kappa"),
    ("argument M-F1", "first", "argument M-f1"),
    ("CASS-κ", "first", "CASS-kappa"),
    ("argument M-κ, `none`", "none", "argument M-kappa"),
    ("CASS-κ, `none`", "none", "CASS-kappa"),
)

Nodes = list[dict[str, Any]]
Trick = Callable[[Nodes, Nodes, random.Random], None]


def keep(nodes: Nodes, edges: Nodes, _: random.Random, kinds: Sequence[str]) -> None:
    """Keep nodes of some types."""
    remove(nodes, edges, {node["nodeID"] for node in nodes if node["type"] not in kinds})


def pad(nodes: Nodes, _: Nodes, __: random.Random) -> None:
    """Add propositions that nobody says or links."""
    nodes += [{"nodeID": f"pad{k}", "type": "I", "text": f"zq{k} xv{k} unlike anything"} for k in range(PADDING)]


def double(nodes: Nodes, edges: Nodes, _: random.Random) -> None:
    """Add every node and edge a second time, under new ids."""
    nodes += [{**node, "nodeID": f"{node['nodeID']}x"} for node in nodes]
    edges += [{**edge, "fromID": f"{edge['fromID']}x", "toID": f"{edge['toID']}x"} for edge in edges]


def guess(nodes: Nodes, edges: Nodes, draw: random.Random) -> None:
    """Put inferences between random propositions in place of the relations."""
    relations = len(relations_of(nodes))
    leave_out(nodes, edges, draw)
    own = [node["nodeID"] for node in nodes if node["type"] == "I" and not node["nodeID"].startswith("pad")]
    for number in range(relations if len(own) > 1 else 0):
        premise, conclusion = draw.sample(own, 2)
        nodes.append({"nodeID": f"new{number}", "type": "RA", "text": "Default Inference"})
        edges += [{"fromID": premise, "toID": f"new{number}"}, {"fromID": f"new{number}", "toID": conclusion}]


def melt(nodes: Nodes, edges: Nodes, _: random.Random) -> None:
    """Make one unit of all, and one conclusion of it that repeats the last words: nothing else is left to be wrong."""
    units = list(units_of(nodes, edges))
    if not units:
        return
    said = [unit[2]["text"] for unit in units]
    whole = " ".join(said)
    texts = {"L": f"Speaker: {whole}", "YA": "Asserting", "I": whole}
    nodes[:] = [{"nodeID": f"g{k}", "type": kind, "text": texts[kind]} for k, kind in enumerate(texts)]
    nodes += [{"nodeID": "g3", "type": "I", "text": said[-1]}, {"nodeID": "g4", "type": "RA", "text": "RA"}]
    edges[:] = [{"fromID": f"g{a}", "toID": f"g{b}"} for a, b in ("01", "12", "24", "43")]


TRICKS: Mapping[str, Sequence[Trick]] = {
    "none": (),
    f"locutions only, but in {ANSWERED} texts": (partial(keep, kinds=("L", "TA")),),
    "no dialogue": (partial(keep, kinds=("I", "RA", "CA", "MA", "PA")),),
    f"{PADDING} propositions of padding": (pad,),
    "every node twice": (double,),
    "units of 8 words or more cut in two": (cut,),
    "one proposition of all units": (melt,),
    "as many relations more, at random": (add,),
    "relations at random": (guess,),
    "relations at random, with padding": (pad, guess),
}


def played(graph: ArgumentGraph, tricks: Sequence[Trick]) -> ArgumentGraph:
    """Return a map of the system after tricks."""
    document = to_dict(graph, format="xaif")
    nodes, edges = document["AIF"]["nodes"], document["AIF"]["edges"]
    draw = random.Random(f"{SEED} {graph.name}")
    leave_out(nodes, edges, draw, STEP)
    for trick in tricks:
        trick(nodes, edges, draw)
    return from_dict(document).with_name(graph.name)


def star(graph: ArgumentGraph, shuffled: bool) -> ArgumentGraph:
    """Return a map in which all propositions support the first in the file, perhaps after shuffling."""
    propositions = [{"nodeID": node.id, "type": "I", "text": node.text} for node in graph.propositions]
    if shuffled:
        random.Random(f"{SEED} {graph.name}").shuffle(propositions)
    edges: Nodes = []
    relations = [{"nodeID": f"new{k}", "type": "RA", "text": "RA"} for k in range(1, len(propositions))]
    for premise, relation in zip(propositions[1:], relations, strict=True):
        edges += [{"fromID": premise["nodeID"], "toID": relation["nodeID"]}]
        edges += [{"fromID": relation["nodeID"], "toID": propositions[0]["nodeID"]}]
    return from_dict({"nodes": propositions + relations, "edges": edges}).with_name(graph.name)


def order_of_files() -> str:
    """Return what the order of the nodes in gold's files gives away."""
    rows: list[list[str]] = []
    for name, corpus in (("AraucariaDB", "araucaria"), ("microtexts", "microtexts/aifdb")):
        gold = [entry.load().with_name(entry.name) for entry in open_corpus(DATA / corpus)]
        cells = []
        for shuffled in (False, True):
            macro = compare_corpora(gold, [star(graph, shuffled) for graph in gold], reference="first").macro
            cells.append(f"{macro['argument M-kappa'].value:z.3f}")
        rows.append([name, str(len(gold)), *cells])
    return as_markdown(Table("", ("gold", "maps", "order of the file", "shuffled"), rows)).strip()


def main() -> int:
    """Compute the table, and write or check the page."""
    if not DATA.is_dir():
        print(f"nothing is computed: there is no {DATA}")
        return 0
    gold = [entry.load().with_name(entry.name) for entry in open_corpus(DATA / CORPUS)]
    rows: list[list[str]] = []
    for name, tricks in TRICKS.items():
        answered = ANSWERED if name.startswith("locutions") else 0
        system = [played(graph, () if place < answered else tricks) for place, graph in enumerate(gold)]
        macro = {how: compare_corpora(gold, system, reference=how).macro for how in ("first", "none")}
        rows.append([name, *(f"{macro[how][score].value:z.3f}" for _, how, score in COLUMNS)])
        print(*rows[-1], sep="\t", file=sys.stderr)
    table = as_markdown(Table("", ("trick", *(head for head, _, _ in COLUMNS)), rows)).strip()
    tables = {"gaming": table, "order": order_of_files()}
    return int(not save(PAGE, fill(PAGE.read_text("utf-8"), tables)))


if __name__ == "__main__":
    sys.exit(main())
