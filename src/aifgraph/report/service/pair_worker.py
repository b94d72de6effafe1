"""One pair of a study in a process of its own, which its parent can end: its page, or its merged map.

The job comes from the service that started this process, never from a client, so that it may be pickled.
"""

from __future__ import annotations

import json
import pickle
import sys
from dataclasses import dataclass
from typing import Any, Literal

from aifgraph.adjudication.resolution import Preference, Wording
from aifgraph.adjudication.study import StudyPair
from aifgraph.comparison.options import Options


@dataclass(frozen=True)
class PairJob:
    """What to make of a pair, by which options; ``served`` tells the page where it is served from."""

    what: Literal["page", "map"]
    pair: StudyPair
    options: Options
    wording: Wording
    prefer: Preference | None
    served: dict[str, Any]


def answer(job: PairJob) -> dict[str, Any]:
    """The answer to a job: ``{"text": …}``, a page or a map, or ``{"error": {what, where, remedy, kind}}``."""
    from aifgraph.adjudication.finish import merged_pair
    from aifgraph.errors import AifgraphError
    from aifgraph.formats.io import dumps
    from aifgraph.report.html.page import report_html
    from aifgraph.report.service.worker import failed

    try:
        if job.what == "map":
            merged = merged_pair(job.options, job.pair, wording=job.wording, prefer=job.prefer)
            return {"text": dumps(merged.graph, format="aif")}
        job.pair.check()
        return {"text": report_html(job.pair.compared(job.options), title=job.pair.name, served=job.served)}
    except (AifgraphError, MemoryError) as error:
        return failed(error)


def main() -> None:
    """Read the job, write the answer."""
    from aifgraph.report.service.worker import bound

    bound()
    job = pickle.load(sys.stdin.buffer)
    sys.stdout.buffer.write(json.dumps(answer(job)).encode("ascii"))


if __name__ == "__main__":
    main()
