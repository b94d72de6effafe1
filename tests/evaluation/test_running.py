"""Many cores, and a run that stopped and goes on: the same numbers, the same bytes, and never half a line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import pytest

from aifgraph.cli import main
from aifgraph.errors import InputError, NotFoundError, OptionError, RemoteError
from aifgraph.evaluation import workers as running
from aifgraph.evaluation.record import ResultLines
from aifgraph.evaluation.run import compare_corpora
from aifgraph.evaluation.workers import process_count
from evaluation.small_corpora import make_corpora

TEXTS = 12


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_corpora(tmp_path_factory.mktemp("made"), TEXTS)


def test_results_in_a_file_are_the_results(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    found, plain = compare_corpora(*corpora, jobs=2, results=path), compare_corpora(*corpora)
    assert isinstance(found.pairs, ResultLines)
    assert [pair.name for pair in plain.pairs] == [f"map{number}" for number in range(TEXTS)]
    assert list(found.pairs) == list(plain.pairs)
    assert found.pairs[-1] == plain.pairs[-1]
    assert found.pairs[2:4] == list(plain.pairs[2:4])
    assert found.to_dict() == plain.to_dict()
    assert len(path.read_text().splitlines()) == TEXTS + 1


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.31, 0.5, 0.77, 0.999, 1.0])
def test_a_run_cut_anywhere_ends_as_if_it_had_not_been(
    corpora: tuple[Path, Path], tmp_path: Path, share: float
) -> None:
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    expected = compare_corpora(*corpora, results=whole, classes=False)
    data = whole.read_bytes()
    cut.write_bytes(data[: int(len(data) * share)])
    found = compare_corpora(*corpora, results=cut, classes=False, resume=True)
    assert cut.read_bytes() == data
    assert found.macro == expected.macro
    assert found.micro == expected.micro


def test_a_file_that_is_there_is_not_written_over(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text("precious\n")
    with pytest.raises(InputError, match="already"):
        compare_corpora(*corpora, results=path)
    with pytest.raises(InputError, match="no line of results"):
        compare_corpora(*corpora, results=path, resume=True)
    path.write_text("precious")
    with pytest.raises(InputError, match="not a file of results"):
        compare_corpora(*corpora, results=path, resume=True)
    assert path.read_text() == "precious"


def test_another_runs_results_are_refused(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    compare_corpora(*corpora, results=path, classes=False)
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"granularity was merge and is strict; set it as it was"):
        compare_corpora(*corpora, results=path, classes=False, resume=True, granularity="strict")
    with pytest.raises(InputError, match=r"classes .* was False and is True"):
        compare_corpora(*corpora, results=path, resume=True)
    others = make_corpora(tmp_path / "others", TEXTS, seed=1)
    with pytest.raises(InputError, match="a map of map0 has changed"):
        compare_corpora(*others, results=path, classes=False, resume=True)
    fewer = make_corpora(tmp_path / "fewer", TEXTS - 1)
    with pytest.raises(InputError, match="other corpora"):
        compare_corpora(*fewer, results=path, classes=False, resume=True)
    assert path.read_bytes() == before


def test_two_runs_do_not_write_one_file(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    path = tmp_path / "results.jsonl"
    compare_corpora(*corpora, results=path, classes=False)
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(InputError, match="another run"):
            compare_corpora(*corpora, results=path, classes=False, resume=True)


def test_nothing_in_common(tmp_path: Path) -> None:
    ann, _ = make_corpora(tmp_path / "a", 2)
    other = tmp_path / "b"
    other.mkdir()
    (other / "else.json").write_text((ann / "map0.json").read_text())
    with pytest.raises(InputError, match="no map in common"):
        compare_corpora(ann, other)
    assert compare_corpora(ann, other, missing="zero").macro.cass["kappa"] == 0


@pytest.mark.parametrize("bad", [{"jobs": 0}, {"jobs": -2}, {"jobs": 10**6}])
def test_workers_out_of_range(bad: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        process_count(**bad)


def test_results_that_just_end_are_not_taken_for_all(
    corpora: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = running.run_each
    monkeypatch.setattr(running, "run_each", lambda *given: islice(whole(*given), 5))
    with pytest.raises(RemoteError, match=f"went away after 5 of {TEXTS} pairs"):
        compare_corpora(*corpora)


def test_resuming_nothing(corpora: tuple[Path, Path]) -> None:
    with pytest.raises(OptionError, match="nothing to resume"):
        compare_corpora(*corpora, resume=True)
    with pytest.raises(NotFoundError):
        ResultLines("nowhere.jsonl")


_RUN = """
import sys
from aifgraph.cli import run
run()
"""


@pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="no limit on the size of files here")
def test_a_full_disk_gives_one_error_and_whole_lines(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    limit = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000));"
    arguments = ["compare", *map(str, corpora), "--resume", str(path)]
    run = subprocess.run([sys.executable, "-B", "-c", limit + _RUN, *arguments], capture_output=True, text=True)
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1
    assert "make room and resume" in run.stderr
    lines = path.read_bytes().splitlines(keepends=True)
    assert 1 < len(lines) < TEXTS + 1
    assert all(line.endswith(b"\n") and json.loads(line) for line in lines)
    whole = tmp_path / "whole.jsonl"
    compare_corpora(*corpora, results=whole, classes=False)
    compare_corpora(*corpora, results=path, classes=False, resume=True)
    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.slow
def test_ctrl_c_is_clean(tmp_path: Path) -> None:
    ann, ben = make_corpora(tmp_path, 600)
    path = tmp_path / "results.jsonl"
    arguments = ["compare", str(ann), str(ben), "--resume", str(path), "--jobs", "2"]
    run = subprocess.Popen(
        [sys.executable, "-c", _RUN, *arguments], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 30
    while not (path.exists() and path.stat().st_size > 20_000) and time.monotonic() < deadline:
        time.sleep(0.005)
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does: to the workers too
    _, error = run.communicate(timeout=20)
    assert run.returncode == 130
    assert error.strip("\n") == "aifgraph: interrupted", error
    assert path.read_bytes().endswith(b"\n")


#: Commands about two places, and what their output is called.
COMMANDS = {
    "pages": ("compare ANN BEN --format html -o OUT", "pages"),
    "differences for people": ("differences ANN BEN -o OUT", "list.txt"),
    "differences for decisions": ("differences ANN BEN --format tsv -o OUT", "list.tsv"),
    "differences as values": ("differences ANN BEN --format json -o OUT", "list.json"),
    "merged maps": ("merge ANN BEN --prefer both -o OUT", "gold"),
    "findings": ("check ANN BEN --profile iat --details -o OUT", "findings.txt"),
    "a folder in another format": ("convert BEN OUT/ --to xaif", "maps"),
    "JSON lines": ("convert BEN OUT", "maps.jsonl"),
}


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Two places of 6 maps, one of them damaged."""
    ann, ben = make_corpora(tmp_path_factory.mktemp("made"), 6)
    (ben / "map3.json").write_text("{", encoding="utf-8")
    return {"ANN": str(ann), "BEN": str(ben)}


