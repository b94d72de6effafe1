"""The file of a run: it goes on wherever it stopped, and damage is refused. Several processes: the numbers of one."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from copy import deepcopy
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import joblib
import pytest

from aifgraph import CorpusComparison, PairResult, compare_corpora, open_corpus, write_corpus
from aifgraph.cli import main
from aifgraph.comparison.calculations import CALCULATIONS
from aifgraph.errors import FormatError, InputError, RemoteError
from aifgraph.evaluation.processes import run_each
from comparison.maps import letter_counts, reconstructed_pair
from documents import ANN, BEN, compared_debate
from evaluation.small_corpora import make_corpora

Line = dict[str, Any]


def run(folder: Path, results: Path | None = None, **options: Any) -> CorpusComparison:
    """Two corpora, one as lines; three pairs are of one text, one cannot be read, one has no partner."""
    table = folder / "pairs.tsv"
    pairs = [f"map{n}\tmap{n}\t{'one' if n in (0, 4, 8) else ''}\n" for n in range(9) if n != 5]
    table.write_text("first\tsecond\ttext\n" + "".join(pairs), "utf-8")
    how = {"pair_by": table, "missing": "zero", "measures": ["kirschner_graph"], "chance": 1, **options}
    return compare_corpora(folder / "ann.jsonl", folder / "ben", results=results, **how)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    ann, ben = make_corpora(tmp_path / "made", 9, size=3)
    (ben / "map3.json").write_text("{", encoding="utf-8")
    (ben / "map5.json").unlink()
    write_corpus([entry.load().with_name(entry.name) for entry in open_corpus(ann)], tmp_path / "made" / "ann.jsonl")
    return tmp_path / "made"


def test_a_run_goes_on_wherever_it_stopped(made: Path, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    expected = run(made, path).to_dict()
    assert expected == run(made).to_dict()
    assert CorpusComparison.load(path).to_dict() == expected
    data = path.read_bytes()
    for end in (9, len(data) * 2 // 3, len(data)):
        path.write_bytes(data[:end])
        assert run(made, path, resume=True).to_dict() == expected
        # A pair that failed is tried again.
        assert {*path.read_bytes().splitlines()} == {*data.splitlines()}
    assert str(CorpusComparison.load(path)) == str(run(made))


@pytest.mark.parametrize("changed", ["ann.jsonl", "ben/map1.txt", "ben/map3.json"])
def test_what_has_changed_is_compared_again(changed: str, made: Path, tmp_path: Path) -> None:
    path, file = tmp_path / "results.jsonl", made / changed
    before = run(made, path).to_dict()
    if changed == "ben/map3.json":
        file.write_bytes((made / "ann" / "map3.json").read_bytes())
    else:
        file.write_bytes(file.read_bytes().replace(b"masks", b"gloves"))
    after = run(made, path, resume=True).to_dict()
    assert after["pairs"] != before["pairs"]
    expected = run(made).to_dict()
    assert sorted(after["pairs"], key=str) == sorted(expected["pairs"], key=str)
    for number, estimate in expected["macro"].items():
        assert after["macro"][number] == pytest.approx(estimate)


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"granularity": "strict"}, "gran"),
        ({"chance": 3}, "chance"),
        ({"missing": "skip"}, "missing"),
        ({"measures": []}, "measures"),
        ({"pair_by": "text"}, "pair"),
    ],
)
def test_the_file_of_another_run_is_refused(more: Line, named: str, made: Path, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    run(made, path)
    before = path.read_bytes()
    with pytest.raises(InputError, match=named):
        run(made, path, resume=True, **more)
    assert path.read_bytes() == before


def test_a_file_that_is_there_is_not_written_over(made: Path, tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    for text in ("precious\n", "precious"):
        path.write_text(text)
        for resume in (False, True):
            with pytest.raises(InputError):
                run(made, path, resume=resume)
        assert path.read_text() == text
    with pytest.raises(FileNotFoundError):
        CorpusComparison.load(tmp_path / "nowhere.jsonl")


def test_a_damaged_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    compare_corpora(ANN, BEN, results=path)
    whole = path.read_text("utf-8").splitlines()
    for *way, last, value in (
        ("result", "segmentation", "S", "1.0"),
        ("result", "first", "units", -1),
        ("result", "calculations", "illocutions", "matrix", [[1]]),
        ("result", "calculations", "transitions", "matrix", [[10**400, 0], [0, 1]]),
        ("key", ["map1"]),
    ):
        line = json.loads(whole[2])
        reduce(getitem, way, line)[last] = value
        data = "\n".join([*whole[:2], json.dumps(line, separators=(",", ":")), *whole[3:], ""])
        path.write_text(data, "utf-8")
        with pytest.raises(FormatError, match=r"results\.jsonl"):
            compare_corpora(ANN, BEN, results=path, resume=True)
        assert path.read_text("utf-8") == data


def test_a_signature_stays_on_its_line() -> None:
    document = compared_debate().result.to_dict()
    document["signature"] += "|x=`<b>\n\r\\input{x}\x0b\\input{y}"
    result = PairResult.from_dict(document)
    assert not [line for line in re.split("[\r\n\x0b]", result.to_latex()) if line.startswith("\\input")]
    assert "\\x0" not in result.to_latex()
    assert result.to_markdown().splitlines()[-1].count("`") == 2


def ways(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each value in a document."""
    parts = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, part in parts:
        yield (*way, key)
        yield from ways(part, (*way, key))


