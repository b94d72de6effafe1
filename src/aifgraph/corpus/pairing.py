"""Which map of one corpus belongs to which of another: by name, by a mapping file, or by text.

Every pair carries its evidence. What found no partner is listed, never dropped.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from os import PathLike
from pathlib import Path

from aifgraph.corpus.corpus import Corpus
from aifgraph.corpus.entries import Entry
from aifgraph.errors import InputError, OptionError
from aifgraph.formats.files import decode_strict, read_bytes
from aifgraph.graph import Notice
from aifgraph.tables import Table

#: Below this, two texts are no pair. Unrelated English texts share up to half of their words, function words mostly.
MIN_SIMILARITY = 0.7


@dataclass(frozen=True, slots=True)
class Pair:
    """Two maps that analyse one text, and how that is known.

    ``evidence`` is ``same name``, a line of a mapping file (``pairs.tsv, line 2``), ``same text`` or
    ``similar text``; ``similarity`` is 0 to 1 where texts were compared, else None.
    """

    first: Entry
    second: Entry
    evidence: str
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """The pairs in the order of the first corpus (of the file, for a mapping file), and what is left over.

    ``method`` is ``name``, ``file``, or ``text`` with the least similarity.
    """

    pairs: tuple[Pair, ...]
    unpaired_first: tuple[Entry, ...] = ()
    unpaired_second: tuple[Entry, ...] = ()
    notices: tuple[Notice, ...] = ()
    method: str = "name"

    @property
    def signature(self) -> str:
        """How the pairs were made, for the signature of a result: ``pair:name``, ``pair:text.0.7``, or ``pair:file.``
        with a digest of the pairs' names."""
        if self.method != "file":
            return f"pair:{self.method}"
        names = blake2b(digest_size=4)
        for couple in self.pairs:
            names.update(json.dumps([couple.first.name, couple.second.name]).encode())
        return f"pair:file.{names.hexdigest()}"

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)

    def table(self) -> Table:
        """One row a pair, then one a map without partner; as a file, it maps the corpora for the next time."""
        rows = [(pair.first.name, pair.second.name, pair.evidence, pair.similarity) for pair in self.pairs]
        rest = [(entry.name, None, "no partner", None) for entry in self.unpaired_first]
        rest_second = [(None, entry.name, "no partner", None) for entry in self.unpaired_second]
        return Table("Pairs", ("first", "second", "evidence", "similarity"), [*rows, *rest, *rest_second])


def pair(
    first: Corpus, second: Corpus, by: str | PathLike[str] = "name", *, min_similarity: float = MIN_SIMILARITY
) -> Pairing:
    """Pair the maps of two corpora.

    Args:
        first: one corpus.
        second: the other one; it may be the same.
        by: ``"name"``, ``"text"``, or the path of a mapping file. That has tab-separated columns ``first`` and
            ``second`` (others are ignored): names or paths in the two corpora.
        min_similarity: how similar two texts must be for a pair by text: above 0, at most 1.

    Returns:
        The pairs with the evidence for each, and what has no partner.

    Raises:
        InputError: a mapping file with unknown names (all of them listed, with their lines).
        OptionError: there is no such way of pairing, or ``min_similarity`` is out of range.
    """
    if isinstance(min_similarity, bool) or not 0 < min_similarity <= 1:
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
        examples = f"{first[0].name!r} there, {second[0].name!r} here"
        notices = (Notice("pair-none", f"no name is in both corpora ({examples}); pair by text or by a mapping file"),)
    return _with_unpaired(first, second, pairs, notices, "name")


def _by_file(first: Corpus, second: Corpus, path: Path) -> Pairing:
    pairs: list[Pair] = []
    missing: list[str] = []
    for line, names in _rows(path):
        one, other = first.find(names[0]), second.find(names[1])
        if one is not None and other is not None:
            pairs.append(Pair(one, other, f"{path.name}, line {line}"))
        for side, corpus, name, entry in zip(("first", "second"), (first, second), names, (one, other), strict=True):
            if entry is None:
                missing.append(f"line {line}: {name or 'nothing'} ({side}, {corpus.path.name})")
    if missing:
        more = f" and {len(missing) - 20} more" if len(missing) > 20 else ""
        raise InputError(
            f"{len(missing)} maps are not in their corpus: {'; '.join(missing[:20])}{more}",
            where=str(path),
            remedy="name them as the corpus does (its names are paths in it)",
        )
    notices: tuple[Notice, ...] = ()
    if again := _more_than_once(pairs):
        what = f"{path}: {len(again)} maps stand in more than one pair, which counts them more than once"
        names_shown = ", ".join(again[:5]) + (" …" if again[5:] else "")
        notices = (Notice("pair-again", f"{what}: {names_shown}"),)
    return _with_unpaired(first, second, tuple(pairs), notices, "file")


def _more_than_once(pairs: Sequence[Pair]) -> list[str]:
    """The names of the maps that stand in more than one pair, in the order of the pairs."""
    uses = Counter((side, entry) for pair in pairs for side, entry in enumerate((pair.first, pair.second)))
    return [entry.name for (_, entry), count in uses.items() if count > 1]


def _rows(path: Path) -> Iterator[tuple[int, tuple[str, str]]]:
    """Line number and the two names of each row of a mapping file."""
    lines = decode_strict(read_bytes(path), str(path)).splitlines()
    columns = [name.strip() for name in lines[0].split("\t")] if lines else []
    if columns.count("first") != 1 or columns.count("second") != 1:
        raise InputError(
            "the first line does not name the columns 'first' and 'second'",
            where=str(path),
            remedy="give a table with tabs between columns, its first line first⇥second",
        )
    places = columns.index("first"), columns.index("second")
    for number, line in enumerate(lines[1:], 2):
        if line.strip():
            cells = [cell.strip() for cell in line.split("\t")]
            cells += [""] * (len(columns) - len(cells))
            yield number, (cells[places[0]], cells[places[1]])


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


def same_corpus(first: Corpus, second: Corpus) -> bool:
    """Whether two corpora are one folder or one file."""
    return first is second or first.path.resolve() == second.path.resolve()
