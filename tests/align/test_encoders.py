"""Sentence encoders: callables, model folders, named models; what they refuse, and that company changes nothing."""

from __future__ import annotations

import pickle
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from aifgraph.align import encoders
from aifgraph.align.encoders import Encoder, encoder_of
from aifgraph.align.sentence_models import Batched
from aifgraph.errors import FormatError, InputError, MissingExtraError, NotFoundError, OptionError

MODEL = Path(__file__).parents[3] / "shared/models/all-minilm-l6-v2-int8"
SMALL = Path(__file__).parents[2] / "fixtures/models"
needs_model = pytest.mark.skipif(not MODEL.is_dir(), reason="../shared/models is missing")
TEXTS = [
    "Masks help.",
    "Zoos should be banned",
    "Zoos should not be banned",
    "Zoos must be forbidden",
    "a b c d e f g h i j k l m n o p " * 40,
]


def letter_counts(texts: list[str]) -> list[list[float]]:
    return [[text.count(letter) + 0.1 for letter in "aeiou"] for text in texts]


def counting() -> tuple[Encoder, list[list[str]]]:
    """An encoder, and the texts of each call of its model."""
    calls: list[list[str]] = []

    def counted(texts: list[str]) -> list[list[float]]:
        calls.append(texts)
        return letter_counts(texts)

    return encoder_of(counted), calls


def small_model(folder: Path) -> Path:
    """A copy of the small model, to be changed."""
    for name in ("model.onnx", "tokenizer.json"):
        shutil.copy(SMALL / "plain" / name, folder / name)
    return folder


def test_a_callable_is_named_by_where_it_stands() -> None:
    assert encoder_of(letter_counts).name == f"callable.{__name__}.letter_counts"
    assert encoder_of(lambda texts: letter_counts(texts)).name.endswith("._lambda_")
    assert not set("|: <>") & set(encoder_of(lambda texts: letter_counts(texts)).name)

    class Model:
        def __call__(self, texts: list[str]) -> list[list[float]]:
            return letter_counts(texts)

        encode = __call__

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


@pytest.mark.parametrize("meaning", [None, 5, 0.6, True, ["a"], b"folder", "", "  "])
def test_what_is_no_encoder(meaning: object) -> None:
    with pytest.raises(OptionError, match="give a callable, a folder"):
        encoder_of(meaning)


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json"])
@pytest.mark.parametrize("kind", [str, Path])
def test_a_folder_without_a_file(tmp_path: Path, missing: str, kind: Callable[[Path], str | Path]) -> None:
    for name in {"model.onnx", "tokenizer.json"} - {missing}:
        (tmp_path / name).write_text("{}")
    with pytest.raises(NotFoundError, match=f"has no {missing}"):
        encoder_of(kind(tmp_path))


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no such folder"):
        encoder_of(tmp_path / "gone")
    with pytest.raises(NotFoundError, match="no such folder"):
        encoder_of(f"{tmp_path}/gone")
    (tmp_path / "file").touch()
    with pytest.raises(NotFoundError, match="is no folder"):
        encoder_of(f"{tmp_path}/file")


def test_a_name_without_sentence_transformers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match=r"no such folder.*pip install sentence-transformers"):
        encoder_of("no-such-model")


class _Weights:
    def cpu(self) -> _Weights:
        return self

    float = cpu

    def numpy(self) -> np.ndarray:
        return np.arange(3.0)


class _Transformer:
    """As much of ``SentenceTransformer`` as is used; a text's embedding is its letters over its batch's longest."""

    max_seq_length = 64
    batches: list[int] = []  # noqa: RUF012

    def __init__(self, name: str, device: str) -> None:
        self.name = name
        if name == "unknown":
            raise OSError("there is\nnothing")

    def state_dict(self) -> dict[str, _Weights]:
        return {"a": _Weights()}

    def tokenizer(self, texts: list[str]) -> dict[str, list[list[int]]]:
        if self.name == "tokenless":
            raise AttributeError("no tokens here")
        return {"input_ids": [[0] * len(text.split()) for text in texts]}

    def encode(self, texts: list[str], batch_size: int, show_progress_bar: bool) -> np.ndarray:
        self.batches.append(len(texts))
        longest = max(len(text.split()) for text in texts)
        return np.array(letter_counts(texts)) / longest


