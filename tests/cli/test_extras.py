"""A command that needs an extra which is not installed names it, with exit code 2."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from aifgraph.cli import main

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
MAPS = [str(FIXTURES / "debate" / name) for name in ("first.json", "second.json")]
TRAINING = [
    "export",
    str(FIXTURES / "debates" / "ann"),
    "--task",
    "relations",
    "-o",
    "FOLDER/out.parquet",
    "--splits",
    "train=1",
]
CORPORA = [str(FIXTURES / "debates" / name) for name in ("ann", "ben")]

ARCT = [str(FIXTURES / "tasks" / "arct" / name) for name in ("instances.txt", "first.txt", "second.txt")]
DIFFICULTY = ["task", "arct", "difficulty", *ARCT]


@pytest.mark.parametrize(
    ("extra", "missing", "command"),
    [
        ("meaning", ["onnxruntime", "tokenizers"], ["compare", *MAPS, "--meaning", "FOLDER"]),
        ("gamma", ["pygamma_agreement"], ["compare", *MAPS, "--metrics", "gamma"]),
        ("plots", ["matplotlib", "matplotlib.figure"], ["agreement", *CORPORA, "--plot", "FOLDER/out.svg"]),
        ("plots", ["matplotlib", "matplotlib.figure", "matplotlib.ticker"], [*DIFFICULTY, "--plot", "FOLDER/out.svg"]),
        ("training", ["pyarrow", "pyarrow.parquet"], TRAINING),
        ("oxigraph", ["oxrdflib"], ["store", "add", "FOLDER/store", CORPORA[0]]),
        ("distributed", ["distributed"], ["compare", *CORPORA, "--scheduler", "tcp://127.0.0.1:9"]),
        ("web", ["uvicorn", "starlette", "starlette.applications"], ["serve", "--port", "0"]),
    ],
)
def test_the_extra_is_named(
    extra: str,
    missing: list[str],
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"{}")
    for name in [*missing, "aifgraph.report.service.app", "aifgraph.report.service.http"]:
        monkeypatch.delitem(sys.modules, name, raising=False)
    for name in missing:
        monkeypatch.setitem(sys.modules, name, None)
    assert main([part.replace("FOLDER", str(tmp_path)) for part in command]) == 2
    shown = capsys.readouterr()
    assert f"pip install 'aifgraph[{extra}]'" in shown.err
    assert shown.err.count("\n") == 1
    assert not shown.out
    assert {file.name for file in tmp_path.iterdir()} <= {"model.onnx", "tokenizer.json"}
