"""Small corpora in every container: the files and how to put them there."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path


def a_map(*texts: str) -> dict[str, object]:
    """A map of propositions only."""
    nodes = [{"nodeID": str(i), "text": text, "type": "I"} for i, text in enumerate(texts, 1)]
    return {"nodes": nodes, "edges": [], "locutions": []}


FILES = {
    "nodeset10.json": json.dumps(a_map("ten")),
    "nodeset2.json": json.dumps(a_map("two")),
    "nodeset2.txt": "The text of two.",
    "sub/nodeset1.json": json.dumps(a_map("one")),
    "README.md": "no map",
    "pairs.tsv": "first\tsecond\n",
}


def make_folder(path: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text, encoding="utf-8")
    return path


def make_zip(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path