def test_a_model_that_sentence_transformers_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("sentence_transformers")
    module.SentenceTransformer = _Transformer
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    encoder = encoder_of("owner/model")
    assert encoder.name.startswith("owner_model@")
    assert encoder is encoder_of("owner/model")
    _Transformer.batches.clear()
    texts = ["a e i", "o", "u a", "e", "a", "i i i"]
    assert np.allclose(encoder.encode(texts) * [[len(text.split())] for text in texts], letter_counts(texts))
    assert _Transformer.batches == [3, 1, 2]
    with pytest.raises(InputError, match="unknown: sentence-transformers cannot load it: there is nothing"):
        encoder_of("unknown")
    with pytest.raises(InputError, match="tokenless: failed on its first texts: AttributeError: no tokens here"):
        encoder_of("tokenless")


class _Dynamic:
    """A model whose numbers depend on the largest of the batch, as with dynamic quantisation."""

    largest = 0

    def lengths(self, texts: list[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def embeddings(self, texts: list[str]) -> np.ndarray:
        self.largest = max(self.largest, len(texts))
        rows = np.array([[float(ord(text[0])), 1.0] for text in texts])
        return rows / rows.max()


def test_a_model_whose_batches_change_embeddings_gets_texts_one_by_one() -> None:
    model = _Dynamic()
    batched = Batched(model)
    assert batched.batch == 1
    model.largest = 0
    assert (batched(["a", "b", "z"]) == np.concatenate([model.embeddings([text]) for text in "abz"])).all()
    assert model.largest == 1


def test_encoders_travel_and_tasks_of_a_run_share_one() -> None:
    encoder = encoder_of(letter_counts)
    assert encoder_of(encoder) is encoder
    sent = pickle.dumps(encoder)
    one, other = pickle.loads(sent), pickle.loads(sent)
    assert one is other
    assert one == encoder
    assert one.encode(["a"]).tolist() == encoder.encode(["a"]).tolist()
    assert pickle.loads(pickle.dumps(encoder_of(letter_counts))) is not one, "another run begins anew"


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"max_seq_length": 0}', '{"max_seq_length": "9"}'])
def test_a_length_that_is_none(tmp_path: Path, content: str) -> None:
    small_model(tmp_path)
    (tmp_path / "sentence_bert_config.json").write_text(content)
    with pytest.raises(FormatError, match="max_seq_length"):
        encoder_of(tmp_path)


@pytest.mark.parametrize(("broken", "part"), [("model.onnx", "no ONNX model"), ("tokenizer.json", "no tokenizer")])
def test_files_that_are_not_what_they_should_be(tmp_path: Path, broken: str, part: str) -> None:
    small_model(tmp_path)
    (tmp_path / broken).write_bytes(b"{nonsense\n\x00")
    with pytest.raises(FormatError, match=part) as error:
        encoder_of(tmp_path)
    assert "\n" not in str(error.value)


def test_a_changed_folder_is_loaded_anew(tmp_path: Path) -> None:
    small_model(tmp_path)
    before = encoder_of(tmp_path)
    with (tmp_path / "tokenizer.json").open("a") as file:
        file.write("\n")
    assert encoder_of(tmp_path) is not before
    assert encoder_of(tmp_path).name != before.name


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small_model(tmp_path)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtraError, match=r"onnxruntime is not installed; pip install 'aifgraph\[meaning\]'"):
        encoder_of(tmp_path)


@pytest.mark.parametrize(("name", "batch"), [("plain", 32), ("dynamic", 1)])
def test_company_changes_no_embedding_of_a_small_model(name: str, batch: int) -> None:
    compute: Batched = encoder_of(SMALL / name)._encode_texts
    texts = ["zoos ban", "masks help", "zoos suffer", "people should", "zoos", "people help not"]
    alone = np.concatenate([compute.model.embeddings([text]) for text in texts])
    assert (encoder_of(SMALL / name).encode(texts) == alone).all()
    assert compute.batch == batch
    if name == "dynamic":
        assert np.abs(compute.model.embeddings(texts[:4]) - alone[:4]).max() > 1e-3, "this model needs the care"


