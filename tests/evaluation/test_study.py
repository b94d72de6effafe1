"""Drawing the texts of a study, and planning how many."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from aifgraph import GraphBuilder
from aifgraph.cli import main
from aifgraph.corpus import open_corpus
from aifgraph.errors import InputError, OptionError
from aifgraph.evaluation.pooled import PooledNumber
from aifgraph.evaluation.run import compare_corpora
from aifgraph.evaluation.study import plan, sample
from aifgraph.formats import dumps
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
    now = pilot.intervals(rounds=300)["macro", PooledNumber("cass", "all", "kappa")]
    assert planned.intervals[12]["all", "kappa"] == now
    widths = [planned.width(size) for size in (6, 12, 48)]
    assert widths == sorted(widths, reverse=True)
    assert widths[2] == pytest.approx(widths[1] / 2, rel=0.3)
    assert planned.needed(widths[2]) == 48
    assert planned.notices == ()


def test_a_small_pilot_is_said_to_be_small(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "plan.svg"
    assert main(["plan", str(ANN), str(BEN), "--rounds", "50", "--width", "0.2", "--plot", str(picture)]) == 0
    shown = capsys.readouterr()
    assert "a pilot of 3 texts says little" in shown.err
    assert "Texts for an interval of width 0.2" in shown.out
    assert picture.read_text("utf-8").startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--texts", "ten"], "texts is 'ten'"),
        (["--texts", "1"], "from 2 to"),
        (["--width", "2"], "a width of 2"),
    ],
)
def test_refused_plans(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", str(ANN), str(BEN), *arguments]) == 2
    assert message in capsys.readouterr().err


def test_one_text_has_no_spread(tmp_path: Path) -> None:
    (tmp_path / "nodeset1.json").write_bytes((BEN / "nodeset1.json").read_bytes())
    with pytest.raises(OptionError, match="a single text"):
        plan(compare_corpora(ANN, tmp_path))
