"""Graphviz as a library: pygraphviz carries it in its wheels.

What comes from a map may be hostile. Layouts are of sizes and links alone, bounded by their number; pictures, which
hold texts, are made in a process of their own that is stopped when it takes too long.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from importlib.util import find_spec
from types import MappingProxyType
from typing import Final

from aifgraph.errors import LimitError, MissingExtraError, OptionError
from aifgraph.printable import printable

#: Seconds that a picture may take.
TIMEOUT: Final = 120
#: Boxes and lines of one component that are laid out.
MAX_SIZE: Final = 16_000
#: From so many boxes and lines on Graphviz's search for the best places is cut short. Measured with 1 000 propositions
#: and 1 300 relations of them: 10 s without, 1.1 s with, the lines as long and a tenth fewer boxes above each other.
_LARGE: Final = 600
_BOUNDS: Final = {"nslimit": "0.1", "mclimit": "0.1"}
#: Routing a line costs about the square of the rows of boxes that it passes. Where the sum of these squares is above
#: the first number, only the shortest lines, up to the second, are laid out, and the others drawn as arcs. Measured
#: with a dialogue whose turns answer the one before and one half as far on: 140 turns 8 s without, 0.4 s with; 600
#: minutes without, 2 s with. Real maps have sums of up to 2 100.
_TANGLED: Final = 80_000
_KEPT: Final = 10_000
_UNTANGLED: Final = {"nslimit": "2", "mclimit": "0.1"}
#: The search for the best places in a row costs about the square of its boxes, and cut short it is of no use: from so
#: many boxes on, boxes stand as far left as they can. Measured with 3 000 premises of one claim: 21 s without, 2 s
#: with, the lines a quarter longer.
_WIDE: Final = 1_000
_UNSEARCHED: Final = {"nslimit": "0", "mclimit": "0.1"}
#: How far arcs reach beyond the boxes that they join, for each point of their height and at most.
_BOW: Final = 0.3
_WIDEST_BOW: Final = 600.0
#: Conclusions on top, in inches between boxes beside and above each other.
SPACING: Final = {"rankdir": "BT", "nodesep": "0.2", "ranksep": "0.3"}
#: Points of an inch.
_INCH: Final = 72
_PROGRAM: Final = "from aifgraph.report.graphviz import _draw; _draw()"

Point = tuple[float, float]
Link = tuple[str, str, str]


def installed() -> bool:
    """Whether there is a Graphviz to ask.

    >>> installed()
    True
    """
    return find_spec("pygraphviz") is not None


def bounds(size: int) -> dict[str, str]:
    """What cuts the work on a graph of so many boxes and lines short, as attributes of Graphviz.

    >>> bounds(50), bounds(5000)
    ({}, {'nslimit': '0.1', 'mclimit': '0.1'})
    """
    return _BOUNDS if size > _LARGE else {}


def bounded(
    names: Sequence[str], links: Collection[Link]
) -> tuple[Collection[Link], Collection[Link], Mapping[str, str]]:
    """The links (source, target, what tells parallel ones apart) that Graphviz can route in time, those that it cannot,
    and the attributes that cut its work short.

    Raises:
        LimitError: more than 16 000 boxes and links.
        MissingExtraError: pygraphviz is not installed.
    """
    if len(names) + len(links) > MAX_SIZE:
        raise LimitError(f"{len(names)} boxes that hang together by {len(links)} lines are too many to lay out")
    rows = _rows(names, links)
    near, far = _untangled(rows, links)
    if max(Counter(rows.values()).values(), default=0) > _WIDE:
        return near, far, _UNSEARCHED
    return near, far, _UNTANGLED if far else bounds(len(names) + len(links))


def _rows(names: Sequence[str], links: Collection[Link]) -> Mapping[str, int]:
    """The row that Graphviz puts each box into; none where there are too few links for that to matter."""
    if len(links) < _TANGLED ** (1 / 3):  # none passes more rows than there are others
        return {}
    lines = [f"{name};" for name in names] + [f"{source}->{target};" for source, target, _ in links]
    answer = json.loads(render(f"digraph{{{''.join(lines)}}}", "dot", "json0", {"phase": "1"}))
    return {each["name"]: int(each["rank"]) for each in answer["objects"]}


def _untangled(rows: Mapping[str, int], links: Collection[Link]) -> tuple[Collection[Link], Collection[Link]]:
    """The links that Graphviz can route in time, and those that pass too many rows of boxes for that."""
    if not rows:
        return links, ()
    passed = [abs(rows[source] - rows[target]) for source, target, _ in links]
    if sum(rows * rows for rows in passed) <= _TANGLED:
        return links, ()
    used, near = 0, set()
    for at in sorted(range(len(links)), key=passed.__getitem__):
        used += passed[at] ** 2
        if used > _KEPT:
            break
        near.add(at)
    kept = [link for at, link in enumerate(links) if at in near]
    return kept, [link for at, link in enumerate(links) if at not in near]


def arc(source: Sequence[float], target: Sequence[float]) -> list[Point]:
    """A line from the right side of one box to the right side of another, bent outwards."""
    (x, y), (to_x, to_y) = ((left + w, top + h / 2) for left, top, w, h in (source, target))
    bow = max(x, to_x) + min(_WIDEST_BOW, _BOW * abs(y - to_y) + _INCH / 2)
    return [(x, y), (bow, y), (bow, to_y), (to_x, to_y)]


def render(dot: str, engine: str, format: str, attributes: Mapping[str, str] = MappingProxyType({})) -> bytes:
    """What an engine of Graphviz makes of a graph with these attributes, in this process.

    Raises:
        MissingExtraError: pygraphviz is not installed.
        OptionError: Graphviz cannot read or draw it.

    >>> render("digraph { a -> b }", "dot", "plain").split()[0]
    b'graph'
    """
    try:
        import pygraphviz
        from pygraphviz import graphviz
    except ImportError:
        raise MissingExtraError(
            "pygraphviz is not installed, and without its Graphviz only .dot and .mmd are drawn",
            remedy="pip install 'pygraphviz>=2.0', or write map.dot or map.mmd",
        ) from None
    try:
        graph = pygraphviz.AGraph(string=dot)
    except ValueError as error:  # a DotError is one
        raise OptionError(f"Graphviz could not read this: {error}", remedy="write map.dot and look at it") from None
    graph.graph_attr.update(attributes)
    context = graphviz.gvContextWithBuiltins()
    try:
        failed = graphviz.gvLayout(context, graph.handle, engine.encode())
        more, data = (1, b"") if failed else graphviz.gvRenderData(context, graph.handle, format.encode())
        graphviz.gvFreeLayout(context, graph.handle)
    finally:
        graphviz.gvFreeContext(context)
        graph.close()
    if failed or more:
        raise OptionError("Graphviz could not draw this", remedy="write map.dot and look at it")
    return bytes(data)


def picture(
    dot: str, engine: str, format: str, attributes: Mapping[str, str] = MappingProxyType({})
) -> tuple[bytes, tuple[str, ...]]:
    """The same in a process of its own, which gets the graph on its standard input, and what Graphviz says of it.

    Raises:
        MissingExtraError: pygraphviz is not installed.
        LimitError: it takes longer than two minutes.
        OptionError: Graphviz cannot draw it.

    >>> picture("digraph { a -> b }", "dot", "svg")[0][:5]
    b'<?xml'
    """
    if not installed():
        render("", engine, format)
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", _PROGRAM, engine, format, json.dumps(dict(attributes))],
            input=dot.encode("utf-8", "replace"),
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        remedy = "draw the argument view, or a part of the map (--part)"
        raise LimitError(f"Graphviz took longer than {TIMEOUT} seconds", remedy=remedy) from None
    lines = [printable(line).strip() for line in done.stderr.decode("utf-8", "replace").splitlines()]
    # How this machine's fonts are configured is nothing that a map is to blame for.
    lines = [line for line in lines if line and not line.startswith("Fontconfig ")]
    said = tuple(dict.fromkeys(line.removeprefix("Warning: ") for line in lines))
    if done.returncode or not done.stdout:
        message = "; ".join(said[-3:]) or f"exit code {done.returncode}"
        raise OptionError(f"Graphviz could not draw this: {message}", remedy="write map.dot and look at it")
    return done.stdout, said


def _draw() -> None:
    """The program of that process."""
    engine, format, attributes = sys.argv[1:]
    sys.stdout.buffer.write(render(sys.stdin.buffer.read().decode("utf-8"), engine, format, json.loads(attributes)))
