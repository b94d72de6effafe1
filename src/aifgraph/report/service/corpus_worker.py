"""One comparison of two corpora in a process of its own, in a folder that the service made: uploads in, pages out."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from aifgraph.report.service.worker import bound, failed

#: Bytes of a file that may be written, and pairs that are compared.
LARGEST, MOST_PAIRS = 256 << 20, 1000


def answer(job: dict[str, Any]) -> dict[str, Any]:
    """The answer to a job with the paths ``first``, ``second`` and ``out``: the numbers, or where the pages are.

    ``out`` gets a file ``progress`` with the pairs that are done and all pairs, and the pages.
    """
    from aifgraph.comparison.options import Options
    from aifgraph.corpus.corpus import open_corpus
    from aifgraph.corpus.pairing import pair
    from aifgraph.errors import LimitError
    from aifgraph.evaluation.compare_corpora import compare_corpora
    from aifgraph.report.html import CorpusPages

    out = Path(job["out"])

    def moved(done: int, total: int) -> None:
        (out / "progress").write_text(f"{done} {total}", encoding="ascii")

    try:
        options = Options.parse(job["options"]).changed(meaning=job.get("meaning"))
        first, second = open_corpus(job["first"]), open_corpus(job["second"])
        pairs = len(pair(first, second))
        if pairs > MOST_PAIRS:
            raise LimitError(f"{pairs} pairs", remedy=f"at most {MOST_PAIRS} here: compare on the command line")
        wants_pages = job["format"] == "html"
        pages = CorpusPages(out / "pages") if wants_pages else None
        result = compare_corpora(
            first,
            second,
            options=options,
            details=not wants_pages,
            progress=moved,
            on_comparison=pages.pair if pages else None,
        )
        if pages is None:
            return {"json": result.to_dict()}
        pages.index(result)
        shutil.make_archive(str(out / "pages"), "zip", out, "pages")
        kappa = result.kappa
        mean = "undefined" if kappa is None else f"{kappa:.3f}"
        rest = [f"{len(result.failed)} could not be compared"] if result.failed else []
        rest += [f"{count} without a partner" for count in [sum(map(len, result.unpaired))] if count]
        pairs_said = f"{len(result.pairs)} pair{'s' if len(result.pairs) != 1 else ''} compared"
        return {"said": f"{'; '.join([pairs_said, *rest])}. CASS-κ of the mean over pairs: {mean}."}
    except Exception as error:
        return failed(error, instead={str(out): "", job["first"]: "first", job["second"]: "second"})


def main() -> None:
    """Read the job, write the answer."""
    bound(LARGEST)
    job = json.load(sys.stdin.buffer)
    sys.stdout.buffer.write(json.dumps(answer(job)).encode("ascii"))


if __name__ == "__main__":
    main()
