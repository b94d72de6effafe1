"""Training data in files: CSV, JSON lines, Parquet, and the folder layout of Hugging Face's ``datasets``; and back."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aifgraph.corpus.names import LINES, PACKED_LINES
from aifgraph.corpus.writer import container_suffix, open_writer
from aifgraph.errors import FormatError, InputError, MissingExtraError, OptionError
from aifgraph.evaluation.training.data import TrainingData
from aifgraph.evaluation.training.rows import Row
from aifgraph.formats.files import decode_strict, in_place, read_bytes

if TYPE_CHECKING:
    import pyarrow

SUFFIXES = (".csv", ".jsonl", ".parquet")
_REMEDY = "end it in .csv, .jsonl or .parquet, or name an archive (.zip, .tar.gz) or a new folder"
#: Lists of tokens: in CSV each token is a line of its own.
_LISTS = {"tokens": "token", "starts": "start", "ends": "end", "tags": "tag"}


def write_training_data(data: TrainingData, path: Path) -> None:
    """Write the rows, atomically.

    Args:
        data: the rows.
        path: a file; its suffix says the format (``.csv``, ``.jsonl``, ``.jsonl.gz``, ``.parquet``). Any other name is
            a new folder that ``datasets.load_dataset`` reads, or an archive of such a folder (``.zip``, ``.tar.gz``).

    Raises:
        OptionError: another suffix.
        InputError: a folder that is not empty, or a place that cannot be written.
        MissingExtraError: Parquet without pyarrow.
    """
    name, suffix = path.name.lower(), path.suffix.lower()
    lines = name.endswith((*LINES, *PACKED_LINES))
    if not lines and suffix not in SUFFIXES:
        try:
            container_suffix(path)
        except OptionError:
            what = f"no format of training data ends in {suffix}"
            raise OptionError(what, where=str(path), remedy=_REMEDY) from None
        _write_splits(data, path)
        return
    if path.is_dir():
        raise InputError("is a folder", where=str(path), remedy="name a file")
    if lines:
        with open_writer(path) as writer:
            for row in data.of_split():
                writer.put_line(row)
        return
    table = _table(data, data.of_split()) if suffix == ".parquet" else None
    with in_place(path) as file:
        if table is not None:
            import pyarrow.parquet as parquet

            parquet.write_table(table, file)
            return
        text = io.TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="", write_through=True)
        _write_csv(data, text)
        text.flush()
        text.detach()


def _write_csv(data: TrainingData, file: Any) -> None:
    writer = csv.writer(file, lineterminator="\n")
    if data.options.task != "segmentation":
        writer.writerow(data.columns)
        writer.writerows([row[column] for column in data.columns] for row in data.of_split())
        return
    writer.writerow(("map", "split", *_LISTS.values()))
    for row in data.of_split():
        lists = [value for column in _LISTS if isinstance(value := row[column], list)]
        writer.writerows((row["map"], row["split"], *values) for values in zip(*lists, strict=True))


def _table(data: TrainingData, rows: Iterable[Row]) -> pyarrow.Table:
    try:
        import pyarrow
    except ImportError:
        raise MissingExtraError.of("pyarrow", "training") from None
    types = {
        **{column: pyarrow.string() for column in data.columns},
        "distance": pyarrow.int64(),
        **{column: pyarrow.list_(pyarrow.string()) for column in ("tokens", "tags")},
        **{column: pyarrow.list_(pyarrow.int64()) for column in ("starts", "ends")},
    }
    listed = list(rows)
    columns = {column: pyarrow.array([row[column] for row in listed], types[column]) for column in data.columns}
    return pyarrow.table(columns)


def _write_splits(data: TrainingData, path: Path) -> None:
    """``data/SPLIT-00000-of-00001.parquet`` and a ``README.md`` that names them, in a folder or an archive."""
    splits = data.split_names
    with open_writer(path) as writer:
        tables = {split: _table(data, data.of_split(split)) for split in splits}
        import pyarrow.parquet as parquet

        files = "".join(f"  - split: {split}\n    path: data/{split}-*\n" for split in splits)
        head = f"---\nconfigs:\n- config_name: default\n  data_files:\n{files}---\n\n"
        for split, table in tables.items():
            packed = io.BytesIO()
            parquet.write_table(table, packed)
            writer.put(f"data/{split}-00000-of-00001.parquet", packed.getvalue())
        writer.put("README.md", f"{head}# {data.options.task}\n".encode())


def read_training_data(path: Path) -> list[dict[str, Any]]:
    """The rows of a file or a folder as :func:`write_training_data` writes it, with further columns.

    Raises:
        FormatError: the file is none of these, or broken. OptionError: another suffix.
        MissingExtraError: Parquet without pyarrow.
    """
    if path.is_dir():
        files = sorted(path.glob("data/*.parquet")) or sorted(path.glob("*.parquet"))
        if not files:
            raise InputError("there is no Parquet file in it", where=str(path), remedy="name a file of predictions")
        return [row for file in files for row in _read_parquet(file)]
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        return _read_parquet(path)
    if suffix == ".jsonl":
        return list(_read_lines(path))
    if suffix == ".csv":
        return _read_csv(path)
    raise OptionError(f"no format of training data ends in {suffix or 'nothing'}", where=str(path), remedy=_REMEDY)


def _read_parquet(path: Path) -> list[dict[str, Any]]:
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError:
        raise MissingExtraError.of("pyarrow", "training") from None
    data = read_bytes(path)
    try:
        rows: list[dict[str, Any]] = parquet.read_table(io.BytesIO(data)).to_pylist()
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        what = " ".join(str(error).split())[:120]
        raise FormatError(f"not Parquet: {what}", where=str(path)) from None
    return rows


def _read_lines(path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(decode_strict(read_bytes(path), str(path)).split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise FormatError("no JSON object", where=f"{path}, line {number}", remedy="give one object a line")
        yield row


def _read_csv(path: Path) -> list[dict[str, Any]]:
    text = decode_strict(read_bytes(path), str(path))
    rows: list[dict[str, Any]] = []
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            if None in row or None in row.values():
                raise FormatError("a line of another length than the first", where=f"{path}, line {reader.line_num}")
            rows.append(dict(row))
    except csv.Error as error:
        raise FormatError(f"not CSV: {error}", where=f"{path}, line {reader.line_num}") from None
    return rows
