"""A headless Chromium for the tests of the pages; without one they are skipped, saying so."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--window-size=1400,1000",
)

HOW = "needs selenium and Debian's chromium and chromium-driver"


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Selenium driver."""
    webdriver = pytest.importorskip("selenium.webdriver", reason=HOW)
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not browser or not driver:
        pytest.skip(HOW)
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (*_FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    found = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield found
    found.quit()


@pytest.fixture(scope="session")
def firefox() -> Iterator[Any]:
    """A Selenium driver of a headless Firefox."""
    webdriver = pytest.importorskip("selenium.webdriver", reason=HOW)
    browser, driver = shutil.which("firefox-esr") or shutil.which("firefox"), shutil.which("geckodriver")
    if not browser or not driver:
        pytest.skip("needs selenium, Firefox and geckodriver")
    options = webdriver.FirefoxOptions()
    options.binary_location = browser
    options.add_argument("-headless")
    found = webdriver.Firefox(options=options, service=webdriver.FirefoxService(driver))
    yield found
    found.quit()


class Page:
    """A page in the browser, in the few words that the tests need."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def js(self, script: str, *given: object) -> Any:
        return self.driver.execute_script(script, *given)

    def until(self, script: str, seconds: float = 20) -> Any:
        end = time.monotonic() + seconds
        while not (found := self.js(f"return {script}")):
            assert time.monotonic() < end, f"never true: {script}"
            time.sleep(0.02)
        return found

    def click(self, selector: str) -> None:
        self.js("const e = document.querySelector(arguments[0]); e.scrollIntoView(); e.click();", selector)

    def press(self, *keys: str) -> None:
        for key in keys:
            event = "new KeyboardEvent('keydown', {key: arguments[0], bubbles: true})"
            self.js(f"document.activeElement.dispatchEvent({event})", key)

    def type(self, key: str) -> None:
        """Press a key as a hand does."""
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(key).perform()

    def text(self, selector: str) -> str:
        return str(self.js("return document.querySelector(arguments[0]).textContent", selector))

    @contextmanager
    def window(self, width: int, height: int = 800) -> Iterator[None]:
        """A window of that size while something is done; a narrow one is that of a phone."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def complaints(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] != "INFO"]


@pytest.fixture
def open_page(chromium: Any, tmp_path: Path) -> Callable[[str], Page]:
    """Opens HTML from a file, as a reader does, and waits until it is ready."""

    def opened(html: str, name: str = "report.html") -> Page:
        path = tmp_path / name
        path.write_text(html, encoding="utf-8")
        chromium.get_log("browser")
        chromium.get(path.as_uri())
        page = Page(chromium)
        # What earlier tests decided is kept by the browser.
        if page.js("const kept = localStorage.length; localStorage.clear(); return kept"):
            chromium.refresh()
        page.until("document.readyState === 'complete'")
        return page

    return opened
