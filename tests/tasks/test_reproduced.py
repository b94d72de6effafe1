"""The page "Published and recomputed": what counts as agreement, and that no cell is blank."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def reproduce() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reproduce", ROOT / "benchmarks" / "reproduce.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["reproduce"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_agreement_is_equality_as_published(reproduce: ModuleType) -> None:
    assert reproduce.Figure("a", 0.749, 0.7494).agrees
    assert not reproduce.Figure("a", 0.749, 0.7496).agrees
    assert reproduce.Figure("a", 0.749, 0.7506, note="why", within=0.002).row()[-2:] == ("+0.002", "near: why")
    assert not reproduce.Figure("a", 0.749, None).agrees
    assert reproduce.Figure("a", 0.749, 0.76, note="why").row()[-1] == "differs: why"


def test_a_figure_that_no_longer_agrees_fails(
    reproduce: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reproduce, "DATA", tmp_path)
    monkeypatch.setattr(reproduce, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr("sys.argv", ["reproduce.py"])
    for recomputed, code in ((0.5, 0), (0.6, 1)):
        figure = reproduce.Figure("figure", 0.5, recomputed)
        monkeypatch.setattr(reproduce, "SECTIONS", {"paper": lambda figure=figure: iter([figure])})
        assert reproduce.main() == code
    assert "no longer agrees: figure" in capsys.readouterr().err
    monkeypatch.setattr("sys.argv", ["reproduce.py", "--check"])
    (tmp_path / "page.md").write_text("old", encoding="utf-8")
    monkeypatch.setattr(reproduce, "SECTIONS", {"paper": lambda: iter([reproduce.Figure("figure", 0.5, 0.5)])})
    assert reproduce.main() == 1
    assert "run `make reproduce`" in capsys.readouterr().err
