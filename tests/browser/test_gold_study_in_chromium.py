"""A gold study as its leader runs it: every pair decided by keys alone, with a break in which the service is killed,
and by a second person in a browser of their own, to gold maps that ``check`` passes and that are those of ``merge``."""

from __future__ import annotations

import random
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from aifgraph.adjudication.decision_file import COLUMNS
from browser.test_adjudication_in_chromium import COUNT, SAID, at, second_browser
from evaluation.small_corpora import make_corpora
from sampled import at_night

pytest.importorskip("starlette")
pytestmark = [pytest.mark.browser, pytest.mark.slow]
__all__ = ["second_browser"]

CURRENT = "document.querySelector('.chapters li.current')?.dataset.row"
CHOICES = (
    "return Object.fromEntries([...document.querySelectorAll('.decisions .choice:not([hidden])')]"
    ".map(e => [e.dataset.choice, e.getAttribute('aria-keyshortcuts')]))"
)


class Person:
    """Somebody at a keyboard, who decides by chance; ``seconds`` is how long each next difference took to come."""

    def __init__(self, driver: Any, seed: int) -> None:
        self.driver, self.draw, self.seconds = driver, random.Random(seed), [0.0]

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def opens(self, address: str) -> None:
        self.page = at(self.driver, address)
        self.page.until("document.querySelector('.decisions:not([hidden]):not([aria-busy])')", 60)

    def goes_to(self, row: str) -> None:
        for _ in range(1000):
            if self.page.js(f"return {CURRENT}") == row:
                return
            self.press("j")
        raise AssertionError(f"j never comes to {row}")

    def changes(self, row: str, *wanted: str) -> None:
        """The decision of this row to the first of these that it can be decided as."""
        self.goes_to(row)
        keys = self.page.js(CHOICES)
        self.press(next(keys[name] for name in wanted if name in keys))
        self.page.until(f"{SAID}.includes('is now')")

    def chooses(self) -> None:
        key = self.draw.choice([key for name, key in self.page.js(CHOICES).items() if name != "other"])
        before = self.page.js(f"return [{CURRENT}, {COUNT}]")
        start = time.monotonic()
        self.press(key)
        self.page.until(f"JSON.stringify([{CURRENT}, {COUNT}]) !== JSON.stringify({before!r})".replace("None", "null"))
        self.seconds.append(time.monotonic() - start)

    def decides(self, most: int = 10_000) -> None:
        """The open differences from here on, so many at the most; all that is decided is on disk in the end."""
        for _ in range(most):
            if ", 0 open" in self.page.js(f"return {COUNT}"):
                return
            self.chooses()
            self.page.until(f"/^Written to disk|is decided|is now/.test({SAID})")


@contextmanager
def serving(corpora: tuple[Path, Path], out: Path, name: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    command = [sys.executable, "-m", "aifgraph", "adjudicate", *map(str, corpora), "-o", str(out), "--port", "0"]
    served = subprocess.Popen([*command, "--as", name], stdout=subprocess.PIPE, text=True)
    assert served.stdout
    try:
        yield served.stdout.readline().strip(), served
    finally:
        served.kill()
        served.wait(timeout=20)


def aifgraph_command(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "aifgraph", *map(str, arguments)], capture_output=True, text=True, check=False
    )


def rows_of(table: Path) -> list[dict[str, str]]:
    lines = table.read_text("utf-8").splitlines()[1:] if table.exists() else []
    return [dict(zip(COLUMNS, line.split("\t"), strict=False)) for line in lines]


def made(folder: Path, _: Callable[[], Path]) -> tuple[Path, Path]:
    return make_corpora(folder, 2, size=8)


def real(folder: Path, shared: Callable[[], Path]) -> tuple[Path, Path]:
    """Two analysts of Araucaria twice, an xAIF map with its slips, two maps of DialAM with a system's."""
    data = shared()
    rows = [line.split("\t") for line in (data / "araucaria" / "same_text_pairs.tsv").read_text().splitlines()[1:]]
    different = [(data / "araucaria" / one, data / "araucaria" / two) for one, two, kind in rows if kind == "different"]
    gold = sorted((data / "dialam-2024" / "test" / "gold").glob("*.json"), key=lambda path: path.stat().st_size)[:2]
    pairs = [
        *different[:2],
        (data / "xaif" / "28111.json", data / "xaif" / "28111_mistake.json"),
        *((path, path.parents[1] / "system" / path.name) for path in gold),
    ]
    for side in ("ann", "ben"):
        (folder / side).mkdir()
    for number, pair in enumerate(pairs):
        for side, path in zip(("ann", "ben"), pair, strict=True):
            shutil.copy(path, folder / side / f"map{number}.json")
            if path.with_suffix(".txt").exists():
                shutil.copy(path.with_suffix(".txt"), folder / side / f"map{number}.txt")
    return folder / "ann", folder / "ben"


