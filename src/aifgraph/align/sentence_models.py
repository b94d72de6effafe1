"""Sentence models: a folder with an ONNX model and its tokenizer, or a model that sentence-transformers loads.

Texts are encoded in batches of equal length in tokens. So nothing is padded, and padding cannot change an embedding.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from aifgraph.errors import FormatError, InputError, MissingExtraError, NoSuchFileError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Embeddings = NDArray[np.float64]

#: What tells one state of a folder from another: time and size of its files.
Stamp = tuple[tuple[int, int], ...]

_MODEL, _TOKENIZER = "model.onnx", "tokenizer.json"
#: sentence-transformers keeps a model's length here; 256 tokens is that of its small English models.
_LENGTH_FILE, _LENGTH = "sentence_bert_config.json", 256
_BATCH: Final = 32
#: Texts of equal length in most models, with nothing else in common: each stretches the numbers of a batch otherwise.
_PROBE: Final = ("people help", "zoos ban", "masks protect", "animals suffer", "not cruel", "should be", "the 2")
_OTHER: Final = "give another model"


class SentenceModel(Protocol):
    """A model that tells the length of texts in tokens, and encodes texts of equal length in one batch."""

    def lengths(self, texts: list[str]) -> list[int]: ...
    def embeddings(self, texts: list[str]) -> Embeddings: ...


class Batched:
    """A model as a callable from any texts to an array (n, d): in batches where that changes nothing.

    Models that scale numbers by the largest of a batch (dynamic quantisation) encode a text otherwise in other company.
    A probe finds out; such a model gets its texts one by one.
    """

    def __init__(self, model: SentenceModel) -> None:
        import numpy as np

        self.model = model
        lengths = model.lengths([*_PROBE])
        common = max(sorted(set(lengths)), key=lengths.count)
        probes = [text for text, length in zip(_PROBE, lengths, strict=True) if length == common]
        alone = np.concatenate([model.embeddings([text]) for text in probes])
        together = model.embeddings(probes)
        same = together.shape == alone.shape and np.abs(together - alone).max() <= 1e-7 * np.abs(alone).max()
        self.batch = _BATCH if same and len(probes) > 1 else 1

    def __call__(self, texts: list[str]) -> Embeddings:
        import numpy as np

        lengths = self.model.lengths(texts)
        order = sorted(range(len(texts)), key=lengths.__getitem__)
        rows: list[Embeddings] = []
        start = 0
        while start < len(order):
            end = start + 1
            while end < min(len(order), start + self.batch) and lengths[order[end]] == lengths[order[start]]:
                end += 1
            rows.append(self.model.embeddings([texts[index] for index in order[start:end]]))
            start = end
        return np.concatenate(rows)[np.argsort(order)]


def stamp_of(folder: Path) -> Stamp:
    """The state of a model folder's files. Raises ``NotFoundError`` where the folder or a file is missing."""
    if not folder.is_dir():
        what = "is no folder" if folder.exists() else "there is no such folder"
        raise NoSuchFileError(what, where=str(folder), remedy=_FOLDER)
    for name in (_MODEL, _TOKENIZER):
        if not (folder / name).is_file():
            raise NoSuchFileError(f"has no {name}", where=str(folder), remedy=_FOLDER)
    files = [folder / name for name in (_MODEL, _TOKENIZER, _LENGTH_FILE)]
    return tuple((file.stat().st_mtime_ns, file.stat().st_size) for file in files if file.is_file())


_FOLDER: Final = f"give a folder with {_MODEL} and {_TOKENIZER}"


def load_folder(folder: Path) -> tuple[SentenceModel, str, str]:
    """The model of a folder, its name and the hash of what decides its embeddings."""
    length = _length(folder / _LENGTH_FILE)
    from hashlib import blake2b

    fingerprint = blake2b(str(length).encode(), digest_size=6)
    for name in (_MODEL, _TOKENIZER):
        with (folder / name).open("rb") as file:
            while block := file.read(2**20):
                fingerprint.update(block)
    return OnnxModel(folder, length), folder.resolve().name, fingerprint.hexdigest()


def _length(file: Path) -> int:
    if not file.is_file():
        return _LENGTH
    try:
        length = json.loads(file.read_text(encoding="utf-8"))["max_seq_length"]
    except (ValueError, KeyError, TypeError, RecursionError):
        length = None
    if type(length) is not int or length < 1:
        raise FormatError("has no max_seq_length above 0", where=str(file), remedy="give a number of tokens")
    return length


