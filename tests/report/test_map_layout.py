"""Where the argument view has its boxes and lines: no line through a box, and lines as short as dot's."""

from __future__ import annotations

import json
import math
import random
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

import aifgraph
from aifgraph.errors import LimitError
from aifgraph.report.graphviz import SPACING, installed, lay_out, render
from aifgraph.report.html import report_html
from aifgraph.report.html.map_layout import MapLayout, SmallMap, SmallMaps, _packed, argument_layout
from aifgraph.report.html.merged_map import MergedMap, merged_map
from aifgraph.report.html.timeline import timeline
from report.test_html_page import small
from sampled import LONG, some_of

pytestmark = pytest.mark.skipif(not installed(), reason="needs pygraphviz")
Points = list[tuple[float, float]]


def layout_of(first: aifgraph.ArgumentGraph, second: aifgraph.ArgumentGraph) -> MapLayout:
    result = aifgraph.compare(first, second)
    merged = merged_map(result.differences())
    return argument_layout(merged, timeline(result.alignment, merged))


def data_of(page: str) -> dict[str, object]:
    found = re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, object] = json.loads(found[1])
    return data


def sampled(outline: str, steps: int = 30) -> Points:
    """Points on a line, so many for each of its curves."""
    numbers = [float(each) for each in re.findall(r"-?[\d.]+(?:e-?\d+)?", outline)]
    given = list(zip(numbers[::2], numbers[1::2], strict=True))
    found = given[:1]
    for at in range(0, len(given) - 1, 3):
        for step in range(1, steps + 1):
            level = given[at : at + 4]
            while len(level) > 1:
                level = [(a + (c - a) * step / steps, b + (d - b) * step / steps) for (a, b), (c, d) in pairwise(level)]
            found += level
    return found


def wrong(layout: MapLayout) -> list[str]:
    """Lines that go through a box or end at none, and boxes that overlap."""
    found = []
    for ends, path in layout.paths.items():
        points = sampled(path.d)
        for number, (x, y) in zip(ends, (points[0], points[-1]), strict=True):
            box = layout.places[number]
            if not (box.x - 2 < x < box.x + box.w + 2 and box.y - 2 < y < box.y + box.h + 2):
                found.append(f"{ends} does not end at {number}")
        for number, box in layout.places.items():
            if number not in ends and any(
                box.x + 1 < x < box.x + box.w - 1 and box.y + 1 < y < box.y + box.h - 1 for x, y in points
            ):
                found.append(f"{ends} goes through {number}")
    boxes = list(layout.places.items())
    for at, (one, a) in enumerate(boxes):
        for other, b in boxes[at + 1 :]:
            if a.x < b.x + b.w - 1 and b.x < a.x + a.w - 1 and a.y < b.y + b.h - 1 and b.y < a.y + a.h - 1:
                found.append(f"{one} overlaps {other}")
    return found


def length(points: Points) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(points))


def crossings(lines: Iterable[Points]) -> int:
    pieces = [(at, a, b) for at, points in enumerate(lines) for a, b in pairwise(points)]

    def side(p: tuple[float, float], q: tuple[float, float], r: tuple[float, float]) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return sum(
        one != other and side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
        for at, (one, a, b) in enumerate(pieces)
        for other, c, d in pieces[at + 1 :]
    )


def plain_dot(layout: MapLayout) -> list[Points]:
    """The lines that dot draws between the same boxes with its own settings."""
    boxes = "".join(
        f"{number}[width={box.w / 72},height={box.h / 72}];" for number, box in sorted(layout.places.items())
    )
    links = "".join(f"{source}->{target};" for source, target in layout.paths)
    drawn = render(f'digraph{{edge[dir=none];node[shape=box,fixedsize=true,label=""];{boxes}{links}}}', "dot", "json0")
    return [sampled("M" + each["pos"], 6) for each in json.loads(drawn).get("edges", ())]


def knot(count: int, seed: int) -> aifgraph.ArgumentGraph:
    """Circles, loops, several conclusions, linked premises, attacks on relations."""
    build, pick = aifgraph.GraphBuilder(), random.Random(seed)

    def joined(type_: str, *ends: str) -> str:
        relation = build.node(type_)
        for premise in dict.fromkeys(ends[:-1]):
            build.edge(premise, relation)
        if not build.has_edge(relation, ends[-1]):
            build.edge(relation, ends[-1])
        return relation

    said = [build.proposition(f"Proposition {number}, " + "at length " * (number % 7)) for number in range(count)]
    for number in range(1, count):
        relation = joined("RA", *pick.sample(said, pick.choice([1, 1, 2, 3])), said[pick.randrange(count)])
        if number % 5 == 0:
            joined("CA", pick.choice(said), relation)
        if number % 4 == 0:
            joined("MA", pick.choice(said), pick.choice(said))
    return build.graph()


@pytest.mark.parametrize("seed", range(4))
def test_no_line_goes_through_a_box_of_a_knot(seed: int) -> None:
    layout = layout_of(knot(18, seed), knot(14, seed + 1))
    assert wrong(layout) == []
    assert len(layout.places) > 40


