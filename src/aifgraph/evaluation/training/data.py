"""All rows of a corpus with their splits, and the files they are written to: CSV, JSON lines, Parquet, and the folder
layout of Hugging Face's ``datasets``.

A text, and every map of it, is in one split only.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from math import isclose
from os import PathLike
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from aifgraph.corpus.corpus import Corpus, as_corpus
from aifgraph.corpus.counts import words_analysed
from aifgraph.corpus.writer import container_suffix, open_writer
from aifgraph.corpus_names import LINES, PACKED_LINES
from aifgraph.errors import (
    AifgraphError,
    FormatError,
    InputError,
    LimitError,
    MissingExtraError,
    OptionError,
    also_unreadable,
)
from aifgraph.evaluation.training.rows import COLUMNS, Row, RowOptions, Task, Value, distant_of, rows_of, undercuts_of
from aifgraph.formats.files import decode_strict, in_place, input_from_path, path_of, read_bytes
from aifgraph.graph import ArgumentGraph, Notice
from aifgraph.printable import quantity
from aifgraph.slips import answering
from aifgraph.stats.bootstrap import check_seed
from aifgraph.tables import Cell, Document, Result, Table

if TYPE_CHECKING:
    import pyarrow

#: The split in which pairs without a relation are sampled.
TRAINING: Final = "train"
#: Splits unless asked otherwise.
DEFAULT_SPLITS: Mapping[str, float] = {TRAINING: 0.8, "validation": 0.1, "test": 0.1}
#: Rows that are held in memory at the most.
_MAX_ROWS = 20_000_000
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,40}\Z")


@dataclass(frozen=True)
class TrainingData(Result):
    """The rows of every map, by name, and the split of each map; ``split_names`` are those that have a map; ``empty``
    are maps without a row. ``undercuts`` is how many relations bear on relations, ``distant`` how many pairs with a
    relation are not near each other (where rows are near pairs): they are in no row."""

    options: RowOptions
    rows: Mapping[str, Sequence[Mapping[str, Value]]]
    splits: Mapping[str, str]
    split_names: tuple[str, ...]
    empty: tuple[str, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()
    undercuts: int = 0
    distant: int = 0
    empty_splits: tuple[str, ...] = ()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The splits that came out empty."""
        count = len(self.rows)
        message = f"no map is in it: the corpus has {quantity(count, 'maps')} with rows"
        return tuple(Notice("empty-split", f"split {split}: {message}") for split in self.empty_splits)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return COLUMNS[self.options.task]

    def of_split(self, split: str | None = None) -> Iterator[Row]:
        """The rows, of a split or of all, in the order of the corpus."""
        for name, rows in self.rows.items():
            if split is None or self.splits[name] == split:
                for row in rows:
                    yield {"map": name, "split": self.splits[name], **row}

    def tables(self) -> list[Table]:
        """How many maps, rows and labels each split has."""
        splits = self.split_names
        labels: dict[str, Counter[str]] = {}
        maps: Counter[str] = Counter()
        for name, rows in self.rows.items():
            split = self.splits[name]
            maps[split] += 1
            for row in rows:
                tags = row["tags"] if self.options.task == "segmentation" else [row["label"]]
                for label in tags if isinstance(tags, list) else [tags]:
                    labels.setdefault(str(label), Counter())[split] += 1
        unit = "tokens" if self.options.task == "segmentation" else "rows"
        totals: list[list[Cell]] = [
            ["maps", *(maps[split] for split in splits), maps.total()],
            [unit, *(sum(of[split] for of in labels.values()) for split in splits), _total(labels)],
        ]
        ranked = sorted(labels.items(), key=lambda entry: (-entry[1].total(), entry[0]))
        totals += [[label, *(of[split] for split in splits), of.total()] for label, of in ranked]
        notes = [f"{quantity(len(self.empty), 'maps')} without a row"] if self.empty else []
        if self.undercuts:
            one = self.undercuts == 1
            bear = "relation bears on a relation: it is" if one else "relations bear on relations: they are"
            notes.append(f"{self.undercuts} {bear} in no row")
        if self.distant:
            join = "pair with a relation is" if self.distant == 1 else "pairs with a relation are"
            notes.append(f"{self.distant} {join} more than {self.options.window} propositions apart, and in no row")
        note = "\n".join(notes)
        return [Table(f"Rows for {self.options.task}", ("", *splits, "all"), totals, note=note)]

    def document(self) -> Document:
        """What the command line writes."""
        return Document(tables=self.tables())

    def to_dict(self) -> dict[str, Any]:
        """The counts as plain values."""
        (table,) = self.tables()
        failed = [{"name": name, "error": error} for name, error in self.failed]
        return {
            "task": self.options.task,
            "counts": table.records(),
            "empty": list(self.empty),
            "undercuts": self.undercuts,
            "distant": self.distant,
            "empty_splits": list(self.empty_splits),
            "failed": failed,
        }


def _total(labels: Mapping[str, Counter[str]]) -> int:
    return sum(of.total() for of in labels.values())


