"""Sentence encoders: callables, what they refuse, and that company changes nothing."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from aifgraph.align import encoders
from aifgraph.align.encoders import Encoder, encoder_of
from aifgraph.errors import OptionError
from reference.match import encoder as onnx_encoder

MODEL = Path(__file__).parents[3] / "shared/models/all-minilm-l6-v2-int8"


def letter_counts(texts: list[str]) -> list[list[float]]:
    return [[text.count(letter) + 0.1 for letter in "aeiou"] for text in texts]


def counting() -> tuple[Encoder, list[list[str]]]:
    """An encoder, and the texts of each call of its model."""
    calls: list[list[str]] = []

    def counted(texts: list[str]) -> list[list[float]]:
        calls.append(texts)
        return letter_counts(texts)

    return encoder_of(counted), calls


def test_a_callable_is_named_by_where_it_stands() -> None:
    assert encoder_of(letter_counts).name == f"callable.{__name__}.letter_counts"
    assert encoder_of(lambda texts: letter_counts(texts)).name.endswith("._lambda_")
    assert not set("|: <>") & set(encoder_of(lambda texts: letter_counts(texts)).name)

    class Model:
        def __call__(self, texts: list[str]) -> list[list[float]]:
            return letter_counts(texts)

        encode = __call__

    class Named(Model):
        name, hash = "a model", "0b1c"

    assert encoder_of(Named()).name == "a_model@0b1c"
    assert encoder_of(Model()).name.endswith(".Model")
    assert encoder_of(Model().encode).encode(["a"]).shape == (1, 5)


def test_every_text_is_encoded_once_and_in_one_call() -> None:
    encoder, calls = counting()
    first = encoder.encode(["b", "a", "b"])
    encoder.encode(["a", "c"])
    encoder.cosines(["a", "b"], ["c"])
    assert calls == [["a", "b"], ["c"]]
    assert first.tolist() == letter_counts(["b", "a", "b"])
    assert encoder.encode([f"text {number}" for number in range(1000)]).shape == (1000, 5)
    assert [len(call) for call in calls] == [2, 1, 1000]


def test_what_is_kept_is_bounded_and_forgets_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoders, "MAX_CACHED_NUMBERS", 15)
    encoder, calls = counting()
    assert encoder.encode(list("abcdef")).tolist() == letter_counts(list("abcdef"))
    encoder.encode(["f"])
    encoder.encode(["d"])
    encoder.encode(["a"])
    assert calls == [list("abcdef"), ["a"]]


def test_no_texts() -> None:
    encoder = encoder_of(letter_counts)
    assert encoder.encode([]).shape[0] == 0
    assert encoder.cosines([], ["a"]).shape == (0, 1)
    assert encoder.cosines(["a"], []).shape == (1, 0)
    assert encoder.cosines([], []).shape == (0, 0)


def test_cosines_are_the_same_from_either_side_and_in_any_company() -> None:
    generator = np.random.default_rng(0)
    table = {f"t{number}": generator.normal(size=384) for number in range(60)}
    encoder = encoder_of(lambda texts: [table[text] for text in texts])
    ours, theirs = list(table)[:25], list(table)[20:]
    cosines = encoder.cosines(ours, theirs)
    assert (cosines == encoder.cosines(theirs, ours).T).all()
    for row, one in enumerate(ours):
        for column, other in enumerate(theirs):
            assert encoder.cosines([one], [other])[0, 0] == cosines[row, column]
            expected = table[one] @ table[other] / np.linalg.norm(table[one]) / np.linalg.norm(table[other])
            assert cosines[row, column] == pytest.approx(expected, abs=1e-6)
    assert cosines[20, 0] == 1
    assert (cosines == cosines.round(6)).all()


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_very_small_and_very_large_embeddings(scale: float) -> None:
    encoder = encoder_of(lambda texts: [[3 * scale, 4 * scale] if text == "a" else [scale, 0] for text in texts])
    assert encoder.cosines(["a"], ["b"]).tolist() == [[0.6]]


@pytest.mark.parametrize(
    ("encode", "part"),
    [
        (lambda texts: np.ones(len(texts)), "shape (2,) for 2 texts"),
        (lambda texts: np.ones((len(texts), 2, 2)), "shape (2, 2, 2) for 2 texts"),
        (lambda texts: np.ones((len(texts) + 1, 3)), "shape (3, 3) for 2 texts"),
        (lambda texts: np.ones((1, 3)), "shape (1, 3) for 2 texts"),
        (lambda texts: np.ones((len(texts), 0)), "shape (2, 0) for 2 texts"),
        (lambda texts: np.full((len(texts), 3), np.nan), "NaN or infinity"),
        (lambda texts: [[1.0, np.inf]] * len(texts), "the embedding of 'no' has NaN or infinity"),
        (lambda texts: [[float(text == "no"), 0.0] for text in texts], "the embedding of 'yes' has length zero"),
        (lambda texts: [[1.0], [1.0, 2.0]], "no array of numbers"),
        (lambda texts: [["x"]] * len(texts), "no array of numbers"),
        (lambda texts: None, "shape () for 2 texts"),
        (lambda texts: 1 / 0, "failed on 2 texts: ZeroDivisionError"),
    ],
)
def test_a_callable_that_returns_nonsense(encode: Callable[[list[str]], object], part: str) -> None:
    with pytest.raises(OptionError) as error:
        encoder_of(encode).encode(["yes", "no"])
    assert part in str(error.value)
    assert "\n" not in str(error.value)


def test_embeddings_keep_their_number_of_dimensions() -> None:
    encoder = encoder_of(lambda texts: np.ones((len(texts), len(texts))))
    encoder.encode(["a"])
    with pytest.raises(OptionError, match="returned 2 numbers a text, and 1 before"):
        encoder.encode(["b", "c"])


@pytest.mark.parametrize("meaning", [None, 5, 0.6, True, ["a"], b"folder", "", "model", Path("folder")])
def test_what_is_no_encoder(meaning: object) -> None:
    with pytest.raises(OptionError, match="give a callable"):
        encoder_of(meaning)


def test_encoders_travel_and_tasks_of_a_run_share_one() -> None:
    encoder = encoder_of(letter_counts)
    assert encoder_of(encoder) is encoder
    sent = pickle.dumps(encoder)
    one, other = pickle.loads(sent), pickle.loads(sent)
    assert one is other
    assert one == encoder
    assert one.encode(["a"]).tolist() == encoder.encode(["a"]).tolist()
    assert pickle.loads(pickle.dumps(encoder_of(letter_counts))) is not one, "another run begins anew"


def test_encoders_are_told_apart_by_name() -> None:
    assert encoder_of(letter_counts) == encoder_of(letter_counts)
    assert encoder_of(letter_counts) != encoder_of(lambda texts: letter_counts(texts))
    assert len({encoder_of(letter_counts), encoder_of(letter_counts)}) == 1
    assert isinstance(encoder_of(letter_counts), Encoder)
    assert "letter_counts" in repr(encoder_of(letter_counts))


def test_a_worker_process_makes_the_same_embeddings() -> None:
    from joblib import Parallel, delayed

    lengths = encoder_of(lambda texts: [[len(text), 1] for text in texts])
    sent = Parallel(n_jobs=2)(delayed(lengths.encode)([text]) for text in ("zoos", "mask"))
    assert [rows.tolist() for rows in sent] == [[[4.0, 1.0]]] * 2


@pytest.mark.data
def test_a_model_tells_near_from_far() -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    if not MODEL.is_dir():
        pytest.skip("needs the model in ../shared/models")
    texts = ["Masks help.", "Zoos should be banned", "Zoos should not be banned", "Zoos must be forbidden"]
    cosines = encoder_of(onnx_encoder(MODEL)).cosines(texts[1:2], [texts[0], *texts[2:]])[0]
    assert cosines[0] < 0.3 < 0.6 < cosines[2]
    assert cosines[1] > 0.6, "what this is not: a test of agreement"
