"""Which maps of several annotators belong to one text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from os import PathLike

from aifgraph.corpus.corpus import Corpus
from aifgraph.corpus.entries import Entry
from aifgraph.corpus.pairing import MIN_SIMILARITY, Pairing, pair, same_corpus
from aifgraph.errors import InputError, OptionError
from aifgraph.evaluation.pair_task import Source
from aifgraph.evaluation.pooled import PairNames
from aifgraph.evaluation.text_agreement import SharedText
from aifgraph.graph import Notice


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
        pairing = pair(one, other, pair_by, min_similarity=min_text)
        texts = tuple(
            SharedText(
                PairNames(both.first.name, both.second.name).shown,
                {first: (both.first.name, send(both.first)), second: (both.second.name, send(both.second))},
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
        SharedText(next(iter(group.values())).name, {name: (group[name].name, send(group[name])) for name in members})
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
