"""Decisions in a real browser, by keys and by mouse: what is on disk, what is exported, and what merge makes of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import aifgraph
from aifgraph.adjudication.decision_file import COLUMNS, read_decisions
from aifgraph.adjudication.decisions import CHOICES, choices_of
from aifgraph.report.html.page import report_html
from browser.conftest import Page
from browser.test_accessibility import AXE, both_schemes
from evaluation.small_corpora import make_corpora

pytest.importorskip("starlette")
pytestmark = [pytest.mark.browser, pytest.mark.slow]
COUNT = "document.querySelector('.decisions .decided-count')?.textContent"
SAID = "document.querySelector('.decisions .saved')?.textContent"


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two pairs of maps of 28 sentences, with about 30 differences each."""
    return make_corpora(tmp_path_factory.mktemp("made"), 2, size=28)


def pair_of(corpora: tuple[Path, Path], number: int = 0) -> tuple[aifgraph.ArgumentGraph, aifgraph.ArgumentGraph]:
    first, second = (aifgraph.load(folder / f"map{number}.json") for folder in corpora)
    return first, second


@pytest.fixture
def keys(chromium: Any) -> Callable[..., None]:
    """Types keys one after the other, as a reader does."""
    from selenium.webdriver.common.action_chains import ActionChains

    def typed(*given: str) -> None:
        for key in given:
            ActionChains(chromium).send_keys(key).perform()

    return typed


@pytest.fixture
def downloads(chromium: Any, tmp_path: Path) -> Path:
    """The folder that the browser saves files to."""
    folder = tmp_path / "downloads"
    folder.mkdir()
    chromium.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
    return folder


def saved(folder: Path) -> str:
    """The text of the file that was downloaded, which is then removed."""
    for _ in range(200):
        found = [path for path in folder.iterdir() if path.suffix in (".tsv", ".json")]
        if found:
            text = found[0].read_text("utf-8")
            found[0].unlink()
            return text
        time.sleep(0.05)
    raise AssertionError("nothing was saved")


@pytest.fixture
def service(corpora: tuple[Path, Path], tmp_path: Path) -> Iterator[tuple[str, Path]]:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "aifgraph", "adjudicate", *map(str, corpora), "-o", str(out), "--port", "0"]
    served = subprocess.Popen([*command, "--as", "Cleo"], stdout=subprocess.PIPE, text=True)
    assert served.stdout
    yield served.stdout.readline().strip(), out
    served.terminate()
    served.wait(timeout=20)


def at(driver: Any, address: str) -> Page:
    driver.get_log("browser")
    driver.get(address)
    page = Page(driver)
    page.until("document.body.classList.contains('ready')", 60)
    return page


def test_a_page_from_a_file_by_keys_alone(
    open_page: Callable[[str], Page], keys: Callable[..., None], corpora: tuple[Path, Path], downloads: Path
) -> None:
    from selenium.webdriver.common.keys import Keys

    result = aifgraph.compare(*pair_of(corpora))
    rows = result.differences().rows
    assert 25 <= len(rows) <= 40
    page = open_page(report_html(result))
    page.js("localStorage.clear()")
    page.driver.refresh()
    page.until("document.body.classList.contains('ready')")
    page.js("document.querySelector('button.decide').focus()")
    keys(Keys.ENTER)
    assert page.until(COUNT).startswith(f"0 of {len(rows)} decided")
    keys("?")
    assert "another wording or label" in page.text("dialog.keys[open]")
    keys(Keys.ESCAPE)
    wanted: dict[str, str] = {}
    notes: dict[str, str] = {}
    for number, row in enumerate(rows):
        # What is decided goes on to the next difference by itself.
        assert row.id in page.text(".decisions .about")
        if number == 0:
            keys("m", "because", Keys.ENTER)
            notes[row.id] = "because"
        if row.group == "propositions" and number % 2:
            keys("5", "Words of its own", Keys.ENTER)
            wanted[row.id] = "Words of its own"
        elif row.group == "illocutions" and number % 2:
            keys("5", "Agreeing", Keys.ENTER)
            wanted[row.id] = "Agreeing"
        else:
            keys("12"[number % 2])
            wanted[row.id] = choices_of(row)[number % 2]
    assert page.until(COUNT) == f"{len(rows)} of {len(rows)} decided, 0 open"
    keys("u")
    assert page.js(f"return {COUNT}").startswith(f"{len(rows) - 1} of")
    last = wanted[rows[-1].id]
    keys(str(1 + choices_of(rows[-1]).index(last))) if last in CHOICES else keys("5", last, Keys.ENTER)
    page.click(".export-decisions")
    exported = read_decisions(saved(downloads), result.differences())
    assert {id_: each.value or each.choice for id_, each in exported.items()} == wanted
    assert {id_: each.note for id_, each in exported.items() if each.note} == notes
    assert all(each.when.startswith("2") for each in exported.values())
    # The browser has them again when the page is opened again.
    page.driver.refresh()
    page.until("document.body.classList.contains('ready')")
    page.click("button.decide")
    assert page.until(COUNT) == f"{len(rows)} of {len(rows)} decided, 0 open"
    assert page.complaints() == []


