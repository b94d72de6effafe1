"""The page of a pair in a browser: what is decided by keyboard comes out in the file, in merge and on the map."""

import json
import re
import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import pytest

import aifgraph
from adjudication.laws import at_random
from aifgraph import Comparison
from aifgraph.adjudication.decisions import Decision, read_decisions
from aifgraph.adjudication.merge import Merged, merge_compared
from aifgraph.adjudication.selection import needs_decision
from aifgraph.comparison.differences import Differences
from aifgraph.graph.nodes import RELATIONS
from aifgraph.report.page import report_html
from browser.conftest import Page
from documents import argument, compared_debate
from report.hostile_pages import STEERS, pages, script
from report.test_html_page import write
from web.servers import Process, make_corpora
from web.test_app import OPEN, table

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(not find_spec("pygraphviz"), reason="needs Graphviz"),
]
Open = Callable[..., Page]
ALL_CARDS = "document.querySelectorAll('.filter input:not(:checked)').forEach((box) => box.click())"


def real_pairs(shared: Path) -> list[tuple[Path, Path]]:
    """Ten pairs of the same text."""
    folder, test = shared / "araucaria", shared / "dialam-2024" / "test"
    lines = (folder / "same_text_pairs.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in (*lines[1:5], lines[21])]  # the last cuts units that relations join inside
    paths = [(folder / first, folder / second) for first, second, *_ in rows]
    paths += [(test / "gold" / f"test_map{n}.json", test / "system" / f"test_map{n}.json") for n in range(1, 5)]
    return [*paths, (shared / "xaif" / "28111.json", shared / "xaif" / "28111_mistake.json")]


def press_all(page: Page, chosen: dict[str, str]) -> str:
    """Show all cards and decide one part after the other, or pass over it; gives the file that the page exports."""
    page.js(ALL_CARDS)
    page.press("d")
    for row, choice in chosen.items():
        page.js(
            "document.querySelector(arguments[0]).click()",
            f'[data-row="{row}"] [data-choice="{plain(page, row, choice)}"]',
        )
        page.until(f"aifgraphPage.state.decisions['{row}']?.decision")
    return str(page.js("return aifgraphPage.tsv()"))


def plain(page: Page, row: str, choice: str) -> str:
    """The name of a choice on the page, which has "keep" and "drop" of what one side has."""
    sides = page.js(
        "return aifgraphPage.state && JSON.parse(document.querySelector('#data').textContent).rows[arguments[0]].sides",
        row,
    )
    return str({"first": sides[0], "second": sides[1]}.get(choice, choice))


def drawn_links(page: Page) -> set[tuple[str, str, str]]:
    """The links of the merged map, by classes of claims; what attacks a relation leads to ``S``."""
    page.until("!aifgraphPage.painting()")
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
    numbers = alignment.propositions.class_of
    ids = [{id_: n for n, id_ in enumerate(analysis.ids)} for analysis in alignment.analyses]
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
def test_print_of_a_long_text_has_every_difference(open_page: Open, shared_data: Path) -> None:
    maps = [aifgraph.load(shared_data / "qt30" / f"nodeset{n}.json") for n in (25462, 19157)]
    page = open_page(report_html(aifgraph.compare(*maps)))
    assert page.js("return document.querySelector('#text').matches('.long')")
    page.js("dispatchEvent(new Event('beforeprint'))")
    assert page.js("return [...document.querySelectorAll('.card:not([hidden])')].every((card) => card.offsetParent)")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert page.js("return document.querySelector('.view > svg').getBoundingClientRect().height") > 300
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.mark.data
def test_ten_real_pairs_are_merged_as_they_were_decided(open_page: Open, tmp_path: Path, shared_data: Path) -> None:
    for number, paths in enumerate(real_pairs(shared_data)):
        result = aifgraph.compare(*map(aifgraph.load, paths))
        wordings = {row.id for row in result.differences() if not needs_decision(row)}
        rows = [(id_, choice) for id_, choice in at_random(result, number).items() if id_ not in wordings]
        chosen = dict(rows[:: 1 + number % 2])  # of every other pair half is open
        merged = merge_compared(result, chosen)
        page = open_page(report_html(result))
        file = tmp_path / f"{number}.tsv"
        file.write_text(press_all(page, chosen), "utf-8")
        by_file = aifgraph.merge(*result.graphs, decisions=file).graph
        assert [(node.id, node.type, node.text) for node in by_file] == [(n.id, n.type, n.text) for n in merged.graph]
        assert by_file.edges == merged.graph.edges
        claims, links = merged_links(result, merged)
        assert drawn_links(page) == links, paths
        boxes = page.js(
            "return [...document.querySelectorAll('.view .b')].map((b) => [b.dataset.n, !b.matches('.out')])"
        )
        assert dict(boxes) == {name: name in claims for name, _ in boxes}, paths


def test_keys_decide_cards_and_a_reload_keeps_them(open_page: Open, shared_data: Path) -> None:
    test = shared_data / "dialam-2024" / "test"
    result = aifgraph.compare(*(aifgraph.load(test / side / "test_map2.json") for side in ("gold", "system")))
    page = open_page(report_html(result))
    page.js(ALL_CARDS)
    page.press("d")
    tops = set()
    for n in range(20):
        tops.add(page.js("return document.querySelector('.whole button').getBoundingClientRect().top"))
        page.press("12"[n % 2])
        page.until(f"document.querySelector('#status').textContent.startsWith('{n + 1} of')")
    assert len(tops) == 1
    page.driver.refresh()
    page.until("document.readyState === 'complete'")
    page.press("d")
    count = page.js("return document.querySelectorAll('.card').length")
    assert page.text("#status").startswith(f"20 of {count} cards decided")
    for n in range(20, count):
        page.press("n", "1")
        page.until(f"/^({n + 1} of|All)/.test(document.querySelector('#status').textContent)")
    assert page.text("#status") == f"All {count} cards decided"
    page.press("u")
    page.until(f"document.querySelector('#status').textContent.startsWith('{count - 1} of {count}')")


def test_two_tabs_keep_the_decisions_of_both(open_page: Open) -> None:
    page = open_page(report_html(compared_debate()))
    first = page.driver.current_window_handle
    page.press("d", "1")
    address = page.driver.current_url
    page.driver.switch_to.new_window("tab")
    page.driver.get(address)
    page.press("d", "n", "2")
    page.js(
        "const note = document.querySelector('#note'); note.value = 'typed'; note.dispatchEvent(new Event('input'));"
    )
    page.driver.refresh()
    both = page.js("return Object.values(aifgraphPage.state.decisions).filter((each) => each.decision).length")
    assert page.js("return Object.values(aifgraphPage.state.decisions).some((each) => each.note === 'typed')")
    page.driver.close()
    page.driver.switch_to.window(first)
    page.until(f"Object.values(aifgraphPage.state.decisions).filter((each) => each.decision).length === {both}")


def test_a_phone_has_the_choices_in_sight(open_page: Open, shared_data: Path) -> None:
    maps = [aifgraph.load(shared_data / "araucaria" / f"nodeset{n}.json") for n in (15, 81)]
    page = open_page(report_html(aifgraph.compare(*maps)))
    with page.window(390, 844):
        page.press("d")
        for _ in range(10):
            for n in (1, 2):
                box = page.js(
                    f"const b = document.querySelector('.whole button:nth-child({n})').getBoundingClientRect(); "
                    "return [b.left, b.right, b.bottom]"
                )
                assert box[0] >= 0
                assert box[1] <= 390
                assert box[2] <= 844
            page.press("j")
        page.press("1")
        page.until("document.querySelector('.said.gone > b')?.offsetWidth > 20")  # what is left out names its side


def test_a_card_says_what_went_with_another(open_page: Open) -> None:
    page = open_page(report_html(aifgraph.compare(argument("reason RA claim"), argument(claim="Masks help everyone"))))
    page.press("d")
    assert "supports" in page.text(".whole")  # what leaving the premise out also removes
    page.press("2")
    page.until("document.querySelector('.view .out')")


def read_exported(text: str, differences: Differences) -> dict[str, Decision]:
    """The decisions of a file that the page exports."""
    with NamedTemporaryFile() as file:
        file.write(text.encode())
        file.flush()
        return read_decisions(Path(file.name), differences)


def test_a_file_that_is_read_again_decides_the_same(open_page: Open) -> None:
    result = compared_debate()
    html = report_html(result)
    choices = {
        row.id: ("first", "second")[n % 2]
        for n, row in enumerate(filter(needs_decision, result.differences()))
        if n % 3
    }
    page = open_page(html)
    exported = press_all(page, choices)
    read = read_exported(exported, result.differences())
    assert read.keys() == choices.keys()
    assert page.complaints() == []
    again = open_page(html)
    again.js("localStorage.clear()")
    again.driver.refresh()
    again.js("aifgraphPage.read(arguments[0])", exported)
    assert read_exported(str(again.js("return aifgraphPage.tsv()")), result.differences()) == read


@pytest.mark.parametrize("note", ["=cmd|' /C calc'!A0", "'=1", "'quoted'", '"=1"', "- or not", "a\ttab\nand a line"])
def test_a_note_is_no_formula_in_the_file_and_comes_back_as_it_was(open_page: Open, note: str) -> None:
    result = compared_debate()
    page = open_page(report_html(result))
    page.click("#decide")
    page.js("const e = document.querySelector('#note'); e.value = arguments[0]; e.oninput({target: e});", note)
    page.press("1")
    exported = str(page.js("return aifgraphPage.tsv()"))
    for line in exported.splitlines():
        cells = (cell[1:-1] if cell[:1] == cell[-1:] == '"' else cell for cell in line.split("\t"))
        assert not any(cell.startswith(("=", "-")) for cell in cells)
    [decision] = [each for each in read_exported(exported, result.differences()).values() if each.note]
    assert decision.note == " ".join(note.split())


def test_cards_and_map_lead_to_each_other(open_page: Open) -> None:
    page = open_page(report_html(compared_debate()))
    page.click("article.card:not([hidden])")
    number = page.js("return document.querySelector('article.card.on').id")
    assert page.js("return location.hash") == f"#{number}"
    page.js(
        "document.querySelector('.view a.l').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))"
    )
    chosen = page.js("return document.querySelector('.view a.l').dataset.c.split(' ')[0]")
    assert page.js("return document.querySelector('article.card.on').id") == f"c{chosen}"


def test_the_map_is_dragged_pinched_and_keeps_its_place_while_gold_is_shown(open_page: Open) -> None:
    page = open_page(report_html(compared_debate()))
    send = page.driver.execute_cdp_cmd

    def place() -> tuple[float, ...]:
        page.until("!aifgraphPage.painting()")
        return tuple(
            map(float, re.findall(r"[-\d.]+", page.js("return document.querySelector('.view svg').style.transform")))
        )

    def touch(type_: str, *fingers: float) -> None:
        x, y = page.js("const b = document.querySelector('.view').getBoundingClientRect(); return [b.x, b.y]")
        points = [{"x": x + along, "y": y + 200, "id": n} for n, along in enumerate(fingers)]
        send("Input.dispatchTouchEvent", {"type": type_, "touchPoints": points})

    before = place()
    for steps in (("touchStart", 100), ("touchMove", 120), ("touchMove", 160), ("touchEnd",)):
        touch(*steps)
    dragged = place()
    assert (dragged[0] - before[0], dragged[1:]) == (60, before[1:])
    for fingers in ((100, 200), (80, 220), (50, 250)):
        touch("touchStart" if fingers[0] == 100 else "touchMove", *fingers)
    touch("touchEnd")
    assert place()[2] == pytest.approx(2 * dragged[2], rel=0.01)
    pinched = place()
    page.press("g")
    page.press("g")
    assert place() == pinched


@pytest.mark.parametrize("width", [390, 1366])
def test_no_page_is_wider_than_its_window(open_page: Open, width: int, tmp_path: Path) -> None:
    wide = "return document.documentElement.scrollWidth"
    page = open_page(report_html(compared_debate()))
    with page.window(width):
        assert page.js(wide) <= width
        page.click("#decide")
        assert page.js(wide) <= width
    page = open_page(write(tmp_path / "pages"))
    with page.window(width):
        assert page.js(wide) <= width


def test_a_table_keeps_its_order(open_page: Open, tmp_path: Path) -> None:
    page = open_page(write(tmp_path / "pages"))
    names = "[...document.querySelectorAll('.sortable tbody th a')].map((link) => link.textContent)"
    for _ in range(2):
        page.click(".sortable th:first-child button")
    ordered = page.js(f"return {names}")
    assert ordered == sorted(ordered, reverse=True)
    page.driver.refresh()
    assert page.until(names) == ordered


def test_no_field_of_a_map_runs(
    tmp_path: Path, open_page: Callable[..., Page], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "maps").mkdir()
    for name, html in pages(tmp_path / "maps"):
        # The policy of the pages would stop what the escaping lets through: here the escaping is tried alone.
        place = f"maps/{name}" if name.endswith(".html") else "page.html"
        page = open_page(html.replace("Content-Security-Policy", "X-No-Policy"), place)
        page.js("return new Promise(done => setTimeout(done, 300))")
        assert page.js("return window.hits || []") == [], name
        # A type is shown in capital letters, in which a script says nothing.
        assert page.js("return document.querySelectorAll('img, svg[onload]').length") == 0, name
    capsys.readouterr()


def test_the_texts_would_run_where_they_are_not_escaped(open_page: Callable[[str], Page]) -> None:
    page = open_page(f"<!doctype html><p>{script('a field').removeprefix(STEERS)}")
    page.until("window.hits && window.hits.length >= 2")


pytest.importorskip("fastapi")

SAVED = "!document.querySelector('dialog') && document.querySelector('.keeping')?.textContent.startsWith('Saved')"


def test_two_browsers_and_a_restart(tmp_path: Path, chromium: Any) -> None:
    corpora, page = make_corpora(tmp_path), Page(chromium)
    server = Process(*corpora, "-o", tmp_path, "--annotator", "Cleo", TMPDIR=str(tmp_path))
    pair = server.pairs()["debate"]

    def deciders() -> list[str]:
        return sorted(line["by"] for line in table(tmp_path) if line["decision"])

    chromium.get(f"{server.url}/pairs/{pair}/")
    page.press("d", "1")
    page.until(SAVED, 60)
    own = len(deciders())
    assert set(deciders()) == {"Cleo"}
    # Somebody else decides all others, which this browser shows as open.
    others = [line["row"] for line in table(tmp_path) if not line["decision"]]
    for row in others:
        assert server.decide(pair, row, OPEN, decision="second", by="Dan").status_code == 200
    page.press("1")
    assert "Dan" in page.until("document.querySelector('dialog p')?.textContent")
    assert deciders().count("Dan") == len(others)
    while not page.js(f"return {SAVED}"):
        page.click("dialog[open] button:last-of-type")
        page.until(f"{SAVED} || document.querySelector('dialog[open]')", 60)
    taken = deciders().count("Cleo") - own
    assert taken > 0
    # The server is away: what was decided is sent again.
    server.kill()
    page.press("u")
    page.until("document.querySelector('.keeping.trouble')", 60)
    again = Process(*corpora, "-o", tmp_path, "--port", server.url.rpartition(":")[2], TMPDIR=str(tmp_path))
    again.pairs()
    page.until(f"{SAVED} && !document.querySelector('.keeping.trouble') && !aifgraphPage.sending()", 60)
    assert (deciders().count("Cleo"), deciders().count("Dan")) == (own, len(others) - taken)
    again.close()


@pytest.mark.data
@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_forty_decisions_outlive_a_reload_and_a_killed_server(
    browser: str, request: pytest.FixtureRequest, shared_data: Path, tmp_path: Path
) -> None:
    page = Page(request.getfixturevalue(browser))
    corpora = [tmp_path / "ann", tmp_path / "ben"]
    for folder, number in zip(corpora, (25462, 19157), strict=True):
        folder.mkdir()
        shutil.copy(shared_data / "qt30" / f"nodeset{number}.json", folder / "debate.json")
    words = *corpora, "-o", tmp_path / "decisions", "--annotator", "Cleo"
    server = Process(*words, TMPDIR=str(tmp_path))
    address = f"{server.url}/pairs/{server.pairs()['debate']}/"
    page.driver.get(address)

    def decide(numbers: range) -> None:
        page.until("window.aifgraphPage")
        page.js(ALL_CARDS)
        page.type("d")
        for n in numbers:
            page.type("n")
            page.type("12"[n % 2])
            page.until(f"{SAVED} && document.querySelector('#status').textContent.startsWith('{n + 1} of')", 60)

    decide(range(20))
    page.driver.refresh()
    page.until("document.querySelector('#status').textContent.startsWith('20 of')", 60)
    decide(range(20, 39))
    server.kill()
    page.type("n")
    page.type("1")
    page.until("document.querySelector('.keeping.trouble')", 60)
    assert "waits" in page.text(".card.on .state")
    page.driver.get("about:blank")  # what waits outlives the page
    again = Process(*words, "--port", server.url.rpartition(":")[2], TMPDIR=str(tmp_path))
    again.pairs()
    page.driver.get(address)
    page.until("window.aifgraphPage")
    page.until(f"{SAVED} && document.querySelector('#status').textContent.startsWith('40 of')", 60)
    assert "waits" not in page.text("#text")
    result = aifgraph.compare(*(folder / "debate.json" for folder in corpora))
    decisions = read_decisions(tmp_path / "decisions" / "debate.tsv", result.differences())
    assert len({decision.by for decision in decisions.values()}) == 1
    merged = merge_compared(result, decisions)
    assert drawn_links(page) == merged_links(result, merged)[1]
    again.close()
