"""The service as a reader uses it: choose two files, see the report."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytestmark = [pytest.mark.browser, pytest.mark.slow]
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "debate"


@pytest.fixture
def address() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    served = subprocess.Popen([sys.executable, "-m", "aifgraph", "serve", "--port", str(port)])
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    yield f"http://127.0.0.1:{port}/"
    served.terminate()
    served.wait(timeout=10)


def wait(chromium: Any, selector: str) -> Any:
    from selenium.webdriver.common.by import By

    for _ in range(600):
        if found := chromium.find_elements(By.CSS_SELECTOR, selector):
            return found[0]
        time.sleep(0.05)
    raise AssertionError(f"never there: {selector}")


def test_two_files_give_the_report(chromium: Any, address: str, tmp_path: Path) -> None:
    from selenium.webdriver.common.by import By

    chromium.get_log("browser")
    chromium.get(address)
    for side in ("first", "second"):
        chromium.find_element(By.NAME, side).send_keys(str(FIXTURES / f"{side}.json"))
    chromium.find_element(By.CSS_SELECTOR, "button[value=html]").click()
    wait(chromium, "body.ready")
    assert "first.json and second.json" in chromium.title
    chromium.get(address)
    broken = tmp_path / "<img src=x onerror=alert(1)>.json"
    broken.write_text("not a map")
    for side in ("first", "second"):
        chromium.find_element(By.NAME, side).send_keys(str(broken))
    chromium.find_element(By.CSS_SELECTOR, "button[value=html]").click()
    assert "not JSON" in wait(chromium, "[role=alert]").text
    assert "That did not work" in chromium.find_element(By.TAG_NAME, "h1").text
    assert not chromium.find_elements(By.TAG_NAME, "img")
    complaints = [entry["message"] for entry in chromium.get_log("browser") if "favicon" not in entry["message"]]
    assert all("400" in line for line in complaints)


def test_the_form_has_no_violation(chromium: Any, address: str) -> None:
    from browser.conftest import Page
    from browser.test_accessibility import AXE, violations

    if not AXE.is_file():
        pytest.skip("axe-core is not installed (make browser installs it)")
    chromium.get(address)
    try:
        for width in (390, 1280, 1920):
            for scheme in ("light", "dark"):
                assert violations(Page(chromium), width, scheme) == [], (width, scheme)
    finally:
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
