"""Where people wait: whole commands, in seconds of wall time, now and in an earlier state of the library.

``python benchmarks/waits.py [ROW …] [--before TREE]`` prints the rows and writes them into ``docs/speed.json``; all of
them unless some are named. With ``--before``, the library in that work tree is measured, for the column *before*. The
maps are made up (``generate.py``), in a temporary folder. Measure on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import generate
import many_pairs

ROOT = Path(__file__).resolve().parents[1]
FIGURES = ROOT / "docs" / "speed.json"

#: Seconds until a service that has started does nothing any more.
SETTLED = 8

#: Propositions of a map of a corpus: with their locutions, illocutions and relations about 31 nodes.
SMALL = 6
RESUMED, MANY = 20_000, 1_000_000
QUERIES = ("most-attacked", "schemes", "self-contradiction", "undercuts", "unanswered-questions")


@dataclass(frozen=True)
class Library:
    """One state of the library, and a folder for what is measured with it."""

    sources: Path
    folder: Path
    earlier: bool = False

    @property
    def environment(self) -> dict[str, str]:
        # Without the compiled modules, importing would be most of a short command.
        own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        return own | {"PYTHONPATH": str(self.sources)}

    def python(self, *arguments: object) -> float:
        """Seconds that Python takes with these arguments."""
        start = time.perf_counter()
        quiet = subprocess.DEVNULL
        subprocess.run(
            [sys.executable, *map(str, arguments)], check=True, env=self.environment, stdout=quiet, stderr=quiet
        )
        return time.perf_counter() - start

    def run(self, *arguments: object) -> float:
        """Seconds that ``aifgraph`` takes with these arguments, as a whole command."""
        return self.python("-m", "aifgraph", *arguments)

    def said(self, code: str) -> float:
        """The number that a program prints, the imports of the library and of the benchmarks at hand."""
        own = self.environment
        own["PYTHONPATH"] += f"{os.pathsep}{Path(__file__).parent}"
        return float(subprocess.run([sys.executable, "-c", code], check=True, env=own, stdout=subprocess.PIPE).stdout)

    def new(self, name: str) -> Path:
        """A path where nothing is yet."""
        return next(path for path in (self.folder / f"{name}{n}" for n in range(1_000)) if not path.exists())

    def corpora(self, pairs: int, size: int = SMALL) -> tuple[Path, Path]:
        """Two folders of so many maps of so many propositions."""
        sides = self.folder / f"first{pairs}-{size}", self.folder / f"second{pairs}-{size}"
        if not sides[0].exists():
            for side in sides:
                side.mkdir()
            for seed in range(pairs):
                for side, analysis in zip(sides, generate.pair(size, seed)[:2], strict=True):
                    (side / f"m{seed}.json").write_text(analysis, encoding="utf-8")
        return sides

    def maps(self, size: int) -> tuple[Path, Path]:
        """Two maps of so many propositions."""
        first, second = self.corpora(1, size)
        return first / "m0.json", second / "m0.json"


def least(times: int, measure: Callable[[], float]) -> float:
    """The least of so many runs, after one that compiles modules and fills the caches of the system."""
    return min([measure() for _ in range(times + 1)][1:])


def pair(size: int, form: str) -> Callable[[Library], float]:
    """Loading and comparing two files, in ``json.load`` of both: the median of the runs."""

    def measure(library: Library) -> float:
        return library.said(f"""