def test_embeddings_are_means_over_tokens() -> None:
    one, other, both = encoder_of(str(SMALL / "plain")).encode(["zoos", "suffer", "zoos suffer"])
    assert both == pytest.approx((one + other) / 2, abs=1e-7)


def test_a_model_without_an_embedding_for_a_text() -> None:
    with pytest.raises(InputError, match="the tokenizer finds nothing in ''"):
        encoder_of(SMALL / "plain").encode(["zoos", ""])


def test_a_tokenizer_of_another_model(tmp_path: Path) -> None:
    shutil.copy(SMALL / "plain/model.onnx", tmp_path)
    content = (SMALL / "plain/tokenizer.json").read_text()
    (tmp_path / "tokenizer.json").write_text(content.replace('"zoos": 15', '"zoos": 1500'))
    with pytest.raises(InputError, match="cannot encode 2 tokens") as error:
        encoder_of(tmp_path)
    assert "\n" not in str(error.value)


def test_a_worker_process_makes_the_same_embeddings() -> None:
    from joblib import Parallel, delayed

    encoder = encoder_of(SMALL / "plain")
    sent = Parallel(n_jobs=2)(delayed(encoder.encode)([text]) for text in ("zoos", "masks"))
    assert (np.concatenate(sent) == encoder.encode(["zoos", "masks"])).all()
    lengths = encoder_of(lambda texts: [[len(text), 1] for text in texts])
    assert [rows.tolist() for rows in Parallel(n_jobs=2)(delayed(lengths.encode)(["ab"]) for _ in range(2))] == [
        [[2.0, 1.0]]
    ] * 2


def test_encoders_are_told_apart_by_name() -> None:
    assert encoder_of(letter_counts) == encoder_of(letter_counts)
    assert encoder_of(letter_counts) != encoder_of(lambda texts: letter_counts(texts))
    assert len({encoder_of(letter_counts), encoder_of(letter_counts)}) == 1
    assert isinstance(encoder_of(letter_counts), Encoder)
    assert "letter_counts" in repr(encoder_of(letter_counts))


# --- the real model


@needs_model
def test_a_folder_is_loaded_once_and_travels() -> None:
    encoder = encoder_of(MODEL)
    assert encoder is encoder_of(str(MODEL))
    assert encoder is pickle.loads(pickle.dumps(encoder))
    assert encoder.name.startswith("all-minilm-l6-v2-int8@")


@needs_model
def test_company_changes_no_embedding() -> None:
    texts = [*TEXTS, *(f"{one} {other}" for one in TEXTS[:4] for other in TEXTS[:4])]
    together = encoder_of(MODEL).encode(texts)
    compute: Batched = encoder_of(MODEL)._encode_texts
    assert compute.batch > 1
    alone = np.concatenate([compute([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-7


@needs_model
def test_the_model_tells_near_from_far() -> None:
    cosines = encoder_of(MODEL).cosines(TEXTS[1:2], [TEXTS[0], TEXTS[2], TEXTS[3]])[0]
    assert cosines[0] < 0.3 < 0.6 < cosines[2]
    assert cosines[1] > 0.6, "what this is not: a test of agreement"


@needs_model
def test_texts_are_cut_at_the_length_of_the_model(tmp_path: Path) -> None:
    encoder = encoder_of(MODEL)
    words = "word " * 254
    assert (encoder.encode([words + "zoo"]) == encoder.encode([words])).all()
    assert (encoder.encode([words[5:] + "zoo"]) != encoder.encode([words[5:]])).any()
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).symlink_to(MODEL / name)
    (tmp_path / "sentence_bert_config.json").write_text('{"max_seq_length": 12}')
    short = encoder_of(tmp_path)
    assert (short.encode(["word " * 10 + "zoo"]) == short.encode(["word " * 10])).all()
    assert short.name.split("@")[1] != encoder.name.split("@")[1], "another length gives other numbers"


@needs_model
def test_odd_texts() -> None:
    assert encoder_of(MODEL).encode(["", "\ud800 half a pair", "\x00", "👍🏽", "x" * 100_000]).shape == (5, 384)
