"""Sentence embeddings of a folder with a model, one text at a time, so that nothing is padded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt


def encoder(folder: Path, length: int = 256) -> Callable[[list[str]], npt.NDArray[np.float64]]:
    import onnxruntime
    from tokenizers import Tokenizer

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), settings, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(length)
    names = {entry.name for entry in session.get_inputs()}
    known: dict[str, npt.NDArray[np.float64]] = {}

    def one(text: str) -> npt.NDArray[np.float64]:
        tokens = tokenizer.encode(text)
        rows = {"input_ids": tokens.ids, "attention_mask": tokens.attention_mask, "token_type_ids": tokens.type_ids}
        feed = {name: np.array([row], dtype=np.int64) for name, row in rows.items() if name in names}
        states = session.run(None, feed)[0][0].astype(np.float64)
        mask = np.array(tokens.attention_mask, dtype=np.float64)
        mean: npt.NDArray[np.float64] = (states * mask[:, None]).sum(axis=0) / mask.sum()
        return mean

    def encode(texts: list[str]) -> npt.NDArray[np.float64]:
        for text in texts:
            if text not in known:
                known[text] = one(text)
        return np.array([known[text] for text in texts])

    return encode
