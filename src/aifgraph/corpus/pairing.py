"""Which map of one corpus belongs to which of another: by name, by a mapping file, or by text.

Every pair carries its evidence. What found no partner is listed, never dropped.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from itertools import chain, count, islice
from os import PathLike
from os.path import realpath
from pathlib import Path
from typing import Final

from aifgraph.comparison.sides import PairNames
from aifgraph.corpus.corpus import Corpus, as_corpus
from aifgraph.corpus.entries import Entry
from aifgraph.errors import InputError, OptionError
from aifgraph.files import decode_strict, read_bytes
from aifgraph.graph import Notice
from aifgraph.printable import quantity
from aifgraph.tables import Document, Result, Table, with_formula, without_formula, written

#: The text of a map or of a pair (``ann ~ ben``), by its name; or a table with columns ``name`` and ``text``.
TextsLike = Mapping[str, str] | str | PathLike[str]

#: Below this, two texts are no pair. Unrelated English texts share up to half of their words, function words mostly.
MIN_SIMILARITY = 0.7


@dataclass(frozen=True, slots=True)
class Pair:
    """Two maps that analyse one text, and how that is known.

    ``evidence`` is ``same name``, a line of a mapping file (``pairs.tsv, line 2``), ``same text`` or
    ``similar text``; ``similarity`` is 0 to 1 where texts were compared, else None. ``text`` names what they analyse:
    pairs of one text have it in common.
    """

    first: Entry
    second: Entry
    evidence: str
    similarity: float | None = None
    text: str = ""

    @property
    def names(self) -> PairNames:
        """The names of both maps."""
        return PairNames(self.first.name, self.second.name)


@dataclass(frozen=True, slots=True, repr=False)
class Pairing(Result):
    """The pairs in the order of the first corpus (of the file, for a mapping file), and what is left over.

    ``method`` is ``name``, ``file``, or ``text`` with the least similarity; ``told`` whether the caller said which
    pairs are of one text, ``with_itself`` whether there are pairs of a map with itself.
    """

    pairs: tuple[Pair, ...]
    unpaired_first: tuple[Entry, ...] = ()
    unpaired_second: tuple[Entry, ...] = ()
    notices: tuple[Notice, ...] = ()
    method: str = "name"
    told: bool = False
    with_itself: bool = False

    @property
    def signature(self) -> str:
        """How the pairs were made, for the signature of a result: ``pair:name``, ``pair:text.0.7``, or ``pair:file.``
        with a digest of the pairs' names; ``.texts.`` with a digest where the caller said which are of one text, and
        ``.itself`` where pairs of a map with itself count."""
        parts = [f"pair:{self.method}"]
        if self.method == "file":
            parts.append(_digest(pair.names for pair in self.pairs))
        if self.told:
            parts += ["texts", _digest((*pair.names, pair.text) for pair in self.pairs)]
        if self.with_itself:
            parts.append("itself")
        return ".".join(parts)

    @property
    def several(self) -> dict[str, int]:
        """How many pairs a text has, by its name, where there are more than one; most first."""
        return {text: n for text, n in Counter(both.text for both in self.pairs).most_common() if n > 1}

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)

    def table(self) -> Table:
        """One row a pair, then one a map without partner; as a file, it maps the corpora for the next time."""
        rows = [(pair.first.name, pair.second.name, pair.evidence, pair.similarity) for pair in self.pairs]
        rest = [(entry.name, None, "no partner", None) for entry in self.unpaired_first]
        rest_second = [(None, entry.name, "no partner", None) for entry in self.unpaired_second]
        return Table("Pairs", _COLUMNS, [*rows, *rest, *rest_second])

    def document(self) -> Document:
        """What the command line writes."""
        return Document(tables=[self.table()])

    def to_tsv(self, path: str | PathLike[str] | None = None) -> str:
        """The pairs as a mapping file, which ``pairs`` of ``compare_corpora`` reads (``--pair-by``)."""
        rows: list[Sequence[str]] = [_COLUMNS]
        for both in self.pairs:
            similarity = "" if both.similarity is None else f"{both.similarity:.4f}"
            rows.append((*both.names, both.evidence, similarity))
        return written("".join("\t".join(map(without_formula, row)) + "\n" for row in rows), path)


_COLUMNS: Final = ("first", "second", "evidence", "similarity")


def _digest(names: Iterable[Sequence[str]]) -> str:
    digest = blake2b(digest_size=4)
    for row in names:
        digest.update(json.dumps(row).encode())
    return digest.hexdigest()


def pair(
    first: Corpus | str | PathLike[str],
    second: Corpus | str | PathLike[str],
    by: str | PathLike[str] = "name",
    *,
    min_similarity: float = MIN_SIMILARITY,
    texts: TextsLike | None = None,
    with_itself: bool = True,
) -> Pairing:
    """Pair the maps of two corpora.

    Pairs that share a map (the same file, or the same member of an archive, on either side), directly or through
    others, are of one text, and so are those of which ``texts`` or the mapping file says so.

    Args:
        first: one corpus, or a path to it.
        second: the other one; it may be the same.
        by: ``"name"``, ``"text"``, or the path of a mapping file. That has tab-separated columns ``first`` and
            ``second``: names or paths in the two corpora. A column ``text`` names the text of a pair; others are
            ignored.
        min_similarity: how similar two texts must be for a pair by text: above 0, at most 1.
        texts: the text of a map or pair by its name, or a table of these (tab-separated columns ``name``, ``text``).
        with_itself: whether a map is paired with itself; otherwise a notice lists such pairs.

    Returns:
        The pairs with the evidence for each, and what has no partner.

    Raises:
        InputError: a mapping file or ``texts`` with unknown names (they are listed, of a file with their lines).
        OptionError: there is no such way of pairing, or ``min_similarity`` is out of range.
    """
    told = _told(texts)
    first, second = as_corpus(first), as_corpus(second)
    pairing = _paired(first, second, by, min_similarity)
    place = cache(realpath)

    def identity(entry: Entry) -> str:
        """Which file, or which member of an archive, it is, by whichever path its corpus was opened."""
        return f"{place(entry.container)}/{entry.path}"

    own = [both for both in pairing if identity(both.first) == identity(both.second)]
    if own and with_itself:
        pairing = replace(pairing, with_itself=True)
    elif own:
        pairing = _without(own, pairing)
    return _with_texts(pairing, told, identity)


def _paired(first: Corpus, second: Corpus, by: str | PathLike[str], min_similarity: float) -> Pairing:
    if not 0 < min_similarity <= 1:
        raise OptionError(f"min_similarity is {min_similarity}", remedy="give a number above 0, at most 1")
    if by == "name":
        return _by_name(first, second)
    if by == "text":
        from aifgraph.corpus.pair_by_text import pairs_by_text

        pairs, notices = pairs_by_text(first, second, min_similarity)
        method = f"text.{min_similarity:.12g}"
        return _with_unpaired(first, second, tuple(Pair(*pair) for pair in pairs), tuple(notices), method)
    path = Path(by)
    if not path.exists():
        raise OptionError(
            f"cannot pair by {str(by)!r}", remedy="pair by name, by text, or by a mapping file that exists"
        )
    return _by_file(first, second, path)


def _by_name(first: Corpus, second: Corpus) -> Pairing:
    others = {entry.name: entry for entry in second}
    pairs = tuple(Pair(entry, others[entry.name], "same name") for entry in first if entry.name in others)
    notices: tuple[Notice, ...] = ()
    if not pairs and len(first) and len(second):
        examples = f"{first[0].name!r} in the first, {second[0].name!r} in the second"
        notices = (Notice("pair-none", f"no name is in both corpora ({examples}); pair by text or by a mapping file"),)
    return _with_unpaired(first, second, pairs, notices, "name")


def _by_file(first: Corpus, second: Corpus, path: Path) -> Pairing:
    pairs: list[Pair] = []
    missing: list[str] = []
    for line, (*names, text) in _rows(path, ("first", "second"), "text"):
        one, other = first.find(names[0]), second.find(names[1])
        if one is not None and other is not None:
            pairs.append(Pair(one, other, f"{path.name}, line {line}", text=text))
        for side, corpus, name, entry in zip(("first", "second"), (first, second), names, (one, other), strict=True):
            if entry is None:
                missing.append(f"line {line}: {name or 'nothing'} ({side}, {corpus.path.name})")
    if missing:
        more = f" and {len(missing) - 20} more" if len(missing) > 20 else ""
        raise InputError(
            f"the corpora do not have {quantity(len(missing), 'maps')} of this table: {'; '.join(missing[:20])}{more}",
            where=str(path),
            remedy="name them as the corpus does (its names are paths in it)",
        )
    return _with_unpaired(first, second, tuple(pairs), (), "file")


def _rows(path: Path, columns: tuple[str, str], more: str = "") -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of each row of a table with two columns, and ``more``, empty where it is not there."""
    lines = decode_strict(read_bytes(path), str(path)).splitlines()
    titles = [name.strip() for name in lines[0].split("\t")] if lines else []
    if any(titles.count(name) != 1 for name in columns):
        raise InputError(
            f"the first line does not name the columns {columns[0]!r} and {columns[1]!r}",
            where=str(path),
            remedy=f"give a table with tabs between columns, its first line {columns[0]}⇥{columns[1]}",
        )
    places = [titles.index(name) if name in titles else len(titles) for name in (*columns, more)]
    for number, line in enumerate(lines[1:], 2):
        if line.strip():
            cells = [with_formula(cell.strip()) for cell in line.split("\t")]
            cells[len(titles) :] = []
            cells += [""] * (len(titles) + 1 - len(cells))
            yield number, [cells[place] for place in places]


