"""What is changed: the fixtures by the role that they play, and what the library makes of them (archives, tables of
decisions, results, exports), the same bytes every time."""

from __future__ import annotations

import contextlib
import io
import random
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import aifgraph
from aifgraph.cli import main
from aifgraph.formats import FORMATS
from aifgraph.formats.registry import Format
from aifgraph.rdf import shipped_queries
from fuzz.archives import zipped
from fuzz.mutation import mutated

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
#: A name and bytes.
Seed = tuple[str, bytes]
_LARGEST = 100_000


@cache
def of(role: str) -> tuple[Seed, ...]:
    """The seeds of a role: ``map``, a format's name, ``corpus``, ``decisions``, ``results``, … or a folder of fixtures
    with a slash at its end, whose files have their paths below it as names."""
    if role.endswith("/"):
        return _folder(FIXTURES / role)
    if role in FORMATS:
        return of_format(role)
    return {
        "map": _maps,
        "corpus": _corpora,
        "text": lambda: tuple(_seed(path) for path in sorted(FIXTURES.rglob("*.txt"))),
        "query": lambda: tuple((f"{name}.rq", text.encode()) for name, text in shipped_queries().items()),
        "pairs": lambda: (("pairs.tsv", b"first\tsecond\nnodeset1\tnodeset1\nnodeset2\tnodeset2\n"),),
        "decisions": lambda: (
            _made("decisions.tsv", "differences FIRST SECOND --format tsv -o OUT"),
            _made("decisions.csv", "differences ANN BEN --format csv -o OUT"),
        ),
        "results": lambda: (
            _made("results.jsonl", "compare ANN BEN --resume OUT"),
            _made("details.jsonl", "compare ANN BEN --measures all --resume OUT"),
        ),
        "result": lambda: (
            _made("pair.json", "compare FIRST SECOND --format json -o OUT"),
            _made("chance.json", "compare FIRST SECOND --format json --chance 2 -o OUT"),
            _made("corpora.json", "compare ANN BEN --format json -o OUT"),
        ),
    }[role]()


def beside(name: str, rng: random.Random) -> dict[str, bytes]:
    """The texts that belong to a file, by suffix; now and then changed too."""
    stem = Path(name).stem
    texts = {path.suffix: path.read_bytes() for path in _texts() if path.stem == stem}
    return {suffix: mutated(rng, data) if rng.random() < 0.1 else data for suffix, data in texts.items()}


@cache
def _texts() -> tuple[Path, ...]:
    # Of two files of one name the later one counts.
    return tuple(path for path in _files() if path.suffix in (".txt", ".ac"))


@cache
def of_format(name: str) -> tuple[Seed, ...]:
    """Files of a format: the fixtures that it recognises, and the debate as it writes it."""
    chosen = FORMATS[name]
    found = [_seed(path) for path in _files() if path.parent.name == name or _recognised(chosen, path)]
    if chosen.writes:
        for fixture in ("debates/ann/nodeset2.json", "zoo/ann.json", "aml/masks.aml"):
            graph = aifgraph.load(FIXTURES / fixture)
            found.append((f"made{chosen.suffixes[0]}", aifgraph.dumps(graph, format=name).encode()))
    return tuple(found)


def _recognised(chosen: Format, path: Path) -> bool:
    # What JSON is for several formats, its folder says.
    return path.suffix in chosen.suffixes and path.suffix not in (".json", ".xml", ".txt")


@cache
def _files() -> tuple[Path, ...]:
    return tuple(sorted(path for path in FIXTURES.rglob("*") if path.is_file() and path.stat().st_size < _LARGEST))


@cache
def _maps() -> tuple[Seed, ...]:
    made = [seed for name, each in FORMATS.items() if each.reads and each.writes for seed in of_format(name)]
    return (*(_seed(path) for path in _files() if path.suffix not in (".md", ".py", ".onnx")), *made)


@cache
def _corpora() -> tuple[Seed, ...]:
    """A corpus in every container."""
    folder = FIXTURES / "debates" / "ann"
    members = [(path.name, path.read_bytes()) for path in sorted(folder.iterdir())]
    return (
        ("corpus.zip", zipped(members)),
        ("folders.zip", zipped([(f"a/{name}", data) for name, data in members])),
        _made("corpus.jsonl", "convert ANN OUT.jsonl"),
    )


def _folder(folder: Path) -> tuple[Seed, ...]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return tuple((path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths)


def _seed(path: Path) -> Seed:
    return path.name, path.read_bytes()


def _made(name: str, words: str) -> Seed:
    """What a command writes about undamaged fixtures."""
    places = {"ANN": "debates/ann", "BEN": "debates/ben", "FIRST": "debate/first.json", "SECOND": "debate/second.json"}
    with tempfile.TemporaryDirectory() as folder, _quiet():
        out = Path(folder) / "out"
        arguments = [
            str(FIXTURES / places[word]) if word in places else word.replace("OUT", str(out)) for word in words.split()
        ]
        assert main(arguments) == 0, words
        [written] = Path(folder).iterdir()
        return name, written.read_bytes()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield
