"""Several processes, also those of a Dask cluster: the numbers and the bytes of one, and a clean end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import joblib
import pytest

from aifgraph.cli import main
from aifgraph.errors import RemoteError
from aifgraph.evaluation.run import compare_corpora, run_each
from comparison.maps import letter_counts, reconstructed_pair
from evaluation.small_corpora import make_corpora

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