def _told(texts: TextsLike | None) -> dict[str, tuple[str, str]]:
    """By the name of a map or pair its text, and where that is said."""
    if texts is None:
        return {}
    if isinstance(texts, Mapping):
        return {name: (text, "texts") for name, text in texts.items()}
    path = Path(texts)
    told: dict[str, tuple[str, str]] = {}
    for line, (name, text, _) in _rows(path, ("name", "text")):
        if told.setdefault(name, (text, f"{path.name}, line {line}"))[0] != text:
            where = f"{path}, line {line}"
            raise InputError(f"{name} is of two texts", where=where, remedy="give each name once")
    return told


def _without(own: Sequence[Pair], pairing: Pairing) -> Pairing:
    """The pairing without pairs of a map with itself, and a notice that lists these."""
    what = "pair is of a map with itself and counts" if len(own) == 1 else "pairs are of a map with itself and count"
    names = ", ".join(both.first.name for both in own)
    notice = Notice("pair-itself", f"{len(own)} {what} only if that is asked for (with itself): {names}")
    left_out = set(own)
    others = tuple(both for both in pairing if both not in left_out)
    return replace(pairing, pairs=others, notices=(*pairing.notices, notice))


def _with_texts(pairing: Pairing, told: Mapping[str, tuple[str, str]], identity: Callable[[Entry], str]) -> Pairing:
    """The pairing with the text of each pair: its name is that which the caller gives, else the name of a map."""
    known = {name for both in pairing for name in (*both.names, both.names.shown)}
    known |= {entry.name for entry in (*pairing.unpaired_first, *pairing.unpaired_second)}
    if unknown := [f"{name or 'nothing'} ({where})" for name, (_, where) in told.items() if name not in known]:
        more = f" and {len(unknown) - 20} more" if len(unknown) > 20 else ""
        what = f"texts are told of what is no map or pair: {', '.join(unknown[:20])}{more}"
        raise InputError(what, remedy="name maps as their corpora do, and pairs as results do (ann ~ ben)")
    from networkx.utils import UnionFind

    joined: UnionFind[object] = UnionFind()
    said: list[str] = []  # by the caller, of each pair
    for number, both in enumerate(pairing):
        names = [both.text, *(told[name][0] for name in (both.names.shown, *both.names) if name in told)]
        of_pair = [name for name in names if name]
        said.append(of_pair[0] if of_pair else "")
        joined.union(number, *map(identity, (both.first, both.second)), *(("text", name) for name in of_pair))
    roots = [joined[number] for number in range(len(pairing))]
    shown: dict[object, str] = {}
    for root, name in zip(roots, said, strict=True):
        if name:
            shown.setdefault(root, name)
    taken = set(shown.values())
    for root, both in zip(roots, pairing, strict=True):
        if root not in shown:
            numbered = (f"{both.names.shown} ({number})" for number in count(2))
            own = chain((both.first.name, both.names.shown), numbered)
            shown[root] = next(name for name in own if name not in taken)
            taken.add(shown[root])
    pairs = tuple(replace(both, text=shown[root]) for root, both in zip(roots, pairing, strict=True))
    with_texts = replace(pairing, pairs=pairs, told=any(said))
    several = with_texts.several
    if not several:
        return with_texts
    most = ", ".join(f"{text} {number}" for text, number in islice(several.items(), 5))
    most += " …" if len(several) > 5 else ""
    texts = "1 text has" if len(several) == 1 else f"{len(several)} texts have"
    what = f"{len(pairs)} pairs of {len(set(roots))} texts: {texts} several pairs, which macro counts as one ({most})"
    return replace(with_texts, notices=(*pairing.notices, Notice("pair-again", what)))


