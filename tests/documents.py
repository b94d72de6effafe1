"""AIF documents small enough to work out by hand, and where fixtures are that many tests use."""

import io
import json
import warnings
import zipfile
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from aifgraph import ArgumentGraph, Comparison, GraphBuilder, compare, read_dataset
from aifgraph.datasets import Log

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
#: Of data sets.
DATA = FIXTURES / "datasets"
#: Two maps of one debate, and two corpora of debates.
FIRST, SECOND = FIXTURES / "debate" / "first.json", FIXTURES / "debate" / "second.json"
ANN, BEN = FIXTURES / "debates" / "ann", FIXTURES / "debates" / "ben"


def compared_debate() -> Comparison:
    return compare(FIRST, SECOND)


def aif(nodes: dict[str, tuple[str, str]], *paths: str) -> dict[str, Any]:
    """Nodes by id as (type, text), and edges as paths of ids, ``"1 s 2"``."""
    steps = [path.split() for path in paths]
    return {
        "nodes": [{"nodeID": n, "type": kind, "text": text} for n, (kind, text) in nodes.items()],
        "edges": [{"fromID": f, "toID": t} for path in steps for f, t in pairwise(path)],
    }


RA, CA, MA = ("RA", "Default Inference"), ("CA", "Default Conflict"), ("MA", "Default Rephrase")
PA = ("PA", "Default Preference")


def ya(label: str) -> tuple[str, str]:
    return ("YA", label)


def read(name: str, path: Path, *, strict: bool = False, **options: Any) -> tuple[list[ArgumentGraph], Log]:
    log = Log(strict=strict)
    return list(read_dataset(name, path, log=log, **options)), log


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


def make_zip(path: Path, files: Mapping[str, str | bytes]) -> Path:
    path.write_bytes(zipped(files))
    return path


def zipped(files: Mapping[str, str | bytes] | list[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Make an archive, the same bytes every time; pairs may have one name twice."""
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w") as archive:
        warnings.simplefilter("ignore")
        for name, data in files.items() if isinstance(files, Mapping) else files:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return file.getvalue()


SAID = {
    "claim": "Masks help",
    "one": "They filter",
    "two": "Viruses are in the air",
    "study": "A study says so",
    "doubt": "Not if worn badly",
    "again": "Masks are of use",
}


def debate() -> ArgumentGraph:
    """Two linked reasons, one of them supported; the inference is undercut, and all is said by two people."""
    builder = GraphBuilder(name="debate")
    ann = builder.participant("Ann", "Lee", id="7")
    for number, (name, text) in enumerate(SAID.items()):
        builder.proposition(text, id=name)
        speaker = ann if number % 2 == 0 else None
        start = f"2021-11-11 21:{50 + number}:00" if speaker else None
        said = builder.locution(
            f"{'Ann Lee' if speaker else 'Bob'}: {text}", id=f"l-{name}", speaker=speaker, start=start
        )
        builder.illocution(said, name, id=f"y-{name}")
    builder.transition("l-claim", "l-one", id="ta")
    builder.inference(["one", "two"], "claim", id="ra")
    builder.illocution("ta", "ra", id="y-ra")
    builder.inference(["study"], "one", id="ra2")
    builder.conflict("doubt", "ra", id="ca")
    builder.rephrase("again", "claim", id="ma")
    builder.proposition("Alone", id="alone")
    return builder.graph()


CLAIMS = {"claim": "Masks help everyone", "reason": "They filter the air"}


def argument(*relations: str, text: str = "", **claims: str) -> ArgumentGraph:
    """Claims by their ids, and relations such as ``reason RA claim`` or ``one two RA claim``."""
    build = GraphBuilder()
    for id_, words in (claims or CLAIMS).items():
        build.proposition(words, id=id_)
    for relation in relations:
        *premises, kind, conclusion = relation.split()
        build.relation(kind, premises, conclusion, "")
    if text:
        build.source(text)
    return build.graph()
