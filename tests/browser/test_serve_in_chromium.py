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


def test_two_files_give_the_report(chromium: Any, address: str, tmp_path: Path) -> None:
    from selenium.webdriver.common.by import By

    chromium.get_log("browser")
    chromium.get(address)
    for side in ("first", "second"):
        chromium.find_element(By.NAME, side).send_keys(str(FIXTURES / f"{side}.json"))
    chromium.find_element(By.CSS_SELECTOR, "button[value=html]").click()
    for _ in range(400):
        if chromium.find_elements(By.CSS_SELECTOR, "body.ready"):
            break
        time.sleep(0.05)
    assert "first.json and second.json" in chromium.title
    chromium.get(address)
    broken = tmp_path / "<img src=x onerror=alert(1)>.json"
    broken.write_text("not a map")
    for side in ("first", "second"):
        chromium.find_element(By.NAME, side).send_keys(str(broken))
    chromium.find_element(By.CSS_SELECTOR, "button[value=html]").click()
    for _ in range(400):
        if chromium.find_elements(By.CSS_SELECTOR, "[role=alert]"):
            break
        time.sleep(0.05)
    assert "That did not work" in chromium.find_element(By.TAG_NAME, "main").text
    assert not chromium.find_elements(By.TAG_NAME, "img")
    complaints = [entry["message"] for entry in chromium.get_log("browser") if "favicon" not in entry["message"]]
    assert all("400" in line for line in complaints)
