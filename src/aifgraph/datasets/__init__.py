"""Corpora with a layout of their own, each read as maps: ``open_dataset("iac1", path)``.

A data set's module is imported when it is first needed. A new one is a module, a line in the table and a
fixture folder.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aifgraph.datasets.dataset import Dataset, Problem, Problems
from aifgraph.errors import OptionError, nearest
from aifgraph.guesses import answering_module
from aifgraph.slips import answering

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
    "sciarg": "aifgraph.datasets.documents:SciArg",
    "cdcp": "aifgraph.datasets.cdcp:Cdcp",
    "argsme": "aifgraph.datasets.argsme:ArgsMe",
    "argkp": "aifgraph.datasets.pairs:ArgKp",
    "pairs": "aifgraph.datasets.pairs:Pairs",
    "us2016": "aifgraph.datasets.documents:Us2016",
    "qt30": "aifgraph.datasets.documents:Qt30",
}

#: The names of the data sets there are.
DATASETS = tuple(_CLASSES)

#: Other names of theirs, as people write them: two corpora are called SciArg, and the essays' form is brat's.
ALIASES = {
    "sci-arg": "sciarg",
    "aaec": "essays",
    "brat": "essays",
    "args.me": "argsme",
    "sciarg-tsv": "sciarg-abstracts",
}


def dataset_class(name: str) -> type[Dataset]:
    """The class of a data set; ``OptionError`` where there is none of this name.

    >>> dataset_class("ruarg").title
    'RuArg-2022'
    """
    name = ALIASES.get(name.lower(), name.lower())
    if name not in _CLASSES:
        several = [each for each in DATASETS if len(name) > 1 and each.startswith(name)]
        remedy = f"did you mean {' or '.join(map(repr, several))}?" if several else nearest(name, DATASETS)
        raise OptionError(f"there is no data set {name!r}", remedy=remedy)
    module, _, cls = _CLASSES[name].partition(":")
    dataset: type[Dataset] = getattr(import_module(module), cls)
    return dataset


def options_of(name: str) -> dict[str, Any]:
    """The defaults of a data set's options by their names; docs/datasets.md says what each does.

    >>> "labels" in options_of("arct"), options_of("ruarg")["strict"]
    (True, False)
    """
    parameters = inspect.signature(dataset_class(name)).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}


@answering()
def open_dataset(name: str, path: str | PathLike[str], **options: Any) -> Dataset:
    """A data set in the layout in which it is published; iterate it for its maps.

    Args:
        name: one of :data:`aifgraph.datasets.DATASETS`.
        path: its file or folder. It is read when the data set is iterated.
        **options: ``strict`` (True: the first damaged row is an error), ``propositions_only`` (True: only I-nodes and
            their relations, without who said it), and the data set's own: see :func:`aifgraph.datasets.options_of`.

    Raises:
        NotFoundError: the path is not there.
        OptionError: there is no such data set, it has no such option, or an option is out of its range.

    >>> ruarg = open_dataset("ruarg", "fixtures/datasets/ruarg/train.tsv", propositions_only=True)
    >>> sorted({node.type for graph in ruarg for node in graph}), len(ruarg.problems)
    (['CA', 'I', 'RA'], 0)
    """
    known_names = {*_CLASSES, *ALIASES}
    # A folder may be called as its data set is.
    if isinstance(path, str) and path.lower() in known_names and str(name).lower() not in known_names:
        raise OptionError(
            f"{path!r} is the name of a data set", remedy="the name comes first: open_dataset(name, path)"
        )
    if not isinstance(path, str | PathLike):
        raise OptionError(f"a {type(path).__name__} is no path", remedy="give the file or folder of the data set")
    if not isinstance(name, str):
        raise OptionError(f"a {type(name).__name__} is no name of a data set", remedy=nearest("", DATASETS))
    cls = dataset_class(name)
    known = options_of(name)
    for key in options:
        if key not in known:
            raise OptionError(f"{name} has no option {key}", remedy=f"its options are {', '.join(sorted(known))}")
    return cls(Path(path), **options)


__all__ = ["DATASETS", "Dataset", "Problem", "Problems", "dataset_class", "open_dataset", "options_of"]

if not TYPE_CHECKING:
    __getattr__ = answering_module(__name__, __all__, "datasets", ("open_dataset", {*DATASETS, *ALIASES}))
