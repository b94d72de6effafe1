"""The maps of a report in a real browser: lines, lanes, keys, wheel, full window, print, speed."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph import GraphBuilder
from aifgraph.report.html import report_html
from browser.test_report_in_chromium import pairs
from sampled import at_night, some_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]
THROUGH = (Path(__file__).parent / "through_boxes.js").read_text()
Open = Callable[..., Any]


def page_of(first: Path, second: Path) -> str:
    return report_html(aifgraph.compare(aifgraph.load(first), aifgraph.load(second)))


@pytest.fixture(scope="module")
def debate() -> str:
    return page_of(*pairs()[0])


def tick(page: Any, on: bool) -> None:
    page.js("const e = document.getElementById('only'); if (e.checked !== arguments[0]) e.click();", on)


def every_map(page: Any) -> Iterator[tuple[str, str]]:
    """Shows each view in each layout, whole."""
    tick(page, False)
    for view in ("argument", "dialogue"):
        for layout in ("over", "beside"):
            page.choose("#view", view)
            page.choose("#layout", layout)
            page.click("#fit")
            yield view, layout


def scale(page: Any) -> float:
    return float(page.js(ZOOM))


ZOOM = (
    "const c = [...document.querySelectorAll('.canvas')].find(e => e.offsetParent);"
    "return Number(c.querySelector('.world').style.transform.match(/scale\\(([^)]+)/)[1])"
)


@pytest.mark.parametrize(("first", "second"), pairs(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_no_line_goes_through_a_box(open_page: Open, first: Path, second: Path) -> None:
    page = open_page(page_of(first, second))
    for shown in every_map(page):
        found = page.js(THROUGH)
        assert (shown, found["wrong"]) == (shown, [])
        assert found["boxes"] > 0
    assert page.complaints() == []


def knot() -> aifgraph.ArgumentGraph:
    """Circles, several conclusions, linked premises, undercuts, long chains: what a tree does not hold."""
    build = GraphBuilder()
    said = [
        build.proposition(f"Proposition {number}, which is said " + "at length " * (number % 7)) for number in range(60)
    ]
    for number in range(1, 60):
        relation = build.inference([said[number]], said[(number * 7) % number if number % 3 else number - 1])
        if number % 5 == 0:
            build.conflict(said[(number * 11) % 60], relation)
        if number % 4 == 0 and (number * 13) % 60 != number:
            build.rephrase(said[number], said[(number * 13) % 60])
    build.inference([said[1], said[2], said[3]], said[50])
    return build.graph()


def crowd(speakers: int, turns: int) -> aifgraph.ArgumentGraph:
    """A dialogue in which many answer at once, and one locution has a dozen answers."""
    build = GraphBuilder()
    contents, sayings = [], []
    for turn in range(turns):
        name = f"Speaker {turn * 7 % speakers}"
        content = build.proposition(f"claim {turn} of a long dialogue")
        saying = build.locution(f"{name}: claim {turn} of a long dialogue")
        build.illocution(saying, content, "Asserting")
        if turn:
            for other in {turn - 1, turn // 2, 0 if turn < 14 else turn - 1}:
                transition = build.transition(sayings[other], saying)
                if turn % 2:
                    build.illocution(transition, build.conflict(content, contents[other]), "Disagreeing")
                else:
                    build.illocution(transition, build.inference([content], contents[other]), "Arguing")
        contents.append(content)
        sayings.append(saying)
    return build.graph()


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(knot, id="knot"),
        pytest.param(lambda: crowd(3, 40), id="three"),
        pytest.param(lambda: crowd(12, 60), id="twelve", marks=at_night),
    ],
)
def test_no_line_goes_through_a_box_of_a_tangled_map(
    open_page: Open, make: Callable[[], aifgraph.ArgumentGraph]
) -> None:
    page = open_page(report_html(aifgraph.compare(make(), make())))
    for shown in every_map(page):
        assert (shown, page.js(THROUGH)["wrong"]) == (shown, [])
    assert page.complaints() == []


@pytest.mark.data
def test_no_line_goes_through_a_box_of_real_pairs(open_page: Open, shared_data: Path, tmp_path: Path) -> None:
    looked = 0
    for first, second in some_of(real_pairs(shared_data, tmp_path), every=3):
        page = open_page(page_of(first, second))
        for shown in every_map(page):
            found = page.js(THROUGH)
            assert (first.name, shown, found["wrong"]) == (first.name, shown, [])
            looked += found["lines"]
        assert page.complaints() == []
    assert looked > 1000


def real_pairs(shared: Path, folder: Path) -> list[tuple[Path, Path]]:
    """xAIF 28038 and a US2016 map with changed copies, an Araucaria pair, the DialAM maps that a system has, too."""
    from comparison.second_annotator import perturb

    maps = sorted((shared / "us2016").glob("nodeset*.json"), key=lambda path: path.stat().st_size)
    found = []
    for path in (shared / "xaif" / "28038.json", maps[-3]):
        changed = folder / f"changed-{path.name}"
        changed.write_text(json.dumps(perturb(json.loads(path.read_text()), 3, 0.1)))
        found.append((path, changed))
    rows = [line.split("\t") for line in (shared / "araucaria" / "same_text_pairs.tsv").read_text().splitlines()[1:]]
    found.append(
        next(
            (shared / "araucaria" / one, shared / "araucaria" / other)
            for one, other, kind in rows
            if kind == "different"
        )
    )
    system = shared / "dialam-2024" / "test" / "system"
    return [*found, *((path, system / path.name) for path in sorted((system.parent / "gold").glob("*.json")))]


def test_kinds_of_relations_differ_by_colour_and_by_shape(open_page: Open) -> None:
    build = GraphBuilder()
    claim, *others = [build.proposition(f"claim {number}") for number in range(5)]
    build.inference([others[0]], claim)
    build.conflict(others[1], claim)
    build.rephrase(others[2], claim)
    build.preference(others[3], claim)
    graph = build.graph()
    page = open_page(report_html(aifgraph.compare(graph, graph)))
    looks = page.js(
        "return Object.fromEntries(['RA', 'CA', 'MA', 'PA'].map(kind => {"
        " const line = [...document.querySelectorAll(`.line.${kind}`)].find(e => e.querySelector('.head'));"
        " const core = getComputedStyle(line.querySelector('.core')), head = line.querySelector('.head');"
        " const shape = head.getAttribute('d') + getComputedStyle(head).fill + !!line.querySelector('.inner');"
        " return [kind, [core.stroke, shape]]; }))"
    )
    assert len({colour for colour, _ in looks.values()}) == 4
    assert len({shape for _, shape in looks.values()}) == 4


def test_hidden_words_do_not_stretch_the_page(open_page: Open) -> None:
    """The tables of a large map scroll in boxes of their own: what is hidden in them must not make the page longer."""
    build = GraphBuilder()
    said = [build.proposition(f"Proposition number {number}") for number in range(200)]
    for number in range(1, 100):
        build.inference([said[number]], said[(number - 1) // 3])
    other = GraphBuilder()
    for number in range(200):
        other.proposition(f"Proposition number {number}")
    page = open_page(report_html(aifgraph.compare(build.graph(), other.graph())))
    with page.window(390):
        after = page.js(
            "return document.documentElement.scrollHeight - scrollY"
            " - document.querySelector('footer').getBoundingClientRect().bottom"
        )
    assert after < 100


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_a_map_opens_large_enough_to_read(open_page: Open, width: int) -> None:
    graph = crowd(4, 60)
    page = open_page("<title>blank</title>", "blank.html")
    with page.window(width):
        page = open_page(report_html(aifgraph.compare(graph, graph)))
        layout = page.js("return document.getElementById('layout').value")
        for view in ("argument", "dialogue"):
            page.choose("#view", view)
            smallest = page.js(
                "return Math.min(...[...document.querySelectorAll('.canvas .box')]"
                ".map(e => parseFloat(getComputedStyle(e).fontSize)))"
            )
            assert smallest * scale(page) >= 11
        assert page.js("return document.documentElement.scrollWidth") <= width
        room = page.js("return document.getElementById('maps').clientWidth")
        assert layout == ("over" if room < 840 else "beside")
        if width > 900:
            page.click("#full")
            page.until("document.getElementById('layout').value === 'beside'")


def test_the_wheel_scrolls_the_page_until_the_map_has_the_focus(open_page: Open) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

    graph = crowd(3, 40)
    page = open_page(report_html(aifgraph.compare(graph, graph)))
    page.choose("#layout", "over")
    canvas = page.driver.find_element("id", "both-map")
    page.js("arguments[0].scrollIntoView({block: 'center'})", canvas)
    where = "return [scrollY, document.querySelector('#both-map .world').style.transform]"

    def wheel() -> None:
        ActionChains(page.driver).scroll_from_origin(ScrollOrigin.from_element(canvas), 0, 120).perform()

    before = page.js(where)
    wheel()
    page.until(f"scrollY !== {before[0]}")
    assert page.js(where)[1] == before[1]
    page.js("arguments[0].focus({preventScroll: true})", canvas)
    before = page.js(where)
    wheel()
    page.until(f"document.querySelector('#both-map .world').style.transform !== '{before[1]}'")
    assert page.js("return scrollY") == before[0]
    page.js("arguments[0].blur()", canvas)
    zoom = scale(page)
    page.js(
        "const given = {deltaY: -100, ctrlKey: true, bubbles: true, cancelable: true};"
        "arguments[0].dispatchEvent(new WheelEvent('wheel', given))",
        canvas,
    )
    assert scale(page) > zoom


def test_the_question_mark_lists_every_key_and_each_does_something(open_page: Open, debate: str) -> None:
    from selenium.webdriver.common.keys import Keys

    page = open_page(debate)
    page.choose("#layout", "over")
    page.js("document.getElementById('both-map').focus()")
    send = lambda keys: page.driver.switch_to.active_element.send_keys(keys)  # noqa: E731
    send("?")
    page.until("document.querySelector('dialog.keys').open")
    listed = page.text("dialog.keys")
    assert all(
        word in listed for word in ("move the map", "larger", "fill the window", "next difference", "Ctrl and wheel")
    )
    send(Keys.ESCAPE)
    page.until("!document.querySelector('dialog.keys')")
    page.js("document.getElementById('both-map').focus()")
    zoom = scale(page)
    send("+")
    assert scale(page) > zoom
    send("0")
    send(".")
    page.until("document.querySelectorAll('#both-map .box.chosen').length === 1")
    first = page.js("return document.querySelector('#both-map .box.chosen').dataset.element")
    send(".")
    page.until(f"document.querySelector('#both-map .box.chosen')?.dataset.element !== '{first}'")
    send("f")
    page.until("document.getElementById('maps').classList.contains('full')")
    send(Keys.ESCAPE)
    page.until("!document.getElementById('maps').classList.contains('full')")
    assert page.complaints() == []


def test_what_is_not_drawn_is_drawn_when_it_is_found(open_page: Open, debate: str) -> None:
    page = open_page(debate)
    assert page.js("return document.getElementById('view').value") == "argument"
    page.type("#search", "Ben Hughes : is there any measurement")
    page.js(
        "document.getElementById('search').dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}))"
    )
    page.until("document.querySelector('.canvas .box.L.chosen')")
    assert page.js("return document.getElementById('view').value") == "dialogue"
    inside = page.js(
        "const b = document.querySelector('.canvas .box.L.chosen').getBoundingClientRect();"
        "const c = document.querySelector('.canvas .box.L.chosen').closest('.canvas').getBoundingClientRect();"
        "return b.left >= c.left && b.right <= c.right && b.top >= c.top && b.bottom <= c.bottom"
    )
    assert inside


def test_both_wordings_stand_where_they_differ(open_page: Open) -> None:
    one, other = GraphBuilder(), GraphBuilder()
    one.proposition("Masks help everybody in the long run")
    other.proposition("Masks help nobody in the long run")
    page = open_page(report_html(aifgraph.compare(one.graph(), other.graph())))
    page.choose("#layout", "over")
    marked = page.js("return [...document.querySelectorAll('#both-map .box mark')].map(e => e.textContent)")
    assert marked == ["everybody", "nobody"]
    page.js("document.querySelector('#both-map .box').dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))")
    assert "everybody" in page.text(".tip")
    assert "nobody" in page.text(".tip")


def test_speakers_have_lanes_and_time_runs_downwards(open_page: Open) -> None:
    graph = crowd(3, 30)
    page = open_page(report_html(aifgraph.compare(graph, graph)))
    page.choose("#view", "dialogue")
    page.choose("#layout", "over")
    page.click("#fit")
    said = page.js(
        "return [...document.querySelectorAll('#both-map .box.L')].map(e =>"
        " [Number(e.textContent.match(/claim (\\d+)/)[1]), e.textContent.match(/Speaker \\d+/)[0],"
        " parseFloat(e.style.left), parseFloat(e.style.top)]).sort((a, b) => a[0] - b[0])"
    )
    assert [row[3] for row in said] == sorted(row[3] for row in said)
    lanes = {speaker: {row[2] for row in said if row[1] == speaker} for speaker in {row[1] for row in said}}
    assert all(len(lefts) == 1 for lefts in lanes.values())
    assert len({next(iter(lefts)) for lefts in lanes.values()}) == 3
    heads = page.js("return [...document.querySelectorAll('#both-map .lane-heads div')].map(e => e.textContent)")
    assert len(heads) == 3
    assert all("(10 said)" in head and "illocutions alike, κ 1.00" in head for head in heads)


def test_the_whole_map_is_printed(open_page: Open) -> None:
    graph = crowd(5, 80)
    page = open_page(report_html(aifgraph.compare(graph, graph)))
    page.choose("#view", "dialogue")
    tick(page, False)
    page.js("window.dispatchEvent(new Event('beforeprint'))")
    width, height, elements = page.js(
        "const world = document.querySelector('.printed .world');"
        "const boxes = [...world.querySelectorAll('.box')];"
        "const zoom = Number(world.style.transform.match(/scale\\(([^)]+)/)[1]);"
        "return [zoom * Math.max(...boxes.map(b => parseFloat(b.style.left) + parseFloat(b.style.width))),"
        " zoom * Math.max(...boxes.map(b => parseFloat(b.style.top) + parseFloat(b.style.height))),"
        " boxes.map(b => b.dataset.element)]"
    )
    assert 0 < height <= 900  # one sheet
    assert len(set(elements)) == int(page.text("#status").split()[0])
    assert 0 < width <= 700
    page.js("window.dispatchEvent(new Event('afterprint'))")
    assert page.js("return document.querySelectorAll('.printed').length") == 0


def printed_sheets(page: Any, path: Path) -> list[str]:
    """The words on each sheet of paper."""
    if not shutil.which("pdftotext"):
        pytest.skip("needs pdftotext (apt install poppler-utils)")
    path.write_bytes(base64.b64decode(page.driver.print_page()))
    read = subprocess.run(["pdftotext", "-layout", str(path), "-"], capture_output=True, check=True)
    return read.stdout.decode().split("\f")


def test_tables_that_go_on_have_their_heads_on_every_sheet(open_page: Open, tmp_path: Path) -> None:
    graph = crowd(2, 80)
    page = open_page(report_html(aifgraph.compare(graph, graph)))
    sheets = [sheet for sheet in printed_sheets(page, tmp_path / "page.pdf") if sheet.count("matched: ") > 3]
    assert len(sheets) > 2
    assert all(re.search(r"type +first +second +similarity +why", sheet) for sheet in sheets)


def test_what_is_printed_has_no_buttons_and_begins_the_text_on_the_first_sheets(
    open_page: Open, tmp_path: Path, fixtures: Path
) -> None:
    first, second = (aifgraph.load(fixtures / "debate" / f"{name}.json") for name in ("first", "second"))
    page = open_page(report_html(aifgraph.compare(first, second)))
    sheets = printed_sheets(page, tmp_path / "page.pdf")
    for button in ("search all", "fold what is alike"):
        assert not any(button in sheet for sheet in sheets), button
    (head,) = [sheet for sheet in sheets if "as each of them cut it" in sheet or "What was said, in order" in sheet]
    assert len(head.split("as each of them cut it")[-1].split("What was said, in order")[-1].splitlines()) > 5


@pytest.mark.parametrize(("turns", "seconds"), [(140, 1.0), pytest.param(600, 4.0, marks=at_night)])
def test_a_large_dialogue_is_drawn_in_time(open_page: Open, turns: int, seconds: float) -> None:
    graph = crowd(6, turns)
    page = open_page(report_html(aifgraph.compare(graph, graph)))
    tick(page, False)
    page.choose("#view", "dialogue")
    count = int(page.text("#status").split()[0])
    assert count >= 5 * turns
    took = page.js("return performance.getEntriesByName('maps').at(-1).duration / 1000")
    assert took < seconds
