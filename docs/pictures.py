"""The pictures of the pages, of fixtures: ``python docs/pictures.py`` (needs Chromium and the extra plots).

Run it after a change of what they show, and look at them before you commit them.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from aifgraph.cli import main

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
DEBATE = [str(ROOT / "fixtures" / "debate" / f"{name}.json") for name in ("first", "second")]


def run(*arguments: str) -> None:
    """One command of aifgraph; it has to succeed."""
    assert main(arguments) == 0, arguments


def photograph(page: Path, picture: Path, width: int, height: int) -> None:
    """What a browser shows of a page."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", "--hide-scrollbars", f"--window-size={width},{height}"):
        options.add_argument(argument)
    with webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver"))) as browser:
        browser.get(page.as_uri())
        browser.implicitly_wait(60)
        browser.find_element("css selector", "body.ready")
        browser.save_screenshot(str(picture))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        run("compare", *DEBATE, "--format", "html", "-o", str(page))
        photograph(page, IMAGES / "page.png", 1280, 1180)
    run("draw", DEBATE[0], "--compare", DEBATE[1], "--matrix", "illocutions", "-o", str(IMAGES / "matrix.svg"))
