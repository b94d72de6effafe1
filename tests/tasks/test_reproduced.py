"""The page "Published and recomputed": what counts as agreement, and what a cell shows."""

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
    def figure(published: float | None, recomputed: float | None, within: float = 0) -> tuple[str, bool]:
        one = reproduce.Figure("a", "value", published, recomputed, within=within)
        return one.cell(), one.lost

    assert figure(0.749, 0.7494) == ("0.749 ✓", False)
    assert figure(0.749, 0.7496) == ("0.750 (0.749)", True)
    assert figure(0.749, 0.7506, within=0.002) == ("0.751 (0.749)", False)
    assert figure(0.749, None) == ("undefined", True)
    assert figure(None, 0.76) == ("0.760", False)


def test_a_figure_that_no_longer_agrees_fails(
    reproduce: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reproduce, "DATA", tmp_path)
    monkeypatch.setattr(reproduce, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr("sys.argv", ["reproduce.py"])
    for recomputed, code in ((0.5, 0), (0.6, 1)):
        section = reproduce.Section(lambda: [reproduce.Figure("figure", "value", 0.5, recomputed)])  # noqa: B023
        monkeypatch.setattr(reproduce, "SECTIONS", {"paper": section})
        assert reproduce.main() == code
    assert "no longer agrees: figure" in capsys.readouterr().err
    monkeypatch.setattr("sys.argv", ["reproduce.py", "--check"])
    (tmp_path / "page.md").write_text("old", encoding="utf-8")
    section = reproduce.Section(lambda: [reproduce.Figure("figure", "value", 0.5, 0.5)])
    monkeypatch.setattr(reproduce, "SECTIONS", {"paper": section})
    assert reproduce.main() == 1
    assert "run `make reproduce`" in capsys.readouterr().err
