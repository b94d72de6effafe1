"""Which data set a file or folder is, by its names and headers: for the remedies of errors, and for nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Final, NamedTuple


class Layout(NamedTuple):
    """A data set, and the path at which it is to be given."""

    dataset: str
    path: Path

    @property
    def remedy(self) -> str:
        """What to do."""
        return f"give --dataset {self.dataset} {self.path}"


#: By a file that such a folder has, the surest first.
_FOLDERS: Final = (
    ("AURC_DATA.tsv", "aurc"),
    ("labels_*.csv", "argkp"),
    ("*.ann.json", "cdcp"),
    ("args-me*.json*", "argsme"),
    ("micro_*.xml", "microtexts"),
    ("*.ann", "essays"),
    ("*.sql", "iac2"),
    ("*.sql.gz", "iac2"),
)
#: By columns in the first line of a table.
_TABLES: Final = (
    ("adu_pos\tannotator", "sciarg-abstracts"),
    ("\tmasks_stance\t", "ruarg"),
    ("#id\twarrant0\twarrant1", "arct"),
    ("topic,argument,key_point", "argkp"),
)
#: The folders that make up IAC 1.
_IAC1: Final = ("discussions", "ranges", "annotations")
_MAX_SEEN, _MAX_TABLES = 2000, 10


def recognised(path: str | PathLike[str], wanted: str = "") -> Layout | None:
    """The data set at a path, in the folder above (an inner folder was given) or in one below; None where none is seen.
    Of several the ``wanted`` one, else the one at the path itself: which one below it is meant, nobody knows.

    >>> recognised("fixtures/datasets/iac1/discussions"), recognised("fixtures/debates/ann")
    (Layout(dataset='iac1', path=PosixPath('fixtures/datasets/iac1')), None)
    """
    seen = list(_seen(Path(path)))
    one = len({each.dataset for each in seen}) == 1 or (seen and seen[0].path == Path(path))
    return next((each for each in seen if each.dataset == wanted), seen[0] if one else None)


def other_reading(path: str | PathLike[str]) -> str | None:
    """How a file that is no map is read: as part of a data set, or as the text beside a map; None where nobody knows.

    >>> other_reading("fixtures/brat/essay.txt"), other_reading("fixtures/debate/first.json")
    ('give fixtures/brat/essay.ann, whose text it is', None)
    """
    place = Path(path)
    if place.suffix == ".txt" and place.with_suffix(".ann").is_file():
        return f"give {place.with_suffix('.ann')}, whose text it is"
    found = recognised(place)
    if found is None or found.dataset in ("essays", "microtexts"):  # a map, and a damaged one
        return None
    return f"open_dataset({found.dataset!r}, {str(found.path)!r}) reads it (aifgraph convert --dataset {found.dataset})"


def _seen(path: Path) -> Iterator[Layout]:
    try:
        if path.is_file():
            yield from _of_file(path)
            return
        if not path.is_dir():
            return
        inner = path.resolve()
        while inner.name in (*_IAC1, "mechanical_turk", "quotes"):
            inner = inner.parent
            if (inner / "discussions").is_dir():
                yield Layout("iac1", path.parents[len(path.resolve().relative_to(inner).parts) - 1])
        below = [path, *islice(sorted(each for each in path.iterdir() if each.is_dir()), 50)]
        for folder in below:
            if (folder / "discussions").is_dir() and any((folder / other).is_dir() for other in _IAC1[1:]):
                yield Layout("iac1", folder)
            names = [each.name for each in islice(folder.iterdir(), _MAX_SEEN)]
            for pattern, dataset in _FOLDERS:
                if any(Path(name).match(pattern) for name in names):
                    yield Layout(dataset, folder)
            for name in [name for name in names if name.endswith((".tsv", ".csv"))][:_MAX_TABLES]:
                yield from (Layout(table.dataset, folder) for table in _of_file(folder / name))
    except OSError:
        return


def _of_file(path: Path) -> Iterator[Layout]:
    folder = path.parent
    if folder.name == "discussions" and any((folder.parent / other).is_dir() for other in _IAC1[1:]):
        yield Layout("iac1", folder.parent)
    for pattern, dataset in _FOLDERS:
        if path.match(pattern):
            yield Layout(dataset, path)
    if path.suffix.lower() in (".tsv", ".txt", ".csv"):
        with path.open("rb") as file:
            head = file.readline(4096).decode("utf-8", "replace")
        for columns, dataset in _TABLES:
            if columns in head:
                yield Layout(dataset, path)