class OnnxModel:
    """``model.onnx`` and ``tokenizer.json`` of a folder: mean pooling over a text's tokens, at most ``length``."""

    def __init__(self, folder: Path, length: int) -> None:
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise MissingExtraError.of(error.name or "onnxruntime", "meaning") from None
        self.where = str(folder / _MODEL)
        try:
            # Its own padding and truncation stand in the file, and are not what was asked for.
            self.tokenizer = Tokenizer.from_file(str(folder / _TOKENIZER))
            self.tokenizer.no_padding()
            self.tokenizer.enable_truncation(length)
        except Exception as error:  # the tokenizers package raises nothing more exact
            raise FormatError(f"is no tokenizer: {error}", where=str(folder / _TOKENIZER)) from None
        settings = onnxruntime.SessionOptions()
        settings.log_severity_level = 3
        # Threads that wait do not keep a core busy: other workers need it.
        settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self.session = onnxruntime.InferenceSession(self.where, settings, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime raises a class of its own for each status
            raise FormatError(f"is no ONNX model: {error}", where=self.where) from None
        self.inputs = {value.name for value in self.session.get_inputs()}
        outputs = self.session.get_outputs()
        self.output = next((value.name for value in outputs if value.name == "last_hidden_state"), outputs[0].name)
        if "input_ids" not in self.inputs or self.inputs - {"input_ids", "attention_mask", "token_type_ids"}:
            what = f"takes {', '.join(sorted(self.inputs)) or 'nothing'}"
            remedy = "give a model of input_ids, attention_mask and token_type_ids"
            raise FormatError(what, where=self.where, remedy=remedy)

    def lengths(self, texts: list[str]) -> list[int]:
        return [len(ids) for ids in self._ids(texts)]

    def embeddings(self, texts: list[str]) -> Embeddings:
        import numpy as np

        ids = np.array(self._ids(texts), dtype=np.int64)
        if not ids.size:
            raise InputError(f"the tokenizer finds nothing in {texts[0][:60]!r}", where=self.where, remedy=_OTHER)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        try:
            (states,) = self.session.run([self.output], {name: feed[name] for name in self.inputs})
        except Exception as error:
            what = f"cannot encode {ids.shape[1]} tokens: {error}"
            raise InputError(what, where=self.where, remedy=_OTHER) from None
        if states.ndim != 3 or states.shape[:2] != ids.shape:
            what = f"returns an array of shape {states.shape} for {ids.shape[1]} tokens"
            raise FormatError(what, where=self.where, remedy="give a model whose output is (texts, tokens, dimensions)")
        # No token is padding, so the mean over the attention mask is the mean.
        pooled: Embeddings = states.mean(axis=1, dtype=np.float64)
        return pooled

    def _ids(self, texts: list[str]) -> list[list[int]]:
        # Half a surrogate pair, as JSON can hold it, is no text for the tokenizer.
        clean = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        return [encoding.ids for encoding in self.tokenizer.encode_batch(clean)]


def load_named(name: str) -> tuple[SentenceModel, str, str]:
    """The model that sentence-transformers loads by name, with the hash of its weights."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        what = f"meaning is {name!r}: there is no such folder, and sentence-transformers is not installed"
        raise MissingExtraError(what, remedy="give a folder, or pip install sentence-transformers") from None
    try:
        model = SentenceTransformer(name, device="cpu")
    except Exception as error:  # whatever a hub, a network or a file of another kind brings about
        raise InputError(f"sentence-transformers cannot load it: {error}", where=name) from None
    from hashlib import blake2b

    fingerprint = blake2b(str(model.max_seq_length).encode(), digest_size=6)
    for key, weights in sorted(model.state_dict().items()):
        fingerprint.update(key.encode())
        fingerprint.update(weights.cpu().float().numpy().tobytes())
    return _NamedModel(model), name, fingerprint.hexdigest()


class _NamedModel:
    def __init__(self, model: Any) -> None:
        self.model = model

    def lengths(self, texts: list[str]) -> list[int]:
        # Not cut at the model's length yet, which keeps equal lengths equal.
        return [len(ids) for ids in self.model.tokenizer(texts)["input_ids"]]

    def embeddings(self, texts: Sequence[str]) -> Embeddings:
        import numpy as np

        encoded = self.model.encode(list(texts), batch_size=len(texts), show_progress_bar=False)
        embeddings: Embeddings = np.asarray(encoded, dtype=np.float64)
        return embeddings
