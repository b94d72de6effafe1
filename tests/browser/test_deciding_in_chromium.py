"""Deciding by keyboard on real pairs: what comes out is what was decided, in the file, in merge and on the gold map."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph import Comparison
from aifgraph.adjudication.decisions import choices_of
from aifgraph.adjudication.merge import ContradictionError, Merged, merge_compared
from aifgraph.graph.nodes import RELATIONS
from aifgraph.report.graphviz import installed
from aifgraph.report.page import report_html
from browser.conftest import Page
from web.servers import Process, make_corpora
from web.test_web_decisions import OPEN, table

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.skipif(not installed(), reason="needs Graphviz")]
Open = Callable[..., Page]
KEYS = {"first": "1", "second": "2", "both": "3", "neither": "4"}
ALL_CARDS = "document.querySelectorAll('.filter input:not(:checked)').forEach((box) => box.click())"


def real_pairs(shared: Path) -> list[tuple[Path, Path]]:
    """Ten pairs of the same text."""
    lines = (shared / "araucaria" / "same_text_pairs.tsv").read_text("utf-8").splitlines()[1:6]
    pairs = [line.split("\t")[:2] for line in lines]
    paths = [(shared / "araucaria" / first, shared / "araucaria" / second) for first, second in pairs]
    test = shared / "dialam-2024" / "test"
    paths += [(test / "gold" / f"test_map{n}.json", test / "system" / f"test_map{n}.json") for n in range(1, 5)]
    return [*paths, (shared / "xaif" / "28111.json", shared / "xaif" / "28111_mistake.json")]


def consistent(result: Comparison, seed: int) -> tuple[dict[str, str], Merged]:
    """Random decisions about every row that do not contradict each other, and what merge makes of them."""
    rows, draw = {row.id: row for row in result.differences()}, random.Random(seed)
    chosen: dict[str, str] = {
        id_: draw.choice([choice for choice in choices_of(row) if choice != "other"]) for id_, row in rows.items()
    }
    while True:
        try:
            return chosen, merge_compared(result, chosen)
        except ContradictionError as error:
            chosen |= {
                id_: "keep" if rows[id_].sides != "both" else draw.choice(("first", "second")) for id_ in error.rows
            }


def press_all(page: Page, chosen: dict[str, str]) -> None:
    """Show all cards and decide one after the other."""
    page.js(ALL_CARDS)
    page.click("#decide")
    for row in page.js("return JSON.parse(document.querySelector('#data').textContent).rows"):
        own, other = (row["s"], "second" if row["s"] == "first" else "first")
        page.press(KEYS[{"keep": own, "drop": other}.get(chosen[row["id"]], chosen[row["id"]])])


def drawn_links(page: Page) -> set[tuple[str, str, str]]:
    """The links of the gold map, by classes of claims; what attacks a relation leads to ``S``."""
    lines: list[Any] = page.js(
        "return [...document.querySelectorAll('.view path.e:not(.out)')].map((line) =>"
        " [...line.dataset.e.split(' '), line.classList[1], line.hasAttribute('marker-end')])"
    )
    premises = {(start, end) for start, end, _, head in lines if not head}
    links = set()
    for start, end, kind, head in lines:
        starts = {premise for premise, hub in premises if hub == start} if start[0] == "m" else {start}
        links |= {(premise, kind, end if end[0] == "p" else "S") for premise in starts if head}
    return links


def merged_links(result: Comparison, merged: Merged) -> tuple[set[str], set[tuple[str, str, str]]]:
    """The classes of the claims of a merged map and its links, counted in its JSON."""
    document = json.loads(aifgraph.dumps(merged.graph, format="aif"))
    sides = ("first", "second")
    alignment = result.alignment
    numbers = (alignment.propositions.first_class, alignment.propositions.second_class)
    ids = [{id_: n for n, id_ in enumerate(analysis.ids)} for analysis in (alignment.first, alignment.second)]
    base = merged.graph.meta.aif.get("merge", {}).get("base", "first")
    nodes = {str(node["nodeID"]): node for node in document["nodes"]}

    def name(id_: str) -> str:
        came = nodes[id_].get("merged", {}).get("from", {base: id_})
        side, own = next(iter(came.items()))
        return f"p{numbers[sides.index(side)][ids[sides.index(side)][own]]}"

    edges = [(str(edge["fromID"]), str(edge["toID"])) for edge in document["edges"]]
    links = set()
    for id_, node in nodes.items():
        if node["type"] not in RELATIONS:
            continue
        starts = [start for start, end in edges if end == id_ and nodes[start]["type"] == "I"]
        ends = [end for start, end in edges if start == id_ and nodes[end]["type"] in ("I", *RELATIONS)]
        links |= {
            (name(start), node["type"], name(end) if nodes[end]["type"] == "I" else "S")
            for start in starts
            for end in ends
        }
    return {name(id_) for id_, node in nodes.items() if node["type"] == "I"}, links


@pytest.mark.data
def test_ten_real_pairs_are_merged_as_they_were_decided(open_page: Open, tmp_path: Path, shared_data: Path) -> None:
    for number, paths in enumerate(real_pairs(shared_data)):
        result = aifgraph.compare(*map(aifgraph.load, paths))
        chosen, merged = consistent(result, number)
        page = open_page(report_html(result))
        press_all(page, chosen)
        assert page.js("return aifgraphPage.contradictions().length") == 0
        file = tmp_path / f"{number}.tsv"
        file.write_text(str(page.js("return aifgraphPage.tsv()")), "utf-8")
        by_file = aifgraph.merge(result.first, result.second, decisions=file).graph
        assert [(node.id, node.type, node.text) for node in by_file] == [(n.id, n.type, n.text) for n in merged.graph]
        assert by_file.edges == merged.graph.edges
        claims, links = merged_links(result, merged)
        page.press("g")
        assert drawn_links(page) == links, paths
        boxes = page.js(
            "return [...document.querySelectorAll('.view .b')].map((b) => [b.dataset.n, !b.matches('.out')])"
        )
        assert dict(boxes) == {name: name in claims for name, _ in boxes}, paths


@pytest.mark.data
def test_the_page_finds_the_contradictions_that_merge_refuses(open_page: Open, shared_data: Path) -> None:
    for number, paths in enumerate(real_pairs(shared_data)):
        result, draw = aifgraph.compare(*map(aifgraph.load, paths)), random.Random(number)
        chosen = {
            row.id: draw.choice([choice for choice in choices_of(row) if choice != "other"])
            for row in result.differences()
        }
        page = open_page(report_html(result))
        press_all(page, chosen)
        try:
            merge_compared(result, chosen)
            refused = False
        except ContradictionError:
            refused = True
        assert (page.js("return aifgraphPage.contradictions().length") > 0) is refused, paths


def test_decisions_with_a_break_are_all_kept(open_page: Open, shared_data: Path) -> None:
    test = shared_data / "dialam-2024" / "test"
    result = aifgraph.compare(*(aifgraph.load(test / side / "test_map2.json") for side in ("gold", "system")))
    page = open_page(report_html(result))
    page.js(ALL_CARDS)
    page.click("#decide")
    for n in range(20):
        page.press("12"[n % 2])
    page.driver.refresh()
    page.until("document.readyState === 'complete'")
    page.js(ALL_CARDS)
    page.press("d")
    count = len(result.differences())
    assert page.text("[role=status]").startswith(f"20 of {count} decided")
    for _ in range(20, count):
        page.press("1")
    assert page.text("[role=status]").startswith(f"{count} of {count} decided")
    page.press("u")
    assert page.text("[role=status]").startswith(f"{count - 1} of {count} decided")


def test_a_card_is_whole_on_a_phone(open_page: Open, shared_data: Path) -> None:
    maps = [aifgraph.load(shared_data / "araucaria" / f"nodeset{n}.json") for n in (15, 81)]
    page = open_page(report_html(aifgraph.compare(*maps)))
    with page.window(390, 844):
        page.click("#decide")
        for _ in range(10):
            hidden = "const card = document.querySelector('.one-card'); return card.scrollHeight - card.clientHeight"
            assert page.js(hidden) <= 1
            last = "return document.querySelector('.choices').getBoundingClientRect().bottom"
            assert page.js(last) <= 844
            page.press("j")


def test_the_end_names_contradictions_in_words(open_page: Open) -> None:
    build = aifgraph.GraphBuilder()
    claim, reason = build.proposition("Masks help everyone"), build.proposition("They filter the air")
    first = build.graph()
    build.inference([reason], claim)
    second, build = build.graph(), aifgraph.GraphBuilder()
    build.proposition("Masks help everyone")
    page = open_page(report_html(aifgraph.compare(build.graph(), second)))
    assert len(first.propositions) == 2
    page.click("#decide")
    rows = page.js("return JSON.parse(document.querySelector('#data').textContent).rows")
    assert "supports" in page.text(".choices")  # what leaving the claim out also removes
    for row in rows:
        page.press("1" if row["g"] == "propositions" else "2")
    if len(rows) > 1:
        assert "They filter the air" in page.text(".trouble")


pytest.importorskip("fastapi")

SAVED = "!document.querySelector('dialog') && document.querySelector('.keeping')?.textContent.startsWith('Saved')"


@pytest.mark.slow
@pytest.mark.browser
def test_two_browsers_and_a_restart(fixtures: Path, tmp_path: Path, chromium: Any) -> None:
    corpora, page = make_corpora(tmp_path, fixtures), Page(chromium)
    server = Process(*corpora, "-o", tmp_path, "--as", "Cleo", TMPDIR=str(tmp_path))
    pair = server.pairs()["debate"]

    def deciders() -> list[str]:
        return sorted(line["by"] for line in table(tmp_path) if line["decision"])

    chromium.get(f"{server.url}/pairs/{pair}/")
    page.press("d", "1")
    page.until(SAVED, 60)
    assert deciders() == ["Cleo"]
    # Somebody else decides all others, which this browser shows as open.
    others = [line["row"] for line in table(tmp_path) if not line["decision"]]
    for row in others:
        assert server.decide(pair, row, OPEN, decision="second", by="Dan").status_code == 200
    page.press("1")
    assert "Dan" in page.until("document.querySelector('dialog p')?.textContent")
    assert deciders() == ["Cleo", *["Dan"] * len(others)]
    page.click("dialog button:last-of-type")
    page.until(SAVED, 60)
    assert deciders().count("Cleo") == 2
    # The server is away: what was decided is sent again.
    server.kill()
    page.press("u")
    page.until("document.querySelector('.keeping.trouble')", 60)
    again = Process(*corpora, "-o", tmp_path, "--port", server.url.rpartition(":")[2], TMPDIR=str(tmp_path))
    again.pairs()
    page.until(f"{SAVED} && !document.querySelector('.keeping.trouble')", 60)
    assert deciders() == ["Cleo", *["Dan"] * (len(others) - 1)]
    again.close()
