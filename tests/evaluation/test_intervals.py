"""Intervals over texts: the numbers of a round are macro and micro of the pairs drawn; the order of pairs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from aifgraph.comparison.cass import Fused
from aifgraph.comparison.result import PairResult
from aifgraph.errors import OptionError
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.corpus_tables import lowest_pairs
from aifgraph.evaluation.intervals import Intervals, intervals_of
from aifgraph.evaluation.pooled import PooledNumber
from aifgraph.evaluation.run import compare_corpora
from aifgraph.evaluation.sums import CorpusSums, missing_pair
from aifgraph.stats.agreement import kappa
from aifgraph.stats.matrix import ConfusionMatrix
from aifgraph.stats.scores import SCORES
from evaluation.small_corpora import make_corpora, scored


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> CorpusComparison:
    return compare_corpora(*make_corpora(tmp_path_factory.mktemp("made"), 15, size=5), classes=False)


def test_values_are_those_of_macro_and_micro(compared: CorpusComparison) -> None:
    found = compared.intervals(rounds=20)
    for pooled, data in (("macro", compared.macro), ("micro", compared.micro)):
        assert found[pooled, PooledNumber("S")].value == pytest.approx(data.S)
        for score in ("kappa", "f1", "informedness", "mcc", "ac1"):
            assert found[pooled, PooledNumber("cass", "all", score)].value == pytest.approx(data.cass[score])
            assert found[pooled, PooledNumber("mean", "dialogical", score)].value == pytest.approx(
                data.over["dialogical"].mean[score]
            )
    kappa = compared.micro.calculations["transitions"]["kappa"]
    assert found["micro", PooledNumber("score", "transitions", "kappa")].value == pytest.approx(kappa)
    assert found["macro", PooledNumber("mean_of_cass", "all", "f1")].value == pytest.approx(
        compared.macro.mean_of_cass["f1"]
    )


def test_percentiles_are_those_of_pairs_drawn_one_by_one(compared: CorpusComparison) -> None:
    pairs, rounds = list(compared.pairs), 60
    found = intervals_of(pairs, rounds=rounds, seed=5)
    random = np.random.default_rng(5)  # as aifgraph.stats.bootstrap draws
    draws = random.integers(0, len(pairs), size=(rounds, len(pairs)))
    # What is drawn twice counts as two texts.
    drawn = [[replace(pairs[i], text=f"{at} {pairs[i].text}") for at, i in enumerate(draw)] for draw in draws.tolist()]
    sums = [CorpusSums.of(of_round) for of_round in drawn]
    of_micro = [each.micro.scores(mean_of_layers=False) for each in sums]
    for pooled, scores in (("macro", [each.macro.scores() for each in sums]), ("micro", of_micro)):
        values = [each.cass["kappa"] for each in scores]
        low, high = np.quantile(values, [0.025, 0.975])
        assert found[pooled, PooledNumber("cass", "all", "kappa")].low == pytest.approx(low)
        assert found[pooled, PooledNumber("cass", "all", "kappa")].high == pytest.approx(high)


def test_a_negative_score_has_an_interval_too(compared: CorpusComparison) -> None:
    negative = [replace(pair) for pair in compared.pairs if (pair.over["propositional"].mean["kappa"] or 0) < 0.4]
    assert len(negative) > 2
    for number, pair in enumerate(negative):
        own = pair.over["propositional"]
        low = Fused({**own.mean, "kappa": -0.3 if number else -0.1}, own.cass)
        pair.__dict__["over"] = {**pair.over, "propositional": low}
    found = intervals_of(negative, rounds=200)["macro", PooledNumber("mean", "propositional", "kappa")]
    assert found.low < found.value < 0


def test_only_texts_in_which_a_number_is_defined_are_drawn(compared: CorpusComparison) -> None:
    pairs = [replace(pair) for pair in compared.pairs]
    for pair in pairs[4:]:  # these have no dialogue
        none = Fused(dict.fromkeys(SCORES), dict.fromkeys(SCORES))
        pair.__dict__["over"] = {**pair.over, "dialogical": none}
    found = intervals_of(pairs, rounds=100, seed=3)
    alone = intervals_of(pairs[:4], rounds=100, seed=3)
    for what in ("S", "mean", "cass"):
        number = PooledNumber(what, "dialogical", "" if what == "S" else "kappa")
        assert found["macro", number] == alone["macro", number]
        assert (found["macro", number].items, found["macro", number].undefined) == (4, 0)
    assert found["macro", PooledNumber("cass", "all", "kappa")].items == len(pairs)
    assert "an interval over 4 texts is too narrow" in found.tables()[0].note
    assert found.to_dict()["remarks"] == found.remarks


def test_one_text_gives_no_interval_and_says_why(compared: CorpusComparison) -> None:
    found = intervals_of(list(compared.pairs)[:1], rounds=50)
    kappa = found["macro", PooledNumber("cass", "all", "kappa")]
    assert kappa.value == pytest.approx(compared.pairs[0].cass["kappa"])
    assert (kappa.low, kappa.high, kappa.items) == (None, None, 1)
    assert found.remarks == ["no interval: there are fewer than two to draw from"]
    assert found.remarks[0] in found.tables()[0].note


def test_every_label_has_an_interval_of_what_the_breakdown_gives(compared: CorpusComparison) -> None:
    found = compared.intervals(rounds=30)
    for calculation, behind in compared.breakdown.calculations.items():
        for part, fold in {"attachment": behind.attachment, **behind.labels}.items():
            for score, value in fold.scores.items():
                interval = found["micro", PooledNumber("label", f"{calculation}: {part}", score)]
                assert interval.value == (pytest.approx(value) if value is not None else None)
    assert found.tables()[1].rows
    again = Intervals.from_dict(found.to_dict())
    assert (again.macro, again.micro) == (dict(found.macro), dict(found.micro))


def test_seeds(compared: CorpusComparison) -> None:
    plain, again = compared.intervals(rounds=100, seed=1), compared.intervals(rounds=100, seed=1)
    other = compared.intervals(rounds=100, seed=2)
    key = "micro", PooledNumber("mean", "all", "kappa")
    assert plain[key] == again[key]
    assert plain[key] != other[key]


@pytest.mark.parametrize("bad", [{"rounds": 0}, {"seed": -1}, {"seed": 2**32}, {"level": 1.0}])
def test_options_out_of_range(compared: CorpusComparison, bad: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        compared.intervals(**bad)


def test_as_plain_values(compared: CorpusComparison) -> None:
    data = compared.intervals(rounds=50).to_dict()
    kappa = data["macro"]["all"]["cass"]["kappa"]
    assert set(kappa) == {"value", "low", "high", "texts"}
    assert kappa["low"] <= kappa["value"] <= kappa["high"]
    assert "score" in data["micro"]["transitions"]


def test_the_lowest_first(compared: CorpusComparison) -> None:
    shown = lowest_pairs(compared.pairs, 4)
    values = [pair.cass["kappa"] for pair in compared.pairs]
    assert [pair.cass["kappa"] for pair in shown] == sorted(value for value in values if value is not None)[:4]


@pytest.mark.slow
@pytest.mark.data
def test_real_pairs_against_a_bootstrap_written_down_plainly(shared_data: Path, tmp_path: Path) -> None:
    """Section 8 word by word: texts of several pairs, and one number that two texts do not have."""
    folder = shared_data / "araucaria"
    lines = (folder / "same_text_pairs.tsv").read_text(encoding="utf-8").splitlines()
    named = [line.replace(".json", "").split("\t") for line in lines if not line.endswith("identical")]
    (tmp_path / "pairs.tsv").write_text("\n".join("\t".join(row[:2]) for row in named), encoding="utf-8")
    result = compare_corpora(folder, folder, pair_by=tmp_path / "pairs.tsv", classes=False)
    found = result.intervals(rounds=200, seed=3)
    texts: dict[str, list[PairResult]] = {}
    for pair in result.pairs:
        texts.setdefault(pair.text, []).append(pair)
    assert (len(result.pairs), len(texts)) == (51, 43)

    def drawn(count: int) -> list[list[int]]:
        return np.random.default_rng(3).integers(0, count, size=(200, count)).tolist()

    def check(number: PooledNumber, of: str, values: list[float]) -> None:
        interval = found[of, number]
        assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])), abs=1e-9)

    means = [(np.mean([pair.mean["f1"] for pair in of]), np.mean([pair.S for pair in of])) for of in texts.values()]
    whole = [np.mean([means[place] for place in draw], axis=0) for draw in drawn(43)]
    check(PooledNumber("cass", "all", "f1"), "macro", [2 * m * s / (m + s) for m, s in whole])
    said = [[pair.explicit for pair in of if pair.explicit] for of in texts.values()]
    own = [of for of in said if of]
    assert len(own) == 41
    of_text = [np.mean([each["kappa"] for each in of]) for of in own]
    number = PooledNumber("score", "explicit_relations", "kappa")
    check(number, "macro", [float(np.mean([of_text[place] for place in draw])) for draw in drawn(41)])
    summed = [
        sum((each.matrix for place in draw for each in own[place]), ConfusionMatrix((), ())) for draw in drawn(41)
    ]
    check(number, "micro", [kappa(matrix) or 0.0 for matrix in summed])


def pair(name: str, mean: float | None, cass: float | None) -> PairResult:
    return scored(missing_pair(name), name, kappa=(mean, cass))


def test_pairs_of_equal_cass_go_by_m() -> None:
    pairs = [
        pair("a", 0.0, 0.0),
        pair("b", 0.4, 0.5),
        pair("c", -0.3, 0.0),
        pair("d", None, None),
        pair("e", -0.1, 0.0),
    ]
    assert [each.name for each in lowest_pairs(pairs, 9)] == ["c", "e", "a", "b", "d"]
    assert [each.name for each in lowest_pairs(pairs, 2)] == ["c", "e"]