def files_of(path: Path) -> dict[str, bytes]:
    """What is in a file, or in the files of a folder."""
    if path.is_file():
        return {"": path.read_bytes()}
    return {each.relative_to(path).as_posix(): each.read_bytes() for each in path.rglob("*") if each.is_file()}


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=pytest.mark.slow) if what == "pages" else what for what in COMMANDS]
)
def test_two_processes_write_the_bytes_of_one(
    what: str, places: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words, called = COMMANDS[what]
    out, said, codes = tmp_path / called, [], []
    for jobs in ("1", "2"):
        arguments = [places.get(word, word.replace("OUT", str(out))) for word in words.split()]
        codes.append(main([*arguments, "--jobs", jobs]))
        said.append(capsys.readouterr().err)
        out.rename(tmp_path / jobs)
    assert said[0] == said[1]
    assert "map3" in said[0]
    assert codes == [2, 2]
    one, two = files_of(tmp_path / "1"), files_of(tmp_path / "2")
    assert one == two
    assert any(one.values())


def test_decisions_are_read_by_every_process(places: dict[str, str], tmp_path: Path) -> None:
    table, other = str(tmp_path / "decisions.tsv"), tmp_path / "other.tsv"
    both = [places["ANN"], places["BEN"]]
    assert main(["differences", *both, "--format", "tsv", "-o", table]) == 2
    lines = Path(table).read_text("utf-8").splitlines()
    place = lines[0].split("\t").index("decision")
    rows = [line.split("\t") for line in lines]
    decided = [
        "\t".join([*row[:place], "second" if number else row[place], *row[place + 1 :]])
        for number, row in enumerate(rows)
    ]
    other.write_text("\n".join(decided) + "\n", "utf-8")
    for jobs in ("1", "2"):
        assert main(["merge", *both, "--decisions", str(other), "-o", str(tmp_path / jobs), "-j", jobs]) == 2
    assert files_of(tmp_path / "1") == files_of(tmp_path / "2")


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
