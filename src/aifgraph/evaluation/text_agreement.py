"""The texts of several annotators: which maps belong to one text, and what its analyses agree on.

``agree_on`` is what a worker does with one text of an agreement study (every two analyses compared, and the labels of
all at once); ``agreement`` adds the texts up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from os import PathLike
from typing import Literal

from aifgraph.align.analysis import Analysis
from aifgraph.comparison.breakdown import speaker_names
from aifgraph.comparison.calculations.calculation import paired
from aifgraph.comparison.calculations.explicit import EXPLICIT_RELATIONS
from aifgraph.comparison.calculations.items import InnerLink, Link
from aifgraph.comparison.calculations.links import links_of
from aifgraph.comparison.calculations.registry import calculations_of
from aifgraph.comparison.compare import compare
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.options import Options
from aifgraph.comparison.result import PairResult
from aifgraph.comparison.sides import PairNames
from aifgraph.corpus.corpus import Corpus
from aifgraph.corpus.entries import Entry
from aifgraph.corpus.pairing import MIN_SIMILARITY, Pairing, pair, same_corpus
from aifgraph.errors import AifgraphError, InputError, OptionError
from aifgraph.evaluation.pair_task import Source
from aifgraph.formats import read_input
from aifgraph.graph import ArgumentGraph, Notice
from aifgraph.stats.matrix import NONE

#: The labels of an item, one of each annotator: ``none`` for no label, None where the annotator did not do the text.
LabelRow = tuple[str | None, ...]

#: How many items of a text got which labels.
TextLabels = Mapping[LabelRow, int]

#: Examples of a confusion that one text gives.
_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class SharedText:
    """Maps of a text, one of each annotator: by annotator the name of the map and where it is read.

    ``text`` is what the text is called: with two annotators there may be more maps of it.
    """

    name: str
    maps: Mapping[str, tuple[str, Source]]
    text: str


@dataclass(frozen=True, slots=True)
class Example:
    """An item that two annotators label differently, in words."""

    text: str
    first: str
    second: str
    labels: tuple[str, str]
    item: str

    def __str__(self) -> str:
        return f"{self.text}: {self.first} {self.labels[0]}, {self.second} {self.labels[1]}: {self.item}"


@dataclass(slots=True)
class TextAgreement:
    """What one text brings.

    ``labels`` are by calculation; ``confused`` by calculation and two labels in alphabetical order, with ``examples``;
    ``speakers`` are decisions on illocutions by speaker and the two labels.
    """

    name: str
    annotators: tuple[str, ...] = ()
    summaries: dict[tuple[str, str], PairResult] = field(default_factory=dict)
    labels: dict[str, Counter[LabelRow]] = field(default_factory=dict)
    confused: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str, str], list[Example]] = field(default_factory=dict)
    speakers: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    failed: list[tuple[str, str]] = field(default_factory=list)


def agree_on_chunk(chunk: Sequence[SharedText], options: Options) -> list[TextAgreement]:
    """The texts of a chunk, in its order."""
    return [agree_on(text, options) for text in chunk]


def agree_on(text: SharedText, options: Options) -> TextAgreement:
    """Compare every two analyses of a text; a map that cannot be read is listed under ``failed``."""
    result = TextAgreement(text.name)
    graphs: dict[str, ArgumentGraph] = {}
    for annotator, (_, source) in text.maps.items():
        try:
            data = source.input()
            graphs[annotator] = read_input(data, None).with_name(data.name)
        except AifgraphError as error:
            result.failed.append((f"{text.name} ({annotator})", str(error)))
    compared: dict[tuple[str, str], Comparison] = {}
    for first, second in combinations(graphs, 2):
        comparison = compare(graphs[first], graphs[second], options=options)
        compared[first, second] = comparison
        names = PairNames(text.maps[first][0], text.maps[second][0])
        result.summaries[first, second] = comparison.stored(names, text=text.text, classes=False)
        _add_confusions(result, first, second, comparison)
        result.speakers.update(decisions_by_speaker(comparison))
    result.annotators = tuple(graphs)
    result.labels = labels_of_all(list(graphs), compared, options)
    return result


def _add_confusions(result: TextAgreement, first: str, second: str, comparison: Comparison) -> None:
    for name, scored in comparison.calculations.items():
        if not scored.applicable:
            continue
        for (one, other), count in scored.matrix.cells.items():
            if not count or one == other or NONE in (one, other):
                continue
            low, high = sorted((one, other))
            key = (name, low, high)
            result.confused[key] += count
            examples = result.examples.setdefault(key, [])
            examples += [
                Example(result.name, first, second, (one, other), item.text)
                for item in scored.items(one, other)[: _EXAMPLES - len(examples)]
            ]


def decisions_by_speaker(comparison: Comparison) -> Counter[tuple[str, str, str]]:
    """Decisions on illocutions, by the speaker of the locution (of a transition: of the answer) and the two labels.

    >>> import aifgraph
    >>> pair = [aifgraph.load(f"fixtures/debate/{name}.json") for name in ("first", "second")]
    >>> decisions_by_speaker(aifgraph.compare(*pair))["Ben Hughes", "Asserting", "Asserting"]
    4
    """
    decisions: Counter[tuple[str, str, str]] = Counter()
    scored = comparison.calculations.get("illocutions")
    if scored is None or not scored.applicable:
        return decisions
    alignment, calculation = comparison.alignment, scored.calculation
    sides = (alignment.first, alignment.second)
    ours, theirs = calculation.sides
    for item in dict.fromkeys((*ours, *theirs)):
        if isinstance(item, InnerLink):
            names = speaker_names(sides[item.owner], [item.end])
        elif isinstance(item, int | Link):
            both = alignment.locutions.classes[item if isinstance(item, int) else item.end]
            names = set()
            for analysis, nodes in zip(sides, (both.first, both.second), strict=True):
                names = names or speaker_names(analysis, nodes)
        else:
            continue
        for one, other in paired(ours.get(item, set()), theirs.get(item, set())):
            labels = [NONE if label is None else calculation.displayed(label) for label in (one, other)]
            decisions[min(names, default="unknown"), labels[0], labels[1]] += 1
    return decisions


def labels_of_all(
    names: Sequence[str], compared: Mapping[tuple[str, str], Comparison], options: Options
) -> dict[str, Counter[LabelRow]]:
    """By calculation, how many items of a text got which labels, one a name in the order of ``names``; the argument
    among what was said is one of them where positions are known."""
    if len(names) < 2:
        return {}
    analyses: dict[str, Analysis] = {}
    unsaid: dict[str, frozenset[int] | None] = {}
    for (a, b), result in compared.items():
        analyses[a], analyses[b] = result.alignment.first, result.alignment.second
        unsaid.update(zip((a, b), result.alignment.reconstructed, strict=True))
    placed = None not in unsaid.values()
    chosen = dict.fromkeys((*options.calculations, *([EXPLICIT_RELATIONS.name] if placed else [])))
    propositions, proposition_groups = _groups(names, compared, analyses, "propositions")
    locutions, locution_groups = _groups(names, compared, analyses, "locutions")
    types = frozenset(options.relations)
    sides = [
        links_of(analyses[name], proposition_groups[name], locution_groups[name], number, types, unsaid[name])
        for number, name in enumerate(names)
    ]
    counts: dict[str, Counter[LabelRow]] = {}
    for name, calculation in calculations_of(sides, propositions, locutions, chosen).items():
        items = {item for labels in calculation.sides for item in labels}
        rows: Counter[LabelRow] = Counter(
            tuple(
                "+".join(sorted(map(calculation.displayed, labels[item]))) if item in labels else NONE
                for labels in calculation.sides
            )
            for item in items
        )
        if unlabelled := calculation.items_total - len(items):
            rows[(NONE,) * len(names)] += unlabelled
        counts[name] = rows
    return counts


def labels_alone(rows: TextLabels, label: str) -> TextLabels:
    """The same items with nothing but one label: whether each annotator gives it.

    >>> dict(labels_alone({("RA", "CA+RA"): 2, ("CA", None): 1}, "RA"))
    {('RA', 'RA'): 2, ('none', None): 1}
    """
    found: Counter[LabelRow] = Counter()
    for row, count in rows.items():
        found[tuple(given and (label if label in given.split("+") else NONE) for given in row)] += count
    return found


def _groups(
    names: Iterable[str],
    compared: Mapping[tuple[str, str], Comparison],
    analyses: Mapping[str, Analysis],
    layer: Literal["propositions", "locutions"],
) -> tuple[int, dict[str, dict[int, int]]]:
    """How many groups there are, and by annotator the number of each node's group."""
    from networkx.utils import UnionFind

    nodes = [(name, node) for name in names for node in getattr(analyses[name], layer)]
    joined = UnionFind(nodes)
    for (a, b), result in compared.items():
        for node_class in getattr(result.alignment, layer).classes:
            for one, other in product(node_class.first, node_class.second):
                joined.union((a, one), (b, other))
    numbers: dict[tuple[str, int], int] = {}
    groups: dict[str, dict[int, int]] = {name: {} for name in names}
    for name, node in nodes:
        groups[name][node] = numbers.setdefault(joined[name, node], len(numbers))
    return len(numbers), groups