import json, pathlib, statistics, tempfile, time, aifgraph, bench
with tempfile.TemporaryDirectory() as folder:
    paths = bench.write_files(pathlib.Path(folder), {size}, {form!r})
    def clocked(work):
        start = time.process_time()
        work()
        return time.process_time() - start
    def read():
        for path in paths:
            with open(path, encoding="utf-8") as file:
                json.load(file)
    def compare():
        bench.forget()
        result = aifgraph.compare(*paths)
        result.cass, result.over
    compare()
    runs = range({3_000 // size + 8})
    print(statistics.median(clocked(compare) / clocked(read) for _ in runs))
""")

    return measure


def chance(library: Library) -> float:
    """The work of 100 rounds, in comparisons of the same two maps: the median of five turns."""
    return library.said("""
import statistics, time, aifgraph, generate
first, second, text = generate.pair(30)
def seconds(times, **options):
    start = time.process_time()
    for _ in range(times):
        maps = aifgraph.loads(first), aifgraph.loads(second)
        result = aifgraph.compare(*maps, first_text=text, second_text=text, **options)
        result.over, result.chance
    return (time.process_time() - start) / times
seconds(1, chance=2)
print(statistics.median(seconds(2, chance=100) / seconds(40) for _ in range(5)))
""")


def page(library: Library) -> float:
    html = "--format", "html", "-o", library.new("page").with_suffix(".html")
    return least(1, lambda: library.run("compare", *library.maps(3_000), *html))


def pages(library: Library) -> float:
    sides = library.corpora(60, 12)
    return least(1, lambda: library.run("compare", *sides, "--format", "html", "-o", library.new("pages")))


def differences(library: Library) -> float:
    """Differences in comparisons: the command of its own, which compares too."""
    sides = library.corpora(1_000)
    return library.run("differences", *sides) / library.run("compare", *sides)


def resume(library: Library) -> float:
    """Minutes for all lines of a results file that is complete, with opening and pairing, if there were a million."""
    sides, _ = many_pairs.write_lines(library.folder, RESUMED, 30)
    run = ["compare", *sides, "--only", "cass", "--results", library.new("results").with_suffix(".jsonl")]
    library.run(*run, "--jobs", -1)
    return library.run(*run, "--resume") * MANY / RESUMED / 60


def shacl(library: Library) -> float:
    turtle = library.new("map").with_suffix(".ttl")
    library.run("convert", library.maps(SMALL)[0], turtle, "--profile", "full")
    shapes = next(library.sources.parent.glob("schemas/aif-shapes.ttl"))
    return library.said(f"""
import time, pyshacl, rdflib
shapes, data = rdflib.Graph().parse({str(shapes)!r}), rdflib.Graph().parse({str(turtle)!r})
def once():
    start = time.perf_counter()
    pyshacl.validate(data, shacl_graph=shapes)
    return time.perf_counter() - start
print(min(once() for _ in range(3)))
""")


def query(library: Library) -> float:
    """The slowest of the queries that are shipped."""
    return max(library.run("query", library.corpora(500)[0], name) for name in QUERIES)


class Service:
    """``aifgraph adjudicate`` of two maps of thirty propositions, asked as its pages ask it."""

    def __init__(self, library: Library) -> None:
        output = "--out" if library.earlier else "-o"  # what it was called
        command = ["-m", "aifgraph", "adjudicate", *library.maps(30), output, library.new("study"), "--port", "0"]
        self.process = subprocess.Popen(
            [sys.executable, *map(str, command)],
            env=library.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip()

    def __enter__(self) -> Service:
        home, _ = self.ask("")
        time.sleep(SETTLED)
        self.token = home.partition('name="token" value="')[2].partition('"')[0]
        return self

    def __exit__(self, *exception: object) -> None:
        self.process.kill()
        self.process.wait()

    def ask(self, path: str, given: dict[str, object] | None = None) -> tuple[str, float]:
        """An answer, and the seconds until it was there."""
        start = time.perf_counter()
        request = urllib.request.Request(f"{self.address.rstrip('/')}/{path}")
        if given is not None:
            request.data = json.dumps(given).encode()
            request.add_header("Content-Type", "application/json")
            request.add_header("X-Aifgraph-Token", self.token)
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode("utf-8"), time.perf_counter() - start


def opening(library: Library) -> float:
    def once() -> float:
        with Service(library) as service:
            return service.ask("pairs/1")[1]

    return least(3, once)


def deciding(library: Library) -> float:
    """The median over all rows, each kept as the first analysis has it where that can be said of it."""
    with Service(library) as service:
        service.ask("pairs/1")
        table, _ = service.ask("pairs/1/decisions.tsv")
        names, *rows = (line.split("\t") for line in table.splitlines())
        took = []
        for row in rows:
            given = {"row": row[names.index("row")], "decision": "first", "seen": {}}
            try:
                took.append(service.ask("pairs/1/decisions", given)[1])
            except urllib.error.HTTPError:
                continue  # a row that is kept or dropped
    return sorted(took)[len(took) // 2]


@dataclass(frozen=True)
class Row:
    """What is measured, in which unit (as a factor of what is measured, and its name), and what is aimed at."""

    what: str
    aim: float
    unit: str
    measure: Callable[[Library], float]
    per: float = 1.0


ROWS = {
    "python": Row("`python -c pass`, for scale", 0, "ms", lambda of: least(9, lambda: of.python("-c", "pass")), 1e3),
    "pair-30": Row("loading and comparing a pair, n = 30, AIF", 6, "× json.load", pair(30, "aif")),
    "pair-30-xaif": Row("the same, xAIF", 6, "× json.load", pair(30, "xaif")),
    "pair-1000": Row("the same, n = 1 000, AIF", 5, "× json.load", pair(1_000, "aif")),
    "pair-1000-xaif": Row("the same, n = 1 000, xAIF", 5, "× json.load", pair(1_000, "xaif")),
    "import": Row(
        "`import aifgraph`, Python included",
        0,
        "ms",
        lambda of: least(9, lambda: of.python("-c", "import aifgraph")),
        1e3,
    ),
    "help": Row("`aifgraph --help`", 60, "ms", lambda of: least(5, lambda: of.run("--help")), 1e3),
    "compare-help": Row(
        "`aifgraph compare --help`", 90, "ms", lambda of: least(5, lambda: of.run("compare", "--help")), 1e3
    ),
    "compare": Row(
        "`compare` of two maps of 31 nodes",
        120,
        "ms",
        lambda of: least(5, lambda: of.run("compare", *of.maps(SMALL))),
        1e3,
    ),
    "page": Row("page of a pair of 3 000 propositions, with comparing", 1.5, "s", page),
    "pages": Row("60 pages of 12 propositions, with comparing", 2, "s", pages),
    "opening": Row("opening a pair of 30 propositions in `adjudicate`", 300, "ms", opening, 1e3),
    "deciding": Row("a decision there, until it is on disk and answered", 50, "ms", deciding, 1e3),
    "differences": Row("`differences` of 1 000 pairs", 1.5, "× compare", differences),
    "check": Row("`check` of 1 000 maps", 3, "s", lambda of: of.run("check", of.corpora(1_000)[0])),
    "shacl": Row("pySHACL, a map of 31 nodes, without imports", 1, "s", shacl),
    "query": Row("`query`, the slowest of five, over 500 maps", 5, "s", query),
    "turtle": Row(
        "1 177 maps to Turtle",
        15,
        "s",
        lambda of: of.run("convert", of.corpora(1_177)[0], of.new("turtle"), "--to", "turtle"),
    ),
    "resume": Row("resuming a million pairs, by 20 000", 1, "min", resume),
    "chance": Row("chance, 100 rounds, n = 30", 12, "comparisons", chance),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", choices=[*ROWS, []], metavar="ROW")
    parser.add_argument("--before", type=Path, metavar="TREE")
    given = parser.parse_args()
    column, tree = ("before", given.before.resolve()) if given.before else ("now", ROOT)
    print(f"load {os.getloadavg()[0]:.1f}")
    with TemporaryDirectory(prefix="aifgraph-") as folder:
        library = Library(tree / "src", Path(folder), earlier=bool(given.before))
        for name in given.rows or ROWS:
            row = ROWS[name]
            value = row.per * row.measure(library)
            print(f"{row.what:55} {value:8.1f} {row.unit}", flush=True)
            found = json.loads(FIGURES.read_text("utf-8"))
            found.setdefault("waits", {}).setdefault(name, {})[column] = value
            found["waits"][name] |= {"what": row.what, "aim": row.aim, "unit": row.unit}
            FIGURES.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
