"""Bundles the scripts and the style of the HTML reports where they are missing.

A checkout and a source distribution carry the bundle, so that installing needs no Node; a test builds it again from
``web/package-lock.json`` and compares the bytes.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_STATIC = Path("src/aifgraph/report/html/static")
_BUNDLED = ("report.js", "corpus.js", "report.css")


class BundleHook(BuildHookInterface):  # type: ignore[type-arg]
    """``npm ci`` and esbuild, if the bundle is not there."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if all((root / _STATIC / name).is_file() for name in _BUNDLED):
            return
        npm = shutil.which("npm")
        if npm is None:
            raise RuntimeError("the report's scripts are not bundled and npm is not installed: run make web first")
        for command in (["ci", "--no-audit", "--no-fund", "--ignore-scripts"], ["run", "build"]):
            subprocess.run([npm, *command], cwd=root / "web", check=True, timeout=600)