def _with_unpaired(
    first: Corpus, second: Corpus, pairs: tuple[Pair, ...], notices: tuple[Notice, ...], method: str
) -> Pairing:
    """The pairing with everything that is in none of the pairs.

    Where a corpus is paired with itself, a map that is in a pair has a partner, on whichever side it stands, and one
    that is in none is listed once.
    """
    paired_first, paired_second = {pair.first for pair in pairs}, {pair.second for pair in pairs}
    if same_corpus(first, second):
        paired = {entry.path for entry in paired_first | paired_second}
        return Pairing(pairs, tuple(entry for entry in first if entry.path not in paired), (), notices, method)
    return Pairing(
        pairs,
        tuple(entry for entry in first if entry not in paired_first),
        tuple(entry for entry in second if entry not in paired_second),
        notices,
        method,
    )


def pairing_of(given: Pairing, first: Corpus, second: Corpus) -> Pairing:
    """A pairing that was made before, for the two corpora that it is of. Where it is not all that its way of pairing
    gives, it is signed by its pairs, as those of a mapping file are.

    Raises:
        InputError: it is of other corpora.
    """
    for side, corpus, entries in (
        ("first", first, [both.first for both in given.pairs]),
        ("second", second, [both.second for both in given.pairs]),
    ):
        known = {*corpus}
        if strange := next((entry for entry in entries if entry not in known), None):
            remedy = f"give the corpora that the pairs were made of, under the same paths; {corpus.path} is the {side}"
            raise InputError("the pairs are of other corpora", where=strange.source, remedy=remedy)
    whole = _with_unpaired(first, second, given.pairs, given.notices, "file")
    whole_rest = {*whole.unpaired_first}, {*whole.unpaired_second}
    left_out = any(notice.code == "pair-itself" for notice in given.notices)
    if left_out or whole_rest == ({*given.unpaired_first}, {*given.unpaired_second}):
        return given
    return replace(whole, told=given.told, with_itself=given.with_itself)


def same_corpus(first: Corpus, second: Corpus) -> bool:
    """Whether two corpora are one folder or one file."""
    return first is second or first.path.resolve() == second.path.resolve()
