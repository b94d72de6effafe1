"""What turns texts into sentence embeddings, for matching by meaning (docs/measures.md, section 3, by meaning).

An ``Encoder`` is made once for a run and shared by all its pairs: each text is encoded once. The embedding of a text
does not depend on what else is encoded with it, so neither do the numbers of a comparison.
"""

from __future__ import annotations

import os
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import RLock
from typing import TYPE_CHECKING, Final

from aifgraph.errors import AifgraphError, OptionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Embeddings = NDArray[np.float64]

#: A callable from n texts to an array of n rows, one embedding each.
EncodeTexts = Callable[[list[str]], "ArrayLike"]

#: How many numbers an encoder keeps: 2²⁵ are 256 MiB, or 87 381 texts of 384 dimensions.
MAX_CACHED_NUMBERS: Final = 2**25


class Encoder:
    """Sentence embeddings, each text encoded once while its embedding is kept.

    ``name`` says in a signature which embeddings these are; it has no ``|``, ``:`` or white space. Encoders of one name
    are equal. An encoder travels to another process as its callable, and all that arrive there from one are one.
    Threads may share it.
    """

    def __init__(self, name: str, encode: EncodeTexts, token: str) -> None:
        self.name: Final = name
        self._encode_texts = encode
        self._token = token
        self._cached: OrderedDict[str, Embeddings] = OrderedDict()
        self._dimensions: int | None = None
        self._lock = RLock()

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """The embeddings of ``texts``, an array (n, d), in their order; all that are new go to the model in one call.

        Raises ``OptionError`` where the callable fails or returns anything but n finite rows of one length, none of
        them zero.
        """
        import numpy as np

        with self._lock:
            known = {text: self._cached[text] for text in texts if text in self._cached}
            # Sorted: what a callable is given is the same whichever side comes first.
            if new := sorted(set(texts) - known.keys()):
                known |= dict(zip(new, self._encoded(new), strict=True))
            for text, embedding in known.items():
                self._cached[text] = embedding
                self._cached.move_to_end(text)
            dimensions = self._dimensions or 0
            while len(self._cached) * dimensions > MAX_CACHED_NUMBERS:
                self._cached.popitem(last=False)
        return np.array([known[text] for text in texts]).reshape(len(texts), dimensions)

    def cosines(self, first: Sequence[str], second: Sequence[str]) -> Embeddings:
        """The cosine of every first text (row) with every second (column), rounded to 6 decimals.

        The same for a pair of texts whichever comes first and whatever others are given.

        >>> lengths = encoder_of(lambda texts: [[len(text), 1] for text in texts])
        >>> lengths.cosines(["a", "b"], ["a", "abc"]).tolist()
        [[1.0, 0.894427], [1.0, 0.894427]]
        """
        import numpy as np

        embeddings = self.encode([*first, *second])
        # Scaled first, so that no square of a very large or very small number is lost.
        embeddings = embeddings / np.max(np.abs(embeddings), axis=1, keepdims=True, initial=0)
        embeddings /= np.sqrt((embeddings * embeddings).sum(axis=1, keepdims=True))
        rows, columns = embeddings[: len(first)], embeddings[len(first) :]
        # Not a product of matrices: that one's last digits depend on which comes first and on how many there are.
        products = [(columns * row).sum(axis=1) for row in rows]
        return np.array(products).reshape(len(first), len(second)).round(6) + 0.0

    def _encoded(self, texts: list[str]) -> Embeddings:
        import numpy as np

        try:
            returned = self._encode_texts(list(texts))
        except AifgraphError:
            raise
        except Exception as cause:
            raise self._error(f"failed on {len(texts)} texts: {type(cause).__name__}: {cause}") from cause
        try:
            embeddings = np.asarray(returned, dtype=np.float64)
        except (TypeError, ValueError):
            raise self._error("returned no array of numbers") from None
        shape = embeddings.shape
        if embeddings.ndim != 2 or shape[0] != len(texts) or not shape[1]:
            raise self._error(f"returned an array of shape {shape} for {len(texts)} texts")
        if self._dimensions not in (None, shape[1]):
            raise self._error(f"returned {shape[1]} numbers a text, and {self._dimensions} before")
        for bad, what in (
            (~np.isfinite(embeddings).all(axis=1), "has NaN or infinity in it"),
            (~embeddings.any(axis=1), "has length zero"),
        ):
            if bad.any():
                raise self._error(f"the embedding of {texts[int(bad.argmax())][:60]!r} {what}")
        self._dimensions = shape[1]
        return embeddings

    def _error(self, what: str) -> OptionError:
        return OptionError(what, where=self.name, remedy=_SHAPE)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Encoder) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<Encoder {self.name}>"

    def __reduce__(self) -> tuple[object, ...]:
        return (_arrived, (self._encode_texts, self._token))


_SHAPE: Final = "return one row of finite numbers for each text, all of one length and none of them zero"


def encoder_of(meaning: EncodeTexts | Encoder) -> Encoder:
    """Return the encoder for an option ``meaning``: a new one for a callable, and an encoder as it is.

    The callable turns a list of n texts into an array (n, d), whose rows must not depend on one another. Where it has
    a ``name`` and a ``hash``, signatures name it ``NAME@HASH``, else by where it stands.

    Raises:
        OptionError: ``meaning`` is no callable.

    >>> encoder_of(lambda texts: [[len(text), 1] for text in texts]).encode(["yes", "no"]).tolist()
    [[3.0, 1.0], [2.0, 1.0]]
    """
    if isinstance(meaning, Encoder):
        return meaning
    if not callable(meaning):
        what = f"meaning is of type {type(meaning).__name__}"
        raise OptionError(what, remedy="give a callable from a list of texts to vectors")
    return _of_callable(meaning, os.urandom(16).hex())


def _of_callable(encode: EncodeTexts, token: str) -> Encoder:
    name, fingerprint = getattr(encode, "name", None), getattr(encode, "hash", None)
    if isinstance(name, str) and isinstance(fingerprint, str):
        return Encoder(_word(f"{name}@{fingerprint}"), encode, token)
    named = encode if hasattr(encode, "__qualname__") else type(encode)
    module, place = getattr(named, "__module__", None), getattr(named, "__qualname__", "callable")
    return Encoder(_word(f"callable.{module}.{place}"), encode, token)


def _word(name: str) -> str:
    """A name as it can stand in a signature."""
    return re.sub(r"[^\w.@+-]+", "_", name)


_lock: Final = RLock()
#: The latest encoders that were sent to this process, by the run that they belong to.
_encoders: Final[OrderedDict[str, Encoder]] = OrderedDict()


def _arrived(encode: EncodeTexts, token: str) -> Encoder:
    """The encoder in a process that it was sent to: the same for every task of a run."""
    with _lock:
        encoder = _encoders[token] if token in _encoders else _of_callable(encode, token)
        _encoders[token] = encoder
        _encoders.move_to_end(token)
        while len(_encoders) > 4:
            _encoders.popitem(last=False)
        return encoder
