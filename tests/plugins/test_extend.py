"""The worked example of docs/extend.md, installed as users install it; and plugins that are broken."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from aifgraph.errors import InputError, OptionError
from aifgraph.plugins import plugin, plugin_names

ROOT = Path(__file__).parents[2]
TEXT = "# outline\nMasks help\n  + They filter\n    - Not all do\n  - They fog glasses\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example package in it, built and installed by pip."""
    pytest.importorskip("hatchling")
    pytest.importorskip("pip")
    folder = tmp_path_factory.mktemp("plugin")
    shutil.copytree(ROOT / "docs" / "extend-example", folder / "source")
    offline = ["--no-deps", "--no-index", "--no-build-isolation", "--quiet", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *offline, "--target", str(folder / "site")]
    subprocess.run([*command, str(folder / "source")], check=True)
    return folder / "site"


def run(installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(installed), str(ROOT / "src")])
    command = [sys.executable, "-m", "aifgraph", *arguments]
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_format_is_recognised_read_and_written(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "map.outline").write_text(TEXT)
    assert run(installed, "convert", str(tmp_path / "map.outline"), str(tmp_path / "map.json")).returncode == 0
    back = run(installed, "convert", str(tmp_path / "map.json"), "-", "--to", "outline")
    assert back.stdout == TEXT
    assert "outline of claims" in run(installed, "formats").stdout


@pytest.mark.slow
def test_the_rule_is_asked_and_selected(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "map.outline").write_text("# outline\n" + "word " * 61 + "\n")
    shown = run(installed, "check", str(tmp_path / "map.outline"), "--profile", "iat", "--select", "i-length")
    assert "W901 I 1 has 61 words" in shown.stdout, shown.stderr


@pytest.mark.slow
def test_the_measure_is_computed(installed: Path) -> None:
    maps = [str(ROOT / "fixtures" / "debate" / f"{side}.json") for side in ("first", "second")]
    shown = run(installed, "compare", *maps, "--metrics", "shared_conclusions")
    assert "shared_conclusions" in shown.stdout, shown.stderr
    assert "shared_conclusions" in run(installed, "metrics").stdout


@pytest.mark.slow
def test_the_similarity_is_used_and_in_the_signature(installed: Path) -> None:
    maps = [str(ROOT / "fixtures" / "debate" / f"{side}.json") for side in ("first", "second")]
    shown = run(installed, "compare", *maps, "--meaning", "letters")
    assert "meaning:callable.aifgraph_example.similarity.letters" in shown.stdout, shown.stderr


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package whose plugins cannot be imported or are something else."""
    info = tmp_path / "brittle-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: brittle\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[aifgraph.measures]\nbrittle = brittle_module:MEASURE\n[aifgraph.formats]\nbrittle = builtins:int\n"
    )
    (tmp_path / "brittle_module.py").write_text("raise RuntimeError('no licence')\n")
    monkeypatch.syspath_prepend(tmp_path)
    from aifgraph import plugins
    from aifgraph.comparison.measures import registry

    caches = (plugins._points, plugins.plugin, registry.all_measures)
    for each in caches:
        each.cache_clear()
    yield tmp_path
    monkeypatch.undo()
    for each in caches:
        each.cache_clear()


@pytest.mark.usefixtures("broken")
def test_a_broken_plugin_is_an_error_that_names_its_package() -> None:
    from aifgraph.comparison.measures.registry import all_measures
    from aifgraph.formats.registry import codec

    assert plugin_names("aifgraph.measures") == ("brittle",)
    with pytest.raises(InputError, match=r"package brittle: brittle of aifgraph\.measures cannot"):
        plugin("aifgraph.measures", "brittle")
    with pytest.raises(InputError, match="brittle"):
        all_measures()
    with pytest.raises(InputError, match="no Codec"):
        codec("brittle")


def test_a_rule_with_a_taken_number_is_refused() -> None:
    from aifgraph.graph.rules import all_rules, rule

    before = all_rules()
    for number, name in ((101, "new_name"), (990, "type_known")):

        def check(view: object) -> list[tuple[str, tuple[str, ...]]]:
            return []

        check.__name__ = name
        with pytest.raises(OptionError, match="already"):
            rule(number, "here")(check)
    assert all_rules() == before
