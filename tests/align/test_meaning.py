"""Sentence models: callables, what they are refused for, and that company changes nothing."""

import pickle
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from aifgraph import Options
from aifgraph.errors import OptionError
from aifgraph.text import similarity as meaning
from aifgraph.text.similarity import Encoder


def letter_counts(texts: list[str]) -> list[list[float]]:
    return [[text.count(letter) + 0.1 for letter in "aeiou"] for text in texts]


class Model:
    def __call__(self, texts: list[str]) -> list[list[float]]:
        return letter_counts(texts)

    encode = __call__


class Named(Model):
    name, hash = "a model", "0b1c"


def test_a_callable_is_named_by_its_name_and_hash_or_by_where_it_stands() -> None:
    assert Encoder(letter_counts).name == f"callable.{__name__}.letter_counts"
    assert Encoder(lambda texts: letter_counts(texts)).name.endswith("._lambda_")
    assert not set("|: <>") & set(Encoder(lambda texts: letter_counts(texts)).name)
    assert Encoder(Named()).name == "a_model@0b1c"
    assert Encoder(Model()).name.endswith(".Model")
    assert Encoder(Model().encode).cosines(["a"], ["a"]).tolist() == [[1.0]]


def test_every_text_is_encoded_once_while_it_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[str]] = []

    def counted(texts: list[str]) -> list[list[float]]:
        calls.append(texts)
        return letter_counts(texts)

    encoder = Encoder(counted)
    encoder.cosines(["b", "a", "b"], ["a"])
    encoder.cosines(["a", "c"], ["b"])
    assert calls == [["a", "b"], ["c"]]
    monkeypatch.setattr(meaning, "MAX_CACHED_NUMBERS", 15)
    encoder.cosines(["d"], ["a"])
    encoder.cosines(["a"], ["b"])
    assert calls[2:] == [["d"], ["b"]]


def test_cosines_are_the_same_from_either_side_and_in_any_company() -> None:
    generator = np.random.default_rng(0)
    table = {f"t{number}": generator.normal(size=384) for number in range(60)}
    encoder = Encoder(lambda texts: [table[text] for text in texts])
    ours, theirs = list(table)[:25], list(table)[20:]
    cosines = encoder.cosines(ours, theirs)
    assert (cosines == encoder.cosines(theirs, ours).T).all()
    for (row, one), (column, other) in product(enumerate(ours), enumerate(theirs)):
        alone = Encoder(lambda texts: [table[text] for text in texts])
        assert alone.cosines([one], [other])[0, 0] == cosines[row, column]
        expected = table[one] @ table[other] / np.linalg.norm(table[one]) / np.linalg.norm(table[other])
        assert cosines[row, column] == pytest.approx(expected, abs=1e-6)
    assert cosines[20, 0] == 1
    assert (cosines == cosines.round(6)).all()


@pytest.mark.parametrize(
    "encode",
    [
        lambda texts: np.ones(len(texts)),
        lambda texts: np.ones((len(texts), 2, 2)),
        lambda texts: np.ones((len(texts) + 1, 3)),
        lambda texts: np.ones((len(texts), 0)),
        lambda texts: np.full((len(texts), 3), np.nan),
        lambda texts: [[1.0, np.inf]] * len(texts),
        lambda texts: [[float(text == "no"), 0.0] for text in texts],
        lambda texts: [[1.0], [1.0, 2.0]],
        lambda texts: [["x"]] * len(texts),
        lambda texts: None,
        lambda texts: 1 / 0,
    ],
)
def test_a_callable_that_returns_nonsense(encode: Callable[[list[str]], object]) -> None:
    with pytest.raises(OptionError) as error:
        Encoder(encode).cosines(["yes"], ["no"])
    assert "\n" not in str(error.value)


def test_options_hold_one_encoder_that_travels_as_its_callable() -> None:
    options = Options(meaning=letter_counts)
    assert Options(meaning=options.meaning).meaning is options.meaning
    assert Options(meaning=letter_counts) == options
    assert pickle.loads(pickle.dumps(options)) == options
    assert Encoder(letter_counts) != Encoder(lambda texts: letter_counts(texts))
