"""All rows of a corpus with their splits: a text, and every map of it, is in one split only."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import isclose
from os import PathLike
from random import Random
from typing import Any

from aifgraph.corpus.corpus import Corpus, as_corpus
from aifgraph.corpus.counts import words_analysed
from aifgraph.errors import AifgraphError, InputError, LimitError, OptionError
from aifgraph.evaluation.training.rows import COLUMNS, Row, RowOptions, Task, Value, rows_of, undercuts_of
from aifgraph.stats.bootstrap import check_seed
from aifgraph.tables import Cell, Table

#: Splits unless asked otherwise.
USUAL_SPLITS: Mapping[str, float] = {"train": 0.8, "validation": 0.1, "test": 0.1}
#: Rows that are held in memory at the most.
_MOST_ROWS = 20_000_000
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,40}\Z")


@dataclass(frozen=True)
class TrainingData:
    """The rows of every map, by name, and the split of each map; ``split_names`` are those that have a map; ``empty``
    are maps without a row; ``undercuts`` is how many relations bear on relations: they are in no row."""

    options: RowOptions
    rows: Mapping[str, Sequence[Mapping[str, Value]]]
    splits: Mapping[str, str]
    split_names: tuple[str, ...]
    empty: tuple[str, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()
    undercuts: int = 0

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
                given = row["tags"] if self.options.task == "segmentation" else [row["label"]]
                for label in given if isinstance(given, list) else [given]:
                    labels.setdefault(str(label), Counter())[split] += 1
        unit = "tokens" if self.options.task == "segmentation" else "rows"
        totals: list[list[Cell]] = [
            ["maps", *(maps[split] for split in splits), maps.total()],
            [unit, *(sum(of[split] for of in labels.values()) for split in splits), _total(labels)],
        ]
        ranked = sorted(labels.items(), key=lambda entry: (-entry[1].total(), entry[0]))
        totals += [[label, *(of[split] for split in splits), of.total()] for label, of in ranked]
        notes = [f"{len(self.empty)} map{'s' if len(self.empty) > 1 else ''} without a row"] if self.empty else []
        if self.undercuts:
            one = self.undercuts == 1
            bear = "relation bears on a relation: it is" if one else "relations bear on relations: they are"
            notes.append(f"{self.undercuts} {bear} in no row")
        note = "\n".join(notes)
        return [Table(f"Rows for {self.options.task}", ("", *splits, "all"), totals, note=note)]

    def to_dict(self) -> dict[str, Any]:
        """The counts as plain values."""
        (table,) = self.tables()
        failed = [{"name": name, "error": error} for name, error in self.failed]
        return {
            "task": self.options.task,
            "counts": table.records(),
            "empty": list(self.empty),
            "undercuts": self.undercuts,
            "failed": failed,
        }


def _total(labels: Mapping[str, Counter[str]]) -> int:
    return sum(of.total() for of in labels.values())


def training_data(
    corpus: Corpus | str | PathLike[str],
    options: RowOptions | Task,
    *,
    splits: Mapping[str, float] = USUAL_SPLITS,
    progress: Callable[[int, int], None] | None = None,
) -> TrainingData:
    """The rows of all maps of a corpus, its texts dealt out to splits.

    Maps with the same words are of one text and in one split. A map that cannot be read is listed under ``failed``.

    Args:
        corpus: the corpus, or its path.
        options: the task and how to make its rows, or the task's name alone: ``relations``, ``illocutions`` or
            ``segmentation``.
        splits: the share of texts of each split, by name; together they make 1.
        progress: called with the maps done and their number.

    Returns:
        The rows, with their columns and splits.

    Raises:
        InputError: no map has a row.
        OptionError: splits whose shares do not add up to 1, or with names that cannot be those of files.
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
    rows: dict[str, list[dict[str, Value]]] = {}
    texts: dict[str, list[str]] = {}
    empty: list[str] = []
    failed: list[tuple[str, str]] = []
    total = undercuts = 0
    for done, entry in enumerate(corpus, 1):
        try:
            graph = entry.load().with_name(entry.name)
        except AifgraphError as error:
            failed.append((entry.name, str(error)))
            continue
        of_map: list[dict[str, Value]] = []
        for row in rows_of(graph, options):
            of_map.append(row)
            if total + len(of_map) > _MOST_ROWS:
                remedy = "take fewer pairs without a relation (--negatives 3, or near)"
                raise LimitError(f"more than {_MOST_ROWS} rows", where=entry.source, remedy=remedy)
        total += len(of_map)
        undercuts += options.task == "relations" and undercuts_of(graph)
        if not of_map:
            empty.append(entry.name)
            continue
        rows[entry.name] = of_map
        words = " ".join(words_analysed(graph)[0])
        texts.setdefault(blake2b(words.encode("utf-8", "replace")).hexdigest(), []).append(entry.name)
        if progress:
            progress(done, len(corpus))
    if not rows:
        why = f": {failed[0][1]}" if failed else ""
        raise InputError(f"no map has a row for {options.task}{why}", where=str(corpus.path))
    split_of = _dealt(texts, splits, len(rows), options.seed)
    names = tuple(name for name in splits if name in set(split_of.values()))
    return TrainingData(options, rows, split_of, names, tuple(empty), tuple(failed), undercuts)


def _dealt(texts: Mapping[str, list[str]], splits: Mapping[str, float], maps: int, seed: int) -> dict[str, str]:
    """The split of every map: texts in random order, each to the split that lacks most."""
    groups = list(texts.values())
    Random(seed).shuffle(groups)
    given: Counter[str] = Counter()
    split_of: dict[str, str] = {}
    for group in groups:
        split = max(splits, key=lambda name: splits[name] * maps - given[name])
        given[split] += len(group)
        split_of.update(dict.fromkeys(group, split))
    return {name: split_of[name] for group in texts.values() for name in group}
