"""The committed bundle is what its lock file makes of it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "src" / "aifgraph" / "report" / "html" / "static"
NAMES = ("report.js", "corpus.js", "report.css")


def test_the_lock_names_versions_and_hashes_and_no_host() -> None:
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())
    packages = {name: each for name, each in lock["packages"].items() if name}
    assert all(each["integrity"].startswith("sha512-") for each in packages.values())
    assert not [name for name, each in packages.items() if "resolved" in each]


def test_nothing_of_others_is_bundled() -> None:
    """A page is a copy of the bundle: what came from others would need its licence in every page."""
    assert "dependencies" not in json.loads((ROOT / "web" / "package.json").read_text())
    assert (STATIC / "report.js").stat().st_size < 120_000


def test_building_again_gives_the_same_bytes(tmp_path: Path) -> None:
    if not shutil.which("node") or not (ROOT / "web" / "node_modules").is_dir():
        pytest.skip("needs node and web/node_modules (make web)")
    subprocess.run(["node", "build.mjs", str(tmp_path)], cwd=ROOT / "web", check=True, timeout=120)
    for name in NAMES:
        assert (tmp_path / name).read_bytes() == (STATIC / name).read_bytes(), f"{name}: run make web and commit it"


def test_templates_can_be_read() -> None:
    templates = list((STATIC.parent / "templates").glob("*.j2"))
    assert templates
    assert not [path.name for path in templates for line in path.read_text("utf-8").splitlines() if len(line) > 160]
