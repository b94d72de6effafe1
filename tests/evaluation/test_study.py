"""Drawing the texts of a study, and planning how many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from aifgraph import GraphBuilder
from aifgraph.cli import main
from aifgraph.comparison.cass import SCORE_LAYERS, Fused
from aifgraph.corpus import open_corpus
from aifgraph.errors import InputError, OptionError
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.intervals import ER
from aifgraph.evaluation.pooled import PooledNumber
from aifgraph.evaluation.run import compare_corpora
from aifgraph.evaluation.sample import sample
from aifgraph.evaluation.study import plan
from aifgraph.formats import dumps
from aifgraph.stats.bootstrap import bootstrap_many
from aifgraph.stats.randomisation import randomisation_tests
from aifgraph.stats.scores import SCORES
from evaluation.small_corpora import make_corpora

DEBATES = Path(__file__).resolve().parents[2] / "fixtures" / "debates"
ANN, BEN = DEBATES / "ann", DEBATES / "ben"


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty maps: two thirds of one speaker, one third of two, of growing length."""
    folder = tmp_path_factory.mktemp("mixed")
    for number in range(30):
        build = GraphBuilder()
        for speaker in ["Ann", "Bob"] if number % 3 == 0 else ["Ann"]:
            build.locution(f"{speaker}: " + "word " * (number + 1))
        (folder / f"map{number}.json").write_text(dumps(build.graph(), format="aif"), encoding="utf-8")
    return folder


def test_strata_are_drawn_in_proportion(mixed: Path) -> None:
    drawn = sample(open_corpus(mixed), 9, by=["speakers"], seed=3)
    assert Counter(text.stratum for text in drawn.texts if text.drawn) == {("1",): 6, ("2",): 3}
    lengths = sample(open_corpus(mixed), 6, by=["length"], seed=3)
    assert Counter(text.stratum for text in lengths.texts) == {("short",): 10, ("middle",): 10, ("long",): 10}
    assert Counter(text.stratum for text in lengths.texts if text.drawn) == {
        ("short",): 2,
        ("middle",): 2,
        ("long",): 2,
    }


def test_every_number_is_drawn_exactly(mixed: Path) -> None:
    for number in range(1, 31):
        assert len(sample(open_corpus(mixed), number, by=["speakers", "length"], seed=number).names) == number


