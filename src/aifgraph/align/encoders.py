"""What turns texts into sentence embeddings, for matching by meaning (docs/measures.md, section 3, by meaning).

An ``Encoder`` is made once for a run and shared by all its pairs: each text is encoded once. The embedding of a text
does not depend on what else is encoded with it, so neither do the numbers of a comparison.
"""

from __future__ import annotations

import os
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Final

from aifgraph.align.sentence_models import Batched, Stamp, load_folder, load_named, stamp_of
from aifgraph.errors import AifgraphError, InputError, OptionError

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

    ``name`` says in a signature which embeddings these are: ``callable.MODULE.NAME``, or the name of a model and a hash
    of its files, ``MODEL@HASH``; it has no ``|``, ``:`` or white space. Encoders of one name are equal. An encoder
    travels to another process as its folder, model name or callable, and all that arrive there from one are one.
    Threads may share it.
    """

    def __init__(self, name: str, encode: EncodeTexts, source: str | EncodeTexts, token: str) -> None:
        self.name: Final = name
        self._encode_texts = encode
        self._source = source
        self._token = token
        self._cached: OrderedDict[str, Embeddings] = OrderedDict()
        self._dimensions: int | None = None
        self._lock = RLock()

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """The embeddings of ``texts``, an array (n, d), in their order; all that are new go to the model in one call.

        Raises ``OptionError`` where a callable fails or returns anything but n finite rows of one length, none of them
        zero, and ``InputError`` where a model does.
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

    def _error(self, what: str) -> AifgraphError:
        if isinstance(self._source, str):
            return InputError(what, where=self.name, remedy="give another model")
        return OptionError(what, where=self.name, remedy=_SHAPE)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Encoder) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<Encoder {self.name}>"

    def __reduce__(self) -> tuple[object, ...]:
        return (_arrived, (self._source, self._token))


_SHAPE: Final = "return one row of finite numbers for each text, all of one length and none of them zero"


def encoder_of(meaning: str | PathLike[str] | EncodeTexts | Encoder) -> Encoder:
    """The encoder for an option ``meaning``.

    Args:
        meaning: A callable from a list of n texts to an array (n, d), whose rows must not depend on one another; a
            folder with ``model.onnx`` and ``tokenizer.json`` (needs the extra ``meaning``); or the name of a model that
            sentence-transformers loads. An encoder is returned as it is. A string is a folder if there is one.

    Returns:
        For a callable a new encoder, which knows no text yet; for a folder or a name, the one of this process, as long
        as the folder's files are the same.

    Raises:
        OptionError: ``meaning`` is none of these. NotFoundError: no such folder, or a file is not in it. FormatError: a
        file is not what it should be. MissingExtraError: onnxruntime, tokenizers or sentence-transformers is missing.

    >>> encoder_of(lambda texts: [[len(text), 1] for text in texts]).encode(["yes", "no"]).tolist()
    [[3.0, 1.0], [2.0, 1.0]]
    """
    if isinstance(meaning, Encoder):
        return meaning
    if isinstance(meaning, str | PathLike):
        path = os.fspath(meaning)
        if not isinstance(path, str) or not path.strip():
            raise OptionError(f"meaning is {path!r}", remedy=_MEANING)
        if isinstance(meaning, PathLike) or _is_path(path):
            folder = Path(path).expanduser().absolute()
            return _loaded(str(folder), stamp_of(folder))
        return _loaded(path, None)
    if callable(meaning):
        return _of_callable(meaning, os.urandom(16).hex())
    raise OptionError(f"meaning is of type {type(meaning).__name__}", remedy=_MEANING)


_MEANING: Final = "give a callable, a folder with model.onnx and tokenizer.json, or the name of a model"


def _is_path(text: str) -> bool:
    """Whether a string is the path of a folder, there or not; a model has a name or OWNER/NAME."""
    return Path(text).exists() or text[0] in "./\\~" or text.endswith(("/", "\\")) or text.count("/") > 1


def _of_callable(encode: EncodeTexts, token: str) -> Encoder:
    named = encode if hasattr(encode, "__qualname__") else type(encode)
    module, name = getattr(named, "__module__", None), getattr(named, "__qualname__", "callable")
    return Encoder(_word(f"callable.{module}.{name}"), encode, encode, token)


def _word(name: str) -> str:
    """A name as it can stand in a signature."""
    return re.sub(r"[^\w.@+-]+", "_", name)


_lock: Final = RLock()
#: The latest encoders of this process, by what they are and, for a callable, the run that it belongs to.
_encoders: Final[OrderedDict[tuple[str, Stamp | None], Encoder]] = OrderedDict()


def _once(key: tuple[str, Stamp | None], make: Callable[[], Encoder]) -> Encoder:
    with _lock:
        encoder = _encoders[key] if key in _encoders else make()
        _encoders[key] = encoder
        _encoders.move_to_end(key)
        while len(_encoders) > 4:
            _encoders.popitem(last=False)
        return encoder


def _loaded(source: str, stamp: Stamp | None) -> Encoder:
    def load() -> Encoder:
        model, name, fingerprint = load_folder(Path(source)) if stamp else load_named(source)
        try:
            batched = Batched(model)
        except AifgraphError:
            raise
        except Exception as cause:
            what = f"failed on its first texts: {type(cause).__name__}: {cause}"
            raise InputError(what, where=source, remedy="give another model") from cause
        return Encoder(f"{_word(name)}@{fingerprint}", batched, source, "")

    return _once((source, stamp), load)


def _arrived(source: str | EncodeTexts, token: str) -> Encoder:
    """The encoder in a process that it was sent to: the same for every task of a run."""
    if isinstance(source, str):
        return encoder_of(source)
    return _once((token, None), lambda: _of_callable(source, token))