VALUES = (None, True, -1, 10**30, 1.5, float("nan"), "", "1", [], ["1"], [[1]], {}, {"1": 1})
DETAILS = (["text", "--details"], ["json"], ["csv", "--details"], ["latex"], ["html", "--details"])


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_result_that_was_changed_anywhere_is_shown_or_refused(
    every: bool, made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(made, tmp_path / "run.jsonl", calculations=list(CALCULATIONS))  # every part of a result
    header, pair = [json.loads(line) for line in (tmp_path / "run.jsonl").read_text("utf-8").splitlines()[:2]]
    result = {"aifgraph": "2", **pair["result"]}
    paths = tmp_path / "result.json", tmp_path / "changed.jsonl"
    for place in (0, 1) if every else (0,):
        for number, way in enumerate(ways(header if place else result)):
            for change in range(len(VALUES) + 2) if every else (number % (len(VALUES) + 2),):
                changed = deepcopy(header if place else result)
                *to, last = way
                home = reduce(getitem, to, changed)
                value = home.pop(last)
                if change < len(VALUES):
                    home.insert(last, VALUES[change]) if isinstance(home, list) else home.update({last: VALUES[change]})
                elif change > len(VALUES):
                    home.extend([value, value]) if isinstance(home, list) else home.update({"1": value})
                lines = [changed, pair] if place else [changed]
                text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
                paths[place].write_text(text, "utf-8")
                code = main(["show", str(paths[place]), "--format", *DETAILS[number % len(DETAILS)]])
                assert code in (0, 2), (way, change)
    assert "Traceback" not in capsys.readouterr().err


PAIRS = 8
OPTIONS = {"meaning": letter_counts, "min_meaning": 0.7, "chance": 3}


@pytest.fixture
def corpora(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders of maps with texts beside them, in which much is reconstructed."""
    for number in range(PAIRS):
        given = reconstructed_pair(number)
        for side in ("first", "second"):
            path = tmp_path / side / f"map{number}.json"
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(given[side]), encoding="utf-8")
            path.with_suffix(".txt").write_text(given[f"{side}_text"], encoding="utf-8")
    return tmp_path / "first", tmp_path / "second"


@pytest.mark.slow
def test_processes_give_the_numbers_and_the_file_of_one(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    alone = compare_corpora(*corpora, **OPTIONS, results=one)
    assert any(pair.matches.propositions.by_meaning and pair.sides[0].reconstructed for pair in alone.pairs)
    assert compare_corpora(*corpora, **OPTIONS, jobs=2, results=two).to_dict() == alone.to_dict()
    assert one.read_bytes() == two.read_bytes()
    distributed = pytest.importorskip("distributed")
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster) as client:
        client.run(sys.path.append, str(Path(__file__).parents[1]))
        with joblib.parallel_config(backend="dask"):
            assert compare_corpora(*corpora, **OPTIONS, jobs=2).to_dict() == alone.to_dict()


@pytest.mark.slow
def test_ctrl_c_is_clean(tmp_path: Path) -> None:
    ann, ben = make_corpora(tmp_path, 600)
    path = tmp_path / "results.jsonl"
    arguments = ["compare", str(ann), str(ben), "--resume", str(path), "--jobs", "2"]
    run = subprocess.Popen(
        [sys.executable, "-m", "aifgraph", *arguments], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 30
    while not (path.exists() and path.stat().st_size > 20_000) and time.monotonic() < deadline:
        time.sleep(0.005)
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does: to the workers too
    _, error = run.communicate(timeout=20)
    assert run.returncode == 130
    assert error.strip("\n") == "aifgraph: interrupted", error
    assert path.read_bytes().endswith(b"\n")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["compare --format html", "differences", "check --profile iat --details"])
def test_two_processes_write_the_bytes_of_one(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ann, ben = make_corpora(tmp_path / "made", 6)
    (ben / "map3.json").write_text("{", encoding="utf-8")
    written = []
    for jobs in ("1", "2"):
        (tmp_path / jobs).mkdir()
        out = tmp_path / jobs / "pages" if "html" in command else tmp_path / jobs / "out.txt"
        assert main([*command.split(), str(ann), str(ben), "-o", str(out), "--jobs", jobs]) == 2
        files = (path for path in (tmp_path / jobs).rglob("*") if path.is_file())
        written.append(({path.name: path.read_bytes() for path in files}, capsys.readouterr().err))
    assert written[0] == written[1]
    assert "map3" in written[0][1]


@pytest.mark.slow
@pytest.mark.parametrize("started", ["script", "module", "python"])
def test_nothing_in_the_current_folder_is_run(started: str, tmp_path: Path) -> None:
    """A corpus may be unpacked, entered and compared, whatever files are in it."""
    here = Path("fixtures").resolve()
    for name in ("random", "numpy", "joblib", "tempfile", "json", "click"):
        (tmp_path / f"{name}.py").write_text("open(f'{__file__}.was-run', 'w').close()\n", "utf-8")
    folders = [str(here / "debates" / side) for side in ("ann", "ben")]
    compared = ["compare", *folders, "--jobs", "2"]
    code = f"import aifgraph; aifgraph.compare_corpora({folders[0]!r}, {folders[1]!r}, jobs=2)"
    command = {
        "script": [str(Path(sys.executable).with_name("aifgraph")), *compared],
        "module": [sys.executable, "-m", "aifgraph", *compared],
        "python": [sys.executable, "-P", "-c", code],
    }[started]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, list(tmp_path.glob("*.was-run"))) == (0, []), done.stderr


def _dies(item: int) -> int:
    if item == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return item


@pytest.mark.slow
def test_the_death_of_a_worker_is_an_error() -> None:
    with pytest.raises(RemoteError):
        list(run_each(_dies, range(6), jobs=2))


def _process(item: int) -> int:
    return os.getpid()


@pytest.mark.slow
@pytest.mark.parametrize("items", [2, 300])
def test_no_more_processes_than_cores_or_items(items: int, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    parallel = joblib.Parallel

    def counted(n_jobs: int, **how: Any) -> Any:
        started.append(n_jobs)
        return parallel(n_jobs=2, **how)

    monkeypatch.setattr(joblib, "Parallel", counted)
    assert len({*run_each(_process, range(items), jobs=99_999)}) <= 2
    assert started == [max(2, min(joblib.cpu_count(), items))]
