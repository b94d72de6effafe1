"""Match propositions whose texts differ and whose sentence embeddings are near (docs/measures.md, section 3).

It is no test of agreement: “should ban” and “should not ban” are near.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from aifgraph.align.context import Contexts
from aifgraph.align.matching import Group, Match, finer_rules
from aifgraph.errors import AifgraphError, OptionError
from aifgraph.text.similarity import similarity
from aifgraph.text.words import words_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: A callable from n texts to n vectors, none of which depends on the other texts.
EncodeTexts = Callable[[list[str]], Any]

#: The numbers that an encoder keeps: 2²⁵ are 256 MiB, or 87 381 texts of 384 dimensions.
MAX_CACHED_NUMBERS: Final = 2**25
_REMEDY: Final = "return one row of finite numbers for each text, all of one length and none of them zero"


class Encoder:
    """A sentence model and its last vectors, so that each text of a run is encoded once.

    ``name`` says in a signature which model it is: its ``name`` and ``hash``, else where the callable stands. Encoders
    of one name are equal. Another process begins anew, with the callable.
    """

    def __init__(self, encode: EncodeTexts) -> None:
        self.encode = encode
        name, digest = getattr(encode, "name", None), getattr(encode, "hash", None)
        named: Any = encode if hasattr(encode, "__qualname__") else type(encode)
        place = f"callable.{named.__module__}.{named.__qualname__}"
        whole = f"{name}@{digest}" if isinstance(name, str) and isinstance(digest, str) else place
        self.name: Final = re.sub(r"[^\w.@+-]+", "_", whole)
        self._vectors: dict[str, NDArray[np.float64]] = {}

    def cosines(self, first: Sequence[str], second: Sequence[str]) -> NDArray[np.float64]:
        """Return the cosine of every first text (row) with every second (column), rounded to 6 decimals.

        The same for a pair of texts whichever comes first and whatever others are given.
        """
        import numpy as np

        # Sorted: what is encoded is the same whichever side comes first.
        if new := sorted({*first, *second} - self._vectors.keys()):
            vectors = self._encoded(new)
            if (len(self._vectors) + len(new)) * vectors.shape[1] > MAX_CACHED_NUMBERS:
                needed = {text: self._vectors[text] for text in (*first, *second) if text in self._vectors}
                self._vectors = needed
            self._vectors |= zip(new, vectors, strict=True)
        columns = np.array([self._vectors[text] for text in second])
        # Not a product of matrices: that one's last digits depend on which comes first and on how many there are.
        products = [(columns * self._vectors[text]).sum(axis=1) for text in first]
        return np.array(products).reshape(len(first), len(second)).round(6) + 0.0

    def _encoded(self, texts: list[str]) -> NDArray[np.float64]:
        """Return the vectors of some texts, all of length 1."""
        import numpy as np

        try:
            vectors = np.array(self.encode(texts), dtype=np.float64)
        except AifgraphError:
            raise
        except Exception as cause:
            what = f"failed on {len(texts)} texts: {type(cause).__name__}: {cause}"
            raise OptionError(what, where=self.name, remedy=_REMEDY) from cause
        if vectors.ndim != 2 or len(vectors) != len(texts) or not vectors.shape[1]:
            what = f"returned an array of shape {vectors.shape} for {len(texts)} texts"
            raise OptionError(what, where=self.name, remedy=_REMEDY)
        bad = ~np.isfinite(vectors).all(axis=1) | ~vectors.any(axis=1)
        if bad.any():
            what = f"the vector of {texts[int(bad.argmax())][:60]!r} is zero or not finite"
            raise OptionError(what, where=self.name, remedy=_REMEDY)
        # Scaled first, so that no square of a very large or very small number is lost.
        vectors /= np.abs(vectors).max(axis=1, keepdims=True)
        vectors /= np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
        return vectors

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Encoder) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[type[Encoder], tuple[EncodeTexts]]:
        return Encoder, (self.encode,)


def match_by_meaning(
    first: Group, second: Group, matches: Iterable[Match], contexts: Contexts, encoder: Encoder, min_meaning: float
) -> list[Match]:
    """Match what ``matches`` leave over and a position of which is unknown, by cosine: the highest first.

    Ties go by similarity, then as in matching by text.
    """
    matched, other_matched = {pair.first for pair in matches}, {pair.second for pair in matches}
    nodes, other_nodes = _with_words(first, matched), _with_words(second, other_matched)
    # A pair of which both positions are known is no candidate: such nodes need not be encoded for each other.
    if all(node in second.positions for node in other_nodes):
        nodes = [node for node in nodes if node not in first.positions]
    if all(node in first.positions for node in nodes):
        other_nodes = [node for node in other_nodes if node not in second.positions]
    if not nodes or not other_nodes:
        return []
    said, other_said = first.analysis.said, second.analysis.said
    cosines = encoder.cosines([said[node] for node in nodes], [other_said[node] for node in other_nodes])
    levels: dict[float, list[tuple[int, int]]] = {}
    for row, column in zip(*(places.tolist() for places in (cosines >= min_meaning).nonzero()), strict=True):
        one, other = nodes[row], other_nodes[column]
        if one not in first.positions or other not in second.positions:
            levels.setdefault(float(cosines[row, column]), []).append((one, other))

    def ties(pair: tuple[int, int]) -> tuple[float, object]:
        value = similarity(first.texts[pair[0]], second.texts[pair[1]])
        return -round(value, 12), finer_rules(first, second, contexts, *pair)

    by_meaning: list[Match] = []
    for cosine in sorted(levels, reverse=True):
        free = [(one, other) for one, other in levels[cosine] if one not in matched and other not in other_matched]
        for one, other in sorted(free, key=ties) if len(free) > 1 else free:
            if one not in matched and other not in other_matched:
                matched.add(one)
                other_matched.add(other)
                value = similarity(first.texts[one], second.texts[other])
                by_meaning.append(Match(one, other, value, "meaning", cosine))
    return by_meaning


def _with_words(group: Group, matched: set[int]) -> list[int]:
    said = group.analysis.said
    return [node for node in group.nodes if node not in matched and words_of(said[node])]