def test_the_service_by_mouse_alone(
    chromium: Any, service: tuple[str, Path], corpora: tuple[Path, Path], tmp_path: Path, downloads: Path
) -> None:
    from selenium.webdriver.common.by import By

    address, out = service
    chromium.get(address)
    chromium.find_element(By.LINK_TEXT, "map0").click()
    page = Page(chromium)
    page.until("document.body.classList.contains('ready')", 60)
    page.until("document.querySelector('.decisions') && !document.querySelector('.decisions').hidden")
    rows = aifgraph.compare(*pair_of(corpora)).differences().rows
    for number, row in enumerate(rows):
        choice = choices_of(row)[number % 3 == 1]
        chromium.find_element(By.CSS_SELECTOR, f".decisions [data-choice={choice}]").click()
    page.until(f"{COUNT} === '{len(rows)} of {len(rows)} decided, 0 open' && {SAID} === 'Written to disk.'")
    chromium.find_element(By.CSS_SELECTOR, ".merged-map").click()
    merged = saved(downloads)
    chromium.find_element(By.LINK_TEXT, "next pair").click()
    page.until("document.title.includes('map1') && document.querySelector('.decisions')", 60)
    chromium.find_element(By.LINK_TEXT, "list of pairs").click()
    chromium.find_element(By.CSS_SELECTOR, "form button").click()
    page.until("document.querySelector('[role=status]')")
    assert "1 gold map in" in chromium.find_element(By.CSS_SELECTOR, "[role=status]").text
    file, gold = out / "decisions" / "map0.tsv", tmp_path / "gold.json"
    maps = [str(folder / "map0.json") for folder in corpora]
    run = [sys.executable, "-m", "aifgraph", "merge", *maps, "--decisions", str(file), "--complete", "-o", str(gold)]
    subprocess.run(run, check=True, capture_output=True)
    assert (out / "gold" / "map0.json").read_text("utf-8") == gold.read_text("utf-8") == merged
    assert all(line.split("\t")[COLUMNS.index("by")] == "Cleo" for line in file.read_text("utf-8").splitlines()[1:])
    complaints = [line for line in page.complaints() if "favicon" not in line]
    assert complaints == []


