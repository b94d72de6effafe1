"""What a system gains by tricks: two tables of docs/evaluate-systems.md, computed from ../shared/data.

A system that lacks every third relation of the gold maps plays a trick in every map; and one that is given gold's units
takes the first in the file for the main claim. ``python benchmarks/gaming.py``
writes the tables into the page; ``--check`` fails where the page has others.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

from figures import DATA, ROOT, SEED, fill, save
from interpret import LONG, cut, leave_out, relations_of, remove, units_of

from aifgraph import ArgumentGraph, SourceText, compare_corpora, from_dict, open_corpus, to_dict
from aifgraph.tables import Table, as_markdown

PAGE = ROOT / "docs" / "evaluate-systems.md"
CORPUS = "us2016"
#: Which relations the system lacks, how many texts it answers where it abstains, propositions of padding a map, and
#: words of filler for each word of a text.
STEP, ANSWERED, PADDING, FILLER = 3, 5, 200, 20
COLUMNS = (
    ("argument M-κ", "argument M-kappa"),
    ("argument M-F1", "argument M-f1"),
    ("CASS-κ", "CASS-kappa"),
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


def end_early(nodes: Nodes, edges: Nodes, _: random.Random) -> None:
    """Keep the first third of each long unit."""
    for locution, _, proposition in units_of(nodes, edges):
        words = proposition["text"].split()
        if len(words) >= LONG and locution["text"].endswith(proposition["text"]):
            begin = " ".join(words[: len(words) // 3 + 1])
            locution["text"] = locution["text"].removesuffix(proposition["text"]) + begin
            proposition["text"] = begin


def join_lonely(nodes: Nodes, edges: Nodes, _: random.Random) -> None:
    """Join each proposition without a relation to the one before it in the file that has one."""
    relations = {node["nodeID"] for node in relations_of(nodes)}
    related = {end for edge in edges for end in edge.values() if {edge["fromID"], edge["toID"]} & relations}
    into: dict[str, str] = {}
    last: dict[str, Any] | None = None
    for node in nodes:
        if node["type"] == "I" and node["nodeID"] in related:
            last = node
        elif node["type"] == "I" and last:
            last["text"] += f" {node['text']}"
            into[node["nodeID"]] = last["nodeID"]
    nodes[:] = [node for node in nodes if node["nodeID"] not in into]
    for edge in edges:
        edge.update({key: into.get(edge[key], edge[key]) for key in ("fromID", "toID")})


def draw_types(nodes: Nodes, _: Nodes, draw: random.Random) -> None:
    """Give each relation the type RA or CA at random."""
    for node in relations_of(nodes):
        node["type"] = node["text"] = draw.choice(("RA", "CA"))


def both_types(nodes: Nodes, edges: Nodes, _: random.Random) -> None:
    """Set a relation of the other type, RA or CA, beside each relation."""
    for node in relations_of(nodes):
        twin, other = f"{node['nodeID']}x", "CA" if node["type"] == "RA" else "RA"
        nodes.append({"nodeID": twin, "type": other, "text": other})
        edges += [{key: edge[key] for key in ("fromID", "toID")} | {"fromID": twin} for edge in edges
                  if edge["fromID"] == node["nodeID"]]  # fmt: skip
        edges += [{"fromID": edge["fromID"], "toID": twin} for edge in edges if edge["toID"] == node["nodeID"]]


class Game(NamedTuple):
    """The tricks of a system; of how many texts it plays none; whether gold has source texts, how many words of filler
    the system's has for each word, and what becomes of every third text: an answer, no map, an empty map."""

    tricks: Sequence[Trick] = ()
    honest: int = 0
    gold_text: bool = True
    own_text: bool = False
    filler: int = 0
    third: Literal["answer", "no map", "empty map"] = "answer"


GAMES: Mapping[str, Game] = {
    "none": Game(),
    f"locutions only, but in {ANSWERED} texts": Game([partial(keep, kinds=("L", "TA"))], honest=ANSWERED),
    "no dialogue": Game([partial(keep, kinds=("I", "RA", "CA", "MA", "PA"))]),
    "padding": Game([pad]),
    "every node twice": Game([double]),
    "long units cut in two": Game([cut]),
    "the same, with filler": Game([cut], own_text=True, filler=FILLER),
    "one proposition of all": Game([melt]),
    "unrelated propositions joined": Game([join_lonely]),
    "random types": Game([draw_types]),
    "the same, both types": Game([draw_types, both_types]),
    "a third without map": Game(third="no map"),
    "a third empty": Game(third="empty map"),
    "units end early, no texts": Game([end_early], gold_text=False),
    "the same, own texts": Game([end_early], gold_text=False, own_text=True),
}


def answers(gold: Sequence[ArgumentGraph], game: Game) -> Iterator[ArgumentGraph]:
    """Yield the maps of a system."""
    for place, graph in enumerate(gold):
        made = played(graph, () if place < game.honest else game.tricks)
        text = " ".join([graph.text, *(f"zq{k}" for k in range(game.filler * len(graph.text.split())))])
        made = made.with_meta(source=SourceText(text) if game.own_text else None)
        if place % STEP or game.third == "answer":
            yield made
        elif game.third == "empty map":
            yield ArgumentGraph((), ()).with_name(graph.name)


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
    bare = [graph.with_meta(source=None) for graph in gold]
    rows: list[list[str]] = []
    for name, game in GAMES.items():
        system = [*answers(gold, game)]
        macro = compare_corpora(gold if game.gold_text else bare, system, missing="zero", reference="first").macro
        rows.append([name, *(f"{macro[score].value:z.3f}" for _, score in COLUMNS)])
        print(*rows[-1], sep="\t", file=sys.stderr)
    table = as_markdown(Table("", ("trick", *(head for head, _ in COLUMNS)), rows)).strip()
    tables = {"gaming": table, "order": order_of_files()}
    return int(not save(PAGE, fill(PAGE.read_text("utf-8"), tables)))


if __name__ == "__main__":
    sys.exit(main())