@dataclass(frozen=True, slots=True)
class SharedTexts:
    """The texts that two or more annotators did.

    ``pairing`` says how the maps were paired, for a signature; ``one_corpus`` that two annotators share a folder.
    """

    texts: tuple[SharedText, ...]
    pairing: str
    one_corpus: bool
    notices: tuple[Notice, ...] = ()


def shared_texts(
    corpora: Mapping[str, Corpus],
    pair_by: str | PathLike[str] = "name",
    *,
    min_text: float = MIN_SIMILARITY,
    send: Callable[[Entry], Source] = lambda entry: entry,
) -> SharedTexts:
    """The texts of ``corpora`` (by annotator), their maps paired as ``compare_corpora`` pairs them.

    ``send`` makes of an entry what a worker can read.

    Raises:
        InputError: no text was done by two annotators.
        OptionError: a file of pairs for more than two annotators.
    """
    if len(corpora) == 2:
        (first, one), (second, other) = corpora.items()
        pairing = pair(one, other, pair_by, min_similarity=min_text, with_itself=False)
        texts = tuple(
            SharedText(
                both.names.shown,
                {first: (both.first.name, send(both.first)), second: (both.second.name, send(both.second))},
                both.text,
            )
            for both in pairing
        )
        notices = tuple(dict.fromkeys((*one.notices, *other.notices, *pairing.notices)))
        return _checked(SharedTexts(texts, pairing.signature, same_corpus(one, other), notices))
    if pair_by not in ("name", "text"):
        raise OptionError("a file of pairs is for two annotators", remedy="pair by name or by text")
    groups: list[dict[str, Entry]] = []
    group_of: dict[tuple[str, Entry], int] = {}
    notices = tuple(notice for corpus in corpora.values() for notice in corpus.notices)
    left_out = 0
    method = ""
    for first, second in combinations(corpora, 2):
        pairing = pair(corpora[first], corpora[second], pair_by, min_similarity=min_text)
        method = pairing.signature
        left_out += _join(groups, group_of, first, second, pairing)
    if left_out:
        message = f"{left_out} pairs by text would give an annotator two maps of one text; they are left out"
        notices += (Notice("pair-again", message),)
    texts = tuple(
        SharedText(
            next(iter(group.values())).name,
            {name: (group[name].name, send(group[name])) for name in members},
            f"{members[0]}/{group[members[0]].name}",
        )
        for group in groups
        if len(members := [name for name in corpora if name in group]) > 1
    )
    return _checked(SharedTexts(texts, method, False, notices))


def _join(
    groups: list[dict[str, Entry]],
    group_of: dict[tuple[str, Entry], int],
    first: str,
    second: str,
    pairing: Pairing,
) -> int:
    """Put the maps of each pair into one group; how many pairs do not fit into any."""
    left_out = 0
    for both in pairing:
        one, other = (first, both.first), (second, both.second)
        place, other_place = group_of.get(one), group_of.get(other)
        if place is None and other_place is None:
            groups.append(dict((one, other)))
            group_of[one] = group_of[other] = len(groups) - 1
            continue
        if place is not None and place == other_place:
            continue
        target = place if place is not None else other_place
        assert target is not None
        source = other_place if place is not None else None
        joining = groups[source] if source is not None else dict([other if place is not None else one])
        if groups[target].keys() & joining.keys():
            left_out += 1
            continue
        groups[target].update(joining)
        for member in joining.items():
            group_of[member] = target
        if source is not None:
            groups[source] = {}
    return left_out


def _checked(shared: SharedTexts) -> SharedTexts:
    if not shared.texts:
        raise InputError(
            "no text was done by two annotators",
            remedy="give the maps of one text the same name, or pair by text or by a file",
        )
    return shared
