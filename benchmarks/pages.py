"""Where people wait for pages: ``python benchmarks/pages.py [PROPOSITIONS …]``.

Seconds of the processor for the page of a pair that is compared already, with its differences, its layout and what each
decision shows; for sixty small pages; and what ``adjudicate`` lets people wait for, in seconds of wall: opening a pair,
where the process of the next job has started, and a decision. Pairs are made up (``generate.py``).
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import generate
from starlette.testclient import TestClient

import aifgraph
from aifgraph.adjudication.study import Study
from aifgraph.comparison.options import Options
from aifgraph.corpus.pairing import Pair, Pairing
from aifgraph.report.html import report_html
from aifgraph.report.service.adjudication import application

SIZES = (30, 300, 3_000)
#: Pages of a corpus, of so many propositions each.
PAGES, SMALL = 60, 12


def compared(size: int, seed: int = 1) -> aifgraph.Comparison:
    first, second, text = generate.pair(size, seed)
    return aifgraph.compare(aifgraph.loads(first), aifgraph.loads(second), first_text=text, second_text=text)


#: Propositions of the pairs that are decided, decisions in each, and seconds until the next process is ready.
DECIDED, DECISIONS, READY = (30, 1_000), 20, 15


def decided(size: int, folder: Path) -> None:
    """Opens a pair in the service, and decides some of its rows."""
    first, second, text = generate.pair(size)
    for side, analysis in (("a", first), ("b", second)):
        (folder / f"{side}.json").write_text(analysis, encoding="utf-8")
        (folder / f"{side}.txt").write_text(text, encoding="utf-8")
    (one,), (other,) = (aifgraph.open_corpus(folder / f"{side}.json") for side in "ab")
    with Study(folder / "study", Pairing((Pair(one, other, "given"),)), Options()) as study:
        rows = [id_ for id_, row in study.pairs[0].decisions.rows().items() if row["kind"] == "missing"]
        with TestClient(application(study, by="Ann"), base_url="http://127.0.0.1") as client:
            token = client.get("/pairs/1/decisions").json()["token"]
            time.sleep(READY)
            start = time.perf_counter()
            client.get("/pairs/1").raise_for_status()
            opened = time.perf_counter() - start
            time.sleep(READY)
            took = []
            for row in rows[:DECISIONS]:
                start = time.perf_counter()
                decision = {"row": row, "decision": "first", "seen": {}}
                client.post("/pairs/1/decisions", json=decision, headers={"X-Aifgraph-Token": token}).raise_for_status()
                took.append(time.perf_counter() - start)
    each = f"a decision {1e3 * statistics.median(took):.0f} ms"
    print(f"adjudicate, {size:>5} propositions: opening a pair {opened:.2f} s, {each} (wall)")


def main() -> None:
    report_html(compared(3))  # imports, and templates that are read once
    for size in [int(given) for given in sys.argv[1:]] or SIZES:
        result = compared(size)
        start = time.process_time()
        page = report_html(result)
        seconds = time.process_time() - start
        count = len(result.differences())
        print(f"{size:>6} propositions, {count:>5} differences: {seconds:6.2f} s, {len(page):,} letters")
    results = [compared(SMALL, seed) for seed in range(PAGES)]
    start = time.process_time()
    for result in results:
        report_html(result)
    print(f"{PAGES} pages of {SMALL} propositions: {time.process_time() - start:.2f} s")
    for size in DECIDED:
        with TemporaryDirectory(prefix="aifgraph-") as folder:
            decided(size, Path(folder))


if __name__ == "__main__":
    main()
