"""Memory of converting the Internet Argument Corpus: ``python benchmarks/datasets.py [POSTS …]``.

Makes corpora of as many posts as asked for (390 000 is about the size of the real ones) in the layouts of IAC 1 and
IAC 2, converts each into a zip archive in a process of its own, and shows time and peak memory. Constant memory means:
ten times the posts, the same peak.
"""

from __future__ import annotations

import gzip
import json
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

SIZES = (39_000, 390_000)
#: The real corpora have 35 posts a discussion on average.
THREAD = 35
WORDS = ("masks", "help", "people", "who", "meet", "in", "rooms", "full", "of", "others", "where", "nobody", "listens")


def words(rng: random.Random, count: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(count))


def iac1(folder: Path, posts: int) -> Path:
    """Discussions, quotes and annotations in the layout of IAC 1."""
    rng = random.Random(posts)
    for part in ("discussions", "ranges/quotes", "annotations/mechanical_turk"):
        (folder / part).mkdir(parents=True)
    averages = ["key,discussion_id,agreement,sarcasm"]
    for start in range(0, posts, THREAD):
        entries: list[object] = []
        quotes: list[object] = []
        for number in range(start, min(start + THREAD, posts)):
            parent = None if number == start else rng.randrange(start, number)
            quote = "" if parent is None else words(rng, 20)
            text = f"{quote}\n\n {words(rng, 80)}"
            entries.append([number, None, f"author{number % 3000}", text, {}, parent, None, 1.2e9 + number])
            if quote:
                quotes.append([number, [0, len(quote), {"quote_id": parent}]])
        name = f"{start}.json"
        (folder / "discussions" / name).write_text(json.dumps([entries, {}, {}]), "utf-8")
        (folder / "ranges/quotes" / name).write_text(json.dumps(quotes), "utf-8")
        averages.append(f'"({start}, 0)",{start},{rng.uniform(-5, 5):.2f},0.2')
    table = folder / "annotations/mechanical_turk/qr_averages.csv"
    table.write_text("\n".join(averages) + "\n", "utf-8")
    return folder


def iac2(path: Path, posts: int) -> Path:
    """A gzipped dump in the layout of IAC 2: posts, quotes, and the texts last."""
    rng = random.Random(posts)
    schema = {
        "author": ("author_id", "username"),
        "post": (
            *("discussion_id", "post_id", "author_id", "creation_date", "parent_post_id", "parent_missing"),
            *("text_id", "points", "discussion_stance_id", "response_type"),
        ),
        "text": ("text_id", "text"),
    }

    def rows(table: str) -> Iterator[str]:
        # One at a time: a child's peak memory counts from that of the process that starts it.
        for number in range(3000 if table == "author" else posts):
            if table == "author":
                yield f"({number},'author\\'{number}')"
            elif table == "text":
                yield f"({number},'{words(rng, 100)}')"
            else:
                start = number - number % THREAD
                parent = "NULL" if number == start else str(rng.randrange(start, number))
                response = "NULL" if number == start else rng.choice(("'supported'", "'disputed'", "'clarified'"))
                day = "'2010-01-01 10:00:00'"
                yield f"({start},{number},{number % 3000},{day},{parent},0,{number},0,NULL,{response})"

    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as file:
        for table, columns in schema.items():
            file.write(f"CREATE TABLE `{table}` (\n" + "".join(f"  `{column}` text,\n" for column in columns) + ");\n")
            made = rows(table)
            while some := list(islice(made, 2000)):
                file.write(f"INSERT INTO `{table}` VALUES {','.join(some)};\n")
    return path


def convert(dataset: str, source: Path, target: Path) -> tuple[float, float]:
    """Seconds and peak MiB of one conversion in a process of its own."""
    code = (
        "import resource, sys\nfrom aifgraph.cli import main\n"
        "assert main(sys.argv[1:]) == 0\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    command = [sys.executable, "-c", code, "convert", "--dataset", dataset, str(source), str(target)]
    start = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    unit = 1024**2 if platform.system() == "Darwin" else 1024
    return time.perf_counter() - start, int(done.stdout.split()[-1]) / unit


def main(sizes: tuple[int, ...]) -> None:
    print(f"{'data set':10}{'posts':>10}{'seconds':>10}{'peak MiB':>10}")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for dataset, source in (("iac1", iac1(root / "iac1", size)), ("iac2", iac2(root / "iac2.sql.gz", size))):
                seconds, peak = convert(dataset, source, root / "out.zip")
                print(f"{dataset:10}{size:>10}{seconds:>10.1f}{peak:>10.0f}", flush=True)


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
