"""Corpora with a layout of their own, each read as maps: ``open_dataset("iac1", path)``.

A data set's module is imported when it is first needed. A new one is a module, a line in the table and a
fixture folder.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any

from aifgraph.datasets.dataset import Dataset, Problem, Problems
from aifgraph.errors import OptionError, choose_from

_CLASSES = {
    "iac1": "aifgraph.datasets.iac.iac1:Iac1",
    "iac2": "aifgraph.datasets.iac.iac2:Iac2",
    "microtexts": "aifgraph.datasets.documents:Microtexts",
    "sciarg-abstracts": "aifgraph.datasets.sciarg_abstracts:SciArgAbstracts",
    "ruarg": "aifgraph.datasets.ruarg:RuArg",
    "arct": "aifgraph.datasets.arct:Arct",
    "aurc": "aifgraph.datasets.aurc:Aurc",
    "essays": "aifgraph.datasets.documents:Essays",
    "abstrct": "aifgraph.datasets.documents:AbstRct",
    "cdcp": "aifgraph.datasets.cdcp:Cdcp",
}

#: The names of the data sets there are.
DATASETS = tuple(_CLASSES)


def dataset_class(name: str) -> type[Dataset]:
    """The class of a data set; ``OptionError`` where there is none of this name.

    >>> dataset_class("ruarg").title
    'RuArg-2022'
    """
    if name not in _CLASSES:
        raise OptionError(f"there is no data set {name!r}", remedy=choose_from(DATASETS))
    module, _, cls = _CLASSES[name].partition(":")
    dataset: type[Dataset] = getattr(import_module(module), cls)
    return dataset


def options_of(name: str) -> dict[str, Any]:
    """The defaults of a data set's options by their names; docs/convert-data-sets.md says what each does.

    >>> "labels" in options_of("arct"), options_of("ruarg")["strict"]
    (True, False)
    """
    parameters = inspect.signature(dataset_class(name)).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}


def open_dataset(name: str, path: str | PathLike[str], **options: Any) -> Dataset:
    """A data set in the layout in which it is published; iterate it for its maps.

    Args:
        name: one of :data:`aifgraph.datasets.DATASETS`.
        path: its file or folder. It is read when the data set is iterated.
        **options: ``strict`` (True: the first damaged row is an error), and the data set's own: see
            :func:`aifgraph.datasets.options_of`.

    Raises:
        NotFoundError: the path is not there.
        OptionError: there is no such data set, it has no such option, or an option is out of its range.

    >>> ruarg = open_dataset("ruarg", "fixtures/datasets/ruarg/train.tsv")
    >>> sorted({node.type for graph in ruarg for node in graph}), len(ruarg.problems)
    (['CA', 'I', 'L', 'RA', 'YA'], 0)
    """
    cls = dataset_class(name)
    known = options_of(name)
    for key in options:
        if key not in known:
            raise OptionError(f"{name} has no option {key}", remedy=f"its options are {', '.join(sorted(known))}")
    return cls(Path(path), **options)


__all__ = ["DATASETS", "Dataset", "Problem", "Problems", "dataset_class", "open_dataset", "options_of"]
