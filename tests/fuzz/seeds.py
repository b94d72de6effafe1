"""What is changed: the fixtures by the role that they play, and what the library makes of them (archives, tables of
decisions, results, exports), the same bytes every time."""

import random
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path

import pyoxigraph as ox

import aifgraph
from aifgraph.cli import main
from aifgraph.corpus.query import shipped_queries
from aifgraph.formats import FORMATS
from documents import ANN, BEN, FIRST, FIXTURES, SECOND, zipped
from fuzz.mutate import mutated

PLACES = {"ANN": ANN, "BEN": BEN, "FIRST": FIRST, "SECOND": SECOND}
#: What commands write about undamaged fixtures: the role, the name of the file, the command.
MADE = (
    ("decisions", "decisions.tsv", "differences FIRST SECOND --format tsv -o OUT"),
    ("decisions", "decisions.csv", "differences ANN BEN --format csv -o OUT"),
    ("decisions", "all.tsv", "differences ANN BEN --format tsv -o OUT"),
    ("results", "results.jsonl", "compare ANN BEN --resume OUT"),
    ("results", "details.jsonl", "compare ANN BEN --measures all --resume OUT"),
    ("result", "pair.json", "compare FIRST SECOND --format json -o OUT"),
    ("result", "chance.json", "compare FIRST SECOND --format json --chance 2 -o OUT"),
    ("result", "corpora.json", "compare ANN BEN --format json -o OUT"),
    ("corpus", "corpus.jsonl", "convert ANN OUT.jsonl"),
)
FILES = sorted(path for path in FIXTURES.rglob("*") if path.is_file() and path.stat().st_size < 100_000)
#: A name and bytes.
Seed = tuple[str, bytes]


@cache
def of(role: str) -> tuple[Seed, ...]:
    """The seeds of a role: ``map``, a format's name, ``corpus``, ``decisions``, ``results``, … or a folder of fixtures
    with a slash at its end, whose files have their paths below it as names."""
    if role.endswith("/"):
        paths = sorted(path for path in (FIXTURES / role).rglob("*") if path.is_file())
        return tuple((path.relative_to(FIXTURES / role).as_posix(), path.read_bytes()) for path in paths)
    if role in FORMATS:
        return tuple(_of_format(role))
    if role == "map":
        written = [seed for name, each in FORMATS.items() if each.reads and each.writer for seed in _of_format(name)]
        return (*(_seed(path) for path in FILES if path.suffix not in (".md", ".py", ".onnx")), *written)
    if role == "text":
        return tuple(_seed(path) for path in FILES if path.suffix == ".txt")
    if role == "query":
        return tuple((f"{name}.rq", text.encode()) for name, text in shipped_queries().items())
    if role == "pairs":
        return (("pairs.tsv", b"first\tsecond\nnodeset1\tnodeset1\nnodeset2\tnodeset2\n"),)
    if role == "maps":
        maps = aifgraph.to_rdf([aifgraph.load(path) for path in sorted(PLACES["ANN"].glob("*.json"))])
        lines = "\n".join(sorted(maps.serialize(format="nquads").splitlines()))  # rdflib's order goes by the hash seed
        formats = {suffix: ox.RdfFormat.from_extension(suffix) for suffix in ("trig", "nq", "jsonld")}
        return tuple(
            (f"all.{suffix}", ox.serialize(ox.parse(lines, format=ox.RdfFormat.N_QUADS), format=format))
            for suffix, format in formats.items()
        )
    if role == "union":
        line = b'{"name": "%d", "map": ' + b" ".join(PLACES["FIRST"].read_bytes().splitlines()) + b"}\n"
        return (("union.jsonl", line.replace(b"%d", b"1") + line.replace(b"%d", b"2")),)
    made = [_made(name, command) for of_role, name, command in MADE if of_role == role]
    if role == "corpus":
        members = [_seed(path) for path in sorted(PLACES["ANN"].iterdir())]
        made.append(("corpus.zip", zipped(members)))
        made.append(("folders.zip", zipped([(f"a/{name}", data) for name, data in members])))
    return tuple(made)


def beside(name: str, rng: random.Random) -> dict[str, bytes]:
    """The texts that belong to a file, by suffix; now and then changed too."""
    texts = {path.suffix: path.read_bytes() for path in FILES if path.stem == Path(name).stem}
    texts = {suffix: data for suffix, data in texts.items() if suffix in {".txt", ".ac"} - {Path(name).suffix}}
    return {suffix: mutated(rng, data) if rng.random() < 0.1 else data for suffix, data in texts.items()}


def _of_format(name: str) -> list[Seed]:
    """Files of a format: the fixtures that it recognises, and three maps as it writes them."""
    # What JSON is for several formats, its folder says.
    suffixes = set(FORMATS[name].suffixes) - {".json", ".xml", ".txt"}
    found = [_seed(path) for path in FILES if path.parent.name == name or path.suffix in suffixes]
    for fixture in ("debates/ann/nodeset2.json", "zoo/ann.json", "aml/masks.aml") if FORMATS[name].writer else ():
        text = aifgraph.dumps(aifgraph.load(FIXTURES / fixture), format=name)
        found.append((f"made{FORMATS[name].suffixes[0]}", text.encode()))
    return found


def _seed(path: Path) -> Seed:
    return path.name, path.read_bytes()


def _made(name: str, command: str) -> Seed:
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        out = f"{folder}/out"
        assert main([str(PLACES.get(word, word)).replace("OUT", out) for word in command.split()]) == 0, command
        [written] = Path(folder).iterdir()
        return name, written.read_bytes()
