"""Compare two analyses of one text: load, align, label, score.

:func:`compare` is the way from two files to a :class:`Comparison`, step by step; each step is a module. Beside them:
``maps`` (all that is said of two maps beside the scores), ``breakdown`` (what is behind a score),
``chance`` (M by chance), ``measures`` (others than CASS), ``differences`` (in words).
"""

from __future__ import annotations

from collections.abc import Iterable
from inspect import cleandoc
from os import PathLike
from pathlib import PurePath
from typing import Unpack

from aifgraph.align.alignment import align
from aifgraph.comparison.calculations import label_items_of_pair
from aifgraph.comparison.links import links_of_both
from aifgraph.comparison.maps import LabelledPair, PairNames, scored_fields
from aifgraph.comparison.result import Comparison, PairResult
from aifgraph.errors import OptionError
from aifgraph.files import is_corpus
from aifgraph.formats import Source, load
from aifgraph.graph import ArgumentGraph, SourceText
from aifgraph.graph.columns import gc_paused
from aifgraph.options import OPTIONS_HELP, OptionKeywords, Options, Signature

__all__ = ["Comparison", "Options", "PairResult", "compare"]


@gc_paused
def compare(
    first: ArgumentGraph | Source,
    second: ArgumentGraph | Source,
    *,
    first_text: str | SourceText | None = None,
    second_text: str | SourceText | None = None,
    names: tuple[str, str] | None = None,
    measures: str | Iterable[str] = (),
    options: Options | None = None,
    **keywords: Unpack[OptionKeywords],
) -> Comparison:
    """Compare two analyses of one text with CASS (Duthie et al. 2016, as defined in ``docs/measures.md``).

    Swapping the two transposes every matrix and leaves the symmetric scores as they are.

    Args:
        first: a graph, or a source as for :func:`aifgraph.load` (a path, an open file, a parsed document, an address).
            Its labels are the rows of matrices.
        second: the other analysis. Its labels are the columns of matrices.
        first_text: the source text of the first, which may be marked up; else that of the graph, else the second's.
        second_text: the source text of the second, in the same way.
        names: names of the two sides.
        measures: names of measures other than CASS, as a list or joined by ``+``, or ``all``.
        options: how to compare; None for the defaults.
        **keywords: the options below; they replace fields of ``options``. Relations and calculations are given by
            name or code, as a list or joined: ``relations="RA+CA"``.

    Raises:
        OptionError: the value of an option is not allowed.
        InputError: a map cannot be read.
        RemoteError: for an address, the answer of the server is invalid.

    >>> comparison = compare("fixtures/debate/first.json", "fixtures/debate/second.json", matching="optimal")
    >>> comparison.calculations["transitions"].scores["kappa"]
    1.0
    """
    options = Options.merge(options, **keywords)
    if names is not None and (isinstance(names, str) or len(names) != 2):
        raise OptionError(f"names are {names!r}", remedy="give two")
    measured: dict[str, float | None] = {}
    if measures:
        from aifgraph.comparison.measures import measure_all, measures_named

        chosen = measures_named(measures)
    graphs = _loaded(first), _loaded(second)
    alignment = align(graphs, options, (_source_text(first_text), _source_text(second_text)))
    links = links_of_both(alignment)
    items = label_items_of_pair(alignment, links)
    if measures:
        measured = measure_all(alignment, chosen)
    called = PairNames(*names) if names else short_names(graphs[0].name, graphs[1].name)
    axis = alignment.placement.axis
    how = Signature(options, {"axis": axis.method} if axis and axis.method == "anchors" else {})
    maps = LabelledPair(alignment, links, items, called)
    return Comparison.from_maps(maps, how=how, measures=measured, text="", **scored_fields(maps))


compare.__doc__ = f"{cleandoc(compare.__doc__ or '')}\n\nOptions:\n{OPTIONS_HELP}"


def _loaded(source: ArgumentGraph | Source) -> ArgumentGraph:
    if isinstance(source, str | PathLike) and is_corpus(source):
        raise OptionError("this is a corpus", where=str(source), remedy="give corpora to compare_corpora")
    return source if isinstance(source, ArgumentGraph) else load(source)


def _source_text(text: str | SourceText | None) -> SourceText | None:
    return SourceText.from_html(text, "given") if isinstance(text, str) else text


def short_names(first: str, second: str) -> PairNames:
    """Return the names of two files where they differ, else their paths without the folders that both begin with.

    >>> tuple(short_names("corpus/gold/map1.json", "corpus/system/map1.json"))
    ('gold/map1.json', 'system/map1.json')
    >>> tuple(short_names("ann/one.json", "ben/two.json")), tuple(short_names("", ""))
    (('one.json', 'two.json'), ('the first map', 'the second map'))
    """
    paths = [PurePath(path.replace("\\", "/")).parts for path in (first, second)]
    if paths[0] == paths[1]:
        name = paths[0][-1] if paths[0] else ""
        return PairNames(*(f"{name} ({side})" if name else f"the {side} map" for side in ("first", "second")))
    if paths[0][-1:] != paths[1][-1:]:
        paths = [parts[-1:] for parts in paths]
    while paths[0] and paths[1] and paths[0][0] == paths[1][0]:
        paths = [parts[1:] for parts in paths]
    name, other_name = map("/".join, paths)
    return PairNames(name or "the first map", other_name or "the second map")