def test_two_browsers_lose_nothing(
    chromium: Any, second_browser: Any, service: tuple[str, Path], corpora: tuple[Path, Path]
) -> None:
    address, out = service
    pages = [at(driver, f"{address}pairs/1") for driver in (chromium, second_browser)]
    rows = [row.id for row in aifgraph.compare(*pair_of(corpora)).differences()]
    # The first or the second of the choices that the row has.
    press = """[...document.querySelectorAll('.decisions .choice:not([hidden])')][arguments[0]].click()"""
    # Each decides a row of its own; then both the same one, before either has heard of the other.
    pages[0].js(press, 0)
    for _ in range(3):
        pages[1].click(".decisions [aria-label='Next difference']")
    pages[1].js(press, 1)
    for page in pages:
        page.until(f"{COUNT}.startsWith('2 of')", 10)
    go = "document.querySelector(`li[data-row='${arguments[0]}'] button`).click()"
    for page in pages:
        page.js(go, rows[6])
        # A page that nobody looks at does not ask what others decide.
        page.js("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    pages[0].js(press, 0)
    pages[1].js(press, 1)
    for page in pages:
        page.js("delete document.hidden")
    said = [page.until(f"/Written|Not saved/.test({SAID}) && {SAID}", 10) for page in pages]
    pages[0].until(f"{COUNT}.startsWith('3 of')", 10)
    text = (out / "decisions" / "map0.tsv").read_text("utf-8")
    decided = {line.split("\t")[0]: line.split("\t")[COLUMNS.index("decision")] for line in text.splitlines()[1:]}
    by_id = aifgraph.compare(*pair_of(corpora)).differences().by_id
    assert decided[rows[0]] == choices_of(by_id[rows[0]])[0]
    assert decided[rows[3]] == choices_of(by_id[rows[3]])[1]
    assert sum("has been decided meanwhile" in each for each in said) == 1, said
    for page in pages:
        page.until(
            f"document.querySelector(`li[data-row='{rows[6]}'] .badge`).textContent === '✓ {decided[rows[6]]}'", 10
        )


def test_coming_back_overwrites_nothing(
    chromium: Any, service: tuple[str, Path], corpora: tuple[Path, Path], keys: Callable[..., None]
) -> None:
    """A page that is opened again waits for what is decided; a decision that is replaced is named, and undone by a key,
    as are many decided at once."""
    address, out = service
    page = at(chromium, f"{address}pairs/1")
    ready = "document.querySelector('.decisions:not([aria-busy])')"
    page.until(ready)
    keys("1", "1", "1")
    page.until(f"{COUNT}.startsWith('3 of') && {SAID}.includes('Written')", 10)
    table = out / "decisions" / "map0.tsv"
    rows = aifgraph.compare(*pair_of(corpora)).differences().rows

    def decided() -> list[str]:
        cells = [line.split("\t") for line in table.read_text("utf-8").splitlines()[1:]]
        return [line[COLUMNS.index("decision")] for line in cells]

    before = decided()
    # The answer of the service takes its time: keys that come before it decide nothing.
    slow = {"offline": False, "latency": 3000, "downloadThroughput": -1, "uploadThroughput": -1}
    chromium.execute_cdp_cmd("Network.enable", {})
    chromium.execute_cdp_cmd("Network.emulateNetworkConditions", slow)
    page = at(chromium, f"{address}pairs/1")
    page.until("document.querySelector('.decisions[aria-busy]')")
    keys("2", "1")
    chromium.execute_cdp_cmd("Network.emulateNetworkConditions", {**slow, "latency": 0})
    page.until(ready)
    page.until(f"{COUNT}.startsWith('3 of')", 10)
    assert rows[3].id in page.text(".decisions .about")
    keys("k", "2")
    page.until(f"{SAID}.includes('is now')", 10)
    assert f"“{choices_of(rows[2])[0]}” is now “{choices_of(rows[2])[1]}”; u takes that back" in page.js(
        f"return {SAID}"
    )
    keys("u")
    end = time.monotonic() + 10
    while decided() != before:
        assert time.monotonic() < end
    alike = "document.querySelector('.all-alike:not([hidden])')?.textContent"
    while not page.js(f"return {alike}"):
        keys("j")
    number = int(page.js(f"return {alike}").split()[1])
    keys("a", "1")
    page.until(f"{COUNT}.startsWith('{3 + number} of')", 10)
    keys("u")
    page.until(f"{COUNT}.startsWith('3 of')", 10)


@pytest.fixture
def second_browser(tmp_path: Path) -> Iterator[Any]:
    """Another browser than ``chromium``, with a profile of its own."""
    from selenium import webdriver

    from browser.conftest import _FLAGS

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in (*_FLAGS, f"--user-data-dir={tmp_path / 'profile'}"):
        options.add_argument(flag)
    found = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    yield found
    found.quit()


def test_what_a_difference_is_about_is_in_view_whole_and_readable(open_page: Callable[..., Any], corpora: Any) -> None:
    """At 1366 × 768, beside the decision: for 20 of 26 differences the boxes did not come into view together."""
    page = open_page("<title>blank</title>", "blank.html")
    with page.window(1366, 768):
        page = open_page(report_html(aifgraph.compare(*pair_of(corpora))))
        page.click("button.decide")
        page.until("document.querySelector('.small-maps .box')")
        count = page.js("return document.querySelectorAll('li[data-row]').length")
        for _ in range(count):
            seen = page.js(
                "return [...document.querySelectorAll('.small-maps .box')].map(b => {"
                " const r = b.getBoundingClientRect(), zoom = r.width / b.offsetWidth;"
                " return [r.left >= 0 && r.right <= innerWidth && r.top >= 0"
                " && r.bottom <= innerHeight, b.scrollHeight <= b.clientHeight + 1, zoom * 14 >= 11]; })"
            )
            assert seen
            assert all(all(each) for each in seen), page.text(".decisions .about")
            # The text has a third of the height, and nothing covers it.
            text, panel = page.js(
                "return ['.text', '.decisions'].map(e => document.querySelector(e).getBoundingClientRect().toJSON())"
            )
            assert text["height"] >= 768 / 3
            assert text["bottom"] - text["top"] <= panel["top"]
            page.js("document.querySelector('.decisions [aria-label=\"Next difference\"]').click()")
    assert page.complaints() == []


def test_the_pages_of_the_service_have_no_violation(chromium: Any, service: tuple[str, Path]) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed (make browser installs it)")
    address, _ = service
    try:
        for path, ready in (("", "document.querySelector('main')"), ("pairs/1", "document.querySelector('.choice')")):
            chromium.get(f"{address}{path}")
            page = Page(chromium)
            page.until(ready, 60)
            if path:
                page.until(f"{COUNT}?.startsWith('0 of')")
                page.click("li.row button.difference")
            assert both_schemes(page) == {}, path
    finally:
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
