"""The report of a pair in a real browser: no complaint, and everything can be chosen, searched, switched, printed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph import GraphBuilder
from aifgraph.comparison.differences.words import heading, title
from aifgraph.report.html import report_html
from report.test_html_page import HOSTILE, hostile

pytestmark = [pytest.mark.browser, pytest.mark.slow]
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


ENTER = (
    "document.getElementById('search').dispatchEvent("
    "new KeyboardEvent('keydown', {key: 'Enter', shiftKey: arguments[0], bubbles: true, cancelable: true}))"
)


def pairs() -> list[tuple[Path, Path]]:
    """Every fixture pair, and every map that reads against the first debate."""
    ann, ben = FIXTURES / "debates" / "ann", FIXTURES / "debates" / "ben"
    same = [(path, ben / path.name) for path in sorted(ann.glob("*.json")) if (ben / path.name).is_file()]
    return [(FIXTURES / "debate" / "first.json", FIXTURES / "debate" / "second.json"), *same]


@pytest.fixture(scope="module")
def debate() -> str:
    first, second = pairs()[0]
    return report_html(aifgraph.compare(aifgraph.load(first), aifgraph.load(second)))


def test_a_cell_shows_its_items_and_lights_them_up(open_page: Callable[..., Any], debate: str) -> None:
    page = open_page(debate)
    count = int(page.text("button.cell"))
    page.click("button.cell")
    page.until("document.querySelector('.behind')")
    assert page.js("return document.querySelectorAll('.behind .item').length") == count
    assert page.js("return document.querySelectorAll('.piece.chosen').length") > 0
    assert page.text("#details").count("the same") > 0
    page.click(".behind .item")
    page.until("document.querySelectorAll('#details .card').length === 3")
    assert page.complaints() == []


def test_cells_are_reached_and_opened_by_keyboard(open_page: Callable[..., Any], debate: str) -> None:
    from selenium.webdriver.common.keys import Keys

    page = open_page(debate)
    page.js("document.querySelector('button.cell').focus()")
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    page.until("document.querySelector('.behind .item')")
    page.choose("#layout", "beside")
    page.js("document.getElementById('first-map').focus()")
    page.driver.switch_to.active_element.send_keys("n")
    page.until("document.querySelector('button.difference.chosen')")


def test_a_difference_is_shown_in_maps_text_and_panel(open_page: Callable[..., Any], debate: str) -> None:
    page = open_page(debate)
    page.click("button.difference")
    page.until("document.querySelectorAll('#details .card').length > 1")
    assert "re-attached" in page.text("#details")
    assert page.js("return document.querySelectorAll('.piece.chosen').length") > 0
    page.click("#next")
    page.until("document.querySelectorAll('button.difference.chosen').length === 1")


def test_a_click_on_a_node_shows_its_counterpart(open_page: Callable[..., Any], debate: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    page = open_page(debate)
    page.choose("#layout", "over")
    page.type("#search", "close the high street")
    page.until("document.getElementById('found').textContent.endsWith(' found')")
    # The hit that is gone to is brought into sight.
    page.js(ENTER, False)
    page.until("document.getElementById('found').textContent.startsWith('1 of ')")
    box = page.driver.find_element("css selector", "#both-map .box.chosen")
    page.js("arguments[0].closest('.canvas').scrollIntoView({block: 'center'})", box)
    ActionChains(page.driver).move_to_element(box).click().perform()
    page.until("document.querySelector('#details .card')")
    assert "first: Amara Okafor: the council should close" in page.text("#details").replace("  ", " ")
    assert "second: Amara Okafor: the council should close" in page.text("#details").replace("  ", " ")


def test_search_goes_from_hit_to_hit_drawn_or_not(open_page: Callable[..., Any], debate: str) -> None:
    page = open_page(debate)
    # The argument is drawn, without locutions: those are found, too.
    page.choose("#view", "argument")
    page.type("#search", "no such words anywhere")
    assert page.text("#found") == "0 found"
    page.type("#search", "Ben Hughes")
    count = int(page.text("#found").split()[0])
    assert count > 8
    seen = []
    for at in range(1, count + 1):
        page.js(ENTER, False)
        assert page.text("#found") == f"{at} of {count}"
        seen.append(page.js("return location.hash"))
    page.js(ENTER, False)
    assert page.text("#found") == f"1 of {count}"
    page.js(ENTER, True)
    assert page.text("#found") == f"{count} of {count}"
    assert page.js("return document.getElementById('view').value") == "dialogue"
    assert page.js("return document.querySelectorAll('.piece.found').length") > 3
    assert set(seen) == {"#search=ben%20hughes"}


def test_a_link_to_a_difference_a_node_and_a_search(open_page: Callable[..., Any], debate: str) -> None:
    page = open_page(debate)
    row = page.js("return document.querySelectorAll('li.row')[2].dataset.row")
    place = page.js("return location.href.split('#')[0]")
    for address, shown in (
        (f"#difference={row}", f"document.querySelector('li.row[data-row=\"{row}\"] .difference.chosen')"),
        ("#difference=2", "document.querySelector('li.row[data-number=\"2\"] .difference.chosen')"),
        ("#search=high%20street", "document.getElementById('found').textContent.startsWith('1 of ')"),
        ("#view=dialogue", "document.getElementById('view').value === 'dialogue'"),
        ("#node=", "document.querySelectorAll('.piece.chosen').length === 0"),
    ):
        page.driver.get("about:blank")
        page.driver.get(place + address)
        page.until("document.body.classList.contains('ready')")
        page.until(shown)
    node = page.js("return JSON.parse(document.getElementById('data').textContent).elements[0].first.id")
    page.js("location.hash = `node=${arguments[0]}`", node)
    page.until("document.querySelector('.piece.chosen')")
    # What is chosen stands in the address.
    page.click("li.row button.difference")
    assert page.js("return location.hash") == "#difference=" + page.js(
        "return document.querySelector('li.row').dataset.row"
    )
    assert page.complaints() == []


def test_a_difference_marks_text_and_maps_in_view_together(open_page: Callable[..., Any], debate: str) -> None:
    page = open_page(debate)
    with page.window(1280):
        page.driver.refresh()
        page.until("document.body.classList.contains('ready')")
        # The first screen: the sentence, the scores, the groups, the text.
        for selector in (".lead", "table.references", ".group-counts", "#text-h"):
            box = f"document.querySelector('{selector}').getBoundingClientRect()"
            assert page.js(f"return (b => b.top >= 0 && b.bottom <= innerHeight)({box})"), selector
        assert page.js("return document.getElementById('text-view').getBoundingClientRect().top < innerHeight - 150")
        count = page.js("return document.querySelectorAll('button.difference').length")
        for number in range(count):
            page.js("document.querySelectorAll('button.difference')[arguments[0]].click()", number)
            marked = page.js(
                "const view = document.getElementById('text-view').getBoundingClientRect();"
                "return [...document.querySelectorAll('.piece.chosen')].filter(p => {"
                "const b = p.getBoundingClientRect();"
                "return b.top >= view.top && b.bottom <= Math.min(view.bottom, innerHeight) }).length"
            )
            assert marked > 0, number
            shown = page.js(
                "return [...document.querySelectorAll('.canvas')].filter(c => c.clientWidth).map(c => {"
                "const b = c.getBoundingClientRect(); "
                "return b.top < innerHeight - 120 && b.bottom <= innerHeight + 2 })"
            )
            assert shown
            assert all(shown), number


def test_the_first_screen_of_a_phone_has_a_place_of_the_text(open_page: Callable[..., Any], debate: str) -> None:
    page = open_page(debate)
    with page.window(390, 844):
        page.driver.refresh()
        page.until("document.body.classList.contains('ready')")
        assert page.js("return scrollY") == 0
        # That of the difference that the sentence names.
        named = page.js("return document.querySelector('.lead a').getAttribute('href').split('=')[1]")
        row = page.js(
            "const view = document.getElementById('text-view').getBoundingClientRect();"
            "return [...document.querySelectorAll('.text-row:not(.heads)')].filter(r => r.checkVisibility()).map(r => ["
            "r.getBoundingClientRect(), [...r.querySelectorAll('.chip')].map(c => c.dataset.difference)])"
            ".find(([b]) => b.bottom > view.top + 60 && b.top + 20 < Math.min(innerHeight, view.bottom))[1]"
        )
        assert named in row
        assert page.js("return document.documentElement.scrollWidth") == 390


def test_the_text_has_a_third_of_a_small_screen(open_page: Callable[..., Any], debate: str) -> None:
    page = open_page(debate)
    with page.window(1366, 768):
        height = "return document.getElementById('text-view').getBoundingClientRect().height"
        page.click("button.difference")
        assert page.js(height) >= 768 / 3
        page.click("button.decide")
        page.until("document.querySelector('.decisions .choice')")
        assert page.js(height) >= 768 / 3


def test_on_paper_what_is_folded_stays_folded(open_page: Callable[..., Any], debate: str) -> None:
    page = open_page(debate)
    folded = "return [...document.querySelectorAll('.trivial, #matrices details')].filter(each => each.open).length"
    page.js("window.dispatchEvent(new Event('beforeprint'))")
    assert page.js(folded) == 0
    assert page.js("return document.querySelectorAll('.chapters details:not([open])').length") == 0


def test_the_pointer_and_the_focus_mark_a_difference_in_the_text(open_page: Callable[..., Any], debate: str) -> None:
    page = open_page(debate)
    page.js("document.querySelector('button.difference').focus()")
    page.until("document.querySelector('.piece.hinted')")
    page.js("document.getElementById('theme').focus()")
    page.until("!document.querySelector('.piece.hinted')")
    page.js(
        "document.querySelectorAll('button.difference')[2].dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))"
    )
    page.until("document.querySelector('.piece.hinted')")


def test_the_text_is_walked_by_keys_and_folds(open_page: Callable[..., Any], debate: str) -> None:
    from selenium.webdriver.common.keys import Keys

    page = open_page(debate)
    assert page.js("return document.querySelectorAll('.piece[tabindex=\"0\"]').length") == 1
    page.js("document.querySelector('.piece[tabindex=\"0\"]').focus()")
    for _ in range(3):
        page.driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    assert page.js("return [...document.querySelectorAll('.piece')].indexOf(document.activeElement)") == 3
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    page.until("document.activeElement.classList.contains('chosen')")
    page.until("document.querySelector('#details .card')")
    page.click("#fold")
    assert page.js("return document.querySelectorAll('details.stretch[open]').length") == 0
    assert page.js("return document.querySelectorAll('details.stretch').length") > 0
    # Relations are drawn beside the text on both sides, and never lie outside of it.
    page.until("document.querySelectorAll('.arcs.first .arc').length > 3")
    assert page.js("return document.querySelectorAll('.arcs.second .arc').length") > 3


def test_themes_layouts_and_only_differences(open_page: Callable[..., Any], debate: str) -> None:
    page = open_page(debate)
    shades = set()
    for theme in ("dark", "light"):
        page.choose("#theme", theme)
        shades.add(page.js("return getComputedStyle(document.body).backgroundColor"))
    assert len(shades) == 2
    for layout, shown in (("over", ["both-figure"]), ("beside", ["first-figure", "second-figure"])):
        page.choose("#layout", layout)
        seen = page.js("return [...document.querySelectorAll('figure')].filter(f => f.offsetParent).map(f => f.id)")
        assert seen == shown
    page.click("#only")
    page.until("document.body.dataset.drawn === 'argument true'")
    assert "only differences" in page.text("#status")
    assert page.complaints() == []


def test_hostile_texts_show_as_text_and_run_nothing(open_page: Callable[..., Any]) -> None:
    graph = hostile().with_name(HOSTILE[1])
    other = GraphBuilder()
    for text in HOSTILE:
        other.proposition(text)
    page = open_page(report_html(aifgraph.compare(graph, other.graph(), first_text="\n".join(HOSTILE))))
    for view in ("dialogue", "argument"):
        page.choose("#view", view)
    page.js("document.querySelectorAll('button').forEach(b => b.click())")
    page.until("document.querySelector('#details .card, #details p')")
    assert page.js("return window.broken === undefined")
    assert page.js("return document.querySelectorAll('img').length") == 0
    assert page.js("return document.querySelectorAll('script').length") == 2
    shown = page.text("main")
    assert all(text in shown for text in HOSTILE[:7])
    assert page.js("return document.documentElement.scrollWidth <= innerWidth")
    assert page.complaints() == []


def test_the_policy_holds(open_page: Callable[..., Any], debate: str) -> None:
    page = open_page(debate)
    page.js("const s = document.createElement('script'); s.textContent = 'window.broken = 1'; document.body.append(s);")
    page.js("const i = new Image(); i.src = 'http://127.0.0.1:9/x.png'; document.body.append(i);")
    assert page.js("return window.broken === undefined")
    assert all("Content Security Policy" in line for line in page.complaints())


#: What list, panel, text and map say of the difference that is chosen.
SAID = """
const row = document.querySelectorAll('li.row')[arguments[0]], button = row.querySelector('button.difference');
button.click();
const own = button.dataset.elements.split(' ').map(Number);
const model = JSON.parse(document.getElementById('data').textContent);
const drawn = [...document.querySelectorAll('.canvas')].filter(c => c.offsetParent);
return {
  list: row.querySelector('.kind').textContent,
  panel: [...document.querySelectorAll('#details h3')].map(h => h.textContent.trim()),
  text: [...document.querySelectorAll('.chip.chosen')].map(c => c.textContent),
  map: [...new Set(drawn.flatMap(c => [...c.querySelectorAll('.box.chosen')].map(b => Number(b.dataset.element))))],
  says: own.map(number => model.elements[number].says), own,
};
"""


@pytest.mark.data
def test_list_panel_text_and_map_say_the_same_of_every_difference(
    open_page: Callable[..., Any], shared_data: Path
) -> None:
    test = shared_data / "dialam-2024" / "test"
    result = aifgraph.compare(test / "gold" / "test_map2.json", test / "system" / "test_map2.json")
    rows = {row.id: row for row in result.differences()}
    assert len(rows) >= 26
    page = open_page(report_html(result))
    order = page.js("return [...document.querySelectorAll('li.row')].map(row => row.dataset.row)")
    assert sorted(order) == sorted(rows)
    page.click("button.decide")
    page.until("document.querySelector('.decisions .about b')")
    for number, id_ in enumerate(order):
        said = page.js(SAID, number)
        name, kind = heading(rows[id_]), title(rows[id_])
        assert said["list"] == kind
        assert said["panel"][0].endswith(f": {kind}"), (said, name)
        assert said["panel"][0].startswith(name.partition(":")[0]), (said, name)
        assert said["text"], id_
        assert set(said["text"]) == {name}
        assert kind in said["says"]
        # Boxes that are far from the window are not in the page: of those that are, none is about something else.
        assert said["map"], id_
        assert said["own"][0] in said["map"], (name, said)
        page.until(f"document.querySelector('.decisions .about b').textContent.endsWith('· {name}')")
    assert page.complaints() == []