def test_a_box_has_one_place_in_both_maps_and_in_a_part_of_them() -> None:
    """The page draws every map, side by side, over each other or only the differences, from these places."""
    data = data_of(report_html(aifgraph.compare(small("RA"), small("CA"))))
    assert [set(each["place"]) for each in data["elements"]] == [{"x", "y", "w", "h"}] * 3  # type: ignore[attr-defined]
    assert all(each["path"]["d"].startswith("M") for each in data["lines"])  # type: ignore[attr-defined]
    conclusion, reason = (
        next(
            each["place"]["y"]
            for each in data["elements"]  # type: ignore[attr-defined]
            if each["first"]["text"] == text
        )
        for text in ("Masks help everyone", "They filter the air")
    )
    assert conclusion < reason


def test_components_stand_in_the_order_of_the_text_and_loose_ends_come_last() -> None:
    build = aifgraph.GraphBuilder()
    build.proposition("said by the way")
    for number in range(9):
        build.inference([build.proposition(f"reason {number}")], build.proposition(f"claim {number}"))
    graph = build.graph()
    layout = layout_of(graph, graph)
    texts = {text: number for number, text in enumerate(node.text for node in graph.propositions)}
    order = [layout.places[texts[f"claim {number}"]] for number in range(9)]
    assert [(box.y, box.x) for box in order] == sorted((box.y, box.x) for box in order)
    assert layout.places[texts["said by the way"]].y >= max(box.y for box in order)
    assert wrong(layout) == []