@answering()
def training_data(
    corpus: Corpus | str | PathLike[str],
    options: RowOptions | Task,
    *,
    splits: Mapping[str, float] = DEFAULT_SPLITS,
    progress: Callable[[int, int], None] | None = None,
) -> TrainingData:
    """The rows of all maps of a corpus, its texts divided among splits.

    Maps with the same words are of one text and in one split. A map that cannot be read is listed under ``failed``.
    Pairs without a relation are sampled in the split called ``train`` alone: in the others every pair is a row, as a
    score over candidates that were chosen with knowledge of the gold relations says nothing about finding them.

    Args:
        splits: the share of texts of each split, by name; together they make 1.

    Raises:
        InputError: no map has a row.
        OptionError: splits whose shares do not add up to 1, or with names that cannot be those of files; pairs are to
            be sampled, and no split is called ``train``.
        LimitError: there are more rows than are accepted.

    >>> data = training_data("fixtures/debates/ann", RowOptions("relations", negatives=2))
    >>> sorted(data.rows) == sorted(data.splits), next(data.of_split())["label"]
    (True, 'none')
    """
    if not isinstance(options, RowOptions):
        options = RowOptions(options)
    check_seed(options.seed)
    corpus = as_corpus(corpus)
    if not splits or any(share < 0 for share in splits.values()) or not isclose(sum(splits.values()), 1, abs_tol=1e-6):
        raise OptionError("the shares of the splits do not add up to 1", remedy="give some such as train=0.8,test=0.2")
    if bad := [name for name in splits if not _NAME.match(name)]:
        raise OptionError(f"a split called {bad[0]!r}", remedy="use letters, digits and _")
    sampled = options.task == "relations" and isinstance(options.negatives, int)
    if sampled and TRAINING not in splits:
        remedy = f"call one {TRAINING}, or ask for all pairs (--negatives all) or near ones"
        raise OptionError(f"pairs are sampled for training, and no split is called {TRAINING!r}", remedy=remedy)
    every = replace(options, negatives="all") if sampled else options
    rows: dict[str, list[dict[str, Value]]] = {}
    texts: dict[str, list[str]] = {}
    empty: list[str] = []
    failed: list[tuple[str, str]] = []
    total = undercuts = distant = 0

    def rows_of_map(graph: ArgumentGraph, options: RowOptions) -> list[dict[str, Value]]:
        of_map: list[dict[str, Value]] = []
        for row in rows_of(graph, options):
            of_map.append(row)
            if total + len(of_map) > _MAX_ROWS:
                remedy = "take fewer pairs without a relation (--negatives near)"
                raise LimitError(f"more than {_MAX_ROWS} rows", where=graph.name, remedy=remedy)
        return of_map

    for done, entry in enumerate(corpus):
        if progress and done:
            progress(done, len(corpus))
        try:
            graph = entry.load().with_name(entry.name)
        except AifgraphError as error:
            failed.append((entry.name, str(error)))
            continue
        of_map = rows_of_map(graph, options)
        total += len(of_map)
        if options.task == "relations":
            undercuts += undercuts_of(graph)
            distant += distant_of(graph, options.window) if options.negatives == "near" else 0
        if not of_map and next(rows_of(graph, every), None) is None:
            empty.append(entry.name)
            continue
        rows[entry.name] = of_map
        words = " ".join(words_analysed(graph)[0])
        texts.setdefault(blake2b(words.encode("utf-8", "replace")).hexdigest(), []).append(entry.name)
    if progress:
        progress(len(corpus), len(corpus))
    if not rows:
        why = f": {failed[0][1]}{also_unreadable(failed[1:])}" if failed else ""
        raise InputError(f"no map has a row for {options.task}{why}", where=str(corpus.path))
    split_of = _split_texts(texts, splits, len(rows), options.seed)
    for name in [name for name in rows if sampled and split_of[name] != TRAINING]:
        total -= len(rows[name])
        rows[name] = rows_of_map(corpus[name].load().with_name(name), every)
        total += len(rows[name])
    used = set(split_of.values())
    names = tuple(name for name in splits if name in used)
    unused = tuple(name for name, share in splits.items() if share and name not in used)
    return TrainingData(
        options, rows, split_of, names, tuple(empty), tuple(failed), undercuts, distant, empty_splits=unused
    )


def _split_texts(texts: Mapping[str, list[str]], splits: Mapping[str, float], maps: int, seed: int) -> dict[str, str]:
    """The split of every map: texts in random order, each to the split that lacks most."""
    groups = list(texts.values())
    Random(seed).shuffle(groups)
    sizes: Counter[str] = Counter()
    split_of: dict[str, str] = {}
    for group in groups:
        split = max(splits, key=lambda name: splits[name] * maps - sizes[name])
        sizes[split] += len(group)
        split_of.update(dict.fromkeys(group, split))
    return {name: split_of[name] for group in texts.values() for name in group}


SUFFIXES = (".csv", ".parquet")  # and JSON lines, which may be packed
_REMEDY = "end it in .csv, .jsonl or .parquet, or name an archive (.zip, .tar.gz) or a new folder"
#: Lists of tokens: in CSV each token is a line of its own.
_LISTS = {"tokens": "token", "starts": "start", "ends": "end", "tags": "tag"}


@answering()
def write_training_data(data: TrainingData, path: str | PathLike[str]) -> None:
    """Write the rows, atomically.

    Args:
        path: a file; its suffix says the format (``.csv``, ``.jsonl``, ``.jsonl.gz``, ``.parquet``). Any other name is
            a new folder that ``datasets.load_dataset`` reads, or an archive of such a folder (``.zip``, ``.tar.gz``).

    Raises:
        OptionError: another suffix.
        InputError: a folder that is not empty, or a place that cannot be written.
        MissingExtraError: Parquet without pyarrow.
    """
    if not isinstance(data, TrainingData):
        what = f"write_training_data takes training data, not a {type(data).__name__}"
        raise OptionError(what, remedy="write_training_data(training_data(corpus, task), path)")
    path = path_of(path, "write_training_data(data, path)")
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
    if path.name.lower().endswith((*LINES, *PACKED_LINES)):
        return list(_read_lines(path))
    if suffix == ".csv":
        return _read_csv(path)
    raise OptionError(
        f"no format of training data ends in {suffix or 'nothing'}",
        where=str(path),
        remedy="name a .csv, .jsonl or .parquet",
    )


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
    for number, line in enumerate(decode_strict(input_from_path(path).unpacked().data, str(path)).split("\n"), 1):
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
