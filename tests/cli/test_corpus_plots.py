"""``--plot`` of the commands over corpora: a picture beside the numbers, or one clear line."""

from __future__ import annotations

from pathlib import Path

import pytest

from aifgraph.cli import main

pytest.importorskip("matplotlib")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["stats", "{ann}"], ["ann: 4 maps", "YA Asserting"]),
        (["agreement", "{ann}", "{ben}"], ["every two annotators", "0.95"]),
        (["compare", "{ann}", "{ben}", "--intervals"], ["95% intervals", "CASS-κ macro all"]),
    ],
)
def test_pictures(command: list[str], words: list[str], fixtures: Path, tmp_path: Path) -> None:
    places = {name: str(fixtures / "debates" / name) for name in ("ann", "ben")}
    picture = tmp_path / "picture.svg"
    assert main([*(word.format(**places) for word in command), "--plot", str(picture)]) == 0
    drawn = picture.read_text("utf-8")
    assert drawn.startswith("<?xml")
    assert all(f"<!-- {word}" in drawn or word in drawn for word in words)