def test_without_pygraphviz_the_page_says_that_it_has_no_map(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    data = data_of(report_html(aifgraph.compare(small("RA"), small("CA"))))
    assert "pip install 'pygraphviz" in data["argument"]["why"]  # type: ignore[index]
    assert [each["place"] for each in data["elements"]] == [None] * 3  # type: ignore[attr-defined]


def test_what_is_too_large_is_refused_at_once() -> None:
    with pytest.raises(LimitError, match="8001 boxes"):
        lay_out(dict.fromkeys(range(8001), (220.0, 40.0)), [(number, number - 1) for number in range(1, 8001)])


@pytest.mark.slow
def test_a_large_component_is_laid_out_within_its_bound() -> None:
    """1 000 propositions that hang together took 10 s before the search was cut short, and 3 000 took 105."""
    pick = random.Random(1)
    sizes, links = {0: (220.0, 44.0)}, []
    for _ in range(999):
        claim = len(sizes)
        sizes[claim] = (220.0, 44.0)
        for _ in range(pick.choice([1, 1, 2])):
            relation = len(sizes)
            sizes[relation] = (90.0, 26.0)
            links += [(claim, relation), (relation, pick.randrange(max(0, claim - 60), claim))]
    graph = lay_out(sizes, links)
    assert len(graph.places) == len(sizes)


@pytest.mark.parametrize("direction", ["BT", "LR"])
@pytest.mark.parametrize("links", [[(0, 1), (1, 2)], [(2, 0), (0, 1)], []])
def test_a_row_of_boxes_is_placed_as_graphviz_places_it(direction: str, links: list[tuple[int, int]]) -> None:
    sizes = {0: (220.0, 62.0), 1: (90.0, 26.0), 2: (180.0, 44.0)}
    boxes = "".join(f"{number}[width={w / 72},height={h / 72}];" for number, (w, h) in sizes.items())
    lines = "".join(f"{source}->{target};" for source, target in links)
    attributes = SPACING | {"rankdir": direction if links else "TB"}
    drawn = json.loads(render(f"digraph{{node[shape=box,fixedsize=true];{boxes}{lines}}}", "dot", "json0", attributes))
    wanted = {int(each["name"]): [float(number) for number in each["pos"].split(",")] for each in drawn["objects"]}
    laid = lay_out(sizes, links, direction)
    for number, (x, y) in laid.places.items():
        w, h = sizes[number]
        assert (x + w / 2, laid.height - y - h / 2) == pytest.approx(wanted[number], abs=2)
    assert wrong(_packed([laid], sizes)) == []
    assert laid.curves.keys() == set(links)


@pytest.mark.parametrize("turns", [140, 600])
def test_a_tangle_is_laid_out_in_seconds(turns: int) -> None:
    """Turns that answer the one before and one half as far on: of 140, routing the lines took 8 s, of 600 minutes."""
    sizes = dict.fromkeys(range(turns), (220.0, 44.0))
    links = []
    for turn in range(1, turns):
        for other in {turn - 1, turn // 2}:
            relation = len(sizes)
            sizes[relation] = (90.0, 26.0)
            links += [(turn, relation), (relation, other)]
    start = time.process_time()
    laid = lay_out(sizes, links)
    assert time.process_time() - start < 6
    assert (laid.places.keys(), laid.curves.keys()) == (sizes.keys(), set(links))
    assert all(0 <= x <= laid.width and 0 <= y <= laid.height for line in laid.curves.values() for x, y in line)
    # What is long is drawn beside the boxes, which stand above each other.
    assert max(x for x, _ in laid.places.values()) < 3000


def test_a_claim_with_thousands_of_premises_is_laid_out_in_seconds() -> None:
    """3 000 took 21 s: the search for places in a row of so many boxes was quadratic."""
    sizes, links = {0: (220.0, 44.0)}, []
    for premise in range(1, 6_000, 2):
        sizes |= {premise: (220.0, 44.0), premise + 1: (90.0, 26.0)}
        links += [(premise, premise + 1), (premise + 1, 0)]
    start = time.process_time()
    laid = lay_out(sizes, links)
    assert time.process_time() - start < 8
    assert (laid.places.keys(), laid.curves.keys()) == (sizes.keys(), set(links))
    rows = [sorted(x for number, (x, _) in laid.places.items() if number % 2 == odd and number) for odd in (0, 1)]
    assert all(b - a >= w for row, w in zip(rows, (90, 220), strict=True) for a, b in pairwise(row))


def real_pairs(shared: Path) -> Iterator[tuple[Path, Path]]:
    """xAIF 28111 and its copy with a slip, and five DialAM maps with a system's."""
    yield shared / "xaif" / "28111.json", shared / "xaif" / "28111_mistake.json"
    for path in sorted((shared / "dialam-2024" / "test" / "gold").glob("*.json")):
        yield path, shared / "dialam-2024" / "test" / "system" / path.name


@pytest.mark.data
@pytest.mark.slow
def test_lines_cross_no_more_and_are_no_longer_than_those_of_plain_dot(shared_data: Path) -> None:
    looked = 0
    for first, second in real_pairs(shared_data):
        layout = layout_of(aifgraph.load(first), aifgraph.load(second))
        ours = [sampled(path.d, 6) for path in layout.paths.values()]
        plain = plain_dot(layout)
        assert crossings(ours) <= 1.1 * crossings(plain), first.name
        assert sum(map(length, ours)) <= 1.1 * sum(map(length, plain)), first.name
        looked += 1
    assert looked == 6


@pytest.mark.data
@pytest.mark.slow
def test_no_line_goes_through_a_box_of_real_pairs(shared_data: Path) -> None:
    araucaria = shared_data / "araucaria"
    rows = [line.split("\t") for line in (araucaria / "same_text_pairs.tsv").read_text().splitlines()[1:]]
    pairs = [*real_pairs(shared_data), *((araucaria / one, araucaria / other) for one, other, *_ in rows)]
    pairs += [(path, path) for folder in ("us2016", "xaif") for path in sorted((shared_data / folder).glob("*.json"))]
    looked = 0
    for first, second in some_of(pairs, every=4):
        layout = layout_of(aifgraph.load(first), aifgraph.load(second))
        assert (first.name, wrong(layout), layout.why) == (first.name, [], "")
        looked += len(layout.paths)
    assert looked > (2000 if LONG else 500)


def small_maps(
    first: aifgraph.ArgumentGraph, second: aifgraph.ArgumentGraph
) -> tuple[MergedMap, list[list[MapLayout]]]:
    differences = aifgraph.compare(first, second).differences()
    merged = merged_map(differences)
    maps = SmallMaps(merged)
    return merged, [[by_element(small, maps.layouts) for small in maps.of(row)] for row in differences]


def by_element(small: SmallMap, layouts: Sequence[MapLayout]) -> MapLayout:
    layout, elements = layouts[small.layout], small.elements
    assert sorted(layout.places) == list(range(len(elements)))
    places = {elements[box]: place for box, place in layout.places.items()}
    paths = {(elements[one], elements[other]): path for (one, other), path in layout.paths.items()}
    return replace(layout, places=places, paths=paths)


def test_a_difference_has_a_map_of_its_own_as_each_side_has_it() -> None:
    """A reversed relation runs from left to right on both sides; what only one side has is in its map alone."""
    one, other = aifgraph.GraphBuilder(), aifgraph.GraphBuilder()
    for build, turned in ((one, False), (other, True)):
        ends = [build.proposition("Masks help everyone"), build.proposition("They filter the air")]
        build.inference([ends[not turned]], ends[turned])
    one.conflict(one.proposition("Nobody wears them"), one.proposition("We are safe"))
    merged, rows = small_maps(one.graph(), other.graph())
    texts = {each.number: each.first.text for each in merged.elements if each.first and each.kind == "I"}
    (reversed_one,) = (
        maps
        for maps in rows
        if all(len(each.paths) == 2 for each in maps) and "They filter the air" in map(texts.get, maps[0].places)
    )
    orders = [sorted(each.places, key=lambda number: each.places[number].x) for each in reversed_one]
    assert orders[0] == orders[1][::-1]
    alone = [maps for maps in rows if maps is not reversed_one]
    assert alone
    assert all(maps[0].places and not maps[1].places for maps in alone)


@pytest.mark.data
@pytest.mark.slow
def test_what_a_decision_is_about_is_few_boxes_without_a_line_through_any(shared_data: Path) -> None:
    looked = 0
    for first, second in real_pairs(shared_data):
        _, rows = small_maps(aifgraph.load(first), aifgraph.load(second))
        for maps in rows:
            assert [wrong(each) for each in maps] == [[], []]
            assert 1 <= max(len(each.places) for each in maps) <= 12
            looked += 1
    assert looked > 50
