"""Maps into a folder, a zip archive or JSON lines, one at a time: what ``open_corpus`` opens.

A folder takes ``NAME.json`` and ``NAME.txt`` (each whole or not at all); an archive or a file of lines is written under
another name and put in place when it is complete.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aifgraph.errors import InputError, OptionError
from aifgraph.formats.codec import Written
from aifgraph.formats.files import in_place, write_atomic
from aifgraph.formats.registry import codec
from aifgraph.graph import ArgumentGraph

#: Takes a map's name and what is written of it.
Put = Callable[[str, Written], None]
#: Zip files carry a time; a fixed one keeps the same maps the same bytes.
_TIME = (1980, 1, 1, 0, 0, 0)


def write_maps(graphs: Iterable[ArgumentGraph], path: Path) -> int:
    """Write all maps as AIF JSON, the kind of container by the suffix of ``path``; gives their number."""
    written = 0
    aif = codec("aif")
    with _container(path) as put:
        for graph in graphs:
            put(graph.name, aif.write(graph))
            written += 1
    return written


@contextmanager
def _container(path: Path) -> Iterator[Put]:
    suffix = path.suffix.lower()
    if suffix == ".zip":
        _make(path.parent)
        with in_place(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:

            def put_in_zip(name: str, written: Written) -> None:
                for ending, text in {".json": written.text, **written.beside}.items():
                    entry = zipfile.ZipInfo(f"{name}{ending}", _TIME)
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    archive.writestr(entry, text)

            yield put_in_zip
    elif suffix == ".jsonl":
        _make(path.parent)
        with in_place(path) as file:

            def put_line(name: str, written: Written) -> None:
                record: dict[str, Any] = {"name": name, "map": json.loads(written.text)}
                if ".txt" in written.beside:
                    record["text"] = written.beside[".txt"]
                file.write(json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n")

            yield put_line
    elif suffix and not path.is_dir():
        raise OptionError(f"maps are not written to {suffix}", where=str(path), remedy="give a folder, .zip or .jsonl")
    else:
        if path.is_file():
            raise InputError("a file where a folder is needed", where=str(path))

        def put_in_folder(name: str, written: Written) -> None:
            for ending, text in {".json": written.text, **written.beside}.items():
                target = path / f"{name}{ending}"
                if not target.parent.is_dir():
                    _make(target.parent)
                write_atomic(target, text)

        yield put_in_folder


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(error.strerror or "cannot be made", where=str(folder)) from None