@pytest.mark.parametrize("make", [made, pytest.param(real, marks=[pytest.mark.data, at_night])])
def test_a_study_by_keys_with_a_break_and_a_second_person(
    make: Callable[..., tuple[Path, Path]],
    chromium: Any,
    second_browser: Any,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    corpora = make(tmp_path, lambda: request.getfixturevalue("shared_data"))
    names = sorted(path.stem for path in corpora[0].glob("*.json"))
    out = tmp_path / "out"
    cleo, dora = Person(chromium, 1), Person(second_browser, 2)
    with serving(corpora, out, "Cleo") as (address, served):
        cleo.opens(f"{address}pairs/1")
        cleo.decides(3)
        served.kill()  # a break
        served.wait(timeout=20)
    decided = [row["row"] for row in rows_of(out / "decisions" / "map0.tsv") if row["decision"]]
    assert len(decided) == min(3, len(rows_of(out / "decisions" / "map0.tsv")))
    with serving(corpora, out, "Cleo") as (address, _):
        cleo.opens(f"{address}pairs/1")
        for _ in names[1:-1] or names[:1]:
            cleo.decides()
            if cleo.page.js("return [...document.links].some(e => e.textContent === 'next pair')"):
                chromium.find_element(By.LINK_TEXT, "next pair").send_keys(Keys.ENTER)
                cleo.page.until("document.querySelector('.decisions:not([hidden]):not([aria-busy])')", 60)
    with serving(corpora, out, "Dora") as (address, _):
        for number, name in enumerate(names, 1):
            dora.opens(f"{address}pairs/{number}")
            dora.decides()
            maps = [folder / f"{name}.json" for folder in corpora]
            table, mine = out / "decisions" / f"{name}.tsv", tmp_path / f"{name}.json"
            for _ in range(50):  # what cannot stand together, the panel and the command name
                merged = aifgraph_command("merge", *maps, "--decisions", table, "--complete", "-o", mine)
                if merged.returncode != 2:
                    break
                named = [row for row in rows_of(table) if row["row"] in merged.stderr]
                row = next((row for row in named if row["decision"] not in ("keep", "first")), None)
                assert row, merged.stderr
                dora.changes(row["row"], "keep", "first")
                changed = time.monotonic() + 20
                while row in rows_of(table):
                    assert time.monotonic() < changed
            assert merged.returncode == 0, merged.stderr
        second_browser.get(address)
        second_browser.find_element(By.CSS_SELECTOR, "form button").send_keys(Keys.ENTER)
        dora.page.until("document.querySelector('[role=status]')")
        said = second_browser.find_element(By.CSS_SELECTOR, "[role=status]").text
        assert f"{len(names)} gold maps in" in said
    by: set[str] = set()
    for name in names:
        gold = out / "gold" / f"{name}.json"
        assert gold.read_bytes() == (tmp_path / f"{name}.json").read_bytes()
        # Of faults the gold map has none but those that an analysis came with, as an xAIF map here does.
        faults, *theirs = (
            set(re.findall(r": (E\d+ .*)", aifgraph_command("check", path).stdout))
            for path in (gold, *(folder / f"{name}.json" for folder in corpora))
        )
        assert faults <= set().union(*theirs)
        rows = rows_of(out / "decisions" / f"{name}.tsv")
        by |= {row["by"] for row in rows if row["decision"]}  # a wording alone need not be decided
    assert by == {"Cleo", "Dora"}
    seconds = [*cleo.seconds[1:], *dora.seconds[1:]]
    print(f"{len(seconds)} decisions, the next difference after {statistics.median(seconds):.2f} s, {max(seconds):.2f}")
    assert statistics.median(seconds) < 1
