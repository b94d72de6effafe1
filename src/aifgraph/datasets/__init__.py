"""Corpora with a layout of their own, each read as maps: ``open_dataset("iac1", path)``.

A data set's module is imported when it is first needed. A new one is a module, a case in ``dataset_class`` and a
fixture folder.
"""

from __future__ import annotations

import inspect
from os import PathLike
from pathlib import Path
from typing import Any

from aifgraph.datasets.dataset import Dataset, Problem, Problems
from aifgraph.errors import OptionError

#: The names of the data sets there are.
DATASETS = ("iac1", "iac2", "microtexts", "sciarg", "ruarg", "arct", "aurc", "essays")


def dataset_class(name: str) -> type[Dataset]:
    """The class of a data set; ``OptionError`` names those there are.

    >>> dataset_class("ruarg").title
    'RuArg-2022'
    """
    match name:
        case "iac1":
            from aifgraph.datasets.iac.iac1 import Iac1

            return Iac1
        case "iac2":
            from aifgraph.datasets.iac.iac2 import Iac2

            return Iac2
        case "microtexts":
            from aifgraph.datasets.documents import Microtexts

            return Microtexts
        case "sciarg":
            from aifgraph.datasets.sciarg import SciArg

            return SciArg
        case "ruarg":
            from aifgraph.datasets.ruarg import RuArg

            return RuArg
        case "arct":
            from aifgraph.datasets.arct import Arct

            return Arct
        case "aurc":
            from aifgraph.datasets.aurc import Aurc

            return Aurc
        case "essays":
            from aifgraph.datasets.documents import Essays

            return Essays
        case _:
            raise OptionError(f"there is no data set {name!r}", remedy=f"choose from {', '.join(DATASETS)}")


def options_of(name: str) -> dict[str, Any]:
    """The options of a data set with their defaults.

    >>> "labels" in options_of("arct"), options_of("ruarg")["strict"]
    (True, False)
    """
    parameters = inspect.signature(dataset_class(name)).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}


def open_dataset(name: str, path: str | PathLike[str], **options: Any) -> Dataset:
    """The data set ``name`` at ``path``: iterate it for its maps.

    ``strict`` makes the first damaged row an error, ``propositions_only`` leaves out who said it; the further options
    are the data set's own (``options_of``). Raises ``OptionError`` for one that it does not have.
    """
    cls = dataset_class(name)
    known = options_of(name)
    for key in options:
        if key not in known:
            raise OptionError(f"{name} has no option {key}", remedy=f"its options are {', '.join(sorted(known))}")
    return cls(Path(path), **options)


__all__ = ["DATASETS", "Dataset", "Problem", "Problems", "dataset_class", "open_dataset", "options_of"]
