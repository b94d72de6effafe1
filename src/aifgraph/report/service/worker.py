"""One comparison in a process of its own, which its parent can end: a job on standard input, an answer on standard
output, both JSON. What the client calls its files is shown, never opened.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aifgraph.graph import ArgumentGraph, SourceText

#: Bytes of memory that a comparison may take (where the system can say so).
MEMORY = 4 << 30
#: A file with such a name is a text, unless it begins as a map does.
_TEXTS = (".txt", ".text")


def answer(job: dict[str, Any]) -> dict[str, Any]:
    """The answer to a job: ``{"json": …}``, ``{"html": …}`` or ``{"error": {what, where, remedy, kind}}``.

    >>> empty = {"name": "a.json", "data": "e30="}
    >>> answer({"first": empty, "second": empty})["error"]["kind"]
    'input'
    """
    from aifgraph.comparison.compare import compare
    from aifgraph.comparison.options import Options
    from aifgraph.errors import AifgraphError

    try:
        first, second = (_graph(job[side]) for side in ("first", "second"))
        first_text, second_text = (_text(job.get(f"{side}_text")) for side in ("first", "second"))
        options = Options.parse(job["options"]) if "options" in job else Options()
        if "meaning" in job:  # the service's own model, never one that a client names
            options = options.changed(meaning=job["meaning"])
        result = compare(first, second, first_text=first_text, second_text=second_text, options=options)
        said = f"{result.headline}. {result.differences().lead}"
        return {"html": result.to_html(), "said": said} if job.get("format") == "html" else {"json": result.to_dict()}
    except (AifgraphError, MemoryError) as error:
        return failed(error)


def failed(error: Exception, instead: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The answer for an error; ``instead`` says what stands for paths that the client does not know."""
    from aifgraph.errors import AifgraphError, InputError, OptionError

    if isinstance(error, MemoryError):
        return {"error": {"what": "too large to compare here", "where": None, "remedy": None, "kind": "input"}}
    if not isinstance(error, AifgraphError):
        raise error
    kind = "input" if isinstance(error, InputError) else "option" if isinstance(error, OptionError) else "internal"
    told = {"what": error.what, "where": error.where, "remedy": error.remedy}
    for path, name in (instead or {}).items():
        told = {key: value and value.replace(path, name) for key, value in told.items()}
    return {"error": {**told, "kind": kind}}


def _graph(given: dict[str, str]) -> ArgumentGraph:
    from aifgraph.errors import FormatError
    from aifgraph.formats.files import Input
    from aifgraph.formats.io import read_input
    from aifgraph.formats.registry import detect

    name = given["name"]
    dot = name.rfind(".")
    suffix = name[dot:].lower() if dot > 0 else ""
    data = Input(name, base64.b64decode(given["data"]), suffix)
    if suffix in _TEXTS:
        try:
            detect(Input(name, data.data, ""))
        except FormatError:
            remedy = "give it as source text, and a map here"
            raise FormatError("a text, where a map is needed", where=name, remedy=remedy) from None
    return read_input(data).with_name(name)


def _text(given: dict[str, str] | None) -> SourceText | None:
    if given is None:
        return None
    from aifgraph.formats.files import decode_source
    from aifgraph.graph import SourceText

    text, _ = decode_source(base64.b64decode(given["data"]), given["name"])
    return SourceText(text, "given")


def bound(file_bytes: int = 0) -> None:
    """Bound this process: it ends with the one that started it, takes so much memory, and writes no larger file."""
    from aifgraph.parent import end_with

    end_with(os.getppid())
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    except (ImportError, ValueError, OSError):
        pass


def main() -> None:
    """Read the job, write the answer. When the service has ended nobody waits for it any more."""
    bound()
    job = json.load(sys.stdin.buffer)
    sys.stdout.buffer.write(json.dumps(answer(job)).encode("ascii"))


if __name__ == "__main__":
    main()
