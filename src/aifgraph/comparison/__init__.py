"""Compare two analyses of one text: load, align, label, score.

:func:`compare` is the way from two files to a :class:`Comparison`, step by step; each step is a module. Beside them:
``chance`` (M by chance), ``measures`` (others than CASS), ``differences`` (in words), ``document`` (JSON).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from inspect import cleandoc
from itertools import compress
from pathlib import PurePath
from typing import Any, Literal

from aifgraph.align.alignment import Alignment, align
from aifgraph.align.analysis import Pair, contexts_of
from aifgraph.comparison.breakdown import NameCounts, count_names, matched_by_meaning, wording_agreement
from aifgraph.comparison.calculations import ER, LabelledItems, label_items_of_pair
from aifgraph.comparison.cass import CalculationResult, Coverage, segmentation_of
from aifgraph.comparison.links import ClassLinks, Link, links_of_both, node_links
from aifgraph.comparison.result import (
    Comparison,
    Maps,
    MatchCounts,
    Matches,
    PairNames,
    PairResult,
    Side,
    different_documents,
)
from aifgraph.errors import OptionError
from aifgraph.formats import Source, load
from aifgraph.gc_pause import gc_paused
from aifgraph.graph import ArgumentGraph, Notice, SourceText
from aifgraph.options import OPTIONS_HELP, Options, Signature
from aifgraph.text.words import words_of

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
    **keywords: Any,
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
    if names is not None and len(names) != 2:
        raise OptionError(f"names are {', '.join(names)}", remedy="give two")
    measured: dict[str, float | None] = {}
    if measures:
        from aifgraph.comparison.measures import measure_all, measures_named

        chosen = measures_named(measures)
    graphs = _loaded(first), _loaded(second)
    alignment = align(graphs, options, (_source_text(first_text), _source_text(second_text)))
    links = links_of_both(alignment, options.relations)
    items = label_items_of_pair(alignment, links, options)
    if measures:
        measured = measure_all(alignment, chosen)
    called = PairNames(*names) if names else short_names(graphs[0].name, graphs[1].name)
    return _score(alignment, links, items, options, called, measured)


compare.__doc__ = f"{cleandoc(compare.__doc__ or '')}\n\nOptions:\n{OPTIONS_HELP}"


def _loaded(source: ArgumentGraph | Source) -> ArgumentGraph:
    return source if isinstance(source, ArgumentGraph) else load(source)


def _source_text(text: str | SourceText | None) -> SourceText | None:
    return SourceText.from_html(text, "given") if isinstance(text, str) else text


def _score(
    alignment: Alignment,
    links: Pair[ClassLinks],
    items: dict[str, LabelledItems],
    options: Options,
    names: PairNames,
    measures: dict[str, float | None],
) -> Comparison:
    """Return the comparison of labelled items."""
    axis = alignment.placement.axis
    first, second = (_side(number, alignment, names, links) for number in (0, 1))
    explicit = items.get(ER.name) or label_items_of_pair(alignment, links, options, [ER.name])[ER.name]
    expected = None
    if options.chance:
        from aifgraph.comparison.chance import expected_means

        expected = expected_means(alignment, links, options, explicit=not explicit.reason)
    name_counts, shared = count_names(alignment, links), shared_words(alignment)
    alike = all(sum(of.matrix.diagonal) == of.matrix.total for of in items.values())
    notices = tuple(_notices(alignment, options, shared))
    comparison = Comparison(
        Signature(options, {"axis": axis.method} if axis and axis.method == "anchors" else {}),
        names,
        first,
        second,
        text_overlap=axis.overlap if axis else None,
        matches=Matches(*(MatchCounts(len(of.classes), of.matched, of.matched_by_meaning) for of in alignment.kinds)),
        calculations={name: _calculation(of, links) for name, of in items.items()},
        name_counts=name_counts,
        segmentation=segmentation_of(alignment, options),
        notices=tuple(notice.message for notice in notices),
        wording=wording_agreement(alignment),
        matched_by_meaning=matched_by_meaning(alignment),
        explicit=None if explicit.reason else _calculation(explicit, links),
        expected=expected,
        measures=measures,
        same_map=alike and _same_map(alignment, name_counts),
        same_ids=_same_ids(alignment),
        shared_words=shared,
    )
    return comparison.with_maps(Maps(alignment, links, items, notices))


def _calculation(items: LabelledItems, links: Pair[ClassLinks]) -> CalculationResult:
    coverage = None
    first, second = (side.paths for side in links) if items.calculation is ER else (None, None)
    if first and second and not items.reason:
        coverage = Coverage(first.coverage, second.coverage)
    return CalculationResult.from_items(items, coverage)


def _same_ids(alignment: Alignment) -> Literal["", "units", "all"]:
    """Return which nodes have the same ids on both sides."""
    first, second = alignment.analyses
    if not first.units or not second.units:
        return ""
    if {*compress(first.ids, first.kinds)} == {*compress(second.ids, second.kinds)}:
        return "all"
    units, other_units = ({side.ids[node] for node in side.units} for side in (first, second))
    return "units" if units == other_units else ""


def _unlinked(number: Literal[0, 1], alignment: Alignment, links: Pair[ClassLinks]) -> int:
    """Return how many propositions only one side has, and nobody links to anything."""
    linked: set[object] = set()
    for side in links:
        linked.update(end for _, link, _ in side.relations if isinstance(link, Link) for end in link)
        linked.update(undercut.premise for _, undercut, _ in side.undercuts)
        linked.update(act.content for _, act, _ in side.acts)
    classes = enumerate(alignment.propositions.classes)
    alone = (of.sides[number] for at, of in classes if at not in linked and not of.sides[1 - number])
    return sum(map(len, alone))


def _side(number: Literal[0, 1], alignment: Alignment, names: PairNames, links: Pair[ClassLinks]) -> Side:
    side = alignment.sides[number]
    analysis = side.analysis
    return Side(
        analysis.graph.name,
        names[number],
        side.origin,
        len(analysis.propositions),
        len(analysis.locutions),
        len(analysis.units),
        side.placed,
        len(side.reconstructed()) if alignment.placement.fits else 0,
        _unlinked(number, alignment, links),
        len(analysis.propositions) - len({analysis.texts[node].strip() or node for node in analysis.propositions}),
    )


def _notices(alignment: Alignment, options: Options, shared: float | None) -> Iterator[Notice]:
    """Yield the notices of reading the maps and placing their nodes."""
    analyses = alignment.analyses
    for name, analysis in zip(("first", "second"), analyses, strict=True):
        for notice in analysis.graph.notices:
            yield replace(notice, message=f"{name}: {notice.message}")
    said = different_documents(shared)  # by a caveat
    yield from (of for of in alignment.placement.notices if not (said and of.code == "text-overlap"))
    for analysis in analyses:
        for id_ in map(analysis.ids.__getitem__, node_links(analysis.graph).unattached):
            message = f"the illocution {id_} is anchored in a transition without locutions and is not counted"
            yield Notice("act-unattached", message, (id_,))
    for nodes in ("locutions", "propositions") if options.layers == "common" and not alignment.one_sided else ():
        having = [bool(getattr(analysis, nodes)) for analysis in analyses]
        if any(having) and not all(having):
            which = ("first", "second")[having.index(False)]
            if which == "second" and options.reference == "first":
                continue  # it is wrong, and not left out
            message = f"the {which} analysis has no {nodes}; calculations that need them are left out"
            yield Notice("layer-missing", message)


def shared_words(alignment: Alignment) -> float | None:
    """Return the share of different words that both maps have, their texts included.

    None if a map has no word, or if at least half of the nodes match that can: of each kind as many as the side with
    fewer has.
    """
    matched = sum(nodes.matched for nodes in alignment.kinds)
    if matched and 2 * matched >= sum(min(map(len, nodes.class_of)) for nodes in alignment.kinds):
        return None
    words: list[set[str]] = []
    texts = [side.text for side in alignment.sides]
    common = next(filter(None, texts), None) if alignment.placement.fits else None
    for side in alignment.sides:
        source = side.text or common
        words.append(set(words_of("\n".join([*side.analysis.said.values(), source.text if source else ""]))))
    first, second = words
    return len(first & second) / len(first | second) if first and second else None


def _same_map(alignment: Alignment, names: NameCounts) -> bool:
    """Whether both sides are the same map of the same words: ids, times and the order of nodes do not count."""
    first, second = alignment.sides
    apart = any(len(nodes.classes) > nodes.matched for nodes in alignment.kinds)
    if apart or not first.analysis.units or first.boundaries != second.boundaries:
        return False
    analyses = alignment.analyses
    surrounded, other_surrounded = (
        Counter(context.context(node) for node, kind in enumerate(analysis.kinds) if kind)
        for analysis, context in zip(analyses, contexts_of(analyses), strict=True)
    )
    same_names = all(one == other for of in (names.speakers, *names.schemes.values()) for one, other, _ in of.cells)
    words, other_words = (words_of(side.text.text) if side.text else None for side in alignment.sides)
    return surrounded == other_surrounded and same_names and words == other_words


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
    one, other = ("/".join(parts) for parts in paths)
    return PairNames(one or "the first map", other or "the second map")
