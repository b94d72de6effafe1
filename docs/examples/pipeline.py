"""A whole pipeline over argument maps: load, walk, cut, build, write, compare, serve, and what can go wrong.

``python docs/examples/pipeline.py fixtures/debates out`` reads the corpus ``fixtures/debates`` and writes into the new
folder ``out``. It passes ``mypy --strict``. The extra ``frames`` is needed for the tables.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from io import BytesIO
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import networkx

import aifgraph
from aifgraph import ArgumentGraph, GraphBuilder
from aifgraph.aifdb import Policy


def load_maps(corpus: Path, count: int) -> list[ArgumentGraph]:
    """Return ``count`` maps of a corpus, from its beginning again if it has fewer."""
    entries = aifgraph.open_corpus(corpus)
    return [entry.load() for entry in islice(cycle(entries), count)]


def walk(graph: ArgumentGraph) -> list[str]:
    """Return the main claims with their supports, attacks and speakers."""
    lines = [f"{graph.name}: {', '.join(person.name for person in graph.speakers)}"]
    for claim in graph.roots():
        speaker = graph.speaker_of(claim)
        lines.append(f"{speaker.name if speaker else 'nobody'}: {claim.text}")
        lines += [f"  + {reason.text} ({relation.text})" for reason, relation in graph.supports(claim)]
        lines += [f"  - {attack.text}" for attack, _ in graph.attacks(claim)]
    return lines


def largest_part(graph: ArgumentGraph) -> ArgumentGraph:
    """The largest connected part of a map, as a map."""
    parts = sorted(graph.components(), key=len)
    return graph.subgraph(parts[-1])


def build_map() -> ArgumentGraph:
    """A map made in code: two people, a claim, a reason and an undercut."""
    build = GraphBuilder(name="masks")
    ann, bob = build.participant("Ann", "Lee"), build.participant("Bob", "May")
    claims: list[str] = []
    locutions: list[str] = []
    for person, name, text in (
        (ann, "Ann Lee", "Masks help"),
        (ann, "Ann Lee", "Experts say so"),
        (bob, "Bob May", "Those are no experts"),
    ):
        locutions.append(build.locution(f"{name}: {text}", speaker=person))
        claims.append(build.proposition(text))
        build.illocution(locutions[-1], claims[-1], "Asserting", schemes="Asserting")
    claim, reason, doubt = claims
    why = build.inference([reason], claim, schemes="Expert Opinion")
    build.conflict(doubt, why)
    build.transition(locutions[1], locutions[2])
    build.source("Ann Lee: Masks help. Experts say so. Bob May: Those are no experts.")
    return build.graph()


def write_and_load(graph: ArgumentGraph, path: Path) -> None:
    """Write a map as xAIF, and load it equal."""
    aifgraph.dump(graph, path, format="xaif")
    assert aifgraph.load(path) == graph


def kappa_of(pair: tuple[ArgumentGraph, ArgumentGraph]) -> float | None:
    """CASS-κ of two maps, for a process of the pool."""
    return aifgraph.compare(*pair, relations="RA+CA", calculations=["PR", "TR"]).kappa


Start = Callable[[str, list[tuple[str, str]]], object]


def web_handler(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
    """A WSGI application: two maps come as ``{"first": {…}, "second": {…}}``, the scores go back."""
    try:
        request = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        first, second = (aifgraph.from_dict(request[side], name=side, strict=True) for side in ("first", "second"))
        result = aifgraph.compare(first, second)
        status, answer = "200 OK", {"kappa": result.kappa, "f1": result.f1, "signature": result.signature}
    except (ValueError, KeyError, TypeError, aifgraph.InputError) as error:
        status, answer = "400 Bad Request", {"error": str(error)}
    start(status, [("Content-Type", "application/json")])
    return [json.dumps(answer).encode()]


def ask(request: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """What the handler answers, without a server."""
    body = json.dumps(request).encode()
    statuses: list[str] = []
    environ = {"wsgi.input": BytesIO(body), "CONTENT_LENGTH": str(len(body))}
    answer = b"".join(web_handler(environ, lambda status, headers: statuses.append(status)))
    return statuses[0], json.loads(answer)


def catch_errors(graph: ArgumentGraph) -> list[str]:
    """Each documented error once, as a line."""
    broken = {"nodes": [{"nodeID": 1, "type": "I", "text": "a"}], "edges": [{"fromID": 1, "toID": 2}]}
    build = GraphBuilder()
    claim, reason = build.proposition("Masks help"), build.proposition("They filter")
    said = build.locution("Ann: Masks help")
    mistakes: list[tuple[type[Exception], Callable[[], object]]] = [
        (FileNotFoundError, lambda: aifgraph.load("nowhere.json")),
        (aifgraph.NotFoundError, lambda: graph["no such id"]),
        (KeyError, lambda: graph["no such id"]),
        (aifgraph.FormatError, lambda: aifgraph.loads("no map")),
        (aifgraph.FormatError, lambda: aifgraph.load(broken, strict=True)),
        (aifgraph.LimitError, lambda: aifgraph.loads("[" * 100_000, format="aif")),
        (aifgraph.InputError, lambda: build.locution("Bob: No", speaker="7")),
        (aifgraph.InputError, lambda: build.inference([said], claim)),
        (aifgraph.NotFoundError, lambda: build.inference([reason], claim, schemes="ExpertOpinon")),
        (aifgraph.OptionError, lambda: aifgraph.compare(graph, graph, min_overlap=2)),
        (ValueError, lambda: aifgraph.to_dict(graph, format="dot")),
        (aifgraph.RemoteError, lambda: aifgraph.AIFdb("http://127.0.0.1:9", policy=Policy(retries=0)).nodeset(1)),
    ]
    lines: list[str] = []
    for kind, mistake in mistakes:
        try:
            mistake()
        except kind as error:
            lines.append(f"{type(error).__name__}: {error}")
        else:
            raise AssertionError(f"no {kind.__name__}")
    return lines


def main(corpus: Path, folder: Path) -> None:
    """All of it."""
    folder.mkdir(parents=True, exist_ok=True)
    maps = load_maps(corpus, 50)
    print("\n".join(walk(maps[0])))
    parts = [largest_part(graph) for graph in maps]
    print(f"{len(maps)} maps, {sum(map(len, maps))} nodes; {sum(map(len, parts))} in their largest parts")

    built = build_map()
    write_and_load(built, folder / "masks.json")
    write_and_load(parts[0], folder / "part.json")

    pairs = list(zip(maps, parts, strict=True))
    with ProcessPoolExecutor(2) as pool:
        kappas = list(pool.map(kappa_of, pairs, chunksize=10))
    print(f"least CASS-κ of a map with its largest part: {min(k for k in kappas if k is not None):.3f}")

    print(ask({"first": aifgraph.to_dict(built), "second": aifgraph.to_dict(built)}))
    print(ask({"first": {"nodes": 5}, "second": {}}))
    print("\n".join(catch_errors(maps[0])))

    print(maps[0].to_frame()[["type", "source_text", "target_text"]].head(3).to_string(max_colwidth=30))
    maps[0].nodes_frame().to_csv(folder / "nodes.csv", index=False)
    networkx.write_graphml(maps[0].to_networkx(), folder / "map.graphml")
    back = ArgumentGraph.from_networkx(networkx.read_graphml(folder / "map.graphml"))
    assert back == maps[0]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, help="a folder of maps, or any other corpus")
    parser.add_argument("folder", type=Path, help="where to write")
    options = parser.parse_args()
    main(options.corpus, options.folder)