def test_the_seed_decides(mixed: Path) -> None:
    corpus = open_corpus(mixed)
    assert sample(corpus, 5, seed=1).names == sample(corpus, 5, seed=1).names != sample(corpus, 5, seed=2).names


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-n", "99"], "the corpus has 30 texts"),
        (["-n", "0"], "a sample of 0 texts"),
        (["-n", "2", "--by", "mood"], "by 'mood'"),
    ],
)
def test_refused_samples(arguments: list[str], message: str, mixed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sample", str(mixed), *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_sample_as_a_folder_and_a_list(tmp_path: Path) -> None:
    folder, listed = tmp_path / "twice", tmp_path / "sample.tsv"
    command = ["sample", str(ANN), "-n", "2", "--folder", str(folder), "--format", "tsv", "-o", str(listed)]
    assert main(command) == 0
    names = [line.split("\t")[0] for line in listed.read_text("utf-8").splitlines()[1:]]
    assert list(open_corpus(folder).names) == names
    assert (folder / f"{names[0]}.txt").read_bytes() == (ANN / f"{names[0]}.txt").read_bytes()
    assert main(command) == 2  # the folder holds a sample already


def test_what_cannot_be_read_is_not_drawn(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    (tmp_path / "good.json").write_bytes((ANN / "nodeset1.json").read_bytes())
    drawn = sample(open_corpus(tmp_path), 1)
    assert drawn.names == ("good",)
    assert drawn.failed[0][0] == "bad"
    with pytest.raises(InputError, match="1 more that cannot be read"):
        sample(open_corpus(tmp_path), 2)


def test_a_plan_of_as_many_texts_as_the_pilot_is_its_interval(tmp_path: Path) -> None:
    pilot = compare_corpora(*make_corpora(tmp_path, 12))
    planned = plan(pilot, [6, 12, 48], rounds=300)
    now = pilot.intervals(rounds=300)["macro", PooledNumber("mean", "all", "kappa")]
    assert planned.intervals[12]["all", "kappa"] == now
    widths = [planned.width(size) for size in (6, 12, 48)]
    assert widths == sorted(widths, reverse=True)
    assert widths[2] == pytest.approx(widths[1] / 2, rel=0.3)
    assert planned.needed(widths[2]) == pytest.approx(48, rel=0.2)
    assert planned.notices == ()


def pilot_of(values: Sequence[float]) -> CorpusComparison:
    """A pilot with these M-κ on its texts."""
    over = [Fused(dict.fromkeys(SCORES, value), dict.fromkeys(SCORES)) for value in values]
    texts = [
        (f"text{number}", SimpleNamespace(over=dict.fromkeys(SCORE_LAYERS, fused), explicit=None))
        for number, fused in enumerate(over)
    ]
    return SimpleNamespace(texts=texts, signature="")


@pytest.mark.parametrize("width", [0.2, pytest.param(0.1, marks=pytest.mark.slow)])
def test_an_interval_is_as_wide_as_it_was_planned(width: float) -> None:
    """Pilots of 40 texts from a population; studies of as many texts as each plan says, from the same population."""
    random = np.random.default_rng(1)
    measured, planned = [], []
    for number in range(12):
        size = plan(pilot_of(random.beta(1, 3, 40)), [2], seed=number).needed(width)
        assert size is not None
        planned.append(size)
        for study in range(10):
            rows = [(value, 1) for value in random.beta(1, 3, size)]
            (interval,) = bootstrap_many(rows, lambda sums: {"M": sums[:, 0] / sums[:, 1]}, seed=study).values()
            measured.append(interval.high - interval.low)
    assert np.mean(measured) == pytest.approx(width, rel=0.1)
    assert min(planned) > 2


@pytest.mark.parametrize("paired", [False, True])
def test_a_difference_is_found_as_often_as_planned(paired: bool) -> None:
    """Two systems whose means differ by 0.1: 80 of 100 randomisation tests over so many texts have a p below 0.05."""
    random = np.random.default_rng(2)

    def draw(size: int) -> tuple[Any, Any]:
        hard = random.beta(2, 2, size) * 0.5 if paired else np.zeros(size)
        return tuple(hard + random.beta(2, 2, size) * (0.5 if paired else 1.0) for _ in range(2))

    found = []
    for number in range(200):
        if number % 20 == 0:
            first, second = draw(60)
            other = pilot_of(second) if paired else None
            size = plan(pilot_of(first), [2], other=other).needed_to_find(0.1)
        assert size is not None
        one, two = draw(size)
        systems = {"one": [[value + 0.1, 1] for value in one], "two": [[value, 1] for value in two]}
        (test,) = randomisation_tests(systems, lambda sums: sums[:, 0] / sums[:, 1], rounds=300, seed=number).values()
        found.append(test.p is not None and test.p < 0.05)
    assert np.mean(found) == pytest.approx(0.8, abs=0.06)


def test_systems_that_find_the_same_texts_hard_need_fewer_texts() -> None:
    random = np.random.default_rng(3)
    hard = random.random(40)
    first, second = (pilot_of(hard + random.random(40) / 10) for _ in range(2))
    alone, together = plan(first, [2]).needed_to_find(0.1), plan(first, [2], other=second).needed_to_find(0.1)
    assert together < alone / 5
    with pytest.raises(OptionError, match="fewer than two texts in common"):
        plan(first, [2], other=pilot_of([0.5]))
    assert plan(pilot_of([0.0, 1.0]), [2]).needed(0.001) is None


@pytest.mark.slow
@pytest.mark.data
def test_what_was_said_is_planned_and_texts_where_it_is_undefined_are_counted(
    shared_data: Path, tmp_path: Path
) -> None:
    """Two of 43 texts have no argument among what was said: a study is as much larger than one of 41."""
    folder, pairs = shared_data / "araucaria", tmp_path / "pairs.tsv"
    lines = (folder / "same_text_pairs.tsv").read_text("utf-8").splitlines()
    pairs.write_text("\n".join(line for line in lines if not line.endswith("identical")), encoding="utf-8")
    pilot = compare_corpora(folder, folder, pair_by=pairs)
    assert pilot.macro.texts == 43
    planned = plan(pilot, [43], rounds=300)
    now = pilot.intervals(rounds=300)["macro", PooledNumber("score", ER, "kappa")]
    assert (now.items, planned.intervals[43][ER, "kappa"].items) == (41, 41)
    assert planned.width(43, ER) == pytest.approx(now.high - now.low)
    needed = planned.needed(0.1, ER)
    assert needed is not None
    assert planned.width(needed, ER) == pytest.approx(0.1, rel=0.1)
    assert "ER-κ" in [row[1] for row in planned.tables()[0].rows]


def test_no_test_over_five_texts_finds_anything() -> None:
    planned = plan(pilot_of([0.5] * 8 + [0.50001]), [2])
    assert planned.power(5, 0.4) == 0
    assert planned.needed_to_find(0.4) == 6


def test_a_small_pilot_is_said_to_be_small(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "plan.svg"
    assert main(["plan", str(ANN), str(BEN), "--rounds", "50", "--width", "0.2", "--plot", str(picture)]) == 0
    shown = capsys.readouterr()
    assert "a pilot of 3 texts says little" in shown.err
    assert "Texts for an interval of width 0.2" in shown.out
    assert main(["plan", str(ANN), str(BEN), "--rounds", "50", "--difference", "0.3", "--other", str(BEN)]) == 0
    assert "Texts to find a difference of 0.3 with power 0.8" in capsys.readouterr().out
    assert picture.read_text("utf-8").startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--texts", "ten"], "texts is 'ten'"),
        (["--texts", "1"], "from 2 to"),
        (["--width", "2"], "a width of 2"),
        (["--difference", "0"], "a difference of 0"),
        (["--other", str(ANN)], "--other has an effect only with --difference"),
    ],
)
def test_refused_plans(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", str(ANN), str(BEN), *arguments]) == 2
    assert message in capsys.readouterr().err


def test_one_text_has_no_spread(tmp_path: Path) -> None:
    (tmp_path / "nodeset1.json").write_bytes((BEN / "nodeset1.json").read_bytes())
    with pytest.raises(OptionError, match="a single text"):
        plan(compare_corpora(ANN, tmp_path))
